//! The Bessel functions J₀ and J₁ with their derivatives of every order.
//!
//! For an integer n, `Jₙ(x) = (1/π) ∫₀^π cos(nτ - x sin τ) dτ` (Bessel; [DLMF 10.9.2](https://dlmf.nist.gov/10.9.E2)), so that Jₙ is
//! analytic on the line. From `2 Jₙ′ = Jₙ₋₁ - Jₙ₊₁` (DLMF 10.6.1), which holds at 0 as well, follows by induction
//!
//! `Jₙ⁽ᵏ⁾ = 2⁻ᵏ Σᵢ (-1)ⁱ C(k, i) Jₙ₋ₖ₊₂ᵢ`, with `J₋ₘ = (-1)ᵐ Jₘ` (DLMF 10.4.1).
//!
//! **At points** MPFR has Jₘ, correctly rounded. Terms of the same m are added first, as exact integers. So the terms for small x
//! do not cancel: those of the least m dominate.
//!
//! **On intervals** the integral gives |Jₙ⁽ᵏ⁾| ≤ 1 for all n and k: each derivative of the integrand is a power of sin τ times a
//! sine or cosine.

use super::super::arithmetic::{Context, Interval};
use super::super::mpfr::Mpfr;
use super::sequence::read_sequence;
use super::{SpecialFunction, derivative_family};
use crate::function::{DerivativeFamily, FunctionSpec, OperationConditions, Region};
use rug::float::Round;
use rug::{Float, Integer};
use std::cmp::Ordering;

/// Jₙ with its derivatives, for n = 0 and n = 1.
pub(in super::super) struct BesselJ<const N: u32>;

/// The greatest product of an argument and the number of functions whose power series are summed there. A choice: so many terms
/// take milliseconds.
const SERIES_LIMIT: f64 = 65536.0;

/// -1 and 1 bound every derivative.
const UNIT: (f64, f64) = (-1.0, 1.0);

/// The conditions of J₀, J₁ and all their derivatives.
static CONDITIONS: OperationConditions =
    OperationConditions::analytic_on(Region::EVERYWHERE, "entire, for integer orders (DLMF 10.2)");

const fn bessel_spec(
    name: &'static str,
    summary: &'static str,
    notation: &'static str,
    exact_values: &'static [(f64, f64)],
    range: (f64, f64),
) -> FunctionSpec {
    FunctionSpec { name, summary, notation, exact_values, range, ..FunctionSpec::special(&CONDITIONS) }
}

const FAMILIES: [DerivativeFamily; 2] = [derivative_family!("besselJ0"), derivative_family!("besselJ1")];

/// The least value of J₀ is -0.40275939570255… at its first minimum, and the greatest of J₁ is 0.58186522428159… at its first
/// maximum: later extrema are smaller, by Sonin's theorem ([DLMF 10.14](https://dlmf.nist.gov/10.14)).
static FIRST: [FunctionSpec; 2] = [
    bessel_spec(
        "besselJ0",
        "The Bessel function of the first kind of order 0.",
        "J₀(x)",
        &[(0.0, 1.0)],
        (-0.402_759_395_702_56, 1.0),
    ),
    bessel_spec(
        "besselJ1",
        "The Bessel function of the first kind of order 1.",
        "J₁(x)",
        &[(0.0, 0.0)],
        (-0.581_865_224_281_6, 0.581_865_224_281_6),
    ),
];

static DERIVATIVES: [FunctionSpec; 2] = [
    bessel_spec(FAMILIES[0].name, FAMILIES[0].summary, "J₀⁽ⁿ⁾(x)", &[], UNIT),
    bessel_spec(FAMILIES[1].name, FAMILIES[1].summary, "J₁⁽ⁿ⁾(x)", &[], UNIT),
];

/// Returns the integers cₘ with `2ᵏ Jₙ⁽ᵏ⁾ = Σ cₘ Jₘ`, beside their m ≥ 0.
fn terms(n: u32, k: u32) -> Vec<(u32, Integer)> {
    let mut sums = vec![Integer::new(); (n + k + 1) as usize];
    for i in 0..=k {
        let binomial = Integer::from(k).binomial(i);
        let m = i64::from(n) - i64::from(k) + 2 * i64::from(i);
        let reflected = m < 0 && m % 2 != 0;
        let sum = &mut sums[m.unsigned_abs() as usize];
        if (i % 2 == 1) == reflected { *sum += binomial } else { *sum -= binomial }
    }
    (0..).zip(sums).filter(|(_, sum)| !sum.is_zero()).collect()
}

/// Encloses Jₘ(x), correctly rounded at both ends unless x² is below the precision.
fn enclose_bessel(bits: u32, m: u32, x: &Float) -> Interval<Float> {
    // For tiny x MPFR takes time without a bound. The terms of the power series alternate and fall for |x| ≤ 1, so that
    // `Jₘ(x) = (x/2)ᵐ/m! (1 - θ x²/(4 (m + 1)))` with θ in [0, 1].
    if x.get_exp().is_some_and(|e| e < -(bits as i32)) {
        let tier = Mpfr::new(bits);
        let half = tier.div_integer(&Interval::point(x.clone()), 2);
        let factorial = tier.enclose_rational(&Integer::from(Integer::factorial(m)).into());
        let one = Float::with_val(bits, 1);
        let mut below = one.clone();
        below.next_down();
        return tier.mul(&tier.div(&tier.power(&half, m), &factorial), &Interval::new(below, one, true));
    }
    let (lo, side) = Float::with_val_round(bits, x.jn_ref(m as i32), Round::Down);
    let mut hi = lo.clone();
    if side != Ordering::Equal {
        hi.next_up();
    }
    Interval::new(lo, hi, true)
}

/// Returns `true` if Jₘ(x) is computed for all m up to one: by its series, or by its expansion at infinity.
fn is_computed(order: u32, x: &Float) -> bool {
    let highest = f64::from(order) + 1.0;
    // With m² ≤ |x| the terms of the expansion fall until e^-2|x|, which is below the precision.
    *x.as_abs() <= SERIES_LIMIT / highest || *x.as_abs() >= highest * highest
}

impl<const N: u32> SpecialFunction for BesselJ<N> {
    const FAMILY: DerivativeFamily = FAMILIES[N as usize];

    fn spec(order: u16) -> &'static FunctionSpec {
        let specs = if order == 0 { &FIRST } else { &DERIVATIVES };
        &specs[N as usize]
    }

    fn evaluate(tier: &Mpfr, order: u32, x: &Float) -> Option<Interval<Float>> {
        if !is_computed(order, x) {
            return None;
        }
        // Only those m are asked for that have the parity of the first.
        let parity = (N + order) % 2;
        let extend = |values: &mut Vec<Interval<Float>>| {
            for j in values.len() as u32..=(N + order) / 2 {
                values.push(enclose_bessel(tier.precision(), 2 * j + parity, x));
            }
        };
        let name = if parity == 0 { "J, even" } else { "J, odd" };
        let sum = read_sequence((name, tier.precision()), x, extend, |values| {
            terms(N, order).into_iter().fold(tier.enclose_integer(0), |sum, (m, factor)| {
                let factor = tier.enclose_rational(&factor.into());
                tier.add(&sum, &tier.mul(&factor, &values[(m / 2) as usize]))
            })
        });
        // A power of two: the division is exact.
        Some(tier.div(&sum, &tier.enclose_rational(&(Integer::from(1) << order).into())))
    }

    fn bound(_order: u32, _ends: [f64; 2]) -> f64 {
        1.0
    }

    fn nearest(order: u32, x: f64) -> f64 {
        if !x.is_finite() {
            return if x.is_nan() { x } else { 0.0 };
        }
        let (lo, hi) = Self::bounds_in_double(order, x);
        0.5 * lo + 0.5 * hi
    }
}
