//! Wrong clauses, and the laws that refute them.

use smoothish::law::partial::LAWS;
use smoothish::meaning::partial::rules::Rules;
use smoothish::random::Random;
use smoothish::wrong::Partial;
use std::sync::Arc;

/// How many samples a law may need.
const SAMPLES: u64 = 500;

/// After how many samples a law refutes a clause.
fn refuted(clause: Partial, law: &str) -> Option<u64> {
    let (_, law) = LAWS.iter().find(|(name, _)| *name == law)?;
    let rules: Arc<dyn Rules> = Arc::new(clause);
    (0..SAMPLES).find(|index| law(Random::of(11, *index), &rules).is_refuted()).map(|index| index + 1)
}

/// Each wrong clause, and laws that have to refute it.
const EXPECTED: &[(Partial, &[&str])] = &[
    (Partial::Diagonal, &["adequate", "domains_are_open"]),
    (Partial::ClosedDomain, &["operations_agree"]),
    (Partial::LazyLet, &["adequate"]),
    (Partial::LazyPair, &["adequate"]),
    (Partial::BothBranches, &["adequate"]),
    (Partial::LevelsOff, &["adequate"]),
    (Partial::BottomAnswers, &["adequate", "approximants_increase"]),
    (Partial::OneDirection, &["adequate"]),
    (Partial::Untransposed, &["adequate"]),
    (Partial::NothingForNothing, &["adequate"]),
];

#[test]
fn every_wrong_clause_is_refuted_by_its_laws() {
    assert_eq!(EXPECTED.len(), Partial::ALL.len());
    for (clause, laws) in EXPECTED {
        for law in *laws {
            let after = refuted(*clause, law);
            println!("{}: by {law} after {after:?}", clause.name());
            assert!(after.is_some(), "{} is not refuted by {law}", clause.name());
        }
    }
}
