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

impl Place {
    /// What has to be so where it stands; `None` where its definition says nothing of that.
    ///
    /// A definition of a theory that has no value elsewhere says so in its comment: "The rate of poisson has to be > 0."
    #[must_use]
    pub fn demand(&self) -> Option<String> {
        let doc = self.definition.as_ref().map(|definition| definition.doc.split_whitespace().collect::<Vec<_>>())?;
        let doc = doc.join(" ");
        let text = doc.trim_end_matches('.');
        let first = text.chars().next().filter(|_| text.contains(DEMANDS))?;
        Some(first.to_lowercase().chain(text.chars().skip(1)).collect())
    }
}

/// The words by which a comment says what has to be so.
const DEMANDS: &str = " has to be ";

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
