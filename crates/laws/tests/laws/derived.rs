//! Derived programs with roots, optima and kinks: the laws hold, and each wrong rule is refuted.

use smoothish_laws::function::Functional;
use smoothish_laws::law::derived::{
    DerivedLaw, DerivedSample, SOLVER_MUTANTS, SolutionPlace, clarke_jets, kinked_integrals, solver_jets,
};
use smoothish_laws::meaning::taylor::functor::{ClarkeTaylorHooks, DefaultTaylorHooks, TaylorHooks};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::verdict::Verdict;
use smoothish_laws::wrong::Solver;

/// The law survives, and is vacuous on few samples.
#[track_caller]
fn holds(law: DerivedLaw, rules: &'static dyn TaylorHooks, samples: u64, least: u64) {
    let (samples, least) = (crate::drawn(samples), crate::drawn(least));
    let mut survived = 0;
    for index in 0..samples {
        let verdict = law(SplitMix64::for_sample(6, index), rules);
        assert!(!verdict.is_refuted(), "{index}: {verdict}");
        survived += u64::from(verdict == Verdict::Survived);
    }
    println!("{survived} of {samples}");
    assert!(survived >= least, "{survived} of {samples}");
}

/// A wrong rule is refuted with every seed, by this many samples or fewer, at a sample at which the right rules are not.
#[track_caller]
fn is_refuted(law: DerivedLaw, (wrong, right): (Solver, &'static dyn TaylorHooks), samples: u64) {
    for seed in crate::seeds() {
        let refuting =
            (0..samples).find(|index| law(SplitMix64::for_sample(1000 + seed, *index), wrong.as_hooks()).is_refuted());
        println!("{}, seed {seed}: {refuting:?}", wrong.name());
        let index = refuting.unwrap_or_else(|| panic!("{}, seed {seed}", wrong.name()));
        assert!(!law(SplitMix64::for_sample(1000 + seed, index), right).is_refuted(), "{}, seed {seed}", wrong.name());
    }
}

/// Every solver occurs, its solutions lie everywhere, and orders and directions vary.
#[test]
fn programs_with_solvers_have_what_matters() {
    let samples: Vec<DerivedSample> =
        (0..400).map(|index| DerivedSample::with_solvers(&mut SplitMix64::for_sample(6, index))).collect();
    let share = |of: &dyn Fn(&DerivedSample) -> bool| samples.iter().filter(|sample| of(sample)).count();
    for solver in Functional::ALL.iter().filter(|solver| **solver != Functional::Integral) {
        let found = share(&|sample| sample.solvers.iter().any(|(other, _)| other == solver));
        assert!(found >= 40, "{}: {found}", solver.name());
        for place in [SolutionPlace::Inside, SolutionPlace::Left, SolutionPlace::Right] {
            let found = share(&|sample| sample.solvers.contains(&(*solver, place)));
            assert!(found >= 10 || *solver == Functional::CutRoot, "{} {place:?}: {found}", solver.name());
        }
    }
    let shares = [
        ("two directions", share(&|sample| sample.point.len() == 2), 80),
        ("order 3", share(&|sample| sample.order == 3), 60),
        ("order 2", share(&|sample| sample.order == 2), 100),
        ("solvers in solvers", share(&|sample| sample.solvers.len() > 1), 100),
        ("integrals", share(&|sample| sample.text.contains("integral01")), 10),
        ("by a name", share(&|sample| sample.text.contains("solve ")), 80),
    ];
    println!("{shares:?}");
    for (what, found, least) in shares {
        assert!(found >= least, "{what}: {found}");
    }
}

/// More than half of the points are on a kink, and some are beside all.
#[test]
fn programs_with_kinks_have_them_at_the_point() {
    let samples: Vec<DerivedSample> =
        (0..400).map(|index| DerivedSample::with_kinks(&mut SplitMix64::for_sample(6, index))).collect();
    let share = |of: &dyn Fn(&DerivedSample) -> bool| samples.iter().filter(|sample| of(sample)).count();
    let on = share(&|sample| sample.kinks[0] > 0);
    let beside = share(&|sample| sample.kinks[0] == 0 && sample.kinks[1] > 0);
    let words = ["abs", "max", "min", "cutRoot", "integral01"].map(|word| share(&|sample| sample.text.contains(word)));
    println!("{on} {beside} {words:?}");
    assert!(on >= 200 && beside >= 60 && words.iter().all(|found| *found >= 40), "{on} {beside} {words:?}");
}

/// Every wrong rule has a law that refutes it.
#[test]
fn every_wrong_rule_of_solvers_has_a_law() {
    let rules: Vec<Solver> = SOLVER_MUTANTS.iter().map(|(rule, ..)| *rule).collect();
    assert_eq!(rules.len(), Solver::ALL.len());
    assert!(Solver::ALL.iter().all(|rule| rules.contains(rule)), "{rules:?}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn derived_integrals_of_kinks_have_the_derivatives_of_closed_forms() {
        holds(kinked_integrals, &ClarkeTaylorHooks, 40, 36);
        is_refuted(kinked_integrals, (Solver::Integrands, &ClarkeTaylorHooks), 30);
    }

    #[test]
    fn derived_programs_with_solvers_have_the_derivatives_of_the_presheaf_model() {
        holds(solver_jets, &DefaultTaylorHooks, 150, 140);
    }

    #[test]
    fn derived_programs_with_kinks_have_the_slopes_nearby() {
        holds(clarke_jets, &ClarkeTaylorHooks, 150, 110);
    }

    #[test]
    fn wrong_rules_for_solvers_are_refuted_with_every_seed() {
        is_refuted(solver_jets, (Solver::RootSign, &DefaultTaylorHooks), 20);
        is_refuted(solver_jets, (Solver::LowerCoordinates, &DefaultTaylorHooks), 30);
        is_refuted(solver_jets, (Solver::Ends, &DefaultTaylorHooks), 30);
    }

    #[test]
    fn a_second_derivative_at_a_kink_is_refuted_with_every_seed() {
        is_refuted(clarke_jets, (Solver::UndefinedKink, &ClarkeTaylorHooks), 30);
    }
}
