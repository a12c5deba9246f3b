//! Sums of presheaves: `(A + B)(Γ) = A(Γ) + B(Γ)` (S §8.1).
//!
//! Sums of presheaves are taken stage by stage. An element lies in one summand over the whole stage.

use super::Presheaf;
use super::exponential::ExponentialElement;
use crate::smooth::dimension::MapEnd;
use crate::smooth::map::Map;
use std::marker::PhantomData;

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
