//! The arguments of constructors: values inside values, to any depth.

use crate::stack::deep;
use std::ops::Deref;
use std::sync::Arc;

/// A value inside another one. Cheap to clone, and safe to drop however many lie in each other, as those of a recursive
/// type may.
#[derive(Debug)]
pub struct Nested<V: Default>(Arc<Inner<V>>);

#[derive(Debug)]
struct Inner<V: Default>(V);

impl<V: Default> Nested<V> {
    /// The value, to be put into another.
    pub fn new(value: V) -> Self {
        Self(Arc::new(Inner(value)))
    }

    /// A number that two share exactly when they are the same.
    #[must_use]
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl<V: Default> Default for Nested<V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<V: Default> Clone for Nested<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V: Default> Deref for Nested<V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.0.0
    }
}

impl<V: Default> Drop for Inner<V> {
    fn drop(&mut self) {
        let value = std::mem::take(&mut self.0);
        deep(|| drop(value));
    }
}
