//! The width of a printed interval: an exact decimal, however large or small its exponent.

use super::Rational;
use rug::ops::Pow;
use rug::{Complete, Integer};
use std::cmp::Ordering;
use std::fmt;

/// `digits · 10^exponent`, or infinity.
#[derive(Clone, Debug)]
pub struct Width(Option<(Integer, i64)>);

/// Powers of ten up to this one are computed; what is further apart is compared by its size.
const NEAR: i64 = 1_100_000;

impl Width {
    /// The width of `[lo, hi]`, of two decimals as they are printed, infinities included.
    pub fn between(lo: &str, hi: &str) -> Self {
        let (Some((lo, lo_exponent)), Some((hi, hi_exponent))) = (scientific(lo), scientific(hi)) else {
            return Self(None);
        };
        // 0 has every exponent
        let (lo_exponent, hi_exponent) = match (lo.is_zero(), hi.is_zero()) {
            (true, _) => (hi_exponent, hi_exponent),
            (_, true) => (lo_exponent, lo_exponent),
            _ => (lo_exponent, hi_exponent),
        };
        let (least, apart) = (lo_exponent.min(hi_exponent), lo_exponent.abs_diff(hi_exponent));
        if apart > NEAR as u64 {
            // printed with few digits: all of the width is that of the larger end, but for a part that cannot be seen
            let (large, exponent) = if lo_exponent > hi_exponent { (lo, lo_exponent) } else { (hi, hi_exponent) };
            return Self(Some((large.abs() + 1u32, exponent)));
        }
        let lift = |digits: Integer, exponent: i64| digits * Integer::from(10).pow((exponent - least) as u32);
        Self(Some((lift(hi, hi_exponent) - lift(lo, lo_exponent), least)))
    }

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.0.as_ref().is_some_and(|(digits, _)| digits.is_zero())
    }

    /// Whether the width is at most `eps`.
    #[must_use]
    pub fn is_at_most(&self, eps: &Rational) -> bool {
        match &self.0 {
            None => false,
            Some((digits, _)) if digits.is_zero() => *eps >= 0,
            Some((digits, exponent)) if exponent.abs() <= NEAR => match binary_sizes(digits, *exponent, eps) {
                (width, eps) if width + 2 < eps => true,
                (width, eps) if width > eps + 2 => false,
                _ => power(digits, *exponent) <= *eps,
            },
            // no tolerance has an exponent like that
            Some((_, exponent)) => *exponent < 0 && *eps > 0,
        }
    }

    /// Whether `[lo, hi]`, two decimals as they are printed, is no wider than this part of its number that is nearest to 0; never
    /// where that is 0.
    pub fn is_part(lo: &str, hi: &str, part: &Rational) -> bool {
        let Some((digits, exponent)) = nearest(lo, hi) else { return false };
        let width = Self::between(lo, hi).0.map(|(width, least)| (width, least - exponent));
        Self(width).is_at_most(&Rational::from(part * digits.abs()))
    }

    /// The width of `[lo, hi]`, two decimals as they are printed, as a part of its number that is nearest to 0, rounded up; nothing where
    /// that is 0.
    #[must_use]
    pub fn as_part(lo: &str, hi: &str) -> Option<Self> {
        let (size, exponent) = nearest(lo, hi)?;
        let size = size.abs();
        let (width, least) = Self::between(lo, hi).0?;
        let places = size.to_string().len() as u32 + 3;
        let part = (width * Integer::from(10).pow(places)).div_rem_ceil(size).0;
        Some(Self(Some((part, least - exponent - i64::from(places)))))
    }

    /// The number, where it is finite and its exponent is not beyond a million.
    #[must_use]
    pub fn to_rational(&self) -> Option<Rational> {
        let (digits, exponent) = self.0.as_ref()?;
        (exponent.abs() <= NEAR).then(|| power(digits, *exponent))
    }

    /// The exponent of the leading digit, below that of infinity and above that of 0.
    fn size(&self) -> i64 {
        match &self.0 {
            None => i64::MAX,
            Some((digits, _)) if digits.is_zero() => i64::MIN,
            Some((digits, exponent)) => digits.to_string().len() as i64 - 1 + exponent,
        }
    }
}

/// The number of `[lo, hi]` that is nearest to 0, unless that is 0, as an integer and an exponent of ten.
fn nearest(lo: &str, hi: &str) -> Option<(Integer, i64)> {
    match (scientific(lo), scientific(hi)) {
        (Some(lo), Some(_)) if lo.0 > 0 => Some(lo),
        (Some(_), Some(hi)) if hi.0 < 0 => Some(hi),
        _ => None,
    }
}

/// A printed decimal as an integer and an exponent of ten.
fn scientific(text: &str) -> Option<(Integer, i64)> {
    let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, rest) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{rest}").parse().ok()?;
    Some((digits, exponent.parse::<i64>().ok()? - rest.len() as i64))
}

/// The binary exponents of `digits · 10^exponent`, for an exponent of at most a million, and of eps > 0, one more or less.
fn binary_sizes(digits: &Integer, exponent: i64, eps: &Rational) -> (i64, i64) {
    let bits = |n: &Integer| i64::from(n.significant_bits());
    // log₂ 10 to nine places
    let ten = (exponent * 3_321_928_095).div_euclid(1_000_000_000);
    (bits(digits) + ten, if *eps > 0 { bits(eps.numer()) - bits(eps.denom()) } else { i64::MIN / 2 })
}

fn power(digits: &Integer, exponent: i64) -> Rational {
    let ten = Integer::from(10).pow(exponent.unsigned_abs() as u32);
    if exponent < 0 { Rational::from((digits.clone(), ten)) } else { Rational::from((digits * &ten).complete()) }
}

impl PartialEq for Width {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Width {}

impl PartialOrd for Width {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Width {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_size = self.size().cmp(&other.size());
        match (&self.0, &other.0) {
            (Some((digits, exponent)), Some((others, other_exponent))) if by_size == Ordering::Equal => {
                // as many digits before the same place: so the exponents are as near as the lengths
                let least = *exponent.min(other_exponent);
                let lift = |digits: &Integer, e: i64| digits * Integer::from(10).pow((e - least) as u32);
                lift(digits, *exponent).cmp(&lift(others, *other_exponent))
            }
            _ => by_size,
        }
    }
}

/// Rounded up to two significant digits; `inf`.
impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((digits, _)) = &self.0 else { return f.write_str("inf") };
        if digits.is_zero() {
            return f.write_str("0");
        }
        let text = digits.to_string();
        let (first, rest) = text.split_at(text.len().min(2));
        let padded = if first.len() < 2 { format!("{first}0") } else { first.to_owned() };
        let up = u32::from(rest.bytes().any(|b| b != b'0'));
        let (mut digits, mut top) = (padded.parse::<u32>().map_err(|_| fmt::Error)? + up, self.size());
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
