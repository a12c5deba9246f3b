//! Work on several threads whose results do not depend on how many there are.

use std::thread;

/// As many threads as there are cores.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
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
        let handles: Vec<_> = parts.into_iter().map(|items| scope.spawn(move || each(items))).collect();
        let last = each(rest);
        let joined =
            handles.into_iter().map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        let mut found: Vec<R> = joined.flatten().collect();
        found.extend(last);
        found
    })
}
