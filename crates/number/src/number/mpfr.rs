//! Arithmetic of any precision: intervals whose ends are MPFR numbers.
//!
//! MPFR rounds every operation correctly in the given direction, so that exact results stay points. A bound that overflows or
//! underflows stays on its side: below 2^(2³⁰) a lower bound is never +∞, and a positive upper bound is never 0. Only the cost
//! needs a limit: to reduce an angle of e binary digits before the point, MPFR needs e digits of π. Beyond 2¹⁶ digits sine and
//! cosine give [-1, 1], and tangent the whole line.
//!
//! Source: Fousse et al., "MPFR: a multiple-precision binary floating-point library with correct rounding" (2007).

use super::arithmetic::Direction::{Down, Up};
use super::arithmetic::{
    Direction, Endpoint, EndpointArithmetic, Extension, Function, Interval, Planar, meets_zero_times_infinity,
    quadrant_of_signs, select_factors,
};
use super::budget::Budget;
use super::elementary;
use super::foreign::ExtensionFault;
use super::magnitude::Magnitude;
use crate::function::{functions, planar_functions};
use rug::float::{Constant, Round, Special};
use rug::ops::{AddAssignRound, Pow};
use rug::{Float, Rational};
use std::cmp::Ordering;

/// The context of interval arithmetic with ends of a given precision.
///
/// ```
/// use smoothish_number::number::{Context, Mpfr, decimal};
/// let c = Mpfr::new(150);
/// let pi = c.to_enclosure(&c.pi()).print_decimals(&decimal::parse("1e-30").unwrap());
/// assert_eq!(pi.to_string(), "[3.1415926535897932384626433832795, 3.14159265358979323846264338327951]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mpfr {
    bits: u32,
}

/// The largest binary exponent of an angle that is reduced. A choice, for the cost of the digits of π.
const ANGLE_EXPONENT_LIMIT: i32 = 1 << 16;

impl Mpfr {
    /// The least precision in bits, that of `f64`.
    pub const MIN_BITS: u32 = 53;
    /// The greatest precision in bits: 8 MiB for one number.
    pub const MAX_BITS: u32 = 1 << 26;

    /// Creates the context with ends of `bits` bits, clamped to the range from [`Mpfr::MIN_BITS`] to [`Mpfr::MAX_BITS`].
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Self { bits: bits.clamp(Self::MIN_BITS, Self::MAX_BITS) }
    }
}

impl Endpoint for Float {
    fn is_finite(&self) -> bool {
        Float::is_finite(self)
    }

    // The sign bit is read directly: a comparison with 0.0 would convert the double first.
    #[inline]
    fn is_nonnegative(&self) -> bool {
        self.is_sign_positive() || self.is_zero()
    }

    #[inline]
    fn is_nonpositive(&self) -> bool {
        self.is_sign_negative() || self.is_zero()
    }

    #[inline]
    fn is_positive(&self) -> bool {
        self.is_sign_positive() && !self.is_zero()
    }

    #[inline]
    fn is_negative(&self) -> bool {
        self.is_sign_negative() && !self.is_zero()
    }

    fn negated(&self) -> Self {
        // Plain negation would make a negative zero.
        if self.is_zero() { Float::new(self.prec()) } else { -self.clone() }
    }

    fn to_float(&self) -> Float {
        self.clone()
    }

    fn magnitude(&self) -> Magnitude {
        Magnitude::from_float(self)
    }

    fn floor(&self) -> Self {
        Float::with_val(self.prec(), self.floor_ref())
    }
}

/// Evaluates an expression to a new number of the context's precision, rounded in a direction.
macro_rules! rounded {
    ($tier:expr, $direction:expr, $value:expr) => {
        Float::with_val_round($tier.bits, $value, Round::from($direction)).0
    };
}

impl Mpfr {
    /// Returns f(x), correctly rounded, and the side of the true value on which it lies.
    ///
    /// Returns `None` for special functions, which have [files](super::special) of their own, for an angle too large to reduce, and for
    /// an error function at an argument where MPFR fails.
    fn correctly_rounded(self, direction: Direction, f: Function, x: &Float) -> Option<(Float, Ordering)> {
        if (f.is_sinusoidal() || f.is_tangent()) && is_far_out(x) {
            return None;
        }
        if matches!(f, Function::Erf | Function::Erfc) && is_near_root_of_three(x, self.bits) {
            return None;
        }
        macro_rules! values {
            ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
                match f {
                    $(Function::$variant => Some(Float::with_val_round(self.bits, x.$mpfr(), Round::from(direction))),)*
                    Function::Special(..) => None,
                }
            };
        }
        functions!(values)
    }
}

/// Returns `true` if x² is so near to 3 that MPFR may not compute `erf x` with this many bits.
///
/// MPFR 4.2 sums `1 - x²/3 + x⁴/10 - …` with at least 13 bits more than are asked for. If x² rounds to 3 there, the second partial sum is
/// 0, whose exponent it then reads; and if the sum is below 2⁻¹⁰²⁴, its bound of the error, a double, overflows. An assertion ends the
/// process.
fn is_near_root_of_three(x: &Float, bits: u32) -> bool {
    if x.get_exp().is_none_or(|e| e != 1) {
        return false;
    }
    // the square and the difference are exact
    let square = Float::with_val(2 * x.prec(), x.square_ref());
    let distance = Float::with_val(2 * x.prec() + 2, square - 3u32);
    distance.is_zero() || distance.get_exp().is_some_and(|e| i64::from(e) < -i64::from(bits.min(900)) - 7)
}

/// Returns an upper or lower bound of `erfc x` or `erf x`, without MPFR's sum: for x > 0, `erfc x = Γ(½, x²)/√π` (DLMF 7.11.2).
fn error_function_by_gamma(f: Function, x: &Float, bits: u32, direction: Direction) -> Float {
    // what is left of 2 or 1 loses 6 bits
    let bits = bits + 16;
    let complement = |direction: Direction| {
        let (half, square) = (Float::with_val(2, 0.5), Float::with_val(2 * x.prec(), x.square_ref()));
        let gamma = Float::with_val_round(bits, half.gamma_inc_ref(&square), Round::from(direction)).0;
        let pi = Float::with_val_round(bits, Constant::Pi, Round::from(direction.opposite())).0;
        let root = Float::with_val_round(bits, pi.sqrt_ref(), Round::from(direction.opposite())).0;
        Float::with_val_round(bits, &gamma / &root, Round::from(direction)).0
    };
    // erf x = 1 - erfc x, erf (-x) = erfc x - 1, erfc (-x) = 2 - erfc x
    let whole: u32 = match (f, x.is_sign_negative()) {
        (Function::Erf, false) => 1,
        (Function::Erf, true) => {
            return Float::with_val_round(bits, complement(direction) - 1u32, Round::from(direction)).0;
        }
        (_, true) => 2,
        (_, false) => return complement(direction),
    };
    Float::with_val_round(bits, whole - complement(direction.opposite()), Round::from(direction)).0
}

/// Returns `true` if an angle is too large to be reduced.
fn is_far_out(x: &Float) -> bool {
    x.get_exp().is_some_and(|e| e > ANGLE_EXPONENT_LIMIT)
}

impl EndpointArithmetic for Mpfr {
    type End = Float;

    fn eval_extension(&self, f: &dyn Extension, inputs: &[Interval<Float>]) -> Interval<Float> {
        f.eval_mpfr(self, inputs)
    }

    fn eval_fallible_extension(
        &self,
        f: &dyn Extension,
        inputs: &[Interval<Float>],
        budget: &Budget,
    ) -> Result<Interval<Float>, ExtensionFault> {
        f.try_mpfr(self, inputs, budget)
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn doubled_precision(&self) -> Option<Self> {
        self.bits.checked_mul(2).map(Self::new)
    }

    fn small_integer(&self, n: i8) -> Float {
        Float::with_val(self.bits, n)
    }

    fn signed_infinity(&self, direction: Direction) -> Float {
        Float::with_val(
            self.bits,
            match direction {
                Down => Special::NegInfinity,
                Up => Special::Infinity,
            },
        )
    }

    fn round_integer(&self, direction: Direction, n: i64) -> Float {
        rounded!(self, direction, n)
    }

    fn round_float(&self, direction: Direction, x: &Float) -> Float {
        rounded!(self, direction, x)
    }

    fn round_rational(&self, direction: Direction, q: &Rational) -> Float {
        rounded!(self, direction, q)
    }

    fn round_pi(&self, direction: Direction) -> Float {
        rounded!(self, direction, Constant::Pi)
    }

    fn add_rounded(&self, direction: Direction, a: &Float, b: &Float) -> Float {
        rounded!(self, direction, a + b)
    }

    fn sub_rounded(&self, direction: Direction, a: &Float, b: &Float) -> Float {
        rounded!(self, direction, a - b)
    }

    fn mul_rounded(&self, direction: Direction, a: &Float, b: &Float) -> Float {
        rounded!(self, direction, a * b)
    }

    fn div_rounded(&self, direction: Direction, a: &Float, b: &Float) -> Float {
        rounded!(self, direction, a / b)
    }

    fn power_rounded(&self, direction: Direction, a: &Float, n: u32) -> Float {
        rounded!(self, direction, a.pow(n))
    }

    fn root_rounded(&self, direction: Direction, a: &Float, n: u32) -> Float {
        match n {
            2 => rounded!(self, direction, a.sqrt_ref()),
            3 => rounded!(self, direction, a.cbrt_ref()),
            _ => rounded!(self, direction, a.root_ref(n)),
        }
    }

    fn eval_rounded(&self, direction: Direction, f: Function, x: &Float) -> Float {
        if let Some((value, _)) = self.correctly_rounded(direction, f, x) {
            return value;
        }
        let (lo, hi) = self.eval_bounds(f, x);
        if direction == Down { lo } else { hi }
    }

    fn eval_bounds(&self, f: Function, x: &Float) -> (Float, Float) {
        // A value rounded down that is not exact lies just below the true one, so that the next number is the upper bound.
        if let Some((lo, side)) = self.correctly_rounded(Down, f, x) {
            let mut hi = lo.clone();
            if side != Ordering::Equal {
                hi.next_up();
            }
            return (lo, hi);
        }
        let bounds = |lo: &Float, hi: &Float| (self.round_float(Down, lo), self.round_float(Up, hi));
        match (f, f.row().range) {
            // Angles too large to reduce: the whole range of the function.
            _ if f.is_sinusoidal() => (self.small_integer(-1), self.small_integer(1)),
            (Function::Erf | Function::Erfc, _) => {
                let [lo, hi] = [Down, Up].map(|direction| error_function_by_gamma(f, x, self.bits, direction));
                bounds(&lo, &hi)
            }
            (Function::Special(id, order), _) if x.is_finite() => {
                let value = id.bounds_to(self.bits, order, x);
                bounds(value.lo(), value.hi())
            }
            // At ±∞ a limit is exact, or nothing but the range is known.
            (Function::Special(..), (least, greatest)) => {
                let ends = f.exact_value(x.to_f64()).map_or([least, greatest], |limit| [limit, limit]);
                let [lo, hi] = ends.map(|end| end.to_float());
                bounds(&lo, &hi)
            }
            _ => (self.signed_infinity(Down), self.signed_infinity(Up)),
        }
    }

    fn mean_value_image(&self, f: Function, a: &Interval<Float>) -> Option<Interval<Float>> {
        elementary::mean_value_image(self, f, a)
    }

    fn eval_binary_rounded(&self, direction: Direction, f: Planar, a: &Float, b: &Float) -> Float {
        macro_rules! values {
            ($($variant:ident $name:ident $mpfr:ident $about:literal $row:tt)*) => {
                match f {
                    $(Planar::$variant => rounded!(self, direction, a.$mpfr(b)),)*
                }
            };
        }
        planar_functions!(values)
    }

    fn quadrant_of_large(&self, x: &Float) -> Option<u8> {
        if is_far_out(x) {
            return None;
        }
        // 32 bits suffice for the signs: MPFR's results are never 0 at a dyadic angle other than 0.
        let (sine, cosine) = (Float::with_val(32, x.sin_ref()), Float::with_val(32, x.cos_ref()));
        quadrant_of_signs(sine.cmp0()?, cosine.cmp0()?)
    }

    fn middle_between(&self, lo: &Float, hi: &Float) -> Float {
        // Ends may have more bits than the context, so that the rounded middle may lie outside.
        let middle = rounded!(self, Down, Float::with_val_round(self.bits, lo + hi, Round::Down).0 >> 1u32);
        if middle < *lo {
            lo.clone()
        } else if middle > *hi {
            hi.clone()
        } else {
            middle
        }
    }

    // MPFR multiplies by a machine word, which saves a number of the whole precision.
    fn scale_fast(&self, a: &Interval<Float>, n: i64) -> Option<Interval<Float>> {
        let (lo, hi) = if n > 0 { (&a.lo, &a.hi) } else { (&a.hi, &a.lo) };
        (n != 0).then(|| Interval::new(rounded!(self, Down, lo * n), rounded!(self, Up, hi * n), a.defined))
    }

    fn divide_fast(&self, a: &Interval<Float>, n: u64) -> Option<Interval<Float>> {
        (n != 0).then(|| Interval::new(rounded!(self, Down, &a.lo / n), rounded!(self, Up, &a.hi / n), a.defined))
    }

    fn mul_add_fast(&self, acc: &mut Interval<Float>, a: &Interval<Float>, b: &Interval<Float>) -> bool {
        // In place only if the accumulator has this precision, and if no 0·∞ and no choice between two products arises.
        if acc.lo.prec() != self.bits || acc.hi.prec() != self.bits || meets_zero_times_infinity(a, b) {
            return false;
        }
        let Some([x, y, z, w]) = select_factors(a, b) else {
            return false;
        };
        acc.lo.add_assign_round(x * y, Round::Down);
        acc.hi.add_assign_round(z * w, Round::Up);
        acc.defined = acc.defined & a.defined & b.defined;
        true
    }
}
