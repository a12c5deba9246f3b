//! Dual numbers over the rationals: forward mode for programs of the core language, as an oracle.
//!
//! Independent of [`trace::differentiate`](crate::trace::differentiate), of
//! [`trace::accumulate`](crate::trace::accumulate) and of the slopes in [`function`](crate::function). A program is run
//! on dual numbers, once for each direction.

use crate::number::Rational;
use crate::trace::error::TraceError;
use crate::trace::number::{NumberSystem, Rationals};
use crate::trace::operation::OperationSymbol;
use std::cmp::Ordering;

/// A dual number a + b ε with ε² = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct RationalDual {
    /// The real part a.
    pub value: Rational,
    /// The coefficient b of ε.
    pub slope: Rational,
}

/// The arithmetic of dual numbers with rational parts of limited size.
#[derive(Clone, Copy, Debug, Default)]
pub struct RationalDuals(pub Rationals);

impl NumberSystem for RationalDuals {
    type Number = RationalDual;

    fn represent_rational(&self, q: &Rational) -> RationalDual {
        RationalDual { value: q.clone(), slope: Rational::new() }
    }

    fn add(&self, a: &RationalDual, b: &RationalDual) -> RationalDual {
        RationalDual { value: Rational::from(&a.value + &b.value), slope: Rational::from(&a.slope + &b.slope) }
    }

    fn apply_operation(
        &self,
        operation: &OperationSymbol,
        arguments: &[&RationalDual],
    ) -> Result<RationalDual, TraceError> {
        let values: Vec<&Rational> = arguments.iter().map(|dual| &dual.value).collect();
        // an operation outside its domain fails here, so divisors and bases below are not 0 where they must not be
        let value = self.0.apply_operation(operation, &values)?;
        let slope = match (operation, arguments) {
            (OperationSymbol::Negate, [a]) => Rational::from(-&a.slope),
            (OperationSymbol::Subtract, [a, b]) => Rational::from(&a.slope - &b.slope),
            (OperationSymbol::Multiply, [a, b]) => {
                Rational::from(&a.value * &b.slope) + Rational::from(&a.slope * &b.value)
            }
            // from (a / b)' b = a' - (a / b) b'
            (OperationSymbol::Divide, [a, b]) => (a.slope.clone() - Rational::from(&value * &b.slope)) / &b.value,
            // the slope n xⁿ⁻¹, by repeated multiplication: independent of the power function of the library
            (OperationSymbol::Power(q), [a]) => {
                let (n, base) = (q.numer().to_i32().unwrap_or(0), &a.value);
                let factor = if n < 0 { base.clone().recip() } else { base.clone() };
                let mut power = Rational::from(1);
                (1..n.unsigned_abs()).for_each(|_| power *= &factor);
                // for n < 0 the product is x⁻⁽ⁿ⁻¹⁾ so far; the slope n xⁿ⁻¹ needs two more factors 1/x
                let power = if n < 0 { power * &factor * &factor } else { power };
                power * n * &a.slope
            }
            _ => return Err(TraceError::Stuck { construct: "an operation" }),
        };
        Ok(RationalDual { value, slope })
    }

    fn compare(&self, a: &RationalDual, b: &RationalDual) -> Result<Ordering, Option<i64>> {
        // guards depend on the real part only
        Ok(a.value.cmp(&b.value))
    }
}
