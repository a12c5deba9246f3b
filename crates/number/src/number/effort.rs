//! How hard to try: tolerances, budgets, and what a pass leaves open.

use crate::number::budget::Budget;
use crate::number::enclosure::Enclosure;
use crate::number::magnitude::Magnitude;
use std::cell::{Cell, RefCell};
use std::fmt;

/// What the solvers may use beyond the plain definition of what they compute.
///
/// Without its shortcuts a solver is slower and right for simpler reasons: these reference paths are kept as oracles, to
/// hold the fast ones against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcuts {
    /// Taylor expansions over the panels of an integral; without them its enclosures are sums of range times length.
    pub expansions: bool,
    /// Splitting a panel at the place of a kink; without it a kink is approached by halving.
    pub kinks: bool,
    /// Integrals of analytic functions by nodes alone, bounded over complex arguments; without it panels are made for them too.
    pub complex: bool,
    /// Knowing of an optimum no more than is asked of it (`Window`); without it each is found as
    /// narrowly as any.
    pub windows: bool,
}

impl Shortcuts {
    /// All of them.
    pub const ALL: Self = Self { expansions: true, kinks: true, complex: true, windows: true };
}

impl Default for Shortcuts {
    /// All of them.
    fn default() -> Self {
        Self::ALL
    }
}

/// Who hears of an enclosure of the answer while a pass goes on, and of the promises that it rests on.
#[derive(Clone, Copy)]
struct Listener<'b>(&'b (dyn Fn(&Enclosure, &[u32]) + 'b));

impl fmt::Debug for Listener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// What the solvers of a pass left undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Whether some solver stopped where a smaller tolerance or a larger budget would go on.
    pub is_open: bool,
    /// With how many pieces a search stopped at its limit of them, though more would have narrowed it.
    pub capped_at: Option<u64>,
    /// The numbered place of an integral that no more pieces narrow: it is not told on which side of a kink its integrand lies.
    pub stuck_at: Option<u32>,
}

impl Left {
    /// What two parts of a pass left.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            is_open: self.is_open || other.is_open,
            capped_at: self.capped_at.max(other.capped_at),
            stuck_at: self.stuck_at.or(other.stuck_at),
        }
    }
}

/// The terms of one pass over a program.
#[derive(Debug)]
pub struct Effort<'b> {
    /// The width that a solver aims at, in its own result.
    tolerance: Cell<Magnitude>,
    /// What the whole question may cost.
    pub budget: &'b Budget,
    /// What the solvers may use.
    pub shortcuts: Shortcuts,
    /// How often the limits on the pieces of a search were raised.
    raised: u32,
    listener: Option<Listener<'b>>,
    left: Cell<Left>,
    splitting: Cell<bool>,
    assumed: RefCell<Vec<u32>>,
}

impl<'b> Effort<'b> {
    /// A pass with this tolerance under this budget.
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

    /// The width that a solver aims at, in its own result.
    #[must_use]
    pub fn tolerance(&self) -> Magnitude {
        self.tolerance.get()
    }

    /// Does something for which solvers need not aim at less than a width, where that is more than they did. That they stop there
    /// leaves nothing open: who asked for less than the pass does asks again.
    pub fn loosened<T>(&self, width: Magnitude, work: impl FnOnce() -> T) -> T {
        if width <= self.tolerance.get() {
            return work();
        }
        let (before, left) = (self.tolerance.replace(width), self.left.get());
        let result = work();
        self.tolerance.set(before);
        self.left.set(left);
        result
    }

    /// Does something for which an interval is split into parts, as often as that gains anything.
    pub fn splitting<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.splitting.replace(true);
        let result = work();
        self.splitting.set(before);
        result
    }

    /// Whether inputs that are intervals may be parts of one that is split: who asks for something on them may ask for it on smaller ones.
    #[must_use]
    pub fn is_splitting(&self) -> bool {
        self.splitting.get()
    }

    /// Does something that may come to nothing; then nothing is left open by it.
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

    /// The same pass, with somebody who hears of the enclosures of the answer that it meets on its way.
    #[must_use]
    pub fn heard_by(self, listener: &'b (dyn Fn(&Enclosure, &[u32]) + 'b)) -> Self {
        Self { listener: Some(Listener(listener)), ..self }
    }

    /// Tells an enclosure of the answer, unless the budget has cut something short that it might rest on.
    pub fn tell(&self, found: &Enclosure) {
        if let Some(Listener(hear)) = self.listener.filter(|_| !self.budget.is_cut()) {
            hear(found, &self.assumed());
        }
    }

    /// Tells an enclosure of the answer that passes before this one have found, and the promises that it rests on: nothing in it was
    /// cut short.
    pub fn recall(&self, found: &Enclosure, assumed: &[u32]) {
        if let Some(Listener(hear)) = self.listener {
            hear(found, assumed);
        }
    }

    /// The same pass with some shortcuts of the solvers switched off.
    #[must_use]
    pub fn with_shortcuts(self, shortcuts: Shortcuts) -> Self {
        Self { shortcuts, ..self }
    }

    /// The same pass, whether or not its inputs may be [parts of an interval](Self::is_splitting).
    #[must_use]
    pub fn for_parts(self, is_splitting: bool) -> Self {
        Self { splitting: Cell::new(is_splitting), ..self }
    }

    /// The same pass with limits on the pieces of a search that were raised so often.
    #[must_use]
    pub fn raised(self, times: u32) -> Self {
        Self { raised: times, ..self }
    }

    /// How often the limits on the pieces of a search were raised.
    #[must_use]
    pub fn times_raised(&self) -> u32 {
        self.raised
    }

    /// Notes that a solver stopped where a smaller tolerance or a larger budget would go on.
    pub fn leave_open(&self) {
        self.leave(Left { is_open: true, ..Left::default() });
    }

    /// Notes that a search stopped with so many pieces, its limit, though more would narrow it.
    pub fn leave_capped(&self, pieces: u64) {
        self.leave(Left { is_open: true, capped_at: Some(pieces), ..Left::default() });
    }

    /// Notes that no more pieces narrow the integral at a numbered place, since a kink of its integrand is not told apart.
    pub fn leave_stuck(&self, site: u32) {
        self.leave(Left { stuck_at: Some(site), ..Left::default() });
    }

    fn leave(&self, left: Left) {
        self.left.set(self.left.get().and(left));
    }

    /// What the solvers left undone.
    #[must_use]
    pub fn left(&self) -> Left {
        self.left.get()
    }

    /// Whether some solver stopped where it could have gone on.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.left.get().is_open
    }

    /// Notes that the answer rests on a promise that the caller made at a numbered place.
    pub fn assume_promise(&self, site: u32) {
        let mut assumed = self.assumed.borrow_mut();
        if !assumed.contains(&site) {
            assumed.push(site);
        }
    }

    /// Adds what a part of this pass left undone and assumed.
    pub fn adopt(&self, left: Left, assumed: &[u32]) {
        self.leave(left);
        assumed.iter().for_each(|site| self.assume_promise(*site));
    }

    /// The places whose promise the answer rests on.
    #[must_use]
    pub fn assumed(&self) -> Vec<u32> {
        self.assumed.borrow().clone()
    }
}
