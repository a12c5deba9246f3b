//! The clauses of the meaning where a plausible wrong one exists, for whoever wants to see what becomes of programs under it.

use crate::pieces::Test;
use crate::smooth::graph::{Graph, Variable};
use crate::value::Undefined;
use std::fmt;

/// What is done at each of these places; what is not written is as in W.
///
/// *Theorem to keep*: the pieces of a program are a partition of where it was unfolded, it is on each what they say, and its
/// derivative is an intensional derivative of it (W Props. on PAP functions and on 𝒟). Nothing checks that: it is what laws are for.
pub trait Hooks: fmt::Debug + Send + Sync {
    /// What is asked for a comparison.
    fn test(&self, test: Test) -> Test {
        test
    }
    /// A map at the point of a derivative.
    fn at_the_point(&self, graph: &Graph, v: Variable, at: &Graph) -> Graph {
        graph.substitute(&[(v, at.clone())])
    }
    /// Whether what an operation needs to be defined is asked, and kept on the path.
    fn keeps_conditions(&self) -> bool {
        true
    }
    /// Whether `abs` forks.
    fn forks_at_kinks(&self) -> bool {
        true
    }
    /// Whether both answers to a guard are followed.
    fn follows_both(&self) -> bool {
        true
    }
    /// Whether what was not unfolded is told.
    fn tells_the_rest(&self) -> bool {
        true
    }
    /// What it says of a program that its fuel was used up.
    fn fuel(&self, found: Undefined) -> Undefined {
        found
    }
}

/// The clauses of W.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
