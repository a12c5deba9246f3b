//! Asking for traces: a function and a point in, a trace out, with its value and a box of inputs where it is valid.
//!
//! A guard that is not decided at one precision is asked again at a higher one. What no precision decides is asked of the
//! rational numbers, which know of a boundary for certain; what these do not know either is undecided, and the error says how
//! nearly both sides agree.

use super::embed::Program;
use super::environment::{Environment, Functions};
use super::error::Obstacle;
use super::evaluation::observer::Observer;
use super::evaluation::{Evaluator, Guard, Strategy};
use super::neighbourhood::{self, Range};
use super::number::{Centred, Certified, Numbers, Rationals};
use super::steps::Record;
use super::term::Term;
use super::value::Value;
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
    /// and everything is defined (A Thm 6.2 (2)). `None` where none was found in time.
    pub neighbourhood: Option<Vec<Range>>,
}

/// The precisions at which a guard is asked, after doubles.
const PRECISIONS: [u32; 6] = [128, 256, 512, 1024, 2048, 4096];

/// The trace of a program at a point.
///
/// # Errors
/// [`Obstacle`]; a point of another type, or none where one is needed, has no rule.
pub fn ask(question: &Question) -> Result<Answer, Obstacle> {
    let mut found = at_precision(question, Double);
    for bits in PRECISIONS {
        match &found {
            Err(Obstacle::Undefined(undefined)) if undefined.cause == Cause::Undecided => {
                if question.budget.is_exhausted() {
                    break;
                }
                found = at_precision(question, Mpfr::new(bits));
            }
            _ => return found,
        }
    }
    match (found, run(question, &Rationals::default())) {
        // where the rationals know for certain
        (Err(Obstacle::Undefined(undecided)), Err(Obstacle::Undefined(certain)))
            if undecided.cause == Cause::Undecided && certain.certain =>
        {
            Err(certain.into())
        }
        (found, _) => found,
    }
}

type Run<R> = (Environment<R>, Term, Value<R>, Vec<Guard>, u64);

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
    Ok((environment, trace, value, evaluator.guards(), evaluator.steps()))
}

fn at_precision<C: Context>(question: &Question, context: C) -> Result<Answer, Obstacle> {
    let numbers = Certified(context);
    let bits = numbers.0.precision();
    let (environment, trace, value, guards, steps) = run(question, &numbers).map_err(|error| match error {
        Obstacle::Undefined(mut undefined) => {
            if undefined.cause == Cause::Undecided {
                undefined.bits = Some(bits);
            }
            undefined.into()
        }
        other => other,
    })?;
    let neighbourhood = match &question.program.parameters[..] {
        [(x, ty)] => environment.get(x).and_then(|at| {
            let holds = |over: Value<C::Num>| {
                let Some((moving, inputs)) = Centred::inputs(&numbers.0, ty, &over) else { return false };
                let evaluator = Evaluator::new(&moving).by(question.strategy).within(4 * steps + 1000);
                let evaluator = evaluator.paid_by(question.budget);
                let rho = Environment::of(x, inputs);
                let found = evaluator.symbolic(&Functions::default(), &rho, &question.program.term);
                found.is_ok() && evaluator.guards() == guards
            };
            neighbourhood::grown(&numbers.0, ty, at, question.budget, &holds)
        }),
        _ => None,
    };
    let value = value.map(&mut |x| numbers.0.to_enclosure(x));
    Ok(Answer { trace, value, guards, steps, neighbourhood })
}
