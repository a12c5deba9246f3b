//! Opposite categories: the same objects, and arrows the other way round.
//!
//! The sums of a category are the products of its opposite, and its 0 is the terminal object there. So every law of
//! products is a law of sums.

use super::{Cartesian, Category, Cocartesian, Hom, ObjectName, Setoid, SumOf};
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
pub struct Unop<A>(PhantomData<fn() -> A>);

impl<C: Category, A: ObjectName<C>> ObjectName<Opposite<C>> for Op<A> {
    fn object() -> C::Object {
        A::object()
    }
}

impl<C: Category, A: ObjectName<Opposite<C>>> ObjectName<C> for Unop<A> {
    fn object() -> C::Object {
        A::object()
    }
}

/// A category in which an arrow does not depend on the types that name its source and target.
pub trait RelabelEnds: Category {
    /// An arrow A → B as one X → Y, where A and X name one object, and B and Y another.
    fn relabel_ends<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>, Y: ObjectName<Self>>(
        f: &Self::Hom<A, B>,
    ) -> Self::Hom<X, Y>;
}

impl<C: Category> Category for Opposite<C> {
    type Object = C::Object;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = C::Hom<Unop<B>, Unop<A>>;

    fn identity<A: ObjectName<Self>>() -> Hom<C, Unop<A>, Unop<A>> {
        <C as Category>::identity::<Unop<A>>()
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, D: ObjectName<Self>>(
        f: &Hom<C, Unop<B>, Unop<A>>,
        g: &Hom<C, Unop<D>, Unop<B>>,
    ) -> Hom<C, Unop<D>, Unop<A>> {
        C::then::<Unop<D>, Unop<B>, Unop<A>>(g, f)
    }
}

/// The sum of two objects, as their product in the opposite category.
type OppositeProduct<C, A, B> = Op<SumOf<C, Unop<A>, Unop<B>>>;

impl<C: Cocartesian + RelabelEnds> Cartesian for Opposite<C> {
    type Terminal = Op<C::Initial>;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = OppositeProduct<C, A, B>;

    fn terminal<A: ObjectName<Self>>() -> Hom<C, Unop<Self::Terminal>, Unop<A>> {
        // `Unop<Op<A>>` and `A` name one object, but they are two types to the compiler: each structure map is
        // relabelled.
        C::relabel_ends::<C::Initial, Unop<A>, _, _>(&C::initial::<Unop<A>>())
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Hom<C, Unop<A>, Unop<X>>,
        g: &Hom<C, Unop<B>, Unop<X>>,
    ) -> Hom<C, Unop<OppositeProduct<C, A, B>>, Unop<X>> {
        C::relabel_ends::<SumOf<C, Unop<A>, Unop<B>>, Unop<X>, _, _>(&C::case::<Unop<A>, Unop<B>, Unop<X>>(f, g))
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<C, Unop<A>, Unop<OppositeProduct<C, A, B>>> {
        C::relabel_ends::<Unop<A>, SumOf<C, Unop<A>, Unop<B>>, _, _>(&C::left::<Unop<A>, Unop<B>>())
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<C, Unop<B>, Unop<OppositeProduct<C, A, B>>> {
        C::relabel_ends::<Unop<B>, SumOf<C, Unop<A>, Unop<B>>, _, _>(&C::right::<Unop<A>, Unop<B>>())
    }
}

impl<C: Setoid> Setoid for Opposite<C> {
    type Trial = C::Trial;
    type Error = C::Error;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Hom<C, Unop<B>, Unop<A>>,
        right: &Hom<C, Unop<B>, Unop<A>>,
        trial: &C::Trial,
    ) -> Result<Verdict, C::Error> {
        C::agree::<Unop<B>, Unop<A>>(left, right, trial)
    }
}
