//! Evaluation of programs at increasing precision.
//!
//! A run has one precision, and its result is certain. While a comparison is undecided, or the value is not as narrow as asked,
//! the program is run again with twice the bits. This ends with the budget, or when the next run would exceed it. A comparison
//! still undecided at 1024 bits is evaluated in [rational numbers](Exact), which decide boundaries for certain. If they do not
//! decide it either, the error says how nearly both sides agree.

use super::{Partial, Values};
use crate::model::answer::{self, Answer, Decision, MeaningError, Number};
use crate::model::universe::Evaluator;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::real::{self, Contradiction};
use crate::number::{Accuracy, Double, Enclosure, Exact, Mpfr};
use crate::smooth::error::SmoothError;
use crate::syntax::term::Term;
use crate::value::{Cause, Change, Undefined, Value, ValueError};
use std::sync::Arc;
use std::time::Instant;

/// The most bits to which a comparison is evaluated; a choice.
pub const DECIDED_BY: u32 = 1024;
/// The highest precision, in bits; a choice.
const MOST_BITS: u32 = 1 << 20;

/// Conversion of the numbers of a run to those of an answer, each intersected with its enclosure of earlier runs.
struct Telling<'a, C> {
    context: &'a C,
    to: &'a Accuracy,
    /// The intersections of all runs so far, one for each number.
    known: &'a mut Vec<Enclosure>,
    /// The number of numbers converted.
    told: usize,
    /// `true` while every number is as accurate as asked, or will never be.
    reached: bool,
}

impl<C: Context> Change<super::Element<C::Num>, Number> for Telling<'_, C> {
    type Error = Contradiction;

    fn real(&mut self, x: &super::Element<C::Num>) -> Result<Number, Contradiction> {
        let found = self.context.to_enclosure(&x.value(self.context));
        // a disjoint enclosure contradicts an earlier one: one of the runs was wrong
        let best = match self.known.get(self.told) {
            None => found,
            Some(known) => known
                .intersection(&found)
                .ok_or_else(|| Contradiction { first: Box::new(known.clone()), second: Box::new(found) })?,
        };
        match self.known.get_mut(self.told) {
            Some(known) => *known = best.clone(),
            None => self.known.push(best.clone()),
        }
        self.told += 1;
        let bits = self.context.precision();
        let reached = self.to.admits(&best);
        self.reached &= reached || self.to.gives_up(&best, bits);
        let answer = real::Refined { enclosure: best, reached, bits, exhausted: false, assumed: Vec::new(), why: None };
        Ok(Number::Enclosure(Box::new(answer)))
    }

    fn truth(&mut self, b: &bool) -> Result<Decision, Contradiction> {
        Ok(Decision::Known(*b))
    }
}

/// A question, with the enclosures that its runs have found so far.
struct Asking<'q> {
    term: &'q Term,
    unfoldings: Option<u64>,
    to: &'q Accuracy,
    budget: &'q Arc<Budget>,
    known: Vec<Enclosure>,
}

impl Asking<'_> {
    /// Runs once. Returns the value, and `true` if every number in it is as accurate as asked, or will never be.
    fn run<C: Context>(&mut self, context: C) -> Result<(Value<Number>, bool), Failed> {
        let model = Evaluator::new(Partial::new(context, self.budget.clone()).limited(self.unfoldings));
        let found = model.value(self.term).and_then(|value: Values<C>| {
            value.measure()?;
            let context = model.0.context();
            let mut telling = Telling { context, to: self.to, known: &mut self.known, told: 0, reached: true };
            let value = value.told(&mut telling).map_err(|contradiction| MeaningError::Evaluation {
                error: SmoothError::from(contradiction),
                place: None,
            })?;
            Ok((value, telling.reached))
        });
        found.map_err(|error| match error {
            MeaningError::Run(ValueError::Undefined(undefined)) => {
                let place = model.0.place(undefined.site);
                let told = answer::Undefined::of_value(&undefined, place, self.term, ToString::to_string);
                Failed { undefined: Some(*undefined), error: MeaningError::Undefined(Box::new(told)) }
            }
            error => Failed { undefined: None, error },
        })
    }

    /// Runs at a precision; doubles serve for up to 53 bits.
    fn at(&mut self, bits: u32) -> Result<(Value<Number>, bool), Failed> {
        if bits <= 53 { self.run(Double) } else { self.run(Mpfr::new(bits)) }
    }
}

/// The error of a run without a value.
struct Failed {
    undefined: Option<Undefined>,
    error: MeaningError,
}

impl Failed {
    fn is_undecided(&self) -> bool {
        self.undefined.as_ref().is_some_and(|undefined| undefined.cause == Cause::Undecided)
    }
    fn is_certain(&self) -> bool {
        self.undefined.as_ref().is_some_and(|undefined| undefined.certain)
    }
}

/// Evaluates a closed, well-typed program, every number in it as accurate as asked or as the budget allows.
///
/// Recursive functions are unfolded `unfoldings` levels deep; `None` for no limit.
///
/// # Errors
/// [`MeaningError::Undefined`] if there is no value or none was found; [`MeaningError::Interpretation`] for what the model lacks.
pub fn answer(
    term: &Term,
    unfoldings: Option<u64>,
    to: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<Answer, MeaningError> {
    let mut asking = Asking { term, unfoldings, to, budget, known: Vec::new() };
    let wanted = to.bits();
    let mut bits = 53;
    let mut best: Option<Value<Number>> = None;
    loop {
        let started = Instant::now();
        let found = asking.at(bits);
        // Checked after the run, whose result counts in any case. The next run is assumed to take three times as long: a choice.
        let ends = budget.is_exhausted()
            || bits >= MOST_BITS
            || budget.remaining().is_some_and(|left| left < started.elapsed() * 3);
        match (found, best.take()) {
            (Ok((value, reached)), _) if reached => return Ok(Answer::of(value)),
            (Ok((value, _)), _) if ends => return Ok(Answer::of(unfinished(&value))),
            (Ok((value, _)), _) => best = Some(value),
            // a later run that fails without certainty does not refute the value of an earlier one
            (Err(failed), Some(value)) if !failed.is_certain() && ends => {
                return Ok(Answer::of(unfinished(&value)));
            }
            (Err(failed), Some(value)) if failed.is_undecided() => best = Some(value),
            (Err(failed), None) if failed.is_undecided() && !ends && bits < DECIDED_BY => {}
            // undecided at the highest precision: only exact numbers can decide it
            (Err(failed), None) if failed.is_undecided() => return exactly(&mut asking, failed.error),
            (Err(failed), _) => return Err(failed.error),
        }
        bits = if bits == 53 {
            // enough for the accuracy asked, and at least 32 guard bits: rounded up to a multiple of 64
            128.max(wanted.saturating_add(95) / 64 * 64)
        } else {
            bits.saturating_mul(2).min(MOST_BITS)
        };
    }
}

/// Evaluates in rational numbers what real numbers leave undecided. Only a value or a certain error replaces `undecided`.
fn exactly(asking: &mut Asking<'_>, undecided: MeaningError) -> Result<Answer, MeaningError> {
    match asking.run(Exact::default()) {
        Ok((value, _)) => Ok(Answer::of(value)),
        Err(failed) if failed.is_certain() => Err(failed.error),
        Err(_) => Err(undecided),
    }
}

/// Marks the numbers of a value as exhausted that are not as accurate as asked.
fn unfinished(value: &Value<Number>) -> Value<Number> {
    value.map(&mut |number| match number {
        Number::Enclosure(answer) => {
            Number::Enclosure(Box::new(real::Refined { exhausted: !answer.reached, ..(**answer).clone() }))
        }
        other => other.clone(),
    })
}
