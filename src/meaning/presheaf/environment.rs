//! Environments: the values of the variables in scope, shared between closures.

use crate::presheaf::dynamic::Element;
use crate::syntax::limit::deep;
use std::sync::Arc;

/// The values of variables by de Bruijn index. Cheap to clone and to extend.
#[derive(Clone, Debug, Default)]
pub struct Environment(Option<Arc<Link>>);

#[derive(Debug)]
struct Link {
    value: Option<Element>,
    rest: Environment,
}

impl Environment {
    /// The environment with one more variable, of index 0.
    #[must_use]
    pub fn with(&self, value: Element) -> Self {
        Self(Some(Arc::new(Link { value: Some(value), rest: self.clone() })))
    }

    /// The value of the variable of an index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Element> {
        let mut here = self.0.as_ref()?;
        for _ in 0..index {
            here = here.rest.0.as_ref()?;
        }
        here.value.clone()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // a value may be a closure, with an environment of its own, and so on
        let value = self.value.take();
        if matches!(
            value,
            Some(Element::Function(_) | Element::Tuple(_) | Element::Tangent(_) | Element::Isomorphism(..))
        ) {
            deep(|| drop(value));
        }
        let mut rest = self.rest.0.take();
        while let Some(link) = rest {
            rest = Arc::into_inner(link).and_then(|mut link| link.rest.0.take());
        }
    }
}
