//! The Yoneda lemma, and the embedding of smoothish maps (S §5.1, S35).
//!
//! | here | statement |
//! |---|---|
//! | [`transformation`], [`element`] | `F(Γ) ≅ Nat(y Γ, F)` |
//! | [`embedded`], [`map`] | `N ⇝ M ≅ Nat(y N, y M)`: the Yoneda embedding is full and faithful |
//! | [`uncurried`], [`curried`] | `(y N ⇒ F)(Γ) ≅ F(Γ × N)` |

use super::discrete::Discrete;
use super::exponential::{Natural, Transformation};
use super::representable::Representable;
use super::{At, Presheaf};
use crate::smooth::dimension::{Dim, Shape};
use crate::smooth::map::{Map, Space};

/// Returns the natural transformation of an element: `x ↦ (m ↦ x·m) : F(Γ) → Nat(y Γ, F)`.
pub fn transformation<F: Presheaf, G: Shape + 'static>(x: &F::At<G>) -> Transformation<Representable<G>, F> {
    Natural::curry::<Discrete<At<F, G>>>(&Space::new(), x, |_, x, along| F::restrict(along, x))
}

/// Returns the element of a natural transformation: `t ↦ t(id) : Nat(y Γ, F) → F(Γ)`.
pub fn element<F: Presheaf, G: Shape + 'static>(space: &Space<G>, t: &Transformation<Representable<G>, F>) -> F::At<G> {
    t.at(space, &space.id())
}

/// Returns the natural transformation of representables that a map induces.
#[must_use]
pub fn embedded<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
) -> Transformation<Representable<N>, Representable<M>> {
    transformation::<Representable<M>, N>(f)
}

/// Returns the map that induces a natural transformation of representables.
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

/// Applies a function to the generic argument: `(y N ⇒ F)(Γ) → F(Γ × N)`.
pub fn uncurried<N: Dim + 'static, F: Presheaf, G: Shape>(f: &Natural<Representable<N>, F, G>) -> F::At<(G, N)> {
    let (space, n) = (f.stage(), Space::<N>::new());
    f.apply(&space.first(&n), &space.second(&n))
}

/// The presheaf `F(− × N)`, which is isomorphic to `y N ⇒ F`.
pub struct Shifted<F, N>(std::marker::PhantomData<fn() -> (F, N)>);

impl<F: Presheaf, N: Dim + 'static> Presheaf for Shifted<F, N> {
    type At<G: Shape> = F::At<(G, N)>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, x: &F::At<(G, N)>) -> F::At<(D, N)> {
        F::restrict(&along.beside(&Space::<N>::new().id()), x)
    }
}

/// Returns the function with the given value at the generic argument: `F(Γ × N) → (y N ⇒ F)(Γ)`.
pub fn curried<N: Dim + 'static, F: Presheaf, G: Shape>(
    space: &Space<G>,
    x: &F::At<(G, N)>,
) -> Natural<Representable<N>, F, G> {
    Natural::curry::<Shifted<F, N>>(space, x, |space, x, n| F::restrict(&space.id().pair(n), x))
}
