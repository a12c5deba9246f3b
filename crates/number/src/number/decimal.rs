//! Decimal printing of enclosures, rounded outward, and reading decimals back exactly.
//!
//! # How many decimals
//! With d decimals each end moves outward by less than 10⁻ᵈ. A true width ≤ 0.9·eps is printed within eps when
//! 2·10⁻ᵈ ≤ 0.1·eps, so d is the least with 10ᵈ ≥ 20/eps. Beyond that rule:
//!
//! - an end that has an exact expansion of at most d + 4 decimals is printed exactly: `0`, `1`, `0.5`;
//! - while the true width is ≤ eps but the printed one is not, decimals are added;
//! - an enclosure of numbers so small that d decimals would show only zeros gets three significant digits;
//! - an end beyond 10²¹ or below 10⁻²⁰ is printed in scientific notation: `1e400`, `-2.5e-31`; of ends beyond 10²¹ only
//!   those digits are printed that eps requires, or that the width justifies if it is far above eps;
//! - an end that would need more than 100,000 digits is printed with 1,000.
//!
//! Trailing zeros are left out. Infinite ends are `-inf` and `inf`.
//!
//! # Cost
//!
//! A number beside a decimal of few digits is rounded correctly only if all of its bits are used. So a number of very many bits
//! is first rounded, in the same direction, to as many bits as its digits need, and to 16,384 at least.
//!
//! # The digits that are certain in a printed enclosure
//!
//! # The width of a printed interval
//!
//! An exact decimal, however large or small its exponent.

use super::Rational;
use super::enclosure::{Enclosure, NumberError, significant_bits};
use rug::float::Round;
use rug::ops::Pow;
use rug::{Complete, Float, Integer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::RangeInclusive;

/// The ends of an enclosure in decimal, rounded outward. See the [module](self).
///
/// ```
/// use rug::{Float, Rational};
/// use smoothish_number::number::Enclosure;
/// let third = Enclosure::new(Float::with_val(53, 0.3333), Float::with_val(53, 0.3334), true).unwrap();
/// let printed = third.print_decimals(&Rational::from((1, 1000)));
/// assert_eq!(printed.to_string(), "[0.33329, 0.3334]");
/// assert_eq!(printed.width().to_rational(), Some(Rational::from((11, 100_000))));
/// assert_eq!(Enclosure::bottom().print_decimals(&Rational::from((1, 1000))).to_string(), "[-inf, inf]");
/// let half = Enclosure::point(Float::with_val(53, 0.5)).unwrap();
/// assert_eq!(half.print_decimals(&Rational::from((1, 1000))).to_string(), "0.5", "a number that is known is no interval");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimals {
    lo: String,
    hi: String,
}

/// The most digits that are printed of one end, a few more than can be asked for.
const DIGIT_LIMIT: i64 = 100_100;
/// The digits that are printed of an end that would need more than [`DIGIT_LIMIT`].
const SHORT_DIGITS: i64 = 1_000;
/// The most decimals that are added beyond the first rule. A choice.
const MAX_EXTRA_DECIMALS: i64 = 24;
/// The number of bits beyond which a number is rounded before it is printed.
const LONG_BITS: i64 = 1 << 14;
/// The largest exponent of ten that [`parse`] reads: beyond it the exact number would fill the memory.
const EXPONENT_LIMIT: u32 = 1_000_000;

impl Decimals {
    /// Prints the ends of `e` for a tolerance of `eps`; an eps that is not positive is taken as 10⁻¹⁵.
    #[must_use]
    pub fn new(e: &Enclosure, eps: &Rational) -> Self {
        let fallback = Rational::from((1, 1_000_000_000_000_000u64));
        let eps = if *eps > 0 { eps } else { &fallback };
        let decimals = decimals_for(e, eps);
        let printed = Self::with_decimals(e, decimals);
        if !e.has_width_at_most(eps) || printed.width().is_at_most(eps) {
            return printed;
        }
        // More decimals never print a wider interval, so that bisection finds the least number.
        let (mut least, mut enough) = (1, MAX_EXTRA_DECIMALS);
        while least < enough {
            let middle = (least + enough) / 2;
            if Self::with_decimals(e, decimals + middle).width().is_at_most(eps) {
                enough = middle
            } else {
                least = middle + 1
            }
        }
        Self::with_decimals(e, decimals + least)
    }

    /// Prints the ends of `e`, which is not 0, with as many significant digits as a width of `part > 0` of its size needs, or as
    /// its own width justifies if that is larger.
    #[must_use]
    pub fn for_relative_width(e: &Enclosure, part: &Rational) -> Self {
        let nearest = if *e.lo() > 0 { e.lo() } else { e.hi() };
        let Some(top) = leading_exponent(nearest) else { return Self::new(e, part) };
        let width = Float::with_val_round(64, e.hi() - e.lo(), Round::Down).0;
        let own = Float::with_val_round(64, width / nearest, Round::Zero).0.abs();
        let part = Float::with_val_round(64, part, Round::Down).0.max(&own);
        // An unbounded enclosure gets three digits.
        let digits = if part.is_finite() { decimals_for_width(&part).max(2) + 1 } else { 3 };
        Self::with_decimals(e, digits - 1 - top)
    }

    /// Prints the ends with a number of decimals, which may be negative.
    fn with_decimals(e: &Enclosure, decimals: i64) -> Self {
        Self { lo: print_end(e.lo(), decimals, Round::Down), hi: print_end(e.hi(), decimals, Round::Up) }
    }

    /// Returns the digits with which every number between the two ends begins; all of them if the ends are equal, `None` if there
    /// are none.
    ///
    /// ```
    /// use smoothish_number::number::{Enclosure, Rational};
    /// use rug::Float;
    /// let printed = |lo, hi| {
    ///     let found = Enclosure::new(Float::with_val(53, lo), Float::with_val(53, hi), true).unwrap();
    ///     found.print_decimals(&Rational::from((1, 100_000))).certain_digits()
    /// };
    /// assert_eq!(printed(1.41421, 1.41422).as_deref(), Some("1.4142…"));
    /// assert_eq!(printed(1250.0, 1260.0).as_deref(), Some("1.2…e3"));
    /// assert_eq!(printed(0.5, 0.5).as_deref(), Some("0.5"));
    /// assert_eq!(printed(-0.1, 0.1), None);
    /// ```
    #[must_use]
    pub fn certain_digits(&self) -> Option<String> {
        common_digits(&self.lo, &self.hi)
    }

    /// Returns the lower end, ≤ the true one.
    #[must_use]
    pub fn lo(&self) -> &str {
        &self.lo
    }

    /// Returns the upper end, ≥ the true one.
    #[must_use]
    pub fn hi(&self) -> &str {
        &self.hi
    }

    /// Returns the width of the printed interval.
    #[must_use]
    pub fn width(&self) -> DecimalWidth {
        DecimalWidth::between_decimals(&self.lo, &self.hi)
    }
}

impl fmt::Display for Decimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The ends are rounded outwards, so that equal ends are the number itself.
        match self.lo == self.hi {
            true => f.write_str(&self.lo),
            false => write!(f, "[{}, {}]", self.lo, self.hi),
        }
    }
}

/// Returns the least d with 10ᵈ ≥ x, for x > 0; off by one at most for x beyond 10³⁰⁰.
fn decimal_logarithm(x: &Float) -> i64 {
    // The logarithm in hardware is right unless it is close to an integer.
    let near = x.to_f64().log10();
    if near.is_finite() && (near - near.round()).abs() > 1e-6 {
        return near.ceil() as i64;
    }
    let log = Float::with_val_round(64, x.log10_ref(), Round::Up).0.ceil();
    log.to_integer().and_then(|d| d.to_i64()).unwrap_or(0)
}

/// Returns the least d with 10ᵈ ≥ 20/q.
fn decimals_for_width(q: &Float) -> i64 {
    decimal_logarithm(&(Float::with_val_round(64, 20, Round::Up).0 / q))
}

/// Returns the number of decimals to print; negative if tens, hundreds, … are to be left out.
fn decimals_for(e: &Enclosure, eps: &Rational) -> i64 {
    let eps = Float::with_val_round(64, eps, Round::Down).0;
    let wanted = decimals_for_width(&eps).max(0);
    let largest = match (e.lo().is_finite(), e.hi().is_finite()) {
        (true, true) => e.lo().clone().abs().max(&e.hi().clone().abs()),
        (true, false) => e.lo().clone().abs(),
        (false, true) => e.hi().clone().abs(),
        (false, false) => return wanted,
    };
    let Some(top) = leading_exponent(&largest) else {
        return wanted;
    };
    // Large numbers: only the digits that eps, or the true width, justifies.
    if top > 20 {
        let width = match e.exact_width() {
            Some(width) => width,
            None if e.is_bounded() => Float::with_val_round(64, e.hi() - e.lo(), Round::Down).0,
            None => largest,
        };
        return if width > eps { decimals_for_width(&width).max(-top) + 1 } else { decimals_for_width(&eps).max(-top) };
    }
    // Tiny numbers get three significant digits.
    if top < 2 - wanted { 2 - top } else { wanted }
}

/// Returns `true` if the ends, printed for a tolerance of `eps`, are at most eps apart. If they are printed with all their
/// decimals and the true width is at most 0.9·eps, that is known without printing: see the [module](self).
#[must_use]
pub fn is_printed_within(e: &Enclosure, eps: &Rational) -> bool {
    let digits = [e.lo(), e.hi()].map(|x| i64::from(x.get_exp().unwrap_or(0)) / 3).into_iter().fold(0, i64::max);
    let moderate = *eps > Rational::from((1, 1_000_000_000_000_000_000u64));
    let narrow = || e.exact_width().is_some_and(|width| width <= eps * Rational::from((9, 10)));
    (moderate && digits < DIGIT_LIMIT / 2 && narrow())
        || e.has_width_at_most(eps) && e.print_decimals(eps).width().is_at_most(eps)
}

/// Rounds a number to as many bits as `digits` digits need, if it has many more.
fn round_to_digits(x: &Float, digits: i64, round: Round) -> Cow<'_, Float> {
    // Four bits a digit exceed log₂ 10.
    let bits = LONG_BITS.max(4 * digits);
    if i64::from(x.prec()) <= bits {
        return Cow::Borrowed(x);
    }
    Cow::Owned(Float::with_val_round(bits as u32, x, round).0)
}

/// Returns the exponent of the leading decimal digit, ⌊log₁₀|x|⌋; `None` for 0 and infinities. One more if a number of very many
/// bits lies beside the next power of ten.
fn leading_exponent(x: &Float) -> Option<i64> {
    if x.is_zero() || !x.is_finite() {
        return None;
    }
    let (_, _, exponent) = round_to_digits(x, 2, Round::AwayZero).to_sign_string_exp_round(10, Some(2), Round::Zero);
    Some(i64::from(exponent?) - 1)
}

/// Prints one end, rounded to a number of decimals.
fn print_end(x: &Float, decimals: i64, round: Round) -> String {
    let Some(top) = leading_exponent(x) else {
        return match (x.is_infinite(), x.is_sign_negative()) {
            (false, _) => "0",
            (true, true) => "-inf",
            (true, false) => "inf",
        }
        .to_owned();
    };
    // A dyadic number has as many decimals as binary places. Up to four more than asked, it is printed exactly.
    let binary_places = x.get_exp().map_or(0, |e| i64::from(significant_bits(x)) - i64::from(e)).max(0);
    let decimals = if binary_places <= decimals + 4 && top <= 20 { binary_places } else { decimals };
    let digits = if top + 1 + decimals > DIGIT_LIMIT { SHORT_DIGITS } else { top + 1 + decimals };
    if digits < 1 {
        // |x| is less than one unit of the last place
        return match (round, x.is_sign_negative()) {
            (Round::Down, true) => write_decimal("1", -decimals, true, PLAIN),
            (Round::Up, false) => write_decimal("1", -decimals, false, PLAIN),
            _ => "0".to_owned(),
        };
    }
    // A dyadic number with fewer trailing zero bits than a decimal of `digits` digits has is no such decimal, and may be
    // shortened first.
    let zeros = x.get_exp().map_or(0, i64::from) - i64::from(significant_bits(x));
    let rounded = if zeros < top + 1 - digits { round_to_digits(x, digits, round) } else { Cow::Borrowed(x) };
    let (negative, digits, exponent) = rounded.to_sign_string_exp_round(10, Some(digits as usize), round);
    let exponent = exponent.map_or(0, i64::from);
    write_decimal(digits.trim_end_matches('0'), exponent - 1, negative, PLAIN)
}

/// The exponents of the first digit for which an end is written without exponent. A choice.
const PLAIN: RangeInclusive<i64> = -20..=20;

/// Writes the decimal d.ddd · 10ᵗᵒᵖ, given its digits, without an exponent if the top is one of `plain`.
fn write_decimal(digits: &str, top: i64, negative: bool, plain: RangeInclusive<i64>) -> String {
    let sign = if negative { "-" } else { "" };
    let count = digits.len() as i64;
    match top {
        _ if !plain.contains(&top) => match digits.split_at(1) {
            (first, "") => format!("{sign}{first}e{top}"),
            (first, rest) => format!("{sign}{first}.{rest}e{top}"),
        },
        ..0 => format!("{sign}0.{}{digits}", "0".repeat((-top - 1) as usize)),
        _ if count <= top + 1 => {
            format!("{sign}{digits}{}", "0".repeat((top + 1 - count) as usize))
        }
        _ => {
            let (whole, rest) = digits.split_at((top + 1) as usize);
            format!("{sign}{whole}.{rest}")
        }
    }
}

/// Returns the exact decimal expansion of a rational; `None` if it is infinite, or longer than about a hundred thousand digits.
///
/// ```
/// use smoothish_number::number::{Rational, decimal};
/// assert_eq!(decimal::print_exactly(&Rational::from((-5, 2))).as_deref(), Some("-2.5"));
/// assert_eq!(decimal::print_exactly(&decimal::parse("1e-30").unwrap()).as_deref(), Some("1e-30"));
/// assert_eq!(decimal::print_exactly(&Rational::from((1, 3))), None);
/// ```
#[must_use]
pub fn print_exactly(q: &Rational) -> Option<String> {
    let (digits, top) = exact_digits(q)?;
    Some(write_decimal(&digits, top, *q < 0, PLAIN))
}

/// Returns the exact decimal expansion of a rational of at most 34 digits, as people write it: `1e-20`, but 34 digits of a whole
/// number. `None` if there is none.
///
/// ```
/// use smoothish_number::number::{Rational, decimal};
/// assert_eq!(decimal::print_short(&decimal::parse("1e-20").unwrap()).as_deref(), Some("1e-20"));
/// assert_eq!(decimal::print_short(&Rational::from((1, 8))).as_deref(), Some("0.125"));
/// assert_eq!(decimal::print_short(&decimal::parse("1e33").unwrap()), Some(format!("1{}", "0".repeat(33))));
/// ```
#[must_use]
pub fn print_short(q: &Rational) -> Option<String> {
    let (digits, top) = exact_digits(q)?;
    // the digits of a decimal of 128 bits, and the exponent beyond which it is written with one
    (digits.len() <= 34).then(|| write_decimal(&digits, top, *q < 0, -7..=33))
}

/// Returns the digits of the exact decimal expansion of |q| without zeros at their end, and the exponent of the first; `None` as
/// for [`print_exactly`].
fn exact_digits(q: &Rational) -> Option<(String, i64)> {
    // A fraction has a finite expansion exactly if 2 and 5 are the only primes of its denominator.
    let (rest, twos) = q.denom().clone().remove_factor(&Integer::from(2));
    let (rest, fives) = rest.remove_factor(&Integer::from(5));
    let decimals = i64::from(twos.max(fives));
    if rest != 1 || decimals > DIGIT_LIMIT {
        return None;
    }
    if q.is_zero() {
        return Some(("0".to_owned(), 0));
    }
    let whole = (q.clone() * Integer::from(10).pow(twos.max(fives))).into_numer_denom().0;
    let digits = whole.abs_ref().complete().to_string();
    let top = digits.len() as i64 - 1 - decimals;
    (top <= DIGIT_LIMIT).then(|| (digits.trim_end_matches('0').to_owned(), top))
}

/// Reads a decimal such as `-12.5` or `2.5e-31`, exactly.
///
/// # Errors
/// [`NumberError::Decimal`] for any other text, infinities included; [`NumberError::Exponent`] for an exponent beyond
/// ±10⁶.
pub fn parse(text: &str) -> Result<Rational, NumberError> {
    let wrong = || NumberError::Decimal { text: text.to_owned() };
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong());
            }
            // Digits that overflow an `i64` are an exponent beyond the limit as well.
            (number, exponent.parse::<i64>().unwrap_or(i64::MAX))
        }
        None => (text, 0),
    };
    let (negative, unsigned) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, rest) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{rest}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    if exponent.unsigned_abs() > u64::from(EXPONENT_LIMIT) {
        return Err(NumberError::Exponent { text: text.to_owned(), limit: EXPONENT_LIMIT });
    }
    let integer: Integer = digits.parse().map_err(|_| wrong())?;
    let integer = if negative { -integer } else { integer };
    let exponent = exponent - rest.len() as i64;
    let power = Integer::from(10).pow(exponent.unsigned_abs() as u32);
    Ok(if exponent < 0 { Rational::from((integer, power)) } else { Rational::from(integer * power) })
}

/// Returns the digits with which every number between two printed ends begins, followed by `…`.
///
/// Equal ends are returned as they are. Returns `None` if an end is infinite, if the signs or the exponents differ, or if no
/// digit is certain.
#[must_use]
pub fn common_digits(lo: &str, hi: &str) -> Option<String> {
    if lo.ends_with("inf") || hi.ends_with("inf") {
        return None;
    }
    if lo == hi {
        return Some(lo.to_owned());
    }
    let sign = if lo.starts_with('-') { "-" } else { "" };
    // Compared after the case of equal ends: 0 and a negative number have no common digit.
    if lo.starts_with('-') != hi.starts_with('-') {
        return None;
    }
    let scientific = |text: &str| match text.trim_start_matches('-').split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), Some(exponent.to_owned())),
        None => (text.trim_start_matches('-').to_owned(), None),
    };
    let ((lo, exponent), (hi, other)) = (scientific(lo), scientific(hi));
    // No carry is looked for: 9.99e20 and 1.00e21 count as having no common digit.
    if exponent != other {
        return None;
    }
    let split = |text: &str| match text.split_once('.') {
        Some((whole, rest)) => (whole.to_owned(), rest.to_owned()),
        None => (text.to_owned(), String::new()),
    };
    let ((whole, rest), (other_whole, other_rest)) = (split(&lo), split(&hi));
    let tail = |exponent: Option<String>| exponent.map_or_else(String::new, |exponent| format!("e{exponent}"));
    if whole == other_whole {
        // Printed numbers lack trailing zeros, so that the shorter fraction is padded.
        let zeros = std::iter::repeat('0');
        let longest = rest.len().max(other_rest.len());
        let common: String = (rest.chars().chain(zeros.clone()))
            .zip(other_rest.chars().chain(zeros))
            .take(longest)
            .take_while(|(left, right)| left == right)
            .map(|(digit, _)| digit)
            .collect();
        return match common.as_str() {
            // A leading 0 is no digit of the number.
            "" if whole == "0" => None,
            "" => Some(format!("{sign}{whole}…{}", tail(exponent))),
            common => Some(format!("{sign}{whole}.{common}…{}", tail(exponent))),
        };
    }
    // With an exponent the whole part is one digit, and a different one is no common digit.
    if exponent.is_some() || whole.len() != other_whole.len() {
        return None;
    }
    let common: String = whole
        .chars()
        .zip(other_whole.chars())
        .take_while(|(left, right)| left == right)
        .map(|(digit, _)| digit)
        .collect();
    // Digits before the point that differ are shown by the exponent: 1250 and 1260 are `1.2…e3`.
    let top = whole.len() - 1;
    match common.split_at_checked(1)? {
        (first, "") => Some(format!("{sign}{first}…e{top}")),
        (first, rest) => Some(format!("{sign}{first}.{rest}…e{top}")),
    }
}

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
