//! Asking for traces: a function and a point in, a trace out, with its value and a box of inputs where it is valid.
//!
//! A guard that is not decided at one precision is asked again at a higher one. What no precision decides is asked of the
//! rational numbers, which know of a boundary for certain; what these do not know either is undecided, and the error says how
//! nearly both sides agree.

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

/// What is asked, but for the numbers.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The function, or a closed program.
    pub program: &'q Program,
    /// Where it is traced: a closed program of the type of its parameter.
    pub point: Option<&'q Program>,
    /// How derivatives inside are taken.
    pub strategy: Strategy,
    /// What keeps the steps, where they are asked for.
    pub record: Option<&'q Record>,
    /// What it may cost.
    pub budget: &'q Budget,
}

/// A trace, and what is known of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// C
    pub trace: Term,
    /// Its value at the point.
    pub value: Value<Enclosure>,
    /// The comparisons that were decided on the way, in their order.
    pub guards: Vec<Guard>,
    /// How many rules were applied.
    pub steps: u64,
    /// For each number of the parameter an interval round the point: for all points of this box the same branches are taken
    /// and everything is defined (A Thm 6.2 (2)). `None` where none was found in time, or none was asked for.
    pub neighbourhood: Option<Vec<Range>>,
    /// At how many bits it was found; `None` for doubles.
    pub bits: Option<u32>,
}

/// The precisions at which a guard is asked, after doubles.
fn precisions() -> impl Iterator<Item = u32> {
    std::iter::successors(Some(128), |bits| (*bits < DECIDED_BY).then_some(bits * 2))
}

/// The trace of a program at a point, and then with the time that is left where it is valid.
///
/// # Errors
/// [`Obstacle`]; a point of another type, or none where one is needed, has no rule.
pub fn ask(question: &Question) -> Result<Answer, Obstacle> {
    let answer = traced(question)?;
    let neighbourhood = neighbourhood(question, &answer);
    Ok(Answer { neighbourhood, ..answer })
}

/// The trace of a program at a point, and nothing of where it is valid.
///
/// # Errors
/// As [`ask`].
pub fn traced(question: &Question) -> Result<Answer, Obstacle> {
    decided(&Traced(question), question.budget)
}

/// The [neighbourhood](Answer::neighbourhood) of an answer to a question. `None` where none was found in time.
#[must_use]
pub fn neighbourhood(question: &Question, answer: &Answer) -> Option<Vec<Range>> {
    match answer.bits {
        None => around(question, Double, answer),
        Some(bits) => around(question, Mpfr::new(bits), answer),
    }
}

/// A program that is run at one precision after another.
trait Attempt {
    type Answer;

    /// At one precision.
    fn at<C: Context>(&self, context: C) -> Result<Self::Answer, Obstacle>;

    /// Whether no higher precision is needed.
    fn is_enough(&self, answer: &Self::Answer) -> bool;

    /// What the rational numbers say, where no precision has decided.
    fn exactly(&self) -> Option<Obstacle>;
}

/// The answer at the least precision that is enough.
fn decided<A: Attempt>(attempt: &A, budget: &Budget) -> Result<A::Answer, Obstacle> {
    let mut found = attempt.at(Double).map_err(|error| with_bits(error, Double.precision()));
    for bits in precisions() {
        let is_wanted = match &found {
            Ok(answer) => !attempt.is_enough(answer),
            Err(Obstacle::Undefined(undefined)) => undefined.cause == Cause::Undecided,
            Err(_) => false,
        };
        if !is_wanted || budget.is_exhausted() {
            break;
        }
        match attempt.at(Mpfr::new(bits)).map_err(|error| with_bits(error, bits)) {
            // the time was up: what is known stays
            Err(Obstacle::Undefined(undefined)) if undefined.cause == Cause::Fuel && found.is_ok() => break,
            next => found = next,
        }
    }
    match found {
        Err(Obstacle::Undefined(undecided)) if undecided.cause == Cause::Undecided => {
            // where the rationals know for certain
            Err(match attempt.exactly() {
                Some(Obstacle::Undefined(certain)) if certain.certain => certain.into(),
                _ => undecided.into(),
            })
        }
        found => found,
    }
}

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

type Run<R> = (Term, Value<R>, Vec<Guard>, u64);

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
    // at a higher precision everything is done again
    if let Some(record) = question.record {
        record.clear();
    }
    let evaluator = evaluator().watched_by(question.record.map(|record| record as &dyn Observer));
    let (trace, value) = evaluator.symbolic(&functions, &environment, &question.program.term)?;
    Ok((trace, value, evaluator.guards(), evaluator.steps()))
}

fn at_precision<C: Context>(question: &Question, context: C) -> Result<Answer, Obstacle> {
    let bits = (context.precision() > Double.precision()).then(|| context.precision());
    let numbers = Certified(context);
    let (trace, value, guards, steps) = run(question, &numbers)?;
    let value = value.map(&mut |x| numbers.0.to_enclosure(x));
    Ok(Answer { trace, value, guards, steps, neighbourhood: None, bits })
}

/// A box round the point on which the guards are decided as they were there.
fn around<C: Context>(question: &Question, context: C, answer: &Answer) -> Option<Vec<Range>> {
    let ([(x, ty)], Some(point)) = (&question.program.parameters[..], question.point) else { return None };
    let numbers = Certified(context);
    let evaluator = Evaluator::new(&numbers).by(question.strategy).paid_by(question.budget);
    let at = evaluator.ordinary(&Functions::default(), &Environment::default(), &point.term).ok()?;
    let holds = |over: Value<C::Num>| {
        let Some((moving, inputs)) = Centred::inputs(&numbers.0, ty, &over) else { return false };
        let evaluator = Evaluator::new(&moving).by(question.strategy).within(4 * answer.steps + 1000).without_traces();
        let evaluator = evaluator.paid_by(question.budget);
        let rho = Environment::of(x, inputs);
        let found = evaluator.symbolic(&Functions::default(), &rho, &question.program.term);
        found.is_ok() && evaluator.guards() == answer.guards
    };
    neighbourhood::grown(&numbers.0, ty, &at, question.budget, &holds)
}
