//! Simple types as names of objects, in every category that has products, sums, exponentials, lists and a real line.
//!
//! `Times<RealLine, To<RealLine, RealLine>>` names ℝ × (ℝ ⇒ ℝ), for any choice of the real line in the category.

use crate::category::{Category, ObjectName};
use std::marker::PhantomData;

/// The real line ℝ.
#[derive(Debug)]
pub enum RealLine {}
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
pub trait SimpleTypes: Category {
    /// Returns the real line ℝ.
    fn real_object() -> Self::Object;
    /// Returns the terminal object 1.
    fn terminal_object() -> Self::Object;
    /// Returns the initial object 0.
    fn initial_object() -> Self::Object;
    /// Returns the product A × B.
    fn product_object(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the coproduct A + B.
    fn sum_object(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the exponential A ⇒ B.
    fn exponential_object(a: Self::Object, b: Self::Object) -> Self::Object;
    /// Returns the list object List A.
    fn list_object(a: Self::Object) -> Self::Object;
}

impl<C: SimpleTypes> ObjectName<C> for RealLine {
    fn object() -> C::Object {
        C::real_object()
    }
}

impl<C: SimpleTypes> ObjectName<C> for One {
    fn object() -> C::Object {
        C::terminal_object()
    }
}

impl<C: SimpleTypes> ObjectName<C> for Zero {
    fn object() -> C::Object {
        C::initial_object()
    }
}

// The three binary constructors name their object from the objects of both parameters.
macro_rules! name_binary_types {
    ($($name:ident $make:ident;)*) => {
        $(impl<C: SimpleTypes, A: ObjectName<C>, B: ObjectName<C>> ObjectName<C> for $name<A, B> {
            fn object() -> C::Object {
                C::$make(A::object(), B::object())
            }
        })*
    };
}

name_binary_types! {
    Times product_object;
    Plus sum_object;
    To exponential_object;
}

impl<C: SimpleTypes, A: ObjectName<C>> ObjectName<C> for ListOf<A> {
    fn object() -> C::Object {
        C::list_object(A::object())
    }
}
