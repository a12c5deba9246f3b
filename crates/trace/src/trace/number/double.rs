//! Doubles: fast and uncertified.

use super::{Arithmetic, Numbers};
use crate::model::answer::Cause;
use crate::number::Rational;
use crate::number::double::{nearest, nearest_planar, nearest_power};
use crate::trace::error::{Obstacle, Undefined};
use crate::trace::operation::Operation;
use std::cmp::Ordering;

/// Floating-point numbers; each operation rounds to nearest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubles;

impl Numbers for Doubles {
    type Number = f64;

    fn rational(&self, q: &Rational) -> f64 {
        q.to_f64()
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn apply(&self, operation: &Operation, arguments: &[&f64]) -> Result<f64, Obstacle> {
        let found = match (operation, arguments) {
            (Operation::Pi, []) => std::f64::consts::PI,
            (Operation::Negate, [a]) => -**a,
            (Operation::Subtract, [a, b]) => **a - **b,
            (Operation::Multiply, [a, b]) => **a * **b,
            (Operation::Divide, [a, b]) => **a / **b,
            (Operation::Power(q), [a]) => match q.is_integer().then(|| q.numer().to_i32()).flatten() {
                Some(n) => a.powi(n),
                // A root of odd degree of a negative number: its sign follows from the parity of the numerator.
                None if **a < 0.0 => {
                    let sign = if q.numer().is_odd() { -1.0 } else { 1.0 };
                    sign * nearest_power(-**a, q.to_f64())
                }
                None => nearest_power(**a, q.to_f64()),
            },
            (Operation::Function(f), [a]) => nearest(*f, **a),
            (Operation::Planar(f), [a, b]) => nearest_planar(*f, **a, **b),
            _ => return Err(Obstacle::Stuck { construct: "an operation" }),
        };
        // NaN marks a point outside of the domain, or ∞ - ∞ after an overflow; neither is certain in doubles.
        if found.is_nan() { Err(Undefined::of(Cause::Undecided, operation).into()) } else { Ok(found) }
    }

    #[inline]
    fn at_once(&self, operation: Arithmetic, a: &f64, b: &f64) -> Option<f64> {
        let found = match operation {
            Arithmetic::Add => a + b,
            Arithmetic::Negate => -a,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide if *b != 0.0 => a / b,
            Arithmetic::Divide => return None,
        };
        (!found.is_nan()).then_some(found)
    }

    #[inline]
    fn is_less_at_once(&self, a: &f64, b: &f64) -> Option<bool> {
        if a < b {
            Some(true)
        } else if a > b {
            Some(false)
        } else {
            None
        }
    }

    fn compare(&self, a: &f64, b: &f64) -> Result<Ordering, Option<i64>> {
        a.partial_cmp(b).ok_or(None)
    }
}
