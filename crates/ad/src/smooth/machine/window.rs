//! Alpha-beta windows: bounds outside of which a number need not be known precisely.
//!
//! In the maximum of many numbers, a number below the greatest one so far matters no further. Likewise in the minimum of
//! such maxima, a maximum above the least one so far (alpha-beta pruning, Knuth and Moore 1975). A window tells these
//! bounds to the step that computes a number. An enclosure that lies outside of the window and is certainly defined is good
//! enough, however wide it is, and needs no derivatives. A window is a hint: every result is an enclosure, and is compared
//! as one.
//!
//! Of the operands of a `max` the one that is computed later knows the value of the earlier one. So of several
//! shapes the one that reaches farthest is best named first.

use super::{EvalTarget, JetEvaluator, RegisterFile};
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::HookedContext;
use crate::smooth::program::BlockRegister;
use crate::smooth::program::rivals::{MinMaxTree, MinMaxUse};

/// The range in which a number has to be known precisely; all of ℝ if there are no ends.
#[derive(Clone, Debug)]
pub struct AlphaBetaWindow<N> {
    /// The lower end: a number below it need not be known more precisely. `None` for −∞.
    pub low: Option<N>,
    /// The upper end: a number above it need not be known more precisely. `None` for +∞.
    pub high: Option<N>,
}

impl<N: Clone> AlphaBetaWindow<N> {
    /// Returns the window without ends.
    #[must_use]
    pub const fn open() -> Self {
        Self { low: None, high: None }
    }

    /// Returns `true` if the window has no ends.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// Returns `true` if a number is certainly defined and certainly lies outside of the window.
    pub fn certainly_excludes<C: HookedContext<Num = N>>(&self, context: &C, value: &N) -> bool {
        let below = |low| context.is_strictly_below(value, low);
        let above = |high| context.is_strictly_below(high, value);
        context.is_defined(value) && (self.low.as_ref().is_some_and(below) || self.high.as_ref().is_some_and(above))
    }

    /// Raises the lower end to that of `value`: smaller numbers lose against it in a maximum. An undefined `value` changes
    /// nothing.
    #[must_use]
    pub fn at_least<C: HookedContext<Num = N>>(mut self, context: &C, value: &N) -> Self {
        // The lower end is what `value` certainly reaches.
        if let Some(least) = context.lower(value).filter(|_| context.is_defined(value)) {
            self.low = Some(self.low.map_or(least.clone(), |low| context.max(&low, &least)));
        }
        self
    }

    /// Lowers the upper end to that of `value`: greater numbers lose against it in a minimum. An undefined `value` changes
    /// nothing.
    #[must_use]
    pub fn at_most<C: HookedContext<Num = N>>(mut self, context: &C, value: &N) -> Self {
        if let Some(most) = context.upper(value).filter(|_| context.is_defined(value)) {
            self.high = Some(self.high.map_or(most.clone(), |high| context.min(&high, &most)));
        }
        self
    }

    /// Returns the window of −x, given that of x.
    fn negated<C: HookedContext<Num = N>>(self, context: &C) -> Self {
        let negated = |end: Option<N>| end.map(|end| context.neg(&end));
        Self { low: negated(self.high), high: negated(self.low) }
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Runs `run`, which evaluates one block, with this window for the block's output.
    pub(in crate::smooth) fn eval_within<T>(&self, window: AlphaBetaWindow<C::Num>, run: impl FnOnce() -> T) -> T {
        self.window.replace(if self.has_windows() { window } else { AlphaBetaWindow::open() });
        let result = run();
        // The block has taken the window. Should none have been run, the next one must not find it.
        self.window.replace(AlphaBetaWindow::open());
        result
    }

    /// Returns `true` if windows are in use. They are not while hooks or a diagnosis look at each step.
    pub(super) fn has_windows(&self) -> bool {
        self.effort.solver_options.windows && !self.is_watched()
    }

    /// Returns the window of the result of a step, by the numbers computed before it. Only a maximum makes use of one.
    pub(super) fn window_for_step(
        &self,
        primitive: SecondOrder,
        index: usize,
        frame: &RegisterFile<C::Num>,
    ) -> AlphaBetaWindow<C::Num> {
        // A run for a branch point does not compute the output, so the output's window is no bound for its steps.
        if primitive != SecondOrder::Maximum || frame.target != EvalTarget::Outputs || !self.has_windows() {
            return AlphaBetaWindow::open();
        }
        self.window_above(index, frame, MinMaxTree::HIGHEST)
    }

    /// Returns the window of step `index`, by climbing the min/max tree at most `left` steps towards the output.
    fn window_above(&self, index: usize, frame: &RegisterFile<C::Num>, left: u32) -> AlphaBetaWindow<C::Num> {
        let (Some(above), Some(left)) = (frame.rivals.use_of(index), left.checked_sub(1)) else {
            return AlphaBetaWindow::open();
        };
        let next = |step| self.window_above(step, frame, left);
        let known = |r: BlockRegister| {
            frame.get_computed(r).map(|x| x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0)))
        };
        // A rival that is not computed yet gives no bound, but the steps above may.
        match above {
            MinMaxUse::Output => frame.window.clone(),
            MinMaxUse::Negation(step) => next(step).negated(self.context),
            MinMaxUse::Maximum { step, rival } => match known(rival) {
                Some(rival) => next(step).at_least(self.context, &rival),
                None => next(step),
            },
            MinMaxUse::Minimum { step, rival } => match known(rival) {
                Some(rival) => next(step).at_most(self.context, &rival),
                None => next(step),
            },
        }
    }
}
