//! Functions as values.

use super::{Carrier, Value, ValueError};
use crate::stack::{drop_iteratively, with_stack};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The action of a function on values. At the stages of a presheaf it is natural: an implementation must not inspect
/// the variables of its argument.
pub trait Apply<R: Carrier>: Any + Send + Sync {
    /// Applies the function to an argument.
    ///
    /// # Errors
    /// [`ValueError`], for example for an argument of the wrong type or a computation that does not end.
    fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError>;
}

impl<R: Carrier, F: Fn(&Value<R>) -> Result<Value<R>, ValueError> + Send + Sync + 'static> Apply<R> for F {
    fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError> {
        self(argument)
    }
}

/// A function as a value. Clones are cheap. Nested functions of any depth may be applied and dropped without overflow
/// of the stack.
pub struct ValueFunction<R: Carrier>(Option<Arc<dyn Apply<R>>>);

impl<R: Carrier> Clone for ValueFunction<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<R: Carrier> Drop for ValueFunction<R> {
    fn drop(&mut self) {
        // A closure may capture a closure that captures another one, and so on. The last owner drops them one after the
        // other, not recursively.
        if let Some(rule) = self.0.take().filter(|rule| Arc::strong_count(rule) == 1) {
            drop_iteratively(rule);
        }
    }
}

impl<R: Carrier> ValueFunction<R> {
    /// Returns the function with the action `f`.
    pub fn new(f: impl Apply<R>) -> Self {
        Self(Some(Arc::new(f)))
    }

    /// Returns a placeholder for a function, as answers contain it. Nothing is known about its action.
    #[must_use]
    pub fn placeholder() -> Self {
        Self(None)
    }

    /// Applies the function to an argument, with enough stack for any nesting.
    ///
    /// # Errors
    /// Those of [`Apply::apply`]. [`ValueError::Mismatch`] for a placeholder.
    pub fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError> {
        match &self.0 {
            Some(rule) => with_stack(|| rule.apply(argument)),
            None => Err(ValueError::Mismatch { expected: "a function", found: "one of which nothing is told" }),
        }
    }

    /// Returns the action if it has type `T`. Returns `None` otherwise, and for a placeholder.
    #[must_use]
    pub fn downcast_action<T: Apply<R>>(&self) -> Option<&T> {
        let rule: &dyn Any = &**self.0.as_ref()?;
        rule.downcast_ref()
    }
}

impl<R: Carrier> fmt::Debug for ValueFunction<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<function>")
    }
}
