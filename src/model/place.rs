//! Places in programs.

use crate::syntax::source::Span;
use crate::syntax::term::Definition;
use std::sync::Arc;

/// A place in a program: where a constant stands.
#[derive(Clone, Debug)]
pub struct Place {
    /// The definition it stands in; `None` for the program itself.
    pub definition: Option<Arc<Definition>>,
    /// The place in that source.
    pub span: Span,
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.span == other.span
            && match (&self.definition, &other.definition) {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right),
                (None, None) => true,
                _ => false,
            }
    }
}

impl Eq for Place {}
