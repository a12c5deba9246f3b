//! placeholder
pub struct Magnitude;
