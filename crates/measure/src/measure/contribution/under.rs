//! A derivative in the parameter as a mean: `d/dt E F = E (∂F + F·∂ log p)`, and so on for higher ones.
//!
//! It goes under the integral where no border moves and the next derivative of F·p, over p, has a bound with a mean near the parameter, which is what
//! [`bound`] asks. So draws that are integrated over as boxes have derivatives.

use crate::measure::distribution::{add, divide, multiply};
use crate::measure::draws::{Draw, Parameter, Path};
use crate::measure::moment::bound;
use crate::measure::slope::slope;
use crate::number::budget::Budget;
use crate::smooth::graph::Graph;

/// The map of which a derivative is the mean; `None` where that is not shown.
pub fn under_the_integral(
    path: &Path,
    factors: &[Graph],
    parameter: &Parameter,
    order: u32,
    budget: &Budget,
) -> Option<Graph> {
    bound(path, factors, Some(parameter), order, budget)?;
    let v = parameter.variable;
    let zero = || Graph::integer(0);
    let mut score = zero();
    for draw in &path.draws {
        let own = match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => {
                slope(chance, v).map_or_else(zero, |slope| divide(&slope, chance))
            }
            Draw::Real(_) | Draw::Tail(..) => {
                let (x, distribution) = draw.coordinate()?;
                distribution.score(&Graph::variable(x), v)
            }
        };
        score = add(&score, &own);
    }
    let product = factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor));
    let next = |f: Graph, _| add(&slope(&f, v).unwrap_or_else(zero), &multiply(&f, &score));
    Some((0..order).fold(product, next))
}
