//! Composition by Faà di Bruno's formula (S §4.4, S28).

use super::sample::SplitMix64;
use super::support::*;
use smoothish_laws::law::theorem::smooth::{PartitionFilter, compose_lacking};
use smoothish_laws::number::{Context, Function, Mpfr};
use smoothish_laws::smooth::tower::{Tower, TowerError, primitive};

/// A label for a list of directions in any order, exact in every precision: what makes any two terms differ.
fn label(seed: u64, point: &Num, directions: &[&Num]) -> Num {
    let code = |x: &Num| show(x).lo().to_f64() as i64 as u64;
    let each = |x: &Num| SplitMix64::new(seed ^ code(x).wrapping_mul(0x5851_f42d_4c95_7f2d)).next() >> 24;
    let all = directions.iter().fold(directions.len() as u64, |sum, v| sum.wrapping_add(each(v)));
    context().enclose_integer((SplitMix64::new(seed ^ all ^ code(point) << 7).next() >> 40) as i64)
}

/// A family of labels as a tower: it need not be multilinear to be composed.
fn labels(seed: u64) -> Map {
    Tower::new(1, 1, move |_: &Mpfr, x: &[Num], vs: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        Ok(vec![label(seed, &x[0], &vs.iter().map(|v| &v[0]).collect::<Vec<_>>())])
    })
}

const F: u64 = 1;
const G: u64 = 2;

/// The four expansions as the paper prints them.
fn printed(x: &Num, v: &[Num]) -> Num {
    let f = |directions: &[&Num]| label(F, x, directions);
    let g = |directions: &[&Num]| label(G, &f(&[]), directions);
    let terms = match v {
        [] => vec![g(&[])],
        [a] => vec![g(&[&f(&[a])])],
        [a, b] => vec![g(&[&f(&[a]), &f(&[b])]), g(&[&f(&[a, b])])],
        [a, b, c] => vec![
            g(&[&f(&[a]), &f(&[b]), &f(&[c])]),
            g(&[&f(&[a, b]), &f(&[c])]),
            g(&[&f(&[a, c]), &f(&[b])]),
            g(&[&f(&[b, c]), &f(&[a])]),
            g(&[&f(&[a, b, c])]),
        ],
        _ => unreachable!("the paper prints orders 0 to 3"),
    };
    terms.iter().fold(number(0, 1), |sum, t| context().add(&sum, t))
}

/// Whether a composition of labels has the printed terms at order k.
fn is_as_printed(compose: &dyn Fn(&Map, &Map) -> Map, k: usize) -> bool {
    let composite = compose(&labels(F), &labels(G));
    let mut random = SplitMix64::new(k as u64);
    (0..10).all(|_| {
        let v: Vec<_> = (0..k).map(|_| number(random.next_below(1000) as i64, 1)).collect();
        let x = number(random.next_below(1000) as i64, 1);
        let directions: Vec<_> = v.iter().map(|v| vec![v.clone()]).collect();
        identical(&derivative(&composite, std::slice::from_ref(&x), &directions), &printed(&x, &v))
    })
}

fn then(f: &Map, g: &Map) -> Map {
    map(f.then(g))
}

#[test]
fn the_printed_expansions_hold_term_by_term() {
    for k in 0..=3 {
        assert!(is_as_printed(&then, k), "order {k}");
    }
}

#[test]
fn a_composition_has_as_many_terms_as_bell_says() {
    // every term is 1
    let ones = Tower::new(1, 1, |c: &Mpfr, _: &[Num], _: &[&[Num]]| -> Result<Vec<Num>, TowerError> {
        Ok(vec![c.enclose_integer(1)])
    });
    let composite = map(ones.then(&ones));
    for (k, bell) in [1, 1, 2, 5, 15, 52, 203].into_iter().enumerate() {
        assert_identical(&along_one(&composite, &number(0, 1), k), &number(bell, 1), "terms");
    }
}

/// A composition that leaves out the terms of some partitions.
fn lacking(lacks: PartitionFilter) -> impl Fn(&Map, &Map) -> Map {
    move |f: &Map, g: &Map| compose_lacking(f, g, lacks)
}

/// (sin ∘ (x²))″ = 2cos x² - 4x² sin x² (E19).
fn is_sine_of_square(compose: &dyn Fn(&Map, &Map) -> Map) -> bool {
    let c = context();
    let composite = compose(&primitive::power(2, 1), &primitive::elementary_tower(Function::Sin));
    (-8..=8).all(|n| {
        let x = number(n, 4);
        let square = c.square(&x);
        let (sin, cos) = (c.apply_function(Function::Sin, &square), c.apply_function(Function::Cos, &square));
        let expected = c.sub(&c.mul_integer(&cos, 2), &c.mul_integer(&c.mul(&square, &sin), 4));
        same(&along_one(&composite, &x, 2), &expected)
    })
}

#[test]
fn the_second_derivative_of_the_sine_of_a_square_has_both_terms() {
    assert!(is_sine_of_square(&then));
    assert!(is_sine_of_square(&lacking(|_| false)));
}

#[test]
fn a_composition_that_lacks_a_term_is_caught() {
    // without g″(f′, f′), and without g′(f″)
    let wrong =
        [lacking(|p| p.len() == 2 && p.iter().all(|b| b.len() == 1)), lacking(|p| p.len() == 1 && p[0].len() == 2)];
    for compose in &wrong {
        assert!(is_as_printed(compose, 0) && is_as_printed(compose, 1));
        assert!(!is_as_printed(compose, 2));
        assert!(!is_sine_of_square(compose));
    }
    // without one of the five terms of order 3
    let lacking_third = lacking(|p| p == [vec![0, 2], vec![1]]);
    assert!(is_as_printed(&lacking_third, 2) && !is_as_printed(&lacking_third, 3));
}

/// A polynomial Σ a_j x^j with integer coefficients.
fn polynomial(coefficients: &[i64], x: &Num) -> Num {
    let c = context();
    coefficients.iter().rev().fold(number(0, 1), |sum, a| c.add(&c.mul(&sum, x), &c.enclose_integer(*a)))
}

#[test]
fn exp_of_a_square_has_hermite_derivatives() {
    // dᵏ/dxᵏ exp(x²) = pₖ(x) exp(x²), p₀ = 1, pₖ₊₁ = pₖ′ + 2x pₖ
    let p: [&[i64]; 7] = [
        &[1],
        &[0, 2],
        &[2, 0, 4],
        &[0, 12, 0, 8],
        &[12, 0, 48, 0, 16],
        &[0, 120, 0, 160, 0, 32],
        &[120, 0, 720, 0, 480, 0, 64],
    ];
    let c = context();
    let composite = then(&primitive::power(2, 1), &primitive::elementary_tower(Function::Exp));
    for n in -3..=3 {
        let x = number(n, 4);
        for (k, p) in p.iter().enumerate() {
            let expected = c.mul(&polynomial(p, &x), &c.apply_function(Function::Exp, &c.square(&x)));
            assert_same(&along_one(&composite, &x, k), &expected, &format!("order {k} at {n}/4"));
        }
    }
}

#[test]
fn the_sine_of_exp_has_touchard_derivatives() {
    // (sin ∘ exp)⁽ᵏ⁾(x) = Σ_j S(k, j) eʲˣ sin⁽ʲ⁾(eˣ), S the Stirling numbers of the second kind
    let stirling: [&[i64]; 7] = [
        &[1],
        &[0, 1],
        &[0, 1, 1],
        &[0, 1, 3, 1],
        &[0, 1, 7, 6, 1],
        &[0, 1, 15, 25, 10, 1],
        &[0, 1, 31, 90, 65, 15, 1],
    ];
    let c = context();
    let composite = then(&primitive::elementary_tower(Function::Exp), &primitive::elementary_tower(Function::Sin));
    for n in [-6, -1, 0, 3, 5] {
        let x = number(n, 4);
        let e = c.apply_function(Function::Exp, &x);
        let (sin, cos) = (c.apply_function(Function::Sin, &e), c.apply_function(Function::Cos, &e));
        let cycle = [sin.clone(), cos.clone(), c.neg(&sin), c.neg(&cos)];
        for (k, row) in stirling.iter().enumerate() {
            let term = |(j, s): (usize, &i64)| c.mul_integer(&c.mul(&c.power(&e, j as u32), &cycle[j % 4]), *s);
            let expected = row.iter().enumerate().map(term).fold(number(0, 1), |sum, t| c.add(&sum, &t));
            assert_same(&along_one(&composite, &x, k), &expected, &format!("order {k} at {n}/4"));
        }
    }
}
