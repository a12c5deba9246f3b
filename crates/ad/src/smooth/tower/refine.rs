//! The hull extension of S §4.4, approximated by subdivision.

use super::{EnclosureVector, Tower, TowerError, TowerRule};
use crate::number::context::Context;

/// The rule of a tower evaluated on subboxes.
struct Refinement<C: Context> {
    f: Tower<C>,
    pieces: u32,
}

impl<C: Context> Refinement<C> {
    /// Splits the bounded interval `x`, unless it is a point, into `pieces` parts that cover it. Any other `x` is the only
    /// part.
    fn split_interval(&self, context: &C, x: &C::Num) -> EnclosureVector<C> {
        let (Some(lower), Some(upper)) = (context.lower(x), context.upper(x)) else { return vec![x.clone()] };
        if context.is_point(x) {
            return vec![x.clone()];
        }
        let step = context.div_integer(&context.sub(&upper, &lower), u64::from(self.pieces));
        let inner = (1..self.pieces).map(|i| {
            // Rounding may move a cut beyond the ends: it is clamped.
            let cut = context.midpoint(&context.add(&lower, &context.mul_integer(&step, i64::from(i))));
            context.min(&context.max(&cut, &lower), &upper)
        });
        let cuts: Vec<_> = std::iter::once(lower.clone()).chain(inner).chain([upper.clone()]).collect();
        let part = |ends: &[C::Num]| {
            // Parts of an interval that is not known to be defined are not either.
            let part = context.hull(&ends[0], &ends[1]);
            if context.is_defined(x) { part } else { context.mark_undefined(part) }
        };
        cuts.windows(2).map(part).collect()
    }

    /// Returns the hull of the results over all choices of parts for the components from `position` on. Restores `box_`.
    fn hull_over_parts(
        &self,
        context: &C,
        box_: &mut EnclosureVector<C>,
        position: usize,
    ) -> Result<EnclosureVector<C>, TowerError> {
        let Some(component) = box_.get(position).cloned() else {
            let (x, directions) = box_.split_at(self.f.inputs());
            let directions: Vec<_> = match self.f.inputs() {
                0 => Vec::new(),
                n => directions.chunks(n).collect(),
            };
            return self.f.evaluate(context, x, &directions);
        };
        let mut hull: Option<EnclosureVector<C>> = None;
        for part in self.split_interval(context, &component) {
            box_[position] = part;
            let result = self.hull_over_parts(context, box_, position + 1)?;
            // Sequential hull: the number of boxes is exponential in the number of intervals, but only one is kept.
            hull = Some(match hull {
                Some(hull) => hull.iter().zip(&result).map(|(a, b)| context.hull(a, b)).collect(),
                None => result,
            });
        }
        box_[position] = component;
        Ok(hull.unwrap_or_default())
    }
}

impl<C: Context> TowerRule<C> for Refinement<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        if self.f.inputs() == 0 {
            return self.f.evaluate(context, x, directions);
        }
        let mut components = [&[x], directions].concat().concat();
        self.hull_over_parts(context, &mut components, 0)
    }
}

impl<C: Context> Tower<C> {
    /// Returns the same tower with a tighter extension to boxes, nearer to `hull {f⁽ᵏ⁾(y; w) | y ∈ x, w ∈ v}` (S §4.4). Every
    /// interval among point and directions is cut into `pieces` parts, and the hull is taken over all boxes of parts.
    ///
    /// On points nothing changes. For a Lipschitz formula the excess over the hull falls like 1/`pieces`; the cost is
    /// `pieces` to the number of intervals that are not points.
    #[must_use]
    pub fn with_subdivision(&self, pieces: u32) -> Self {
        Self::new(self.inputs(), self.outputs(), Refinement { f: self.clone(), pieces: pieces.max(1) })
    }
}
