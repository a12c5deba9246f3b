//! The exponential integral `E₁(x) = ∫ₓ^∞ e⁻ᵗ/t dt` for x > 0, with its derivatives of every order.
//!
//! `E₁⁽ⁿ⁾(x) = (-1)ⁿ ∫₁^∞ tⁿ⁻¹ e⁻ˣᵗ dt`, so that each order has one sign and is monotone. For n ≥ 1 the integral is
//! `(-1)ⁿ e⁻ˣ Σᵢ (n - 1)!/(n - 1 - i)! x⁻¹⁻ⁱ`, of positive terms, with i from 0 to n - 1.
//!
//! **At points** E₁ is `-γ - log x - Σ (-x)ᵏ/(k·k!)`, k from 1 on ([DLMF 6.6.2](https://dlmf.nist.gov/6.6.E2)). Its terms alternate, and
//! fall for k ≥ x. They grow to eˣ while the sum is about e⁻ˣ, which costs twice as many bits more.
//!
//! **Far out** it is `e⁻ˣ/x Σ (-1)ᵏ k!/xᵏ`. The remainder has the sign of the first term left out and is at most as large
//! (DLMF 6.12(i)).

use super::super::arithmetic::{Context, Function, Interval};
use super::super::mpfr::Mpfr;
use super::{
    EXP_DOWN, LOGARITHMIC_DECAY, SeriesRest, SpecialFunction, derivative_family, euler_gamma, extended_by, sum_series,
};
use crate::function::Formula::{Divide, Negate, Number, X};
use crate::function::{DerivativeFamily, EdgeForm, EdgeTail, FunctionSpec, Monotonicity, OperationConditions, Region};
use rug::Float;
use rug::float::Round;

/// E₁ with its derivatives.
pub(in super::super) struct ExpIntegralE1;

const INF: f64 = f64::INFINITY;

static CONDITIONS: OperationConditions = OperationConditions::analytic_on(
    Region::ABOVE_ZERO,
    "an entire function less the logarithm, unbounded at 0 (DLMF 6.2)",
);

/// `E₁(x) = e⁻ˣ (log (1 + 1/x) + r)`, from `r = ∫₀^∞ e⁻ˣᵗ d(t) dt` with `d(t) = 1/(1 + t) - (1 - e⁻ᵗ)/t ≤ 0`.
///
/// r rises from -γ at 0 to 0. For k ≥ 1 `|r⁽ᵏ⁾| ≤ sup |t d(t)|·∫ tᵏ⁻¹ e⁻ˣᵗ dt = sup |t d(t)|·(k - 1)!/xᵏ`, where `-t d(t) = 1/(1 + t) -
/// e⁻ᵗ` is at most 0.2037 (at t = 2.5128…).
const EDGE: EdgeForm = EdgeForm {
    formula: LOGARITHMIC_DECAY,
    tail: Some(EdgeTail {
        weight: Negate(&X),
        falls: false,
        bounds: [Number(-37, 64), Number(0, 1)],
        coefficient: Number(1, 4),
        ratio: 1,
    }),
    mirror: None,
};

const DERIVATIVE: FunctionSpec = FunctionSpec {
    name: ExpIntegralE1::FAMILY.name,
    summary: ExpIntegralE1::FAMILY.summary,
    notation: "E₁⁽ⁿ⁾(x)",
    exact_values: &[(INF, 0.0)],
    ..FunctionSpec::special(&CONDITIONS)
};

/// E₁, its slope, then the derivatives of even and of odd order.
static SPECS: [FunctionSpec; 4] = [
    FunctionSpec {
        name: "expIntegralE1",
        summary: "The exponential integral E1 x, the integral of exp (-t) / t from x on, of x > 0.",
        notation: "E₁(x)",
        edge: Some(EDGE),
        ..POSITIVE
    },
    FunctionSpec {
        edge: Some(EdgeForm { formula: Negate(&Divide(&EXP_DOWN, &X)), tail: None, mirror: None }),
        ..NEGATIVE
    },
    POSITIVE,
    NEGATIVE,
];

const POSITIVE: FunctionSpec = FunctionSpec { monotonicity: Monotonicity::Decreasing, range: (0.0, INF), ..DERIVATIVE };
const NEGATIVE: FunctionSpec =
    FunctionSpec { monotonicity: Monotonicity::Increasing, range: (-INF, 0.0), ..DERIVATIVE };

/// Encloses E₁ by its power series.
fn sum_powers(tier: &Mpfr, x: &Float) -> Interval<Float> {
    let size = x.to_f64_round(Round::Up);
    let tier = &extended_by(tier, 2.9 * size + 32.0);
    let x = Interval::point(x.clone());
    let mut power = tier.enclose_integer(-1);
    let term = |k: u32| {
        let n = u64::from(k) + 1;
        power = tier.neg(&tier.div_integer(&tier.mul(&power, &x), n));
        tier.div_integer(&power, n)
    };
    let sum = sum_series(tier, term, |k| f64::from(k) >= size, SeriesRest::Alternating);
    tier.sub(&tier.sub(&sum, &euler_gamma(tier)), &tier.apply_function(Function::Log, &x))
}

/// Encloses E₁ by its expansion at infinity.
fn expand_at_infinity(tier: &Mpfr, x: &Interval<Float>) -> Interval<Float> {
    let inverse = tier.div(&tier.enclose_integer(1), x);
    let mut term = inverse.clone();
    let next = |k: u32| {
        if k > 0 {
            term = tier.neg(&tier.mul(&tier.mul_integer(&term, k.into()), &inverse));
        }
        term.clone()
    };
    let sum = sum_series(tier, next, |_| true, SeriesRest::Alternating);
    tier.mul(&sum, &tier.apply_function(Function::Exp, &tier.neg(x)))
}

/// Encloses the derivative of order n ≥ 1, by the scheme of Horner.
fn eval_derivative(tier: &Mpfr, order: u32, x: &Interval<Float>) -> Interval<Float> {
    let (one, inverse) = (tier.enclose_integer(1), tier.div(&tier.enclose_integer(1), x));
    let sum =
        (1..order).fold(one.clone(), |sum, i| tier.add(&one, &tier.mul(&tier.mul_integer(&sum, i.into()), &inverse)));
    let size = tier.mul(&tier.mul(&sum, &inverse), &tier.apply_function(Function::Exp, &tier.neg(x)));
    if order.is_multiple_of(2) { size } else { tier.neg(&size) }
}

impl SpecialFunction for ExpIntegralE1 {
    const FAMILY: DerivativeFamily = derivative_family!("expIntegralE1", "Of x > 0.");
    const ELSEWHERE: &'static [&'static str] = &["E1", "exp1", "expint", "expIntegral", "ExpIntegralE"];

    fn spec(order: u16) -> &'static FunctionSpec {
        &SPECS[if order < 2 { usize::from(order) } else { 2 + usize::from(order % 2) }]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        let point = Interval::point(x.clone());
        Some(match order {
            // The terms of the expansion fall to e^-x.
            0 if *x > 0.7 * f64::from(tier.precision()) + 8.0 => expand_at_infinity(tier, &point),
            0 => sum_powers(tier, x),
            _ => eval_derivative(tier, order, &point),
        })
    }
}
