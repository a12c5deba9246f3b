//! How far an answer is from what was asked: value by value.

use crate::model::answer::{Decision, Number};
use crate::number::real::Refined;
use crate::number::why::Why;
use crate::number::{Accuracy, Enclosure};
use crate::value::Value;

/// How far a number is from what was asked, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// It is certainly defined, and as accurate as asked.
    Reached,
    /// It is certainly defined and bounded on one side at least.
    Wide,
    /// Nothing is known of it, or it is not shown to be defined.
    Nothing,
}

impl Reach {
    /// Returns that of an enclosure, judged by the ends that are printed.
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

    /// Returns the worst of the numbers and truth values in a value.
    #[must_use]
    pub fn of_value(value: &Value<Number>, to: &Accuracy) -> Self {
        match value {
            Value::Real(Number::Enclosure(found)) => Self::of(&found.enclosure, to),
            Value::Real(Number::Float { value, .. }) if value.is_nan() => Self::Nothing,
            Value::Real(Number::Float { .. }) => Self::Wide,
            Value::Boolean(Decision::Border(_)) => Self::Nothing,
            _ => value.parts().map(|part| Self::of_value(part, to)).max().unwrap_or(Self::Reached),
        }
    }
}

/// Returns whether all numbers in a value are shown to be defined, and all truth values decided.
#[must_use]
pub fn is_defined(value: &Value<Number>) -> bool {
    match value {
        Value::Real(Number::Enclosure(found)) => found.enclosure.is_defined(),
        Value::Real(Number::Float { value, .. }) => !value.is_nan(),
        Value::Boolean(Decision::Border(_)) => false,
        _ => value.parts().all(is_defined),
    }
}

/// Returns the number at whose sign a truth value in a value is not decided; `None` if all are decided.
#[must_use]
pub fn border(value: &Value<Number>) -> Option<&str> {
    match value {
        Value::Boolean(Decision::Border(number)) => Some(number),
        _ => value.parts().find_map(border),
    }
}

/// Returns the largest estimated error of the floating-point numbers in a value; `None` if there are none.
#[must_use]
pub fn float_error(value: &Value<Number>) -> Option<f64> {
    match value {
        Value::Real(Number::Float { error, .. }) => Some(*error),
        _ => value.parts().filter_map(float_error).reduce(f64::max),
    }
}

/// The enclosures in a value, from left to right.
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

/// Returns why a number is wider than was asked; `None` if it is not. `cut` says whether the limits ended the work.
#[must_use]
pub fn why(number: &Refined, cut: bool, to: &Accuracy) -> Option<Why> {
    let other = || if cut { Why::Time { pieces: None } } else { Why::Unknown };
    (Reach::of(&number.enclosure, to) == Reach::Wide).then(|| number.why.clone().unwrap_or_else(other))
}
