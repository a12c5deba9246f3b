//! The imports that most programs over the crate begin with: `use smoothish_spaces::prelude::*;`.

pub use crate::value::Value;
pub use smoothish_ad::prelude::*;
