//! Student's t-distribution, by degrees of freedom ν, location and scale.
//!
//! | fact of a standard draw t | source |
//! |---|---|
//! | the density is c (1 + t²/ν)^(-(ν + 1)/2), where c = Γ((ν + 1)/2)/(√(νπ) Γ(ν/2)) | Student (1908) |
//! | E \|t\|ʲ = ν^(j/2) Γ((j + 1)/2) Γ((ν - j)/2)/(√π Γ(ν/2)) for j < ν, and there is none for j ≥ ν | the integral of Beta |
//! | P(\|t\| > r) ≤ 2 c ν^((ν - 1)/2) r^(-ν) | 1 + t²/ν > t²/ν |

use super::draw::{gamma, normal};
use super::family::{Demand, Family};
use super::{binomial, lgamma};
use crate::measure::majorant::Majorant;
use crate::number::{Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;

/// Student's t-distribution.
#[derive(Debug)]
pub struct StudentT;

fn half(a: &Graph) -> Graph {
    match a.as_rational() {
        Some(q) => Graph::rational(Rational::from(q / 2)),
        None => a / 2,
    }
}

/// ν + 1.
fn next(nu: &Graph) -> Graph {
    match nu.as_rational() {
        Some(q) => Graph::rational(Rational::from(q + 1)),
        None => nu + 1,
    }
}

fn root(a: &Graph) -> Graph {
    a.pow(&Rational::from((1, 2)))
}

/// c, the greatest density of a standard draw.
fn peak(nu: &Graph) -> Graph {
    // A difference of logarithms: Γ itself overflows for many degrees of freedom.
    let quotient = (lgamma(&half(&next(nu))) - lgamma(&half(nu))).exp();
    &quotient / root(&(nu * Graph::pi()))
}

/// 1 + ((x - m)/s)²/ν.
fn bowl([nu, m, s]: [&Graph; 3], x: &Graph) -> Graph {
    let square = ((x - m) / s).pow(&Rational::from(2));
    1 + &square / nu
}

impl Family for StudentT {
    fn name(&self) -> &'static str {
        "StudentT"
    }

    fn arity(&self) -> usize {
        3
    }

    fn demands(&self, p: &[Graph]) -> Vec<Demand> {
        let freedom = Demand::positive("the number of degrees of freedom of studentT", &p[0]);
        vec![freedom, Demand::positive("the scale of studentT", &p[2])]
    }

    fn bulk(&self, p: &[Graph]) -> Option<[Graph; 2]> {
        Some([p[1].clone(), p[2].clone()])
    }

    fn density(&self, p: &[Graph], x: &Graph) -> Graph {
        let (bowl, exponent) = (bowl([&p[0], &p[1], &p[2]], x), half(&next(&p[0])));
        // A power with a rational exponent has better bounds than exp and log.
        let falls = match exponent.as_rational() {
            Some(q) => bowl.pow(&Rational::from(-q)),
            None => (-(&exponent * bowl.log())).exp(),
        };
        peak(&p[0]) / &p[2] * &falls
    }

    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph> {
        let (nu, exponent) = (&p[0], half(&next(&p[0])));
        vec![
            lgamma(&exponent),
            -lgamma(&half(nu)),
            -half(&nu.log()),
            -p[2].log(),
            -(&exponent * bowl([nu, &p[1], &p[2]], x).log()),
        ]
    }

    fn moment(&self, p: &[Graph], k: u32, of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        // For k ≥ ν there is no moment, and for a ν that varies it is not known which.
        let nu = p[0].as_rational().filter(|nu| **nu > k)?.clone();
        let [m, s] = [of(&p[1])?.powers_up_to(k)?, of(&p[2])?.powers_up_to(k)?];
        let lgamma_half = |q: Rational| lgamma(&Graph::rational(q / 2));
        let mut standard = |j: u32| {
            let grows = lgamma_half(Rational::from(&nu - j)) - lgamma_half(nu.clone());
            let quotient = (lgamma_half(Rational::from(j + 1)) + &grows).exp();
            of(&(p[0].pow(&Rational::from((j, 2))) * &quotient / root(&Graph::pi())))
        };
        let mut term = |j: u32| {
            // E |t|⁰ is 1 exactly; the formula would only enclose it.
            let own = if j == 0 { Majorant::constant(Magnitude::ONE) } else { standard(j)? };
            let own = m[(k - j) as usize].product_bound(&s[j as usize])?.product_bound(&own)?;
            Some(own.scale_by(binomial(k, j)))
        };
        (0..=k).try_fold(Majorant::default(), |sum, j| Some(sum.sum_bound(&term(j)?)))
    }

    fn standard(&self, p: &[Graph], z: &Graph) -> (Vec<Graph>, Graph) {
        (vec![p[0].clone(), Graph::integer(0), Graph::integer(1)], &p[1] + &p[2] * z)
    }

    fn shapes(&self) -> Vec<Option<&'static str>> {
        let reason =
            "the degrees of freedom of a Student distribution depend on the parameter, which is no location or scale";
        vec![Some(reason), None, None]
    }

    fn chance_beyond(&self, p: &[Graph], r: u32) -> Option<Graph> {
        let nu = p[0].as_rational()?;
        let falls = Graph::rational(Rational::from(r)).pow(&Rational::from(-nu));
        let grows = p[0].pow(&(Rational::from(nu - 1u32) / 2u32));
        Some(2 * peak(&p[0]) * (&grows * &falls))
    }

    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64 {
        let z = normal(random);
        let spread = (gamma(p[0] / 2.0, random) / (p[0] / 2.0)).sqrt();
        // for few degrees of freedom it may be beyond all doubles
        p[1] + (p[2] * z / spread).clamp(f64::MIN / 4.0, f64::MAX / 4.0)
    }

    fn scale(&self, p: &[f64]) -> f64 {
        p[2]
    }

    fn pivot(&self, p: &[f64]) -> f64 {
        p[1]
    }
}
