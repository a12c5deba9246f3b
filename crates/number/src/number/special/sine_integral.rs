//! The sine integral `Si(x) = ∫₀ˣ sin t/t dt`, with its derivatives of every order.
//!
//! `Si⁽ⁿ⁾(x) = ∫₀¹ tⁿ⁻¹ cos (xt + (n - 1)π/2) dt` for n ≥ 1: the derivative of order n - 1 of `sin x/x`. So `|Si⁽ⁿ⁾| ≤ 1/n`.
//!
//! **At points.** The power series `Σ (-1)ᵏ x²ᵏ⁺¹/((2k + 1)·(2k + 1)!)` ([DLMF 6.6.5](https://dlmf.nist.gov/6.6.E5)) is derived term
//! by term. Its terms alternate, and fall once their power is above |x|. They grow up to e^|x|, which costs as many bits more.
//!
//! **Far out** Si itself is `π/2 - f cos x - g sin x` for x > 0, with
//!
//! `f = Σ (-1)ᵏ (2k)!/x²ᵏ⁺¹` and `g = Σ (-1)ᵏ (2k + 1)!/x²ᵏ⁺²`.
//!
//! The remainder of either has the sign of the first term left out and is at most as large (DLMF 6.12(ii)). Its derivatives follow from
//! `x s⁽ᵐ⁾ + m s⁽ᵐ⁻¹⁾ = sin (x + mπ/2)` for `s = sin x/x`, which loses no digits as long as m ≤ |x|.

use super::super::arithmetic::{Context, Function, Interval};
use super::super::mpfr::Mpfr;
use super::{SeriesRest, SpecialFunction, derivative_family, extended_by, sum_series};
use crate::function::{DerivativeFamily, FunctionSpec, OperationConditions, Region};
use rug::Float;
use rug::float::Round;

/// Si with its derivatives.
pub(in super::super) struct SinIntegral;

const INF: f64 = f64::INFINITY;

static CONDITIONS: OperationConditions =
    OperationConditions::analytic_on(Region::EVERYWHERE, "the antiderivative of an entire function (DLMF 6.2)");

/// 0 at either end.
const VANISHING: &[(f64, f64)] = &[(-INF, 0.0), (INF, 0.0)];

/// Si, sin x/x, and the others. Si is greatest at π, where it is 1.85193705198246…; sin x/x is least at 4.49340945…, where it is
/// -0.21723362821122….
static SPECS: [FunctionSpec; 3] = [
    FunctionSpec {
        name: "sinIntegral",
        summary: "The sine integral Si x, the integral of sin t / t from 0 to x.",
        notation: "Si(x)",
        exact_values: &[(0.0, 0.0)],
        range: (-1.851_937_051_982_47, 1.851_937_051_982_47),
        ..FunctionSpec::special(&CONDITIONS)
    },
    FunctionSpec {
        exact_values: &[(0.0, 1.0), (-INF, 0.0), (INF, 0.0)],
        range: (-0.217_233_628_211_23, 1.0),
        ..DERIVATIVE
    },
    FunctionSpec { exact_values: VANISHING, range: (-0.5, 0.5), ..DERIVATIVE },
];

const DERIVATIVE: FunctionSpec = FunctionSpec {
    name: SinIntegral::FAMILY.name,
    summary: SinIntegral::FAMILY.summary,
    notation: "Si⁽ⁿ⁾(x)",
    ..FunctionSpec::special(&CONDITIONS)
};

/// Encloses the derivative of an order by the power series.
fn sum_powers(tier: &Mpfr, order: u32, x: &Float) -> Interval<Float> {
    let size = x.to_f64_round(Round::AwayZero).abs();
    let tier = &extended_by(tier, 1.45 * size + 16.0);
    let square = tier.square(&Interval::point(x.clone()));
    // The first odd number m from the order on is the first power that is left, and p = m - order its exponent.
    let first = order.max(1) | 1;
    let rest = first - order;
    let mut power = tier.power(&Interval::point(x.clone()), rest);
    if first.div_euclid(2) % 2 == 1 {
        power = tier.neg(&power);
    }
    power = tier.div(&power, &tier.enclose_rational(&rug::Integer::from(rug::Integer::factorial(rest)).into()));
    let term = |k: u32| {
        if k > 0 {
            let p = u64::from(rest + 2 * k);
            power = tier.neg(&tier.div_integer(&tier.mul(&power, &square), p * (p - 1)));
        }
        tier.div_integer(&power, u64::from(first + 2 * k))
    };
    let falls = |k: u32| {
        let p = f64::from(rest + 2 * k);
        (p + 1.0) * (p + 2.0) > size * size * 1.000_001
    };
    sum_series(tier, term, falls, SeriesRest::Alternating)
}

/// Encloses Si at a positive number far out.
fn expand_at_infinity(tier: &Mpfr, x: &Interval<Float>) -> Interval<Float> {
    let inverse = tier.div(&tier.enclose_integer(1), x);
    let square = tier.square(&inverse);
    let part = |first: Interval<Float>, shift: u32| {
        let mut term = first;
        let next = |k: u32| {
            if k > 0 {
                let n = i64::from(2 * k + shift);
                term = tier.neg(&tier.mul(&tier.mul_integer(&term, n * (n - 1)), &square));
            }
            term.clone()
        };
        sum_series(tier, next, |_| true, SeriesRest::Alternating)
    };
    let [f, g] = [part(inverse.clone(), 0), part(square.clone(), 1)];
    let [cosine, sine] = [Function::Cos, Function::Sin].map(|f| tier.apply_function(f, x));
    // f cos x + g sin x, where f and g fall like 1/x and 1/x².
    let rest = tier.add(&tier.mul(&f, &cosine), &tier.mul(&g, &sine));
    tier.sub(&tier.div_integer(&tier.pi(), 2), &rest)
}

/// Encloses the derivative of order n ≥ 1 by the recurrence, for |x| ≥ n.
fn step_upward(tier: &Mpfr, order: u32, x: &Interval<Float>) -> Interval<Float> {
    let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| tier.apply_function(f, x));
    let turned = [sine.clone(), cosine.clone(), tier.neg(&sine), tier.neg(&cosine)];
    let mut value = tier.div(&sine, x);
    // x s⁽ᵐ⁾ = sin (x + mπ/2) - m s⁽ᵐ⁻¹⁾: each step multiplies the error by m/x, at most 1.
    for m in 1..order {
        let sum = tier.sub(&turned[m as usize % 4], &tier.mul_integer(&value, m.into()));
        value = tier.div(&sum, x);
    }
    value
}

impl SpecialFunction for SinIntegral {
    const FAMILY: DerivativeFamily = derivative_family!("sinIntegral");
    const ELSEWHERE: &'static [&'static str] = &["Si", "sinint", "sinInt", "SinIntegral", "sici"];

    fn spec(order: u16) -> &'static FunctionSpec {
        &SPECS[usize::from(order.min(2))]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        let point = Interval::point(x.clone());
        let is_far = |least: f64| *x.as_abs() > least;
        Some(match order {
            // The terms of the expansion fall to e^-x.
            0 if is_far(0.7 * f64::from(tier.precision()) + 8.0) => {
                let value = expand_at_infinity(tier, &tier.abs(&point));
                if x.is_sign_negative() { tier.neg(&value) } else { value }
            }
            1.. if is_far(f64::from(order)) => step_upward(tier, order, &point),
            _ => sum_powers(tier, order, x),
        })
    }

    fn bound(order: u32, _ends: [f64; 2]) -> f64 {
        if order == 0 { 2.0 } else { (1.0 / f64::from(order)).next_up() }
    }

    fn nearest(order: u32, x: f64) -> f64 {
        if order == 0 && x.is_infinite() {
            return std::f64::consts::FRAC_PI_2.copysign(x);
        }
        super::nearest_by_bounds::<Self>(order, x)
    }
}
