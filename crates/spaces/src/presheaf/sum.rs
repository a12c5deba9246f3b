//! Sums of presheaves: `(A + B)(Γ) = A(Γ) + B(Γ)` (S §8.1).
//!
//! Sums of presheaves are taken stage by stage. An element lies in one summand over the whole stage.

use super::Presheaf;
use super::exponential::Natural;
use crate::smooth::dimension::Shape;
use crate::smooth::map::Map;
use std::marker::PhantomData;

/// The sum of two presheaves.
pub struct Sum<A, B>(PhantomData<fn() -> (A, B)>);

/// An element of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<A, B> {
    /// An element of the first presheaf.
    Left(A),
    /// An element of the second presheaf.
    Right(B),
}

impl<A: Presheaf, B: Presheaf> Presheaf for Sum<A, B> {
    type At<G: Shape> = Either<A::At<G>, B::At<G>>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, x: &Self::At<G>) -> Self::At<D> {
        match x {
            Either::Left(a) => Either::Left(A::restrict(along, a)),
            Either::Right(b) => Either::Right(B::restrict(along, b)),
        }
    }
}

/// Applies `case : (A ⇒ C) × (B ⇒ C) × (A + B) → C` to an element at stage D, along a map from D to the stage of the
/// functions.
pub fn case<A: Presheaf, B: Presheaf, C: Presheaf, D: Shape, G: Shape>(
    left: &Natural<A, C, G>,
    right: &Natural<B, C, G>,
    along: &Map<D, G>,
    x: &Either<A::At<D>, B::At<D>>,
) -> C::At<D> {
    match x {
        Either::Left(a) => left.apply(along, a),
        Either::Right(b) => right.apply(along, b),
    }
}
