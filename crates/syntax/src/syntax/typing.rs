//! Type checking of terms that no text was parsed for, and types for their parts.

pub use super::infer::core::{TypingError, check_term, check_term_with_hints};
