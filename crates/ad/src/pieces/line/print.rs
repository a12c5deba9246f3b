//! Display of endpoints, intervals and unions of them.

use super::{IntervalEndpoint, IntervalUnion, LineInterval};
use crate::number::{Rational, decimal};
use std::fmt;

/// The number of printed decimals, or of digits for numbers near 0. A choice, as the next two.
const MOST_DECIMALS: u32 = 12;
/// The largest length of a fraction that is printed as one.
const SHORT: usize = 12;
/// The largest number of digits of an integer that is printed in full.
const LONGEST: usize = 21;

/// Formats an exact number: as a fraction if that is short, else its leading digits with "…".
#[must_use]
pub fn format_rational(q: &Rational) -> String {
    let exact = q.to_string();
    if exact.len() <= if q.is_integer() { LONGEST } else { SHORT } {
        return exact;
    }
    let (sign, size) = (if *q < 0 { "-" } else { "" }, q.clone().abs());
    let power = decimal_exponent(&size);
    // very large and very small numbers in scientific notation
    if (-4..=LONGEST as i64).contains(&power) {
        return format!("{sign}{}…", truncate_decimals(&size, MOST_DECIMALS));
    }
    let scaled = if power < 0 { size * power_of_ten(power) } else { size / power_of_ten(power) };
    format!("{sign}{}…e{power}", truncate_decimals(&scaled, MOST_DECIMALS - 1))
}

/// Returns the exponent of the leading decimal digit of a positive number.
fn decimal_exponent(q: &Rational) -> i64 {
    let guess = q.numer().to_string().len() as i64 - q.denom().to_string().len() as i64;
    let reaches = |power: i64| {
        let unit = power_of_ten(power);
        if power < 0 { q * unit >= 1 } else { *q >= unit }
    };
    if reaches(guess) { guess } else { guess - 1 }
}

/// Returns 10 to the absolute value of `power`.
fn power_of_ten(power: i64) -> Rational {
    (0..power.unsigned_abs()).fold(Rational::from(1), |product, _| product * 10u32)
}

/// Formats a nonnegative number with `truncate_decimals` decimals, truncated.
fn truncate_decimals(q: &Rational, decimals: u32) -> String {
    let unit = Rational::from(10u64.pow(decimals));
    let digits = Rational::from(q * &unit).trunc().into_numer_denom().0.to_string();
    let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}{}{rest}", if decimals == 0 { "" } else { "." })
}

impl IntervalEndpoint {
    /// Returns the digits that all numbers between the bounds share. Returns `None` if there are none.
    fn common_digits(&self) -> Option<String> {
        if self.lo < 0 && self.hi >= 0 {
            return None;
        }
        let told = |q: &Rational, places: u32| {
            format!("{}{}", if *q < 0 { "-" } else { "" }, truncate_decimals(&q.clone().abs(), places))
        };
        let mut all = (0..=MOST_DECIMALS).rev().map(|k| (told(&self.lo, k), told(&self.hi, k)));
        all.find_map(|(lo, hi)| (lo == hi).then_some(lo))
    }
}

/// Rounds a number to the printed decimals, up or down, so that an interval still contains it.
fn round_decimal(q: &Rational, up: bool) -> String {
    let unit = Rational::from(10u64.pow(MOST_DECIMALS));
    let scaled = Rational::from(q * &unit);
    let rounded = if up { scaled.ceil() } else { scaled.floor() } / unit;
    decimal::print_exactly(&rounded).unwrap_or_else(|| rounded.to_string())
}

impl fmt::Display for IntervalEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_exact() {
            Some(q) => f.write_str(&format_rational(q)),
            None => match self.common_digits() {
                Some(digits) => write!(f, "{digits}…"),
                None => write!(f, "[{}, {}]", round_decimal(&self.lo, false), round_decimal(&self.hi, true)),
            },
        }
    }
}

impl fmt::Display for LineInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_point() {
            return write!(f, "{{{}}}", self.left);
        }
        let (open, close) = (if self.closed[0] { '[' } else { '(' }, if self.closed[1] { ']' } else { ')' });
        write!(f, "{open}{}, {}{close}", self.left, self.right)
    }
}

impl fmt::Display for IntervalUnion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stretch) in self.0.iter().enumerate() {
            write!(f, "{}{stretch}", if index == 0 { "" } else { " ∪ " })?;
        }
        Ok(())
    }
}
