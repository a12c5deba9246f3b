//! Maps between categories.

use super::{Category, Hom, ObjectName};

/// A functor.
///
/// | law | equation |
/// |---|---|
/// | identity | `F(id) = id` |
/// | composition | `F(f.then(g)) = F(f).then(F(g))` |
///
/// Sources: the tangent functor of AD, (f, f′), S §4.3.4; the semantic functors of H, Lemma 4.
pub trait Functor {
    /// The source category.
    type From: Category;
    /// The target category.
    type To: Category;
    /// The image of an object.
    type On<A: ObjectName<Self::From>>: ObjectName<Self::To>;

    /// The image of an arrow.
    fn map<A: ObjectName<Self::From>, B: ObjectName<Self::From>>(
        f: &Hom<Self::From, A, B>,
    ) -> Hom<Self::To, Self::On<A>, Self::On<B>>;
}
