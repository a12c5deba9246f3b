//! Errors of programs that Rust's types accept.

use crate::model::answer::SemanticsError;
use crate::syntax::library::ProgramError;
use crate::syntax::ty::Ty;
use thiserror::Error;

/// An error of an embedded program.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum EdslError {
    /// A variable is used outside the `lam` that binds it.
    #[error(
        "a variable, `{letter}`, is used outside the function that binds it; let the function return what depends on it"
    )]
    EscapedVariable {
        /// The letter of its printed name.
        letter: char,
    },
    /// An `f64` is infinite or not a number.
    #[error("`{value}` is no real number; finite numbers are")]
    NotFinite {
        /// The value.
        value: f64,
    },
    /// A coproduct does not have the requested position.
    #[error("a coproduct of {width} alternatives has none at place {place}, counted from 0")]
    NoAlternative {
        /// The position, from 0.
        place: usize,
        /// The number of alternatives.
        width: usize,
    },
    /// The text of a program is malformed or ill-typed.
    #[error("{rendered}")]
    InvalidProgram {
        /// The error.
        error: Box<ProgramError>,
        /// The error as a report with the place in the text.
        rendered: String,
    },
    /// The text of a program has another type.
    #[error("expected a program of type {expected}, found `{text}` of type {found}")]
    TypeMismatch {
        /// The text.
        text: String,
        /// The expected type.
        expected: Ty,
        /// The type of the program.
        found: Ty,
    },
    /// A width is not a positive finite number.
    #[error("the width of an answer must be a finite number greater than 0, found {eps}")]
    Width {
        /// The requested width.
        eps: f64,
    },
    /// An accuracy has a tolerance that is not positive.
    #[error("an accuracy has a tolerance that is not greater than 0")]
    Accuracy,
    /// The evaluation in the model failed.
    #[error(transparent)]
    Evaluation(#[from] SemanticsError),
    /// The model returns no enclosures of numbers.
    #[error("the model `{model}` does not enclose its numbers; ask it by `value_in`")]
    NoEnclosure {
        /// The name of the model.
        model: &'static str,
    },
}
