//! Products of presheaves: `(A × B)(Γ) = A(Γ) × B(Γ)` (S Fig. 6).

use super::Presheaf;
use crate::smooth::dimension::MapEnd;
use crate::smooth::map::Map;
use std::marker::PhantomData;

/// The presheaf of pairs. Restriction is componentwise.
pub struct ProductPresheaf<A, B>(PhantomData<fn() -> (A, B)>);

impl<A: Presheaf, B: Presheaf> Presheaf for ProductPresheaf<A, B> {
    type At<G: MapEnd> = (A::At<G>, B::At<G>);

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, (a, b): &Self::At<G>) -> Self::At<D> {
        (A::restrict(along, a), B::restrict(along, b))
    }
}
