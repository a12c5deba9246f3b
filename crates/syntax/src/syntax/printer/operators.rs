//! Operators between their operands, and the literals that they compare.

use super::terms::Place;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::exact;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

/// How an operator binds: by itself, on its left, on its right.
pub(super) fn operator_place(constant: Constant) -> (Place, Place, Place) {
    match constant {
        Constant::Add | Constant::Subtract => (Place::Sum, Place::Sum, Place::Product),
        Constant::Multiply | Constant::NaturalProduct | Constant::Divide => {
            (Place::Product, Place::Product, Place::Factor)
        }
        Constant::Power | Constant::RealPower | Constant::NaturalPower => (Place::Power, Place::Function, Place::Power),
        _ => (Place::Comparison, Place::Operand, Place::Operand),
    }
}

/// A term that is written as an operator between two operands. What would then be carried out as arithmetic of literals, and is not, is
/// written as an operator in parentheses before its operands.
pub(super) fn as_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
    applied_operator(term).filter(|(constant, _, left, right)| !is_spread(*constant, left, right))
}

/// Whether an operator stands before its operands.
fn is_spread(constant: Constant, left: &Term, right: &Term) -> bool {
    let is_exact = |term: &Term| exact::value(term, &|_| None).is_some();
    match constant {
        Constant::RealPower => is_exact(right),
        _ => constant.equates_reals() && is_exact(left) && is_exact(right),
    }
}

/// The type that is written behind a difference: of natural numbers that stop at 0, which nothing else may say.
pub(crate) fn said_of(term: &Term) -> Option<&Ty> {
    let (Constant::Subtract, ..) = as_operator(term)? else { return None };
    let TermKind::Apply { function, .. } = term.kind() else { return None };
    let TermKind::Apply { function, .. } = function.kind() else { return None };
    let TyKind::Function(of, _) = function.ty().kind() else { return None };
    counts(of).then_some(of)
}

/// Whether there are natural numbers in a type of numbers.
fn counts(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Nat => true,
        TyKind::Tuple(parts) => parts.iter().any(|part| deep(|| counts(part))),
        _ => false,
    }
}

/// A comparison of real numbers that stands before its operands, with them.
pub(super) fn as_spread(term: &Term) -> Option<(Constant, &Term, &Term)> {
    applied_operator(term).and_then(|(constant, _, left, right)| {
        (constant.equates_reals() && is_spread(constant, left, right)).then_some((constant, left, right))
    })
}

/// A term that is an operator at two operands.
fn applied_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
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

/// Whether a comparison is one of real numbers, if only literals are compared. Then the text says so.
pub(crate) fn compared_literals(term: &Term) -> Option<bool> {
    let (constant, _, left, right) = applied_operator(term)?;
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
