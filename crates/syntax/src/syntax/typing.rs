//! Type checking of terms that no text was parsed for, and types for their parts.

pub use super::infer::core::{TypingError, typed, typed_or_told};
