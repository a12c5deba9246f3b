//! Capture-avoiding substitution, and renaming of bound variables: terms up to α (A §2).

use super::term::{Definition, Term, TermKind, Variable};
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A substitution of values for free variables. Every binder in its way gets a new variable, so that no free variable
/// of a value is captured.
#[derive(Debug, Default)]
pub struct Renaming(FxHashMap<Variable, Term>);

impl Renaming {
    /// Renames all bound variables of a term to new ones.
    #[must_use]
    pub fn apart(term: &Term) -> Term {
        Renaming::default().of(term)
    }

    /// Returns `M[V/x]`.
    #[must_use]
    pub fn substitute(term: &Term, x: &Variable, value: Term) -> Term {
        let mut renaming = Renaming::default();
        renaming.insert(x, value);
        renaming.of(term)
    }

    /// Adds the substitution of a value for x.
    pub fn insert(&mut self, x: &Variable, value: Term) {
        self.0.insert(x.clone(), value);
    }

    /// Returns `true` if no variable is substituted.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value for a variable; the variable itself if it is not substituted.
    #[must_use]
    pub fn get(&self, x: &Variable) -> Term {
        self.0.get(x).cloned().unwrap_or_else(|| Term::variable(x))
    }

    /// Runs `run` with a value for x, and restores the substitution afterwards.
    // Bindings of the same variable nest, so the outer one must be restored.
    pub fn with<A>(&mut self, x: &Variable, value: Term, run: impl FnOnce(&mut Self) -> A) -> A {
        let before = self.0.insert(x.clone(), value);
        let found = run(self);
        match before {
            Some(before) => self.0.insert(x.clone(), before),
            None => self.0.remove(x),
        };
        found
    }

    /// Renames a binder x, and applies the substitution to its scope.
    fn under(&mut self, x: &Variable, body: &Term) -> (Variable, Term) {
        let fresh = x.renamed();
        let body = self.with(x, Term::variable(&fresh), |names| names.of(body));
        (fresh, body)
    }

    /// Applies the substitution to a term.
    pub fn of(&mut self, term: &Term) -> Term {
        let kind = deep(|| match term.kind() {
            TermKind::Variable(x) => self.0.get(x).map(|value| value.kind().clone()),
            TermKind::Number(_) | TermKind::Unit => None,
            TermKind::Let(x, ty, value, body) => {
                let value = self.of(value);
                let (x, body) = self.under(x, body);
                Some(TermKind::Let(x, ty.clone(), value, body))
            }
            TermKind::LetRec(definition, rest) => {
                // The function f keeps its name: closures are found by scope, and no value contains function variables.
                let (parameter, body) = self.under(&definition.parameter, &definition.body);
                let definition = Definition { parameter, body, ..(**definition).clone() };
                Some(TermKind::LetRec(Arc::new(definition), self.of(rest)))
            }
            TermKind::Reverse { cotangent, point, variable, ty, body } => {
                let (cotangent, point) = (self.of(cotangent), self.of(point));
                let (variable, body) = self.under(variable, body);
                Some(TermKind::Reverse { cotangent, point, variable, ty: ty.clone(), body })
            }
            kind => Some(kind.map(&mut |part| self.of(part))),
        });
        match kind {
            Some(kind) => Term::from(kind).at(term.site()),
            None => term.clone(),
        }
    }
}
