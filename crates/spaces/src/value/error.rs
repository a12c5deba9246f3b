//! Errors of evaluation to values.

use super::{SourceId, UndefinedValue};
use crate::failure::{ErrorKind, ErrorWithKind};

/// The reason why a program has no value, for any carrier of real numbers.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A value of another type was expected. Well-typed programs never cause this.
    #[error("expected {expected}, found {found}")]
    Mismatch {
        /// The kind of value that was expected.
        expected: &'static str,
        /// The kind that was found.
        found: &'static str,
    },
    /// The model does not interpret a construct. The evaluation reached it at run time.
    #[error("the model `{model}` does not define {construct}")]
    Unsupported {
        /// The name of the model.
        model: &'static str,
        /// The construct that the model lacks, as a noun phrase.
        construct: String,
    },
    /// A partial program is undefined at the point, or was not shown to be defined.
    #[error("{0}")]
    Undefined(Box<UndefinedValue>),
    /// A natural number exceeds 2⁶⁴ − 1.
    #[error("a natural number grew beyond 18446744073709551615; use Real numbers for larger ones")]
    NaturalOverflow,
    /// A difference of natural numbers is negative.
    #[error("{0}")]
    NegativeDifference(Box<NegativeDifference>),
    /// A derivative of a special function of too high an order.
    #[error("`{family} {order}` is beyond the highest order, `{family} {highest}`")]
    SpecialOrder {
        /// The constant that takes the order.
        family: &'static str,
        /// The requested order.
        order: u64,
        /// The highest order that is implemented.
        highest: u16,
    },
    /// A constant from outside has no value.
    #[error(transparent)]
    Foreign(Box<ForeignFailure>),
    /// The answer has too many parts to be written out.
    #[error("the answer has more than {parts} parts; take some of them")]
    LargeAnswer {
        /// The largest number of parts.
        parts: usize,
    },
    /// The answer is nested too deeply to be written out.
    #[error("the answer is more than {levels} levels deep; take a part of it, or fold it to a number")]
    DeepAnswer {
        /// The deepest nesting, in levels.
        levels: usize,
    },
    /// The program takes more steps than it may. It is too long, or does not terminate.
    #[error(
        "the program did not end within {most} steps of its discrete part, the limit; check that every recursion on Nat comes \
         to an end. If it does, the program is too long: try a shorter list, or `integral01` or a closed form in place of a \
         long sum"
    )]
    TooManySteps {
        /// The largest number of steps.
        most: u64,
    },
    /// Applications of functions are nested deeper than they may be.
    #[error(
        "functions were applied within each other {levels} levels deep, the limit; check that every recursion on Nat comes to \
         an end. If it does, the program is too deep: try a shorter list, or `integral01` or a closed form in place of a long \
         sum"
    )]
    DeepRecursion {
        /// The deepest nesting, in levels.
        levels: u64,
    },
    /// The evaluation ran out of time or was interrupted while it unfolded the discrete part of the program.
    #[error(
        "the time ran out after {steps} steps of the discrete part of the program; give it more time, or check that every \
         recursion on Nat comes to an end"
    )]
    Exhausted {
        /// The number of steps taken.
        steps: u64,
    },
}

/// A constant from outside that has no value, by its name, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`, which was given from outside: {reason}")]
pub struct ForeignFailure {
    /// The name of the constant.
    pub name: String,
    /// The reason, as a sentence.
    pub reason: String,
}

/// A negative difference of natural numbers, in a program that declares no truncated subtraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NegativeDifference {
    /// The minuend.
    pub left: u64,
    /// The subtrahend.
    pub right: u64,
    /// The bytes of the difference in its source, from the first to the one past the last. `None` if the place is
    /// unknown.
    pub span: Option<(u32, u32)>,
    /// The definition whose source contains the difference, with its module. `None` for the program itself.
    pub definition: Option<(String, String)>,
    /// The reason why the numbers are natural, as the end of a sentence.
    pub naturality_reason: Option<String>,
    /// The bytes of the comparison that gives this reason, from the first to the one past the last.
    pub comparison_span: Option<(u32, u32)>,
    /// A suggestion for a replacement.
    pub help: Option<String>,
}

impl NegativeDifference {
    /// Returns the error for `left - right` at an unknown place.
    #[must_use]
    pub fn from_operands(left: u64, right: u64) -> Self {
        Self { left, right, ..Self::default() }
    }

    /// Formats the message without the suggestion. `compared` is the line and column of the comparison, if known.
    #[must_use]
    pub fn format_message(&self, compared: Option<(usize, usize)>) -> String {
        let Self { left, right, naturality_reason: because, .. } = self;
        let because = because.as_deref().unwrap_or("a natural number is not");
        let place = compared.map_or_else(String::new, |(line, column)| format!(" ({line}:{column})"));
        format!("{left} - {right} is less than 0, and {because}{place}")
    }
}

impl std::fmt::Display for NegativeDifference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.format_message(None))?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

// Limits and undefined points depend on the request; the other errors are faults of the program or gaps of the model.
impl ErrorWithKind for ValueError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooManySteps { .. }
            | Self::DeepRecursion { .. }
            | Self::Exhausted { .. }
            | Self::Undefined(_)
            | Self::SpecialOrder { .. } => ErrorKind::Limit,
            Self::Unsupported { .. } => ErrorKind::Unsupported,
            Self::Mismatch { .. }
            | Self::Foreign(_)
            | Self::NegativeDifference(_)
            | Self::NaturalOverflow
            | Self::LargeAnswer { .. }
            | Self::DeepAnswer { .. } => ErrorKind::InvalidInput,
        }
    }
}

impl ValueError {
    /// Makes the error of a constant from outside.
    #[must_use]
    pub fn of_foreign(name: &str, reason: impl Into<String>) -> Self {
        Self::Foreign(Box::new(ForeignFailure { name: name.to_owned(), reason: reason.into() }))
    }

    /// Wraps the reason why a partial program is undefined.
    #[must_use]
    pub fn from_undefined(undefined: UndefinedValue) -> Self {
        Self::Undefined(Box::new(undefined))
    }

    /// Sets the source position of an undefined operation that has none yet. Other errors stay as they are.
    #[must_use]
    pub fn with_source(self, site: SourceId) -> Self {
        match self {
            Self::Undefined(undefined) => Self::from_undefined(undefined.at_site(site)),
            other => other,
        }
    }
}
