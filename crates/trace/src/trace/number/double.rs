//! Doubles: fast and uncertified.

use super::{FastOperation, NumberSystem};
use crate::model::answer::UndefinedCause;
use crate::number::Rational;
use crate::number::double::{eval_binary_nearest, eval_nearest, eval_power_nearest};
use crate::trace::error::{TraceError, UndefinedValue};
use crate::trace::operation::OperationSymbol;
use std::cmp::Ordering;

/// Floating-point numbers; each operation rounds to nearest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubles;

impl NumberSystem for Doubles {
    type Number = f64;

    fn represent_rational(&self, q: &Rational) -> f64 {
        q.to_f64()
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&f64]) -> Result<f64, TraceError> {
        let found = match (operation, arguments) {
            (OperationSymbol::Pi, []) => std::f64::consts::PI,
            (OperationSymbol::Negate, [a]) => -**a,
            (OperationSymbol::Subtract, [a, b]) => **a - **b,
            (OperationSymbol::Multiply, [a, b]) => **a * **b,
            (OperationSymbol::Divide, [a, b]) => **a / **b,
            (OperationSymbol::Power(q), [a]) => match q.is_integer().then(|| q.numer().to_i32()).flatten() {
                Some(n) => a.powi(n),
                // A root of odd degree of a negative number: its sign follows from the parity of the numerator.
                None if **a < 0.0 => {
                    let sign = if q.numer().is_odd() { -1.0 } else { 1.0 };
                    sign * eval_power_nearest(-**a, q.to_f64())
                }
                None => eval_power_nearest(**a, q.to_f64()),
            },
            (OperationSymbol::Function(f), [a]) => eval_nearest(*f, **a),
            (OperationSymbol::BinaryFunction(f), [a, b]) => eval_binary_nearest(*f, **a, **b),
            _ => return Err(TraceError::Stuck { construct: "an operation" }),
        };
        // NaN marks a point outside of the domain, or ∞ - ∞ after an overflow; neither is certain in doubles.
        if found.is_nan() {
            Err(UndefinedValue::of_operation(UndefinedCause::Undecided, operation).into())
        } else {
            Ok(found)
        }
    }

    #[inline]
    fn apply_fast(&self, operation: FastOperation, a: &f64, b: &f64) -> Option<f64> {
        let found = match operation {
            FastOperation::Add => a + b,
            FastOperation::Negate => -a,
            FastOperation::Subtract => a - b,
            FastOperation::Multiply => a * b,
            FastOperation::Divide if *b != 0.0 => a / b,
            FastOperation::Divide => return None,
        };
        (!found.is_nan()).then_some(found)
    }

    #[inline]
    fn is_less_fast(&self, a: &f64, b: &f64) -> Option<bool> {
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
