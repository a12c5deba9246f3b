//! Rational numbers: comparisons are all decided; the elementary functions are missing.

use super::NumberSystem;
use crate::model::answer::UndefinedCause;
use crate::number::Rational;
use crate::trace::error::{TraceError, UndefinedValue};
use crate::trace::operation::OperationSymbol;
use std::cmp::Ordering;

/// Rational numbers whose numerator and denominator have a bounded number of bits.
#[derive(Clone, Copy, Debug)]
pub struct Rationals {
    /// The largest number of bits of a numerator or denominator. The default 2¹⁶ is a choice: it bounds time per
    /// operation.
    pub max_bits: u32,
}

impl Default for Rationals {
    fn default() -> Self {
        Rationals { max_bits: 1 << 16 }
    }
}

impl Rationals {
    /// Checks the number of bits of a result.
    fn check_bits(self, q: Rational) -> Result<Rational, TraceError> {
        if q.numer().significant_bits().max(q.denom().significant_bits()) <= self.max_bits {
            return Ok(q);
        }
        let what = format!("a rational number grew beyond {} bits", self.max_bits);
        Err(UndefinedValue::of_operation(UndefinedCause::Fuel, what).into())
    }
}

impl NumberSystem for Rationals {
    type Number = Rational;

    fn represent_rational(&self, q: &Rational) -> Rational {
        q.clone()
    }

    fn add(&self, a: &Rational, b: &Rational) -> Rational {
        Rational::from(a + b)
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&Rational]) -> Result<Rational, TraceError> {
        let found = match (operation, arguments) {
            (OperationSymbol::Negate, [a]) => Rational::from(-*a),
            (OperationSymbol::Subtract, [a, b]) => Rational::from(*a - *b),
            (OperationSymbol::Multiply, [a, b]) => Rational::from(*a * *b),
            (OperationSymbol::Divide, [a, b]) => Rational::from(*a / *b),
            (OperationSymbol::Power(q), [a]) if q.is_integer() => match q.numer().to_i32() {
                // aⁿ has n times the bits of a, or down to half as many (a = 2), so the bound is doubled.
                Some(n)
                    if u64::from(a.numer().significant_bits().max(a.denom().significant_bits()))
                        * u64::from(n.unsigned_abs())
                        <= 2 * u64::from(self.max_bits) =>
                {
                    integer_power(a, n)
                }
                // Too large to be computed: a number of too many bits stands for it, which gives the same error.
                _ => return self.check_bits(Rational::from(1) << self.max_bits),
            },
            _ => {
                return Err(TraceError::MissingOperation {
                    numbers: "rational numbers",
                    operation: operation.to_string(),
                });
            }
        };
        self.check_bits(found)
    }

    fn compare(&self, a: &Rational, b: &Rational) -> Result<Ordering, Option<i64>> {
        Ok(a.cmp(b))
    }

    fn exact_rational(&self, number: &Rational) -> Option<Rational> {
        Some(number.clone())
    }
}

/// Returns aⁿ, by repeated squaring. If n is negative, a must not be 0.
fn integer_power(a: &Rational, n: i32) -> Rational {
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
