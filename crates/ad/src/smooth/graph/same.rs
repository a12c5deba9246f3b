//! Equality of graphs up to the names of bound variables.

use super::{Graph, NodeOperation, Variable};
use crate::stack::with_stack;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Graph {
    /// Returns `true` if two graphs are α-equivalent: equal up to the names of bound variables. They then denote one
    /// function.
    #[must_use]
    pub fn is_alpha_equivalent(&self, other: &Self) -> bool {
        AlphaEquivalence { bound: Vec::new(), known: FxHashSet::default() }.are_equal(self, other)
    }
}

/// The state of a comparison: open binders, and pairs of nodes already found equal under them.
struct AlphaEquivalence {
    bound: Vec<(Variable, Variable)>,
    known: FxHashSet<(usize, usize)>,
}

impl AlphaEquivalence {
    // shared nodes would be compared again on every path to them, exponentially often
    fn are_equal(&mut self, a: &Graph, b: &Graph) -> bool {
        let pair = (a.address(), b.address());
        if self.known.contains(&pair) {
            return true;
        }
        let are = with_stack(|| self.compare_operations(a.operation(), b.operation()));
        if are {
            self.known.insert(pair);
        }
        are
    }

    fn compare_operations(&mut self, a: &NodeOperation, b: &NodeOperation) -> bool {
        let is_alike = match (a, b) {
            (NodeOperation::Variable(v), NodeOperation::Variable(w)) => {
                // the innermost binder of either variable decides: it must bind both
                let binder = self.bound.iter().rev().find(|(left, right)| left == v || right == w);
                return binder.map_or(v == w, |binder| *binder == (*v, *w));
            }
            (NodeOperation::Rational(p), NodeOperation::Rational(q)) => p == q,
            (NodeOperation::Pi, NodeOperation::Pi) | (NodeOperation::Euler, NodeOperation::Euler) => true,
            (NodeOperation::Unary(f, _), NodeOperation::Unary(g, _)) => f == g,
            (NodeOperation::Binary(f, ..), NodeOperation::Binary(g, ..)) => f == g,
            (NodeOperation::Power(_, p), NodeOperation::Power(_, q)) => p == q,
            (NodeOperation::Primitive(p, _), NodeOperation::Primitive(q, _)) => Arc::ptr_eq(p, q),
            (NodeOperation::Derivative(d), NodeOperation::Derivative(e)) => {
                d.coordinate_index == e.coordinate_index && d.at.len() == e.at.len()
            }
            (NodeOperation::Second(p, ..), NodeOperation::Second(q, ..)) => p == q,
            (NodeOperation::Select(..), NodeOperation::Select(..)) => true,
            _ => false,
        };
        let (parts, others) = (a.operands(), b.operands());
        is_alike
            && parts.len() == others.len()
            && parts.iter().zip(&others).all(|(a, b)| self.are_equal(a, b))
            && self.bind_alike(a, b)
    }

    fn bind_alike(&mut self, a: &NodeOperation, b: &NodeOperation) -> bool {
        let (Some((variables, body)), Some((others, other))) = (a.binder(), b.binder()) else { return true };
        if variables.len() != others.len() {
            return false;
        }
        let before = self.bound.len();
        self.bound.extend(variables.iter().copied().zip(others.iter().copied()));
        // pairs that are equal under other binders need not be so under these
        let outside = std::mem::take(&mut self.known);
        let are = self.are_equal(body, other);
        self.known = outside;
        self.bound.truncate(before);
        are
    }
}
