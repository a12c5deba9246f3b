//! The options and the state of one pass: tolerance, budget, and what the solvers leave open.

use crate::number::budget::Budget;
use crate::number::enclosure::Enclosure;
use crate::number::magnitude::Magnitude;
use std::cell::{Cell, RefCell};
use std::fmt;

/// The optimisations that solvers may use beyond the plain definition of their result.
///
/// Without optimisations a solver is slower and correct for simpler reasons. These reference paths are kept as oracles for the
/// fast ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts {
    /// Taylor expansions over the panels of an integral; without them its enclosures are sums of range times length.
    pub expansions: bool,
    /// Splitting a panel at the place of a kink; without it a kink is approached by halving.
    pub kinks: bool,
    /// Integrals of analytic functions by quadrature nodes alone, with bounds over complex arguments; without it they use panels
    /// too.
    pub complex: bool,
    /// Bounding an optimum only as closely as its user needs (`Window`); without it each is enclosed as narrowly as any.
    pub windows: bool,
}

impl Shortcuts {
    /// All optimisations.
    pub const ALL: Self = Self { expansions: true, kinks: true, complex: true, windows: true };
}

impl Default for Shortcuts {
    /// Returns all optimisations.
    fn default() -> Self {
        Self::ALL
    }
}

/// A callback for enclosures of the answer while a pass goes on, with the promises on which each rests.
#[derive(Clone, Copy)]
struct Listener<'b>(&'b (dyn Fn(&Enclosure, &[u32]) + 'b));

impl fmt::Debug for Listener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// The unfinished work of the solvers of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// `true` if some solver stopped although a smaller tolerance or a larger budget would help.
    pub is_open: bool,
    /// The number of pieces at which a search stopped at its limit, although more would have narrowed it.
    pub capped_at: Option<u64>,
    /// The numbered place of an integral that no more pieces narrow: the side of a kink on which its integrand lies is undecided.
    pub stuck_at: Option<u32>,
}

impl Left {
    /// Combines the unfinished work of two parts of a pass.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            is_open: self.is_open || other.is_open,
            capped_at: self.capped_at.max(other.capped_at),
            stuck_at: self.stuck_at.or(other.stuck_at),
        }
    }
}

/// The options of one pass over a program, and the record of what it left undone.
#[derive(Debug)]
pub struct Effort<'b> {
    /// The width that a solver aims at, in its own result.
    tolerance: Cell<Magnitude>,
    /// The budget of the whole question.
    pub budget: &'b Budget,
    /// The optimisations that solvers may use.
    pub shortcuts: Shortcuts,
    /// The number of times that the limits on the pieces of a search were raised.
    raised: u32,
    listener: Option<Listener<'b>>,
    left: Cell<Left>,
    splitting: Cell<bool>,
    assumed: RefCell<Vec<u32>>,
}

impl<'b> Effort<'b> {
    /// Creates the options of a pass with a tolerance and a budget.
    #[must_use]
    pub fn new(tolerance: Magnitude, budget: &'b Budget) -> Self {
        Self {
            tolerance: Cell::new(tolerance),
            budget,
            shortcuts: Shortcuts::ALL,
            raised: 0,
            listener: None,
            left: Cell::default(),
            splitting: Cell::default(),
            assumed: RefCell::default(),
        }
    }

    /// Returns the width that a solver aims at, in its own result.
    #[must_use]
    pub fn tolerance(&self) -> Magnitude {
        self.tolerance.get()
    }

    /// Runs `work` with the tolerance raised to `width`, if that is larger.
    ///
    /// Solvers that stop at the raised tolerance leave nothing open: a caller that needs a narrower result asks again.
    pub fn loosened<T>(&self, width: Magnitude, work: impl FnOnce() -> T) -> T {
        if width <= self.tolerance.get() {
            return work();
        }
        // The unfinished work is restored as well, so that a raised tolerance does not count as open.
        let (before, left) = (self.tolerance.replace(width), self.left.get());
        let result = work();
        self.tolerance.set(before);
        self.left.set(left);
        result
    }

    /// Runs `work` for which an interval is split into parts, as often as splitting narrows anything.
    pub fn splitting<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.splitting.replace(true);
        let result = work();
        self.splitting.set(before);
        result
    }

    /// Returns `true` if inputs that are intervals may be parts of a split one, so that the caller may evaluate on smaller ones.
    #[must_use]
    pub fn is_splitting(&self) -> bool {
        self.splitting.get()
    }

    /// Runs `work` that may find nothing; if it returns `None`, it leaves nothing open.
    ///
    /// # Errors
    /// Those of the work.
    pub fn attempted<T, E>(&self, work: impl FnOnce() -> Result<Option<T>, E>) -> Result<Option<T>, E> {
        let left = self.left.get();
        let found = work()?;
        if found.is_none() {
            self.left.set(left);
        }
        Ok(found)
    }

    /// Sets the callback for the enclosures of the answer that the pass finds on its way.
    #[must_use]
    pub fn heard_by(self, listener: &'b (dyn Fn(&Enclosure, &[u32]) + 'b)) -> Self {
        Self { listener: Some(Listener(listener)), ..self }
    }

    /// Publishes an enclosure of the answer, unless the budget has cut a computation short on which it might rest.
    pub fn tell(&self, found: &Enclosure) {
        if let Some(Listener(hear)) = self.listener.filter(|_| !self.budget.is_cut()) {
            hear(found, &self.assumed());
        }
    }

    /// Publishes an enclosure of the answer that earlier passes found, and the promises on which it rests. No computation behind
    /// it was cut short, so that the budget is not checked.
    pub fn recall(&self, found: &Enclosure, assumed: &[u32]) {
        if let Some(Listener(hear)) = self.listener {
            hear(found, assumed);
        }
    }

    /// Replaces the set of solver optimisations.
    #[must_use]
    pub fn with_shortcuts(self, shortcuts: Shortcuts) -> Self {
        Self { shortcuts, ..self }
    }

    /// Sets whether the inputs may be [parts of an interval](Self::is_splitting).
    #[must_use]
    pub fn for_parts(self, is_splitting: bool) -> Self {
        Self { splitting: Cell::new(is_splitting), ..self }
    }

    /// Sets the number of times that the limits on the pieces of a search were raised.
    #[must_use]
    pub fn raised(self, times: u32) -> Self {
        Self { raised: times, ..self }
    }

    /// Returns the number of times that the limits on the pieces of a search were raised.
    #[must_use]
    pub fn times_raised(&self) -> u32 {
        self.raised
    }

    /// Records that a solver stopped although a smaller tolerance or a larger budget would help.
    pub fn leave_open(&self) {
        self.leave(Left { is_open: true, ..Left::default() });
    }

    /// Records that a search stopped at its limit of pieces, although more would narrow it.
    pub fn leave_capped(&self, pieces: u64) {
        self.leave(Left { is_open: true, capped_at: Some(pieces), ..Left::default() });
    }

    /// Records that no more pieces narrow the integral at a numbered place, since the side of a kink of its integrand is
    /// undecided.
    pub fn leave_stuck(&self, site: u32) {
        self.leave(Left { stuck_at: Some(site), ..Left::default() });
    }

    /// Adds to the record of unfinished work.
    fn leave(&self, left: Left) {
        self.left.set(self.left.get().and(left));
    }

    /// Returns the unfinished work of the solvers.
    #[must_use]
    pub fn left(&self) -> Left {
        self.left.get()
    }

    /// Returns `true` if some solver stopped although it could have gone on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.left.get().is_open
    }

    /// Records that the answer rests on a promise of the caller at a numbered place.
    pub fn assume_promise(&self, site: u32) {
        let mut assumed = self.assumed.borrow_mut();
        if !assumed.contains(&site) {
            assumed.push(site);
        }
    }

    /// Adds the unfinished work and the promises of a part of this pass.
    pub fn adopt(&self, left: Left, assumed: &[u32]) {
        self.leave(left);
        assumed.iter().for_each(|site| self.assume_promise(*site));
    }

    /// Returns the numbered places of the promises on which the answer rests.
    #[must_use]
    pub fn assumed(&self) -> Vec<u32> {
        self.assumed.borrow().clone()
    }
}
