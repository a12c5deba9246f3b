//! The log-normal distribution, by the mean m and the standard deviation s of the logarithm.
//!
//! A draw x is e^y for a normal y. Integrals draw [y](Family::logarithm), whose density falls off fast on both sides, in the place of x.
//!
//! | fact | source |
//! |---|---|
//! | the density is e^(-((log x - m)/s)²/2)/(x s √(2π)) | the density of y = log x, times its slope 1/x |
//! | E xᵏ = e^(k m + k² s²/2) | E e^(k y), by completing the square in y |
//! | P(\|y - m\| > r s) ≤ e^(-r²/2) | Chernoff's bound, as of the [normal distribution](super::normal) |

use super::draw::normal;
use super::family::{Demand, Family};
use super::{Distribution, Normal};
use crate::function::Function;
use crate::measure::majorant::Majorant;
use crate::number::Rational;
use crate::number::double::eval_nearest;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// The log-normal distribution.
#[derive(Debug)]
pub struct LogNormal;

/// The greatest size of the mean of the logarithm for which the bulk is known. A choice: a cut at e^m has that many digits.
const LARGEST_BULK: u32 = 256;

/// The largest and the least draw in `f64`: e^y may be beyond all doubles. They leave room for sums and products.
const DRAWS: [f64; 2] = [f64::MIN_POSITIVE, f64::MAX / 4.0];

fn square_of_logarithm(p: &[Graph], x: &Graph) -> Graph {
    ((x.log() - &p[0]) / &p[1]).pow(&Rational::from(2))
}

impl Family for LogNormal {
    fn name(&self) -> &'static str {
        "LogNormal"
    }

    fn arity(&self) -> usize {
        2
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        vec![Demand::positive("the standard deviation of the logarithm in logNormal", &p[1])]
    }

    fn ends(&self, _p: &[Graph]) -> [Option<Graph>; 2] {
        [Some(Graph::integer(0)), None]
    }

    fn bulk(&self, p: &[Graph]) -> Option<[Graph; 2]> {
        // the median, and what one deviation of the logarithm is there
        let is_small = p[0].as_rational().is_none_or(|m| m.clone().abs() <= LARGEST_BULK);
        is_small.then(|| [p[0].exp(), p[0].exp() * &p[1]])
    }

    fn density(&self, p: &[Graph], x: &Graph) -> Graph {
        let bell = (-(square_of_logarithm(p, x) / 2)).exp();
        let root = (2 * Graph::pi()).pow(&Rational::from((1, 2)));
        &bell / (&p[1] * &root * x)
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        vec![square_of_logarithm(p, x) / Graph::integer(-2), -p[1].log(), -x.log()]
    }

    fn moment(&self, p: &[Graph], k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        let k = Graph::rational(Rational::from(k));
        let spread = (&k * &p[1]).pow(&Rational::from(2)) / 2;
        // exact: a bound of it is known where the parameters have bounds
        of(&(&k * &p[0] + spread).exp())
    }

    fn logarithm(&self, p: &[Graph]) -> Option<Distribution> {
        Distribution::new(&Normal, p)
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        eval_nearest(Function::Exp, p[0] + p[1] * normal(random)).clamp(DRAWS[0], DRAWS[1])
    }

    fn is_inside(&self, _p: &[f64], x: f64) -> bool {
        x > 0.0
    }

    fn scale(&self, p: &[f64]) -> f64 {
        (eval_nearest(Function::Exp, p[0]) * p[1]).clamp(DRAWS[0], DRAWS[1])
    }
}
