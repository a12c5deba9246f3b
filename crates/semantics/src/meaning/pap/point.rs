//! Evaluation of programs at a point.
//!
//! A guard is the sign of a number, which is [decided](crate::pieces::function) or not. If it is undecided, both answers are
//! followed. If the values for all answers have a hull, the hull is the answer, with a note. Otherwise there is no answer.
//!
//! A derivative at a point on a border is that of the piece to which the border belongs. The answer says so, and shows the value
//! that results from the other answer to this guard alone. Where several borders meet, that need not be a value beside the point.

use super::foreign::{ForeignPrimitive, apply_to_primitives};
use super::{GuardQuery, GuardRole, MAX_POINT_STEPS, Oracle, PiecewiseHooks, PiecewiseUniverse, lock};
use crate::meaning::presheaf::with_exact_value;
use crate::model::answer::{AnswerNote, AnswerNumber, AnswerTruth, ProgramAnswer, SemanticsError};
use crate::model::universe::EvaluatorModel;
use crate::model::{SourceLocation, answer};
use crate::number::budget::Budget;
use crate::number::real::{RefinableReal, RefinedEnclosure, WidthReason};
use crate::number::{Accuracy, Rational};
use crate::pieces::function::{SignGuard, decide_sign};
use crate::presheaf::dynamic::StageCondition;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Graph;
use crate::smooth::normal_form::{RationalFunction, RationalNormalForm};
use crate::smooth::question::QueryBatch;
use crate::syntax::term::Term;
use crate::value::{SharedBox, SourceId, TruthType, TryMapReals, UndefinedCause, UndefinedValue, Value, ValueError};
use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The most guards that may be undecided in a run; a choice.
pub const MAX_UNDECIDED_GUARDS: usize = 64;
/// The most runs for the answers to undecided guards; a choice.
const MAX_ANSWER_RUNS: usize = 64;
/// The most borders for which an answer shows the other side; a choice.
const MAX_SHOWN_BORDERS: usize = 4;

/// The oracle that decides by signs.
#[derive(Debug)]
pub struct SignOracle {
    hooks: Arc<dyn PiecewiseHooks>,
    budget: Arc<Budget>,
    /// The answers to undecided guards, in their order; `true` for those beyond the list.
    given_answers: Vec<bool>,
    /// The number of the guard to which the other answer is given.
    reversed_guard: Option<usize>,
    seen: Mutex<PointRecord>,
}

/// The record of a run.
#[derive(Debug, Default)]
struct PointRecord {
    /// The number of guards asked so far.
    asked: usize,
    /// The undecided guards, each with an exponent of 2 that bounds its number, if known.
    undecided: Vec<(SourceId, Option<i64>)>,
    /// The borders on which a derivative was taken.
    borders: Vec<DerivativeBorder>,
}

/// A border on which a derivative was taken.
#[derive(Clone, Debug)]
struct DerivativeBorder {
    /// The number of the guard in the run.
    number: usize,
    /// The site of the guard.
    site: SourceId,
    /// The point of the derivative.
    at: Graph,
}

impl Oracle for SignOracle {
    fn hooks(&self) -> &dyn PiecewiseHooks {
        &*self.hooks
    }
    fn decide_guard(&self, GuardQuery { guard, role, at }: &GuardQuery) -> Result<bool, ValueError> {
        let SignGuard { graph, test, site } = guard;
        let number = {
            let mut seen = lock(&self.seen);
            seen.asked += 1;
            seen.asked - 1
        };
        match decide_sign(graph, &self.budget) {
            Ok(sign) => {
                // a condition of an operation is no border between pieces
                if let (Ordering::Equal, Some(at), true) = (sign, at, *role != GuardRole::Condition) {
                    let border = DerivativeBorder { number, site: *site, at: at.clone() };
                    lock(&self.seen).borders.push(border);
                }
                Ok(test.is_satisfied_by(sign) != (self.reversed_guard == Some(number)))
            }
            // an exhausted budget comes first: it says nothing about the guard
            Err(_) if self.budget.is_exhausted() => Err(ValueError::from_undefined(UndefinedValue::of_operation(
                UndefinedCause::Fuel,
                "its time was up while a guard was being decided",
            ))),
            Err(agreement) => {
                let mut seen = lock(&self.seen);
                let place = seen.undecided.len();
                // following both answers to a condition would give the operation a value outside its domain
                if *role == GuardRole::Condition || place >= MAX_UNDECIDED_GUARDS {
                    let found = UndefinedValue {
                        agreement,
                        site: *site,
                        ..UndefinedValue::of_operation(UndefinedCause::Undecided, test)
                    };
                    return Err(ValueError::from_undefined(found));
                }
                seen.undecided.push((*site, agreement));
                Ok(self.given_answers.get(place).copied().unwrap_or(true))
            }
        }
    }
}

/// The most steps of a run that a note shows. It takes another way through the program, and may never end; a choice.
const MAX_NOTE_STEPS: u64 = 1_000;

/// A request for the value of a program.
#[derive(Debug)]
pub struct PointRequest<'q> {
    /// A closed, well-typed program.
    pub term: &'q Term,
    /// The primitives to which it is applied.
    pub primitives: &'q [ForeignPrimitive],
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfolding_limit: Option<u64>,
    /// The clauses of the semantics.
    pub hooks: Arc<dyn PiecewiseHooks>,
    /// The accuracy asked for.
    pub to: &'q Accuracy,
    /// The budget.
    pub budget: &'q Arc<Budget>,
}

/// A run with its record.
struct PointRun {
    outcome: Result<PointOutcome, SemanticsError>,
    seen: PointRecord,
    /// The answers to all undecided guards of the run.
    script: Vec<bool>,
    model: EvaluatorModel<PiecewiseUniverse<SignOracle>>,
}

/// An enclosed value, with the reason why its first undefined number is undefined.
struct PointOutcome {
    value: Value<AnswerNumber>,
    undefined: Option<answer::UndefinedReason>,
}

impl PointRequest<'_> {
    /// Runs once, with given answers to undecided guards and the answer to the guard number `turned` reversed.
    fn run_with_answers(&self, script: &[bool], turned: Option<usize>) -> PointRun {
        let (hooks, budget) = (self.hooks.clone(), self.budget.clone());
        let oracle = SignOracle {
            hooks,
            budget,
            given_answers: script.to_vec(),
            reversed_guard: turned,
            seen: Mutex::default(),
        };
        let universe = PiecewiseUniverse::new(oracle, self.budget.clone());
        let model = EvaluatorModel::new(
            universe.with_limits(self.unfolding_limit, if turned.is_some() { MAX_NOTE_STEPS } else { MAX_POINT_STEPS }),
        );
        let found = apply_to_primitives(&model, self.primitives, self.term);
        let outcome = enclose_outcome(&model, found, self.term, self.to, self.budget, format_undefined);
        let outcome = outcome.map(|(value, undefined)| PointOutcome { value, undefined });
        let seen = std::mem::take(&mut *lock(&model.0.oracle().seen));
        let mut script = script.to_vec();
        // guards beyond the script were answered `true`, as in `decide`
        script.resize(seen.undecided.len().max(script.len()), true);
        PointRun { outcome, seen, script, model }
    }

    /// Evaluates the program.
    ///
    /// # Errors
    /// [`SemanticsError`]: a construct that the model lacks, no value, none found, or undecided guards whose sides disagree.
    pub fn evaluate(&self) -> Result<ProgramAnswer, SemanticsError> {
        let first = self.run_with_answers(&[], None);
        if !first.seen.undecided.is_empty() {
            return self.combine_sides(first);
        }
        let notes = self.border_notes(&first);
        let PointOutcome { value, undefined } = first.outcome?;
        let on_border = !first.seen.borders.is_empty();
        Ok(ProgramAnswer { undefined, on_border, notes, ..ProgramAnswer::from_value(value) })
    }

    /// Returns notes on the borders of a run. None is made if the run has no value.
    fn border_notes(&self, run: &PointRun) -> Vec<AnswerNote> {
        let borders = if run.outcome.is_ok() { &run.seen.borders[..] } else { &[] };
        let mut notes: Vec<AnswerNote> =
            borders.iter().take(MAX_SHOWN_BORDERS).map(|border| self.other_side_note(border, run)).collect();
        if let Some(more) = borders.len().checked_sub(MAX_SHOWN_BORDERS).filter(|more| *more > 0) {
            notes.push(AnswerNote::without_place(format!("it lies on {more} more guards")));
        }
        notes
    }

    /// Returns a note with the value for the other answer to the guard of a border, and to no other guard.
    fn other_side_note(&self, border: &DerivativeBorder, run: &PointRun) -> AnswerNote {
        let at = match self.budget.is_exhausted() {
            true => "the place".to_owned(),
            false => NoteValue { value: &Value::Real(enclose_graph(&border.at, self.to, self.budget)), to: self.to }
                .to_string(),
        };
        let other = match self.budget.is_exhausted() {
            true => "not found out in time".to_owned(),
            false => match self.run_with_answers(&run.script, Some(border.number)).outcome {
                Ok(found) => NoteValue { value: &found.value, to: self.to }.to_string(),
                Err(error) => format_without_value(&error),
            },
        };
        AnswerNote {
            before: format!("an intensional derivative; {at} lies on the guard"),
            place: run.model.0.location_of(border.site),
            after: format!("; with the other answer to this guard alone: {other}"),
        }
    }

    /// Combines the runs for all answers to undecided guards.
    fn combine_sides(&self, first: PointRun) -> Result<ProgramAnswer, SemanticsError> {
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
                if done.len() >= MAX_ANSWER_RUNS {
                    let message = format!("more than {MAX_ANSWER_RUNS} ways to answer guards that were not decided");
                    return Err(undecided_error(message, None));
                }
                next = Some((script.len(), self.run_with_answers(&script, None)));
            }
        }
        let guard = done.first().and_then(|run| run.seen.undecided.first().copied());
        let place = guard.and_then(|(site, _)| done.first()?.model.0.location_of(site));
        let near = guard.and_then(|(_, agreement)| agreement);
        let near = near.map_or_else(String::new, |power| format!(" (its sides agree to within 2^{power})"));
        let sides = format_outcomes(&done, self.to);
        let mut hull: Option<Value<AnswerNumber>> = None;
        for run in &done {
            let joined = match (&run.outcome, hull) {
                (Ok(found), None) => Some(found.value.clone()),
                (Ok(found), Some(hull)) => join_values(&hull, &found.value, self.to),
                // a construct that the model lacks is an error on every side
                (Err(error), _) if error.unsupported_construct().is_some() => return Err(error.clone()),
                (Err(_), _) => None,
            };
            let Some(joined) = joined else {
                let message = format!("a guard was not decided{near}, and its sides differ: {sides}");
                return Err(undecided_error(message, place));
            };
            hull = Some(joined);
        }
        let Some(value) = hull else { return Err(undecided_error("nothing was found".to_owned(), place)) };
        let remark = AnswerNote {
            before: "not decided: the guard".to_owned(),
            place,
            after: format!("{near}; the answer holds what follows from either: {sides}"),
        };
        // What qualifies the value of any run qualifies the hull: it is a derivative on a border if one of them is.
        let mut notes = vec![remark];
        for note in done.iter().flat_map(|run| self.border_notes(run)) {
            if notes.len() <= MAX_SHOWN_BORDERS && !notes.contains(&note) {
                notes.push(note);
            }
        }
        let undefined = done.iter().find_map(|run| run.outcome.as_ref().ok()?.undefined.clone());
        let on_border = done.iter().any(|run| !run.seen.borders.is_empty());
        Ok(ProgramAnswer { undefined, on_border, notes, ..ProgramAnswer::from_value(value) })
    }
}

/// Encloses the numbers of a value, and finds the reason why the first undefined one is. Without a value, explains its lack by
/// `format`.
///
/// # Errors
/// The error as given, with the place and the reason of an undefined operation.
pub fn enclose_outcome<O: Oracle>(
    model: &EvaluatorModel<PiecewiseUniverse<O>>,
    found: Result<Value<Graph>, SemanticsError>,
    term: &Term,
    to: &Accuracy,
    budget: &Budget,
    format: fn(&UndefinedValue) -> String,
) -> Result<(Value<AnswerNumber>, Option<answer::UndefinedReason>), SemanticsError> {
    let outcome = found.and_then(|value| {
        value.check_size()?;
        // numbers that share work are asked together
        let questions = QueryBatch::new(&value.real_numbers());
        let mut telling = PointEncloser { model: O::MODEL, to, budget, questions, first_undefined: None };
        let value =
            value.try_map_reals(&mut telling).map_err(|error| SemanticsError::Evaluation { error, place: None })?;
        let found =
            telling.first_undefined.and_then(|graph| graph.compile_evaluation().ok()?.diagnose_undefined(budget));
        let undefined =
            found.map(|found| answer::UndefinedReason::of_number(&found, |site| model.0.location_of(site), term));
        Ok((value, undefined))
    });
    outcome.map_err(|error| match error {
        SemanticsError::Run(ValueError::Undefined(found)) => {
            let place = model.0.location_of(found.site);
            SemanticsError::Undefined(Box::new(answer::UndefinedReason::of_value(&found, place, term, format)))
        }
        error => error,
    })
}

/// Shows a closed number: exactly if it is rational, else to a few digits.
#[must_use]
pub fn show_number(graph: &Graph, budget: &Budget) -> String {
    if let Some(exact) =
        RationalNormalForm::default().normal_form(graph).as_ref().and_then(RationalFunction::as_rational)
    {
        return exact.to_string();
    }
    let to = Accuracy::within(Rational::from((1, 1_000_000)));
    NoteValue { value: &Value::Real(enclose_graph(graph, &to, budget)), to: &to }.to_string()
}

fn undecided_error(message: String, place: Option<SourceLocation>) -> SemanticsError {
    SemanticsError::Undefined(Box::new(answer::UndefinedReason {
        cause: UndefinedCause::Undecided,
        message,
        place,
        library: None,
        stated_by: None,
        divergence: None,
    }))
}

/// Formats why a value is undefined. An exhausted budget says nothing about the program.
fn format_undefined(found: &UndefinedValue) -> String {
    match found.cause {
        UndefinedCause::Fuel if !found.certain => {
            format!("no value was found: {}; the program may still have one", found.operation)
        }
        _ => found.to_string(),
    }
}

/// Formats an error as having no value, or as not having found one.
fn format_without_value(error: &SemanticsError) -> String {
    let is_known = matches!(error, SemanticsError::Undefined(found) if found.cause != UndefinedCause::Fuel);
    if is_known { format!("no value ({error})") } else { error.to_string() }
}

/// The most different outcomes that are listed; a choice.
const MAX_SHOWN_OUTCOMES: usize = 4;

/// Lists the outcomes of all runs, each once, with the first answers that lead to it.
fn format_outcomes(runs: &[PointRun], to: &Accuracy) -> String {
    let mut outcomes: Vec<(String, &PointRun, usize)> = Vec::new();
    for run in runs {
        let found = match &run.outcome {
            Ok(found) => NoteValue { value: &found.value, to }.to_string(),
            Err(error) => format_without_value(error),
        };
        match outcomes.iter_mut().find(|(outcome, ..)| *outcome == found) {
            Some((.., more)) => *more += 1,
            None => outcomes.push((found, run, 0)),
        }
    }
    let told = outcomes.iter().take(MAX_SHOWN_OUTCOMES).map(|(found, run, more)| {
        let more = match more {
            0 => String::new(),
            1 => ", and so in one other way".to_owned(),
            more => format!(", and so in {more} other ways"),
        };
        format!("where it {}, {found}{more}", format_answers(&run.script))
    });
    let mut told = told.collect::<Vec<_>>().join("; ");
    if let Some(more) = outcomes.len().checked_sub(MAX_SHOWN_OUTCOMES).filter(|more| *more > 0) {
        told += &format!("; and {more} more outcomes");
    }
    told
}

/// Formats answers to one guard after another: `holds, then fails 3 times`.
fn format_answers(script: &[bool]) -> String {
    let runs = script.chunk_by(|a, b| a == b).map(|run| {
        let word = if run[0] { "holds" } else { "fails" };
        if run.len() == 1 { word.to_owned() } else { format!("{word} {} times", run.len()) }
    });
    runs.collect::<Vec<_>>().join(", then ")
}

/// Returns the hull of two values of the same shape; `None` if the shapes or discrete parts differ.
fn join_values(left: &Value<AnswerNumber>, right: &Value<AnswerNumber>, to: &Accuracy) -> Option<Value<AnswerNumber>> {
    let all = |a: &[Value<AnswerNumber>], b: &[Value<AnswerNumber>]| {
        let parts = a.iter().zip(b).map(|(a, b)| join_values(a, b, to));
        (a.len() == b.len()).then(|| parts.collect::<Option<Vec<_>>>())?
    };
    match (left, right) {
        (Value::Real(AnswerNumber::Enclosure(a)), Value::Real(AnswerNumber::Enclosure(b))) => {
            let enclosure = a.enclosure.hull(&b.enclosure);
            let reached = to.is_reached_by(&enclosure);
            let mut assumed = [&a.assumed[..], &b.assumed[..]].concat();
            assumed.sort_unstable();
            assumed.dedup();
            Some(Value::Real(AnswerNumber::Enclosure(Box::new(RefinedEnclosure {
                enclosure,
                reached,
                bits: a.bits.max(b.bits),
                exhausted: a.exhausted || b.exhausted,
                assumed,
                reason: None,
                exact: (a.exact == b.exact).then(|| a.exact.clone()).flatten(),
                conditional: a.conditional.or(b.conditional),
            }))))
        }
        (Value::Boolean(a), Value::Boolean(b)) if a == b => Some(left.clone()),
        // different truth values have no hull but "undecided"
        (Value::Boolean(_), Value::Boolean(_)) => Some(Value::Boolean(AnswerTruth::Undecided("".into()))),
        (Value::Natural(a), Value::Natural(b)) => (a == b).then(|| left.clone()),
        (Value::Unit, Value::Unit) => Some(Value::Unit),
        (Value::Tuple(a), Value::Tuple(b)) => all(a, b).map(Value::tuple_of),
        (Value::List(a), Value::List(b)) => {
            let (a, b): (Vec<_>, Vec<_>) = (a.iter().cloned().collect(), b.iter().cloned().collect());
            Some(Value::List(all(&a, &b)?.into_iter().collect()))
        }
        (Value::Variant(i, a), Value::Variant(j, b)) if i == j => {
            Some(Value::Variant(*i, SharedBox::new(join_values(a, b, to)?)))
        }
        _ => None,
    }
}

fn enclose_graph(graph: &Graph, to: &Accuracy, budget: &Budget) -> AnswerNumber {
    let found = match graph.compile_evaluation().map(|evaluation| RefinableReal::new(evaluation).enclose_to(to, budget))
    {
        Ok(Ok(found)) => with_exact_value(found, graph),
        _ => RefinedEnclosure::unknown(),
    };
    AnswerNumber::Enclosure(Box::new(found))
}

/// Conversion of the numbers of a value to enclosures.
struct PointEncloser<'a> {
    /// The name of the model.
    model: &'static str,
    to: &'a Accuracy,
    budget: &'a Budget,
    questions: QueryBatch,
    /// The first number that is not shown to be defined.
    first_undefined: Option<Graph>,
}

impl TryMapReals<Graph, AnswerNumber> for PointEncloser<'_> {
    type Error = SmoothError;

    fn map_real(&mut self, graph: &Graph) -> Result<AnswerNumber, SmoothError> {
        let found = match self.budget.is_exhausted() {
            true => RefinedEnclosure::unknown(),
            false => with_exact_value(self.questions.real_of(graph)?.enclose_to(self.to, self.budget)?, graph),
        };
        if self.first_undefined.is_none() && !found.enclosure.is_defined() {
            self.first_undefined = Some(graph.clone());
        }
        // two values enclosed apart prove that the number is a set
        let is_wide = !found.reached && !found.exhausted && found.enclosure.is_defined();
        let apart = if is_wide { graph.separate_values(self.budget)? } else { None };
        let reason = apart.map(|ends| WidthReason::Set(Box::new(ends))).or(found.reason);
        Ok(AnswerNumber::Enclosure(Box::new(RefinedEnclosure { reason, ..found })))
    }
    fn map_truth(&mut self, condition: &StageCondition) -> Result<AnswerTruth, SmoothError> {
        Ok(condition.decided_value().map_or_else(|| AnswerTruth::Undecided(self.model.into()), AnswerTruth::Decided))
    }
}

/// A value formatted for a note: an exactly known number is shown without brackets.
struct NoteValue<'a> {
    value: &'a Value<AnswerNumber>,
    to: &'a Accuracy,
}

impl fmt::Display for NoteValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Real(AnswerNumber::Enclosure(found)) if !found.enclosure.is_defined() => f.write_str("no value"),
            Value::Real(AnswerNumber::Enclosure(found)) => {
                let ends = self.to.print_decimals(&found.enclosure);
                if ends.lo() == ends.hi() { f.write_str(ends.lo()) } else { write!(f, "{ends}") }
            }
            Value::Boolean(AnswerTruth::Decided(b)) => f.write_str(if *b { "tt" } else { "ff" }),
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
