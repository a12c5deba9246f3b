//! log |Γ| and its derivatives on intervals, written once for every tier.
//!
//! Their poles are 0, -1, -2, …, and between two of them lies a *branch*; the numbers above 0 are one as well. On each branch
//! `ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! Σ_{k ≥ 0} (x + k)⁻ⁿ⁻¹` for n ≥ 1. For odd n all terms are positive, so that
//!
//! - ψ⁽ⁿ⁾ > 0 for odd n, and what it is the derivative of rises: ψ, and ψ⁽ⁿ⁾ for even n;
//! - what these are the derivatives of is convex: log |Γ|, and ψ⁽ⁿ⁾ for odd n.
//!
//! A convex function has its upper bound on an interval at an end. Where its slope does not change its sign inside, so it has the
//! lower. Else let m be where it is least, between u and v. For every x between them, `f(m) ≥ f(x) + f′(x) (m - x) ≥ f(x) - |f′(x)|
//! max(x - u, v - x)`, and this is no worse than the roundings where x is as near to m as its digits can say. No
//! rounding of m itself matters.
//!
//! Above 0, ψ⁽ⁿ⁾ for odd n falls, having terms that fall; and ψ changes its sign between [`LEAST`] (a test has its signs there).

use super::context::{Context, Function};
use super::ends::Direction::{Down, Up};
use super::ends::{End, Ends};
use super::gamma::{MOST_BITS, derivative, is_pole, order};
use super::interval::{Interval, larger, smaller};
use super::mpfr::Mpfr;
use crate::function::Course;
use rug::Float;

/// Between these numbers Γ is least above 0.
pub(super) const LEAST: [f64; 2] = [1.461_632_144_968_36, 1.461_632_144_968_37];

/// The image of an interval under log |Γ| or a derivative of it; ⊥ where it may meet a pole.
pub(super) fn branches<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    let within = a.lo.is_positive()
        || (a.lo.is_finite() && !is_pole(&a.lo) && a.hi.is_negative() && a.lo.floor() == a.hi.floor());
    if !within {
        return tier.bottom();
    }
    if a.is_degenerate() {
        let (lo, hi) = tier.values(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    match course(tier, f, a) {
        Some(true) => Interval::new(tier.value(Down, f, &a.lo), tier.value(Up, f, &a.hi), a.defined),
        Some(false) => Interval::new(tier.value(Down, f, &a.hi), tier.value(Up, f, &a.lo), a.defined),
        None => {
            let hi = larger(tier.value(Up, f, &a.lo), tier.value(Up, f, &a.hi));
            Interval::new(smaller(least(tier, f, a), hi.clone()), hi, a.defined)
        }
    }
}

/// Whether a function rises on a part of a branch, or falls; `None` where it may do both.
fn course<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> Option<bool> {
    if f.row().course == Course::RisingBranches {
        return Some(true);
    }
    if a.lo.is_positive() {
        return match f {
            Function::LogGamma if a.lo >= LEAST[1] => Some(true),
            Function::LogGamma if a.hi > LEAST[0] => None,
            _ => Some(false),
        };
    }
    let slope = f.raised()?;
    if tier.value(Down, slope, &a.lo).is_nonnegative() {
        Some(true)
    } else if tier.value(Up, slope, &a.hi).is_nonpositive() {
        Some(false)
    } else {
        None
    }
}

/// A lower bound of a convex function that first falls and then rises, by its slope near where it is least.
fn least<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> T::End {
    let (mut u, mut v) = (a.lo.clone(), a.hi.clone());
    if u.is_positive() {
        let [below, above] = LEAST.map(|x| x.to_float());
        (u, v) = (larger(u, tier.round(Down, &below)), smaller(v, tier.round(Up, &above)));
    }
    let trivial = if f.row().range.0 == 0.0 { tier.small(0) } else { tier.infinite(Down) };
    let Some((slope, curvature)) = f.raised().and_then(|slope| Some((slope, slope.raised()?))) else {
        return trivial;
    };
    let place = match tier.bits() {
        ..=SHORT => halved(tier, [slope, curvature], u.clone(), v.clone()),
        bits => tier.round(Down, &place(bits, [slope, curvature], [&u.to_float(), &v.to_float()])),
    };
    let x = larger(u.clone(), smaller(v.clone(), place));
    let steep = match tier.bits() {
        ..=SHORT => {
            let (lo, hi) = tier.values(slope, &x);
            larger(lo.negated(), hi)
        }
        bits => {
            let (lo, hi) = beside_zero(bits, slope, &x.to_float());
            tier.round(Up, &larger(lo.negated(), hi))
        }
    };
    if !steep.is_finite() {
        return trivial;
    }
    let far = larger(tier.difference(Up, &v, &x), tier.difference(Up, &x, &u));
    larger(trivial, tier.difference(Down, &tier.value(Down, f, &x), &tier.product(Up, &steep, &far)))
}

/// With so many bits a number is short.
const SHORT: u32 = 64;

/// Near where a slope changes its sign between two numbers: nothing rests on it. Newton's method, and halving where that leaves the
/// interval.
fn halved<T: Ends>(tier: &T, [slope, curvature]: [Function; 2], mut u: T::End, mut v: T::End) -> T::End {
    let mut x = tier.between(&u, &v);
    for _ in 0..64 {
        if !(u < x && x < v) {
            break;
        }
        let (lo, hi) = tier.values(slope, &x);
        if lo.is_positive() {
            v = x.clone();
        } else if hi.is_negative() {
            u = x.clone();
        } else {
            break;
        }
        let next = newton(tier, curvature, (lo, hi), &x);
        x = if u < next && next < v { next } else { tier.between(&u, &v) };
    }
    x
}

/// The same to about so many bits: with twice as many in each step, so that the last one takes most.
fn place(bits: u32, [slope, curvature]: [Function; 2], [u, v]: [&Float; 2]) -> Float {
    let mut digits = SHORT;
    let tier = Mpfr::new(digits);
    let mut x = halved(&tier, [slope, curvature], tier.round(Down, u), tier.round(Up, v));
    while digits < bits.min(MOST_BITS) && !is_pole(&x) {
        digits = digits.saturating_mul(2).min(bits);
        let tier = Mpfr::new(digits);
        let at = tier.round(Down, &x);
        let next = newton(&tier, curvature, beside_zero(digits, slope, &at), &at);
        if !next.is_finite() {
            break;
        }
        x = next;
    }
    x
}

/// A slope at a point beside a zero of it, to within so many digits of what it is made of: of itself it would have to be asked twice.
fn beside_zero(bits: u32, slope: Function, x: &Float) -> (Float, Float) {
    let tier = Mpfr::new(bits.min(MOST_BITS) + 32);
    let value = order(slope).map_or_else(|| tier.bottom(), |order| derivative(&tier, order, x));
    (value.lo, value.hi)
}

/// A step of Newton's method from x, where the slope lies between two numbers.
fn newton<T: Ends>(tier: &T, curvature: Function, (lo, hi): (T::End, T::End), x: &T::End) -> T::End {
    if !(lo.is_finite() && hi.is_finite()) {
        return tier.infinite(Up);
    }
    let step = tier.quotient(Down, &tier.between(&lo, &hi), &tier.value(Up, curvature, x));
    tier.difference(Down, x, &step)
}
