//! Positions in the source of a program.

use crate::syntax::source::Span;
use crate::syntax::term::Definition;
use std::sync::Arc;

/// A position in a program: the definition and the span of a constant.
#[derive(Clone, Debug)]
pub struct SourceLocation {
    /// The definition that contains it; `None` for the program itself.
    pub definition: Option<Arc<Definition>>,
    /// The span in that source.
    pub span: Span,
}

impl SourceLocation {
    /// Returns what the definition at this place requires of its arguments; `None` if its comment states no requirement.
    ///
    /// A definition of a theory that is partial says so in its comment: "The rate of poisson has to be > 0."
    #[must_use]
    pub fn stated_requirement(&self) -> Option<String> {
        let doc = self.definition.as_ref().map(|definition| definition.doc.split_whitespace().collect::<Vec<_>>())?;
        let doc = doc.join(" ");
        let text = doc.trim_end_matches('.');
        let first = text.chars().next().filter(|_| text.contains(REQUIREMENT_WORDS))?;
        Some(first.to_lowercase().chain(text.chars().skip(1)).collect())
    }
}

/// The words by which a comment states a requirement; a convention of the theory files.
const REQUIREMENT_WORDS: &str = " has to be ";

impl PartialEq for SourceLocation {
    fn eq(&self, other: &SourceLocation) -> bool {
        self.span == other.span
            // by address: definitions are shared, and their spans mean nothing without the source
            && match (&self.definition, &other.definition) {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right),
                (None, None) => true,
                _ => false,
            }
    }
}

impl Eq for SourceLocation {}
