//! The numbers of one answer, as questions.
//!
//! Numbers are asked one after another, each in a program of its own: how hard one is makes no difference to the others. But the
//! columns of a gradient or a Jacobian share nearly all that they are computed from, and are compiled together:
//!
//! * those that differentiate one map in which something is searched for, an integral, a root or an optimum, since
//!   [one search](crate::smooth::machine) finds all partial derivatives;
//! * those that search for nothing, if one after another they were twice as many operations.

use super::{Closed, Evaluation};
use crate::number::real::Real;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Operation};
use crate::stack::deep;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many times as many operations numbers have to be one after another.
const SHARED: usize = 2;

/// Questions for closed graphs. What is not asked for is not compiled.
#[derive(Debug)]
pub struct Several {
    /// Those that are computed together, by the addresses of each.
    together: FxHashMap<usize, Arc<[Graph]>>,
    asked: FxHashMap<usize, Arc<Real<Evaluation>>>,
}

impl Several {
    /// Questions for these numbers, and others.
    #[must_use]
    pub fn new(graphs: &[&Graph]) -> Self {
        let mut together = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let once: Vec<_> = graphs.iter().copied().filter(|g| seen.insert(g.address())).collect();
        for group in groups(&once) {
            let graphs: Arc<[Graph]> = group.into_iter().cloned().collect();
            graphs.iter().for_each(|g| drop(together.insert(g.address(), graphs.clone())));
        }
        Self { together, asked: FxHashMap::default() }
    }

    /// The question for a number: what was found of it for others is known.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] when it has free variables.
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

/// Which of some different graphs are computed together.
fn groups<'g>(graphs: &[&'g Graph]) -> Vec<Vec<&'g Graph>> {
    if graphs.len() < 2 {
        return Vec::new();
    }
    let mut kin = Kin::default();
    let found: Vec<_> = graphs.iter().map(|g| kin.of(g)).collect();
    if !found.iter().any(|found| found.searches) {
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

/// What is known of a graph.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// Whether something is searched for in it.
    searches: bool,
    /// One of the maps with searches that are differentiated in it.
    map: Option<usize>,
}

/// The maps with searches that are differentiated in graphs; those of one graph are of one kin.
#[derive(Debug, Default)]
struct Kin {
    known: FxHashMap<usize, Found>,
    /// Another map of the same kin, or the map itself.
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
