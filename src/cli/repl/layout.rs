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
            printed.digits()
        }
        _ => None,
    })
}
