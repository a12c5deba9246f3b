//! Simple types, as names of objects in every category that has what they are made of.
//!
//! `Times<Real, To<Real, Real>>` names ℝ × (ℝ ⇒ ℝ), whatever the real line of the category is.

use crate::category::{Category, Names};
use std::marker::PhantomData;

/// The real line.
#[derive(Debug)]
pub enum Real {}
/// 1
#[derive(Debug)]
pub enum One {}
/// 0
#[derive(Debug)]
pub enum Zero {}
/// A × B
#[derive(Debug)]
pub struct Times<A, B>(PhantomData<fn() -> (A, B)>);
/// A + B
#[derive(Debug)]
pub struct Plus<A, B>(PhantomData<fn() -> (A, B)>);
/// A ⇒ B
#[derive(Debug)]
pub struct To<A, B>(PhantomData<fn() -> (A, B)>);
/// List A
#[derive(Debug)]
pub struct ListOf<A>(PhantomData<fn() -> A>);

/// A category in which simple types denote objects.
pub trait Simple: Category {
    /// The real line.
    fn real() -> Self::Object;
    /// 1
    fn one() -> Self::Object;
    /// 0
    fn zero() -> Self::Object;
    /// A × B
    fn times(a: Self::Object, b: Self::Object) -> Self::Object;
    /// A + B
    fn plus(a: Self::Object, b: Self::Object) -> Self::Object;
    /// A ⇒ B
    fn to(a: Self::Object, b: Self::Object) -> Self::Object;
    /// List A
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
