//! What can be wrong with the text of a theory.

use crate::refs;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::name::{Name, nearest};
use crate::syntax::report;
use crate::syntax::source::{Source, Span};
use std::sync::Arc;
use thiserror::Error;

/// The text of a theory that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// Its form, its names or its types.
    #[error("{error}")]
    Program {
        /// The text.
        source_text: Arc<Source>,
        /// What is wrong with it.
        error: Box<ProgramError>,
    },
    /// It cites a text that is not in the bibliography.
    #[error("no text is cited as `{key}`")]
    Citation {
        /// The key.
        key: Name,
        /// The text of the theory.
        source_text: Arc<Source>,
        /// Where.
        span: Span,
    },
    /// It extends a theory that does not exist.
    #[error("there is no theory `{name}`")]
    Unknown {
        /// The theory that does not exist.
        name: Name,
        /// A theory of a similar name.
        suggestion: Option<Name>,
        /// The text.
        source_text: Arc<Source>,
        /// Where.
        span: Span,
    },
    /// Two theories have the same name.
    #[error("the theory `{name}` is defined twice, in {first} and here")]
    Twice {
        /// The name.
        name: Name,
        /// The name of the first text.
        first: String,
        /// The second text.
        source_text: Arc<Source>,
        /// Where in it.
        span: Span,
    },
    /// Theories extend each other in a circle.
    #[error("theories extend each other in a circle: {}", path.join(" extends "))]
    Cycle {
        /// The circle, its first theory also at the end.
        path: Vec<Name>,
        /// The text of the first.
        source_text: Arc<Source>,
        /// Where.
        span: Span,
    },
}

impl TextError {
    /// The error of a program in the text of a theory.
    pub fn program(source: &Arc<Source>, error: impl Into<ProgramError>) -> Self {
        Self::Program { source_text: source.clone(), error: Box::new(error.into()) }
    }

    /// The error as it is shown, with its place in the source.
    pub fn render(&self) -> String {
        match self {
            TextError::Program { source_text, error } => report::render(source_text, error),
            TextError::Citation { key, source_text, span } => {
                let near = nearest(key, refs::ALL.iter().map(|reference| reference.key));
                let near = near.map(|near| format!("did you mean `{near}`?"));
                let help = near.unwrap_or_else(|| "texts are cited by authors and year, as in Sherman2021".to_owned());
                report::render_message(source_text, &self.to_string(), *span, Some(help))
            }
            TextError::Unknown { suggestion, source_text, span, .. } => {
                let help = suggestion.as_ref().map(|name| format!("did you mean `{name}`?"));
                report::render_message(source_text, &self.to_string(), *span, help)
            }
            TextError::Twice { source_text, span, .. } | TextError::Cycle { source_text, span, .. } => {
                report::render_message(source_text, &self.to_string(), *span, None)
            }
        }
    }
}
