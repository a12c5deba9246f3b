//! Exact arithmetic on constants during reduction.

use super::ReduceError;
use super::residue::{ResidualNode, ResidualNodeIndex, ResidualShape};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::syntax::constant::Constant;
use crate::syntax::term::TermKind;
use crate::value::NegativeDifference;

/// Evaluates an operation on rational constants.
///
/// Returns `None` unless the graph of the operation would be a constant, which bounds the size of the numbers.
pub(crate) fn fold_constant(constant: Constant, arguments: &[&Rational]) -> Option<Rational> {
    // built as graphs, so that both folders of constants agree by construction
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

/// Evaluates an operation to a real number; `None` if the graph of the operation would not be a constant.
///
/// # Errors
/// [`ReduceError::NaturalOverflow`] and [`ReduceError::BelowZero`]: the machine has already computed all operations that have a
/// value.
pub(super) fn fold_operation(
    constant: Constant,
    arguments: &[ResidualNodeIndex],
    nodes: &[ResidualNode],
) -> Result<Option<Rational>, ReduceError> {
    let leaf =
        |node: ResidualNodeIndex| if let ResidualShape::Leaf(kind, _) = &nodes[node].shape { Some(kind) } else { None };
    let leaves: Vec<Option<&TermKind>> = arguments.iter().map(|&argument| leaf(argument)).collect();
    Ok(match (constant, &leaves[..]) {
        (Constant::ToReal, [Some(TermKind::Nat(n))]) => Some((*n).into()),
        // the machine leaves an operation on two known natural numbers only if its result is none
        (Constant::NaturalDifference, [Some(TermKind::Nat(left)), Some(TermKind::Nat(right))]) => {
            return Err(ReduceError::BelowZero(Box::new(NegativeDifference::from_operands(*left, *right))));
        }
        (_, [Some(TermKind::Nat(_)), Some(TermKind::Nat(_))]) if constant.natural_operation().is_some() => {
            return Err(ReduceError::NaturalOverflow);
        }
        // a derivative with respect to a variable that a constant does not mention
        (Constant::Deriv, [..]) => match arguments.first().map(|&function| &nodes[function].shape) {
            Some(ResidualShape::Lambda(_, body)) if leaf(*body).is_some_and(is_number) => Some(Rational::new()),
            _ => None,
        },
        _ => {
            let number =
                |kind: &Option<&'_ TermKind>| if let Some(TermKind::Real(q)) = kind { Some(q.clone()) } else { None };
            let numbers: Option<Vec<Rational>> = leaves.iter().map(number).collect();
            numbers.and_then(|numbers| fold_constant(constant, &numbers.iter().collect::<Vec<_>>()))
        }
    })
}

/// Returns `true` if a leaf is a real constant, so that a function with this body has the derivative 0.
fn is_number(kind: &TermKind) -> bool {
    matches!(kind, TermKind::Real(_) | TermKind::Constant(Constant::Pi | Constant::E))
}
