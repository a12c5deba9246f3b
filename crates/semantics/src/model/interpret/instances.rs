//! Polymorphic definitions that do different things at different types: an arrow for each type at which they are used.

use super::{Functor, InterpretError};
use crate::model::{Model, Unsupported};
use crate::stack::deep;
use crate::syntax::constant::{Constant, matrix};
use crate::syntax::name::Name;
use crate::syntax::substitution::{instantiated, rebuilt, weakened};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use std::sync::Arc;

/// What a polymorphic term does by the types for which it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Nothing.
    Nothing,
    /// It has a conditional of a type that depends on them, and the model looks at that.
    Chooses,
    /// It has a constant that is written out at such a type.
    WritesOut,
}

/// How large what a local definition is replaced by may become, in all.
const LARGEST_REPLACEMENT: usize = 100_000;

impl<M: Model> Functor<'_, M> {
    /// A constant at its type.
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

    /// A type at which something is used: what a program leaves open is a number.
    pub(super) fn decided(&self, ty: &Ty) -> Ty {
        if self.home.is_some() || ty.is_closed() { ty.clone() } else { ty.with_real() }
    }

    /// What a definition with parameters does by them, or one that it uses.
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

    /// What a term does by the variables of its types.
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

    /// The body of a polymorphic `let`, or `let rec`, with what is bound, at the type of each use, in the place of its uses: where
    /// it has constants that are written out by that type.
    pub(super) fn unbound(&mut self, term: &Term) -> Result<Option<Term>, InterpretError> {
        let (TermKind::Let { value, body, .. } | TermKind::LetRec { value, body, .. }) = term.kind() else {
            return Ok(None);
        };
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

/// A type with all its variables as parameters.
fn own_scheme(ty: &Ty) -> Scheme {
    Scheme { parameters: ty.parameters().into_iter().map(|name| (name, Class::ANY)).collect(), ty: ty.clone() }
}

/// What stands for the variable of a `let`.
struct Replacement<'t> {
    own: Scheme,
    bound: &'t Term,
    value: &'t Term,
    room: usize,
}

impl Replacement<'_> {
    /// A term under so many binders more than the variable, which is gone from the result.
    fn of(&mut self, term: &Term, depth: usize) -> Option<Term> {
        match term.kind() {
            TermKind::Variable { index, .. } if *index == depth => {
                self.room = self.room.checked_sub(size(self.value))?;
                Some(weakened(&self.at(term.ty()), 0, depth))
            }
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

    /// What is bound, at a type.
    fn at(&self, used: &Ty) -> Term {
        // what the use does not tell may be a variable of a definition inside
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
