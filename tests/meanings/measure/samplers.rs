//! Samplers, judged by certified means: what a z-score sees, and what it cannot see.
//!
//! The means are those of `measure::expect`; those of a truncated normal draw, φ(1)/(1 - Φ(1)), and of conjugate pairs have closed forms as well.

use super::{PLAIN, asked, parsed};
use smoothish::law::sampler::{LAWS, SAMPLER_MUTANTS, samples_until_refuted};
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::sampler::involutive::{Involution, InvolutiveMove};
use smoothish::sampler::{
    DefaultSamplerHooks, MomentumField, SampleEstimate, SamplerError, SamplerSettings, SamplingMethod, estimate_mean,
};
use smoothish::verdict::Verdict;
use smoothish::wrong::Sampler;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

const BEYOND: &str = "do { x <- sample (normal 0 1); if x > 1 then return () else score 0; return x }";
const SEEN: &str = "do { m <- sample (normal 0 1); observe (normal m 1) 1; return m }";
const COIN: &str = "do { p <- sample (uniformOn 0 1); score (p^7 * (1 - p)^3); return p }";
const COUNT: &str = "do { l <- sample (exponential 1); observe (poisson l) 3; return l }";
const SPIKE: &str = "do { b <- sample (bernoulli 0.3); x <- if b then return 0 else sample (normal 0 1);
  observe (normal x 1) 0.5; return x }";

fn sampled(model: &str, of: &str, settings: &SamplerSettings) -> Result<SampleEstimate, SamplerError> {
    let (term, of) = parsed(model, of, false);
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(60)));
    estimate_mean(&term, &of, settings, &budget, &mut |_| {})
}

fn certified(model: &str, of: &str) -> f64 {
    let answer = asked(model, Some(of), PLAIN).unwrap_or_else(|fault| panic!("{model}: {fault}"));
    assert!(answer.enclosure.has_width_at_most(&super::rational("1e-6")), "{model}: {}", answer.enclosure);
    answer.enclosure.lo().to_f64()
}

/// Five models, three samplers, and seeds: the means are within five standard errors of the certified ones.
fn all_are_near(seeds: std::ops::RangeInclusive<u64>, samples: usize) {
    for model in [BEYOND, SEEN, COIN, COUNT, SPIKE] {
        let truth = certified(model, "\\x => x");
        for by in SamplingMethod::ALL {
            for seed in seeds.clone() {
                let found = sampled(model, "\\x => x", &SamplerSettings::new(by, samples, seed)).expect("samples");
                let z = found.z_score(truth);
                assert!(
                    z.abs() < 5.0 && found.effective_samples > 100.0,
                    "{model}, {by:?}, {seed}: {truth}, z = {z}, {found:?}"
                );
            }
        }
    }
}

/// All seeds from 1 to 20, as `cargo test --test meanings -- --ignored twenty_seeds` runs them.
#[test]
#[ignore = "a minute without optimisation"]
fn twenty_seeds_of_all_are_near() {
    all_are_near(1..=20, 4000);
}

/// The leapfrog is a product of shears for any field: a wrong gradient costs acceptance, and z does not see it.
#[test]
fn a_wrong_gradient_is_not_seen() {
    let truth = certified(BEYOND, "\\x => x");
    let right = sampled(BEYOND, "\\x => x", &SamplerSettings::new(SamplingMethod::Hmc, 20_000, 7)).expect("samples");
    for field in [
        MomentumField::ScaledGradient(0.0),
        MomentumField::ScaledGradient(1.5),
        MomentumField::ScaledGradient(-0.3),
        MomentumField::SineField,
    ] {
        let settings = SamplerSettings { field, ..SamplerSettings::new(SamplingMethod::Hmc, 20_000, 7) };
        let found = sampled(BEYOND, "\\x => x", &settings).expect("samples");
        assert!(found.z_score(truth).abs() < 5.0, "{field:?}: {found:?}");
        assert_ne!(found.mean, right.mean, "{field:?} is another chain");
    }
}

/// Without the factor of a scaling move the density times x is sampled, and z sees it: of Gamma(4, 2) that is Gamma(5, 2).
#[test]
fn a_missing_factor_is_seen() {
    let truth = certified(COUNT, "\\x => x");
    let right = SamplerSettings {
        only_move: Some(InvolutiveMove::Scale),
        ..SamplerSettings::new(SamplingMethod::Involutive, 150_000, 7)
    };
    let found = sampled(COUNT, "\\x => x", &right).expect("samples");
    assert!(found.z_score(truth).abs() < 5.0, "{found:?}");
    let found =
        sampled(COUNT, "\\x => x", &SamplerSettings { hooks: &Sampler::AcceptNoJacobian, ..right }).expect("samples");
    assert!(found.z_score(truth) > 50.0 && found.z_score(2.5).abs() < 5.0, "z = {}: {found:?}", found.z_score(truth));
    // among other moves, of a draw beyond 1
    let truth = certified(BEYOND, "\\x => x");
    let mixed = SamplerSettings {
        hooks: &Sampler::AcceptNoJacobian,
        ..SamplerSettings::new(SamplingMethod::Involutive, 40_000, 7)
    };
    let found = sampled(BEYOND, "\\x => x", &mixed).expect("samples");
    assert!(found.z_score(truth) > 8.0, "z = {}: {found:?}", found.z_score(truth));
}

/// The moves are involutions, and their factors are by AD: 1, and 1/u.
#[test]
fn moves_are_involutions_with_their_factors() {
    for (of, factor) in [(InvolutiveMove::Shift, 0.0), (InvolutiveMove::Scale, -(2.5f64.ln()))] {
        let mut involution = Involution::new(of).expect("a tape");
        let [x, u, found] = involution.apply_at(3.0, 2.5, 1.0, 0.5);
        let [back, again, inverse] = involution.apply_at(x, u, 1.0, 0.5);
        assert!((back - 3.0).abs() < 1e-12 && (again - 2.5).abs() < 1e-12, "{of:?}: {back}, {again}");
        assert!((found - factor).abs() < 1e-12 && (found + inverse).abs() < 1e-12, "{of:?}: {found}, {inverse}");
    }
}

/// A seed is a chain: the same numbers, to the last bit.
#[test]
fn a_seed_gives_the_same_samples() {
    for by in SamplingMethod::ALL {
        let settings = SamplerSettings::new(by, 1000, 3);
        let [a, b] = [0, 1].map(|_| sampled(COUNT, "\\x => x", &settings).expect("samples").mean);
        assert_eq!(a.to_bits(), b.to_bits());
        let other = sampled(COUNT, "\\x => x", &SamplerSettings { seed: 4, ..settings }).expect("samples");
        assert_ne!(a, other.mean);
    }
}

/// Draws of all kinds, by the program alone: their means are the certified ones.
#[test]
fn draws_of_all_kinds_have_their_means() {
    for (draw, mean) in [
        ("normal 1 2", 1.0),
        ("uniformOn 1 4", 2.5),
        ("exponential 4", 0.25),
        ("gamma 3 2", 1.5),
        ("gamma 0.5 2", 0.25),
        ("beta 2 3", 0.4),
    ] {
        let model = format!("do {{ x <- sample ({draw}); return x }}");
        let found =
            sampled(&model, "\\x => x", &SamplerSettings::new(SamplingMethod::Importance, 10_000, 1)).expect("samples");
        assert!(found.z_score(mean).abs() < 5.0 && found.effective_samples > 9999.0, "{draw}: {found:?}");
    }
    for (draw, mean) in [("poisson 3", 3.0), ("poisson 100", 100.0), ("geometric 0.3", 1.0 / 0.3)] {
        let model = format!("do {{ n <- sample ({draw}); return n }}");
        let found = sampled(&model, "\\n => toReal n", &SamplerSettings::new(SamplingMethod::Importance, 10_000, 1))
            .expect("samples");
        assert!(found.z_score(mean).abs() < 5.0, "{draw}: {found:?}");
    }
    // a recursion: the number of trials until the first success, with another dimension each
    let trials =
        "let rec go (n : Nat) = do { u <- sample (uniformOn 0 1); if u < 0.4 then return n else go (n + 1) } in go 1";
    for by in SamplingMethod::ALL {
        let found = sampled(trials, "\\n => toReal n", &SamplerSettings::new(by, 10_000, 1)).expect("samples");
        assert!(found.z_score(2.5).abs() < 5.0, "{by:?}: {found:?}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn means_of_samples_are_near_the_certified_ones() {
        all_are_near(1..=3, 4000);
    }

    /// The laws of samplers survive, and every wrong rule is refuted by one.
    #[test]
    fn every_wrong_rule_of_samplers_is_noticed() {
        let read = super::super::reader();
        for (name, law) in LAWS {
            let verdicts: Vec<Verdict> =
                (0..8).map(|index| law(SplitMix64::for_sample(5, index), &read, &DefaultSamplerHooks)).collect();
            assert!(verdicts.iter().all(|verdict| !verdict.is_refuted()), "{name}: {verdicts:?}");
            assert!(verdicts.contains(&Verdict::Survived), "{name} says nothing");
        }
        let listed: HashSet<_> = SAMPLER_MUTANTS.iter().map(|(rule, _)| rule.name()).collect();
        for rule in Sampler::ALL {
            assert!(listed.contains(rule.name()), "{} has no law", rule.name());
        }
        for (law, _) in LAWS {
            assert!(SAMPLER_MUTANTS.iter().any(|(_, own)| own == law), "{law} refutes nothing");
        }
        for (rule, law) in SAMPLER_MUTANTS {
            let after = samples_until_refuted(rule, law, 3, &read);
            println!("{:24} {law:28} {after:?}", rule.name());
            assert!(after.is_some(), "{law} does not notice {}", rule.name());
        }
    }

    #[test]
    fn what_cannot_be_sampled_is_told() {
        let fault = |model: &str, by: SamplingMethod| {
            sampled(model, "\\x => 1", &SamplerSettings::new(by, 1000, 1)).expect_err(model)
        };
        for by in SamplingMethod::ALL {
            let never = fault("do { x <- sample (normal 0 1); score 0; return x }", by);
            assert!(matches!(never, SamplerError::NoWeight { .. }), "{never:?}");
            let negative = fault("do { x <- sample (normal 0 1); score x; return x }", by);
            assert!(matches!(negative, SamplerError::NegativeScore), "{negative:?}");
            let undefined = fault("do { x <- sample (normal 0 1); score (log x); return x }", by);
            assert!(matches!(undefined, SamplerError::Undefined(_)), "{undefined:?}");
            let wrong = fault("do { x <- sample (normal 0 1); y <- sample (normal 0 x); return y }", by);
            assert!(matches!(wrong, SamplerError::Measure(_)), "{wrong:?}");
        }
        // a draw of a recursion that does not end
        let endless = "let rec go x = do { y <- sample (normal x 1); go y } in go (0 : Real)";
        let (term, of) = parsed(endless, "\\x => 1", false);
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(4)));
        let found =
            estimate_mean(&term, &of, &SamplerSettings::new(SamplingMethod::Importance, 1000, 1), &budget, &mut |_| {})
                .expect_err("endless");
        assert!(matches!(found, SamplerError::TooLong { .. } | SamplerError::TimeExhausted), "{found:?}");
        // what is seen has no chance, so that no chain begins
        for by in SamplingMethod::ALL {
            let border = fault("do { x <- sample (normal 0 1); score (if x == 3 then 1 else 0); return x }", by);
            assert!(matches!(border, SamplerError::NoWeight { .. }), "{border:?}");
        }
        // a chain that begins and hardly ever moves is worth nothing, and says so
        let needle = "do { b <- sample (bernoulli 0.5); score (if b then 1 else 1e-300); return (if b then 1 else 0) }";
        for by in [SamplingMethod::Hmc, SamplingMethod::Involutive] {
            let found = sampled(needle, "\\x => x", &SamplerSettings::new(by, 1000, 1)).expect("samples");
            assert!(
                found.mean == 1.0
                    && found.standard_error == 0.0
                    && (found.effective_samples.is_nan() || found.effective_samples <= 1.0),
                "{found:?}"
            );
        }
        // a chain that stands still has no error to speak of
        let atom = sampled(
            "do { b <- sample (bernoulli 0.5); return b }",
            "\\b => 7",
            &SamplerSettings::new(SamplingMethod::Hmc, 1000, 1),
        );
        assert!(atom.is_ok_and(|found| found.mean == 7.0 && found.standard_error == 0.0));
    }
}
