//! Cartesian spaces: smooth graphs are plots, and kinks and jumps are refuted from both sides.

use crate::diffeology::support::{abs, add, mul, q, sign, x, xy};
use smoothish::diffeology::cartesian::Cartesian;
use smoothish::diffeology::open::{Interval, Open};
use smoothish::diffeology::real::exactly;
use smoothish::diffeology::region::Region;
use smoothish::diffeology::smoothness::{Smoothness, at_point, trial};
use smoothish::diffeology::{Diffeology, DiffeologyError};
use smoothish::law::diffeology::suite;
use smoothish::number::{Function, Rational};
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::Trial;
use smoothish::verdict::Verdict;

fn verdict(graph: &Graph) -> Verdict {
    let line = Cartesian::whole(1);
    let plot = line.plot(&Open::whole(1), std::slice::from_ref(graph)).unwrap();
    line.is_plot(&plot, &trial()).unwrap()
}

/// The two derivatives that differ at 0, from the left and from the right.
#[track_caller]
fn is_refuted(graph: &Graph, order: u32, sides: [&str; 2]) {
    assert!(verdict(graph).is_refuted());
    match at_point(std::slice::from_ref(graph), &[q(0, 1)], &[q(1, 1)], &trial()).unwrap() {
        Smoothness::Refuted { witness, left, right } => {
            assert_eq!(witness, format!("x = (0), along (1), order {order}"));
            assert_eq!([&*left, &*right], sides);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_axioms_hold() {
    let positive = Open::cuboid(vec![Interval::above(0)]);
    for space in [Cartesian::whole(0), Cartesian::whole(1), Cartesian::whole(3), Cartesian::new(positive)] {
        let axioms = suite::space(&space, &suite::samples()).unwrap();
        assert_eq!(axioms.verdict(), Verdict::Survived, "{}\n{axioms}", space.open());
    }
}

// The one-sided derivatives, divided by the factorial, by hand: ±1; ±1 at order 2 (x|x|)'' = ±2; ±1 at order 3 for |x|³.
#[test]
fn kinks_are_refuted_at_the_order_where_the_sides_differ() {
    let (x, zero) = (x(), Graph::integer(0));
    let (square, minus_one_and_one) = (mul(&x, &x), ["[-1, -1]", "[1, 1]"]);
    is_refuted(&abs(&x), 1, minus_one_and_one);
    is_refuted(&mul(&x, &abs(&x)), 2, minus_one_and_one);
    is_refuted(&mul(&square, &abs(&x)), 3, minus_one_and_one);
    is_refuted(&sign(&x), 0, minus_one_and_one);
    is_refuted(&Graph::binary(Binary::Maximum, &x, &zero), 1, ["[0, 0]", "[1, 1]"]);
    // x < x³ left of 0, and x³ < x right of it
    is_refuted(&Graph::binary(Binary::Minimum, &x, &mul(&square, &x)), 1, ["[1, 1]", "[0, 0]"]);
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
    let line = Cartesian::whole(1);
    let plot = line.plot(&Open::whole(1), &[fifth]).unwrap();
    assert_eq!(line.is_plot(&plot, &trial()).unwrap(), Verdict::Survived);
    assert!(line.is_plot(&plot, &Trial { order: 5, ..trial() }).unwrap().is_refuted());
}

#[test]
fn a_plot_lands_in_the_open_set() {
    let unit = Cartesian::new(Open::cuboid(vec![Interval::between(-1, 1)]));
    let plot = |graph: &Graph| unit.plot(&Open::whole(1), std::slice::from_ref(graph)).unwrap();
    let verdict = unit.is_plot(&plot(&x()), &trial()).unwrap();
    assert!(verdict.is_refuted(), "{verdict}");
    // tanh stays inside
    assert_eq!(unit.is_plot(&plot(&Graph::function(Function::Tanh, &x())), &trial()).unwrap(), Verdict::Survived);
    assert!(matches!(unit.plot(&Open::whole(1), &[]), Err(DiffeologyError::Dimension { .. })));
    let (_, y) = xy();
    assert!(matches!(unit.plot(&Open::whole(1), &[y]), Err(DiffeologyError::Map(_))));
}

#[test]
fn families_glue_or_say_at_which_point_they_do_not() {
    let line = Cartesian::whole(1);
    let on = |side: Interval, graph: &Graph| line.plot(&Open::cuboid(vec![side]), std::slice::from_ref(graph)).unwrap();
    let whole = Open::whole(1);
    let square = mul(&x(), &x());
    let family = [on(Interval::below(1), &square), on(Interval::above(0), &mul(&square, &Graph::integer(1)))];
    let glued = line.glue(&whole, &family, &trial()).unwrap();
    for u in [q(-3, 1), q(1, 2), q(5, 1)] {
        let value = line.at(&glued, &exactly(std::slice::from_ref(&u)), &trial()).unwrap();
        assert_eq!(value[0].as_rational(), Some(&Rational::from(&u * &u)));
    }
    assert_eq!(line.is_plot(&glued, &trial()).unwrap(), Verdict::Survived);
    // 0 is left out
    let family = [on(Interval::below(0), &square), on(Interval::above(0), &square)];
    let error = line.glue(&whole, &family, &trial()).unwrap_err();
    assert_eq!(error.to_string(), "the family does not cover ℝ^1: (0) is in none of its domains");
    // x and x + 1 on a common part
    let family = [on(Interval::below(1), &x()), on(Interval::above(0), &add(&x(), &Graph::integer(1)))];
    match line.glue(&whole, &family, &trial()) {
        Err(DiffeologyError::Incompatible { first: 0, second: 1, point, left, right }) => {
            assert!(point[0] > 0 && point[0] < 1);
            let [left, right] = [left, right].map(|text| text.parse::<Rational>().unwrap());
            assert_eq!((&left, right - &left), (&point[0], Rational::from(1)));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(line.at(&glued, &exactly(&[]), &trial()), Err(DiffeologyError::Dimension { .. })));
}

/// A step by cases is a function, and no plot; that 0 lies in a closed piece alone is not a proof of it.
#[test]
fn pieces_that_are_not_open_show_nothing() {
    let line = Cartesian::whole(1);
    let whole = Open::whole(1);
    let negative = Open::cuboid(vec![Interval::below(0)]);
    let constant = |n: i64| line.constant(&whole, &vec![Graph::integer(n)]);
    let pieces = vec![(Region::within(&negative), constant(0)), (Region::outside(&negative), constant(1))];
    assert_eq!(line.is_plot(&line.piecewise(&whole, pieces), &trial()).unwrap(), Verdict::Vacuous);
    // a function that has no value at 0 is none on the line
    let positive = Open::cuboid(vec![Interval::above(0)]);
    let pieces = vec![(Region::within(&negative), constant(0)), (Region::within(&positive), constant(1))];
    let verdict = line.is_plot(&line.piecewise(&whole, pieces), &trial()).unwrap();
    assert_eq!(verdict, Verdict::refuted("(0)", "no value", "a value"));
}
