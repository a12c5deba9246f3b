//! Draws that are integrated over as boxes: in coordinates of which the bulk lies near 0, and what lies outside of it.
//!
//! A draw is written as a map of one whose distribution depends on nothing, as `m + s·z`, so that far away draws are rare whatever was
//! drawn before. Outside of a box, by the inequality of Cauchy and Schwarz,
//!
//! `E |F| 1[outside] ≤ √(E F² · P(outside))`,
//!
//! with the bound of E F² by moments; where F is bounded, its bound times P(outside).
//!
//! | draw | P(outside) is at most |
//! |---|---|
//! | z of `normal` | e^(-R²/2) for \|z\| > R |
//! | z of `exponential` | e^(-R) for z > R |
//! | z of `gamma a` | e^(a log (R/a) + a - R) for z > R > a (Chernoff's bound) |
//! | x of any | E \|x\|ᵏ/Rᵏ for \|x\| > R (Markov's inequality) |

use super::cubature::{Integrand, integral};
use super::distribution::{Distribution, add, divide, multiply, negate, power, subtract, width};
use super::draws::{Coordinate, Parameter, Path};
use super::hooks::Hooks;
use super::majorant::magnitude;
use super::moment::bound;
use super::range::{BITS, range};
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::parallel::cores;
use crate::pieces::{Decided, Guard, Test};
use crate::smooth::graph::{Graph, Variable};
use crate::value::Site;

/// How far out a box may reach.
const MOST_RADIUS: i32 = 4096;

/// How a coordinate is spread.
#[derive(Clone, Debug)]
enum Spread {
    /// On [0, 1].
    Unit,
    /// As a standard normal draw.
    Normal,
    /// As an exponential draw of the rate 1.
    Exponential,
    /// As a gamma draw of this shape and the rate 1.
    Gamma(Rational),
    /// As the draw itself, which may be known to be positive.
    Own(Variable, bool),
}

/// An integral over draws that have to do with each other, in coordinates that fit into a box.
#[derive(Debug)]
pub struct Boxes {
    variables: Vec<Variable>,
    spreads: Vec<Spread>,
    integrand: Graph,
    decided: Vec<Decided>,
}

/// The density of the standard draw, and the draw as a map of it.
fn standard(distribution: &Distribution, z: &Graph) -> Option<(Spread, Graph, Graph)> {
    let exp = |a: &Graph| Graph::function(Function::Exp, a);
    Some(match distribution {
        Distribution::Normal(m, s) => {
            let bell = exp(&negate(&divide(&power(z, &Rational::from(2)), &Graph::integer(2))));
            let root = power(&multiply(&Graph::integer(2), &Graph::pi()), &Rational::from((1, 2)));
            (Spread::Normal, divide(&bell, &root), add(m, &multiply(s, z)))
        }
        Distribution::UniformOn(a, b) => (Spread::Unit, Graph::integer(1), add(a, &multiply(&width(a, b), z))),
        Distribution::Exponential(rate) => (Spread::Exponential, exp(&negate(z)), divide(z, rate)),
        Distribution::Gamma(shape, rate) => {
            let q = shape.as_rational()?.clone();
            let density = Distribution::Gamma(shape.clone(), Graph::integer(1)).density(z);
            (Spread::Gamma(q), density, divide(z, rate))
        }
        Distribution::Beta(..) => (Spread::Unit, distribution.density(z), z.clone()),
        _ => return None,
    })
}

fn held(graph: &Graph) -> Decided {
    let guard = Guard::new(graph, Test::Positive, Site::NOWHERE);
    Decided { guard, holds: true, is_condition: false }
}

impl Boxes {
    /// The integral of a product of factors over draws, their densities among the factors. A draw whose density still is one of them is
    /// written as a map of another.
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
            let is_known = !path.coordinates().any(|other| {
                maps.iter().all(|(v, _)| *v != other.variable) && x.distribution.depends_on(other.variable)
            });
            let density = densities.iter().find(|(v, _)| *v == x.variable).map(|(_, density)| density);
            let index = density.and_then(|own| factors.iter().position(|f| f.address() == own.address()));
            // a density that is a number is none of the factors of this group
            let is_number = |own: &Graph| path.coordinates().all(|other| !own.depends_on(other.variable));
            let scale = density.filter(|own| index.is_none() && is_number(own)).cloned();
            let fixed = x.distribution.map(&|graph| graph.substitute(&maps));
            let found = (is_known && (index.is_some() || scale.is_some())).then(|| standard(&fixed, &place)).flatten();
            variables.push(z);
            match found {
                Some((spread, density, map)) => {
                    match (index, scale) {
                        (Some(i), _) => drop(factors.swap_remove(i)),
                        // it is multiplied with elsewhere
                        (None, Some(scale)) => own.push(divide(&Graph::integer(1), &scale.substitute(&maps))),
                        (None, None) => {}
                    }
                    own.push(density);
                    spreads.push(spread);
                    maps.push((x.variable, map));
                }
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

    /// How many coordinates there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.variables.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Whether guards cut it.
    #[must_use]
    pub fn has_borders(&self) -> bool {
        !self.decided.is_empty()
    }

    /// Whether all of it is in the box.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.spreads.iter().all(|spread| matches!(spread, Spread::Unit))
    }

    /// Ends outside of which the draws of the path lie with at most this chance; nothing where none are found.
    #[must_use]
    pub fn ends(
        &self,
        most: &Rational,
        path: &Path,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Option<Vec<[i32; 2]>> {
        let own = Rational::from(most / self.spreads.len().max(1) as u32);
        let moments =
            |x: Variable, k: u32| bound(path, &[power(&Graph::variable(x), &Rational::from(k))], parameter, 0, budget);
        self.spreads.iter().map(|spread| spread.ends(&own, &moments)).collect()
    }

    /// The integral over a box, to a width; ⊥ where nothing is found.
    #[must_use]
    pub fn over(&self, hooks: &'static dyn Hooks, ends: &[[i32; 2]], eps: &Rational, budget: &Budget) -> Enclosure {
        let of = Integrand { hooks, variables: &self.variables, map: &self.integrand, decided: &self.decided };
        integral(of, ends, eps, budget, cores()).unwrap_or_else(Enclosure::bottom)
    }
}

/// A chance so small that what a product of factors has on a set of that chance is at most eps in the mean; nothing where no bound is proven.
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
    let by_range = magnitude(&range(&product, &within, budget)).to_rational().map(|most| eps / most.max(one.clone()));
    let squares: Vec<Graph> = factors.iter().map(|factor| power(factor, &Rational::from(2))).collect();
    let by_moments = || {
        let most = bound(path, &squares, parameter, 0, budget)?.to_rational()?;
        Some(Rational::from(eps * eps) / most.max(one))
    };
    by_range.or_else(by_moments)
}

impl Spread {
    fn ends(&self, most: &Rational, moments: &dyn Fn(Variable, u32) -> Option<Magnitude>) -> Option<[i32; 2]> {
        let context = Mpfr::new(BITS);
        let at_most = |exponent: &Rational| {
            let found = context.function(Function::Exp, &context.rational(exponent));
            context.to_enclosure(&found).hi().to_rational().is_some_and(|chance| chance <= *most)
        };
        let first = |from: i32, is_enough: &dyn Fn(i32) -> bool| (from..=MOST_RADIUS).find(|r| is_enough(*r));
        Some(match self {
            Self::Unit => [0, 1],
            Self::Normal => {
                let r = first(1, &|r| at_most(&Rational::from((-i64::from(r) * i64::from(r), 2))))?;
                [-r, r]
            }
            Self::Exponential => [0, first(1, &|r| at_most(&Rational::from(-r)))?],
            Self::Gamma(shape) => {
                if *shape >= MOST_RADIUS {
                    return None;
                }
                let from = Rational::from(shape.ceil_ref()).to_f64() as i32 + 1;
                let is_enough = |r: i32| {
                    let a = context.rational(shape);
                    let log = context.function(Function::Log, &context.div(&context.integer(r.into()), &a));
                    let sum = context.add(&context.mul(&a, &log), &context.sub(&a, &context.integer(r.into())));
                    let found = context.to_enclosure(&context.function(Function::Exp, &sum));
                    found.hi().to_rational().is_some_and(|chance| chance <= *most)
                };
                [0, first(from, &is_enough)?]
            }
            Self::Own(x, is_positive) => {
                // a radius is a power of two
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
