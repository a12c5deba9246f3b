//! Upper bounds on the contribution of a path to a mean, by the moments of its draws.
//!
//! A product of weights and values is bounded by a [`Majorant`], a polynomial in absolute values of draws. From the last draw
//! to the first, the powers of a draw are replaced by its moments. These are bounded by maps of the earlier draws. The
//! [family](super::distribution) of a distribution supplies an upper bound on E |x|ᵏ.
//!
//! A derivative in the parameter of a density is the density times a polynomial in derivatives of its logarithm.
//! Differentiation under the sum or integral is valid if the next derivative is bounded as well, near the parameter.
//!
//! # Exponential tilting
//!
//! A [tail](Draw::Tail) is a range of natural numbers, drawn as one variable n instead of one path for each. An exponential
//! of n has no polynomial bound, so the distribution absorbs it: e^(hn)·p(n) is a factor times the probability of n in
//! another distribution, the *tilted* one. The [family](crate::measure::distribution) supplies it.
//!
//! A factor e^(c n + b) with c ≤ h, h ≥ 0 and b ≤ B is at most eᴮ e^(hn). Here b may depend on other draws.

use super::distribution::{Distribution, factorial, powered};
use super::draws::{Draw, ExecutionPath, NaturalRange, Parameter};
use super::majorant::{Majorant, MajorantSearch, max_abs_of};
use crate::function::Function;
use crate::measure::distribution::Tilted;
use crate::measure::eliminate::affine_coefficients;
use crate::measure::majorant::MajorantJet;
use crate::number::budget::Budget;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;

/// Returns an upper bound on the sum of nᵏ·p(n) over the natural numbers n of `span`. Returns `None` if no finite
/// bound is known.
fn tail_moment(
    distribution: &Distribution,
    span: NaturalRange,
    k: u32,
    majorants: &MajorantSearch<'_>,
) -> Option<Magnitude> {
    let at = |graph: &Graph| max_abs_of(&majorants.enclose_range(graph));
    let chance = |span: NaturalRange| {
        let found = majorants.enclose_range(&distribution.tail(span));
        // `tail` bounds the probability only where it is defined and not negative
        if found.is_defined() && *found.lo() >= 0 { max_abs_of(&found).min(Magnitude::ONE) } else { Magnitude::ONE }
    };
    // in a finite span nᵏ is at most that of the last number
    if let Some(last) = span.last {
        return Some(powered(Magnitude::from_rational(&Rational::from(last)), k) * chance(span));
    }
    let beyond = |n: u64| chance(NaturalRange::from(n));
    let found = distribution.family().tail_moment(distribution.parameters(), k, span.first, &at, &beyond)?;
    Some(found).filter(|bound| bound.is_finite())
}

/// Returns an upper bound on the absolute value of the contribution of a path to the mean of a product of maps.
///
/// With a `parameter`, the bound is one of the derivative of that contribution of the given order. Returns `None` if no bound
/// is proved.
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
                // without a derivative the density is no factor: the moments integrate over it
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
    // derivatives of the densities are among the factors, so the moments need none: they are bounds for each parameter
    let mut plain = MajorantSearch::new(&within, None, 0, budget);
    let mut bounds = Vec::new();
    for coefficient in product {
        bounds.push(mean_of_majorant(path, coefficient, &tilts, &mut plain)?);
    }
    // the Taylor coefficient times order! is the derivative
    let found = *bounds.get(order as usize)? * factorial(order);
    bounds.iter().all(|bound| bound.is_finite()).then_some(found)
}

/// Bounds the mean of a majorant, times the exponentials with the rates `tilts`. From the last draw backwards, powers of a
/// draw are replaced by its moments.
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

/// Upper bounds h ≥ 0 of the growth rates c of exponentials e^(c n + b), with the variable n of a tail. Those of one variable
/// are added.
#[derive(Debug, Default)]
struct GrowthRates(Vec<(Variable, Rational)>);

impl GrowthRates {
    /// Bounds a factor without its exponentials of variables of tails, whose growth rates are recorded. Returns `None` if
    /// there is no bound.
    pub fn bound_factor(
        &mut self,
        factor: &Graph,
        path: &ExecutionPath,
        jets: &mut MajorantSearch<'_>,
    ) -> Option<MajorantJet> {
        if let Some(found) = jets.bound_jet(factor) {
            return Some(found);
        }
        match factor.operation() {
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                let [a, b] = [self.bound_factor(a, path, jets)?, self.bound_factor(b, path, jets)?];
                jets.multiply_jets(&a, &b)
            }
            NodeOperation::Unary(Unary::Negate, a) => self.bound_factor(a, path, jets),
            NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
                let mut rest = a.clone();
                for draw in &path.draws {
                    let Draw::Tail(n, ..) = draw else { continue };
                    if rest.depends_on(*n) {
                        let [b, c] = affine_coefficients(&rest, *n, &mut RationalNormalForm::default())?;
                        let c = jets.enclose_range(&c);
                        let highest = c.hi().to_rational().filter(|_| c.is_defined())?;
                        // since n ≥ 0, the rate 0 bounds a negative one
                        self.0.push((*n, highest.max(Rational::new())));
                        rest = b;
                    }
                }
                let rest = Some(max_abs_of(&jets.enclose_range(&rest.exp()))).filter(|most| most.is_finite())?;
                let exponent = jets.bound_jet(a)?;
                // the coefficients divided by the value of the exponential, which is in the tilt and in `rest`
                Some(jets.exp_ratio(&exponent)?.iter().map(|part: &Majorant| part.scale_by(rest)).collect())
            }
            _ => None,
        }
    }

    /// Returns the tilted distribution of the variable `n`, and an upper bound on the factor. Returns `None` if the
    /// exponentials have no mean, or no bound.
    pub fn tilt_distribution(
        &self,
        n: Variable,
        distribution: &Distribution,
        majorants: &MajorantSearch<'_>,
    ) -> Option<(Distribution, Magnitude)> {
        let own = self.0.iter().filter(|(v, _)| *v == n).map(|(_, h)| h.clone());
        let Some(sum) = own.reduce(|a, b| a + b) else { return Some((distribution.clone(), Magnitude::ONE)) };
        let growth = Graph::rational(sum).exp();
        let Tilted { distribution, positive, factor } = distribution.tilted(&growth)?;
        let is_positive = |graph: Graph| {
            let found = majorants.enclose_range(&graph);
            found.is_defined() && *found.lo() > 0
        };
        if !positive.is_none_or(is_positive) {
            return None;
        }
        Some((distribution, max_abs_of(&majorants.enclose_range(&factor)))).filter(|(_, most)| most.is_finite())
    }
}
