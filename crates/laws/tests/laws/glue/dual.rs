//! The relation of W §3.3: AD of programs in pieces is right, by a law that notices what is not.

use smoothish_laws::glue::dual::lemma::{
    DualLaw, DualSetup, determination, freedom, fundamental_lemma, higher_orders, related_pairs,
};
use smoothish_laws::glue::dual::program::ConstructCounts;
use smoothish_laws::glue::dual::{Clause, DualPlots, DualRelation, lemma, program};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::syntax::substitution::alpha_equal;
use smoothish_laws::syntax::ty::Ty;
use smoothish_laws::verdict::Verdict;
use smoothish_laws::wrong::Dual;

/// How many samples a wrong rule may need.
const SAMPLES: u64 = 500;

#[track_caller]
fn holds(law: DualLaw, samples: u64, least: u64) {
    let (samples, least) = (crate::drawn(samples), crate::drawn(least));
    let (mut survived, mut moving) = (0, 0);
    for index in 0..samples {
        let judged = law(SplitMix64::for_sample(5, index), &DualSetup::default());
        assert!(!judged.is_refuted(), "{index}: {judged}");
        survived += u64::from(judged == Verdict::Survived);
        moving += u64::from(judged.has_nonzero_slope());
    }
    assert!(survived >= least && moving * 10 >= samples * 4, "{survived} of {samples}, {moving} with a slope");
}

/// Programs have borders, recursions and functions that are handed on, and use what they bind.
#[test]
fn programs_use_what_they_bind() {
    let mut all = ConstructCounts::default();
    let (mut bordered, mut recursive, mut handed, mut data, mut derivatives) = (0, 0, 0, 0, 0);
    for index in 0..400 {
        let (_, _, uses) = lemma::draw_program(&mut SplitMix64::for_sample(5, index));
        all.bound += uses.bound;
        all.used += uses.used;
        bordered += u32::from(uses.borders > 0);
        recursive += u32::from(uses.recursions > 0);
        handed += u32::from(uses.handed > 0);
        data += u32::from(uses.data > 0);
        derivatives += u32::from(uses.derivatives > 0);
    }
    println!("{all:?} {bordered} {recursive} {handed} {data} {derivatives}");
    assert!(all.used * 10 >= all.bound * 8, "{} of {}", all.used, all.bound);
    assert!(bordered > 280 && recursive > 100 && handed > 40, "{bordered}, {recursive}, {handed}");
    assert!(data > 100 && derivatives > 80, "{data}, {derivatives}");
}

fn related(ty: &Ty, plot: &str, representation: &str) -> Verdict {
    related_by(1, ty, plot, representation)
}

fn related_by(seed: u64, ty: &Ty, plot: &str, representation: &str) -> Verdict {
    let [plot, representation] =
        [plot, representation].map(|text| program::parse_program(text).unwrap_or_else(|| panic!("{text}")));
    DualRelation::default()
        .test_related(ty, &DualPlots::from_programs(&plot, &representation), &mut SplitMix64::new(seed))
        .verdict
}

/// At functions a slope at a border may be any number where t moves through it, and where it rests the slope is forced (W §3.3: for all h).
#[test]
fn slopes_are_forced_where_t_rests() {
    let ty = Ty::function(Ty::real(), Ty::real());
    let plot = r"\(t : Real) => \(x : Real) => x";
    let free = r"\(d : Real * Real) => \(x : Real * Real) => (fst x, if fst d == 0 then snd x + 7 * snd d else snd x)";
    let wrong = r"\(d : Real * Real) => \(x : Real * Real) => (fst x, if fst d == 0 then snd x + 7 else snd x)";
    assert!((0..20).all(|seed| related_by(seed, &ty, plot, free) == Verdict::Survived));
    // 0 is one of the points at which a curve rests, and not often
    assert!((0..400).any(|seed| related_by(seed, &ty, plot, wrong).is_refuted()));
    // without such curves it is not seen
    let without = DualRelation { without: Some(Clause::Curves), ..DualRelation::default() };
    let [p, r] = [plot, wrong].map(|text| program::parse_program(text).unwrap());
    let tried = |seed| without.test_related(&ty, &DualPlots::from_programs(&p, &r), &mut SplitMix64::new(seed)).verdict;
    assert!((0..100).all(|seed| !tried(seed).is_refuted()));
    // what is not linear in the speed
    let square = r"\(d : Real * Real) => (fst d, snd d * snd d)";
    assert!((0..20).any(|seed| related_by(seed, &Ty::real(), r"\(t : Real) => t", square).is_refuted()));
}

/// A function that is nowhere defined is not the same as none.
#[test]
fn functions_exist_at_the_same_points() {
    let ty = Ty::function(Ty::real(), Ty::real());
    let none = r"\(t : Real) => let u = (1 / 0 : Real) in \(x : Real) => x";
    let empty = r"\(d : Real * Real) => \(x : Real * Real) => ((1 / 0 : Real), (0 : Real))";
    assert!(related(&ty, none, empty).is_refuted());
    let none_dual = r"\(d : Real * Real) => let u = (1 / 0 : Real) in \(x : Real * Real) => x";
    assert!(!related(&ty, none, none_dual).is_refuted());
    let without = DualRelation { without: Some(Clause::Defined), ..DualRelation::default() };
    let [p, r] = [none, empty].map(|text| program::parse_program(text).unwrap());
    assert!(!without.test_related(&ty, &DualPlots::from_programs(&p, &r), &mut SplitMix64::new(1)).is_refuted());
}

/// Sums and lists: the constructor and the length are those of the plot at every point, and what is inside is related.
#[test]
fn relations_at_sums_and_lists() {
    let sum = smoothish_laws::law::generate::either_type(Ty::real(), Ty::real());
    let plot = r"\(t : Real) => if t > 0 then Left (t * t) else Right t";
    let dual = |c: &str, left: &str, right: &str| {
        format!(
            r"\(d : Real * Real) => if {c} then Left (fst d * fst d, {left} * snd d) else Right (fst d, {right} * snd d)"
        )
    };
    assert_eq!(related(&sum, plot, &dual("fst d > 0", "2 * fst d", "1")), Verdict::Survived);
    for wrong in
        [dual("fst d > 0", "fst d", "1"), dual("fst d > 0", "2 * fst d", "2"), dual("fst d >= 0", "2 * fst d", "1")]
    {
        assert!(related(&sum, plot, &wrong).is_refuted(), "{wrong}");
    }
    let list = Ty::list(Ty::real());
    let plot = r"\(t : Real) => if t > 1 then [t, t * t] else [t]";
    let dual = |c: &str, second: &str| {
        format!(r"\(d : Real * Real) => if {c} then [d, (fst d * fst d, {second} * snd d)] else [d]")
    };
    assert_eq!(related(&list, plot, &dual("fst d > 1", "2 * fst d")), Verdict::Survived);
    for wrong in [dual("fst d > 1", "fst d"), dual("fst d >= 1", "2 * fst d"), dual("fst d > 2", "2 * fst d")] {
        assert!(related(&list, plot, &wrong).is_refuted(), "{wrong}");
    }
}

/// A value that is wrong between two borders and right at the middle is found at random points; one that is wrong at a single point too.
#[test]
fn values_are_looked_at_inside_of_pieces() {
    let real = Ty::real();
    // 0 and ±4 are the ends and the middle
    let bump =
        r"\(d : Real * Real) => (fst d + fst d * (fst d - 4) * (fst d + 4), snd d * (1 + 3 * fst d * fst d - 16))";
    assert!(related(&real, r"\(t : Real) => t", bump).is_refuted());
    let point = r"\(d : Real * Real) => (if fst d == 1/7 then 5 else fst d, snd d)";
    assert!(related(&real, r"\(t : Real) => t", point).is_refuted());
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Arguments that are drawn are in the relation.
    #[test]
    fn drawn_pairs_are_related() {
        holds(related_pairs, 100, 80);
    }

    /// W20: t and 𝒟t are related at the type of t, for random programs.
    #[test]
    fn programs_and_their_dual_numbers_are_related() {
        holds(fundamental_lemma, 60, 48);
    }

    /// The same of 𝒟_(k,R), in one and two directions.
    #[test]
    fn coordinates_of_higher_order_are_derivatives_of_those_below() {
        holds(higher_orders, 80, 60);
    }

    /// What branches on slopes is refuted with every seed, at these orders too; so are two other wrong rules.
    #[test]
    fn wrong_macros_of_higher_order_are_refuted_with_every_seed() {
        for wrong in [Dual::ByTangent, Dual::Branches, Dual::HalfProduct] {
            let setting = DualSetup { hooks: wrong.as_hooks(), ..DualSetup::default() };
            for seed in crate::seeds() {
                let refuting = (0..100)
                    .find(|index| higher_orders(SplitMix64::for_sample(100 + seed, *index), &setting).is_refuted());
                println!("{}, seed {seed}: {refuting:?}", wrong.name());
                assert!(refuting.is_some(), "{}, seed {seed}", wrong.name());
            }
        }
    }

    /// Cases by hand: relu with any number at 0, and with none that is wrong on a side; Cantor's program, with its approximants.
    #[test]
    fn relations_of_known_plots() {
        let relu = r"\(t : Real) => if t > 0 then t else 0";
        let real = Ty::real();
        for c in ["-7", "0", "1/2", "1", "3"] {
            let free = format!(
                r"\(d : Real * Real) => if fst d > 0 then d else ((0 : Real), if fst d == 0 then ({c} : Real) * snd d else 0)"
            );
            assert_eq!(related(&real, relu, &free), Verdict::Survived, "{c}");
        }
        assert!(
            related(&real, relu, r"\(d : Real * Real) => if fst d > 0 then d else ((0 : Real), snd d)").is_refuted()
        );
        assert!(
            related(&real, relu, r"\(d : Real * Real) => if fst d >= 1/100 then d else ((0 : Real), (0 : Real))")
                .is_refuted()
        );
        let cantor =
            "let rec f (x : Real) : Real = if x <= 1/3 then f (3 * x) else if x >= 2/3 then f (3 * x - 2) else 0 in f";
        let dual = "let rec f (x : Real * Real) : Real * Real = if fst x <= 1/3 then f (3 * fst x, 3 * snd x) \
        else if fst x >= 2/3 then f (3 * fst x - 2, 3 * snd x) else ((0 : Real), (0 : Real)) in f";
        assert_eq!(related(&real, cantor, dual), Verdict::Survived);
        // one that ends on 1/3 as well, where the program does not
        let ends = dual.replace("fst x <= 1/3", "fst x < 1/3").replace("fst x >= 2/3", "fst x > 2/3");
        assert!(related(&real, cantor, &ends).is_refuted());
        // at functions: 𝒟 of composition with itself
        let twice = r"\(t : Real) => \(f : Real -> Real) => f (f t)";
        let function = Ty::function(Ty::function(Ty::real(), Ty::real()), Ty::real());
        let right = r"\(d : Real * Real) => \(f : Real * Real -> Real * Real) => f (f d)";
        assert_eq!(related(&function, twice, right), Verdict::Survived);
        let wrong = r"\(d : Real * Real) => \(f : Real * Real -> Real * Real) => f (fst (f d), snd d)";
        // a function that is constant tells nothing
        assert!((0..20).any(|seed| related_by(seed, &function, twice, wrong).is_refuted()));
    }

    /// A relation that lacks a clause does not determine the dual number.
    #[test]
    fn relations_without_a_clause_are_refuted() {
        for clause in
            [Clause::Domain, Clause::Values, Clause::Slopes, Clause::Curves, Clause::Components, Clause::Arguments]
        {
            let setting = DualSetup {
                relation: DualRelation { without: Some(clause), ..DualRelation::default() },
                ..DualSetup::default()
            };
            let needed =
                (0..SAMPLES).find(|index| determination(SplitMix64::for_sample(3, *index), &setting).is_refuted());
            println!("{clause:?}: {needed:?}");
            assert!(needed.is_some(), "{clause:?}");
        }
    }

    /// At every type a dual number that is moved is related to nothing, but where a slope is moved at a point.
    #[test]
    fn the_relation_determines_dual_numbers_off_borders() {
        holds(determination, 80, 60);
        holds(freedom, 60, 45);
    }

    /// Each wrong rule of 𝒟 is refuted by the lemma.
    #[test]
    fn wrong_macros_are_refuted() {
        let mut left: Vec<&Dual> = Dual::ALL.iter().collect();
        for index in 0..SAMPLES {
            let (text, ty, _) = lemma::draw_program(&mut SplitMix64::for_sample(5, index));
            let term = program::parse_program(&text).unwrap();
            let right = lemma::derive_program(DualSetup::default().hooks, &term, &ty).unwrap();
            left.retain(|wrong| {
                let setting = DualSetup { hooks: wrong.as_hooks(), ..DualSetup::default() };
                // of a program that is the right one nothing is to be refuted
                let is_right =
                    lemma::derive_program(setting.hooks, &term, &ty).is_ok_and(|dual| alpha_equal(&dual, &right));
                let is_refuted =
                    !is_right && fundamental_lemma(SplitMix64::for_sample(5, index), &setting).is_refuted();
                if is_refuted {
                    println!("{}: {index}", wrong.name());
                }
                !is_refuted
            });
            if left.is_empty() {
                return;
            }
        }
        panic!("not refuted: {left:?}");
    }
}
