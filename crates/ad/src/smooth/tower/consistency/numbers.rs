//! Samples as enclosures of a context.

use super::super::EnclosureVector;
use super::{ConsistencySample, TowerRefutation, ViolatedCondition};
use crate::number::Rational;
use crate::number::context::Context;

/// A sample as enclosures of a context.
pub(super) struct SampleEnclosures<C: Context> {
    /// x
    pub(super) x: EnclosureVector<C>,
    /// x + h
    pub(super) moved: EnclosureVector<C>,
    /// The box spanned by x and x + h.
    pub(super) span: EnclosureVector<C>,
    /// h
    pub(super) step: EnclosureVector<C>,
    /// v₁, …, v_k
    pub(super) directions: Vec<EnclosureVector<C>>,
}

impl<C: Context> SampleEnclosures<C> {
    /// Encloses the numbers of a sample.
    pub(super) fn new(context: &C, sample: &ConsistencySample) -> Self {
        let vector = |v: &[Rational]| v.iter().map(|q| context.enclose_rational(q)).collect::<EnclosureVector<C>>();
        let moved: Vec<Rational> = sample.point.iter().zip(&sample.step).map(|(x, h)| Rational::from(x + h)).collect();
        let (x, moved) = (vector(&sample.point), vector(&moved));
        let span = x.iter().zip(&moved).map(|(a, b)| context.hull(a, b)).collect();
        let directions = sample.directions.iter().map(|v| vector(v)).collect();
        Self { x, moved, span, step: vector(&sample.step), directions }
    }

    /// Returns the directions v₁, …, v_k, h of the next derivative.
    pub(super) fn directions_and_step(&self) -> Vec<EnclosureVector<C>> {
        [self.directions.as_slice(), std::slice::from_ref(&self.step)].concat()
    }
}

/// Returns `true` if an enclosure is defined and narrow enough to be taken for a number.
pub(super) fn is_number<C: Context>(context: &C, x: &C::Num) -> bool {
    super::super::matrix::is_narrow(context, x)
}

/// Returns a refutation by two sides that should have met.
pub(super) fn refutation_between<C: Context>(
    context: &C,
    reason: ViolatedCondition,
    sample: &ConsistencySample,
    component: usize,
    [left, right]: [&C::Num; 2],
) -> Box<TowerRefutation> {
    let print = |x: &C::Num| context.to_enclosure(x).to_string();
    Box::new(TowerRefutation { reason, sample: sample.clone(), component, left: print(left), right: print(right) })
}
