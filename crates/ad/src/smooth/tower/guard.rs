//! Towers that ask before they compute, since a tower shares nothing between its parts and may take very long.

use super::{Rule, Table, Tower, TowerError, Vector};
use crate::number::context::Context;
use crate::stack::deep;

/// A tower, and whether it may be evaluated along so many directions with numbers of so many bits. Safe to evaluate and to drop at any depth.
struct Guarded<C: Context, F> {
    f: Option<Tower<C>>,
    may: F,
}

impl<C: Context, F> Drop for Guarded<C, F> {
    fn drop(&mut self) {
        let f = self.f.take();
        deep(|| drop(f));
    }
}

impl<C: Context, F: Fn(usize, u32) -> bool> Guarded<C, F> {
    /// The tower, if it may be evaluated. There is none only while it is dropped.
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
    /// The same tower, which asks `may` with the number of directions and the bits of the numbers before each evaluation, and fails with
    /// [`TowerError::Exhausted`] where the answer is no.
    #[must_use]
    pub fn guarded(&self, may: impl Fn(usize, u32) -> bool + Send + Sync + 'static) -> Self {
        Self::new(self.inputs(), self.outputs(), Guarded { f: Some(self.clone()), may })
    }
}
