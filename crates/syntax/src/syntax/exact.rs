//! Exact arithmetic of literals: `3^2` is 9, and `0.1 + 0.2` is 0.3.
//!
//! An exponent written as arithmetic of literals is a constant exponent. A power of a negative number, and its
//! derivative, are then those of the literal in every model. Two such numbers are compared exactly. Numbers that a
//! model reads as literals by itself stay as they are.

use super::constant::Constant;
use super::term::{Term, TermKind};
use crate::number::Rational;
use crate::stack::with_stack;

/// The largest number of parts of such a number. A choice: a written constant has a few, and evaluation stays cheap.
const MAX_PARTS: usize = 64;
/// The largest number of bits of a numerator or denominator, of intermediate values too. A choice, one machine word.
const MAX_BITS: u32 = 64;

/// Returns the exact value of a term of literals with `+`, `-`, `*`, `/` and integer powers. Variables and definitions
/// that stand for such numbers may occur. `None` for any other term, and above the limits.
#[doc(hidden)]
pub fn exact_value(term: &Term, variable: &dyn Fn(usize) -> Option<Rational>) -> Option<Rational> {
    ExactEvaluator { parts: 0, variable }.evaluate_term(term)
}

/// Returns `true` if models read the term as a literal: a number, the negation of one, or a quotient of two.
pub(crate) fn is_literal_form(term: &Term) -> bool {
    match term.kind() {
        TermKind::Real(_) | TermKind::Nat(_) => true,
        _ => match applied_operation(term) {
            Some((Constant::Negate, [inner, _])) => with_stack(|| is_literal_form(inner)),
            Some((Constant::Divide, [left, right])) => with_stack(|| is_literal_form(left) && is_literal_form(right)),
            _ => false,
        },
    }
}

/// Returns `true` if arithmetic of literals contains a subtraction.
pub(crate) fn contains_subtraction(term: &Term) -> bool {
    with_stack(|| match applied_operation(term) {
        Some((Constant::Subtract, _)) => true,
        Some((_, [left, right])) => contains_subtraction(left) || contains_subtraction(right),
        None => false,
    })
}

/// Matches a constant applied to all its arguments, one or two. A single argument is returned twice. `None` for other
/// terms.
fn applied_operation(term: &Term) -> Option<(Constant, [&Term; 2])> {
    let TermKind::Apply { function, argument: last } = term.kind() else { return None };
    match function.kind() {
        TermKind::Constant(constant) if constant.arity() == 1 => Some((*constant, [last, last])),
        TermKind::Apply { function, argument: first } => match function.kind() {
            TermKind::Constant(constant) if constant.arity() == 2 => Some((*constant, [first, last])),
            _ => None,
        },
        _ => None,
    }
}

struct ExactEvaluator<'a> {
    parts: usize,
    variable: &'a dyn Fn(usize) -> Option<Rational>,
}

impl ExactEvaluator<'_> {
    fn evaluate_term(&mut self, term: &Term) -> Option<Rational> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let value = match term.kind() {
            TermKind::Real(value) => value.clone(),
            TermKind::Variable { index, .. } => (self.variable)(*index)?,
            TermKind::Global(definition) => {
                // A definition is closed, so no variable has a value in it. Its parts count towards the limit of the
                // whole.
                let mut inner = ExactEvaluator { parts: self.parts, variable: &|_| None };
                let value = with_stack(|| inner.evaluate_term(&definition.term));
                self.parts = inner.parts;
                value?
            }
            _ => {
                let (constant, [left, right]) = applied_operation(term)?;
                let left = with_stack(|| self.evaluate_term(left))?;
                if constant == Constant::Negate {
                    // The negation of a small number is small.
                    return Some(-left);
                }
                let right = with_stack(|| self.evaluate_term(right))?;
                match constant {
                    Constant::Add => left + right,
                    Constant::Subtract => left - right,
                    Constant::Multiply => left * right,
                    Constant::Divide if !right.is_zero() => left / right,
                    Constant::Power => integer_power(left, &right)?,
                    _ => return None,
                }
            }
        };
        is_small(&value).then_some(value)
    }
}

/// Returns an integer power. `None` for another exponent, for a power of 0 that is not positive, and above the limits.
fn integer_power(base: Rational, exponent: &Rational) -> Option<Rational> {
    let exponent = exponent.is_integer().then(|| exponent.numer().to_i32()).flatten()?;
    let bits = base.numer().significant_bits().max(base.denom().significant_bits());
    // The numerator or the denominator is at least 2 and doubles with each factor: more than `MAX_BITS` factors cannot be
    // small.
    let is_small = bits <= 1 || exponent.unsigned_abs() <= MAX_BITS;
    if !is_small || base.is_zero() && exponent <= 0 {
        return None;
    }
    let base = if exponent < 0 { base.recip() } else { base };
    // Repeated squaring: an exponent above `MAX_BITS` has the base 0, 1 or -1, whose powers stay small.
    let (mut power, mut square, mut left) = (Rational::from(1), base, exponent.unsigned_abs());
    while left > 0 {
        if left % 2 == 1 {
            power *= &square;
        }
        left /= 2;
        if left > 0 {
            square = square.clone() * &square;
        }
    }
    Some(power)
}

fn is_small(value: &Rational) -> bool {
    value.numer().significant_bits() <= MAX_BITS && value.denom().significant_bits() <= MAX_BITS
}
