//! The relation of W §3.3: AD of programs in pieces is right, by a law that notices what is not.

use smoothish::glue::dual::lemma::{self, Law, Setting, determination, freedom, fundamental_lemma, related_pairs};
use smoothish::glue::dual::program::Uses;
use smoothish::glue::dual::{Clause, Plots, Relation, drawn};
use smoothish::random::Random;
use smoothish::syntax::ty::Ty;
use smoothish::verdict::Verdict;
use smoothish::wrong::Dual;

/// How many samples a wrong rule may need.
const SAMPLES: u64 = 500;

#[track_caller]
fn holds(law: Law, samples: u64, least: u64) {
    let (mut survived, mut moving) = (0, 0);
    for index in 0..samples {
        let judged = law(Random::of(5, index), &Setting::default());
        assert!(!judged.is_refuted(), "{index}: {judged}");
        survived += u64::from(judged == Verdict::Survived);
        moving += u64::from(judged.moves());
    }
    assert!(survived >= least && moving * 10 >= samples * 4, "{survived} of {samples}, {moving} with a slope");
}

/// W20: t and 𝒟t are related at the type of t, for random programs.
#[test]
fn programs_and_their_dual_numbers_are_related() {
    holds(fundamental_lemma, 100, 80);
}

/// Arguments that are drawn are in the relation.
#[test]
fn drawn_pairs_are_related() {
    holds(related_pairs, 100, 80);
}

/// At every type a dual number that is moved is related to nothing, but where a slope is moved at a point.
#[test]
fn the_relation_determines_dual_numbers_off_borders() {
    holds(determination, 80, 60);
    holds(freedom, 60, 45);
}

/// Programs have borders, recursions and functions that are handed on, and use what they bind.
#[test]
fn programs_use_what_they_bind() {
    let mut all = Uses::default();
    let (mut bordered, mut recursive, mut handed) = (0, 0, 0);
    for index in 0..400 {
        let (_, _, uses) = lemma::drawn(&mut Random::of(5, index));
        all.bound += uses.bound;
        all.used += uses.used;
        bordered += u32::from(uses.borders > 0);
        recursive += u32::from(uses.recursions > 0);
        handed += u32::from(uses.handed > 0);
    }
    println!("{all:?} {bordered} {recursive} {handed}");
    assert!(all.used * 10 >= all.bound * 8, "{} of {}", all.used, all.bound);
    assert!(bordered > 280 && recursive > 100 && handed > 40, "{bordered}, {recursive}, {handed}");
}

/// Each wrong rule of 𝒟 is refuted by the lemma.
#[test]
fn wrong_macros_are_refuted() {
    for wrong in Dual::ALL {
        let setting = Setting { rules: wrong.rules(), ..Setting::default() };
        let needed = (0..SAMPLES).find(|index| fundamental_lemma(Random::of(3, *index), &setting).is_refuted());
        println!("{}: {needed:?}", wrong.name());
        assert!(needed.is_some(), "{}", wrong.name());
    }
}

/// A relation that lacks a clause does not determine the dual number.
#[test]
fn relations_without_a_clause_are_refuted() {
    for clause in [Clause::Domain, Clause::Values, Clause::Slopes, Clause::Components, Clause::Arguments] {
        let setting =
            Setting { relation: Relation { without: Some(clause), ..Relation::default() }, ..Setting::default() };
        let needed = (0..SAMPLES).find(|index| determination(Random::of(3, *index), &setting).is_refuted());
        println!("{clause:?}: {needed:?}");
        assert!(needed.is_some(), "{clause:?}");
    }
}

fn related(ty: &Ty, plot: &str, representation: &str) -> Verdict {
    related_by(1, ty, plot, representation)
}

fn related_by(seed: u64, ty: &Ty, plot: &str, representation: &str) -> Verdict {
    let [plot, representation] =
        [plot, representation].map(|text| drawn::program(text).unwrap_or_else(|| panic!("{text}")));
    Relation::default().relates(ty, &Plots::of(&plot, &representation), &mut Random::new(seed)).verdict
}

/// Cases by hand: relu with any number at 0, and with none that is wrong on a side; Cantor's program, with its approximants.
#[test]
fn relations_of_known_plots() {
    let relu = r"\(t : Real) => if t > 0 then t else 0";
    let real = Ty::real();
    for c in ["-7", "0", "1/2", "1", "3"] {
        let free = format!(
            r"\(t : Real) => if t > 0 then (t, (1 : Real)) else ((0 : Real), if t == 0 then ({c} : Real) else 0)"
        );
        assert_eq!(related(&real, relu, &free), Verdict::Survived, "{c}");
    }
    assert!(
        related(&real, relu, r"\(t : Real) => if t > 0 then (t, (1 : Real)) else ((0 : Real), (1 : Real))")
            .is_refuted()
    );
    assert!(
        related(&real, relu, r"\(t : Real) => if t >= 1/100 then (t, (1 : Real)) else ((0 : Real), (0 : Real))")
            .is_refuted()
    );
    let cantor =
        "let rec f (x : Real) : Real = if x <= 1/3 then f (3 * x) else if x >= 2/3 then f (3 * x - 2) else 0 in f";
    let dual = "let rec f (x : Real * Real) : Real * Real = if fst x <= 1/3 then f (3 * fst x, 3 * snd x) \
        else if fst x >= 2/3 then f (3 * fst x - 2, 3 * snd x) else ((0 : Real), (0 : Real)) in \\(t : Real) => f (t, (1 : Real))";
    assert_eq!(related(&real, cantor, dual), Verdict::Survived);
    // one that ends on 1/3 as well, where the program does not
    let ends = dual.replace("fst x <= 1/3", "fst x < 1/3").replace("fst x >= 2/3", "fst x > 2/3");
    assert!(related(&real, cantor, &ends).is_refuted());
    // at functions: 𝒟 of composition with itself
    let twice = r"\(t : Real) => \(f : Real -> Real) => f (f t)";
    let function = Ty::function(Ty::function(Ty::real(), Ty::real()), Ty::real());
    let right = r"\(t : Real) => \(f : Real * Real -> Real * Real) => f (f (t, (1 : Real)))";
    assert_eq!(related(&function, twice, right), Verdict::Survived);
    let wrong = r"\(t : Real) => \(f : Real * Real -> Real * Real) => f (fst (f (t, (1 : Real))), (1 : Real))";
    // a function that is constant tells nothing
    assert!((0..20).any(|seed| related_by(seed, &function, twice, wrong).is_refuted()));
}
