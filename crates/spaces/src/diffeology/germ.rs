//! Germs on one side of a point: a graph with kinks, with its kinks resolved for that side.
//!
//! Along a line `u + h·v`, for small h > 0, each `abs`, `max` and `min` takes one branch, `signum` one value, and an
//! angle one side of the ray where it jumps. The first nonzero Taylor coefficient of the argument decides the branch.
//! The graph with these branches substituted has no kinks, and agrees with the original for small h > 0. So both have
//! the same one-sided derivatives, and a smooth function has the same ones from both sides. Only coefficients that are
//! exactly 0 are skipped, so decisions are certain. If all computed coefficients are 0, both branches have the same
//! derivatives up to that order, and either may be substituted.

use super::error::DiffeologyError;
use super::real::rational_point;
use super::reparametrisation::compose_graphs;
use crate::function::{BinaryShape, Function, Planar};
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary};
use crate::smooth::map::MapTestConfig;
use crate::smooth::map::probe::EvalRequest;
use crate::smooth::map::untyped::{DynMap, coordinate_variables};
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::sync::Arc;

/// Returns the Taylor coefficients of graphs over the coordinates at a point, along a direction. The outer index is the
/// order, the inner one the graph.
///
/// # Errors
/// - The errors of evaluation.
/// - [`DiffeologyError::Map`] if a graph mentions another variable.
/// - [`DiffeologyError::Dimension`] if `along` has another dimension than `at`.
pub fn taylor_coefficients(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &MapTestConfig,
) -> Result<Vec<Vec<Enclosure>>, DiffeologyError> {
    DiffeologyError::check_dimension("the direction", at.len(), along.len())?;
    let map = Arc::new(DynMap::of_graphs(&coordinate_variables(at.len()), graphs)?);
    let inputs = at.iter().map(|x| [x.clone(), x.clone()]).collect();
    // Along 0 all derivatives vanish, and the value alone is computed.
    let moves = along.iter().any(|v| !v.is_zero());
    let order = if moves { trial.order } else { 0 };
    let directions = if order == 0 { Vec::new() } else { vec![(AlgebraGenerator::Direction(order), along.to_vec())] };
    let wanted = if order == 0 { vec![Vec::new()] } else { (0..=order).map(|k| vec![k]).collect() };
    let probe =
        EvalRequest { directions, requested: wanted, as_coefficient: true, ..EvalRequest::for_value(&map, inputs) };
    let budget = Budget::new(trial.work, None, None);
    // Six bits more than the trial asks: the coefficients are compared with its tolerance afterwards. A choice.
    let effort = PassOptions::new(Magnitude::from_rational(&trial.eps).mul_exp2(-6), &budget);
    let bits = trial.precisions.iter().copied().max().unwrap_or(96).max(64);
    let found = probe.enclose_results(Precision::Mpfr(bits), &effort)?;
    Ok(found.chunks(graphs.len().max(1)).map(<[Enclosure]>::to_vec).collect())
}

/// Resolves the kinks of graphs for small h > 0 along the line. Returns `None` if a branch is undecided.
///
/// # Errors
/// The errors of [`taylor_coefficients`].
pub fn resolve_kinks(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &MapTestConfig,
) -> Result<Option<Vec<Graph>>, DiffeologyError> {
    let mut side = KinkResolver { at, along, trial, done: FxHashMap::default() };
    graphs.iter().map(|g| side.resolve_graph(g)).collect()
}

/// The number of kinks that are searched for on a line. A choice: each costs a test of smoothness.
const MAX_KINKS: usize = 8;

/// Returns points of the line `at + t·along` where a kink may lie. A kink is a zero of the argument of `abs` or
/// `signum`, of the difference of the arguments of `max` or `min`, or of the height of an angle. Found are the zeros of
/// arguments that are affine on the line, and only if arithmetic shows their values at t = 0 and t = 1 to be rational.
/// Other arguments may give points that are no kinks.
#[must_use]
pub fn kink_points(graphs: &[Graph], at: &[Rational], along: &[Rational]) -> Vec<Vec<Rational>> {
    let (mut waiting, mut seen) = (graphs.to_vec(), FxHashSet::default());
    let mut arguments = Vec::new();
    while let Some(g) = waiting.pop() {
        if arguments.len() == MAX_KINKS {
            break;
        }
        // Shared subgraphs are visited once.
        if !seen.insert(g.address()) {
            continue;
        }
        match g.operation() {
            NodeOperation::Unary(operation, a) => {
                if matches!(operation, Unary::Abs | Unary::Signum) {
                    arguments.push(a.clone());
                }
                waiting.push(a.clone());
            }
            NodeOperation::Binary(operation, a, b) => {
                match operation {
                    Binary::Maximum | Binary::Minimum => arguments.push(Graph::binary(Binary::Subtract, a, b)),
                    Binary::Planar(f) => match f.row().shape {
                        BinaryShape::Angle => arguments.push(a.clone()),
                    },
                    _ => {}
                }
                waiting.extend([a.clone(), b.clone()]);
            }
            NodeOperation::Power(a, _) => waiting.push(a.clone()),
            _ => {}
        }
    }
    // The secant through t = 0 and t = 1 is exact for affine arguments; for others its zero is just one more point to
    // test.
    let step =
        |t: &Rational| -> Vec<Rational> { at.iter().zip(along).map(|(x, v)| Rational::from(v * t) + x).collect() };
    let values = |t: i64| compose_graphs(&arguments, &rational_point(&step(&Rational::from(t))));
    let ends = values(0).into_iter().zip(values(1));
    let root = |(first, second): (Graph, Graph)| {
        let (p, q) = (first.as_rational()?.clone(), second.as_rational()?);
        let fall = Rational::from(&p - q);
        (!fall.is_zero()).then(|| step(&(p / fall)))
    };
    ends.filter_map(root).collect()
}

/// The recursion of [`resolve_kinks`] over graphs that share subgraphs.
struct KinkResolver<'a> {
    at: &'a [Rational],
    along: &'a [Rational],
    trial: &'a MapTestConfig,
    /// The results by address of the graph. The graphs are kept, so that no address is reused.
    done: FxHashMap<usize, (Graph, Option<Graph>)>,
}

impl KinkResolver<'_> {
    /// Resolves the kinks of a graph, with a memo.
    fn resolve_graph(&mut self, g: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return Ok(done.clone());
        }
        let result = with_stack(|| self.resolve_operation(g))?;
        self.done.insert(g.address(), (g.clone(), result.clone()));
        Ok(result)
    }

    /// Resolves the kinks of a graph whose root is any operation. Returns `None` if a branch is undecided.
    fn resolve_operation(&mut self, g: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        Ok(match g.operation() {
            NodeOperation::Unary(operation, a) => {
                let Some(a) = self.resolve_graph(a)? else { return Ok(None) };
                match operation {
                    Unary::Abs => match self.one_sided_sign(&a)? {
                        Some(Ordering::Less) => Some(Graph::unary(Unary::Negate, &a)),
                        // Zero to the order of the trial: both branches have the same derivatives, and `a` is one of
                        // them.
                        Some(_) => Some(a),
                        None => None,
                    },
                    Unary::Signum => match self.one_sided_sign(&a)? {
                        Some(Ordering::Less) => Some(Graph::integer(-1)),
                        Some(Ordering::Greater) => Some(Graph::integer(1)),
                        // At exactly 0 to the order of the trial, the value of `signum` is undecided.
                        _ => None,
                    },
                    _ => Some(Graph::unary(*operation, &a)),
                }
            }
            NodeOperation::Binary(operation, a, b) => {
                let (Some(a), Some(b)) = (self.resolve_graph(a)?, self.resolve_graph(b)?) else { return Ok(None) };
                match operation {
                    Binary::Maximum | Binary::Minimum => {
                        let difference = Graph::binary(Binary::Subtract, &a, &b);
                        let first = if *operation == Binary::Maximum { Ordering::Greater } else { Ordering::Less };
                        self.one_sided_sign(&difference)?.map(|sign| if sign == first { a } else { b })
                    }
                    Binary::Planar(f) => match f.row().shape {
                        BinaryShape::Angle => self.resolve_angle(*f, &a, &b)?,
                    },
                    _ => Some(Graph::binary(*operation, &a, &b)),
                }
            }
            NodeOperation::Power(a, exponent) => {
                let Some(a) = self.resolve_graph(a)? else { return Ok(None) };
                Graph::power(&a, &Rational::from((exponent.numerator, exponent.denominator)))
            }
            // Binders are left as they are: their own jets then decide.
            _ => Some(g.clone()),
        })
    }

    /// Resolves the angle of the point (x, y). Left of the origin it is arctan (y/x) ± π, with the sign of y.
    fn resolve_angle(&self, f: Planar, y: &Graph, x: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        // Only the ray x < 0, y = 0 is a jump, so elsewhere the angle is smooth as it stands.
        if self.one_sided_sign(x)? != Some(Ordering::Less) {
            return Ok(Some(Graph::binary(Binary::Planar(f), y, x)));
        }
        let turned = |operation: Binary| {
            let beside = Graph::function(Function::Atan, &Graph::binary(Binary::Divide, y, x));
            Graph::binary(operation, &beside, &Graph::pi())
        };
        Ok(self.one_sided_sign(y)?.and_then(|side| match side {
            Ordering::Greater => Some(turned(Binary::Add)),
            Ordering::Less => Some(turned(Binary::Subtract)),
            Ordering::Equal => None,
        }))
    }

    /// Returns the sign of a graph for small h > 0 if it is certain. `Equal` means that all coefficients up to the
    /// order of the trial are 0. Returns `None` if undecided.
    fn one_sided_sign(&self, g: &Graph) -> Result<Option<Ordering>, DiffeologyError> {
        let value = compose_graphs(std::slice::from_ref(g), &rational_point(self.at));
        let exact = value.first().and_then(Graph::as_rational);
        for (order, coefficients) in
            taylor_coefficients(std::slice::from_ref(g), self.at, self.along, self.trial)?.iter().enumerate()
        {
            let [c] = &coefficients[..] else { return Ok(None) };
            if !c.is_defined() {
                return Ok(None);
            }
            // The enclosure of x − 1/3 at 1/3 is no point, but exact arithmetic gives 0.
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
            // Not certainly zero: a later coefficient cannot decide.
            if !c.is_point() {
                return Ok(None);
            }
        }
        Ok(Some(Ordering::Equal))
    }
}
