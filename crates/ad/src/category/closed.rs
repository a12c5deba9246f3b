//! Categories with exponentials.

use super::cartesian::ProductOf;
use super::{Cartesian, Hom, ObjectName};

/// A Cartesian closed category.
///
/// | law | equation |
/// |---|---|
/// | β | `⟨fst.then(curry f), snd⟩.then(apply) = f` |
/// | η | `curry(⟨fst.then(g), snd⟩.then(apply)) = g` |
///
/// Sources: S §5.1 for presheaves; H §2 for the language as a category. The category AD is not closed.
pub trait CartesianClosed: Cartesian {
    /// A ⇒ B
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>>: ObjectName<Self>;

    /// `curry f : X → (A ⇒ B)`
    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Hom<Self, ProductOf<Self, X, A>, B>,
    ) -> Hom<Self, X, Self::Exponential<A, B>>;

    /// `apply : (A ⇒ B) × A → B`
    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> EvaluationHom<Self, A, B>;
}

/// The arrows `(A ⇒ B) × A → B`.
pub type EvaluationHom<C, A, B> = Hom<C, ProductOf<C, <C as CartesianClosed>::Exponential<A, B>, A>, B>;
