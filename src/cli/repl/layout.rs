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
use crate::cli::value::text;
use crate::number::Accuracy;
use crate::number::width::Width;
use std::time::Duration;

/// The line that is printed for a value, asked so accurately; with the time it took, where that is wanted.
#[must_use]
pub fn line(value: &Value, to: &Accuracy, elapsed: Option<Duration>) -> String {
    let mut parts = vec![eval::shown(value, to)];
    if let Some(width) = widest(value, to) {
        parts.push(format!("width {width}"));
        parts.extend(digits(value, to));
    }
    parts.extend(elapsed.map(time));
    parts.join("  ")
}

/// The largest width of the numbers in a value, as printed.
fn widest(value: &Value, to: &Accuracy) -> Option<Width> {
    match value {
        Value::Real(number) => Some(eval::printed(number, to).width()),
        _ => value.parts().iter().filter_map(|part| widest(part, to)).max(),
    }
}

/// The digits of a value, where each number in it has some.
fn digits(value: &Value, to: &Accuracy) -> Option<String> {
    text(value, &|number| match number {
        Value::Real(number) if number.is_defined() => {
            let printed = eval::printed(number, to);
            certain(printed.lo(), printed.hi())
        }
        _ => None,
    })
}

/// The digits with which every number between two printed ends begins.
pub fn certain(lo: &str, hi: &str) -> Option<String> {
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
