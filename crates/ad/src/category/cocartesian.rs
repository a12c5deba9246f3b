//! Categories with finite sums.

use super::{Category, Hom, ObjectName};

/// A category with finite coproducts: the finite products of the [opposite category](super::opposite).
///
/// | law | equation |
/// |---|---|
/// | β | `left.then([f, g]) = f`, `right.then([f, g]) = g` |
/// | η | `[left.then(h), right.then(h)] = h` |
/// | fusion | `[f, g].then(h) = [f.then(h), g.then(h)]` |
/// | uniqueness | two arrows out of 0 are equal |
///
/// The declarations of the language give no object 0, since each declared type must have a value. Sources: H §5.1,
/// Prop. 5.
pub trait Cocartesian: Category {
    /// 0
    type Initial: ObjectName<Self>;

    /// `? : 0 → A`
    fn initial<A: ObjectName<Self>>() -> Hom<Self, Self::Initial, A>;

    /// A + B
    type Sum<A: ObjectName<Self>, B: ObjectName<Self>>: ObjectName<Self>;

    /// `left : A → A + B`
    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<Self, A, SumOf<Self, A, B>>;

    /// `right : B → A + B`
    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<Self, B, SumOf<Self, A, B>>;

    /// `[f, g] : A + B → X`
    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &Self::Hom<A, X>,
        g: &Self::Hom<B, X>,
    ) -> Hom<Self, SumOf<Self, A, B>, X>;
}

/// The sum of two objects.
pub type SumOf<C, A, B> = <C as Cocartesian>::Sum<A, B>;
