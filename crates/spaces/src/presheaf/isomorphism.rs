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

use super::Presheaf;
use super::coend::{CoendTangent, TanPresheaf, tangent_map, tangent_value, zero_tangent};
use super::discrete::ConstantPresheaf;
use super::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use super::product::ProductPresheaf;
use super::representable::{RealPresheaf, Representable};
use super::sum::{SumElement, SumPresheaf};
use crate::smooth::dimension::{Dim, MapEnd, RealObject};
use crate::smooth::map::{Map, Space};

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
