//! Places, stretches and regions, for a person to read.

use super::{End, Region, Stretch};
use crate::number::{Rational, decimal};
use std::fmt;

/// How many decimals of a place are told, and how many digits of one that is very near 0.
const MOST_DECIMALS: u32 = 12;
/// How long a fraction is that is written as one.
const SHORT: usize = 12;
/// How many digits a whole number has that is written out.
const LONGEST: usize = 21;

/// An exact number, for a person to read: as a fraction where that is short, and else its first digits, with dots behind them.
#[must_use]
pub fn told(q: &Rational) -> String {
    let exact = q.to_string();
    if exact.len() <= if q.is_integer() { LONGEST } else { SHORT } {
        return exact;
    }
    let (sign, size) = (if *q < 0 { "-" } else { "" }, q.clone().abs());
    let power = exponent(&size);
    if (-4..=LONGEST as i64).contains(&power) {
        return format!("{sign}{}…", decimals(&size, MOST_DECIMALS));
    }
    let scaled = if power < 0 { size * ten_to(power) } else { size / ten_to(power) };
    format!("{sign}{}…e{power}", decimals(&scaled, MOST_DECIMALS - 1))
}

/// The power of ten up to which a positive number reaches.
fn exponent(q: &Rational) -> i64 {
    let guess = q.numer().to_string().len() as i64 - q.denom().to_string().len() as i64;
    let reaches = |power: i64| {
        let unit = ten_to(power);
        if power < 0 { q * unit >= 1 } else { *q >= unit }
    };
    if reaches(guess) { guess } else { guess - 1 }
}

/// 10 to a power, without its sign.
fn ten_to(power: i64) -> Rational {
    (0..power.unsigned_abs()).fold(Rational::from(1), |product, _| product * 10u32)
}

/// A number that is not negative with so many decimals, cut off.
fn decimals(q: &Rational, decimals: u32) -> String {
    let unit = Rational::from(10u64.pow(decimals));
    let digits = Rational::from(q * &unit).trunc().into_numer_denom().0.to_string();
    let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals as usize);
    format!("{whole}{}{rest}", if decimals == 0 { "" } else { "." })
}

impl End {
    /// The digits that all numbers between the two have.
    fn digits(&self) -> Option<String> {
        if self.lo < 0 && self.hi >= 0 {
            return None;
        }
        let told = |q: &Rational, places: u32| {
            format!("{}{}", if *q < 0 { "-" } else { "" }, decimals(&q.clone().abs(), places))
        };
        let mut all = (0..=MOST_DECIMALS).rev().map(|k| (told(&self.lo, k), told(&self.hi, k)));
        all.find_map(|(lo, hi)| (lo == hi).then_some(lo))
    }
}

/// A number to so many decimals, rounded down or up.
fn decimal(q: &Rational, up: bool) -> String {
    let unit = Rational::from(10u64.pow(MOST_DECIMALS));
    let scaled = Rational::from(q * &unit);
    let rounded = if up { scaled.ceil() } else { scaled.floor() } / unit;
    decimal::exact(&rounded).unwrap_or_else(|| rounded.to_string())
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_exact() {
            Some(q) => f.write_str(&told(q)),
            None => match self.digits() {
                Some(digits) => write!(f, "{digits}…"),
                None => write!(f, "[{}, {}]", decimal(&self.lo, false), decimal(&self.hi, true)),
            },
        }
    }
}

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_point() {
            return write!(f, "{{{}}}", self.left);
        }
        let (open, close) = (if self.closed[0] { '[' } else { '(' }, if self.closed[1] { ']' } else { ')' });
        write!(f, "{open}{}, {}{close}", self.left, self.right)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stretch) in self.0.iter().enumerate() {
            write!(f, "{}{stretch}", if index == 0 { "" } else { " ∪ " })?;
        }
        Ok(())
    }
}
