//! Hooks of a sweep, with which a rule of it is replaced: to see what becomes of gradients under a wrong one.

use super::plus;
use crate::smooth::graph::Graph;
use std::fmt::Debug;

/// What a sweep asks where a rule may be replaced. What is not written is the rule of the library.
///
/// A gradient is right only if the hooks keep their theorems. Nothing checks them: that is what laws are for.
pub trait Hooks: Debug {
    /// What a node with the cotangent w hands to its parts, or, where it binds variables, to what it captures; `library`
    /// says what the library hands on for a cotangent.
    ///
    /// *Theorem to keep*: each part is handed w times the partial derivative of the node in that part, all others fixed; at a
    /// kink a set that contains the partial derivatives of Clarke.
    fn handed(&self, node: &Graph, w: &Graph, library: &mut dyn FnMut(&Graph) -> Handed) -> Handed {
        let _ = node;
        library(w)
    }

    /// What is asked of a node by two of its uses.
    ///
    /// *Theorem to keep*: the sum (A (10)).
    fn together(&self, one: &Graph, another: &Graph) -> Graph {
        plus(one, another)
    }

    /// What each component is given in addition, so that it is defined only where the map is, for all inputs nearby.
    ///
    /// *Theorem to keep*: 0, or ⊥ where the map is not.
    fn nearby(&self, nearby: Graph) -> Graph {
        nearby
    }
}

/// The parts of a node, each with what it is handed.
pub type Handed = Vec<(Graph, Graph)>;

/// Those of the library.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
