//! The normal distribution, by mean and standard deviation.
//!
//! | fact | source |
//! |---|---|
//! | E \|x\|ᵏ ≤ Σ C(k, j) \|m\|ᵏ⁻ʲ sʲ (j - 1)!! | E \|z\|ʲ ≤ (j - 1)!! for a standard draw, and the binomial theorem |
//! | P(\|z\| > r) ≤ e^(-r²/2) | Chernoff's bound |

use super::draw::normal;
use super::family::{ClosedForm, Demand, Family};
use super::{binomial, double_factorial};
use crate::measure::majorant::Majorant;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The normal distribution.
#[derive(Debug)]
pub struct Normal;

impl Family for Normal {
    fn name(&self) -> &'static str {
        "Normal"
    }

    fn arity(&self) -> usize {
        2
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        vec![Demand::positive("the standard deviation of normal", &p[1])]
    }

    fn bulk(&self, p: &[Graph]) -> Option<[Graph; 2]> {
        Some([p[0].clone(), p[1].clone()])
    }

    fn density(&self, p: &[Graph], x: &Graph) -> Graph {
        let square = ((x - &p[0]) / &p[1]).pow(&Rational::from(2));
        let bell = (-(&square / 2)).exp();
        let root = (2 * Graph::pi()).pow(&Rational::from((1, 2)));
        &bell / (&p[1] * &root)
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        let square = ((x - &p[0]) / &p[1]).pow(&Rational::from(2));
        vec![&square / Graph::integer(-2), -p[1].log()]
    }

    fn moment(&self, p: &[Graph], k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        let [m, s] = [of(&p[0])?.powers_up_to(k)?, of(&p[1])?.powers_up_to(k)?];
        let term = |j: u32| {
            // (j - 1)!! is exact for even j, and for odd j above E |z|ʲ by the factor √(π/2).
            let own = m[(k - j) as usize].product_bound(&s[j as usize])?;
            Some(own.scale_by(binomial(k, j) * double_factorial(j)))
        };
        (0..=k).try_fold(Majorant::default(), |sum, j| Some(sum.sum_bound(&term(j)?)))
    }

    fn standard(&self, p: &[Graph], z: &Graph) -> (Vec<Graph>, Graph) {
        ([0, 1].map(Graph::integer).to_vec(), &p[0] + &p[1] * z)
    }

    fn chance_beyond(&self, _p: &[Graph], r: u32) -> Option<Graph> {
        // The bound holds for the standard draw, so that no parameter is read.
        let square = Rational::from(r) * r;
        Some(Graph::rational(-square / 2u32).exp())
    }

    fn closed_form(&self) -> Option<ClosedForm> {
        Some(ClosedForm::Normal)
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        p[0] + p[1] * normal(random)
    }

    fn scale(&self, p: &[f64]) -> f64 {
        p[1]
    }

    fn pivot(&self, p: &[f64]) -> f64 {
        p[0]
    }
}
