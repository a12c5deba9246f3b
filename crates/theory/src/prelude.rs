//! The imports of most programs that use this crate: `use smoothish_theory::prelude::*;`.

pub use crate::theory::texts::Texts;
pub use smoothish_syntax::prelude::*;
