//! Presheaves over smoothish maps: HAD, the higher-order semantics of S §5.
//!
//! A presheaf F assigns a set F(Γ) of elements to every stage Γ, an object of the category
//! [`Ad`](crate::smooth::map::Ad), and a restriction F(Γ) → F(Δ) to every map Δ ⇝ Γ. In Rust a presheaf is a type that
//! implements [`Presheaf`]. A stage is a type as well: a dimension, or an arbitrary [`Stage`].
//!
//! | module | S |
//! |---|---|
//! | this module | arbitrary stages, distinguished by a lifetime, §5.1 |
//! | this module, [`exponential`] | `y N = (− ⇝ N)`; the Yoneda lemma, §5.1 |
//! | this module, [`exponential`], this module | products, functions as an end, constants, sums, Figs. 5 and 6, §8.1 |
//! | [`coend`] | left Kan extensions of functors on stages: Tan as a coend, jets; tangent, tangentValue; Props. 5.1, 5.2, 5.3, §5.3 |
//! | [`exponential`] | integral01, cutRoot, firstRoot, max01, argmax01 as natural families `(Γ × ℝ ⇝ ℝ) → (Γ ⇝ ℝ)`, §5.2 |
//! | [`dynamic`] | functions of values as arrows: products, exponentials, sums and lists of all values, Fig. 6; the presheaf of all values of the language, and its tangents, §5.1, Fig. 6 |
//! | [`foreign`] | presheaves and families of the caller's own as values of the language |
//! | [`observe`] | equality of elements, as a verdict; random elements for such tests |
//!
//! This layer computes no numbers: an element of ground type is a graph. The laws are in `law::presheaf`.
//!
//! **Natural transformations are elements.** An arrow F → H is an element of the exponential F ⇒ H at the stage
//! ℝ⁰. So there is one notion of function, and an isomorphism is a pair of functions.
//!
//! A presheaf here is a type. The category whose objects are all presheaves is `meaning::had`, where an object is a value
//! and an element has no type. The laws of exponentials and isomorphisms are stated twice: in `law::presheaf`, over typed
//! elements and later stages, and in `law::category`, for every category.
//!
//! If a construction could be wrong, its law takes it as an argument. A test then passes a wrong one.
//!
//! # Representable presheaves
//!
//! `(y N)(Γ) = Γ ⇝ N` (S §5.1).
//!
//! # Products of presheaves
//!
//! `(A × B)(Γ) = A(Γ) × B(Γ)` (S Fig. 6).
//!
//! # Constant presheaves
//!
//! `(Δ T)(Γ) = T` (S §8.1).
//!
//! Stages are connected, so an element of a discrete type does not vary: no real number decides a natural number.
//!
//! # Sums of presheaves
//!
//! `(A + B)(Γ) = A(Γ) + B(Γ)` (S §8.1).
//!
//! Sums of presheaves are taken stage by stage. An element lies in one summand over the whole stage.
//!
//! # Arbitrary stages
//!
//! Arbitrary stages, distinguished by a lifetime only.
//!
//! An element of an exponential treats all stages alike, and a tangent hides the stage over which it lives (S §5.1,
//! §5.3). In Rust such a stage is [`Stage<'d>`], with an invariant lifetime `'d` of its own. So an element of one stage
//! cannot be used as an element of another, and no element can leave the closure that its stage was made for. The
//! compiler rejects both.
//!
//! This holds for presheaves whose elements have their stage in their types. The values of the language,
//! [`Dynamic`](dynamic::Dynamic), have the same type at all stages, so it does not hold for them.
//!
//! Two stages do not mix:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::with_stage;
//! with_stage(1, |one| {
//!     with_stage(1, |other| {
//!         one.id().then(&other.id());
//!     });
//! });
//! ```
//!
//! Elements of one stage can be combined:
//!
//! ```
//! use smoothish_spaces::presheaf::with_stage;
//! let size = with_stage(2, |stage| stage.id().then(&stage.id()).components().len());
//! assert_eq!(size, 2);
//! ```

pub mod coend;
pub mod dynamic;
pub mod exponential;
pub mod foreign;
pub mod observe;

use crate::smooth::dimension::{MapEnd, RealObject};
use crate::smooth::map::{Map, Space};
use exponential::ExponentialElement;
use std::marker::PhantomData;

/// A presheaf on the category of smoothish maps (S §5.1).
///
/// | law | equation |
/// |---|---|
/// | identity | `restrict(id, x) = x` |
/// | composition | `restrict(k.then(e), x) = restrict(k, restrict(e, x))` |
#[doc(alias("HAD", "presheaf", "presheaves"))]
pub trait Presheaf: Sized + 'static {
    /// The set of elements at a stage.
    type At<G: MapEnd>: Clone + Send + Sync;

    /// Restricts an element along a map: `F(e) : F(Γ) → F(Δ)`, for `e : Δ ⇝ Γ`.
    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Self::At<G>) -> Self::At<D>;
}

/// The set of elements of a presheaf at a stage.
pub type ElementAt<F, G> = <F as Presheaf>::At<G>;

/// The presheaf of maps to N. Restriction is composition.
pub struct Representable<N>(PhantomData<fn() -> N>);

/// The presheaf ℜ of real numbers: `ℜ(Γ) = Γ ⇝ ℝ` (S §5.1).
pub type RealPresheaf = Representable<RealObject>;

impl<N: MapEnd + 'static> Presheaf for Representable<N> {
    type At<G: MapEnd> = Map<G, N>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Map<G, N>) -> Map<D, N> {
        along.then(x)
    }
}

/// The presheaf of pairs. Restriction is componentwise.
pub struct ProductPresheaf<A, B>(PhantomData<fn() -> (A, B)>);

impl<A: Presheaf, B: Presheaf> Presheaf for ProductPresheaf<A, B> {
    type At<G: MapEnd> = (A::At<G>, B::At<G>);

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, (a, b): &Self::At<G>) -> Self::At<D> {
        (A::restrict(along, a), B::restrict(along, b))
    }
}

/// The constant presheaf of T, with trivial restrictions. Elements can be compared if T has a reflexive equality,
/// [`Eq`]:
///
/// ```
/// use smoothish_spaces::presheaf::ConstantPresheaf;
/// fn can_be_compared<F: smoothish_spaces::presheaf::observe::Observe>() {}
/// can_be_compared::<ConstantPresheaf<String>>();
/// ```
///
/// `f64` has no such equality, because NaN is unequal to itself:
///
/// ```compile_fail,E0277
/// use smoothish_spaces::presheaf::ConstantPresheaf;
/// fn can_be_compared<F: smoothish_spaces::presheaf::observe::Observe>() {}
/// can_be_compared::<ConstantPresheaf<f64>>();
/// ```
pub struct ConstantPresheaf<T>(PhantomData<fn() -> T>);

/// The terminal presheaf 1, with one element at every stage.
pub type Terminal = ConstantPresheaf<()>;

/// The constant presheaf ℕ.
pub type Naturals = ConstantPresheaf<u64>;

/// The constant presheaf 𝔅, which is isomorphic to the [sum](SumPresheaf) of two copies of 1.
pub type Booleans = ConstantPresheaf<bool>;

impl<T: Clone + Send + Sync + 'static> Presheaf for ConstantPresheaf<T> {
    type At<G: MapEnd> = T;

    fn restrict<D: MapEnd, G: MapEnd>(_: &Map<D, G>, x: &T) -> T {
        x.clone()
    }
}

/// The sum of two presheaves.
pub struct SumPresheaf<A, B>(PhantomData<fn() -> (A, B)>);

/// An element of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SumElement<A, B> {
    /// An element of the first presheaf.
    Left(A),
    /// An element of the second presheaf.
    Right(B),
}

impl<A: Presheaf, B: Presheaf> Presheaf for SumPresheaf<A, B> {
    type At<G: MapEnd> = SumElement<A::At<G>, B::At<G>>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Self::At<G>) -> Self::At<D> {
        match x {
            SumElement::Left(a) => SumElement::Left(A::restrict(along, a)),
            SumElement::Right(b) => SumElement::Right(B::restrict(along, b)),
        }
    }
}

/// Applies `case : (A ⇒ C) × (B ⇒ C) × (A + B) → C` to an element at stage D, along a map from D to the stage of the
/// functions.
pub fn case_sum<A: Presheaf, B: Presheaf, C: Presheaf, D: MapEnd, G: MapEnd>(
    left: &ExponentialElement<A, C, G>,
    right: &ExponentialElement<B, C, G>,
    along: &Map<D, G>,
    x: &SumElement<A::At<D>, B::At<D>>,
) -> C::At<D> {
    match x {
        SumElement::Left(a) => left.apply(along, a),
        SumElement::Right(b) => right.apply(along, b),
    }
}

/// An arbitrary stage, see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Stage<'d>(PhantomData<fn(&'d ()) -> &'d ()>);

impl MapEnd for Stage<'_> {}

/// The type under which a hidden stage is stored.
///
/// A structure that hides a stage, such as a tangent or a function, keeps its elements at this type. It hands them out
/// at a stage [`Stage<'d>`] of which the receiver knows nothing. Elements of the hidden stage itself are not handed out:
/// two of them need not belong to one stage, although their types agree. Code that stores elements of presheaves without
/// their stage in the type, as the category of all presheaves does, uses it too, and is responsible for the sizes.
pub type HiddenStage = Stage<'static>;

/// Runs a function at an arbitrary stage with `size` coordinates.
///
/// Elements of the stage cannot leave the function:
///
/// ```compile_fail,E0521
/// use smoothish_spaces::presheaf::with_stage;
/// let mut kept = None;
/// with_stage(2, |stage| kept = Some(stage.id()));
/// ```
pub fn with_stage<R>(size: usize, with: impl for<'d> FnOnce(&Space<Stage<'d>>) -> R) -> R {
    // The argument is valid for all lifetimes, so it cannot use that this one is `'static`.
    with(&Space::<HiddenStage>::of_size(size))
}
