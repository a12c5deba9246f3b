//! Questions on the sign of a map.

use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::undefined::Site;
use std::cmp::Ordering;
use std::fmt;

/// What is asked of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// g > 0
    Positive,
    /// g ≥ 0
    NonNegative,
    /// g = 0
    Zero,
}

impl Test {
    /// Whether a number of this sign passes: how it compares to 0.
    #[must_use]
    pub fn holds(self, sign: Ordering) -> bool {
        match self {
            Self::Positive => sign == Ordering::Greater,
            Self::NonNegative => sign != Ordering::Less,
            Self::Zero => sign == Ordering::Equal,
        }
    }
}

/// Whether an analytic map is positive, not negative, or 0. The border belongs to one of the sides.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The map.
    pub graph: Graph,
    /// What is asked of it.
    pub test: Test,
    /// Where it is asked, in the table of whoever asks.
    pub site: Site,
}

impl Guard {
    /// A question on a map.
    #[must_use]
    pub fn new(graph: &Graph, test: Test, site: Site) -> Self {
        Self { graph: graph.clone(), test, site }
    }

    /// A question on a difference: of x - y, with no node for a side that is 0.
    #[must_use]
    pub fn between(x: &Graph, y: &Graph, test: Test, site: Site) -> Self {
        let is_zero = |g: &Graph| g.as_rational().is_some_and(|q| *q == 0);
        let graph = match (is_zero(x), is_zero(y)) {
            (_, true) => x.clone(),
            (true, false) => Graph::unary(Unary::Negate, y),
            _ => Graph::binary(Binary::Subtract, x, y),
        };
        Self { graph, test, site }
    }

    /// The preimage: the same question where other maps stand for variables.
    #[must_use]
    pub fn along(&self, bindings: &[(Variable, Graph)]) -> Self {
        Self { graph: self.graph.substitute(bindings), ..self.clone() }
    }
}

/// An answer to a question: an analytic set.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The question.
    pub guard: Guard,
    /// Whether it holds.
    pub holds: bool,
    /// Whether it is a condition of an operation, without which this has no value: it is not chosen by.
    pub is_condition: bool,
}

impl Decided {
    /// Whether the set has an inside where it is not empty, but for what is 0 everywhere: all but g = 0.
    #[must_use]
    pub fn is_open_or_closed(&self) -> bool {
        self.guard.test != Test::Zero || !self.holds
    }

    /// The sign with which it is written after the map: `> 0`.
    #[must_use]
    pub fn sign(&self) -> &'static str {
        match (self.guard.test, self.holds) {
            (Test::Positive, true) => ">",
            (Test::Positive, false) => "<=",
            (Test::NonNegative, true) => ">=",
            (Test::NonNegative, false) => "<",
            (Test::Zero, true) => "==",
            (Test::Zero, false) => "/=",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "> 0",
            Self::NonNegative => ">= 0",
            Self::Zero => "== 0",
        })
    }
}
