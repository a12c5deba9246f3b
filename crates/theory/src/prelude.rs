//! The imports of most programs that use this crate: `use smoothish_theory::prelude::*;`.

pub use crate::theory::texts::TheoryTexts;
pub use smoothish_syntax::prelude::*;
