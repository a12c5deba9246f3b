//! Random programs that sample, and the laws of their masses and means; every wrong rule is refuted by one.
//!
//! `smoothish campaign --probabilistic` tries many more.

use super::reader;
use smoothish::law::measure::{LAWS, MEASURE_MUTANTS, ModelTally, samples_until_refuted};
use smoothish::measure::hooks::DefaultMeasureHooks;
use smoothish::random::SplitMix64;
use smoothish::wrong::Measure;
use std::collections::HashSet;

#[test]
fn random_models_agree_with_samples_and_quadrature() {
    let (read, mut tally) = (reader(), ModelTally::default());
    (0..6).for_each(|index| tally.add_model(7, index, &read));
    assert!(tally.refuted.is_empty(), "{:?}", tally.refuted);
    assert!(tally.decided * 2 > tally.models && tally.features[3] > 0, "{tally:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_wrong_rule_of_masses_is_noticed() {
        let read = reader();
        let listed: HashSet<_> = MEASURE_MUTANTS.iter().map(|(rule, _)| rule.name()).collect();
        for rule in Measure::ALL {
            assert!(listed.contains(rule.name()), "{} has no law", rule.name());
        }
        for (law, _) in LAWS {
            assert!(MEASURE_MUTANTS.iter().any(|(_, own)| own == law), "{law} refutes nothing");
        }
        for (rule, law) in MEASURE_MUTANTS {
            let after = samples_until_refuted(rule, law, 3, &read);
            println!("{:24} {law:28} {after:?}", rule.name());
            assert!(after.is_some(), "{law} does not notice {}", rule.name());
        }
    }

    #[test]
    fn laws_of_masses_survive() {
        let read = reader();
        for (name, law) in LAWS {
            let mut survived = 0;
            for index in 0..4 {
                let verdict = law(SplitMix64::for_sample(11, index), &read, &DefaultMeasureHooks);
                assert!(!verdict.is_refuted(), "{name}, {index}: {verdict}");
                survived += u64::from(verdict == smoothish::verdict::Verdict::Survived);
            }
            assert!(survived > 0, "{name} says nothing");
        }
    }
}
