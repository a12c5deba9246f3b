//! Questions about traces: from a function and a point to a trace, its value, and a box of inputs on which it is valid.
//!
//! A guard that is not decided at one precision is tried again at a higher one. If no precision decides it, the program
//! is run on rational numbers, which decide equality. If these do not decide either, the guard is undecided, and the
//! error says how closely both sides agree.

mod swept;

pub use swept::{TapeAnswer, evaluate_by_tape, evaluate_by_tape_in_doubles};

use super::embed::CoreProgram;
use super::environment::{CoreEnvironment, FunctionEnvironment};
use super::error::{TraceError, UndefinedValue};
use super::evaluation::observer::EvaluationObserver;
use super::evaluation::{DecidedComparison, Strategy, TraceEvaluator};
use super::neighbourhood::{self, ValidityInterval};
use super::number::{CentredForms, CertifiedReals, NumberSystem, Rationals};
use super::steps::DerivationRecord;
use super::term::CoreTerm;
use super::value::CoreValue;
use crate::meaning::partial::question::MAX_COMPARISON_BITS;
use crate::model::answer::UndefinedCause;
use crate::number::budget::Budget;
use crate::number::{Context, Double, Enclosure, Mpfr};

/// A question about a trace. The kind of numbers is not part of it.
#[derive(Clone, Copy, Debug)]
pub struct TraceQuestion<'q> {
    /// The function, or a closed program.
    pub program: &'q CoreProgram,
    /// The point at which the function is traced: a closed program of the type of its parameter.
    pub point: Option<&'q CoreProgram>,
    /// The strategy for derivatives within the program.
    pub strategy: Strategy,
    /// The record that keeps the steps, if they are wanted.
    pub record: Option<&'q DerivationRecord>,
    /// The limits on time and memory.
    pub budget: &'q Budget,
}

/// A trace, with its value and its guards.
#[derive(Clone, Debug)]
pub struct TraceAnswer {
    /// The trace C.
    pub trace: CoreTerm,
    /// Enclosures of its value at the point.
    pub value: CoreValue<Enclosure>,
    /// The comparisons that were decided, in the order of evaluation.
    pub guards: Vec<DecidedComparison>,
    /// The number of rules that were applied.
    pub steps: u64,
    /// For each number of the parameter an interval around the point. On all points of this box the same branches are
    /// taken and every operation is defined (A Thm 6.2 (2)). `None` if no box was found in time, or none was asked for.
    pub validity_region: Option<Vec<ValidityInterval>>,
    /// The precision, in bits, at which the trace was found; `None` for doubles.
    pub bits: Option<u32>,
}

/// Returns the precisions that are tried after doubles, in bits: doubled from 128 to [`MAX_COMPARISON_BITS`].
fn precision_ladder() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(128), |bits| (*bits < MAX_COMPARISON_BITS).then_some(bits * 2))
}

/// Traces a program at a point, and uses the time that is left to find a box on which the trace is valid.
///
/// # Errors
/// [`TraceError`] if there is no trace. [`TraceError::Stuck`] for a point of another type, or if the point is missing or
/// superfluous.
pub fn trace_with_region(question: &TraceQuestion) -> Result<TraceAnswer, TraceError> {
    let answer = trace_at_point(question)?;
    let neighbourhood = find_validity_region(question, &answer);
    Ok(TraceAnswer { validity_region: neighbourhood, ..answer })
}

/// Traces a program at a point, without a box.
///
/// # Errors
/// As [`trace_with_region`].
pub fn trace_at_point(question: &TraceQuestion) -> Result<TraceAnswer, TraceError> {
    first_sufficient(&TraceAttempt(question), question.budget)
}

/// Returns the [neighbourhood](TraceAnswer::validity_region) for an answer to a question. `None` if none was found in time.
#[must_use]
pub fn find_validity_region(question: &TraceQuestion, answer: &TraceAnswer) -> Option<Vec<ValidityInterval>> {
    match answer.bits {
        None => grow_around_point(question, Double, answer),
        Some(bits) => grow_around_point(question, Mpfr::new(bits), answer),
    }
}

/// A computation that is repeated at rising precisions.
trait PrecisionAttempt {
    type Answer;

    /// Runs the computation at one precision.
    fn run_at<C: Context>(&self, context: C) -> Result<Self::Answer, TraceError>;

    /// Returns `true` if no higher precision is needed.
    fn is_sufficient(&self, answer: &Self::Answer) -> bool;

    /// Runs the computation on rational numbers, if no precision has decided. Returns its error, `None` if it
    /// succeeded.
    fn run_exactly(&self) -> Option<TraceError>;
}

/// Returns the result at the lowest precision that is sufficient.
fn first_sufficient<A: PrecisionAttempt>(attempt: &A, budget: &Budget) -> Result<A::Answer, TraceError> {
    let mut found = attempt.run_at(Double).map_err(|error| with_precision(error, Double.precision()));
    for bits in precision_ladder() {
        // A higher precision helps with wide results and undecided comparisons, not with other errors.
        let is_wanted = match &found {
            Ok(answer) => !attempt.is_sufficient(answer),
            Err(TraceError::Undefined(undefined)) => undefined.cause == UndefinedCause::Undecided,
            Err(_) => false,
        };
        if !is_wanted || budget.is_exhausted() {
            break;
        }
        match attempt.run_at(Mpfr::new(bits)).map_err(|error| with_precision(error, bits)) {
            // The time was up: the result of the lower precision is kept.
            Err(TraceError::Undefined(undefined)) if undefined.cause == UndefinedCause::Fuel && found.is_ok() => break,
            next => found = next,
        }
    }
    match found {
        Err(TraceError::Undefined(undecided)) if undecided.cause == UndefinedCause::Undecided => {
            // Only a certain error of the rationals replaces the undecided one; they may also lack an operation, or run
            // out of fuel.
            Err(match attempt.run_exactly() {
                Some(TraceError::Undefined(certain)) if certain.certain => certain.into(),
                _ => undecided.into(),
            })
        }
        found => found,
    }
}

/// Adds the precision to an undecided error.
fn with_precision(error: TraceError, bits: u32) -> TraceError {
    match error {
        TraceError::Undefined(undefined) if undefined.cause == UndefinedCause::Undecided => {
            UndefinedValue { bits: Some(bits), ..undefined }.into()
        }
        other => other,
    }
}

struct TraceAttempt<'q>(&'q TraceQuestion<'q>);

impl PrecisionAttempt for TraceAttempt<'_> {
    type Answer = TraceAnswer;

    fn run_at<C: Context>(&self, context: C) -> Result<TraceAnswer, TraceError> {
        answer_at_precision(self.0, context)
    }

    fn is_sufficient(&self, _: &TraceAnswer) -> bool {
        true
    }

    fn run_exactly(&self) -> Option<TraceError> {
        run_symbolic(self.0, &Rationals::default()).err()
    }
}

/// A trace, its value, its guards, and the number of steps.
type TraceRun<R> = (CoreTerm, CoreValue<R>, Vec<DecidedComparison>, u64);

/// Evaluates a program symbolically at a point.
fn run_symbolic<N: NumberSystem>(question: &TraceQuestion, numbers: &N) -> Result<TraceRun<N::Number>, TraceError> {
    let functions = FunctionEnvironment::default();
    let evaluator = || TraceEvaluator::new(numbers).with_strategy(question.strategy).with_budget(question.budget);
    let environment = match (&question.program.parameters[..], question.point) {
        ([], None) => CoreEnvironment::default(),
        ([(x, ty)], Some(point)) if *ty == point.ty => CoreEnvironment::of_variable(
            x,
            evaluator().evaluate_ordinary(&functions, &CoreEnvironment::default(), &point.term)?,
        ),
        _ => return Err(TraceError::Stuck { construct: "a function without a point of its type" }),
    };
    // At each precision the evaluation starts again, and so does the record.
    if let Some(record) = question.record {
        record.clear();
    }
    // The point is evaluated without an observer: its steps are no part of the trace.
    let evaluator = evaluator().with_observer(question.record.map(|record| record as &dyn EvaluationObserver));
    let (trace, value) = evaluator.evaluate_symbolic(&functions, &environment, &question.program.term)?;
    Ok((trace, value, evaluator.guards(), evaluator.step_count()))
}

/// Answers a question at one precision.
fn answer_at_precision<C: Context>(question: &TraceQuestion, context: C) -> Result<TraceAnswer, TraceError> {
    // For doubles no precision is reported.
    let bits = (context.precision() > Double.precision()).then(|| context.precision());
    let numbers = CertifiedReals(context);
    let (trace, value, guards, steps) = run_symbolic(question, &numbers)?;
    let value = value.map(&mut |x| numbers.0.to_enclosure(x));
    Ok(TraceAnswer { trace, value, guards, steps, validity_region: None, bits })
}

/// Returns a box around the point on which all guards are decided as they were at the point.
fn grow_around_point<C: Context>(
    question: &TraceQuestion,
    context: C,
    answer: &TraceAnswer,
) -> Option<Vec<ValidityInterval>> {
    let ([(x, ty)], Some(point)) = (&question.program.parameters[..], question.point) else { return None };
    let numbers = CertifiedReals(context);
    let evaluator = TraceEvaluator::new(&numbers).with_strategy(question.strategy).with_budget(question.budget);
    let at =
        evaluator.evaluate_ordinary(&FunctionEnvironment::default(), &CoreEnvironment::default(), &point.term).ok()?;
    // A box on which other branches are taken may run much longer than the trace; four times its steps is a choice.
    let holds = |over: CoreValue<C::Num>| {
        let Some((moving, inputs)) = CentredForms::box_inputs(&numbers.0, ty, &over) else { return false };
        let evaluator = TraceEvaluator::new(&moving)
            .with_strategy(question.strategy)
            .with_step_limit(4 * answer.steps + 1000)
            .without_traces();
        let evaluator = evaluator.with_budget(question.budget);
        let rho = CoreEnvironment::of_variable(x, inputs);
        let found = evaluator.evaluate_symbolic(&FunctionEnvironment::default(), &rho, &question.program.term);
        // Guards are compared in order, so equal guards mean the same branches.
        found.is_ok() && evaluator.guards() == answer.guards
    };
    neighbourhood::grow_box(&numbers.0, ty, &at, question.budget, &holds)
}
