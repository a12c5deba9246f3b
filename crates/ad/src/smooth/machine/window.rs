//! What a number is asked for: outside of a window, no more than on which side of it the number lies.
//!
//! Who looks for the greatest of many numbers need not know the others, only that they are less; and one who looks for the least of
//! such greatest ones need not know how great they are, once they are too great (alpha-beta pruning). A window says so to what computes
//! a number: an answer that lies outside, and is known to be defined, is good enough however wide it is, and needs no derivatives. It is
//! a hint and no promise: every answer is an enclosure, and is compared as such.

use super::{Frame, Machine, Target};
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::Hooked;
use crate::smooth::program::Register;
use crate::smooth::program::rivals::{Above, Rivals};

/// Where a number has to be known; with no ends, everywhere.
#[derive(Clone, Debug)]
pub struct Window<N> {
    /// Less than this is only known to be less.
    pub low: Option<N>,
    /// More than this is only known to be more.
    pub high: Option<N>,
}

impl<N: Clone> Window<N> {
    /// Everywhere.
    #[must_use]
    pub const fn open() -> Self {
        Self { low: None, high: None }
    }

    /// Whether a number has to be known everywhere.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    /// Whether a number certainly lies outside, and is defined.
    pub fn misses<C: Hooked<Num = N>>(&self, context: &C, value: &N) -> bool {
        let below = |low| context.strictly_below(value, low);
        let above = |high| context.strictly_below(high, value);
        context.is_defined(value) && (self.low.as_ref().is_some_and(below) || self.high.as_ref().is_some_and(above))
    }

    /// What of it is not certainly below a number.
    #[must_use]
    pub fn at_least<C: Hooked<Num = N>>(mut self, context: &C, value: &N) -> Self {
        if let Some(least) = context.lower(value).filter(|_| context.is_defined(value)) {
            self.low = Some(self.low.map_or(least.clone(), |low| context.max(&low, &least)));
        }
        self
    }

    /// What of it is not certainly above a number.
    #[must_use]
    pub fn at_most<C: Hooked<Num = N>>(mut self, context: &C, value: &N) -> Self {
        if let Some(most) = context.upper(value).filter(|_| context.is_defined(value)) {
            self.high = Some(self.high.map_or(most.clone(), |high| context.min(&high, &most)));
        }
        self
    }

    fn negated<C: Hooked<Num = N>>(self, context: &C) -> Self {
        let negated = |end: Option<N>| end.map(|end| context.neg(&end));
        Self { low: negated(self.high), high: negated(self.low) }
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Does one run of a block, the output of which is asked for within a window.
    pub(in crate::smooth) fn within<T>(&self, window: Window<C::Num>, run: impl FnOnce() -> T) -> T {
        self.window.replace(if self.has_windows() { window } else { Window::open() });
        let result = run();
        self.window.replace(Window::open());
        result
    }

    /// Whether windows are looked through: not where it is looked at what a run does.
    pub(super) fn has_windows(&self) -> bool {
        self.effort.shortcuts.windows && !self.is_watched()
    }

    /// The window for the result of a step, given what is known of the others. Only maxima have use for one.
    pub(super) fn window_of(&self, primitive: SecondOrder, index: usize, frame: &Frame<C::Num>) -> Window<C::Num> {
        if primitive != SecondOrder::Maximum || frame.target != Target::Outputs || !self.has_windows() {
            return Window::open();
        }
        self.window_above(index, frame, Rivals::HIGHEST)
    }

    fn window_above(&self, index: usize, frame: &Frame<C::Num>, left: u32) -> Window<C::Num> {
        let (Some(above), Some(left)) = (frame.rivals.above(index), left.checked_sub(1)) else { return Window::open() };
        let next = |step| self.window_above(step, frame, left);
        let known = |r: Register| frame.known(r).map(|x| x.get(0).cloned().unwrap_or_else(|| self.context.integer(0)));
        match above {
            Above::Output => frame.window.clone(),
            Above::Negation(step) => next(step).negated(self.context),
            Above::Maximum { step, rival } => match known(rival) {
                Some(rival) => next(step).at_least(self.context, &rival),
                None => next(step),
            },
            Above::Minimum { step, rival } => match known(rival) {
                Some(rival) => next(step).at_most(self.context, &rival),
                None => next(step),
            },
        }
    }
}
