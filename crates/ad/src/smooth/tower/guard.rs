//! Towers with a permission test before each evaluation. A tower shares nothing between its parts, so it may take very long.

use super::{DerivativeTable, EnclosureVector, Tower, TowerError, TowerRule};
use crate::number::context::Context;
use crate::stack::with_stack;

/// The rule of a guarded tower. Evaluation and drop are safe at any depth.
struct Guarded<C: Context, F> {
    /// The tower; `None` only while it is dropped.
    f: Option<Tower<C>>,
    /// The permission, by the number of directions and the precision in bits.
    may_evaluate: F,
}

impl<C: Context, F> Drop for Guarded<C, F> {
    fn drop(&mut self) {
        let f = self.f.take();
        with_stack(|| drop(f));
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool> Guarded<C, F> {
    /// Returns the tower if it may be evaluated.
    fn if_permitted(&self, context: &C, directions: usize) -> Result<&Tower<C>, TowerError> {
        self.f.as_ref().filter(|_| (self.may_evaluate)(directions, context.precision())).ok_or(TowerError::Exhausted)
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool + Send + Sync> TowerRule<C> for Guarded<C, F> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let f = self.if_permitted(context, directions.len())?;
        with_stack(|| f.evaluate(context, x, directions))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        let f = self.if_permitted(context, directions.len())?;
        with_stack(|| f.derivative_table(context, x, directions))
    }
}

impl<C: Context> Tower<C> {
    /// Returns a tower that asks `may` before each evaluation, with the number of directions and the precision in bits.
    ///
    /// An evaluation that is not permitted fails with [`TowerError::Exhausted`].
    #[must_use]
    pub fn with_permission(&self, may: impl Fn(usize, u32) -> bool + Send + Sync + 'static) -> Self {
        Self::new(self.inputs(), self.outputs(), Guarded { f: Some(self.clone()), may_evaluate: may })
    }
}
