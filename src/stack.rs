//! Room for recursions: terms, graphs and towers may be deep, and no input may overflow the stack.

/// Runs one step of a recursion with enough stack, however deep the recursion already is.
pub fn deep<R>(step: impl FnOnce() -> R) -> R {
    with_room(128 << 10, 2 << 20, step)
}

/// [`deep`] for a step that calls much before it comes to the next one.
pub fn deep_and_wide<R>(step: impl FnOnce() -> R) -> R {
    with_room(256 << 10, 4 << 20, step)
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
