//! Moments of distributions and of their tails, and bounds by them of the contributions of paths.
//!
//! An upper bound of E |x|ᵏ is a fact of the [family](super::distribution) of x. Exponentials of natural numbers become
//! other distributions of these (`tilt`).
//!
//! A product of weights and values is bounded by a [`Majorant`]. The last draw is replaced by its moments, which are
//! bounded by maps of the earlier draws, and so on.
//!
//! A derivative in the parameter of a density is the density times a polynomial in derivatives of its logarithm.
//! Differentiation under the sum or integral is valid if the next derivative is bounded as well, near the parameter.

mod tilt;

use super::distribution::{Distribution, factorial, powered};
use super::draws::{Draw, ExecutionPath, NaturalRange, Parameter};
use super::majorant::{Majorant, MajorantSearch, max_abs_of};
use crate::number::budget::Budget;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::Graph;
use tilt::GrowthRates;

/// At least E nᵏ, over natural numbers.
fn tail_moment(
    distribution: &Distribution,
    span: NaturalRange,
    k: u32,
    majorants: &MajorantSearch<'_>,
) -> Option<Magnitude> {
    let at = |graph: &Graph| max_abs_of(&majorants.enclose_range(graph));
    let chance = |span: NaturalRange| {
        let found = majorants.enclose_range(&distribution.tail(span));
        // a bound that is negative is none
        if found.is_defined() && *found.lo() >= 0 { max_abs_of(&found).min(Magnitude::ONE) } else { Magnitude::ONE }
    };
    if let Some(last) = span.last {
        return Some(powered(Magnitude::from_rational(&Rational::from(last)), k) * chance(span));
    }
    let beyond = |n: u64| chance(NaturalRange::from(n));
    let found = distribution.family().tail_moment(distribution.parameters(), k, span.first, &at, &beyond)?;
    Some(found).filter(|bound| bound.is_finite())
}

/// Returns an upper bound on the absolute value of a derivative in the parameter of the contribution of a path to the
/// mean of a product of maps.
///
/// Returns `None` if no bound is proved.
#[must_use]
pub fn bound_contribution(
    path: &ExecutionPath,
    factors: &[Graph],
    parameter: Option<&Parameter>,
    order: u32,
    budget: &Budget,
) -> Option<Magnitude> {
    let variable = parameter.map(|p| p.variable).filter(|_| order > 0);
    if let Some(v) = variable {
        // a boundary that moves adds a boundary term to the derivative, which is not bounded here
        let ends = path.coordinates().flat_map(|x| x.distribution.ends()).flatten();
        let mut borders = path.decisions.iter().map(|decided| decided.guard.graph.clone()).chain(ends);
        if borders.any(|border| border.depends_on(v)) {
            return None;
        }
    }
    let within = path.coordinate_ranges(parameter);
    // the next derivative must be bounded too, for differentiation under the integral (dominated convergence)
    let highest = if variable.is_some() { order + 1 } else { 0 };
    let mut jets = MajorantSearch::new(&within, variable, highest, budget);
    let mut product = jets.constant_jet(Majorant::constant(Magnitude::ONE));
    for draw in &path.draws {
        let own = match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => jets.bound_jet(chance)?,
            Draw::Real(_) | Draw::Tail(..) => {
                let (x, distribution) = draw.coordinate()?;
                // without a derivative the density needs no bound: the moments integrate it exactly
                let Some(v) = variable else { continue };
                let mut sum = jets.constant_jet(Majorant::default());
                for term in distribution.log_density(&Graph::variable(x)).iter().filter(|term| term.depends_on(v)) {
                    sum = sum.iter().zip(jets.bound_jet(term)?).map(|(a, b)| a.sum_bound(&b)).collect();
                }
                jets.exp_ratio(&sum)?
            }
        };
        product = jets.multiply_jets(&product, &own)?;
    }
    let mut tilts = GrowthRates::default();
    for factor in factors {
        let own = tilts.bound_factor(factor, path, &mut jets)?;
        product = jets.multiply_jets(&product, &own)?;
    }
    // the moments are those for each fixed parameter, so that no derivatives are needed here
    let mut plain = MajorantSearch::new(&within, None, 0, budget);
    let mut bounds = Vec::new();
    for coefficient in product {
        bounds.push(mean_of_majorant(path, coefficient, &tilts, &mut plain)?);
    }
    // the Taylor coefficient times order! is the derivative
    let found = *bounds.get(order as usize)? * factorial(order);
    bounds.iter().all(|bound| bound.is_finite()).then_some(found)
}

/// Bounds the mean of a majorant: from the last draw backwards, powers of a draw are replaced by its moments.
fn mean_of_majorant(
    path: &ExecutionPath,
    bound: Majorant,
    tilts: &GrowthRates,
    plain: &mut MajorantSearch<'_>,
) -> Option<Magnitude> {
    let mut bound = bound;
    for draw in path.draws.iter().rev() {
        let Some((x, distribution)) = draw.coordinate() else { continue };
        let mut sum = Majorant::default();
        for (k, part) in bound.coefficients_in(x) {
            if plain.is_exhausted() {
                return None;
            }
            let moment = match draw {
                Draw::Tail(n, _, span) => {
                    let (tilted, factor) = tilts.tilt_distribution(*n, distribution, plain)?;
                    Majorant::constant(tail_moment(&tilted, *span, k, plain)? * factor)
                }
                _ => distribution.moment(k, &mut |graph| Some(plain.bound_jet(graph)?.swap_remove(0)))?,
            };
            sum = sum.sum_bound(&part.product_bound(&moment)?);
        }
        bound = sum;
    }
    bound.as_constant().filter(|bound| bound.is_finite())
}
