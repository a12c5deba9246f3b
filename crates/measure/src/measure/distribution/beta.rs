//! The beta distribution, on [0, 1]. E xᵏ ≤ 1.

use super::draw::gamma;
use super::family::{ClosedForm, Demand, Family};
use super::{less_one, lgamma};
use crate::measure::majorant::Majorant;
use crate::number::Magnitude;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The beta distribution.
#[derive(Debug)]
pub struct Beta;

impl Family for Beta {
    fn name(&self) -> &'static str {
        "Beta"
    }

    fn arity(&self) -> usize {
        2
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        let first = Demand::positive("the first parameter of beta", &p[0]);
        vec![first, Demand::positive("the second parameter of beta", &p[1])]
    }

    fn ends(&self, _p: &[Graph]) -> [Option<Graph>; 2] {
        [Some(Graph::integer(0)), Some(Graph::integer(1))]
    }

    fn has_ends(&self, p: &[Graph]) -> [bool; 2] {
        // Below 1 a parameter makes the density unbounded at its end.
        [&p[0], &p[1]].map(|a| a.as_rational().is_some_and(|a| *a >= 1))
    }

    fn density(&self, p: &[Graph], x: &Graph) -> Graph {
        let (a, b) = (&p[0], &p[1]);
        let constant = (lgamma(&(a + b)) - (lgamma(a) + lgamma(b))).exp();
        &constant * (less_one(x, a) * less_one(&(1 - x), b))
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        let (a, b, one) = (&p[0], &p[1], Graph::integer(1));
        vec![lgamma(&(a + b)), -lgamma(a), -lgamma(b), (a - &one) * x.log(), (b - &one) * (one - x).log()]
    }

    fn moment(&self, _p: &[Graph], _k: u32, _of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        // A draw lies between 0 and 1, and so does each power of it.
        Some(Majorant::constant(Magnitude::ONE))
    }

    fn shapes(&self) -> Vec<Option<&'static str>> {
        vec![Some("a beta distribution depends on the parameter, which has no location and scale"); 2]
    }

    fn closed_form(&self) -> Option<ClosedForm> {
        Some(ClosedForm::Powers)
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        // The share of one gamma draw in the sum of two of equal rates is a beta draw.
        let (x, y) = (gamma(p[0], random), gamma(p[1], random));
        x / (x + y)
    }

    fn is_inside(&self, _p: &[f64], x: f64) -> bool {
        x > 0.0 && x < 1.0
    }

    fn scale(&self, _p: &[f64]) -> f64 {
        0.3
    }
}
