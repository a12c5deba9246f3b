//! Samples as numbers of a context.

use super::super::Vector;
use super::{Reason, Refutation, Sample};
use crate::number::Rational;
use crate::number::context::Context;

/// A sample as numbers of a context.
pub(super) struct Numbers<C: Context> {
    pub(super) x: Vector<C>,
    pub(super) moved: Vector<C>,
    pub(super) span: Vector<C>,
    pub(super) step: Vector<C>,
    pub(super) directions: Vec<Vector<C>>,
}

impl<C: Context> Numbers<C> {
    pub(super) fn new(context: &C, sample: &Sample) -> Self {
        let vector = |v: &[Rational]| v.iter().map(|q| context.rational(q)).collect::<Vector<C>>();
        let moved: Vec<Rational> = sample.point.iter().zip(&sample.step).map(|(x, h)| Rational::from(x + h)).collect();
        let (x, moved) = (vector(&sample.point), vector(&moved));
        let span = x.iter().zip(&moved).map(|(a, b)| context.hull(a, b)).collect();
        let directions = sample.directions.iter().map(|v| vector(v)).collect();
        Self { x, moved, span, step: vector(&sample.step), directions }
    }

    /// v, h
    pub(super) fn along(&self) -> Vec<Vector<C>> {
        [self.directions.as_slice(), std::slice::from_ref(&self.step)].concat()
    }
}

/// Whether an enclosure is defined and narrow enough to be taken for a number.
pub(super) fn is_number<C: Context>(context: &C, x: &C::Num) -> bool {
    super::super::matrix::is_narrow(context, x)
}

/// Two sides that had to meet.
pub(super) fn refutation<C: Context>(
    context: &C,
    reason: Reason,
    sample: &Sample,
    component: usize,
    [left, right]: [&C::Num; 2],
) -> Box<Refutation> {
    let print = |x: &C::Num| context.to_enclosure(x).to_string();
    Box::new(Refutation { reason, sample: sample.clone(), component, left: print(left), right: print(right) })
}
