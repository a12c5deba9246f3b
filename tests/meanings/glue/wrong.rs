//! What is wrong on purpose is noticed: every rule of the macro, and two relations.

use smoothish::glue::claim::Claim;
use smoothish::glue::lemma::{Setting, determination, fundamental_lemma, theorem_3};
use smoothish::glue::scope::Scope;
use smoothish::glue::structure::OverReals;
use smoothish::glue::theorems::{ALL, named};
use smoothish::glue::trial::{Tally, Trials};
use smoothish::wrong::Taylor;

/// The statements that are about the macro.
const ABOUT_THE_MACRO: [&str; 6] =
    ["theorem-3", "fundamental-lemma", "diagram-4", "theorem-8", "uniqueness", "initiality"];

/// It relates f to any tuple that starts with f.
fn value_only(mut claim: Claim, _: &Scope) -> Vec<Claim> {
    claim.derivatives.truncate(1);
    vec![claim]
}

/// It relates f to (f(u), ∂^α f(u + 1)).
fn other_point(mut claim: Claim, plots: &Scope) -> Vec<Claim> {
    let derivatives = claim.derivatives.split_off(1);
    let moved = Claim { path: claim.path.clone(), plot: plots.moved(&claim.plot), derivatives, is_slope: false };
    vec![claim, moved]
}

fn tried(name: &str, setting: Setting, samples: u64) -> Tally {
    named(name).unwrap().statement(setting).tried(&Trials::new(samples, 1)).unwrap()
}

#[test]
fn every_wrong_macro_is_refuted_within_200_samples() {
    for rule in Taylor::ALL {
        let setting = Setting { rules: Some(rule), relation: None };
        let outcome = tried("theorem-3", setting, 200);
        let by = outcome.refutation.unwrap_or_else(|| panic!("{} survives Theorem 3", rule.name()));
        println!("{}: theorem-3 at sample {}\n{by}", rule.name(), by.index);
    }
}

/// The table of who catches what: not every statement notices every wrong rule, and each rule is noticed by several.
#[test]
fn wrong_macros_are_noticed_by_several_statements() {
    for rule in Taylor::ALL {
        let setting = Setting { rules: Some(rule), relation: None };
        let caught: Vec<_> = ABOUT_THE_MACRO
            .into_iter()
            .filter_map(|name| Some((name, tried(name, setting, 200).refutation?.index)))
            .collect();
        println!("{:24} {caught:?}", rule.name());
        assert!(caught.len() >= 3, "{} is noticed by {caught:?}", rule.name());
    }
}

#[test]
fn a_relation_of_values_alone_lets_wrong_macros_pass_and_is_noticed() {
    let relation = Some(value_only as OverReals);
    let wrong = Setting { rules: Some(&Taylor::CrossTerm), relation };
    assert!(fundamental_lemma(wrong).tried(&Trials::new(200, 1)).unwrap().refutation.is_none());
    let right = Setting { relation: None, ..wrong };
    assert!(fundamental_lemma(right).tried(&Trials::new(200, 1)).unwrap().refutation.is_some());
    // it is too large, and that is a law
    let outcome = determination(Setting { rules: None, relation }).tried(&Trials::new(50, 1)).unwrap();
    assert!(outcome.refutation.is_some());
}

#[test]
fn a_relation_with_derivatives_at_another_point_is_noticed() {
    let setting = Setting { rules: None, relation: Some(other_point) };
    for name in ["related-pairs", "operations", "fundamental-lemma", "proposition-5"] {
        assert!(tried(name, setting, 100).refutation.is_some(), "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let setting = Setting { rules: Some(&Taylor::Binomials), relation: None };
    let run = || theorem_3(setting).tried(&Trials::new(100, 7)).unwrap();
    assert_eq!(run(), run());
}

#[test]
fn statements_have_names_of_their_own() {
    for theorem in ALL {
        assert_eq!(named(theorem.name).map(|found| found.says), Some(theorem.says));
    }
}
