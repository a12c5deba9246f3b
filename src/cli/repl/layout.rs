//! The layout of an answer at the prompt: one line with an enclosure, its width, and the digits that are certain.
//!
//! ```text
//! [1.41413, 1.41422]  width 9e-5  1.414…
//! ```
//! | part | meaning |
//! |---|---|
//! | `[lo, hi]` | the number lies between these ends, which are rounded outward |
//! | `width` | `hi - lo` as printed, rounded up to two digits; of a tuple, the largest |
//! | `width … of it` | the width relative to the number, if only that reaches the requested accuracy |
//! | digits | the digits on which both ends agree, and so every number between them; absent without any, or without room |
//!
//! Digits that end in `…` go on, others are the whole number. A value that is not known to be defined has none.

use crate::cli::demo::time;
use crate::cli::eval;
use crate::cli::value::Value;
use crate::cli::value::text;
use crate::number::Accuracy;
use crate::number::width::Width;
use std::time::Duration;

/// Formats an answer on one line, to the accuracy `to`; with its time if `elapsed` is given.
#[must_use]
pub fn line(value: &Value, to: &Accuracy, elapsed: Option<Duration>) -> String {
    let mut parts = vec![eval::shown(value, to)];
    let width = match relative(value, to) {
        Some(part) => Some(format!("width {part} of it")),
        None => widest(value, to).map(|width| format!("width {width}")),
    };
    let certain = width.as_ref().and_then(|_| digits(value, to));
    parts.extend(width);
    let elapsed = elapsed.map(time);
    let letters: usize =
        parts.iter().chain(&certain).chain(&elapsed).map(|part| part.chars().count() + GAP.len()).sum();
    // The digits repeat what the enclosure tells, so they give way first.
    parts.extend(certain.filter(|_| letters <= ROOM + GAP.len()));
    parts.extend(elapsed);
    parts.join(GAP)
}

/// The number of letters of a line. A choice: the width of the usual terminal.
const ROOM: usize = 80;
/// The gap between the parts of a line.
const GAP: &str = "  ";

/// Returns the largest relative width of the numbers in a value that are wider than `eps`, but accurate enough by their
/// size. `None` if there is no such number.
fn relative(value: &Value, to: &Accuracy) -> Option<Width> {
    match value {
        Value::Real(number) => {
            let eps = to.eps()?;
            let printed = eval::printed(number, to);
            let is_by_size = to.admits(number) && !printed.width().is_at_most(eps);
            is_by_size.then(|| Width::as_part(printed.lo(), printed.hi())).flatten()
        }
        _ => value.parts().iter().filter_map(|part| relative(part, to)).max(),
    }
}

/// Returns the largest width of the numbers in a value, as printed. `None` if the value has no number.
fn widest(value: &Value, to: &Accuracy) -> Option<Width> {
    match value {
        Value::Real(number) => Some(eval::printed(number, to).width()),
        _ => value.parts().iter().filter_map(|part| widest(part, to)).max(),
    }
}

/// Returns the certain digits of a value. `None` if a number in it has none.
fn digits(value: &Value, to: &Accuracy) -> Option<String> {
    text(value, &|number| match number {
        Value::Real(number) if number.is_defined() => {
            let printed = eval::printed(number, to);
            printed.digits()
        }
        _ => None,
    })
}
