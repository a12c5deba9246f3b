//! The laws of presheaves, as functions that test them (S §5).
//!
//! Each law takes elements at some stage and returns the verdict of [`Observe`]. A construction that could be wrong is
//! an argument of its law: a way to make [functions](ExponentialObject), a [tangent action](tangent::Action), a
//! [family](NaturalFamily), an isomorphism. [`suite`] draws the elements.
//!
//! | law | source |
//! |---|---|
//! | [`restriction_identity`], [`restriction_composition`] | a presheaf is a functor, S §5.1 |
//! | [`application`], [`beta`], [`eta`] | exponentials, S Fig. 6 (S34) |
//! | [`embedding`], [`yoneda()`] | S §5.1 (S35) |
//! | [`natural_family`] | S §5.2, footnote 2 |
//! | [`mod@tangent`] | S §5.3 |

pub mod suite;
pub mod tangent;

use crate::presheaf::Presheaf;
use crate::presheaf::exponential::{Exponential, Natural, Transformation};
use crate::presheaf::observe::Observe;
use crate::presheaf::product::Product;
use crate::presheaf::representable::{Real, Representable};
use crate::presheaf::second_order::NaturalFamily;
use crate::presheaf::yoneda;
use crate::smooth::dimension::{Dim, Shape};
use crate::smooth::map::{Map, Space, Trial};

pub use crate::presheaf::observe::Tried;

/// **Identity of restriction.** `restrict(id, x) = x`
///
/// # Errors
/// The error of evaluating maps, here and in all laws.
pub fn restriction_identity<F: Observe, G: Shape>(space: &Space<G>, x: &F::At<G>, trial: &Trial) -> Tried {
    F::agree(space, &F::restrict(&space.id(), x), x, trial)
}

/// **Composition of restriction.** `restrict(k.then(e), x) = restrict(k, restrict(e, x))`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn restriction_composition<F: Observe, E: Shape, D: Shape, G: Shape>(
    k: &Map<E, D>,
    e: &Map<D, G>,
    x: &F::At<G>,
    trial: &Trial,
) -> Tried {
    let along = k.then(e);
    F::agree(&k.domain(), &F::restrict(&along, x), &F::restrict(k, &F::restrict(e, x)), trial)
}

/// A presheaf that claims to be the exponential F ⇒ H.
pub trait ExponentialObject<F: Presheaf, H: Presheaf>: Presheaf {
    /// Curries a function of a pair at its first component.
    fn curry<E: Presheaf, G: Shape>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &Transformation<Product<E, F>, H>,
    ) -> Self::At<G>;

    /// Applies a function to an argument from a later stage.
    fn apply<D: Shape, G: Shape>(f: &Self::At<G>, along: &Map<D, G>, x: &F::At<D>) -> H::At<D>;
}

impl<F: Presheaf, H: Presheaf> ExponentialObject<F, H> for Exponential<F, H> {
    fn curry<E: Presheaf, G: Shape>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &Transformation<Product<E, F>, H>,
    ) -> Natural<F, H, G> {
        let body = body.clone();
        Natural::<F, H, G>::curry::<E>(space, context, move |space, c, x| body.at(space, &(c.clone(), x.clone())))
    }

    fn apply<D: Shape, G: Shape>(f: &Natural<F, H, G>, along: &Map<D, G>, x: &F::At<D>) -> H::At<D> {
        f.apply(along, x)
    }
}

/// **Kripke naturality of application.** `f(e, x)·k = f(k.then(e), x·k)`, and `(f·e)(id, x) = f(e, x)`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn application<X: ExponentialObject<F, H>, F: Presheaf, H: Observe, E: Shape, D: Shape, G: Shape>(
    f: &X::At<G>,
    e: &Map<D, G>,
    x: &F::At<D>,
    k: &Map<E, D>,
    trial: &Trial,
) -> Tried {
    let value = X::apply(f, e, x);
    // a later stage is reached by restricting the value, or by applying at the later stage
    let later = X::apply(f, &k.then(e), &F::restrict(k, x));
    let natural = H::agree(&k.domain(), &H::restrict(k, &value), &later, trial)?;
    let restricted = X::apply(&X::restrict(e, f), &e.domain().id(), x);
    Ok(natural.both(H::agree(&e.domain(), &restricted, &value, trial)?))
}

/// **β.** `(curry c b)(e, x) = b(c·e, x)`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn beta<X: ExponentialObject<F, H>, E: Presheaf, F: Presheaf, H: Observe, D: Shape, G: Shape>(
    context: &E::At<G>,
    body: &Transformation<Product<E, F>, H>,
    e: &Map<D, G>,
    x: &F::At<D>,
    trial: &Trial,
) -> Tried {
    let left = X::apply(&X::curry::<E, G>(&e.codomain(), context, body), e, x);
    let right = body.at(&e.domain(), &(E::restrict(e, context), x.clone()));
    H::agree(&e.domain(), &left, &right, trial)
}

/// **η.** `curry f ((f′, x) ↦ f′(id, x)) = f`
///
/// # Errors
/// As for [`restriction_identity`].
pub fn eta<X: ExponentialObject<F, H> + Observe, F: Presheaf, H: Presheaf, G: Shape>(
    space: &Space<G>,
    f: &X::At<G>,
    trial: &Trial,
) -> Tried {
    // evaluation as a function of a pair, with f itself as the context
    let body = Transformation::<Product<X, F>, H>::new(|space, (f, x)| X::apply(f, &space.id(), x));
    X::agree(space, &X::curry::<X, G>(space, f, &body), f, trial)
}

/// **The embedding is full and faithful.** A map is recovered from its natural transformation, and a natural
/// transformation from its map.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn embedding<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
    t: &Transformation<Representable<N>, Representable<M>>,
    trial: &Trial,
) -> Tried {
    let there = Representable::<M>::agree(&Space::<N>::new(), &yoneda::map(&yoneda::embedded(f)), f, trial)?;
    let back = yoneda::embedded(&yoneda::map(t));
    Ok(there.both(Exponential::<Representable<N>, Representable<M>>::agree(&t.stage(), &back, t, trial)?))
}

/// **Yoneda.** `F(Γ) ≅ Nat(y Γ, F)`: an element is recovered from its natural transformation, and a natural
/// transformation from its element.
///
/// # Errors
/// As for [`restriction_identity`].
pub fn yoneda<F: Observe, N: Dim + 'static>(
    x: &F::At<N>,
    t: &Transformation<Representable<N>, F>,
    trial: &Trial,
) -> Tried {
    let space = Space::<N>::new();
    let there = F::agree(&space, &yoneda::element(&space, &yoneda::transformation::<F, N>(x)), x, trial)?;
    let back = yoneda::transformation::<F, N>(&yoneda::element(&space, t));
    Ok(there.both(Exponential::<Representable<N>, F>::agree(&t.stage(), &back, t, trial)?))
}

/// **Naturality of a second-order primitive.** `P(f)·e = P(f·e)`. Both sides are equal where they are maximal, and
/// overlap at kinks (E43).
///
/// # Errors
/// As for [`restriction_identity`].
pub fn natural_family<D: Shape, G: Shape>(
    family: &impl NaturalFamily,
    f: &Natural<Real, Real, G>,
    e: &Map<D, G>,
    trial: &Trial,
) -> Tried {
    let left = e.then(&family.at(f));
    Real::agree(&e.domain(), &left, &family.at(&Exponential::restrict(e, f)), trial)
}
