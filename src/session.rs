//! Sessions: questions about programs, given as texts, and their certified answers.
//!
//! A [`Session`] holds the loaded theories, the definitions made so far (`compile`), and the semantics of
//! programs. [`Session::ask`] answers every [`Question`] within [`Limits`]. The command line, Python, plots and audits
//! all call it.
//!
//! | question | its answer |
//! |---|---|
//! | [`Evaluate`] | the value of a program, with an enclosure of every real number in it |
//! | [`Evidence`], [`Expectation`] | the normalising constant of a probabilistic program; means of functions of its value |
//! | [`Pushforward`], [`Estimators`] | the density of a function of its value; gradients of means, and their estimators |
//! | `PlotEnvelopes`, `PlotDensity`, `PlotPlane` | plots of functions, densities, functions of two variables; feature `plot` |
//! | [`ListPieces`] | the pieces of a function |
//! | [`Trace`], [`RunTape`] | the trace of a program at a point; values and derivatives by a tape |
//! | [`Audit`](crate::audit::Audit) | a test of a claimed derivative |
//! | `Agree` | the value in every semantics; with the feature `laws` |
//!
//! [`Session::enclose`] and [`Session::compile`] are short forms: for one number, and for a map that is evaluated many
//! times.

pub mod answer;
pub mod compile;
mod deprecated;
mod divergence;
pub mod foreign;
pub mod limits;
pub mod question;
pub mod remedy;
pub mod saved;
pub mod tolerance;

use crate::failure::{ErrorKind, ErrorWithKind};
use crate::meaning;
use crate::meaning::foreign::{ForeignMeaning, FunctionalMeaning};
use crate::meaning::presheaf::{PresheafInterpreter, map_of_program};
use crate::model::SourceLocation;
use crate::model::answer::{AnswerNumber, Semantics, SemanticsError};
use crate::number::arithmetic::Extension;
use crate::number::budget::Budget;
use crate::number::foreign::FunctionalExtension;
use crate::number::real::RefinableReal;
use crate::number::{Accuracy, Rational, real};
use crate::presheaf::RealPresheaf;
use crate::presheaf::dynamic::Element;
use crate::presheaf::exponential::PresheafTransformation;
use crate::presheaf::foreign::{BaseType, RealFunctions};
use crate::smooth::dimension::Dyn;
use crate::smooth::error::SmoothError;
use crate::smooth::map::Map;
use crate::smooth::question::GraphEvaluation;
use crate::syntax::library::{Library, ProgramError};
use crate::syntax::name::Name;
use crate::syntax::source::SourceText;
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::Ty;
use crate::theory::builtin;
use crate::theory::texts::TheoryTexts;
use crate::trace::compiled::CompiledProgram;
use crate::trace::embed::embed_program;
use crate::value::{Value, ValueError};
pub use answer::{Answer, Diagnostic, Note, NoteKind, SourceSpan, UndefinedNumber};
use compile::{Definitions, SessionDefinition};
pub use deprecated::*;
use foreign::ForeignUses;
pub use foreign::{ConstantBuilder, ConstantError, FunctionalBuilder, FunctionalDerivative, TypeBuilder};
pub use limits::{Limits, ReachedLimit};
#[cfg(feature = "laws")]
pub use question::agree::{Agree, Agreement};
#[cfg(feature = "plot")]
pub use question::envelope::PlotPlane;
#[cfg(feature = "plot")]
pub use question::envelope::{PlotDensity, PlotEnvelopes};
pub use question::evaluate::Evaluate;
pub use question::pieces::{ListPieces, PieceList};
pub use question::sampled::{Estimators, Evidence, Expectation, Pushforward, WeightedPathSum};
pub use question::trace::{RunTape, SweptValue, Trace, TraceResult};
pub use question::{QUESTION_NAME, Question, QuestionContext};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
pub use tolerance::AccuracyGoal;

/// The loaded theories, the definitions of the session, and the semantics of programs.
#[derive(Clone)]
pub struct Session {
    library: Library,
    definitions: Definitions,
    /// The names and texts of the theories, for the positions of errors.
    sources: Arc<[(Name, Arc<SourceText>)]>,
    /// Semantics added to those of the library.
    semantics: Vec<Arc<dyn Semantics>>,
    /// The constants from outside in the programs of the question that is being answered; `None` outside of a question.
    uses: Option<Arc<ForeignUses>>,
    /// The base types from outside, by their types of Rust.
    base_types: Vec<(std::any::TypeId, Ty)>,
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
        place: Option<SourceLocation>,
    },
    /// The requested width is not a positive finite number.
    #[error("expected a positive finite width, such as 1e-9, found {eps}")]
    Width {
        /// The requested width.
        eps: f64,
    },
    /// The requested accuracy has a tolerance that is not positive.
    #[error("expected an accuracy with a positive tolerance, such as 1e-9, or with digits")]
    Accuracy,
    /// The value of the program is not a real number.
    #[error("expected a program of type Real, found one of type `{ty}`; `Session::ask` answers every type")]
    NotReal {
        /// The type of the program.
        ty: Ty,
    },
    /// The program is not a function of vectors.
    #[error(
        "expected a function from vectors to vectors, as `\\(x, y) => x * y`, found a program of type `{ty}`; vectors are real numbers, and tuples of vectors"
    )]
    NotMap {
        /// The type of the program.
        ty: Ty,
    },
    /// A semantics other than presheaves has no value for the program.
    #[error(transparent)]
    Semantics(SemanticsError),
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
            Self::Semantics(_) => "meaning",
        }
    }
}

impl ErrorWithKind for SessionError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Interpretation(error) => error.kind(),
            Self::Evaluation { error, .. } => error.kind(),
            Self::Semantics(error) => error.kind(),
            Self::Program(_) | Self::Width { .. } | Self::Accuracy | Self::NotReal { .. } | Self::NotMap { .. } => {
                ErrorKind::InvalidInput
            }
        }
    }
}

impl From<SemanticsError> for SessionError {
    fn from(error: SemanticsError) -> Self {
        match error {
            SemanticsError::Run(error) => SessionError::Interpretation(error),
            SemanticsError::Evaluation { error, place } => SessionError::Evaluation { error, place },
            other => SessionError::Semantics(other),
        }
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

/// The limit of time of [`Session::enclose`]. A choice: long enough for nested solvers, short enough to wait for.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

impl Session {
    /// Creates a session with the theories of the standard library.
    #[must_use]
    pub fn new() -> Self {
        Self::from_texts(&builtin::library_texts())
    }

    /// Creates a session with the theories of `texts`. Their positions are shown in errors.
    #[must_use]
    pub fn from_texts(texts: &TheoryTexts) -> Self {
        Self { sources: module_sources(texts), ..Self::with_library(texts.library().clone()) }
    }

    /// Adds a semantics, which [`Evaluate::with_model`] selects by its name. It replaces an added one of the same name, and
    /// hides one of the library.
    #[must_use]
    pub fn with_semantics(mut self, meaning: Arc<dyn Semantics>) -> Self {
        self.semantics.retain(|other| other.name() != meaning.name());
        self.semantics.push(meaning);
        self
    }

    /// Lists the semantics: the added ones before those of the library.
    pub fn semantics(&self) -> impl Iterator<Item = &dyn Semantics> {
        let own = |name: &str| self.semantics.iter().any(|meaning| meaning.name() == name);
        let others = meaning::all_semantics().iter().copied().filter(move |meaning| !own(meaning.name()));
        self.semantics.iter().map(|meaning| &**meaning).chain(others.map(|meaning| meaning as &dyn Semantics))
    }

    /// Lists the semantics as [`Session::semantics`] does, but with the added ones last: the first answer is that of
    /// presheaves.
    #[cfg(feature = "laws")]
    pub(crate) fn semantics_in_order(&self) -> impl Iterator<Item = &dyn Semantics> {
        let own = |name: &str| self.semantics.iter().any(|meaning| meaning.name() == name);
        let others = meaning::all_semantics().iter().copied().filter(move |meaning| !own(meaning.name()));
        others.map(|meaning| meaning as &dyn Semantics).chain(self.semantics.iter().map(|meaning| &**meaning))
    }

    /// Finds a semantics by name.
    ///
    /// # Errors
    /// A [`Diagnostic`] if no semantics has this name.
    pub fn find_semantics(&self, name: &str) -> Result<&dyn Semantics, Diagnostic> {
        self.semantics().find(|meaning| meaning.name() == name).ok_or_else(|| {
            let known = self.semantics().map(Semantics::name).collect::<Vec<_>>();
            Diagnostic::unknown_name(format!("there is no model `{name}`"), name, known.into_iter())
        })
    }

    /// Encloses the value of a program of type `Real` within a minute. The width is at most `eps` if the result is
    /// [reached](real::RefinedEnclosure::reached).
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
    pub fn enclose(&self, program: &str, eps: f64) -> Result<real::RefinedEnclosure, SessionError> {
        let width = Rational::from_f64(eps).filter(|eps| *eps > 0).ok_or(SessionError::Width { eps })?;
        self.enclose_to(program, width)
    }

    /// Encloses the value of a program of type `Real` within a minute. It has the given accuracy if the result is
    /// [reached](real::RefinedEnclosure::reached).
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
    /// let found = session.enclose_to("exp (-1000)", Accuracy::significant_digits(12))?;
    /// assert!(found.reached);
    /// assert!(*found.enclosure.lo() > decimal::parse("5.075958897549e-435").unwrap());
    /// assert!(*found.enclosure.hi() < decimal::parse("5.075958897550e-435").unwrap());
    /// // what may be 0 has no digits, but a width
    /// let zero = "sin pi";
    /// assert!(!session.enclose_to(zero, Accuracy::significant_digits(12))?.reached);
    /// assert!(session.enclose_to(zero, Accuracy::significant_digits(12).or_within(Rational::from((1, 1000))))?.reached);
    /// # Ok::<(), SessionError>(())
    /// ```
    pub fn enclose_to(
        &self,
        program: &str,
        accuracy: impl Into<Accuracy>,
    ) -> Result<real::RefinedEnclosure, SessionError> {
        let accuracy = accuracy.into();
        if !accuracy.is_positive() {
            return Err(SessionError::Accuracy);
        }
        let (term, ty) = self.infer(program)?;
        if ty != Ty::real() {
            return Err(SessionError::NotReal { ty });
        }
        let limits = Limits::within_time(DEFAULT_TIME);
        let found = meaning::presheaf::PresheafSemantics.evaluate_to(
            &term,
            &ty,
            &accuracy,
            &Arc::new(limits.start_budget()),
        )?;
        match found.value {
            Value::Real(AnswerNumber::Enclosure(answer)) => Ok(*answer),
            _ => Err(SessionError::NotReal { ty }),
        }
    }

    /// Creates a session with the theories of `library` only. Their texts are not known, so errors in them have no
    /// position.
    #[must_use]
    pub fn with_library(library: Library) -> Self {
        let (definitions, sources) = (Definitions::default(), Arc::new([]));
        Self { library, definitions, sources, semantics: Vec::new(), uses: None, base_types: Vec::new() }
    }

    /// Replaces the theories, and keeps the definitions as they are: they are not typed again.
    #[must_use]
    pub fn with_texts(&self, texts: &TheoryTexts) -> Self {
        let mut library = texts.library().clone();
        self.definitions.add_to(&mut library);
        Self { library, sources: module_sources(texts), ..self.clone() }
    }

    /// Replaces the theories, and types the definitions again. Returns the new session, and the definitions that are
    /// ill-typed there, with their errors.
    #[must_use]
    pub fn retype_over(&self, texts: &TheoryTexts) -> (Self, Vec<(SessionDefinition, ProgramError)>) {
        let mut library = texts.library().clone();
        let (definitions, wrong) = self.definitions.retype_in(&mut library);
        (Self { library, definitions, sources: module_sources(texts), ..self.clone() }, wrong)
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
    pub fn define(&mut self, source: Arc<SourceText>) -> Result<&SessionDefinition, ProgramError> {
        self.definitions.define(&mut self.library, source)
    }

    /// Binds `ans` to a program: to the term, not to its enclosure.
    pub fn bind_answer(&mut self, source: Arc<SourceText>, term: Term, ty: Ty) {
        self.definitions.bind_answer(&mut self.library, source, term, ty);
    }

    /// Infers the type of an expression. Returns its elaborated term and the type.
    ///
    /// # Errors
    /// The first error of syntax, names or types.
    pub fn infer(&self, text: &str) -> Result<(Term, Ty), ProgramError> {
        let (term, ty) = compile::infer_expression(&self.library, text)?;
        foreign::record_uses(self, &term);
        Ok((term, ty))
    }

    /// Checks an expression against a type without parameters. Returns its elaborated term, overloading resolved by
    /// that type.
    ///
    /// # Errors
    /// The first error of syntax, names or types.
    pub fn infer_at(&self, text: &str, ty: &Ty) -> Result<Term, ProgramError> {
        let term = compile::infer_at(&self.library, text, ty)?;
        foreign::record_uses(self, &term);
        Ok(term)
    }

    /// Returns the loaded theories, with a module of the session's definitions.
    #[must_use]
    pub fn library(&self) -> &Library {
        &self.library
    }
}

fn module_sources(texts: &TheoryTexts) -> Arc<[(Name, Arc<SourceText>)]> {
    texts.texts().iter().map(|text| (text.name.clone(), text.source.clone())).collect()
}

impl Session {
    /// Compiles a program to the map ℝⁿ ⇝ ℝᵐ that it denotes; the dimensions are found at run time. The type of the
    /// program is `A -> B`, or `A -> B -> C` and so on, where all of these are vectors: real numbers, tuples of
    /// vectors, unit. The coordinates are those of the arguments from left to right, and of the value.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::NotMap`] for a program of another type.
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// let f = Session::new().compile("\\(x, y) => x * integral01 (\\t => max t y)")?;
    /// // 2 · (1 + y²)/2 at y = ½, enclosed
    /// let value = &f.doubles_slice(&[2.0, 0.5])?[0];
    /// assert!(*value.lo() <= 1.25 && 1.25 <= *value.hi());
    /// // in one sweep: (1 + y²)/2 and x·y
    /// for (slope, true_value) in f.vjp_doubles_slice(&[2.0, 0.5], &[1.0])?.iter().zip([0.625, 1.0]) {
    ///     assert!(*slope.lo() <= true_value && true_value <= *slope.hi());
    /// }
    /// // without a solver it runs on plain doubles too
    /// let mut valley = Session::new().compile("\\x y => (1 - x)^2 + 100 * (y - x^2)^2")?.tape()?;
    /// let mut gradient = [0.0; 2];
    /// assert_eq!(valley.gradient(&[1.0, 2.0], &mut gradient), 100.0);
    /// assert_eq!(gradient, [-400.0, 200.0]);
    /// assert!(Session::new().compile("sqrt 2").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(&self, program: &str) -> Result<Map<Dyn, Dyn>, SessionError> {
        self.compile_within(program, &Arc::new(Budget::with_time_limit(DEFAULT_TIME)))
    }

    /// Compiles a program like [`Session::compile`], within `budget` instead of a minute.
    ///
    /// # Errors
    /// As for [`Session::compile`].
    pub fn compile_within(&self, program: &str, budget: &Arc<Budget>) -> Result<Map<Dyn, Dyn>, SessionError> {
        let (term, ty) = self.infer(program)?;
        map_of_program(&term, &ty, budget)?.ok_or(SessionError::NotMap { ty })
    }
}

impl Session {
    /// Returns the real number that a program of type `RefinableReal` denotes. It can be enclosed repeatedly, and keeps its best
    /// enclosure.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::NotReal`].
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// let budget = std::sync::Arc::new(Budget::unlimited());
    /// let root = Session::new().compile_real("sqrt 2", &budget)?;
    /// let coarse = root.enclose(&Rational::from((1, 10)), &budget)?.enclosure;
    /// let fine = root.enclose(&Rational::from((1, 1_000_000)), &budget)?.enclosure;
    /// assert!(coarse.specializes(&fine) && root.best_enclosure() == fine);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_real(
        &self,
        program: &str,
        budget: &Arc<Budget>,
    ) -> Result<RefinableReal<GraphEvaluation>, SessionError> {
        let (term, ty) = self.infer(program)?;
        match PresheafInterpreter::new(budget.clone()).interpret_program(&term)? {
            Element::Real(graph) => {
                Ok(graph.to_real().map_err(|error| SessionError::Evaluation { error, place: None })?)
            }
            _ => Err(SessionError::NotReal { ty }),
        }
    }
}

impl Session {
    /// Compiles a program with recursions and conditionals to a partial map ℝⁿ ⇀ ℝᵐ (A §2). Evaluation is by value, and
    /// undefined on the border of a condition. The map runs on numbers of any [kind](crate::trace::number), forwards
    /// and in reverse. Its coordinates are those of [`Session::compile`]; a program without parameters is a map from
    /// ℝ⁰.
    ///
    /// # Errors
    /// Those of [`Session::ask`]; [`SessionError::Semantics`] for a program with other constructs.
    ///
    /// # Examples
    /// ```
    /// use smoothish::prelude::*;
    /// use smoothish::trace::number::Doubles;
    /// // a thousand steps of Newton's method, counted
    /// let root = Session::new().compile_partial(
    ///     "let rec newton (n : Real) (x : Real) (a : Real) : Real = \
    ///        if n < 1/2 then x else newton (n - 1) ((x + a / x) / 2) a in \
    ///      newton 1000 1",
    /// )?;
    /// let [value, slope] = root.pull_back_at(&Doubles, &Budget::unlimited(), &[2.0], &[1.0])?;
    /// assert!((value[0] - 2f64.sqrt()).abs() < 1e-15 && (slope[0] - 0.5 / 2f64.sqrt()).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_partial(&self, program: &str) -> Result<CompiledProgram, SessionError> {
        let (term, _) = self.infer(program)?;
        let program =
            embed_program(&term).map_err(|error| SessionError::Semantics(SemanticsError::from_failure(error)))?;
        CompiledProgram::from_program(&program)
            .map_err(|error| SessionError::Semantics(SemanticsError::from_failure(error)))
    }
}

/// Constants from outside: see [`foreign`].
impl Session {
    /// Begins the definition of a functional `(Real -> Real) -> Real`, by a family that is natural by its type (S §5.2).
    ///
    /// The family makes graphs of graphs, so that derivatives of every order are those of its graph. The model `presheaf` has it.
    ///
    /// # Examples
    /// The mean of f under the arcsine distribution, ∫₀¹ f(sin²(πt/2)) dt; that of exp is e^(1/2)·I₀(1/2).
    /// ```
    /// use smoothish::prelude::*;
    /// use smoothish::presheaf::exponential::{ExponentialElement, Functional, NaturalFamily, PresheafTransformation};
    /// use smoothish::presheaf::foreign::RealFunctions;
    /// use smoothish::presheaf::RealPresheaf;
    /// use typenum::U0;
    /// let arcsine = PresheafTransformation::<RealFunctions, RealPresheaf>::new(|space, f| {
    ///     let moved = ExponentialElement::<RealPresheaf, RealPresheaf, _>::curry::<RealFunctions>(space, f, |space, f, t| {
    ///         let pi = space.terminal().then(&Map::<U0, U1>::pi());
    ///         f.apply(&space.id(), &(t * &pi / 2).sin().powi(2))
    ///     });
    ///     Functional::Integral.apply_at(&moved)
    /// });
    /// let mut session = Session::new();
    /// session.define_functional("arcsine", arcsine).add()?;
    /// let mean = session.enclose("arcsine exp", 1e-9)?.enclosure;
    /// assert!(mean.lo().to_f64() <= 1.753387654377090 && 1.753387654377090 <= mean.hi().to_f64());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn define_functional(
        &mut self,
        name: &str,
        family: PresheafTransformation<RealFunctions, RealPresheaf>,
    ) -> FunctionalBuilder<'_> {
        foreign::build_functional(self, name, foreign::meaning_of_family(name, family))
    }

    /// Begins the definition of a functional `(Real -> Real) -> Real` that sees functions by enclosures alone, with its derivative.
    ///
    /// Such a functional is natural. If it is said to be linear, that is tried with two functions. The derivative is tested by
    /// mean values. The model `presheaf` has it.
    ///
    /// The functional runs on the thread of the question. It must return once
    /// [`FunctionalEffort::is_exhausted`](crate::number::foreign::FunctionalEffort::is_exhausted) does.
    pub fn define_functional_primitive(
        &mut self,
        name: &str,
        extension: impl FunctionalExtension + 'static,
        derivative: FunctionalDerivative,
    ) -> FunctionalBuilder<'_> {
        let functional = FunctionalMeaning::new(name, Arc::new(extension), derivative);
        foreign::build_functional(self, name, ForeignMeaning::Functional(functional))
    }

    /// Begins the definition of a base type: a presheaf, with constants that are natural transformations (S Fig. 5, ⌊K⌋).
    ///
    /// Values of the type are elements of the presheaf. Programs make and use them by the constants. The laws of presheaves, and
    /// that the constants are natural, are tried on random elements. The model `presheaf` has the type. The example `own_type` is a
    /// circle.
    pub fn define_type<F: BaseType>(&mut self, name: &str) -> TypeBuilder<'_, F> {
        foreign::build_type(self, name)
    }

    /// Begins the definition of a constant of type `Real -> Real`, by an interval extension (S Fig. 5, ⌊k⌋).
    ///
    /// The slope is a program, and it may mention the constant. So derivatives of every order, reverse mode and the Taylor macro
    /// follow. Enclosures and slope are tested on the boxes, where their errors can be refuted: see
    /// [`primitive`](crate::smooth::map::primitive). The rest is trusted, and each answer says so.
    ///
    /// The name belongs to this session: in another one it is another constant. A program that outlives all sessions with the
    /// constant cannot be interpreted any more.
    ///
    /// # Errors
    /// [`ConstantBuilder::add`] returns every [`ConstantError`]. A function that fails later makes the question fail, with the name
    /// of the constant: see [`ExtensionFault`](crate::number::foreign::ExtensionFault).
    ///
    /// # Examples
    /// ```
    /// use smoothish::number::foreign::RationalExtension;
    /// use smoothish::prelude::*;
    /// let mut session = Session::new();
    /// // x ↦ x², enclosed on intervals with rational ends
    /// let square = RationalExtension::new(|lo, hi| {
    ///     let (a, b) = (Rational::from(lo * lo), Rational::from(hi * hi));
    ///     let least = if *lo <= 0 && *hi >= 0 { Rational::new() } else { a.clone().min(b.clone()) };
    ///     Ok(Some([least, a.max(b)]))
    /// });
    /// session.define_constant("squared", square).slope(r"\x => 2 * x").boxes([(-2, 2)]).add()?;
    /// let slope = session.enclose(r"deriv (\x => squared (sin x)) 1", 1e-9)?.enclosure;
    /// // 2 · sin 1 · cos 1 = sin 2
    /// assert!(slope.lo().to_f64() <= 2f64.sin() && 2f64.sin() <= slope.hi().to_f64());
    /// // a wrong slope
    /// let cube = RationalExtension::new(|lo, hi| {
    ///     Ok(Some([lo, hi].map(|x| Rational::from(x * x) * x)))
    /// });
    /// assert!(session.define_constant("cubed", cube).slope(r"\x => 2 * x^2").boxes([(0, 1)]).add().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn define_constant(&mut self, name: &str, extension: impl Extension + 'static) -> ConstantBuilder<'_> {
        foreign::build_constant(self, name, Arc::new(extension))
    }

    /// Adds a constant that another session, such as a copy of this one, has defined.
    ///
    /// # Errors
    /// [`ConstantError::Name`], [`ConstantError::Taken`].
    pub fn adopt_constant(&mut self, constant: &SessionDefinition) -> Result<&SessionDefinition, ConstantError> {
        foreign::check_free_name(self, constant.name())?;
        Ok(self.definitions.push_entry(&mut self.library, constant.clone()))
    }

    /// Returns the definitions of the constants from outside, in the order in which they were made. Theories see them if they are
    /// [inserted](crate::theory::texts::TheoryTexts::insert_definition) before these are defined.
    pub fn foreign_definitions(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.definitions.foreign_definitions()
    }
}
