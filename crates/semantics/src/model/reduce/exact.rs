//! Arithmetic on constants.

use super::ReduceError;
use super::residue::{Node, Part, Shape};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::syntax::constant::Constant;
use crate::syntax::term::TermKind;
use crate::value::BelowZero;

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

/// The real number that an operation gives, where the graph of the operation would be one.
///
/// # Errors
/// [`ReduceError::NaturalOverflow`] and [`ReduceError::BelowZero`]: the machine has computed what there is of natural numbers.
pub(super) fn known(constant: Constant, arguments: &[Node], nodes: &[Part]) -> Result<Option<Rational>, ReduceError> {
    let leaf = |node: Node| if let Shape::Leaf(kind, _) = &nodes[node].shape { Some(kind) } else { None };
    let leaves: Vec<Option<&TermKind>> = arguments.iter().map(|&argument| leaf(argument)).collect();
    Ok(match (constant, &leaves[..]) {
        (Constant::ToReal, [Some(TermKind::Nat(n))]) => Some((*n).into()),
        (Constant::NaturalDifference, [Some(TermKind::Nat(left)), Some(TermKind::Nat(right))]) => {
            return Err(ReduceError::BelowZero(Box::new(BelowZero::of(*left, *right))));
        }
        (_, [Some(TermKind::Nat(_)), Some(TermKind::Nat(_))]) if constant.on_naturals().is_some() => {
            return Err(ReduceError::NaturalOverflow);
        }
        (Constant::Deriv, [..]) => match arguments.first().map(|&function| &nodes[function].shape) {
            Some(Shape::Lambda(_, body)) if leaf(*body).is_some_and(is_number) => Some(Rational::new()),
            _ => None,
        },
        _ => {
            let number =
                |kind: &Option<&'_ TermKind>| if let Some(TermKind::Real(q)) = kind { Some(q.clone()) } else { None };
            let numbers: Option<Vec<Rational>> = leaves.iter().map(number).collect();
            numbers.and_then(|numbers| arithmetic(constant, &numbers.iter().collect::<Vec<_>>()))
        }
    })
}

/// Whether the function that is this everywhere has the derivative 0.
fn is_number(kind: &TermKind) -> bool {
    matches!(kind, TermKind::Real(_) | TermKind::Constant(Constant::Pi | Constant::E))
}
