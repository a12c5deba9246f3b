//! Functions among values.

use super::{Carrier, Value, ValueError};
use crate::stack::{deep, drop_in_turn};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What a function does. At the stages of a presheaf it is natural: an implementation treats the variables of its argument as
/// it finds them.
pub trait Rule<R: Carrier>: Any + Send + Sync {
    /// The function at an argument.
    ///
    /// # Errors
    /// [`ValueError`]: an argument of the wrong type, a computation that does not end.
    fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError>;
}

impl<R: Carrier, F: Fn(&Value<R>) -> Result<Value<R>, ValueError> + Send + Sync + 'static> Rule<R> for F {
    fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError> {
        self(argument)
    }
}

/// A function. Cheap to clone, and safe to apply and to drop however many lie over one another.
pub struct Function<R: Carrier>(Option<Arc<dyn Rule<R>>>);

impl<R: Carrier> Clone for Function<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<R: Carrier> Drop for Function<R> {
    fn drop(&mut self) {
        // a function may be made of one that is made of another, and so on
        if let Some(rule) = self.0.take().filter(|rule| Arc::strong_count(rule) == 1) {
            drop_in_turn(rule);
        }
    }
}

impl<R: Carrier> Function<R> {
    /// The function that does this.
    pub fn new(f: impl Rule<R>) -> Self {
        Self(Some(Arc::new(f)))
    }

    /// A function of which nothing is told but that it is one: what an answer has in place of a function.
    #[must_use]
    pub fn untold() -> Self {
        Self(None)
    }

    /// The function at an argument.
    ///
    /// # Errors
    /// Those of [`Rule::apply`]; [`ValueError::Mismatch`] for a function of which nothing is told.
    pub fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError> {
        match &self.0 {
            Some(rule) => deep(|| rule.apply(argument)),
            None => Err(ValueError::Mismatch { expected: "a function", found: "one of which nothing is told" }),
        }
    }

    /// The rule, where it is of this type.
    #[must_use]
    pub fn rule<T: Rule<R>>(&self) -> Option<&T> {
        let rule: &dyn Any = &**self.0.as_ref()?;
        rule.downcast_ref()
    }
}

impl<R: Carrier> fmt::Debug for Function<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<function>")
    }
}
