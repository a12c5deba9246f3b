//! Categories, and types that name their objects.

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
