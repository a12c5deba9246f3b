//! Polymorphic definitions whose arrow depends on the type: one arrow for each type at which they are used.

use super::{InterpretError, TermInterpreter};
use crate::model::{Model, Unsupported};
use crate::stack::with_stack;
use crate::syntax::constant::{Constant, matrix};
use crate::syntax::name::Name;
use crate::syntax::substitution::{instantiate_types, map_subterms, weaken_from};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use std::sync::Arc;

/// The way in which a polymorphic term depends on the types at which it is used. The order is that of the work it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TypeDependence {
    /// Independent of them: one arrow serves all types.
    Independent,
    /// A conditional has a type that depends on them, and the model looks at the types of conditionals.
    ConditionalType,
    /// A constant that has to be written out has a type that depends on them.
    ExpandedConstant,
}

/// The most nodes that the inlined copies of one local definition may have in all; a bound by taste on the growth of terms.
const MAX_INLINED_NODES: usize = 100_000;

impl<M: Model> TermInterpreter<'_, M> {
    /// Returns the definition of a constant at the type of a term.
    pub(super) fn expand_constant(&self, constant: Constant, term: &Term) -> Result<Term, Unsupported> {
        let ty = self.default_to_real(term.ty());
        constant.expand_in_coordinates(&ty).ok_or_else(|| {
            let name = constant.name();
            self.model.unsupported_error(match ty.is_closed() {
                true => format!("`{name}` of more than {} numbers", matrix::MAX_ROWS),
                false => format!("`{name}` at a type that is not known"),
            })
        })
    }

    /// Returns a type of use; in the program itself, type variables left open become ℝ. Definitions keep their parameters.
    pub(super) fn default_to_real(&self, ty: &Ty) -> Ty {
        if self.current_definition.is_some() || ty.is_closed() { ty.clone() } else { ty.with_reals() }
    }

    /// Returns how a definition, or one that it uses, depends on its type parameters. Computed once for each definition.
    pub(super) fn definition_dependence(&mut self, definition: &Arc<Definition>) -> TypeDependence {
        if definition.scheme.parameters.is_empty() {
            return TypeDependence::Independent;
        }
        let key = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.type_dependences.get(&key) {
            return *known;
        }
        let found = self.term_dependence(&definition.term);
        self.type_dependences.insert(key, found);
        found
    }

    /// Returns how a term depends on the type variables in its types.
    fn term_dependence(&mut self, term: &Term) -> TypeDependence {
        let own = match term.kind() {
            _ if term.ty().is_closed() => TypeDependence::Independent,
            TermKind::If { .. } if M::SPECIALISES_CONDITIONALS => TypeDependence::ConditionalType,
            TermKind::Constant(constant) if self.model.expands_constant(*constant) => TypeDependence::ExpandedConstant,
            TermKind::Global(definition) => with_stack(|| self.definition_dependence(definition)),
            _ => TypeDependence::Independent,
        };
        term.kind().children().fold(own, |used, child| used.max(with_stack(|| self.term_dependence(child))))
    }

    /// Inlines a polymorphic `let` or `let rec`: returns its body with an instance of the bound value at each use.
    ///
    /// Returns `None` unless the bound value has constants to be written out at an open type.
    pub(super) fn inline_polymorphic_let(&mut self, term: &Term) -> Result<Option<Term>, InterpretError> {
        let (TermKind::Let { value, body, .. } | TermKind::LetRec { value, body, .. }) = term.kind() else {
            return Ok(None);
        };
        // An open type alone is no reason: inlining duplicates the value, so it is done only where one arrow cannot serve.
        if value.ty().is_closed() || self.term_dependence(value) != TypeDependence::ExpandedConstant {
            return Ok(None);
        }
        let mut replacement = LetInlining {
            scheme: generalised_scheme(value.ty()),
            bound: term,
            value,
            remaining_nodes: MAX_INLINED_NODES,
        };
        let body = replacement.substitute_in(body, 0);
        let body =
            body.ok_or_else(|| self.model.unsupported_error("a local definition that is used at so many types"))?;
        Ok(Some(body))
    }
}

/// Returns a type scheme with all variables of a type as its parameters.
fn generalised_scheme(ty: &Ty) -> Scheme {
    Scheme { parameters: ty.parameter_names().into_iter().map(|name| (name, Class::ANY)).collect(), ty: ty.clone() }
}

/// Substitution of instances of a bound value for the variable of its `let`.
struct LetInlining<'t> {
    scheme: Scheme,
    bound: &'t Term,
    value: &'t Term,
    remaining_nodes: usize,
}

impl LetInlining<'_> {
    /// Substitutes in a term with `depth` more binders than the variable, whose binder is removed.
    ///
    /// Returns `None` if the copies of the value exceed the room for them.
    fn substitute_in(&mut self, term: &Term, depth: usize) -> Option<Term> {
        match term.kind() {
            TermKind::Variable { index, .. } if *index == depth => {
                self.remaining_nodes = self.remaining_nodes.checked_sub(term_size(self.value))?;
                Some(weaken_from(&self.instance_at(term.ty()), 0, depth))
            }
            // a variable from outside of the removed binder
            TermKind::Variable { index, name } if *index > depth => {
                Some(Term::variable(index - 1, Name::clone(name), term.ty().clone(), term.span()))
            }
            _ => {
                let mut fits = true;
                let rebuilt = map_subterms(term, &mut |part, binders| {
                    let replaced = self.substitute_in(part, depth + binders);
                    fits &= replaced.is_some();
                    replaced.unwrap_or_else(|| part.clone())
                });
                fits.then_some(rebuilt)
            }
        }
    }

    /// Returns an instance of the bound value at a type of use; a recursive function becomes a `let rec` of its own.
    fn instance_at(&self, used: &Ty) -> Term {
        // a parameter that the use leaves open may be a variable of an enclosing definition: keep it
        let itself = |index| Ty::new(TyKind::Variable(index, "_".into()));
        let told = self.scheme.arguments_of_instance(used).into_iter().enumerate();
        let types: Vec<Ty> = told.map(|(index, ty)| if ty == Ty::unknown() { itself(index) } else { ty }).collect();
        let value = instantiate_types(self.value, &types);
        match self.bound.kind() {
            TermKind::LetRec { name, .. } => {
                let body = Term::variable(0, name.clone(), used.clone(), self.bound.span());
                Term::new(TermKind::LetRec { name: name.clone(), value, body }, self.bound.span())
            }
            _ => value,
        }
    }
}

fn term_size(term: &Term) -> usize {
    term.kind().children().fold(1, |sum, child| sum.saturating_add(with_stack(|| term_size(child))))
}
