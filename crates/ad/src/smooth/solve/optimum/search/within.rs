//! What a search asks of its function, and what is asked of the search: [windows](Window).

use super::Search;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::window::Window;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// Whether the maximum certainly lies where no more need be known of it.
    pub(super) fn misses_window(&self) -> Result<bool, SmoothError> {
        Ok(!self.f.window.is_open() && self.f.window.misses(self.f.context(), &self.maximum()?))
    }

    /// Where the function has to be known: where it may be the maximum.
    pub(super) fn window(&self) -> Window<C::Num> {
        let window = self.f.window.clone();
        match &self.bound {
            Some(bound) => window.at_least(self.f.context(), bound),
            None => window,
        }
    }

    /// Asks the function for something, within that window.
    pub(super) fn inside<T>(&self, ask: impl FnOnce(&Function<C>) -> T) -> T {
        if self.f.block.has_solver { self.f.machine.within(self.window(), || ask(self.f)) } else { ask(self.f) }
    }

    /// The value at a point, which the maximum is not below.
    pub(in crate::smooth::solve::optimum) fn value(&mut self, x: &C::Num) -> Result<C::Num, SmoothError> {
        let value = self.inside(|f| f.value(x, &mut Branches::default(), Target::Outputs))?;
        self.is_attained(&value);
        Ok(value)
    }

    /// Some value of the function lies here.
    pub(super) fn is_attained(&mut self, value: &C::Num) {
        let context = self.f.context();
        if let Some(lower) = context.lower(value).filter(|_| context.is_defined(value)) {
            self.bound = Some(match &self.bound {
                Some(bound) => context.max(bound, &lower),
                None => lower,
            });
        }
    }

    /// The width of the value at a point, which splitting does not narrow. At the middle the value may be a set because some
    /// inner optimum ties there; then a point beside it tells.
    pub(super) fn floor(&mut self, span: &C::Num, height: &C::Num) -> Result<Magnitude, SmoothError> {
        let context = self.f.context().clone();
        if self.window().misses(&context, height) {
            return Ok(Magnitude::ZERO);
        }
        let floor = context.width(height);
        let tolerance = self.f.machine.effort.tolerance();
        if self.may_be_narrower(floor) {
            return Ok(Magnitude::ZERO);
        }
        let ends = (context.lower(span), context.upper(span));
        let (true, true, (Some(left), Some(right))) = (self.exact, floor > tolerance, ends) else {
            return Ok(floor);
        };
        let offset = context.divide(&context.scale(&context.sub(&right, &left), 61), 128);
        let beside = self.value(&context.midpoint(&context.add(&left, &offset)))?;
        Ok(floor.min(context.width(&beside)))
    }
}
