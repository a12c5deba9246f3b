//! Meanings as the command line and the laws hold them: something with a name that answers questions.

use super::{InterpretError, Place};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::real;
use crate::smooth::error::SmoothError;
use crate::smooth::tower::TowerError;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{Carrier, Value, ValueError};
use std::error::Error;
use std::sync::Arc;

/// A real number, as a meaning gives it.
#[derive(Clone, Debug)]
pub enum Number {
    /// An interval that contains it.
    Enclosure(Box<real::Answer>),
    /// A floating-point number near it, it is hoped.
    Float {
        /// The number; NaN where floating-point arithmetic finds none.
        value: f64,
        /// How far off rounding and the choice of nodes may have put it: an estimate, not a bound.
        error: f64,
    },
}

impl Carrier for Number {
    type Truth = bool;
    type Tangent = ();
}

/// An enclosure of which it is known how it was found.
impl Carrier for Box<real::Answer> {
    type Truth = bool;
    type Tangent = ();
}

/// What a program means in some model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its value.
    pub value: Value<Number>,
    /// The uses of cutRoot whose promise the answer rests on.
    pub assumed: Vec<Place>,
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
    Run(#[from] ValueError),
    /// It could not be evaluated; the place of the primitive at fault, where that is known.
    #[error("{error}")]
    Evaluation {
        /// What went wrong.
        error: SmoothError,
        /// Where.
        place: Option<Place>,
    },
    /// It takes too many operations, or its time was up.
    #[error(
        "the program did not end within {operations} floating-point operations, or its time was up; check that every \
         recursion on Nat comes to an end; if it does, the program is too long: try a shorter list, and mind that each nested \
         derivative doubles the work"
    )]
    TooLong {
        /// The number of operations taken.
        operations: u64,
    },
    /// Its tower could not be evaluated.
    #[error(transparent)]
    Tower(#[from] TowerError),
    /// What a meaning from outside this library says went wrong.
    #[error(transparent)]
    Other(Arc<dyn Error + Send + Sync>),
}

impl MeaningError {
    /// An error of a meaning from outside this library.
    pub fn other(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Other(error.into().into())
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

/// A model as something that answers questions; object safe, unlike [`Model`](super::Model).
pub trait Meaning: Send + Sync {
    /// The name of the model.
    fn name(&self) -> &'static str;

    /// What the model is, in one line.
    fn about(&self) -> &'static str;

    /// Whether the numbers of its answers are intervals that certainly contain the true value.
    fn encloses(&self) -> bool;

    /// The value of a closed, well-typed program, every real number in it enclosed to width `eps > 0`, or as well as the
    /// model and the budget allow.
    ///
    /// # Errors
    /// [`MeaningError`]: a construct that the model lacks, a recursion that does not end, a broken promise.
    fn answer(&self, term: &Term, ty: &Ty, eps: &Rational, budget: &Arc<Budget>) -> Result<Answer, MeaningError>;
}
