//! The [`Semantics`] trait, an object-safe view of a model for the command line and the laws, with its answers and errors.

use super::{InterpretError, SourceLocation, Unsupported};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::number::budget::Budget;
use crate::number::real;
use crate::number::{Accuracy, Rational};
use crate::smooth::error::SmoothError;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
pub use crate::value::{AnswerTruth, UndefinedCause};
use crate::value::{Carrier, TryMapReals, Value, ValueError};
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

/// A real number in an answer.
#[derive(Clone, Debug)]
pub enum AnswerNumber {
    /// An interval that contains it.
    Enclosure(Box<real::RefinedEnclosure>),
    /// A floating-point approximation, without any guarantee.
    Float {
        /// The number; NaN if floating-point arithmetic finds none.
        value: f64,
        /// An estimate of the error by rounding and by the choice of quadrature nodes; not a bound.
        error: f64,
    },
}

/// A [`TryMapReals`] that turns the plain numbers of a value into those of an answer, by a function.
pub struct ToAnswerNumbers<F>(pub F);

impl<R: Carrier<Truth = bool>, F: FnMut(&R) -> AnswerNumber> TryMapReals<R, AnswerNumber> for ToAnswerNumbers<F> {
    type Error = Infallible;
    fn map_real(&mut self, x: &R) -> Result<AnswerNumber, Infallible> {
        Ok((self.0)(x))
    }
    fn map_truth(&mut self, b: &bool) -> Result<AnswerTruth, Infallible> {
        Ok(AnswerTruth::Decided(*b))
    }
}

impl Carrier for AnswerNumber {
    type Truth = AnswerTruth;
    type Tangent = ();
}

/// The value of a program in a model, with everything that qualifies it.
#[derive(Clone, Debug)]
pub struct ProgramAnswer {
    /// The value.
    pub value: Value<AnswerNumber>,
    /// The uses of cutRoot whose promise the answer rests on.
    pub promises: Vec<SourceLocation>,
    /// The reason why the first number that is not shown to be defined is not; `None` if the semantics does not know it.
    pub undefined: Option<UndefinedReason>,
    /// Further notes to be shown with the answer.
    pub notes: Vec<AnswerNote>,
    /// `true` if a derivative was taken on a border between pieces. It is that of the piece to which the border belongs; another
    /// semantics may have another one.
    pub on_border: bool,
}

/// A note on an answer, about a place of the program: `before`, the source text at `place`, then `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerNote {
    /// The text before the quotation.
    pub before: String,
    /// The place whose source text is quoted; `None` if the note quotes nothing.
    pub place: Option<SourceLocation>,
    /// The text after the quotation.
    pub after: String,
}

impl AnswerNote {
    /// Builds a note that quotes no place.
    #[must_use]
    pub fn without_place(text: String) -> Self {
        Self { before: text, place: None, after: String::new() }
    }
}

/// The reason why a number is not shown to be defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedReason {
    /// The kind of the reason.
    pub cause: UndefinedCause,
    /// The reason as a sentence, without the place.
    pub message: String,
    /// The place of the operation that has no value or no derivative. For an operation of the library it is the place where the
    /// program mentions it; `None` if there are several.
    pub place: Option<SourceLocation>,
    /// The definition of the library that contains the operation; `None` if the program itself does.
    pub library: Option<Name>,
}

impl ProgramAnswer {
    /// Builds an answer that rests on no promise and has no notes.
    #[must_use]
    pub fn from_value(value: Value<AnswerNumber>) -> Self {
        Self { value, promises: Vec::new(), undefined: None, notes: Vec::new(), on_border: false }
    }
}

/// The reason why a semantics has no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SemanticsError {
    /// The program has no arrow in the model.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// Running the program failed.
    #[error(transparent)]
    Run(ValueError),
    /// Evaluation failed.
    #[error("{error}")]
    Evaluation {
        /// The error.
        error: SmoothError,
        /// The place of the primitive at fault, if it is known.
        place: Option<SourceLocation>,
    },
    /// The value is undefined, or was not found to be defined, and no part of it is known.
    #[error("{}", .0.message)]
    Undefined(Box<UndefinedReason>),
    /// An error that one semantics alone has.
    #[error("{0}")]
    Other(Arc<dyn ErrorWithKind>),
}

impl From<ValueError> for SemanticsError {
    fn from(error: ValueError) -> Self {
        match error {
            // a construct that is found missing only at run time is still reported as a missing construct
            ValueError::Unsupported { model, construct } => {
                InterpretError::from(Unsupported { model, construct }).into()
            }
            error => Self::Run(error),
        }
    }
}

impl SemanticsError {
    /// Wraps an error that one semantics alone has.
    pub fn from_failure(error: impl ErrorWithKind + 'static) -> Self {
        Self::Other(Arc::new(error))
    }

    /// Wraps an error of a semantics outside this library; only its message is known.
    pub fn from_external(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::from_failure(ExternalError(error.into()))
    }

    /// Returns the construct that the model lacks, if that is the error.
    #[must_use]
    pub fn unsupported_construct(&self) -> Option<&super::Unsupported> {
        match self {
            SemanticsError::Interpretation(InterpretError::Unsupported(unsupported)) => Some(unsupported),
            _ => None,
        }
    }
}

impl ErrorWithKind for SemanticsError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Interpretation(error) => error.kind(),
            Self::Run(error) => error.kind(),
            Self::Evaluation { error, .. } => error.kind(),
            Self::Undefined(_) => ErrorKind::Limit,
            Self::Other(error) => error.kind(),
        }
    }
}

/// An error without a kind; it counts as wrong input.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct ExternalError(Box<dyn Error + Send + Sync>);

// A choice: an unknown error is reported as the user's input being wrong, not as a limit that a larger budget might lift.
impl ErrorWithKind for ExternalError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }
}

/// A semantics of programs: an interface that evaluates them, object safe, unlike [`Model`](super::Model).
pub trait Semantics: Send + Sync {
    /// Returns the name of the model.
    fn name(&self) -> &'static str;

    /// Describes the model in one line.
    fn summary(&self) -> &'static str;

    /// Returns `true` if the numbers of answers are intervals that certainly contain the true values.
    fn is_certified(&self) -> bool;

    /// Returns this semantics with every recursive function unfolded at most `unfoldings` levels deep.
    ///
    /// Returns `None`, the default, if the semantics has no approximants of recursion.
    fn with_unfolding_limit(&self, unfoldings: u64) -> Option<Box<dyn Semantics>> {
        let _ = unfoldings;
        None
    }

    /// Evaluates a closed, well-typed program, with every real number as accurate as `to` asks or as the model and `budget`
    /// allow.
    ///
    /// # Errors
    /// [`SemanticsError`]: a construct that the model lacks, a recursion that does not end, a broken promise.
    fn evaluate_to(
        &self,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError>;

    /// Like [`Semantics::evaluate_to`], with every real number enclosed to width `eps > 0`.
    ///
    /// # Errors
    /// As [`Semantics::evaluate_to`].
    fn evaluate(
        &self,
        term: &Term,
        ty: &Ty,
        eps: &Rational,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        self.evaluate_to(term, ty, &Accuracy::from(eps), budget)
    }
}
