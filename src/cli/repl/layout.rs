//! How the prompt shows an answer: on one line, an enclosure, its width, and the digits that are certain.
//!
//! ```text
//! [1.41413, 1.41422]  width 9e-5  1.414…
//! ```
//! | part | meaning |
//! |---|---|
//! | `[lo, hi]` | the number lies between these ends, which are rounded outward |
//! | `width` | `hi - lo` as printed, rounded up to two digits; of a tuple, the largest |
//! | digits | those on which both ends agree, and so every number between them; left out where there are none |
//!
//! Digits that end in `…` go on, others are the whole number. A value that is not known to be defined has none.

use crate::cli::ask::Value;
use crate::cli::demo::time;
use crate::cli::eval;
use crate::number::{Rational, decimal};
use std::time::Duration;

/// The line that is printed for a value, asked to `eps`; with the time it took, where that is wanted.
#[must_use]
pub fn line(value: &Value, eps: &Rational, elapsed: Option<Duration>) -> String {
    let mut parts = vec![eval::shown(value, eps)];
    if let Some(width) = widest(value, eps) {
        parts.push(format!("width {}", width.map_or_else(|| "inf".to_owned(), |width| rounded_up(&width))));
    }
    parts.extend(digits(value, eps));
    parts.extend(elapsed.map(time));
    parts.join("  ")
}

/// The largest width of the numbers in a value, as printed: `None` where there are none, `Some(None)` for infinity.
fn widest(value: &Value, eps: &Rational) -> Option<Option<Rational>> {
    match value {
        Value::Real(number) => Some(number.decimals(eps).width()),
        Value::Float { .. } | Value::Word(_) => None,
        Value::Tuple(parts) | Value::List(parts) => {
            let widths: Option<Vec<Rational>> = parts.iter().filter_map(|part| widest(part, eps)).collect();
            match widths {
                Some(widths) => widths.into_iter().max().map(Some),
                None => Some(None),
            }
        }
    }
}

/// The digits of a value; of a tuple, where each number in it has some.
fn digits(value: &Value, eps: &Rational) -> Option<String> {
    match value {
        Value::Real(number) if number.is_defined() => {
            let printed = number.decimals(eps);
            certain(printed.lo(), printed.hi())
        }
        Value::Real(_) | Value::Float { .. } | Value::Word(_) => None,
        Value::Tuple(parts) => {
            let all: Option<Vec<String>> = parts.iter().map(|part| digits(part, eps)).collect();
            all.map(|all| format!("({})", all.join(", ")))
        }
        Value::List(parts) => {
            let all: Option<Vec<String>> = parts.iter().map(|part| digits(part, eps)).collect();
            all.map(|all| format!("[{}]", all.join(", ")))
        }
    }
}

/// The digits with which every number between two printed ends begins.
fn certain(lo: &str, hi: &str) -> Option<String> {
    if lo.ends_with("inf") || hi.ends_with("inf") {
        return None;
    }
    if lo == hi {
        return Some(lo.to_owned());
    }
    let sign = if lo.starts_with('-') { "-" } else { "" };
    if lo.starts_with('-') != hi.starts_with('-') {
        return None;
    }
    let scientific = |text: &str| match text.trim_start_matches('-').split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), Some(exponent.to_owned())),
        None => (text.trim_start_matches('-').to_owned(), None),
    };
    let ((lo, exponent), (hi, other)) = (scientific(lo), scientific(hi));
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
        let zeros = std::iter::repeat('0');
        let longest = rest.len().max(other_rest.len());
        let common: String = (rest.chars().chain(zeros.clone()))
            .zip(other_rest.chars().chain(zeros))
            .take(longest)
            .take_while(|(left, right)| left == right)
            .map(|(digit, _)| digit)
            .collect();
        return match common.as_str() {
            "" if whole == "0" => None,
            "" => Some(format!("{sign}{whole}…{}", tail(exponent))),
            common => Some(format!("{sign}{whole}.{common}…{}", tail(exponent))),
        };
    }
    if exponent.is_some() || whole.len() != other_whole.len() {
        return None;
    }
    let common: String = whole
        .chars()
        .zip(other_whole.chars())
        .take_while(|(left, right)| left == right)
        .map(|(digit, _)| digit)
        .collect();
    let top = whole.len() - 1;
    match common.split_at_checked(1)? {
        (first, "") => Some(format!("{sign}{first}…e{top}")),
        (first, rest) => Some(format!("{sign}{first}.{rest}…e{top}")),
    }
}

/// A width, rounded up to two significant digits.
pub(crate) fn rounded_up(width: &Rational) -> String {
    if *width <= 0 {
        return "0".to_owned();
    }
    // The exponent of the first digit, from the lengths of numerator and denominator give or take one.
    let length = |text: String| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let mut exponent = length(width.numer().to_string()) - length(width.denom().to_string()) - 1;
    let digits = loop {
        let Ok(scale) = decimal::parse(&format!("1e{}", 1 - exponent)) else {
            return format!("1e{}", exponent + 2);
        };
        let digits = (width * scale).ceil();
        if digits <= 99 {
            break digits.numer().to_u32().unwrap_or(99);
        }
        exponent += 1;
    };
    // Between 1 and 99, of which the first digit has this exponent.
    let (tens, ones) = (digits / 10, digits % 10);
    match (tens, ones, exponent) {
        (0, ones, exponent) => plain(ones, 0, exponent - 1),
        (tens, ones, exponent) => plain(tens, ones, exponent),
    }
}

/// `first.second · 10^exponent`
fn plain(first: u32, second: u32, exponent: i64) -> String {
    match (exponent, second) {
        (-2 | -1, 0) => format!("0.{}{first}", "0".repeat((-exponent - 1) as usize)),
        (-2 | -1, _) => format!("0.{}{first}{second}", "0".repeat((-exponent - 1) as usize)),
        (0, 0) => format!("{first}"),
        (0, _) => format!("{first}.{second}"),
        (1..=5, _) => format!("{first}{second}{}", "0".repeat((exponent - 1) as usize)),
        (_, 0) => format!("{first}e{exponent}"),
        (_, _) => format!("{first}.{second}e{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_are_those_on_which_both_ends_agree() {
        for (lo, hi, digits) in [
            ("1.41413", "1.41422", "1.414…"),
            ("0.5", "0.5", "0.5"),
            ("-0.44722", "-0.44721", "-0.4472…"),
            ("0", "0.000001", "0.00000…"),
            ("0.001", "0.0019", "0.001…"),
            ("1.2", "1.25", "1.2…"),
            ("10.2", "10.9", "10…"),
            ("12345.6", "12399.1", "1.23…e4"),
            ("300", "399", "3…e2"),
            ("1.234e25", "1.239e25", "1.23…e25"),
            ("0.99999", "1.00001", ""),
            ("99", "100", ""),
            ("-0.1", "0.1", ""),
            ("0.1", "0.2", ""),
            ("0", "1", ""),
            ("1e21", "1e22", ""),
            ("1", "inf", ""),
            ("-inf", "inf", ""),
        ] {
            assert_eq!(certain(lo, hi).unwrap_or_default(), digits, "{lo} {hi}");
        }
    }

    #[test]
    fn a_width_is_rounded_up() {
        for (width, shown) in [
            ("0", "0"),
            ("0.00009", "9e-5"),
            ("0.0000901", "9.1e-5"),
            ("0.00000001", "1e-8"),
            ("1", "1"),
            ("1.0000001", "1.1"),
            ("0.99999", "1"),
            ("0.04", "0.04"),
            ("0.123", "0.13"),
            ("42", "42"),
            ("421", "430"),
            ("996", "1000"),
            ("1e7", "1e7"),
            ("123e-5002", "1.3e-5000"),
        ] {
            assert_eq!(rounded_up(&decimal::parse(width).unwrap()), shown, "{width}");
        }
        assert_eq!(rounded_up(&(Rational::from(1) / 3)), "0.34");
    }
}
