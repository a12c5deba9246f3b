//! Draws that are integrated over in closed form, between borders too.

use super::{Ask, PLAIN, asked, holds, rational};
use smoothish::function::Function;
use smoothish::measure::eliminate::{IntegralAssumptions, definite_integral};
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational};
use smoothish::smooth::graph::{Binary, Graph, Variable};
use std::time::Duration;

fn graph(text: &str) -> Graph {
    Graph::rational(rational(text))
}
fn plus(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}
fn times(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}
fn over(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Divide, a, b)
}

/// c₀ + c₁ y + … by Horner's rule.
fn polynomial(coefficients: &[&str], y: &Graph) -> Graph {
    coefficients.iter().rev().fold(Graph::integer(0), |sum, c| plus(&times(&sum, y), &graph(c)))
}

/// The integral from l to r, by the engine: beyond a number by y = l ± (1 - s)/s.
fn summed(y: Variable, body: &Graph, borders: &[Option<Graph>; 2]) -> Graph {
    let s = Variable::fresh();
    let t = Graph::variable(s);
    let far = over(&Graph::binary(Binary::Subtract, &Graph::integer(1), &t), &t);
    let (place, factor) = match borders {
        [Some(l), Some(r)] => {
            let width = Graph::binary(Binary::Subtract, r, l);
            (plus(l, &times(&width, &t)), width)
        }
        [Some(l), None] => (plus(l, &far), over(&Graph::integer(1), &times(&t, &t))),
        [None, Some(r)] => (Graph::binary(Binary::Subtract, r, &far), over(&Graph::integer(1), &times(&t, &t))),
        [None, None] => {
            let middle = graph("0.3");
            let left = summed(y, body, &[None, Some(middle.clone())]);
            return plus(&left, &summed(y, body, &[Some(middle), None]));
        }
    };
    Graph::integral(s, times(&body.substitute(&[(y, place)]), &factor))
}

fn enclosed(graph: &Graph) -> Enclosure {
    let budget = Budget::with_time_limit(Duration::from_secs(20));
    let eps = Rational::from(1) >> 60;
    graph.to_real().expect("closed").enclose(&eps, &budget).expect("a number").enclosure
}

const MAX: &str = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (if x > y then x else y) }";
const PLACE: &str = "\\z => z";

/// What is left is of one draw, or of none: far more digits than by boxes.
#[test]
fn draws_between_borders_are_integrated_over_in_closed_form() {
    let fine = Ask { eps: "1e-15", ..PLAIN };
    let between = "\\z => if z > 0 then (if z < 0.1 then 1 else 0) else 0";
    holds(MAX, Some(between), fine, "0.04141409389919448077830998736");
    let three = "do { x <- sample (normal 0 1); y <- sample (normal 0 1); z <- sample (normal 0 1);
                 return (if x > y then (if y > z then 1 else 0) else 0) }";
    holds(three, Some(PLACE), Ask { eps: "1e-6", ..PLAIN }, "0.1666666666666666666666666666666666666667");
    // of what was seen, and of what lies on one side
    let seen = "do { x <- sample (normal 0 1); y <- sample (normal x 1); observe (normal y 1) 1; score (if y > 0 then 1 else 0); return y }";
    holds(seen, None, fine, "0.1545898628893737825799679609");
    holds(seen, Some(PLACE), fine, "0.9610312943458172363250946067");
    // moments between borders that move with the draw before
    let cubes = "do { x <- sample (uniformOn 0 1); y <- sample (normal 0 1);
                 return (if y > x then (if y < x + 1 then y^3 else 0) else 0) }";
    holds(cubes, Some(PLACE), fine, "0.2403593562438847174177112002");
    let late = "do { x <- sample (uniformOn 0 1); y <- sample (exponential 1); return (if y > x then x*y^2 else 0) }";
    holds(late, Some(PLACE), fine, "0.9636167648567303521342868952");
    let gamma = "do { g <- sample (gamma 3 2); n <- sample (normal 0 1); return (if g < 1 + n then 1 else 0) }";
    holds(gamma, Some(PLACE), fine, "0.3653789842741717943409301825281516899117");
    let sides = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); z <- sample (uniformOn 0 1);
                 return (if x + y > z then (if y + z > x then (if z + x > y then 1 else 0) else 0) else 0) }";
    holds(sides, Some(PLACE), fine, "0.5");
}

/// A guard that is affine in a draw only before the last: that one is integrated over first.
#[test]
fn draws_are_taken_in_the_order_that_fits() {
    let parabola =
        "\\t => do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (if x > t*y^2 then 1 else 0) }";
    holds(parabola, Some(PLACE), Ask { at: Some("1"), ..PLAIN }, "0.2809852169253926909991226918");
    holds(parabola, Some(PLACE), Ask { at: Some("1"), order: 1, ..PLAIN }, "-0.1018653896173777076886199332");
    let square = "do { x <- sample (uniformOn 0 1); y <- sample (uniformOn 0 1); return (if x > y^2 then 1 else 0) }";
    holds(square, Some(PLACE), Ask { eps: "1e-15", ..PLAIN }, "0.6666666666666666666666666666666666666667");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Every exponent, polynomial and pair of borders together, beside the sum of the engine, which knows nothing of closed forms.
    #[test]
    fn closed_forms_are_the_integrals() {
        let exponents: [&[&str]; 8] = [
            &[],
            &["0.5", "1.5"],
            &["0.25", "-0.75"],
            &["-0.5", "0", "-0.5"],
            &["0", "1", "-2"],
            &["1", "-3", "-0.25"],
            &["0", "0", "1"],
            &["0", "0", "0", "-1"],
        ];
        let polynomials: [&[&str]; 6] =
            [&[], &["2"], &["0.5", "-1"], &["0", "0", "1"], &["1", "2", "0", "-1"], &["0", "1", "0", "0", "3"]];
        let ends = [None, Some("-1.5"), Some("-0.25"), Some("2")];
        let (mut closed, mut without) = (0, 0);
        for exponent in exponents {
            for factor in polynomials {
                for (i, l) in ends.iter().enumerate() {
                    for r in ends.iter().skip(i + 1).chain([&None]) {
                        let y = Variable::fresh();
                        let at = Graph::variable(y);
                        let mut factors = vec![graph("1.25")];
                        if !exponent.is_empty() {
                            factors.push(Graph::function(Function::Exp, &polynomial(exponent, &at)));
                        }
                        if !factor.is_empty() {
                            factors.push(polynomial(factor, &at));
                        }
                        let borders = [l.map(graph), r.map(graph)];
                        let budget = Budget::with_time_limit(Duration::from_secs(20));
                        let known = IntegralAssumptions { others: &[], absolutely: true, within: &[], budget: &budget };
                        let falls = match (exponent, l.is_none(), r.is_none()) {
                            (_, false, false) => exponent.len() < 3 || exponent[2] != "1" && exponent.len() < 4,
                            ([], ..) | ([_, _], true, true) => false,
                            ([_, b], left, _) => b.starts_with('-') != left,
                            (exponent, ..) => exponent.len() == 3 && exponent[2] != "1",
                        };
                        let found = definite_integral(y, &factors, &borders, known);
                        let what = format!("{exponent:?} {factor:?} {l:?} {r:?}");
                        assert_eq!(found.is_some(), falls, "{what}");
                        let Some(found) = found else {
                            without += 1;
                            continue;
                        };
                        closed += 1;
                        let product =
                            |factors: &Vec<Graph>| factors.iter().fold(Graph::integer(1), |p, f| times(&p, f));
                        let sum = found.iter().map(product).reduce(|a, b| plus(&a, &b)).expect("a product");
                        assert!(!sum.depends_on(y), "{what}");
                        let body = factors.iter().fold(Graph::integer(1), |p, f| times(&p, f));
                        let (own, engine) = (enclosed(&sum), enclosed(&summed(y, &body, &borders)));
                        let eps = Rational::from(1) >> 50;
                        assert!(
                            own.has_width_at_most(&eps) && engine.has_width_at_most(&eps),
                            "{what}: {own}, {engine}"
                        );
                        assert!(own.intersection(&engine).is_some(), "{what}: {own}, {engine}");
                    }
                }
            }
        }
        assert!(closed >= 200 && without >= 100, "{closed} closed forms, {without} without");
    }

    #[test]
    fn races_have_closed_forms_and_their_derivatives() {
        // 2/3, 1/6 · 2/5
        let two = "do { x <- sample (exponential 1); y <- sample (exponential 2); return (if x < y then 0 else 1) }";
        holds(two, Some(PLACE), Ask { eps: "1e-15", ..PLAIN }, "0.6666666666666666666666666666666666666667");
        let three = "do { x <- sample (exponential 1); y <- sample (exponential 2); z <- sample (exponential 3);
                 return (if x < y then (if y < z then 1 else 0) else 0) }";
        holds(three, Some(PLACE), Ask { eps: "1e-15", ..PLAIN }, "0.0666666666666666666666666666666");
        // 2/(2 + 3/t) - 2/(3 + 3/t)
        let scaled =
            "\\t => do { x <- sample (exponential 1); y <- sample (exponential 2); z <- sample (exponential 3);
                  return (if x < y then (if y < t*z then 1 else 0) else 0) }";
        let at = |order| Ask { at: Some("2"), order, ..PLAIN };
        holds(scaled, Some(PLACE), at(1), "0.04837490551776266061980347695");
        holds(scaled, Some(PLACE), at(2), "-0.02058812943166684663283302739");
        // Φ(-1/√(1 + t²)), and √(1 + t²) φ(1/√(1 + t²)) - Φ(-1/√(1 + t²))
        let line = "\\t => do { x <- sample (normal 0 1); y <- sample (normal 0 1); return (x + t*y - 1) }";
        holds(line, Some("\\z => if z > 0 then 1 else 0"), at(1), "0.06457369034861447402053269412");
        holds(line, Some("\\z => max 0 z"), at(1), "0.3228684517430723701026634706");
        holds(line, Some("\\z => max 0 z"), at(2), "0.05811632131375302661847942471");
    }

    /// The inner integral of y is 0 for every x, and y/x has no mean.
    #[test]
    fn what_cancels_before_it_is_divided_has_no_mean() {
        for guard in [
            "if y < 1 then (if y > -1 then y/x else 0) else 0",
            "if y < 1 then (if y > 0 then (y - 1/2)/x else 0) else 0",
        ] {
            for y in ["normal 0 1", "uniformOn (-1) 1"] {
                let model = format!("do {{ x <- sample (normal 0 1); y <- sample ({y}); return ({guard}) }}");
                let found = asked(&model, Some(PLACE), Ask { seconds: 2, ..PLAIN });
                let is_claimed = found.as_ref().is_ok_and(|answer| answer.enclosure.is_bounded());
                assert!(!is_claimed, "{model}: {:?}", found.map(|answer| answer.enclosure));
            }
        }
    }
}
