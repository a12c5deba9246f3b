//! What most programs over the crate begin with: `use smoothish_theory::prelude::*;`.

pub use crate::theory::texts::Texts;
pub use smoothish_syntax::prelude::*;
