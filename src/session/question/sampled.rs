//! The questions `Evidence` and `Expectation`: normalising constants and expectations of probabilistic programs.
//!
//! # Pushforward questions
//!
//! Questions about functions of the values of a probabilistic program: densities of pushforwards, gradient estimators.

use super::evaluate::sampled_type;
use super::{Question, QuestionContext};
use crate::measure;
use crate::measure::change::{ChangeOfVariablesError, Multiplicity, PushforwardDensity, pushforward_density};
use crate::measure::estimator::{EstimatorComparison, compare_estimators};
use crate::measure::evidence::{evidence_to_accuracy, log_evidence};
use crate::measure::loops::{enclose_calls, loop_argument_types};
use crate::model::answer::AnswerNumber;
use crate::number::budget::Budget;
use crate::number::real::RefinedEnclosure;
use crate::number::{Accuracy, Enclosure, Magnitude, Rational};
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::tolerance::{
    AccuracyClass, AccuracyGoal, DEFAULT_WIDTH_EXPONENT, IntoTolerance, Tolerance, ToleranceError, parse_exact,
};
use crate::syntax::source::SourceText;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use std::sync::Arc;

/// The reciprocal of the part of the time spent on a rough normalising constant, whose derivative is requested. A
/// choice.
const NORMALISER_TIME_SHARE: u32 = 4;

/// The highest order of a derivative in the parameter. A choice.
pub const MOST_ORDER: u32 = 8;

/// An enclosure of a sum over the paths of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WeightedPathSum {
    /// An enclosure of the number. It is not defined unless the number is shown to exist.
    pub enclosure: Enclosure,
    /// The requested accuracy.
    pub goal: AccuracyGoal,
    /// The number of paths that contribute to the sum.
    pub paths: usize,
    /// The number of paths that were not explored to their end, or not integrated.
    pub unexplored_paths: usize,
    /// An upper bound on the probability of all unexplored paths.
    pub unexplored_mass: Enclosure,
    /// The assumptions that the enclosure relies on.
    pub assumed: Vec<String>,
    /// `true` if one of them was not requested by the user: for example, that no score is negative.
    pub unproved: bool,
    /// The reason why the goal is missed, if it is and the reason is known.
    pub why: Option<String>,
}

/// The arguments that both questions share.
#[derive(Clone, Debug)]
struct MeasureArguments {
    model: Arc<SourceText>,
    at: Result<Option<Vec<Rational>>, String>,
    order: u32,
    /// The number of the parameter in which a derivative is taken, from 0. `None` if there is only one.
    partial: Option<usize>,
    weight_at_most: Result<Option<Tolerance>, ToleranceError>,
    goal: Result<AccuracyGoal, ToleranceError>,
}

impl MeasureArguments {
    fn for_model(model: Arc<SourceText>) -> Self {
        Self {
            model,
            at: Ok(None),
            order: 0,
            partial: None,
            weight_at_most: Ok(None),
            goal: Ok(AccuracyGoal::default()),
        }
    }

    /// Parses the program, and the arguments except for the accuracy.
    fn parse_arguments(
        &self,
        session: &Session,
    ) -> Result<(ProbabilisticProgram, measure::MeasureQuestion), Diagnostic> {
        let at = self
            .at
            .clone()
            .map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("parameter"))?;
        if self.order > MOST_ORDER {
            let order = self.order;
            let text = format!("error: derivatives in the parameter go up to order {MOST_ORDER}, not {order}");
            return Err(Diagnostic::invalid_input(text).with_id("order"));
        }
        let most = self.weight_at_most.as_ref().map_err(|error| {
            let text = match error {
                ToleranceError::NotPositive => "a bound of weights must be greater than 0".to_owned(),
                other => other.to_string(),
            };
            Diagnostic::invalid_input(format!("error: {text}")).with_id("tolerance")
        })?;
        let read = read_probabilistic_program(session, at.is_some(), &self.model)?;
        let (read, at) = read.fix_parameters(at.as_deref().unwrap_or_default(), self.order, self.partial)?;
        let weight_at_most = most.as_ref().map(|most| most.value().clone());
        Ok((
            read,
            measure::MeasureQuestion {
                parameter: at,
                derivative_order: self.order,
                weight_bound: weight_at_most,
                eps: Rational::new(),
            },
        ))
    }
}

macro_rules! measure_question_builders {
    ($question:ident) => {
        impl $question {
            /// Sets the parameter of the program: a decimal or a fraction, parsed exactly, or several in the form
            /// `(1, 1/2)`.
            #[must_use]
            pub fn at(mut self, text: &str) -> Self {
                self.asked.at = parse_exact_point(text).map(Some);
                self
            }

            /// Sets the exact numbers of the parameter of the program, a tuple.
            #[must_use]
            pub fn at_point(mut self, point: Vec<Rational>) -> Self {
                self.asked.at = Ok(Some(point));
                self
            }

            /// Requests derivatives in this number of the parameter, from 0, where it is a tuple. The derivatives in all of
            /// them, of order 1, are the gradient.
            #[must_use]
            pub fn partial(mut self, index: usize) -> Self {
                self.asked.partial = Some(index);
                self
            }

            /// Returns the questions for the partial derivatives of order 1: together they are the gradient.
            #[must_use]
            pub fn gradient(&self) -> Vec<Self> {
                let count = self.asked.at.iter().flatten().map(Vec::len).sum();
                (0..count).map(|index| self.clone().derivative(1).partial(index)).collect()
            }

            /// Sets the exact value of the parameter of the program.
            #[must_use]
            pub fn at_exactly(mut self, place: Rational) -> Self {
                self.asked.at = Ok(Some(vec![place]));
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
            pub fn goal(mut self, goal: AccuracyGoal) -> Self {
                self.asked.goal = Ok(goal);
                self
            }

            /// Requests an interval of at most this width.
            #[must_use]
            pub fn within(mut self, eps: impl IntoTolerance) -> Self {
                self.asked.goal =
                    self.asked.goal.and_then(|goal| Ok(AccuracyGoal { eps: Some(eps.into_tolerance()?), ..goal }));
                self
            }

            /// Requests an interval of at most this width relative to the number.
            #[must_use]
            pub fn relative(mut self, rel: impl IntoTolerance) -> Self {
                self.asked.goal =
                    self.asked.goal.and_then(|goal| Ok(AccuracyGoal { rel: Some(rel.into_tolerance()?), ..goal }));
                self
            }
        }
    };
}

/// Parses a point, one number or several in parentheses, with commas between them.
fn parse_exact_point(text: &str) -> Result<Vec<Rational>, String> {
    let inner = text.trim();
    let inner = inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(inner);
    inner.split(',').map(|part| parse_exact(part.trim())).collect()
}

/// A question for the normalising constant of a program of type `P A`, `Real -> P A` or `Real * Real -> P A`: its evidence.
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
    asked: MeasureArguments,
    with_log: bool,
}
measure_question_builders!(Evidence);

impl Evidence {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self { asked: MeasureArguments::for_model(Arc::new(SourceText::new(MODEL, model))), with_log: false }
    }

    /// Requests the logarithm. It has no lower bound if the constant is not shown to be positive.
    #[must_use]
    pub fn with_log(self, log: bool) -> Self {
        Self { with_log: log, ..self }
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
/// // of several numbers: E x² = m² + s² has the gradient (2m, 2s)
/// let both = Expectation::new(r"\(m, s) => sample (normal m s)", r"\x => x^2").at("(1, 1/2)").within(1e-9);
/// for (partial, truth) in both.gradient().iter().zip([2, 1]) {
///     assert!(Session::new().ask(partial, &Limits::seconds(60))?.value().enclosure.contains(&truth.into()));
/// }
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expectation {
    asked: MeasureArguments,
    /// The function. `None` for the number of calls of the program's loop.
    of: Option<Arc<SourceText>>,
    /// The bound of what is left of the loop. `None` if one is to be found.
    bound: Option<Arc<SourceText>>,
}
measure_question_builders!(Expectation);

impl Expectation {
    /// Creates the question for a program and a function.
    #[must_use]
    pub fn new(model: &str, of: &str) -> Self {
        Self {
            asked: MeasureArguments::for_model(Arc::new(SourceText::new(MODEL, model))),
            of: Some(Arc::new(SourceText::new(FUNCTION, of))),
            bound: None,
        }
    }

    /// Creates the question for the mean number of calls of the loop of a program, which has no scores and no parameter.
    #[must_use]
    pub fn of_calls(model: &str) -> Self {
        Self { asked: MeasureArguments::for_model(Arc::new(SourceText::new(MODEL, model))), of: None, bound: None }
    }

    /// Gives a bound V of what is left of the program's loop: a polynomial of the arguments of its calls, as `\\n s => n + 2 - 2*s`.
    ///
    /// V(s) has to be at least 0, and at least the mean of what a step from s costs, plus V after it. The cost is the absolute value
    /// of the function of what is returned, or 1 for each call. That is checked, and a bound that is not proved is refused.
    #[must_use]
    pub fn bound(self, text: &str) -> Self {
        Self { bound: Some(Arc::new(SourceText::new(BOUND, text))), ..self }
    }

    /// Parses the bound of what is left of the loop of a program.
    fn read_bound(
        &self,
        session: &Session,
        program: &ProbabilisticProgram,
        order: u32,
    ) -> Result<Option<Term>, Diagnostic> {
        let Some(source) = &self.bound else { return Ok(None) };
        if order > 0 {
            let text = "error: a bound of what is left of a loop is for the mean itself; leave out --deriv or --bound";
            return Err(Diagnostic::invalid_input(text).with_id("order"));
        }
        let Some(arguments) = loop_argument_types(&program.term) else {
            return Err(session.measure_diagnostic(&self.asked.model, measure::MeasureError::NoLoop));
        };
        let ty = arguments.into_iter().rev().fold(Ty::real(), |to, from| Ty::function(from, to));
        session.check_source(source, &ty).map(Some)
    }

    /// Encloses the mean number of calls of the loop of the program.
    fn count_calls(
        &self,
        session: &Session,
        program: &ProbabilisticProgram,
        bound: Option<&Term>,
        goal: &AccuracyGoal,
        budget: &Arc<Budget>,
    ) -> Result<measure::MeasureAnswer, Diagnostic> {
        if program.takes_parameter {
            let text = "error: the number of calls of a loop is known for programs without a parameter; leave out --at, or write its value";
            return Err(Diagnostic::invalid_input(text).with_id("parameter"));
        }
        let model = measure::ProbabilisticModel {
            loop_bound: bound,
            ..measure::ProbabilisticModel::new(&program.term, false, None)
        };
        let eps = goal.accuracy().smallest_tolerance();
        let found = enclose_calls(&model, &eps, budget);
        found.map_err(|fault| session.measure_diagnostic(&self.asked.model, fault))
    }
}

/// The name of the text of a program in messages.
pub(super) const MODEL: &str = "model";
/// The name of the text of a function in messages.
pub(super) const FUNCTION: &str = "function";
/// The name of the text of a bound in messages.
const BOUND: &str = "bound";

impl Question for Evidence {
    type Output = WeightedPathSum;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<WeightedPathSum, Diagnostic> {
        let (ProbabilisticProgram { term, takes_parameter, .. }, mut question) = self.asked.parse_arguments(session)?;
        if self.with_log && question.derivative_order > 0 {
            let text = "error: a logarithm has no derivatives here; leave out --log or --deriv";
            return Err(Diagnostic::invalid_input(text).with_id("order"));
        }
        let budget = on.budget().clone();
        let asked = session.requested_goal(&self.asked.goal)?;
        let goal = match (self.with_log, question.derivative_order) {
            (true, _) => asked.or_default(DEFAULT_WIDTH_EXPONENT),
            (false, 0) => asked.or_relative_power(DEFAULT_WIDTH_EXPONENT),
            (false, order) if asked == AccuracyGoal::default() => {
                // The default width of a derivative is relative to the constant, not to the derivative, which may be 0.
                question.derivative_order = 0;
                let goal = normaliser_goal(&term, takes_parameter, &question, &budget);
                question.derivative_order = order;
                goal
            }
            (false, _) => asked,
        };
        let found = match self.with_log {
            true => log_evidence(&term, takes_parameter, &question, &goal.accuracy(), &budget),
            false => evidence_to_accuracy(&term, takes_parameter, &question, &goal.accuracy(), &budget),
        };
        let found = found.map_err(|fault| session.measure_diagnostic(&self.asked.model, fault))?;
        Ok(record_sum_notes(found, goal, on))
    }
}

impl Question for Expectation {
    type Output = WeightedPathSum;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<WeightedPathSum, Diagnostic> {
        let (program, question) = self.asked.parse_arguments(session)?;
        let goal = session.requested_goal(&self.asked.goal)?.or_default(DEFAULT_WIDTH_EXPONENT);
        let bound = self.read_bound(session, &program, question.derivative_order)?;
        let Some(of) = &self.of else {
            let found = self.count_calls(session, &program, bound.as_ref(), &goal, on.budget())?;
            return Ok(record_sum_notes(found, goal, on));
        };
        let ProbabilisticProgram { term, result_type: gives, takes_parameter, .. } = program;
        let of = session.check_source(of, &Ty::function(gives, Ty::real()))?;
        let model = measure::ProbabilisticModel {
            loop_bound: bound.as_ref(),
            ..measure::ProbabilisticModel::new(&term, takes_parameter, Some(&of))
        };
        let found = measure::answer_to_accuracy(&model, &question, &goal.accuracy(), on.budget());
        let found = found.map_err(|fault| session.measure_diagnostic(&self.asked.model, fault))?;
        Ok(record_sum_notes(found, goal, on))
    }
}

/// Records the notes on a sum over paths.
fn record_sum_notes(
    found: measure::MeasureAnswer,
    goal: AccuracyGoal,
    on: &mut QuestionContext<'_>,
) -> WeightedPathSum {
    let measure::MeasureAnswer {
        enclosure,
        paths,
        open_paths: open,
        unexplored_probability: rest,
        assumptions: assumed,
        has_unproved_assumption: unproved,
        width_reason: why,
    } = found;
    for text in &assumed {
        on.record_note(Note::new("assumed", NoteKind::Assumption, format!("assumed: {text}")));
    }
    let is_narrow = AccuracyClass::of_number(&enclosure, &goal.accuracy()) == AccuracyClass::Reached;
    // An answer that relies on an unproved assumption does not reach the goal.
    if !is_narrow || unproved {
        on.record_wide();
        if on.budget().is_exhausted() {
            on.record_limit();
        }
        let mut outcome = |id, text: String| on.record_note(Note::new(id, NoteKind::Outcome, text));
        let left = rest.print_decimals(&Rational::from((1, 1_000_000)));
        let counted = if paths == 1 { "path" } else { "paths" };
        outcome("paths", format!("{paths} {counted} summed; unexplored paths: probability ≤ {}", left.hi()));
        if let Some(why) = &why {
            outcome("why", why.clone());
        }
        if is_narrow {
            outcome("unproved", "that is not shown, so the interval need not hold the number".to_owned());
        } else {
            let number = RefinedEnclosure { enclosure: enclosure.clone(), ..RefinedEnclosure::unknown() };
            outcome("wide", goal.describe_miss(&Value::Real(AnswerNumber::Enclosure(Box::new(number))), ""));
        }
    }
    WeightedPathSum { enclosure, goal, paths, unexplored_paths: open, unexplored_mass: rest, assumed, unproved, why }
}

/// Returns the default accuracy of a derivative of a normalising constant: 10⁻⁶ of the constant. The constant is
/// enclosed to one digit in a part of the time.
fn normaliser_goal(
    term: &Term,
    takes_parameter: bool,
    question: &measure::MeasureQuestion,
    budget: &Arc<Budget>,
) -> AccuracyGoal {
    let time = budget.remaining_time().map(|left| left / NORMALISER_TIME_SHARE);
    let part = Arc::new(budget.for_part(u64::MAX, time));
    let rough = evidence_to_accuracy(term, takes_parameter, question, &Accuracy::significant_digits(1), &part);
    let size = rough.ok().and_then(|answer| answer.enclosure.lo().to_rational()).filter(|size| *size > 0 && *size < 1);
    // A power of ten no greater than the constant m: if m ≥ 2⁻ᴸ, then 10^(-⌈L/3⌉) ≤ 8^(-L/3) ≤ m.
    let power = size.map_or(0, |size| Magnitude::from_rational(&size).floor_log2().unsigned_abs().div_ceil(3));
    let usual = || AccuracyGoal::default().or_default(DEFAULT_WIDTH_EXPONENT);
    format!("1e-{}", power + u64::from(DEFAULT_WIDTH_EXPONENT.unsigned_abs()))
        .parse()
        .map_or_else(|_| usual(), AccuracyGoal::of_absolute_width)
}

/// A probabilistic program, parsed and typed.
#[derive(Clone, Debug)]
pub struct ProbabilisticProgram {
    /// The program.
    pub term: Term,
    /// The type of its values.
    pub result_type: Ty,
    /// `true` if it is a function of a parameter.
    pub takes_parameter: bool,
    /// The number of real numbers of the parameter; 0 without one.
    pub parameter_numbers: usize,
}

impl ProbabilisticProgram {
    /// Replaces the numbers of a parameter that is a tuple by those of a point, but for the number in which a derivative of an
    /// order above 0 is taken. Returns the program, and the value of its parameter.
    ///
    /// # Errors
    /// A [`Diagnostic`]: the point has another number of coordinates, or it is not said in which a derivative is taken.
    pub fn fix_parameters(
        self,
        point: &[Rational],
        order: u32,
        partial: Option<usize>,
    ) -> Result<(Self, Option<Rational>), Diagnostic> {
        let count = self.parameter_numbers;
        let numbers = |n: usize| if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") };
        if point.len() != count {
            return Err(Diagnostic::invalid_input(format!(
                "error: the parameter of the program has {}, and the point {}\n  = help: `--at '(1, 1/2)'` gives two",
                numbers(count),
                numbers(point.len())
            ))
            .with_id("parameter"));
        }
        if partial.is_some_and(|index| index >= count) {
            let text = format!("error: the parameter of the program has {}, none of that index", numbers(count));
            return Err(Diagnostic::invalid_input(text).with_id("parameter"));
        }
        let own = match (count, order, partial) {
            (0 | 1, ..) => return Ok((self, point.first().cloned())),
            (_, 0, _) => None,
            (_, _, Some(index)) => Some(index),
            _ => {
                let text =
                    format!("error: a derivative of order {order} is in one of the {count} numbers of the parameter");
                return Err(Diagnostic::invalid_input(text).with_id("order"));
            }
        };
        let span = self.term.span();
        let place = |(index, q): (usize, &Rational)| match own == Some(index) {
            true => Term::variable(0, "parameter".into(), Ty::real(), span),
            false => Term::new(TermKind::Real(q.clone()), span),
        };
        let point_term = Term::new(TermKind::Tuple(point.iter().enumerate().map(place).collect()), span);
        // the program is closed, so that it means the same below a binder
        let applied = Term::apply(self.term.clone(), point_term, span);
        let term = match own {
            Some(_) => Term::lambda("parameter".into(), Ty::real(), applied, span),
            None => applied,
        };
        let numbers = usize::from(own.is_some());
        let program = Self { term, takes_parameter: own.is_some(), parameter_numbers: numbers, ..self };
        Ok((program, own.map(|index| point[index].clone())))
    }
}

/// Parses a probabilistic program of type `P A`, or a function of a number or a tuple of numbers into that if the caller has a
/// value for its parameter.
///
/// # Errors
/// A [`Diagnostic`]: the program is wrong, or has another type.
pub fn read_probabilistic_program(
    session: &Session,
    has_place: bool,
    source: &Arc<SourceText>,
) -> Result<ProbabilisticProgram, Diagnostic> {
    let (mut term, mut ty) = session.infer_source(source)?;
    if !ty.is_closed() {
        // Type variables that are left open stand for numbers.
        ty = ty.with_reals();
        term = session.check_source(source, &ty)?;
    }
    let count = |ty: &Ty| match ty.kind() {
        TyKind::Tuple(parts) if parts.iter().all(|part| *part == Ty::real()) => parts.len(),
        _ => usize::from(*ty == Ty::real()),
    };
    let (gives, parameter_numbers) = match (sampled_type(&ty), ty.kind()) {
        (Some(gives), _) => (gives, 0),
        (None, TyKind::Function(a, b)) if count(a) > 0 && sampled_type(b).is_some() => {
            (sampled_type(b).unwrap_or_else(Ty::unit), count(a))
        }
        _ => {
            return Err(Diagnostic::invalid_input(format!(
                "error: expected a program that samples, of type P A, Real -> P A or Real * Real -> P A, found one of type {ty}\n  = help: for \
                 example do {{ x <- sample (normal 0 1); observe (normal x 1) 3; return x }}"
            )));
        }
    };
    let takes_parameter = parameter_numbers > 0;
    match (takes_parameter, has_place) {
        (true, false) => Err(Diagnostic::invalid_input(
            "error: the program is a function of a parameter\n  = help: give the parameter by --at T",
        )),
        (false, true) => Err(Diagnostic::invalid_input(format!(
            "error: --at is for a program of type Real -> P A, found one of type {ty}\n  = help: \\t => do {{ … }} is a \
             function of its parameter t"
        ))),
        _ => Ok(ProbabilisticProgram { term, result_type: gives, takes_parameter, parameter_numbers }),
    }
}

/// A move of a sampler, parsed and typed: the terms of a [`UserMove`](crate::sampler::user_move::UserMove).
#[derive(Clone, Debug)]
pub struct InvolutiveProposal {
    /// The program of pairs of a value and auxiliary numbers.
    pub pairs: Term,
    /// The involution of such pairs.
    pub involution: Term,
}

/// Parses a move of the values of a program of type `P A`: an involution of pairs `A * U`, where a function `A -> Dist U` or
/// `A -> P U` gives the distribution of the auxiliary numbers; without one, an involution of A.
///
/// # Errors
/// A [`Diagnostic`]: one of them is wrong, or has another type.
pub fn read_involutive_proposal(
    session: &Session,
    program: &ProbabilisticProgram,
    involution: &Arc<SourceText>,
    auxiliary: Option<&Arc<SourceText>>,
) -> Result<InvolutiveProposal, Diagnostic> {
    let (term, gives) = (&program.term, &program.result_type);
    let (pairs, moved) = match auxiliary {
        None => (term.clone(), gives.clone()),
        Some(auxiliary) => pair_with_auxiliary(session, program, auxiliary)?,
    };
    let involution = session.check_source(involution, &Ty::function(moved.clone(), moved))?;
    Ok(InvolutiveProposal { pairs, involution })
}

/// Returns the program that runs a program, then the program of auxiliary numbers of its value, and gives the pair of both; and the
/// type of the pair.
fn pair_with_auxiliary(
    session: &Session,
    program: &ProbabilisticProgram,
    auxiliary: &Arc<SourceText>,
) -> Result<(Term, Ty), Diagnostic> {
    let (term, gives) = (&program.term, &program.result_type);
    let drawn = auxiliary_type(session, auxiliary)?;
    let given = session.check_source(auxiliary, &Ty::function(gives.clone(), drawn.clone()))?;
    let (numbers, way) = match (sampled_type(&drawn), drawn.kind()) {
        (Some(numbers), _) => (numbers, "q x"),
        (None, TyKind::Data(_, of)) => (of.first().cloned().unwrap_or_else(Ty::unit), "sample (q x)"),
        _ => (Ty::unit(), "q x"),
    };
    let pair = Ty::new(TyKind::Tuple([gives.clone(), numbers].into_iter().collect()));
    let sampled = match term.ty().kind() {
        TyKind::Data(data, _) => Ty::new(TyKind::Data(data.clone(), [pair.clone()].into_iter().collect())),
        _ => Ty::unknown(),
    };
    let text = format!("\\m q => do {{ x <- m; u <- {way}; return (x, u) }}");
    let source = Arc::new(SourceText::new("pairs", text.as_str()));
    let to = Ty::function(Ty::function(gives.clone(), drawn), sampled);
    let join = session.check_source(&source, &Ty::function(term.ty().clone(), to))?;
    let span = term.span();
    Ok((Term::apply(Term::apply(join, term.clone(), span), given, span), pair))
}

/// Returns the type `Dist U` or `P U` of what a function gives.
fn auxiliary_type(session: &Session, auxiliary: &Arc<SourceText>) -> Result<Ty, Diagnostic> {
    let result = |ty: &Ty| match ty.kind() {
        TyKind::Function(_, drawn) => Some(drawn.with_reals()),
        _ => None,
    };
    let found = session.infer_source(auxiliary);
    if let Some(drawn) =
        found.as_ref().ok().and_then(|(_, ty)| result(ty)).filter(|drawn| sampled_type(drawn).is_some())
    {
        return Ok(drawn);
    }
    // Alone, `normal` is also an integral: it is a distribution where it is sampled.
    let sampler = "\\q x => sample (q x)";
    let sampled = session.infer(&format!("({sampler}) (\n{}\n)", auxiliary.text));
    let numbers = sampled.ok().and_then(|(_, ty)| sampled_type(&result(&ty)?));
    let dist = session.infer(sampler).ok().and_then(|(_, ty)| match ty.kind() {
        TyKind::Function(of, _) => result(of),
        _ => None,
    });
    if let (Some(numbers), Some(TyKind::Data(data, _))) = (numbers, dist.as_ref().map(Ty::kind)) {
        return Ok(Ty::new(TyKind::Data(data.clone(), [numbers].into_iter().collect())));
    }
    let (_, ty) = found?;
    Err(Diagnostic::invalid_input(format!(
        "error: expected for --auxiliary a function of type A -> Dist U or A -> P U, found one of type {ty}\n  = help: for \
         example \\x => normal 0 1"
    )))
}

/// A question for the density of a pushforward at a point: a change of variables.
#[derive(Clone, Debug)]
pub struct Pushforward {
    map: Arc<SourceText>,
    model: Arc<SourceText>,
    point: Arc<SourceText>,
    eps: Result<Option<Tolerance>, ToleranceError>,
    multiplicity: Multiplicity,
    assumes_injective: bool,
}

impl Pushforward {
    /// Creates the question for a function `A -> B` of the values of a program of type `P A`, at a point of type `B`.
    /// `A` and `B` are `Real` or tuples of these.
    #[must_use]
    pub fn new(map: &str, model: &str, point: &str) -> Self {
        let source = |name: &str, text: &str| Arc::new(SourceText::new(name, text));
        Self {
            map: source(FUNCTION, map),
            model: source(MODEL, model),
            point: source("point", point),
            eps: Ok(None),
            multiplicity: Multiplicity::Any,
            assumes_injective: false,
        }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn with_width(self, eps: impl IntoTolerance) -> Self {
        Self { eps: eps.into_tolerance().map(Some), ..self }
    }

    /// Sets the number of preimages that the point may have. By default any number: the density is the sum over all.
    #[must_use]
    pub fn with_multiplicity(self, multiplicity: Multiplicity) -> Self {
        Self { multiplicity, ..self }
    }

    /// Requests an injective map, and assumes that the map is injective on the support if that is not proved.
    #[must_use]
    pub fn assuming_injective(self, assumes: bool) -> Self {
        let multiplicity = if assumes { Multiplicity::One } else { self.multiplicity };
        Self { assumes_injective: assumes, multiplicity, ..self }
    }
}

impl Question for Pushforward {
    type Output = PushforwardDensity;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<PushforwardDensity, Diagnostic> {
        let goal = session.resolve_width(&self.eps)?;
        let ProbabilisticProgram { term, result_type: gives, .. } =
            read_probabilistic_program(session, false, &self.model)?;
        let (_, ty) = session.infer_source(&self.point)?;
        // A literal such as `2` may be of any type of numbers; a point of ℝⁿ is real.
        let ty = ty.with_reals();
        for (what, ty) in [("the program gives", &gives), ("the point is", &ty)] {
            if !is_vector(ty) {
                return Err(Diagnostic::invalid_input(format!(
                    "error: {what} of type {ty}, but a change of variables is for Real and for tuples of Real"
                )));
            }
        }
        let map = session.check_source(&self.map, &Ty::function(gives, ty.clone()))?;
        let point = session.check_source(&self.point, &ty)?;
        let eps = goal.accuracy().eps().cloned().unwrap_or_default();
        let found = pushforward_density(&term, &map, &point, self.multiplicity, &eps, on.budget()).map_err(
            |fault| match fault {
                ChangeOfVariablesError::Measure(fault) => session.measure_diagnostic(&self.model, fault),
                fault if fault.has_no_answer() => Diagnostic::without_answer(format!("error: {fault}")),
                fault => Diagnostic::invalid_input(format!("error: {fault}")),
            },
        )?;
        for text in &found.assumptions {
            on.record_note(Note::new("assumed", NoteKind::Assumption, format!("assumed: {text}")));
        }
        let accuracy = goal.accuracy();
        let mut is_wide = found
            .densities
            .iter()
            .any(|(_, density)| AccuracyClass::of_number(density, &accuracy) != AccuracyClass::Reached);
        is_wide |= found.densities.is_empty() && found.width_reason.is_some();
        // An answer that relies on an assumption, neither proved nor requested, does not reach the goal.
        is_wide |= found.assumptions.len() > usize::from(found.injectivity_proof.is_none() && self.assumes_injective);
        if is_wide {
            on.record_wide();
            if let Some(why) = found.width_reason {
                on.record_note(Note::new("why", NoteKind::Outcome, why));
            }
        }
        Ok(found)
    }
}

/// A question for the gradient of an expectation in the parameter of a program, and for the expectations and variances
/// of its estimators.
#[derive(Clone, Debug)]
pub struct Estimators {
    model: Arc<SourceText>,
    of: Arc<SourceText>,
    at: Result<Vec<Rational>, String>,
    partial: Option<usize>,
    eps: Result<Option<Tolerance>, ToleranceError>,
}

impl Estimators {
    /// Creates the question for a program of type `Real -> P A` without scores, and a function `A -> Real` of its
    /// values. `at` is the value of the parameter, a decimal or a fraction, parsed exactly, or several in the form `(1, 1/2)`.
    #[must_use]
    pub fn new(model: &str, of: &str, at: &str) -> Self {
        let source = |name: &str, text: &str| Arc::new(SourceText::new(name, text));
        Self {
            model: source(MODEL, model),
            of: source(FUNCTION, of),
            at: parse_exact_point(at),
            partial: None,
            eps: Ok(None),
        }
    }

    /// Sets the exact value of the parameter.
    #[must_use]
    pub fn at_exactly(self, place: Rational) -> Self {
        Self { at: Ok(vec![place]), ..self }
    }

    /// Sets the exact numbers of the parameter, a tuple.
    #[must_use]
    pub fn at_point(self, point: Vec<Rational>) -> Self {
        Self { at: Ok(point), ..self }
    }

    /// Requests the derivative in this number of the parameter, from 0, where it is a tuple.
    #[must_use]
    pub fn partial(self, index: usize) -> Self {
        Self { partial: Some(index), ..self }
    }

    /// Requests intervals of at most this width.
    #[must_use]
    pub fn with_width(self, eps: impl IntoTolerance) -> Self {
        Self { eps: eps.into_tolerance().map(Some), ..self }
    }
}

impl Question for Estimators {
    type Output = EstimatorComparison;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<EstimatorComparison, Diagnostic> {
        let accuracy = session.resolve_width(&self.eps)?.accuracy();
        let at = self
            .at
            .clone()
            .map_err(|error| Diagnostic::invalid_input(format!("error: {error}")).with_id("parameter"))?;
        let read = read_probabilistic_program(session, true, &self.model)?;
        let (ProbabilisticProgram { term, result_type: gives, .. }, at) = read.fix_parameters(&at, 1, self.partial)?;
        let at = at.unwrap_or_default();
        let of = session.check_source(&self.of, &Ty::function(gives, Ty::real()))?;
        let eps = accuracy.eps().cloned().unwrap_or_default();
        let found = compare_estimators(&term, &of, &at, &eps, on.budget());
        let found = found.map_err(|fault| session.measure_diagnostic(&self.model, fault))?;
        let estimates = found.estimates.iter().filter_map(|(_, estimate)| estimate.as_ref().ok());
        let numbers = estimates.flat_map(|estimate| [Some(&estimate.mean), estimate.variance.as_ref()]).flatten();
        if numbers
            .chain([&found.gradient])
            .any(|number| AccuracyClass::of_number(number, &accuracy) != AccuracyClass::Reached)
        {
            on.record_wide();
            if let Some(why) = &found.width_reason {
                on.record_note(Note::new("why", NoteKind::Outcome, why.to_string()));
            }
        }
        Ok(found)
    }
}

/// Returns `true` for the types of numbers and of tuples of numbers.
fn is_vector(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Tuple(parts) => parts.iter().all(is_vector),
        _ => *ty == Ty::real(),
    }
}
