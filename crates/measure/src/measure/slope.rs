//! Partial derivatives of maps as maps: integrals know more of `2·x·e^(-x)` than of a derivative node.

use super::distribution::{add, divide, multiply, negate, power, subtract};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};

/// Returns the partial derivative of a map in a variable. Returns `None` if the map does not depend on it. Operations
/// without a formula here become a derivative node.
#[must_use]
pub fn partial_derivative(graph: &Graph, v: Variable) -> Option<Graph> {
    if !graph.depends_on(v) {
        return None;
    }
    let of = |a: &Graph| crate::stack::with_stack(|| partial_derivative(a, v));
    // `None` is the slope 0: absent terms keep the result a short product of factors
    let times = |a: Option<Graph>, b: &Graph| a.map(|a| multiply(&a, b));
    let plus = |a: Option<Graph>, b: Option<Graph>| match (a, b) {
        (Some(a), Some(b)) => Some(add(&a, &b)),
        (a, b) => a.or(b),
    };
    let minus = |a: Option<Graph>, b: Option<Graph>| match (a, b) {
        (Some(a), Some(b)) => Some(subtract(&a, &b)),
        (a, b) => a.or(b.map(|b| negate(&b))),
    };
    match graph.operation() {
        NodeOperation::Variable(_) => Some(Graph::integer(1)),
        NodeOperation::Unary(Unary::Negate, a) => of(a).map(|a| negate(&a)),
        NodeOperation::Binary(Binary::Add, a, b) => plus(of(a), of(b)),
        NodeOperation::Binary(Binary::Subtract, a, b) => minus(of(a), of(b)),
        NodeOperation::Binary(Binary::Multiply, a, b) => plus(times(of(a), b), times(of(b), a)),
        NodeOperation::Binary(Binary::Divide, a, b) => {
            let left = of(a).map(|a| divide(&a, b));
            let right = of(b).map(|slope| divide(&multiply(a, &slope), &power(b, &Rational::from(2))));
            minus(left, right)
        }
        // (aᵠ)′ = q·aᵠ⁻¹·a′ for any rational q
        NodeOperation::Power(a, exponent) => {
            let q = Rational::from((exponent.numerator, exponent.denominator));
            let outer = multiply(&Graph::rational(q.clone()), &power(a, &(q - 1)));
            times(of(a), &outer)
        }
        NodeOperation::Unary(Unary::Function(f @ (Function::Exp | Function::Log | Function::LogGamma)), a) => {
            let outer = match f {
                Function::Exp => graph.clone(),
                Function::Log => divide(&Graph::integer(1), a),
                _ => Graph::function(Function::Digamma, a),
            };
            times(of(a), &outer)
        }
        // a node for the operations with kinks, solvers or other functions: the machine differentiates it at each point
        _ => {
            // the node binds its own variable, since `v` remains free as the point of the derivative
            let own = Variable::fresh();
            let body = graph.substitute(&[(v, Graph::variable(own))]);
            Some(Graph::derivative(vec![own], body, vec![Graph::variable(v)], vec![Graph::integer(1)]))
        }
    }
}
