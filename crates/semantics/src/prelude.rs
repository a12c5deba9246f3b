//! The names that most programs over the crate import: `use smoothish_semantics::prelude::*;`.

pub use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError};
pub use smoothish_spaces::prelude::*;
pub use smoothish_syntax::prelude::*;
