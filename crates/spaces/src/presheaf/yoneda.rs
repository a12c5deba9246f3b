//! The Yoneda lemma, and the embedding of smoothish maps (S §5.1, S35).
//!
//! | here | statement |
//! |---|---|
//! | [`transformation`], [`element`] | `F(Γ) ≅ Nat(y Γ, F)` |
//! | [`embedded`], [`map`] | `N ⇝ M ≅ Nat(y N, y M)`: the embedding is full and faithful |
//! | [`uncurried`], [`curried`] | `(y N ⇒ F)(Γ) ≅ F(Γ × N)` |

use super::discrete::Discrete;
use super::exponential::{Natural, Transformation};
use super::representable::Representable;
use super::{At, Presheaf};
use crate::smooth::dimension::{Dim, Shape};
use crate::smooth::map::{Map, Space};

/// `x ↦ (m ↦ x·m) : F(Γ) → Nat(y Γ, F)`
pub fn transformation<F: Presheaf, G: Shape + 'static>(x: &F::At<G>) -> Transformation<Representable<G>, F> {
    Natural::curry::<Discrete<At<F, G>>>(&Space::new(), x, |_, x, along| F::restrict(along, x))
}

/// `t ↦ t(id) : Nat(y Γ, F) → F(Γ)`
pub fn element<F: Presheaf, G: Shape + 'static>(space: &Space<G>, t: &Transformation<Representable<G>, F>) -> F::At<G> {
    t.at(space, &space.id())
}

/// A map as a natural transformation of representables.
#[must_use]
pub fn embedded<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
) -> Transformation<Representable<N>, Representable<M>> {
    transformation::<Representable<M>, N>(f)
}

/// The map that a natural transformation of representables comes from.
///
/// ```
/// use smoothish_spaces::presheaf::exponential::Transformation;
/// use smoothish_spaces::presheaf::representable::Real;
/// use smoothish_spaces::presheaf::yoneda::{embedded, map};
/// use smoothish_spaces::smooth::map::Map;
/// use typenum::U1;
/// let t = Transformation::<Real, Real>::new(|_, x| x.sin() * x);
/// assert_eq!(map(&t).to_string(), "\\x => sin x * x");
/// assert_eq!(map(&embedded(&Map::<U1, U1>::id().exp())).to_string(), "\\x => exp x");
/// ```
#[must_use]
pub fn map<N: Dim + 'static, M: Dim + 'static>(t: &Transformation<Representable<N>, Representable<M>>) -> Map<N, M> {
    element(&Space::new(), t)
}

/// `(y N ⇒ F)(Γ) → F(Γ × N)`: the function at the generic argument.
pub fn uncurried<N: Dim + 'static, F: Presheaf, G: Shape>(f: &Natural<Representable<N>, F, G>) -> F::At<(G, N)> {
    let (space, n) = (f.stage(), Space::<N>::new());
    f.apply(&space.first(&n), &space.second(&n))
}

/// The presheaf `F(− × N)`, which `y N ⇒ F` is isomorphic to.
pub struct Shifted<F, N>(std::marker::PhantomData<fn() -> (F, N)>);

impl<F: Presheaf, N: Dim + 'static> Presheaf for Shifted<F, N> {
    type At<G: Shape> = F::At<(G, N)>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, x: &F::At<(G, N)>) -> F::At<(D, N)> {
        F::restrict(&along.beside(&Space::<N>::new().id()), x)
    }
}

/// `F(Γ × N) → (y N ⇒ F)(Γ)`
pub fn curried<N: Dim + 'static, F: Presheaf, G: Shape>(
    space: &Space<G>,
    x: &F::At<(G, N)>,
) -> Natural<Representable<N>, F, G> {
    Natural::curry::<Shifted<F, N>>(space, x, |space, x, n| F::restrict(&space.id().pair(n), x))
}
