//! The clauses of the semantics for which a plausible wrong one exists: the points of mutation for tests.

use crate::pieces::SignTest;
use crate::smooth::graph::{Graph, Variable};
use crate::value::UndefinedValue;
use std::fmt;

/// The replaceable clauses. Everything else is as in W; the defaults are the clauses of W.
///
/// *Invariant to keep*: the pieces of a program partition the part that was unfolded, and on each the program is the map it
/// states. Its derivative is an intensional derivative (W Props. on PAP functions and on 𝒟). Nothing here checks it; the laws do.
pub trait PiecewiseHooks: fmt::Debug + Send + Sync {
    /// Returns the test to ask for a comparison.
    fn test_to_ask(&self, test: SignTest) -> SignTest {
        test
    }
    /// Substitutes the point of a derivative in a map.
    fn substitute_point(&self, graph: &Graph, v: Variable, at: &Graph) -> Graph {
        graph.substitute(&[(v, at.clone())])
    }
    /// Returns `true` if the condition under which an operation is defined is asked, and kept on the path.
    fn keeps_conditions(&self) -> bool {
        true
    }
    /// Returns `true` if `abs` forks into two pieces.
    fn forks_at_kinks(&self) -> bool {
        true
    }
    /// Returns `true` if both answers to a guard are followed.
    fn follows_both_answers(&self) -> bool {
        true
    }
    /// Returns `true` if parts that were not unfolded are reported.
    fn reports_frontier(&self) -> bool {
        true
    }
    /// Returns the error of a program whose fuel is exhausted.
    fn fuel_error(&self, found: UndefinedValue) -> UndefinedValue {
        found
    }
}

/// The clauses of W.
#[derive(Clone, Copy, Debug)]
pub struct DefaultPiecewiseHooks;

impl PiecewiseHooks for DefaultPiecewiseHooks {}
