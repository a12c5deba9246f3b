//! The end of an inference: the types are put into the term (zonking).
//!
//! While a term is made its types are not known. A [`hole`] stands for each, which names a type under construction. At
//! the end the holes are replaced by finished types, and overloaded constants are replaced by those of their types.

use super::quantify::Export;
use super::store::{Id, Store};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::type_error::TypeError;
use rustc_hash::FxHashSet;

/// The first index of holes. Parameters of schemes have small indices, unknown types indices near `usize::MAX`.
const HOLES: usize = usize::MAX / 2;

/// Makes the hole of a type under construction.
pub(super) fn hole(id: Id) -> Ty {
    Ty::new(TyKind::Variable(HOLES + id.0 as usize, "_".into()))
}

/// Returns the type under construction of a hole, by the index of its variable. `None` if the variable is no hole.
pub(super) fn held_by(variable: usize) -> Option<Id> {
    variable.checked_sub(HOLES).filter(|_| variable != usize::MAX).map(|id| Id(id as u32))
}

/// The resolved overloading, by spans: literals, products, powers and differences of natural numbers, and comparisons
/// of reals.
#[derive(Default)]
pub(super) struct Overloaded {
    pub(super) literals: FxHashSet<u32>,
    pub(super) products: FxHashSet<(u32, u32)>,
    pub(super) comparisons: FxHashSet<(u32, u32)>,
    /// The differences of natural numbers that are refused below 0.
    pub(super) differences: FxHashSet<(u32, u32)>,
    pub(super) powers: FxHashSet<(u32, u32)>,
}

/// The replacement of holes by types.
pub(super) struct Finish<'t> {
    types: &'t mut Store,
    export: Export,
    overloaded: Overloaded,
}

impl<'t> Finish<'t> {
    /// Prepares the replacement for a generalised type, its parameters ordered as by [`Store::export`]. Other open
    /// types get variables of their own.
    pub(super) fn new(types: &'t mut Store, ty: Id, order: &[Id], overloaded: Overloaded) -> Self {
        let export = types.parameters(ty, order);
        Finish { types, export, overloaded }
    }

    /// Returns the type of the whole, with its parameters.
    pub(super) fn scheme(&mut self, ty: Id) -> Scheme {
        self.types.scheme(ty, &mut self.export)
    }

    /// Puts the types into every part of a term.
    pub(super) fn term(&mut self, term: &mut Term) -> Result<(), TypeError> {
        let span = term.span();
        let (kind, ty) = term.parts_mut();
        // Children first: the type of a part follows from theirs.
        kind.children_mut().try_for_each(|child| deep(|| self.term(child)))?;
        match kind {
            TermKind::Real(value) if self.overloaded.literals.contains(&span.start) => {
                // The value was parsed as a rational; a natural literal must fit into `u64`.
                *kind = TermKind::Nat(value.numer().to_u64().ok_or(TypeError::NaturalTooLarge { span })?);
            }
            TermKind::Constant(Constant::Multiply) if self.overloaded.products.contains(&(span.start, span.end)) => {
                *kind = TermKind::Constant(Constant::NaturalProduct);
            }
            TermKind::Constant(Constant::RealPower) if self.overloaded.powers.contains(&(span.start, span.end)) => {
                *kind = TermKind::Constant(Constant::NaturalPower);
            }
            TermKind::Constant(Constant::Subtract) if self.overloaded.differences.contains(&(span.start, span.end)) => {
                *term = difference(&self.filled(ty), span);
                return Ok(());
            }
            TermKind::Constant(constant) if self.overloaded.comparisons.contains(&(span.start, span.end)) => {
                *constant = constant.of_reals().unwrap_or(*constant);
            }
            _ => {}
        }
        *ty = match kind {
            TermKind::Variable { .. } | TermKind::Global(_) | TermKind::Constant(_) | TermKind::Inject { .. } => {
                self.filled(ty)
            }
            TermKind::Lambda { body, .. } => match ty.kind() {
                TyKind::Function(domain, _) => Ty::function(self.filled(domain), body.ty().clone()),
                _ => kind.ty(),
            },
            // The types of all other terms follow from those of their parts.
            _ => kind.ty(),
        };
        Ok(())
    }

    /// Replaces the holes in a type. Holes occur at the top and in function types only.
    fn filled(&mut self, ty: &Ty) -> Ty {
        match ty.kind() {
            TyKind::Variable(index, _) => match held_by(*index) {
                Some(id) => self.types.export_shared(id, &mut self.export),
                None => ty.clone(),
            },
            TyKind::Function(a, b) => Ty::function(self.filled(a), self.filled(b)),
            _ => ty.clone(),
        }
    }
}

/// Makes the difference of a type with natural numbers, as a function of this type. Natural numbers are refused below
/// 0; tuples are subtracted by components.
fn difference(ty: &Ty, span: Span) -> Term {
    let constant = |constant| Term::typed(TermKind::Constant(constant), ty.clone(), span);
    let TyKind::Function(of, _) = ty.kind() else { return constant(Constant::Subtract) };
    match of.kind() {
        TyKind::Nat => constant(Constant::NaturalDifference),
        TyKind::Tuple(parts) => {
            let variable = |index, name: &str| Term::variable(index, name.into(), of.clone(), span);
            let component = |(index, part): (usize, &Ty)| {
                let of = |tuple| Term::new(TermKind::Project { tuple, index }, span);
                let function = Ty::function(part.clone(), Ty::function(part.clone(), part.clone()));
                let difference = deep(|| difference(&function, span));
                Term::apply(Term::apply(difference, of(variable(1, "a")), span), of(variable(0, "b")), span)
            };
            let parts = Term::new(TermKind::Tuple(parts.iter().enumerate().map(component).collect()), span);
            let function = Term::lambda("b".into(), of.clone(), parts, span);
            Term::lambda("a".into(), of.clone(), function, span)
        }
        _ => constant(Constant::Subtract),
    }
}
