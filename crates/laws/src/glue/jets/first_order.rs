//! Tests that jets of first-order spaces are a functor, Lemma 7, and that 𝒟 is this functor at first-order types (H Thm
//! 8).

use super::super::error::GlueError;
use super::super::functor::first_order_type;
use super::super::interpretation::{By, second};
use super::super::lemma::{Setting, applied};
use super::super::scope;
use super::super::trial::{Experiment, Range, Sample};
use super::Jet;
use crate::law::term::pair;
use crate::meaning::taylor::basis::Basis;
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 20;

/// Draws a jet in ⟦τ⟧, with its coordinates in ⟦𝒟τ⟧.
fn drawn(ty: &Ty, basis: &Basis, random: &mut Random) -> Result<(Jet, Element), GlueError> {
    let derived = crate::meaning::taylor::types::Types::new(basis.len()).ty(ty);
    // 8 heads for each coordinate: a choice
    let term = scope::smooth(random, &derived, 8 * basis.len());
    let element = scope::run(&scope::core(&term)?)?;
    Ok((Jet::from_coordinates(ty, &element, basis)?, element))
}

/// Returns the domain and the codomain of a function type.
fn domain(ty: &Ty) -> Result<(&Ty, &Ty), GlueError> {
    match ty.kind() {
        TyKind::Function(a, b) => Ok((a, b)),
        _ => Err(GlueError::Type { ty: ty.to_string() }),
    }
}

/// Theorem 8 (H), at first-order types (E36): φ_τ ∘ ⟦𝒟t⟧ = J(⟦t⟧) ∘ φ_Γ.
#[must_use]
pub fn theorem_8(setting: Setting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = Ty::function(first_order_type(random, 3), first_order_type(random, 3));
        let size = 10 + random.below(PROGRAM);
        vec![scope::program(random, &ty, size)]
        // H states the theorem for ground types, and means first-order ones (E36)
    };
    let judge = move |sample: &Sample| {
        let basis = &sample.basis;
        let (core, ty) = (scope::core(&sample.terms[0])?, &sample.terms[0].ty);
        let (from, to) = domain(ty)?;
        let derived = setting.derived(&core, ty, basis)?;
        let (jet, element) = drawn(from, basis, &mut Random::new(sample.seed))?;
        let round = applied(&scope::run(&derived.term)?, [element])?;
        let left = Jet::from_coordinates(to, &round, basis)?;
        left.same(&jet.pushed(scope::run(&core)?.as_function()?)?, basis)
    };
    Experiment { range: Range::UpTo(3, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// J is a functor, and acts on classes (H §6.3).
///
/// - J(id) = id.
/// - J(f) does not depend on the plot that represents the jet.
/// - J(g ∘ f) = J(g) ∘ J(f), where only the coordinates of J(f)(x, \[γ\]) are kept in between.
/// - In coordinates, J(f) is given by the formula of Faà di Bruno.
#[must_use]
pub fn functoriality() -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let [a, b, c] = [(); 3].map(|()| first_order_type(random, 2));
        let (f, g) = (3 + random.below(PROGRAM), 3 + random.below(PROGRAM));
        vec![scope::program(random, &Ty::function(a, b.clone()), f), scope::smooth(random, &Ty::function(b, c), g)]
    };
    let judge = |sample: &Sample| {
        let basis = &sample.basis;
        let read = |place: usize| scope::core(&sample.terms[place]);
        let (f, g) = (read(0)?, read(1)?);
        let ((a, b), (_, c)) = (domain(&sample.terms[0].ty)?, domain(&sample.terms[1].ty)?);
        let (jet, element) = drawn(a, basis, &mut Random::new(sample.seed))?;
        let formula = applied(&second(&f, basis, By::FaaDiBruno)?, [element])?;
        let (f, g) = (scope::run(&f)?.as_function()?.clone(), scope::run(&g)?.as_function()?.clone());
        let identity = Function::new(|x: &Element| Ok(x.clone()));
        let once = jet.pushed(&f)?;
        let between = Jet::from_coordinates(b, &once.coordinates(b, basis)?, basis)?;
        let other = jet.otherwise(a, basis)?.pushed(&f)?.otherwise(b, basis)?;
        let composite = once.pushed(&g)?;
        // a round trip through coordinates, so that the codomain's own comparison is tested as well
        let again = Jet::from_coordinates(c, &composite.coordinates(c, basis)?, basis)?;
        Ok(jet
            .pushed(&identity)?
            .same(&jet, basis)?
            .both(once.same(&other, basis)?)
            .both(composite.same(&between.pushed(&g)?, basis)?)
            .both(again.same(&composite, basis)?)
            .both(once.same(&Jet::from_coordinates(b, &formula, basis)?, basis)?))
    };
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Lemma 7 (H): jets in a product are tuples of jets, and jets in a sum are jets in a summand. The maps in both
/// directions are inverse to each other, and so are φ^{𝒟J} and its inverse.
#[must_use]
pub fn lemma_7() -> Experiment<'static> {
    let judge = |sample: &Sample| {
        let (basis, mut random) = (&sample.basis, Random::new(sample.seed));
        let types = [first_order_type(&mut random, 2), first_order_type(&mut random, 2)];
        let [first, second] = &types;
        let ((left, x), (right, y)) = (drawn(first, basis, &mut random)?, drawn(second, basis, &mut random)?);
        let both = Jet::paired(&[left.clone(), right.clone()], basis.directions());
        let parts = both.parts()?;
        let product = Jet::from_coordinates(&pair(first.clone(), second.clone()), &Element::tuple([x, y]), basis)?;
        let index = random.below(2);
        let (back, inside) = left.injected(index).summand()?;
        let injected = inside.injected(back).same(&left.injected(index), basis)?;
        // the same jet in two summands must be refuted, or the comparison of shapes would be void
        let wrong = left.injected(index).same(&left.injected(1 - index), basis)?;
        if !wrong.is_refuted() {
            return Ok(Verdict::refuted("jets in two summands", index, 1 - index).into());
        }
        let round = Jet::from_coordinates(first, &left.coordinates(first, basis)?, basis)?;
        Ok(parts[0]
            .same(&left, basis)?
            .both(parts[1].same(&right, basis)?)
            .both(Jet::paired(&parts, basis.directions()).same(&both, basis)?)
            .both(product.same(&both, basis)?)
            .both(inside.same(&left, basis)?)
            .both(injected)
            .both(round.same(&left, basis)?))
    };
    Experiment { range: Range::UpTo(3, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
