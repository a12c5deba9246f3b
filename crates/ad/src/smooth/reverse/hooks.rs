//! Hooks of a reverse sweep: they replace single rules, to test that a wrong rule is detected.

use super::add_nonzero;
use crate::smooth::graph::Graph;
use std::fmt::Debug;

/// Rules of a sweep that may be replaced. The provided methods are the rules of the library.
///
/// A gradient is right only if the hooks keep their theorems. They are not checked here: the laws test them.
pub trait ReverseHooks: Debug {
    /// Returns the cotangents that a node with the cotangent w adds to its operands, or, for a binder, to its captures.
    /// `library` computes the library's result for a cotangent.
    ///
    /// *Theorem to keep*: each operand gets w times the partial derivative of the node in it, all others fixed; at a
    /// kink a set that contains Clarke's partial derivatives.
    fn operand_cotangents(
        &self,
        node: &Graph,
        w: &Graph,
        library: &mut dyn FnMut(&Graph) -> CotangentContributions,
    ) -> CotangentContributions {
        let _ = node;
        library(w)
    }

    /// Adds the cotangents of a node from two of its uses.
    ///
    /// *Theorem to keep*: the sum (A (10)).
    fn sum_cotangents(&self, one: &Graph, another: &Graph) -> Graph {
        add_nonzero(one, another)
    }

    /// Returns the term that is added to each component, so that it is defined only where the map is defined on a
    /// neighbourhood.
    ///
    /// *Theorem to keep*: 0, or ⊥ where the map is not defined nearby.
    fn definedness_term(&self, nearby: Graph) -> Graph {
        nearby
    }
}

/// Operands of a node, each with the cotangent that is added to it.
pub type CotangentContributions = Vec<(Graph, Graph)>;

/// The hooks of the library.
#[derive(Clone, Copy, Debug)]
pub struct StandardReverseHooks;

impl ReverseHooks for StandardReverseHooks {}
