//! Smooth maps V → U between open sets: the maps along which plots are reparametrised.

use super::error::{DiffeologyError, shown};
use super::open::{Interval, Open};
use super::real::{Membership, enclosed_in, enclosure, exactly, told_point};
use super::smoothness::{Smoothness, at_point, direction};
use crate::number::{Function, Rational};
use crate::presheaf::sample;
use crate::presheaf::stage::at_a_stage;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, coordinates, variables};
use crate::smooth::substitution::Substitution;

/// A smooth map V → U, with one graph over the [`coordinates`] of V for each coordinate of U.
#[derive(Clone, Debug)]
pub struct Reparametrisation {
    from: Open,
    to: Open,
    graphs: Vec<Graph>,
}

impl Reparametrisation {
    /// Creates the map with the given graphs over the coordinates, and tests it at sample points of V.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the number of graphs is not the dimension of U.
    /// - [`DiffeologyError::Map`] if a graph mentions a variable that is no coordinate of V.
    /// - [`DiffeologyError::Leaves`] if a value at a sample point certainly lies outside of U.
    /// - [`DiffeologyError::NotSmooth`] if a derivative at a sample point certainly does not exist.
    pub fn new(from: &Open, to: &Open, graphs: Vec<Graph>, trial: &Trial) -> Result<Self, DiffeologyError> {
        DiffeologyError::fits("the list of graphs", to.dimension(), graphs.len())?;
        // Built for the check of its variables only.
        Untyped::of_graphs(&variables(from.dimension()), &graphs)?;
        let map = Self { from: from.clone(), to: to.clone(), graphs };
        let mut random = Random::new(trial.seed);
        for x in from.samples(&mut random, trial.samples as usize) {
            let value = map.at(&exactly(&x));
            let found: Vec<_> = value.iter().map(|y| enclosure(y, trial)).collect::<Result<_, _>>()?;
            // An undecided point is no error: only certain faults are reported.
            if enclosed_in(&found, to) == Membership::Outside {
                let value = told_point(&value, trial);
                return Err(DiffeologyError::Leaves { to: to.to_string(), at: shown(&x), value });
            }
            let along = direction(&mut random, x.len());
            if let Smoothness::Refuted { witness, left, right } = at_point(&map.graphs, &x, &along, trial)? {
                return Err(DiffeologyError::NotSmooth { witness, left, right });
            }
        }
        Ok(map)
    }

    /// Returns `id : U → U`.
    #[must_use]
    pub fn identity(of: &Open) -> Self {
        Self { from: of.clone(), to: of.clone(), graphs: coordinates(of.dimension()) }
    }

    /// Returns the inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] if a point of V is not in U; the errors of [`Open::uncovered`].
    pub fn inclusion(of: &Open, to: &Open) -> Result<Self, DiffeologyError> {
        match of.uncovered(std::slice::from_ref(to))? {
            None => Ok(Self { from: of.clone(), to: to.clone(), graphs: coordinates(of.dimension()) }),
            Some(point) => Err(DiffeologyError::NotCovered { whole: of.to_string(), point }),
        }
    }

    /// Returns the constant map to `point`. The caller guarantees that `point` lies in U.
    #[must_use]
    pub fn constant(from: &Open, to: &Open, point: &[Graph]) -> Self {
        Self { from: from.clone(), to: to.clone(), graphs: point.to_vec() }
    }

    /// Draws a smooth map. Returns `None` if U is empty and V is not: then there is no map.
    #[must_use]
    pub fn draw(random: &mut Random, from: &Open, to: &Open) -> Option<Self> {
        // One random box of U: `into` maps all of V smoothly into it.
        let sides = if to.is_empty() { None } else { Some(random.pick(to.boxes())) };
        if sides.is_none() && !from.is_empty() {
            return None;
        }
        let graphs = sides.map_or_else(
            // V and U are both empty, and any graphs give the empty map.
            || vec![Graph::integer(0); to.dimension()],
            |sides| sides.iter().map(|side| into(side, &number(random, from.dimension()))).collect(),
        );
        Some(Self { from: from.clone(), to: to.clone(), graphs })
    }

    /// Returns the domain V.
    #[must_use]
    pub fn from(&self) -> &Open {
        &self.from
    }

    /// Returns the codomain U.
    #[must_use]
    pub fn to(&self) -> &Open {
        &self.to
    }

    /// Returns the components, as graphs over the coordinates of V.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// Returns the value at a point of V, given by closed graphs.
    #[must_use]
    pub fn at(&self, v: &[Graph]) -> Vec<Graph> {
        composed(&self.graphs, v)
    }

    /// Returns `f;g`, for g : U → W.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the dimensions do not match. The sets themselves are not compared.
    pub fn then(&self, g: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::fits("the second map", self.to.dimension(), g.from.dimension())?;
        Ok(Self { from: self.from.clone(), to: g.to.clone(), graphs: composed(&g.graphs, &self.graphs) })
    }

    /// Composes graphs over the coordinates of U with this map. The results are graphs over the coordinates of V.
    #[must_use]
    pub fn pull(&self, graphs: &[Graph]) -> Vec<Graph> {
        composed(graphs, &self.graphs)
    }

    /// Returns the substitution of the coordinates of U by the components of this map.
    #[must_use]
    pub fn bindings(&self) -> Vec<(Variable, Graph)> {
        bindings(&self.graphs)
    }
}

/// Pairs the coordinates with their replacements. A coordinate that is replaced by itself is left out, so that
/// identities keep graphs shared.
fn bindings(inner: &[Graph]) -> Vec<(Variable, Graph)> {
    let moved = |(v, g): &(Variable, Graph)| !matches!(g.operation(), Operation::Variable(w) if w == v);
    variables(inner.len()).into_iter().zip(inner.iter().cloned()).filter(moved).collect()
}

/// Substitutes `inner` for the coordinates in each graph of `outer`.
#[must_use]
pub fn composed(outer: &[Graph], inner: &[Graph]) -> Vec<Graph> {
    let bindings = bindings(inner);
    let mut substitution = Substitution::new(&bindings);
    outer.iter().map(|g| substitution.apply(g)).collect()
}

/// Draws a graph over n coordinates that is smooth everywhere. Half of the draws are affine with integer coefficients,
/// so that their values hit the integers, where kinks lie.
#[must_use]
pub fn number(random: &mut Random, dimension: usize) -> Graph {
    if random.chance(50) {
        let mut integer = || Graph::integer(random.below(5) as i64 - 2);
        let start = integer();
        return coordinates(dimension)
            .iter()
            .fold(start, |sum, x| Graph::binary(Binary::Add, &sum, &Graph::binary(Binary::Multiply, &integer(), x)));
    }
    at_a_stage(dimension, |stage| sample::real(random, stage).components()[0].clone())
}

/// Maps a number smoothly into an open interval, where `x` may be any graph.
#[must_use]
pub fn into(interval: &Interval, x: &Graph) -> Graph {
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
