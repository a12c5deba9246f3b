//! max, min, abs, relu (S §4.3.2, S16, S23), a refuter of towers, and the wrong rules that it catches.

use super::sample::{Random, kinked_map, smooth_map};
use super::support::*;
use smoothish::number::{Context, Function, Mpfr, Rational};
use smoothish::smooth::tower::{Part, Rule, Tower, TowerError, elementary, kink, primitive};

/// A reason why a family of maps is no tower of a function; `None` when it survived.
///
/// - **rise**: `f⁽ᵏ⁾(x + h; v) - f⁽ᵏ⁾(x; v)` meets `f⁽ᵏ⁺¹⁾([x, x+h]; v, h)`, Lebourg's mean value theorem at every order;
/// - **isotone**: a part of the inputs gives a part of the result;
/// - **successive**: where f⁽ᵏ⁾ is not maximal, f⁽ᵏ⁺¹⁾ is ⊥ (S §4.1).
fn refute(f: &Map, samples: usize, orders: usize) -> Option<String> {
    let c = context();
    let n = f.inputs();
    let mut random = Random::new(7);
    for sample in 0..samples {
        let k = sample % (orders + 1);
        let numbers = |q: Vec<Rational>| q.iter().map(|q| c.rational(q)).collect::<Vec<Num>>();
        let x = numbers(random.point(n));
        let v: Vec<Vec<Num>> = (0..k).map(|_| numbers(random.direction(n))).collect();
        let h: Vec<Num> = (0..n).map(|_| number(random.below(9) as i64 - 4, 8)).collect();
        let moved: Vec<Num> = x.iter().zip(&h).map(|(x, h)| c.add(x, h)).collect();
        let hull: Vec<Num> = x.iter().zip(&moved).map(|(a, b)| c.hull(a, b)).collect();
        let (here, there, over) = (derivative(f, &x, &v), derivative(f, &moved, &v), derivative(f, &hull, &v));
        let place = || format!("order {k} at {x:?} along {v:?}, step {h:?}");
        // what lies outside the domain encloses nothing
        if [&here, &there].iter().any(|part| c.is_defined(part) && !contains(&over, part)) {
            return Some(format!("isotone: {}", place()));
        }
        let rise = c.sub(&there, &here);
        let mut along = v.clone();
        along.insert(random.below(k + 1), h.clone());
        if !overlap(&rise, &derivative(f, &hull, &along)) {
            return Some(format!("rise: {}: {}", place(), show(&rise)));
        }
        along = v.clone();
        along.push(numbers(random.direction(n)));
        let next = derivative(f, &x, &along);
        if !is_narrow(&here) && !is_bottom(&next) {
            return Some(format!("successive: {}: {} then {}", place(), show(&here), show(&next)));
        }
    }
    None
}

#[track_caller]
fn survives(f: &Map, what: &str) {
    assert_eq!(refute(f, 150, 3), None, "{what}");
}

#[test]
fn primitives_are_towers() {
    use Function::{Asinh, Atan, Cbrt, Cos, Exp, Log, Sin, Sqrt, Tan, Tanh};
    survives(&primitive::product(), "product");
    survives(&primitive::quotient(), "quotient");
    survives(&primitive::sum(), "sum");
    for (p, q) in [(3, 1), (-1, 1), (1, 2), (-1, 2), (3, 2), (2, 3), (5, 3)] {
        survives(&primitive::power(p, q), &format!("power {p}/{q}"));
    }
    for f in [Exp, Log, Sin, Cos, Tan, Atan, Tanh, Asinh, Sqrt, Cbrt] {
        survives(&elementary::function(f), &format!("{f:?}"));
    }
    survives(&kink::maximum(), "max");
    survives(&kink::minimum(), "min");
    survives(&kink::absolute(), "abs");
    survives(&kink::relu(), "relu");
}

#[test]
fn composites_are_towers() {
    let mut random = Random::new(43);
    for _ in 0..12 {
        let f = kinked_map(&mut random, 2, 1);
        assert_eq!(refute(&f, 30, 2), None);
        let g = smooth_map(&mut random, 2, 1);
        assert_eq!(refute(&g, 30, 2), None);
    }
}

#[test]
fn the_derivatives_of_max() {
    let max: Map = kink::maximum();
    let v: Vec<Vec<Num>> = [[3, 5], [-1, 2], [4, 4]].iter().map(|v| vector(v)).collect();
    // x > y, x < y, x = y; and boxes
    let at = |x: &[Num], k: usize| derivative(&max, x, &v[..k]);
    assert_identical(&at(&vector(&[2, 1]), 1), &number(3, 1), "x > y");
    assert_identical(&at(&vector(&[1, 2]), 1), &number(5, 1), "x < y (E6)");
    assert_identical(&at(&vector(&[1, 1]), 1), &interval(3, 5), "x = y");
    for k in 2..=3 {
        assert_identical(&at(&vector(&[2, 1]), k), &number(0, 1), "x > y");
        assert_identical(&at(&vector(&[1, 2]), k), &number(0, 1), "x < y");
        assert_bottom(&at(&vector(&[1, 1]), k), "x = y");
        assert_bottom(&at(&[interval(0, 2), number(1, 1)], k), "undecided");
    }
    assert_identical(&at(&[interval(0, 2), number(1, 1)], 0), &interval(1, 2), "undecided");
    assert_identical(&at(&[interval(0, 2), number(1, 1)], 1), &interval(3, 5), "undecided");
    assert_identical(&at(&[interval(2, 3), number(1, 1)], 1), &number(3, 1), "decided");
    // along a direction in which both agree, the hull is a point
    assert_identical(&derivative(&max, &vector(&[1, 1]), &v[2..]), &number(4, 1), "along the diagonal");
    // where an argument is not known to exist, neither is the branch
    assert!(!context().is_defined(&at(&[bottom(), number(1, 1)], 1)));
}

#[test]
fn the_derivatives_of_min_abs_relu_and_sign() {
    let one = |f: &Map, x: i64, k| along_one(f, &number(x, 1), k);
    let (min, abs, relu, sign): (Map, Map, Map, Map) =
        (kink::minimum(), kink::absolute(), kink::relu(), kink::signum());
    assert_identical(&one(&relu, 0, 1), &interval(0, 1), "relu");
    assert_identical(&one(&relu, 1, 1), &number(1, 1), "relu");
    assert_identical(&one(&relu, -1, 1), &number(0, 1), "relu");
    assert_identical(&one(&abs, 0, 1), &interval(-1, 1), "abs");
    assert_identical(&one(&abs, 2, 1), &number(1, 1), "abs");
    assert_identical(&one(&abs, -2, 1), &number(-1, 1), "abs");
    assert_identical(&one(&sign, 0, 0), &interval(-1, 1), "sign");
    for f in [&relu, &abs] {
        assert_bottom(&one(f, 0, 2), "a second derivative at a kink (S10)");
        assert_identical(&one(f, 1, 2), &number(0, 1), "beside it");
    }
    for k in 1..4 {
        assert_bottom(&one(&sign, 0, k), "sign");
        assert_identical(&one(&sign, -3, k), &number(0, 1), "sign");
    }
    // min(x, y) = -max(-x, -y), and |x| = max(x, -x)
    let minus = |n| Tower::linear(&smoothish::smooth::tower::Linear::multiple(n, &Rational::from(-1)));
    let by_max = map(map(minus(2).then(&kink::maximum())).then(&minus(1)));
    let abs_by_max = map(map(Tower::identity(1).pair(&minus(1))).then(&kink::maximum()));
    let mut random = Random::new(23);
    for sample in 0..60 {
        let k = sample % 3;
        let numbers = |q: Vec<Rational>| q.iter().map(|q| context().rational(q)).collect::<Vec<Num>>();
        let x = numbers(random.point(2));
        let v: Vec<_> = (0..k).map(|_| numbers(random.direction(2))).collect();
        assert_identical(&derivative(&min, &x, &v), &derivative(&by_max, &x, &v), "min");
        let first: Vec<_> = v.iter().map(|v| v[..1].to_vec()).collect();
        assert_identical(&derivative(&abs, &x[..1], &first), &derivative(&abs_by_max, &x[..1], &first), "abs");
    }
}

/// max, except where `wrong` answers.
fn wrong_maximum(wrong: impl Fn(&Mpfr, &[Num], &[&[Num]]) -> Option<Num> + Send + Sync + 'static) -> Map {
    let max: Map = kink::maximum();
    Tower::new(2, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        let right = || max.derivative(x, &vs.iter().map(|v| v.to_vec()).collect::<Vec<_>>(), c);
        wrong(c, x, vs).map_or_else(right, |w| Ok(vec![w]))
    })
}

#[test]
fn wrong_rules_for_max_are_refuted() {
    assert_eq!(refute(&wrong_maximum(|_, _, _| None), 150, 3), None);
    let always_dx = wrong_maximum(|_, _, vs| (vs.len() == 1).then(|| vs[0][0].clone()));
    let as_printed = wrong_maximum(|c, x, vs| {
        // E6: the second case never applies, and the third is read as "otherwise"
        let above = c.strictly_below(&x[1], &x[0]);
        (vs.len() == 1 && !above).then(|| c.hull(&vs[0][0], &vs[0][1]))
    });
    let zero_on_the_diagonal = wrong_maximum(|c, x, vs| {
        let diagonal = c.is_point(&c.sub(&x[0], &x[1])) && c.contains_zero(&c.sub(&x[0], &x[1]));
        (vs.len() == 2 && diagonal).then(|| c.integer(0))
    });
    let zero_when_undecided = wrong_maximum(|c, _, vs| (vs.len() == 2).then(|| c.integer(0)));
    let of = |f: &Map| refute(f, 150, 3).map(|reason| reason.split(':').next().unwrap().to_owned());
    assert_eq!(of(&always_dx).as_deref(), Some("rise"));
    // an interval where the true tower is a point: sound, but then the next order has to be ⊥
    assert_eq!(of(&as_printed).as_deref(), Some("successive"));
    assert_eq!(of(&zero_on_the_diagonal).as_deref(), Some("successive"));
    assert!(of(&zero_when_undecided).is_some());
}

#[test]
fn a_wrong_derivative_of_a_straddling_box_is_refuted() {
    let relu: Map = kink::relu();
    let wrong = Tower::new(1, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        if vs.len() == 1 && !c.is_point(&x[0]) && c.contains_zero(&x[0]) {
            return Ok(vec![c.integer(0)]);
        }
        relu.derivative(x, &vs.iter().map(|v| v.to_vec()).collect::<Vec<_>>(), c)
    });
    assert!(refute(&wrong, 150, 0).is_some());
}

#[test]
fn derivatives_are_multilinear_and_symmetric_where_maximal() {
    let c = context();
    let mut random = Random::new(16);
    let draw = |random: &mut Random| vec![random.odd_dyadic(), random.odd_dyadic()];
    for sample in 0..20 {
        let f = smooth_map(&mut random, 2, 1);
        let k = 1 + sample % 3;
        let x = draw(&mut random);
        let v: Vec<_> = (0..k).map(|_| draw(&mut random)).collect();
        let (w, s, slot) = (draw(&mut random), random.odd_dyadic(), random.below(k));
        let replaced = |u: Vec<Num>| {
            let mut v = v.clone();
            v[slot] = u;
            derivative(&f, &x, &v)
        };
        // f(…, v + s·w, …) = f(…, v, …) + s·f(…, w, …)
        let moved = v[slot].iter().zip(&w).map(|(v, w)| c.add(v, &c.mul(&s, w))).collect();
        let expected = c.add(&derivative(&f, &x, &v), &c.mul(&s, &replaced(w)));
        assert_same(&replaced(moved), &expected, "linear in each direction");
        let mut permuted = v.clone();
        permuted.rotate_left(1);
        assert_same(&derivative(&f, &x, &permuted), &derivative(&f, &x, &v), "symmetric");
        permuted.reverse();
        assert_same(&derivative(&f, &x, &permuted), &derivative(&f, &x, &v), "symmetric");
        assert!(f.matrix(k, &x, &c).unwrap().is_some());
    }
}

#[test]
fn the_matrix_of_max_is_undefined_on_the_diagonal() {
    let c = context();
    let max: Map = kink::maximum();
    let entries =
        |m: Option<Vec<Vec<Num>>>| m.map(|m| m.concat().iter().map(|c| show(c).lo().to_f64()).collect::<Vec<_>>());
    let matrix = |k, x: &[i64]| entries(max.matrix(k, &vector(x), &c).unwrap());
    assert_eq!(matrix(1, &[2, 1]), Some(vec![1.0, 0.0]));
    assert_eq!(matrix(1, &[1, 2]), Some(vec![0.0, 1.0]));
    assert_eq!(matrix(1, &[1, 1]), None);
    assert_eq!(matrix(0, &[1, 1]), Some(vec![1.0]));
    assert_eq!(matrix(2, &[1, 2]), Some(vec![0.0; 4]));
    assert_eq!(matrix(2, &[1, 1]), None);
    let product: Map = primitive::product();
    assert_eq!(entries(product.matrix(2, &vector(&[7, 8]), &c).unwrap()), Some(vec![0.0, 1.0, 1.0, 0.0]));
    assert!(matches!(
        max.matrix(1, &vector(&[1]), &c),
        Err(TowerError::Dimension { part: Part::Point, expected: 2, found: 1 })
    ));
    // narrow along the axes, yet not linear: no matrix
    let crooked = |c: &Mpfr, _: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        Ok(vec![vs.iter().fold(c.integer(1), |p, v| c.mul(&p, &c.max(&v[0], &v[1])))])
    };
    let crooked: Box<dyn Rule<Mpfr>> = Box::new(crooked);
    let crooked = Tower::new(2, 1, move |c: &Mpfr, x: &[Num], vs: &[&[Num]]| crooked.derivative(c, x, vs));
    assert!(crooked.matrix(1, &vector(&[0, 0]), &c).unwrap().is_none());
}
