//! Towers of graphs (S Fig. 4).

use super::support::*;
use smoothish_laws::number::arithmetic::Extension;
use smoothish_laws::number::{Context, Double, Function, Interval, Mpfr, Rational};
use smoothish_laws::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish_laws::smooth::primitive::Primitive;
use smoothish_laws::smooth::tower::{Tower, TowerError};
use std::sync::Arc;

fn of(g: &Graph, inputs: &[Variable]) -> Map {
    map(Tower::of_graph(g, inputs))
}

#[test]
fn an_unknown_variable_has_no_tower() {
    let (x, t) = (Variable::fresh(), Variable::fresh());
    let body = Graph::binary(Binary::Subtract, &Graph::variable(x), &Graph::variable(t));
    let unbound = Tower::<Mpfr>::of_graph(&body, &[x]).unwrap_err();
    assert!(matches!(unbound, TowerError::Unbound { variable } if variable == t));
    assert!(matches!(Tower::<Mpfr>::by_jets(&[body], &[x]), Err(TowerError::Unbound { .. })));
}

#[test]
fn every_operation_has_its_meaning() {
    let (x, y) = (Variable::fresh(), Variable::fresh());
    let (gx, gy) = (Graph::variable(x), Graph::variable(y));
    let c = context();
    let (a, b) = (number(3, 8), number(-5, 4));
    let point = [a.clone(), b.clone()];
    let cases = [
        (Graph::binary(Binary::Add, &gx, &gy), c.add(&a, &b)),
        (Graph::binary(Binary::Subtract, &gx, &gy), c.sub(&a, &b)),
        (Graph::binary(Binary::Multiply, &gx, &gy), c.mul(&a, &b)),
        (Graph::binary(Binary::Divide, &gx, &gy), c.div(&a, &b)),
        (Graph::binary(Binary::Maximum, &gx, &gy), a.clone()),
        (Graph::binary(Binary::Minimum, &gx, &gy), b.clone()),
        (Graph::unary(Unary::Negate, &gx), c.neg(&a)),
        (Graph::unary(Unary::Abs, &gy), c.neg(&b)),
        (Graph::unary(Unary::Signum, &gy), number(-1, 1)),
        (Graph::function(Function::Tan, &gx), c.apply_function(Function::Tan, &a)),
        (Graph::power(&gx, &Rational::from((2, 3))).unwrap(), c.square(&c.root(&a, 3))),
        (Graph::pi(), c.pi()),
        (Graph::euler(), c.enclose_euler()),
        (Graph::rational(Rational::from((1, 3))), number(1, 3)),
    ];
    for (g, expected) in cases {
        assert_same(&derivative(&of(&g, &[x, y]), &point, &[]), &expected, &format!("{:?}", g.operation()));
    }
}

#[test]
fn derivative_nodes_are_primes() {
    // d/dt sin(t·y) at t = x², along x: y cos(x² y)·x
    let (x, y, t) = (Variable::fresh(), Variable::fresh(), Variable::fresh());
    let [gx, gy, gt] = [x, y, t].map(Graph::variable);
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let node = Graph::derivative(
        vec![t],
        Graph::function(Function::Sin, &times(&gt, &gy)),
        vec![times(&gx, &gx)],
        vec![gx.clone()],
    );
    let closed = times(&times(&gy, &gx), &Graph::function(Function::Cos, &times(&times(&gx, &gx), &gy)));
    let (left, right) = (of(&node, &[x, y]), of(&closed, &[x, y]));
    let point = [number(3, 8), number(-5, 4)];
    let directions = [[1, 2], [-3, 1], [2, 5]].map(|v| vector(&v));
    for k in 0..=3 {
        let (a, b) = (derivative(&left, &point, &directions[..k]), derivative(&right, &point, &directions[..k]));
        assert_same(&a, &b, &format!("order {k}"));
    }
}

#[test]
fn nested_derivative_nodes_reach_higher_orders() {
    // the kth derivative of exp(2x) by k nested nodes is 2ᵏ exp(2x); the bound variable has the name of the input
    let x = Variable::fresh();
    let g = Graph::variable(x);
    let mut nest = Graph::function(Function::Exp, &Graph::binary(Binary::Multiply, &Graph::integer(2), &g));
    let c = context();
    let point = number(1, 4);
    let value = c.apply_function(Function::Exp, &number(1, 2));
    for k in 0..=4 {
        assert_same(&along_one(&of(&nest, &[x]), &point, 0), &c.mul_integer(&value, 1 << k), &format!("{k} nodes"));
        assert_same(
            &along_one(&of(&nest, &[x]), &point, 1),
            &c.mul_integer(&value, 2 << k),
            &format!("{k} nodes, order 1"),
        );
        nest = Graph::derivative(vec![x], nest, vec![g.clone()], vec![Graph::integer(1)]);
    }
}

#[test]
fn a_derivative_of_relu_is_a_step() {
    let (x, t) = (Variable::fresh(), Variable::fresh());
    let relu = Graph::binary(Binary::Maximum, &Graph::variable(t), &Graph::integer(0));
    let step = Graph::derivative(vec![t], relu, vec![Graph::variable(x)], vec![Graph::integer(1)]);
    let step = of(&step, &[x]);
    assert_identical(&along_one(&step, &number(0, 1), 0), &interval(0, 1), "on the kink");
    assert_bottom(&along_one(&step, &number(0, 1), 1), "on the kink");
    assert_identical(&along_one(&step, &number(1, 1), 0), &number(1, 1), "beside it");
    assert_identical(&along_one(&step, &number(1, 1), 1), &number(0, 1), "beside it");
}

/// log(1 + eˣ), with the derivative 1/(1 + e⁻ˣ).
struct Softplus;

impl Softplus {
    fn value<C: Context>(c: &C, x: &C::Num) -> C::Num {
        c.apply_function(Function::Log, &c.add(&c.enclose_integer(1), &c.apply_function(Function::Exp, x)))
    }
}

impl Extension for Softplus {
    fn eval_double(&self, c: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        Self::value(c, &x[0])
    }

    fn eval_mpfr(&self, c: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        Self::value(c, &x[0])
    }
}

fn softplus() -> Arc<Primitive> {
    // 1/(1 + e⁻ˣ) = exp(-softplus(-x)): the derivative mentions the primitive itself
    Primitive::fold_der("softplus", 1, Arc::new(Softplus), |x, v| {
        let minus = |g: &Graph| Graph::unary(Unary::Negate, g);
        let inner = Graph::primitive(&softplus(), vec![minus(&x[0])]);
        Graph::binary(Binary::Multiply, &Graph::function(Function::Exp, &minus(&inner)), &v[0])
    })
}

#[test]
fn primitives_from_outside_have_towers() {
    let x = Variable::fresh();
    let g = Graph::variable(x);
    let left = Graph::primitive(&softplus(), vec![Graph::binary(Binary::Multiply, &g, &g)]);
    let exp = Graph::function(Function::Exp, &Graph::binary(Binary::Multiply, &g, &g));
    let right = Graph::function(Function::Log, &Graph::binary(Binary::Add, &Graph::integer(1), &exp));
    let (left, right) = (of(&left, &[x]), of(&right, &[x]));
    for k in 0..=5 {
        assert_same(&along_one(&left, &number(3, 8), k), &along_one(&right, &number(3, 8), k), &format!("order {k}"));
    }
    let two_arguments = Graph::primitive(&softplus(), vec![g.clone(), g]);
    assert!(matches!(Tower::<Mpfr>::of_graph(&two_arguments, &[x]), Err(TowerError::Dimension { .. })));
}

/// √(x² + y²), with the derivative (x dx + y dy)/√(x² + y²).
struct Distance;

impl Distance {
    fn value<C: Context>(c: &C, x: &[C::Num]) -> C::Num {
        c.apply_function(Function::Sqrt, &c.add(&c.square(&x[0]), &c.square(&x[1])))
    }
}

impl Extension for Distance {
    fn eval_double(&self, c: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        Self::value(c, x)
    }

    fn eval_mpfr(&self, c: &Mpfr, x: &[Num]) -> Num {
        Self::value(c, x)
    }
}

fn distance() -> Arc<Primitive> {
    Primitive::fold_der("distance", 2, Arc::new(Distance), |x, v| {
        let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
        let sum = Graph::binary(Binary::Add, &times(&x[0], &v[0]), &times(&x[1], &v[1]));
        Graph::binary(Binary::Divide, &sum, &Graph::primitive(&distance(), x.to_vec()))
    })
}

#[test]
fn the_jets_of_a_primitive_from_outside_are_those_of_its_tower() {
    let (x, y) = (Variable::fresh(), Variable::fresh());
    let (gx, gy) = (Graph::variable(x), Graph::variable(y));
    let inner = Graph::primitive(&softplus(), vec![Graph::binary(Binary::Multiply, &gx, &gy)]);
    let graph = Graph::primitive(&distance(), vec![Graph::function(Function::Sin, &gx), inner.clone()]);
    let square = |g: &Graph| Graph::binary(Binary::Multiply, g, g);
    let sum = Graph::binary(Binary::Add, &square(&Graph::function(Function::Sin, &gx)), &square(&inner));
    let closed = of(&Graph::function(Function::Sqrt, &sum), &[x, y]);
    let (tower, jets) = (of(&graph, &[x, y]), map(Tower::by_jets(&[graph], &[x, y])));
    let directions = [[1, 2], [-3, 1], [2, 5], [1, -1]].map(|v| vector(&v));
    for k in 0..=4 {
        let at = |f: &Map| derivative(f, &[number(3, 8), number(-5, 4)], &directions[..k]);
        assert_same(&at(&tower), &at(&closed), &format!("tower, order {k}"));
        assert_same(&at(&jets), &at(&closed), &format!("jets, order {k}"));
    }
    // the distance is not differentiable at 0: its derivative divides by itself
    let plain = Graph::primitive(&distance(), vec![gx, gy]);
    for f in [of(&plain, &[x, y]), map(Tower::by_jets(&[plain], &[x, y]))] {
        assert_bottom(&derivative(&f, &vector(&[0, 0]), &[vector(&[1, 0])]), "at 0");
    }
}

#[test]
fn a_derivative_rule_is_built_when_it_is_needed() {
    let strange = Primitive::fold_der("strange", 1, Arc::new(Softplus), |x, v| {
        // the rule mentions a variable that is no input
        let unknown = Graph::binary(Binary::Multiply, &Graph::variable(Variable::fresh()), &x[0]);
        Graph::binary(Binary::Multiply, &unknown, &v[0])
    });
    let x = Variable::fresh();
    let tower = of(&Graph::primitive(&strange, vec![Graph::variable(x)]), &[x]);
    let c = context();
    assert!(tower.value_at(&vector(&[1]), &c).is_ok());
    let error = tower.derivative(&vector(&[1]), &[vector(&[1])], &c).unwrap_err();
    assert!(matches!(error, TowerError::Unbound { .. }), "{error}");
}

#[test]
fn towers_run_in_the_fast_tier_too() {
    let x = Variable::fresh();
    let g = Graph::variable(x);
    let sine = Graph::function(Function::Sin, &Graph::binary(Binary::Multiply, &g, &g));
    let tower: Tower<Double> = Tower::of_graph(&sine, &[x]).unwrap();
    let one = vec![Double.enclose_integer(1)];
    let second = tower.derivative(&one, &[one.clone(), one.clone()], &Double).unwrap();
    let expected = 2.0 * 1f64.cos() - 4.0 * 1f64.sin();
    assert!((Double.to_enclosure(&second[0]).lo().to_f64() - expected).abs() < 1e-12);
}
