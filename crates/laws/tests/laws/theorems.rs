//! The numbered statements of the papers: each holds on its samples, which contain what it is about, and each of its
//! wrong versions is refuted.

use smoothish_laws::glue::theorems;
use smoothish_laws::law::theorem::{PAPER_THEOREMS, TheoremMethod, TheoremRun, find_theorem};
use smoothish_laws::law::{pap, partial, trace};
use std::collections::HashSet;

/// The samples among which a wrong version must be refuted.
const PATIENCE: u64 = 400;

#[test]
fn names_are_names_of_laws_and_of_one_statement() {
    let mut seen: HashSet<&str> = theorems::ALL.iter().map(|theorem| theorem.name).collect();
    for theorem in PAPER_THEOREMS {
        assert!(seen.insert(theorem.name), "{} is there twice", theorem.name);
        let (names, known): (_, Vec<&str>) = match theorem.method {
            TheoremMethod::Traces(names, _) => (names, trace::LAWS.iter().map(|(name, _)| *name).collect()),
            TheoremMethod::PartialMaps(names, _) => (names, partial::LAWS.iter().map(|(name, _)| *name).collect()),
            TheoremMethod::Pieces(names, _) => (names, pap::LAWS.iter().map(|(name, _)| *name).collect()),
            TheoremMethod::NotTested(why) => {
                assert!(why.split(' ').count() > 5 && theorem.samples == 0, "{}", theorem.name);
                continue;
            }
            TheoremMethod::Seeded(..) => (&[][..], Vec::new()),
        };
        assert!(names.iter().all(|name| known.contains(name)), "{}: {names:?}", theorem.name);
        assert!(!theorem.wrong_versions().is_empty(), "{} has no wrong version", theorem.name);
    }
    assert!(find_theorem("a-theorem-6.7").is_some() && find_theorem("theorem-99").is_none());
}

/// A statement of which no sample is about what it says does not hold.
#[test]
fn samples_without_contents_do_not_hold() {
    let theorem = find_theorem("s-proposition-4.4").unwrap();
    let outcome = theorem.run_test(&TheoremRun::new(2, 4), None);
    let missing = outcome.missing.clone();
    let seen: u64 = outcome.contents.iter().map(|(_, count)| count).sum();
    assert_eq!(missing.is_empty(), outcome.has_passed(), "{outcome:?}");
    assert!(seen < 4, "{outcome:?}");
    let none = theorem.run_test(&TheoremRun::new(0, 0), None);
    assert!(!none.has_passed() && none.missing == ["a kink", "a set"], "{none:?}");
    let outcome = find_theorem("a-lemma-6.4").unwrap().run_test(&TheoremRun::new(5, 0), None);
    assert!(!outcome.has_passed() && outcome.vacuous == 5);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn every_statement_holds() {
        for theorem in PAPER_THEOREMS.iter().filter(|theorem| !matches!(theorem.method, TheoremMethod::NotTested(_))) {
            let start = std::time::Instant::now();
            let outcome = theorem.run_test(&TheoremRun::new(crate::drawn(theorem.samples), 3), None);
            println!(
                "{}: {} of {}, {:?}, {:?}",
                theorem.name,
                outcome.survived,
                theorem.samples,
                outcome.contents,
                start.elapsed()
            );
            assert!(outcome.has_passed(), "{}: {outcome:?}", theorem.name);
        }
    }

    #[test]
    fn every_wrong_version_is_refuted() {
        for theorem in PAPER_THEOREMS {
            for (index, wrong) in theorem.wrong_versions().iter().enumerate() {
                let start = std::time::Instant::now();
                let outcome = theorem.run_test(&TheoremRun::new(PATIENCE, 3), Some(index));
                let at = outcome.refutation.as_ref().map(|refuted| refuted.index);
                println!("{}, {wrong}: refuted at {at:?} after {:?}", theorem.name, start.elapsed());
                assert!(at.is_some(), "{}, {wrong}: {outcome:?}", theorem.name);
            }
        }
    }
}
