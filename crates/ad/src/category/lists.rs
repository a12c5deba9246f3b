//! Categories with lists.

use super::cartesian::ProductOf;
use super::{Cartesian, Hom, ObjectName};

/// A Cartesian category with list objects: initial algebras of `1 + A × −`.
///
/// | law | equation |
/// |---|---|
/// | β | `nil.then(fold(z, s)) = z`, `cons.then(fold(z, s)) = ⟨fst, snd.then(fold(z, s))⟩.then(s)` |
/// | η | `fold(nil, cons) = id` |
/// | fusion | `fold(z, s).then(h) = fold(z.then(h), t)` where `s.then(h) = ⟨fst, snd.then(h)⟩.then(t)` |
///
/// Sources: H §5.1, Prop. 5.
pub trait Lists: Cartesian {
    /// List A
    type List<A: ObjectName<Self>>: ObjectName<Self>;

    /// `nil : 1 → List A`
    fn nil<A: ObjectName<Self>>() -> Hom<Self, Self::Terminal, ListObject<Self, A>>;

    /// `cons : A × List A → List A`
    fn cons<A: ObjectName<Self>>() -> Hom<Self, ConsCell<Self, A>, ListObject<Self, A>>;

    /// `fold(z, s) : List A → B`, from the right.
    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(
        start: &Hom<Self, Self::Terminal, B>,
        step: &Hom<Self, ProductOf<Self, A, B>, B>,
    ) -> Hom<Self, ListObject<Self, A>, B>;
}

/// The lists of elements of an object.
pub type ListObject<C, A> = <C as Lists>::List<A>;

/// The domain of `cons`: an element and a list, `A × List A`.
pub type ConsCell<C, A> = ProductOf<C, A, ListObject<C, A>>;
