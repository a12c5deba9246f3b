//! Opposite categories: the same objects, and arrows the other way round.
//!
//! The sums of a category are the products of its opposite, and its 0 is the terminal object there. So every law of
//! products is a law of sums.

use super::{Cartesian, Category, Cocartesian, Hom, Names, Setoid, Sum};
use crate::verdict::Verdict;
use std::marker::PhantomData;

/// Cᵒᵖ
#[derive(Debug)]
pub struct Opposite<C>(PhantomData<fn() -> C>);

/// In Cᵒᵖ, the object that A names in C.
#[derive(Debug)]
pub struct Op<A>(PhantomData<fn() -> A>);

/// In C, the object that A names in Cᵒᵖ.
#[derive(Debug)]
pub struct Back<A>(PhantomData<fn() -> A>);

impl<C: Category, A: Names<C>> Names<Opposite<C>> for Op<A> {
    fn object() -> C::Object {
        A::object()
    }
}

impl<C: Category, A: Names<Opposite<C>>> Names<C> for Back<A> {
    fn object() -> C::Object {
        A::object()
    }
}

/// A category in which an arrow does not depend on the types that name its source and target.
pub trait Renamed: Category {
    /// An arrow A → B as one X → Y, where A and X name one object, and B and Y another.
    fn renamed<A: Names<Self>, B: Names<Self>, X: Names<Self>, Y: Names<Self>>(f: &Self::Hom<A, B>) -> Self::Hom<X, Y>;
}

impl<C: Category> Category for Opposite<C> {
    type Object = C::Object;
    type Hom<A: Names<Self>, B: Names<Self>> = C::Hom<Back<B>, Back<A>>;

    fn identity<A: Names<Self>>() -> Hom<C, Back<A>, Back<A>> {
        <C as Category>::identity::<Back<A>>()
    }

    fn then<A: Names<Self>, B: Names<Self>, D: Names<Self>>(
        f: &Hom<C, Back<B>, Back<A>>,
        g: &Hom<C, Back<D>, Back<B>>,
    ) -> Hom<C, Back<D>, Back<A>> {
        C::then::<Back<D>, Back<B>, Back<A>>(g, f)
    }
}

/// The sum of two objects, as their product in the opposite category.
type Both<C, A, B> = Op<Sum<C, Back<A>, Back<B>>>;

impl<C: Cocartesian + Renamed> Cartesian for Opposite<C> {
    type Terminal = Op<C::Initial>;
    type Product<A: Names<Self>, B: Names<Self>> = Both<C, A, B>;

    fn terminal<A: Names<Self>>() -> Hom<C, Back<Self::Terminal>, Back<A>> {
        // `Back<Op<A>>` and `A` name one object, but they are two types to the compiler: each structure map is
        // relabelled.
        C::renamed::<C::Initial, Back<A>, _, _>(&C::initial::<Back<A>>())
    }

    fn pair<X: Names<Self>, A: Names<Self>, B: Names<Self>>(
        f: &Hom<C, Back<A>, Back<X>>,
        g: &Hom<C, Back<B>, Back<X>>,
    ) -> Hom<C, Back<Both<C, A, B>>, Back<X>> {
        C::renamed::<Sum<C, Back<A>, Back<B>>, Back<X>, _, _>(&C::case::<Back<A>, Back<B>, Back<X>>(f, g))
    }

    fn first<A: Names<Self>, B: Names<Self>>() -> Hom<C, Back<A>, Back<Both<C, A, B>>> {
        C::renamed::<Back<A>, Sum<C, Back<A>, Back<B>>, _, _>(&C::left::<Back<A>, Back<B>>())
    }

    fn second<A: Names<Self>, B: Names<Self>>() -> Hom<C, Back<B>, Back<Both<C, A, B>>> {
        C::renamed::<Back<B>, Sum<C, Back<A>, Back<B>>, _, _>(&C::right::<Back<A>, Back<B>>())
    }
}

impl<C: Setoid> Setoid for Opposite<C> {
    type Trial = C::Trial;
    type Error = C::Error;

    fn agree<A: Names<Self>, B: Names<Self>>(
        left: &Hom<C, Back<B>, Back<A>>,
        right: &Hom<C, Back<B>, Back<A>>,
        trial: &C::Trial,
    ) -> Result<Verdict, C::Error> {
        C::agree::<Back<B>, Back<A>>(left, right, trial)
    }
}
