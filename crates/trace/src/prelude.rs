//! What most programs over the crate begin with: `use smoothish_trace::prelude::*;`.

pub use crate::trace::compiled::Compiled;
pub use smoothish_semantics::prelude::*;
