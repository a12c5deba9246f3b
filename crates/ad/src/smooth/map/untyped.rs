//! Maps with dimensions at run time.
//!
//! All maps ℝⁿ ⇝ ℝᵐ are graphs in the same variables, the first n of one list of *coordinates*. So pairing two maps
//! copies neither, and shared subterms stay shared: a graph of sixty nodes stays one, however often it is used. A
//! coordinate is never bound: maps that bind a variable rename it first.

use super::error::MapError;
use super::gradient::Pullback;
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::program::CompiledMap;
use crate::smooth::substitution::Substitution;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A map ℝⁿ ⇝ ℝᵐ, with n and m at run time. Cheap to clone, the compiled form included.
#[derive(Clone, Debug)]
pub struct DynMap {
    input_count: usize,
    outputs: Arc<[Graph]>,
    program: Arc<OnceLock<CompiledMap>>,
    pullback_cache: Arc<Pullback>,
}

/// Returns the first n coordinates. All threads share one list, which grows as needed.
#[must_use]
pub fn coordinate_graphs(n: usize) -> Vec<Graph> {
    static ALL: RwLock<Vec<Graph>> = RwLock::new(Vec::new());
    // most calls find the list long enough, and readers do not wait for each other
    {
        let all = ALL.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = all.get(..n) {
            return first.to_vec();
        }
    }
    let mut all = ALL.write().unwrap_or_else(PoisonError::into_inner);
    while all.len() < n {
        all.push(Graph::variable(Variable::fresh()));
    }
    all[..n].to_vec()
}

/// Returns the variables of the first n coordinates.
#[must_use]
pub fn coordinate_variables(n: usize) -> Vec<Variable> {
    coordinate_graphs(n).iter().filter_map(as_variable).collect()
}

/// Returns the variable of a coordinate. Returns `None` for another graph.
pub(super) fn as_variable(g: &Graph) -> Option<Variable> {
    match g.operation() {
        NodeOperation::Variable(v) => Some(*v),
        _ => None,
    }
}

/// Substitutes graphs for variables, with one memo for all graphs.
pub(super) fn substitute_in_all(graphs: &[Graph], bindings: &[(Variable, Graph)]) -> Vec<Graph> {
    // a binding of a variable to itself would only cost time
    let moved = |(v, g): &&(Variable, Graph)| as_variable(g) != Some(*v);
    let bindings: Vec<_> = bindings.iter().filter(moved).cloned().collect();
    let mut substitution = Substitution::new(&bindings);
    graphs.iter().map(|g| substitution.apply(g)).collect()
}

impl DynMap {
    /// Creates the map `coordinates ↦ outputs`. The outputs mention only the first `inputs` coordinates.
    pub(super) fn new(input_count: usize, outputs: Vec<Graph>) -> Self {
        Self { input_count, outputs: outputs.into(), program: Arc::default(), pullback_cache: Arc::default() }
    }

    /// Creates the map `variables ↦ graphs`.
    ///
    /// # Errors
    /// [`MapError::Unbound`] if a graph mentions another variable.
    pub fn of_graphs(variables: &[Variable], graphs: &[Graph]) -> Result<Self, MapError> {
        if let Some(&variable) = CompiledMap::unbound_variables(variables, graphs).first() {
            return Err(MapError::Unbound { variable });
        }
        let bindings: Vec<_> = variables.iter().copied().zip(coordinate_graphs(variables.len())).collect();
        Ok(Self::new(variables.len(), substitute_in_all(graphs, &bindings)))
    }

    /// Returns the dimension n of the domain.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.input_count
    }

    /// Returns the components, over the first n [`coordinates`].
    #[must_use]
    pub fn outputs(&self) -> &[Graph] {
        &self.outputs
    }

    /// Returns the flat form, compiled once.
    #[must_use]
    pub fn program(&self) -> &CompiledMap {
        self.program.get_or_init(|| CompiledMap::compile(&coordinate_variables(self.input_count), &self.outputs))
    }

    /// Returns the cached results of reverse mode.
    pub(super) fn pullback_cache(&self) -> &Pullback {
        &self.pullback_cache
    }

    /// Returns the components with `point` substituted for the coordinates.
    pub(super) fn outputs_at(&self, point: &[Graph]) -> Vec<Graph> {
        assert_eq!(point.len(), self.input_count);
        let bindings: Vec<_> = coordinate_variables(self.input_count).into_iter().zip(point.iter().cloned()).collect();
        substitute_in_all(&self.outputs, &bindings)
    }

    /// Returns g ∘ self.
    pub(super) fn then(&self, g: &Self) -> Self {
        Self::new(self.input_count, g.outputs_at(&self.outputs))
    }

    /// Returns ⟨self, g⟩.
    pub(super) fn pair(&self, g: &Self) -> Self {
        Self::new(self.input_count, [self.outputs(), g.outputs()].concat())
    }

    /// Maps every component.
    pub(super) fn map_outputs(&self, f: impl FnMut(&Graph) -> Graph) -> Self {
        Self::new(self.input_count, self.outputs.iter().map(f).collect())
    }

    /// Combines the components of two maps with equal dimensions, one by one.
    pub(super) fn zip_outputs(&self, other: &Self, f: impl Fn(&Graph, &Graph) -> Graph) -> Self {
        let outputs = self.outputs.iter().zip(other.outputs()).map(|(a, b)| f(a, b));
        Self::new(self.input_count, outputs.collect())
    }
}
