//! The budget of a question: work, wall-clock time, memory, and an interrupt by the user.
//!
//! Work is counted from the sizes of numbers, so a question does the same work on every machine. Only the clock
//! can make two runs differ.
//!
//! MPFR cannot be interrupted. So a long operation is compared with the time left before it begins: that keeps
//! overruns short. A structure that is built in one go, such as the derivative of a trace, is paid for before, by
//! the number of its parts.
//!
//! # The costs of operations on long numbers
//!
//! The costs of operations on long numbers, in the units of work that a [budget](super::budget) counts.
//!
//! A unit is an operation on two doubles with its overhead, some [`NANOSECONDS_PER_UNIT`]. Up to 32 limbs of 64 bits, an operation counts
//! as many units as the numbers have limbs, whatever the operation is: such operations are short, and the clock is read often
//! enough. Beyond that the estimates follow the running time of MPFR, so that an operation that would take long is known before
//! it begins. They depend on sizes alone, so that the same question does the same work on every machine.
//!
//! | operation on n limbs | units | because |
//! |---|---|---|
//! | sum | n | one pass |
//! | product | n^{3/2}/4 | between Karatsuba's exponent and that of Schönhage and Strassen |
//! | quotient | four products | Newton's method |
//! | elementary function | from 32 to 1024 products, twice for the two ends of an interval, each way | binary splitting, or the arithmetic-geometric mean |
//! | log Γ and its derivatives | for each 4 bits and each 2 orders a power, a quotient and products, of no more bits than are computed | steps upward, then Stirling's series |
//! | the error function | four products for each term, of however few limbs | a power series in x², whose terms first grow |
//!
//! # The memory of the process
//!
//! The memory of the process, and a limit on it that every [budget](super::budget) keeps.
//!
//! Memory belongs to the process, so that the owner of the process sets the limit, once: the command line does. Without a limit
//! nothing is measured. If the system does not report the memory of a process, as outside of Linux, there is no limit.
//!
//! Structures must be dropped again, a large one over seconds. The memory taken since a question [began](begin_question) determines the
//! part of its time that is reserved for that.

use super::accuracy::UnfinishedWork;
use super::arithmetic::Function;
use super::enclosure::Enclosure;
use super::magnitude::Magnitude;
use super::real::Precision;
use super::tuning::Tuning;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
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

    /// Reports a pass over the number in question, after its end. A pass that the budget cut short is reported too.
    fn on_pass(&self, pass: &PassReport) {
        let _ = pass;
    }
}

/// A pass over a number: its options, what is known after it, and its work.
#[derive(Clone, Debug, PartialEq)]
pub struct PassReport {
    /// The arithmetic.
    pub precision: Precision,
    /// The width that each solver aimed at.
    pub tolerance: Magnitude,
    /// The number of times that the limits on the pieces of a search were raised.
    pub raised: u32,
    /// The intersection of the enclosures of this pass and of all passes before.
    pub best: Enclosure,
    /// The work that the solvers left.
    pub unfinished: UnfinishedWork,
    /// The work units of this pass.
    pub work: u64,
}

/// A budget, shared by all code that works on one question.
///
/// Work is counted in operations and the size of their numbers, and is deterministic. The clock, the `memory` of the
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
    /// The limits of searches; `None` for the default ones.
    tuning: Option<Arc<Tuning>>,
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
            tuning: None,
        }
    }

    /// Creates a budget for a part of the work, with limits of its own and the same interrupt. The observer hears that work goes
    /// on, but not the results of the part.
    #[must_use]
    pub fn for_part(&self, work: u64, time: Option<Duration>) -> Self {
        Self {
            is_part: true,
            observer: self.observer.clone(),
            tuning: self.tuning.clone(),
            ..Self::new(work, time, self.interrupt_flag())
        }
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

    /// Sets the limits of the searches.
    #[must_use]
    pub fn with_tuning(self, tuning: Arc<Tuning>) -> Self {
        Self { tuning: Some(tuning), ..self }
    }

    /// Returns the limits of the searches.
    #[must_use]
    pub fn tuning(&self) -> &Tuning {
        const DEFAULT: &Tuning = &Tuning::DEFAULT;
        self.tuning.as_deref().unwrap_or(DEFAULT)
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

    /// Reports a pass to the observer; the budget of a part reports none.
    pub(super) fn report_pass(&self, pass: &PassReport) {
        if let Some(observer) = &self.observer
            && !self.is_part
        {
            observer.on_pass(pass);
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
            if is_short || !has_room(parts.saturating_mul(PART_BYTES)) {
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
            .is_some_and(|left| left < Duration::from_nanos(units.saturating_mul(NANOSECONDS_PER_UNIT)))
    }

    /// Checks the clock, the memory and the interrupt, and reports to the observer that work goes on.
    fn check_limits(&self) {
        let late = self.remaining_time().is_some_and(|left| left.is_zero());
        let stopped = self.interrupt_flag.as_ref().is_some_and(|i| i.load(Ordering::Relaxed));
        if late || stopped || !has_room(0) {
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
        let kept_back = if self.reserves_drop_time { drop_time() } else { Duration::ZERO };
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()).saturating_sub(kept_back))
    }

    /// Returns the work done so far, in work units.
    #[must_use]
    pub fn work_done(&self) -> u64 {
        self.work.load(Ordering::Relaxed)
    }
}

/// The time of a unit of work in nanoseconds, roughly, and rather too much.
pub const NANOSECONDS_PER_UNIT: u64 = 40;

/// The number of limbs up to which every operation is cheap. A choice.
const CHEAP_LIMBS: u64 = 32;

/// Returns the number of 64-bit limbs of a number of `bits` bits.
#[must_use]
pub fn limb_count(bits: u32) -> u64 {
    u64::from(bits.div_ceil(64))
}

/// Returns the units of a product of two numbers, or of a conversion from or to a fraction.
#[must_use]
pub fn product_units(limbs: u64) -> u64 {
    if limbs <= CHEAP_LIMBS { limbs } else { limbs.saturating_mul(limbs.isqrt()) / 4 }
}

/// Returns the units of a quotient.
#[must_use]
pub fn quotient_units(limbs: u64) -> u64 {
    if limbs <= CHEAP_LIMBS { limbs } else { product_units(limbs).saturating_mul(4) }
}

/// Returns the units of an n-th power.
#[must_use]
pub fn power_units(limbs: u64, n: u64) -> u64 {
    // At most two products for each bit of the exponent.
    if limbs <= CHEAP_LIMBS { limbs } else { product_units(limbs).saturating_mul(2 * u64::from(n.max(2).ilog2())) }
}

/// Returns the units of an n-th root. For small n, MPFR takes the root of an integer with n times the digits; else it uses a
/// logarithm.
#[must_use]
pub fn root_units(limbs: u64, n: u32) -> u64 {
    match n {
        0 | 1 => 0,
        2..=100 => product_units(limbs.saturating_mul(u64::from(n))),
        _ if limbs <= CHEAP_LIMBS => limbs,
        _ => elementary_units(limbs).saturating_mul(2),
    }
}

/// Returns the units of an elementary function of an argument below 2ᵉ, e = `exponent`.
///
/// The reduction of an angle needs as many more digits as the angle has before the point.
#[must_use]
pub fn function_units(f: Function, limbs: u64, exponent: i64) -> u64 {
    match f {
        Function::Sqrt => product_units(limbs),
        Function::Cbrt => root_units(limbs, 3),
        Function::Sin | Function::Cos | Function::Tan => {
            // The limbs of the angle before the point; 0 for angles below 1.
            let angle = u64::try_from(exponent).unwrap_or(0) / 64;
            let reduction =
                if angle <= CHEAP_LIMBS { 0 } else { product_units(limbs.saturating_add(angle)).saturating_mul(16) };
            elementary_units(limbs).saturating_add(reduction)
        }
        Function::Erf | Function::Erfc => error_function_units(limbs, exponent),
        Function::Special(id, order) => id.units(limbs, order, exponent),
        _ => elementary_units(limbs),
    }
}

/// Returns the units of a function of two variables: a quotient and an elementary function of it.
#[must_use]
pub fn binary_function_units(limbs: u64) -> u64 {
    quotient_units(limbs).saturating_add(elementary_units(limbs))
}

/// Returns the units of a derivative of log Γ of an order, computed by a number of steps upward.
///
/// Each step is a power and a quotient, and the series has half as many terms. Where terms
/// cancel everything is computed once more, and all of it at two ends.
pub(super) fn upward_steps_units(steps: u64, limbs: u64, order: u32) -> u64 {
    let products = 3 + 2 * u64::from(order.max(1).ilog2());
    // The overhead of an operation, a choice of 8 units, counts if numbers are short.
    let step = quotient_units(limbs) + products * (product_units(limbs) + 8);
    8 * steps * step + 2 * elementary_units(limbs)
}

/// Returns the units of an elementary function on an interval, both ends.
fn elementary_units(limbs: u64) -> u64 {
    if limbs <= CHEAP_LIMBS { limbs } else { product_units(limbs).saturating_mul(4 * (limbs / 4).min(256)) }
}

/// Returns the units of the error function at an argument below 2ᵉ, e = `exponent`.
///
/// About x² bits cancel before the power series converges. If 1 - erf x, about exp(-x²), is negligible, or has a series in 1/x,
/// none do.
pub(super) fn error_function_units(limbs: u64, exponent: i64) -> u64 {
    let bits = limbs.saturating_mul(64);
    let square =
        |exponent: i64| 1_u64.checked_shl(u32::try_from(2 * exponent.clamp(0, 32)).unwrap_or(0)).unwrap_or(u64::MAX);
    // The argument is about 2^(e-1) or more, and x² exceeds the precision: erf is ±1 up to rounding, and erfc has its series in
    // 1/x.
    let far = square(exponent.saturating_sub(1)) > bits.saturating_add(64);
    let grow = if far { 0 } else { square(exponent) };
    let terms = (bits / 8).saturating_add(grow.saturating_mul(4));
    // x²/ln 2 bits are x²/44 limbs of 64 bits.
    product_units(limbs.saturating_add(grow / 44)).saturating_mul(4).saturating_mul(terms)
}

/// The limit in bytes; 0 if there is none.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// The bytes at the last measurement.
static TAKEN: AtomicU64 = AtomicU64::new(0);
/// The bytes when the question began.
static BEFORE: AtomicU64 = AtomicU64::new(0);
/// The time of the next measurement, in nanoseconds since the first one.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// `true` if a budget was cut because memory was short, since the question began.
static WAS_SHORT: AtomicBool = AtomicBool::new(false);

/// The time for which a measurement is used. A choice: at two gigabytes a second, some megabytes of error.
const MEASUREMENT_LIFETIME: Duration = Duration::from_millis(4);
/// The time to drop one megabyte of structures.
const DROP_TIME_PER_MEGABYTE: Duration = Duration::from_micros(700);

/// Sets the limit in bytes. A question that begins near the limit may take half of it in addition.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Records that a question begins.
pub fn begin_question() {
    if LIMIT.load(Ordering::Relaxed) > 0 {
        WAS_SHORT.store(false, Ordering::Relaxed);
        let taken = resident_bytes().unwrap_or(0);
        TAKEN.store(taken, Ordering::Relaxed);
        BEFORE.store(taken, Ordering::Relaxed);
    }
}

/// Returns `true` if a budget was cut because memory was short, since the last question [began](begin_question).
#[must_use]
pub fn was_short() -> bool {
    WAS_SHORT.load(Ordering::Relaxed)
}

/// Returns, in words, the resource that an exhausted budget ran out of: `memory` or `time`.
#[must_use]
pub fn exhausted_resource() -> &'static str {
    if was_short() { "memory" } else { "time" }
}

/// Returns `true` if `bytes` bytes more fit into the limit.
#[must_use]
pub fn has_room(bytes: u64) -> bool {
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == 0 {
        return true;
    }
    // A question that begins near the limit may still take half of it.
    let most = limit.max(BEFORE.load(Ordering::Relaxed).saturating_add(limit / 2));
    let has_room = cached_bytes().saturating_add(bytes) <= most;
    if !has_room {
        WAS_SHORT.store(true, Ordering::Relaxed);
    }
    has_room
}

/// Returns the time to drop what was built since the question began; 0 without a limit on memory.
#[must_use]
pub fn drop_time() -> Duration {
    if LIMIT.load(Ordering::Relaxed) == 0 {
        return Duration::ZERO;
    }
    let grown = cached_bytes().saturating_sub(BEFORE.load(Ordering::Relaxed)) >> 20;
    DROP_TIME_PER_MEGABYTE.saturating_mul(u32::try_from(grown).unwrap_or(u32::MAX))
}

/// Returns the bytes of the process, measured at most [`MEASUREMENT_LIFETIME`] ago.
fn cached_bytes() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let now = FIRST.get_or_init(Instant::now).elapsed();
    let [now, fresh] = [now, MEASUREMENT_LIFETIME].map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    // Two threads may both measure; the figures agree, so that no lock is needed.
    if now >= NEXT.load(Ordering::Relaxed) {
        NEXT.store(now.saturating_add(fresh), Ordering::Relaxed);
        TAKEN.store(resident_bytes().unwrap_or(0), Ordering::Relaxed);
    }
    TAKEN.load(Ordering::Relaxed)
}

/// Returns the bytes of memory of the process; `None` if the system does not report them.
#[cfg(target_os = "linux")]
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    // The resident set: swapped pages do not count.
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Returns the bytes of memory of the process; `None` if the system does not report them.
#[cfg(not(target_os = "linux"))]
fn resident() -> Option<u64> {
    None
}
