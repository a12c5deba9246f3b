//! Sign conditions on a map.

use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::undefined::SourceId;
use std::cmp::Ordering;
use std::fmt;

/// A condition on the sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignTest {
    /// g > 0
    Positive,
    /// g ≥ 0
    NonNegative,
    /// g = 0
    Zero,
}

impl SignTest {
    /// Returns `true` if a number of this sign satisfies the condition.
    #[must_use]
    pub fn is_satisfied_by(self, sign: Ordering) -> bool {
        match self {
            Self::Positive => sign == Ordering::Greater,
            Self::NonNegative => sign != Ordering::Less,
            Self::Zero => sign == Ordering::Equal,
        }
    }
}

/// A condition on an analytic map: it is positive, nonnegative, or 0. The zero set belongs to one of the two sides.
#[derive(Clone, Debug)]
pub struct SignGuard {
    /// The map.
    pub graph: Graph,
    /// The condition on its value.
    pub test: SignTest,
    /// The position in the source, in the caller's table.
    pub site: SourceId,
}

impl SignGuard {
    /// Creates the condition `test` on `graph`.
    #[must_use]
    pub fn new(graph: &Graph, test: SignTest, site: SourceId) -> Self {
        Self { graph: graph.clone(), test, site }
    }

    /// Creates a condition on the difference x - y, without a node for a side that is 0.
    #[must_use]
    pub fn of_difference(x: &Graph, y: &Graph, test: SignTest, site: SourceId) -> Self {
        let is_zero = |g: &Graph| g.as_rational().is_some_and(|q| *q == 0);
        // the common guard `x > 0` stays x, without a subtraction
        let graph = match (is_zero(x), is_zero(y)) {
            (_, true) => x.clone(),
            (true, false) => Graph::unary(Unary::Negate, y),
            _ => Graph::binary(Binary::Subtract, x, y),
        };
        Self { graph, test, site }
    }

    /// Returns the preimage: the condition with other maps substituted for variables.
    #[must_use]
    pub fn preimage_under(&self, bindings: &[(Variable, Graph)]) -> Self {
        Self { graph: self.graph.substitute(bindings), ..self.clone() }
    }
}

/// A guard with the side that was taken: an analytic set.
#[derive(Clone, Debug)]
pub struct GuardCondition {
    /// The guard.
    pub guard: SignGuard,
    /// `true` if the set is where the guard holds, `false` if where it fails.
    pub holds: bool,
    /// `true` if the guard is the domain condition of an operation, and not a branch of the program.
    pub is_condition: bool,
}

impl GuardCondition {
    /// Returns `false` for g = 0, a set without interior unless g is 0 everywhere. The other sets are open, or closed
    /// with an interior in general.
    #[must_use]
    pub fn is_open_or_closed(&self) -> bool {
        self.guard.test != SignTest::Zero || !self.holds
    }

    /// Returns the comparison with 0 as the language writes it: `>` for `g > 0`.
    #[must_use]
    pub fn comparison_symbol(&self) -> &'static str {
        match (self.guard.test, self.holds) {
            (SignTest::Positive, true) => ">",
            (SignTest::Positive, false) => "<=",
            (SignTest::NonNegative, true) => ">=",
            (SignTest::NonNegative, false) => "<",
            (SignTest::Zero, true) => "==",
            (SignTest::Zero, false) => "/=",
        }
    }
}

impl fmt::Display for SignTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "> 0",
            Self::NonNegative => ">= 0",
            Self::Zero => "== 0",
        })
    }
}
