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
//! The stage Δ is therefore hidden. [`Tangent::open`] reveals it under a name that cannot leave. A comparison of
//! representatives could distinguish equal tangents (S49); tangents are compared by
//! [`Observe`](super::observe::Observe).
//!
//! | here | S §5.3 |
//! |---|---|
//! | [`Tan`], [`Tangent`] | Tan, its elements |
//! | [`tangent`] | `tangent f : Tan A → Tan B` |
//! | [`tangent_value`] | `tangentValue : Tan A → A` |
//! | [`zero`], [`scaled`] | the zero tangent; a scalar multiple of a tangent |
//!
//! ```
//! use smoothish_spaces::number::{Rational, budget::Budget};
//! use smoothish_spaces::presheaf::coend::{Tangent, tangent};
//! use smoothish_spaces::presheaf::exponential::Transformation;
//! use smoothish_spaces::presheaf::isomorphism::tangent_r;
//! use smoothish_spaces::presheaf::representable::Real;
//! use smoothish_spaces::smooth::map::{Map, Space};
//! use typenum::U1;
//!
//! // at the stage x, the number x moving with velocity 1
//! let space = Space::<U1>::new();
//! let x = space.id();
//! let v = Tangent::<Real, U1>::new(&x.pair(&space.constant(1)), &Map::<U1, U1>::id());
//! let sine = Transformation::<Real, Real>::new(|_, x| x.sin());
//! let (value, slope) = tangent_r().to.at(&space, &tangent(&sine.weakened(&space), &v));
//! assert_eq!(value.to_string(), "\\x => sin x");
//! let slope = slope.at([0.into()]).enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert!(slope.components[0].enclosure.contains(&Rational::from(1))); // cos 0
//! # Ok::<(), smoothish_spaces::smooth::map::MapError>(())
//! ```
//!
//! A stage cannot leave `open`:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::coend::Tangent;
//! use smoothish_spaces::presheaf::representable::Real;
//! use typenum::U1;
//! fn leak(v: &Tangent<Real, U1>) {
//!     let mut kept = None;
//!     v.open(|opened| kept = Some(opened.element));
//! }
//! ```
//!
//! The stages of two tangents differ, and also those of a single tangent that is opened twice:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::coend::Tangent;
//! use smoothish_spaces::presheaf::representable::Real;
//! use typenum::U1;
//! fn mix(v: &Tangent<Real, U1>) {
//!     v.open(|first| {
//!         let mut element = first.element;
//!         v.open(|second| element = second.element);
//!     });
//! }
//! ```
//!
//! A result that does not mention the stage may leave:
//!
//! ```
//! use smoothish_spaces::presheaf::coend::Tangent;
//! use smoothish_spaces::presheaf::representable::Real;
//! use smoothish_spaces::smooth::map::Map;
//! use typenum::U1;
//! fn value(v: &Tangent<Real, U1>) -> Map<U1, U1> {
//!     v.open(|opened| opened.point().then(&opened.element))
//! }
//! ```

use super::Presheaf;
use super::exponential::{Exponential, Natural, Transformation};
use super::stage::{Hidden, Stage};
use crate::smooth::dimension::{Line, Shape};
use crate::smooth::map::{Map, Space};
use std::fmt;
use std::marker::PhantomData;

/// The presheaf of tangents to F.
pub struct Tan<F>(PhantomData<fn() -> F>);

/// A tangent to F at the stage G, as a representative; see the [module](self).
pub struct Tangent<F: Presheaf, G> {
    direction: Map<G, (Hidden, Hidden)>,
    element: F::At<Hidden>,
}

/// A representative of a tangent, over an arbitrary stage.
pub struct Opened<'d, F: Presheaf, G> {
    /// The point and the direction, a map Γ ⇝ Δ².
    pub direction: Map<G, (Stage<'d>, Stage<'d>)>,
    /// The element over Δ.
    pub element: F::At<Stage<'d>>,
}

impl<'d, F: Presheaf, G: Shape> Opened<'d, F, G> {
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

impl<F: Presheaf, G: Shape> Tangent<F, G> {
    /// Returns the tangent `[direction, element]`.
    pub fn new<D: Shape>(direction: &Map<G, (D, D)>, element: &F::At<D>) -> Self {
        // The codomain is Δ², so half of its coordinates are those of Δ.
        let stage = Space::<D>::of_size(direction.codomain().size() / 2);
        let element = F::restrict(&stage.id().retyped::<Hidden, D>(), element);
        Self { direction: direction.retyped(), element }
    }

    /// Applies a function to the representative. Its result cannot mention the stage.
    pub fn open<R>(&self, with: impl for<'d> FnOnce(Opened<'d, F, G>) -> R) -> R {
        with(Opened { direction: self.direction.clone(), element: self.element.clone() })
    }
}

impl<F: Presheaf> Presheaf for Tan<F> {
    type At<G: Shape> = Tangent<F, G>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, v: &Tangent<F, G>) -> Tangent<F, D> {
        // The element lives over Δ, so only the map from the stage changes.
        Tangent { direction: along.then(&v.direction), element: v.element.clone() }
    }
}

/// Returns `tangent f : Tan A → Tan B` at `v`: the action of Tan on maps.
///
/// The function may depend on Γ, but the tangent has no component in that direction. The result is represented over Γ ×
/// Δ, along `⟨⟨id, point⟩, ⟨0, velocity⟩⟩`.
pub fn tangent<A: Presheaf, B: Presheaf, G: Shape>(f: &Natural<A, B, G>, v: &Tangent<A, G>) -> Tangent<B, G> {
    let space = f.stage();
    v.open(|v| {
        let stage = v.stage();
        let point = space.id().pair(&v.point());
        let direction = point.pair(&space.zero(&space).pair(&v.velocity()));
        let element = f.apply(&space.first(&stage), &A::restrict(&space.second(&stage), &v.element));
        Tangent::new(&direction, &element)
    })
}

/// Returns `tangent f` for a natural transformation: the action of the functor Tan on an arrow.
#[must_use]
pub fn image<A: Presheaf, B: Presheaf>(f: &Transformation<A, B>) -> Transformation<Tan<A>, Tan<B>> {
    Natural::curry::<Exponential<A, B>>(&Space::new(), f, |_, f, v| tangent(f, v))
}

/// Returns the base point of a tangent: `tangentValue : Tan F → F`.
pub fn tangent_value<F: Presheaf, G: Shape>(v: &Tangent<F, G>) -> F::At<G> {
    v.open(|v| F::restrict(&v.point(), &v.element))
}

/// Returns the zero tangent at an element.
pub fn zero<F: Presheaf, G: Shape>(space: &Space<G>, x: &F::At<G>) -> Tangent<F, G> {
    Tangent::new(&space.id().pair(&space.zero(space)), x)
}

/// Returns c·v, the tangent with c times the velocity at the same point.
#[must_use]
pub fn scaled<F: Presheaf, G: Shape>(v: &Tangent<F, G>, by: &Map<G, Line>) -> Tangent<F, G> {
    v.open(|v| Tangent::new(&v.point().pair(&v.velocity().scaled(by)), &v.element))
}

impl<F: Presheaf, G> Clone for Tangent<F, G> {
    fn clone(&self) -> Self {
        Self { direction: self.direction.clone(), element: self.element.clone() }
    }
}

impl<F: Presheaf, G> fmt::Debug for Tangent<F, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<tangent, along {:?}>", self.direction)
    }
}
