//! Smooth maps V → U between opens: what plots are composed with.

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

/// A smooth map V → U, with its graphs over the [`coordinates`].
#[derive(Clone, Debug)]
pub struct Reparametrisation {
    from: Open,
    to: Open,
    graphs: Vec<Graph>,
}

impl Reparametrisation {
    /// The map with these graphs over the coordinates, tried at points of V.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] when there are not as many graphs as U has coordinates, [`DiffeologyError::Map`] when
    /// one mentions another variable; [`DiffeologyError::Leaves`] and [`DiffeologyError::NotSmooth`] when a point refutes
    /// that this is a smooth map into U.
    pub fn new(from: &Open, to: &Open, graphs: Vec<Graph>, trial: &Trial) -> Result<Self, DiffeologyError> {
        DiffeologyError::fits("the list of graphs", to.dimension(), graphs.len())?;
        Untyped::of_graphs(&variables(from.dimension()), &graphs)?;
        let map = Self { from: from.clone(), to: to.clone(), graphs };
        let mut random = Random::new(trial.seed);
        for x in from.samples(&mut random, trial.samples as usize) {
            let value = map.at(&exactly(&x));
            let found: Vec<_> = value.iter().map(|y| enclosure(y, trial)).collect::<Result<_, _>>()?;
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

    /// `id : U → U`
    #[must_use]
    pub fn identity(of: &Open) -> Self {
        Self { from: of.clone(), to: of.clone(), graphs: coordinates(of.dimension()) }
    }

    /// The inclusion of V in U.
    ///
    /// # Errors
    /// [`DiffeologyError::NotCovered`] when a point of V is not in U; those of [`Open::uncovered`].
    pub fn inclusion(of: &Open, to: &Open) -> Result<Self, DiffeologyError> {
        match of.uncovered(std::slice::from_ref(to))? {
            None => Ok(Self { from: of.clone(), to: to.clone(), graphs: coordinates(of.dimension()) }),
            Some(point) => Err(DiffeologyError::NotCovered { whole: of.to_string(), point }),
        }
    }

    /// The constant map to a point of U. The caller answers for its being one.
    #[must_use]
    pub fn constant(from: &Open, to: &Open, point: &[Graph]) -> Self {
        Self { from: from.clone(), to: to.clone(), graphs: point.to_vec() }
    }

    /// A random smooth map; `None` when U has no point and V has one.
    #[must_use]
    pub fn draw(random: &mut Random, from: &Open, to: &Open) -> Option<Self> {
        let sides = if to.is_empty() { None } else { Some(random.pick(to.boxes())) };
        if sides.is_none() && !from.is_empty() {
            return None;
        }
        let graphs = sides.map_or_else(
            || vec![Graph::integer(0); to.dimension()],
            |sides| sides.iter().map(|side| into(side, &number(random, from.dimension()))).collect(),
        );
        Some(Self { from: from.clone(), to: to.clone(), graphs })
    }

    /// V
    #[must_use]
    pub fn from(&self) -> &Open {
        &self.from
    }

    /// U
    #[must_use]
    pub fn to(&self) -> &Open {
        &self.to
    }

    /// The components, over the coordinates.
    #[must_use]
    pub fn graphs(&self) -> &[Graph] {
        &self.graphs
    }

    /// The value at a point.
    #[must_use]
    pub fn at(&self, v: &[Graph]) -> Vec<Graph> {
        composed(&self.graphs, v)
    }

    /// `f;g`, for g : U → W.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`]
    pub fn then(&self, g: &Self) -> Result<Self, DiffeologyError> {
        DiffeologyError::fits("the second map", self.to.dimension(), g.from.dimension())?;
        Ok(Self { from: self.from.clone(), to: g.to.clone(), graphs: composed(&g.graphs, &self.graphs) })
    }

    /// Graphs over the coordinates of U as graphs over those of V.
    #[must_use]
    pub fn pull(&self, graphs: &[Graph]) -> Vec<Graph> {
        composed(graphs, &self.graphs)
    }

    /// What stands for the coordinates of U.
    #[must_use]
    pub fn bindings(&self) -> Vec<(Variable, Graph)> {
        bindings(&self.graphs)
    }
}

fn bindings(inner: &[Graph]) -> Vec<(Variable, Graph)> {
    let moved = |(v, g): &(Variable, Graph)| !matches!(g.operation(), Operation::Variable(w) if w == v);
    variables(inner.len()).into_iter().zip(inner.iter().cloned()).filter(moved).collect()
}

/// Graphs over the coordinates at other graphs in the place of these.
#[must_use]
pub fn composed(outer: &[Graph], inner: &[Graph]) -> Vec<Graph> {
    let bindings = bindings(inner);
    let mut substitution = Substitution::new(&bindings);
    outer.iter().map(|g| substitution.apply(g)).collect()
}

/// A random graph over n coordinates that is smooth everywhere: as often as not an affine one with integers, which meets
/// the places where kinks lie.
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

/// A number moved into an interval, smoothly.
#[must_use]
pub fn into(interval: &Interval, x: &Graph) -> Graph {
    let add = |q: Rational, g: &Graph| Graph::binary(Binary::Add, &Graph::rational(q), g);
    let times = |q: Rational, g: &Graph| Graph::binary(Binary::Multiply, &Graph::rational(q), g);
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
