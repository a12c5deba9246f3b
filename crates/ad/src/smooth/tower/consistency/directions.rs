//! Symmetry and linearity of a derivative in its directions (S §4.2, S16).

use super::super::{Tower, TowerError};
use super::numbers::{SampleEnclosures, is_number, refutation_between};
use super::{ConsistencySample, TowerRefutation, ViolatedCondition};
use crate::number::context::Context;

/// Returns a refutation of a derivative that depends on the order of its directions, or is not additive in the first.
///
/// The step of the sample is the second direction of the sum. Returns `None` if nothing is refuted, or if there are no
/// directions.
pub(super) fn find_direction_fault<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
) -> Result<Option<Box<TowerRefutation>>, TowerError> {
    let at = SampleEnclosures::new(context, sample);
    let [first, rest @ ..] = at.directions.as_slice() else { return Ok(None) };
    let here = f.derivative(&at.x, &at.directions, context)?;
    // Rotated by one: the first direction becomes the last.
    let turned = [rest, std::slice::from_ref(first)].concat();
    let turned = f.derivative(&at.x, &turned, context)?;
    let replaced = |v: Vec<C::Num>| [std::slice::from_ref(&v), rest].concat();
    let sum = first.iter().zip(&at.step).map(|(v, h)| context.add(v, h)).collect();
    let of_sum = f.derivative(&at.x, &replaced(sum), context)?;
    let of_step = f.derivative(&at.x, &replaced(at.step.clone()), context)?;
    let fault = |reason, component, sides| Ok(Some(refutation_between(context, reason, sample, component, sides)));
    for i in 0..f.outputs() {
        // Symmetry first: it needs no sum, so it is the simpler witness.
        let sides = [&here[i], &turned[i], &of_sum[i], &of_step[i]];
        if sides[..2].iter().all(|x| is_number(context, x)) && context.intersect(sides[0], sides[1]).is_none() {
            return fault(ViolatedCondition::Symmetric, i, [sides[1], sides[0]]);
        }
        let both = context.add(sides[0], sides[3]);
        if sides.iter().all(|x| is_number(context, x)) && context.intersect(&both, sides[2]).is_none() {
            return fault(ViolatedCondition::Linear, i, [sides[2], &both]);
        }
    }
    Ok(None)
}
