//! Composition of maps: restriction along a map of stages, by substitution.
//!
//! Arrows are graphs, so composition is substitution, which is strictly associative. The reference tower composes by
//! Faà di Bruno and is associative only up to overlap at kinks (E43).

use super::graph::{Graph, GraphRewriting, NodeOperation, Occurrences, Variable};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;

/// A substitution with its memo. Applied to several graphs, it keeps their shared subterms shared.
pub struct Substitution<'a> {
    bindings: &'a [(Variable, Graph)],
    places: FxHashMap<Variable, usize>,
    /// The variables of all that is replaced …
    from: Occurrences,
    /// Replacements of graphs that are not variables.
    parts: Vec<Graph>,
    /// … and those of all replacements.
    into: Occurrences,
    memo: FxHashMap<usize, (Graph, Graph)>,
}

impl<'a> Substitution<'a> {
    /// Creates the simultaneous substitution of graphs for variables.
    #[must_use]
    pub fn new(bindings: &'a [(Variable, Graph)]) -> Self {
        let mut places = FxHashMap::default();
        for (place, (v, _)) in bindings.iter().enumerate() {
            places.entry(*v).or_insert(place);
        }
        let from = bindings.iter().map(|(v, _)| Occurrences::of_variable(*v)).collect();
        let into = bindings.iter().map(|(_, e)| e.occurrences()).collect();
        Self { bindings, places, from, into, parts: Vec::new(), memo: FxHashMap::default() }
    }

    /// Replaces a graph that is not a variable as well: this very node, wherever it is not under a binder of its
    /// variables.
    pub fn replace_node(&mut self, part: &Graph, by: Graph) {
        self.from = self.from.union(part.occurrences());
        self.into = self.into.union(by.occurrences());
        self.parts.push(by.clone());
        self.memo.insert(part.address(), (part.clone(), by));
    }

    /// Returns the replaced variables with their replacements.
    #[must_use]
    pub fn bindings(&self) -> &'a [(Variable, Graph)] {
        self.bindings
    }

    /// Returns `true` if a binder of `v` would capture a variable of a replacement, or hides a replaced variable.
    #[must_use]
    pub fn needs_renaming(&self, v: Variable) -> bool {
        let captured = || self.bindings.iter().map(|(_, e)| e).chain(&self.parts).any(|e| e.depends_on(v));
        self.places.contains_key(&v) || (self.into.may_meet(Occurrences::of_variable(v)) && captured())
    }

    /// Applies the substitution, without capture.
    pub fn apply(&mut self, g: &Graph) -> Graph {
        if !g.occurrences().may_meet(self.from) {
            return g.clone();
        }
        if let NodeOperation::Variable(v) = g.operation() {
            return self.places.get(v).map_or_else(|| g.clone(), |&place| self.bindings[place].1.clone());
        }
        if let Some((_, done)) = self.memo.get(&g.address()) {
            return done.clone();
        }
        let result = with_stack(|| g.rewrite_parts(self)).at_site(g.site());
        // the key is kept alive, so that its address is not reused while the memo lives
        self.memo.insert(g.address(), (g.clone(), result.clone()));
        result
    }
}

impl GraphRewriting for Substitution<'_> {
    fn rewrite_operand(&mut self, operand: &Graph) -> Graph {
        self.apply(operand)
    }

    /// Substitutes under a binder. Bound variables are renamed if they would capture a variable, or are replaced.
    fn rewrite_body(&mut self, bound: &[Variable], body: &Graph) -> (Vec<Variable>, Graph) {
        if !bound.iter().any(|v| self.needs_renaming(*v)) {
            return (bound.to_vec(), self.apply(body));
        }
        // nothing is replaced below, so the names can stay
        if !self.bindings.iter().any(|(v, _)| !bound.contains(v) && body.depends_on(*v)) {
            return (bound.to_vec(), body.clone());
        }
        let fresh: Vec<_> = bound.iter().map(|_| Variable::fresh()).collect();
        let renaming: Vec<_> = bound.iter().copied().zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
        (fresh, self.apply(&body.substitute(&renaming)))
    }
}
