//! Meanings as the command line and the laws hold them: something with a name that answers questions.

use super::{InterpretError, Place, Unsupported};
use crate::failure::{ErrorKind, Failure};
use crate::number::budget::Budget;
use crate::number::real;
use crate::number::{Accuracy, Rational};
use crate::smooth::error::SmoothError;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{Carrier, Change, Value, ValueError};
pub use crate::value::{Cause, Decision};
use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

/// A real number, as a meaning gives it.
#[derive(Clone, Debug)]
pub enum Number {
    /// An interval that contains it.
    Enclosure(Box<real::Refined>),
    /// A floating-point number near it, it is hoped.
    Float {
        /// The number; NaN where floating-point arithmetic finds none.
        value: f64,
        /// How far off rounding and the choice of nodes may have put it: an estimate, not a bound.
        error: f64,
    },
}

/// Plain numbers told as those of answers.
pub struct Told<F>(pub F);

impl<R: Carrier<Truth = bool>, F: FnMut(&R) -> Number> Change<R, Number> for Told<F> {
    type Error = Infallible;
    fn real(&mut self, x: &R) -> Result<Number, Infallible> {
        Ok((self.0)(x))
    }
    fn truth(&mut self, b: &bool) -> Result<Decision, Infallible> {
        Ok(Decision::Known(*b))
    }
}

impl Carrier for Number {
    type Truth = Decision;
    type Tangent = ();
}

/// What a program means in some model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its value.
    pub value: Value<Number>,
    /// The uses of cutRoot whose promise the answer rests on.
    pub assumed: Vec<Place>,
    /// Why the first number in it that is not shown to be defined is not, where the meaning knows.
    pub undefined: Option<Undefined>,
    /// What else there is to say of it.
    pub remarks: Vec<Remark>,
    /// Whether a derivative in it was taken on a border, and is that of the piece to which the border belongs: another meaning may have
    /// another one.
    pub on_border: bool,
}

/// Something to say of an answer, about a place of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What stands before what is written there…
    pub before: String,
    /// …there…
    pub place: Option<Place>,
    /// …and what stands after it.
    pub after: String,
}

impl Remark {
    /// About no place.
    #[must_use]
    pub fn text(text: String) -> Self {
        Self { before: text, place: None, after: String::new() }
    }
}

/// Why a number is not shown to be defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// What kind of reason it is.
    pub cause: Cause,
    /// The reason in words, without the place.
    pub message: String,
    /// Where the operation stands that has no value or no derivative; of one in the library, where the program mentions that, as far as it
    /// is one place.
    pub place: Option<Place>,
    /// The definition of the library that it is in; `None` if the program itself says it.
    pub library: Option<Name>,
}

impl Answer {
    /// An answer that rests on no promise, from a meaning that knows no more of it.
    #[must_use]
    pub fn of(value: Value<Number>) -> Self {
        Self { value, assumed: Vec::new(), undefined: None, remarks: Vec::new(), on_border: false }
    }
}

/// Why a meaning has no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeaningError {
    /// The program has no arrow in the model.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// It could not be run.
    #[error(transparent)]
    Run(ValueError),
    /// It could not be evaluated; the place of the primitive at fault, where that is known.
    #[error("{error}")]
    Evaluation {
        /// What went wrong.
        error: SmoothError,
        /// Where.
        place: Option<Place>,
    },
    /// It is undefined, or was not found to be defined: there is nothing of it.
    #[error("{}", .0.message)]
    Undefined(Box<Undefined>),
    /// What a meaning says went wrong in its own way.
    #[error("{0}")]
    Other(Arc<dyn Failure>),
}

impl From<ValueError> for MeaningError {
    fn from(error: ValueError) -> Self {
        match error {
            ValueError::Lacks { model, construct } => InterpretError::from(Unsupported { model, construct }).into(),
            error => Self::Run(error),
        }
    }
}

impl MeaningError {
    /// An error of one meaning alone.
    pub fn own(error: impl Failure + 'static) -> Self {
        Self::Other(Arc::new(error))
    }

    /// An error of a meaning from outside this library, of which no more is known than what it says.
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::own(Foreign(error.into()))
    }

    /// What the model lacks, where that is the reason.
    #[must_use]
    pub fn lacks(&self) -> Option<&super::Unsupported> {
        match self {
            MeaningError::Interpretation(InterpretError::Unsupported(unsupported)) => Some(unsupported),
            _ => None,
        }
    }
}

impl Failure for MeaningError {
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

/// An error that says nothing of its kind.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct Foreign(Box<dyn Error + Send + Sync>);

impl Failure for Foreign {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Wrong
    }
}

/// A model as something that answers questions; object safe, unlike [`Model`](super::Model).
pub trait Meaning: Send + Sync {
    /// The name of the model.
    fn name(&self) -> &'static str;

    /// What the model is, in one line.
    fn about(&self) -> &'static str;

    /// Whether the numbers of its answers are intervals that certainly contain the true value.
    fn encloses(&self) -> bool;

    /// The same meaning with every recursive function unfolded at most so many levels deep, where it has recursion of which there
    /// are approximants.
    fn limited(&self, unfoldings: u64) -> Option<Box<dyn Meaning>> {
        let _ = unfoldings;
        None
    }

    /// The value of a closed, well-typed program, every real number in it as accurate as asked, or as well as the model and the
    /// budget allow.
    ///
    /// # Errors
    /// [`MeaningError`]: a construct that the model lacks, a recursion that does not end, a broken promise.
    fn answer_to(&self, term: &Term, ty: &Ty, to: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError>;

    /// The same with every real number enclosed to width `eps > 0`.
    ///
    /// # Errors
    /// As [`Meaning::answer_to`].
    fn answer(&self, term: &Term, ty: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        self.answer_to(term, ty, &Accuracy::from(eps), budget)
    }
}
