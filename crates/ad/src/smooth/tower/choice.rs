//! The choice between two maps by the sign of a third; ⊥ if the sign is undecided.
//!
//! The paper's language has no conditional on real numbers (S §8.1); this is the tower of one. A guard that is decided at a
//! point is decided nearby. So every derivative is that of the side taken, and the other side is not evaluated.

use super::{Rule, Table, Tower, TowerError, Vector};
use crate::number::context::{Context, Sign};
use crate::stack::deep;

/// The rule of a choice. Evaluation and drop are safe at any depth.
struct Choice<C: Context> {
    /// The guard and the two sides; `None` only while the choice is dropped.
    parts: Option<[Tower<C>; 3]>,
}

impl<C: Context> Drop for Choice<C> {
    fn drop(&mut self) {
        let parts = self.parts.take();
        deep(|| drop(parts));
    }
}

impl<C: Context> Choice<C> {
    /// Returns the side that the sign of the guard selects. Returns `None` if the sign is undecided.
    fn taken(&self, context: &C, x: &[C::Num]) -> Result<Option<&Tower<C>>, TowerError> {
        let Some([guard, then, otherwise]) = &self.parts else { return Ok(None) };
        let guard = guard.evaluate(context, x, &[])?;
        Ok(match guard.first().map(|g| context.sign(g)) {
            Some(Sign::Positive) => Some(then),
            Some(Sign::Negative) => Some(otherwise),
            _ => None,
        })
    }

    /// Returns the hull of both values, marked as undefined. A derivative is ⊥.
    fn undecided(&self, context: &C, x: &[C::Num], directions: usize) -> Result<Vector<C>, TowerError> {
        match &self.parts {
            Some([_, then, otherwise]) if directions == 0 => {
                // Either side may be taken, so both values are enclosed; neither is certain.
                let [a, b] = [then.evaluate(context, x, &[])?, otherwise.evaluate(context, x, &[])?];
                Ok(a.iter().zip(&b).map(|(a, b)| context.undefined(context.hull(a, b))).collect())
            }
            _ => Ok(vec![context.bottom()]),
        }
    }
}

impl<C: Context> Rule<C> for Choice<C> {
    fn derivative(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<Vector<C>, TowerError> {
        match self.taken(context, x)? {
            Some(side) => side.evaluate(context, x, directions),
            None => self.undecided(context, x, directions.len()),
        }
    }

    fn table(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<Table<C>, TowerError> {
        match self.taken(context, x)? {
            Some(side) => side.table(context, x, directions),
            None => {
                let orders = (0..1usize << directions.len()).map(|s| s.count_ones() as usize);
                orders.map(|order| self.undecided(context, x, order)).collect()
            }
        }
    }
}

impl<C: Context> Tower<C> {
    /// Returns the choice of `then` where this map ℝⁿ ⇝ ℝ is positive, and of `otherwise` where it is negative. All three
    /// have one domain.
    pub(super) fn choose(&self, then: &Self, otherwise: &Self) -> Self {
        let parts = Some([self.clone(), then.clone(), otherwise.clone()]);
        Self::new(self.inputs(), then.outputs(), Choice { parts })
    }
}
