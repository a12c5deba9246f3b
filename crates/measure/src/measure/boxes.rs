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

use super::cubature::{Integrand, integral};
use super::distribution::{Distribution, divide, multiply, power, subtract};
use super::draws::{Coordinate, Parameter, Path};
use super::hooks::Hooks;
use super::majorant::magnitude;
use super::moment::bound;
use super::range::range;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::parallel::cores;
use crate::pieces::{Decided, Guard, Test};
use crate::smooth::graph::{Graph, Variable};
use crate::value::Site;

/// The greatest radius of a box. A choice: beyond it a box has too many parts.
const MOST_RADIUS: u32 = 4096;

/// The distribution of a coordinate.
#[derive(Clone, Debug)]
enum Spread {
    /// The standard distribution of the draw's family.
    Standard(Distribution),
    /// The draw itself, and `true` if it is positive.
    Own(Variable, bool),
}

/// An integral over dependent draws, in standardised coordinates.
#[derive(Debug)]
/// The coordinates.
pub struct Boxes {
    /// The distributions of the coordinates.
    variables: Vec<Variable>,
    /// The map to integrate, densities included.
    spreads: Vec<Spread>,
    /// The decisions that bound the domain.
    integrand: Graph,
    decided: Vec<Decided>,
}

/// Standardises a draw: returns the distribution and density of the coordinate `z`, and the draw as a map of it.
/// Returns `None` if no bound on the probability of large `z` is known.
fn standard(distribution: &Distribution, z: &Graph) -> Option<(Spread, Graph, Graph)> {
    let (standard, map) = distribution.standard(z);
    let is_bounded = standard.ends().iter().all(|end| end.as_ref().is_some_and(|end| end.as_rational().is_some()));
    let is_known = is_bounded || standard.chance_beyond(MOST_RADIUS).is_some();
    let density = standard.density(z);
    is_known.then_some((Spread::Standard(standard), density, map))
}

/// Makes the decision that a map is positive.
fn held(graph: &Graph) -> Decided {
    let guard = Guard::new(graph, Test::Positive, Site::NOWHERE);
    Decided { guard, holds: true, is_condition: false }
}

impl Boxes {
    /// Makes the integral of a product of factors over draws. The factors contain the densities.
    ///
    /// A draw is standardised if its density is still one of the factors.
    pub fn new(
        coordinates: &[Coordinate],
        densities: &[(Variable, Graph)],
        factors: &[Graph],
        decided: &[Decided],
        path: &Path,
        parameter: Option<&Parameter>,
    ) -> Self {
        let mut factors = factors.to_vec();
        let mut decided = decided.to_vec();
        let (mut variables, mut spreads) = (Vec::new(), Vec::new());
        let mut maps: Vec<(Variable, Graph)> = Vec::new();
        if let Some(p) = parameter {
            maps.push((p.variable, Graph::rational(p.at.clone())));
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
            let found = (is_known && (index.is_some() || scale.is_some())).then(|| standard(&fixed, &place)).flatten();
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
                    decided.extend(left.map(|a| held(&subtract(&at, &a))));
                    decided.extend(right.map(|b| held(&subtract(&b, &at))));
                    spreads.push(Spread::Own(x.variable, is_positive));
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
    pub fn len(&self) -> usize {
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
            Spread::Standard(standard) => standard.ends().iter().all(Option::is_some),
            Spread::Own(..) => false,
        })
    }

    /// Returns a box outside of which the draws lie with probability at most `most`. Returns `None` if no box is found.
    #[must_use]
    pub fn ends(
        &self,
        most: &Rational,
        path: &Path,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Option<Vec<[i32; 2]>> {
        // a union bound: each coordinate may leave with its part of the probability
        let own = Rational::from(most / self.spreads.len().max(1) as u32);
        let moments =
            |x: Variable, k: u32| bound(path, &[power(&Graph::variable(x), &Rational::from(k))], parameter, 0, budget);
        self.spreads.iter().map(|spread| spread.ends(&own, &moments, budget)).collect()
    }

    /// Encloses the integral over a box, to a width. Returns ⊥ if no enclosure is found.
    #[must_use]
    pub fn over(&self, hooks: &'static dyn Hooks, ends: &[[i32; 2]], eps: &Rational, budget: &Budget) -> Enclosure {
        let of = Integrand { hooks, variables: &self.variables, map: &self.integrand, decided: &self.decided };
        integral(of, ends, eps, budget, cores()).unwrap_or_else(Enclosure::bottom)
    }
}

/// Returns a probability p such that the product of factors contributes at most `eps` to the mean on any set of
/// probability p. Returns `None` if no bound is proved.
#[must_use]
pub fn chance_to_leave(
    path: &Path,
    factors: &[Graph],
    parameter: Option<&Parameter>,
    eps: &Rational,
    budget: &Budget,
) -> Option<Rational> {
    let within = path.within(parameter);
    let product = factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor));
    let one = Rational::from(1);
    // |F| ≤ M: the contribution is at most M·p
    let by_range = magnitude(&range(&product, &within, budget)).to_rational().map(|most| eps / most.max(one.clone()));
    // Cauchy-Schwarz: the contribution is at most √(E F²·p)
    let squares: Vec<Graph> = factors.iter().map(|factor| power(factor, &Rational::from(2))).collect();
    let by_moments = || {
        let most = bound(path, &squares, parameter, 0, budget)?.to_rational()?;
        Some(Rational::from(eps * eps) / most.max(one))
    };
    by_range.or_else(by_moments)
}

/// Returns an interval that the coordinate leaves with probability at most `most`. Returns `None` if there is none.
impl Spread {
    fn ends(
        &self,
        most: &Rational,
        moments: &dyn Fn(Variable, u32) -> Option<Magnitude>,
        budget: &Budget,
    ) -> Option<[i32; 2]> {
        Some(match self {
            Self::Standard(standard) => {
                let ends = standard.ends();
                let is_rare = |r: &u32| {
                    let chance = standard.chance_beyond(*r).map(|chance| magnitude(&range(&chance, &[], budget)));
                    chance.and_then(|chance| chance.to_rational()).is_some_and(|chance| chance <= *most)
                };
                let far = || i32::try_from((1..=MOST_RADIUS).find(is_rare)?).ok();
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
