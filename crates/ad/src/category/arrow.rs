//! An arrow together with its category.
//!
//! `C::Hom<A, B>` does not determine C, A and B for the compiler; this wrapper does, so laws are written over it.

use super::cartesian::ProductOf;
use super::cocartesian::SumOf;
use super::{Cartesian, Category, Cocartesian, Functor, Hom, ObjectName, Setoid};
use crate::verdict::Verdict;

/// An arrow of the category C from A to B.
pub struct Arrow<C: Category, A: ObjectName<C>, B: ObjectName<C>>(pub C::Hom<A, B>);

impl<C: Category, A: ObjectName<C>> Arrow<C, A, A> {
    /// `id : A → A`
    #[must_use]
    pub fn identity() -> Self {
        Self(C::identity())
    }
}

impl<C: Category, A: ObjectName<C>, B: ObjectName<C>> Arrow<C, A, B> {
    /// `g ∘ self`
    #[must_use]
    pub fn then<D: ObjectName<C>>(&self, g: &Arrow<C, B, D>) -> Arrow<C, A, D> {
        Arrow(C::then(&self.0, &g.0))
    }

    /// The image under a functor.
    #[must_use]
    pub fn map_functor<F: Functor<From = C>>(&self) -> Arrow<F::To, F::On<A>, F::On<B>> {
        Arrow(F::map(&self.0))
    }

    /// Compares this arrow with `other`, on the samples of `trial`.
    ///
    /// # Errors
    /// Errors of evaluating the arrows.
    pub fn agrees(&self, other: &Self, trial: &C::Trial) -> Result<Verdict, C::Error>
    where
        C: Setoid,
    {
        C::agree::<A, B>(&self.0, &other.0, trial)
    }
}

impl<C: Cartesian, A: ObjectName<C>, B: ObjectName<C>> Arrow<C, A, B> {
    /// `⟨self, g⟩`
    #[must_use]
    pub fn pair<D: ObjectName<C>>(&self, g: &Arrow<C, A, D>) -> Arrow<C, A, ProductOf<C, B, D>> {
        Arrow(C::pair(&self.0, &g.0))
    }

    /// `fst : A × B → A`
    #[must_use]
    pub fn first() -> Arrow<C, ProductOf<C, A, B>, A> {
        let first: Hom<C, ProductOf<C, A, B>, A> = C::first::<A, B>();
        Arrow(first)
    }

    /// `snd : A × B → B`
    #[must_use]
    pub fn second() -> Arrow<C, ProductOf<C, A, B>, B> {
        let second: Hom<C, ProductOf<C, A, B>, B> = C::second::<A, B>();
        Arrow(second)
    }
}

impl<C: Cartesian, A: ObjectName<C>> Arrow<C, A, C::Terminal> {
    /// `! : A → 1`
    #[must_use]
    pub fn terminal() -> Self {
        Self(C::terminal::<A>())
    }
}

impl<C: Cocartesian, A: ObjectName<C>, B: ObjectName<C>> Arrow<C, A, B> {
    /// `[self, g]`
    #[must_use]
    pub fn copair<D: ObjectName<C>>(&self, g: &Arrow<C, D, B>) -> Arrow<C, SumOf<C, A, D>, B> {
        Arrow(C::case(&self.0, &g.0))
    }

    /// `left : A → A + B`
    #[must_use]
    pub fn left() -> Arrow<C, A, SumOf<C, A, B>> {
        Arrow(C::left::<A, B>())
    }

    /// `right : B → A + B`
    #[must_use]
    pub fn right() -> Arrow<C, B, SumOf<C, A, B>> {
        Arrow(C::right::<A, B>())
    }
}
