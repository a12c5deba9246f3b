//! The nesting depth of evaluation, which bounds the memory of a recursion that does not end.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of the levels of nested applications. Each application counts the height of the function's code, and two more.
///
/// Evaluation runs on a stack that grows. Without this bound a recursion would exhaust the memory before it exhausts its
/// budget of steps.
#[derive(Debug, Default)]
pub struct Depth(AtomicU64);

impl Depth {
    /// The most levels; a choice: some hundred megabytes of stack.
    pub const MOST: u64 = 1_000_000;

    /// Enters `levels` more levels. Returns `false`, and enters none, if that exceeds [`Depth::MOST`].
    #[must_use]
    pub fn enter(&self, levels: u64) -> bool {
        // add first, then take back: a check before the addition could be overtaken by another thread
        let inside = self.0.fetch_add(levels, Ordering::Relaxed) + levels <= Self::MOST;
        if !inside {
            self.leave(levels);
        }
        inside
    }

    /// Leaves `levels` levels.
    pub fn leave(&self, levels: u64) {
        self.0.fetch_sub(levels, Ordering::Relaxed);
    }
}
