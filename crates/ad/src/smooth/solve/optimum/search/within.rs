//! Evaluation of the searched function within alpha-beta [windows](Window).

use super::Search;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::window::Window;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// Returns `true` if the maximum certainly lies outside of the window of the result.
    pub(super) fn misses_window(&self) -> Result<bool, SmoothError> {
        Ok(!self.f.window.is_open() && self.f.window.misses(self.f.context(), &self.maximum()?))
    }

    /// Returns the window of the function's values: those that may be the maximum, and matter to the result.
    pub(super) fn window(&self) -> Window<C::Num> {
        let window = self.f.window.clone();
        match &self.bound {
            Some(bound) => window.at_least(self.f.context(), bound),
            None => window,
        }
    }

    /// Evaluates the function within that window.
    pub(super) fn inside<T>(&self, ask: impl FnOnce(&Function<C>) -> T) -> T {
        // A block without solvers does not use a window.
        if self.f.block.has_solver { self.f.machine.within(self.window(), || ask(self.f)) } else { ask(self.f) }
    }

    /// Encloses the value at a point, and raises the bound to it.
    pub(in crate::smooth::solve::optimum) fn value(&mut self, x: &C::Num) -> Result<C::Num, SmoothError> {
        let value = self.inside(|f| f.value(x, &mut Branches::default(), Target::Outputs))?;
        self.is_attained(&value);
        Ok(value)
    }

    /// Raises the bound to the lower end of a value that is attained.
    pub(super) fn is_attained(&mut self, value: &C::Num) {
        let context = self.f.context();
        if let Some(lower) = context.lower(value).filter(|_| context.is_defined(value)) {
            self.bound = Some(match &self.bound {
                Some(bound) => context.max(bound, &lower),
                None => lower,
            });
        }
    }

    /// Returns the width of the value at the midpoint, which splitting does not narrow.
    ///
    /// The value there may be a set only because some inner optimum has a tie there. Then a point beside it is evaluated too.
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
        // Only point inputs make such a width suspicious.
        let ends = (context.lower(span), context.upper(span));
        let (true, true, (Some(left), Some(right))) = (self.exact, floor > tolerance, ends) else {
            return Ok(floor);
        };
        // 61/128 of the piece: off the middle, where ties often lie. A choice.
        let offset = context.divide(&context.scale(&context.sub(&right, &left), 61), 128);
        let beside = self.value(&context.midpoint(&context.add(&left, &offset)))?;
        Ok(floor.min(context.width(&beside)))
    }
}
