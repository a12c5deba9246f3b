//! What can go wrong with values.

use super::{Site, Undefined};
use crate::failure::{ErrorKind, Failure};

/// Why a program has no value, whatever stands for its real numbers.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValueError {
    /// A value of another type was expected; a well-typed program never gives this.
    #[error("expected {expected}, found {found}")]
    Mismatch {
        /// The kind of value that was expected.
        expected: &'static str,
        /// The kind that was found.
        found: &'static str,
    },
    /// A model has no meaning for a construct, as it turned out when the program was run.
    #[error("the model `{model}` has no meaning for {construct}")]
    Lacks {
        /// The name of the model.
        model: &'static str,
        /// What it lacks, as a noun phrase.
        construct: String,
    },
    /// It is undefined there, or was not found to be defined, by a meaning of partial functions.
    #[error("{0}")]
    Undefined(Box<Undefined>),
    /// A natural number beyond 2⁶⁴ - 1.
    #[error("a natural number grew beyond 18446744073709551615; use Real numbers for larger ones")]
    NaturalOverflow,
    /// A difference of natural numbers that is none.
    #[error("{0}")]
    BelowZero(Box<BelowZero>),
    /// A polygamma function of too high an order.
    #[error("`polygamma {order}` is beyond `polygamma {highest}`, the highest that there is")]
    Order {
        /// The order.
        order: u64,
        /// The highest one.
        highest: u16,
    },
    /// The answer is too large to be given.
    #[error("the answer has more than {parts} parts; ask for some of them")]
    LargeAnswer {
        /// How many it may have.
        parts: usize,
    },
    /// The answer is too deep to be given.
    #[error(
        "the answer is more than {levels} levels deep; ask for a part of it, or for a number that a fold makes of it"
    )]
    DeepAnswer {
        /// How many levels it may have.
        levels: usize,
    },
    /// The program takes more steps than it may: it is long, or does not end at all.
    #[error(
        "the program did not end within {most} steps of its discrete part, the most that it may take; check that every \
         recursion on Nat comes to an end, and if it does, the program is too long: try a shorter list, or `integral01` or a \
         closed form in place of a long sum"
    )]
    TooLong {
        /// The most steps.
        most: u64,
    },
    /// Functions are applied within each other deeper than they may.
    #[error(
        "functions were applied within each other {levels} levels deep, the most that they may; check that every recursion on \
         Nat comes to an end, and if it does, the program goes too deep: try a shorter list, or `integral01` or a closed form \
         in place of a long sum"
    )]
    TooDeep {
        /// The most levels.
        levels: u64,
    },
    /// Its time was up, or it was interrupted, while the program was unfolded.
    #[error(
        "the program did not end within {steps} steps of its discrete part, when its time was up; give it more time, or \
         check that every recursion on Nat comes to an end"
    )]
    Exhausted {
        /// The number of steps taken.
        steps: u64,
    },
}

/// A difference of natural numbers that is less than 0, where no type says that it stops there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BelowZero {
    /// What is subtracted from.
    pub left: u64,
    /// What is subtracted.
    pub right: u64,
    /// Where the difference stands, from byte to byte of its source; `None` where that is not known.
    pub span: Option<(u32, u32)>,
    /// The definition in whose source that is, with its module; `None` for the program itself.
    pub definition: Option<(String, String)>,
    /// Why the numbers are natural ones, as the end of a sentence.
    pub because: Option<String>,
    /// Where the comparison stands that says so, from byte to byte.
    pub compared: Option<(u32, u32)>,
    /// What to write instead.
    pub help: Option<String>,
}

impl BelowZero {
    /// Of two numbers, at a place that is not known.
    #[must_use]
    pub fn of(left: u64, right: u64) -> Self {
        Self { left, right, ..Self::default() }
    }

    /// The message without help, with what there is to say of the place of the comparison.
    #[must_use]
    pub fn message(&self, compared: Option<(usize, usize)>) -> String {
        let Self { left, right, because, .. } = self;
        let because = because.as_deref().unwrap_or("a natural number is not");
        let place = compared.map_or_else(String::new, |(line, column)| format!(" ({line}:{column})"));
        format!("{left} - {right} is less than 0, and {because}{place}")
    }
}

impl std::fmt::Display for BelowZero {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message(None))?;
        self.help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl Failure for ValueError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLong { .. }
            | Self::TooDeep { .. }
            | Self::Exhausted { .. }
            | Self::Undefined(_)
            | Self::Order { .. } => ErrorKind::Limit,
            Self::Lacks { .. } => ErrorKind::Unsupported,
            Self::Mismatch { .. }
            | Self::BelowZero(_)
            | Self::NaturalOverflow
            | Self::LargeAnswer { .. }
            | Self::DeepAnswer { .. } => ErrorKind::Wrong,
        }
    }
}

impl ValueError {
    /// That something is undefined.
    #[must_use]
    pub fn undefined(undefined: Undefined) -> Self {
        Self::Undefined(Box::new(undefined))
    }

    /// The same, at a place, where it is one of an operation that has none.
    #[must_use]
    pub fn at(self, site: Site) -> Self {
        match self {
            Self::Undefined(undefined) => Self::undefined(undefined.at(site)),
            other => other,
        }
    }
}
