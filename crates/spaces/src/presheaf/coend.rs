//! Tangents to elements of any presheaf: `Tan(F)(Γ) = ∫^Δ (Γ ⇝ Δ²) × F(Δ)` (S §5.3).
//!
//! A tangent at the stage Γ is represented by a stage Δ, a map `Γ ⇝ Δ²`, which is a point of Δ with a direction, and an
//! element of F over Δ. Two representatives that are related by a map of stages are the same tangent. For `k : Δ ⇝ Δ′`
//! and `x ∈ F(Δ′)`,
//!
//! ```text
//! [d, x·k] = [d.then((k, k′)), x]
//! ```
//!
//! The stage Δ is therefore hidden. [`CoendTangent::with_representative`] reveals it under a name that cannot leave. A comparison of
//! representatives could distinguish equal tangents (S49); tangents are compared by
//! [`Observe`](super::observe::Observe).
//!
//! | here | S §5.3 |
//! |---|---|
//! | [`TanPresheaf`], [`CoendTangent`] | Tan, its elements |
//! | [`tangent_map`] | `tangent_map f : Tan A → Tan B` |
//! | [`tangent_value`] | `tangentValue : Tan A → A` |
//! | [`zero_tangent`], [`scale_tangent`] | the zero tangent; a scalar multiple of a tangent |
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
//! The isomorphisms of S §5.3, which determine the tangents of each type.
//!
//! | here | S | statement |
//! |---|---|---|
//! | [`tangent_prod`] | Prop. 5.1 (E10) | `Tan (A * B) ≅ Tan A * Tan B` |
//! | [`tangent_r`], [`tangent_representable`] | Prop. 5.2 | `Tan ℜ ≅ ℜ * ℜ`, and `Tan (y N) ≅ y (N × N)` |
//! | [`tangent_to_r`] | Prop. 5.3 (E9) | `Tan (A → ℜ) ≅ (A → ℜ) * (A → ℜ)` |
//! | [`tangent_discrete`] | stages are connected | `Tan T ≅ T` |
//! | [`tangent_sum`] | the coend of a sum | `Tan (A + B) ≅ Tan A + Tan B` |
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
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::map::{Map, Space};
use std::fmt;
use std::marker::PhantomData;

/// The presheaf of tangents to F.
#[doc(alias("Tan", "Kan extension", "left Kan extension", "Kan"))]
pub struct TanPresheaf<F>(PhantomData<fn() -> F>);

/// A tangent to F at the stage G, as a representative; see the [module](self).
#[doc(alias("coend", "tangent vector"))]
pub struct CoendTangent<F: Presheaf, G> {
    direction: Map<G, (HiddenStage, HiddenStage)>,
    element: F::At<HiddenStage>,
}

/// A representative of a tangent, over an arbitrary stage.
pub struct TangentRepresentative<'d, F: Presheaf, G> {
    /// The point and the direction, a map Γ ⇝ Δ².
    pub direction: Map<G, (Stage<'d>, Stage<'d>)>,
    /// The element over Δ.
    pub element: F::At<Stage<'d>>,
}

impl<'d, F: Presheaf, G: MapEnd> TangentRepresentative<'d, F, G> {
    /// Returns the stage Δ.
    #[must_use]
    pub fn stage(&self) -> Space<Stage<'d>> {
        Space::of_size(self.direction.codomain().size() / 2)
    }

    /// Returns the point, a map Γ ⇝ Δ.
    #[must_use]
    pub fn point(&self) -> Map<G, Stage<'d>> {
        self.direction.then(&self.stage().first(&self.stage()))
    }

    /// Returns the velocity, a map Γ ⇝ Δ.
    #[must_use]
    pub fn velocity(&self) -> Map<G, Stage<'d>> {
        self.direction.then(&self.stage().second(&self.stage()))
    }
}

impl<F: Presheaf, G: MapEnd> CoendTangent<F, G> {
    /// Returns the tangent `[direction, element]`.
    pub fn new<D: MapEnd>(direction: &Map<G, (D, D)>, element: &F::At<D>) -> Self {
        // The codomain is Δ², so half of its coordinates are those of Δ.
        let stage = Space::<D>::of_size(direction.codomain().size() / 2);
        let element = F::restrict(&stage.id().cast_types::<HiddenStage, D>(), element);
        Self { direction: direction.cast_types(), element }
    }

    /// Applies a function to the representative. Its result cannot mention the stage.
    pub fn with_representative<R>(&self, with: impl for<'d> FnOnce(TangentRepresentative<'d, F, G>) -> R) -> R {
        with(TangentRepresentative { direction: self.direction.clone(), element: self.element.clone() })
    }
}

impl<F: Presheaf> Presheaf for TanPresheaf<F> {
    type At<G: MapEnd> = CoendTangent<F, G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, v: &CoendTangent<F, G>) -> CoendTangent<F, D> {
        // The element lives over Δ, so only the map from the stage changes.
        CoendTangent { direction: along.then(&v.direction), element: v.element.clone() }
    }
}

/// Returns `tangent f : Tan A → Tan B` at `v`: the action of Tan on maps.
///
/// The function may depend on Γ, but the tangent has no component in that direction. The result is represented over Γ ×
/// Δ, along `⟨⟨id, point⟩, ⟨0, velocity⟩⟩`.
pub fn tangent_map<A: Presheaf, B: Presheaf, G: MapEnd>(
    f: &ExponentialElement<A, B, G>,
    v: &CoendTangent<A, G>,
) -> CoendTangent<B, G> {
    let space = f.stage();
    v.with_representative(|v| {
        let stage = v.stage();
        let point = space.id().pair(&v.point());
        let direction = point.pair(&space.zero(&space).pair(&v.velocity()));
        let element = f.apply(&space.first(&stage), &A::restrict(&space.second(&stage), &v.element));
        CoendTangent::new(&direction, &element)
    })
}

/// Returns `tangent f` for a natural transformation: the action of the functor Tan on an arrow.
#[must_use]
pub fn tangent_transformation<A: Presheaf, B: Presheaf>(
    f: &PresheafTransformation<A, B>,
) -> PresheafTransformation<TanPresheaf<A>, TanPresheaf<B>> {
    ExponentialElement::curry::<ExponentialPresheaf<A, B>>(&Space::new(), f, |_, f, v| tangent_map(f, v))
}

/// Returns the base point of a tangent: `tangentValue : Tan F → F`.
pub fn tangent_value<F: Presheaf, G: MapEnd>(v: &CoendTangent<F, G>) -> F::At<G> {
    v.with_representative(|v| F::restrict(&v.point(), &v.element))
}

/// Returns the zero tangent at an element.
pub fn zero_tangent<F: Presheaf, G: MapEnd>(space: &Space<G>, x: &F::At<G>) -> CoendTangent<F, G> {
    CoendTangent::new(&space.id().pair(&space.zero(space)), x)
}

/// Returns c·v, the tangent with c times the velocity at the same point.
#[must_use]
pub fn scale_tangent<F: Presheaf, G: MapEnd>(v: &CoendTangent<F, G>, by: &Map<G, RealObject>) -> CoendTangent<F, G> {
    v.with_representative(|v| CoendTangent::new(&v.point().pair(&v.velocity().scale_by(by)), &v.element))
}

impl<F: Presheaf, G> Clone for CoendTangent<F, G> {
    fn clone(&self) -> Self {
        Self { direction: self.direction.clone(), element: self.element.clone() }
    }
}

impl<F: Presheaf, G> fmt::Debug for CoendTangent<F, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<tangent, along {:?}>", self.direction)
    }
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

/// The type of the isomorphism `Tan (A * B) ≅ Tan A * Tan B`.
pub type TangentProdIso<A, B> =
    PresheafIso<TanPresheaf<ProductPresheaf<A, B>>, ProductPresheaf<TanPresheaf<A>, TanPresheaf<B>>>;

/// Returns the isomorphism of Prop. 5.1 (E10): `to` by the projections, `from` over Δ₁ × Δ₂ as `((x₁, x₂), (v₁, v₂)),
/// (f(x), g(y))`.
#[must_use]
#[doc(alias = "tangentProd")]
pub fn tangent_prod<A: Presheaf, B: Presheaf>() -> TangentProdIso<A, B> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<ProductPresheaf<A, B>, _>| {
        v.with_representative(|v| {
            (CoendTangent::new(&v.direction, &v.element.0), CoendTangent::new(&v.direction, &v.element.1))
        })
    });
    let from = PresheafTransformation::new(|_, (v, w): &(CoendTangent<A, _>, CoendTangent<B, _>)| pair_tangents(v, w));
    PresheafIso { to, from }
}

/// Pairs two tangents over the product of their stages.
fn pair_tangents<A: Presheaf, B: Presheaf, G: MapEnd>(
    v: &CoendTangent<A, G>,
    w: &CoendTangent<B, G>,
) -> CoendTangent<ProductPresheaf<A, B>, G> {
    v.with_representative(|v| {
        w.with_representative(|w| {
            let (first, second) = (v.stage(), w.stage());
            let direction = v.point().pair(&w.point()).pair(&v.velocity().pair(&w.velocity()));
            let f = A::restrict(&first.first(&second), &v.element);
            let g = B::restrict(&first.second(&second), &w.element);
            CoendTangent::new(&direction, &(f, g))
        })
    })
}

/// Returns the isomorphism of Prop. 5.2 for any representable: a tangent to y N is a map to N × N. `to` is `d.then((x,
/// x′))`, and `from` uses N as Δ.
#[must_use]
pub fn tangent_representable<N: Dim + 'static>() -> PresheafIso<TanPresheaf<Representable<N>>, Representable<(N, N)>> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<Representable<N>, _>| value_with_slope(v));
    let from = PresheafTransformation::new(|_, m| CoendTangent::new(m, &Map::<N, N>::id()));
    PresheafIso { to, from }
}

/// Returns `d.then((x, x′)) : Γ ⇝ N × N`, the value and the derivative of a tangent to a representable.
pub fn value_with_slope<N: MapEnd + 'static, G: MapEnd>(v: &CoendTangent<Representable<N>, G>) -> Map<G, (N, N)> {
    v.with_representative(|v| v.direction.then(&v.element.with_derivative()))
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
    let to = PresheafTransformation::new(|_, v: &CoendTangent<RealPresheaf, _>| split_pair(&value_with_slope(v)));
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

/// Returns the isomorphism `tangentTo_R` of Prop. 5.3 (E9), with any representable in place of ℜ.
///
/// At the stage X, with `d : X ⇝ Δ²` and f over Δ, the function is applied to `a ∈ A(X)` at the stage Δ × X, where a is
/// constant: `z = f(π₁, a·π₂) : Δ × X ⇝ M`. Value and derivative are those of z along `⟨⟨π₁∘d, id⟩, ⟨π₂∘d, 0⟩⟩`. The
/// inverse is the curve `s ↦ f + s·df` at 0, over Δ = ℝ.
#[must_use]
#[doc(alias = "tangentTo_R")]
pub fn tangent_to_r<A: Presheaf, M: MapEnd + 'static>() -> TangentToIso<A, M> {
    let to = PresheafTransformation::new(|space, v: &CoendTangent<FunctionsInto<A, M>, _>| {
        let value = ExponentialElement::curry::<TanPresheaf<FunctionsInto<A, M>>>(space, v, |_, v, a| {
            split_pair(&value_and_slope_at(v, a)).0
        });
        let slope = ExponentialElement::curry::<TanPresheaf<FunctionsInto<A, M>>>(space, v, |_, v, a| {
            split_pair(&value_and_slope_at(v, a)).1
        });
        (value, slope)
    });
    let from =
        PresheafTransformation::new(|space, functions: &(ExponentialElement<A, _, _>, ExponentialElement<A, _, _>)| {
            let line = Space::<RealObject>::new();
            let later = space.product_with(&line);
            // The context consists of the pair of functions and s.
            let weakened = FunctionPair::<A, M>::restrict(&space.first(&line), functions);
            let context = (weakened, space.second(&line));
            let curve = ExponentialElement::curry::<ProductPresheaf<FunctionPair<A, M>, RealPresheaf>>(
                &later,
                &context,
                |space, ((f, df), s), a| {
                    let id = space.id();
                    f.apply(&id, a) + df.apply(&id, a).scale_by(s)
                },
            );
            // At s = 0 with velocity 1 in s, and none in the other coordinates.
            let point = space.id().pair(&space.constant(0));
            let velocity = space.zero(space).pair(&space.constant(1));
            CoendTangent::new(&point.pair(&velocity), &curve)
        });
    PresheafIso { to, from }
}

/// Returns the value and the derivative of a tangent to functions, at a constant argument.
fn value_and_slope_at<A: Presheaf, M: MapEnd + 'static, X: MapEnd>(
    v: &CoendTangent<FunctionsInto<A, M>, X>,
    a: &A::At<X>,
) -> Map<X, (M, M)> {
    value_with_slope(&evaluate_tangent(v, a))
}

/// Returns the tangent of the value at a constant argument, `Tan (A ⇒ H) × A → Tan H`. With d and f as in
/// [`tangent_to_r`], it is `f(π₁, a·π₂)` over Δ × X, along `⟨⟨π₁∘d, id⟩, ⟨π₂∘d, 0⟩⟩`.
pub fn evaluate_tangent<A: Presheaf, H: Presheaf, X: MapEnd>(
    v: &CoendTangent<ExponentialPresheaf<A, H>, X>,
    a: &A::At<X>,
) -> CoendTangent<H, X> {
    v.with_representative(|v| {
        let (stage, space) = (v.stage(), v.direction.domain());
        let z = v.element.apply(&stage.first(&space), &A::restrict(&stage.second(&space), a));
        let point = v.point().pair(&space.id());
        let velocity = v.velocity().pair(&space.zero(&space));
        CoendTangent::new(&point.pair(&velocity), &z)
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
    split_pair(&value_with_slope(&tangent_map(functional, &moving))).1
}

/// Returns the isomorphism for discrete types: their tangents are zero.
#[must_use]
pub fn tangent_discrete<T: Clone + Send + Sync + 'static>()
-> PresheafIso<TanPresheaf<ConstantPresheaf<T>>, ConstantPresheaf<T>> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<ConstantPresheaf<T>, _>| tangent_value(v));
    let from = PresheafTransformation::new(|space, x| zero_tangent(space, x));
    PresheafIso { to, from }
}

/// The type of the isomorphism `Tan (A + B) ≅ Tan A + Tan B`.
pub type TangentSumIso<A, B> = PresheafIso<TanPresheaf<SumPresheaf<A, B>>, SumPresheaf<TanPresheaf<A>, TanPresheaf<B>>>;

/// Returns the isomorphism for sums: a tangent to a sum is a tangent to one of its summands.
#[must_use]
pub fn tangent_sum<A: Presheaf, B: Presheaf>() -> TangentSumIso<A, B> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<SumPresheaf<A, B>, _>| {
        // Stages are connected, so the whole curve lies in one summand.
        v.with_representative(|v| match &v.element {
            SumElement::Left(a) => SumElement::Left(CoendTangent::new(&v.direction, a)),
            SumElement::Right(b) => SumElement::Right(CoendTangent::new(&v.direction, b)),
        })
    });
    let from = PresheafTransformation::new(|_, v: &SumElement<CoendTangent<A, _>, CoendTangent<B, _>>| match v {
        SumElement::Left(v) => v.with_representative(|v| CoendTangent::new(&v.direction, &SumElement::Left(v.element))),
        SumElement::Right(v) => {
            v.with_representative(|v| CoendTangent::new(&v.direction, &SumElement::Right(v.element)))
        }
    });
    PresheafIso { to, from }
}
