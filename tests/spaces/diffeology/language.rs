//! The language in diffeological spaces: the space of a type, terms as smooth maps, first-order types as unions of Euclidean
//! spaces, and that no Euclidean space has all functions (H §4.1, §5.2, Prop. 2, Prop. 6, App. A).

use crate::diffeology::support::q;
use smoothish::diffeology::open::{OpenInterval, OpenSet};
use smoothish::diffeology::piecewise::{PieceRegion, PiecewisePlot};
use smoothish::diffeology::smoothness::default_smoothness_test;
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::glue::lemma::random_type;
use smoothish::law::diffeology::language;
use smoothish::law::diffeology::language::TupleCondition;
use smoothish::law::property::{TestConfig, TestOutcome};
use smoothish::law::{diffeology, generate};
use smoothish::meaning::diffeology::{
    Dimensions, MAX_WEIGHT, TypeSpace, element_coordinates, evaluation_matrix, matrix_rank, smooth_map, space,
    with_coordinates,
};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::presheaf::dynamic::Element;
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::Graph;
use smoothish::smooth::map::MapTestConfig;
use smoothish::syntax::library::Library;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::verdict::Verdict;
use std::sync::{Arc, LazyLock};

static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(generate::data_library().clone()));

fn nat() -> Ty {
    Ty::new(TyKind::Nat)
}

fn pair(a: Ty, b: Ty) -> Ty {
    Ty::new(TyKind::Tuple(vec![a, b]))
}

fn map() -> Ty {
    Ty::function(Ty::real(), Ty::real())
}

#[test]
fn the_space_of_every_type_is_one() {
    for ty in [
        Ty::real(),
        pair(Ty::real(), nat()),
        Ty::new(TyKind::Unit),
        Ty::list(Ty::real()),
        generate::maybe_type(pair(Ty::real(), Ty::new(TyKind::Bool))),
        map(),
        Ty::function(map(), Ty::real()),
        Ty::function(Ty::list(Ty::real()), generate::either_type(Ty::real(), map())),
    ] {
        let axioms =
            diffeology::check_space(&TypeSpace::new(ty.clone()).unwrap(), &diffeology::default_samples()).unwrap();
        assert_eq!(axioms.verdict(), Verdict::Survived, "{ty}\n{axioms}");
    }
}

#[test]
fn types_without_a_space_are_refused() {
    for ty in [
        Ty::new(TyKind::Tangent(Ty::real())),
        Ty::list(Ty::new(TyKind::Iso(Ty::real(), Ty::real()))),
        Ty::function(Ty::real(), Ty::new(TyKind::Variable(0, "A".into()))),
    ] {
        assert!(matches!(TypeSpace::new(ty), Err(DiffeologyError::Shape { .. })));
    }
    let (term, ty) = LIBRARY.infer_expression("1 + 1.5").unwrap();
    let map = smooth_map(&term, &ty, &Arc::new(Budget::unlimited()));
    assert!(matches!(map, Err(DiffeologyError::Shape { .. })));
}

// H28, for the language
#[test]
fn discrete_values_are_locally_constant() {
    let space = TypeSpace::new(nat()).unwrap();
    let whole = OpenSet::whole_space(1);
    let negative = OpenSet::from_box(vec![OpenInterval::ray_below(0)]);
    let number = |n| PiecewisePlot::single_piece(&whole, Element::Natural(n));
    let step =
        vec![(PieceRegion::of_open_set(&negative), number(0)), (PieceRegion::complement_of(&negative), number(1))];
    assert!(space.test_plot(&space.glue_pieces(&whole, step), &default_smoothness_test()).unwrap().is_refuted());
    assert_eq!(space.test_plot(&number(3), &default_smoothness_test()).unwrap(), Verdict::Survived);
    let wrong = PiecewisePlot::single_piece(&whole, Element::Real(Graph::integer(1)));
    assert!(matches!(space.test_plot(&wrong, &default_smoothness_test()), Err(DiffeologyError::Shape { .. })));
}

#[test]
fn programs_are_smooth_maps_unless_they_have_a_kink() {
    let of = |text: &str| {
        language::check_program(
            &LIBRARY.infer_expression(text).unwrap().0,
            &MapTestConfig { sample_points: 12, ..default_smoothness_test() },
        )
    };
    for program in [
        r"\(x : Real) => sin (x * x) + exp x",
        r"\(f : Real -> Real) => \(x : Real) => f (f x) * x",
        r"\(f : Real -> Real) => integral01 (\x => f x * x)",
        r"\(f : Real -> Real) => deriv f",
        r"\(p : Real * Real) => p[0] * sin p[1]",
        r"\(xs : List Real) => fold (\x s => x * x + s) 0 xs",
        r"\(m : Maybe Real) => match m with Nothing => 1 | Just x => x * x",
        r"\(n : Nat) => if n > 2 then 1.5 else 2.5",
    ] {
        assert_eq!(of(program), Verdict::Survived, "{program}");
    }
    for program in [
        r"\(x : Real) => abs x",
        r"\(x : Real) => x * abs x",
        r"\(x : Real) => max x 1",
        r"\(p : Real * Real) => min p[0] p[1]",
        r"\(f : Real -> Real) => \(x : Real) => abs (f x)",
        r"\(xs : List Real) => fold (\x s => abs x + s) 0 xs",
    ] {
        assert!(of(program).is_refuted(), "{program}: {}", of(program));
    }
}

const TRIALS: TestConfig = TestConfig { samples: 12, max_samples: 120, size: 8, seed: 16 };

fn small() -> MapTestConfig {
    MapTestConfig { sample_points: 3, ..default_smoothness_test() }
}

// H16 at first order, H18 at higher order: random terms without kinks
#[test]
fn definable_functions_are_smooth() {
    for (from, to) in [
        (Ty::real(), Ty::real()),
        (pair(Ty::real(), Ty::real()), Ty::real()),
        (map(), map()),
        (Ty::list(Ty::real()), Ty::real()),
    ] {
        let law = language::definable_is_smooth(from.clone(), to.clone(), small());
        assert_eq!(law.run_tests(TRIALS), TestOutcome::Survived, "{from} -> {to}");
    }
    assert_eq!(language::composition_is_smooth(small()).run_tests(TRIALS), TestOutcome::Survived);
}

/// H16, H18, H21: at types that are drawn, of functions as often as not.
#[test]
fn definable_functions_are_smooth_and_natural_at_drawn_types() {
    let trials = TestConfig { samples: 3, max_samples: 12, size: 7, seed: 18 };
    let mut random = SplitMix64::new(18);
    let mut survived = [0; 2];
    for _ in 0..TYPES {
        let (from, to) = (random_type(&mut random, 2), random_type(&mut random, 2));
        let laws = [language::definable_is_smooth, language::denotation_is_natural]
            .map(|law| law(from.clone(), to.clone(), small()));
        for (law, survived) in laws.into_iter().zip(&mut survived) {
            let conclusion = law.run_tests(trials);
            assert!(!matches!(conclusion, TestOutcome::Refuted(_)), "{from} -> {to}: {conclusion:?}");
            *survived += usize::from(conclusion == TestOutcome::Survived);
        }
    }
    println!("{survived:?} of {TYPES}");
    assert!(survived.iter().all(|survived| survived * 2 >= TYPES), "{survived:?} of {TYPES}");
}

/// H18: the predicate Q of the proof, at types that are drawn; programs with kinks are not in it.
#[test]
fn definable_functions_are_in_the_predicate_of_the_proof() {
    let trials = TestConfig { samples: 4, max_samples: 16, size: 7, seed: 19 };
    let mut random = SplitMix64::new(19);
    let mut survived = 0;
    for _ in 0..TYPES {
        let ty = Ty::function(random_type(&mut random, 2), random_type(&mut random, 2));
        let conclusion = language::definable_in_q(ty.clone(), small()).run_tests(trials);
        assert!(!matches!(conclusion, TestOutcome::Refuted(_)), "{ty}: {conclusion:?}");
        survived += usize::from(conclusion == TestOutcome::Survived);
    }
    assert!(survived * 2 >= TYPES, "{survived} of {TYPES}");
    let in_q = |text: &str, seed| {
        let (term, ty) = LIBRARY.infer_expression(text).unwrap();
        language::check_predicate_of_program(
            &term,
            &ty,
            TupleCondition::Functions,
            &mut SplitMix64::new(seed),
            &small(),
        )
    };
    for program in [
        r"\(x : Real) => abs x",
        r"\(f : Real -> Real) => \(x : Real) => abs (f x)",
        r"\(p : Real * Real) => (p[0], max p[0] p[1])",
        r"\(xs : List Real) => fold (\x s => x * abs x + s) 0 xs",
    ] {
        assert!((0..40).any(|seed| in_q(program, seed).is_refuted()), "{program}");
    }
    // comp, at functions of functions
    let comp = r"\(f : Real -> Real) => \(g : Real -> Real) => \(x : Real) => f (g x)";
    assert!((0..10).all(|seed| in_q(comp, seed) == Verdict::Survived));
}

/// E32: as printed, r ↦ (|r|, 0) is in Q of pairs, since each of its values is; its first component is not in Q of ℝ.
#[test]
fn the_predicate_of_pairs_is_one_of_functions() {
    let r = smoothish::smooth::map::coordinate_graphs(1)[0].clone();
    let kink = Element::Real(Graph::unary(smoothish::smooth::graph::Unary::Abs, &r));
    let both = Element::tuple_of([kink.clone(), Element::Real(Graph::integer(0))]);
    let tried = |ty: &Ty, f: &Element, components| {
        language::check_predicate(ty, f, 1, components, &mut SplitMix64::new(1), &small()).unwrap()
    };
    let plane = pair(Ty::real(), Ty::real());
    assert_eq!(tried(&plane, &both, TupleCondition::Values), Verdict::Survived);
    assert!(tried(&plane, &both, TupleCondition::Functions).is_refuted());
    assert!(tried(&Ty::real(), &kink, TupleCondition::Values).is_refuted());
}

/// How many pairs of types are drawn.
const TYPES: usize = 12;

// H21
#[test]
fn terms_are_natural_and_substitution_is_composition() {
    let law = language::denotation_is_natural(map(), map(), small());
    assert_eq!(law.run_tests(TRIALS), TestOutcome::Survived);
    let law = language::denotation_is_natural(Ty::real(), Ty::list(Ty::real()), small());
    assert_eq!(law.run_tests(TRIALS), TestOutcome::Survived);
    let law = language::substitution_is_composition([Ty::real(), map(), Ty::real()], small());
    assert_eq!(law.run_tests(TRIALS), TestOutcome::Survived);
}

/// The laws have teeth: an action on plots that is not natural, and one that is no function of points.
#[test]
fn what_is_not_natural_is_refuted() {
    let space = TypeSpace::new(Ty::real()).unwrap();
    // the derivative along the first coordinate of the stage
    let slope = smoothish::diffeology::map::SmoothMap::new(&space, &space, |p| {
        p.try_map_pieces(|element| {
            let n = p.domain().dimension();
            let own = smoothish::smooth::map::coordinate_graphs(n);
            let unit = (0..n).map(|i| Graph::integer(i64::from(i == 0))).collect();
            let variables = smoothish::smooth::map::coordinate_variables(n);
            Ok(Element::Real(Graph::derivative(variables, element.as_real()?.clone(), own, unit)))
        })
    });
    assert!(language::check_naturality(&slope, &default_smoothness_test()).unwrap().is_refuted());
    assert!(slope.test_smoothness(&default_smoothness_test()).unwrap().is_refuted());
}

fn counts(ty: &Ty, weight: usize) -> Vec<(usize, u128)> {
    Dimensions::of_type(ty).of_weight(weight).unwrap().into_iter().collect()
}

// H34. By hand: List Real = ⊎ ℝⁿ; a list of k pairs of which each is Nothing or a number has C(k, d) summands ℝ^d.
#[test]
fn first_order_types_are_unions_of_euclidean_spaces() {
    let (real, list) = (Ty::real(), |ty| Ty::list(ty));
    assert_eq!(counts(&real, 0), [(1, 1)]);
    assert_eq!(counts(&real, 1), []);
    assert_eq!(counts(&pair(real.clone(), pair(real.clone(), real.clone())), 0), [(3, 1)]);
    assert_eq!(counts(&Ty::new(TyKind::Bool), 0), [(0, 2)]);
    assert_eq!(counts(&nat(), 7), [(0, 1)]);
    // (m, n) with m + n = 3
    assert_eq!(counts(&pair(nat(), nat()), 3), [(0, 4)]);
    assert_eq!(counts(&generate::maybe_type(real.clone()), 1), [(0, 1), (1, 1)]);
    for n in 0..20 {
        assert_eq!(counts(&list(real.clone()), n + 1), [(n, 1)]);
    }
    // k cells, each with one constructor more for its Maybe, and the empty list
    for k in 0..12u32 {
        let row = counts(&list(generate::maybe_type(real.clone())), 2 * k as usize + 1);
        let binomial = |d: u32| (0..d).fold(1u128, |b, i| b * u128::from(k - i) / u128::from(i + 1));
        assert_eq!(row, (0..=k).map(|d| (d as usize, binomial(d))).collect::<Vec<_>>());
    }
    // lists of lists: ways to write d numbers into lists, of any number; weight w has 2^{(w-2)/…} of them, counted by hand
    let nested = list(list(real.clone()));
    assert_eq!(counts(&nested, 1), [(0, 1)]);
    assert_eq!(counts(&nested, 3), [(0, 1)]);
    assert_eq!(counts(&nested, 4), [(1, 1)]);
    assert_eq!(counts(&nested, 5), [(0, 1), (2, 1)]);
    assert_eq!(Dimensions::of_type(&list(real.clone())).up_to(3).unwrap(), [(0, 1), (1, 1), (2, 1)].into());
    let error = Dimensions::of_type(&list(map())).of_weight(2).unwrap_err();
    assert_eq!(error.to_string(), "expected a first-order type, found Real -> Real");
    assert!(Dimensions::of_type(&real).of_weight(MAX_WEIGHT + 1).is_err());
    let many = (0..200).fold(Ty::new(TyKind::Bool), |ty, _| pair(ty.clone(), ty));
    assert!(Dimensions::of_type(&many).of_weight(0).is_err());
}

#[test]
fn an_element_is_its_summand_and_its_coordinates() {
    let ty = Ty::list(generate::maybe_type(pair(Ty::real(), Ty::real())));
    let space = TypeSpace::new(ty.clone()).unwrap();
    for index in 0..20 {
        let mut random = SplitMix64::for_sample(34, index);
        let element = space::draw_element(&ty, 0, &mut random);
        let found = element_coordinates(&element).unwrap();
        let other: Vec<Graph> = (0..found.len()).map(|k| Graph::integer(k as i64)).collect();
        let moved = with_coordinates(&element, &other).unwrap();
        let again: Vec<Rational> =
            element_coordinates(&moved).unwrap().iter().map(|g| g.as_rational().unwrap().clone()).collect();
        assert_eq!(again, (0..found.len()).map(|k| Rational::from(k as i64)).collect::<Vec<_>>());
        let back = with_coordinates(&moved, &found).unwrap();
        assert_eq!(space.compare_points(&back, &element, &default_smoothness_test()).unwrap(), Verdict::Survived);
        assert!(with_coordinates(&element, &vec![Graph::integer(0); found.len() + 1]).is_err());
    }
    assert!(element_coordinates(&Element::from_closure(|x| Ok(x.clone()))).is_err());
}

// H17, E39: tₙ has n + 1 coefficients, and n + 1 points tell them apart; n points do not.
#[test]
fn polynomials_of_degree_n_need_a_space_of_dimension_n_plus_one() {
    for n in 0..8 {
        let points: Vec<Rational> = (0..=n as i64).map(|k| q(2 * k - 3, 2)).collect();
        let matrix = evaluation_matrix(n, &points).unwrap();
        // Vandermonde's, by powers
        for (row, x) in matrix.iter().zip(&points) {
            let powers = (0..=n).scan(Rational::from(1), |power, _| {
                let here = power.clone();
                *power *= x;
                Some(here)
            });
            assert_eq!(*row, powers.collect::<Vec<_>>());
        }
        assert_eq!(matrix_rank(matrix), n + 1);
        assert_eq!(matrix_rank(evaluation_matrix(n, &points[..n]).unwrap()), n);
        let same = vec![q(1, 2); n + 1];
        assert_eq!(matrix_rank(evaluation_matrix(n, &same).unwrap()), 1);
    }
    assert!(evaluation_matrix(1000, &[]).is_err());
}
