//! Bernoulli's distribution, by the chance of tt.

use super::Kind;
use super::draw::unit;
use super::family::{Demand, Family};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// Bernoulli's distribution.
#[derive(Debug)]
pub struct Bernoulli;

impl Family for Bernoulli {
    fn name(&self) -> &'static str {
        "Bernoulli"
    }

    fn arity(&self) -> usize {
        1
    }

    fn kind(&self) -> Kind {
        Kind::Truth
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        let demand = Demand::not_negative("the probability of bernoulli", &p[0]);
        vec![demand.clone(), demand.of_rest("<= 1")]
    }

    fn truth(&self, p: &[Graph], holds: bool) -> Graph {
        if holds { p[0].clone() } else { 1 - &p[0] }
    }

    fn log_density(&self, _p: &[Graph], _x: &Graph) -> Vec<Graph> {
        Vec::new()
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        f64::from(u8::from(unit(random).0 <= p[0]))
    }
}
