//! The axioms on every construction, and what makes each of them different from the others.

use crate::diffeology::support::{abs, add, mul, x, xy};
use smoothish::diffeology::ball::OpenBall;
use smoothish::diffeology::map::{FunctionPlot, FunctionSpace};
use smoothish::diffeology::open::{OpenInterval, OpenSet};
use smoothish::diffeology::piecewise::{PieceRegion, PiecewisePlot};
use smoothish::diffeology::product::{CartesianDiffeology, ListDiffeology, ProductDiffeology, SumDiffeology};
use smoothish::diffeology::quotient::{circle, irrational_torus, root_two};
use smoothish::diffeology::smoothness::default_smoothness_test;
use smoothish::diffeology::subspace::ZeroSet;
use smoothish::diffeology::wire::WirePlane;
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology;
use smoothish::number::Rational;
use smoothish::presheaf::SumElement;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::verdict::Verdict;

#[track_caller]
fn axioms_hold<X: Diffeology>(space: &X) {
    let axioms = diffeology::check_space(space, &diffeology::default_samples()).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{axioms}");
}

fn line() -> CartesianDiffeology {
    CartesianDiffeology::whole_space(1)
}

fn on_line(graph: &Graph) -> smoothish::diffeology::product::CartesianPlot {
    line().plot_from_graphs(&OpenSet::whole_space(1), std::slice::from_ref(graph)).unwrap()
}

fn below_zero() -> OpenSet {
    OpenSet::from_box(vec![OpenInterval::ray_below(0)])
}

#[test]
fn products_are_spaces() {
    axioms_hold(&ProductDiffeology(line(), CartesianDiffeology::whole_space(2)));
    axioms_hold(&ProductDiffeology(SumDiffeology(line(), line()), ListDiffeology(line())));
    let pair = ProductDiffeology(line(), line());
    assert!(pair.test_plot(&(on_line(&x()), on_line(&abs(&x()))), &default_smoothness_test()).unwrap().is_refuted());
    let other = line().constant_plot(&below_zero(), &vec![Graph::integer(0)]);
    assert!(matches!(
        pair.test_plot(&(on_line(&x()), other), &default_smoothness_test()),
        Err(DiffeologyError::Shape { .. })
    ));
}

/// Discs, half discs and cylinders are spaces. A plot that reaches the rim is none: it would be one of the closed disc.
#[test]
fn discs_are_spaces() {
    let disc = OpenSet::from_ball(OpenBall::new(vec![0.into(), 0.into()], 1));
    let half = disc.intersection(&OpenSet::from_box(vec![OpenInterval::ray_above(0), OpenInterval::real_line()]));
    let cylinder = disc.product(&OpenSet::whole_space(1)).unwrap();
    for open in [disc.clone(), half.unwrap(), cylinder] {
        axioms_hold(&CartesianDiffeology::new(open));
    }
    let space = CartesianDiffeology::new(disc);
    let rim = [Graph::rational((3, 5).into()), Graph::rational((4, 5).into())];
    let plot = space.plot_from_graphs(&OpenSet::whole_space(1), &rim).unwrap();
    assert!(space.test_plot(&plot, &default_smoothness_test()).unwrap().is_refuted());
}

#[test]
fn function_spaces_are_spaces() {
    axioms_hold(&FunctionSpace(line(), line()));
    axioms_hold(&FunctionSpace(ProductDiffeology(line(), line()), SumDiffeology(line(), line())));
    axioms_hold(&FunctionSpace(FunctionSpace(line(), line()), line()));
}

#[test]
fn a_family_of_functions_is_a_plot_when_it_is_smooth_in_both() {
    let maps = FunctionSpace(line(), line());
    let family = |g: Graph| {
        let line = line();
        FunctionPlot::<CartesianDiffeology, CartesianDiffeology>::new(&OpenSet::whole_space(1), move |along, p| {
            let both: Vec<Graph> = along.graphs().iter().chain(p.pieces()[0].value.iter()).cloned().collect();
            line.plot_from_graphs(
                along.domain(),
                &smoothish::diffeology::open::compose_graphs(std::slice::from_ref(&g), &both),
            )
        })
    };
    let (u, t) = xy();
    assert_eq!(maps.test_plot(&family(mul(&u, &t)), &default_smoothness_test()).unwrap(), Verdict::Survived);
    // smooth in the argument for each u, and not in u
    assert!(maps.test_plot(&family(mul(&abs(&u), &t)), &default_smoothness_test()).unwrap().is_refuted());
    // and the other way round
    assert!(maps.test_plot(&family(mul(&u, &abs(&t))), &default_smoothness_test()).unwrap().is_refuted());
}

#[test]
fn sums_and_lists_are_spaces() {
    axioms_hold(&SumDiffeology(line(), CartesianDiffeology::whole_space(2)));
    axioms_hold(&ListDiffeology(line()));
    axioms_hold(&ListDiffeology(SumDiffeology(CartesianDiffeology::whole_space(0), line())));
}

// H28: a plot from a connected domain has one label.
#[test]
fn the_label_of_a_plot_is_locally_constant() {
    let sum = SumDiffeology(line(), line());
    let (left, right) = (SumElement::Left(on_line(&x())), SumElement::Right(on_line(&x())));
    let by_cases = |domain: &OpenSet, cut: &OpenSet| {
        let left = (PieceRegion::of_open_set(cut), PiecewisePlot::single_piece(domain, left.clone()));
        let right = (PieceRegion::complement_of(cut), PiecewisePlot::single_piece(domain, right.clone()));
        sum.glue_pieces(domain, vec![left, right])
    };
    // Left below 0, Right from 0 on
    match sum.test_plot(&by_cases(&OpenSet::whole_space(1), &below_zero()), &default_smoothness_test()).unwrap() {
        Verdict::Refuted { witness, left, right } => {
            assert!(witness.ends_with("in one connected part"), "{witness}");
            assert_ne!(left, right);
        }
        other => panic!("{other}"),
    }
    // on a domain in two parts, each with its label, it is a plot
    let apart = below_zero().union(&OpenSet::from_box(vec![OpenInterval::ray_above(1)])).unwrap();
    assert_eq!(sum.test_plot(&by_cases(&apart, &below_zero()), &default_smoothness_test()).unwrap(), Verdict::Survived);
    // lists whose length varies
    let lists = ListDiffeology(line());
    let list = |n: usize| PiecewisePlot::single_piece(&OpenSet::whole_space(1), vec![on_line(&x()); n]);
    let varying =
        vec![(PieceRegion::of_open_set(&below_zero()), list(1)), (PieceRegion::complement_of(&below_zero()), list(2))];
    assert!(
        lists
            .test_plot(&lists.glue_pieces(&OpenSet::whole_space(1), varying), &default_smoothness_test())
            .unwrap()
            .is_refuted()
    );
    assert_eq!(lists.test_plot(&list(2), &default_smoothness_test()).unwrap(), Verdict::Survived);
    // a kink in the second element
    let kink = PiecewisePlot::single_piece(&OpenSet::whole_space(1), vec![on_line(&x()), on_line(&abs(&x()))]);
    assert!(lists.test_plot(&kink, &default_smoothness_test()).unwrap().is_refuted());
}

#[test]
fn families_of_different_labels_do_not_glue() {
    let sum = SumDiffeology(line(), line());
    let part = |side: OpenInterval, p| PiecewisePlot::single_piece(&OpenSet::from_box(vec![side]), p);
    let family = [
        part(OpenInterval::ray_below(1), SumElement::Left(on_line(&x()))),
        part(OpenInterval::ray_above(0), SumElement::Right(on_line(&x()))),
    ];
    match sum.glue(&OpenSet::whole_space(1), &family, &default_smoothness_test()) {
        Err(DiffeologyError::Incompatible { left, right, .. }) => assert_eq!([&*left, &*right], ["Left", "Right"]),
        other => panic!("{other:?}"),
    }
}

fn cross() -> smoothish::diffeology::subspace::Subspace<CartesianDiffeology, ZeroSet> {
    let ((a, b), t, zero) = (xy(), x(), Graph::integer(0));
    let axes = vec![vec![t.clone(), zero.clone()], vec![zero, t]];
    ZeroSet::subspace_of_zeros(2, vec![mul(&a, &b)], axes, &default_smoothness_test()).unwrap()
}

#[test]
fn subspaces_are_spaces() {
    let cross = cross();
    axioms_hold(&cross);
    let plane = CartesianDiffeology::whole_space(2);
    let judge = |graphs: &[Graph]| {
        cross
            .test_plot(&plane.plot_from_graphs(&OpenSet::whole_space(1), graphs).unwrap(), &default_smoothness_test())
            .unwrap()
    };
    let (t, zero) = (x(), Graph::integer(0));
    assert_eq!(judge(&[t.clone(), zero.clone()]), Verdict::Survived);
    // it leaves the cross; it stays, and turns the corner with a kink
    assert!(judge(&[t.clone(), t.clone()]).is_refuted());
    let corner = [Graph::binary(Binary::Maximum, &t, &zero), Graph::binary(Binary::Minimum, &t, &zero)];
    assert!(judge(&corner).is_refuted());
    // what is no plot of the plane is none of the cross: at 0 no piece has a value
    let halves = [OpenInterval::ray_below(0), OpenInterval::ray_above(0)]
        .map(|side| plane.plot_from_graphs(&OpenSet::from_box(vec![side]), &[t.clone(), zero.clone()]).unwrap());
    let regions = halves.map(|half| (PieceRegion::of_open_set(half.domain()), half));
    let torn = plane.glue_pieces(&OpenSet::whole_space(1), regions.into());
    assert!(cross.test_plot(&torn, &default_smoothness_test()).unwrap().is_refuted());
    let off = ZeroSet::subspace_of_zeros(
        2,
        vec![mul(&xy().0, &xy().1)],
        vec![vec![t.clone(), t.clone()]],
        &default_smoothness_test(),
    );
    assert!(matches!(off, Err(DiffeologyError::Shape { .. })));
    assert!(matches!(
        ZeroSet::subspace_of_zeros(2, vec![], vec![], &default_smoothness_test()),
        Err(DiffeologyError::Shape { .. })
    ));
}

#[test]
fn quotients_are_spaces() {
    axioms_hold(&circle());
    axioms_hold(&irrational_torus());
}

#[test]
fn a_path_around_the_circle_is_a_plot_by_its_lifts() {
    let circle = circle();
    let whole = OpenSet::whole_space(1);
    let by_lifts = |second: &Graph| {
        let first = (
            PieceRegion::of_open_set(&OpenSet::from_box(vec![OpenInterval::ray_below(1)])),
            circle.project_plot(&on_line(&x())),
        );
        let second = (
            PieceRegion::of_open_set(&OpenSet::from_box(vec![OpenInterval::ray_above(0)])),
            circle.project_plot(&on_line(second)),
        );
        circle.glue_pieces(&whole, vec![first, second])
    };
    assert_eq!(
        circle.test_plot(&by_lifts(&add(&x(), &Graph::integer(3))), &default_smoothness_test()).unwrap(),
        Verdict::Survived
    );
    let half = Graph::rational(Rational::from((1, 2)));
    assert!(circle.test_plot(&by_lifts(&add(&x(), &half)), &default_smoothness_test()).unwrap().is_refuted());
    assert!(
        circle.test_plot(&circle.project_plot(&on_line(&abs(&x()))), &default_smoothness_test()).unwrap().is_refuted()
    );
    // as functions into the circle, x and x + 3 are one
    let at = |g: Graph| vec![g];
    let third = || Graph::rational(Rational::from((1, 3)));
    assert_eq!(
        circle
            .compare_points(&at(third()), &at(add(&third(), &Graph::integer(7))), &default_smoothness_test())
            .unwrap(),
        Verdict::Survived
    );
    assert!(circle.compare_points(&at(third()), &at(Graph::pi()), &default_smoothness_test()).unwrap().is_refuted());
}

#[test]
fn the_irrational_torus_is_decided_where_numbers_are_exact() {
    let torus = irrational_torus();
    let same = |x: Graph, y: Graph| torus.compare_points(&vec![x], &vec![y], &default_smoothness_test()).unwrap();
    let turned = add(&Graph::integer(3), &mul(&Graph::integer(-2), &root_two()));
    assert_eq!(same(Graph::integer(0), turned.clone()), Verdict::Survived);
    let half = || Graph::rational(Rational::from((1, 2)));
    assert!(same(Graph::integer(0), half()).is_refuted());
    assert!(same(half(), mul(&half(), &root_two())).is_refuted());
    // (1 + √2)² = 3 + 2√2
    let square = mul(&add(&Graph::integer(1), &root_two()), &add(&Graph::integer(1), &root_two()));
    assert_eq!(same(square, Graph::integer(0)), Verdict::Survived);
    // π is not known to be far from anything, and never will be
    assert_eq!(same(Graph::pi(), Graph::integer(0)), Verdict::Vacuous);
    // what is not computed exactly is recognised by an enclosure
    let sine = Graph::function(smoothish::number::Function::Sin, &Graph::integer(1));
    assert_eq!(same(add(&sine, &turned), sine), Verdict::Survived);
}

#[test]
fn the_wire_plane_is_a_space() {
    axioms_hold(&WirePlane);
}

#[test]
fn the_identity_of_the_plane_is_no_wire_plot() {
    let (a, b) = xy();
    let plane = OpenSet::whole_space(2);
    let judge = |parameters: &[Graph], map: &[Graph]| {
        WirePlane
            .test_plot(&WirePlane::plot_from_factors(&plane, parameters, map).unwrap(), &default_smoothness_test())
            .unwrap()
    };
    match judge(&[a.clone(), b.clone()], &[a.clone(), b.clone()]) {
        Verdict::Refuted { left, .. } => assert!(left.starts_with("a minor in"), "{left}"),
        other => panic!("{other}"),
    }
    // (x + y) ↦ (t, t²) factors
    let t = x();
    assert_eq!(judge(&[add(&a, &b)], &[t.clone(), mul(&t, &t)]), Verdict::Survived);
    // given through two parameters it has rank 1, but that it factors is not shown
    let sum = add(&a, &b);
    assert_eq!(judge(&[a.clone(), b.clone()], &[sum.clone(), mul(&sum, &sum)]), Verdict::Vacuous);
    // a kink along the wire
    assert!(judge(&[add(&a, &b)], &[abs(&t), t.clone()]).is_refuted());
}
