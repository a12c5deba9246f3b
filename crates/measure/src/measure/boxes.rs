//! Joint integrals over boxes, in standardised coordinates, and bounds of the rest outside of a box.
//!
//! A draw is written as a map of a draw whose distribution has no parameters, such as `m + s·z`, so that points far
//! from 0 are rare whatever the earlier draws are. Outside of a box, by the Cauchy-Schwarz inequality,
//!
//! `E |F| 1[outside] ≤ √(E F² · P(outside))`,
//!
//! with the bound of E F² by moments. If F is bounded, the bound is that of F times P(outside).
//!
//! The probability of large standard draws is a fact of their [family](super::distribution). If it is unknown,
//! P(|x| > R) ≤ E |x|ᵏ/Rᵏ (Markov's inequality).

use super::cubature::{RestrictedIntegrand, integrate_over_box};
use super::distribution::{Distribution, divide, multiply, power, subtract};
use super::draws::{ExecutionPath, Parameter, TraceCoordinate};
use super::hooks::MeasureHooks;
use super::majorant::max_abs_of;
use super::moment::bound_contribution;
use super::range::enclose_range;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::parallel::available_threads;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::value::SourceId;

/// The greatest radius of a box. A choice: beyond it a box has too many parts.
const MAX_RADIUS: u32 = 4096;

/// The distribution of a coordinate.
#[derive(Clone, Debug)]
enum CoordinateDistribution {
    /// The standard distribution of the draw's family.
    Standard(Distribution),
    /// The draw itself, and `true` if it is positive.
    Own(Variable, bool),
}

/// An integral over dependent draws, in standardised coordinates.
#[derive(Debug)]
/// The coordinates.
pub struct BoxIntegral {
    /// The distributions of the coordinates.
    variables: Vec<Variable>,
    /// The map to integrate, densities included.
    spreads: Vec<CoordinateDistribution>,
    /// The decisions that bound the domain.
    integrand: Graph,
    decided: Vec<GuardCondition>,
}

/// Standardises a draw: returns the distribution and density of the coordinate `z`, and the draw as a map of it.
/// Returns `None` if no bound on the probability of large `z` is known.
fn standardise_draw(distribution: &Distribution, z: &Graph) -> Option<(CoordinateDistribution, Graph, Graph)> {
    let (standard, map) = distribution.standard(z);
    let is_bounded = standard.ends().iter().all(|end| end.as_ref().is_some_and(|end| end.as_rational().is_some()));
    let is_known = is_bounded || standard.chance_beyond(MAX_RADIUS).is_some();
    let density = standard.density(z);
    is_known.then_some((CoordinateDistribution::Standard(standard), density, map))
}

/// Makes the decision that a map is positive.
fn positive_decision(graph: &Graph) -> GuardCondition {
    let guard = SignGuard::new(graph, SignTest::Positive, SourceId::NOWHERE);
    GuardCondition { guard, holds: true, is_condition: false }
}

impl BoxIntegral {
    /// Makes the integral of a product of factors over draws. The factors contain the densities.
    ///
    /// A draw is standardised if its density is still one of the factors.
    pub fn new(
        coordinates: &[TraceCoordinate],
        densities: &[(Variable, Graph)],
        factors: &[Graph],
        decided: &[GuardCondition],
        path: &ExecutionPath,
        parameter: Option<&Parameter>,
    ) -> Self {
        let mut factors = factors.to_vec();
        let mut decided = decided.to_vec();
        let (mut variables, mut spreads) = (Vec::new(), Vec::new());
        let mut maps: Vec<(Variable, Graph)> = Vec::new();
        if let Some(p) = parameter {
            maps.push((p.variable, Graph::rational(p.value.clone())));
        }
        let mut own = Vec::new();
        for x in coordinates {
            let z = Variable::fresh();
            let place = Graph::variable(z);
            // a distribution can be standardised if its parameters are maps of earlier coordinates
            let is_known = !path.coordinates().any(|other| {
                maps.iter().all(|(v, _)| *v != other.variable) && x.distribution.depends_on(other.variable)
            });
            let density = densities.iter().find(|(v, _)| *v == x.variable).map(|(_, density)| density);
            let index = density.and_then(|own| factors.iter().position(|f| f.address() == own.address()));
            // a density that is a number is a factor of no group
            let is_number = |own: &Graph| path.coordinates().all(|other| !own.depends_on(other.variable));
            let scale = density.filter(|own| index.is_none() && is_number(own)).cloned();
            let fixed = x.distribution.map(&|graph| graph.substitute(&maps));
            let found =
                (is_known && (index.is_some() || scale.is_some())).then(|| standardise_draw(&fixed, &place)).flatten();
            variables.push(z);
            match found {
                Some((spread, density, map)) => {
                    match (index, scale) {
                        (Some(i), _) => drop(factors.swap_remove(i)),
                        // the constant density is multiplied elsewhere, so that it is divided out here
                        (None, Some(scale)) => own.push(divide(&Graph::integer(1), &scale.substitute(&maps))),
                        (None, None) => {}
                    }
                    own.push(density);
                    spreads.push(spread);
                    maps.push((x.variable, map));
                }
                // the draw keeps its density as a factor, and its support becomes a pair of guards
                None => {
                    let at = Graph::variable(x.variable);
                    let [left, right] = x.distribution.ends();
                    let is_positive = left.as_ref().and_then(Graph::as_rational).is_some_and(|q| *q >= 0);
                    decided.extend(left.map(|a| positive_decision(&subtract(&at, &a))));
                    decided.extend(right.map(|b| positive_decision(&subtract(&b, &at))));
                    spreads.push(CoordinateDistribution::Own(x.variable, is_positive));
                    maps.push((x.variable, place));
                }
            }
        }
        for factor in &factors {
            own.push(factor.substitute(&maps));
        }
        for decided in &mut decided {
            decided.guard.graph = decided.guard.graph.substitute(&maps);
        }
        let integrand = own.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor));
        Self { variables, spreads, integrand, decided }
    }

    /// Returns the number of coordinates.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.variables.len()
    }

    /// Returns `true` if there are no coordinates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Returns `true` if guards bound the domain.
    #[must_use]
    pub fn has_borders(&self) -> bool {
        !self.decided.is_empty()
    }

    /// Returns `true` if every coordinate lies in [0, 1].
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.spreads.iter().all(|spread| match spread {
            CoordinateDistribution::Standard(standard) => standard.ends().iter().all(Option::is_some),
            CoordinateDistribution::Own(..) => false,
        })
    }

    /// Returns a box outside of which the draws lie with probability at most `most`. Returns `None` if no box is found.
    #[must_use]
    pub fn find_box(
        &self,
        most: &Rational,
        path: &ExecutionPath,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Option<Vec<[i32; 2]>> {
        // a union bound: each coordinate may leave with its part of the probability
        let own = Rational::from(most / self.spreads.len().max(1) as u32);
        let moments = |x: Variable, k: u32| {
            bound_contribution(path, &[power(&Graph::variable(x), &Rational::from(k))], parameter, 0, budget)
        };
        self.spreads.iter().map(|spread| spread.find_interval(&own, &moments, budget)).collect()
    }

    /// Encloses the integral over a box, to a width. Returns ⊥ if no enclosure is found.
    #[must_use]
    pub fn enclose_over(
        &self,
        hooks: &'static dyn MeasureHooks,
        ends: &[[i32; 2]],
        eps: &Rational,
        budget: &Budget,
    ) -> Enclosure {
        let of =
            RestrictedIntegrand { hooks, variables: &self.variables, map: &self.integrand, decided: &self.decided };
        integrate_over_box(of, ends, eps, budget, available_threads()).unwrap_or_else(Enclosure::bottom)
    }
}

/// Returns a probability p such that the product of factors contributes at most `eps` to the mean on any set of
/// probability p. Returns `None` if no bound is proved.
#[must_use]
pub fn negligible_probability(
    path: &ExecutionPath,
    factors: &[Graph],
    parameter: Option<&Parameter>,
    eps: &Rational,
    budget: &Budget,
) -> Option<Rational> {
    let within = path.coordinate_ranges(parameter);
    let product = factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor));
    let one = Rational::from(1);
    // |F| ≤ M: the contribution is at most M·p
    let by_range =
        max_abs_of(&enclose_range(&product, &within, budget)).to_rational().map(|most| eps / most.max(one.clone()));
    // Cauchy-Schwarz: the contribution is at most √(E F²·p)
    let squares: Vec<Graph> = factors.iter().map(|factor| power(factor, &Rational::from(2))).collect();
    let by_moments = || {
        let most = bound_contribution(path, &squares, parameter, 0, budget)?.to_rational()?;
        Some(Rational::from(eps * eps) / most.max(one))
    };
    by_range.or_else(by_moments)
}

/// Returns an interval that the coordinate leaves with probability at most `most`. Returns `None` if there is none.
impl CoordinateDistribution {
    fn find_interval(
        &self,
        most: &Rational,
        moments: &dyn Fn(Variable, u32) -> Option<Magnitude>,
        budget: &Budget,
    ) -> Option<[i32; 2]> {
        Some(match self {
            Self::Standard(standard) => {
                let ends = standard.ends();
                let is_rare = |r: &u32| {
                    let chance =
                        standard.chance_beyond(*r).map(|chance| max_abs_of(&enclose_range(&chance, &[], budget)));
                    chance.and_then(|chance| chance.to_rational()).is_some_and(|chance| chance <= *most)
                };
                let far = || i32::try_from((1..=MAX_RADIUS).find(is_rare)?).ok();
                let at = |end: &Option<Graph>, outward: fn(Rational) -> Rational| match end {
                    Some(end) => outward(end.as_rational()?.clone()).numer().to_i32(),
                    None => far(),
                };
                [
                    at(&ends[0], Rational::floor).map(|a| if ends[0].is_none() { -a } else { a })?,
                    at(&ends[1], Rational::ceil)?,
                ]
            }
            Self::Own(x, is_positive) => {
                // Markov's inequality with even moments; the radius is a power of two, so that its powers are shifts
                let known: Vec<(u32, Rational)> =
                    [2, 8, 32, 64].into_iter().filter_map(|k| Some((k, moments(*x, k)?.to_rational()?))).collect();
                let is_enough =
                    |r: i32| known.iter().any(|(k, moment)| Rational::from(moment >> (k * r.ilog2())) <= *most);
                let r = (1..24).map(|k| 1 << k).find(|r| is_enough(*r))?;
                [if *is_positive { 0 } else { -r }, r]
            }
        })
    }
}
