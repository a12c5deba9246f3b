//! Where towers and jets differ, and may; where they differed, and should not.

use super::comparison::{Comparison, compare};
use super::support::*;
use smoothish_laws::number::{Context, Function, Mpfr, Rational};
use smoothish_laws::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish_laws::smooth::tower::{Tower, TowerError, primitive};

#[test]
fn a_structural_zero_says_more() {
    // the tower multiplies ⊥ by a direction that is 0 (E42); jets do so only where the zero is a number like any other
    let (x, y, t) = (Variable::fresh(), Variable::fresh(), Variable::fresh());
    let (gx, gy, gt) = (Graph::variable(x), Graph::variable(y), Graph::variable(t));
    let root = |g: &Graph| Graph::function(Function::Sqrt, g);
    let plus_root = |g: &Graph| Graph::binary(Binary::Add, g, &root(&gx));
    let partial = Graph::derivative(vec![t], plus_root(&gt), vec![gy.clone()], vec![Graph::integer(1)]);
    let times_root = Graph::binary(Binary::Multiply, &gx, &root(&Graph::integer(0)));
    let cases = [
        (plus_root(&gy), vector(&[0, 0]), vec![vector(&[0, 1])], Comparison::Refines),
        (partial, vector(&[0, 0]), vec![], Comparison::Sharper),
        (times_root, vector(&[1, 0]), vec![vector(&[1, 0])], Comparison::Sharper),
    ];
    for (g, point, directions, expected) in cases {
        let tower = derivative(&map(Tower::of_graph(&g, &[x, y])), &point, &directions);
        let jet = derivative(&map(Tower::by_jets(&[g], &[x, y])), &point, &directions);
        assert_bottom(&tower, "tower");
        assert_eq!(compare(&tower, &jet), expected);
    }
}

/// A derivative at a point that does not exist: `linear(f)⁽¹⁾(⊥; v) = f v` does not look at the point; a derivative node of
/// the jets is defined only where its body is.
#[test]
fn jets_are_stricter_about_points_that_do_not_exist() {
    let (x, u) = (Variable::fresh(), Variable::fresh());
    let nowhere = Graph::function(Function::Log, &Graph::variable(x));
    let minus = Graph::unary(Unary::Negate, &Graph::variable(u));
    let node = Graph::derivative(vec![u], minus, vec![nowhere], vec![Graph::integer(1)]);
    let tower = derivative(&map(Tower::of_graph(&node, &[x])), &vector(&[-1]), &[]);
    let jet = derivative(&map(Tower::by_jets(&[node], &[x])), &vector(&[-1]), &[]);
    assert_identical(&tower, &number(-1, 1), "tower");
    assert_identical(&jet, &context().mark_undefined(number(-1, 1)), "jet");
    assert_eq!(compare(&tower, &jet), Comparison::Stricter);
}

#[test]
fn powers_are_as_smooth_at_zero_as_they_should_be() {
    // x^{4/3} is C¹ with derivative (4/3)·x^{1/3}: dividing by the base would answer ⊥
    let x = Variable::fresh();
    let at = |p: i64, q: i64, x0: Num, k: usize| {
        let power = Graph::power(&Graph::variable(x), &Rational::from((p, q))).unwrap();
        derivative(&map(Tower::by_jets(&[power], &[x])), &[x0], &vec![vector(&[1]); k])
    };
    assert_identical(&at(4, 3, number(0, 1), 1), &number(0, 1), "x^{4/3}");
    assert_bottom(&at(4, 3, number(0, 1), 2), "x^{4/3}");
    assert_identical(&at(7, 3, number(0, 1), 2), &number(0, 1), "x^{7/3}");
    assert_bottom(&at(7, 3, number(0, 1), 3), "x^{7/3}");
    assert_bottom(&at(3, 2, number(0, 1), 1), "x^{3/2}");
    assert_bottom(&at(1, 3, number(0, 1), 1), "x^{1/3}");
    // and on a box as tight as the formula: the derivatives of x³ on [1, 2] are 3x², 6x, 6
    for (k, lo, hi) in [(1, 3, 12), (2, 6, 12), (3, 6, 6), (4, 0, 0)] {
        assert_identical(&at(3, 1, interval(1, 2), k), &interval(lo, hi), &format!("x³, order {k}"));
    }
    let slope = at(3, 2, interval(1, 4), 1);
    let expected = context().hull(&number(3, 2), &number(3, 1));
    assert!(contains(&slope, &expected) && contains(&expected, &slope), "x^{{3/2}}: {}", show(&slope));
}

#[test]
fn a_wrong_tower_is_caught_by_the_jets() {
    let (x, y) = (Variable::fresh(), Variable::fresh());
    let max = Graph::binary(Binary::Maximum, &Graph::variable(x), &Graph::variable(y));
    let jets = map(Tower::by_jets(&[max], &[x, y]));
    let right: Map = primitive::maximum();
    // max⁽¹⁾ = dx always; 0 at order 2, on the diagonal too
    let wrong = Tower::new(2, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        match vs {
            [] => right.value_at(x, c),
            [v] => Ok(vec![v[0].clone()]),
            _ => Ok(vec![c.enclose_integer(0)]),
        }
    });
    let v = [vector(&[1, 2]), vector(&[3, 4])];
    let verdict = |x: &[i64], k: usize| {
        compare(&derivative(&wrong, &vector(x), &v[..k]), &derivative(&jets, &vector(x), &v[..k]))
    };
    assert_eq!(verdict(&[2, 1], 1), Comparison::Refines);
    assert_eq!(verdict(&[1, 2], 1), Comparison::Disjoint);
    assert_eq!(verdict(&[1, 1], 1), Comparison::Wider);
    assert_eq!(verdict(&[1, 1], 2), Comparison::Wider);
}
