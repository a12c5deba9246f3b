//! Derivative elimination: `D f(at)·along` as `Σᵢ alongᵢ·∂ᵢf(at)`, the partial derivatives from one reverse sweep.
//!
//! The remaining derivatives are those of `max`, `min`, `abs` and `signum` alone, which are step functions and are
//! differentiated to 0, and those of primitives from outside and of solvers. Definedness is not kept. Numbers are
//! certain only if nothing is lost ([`expands_exactly`]).

use super::rule::{multiply_simplified, write_formula};
use super::{StandardReverseHooks, add_nonzero, adjoint_graphs, may_be_undefined};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Derivative, Graph, NodeOperation, Variable};
use crate::smooth::substitution::Substitution;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Eliminates derivatives from maps, as far as possible.
#[must_use]
pub fn without_derivatives(graphs: &[Graph]) -> Vec<Graph> {
    if derivative_nodes(graphs).is_empty() {
        return graphs.to_vec();
    }
    let mut expansion = DerivativeElimination::default();
    graphs.iter().map(|g| expansion.eliminate_in(g)).collect()
}

/// Returns `true` if eliminating derivatives loses nothing: neither the differentiated maps nor their points and
/// directions contain domain boundaries or derivatives.
#[must_use]
pub fn expands_exactly(graphs: &[Graph]) -> bool {
    let parts = |d: Arc<Derivative>| {
        let body = std::iter::once(d.body.clone());
        body.chain(d.at.iter().cloned()).chain(d.along.iter().cloned()).collect::<Vec<_>>()
    };
    !may_be_undefined(&derivative_nodes(graphs).into_iter().flat_map(parts).collect::<Vec<_>>())
}

/// Returns the second derivatives of a map without derivatives: the upper triangle, row by row, without structural
/// zeros.
#[must_use]
pub fn second_derivatives(variables: &[Variable], map: &Graph) -> Vec<([usize; 2], Graph)> {
    let slopes = |from: usize, map: &Graph| {
        let found =
            adjoint_graphs(&StandardReverseHooks, &variables[from..], std::slice::from_ref(map), &[Graph::integer(1)]);
        (from..).zip(found).filter_map(|(place, slope)| Some((place, slope?)))
    };
    let row = |(i, slope): (usize, Graph)| slopes(i, &slope).map(move |(j, second)| ([i, j], second));
    slopes(0, map).flat_map(row).collect()
}

fn derivative_nodes(graphs: &[Graph]) -> Vec<Arc<Derivative>> {
    if !graphs.iter().any(|g| g.occurrences().has_derivative()) {
        return Vec::new();
    }
    let derivative = |g: &Graph| match g.operation() {
        NodeOperation::Derivative(d) => Some(d.clone()),
        _ => None,
    };
    Graph::all_nodes(graphs).into_iter().filter_map(derivative).collect()
}

/// Finished nodes by address, with their results. The nodes are kept alive, so that no address is reused.
#[derive(Default)]
struct DerivativeElimination(FxHashMap<usize, (Graph, Graph)>);

impl DerivativeElimination {
    fn eliminate_in(&mut self, g: &Graph) -> Graph {
        if let Some((_, done)) = self.0.get(&g.address()) {
            return done.clone();
        }
        let result = with_stack(|| self.rebuild_node(g)).at_site(g.site());
        self.0.insert(g.address(), (g.clone(), result.clone()));
        result
    }

    fn rebuild_node(&mut self, g: &Graph) -> Graph {
        match g.operation() {
            NodeOperation::Unary(f, a) => Graph::unary(*f, &self.eliminate_in(a)),
            NodeOperation::Binary(f, a, b) => Graph::binary(*f, &self.eliminate_in(a), &self.eliminate_in(b)),
            NodeOperation::Power(a, e) => Graph::new(NodeOperation::Power(self.eliminate_in(a), *e)),
            NodeOperation::Select(guard, a, b) => {
                Graph::new(NodeOperation::Select(self.eliminate_in(guard), self.eliminate_in(a), self.eliminate_in(b)))
            }
            NodeOperation::Derivative(d) => self.eliminate_derivative(d),
            _ => g.clone(),
        }
    }

    fn eliminate_derivative(&mut self, d: &Derivative) -> Graph {
        let body = self.eliminate_in(&d.body);
        let [at, along] = [&d.at, &d.along].map(|parts| parts.iter().map(|g| self.eliminate_in(g)).collect::<Vec<_>>());
        let slopes: Vec<_> = match body.operation() {
            NodeOperation::Second(..) | NodeOperation::Primitive(..) => {
                return Graph::derivative_node(Derivative {
                    variables: d.variables.clone(),
                    body,
                    at,
                    along,
                    coordinate_index: d.coordinate_index,
                });
            }
            // the formulas have values where the function jumps, so they are used as they are
            NodeOperation::Binary(Binary::Planar(f), ..) if is_applied(&body, &d.variables) => {
                let value = Graph::binary(Binary::Planar(*f), &at[0], &at[1]);
                f.slope_formulas().iter().map(|slope| Some(write_formula(slope, &at, &value, body.site()))).collect()
            }
            // the exponent p/q - 1 may be outside the range of `Graph::power`
            NodeOperation::Power(_, e) if e.numerator != 0 && is_applied(&body, &d.variables) => {
                let factor = Graph::rational(Rational::from((e.numerator, e.denominator)));
                vec![Some(multiply_simplified(
                    &factor,
                    &Graph::new(NodeOperation::Power(at[0].clone(), e.minus_one())),
                ))]
            }
            // a step function: kept as the derivative of the operation alone, in each variable
            _ if is_kink(&body, &d.variables) => {
                let unit = |i| (0..at.len()).map(|j| Graph::integer(i64::from(i == j))).collect();
                let step = |i| Graph::derivative(d.variables.clone(), body.clone(), at.clone(), unit(i));
                (0..at.len()).map(|i| Some(step(i))).collect()
            }
            _ => {
                let there: Vec<_> = d.variables.iter().copied().zip(at).collect();
                let slopes = constant_step_slopes(&d.variables, &body).into_iter();
                slopes.map(|slope| Some(self.eliminate_in(&slope?.substitute(&there)))).collect()
            }
        };
        let terms = slopes.into_iter().zip(&along).filter_map(|(slope, along)| match along.as_rational() {
            Some(q) if q.is_zero() => None,
            _ => Some(multiply_simplified(&slope?, along)),
        });
        terms.reduce(|a, b| add_nonzero(&a, &b)).unwrap_or_else(|| Graph::integer(0))
    }
}

/// Returns the partial derivatives of an expanded body, with step functions treated as constants.
fn constant_step_slopes(variables: &[Variable], body: &Graph) -> Vec<Option<Graph>> {
    let (mut pending, mut seen, mut steps) = (vec![body], FxHashSet::default(), Vec::new());
    while let Some(g) = pending.pop() {
        if seen.insert(g.address()) {
            if matches!(g.operation(), NodeOperation::Derivative(_)) {
                steps.push((Variable::fresh(), g.clone()));
            } else {
                pending.extend(g.operation().operands());
            }
        }
    }
    let mut stilled = Substitution::new(&[]);
    steps.iter().for_each(|(v, step)| stilled.replace_node(step, Graph::variable(*v)));
    let slopes = adjoint_graphs(&StandardReverseHooks, variables, &[stilled.apply(body)], &[Graph::integer(1)]);
    let mut back = Substitution::new(&steps);
    slopes.into_iter().map(|slope| Some(back.apply(&slope?))).collect()
}

/// Returns `true` if `body` is an operation with a kink, applied to the bound variables.
fn is_kink(body: &Graph, variables: &[Variable]) -> bool {
    body.operation().has_kink() && is_applied(body, variables)
}

/// Returns `true` if `body` is an operation applied to the bound variables, in their order.
fn is_applied(body: &Graph, variables: &[Variable]) -> bool {
    let parts = body.operation().operands();
    let is_own = |(part, v): (&&Graph, &Variable)| matches!(part.operation(), NodeOperation::Variable(w) if w == v);
    parts.len() == variables.len() && parts.iter().zip(variables).all(is_own)
}
