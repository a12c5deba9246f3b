//! Questions about traces: from a function and a point to a trace, its value, and a box of inputs on which it is valid.
//!
//! A guard that is not decided at one precision is tried again at a higher one. If no precision decides it, the program
//! is run on rational numbers, which decide equality. If these do not decide either, the guard is undecided, and the
//! error says how closely both sides agree.

mod swept;

pub use swept::{Swept, swept, swept_in_doubles};

use super::embed::Program;
use super::environment::{Environment, Functions};
use super::error::{Obstacle, Undefined};
use super::evaluation::observer::Observer;
use super::evaluation::{Evaluator, Guard, Strategy};
use super::neighbourhood::{self, Range};
use super::number::{Centred, Certified, Numbers, Rationals};
use super::steps::Record;
use super::term::Term;
use super::value::Value;
use crate::meaning::partial::question::DECIDED_BY;
use crate::model::answer::Cause;
use crate::number::budget::Budget;
use crate::number::{Context, Double, Enclosure, Mpfr};

/// A question about a trace. The kind of numbers is not part of it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The function, or a closed program.
    pub program: &'q Program,
    /// The point at which the function is traced: a closed program of the type of its parameter.
    pub point: Option<&'q Program>,
    /// The strategy for derivatives within the program.
    pub strategy: Strategy,
    /// The record that keeps the steps, if they are wanted.
    pub record: Option<&'q Record>,
    /// The limits on time and memory.
    pub budget: &'q Budget,
}

/// A trace, with its value and its guards.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The trace C.
    pub trace: Term,
    /// Enclosures of its value at the point.
    pub value: Value<Enclosure>,
    /// The comparisons that were decided, in the order of evaluation.
    pub guards: Vec<Guard>,
    /// The number of rules that were applied.
    pub steps: u64,
    /// For each number of the parameter an interval around the point. On all points of this box the same branches are
    /// taken and every operation is defined (A Thm 6.2 (2)). `None` if no box was found in time, or none was asked for.
    pub neighbourhood: Option<Vec<Range>>,
    /// The precision, in bits, at which the trace was found; `None` for doubles.
    pub bits: Option<u32>,
}

/// Returns the precisions that are tried after doubles, in bits: doubled from 128 to [`DECIDED_BY`].
fn precisions() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(128), |bits| (*bits < DECIDED_BY).then_some(bits * 2))
}

/// Traces a program at a point, and uses the time that is left to find a box on which the trace is valid.
///
/// # Errors
/// [`Obstacle`] if there is no trace. [`Obstacle::Stuck`] for a point of another type, or if the point is missing or
/// superfluous.
pub fn ask(question: &Question) -> Result<Answer, Obstacle> {
    let answer = traced(question)?;
    let neighbourhood = neighbourhood(question, &answer);
    Ok(Answer { neighbourhood, ..answer })
}

/// Traces a program at a point, without a box.
///
/// # Errors
/// As [`ask`].
pub fn traced(question: &Question) -> Result<Answer, Obstacle> {
    decided(&Traced(question), question.budget)
}

/// Returns the [neighbourhood](Answer::neighbourhood) for an answer to a question. `None` if none was found in time.
#[must_use]
pub fn neighbourhood(question: &Question, answer: &Answer) -> Option<Vec<Range>> {
    match answer.bits {
        None => around(question, Double, answer),
        Some(bits) => around(question, Mpfr::new(bits), answer),
    }
}

/// A computation that is repeated at rising precisions.
trait Attempt {
    type Answer;

    /// Runs the computation at one precision.
    fn at<C: Context>(&self, context: C) -> Result<Self::Answer, Obstacle>;

    /// Returns `true` if no higher precision is needed.
    fn is_enough(&self, answer: &Self::Answer) -> bool;

    /// Runs the computation on rational numbers, if no precision has decided. Returns its error, `None` if it
    /// succeeded.
    fn exactly(&self) -> Option<Obstacle>;
}

/// Returns the result at the lowest precision that is sufficient.
fn decided<A: Attempt>(attempt: &A, budget: &Budget) -> Result<A::Answer, Obstacle> {
    let mut found = attempt.at(Double).map_err(|error| with_bits(error, Double.precision()));
    for bits in precisions() {
        // A higher precision helps with wide results and undecided comparisons, not with other errors.
        let is_wanted = match &found {
            Ok(answer) => !attempt.is_enough(answer),
            Err(Obstacle::Undefined(undefined)) => undefined.cause == Cause::Undecided,
            Err(_) => false,
        };
        if !is_wanted || budget.is_exhausted() {
            break;
        }
        match attempt.at(Mpfr::new(bits)).map_err(|error| with_bits(error, bits)) {
            // The time was up: the result of the lower precision is kept.
            Err(Obstacle::Undefined(undefined)) if undefined.cause == Cause::Fuel && found.is_ok() => break,
            next => found = next,
        }
    }
    match found {
        Err(Obstacle::Undefined(undecided)) if undecided.cause == Cause::Undecided => {
            // Only a certain error of the rationals replaces the undecided one; they may also lack an operation, or run
            // out of fuel.
            Err(match attempt.exactly() {
                Some(Obstacle::Undefined(certain)) if certain.certain => certain.into(),
                _ => undecided.into(),
            })
        }
        found => found,
    }
}

/// Adds the precision to an undecided error.
fn with_bits(error: Obstacle, bits: u32) -> Obstacle {
    match error {
        Obstacle::Undefined(undefined) if undefined.cause == Cause::Undecided => {
            Undefined { bits: Some(bits), ..undefined }.into()
        }
        other => other,
    }
}

struct Traced<'q>(&'q Question<'q>);

impl Attempt for Traced<'_> {
    type Answer = Answer;

    fn at<C: Context>(&self, context: C) -> Result<Answer, Obstacle> {
        at_precision(self.0, context)
    }

    fn is_enough(&self, _: &Answer) -> bool {
        true
    }

    fn exactly(&self) -> Option<Obstacle> {
        run(self.0, &Rationals::default()).err()
    }
}

/// A trace, its value, its guards, and the number of steps.
type Run<R> = (Term, Value<R>, Vec<Guard>, u64);

/// Evaluates a program symbolically at a point.
fn run<N: Numbers>(question: &Question, numbers: &N) -> Result<Run<N::Number>, Obstacle> {
    let functions = Functions::default();
    let evaluator = || Evaluator::new(numbers).by(question.strategy).paid_by(question.budget);
    let environment = match (&question.program.parameters[..], question.point) {
        ([], None) => Environment::default(),
        ([(x, ty)], Some(point)) if *ty == point.ty => {
            Environment::of(x, evaluator().ordinary(&functions, &Environment::default(), &point.term)?)
        }
        _ => return Err(Obstacle::Stuck { construct: "a function without a point of its type" }),
    };
    // At each precision the evaluation starts again, and so does the record.
    if let Some(record) = question.record {
        record.clear();
    }
    // The point is evaluated without an observer: its steps are no part of the trace.
    let evaluator = evaluator().watched_by(question.record.map(|record| record as &dyn Observer));
    let (trace, value) = evaluator.symbolic(&functions, &environment, &question.program.term)?;
    Ok((trace, value, evaluator.guards(), evaluator.steps()))
}

/// Answers a question at one precision.
fn at_precision<C: Context>(question: &Question, context: C) -> Result<Answer, Obstacle> {
    // For doubles no precision is reported.
    let bits = (context.precision() > Double.precision()).then(|| context.precision());
    let numbers = Certified(context);
    let (trace, value, guards, steps) = run(question, &numbers)?;
    let value = value.map(&mut |x| numbers.0.to_enclosure(x));
    Ok(Answer { trace, value, guards, steps, neighbourhood: None, bits })
}

/// Returns a box around the point on which all guards are decided as they were at the point.
fn around<C: Context>(question: &Question, context: C, answer: &Answer) -> Option<Vec<Range>> {
    let ([(x, ty)], Some(point)) = (&question.program.parameters[..], question.point) else { return None };
    let numbers = Certified(context);
    let evaluator = Evaluator::new(&numbers).by(question.strategy).paid_by(question.budget);
    let at = evaluator.ordinary(&Functions::default(), &Environment::default(), &point.term).ok()?;
    // A box on which other branches are taken may run much longer than the trace; four times its steps is a choice.
    let holds = |over: Value<C::Num>| {
        let Some((moving, inputs)) = Centred::inputs(&numbers.0, ty, &over) else { return false };
        let evaluator = Evaluator::new(&moving).by(question.strategy).within(4 * answer.steps + 1000).without_traces();
        let evaluator = evaluator.paid_by(question.budget);
        let rho = Environment::of(x, inputs);
        let found = evaluator.symbolic(&Functions::default(), &rho, &question.program.term);
        // Guards are compared in order, so equal guards mean the same branches.
        found.is_ok() && evaluator.guards() == answer.guards
    };
    neighbourhood::grown(&numbers.0, ty, &at, question.budget, &holds)
}
