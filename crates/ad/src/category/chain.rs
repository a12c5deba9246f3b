//! Chains of approximants and their suprema: the structure that interprets recursion.

use super::{Names, restriction::Restriction};

/// A category in which recursive arrows are given by approximants: µ⁰ unfolds nothing, µⁿ⁺¹ is one more unfolding of µⁿ.
///
/// | law | equation |
/// |---|---|
/// | increasing | `µⁿ ≤ µⁿ⁺¹` |
/// | upper bound | `µⁿ ≤ µ` |
/// | reached | where µ is defined, so is some µⁿ |
///
/// Source: A §4 (Prop. 4.4), §5 and §6.2.
pub trait Chains: Restriction {
    /// A recursive arrow from A to B.
    type Chain<A: Names<Self>, B: Names<Self>>;

    /// µⁿ
    fn approximant<A: Names<Self>, B: Names<Self>>(chain: &Self::Chain<A, B>, n: u64) -> Self::Hom<A, B>;

    /// µ, the supremum of all µⁿ.
    fn supremum<A: Names<Self>, B: Names<Self>>(chain: &Self::Chain<A, B>) -> Self::Hom<A, B>;
}
