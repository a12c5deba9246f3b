//! What most programs over the crate begin with: `use smoothish_semantics::prelude::*;`.

pub use crate::model::answer::{Answer, Meaning, MeaningError};
pub use smoothish_spaces::prelude::*;
pub use smoothish_syntax::prelude::*;
