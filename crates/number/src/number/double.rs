//! Arithmetic in `f64`: intervals whose ends are doubles, rounded outward.
//!
//! Arithmetic and square roots are rounded correctly (`rounding`); powers and other roots are certified (`powers`). For the
//! elementary functions the ends are the predecessor and the successor of the result of CORE-MATH. That library aims at correct
//! rounding, so that one unit in the last place is twice the necessary margin; no tighter bound is ever taken from it. The exact
//! values of a [row](crate::function::FunctionSpec) stay points. By Lindemann's theorem an elementary function (roots and the error
//! function aside) has no other dyadic value at a dyadic argument, and no angle but 0 of a point with dyadic coordinates is
//! dyadic.
//!
//! Source: Sibidanov, Zimmermann, Glondu, "The CORE-MATH project" (ARITH 2022).
//!
//! `libm` is no source of bounds: its errors are observed, not proved.
//!
//! # Arithmetic on `f64` rounded in a given direction
//!
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
//!
//! # Integer powers and roots of non-negative `f64`
//!
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
//!
//! # Sums and products of intervals in `f64`
//!
//! Sums and products of intervals in `f64`, both ends at once, for vector registers.
//!
//! The arithmetic is that of [`rounding`](super::double), written for pairs, so that a compiler puts the two ends of an
//! interval side by side into one register: TwoSum for sums, Dekker's product for products, and then each end moves to its outer
//! neighbour if the rounding error points outward. Every function returns `None` if its error term might not be exact (overflow,
//! underflow, infinities), or if two products compete for an end. Then the general rule is to be used.
//!
//! `accumulate` is different: it computes a bound of the rounding error instead of the error. With u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴, p the
//! rounded product and s the rounded sum of `acc` and p, the exact value lies within u·|s| + u·|p| + η of s, and the end s ∓
//! (2.5·u·(|s| + |p|) + 2η), rounded once more, lies beyond that.
//!
//! Source: Dekker, "A floating-point technique for extending the available precision" (1971); Knuth, TAOCP 2, §4.2.2.

use super::arithmetic::Direction::{Down, Up};
use super::arithmetic::{
    Context, Direction, Endpoint, EndpointArithmetic, Extension, Function, Interval, Planar, quadrant_of_signs,
};
use super::budget::Budget;
use super::foreign::ExtensionFault;
use super::magnitude::Magnitude;
use super::special::gamma;
use crate::function::{BinaryShape, functions, planar_functions};
use rug::float::Round;
use rug::{Float, Integer, Rational};
use std::cmp::Ordering;
use std::f64::consts::PI;
use std::sync::LazyLock;

/// The context of interval arithmetic in `f64`.
///
/// ```
/// use smoothish_number::number::{Context, Double, Function};
/// let c = Double;
/// let root = c.apply_function(Function::Sqrt, &c.enclose_integer(2));
/// assert_eq!(c.to_enclosure(&root).to_string(), "[1.41421356237309492, 1.41421356237309515]");
/// // exact results are points, and 1/0 is ⊥
/// assert!(c.is_point(&c.apply_function(Function::Sqrt, &c.enclose_integer(49))));
/// assert_eq!(c.to_enclosure(&c.div(&c.enclose_integer(1), &c.enclose_integer(0))).to_string(), "[-inf, inf]");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Double;

impl Double {
    /// Returns the interval between two doubles in any order; ⊥ unless both are finite.
    #[must_use]
    pub fn interval_between(a: f64, b: f64) -> Interval<f64> {
        let ends = if a <= b { (a, b) } else { (b, a) };
        if a.is_finite() && b.is_finite() { Interval::new(ends.0, ends.1, true) } else { Self.bottom() }
    }
}

impl From<Direction> for Round {
    fn from(direction: Direction) -> Self {
        match direction {
            Down => Round::Down,
            Up => Round::Up,
        }
    }
}

impl Endpoint for f64 {
    #[inline]
    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }

    #[inline]
    fn negated(&self) -> Self {
        -*self
    }

    fn to_float(&self) -> Float {
        Float::with_val(53, *self)
    }

    fn magnitude(&self) -> Magnitude {
        Magnitude::from_f64(*self)
    }

    fn floor(&self) -> Self {
        f64::floor(*self)
    }
}

/// Returns the `f64` nearest to x^y by CORE-MATH: a number without enclosure.
#[must_use]
pub fn eval_power_nearest(x: f64, y: f64) -> f64 {
    core_math::pow(x, y)
}

/// Returns the `f64` nearest to f(x) by CORE-MATH: a number without enclosure, the same on every machine. NaN outside the domain.
#[must_use]
pub fn eval_nearest(f: Function, x: f64) -> f64 {
    macro_rules! values {
        ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
            match f {
                $(Function::$variant => tier::$name(x),)*
                Function::Special(id, order) => id.nearest(order, x),
            }
        };
    }
    functions!(values)
}

/// Returns the `f64` nearest to f(a, b), a number without enclosure, like [`eval_nearest`].
#[must_use]
pub fn eval_binary_nearest(f: Planar, a: f64, b: f64) -> f64 {
    macro_rules! values {
        ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
            match f {
                $(Planar::$variant => tier::$name(a, b),)*
            }
        };
    }
    planar_functions!(values)
}

/// The functions of CORE-MATH, and the square root of the machine, which is rounded correctly.
mod tier {
    pub use core_math::*;

    /// Returns √x, correctly rounded by IEEE 754.
    pub fn sqrt(x: f64) -> f64 {
        x.sqrt()
    }
}

impl EndpointArithmetic for Double {
    type End = f64;

    fn bits(&self) -> u32 {
        53
    }

    fn bernoulli_number(&self, j: usize) -> Interval<f64> {
        // The first 63 Bernoulli numbers are rounded once; the series in doubles rarely takes more.
        static NUMBERS: LazyLock<Vec<Interval<f64>>> =
            LazyLock::new(|| (1..64).map(|j| Double.enclose_rational(&gamma::bernoulli_number(j))).collect());
        NUMBERS.get(j - 1).copied().unwrap_or_else(|| Double.enclose_rational(&gamma::bernoulli_number(j)))
    }

    fn doubled_precision(&self) -> Option<Self> {
        None
    }

    fn eval_extension(&self, f: &dyn Extension, inputs: &[Interval<f64>]) -> Interval<f64> {
        f.eval_double(self, inputs)
    }

    fn eval_fallible_extension(
        &self,
        f: &dyn Extension,
        inputs: &[Interval<f64>],
        budget: &Budget,
    ) -> Result<Interval<f64>, ExtensionFault> {
        f.try_double(self, inputs, budget)
    }

    #[inline]
    fn small_integer(&self, n: i8) -> f64 {
        f64::from(n)
    }

    #[inline]
    fn signed_infinity(&self, direction: Direction) -> f64 {
        match direction {
            Down => f64::NEG_INFINITY,
            Up => f64::INFINITY,
        }
    }

    #[inline]
    fn round_integer(&self, direction: Direction, n: i64) -> f64 {
        round_integer(direction, n)
    }

    fn round_float(&self, direction: Direction, x: &Float) -> f64 {
        x.to_f64_round(direction.into())
    }

    fn round_rational(&self, direction: Direction, q: &Rational) -> f64 {
        /// The bound up to which every integer is a double.
        const EXACT: i64 = 1 << 53;
        let part = |n: &Integer| n.to_i64().filter(|n| (-EXACT..=EXACT).contains(n));
        // A quotient of two doubles is rounded correctly without MPFR.
        if let (Some(numerator), Some(denominator)) = (part(q.numer()), part(q.denom())) {
            return div(direction, numerator as f64, denominator as f64);
        }
        // Rounding twice in the same direction is rounding once.
        self.round_float(direction, &Float::with_val_round(53, q, direction.into()).0)
    }

    fn round_pi(&self, direction: Direction) -> f64 {
        // The double PI is below π, and its successor above.
        match direction {
            Down => PI,
            Up => PI.next_up(),
        }
    }

    #[inline]
    fn add_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        add(direction, *a, *b)
    }

    #[inline]
    fn sub_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        sub(direction, *a, *b)
    }

    #[inline]
    fn mul_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        mul(direction, *a, *b)
    }

    #[inline]
    fn div_rounded(&self, direction: Direction, a: &f64, b: &f64) -> f64 {
        div(direction, *a, *b)
    }

    fn power_rounded(&self, direction: Direction, a: &f64, n: u32) -> f64 {
        power_rounded(direction, *a, n)
    }

    fn root_rounded(&self, direction: Direction, a: &f64, n: u32) -> f64 {
        root_rounded(direction, *a, n)
    }

    fn eval_rounded(&self, direction: Direction, f: Function, x: &f64) -> f64 {
        let (lo, hi) = self.eval_bounds(f, x);
        match direction {
            Down => lo,
            Up => hi,
        }
    }

    fn eval_bounds(&self, f: Function, x: &f64) -> (f64, f64) {
        // Exact values first: they must stay points.
        if let Some(y) = f.exact_value(*x) {
            return (y, y);
        }
        if let Function::Special(id, order) = f {
            return id.bounds_in_double(order, *x);
        }
        let row = f.row();
        let (mut least, mut greatest) = row.range;
        let y = eval_nearest(f, *x);
        // An argument too large, or outside the domain: no bound is known.
        if y.is_nan() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        // A monotone function is bounded by its exact values at smaller and larger arguments, so that a neighbour does not cross
        // them.
        if let Some(direction) = f.direction() {
            for (argument, value) in row.exact_values {
                if (argument < x) == (direction == Ordering::Greater) {
                    least = least.max(*value);
                } else {
                    greatest = greatest.min(*value);
                }
            }
        }
        (y.next_down().max(least), y.next_up().min(greatest))
    }

    fn eval_binary_rounded(&self, direction: Direction, f: Planar, a: &f64, b: &f64) -> f64 {
        let value = eval_binary_nearest(f, *a, *b);
        if value.is_nan() {
            return self.signed_infinity(direction);
        }
        // An angle has the sign of the height y, and for y = 0 with x > 0 it is 0.
        let (least, greatest) = match f.row().shape {
            BinaryShape::Angle if *a > 0.0 => (0.0, self.round_pi(Up)),
            BinaryShape::Angle if *a < 0.0 => (-self.round_pi(Up), 0.0),
            BinaryShape::Angle => (0.0, 0.0),
        };
        match direction {
            Down => value.next_down().clamp(least, greatest),
            Up => value.next_up().clamp(least, greatest),
        }
    }

    fn quadrant_of_large(&self, x: &f64) -> Option<u8> {
        // CORE-MATH reduces every finite double, and no sine or cosine of a double other than 0 rounds to 0.
        let (sine, cosine) = core_math::sincos(*x);
        quadrant_of_signs(sine.partial_cmp(&0.0)?, cosine.partial_cmp(&0.0)?)
    }

    fn middle_between(&self, lo: &f64, hi: &f64) -> f64 {
        // Halved before the sum, so that the sum does not overflow.
        (0.5 * lo + 0.5 * hi).clamp(*lo, *hi)
    }

    #[inline(always)]
    fn add_fast(&self, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
        add_intervals(a, b)
    }

    #[inline(always)]
    fn mul_fast(&self, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
        mul_intervals(a, b)
    }

    #[inline(always)]
    fn mul_add_fast(&self, acc: &mut Interval<f64>, a: &Interval<f64>, b: &Interval<f64>) -> bool {
        match mul_add_intervals(acc, a, b) {
            Some(sum) => {
                *acc = sum;
                true
            }
            None => false,
        }
    }
}

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
    power_by_squaring(a, n, |x, y| mul(direction, x, y))
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
        let Self { mantissa, exponent } = Self::new(mul(direction, self.mantissa, other.mantissa));
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
        return sqrt(direction, x);
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

/// A pair of numbers, one for each end.
type EndPair = [f64; 2];

/// The sign bit of a double.
const SIGN: u64 = 1 << 63;

/// Applies an operation to both components.
#[inline(always)]
fn map_pairs(f: impl Fn(f64, f64) -> f64, a: EndPair, b: EndPair) -> EndPair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

#[inline(always)]
fn add_pairs(a: EndPair, b: EndPair) -> EndPair {
    map_pairs(|x, y| x + y, a, b)
}

#[inline(always)]
fn sub_pairs(a: EndPair, b: EndPair) -> EndPair {
    map_pairs(|x, y| x - y, a, b)
}

#[inline(always)]
fn mul_pairs(a: EndPair, b: EndPair) -> EndPair {
    map_pairs(|x, y| x * y, a, b)
}

/// Returns the ends, moved to the outer neighbour if the error points outward. An end that is 0 must have no error.
#[inline(always)]
fn step_outward(ends: EndPair, errors: EndPair) -> EndPair {
    // The lower end is mirrored, so that both ends are handled as upper ones.
    let flip = [SIGN, 0];
    let end = |i: usize| {
        let bits = ends[i].to_bits();
        let step = ((bits ^ flip[i]) as i64 >> 63) | 1;
        let lost = f64::from_bits(errors[i].to_bits() ^ flip[i]) > 0.0;
        f64::from_bits(bits.wrapping_add((step & -i64::from(lost)) as u64))
    };
    [end(0), end(1)]
}

/// Encloses a + b; `None` if a step of TwoSum is not finite.
#[inline(always)]
pub(super) fn add_intervals(a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    let (x, y) = ([a.lo, a.hi], [b.lo, b.hi]);
    let sum = add_pairs(x, y);
    let part = sub_pairs(sum, x);
    let error = add_pairs(sub_pairs(x, sub_pairs(sum, part)), sub_pairs(y, part));
    // One test for both ends: an infinity or NaN in either shows in the sum.
    if !(error[0] + error[1]).is_finite() {
        return None;
    }
    let [lo, hi] = step_outward(sum, error);
    Some(Interval { lo, hi, defined: a.defined & b.defined })
}

/// Splits two numbers into parts of 26 bits each (Veltkamp). The constant is 2²⁷ + 1.
#[inline(always)]
fn veltkamp_split(x: EndPair) -> (EndPair, EndPair) {
    let c = mul_pairs([134_217_729.0; 2], x);
    let high = sub_pairs(c, sub_pairs(c, x));
    (high, sub_pairs(x, high))
}

/// Encloses a·b; `None` if 0 lies strictly inside both, or if the error term may not be exact.
#[inline(always)]
pub(super) fn mul_intervals(a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    let (x, y) = if a.lo >= 0.0 {
        if b.lo >= 0.0 {
            ([a.lo, a.hi], [b.lo, b.hi])
        } else if b.hi <= 0.0 {
            ([a.hi, a.lo], [b.lo, b.hi])
        } else {
            ([a.hi, a.hi], [b.lo, b.hi])
        }
    } else if a.hi <= 0.0 {
        if b.lo >= 0.0 {
            ([a.lo, a.hi], [b.hi, b.lo])
        } else if b.hi <= 0.0 {
            ([a.hi, a.lo], [b.hi, b.lo])
        } else {
            ([a.lo, a.lo], [b.hi, b.lo])
        }
    } else if b.lo >= 0.0 {
        ([a.lo, a.hi], [b.hi, b.hi])
    } else if b.hi <= 0.0 {
        ([a.hi, a.lo], [b.lo, b.lo])
    } else {
        return None;
    };
    let product = mul_pairs(x, y);
    let ((xh, xl), (yh, yl)) = (veltkamp_split(x), veltkamp_split(y));
    // Dekker's error term: exact if nothing overflows or underflows.
    let error = sub_pairs(mul_pairs(xh, yh), product);
    let error = add_pairs(add_pairs(add_pairs(error, mul_pairs(xh, yl)), mul_pairs(xl, yh)), mul_pairs(xl, yl));
    // From this size on no part of the error underflows; a product with a factor 0 has no error.
    const SMALLEST: f64 = 1e-270;
    let sizes = product.map(f64::abs);
    let fits = |i: usize| (sizes[i] >= SMALLEST) | (x[i] == 0.0) | (y[i] == 0.0);
    let exact = (error[0] + error[1]).is_finite();
    let usual = (sizes[0] >= SMALLEST) & (sizes[1] >= SMALLEST) & exact;
    let with_zero = exact && fits(0) && fits(1);
    if !(usual || with_zero) {
        return None;
    }
    let [lo, hi] = step_outward(product, error);
    Some(Interval { lo, hi, defined: a.defined & b.defined })
}

/// Encloses acc + a·b, where a is the point 0, 1 or -1 and b is bounded; `None` for other points.
#[inline(always)]
fn add_unit_multiple(acc: &Interval<f64>, a: f64, b: &Interval<f64>) -> Option<Interval<f64>> {
    let Interval { lo, hi, defined } = *b;
    if a == 0.0 && lo.is_finite() && hi.is_finite() {
        Some(Interval { defined: acc.defined & defined, ..*acc })
    } else if a == 1.0 {
        add_intervals(acc, b)
    } else if a == -1.0 {
        add_intervals(acc, &Interval { lo: -hi, hi: -lo, defined })
    } else {
        None
    }
}

/// Encloses acc + a·b, where a and b are bounded. The points 0, 1 and -1 are treated exactly; other points give `None`.
#[inline(always)]
pub(super) fn mul_add_intervals(acc: &Interval<f64>, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    /// The relative margin: 2.5·2⁻⁵³, rounded up.
    const RELATIVE: f64 = 2.776e-16;
    /// The absolute margin: 2·2⁻¹⁰⁷⁴.
    const ABSOLUTE: f64 = 1e-323;
    if a.lo == a.hi {
        let defined = acc.defined & a.defined;
        return add_unit_multiple(&Interval { defined, ..*acc }, a.lo, b);
    }
    if b.lo == b.hi {
        let defined = acc.defined & b.defined;
        return add_unit_multiple(&Interval { defined, ..*acc }, b.lo, a);
    }
    // an infinite end makes this infinite or NaN
    let reach = (a.hi - a.lo) + (b.hi - b.lo);
    if reach.is_nan() || reach == f64::INFINITY {
        return None;
    }
    // All four products, with minimum and maximum instead of branches on signs.
    let (p, q) = (mul_pairs([a.lo; 2], [b.lo, b.hi]), mul_pairs([a.hi; 2], [b.lo, b.hi]));
    let lesser = |x: f64, y: f64| if x < y { x } else { y };
    let greater = |x: f64, y: f64| if x > y { x } else { y };
    let (low, high) = (map_pairs(lesser, p, q), map_pairs(greater, p, q));
    let product = [lesser(low[0], low[1]), greater(high[0], high[1])];
    let sum = add_pairs([acc.lo, acc.hi], product);
    let size = add_pairs(sum.map(f64::abs), product.map(f64::abs));
    let margin = add_pairs(mul_pairs(size, [RELATIVE; 2]), [ABSOLUTE; 2]);
    let (lo, hi) = (sum[0] - margin[0], sum[1] + margin[1]);
    // Overflow in a step leaves an infinity or NaN here.
    let finite = lo > f64::NEG_INFINITY && hi < f64::INFINITY;
    finite.then(|| Interval { lo, hi, defined: acc.defined & a.defined & b.defined })
}
