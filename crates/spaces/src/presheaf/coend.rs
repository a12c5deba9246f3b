//! Left Kan extensions of functors on stages, and tangents: `T_!F(Γ) = ∫^Δ (Γ ⇝ TΔ) × F(Δ)` (S §5.3).
//!
//! A functor T on the category of smoothish maps ([`OnStages`]) extends to presheaves. An element of [`Lan<T, F>`] at the
//! stage Γ is represented by a stage Δ, a map `Γ ⇝ TΔ`, and an element of F over Δ. For the tangent functor, TΔ = Δ², the
//! map is a point of Δ with a direction, and the element is a *tangent* to F. Two representatives that are related by a
//! map of stages are the same element. For `k : Δ ⇝ Δ′` and `x ∈ F(Δ′)`,
//!
//! ```text
//! [d, x·k] = [d.then(T k), x]
//! ```
//!
//! The stage Δ is therefore hidden. [`LanElement::with_representative`] reveals it under a name that cannot leave. A
//! comparison of representatives could distinguish equal elements (S49); they are compared by
//! [`Observe`](super::observe::Observe).
//!
//! T_! is the left Kan extension of `y ∘ T` along the Yoneda embedding y. It keeps colimits, it is left adjoint to `G ↦ G ∘
//! T` ([`AfterFunctor`]), and `T_!(y N) ≅ y(T N)`. It keeps products if T does.
//!
//! | here | functor T | S §5.3 |
//! |---|---|---|
//! | [`Lan`], [`LanElement`] | any | the left Kan extension, its elements |
//! | [`TanPresheaf`], [`CoendTangent`] | [`TangentFunctor`] | Tan, tangents |
//! | [`JetPresheaf`] | [`JetFunctor`] | jets of order R of maps out of ℝᴷ |
//! | `Lan<After<S, T>, F>` | [`After`] | S_!(T_!F), such as tangents to tangents, by [`flatten_lan`] |
//! | [`lan_transformation`] | any | the action on natural transformations |
//! | [`lan_map`], [`tangent_map`] | [`Pointed`] and [`KeepsProducts`] | `tangent f : Tan A → Tan B`, for f that varies with the stage |
//! | [`lan_value`], [`tangent_value`] | [`Copointed`] | `tangentValue : Tan A → A` |
//! | [`lan_unit`], [`scale_tangent`] | [`Pointed`]; Tan | the zero tangent; a scalar multiple of a tangent |
//!
//! ```
//! use smoothish_spaces::number::{Rational, budget::Budget};
//! use smoothish_spaces::presheaf::coend::{CoendTangent, tangent_map};
//! use smoothish_spaces::presheaf::exponential::PresheafTransformation;
//! use smoothish_spaces::presheaf::coend::tangent_r;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//!
//! // at the stage x, the number x moving with velocity 1
//! let space = Space::<U1>::new();
//! let x = space.id();
//! let v = CoendTangent::<RealPresheaf, U1>::new(&x.pair(&space.constant(1)), &Map::<U1, U1>::id());
//! let sine = PresheafTransformation::<RealPresheaf, RealPresheaf>::new(|_, x| x.sin());
//! let (value, slope) = tangent_r().to.component_at(&space, &tangent_map(&sine.weaken_to(&space), &v));
//! assert_eq!(value.to_string(), "\\x => sin x");
//! let slope = slope.at([0.into()]).enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert!(slope.components[0].enclosure.contains(&Rational::from(1))); // cos 0
//! # Ok::<(), smoothish_spaces::smooth::map::MapError>(())
//! ```
//!
//! A stage cannot leave `open`:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::coend::CoendTangent;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use typenum::U1;
//! fn leak(v: &CoendTangent<RealPresheaf, U1>) {
//!     let mut kept = None;
//!     v.with_representative(|opened| kept = Some(opened.element));
//! }
//! ```
//!
//! The stages of two tangents differ, and also those of a single tangent that is opened twice:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::coend::CoendTangent;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use typenum::U1;
//! fn mix(v: &CoendTangent<RealPresheaf, U1>) {
//!     v.with_representative(|first| {
//!         let mut element = first.element;
//!         v.with_representative(|second| element = second.element);
//!     });
//! }
//! ```
//!
//! A result that does not mention the stage may leave:
//!
//! ```
//! use smoothish_spaces::presheaf::coend::CoendTangent;
//! use smoothish_spaces::presheaf::RealPresheaf;
//! use smoothish_spaces::smooth::map::Map;
//! use typenum::U1;
//! fn value(v: &CoendTangent<RealPresheaf, U1>) -> Map<U1, U1> {
//!     v.with_representative(|opened| opened.point().then(&opened.element))
//! }
//! ```
//!
//! # The isomorphisms of S §5
//!
//! The isomorphisms of S §5.3, which determine the tangents of each type. They hold for the functors of the last column.
//!
//! | here | S | statement | functors |
//! |---|---|---|---|
//! | [`lan_product`], [`tangent_prod`] | Prop. 5.1 (E10) | `Tan (A * B) ≅ Tan A * Tan B` | [`KeepsProducts`] |
//! | [`lan_representable`], [`tangent_r`] | Prop. 5.2 | `Tan (y N) ≅ y (N × N)`, and `Tan ℜ ≅ ℜ * ℜ` | any |
//! | [`lan_functions`], [`tangent_to_r`] | Prop. 5.3 (E9) | `Tan (A → ℜ) ≅ A → y(T ℝ)`, which is `(A → ℜ) * (A → ℜ)` | [`JetsOfCurves`] |
//! | [`lan_constant`] | stages are connected | `Tan T ≅ T` for a discrete T | [`KeepsProducts`], [`Pointed`] |
//! | [`lan_sum`] | the coend of a sum | `Tan (A + B) ≅ Tan A + Tan B` | any |
//!
//! Prop. 5.3 holds for functions whose values and derivatives are defined. `f + 0·df` is ⊥ where df is (S52), and its
//! derivative of order k is ⊥ where that of df is.
//!
//! | law | equation |
//! |---|---|
//! | inverse | `from ∘ to = id`, `to ∘ from = id` |

use super::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use super::{
    ConstantPresheaf, HiddenStage, Presheaf, ProductPresheaf, RealPresheaf, Representable, Stage, SumElement,
    SumPresheaf,
};
use crate::smooth::dimension::{Dim, Dyn, MapEnd, RealObject};
pub use crate::smooth::map::category::{
    After, Copointed, JetFunctor, JetSpace, JetsOfCurves, KeepsProducts, OnStages, Pointed, TangentFunctor,
};
use crate::smooth::map::{Map, Space};
use std::fmt;
use std::marker::PhantomData;

/// The left Kan extension T_!F of a presheaf F, for a functor T on stages; see the [module](self).
#[doc(alias("Kan extension", "left Kan extension", "Kan"))]
pub struct Lan<T, F>(PhantomData<fn() -> (T, F)>);

/// The presheaf of tangents to F, S §5.3.
#[doc(alias = "Tan")]
pub type TanPresheaf<F> = Lan<TangentFunctor, F>;

/// The presheaf of jets of order R of maps from ℝᴷ to F.
pub type JetPresheaf<F, const K: usize, const R: usize> = Lan<JetFunctor<K, R>, F>;

/// An element of T_!F at the stage G, as a representative; see the [module](self).
pub struct LanElement<T: OnStages, F: Presheaf, G> {
    along: Map<G, T::At<HiddenStage>>,
    element: F::At<HiddenStage>,
}

/// A tangent to F at the stage G.
#[doc(alias("coend", "tangent vector"))]
pub type CoendTangent<F, G> = LanElement<TangentFunctor, F, G>;

/// A representative of an element of T_!F, over an arbitrary stage Δ.
pub struct LanRepresentative<'d, T: OnStages, F: Presheaf, G> {
    /// The map Γ ⇝ TΔ. For a tangent it is the point and the direction.
    pub along: Map<G, T::At<Stage<'d>>>,
    /// The element over Δ.
    pub element: F::At<Stage<'d>>,
}

impl<'d, T: OnStages, F: Presheaf, G: MapEnd> LanRepresentative<'d, T, F, G> {
    /// Returns the stage Δ.
    #[must_use]
    pub fn stage(&self) -> Space<Stage<'d>> {
        Space::of_size(T::stage_size(self.along.codomain().size()))
    }
}

impl<'d, F: Presheaf, G: MapEnd> LanRepresentative<'d, TangentFunctor, F, G> {
    /// Returns the point, a map Γ ⇝ Δ.
    #[must_use]
    pub fn point(&self) -> Map<G, Stage<'d>> {
        self.along.then(&self.stage().first(&self.stage()))
    }

    /// Returns the velocity, a map Γ ⇝ Δ.
    #[must_use]
    pub fn velocity(&self) -> Map<G, Stage<'d>> {
        self.along.then(&self.stage().second(&self.stage()))
    }
}

impl<T: OnStages, F: Presheaf, G: MapEnd> LanElement<T, F, G> {
    /// Returns the class `[along, element]`.
    pub fn new<D: MapEnd>(along: &Map<G, T::At<D>>, element: &F::At<D>) -> Self {
        let stage = Space::<D>::of_size(T::stage_size(along.codomain().size()));
        let element = F::restrict(&stage.id().cast_types::<HiddenStage, D>(), element);
        Self { along: along.cast_types(), element }
    }

    /// Applies a function to the representative. Its result cannot mention the stage.
    pub fn with_representative<R>(&self, with: impl for<'d> FnOnce(LanRepresentative<'d, T, F, G>) -> R) -> R {
        with(LanRepresentative { along: self.along.clone(), element: self.element.clone() })
    }
}

impl<T: OnStages, F: Presheaf> Presheaf for Lan<T, F> {
    type At<G: MapEnd> = LanElement<T, F, G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, v: &LanElement<T, F, G>) -> LanElement<T, F, D> {
        // The element lives over Δ, so only the map from the stage changes.
        LanElement { along: along.then(&v.along), element: v.element.clone() }
    }
}

/// Returns T_!f for a natural transformation f: the action of the functor T_! on an arrow, for every T.
#[must_use]
pub fn lan_transformation<T: OnStages, A: Presheaf, B: Presheaf>(
    f: &PresheafTransformation<A, B>,
) -> PresheafTransformation<Lan<T, A>, Lan<T, B>> {
    let f = f.clone();
    PresheafTransformation::new(move |_, v: &LanElement<T, A, Stage<'_>>| {
        v.with_representative(|v| LanElement::new::<Stage<'_>>(&v.along, &f.component_at(&v.stage(), &v.element)))
    })
}

/// Returns T_!f at `v`, for a function f that may depend on Γ.
///
/// The element has no component in the direction of Γ: the result is represented over Γ × Δ, along `⟨η, d⟩ : Γ ⇝ TΓ ×
/// TΔ ≅ T(Γ × Δ)`.
pub fn lan_map<T: Pointed + KeepsProducts, A: Presheaf, B: Presheaf, G: MapEnd>(
    f: &ExponentialElement<A, B, G>,
    v: &LanElement<T, A, G>,
) -> LanElement<T, B, G> {
    let space = f.stage();
    v.with_representative(|v| {
        let stage = v.stage();
        let along = T::point_at(&space).pair(&v.along).then(&T::join_at(&space, &stage));
        let element = f.apply(&space.first(&stage), &A::restrict(&space.second(&stage), &v.element));
        LanElement::new::<(G, Stage<'_>)>(&along, &element)
    })
}

/// Returns `tangent f : Tan A → Tan B` at `v`: [`lan_map`] for the tangent functor.
pub fn tangent_map<A: Presheaf, B: Presheaf, G: MapEnd>(
    f: &ExponentialElement<A, B, G>,
    v: &CoendTangent<A, G>,
) -> CoendTangent<B, G> {
    lan_map(f, v)
}

/// Returns the base point of a class, `T_!F → F`.
pub fn lan_value<T: Copointed, F: Presheaf, G: MapEnd>(v: &LanElement<T, F, G>) -> F::At<G> {
    v.with_representative(|v| F::restrict(&v.along.then(&T::base_at(&v.stage())), &v.element))
}

/// Returns the base point of a tangent: `tangentValue : Tan F → F`.
pub fn tangent_value<F: Presheaf, G: MapEnd>(v: &CoendTangent<F, G>) -> F::At<G> {
    lan_value(v)
}

/// Returns `[η, x]`, the class of an element that does not move: `F → T_!F`. For tangents it is the zero tangent.
pub fn lan_unit<T: Pointed, F: Presheaf, G: MapEnd>(space: &Space<G>, x: &F::At<G>) -> LanElement<T, F, G> {
    LanElement::new::<G>(&T::point_at(space), x)
}

/// Returns c·v, the tangent with c times the velocity at the same point.
#[must_use]
pub fn scale_tangent<F: Presheaf, G: MapEnd>(v: &CoendTangent<F, G>, by: &Map<G, RealObject>) -> CoendTangent<F, G> {
    v.with_representative(|v| CoendTangent::new(&v.point().pair(&v.velocity().scale_by(by)), &v.element))
}

impl<T: OnStages, F: Presheaf, G> Clone for LanElement<T, F, G> {
    fn clone(&self) -> Self {
        Self { along: self.along.clone(), element: self.element.clone() }
    }
}

impl<T: OnStages, F: Presheaf, G> fmt::Debug for LanElement<T, F, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<class, along {:?}>", self.along)
    }
}

/// The presheaf `G ∘ T`, whose elements at Γ are those of G at TΓ. It is right adjoint to [`Lan`].
pub struct AfterFunctor<F, T>(PhantomData<fn() -> (F, T)>);

impl<F: Presheaf, T: OnStages> Presheaf for AfterFunctor<F, T> {
    type At<G: MapEnd> = F::At<T::At<G>>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Self::At<G>) -> Self::At<D> {
        F::restrict(&T::map_at(along), x)
    }
}

/// Returns the natural transformation `F → G ∘ T` of one out of T_!F, `x ↦ h [id, x]`: half of the adjunction.
#[must_use]
pub fn lan_to_right<T: OnStages, F: Presheaf, H: Presheaf>(
    h: &PresheafTransformation<Lan<T, F>, H>,
) -> PresheafTransformation<F, AfterFunctor<H, T>> {
    let h = h.clone();
    PresheafTransformation::new(move |space, x| at_image::<T, F, H>(&h, space, x))
}

/// Returns h at the generic element over a stage, `h [id, x] ∈ H(TΔ)`.
fn at_image<'d, T: OnStages, F: Presheaf, H: Presheaf>(
    h: &PresheafTransformation<Lan<T, F>, H>,
    space: &Space<Stage<'d>>,
    x: &F::At<Stage<'d>>,
) -> H::At<T::At<Stage<'d>>> {
    let image = T::image_space(space);
    h.component_at(&image, &LanElement::new::<Stage<'d>>(&image.id(), x))
}

/// Returns the natural transformation `T_!F → G` of one into G ∘ T, `[d, x] ↦ h(x)·d`: the other half.
#[must_use]
pub fn lan_from_right<T: OnStages, F: Presheaf, H: Presheaf>(
    h: &PresheafTransformation<F, AfterFunctor<H, T>>,
) -> PresheafTransformation<Lan<T, F>, H> {
    let h = h.clone();
    PresheafTransformation::new(move |_, v: &LanElement<T, F, Stage<'_>>| {
        v.with_representative(|v| H::restrict(&v.along, &h.component_at(&v.stage(), &v.element)))
    })
}

/// Returns the class of S_!(T_!F) as one of (S ∘ T)_!F: `[d, [e, x]] ↦ [d.then(S e), x]`.
pub fn flatten_lan<S: OnStages, T: OnStages, F: Presheaf, G: MapEnd>(
    v: &LanElement<S, Lan<T, F>, G>,
) -> LanElement<After<S, T>, F, G> {
    v.with_representative(|outer| {
        outer.element.with_representative(|inner| {
            LanElement::new::<Stage<'_>>(&outer.along.then(&S::map_at(&inner.along)), &inner.element)
        })
    })
}

/// Returns the class of (S ∘ T)_!F as one of S_!(T_!F): `[d, x] ↦ [d, [id, x]]`, over TΔ.
pub fn nest_lan<S: OnStages, T: OnStages, F: Presheaf, G: MapEnd>(
    v: &LanElement<After<S, T>, F, G>,
) -> LanElement<S, Lan<T, F>, G> {
    v.with_representative(|v| {
        let image = T::image_space(&v.stage());
        LanElement::new::<T::At<Stage<'_>>>(&v.along, &LanElement::new::<Stage<'_>>(&image.id(), &v.element))
    })
}

/// An isomorphism of presheaves: two natural transformations.
pub struct PresheafIso<A: Presheaf, B: Presheaf> {
    /// The natural transformation A → B.
    pub to: PresheafTransformation<A, B>,
    /// The inverse B → A.
    pub from: PresheafTransformation<B, A>,
}

impl<A: Presheaf, B: Presheaf> PresheafIso<A, B> {
    /// Returns the inverse isomorphism.
    #[must_use]
    pub fn inverse(self) -> PresheafIso<B, A> {
        PresheafIso { to: self.from, from: self.to }
    }
}

/// The type of the isomorphism `T_!(A * B) ≅ T_!A * T_!B`.
pub type LanProductIso<T, A, B> = PresheafIso<Lan<T, ProductPresheaf<A, B>>, ProductPresheaf<Lan<T, A>, Lan<T, B>>>;

/// Returns the isomorphism `T_!(A * B) ≅ T_!A * T_!B`: `to` by the projections, `from` over Δ₁ × Δ₂ along `TΔ₁ × TΔ₂ ≅ T(Δ₁ ×
/// Δ₂)`.
#[must_use]
pub fn lan_product<T: KeepsProducts, A: Presheaf, B: Presheaf>() -> LanProductIso<T, A, B> {
    let to = PresheafTransformation::new(|_, v: &LanElement<T, ProductPresheaf<A, B>, _>| split_class(v));
    let from = PresheafTransformation::new(|_, (v, w): &(LanElement<T, A, _>, LanElement<T, B, _>)| pair_classes(v, w));
    PresheafIso { to, from }
}

/// Returns the two components of a class of pairs. For a T that does not keep products, they need not determine it.
pub fn split_class<T: OnStages, A: Presheaf, B: Presheaf, G: MapEnd>(
    v: &LanElement<T, ProductPresheaf<A, B>, G>,
) -> (LanElement<T, A, G>, LanElement<T, B, G>) {
    v.with_representative(|v| {
        (LanElement::new::<Stage<'_>>(&v.along, &v.element.0), LanElement::new::<Stage<'_>>(&v.along, &v.element.1))
    })
}

/// Pairs two classes over the product of their stages.
fn pair_classes<T: KeepsProducts, A: Presheaf, B: Presheaf, G: MapEnd>(
    v: &LanElement<T, A, G>,
    w: &LanElement<T, B, G>,
) -> LanElement<T, ProductPresheaf<A, B>, G> {
    v.with_representative(|v| {
        w.with_representative(|w| {
            let (first, second) = (v.stage(), w.stage());
            let along = v.along.pair(&w.along).then(&T::join_at(&first, &second));
            let f = A::restrict(&first.first(&second), &v.element);
            let g = B::restrict(&first.second(&second), &w.element);
            LanElement::new::<(Stage<'_>, Stage<'_>)>(&along, &(f, g))
        })
    })
}

/// Returns the isomorphism `tangentProd` of Prop. 5.1 (E10): `from` has the representative `((x₁, x₂), (v₁, v₂)), (f(x),
/// g(y))`.
#[must_use]
#[doc(alias = "tangentProd")]
pub fn tangent_prod<A: Presheaf, B: Presheaf>() -> LanProductIso<TangentFunctor, A, B> {
    lan_product()
}

/// Returns the isomorphism of Prop. 5.2 for any T and any representable: a class of elements of y N is a map to T N. `to`
/// is `d.then(T x)`, and `from` uses N as Δ.
#[must_use]
pub fn lan_representable<T: OnStages, N: Dim + 'static>() -> LanRepresentableIso<T, N>
where
    T::At<N>: 'static,
{
    let to = PresheafTransformation::new(|_, v: &LanElement<T, Representable<N>, _>| v.to_map());
    let from = PresheafTransformation::new(|_, m| LanElement::new::<N>(m, &Map::<N, N>::id()));
    PresheafIso { to, from }
}

/// The type of the isomorphism `T_!(y N) ≅ y(T N)`.
pub type LanRepresentableIso<T, N> = PresheafIso<Lan<T, Representable<N>>, Representable<<T as OnStages>::At<N>>>;

impl<T: OnStages, N: MapEnd + 'static, G: MapEnd> LanElement<T, Representable<N>, G> {
    /// Returns `d.then(T x) : Γ ⇝ T N`. For a tangent these are the value and the derivative.
    #[must_use]
    pub fn to_map(&self) -> Map<G, T::At<N>> {
        self.with_representative(|v| v.along.then(&T::map_at(&v.element)))
    }
}

/// Splits a map to a pair into its two components.
fn split_pair<N: MapEnd, G: MapEnd>(m: &Map<G, (N, N)>) -> (Map<G, N>, Map<G, N>) {
    let n = Space::<N>::of_size(m.codomain().size() / 2);
    (m.then(&n.first(&n)), m.then(&n.second(&n)))
}

/// Returns the isomorphism `tangent_R` of Prop. 5.2: value and derivative.
#[must_use]
#[doc(alias = "tangent_R")]
pub fn tangent_r() -> PresheafIso<TanPresheaf<RealPresheaf>, ProductPresheaf<RealPresheaf, RealPresheaf>> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<RealPresheaf, _>| split_pair(&v.to_map()));
    let from = PresheafTransformation::new(|_, (x, dx): &(Map<_, _>, Map<_, _>)| {
        CoendTangent::new(&x.pair(dx), &Space::<RealObject>::new().id())
    });
    PresheafIso { to, from }
}

/// The type of the isomorphism `Tan (A → y M) ≅ (A → y M) * (A → y M)`.
pub type TangentToIso<A, M> = PresheafIso<TanPresheaf<FunctionsInto<A, M>>, FunctionPair<A, M>>;

/// The presheaf of pairs of functions from A to y M.
pub type FunctionPair<A, M> = ProductPresheaf<FunctionsInto<A, M>, FunctionsInto<A, M>>;

/// The presheaf of functions from A to y M.
pub type FunctionsInto<A, M> = ExponentialPresheaf<A, Representable<M>>;

/// Returns the isomorphism `tangentTo_R` of Prop. 5.3 (E9), with any representable in place of ℜ: [`lan_functions`], with
/// value and derivative as two functions.
///
/// At the stage X, with `d : X ⇝ Δ²` and f over Δ, the function is applied to `a ∈ A(X)` at the stage Δ × X, where a is
/// constant: `z = f(π₁, a·π₂) : Δ × X ⇝ M`. Value and derivative are those of z along `⟨⟨π₁∘d, id⟩, ⟨π₂∘d, 0⟩⟩`. The
/// inverse is the curve `s ↦ f + s·df` at 0, over Δ = ℝ.
#[must_use]
#[doc(alias = "tangentTo_R")]
pub fn tangent_to_r<A: Presheaf, M: MapEnd + 'static>() -> TangentToIso<A, M> {
    let to = PresheafTransformation::new(|space, v: &CoendTangent<FunctionsInto<A, M>, _>| {
        let value = ExponentialElement::curry::<TanPresheaf<FunctionsInto<A, M>>>(space, v, |_, v, a| {
            split_pair(&evaluate_lan(v, a).to_map()).0
        });
        let slope = ExponentialElement::curry::<TanPresheaf<FunctionsInto<A, M>>>(space, v, |_, v, a| {
            split_pair(&evaluate_lan(v, a).to_map()).1
        });
        (value, slope)
    });
    let from =
        PresheafTransformation::new(|space, functions: &(ExponentialElement<A, _, _>, ExponentialElement<A, _, _>)| {
            let both = ExponentialElement::curry::<FunctionPair<A, M>>(space, functions, |space, (f, df), a| {
                f.apply(&space.id(), a).pair(&df.apply(&space.id(), a))
            });
            class_of_functions::<TangentFunctor, A, M, _>(space, &both)
        });
    PresheafIso { to, from }
}

/// The type of the isomorphism `T_!(A → y M) ≅ A → y(T M)`.
pub type LanFunctionsIso<T, A, M> = PresheafIso<Lan<T, FunctionsInto<A, M>>, FunctionsInto<A, <T as OnStages>::At<M>>>;

/// Returns the isomorphism of Prop. 5.3 for functors of jets: a class of functions into y M is a function into y(T M).
///
/// `to` evaluates the class at each argument. `from` sends F to the generic point of T(ℝᵏ), with the functions `a ↦
/// curve(F a, s)` over Γ × ℝᵏ. For J^(K,R) these are `Σ_β f_β s^β/β!`. The functions must be defined: `x + 0·⊥ = ⊥`.
#[must_use]
pub fn lan_functions<T: JetsOfCurves, A: Presheaf, M: MapEnd + 'static>() -> LanFunctionsIso<T, A, M>
where
    T::At<M>: 'static,
{
    let to = PresheafTransformation::new(|space, v: &LanElement<T, FunctionsInto<A, M>, _>| {
        ExponentialElement::curry::<Lan<T, FunctionsInto<A, M>>>(space, v, |_, v, a| evaluate_lan(v, a).to_map())
    });
    let from = PresheafTransformation::new(|space, f| class_of_functions::<T, A, M, _>(space, f));
    PresheafIso { to, from }
}

/// Returns the class of a function into T M: the generic point, with the curve of every value.
fn class_of_functions<T: JetsOfCurves, A: Presheaf, M: MapEnd + 'static, G: MapEnd>(
    space: &Space<G>,
    f: &ExponentialElement<A, Representable<T::At<M>>, G>,
) -> LanElement<T, FunctionsInto<A, M>, G>
where
    T::At<M>: 'static,
{
    let parameters = Space::<Dyn>::of_size(T::parameter_count());
    let later = space.product_with(&parameters);
    // The context consists of the function and the parameters s.
    let context = (FunctionsInto::<A, T::At<M>>::restrict(&space.first(&parameters), f), space.second(&parameters));
    type Context<A, N> = ProductPresheaf<FunctionsInto<A, N>, Representable<Dyn>>;
    let curve = ExponentialElement::curry::<Context<A, T::At<M>>>(&later, &context, |space, (f, s), a| {
        let jet = f.apply(&space.id(), a);
        let values = Space::<M>::of_size(T::stage_size(jet.codomain().size()));
        jet.pair(s).then(&T::curve_at(&values))
    });
    // Only s moves: the stage stands still.
    let generic = space.terminal().then(&T::generic_point());
    let along = T::point_at(space).pair(&generic).then(&T::join_at(space, &parameters));
    LanElement::new::<(G, Dyn)>(&along, &curve)
}

/// Returns the class of the value at a constant argument, `T_!(A ⇒ H) × A → T_!H`. With d and f as in [`tangent_to_r`], it
/// is `f(π₁, a·π₂)` over Δ × X, along `⟨d, η⟩ : X ⇝ TΔ × TX ≅ T(Δ × X)`.
pub fn evaluate_lan<T: Pointed + KeepsProducts, A: Presheaf, H: Presheaf, X: MapEnd>(
    v: &LanElement<T, ExponentialPresheaf<A, H>, X>,
    a: &A::At<X>,
) -> LanElement<T, H, X> {
    v.with_representative(|v| {
        let (stage, space) = (v.stage(), v.along.domain());
        let z = v.element.apply(&stage.first(&space), &A::restrict(&stage.second(&space), a));
        let along = v.along.pair(&T::point_at(&space)).then(&T::join_at(&stage, &space));
        LanElement::new::<(Stage<'_>, X)>(&along, &z)
    })
}

/// Differentiates a functional at a function along a function (S §5.3, S54): `der F f df = snd (tangent_R.to (tangent F
/// (tangentTo_R.from (f, df))))`.
#[must_use]
#[doc(alias = "der")]
pub fn functional_derivative<A: Presheaf, G: MapEnd>(
    functional: &ExponentialElement<FunctionsInto<A, RealObject>, RealPresheaf, G>,
    f: &ExponentialElement<A, RealPresheaf, G>,
    df: &ExponentialElement<A, RealPresheaf, G>,
) -> Map<G, RealObject> {
    let moving = tangent_to_r().from.component_at(&functional.stage(), &(f.clone(), df.clone()));
    split_pair(&tangent_map(functional, &moving).to_map()).1
}

/// Returns the isomorphism `T_!(Δ S) ≅ Δ S` for discrete types: their tangents are zero.
#[must_use]
pub fn lan_constant<T: Pointed + KeepsProducts, S: Clone + Send + Sync + 'static>()
-> PresheafIso<Lan<T, ConstantPresheaf<S>>, ConstantPresheaf<S>> {
    // T(ℝ⁰) = ℝ⁰, so the class has nothing but the value
    let to = PresheafTransformation::new(|_, v: &LanElement<T, ConstantPresheaf<S>, _>| constant_value(v));
    let from = PresheafTransformation::new(|space, x| lan_unit(space, x));
    PresheafIso { to, from }
}

/// Returns the value of a class of discrete elements.
pub(super) fn constant_value<T: OnStages, S: Clone + Send + Sync + 'static, G: MapEnd>(
    v: &LanElement<T, ConstantPresheaf<S>, G>,
) -> S {
    v.with_representative(|v| v.element)
}

/// The type of the isomorphism `T_!(A + B) ≅ T_!A + T_!B`.
pub type LanSumIso<T, A, B> = PresheafIso<Lan<T, SumPresheaf<A, B>>, SumPresheaf<Lan<T, A>, Lan<T, B>>>;

/// An element of `T_!A + T_!B` at the stage G.
pub type SumOfClasses<T, A, B, G> = SumElement<LanElement<T, A, G>, LanElement<T, B, G>>;

/// Returns the isomorphism for sums: a class of elements of a sum is one of its summands.
#[must_use]
pub fn lan_sum<T: OnStages, A: Presheaf, B: Presheaf>() -> LanSumIso<T, A, B> {
    let to = PresheafTransformation::new(|_, v: &LanElement<T, SumPresheaf<A, B>, _>| {
        // Stages are connected, so the whole family lies in one summand.
        v.with_representative(|v| match &v.element {
            SumElement::Left(a) => SumElement::Left(LanElement::new::<Stage<'_>>(&v.along, a)),
            SumElement::Right(b) => SumElement::Right(LanElement::new::<Stage<'_>>(&v.along, b)),
        })
    });
    let from = PresheafTransformation::new(|_, v: &SumOfClasses<T, A, B, _>| match v {
        SumElement::Left(v) => {
            v.with_representative(|v| LanElement::new::<Stage<'_>>(&v.along, &SumElement::Left(v.element)))
        }
        SumElement::Right(v) => {
            v.with_representative(|v| LanElement::new::<Stage<'_>>(&v.along, &SumElement::Right(v.element)))
        }
    });
    PresheafIso { to, from }
}
