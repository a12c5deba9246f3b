//! Polymorphic definitions whose arrow depends on the type: one arrow for each type at which they are used.

use super::{Functor, InterpretError};
use crate::model::{Model, Unsupported};
use crate::stack::deep;
use crate::syntax::constant::{Constant, matrix};
use crate::syntax::name::Name;
use crate::syntax::substitution::{instantiated, rebuilt, weakened};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use std::sync::Arc;

/// The way in which a polymorphic term depends on the types at which it is used. The order is that of the work it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Independent of them: one arrow serves all types.
    Nothing,
    /// A conditional has a type that depends on them, and the model looks at the types of conditionals.
    Chooses,
    /// A constant that has to be written out has a type that depends on them.
    WritesOut,
}

/// The most nodes that the inlined copies of one local definition may have in all; a bound by taste on the growth of terms.
const LARGEST_REPLACEMENT: usize = 100_000;

impl<M: Model> Functor<'_, M> {
    /// Returns the definition of a constant at the type of a term.
    pub(super) fn written_out(&self, constant: Constant, term: &Term) -> Result<Term, Unsupported> {
        let ty = self.decided(term.ty());
        constant.written_out(&ty).ok_or_else(|| {
            let name = constant.name();
            self.model.lacks(match ty.is_closed() {
                true => format!("`{name}` of more than {} numbers", matrix::LARGEST),
                false => format!("`{name}` at a type that is not known"),
            })
        })
    }

    /// Returns a type of use; in the program itself, type variables left open become ℝ. Definitions keep their parameters.
    pub(super) fn decided(&self, ty: &Ty) -> Ty {
        if self.home.is_some() || ty.is_closed() { ty.clone() } else { ty.with_real() }
    }

    /// Returns how a definition, or one that it uses, depends on its type parameters. Computed once for each definition.
    pub(super) fn uses_parameters(&mut self, definition: &Arc<Definition>) -> Use {
        if definition.scheme.parameters.is_empty() {
            return Use::Nothing;
        }
        let key = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.choosing.get(&key) {
            return *known;
        }
        let found = self.uses_types(&definition.term);
        self.choosing.insert(key, found);
        found
    }

    /// Returns how a term depends on the type variables in its types.
    fn uses_types(&mut self, term: &Term) -> Use {
        let own = match term.kind() {
            _ if term.ty().is_closed() => Use::Nothing,
            TermKind::If { .. } if M::CHOOSES_BY_TYPE => Use::Chooses,
            TermKind::Constant(constant) if self.model.writes_out(*constant) => Use::WritesOut,
            TermKind::Global(definition) => deep(|| self.uses_parameters(definition)),
            _ => Use::Nothing,
        };
        term.kind().children().fold(own, |used, child| used.max(deep(|| self.uses_types(child))))
    }

    /// Inlines a polymorphic `let` or `let rec`: returns its body with an instance of the bound value at each use.
    ///
    /// Returns `None` unless the bound value has constants to be written out at an open type.
    pub(super) fn unbound(&mut self, term: &Term) -> Result<Option<Term>, InterpretError> {
        let (TermKind::Let { value, body, .. } | TermKind::LetRec { value, body, .. }) = term.kind() else {
            return Ok(None);
        };
        // An open type alone is no reason: inlining duplicates the value, so it is done only where one arrow cannot serve.
        if value.ty().is_closed() || self.uses_types(value) != Use::WritesOut {
            return Ok(None);
        }
        let mut replacement =
            Replacement { own: own_scheme(value.ty()), bound: term, value, room: LARGEST_REPLACEMENT };
        let body = replacement.of(body, 0);
        let body = body.ok_or_else(|| self.model.lacks("a local definition that is used at so many types"))?;
        Ok(Some(body))
    }
}

/// Returns a type scheme with all variables of a type as its parameters.
fn own_scheme(ty: &Ty) -> Scheme {
    Scheme { parameters: ty.parameters().into_iter().map(|name| (name, Class::ANY)).collect(), ty: ty.clone() }
}

/// Substitution of instances of a bound value for the variable of its `let`.
struct Replacement<'t> {
    own: Scheme,
    bound: &'t Term,
    value: &'t Term,
    room: usize,
}

impl Replacement<'_> {
    /// Substitutes in a term with `depth` more binders than the variable, whose binder is removed.
    ///
    /// Returns `None` if the copies of the value exceed the room for them.
    fn of(&mut self, term: &Term, depth: usize) -> Option<Term> {
        match term.kind() {
            TermKind::Variable { index, .. } if *index == depth => {
                self.room = self.room.checked_sub(size(self.value))?;
                Some(weakened(&self.at(term.ty()), 0, depth))
            }
            // a variable from outside of the removed binder
            TermKind::Variable { index, name } if *index > depth => {
                Some(Term::variable(index - 1, Name::clone(name), term.ty().clone(), term.span()))
            }
            _ => {
                let mut fits = true;
                let rebuilt = rebuilt(term, &mut |part, binders| {
                    let replaced = self.of(part, depth + binders);
                    fits &= replaced.is_some();
                    replaced.unwrap_or_else(|| part.clone())
                });
                fits.then_some(rebuilt)
            }
        }
    }

    /// Returns an instance of the bound value at a type of use; a recursive function becomes a `let rec` of its own.
    fn at(&self, used: &Ty) -> Term {
        // a parameter that the use leaves open may be a variable of an enclosing definition: keep it
        let itself = |index| Ty::new(TyKind::Variable(index, "_".into()));
        let told = self.own.instance(used).into_iter().enumerate();
        let types: Vec<Ty> = told.map(|(index, ty)| if ty == Ty::unknown() { itself(index) } else { ty }).collect();
        let value = instantiated(self.value, &types);
        match self.bound.kind() {
            TermKind::LetRec { name, .. } => {
                let body = Term::variable(0, name.clone(), used.clone(), self.bound.span());
                Term::new(TermKind::LetRec { name: name.clone(), value, body }, self.bound.span())
            }
            _ => value,
        }
    }
}

fn size(term: &Term) -> usize {
    term.kind().children().fold(1, |sum, child| sum.saturating_add(deep(|| size(child))))
}
