//! Presheaves over smoothish maps: HAD, the higher-order semantics of S §5.
//!
//! A presheaf F assigns a set F(Γ) of elements to every stage Γ, an object of the category
//! [`Ad`](crate::smooth::map::Ad), and a restriction F(Γ) → F(Δ) to every map Δ ⇝ Γ. In Rust a presheaf is a type that
//! implements [`Presheaf`]. A stage is a type as well: a dimension, or an arbitrary [`Stage`](stage::Stage).
//!
//! | module | S |
//! |---|---|
//! | [`stage`] | arbitrary stages, distinguished by a lifetime, §5.1 |
//! | [`representable`], [`yoneda`] | `y N = (− ⇝ N)`; the Yoneda lemma, §5.1 |
//! | [`product`], [`exponential`], [`discrete`], [`sum`] | products, functions as an end, constants, sums, Figs. 5 and 6, §8.1 |
//! | [`coend`], [`isomorphism`] | Tan as a coend, tangent, tangentValue; Props. 5.1, 5.2, 5.3, §5.3 |
//! | [`second_order`] | integral01, cutRoot, firstRoot, max01, argmax01 as natural families `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, §5.2 |
//! | [`arrows`] | functions of values as arrows: products, exponentials, sums and lists of all values, Fig. 6 |
//! | [`observe`], [`sample`] | equality of elements, as a verdict; random elements for such tests |
//! | [`dynamic`], [`tangent`], [`language`] | the presheaf of all values of the language, and its tangents, §5.1, Fig. 6 |
//!
//! This layer computes no numbers: an element of ground type is a graph. The laws are in `law::presheaf`.
//!
//! **Natural transformations are elements.** An arrow F → H is an element of the exponential F ⇒ H at the stage
//! ℝ⁰. So there is one notion of function, and an isomorphism is a pair of functions.
//!
//! The typed presheaves are no instance of [`Category`](crate::category::Category). Its objects are any names, and
//! an object here must be known to have elements. So the laws of exponentials and isomorphisms are stated in
//! `law::presheaf`, over elements and later stages, where they can be observed. [`Dynamic`](dynamic) at all types
//! is an instance (`meaning::diffeology::category`).
//!
//! If a construction could be wrong, its law takes it as an argument. A test then passes a wrong one.

pub mod arrows;
pub mod coend;
pub mod condition;
pub mod discrete;
pub mod dynamic;
pub mod exponential;
pub mod isomorphism;
pub mod language;
pub mod observe;
pub mod product;
pub mod representable;
pub mod reverse;
pub mod sample;
pub mod second_order;
pub mod stage;
pub mod sum;
pub mod tangent;
pub mod yoneda;

use crate::smooth::dimension::MapEnd;
use crate::smooth::map::Map;

/// A presheaf on the category of smoothish maps (S §5.1).
///
/// | law | equation |
/// |---|---|
/// | identity | `restrict(id, x) = x` |
/// | composition | `restrict(k.then(e), x) = restrict(k, restrict(e, x))` |
pub trait Presheaf: Sized + 'static {
    /// The set of elements at a stage.
    type At<G: MapEnd>: Clone + Send + Sync;

    /// Restricts an element along a map: `F(e) : F(Γ) → F(Δ)`, for `e : Δ ⇝ Γ`.
    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Self::At<G>) -> Self::At<D>;
}

/// The set of elements of a presheaf at a stage.
pub type ElementAt<F, G> = <F as Presheaf>::At<G>;
