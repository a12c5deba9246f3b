//! Laws of samplers, tested on programs whose means have closed forms.
//!
//! | law | statement |
//! |---|---|
//! | `means_are_near` | the mean of samples lies within six of its standard errors of the true one |
//!
//! The standard error is estimated by batches. If it is that of fewer than a hundred independent samples, nothing is
//! claimed.

use super::measure::Reader;
use crate::number::budget::Budget;
use crate::random::Random;
use crate::sampler::hooks::Hooks;
use crate::sampler::involutive::Move;
use crate::sampler::{By, Settings, infer};
use crate::verdict::Verdict;
use crate::wrong::Sampler;
use std::sync::Arc;
use std::time::Duration;

/// A law, tested on the sample of a stream of random numbers.
pub type Law = fn(Random, Reader<'_>, &'static dyn Hooks) -> Verdict;

/// All laws, with their names.
pub const LAWS: &[(&str, Law)] = &[("means_are_near", means_are_near)];

/// The wrong rules, each with the law that refutes it.
pub const OF_SAMPLERS: &[(Sampler, &str)] =
    &[(Sampler::AcceptRatioInverted, "means_are_near"), (Sampler::AcceptNoJacobian, "means_are_near")];

/// The greatest number of samples until a law must refute a wrong rule. A choice.
pub const SAMPLES: u64 = 12;
/// The number of standard errors that a mean may be off. A choice: beyond six, chance is about 2·10⁻⁹.
const ERRORS: f64 = 6.0;
/// The least effective number of samples for a claim. A choice: below it, the standard error itself is uncertain.
const FEWEST: f64 = 100.0;
/// The number of samples that are taken. A choice.
const TAKEN: usize = 8000;

impl Sampler {
    /// Returns the number of samples of a seed until the law for this rule refutes it. Returns `None` if [`SAMPLES`]
    /// are not enough.
    #[must_use]
    pub fn noticed(&'static self, seed: u64, read: Reader<'_>) -> Option<u64> {
        let (_, name) = OF_SAMPLERS.iter().find(|(rule, _)| rule == self)?;
        let (_, law) = LAWS.iter().find(|(own, _)| own == name)?;
        (0..SAMPLES).find(|index| law(Random::of(seed, *index), read, self).is_refuted()).map(|index| index + 1)
    }
}

/// Draws a program, and returns it with the mean of its values.
fn sample(random: &mut Random) -> (String, f64) {
    let n = 1 + random.below(4);
    let k = n as f64;
    match random.below(3) {
        // the posterior is Gamma(n + 1, 2), by conjugacy
        0 => (format!("do {{ l <- sample (exponential 1); observe (poisson l) {n}; return l }}"), (k + 1.0) / 2.0),
        // the density is (1 + n·x)/(1 + n/2)
        1 => (
            format!("do {{ x <- sample (uniformOn 0 1); score (1 + {n} * x); return x }}"),
            (0.5 + k / 3.0) / (1.0 + k / 2.0),
        ),
        // the posterior is N(n/2, 1/2), by conjugacy
        _ => (format!("do {{ m <- sample (normal 0 1); observe (normal m 1) {n}; return m }}"), k / 2.0),
    }
}

/// Tests that the mean of samples lies within six standard errors of the true mean.
fn means_are_near(mut random: Random, read: Reader<'_>, hooks: &'static dyn Hooks) -> Verdict {
    let (program, truth) = sample(&mut random);
    let by = [By::Involutive, By::Involutive, By::Hmc][random.below(3)];
    // the scaling move alone has a Jacobian in every step, which finds rules that forget it
    let only = [None, Some(Move::Scale)][random.below(2)].filter(|_| by == By::Involutive);
    let settings = Settings { hooks, only, ..Settings::new(by, TAKEN, random.next()) };
    let Some((term, of)) = read(&program).zip(read("\\(z : Real) => z")) else {
        return Verdict::refuted(program, "a program", "none");
    };
    let budget = Arc::new(Budget::within(Duration::from_secs(20)));
    match infer(&term, &of, &settings, &budget, &mut |_| {}) {
        Ok(found) if found.effective.is_nan() || found.effective < FEWEST => Verdict::Vacuous,
        Ok(found) if found.z(truth).abs() <= ERRORS => Verdict::Survived,
        Ok(found) => Verdict::refuted(program, truth, format!("{} ± {} by {}", found.mean, found.error, by.name())),
        Err(fault) => Verdict::refuted(program, truth, fault),
    }
}
