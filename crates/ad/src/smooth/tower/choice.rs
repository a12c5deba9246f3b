//! The choice between two maps by the sign of a third; ⊥ if the sign is undecided.
//!
//! The paper's language has no conditional on real numbers (S §8.1); this is the tower of one. A guard that is decided at a
//! point is decided nearby. So every derivative is that of the side taken, and the other side is not evaluated.

use super::{DerivativeTable, EnclosureVector, Tower, TowerError, TowerRule};
use crate::number::context::{Context, Sign};
use crate::stack::with_stack;

/// The rule of a choice. Evaluation and drop are safe at any depth.
struct GuardedChoice<C: Context> {
    /// The guard and the two sides; `None` only while the choice is dropped.
    parts: Option<[Tower<C>; 3]>,
}

impl<C: Context> Drop for GuardedChoice<C> {
    fn drop(&mut self) {
        let parts = self.parts.take();
        with_stack(|| drop(parts));
    }
}

impl<C: Context> GuardedChoice<C> {
    /// Returns the side that the sign of the guard selects. Returns `None` if the sign is undecided.
    fn selected_side(&self, context: &C, x: &[C::Num]) -> Result<Option<&Tower<C>>, TowerError> {
        let Some([guard, then, otherwise]) = &self.parts else { return Ok(None) };
        let guard = guard.evaluate(context, x, &[])?;
        Ok(match guard.first().map(|g| context.sign(g)) {
            Some(Sign::Positive) => Some(then),
            Some(Sign::Negative) => Some(otherwise),
            _ => None,
        })
    }

    /// Returns the hull of both values, marked as undefined. A derivative is ⊥.
    fn undecided_result(&self, context: &C, x: &[C::Num], directions: usize) -> Result<EnclosureVector<C>, TowerError> {
        match &self.parts {
            Some([_, then, otherwise]) if directions == 0 => {
                // Either side may be taken, so both values are enclosed; neither is certain.
                let [a, b] = [then.evaluate(context, x, &[])?, otherwise.evaluate(context, x, &[])?];
                Ok(a.iter().zip(&b).map(|(a, b)| context.mark_undefined(context.hull(a, b))).collect())
            }
            _ => Ok(vec![context.bottom()]),
        }
    }
}

impl<C: Context> TowerRule<C> for GuardedChoice<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        match self.selected_side(context, x)? {
            Some(side) => side.evaluate(context, x, directions),
            None => self.undecided_result(context, x, directions.len()),
        }
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        match self.selected_side(context, x)? {
            Some(side) => side.derivative_table(context, x, directions),
            None => {
                let orders = (0..1usize << directions.len()).map(|s| s.count_ones() as usize);
                orders.map(|order| self.undecided_result(context, x, order)).collect()
            }
        }
    }
}

impl<C: Context> Tower<C> {
    /// Returns the choice of `then` where this map ℝⁿ ⇝ ℝ is positive, and of `otherwise` where it is negative. All three
    /// have one domain.
    pub(super) fn select_by_sign(&self, then: &Self, otherwise: &Self) -> Self {
        let parts = Some([self.clone(), then.clone(), otherwise.clone()]);
        Self::new(self.inputs(), then.outputs(), GuardedChoice { parts })
    }
}
