//! The nesting depth of evaluation, which bounds the memory of a recursion that does not end.
//!
//! Evaluation runs on a stack that grows. So a recursion that builds without end would fill the memory long before
//! its steps are used up. Each application counts as many levels as its code has; a loop by tail calls keeps its
//! depth.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of the levels of nested applications. Each application counts the height of the function's code, and two more.
///
/// Evaluation runs on a stack that grows. Without this bound a recursion would exhaust the memory before it exhausts its
/// budget of steps.
#[derive(Debug, Default)]
pub struct RecursionDepth(AtomicU64);

impl RecursionDepth {
    /// The most levels; a choice: some hundred megabytes of stack.
    pub const MAX_LEVELS: u64 = 1_000_000;

    /// Enters `levels` more levels. Returns `false`, and enters none, if that exceeds [`RecursionDepth::MAX_LEVELS`].
    #[must_use]
    pub fn enter_levels(&self, levels: u64) -> bool {
        // add first, then take back: a check before the addition could be overtaken by another thread
        let inside = self.0.fetch_add(levels, Ordering::Relaxed) + levels <= Self::MAX_LEVELS;
        if !inside {
            self.leave_levels(levels);
        }
        inside
    }

    /// Leaves `levels` levels.
    pub fn leave_levels(&self, levels: u64) {
        self.0.fetch_sub(levels, Ordering::Relaxed);
    }
}
