//! The geometric distribution of numbers of trials from 1 on, by the chance of success.
//!
//! | fact | source |
//! |---|---|
//! | E nᵏ 1[n ≥ N] ≤ (1 - p)ᴺ⁻¹ Σ C(k, j) (N - 1)ᵏ⁻ʲ j!/pʲ | what is left of a waiting time is one |
//! | e^(hn) times the chance of n is p eʰ/p′ times that under p′ = 1 - (1 - p) eʰ, if that is positive | the chances |

use super::draw::{log as log_of, unit};
use super::family::{Demand, Family, Tilted};
use super::{Distribution, Kind, binomial, factorial, inverse, powered};
use crate::measure::draws::NaturalRange;
use crate::number::{Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The geometric distribution.
#[derive(Debug)]
pub struct Geometric;

fn less_than_one(p: &Graph) -> Graph {
    1 - p
}

impl Family for Geometric {
    fn name(&self) -> &'static str {
        "Geometric"
    }

    fn arity(&self) -> usize {
        1
    }

    fn kind(&self) -> Kind {
        Kind::Natural(1)
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        let demand = Demand::positive("the probability of geometric", &p[0]);
        vec![demand.clone(), demand.of_rest("< 1")]
    }

    fn natural(&self, p: &[Graph], n: u64) -> Graph {
        match n.checked_sub(1) {
            Some(before) => &p[0] * less_than_one(&p[0]).pow(&Rational::from(before)),
            None => Graph::integer(0),
        }
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        vec![p[0].log(), (x - 1) * less_than_one(&p[0]).log()]
    }

    fn tail(&self, p: &[Graph], span: NaturalRange) -> Graph {
        match span.first.checked_sub(1) {
            Some(before) => less_than_one(&p[0]).pow(&Rational::from(before)),
            None => Graph::integer(1),
        }
    }

    fn tail_moment(
        &self,
        p: &[Graph],
        k: u32,
        from: u64,
        at: &dyn Fn(&Graph) -> Magnitude,
        beyond: &dyn Fn(u64) -> Magnitude,
    ) -> Option<Magnitude> {
        let scale = at(&inverse(&p[0]));
        let before = Magnitude::from_rational(&Rational::from(from.max(1) - 1));
        let term = |j: u32| binomial(k, j) * powered(before, k - j) * factorial(j) * powered(scale, j);
        let sum = (0..=k).map(term).fold(Magnitude::ZERO, |sum, term| sum + term);
        Some(beyond(from.max(1)) * sum)
    }

    fn tilted(&self, p: &[Graph], growth: &Graph) -> Option<Tilted> {
        let other = 1 - less_than_one(&p[0]) * growth;
        let factor = &p[0] * growth / &other;
        let distribution = Distribution::new(&Self, [other.clone()])?;
        Some(Tilted { distribution, positive: Some(other), factor })
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        // By inversion: P(n > k) = (1 - p)ᵏ.
        (log_of(unit(random).0) / log_of(1.0 - p[0])).floor() + 1.0
    }
}
