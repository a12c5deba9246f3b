//! The errors of the text of a theory.

use crate::refs;
use crate::syntax::library::ProgramError;
use crate::syntax::name::{Name, nearest_name};
use crate::syntax::report;
use crate::syntax::source::{SourceText, Span};
use std::sync::Arc;
use thiserror::Error;

/// An error in the text of a theory: its syntax, names, types, citations or extended theories.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// An error of syntax, scope or type.
    #[error("{error}")]
    Program {
        /// The source of the theory.
        source_text: Arc<SourceText>,
        /// The error inside it.
        error: Box<ProgramError>,
    },
    /// A citation of a key that is not in the bibliography.
    #[error("no text is cited as `{key}`")]
    Citation {
        /// The key that is cited.
        key: Name,
        /// The source of the theory.
        source_text: Arc<SourceText>,
        /// The place of the key.
        span: Span,
    },
    /// An extended theory that does not exist.
    #[error("there is no theory `{name}`")]
    Unknown {
        /// The name that is unknown.
        name: Name,
        /// The theory of the nearest name; `None` if no name is near.
        suggestion: Option<Name>,
        /// The source of the theory that extends it.
        source_text: Arc<SourceText>,
        /// The place of the unknown name.
        span: Span,
    },
    /// Two theories of the same name.
    #[error("the theory `{name}` is defined twice, in {first} and here")]
    Twice {
        /// The name that they share.
        name: Name,
        /// The file name of the first source.
        first: String,
        /// The source of the second theory.
        source_text: Arc<SourceText>,
        /// The place of the name in the second source.
        span: Span,
    },
    /// Theories that extend each other in a circle.
    #[error("theories extend each other in a circle: {}", path.join(" extends "))]
    Cycle {
        /// The names along the circle, with the first one repeated at the end.
        path: Vec<Name>,
        /// The source of the last theory before the repeated one, which closes the circle.
        source_text: Arc<SourceText>,
        /// The place where this theory extends the first one.
        span: Span,
    },
}

impl TextError {
    /// Makes the error of a program in the text of a theory.
    pub fn from_program(source: &Arc<SourceText>, error: impl Into<ProgramError>) -> Self {
        Self::Program { source_text: source.clone(), error: Box::new(error.into()) }
    }

    /// Renders the error with its place in the source.
    pub fn render(&self) -> String {
        match self {
            TextError::Program { source_text, error } => report::render_error(source_text, error),
            TextError::Citation { key, source_text, span } => {
                // the nearest key is the likely meaning; without one, the help states the form of a key
                let near = nearest_name(key, refs::ALL.iter().map(|reference| reference.key));
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
