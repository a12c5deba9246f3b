//! Environments: the values of the variables in scope, shared between closures.

use std::sync::Arc;

/// The values of variables, the innermost first, as a persistent linked list. Cheap to clone and to extend.
#[derive(Debug)]
pub struct ValueEnvironment<V>(Option<Arc<EnvironmentLink<V>>>);

#[derive(Debug)]
struct EnvironmentLink<V> {
    value: Option<V>,
    rest: ValueEnvironment<V>,
}

impl<V> Clone for ValueEnvironment<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for ValueEnvironment<V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<V: Clone> ValueEnvironment<V> {
    /// Returns the environment with one more variable, of index 0.
    #[must_use]
    pub fn with_value(&self, value: V) -> Self {
        Self(Some(Arc::new(EnvironmentLink { value: Some(value), rest: self.clone() })))
    }

    /// Returns the value of the variable with de Bruijn index `index`; `None` if there is none.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<V> {
        let mut here = self.0.as_ref()?;
        for _ in 0..index {
            here = here.rest.0.as_ref()?;
        }
        here.value.clone()
    }
}

impl<V> Drop for EnvironmentLink<V> {
    fn drop(&mut self) {
        // a value may be a closure with an environment of its own, and so on: dropping a `Function` unwinds such chains in turn
        drop(self.value.take());
        // a loop, not recursion: an environment may be longer than the stack is deep; the first shared link ends it
        let mut rest = self.rest.0.take();
        while let Some(link) = rest {
            rest = Arc::into_inner(link).and_then(|mut link| link.rest.0.take());
        }
    }
}
