//! Batches of closed graphs that share their computation.
//!
//! Numbers are evaluated one after another, each in a program of its own, so a hard one does not delay the others. But
//! the columns of a gradient or a Jacobian share nearly all of their computation. Such graphs are compiled together:
//!
//! * those that differentiate one map with an integral, a root or an optimum, since [one run of its
//!   solvers](crate::smooth::machine) finds all partial derivatives;
//! * those without solvers, if separate programs have at least twice as many operations.

use super::{Closed, Evaluation};
use crate::number::real::Real;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Operation};
use crate::stack::deep;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The ratio of operations, separate to shared, from which graphs without solvers are compiled together. A choice.
const SHARED: usize = 2;

/// A batch of closed graphs. A graph is compiled when it is first needed.
#[derive(Debug)]
pub struct Several {
    /// The groups that are computed together, by the addresses of their graphs.
    together: FxHashMap<usize, Arc<[Graph]>>,
    asked: FxHashMap<usize, Arc<Real<Evaluation>>>,
}

impl Several {
    /// Groups the graphs of a batch. Other graphs may be evaluated as well, by themselves.
    #[must_use]
    pub fn new(graphs: &[&Graph]) -> Self {
        let mut together = FxHashMap::default();
        let mut seen = FxHashSet::default();
        // a graph that is requested twice must not form a group with itself
        let once: Vec<_> = graphs.iter().copied().filter(|g| seen.insert(g.address())).collect();
        for group in groups(&once) {
            let graphs: Arc<[Graph]> = group.into_iter().cloned().collect();
            graphs.iter().for_each(|g| drop(together.insert(g.address(), graphs.clone())));
        }
        Self { together, asked: FxHashMap::default() }
    }

    /// Returns the number that a graph denotes. Results of its group are reused.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn of(&mut self, graph: &Graph) -> Result<Arc<Real<Evaluation>>, SmoothError> {
        let Some(graphs) = self.together.get(&graph.address()) else {
            return Ok(Arc::new(graph.real()?));
        };
        if !self.asked.contains_key(&graph.address()) {
            let all = Evaluation::all(Closed::of(graphs)?);
            self.asked.extend(graphs.iter().zip(all).map(|(g, one)| (g.address(), Arc::new(Real::new(one)))));
        }
        Ok(self.asked[&graph.address()].clone())
    }
}

/// Groups different graphs by what they share. Graphs outside all groups are computed alone.
fn groups<'g>(graphs: &[&'g Graph]) -> Vec<Vec<&'g Graph>> {
    if graphs.len() < 2 {
        return Vec::new();
    }
    let mut kin = Kin::default();
    let found: Vec<_> = graphs.iter().map(|g| kin.of(g)).collect();
    if !found.iter().any(|found| found.searches) {
        // counted with each graph's own nodes against the union of all
        let (all, mut operations) = (kin.known.len(), 0);
        let is_shared = graphs.iter().any(|g| {
            operations += Graph::nodes([*g]).len();
            operations >= SHARED * all
        });
        return if is_shared { vec![graphs.to_vec()] } else { Vec::new() };
    }
    let mut groups: FxHashMap<usize, Vec<&Graph>> = FxHashMap::default();
    for (graph, found) in graphs.iter().zip(found) {
        if let Some(map) = found.map {
            groups.entry(kin.first(map)).or_default().push(*graph);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Solvers and differentiated maps in a graph.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// `true` if the graph contains an integral, a root or an optimum.
    searches: bool,
    /// One of the maps with solvers that are differentiated in the graph, as an index.
    map: Option<usize>,
}

/// A union-find structure on maps with solvers: two maps that are differentiated in one graph are in one class.
#[derive(Debug, Default)]
struct Kin {
    known: FxHashMap<usize, Found>,
    /// The parent in the union-find forest; a root is its own parent.
    kin: Vec<usize>,
    maps: FxHashMap<usize, usize>,
}

impl Kin {
    fn first(&self, mut map: usize) -> usize {
        while self.kin[map] != map {
            map = self.kin[map];
        }
        map
    }

    fn both(&mut self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.first(a), self.first(b));
            // the smaller index is the root, so the result does not depend on the order of unions
            self.kin[a.max(b)] = a.min(b);
        }
        a.or(b)
    }

    fn of(&mut self, g: &Graph) -> Found {
        if let Some(known) = self.known.get(&g.address()) {
            return *known;
        }
        let mut found = Found { searches: matches!(g.operation(), Operation::Second(..)), map: None };
        let body = g.operation().binder().map(|(_, body)| body);
        for part in g.operation().parts().into_iter().chain(body) {
            let inside = deep(|| self.of(part));
            found = Found { searches: found.searches | inside.searches, map: self.both(found.map, inside.map) };
        }
        if let Operation::Derivative(d) = g.operation()
            && self.of(&d.body).searches
        {
            let next = self.kin.len();
            let map = *self.maps.entry(d.body.address()).or_insert(next);
            self.kin.extend((map == next).then_some(next));
            found.map = self.both(found.map, Some(map));
        }
        self.known.insert(g.address(), found);
        found
    }
}
