//! Room for recursions: terms, graphs and towers may be deep, and no input may overflow the stack.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

/// Runs one step of a recursion with enough stack, however deep the recursion already is.
pub fn deep<R>(step: impl FnOnce() -> R) -> R {
    with_room(128 << 10, 2 << 20, step)
}

/// [`deep`] for a step that calls much before it comes to the next one.
pub fn deep_and_wide<R>(step: impl FnOnce() -> R) -> R {
    with_room(256 << 10, 4 << 20, step)
}

/// The least stack on which something is dropped right away.
const LEAST_TO_DROP: usize = 128 << 10;

thread_local! {
    /// What waits to be dropped, while something is dropped on what is left of the stack.
    static WAITING: RefCell<Option<Vec<Arc<dyn Any>>>> = const { RefCell::new(None) };
}

/// Drops something that may hold others that are dropped so. Where the stack is short, these wait until it is gone, so that it takes no more stack
/// however many lie within each other. A recursion by [`deep`] takes as much memory for its stack as the structure has.
pub fn drop_in_turn(what: Arc<dyn Any>) {
    if stacker::remaining_stack().is_some_and(|left| left >= LEAST_TO_DROP) {
        return drop(what);
    }
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
    // where a thread ends there is no list
    let Ok(mut next) = next else { return deep(|| drop(what)) };
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

fn with_room<R>(least: usize, more: usize, step: impl FnOnce() -> R) -> R {
    if stacker::remaining_stack().is_some_and(|left| left >= least) {
        return step();
    }
    let (mut step, mut result) = (Some(step), None);
    grown(more, &mut || result = step.take().map(|step| step()));
    result.expect("the step was run")
}

/// Compiled once for all steps.
fn grown(more: usize, step: &mut dyn FnMut()) {
    stacker::grow(more, step);
}
