//! Isomorphisms, as pairs of arrows.

use super::{Category, ObjectName};

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
