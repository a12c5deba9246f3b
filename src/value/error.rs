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

impl Failure for ValueError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLong { .. }
            | Self::TooDeep { .. }
            | Self::Exhausted { .. }
            | Self::Undefined(_)
            | Self::Order { .. } => ErrorKind::Limit,
            Self::Lacks { .. } => ErrorKind::Unsupported,
            Self::Mismatch { .. } | Self::NaturalOverflow | Self::LargeAnswer { .. } | Self::DeepAnswer { .. } => {
                ErrorKind::Wrong
            }
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
