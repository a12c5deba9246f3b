//! Categories with exponentials.

use super::cartesian::Product;
use super::{Cartesian, Hom, Names};

/// A Cartesian closed category.
///
/// | law | equation |
/// |---|---|
/// | β | `⟨fst.then(curry f), snd⟩.then(apply) = f` |
/// | η | `curry(⟨fst.then(g), snd⟩.then(apply)) = g` |
///
/// Sources: S §5.1 for presheaves; H §2 for the language as a category. The category AD is not closed.
pub trait Closed: Cartesian {
    /// A ⇒ B
    type Exponential<A: Names<Self>, B: Names<Self>>: Names<Self>;

    /// `curry f : X → (A ⇒ B)`
    fn curry<X: Names<Self>, A: Names<Self>, B: Names<Self>>(
        f: &Hom<Self, Product<Self, X, A>, B>,
    ) -> Hom<Self, X, Self::Exponential<A, B>>;

    /// `apply : (A ⇒ B) × A → B`
    fn apply<A: Names<Self>, B: Names<Self>>() -> Evaluation<Self, A, B>;
}

/// The arrows `(A ⇒ B) × A → B`.
pub type Evaluation<C, A, B> = Hom<C, Product<C, <C as Closed>::Exponential<A, B>, A>, B>;
