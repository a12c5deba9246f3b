//! Categories, and types that name their objects.
//!
//! # An arrow together with its category
//!
//! `C::Hom<A, B>` does not determine C, A and B for the compiler; this wrapper does, so laws are written over it.
//!
//! # Isomorphisms
//!
//! Isomorphisms, as pairs of arrows.
//!
//! # Equality of arrows
//!
//! Equality of arrows, as far as it can be observed.

use super::cartesian::{ProductOf, SumOf};
use super::{Cartesian, Cocartesian, Functor};
use crate::verdict::Verdict;

/// A type that names an object of the category `C`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` names no object of the category `{C}`",
    label = "not an object of this category"
)]
pub trait ObjectName<C: Category + ?Sized> {
    /// The object.
    fn object() -> C::Object;
}

/// A category.
///
/// | law | equation |
/// |---|---|
/// | identity | `id.then(f) = f = f.then(id)` |
/// | associativity | `f.then(g).then(h) = f.then(g.then(h))` |
///
/// Sources: S §4.4 and Prop. 4.5 for the category AD.
pub trait Category {
    /// Objects as values.
    type Object;
    /// Arrows from A to B.
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>>;

    /// `id : A → A`
    fn identity<A: ObjectName<Self>>() -> Self::Hom<A, A>;

    /// `g ∘ f : A → C`
    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &Self::Hom<A, B>,
        g: &Self::Hom<B, C>,
    ) -> Self::Hom<A, C>;
}

/// The arrows of a category from A to B.
pub type Hom<C, A, B> = <C as Category>::Hom<A, B>;

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

/// An isomorphism between A and B.
///
/// | law | equation |
/// |---|---|
/// | there and back | `to.then(from) = id` |
/// | back and there | `from.then(to) = id` |
///
/// Sources: S Props. 5.1 to 5.3 (E9, E10).
pub struct Iso<C: Category, A: ObjectName<C>, B: ObjectName<C>> {
    /// A → B
    pub to: C::Hom<A, B>,
    /// B → A
    pub from: C::Hom<B, A>,
}

impl<C: Category, A: ObjectName<C>, B: ObjectName<C>> Iso<C, A, B> {
    /// The isomorphism the other way.
    #[must_use]
    pub fn inverse(self) -> Iso<C, B, A> {
        Iso { to: self.from, from: self.to }
    }

    /// The composite of two isomorphisms.
    #[must_use]
    pub fn then<D: ObjectName<C>>(&self, other: &Iso<C, B, D>) -> Iso<C, A, D> {
        Iso { to: C::then(&self.to, &other.to), from: C::then(&other.from, &self.from) }
    }
}

/// A category whose arrows can be compared.
///
/// Equality of arrows is part of the structure. Where arrows compute real numbers it cannot be decided, only refuted, so
/// the answer is a [`Verdict`]; `==` on arrows does not exist.
///
/// | law | equation |
/// |---|---|
/// | reflexivity | `agree(f, f)` is never refuted |
/// | symmetry | `agree(f, g)` is refuted exactly when `agree(g, f)` is, in the same trial |
/// | congruence | composites of arrows that are equal are not refuted |
///
/// Sources: S §4.1, the order ⊑ and overlap; S Prop. 4.5, where equality holds only between maximal values (E43).
pub trait Setoid: Category {
    /// The configuration of a test: points, orders, widths.
    type Trial: Default;
    /// An error from evaluating an arrow.
    type Error;

    /// Compares two arrows.
    ///
    /// # Errors
    /// Errors of evaluating an arrow.
    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Self::Hom<A, B>,
        right: &Self::Hom<A, B>,
        trial: &Self::Trial,
    ) -> Result<Verdict, Self::Error>;
}
