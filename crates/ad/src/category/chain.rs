//! Chains of approximants and their suprema: the structure that interprets recursion.

use super::{ObjectName, restriction::RestrictionCategory};

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
