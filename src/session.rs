//! One question after another: text in, enclosures out.
//!
//! A [`Session`] holds the loaded theories, and what is defined on the way ([`definitions`]). [`Session::ask`] parses a
//! program, infers its type, interprets it in presheaves and asks every real number in its value for an enclosure.
//! [`Session::compile`] makes a map of a function, to be asked again and again.

mod compile;
#[cfg(feature = "plot")]
mod curves;
pub mod definitions;
pub mod saved;

use crate::failure::{ErrorKind, Failure};
use crate::meaning::presheaf::{Enclosed, Interpreter, Place};
use crate::model::answer::{MeaningError, Undefined};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, real};
use crate::smooth::error::SmoothError;
use crate::syntax::library::{Error as ProgramError, Library};
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::theory::builtin;
use crate::value::ValueError;
use definitions::{Definitions, Entry};
use std::sync::Arc;
use std::time::Duration;

/// The loaded theories, and the definitions of the session.
#[derive(Clone, Debug)]
pub struct Session {
    library: Library,
    definitions: Definitions,
}

/// The value of a program, with every real number in it enclosed.
pub type Reply = Enclosed;

/// What a question is answered.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The type of the program.
    pub ty: Ty,
    /// Its value.
    pub reply: Reply,
    /// The uses of cutRoot whose promise the answer rests on.
    pub assumed: Vec<Place>,
    /// Why the first number in it that is not shown to be defined is not.
    pub undefined: Option<Undefined>,
}

/// Why a question has no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The program is malformed or ill-typed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// It could not be interpreted.
    #[error(transparent)]
    Interpretation(#[from] ValueError),
    /// It could not be evaluated; the place of the primitive at fault, where that is known.
    #[error("{error}")]
    Evaluation {
        /// What went wrong.
        error: SmoothError,
        /// Where.
        place: Option<Place>,
    },
    /// Its answer was to have a width that is none.
    #[error("{eps} is no width; give a positive number, such as 1e-9")]
    Width {
        /// The width that was asked for.
        eps: f64,
    },
    /// Its answer was to be of an accuracy that none has.
    #[error("an accuracy has a tolerance that is not positive; give a positive number, such as 1e-9, or digits")]
    Accuracy,
    /// Its value is no real number.
    #[error("the program has type `{ty}`, and only a real number has an enclosure; `Session::ask` answers every type")]
    NotReal {
        /// The type of the program.
        ty: Ty,
    },
    /// It is no function of vectors.
    #[error(
        "the program has type `{ty}`, and a map goes from vectors to vectors: real numbers, and tuples of vectors, as in `\\(x, y) => x * y`"
    )]
    NotMap {
        /// The type of the program.
        ty: Ty,
    },
    /// Another model than that of presheaves has no answer.
    #[error(transparent)]
    Meaning(MeaningError),
}

impl Failure for SessionError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Interpretation(error) => error.kind(),
            Self::Evaluation { error, .. } => error.kind(),
            Self::Meaning(error) => error.kind(),
            Self::Program(_) | Self::Width { .. } | Self::Accuracy | Self::NotReal { .. } | Self::NotMap { .. } => {
                ErrorKind::Wrong
            }
        }
    }
}

impl From<MeaningError> for SessionError {
    fn from(error: MeaningError) -> Self {
        match error {
            MeaningError::Run(error) => SessionError::Interpretation(error),
            MeaningError::Evaluation { error, place } => SessionError::Evaluation { error, place },
            other => SessionError::Meaning(other),
        }
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

/// How long [`Session::enclose`] takes at most.
const TIME: Duration = Duration::from_secs(60);

impl Session {
    /// A session with the theories that come with the library.
    #[must_use]
    pub fn new() -> Self {
        Self::with(builtin::library())
    }

    /// An interval that contains the value of a program of type `Real`, of width `eps` at most where that is
    /// [reached](real::Refined::reached), within a minute.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::Width`] unless 0 < eps < ∞; [`SessionError::NotReal`].
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// let session = Session::new();
    /// assert!(session.enclose("sqrt 2", 1e-20)?.reached);
    /// // undefined: the whole line, not an error
    /// assert!(!session.enclose("1/0", 1e-3)?.enclosure.is_defined());
    /// assert!(session.enclose("sin", 1e-3).is_err());
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn enclose(&self, program: &str, eps: f64) -> Result<real::Refined, SessionError> {
        let width = Rational::from_f64(eps).filter(|eps| *eps > 0).ok_or(SessionError::Width { eps })?;
        self.enclose_to(program, width)
    }

    /// An interval that contains the value of a program of type `Real`, as accurate as asked where that is
    /// [reached](real::Refined::reached), within a minute.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::NotReal`].
    ///
    /// # Examples
    /// ```
    /// use smoothish::number::Accuracy;
    /// use smoothish::prelude::*;
    /// let session = Session::new();
    /// // e⁻¹⁰⁰⁰ = 5.075958897549456765291809479574337… · 10⁻⁴³⁵
    /// let found = session.enclose_to("exp (-1000)", Accuracy::digits(12))?;
    /// assert!(found.reached);
    /// assert!(*found.enclosure.lo() > decimal::parse("5.075958897549e-435").unwrap());
    /// assert!(*found.enclosure.hi() < decimal::parse("5.075958897550e-435").unwrap());
    /// // what may be 0 has no digits, but a width
    /// let zero = "sin pi";
    /// assert!(!session.enclose_to(zero, Accuracy::digits(12))?.reached);
    /// assert!(session.enclose_to(zero, Accuracy::digits(12).or_within(Rational::from((1, 1000))))?.reached);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn enclose_to(&self, program: &str, accuracy: impl Into<Accuracy>) -> Result<real::Refined, SessionError> {
        let outcome = self.ask(program, accuracy, &Arc::new(Budget::within(TIME)))?;
        match outcome.reply {
            Reply::Real(answer) => Ok(*answer),
            _ => Err(SessionError::NotReal { ty: outcome.ty }),
        }
    }

    /// A session with these theories only.
    #[must_use]
    pub fn with(library: Library) -> Self {
        Self { library, definitions: Definitions::default() }
    }

    /// The session with other theories below its definitions, which mean what they meant.
    #[must_use]
    pub fn over(&self, mut library: Library) -> Self {
        self.definitions.put(&mut library);
        Self { library, definitions: self.definitions.clone() }
    }

    /// The session with other theories, its definitions read again; with those that are wrong there, and why.
    #[must_use]
    pub fn replayed(&self, mut library: Library) -> (Self, Vec<(Entry, ProgramError)>) {
        let (definitions, wrong) = self.definitions.replayed(&mut library);
        (Self { library, definitions }, wrong)
    }

    /// What was defined in the session.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Keeps a definition, `let f x = e` or `type A = T`, which may hide an earlier one; nothing changes on an error.
    ///
    /// # Errors
    /// The first thing that is wrong with its form, its names or its types.
    pub fn define(&mut self, source: Arc<Source>) -> Result<&Entry, ProgramError> {
        self.definitions.define(&mut self.library, source)
    }

    /// Makes a program the meaning of `ans`: the program, not its enclosure.
    pub fn remember(&mut self, source: Arc<Source>, term: Term, ty: Ty) {
        self.definitions.remember(&mut self.library, source, term, ty);
    }

    /// The term and the type of an expression.
    ///
    /// # Errors
    /// The first thing that is wrong with its form, its names or its types.
    pub fn infer(&self, text: &str) -> Result<(Term, Ty), ProgramError> {
        definitions::infer(&self.library, text)
    }

    /// The term of an expression of a type without parameters. What is overloaded in it is decided by that type.
    ///
    /// # Errors
    /// The first thing that is wrong with its form, its names or its types.
    pub fn infer_at(&self, text: &str, ty: &Ty) -> Result<Term, ProgramError> {
        definitions::infer_at(&self.library, text, ty)
    }

    /// The loaded theories, and a module of the session's definitions.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// The value of a program, every real number in it as accurate as asked, or as well as the budget allows. A rational number
    /// asks for that width.
    ///
    /// # Errors
    /// [`SessionError`]: the program is wrong, its recursion does not end, or a promise it makes is broken; or the accuracy is none.
    pub fn ask(
        &self,
        source: &str,
        accuracy: impl Into<Accuracy>,
        budget: &Arc<Budget>,
    ) -> Result<Outcome, SessionError> {
        let (term, ty) = self.infer(source)?;
        self.answer(&term, ty, accuracy, budget)
    }

    /// The same for a program whose type is known.
    ///
    /// # Errors
    /// [`SessionError::Interpretation`], [`SessionError::Evaluation`] and [`SessionError::Accuracy`].
    pub fn answer(
        &self,
        term: &Term,
        ty: Ty,
        accuracy: impl Into<Accuracy>,
        budget: &Arc<Budget>,
    ) -> Result<Outcome, SessionError> {
        let accuracy = accuracy.into();
        if !accuracy.is_positive() {
            return Err(SessionError::Accuracy);
        }
        let found = Interpreter::new(budget.clone()).enclose(term, &accuracy, budget)?;
        Ok(Outcome { ty, reply: found.value, assumed: found.assumed, undefined: found.undefined })
    }
}
