//! Choices by guards: values, slopes and integrals on both sides of a border, and ⊥ on it.
//!
//! Expected values are closed forms of the pieces; the literal tower is the second opinion where it has one.

use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::real::Precision;
use smoothish_ad::number::{Context, Double, Enclosure, Function, Rational, Sign};
use smoothish_ad::smooth::error::SmoothError;
use smoothish_ad::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use smoothish_ad::smooth::map::{Map, MapError, MapGuard as Condition, coordinates};
use smoothish_ad::smooth::tower::Tower;
use typenum::{U1, U2};

fn q(n: i64, d: i64) -> Rational {
    Rational::from((n, d))
}

fn number(n: i64, d: i64) -> Graph {
    Graph::rational(q(n, d))
}

fn sum(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

fn difference(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Subtract, a, b)
}

fn product(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

fn square(a: &Graph) -> Graph {
    product(a, a)
}

/// `if a < b then 1 else 0`
fn step(a: &Graph, b: &Graph) -> Graph {
    Graph::select(&Guard::less_than(a, b), &Graph::integer(1), &Graph::integer(0))
}

/// A function of one variable, made from it.
fn of(body: impl Fn(&Graph) -> Graph) -> (Variable, Graph) {
    let v = Variable::fresh();
    (v, body(&Graph::variable(v)))
}

fn integral(body: impl Fn(&Graph) -> Graph) -> Graph {
    let (v, body) = of(body);
    Graph::integral(v, body)
}

/// The derivative of some order of a function of one variable.
fn derived((v, body): &(Variable, Graph), order: u32, at: &Graph) -> Graph {
    if order == 0 {
        return body.substitute(&[(*v, at.clone())]);
    }
    let inner = Variable::fresh();
    let body = derived(&(*v, body.clone()), order - 1, &Graph::variable(inner));
    Graph::derivative(vec![inner], body, vec![at.clone()], vec![Graph::integer(1)])
}

fn asked(g: &Graph, eps: &Rational) -> Result<(Enclosure, bool), SmoothError> {
    let answer = g.to_real()?.enclose(eps, &Budget::unlimited())?;
    Ok((answer.enclosure, answer.reached))
}

/// The number to 1e-6, and to 1e-40, which the doubles do not reach.
fn is(g: &Graph, expected: &Rational) {
    for eps in [q(1, 1_000_000), Rational::from(1) >> 132] {
        let (enclosure, reached) = asked(g, &eps).unwrap();
        assert!(reached && enclosure.contains(expected), "{enclosure}, not {expected}");
    }
}

fn is_undefined(g: &Graph) {
    let (enclosure, reached) = asked(g, &q(1, 1000)).unwrap();
    assert!(!reached && enclosure.is_bottom(), "{enclosure}");
}

#[test]
fn a_choice_is_the_side_that_is_taken_and_nothing_on_the_border() {
    // x² for x < 1/3, 2 - x for x > 1/3
    let f = of(|x| Graph::select(&Guard::less_than(x, &number(1, 3)), &square(x), &difference(&number(2, 1), x)));
    let derivatives = |order, at: &Graph, expected: &Rational| is(&derived(&f, order, at), expected);
    for (order, left, right) in
        [(0, q(1, 16), q(3, 2)), (1, q(1, 2), q(-1, 1)), (2, q(2, 1), q(0, 1)), (3, q(0, 1), q(0, 1))]
    {
        derivatives(order, &number(1, 4), &left);
        derivatives(order, &number(1, 2), &right);
        is_undefined(&derived(&f, order, &number(1, 3)));
    }
}

#[test]
fn an_undecided_guard_keeps_the_range_of_the_value_and_claims_nothing() {
    let x = Map::<U1, U1>::id();
    let f = x.positive().select(&(&x + 2), &(&x - 5));
    let budget = Budget::unlimited();
    for tier in [Precision::Double, Precision::Mpfr(200)] {
        let on = |lo: i64, hi: i64| f.range([[q(lo, 1), q(hi, 1)]], tier, &budget).unwrap().remove(0);
        assert!(on(1, 2).is_defined() && on(1, 2).contains(&q(3, 1)) && on(1, 2).has_width_at_most(&q(2, 1)));
        assert!(on(-2, -1).contains(&q(-7, 1)) && on(-2, -1).has_width_at_most(&q(2, 1)));
        assert!(on(-1, 1).is_bottom());
        let slope =
            |lo: i64, hi: i64| f.derivative_over(&[[q(lo, 1), q(hi, 1)]], tier, &budget).unwrap().remove(0).remove(0);
        assert!(slope(1, 2).contains(&q(1, 1)) && slope(1, 2).is_point());
        assert!(slope(-1, 1).is_bottom());
    }
}

#[test]
fn the_same_on_both_sides_is_still_nothing_on_the_border() {
    let f = of(|x| Graph::select(&Guard::positive(x), x, x));
    is_undefined(&derived(&f, 0, &number(0, 1)));
    is_undefined(&derived(&f, 1, &number(0, 1)));
    is(&derived(&f, 1, &number(-1, 7)), &q(1, 1));
}

#[test]
fn the_side_that_is_not_taken_does_not_count() {
    let broken = || {
        let (v, body) = of(Graph::clone);
        Graph::cut_root(v, body) // x ↦ x rises
    };
    assert!(asked(&broken(), &q(1, 1000)).is_err());
    let root = |x: &Graph| Graph::function(Function::Sqrt, x);
    let f = of(|x| Graph::select(&Guard::positive(x), &root(x), &sum(&broken(), &root(x))));
    is(&derived(&f, 0, &number(9, 4)), &q(3, 2));
    is(&derived(&f, 1, &number(1, 4)), &q(1, 1));
    assert!(asked(&derived(&f, 0, &number(-1, 1)), &q(1, 1000)).is_err());
    // nor where it could be computed outside of a function that does not need it
    let g = integral(|u| Graph::select(&Guard::less_than(&number(2, 1), u), &broken(), u));
    is(&g, &q(1, 2));
    let h = integral(|u| Graph::select(&Guard::less_than(&number(2, 1), u), &root(&number(-1, 1)), u));
    is(&h, &q(1, 2));
    // nor inside of another side that is not taken
    let inner = Graph::select(&Guard::positive(&number(1, 1)), &broken(), &number(3, 1));
    is(&Graph::select(&Guard::positive(&number(-1, 1)), &inner, &number(5, 1)), &q(5, 1));
    // but what both sides need is needed
    let both = Graph::select(&Guard::positive(&number(1, 1)), &broken(), &broken());
    assert!(asked(&both, &q(1, 1000)).is_err());
}

#[test]
fn an_integral_sees_its_border_move() {
    // ∫₀¹ [u < t] du = t
    let area = of(|t| integral(|u| step(u, t)));
    let at = number(3, 10);
    is(&derived(&area, 0, &at), &q(3, 10));
    is(&derived(&area, 1, &at), &q(1, 1));
    is(&derived(&area, 2, &at), &q(0, 1));
    // ∫₀ᵗ u² du + ∫ₜ¹ 2u du = t³/3 + 1 - t²
    let f = of(|t| integral(|u| Graph::select(&Guard::less_than(u, t), &square(u), &product(&number(2, 1), u))));
    is(&derived(&f, 0, &at), &q(919, 1000));
    is(&derived(&f, 1, &at), &q(9 - 60, 100));
    is(&derived(&f, 2, &at), &q(6 - 20, 10));
    is(&derived(&f, 3, &at), &q(2, 1));
    // a border that is no line: ∫₀¹ [u² < t] du = √t
    let f = of(|t| integral(|u| step(&square(u), t)));
    is(&derived(&f, 0, &number(1, 4)), &q(1, 2));
    is(&derived(&f, 1, &number(1, 4)), &q(1, 1));
    is(&derived(&f, 2, &number(1, 4)), &q(-2, 1));
}

#[test]
fn borders_may_coincide_or_lie_at_the_ends() {
    let zero = number(0, 1);
    is(&integral(|u| step(&zero, u)), &q(1, 1));
    is(&integral(|u| step(u, &number(1, 1))), &q(1, 1));
    // [u < t] + 2u[t < u] + 4[2u < 2t]: t + 1 - t² + 4t
    let twice = |a: &Graph| product(&number(2, 1), a);
    let f = of(|t| {
        integral(|u| {
            let first = sum(&step(u, t), &product(&twice(u), &step(t, u)));
            sum(&first, &product(&number(4, 1), &step(&twice(u), &twice(t))))
        })
    });
    let at = number(1, 2);
    is(&derived(&f, 0, &at), &q(13, 4));
    is(&derived(&f, 1, &at), &q(4, 1));
    is(&derived(&f, 2, &at), &q(-2, 1));
    // the border leaves [0, 1]: slopes from the two sides are 1 and 0, and nothing is claimed
    let area = of(|t| integral(|u| step(u, t)));
    for outside in [number(-1, 1), number(2, 1)] {
        is(&derived(&area, 1, &outside), &q(0, 1));
    }
    for end in [zero, number(1, 1)] {
        let (slope, _) = asked(&derived(&area, 1, &end), &q(1, 1000)).unwrap();
        assert!(slope.contains(&q(0, 1)) && slope.contains(&q(1, 1)), "{slope}");
    }
}

#[test]
fn guards_join_as_in_kleenes_logic() {
    // ∫ [a < u ∧ u < b] = b - a, ∫ [u < a ∨ b < u] = 1 - (b - a), and the same by ¬
    let [a, b] = [number(1, 3), number(5, 7)];
    let inside = |u: &Graph, a: &Graph, b: &Graph| Guard::less_than(a, u).and(&Guard::less_than(u, b));
    let chosen = |guard: &Guard| Graph::select(guard, &number(1, 1), &number(0, 1));
    let f = |a: &Graph, b: &Graph| integral(|u| chosen(&inside(u, a, b)));
    is(&f(&a, &b), &q(8, 21));
    is(&derived(&of(|a| f(a, &b)), 1, &a), &q(-1, 1));
    is(&derived(&of(|b| f(&a, b)), 1, &b), &q(1, 1));
    is(&integral(|u| chosen(&Guard::less_than(u, &a).or(&Guard::less_than(&b, u)))), &q(13, 21));
    is(&integral(|u| chosen(&inside(u, &a, &b).not())), &q(13, 21));
    is(
        &integral(|u| chosen(&Guard::less_than(&a, u).choose(&Guard::less_than(u, &b), &Guard::constant(false)))),
        &q(8, 21),
    );

    let budget = Budget::unlimited();
    let decided = |guard: &Guard| guard.decide(&budget).unwrap().sign;
    let (yes, no, border) = (Guard::constant(true), Guard::constant(false), Guard::positive(&number(0, 1)));
    let table = [
        (yes.and(&yes), Sign::Positive),
        (yes.and(&border), Sign::Undecided),
        (no.and(&border), Sign::Negative),
        (yes.or(&border), Sign::Positive),
        (no.or(&border), Sign::Undecided),
        (no.or(&no), Sign::Negative),
        (border.not(), Sign::Undecided),
        (no.not(), Sign::Positive),
        (border.choose(&yes, &yes), Sign::Undecided),
        (no.choose(&border, &yes), Sign::Positive),
    ];
    for (i, (guard, expected)) in table.iter().enumerate() {
        assert_eq!(decided(guard), *expected, "row {i}");
    }
    // the side of a choice that is not taken need not exist, the side of a connective must
    let root = Guard::positive(&Graph::function(Function::Sqrt, &number(-1, 1)));
    assert_eq!(decided(&no.choose(&root, &no)), Sign::Negative);
    assert_eq!(decided(&no.and(&root)), Sign::Undecided);
}

#[test]
fn a_closed_guard_is_decided_as_far_as_numbers_can_be() {
    let budget = Budget::unlimited();
    let decided = |guard: &Guard| guard.decide(&budget).unwrap();
    let root = Graph::function(Function::Sqrt, &number(2, 1));
    assert_eq!(decided(&Guard::less_than(&Graph::euler(), &Graph::pi())).sign, Sign::Positive);
    assert_eq!(decided(&Guard::less_than(&root, &number(7, 5))).sign, Sign::Negative);
    // √2·√2 < 2 lies on the border, and so does 1 < 1
    let limited = Budget::new(100_000, None, None);
    assert_eq!(Guard::less_than(&square(&root), &number(2, 1)).decide(&limited).unwrap().sign, Sign::Undecided);
    assert_eq!(decided(&Guard::less_than(&number(1, 1), &number(1, 1))).sign, Sign::Undecided);
    // 10⁻⁵⁰⁰ is positive
    let tiny = Graph::power(&number(1, 10), &q(500, 1)).unwrap();
    assert_eq!(decided(&Guard::positive(&difference(&sum(&number(1, 3), &tiny), &number(1, 3)))).sign, Sign::Positive);
}

#[test]
fn roots_and_maxima_claim_nothing_across_a_border() {
    let half = number(1, 2);
    // positive, then a root at 1/4, then a jump: the first root lies before it
    let (v, body) = of(|x| Graph::select(&Guard::less_than(x, &half), &difference(&number(1, 4), x), &number(5, 1)));
    is(&Graph::first_root(v, body), &q(1, 4));
    // a jump through 0 is no root that is known to be one
    let (v, body) = of(|x| Graph::select(&Guard::less_than(x, &number(1, 3)), &number(1, 1), &number(-1, 1)));
    let (enclosure, reached) = asked(&Graph::first_root(v, body), &q(1, 1000)).unwrap();
    assert!(!reached && enclosure.contains(&q(1, 3)), "{enclosure}");
    // nor is it a root of cutRoot, with a slope or without
    let cut = of(|c| {
        let (v, body) = of(|x| Graph::select(&Guard::less_than(x, c), &number(1, 1), &number(-1, 1)));
        Graph::cut_root(v, body)
    });
    is_undefined(&derived(&cut, 0, &number(1, 3)));
    is_undefined(&derived(&cut, 1, &number(1, 3)));
    // of a function that jumps elsewhere there is one
    let cut = of(|c| {
        let (v, body) = of(|x| Graph::select(&Guard::less_than(x, &number(0, 1)), &number(7, 1), &difference(c, x)));
        Graph::cut_root(v, body)
    });
    is(&derived(&cut, 0, &number(1, 3)), &q(1, 3));
    is(&derived(&cut, 1, &number(1, 3)), &q(1, 1));
    // sup 1/2 is not attained; and rising before a border and falling behind it is no maximum
    let falls = |x: &Graph| difference(&number(1, 4), x);
    for other in [number(0, 1), falls(&number(0, 1))] {
        let (v, body) = of(|x| Graph::select(&Guard::less_than(x, &half), x, &difference(&other, x)));
        is_undefined(&Graph::maximum(v, body.clone()));
        let (place, reached) = asked(&Graph::maximiser(v, body), &q(1, 1000)).unwrap();
        assert!(!reached, "{place}");
    }
    // a guard that is decided everywhere hides nothing: max of x(1-x) with a moving guard far away
    let far = of(|c| {
        let (v, body) =
            of(|x| Graph::select(&Guard::less_than(x, &sum(c, &number(2, 1))), &product(x, &difference(c, x)), x));
        Graph::maximum(v, body)
    });
    is(&derived(&far, 0, &number(1, 1)), &q(1, 4));
    is(&derived(&far, 1, &number(1, 1)), &q(1, 2));
}

#[test]
fn a_border_that_is_touched_is_not_crossed() {
    // (u - 1/3)² > 0 but at one point
    let guard = |u: &Graph| Guard::positive(&square(&difference(u, &number(1, 3))));
    let (enclosure, _) = asked(&integral(|u| Graph::select(&guard(u), u, &number(9, 1))), &q(1, 10)).unwrap();
    assert!(enclosure.contains(&q(1, 2)), "{enclosure}");
}

#[test]
fn choices_inside_choices_and_derivatives() {
    // f(x) = if x < 1 then (if x < 0 then -x else x²) else 2x, and g = f′ · x chosen by f
    let f = |x: &Graph| {
        let inner = Graph::select(&Guard::positive(x), &square(x), &Graph::unary(Unary::Negate, x));
        Graph::select(&Guard::less_than(x, &number(1, 1)), &inner, &product(&number(2, 1), x))
    };
    let slope = of(|x| {
        let (v, body) = of(f);
        let slope = Graph::derivative(vec![v], body, vec![x.clone()], vec![Graph::integer(1)]);
        Graph::select(&Guard::less_than(&f(x), &number(3, 1)), &product(&slope, x), &square(x))
    });
    for (at, value, change) in [
        (q(-1, 2), q(1, 2), q(-1, 1)),
        (q(1, 2), q(1, 2), q(2, 1)),
        (q(5, 4), q(5, 2), q(2, 1)),
        (q(3, 1), q(9, 1), q(6, 1)),
    ] {
        let at = Graph::rational(at);
        is(&derived(&slope, 0, &at), &value);
        is(&derived(&slope, 1, &at), &change);
    }
    for border in [q(0, 1), q(1, 1), q(3, 2)] {
        is_undefined(&derived(&slope, 0, &Graph::rational(border.clone())));
        is_undefined(&derived(&slope, 1, &Graph::rational(border)));
    }
}

#[test]
fn a_ladder_of_thousands_of_choices() {
    // x < 1/n ? 1 : x < 2/n ? 2 : …, with one square shared by all rungs
    let n = 3000;
    let x = Variable::fresh();
    let at = Graph::variable(x);
    let shared = square(&at);
    let rungs = (1..=n).rev().fold(number(0, 1), |rest, i| {
        Graph::select(&Guard::less_than(&at, &number(i, n)), &sum(&shared, &number(i, 1)), &rest)
    });
    let place = q(4001, 2 * n);
    let expected = Rational::from(&place * &place) + 2001;
    is(&rungs.substitute(&[(x, Graph::rational(place.clone()))]), &expected);
    is(&derived(&(x, rungs), 1, &Graph::rational(place.clone())), &(place * 2));
}

#[test]
fn substitution_renames_and_replaces_in_all_three_parts() {
    let [x, y] = [Variable::fresh(), Variable::fresh()];
    let [gx, gy] = [x, y].map(Graph::variable);
    let f = Graph::select(&Guard::positive(&gx), &sum(&gx, &gy), &gy);
    assert!(f.depends_on(x) && f.depends_on(y));
    let swapped = f.substitute(&[(x, gy.clone()), (y, gx.clone())]);
    let at = |g: &Graph, a: i64, b: i64| g.substitute(&[(x, number(a, 1)), (y, number(b, 1))]);
    is(&at(&f, 3, 4), &q(7, 1));
    is(&at(&f, -3, 4), &q(4, 1));
    is(&at(&swapped, -3, 4), &q(1, 1));
    is(&at(&swapped, 3, -4), &q(3, 1));
}

#[test]
fn maps_print_and_draw_their_choices() -> Result<(), MapError> {
    let [x, y]: [Map<U2, U1>; 2] = coordinates();
    let guard: Condition<U2> = x.less_than(&y).and(&x.positive().not());
    let f: Map<U2, U1> = guard.select(&(&x * &y), &(&x / &y));
    assert_eq!(f.to_string(), "\\x y => if min (y - x) (-x) > 0 then x * y else x / y");
    let twice = &f + &guard.select(&x, &y);
    assert_eq!(
        twice.to_string(),
        "\\x y => let s = min (y - x) (-x) in (if s > 0 then x * y else x / y) + (if s > 0 then x else y)"
    );
    assert!(f.picture().to_dot().contains("label = \"if\""));
    let at = f.at([q(-2, 1), q(3, 1)]).enclose(&q(1, 1000), &Budget::unlimited())?;
    assert!(at.components[0].enclosure.contains(&q(-6, 1)));
    Ok(())
}

#[test]
fn the_tower_agrees() {
    let v = Variable::fresh();
    let x = Graph::variable(v);
    let pieces = [
        Graph::select(&Guard::less_than(&x, &number(1, 2)), &square(&x), &Graph::function(Function::Sin, &x)),
        Graph::select(
            &Guard::positive(&Graph::function(Function::Sin, &x)),
            &Graph::function(Function::Sqrt, &x),
            &square(&x),
        ),
    ];
    for (i, g) in pieces.iter().enumerate() {
        for at in [-2, -1, 0, 1, 2] {
            for order in 0..4 {
                let tower: Tower<Double> = Tower::of_graph(g, &[v]).unwrap();
                let one = vec![Double.enclose_integer(1)];
                let directions = vec![one; order];
                let found = tower.derivative(&[Double.enclose_integer(at)], &directions, &Double).unwrap();
                let tower = Double.to_enclosure(&found[0]);
                let (jet, reached) =
                    asked(&derived(&(v, g.clone()), order as u32, &number(at, 1)), &q(1, 1000)).unwrap();
                assert_eq!(reached, tower.is_defined(), "map {i} at {at}, order {order}: {jet}, {tower}");
                assert!(jet.overlaps(&tower), "map {i} at {at}, order {order}: {jet}, {tower}");
            }
        }
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// `y·∫ ∫ [x² + z² < p²] dz dx` is yπp²/4 under whatever name z has.
    #[test]
    fn a_variable_that_is_bound_twice_is_two() {
        let [p, x, y] = [(); 3].map(|()| Variable::fresh());
        let [vp, vx, vy] = [p, x, y].map(Graph::variable);
        let disc = step(&sum(&square(&vx), &square(&vy)), &square(&vp));
        let body = Graph::integral(x, product(&vy, &Graph::integral(y, disc)));
        let at = vec![number(4, 5), Graph::integer(1)];
        let slope = Graph::derivative(vec![p, y], body, at, vec![Graph::integer(1), Graph::integer(0)]);
        let answer = slope.to_real().unwrap().enclose(&q(1, 1000), &Budget::new(400_000_000, None, None)).unwrap();
        // 0.4π
        assert!(answer.enclosure.contains(&q(1_256_637_061, 1_000_000_000)), "{}", answer.enclosure);
    }
}
