//! Parallel work on several threads, with results that do not depend on the number of threads.

use std::cell::Cell;
use std::thread;

thread_local! {
    /// `true` while this thread computes one part of a parallel job, so that the other cores are taken.
    static IS_PART: Cell<bool> = const { Cell::new(false) };
}

/// Returns the number of cores, or 1 inside a part of a parallel job.
#[must_use]
pub fn available_threads() -> usize {
    // Nested parallelism would start cores² threads.
    if IS_PART.get() { 1 } else { thread::available_parallelism().map_or(1, usize::from) }
}

/// Runs one part of a parallel job; inside it [`available_threads`] is 1.
pub fn run_as_part<R>(work: impl FnOnce() -> R) -> R {
    // A guard, so that the flag is restored if `work` panics.
    struct RestoreFlag(bool);
    impl Drop for RestoreFlag {
        fn drop(&mut self) {
            IS_PART.set(self.0);
        }
    }
    let _before = RestoreFlag(IS_PART.replace(true));
    work()
}

/// Maps items in parallel and returns the results in the order of the items.
///
/// The items are split into at most `threads` consecutive chunks, and `each` maps one chunk.
pub fn par_map<T: Send, R: Send>(threads: usize, items: Vec<T>, each: impl Fn(Vec<T>) -> Vec<R> + Sync) -> Vec<R> {
    // At least one item a chunk, also where there are no items or `threads` is 0.
    let part = items.len().div_ceil(threads.max(1)).max(1);
    let mut parts = Vec::new();
    let mut rest = items;
    while rest.len() > part {
        let behind = rest.split_off(part);
        parts.push(std::mem::replace(&mut rest, behind));
    }
    if parts.is_empty() {
        return each(rest);
    }
    thread::scope(|scope| {
        let each = &each;
        let handles: Vec<_> = parts.into_iter().map(|items| scope.spawn(move || run_as_part(|| each(items)))).collect();
        // The last chunk runs on the calling thread while the spawned ones work.
        let last = run_as_part(|| each(rest));
        // Joined in the order of the chunks, not of completion: the result does not depend on timing.
        let joined =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut found: Vec<R> = joined.flatten().collect();
        found.extend(last);
        found
    })
}
