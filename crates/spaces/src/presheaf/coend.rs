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
//! use smoothish_spaces::presheaf::isomorphism::tangent_r;
//! use smoothish_spaces::presheaf::representable::RealPresheaf;
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
//! use smoothish_spaces::presheaf::representable::RealPresheaf;
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
//! use smoothish_spaces::presheaf::representable::RealPresheaf;
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
//! use smoothish_spaces::presheaf::representable::RealPresheaf;
//! use smoothish_spaces::smooth::map::Map;
//! use typenum::U1;
//! fn value(v: &CoendTangent<RealPresheaf, U1>) -> Map<U1, U1> {
//!     v.with_representative(|opened| opened.point().then(&opened.element))
//! }
//! ```

use super::Presheaf;
use super::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use super::stage::{HiddenStage, Stage};
use crate::smooth::dimension::{MapEnd, RealObject};
use crate::smooth::map::{Map, Space};
use std::fmt;
use std::marker::PhantomData;

/// The presheaf of tangents to F.
pub struct TanPresheaf<F>(PhantomData<fn() -> F>);

/// A tangent to F at the stage G, as a representative; see the [module](self).
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
