//! The laws of presheaves, as functions that test them (S §5).
//!
//! Each law takes elements at some stage and returns the verdict of [`Observe`]. A construction that could be wrong is
//! an argument of its law: a way to make [functions](ExponentialObject), a [tangent action](tangent::TangentAction), a
//! [family](NaturalFamily), an isomorphism. [`suite`] draws the elements.
//!
//! | law | source |
//! |---|---|
//! | [`restriction_identity`], [`restriction_composition`] | a presheaf is a functor, S §5.1 |
//! | [`kripke_naturality`], [`exponential_beta`], [`exponential_eta`] | exponentials, S Fig. 6 (S34) |
//! | [`full_embedding`], [`yoneda()`] | S §5.1 (S35) |
//! | [`natural_family`] | S §5.2, footnote 2 |
//! | [`mod@tangent`] | S §5.3 |

pub mod suite;
pub mod tangent;

use crate::presheaf::Presheaf;
use crate::presheaf::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use crate::presheaf::observe::Observe;
use crate::presheaf::product::ProductPresheaf;
use crate::presheaf::representable::{RealPresheaf, Representable};
use crate::presheaf::second_order::NaturalFamily;
use crate::presheaf::yoneda;
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::map::{Map, MapTestConfig, Space};

pub use crate::presheaf::observe::PresheafVerdict;

/// **Identity of restriction.** `restrict(id, x) = x`
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn restriction_identity<F: Observe, G: MapEnd>(
    space: &Space<G>,
    x: &F::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    F::compare_elements(space, &F::restrict(&space.id(), x), x, trial)
}

/// **Composition of restriction.** `restrict(k.then(e), x) = restrict(k, restrict(e, x))`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn restriction_composition<F: Observe, E: MapEnd, D: MapEnd, G: MapEnd>(
    k: &Map<E, D>,
    e: &Map<D, G>,
    x: &F::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let along = k.then(e);
    F::compare_elements(&k.domain(), &F::restrict(&along, x), &F::restrict(k, &F::restrict(e, x)), trial)
}

/// A presheaf that claims to be the exponential F ⇒ H.
pub trait ExponentialObject<F: Presheaf, H: Presheaf>: Presheaf {
    /// Curries a function of a pair at its first component.
    fn curry<E: Presheaf, G: MapEnd>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
    ) -> Self::At<G>;

    /// Applies a function to an argument from a later stage.
    fn apply<D: MapEnd, G: MapEnd>(f: &Self::At<G>, along: &Map<D, G>, x: &F::At<D>) -> H::At<D>;
}

impl<F: Presheaf, H: Presheaf> ExponentialObject<F, H> for ExponentialPresheaf<F, H> {
    fn curry<E: Presheaf, G: MapEnd>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
    ) -> ExponentialElement<F, H, G> {
        let body = body.clone();
        ExponentialElement::<F, H, G>::curry::<E>(space, context, move |space, c, x| {
            body.component_at(space, &(c.clone(), x.clone()))
        })
    }

    fn apply<D: MapEnd, G: MapEnd>(f: &ExponentialElement<F, H, G>, along: &Map<D, G>, x: &F::At<D>) -> H::At<D> {
        f.apply(along, x)
    }
}

/// **Kripke naturality of application.** `f(e, x)·k = f(k.then(e), x·k)`, and `(f·e)(id, x) = f(e, x)`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn kripke_naturality<X: ExponentialObject<F, H>, F: Presheaf, H: Observe, E: MapEnd, D: MapEnd, G: MapEnd>(
    f: &X::At<G>,
    e: &Map<D, G>,
    x: &F::At<D>,
    k: &Map<E, D>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let value = X::apply(f, e, x);
    // a later stage is reached by restricting the value, or by applying at the later stage
    let later = X::apply(f, &k.then(e), &F::restrict(k, x));
    let natural = H::compare_elements(&k.domain(), &H::restrict(k, &value), &later, trial)?;
    let restricted = X::apply(&X::restrict(e, f), &e.domain().id(), x);
    Ok(natural.and_part(H::compare_elements(&e.domain(), &restricted, &value, trial)?))
}

/// **β.** `(curry c b)(e, x) = b(c·e, x)`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn exponential_beta<X: ExponentialObject<F, H>, E: Presheaf, F: Presheaf, H: Observe, D: MapEnd, G: MapEnd>(
    context: &E::At<G>,
    body: &PresheafTransformation<ProductPresheaf<E, F>, H>,
    e: &Map<D, G>,
    x: &F::At<D>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let left = X::apply(&X::curry::<E, G>(&e.codomain(), context, body), e, x);
    let right = body.component_at(&e.domain(), &(E::restrict(e, context), x.clone()));
    H::compare_elements(&e.domain(), &left, &right, trial)
}

/// **η.** `curry f ((f′, x) ↦ f′(id, x)) = f`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn exponential_eta<X: ExponentialObject<F, H> + Observe, F: Presheaf, H: Presheaf, G: MapEnd>(
    space: &Space<G>,
    f: &X::At<G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    // evaluation as a function of a pair, with f itself as the context
    let body = PresheafTransformation::<ProductPresheaf<X, F>, H>::new(|space, (f, x)| X::apply(f, &space.id(), x));
    X::compare_elements(space, &X::curry::<X, G>(space, f, &body), f, trial)
}

/// **The embedding is full and faithful.** A map is recovered from its natural transformation, and a natural
/// transformation from its map.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn full_embedding<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
    t: &PresheafTransformation<Representable<N>, Representable<M>>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let there = Representable::<M>::compare_elements(
        &Space::<N>::new(),
        &yoneda::transformation_to_map(&yoneda::yoneda_embedding(f)),
        f,
        trial,
    )?;
    let back = yoneda::yoneda_embedding(&yoneda::transformation_to_map(t));
    Ok(there.and_part(ExponentialPresheaf::<Representable<N>, Representable<M>>::compare_elements(
        &t.stage(),
        &back,
        t,
        trial,
    )?))
}

/// **Yoneda.** `F(Γ) ≅ Nat(y Γ, F)`: an element is recovered from its natural transformation, and a natural
/// transformation from its element.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn yoneda<F: Observe, N: Dim + 'static>(
    x: &F::At<N>,
    t: &PresheafTransformation<Representable<N>, F>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let space = Space::<N>::new();
    let there = F::compare_elements(
        &space,
        &yoneda::transformation_to_element(&space, &yoneda::element_to_transformation::<F, N>(x)),
        x,
        trial,
    )?;
    let back = yoneda::element_to_transformation::<F, N>(&yoneda::transformation_to_element(&space, t));
    Ok(there.and_part(ExponentialPresheaf::<Representable<N>, F>::compare_elements(&t.stage(), &back, t, trial)?))
}

/// **Naturality of a second-order primitive.** `P(f)·e = P(f·e)`. Both sides are equal where they are maximal, and
/// overlap at kinks (E43).
///
/// # Errors
/// As for [`restriction_identity`].
pub fn natural_family<D: MapEnd, G: MapEnd>(
    family: &impl NaturalFamily,
    f: &ExponentialElement<RealPresheaf, RealPresheaf, G>,
    e: &Map<D, G>,
    trial: &MapTestConfig,
) -> PresheafVerdict {
    let left = e.then(&family.apply_at(f));
    RealPresheaf::compare_elements(&e.domain(), &left, &family.apply_at(&ExponentialPresheaf::restrict(e, f)), trial)
}
