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
use super::coend::{Tan, Tangent, tangent, tangent_value, zero};
use super::discrete::Discrete;
use super::exponential::{Exponential, Natural, Transformation};
use super::product::Product;
use super::representable::{Real, Representable};
use super::sum::{Either, Sum};
use crate::smooth::dimension::{Dim, Line, Shape};
use crate::smooth::map::{Map, Space};

/// An isomorphism of presheaves: two natural transformations.
pub struct Iso<A: Presheaf, B: Presheaf> {
    /// The natural transformation A → B.
    pub to: Transformation<A, B>,
    /// The inverse B → A.
    pub from: Transformation<B, A>,
}

impl<A: Presheaf, B: Presheaf> Iso<A, B> {
    /// Returns the inverse isomorphism.
    #[must_use]
    pub fn inverse(self) -> Iso<B, A> {
        Iso { to: self.from, from: self.to }
    }
}

/// The type of the isomorphism `Tan (A * B) ≅ Tan A * Tan B`.
pub type TangentProd<A, B> = Iso<Tan<Product<A, B>>, Product<Tan<A>, Tan<B>>>;

/// Returns the isomorphism of Prop. 5.1 (E10): `to` by the projections, `from` over Δ₁ × Δ₂ as `((x₁, x₂), (v₁, v₂)),
/// (f(x), g(y))`.
#[must_use]
pub fn tangent_prod<A: Presheaf, B: Presheaf>() -> TangentProd<A, B> {
    let to = Transformation::new(|_, v: &Tangent<Product<A, B>, _>| {
        v.open(|v| (Tangent::new(&v.direction, &v.element.0), Tangent::new(&v.direction, &v.element.1)))
    });
    let from = Transformation::new(|_, (v, w): &(Tangent<A, _>, Tangent<B, _>)| together(v, w));
    Iso { to, from }
}

/// Pairs two tangents over the product of their stages.
fn together<A: Presheaf, B: Presheaf, G: Shape>(v: &Tangent<A, G>, w: &Tangent<B, G>) -> Tangent<Product<A, B>, G> {
    v.open(|v| {
        w.open(|w| {
            let (first, second) = (v.stage(), w.stage());
            let direction = v.point().pair(&w.point()).pair(&v.velocity().pair(&w.velocity()));
            let f = A::restrict(&first.first(&second), &v.element);
            let g = B::restrict(&first.second(&second), &w.element);
            Tangent::new(&direction, &(f, g))
        })
    })
}

/// Returns the isomorphism of Prop. 5.2 for any representable: a tangent to y N is a map to N × N. `to` is `d.then((x,
/// x′))`, and `from` uses N as Δ.
#[must_use]
pub fn tangent_representable<N: Dim + 'static>() -> Iso<Tan<Representable<N>>, Representable<(N, N)>> {
    let to = Transformation::new(|_, v: &Tangent<Representable<N>, _>| value_with_slope(v));
    let from = Transformation::new(|_, m| Tangent::new(m, &Map::<N, N>::id()));
    Iso { to, from }
}

/// Returns `d.then((x, x′)) : Γ ⇝ N × N`, the value and the derivative of a tangent to a representable.
pub fn value_with_slope<N: Shape + 'static, G: Shape>(v: &Tangent<Representable<N>, G>) -> Map<G, (N, N)> {
    v.open(|v| v.direction.then(&v.element.with_derivative()))
}

/// Splits a map to a pair into its two components.
fn split<N: Shape, G: Shape>(m: &Map<G, (N, N)>) -> (Map<G, N>, Map<G, N>) {
    let n = Space::<N>::of_size(m.codomain().size() / 2);
    (m.then(&n.first(&n)), m.then(&n.second(&n)))
}

/// Returns the isomorphism `tangent_R` of Prop. 5.2: value and derivative.
#[must_use]
pub fn tangent_r() -> Iso<Tan<Real>, Product<Real, Real>> {
    let to = Transformation::new(|_, v: &Tangent<Real, _>| split(&value_with_slope(v)));
    let from = Transformation::new(|_, (x, dx): &(Map<_, _>, Map<_, _>)| {
        Tangent::new(&x.pair(dx), &Space::<Line>::new().id())
    });
    Iso { to, from }
}

/// The type of the isomorphism `Tan (A → y M) ≅ (A → y M) * (A → y M)`.
pub type TangentTo<A, M> = Iso<Tan<Functions<A, M>>, Pair<A, M>>;

/// The presheaf of pairs of functions from A to y M.
pub type Pair<A, M> = Product<Functions<A, M>, Functions<A, M>>;

/// The presheaf of functions from A to y M.
pub type Functions<A, M> = Exponential<A, Representable<M>>;

/// Returns the isomorphism `tangentTo_R` of Prop. 5.3 (E9), with any representable in place of ℜ.
///
/// At the stage X, with `d : X ⇝ Δ²` and f over Δ, the function is applied to `a ∈ A(X)` at the stage Δ × X, where a is
/// constant: `z = f(π₁, a·π₂) : Δ × X ⇝ M`. Value and derivative are those of z along `⟨⟨π₁∘d, id⟩, ⟨π₂∘d, 0⟩⟩`. The
/// inverse is the curve `s ↦ f + s·df` at 0, over Δ = ℝ.
#[must_use]
pub fn tangent_to_r<A: Presheaf, M: Shape + 'static>() -> TangentTo<A, M> {
    let to = Transformation::new(|space, v: &Tangent<Functions<A, M>, _>| {
        let value = Natural::curry::<Tan<Functions<A, M>>>(space, v, |_, v, a| split(&at_argument(v, a)).0);
        let slope = Natural::curry::<Tan<Functions<A, M>>>(space, v, |_, v, a| split(&at_argument(v, a)).1);
        (value, slope)
    });
    let from = Transformation::new(|space, functions: &(Natural<A, _, _>, Natural<A, _, _>)| {
        let line = Space::<Line>::new();
        let later = space.times(&line);
        // The context consists of the pair of functions and s.
        let weakened = Pair::<A, M>::restrict(&space.first(&line), functions);
        let context = (weakened, space.second(&line));
        let curve = Natural::curry::<Product<Pair<A, M>, Real>>(&later, &context, |space, ((f, df), s), a| {
            let id = space.id();
            f.apply(&id, a) + df.apply(&id, a).scaled(s)
        });
        // At s = 0 with velocity 1 in s, and none in the other coordinates.
        let point = space.id().pair(&space.constant(0));
        let velocity = space.zero(space).pair(&space.constant(1));
        Tangent::new(&point.pair(&velocity), &curve)
    });
    Iso { to, from }
}

/// Returns the value and the derivative of a tangent to functions, at a constant argument.
fn at_argument<A: Presheaf, M: Shape + 'static, X: Shape>(
    v: &Tangent<Functions<A, M>, X>,
    a: &A::At<X>,
) -> Map<X, (M, M)> {
    value_with_slope(&evaluated(v, a))
}

/// Returns the tangent of the value at a constant argument, `Tan (A ⇒ H) × A → Tan H`. With d and f as in
/// [`tangent_to_r`], it is `f(π₁, a·π₂)` over Δ × X, along `⟨⟨π₁∘d, id⟩, ⟨π₂∘d, 0⟩⟩`.
pub fn evaluated<A: Presheaf, H: Presheaf, X: Shape>(v: &Tangent<Exponential<A, H>, X>, a: &A::At<X>) -> Tangent<H, X> {
    v.open(|v| {
        let (stage, space) = (v.stage(), v.direction.domain());
        let z = v.element.apply(&stage.first(&space), &A::restrict(&stage.second(&space), a));
        let point = v.point().pair(&space.id());
        let velocity = v.velocity().pair(&space.zero(&space));
        Tangent::new(&point.pair(&velocity), &z)
    })
}

/// Differentiates a functional at a function along a function (S §5.3, S54): `der F f df = snd (tangent_R.to (tangent F
/// (tangentTo_R.from (f, df))))`.
#[must_use]
pub fn der<A: Presheaf, G: Shape>(
    functional: &Natural<Functions<A, Line>, Real, G>,
    f: &Natural<A, Real, G>,
    df: &Natural<A, Real, G>,
) -> Map<G, Line> {
    let moving = tangent_to_r().from.at(&functional.stage(), &(f.clone(), df.clone()));
    split(&value_with_slope(&tangent(functional, &moving))).1
}

/// Returns the isomorphism for discrete types: their tangents are zero.
#[must_use]
pub fn tangent_discrete<T: Clone + Send + Sync + 'static>() -> Iso<Tan<Discrete<T>>, Discrete<T>> {
    let to = Transformation::new(|_, v: &Tangent<Discrete<T>, _>| tangent_value(v));
    let from = Transformation::new(|space, x| zero(space, x));
    Iso { to, from }
}

/// The type of the isomorphism `Tan (A + B) ≅ Tan A + Tan B`.
pub type TangentSum<A, B> = Iso<Tan<Sum<A, B>>, Sum<Tan<A>, Tan<B>>>;

/// Returns the isomorphism for sums: a tangent to a sum is a tangent to one of its summands.
#[must_use]
pub fn tangent_sum<A: Presheaf, B: Presheaf>() -> TangentSum<A, B> {
    let to = Transformation::new(|_, v: &Tangent<Sum<A, B>, _>| {
        // Stages are connected, so the whole curve lies in one summand.
        v.open(|v| match &v.element {
            Either::Left(a) => Either::Left(Tangent::new(&v.direction, a)),
            Either::Right(b) => Either::Right(Tangent::new(&v.direction, b)),
        })
    });
    let from = Transformation::new(|_, v: &Either<Tangent<A, _>, Tangent<B, _>>| match v {
        Either::Left(v) => v.open(|v| Tangent::new(&v.direction, &Either::Left(v.element))),
        Either::Right(v) => v.open(|v| Tangent::new(&v.direction, &Either::Right(v.element))),
    });
    Iso { to, from }
}
