//! Sums of presheaves: `(A + B)(Γ) = A(Γ) + B(Γ)` (S §8.1).
//!
//! In presheaves sums are taken stage by stage. Which summand an element lies in does not vary over a stage.

use super::Presheaf;
use super::exponential::Natural;
use crate::smooth::dimension::Shape;
use crate::smooth::map::Map;
use std::marker::PhantomData;

/// The presheaf of elements of one of two presheaves.
pub struct Sum<A, B>(PhantomData<fn() -> (A, B)>);

/// An element of one of two presheaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Either<A, B> {
    /// An element of the first.
    Left(A),
    /// An element of the second.
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

/// `case : (A ⇒ C) × (B ⇒ C) × (A + B) → C` at an element of the stage D, later than that of the functions.
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
