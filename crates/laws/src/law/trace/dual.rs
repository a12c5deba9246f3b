//! Dual numbers over the rationals: forward mode, for programs of the core language.
//!
//! Independent of [`trace::differentiate`](crate::trace::differentiate), of [`trace::accumulate`](crate::trace::accumulate) and of
//! the slopes in [`function`](crate::function): a program is run once for each direction, on pairs.

use crate::number::Rational;
use crate::trace::error::Obstacle;
use crate::trace::number::{Numbers, Rationals};
use crate::trace::operation::Operation;
use std::cmp::Ordering;

/// a + b ε with ε² = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Dual {
    /// a
    pub value: Rational,
    /// b
    pub slope: Rational,
}

/// Dual numbers whose parts are not too long.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duals(pub Rationals);

impl Numbers for Duals {
    type Number = Dual;

    fn rational(&self, q: &Rational) -> Dual {
        Dual { value: q.clone(), slope: Rational::new() }
    }

    fn add(&self, a: &Dual, b: &Dual) -> Dual {
        Dual { value: Rational::from(&a.value + &b.value), slope: Rational::from(&a.slope + &b.slope) }
    }

    fn apply(&self, operation: &Operation, arguments: &[&Dual]) -> Result<Dual, Obstacle> {
        let values: Vec<&Rational> = arguments.iter().map(|dual| &dual.value).collect();
        let value = self.0.apply(operation, &values)?;
        let slope = match (operation, arguments) {
            (Operation::Negate, [a]) => Rational::from(-&a.slope),
            (Operation::Subtract, [a, b]) => Rational::from(&a.slope - &b.slope),
            (Operation::Multiply, [a, b]) => Rational::from(&a.value * &b.slope) + Rational::from(&a.slope * &b.value),
            // (a / b)' b = a' - (a / b) b'
            (Operation::Divide, [a, b]) => (a.slope.clone() - Rational::from(&value * &b.slope)) / &b.value,
            // xⁿ, one factor after the other
            (Operation::Power(q), [a]) => {
                let (n, base) = (q.numer().to_i32().unwrap_or(0), &a.value);
                let factor = if n < 0 { base.clone().recip() } else { base.clone() };
                let mut power = Rational::from(1);
                (1..n.unsigned_abs()).for_each(|_| power *= &factor);
                // x⁻ⁿ has the slope -n x⁻ⁿ⁻¹
                let power = if n < 0 { power * &factor * &factor } else { power };
                power * n * &a.slope
            }
            _ => return Err(Obstacle::Stuck { construct: "an operation" }),
        };
        Ok(Dual { value, slope })
    }

    fn compare(&self, a: &Dual, b: &Dual) -> Result<Ordering, Option<i64>> {
        Ok(a.value.cmp(&b.value))
    }
}
