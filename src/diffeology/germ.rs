//! One side of a point: what a graph with kinks is there.
//!
//! Along a line `u + h·v`, and for small h > 0, each `abs`, `max` and `min` takes one branch, and `signum` one value: the one
//! that the first Taylor coefficient of its argument that does not vanish decides. With the branches put in, the graph is
//! one without kinks that agrees with the first for small h > 0. So the one-sided derivatives of both are the same, and
//! those of a smooth function are the same from both sides. Only coefficients that are exactly 0 are passed over, so what
//! is decided is certain.

use super::error::DiffeologyError;
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::Tier;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::algebra::Generator;
use crate::smooth::graph::{Binary, Graph, Operation, Unary};
use crate::smooth::map::Trial;
use crate::smooth::map::probe::Probe;
use crate::smooth::map::untyped::{Untyped, variables};
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The Taylor coefficients of graphs over the coordinates at a point, along a direction: for each order, one for each graph.
///
/// # Errors
/// Those of evaluation; [`DiffeologyError::Map`] when a graph mentions another variable.
pub fn taylor(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &Trial,
) -> Result<Vec<Vec<Enclosure>>, DiffeologyError> {
    let map = Arc::new(Untyped::of_graphs(&variables(at.len()), graphs)?);
    let inputs = at.iter().map(|x| [x.clone(), x.clone()]).collect();
    let moves = along.iter().any(|v| !v.is_zero());
    let order = if moves { trial.order } else { 0 };
    let directions = if order == 0 { Vec::new() } else { vec![(Generator::Direction(order), along.to_vec())] };
    let wanted = if order == 0 { vec![Vec::new()] } else { (0..=order).map(|k| vec![k]).collect() };
    let probe = Probe { directions, wanted, as_coefficient: true, ..Probe::value(&map, inputs) };
    let budget = Budget::new(trial.work, None, None);
    let effort = Effort::new(Magnitude::from_rational(&trial.eps).shifted(-6), &budget);
    let bits = trial.precisions.iter().copied().max().unwrap_or(96).max(64);
    let found = probe.run(Tier::Mpfr(bits), &effort)?;
    Ok(found.chunks(graphs.len().max(1)).map(<[Enclosure]>::to_vec).collect())
}

/// The graphs for small h > 0 along the line; `None` where a branch is not decided.
///
/// # Errors
/// As for [`taylor`].
pub fn on_the_side(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &Trial,
) -> Result<Option<Vec<Graph>>, DiffeologyError> {
    let mut side = Side { at, along, trial, done: FxHashMap::default() };
    graphs.iter().map(|g| side.resolved(g)).collect()
}

struct Side<'a> {
    at: &'a [Rational],
    along: &'a [Rational],
    trial: &'a Trial,
    /// The graphs done, with their keys kept, so that an address is not used again.
    done: FxHashMap<usize, (Graph, Option<Graph>)>,
}

impl Side<'_> {
    fn resolved(&mut self, g: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return Ok(done.clone());
        }
        let result = deep(|| self.branches(g))?;
        self.done.insert(g.address(), (g.clone(), result.clone()));
        Ok(result)
    }

    fn branches(&mut self, g: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        Ok(match g.operation() {
            Operation::Unary(operation, a) => {
                let Some(a) = self.resolved(a)? else { return Ok(None) };
                match operation {
                    Unary::Abs => self.is_positive(&a)?.map(|p| if p { a } else { Graph::unary(Unary::Negate, &a) }),
                    Unary::Signum => self.is_positive(&a)?.map(|p| Graph::integer(if p { 1 } else { -1 })),
                    _ => Some(Graph::unary(*operation, &a)),
                }
            }
            Operation::Binary(operation, a, b) => {
                let (Some(a), Some(b)) = (self.resolved(a)?, self.resolved(b)?) else { return Ok(None) };
                match operation {
                    Binary::Maximum | Binary::Minimum if a.address() == b.address() => Some(a),
                    Binary::Maximum | Binary::Minimum => {
                        let difference = Graph::binary(Binary::Subtract, &a, &b);
                        let first = *operation == Binary::Maximum;
                        self.is_positive(&difference)?.map(|p| if p == first { a } else { b })
                    }
                    _ => Some(Graph::binary(*operation, &a, &b)),
                }
            }
            Operation::Power(a, exponent) => {
                let Some(a) = self.resolved(a)? else { return Ok(None) };
                Graph::power(&a, &Rational::from((exponent.numerator, exponent.denominator)))
            }
            // what binds is left as it is: then its own jets are the judge
            _ => Some(g.clone()),
        })
    }

    /// Whether a graph is positive for small h > 0, where that is certain.
    fn is_positive(&self, g: &Graph) -> Result<Option<bool>, DiffeologyError> {
        for coefficients in taylor(std::slice::from_ref(g), self.at, self.along, self.trial)? {
            let [c] = &coefficients[..] else { return Ok(None) };
            if !c.is_defined() {
                return Ok(None);
            }
            if *c.lo() > 0 {
                return Ok(Some(true));
            }
            if *c.hi() < 0 {
                return Ok(Some(false));
            }
            if !c.is_point() {
                return Ok(None);
            }
        }
        Ok(None)
    }
}
