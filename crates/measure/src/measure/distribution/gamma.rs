//! The gamma distribution, by shape and rate.
//!
//! | fact | source |
//! |---|---|
//! | E xᵏ = a (a + 1) … (a + k - 1)/rᵏ | Γ(a + k)/Γ(a) |
//! | P(z > r) ≤ e^(a log (r/a) + a - r) for r > a and the rate 1 | Chernoff's bound |

use super::draw::gamma;
use super::family::{ClosedForm, Demand, Family};
use super::{inverse, less_one, lgamma};
use crate::measure::majorant::Majorant;
use crate::number::{Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The gamma distribution.
#[derive(Debug)]
pub struct Gamma;

impl Family for Gamma {
    fn name(&self) -> &'static str {
        "Gamma"
    }

    fn arity(&self) -> usize {
        2
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        vec![Demand::positive("the shape of gamma", &p[0]), Demand::positive("the rate of gamma", &p[1])]
    }

    fn ends(&self, _p: &[Graph]) -> [Option<Graph>; 2] {
        [Some(Graph::integer(0)), None]
    }

    fn has_ends(&self, p: &[Graph]) -> [bool; 2] {
        // For a shape below 1 the density is unbounded at 0.
        [p[0].as_rational().is_some_and(|shape| *shape >= 1), false]
    }

    fn bulk(&self, p: &[Graph]) -> Option<[Graph; 2]> {
        Some([&p[0] / &p[1], p[0].pow(&Rational::from((1, 2))) / &p[1]])
    }

    fn density(&self, p: &[Graph], x: &Graph) -> Graph {
        let (a, r) = (&p[0], &p[1]);
        // A power with a rational exponent has better bounds than exp and log.
        let constant = match a.as_rational() {
            Some(q) => r.pow(q) * (-lgamma(a)).exp(),
            None => (a * r.log() - lgamma(a)).exp(),
        };
        &constant * (less_one(x, a) * (-(r * x)).exp())
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        let (a, r) = (&p[0], &p[1]);
        vec![a * r.log(), -lgamma(a), (a - 1) * x.log(), -(r * x)]
    }

    fn moment(&self, p: &[Graph], k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        let (a, scale) = (of(&p[0])?, of(&inverse(&p[1]))?);
        let rising = |product: Majorant, i: u32| {
            product.product_bound(&a.sum_bound(&Majorant::constant(Magnitude::from(i))))?.product_bound(&scale)
        };
        (0..k).try_fold(Majorant::constant(Magnitude::ONE), rising)
    }

    fn standard(&self, p: &[Graph], z: &Graph) -> (Vec<Graph>, Graph) {
        (vec![p[0].clone(), Graph::integer(1)], z / &p[1])
    }

    fn shapes(&self) -> Vec<Option<&'static str>> {
        vec![Some("the shape of a gamma distribution depends on the parameter, which is no scale"), None]
    }

    fn chance_beyond(&self, p: &[Graph], r: u32) -> Option<Graph> {
        // Chernoff's bound is below 1 only right of the mean.
        let a = p[0].as_rational().filter(|a| Rational::from(a.ceil_ref()) < r)?;
        let (a, r) = (Graph::rational(a.clone()), Graph::rational(Rational::from(r)));
        Some((&a * (&r / &a).log() + (&a - &r)).exp())
    }

    fn closed_form(&self) -> Option<ClosedForm> {
        Some(ClosedForm::Powers)
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        gamma(p[0], random) / p[1]
    }

    fn is_inside(&self, _p: &[f64], x: f64) -> bool {
        x > 0.0
    }

    fn scale(&self, p: &[f64]) -> f64 {
        p[0].sqrt() / p[1]
    }
}
