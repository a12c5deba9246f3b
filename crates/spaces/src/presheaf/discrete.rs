//! Constant presheaves: `(Δ T)(Γ) = T` (S §8.1).
//!
//! Stages are connected, so an element of a discrete type does not vary: no real number decides a natural one.

use super::Presheaf;
use crate::smooth::dimension::Shape;
use crate::smooth::map::Map;
use std::marker::PhantomData;

/// The presheaf whose elements are those of T at every stage, and restrict to themselves. They can be compared where T has
/// an equality that is one, [`Eq`]:
///
/// ```
/// use smoothish_spaces::presheaf::discrete::Discrete;
/// fn can_be_compared<F: smoothish_spaces::presheaf::observe::Observe>() {}
/// can_be_compared::<Discrete<String>>();
/// ```
///
/// `f64` has none, as NaN is unequal to itself:
///
/// ```compile_fail,E0277
/// use smoothish_spaces::presheaf::discrete::Discrete;
/// fn can_be_compared<F: smoothish_spaces::presheaf::observe::Observe>() {}
/// can_be_compared::<Discrete<f64>>();
/// ```
pub struct Discrete<T>(PhantomData<fn() -> T>);

/// 1, with one element at every stage.
pub type Terminal = Discrete<()>;

/// ℕ
pub type Naturals = Discrete<u64>;

/// 𝔅, which is also the [sum](super::sum::Sum) of two copies of 1.
pub type Booleans = Discrete<bool>;

impl<T: Clone + Send + Sync + 'static> Presheaf for Discrete<T> {
    type At<G: Shape> = T;

    fn restrict<D: Shape, G: Shape>(_: &Map<D, G>, x: &T) -> T {
        x.clone()
    }
}
