//! Composition of maps: restriction along a map of stages, by substitution.
//!
//! An arrow being a graph, composition is substitution, and it is strictly associative; the reference tower composes by
//! Faà di Bruno and is associative only up to overlap at kinks (E43).

use super::graph::{Graph, Operation, Variable};
use crate::stack::deep;
use rustc_hash::FxHashMap;

/// A restriction along a map of stages, with its memo: apply one to many graphs to keep what they share shared.
pub struct Substitution<'a> {
    bindings: &'a [(Variable, Graph)],
    memo: FxHashMap<usize, (Graph, Graph)>,
}

impl<'a> Substitution<'a> {
    /// The simultaneous substitution of graphs for variables.
    #[must_use]
    pub fn new(bindings: &'a [(Variable, Graph)]) -> Self {
        Self { bindings, memo: FxHashMap::default() }
    }

    /// What replaces what.
    #[must_use]
    pub fn bindings(&self) -> &'a [(Variable, Graph)] {
        self.bindings
    }

    /// The graph with the variables replaced, without capture.
    pub fn apply(&mut self, g: &Graph) -> Graph {
        if self.bindings.iter().all(|(v, _)| !g.depends_on(*v)) {
            return g.clone();
        }
        if let Operation::Variable(v) = g.operation() {
            let bound = self.bindings.iter().find(|(w, _)| w == v);
            return bound.map_or_else(|| g.clone(), |(_, e)| e.clone());
        }
        if let Some((_, done)) = self.memo.get(&g.address()) {
            return done.clone();
        }
        let result = deep(|| self.rebuild(g));
        // the key graph is kept, so that its address is not used again while the memo lives
        self.memo.insert(g.address(), (g.clone(), result.clone()));
        result
    }

    fn rebuild(&mut self, g: &Graph) -> Graph {
        match g.operation() {
            Operation::Variable(_) | Operation::Rational(_) | Operation::Pi | Operation::Euler => g.clone(),
            Operation::Unary(f, a) => Graph::unary(*f, &self.apply(a)),
            Operation::Binary(f, a, b) => Graph::binary(*f, &self.apply(a), &self.apply(b)),
            Operation::Power(a, e) => Graph::new(Operation::Power(self.apply(a), *e)),
            Operation::Primitive(p, xs) => Graph::primitive(p, xs.iter().map(|x| self.apply(x)).collect()),
            Operation::Select(guard, a, b) => {
                Graph::new(Operation::Select(self.apply(guard), self.apply(a), self.apply(b)))
            }
            Operation::Derivative(d) => {
                let (variables, body) = self.under(&d.variables, &d.body);
                let at = d.at.iter().map(|x| self.apply(x)).collect();
                let along = d.along.iter().map(|x| self.apply(x)).collect();
                Graph::derivative(variables, body, at, along)
            }
            Operation::Second(p, v, body, site) => {
                let (variables, body) = self.under(&[*v], body);
                Graph::second_order(*p, variables[0], body, *site)
            }
        }
    }

    /// The substitution under a binder. The bound variables are renamed where they would capture or be replaced.
    fn under(&mut self, bound: &[Variable], body: &Graph) -> (Vec<Variable>, Graph) {
        let clash = |v: &Variable| self.bindings.iter().any(|(w, e)| w == v || e.depends_on(*v));
        if !bound.iter().any(clash) {
            return (bound.to_vec(), self.apply(body));
        }
        let fresh: Vec<_> = bound.iter().map(|_| Variable::fresh()).collect();
        let renaming: Vec<_> = bound.iter().copied().zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
        (fresh, self.apply(&body.substitute(&renaming)))
    }
}
