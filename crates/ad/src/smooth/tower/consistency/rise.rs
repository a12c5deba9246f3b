//! Mean value tests: values against derivatives on boxes, and the derivative of a set.

use super::super::{Tower, TowerError};
use super::numbers::{SampleEnclosures, is_number, refutation_between};
use super::{ConsistencySample, SampleVerdict, ViolatedCondition};
use crate::number::Rational;
use crate::number::context::Context;

/// Tests the values of a sample against their derivatives. A sample with step 0 is vacuous.
pub(super) fn mean_value_test<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
) -> Result<SampleVerdict, TowerError> {
    if sample.step.iter().all(Rational::is_zero) {
        return Ok(SampleVerdict::Nothing);
    }
    let at = SampleEnclosures::new(context, sample);
    let here = f.derivative(&at.x, &at.directions, context)?;
    let there = f.derivative(&at.moved, &at.directions, context)?;
    let over = f.derivative(&at.span, &at.directions, context)?;
    let next = f.derivative(&at.x, &at.directions_and_step(), context)?;
    let next_over = f.derivative(&at.span, &at.directions_and_step(), context)?;
    let mut asked = false;
    let fails = |reason, component, sides| {
        Ok(SampleVerdict::Fails(refutation_between(context, reason, sample, component, sides)))
    };
    for i in 0..f.outputs() {
        let (a, b) = (&here[i], &there[i]);
        // A wide value may be a set, or a number with much rounding: only a set must have no derivative.
        if !is_number(context, a) {
            let may_be_set = context.is_defined(a) && context.is_bounded(a) && context.is_bounded(&next[i]);
            if may_be_set && is_set(f, context, sample, i)? {
                return fails(ViolatedCondition::Successive, i, [&next[i], &context.bottom()]);
            }
            continue;
        }
        // An end that is a number has to lie in the value over the box; otherwise the extension is no hull.
        for part in [a, b] {
            if is_number(context, part) && !contains_to_half_digits(context, &over[i], part) {
                return fails(ViolatedCondition::Isotone, i, [part, &over[i]]);
            }
        }
        // Lebourg: f(x + h) - f(x) ∈ ∂f(X)·h. An unbounded derivative encloses everything.
        if is_number(context, b) && context.is_bounded(&next_over[i]) {
            asked = true;
            let rise = context.sub(b, a);
            if context.intersect(&rise, &next_over[i]).is_none() {
                return fails(ViolatedCondition::MeanValue, i, [&rise, &next_over[i]]);
            }
        }
    }
    Ok(if asked { SampleVerdict::Holds } else { SampleVerdict::Nothing })
}

/// Returns `true` if a component is wide, and not by rounding: at twice and at four times the precision it is as wide.
///
/// Returns `false` for an arithmetic that has no finer precision: there it cannot be decided.
fn is_set<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
    component: usize,
) -> Result<bool, TowerError> {
    let width = |context: &C| -> Result<_, TowerError> {
        let at = SampleEnclosures::new(context, sample);
        Ok(context.width(&f.derivative(&at.x, &at.directions, context)?[component]))
    };
    let (Some(finer), first) = (context.finer_context(), width(context)?) else { return Ok(false) };
    let Some(finest) = finer.finer_context() else { return Ok(false) };
    // "As wide": more than half of the first width. Rounding errors would shrink by far more.
    Ok(width(&finer)? > first.mul_exp2(-1) && width(&finest)? > first.mul_exp2(-1))
}

/// Returns `true` if `a ⊇ b` up to half of the digits. An unbounded `a` only has to meet `b`.
fn contains_to_half_digits<C: Context>(context: &C, a: &C::Num, b: &C::Num) -> bool {
    if !context.is_bounded(a) {
        return context.intersect(a, b).is_some();
    }
    let size = context.magnitude(a).max(context.magnitude(b)).max(context.magnitude(&context.enclose_integer(1)));
    let Some(slack) = size.mul_exp2(-i64::from(context.precision() / 2)).to_rational() else { return true };
    let slack = context.hull(&context.enclose_rational(&Rational::from(-&slack)), &context.enclose_rational(&slack));
    context.contains(&context.add(a, &slack), b)
}
