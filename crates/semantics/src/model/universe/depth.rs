//! How deep evaluation goes, which is what bounds the memory of a recursion that does not end.

use std::sync::atomic::{AtomicU64, Ordering};

/// The levels of functions that are applied within each other, each as many as its code has and two more.
///
/// Evaluation runs on a stack that grows, so that without a bound a recursion would take all memory before it had taken the
/// steps that it may.
#[derive(Debug, Default)]
pub struct Depth(AtomicU64);

impl Depth {
    /// The most levels: some hundred megabytes of stack.
    pub const MOST: u64 = 1_000_000;

    /// Goes so many levels deeper; false, and nothing is entered, where that would be too deep.
    #[must_use]
    pub fn enter(&self, levels: u64) -> bool {
        let inside = self.0.fetch_add(levels, Ordering::Relaxed) + levels <= Self::MOST;
        if !inside {
            self.leave(levels);
        }
        inside
    }

    /// Comes back from them.
    pub fn leave(&self, levels: u64) {
        self.0.fetch_sub(levels, Ordering::Relaxed);
    }
}
