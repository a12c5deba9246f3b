//! Capture-avoiding substitution, and renaming of bound variables: terms up to α (A §2).

use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A substitution of values for free variables. Every binder in its way gets a new variable, so that no free variable
/// of a value is captured.
#[derive(Debug, Default)]
pub struct Renaming(FxHashMap<CoreVariable, CoreTerm>);

impl Renaming {
    /// Renames all bound variables of a term to new ones.
    #[must_use]
    pub fn rename_apart(term: &CoreTerm) -> CoreTerm {
        Renaming::default().apply_to(term)
    }

    /// Returns `M[V/x]`.
    #[must_use]
    pub fn substitute(term: &CoreTerm, x: &CoreVariable, value: CoreTerm) -> CoreTerm {
        let mut renaming = Renaming::default();
        renaming.insert(x, value);
        renaming.apply_to(term)
    }

    /// Adds the substitution of a value for x.
    pub fn insert(&mut self, x: &CoreVariable, value: CoreTerm) {
        self.0.insert(x.clone(), value);
    }

    /// Returns `true` if no variable is substituted.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value for a variable; the variable itself if it is not substituted.
    #[must_use]
    pub fn get(&self, x: &CoreVariable) -> CoreTerm {
        self.0.get(x).cloned().unwrap_or_else(|| CoreTerm::variable(x))
    }

    /// Runs `run` with a value for x, and restores the substitution afterwards.
    // Bindings of the same variable nest, so the outer one must be restored.
    pub fn with_binding<A>(&mut self, x: &CoreVariable, value: CoreTerm, run: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.0.insert(x.clone(), value);
        let found = run(self);
        match before {
            Some(before) => self.0.insert(x.clone(), before),
            None => self.0.remove(x),
        };
        found
    }

    /// Renames a binder x, and applies the substitution to its scope.
    fn rename_binder(&mut self, x: &CoreVariable, body: &CoreTerm) -> (CoreVariable, CoreTerm) {
        let fresh = x.renamed();
        let body = self.with_binding(x, CoreTerm::variable(&fresh), |names| names.apply_to(body));
        (fresh, body)
    }

    /// Applies the substitution to a term.
    pub fn apply_to(&mut self, term: &CoreTerm) -> CoreTerm {
        let kind = with_stack(|| match term.kind() {
            CoreTermKind::Variable(x) => self.0.get(x).map(|value| value.kind().clone()),
            CoreTermKind::Number(_) | CoreTermKind::Unit => None,
            CoreTermKind::Let(x, ty, value, body) => {
                let value = self.apply_to(value);
                let (x, body) = self.rename_binder(x, body);
                Some(CoreTermKind::Let(x, ty.clone(), value, body))
            }
            CoreTermKind::LetRec(definition, rest) => {
                // The function f keeps its name: closures are found by scope, and no value contains function variables.
                let (parameter, body) = self.rename_binder(&definition.parameter, &definition.body);
                let definition = CoreDefinition { parameter, body, ..(**definition).clone() };
                Some(CoreTermKind::LetRec(Arc::new(definition), self.apply_to(rest)))
            }
            CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
                let (cotangent, point) = (self.apply_to(cotangent), self.apply_to(point));
                let (variable, body) = self.rename_binder(variable, body);
                Some(CoreTermKind::Reverse { cotangent, point, variable, ty: ty.clone(), body })
            }
            kind => Some(kind.map_children(&mut |part| self.apply_to(part))),
        });
        match kind {
            Some(kind) => CoreTerm::from(kind).with_site(term.site()),
            None => term.clone(),
        }
    }
}
