//! Requested accuracies, as the user writes them: `eps`, `rel` and `digits`; and the limit of time of a question.
//!
//! # The distance of an answer from the requested accuracy
//!
//! The distance of an answer from the requested accuracy, number by number.

use super::limits::Limits;
use crate::model::answer::{AnswerNumber, AnswerTruth};
use crate::number::accuracy::relative_width;
use crate::number::decimal::DecimalWidth;
use crate::number::real::{RefinedEnclosure, WidthReason};
use crate::number::{Accuracy, Enclosure, Rational, decimal};
use crate::value::Value;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The largest power of ten in a tolerance. A choice: a rational of 10⁵ digits is still cheap to hold.
const EXPONENT_LIMIT: u64 = 100_000;

/// An error in a tolerance or a timeout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToleranceError {
    /// The text is not a number.
    #[error("expected a positive number, such as 1e-6, 0.001 or 1/3")]
    NotANumber,
    /// The tolerance is 0 or less. A computation reaches an interval of width 0 only by chance.
    #[error("the tolerance must be greater than 0")]
    NotPositive,
    /// The exponent is so large that the rational would fill the memory.
    #[error("the exponent must lie between -{EXPONENT_LIMIT} and {EXPONENT_LIMIT}")]
    Exponent,
    /// The number of digits is 0 or too large.
    #[error("expected a number of significant digits from 1 to {EXPONENT_LIMIT}, such as 12")]
    Digits,
    /// The time is not a positive number of seconds.
    #[error("expected a number of seconds greater than 0, and less than 1e19, such as 60 or 0.5")]
    Seconds,
}

/// A tolerance: an exact positive rational, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    text: String,
    value: Rational,
}

impl Tolerance {
    /// Creates a tolerance, with the number as its text.
    ///
    /// # Errors
    /// [`ToleranceError::NotPositive`]
    pub fn new(value: Rational) -> Result<Self, ToleranceError> {
        if value <= 0 {
            return Err(ToleranceError::NotPositive);
        }
        Ok(Self { text: decimal::print_exactly(&value).unwrap_or_else(|| value.to_string()), value })
    }

    /// Replaces the text in messages, for example by the shortest decimal of a double.
    #[must_use]
    pub fn written_as(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// Returns the number.
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

    /// Parses a decimal, with an exponent or not, or a quotient of two.
    fn from_str(text: &str) -> Result<Self, ToleranceError> {
        let value = parse_quotient(text)?;
        if value <= 0 {
            return Err(ToleranceError::NotPositive);
        }
        Ok(Tolerance { text: text.to_owned(), value })
    }
}

/// A value that can be given as a tolerance: a text such as `"1e-9"`, a rational number, or a double, which stands for
/// its shortest decimal.
pub trait IntoTolerance {
    /// Converts the value.
    ///
    /// # Errors
    /// [`ToleranceError`]
    fn into_tolerance(self) -> Result<Tolerance, ToleranceError>;
}

impl IntoTolerance for Tolerance {
    fn into_tolerance(self) -> Result<Tolerance, ToleranceError> {
        Ok(self)
    }
}

impl IntoTolerance for &str {
    fn into_tolerance(self) -> Result<Tolerance, ToleranceError> {
        self.parse()
    }
}

impl IntoTolerance for Rational {
    fn into_tolerance(self) -> Result<Tolerance, ToleranceError> {
        Tolerance::new(self)
    }
}

impl IntoTolerance for f64 {
    fn into_tolerance(self) -> Result<Tolerance, ToleranceError> {
        // Rust prints the shortest decimal that reads back as this double: 1e-9 is 10⁻⁹, not its binary neighbour.
        format!("{self:e}").parse()
    }
}

/// Parses a decimal, or a quotient of two.
fn parse_quotient(text: &str) -> Result<Rational, ToleranceError> {
    let Some((numerator, denominator)) = text.split_once('/') else { return parse_decimal(text) };
    let denominator = parse_decimal(denominator)?;
    if denominator == 0 {
        return Err(ToleranceError::NotANumber);
    }
    Ok(parse_decimal(numerator)? / denominator)
}

/// Parses a number exactly: a decimal, with an exponent or not, or a quotient of two.
///
/// # Errors
/// A message that says what was expected.
pub(crate) fn parse_exact(text: &str) -> Result<Rational, String> {
    parse_quotient(text).map_err(|error| match error {
        ToleranceError::NotANumber => {
            format!("`{text}` is not a number: expected a decimal or a fraction, such as -2.5, 1e-3 or 1/3")
        }
        other => other.to_string(),
    })
}

fn parse_decimal(text: &str) -> Result<Rational, ToleranceError> {
    // Checked before the number is built: `1e999999999` would allocate its digits first.
    if let Some((_, exponent)) = text.split_once(['e', 'E']) {
        let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
        let too_large = digits.len() > 6 || digits.parse::<u64>().is_ok_and(|e| e > EXPONENT_LIMIT);
        if too_large && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ToleranceError::Exponent);
        }
    }
    decimal::parse(text).map_err(|_| ToleranceError::NotANumber)
}

/// A number of significant digits, from 1 to `EXPONENT_LIMIT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(u32);

impl Digits {
    /// Creates a number of digits.
    ///
    /// # Errors
    /// [`ToleranceError::Digits`]
    pub fn new(count: u32) -> Result<Self, ToleranceError> {
        if (1..=EXPONENT_LIMIT).contains(&u64::from(count)) { Ok(Self(count)) } else { Err(ToleranceError::Digits) }
    }
}

impl Digits {
    /// Returns the number of digits.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0
    }
}

impl FromStr for Digits {
    type Err = ToleranceError;

    fn from_str(text: &str) -> Result<Self, ToleranceError> {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let digits = text.parse().ok().filter(|n| is_number && (1..=EXPONENT_LIMIT).contains(&u64::from(*n)));
        digits.map(Digits).ok_or(ToleranceError::Digits)
    }
}

/// A requested accuracy, as the user writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccuracyGoal {
    /// The greatest width of an interval.
    pub eps: Option<Tolerance>,
    /// The greatest width relative to the number. If `eps` is given too, one of both is enough.
    pub rel: Option<Tolerance>,
    /// The number of certain significant digits; n digits are a relative width of 10⁻ⁿ.
    pub of_digits: Option<Digits>,
    /// The number of significant digits that is enough besides `eps`, in a default goal only.
    pub default_digits: Option<u32>,
}

/// The power of ten of the default width. A choice: enough to read; more decimals take longer.
pub const DEFAULT_WIDTH_EXPONENT: i32 = -6;

/// The number of significant digits that is enough by default. A choice: for large numbers a width of 10⁻⁶ would ask
/// for more.
pub const DEFAULT_DIGITS: u32 = 16;

impl AccuracyGoal {
    /// Requests a width.
    #[must_use]
    pub fn of_absolute_width(eps: Tolerance) -> Self {
        Self { eps: Some(eps), ..Self::default() }
    }

    /// Returns this goal; or a relative width of 10 to `power`, if nothing is requested.
    #[must_use]
    pub fn or_relative_power(&self, power: i32) -> Self {
        match (self, self.or_default(power).eps) {
            (Self { eps: None, rel: None, of_digits: None, .. }, Some(part)) => Self::of_relative_width(part),
            (goal, _) => goal.clone(),
        }
    }

    /// Requests a width relative to the number.
    #[must_use]
    pub fn of_relative_width(rel: Tolerance) -> Self {
        Self { rel: Some(rel), ..Self::default() }
    }

    /// Requests significant digits.
    #[must_use]
    pub fn of_digits(digits: Digits) -> Self {
        Self { of_digits: Some(digits), ..Self::default() }
    }

    /// Returns this goal; or a width of 10 to `power`, or [`DEFAULT_DIGITS`] digits, if nothing is requested.
    #[must_use]
    pub fn or_default(&self, power: i32) -> Self {
        match self {
            Self { eps: None, rel: None, of_digits: None, .. } => {
                let value = if power < 0 {
                    Rational::from((1, 10u64.pow(power.unsigned_abs())))
                } else {
                    10u64.pow(power as u32).into()
                };
                Self {
                    default_digits: Some(DEFAULT_DIGITS),
                    ..Self::of_absolute_width(Tolerance { text: format!("1e{power}"), value })
                }
            }
            goal => goal.clone(),
        }
    }

    /// Replaces [`DEFAULT_DIGITS`] in a default goal by `digits`.
    #[must_use]
    pub fn with_default_digits(self, digits: u32) -> Self {
        Self { default_digits: self.default_digits.map(|_| digits), ..self }
    }

    /// Requests the width `eps`, or the default of [`AccuracyGoal::or_default`] without one.
    #[must_use]
    pub fn of_width(eps: Option<&Tolerance>, power: i32) -> Self {
        Self { eps: eps.cloned(), ..Self::default() }.or_default(power)
    }

    /// Returns the accuracy that is requested of a number.
    #[must_use]
    pub fn accuracy(&self) -> Accuracy {
        let eps = self.eps.as_ref().map(|eps| eps.value.clone());
        // `rel` before `digits`: the command line refuses both at once, a library caller gets the first.
        let relative = match (&self.rel, self.of_digits) {
            (Some(rel), _) => Some(Accuracy::relative(rel.value.clone())),
            (None, Some(Digits(n))) => Some(Accuracy::significant_digits(n)),
            (None, None) => self.default_digits.map(Accuracy::significant_digits),
        };
        match (relative, eps) {
            (Some(relative), Some(eps)) => relative.or_within(eps),
            (Some(relative), None) => relative,
            (None, eps) => Accuracy::within(eps.unwrap_or_default()),
        }
    }

    /// Describes that a value misses the goal, and how accurate it is. `cut` is appended to the main clause.
    #[must_use]
    pub fn describe_miss(&self, value: &Value<AnswerNumber>, cut: &str) -> String {
        let asked = match (&self.rel, self.of_digits) {
            (None, None) => None,
            (Some(rel), _) => Some(format!("the relative tolerance of {rel}")),
            (None, Some(Digits(1))) => Some("the tolerance of 1 digit".to_owned()),
            (None, Some(Digits(n))) => Some(format!("the tolerance of {n} digits")),
        };
        match (asked, &self.eps) {
            // An absolute width is printed with the answer; only of a relative one the attained width is added.
            (None, None) => format!("the tolerance was not reached{cut}"),
            (None, Some(eps)) => format!("the tolerance of {eps} was not reached{cut}"),
            (Some(relative), None) => format!("{relative} was not reached{cut}{}", describe_accuracy(value)),
            (Some(relative), Some(eps)) => {
                format!("neither {relative} nor that of {eps} was reached{cut}{}", describe_accuracy(value))
            }
        }
    }
}

impl fmt::Display for AccuracyGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            self.eps.as_ref().map(|eps| format!("eps={eps}")),
            self.rel.as_ref().map(|rel| format!("rel={rel}")),
            self.of_digits.map(|Digits(n)| format!("digits={n}")),
        ];
        f.write_str(&all.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The relative accuracy of a number, from the best to the worst.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum RelativeAccuracy {
    /// The width relative to the absolute value.
    Width(DecimalWidth),
    MayBeZero,
    Unbounded,
}

fn accuracy_of_enclosure(number: &Enclosure) -> RelativeAccuracy {
    if !number.is_bounded() {
        return RelativeAccuracy::Unbounded;
    }
    relative_width(number).map_or(RelativeAccuracy::MayBeZero, RelativeAccuracy::Width)
}

/// Returns the accuracy of the worst number in a value. `None` if it has no enclosure.
fn worst_accuracy(value: &Value<AnswerNumber>) -> Option<RelativeAccuracy> {
    match value {
        Value::Real(AnswerNumber::Enclosure(found)) => Some(accuracy_of_enclosure(&found.enclosure)),
        Value::Real(AnswerNumber::Float { .. }) => None,
        _ => value.direct_parts().filter_map(worst_accuracy).max(),
    }
}

/// Describes the accuracy of a value, as the end of a sentence.
fn describe_accuracy(value: &Value<AnswerNumber>) -> String {
    match worst_accuracy(value) {
        Some(RelativeAccuracy::Width(width)) => format!(": the relative width is {width}"),
        Some(RelativeAccuracy::MayBeZero) => {
            ": a number may be 0, which has no significant digits; give a width by --eps".to_owned()
        }
        Some(RelativeAccuracy::Unbounded) => ": a number is not bounded".to_owned(),
        None => String::new(),
    }
}

/// The limit of time of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl Timeout {
    /// Returns limits with this time and an interrupt flag.
    #[must_use]
    pub fn to_limits(self, interrupt: &Arc<AtomicBool>) -> Limits {
        Limits { interrupt: Some(interrupt.clone()), ..Limits::within_time(self.0) }
    }
}

impl Default for Timeout {
    /// One minute.
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
    let other = || if cut { WidthReason::Time { pieces: None, is_capped: false } } else { WidthReason::Unknown };
    match &number.reason {
        // There is no number that might be narrower.
        Some(why @ WidthReason::Diverges) => Some(why.clone()),
        why => (AccuracyClass::of_number(&number.enclosure, to) == AccuracyClass::Wide)
            .then(|| why.clone().unwrap_or_else(other)),
    }
}
