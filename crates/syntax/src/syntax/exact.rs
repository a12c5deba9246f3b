//! Arithmetic of literals, carried out: `3^2` is 9, and `0.1 + 0.2` is 0.3.
//!
//! An exponent is a constant where it is one as it is written, so that a power of a negative number, and its derivative, are those of
//! the literal in every model; and two such numbers are compared exactly. What a model takes for a literal by itself is left as it stands.

use super::constant::Constant;
use super::term::{Term, TermKind};
use crate::number::Rational;
use crate::stack::deep;

/// The most parts that such a number has.
const PARTS: usize = 64;
/// The most digits, in base 2, of a numerator or denominator on the way.
const BITS: u32 = 64;

/// The number that a term is, where it is a sum, a difference, a product, a quotient or a whole power of literals, of variables that stand
/// for such numbers, and of definitions that are such numbers. `None` for everything else, and for what is large.
#[doc(hidden)]
pub fn value(term: &Term, variable: &dyn Fn(usize) -> Option<Rational>) -> Option<Rational> {
    Walk { parts: 0, variable }.value(term)
}

/// Whether models see a literal: one, or its opposite, or a quotient of two.
pub(crate) fn is_written(term: &Term) -> bool {
    match term.kind() {
        TermKind::Real(_) | TermKind::Nat(_) => true,
        _ => match operation(term) {
            Some((Constant::Negate, [inner, _])) => deep(|| is_written(inner)),
            Some((Constant::Divide, [left, right])) => deep(|| is_written(left) && is_written(right)),
            _ => false,
        },
    }
}

/// Whether arithmetic of literals has a subtraction in it.
pub(crate) fn subtracts(term: &Term) -> bool {
    deep(|| match operation(term) {
        Some((Constant::Subtract, _)) => true,
        Some((_, [left, right])) => subtracts(left) || subtracts(right),
        None => false,
    })
}

/// A constant at its arguments; at one, which then stands twice.
fn operation(term: &Term) -> Option<(Constant, [&Term; 2])> {
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

struct Walk<'a> {
    parts: usize,
    variable: &'a dyn Fn(usize) -> Option<Rational>,
}

impl Walk<'_> {
    fn value(&mut self, term: &Term) -> Option<Rational> {
        self.parts += 1;
        if self.parts > PARTS {
            return None;
        }
        let value = match term.kind() {
            TermKind::Real(value) => value.clone(),
            TermKind::Variable { index, .. } => (self.variable)(*index)?,
            TermKind::Global(definition) => {
                let mut inner = Walk { parts: self.parts, variable: &|_| None };
                let value = deep(|| inner.value(&definition.term));
                self.parts = inner.parts;
                value?
            }
            _ => {
                let (constant, [left, right]) = operation(term)?;
                let left = deep(|| self.value(left))?;
                if constant == Constant::Negate {
                    return Some(-left);
                }
                let right = deep(|| self.value(right))?;
                match constant {
                    Constant::Add => left + right,
                    Constant::Subtract => left - right,
                    Constant::Multiply => left * right,
                    Constant::Divide if !right.is_zero() => left / right,
                    Constant::Power => power(left, &right)?,
                    _ => return None,
                }
            }
        };
        is_small(&value).then_some(value)
    }
}

/// A whole power, and none of 0 but positive ones.
fn power(base: Rational, exponent: &Rational) -> Option<Rational> {
    let exponent = exponent.is_integer().then(|| exponent.numer().to_i32()).flatten()?;
    let bits = base.numer().significant_bits().max(base.denom().significant_bits());
    // each factor but 1 doubles at least
    let is_small = bits <= 1 || exponent.unsigned_abs() <= BITS;
    if !is_small || base.is_zero() && exponent <= 0 {
        return None;
    }
    let base = if exponent < 0 { base.recip() } else { base };
    // by squares: what is not small has at most 1 for a base
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
    value.numer().significant_bits() <= BITS && value.denom().significant_bits() <= BITS
}
