//! The end of an inference: the types are put into the term (zonking).
//!
//! While a term is made its types are not known. A [`type_hole`] stands for each, which names a type under construction. At
//! the end the holes are replaced by finished types, and overloaded constants are replaced by those of their types.

use super::quantify::ExportState;
use super::store::{TypeArena, TypeRef};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use crate::syntax::type_error::TypeError;
use rustc_hash::FxHashSet;

/// The first index of holes. Parameters of schemes have small indices, unknown types indices near `usize::MAX`.
const HOLES: usize = usize::MAX / 2;

/// Makes the hole of a type under construction.
pub(super) fn type_hole(id: TypeRef) -> Ty {
    Ty::new(TyKind::Variable(HOLES + id.0 as usize, "_".into()))
}

/// Returns the type under construction of a hole, by the index of its variable. `None` if the variable is no hole.
pub(super) fn hole_id(variable: usize) -> Option<TypeRef> {
    variable.checked_sub(HOLES).filter(|_| variable != usize::MAX).map(|id| TypeRef(id as u32))
}

/// The resolved overloading, by spans: literals, products, powers and differences of natural numbers, and comparisons
/// of reals.
#[derive(Default)]
pub(super) struct OverloadResolution {
    pub(super) literals: FxHashSet<u32>,
    pub(super) products: FxHashSet<(u32, u32)>,
    pub(super) comparisons: FxHashSet<(u32, u32)>,
    /// The differences of natural numbers that are refused below 0.
    pub(super) differences: FxHashSet<(u32, u32)>,
    pub(super) powers: FxHashSet<(u32, u32)>,
}

/// The replacement of holes by types.
pub(super) struct Zonk<'t> {
    types: &'t mut TypeArena,
    export: ExportState,
    overloaded: OverloadResolution,
}

impl<'t> Zonk<'t> {
    /// Prepares the replacement for a generalised type, its parameters ordered as by [`TypeArena::export_scheme`]. Other open
    /// types get variables of their own.
    pub(super) fn new(
        types: &'t mut TypeArena,
        ty: TypeRef,
        order: &[TypeRef],
        overloaded: OverloadResolution,
    ) -> Self {
        let export = types.collect_parameters(ty, order);
        Zonk { types, export, overloaded }
    }

    /// Returns the type of the whole, with its parameters.
    pub(super) fn final_scheme(&mut self, ty: TypeRef) -> Scheme {
        self.types.export_with(ty, &mut self.export)
    }

    /// Puts the types into every part of a term.
    pub(super) fn zonk_term(&mut self, term: &mut Term) -> Result<(), TypeError> {
        let span = term.span();
        let (kind, ty) = term.parts_mut();
        // Children first: the type of a part follows from theirs.
        kind.children_mut().try_for_each(|child| with_stack(|| self.zonk_term(child)))?;
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
                *term = natural_difference_term(&self.fill_holes(ty), span);
                return Ok(());
            }
            TermKind::Constant(constant) if self.overloaded.comparisons.contains(&(span.start, span.end)) => {
                *constant = constant.real_comparison().unwrap_or(*constant);
            }
            _ => {}
        }
        *ty = match kind {
            TermKind::Variable { .. } | TermKind::Global(_) | TermKind::Constant(_) | TermKind::Inject { .. } => {
                self.fill_holes(ty)
            }
            TermKind::Lambda { body, .. } => match ty.kind() {
                TyKind::Function(domain, _) => Ty::function(self.fill_holes(domain), body.ty().clone()),
                _ => kind.infer_type(),
            },
            // The types of all other terms follow from those of their parts.
            _ => kind.infer_type(),
        };
        Ok(())
    }

    /// Replaces the holes in a type. Holes occur at the top and in function types only.
    fn fill_holes(&mut self, ty: &Ty) -> Ty {
        match ty.kind() {
            TyKind::Variable(index, _) => match hole_id(*index) {
                Some(id) => self.types.export_shared(id, &mut self.export),
                None => ty.clone(),
            },
            TyKind::Function(a, b) => Ty::function(self.fill_holes(a), self.fill_holes(b)),
            _ => ty.clone(),
        }
    }
}

/// Makes the difference of a type with natural numbers, as a function of this type. Natural numbers are refused below
/// 0; tuples are subtracted by components.
fn natural_difference_term(ty: &Ty, span: Span) -> Term {
    let constant = |constant| Term::with_type(TermKind::Constant(constant), ty.clone(), span);
    let TyKind::Function(of, _) = ty.kind() else { return constant(Constant::Subtract) };
    match of.kind() {
        TyKind::Nat => constant(Constant::NaturalDifference),
        TyKind::Tuple(parts) => {
            let variable = |index, name: &str| Term::variable(index, name.into(), of.clone(), span);
            let component = |(index, part): (usize, &Ty)| {
                let of = |tuple| Term::new(TermKind::Project { tuple, index }, span);
                let function = Ty::function(part.clone(), Ty::function(part.clone(), part.clone()));
                let difference = with_stack(|| natural_difference_term(&function, span));
                Term::apply(Term::apply(difference, of(variable(1, "a")), span), of(variable(0, "b")), span)
            };
            let parts = Term::new(TermKind::Tuple(parts.iter().enumerate().map(component).collect()), span);
            let function = Term::lambda("b".into(), of.clone(), parts, span);
            Term::lambda("a".into(), of.clone(), function, span)
        }
        _ => constant(Constant::Subtract),
    }
}
