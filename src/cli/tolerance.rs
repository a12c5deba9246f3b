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

#[cfg(test)]
mod tests {
    use super::ToleranceError::*;
    use super::*;

    fn value(text: &str) -> Result<String, ToleranceError> {
        text.parse::<Tolerance>().map(|eps| eps.value().to_string())
    }

    #[test]
    fn a_tolerance_is_read_exactly() {
        for (text, exact) in [
            ("1e-6", "1/1000000"),
            ("0.1", "1/10"),
            (".5", "1/2"),
            ("2", "2"),
            ("1/3", "1/3"),
            ("1e-3/4", "1/4000"),
            ("+2.50e1", "25"),
            ("1E-2", "1/100"),
        ] {
            assert_eq!(value(text).as_deref(), Ok(exact), "{text}");
        }
        assert_eq!("1e-3".parse::<Tolerance>().unwrap().to_string(), "1e-3");
    }

    #[test]
    fn a_very_small_tolerance_is_allowed() {
        let eps: Tolerance = "1e-5000".parse().unwrap();
        assert_eq!(eps.value().clone().recip().to_string().len(), 5001);
        assert_eq!(value("1e-100000").map(|digits| digits.len()), Ok(100_003));
        assert_eq!(value("1e000000000005").as_deref(), Ok("100000"));
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        for text in ["0", "0.000", "-1e-3", "-1", "0e5", "0/3", "1/-3"] {
            assert_eq!(value(text), Err(NotPositive), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "", " ", "x", "1e", "1e-", "e-6", "1..2", "1e1.5", "nan", "inf", "-inf", "1/0", "1/", "1/2/3", "1e-6 ",
            "0x1", "1_000", "١", "1e--6",
        ] {
            assert_eq!(value(text), Err(NotANumber), "{text}");
        }
    }

    #[test]
    fn a_huge_exponent_is_refused_before_it_is_computed() {
        for text in ["1e-100001", "1e100001", "1e999999999", "1e-99999999999999999999", "1/1e1000000"] {
            assert_eq!(value(text), Err(Exponent), "{text}");
        }
    }

    #[test]
    fn a_timeout_is_a_positive_number_of_seconds() {
        assert_eq!("0.5".parse::<Timeout>(), Ok(Timeout(Duration::from_millis(500))));
        assert_eq!(Timeout::default().to_string(), "60");
        for text in ["0", "-1", "", "x", "nan", "inf", "1e300", "1e-30"] {
            assert_eq!(text.parse::<Timeout>(), Err(Seconds), "{text}");
        }
    }
}
