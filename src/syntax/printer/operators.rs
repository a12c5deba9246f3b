//! Operators between their operands, and the literals that they compare.

use super::terms::Place;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::term::{Term, TermKind};

/// How an operator binds: by itself, on its left, on its right.
pub(super) fn operator_place(constant: Constant) -> (Place, Place, Place) {
    match constant {
        Constant::Add | Constant::Subtract => (Place::Sum, Place::Sum, Place::Product),
        Constant::Multiply | Constant::NaturalProduct | Constant::Divide => {
            (Place::Product, Place::Product, Place::Factor)
        }
        Constant::Power => (Place::Power, Place::Function, Place::Power),
        _ => (Place::Comparison, Place::Operand, Place::Operand),
    }
}

/// A term that is an operator between two operands.
pub(super) fn as_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
    let TermKind::Apply { function, argument: right } = term.kind() else {
        return None;
    };
    let TermKind::Apply { function, argument: left } = function.kind() else {
        return None;
    };
    let TermKind::Constant(constant) = function.kind() else {
        return None;
    };
    Some((*constant, constant.operator()?, left, right))
}

/// Whether a term is written with literals alone, which are natural numbers where they are compared, unless they are subtracted.
fn is_literal(term: &Term) -> bool {
    deep(|| match term.kind() {
        TermKind::Real(value) => value.is_integer() && *value >= 0,
        TermKind::Nat(_) => true,
        TermKind::If { then, otherwise, .. } => is_literal(then) && is_literal(otherwise),
        _ => match as_operator(term) {
            Some((
                Constant::Add | Constant::Subtract | Constant::Multiply | Constant::NaturalProduct,
                _,
                left,
                right,
            )) => is_literal(left) && is_literal(right),
            _ => false,
        },
    })
}

/// Whether a term that is written with literals alone has a subtraction in it.
pub(super) fn subtracts(term: &Term) -> bool {
    deep(|| match term.kind() {
        TermKind::If { then, otherwise, .. } => subtracts(then) || subtracts(otherwise),
        _ => as_operator(term).is_some_and(|(constant, _, left, right)| {
            constant == Constant::Subtract || subtracts(left) || subtracts(right)
        }),
    })
}

/// Whether a comparison is one of real numbers, if only literals are compared. Then the text says so; and where it is one of natural
/// numbers, if they are subtracted.
pub(crate) fn compared_literals(term: &Term) -> Option<bool> {
    let (constant, _, left, right) = as_operator(term)?;
    let real = constant.compares_reals();
    ((real || constant.of_reals().is_some()) && is_literal(left) && is_literal(right)).then_some(real)
}

/// A term that is a negation.
pub(super) fn as_negation(term: &Term) -> Option<&Term> {
    let TermKind::Apply { function, argument } = term.kind() else {
        return None;
    };
    matches!(function.kind(), TermKind::Constant(Constant::Negate)).then_some(argument)
}
