//! What is wrong on purpose is noticed: every rule of the macro, and two relations.

use crate::glue::lemma::RIGHT;
use smoothish_laws::glue::claim::{ABOUT_THE_MACRO, DerivativeClaim, MutantDetection};
use smoothish_laws::glue::evaluation::PlotScope;
use smoothish_laws::glue::lemma::{GluingSetup, determination, fundamental_lemma, theorem_3};
use smoothish_laws::glue::object::RelationClauses;
use smoothish_laws::glue::theorems::{ALL, SAMPLES, find_theorem};
use smoothish_laws::glue::trial::{TheoremOutcome, TheoremTestConfig};
use smoothish_laws::meaning::taylor::functor::DefaultTaylorHooks;
use smoothish_laws::smooth::graph::{Binary, Graph};
use smoothish_laws::wrong::{MacroMutant, Taylor};

/// It relates f to any tuple that starts with f.
#[derive(Debug)]
pub struct ValueOnly;

impl RelationClauses for ValueOnly {
    fn real_claims(&self, mut claim: DerivativeClaim, _: &PlotScope) -> Vec<DerivativeClaim> {
        claim.derivatives.truncate(1);
        vec![claim]
    }
}

/// It relates f to (f(u), ∂^α f(u + 1)).
#[derive(Debug)]
struct OtherPoint;

impl RelationClauses for OtherPoint {
    fn real_claims(&self, mut claim: DerivativeClaim, plots: &PlotScope) -> Vec<DerivativeClaim> {
        let derivatives = claim.derivatives.split_off(1);
        let moved = DerivativeClaim {
            path: claim.path.clone(),
            plot: plots.shift_plot(&claim.plot),
            derivatives,
            is_slope: false,
        };
        vec![claim, moved]
    }
}

/// It relates f to (2^|α| ∂^α f): the derivatives of f along t ↦ 2t, which the macro keeps.
#[derive(Debug)]
struct Doubled;

impl RelationClauses for Doubled {
    fn real_claims(&self, mut claim: DerivativeClaim, plots: &PlotScope) -> Vec<DerivativeClaim> {
        for (place, number) in &mut claim.derivatives {
            let order: usize = plots.basis().indices()[*place].iter().sum();
            *number = Graph::binary(Binary::Divide, number, &Graph::integer(1 << order));
        }
        vec![claim]
    }
}

fn tried(name: &str, setting: GluingSetup, samples: u64) -> TheoremOutcome {
    find_theorem(name).unwrap().make_test(setting).run_test(&TheoremTestConfig::new(samples, 1)).unwrap()
}

/// How many seeds are tried here. `smoothish mutants --of macro` tries twenty.
const SEEDS: u64 = 3;

/// The first statement that refutes each macro with every seed.
fn noticed(macros: &[MacroMutant]) -> Vec<Option<&'static str>> {
    let mut by = vec![None; macros.len()];
    for name in ABOUT_THE_MACRO {
        let open: Vec<usize> = (0..macros.len()).filter(|place| by[*place].is_none()).collect();
        let rules: Vec<_> = open.iter().map(|place| macros[*place].rules).collect();
        let found = MutantDetection::detect_mutants(
            find_theorem(name).unwrap(),
            &rules,
            SEEDS,
            false,
            &TheoremTestConfig::new(SAMPLES, 0),
        )
        .unwrap();
        for (place, found) in open.into_iter().zip(found) {
            by[place] = (found.needed.len() == SEEDS as usize && found.is_always_refuted()).then_some(name);
        }
    }
    by
}

/// Samples that are drawn once, and programs that are the same, change no number: each is that of the first sample that refutes.
#[test]
fn what_is_shared_between_wrong_macros_changes_nothing() {
    let all = MacroMutant::all();
    let macros: Vec<_> = ["taylor_cosine", "taylor_fold_left", "taylor_slope_atan", "taylor_match"]
        .map(|name| all.iter().find(|wrong| wrong.name == name).unwrap().rules)
        .into();
    let (theorem, trials) = (find_theorem("theorem-3").unwrap(), TheoremTestConfig::new(25, 0));
    let right = theorem.make_test(GluingSetup::default());
    let found = MutantDetection::detect_mutants(theorem, &macros, 1, true, &trials).unwrap();
    for (rules, found) in macros.into_iter().zip(found) {
        let wrong = theorem.make_test(GluingSetup { hooks: Some(rules), ..GluingSetup::default() });
        let refutes =
            |index: &u64| (wrong.judge)(&right.draw_sample(&trials, *index).unwrap()).is_ok_and(|j| j.is_refuted());
        let first = (0..trials.samples).find(refutes).map(|index| index + 1);
        assert_eq!(found.needed, [first], "{rules:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_outcome() {
    let setting = GluingSetup { hooks: Some(&Taylor::Binomials), ..GluingSetup::STANDARD };
    let run = || theorem_3(setting.clone()).run_test(&TheoremTestConfig::new(100, 7)).unwrap();
    assert_eq!(run(), run());
}

#[test]
fn statements_have_names_of_their_own() {
    for theorem in ALL {
        assert_eq!(find_theorem(theorem.name).map(|found| found.summary), Some(theorem.summary));
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// The macro is right by this relation, of which Taylor representations are no pairs: they refute nothing.
    #[test]
    fn a_macro_that_is_right_by_a_relation_of_ones_own_is_not_refuted() {
        let setting = GluingSetup { relation: Some(&Doubled), ..GluingSetup::STANDARD };
        for name in ["fundamental-lemma", "determination"] {
            let found = match name {
                "determination" => {
                    determination(setting.clone()).run_test(&TheoremTestConfig::new(crate::drawn(30), 1)).unwrap()
                }
                name => tried(name, setting.clone(), crate::drawn(30)),
            };
            assert_eq!(found.refutation, None, "{name}");
            let because = found.untestable.map(|(_, because)| because).unwrap_or_default();
            assert!(because.starts_with("no pair can be drawn from this relation"), "{name}: {because}");
        }
    }

    #[test]
    fn a_relation_with_derivatives_at_another_point_is_noticed() {
        let setting = GluingSetup { relation: Some(&OtherPoint), ..GluingSetup::STANDARD };
        // of the lemma by the pairs that are drawn and are in it: lines, with their slopes
        for name in ["related-pairs", "operations", "fundamental-lemma", "proposition-5"] {
            assert!(tried(name, setting.clone(), 100).refutation.is_some(), "{name}");
        }
    }

    /// The table of who notices what, as far as a test makes it.
    #[test]
    fn every_wrong_macro_is_refuted_with_every_seed() {
        let macros = MacroMutant::all();
        assert!(macros.len() > 50, "{}", macros.len());
        for (wrong, by) in macros.iter().zip(noticed(&macros)) {
            println!("{:30} {by:?}", wrong.name);
            assert!(by.is_some(), "{} is not noticed: {}", wrong.name, wrong.instead);
        }
    }

    #[test]
    fn a_relation_of_values_alone_lets_wrong_macros_pass_and_is_noticed() {
        let relation = Some(&ValueOnly as &dyn RelationClauses);
        let wrong = GluingSetup { hooks: Some(&Taylor::CrossTerm), relation, ..GluingSetup::STANDARD };
        // on samples that have derivatives, which this relation does not see: it would draw others in vain
        let (statement, sampled, trials) =
            (fundamental_lemma(wrong.clone()), fundamental_lemma(RIGHT), TheoremTestConfig::new(crate::drawn(100), 1));
        for index in 0..trials.samples {
            let judged = (statement.judge)(&sampled.draw_sample(&trials, index).unwrap());
            assert!(!judged.is_ok_and(|judged| judged.is_refuted()), "{index}");
        }
        let right = GluingSetup { relation: None, ..wrong };
        assert!(fundamental_lemma(right).run_test(&trials).unwrap().refutation.is_some());
        // it is too large, and that is a law
        let outcome = determination(GluingSetup { relation, ..GluingSetup::STANDARD })
            .run_test(&TheoremTestConfig::new(50, 1))
            .unwrap();
        assert!(outcome.refutation.is_some());
    }

    /// The macro as it is, is not refuted: what notices a wrong one is no accident of the samples.
    #[test]
    fn rules_that_are_right_are_not_noticed() {
        let by = |all| {
            MutantDetection::detect_mutants(
                find_theorem("theorem-3").unwrap(),
                &[&DefaultTaylorHooks],
                4,
                all,
                &TheoremTestConfig::new(50, 0),
            )
            .unwrap()
            .remove(0)
        };
        assert_eq!(by(true).needed, [None; 4]);
        assert_eq!((by(true).median_samples(), by(false).needed.len()), (None, 1));
    }
}
