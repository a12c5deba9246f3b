//! The exponential distribution, by its rate. E xᵏ = k!/rᵏ and P(z > r) = e^(-r) for the rate 1.

use super::draw::{log as log_of, unit};
use super::family::{ClosedForm, Demand, Family};
use super::{factorial, inverse};
use crate::measure::majorant::Majorant;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The exponential distribution.
#[derive(Debug)]
pub struct Exponential;

impl Family for Exponential {
    fn name(&self) -> &'static str {
        "Exponential"
    }

    fn arity(&self) -> usize {
        1
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        vec![Demand::positive("the rate of exponential", &p[0])]
    }

    fn ends(&self, _p: &[Graph]) -> [Option<Graph>; 2] {
        [Some(Graph::integer(0)), None]
    }

    fn has_ends(&self, _p: &[Graph]) -> [bool; 2] {
        [true; 2]
    }

    fn bulk(&self, p: &[Graph]) -> Option<[Graph; 2]> {
        Some([inverse(&p[0]), inverse(&p[0])])
    }

    fn density(&self, p: &[Graph], x: &Graph) -> Graph {
        &p[0] * (-(&p[0] * x)).exp()
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        vec![p[0].log(), -(&p[0] * x)]
    }

    fn moment(&self, p: &[Graph], k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        Some(of(&inverse(&p[0]))?.power(k)?.scale_by(factorial(k)))
    }

    fn standard(&self, p: &[Graph], z: &Graph) -> (Vec<Graph>, Graph) {
        (vec![Graph::integer(1)], z / &p[0])
    }

    fn chance_beyond(&self, _p: &[Graph], r: u32) -> Option<Graph> {
        // Exact for the standard draw, whose rate is 1.
        Some(Graph::rational(-Rational::from(r)).exp())
    }

    fn closed_form(&self) -> Option<ClosedForm> {
        Some(ClosedForm::Powers)
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        // By inversion; `unit` is never 0.
        -log_of(unit(random).0) / p[0]
    }

    fn is_inside(&self, _p: &[f64], x: f64) -> bool {
        x >= 0.0
    }

    fn scale(&self, p: &[f64]) -> f64 {
        1.0 / p[0]
    }
}
