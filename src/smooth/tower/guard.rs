//! Towers that ask before they compute, since a tower shares nothing between its parts and may take very long.

use super::{Rule, Table, Tower, TowerError, Vector};
use crate::number::context::Context;

/// A tower, and whether it may be evaluated along so many directions.
struct Guarded<C: Context, F> {
    f: Tower<C>,
    may: F,
}

impl<C: Context, F: Fn(usize) -> bool> Guarded<C, F> {
    fn check(&self, directions: usize) -> Result<(), TowerError> {
        if (self.may)(directions) { Ok(()) } else { Err(TowerError::Exhausted) }
    }
}

impl<C: Context, F: Fn(usize) -> bool + Send + Sync> Rule<C> for Guarded<C, F> {
    fn derivative(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<Vector<C>, TowerError> {
        self.check(directions.len())?;
        stacker::maybe_grow(128 << 10, 2 << 20, || self.f.evaluate(context, x, directions))
    }

    fn table(&self, context: &C, x: &[C::Num], directions: &[&[C::Num]]) -> Result<Table<C>, TowerError> {
        self.check(directions.len())?;
        stacker::maybe_grow(128 << 10, 2 << 20, || self.f.table(context, x, directions))
    }
}

impl<C: Context> Tower<C> {
    /// The same tower, which asks `may` with the number of directions before each evaluation, and fails with
    /// [`TowerError::Exhausted`] where the answer is no.
    #[must_use]
    pub fn guarded(&self, may: impl Fn(usize) -> bool + Send + Sync + 'static) -> Self {
        Self::new(self.inputs(), self.outputs(), Guarded { f: self.clone(), may })
    }
}
