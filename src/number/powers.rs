//! Integer powers and roots of non-negative `f64`, with certified bounds.
//!
//! A power is computed from the leading bit of its exponent down, every product rounded in the same direction. The
//! partial results are powers of the same number with smaller exponents, so when the answer is representable all of
//! them are, and nothing is rounded.
//!
//! A root starts from an approximation r that is trusted in nothing. The lower bound is the largest r whose power,
//! rounded up, is ≤ x; the upper bound the smallest whose power, rounded down, is ≥ x. Both are found by walking from
//! the approximation, and when x is the power of a representable number both are that number.

use super::ends::Direction::{self, Down, Up};
use super::rounding;

/// aⁿ for a ≥ 0, rounded in a direction at each step.
#[must_use]
pub fn power(direction: Direction, a: f64, n: u32) -> f64 {
    if n == 0 {
        return 1.0;
    }
    if a == 0.0 || a == 1.0 || a == f64::INFINITY {
        return a;
    }
    let mut result = a;
    for bit in (0..n.ilog2()).rev() {
        result = rounding::mul(direction, result, result);
        if n >> bit & 1 == 1 {
            result = rounding::mul(direction, result, a);
        }
    }
    result
}

/// An approximation of the n-th root of x, 0 < x < ∞.
fn approximate_root(x: f64, n: u32) -> f64 {
    if n == 3 {
        return core_math::cbrt(x);
    }
    let order = f64::from(n);
    let r = core_math::pow(x, 1.0 / order);
    // one step of Newton's method, for what 1/n lost
    let excess = power(Up, r, n) / x - 1.0;
    let better = r - r * excess / order;
    if excess.is_finite() && better.is_finite() && better > 0.0 {
        better
    } else {
        r
    }
}

/// The last number for which `holds`, from `start` in steps of one place along `step`, where `holds` is true up to
/// some number ≥ 0 in that direction and false beyond; `None` where 2¹⁰ steps do not suffice.
fn walk(
    start: f64,
    step: fn(f64) -> f64,
    back: fn(f64) -> f64,
    holds: impl Fn(f64) -> bool,
) -> Option<f64> {
    let mut r = start;
    if holds(r) {
        for _ in 0..1024 {
            let next = step(r);
            if !(next >= 0.0 && next.is_finite() && holds(next)) {
                return Some(r);
            }
            r = next;
        }
        return Some(r);
    }
    for _ in 0..1024 {
        r = back(r);
        if r >= 0.0 && holds(r) {
            return Some(r);
        }
    }
    None
}

/// The n-th root of x ≥ 0, rounded in a direction, for n ≥ 1.
#[must_use]
pub fn root(direction: Direction, x: f64, n: u32) -> f64 {
    if x == 0.0 || x == 1.0 || x == f64::INFINITY || n <= 1 {
        return x;
    }
    if n == 2 {
        return rounding::sqrt(direction, x);
    }
    let start = approximate_root(x, n);
    match direction {
        Down => walk(start, f64::next_up, f64::next_down, |r| {
            power(Up, r, n) <= x
        })
        .unwrap_or(0.0),
        Up => walk(start, f64::next_down, f64::next_up, |r| {
            power(Down, r, n) >= x
        })
        .unwrap_or(x.max(1.0)),
    }
}
