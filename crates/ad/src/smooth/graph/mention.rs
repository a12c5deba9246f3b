//! Free occurrences of a set of variables in graphs.

use super::{Graph, NodeOperation, Occurrences, Variable};
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of variables, with a cache of the graphs in which they occur free. Graphs are cached by address, so they must
/// outlive this value.
#[derive(Debug)]
pub struct FreeOccurrences {
    variables: FxHashSet<Variable>,
    /// An enclosure of the variables.
    occurrences: Occurrences,
    /// Cached results, by the address of the node.
    known: FxHashMap<usize, bool>,
}

impl FreeOccurrences {
    /// Creates the set, with an empty cache.
    #[must_use]
    pub fn new(variables: &[Variable]) -> Self {
        let occurrences = variables.iter().map(|v| Occurrences::of_variable(*v)).collect();
        Self { variables: variables.iter().copied().collect(), occurrences, known: FxHashMap::default() }
    }

    /// Returns the same variables with an empty cache, for graphs that do not live as long.
    #[must_use]
    pub fn without_cache(&self) -> Self {
        Self { variables: self.variables.clone(), occurrences: self.occurrences, known: FxHashMap::default() }
    }

    /// Returns `true` if `v` is in the set.
    #[must_use]
    pub fn contains(&self, v: Variable) -> bool {
        self.variables.contains(&v)
    }

    /// Returns `true` if one of the variables occurs free in `g`.
    pub fn occur_in(&mut self, g: &Graph) -> bool {
        // the enclosures of variables are compared in constant time, and usually disjoint
        if !g.occurrences().may_meet(self.occurrences) {
            return false;
        }
        if let NodeOperation::Variable(v) = g.operation() {
            return self.variables.contains(v);
        }
        if let Some(&known) = self.known.get(&g.address()) {
            return known;
        }
        let found = with_stack(|| {
            g.operation().operands().into_iter().any(|part| self.occur_in(part))
                || g.operation().binder().is_some_and(|(bound, body)| self.occur_under(bound, body))
        });
        self.known.insert(g.address(), found);
        found
    }

    fn occur_under(&mut self, bound: &[Variable], body: &Graph) -> bool {
        // a binder of one of the variables itself: rare, so decided without the cache
        if bound.iter().any(|v| self.variables.contains(v)) {
            return self.variables.iter().any(|v| !bound.contains(v) && body.depends_on(*v));
        }
        self.occur_in(body)
    }
}
