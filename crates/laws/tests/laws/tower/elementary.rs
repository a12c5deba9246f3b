//! Powers and elementary functions (S Fig. 2, S22): closed forms, differential equations, edges of the domains.

use super::sample::{Draw, SplitMix64};
use super::support::*;
use smoothish_laws::function::SpecialId;
use smoothish_laws::number::{Context, Function, Rational};
use smoothish_laws::smooth::tower::primitive;

/// Inside the domain of a function.
fn inside(f: Function, random: &mut SplitMix64) -> Num {
    let fraction = number(2 * random.next_below(30) as i64 + 1, 64);
    match f {
        Function::Log | Function::Log1p | Function::Sqrt => fraction,
        Function::Acosh => context().add(&number(1, 1), &fraction),
        Function::Asin | Function::Acos | Function::Atanh | Function::EXP_INTEGRAL_E1 | Function::BESSEL_K0 => fraction,
        Function::LAMBERT_W => fraction,
        _ => random.odd_dyadic(),
    }
}

#[test]
fn powers_have_falling_factorials() {
    let c = context();
    for (p, q) in [(3, 1), (-2, 1), (1, 2), (-1, 2), (7, 2), (2, 3), (-4, 3), (5, 3)] {
        let power: Map = primitive::power(p, q);
        let mut random = SplitMix64::new(p.unsigned_abs() + u64::from(q));
        for k in 0..=6u32 {
            let x = number(2 * random.next_below(40) as i64 + 1, 16);
            let falling = (0..i64::from(k)).fold(Rational::from(1), |f, j| f * (Rational::from((p, q)) - j));
            // x^(p/q) = exp((p/q)·log x) for x > 0
            let exponent = Rational::from((p, q)) - k;
            let value = c.apply_function(
                Function::Exp,
                &c.mul(&c.enclose_rational(&exponent), &c.apply_function(Function::Log, &x)),
            );
            let expected = c.mul(&c.enclose_rational(&falling), &value);
            assert_same(&along_one(&power, &x, k as usize), &expected, &format!("x^({p}/{q}), order {k}"));
        }
    }
}

#[test]
fn powers_at_zero_are_as_smooth_as_they_should_be() {
    let at_zero = |p, q: u32, k| along_one(&primitive::power(p, q), &number(0, 1), k);
    // x³ is smooth, x^{5/3} once, x^{2/3} not even that
    assert_identical(&at_zero(3, 1, 3), &number(6, 1), "x³");
    assert_identical(&at_zero(3, 1, 4), &number(0, 1), "x³");
    assert_identical(&at_zero(5, 3, 1), &number(0, 1), "x^{5/3}");
    assert_bottom(&at_zero(5, 3, 2), "x^{5/3}");
    assert_identical(&at_zero(2, 3, 0), &number(0, 1), "x^{2/3}");
    assert_bottom(&at_zero(2, 3, 1), "x^{2/3}");
    // x^{3/2} has a value at 0, but no neighbourhood on which to be Lipschitz (S §4.1)
    assert_identical(&at_zero(3, 2, 0), &number(0, 1), "x^{3/2}");
    assert_bottom(&at_zero(3, 2, 1), "x^{3/2}");
    assert_bottom(&at_zero(1, 2, 1), "√x");
}

/// Each elementary function by its differential equation, differentiated by Leibniz.
fn by_equation(f: Function, x: &Num, orders: usize) -> Vec<Num> {
    let c = context();
    let mut y = vec![c.apply_function(f, x)];
    let one = number(1, 1);
    let square = c.square(x);
    let (plus, minus) = (c.add(&one, &square), c.sub(&one, &square));
    let binomial = |n: usize, i: usize| (0..i).fold(1, |b, j| b * (n - j) as i64 / (j as i64 + 1));
    // 2/√π·exp(-x²)
    let bell = || {
        let height = c.div(&number(2, 1), &c.apply_function(Function::Sqrt, &c.pi()));
        c.mul(&height, &c.apply_function(Function::Exp, &c.neg(&square)))
    };
    let first = match f {
        Function::Log => c.div(&one, x),
        Function::Asin => c.div(&one, &c.apply_function(Function::Sqrt, &minus)),
        Function::Acos => c.neg(&c.div(&one, &c.apply_function(Function::Sqrt, &minus))),
        Function::Asinh => c.div(&one, &c.apply_function(Function::Sqrt, &plus)),
        Function::Acosh => c.div(&one, &c.apply_function(Function::Sqrt, &c.neg(&minus))),
        Function::Atan => c.div(&one, &plus),
        Function::Atanh => c.div(&one, &minus),
        Function::Sin | Function::Sinh => {
            c.apply_function(if f == Function::Sin { Function::Cos } else { Function::Cosh }, x)
        }
        Function::Cos => c.neg(&c.apply_function(Function::Sin, x)),
        Function::Cosh => c.apply_function(Function::Sinh, x),
        Function::Exp => y[0].clone(),
        Function::Tan => c.add(&one, &c.square(&y[0])),
        Function::Tanh => c.sub(&one, &c.square(&y[0])),
        Function::Sqrt => c.div(&y[0], &c.mul_integer(x, 2)),
        Function::Cbrt => c.div(&y[0], &c.mul_integer(x, 3)),
        Function::Expm1 => c.apply_function(Function::Exp, x),
        Function::Log1p => c.div(&one, &c.add(&one, x)),
        Function::Erf => bell(),
        Function::Erfc => c.neg(&bell()),
        Function::BESSEL_J0 => c.neg(&c.apply_function(Function::BESSEL_J1, x)),
        // x J₁′ = x J₀ - J₁
        Function::BESSEL_J1 => c.sub(&c.apply_function(Function::BESSEL_J0, x), &c.div(&y[0], x)),
        // W′ = 1/(x + eᵂ)
        Function::LAMBERT_W => c.div(&one, &c.add(x, &c.apply_function(Function::Exp, &y[0]))),
        // the equation says nothing of the first derivative
        Function::BESSEL_K0 | Function::AIRY_AI => c.apply_function(f.derivative_function().unwrap(), x),
        Function::SIN_INTEGRAL => c.div(&c.apply_function(Function::Sin, x), x),
        Function::EXP_INTEGRAL_E1 => c.neg(&c.div(&c.apply_function(Function::Exp, &c.neg(x)), x)),
        Function::Special(
            SpecialId::BesselJ0
            | SpecialId::BesselJ1
            | SpecialId::BesselK0
            | SpecialId::AiryAi
            | SpecialId::LambertW
            | SpecialId::SinIntegral
            | SpecialId::ExpIntegralE1,
            _,
        ) => unreachable!("a derivative"),
        // values of these are tried elsewhere: they have no equation with finitely many of them
        Function::Special(SpecialId::Gamma, _) => c.apply_function(f.derivative_function().unwrap(), x),
    };
    y.push(first);
    for k in 2..=orders {
        let n = k - 2;
        let (a, b) = (&y[k - 1], &y[k - 2]);
        let combination = |s: i64, t: i64| c.add(&c.mul_integer(&c.mul(x, a), s), &c.mul_integer(b, t));
        let (m, n2) = (2 * n as i64 + 1, (n * n) as i64);
        let next = match f {
            Function::Sin | Function::Cos => c.neg(b),
            Function::Special(SpecialId::Gamma, order) => {
                c.apply_function(Function::Special(SpecialId::Gamma, order + k as u16), x)
            }
            // x y′ = sin x, derived n + 1 times
            Function::Special(SpecialId::SinIntegral, _) => {
                let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| c.apply_function(f, x));
                let turned = [sine.clone(), cosine.clone(), c.neg(&sine), c.neg(&cosine)];
                c.div(&c.sub(&turned[(k - 1) % 4], &c.mul_integer(a, k as i64 - 1)), x)
            }
            // x (1 + y) y′ = y, derived k - 1 times: x Σ C(k - 1, i) (1 + y)⁽ⁱ⁾ y⁽ᵏ⁻ⁱ⁾ + (k - 1) Σ … = y⁽ᵏ⁻¹⁾
            Function::Special(SpecialId::LambertW, _) => {
                let shifted = |i: usize| if i == 0 { c.add(&one, &y[0]) } else { y[i].clone() };
                let product = |n: usize, from: usize| {
                    let terms = (from..=n).map(|i| c.mul_integer(&c.mul(&shifted(i), &y[n + 1 - i]), binomial(n, i)));
                    terms.fold(number(0, 1), |sum, term| c.add(&sum, &term))
                };
                let rest = c.add(&c.mul(x, &product(k - 1, 1)), &c.mul_integer(&product(k - 2, 0), k as i64 - 1));
                c.div(&c.sub(a, &rest), &c.mul(x, &shifted(0)))
            }
            // y″ = x y, derived n times
            Function::Special(SpecialId::AiryAi, _) => {
                let before = n.checked_sub(1).map_or_else(|| number(0, 1), |at| y[at].clone());
                c.add(&c.mul(x, b), &c.mul_integer(&before, n as i64))
            }
            // x y″ + y′ = x y, derived n times
            Function::Special(SpecialId::BesselK0, _) => {
                let before = n.checked_sub(1).map_or_else(|| number(0, 1), |at| y[at].clone());
                let right = c.add(&c.mul(x, b), &c.mul_integer(&before, n as i64));
                c.div(&c.sub(&right, &c.mul_integer(a, n as i64 + 1)), x)
            }
            // x y″ + (1 + x) y′ = 0, derived n times
            Function::Special(SpecialId::ExpIntegralE1, _) => {
                let sum = c.add(&c.mul(&c.add(x, &c.enclose_integer(k as i64 - 1)), a), &c.mul_integer(b, n as i64));
                c.neg(&c.div(&sum, x))
            }
            // x² y″ + x y′ + (x² - ν²) y = 0, derived n times
            Function::Special(id @ (SpecialId::BesselJ0 | SpecialId::BesselJ1), _) => {
                let before = |i: usize| n.checked_sub(i).map_or_else(|| number(0, 1), |at| y[at].clone());
                let (n, order) = (n as i64, i64::from(id == SpecialId::BesselJ1));
                let sum = [
                    c.mul_integer(&c.mul(x, a), 2 * n + 1),
                    c.mul(&c.add(&c.square(x), &c.enclose_integer(n * n - order)), b),
                    c.mul_integer(&c.mul(x, &before(1)), 2 * n),
                    c.mul_integer(&before(2), n * (n - 1)),
                ];
                c.neg(&c.div(&sum.iter().fold(number(0, 1), |sum, term| c.add(&sum, term)), &c.square(x)))
            }
            Function::Sinh | Function::Cosh => b.clone(),
            Function::Exp | Function::Expm1 => a.clone(),
            // x y′ = 1, and x y′ = r·y
            Function::Log => c.div(&c.mul_integer(a, -(k as i64 - 1)), x),
            Function::Log1p => c.div(&c.mul_integer(a, -(k as i64 - 1)), &c.add(&one, x)),
            Function::Sqrt => c.div(&c.mul(&c.enclose_rational(&(Rational::from((1, 2)) - (k as i64 - 1))), a), x),
            Function::Cbrt => c.div(&c.mul(&c.enclose_rational(&(Rational::from((1, 3)) - (k as i64 - 1))), a), x),
            // (1 ∓ x²) y″ = ± x y′
            Function::Asin | Function::Acos => c.div(&combination(m, n2), &minus),
            Function::Asinh => c.div(&combination(-m, -n2), &plus),
            Function::Acosh => c.div(&combination(-m, -n2), &c.neg(&minus)),
            // (1 ± x²) y′ = 1
            Function::Atan => c.div(&combination(-2 * (k as i64 - 1), -((k as i64 - 1) * (k as i64 - 2))), &plus),
            Function::Atanh => c.div(&combination(2 * (k as i64 - 1), (k as i64 - 1) * (k as i64 - 2)), &minus),
            // y″ = -2x y′
            Function::Erf | Function::Erfc => combination(-2, -2 * n as i64),
            // y′ = 1 ± y²
            Function::Tan | Function::Tanh => {
                let terms = (0..k).map(|i| c.mul_integer(&c.mul(&y[i], &y[k - 1 - i]), binomial(k - 1, i)));
                let sum = terms.fold(number(0, 1), |sum, t| c.add(&sum, &t));
                if f == Function::Tan { sum } else { c.neg(&sum) }
            }
        };
        y.push(next);
    }
    y
}

#[test]
fn elementary_functions_satisfy_their_differential_equations() {
    let mut random = SplitMix64::new(22);
    for &f in Function::ALL {
        let tower = primitive::elementary_tower(f);
        for _ in 0..3 {
            let x = inside(f, &mut random);
            for (k, expected) in by_equation(f, &x, 6).iter().enumerate() {
                assert_same(&along_one(&tower, &x, k), expected, &format!("{f:?}, order {k} at {}", show(&x)));
            }
        }
    }
}

#[test]
fn elementary_functions_have_no_derivatives_outside_their_domain() {
    use Function::{Acos, Acosh, Asin, Atanh, Cbrt, Log, Log1p, Sqrt};
    let edges = [
        (Log, &[0, -1][..]),
        (Log1p, &[-1, -2]),
        (Sqrt, &[0, -1]),
        (Cbrt, &[0]),
        (Asin, &[1, -1, 2]),
        (Acos, &[1, -1, 2]),
        (Acosh, &[1, 0, -2]),
        (Atanh, &[1, -1, 3]),
        (Function::LOG_GAMMA, &[0, -1, -5]),
        (Function::DIGAMMA, &[0, -1, -5]),
        (Function::EXP_INTEGRAL_E1, &[0, -2]),
        (Function::BESSEL_K0, &[0, -2]),
    ];
    for (f, points) in edges {
        for x in points {
            for k in 1..5 {
                assert_bottom(&along_one(&primitive::elementary_tower(f), &number(*x, 1), k), &format!("{f:?} at {x}"));
            }
        }
    }
}
