//! Categories with finite products.

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
