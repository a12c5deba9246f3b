//! Equality of arrows, as far as it can be observed.

use super::{Category, ObjectName};
use crate::verdict::Verdict;

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
