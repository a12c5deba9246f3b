//! Random programs that sample, and the laws of their masses and means; every wrong rule is refuted by one.
//!
//! `smoothish campaign --models` tries many more.

use super::reader;
use smoothish::law::measure::{LAWS, OF_MEASURES, Tally};
use smoothish::measure::hooks::Library;
use smoothish::random::Random;
use smoothish::wrong::Measure;
use std::collections::HashSet;

#[test]
fn random_models_agree_with_samples_and_quadrature() {
    let (read, mut tally) = (reader(), Tally::default());
    (0..6).for_each(|index| tally.add(7, index, &read));
    assert!(tally.refuted.is_empty(), "{:?}", tally.refuted);
    assert!(tally.decided * 2 > tally.models && tally.features[3] > 0, "{tally:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_wrong_rule_of_masses_is_noticed() {
        let read = reader();
        let listed: HashSet<_> = OF_MEASURES.iter().map(|(rule, _)| rule.name()).collect();
        for rule in Measure::ALL {
            assert!(listed.contains(rule.name()), "{} has no law", rule.name());
            let after = rule.noticed(3, &read);
            println!("{:24} {after:?}", rule.name());
            assert!(after.is_some(), "{} is not noticed", rule.name());
        }
    }

    #[test]
    fn laws_of_masses_survive() {
        let read = reader();
        for (name, law) in LAWS {
            let mut survived = 0;
            for index in 0..4 {
                let verdict = law(Random::of(11, index), &read, &Library);
                assert!(!verdict.is_refuted(), "{name}, {index}: {verdict}");
                survived += u64::from(verdict == smoothish::verdict::Verdict::Survived);
            }
            assert!(survived > 0, "{name} says nothing");
        }
    }
}
