//! Derivatives in the parameter as means: `d/dt E F = E (∂F + F·∂ log p)`, and similarly for higher orders.
//!
//! Differentiation under the integral is valid if no boundary moves, and if the next derivative of F·p, divided by p,
//! has a bound with a finite mean near the parameter; [`bound`] decides that. So draws that are integrated over boxes
//! have derivatives.

use crate::measure::distribution::{add, divide, multiply};
use crate::measure::draws::{Draw, ExecutionPath, Parameter};
use crate::measure::moment::bound_contribution;
use crate::measure::slope::partial_derivative;
use crate::number::budget::Budget;
use crate::smooth::graph::Graph;

/// Returns the map whose mean is the derivative. Returns `None` if differentiation under the integral is not justified.
pub fn differentiate_under_integral(
    path: &ExecutionPath,
    factors: &[Graph],
    parameter: &Parameter,
    order: u32,
    budget: &Budget,
) -> Option<Graph> {
    // a finite bound is the proof; its value is not needed
    bound_contribution(path, factors, Some(parameter), order, budget)?;
    let v = parameter.variable;
    let zero = || Graph::integer(0);
    let mut score = zero();
    for draw in &path.draws {
        let own = match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => {
                partial_derivative(chance, v).map_or_else(zero, |slope| divide(&slope, chance))
            }
            Draw::Real(_) | Draw::Tail(..) => {
                let (x, distribution) = draw.coordinate()?;
                distribution.score(&Graph::variable(x), v)
            }
        };
        score = add(&score, &own);
    }
    let product = factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor));
    let next = |f: Graph, _| add(&partial_derivative(&f, v).unwrap_or_else(zero), &multiply(&f, &score));
    Some((0..order).fold(product, next))
}
