//! Tests that jets of first-order spaces are a functor, Lemma 7, and that 𝒟 is this functor at first-order types (H Thm
//! 8).

use super::super::error::GlueError;
use super::super::functor::first_order_type;
use super::super::interpretation::{RepresentationMethod, second_component};
use super::super::lemma::{GluingSetup, apply_all};
use super::super::scope;
use super::super::trial::{BasisRange, TheoremSample, TheoremTest};
use super::FirstOrderJet;
use crate::law::term::pair_type;
use crate::meaning::taylor::basis::Basis;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 20;

/// Draws a jet in ⟦τ⟧, with its coordinates in ⟦𝒟τ⟧.
fn draw_jet(ty: &Ty, basis: &Basis, random: &mut SplitMix64) -> Result<(FirstOrderJet, Element), GlueError> {
    let derived = crate::meaning::taylor::types::TypeTranslation::new(basis.len()).translate_type(ty);
    // 8 heads for each coordinate: a choice
    let term = scope::draw_smooth_program(random, &derived, 8 * basis.len());
    let element = scope::run_program(&scope::core_term(&term)?)?;
    Ok((FirstOrderJet::from_coordinates(ty, &element, basis)?, element))
}

/// Returns the domain and the codomain of a function type.
fn function_types(ty: &Ty) -> Result<(&Ty, &Ty), GlueError> {
    match ty.kind() {
        TyKind::Function(a, b) => Ok((a, b)),
        _ => Err(GlueError::Type { ty: ty.to_string() }),
    }
}

/// Theorem 8 (H), at first-order types (E36): φ_τ ∘ ⟦𝒟t⟧ = J(⟦t⟧) ∘ φ_Γ.
#[must_use]
pub fn theorem_8(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(first_order_type(random, 3), first_order_type(random, 3));
        let size = 10 + random.next_below(PROGRAM);
        vec![scope::draw_program(random, &ty, size)]
        // H states the theorem for ground types, and means first-order ones (E36)
    };
    let judge = move |sample: &TheoremSample| {
        let basis = &sample.basis;
        let (core, ty) = (scope::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let (from, to) = function_types(ty)?;
        let derived = setting.derive_program(&core, ty, basis)?;
        let (jet, element) = draw_jet(from, basis, &mut SplitMix64::new(sample.seed))?;
        let round = apply_all(&scope::run_program(&derived.term)?, [element])?;
        let left = FirstOrderJet::from_coordinates(to, &round, basis)?;
        left.test_equal(&jet.push_forward(scope::run_program(&core)?.as_function()?)?, basis)
    };
    TheoremTest { range: BasisRange::UpTo(3, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// J is a functor, and acts on classes (H §6.3).
///
/// - J(id) = id.
/// - J(f) does not depend on the plot that represents the jet.
/// - J(g ∘ f) = J(g) ∘ J(f), where only the coordinates of J(f)(x, \[γ\]) are kept in between.
/// - In coordinates, J(f) is given by the formula of Faà di Bruno.
#[must_use]
pub fn functoriality() -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let [a, b, c] = [(); 3].map(|()| first_order_type(random, 2));
        let (f, g) = (3 + random.next_below(PROGRAM), 3 + random.next_below(PROGRAM));
        vec![
            scope::draw_program(random, &Ty::function(a, b.clone()), f),
            scope::draw_smooth_program(random, &Ty::function(b, c), g),
        ]
    };
    let judge = |sample: &TheoremSample| {
        let basis = &sample.basis;
        let read = |place: usize| scope::core_term(&sample.terms[place]);
        let (f, g) = (read(0)?, read(1)?);
        let ((a, b), (_, c)) = (function_types(&sample.terms[0].ty)?, function_types(&sample.terms[1].ty)?);
        let (jet, element) = draw_jet(a, basis, &mut SplitMix64::new(sample.seed))?;
        let formula = apply_all(&second_component(&f, basis, RepresentationMethod::FaaDiBruno)?, [element])?;
        let (f, g) = (scope::run_program(&f)?.as_function()?.clone(), scope::run_program(&g)?.as_function()?.clone());
        let identity = StageFunction::new(|x: &Element| Ok(x.clone()));
        let once = jet.push_forward(&f)?;
        let between = FirstOrderJet::from_coordinates(b, &once.coordinates(b, basis)?, basis)?;
        let other = jet.equivalent_jet(a, basis)?.push_forward(&f)?.equivalent_jet(b, basis)?;
        let composite = once.push_forward(&g)?;
        // a round trip through coordinates, so that the codomain's own comparison is tested as well
        let again = FirstOrderJet::from_coordinates(c, &composite.coordinates(c, basis)?, basis)?;
        Ok(jet
            .push_forward(&identity)?
            .test_equal(&jet, basis)?
            .both(once.test_equal(&other, basis)?)
            .both(composite.test_equal(&between.push_forward(&g)?, basis)?)
            .both(again.test_equal(&composite, basis)?)
            .both(once.test_equal(&FirstOrderJet::from_coordinates(b, &formula, basis)?, basis)?))
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Lemma 7 (H): jets in a product are tuples of jets, and jets in a sum are jets in a summand. The maps in both
/// directions are inverse to each other, and so are φ^{𝒟J} and its inverse.
#[must_use]
pub fn lemma_7() -> TheoremTest<'static> {
    let judge = |sample: &TheoremSample| {
        let (basis, mut random) = (&sample.basis, SplitMix64::new(sample.seed));
        let types = [first_order_type(&mut random, 2), first_order_type(&mut random, 2)];
        let [first, second] = &types;
        let ((left, x), (right, y)) = (draw_jet(first, basis, &mut random)?, draw_jet(second, basis, &mut random)?);
        let both = FirstOrderJet::pair_jets(&[left.clone(), right.clone()], basis.directions());
        let parts = both.split_product()?;
        let product = FirstOrderJet::from_coordinates(
            &pair_type(first.clone(), second.clone()),
            &Element::tuple_of([x, y]),
            basis,
        )?;
        let index = random.next_below(2);
        let (back, inside) = left.inject_into(index).split_sum()?;
        let injected = inside.inject_into(back).test_equal(&left.inject_into(index), basis)?;
        // the same jet in two summands must be refuted, or the comparison of shapes would be void
        let wrong = left.inject_into(index).test_equal(&left.inject_into(1 - index), basis)?;
        if !wrong.is_refuted() {
            return Ok(Verdict::refuted("jets in two summands", index, 1 - index).into());
        }
        let round = FirstOrderJet::from_coordinates(first, &left.coordinates(first, basis)?, basis)?;
        Ok(parts[0]
            .test_equal(&left, basis)?
            .both(parts[1].test_equal(&right, basis)?)
            .both(FirstOrderJet::pair_jets(&parts, basis.directions()).test_equal(&both, basis)?)
            .both(product.test_equal(&both, basis)?)
            .both(inside.test_equal(&left, basis)?)
            .both(injected)
            .both(round.test_equal(&left, basis)?))
    };
    TheoremTest { range: BasisRange::UpTo(3, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
