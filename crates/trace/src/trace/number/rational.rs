//! Rational numbers: comparisons are all decided; the elementary functions are missing.

use super::Numbers;
use crate::model::answer::Cause;
use crate::number::Rational;
use crate::trace::error::{Obstacle, Undefined};
use crate::trace::operation::Operation;
use std::cmp::Ordering;

/// Rational numbers whose numerator and denominator have a bounded number of bits.
#[derive(Clone, Copy, Debug)]
pub struct Rationals {
    /// The largest number of bits of a numerator or denominator. The default 2¹⁶ is a choice: it bounds time per
    /// operation.
    pub bits: u32,
}

impl Default for Rationals {
    fn default() -> Self {
        Rationals { bits: 1 << 16 }
    }
}

impl Rationals {
    /// Checks the number of bits of a result.
    fn short(self, q: Rational) -> Result<Rational, Obstacle> {
        if q.numer().significant_bits().max(q.denom().significant_bits()) <= self.bits {
            return Ok(q);
        }
        let what = format!("a rational number grew beyond {} bits", self.bits);
        Err(Undefined::of(Cause::Fuel, what).into())
    }
}

impl Numbers for Rationals {
    type Number = Rational;

    fn rational(&self, q: &Rational) -> Rational {
        q.clone()
    }

    fn add(&self, a: &Rational, b: &Rational) -> Rational {
        Rational::from(a + b)
    }

    fn apply(&self, operation: &Operation, arguments: &[&Rational]) -> Result<Rational, Obstacle> {
        let found = match (operation, arguments) {
            (Operation::Negate, [a]) => Rational::from(-*a),
            (Operation::Subtract, [a, b]) => Rational::from(*a - *b),
            (Operation::Multiply, [a, b]) => Rational::from(*a * *b),
            (Operation::Divide, [a, b]) => Rational::from(*a / *b),
            (Operation::Power(q), [a]) if q.is_integer() => match q.numer().to_i32() {
                // aⁿ has n times the bits of a, or down to half as many (a = 2), so the bound is doubled.
                Some(n)
                    if u64::from(a.numer().significant_bits().max(a.denom().significant_bits()))
                        * u64::from(n.unsigned_abs())
                        <= 2 * u64::from(self.bits) =>
                {
                    power(a, n)
                }
                // Too large to be computed: a number of too many bits stands for it, which gives the same error.
                _ => return self.short(Rational::from(1) << self.bits),
            },
            _ => return Err(Obstacle::Lacks { numbers: "rational numbers", operation: operation.to_string() }),
        };
        self.short(found)
    }

    fn compare(&self, a: &Rational, b: &Rational) -> Result<Ordering, Option<i64>> {
        Ok(a.cmp(b))
    }

    fn exactly(&self, number: &Rational) -> Option<Rational> {
        Some(number.clone())
    }
}

/// Returns aⁿ, by repeated squaring. If n is negative, a must not be 0.
fn power(a: &Rational, n: i32) -> Rational {
    let mut square = if n < 0 { a.clone().recip() } else { a.clone() };
    let (mut product, mut rest) = (Rational::from(1), n.unsigned_abs());
    while rest > 0 {
        if rest % 2 == 1 {
            product *= &square;
        }
        rest /= 2;
        // The last square is not needed, and is the most expensive.
        if rest > 0 {
            square.square_mut();
        }
    }
    product
}
