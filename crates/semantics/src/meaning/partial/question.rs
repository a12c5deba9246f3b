//! Evaluation of programs at increasing precision.
//!
//! A run has one precision, and its result is certain. While a comparison is undecided, or the value is not as narrow as asked,
//! the program is run again with twice the bits. This ends with the budget, or when the next run would exceed it. A comparison
//! still undecided at 1024 bits is evaluated in [rational numbers](Exact), which decide boundaries for certain. If they do not
//! decide it either, the error says how nearly both sides agree.

use super::{PartialUniverse, PartialValue};
use crate::model::answer::{self, AnswerNumber, AnswerTruth, ProgramAnswer, SemanticsError};
use crate::model::universe::EvaluatorModel;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::real::{self, DisjointEnclosures};
use crate::number::{Accuracy, Double, Enclosure, Exact, Mpfr};
use crate::smooth::error::SmoothError;
use crate::syntax::term::Term;
use crate::value::{TryMapReals, UndefinedCause, UndefinedValue, Value, ValueError};
use std::sync::Arc;
use std::time::Instant;

/// The most bits to which a comparison is evaluated; a choice.
pub const MAX_COMPARISON_BITS: u32 = 1024;
/// The highest precision, in bits; a choice.
const MAX_PRECISION_BITS: u32 = 1 << 20;

/// Conversion of the numbers of a run to those of an answer, each intersected with its enclosure of earlier runs.
struct RefineEnclosures<'a, C> {
    context: &'a C,
    to: &'a Accuracy,
    /// The intersections of all runs so far, one for each number.
    known: &'a mut Vec<Enclosure>,
    /// The number of numbers converted.
    converted: usize,
    /// `true` while every number is as accurate as asked, or will never be.
    reached: bool,
}

impl<C: Context> TryMapReals<super::JetElement<C::Num>, AnswerNumber> for RefineEnclosures<'_, C> {
    type Error = DisjointEnclosures;

    fn map_real(&mut self, x: &super::JetElement<C::Num>) -> Result<AnswerNumber, DisjointEnclosures> {
        let found = self.context.to_enclosure(&x.value_in(self.context));
        // a disjoint enclosure contradicts an earlier one: one of the runs was wrong
        let best = match self.known.get(self.converted) {
            None => found,
            Some(known) => known
                .intersection(&found)
                .ok_or_else(|| DisjointEnclosures { first: Box::new(known.clone()), second: Box::new(found) })?,
        };
        match self.known.get_mut(self.converted) {
            Some(known) => *known = best.clone(),
            None => self.known.push(best.clone()),
        }
        self.converted += 1;
        let bits = self.context.precision();
        let reached = self.to.is_reached_by(&best);
        self.reached &= reached || self.to.should_give_up(&best, bits);
        let answer = real::RefinedEnclosure {
            enclosure: best,
            reached,
            bits,
            exhausted: false,
            assumed: Vec::new(),
            reason: None,
        };
        Ok(AnswerNumber::Enclosure(Box::new(answer)))
    }

    fn map_truth(&mut self, b: &bool) -> Result<AnswerTruth, DisjointEnclosures> {
        Ok(AnswerTruth::Decided(*b))
    }
}

/// A question, with the enclosures that its runs have found so far.
struct PrecisionRuns<'q> {
    term: &'q Term,
    unfoldings: Option<u64>,
    to: &'q Accuracy,
    budget: &'q Arc<Budget>,
    known: Vec<Enclosure>,
}

impl PrecisionRuns<'_> {
    /// Runs once. Returns the value, and `true` if every number in it is as accurate as asked, or will never be.
    fn run_in_context<C: Context>(&mut self, context: C) -> Result<(Value<AnswerNumber>, bool), FailedRun> {
        let model = EvaluatorModel::new(
            PartialUniverse::new(context, self.budget.clone()).with_unfolding_limit(self.unfoldings),
        );
        let found = model.evaluate_closed(self.term).and_then(|value: PartialValue<C>| {
            value.check_size()?;
            let context = model.0.context();
            let mut telling =
                RefineEnclosures { context, to: self.to, known: &mut self.known, converted: 0, reached: true };
            let value = value.try_map_reals(&mut telling).map_err(|contradiction| SemanticsError::Evaluation {
                error: SmoothError::from(contradiction),
                place: None,
            })?;
            Ok((value, telling.reached))
        });
        found.map_err(|error| match error {
            SemanticsError::Run(ValueError::Undefined(undefined)) => {
                let place = model.0.location_of(undefined.site);
                let told = answer::UndefinedReason::of_value(&undefined, place, self.term, ToString::to_string);
                FailedRun { undefined: Some(*undefined), error: SemanticsError::Undefined(Box::new(told)) }
            }
            error => FailedRun { undefined: None, error },
        })
    }

    /// Runs at a precision; doubles serve for up to 53 bits.
    fn run_at_precision(&mut self, bits: u32) -> Result<(Value<AnswerNumber>, bool), FailedRun> {
        if bits <= 53 { self.run_in_context(Double) } else { self.run_in_context(Mpfr::new(bits)) }
    }
}

/// The error of a run without a value.
struct FailedRun {
    undefined: Option<UndefinedValue>,
    error: SemanticsError,
}

impl FailedRun {
    fn is_undecided(&self) -> bool {
        self.undefined.as_ref().is_some_and(|undefined| undefined.cause == UndefinedCause::Undecided)
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
/// [`SemanticsError::Undefined`] if there is no value or none was found; [`SemanticsError::Interpretation`] for what the model lacks.
pub fn evaluate_program(
    term: &Term,
    unfoldings: Option<u64>,
    to: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<ProgramAnswer, SemanticsError> {
    let mut asking = PrecisionRuns { term, unfoldings, to, budget, known: Vec::new() };
    let wanted = to.bits_needed();
    let mut bits = 53;
    let mut best: Option<Value<AnswerNumber>> = None;
    loop {
        let started = Instant::now();
        let found = asking.run_at_precision(bits);
        // Checked after the run, whose result counts in any case. The next run is assumed to take three times as long: a choice.
        let ends = budget.is_exhausted()
            || bits >= MAX_PRECISION_BITS
            || budget.remaining_time().is_some_and(|left| left < started.elapsed() * 3);
        match (found, best.take()) {
            (Ok((value, reached)), _) if reached => return Ok(ProgramAnswer::from_value(value)),
            (Ok((value, _)), _) if ends => return Ok(ProgramAnswer::from_value(mark_exhausted(&value))),
            (Ok((value, _)), _) => best = Some(value),
            // a later run that fails without certainty does not refute the value of an earlier one
            (Err(failed), Some(value)) if !failed.is_certain() && ends => {
                return Ok(ProgramAnswer::from_value(mark_exhausted(&value)));
            }
            (Err(failed), Some(value)) if failed.is_undecided() => best = Some(value),
            (Err(failed), None) if failed.is_undecided() && !ends && bits < MAX_COMPARISON_BITS => {}
            // undecided at the highest precision: only exact numbers can decide it
            (Err(failed), None) if failed.is_undecided() => return evaluate_exactly(&mut asking, failed.error),
            (Err(failed), _) => return Err(failed.error),
        }
        bits = if bits == 53 {
            // enough for the accuracy asked, and at least 32 guard bits: rounded up to a multiple of 64
            128.max(wanted.saturating_add(95) / 64 * 64)
        } else {
            bits.saturating_mul(2).min(MAX_PRECISION_BITS)
        };
    }
}

/// Evaluates in rational numbers what real numbers leave undecided. Only a value or a certain error replaces `undecided`.
fn evaluate_exactly(
    asking: &mut PrecisionRuns<'_>,
    undecided: SemanticsError,
) -> Result<ProgramAnswer, SemanticsError> {
    match asking.run_in_context(Exact::default()) {
        Ok((value, _)) => Ok(ProgramAnswer::from_value(value)),
        Err(failed) if failed.is_certain() => Err(failed.error),
        Err(_) => Err(undecided),
    }
}

/// Marks the numbers of a value as exhausted that are not as accurate as asked.
fn mark_exhausted(value: &Value<AnswerNumber>) -> Value<AnswerNumber> {
    value.map_reals(&mut |number| match number {
        AnswerNumber::Enclosure(answer) => AnswerNumber::Enclosure(Box::new(real::RefinedEnclosure {
            exhausted: !answer.reached,
            ..(**answer).clone()
        })),
        other => other.clone(),
    })
}
