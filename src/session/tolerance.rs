//! How accurate an answer is to be, as a person asks it: `eps`, `rel` and `digits`; and how long one question may take.

use super::limits::Limits;
use crate::model::answer::Number;
use crate::number::accuracy::relative_width;
use crate::number::width::Width;
use crate::number::{Accuracy, Enclosure, Rational, decimal};
use crate::value::Value;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The largest power of ten in a tolerance.
const EXPONENT_LIMIT: u64 = 100_000;

/// What is wrong with a tolerance or a timeout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToleranceError {
    /// No number at all.
    #[error("expected a positive number, such as 1e-6, 0.001 or 1/3")]
    NotANumber,
    /// Zero or less: no computation ends with an interval of no width, save by luck.
    #[error("the tolerance must be greater than 0")]
    NotPositive,
    /// An exponent that would fill the memory.
    #[error("the exponent must lie between -{EXPONENT_LIMIT} and {EXPONENT_LIMIT}")]
    Exponent,
    /// Digits that nobody can have.
    #[error("expected a number of significant digits from 1 to {EXPONENT_LIMIT}, such as 12")]
    Digits,
    /// A time that is not a positive number of seconds.
    #[error("expected a number of seconds greater than 0, and less than 1e19, such as 60 or 0.5")]
    Seconds,
}

/// How wide an answer may be: an exact positive rational, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    text: String,
    value: Rational,
}

impl Tolerance {
    /// A tolerance, written as it is.
    ///
    /// # Errors
    /// [`ToleranceError::NotPositive`]
    pub fn new(value: Rational) -> Result<Self, ToleranceError> {
        if value <= 0 {
            return Err(ToleranceError::NotPositive);
        }
        Ok(Self { text: decimal::exact(&value).unwrap_or_else(|| value.to_string()), value })
    }

    /// The same tolerance, written in messages as a text, such as the shortest decimal of a double.
    #[must_use]
    pub fn written_as(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// The number itself.
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

    /// A decimal, with an exponent or not, or a quotient of two.
    fn from_str(text: &str) -> Result<Self, ToleranceError> {
        let value = quotient(text)?;
        if value <= 0 {
            return Err(ToleranceError::NotPositive);
        }
        Ok(Tolerance { text: text.to_owned(), value })
    }
}

/// What can be given as a tolerance: a text such as `"1e-9"`, a rational number, or a double, which stands for its shortest decimal.
pub trait IntoTolerance {
    /// The tolerance.
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
        format!("{self:e}").parse()
    }
}

/// A decimal, or a quotient of two.
fn quotient(text: &str) -> Result<Rational, ToleranceError> {
    let Some((numerator, denominator)) = text.split_once('/') else { return number(text) };
    let denominator = number(denominator)?;
    if denominator == 0 {
        return Err(ToleranceError::NotANumber);
    }
    Ok(number(numerator)? / denominator)
}

/// Reads a place on the line exactly: a decimal, with an exponent or not, or a quotient of two.
///
/// # Errors
/// What was expected, as a sentence.
pub(crate) fn place(text: &str) -> Result<Rational, String> {
    quotient(text).map_err(|error| match error {
        ToleranceError::NotANumber => {
            format!("`{text}` is not a number: expected a decimal or a fraction, such as -2.5, 1e-3 or 1/3")
        }
        other => other.to_string(),
    })
}

fn number(text: &str) -> Result<Rational, ToleranceError> {
    if let Some((_, exponent)) = text.split_once(['e', 'E']) {
        let digits = exponent.trim_start_matches(['+', '-']).trim_start_matches('0');
        let too_large = digits.len() > 6 || digits.parse::<u64>().is_ok_and(|e| e > EXPONENT_LIMIT);
        if too_large && digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ToleranceError::Exponent);
        }
    }
    decimal::parse(text).map_err(|_| ToleranceError::NotANumber)
}

/// How many significant digits an answer is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits(u32);

impl Digits {
    /// So many digits.
    ///
    /// # Errors
    /// [`ToleranceError::Digits`]
    pub fn new(count: u32) -> Result<Self, ToleranceError> {
        if (1..=EXPONENT_LIMIT).contains(&u64::from(count)) { Ok(Self(count)) } else { Err(ToleranceError::Digits) }
    }
}

impl Digits {
    /// How many there are.
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

/// How accurate an answer is to be, as a person asks it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// The greatest width that an interval may have.
    pub eps: Option<Tolerance>,
    /// The same, relative to the number. With a width, one of both is enough.
    pub rel: Option<Tolerance>,
    /// How many significant digits are to be certain: n is a relative width of 10⁻ⁿ.
    pub digits: Option<Digits>,
    /// How many digits are enough as well, where nothing was asked.
    pub enough: Option<u32>,
}

/// The power of ten to which a width is asked for where nothing is said.
pub const USUAL: i32 = -6;

/// How many significant digits are enough where nothing is asked: of a large number, fewer than a width asks for.
pub const ENOUGH: u32 = 16;

impl Goal {
    /// A width.
    #[must_use]
    pub fn within(eps: Tolerance) -> Self {
        Self { eps: Some(eps), ..Self::default() }
    }

    /// A part of the number of 10 to a power, where nothing is asked.
    #[must_use]
    pub fn or_part(&self, power: i32) -> Self {
        match (self, self.or_power(power).eps) {
            (Self { eps: None, rel: None, digits: None, .. }, Some(part)) => Self::relative(part),
            (goal, _) => goal.clone(),
        }
    }

    /// A width as a part of the number.
    #[must_use]
    pub fn relative(rel: Tolerance) -> Self {
        Self { rel: Some(rel), ..Self::default() }
    }

    /// Significant digits.
    #[must_use]
    pub fn digits(digits: Digits) -> Self {
        Self { digits: Some(digits), ..Self::default() }
    }

    /// The same, or a width of 10 to a power, or [`ENOUGH`] digits, where nothing is asked.
    #[must_use]
    pub fn or_power(&self, power: i32) -> Self {
        match self {
            Self { eps: None, rel: None, digits: None, .. } => {
                let value = if power < 0 {
                    Rational::from((1, 10u64.pow(power.unsigned_abs())))
                } else {
                    10u64.pow(power as u32).into()
                };
                Self { enough: Some(ENOUGH), ..Self::within(Tolerance { text: format!("1e{power}"), value }) }
            }
            goal => goal.clone(),
        }
    }

    /// The same with so many digits in the place of [`ENOUGH`], where nothing was asked.
    #[must_use]
    pub fn with_enough(self, digits: u32) -> Self {
        Self { enough: self.enough.map(|_| digits), ..self }
    }

    /// A width, or [`Goal::or_power`] where none is asked.
    #[must_use]
    pub fn of_width(eps: Option<&Tolerance>, power: i32) -> Self {
        Self { eps: eps.cloned(), ..Self::default() }.or_power(power)
    }

    /// What is asked of a number.
    #[must_use]
    pub fn accuracy(&self) -> Accuracy {
        let eps = self.eps.as_ref().map(|eps| eps.value.clone());
        let relative = match (&self.rel, self.digits) {
            (Some(rel), _) => Some(Accuracy::relative(rel.value.clone())),
            (None, Some(Digits(n))) => Some(Accuracy::digits(n)),
            (None, None) => self.enough.map(Accuracy::digits),
        };
        match (relative, eps) {
            (Some(relative), Some(eps)) => relative.or_within(eps),
            (Some(relative), None) => relative,
            (None, eps) => Accuracy::within(eps.unwrap_or_default()),
        }
    }

    /// That a value is not as accurate as asked, and how accurate it is.
    #[must_use]
    pub fn missed(&self, value: &Value<Number>, cut: &str) -> String {
        let asked = match (&self.rel, self.digits) {
            (None, None) => None,
            (Some(rel), _) => Some(format!("the relative tolerance of {rel}")),
            (None, Some(Digits(1))) => Some("the tolerance of 1 digit".to_owned()),
            (None, Some(Digits(n))) => Some(format!("the tolerance of {n} digits")),
        };
        match (asked, &self.eps) {
            (None, None) => format!("the tolerance was not reached{cut}"),
            (None, Some(eps)) => format!("the tolerance of {eps} was not reached{cut}"),
            (Some(relative), None) => format!("{relative} was not reached{cut}{}", reached(value)),
            (Some(relative), Some(eps)) => {
                format!("neither {relative} nor that of {eps} was reached{cut}{}", reached(value))
            }
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            self.eps.as_ref().map(|eps| format!("eps={eps}")),
            self.rel.as_ref().map(|rel| format!("rel={rel}")),
            self.digits.map(|Digits(n)| format!("digits={n}")),
        ];
        f.write_str(&all.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// How accurate a number is, or the worst of several: from the best to the worst.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Spread {
    /// Its width, relative to its size.
    Width(Width),
    MayBeZero,
    Unbounded,
}

fn of_enclosure(number: &Enclosure) -> Spread {
    if !number.is_bounded() {
        return Spread::Unbounded;
    }
    relative_width(number).map_or(Spread::MayBeZero, Spread::Width)
}

/// How accurate the worst of the numbers in a value is; `None` where there is none.
fn spread(value: &Value<Number>) -> Option<Spread> {
    match value {
        Value::Real(Number::Enclosure(found)) => Some(of_enclosure(&found.enclosure)),
        Value::Real(Number::Float { .. }) => None,
        _ => value.parts().filter_map(spread).max(),
    }
}

/// How accurate a value is.
fn reached(value: &Value<Number>) -> String {
    match spread(value) {
        Some(Spread::Width(width)) => format!(": the relative width is {width}"),
        Some(Spread::MayBeZero) => ": a number may be 0, and then it has no digits; --eps asks for a width".to_owned(),
        Some(Spread::Unbounded) => ": a number is not bounded".to_owned(),
        None => String::new(),
    }
}

/// How long one question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeout(pub Duration);

impl Timeout {
    /// The limits of a question that may take so long, and that a flag ends.
    #[must_use]
    pub fn limits(self, interrupt: &Arc<AtomicBool>) -> Limits {
        Limits { interrupt: Some(interrupt.clone()), ..Limits::within(self.0) }
    }
}

impl Default for Timeout {
    /// A minute.
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
