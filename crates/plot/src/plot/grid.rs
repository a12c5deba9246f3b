//! The horizontal axis: exact ends, and the borders of its columns.

use super::error::PlotError;
use crate::number::{Rational, decimal};

/// The largest number of binary digits of numerator and denominator together. A choice, far beyond what a picture
/// needs.
pub const MOST_BITS: u32 = 1 << 14;
/// The reciprocal of the part of a column by which a border may be moved to a short decimal. A choice: it cannot be
/// seen.
const ROUNDING: u32 = 1000;

/// Parses an exact number: a decimal, with an exponent or not, or a quotient of two.
///
/// # Errors
/// [`PlotError::Number`] for any other text, [`PlotError::Digits`] for a number too long to compute with.
///
/// # Examples
/// ```
/// use smoothish_plot::plot::grid::parse_coordinate;
/// assert_eq!(parse_coordinate("-2.5")?.to_string(), "-5/2");
/// assert_eq!(parse_coordinate("1e-3/4")?.to_string(), "1/4000");
/// assert!(parse_coordinate("pi").is_err() && parse_coordinate("1/0").is_err() && parse_coordinate("1e999999").is_err());
/// # Ok::<(), smoothish_plot::plot::error::PlotError>(())
/// ```
pub fn parse_coordinate(text: &str) -> Result<Rational, PlotError> {
    let wrong = || PlotError::Number { text: text.to_owned() };
    let number = |part: &str| {
        decimal::parse(part).map_err(|e| match e {
            crate::number::NumberError::Exponent { .. } => PlotError::Digits { limit: MOST_BITS },
            _ => wrong(),
        })
    };
    let value = match text.split_once('/') {
        Some((numerator, denominator)) => {
            let denominator = number(denominator)?;
            if denominator == 0 {
                return Err(wrong());
            }
            number(numerator)? / denominator
        }
        None => number(text)?,
    };
    if binary_digits(&value) > MOST_BITS { Err(PlotError::Digits { limit: MOST_BITS }) } else { Ok(value) }
}

/// Returns the number of binary digits that hold a rational.
pub fn binary_digits(q: &Rational) -> u32 {
    q.numer().significant_bits().saturating_add(q.denom().significant_bits())
}

/// Returns ⌊log₂|q|⌋ or one more; 0 for 0.
pub fn binary_exponent(q: &Rational) -> i64 {
    i64::from(q.numer().significant_bits()) - i64::from(q.denom().significant_bits())
}

/// Returns 10ⁿ.
pub fn power_of_ten(n: i64) -> Rational {
    decimal::parse(&format!("1e{n}")).unwrap_or_else(|_| Rational::from(1))
}

/// Returns ⌊log₁₀ q⌋. Requires `q > 0`.
pub fn decimal_exponent(q: &Rational) -> i64 {
    // The estimate exceeds the exact value by one to three, so the powers are tried downward.
    let estimate = (binary_exponent(q) as f64 * std::f64::consts::LOG10_2).ceil() as i64 + 1;
    (estimate - 3..=estimate).rev().find(|&n| power_of_ten(n) <= *q).unwrap_or(estimate - 4)
}

/// Returns the borders of `columns` columns of `[from, to]`, from left to right.
///
/// The outer two are `from` and `to`. The others are short decimals that divide the interval evenly, up to a
/// thousandth of a column. So a column can be written down exactly.
pub fn column_borders(from: &Rational, to: &Rational, columns: u32) -> Vec<Rational> {
    let width = Rational::from(to - from) / columns;
    let unit = power_of_ten(decimal_exponent(&(width.clone() / ROUNDING)));
    let inner = (1..columns).map(|i| {
        let exact = from + Rational::from(&width * i);
        // Rounds to the nearest multiple of `unit`.
        (exact / &unit + Rational::from((1, 2))).floor() * &unit
    });
    std::iter::once(from.clone()).chain(inner).chain(std::iter::once(to.clone())).collect()
}

/// Formats a number as a decimal, or as a fraction if it has no finite decimal expansion.
pub fn format_exact(q: &Rational) -> String {
    decimal::print_exactly(q).unwrap_or_else(|| q.to_string())
}
