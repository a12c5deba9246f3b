//! Poisson's distribution, by its mean.
//!
//! | fact | source |
//! |---|---|
//! | the terms from n on fall at least as fast as a geometric series with the ratio r/(n + 1) | their ratios |
//! | those from n downwards fall as one with the ratio n/r | their ratios |
//! | E nᵏ 1[n ≥ N] ≤ Nᵏ/(N)ₖ rᵏ P(n ≥ N - k) for N > 2k | factorial moments; nᵏ/(n)ₖ falls with n |
//! | e^(hn) times the chance of n is e^(r (eʰ - 1)) times that under the mean r eʰ | the chances |

use super::draw::poisson;
use super::family::{Demand, Family, Tilted};
use super::{Distribution, Kind, lgamma, powered};
use crate::measure::draws::NaturalRange;
use crate::number::{Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// Up to which number a factorial is multiplied out.
const MOST_FACTORS: u64 = 20;

/// Poisson's distribution.
#[derive(Debug)]
pub struct Poisson;

impl Family for Poisson {
    fn name(&self) -> &'static str {
        "Poisson"
    }

    fn arity(&self) -> usize {
        1
    }

    fn kind(&self) -> Kind {
        Kind::Natural(0)
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        vec![Demand::positive("the rate of poisson", &p[0])]
    }

    fn natural(&self, p: &[Graph], n: u64) -> Graph {
        let (r, exponent) = (&p[0], Rational::from(n));
        // in one exponential, so that large rates stay in range
        if n > MOST_FACTORS {
            let factorial = lgamma(&Graph::rational(Rational::from(n) + 1));
            let power = Graph::rational(exponent) * r.log();
            return (power - r - &factorial).exp();
        }
        let factorial = (1..=n).fold(Rational::from(1), |product, k| product * k);
        let weight = r.pow(&exponent) * (-r).exp();
        &weight / Graph::rational(factorial)
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        vec![x * p[0].log(), -&p[0], -lgamma(&(x + 1))]
    }

    fn tail(&self, p: &[Graph], span: NaturalRange) -> Graph {
        let (n, ratio) = match span {
            NaturalRange { first: n, last: None } => (n, &p[0] / Graph::rational(Rational::from(n) + 1)),
            NaturalRange { last: Some(n), .. } => (n, Graph::rational(Rational::from(n)) / &p[0]),
        };
        self.natural(p, n) / (1 - &ratio)
    }

    fn mode(&self, p: &[Graph]) -> Option<Graph> {
        Some(p[0].clone())
    }

    fn tail_moment(
        &self,
        p: &[Graph],
        k: u32,
        from: u64,
        at: &dyn Fn(&Graph) -> Magnitude,
        beyond: &dyn Fn(u64) -> Magnitude,
    ) -> Option<Magnitude> {
        let number = |n: u64| Magnitude::from_rational(&Rational::from(n));
        let first = from.max(2 * u64::from(k) + 1);
        let own = |n: u64| powered(number(n), k) * at(&self.natural(p, n));
        let before = (from..first).map(own).fold(Magnitude::ZERO, |sum, term| sum + term);
        let ratio = (0..u64::from(k)).fold(Rational::from(1), |product, i| product * first / (first - i));
        let rest = beyond(first - u64::from(k)) * powered(at(&p[0]), k);
        Some(before + Magnitude::from_rational(&ratio) * rest)
    }

    fn tilted(&self, p: &[Graph], growth: &Graph) -> Option<Tilted> {
        let factor = (&p[0] * (growth - 1)).exp();
        Some(Tilted { distribution: Distribution::poisson(&p[0] * growth), positive: None, factor })
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        poisson(p[0], random)
    }
}
