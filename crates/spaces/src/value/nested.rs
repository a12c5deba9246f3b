//! Shared boxes for the arguments of constructors, which nest to any depth.

use crate::stack::with_stack;
use std::ops::Deref;
use std::sync::Arc;

/// A shared value inside another value. Clones are cheap. Boxes of a recursive type nest to any depth, and may be
/// dropped at any depth.
#[derive(Debug)]
pub struct SharedBox<V: Default>(Arc<SharedBoxContent<V>>);

#[derive(Debug)]
struct SharedBoxContent<V: Default>(V);

impl<V: Default> SharedBox<V> {
    /// Wraps a value.
    pub fn new(value: V) -> Self {
        Self(Arc::new(SharedBoxContent(value)))
    }

    /// Returns the address of the storage. Two boxes have the same address exactly if they share their storage.
    #[must_use]
    pub fn storage_address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl<V: Default> Default for SharedBox<V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<V: Default> Clone for SharedBox<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V: Default> Deref for SharedBox<V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.0.0
    }
}

impl<V: Default> Drop for SharedBoxContent<V> {
    // The value is moved out first, so that its recursive drop runs with enough stack.
    fn drop(&mut self) {
        let value = std::mem::take(&mut self.0);
        with_stack(|| drop(value));
    }
}
