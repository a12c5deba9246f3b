//! Categories with lists.

use super::cartesian::Product;
use super::{Cartesian, Hom, Names};

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
    type List<A: Names<Self>>: Names<Self>;

    /// `nil : 1 → List A`
    fn nil<A: Names<Self>>() -> Hom<Self, Self::Terminal, List<Self, A>>;

    /// `cons : A × List A → List A`
    fn cons<A: Names<Self>>() -> Hom<Self, Cell<Self, A>, List<Self, A>>;

    /// `fold(z, s) : List A → B`, from the right.
    fn fold<A: Names<Self>, B: Names<Self>>(
        start: &Hom<Self, Self::Terminal, B>,
        step: &Hom<Self, Product<Self, A, B>, B>,
    ) -> Hom<Self, List<Self, A>, B>;
}

/// The lists of elements of an object.
pub type List<C, A> = <C as Lists>::List<A>;

/// The domain of `cons`: an element and a list, `A × List A`.
pub type Cell<C, A> = Product<C, A, List<C, A>>;
