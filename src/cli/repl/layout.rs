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

use crate::cli::demo::format_duration;
use crate::cli::eval;
use crate::cli::value::PrintableValue;
use crate::cli::value::format_with;
use crate::number::Accuracy;
use crate::number::width::DecimalWidth;
use std::time::Duration;

/// Formats an answer on one line, to the accuracy `to`; with its time if `elapsed` is given.
#[must_use]
pub fn format_answer(value: &PrintableValue, to: &Accuracy, elapsed: Option<Duration>) -> String {
    let mut parts = vec![eval::format_value(value, to)];
    let width = match widest_relative(value, to) {
        Some(part) => Some(format!("width {part} of it")),
        None => widest_absolute(value, to).map(|width| format!("width {width}")),
    };
    let certain = width.as_ref().and_then(|_| certain_digits(value, to));
    parts.extend(width);
    let elapsed = elapsed.map(format_duration);
    let letters: usize =
        parts.iter().chain(&certain).chain(&elapsed).map(|part| part.chars().count() + GAP.len()).sum();
    // The digits repeat what the enclosure tells, so they give way first.
    parts.extend(certain.filter(|_| letters <= LINE_LETTERS + GAP.len()));
    parts.extend(elapsed);
    parts.join(GAP)
}

/// The number of letters of a line. A choice: the width of the usual terminal.
const LINE_LETTERS: usize = 80;
/// The gap between the parts of a line.
const GAP: &str = "  ";

/// Returns the largest relative width of the numbers in a value that are wider than `eps`, but accurate enough by their
/// size. `None` if there is no such number.
fn widest_relative(value: &PrintableValue, to: &Accuracy) -> Option<DecimalWidth> {
    match value {
        PrintableValue::Real(number) => {
            let eps = to.eps()?;
            let printed = eval::round_to_decimals(number, to);
            let is_by_size = to.is_reached_by(number) && !printed.width().is_at_most(eps);
            is_by_size.then(|| DecimalWidth::relative_width(printed.lo(), printed.hi())).flatten()
        }
        _ => value.parts().iter().filter_map(|part| widest_relative(part, to)).max(),
    }
}

/// Returns the largest width of the numbers in a value, as printed. `None` if the value has no number.
fn widest_absolute(value: &PrintableValue, to: &Accuracy) -> Option<DecimalWidth> {
    match value {
        PrintableValue::Real(number) => Some(eval::round_to_decimals(number, to).width()),
        _ => value.parts().iter().filter_map(|part| widest_absolute(part, to)).max(),
    }
}

/// Returns the certain digits of a value. `None` if a number in it has none.
fn certain_digits(value: &PrintableValue, to: &Accuracy) -> Option<String> {
    format_with(value, &|number| match number {
        PrintableValue::Real(number) if number.is_defined() => {
            let printed = eval::round_to_decimals(number, to);
            printed.certain_digits()
        }
        _ => None,
    })
}
