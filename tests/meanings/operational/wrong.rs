//! Wrong rules, and the laws that refute them.

use smoothish::law::trace::LAWS;
use smoothish::random::Random;
use smoothish::wrong::Trace;

/// How many samples a law may need.
const SAMPLES: u64 = 500;

/// After how many samples a law refutes a rule.
fn refuted(rule: Trace, law: &str) -> Option<u64> {
    let (_, law) = LAWS.iter().find(|(name, _)| *name == law)?;
    (0..SAMPLES).find(|index| law(Random::of(7, *index), &rule).is_refuted()).map(|index| index + 1)
}

/// Each wrong rule, and a law that has to refute it.
const EXPECTED: &[(Trace, &str)] = &[
    (Trace::Diagonal, "guards_turn"),
    (Trace::DynamicScope, "scope_is_static"),
    (Trace::BothBranches, "interpolation"),
    (Trace::OtherBranch, "interpolation"),
    (Trace::Inlined, "trace_is_local"),
    (Trace::LimitOff, "limited_is_unrolled"),
    (Trace::LimitAnswers, "limited_is_unrolled"),
    (Trace::Captured, "reverse_captures_nothing"),
    (Trace::AtCotangent, "reverse_is_transposed"),
    (Trace::OwnFactor, "reverse_is_transposed"),
    (Trace::LargerDomain, "reverse_has_the_domain"),
    (Trace::LastUse, "reverse_is_transposed"),
    (Trace::PairSwapped, "reverse_is_transposed"),
    (Trace::FirstBoth, "reverse_is_transposed"),
    (Trace::ConstantsSkipped, "reverse_has_the_domain"),
    (Trace::LetAtPoint, "reverse_is_transposed"),
];

#[test]
fn every_wrong_rule_is_refuted_by_its_law() {
    assert_eq!(EXPECTED.len(), Trace::ALL.len());
    for (rule, law) in EXPECTED {
        let after = refuted(*rule, law);
        println!("{}: by {law} after {after:?}", rule.name());
        assert!(after.is_some(), "{} is not refuted by {law}", rule.name());
    }
}
