//! Arithmetic on `f64` rounded in a given direction, correctly, without touching the rounding mode.
//!
//! Each operation rounds to nearest and then takes the sign of the rounding error. For sums that is the error of Knuth's TwoSum;
//! for products, quotients and square roots it is the residual of the integer mantissas, for which 64 bits are enough because the
//! residual is below 2⁵⁴ units. If the error has the wrong sign, the result moves to its neighbour. So exact results are returned
//! exactly and all others are rounded correctly, subnormal numbers and overflow included.
//!
//! | operation | residual, in units of the last place of the product |
//! |---|---|
//! | p ≈ a·b | a·b - p |
//! | q ≈ a/b | a - q·b |
//! | s ≈ √x | x - s² |
//!
//! Source: Knuth, TAOCP 2, §4.2.2, Theorem B (TwoSum); Boldo and Daumas, "Representable correcting terms" (2003).

use super::ends::Direction::{self, Down, Up};
use std::cmp::Ordering;

/// The stored bits of a mantissa (IEEE 754 binary64).
const MANTISSA_BITS: u32 = 52;
/// The leading bit of a normal number, which is not stored.
const IMPLICIT: u64 = 1 << MANTISSA_BITS;
/// The bias for integer mantissas: x = mantissa · 2^(biased exponent - BIAS), so that it is 1023 + 52.
const BIAS: i32 = 1075;

/// Returns the exponent field, 0 to 2047.
#[inline(always)]
fn exponent_field(x: f64) -> i32 {
    ((x.to_bits() >> MANTISSA_BITS) & 0x7ff) as i32
}

/// Returns `true` if the exponent field is that of a normal number, 1 to 2046.
#[inline(always)]
fn is_normal(field: i32) -> bool {
    // One comparison for both ends: 0 wraps to the largest number.
    (field as u32).wrapping_sub(1) < 2046
}

/// Returns the integer mantissa of a normal number, in [2⁵², 2⁵³).
#[inline(always)]
fn integer_mantissa(x: f64) -> u64 {
    (x.to_bits() & (IMPLICIT - 1)) | IMPLICIT
}

/// Returns m and e of a finite number, subnormal or not: |x| = m·2ᵉ.
fn mantissa_and_exponent(x: f64) -> (u64, i32) {
    match exponent_field(x) {
        0 => (x.to_bits() & (IMPLICIT - 1), 1 - BIAS),
        e => (integer_mantissa(x), e - BIAS),
    }
}

/// Returns `value`, or its neighbour in the direction if the exact magnitude lies on that side of |value|.
#[inline(always)]
fn step_by_residual(direction: Direction, value: f64, greater: bool, less: bool) -> f64 {
    let bits = value.to_bits();
    // On the bits of a double, +1 enlarges the magnitude and -1 diminishes it, whatever the sign is.
    let outward = (bits >> 63 == 0) == (direction == Up);
    let adjustment = if outward { greater as u64 } else { (less as u64).wrapping_neg() };
    f64::from_bits(bits.wrapping_add(adjustment))
}

/// Returns `value`, or its neighbour in the direction if the exact result value + error lies there. Without error `value` may be
/// 0.
#[inline(always)]
fn step_by_error(direction: Direction, value: f64, error: f64) -> f64 {
    // Written without branches, since the sign of the error is unpredictable.
    let bits = value.to_bits() as i64;
    let away = (bits >> 63) | 1;
    let (lost, towards) = match direction {
        Down => (error < 0.0, -away),
        Up => (error > 0.0, away),
    };
    f64::from_bits((bits + (towards & -(lost as i64))) as u64)
}

/// Like [`step_by_residual`], given the ordering of the exact magnitude against |value|.
fn step_by_ordering(direction: Direction, value: f64, exact: Ordering) -> f64 {
    step_by_residual(direction, value, exact.is_gt(), exact.is_lt())
}

/// Compares m·2ᵉ and n·2ᶠ, for 0 < m, n < 2¹²⁷.
fn compare_scaled(m: u128, e: i32, n: u128, f: i32) -> Ordering {
    let (m_zeros, n_zeros) = (m.leading_zeros(), n.leading_zeros());
    // With the leading bits aligned, the exponents decide, then the mantissas.
    (e - m_zeros as i32).cmp(&(f - n_zeros as i32)).then_with(|| (m << m_zeros).cmp(&(n << n_zeros)))
}

/// Returns a + b, rounded.
#[inline]
#[must_use]
pub fn add(direction: Direction, a: f64, b: f64) -> f64 {
    let sum = a + b;
    // TwoSum: `error` is exact for finite operands unless a step overflows.
    let b_part = sum - a;
    let error = (a - (sum - b_part)) + (b - b_part);
    if !error.is_finite() {
        return add_special(direction, a, b);
    }
    // A sum of 0 is exact, so that `step` gets no error there.
    step_by_error(direction, sum, error)
}

/// Returns a - b, rounded.
#[inline]
#[must_use]
pub fn sub(direction: Direction, a: f64, b: f64) -> f64 {
    add(direction, a, -b)
}

/// Returns a + b, rounded, where a step of TwoSum overflows or an operand is infinite.
#[cold]
fn add_special(direction: Direction, a: f64, b: f64) -> f64 {
    let sum = a + b;
    if sum.is_finite() {
        // Halving is exact: a step overflows only if both operands are huge, beyond 2⁹⁶⁸.
        return 2.0 * add(direction, 0.5 * a, 0.5 * b);
    }
    if a.is_infinite() || b.is_infinite() {
        return if sum.is_nan() { infinity_towards(direction) } else { sum };
    }
    step_by_ordering(direction, sum, Ordering::Less)
}

/// Returns the infinity of the direction: a valid bound of every number.
fn infinity_towards(direction: Direction) -> f64 {
    match direction {
        Down => f64::NEG_INFINITY,
        Up => f64::INFINITY,
    }
}

/// Returns a·b, rounded; 0·∞ gives the infinity of the direction.
#[inline]
#[must_use]
pub fn mul(direction: Direction, a: f64, b: f64) -> f64 {
    let product = a * b;
    let (ea, eb, ep) = (exponent_field(a), exponent_field(b), exponent_field(product));
    if !(is_normal(ea) & is_normal(eb) & is_normal(ep)) {
        return mul_special(direction, a, b);
    }
    // The product of the mantissas has 105 or 106 bits; modulo 2⁶⁴ the residual is still exact, as it is below 2⁵⁴.
    let shift = (ep + BIAS - ea - eb) as u32;
    let residual = integer_mantissa(a)
        .wrapping_mul(integer_mantissa(b))
        .wrapping_sub(integer_mantissa(product).wrapping_shl(shift)) as i64;
    step_by_residual(direction, product, residual > 0, residual < 0)
}

/// Returns a·b, rounded, where an operand or the product is zero, subnormal or not finite.
fn mul_special(direction: Direction, a: f64, b: f64) -> f64 {
    let product = a * b;
    if product.is_nan() {
        return infinity_towards(direction);
    }
    if a == 0.0 || b == 0.0 || a.is_infinite() || b.is_infinite() {
        return product;
    }
    // Underflow: the exact magnitude is positive, so that it lies above 0.
    if product == 0.0 {
        return step_by_ordering(direction, product, Ordering::Greater);
    }
    // Overflow: the exact magnitude is finite, so that it lies below.
    if product.is_infinite() {
        return step_by_ordering(direction, product, Ordering::Less);
    }
    let ((ma, ea), (mb, eb), (mp, ep)) =
        (mantissa_and_exponent(a), mantissa_and_exponent(b), mantissa_and_exponent(product));
    step_by_ordering(direction, product, compare_scaled(ma as u128 * mb as u128, ea + eb, mp as u128, ep))
}

/// Returns a/b, rounded, for b ≠ 0; ∞/∞ and x/0 give the infinity of the direction.
#[inline]
#[must_use]
pub fn div(direction: Direction, a: f64, b: f64) -> f64 {
    let quotient = a / b;
    let (ea, eb, eq) = (exponent_field(a), exponent_field(b), exponent_field(quotient));
    if !(is_normal(ea) & is_normal(eb) & is_normal(eq)) {
        return div_special(direction, a, b);
    }
    let shift = (ea + BIAS - eq - eb) as u32;
    let residual = integer_mantissa(a)
        .wrapping_shl(shift)
        .wrapping_sub(integer_mantissa(quotient).wrapping_mul(integer_mantissa(b))) as i64;
    step_by_residual(direction, quotient, residual > 0, residual < 0)
}

/// Returns a/b, rounded, where an operand or the quotient is zero, subnormal or not finite.
fn div_special(direction: Direction, a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if quotient.is_nan() || b == 0.0 {
        return infinity_towards(direction);
    }
    if a == 0.0 || a.is_infinite() || b.is_infinite() {
        return quotient;
    }
    if quotient == 0.0 {
        return step_by_ordering(direction, quotient, Ordering::Greater);
    }
    if quotient.is_infinite() {
        return step_by_ordering(direction, quotient, Ordering::Less);
    }
    let ((ma, ea), (mb, eb), (mq, eq)) =
        (mantissa_and_exponent(a), mantissa_and_exponent(b), mantissa_and_exponent(quotient));
    step_by_ordering(direction, quotient, compare_scaled(ma as u128, ea, mq as u128 * mb as u128, eq + eb))
}

/// Returns √x, rounded, for x ≥ 0; for x < 0 the infinity of the direction.
#[inline]
#[must_use]
pub fn sqrt(direction: Direction, x: f64) -> f64 {
    /// The scale 2¹⁰⁸, which makes every subnormal number normal. Its root 2⁵⁴ is a power of two as well.
    const SCALE: f64 = (1u128 << 108) as f64;
    const ROOT_OF_SCALE: f64 = (1u64 << 54) as f64;
    if x == 0.0 || x == f64::INFINITY {
        return x;
    }
    if x.is_nan() || x < 0.0 {
        return infinity_towards(direction);
    }
    let root = x.sqrt();
    // The root of a subnormal number is normal, so that the scaled root is exact.
    let (x, scaled) = if is_normal(exponent_field(x)) { (x, root) } else { (x * SCALE, root * ROOT_OF_SCALE) };
    let shift = (exponent_field(x) + BIAS - 2 * exponent_field(scaled)) as u32;
    let residual = integer_mantissa(x)
        .wrapping_shl(shift)
        .wrapping_sub(integer_mantissa(scaled).wrapping_mul(integer_mantissa(scaled))) as i64;
    step_by_residual(direction, root, residual > 0, residual < 0)
}

/// Returns the integer `n`, rounded.
#[inline]
#[must_use]
pub fn round_integer(direction: Direction, n: i64) -> f64 {
    let nearest = n as f64;
    if n.unsigned_abs() <= 1 << 53 {
        return nearest;
    }
    let order = (n.unsigned_abs() as u128).cmp(&(nearest.abs() as u128));
    step_by_ordering(direction, nearest, order)
}
