//! What can be wrong with a program that Rust's types let through.

use crate::model::answer::MeaningError;
use crate::syntax::library::Error as ProgramError;
use crate::syntax::ty::Ty;
use thiserror::Error;

/// An error of the host language.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum HostError {
    /// A variable is used outside the `lam` that binds it.
    #[error(
        "a variable, `{letter}`, is used outside the function that binds it; let the function return what depends on it"
    )]
    Escaped {
        /// What it is called.
        letter: char,
    },
    /// An `f64` that is no number.
    #[error("`{value}` is no real number; finite numbers are")]
    NotFinite {
        /// It, as it prints.
        value: f64,
    },
    /// A place that a coproduct does not have.
    #[error("a coproduct of {width} alternatives has none at place {place}, counted from 0")]
    NoAlternative {
        /// The place.
        place: usize,
        /// How many alternatives there are.
        width: usize,
    },
    /// The text of a program is malformed or ill-typed.
    #[error("{rendered}")]
    Program {
        /// What is wrong.
        error: Box<ProgramError>,
        /// The same with the place in the text.
        rendered: String,
    },
    /// The text of a program has another type.
    #[error("expected a program of type {expected}, found `{text}` of type {found}")]
    OtherType {
        /// The text.
        text: String,
        /// The type that was asked for.
        expected: Ty,
        /// Its type.
        found: Ty,
    },
    /// A width that no interval can be asked to have.
    #[error("the width of an answer must be a finite number greater than 0, found {eps}")]
    Width {
        /// What was asked.
        eps: f64,
    },
    /// An accuracy that no interval can have.
    #[error("an accuracy has a tolerance that is not greater than 0")]
    Accuracy,
    /// The model has no answer.
    #[error(transparent)]
    Meaning(#[from] MeaningError),
    /// It was asked for a number that the model does not enclose.
    #[error("the model `{model}` does not enclose its numbers; ask it by `value_in`")]
    NoEnclosure {
        /// The model.
        model: &'static str,
    },
}
