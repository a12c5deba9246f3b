//! The modified Bessel function `K₀(x) = ∫₀^∞ exp (-x cosh t) dt` for x > 0, with its derivatives of every order.
//!
//! `K₀⁽ⁿ⁾(x) = (-1)ⁿ ∫₀^∞ coshⁿ t·exp (-x cosh t) dt`, so that each order has one sign and is monotone. From
//! `-2 Kₘ′ = Kₘ₋₁ + Kₘ₊₁` and `K₋ₘ = Kₘ` ([DLMF 10.29](https://dlmf.nist.gov/10.29)) follows by induction
//!
//! `K₀⁽ⁿ⁾ = (-½)ⁿ Σᵢ C(n, i) K₍ₙ₋₂ᵢ₎`, and `Kₘ₊₁ = Kₘ₋₁ + 2m/x·Kₘ`: sums of positive terms.
//!
//! **At points**, with `q = x²/4` and the harmonic numbers Hₖ (DLMF 10.25.2, 10.31.2, 10.28.2),
//!
//! `I₀ = Σ qᵏ/k!²`, `I₁ = x/2 Σ qᵏ/(k! (k + 1)!)`, `K₀ = -(log (x/2) + γ) I₀ + Σ Hₖ qᵏ/k!²`, `K₁ = (1/x - I₁ K₀)/I₀`.
//!
//! The terms grow to eˣ while K₀ is about e⁻ˣ, which costs as many bits more.
//!
//! **Far out** `Kₘ = √(π/2x) e⁻ˣ Σ aₖ/xᵏ` with `aₖ = aₖ₋₁ (4m² - (2k - 1)²)/8k`. For m ≤ 1 the remainder from the second term on has the
//! sign of the first term left out and is at most as large (DLMF 10.40(iii)).

use super::super::arithmetic::{Context, Function, Interval};
use super::super::mpfr::Mpfr;
use super::sequence::read_sequence;
use super::{LOGARITHMIC_DECAY, SeriesRest, SpecialFunction, derivative_family, euler_gamma, extended_by, sum_series};
use crate::function::Formula::{Negate, Number, X};
use crate::function::{DerivativeFamily, EdgeForm, EdgeTail, FunctionSpec, Monotonicity, OperationConditions, Region};
use rug::float::Round;
use rug::{Float, Integer};

/// K₀ with its derivatives.
pub(in super::super) struct BesselK0;

const INF: f64 = f64::INFINITY;

static CONDITIONS: OperationConditions = OperationConditions::analytic_on(
    Region::ABOVE_ZERO,
    "a solution of an equation whose only finite singularity is 0, where it is unbounded (DLMF 10.25)",
);

/// `K₀(x) = e⁻ˣ (log (1 + 1/x) + r)`, from `r = ∫₀^∞ e⁻ˣˢ d(s) ds` with `d(s) = 1/√(s (s + 2)) - (1 - e⁻ˢ)/s`.
///
/// d is positive up to s = 0.7255… and negative from there on; its integrals over the two parts are 0.5290… and -0.4130…, so that r
/// lies between them. For k ≥ 1 `|r⁽ᵏ⁾| ≤ sup |s d(s)|·∫ sᵏ⁻¹ e⁻ˣˢ ds = sup |s d(s)|·(k - 1)!/xᵏ`, where `s d(s) = √(s/(s + 2)) - 1 +
/// e⁻ˢ` lies between -0.1757 and 0.1252.
const EDGE: EdgeForm = EdgeForm {
    formula: LOGARITHMIC_DECAY,
    tail: Some(EdgeTail {
        weight: Negate(&X),
        falls: false,
        bounds: [Number(-1, 2), Number(5, 8)],
        coefficient: Number(1, 4),
        ratio: 1,
    }),
    mirror: None,
};

const DERIVATIVE: FunctionSpec = FunctionSpec {
    name: BesselK0::FAMILY.name,
    summary: BesselK0::FAMILY.summary,
    notation: "K₀⁽ⁿ⁾(x)",
    exact_values: &[(INF, 0.0)],
    ..FunctionSpec::special(&CONDITIONS)
};
const POSITIVE: FunctionSpec = FunctionSpec { monotonicity: Monotonicity::Decreasing, range: (0.0, INF), ..DERIVATIVE };

/// K₀, then the derivatives of even and of odd order.
static SPECS: [FunctionSpec; 3] = [
    FunctionSpec {
        name: "besselK0",
        summary: "The modified Bessel function of the second kind of order 0, of x > 0.",
        notation: "K₀(x)",
        edge: Some(EDGE),
        ..POSITIVE
    },
    POSITIVE,
    FunctionSpec { monotonicity: Monotonicity::Increasing, range: (-INF, 0.0), ..DERIVATIVE },
];

/// Encloses K₀ and K₁ by their power series.
fn sum_powers(tier: &Mpfr, x: &Float) -> [Interval<Float>; 2] {
    let size = x.to_f64_round(Round::Up);
    let tier = &extended_by(tier, 2.9 * size + 32.0);
    let x = Interval::point(x.clone());
    let quarter = tier.div_integer(&tier.square(&x), 4);
    // With (k + 1)² ≥ 4q the terms of all three fall by more than a half: Hₖ₊₁/Hₖ ≤ 3/2.
    let falls = |k: u32| f64::from(k + 1) >= size * 1.000_001;
    // qᵏ/(k! (k + shift)!)
    let sum = |shift: u64| {
        let mut power = tier.enclose_integer(1);
        let term = |k: u32| {
            if k > 0 {
                let below = u64::from(k) * (u64::from(k) + shift);
                power = tier.div_integer(&tier.mul(&power, &quarter), below);
            }
            power.clone()
        };
        sum_series(tier, term, falls, SeriesRest::Geometric)
    };
    let [i0, i1] = [sum(0), tier.div_integer(&tier.mul(&sum(1), &x), 2)];
    let (mut power, mut harmonic) = (tier.enclose_integer(1), tier.enclose_integer(0));
    let term = |k: u32| {
        let n = u64::from(k) + 1;
        power = tier.div_integer(&tier.mul(&power, &quarter), n * n);
        harmonic = tier.add(&harmonic, &tier.div_integer(&tier.enclose_integer(1), n));
        tier.mul(&power, &harmonic)
    };
    // The sum begins with k = 1.
    let sum = sum_series(tier, term, |k| falls(k + 1), SeriesRest::Geometric);
    let log = tier.apply_function(Function::Log, &tier.div_integer(&x, 2));
    let k0 = tier.sub(&sum, &tier.mul(&tier.add(&log, &euler_gamma(tier)), &i0));
    let inverse = tier.div(&tier.enclose_integer(1), &x);
    let k1 = tier.div(&tier.sub(&inverse, &tier.mul(&i1, &k0)), &i0);
    [k0, k1]
}

/// Encloses K₀ and K₁ by their expansions at infinity.
fn expand_at_infinity(tier: &Mpfr, x: &Interval<Float>) -> [Interval<Float>; 2] {
    let root = tier.root(&tier.div(&tier.pi(), &tier.mul_integer(x, 2)), 2);
    let front = tier.mul(&root, &tier.apply_function(Function::Exp, &tier.neg(x)));
    [0, 4].map(|square: i64| {
        let mut power = tier.enclose_integer(1);
        let term = |k: u32| {
            if k > 0 {
                let odd = 2 * i64::from(k) - 1;
                let scaled = tier.mul_integer(&power, square - odd * odd);
                power = tier.div(&scaled, &tier.mul_integer(x, 8 * i64::from(k)));
            }
            power.clone()
        };
        tier.mul(&front, &sum_series(tier, term, |k| k > 0, SeriesRest::Alternating))
    })
}

impl SpecialFunction for BesselK0 {
    const FAMILY: DerivativeFamily = derivative_family!("besselK0", "Of x > 0.");
    const ELSEWHERE: &'static [&'static str] = &["k0", "K0", "kv", "kn", "besselk", "besselK", "BesselK"];

    fn spec(order: u16) -> &'static FunctionSpec {
        &SPECS[if order == 0 { 0 } else { 1 + usize::from(order % 2) }]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        let extend = |values: &mut Vec<Interval<Float>>| {
            let point = Interval::point(x.clone());
            if values.is_empty() {
                // The terms of the expansion fall to e^-2x.
                let is_far = *x > 0.35 * f64::from(tier.precision()) + 8.0;
                values.extend(if is_far { expand_at_infinity(tier, &point) } else { sum_powers(tier, x) });
            }
            for m in values.len() - 1..order as usize {
                let step = tier.div(&tier.mul_integer(&values[m], 2 * m as i64), &point);
                values.push(tier.add(&values[m - 1], &step));
            }
        };
        let sum = read_sequence(("K", tier.precision()), x, extend, |values| {
            (0..=order).fold(tier.enclose_integer(0), |sum, i| {
                let binomial = tier.enclose_rational(&Integer::from(order).binomial(i).into());
                tier.add(&sum, &tier.mul(&binomial, &values[order.abs_diff(2 * i) as usize]))
            })
        });
        // A power of two: the division is exact.
        let size = tier.div(&sum, &tier.enclose_rational(&(Integer::from(1) << order).into()));
        Some(if order.is_multiple_of(2) { size } else { tier.neg(&size) })
    }
}
