//! Tests of `smooth::exact`: enclosures contain the exact values, and formal differentiation gives the same.

use smoothish_ad::number::budget::Budget;
use smoothish_ad::number::{Accuracy, Rational};
use smoothish_ad::random::SplitMix64;
use smoothish_ad::smooth::exact::exact_value;
use smoothish_ad::smooth::graph::{Binary, Graph, Guard, NodeOperation, Unary, Variable};
use std::sync::Arc;

fn q(p: i64, d: i64) -> Rational {
    Rational::from((p, d))
}

fn power(a: &Graph, n: i64) -> Graph {
    Graph::power(a, &Rational::from(n)).unwrap()
}

/// The derivative of order n of `body` at a point, one order after another.
fn nested(x: Variable, body: &Graph, order: usize, at: &Graph) -> Graph {
    let mut derivative = body.clone();
    for _ in 1..order {
        let y = Variable::fresh();
        let inner = derivative.substitute(&[(x, Graph::variable(y))]);
        derivative = Graph::partial(vec![y], inner, vec![Graph::variable(x)], 0);
    }
    Graph::partial(vec![x], derivative, vec![at.clone()], 0)
}

/// The expected values are those of sympy: `diff(f, x, n).subs(x, a)`.
#[test]
fn derivatives_of_rational_functions_are_exact() {
    let x = Variable::fresh();
    let v = Graph::variable(x);
    let rational = Graph::binary(Binary::Divide, &power(&v, 5), &Graph::binary(Binary::Add, &Graph::integer(1), &v));
    let two = Graph::integer(2);
    for (order, expected) in [(1, q(208, 9)), (2, q(1024, 27)), (3, q(1136, 27)), (4, q(1936, 81)), (5, q(40, 243))] {
        assert_eq!(exact_value(&nested(x, &rational, order, &two)), Some(expected), "order {order}");
    }
}

/// Where a kink or a border is met, or a divisor is 0, nothing is exact but a value without a derivative.
#[test]
fn kinks_have_exact_values_and_no_exact_slopes() {
    let x = Variable::fresh();
    let v = Graph::variable(x);
    let zero = Graph::integer(0);
    let absolute = Graph::unary(Unary::Abs, &v);
    let ramp = Graph::binary(Binary::Maximum, &v, &zero);
    let step = Graph::select(&Guard::positive(&v), &power(&v, 2), &v);
    for body in [&absolute, &ramp] {
        assert_eq!(exact_value(&body.substitute(&[(x, zero.clone())])), Some(q(0, 1)), "{body:?}");
        assert_eq!(exact_value(&Graph::partial(vec![x], body.clone(), vec![zero.clone()], 0)), None, "{body:?}");
    }
    assert_eq!(exact_value(&step.substitute(&[(x, zero.clone())])), None);
    assert_eq!(exact_value(&Graph::partial(vec![x], step.clone(), vec![Graph::integer(-3)], 0)), Some(q(1, 1)));
    assert_eq!(exact_value(&Graph::partial(vec![x], step, vec![Graph::integer(3)], 0)), Some(q(6, 1)));
    assert_eq!(exact_value(&Graph::unary(Unary::Signum, &zero)), None);
    assert_eq!(exact_value(&Graph::binary(Binary::Divide, &zero, &zero)), None);
    assert_eq!(exact_value(&v), None);
}

/// `D (u ↦ D (w ↦ u·w) (u) · 1) (x) · 1 = 1`: the inner derivative holds u fixed, so perturbations are not confused.
#[test]
fn perturbations_are_not_confused() {
    let (u, w) = (Variable::fresh(), Variable::fresh());
    let product = Graph::binary(Binary::Multiply, &Graph::variable(u), &Graph::variable(w));
    let inner = Graph::partial(vec![w], product, vec![Graph::variable(u)], 0);
    assert_eq!(exact_value(&Graph::partial(vec![u], inner, vec![Graph::integer(7)], 0)), Some(q(1, 1)));
}

/// A random graph of the operations that are exact, with variables of a scope.
fn draw_graph(random: &mut SplitMix64, scope: &[Variable], size: usize) -> Graph {
    let part = |random: &mut SplitMix64| draw_graph(random, scope, size.saturating_sub(1) / 2);
    if size <= 1 {
        return match random.next_below(3) {
            0 => Graph::rational(q(random.next_below(13) as i64 - 6, random.next_below(5) as i64 + 1)),
            _ if scope.is_empty() => Graph::integer(random.next_below(7) as i64 - 3),
            _ => Graph::variable(*random.pick(scope)),
        };
    }
    match random.next_below(12) {
        operation @ 0..=5 => {
            let (a, b) = (part(random), part(random));
            let binary =
                [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Maximum, Binary::Minimum];
            Graph::binary(binary[operation], &a, &b)
        }
        6 => power(&part(random), *random.pick(&[-2, -1, 2, 3])),
        7 => Graph::unary(*random.pick(&[Unary::Abs, Unary::Negate]), &part(random)),
        8 => {
            let guard = Guard::less_than(&part(random), &part(random));
            let (then, otherwise) = (part(random), part(random));
            Graph::select(&guard, &then, &otherwise)
        }
        _ => {
            let (at, along) = (part(random), part(random));
            let bound = Variable::fresh();
            let inner: Vec<Variable> = scope.iter().copied().chain([bound]).collect();
            let body = draw_graph(random, &inner, size.saturating_sub(1));
            Graph::derivative(vec![bound], body, vec![at], vec![along])
        }
    }
}

fn has_derivative(graph: &Graph) -> bool {
    let operation = graph.operation();
    matches!(operation, NodeOperation::Derivative(_)) || operation.operands().into_iter().any(has_derivative)
}

/// An exact value lies in every enclosure of the number; two thirds of the random graphs have one, a third of these with a derivative.
#[test]
fn exact_values_lie_in_enclosures() {
    let (mut exact, mut undefined, mut derivatives) = (0, 0, 0);
    let samples = 3000;
    for seed in 0..samples {
        let graph = draw_graph(&mut SplitMix64::new(seed), &[], 9);
        let budget = Arc::new(Budget::new(100_000, None, None));
        let found = graph.to_real().unwrap().enclose_to(&Accuracy::within(q(1, 1_000_000_000)), &budget).unwrap();
        match exact_value(&graph) {
            None => undefined += usize::from(!found.enclosure.is_defined()),
            Some(value) => {
                assert!(
                    found.enclosure.is_defined() && found.enclosure.contains(&value),
                    "seed {seed}: {graph:?}: {value}"
                );
                exact += 1;
                derivatives += usize::from(has_derivative(&graph));
            }
        }
    }
    println!(
        "{exact} exact, {derivatives} of them with derivatives; {undefined} of the others are undefined; {samples} samples"
    );
    assert!(exact * 3 >= samples as usize * 2 && derivatives * 3 >= exact, "{exact} {derivatives} {undefined}");
}
