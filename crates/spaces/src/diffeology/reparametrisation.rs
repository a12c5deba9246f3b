//! Smooth maps V → U between open sets: the maps along which plots are reparametrised.

use super::error::{DiffeologyError, format_rational_point};
use super::open::{OpenInterval, OpenSet};
use super::real::{Membership, enclose_number, enclosure_membership, format_point, rational_point};
use super::smoothness::{Smoothness, draw_direction, test_smoothness_at};
use crate::number::{Function, Rational};
use crate::presheaf::sample;
use crate::presheaf::stage::with_stage;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::untyped::{DynMap, coordinate_graphs, coordinate_variables};
use crate::smooth::substitution::Substitution;

/// A smooth map V → U, with one graph over the [`coordinates`] of V for each coordinate of U.
#[derive(Clone, Debug)]
pub struct Reparametrisation {
    domain: OpenSet,
    codomain: OpenSet,
    graphs: Vec<Graph>,
}

impl Reparametrisation {
    /// Creates the map with the given graphs over the coordinates, and tests it at sample points of V.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the number of graphs is not the dimension of U.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate of V.
    /// - [`DiffeologyError::LeavesCodomain`] if a value at a sample point certainly lies outside of U.
    /// - [`DiffeologyError::NotSmooth`] if a derivative at a sample point certainly does not exist.
    pub fn new(
        from: &OpenSet,
        to: &OpenSet,
        graphs: Vec<Graph>,
        trial: &MapTestConfig,
    ) -> Result<Self, DiffeologyError> {
        DiffeologyError::check_dimension("the list of graphs", to.dimension(), graphs.len())?;
        // Built for the check of its variables only.
        DynMap::of_graphs(&coordinate_variables(from.dimension()), &graphs)?;
        let map = Self { domain: from.clone(), codomain: to.clone(), graphs };
        let mut random = SplitMix64::new(trial.seed);
        for x in from.sample_points(&mut random, trial.sample_points as usize) {
            let value = map.value_at(&rational_point(&x));
            let found: Vec<_> = value.iter().map(|y| enclose_number(y, trial)).collect::<Result<_, _>>()?;
            // An undecided point is no error: only certain faults are reported.
            if enclosure_membership(&found, to) == Membership::Outside {
                let value = format_point(&value, trial);
                return Err(DiffeologyError::LeavesCodomain {
                    to: to.to_string(),
                    at: format_rational_point(&x),
                    value,
                });
            }
            let along = draw_direction(&mut random, x.len());
            if let Smoothness::Refuted { witness, left, right } = test_smoothness_at(&map.graphs, &x, &along, trial)? {
                return Err(DiffeologyError::NotSmooth { witness, left, right });
            }
        }
        Ok(map)
    }

    /// Returns `id : U → U`.
    #[must_use]
    pub fn identity(of: &OpenSet) -> Self {
        Self { domain: of.clone(), codomain: of.clone(), graphs: coordinate_graphs(of.dimension()) }
    }

    /// Returns the inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] if a point of V is not in U; the errors of [`OpenSet::find_uncovered_point`].
    pub fn inclusion(of: &OpenSet, to: &OpenSet) -> Result<Self, DiffeologyError> {
        match of.find_uncovered_point(std::slice::from_ref(to))? {
            None => Ok(Self { domain: of.clone(), codomain: to.clone(), graphs: coordinate_graphs(of.dimension()) }),
            Some(point) => Err(DiffeologyError::NotCovered { whole: of.to_string(), point }),
        }
    }

    /// Returns the constant map to `point`. The caller guarantees that `point` lies in U.
    #[must_use]
    pub fn constant_map(from: &OpenSet, to: &OpenSet, point: &[Graph]) -> Self {
        Self { domain: from.clone(), codomain: to.clone(), graphs: point.to_vec() }
    }

    /// Draws a smooth map. Returns `None` if U is empty and V is not: then there is no map.
    #[must_use]
    pub fn draw_map(random: &mut SplitMix64, from: &OpenSet, to: &OpenSet) -> Option<Self> {
        // One random box of U: `map_into_interval` maps all of V smoothly into it.
        let sides = if to.is_empty() { None } else { Some(random.pick(to.boxes())) };
        if sides.is_none() && !from.is_empty() {
            return None;
        }
        let graphs = sides.map_or_else(
            // V and U are both empty, and any graphs give the empty map.
            || vec![Graph::integer(0); to.dimension()],
            |sides| {
                sides.iter().map(|side| map_into_interval(side, &draw_smooth_graph(random, from.dimension()))).collect()
            },
        );
        Some(Self { domain: from.clone(), codomain: to.clone(), graphs })
    }

    /// Returns the domain V.
    #[must_use]
    pub fn domain(&self) -> &OpenSet {
        &self.domain
    }

    /// Returns the codomain U.
    #[must_use]
    pub fn codomain(&self) -> &OpenSet {
        &self.codomain
    }

    /// Returns the components, as graphs over the coordinates of V.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// Returns the value at a point of V, given by closed graphs.
    #[must_use]
    pub fn value_at(&self, v: &[Graph]) -> Vec<Graph> {
        compose_graphs(&self.graphs, v)
    }

    /// Returns `f;g`, for g : U → W.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions do not match. The sets themselves are not compared.
    pub fn then(&self, g: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::check_dimension("the second map", self.codomain.dimension(), g.domain.dimension())?;
        Ok(Self {
            domain: self.domain.clone(),
            codomain: g.codomain.clone(),
            graphs: compose_graphs(&g.graphs, &self.graphs),
        })
    }

    /// Composes graphs over the coordinates of U with this map. The results are graphs over the coordinates of V.
    #[must_use]
    pub fn pull_back(&self, graphs: &[Graph]) -> Vec<Graph> {
        compose_graphs(graphs, &self.graphs)
    }

    /// Returns the substitution of the coordinates of U by the components of this map.
    #[must_use]
    pub fn coordinate_bindings(&self) -> Vec<(Variable, Graph)> {
        bind_coordinates(&self.graphs)
    }
}

/// Pairs the coordinates with their replacements. A coordinate that is replaced by itself is left out, so that
/// identities keep graphs shared.
fn bind_coordinates(inner: &[Graph]) -> Vec<(Variable, Graph)> {
    let moved = |(v, g): &(Variable, Graph)| !matches!(g.operation(), NodeOperation::Variable(w) if w == v);
    coordinate_variables(inner.len()).into_iter().zip(inner.iter().cloned()).filter(moved).collect()
}

/// Substitutes `inner` for the coordinates in each graph of `outer`.
#[must_use]
pub fn compose_graphs(outer: &[Graph], inner: &[Graph]) -> Vec<Graph> {
    let bindings = bind_coordinates(inner);
    let mut substitution = Substitution::new(&bindings);
    outer.iter().map(|g| substitution.apply(g)).collect()
}

/// Draws a graph over n coordinates that is smooth everywhere. Half of the draws are affine with integer coefficients,
/// so that their values hit the integers, where kinks lie.
#[must_use]
pub fn draw_smooth_graph(random: &mut SplitMix64, dimension: usize) -> Graph {
    if random.random_bool(50) {
        let mut integer = || Graph::integer(random.next_below(5) as i64 - 2);
        let start = integer();
        return coordinate_graphs(dimension)
            .iter()
            .fold(start, |sum, x| Graph::binary(Binary::Add, &sum, &Graph::binary(Binary::Multiply, &integer(), x)));
    }
    with_stage(dimension, |stage| sample::draw_real_map(random, stage).components()[0].clone())
}

/// Maps a number smoothly into an open interval, where `x` may be any graph.
#[must_use]
pub fn map_into_interval(interval: &OpenInterval, x: &Graph) -> Graph {
    let add = |q: Rational, g: &Graph| Graph::binary(Binary::Add, &Graph::rational(q), g);
    let times = |q: Rational, g: &Graph| Graph::binary(Binary::Multiply, &Graph::rational(q), g);
    // The distances 1/8 from a single endpoint, and 7/8 of the half-width, keep the value strictly inside.
    let eighth = || Rational::from((1, 8));
    let square = || Graph::binary(Binary::Multiply, x, x);
    match (&interval.lo, &interval.hi) {
        (None, None) => x.clone(),
        (Some(lo), None) => add(lo + eighth(), &square()),
        (None, Some(hi)) => add(hi - eighth(), &Graph::unary(Unary::Negate, &square())),
        (Some(lo), Some(hi)) => {
            let (middle, half) = (Rational::from(lo + hi) / 2, Rational::from(hi - lo) / 2);
            add(middle, &times(half * Rational::from((7, 8)), &Graph::function(Function::Sin, x)))
        }
    }
}
