//! The uniform distribution between two numbers. E |x|ᵏ ≤ (|a| + |b|)ᵏ.

use super::draw::unit;
use super::family::{Demand, Family};
use super::width;
use crate::measure::majorant::Majorant;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The uniform distribution between two numbers.
#[derive(Debug)]
pub struct UniformOn;

impl Family for UniformOn {
    fn name(&self) -> &'static str {
        "UniformOn"
    }

    fn arity(&self) -> usize {
        2
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        vec![Demand::positive("the width b - a of uniformOn a b", &width(&p[0], &p[1]))]
    }

    fn ends(&self, p: &[Graph]) -> [Option<Graph>; 2] {
        [Some(p[0].clone()), Some(p[1].clone())]
    }

    fn has_ends(&self, _p: &[Graph]) -> [bool; 2] {
        [true; 2]
    }

    fn density(&self, p: &[Graph], _x: &Graph) -> Graph {
        1 / width(&p[0], &p[1])
    }

    fn log_density(&self, p: &[Graph], _x: &Graph) -> Vec<Graph> {
        vec![-(&p[1] - &p[0]).log()]
    }

    fn moment(&self, p: &[Graph], k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        // |x| ≤ max(|a|, |b|) ≤ |a| + |b|: which is the greater may depend on the input.
        of(&p[0])?.sum_bound(&of(&p[1])?).power(k)
    }

    fn standard(&self, p: &[Graph], z: &Graph) -> (Vec<Graph>, Graph) {
        ([0, 1].map(Graph::integer).to_vec(), &p[0] + width(&p[0], &p[1]) * z)
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        p[0] + (p[1] - p[0]) * unit(random).0
    }

    fn is_inside(&self, p: &[f64], x: f64) -> bool {
        p[0] <= x && x <= p[1]
    }

    fn scale(&self, p: &[f64]) -> f64 {
        p[1] - p[0]
    }

    fn pivot(&self, p: &[f64]) -> f64 {
        p[0]
    }
}
