//! placeholder
pub struct Enclosure;
