//! The Yoneda lemma, and the embedding of smoothish maps (S §5.1, S35).
//!
//! | here | statement |
//! |---|---|
//! | [`element_to_transformation`], [`transformation_to_element`] | `F(Γ) ≅ Nat(y Γ, F)` |
//! | [`yoneda_embedding`], [`transformation_to_map`] | `N ⇝ M ≅ Nat(y N, y M)`: the Yoneda embedding is full and faithful |
//! | [`uncurry_representable`], [`curry_representable`] | `(y N ⇒ F)(Γ) ≅ F(Γ × N)` |

use super::discrete::ConstantPresheaf;
use super::exponential::{ExponentialElement, PresheafTransformation};
use super::representable::Representable;
use super::{ElementAt, Presheaf};
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::map::{Map, Space};

/// Returns the natural transformation of an element: `x ↦ (m ↦ x·m) : F(Γ) → Nat(y Γ, F)`.
pub fn element_to_transformation<F: Presheaf, G: MapEnd + 'static>(
    x: &F::At<G>,
) -> PresheafTransformation<Representable<G>, F> {
    ExponentialElement::curry::<ConstantPresheaf<ElementAt<F, G>>>(&Space::new(), x, |_, x, along| {
        F::restrict(along, x)
    })
}

/// Returns the element of a natural transformation: `t ↦ t(id) : Nat(y Γ, F) → F(Γ)`.
pub fn transformation_to_element<F: Presheaf, G: MapEnd + 'static>(
    space: &Space<G>,
    t: &PresheafTransformation<Representable<G>, F>,
) -> F::At<G> {
    t.component_at(space, &space.id())
}

/// Returns the natural transformation of representables that a map induces.
#[must_use]
pub fn yoneda_embedding<N: Dim + 'static, M: Dim + 'static>(
    f: &Map<N, M>,
) -> PresheafTransformation<Representable<N>, Representable<M>> {
    element_to_transformation::<Representable<M>, N>(f)
}

/// Returns the map that induces a natural transformation of representables.
///
/// ```
/// use smoothish_spaces::presheaf::exponential::PresheafTransformation;
/// use smoothish_spaces::presheaf::representable::RealPresheaf;
/// use smoothish_spaces::presheaf::yoneda::{yoneda_embedding, transformation_to_map};
/// use smoothish_spaces::smooth::map::Map;
/// use typenum::U1;
/// let t = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.sin() * x);
/// assert_eq!(transformation_to_map(&t).to_string(), "\\x => sin x * x");
/// assert_eq!(transformation_to_map(&yoneda_embedding(&Map::<U1, U1>::id().exp())).to_string(), "\\x => exp x");
/// ```
#[must_use]
pub fn transformation_to_map<N: Dim + 'static, M: Dim + 'static>(
    t: &PresheafTransformation<Representable<N>, Representable<M>>,
) -> Map<N, M> {
    transformation_to_element(&Space::new(), t)
}

/// Applies a function to the generic argument: `(y N ⇒ F)(Γ) → F(Γ × N)`.
pub fn uncurry_representable<N: Dim + 'static, F: Presheaf, G: MapEnd>(
    f: &ExponentialElement<Representable<N>, F, G>,
) -> F::At<(G, N)> {
    let (space, n) = (f.stage(), Space::<N>::new());
    f.apply(&space.first(&n), &space.second(&n))
}

/// The presheaf `F(− × N)`, which is isomorphic to `y N ⇒ F`.
pub struct ShiftedPresheaf<F, N>(std::marker::PhantomData<fn() -> (F, N)>);

impl<F: Presheaf, N: Dim + 'static> Presheaf for ShiftedPresheaf<F, N> {
    type At<G: MapEnd> = F::At<(G, N)>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &F::At<(G, N)>) -> F::At<(D, N)> {
        F::restrict(&along.tensor_product(&Space::<N>::new().id()), x)
    }
}

/// Returns the function with the given value at the generic argument: `F(Γ × N) → (y N ⇒ F)(Γ)`.
pub fn curry_representable<N: Dim + 'static, F: Presheaf, G: MapEnd>(
    space: &Space<G>,
    x: &F::At<(G, N)>,
) -> ExponentialElement<Representable<N>, F, G> {
    ExponentialElement::curry::<ShiftedPresheaf<F, N>>(space, x, |space, x, n| F::restrict(&space.id().pair(n), x))
}
