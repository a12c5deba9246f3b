//! Room for recursions: terms, graphs and towers may be deep, and no input may overflow the stack.

/// Runs one step of a recursion with enough stack, however deep the recursion already is.
pub fn deep<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 << 10, 2 << 20, step)
}

/// [`deep`] for a step that calls much before it comes to the next one.
pub fn deep_and_wide<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(256 << 10, 4 << 20, step)
}
