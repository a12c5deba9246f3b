//! The imports of most programs that use the crate: `use smoothish_trace::prelude::*;`.

pub use crate::trace::compiled::CompiledProgram;
pub use smoothish_semantics::prelude::*;
