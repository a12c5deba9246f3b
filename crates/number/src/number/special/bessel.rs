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
//! sine or cosine. Let f be one of the functions, and w = v - u. For u ≤ x ≤ v
//!
//! - `|f″(x)| ≤ b = min(1, (|f″(u)| + |f″(v)| + w)/2)`, the mean of the bounds from either end, since |f‴| ≤ 1.
//! - `f′(x) ≥ (f′(u) + f′(v) - bw)/2`, likewise; with this bound ≥ 0, f increases. The mirror image holds for ≤.
//! - `f(x) ≤ max(f(u), f(v)) + bw²/8`, the error of linear interpolation.
//!
//! An interval is bisected until one of them is good enough.

use super::super::arithmetic::Direction::{Down, Up};
use super::super::arithmetic::{Context, Endpoint, EndpointArithmetic, Function, Interval, max_end, min_end};
use super::super::budget;
use super::super::mpfr::Mpfr;
use super::SpecialFunction;
use crate::function::{DerivativeFamily, FunctionSpec, OperationConditions, Region};
use rug::float::Round;
use rug::{Float, Integer};
use std::cmp::Ordering;

/// Jₙ with its derivatives, for n = 0 and n = 1.
pub(in super::super) struct BesselJ<const N: u32>;

/// The highest order that is computed; the bounds of higher ones are [-1, 1]. A choice: above what programs may ask for.
const MAX_ORDER: u32 = 1100;

/// The greatest precision in bits of a computation; beyond it bounds are no narrower. A choice: as for Γ.
const MAX_BITS: u32 = 1 << 13;

/// The greatest product of an argument and the number of functions whose power series are summed there. A choice: so many terms
/// take milliseconds.
const SERIES_LIMIT: f64 = 65536.0;

/// The greatest exponent of an argument. A choice: its reduction by 2π takes as many bits.
const EXPONENT_LIMIT: i32 = 1 << 14;

/// The width of an interval from which the image is the range. A choice: it has an extremum every π or so, and the first are the
/// greatest.
const MAX_WIDTH: i8 = 8;

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

const FAMILIES: [DerivativeFamily; 2] = [
    DerivativeFamily {
        name: "besselJ0Derivative",
        summary: "The derivative of besselJ0 of an order, a natural number up to 1000; besselJ0Derivative 0 is besselJ0.",
        first: 0,
    },
    DerivativeFamily {
        name: "besselJ1Derivative",
        summary: "The derivative of besselJ1 of an order, a natural number up to 1000; besselJ1Derivative 0 is besselJ1.",
        first: 0,
    },
];

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
    // With m² ≤ |x| the terms of the expansion fall until e^-2|x|, which is below 2^-MAX_BITS.
    order <= MAX_ORDER
        && x.is_finite()
        && x.get_exp().is_none_or(|e| e <= EXPONENT_LIMIT)
        && (*x.as_abs() <= SERIES_LIMIT / highest || *x.as_abs() >= highest * highest)
}

impl<const N: u32> BesselJ<N> {
    fn evaluate(bits: u32, order: u32, x: &Float) -> Interval<Float> {
        let tier = Mpfr::new(bits);
        let sum = terms(N, order).into_iter().fold(tier.enclose_integer(0), |sum, (m, factor)| {
            let factor = tier.enclose_rational(&factor.into());
            tier.add(&sum, &tier.mul(&factor, &enclose_bessel(bits, m, x)))
        });
        // A power of two: the division is exact.
        tier.div(&sum, &tier.enclose_rational(&(Integer::from(1) << order).into()))
    }
}

/// A part of an interval, with bounds of the function and of its slope at its ends.
struct Piece<E> {
    ends: [E; 2],
    values: [(E, E); 2],
    slopes: [(E, E); 2],
    /// Upper bounds of the moduli of the second derivative.
    curvatures: [E; 2],
}

impl<const N: u32> SpecialFunction for BesselJ<N> {
    const FAMILY: DerivativeFamily = FAMILIES[N as usize];

    fn spec(order: u16) -> &'static FunctionSpec {
        let specs = if order == 0 { &FIRST } else { &DERIVATIVES };
        &specs[N as usize]
    }

    fn enclose<T: EndpointArithmetic>(tier: &T, f: Function, _order: u32, a: &Interval<T::End>) -> Interval<T::End> {
        if a.is_degenerate() {
            let (lo, hi) = tier.eval_bounds(f, &a.lo);
            return Interval::new(lo, hi, a.defined);
        }
        let (least, greatest) = f.row().range;
        let (least, greatest) = (tier.round_float(Down, &least.to_float()), tier.round_float(Up, &greatest.to_float()));
        let range = Interval::new(least.clone(), greatest.clone(), a.defined);
        let Some((slope, curvature)) = f.derivative_function().and_then(|f| Some((f, f.derivative_function()?))) else {
            return range;
        };
        if !a.has_finite_ends() || tier.sub_rounded(Up, &a.hi, &a.lo) > tier.small_integer(MAX_WIDTH) {
            return range;
        }
        let at = |x: &T::End| {
            let (lo, hi) = tier.eval_bounds(curvature, x);
            (tier.eval_bounds(f, x), tier.eval_bounds(slope, x), max_end(lo.negated(), hi))
        };
        let [(v0, s0, c0), (v1, s1, c1)] = [at(&a.lo), at(&a.hi)];
        let ends = [a.lo.clone(), a.hi.clone()];
        let mut pieces = vec![Piece { ends, values: [v0, v1], slopes: [s0, s1], curvatures: [c0, c1] }];
        let mut found: Option<(T::End, T::End)> = None;
        // A piece this wide has w²/8 below the rounding of 1.
        let narrow = 0.5f64.powi((tier.bits() / 2).min(1000) as i32);
        // A choice: an interval of width 8 has at most four extrema, each found by as many bisections as half the bits.
        let mut splits = 256 + 8 * tier.bits();
        while let Some(Piece { ends: [u, v], values: [fu, fv], slopes: [su, sv], curvatures: [cu, cv] }) = pieces.pop()
        {
            let width = tier.sub_rounded(Up, &v, &u);
            let twice = tier.add_rounded(Up, &tier.add_rounded(Up, &cu, &cv), &width);
            let curved = min_end(tier.small_integer(1), tier.div_rounded(Up, &twice, &tier.small_integer(2)));
            let turn = tier.mul_rounded(Up, &curved, &width);
            let rises = tier.sub_rounded(Down, &tier.add_rounded(Down, &su.0, &sv.0), &turn).is_nonnegative();
            let falls = tier.add_rounded(Up, &tier.add_rounded(Up, &su.1, &sv.1), &turn).is_nonpositive();
            let middle = tier.middle_between(&u, &v);
            let mut bounds = (min_end(fu.0.clone(), fv.0.clone()), max_end(fu.1.clone(), fv.1.clone()));
            if !(rises || falls) {
                if splits > 0 && width > narrow && u < middle && middle < v {
                    splits -= 1;
                    let (value, slope, curvature) = at(&middle);
                    pieces.push(Piece {
                        ends: [u, middle.clone()],
                        values: [fu, value.clone()],
                        slopes: [su, slope.clone()],
                        curvatures: [cu, curvature.clone()],
                    });
                    pieces.push(Piece {
                        ends: [middle, v],
                        values: [value, fv],
                        slopes: [slope, sv],
                        curvatures: [curvature, cv],
                    });
                    continue;
                }
                let eighth = tier.div_rounded(Up, &tier.mul_rounded(Up, &turn, &width), &tier.small_integer(8));
                bounds = (tier.sub_rounded(Down, &bounds.0, &eighth), tier.add_rounded(Up, &bounds.1, &eighth));
            }
            found = Some(match found {
                Some((lo, hi)) => (min_end(lo, bounds.0), max_end(hi, bounds.1)),
                None => bounds,
            });
        }
        match found {
            Some((lo, hi)) => Interval::new(max_end(lo, least), min_end(hi, greatest), a.defined),
            None => range,
        }
    }

    fn bounds_in_double(order: u32, x: f64) -> (f64, f64) {
        let (least, greatest) = Self::spec(order.min(1) as u16).range;
        // MPFR at 64 bits, rounded once more: no library has correctly rounded bounds in doubles.
        let value = Self::bounds_to(64, order, &Float::with_val(53, x));
        (value.lo.to_f64_round(Round::Down).max(least), value.hi.to_f64_round(Round::Up).min(greatest))
    }

    fn bounds_to(bits: u32, order: u32, x: &Float) -> Interval<Float> {
        if !is_computed(order, x) {
            let (least, greatest) = Self::spec(order.min(1) as u16).range;
            return Interval::new(least.to_float(), greatest.to_float(), true);
        }
        // 32 guard bits, a choice: a sum of up to 1,100 terms loses 11.
        let bits = bits.min(MAX_BITS) + 32;
        let value = Self::evaluate(bits, order, x);
        let tier = Mpfr::new(bits);
        // Beside a zero the terms cancel, and twice the bits are enough unless it is very near.
        let lost = tier.width(&value).floor_log2().saturating_sub(tier.magnitude(&value).floor_log2());
        if lost < 24 - i64::from(bits) { value } else { Self::evaluate(2 * bits, order, x) }
    }

    fn nearest(order: u32, x: f64) -> f64 {
        if !x.is_finite() {
            return if x.is_nan() { x } else { 0.0 };
        }
        let (lo, hi) = Self::bounds_in_double(order, x);
        0.5 * lo + 0.5 * hi
    }

    fn units(limbs: u64, order: u32, exponent: i64) -> u64 {
        // Half as many terms as the order, each like erf in cost; four evaluations for an interval.
        budget::error_function_units(limbs, exponent).saturating_mul(4 * (u64::from(order) / 2 + 1))
    }
}
