//! The names that most programs over the crate import: `use smoothish_semantics::prelude::*;`.

pub use crate::model::answer::{Answer, Meaning, MeaningError};
pub use smoothish_spaces::prelude::*;
pub use smoothish_syntax::prelude::*;
