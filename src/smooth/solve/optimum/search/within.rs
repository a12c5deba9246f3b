//! What a search asks of its function, and what is asked of the search: [windows](Window).

use super::{Goal, Search};
use crate::number::context::Context;
use crate::smooth::error::SmoothError;
use crate::smooth::machine::window::Window;
use crate::smooth::solve::Function;

impl<C: Context> Search<'_, '_, '_, C> {
    /// Half of what the value may be wide, where nothing else is looked for.
    pub(super) fn slack(f: &Function<C>, goal: Goal) -> Option<C::Num> {
        let tolerance = f.machine.effort.tolerance();
        if goal == Goal::Place || f.block.depth == 1 || !tolerance.is_finite() || tolerance.is_zero() {
            return None;
        }
        tolerance.half().to_rational().map(|slack| f.context().rational(&slack))
    }

    /// Whether the maximum certainly lies where no more need be known of it.
    pub(super) fn misses_window(&self) -> Result<bool, SmoothError> {
        Ok(!self.f.window.is_open() && self.f.window.misses(self.f.context(), &self.maximum()?))
    }

    /// Where the function has to be known: where it may be the maximum, or more than the tolerance above what is attained.
    pub(super) fn window(&self) -> Window<C::Num> {
        let context = self.f.context();
        let window = self.f.window.clone();
        match (&self.bound, &self.slack) {
            (Some(bound), Some(slack)) => window.from(context, &context.add(bound, slack)),
            (Some(bound), None) => window.from(context, bound),
            (None, _) => window,
        }
    }

    /// Asks the function for something, within that window.
    pub(super) fn inside<T>(&self, ask: impl FnOnce(&Function<C>) -> T) -> T {
        if self.f.block.has_solver { self.f.machine.within(self.window(), || ask(self.f)) } else { ask(self.f) }
    }
}
