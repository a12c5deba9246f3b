//! Laws of samplers, tested on programs whose means have closed forms.
//!
//! | law | statement |
//! |---|---|
//! | `means_are_near` | the mean of samples lies within six of its standard errors of the true one |
//! | `moves_keep_means` | so does the mean of samples by the move (x·u, 1/u) of a user |
//!
//! The standard error is estimated by batches. If it is that of fewer than a hundred independent samples, nothing is
//! claimed.

use super::measure::ProgramReader;
use super::property::{self, LawSuite, SampleSettings};
use crate::number::budget::Budget;
use crate::random::SplitMix64;
use crate::sampler::involutive::InvolutiveMove;
use crate::sampler::user_move::UserMove;
use crate::sampler::{
    SampleEstimate, SamplerError, SamplerHooks, SamplerSettings, SamplingMethod, estimate_mean, estimate_mean_by_move,
};
use crate::syntax::term::Term;
use crate::verdict::Verdict;
use crate::wrong::Sampler;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// A law, tested on the sample of a stream of random numbers.
pub type SamplerLaw = fn(SplitMix64, ProgramReader<'_>, &'static dyn SamplerHooks) -> Verdict;

/// Returns [`LAWS`] as a suite for quickcheck, with rules that may be wrong. `read` infers the programs that are drawn.
pub fn sampler_suite(
    read: impl Fn(&str) -> Option<Term> + Clone + 'static,
    rules: &'static dyn SamplerHooks,
    samples: &SampleSettings,
) -> LawSuite<Infallible> {
    property::suite_of_table(LAWS, samples, move |law: SamplerLaw, random| law(random, &read, rules))
}

/// All laws, with their names.
pub const LAWS: &[(&str, SamplerLaw)] = &[("means_are_near", means_are_near), ("moves_keep_means", moves_keep_means)];

/// The wrong rules, each with the laws that refute it.
pub const SAMPLER_MUTANTS: &[(Sampler, &str)] = &[
    (Sampler::AcceptRatioInverted, "means_are_near"),
    (Sampler::AcceptNoJacobian, "means_are_near"),
    (Sampler::AcceptNoJacobian, "moves_keep_means"),
];

/// The greatest number of samples until a law must refute a wrong rule. A choice.
pub const MAX_LAW_SAMPLES: u64 = 12;
/// The number of standard errors that a mean may be off. A choice: beyond six, chance is about 2·10⁻⁹.
const MAX_STANDARD_ERRORS: f64 = 6.0;
/// The least effective number of samples for a claim. A choice: below it, the standard error itself is uncertain.
const MIN_EFFECTIVE_SAMPLES: f64 = 100.0;
/// The number of samples that are taken. A choice.
const SAMPLES_TAKEN: usize = 8000;

/// Returns the number of samples of a seed until a law refutes a wrong rule. Returns `None` if [`MAX_LAW_SAMPLES`] are not enough.
pub fn samples_until_refuted(rule: &'static Sampler, law: &str, seed: u64, read: ProgramReader<'_>) -> Option<u64> {
    let (_, law) = LAWS.iter().find(|(own, _)| *own == law)?;
    property::samples_until_refuted(seed, MAX_LAW_SAMPLES, |random| law(random, read, rule))
}

/// Draws a program, and returns it with the mean of its values.
fn draw_program(random: &mut SplitMix64) -> (String, f64) {
    let n = 1 + random.next_below(4);
    let k = n as f64;
    match random.next_below(3) {
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
fn means_are_near(mut random: SplitMix64, read: ProgramReader<'_>, hooks: &'static dyn SamplerHooks) -> Verdict {
    let (program, truth) = draw_program(&mut random);
    let by = [SamplingMethod::Involutive, SamplingMethod::Involutive, SamplingMethod::Hmc][random.next_below(3)];
    // the scaling move alone has a Jacobian in every step, which finds rules that forget it
    let only = [None, Some(InvolutiveMove::Scale)][random.next_below(2)].filter(|_| by == SamplingMethod::Involutive);
    let settings = SamplerSettings { hooks, only_move: only, ..SamplerSettings::new(by, SAMPLES_TAKEN, random.next()) };
    let Some((term, of)) = read(&program).zip(read("\\(z : Real) => z")) else {
        return Verdict::refuted(program, "a program", "none");
    };
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    judge_estimate(&program, truth, by.method_name(), estimate_mean(&term, &of, &settings, &budget, &mut |_| {}))
}

/// Tests that the mean of samples by the move (x·u, 1/u) lies within six standard errors of the true mean.
fn moves_keep_means(mut random: SplitMix64, read: ProgramReader<'_>, hooks: &'static dyn SamplerHooks) -> Verdict {
    let (program, truth) = draw_program(&mut random);
    let pairs = format!("do {{ z <- ({program}); u <- sample (gamma 2 2); return (z, u) }}");
    let settings =
        SamplerSettings { hooks, ..SamplerSettings::new(SamplingMethod::Involutive, SAMPLES_TAKEN, random.next()) };
    let of = read(&program).zip(read("\\(z : Real) => z"));
    let own = read(&pairs).zip(read("\\((z, u) : Real * Real) => (z * u, 1 / u)"));
    let Some(((term, of), (pairs, involution))) = of.zip(own) else {
        return Verdict::refuted(program, "a program with a move", "none");
    };
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let own = UserMove { pairs: &pairs, involution: &involution };
    let found = estimate_mean_by_move(&term, &of, own, &settings, &budget, &mut |_| {});
    judge_estimate(&program, truth, "a move", found.map(|(found, _)| found))
}

/// Compares an estimate with the true mean.
fn judge_estimate(program: &str, truth: f64, by: &str, found: Result<SampleEstimate, SamplerError>) -> Verdict {
    match found {
        Ok(found) if found.effective_samples.is_nan() || found.effective_samples < MIN_EFFECTIVE_SAMPLES => {
            Verdict::Vacuous
        }
        Ok(found) if found.z_score(truth).abs() <= MAX_STANDARD_ERRORS => Verdict::Survived,
        Ok(found) => Verdict::refuted(program, truth, format!("{} ± {} by {by}", found.mean, found.standard_error)),
        Err(fault) => Verdict::refuted(program, truth, fault),
    }
}
