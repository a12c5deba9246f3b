//! Batches of closed graphs that share their computation.
//!
//! Numbers are evaluated one after another, each in a program of its own, so a hard one does not delay the others. But
//! the columns of a gradient or a Jacobian share nearly all of their computation. Such graphs are compiled together:
//!
//! * those that differentiate one map with an integral, a root or an optimum, since [one run of its
//!   solvers](crate::smooth::machine) finds all partial derivatives;
//! * those without solvers, if separate programs have at least twice as many operations.

use super::{ClosedProgram, GraphEvaluation};
use crate::number::real::RefinableReal;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, NodeOperation};
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The ratio of operations, separate to shared, from which graphs without solvers are compiled together. A choice.
const SHARING_RATIO: usize = 2;

/// A batch of closed graphs. A graph is compiled when it is first needed.
#[derive(Debug)]
pub struct QueryBatch {
    /// The groups that are computed together, by the addresses of their graphs.
    together: FxHashMap<usize, Arc<[Graph]>>,
    asked: FxHashMap<usize, Arc<RefinableReal<GraphEvaluation>>>,
}

impl QueryBatch {
    /// Groups the graphs of a batch. Other graphs may be evaluated as well, by themselves.
    #[must_use]
    pub fn new(graphs: &[&Graph]) -> Self {
        let mut together = FxHashMap::default();
        let mut seen = FxHashSet::default();
        // a graph that is requested twice must not form a group with itself
        let once: Vec<_> = graphs.iter().copied().filter(|g| seen.insert(g.address())).collect();
        for group in group_shared(&once) {
            let graphs: Arc<[Graph]> = group.into_iter().cloned().collect();
            graphs.iter().for_each(|g| drop(together.insert(g.address(), graphs.clone())));
        }
        Self { together, asked: FxHashMap::default() }
    }

    /// Returns the number that a graph denotes. Results of its group are reused.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the graph has free variables.
    pub fn real_of(&mut self, graph: &Graph) -> Result<Arc<RefinableReal<GraphEvaluation>>, SmoothError> {
        let Some(graphs) = self.together.get(&graph.address()) else {
            return Ok(Arc::new(graph.to_real()?));
        };
        if !self.asked.contains_key(&graph.address()) {
            let all = GraphEvaluation::all_of(ClosedProgram::compile_graphs(graphs)?);
            self.asked.extend(graphs.iter().zip(all).map(|(g, one)| (g.address(), Arc::new(RefinableReal::new(one)))));
        }
        Ok(self.asked[&graph.address()].clone())
    }
}

/// Groups different graphs by what they share. Graphs outside all groups are computed alone.
fn group_shared<'g>(graphs: &[&'g Graph]) -> Vec<Vec<&'g Graph>> {
    if graphs.len() < 2 {
        return Vec::new();
    }
    let mut kin = SharedSearches::default();
    let found: Vec<_> = graphs.iter().map(|g| kin.visit_graph(g)).collect();
    if !found.iter().any(|found| found.searches) {
        // counted with each graph's own nodes against the union of all
        let (all, mut operations) = (kin.known.len(), 0);
        let is_shared = graphs.iter().any(|g| {
            operations += Graph::all_nodes([*g]).len();
            operations >= SHARING_RATIO * all
        });
        return if is_shared { vec![graphs.to_vec()] } else { Vec::new() };
    }
    let mut groups: FxHashMap<usize, Vec<&Graph>> = FxHashMap::default();
    for (graph, found) in graphs.iter().zip(found) {
        if let Some(map) = found.map {
            groups.entry(kin.class_root(map)).or_default().push(*graph);
        }
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

/// Solvers and differentiated maps in a graph.
#[derive(Clone, Copy, Debug, Default)]
struct SolverUse {
    /// `true` if the graph contains an integral, a root or an optimum.
    searches: bool,
    /// One of the maps with solvers that are differentiated in the graph, as an index.
    map: Option<usize>,
}

/// A union-find structure on maps with solvers: two maps that are differentiated in one graph are in one class.
#[derive(Debug, Default)]
struct SharedSearches {
    known: FxHashMap<usize, SolverUse>,
    /// The parent in the union-find forest; a root is its own parent.
    kin: Vec<usize>,
    maps: FxHashMap<usize, usize>,
}

impl SharedSearches {
    fn class_root(&self, mut map: usize) -> usize {
        while self.kin[map] != map {
            map = self.kin[map];
        }
        map
    }

    fn merge_classes(&mut self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.class_root(a), self.class_root(b));
            // the smaller index is the root, so the result does not depend on the order of unions
            self.kin[a.max(b)] = a.min(b);
        }
        a.or(b)
    }

    fn visit_graph(&mut self, g: &Graph) -> SolverUse {
        if let Some(known) = self.known.get(&g.address()) {
            return *known;
        }
        let mut found = SolverUse { searches: matches!(g.operation(), NodeOperation::Second(..)), map: None };
        let body = g.operation().binder().map(|(_, body)| body);
        for part in g.operation().operands().into_iter().chain(body) {
            let inside = with_stack(|| self.visit_graph(part));
            found = SolverUse {
                searches: found.searches | inside.searches,
                map: self.merge_classes(found.map, inside.map),
            };
        }
        if let NodeOperation::Derivative(d) = g.operation()
            && self.visit_graph(&d.body).searches
        {
            let next = self.kin.len();
            let map = *self.maps.entry(d.body.address()).or_insert(next);
            self.kin.extend((map == next).then_some(next));
            found.map = self.merge_classes(found.map, Some(map));
        }
        self.known.insert(g.address(), found);
        found
    }
}
