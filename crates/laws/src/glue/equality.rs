//! Equality of elements of one type, tested with programs as arguments of functions.

use super::claim::{ClaimSet, CoordinateSpace, DerivativeClaim, GlueError};
use super::evaluation;
use super::trial::VerdictWithValues;
use crate::meaning::taylor::jet::Basis;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::TruthType;

/// The number of arguments at which functions are compared. A choice.
const ARGUMENTS: usize = 2;
/// The size of these arguments, in heads. A choice.
const SIZE: usize = 6;

/// Tests whether two elements without free coordinates are equal. Functions are compared at random programs of their
/// domain, and numbers by their enclosures. A tuple of numbers alone counts as a jet: the components after the first
/// are derivatives.
///
/// # Errors
/// [`GlueError::Element`]; [`GlueError::Type`] for a type without an object; [`GlueError::Number`].
pub fn test_equal(
    ty: &Ty,
    left: &Element,
    right: &Element,
    random: &mut SplitMix64,
) -> Result<VerdictWithValues, GlueError> {
    let mut claims = ClaimSet::default();
    collect_equality_claims(ty, left, right, "the result", random, &mut claims)?;
    // elements without free coordinates need no derivatives: a stage of dimension 1, at 0
    claims.test_at(&CoordinateSpace::new(1), &Basis::new(1, 1)?, &[0.into()])
}

/// Collects the claims that two elements are equal; `path` is their position.
fn collect_equality_claims(
    ty: &Ty,
    left: &Element,
    right: &Element,
    path: &str,
    random: &mut SplitMix64,
    into: &mut ClaimSet,
) -> Result<(), GlueError> {
    match ty.kind() {
        TyKind::Real => {
            let (plot, right) = (left.as_real()?.clone(), right.as_real()?.clone());
            into.push(DerivativeClaim { path: path.to_owned(), plot, derivatives: vec![(0, right)], is_slope: false });
        }
        TyKind::Nat if left.as_natural()? != right.as_natural()? => {
            into.record_difference(path, left.as_natural()?, right.as_natural()?);
        }
        TyKind::Bool if left.as_boolean()?.decided_value() != right.as_boolean()?.decided_value() => {
            into.record_difference(path, left.as_boolean()?, right.as_boolean()?);
        }
        TyKind::Tuple(parts) => {
            let (left, right) = (left.as_tuple()?, right.as_tuple()?);
            if left.len() != parts.len() || right.len() != parts.len() {
                into.record_difference(path, format!("{} components", left.len()), right.len());
                return Ok(());
            }
            // jets are compared coordinate by coordinate, so that the statistics know values from derivatives
            let is_jet = parts.iter().all(|part| matches!(part.kind(), TyKind::Real));
            for (index, part) in parts.iter().enumerate() {
                let place = format!("{path}[{index}]");
                if is_jet {
                    let (plot, right) = (left[index].as_real()?.clone(), right[index].as_real()?.clone());
                    into.push(DerivativeClaim {
                        path: place,
                        plot,
                        derivatives: vec![(0, right)],
                        is_slope: index > 0,
                    });
                } else {
                    collect_equality_claims(part, &left[index], &right[index], &place, random, into)?;
                }
            }
        }
        TyKind::Function(domain, codomain) => {
            // the argument is a program and not a drawn pair: it need not be related to anything
            for _ in 0..ARGUMENTS {
                let text = evaluation::draw_smooth_program(random, domain, SIZE);
                let argument = evaluation::run_program(&evaluation::core_term(&text)?)?;
                let (left, right) = (left.as_function()?.apply(&argument)?, right.as_function()?.apply(&argument)?);
                collect_equality_claims(codomain, &left, &right, &format!("{path} at ({text})"), random, into)?;
            }
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let (left, right): (Vec<_>, Vec<_>) = (left.as_list()?.iter().collect(), right.as_list()?.iter().collect());
            if left.len() != right.len() {
                into.record_difference(path, format!("{} elements", left.len()), right.len());
                return Ok(());
            }
            for (index, (left, right)) in left.into_iter().zip(right).enumerate() {
                collect_equality_claims(
                    &arguments[0],
                    left,
                    right,
                    &format!("element {index} of {path}"),
                    random,
                    into,
                )?;
            }
        }
        TyKind::Data(data, arguments) => {
            // different constructors refute at once, without a look at their arguments
            let ((i, left), (j, right)) = (left.as_variant()?, right.as_variant()?);
            let name = |index: usize| data.constructors().nth(index).map_or_else(String::new, |c| c.name().to_string());
            if i != j {
                into.record_difference(path, name(i), name(j));
                return Ok(());
            }
            let domain = &data.argument_types(arguments)[i];
            let path = format!("{} of {path}", name(i));
            with_stack(|| collect_equality_claims(domain, left, right, &path, random, into))?;
        }
        TyKind::Nat | TyKind::Bool | TyKind::Unit => {}
        TyKind::Tangent(_) | TyKind::Iso(..) | TyKind::Variable(..) => {
            return Err(GlueError::Type { ty: ty.to_string() });
        }
    }
    Ok(())
}
