//! Positions in the source of a program.

use crate::syntax::source::Span;
use crate::syntax::term::Definition;
use std::sync::Arc;

/// A position in a program: the definition and the span of a constant.
#[derive(Clone, Debug)]
pub struct Place {
    /// The definition that contains it; `None` for the program itself.
    pub definition: Option<Arc<Definition>>,
    /// The span in that source.
    pub span: Span,
}

impl Place {
    /// Returns what the definition at this place requires of its arguments; `None` if its comment states no requirement.
    ///
    /// A definition of a theory that is partial says so in its comment: "The rate of poisson has to be > 0."
    #[must_use]
    pub fn demand(&self) -> Option<String> {
        let doc = self.definition.as_ref().map(|definition| definition.doc.split_whitespace().collect::<Vec<_>>())?;
        let doc = doc.join(" ");
        let text = doc.trim_end_matches('.');
        let first = text.chars().next().filter(|_| text.contains(DEMANDS))?;
        Some(first.to_lowercase().chain(text.chars().skip(1)).collect())
    }
}

/// The words by which a comment states a requirement; a convention of the theory files.
const DEMANDS: &str = " has to be ";

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.span == other.span
            // by address: definitions are shared, and their spans mean nothing without the source
            && match (&self.definition, &other.definition) {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right),
                (None, None) => true,
                _ => false,
            }
    }
}

impl Eq for Place {}
