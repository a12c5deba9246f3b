//! Interval extensions given from outside.

use super::double::Double;
use super::interval::Interval;
use super::mpfr::Mpfr;
use rug::Float;

/// A function `ℝⁿ → ℝ` that every tier can compute: the value of a primitive.
///
/// An implementation promises what the [laws of a context](super::context) ask of an operation: the true image of the
/// inputs lies in the output, and the output is marked as defined only where the function is defined and continuous on
/// all of them.
///
/// There are as many inputs as the primitive takes arguments: a primitive that is registered as a `Map<U1, U1>` gives its
/// extension one.
///
/// # Panics
/// A panic of an implementation is not caught: one that reads `inputs[1]` of a primitive of one argument panics where the
/// primitive is registered, as it is tried there.
pub trait Extension: Send + Sync {
    /// In the `f64` tier.
    fn double(&self, context: &Double, inputs: &[Interval<f64>]) -> Interval<f64>;
    /// In the MPFR tier.
    fn mpfr(&self, context: &Mpfr, inputs: &[Interval<Float>]) -> Interval<Float>;
}
