//! Moments of distributions and of their tails, and bounds by them of the contributions of paths.
//!
//! | distribution | upper bound of E \|x\|ᵏ |
//! |---|---|
//! | `normal m s` | Σ C(k, j) \|m\|ᵏ⁻ʲ sʲ (j - 1)!! |
//! | `exponential r`, `gamma a r` | a (a + 1) … (a + k - 1)/rᵏ, with a = 1 for the first |
//! | `uniformOn a b`, `beta a b` | (\|a\| + \|b\|)ᵏ, and 1 |
//! | `geometric p`, from N on | (1 - p)ᴺ⁻¹ Σ C(k, j) (N - 1)ᵏ⁻ʲ j!/pʲ, as a waiting time is memoryless |
//! | `poisson r`, up to N | Nᵏ P(n ≤ N) |
//! | `poisson r`, from N on | Nᵏ/(N)ₖ rᵏ P(n ≥ N - k), for N > 2k, by factorial moments; earlier terms are summed |
//!
//! Exponentials of natural numbers become other distributions of these (`tilt`).
//!
//! A product of weights and values is bounded by a [`Majorant`]. The last draw is replaced by its moments, which are
//! bounded by maps of the earlier draws, and so on.
//!
//! A derivative in the parameter of a density is the density times a polynomial in derivatives of its logarithm.
//! Differentiation under the sum or integral is valid if the next derivative is bounded as well, near the parameter.

mod tilt;

use super::distribution::{Distribution, add, divide, multiply, negate, power, subtract};
use super::draws::{Draw, Parameter, Path, Span};
use super::majorant::{Majorant, Majorants, magnitude};
use super::slope::slope;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Graph, Variable};
use tilt::Tilts;

/// Returns the binomial coefficient C(n, k), rounded up.
fn binomial(n: u32, k: u32) -> Magnitude {
    let exact = (0..k).fold(Rational::from(1), |product, j| product * (n - j) / (j + 1));
    Magnitude::from_rational(&exact)
}

/// Returns j!, rounded up.
fn factorial(j: u32) -> Magnitude {
    (1..=j).fold(Magnitude::ONE, |product, i| product * Magnitude::from(i))
}

/// Returns (j - 1)!!, an upper bound on E |z|ʲ for a standard normal z.
fn double_factorial(j: u32) -> Magnitude {
    (1..j).rev().step_by(2).fold(Magnitude::ONE, |product, i| product * Magnitude::from(i))
}

/// Returns `baseᵏ`, rounded up.
fn powered(base: Magnitude, k: u32) -> Magnitude {
    (0..k).fold(Magnitude::ONE, |product, _| product * base)
}

impl Distribution {
    /// The terms of the logarithm of the density, or of the chance, at x.
    fn logarithm(&self, x: &Graph) -> Vec<Graph> {
        let one = || Graph::integer(1);
        let log = |a: &Graph| Graph::function(Function::Log, a);
        let lgamma = |a: &Graph| Graph::function(Function::LogGamma, a);
        match self {
            Self::Normal(m, s) => {
                let square = power(&divide(&subtract(x, m), s), &Rational::from(2));
                vec![divide(&square, &Graph::integer(-2)), negate(&log(s))]
            }
            Self::UniformOn(a, b) => vec![negate(&log(&subtract(b, a)))],
            Self::Exponential(r) => vec![log(r), negate(&multiply(r, x))],
            Self::Gamma(a, r) => {
                vec![
                    multiply(a, &log(r)),
                    negate(&lgamma(a)),
                    multiply(&subtract(a, &one()), &log(x)),
                    negate(&multiply(r, x)),
                ]
            }
            Self::Beta(a, b) => vec![
                lgamma(&add(a, b)),
                negate(&lgamma(a)),
                negate(&lgamma(b)),
                multiply(&subtract(a, &one()), &log(x)),
                multiply(&subtract(b, &one()), &log(&subtract(&one(), x))),
            ],
            Self::Bernoulli(_) => vec![],
            Self::Poisson(r) => vec![multiply(x, &log(r)), negate(r), negate(&lgamma(&add(x, &one())))],
            Self::Geometric(p) => vec![log(p), multiply(&subtract(x, &one()), &log(&subtract(&one(), p)))],
        }
    }

    /// The derivative in a parameter of the logarithm of the density, or of the chance, at x.
    #[must_use]
    pub fn score(&self, x: &Graph, parameter: Variable) -> Graph {
        let terms = self.logarithm(x).into_iter().filter_map(|term| slope(&term, parameter));
        terms.reduce(|sum, term| add(&sum, &term)).unwrap_or_else(|| Graph::integer(0))
    }

    /// At least E |x|ᵏ, by what was drawn before.
    fn moment(&self, k: u32, majorants: &mut Majorants<'_>) -> Option<Majorant> {
        let mut of = |graph: &Graph| Some(majorants.of(graph)?.swap_remove(0));
        let one = Graph::integer(1);
        Some(match self {
            _ if k == 0 => Majorant::constant(Magnitude::ONE),
            Self::Normal(m, s) => {
                let [m, s] = [of(m)?.powers(k)?, of(s)?.powers(k)?];
                let term = |j: u32| {
                    let own = m[(k - j) as usize].times(&s[j as usize])?;
                    Some(own.scaled(binomial(k, j) * double_factorial(j)))
                };
                (0..=k).try_fold(Majorant::default(), |sum, j| Some(sum.plus(&term(j)?)))?
            }
            Self::UniformOn(a, b) => of(a)?.plus(&of(b)?).power(k)?,
            Self::Exponential(r) => of(&divide(&one, r))?.power(k)?.scaled(factorial(k)),
            Self::Gamma(a, r) => {
                let (a, scale) = (of(a)?, of(&divide(&one, r))?);
                let rising = |product: Majorant, i: u32| {
                    product.times(&a.plus(&Majorant::constant(Magnitude::from(i))))?.times(&scale)
                };
                (0..k).try_fold(Majorant::constant(Magnitude::ONE), rising)?
            }
            Self::Beta(..) => Majorant::constant(Magnitude::ONE),
            Self::Bernoulli(_) | Self::Poisson(_) | Self::Geometric(_) => return None,
        })
    }

    /// At least E nᵏ, over natural numbers.
    fn tail_moment(&self, span: Span, k: u32, majorants: &Majorants<'_>) -> Option<Magnitude> {
        let from = span.first;
        let at = |graph: &Graph| magnitude(&majorants.range(graph));
        let chance = |span: Span| {
            let found = majorants.range(&self.over(span));
            // a bound that is negative is none
            if found.is_defined() && *found.lo() >= 0 { magnitude(&found).min(Magnitude::ONE) } else { Magnitude::ONE }
        };
        let beyond = |n: u64| chance(Span::from(n));
        let number = |n: u64| Magnitude::from_rational(&Rational::from(n));
        if let Some(last) = span.last {
            return Some(powered(number(last), k) * chance(span));
        }
        Some(match self {
            Self::Geometric(p) => {
                let scale = at(&divide(&Graph::integer(1), p));
                let before = number(from.max(1) - 1);
                let term = |j: u32| binomial(k, j) * powered(before, k - j) * factorial(j) * powered(scale, j);
                let sum = (0..=k).map(term).fold(Magnitude::ZERO, |sum, term| sum + term);
                beyond(from.max(1)) * sum
            }
            Self::Poisson(r) => {
                let first = from.max(2 * u64::from(k) + 1);
                let own = |n: u64| powered(number(n), k) * at(&self.natural(n));
                let before = (from..first).map(own).fold(Magnitude::ZERO, |sum, term| sum + term);
                // nᵏ over the falling power (n)ₖ falls with n
                let ratio = (0..u64::from(k)).fold(Rational::from(1), |product, i| product * first / (first - i));
                let rest = beyond(first - u64::from(k)) * powered(at(r), k);
                before + Magnitude::from_rational(&ratio) * rest
            }
            _ => return None,
        })
        .filter(|bound| bound.is_finite())
    }
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
                for term in distribution.logarithm(&Graph::variable(x)).iter().filter(|term| term.depends_on(v)) {
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
                    Majorant::constant(tilted.tail_moment(*span, k, plain)? * factor)
                }
                _ => distribution.moment(k, plain)?,
            };
            sum = sum.plus(&part.times(&moment)?);
        }
        bound = sum;
    }
    bound.as_constant().filter(|bound| bound.is_finite())
}
