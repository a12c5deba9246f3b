//! The imports of most programs that use this crate: `use smoothish_theory::prelude::*;`.

pub use crate::theory::texts::TheoryTexts;
pub use smoothish_syntax::prelude::*;

/// The earlier name of [`TheoryTexts`].
#[deprecated(since = "0.2.0", note = "renamed to `TheoryTexts`")]
pub type Texts = TheoryTexts;
