//! Cartesian spaces: smooth graphs are plots, and kinks and jumps are refuted from both sides.

use crate::diffeology::support::{abs, add, mul, q, sign, x, xy};
use smoothish::diffeology::open::{OpenInterval, OpenSet};
use smoothish::diffeology::piecewise::PieceRegion;
use smoothish::diffeology::product::CartesianDiffeology;
use smoothish::diffeology::smoothness::{Smoothness, default_smoothness_test, rational_point, test_smoothness_at};
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology;
use smoothish::number::{Function, Rational};
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::MapTestConfig;
use smoothish::verdict::Verdict;

fn verdict(graph: &Graph) -> Verdict {
    let line = CartesianDiffeology::whole_space(1);
    let plot = line.plot_from_graphs(&OpenSet::whole_space(1), std::slice::from_ref(graph)).unwrap();
    line.test_plot(&plot, &default_smoothness_test()).unwrap()
}

/// The two derivatives that differ at 0, from the left and from the right.
#[track_caller]
fn is_refuted(graph: &Graph, order: u32, sides: [&str; 2]) {
    assert!(verdict(graph).is_refuted());
    match test_smoothness_at(std::slice::from_ref(graph), &[q(0, 1)], &[q(1, 1)], &default_smoothness_test()).unwrap() {
        Smoothness::Refuted { witness, left, right } => {
            assert_eq!(witness, format!("x = (0), along (1), order {order}"));
            assert_eq!([&*left, &*right], sides);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_axioms_hold() {
    let positive = OpenSet::from_box(vec![OpenInterval::ray_above(0)]);
    for space in [
        CartesianDiffeology::whole_space(0),
        CartesianDiffeology::whole_space(1),
        CartesianDiffeology::whole_space(3),
        CartesianDiffeology::new(positive),
    ] {
        let axioms = diffeology::check_space(&space, &diffeology::default_samples()).unwrap();
        assert_eq!(axioms.verdict(), Verdict::Survived, "{}\n{axioms}", space.open_set());
    }
}

// The one-sided derivatives, divided by the factorial, by hand: ±1; ±1 at order 2 (x|x|)'' = ±2; ±1 at order 3 for |x|³.
#[test]
fn kinks_are_refuted_at_the_order_where_the_sides_differ() {
    let (x, zero) = (x(), Graph::integer(0));
    let (square, minus_one_and_one) = (mul(&x, &x), ["-1", "1"]);
    is_refuted(&abs(&x), 1, minus_one_and_one);
    is_refuted(&mul(&x, &abs(&x)), 2, minus_one_and_one);
    is_refuted(&mul(&square, &abs(&x)), 3, minus_one_and_one);
    is_refuted(&sign(&x), 0, minus_one_and_one);
    is_refuted(&Graph::binary(Binary::Maximum, &x, &zero), 1, ["0", "1"]);
    // x < x³ left of 0, and x³ < x right of it
    is_refuted(&Graph::binary(Binary::Minimum, &x, &mul(&square, &x)), 1, ["1", "0"]);
}

#[test]
fn a_kink_in_the_text_that_is_none_of_the_function_is_smooth() {
    let x = x();
    assert_eq!(verdict(&mul(&abs(&x), &abs(&x))), Verdict::Survived);
    // max(x², 0) = x²
    assert_eq!(verdict(&Graph::binary(Binary::Maximum, &mul(&x, &x), &Graph::integer(0))), Verdict::Survived);
    assert_eq!(verdict(&Graph::binary(Binary::Maximum, &x, &x)), Verdict::Survived);
    assert_eq!(verdict(&abs(&add(&mul(&x, &x), &Graph::integer(1)))), Verdict::Survived);
}

#[test]
fn what_is_only_not_shown_is_vacuous() {
    // ⊥ for half of the points, and an end with a vertical tangent
    assert_eq!(verdict(&Graph::function(Function::Sqrt, &x())), Verdict::Vacuous);
    assert_eq!(verdict(&Graph::function(Function::Cbrt, &x())), Verdict::Vacuous);
}

/// The order is a limit of what is tried: x⁴·|x| has four derivatives, and from both sides ±1 in order 5.
#[test]
fn derivatives_beyond_the_order_are_not_seen() {
    let fifth = (0..4).fold(abs(&x()), |p, _| mul(&p, &x()));
    let line = CartesianDiffeology::whole_space(1);
    let plot = line.plot_from_graphs(&OpenSet::whole_space(1), &[fifth]).unwrap();
    assert_eq!(line.test_plot(&plot, &default_smoothness_test()).unwrap(), Verdict::Survived);
    assert!(line.test_plot(&plot, &MapTestConfig { order: 5, ..default_smoothness_test() }).unwrap().is_refuted());
}

#[test]
fn a_plot_lands_in_the_open_set() {
    let unit = CartesianDiffeology::new(OpenSet::from_box(vec![OpenInterval::from_endpoints(-1, 1)]));
    let plot = |graph: &Graph| unit.plot_from_graphs(&OpenSet::whole_space(1), std::slice::from_ref(graph)).unwrap();
    let verdict = unit.test_plot(&plot(&x()), &default_smoothness_test()).unwrap();
    assert!(verdict.is_refuted(), "{verdict}");
    // tanh stays inside
    assert_eq!(
        unit.test_plot(&plot(&Graph::function(Function::Tanh, &x())), &default_smoothness_test()).unwrap(),
        Verdict::Survived
    );
    assert!(matches!(unit.plot_from_graphs(&OpenSet::whole_space(1), &[]), Err(DiffeologyError::Dimension { .. })));
    let (_, y) = xy();
    assert!(matches!(unit.plot_from_graphs(&OpenSet::whole_space(1), &[y]), Err(DiffeologyError::Map(_))));
}

#[test]
fn families_glue_or_say_at_which_point_they_do_not() {
    let line = CartesianDiffeology::whole_space(1);
    let on = |side: OpenInterval, graph: &Graph| {
        line.plot_from_graphs(&OpenSet::from_box(vec![side]), std::slice::from_ref(graph)).unwrap()
    };
    let whole = OpenSet::whole_space(1);
    let square = mul(&x(), &x());
    let family =
        [on(OpenInterval::ray_below(1), &square), on(OpenInterval::ray_above(0), &mul(&square, &Graph::integer(1)))];
    let glued = line.glue(&whole, &family, &default_smoothness_test()).unwrap();
    for u in [q(-3, 1), q(1, 2), q(5, 1)] {
        let value =
            line.value_at(&glued, &rational_point(std::slice::from_ref(&u)), &default_smoothness_test()).unwrap();
        assert_eq!(value[0].as_rational(), Some(&Rational::from(&u * &u)));
    }
    assert_eq!(line.test_plot(&glued, &default_smoothness_test()).unwrap(), Verdict::Survived);
    // 0 is left out
    let family = [on(OpenInterval::ray_below(0), &square), on(OpenInterval::ray_above(0), &square)];
    let error = line.glue(&whole, &family, &default_smoothness_test()).unwrap_err();
    assert_eq!(error.to_string(), "the family does not cover ℝ^1: (0) is in none of its domains");
    // x and x + 1 on a common part
    let family = [on(OpenInterval::ray_below(1), &x()), on(OpenInterval::ray_above(0), &add(&x(), &Graph::integer(1)))];
    match line.glue(&whole, &family, &default_smoothness_test()) {
        Err(DiffeologyError::Incompatible { first: 0, second: 1, point, left, right }) => {
            assert!(point[0] > 0 && point[0] < 1);
            let [left, right] = [left, right].map(|text| text.parse::<Rational>().unwrap());
            assert_eq!((&left, right - &left), (&point[0], Rational::from(1)));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        line.value_at(&glued, &rational_point(&[]), &default_smoothness_test()),
        Err(DiffeologyError::Dimension { .. })
    ));
}

/// A step by cases is a function, and no plot; that 0 lies in a closed piece alone is not a proof of it.
#[test]
fn pieces_that_are_not_open_show_nothing() {
    let line = CartesianDiffeology::whole_space(1);
    let whole = OpenSet::whole_space(1);
    let negative = OpenSet::from_box(vec![OpenInterval::ray_below(0)]);
    let constant = |n: i64| line.constant_plot(&whole, &vec![Graph::integer(n)]);
    let pieces =
        vec![(PieceRegion::of_open_set(&negative), constant(0)), (PieceRegion::complement_of(&negative), constant(1))];
    assert_eq!(
        line.test_plot(&line.glue_pieces(&whole, pieces), &default_smoothness_test()).unwrap(),
        Verdict::Vacuous
    );
    // a function that has no value at 0 is none on the line
    let positive = OpenSet::from_box(vec![OpenInterval::ray_above(0)]);
    let pieces =
        vec![(PieceRegion::of_open_set(&negative), constant(0)), (PieceRegion::of_open_set(&positive), constant(1))];
    let verdict = line.test_plot(&line.glue_pieces(&whole, pieces), &default_smoothness_test()).unwrap();
    assert_eq!(verdict, Verdict::refuted("(0)", "no value", "a value"));
}
