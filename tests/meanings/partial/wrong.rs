//! Wrong clauses, and the laws that refute them.

use smoothish::law::adequacy::{OF_PARTIAL_MAPS, catches};
use smoothish::wrong::Partial;

#[test]
fn every_wrong_clause_is_refuted_by_its_laws() {
    assert_eq!(OF_PARTIAL_MAPS.len(), Partial::ALL.len());
    let laws: usize = OF_PARTIAL_MAPS.iter().map(|(_, laws)| laws.len()).sum();
    let catches: Vec<_> = catches().into_iter().filter(|catch| catch.rule.starts_with("partial_")).collect();
    assert_eq!(catches.len(), laws);
    for catch in catches {
        let after = catch.after(11);
        println!("{}: by {} after {after:?}", catch.rule, catch.law);
        assert!(after.is_some(), "{} is not refuted by {}", catch.rule, catch.law);
    }
}
