//! The distance of an answer from the requested accuracy, number by number.

use crate::model::answer::{AnswerNumber, AnswerTruth};
use crate::number::real::RefinedEnclosure;
use crate::number::why::WidthReason;
use crate::number::{Accuracy, Enclosure};
use crate::value::Value;

/// The distance of a number from the requested accuracy, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccuracyClass {
    /// The number is certainly defined, and as accurate as requested.
    Reached,
    /// The number is certainly defined, and bounded on one side at least.
    Wide,
    /// No bound of the number is known, or it is not shown to be defined.
    NoBound,
}

impl AccuracyClass {
    /// Classifies an enclosure, by the endpoints that are printed.
    #[must_use]
    pub fn of_number(number: &Enclosure, to: &Accuracy) -> Self {
        if !number.is_defined() || number.is_bottom() {
            Self::NoBound
        } else if to.is_reached_by(number) {
            Self::Reached
        } else {
            Self::Wide
        }
    }

    /// Returns the worst class of the numbers and truth values in a value.
    #[must_use]
    pub fn of_value(value: &Value<AnswerNumber>, to: &Accuracy) -> Self {
        match value {
            Value::Real(AnswerNumber::Enclosure(found)) => Self::of_number(&found.enclosure, to),
            // A floating-point number is never certified: at best it is wide, however accurate it was asked for.
            Value::Real(AnswerNumber::Float { value, .. }) if value.is_nan() => Self::NoBound,
            Value::Real(AnswerNumber::Float { .. }) => Self::Wide,
            Value::Boolean(AnswerTruth::Undecided(_)) => Self::NoBound,
            _ => value.direct_parts().map(|part| Self::of_value(part, to)).max().unwrap_or(Self::Reached),
        }
    }
}

/// Returns `true` if all numbers in a value are shown to be defined, and all truth values decided.
#[must_use]
pub fn is_defined(value: &Value<AnswerNumber>) -> bool {
    match value {
        Value::Real(AnswerNumber::Enclosure(found)) => found.enclosure.is_defined(),
        Value::Real(AnswerNumber::Float { value, .. }) => !value.is_nan(),
        Value::Boolean(AnswerTruth::Undecided(_)) => false,
        _ => value.direct_parts().all(is_defined),
    }
}

/// Returns the number whose sign would decide the first undecided truth value. `None` if all are decided.
#[must_use]
pub fn undecided_number(value: &Value<AnswerNumber>) -> Option<&str> {
    match value {
        Value::Boolean(AnswerTruth::Undecided(number)) => Some(number),
        _ => value.direct_parts().find_map(undecided_number),
    }
}

/// Returns the largest estimated error of the floating-point numbers in a value. `None` if there are none.
#[must_use]
pub fn float_error(value: &Value<AnswerNumber>) -> Option<f64> {
    match value {
        Value::Real(AnswerNumber::Float { error, .. }) => Some(*error),
        _ => value.direct_parts().filter_map(float_error).reduce(f64::max),
    }
}

/// Lists the enclosures in a value, from left to right.
#[must_use]
pub fn list_enclosures(value: &Value<AnswerNumber>) -> Vec<&RefinedEnclosure> {
    fn enclosure(number: &AnswerNumber) -> Option<&RefinedEnclosure> {
        match number {
            AnswerNumber::Enclosure(found) => Some(found),
            AnswerNumber::Float { .. } => None,
        }
    }
    value.real_numbers().into_iter().filter_map(enclosure).collect()
}

/// Returns the reason why a number is wider than requested. `None` if it is not. `cut` is `true` if a limit ended the
/// work.
#[must_use]
pub fn reason_for_width(number: &RefinedEnclosure, cut: bool, to: &Accuracy) -> Option<WidthReason> {
    let other = || if cut { WidthReason::Time { pieces: None } } else { WidthReason::Unknown };
    (AccuracyClass::of_number(&number.enclosure, to) == AccuracyClass::Wide)
        .then(|| number.reason.clone().unwrap_or_else(other))
}
