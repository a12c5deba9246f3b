//! The questions `Evidence` and `Expectation`: normalising constants and expectations of probabilistic programs.

use super::evaluate::sampled;
use super::{Question, Scope};
use crate::failure::ErrorKind;
use crate::measure::evidence::{evidence, expectation, log_evidence};
use crate::measure::{self, Fault};
use crate::model::answer::Number;
use crate::number::budget::Budget;
use crate::number::real::Refined;
use crate::number::{Accuracy, Enclosure, Magnitude, Rational};
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::reach::Reach;
use crate::session::tolerance::{Goal, IntoTolerance, Tolerance, ToleranceError, USUAL, place};
use crate::session::{Session, SessionError};
use crate::syntax::source::Source;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use std::sync::Arc;

/// The reciprocal of the part of the time spent on a rough normalising constant, whose derivative is requested. A
/// choice.
const PART_FOR_THE_MASS: u32 = 4;

/// The highest order of a derivative in the parameter. A choice.
pub const MOST_ORDER: u32 = 8;

/// An enclosure of a sum over the paths of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Integral {
    /// An enclosure of the number. It is not defined unless the number is shown to exist.
    pub enclosure: Enclosure,
    /// The requested accuracy.
    pub goal: Goal,
    /// The number of paths that contribute to the sum.
    pub paths: usize,
    /// The number of paths that were not explored to their end, or not integrated.
    pub open: usize,
    /// An upper bound on the probability of all unexplored paths.
    pub rest: Enclosure,
    /// The assumptions that the enclosure relies on.
    pub assumed: Vec<String>,
    /// `true` if one of them was not requested by the user: for example, that no score is negative.
    pub unproved: bool,
    /// The reason why the goal is missed, if it is and the reason is known.
    pub why: Option<String>,
}

/// The arguments that both questions share.
#[derive(Clone, Debug)]
struct Asked {
    model: Arc<Source>,
    at: Result<Option<Rational>, String>,
    order: u32,
    weight_at_most: Result<Option<Tolerance>, ToleranceError>,
    goal: Result<Goal, ToleranceError>,
}

impl Asked {
    fn of(model: Arc<Source>) -> Self {
        Self { model, at: Ok(None), order: 0, weight_at_most: Ok(None), goal: Ok(Goal::default()) }
    }

    /// Parses the program, and the arguments except for the accuracy.
    fn read(&self, session: &Session) -> Result<(Read, measure::Question), Diagnostic> {
        let at = self.at.clone().map_err(|error| Diagnostic::wrong(format!("error: {error}")).named("parameter"))?;
        if self.order > MOST_ORDER {
            let order = self.order;
            let text = format!("error: derivatives in the parameter go up to order {MOST_ORDER}, not {order}");
            return Err(Diagnostic::wrong(text).named("order"));
        }
        let most = self.weight_at_most.as_ref().map_err(|error| {
            let text = match error {
                ToleranceError::NotPositive => "a bound of weights must be greater than 0".to_owned(),
                other => other.to_string(),
            };
            Diagnostic::wrong(format!("error: {text}")).named("tolerance")
        })?;
        let read = read(session, at.is_some(), &self.model)?;
        let weight_at_most = most.as_ref().map(|most| most.value().clone());
        Ok((read, measure::Question { at, order: self.order, weight_at_most, eps: Rational::new() }))
    }
}

macro_rules! asked {
    ($question:ident) => {
        impl $question {
            /// Sets the parameter of the program: a decimal or a fraction, parsed exactly.
            #[must_use]
            pub fn at(mut self, text: &str) -> Self {
                self.asked.at = place(text).map(Some);
                self
            }

            /// Sets the exact value of the parameter of the program.
            #[must_use]
            pub fn at_exactly(mut self, place: Rational) -> Self {
                self.asked.at = Ok(Some(place));
                self
            }

            /// Requests a derivative in the parameter, up to order 8.
            #[must_use]
            pub fn derivative(mut self, order: u32) -> Self {
                self.asked.order = order;
                self
            }

            /// Assumes an upper bound on every product of weights, for the unexplored paths where none is known.
            #[must_use]
            pub fn weight_at_most(mut self, most: impl IntoTolerance) -> Self {
                self.asked.weight_at_most = most.into_tolerance().map(Some);
                self
            }

            /// Sets the requested accuracy.
            #[must_use]
            pub fn goal(mut self, goal: Goal) -> Self {
                self.asked.goal = Ok(goal);
                self
            }

            /// Requests an interval of at most this width.
            #[must_use]
            pub fn within(mut self, eps: impl IntoTolerance) -> Self {
                self.asked.goal =
                    self.asked.goal.and_then(|goal| Ok(Goal { eps: Some(eps.into_tolerance()?), ..goal }));
                self
            }

            /// Requests an interval of at most this width relative to the number.
            #[must_use]
            pub fn relative(mut self, rel: impl IntoTolerance) -> Self {
                self.asked.goal =
                    self.asked.goal.and_then(|goal| Ok(Goal { rel: Some(rel.into_tolerance()?), ..goal }));
                self
            }
        }
    };
}

/// A question for the normalising constant of a program of type `P A` or `Real -> P A`: its evidence.
///
/// By default it is enclosed to 10⁻⁶ of its size; its logarithm to a width of 10⁻⁶.
///
/// # Examples
/// ```
/// use smoothish::number::Rational;
/// use smoothish::session::{Evidence, Limits, Session};
/// // ∫₀¹ p⁷ (1 − p)³ dp = 1/1320
/// let model = "do { p <- sample (uniformOn 0 1); score (p^7*(1-p)^3); return p }";
/// let mass = Session::new().ask(&Evidence::new(model), &Limits::seconds(60))?;
/// assert!(mass.is_reached() && mass.value().enclosure.contains(&Rational::from((1, 1320))));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Evidence {
    asked: Asked,
    log: bool,
}
asked!(Evidence);

impl Evidence {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self { asked: Asked::of(Arc::new(Source::new(MODEL, model))), log: false }
    }

    /// Requests the logarithm. It has no lower bound if the constant is not shown to be positive.
    #[must_use]
    pub fn log(self, log: bool) -> Self {
        Self { log, ..self }
    }
}

/// A question for an expectation: the mean of a function `A -> Real` of the value of a program of type `P A`. The
/// distribution is proportional to the weights.
///
/// # Examples
/// ```
/// use smoothish::session::{Expectation, Limits, Session};
/// // E x² = t² + 1 has the derivative 2t
/// let model = r"\t => sample (normal t 1)";
/// let slope = Expectation::new(model, r"\x => x^2").at("1/2").derivative(1).within(1e-9);
/// let slope = Session::new().ask(&slope, &Limits::seconds(60))?;
/// assert!(slope.value().enclosure.contains(&1.into()));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expectation {
    asked: Asked,
    of: Arc<Source>,
}
asked!(Expectation);

impl Expectation {
    /// Creates the question for a program and a function.
    #[must_use]
    pub fn new(model: &str, of: &str) -> Self {
        Self { asked: Asked::of(Arc::new(Source::new(MODEL, model))), of: Arc::new(Source::new(FUNCTION, of)) }
    }
}

/// The name of the text of a program in messages.
pub(super) const MODEL: &str = "model";
/// The name of the text of a function in messages.
pub(super) const FUNCTION: &str = "function";

impl Question for Evidence {
    type Output = Integral;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Integral, Diagnostic> {
        let (Read { term, takes_parameter, .. }, mut question) = self.asked.read(session)?;
        if self.log && question.order > 0 {
            let text = "error: the logarithm of a mass is asked for itself, not for its derivatives";
            return Err(Diagnostic::wrong(text).named("order"));
        }
        let budget = on.budget().clone();
        let asked = session.goal_as_asked(&self.asked.goal)?;
        let goal = match (self.log, question.order) {
            (true, _) => asked.or_power(USUAL),
            (false, 0) => asked.or_part(USUAL),
            (false, order) if asked == Goal::default() => {
                // The default width of a derivative is relative to the constant, not to the derivative, which may be 0.
                question.order = 0;
                let goal = of_the_mass(&term, takes_parameter, &question, &budget);
                question.order = order;
                goal
            }
            (false, _) => asked,
        };
        let found = match self.log {
            true => log_evidence(&term, takes_parameter, &question, &goal.accuracy(), &budget),
            false => evidence(&term, takes_parameter, &question, &goal.accuracy(), &budget),
        };
        let found = found.map_err(|fault| session.without_measure(&self.asked.model, fault))?;
        Ok(told(found, goal, on))
    }
}

impl Question for Expectation {
    type Output = Integral;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Integral, Diagnostic> {
        let (Read { term, gives, takes_parameter }, question) = self.asked.read(session)?;
        let goal = session.goal_as_asked(&self.asked.goal)?.or_power(USUAL);
        let of = session.typed(&self.of, &Ty::function(gives, Ty::real()))?;
        let found = expectation(&term, takes_parameter, &of, &question, &goal.accuracy(), on.budget());
        let found = found.map_err(|fault| session.without_measure(&self.asked.model, fault))?;
        Ok(told(found, goal, on))
    }
}

/// Records the notes on a sum over paths.
fn told(found: measure::Answer, goal: Goal, on: &mut Scope<'_>) -> Integral {
    let measure::Answer { enclosure, paths, open, rest, assumed, unproved, why } = found;
    for text in &assumed {
        on.note(Note::new("assumed", NoteKind::Assumption, format!("assumed: {text}")));
    }
    let is_narrow = Reach::of(&enclosure, &goal.accuracy()) == Reach::Reached;
    // An answer that relies on an unproved assumption does not reach the goal.
    if !is_narrow || unproved {
        on.is_wide();
        if on.budget().is_exhausted() {
            on.is_cut_short();
        }
        let mut outcome = |id, text: String| on.note(Note::new(id, NoteKind::Outcome, text));
        let left = rest.decimals(&Rational::from((1, 1_000_000)));
        let counted = if paths == 1 { "path" } else { "paths" };
        outcome("paths", format!("{paths} {counted} summed; what is left has at most the chance {}", left.hi()));
        if let Some(why) = &why {
            outcome("why", why.clone());
        }
        if is_narrow {
            outcome("unproved", "that is not shown, so the interval need not hold the number".to_owned());
        } else {
            let number = Refined { enclosure: enclosure.clone(), ..Refined::unknown() };
            outcome("wide", goal.missed(&Value::Real(Number::Enclosure(Box::new(number))), ""));
        }
    }
    Integral { enclosure, goal, paths, open, rest, assumed, unproved, why }
}

/// Returns the default accuracy of a derivative of a normalising constant: 10⁻⁶ of the constant. The constant is
/// enclosed to one digit in a part of the time.
fn of_the_mass(term: &Term, takes_parameter: bool, question: &measure::Question, budget: &Arc<Budget>) -> Goal {
    let time = budget.remaining().map(|left| left / PART_FOR_THE_MASS);
    let part = Arc::new(budget.part(u64::MAX, time));
    let rough = evidence(term, takes_parameter, question, &Accuracy::digits(1), &part);
    let size = rough.ok().and_then(|answer| answer.enclosure.lo().to_rational()).filter(|size| *size > 0 && *size < 1);
    // A power of ten no greater than the constant m: if m ≥ 2⁻ᴸ, then 10^(-⌈L/3⌉) ≤ 8^(-L/3) ≤ m.
    let power = size.map_or(0, |size| Magnitude::from_rational(&size).log2().unsigned_abs().div_ceil(3));
    let usual = || Goal::default().or_power(USUAL);
    format!("1e-{}", power + u64::from(USUAL.unsigned_abs())).parse().map_or_else(|_| usual(), Goal::within)
}

/// A probabilistic program, parsed and typed.
#[derive(Clone, Debug)]
pub struct Read {
    /// The program.
    pub term: Term,
    /// The type of its values.
    pub gives: Ty,
    /// `true` if it is a function of a parameter.
    pub takes_parameter: bool,
}

/// Parses a probabilistic program of type `P A`, or `Real -> P A` if the caller has a value for its parameter.
///
/// # Errors
/// A [`Diagnostic`]: the program is wrong, or has another type.
pub fn read(session: &Session, has_place: bool, source: &Arc<Source>) -> Result<Read, Diagnostic> {
    let (mut term, mut ty) = session.inferred(source)?;
    if !ty.is_closed() {
        // Type variables that are left open stand for numbers.
        ty = ty.with_real();
        term = session.typed(source, &ty)?;
    }
    let (gives, takes_parameter) = match (sampled(&ty), ty.kind()) {
        (Some(gives), _) => (gives, false),
        (None, TyKind::Function(a, b)) if *a == Ty::real() && sampled(b).is_some() => {
            (sampled(b).unwrap_or_else(Ty::unit), true)
        }
        _ => {
            return Err(Diagnostic::wrong(format!(
                "error: expected a program that samples, of type P A or Real -> P A, found one of type {ty}\n  = help: for \
                 example do {{ x <- sample (normal 0 1); observe (normal x 1) 3; return x }}"
            )));
        }
    };
    match (takes_parameter, has_place) {
        (true, false) => {
            Err(Diagnostic::wrong("error: the program is a function of a parameter\n  = help: --at T says where it is"))
        }
        (false, true) => Err(Diagnostic::wrong(format!(
            "error: --at is for a program of type Real -> P A, and this one has the type {ty}\n  = help: \\t => do {{ … }} is a \
             function of its parameter t"
        ))),
        _ => Ok(Read { term, gives, takes_parameter }),
    }
}

impl Session {
    /// Infers the type of a text, with diagnostics in its source.
    pub(super) fn inferred(&self, source: &Arc<Source>) -> Result<(Term, Ty), Diagnostic> {
        self.infer(&source.text).map_err(|error| self.diagnose(source, &error.into()))
    }

    /// Checks a text against a type, with diagnostics in its source.
    pub(crate) fn typed(&self, source: &Arc<Source>, ty: &Ty) -> Result<Term, Diagnostic> {
        self.infer_at(&source.text, ty).map_err(|error| self.diagnose(source, &error.into()))
    }

    /// Returns the requested accuracy without a default.
    fn goal_as_asked(&self, goal: &Result<Goal, ToleranceError>) -> Result<Goal, Diagnostic> {
        goal.clone().map_err(|error| Diagnostic::wrong(format!("error: {error}")).named("tolerance"))
    }

    /// Returns the requested width, or the default one.
    pub(super) fn width(&self, eps: &Result<Option<Tolerance>, ToleranceError>) -> Result<Goal, Diagnostic> {
        let eps = eps.as_ref().map_err(|error| Diagnostic::wrong(format!("error: {error}")).named("tolerance"))?;
        Ok(Goal::of_width(eps.as_ref(), USUAL))
    }

    /// Renders an error of a measure.
    pub(crate) fn without_measure(&self, source: &Arc<Source>, fault: Fault) -> Diagnostic {
        match fault {
            Fault::Meaning(error) => self.diagnose(source, &SessionError::Meaning(error)),
            fault if fault.has_no_answer() => Diagnostic::nothing(format!("error: {fault}")),
            fault => Diagnostic::shown("measure", ErrorKind::Wrong, format!("error: {fault}")),
        }
    }
}
