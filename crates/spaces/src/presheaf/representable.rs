//! Representable presheaves: `(y N)(Γ) = Γ ⇝ N` (S §5.1).

use super::Presheaf;
use crate::smooth::dimension::{MapEnd, RealObject};
use crate::smooth::map::Map;
use std::marker::PhantomData;

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
