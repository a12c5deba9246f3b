//! Integer powers and roots of non-negative `f64`, with certified bounds.
//!
//! A power is computed from the leading bit of its exponent down, with every product rounded in the same direction. The partial
//! results are powers of the same number with smaller exponents. If the result is representable, all of them are, and nothing is
//! rounded.
//!
//! A root starts from an approximation r on whose accuracy no bound relies. The lower bound is the largest r whose power, rounded
//! up, is ≤ x; the upper bound the smallest whose power, rounded down, is ≥ x. Both are found by walking from the approximation.
//! If x is the power of a representable number, both are that number. The powers are compared at 53 bits with an exponent of
//! their own, so that they lose no precision where x is subnormal.

use super::ends::Direction::{self, Down, Up};
use super::rounding;
use std::cmp::Ordering;

/// Returns aⁿ by repeated squaring, for n ≥ 1.
fn power_by_squaring<A: Copy>(a: A, n: u32, product: impl Fn(A, A) -> A) -> A {
    (0..n.ilog2()).rev().fold(a, |power, bit| {
        let square = product(power, power);
        if n >> bit & 1 == 1 { product(square, a) } else { square }
    })
}

/// Returns aⁿ for a ≥ 0, every step rounded in the direction.
#[must_use]
pub fn power_rounded(direction: Direction, a: f64, n: u32) -> f64 {
    if n == 0 {
        return 1.0;
    }
    if a == 0.0 || a == 1.0 || a == f64::INFINITY {
        return a;
    }
    power_by_squaring(a, n, |x, y| rounding::mul(direction, x, y))
}

/// A positive number m·2ᵉ with m in [1, 2).
#[derive(Clone, Copy)]
struct ScaledDouble {
    mantissa: f64,
    exponent: i64,
}

impl ScaledDouble {
    fn new(x: f64) -> Self {
        if x < f64::MIN_POSITIVE {
            // Multiplication by 2⁵⁴ makes a subnormal number normal, exactly.
            let Self { mantissa, exponent } = Self::new(x * (1u64 << 54) as f64);
            return Self { mantissa, exponent: exponent - 54 };
        }
        let bits = x.to_bits();
        let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | 1f64.to_bits());
        Self { mantissa, exponent: (bits >> 52) as i64 - 1023 }
    }

    /// Returns the product, its mantissa rounded in the direction. The exponent cannot overflow.
    fn mul_rounded(self, other: Self, direction: Direction) -> Self {
        let Self { mantissa, exponent } = Self::new(rounding::mul(direction, self.mantissa, other.mantissa));
        Self { mantissa, exponent: exponent + self.exponent + other.exponent }
    }

    fn power_of(direction: Direction, a: f64, n: u32) -> Self {
        power_by_squaring(Self::new(a), n, |x, y| x.mul_rounded(y, direction))
    }

    fn cmp(self, other: Self) -> Ordering {
        self.exponent.cmp(&other.exponent).then(self.mantissa.total_cmp(&other.mantissa))
    }

    /// Returns an approximation of self/other, for the starting point of a root only.
    fn approximate_ratio(self, other: Self) -> f64 {
        // The clamp keeps the power of two finite and normal.
        self.mantissa / other.mantissa * ((self.exponent - other.exponent).clamp(-1000, 1000) as f64).exp2()
    }
}

/// Returns an approximation of the n-th root of x, 0 < x < ∞. No bound relies on it.
fn approximate_root(x: f64, n: u32) -> f64 {
    if n == 3 {
        return core_math::cbrt(x);
    }
    let order = f64::from(n);
    let r = core_math::pow(x, 1.0 / order);
    // One step of Newton's method recovers the bits that the rounding of 1/n loses in the exponent.
    let excess = ScaledDouble::power_of(Up, r, n).approximate_ratio(ScaledDouble::new(x)) - 1.0;
    let better = r - r * excess / order;
    if better.is_finite() && better > 0.0 { better } else { r }
}

/// Returns the last positive number for which `holds`, found neighbour by neighbour along `step` from `start`.
///
/// `holds` must be true up to some number in that direction and false beyond. If 1000 steps forward do not suffice, returns the
/// number reached, for which `holds`; returns `None` if 1000 steps back reach none.
fn walk_neighbours(start: f64, step: fn(f64) -> f64, back: fn(f64) -> f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let inside = |r: f64| r > 0.0 && r.is_finite();
    let mut r = start;
    if inside(r) && holds(r) {
        // A choice: a root in doubles is a few units off, and 1000 bounds the time where a power is flat.
        for _ in 0..1000 {
            let next = step(r);
            if !(inside(next) && holds(next)) {
                return Some(r);
            }
            r = next;
        }
        return Some(r);
    }
    for _ in 0..1000 {
        r = back(r);
        if inside(r) && holds(r) {
            return Some(r);
        }
    }
    None
}

/// Returns the n-th root of x ≥ 0, rounded in a direction, for n ≥ 1.
#[must_use]
pub fn root_rounded(direction: Direction, x: f64, n: u32) -> f64 {
    if x == 0.0 || x == 1.0 || x == f64::INFINITY || n <= 1 {
        return x;
    }
    if n == 2 {
        return rounding::sqrt(direction, x);
    }
    let (start, scaled) = (approximate_root(x, n), ScaledDouble::new(x));
    let is_below = |r: f64| ScaledDouble::power_of(Up, r, n).cmp(scaled).is_le();
    let is_above = |r: f64| ScaledDouble::power_of(Down, r, n).cmp(scaled).is_ge();
    // Between x and 1 lies every root, so that min(x, 1) and max(x, 1) are bounds where the walk fails.
    match direction {
        Down => walk_neighbours(start, f64::next_up, f64::next_down, is_below).unwrap_or(x.min(1.0)),
        Up => walk_neighbours(start, f64::next_down, f64::next_up, is_above).unwrap_or(x.max(1.0)),
    }
}
