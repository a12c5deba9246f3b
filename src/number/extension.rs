//! Interval extensions given from outside.

use super::double::{Double, Interval};
use super::mpfr::{Mpfr, MpfrInterval};

/// A function `ℝⁿ → ℝ` that every tier can compute: the value of a primitive.
///
/// An implementation promises what the [laws of a context](super::context) ask of an operation: the true image of the
/// inputs lies in the output, and the output is marked as defined only where the function is defined and continuous on
/// all of them.
pub trait Extension: Send + Sync {
    /// In the `f64` tier.
    fn double(&self, context: &Double, inputs: &[Interval]) -> Interval;
    /// In the MPFR tier.
    fn mpfr(&self, context: &Mpfr, inputs: &[MpfrInterval]) -> MpfrInterval;
}
