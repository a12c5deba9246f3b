//! Wrong rules, and the laws that refute them.

use smoothish::law::adequacy::{MAX_CATCH_SAMPLES, TRACE_MUTANTS, mutant_catches};
use smoothish::law::trace::determinacy;
use smoothish::random::SplitMix64;
use smoothish::wrong::Trace;

#[test]
fn every_wrong_rule_is_refuted_by_its_law() {
    assert_eq!(TRACE_MUTANTS.len(), Trace::ALL.len());
    let is_of_traces = |name: &str| Trace::ALL.iter().any(|rule| rule.name() == name);
    let catches: Vec<_> = mutant_catches().into_iter().filter(|catch| is_of_traces(catch.rule)).collect();
    assert_eq!(catches.len(), TRACE_MUTANTS.len());
    for catch in catches {
        let after = catch.samples_until_refuted(7);
        println!("{}: by {} after {after:?}", catch.rule, catch.law);
        assert!(after.is_some(), "{} is not refuted by {}", catch.rule, catch.law);
    }
}

/// Small steps have rules of their own, so that big steps by others have other values.
#[test]
fn big_steps_by_other_rules_are_not_the_small_ones() {
    for rule in [Trace::Diagonal, Trace::BothBranches] {
        let after =
            (0..MAX_CATCH_SAMPLES).find(|index| determinacy(SplitMix64::for_sample(7, *index), &rule).is_refuted());
        println!("{}: by determinacy after {after:?}", rule.name());
        assert!(after.is_some(), "{} is not refuted by determinacy", rule.name());
    }
}
