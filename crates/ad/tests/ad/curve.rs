//! Of `smooth::curve`.

use smoothish_ad::number::accuracy::PassOptions;
use smoothish_ad::number::arithmetic::{Context, Function};
use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::double::Double;
use smoothish_ad::number::magnitude::Magnitude;
use smoothish_ad::number::real::Precision;
use smoothish_ad::number::{Enclosure, Rational};
use smoothish_ad::smooth::curve::*;
use smoothish_ad::smooth::error::SmoothError;
use smoothish_ad::smooth::graph::{Binary, Graph, Unary, Variable};

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn curve(body: impl Fn(&Graph) -> Graph) -> UnivariateMap {
    let v = Variable::fresh();
    UnivariateMap::new(v, &body(&Graph::variable(v))).unwrap()
}

/// The range over [a, b], narrowed by the slope; in both tiers.
fn narrowed(curve: &UnivariateMap, a: Rational, b: Rational, order: u32) -> Enclosure {
    let budget = Budget::unlimited();
    let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
    let [fine, coarse] = [Precision::Mpfr(160), Precision::Double].map(|tier| {
        let values = [&a, &b].map(|x| curve.range_over([x, x], order, tier, &effort).unwrap());
        let chord = Chord { ends: [&a, &b], values: [&values[0], &values[1]] };
        curve.range_by_mean_value(chord, order, tier, &effort).unwrap()
    });
    assert!(coarse.overlaps(&fine), "{coarse} {fine}");
    fine
}

#[test]
fn a_monotone_function_has_the_range_of_its_ends() {
    // x² - x as a product forgets that its factors are one number; the slope remembers
    let f = curve(|x| Graph::binary(Binary::Subtract, &Graph::binary(Binary::Multiply, x, x), x));
    let range = narrowed(&f, q(3, 4), q(2, 1), 0);
    assert!(range.contains(&q(-3, 16)) && range.contains(&q(2, 1)) && range.has_width_at_most(&q(36, 16)));
}

#[test]
fn a_turning_point_lies_in_the_range() {
    let f = curve(|x| Graph::binary(Binary::Subtract, &Graph::binary(Binary::Multiply, x, x), x));
    let range = narrowed(&f, q(3, 8), q(3, 4), 0);
    assert!(range.contains(&q(-1, 4)) && range.contains(&q(-3, 16)), "{range}");
    let wide = narrowed(&f, q(0, 1), q(1, 1), 0);
    assert!(wide.contains(&q(-1, 4)) && wide.contains(&q(0, 1)) && wide.has_width_at_most(&q(1, 1)), "{wide}");
    let negated = curve(|x| Graph::binary(Binary::Subtract, x, &Graph::binary(Binary::Multiply, x, x)));
    assert!(narrowed(&negated, q(3, 8), q(3, 4), 0).contains(&q(1, 4)));
}

#[test]
fn the_derivative_over_a_kink_is_the_set_of_clarke() {
    let f = curve(|x| Graph::unary(Unary::Abs, x));
    let slope = narrowed(&f, q(-1, 100), q(1, 100), 1);
    let [minus, one] = [-1, 1].map(|n| Double.enclose_integer(n));
    assert_eq!(slope, Double.to_enclosure(&Double.hull(&minus, &one)));
    assert_eq!(narrowed(&f, q(1, 100), q(2, 100), 1), Double.to_enclosure(&one));
    assert!(narrowed(&f, q(-1, 100), q(1, 100), 2).is_bottom());
}

#[test]
fn nothing_is_claimed_where_the_function_may_be_undefined() {
    let f = curve(|x| Graph::function(Function::Sqrt, x));
    assert_eq!(narrowed(&f, q(-1, 100), q(1, 100), 0), Enclosure::bottom());
    assert!(narrowed(&f, q(0, 1), q(1, 100), 0).contains(&q(1, 10)));
    assert_eq!(narrowed(&f, q(0, 1), q(1, 100), 1), Enclosure::bottom());
}

#[test]
fn a_graph_of_two_variables_is_no_curve() {
    let [v, w] = [Variable::fresh(), Variable::fresh()];
    let sum = Graph::binary(Binary::Add, &Graph::variable(v), &Graph::variable(w));
    assert!(matches!(UnivariateMap::new(v, &sum), Err(SmoothError::Dimension { expected: 1, found: 2 })));
}
