//! Errors in reading and writing maps as files.

use crate::failure::{ErrorKind, ErrorWithKind};

/// An error in a file, or a map that has no file. Records are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The file does not begin as such files do.
    #[error("this is no map: the file does not begin with `smoothish`")]
    Format,
    /// The file has a later version.
    #[error("this map is of version {found} of the format; versions up to {latest} are read here")]
    Version {
        /// The version of the file.
        found: u64,
        /// The latest version that is read.
        latest: u64,
    },
    /// The file ends too early, or a number in it is too long.
    #[error("the file is damaged at byte {offset}: it ends there, or a number does not")]
    Damaged {
        /// The position, in bytes.
        offset: usize,
    },
    /// More bytes follow after the end.
    #[error("the map ends at byte {offset}, and the file does not")]
    Trailing {
        /// The position of the end, in bytes.
        offset: usize,
    },
    /// The text is not JSON, or has another shape.
    #[error("the JSON is no map: {reason}")]
    Json {
        /// The expected shape and its position, in a sentence.
        reason: String,
    },
    /// An unknown operation.
    #[error("record {record} has the operation `{name}`, which is not known")]
    Operation {
        /// The index of the record.
        record: usize,
        /// The name of the operation.
        name: String,
    },
    /// Operands that do not fit the operation.
    #[error("record {record}: `{name}` takes {expected}")]
    Operands {
        /// The index of the record.
        record: usize,
        /// The name of the operation.
        name: String,
        /// The operands that it takes.
        expected: String,
    },
    /// A record that refers to itself, to a later one, or to none.
    #[error("record {record} refers to a record that does not come before it")]
    Reference {
        /// The index of the record; the number of records for an output.
        record: usize,
    },
    /// A text that is no rational number.
    #[error("record {record} has `{text}` where a number is expected, such as -3 or 1/3")]
    Number {
        /// The index of the record.
        record: usize,
        /// The beginning of the text.
        text: String,
    },
    /// An exponent or an order that is too large.
    #[error("record {record} has an exponent or an order that is too large")]
    Exponent {
        /// The index of the record.
        record: usize,
    },
    /// A variable that is an input, or bound already, where one is bound.
    #[error("record {record} binds the variable {variable}, which is an input or bound here already")]
    Bound {
        /// The index of the record.
        record: usize,
        /// The variable.
        variable: u64,
    },
    /// An output that depends on a variable that is no input.
    #[error("an output depends on a variable that is bound elsewhere, or nowhere")]
    Unbound,
    /// A limit is exceeded.
    #[error("there are more than {most} {what}, which are too many")]
    TooLarge {
        /// The counted objects, as a plural noun.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// A primitive from outside, which only its own program can compute.
    #[error("the primitive `{name}` comes from outside, and has no form in which others could read it")]
    Primitive {
        /// Its name.
        name: String,
    },
}

impl ErrorWithKind for ExchangeError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Primitive { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::InvalidInput,
        }
    }
}
