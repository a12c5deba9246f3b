//! The imports of most programs that use the crate: `use smoothish_trace::prelude::*;`.

pub use crate::trace::compiled::CompiledProgram;
pub use smoothish_semantics::prelude::*;

/// The earlier name of [`CompiledProgram`].
#[deprecated(since = "0.2.0", note = "renamed to `CompiledProgram`")]
pub type Compiled = CompiledProgram;
