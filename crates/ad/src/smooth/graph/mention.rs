//! Which graphs mention some variables.

use super::{Graph, Occurrences, Operation, Variable};
use crate::stack::deep;
use rustc_hash::{FxHashMap, FxHashSet};

/// Some variables, and what is known of where they occur free. Addresses are remembered, so the graphs that were looked at
/// must outlive it.
#[derive(Debug)]
pub struct Mentions {
    variables: FxHashSet<Variable>,
    /// An enclosure of the variables.
    occurrences: Occurrences,
    known: FxHashMap<usize, bool>,
}

impl Mentions {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(variables: &[Variable]) -> Self {
        let occurrences = variables.iter().map(|v| Occurrences::of(*v)).collect();
        Self { variables: variables.iter().copied().collect(), occurrences, known: FxHashMap::default() }
    }

    /// The same variables, for graphs that do not live as long.
    #[must_use]
    pub fn elsewhere(&self) -> Self {
        Self { variables: self.variables.clone(), occurrences: self.occurrences, known: FxHashMap::default() }
    }

    /// Whether a variable is one of them.
    #[must_use]
    pub fn contains(&self, v: Variable) -> bool {
        self.variables.contains(&v)
    }

    /// Whether one of the variables occurs free.
    pub fn occur_in(&mut self, g: &Graph) -> bool {
        if !g.occurrences().may_meet(self.occurrences) {
            return false;
        }
        if let Operation::Variable(v) = g.operation() {
            return self.variables.contains(v);
        }
        if let Some(&known) = self.known.get(&g.address()) {
            return known;
        }
        let found = deep(|| {
            g.operation().parts().into_iter().any(|part| self.occur_in(part))
                || g.operation().binder().is_some_and(|(bound, body)| self.occur_under(bound, body))
        });
        self.known.insert(g.address(), found);
        found
    }

    fn occur_under(&mut self, bound: &[Variable], body: &Graph) -> bool {
        if bound.iter().any(|v| self.variables.contains(v)) {
            return self.variables.iter().any(|v| !bound.contains(v) && body.depends_on(*v));
        }
        self.occur_in(body)
    }
}
