//! What a question may cost: work, wall-clock time, memory, and the wish of the person at the keyboard.

use super::enclosure::Enclosure;
use super::{memory, work};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Somebody who watches a question being worked on. Both methods are called from where the work is done, and must be
/// quick.
pub trait Observer: Send + Sync + fmt::Debug {
    /// Work goes on. Called some thousand times a second, where the work is fine-grained.
    fn working(&self);

    /// A pass has ended: the best enclosure of the number that is asked for now.
    fn improved(&self, best: &Enclosure);

    /// So many parts of all are done, where the parts can be counted.
    fn advanced(&self, done: usize, all: usize) {
        let (_, _) = (done, all);
    }
}

/// A budget, shared by everything that works on one question.
///
/// Work is counted in operations and the [size](work) of their numbers, and is deterministic; the clock, the [`memory`] of the
/// process and the interrupt are not, and only they may change how far an answer got. Work is spent before it is done, and what would take longer than the
/// time that is left is not begun. Once a budget is exhausted it stays so: every solver then returns the best enclosure it
/// has.
#[derive(Debug)]
pub struct Budget {
    work: AtomicU64,
    limit: u64,
    deadline: Option<Instant>,
    interrupt: Option<Arc<AtomicBool>>,
    exhausted: AtomicBool,
    next_look: AtomicU64,
    takes_down: bool,
    is_part: bool,
    observer: Option<Arc<dyn Observer>>,
}

/// How much work passes between two looks at the clock. A look costs as much as a few units; an elementary function at a
/// thousand bits is 16 units and takes a tenth of a millisecond.
const LOOK_EVERY: u64 = 500;
/// Work that is looked at by itself, before it is begun: a few milliseconds.
pub const LONG: u64 = 100_000;

/// So many parts of a structure are looked at by themselves: fewer take no time.
const MANY_PARTS: u64 = 1_000;
/// The work of making a part of a structure and of taking it down.
const PART_WORK: u64 = 5;
/// The memory of a part of a structure.
const PART_BYTES: u64 = 100;

impl Budget {
    /// No limit but the end of the computation itself.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX, None, None)
    }

    /// A limit on work, a limit on time from now, and a flag that stops everything when it becomes true.
    #[must_use]
    pub fn new(work: u64, time: Option<Duration>, interrupt: Option<Arc<AtomicBool>>) -> Self {
        Self {
            work: AtomicU64::new(0),
            limit: work,
            deadline: time.and_then(|t| Instant::now().checked_add(t)),
            interrupt,
            exhausted: AtomicBool::new(false),
            next_look: AtomicU64::new(0),
            takes_down: false,
            is_part: false,
            observer: None,
        }
    }

    /// A budget for a part of the work, with limits of its own, that ends with whatever interrupts this one. Whoever watches is told that
    /// work goes on, and not what the part finds.
    #[must_use]
    pub fn part(&self, work: u64, time: Option<Duration>) -> Self {
        Self { is_part: true, observer: self.observer.clone(), ..Self::new(work, time, self.interrupt()) }
    }

    /// The same budget, of the time of which so much is kept back as it takes to take down what was built: for a whole question. What is
    /// given a share of it keeps nothing back by itself.
    #[must_use]
    pub fn taking_down(self) -> Self {
        Self { takes_down: true, ..self }
    }

    /// The same budget, with somebody who watches what it is spent on. Watching changes no answer.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn Observer>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Tells whoever watches about the best enclosure so far.
    pub fn improved(&self, best: &Enclosure) {
        if let Some(observer) = &self.observer
            && !self.is_part
        {
            observer.improved(best);
        }
    }

    /// Tells whoever watches how many parts of all are done.
    pub fn advanced(&self, done: usize, all: usize) {
        if let Some(observer) = &self.observer
            && !self.is_part
        {
            observer.advanced(done, all);
        }
    }

    /// A limit on time from now.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self::new(u64::MAX, Some(time), None)
    }

    /// Whether there is a limit on work. How far an answer gets under it does not depend on threads: there is one.
    #[must_use]
    pub fn limits_work(&self) -> bool {
        self.limit < u64::MAX
    }

    /// Spends `units` of work that is about to be done; false when the budget is exhausted, and the work is not to be done.
    pub fn spend(&self, units: u64) -> bool {
        let spent = self.work.fetch_add(units, Ordering::Relaxed).saturating_add(units);
        if spent > self.limit {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        if spent >= self.next_look.load(Ordering::Relaxed) {
            self.next_look.store(spent.saturating_add(LOOK_EVERY), Ordering::Relaxed);
            self.look();
        }
        if units > LONG && self.is_short_for(units) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        !self.exhausted.load(Ordering::Relaxed)
    }

    /// Whether there is time to make so many parts of a structure and to take them down, and room for them; where there is not, the budget is
    /// exhausted, and they are not to be made. They are no work on numbers, and a limit on work does not count them.
    pub fn affords_parts(&self, parts: u64) -> bool {
        if parts >= MANY_PARTS {
            self.look();
            let is_short = self.is_short_for(parts.saturating_mul(PART_WORK));
            if is_short || !memory::has_room(parts.saturating_mul(PART_BYTES)) {
                self.exhausted.store(true, Ordering::Relaxed);
            }
        }
        !self.is_cut()
    }

    /// Whether work could be done, of which nothing is done yet: for what is tried beside another way, which goes on where it cannot.
    #[must_use]
    pub fn affords(&self, units: u64) -> bool {
        let spent = self.work_done().saturating_add(units);
        !self.is_cut() && spent <= self.limit && (units <= LONG || !self.is_short_for(units))
    }

    /// Whether work would take more than the time that is left.
    fn is_short_for(&self, units: u64) -> bool {
        self.remaining().is_some_and(|left| left < Duration::from_nanos(units.saturating_mul(work::NANOSECONDS)))
    }

    /// Looks at the clock, at the memory and at the interrupt.
    fn look(&self) {
        let late = self.remaining().is_some_and(|left| left.is_zero());
        let stopped = self.interrupt.as_ref().is_some_and(|i| i.load(Ordering::Relaxed));
        if late || stopped || !memory::has_room(0) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        if let Some(observer) = &self.observer {
            observer.working();
        }
    }

    /// Whether the budget is exhausted.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.look();
        self.exhausted.load(Ordering::Relaxed)
    }

    /// Whether somebody was told that the budget is exhausted, and may have left something out. Unlike
    /// [`Budget::is_exhausted`] this does not look at the clock.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.exhausted.load(Ordering::Relaxed)
    }

    /// The flag that stops everything when it becomes true.
    #[must_use]
    pub fn interrupt(&self) -> Option<Arc<AtomicBool>> {
        self.interrupt.clone()
    }

    /// The time that is left, where there is a limit.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        let kept_back = if self.takes_down { memory::taking_down() } else { Duration::ZERO };
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()).saturating_sub(kept_back))
    }

    /// The work done so far.
    #[must_use]
    pub fn work_done(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }
}
