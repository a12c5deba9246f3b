//! The laws bite: every rule of the library has a mutant, and every mutant is caught.

use smoothish::syntax::source::SourceText;
use smoothish::theory::mutants::{self, MutantOutcome};
use smoothish::theory::trial::StatementTestConfig;
use smoothish::theory::{Theory, builtin};
use smoothish::wrong::Mutation;
use std::collections::BTreeSet;
use std::sync::Arc;

/// No rule without a line that says what catches its mutant.
#[test]
fn every_mutant_is_named() {
    let theories = builtin::load_theories();
    let named: BTreeSet<&str> = theories.theories().iter().flat_map(|t| &t.refutes).map(|line| &*line.mutant).collect();
    let all: BTreeSet<&str> =
        Mutation::all().into_iter().filter(|m| *m != Mutation::Bottom).map(|mutation| mutation.name()).collect();
    assert_eq!(named, all);
}

#[test]
fn mutants_that_do_not_exist_are_refused() {
    let error =
        super::with("theory Own refute exp_derivatve : x claim x : 1 ~ 1 because \"1\"").err().unwrap_or_default();
    assert!(error.contains("there is no mutant `exp_derivatve`") && error.contains("`exp_derivative`"), "{error}");
    assert!(super::with("theory Own refute exp_derivative : x claim x : 1 ~ 1 because \"1\"").is_ok());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Each is caught by what the theories say catches it; the one that always answers ⊥ is taken for an answer nowhere.
    #[test]
    fn every_mutant_is_caught() {
        let theories = builtin::load_theories();
        let all: Vec<&Theory> = theories.theories().iter().collect();
        let library = Arc::new(theories.library().clone());
        let mutants: Vec<_> = mutants::all_mutants().iter().collect();
        let (mut alive, mut seen) = (Vec::new(), 0);
        mutants::test_mutants(&library, &all, &mutants, &StatementTestConfig::default(), 2, false, |finding| {
            seen += 1;
            let missed: Vec<String> = finding.missed.iter().map(|statement| statement.full_name()).collect();
            match &finding.outcome {
                MutantOutcome::Caught(_, refuted) => {
                    assert_ne!(refuted.left, refuted.right, "{}", finding.mutant.0.name())
                }
                MutantOutcome::NothingSurvives { refuted, vacuous } => {
                    assert!(*refuted > 100 && *vacuous > 300, "{refuted}, {vacuous}");
                    // a claim that something is undefined is true of ⊥, and is not tried
                    assert_eq!(finding.tried, *refuted + *vacuous);
                }
                MutantOutcome::NotCaught(_) => {}
            }
            if !finding.is_caught() {
                alive.push((finding.mutant.0.name(), missed));
            }
        });
        assert!(seen >= 150 && alive.is_empty(), "{seen}: {alive:?}");
    }

    /// Without a statement that it refutes, not even the mutant ⊥ is caught.
    #[test]
    fn a_theory_without_statements_catches_no_mutant() {
        let mut theories = builtin::load_theories();
        let text = "theory Silent\nabout \"No claims.\"\nlet f (x : Real) : Real = x + 1\n";
        theories.load([SourceText::new("silent.theory", text)]).unwrap();
        let silent: Vec<&Theory> = vec![theories.find_theory("Silent").unwrap()];
        let library = Arc::new(theories.library().clone());
        let mutants: Vec<_> = mutants::all_mutants().iter().collect();
        let mut seen = 0;
        mutants::test_mutants(&library, &silent, &mutants, &StatementTestConfig::default(), 2, false, |report| {
            seen += 1;
            assert!(!report.is_caught() && report.tried == 0, "{}", report.mutant.0.name());
        });
        assert_eq!(seen, mutants.len());
    }
}
