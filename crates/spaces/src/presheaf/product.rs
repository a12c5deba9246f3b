//! Products of presheaves: `(A × B)(Γ) = A(Γ) × B(Γ)` (S Fig. 6).

use super::Presheaf;
use crate::smooth::dimension::Shape;
use crate::smooth::map::Map;
use std::marker::PhantomData;

/// The presheaf of pairs. Restriction is componentwise.
pub struct Product<A, B>(PhantomData<fn() -> (A, B)>);

impl<A: Presheaf, B: Presheaf> Presheaf for Product<A, B> {
    type At<G: Shape> = (A::At<G>, B::At<G>);

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, (a, b): &Self::At<G>) -> Self::At<D> {
        (A::restrict(along, a), B::restrict(along, b))
    }
}
