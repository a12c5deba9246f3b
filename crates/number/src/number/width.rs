//! The width of a printed interval: an exact decimal, however large or small its exponent.

use super::Rational;
use rug::ops::Pow;
use rug::{Complete, Integer};
use std::cmp::Ordering;
use std::fmt;

/// A width `digits · 10^exponent`; `None` for infinity.
#[derive(Clone, Debug)]
pub struct DecimalWidth(Option<(Integer, i64)>);

/// The largest difference of exponents of ten for which the power is computed; numbers further apart are compared by size. A
/// choice: such a power has some 460 kB.
const EXPONENT_RANGE: i64 = 1_100_000;

impl DecimalWidth {
    /// Returns the width of `[lo, hi]`, two printed decimals, infinities included.
    pub fn between_decimals(lo: &str, hi: &str) -> Self {
        let (Some((lo, lo_exponent)), Some((hi, hi_exponent))) = (parse_scientific(lo), parse_scientific(hi)) else {
            return Self(None);
        };
        // Zero is 0·10ᵉ for every e, so that it takes the exponent of the other end.
        let (lo_exponent, hi_exponent) = match (lo.is_zero(), hi.is_zero()) {
            (true, _) => (hi_exponent, hi_exponent),
            (_, true) => (lo_exponent, lo_exponent),
            _ => (lo_exponent, hi_exponent),
        };
        let (least, apart) = (lo_exponent.min(hi_exponent), lo_exponent.abs_diff(hi_exponent));
        if apart > EXPONENT_RANGE as u64 {
            // The ends have few digits here. The width is that of the larger end, plus at most one unit of its last digit.
            let (large, exponent) = if lo_exponent > hi_exponent { (lo, lo_exponent) } else { (hi, hi_exponent) };
            return Self(Some((large.abs() + 1u32, exponent)));
        }
        let lift = |digits: Integer, exponent: i64| digits * Integer::from(10).pow((exponent - least) as u32);
        Self(Some((lift(hi, hi_exponent) - lift(lo, lo_exponent), least)))
    }

    /// Returns `true` if the width is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(|(digits, _)| digits.is_zero())
    }

    /// Returns `true` if the width is at most `eps`, exactly.
    #[must_use]
    pub fn is_at_most(&self, eps: &Rational) -> bool {
        match &self.0 {
            None => false,
            Some((digits, _)) if digits.is_zero() => *eps >= 0,
            // The sizes in bits, each off by one at most, decide without a power of ten unless they are close.
            Some((digits, exponent)) if exponent.abs() <= EXPONENT_RANGE => {
                match binary_sizes(digits, *exponent, eps) {
                    (width, eps) if width + 2 < eps => true,
                    (width, eps) if width > eps + 2 => false,
                    _ => scaled_power(digits, *exponent) <= *eps,
                }
            }
            // No tolerance has so large or so small an exponent, so that the sign of the exponent decides.
            Some((_, exponent)) => *exponent < 0 && *eps > 0,
        }
    }

    /// Returns `true` if `[lo, hi]`, two printed decimals, is no wider than `part` times its number nearest to 0. `false` if that
    /// number is 0.
    pub fn is_relative_width_within(lo: &str, hi: &str, part: &Rational) -> bool {
        let Some((digits, exponent)) = nearest_to_zero(lo, hi) else { return false };
        // Both sides are divided by the power of ten of that number, which may be huge.
        let width = Self::between_decimals(lo, hi).0.map(|(width, least)| (width, least - exponent));
        Self(width).is_at_most(&Rational::from(part * digits.abs()))
    }

    /// Returns the width of `[lo, hi]`, two printed decimals, relative to its number nearest to 0, rounded up. `None` if that
    /// number is 0, or an end is infinite.
    #[must_use]
    pub fn relative_width(lo: &str, hi: &str) -> Option<Self> {
        let (size, exponent) = nearest_to_zero(lo, hi)?;
        let size = size.abs();
        let (width, least) = Self::between_decimals(lo, hi).0?;
        // Three more places than the divisor has digits: a quotient of at least three digits, of which two are shown.
        let places = size.to_string().len() as u32 + 3;
        let part = (width * Integer::from(10).pow(places)).div_rem_ceil(size).0;
        Some(Self(Some((part, least - exponent - i64::from(places)))))
    }

    /// Returns the width as a rational; `None` if it is infinite or its exponent is beyond 1.1 million.
    #[must_use]
    pub fn to_rational(&self) -> Option<Rational> {
        let (digits, exponent) = self.0.as_ref()?;
        (exponent.abs() <= EXPONENT_RANGE).then(|| scaled_power(digits, *exponent))
    }

    /// Returns the exponent of the leading digit; `i64::MAX` for infinity and `i64::MIN` for 0.
    fn leading_exponent(&self) -> i64 {
        match &self.0 {
            None => i64::MAX,
            Some((digits, _)) if digits.is_zero() => i64::MIN,
            Some((digits, exponent)) => digits.to_string().len() as i64 - 1 + exponent,
        }
    }
}

/// Returns the number of `[lo, hi]` nearest to 0, as an integer and an exponent of ten; `None` if that number is 0.
fn nearest_to_zero(lo: &str, hi: &str) -> Option<(Integer, i64)> {
    match (parse_scientific(lo), parse_scientific(hi)) {
        (Some(lo), Some(_)) if lo.0 > 0 => Some(lo),
        (Some(_), Some(hi)) if hi.0 < 0 => Some(hi),
        _ => None,
    }
}

/// Reads a printed decimal as an integer and an exponent of ten; `None` for an infinity.
fn parse_scientific(text: &str) -> Option<(Integer, i64)> {
    let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{rest}").parse().ok()?;
    Some((digits, exponent.parse::<i64>().ok()? - rest.len() as i64))
}

/// Returns the binary sizes, each off by one at most, of `digits · 10^exponent` and of `eps`. The exponent is at most 1.1
/// million.
fn binary_sizes(digits: &Integer, exponent: i64, eps: &Rational) -> (i64, i64) {
    let bits = |n: &Integer| i64::from(n.significant_bits());
    // log₂ 10 to nine places: the error is below 1 for these exponents.
    let ten = (exponent * 3_321_928_095).div_euclid(1_000_000_000);
    (bits(digits) + ten, if *eps > 0 { bits(eps.numer()) - bits(eps.denom()) } else { i64::MIN / 2 })
}

/// Returns `digits · 10^exponent` exactly.
fn scaled_power(digits: &Integer, exponent: i64) -> Rational {
    let ten = Integer::from(10).pow(exponent.unsigned_abs() as u32);
    if exponent < 0 { Rational::from((digits.clone(), ten)) } else { Rational::from((digits * &ten).complete()) }
}

impl PartialEq for DecimalWidth {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for DecimalWidth {}

impl PartialOrd for DecimalWidth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DecimalWidth {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_size = self.leading_exponent().cmp(&other.leading_exponent());
        match (&self.0, &other.0) {
            (Some((digits, exponent)), Some((others, other_exponent))) if by_size == Ordering::Equal => {
                // Equal sizes: the exponents are as near as the lengths of the digits, so that the powers of ten are small.
                let least = *exponent.min(other_exponent);
                let lift = |digits: &Integer, e: i64| digits * Integer::from(10).pow((e - least) as u32);
                lift(digits, *exponent).cmp(&lift(others, *other_exponent))
            }
            _ => by_size,
        }
    }
}

/// Prints the width rounded up to two significant digits, or `inf`.
impl fmt::Display for DecimalWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((digits, _)) = &self.0 else { return f.write_str("inf") };
        if digits.is_zero() {
            return f.write_str("0");
        }
        let text = digits.to_string();
        let (first, rest) = text.split_at(text.len().min(2));
        let padded = if first.len() < 2 { format!("{first}0") } else { first.to_owned() };
        // Any digit that is cut off rounds up: a shown width is never too small.
        let up = u32::from(rest.bytes().any(|b| b != b'0'));
        let (mut digits, mut top) = (padded.parse::<u32>().map_err(|_| fmt::Error)? + up, self.leading_exponent());
        // 99 with a carry.
        if digits == 100 {
            (digits, top) = (10, top + 1);
        }
        let (first, second) = (digits / 10, digits % 10);
        match (top, second) {
            (-2 | -1, 0) => write!(f, "0.{}{first}", "0".repeat((-top - 1) as usize)),
            (-2 | -1, _) => write!(f, "0.{}{first}{second}", "0".repeat((-top - 1) as usize)),
            (0, 0) => write!(f, "{first}"),
            (0, _) => write!(f, "{first}.{second}"),
            (1..=5, _) => write!(f, "{first}{second}{}", "0".repeat((top - 1) as usize)),
            (_, 0) => write!(f, "{first}e{top}"),
            (_, _) => write!(f, "{first}.{second}e{top}"),
        }
    }
}
