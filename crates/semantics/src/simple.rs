//! Simple types as names of objects, in every category that has products, sums, exponentials, lists and a real line.
//!
//! `Times<Real, To<Real, Real>>` names ℝ × (ℝ ⇒ ℝ), for any choice of the real line in the category.

use crate::category::{Category, Names};
use std::marker::PhantomData;

/// The real line ℝ.
#[derive(Debug)]
pub enum Real {}
/// The terminal object 1.
#[derive(Debug)]
pub enum One {}
/// The initial object 0.
#[derive(Debug)]
pub enum Zero {}
/// The product A × B.
#[derive(Debug)]
pub struct Times<A, B>(PhantomData<fn() -> (A, B)>);
/// The coproduct A + B.
#[derive(Debug)]
pub struct Plus<A, B>(PhantomData<fn() -> (A, B)>);
/// The exponential A ⇒ B.
#[derive(Debug)]
pub struct To<A, B>(PhantomData<fn() -> (A, B)>);
/// The list object List A.
#[derive(Debug)]
pub struct ListOf<A>(PhantomData<fn() -> A>);

/// A category in which simple types denote objects.
pub trait Simple: Category {
    /// Returns the real line ℝ.
    fn real() -> Self::Object;
    /// Returns the terminal object 1.
    fn one() -> Self::Object;
    /// Returns the initial object 0.
    fn zero() -> Self::Object;
    /// Returns the product A × B.
    fn times(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the coproduct A + B.
    fn plus(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the exponential A ⇒ B.
    fn to(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the list object List A.
    fn list_of(a: Self::Object) -> Self::Object;
}

impl<C: Simple> Names<C> for Real {
    fn object() -> C::Object {
        C::real()
    }
}

impl<C: Simple> Names<C> for One {
    fn object() -> C::Object {
        C::one()
    }
}

impl<C: Simple> Names<C> for Zero {
    fn object() -> C::Object {
        C::zero()
    }
}

// The three binary constructors name their object from the objects of both parameters.
macro_rules! made {
    ($($name:ident $make:ident;)*) => {
        $(impl<C: Simple, A: Names<C>, B: Names<C>> Names<C> for $name<A, B> {
            fn object() -> C::Object {
                C::$make(A::object(), B::object())
            }
        })*
    };
}

made! {
    Times times;
    Plus plus;
    To to;
}

impl<C: Simple, A: Names<C>> Names<C> for ListOf<A> {
    fn object() -> C::Object {
        C::list_of(A::object())
    }
}
