//! How the prompt shows an answer: on one line, an enclosure, its width, and the digits that are certain.
//!
//! ```text
//! [1.41413, 1.41422]  width 9e-5  1.414…
//! ```
//! | part | meaning |
//! |---|---|
//! | `[lo, hi]` | the number lies between these ends, which are rounded outward |
//! | `width` | `hi - lo` as printed, rounded up to two digits; of a tuple, the largest |
//! | `width … of it` | the same as a part of the number, where that is what makes it accurate enough |
//! | digits | those on which both ends agree, and so every number between them; left out where there are none, or no room |
//!
//! Digits that end in `…` go on, others are the whole number. A value that is not known to be defined has none.

use crate::cli::demo::time;
use crate::cli::eval;
use crate::cli::value::Value;
use crate::cli::value::text;
use crate::number::Accuracy;
use crate::number::width::Width;
use std::time::Duration;

/// The line that is printed for a value, asked so accurately; with the time it took, where that is wanted.
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
    parts.extend(certain.filter(|_| letters <= ROOM + GAP.len()));
    parts.extend(elapsed);
    parts.join(GAP)
}

/// How many letters a line has room for.
const ROOM: usize = 80;
/// What stands between the parts of a line.
const GAP: &str = "  ";

/// The largest width of the numbers in a value, each as a part of it, where one of them is wider than was asked, and is accurate enough
/// by its size.
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
