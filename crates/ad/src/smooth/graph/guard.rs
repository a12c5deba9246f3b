//! Guards: conditions on real numbers, and the choice between two maps by one.
//!
//! A guard is built from `g > 0` by ∧, ∨, ¬. It holds on an open set, fails on an open set, and is ⊥ on the boundary
//! between them: `<` and `≤` mean the same. So a guard is represented by a real number, positive where it holds and
//! negative where it fails, and Kleene's connectives are lattice operations on these numbers:
//!
//! | guard | number |
//! |---|---|
//! | g > 0 | g |
//! | p ∧ q, p ∨ q, ¬p | min(p, q), max(p, q), -p |
//! | if p then q else r | the choice of q or r by p |
//!
//! ∧ and ∨ are decided on the boundary of one side if the other side decides them. Both sides must be defined, as with
//! every operation. In a choice between guards the branch that is not taken may be undefined.
//!
//! [`Graph::select`] is the choice between two maps:
//!
//! | guard at the point | value | derivatives |
//! |---|---|---|
//! | holds | the first map; the second does not count, not even for definedness | its derivatives |
//! | fails | the second map, likewise | its derivatives |
//! | boundary, or not decided on the box | the hull of both, not defined | ⊥ |
//!
//! A guard that is decided at a point is decided nearby, hence the derivatives. Where it is not decided there are none,
//! not even Clarke's: with the hull of the slopes of both sides, d/dt ∫[u < t] du would be 0, but it is 1. A choice
//! between a map and itself is ⊥ on the boundary as well.

use super::{Binary, Graph, NodeOperation, SourceId, Unary};
use crate::number::Rational;

/// A condition that is decided on an open set.
#[derive(Clone, Debug)]
pub struct Guard {
    number: Graph,
    /// The position of the guard. Its number may have another position, as in `x > 0`.
    site: SourceId,
}

impl Guard {
    /// Creates a > 0, which also stands for a ≥ 0.
    #[must_use]
    pub fn positive(a: &Graph) -> Self {
        Self::from_number(a.clone())
    }

    fn from_number(number: Graph) -> Self {
        let site = number.site();
        Self { number, site }
    }

    /// Creates a < b, which also stands for a ≤ b.
    #[must_use]
    pub fn less_than(a: &Graph, b: &Graph) -> Self {
        let is_zero = |g: &Graph| g.as_rational().is_some_and(Rational::is_zero);
        let number = match (is_zero(a), is_zero(b)) {
            // a new node for the constant, so that it can get the position of the guard
            (true, _) => b.as_rational().map_or_else(|| b.clone(), |b| Graph::rational(b.clone())),
            (_, true) => Graph::unary(Unary::Negate, a),
            _ => Graph::binary(Binary::Subtract, b, a),
        };
        Self { number, site: SourceId::NOWHERE }
    }

    /// Creates the guard that always holds, or always fails.
    #[must_use]
    pub fn constant(holds: bool) -> Self {
        Self::from_number(Graph::integer(if holds { 1 } else { -1 }))
    }

    /// Returns the conjunction.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self::from_number(Graph::binary(Binary::Minimum, &self.number, &other.number))
    }

    /// Returns the disjunction.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self::from_number(Graph::binary(Binary::Maximum, &self.number, &other.number))
    }

    /// Returns the negation.
    #[must_use]
    pub fn not(&self) -> Self {
        Self::from_number(Graph::unary(Unary::Negate, &self.number))
    }

    /// Returns the guard that equals `then` where `self` holds, and `otherwise` where it fails.
    #[must_use]
    pub fn choose(&self, then: &Self, otherwise: &Self) -> Self {
        Self::from_number(Graph::select(self, &then.number, &otherwise.number))
    }

    /// Sets the source position of the guard, and of its number, unless they have one.
    #[must_use]
    pub fn at_site(self, site: SourceId) -> Self {
        let site = if self.site == SourceId::NOWHERE { site } else { self.site };
        Self { number: self.number.at_site(site), site }
    }

    /// Returns the number that represents the guard: positive where it holds, negative where it fails.
    #[must_use]
    pub fn number(&self) -> &Graph {
        &self.number
    }
}

impl Graph {
    /// Creates the choice: `then` where the guard holds, `otherwise` where it fails; see [`Guard`].
    #[must_use]
    pub fn select(guard: &Guard, then: &Self, otherwise: &Self) -> Self {
        Self::new(NodeOperation::Select(guard.number.clone(), then.clone(), otherwise.clone())).at_site(guard.site)
    }
}
