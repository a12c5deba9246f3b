//! Sessions: questions about programs, given as texts, and their certified answers.
//!
//! A [`Session`] holds the loaded theories, the definitions made so far ([`definitions`]), and the semantics of
//! programs. [`Session::ask`] answers every [`Question`] within [`Limits`]. The command line, Python, plots and audits
//! all call it.
//!
//! | question | its answer |
//! |---|---|
//! | [`Evaluate`] | the value of a program, with an enclosure of every real number in it |
//! | [`Evidence`], [`Expectation`] | the normalising constant of a probabilistic program; means of functions of its value |
//! | [`Pushforward`], [`Estimators`] | the density of a function of its value; gradients of means, and their estimators |
//! | `Envelope`, `Density`, `Raster` | plots of functions, densities, functions of two variables; feature `plot` |
//! | [`Pieces`] | the pieces of a function |
//! | [`Trace`], [`Sweep`] | the trace of a program at a point; values and derivatives by a tape |
//! | [`Audit`](crate::audit::Audit) | a test of a claimed derivative |
//! | `Agree` | the value in every semantics; with the feature `laws` |
//!
//! [`Session::enclose`] and [`Session::compile`] are short forms: for one number, and for a map that is evaluated many
//! times.

pub mod answer;
mod compile;
#[cfg(feature = "plot")]
mod curves;
pub mod definitions;
pub mod limits;
mod places;
pub mod question;
pub mod reach;
pub mod remedy;
pub mod saved;
pub mod tolerance;
mod why;

pub use answer::{Answer, Diagnostic, Note, NoteKind, SourceSpan, Undefined};
pub use limits::{Limits, Stop};
pub use places::QUESTION;
#[cfg(feature = "laws")]
pub use question::agree::{Agree, Agreement};
#[cfg(feature = "plot")]
pub use question::envelope::{Density, Envelope};
pub use question::evaluate::Evaluate;
pub use question::image::{Estimators, Pushforward};
pub use question::pieces::{Pieces, PiecesFound};
#[cfg(feature = "plot")]
pub use question::raster::Raster;
pub use question::sampled::{Evidence, Expectation, Integral};
pub use question::trace::{Sweep, SweptValue, Trace, Traced};
pub use question::{Question, Scope};
pub use tolerance::Goal;

use crate::failure::{ErrorKind, Failure};
use crate::meaning;
use crate::model::Place;
use crate::model::answer::{Meaning, MeaningError, Number};
use crate::number::{Accuracy, Rational, real};
use crate::smooth::error::SmoothError;
use crate::syntax::library::{Error as ProgramError, Library};
use crate::syntax::name::Name;
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::theory::builtin;
use crate::theory::texts::Texts;
use crate::value::{Value, ValueError};
use definitions::{Definitions, Entry};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The loaded theories, the definitions of the session, and the semantics of programs.
#[derive(Clone)]
pub struct Session {
    library: Library,
    definitions: Definitions,
    /// The names and texts of the theories, for the positions of errors.
    sources: Arc<[(Name, Arc<Source>)]>,
    /// Semantics added to those of the library.
    meanings: Vec<Arc<dyn Meaning>>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { library, definitions, .. } = self;
        f.debug_struct("Session").field("library", library).field("definitions", definitions).finish_non_exhaustive()
    }
}

/// An error of a question.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The program is malformed or ill-typed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The program could not be interpreted.
    #[error(transparent)]
    Interpretation(#[from] ValueError),
    /// The program could not be evaluated.
    #[error("{error}")]
    Evaluation {
        /// The error.
        error: SmoothError,
        /// The position of the primitive that failed, if known.
        place: Option<Place>,
    },
    /// The requested width is not a positive finite number.
    #[error("{eps} is no width; give a positive number, such as 1e-9")]
    Width {
        /// The requested width.
        eps: f64,
    },
    /// The requested accuracy has a tolerance that is not positive.
    #[error("an accuracy has a tolerance that is not positive; give a positive number, such as 1e-9, or digits")]
    Accuracy,
    /// The value of the program is not a real number.
    #[error("the program has type `{ty}`, and only a real number has an enclosure; `Session::ask` answers every type")]
    NotReal {
        /// The type of the program.
        ty: Ty,
    },
    /// The program is not a function of vectors.
    #[error(
        "the program has type `{ty}`, and a map goes from vectors to vectors: real numbers, and tuples of vectors, as in `\\(x, y) => x * y`"
    )]
    NotMap {
        /// The type of the program.
        ty: Ty,
    },
    /// A semantics other than presheaves has no value for the program.
    #[error(transparent)]
    Meaning(MeaningError),
}

impl SessionError {
    /// Returns the stable name of this kind of error, for programs.
    fn id(&self) -> &'static str {
        match self {
            Self::Program(_) => "program",
            Self::Interpretation(_) => "interpretation",
            Self::Evaluation { .. } => "evaluation",
            Self::Width { .. } | Self::Accuracy => "tolerance",
            Self::NotReal { .. } | Self::NotMap { .. } => "type",
            Self::Meaning(_) => "meaning",
        }
    }
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

/// The limit of time of [`Session::enclose`]. A choice: long enough for nested solvers, short enough to wait for.
const TIME: Duration = Duration::from_secs(60);

impl Session {
    /// Creates a session with the theories of the standard library.
    #[must_use]
    pub fn new() -> Self {
        Self::of(&builtin::texts())
    }

    /// Creates a session with the theories of `texts`. Their positions are shown in errors.
    #[must_use]
    pub fn of(texts: &Texts) -> Self {
        Self { sources: sources(texts), ..Self::with(texts.library().clone()) }
    }

    /// Adds a semantics, which [`Evaluate::model`] selects by its name. It replaces an added one of the same name, and
    /// hides one of the library.
    #[must_use]
    pub fn with_semantics(mut self, meaning: Arc<dyn Meaning>) -> Self {
        self.meanings.retain(|other| other.name() != meaning.name());
        self.meanings.push(meaning);
        self
    }

    /// Lists the semantics: the added ones before those of the library.
    pub fn meanings(&self) -> impl Iterator<Item = &dyn Meaning> {
        let own = |name: &str| self.meanings.iter().any(|meaning| meaning.name() == name);
        let others = meaning::all().iter().copied().filter(move |meaning| !own(meaning.name()));
        self.meanings.iter().map(|meaning| &**meaning).chain(others.map(|meaning| meaning as &dyn Meaning))
    }

    /// Lists the semantics as [`Session::meanings`] does, but with the added ones last: the first answer is that of
    /// presheaves.
    #[cfg(feature = "laws")]
    pub(crate) fn meanings_in_order(&self) -> impl Iterator<Item = &dyn Meaning> {
        let own = |name: &str| self.meanings.iter().any(|meaning| meaning.name() == name);
        let others = meaning::all().iter().copied().filter(move |meaning| !own(meaning.name()));
        others.map(|meaning| meaning as &dyn Meaning).chain(self.meanings.iter().map(|meaning| &**meaning))
    }

    /// Finds a semantics by name.
    ///
    /// # Errors
    /// A [`Diagnostic`] if no semantics has this name.
    pub fn meaning(&self, name: &str) -> Result<&dyn Meaning, Diagnostic> {
        self.meanings().find(|meaning| meaning.name() == name).ok_or_else(|| {
            let known = self.meanings().map(Meaning::name).collect::<Vec<_>>();
            Diagnostic::unknown(format!("there is no model `{name}`"), name, known.into_iter())
        })
    }

    /// Encloses the value of a program of type `Real` within a minute. The width is at most `eps` if the result is
    /// [reached](real::Refined::reached).
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

    /// Encloses the value of a program of type `Real` within a minute. It has the given accuracy if the result is
    /// [reached](real::Refined::reached).
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
        let accuracy = accuracy.into();
        if !accuracy.is_positive() {
            return Err(SessionError::Accuracy);
        }
        let (term, ty) = self.infer(program)?;
        if ty != Ty::real() {
            return Err(SessionError::NotReal { ty });
        }
        let limits = Limits::within(TIME);
        let found = meaning::presheaf::Presheaf.answer_to(&term, &ty, &accuracy, &Arc::new(limits.budget()))?;
        match found.value {
            Value::Real(Number::Enclosure(answer)) => Ok(*answer),
            _ => Err(SessionError::NotReal { ty }),
        }
    }

    /// Creates a session with the theories of `library` only. Their texts are not known, so errors in them have no
    /// position.
    #[must_use]
    pub fn with(library: Library) -> Self {
        Self { library, definitions: Definitions::default(), sources: Arc::new([]), meanings: Vec::new() }
    }

    /// Replaces the theories, and keeps the definitions as they are: they are not typed again.
    #[must_use]
    pub fn over(&self, texts: &Texts) -> Self {
        let mut library = texts.library().clone();
        self.definitions.put(&mut library);
        Self { library, sources: sources(texts), ..self.clone() }
    }

    /// Replaces the theories, and types the definitions again. Returns the new session, and the definitions that are
    /// ill-typed there, with their errors.
    #[must_use]
    pub fn replayed(&self, texts: &Texts) -> (Self, Vec<(Entry, ProgramError)>) {
        let mut library = texts.library().clone();
        let (definitions, wrong) = self.definitions.replayed(&mut library);
        (Self { library, definitions, sources: sources(texts), meanings: self.meanings.clone() }, wrong)
    }

    /// Returns the definitions of the session.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// Adds a definition, `let f x = e` or `type A = T`, which may hide an earlier one. The session does not change on
    /// an error.
    ///
    /// # Errors
    /// The first error of syntax, names or types.
    pub fn define(&mut self, source: Arc<Source>) -> Result<&Entry, ProgramError> {
        self.definitions.define(&mut self.library, source)
    }

    /// Binds `ans` to a program: to the term, not to its enclosure.
    pub fn remember(&mut self, source: Arc<Source>, term: Term, ty: Ty) {
        self.definitions.remember(&mut self.library, source, term, ty);
    }

    /// Infers the type of an expression. Returns its elaborated term and the type.
    ///
    /// # Errors
    /// The first error of syntax, names or types.
    pub fn infer(&self, text: &str) -> Result<(Term, Ty), ProgramError> {
        definitions::infer(&self.library, text)
    }

    /// Checks an expression against a type without parameters. Returns its elaborated term, overloading resolved by
    /// that type.
    ///
    /// # Errors
    /// The first error of syntax, names or types.
    pub fn infer_at(&self, text: &str, ty: &Ty) -> Result<Term, ProgramError> {
        definitions::infer_at(&self.library, text, ty)
    }

    /// Returns the loaded theories, with a module of the session's definitions.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }
}

fn sources(texts: &Texts) -> Arc<[(Name, Arc<Source>)]> {
    texts.texts().iter().map(|text| (text.name.clone(), text.source.clone())).collect()
}
