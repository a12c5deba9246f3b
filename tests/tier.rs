//! How much a test does: the full tier takes a part of the samples, the work and the digits that the deep tier takes.
//!
//! `SMOOTHISH_DEEP=1 cargo test --release` is the deep tier, in which tests take minutes to hours.

/// Is this the deep tier? `SMOOTHISH_DEEP=1` says so.
pub fn is_deep() -> bool {
    std::env::var_os("SMOOTHISH_DEEP").is_some()
}

/// How many of this many samples are drawn: all in the deep tier, and a quarter otherwise. What must be met among them is scaled by
/// the same function.
pub fn drawn(samples: u64) -> u64 {
    in_tiers(samples.div_ceil(4), samples)
}

/// The first in the full tier, the second in the deep one.
pub fn in_tiers<T>(full: T, deep: T) -> T {
    if is_deep() { deep } else { full }
}
