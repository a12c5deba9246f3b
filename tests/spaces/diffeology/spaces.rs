//! The axioms on every construction, and what makes each of them different from the others.

use crate::diffeology::support::{abs, add, mul, x, xy};
use smoothish::diffeology::cartesian::Cartesian;
use smoothish::diffeology::functional::{Family, Functional};
use smoothish::diffeology::lattice::{circle, irrational_torus, root_two};
use smoothish::diffeology::list::List;
use smoothish::diffeology::open::{Interval, Open};
use smoothish::diffeology::piecewise::Piecewise;
use smoothish::diffeology::product::Product;
use smoothish::diffeology::region::Region;
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::subspace::Zeros;
use smoothish::diffeology::sum::Sum;
use smoothish::diffeology::wire::Wire;
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology::suite;
use smoothish::number::Rational;
use smoothish::presheaf::sum::Either;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::verdict::Verdict;

#[track_caller]
fn axioms_hold<X: Diffeology>(space: &X) {
    let axioms = suite::space(space, &suite::samples()).unwrap();
    assert_eq!(axioms.verdict(), Verdict::Survived, "{axioms}");
}

fn line() -> Cartesian {
    Cartesian::whole(1)
}

fn on_line(graph: &Graph) -> smoothish::diffeology::cartesian::Plot {
    line().plot(&Open::whole(1), std::slice::from_ref(graph)).unwrap()
}

fn below_zero() -> Open {
    Open::cuboid(vec![Interval::below(0)])
}

#[test]
fn products_are_spaces() {
    axioms_hold(&Product(line(), Cartesian::whole(2)));
    axioms_hold(&Product(Sum(line(), line()), List(line())));
    let pair = Product(line(), line());
    assert!(pair.is_plot(&(on_line(&x()), on_line(&abs(&x()))), &trial()).unwrap().is_refuted());
    let other = line().constant(&below_zero(), &vec![Graph::integer(0)]);
    assert!(matches!(pair.is_plot(&(on_line(&x()), other), &trial()), Err(DiffeologyError::Shape { .. })));
}

#[test]
fn function_spaces_are_spaces() {
    axioms_hold(&Functional(line(), line()));
    axioms_hold(&Functional(Product(line(), line()), Sum(line(), line())));
    axioms_hold(&Functional(Functional(line(), line()), line()));
}

#[test]
fn a_family_of_functions_is_a_plot_when_it_is_smooth_in_both() {
    let maps = Functional(line(), line());
    let family = |g: Graph| {
        let line = line();
        Family::<Cartesian, Cartesian>::new(&Open::whole(1), move |along, p| {
            let both: Vec<Graph> = along.graphs().iter().chain(p.pieces()[0].value.iter()).cloned().collect();
            line.plot(
                along.from(),
                &smoothish::diffeology::reparametrisation::composed(std::slice::from_ref(&g), &both),
            )
        })
    };
    let (u, t) = xy();
    assert_eq!(maps.is_plot(&family(mul(&u, &t)), &trial()).unwrap(), Verdict::Survived);
    // smooth in the argument for each u, and not in u
    assert!(maps.is_plot(&family(mul(&abs(&u), &t)), &trial()).unwrap().is_refuted());
    // and the other way round
    assert!(maps.is_plot(&family(mul(&u, &abs(&t))), &trial()).unwrap().is_refuted());
}

#[test]
fn sums_and_lists_are_spaces() {
    axioms_hold(&Sum(line(), Cartesian::whole(2)));
    axioms_hold(&List(line()));
    axioms_hold(&List(Sum(Cartesian::whole(0), line())));
}

// H28: a plot from a connected domain has one label.
#[test]
fn the_label_of_a_plot_is_locally_constant() {
    let sum = Sum(line(), line());
    let (left, right) = (Either::Left(on_line(&x())), Either::Right(on_line(&x())));
    let by_cases = |domain: &Open, cut: &Open| {
        let left = (Region::within(cut), Piecewise::whole(domain, left.clone()));
        let right = (Region::outside(cut), Piecewise::whole(domain, right.clone()));
        sum.piecewise(domain, vec![left, right])
    };
    // Left below 0, Right from 0 on
    match sum.is_plot(&by_cases(&Open::whole(1), &below_zero()), &trial()).unwrap() {
        Verdict::Refuted { witness, left, right } => {
            assert!(witness.ends_with("in one connected part"), "{witness}");
            assert_ne!(left, right);
        }
        other => panic!("{other}"),
    }
    // on a domain in two parts, each with its label, it is a plot
    let apart = below_zero().union(&Open::cuboid(vec![Interval::above(1)])).unwrap();
    assert_eq!(sum.is_plot(&by_cases(&apart, &below_zero()), &trial()).unwrap(), Verdict::Survived);
    // lists whose length varies
    let lists = List(line());
    let list = |n: usize| Piecewise::whole(&Open::whole(1), vec![on_line(&x()); n]);
    let varying = vec![(Region::within(&below_zero()), list(1)), (Region::outside(&below_zero()), list(2))];
    assert!(lists.is_plot(&lists.piecewise(&Open::whole(1), varying), &trial()).unwrap().is_refuted());
    assert_eq!(lists.is_plot(&list(2), &trial()).unwrap(), Verdict::Survived);
    // a kink in the second element
    let kink = Piecewise::whole(&Open::whole(1), vec![on_line(&x()), on_line(&abs(&x()))]);
    assert!(lists.is_plot(&kink, &trial()).unwrap().is_refuted());
}

#[test]
fn families_of_different_labels_do_not_glue() {
    let sum = Sum(line(), line());
    let part = |side: Interval, p| Piecewise::whole(&Open::cuboid(vec![side]), p);
    let family =
        [part(Interval::below(1), Either::Left(on_line(&x()))), part(Interval::above(0), Either::Right(on_line(&x())))];
    match sum.glue(&Open::whole(1), &family, &trial()) {
        Err(DiffeologyError::Incompatible { left, right, .. }) => assert_eq!([&*left, &*right], ["Left", "Right"]),
        other => panic!("{other:?}"),
    }
}

fn cross() -> smoothish::diffeology::subspace::Subspace<Cartesian, Zeros> {
    let ((a, b), t, zero) = (xy(), x(), Graph::integer(0));
    let axes = vec![vec![t.clone(), zero.clone()], vec![zero, t]];
    Zeros::new(2, vec![mul(&a, &b)], axes, &trial()).unwrap()
}

#[test]
fn subspaces_are_spaces() {
    let cross = cross();
    axioms_hold(&cross);
    let plane = Cartesian::whole(2);
    let judge = |graphs: &[Graph]| cross.is_plot(&plane.plot(&Open::whole(1), graphs).unwrap(), &trial()).unwrap();
    let (t, zero) = (x(), Graph::integer(0));
    assert_eq!(judge(&[t.clone(), zero.clone()]), Verdict::Survived);
    // it leaves the cross; it stays, and turns the corner with a kink
    assert!(judge(&[t.clone(), t.clone()]).is_refuted());
    let corner = [Graph::binary(Binary::Maximum, &t, &zero), Graph::binary(Binary::Minimum, &t, &zero)];
    assert!(judge(&corner).is_refuted());
    let off = Zeros::new(2, vec![mul(&xy().0, &xy().1)], vec![vec![t.clone(), t.clone()]], &trial());
    assert!(matches!(off, Err(DiffeologyError::Shape { .. })));
    assert!(matches!(Zeros::new(2, vec![], vec![], &trial()), Err(DiffeologyError::Shape { .. })));
}

#[test]
fn quotients_are_spaces() {
    axioms_hold(&circle());
    axioms_hold(&irrational_torus());
}

#[test]
fn a_path_around_the_circle_is_a_plot_by_its_lifts() {
    let circle = circle();
    let whole = Open::whole(1);
    let by_lifts = |second: &Graph| {
        let first = (Region::within(&Open::cuboid(vec![Interval::below(1)])), circle.projected(&on_line(&x())));
        let second = (Region::within(&Open::cuboid(vec![Interval::above(0)])), circle.projected(&on_line(second)));
        circle.piecewise(&whole, vec![first, second])
    };
    assert_eq!(circle.is_plot(&by_lifts(&add(&x(), &Graph::integer(3))), &trial()).unwrap(), Verdict::Survived);
    let half = Graph::rational(Rational::from((1, 2)));
    assert!(circle.is_plot(&by_lifts(&add(&x(), &half)), &trial()).unwrap().is_refuted());
    assert!(circle.is_plot(&circle.projected(&on_line(&abs(&x()))), &trial()).unwrap().is_refuted());
    // as functions into the circle, x and x + 3 are one
    let at = |g: Graph| vec![g];
    let third = || Graph::rational(Rational::from((1, 3)));
    assert_eq!(circle.same(&at(third()), &at(add(&third(), &Graph::integer(7))), &trial()).unwrap(), Verdict::Survived);
    assert!(circle.same(&at(third()), &at(Graph::pi()), &trial()).unwrap().is_refuted());
}

#[test]
fn the_irrational_torus_is_decided_where_numbers_are_exact() {
    let torus = irrational_torus();
    let same = |x: Graph, y: Graph| torus.same(&vec![x], &vec![y], &trial()).unwrap();
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
    axioms_hold(&Wire);
}

#[test]
fn the_identity_of_the_plane_is_no_wire_plot() {
    let (a, b) = xy();
    let plane = Open::whole(2);
    let judge = |parameters: &[Graph], map: &[Graph]| {
        Wire.is_plot(&Wire::through(&plane, parameters, map).unwrap(), &trial()).unwrap()
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
