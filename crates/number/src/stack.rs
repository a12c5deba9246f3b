//! Stack space for deep recursions: terms, graphs and towers may be deep, and no input may overflow the stack.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

/// The least remaining stack, in bytes, on which a step is run and a value is dropped at once. A choice.
const MIN_STACK: usize = 128 << 10;

/// Runs one step of a recursion, on a larger stack if less than 128 KiB is left.
pub fn with_stack<R>(step: impl FnOnce() -> R) -> R {
    grow_if_short(MIN_STACK, 2 << 20, step)
}

/// Like [`with_stack`], for steps that need more stack each: the stack grows if less than 256 KiB is left.
pub fn with_large_stack<R>(step: impl FnOnce() -> R) -> R {
    grow_if_short(256 << 10, 4 << 20, step)
}

thread_local! {
    /// The values to be dropped later, while an outer call of [`drop_iteratively`] drops one on a short stack. `None` outside
    /// of such a call.
    static WAITING: RefCell<Option<Vec<Arc<dyn Any>>>> = const { RefCell::new(None) };
}

/// Drops a handle to a value. The value may own other values that are dropped by this function too.
///
/// If less than `MIN_STACK` bytes of the stack are left, inner values are queued and dropped in a loop. So nesting of
/// any depth takes no more stack. A recursion by [`with_stack`] would instead need stack memory in proportion to the depth.
pub fn drop_iteratively(what: Arc<dyn Any>) {
    if stacker::remaining_stack().is_some_and(|left| left >= MIN_STACK) {
        return drop(what);
    }
    // The first call on a short stack creates the queue and drains it; the calls that its drops make only push.
    let next = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            waiting.push(what.clone());
            None
        }
        none => {
            *none = Some(Vec::new());
            Some(what.clone())
        }
    });
    // When a thread ends, its queue may have been destroyed already. Then recursion on a larger stack is used instead.
    let Ok(mut next) = next else { return with_stack(|| drop(what)) };
    // The queue or `next` holds a clone of the handle, so this drop does not drop the value.
    drop(what);
    while let Some(waiting) = next {
        drop(waiting);
        next = WAITING.with(|waiting| {
            let mut waiting = waiting.borrow_mut();
            let next = waiting.as_mut().and_then(Vec::pop);
            if next.is_none() {
                *waiting = None;
            }
            next
        });
    }
}

/// Runs `step` here if `least` bytes of stack are left, else on a new segment of `more` bytes.
fn grow_if_short<R>(least: usize, more: usize, step: impl FnOnce() -> R) -> R {
    if stacker::remaining_stack().is_some_and(|left| left >= least) {
        return step();
    }
    // The `Option` holds the `FnOnce` until its only call, since `grow_stack` takes an `FnMut`.
    let (mut step, mut result) = (Some(step), None);
    grow_stack(more, &mut || result = step.take().map(|step| step()));
    result.expect("the step was run")
}

/// Grows the stack and runs `step` there. Not generic, so that it is compiled once for all steps.
fn grow_stack(more: usize, step: &mut dyn FnMut()) {
    stacker::grow(more, step);
}
