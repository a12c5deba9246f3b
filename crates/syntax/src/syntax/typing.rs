//! The types of programs that were made, not read: whether a finished term has a type, and what its typed have.

pub use super::infer::core::{TypingError, typed, typed_or_told};
