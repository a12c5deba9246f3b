//! Upper bounds: non-negative numbers m·2ᵉ, or +∞, rounded up.
//!
//! Tolerances may be 1e-5000, far below the smallest `f64`, and bounds of high derivatives far above the largest. So the exponent
//! is stored apart from the mantissa, as in the `mag_t` of Arb. Here it is an `i64`, and the mantissa has 53 bits.
//!
//! Sums, products, quotients and conversions to a magnitude round up. They are exact if the result has a mantissa of 53 bits and
//! an exponent in `i64`. Beyond the largest exponent a result is +∞; below the least it is 2ᵉ with the least exponent. Only
//! printing may round down.

use super::arithmetic::Direction::Up;
use super::double;
use rug::float::Round;
use rug::{Float, Rational};
use std::cmp::Ordering;
use std::fmt;

/// A number in [0, +∞], used as an upper bound. See the [module](self).
///
/// The order is that of the numbers. There is no NaN: a bound that is not known is +∞.
///
/// ```
/// use smoothish_number::number::Magnitude;
/// let tiny = Magnitude::power_of_two(-20_000);
/// assert!(tiny > Magnitude::ZERO && tiny < Magnitude::from_f64(5e-324));
/// assert_eq!((tiny * tiny).floor_log2(), -40_000);
/// assert_eq!(Magnitude::ZERO * Magnitude::INFINITY, Magnitude::INFINITY);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnitude {
    /// The mantissa: 0, +∞, or in [1, 2).
    mantissa: f64,
    /// The exponent; 0 if the mantissa is 0 or +∞.
    exponent: i64,
}

/// Returns 2ᵏ, exactly, for |k| ≤ 1000.
fn exact_exp2(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

impl Magnitude {
    /// The number 0.
    pub const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };
    /// The number 1.
    pub const ONE: Self = Self { mantissa: 1.0, exponent: 0 };
    /// Infinity: no bound.
    pub const INFINITY: Self = Self { mantissa: f64::INFINITY, exponent: 0 };

    /// Returns m·2ᵉ for m in [1, 2), with e clamped: +∞ above the range of `i64`, the smallest exponent below.
    fn with_clamped_exponent(mantissa: f64, exponent: i128) -> Self {
        match i64::try_from(exponent) {
            Ok(exponent) => Self { mantissa, exponent },
            Err(_) if exponent > 0 => Self::INFINITY,
            Err(_) => Self { mantissa: 1.0, exponent: i64::MIN },
        }
    }

    /// Returns |x|·2ᵉ, with the exponent clamped; +∞ for NaN.
    fn from_scaled(x: f64, exponent: i128) -> Self {
        let x = x.abs();
        if x == 0.0 {
            return Self::ZERO;
        }
        if !x.is_finite() {
            return Self::INFINITY;
        }
        // A subnormal number is made normal first.
        let (x, shift) = if x < f64::MIN_POSITIVE { (x * exact_exp2(54), -54) } else { (x, 0) };
        let bits = x.to_bits();
        let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | 1f64.to_bits());
        Self::with_clamped_exponent(mantissa, exponent + (bits >> 52) as i128 - 1023 + shift)
    }

    /// Returns |x|, exactly; +∞ for NaN.
    #[must_use]
    pub fn from_f64(x: f64) -> Self {
        Self::from_scaled(x, 0)
    }

    /// Returns 2ᵉ, exactly.
    #[must_use]
    pub fn power_of_two(exponent: i64) -> Self {
        Self { mantissa: 1.0, exponent }
    }

    /// Returns |x|, rounded up; +∞ for NaN and infinities.
    #[must_use]
    pub fn from_float(x: &Float) -> Self {
        if x.is_nan() || x.is_infinite() {
            return Self::INFINITY;
        }
        let Some(exponent) = x.get_exp() else {
            return Self::ZERO;
        };
        let mut scaled = Float::with_val_round(53, x.abs_ref(), Round::Up).0;
        // Rounding up may reach the next power of two.
        let exponent = scaled.get_exp().unwrap_or(exponent);
        scaled >>= exponent;
        Self::from_scaled(scaled.to_f64(), i128::from(exponent))
    }

    /// Returns |q|, rounded up. Beyond the exponents of MPFR the result is +∞, or the least positive number of MPFR.
    #[must_use]
    pub fn from_rational(q: &Rational) -> Self {
        Self::from_float(&Float::with_val_round(53, q, Round::AwayZero).0)
    }

    /// Returns `true` for 0.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    /// Returns `false` for +∞, and `true` otherwise.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.mantissa < f64::INFINITY
    }

    /// Returns half of the number, exactly unless the exponent is the least.
    #[must_use]
    pub fn half(self) -> Self {
        self.mul_exp2(-1)
    }

    /// Returns the number times 2ᵏ, exactly unless the exponent leaves the range of `i64`.
    #[must_use]
    pub fn mul_exp2(self, k: i64) -> Self {
        Self::from_scaled(self.mantissa, i128::from(self.exponent) + i128::from(k))
    }

    /// Returns the number divided by `n`, rounded up; +∞ for n = 0, and also for 0/0.
    #[must_use]
    pub fn div_integer(self, n: u64) -> Self {
        if n == 0 {
            return Self::INFINITY;
        }
        if self.is_zero() || !self.is_finite() {
            return self;
        }
        // A lower bound of n, which may have 64 bits, gives an upper bound of the quotient.
        let nearest = n as f64;
        let below = if nearest as u128 > u128::from(n) { nearest.next_down() } else { nearest };
        Self::from_scaled(double::div(Up, self.mantissa, below), i128::from(self.exponent))
    }

    /// Returns the least `f64` that is not smaller; +∞ beyond the range.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self.exponent {
            _ if self.is_zero() || !self.is_finite() => self.mantissa,
            1024.. => f64::INFINITY,
            ..-1074 => f64::from_bits(1),
            // The result may be subnormal: of two multiplications by powers of two, the first is exact, the second rounds up.
            e if e < -1000 => double::mul(Up, self.mantissa * exact_exp2(-500), exact_exp2(e + 500)),
            e if e > 1000 => self.mantissa * exact_exp2(500) * exact_exp2(e - 500),
            e => self.mantissa * exact_exp2(e),
        }
    }

    /// Returns the number as a rational, exactly; `None` for +∞ and for exponents beyond ±10⁷.
    ///
    /// The limit is a choice: it bounds the rational to 10⁷ bits and a few more.
    #[must_use]
    pub fn to_rational(self) -> Option<Rational> {
        if self.is_zero() {
            return Some(Rational::new());
        }
        if !self.is_finite() || self.exponent.unsigned_abs() > 10_000_000 {
            return None;
        }
        let mantissa = Rational::from_f64(self.mantissa)?;
        Some(mantissa << i32::try_from(self.exponent).ok()?)
    }

    /// Returns the number as an exact text: `inf`, `0`, or a mantissa in [1, 2) and a power of two, as in `1.25p-20`.
    #[must_use]
    pub fn to_exact_text(self) -> String {
        if self.is_zero() || !self.is_finite() {
            return self.to_string();
        }
        // The shortest decimal that is read back as the same `f64`.
        format!("{}p{}", self.mantissa, self.exponent)
    }

    /// Reads a text that [`Magnitude::to_exact_text`] wrote. Returns `None` for any other text.
    ///
    /// ```
    /// use smoothish_number::number::Magnitude;
    /// for number in [Magnitude::ZERO, Magnitude::INFINITY, Magnitude::from_f64(0.1), Magnitude::power_of_two(-20_000)] {
    ///     assert_eq!(Magnitude::from_exact_text(&number.to_exact_text()), Some(number));
    /// }
    /// assert_eq!(Magnitude::from_exact_text("2.5p0"), None);
    /// ```
    #[must_use]
    pub fn from_exact_text(text: &str) -> Option<Self> {
        match text {
            "0" => Some(Self::ZERO),
            "inf" => Some(Self::INFINITY),
            _ => {
                let (mantissa, exponent) = text.split_once('p')?;
                let mantissa = mantissa.parse().ok().filter(|mantissa| (1.0..2.0).contains(mantissa))?;
                Some(Self { mantissa, exponent: exponent.parse().ok()? })
            }
        }
    }

    /// Returns ⌊log₂ x⌋ of the number x; `i64::MIN` for 0 and `i64::MAX` for +∞.
    ///
    /// A caller that negates the result must exclude 0, as `-i64::MIN` overflows.
    #[must_use]
    pub fn floor_log2(self) -> i64 {
        if self.is_zero() {
            i64::MIN
        } else if self.is_finite() {
            self.exponent
        } else {
            i64::MAX
        }
    }
}

impl From<u32> for Magnitude {
    fn from(n: u32) -> Self {
        Self::from_f64(f64::from(n))
    }
}

impl std::ops::Add for Magnitude {
    type Output = Self;
    /// Returns the sum, rounded up.
    fn add(self, other: Self) -> Self {
        let (large, small) = if self >= other { (self, other) } else { (other, self) };
        if small.is_zero() || !large.is_finite() {
            return large;
        }
        let gap = large.exponent.saturating_sub(small.exponent);
        // A summand below 2⁻²⁰⁰ of the larger one only makes the sum round up, and 2⁻²⁰⁰ does the same.
        let addend = if gap > 200 { exact_exp2(-200) } else { small.mantissa * exact_exp2(-gap) };
        Self::from_scaled(double::add(Up, large.mantissa, addend), i128::from(large.exponent))
    }
}

impl std::ops::Mul for Magnitude {
    type Output = Self;
    /// Returns the product, rounded up; 0·∞ = ∞, as +∞ bounds a factor that is not known.
    fn mul(self, other: Self) -> Self {
        if !self.is_finite() || !other.is_finite() {
            return Self::INFINITY;
        }
        if self.is_zero() || other.is_zero() {
            return Self::ZERO;
        }
        Self::from_scaled(
            double::mul(Up, self.mantissa, other.mantissa),
            i128::from(self.exponent) + i128::from(other.exponent),
        )
    }
}

impl Eq for Magnitude {}

impl PartialOrd for Magnitude {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Magnitude {
    fn cmp(&self, other: &Self) -> Ordering {
        // +∞ is above all, and 0 below all, though their exponents are stored as 0.
        let key = |m: &Self| (m.is_finite(), !m.is_zero(), m.exponent);
        match (key(self), key(other)) {
            ((false, ..), (false, ..)) => Ordering::Equal,
            ((false, ..), _) => Ordering::Greater,
            (_, (false, ..)) => Ordering::Less,
            ((_, a, e), (_, b, f)) if !a || !b || e != f => (a, e).cmp(&(b, f)),
            _ => self.mantissa.total_cmp(&other.mantissa),
        }
    }
}

impl fmt::Display for Magnitude {
    /// Prints three significant digits, for people, rounded to nearest and not up: `1.25e-7`, `0`, `inf`.
    ///
    /// For exponents beyond ±1000 it prints a greater power of two, `2^e`: twice the number if that is a power of two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            f.write_str("0")
        } else if !self.is_finite() {
            f.write_str("inf")
        } else if self.exponent.unsigned_abs() <= 1000 {
            write!(f, "{:.2e}", self.to_f64())
        } else {
            write!(f, "2^{}", self.exponent.saturating_add(1))
        }
    }
}
