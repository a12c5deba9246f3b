//! The budget of a question: work, wall-clock time, memory, and an interrupt by the user.
//!
//! Work is counted from the sizes of numbers, so a question does the same work on every machine. Only the clock
//! can make two runs differ.
//!
//! MPFR cannot be interrupted. So a long operation is compared with the time left before it begins: that keeps
//! overruns short. A structure that is built in one go, such as the derivative of a trace, is paid for before, by
//! the number of its parts.

use super::enclosure::Enclosure;
use super::{memory, work};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// An observer of the work on a question. Its methods are called from the code that does the work, and must be quick.
pub trait BudgetObserver: Send + Sync + fmt::Debug {
    /// Reports that work goes on. Called some thousand times a second, if the work is fine-grained.
    fn on_work(&self);

    /// Reports the best enclosure so far of the number in question, after a pass.
    fn on_improvement(&self, best: &Enclosure);

    /// Reports that `done` parts of `all` are done, if the parts can be counted.
    fn on_progress(&self, done: usize, all: usize) {
        let (_, _) = (done, all);
    }
}

/// A budget, shared by all code that works on one question.
///
/// Work is counted in operations and the [size](work) of their numbers, and is deterministic. The clock, the [`memory`] of the
/// process and the interrupt are not, and only they may change how far an answer gets. Work is spent before it is done, and an
/// operation that would take longer than the time left is not begun. An exhausted budget stays exhausted: every solver then
/// returns its best enclosure.
#[derive(Debug)]
pub struct Budget {
    work: AtomicU64,
    limit: u64,
    deadline: Option<Instant>,
    interrupt_flag: Option<Arc<AtomicBool>>,
    exhausted: AtomicBool,
    next_look: AtomicU64,
    reserves_drop_time: bool,
    is_part: bool,
    observer: Option<Arc<dyn BudgetObserver>>,
}

/// The work units between two readings of the clock. A reading costs as much as a few units; an elementary function at a thousand
/// bits is 16 units and takes a tenth of a millisecond.
const WORK_PER_CHECK: u64 = 500;
/// The work units beyond which an operation is compared with the time left before it begins: a few milliseconds.
pub const LONG_WORK: u64 = 100_000;

/// The number of parts of a structure from which time and memory are checked: fewer take no time.
const MANY_PARTS: u64 = 1_000;
/// The work units of building and dropping one part of a structure.
const PART_WORK: u64 = 5;
/// The bytes of one part of a structure.
const PART_BYTES: u64 = 100;

impl Budget {
    /// Creates a budget without limits.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX, None, None)
    }

    /// Creates a budget with a limit on work units, a limit on time from now, and a flag that stops everything when it becomes
    /// true.
    #[must_use]
    pub fn new(work: u64, time: Option<Duration>, interrupt_flag: Option<Arc<AtomicBool>>) -> Self {
        Self {
            work: AtomicU64::new(0),
            limit: work,
            deadline: time.and_then(|t| Instant::now().checked_add(t)),
            interrupt_flag,
            exhausted: AtomicBool::new(false),
            next_look: AtomicU64::new(0),
            reserves_drop_time: false,
            is_part: false,
            observer: None,
        }
    }

    /// Creates a budget for a part of the work, with limits of its own and the same interrupt. The observer hears that work goes
    /// on, but not the results of the part.
    #[must_use]
    pub fn for_part(&self, work: u64, time: Option<Duration>) -> Self {
        Self { is_part: true, observer: self.observer.clone(), ..Self::new(work, time, self.interrupt_flag()) }
    }

    /// Reserves, of the time of a whole question, as much as it takes to drop the structures that were built. Budgets of parts
    /// reserve nothing themselves.
    #[must_use]
    pub fn reserving_drop_time(self) -> Self {
        Self { reserves_drop_time: true, ..self }
    }

    /// Adds an observer. Observing changes no answer.
    #[must_use]
    pub fn with_observer(self, observer: Arc<dyn BudgetObserver>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Reports the best enclosure so far to the observer; the budget of a part reports none.
    pub fn report_improvement(&self, best: &Enclosure) {
        if let Some(observer) = &self.observer
            && !self.is_part
        {
            observer.on_improvement(best);
        }
    }

    /// Reports to the observer how many parts of all are done; the budget of a part reports none.
    pub fn report_progress(&self, done: usize, all: usize) {
        if let Some(observer) = &self.observer
            && !self.is_part
        {
            observer.on_progress(done, all);
        }
    }

    /// Creates a budget with a limit on time from now.
    #[must_use]
    pub fn with_time_limit(time: Duration) -> Self {
        Self::new(u64::MAX, Some(time), None)
    }

    /// Returns `true` if work is limited. Solvers then use one thread, so that the answer does not depend on threads.
    #[must_use]
    pub fn has_work_limit(&self) -> bool {
        self.limit < u64::MAX
    }

    /// Spends `units` of work that is about to be done. Returns `false` if the budget is exhausted, and the work must not be
    /// done.
    pub fn spend(&self, units: u64) -> bool {
        let spent = self.work.fetch_add(units, Ordering::Relaxed).saturating_add(units);
        if spent > self.limit {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        // The next reading depends on work alone: reading the clock for each operation would cost more than most of them.
        if spent >= self.next_look.load(Ordering::Relaxed) {
            self.next_look.store(spent.saturating_add(WORK_PER_CHECK), Ordering::Relaxed);
            self.check_limits();
        }
        // A long operation cannot be interrupted, so that it is refused if it would not end in time.
        if units > LONG_WORK && self.is_short_for(units) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        !self.exhausted.load(Ordering::Relaxed)
    }

    /// Returns `true` if time and memory suffice to build and drop `parts` parts of a structure; else the budget is exhausted,
    /// and they must not be built. Parts are no work on numbers, and do not count against the limit on work.
    pub fn check_parts(&self, parts: u64) -> bool {
        if parts >= MANY_PARTS {
            self.check_limits();
            let is_short = self.is_short_for(parts.saturating_mul(PART_WORK));
            if is_short || !memory::has_room(parts.saturating_mul(PART_BYTES)) {
                self.exhausted.store(true, Ordering::Relaxed);
            }
        }
        !self.was_exhausted()
    }

    /// Returns `true` if work could be done, and spends nothing: for a method with an alternative that goes on without it.
    #[must_use]
    pub fn can_afford(&self, units: u64) -> bool {
        let spent = self.work_done().saturating_add(units);
        !self.was_exhausted() && spent <= self.limit && (units <= LONG_WORK || !self.is_short_for(units))
    }

    /// Returns `true` if work would take more than the time left.
    fn is_short_for(&self, units: u64) -> bool {
        self.remaining_time()
            .is_some_and(|left| left < Duration::from_nanos(units.saturating_mul(work::NANOSECONDS_PER_UNIT)))
    }

    /// Checks the clock, the memory and the interrupt, and reports to the observer that work goes on.
    fn check_limits(&self) {
        let late = self.remaining_time().is_some_and(|left| left.is_zero());
        let stopped = self.interrupt_flag.as_ref().is_some_and(|i| i.load(Ordering::Relaxed));
        if late || stopped || !memory::has_room(0) {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        if let Some(observer) = &self.observer {
            observer.on_work();
        }
    }

    /// Checks the clock, the memory and the interrupt, and returns `true` if the budget is exhausted.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.check_limits();
        self.exhausted.load(Ordering::Relaxed)
    }

    /// Returns `true` if an earlier check found the budget exhausted, so that some result may be incomplete. Unlike
    /// [`Budget::is_exhausted`] this does not read the clock.
    #[must_use]
    pub fn was_exhausted(&self) -> bool {
        self.exhausted.load(Ordering::Relaxed)
    }

    /// Returns the flag that stops everything when it becomes true.
    #[must_use]
    pub fn interrupt_flag(&self) -> Option<Arc<AtomicBool>> {
        self.interrupt_flag.clone()
    }

    /// Returns the time left, less the reserve for dropping structures; `None` if time is unlimited.
    #[must_use]
    pub fn remaining_time(&self) -> Option<Duration> {
        let kept_back = if self.reserves_drop_time { memory::drop_time() } else { Duration::ZERO };
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()).saturating_sub(kept_back))
    }

    /// Returns the work done so far, in work units.
    #[must_use]
    pub fn work_done(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }
}
