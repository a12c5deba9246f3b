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
pub struct SolverOptions {
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

impl SolverOptions {
    /// All optimisations.
    pub const ALL: Self = Self { expansions: true, kinks: true, complex: true, windows: true };
}

impl Default for SolverOptions {
    /// Returns all optimisations.
    fn default() -> Self {
        Self::ALL
    }
}

/// A callback for enclosures of the answer while a pass goes on, with the promises on which each rests.
#[derive(Clone, Copy)]
struct EnclosureObserver<'b>(&'b (dyn Fn(&Enclosure, &[u32]) + 'b));

impl fmt::Debug for EnclosureObserver<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// The unfinished work of the solvers of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnfinishedWork {
    /// `true` if some solver stopped although a smaller tolerance or a larger budget would help.
    pub is_open: bool,
    /// The number of pieces at which a search stopped at its limit, although more would have narrowed it.
    pub capped_at: Option<u64>,
    /// The numbered place of an integral that no more pieces narrow: the side of a kink on which its integrand lies is undecided.
    pub stuck_at: Option<u32>,
}

impl UnfinishedWork {
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
pub struct PassOptions<'b> {
    /// The width that a solver aims at, in its own result.
    tolerance: Cell<Magnitude>,
    /// The budget of the whole question.
    pub budget: &'b Budget,
    /// The optimisations that solvers may use.
    pub solver_options: SolverOptions,
    /// The number of times that the limits on the pieces of a search were raised.
    with_raised_limits: u32,
    observer: Option<EnclosureObserver<'b>>,
    unfinished: Cell<UnfinishedWork>,
    while_splitting: Cell<bool>,
    assumed_promises: RefCell<Vec<u32>>,
}

impl<'b> PassOptions<'b> {
    /// Creates the options of a pass with a tolerance and a budget.
    #[must_use]
    pub fn new(tolerance: Magnitude, budget: &'b Budget) -> Self {
        Self {
            tolerance: Cell::new(tolerance),
            budget,
            solver_options: SolverOptions::ALL,
            with_raised_limits: 0,
            observer: None,
            unfinished: Cell::default(),
            while_splitting: Cell::default(),
            assumed_promises: RefCell::default(),
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
    pub fn with_looser_tolerance<T>(&self, width: Magnitude, work: impl FnOnce() -> T) -> T {
        if width <= self.tolerance.get() {
            return work();
        }
        // The unfinished work is restored as well, so that a raised tolerance does not count as open.
        let (before, left) = (self.tolerance.replace(width), self.unfinished.get());
        let result = work();
        self.tolerance.set(before);
        self.unfinished.set(left);
        result
    }

    /// Runs `work` for which an interval is split into parts, as often as splitting narrows anything.
    pub fn while_splitting<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.while_splitting.replace(true);
        let result = work();
        self.while_splitting.set(before);
        result
    }

    /// Returns `true` if inputs that are intervals may be parts of a split one, so that the caller may evaluate on smaller ones.
    #[must_use]
    pub fn is_splitting(&self) -> bool {
        self.while_splitting.get()
    }

    /// Runs `work` that may find nothing; if it returns `None`, it leaves nothing open.
    ///
    /// # Errors
    /// Those of the work.
    pub fn run_attempt<T, E>(&self, work: impl FnOnce() -> Result<Option<T>, E>) -> Result<Option<T>, E> {
        let left = self.unfinished.get();
        let found = work()?;
        if found.is_none() {
            self.unfinished.set(left);
        }
        Ok(found)
    }

    /// Sets the callback for the enclosures of the answer that the pass finds on its way.
    #[must_use]
    pub fn with_observer(self, listener: &'b (dyn Fn(&Enclosure, &[u32]) + 'b)) -> Self {
        Self { observer: Some(EnclosureObserver(listener)), ..self }
    }

    /// Publishes an enclosure of the answer, unless the budget has cut a computation short on which it might rest.
    pub fn publish_enclosure(&self, found: &Enclosure) {
        if let Some(EnclosureObserver(hear)) = self.observer.filter(|_| !self.budget.was_exhausted()) {
            hear(found, &self.assumed_promises());
        }
    }

    /// Publishes an enclosure of the answer that earlier passes found, and the promises on which it rests. No computation behind
    /// it was cut short, so that the budget is not checked.
    pub fn republish_enclosure(&self, found: &Enclosure, assumed: &[u32]) {
        if let Some(EnclosureObserver(hear)) = self.observer {
            hear(found, assumed);
        }
    }

    /// Replaces the set of solver optimisations.
    #[must_use]
    pub fn with_solver_options(self, shortcuts: SolverOptions) -> Self {
        Self { solver_options: shortcuts, ..self }
    }

    /// Sets whether the inputs may be [parts of an interval](Self::is_splitting).
    #[must_use]
    pub fn with_splitting(self, is_splitting: bool) -> Self {
        Self { while_splitting: Cell::new(is_splitting), ..self }
    }

    /// Sets the number of times that the limits on the pieces of a search were raised.
    #[must_use]
    pub fn with_raised_limits(self, times: u32) -> Self {
        Self { with_raised_limits: times, ..self }
    }

    /// Returns the number of times that the limits on the pieces of a search were raised.
    #[must_use]
    pub fn times_raised(&self) -> u32 {
        self.with_raised_limits
    }

    /// Records that a solver stopped although a smaller tolerance or a larger budget would help.
    pub fn record_open(&self) {
        self.record_unfinished(UnfinishedWork { is_open: true, ..UnfinishedWork::default() });
    }

    /// Records that a search stopped at its limit of pieces, although more would narrow it.
    pub fn record_capped(&self, pieces: u64) {
        self.record_unfinished(UnfinishedWork { is_open: true, capped_at: Some(pieces), ..UnfinishedWork::default() });
    }

    /// Records that no more pieces narrow the integral at a numbered place, since the side of a kink of its integrand is
    /// undecided.
    pub fn record_stuck(&self, site: u32) {
        self.record_unfinished(UnfinishedWork { stuck_at: Some(site), ..UnfinishedWork::default() });
    }

    /// Adds to the record of unfinished work.
    fn record_unfinished(&self, left: UnfinishedWork) {
        self.unfinished.set(self.unfinished.get().and(left));
    }

    /// Returns the unfinished work of the solvers.
    #[must_use]
    pub fn unfinished(&self) -> UnfinishedWork {
        self.unfinished.get()
    }

    /// Returns `true` if some solver stopped although it could have gone on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.unfinished.get().is_open
    }

    /// Records that the answer rests on a promise of the caller at a numbered place.
    pub fn record_promise(&self, site: u32) {
        let mut assumed = self.assumed_promises.borrow_mut();
        if !assumed.contains(&site) {
            assumed.push(site);
        }
    }

    /// Adds the unfinished work and the promises of a part of this pass.
    pub fn absorb_part(&self, left: UnfinishedWork, assumed: &[u32]) {
        self.record_unfinished(left);
        assumed.iter().for_each(|site| self.record_promise(*site));
    }

    /// Returns the numbered places of the promises on which the answer rests.
    #[must_use]
    pub fn assumed_promises(&self) -> Vec<u32> {
        self.assumed_promises.borrow().clone()
    }
}
