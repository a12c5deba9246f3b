//! The distance of an answer from the requested accuracy, number by number.

use crate::model::answer::{Decision, Number};
use crate::number::real::Refined;
use crate::number::why::Why;
use crate::number::{Accuracy, Enclosure};
use crate::value::Value;

/// The distance of a number from the requested accuracy, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// The number is certainly defined, and as accurate as requested.
    Reached,
    /// The number is certainly defined, and bounded on one side at least.
    Wide,
    /// No bound of the number is known, or it is not shown to be defined.
    Nothing,
}

impl Reach {
    /// Classifies an enclosure, by the endpoints that are printed.
    #[must_use]
    pub fn of(number: &Enclosure, to: &Accuracy) -> Self {
        if !number.is_defined() || number.is_bottom() {
            Self::Nothing
        } else if to.admits(number) {
            Self::Reached
        } else {
            Self::Wide
        }
    }

    /// Returns the worst class of the numbers and truth values in a value.
    #[must_use]
    pub fn of_value(value: &Value<Number>, to: &Accuracy) -> Self {
        match value {
            Value::Real(Number::Enclosure(found)) => Self::of(&found.enclosure, to),
            // A floating-point number is never certified: at best it is wide, however accurate it was asked for.
            Value::Real(Number::Float { value, .. }) if value.is_nan() => Self::Nothing,
            Value::Real(Number::Float { .. }) => Self::Wide,
            Value::Boolean(Decision::Border(_)) => Self::Nothing,
            _ => value.parts().map(|part| Self::of_value(part, to)).max().unwrap_or(Self::Reached),
        }
    }
}

/// Returns `true` if all numbers in a value are shown to be defined, and all truth values decided.
#[must_use]
pub fn is_defined(value: &Value<Number>) -> bool {
    match value {
        Value::Real(Number::Enclosure(found)) => found.enclosure.is_defined(),
        Value::Real(Number::Float { value, .. }) => !value.is_nan(),
        Value::Boolean(Decision::Border(_)) => false,
        _ => value.parts().all(is_defined),
    }
}

/// Returns the number whose sign would decide the first undecided truth value. `None` if all are decided.
#[must_use]
pub fn border(value: &Value<Number>) -> Option<&str> {
    match value {
        Value::Boolean(Decision::Border(number)) => Some(number),
        _ => value.parts().find_map(border),
    }
}

/// Returns the largest estimated error of the floating-point numbers in a value. `None` if there are none.
#[must_use]
pub fn float_error(value: &Value<Number>) -> Option<f64> {
    match value {
        Value::Real(Number::Float { error, .. }) => Some(*error),
        _ => value.parts().filter_map(float_error).reduce(f64::max),
    }
}

/// Lists the enclosures in a value, from left to right.
#[must_use]
pub fn enclosures(value: &Value<Number>) -> Vec<&Refined> {
    fn enclosure(number: &Number) -> Option<&Refined> {
        match number {
            Number::Enclosure(found) => Some(found),
            Number::Float { .. } => None,
        }
    }
    value.numbers().into_iter().filter_map(enclosure).collect()
}

/// Returns the reason why a number is wider than requested. `None` if it is not. `cut` is `true` if a limit ended the
/// work.
#[must_use]
pub fn why(number: &Refined, cut: bool, to: &Accuracy) -> Option<Why> {
    let other = || if cut { Why::Time { pieces: None } } else { Why::Unknown };
    (Reach::of(&number.enclosure, to) == Reach::Wide).then(|| number.why.clone().unwrap_or_else(other))
}
