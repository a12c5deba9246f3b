//! Draws in `f64`, by functions that are rounded correctly: a seed gives the same ones on every machine.
//!
//! | distribution | how |
//! |---|---|
//! | normal | Box and Muller (1958) |
//! | gamma | Marsaglia and Tsang (2000) |
//! | of a large Poisson rate | in parts, by Ahrens and Dieter (1974) |
//!
//! The others are the inverse of the distribution function, or made of these.

use crate::function::Function;
use crate::number::double::{eval_nearest, eval_power_nearest};
use crate::random::SplitMix64;

/// A number between 0 and 1, neither of which it is.
#[derive(Clone, Copy, Debug)]
pub struct Unit(pub f64);

impl Unit {
    /// Returns `true` if its logarithm is at most this number.
    #[must_use]
    pub fn ln_at_most(self, ratio: f64) -> bool {
        log(self.0) <= ratio
    }
}

/// A number between 0 and 1: the middle of one of 2⁵² equal parts.
#[must_use]
pub fn unit(random: &mut SplitMix64) -> Unit {
    Unit(((random.next() >> 12) as f64 + 0.5) * 2f64.powi(-52))
}

/// The logarithm.
#[must_use]
pub fn log(x: f64) -> f64 {
    eval_nearest(Function::Log, x)
}

/// A standard normal number.
#[must_use]
pub fn normal(random: &mut SplitMix64) -> f64 {
    // Box and Muller (1958): the second number of the pair is not kept, so that a draw depends on the stream alone.
    let radius = (-2.0 * log(unit(random).0)).sqrt();
    radius * eval_nearest(Function::Cos, 2.0 * std::f64::consts::PI * unit(random).0)
}

/// A gamma draw of the rate 1.
#[must_use]
pub fn gamma(shape: f64, random: &mut SplitMix64) -> f64 {
    if shape < 1.0 {
        // x u^(1/a) has the shape a where x has the shape a + 1, for which the method below is made.
        let power = eval_power_nearest(unit(random).0, 1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    // Marsaglia and Tsang (2000), without their squeeze, which only saves logarithms.
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

/// A Poisson draw.
#[must_use]
pub fn poisson(rate: f64, random: &mut SplitMix64) -> f64 {
    if rate > LARGEST_RATE {
        // the events until the k-th of them are a gamma draw (Ahrens and Dieter 1974)
        let k = (rate * 7.0 / 8.0).floor();
        let time = gamma(k, random);
        return match time > rate {
            true => binomial(k - 1.0, rate / time, random),
            false => k + poisson(rate - time, random),
        };
    }
    let (mut n, mut chance, u) = (0.0, eval_nearest(Function::Exp, -rate), unit(random).0);
    let mut sum = chance;
    while u > sum && n < 1e4 {
        n += 1.0;
        chance *= rate / n;
        sum += chance;
    }
    n
}

/// Draws the number of uniform numbers below p out of a given number: the middle one of them is a beta draw.
fn binomial(n: f64, p: f64, random: &mut SplitMix64) -> f64 {
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
