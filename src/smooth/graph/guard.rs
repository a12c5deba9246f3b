//! Conditions on real numbers, and the choice between two maps by one.
//!
//! A guard is built from `g > 0` by ∧, ∨, ¬. It holds on an open set, fails on an open set, and on the border between them
//! it is ⊥: `<` and `≤` mean the same. So a guard is as good as a real number, which is positive where it holds and
//! negative where it fails, and Kleene's connectives are lattice operations on these numbers:
//!
//! | guard | number |
//! |---|---|
//! | g > 0 | g |
//! | p ∧ q, p ∨ q, ¬p | min(p, q), max(p, q), -p |
//! | if p then q else r | the choice of q or r by p |
//!
//! ∧ and ∨ are decided on the border of one side where the other side decides them; both sides must be defined, as with
//! every operation. A choice between guards asks nothing of the side that is not taken.
//!
//! [`Graph::select`] is the choice between two maps:
//!
//! | guard at the point | value | derivatives |
//! |---|---|---|
//! | holds | the first map; the second does not count, not even for definedness | its derivatives |
//! | fails | the second map, likewise | its derivatives |
//! | border, or not decided on the box | the hull of both, not defined | ⊥ |
//!
//! A guard that is decided at a point is decided nearby, hence the derivatives. Where it is not decided there are none, not
//! even Clarke's: the hull of the slopes of both sides would make d/dt ∫[u < t] du 0, and it is 1. A choice between a map
//! and itself is ⊥ on the border like any other.

use super::{Binary, Graph, Operation, Site, Unary};
use crate::number::Rational;

/// A condition that is decided on an open set.
#[derive(Clone, Debug)]
pub struct Guard(Graph);

impl Guard {
    /// a > 0, a ≥ 0
    #[must_use]
    pub fn positive(a: &Graph) -> Self {
        Self(a.clone())
    }

    /// a < b, a ≤ b
    #[must_use]
    pub fn less(a: &Graph, b: &Graph) -> Self {
        let is_zero = |g: &Graph| g.as_rational().is_some_and(Rational::is_zero);
        Self(match (is_zero(a), is_zero(b)) {
            (true, _) => b.clone(),
            (_, true) => Graph::unary(Unary::Negate, a),
            _ => Graph::binary(Binary::Subtract, b, a),
        })
    }

    /// The guard that always holds, or always fails.
    #[must_use]
    pub fn constant(holds: bool) -> Self {
        Self(Graph::integer(if holds { 1 } else { -1 }))
    }

    /// Both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(Graph::binary(Binary::Minimum, &self.0, &other.0))
    }

    /// One of them.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self(Graph::binary(Binary::Maximum, &self.0, &other.0))
    }

    /// Not this one.
    #[must_use]
    pub fn not(&self) -> Self {
        Self(Graph::unary(Unary::Negate, &self.0))
    }

    /// One guard where this one holds, another where it fails.
    #[must_use]
    pub fn choose(&self, then: &Self, otherwise: &Self) -> Self {
        Self(Graph::select(self, &then.0, &otherwise.0))
    }

    /// The same guard, known to stand at a place of a source.
    #[must_use]
    pub fn at(self, site: Site) -> Self {
        Self(self.0.at(site))
    }

    /// The guard that a number stands for: it holds where that is positive, and fails where it is negative.
    #[must_use]
    pub fn number(&self) -> &Graph {
        &self.0
    }
}

impl Graph {
    /// `then` where the guard holds, `otherwise` where it fails; see [`Guard`].
    #[must_use]
    pub fn select(guard: &Guard, then: &Self, otherwise: &Self) -> Self {
        Self::new(Operation::Select(guard.0.clone(), then.clone(), otherwise.clone())).at(guard.0.site())
    }
}
