//! What a search asks of its function, and what is asked of the search: [windows](Window).

use super::Search;
use crate::number::context::Context;
use crate::smooth::error::SmoothError;
use crate::smooth::machine::window::Window;
use crate::smooth::solve::Function;

impl<C: Context> Search<'_, '_, '_, C> {
    /// Whether the maximum certainly lies where no more need be known of it.
    pub(super) fn misses_window(&self) -> Result<bool, SmoothError> {
        Ok(!self.f.window.is_open() && self.f.window.misses(self.f.context(), &self.maximum()?))
    }

    /// Where the function has to be known: where it may be the maximum.
    pub(super) fn window(&self) -> Window<C::Num> {
        let window = self.f.window.clone();
        match &self.bound {
            Some(bound) => window.from(self.f.context(), bound),
            None => window,
        }
    }

    /// Asks the function for something, within that window.
    pub(super) fn inside<T>(&self, ask: impl FnOnce(&Function<C>) -> T) -> T {
        if self.f.block.has_solver { self.f.machine.within(self.window(), || ask(self.f)) } else { ask(self.f) }
    }
}
