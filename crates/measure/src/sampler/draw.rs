//! Draws from distributions in `f64`, by functions that are rounded correctly: a seed gives the same ones on every machine.
//!
//! | distribution | how |
//! |---|---|
//! | `normal` | Box and Muller (1958) |
//! | `gamma`, `beta` | Marsaglia and Tsang (2000) |
//! | `exponential`, `geometric`, `uniformOn`, `bernoulli`, `poisson` | the inverse of the distribution function; of a large Poisson rate, in parts |

use crate::function::Function;
use crate::measure::distribution::Distribution;
use crate::number::double::{nearest, nearest_power};
use crate::random::Random;
use crate::smooth::graph::Graph;
use std::cell::RefCell;

/// Which distribution, its parameters aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// By mean and standard deviation.
    Normal,
    /// Between two numbers.
    UniformOn,
    /// By its rate.
    Exponential,
    /// By shape and rate.
    Gamma,
    /// On [0, 1].
    Beta,
    /// By the chance of tt.
    Bernoulli,
    /// By its mean.
    Poisson,
    /// By the chance of success, from 1 on.
    Geometric,
}

impl Family {
    /// A distribution as its family and its parameters.
    #[must_use]
    pub fn of(distribution: &Distribution) -> (Self, Vec<Graph>) {
        let parameters = RefCell::new(Vec::new());
        let _ = distribution.map(&|graph| {
            parameters.borrow_mut().push(graph.clone());
            graph.clone()
        });
        let family = match distribution {
            Distribution::Normal(..) => Self::Normal,
            Distribution::UniformOn(..) => Self::UniformOn,
            Distribution::Exponential(_) => Self::Exponential,
            Distribution::Gamma(..) => Self::Gamma,
            Distribution::Beta(..) => Self::Beta,
            Distribution::Bernoulli(_) => Self::Bernoulli,
            Distribution::Poisson(_) => Self::Poisson,
            Distribution::Geometric(_) => Self::Geometric,
        };
        (family, parameters.into_inner())
    }

    /// A real draw; of the others as a number, tt being 1.
    #[must_use]
    pub fn draw(self, p: &[f64], random: &mut Random) -> f64 {
        match self {
            Self::Normal => p[0] + p[1] * normal(random),
            Self::UniformOn => p[0] + (p[1] - p[0]) * unit(random).0,
            Self::Exponential => -log(unit(random).0) / p[0],
            Self::Gamma => gamma(p[0], random) / p[1],
            Self::Beta => {
                let (x, y) = (gamma(p[0], random), gamma(p[1], random));
                x / (x + y)
            }
            Self::Bernoulli => f64::from(u8::from(unit(random).0 <= p[0])),
            Self::Poisson => poisson(p[0], random),
            Self::Geometric => (log(unit(random).0) / log(1.0 - p[0])).floor() + 1.0,
        }
    }

    /// Whether a number can be drawn.
    #[must_use]
    pub fn is_inside(self, p: &[f64], x: f64) -> bool {
        match self {
            Self::UniformOn => p[0] <= x && x <= p[1],
            Self::Exponential => x >= 0.0,
            Self::Gamma => x > 0.0,
            Self::Beta => x > 0.0 && x < 1.0,
            _ => true,
        }
    }

    /// How wide it is, about.
    #[must_use]
    pub fn scale(self, p: &[f64]) -> f64 {
        match self {
            Self::Normal => p[1],
            Self::UniformOn => p[1] - p[0],
            Self::Exponential => 1.0 / p[0],
            Self::Gamma => p[0].sqrt() / p[1],
            Self::Beta => 0.3,
            _ => 1.0,
        }
    }

    /// What a scaling move leaves where it is: the left end, or the mean.
    #[must_use]
    pub fn pivot(self, p: &[f64]) -> f64 {
        match self {
            Self::Normal | Self::UniformOn => p[0],
            _ => 0.0,
        }
    }
}

/// A number between 0 and 1, neither of which it is.
#[derive(Clone, Copy, Debug)]
pub struct Unit(pub f64);

impl Unit {
    /// Whether its logarithm is at most this.
    #[must_use]
    pub fn ln_at_most(self, ratio: f64) -> bool {
        log(self.0) <= ratio
    }
}

/// A number between 0 and 1: the middle of one of 2⁵² equal parts.
#[must_use]
pub fn unit(random: &mut Random) -> Unit {
    Unit(((random.next() >> 12) as f64 + 0.5) * 2f64.powi(-52))
}

pub(super) fn log(x: f64) -> f64 {
    nearest(Function::Log, x)
}

/// A standard normal number.
#[must_use]
pub fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * log(unit(random).0)).sqrt();
    radius * nearest(Function::Cos, 2.0 * std::f64::consts::PI * unit(random).0)
}

fn gamma(shape: f64, random: &mut Random) -> f64 {
    if shape < 1.0 {
        let power = nearest_power(unit(random).0, 1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        if v > 0.0 && log(unit(random).0) < 0.5 * x * x + d - d * v + d * log(v) {
            return d * v;
        }
    }
}

/// The largest rate that is inverted at once.
const LARGEST_RATE: f64 = 32.0;

fn poisson(rate: f64, random: &mut Random) -> f64 {
    if rate > LARGEST_RATE {
        // the events until the k-th of them are a gamma draw (Ahrens and Dieter 1974)
        let k = (rate * 7.0 / 8.0).floor();
        let time = gamma(k, random);
        return match time > rate {
            true => binomial(k - 1.0, rate / time, random),
            false => k + poisson(rate - time, random),
        };
    }
    let (mut n, mut chance, u) = (0.0, nearest(Function::Exp, -rate), unit(random).0);
    let mut sum = chance;
    while u > sum && n < 1e4 {
        n += 1.0;
        chance *= rate / n;
        sum += chance;
    }
    n
}

/// How many of so many numbers lie below p: the middle one of them is a beta draw.
fn binomial(n: f64, p: f64, random: &mut Random) -> f64 {
    if n < 32.0 {
        return (0..n as u32).filter(|_| unit(random).0 < p).count() as f64;
    }
    let k = (n / 2.0).floor() + 1.0;
    let (x, y) = (gamma(k, random), gamma(n + 1.0 - k, random));
    let middle = x / (x + y);
    match middle <= p {
        true => k + binomial(n - k, (p - middle) / (1.0 - middle), random),
        false => binomial(k - 1.0, p / middle, random),
    }
}
