//! Operators between operands, and the literals that they compare.

use super::terms::TermPrecedence;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::exact;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

/// Returns the precedence of an operator, and those required of its left and its right operand.
pub(super) fn operator_precedence(constant: Constant) -> (TermPrecedence, TermPrecedence, TermPrecedence) {
    match constant {
        Constant::Add | Constant::Subtract => (TermPrecedence::Sum, TermPrecedence::Sum, TermPrecedence::Product),
        Constant::Multiply | Constant::NaturalProduct | Constant::Divide => {
            (TermPrecedence::Product, TermPrecedence::Product, TermPrecedence::Factor)
        }
        Constant::Power | Constant::RealPower | Constant::NaturalPower => {
            (TermPrecedence::Power, TermPrecedence::Function, TermPrecedence::Power)
        }
        // Comparisons do not associate: both operands must bind tighter.
        _ => (TermPrecedence::Comparison, TermPrecedence::Operand, TermPrecedence::Operand),
    }
}

/// Matches a term that is printed as an operator between operands: constant, sign, left and right operand.
///
/// `None` for an operator that the parser would evaluate as exact arithmetic of literals; it is printed before its
/// operands.
pub(super) fn as_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
    applied_operator(term).filter(|(constant, _, left, right)| !is_printed_prefix(*constant, left, right))
}

/// Returns `true` if an operator is printed before its operands.
fn is_printed_prefix(constant: Constant, left: &Term, right: &Term) -> bool {
    // Between exact operands the parser would replace `a == b` by its truth value, and `x ^ 2` by a constant exponent.
    let is_exact = |term: &Term| exact::exact_value(term, &|_| None).is_some();
    match constant {
        Constant::RealPower => is_exact(right),
        _ => constant.equates_reals() && is_exact(left) && is_exact(right),
    }
}

/// Returns the type that is printed after a difference of natural numbers that stops at 0. `None` for all other terms.
/// Without this type the text would mean a difference that is refused below 0.
pub(crate) fn ascribed_type(term: &Term) -> Option<&Ty> {
    // Differences that are refused below 0 are another constant, which needs no type.
    let (Constant::Subtract, ..) = as_operator(term)? else { return None };
    let TermKind::Apply { function, .. } = term.kind() else { return None };
    let TermKind::Apply { function, .. } = function.kind() else { return None };
    let TyKind::Function(of, _) = function.ty().kind() else { return None };
    contains_naturals(of).then_some(of)
}

/// Returns `true` if a type of numbers contains `Nat`.
fn contains_naturals(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Nat => true,
        TyKind::Tuple(parts) => parts.iter().any(|part| with_stack(|| contains_naturals(part))),
        _ => false,
    }
}

/// Matches a comparison of reals that is printed before its operands. `None` for other terms.
pub(super) fn as_prefix_comparison(term: &Term) -> Option<(Constant, &Term, &Term)> {
    applied_operator(term).and_then(|(constant, _, left, right)| {
        (constant.equates_reals() && is_printed_prefix(constant, left, right)).then_some((constant, left, right))
    })
}

/// Matches an operator applied to two operands. `None` for other terms.
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
    Some((*constant, constant.operator_sign()?, left, right))
}

/// Returns `true` if a term is printed with literals alone. They are read as natural numbers where they are compared,
/// unless they are subtracted.
fn is_literal(term: &Term) -> bool {
    with_stack(|| match term.kind() {
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

/// Returns `true` for a comparison of literals as reals, `false` for one as naturals, `None` for other terms. The text
/// then writes the type.
pub(crate) fn compares_literals_as_reals(term: &Term) -> Option<bool> {
    let (constant, _, left, right) = applied_operator(term)?;
    let real = constant.compares_reals();
    ((real || constant.real_comparison().is_some()) && is_literal(left) && is_literal(right)).then_some(real)
}

/// Returns the operand of a negation. `None` for other terms.
pub(super) fn as_negation(term: &Term) -> Option<&Term> {
    let TermKind::Apply { function, argument } = term.kind() else {
        return None;
    };
    matches!(function.kind(), TermKind::Constant(Constant::Negate)).then_some(argument)
}
