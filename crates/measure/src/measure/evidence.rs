//! Normalising constants to a relative accuracy, and their logarithms.
//!
//! The size of a number is unknown at first, so a relative accuracy has no width yet. The number is enclosed to some
//! width. While it may be 0, the next width is the product of this width and the upper bound of the number, so that its
//! exponent about doubles. Once the size is known, the width is a fraction of it.
//!
//! The logarithm of a constant between a and b > 0 lies between log a and log b. Its width is about the relative width
//! of the constant. If a is not shown to be positive, the logarithm has no lower bound.

use super::range::PRECISION_BITS;
use super::{MeasureAnswer, MeasureError, MeasureQuestion, ProbabilisticModel, answer_to_accuracy};
use crate::number::arithmetic::{Context, Function};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Enclosure, Mpfr, Rational};
use crate::syntax::term::Term;
use std::sync::Arc;

/// The reciprocal of the first width, for a purely relative accuracy. A choice: later rounds refine it.
const FIRST_WIDTH_RECIPROCAL: u32 = 1_000_000;
/// The least refinement per round, in powers of two. A choice: smaller steps would repeat the exploration too often.
const LEAST_REFINEMENT_BITS: u32 = 4;
/// The greatest number of rounds for a logarithm. A choice: each costs a full evaluation.
const MAX_LOG_ROUNDS: u32 = 3;

/// Encloses the normalising constant of a program, or a derivative of it in the parameter, to an accuracy. The width of
/// the question is not used.
///
/// # Errors
/// Every cause of [`MeasureError`] but `WeightsRuns` and `ZeroNormalisingConstant`.
pub fn evidence_to_accuracy(
    program: &Term,
    takes_parameter: bool,
    question: &MeasureQuestion,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    answer_to_accuracy(&ProbabilisticModel::new(program, takes_parameter, None), question, accuracy, budget)
}

/// Encloses the logarithm of the normalising constant of a program, to an accuracy of the logarithm. The enclosure has
/// no lower end if the constant is not shown to be positive.
///
/// # Errors
/// Every cause of [`MeasureError`] but `WeightsRuns`; [`MeasureError::ZeroNormalisingConstant`] if the constant is 0.
pub fn log_evidence(
    program: &Term,
    takes_parameter: bool,
    question: &MeasureQuestion,
    accuracy: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    // an error of the logarithm is a relative error of the constant, to first order for at most 1/2
    let mut relative = accuracy.smallest_tolerance().min(Rational::from((1, 2)));
    let mut round = 1;
    loop {
        // half of it: the rest is for the rounding of the logarithm
        let own = Accuracy::relative(Rational::from(&relative / 2));
        let mut answer = evidence_to_accuracy(program, takes_parameter, question, &own, budget)?;
        answer.enclosure = log_constant(&answer.enclosure, &own)?;
        let found = &answer.enclosure;
        if accuracy.is_reached_by(found) || !found.is_bounded() || round == MAX_LOG_ROUNDS || budget.is_exhausted() {
            return Ok(answer);
        }
        // the logarithm's own size is known now, which a relative accuracy of it needs
        relative = accuracy.width_for(found).min(relative / 16);
        round += 1;
    }
}

/// Encloses the logarithm of a normalising constant. The result is ⊥ if the constant is not shown to be defined.
fn log_constant(mass: &Enclosure, accuracy: &Accuracy) -> Result<Enclosure, MeasureError> {
    if !mass.is_defined() || mass.hi().is_nan() {
        // nothing is known of an undefined constant, not even its sign
        return Ok(Enclosure::bottom());
    }
    if *mass.hi() <= 0 {
        return Err(MeasureError::ZeroNormalisingConstant);
    }
    // enough bits for the accuracy beside those of sums; both ends are rounded outward
    let context = Mpfr::new(PRECISION_BITS + accuracy.bits_needed());
    // the logarithm is increasing, so that the ends are mapped one by one
    let log =
        |end: Enclosure| context.to_enclosure(&context.apply_function(Function::Log, &context.round_enclosure(&end)));
    let [lo, hi] = [mass.lo(), mass.hi()].map(|end| Enclosure::new(end.clone(), end.clone(), true));
    let lowest = || Enclosure::bottom().lo().clone();
    let lo = match lo {
        Ok(lo) if *mass.lo() > 0 => log(lo).lo().clone(),
        _ => lowest(),
    };
    let hi = match hi {
        Ok(hi) if mass.hi().is_finite() => log(hi).hi().clone(),
        _ => Enclosure::bottom().hi().clone(),
    };
    Ok(Enclosure::new(lo, hi, true).unwrap_or_else(|_| Enclosure::bottom()))
}

/// Returns the first width to enclose a number to: the absolute part of the accuracy, or 10⁻⁶.
pub(super) fn first_width(accuracy: &Accuracy) -> Rational {
    accuracy.eps().cloned().unwrap_or_else(|| Rational::from((1, FIRST_WIDTH_RECIPROCAL)))
}

/// Returns `true` if an enclosure meets the accuracy.
pub(super) fn meets_accuracy(accuracy: &Accuracy, found: &Enclosure) -> bool {
    accuracy.eps().is_some_and(|eps| found.has_width_at_most(eps))
        || accuracy.is_relative() && accuracy.is_reached_by(found)
}

/// Returns the next width to enclose a number to, after it was found in `found` to the width `eps`.
pub(super) fn next_width(accuracy: &Accuracy, found: &Enclosure, eps: &Rational) -> Rational {
    let aim = accuracy.next_width(found) / 2u32;
    // a number that may be 0 has no relative accuracy yet: its upper bound replaces its size
    let largest = found.lo().to_rational().map(Rational::abs).into_iter().chain(found.hi().to_rational()).max();
    let product = largest.filter(|most| *most > 0 && found.contains(&Rational::new())).map(|most| most * eps);
    let next = product.map_or_else(|| aim.clone(), |product| product.min(aim.clone()));
    // progress even where both estimates are above the last width
    next.min(Rational::from(eps >> LEAST_REFINEMENT_BITS))
}
