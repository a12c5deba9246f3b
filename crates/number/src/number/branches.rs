//! log |Γ| and its derivatives on intervals, written once for every precision.
//!
//! Their poles are 0, -1, -2, …, and between two of them lies a *branch*; the numbers above 0 are one as well. On each branch
//! `ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! Σ_{k ≥ 0} (x + k)⁻ⁿ⁻¹` for n ≥ 1. For odd n all terms are positive, so that
//!
//! - ψ⁽ⁿ⁾ > 0 for odd n, so that its antiderivatives increase: ψ, and ψ⁽ⁿ⁾ for even n;
//! - the antiderivatives of these are convex: log |Γ|, and ψ⁽ⁿ⁾ for odd n.
//!
//! A convex function takes its upper bound on an interval at an end. If its slope does not change its sign inside, so does the
//! lower bound. Else let m be its minimiser, between u and v. For every x between them, `f(m) ≥ f(x) + f′(x) (m - x) ≥ f(x) -
//! |f′(x)| max(x - u, v - x)`. This loses no more than the roundings if x is as near to m as its digits allow. The rounding of m
//! itself does not matter.
//!
//! Above 0, ψ⁽ⁿ⁾ for odd n falls, having terms that fall; and ψ changes its sign between [`GAMMA_MINIMISER`] (a test has its signs there).

use super::context::{Context, Function};
use super::ends::Direction::{Down, Up};
use super::ends::{Endpoint, EndpointArithmetic};
use super::gamma::{MAX_GAMMA_BITS, derivative_order, eval_derivative, is_pole};
use super::interval::{Interval, max_end, min_end};
use super::mpfr::Mpfr;
use crate::function::Monotonicity;
use rug::Float;

/// The two numbers between which Γ takes its minimum above 0.
pub(super) const GAMMA_MINIMISER: [f64; 2] = [1.461_632_144_968_36, 1.461_632_144_968_37];

/// Encloses the image of an interval under log |Γ| or a derivative of it; ⊥ if the interval may contain a pole.
pub(super) fn eval_on_branch<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    // Inside one branch: above 0, or between two neighbouring integers.
    let within = a.lo.is_positive()
        || (a.lo.is_finite() && !is_pole(&a.lo) && a.hi.is_negative() && a.lo.floor() == a.hi.floor());
    if !within {
        return tier.bottom();
    }
    if a.is_degenerate() {
        let (lo, hi) = tier.eval_bounds(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    match is_increasing_on(tier, f, a) {
        Some(true) => Interval::new(tier.eval_rounded(Down, f, &a.lo), tier.eval_rounded(Up, f, &a.hi), a.defined),
        Some(false) => Interval::new(tier.eval_rounded(Down, f, &a.hi), tier.eval_rounded(Up, f, &a.lo), a.defined),
        None => {
            // Convex, with the minimum possibly inside: the greatest value is at an end.
            let hi = max_end(tier.eval_rounded(Up, f, &a.lo), tier.eval_rounded(Up, f, &a.hi));
            Interval::new(min_end(lower_bound_of_minimum(tier, f, a), hi.clone()), hi, a.defined)
        }
    }
}

/// Returns `AtMost(true)` if a function increases on a part of a branch, `AtMost(false)` if it decreases; `None` if it may do both.
fn is_increasing_on<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Option<bool> {
    if f.row().monotonicity == Monotonicity::IncreasingBranches {
        return Some(true);
    }
    // Above 0 only log Γ has a minimum; the polygamma functions of odd order decrease.
    if a.lo.is_positive() {
        return match f {
            Function::LogGamma if a.lo >= GAMMA_MINIMISER[1] => Some(true),
            Function::LogGamma if a.hi > GAMMA_MINIMISER[0] => None,
            _ => Some(false),
        };
    }
    let slope = f.derivative_function()?;
    if tier.eval_rounded(Down, slope, &a.lo).is_nonnegative() {
        Some(true)
    } else if tier.eval_rounded(Up, slope, &a.hi).is_nonpositive() {
        Some(false)
    } else {
        None
    }
}

/// Returns a lower bound of a convex function that first decreases and then increases, by its slope near the minimiser.
fn lower_bound_of_minimum<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> T::End {
    let (mut u, mut v) = (a.lo.clone(), a.hi.clone());
    // Above 0 the function is log Γ, whose minimiser is known to 15 digits.
    if u.is_positive() {
        let [below, above] = GAMMA_MINIMISER.map(|x| x.to_float());
        (u, v) = (max_end(u, tier.round_float(Down, &below)), min_end(v, tier.round_float(Up, &above)));
    }
    let trivial = if f.row().range.0 == 0.0 { tier.small_integer(0) } else { tier.signed_infinity(Down) };
    // Without a second derivative no better bound than the range is known.
    let Some((slope, curvature)) =
        f.derivative_function().and_then(|slope| Some((slope, slope.derivative_function()?)))
    else {
        return trivial;
    };
    let place = match tier.bits() {
        ..=SHORT_BITS => approximate_zero(tier, [slope, curvature], u.clone(), v.clone()),
        bits => tier.round_float(Down, &approximate_zero_to(bits, [slope, curvature], [&u.to_float(), &v.to_float()])),
    };
    let x = max_end(u.clone(), min_end(v.clone(), place));
    let steep = match tier.bits() {
        ..=SHORT_BITS => {
            let (lo, hi) = tier.eval_bounds(slope, &x);
            max_end(lo.negated(), hi)
        }
        bits => {
            let (lo, hi) = slope_near_zero(bits, slope, &x.to_float());
            tier.round_float(Up, &max_end(lo.negated(), hi))
        }
    };
    if !steep.is_finite() {
        return trivial;
    }
    let far = max_end(tier.sub_rounded(Up, &v, &x), tier.sub_rounded(Up, &x, &u));
    max_end(trivial, tier.sub_rounded(Down, &tier.eval_rounded(Down, f, &x), &tier.mul_rounded(Up, &steep, &far)))
}

/// The precision in bits up to which a number is short.
const SHORT_BITS: u32 = 64;

/// Approximates the zero of a slope between two numbers by Newton's method, or by bisection if a step leaves the interval. No
/// bound relies on it.
fn approximate_zero<T: EndpointArithmetic>(
    tier: &T,
    [slope, curvature]: [Function; 2],
    mut u: T::End,
    mut v: T::End,
) -> T::End {
    let mut x = tier.middle_between(&u, &v);
    // A choice: 64 bisections exhaust a short mantissa, and Newton's method needs a few steps.
    for _ in 0..64 {
        if !(u < x && x < v) {
            break;
        }
        let (lo, hi) = tier.eval_bounds(slope, &x);
        if lo.is_positive() {
            v = x.clone();
        } else if hi.is_negative() {
            u = x.clone();
        } else {
            break;
        }
        let next = newton_step(tier, curvature, (lo, hi), &x);
        x = if u < next && next < v { next } else { tier.middle_between(&u, &v) };
    }
    x
}

/// Approximates the zero to about `bits` bits, twice as many in each step, so that the last one takes most of the time.
fn approximate_zero_to(bits: u32, [slope, curvature]: [Function; 2], [u, v]: [&Float; 2]) -> Float {
    let mut digits = SHORT_BITS;
    let tier = Mpfr::new(digits);
    let mut x = approximate_zero(&tier, [slope, curvature], tier.round_float(Down, u), tier.round_float(Up, v));
    while digits < bits.min(MAX_GAMMA_BITS) && !is_pole(&x) {
        digits = digits.saturating_mul(2).min(bits);
        let tier = Mpfr::new(digits);
        let at = tier.round_float(Down, &x);
        let next = newton_step(&tier, curvature, slope_near_zero(digits, slope, &at), &at);
        if !next.is_finite() {
            break;
        }
        x = next;
    }
    x
}

/// Encloses a slope beside a zero of it, with an error relative to its terms. An error relative to the slope itself would need a
/// second evaluation.
fn slope_near_zero(bits: u32, slope: Function, x: &Float) -> (Float, Float) {
    let tier = Mpfr::new(bits.min(MAX_GAMMA_BITS) + 32);
    let value = derivative_order(slope).map_or_else(|| tier.bottom(), |order| eval_derivative(&tier, order, x));
    (value.lo, value.hi)
}

/// Returns a step of Newton's method from x, where the slope lies between two numbers; +∞ if these are not finite.
fn newton_step<T: EndpointArithmetic>(tier: &T, curvature: Function, (lo, hi): (T::End, T::End), x: &T::End) -> T::End {
    if !(lo.is_finite() && hi.is_finite()) {
        return tier.signed_infinity(Up);
    }
    let step = tier.div_rounded(Down, &tier.middle_between(&lo, &hi), &tier.eval_rounded(Up, curvature, x));
    tier.sub_rounded(Down, x, &step)
}
