//! Programs whose steps are rounded, and bounds of what rounding does to their values.

use super::FloatFormat;
use crate::meaning::pap::steps::StraightLineProgram;
use std::sync::Arc;

/// How the value of a step is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepRounding {
    /// The format to which it is rounded.
    pub format: FloatFormat,
    /// The number of unit roundoffs by which the value may be off. `None` for that of the operation.
    pub units: Option<u32>,
}

/// A list of steps, with the formats to which a program of floating-point numbers rounds them.
#[derive(Clone, Debug, Default)]
pub struct RoundedProgram {
    /// The steps.
    pub steps: StraightLineProgram,
    /// The steps that are the values.
    pub outputs: Vec<usize>,
    /// For each step how it is rounded; `None` for a step that is exact.
    pub roundings: Vec<Option<StepRounding>>,
    /// For each step where it stands in its source. Empty if no places are known.
    pub places: Vec<Option<Arc<str>>>,
}
