//! How much memory the process takes, and a limit on it that every [budget](super::budget) keeps.
//!
//! Memory belongs to the process, so whoever owns the process sets the limit, once: the command line does. Without a limit
//! nothing is looked at. Where the system does not say how much memory a process takes, as outside of Linux, there is no limit.
//!
//! What is built has to be taken down again, a large structure over seconds. Of the time of a question so much is kept back for that as
//! the memory that was taken since it [began](begin) will need.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The most bytes; 0 where there is no limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// The bytes at the last look.
static TAKEN: AtomicU64 = AtomicU64::new(0);
/// The bytes when the question began.
static BEFORE: AtomicU64 = AtomicU64::new(0);
/// When somebody looks again, in nanoseconds since the first look.
static NEXT: AtomicU64 = AtomicU64::new(0);
/// Whether a budget was cut because memory was short, since the question began.
static WAS_SHORT: AtomicBool = AtomicBool::new(false);

/// How long a look is good for: at two gigabytes a second, some megabytes.
const FRESH: Duration = Duration::from_millis(4);
/// How long it takes to take down what is in a megabyte.
const TAKING_DOWN: Duration = Duration::from_micros(700);

/// Sets the most bytes that the process may take. A question that begins near the limit may take half of it all the same.
pub fn set_limit(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Notes that a question begins.
pub fn begin() {
    if LIMIT.load(Ordering::Relaxed) > 0 {
        WAS_SHORT.store(false, Ordering::Relaxed);
        let taken = resident().unwrap_or(0);
        TAKEN.store(taken, Ordering::Relaxed);
        BEFORE.store(taken, Ordering::Relaxed);
    }
}

/// Whether a budget was cut because memory was short, since the last question [began](begin).
#[must_use]
pub fn was_short() -> bool {
    WAS_SHORT.load(Ordering::Relaxed)
}

/// What a budget that is exhausted has run out of, in words: `memory`, or `time`.
#[must_use]
pub fn or_time() -> &'static str {
    if was_short() { "memory" } else { "time" }
}

/// Whether there is room for so many bytes more.
#[must_use]
pub fn has_room(bytes: u64) -> bool {
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == 0 {
        return true;
    }
    let most = limit.max(BEFORE.load(Ordering::Relaxed).saturating_add(limit / 2));
    let has_room = taken().saturating_add(bytes) <= most;
    if !has_room {
        WAS_SHORT.store(true, Ordering::Relaxed);
    }
    has_room
}

/// How long it takes to take down what was built since the question began.
#[must_use]
pub fn taking_down() -> Duration {
    if LIMIT.load(Ordering::Relaxed) == 0 {
        return Duration::ZERO;
    }
    let grown = taken().saturating_sub(BEFORE.load(Ordering::Relaxed)) >> 20;
    TAKING_DOWN.saturating_mul(u32::try_from(grown).unwrap_or(u32::MAX))
}

/// The bytes that the process takes, as of a moment ago.
fn taken() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let now = FIRST.get_or_init(Instant::now).elapsed();
    let [now, fresh] = [now, FRESH].map(|time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    if now >= NEXT.load(Ordering::Relaxed) {
        NEXT.store(now.saturating_add(fresh), Ordering::Relaxed);
        TAKEN.store(resident().unwrap_or(0), Ordering::Relaxed);
    }
    TAKEN.load(Ordering::Relaxed)
}

/// The bytes of memory that the process takes; `None` where the system does not say so.
#[cfg(target_os = "linux")]
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The bytes of memory that the process takes; `None` where the system does not say so.
#[cfg(not(target_os = "linux"))]
fn resident() -> Option<u64> {
    None
}
