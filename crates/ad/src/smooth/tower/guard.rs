//! Towers with a permission test before each evaluation. A tower shares nothing between its parts, so it may take very long.

use super::{Rule, Table, Tower, TowerError, Vector};
use crate::number::context::Context;
use crate::stack::deep;

/// The rule of a guarded tower. Evaluation and drop are safe at any depth.
struct Guarded<C: Context, F> {
    /// The tower; `None` only while it is dropped.
    f: Option<Tower<C>>,
    /// The permission, by the number of directions and the precision in bits.
    may: F,
}

impl<C: Context, F> Drop for Guarded<C, F> {
    fn drop(&mut self) {
        let f = self.f.take();
        deep(|| drop(f));
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool> Guarded<C, F> {
    /// Returns the tower if it may be evaluated.
    fn checked(&self, context: &C, directions: usize) -> Result<&Tower<C>, TowerError> {
        self.f.as_ref().filter(|_| (self.may)(directions, context.precision())).ok_or(TowerError::Exhausted)
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool + Send + Sync> Rule<C> for Guarded<C, F> {
    fn derivative(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<Vector<C>, TowerError> {
        let f = self.checked(context, directions.len())?;
        deep(|| f.evaluate(context, x, directions))
    }

    fn table(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<Table<C>, TowerError> {
        let f = self.checked(context, directions.len())?;
        deep(|| f.table(context, x, directions))
    }
}

impl<C: Context> Tower<C> {
    /// Returns a tower that asks `may` before each evaluation, with the number of directions and the precision in bits.
    ///
    /// An evaluation that is not permitted fails with [`TowerError::Exhausted`].
    #[must_use]
    pub fn guarded(&self, may: impl Fn(usize, u32) -> bool + Send + Sync + 'static) -> Self {
        Self::new(self.inputs(), self.outputs(), Guarded { f: Some(self.clone()), may })
    }
}
