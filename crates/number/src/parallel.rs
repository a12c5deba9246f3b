//! Work on several threads whose results do not depend on how many there are.

use std::cell::Cell;
use std::thread;

thread_local! {
    /// Whether this thread does a part of something, all cores being taken by the other parts.
    static IS_PART: Cell<bool> = const { Cell::new(false) };
}

/// As many threads as there are cores, and one inside of what is done on all of them.
#[must_use]
pub fn cores() -> usize {
    if IS_PART.get() { 1 } else { thread::available_parallelism().map_or(1, usize::from) }
}

/// Does a part of something that is done on several threads.
pub fn as_part<R>(work: impl FnOnce() -> R) -> R {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            IS_PART.set(self.0);
        }
    }
    let _before = Before(IS_PART.replace(true));
    work()
}

/// What is made of each of some items, in their order. `each` makes it of the items of one thread.
pub fn in_order<T: Send, R: Send>(threads: usize, items: Vec<T>, each: impl Fn(Vec<T>) -> Vec<R> + Sync) -> Vec<R> {
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
        let handles: Vec<_> = parts.into_iter().map(|items| scope.spawn(move || as_part(|| each(items)))).collect();
        let last = as_part(|| each(rest));
        let joined =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut found: Vec<R> = joined.flatten().collect();
        found.extend(last);
        found
    })
}
