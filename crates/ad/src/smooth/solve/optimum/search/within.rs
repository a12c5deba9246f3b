//! Evaluation of the searched function within alpha-beta [windows](AlphaBetaWindow).

use super::MaximumSearch;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::window::AlphaBetaWindow;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Returns `true` if the maximum certainly lies outside of the window of the result.
    pub(super) fn misses_window(&self) -> Result<bool, SmoothError> {
        Ok(!self.f.window.is_open() && self.f.window.certainly_excludes(self.f.context(), &self.enclose_maximum()?))
    }

    /// Returns the window of the function's values: those that may be the maximum, and matter to the result.
    pub(super) fn value_window(&self) -> AlphaBetaWindow<C::Num> {
        let window = self.f.window.clone();
        match &self.bound {
            Some(bound) => window.at_least(self.f.context(), bound),
            None => window,
        }
    }

    /// Evaluates the function within that window.
    pub(super) fn eval_in_window<T>(&self, ask: impl FnOnce(&SolverFunction<C>) -> T) -> T {
        // A block without solvers does not use a window.
        if self.f.block.has_solver {
            self.f.machine.eval_within(self.value_window(), || ask(self.f))
        } else {
            ask(self.f)
        }
    }

    /// Encloses the value at a point, and raises the bound to it.
    pub(in crate::smooth::solve::optimum) fn value_at(&mut self, x: &C::Num) -> Result<C::Num, SmoothError> {
        let value = self.eval_in_window(|f| f.value_over(x, &mut BranchDecisions::default(), EvalTarget::Outputs))?;
        self.raise_bound(&value);
        Ok(value)
    }

    /// Raises the bound to the lower end of a value that is attained.
    pub(super) fn raise_bound(&mut self, value: &C::Num) {
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
    pub(super) fn value_floor(&mut self, span: &C::Num, height: &C::Num) -> Result<Magnitude, SmoothError> {
        let context = self.f.context().clone();
        if self.value_window().certainly_excludes(&context, height) {
            return Ok(Magnitude::ZERO);
        }
        let floor = context.width(height);
        let tolerance = self.f.machine.effort.tolerance();
        if self.may_be_narrower(floor) {
            return Ok(Magnitude::ZERO);
        }
        // Only point inputs make such a width suspicious.
        let ends = (context.lower(span), context.upper(span));
        let (true, true, (Some(left), Some(right))) = (self.has_point_inputs, floor > tolerance, ends) else {
            return Ok(floor);
        };
        // 61/128 of the piece: off the middle, where ties often lie. A choice.
        let offset = context.div_integer(&context.mul_integer(&context.sub(&right, &left), 61), 128);
        let beside = self.value_at(&context.midpoint(&context.add(&left, &offset)))?;
        Ok(floor.min(context.width(&beside)))
    }
}
