//! Equality of graphs up to the names of bound variables.

use super::{Graph, Operation, Variable};
use crate::stack::deep;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Graph {
    /// Returns `true` if two graphs are α-equivalent: equal up to the names of bound variables. They then denote one
    /// function.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        Alike { bound: Vec::new(), known: FxHashSet::default() }.are(self, other)
    }
}

/// The state of a comparison: open binders, and pairs of nodes already found equal under them.
struct Alike {
    bound: Vec<(Variable, Variable)>,
    known: FxHashSet<(usize, usize)>,
}

impl Alike {
    // shared nodes would be compared again on every path to them, exponentially often
    fn are(&mut self, a: &Graph, b: &Graph) -> bool {
        let pair = (a.address(), b.address());
        if self.known.contains(&pair) {
            return true;
        }
        let are = deep(|| self.compared(a.operation(), b.operation()));
        if are {
            self.known.insert(pair);
        }
        are
    }

    fn compared(&mut self, a: &Operation, b: &Operation) -> bool {
        let is_alike = match (a, b) {
            (Operation::Variable(v), Operation::Variable(w)) => {
                // the innermost binder of either variable decides: it must bind both
                let binder = self.bound.iter().rev().find(|(left, right)| left == v || right == w);
                return binder.map_or(v == w, |binder| *binder == (*v, *w));
            }
            (Operation::Rational(p), Operation::Rational(q)) => p == q,
            (Operation::Pi, Operation::Pi) | (Operation::Euler, Operation::Euler) => true,
            (Operation::Unary(f, _), Operation::Unary(g, _)) => f == g,
            (Operation::Binary(f, ..), Operation::Binary(g, ..)) => f == g,
            (Operation::Power(_, p), Operation::Power(_, q)) => p == q,
            (Operation::Primitive(p, _), Operation::Primitive(q, _)) => Arc::ptr_eq(p, q),
            (Operation::Derivative(d), Operation::Derivative(e)) => d.place == e.place && d.at.len() == e.at.len(),
            (Operation::Second(p, ..), Operation::Second(q, ..)) => p == q,
            (Operation::Select(..), Operation::Select(..)) => true,
            _ => false,
        };
        let (parts, others) = (a.parts(), b.parts());
        is_alike
            && parts.len() == others.len()
            && parts.iter().zip(&others).all(|(a, b)| self.are(a, b))
            && self.bind_alike(a, b)
    }

    fn bind_alike(&mut self, a: &Operation, b: &Operation) -> bool {
        let (Some((variables, body)), Some((others, other))) = (a.binder(), b.binder()) else { return true };
        if variables.len() != others.len() {
            return false;
        }
        let before = self.bound.len();
        self.bound.extend(variables.iter().copied().zip(others.iter().copied()));
        // pairs that are equal under other binders need not be so under these
        let outside = std::mem::take(&mut self.known);
        let are = self.are(body, other);
        self.known = outside;
        self.bound.truncate(before);
        are
    }
}
