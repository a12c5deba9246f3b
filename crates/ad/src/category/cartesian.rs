//! Categories with finite products.
//!
//! # Categories with finite sums
//!
//! # Categories with exponentials
//!
//! # Categories with lists
//!
//! # Chains of approximants and their suprema
//!
//! The structure that interprets recursion.
//!
//! # Maps between categories
//!
//! # Maps between functors

use super::restriction::RestrictionCategory;
use super::{Category, Hom, ObjectName};

/// A category with a terminal object and binary products.
///
/// | law | equation |
/// |---|---|
/// | β | `⟨f, g⟩.then(fst) = f`, `⟨f, g⟩.then(snd) = g` |
/// | η | `⟨fst, snd⟩ = id` |
/// | fusion | `h.then(⟨f, g⟩) = ⟨h.then(f), h.then(g)⟩` |
/// | terminal | every `f : A → 1` is `!` |
///
/// Sources: S §4.4 and Prop. 4.5 for the category AD.
pub trait Cartesian: Category {
    /// 1
    type Terminal: ObjectName<Self>;
    /// A × B
    type Product<A: ObjectName<Self>, B: ObjectName<Self>>: ObjectName<Self>;

    /// `! : A → 1`
    fn terminal<A: ObjectName<Self>>() -> Self::Hom<A, Self::Terminal>;

    /// `⟨f, g⟩ : X → A × B`
    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Self::Hom<X, A>,
        g: &Self::Hom<X, B>,
    ) -> Hom<Self, X, ProductOf<Self, A, B>>;

    /// `fst : A × B → A`
    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<Self, ProductOf<Self, A, B>, A>;

    /// `snd : A × B → B`
    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Hom<Self, ProductOf<Self, A, B>, B>;
}

/// The product of two objects.
pub type ProductOf<C, A, B> = <C as Cartesian>::Product<A, B>;

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

/// A category in which recursive arrows are given by approximants: µ⁰ unfolds nothing, µⁿ⁺¹ is one more unfolding of µⁿ.
///
/// | law | equation |
/// |---|---|
/// | increasing | `µⁿ ≤ µⁿ⁺¹` |
/// | upper bound | `µⁿ ≤ µ` |
/// | reached | where µ is defined, so is some µⁿ |
///
/// Source: A §4 (Prop. 4.4), §5 and §6.2.
pub trait Chains: RestrictionCategory {
    /// A recursive arrow from A to B.
    type Chain<A: ObjectName<Self>, B: ObjectName<Self>>;

    /// µⁿ
    fn approximant<A: ObjectName<Self>, B: ObjectName<Self>>(chain: &Self::Chain<A, B>, n: u64) -> Self::Hom<A, B>;

    /// µ, the supremum of all µⁿ.
    fn supremum<A: ObjectName<Self>, B: ObjectName<Self>>(chain: &Self::Chain<A, B>) -> Self::Hom<A, B>;
}

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

/// A natural transformation: an arrow for each object.
///
/// | law | equation |
/// |---|---|
/// | naturality | `F(f).then(at B) = (at A).then(G(f))` for every `f : A → B` |
///
/// Sources: the maps of presheaves of S §5.1; in AD, the projection of the tangent functor to the point.
pub trait NaturalTransformation {
    /// The category of the objects.
    type Source: super::Category;
    /// F
    type Domain: Functor<From = Self::Source>;
    /// G
    type Codomain: Functor<From = Self::Source, To = <Self::Domain as Functor>::To>;

    /// The component `F(A) → G(A)`.
    fn component<A: ObjectName<Self::Source>>() -> NaturalComponent<Self::Domain, Self::Codomain, A>;
}

/// The arrows `F(A) → G(A)`.
pub type NaturalComponent<F, G, A> = Hom<<F as Functor>::To, <F as Functor>::On<A>, <G as Functor>::On<A>>;
