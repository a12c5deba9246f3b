//! Arithmetic on constants.

use super::{Left, OperationKind, ReduceError, Reducer, Value};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};

/// The number that arithmetic makes of numbers, where the graph of the operation would be one: they are of moderate size.
pub(crate) fn arithmetic(constant: Constant, arguments: &[&Rational]) -> Option<Rational> {
    let graph = |q: &Rational| Graph::rational(q.clone());
    let binary = |operation, x, y| Some(Graph::binary(operation, &graph(x), &graph(y)));
    let result = match (constant, arguments) {
        (Constant::Negate, [x]) => Some(Graph::unary(Unary::Negate, &graph(x))),
        (Constant::Add, [x, y]) => binary(Binary::Add, x, y),
        (Constant::Subtract, [x, y]) => binary(Binary::Subtract, x, y),
        (Constant::Multiply, [x, y]) => binary(Binary::Multiply, x, y),
        (Constant::Divide, [x, y]) => binary(Binary::Divide, x, y),
        (Constant::Power, [x, y]) => Graph::power(&graph(x), y),
        _ => None,
    };
    result?.as_rational().cloned()
}

/// The constant that an operation gives, where the graph of the operation would be one.
pub(super) fn constant(constant: Constant, arguments: &[Left]) -> Option<Rational> {
    if let (Constant::Deriv, [Left::Operation(function), _]) = (constant, arguments) {
        let is_zero = matches!(&function.kind, OperationKind::Lambda(block) if is_constant(&block.result));
        return is_zero.then(Rational::new);
    }
    let numbers: Option<Vec<&Rational>> = arguments.iter().map(number).collect();
    arithmetic(constant, &numbers?)
}

fn number(left: &Left) -> Option<&Rational> {
    match left {
        Left::Leaf(term) => match term.kind() {
            TermKind::Real(q) => Some(q),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a function with this result has the derivative 0.
fn is_constant(result: &Left) -> bool {
    let is_number = |term: &Term| {
        matches!(term.kind(), TermKind::Real(_) | TermKind::Constant(Constant::Pi) | TermKind::Constant(Constant::E))
    };
    matches!(result, Left::Leaf(term) if is_number(term))
}

impl Reducer {
    /// An operation on tuples of which the components are known.
    pub(super) fn componentwise(
        &mut self,
        head: &Term,
        constant: Constant,
        arguments: &[Value],
    ) -> Result<Option<Value>, ReduceError> {
        let parts: Result<Vec<Value>, _> = match arguments {
            [Value::Tuple(x)] => {
                x.iter().map(|x| deep(|| self.operate(head, constant, std::slice::from_ref(x)))).collect()
            }
            [Value::Tuple(x), Value::Tuple(y)] if x.len() == y.len() => x
                .iter()
                .zip(&**y)
                .map(|(x, y)| deep(|| self.operate(head, constant, &[x.clone(), y.clone()])))
                .collect(),
            _ => return Ok(None),
        };
        Ok(Some(Value::Tuple(parts?.into())))
    }
}
