//! The laws of A and W about random programs, each with a wrong rule that it refutes.

use smoothish_laws::law::adequacy::{LAW_MUTANTS, judge_law, laws_of_programs, mutant_catches};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::verdict::Verdict;
use smoothish_laws::wrong::{RuleSet, WrongRule};

/// The number of samples that the right rules survive. A choice.
const SAMPLES: u64 = 80;

/// A law that no wrong rule fails would say nothing, and a rule that no law tests could be any.
#[test]
fn every_law_has_a_wrong_rule_and_every_rule_a_law() {
    for (family, law) in laws_of_programs() {
        let rows = LAW_MUTANTS.iter().filter(|row| (row.0, row.1) == (family, law) && !row.2.is_empty()).count();
        assert_eq!(rows, 1, "{law} of {family:?}");
    }
    assert_eq!(LAW_MUTANTS.len(), laws_of_programs().len(), "a row names no law");
    for rule in WrongRule::all() {
        assert!(mutant_catches().iter().any(|catch| catch.rule == rule), "{} has no law", rule.name());
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Each law refutes its wrong rules within the limit of samples.
    #[test]
    fn every_wrong_rule_is_refuted() {
        refute_all(7..8);
    }

    /// Each law refutes its wrong rules on each of twenty seeds, which takes minutes.
    #[test]
    #[ignore = "minutes"]
    fn every_wrong_rule_is_refuted_on_twenty_seeds() {
        refute_all(0..20);
    }

    /// Each law refutes its wrong rules with each of these seeds.
    fn refute_all(seeds: std::ops::Range<u64>) {
        let mut missed = Vec::new();
        for catch in mutant_catches() {
            let start = std::time::Instant::now();
            let mut needed: Vec<Option<u64>> = seeds.clone().map(|seed| catch.samples_until_refuted(seed)).collect();
            needed.sort_unstable_by_key(|found| found.unwrap_or(u64::MAX));
            let (law, rule, median) = (catch.law, catch.rule.name(), needed[needed.len() / 2]);
            println!("{law:28} {rule:30} {median:?} at most {:?}, {:?}", needed.last(), start.elapsed());
            if needed.contains(&None) {
                missed.push(format!("{law} does not refute {rule}"));
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
    }

    /// No law is refuted with the rules of the library, and each claims something of a third of its samples.
    #[test]
    fn every_law_survives() {
        let rules = RuleSet::default();
        for (family, law) in laws_of_programs() {
            let start = std::time::Instant::now();
            let mut survived = 0;
            for index in 0..SAMPLES {
                let verdict = judge_law(family, law, SplitMix64::for_sample(11, index), &rules).unwrap();
                assert!(!verdict.is_refuted(), "{law}, sample {index}: {verdict}");
                survived += u64::from(verdict == Verdict::Survived);
            }
            println!("{law}: {survived} of {SAMPLES} samples say something, {:?}", start.elapsed());
            assert!(survived * 3 >= SAMPLES, "{law}: {survived} of {SAMPLES}");
        }
    }
}
