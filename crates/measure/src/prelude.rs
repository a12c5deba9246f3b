//! What most programs over the crate begin with: `use smoothish_measure::prelude::*;`.

pub use smoothish_semantics::prelude::*;
