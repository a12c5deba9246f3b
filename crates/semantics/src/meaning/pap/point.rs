//! Evaluation of programs at a point.
//!
//! A guard is the sign of a number, which is [decided](crate::pieces::sign) or not. If it is undecided, both answers are
//! followed. If the values for all answers have a hull, the hull is the answer, with a note. Otherwise there is no answer.
//!
//! A derivative at a point on a border is that of the piece to which the border belongs. The answer says so, and shows the value
//! that results from the other answer to this guard alone. Where several borders meet, that need not be a value beside the point.

use super::foreign::{Primitive, given};
use super::hooks::Hooks;
use super::oracle::{Asked, Oracle};
use super::{MOST_STEPS, NAME, Pieces, locked};
use crate::model::Place;
use crate::model::answer::{self, Answer, Decision, MeaningError, Number, Remark};
use crate::model::universe::Evaluator;
use crate::number::Accuracy;
use crate::number::budget::Budget;
use crate::number::real::{Real, Refined};
use crate::pieces::guard::Guard;
use crate::pieces::sign::sign;
use crate::presheaf::condition::Condition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Graph;
use crate::smooth::question::Several;
use crate::syntax::term::Term;
use crate::value::{Cause, Change, Nested, Site, Truth, Undefined, Value, ValueError};
use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The most guards that may be undecided in a run; a choice.
pub const MOST_UNDECIDED: usize = 64;
/// The most runs for the answers to undecided guards; a choice.
const MOST_RUNS: usize = 64;
/// The most borders for which an answer shows the other side; a choice.
const MOST_BORDERS: usize = 4;

/// The oracle that decides by signs.
#[derive(Debug)]
pub struct AtPoint {
    hooks: Arc<dyn Hooks>,
    budget: Arc<Budget>,
    /// The answers to undecided guards, in their order; `true` for those beyond the list.
    script: Vec<bool>,
    /// The number of the guard to which the other answer is given.
    turned: Option<usize>,
    seen: Mutex<Seen>,
}

/// The record of a run.
#[derive(Debug, Default)]
struct Seen {
    /// The number of guards asked so far.
    asked: usize,
    /// The undecided guards, each with an exponent of 2 that bounds its number, if known.
    undecided: Vec<(Site, Option<i64>)>,
    /// The borders on which a derivative was taken.
    borders: Vec<Border>,
}

/// A border on which a derivative was taken.
#[derive(Clone, Debug)]
struct Border {
    /// The number of the guard in the run.
    number: usize,
    /// The site of the guard.
    site: Site,
    /// The point of the derivative.
    at: Graph,
}

impl Oracle for AtPoint {
    fn hooks(&self) -> &dyn Hooks {
        &*self.hooks
    }
    fn decide(&self, Asked { guard, is_condition, at }: &Asked) -> Result<bool, ValueError> {
        let Guard { graph, test, site } = guard;
        let number = {
            let mut seen = locked(&self.seen);
            seen.asked += 1;
            seen.asked - 1
        };
        match sign(graph, &self.budget) {
            Ok(sign) => {
                // a condition of an operation is no border between pieces
                if let (Ordering::Equal, Some(at), false) = (sign, at, *is_condition) {
                    let border = Border { number, site: *site, at: at.clone() };
                    locked(&self.seen).borders.push(border);
                }
                Ok(test.holds(sign) != (self.turned == Some(number)))
            }
            // an exhausted budget comes first: it says nothing about the guard
            Err(_) if self.budget.is_exhausted() => Err(ValueError::undefined(Undefined::of(
                Cause::Fuel,
                "its time was up while a guard was being decided",
            ))),
            Err(agreement) => {
                let mut seen = locked(&self.seen);
                let place = seen.undecided.len();
                // following both answers to a condition would give the operation a value outside its domain
                if *is_condition || place >= MOST_UNDECIDED {
                    let found = Undefined { agreement, site: *site, ..Undefined::of(Cause::Undecided, test) };
                    return Err(ValueError::undefined(found));
                }
                seen.undecided.push((*site, agreement));
                Ok(self.script.get(place).copied().unwrap_or(true))
            }
        }
    }
}

/// The most steps of a run that a note shows. It takes another way through the program, and may never end; a choice.
const STEPS_OF_A_NOTE: u64 = 1_000;

/// A request for the value of a program.
#[derive(Debug)]
pub struct Question<'q> {
    /// A closed, well-typed program.
    pub term: &'q Term,
    /// The primitives to which it is applied.
    pub primitives: &'q [Primitive],
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfoldings: Option<u64>,
    /// The clauses of the semantics.
    pub hooks: Arc<dyn Hooks>,
    /// The accuracy asked for.
    pub to: &'q Accuracy,
    /// The budget.
    pub budget: &'q Arc<Budget>,
}

/// A run with its record.
struct Run {
    outcome: Result<Enclosed, MeaningError>,
    seen: Seen,
    /// The answers to all undecided guards of the run.
    script: Vec<bool>,
    model: Evaluator<Pieces<AtPoint>>,
}

/// An enclosed value, with the reason why its first undefined number is undefined.
struct Enclosed {
    value: Value<Number>,
    undefined: Option<answer::Undefined>,
}

impl Question<'_> {
    /// Runs once, with given answers to undecided guards and the answer to the guard number `turned` reversed.
    fn run(&self, script: &[bool], turned: Option<usize>) -> Run {
        let (hooks, budget) = (self.hooks.clone(), self.budget.clone());
        let oracle = AtPoint { hooks, budget, script: script.to_vec(), turned, seen: Mutex::default() };
        let universe = Pieces::new(oracle, self.budget.clone());
        let model = Evaluator::new(
            universe.limited(self.unfoldings, if turned.is_some() { STEPS_OF_A_NOTE } else { MOST_STEPS }),
        );
        let outcome = given(&model, self.primitives, self.term).and_then(|value| {
            value.measure()?;
            let questions = Several::new(&value.numbers());
            let mut telling = Telling { to: self.to, budget: self.budget, questions, suspect: None };
            let value = value.told(&mut telling).map_err(|error| MeaningError::Evaluation { error, place: None })?;
            let found = telling.suspect.and_then(|graph| graph.evaluation().ok()?.undefined(self.budget));
            let undefined =
                found.map(|found| answer::Undefined::of_number(&found, |site| model.0.place(site), self.term));
            Ok(Enclosed { value, undefined })
        });
        let outcome = outcome.map_err(|error| match error {
            MeaningError::Run(ValueError::Undefined(found)) => {
                let place = model.0.place(found.site);
                MeaningError::Undefined(Box::new(answer::Undefined::of_value(&found, place, self.term, told)))
            }
            error => error,
        });
        let seen = std::mem::take(&mut *locked(&model.0.oracle().seen));
        let mut script = script.to_vec();
        // guards beyond the script were answered `true`, as in `decide`
        script.resize(seen.undecided.len().max(script.len()), true);
        Run { outcome, seen, script, model }
    }

    /// Evaluates the program.
    ///
    /// # Errors
    /// [`MeaningError`]: a construct that the model lacks, no value, none found, or undecided guards whose sides disagree.
    pub fn answer(&self) -> Result<Answer, MeaningError> {
        let first = self.run(&[], None);
        if !first.seen.undecided.is_empty() {
            return self.both(first);
        }
        let Enclosed { value, undefined } = first.outcome?;
        let mut answer = Answer { undefined, on_border: !first.seen.borders.is_empty(), ..Answer::of(value) };
        for border in first.seen.borders.iter().take(MOST_BORDERS) {
            answer.remarks.push(self.beyond(border, &first.model));
        }
        if let Some(more) = first.seen.borders.len().checked_sub(MOST_BORDERS).filter(|more| *more > 0) {
            answer.remarks.push(Remark::text(format!("it lies on {more} more guards")));
        }
        Ok(answer)
    }

    /// Returns a note with the value for the other answer to the guard of a border, and to no other guard.
    fn beyond(&self, border: &Border, model: &Evaluator<Pieces<AtPoint>>) -> Remark {
        let at = match self.budget.is_exhausted() {
            true => "the place".to_owned(),
            false => Shown { value: &Value::Real(enclosed(&border.at, self.to, self.budget)), to: self.to }.to_string(),
        };
        let other = match self.budget.is_exhausted() {
            true => "not found out in time".to_owned(),
            false => match self.run(&[], Some(border.number)).outcome {
                Ok(found) => Shown { value: &found.value, to: self.to }.to_string(),
                Err(error) => without_value(&error),
            },
        };
        Remark {
            before: format!("an intensional derivative; {at} lies on the guard"),
            place: model.0.place(border.site),
            after: format!("; with the other answer to this guard alone: {other}"),
        }
    }

    /// Combines the runs for all answers to undecided guards.
    fn both(&self, first: Run) -> Result<Answer, MeaningError> {
        let (mut pending, mut done) = (Vec::new(), Vec::new());
        let mut next = Some((0, first));
        while let Some((from, run)) = next.take() {
            // depth-first over the tree of answers: each prefix of this run with its last answer changed
            for place in (from..run.script.len()).rev() {
                let mut other = run.script[..place].to_vec();
                other.push(false);
                pending.push(other);
            }
            done.push(run);
            if let Some(script) = pending.pop() {
                if done.len() >= MOST_RUNS {
                    let message = format!("more than {MOST_RUNS} ways to answer guards that were not decided");
                    return Err(undecided(message, None));
                }
                next = Some((script.len(), self.run(&script, None)));
            }
        }
        let guard = done.first().and_then(|run| run.seen.undecided.first().copied());
        let place = guard.and_then(|(site, _)| done.first()?.model.0.place(site));
        let near = guard.and_then(|(_, agreement)| agreement);
        let near = near.map_or_else(String::new, |power| format!(" (its sides agree to within 2^{power})"));
        let sides = sides(&done, self.to);
        let mut hull: Option<Value<Number>> = None;
        for run in &done {
            let joined = match (&run.outcome, hull) {
                (Ok(found), None) => Some(found.value.clone()),
                (Ok(found), Some(hull)) => joined(&hull, &found.value, self.to),
                // a construct that the model lacks is an error on every side
                (Err(error), _) if error.lacks().is_some() => return Err(error.clone()),
                (Err(_), _) => None,
            };
            let Some(joined) = joined else {
                let message = format!("a guard was not decided{near}, and its sides differ: {sides}");
                return Err(undecided(message, place));
            };
            hull = Some(joined);
        }
        let Some(value) = hull else { return Err(undecided("nothing was found".to_owned(), place)) };
        let remark = Remark {
            before: "not decided: the guard".to_owned(),
            place,
            after: format!("{near}; the answer holds what follows from either: {sides}"),
        };
        Ok(Answer { remarks: vec![remark], ..Answer::of(value) })
    }
}

fn undecided(message: String, place: Option<Place>) -> MeaningError {
    MeaningError::Undefined(Box::new(answer::Undefined { cause: Cause::Undecided, message, place, library: None }))
}

/// Formats why a value is undefined. An exhausted budget says nothing about the program.
fn told(found: &Undefined) -> String {
    match found.cause {
        Cause::Fuel if !found.certain => {
            format!("no value was found: {}; that says nothing of the program", found.operation)
        }
        _ => found.to_string(),
    }
}

/// Formats an error as having no value, or as not having found one.
fn without_value(error: &MeaningError) -> String {
    let is_known = matches!(error, MeaningError::Undefined(found) if found.cause != Cause::Fuel);
    if is_known { format!("no value ({error})") } else { error.to_string() }
}

/// The most different outcomes that are listed; a choice.
const MOST_SIDES: usize = 4;

/// Lists the outcomes of all runs, each once, with the first answers that lead to it.
fn sides(runs: &[Run], to: &Accuracy) -> String {
    let mut outcomes: Vec<(String, &Run, usize)> = Vec::new();
    for run in runs {
        let found = match &run.outcome {
            Ok(found) => Shown { value: &found.value, to }.to_string(),
            Err(error) => without_value(error),
        };
        match outcomes.iter_mut().find(|(outcome, ..)| *outcome == found) {
            Some((.., more)) => *more += 1,
            None => outcomes.push((found, run, 0)),
        }
    }
    let told = outcomes.iter().take(MOST_SIDES).map(|(found, run, more)| {
        let more = match more {
            0 => String::new(),
            1 => ", and so in one other way".to_owned(),
            more => format!(", and so in {more} other ways"),
        };
        format!("where it {}, {found}{more}", answers(&run.script))
    });
    let mut told = told.collect::<Vec<_>>().join("; ");
    if let Some(more) = outcomes.len().checked_sub(MOST_SIDES).filter(|more| *more > 0) {
        told += &format!("; and {more} more outcomes");
    }
    told
}

/// Formats answers to one guard after another: `holds, then fails 3 times`.
fn answers(script: &[bool]) -> String {
    let runs = script.chunk_by(|a, b| a == b).map(|run| {
        let word = if run[0] { "holds" } else { "fails" };
        if run.len() == 1 { word.to_owned() } else { format!("{word} {} times", run.len()) }
    });
    runs.collect::<Vec<_>>().join(", then ")
}

/// Returns the hull of two values of the same shape; `None` if the shapes or discrete parts differ.
fn joined(left: &Value<Number>, right: &Value<Number>, to: &Accuracy) -> Option<Value<Number>> {
    let all = |a: &[Value<Number>], b: &[Value<Number>]| {
        let parts = a.iter().zip(b).map(|(a, b)| joined(a, b, to));
        (a.len() == b.len()).then(|| parts.collect::<Option<Vec<_>>>())?
    };
    match (left, right) {
        (Value::Real(Number::Enclosure(a)), Value::Real(Number::Enclosure(b))) => {
            let enclosure = a.enclosure.hull(&b.enclosure);
            let reached = to.admits(&enclosure);
            Some(Value::Real(Number::Enclosure(Box::new(Refined { enclosure, reached, why: None, ..(**a).clone() }))))
        }
        (Value::Boolean(a), Value::Boolean(b)) if a == b => Some(left.clone()),
        // different truth values have no hull but "undecided"
        (Value::Boolean(_), Value::Boolean(_)) => Some(Value::Boolean(Decision::Border("".into()))),
        (Value::Natural(a), Value::Natural(b)) => (a == b).then(|| left.clone()),
        (Value::Unit, Value::Unit) => Some(Value::Unit),
        (Value::Tuple(a), Value::Tuple(b)) => all(a, b).map(Value::tuple),
        (Value::List(a), Value::List(b)) => {
            let (a, b): (Vec<_>, Vec<_>) = (a.iter().cloned().collect(), b.iter().cloned().collect());
            Some(Value::List(all(&a, &b)?.into_iter().collect()))
        }
        (Value::Variant(i, a), Value::Variant(j, b)) if i == j => {
            Some(Value::Variant(*i, Nested::new(joined(a, b, to)?)))
        }
        _ => None,
    }
}

fn enclosed(graph: &Graph, to: &Accuracy, budget: &Budget) -> Number {
    let found = match graph.evaluation().map(|evaluation| Real::new(evaluation).enclose_to(to, budget)) {
        Ok(Ok(found)) => found,
        _ => Refined::unknown(),
    };
    Number::Enclosure(Box::new(found))
}

/// Conversion of the numbers of a value to enclosures.
struct Telling<'a> {
    to: &'a Accuracy,
    budget: &'a Budget,
    questions: Several,
    /// The first number that is not shown to be defined.
    suspect: Option<Graph>,
}

impl Change<Graph, Number> for Telling<'_> {
    type Error = SmoothError;

    fn real(&mut self, graph: &Graph) -> Result<Number, SmoothError> {
        let found = match self.budget.is_exhausted() {
            true => Refined::unknown(),
            false => self.questions.of(graph)?.enclose_to(self.to, self.budget)?,
        };
        if self.suspect.is_none() && !found.enclosure.is_defined() {
            self.suspect = Some(graph.clone());
        }
        Ok(Number::Enclosure(Box::new(found)))
    }
    fn truth(&mut self, condition: &Condition) -> Result<Decision, SmoothError> {
        Ok(condition.known().map_or_else(|| Decision::Border(NAME.into()), Decision::Known))
    }
}

/// A value formatted for a note: an exactly known number is shown without brackets.
struct Shown<'a> {
    value: &'a Value<Number>,
    to: &'a Accuracy,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Real(Number::Enclosure(found)) if !found.enclosure.is_defined() => f.write_str("no value"),
            Value::Real(Number::Enclosure(found)) => {
                let ends = self.to.decimals(&found.enclosure);
                if ends.lo() == ends.hi() { f.write_str(ends.lo()) } else { write!(f, "{ends}") }
            }
            Value::Boolean(Decision::Known(b)) => f.write_str(if *b { "tt" } else { "ff" }),
            Value::Natural(n) => n.fmt(f),
            Value::Tuple(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { ", " }, Self { value: part, ..*self })?;
                }
                f.write_str(")")
            }
            other => write!(f, "{}", other.kind()),
        }
    }
}
