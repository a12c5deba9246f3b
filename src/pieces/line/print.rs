//! Places, stretches and regions, for a person to read.

use super::{End, Region, Stretch};
use crate::number::{Rational, decimal};
use std::fmt;

/// How many decimals of a place are told.
const MOST_DECIMALS: u32 = 12;

impl End {
    /// The digits that all numbers between the two have.
    fn digits(&self) -> Option<String> {
        if self.lo < 0 && self.hi >= 0 {
            return None;
        }
        let told = |q: &Rational, decimals: u32| {
            let unit = Rational::from(10u64.pow(decimals));
            let digits = Rational::from(q * &unit).abs().trunc().into_numer_denom().0.to_string();
            let digits = format!("{digits:0>width$}", width = decimals as usize + 1);
            let (whole, rest) = digits.split_at(digits.len() - decimals as usize);
            let sign = if *q < 0 { "-" } else { "" };
            format!("{sign}{whole}{}{rest}", if decimals == 0 { "" } else { "." })
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
            Some(q) => q.fmt(f),
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
