//! `--eps` and `--timeout`: how wide an answer may be, and how long one question may take.

use crate::number::{Rational, decimal};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The largest power of ten in a tolerance.
const EXPONENT_LIMIT: u64 = 100_000;

/// What is wrong with a tolerance or a timeout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToleranceError {
    /// No number at all.
    #[error("expected a positive number, such as 1e-6, 0.001 or 1/3")]
    NotANumber,
    /// Zero or less: no computation ends with an interval of no width, save by luck.
    #[error("the tolerance must be greater than 0")]
    NotPositive,
    /// An exponent that would fill the memory.
    #[error("the exponent must lie between -{EXPONENT_LIMIT} and {EXPONENT_LIMIT}")]
    Exponent,
    /// A time that is not a positive number of seconds.
    #[error("expected a number of seconds greater than 0, such as 60 or 0.5")]
    Seconds,
}

/// How wide an answer may be: an exact positive rational, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    text: String,
    value: Rational,
}

impl Tolerance {
    /// The number itself.
    #[must_use]
    pub fn value(&self) -> &Rational {
        &self.value
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Tolerance {
    type Err = ToleranceError;

    /// A decimal, with an exponent or not, or a quotient of two.
    fn from_str(text: &str) -> Result<Self, ToleranceError> {
        let value = match text.split_once('/') {
            Some((numerator, denominator)) => {
                let denominator = number(denominator)?;
                if denominator == 0 {
                    return Err(ToleranceError::NotANumber);
                }
                number(numerator)? / denominator
            }
            None => number(text)?,
        };
        if value <= 0 {
            return Err(ToleranceError::NotPositive);
        }
        Ok(Tolerance { text: text.to_owned(), value })
    }
}

fn number(text: &str) -> Result<Rational, ToleranceError> {
    if let Some((_, exponent)) = text.split_once(['e', 'E']) {
        let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
        let too_large = digits.len() > 6 || digits.parse::<u64>().is_ok_and(|e| e > EXPONENT_LIMIT);
        if too_large && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ToleranceError::Exponent);
        }
    }
    decimal::parse(text).map_err(|_| ToleranceError::NotANumber)
}

/// How long one question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl Default for Timeout {
    /// A minute.
    fn default() -> Self {
        Timeout(Duration::from_secs(60))
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs_f64())
    }
}

impl FromStr for Timeout {
    type Err = ToleranceError;

    fn from_str(text: &str) -> Result<Self, ToleranceError> {
        let seconds: f64 = text.parse().map_err(|_| ToleranceError::Seconds)?;
        let duration = Duration::try_from_secs_f64(seconds).map_err(|_| ToleranceError::Seconds)?;
        if duration.is_zero() {
            return Err(ToleranceError::Seconds);
        }
        Ok(Timeout(duration))
    }
}
