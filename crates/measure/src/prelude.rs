//! The imports of most programs that use the crate: `use smoothish_measure::prelude::*;`.

pub use smoothish_semantics::prelude::*;
