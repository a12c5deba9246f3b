//! Densities as products of powers.

use super::distribution::{add, multiply, negate, power};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary};
use rustc_hash::FxHashMap;

/// Rewrites `exp (c·log y + …)`, for numbers c, into powers `y^c·exp (…)`. The maps agree where y is positive, and
/// integrals have more rules for powers.
#[must_use]
pub fn rewrite_as_powers(graph: &Graph) -> Graph {
    let mut known = FxHashMap::default();
    with_powers(graph, &mut known)
}

/// Rewrites a map and its factors. `known` holds the results by address, so that shared nodes are rewritten once.
fn with_powers(graph: &Graph, known: &mut FxHashMap<usize, Graph>) -> Graph {
    if let Some(known) = known.get(&graph.address()) {
        return known.clone();
    }
    let mut inside = |g: &Graph| crate::stack::with_stack(|| with_powers(g, known));
    let found = match graph.operation() {
        NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
            let (mut factors, mut rest) = (Vec::new(), Vec::new());
            collect_log_terms(a, 1, &mut factors, &mut rest);
            if factors.is_empty() {
                graph.clone()
            } else {
                let sum = rest.into_iter().reduce(|sum, next| add(&sum, &next));
                let exponential = sum.map(|sum| Graph::function(Function::Exp, &sum));
                let product = factors.iter().map(|(y, c)| power(y, c)).chain(exponential);
                product.reduce(|product, next| multiply(&product, &next)).unwrap_or_else(|| Graph::integer(1))
            }
        }
        NodeOperation::Binary(operation @ (Binary::Multiply | Binary::Divide), a, b) => {
            Graph::binary(*operation, &inside(a), &inside(b))
        }
        NodeOperation::Unary(Unary::Negate, a) => negate(&inside(a)),
        _ => graph.clone(),
        // factors only: inside of a sum or another function no rule for powers applies
    };
    known.insert(graph.address(), found.clone());
    found
}

/// The greatest number of terms of a sum to collect. A choice: shared sums of sums have more terms than nodes.
const MOST_TERMS: usize = 64;

/// Splits `sign·graph` into `factors`, the multiples (y, c) of logarithms c·log y, and `rest`, the other terms.
fn collect_log_terms(graph: &Graph, sign: i64, factors: &mut Vec<(Graph, Rational)>, rest: &mut Vec<Graph>) {
    if factors.len() + rest.len() >= MOST_TERMS {
        // the remaining sum stays one term
        return rest.push(apply_sign(graph, sign));
    }
    let mut of = |a: &Graph, sign: i64| crate::stack::with_stack(|| collect_log_terms(a, sign, factors, rest));
    match graph.operation() {
        NodeOperation::Binary(Binary::Add, a, b) => {
            of(a, sign);
            of(b, sign);
        }
        NodeOperation::Binary(Binary::Subtract, a, b) => {
            of(a, sign);
            of(b, -sign);
        }
        NodeOperation::Unary(Unary::Negate, a) => of(a, -sign),
        NodeOperation::Unary(Unary::Function(Function::Log), y) => factors.push((y.clone(), Rational::from(sign))),
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            match (a.as_rational(), b.as_rational(), a.operation(), b.operation()) {
                (Some(c), _, _, NodeOperation::Unary(Unary::Function(Function::Log), y))
                | (_, Some(c), NodeOperation::Unary(Unary::Function(Function::Log), y), _) => {
                    factors.push((y.clone(), Rational::from(c * sign)));
                }
                _ => rest.push(apply_sign(graph, sign)),
            }
        }
        _ => rest.push(apply_sign(graph, sign)),
    }
}

/// Returns `graph`, negated if `sign` is negative.
fn apply_sign(graph: &Graph, sign: i64) -> Graph {
    if sign < 0 { negate(graph) } else { graph.clone() }
}
