//! Interval extensions that are given from outside the library.

use super::double::Double;
use super::interval::Interval;
use super::mpfr::Mpfr;
use rug::Float;

/// A function `ℝⁿ → ℝ` with interval extensions at every precision: the value of a primitive.
///
/// An implementation must satisfy the [laws of a context](super::context) for an operation. The true image of the inputs lies in
/// the output, and the output is marked as defined only if the function is defined and continuous on all of them.
///
/// The number of inputs is the number of arguments of the primitive: a primitive that is registered as a `Map<U1, U1>` gives its
/// extension one.
///
/// # Panics
/// A panic of an implementation is not caught: one that reads `inputs[1]` of a primitive of one argument panics where the
/// primitive is registered, as it is tried there.
pub trait Extension: Send + Sync {
    /// Evaluates the function in `f64`.
    fn eval_double(&self, context: &Double, inputs: &[Interval<f64>]) -> Interval<f64>;
    /// Evaluates the function in MPFR.
    fn eval_mpfr(&self, context: &Mpfr, inputs: &[Interval<Float>]) -> Interval<Float>;
}
