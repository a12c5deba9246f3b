//! One side of a point: what a graph with kinks is there.
//!
//! Along a line `u + h·v`, and for small h > 0, each `abs`, `max` and `min` takes one branch, `signum` one value, and an angle
//! one side of the ray where it jumps: the one that the first Taylor coefficient of its argument that does not vanish decides. With the branches put in, the graph is
//! one without kinks that agrees with the first for small h > 0. So the one-sided derivatives of both are the same, and
//! those of a smooth function are the same from both sides. Only coefficients that are exactly 0 are passed over, so what
//! is decided is certain. Where all that are computed are 0, both branches have the same derivatives to that order, and
//! either may be put in.

use super::error::DiffeologyError;
use super::real::exactly;
use super::reparametrisation::composed;
use crate::function::{Function, Planar, Surface};
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
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::sync::Arc;

/// The Taylor coefficients of graphs over the coordinates at a point, along a direction: for each order, one for each graph.
///
/// # Errors
/// Those of evaluation; [`DiffeologyError::Map`] when a graph mentions another variable; [`DiffeologyError::Dimension`].
pub fn taylor(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &Trial,
) -> Result<Vec<Vec<Enclosure>>, DiffeologyError> {
    DiffeologyError::fits("the direction", at.len(), along.len())?;
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

/// How many kinks of a graph are looked for on a line.
const MOST_KINKS: usize = 8;

/// Points on the line `at + t·along` where arguments of `abs` and `signum`, differences of those of `max` and `min`, and the
/// heights of which an angle is taken are 0. They are found where arithmetic shows the argument at two points to be rational, and for one that is affine on the line.
#[must_use]
pub fn kinks(graphs: &[Graph], at: &[Rational], along: &[Rational]) -> Vec<Vec<Rational>> {
    let (mut waiting, mut seen) = (graphs.to_vec(), FxHashSet::default());
    let mut arguments = Vec::new();
    while let Some(g) = waiting.pop() {
        if arguments.len() == MOST_KINKS {
            break;
        }
        if !seen.insert(g.address()) {
            continue;
        }
        match g.operation() {
            Operation::Unary(operation, a) => {
                if matches!(operation, Unary::Abs | Unary::Signum) {
                    arguments.push(a.clone());
                }
                waiting.push(a.clone());
            }
            Operation::Binary(operation, a, b) => {
                match operation {
                    Binary::Maximum | Binary::Minimum => arguments.push(Graph::binary(Binary::Subtract, a, b)),
                    Binary::Planar(f) => match f.row().surface {
                        Surface::Angle => arguments.push(a.clone()),
                    },
                    _ => {}
                }
                waiting.extend([a.clone(), b.clone()]);
            }
            Operation::Power(a, _) => waiting.push(a.clone()),
            _ => {}
        }
    }
    let step =
        |t: &Rational| -> Vec<Rational> { at.iter().zip(along).map(|(x, v)| Rational::from(v * t) + x).collect() };
    let values = |t: i64| composed(&arguments, &exactly(&step(&Rational::from(t))));
    let ends = values(0).into_iter().zip(values(1));
    let root = |(first, second): (Graph, Graph)| {
        let (p, q) = (first.as_rational()?.clone(), second.as_rational()?);
        let fall = Rational::from(&p - q);
        (!fall.is_zero()).then(|| step(&(p / fall)))
    };
    ends.filter_map(root).collect()
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
                    Unary::Abs => match self.sign(&a)? {
                        Some(Ordering::Less) => Some(Graph::unary(Unary::Negate, &a)),
                        Some(_) => Some(a),
                        None => None,
                    },
                    Unary::Signum => match self.sign(&a)? {
                        Some(Ordering::Less) => Some(Graph::integer(-1)),
                        Some(Ordering::Greater) => Some(Graph::integer(1)),
                        _ => None,
                    },
                    _ => Some(Graph::unary(*operation, &a)),
                }
            }
            Operation::Binary(operation, a, b) => {
                let (Some(a), Some(b)) = (self.resolved(a)?, self.resolved(b)?) else { return Ok(None) };
                match operation {
                    Binary::Maximum | Binary::Minimum => {
                        let difference = Graph::binary(Binary::Subtract, &a, &b);
                        let first = if *operation == Binary::Maximum { Ordering::Greater } else { Ordering::Less };
                        self.sign(&difference)?.map(|sign| if sign == first { a } else { b })
                    }
                    Binary::Planar(f) => match f.row().surface {
                        Surface::Angle => self.angle(*f, &a, &b)?,
                    },
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

    /// The angle of the point (x, y): left of the origin it is ±π + arctan (y/x) by the side on which y is.
    fn angle(&self, f: Planar, y: &Graph, x: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        if self.sign(x)? != Some(Ordering::Less) {
            return Ok(Some(Graph::binary(Binary::Planar(f), y, x)));
        }
        let turned = |operation: Binary| {
            let beside = Graph::function(Function::Atan, &Graph::binary(Binary::Divide, y, x));
            Graph::binary(operation, &beside, &Graph::pi())
        };
        Ok(self.sign(y)?.and_then(|side| match side {
            Ordering::Greater => Some(turned(Binary::Add)),
            Ordering::Less => Some(turned(Binary::Subtract)),
            Ordering::Equal => None,
        }))
    }

    /// The sign of a graph for small h > 0, where it is certain; equal to 0 where it is, to the order of the trial.
    fn sign(&self, g: &Graph) -> Result<Option<Ordering>, DiffeologyError> {
        let value = composed(std::slice::from_ref(g), &exactly(self.at));
        let exact = value.first().and_then(Graph::as_rational);
        for (order, coefficients) in
            taylor(std::slice::from_ref(g), self.at, self.along, self.trial)?.iter().enumerate()
        {
            let [c] = &coefficients[..] else { return Ok(None) };
            if !c.is_defined() {
                return Ok(None);
            }
            // at 1/3 the enclosure of x − 1/3 is not a point
            if let (0, Some(exact)) = (order, exact) {
                match exact.cmp0() {
                    Ordering::Equal => continue,
                    sign => return Ok(Some(sign)),
                }
            }
            if *c.lo() > 0 {
                return Ok(Some(Ordering::Greater));
            }
            if *c.hi() < 0 {
                return Ok(Some(Ordering::Less));
            }
            if !c.is_point() {
                return Ok(None);
            }
        }
        Ok(Some(Ordering::Equal))
    }
}
