//! Wrong clauses, and the laws that refute them.

use smoothish::law::adequacy::{PARTIAL_MAP_MUTANTS, mutant_catches};
use smoothish::wrong::Partial;

#[test]
fn every_wrong_clause_is_refuted_by_its_laws() {
    assert_eq!(PARTIAL_MAP_MUTANTS.len(), Partial::ALL.len());
    let laws: usize = PARTIAL_MAP_MUTANTS.iter().map(|(_, laws)| laws.len()).sum();
    let catches: Vec<_> = mutant_catches().into_iter().filter(|catch| catch.rule.starts_with("partial_")).collect();
    assert_eq!(catches.len(), laws);
    for catch in catches {
        let after = catch.samples_until_refuted(11);
        println!("{}: by {} after {after:?}", catch.rule, catch.law);
        assert!(after.is_some(), "{} is not refuted by {}", catch.rule, catch.law);
    }
}
