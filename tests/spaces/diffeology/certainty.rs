//! A refutation is certain, and what survives was shown at the points that were tried.

use crate::diffeology::own_space::at_least_zero;
use crate::diffeology::support::{abs, add, mul, q, sign, x, xy};
use smoothish::diffeology::manifold::{Atlas, AtlasError, ChartPoint, MAX_TRANSITION_PATHS, Manifold, Transition};
use smoothish::diffeology::open::{OpenInterval, OpenSet};
use smoothish::diffeology::piecewise::PieceRegion;
use smoothish::diffeology::product::{CartesianDiffeology, ProductDiffeology};
use smoothish::diffeology::quotient::{irrational_torus, root_two};
use smoothish::diffeology::smoothness::{Smoothness, default_smoothness_test, test_smoothness_at};
use smoothish::diffeology::space::MAX_GLUED_PLOTS;
use smoothish::diffeology::wire::WirePlane;
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology::language::check_program;
use smoothish::number::{Function, Rational};
use smoothish::smooth::graph::{Binary, Graph, Unary};
use smoothish::syntax::library::Library;
use smoothish::verdict::Verdict;

/// The function (x, x) on the plane, written in another way on the line y = 0, where y and |y| are 0.
#[test]
fn a_piece_on_a_closed_region_refutes_no_plot() {
    let (x, y) = xy();
    let plane = OpenSet::whole_space(2);
    let sides = vec![
        vec![OpenInterval::real_line(), OpenInterval::ray_below(0)],
        vec![OpenInterval::real_line(), OpenInterval::ray_above(0)],
    ];
    let off = OpenSet::new(2, sides).unwrap();
    for zero in [y.clone(), Graph::unary(Unary::Abs, &y)] {
        let on = [x.clone(), add(&x, &zero)];
        let everywhere = [x.clone(), x.clone()];
        let wire = |map: &[Graph]| WirePlane::plot_from_factors(&plane, &[x.clone(), y.clone()], map).unwrap();
        let plot = WirePlane.glue_pieces(
            &plane,
            vec![(PieceRegion::of_open_set(&off), wire(&everywhere)), (PieceRegion::complement_of(&off), wire(&on))],
        );
        assert_eq!(WirePlane.test_plot(&plot, &default_smoothness_test()).unwrap(), Verdict::Vacuous);
        let space = CartesianDiffeology::whole_space(2);
        let graphs = |g: &[Graph]| space.plot_from_graphs(&plane, g).unwrap();
        let plot = space.glue_pieces(
            &plane,
            vec![
                (PieceRegion::of_open_set(&off), graphs(&everywhere)),
                (PieceRegion::complement_of(&off), graphs(&on)),
            ],
        );
        assert_eq!(space.test_plot(&plot, &default_smoothness_test()).unwrap(), Verdict::Vacuous);
    }
    // on an open piece the same graphs are refuted
    let plot = WirePlane::plot_from_factors(&plane, &[x.clone(), y.clone()], &[x.clone(), add(&x, &y)]).unwrap();
    assert!(WirePlane.test_plot(&plot, &default_smoothness_test()).unwrap().is_refuted());
}

fn identity(from: usize, to: usize, on: &OpenSet) -> Transition {
    Transition { from, to, domain: on.clone(), graphs: vec![x()] }
}

/// Three lines, with 0 ↔ 1 and 1 ↔ 2 everywhere, and 0 ↔ 2 on an open set.
fn three_lines(ends: Option<&OpenSet>) -> Result<Atlas, AtlasError> {
    let line = OpenSet::whole_space(1);
    let mut transitions: Vec<_> = [(0, 1), (1, 0), (1, 2), (2, 1)].map(|(i, j)| identity(i, j, &line)).into();
    if let Some(ends) = ends {
        transitions.extend([identity(0, 2, ends), identity(2, 0, ends)]);
    }
    Atlas::new(vec![line; 3], transitions, &default_smoothness_test())
}

#[test]
fn two_steps_need_a_direct_one() {
    assert!(matches!(three_lines(None), Err(AtlasError::MissingTransition { charts: [0, 1, 2], .. })));
    let small = OpenSet::from_box(vec![OpenInterval::from_endpoints(0, 2)]);
    assert!(matches!(three_lines(Some(&small)), Err(AtlasError::MissingTransition { charts: [0, 1, 2], .. })));
    assert!(three_lines(Some(&OpenSet::whole_space(1))).is_ok());
}

/// 0 ↔ 2 is missing on [77.7, 77.8], where no point was tried; 77.75 is one point, by way of chart 1.
#[test]
fn points_are_not_told_apart_where_a_path_is_not_excluded() {
    let most = vec![vec![OpenInterval::ray_below((777, 10))], vec![OpenInterval::ray_above((778, 10))]];
    let manifold = Manifold::new(three_lines(Some(&OpenSet::new(1, most).unwrap())).unwrap());
    let at = |chart, y: Rational| ChartPoint { chart, coordinates: vec![Graph::rational(y)] };
    let same =
        |i, j| manifold.compare_points(&at(i, q(311, 4)), &at(j, q(311, 4)), &default_smoothness_test()).unwrap();
    assert_eq!([same(0, 1), same(1, 2)], [Verdict::Survived, Verdict::Survived]);
    assert_eq!([same(0, 2), same(2, 0)], [Verdict::Vacuous, Verdict::Vacuous]);
    // another point of chart 2 is told apart, in that chart
    assert!(
        manifold.compare_points(&at(0, q(311, 4)), &at(2, q(5, 1)), &default_smoothness_test()).unwrap().is_refuted()
    );
}

fn two_lines(there: &Graph, back: &Graph) -> Result<Atlas, AtlasError> {
    let line = OpenSet::whole_space(1);
    let transition = |from, to, g: &Graph| Transition { from, to, domain: line.clone(), graphs: vec![g.clone()] };
    Atlas::new(vec![line.clone(); 2], vec![transition(0, 1, there), transition(1, 0, back)], &default_smoothness_test())
}

#[test]
fn an_atlas_of_which_nothing_is_shown_is_refused() {
    let (x, square) = (x(), mul(&x(), &x()));
    let log = |g: &Graph| Graph::function(Function::Log, g);
    let nowhere = log(&Graph::binary(Binary::Subtract, &Graph::integer(-1), &square));
    assert!(matches!(two_lines(&nowhere, &nowhere), Err(AtlasError::Undefined { from: 0, to: 1, .. })));
    let exp = Graph::function(Function::Exp, &x);
    assert!(matches!(two_lines(&log(&x), &exp), Err(AtlasError::Undefined { from: 0, to: 1, .. })));
    // the sign of sin² + cos² − 1, which is 0, is not decided anywhere
    let function = |f| Graph::function(f, &x);
    let (sine, cosine) = (function(Function::Sin), function(Function::Cos));
    let one = add(&mul(&sine, &sine), &mul(&cosine, &cosine));
    let unknown = add(&x, &sign(&Graph::binary(Binary::Subtract, &one, &Graph::integer(1))));
    assert!(matches!(two_lines(&unknown, &unknown), Err(AtlasError::NothingShown { from: 0, to: 1 })));
}

/// 17 charts with all transitions: 17·16² paths of two.
#[test]
fn atlases_and_families_have_a_limit() {
    let line = OpenSet::whole_space(1);
    let all =
        |n: usize| -> Vec<_> { (0..n).flat_map(|i| (0..n).filter(move |j| *j != i).map(move |j| (i, j))).collect() };
    let transitions = all(17).into_iter().map(|(i, j)| identity(i, j, &line)).collect();
    match Atlas::new(vec![line.clone(); 17], transitions, &default_smoothness_test()) {
        Err(AtlasError::TooManyPaths { found: 4352, most: MAX_TRANSITION_PATHS }) => {}
        other => panic!("{other:?}"),
    }
    let space = CartesianDiffeology::whole_space(1);
    let family = vec![space.plot_from_graphs(&line, &[x()]).unwrap(); MAX_GLUED_PLOTS + 1];
    match space.glue(&line, &family, &default_smoothness_test()) {
        Err(DiffeologyError::TooManyParts { found: 129, most: MAX_GLUED_PLOTS }) => {}
        other => panic!("{other:?}"),
    }
}

/// signum(x²) is 1 from both sides of 0, and the set [−1, 1] at 0.
#[test]
fn a_set_for_a_value_shows_nothing() {
    let jump = sign(&mul(&x(), &x()));
    let at = |p: i64| {
        test_smoothness_at(std::slice::from_ref(&jump), &[q(p, 1)], &[q(1, 1)], &default_smoothness_test()).unwrap()
    };
    assert!(matches!(at(0), Smoothness::NotShown { order: 0, .. }));
    assert_eq!(at(1), Smoothness::Shown);
    let line = CartesianDiffeology::whole_space(1);
    let plot = line.plot_from_graphs(&OpenSet::whole_space(1), &[jump]).unwrap();
    assert_eq!(line.test_plot(&plot, &default_smoothness_test()).unwrap(), Verdict::Vacuous);
}

/// 1/3 and 3/10 are no dyadic numbers, and what is 0 there has a wide enclosure.
#[test]
fn a_kink_at_a_fraction_is_refuted() {
    let minus = |g: &Graph, c: Rational| Graph::binary(Binary::Subtract, g, &Graph::rational(c));
    let refuted = |g: Graph, at: Rational| {
        let found =
            test_smoothness_at(&[abs(&g)], std::slice::from_ref(&at), &[q(1, 1)], &default_smoothness_test()).unwrap();
        assert!(matches!(found, Smoothness::Refuted { .. }), "{at}: {found:?}");
    };
    refuted(minus(&x(), q(1, 3)), q(1, 3));
    refuted(minus(&x(), q(3, 10)), q(3, 10));
    refuted(minus(&mul(&x(), &x()), q(9, 100)), q(3, 10));
    let library = Library::default();
    let tried = |program| check_program(&library.infer_expression(program).unwrap().0, &default_smoothness_test());
    assert!(tried(r"\(x : Real) => abs (x - 1/3)").is_refuted());
    assert!(tried(r"\(x : Real) => abs (x - 3/10)").is_refuted());
    // this kink, at the arcsine of 1/3, is not hit
    assert_eq!(tried(r"\(x : Real) => max (sin x) (1/3)"), Verdict::Survived);
}

/// 2⁶⁰·√2, written with 61 nodes.
#[test]
fn a_shared_graph_is_computed_once() {
    let large = (0..60).fold(root_two(), |g, _| add(&g, &g));
    let torus = irrational_torus();
    assert_eq!(
        torus.compare_points(&vec![large.clone()], &vec![Graph::integer(0)], &default_smoothness_test()).unwrap(),
        Verdict::Survived
    );
    let half = mul(&Graph::rational(q(1, 2)), &root_two());
    assert!(torus.compare_points(&vec![large], &vec![half], &default_smoothness_test()).unwrap().is_refuted());
}

/// (0, 2), and (0, 1) ∪ (1/2, 2).
#[test]
fn a_domain_is_a_set_and_not_a_list_of_boxes() {
    let one = OpenSet::from_box(vec![OpenInterval::from_endpoints(0, 2)]);
    let two =
        OpenSet::new(1, vec![vec![OpenInterval::from_endpoints(0, 1)], vec![OpenInterval::from_endpoints((1, 2), 2)]])
            .unwrap();
    let line = CartesianDiffeology::whole_space(1);
    let pair = ProductDiffeology(line.clone(), line.clone());
    let on = |domain: &OpenSet| line.plot_from_graphs(domain, &[x()]).unwrap();
    assert_eq!(pair.test_plot(&(on(&one), on(&two)), &default_smoothness_test()).unwrap(), Verdict::Survived);
    let less = OpenSet::from_box(vec![OpenInterval::from_endpoints(0, 1)]);
    assert!(matches!(
        pair.test_plot(&(on(&one), on(&less)), &default_smoothness_test()),
        Err(DiffeologyError::Shape { .. })
    ));
}

#[test]
fn a_number_that_is_not_known_is_not_shown_to_be_positive() {
    let judge = |g: &Graph| at_least_zero(g, &default_smoothness_test()).unwrap();
    let root = |n: i64| Graph::function(Function::Sqrt, &Graph::integer(n));
    assert_eq!(judge(&root(-1)), Verdict::Vacuous);
    assert_eq!(judge(&root(2)), Verdict::Survived);
    assert_eq!(judge(&Graph::integer(0)), Verdict::Survived);
    assert!(judge(&Graph::unary(Unary::Negate, &root(2))).is_refuted());
}
