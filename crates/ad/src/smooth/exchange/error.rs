//! Why bytes are no map, or a map has no bytes.

use crate::failure::{ErrorKind, Failure};

/// What is wrong with a file. Records are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// It does not begin as such files do.
    #[error("this is no map: the file does not begin with `smoothish`")]
    Format,
    /// It is of a later version.
    #[error("this map is of version {found} of the format; versions up to {latest} are read here")]
    Version {
        /// What it says.
        found: u64,
        /// What is read.
        latest: u64,
    },
    /// It ends too early, or a number in it is too long.
    #[error("the file is damaged at byte {offset}: it ends there, or a number does not")]
    Damaged {
        /// Where.
        offset: usize,
    },
    /// Something follows after the end.
    #[error("the map ends at byte {offset}, and the file does not")]
    Trailing {
        /// Where the map ends.
        offset: usize,
    },
    /// It is no JSON, or of another shape.
    #[error("the JSON is no map: {reason}")]
    Json {
        /// What is expected where, in a sentence.
        reason: String,
    },
    /// An operation that is not known.
    #[error("record {record} has the operation `{name}`, which is not known")]
    Operation {
        /// Which record.
        record: usize,
        /// The name of the operation.
        name: String,
    },
    /// Operands that do not fit the operation.
    #[error("record {record}: `{name}` takes {expected}")]
    Operands {
        /// Which record.
        record: usize,
        /// The name of the operation.
        name: String,
        /// What it takes.
        expected: String,
    },
    /// A record that refers to itself, to a later one, or to none.
    #[error("record {record} refers to a record that does not come before it")]
    Reference {
        /// Which record; the number of records for an output.
        record: usize,
    },
    /// A text that is no rational number.
    #[error("record {record} has `{text}` where a number is expected, such as -3 or 1/3")]
    Number {
        /// Which record.
        record: usize,
        /// The beginning of the text.
        text: String,
    },
    /// An exponent or an order that is too large.
    #[error("record {record} has an exponent or an order that is too large")]
    Exponent {
        /// Which record.
        record: usize,
    },
    /// A variable that is an input, or bound already, where one is bound.
    #[error("record {record} binds the variable {variable}, which is an input or bound here already")]
    Bound {
        /// Which record.
        record: usize,
        /// The variable.
        variable: u64,
    },
    /// An output that depends on a variable that is no input.
    #[error("an output depends on a variable that is bound elsewhere, or nowhere")]
    Unbound,
    /// More than is read.
    #[error("there are more than {most} {what}, which are too many")]
    TooLarge {
        /// Of what.
        what: &'static str,
        /// The most there may be.
        most: u64,
    },
    /// A primitive from outside, which nothing but its program can compute.
    #[error("the primitive `{name}` comes from outside, and has no form in which others could read it")]
    Primitive {
        /// Its name.
        name: String,
    },
}

impl Failure for ExchangeError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Primitive { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Wrong,
        }
    }
}
