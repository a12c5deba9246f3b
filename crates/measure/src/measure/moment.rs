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
use super::draws::{Draw, Parameter, Path, Span};
use super::majorant::{Majorant, Majorants, magnitude};
use crate::number::budget::Budget;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::Graph;
use tilt::Tilts;

/// At least E nᵏ, over natural numbers.
fn tail_moment(distribution: &Distribution, span: Span, k: u32, majorants: &Majorants<'_>) -> Option<Magnitude> {
    let at = |graph: &Graph| magnitude(&majorants.range(graph));
    let chance = |span: Span| {
        let found = majorants.range(&distribution.tail(span));
        // a bound that is negative is none
        if found.is_defined() && *found.lo() >= 0 { magnitude(&found).min(Magnitude::ONE) } else { Magnitude::ONE }
    };
    if let Some(last) = span.last {
        return Some(powered(Magnitude::from_rational(&Rational::from(last)), k) * chance(span));
    }
    let beyond = |n: u64| chance(Span::from(n));
    let found = distribution.family().tail_moment(distribution.parameters(), k, span.first, &at, &beyond)?;
    Some(found).filter(|bound| bound.is_finite())
}

/// Returns an upper bound on the absolute value of a derivative in the parameter of the contribution of a path to the
/// mean of a product of maps.
///
/// Returns `None` if no bound is proved.
#[must_use]
pub fn bound(
    path: &Path,
    factors: &[Graph],
    parameter: Option<&Parameter>,
    order: u32,
    budget: &Budget,
) -> Option<Magnitude> {
    let variable = parameter.map(|p| p.variable).filter(|_| order > 0);
    if let Some(v) = variable {
        // a boundary that moves adds a boundary term to the derivative, which is not bounded here
        let ends = path.coordinates().flat_map(|x| x.distribution.ends()).flatten();
        let mut borders = path.decided.iter().map(|decided| decided.guard.graph.clone()).chain(ends);
        if borders.any(|border| border.depends_on(v)) {
            return None;
        }
    }
    let within = path.within(parameter);
    // the next derivative must be bounded too, for differentiation under the integral (dominated convergence)
    let highest = if variable.is_some() { order + 1 } else { 0 };
    let mut jets = Majorants::new(&within, variable, highest, budget);
    let mut product = jets.fixed(Majorant::constant(Magnitude::ONE));
    for draw in &path.draws {
        let own = match draw {
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => jets.of(chance)?,
            Draw::Real(_) | Draw::Tail(..) => {
                let (x, distribution) = draw.coordinate()?;
                // without a derivative the density needs no bound: the moments integrate it exactly
                let Some(v) = variable else { continue };
                let mut sum = jets.fixed(Majorant::default());
                for term in distribution.log_density(&Graph::variable(x)).iter().filter(|term| term.depends_on(v)) {
                    sum = sum.iter().zip(jets.of(term)?).map(|(a, b)| a.plus(&b)).collect();
                }
                jets.growth(&sum)?
            }
        };
        product = jets.product(&product, &own)?;
    }
    let mut tilts = Tilts::default();
    for factor in factors {
        let own = tilts.of(factor, path, &mut jets)?;
        product = jets.product(&product, &own)?;
    }
    // the moments are those for each fixed parameter, so that no derivatives are needed here
    let mut plain = Majorants::new(&within, None, 0, budget);
    let mut bounds = Vec::new();
    for coefficient in product {
        bounds.push(mean(path, coefficient, &tilts, &mut plain)?);
    }
    // the Taylor coefficient times order! is the derivative
    let found = *bounds.get(order as usize)? * factorial(order);
    bounds.iter().all(|bound| bound.is_finite()).then_some(found)
}

/// Bounds the mean of a majorant: from the last draw backwards, powers of a draw are replaced by its moments.
fn mean(path: &Path, bound: Majorant, tilts: &Tilts, plain: &mut Majorants<'_>) -> Option<Magnitude> {
    let mut bound = bound;
    for draw in path.draws.iter().rev() {
        let Some((x, distribution)) = draw.coordinate() else { continue };
        let mut sum = Majorant::default();
        for (k, part) in bound.by(x) {
            if plain.is_exhausted() {
                return None;
            }
            let moment = match draw {
                Draw::Tail(n, _, span) => {
                    let (tilted, factor) = tilts.tilted(*n, distribution, plain)?;
                    Majorant::constant(tail_moment(&tilted, *span, k, plain)? * factor)
                }
                _ => distribution.moment(k, &mut |graph| Some(plain.of(graph)?.swap_remove(0)))?,
            };
            sum = sum.plus(&part.times(&moment)?);
        }
        bound = sum;
    }
    bound.as_constant().filter(|bound| bound.is_finite())
}
