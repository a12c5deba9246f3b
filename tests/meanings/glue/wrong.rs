//! What is wrong on purpose is noticed: every rule of the macro, and two relations.

use smoothish::glue::claim::Claim;
use smoothish::glue::connectives::Connectives;
use smoothish::glue::lemma::{Setting, fundamental_lemma, theorem_3};
use smoothish::glue::noticed::{ABOUT_THE_MACRO, Noticed};
use smoothish::glue::pinned::determination;
use smoothish::glue::scope::Scope;
use smoothish::glue::theorems::{ALL, named};
use smoothish::glue::trial::{Tally, Trials};
use smoothish::wrong::{Taylor, WrongMacro};

/// It relates f to any tuple that starts with f.
#[derive(Debug)]
pub struct ValueOnly;

impl Connectives for ValueOnly {
    fn reals(&self, mut claim: Claim, _: &Scope) -> Vec<Claim> {
        claim.derivatives.truncate(1);
        vec![claim]
    }
}

/// It relates f to (f(u), ∂^α f(u + 1)).
#[derive(Debug)]
struct OtherPoint;

impl Connectives for OtherPoint {
    fn reals(&self, mut claim: Claim, plots: &Scope) -> Vec<Claim> {
        let derivatives = claim.derivatives.split_off(1);
        let moved = Claim { path: claim.path.clone(), plot: plots.moved(&claim.plot), derivatives, is_slope: false };
        vec![claim, moved]
    }
}

fn tried(name: &str, setting: Setting, samples: u64) -> Tally {
    named(name).unwrap().statement(setting).tried(&Trials::new(samples, 1)).unwrap()
}

/// The default number of samples.
const SAMPLES: u64 = 200;

/// The table of who notices what, with three seeds. `smoothish mutants --macro` makes it with twenty.
#[test]
fn every_wrong_macro_is_refuted_with_every_seed() {
    let macros = WrongMacro::all();
    assert!(macros.len() > 50, "{}", macros.len());
    let trials = Trials::new(SAMPLES, 0);
    for wrong in macros {
        let by = |name: &&str| Noticed::by(named(name).unwrap(), wrong.rules, SAMPLES, 3, &trials).unwrap();
        let noticed = ABOUT_THE_MACRO.iter().find(|name| by(name).always());
        println!("{:30} {noticed:?}", wrong.name);
        assert!(noticed.is_some(), "{} is not noticed: {}", wrong.name, wrong.instead);
    }
}

/// The macro as it is, is not refuted: what notices a wrong one is no accident of the samples.
#[test]
fn rules_that_are_right_are_not_noticed() {
    let rules = &smoothish::meaning::taylor::rules::Paper;
    let noticed = Noticed::by(named("theorem-3").unwrap(), rules, 50, 4, &Trials::new(50, 0)).unwrap();
    assert_eq!(noticed.needed, [None; 4]);
    assert_eq!(noticed.median(), None);
}

#[test]
fn a_relation_of_values_alone_lets_wrong_macros_pass_and_is_noticed() {
    let relation = Some(&ValueOnly as &dyn Connectives);
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
    let setting = Setting { rules: None, relation: Some(&OtherPoint) };
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
