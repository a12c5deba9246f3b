//! Meanings as the command line and the laws hold them: something with a name that answers questions.

use super::{InterpretError, Place};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::number::real;
use crate::presheaf::error::PresheafError;
use crate::smooth::error::SmoothError;
use crate::smooth::tower::TowerError;
use crate::stack::deep;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use std::error::Error;
use std::sync::Arc;

/// The value of a program, with something for every real number in it.
#[derive(Clone, Debug)]
pub enum Reply<N> {
    /// A real number.
    Real(N),
    /// A natural number.
    Natural(u64),
    /// A truth value.
    Boolean(bool),
    /// The unit value.
    Unit,
    /// A tuple, componentwise.
    Tuple(Vec<Reply<N>>),
    /// A constructor, by its number in the declaration of the type, and its argument; the unit value if it has none.
    Variant(usize, Box<Reply<N>>),
    /// A list, elementwise.
    List(Vec<Reply<N>>),
    /// A value that has to be applied before it shows a number.
    Function,
    /// A tangent: `tangent_R.to` and its like take it apart.
    Tangent,
    /// An isomorphism, to be used as `i.to` and `i.from`.
    Isomorphism,
}

impl<N> Reply<N> {
    /// The same value with other numbers.
    pub fn map<P>(self, f: &mut impl FnMut(N) -> P) -> Reply<P> {
        match self {
            Reply::Real(n) => Reply::Real(f(n)),
            Reply::Natural(n) => Reply::Natural(n),
            Reply::Boolean(b) => Reply::Boolean(b),
            Reply::Unit => Reply::Unit,
            Reply::Tuple(parts) => Reply::Tuple(parts.into_iter().map(|part| part.map(f)).collect()),
            Reply::Variant(index, argument) => Reply::Variant(index, Box::new(deep(|| argument.map(f)))),
            Reply::List(parts) => Reply::List(parts.into_iter().map(|part| part.map(f)).collect()),
            Reply::Function => Reply::Function,
            Reply::Tangent => Reply::Tangent,
            Reply::Isomorphism => Reply::Isomorphism,
        }
    }
}

/// The most parts of an answer.
pub const MOST_PARTS: usize = 1_000_000;
/// The most levels of an answer: the parts of parts of a value, and so on. What is much deeper is no program either.
pub const MOST_LEVELS: usize = 2_000;

/// Counts the parts of a value, and the parts of these, before they are written out. What is shared in a value is not in an
/// answer, which may be as large as 2 to the number of parts.
///
/// # Errors
/// [`PresheafError::LargeAnswer`] where they are more than [`MOST_PARTS`]; [`PresheafError::DeepAnswer`] where they are
/// deeper than [`MOST_LEVELS`].
pub fn measure<'v, V, P: IntoIterator<Item = &'v V>>(
    value: &'v V,
    parts: impl Fn(&'v V) -> P,
) -> Result<(), PresheafError> {
    let (mut waiting, mut count) = (vec![(value, 1)], 0);
    while let Some((value, level)) = waiting.pop() {
        count += 1;
        if level > MOST_LEVELS {
            return Err(PresheafError::DeepAnswer { levels: MOST_LEVELS });
        }
        for part in parts(value) {
            waiting.push((part, level + 1));
            if count + waiting.len() > MOST_PARTS {
                return Err(PresheafError::LargeAnswer { parts: MOST_PARTS });
            }
        }
    }
    Ok(())
}

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

/// What a program means in some model.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its value.
    pub value: Reply<Number>,
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
    Run(#[from] PresheafError),
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
