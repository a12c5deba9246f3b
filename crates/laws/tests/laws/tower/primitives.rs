//! Linear maps and primitives (S §4.3): closed forms, and each order the derivative of the one below.

use super::sample::{Draw, SplitMix64};
use super::support::*;
use smoothish_laws::number::{Context, Function, Mpfr, Rational};
use smoothish_laws::smooth::tower::{LinearMap, Tower, TowerError, TowerOperand, primitive};

#[test]
fn a_linear_map_is_itself_and_then_zero() {
    let f = LinearMap::from_rows(3, &[[2, -1, 0], [0, 0, 5]].map(|r| r.map(Rational::from).to_vec())).unwrap();
    let tower: Map = Tower::linear(&f);
    let c = context();
    let components = |x: Vec<Num>| x.iter().map(|x| show(x).lo().to_f64()).collect::<Vec<_>>();
    let (x, v) = (vector(&[1, 2, 3]), vector(&[4, 5, 6]));
    assert_eq!(components(tower.value_at(&x, &c).unwrap()), [0.0, 15.0]);
    assert_eq!(components(tower.derivative(&x, std::slice::from_ref(&v), &c).unwrap()), [3.0, 30.0]);
    for k in 2..5 {
        assert_eq!(components(tower.derivative(&x, &vec![v.clone(); k], &c).unwrap()), [0.0, 0.0]);
    }
    let zero: Map = Tower::zero(3, 2);
    for k in 0..5 {
        let result = zero.derivative(&vec![bottom(); 3], &vec![vec![bottom(); 3]; k], &c).unwrap();
        assert_eq!(components(result), [0.0, 0.0]);
    }
}

#[test]
fn what_is_not_linear_is_refused() {
    let square = LinearMap::of_function(2, |x| vec![Rational::from(&x[0] * &x[1])]);
    assert!(matches!(square, Err(TowerError::NotLinear { .. })));
    let affine = LinearMap::of_function(1, |x| vec![Rational::from(&x[0] + 1)]);
    assert!(matches!(affine, Err(TowerError::NotLinear { .. })));
    let larger = LinearMap::of_function(2, |x| vec![x[0].clone().max(x[1].clone())]);
    assert!(matches!(larger, Err(TowerError::NotLinear { .. })));
    assert!(LinearMap::of_function(2, |x| vec![Rational::from(&x[0] - &x[1]), x[0].clone()]).is_ok());
}

#[test]
fn dimensions_are_checked() {
    let product: Map = primitive::product();
    let c = context();
    let dimension = |r: Result<Vec<Num>, TowerError>| match r.unwrap_err() {
        TowerError::Dimension { part, expected, found } => (part, expected, found),
        other => panic!("{other}"),
    };
    assert_eq!(dimension(product.value_at(&vector(&[1]), &c)), (TowerOperand::Point, 2, 1));
    let directions = [vector(&[1, 2]), vector(&[1, 2, 3])];
    assert_eq!(dimension(product.derivative(&vector(&[1, 2]), &directions, &c)), (TowerOperand::Direction(1), 2, 3));
    let short =
        Tower::new(1, 2, |_: &Mpfr, x: &[Num], _: &[&[Num]]| -> Result<Vec<Num>, TowerError> { Ok(x.to_vec()) });
    assert_eq!(dimension(short.value_at(&vector(&[1]), &c)), (TowerOperand::Result, 2, 1));
    assert!(
        product.then(&product).is_err() && product.pair(&short).is_err() && product.plus(&Tower::identity(2)).is_err()
    );
    // foldDer(f, g) needs g : A × A ⇝ B
    let three_inputs: Map = Tower::first(1, 2);
    assert!(Tower::fold_der(|_: &Mpfr, x: &[Num]| Ok(x.to_vec()), &three_inputs).is_err());
    assert!(LinearMap::sum(2).then(&LinearMap::sum(2)).is_err());
    assert!(LinearMap::from_rows(2, &[vec![Rational::from(1)]]).is_err());
}

#[test]
fn the_sine_has_a_cycle_of_four_derivatives() {
    let c = context();
    let (sin, cos): (Map, Map) =
        (primitive::elementary_tower(Function::Sin), primitive::elementary_tower(Function::Cos));
    let x = number(3, 8);
    let (s, t) = (c.apply_function(Function::Sin, &x), c.apply_function(Function::Cos, &x));
    let cycle = [s.clone(), t.clone(), c.neg(&s), c.neg(&t)];
    for k in 0..=10 {
        assert_same(&along_one(&sin, &x, k), &cycle[k % 4], &format!("sin, order {k}"));
        assert_same(&along_one(&cos, &x, k), &cycle[(k + 1) % 4], &format!("cos, order {k}"));
    }
}

/// `foldDer(sin, ⟦x, dx ⊢ cos x * dx⟧)` and its twin, composed by Faà di Bruno, as S §4.3 prints them.
fn printed_wave(is_sine: bool) -> Map {
    let (f, sign) = if is_sine { (Function::Sin, 1) } else { (Function::Cos, -1) };
    let derivative = Tower::lazy(2, 1, move || {
        let slope = Tower::first(1, 1).then(&printed_wave(!is_sine))?;
        let slope = slope.then(&Tower::linear(&LinearMap::scalar_multiple(1, &Rational::from(sign))))?;
        slope.pair(&Tower::second(1, 1))?.then(&primitive::product())
    });
    map(Tower::fold_der(move |c: &Mpfr, x: &[Num]| Ok(vec![c.apply_function(f, &x[0])]), &derivative))
}

#[test]
fn the_sine_is_the_composite_that_the_paper_prints() {
    let mut random = SplitMix64::new(18);
    for is_sine in [true, false] {
        let printed = printed_wave(is_sine);
        let here = primitive::elementary_tower(if is_sine { Function::Sin } else { Function::Cos });
        for k in 0..=5 {
            let x = vec![random.odd_dyadic()];
            let directions: Vec<_> = (0..k).map(|_| vec![random.odd_dyadic()]).collect();
            assert_same(&derivative(&here, &x, &directions), &derivative(&printed, &x, &directions), "sine");
            // and where a direction is unknown
            if k > 0 {
                let directions = vec![vec![bottom()]; k];
                assert_bottom(&derivative(&here, &x, &directions), "sine along ⊥");
                assert_bottom(&derivative(&printed, &x, &directions), "printed sine along ⊥");
            }
        }
    }
}

/// The product with a derivative that is composed by Faà di Bruno throughout.
fn printed_product() -> Map {
    let derivative = Tower::lazy(4, 1, || {
        let select = |i, j| Tower::linear(&LinearMap::select(4, [i, j]));
        let terms = select(0, 3).then(&printed_product())?.pair(&select(1, 2).then(&printed_product())?)?;
        terms.then(&primitive::sum())
    });
    map(Tower::fold_der(|c: &Mpfr, x: &[Num]| Ok(vec![c.mul(&x[0], &x[1])]), &derivative))
}

#[test]
fn the_product_is_bilinear() {
    let product: Map = primitive::product();
    let c = context();
    let mut random = SplitMix64::new(20);
    for _ in 0..10 {
        let x: Vec<_> = (0..2).map(|_| random.odd_dyadic()).collect();
        let v: Vec<Vec<Num>> = (0..4).map(|_| (0..2).map(|_| random.odd_dyadic()).collect()).collect();
        let expected = [
            c.mul(&x[0], &x[1]),
            c.add(&c.mul(&x[0], &v[0][1]), &c.mul(&x[1], &v[0][0])),
            c.add(&c.mul(&v[0][0], &v[1][1]), &c.mul(&v[0][1], &v[1][0])),
            number(0, 1),
            number(0, 1),
        ];
        for (k, expected) in expected.iter().enumerate() {
            assert_identical(&derivative(&product, &x, &v[..k]), expected, &format!("order {k}"));
        }
    }
}

#[test]
fn the_product_is_the_recursion_that_the_paper_prints() {
    let (here, printed): (Map, Map) = (primitive::product(), printed_product());
    let mut random = SplitMix64::new(21);
    let component = |random: &mut SplitMix64| match random.next_below(5) {
        0 => number(0, 1),
        1 => interval(-1, 2),
        2 if random.one_in(4) => bottom(),
        _ => random.odd_dyadic(),
    };
    for sample in 0..60 {
        let k = sample % 6;
        let x = vec![component(&mut random), component(&mut random)];
        let v: Vec<_> = (0..k).map(|_| vec![component(&mut random), component(&mut random)]).collect();
        let (a, b) = (derivative(&here, &x, &v), derivative(&printed, &x, &v));
        // the composite has more terms in which a direction is 0 (E42)
        assert!(identical(&a, &b) || is_bottom(&b), "order {k} at {x:?} along {v:?}: {} {}", show(&a), show(&b));
        let bounded = x.iter().chain(v.iter().flatten()).all(|c| context().is_bounded(c));
        assert!(!bounded || identical(&a, &b));
    }
}

#[test]
fn the_reciprocal_has_factorial_derivatives_and_none_at_zero() {
    let reciprocal: Map = primitive::reciprocal();
    let c = context();
    for k in 0..=7u32 {
        assert_bottom(&along_one(&reciprocal, &number(0, 1), k as usize), "1/0");
        assert_bottom(&along_one(&reciprocal, &interval(-1, 1), k as usize), "1/[-1, 1]");
        let zeros = vec![vector(&[0]); k as usize];
        assert_bottom(&derivative(&reciprocal, &vector(&[0]), &zeros), "1/0 along 0");
        for n in [-5, -1, 1, 2, 7] {
            let x = number(n, 4);
            let factorial = (1..=i64::from(k)).product::<i64>() * if k % 2 == 0 { 1 } else { -1 };
            let expected = c.div(&number(factorial, 1), &c.power(&x, k + 1));
            assert_same(&along_one(&reciprocal, &x, k as usize), &expected, &format!("order {k} at {n}/4"));
        }
    }
}

#[test]
fn a_tower_defined_by_itself_is_found_out() {
    fn nothing() -> Map {
        Tower::lazy(1, 1, || Ok(nothing()))
    }
    assert!(matches!(nothing().value_at(&vector(&[1]), &context()), Err(TowerError::Unproductive)));
    // a derivative that mentions the map at the same order is no better
    fn spiral() -> Map {
        let derivative = Tower::lazy(2, 1, || spiral().prime().plus(&Tower::second(1, 1)));
        map(Tower::fold_der(|_: &Mpfr, x: &[Num]| Ok(x.to_vec()), &derivative))
    }
    assert!(spiral().value_at(&vector(&[1]), &context()).is_ok());
    assert!(matches!(spiral().derivative(&vector(&[1]), &[vector(&[1])], &context()), Err(TowerError::Unproductive)));
}
