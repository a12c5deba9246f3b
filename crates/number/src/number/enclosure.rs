//! Enclosures independent of a precision: two exact ends and one bit.
//!
//! An element of the interval domain of [Sherman et al. 2021], §4.1, half-lines included: `[lo, hi]` with
//! `-∞ ≤ lo ≤ hi ≤ +∞`, never empty, never NaN. The ends are dyadic numbers or infinities, held exactly. The bit
//! *defined* says that the number enclosed certainly exists.
//!
//! The order ⊑ is reverse inclusion: `x ⊑ y` when `y` says at least as much as `x`. ⊥ is the whole line, the points
//! are maximal, the supremum of a directed set is its intersection.
//!
//! [Sherman et al. 2021]: https://doi.org/10.1145/3434284
//!
//! # The errors of numbers that are given to this layer

use super::decimal::Decimals;
use super::magnitude::Magnitude;
use rug::float::{Round, Special};
use rug::{Float, Rational};
use std::fmt;

/// A closed interval of real numbers with exact ends, and a flag that its number certainly exists.
///
/// ```
/// use rug::Float;
/// use smoothish_number::number::Enclosure;
/// let end = |x: f64| Float::with_val(53, x);
/// let unit = Enclosure::new(end(0.0), end(1.0), true).unwrap();
/// let zero = Enclosure::point(end(0.0)).unwrap();
/// assert!(Enclosure::bottom().specializes(&unit) && unit.specializes(&zero) && !zero.specializes(&unit));
/// assert!(Enclosure::new(end(1.0), end(0.0), true).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias("interval reals", "interval domain"))]
pub struct Enclosure {
    lo: Float,
    hi: Float,
    defined: bool,
}

/// Removes the sign of a zero.
fn unsigned_zero(x: Float) -> Float {
    if x.is_zero() && x.is_sign_negative() { -x } else { x }
}

/// Returns the number of bits from the first 1 to the last of a finite number; 0 for 0.
pub(super) fn significant_bits(x: &Float) -> u32 {
    match x.to_integer_exp() {
        Some((integer, _)) => integer.significant_bits() - integer.find_one(0).unwrap_or(0),
        None => 0,
    }
}

impl Enclosure {
    /// Builds the interval `[lo, hi]`, certainly defined or not.
    ///
    /// # Errors
    /// [`NumberError::NotANumber`] for NaN, [`NumberError::Reversed`] for lo > hi, [`NumberError::NoRealNumber`] when
    /// both ends are the same infinity.
    pub fn new(lo: Float, hi: Float, defined: bool) -> Result<Self, NumberError> {
        if lo.is_nan() || hi.is_nan() {
            return Err(NumberError::NotANumber);
        }
        if lo > hi {
            return Err(NumberError::Reversed { lo, hi });
        }
        if lo.is_infinite() && lo == hi {
            return Err(NumberError::NoRealNumber { end: lo });
        }
        Ok(Self { lo: unsigned_zero(lo), hi: unsigned_zero(hi), defined })
    }

    /// Builds the interval of a single finite number, defined.
    ///
    /// # Errors
    /// [`NumberError::NotANumber`] and [`NumberError::NoRealNumber`], as for [`Enclosure::new`].
    pub fn point(x: Float) -> Result<Self, NumberError> {
        Self::new(x.clone(), x, true)
    }

    /// Returns ⊥: the whole line, not known to be defined.
    #[must_use]
    pub fn bottom() -> Self {
        Self {
            lo: Float::with_val(53, Special::NegInfinity),
            hi: Float::with_val(53, Special::Infinity),
            defined: false,
        }
    }

    /// Returns the lower end.
    #[must_use]
    pub fn lo(&self) -> &Float {
        &self.lo
    }

    /// Returns the upper end.
    #[must_use]
    pub fn hi(&self) -> &Float {
        &self.hi
    }

    /// Returns `true` if an end is infinite and the other has a binary exponent beyond 10⁹, near the limit of MPFR. A number that
    /// is as near to 0 is not large.
    #[must_use]
    pub fn is_near_overflow(&self) -> bool {
        const MOST_BITS: i32 = 1_000_000_000;
        let is_large = |end: &Float| end.get_exp().is_some_and(|exponent| exponent > MOST_BITS);
        !self.is_bounded() && (is_large(self.lo()) || is_large(self.hi()))
    }

    /// Returns `true` if the number certainly exists.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.defined
    }

    /// Replaces the definedness.
    #[must_use]
    pub fn with_defined(self, defined: bool) -> Self {
        Self { defined, ..self }
    }

    /// Returns `true` if the range is the whole line: no information about the value.
    #[must_use]
    pub fn is_bottom(&self) -> bool {
        self.lo.is_infinite() && self.hi.is_infinite()
    }

    /// Returns `true` if both ends are finite.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// Returns `true` if the range is a single number.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.lo == self.hi
    }

    /// Returns hi - lo, rounded up; +∞ if the range is unbounded.
    #[must_use]
    pub fn width(&self) -> Magnitude {
        if self.is_bounded() {
            Magnitude::from_float(&Float::with_val_round(53, &self.hi - &self.lo, Round::Up).0)
        } else {
            Magnitude::INFINITY
        }
    }

    /// Returns hi - lo, exactly; `None` if the range is unbounded, or if the ends are more than 2²⁰ binary places apart.
    #[must_use]
    pub fn exact_width(&self) -> Option<Float> {
        // A choice: 128 KiB for one number.
        const LIMIT: i64 = 1 << 20;
        if !self.is_bounded() {
            return None;
        }
        let places = |x: &Float| {
            let top = i64::from(x.get_exp()?);
            Some((top, top - i64::from(significant_bits(x))))
        };
        let (top, bottom) = match (places(&self.lo), places(&self.hi)) {
            (Some((a, b)), Some((c, d))) => (a.max(c), b.min(d)),
            (Some(p), None) | (None, Some(p)) => p,
            (None, None) => return Some(Float::new(53)),
        };
        // One bit more for a carry between ends of opposite signs.
        let bits = top - bottom + 1;
        (bits <= LIMIT).then(|| Float::with_val(bits as u32, &self.hi - &self.lo))
    }

    /// Returns `true` if hi - lo ≤ eps.
    #[must_use]
    pub fn has_width_at_most(&self, eps: &Rational) -> bool {
        // Without an exact width the answer is one-sided: half of eps makes up for the rounding, and `false` may be too strict.
        match self.exact_width() {
            Some(width) => width <= *eps,
            None => self.width() <= Magnitude::from_rational(eps).half(),
        }
    }

    /// Returns `true` if `q` lies in the range.
    #[must_use]
    pub fn contains(&self, q: &Rational) -> bool {
        self.lo <= *q && self.hi >= *q
    }

    /// Returns `true` if the range of `other` lies in this one.
    #[must_use]
    pub fn contains_enclosure(&self, other: &Self) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    /// Returns `true` if the ranges have a point in common. Disjoint enclosures refute the equality of real numbers; no
    /// enclosures confirm it, two equal points excepted.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// Returns `true` if `self ⊑ other`: `other` is a part of this range, and defined if this is.
    #[must_use]
    pub fn specializes(&self, other: &Self) -> bool {
        self.contains_enclosure(other) && (other.defined || !self.defined)
    }

    /// Returns the intersection of two enclosures of the same number: their supremum for ⊑. `None` if they are disjoint, a
    /// contradiction.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        self.overlaps(other).then(|| Self {
            lo: if self.lo >= other.lo { &self.lo } else { &other.lo }.clone(),
            hi: if self.hi <= other.hi { &self.hi } else { &other.hi }.clone(),
            defined: self.defined || other.defined,
        })
    }

    /// Returns the smallest interval that contains both: their infimum for ⊑.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        Self {
            lo: if self.lo <= other.lo { &self.lo } else { &other.lo }.clone(),
            hi: if self.hi >= other.hi { &self.hi } else { &other.hi }.clone(),
            defined: self.defined && other.defined,
        }
    }

    /// Prints both ends in decimal, rounded outward, with as many decimals as a tolerance of `eps` needs. See
    /// [`decimal`](super::decimal).
    #[must_use]
    pub fn print_decimals(&self, eps: &Rational) -> Decimals {
        Decimals::new(self, eps)
    }

    /// Returns both ends as exact texts: hexadecimal numbers, or `inf` and `-inf`.
    ///
    /// ```
    /// use smoothish_number::number::{Enclosure, Float};
    /// let found = Enclosure::new(Float::with_val(53, 0.1), Float::with_val(200, Float::parse("1e-30").unwrap()) + 1, true)?;
    /// let [lo, hi] = found.to_exact_ends();
    /// assert_eq!(Enclosure::from_exact_ends(&lo, &hi, true), Some(found));
    /// assert_eq!(Enclosure::bottom().to_exact_ends(), ["-inf", "inf"]);
    /// assert_eq!(Enclosure::from_exact_ends("1", "0", true), None);
    /// # Ok::<(), smoothish_number::number::NumberError>(())
    /// ```
    #[must_use]
    pub fn to_exact_ends(&self) -> [String; 2] {
        [&self.lo, &self.hi].map(|end| match (end.is_infinite(), end.is_sign_negative()) {
            (true, true) => "-inf".to_owned(),
            (true, false) => "inf".to_owned(),
            (false, _) => end.to_string_radix(16, None),
        })
    }

    /// Reads the texts that [`Enclosure::to_exact_ends`] wrote. Returns `None` for any others.
    #[must_use]
    pub fn from_exact_ends(lo: &str, hi: &str, defined: bool) -> Option<Self> {
        let end = |text: &str| match text {
            "inf" => Some(Float::with_val(53, Special::Infinity)),
            "-inf" => Some(Float::with_val(53, Special::NegInfinity)),
            // Each letter has at most four bits.
            _ => {
                let bits = u32::try_from(text.len()).ok()?.checked_mul(4)?.max(53);
                Some(Float::with_val(bits, Float::parse_radix(text, 16).ok()?))
            }
        };
        Self::new(end(lo)?, end(hi)?, defined).ok()
    }
}

impl fmt::Display for Enclosure {
    /// Prints the ends in decimal, outward, for a tolerance of 10⁻¹⁵; `⊥` is `[-inf, inf]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print_decimals(&Rational::from((1, 1_000_000_000_000_000u64))).fmt(f)
    }
}

/// The reason why an input is no enclosure, or no decimal.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NumberError {
    /// An end of an enclosure is not a number.
    #[error("an end of an enclosure is not a number")]
    NotANumber,
    /// The lower end lies above the upper one.
    #[error("the ends of an enclosure are in the wrong order: {lo} > {hi}")]
    Reversed {
        /// The lower end as given.
        lo: Float,
        /// The upper end as given.
        hi: Float,
    },
    /// Both ends are the same infinity, so that no real number lies between them.
    #[error("no real number lies between {end} and {end}")]
    NoRealNumber {
        /// The infinite end.
        end: Float,
    },
    /// A text that is not a decimal number.
    #[error("`{text}` is not a decimal number: expected digits, as in `-12.5` or `1e-30`")]
    Decimal {
        /// The text as given.
        text: String,
    },
    /// A decimal whose exponent is so large that the exact number would fill the memory.
    #[error("the exponent of `{text}` is beyond ±{limit}")]
    Exponent {
        /// The text as given.
        text: String,
        /// The largest exponent that is read.
        limit: u32,
    },
}
