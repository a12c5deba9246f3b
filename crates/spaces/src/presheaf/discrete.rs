//! Constant presheaves: `(Δ T)(Γ) = T` (S §8.1).
//!
//! Stages are connected, so an element of a discrete type does not vary: no real number decides a natural number.

use super::Presheaf;
use crate::smooth::dimension::MapEnd;
use crate::smooth::map::Map;
use std::marker::PhantomData;

/// The constant presheaf of T, with trivial restrictions. Elements can be compared if T has a reflexive equality,
/// [`Eq`]:
///
/// ```
/// use smoothish_spaces::presheaf::discrete::ConstantPresheaf;
/// fn can_be_compared<F: smoothish_spaces::presheaf::observe::Observe>() {}
/// can_be_compared::<ConstantPresheaf<String>>();
/// ```
///
/// `f64` has no such equality, because NaN is unequal to itself:
///
/// ```compile_fail,E0277
/// use smoothish_spaces::presheaf::discrete::ConstantPresheaf;
/// fn can_be_compared<F: smoothish_spaces::presheaf::observe::Observe>() {}
/// can_be_compared::<ConstantPresheaf<f64>>();
/// ```
pub struct ConstantPresheaf<T>(PhantomData<fn() -> T>);

/// The terminal presheaf 1, with one element at every stage.
pub type Terminal = ConstantPresheaf<()>;

/// The constant presheaf ℕ.
pub type Naturals = ConstantPresheaf<u64>;

/// The constant presheaf 𝔅, which is isomorphic to the [sum](super::sum::SumPresheaf) of two copies of 1.
pub type Booleans = ConstantPresheaf<bool>;

impl<T: Clone + Send + Sync + 'static> Presheaf for ConstantPresheaf<T> {
    type At<G: MapEnd> = T;

    fn restrict<D: MapEnd, G: MapEnd>(_: &Map<D, G>, x: &T) -> T {
        x.clone()
    }
}
