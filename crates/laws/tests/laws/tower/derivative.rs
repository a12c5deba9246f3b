//! foldDer and ′ (S §4.3, §4.3.3, §4.3.4; S19, S25, S26).

use super::sample::{Draw, SplitMix64, kinked_map, smooth_map};
use super::support::*;
use smoothish_laws::number::{Context, Function, Mpfr, Rational};
use smoothish_laws::smooth::graph::{Binary, Graph, Variable};
use smoothish_laws::smooth::tower::{LinearMap, Tower, TowerError, primitive};
use std::cell::OnceCell;
use std::rc::Rc;

/// A lazy stream: what a tower is an analogue of.
struct Stream<T> {
    head: T,
    tail: OnceCell<Rc<Stream<T>>>,
    rest: Box<dyn Fn() -> Rc<Stream<T>>>,
}

fn cons<T>(head: T, rest: impl Fn() -> Rc<Stream<T>> + 'static) -> Rc<Stream<T>> {
    Rc::new(Stream { head, tail: OnceCell::new(), rest: Box::new(rest) })
}

impl<T> Stream<T> {
    fn tail(&self) -> Rc<Self> {
        self.tail.get_or_init(&self.rest).clone()
    }
}

fn mapped<T: Clone + 'static>(f: impl Fn(T) -> T + Clone + 'static, s: &Rc<Stream<T>>) -> Rc<Stream<T>> {
    let source = s.clone();
    cons(f(s.head.clone()), move || mapped(f.clone(), &source.tail()))
}

fn take<T: Clone>(mut s: Rc<Stream<T>>, n: usize) -> Vec<T> {
    let mut items = Vec::new();
    for _ in 0..n {
        items.push(s.head.clone());
        s = s.tail();
    }
    items
}

fn evens() -> Rc<Stream<u64>> {
    cons(0, || mapped(|n| n + 1, &odds()))
}

fn odds() -> Rc<Stream<u64>> {
    cons(1, || mapped(|n| n + 3, &evens()))
}

fn naturals() -> Rc<Stream<u64>> {
    cons(0, || mapped(|n| n + 1, &naturals()))
}

#[test]
fn streams_may_be_mutually_recursive() {
    assert_eq!(take(evens(), 20), (0..20).map(|n| 2 * n).collect::<Vec<_>>());
    assert_eq!(take(odds(), 20), (0..20).map(|n| 2 * n + 1).collect::<Vec<_>>());
    assert_eq!(take(naturals(), 20), (0..20).collect::<Vec<_>>());
    // Stream(A) ≅ A × Stream(A)
    let s = naturals();
    let again = cons(s.head, move || s.tail());
    assert_eq!(take(again, 20), take(naturals(), 20));
}

/// A family whose values tell point, order and directions apart.
fn labels() -> Map {
    Tower::new(1, 1, |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        let code = |x: &Num| show(x).lo().to_f64() as i64;
        let sum = vs.iter().map(|v| (SplitMix64::new(code(&v[0]) as u64).next() >> 40) as i64).sum::<i64>();
        Ok(vec![
            c.enclose_integer((SplitMix64::new((sum + 31 * code(&x[0])) as u64 ^ vs.len() as u64).next() >> 40) as i64),
        ])
    })
}

#[test]
fn the_printed_instances_of_prime_hold_term_by_term() {
    let f = labels();
    let prime = f.prime();
    let at = |directions: &[i64]| {
        derivative(&f, &vector(&[7]), &directions.iter().map(|v| vector(&[*v])).collect::<Vec<_>>())
    };
    let total = |terms: &[Num]| terms.iter().fold(number(0, 1), |sum, t| context().add(&sum, t));
    let (x, v, dxa, dva, dxb, dvb) = (7, 11, 13, 17, 19, 23);
    let (a, b) = (vector(&[dxa, dva]), vector(&[dxb, dvb]));
    let found = |directions: &[Vec<Num>]| derivative(&prime, &vector(&[x, v]), directions);
    assert_identical(&found(&[]), &at(&[v]), "f′⁽⁰⁾");
    assert_identical(&found(std::slice::from_ref(&a)), &total(&[at(&[v, dxa]), at(&[dva])]), "f′⁽¹⁾");
    let second = [at(&[v, dxa, dxb]), at(&[dva, dxb]), at(&[dxa, dvb])];
    assert_identical(&found(&[a, b]), &total(&second), "f′⁽²⁾");
}

/// Whether a rule for ′ gives the tower of `(x, v) ↦ 2x cos(x²)·v` from that of `sin(x²)`, and of
/// `((x, y), (u, w)) ↦ (x w + y u) exp(xy)` from that of `exp(xy)`.
fn is_a_derivative(prime: &dyn Fn(&Map) -> Map) -> bool {
    let variables: Vec<_> = (0..4).map(|_| Variable::fresh()).collect();
    let g: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let of = |graph: &Graph, n: usize| map(Tower::of_graph(graph, &variables[..n]));
    let square = times(&g[0], &g[0]);
    let sine = of(&Graph::function(Function::Sin, &square), 1);
    let twice = times(&Graph::integer(2), &times(&g[0], &Graph::function(Function::Cos, &square)));
    let sine_slope = of(&times(&twice, &g[1]), 2);
    let product = times(&g[0], &g[1]);
    let exp = Graph::function(Function::Exp, &product);
    let exp_slope = times(&Graph::binary(Binary::Add, &times(&g[0], &g[3]), &times(&g[1], &g[2])), &exp);
    let pairs = [(sine, sine_slope), (of(&exp, 2), of(&exp_slope, 4))];
    let mut random = SplitMix64::new(25);
    pairs.iter().all(|(f, slope)| {
        let prime = prime(f);
        (0..16).all(|sample| {
            let mut draw = || (0..2 * f.inputs()).map(|_| random.odd_dyadic()).collect::<Vec<_>>();
            let x = draw();
            let directions: Vec<_> = (0..sample % 4).map(|_| draw()).collect();
            same(&derivative(&prime, &x, &directions), &derivative(slope, &x, &directions))
        })
    })
}

#[test]
fn prime_is_the_tower_of_the_derivative() {
    assert!(is_a_derivative(&|f| f.prime()));
}

#[test]
fn a_rule_for_prime_that_forgets_the_moving_direction_is_caught() {
    let forgetful = |f: &Map| {
        let (n, f) = (f.inputs(), f.clone());
        Tower::new(2 * n, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
            let directions = std::iter::once(&x[n..]).chain(vs.iter().map(|v| &v[..n])).map(<[Num]>::to_vec);
            f.derivative(&x[..n], &directions.collect::<Vec<_>>(), c)
        })
    };
    assert!(!is_a_derivative(&forgetful));
}

#[test]
fn fold_der_undoes_value_and_prime() {
    let mut random = SplitMix64::new(26);
    let sqrt: Map = primitive::elementary_tower(Function::Sqrt);
    for sample in 0..30 {
        let (f, x) = match sample % 4 {
            0 => (sqrt.clone(), vector(&[0])),
            1 => (primitive::maximum(), vector(&[1, 1])),
            2 => {
                (kinked_map(&mut random, 2, 1), random.point(2).iter().map(|q| context().enclose_rational(q)).collect())
            }
            _ => (smooth_map(&mut random, 2, 1), vec![random.odd_dyadic(), random.odd_dyadic()]),
        };
        let again = map(Tower::fold_der(f.value_map(), &f.prime()));
        for k in 0..=4 {
            let directions: Vec<Vec<Num>> =
                (0..k).map(|_| (0..f.inputs()).map(|_| random.odd_dyadic()).collect()).collect();
            let (left, right) = (derivative(&again, &x, &directions), derivative(&f, &x, &directions));
            assert!(contains(&left, &right) && contains(&right, &left), "order {k}: {} {}", show(&left), show(&right));
        }
    }
}

#[test]
fn prime_undoes_fold_der_only_for_a_derivative_that_is_linear() {
    let value = |c: &Mpfr, x: &[Num]| Ok(vec![c.apply_function(Function::Sin, &x[0])]);
    let cosine = map(Tower::first(1, 1).then(&primitive::elementary_tower(Function::Cos)));
    let linear = map(map(cosine.pair(&Tower::second(1, 1))).then(&primitive::product()));
    let square: Map = map(Tower::second(1, 1).then(&primitive::power(2, 1)));
    let mut random = SplitMix64::new(27);
    let mut agrees = |g: &Map, k: usize| {
        let prime = map(Tower::fold_der(value, g)).prime();
        let mut draw = || vec![random.odd_dyadic(), random.odd_dyadic()];
        let (x, directions) = (draw(), (0..k).map(|_| draw()).collect::<Vec<_>>());
        same(&derivative(&prime, &x, &directions), &derivative(g, &x, &directions))
    };
    for k in 0..4 {
        assert!(agrees(&linear, k), "order {k}");
    }
    // (x, v) ↦ v² is no derivative: at order 1, foldDer puts dv² for 2v dv
    assert!(agrees(&square, 0) && !agrees(&square, 1));
}

#[test]
fn the_value_comes_with_its_derivative() {
    let mut random = SplitMix64::new(28);
    let f = smooth_map(&mut random, 2, 3);
    let both = f.with_derivative();
    assert_eq!((both.inputs(), both.outputs()), (4, 6));
    let mut draw = |n: usize| (0..n).map(|_| random.odd_dyadic()).collect::<Vec<_>>();
    let (x, v) = (draw(2), draw(2));
    let c = context();
    let found = both.value_at(&[x.clone(), v.clone()].concat(), &c).unwrap();
    let expected = [f.value_at(&x, &c).unwrap(), f.derivative(&x, &[v], &c).unwrap()].concat();
    for (found, expected) in found.iter().zip(&expected) {
        assert_identical(found, expected, "(f, f′)");
    }
    // and it is the tangent functor: T(g ∘ f) = T(g) ∘ T(f)
    let g = smooth_map(&mut random, 3, 1);
    let (left, right) = (map(f.then(&g)).with_derivative(), map(both.then(&g.with_derivative())));
    for k in 0..=2 {
        let mut draw = || (0..4).map(|_| random.odd_dyadic()).collect::<Vec<_>>();
        let (x, directions) = (draw(), (0..k).map(|_| draw()).collect::<Vec<_>>());
        let (a, b) = (left.derivative(&x, &directions, &c).unwrap(), right.derivative(&x, &directions, &c).unwrap());
        a.iter().zip(&b).for_each(|(a, b)| assert_same(a, b, "chain rule"));
    }
}

#[test]
fn multiplication_may_be_given_by_value_and_derivative() {
    // S §4.3.4, with ′ in place of foldDer
    let product: Map = primitive::product();
    let select = |i, j| map(Tower::linear(&LinearMap::select(4, [i, j])).then(&primitive::product()));
    let rule = map(map(select(0, 3).pair(&select(1, 2))).then(&primitive::sum()));
    let mut random = SplitMix64::new(29);
    for k in 0..=3 {
        let mut draw = || (0..4).map(|_| random.odd_dyadic()).collect::<Vec<_>>();
        let (x, directions) = (draw(), (0..k).map(|_| draw()).collect::<Vec<_>>());
        assert_same(
            &derivative(&product.prime(), &x, &directions),
            &derivative(&rule, &x, &directions),
            "product rule",
        );
    }
    let third =
        map(primitive::elementary_tower(Function::Exp)
            .then_linear(&LinearMap::scalar_multiple(1, &Rational::from((1, 3)))));
    assert_same(
        &along_one(&third, &number(1, 1), 4),
        &context().div_integer(&context().apply_function(Function::Exp, &number(1, 1)), 3),
        "a multiple",
    );
}
