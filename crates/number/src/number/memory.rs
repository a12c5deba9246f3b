//! The memory of the process, and a limit on it that every [budget](super::budget) keeps.
//!
//! Memory belongs to the process, so that the owner of the process sets the limit, once: the command line does. Without a limit
//! nothing is measured. If the system does not report the memory of a process, as outside of Linux, there is no limit.
//!
//! Structures must be dropped again, a large one over seconds. The memory taken since a question [began](begin_question) determines the
//! part of its time that is reserved for that.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
