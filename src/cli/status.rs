//! Exit statuses.
//!
//! | status | meaning |
//! |---|---|
//! | 0 | the tolerance is reached and the value is certainly defined |
//! | 1 | something was refuted |
//! | 2 | the question is wrong: syntax, types, usage, a broken promise |
//! | 3 | finite information was printed, the tolerance is not reached |
//! | 4 | no information: the whole line, undefined, or not shown to be defined within the budget |
//! | 5 | `audit`: a derivative is as near as rounding allows, and not as near as its unit |
//!
//! # The options common to several commands
//!
//! The options common to several commands, and the errors that end a command.

use super::arguments::{OutputFormat, TuningArgs};
use crate::failure::ErrorKind;
use crate::number::{Accuracy, Enclosure};
use crate::session::Diagnostic;
use crate::session::tolerance::{AccuracyClass, Timeout};
use clap::Args;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// The result of a command. The order is that of severity: `Reached < Wide < NoBound < StatementRefutation < InvalidInput`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Status {
    /// 0: the tolerance is reached and the value is certainly defined.
    #[default]
    Reached,
    /// 3: finite information was printed, the tolerance is not reached.
    Wide,
    /// 4: no information.
    Nothing,
    /// 5: rounding has moved a derivative beyond its tolerance.
    Rounded,
    /// 1: something was refuted.
    Refuted,
    /// 2: the question is wrong.
    Wrong,
}

impl Status {
    /// Returns the exit code of the process.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Status::Reached => 0,
            Status::Refuted => 1,
            Status::Wrong => 2,
            Status::Wide => 3,
            Status::Nothing => 4,
            Status::Rounded => 5,
        }
    }

    /// Returns the status of several questions: the most severe, in the order 2, 1, 5, 4, 3, 0. Without questions it is 0.
    #[must_use]
    pub fn worst_of(several: impl IntoIterator<Item = Status>) -> Status {
        several.into_iter().max().unwrap_or_default()
    }

    /// Returns the status of one number, judged by the endpoints that are printed.
    #[must_use]
    pub fn of_enclosure(number: &Enclosure, to: &Accuracy) -> Status {
        AccuracyClass::of_number(number, to).into()
    }
}

/// The status of an error: the question is wrong, or it has no answer.
impl From<ErrorKind> for Status {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidInput | ErrorKind::Unsupported => Self::Wrong,
            ErrorKind::Limit | ErrorKind::DisjointEnclosures => Self::Nothing,
        }
    }
}

impl From<AccuracyClass> for Status {
    fn from(reach: AccuracyClass) -> Self {
        match reach {
            AccuracyClass::Reached => Self::Reached,
            AccuracyClass::Wide => Self::Wide,
            AccuracyClass::NoBound => Self::Nothing,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}

/// Common options: the limit of time, the theories to load, and the output format.
#[derive(Debug, Args)]
pub struct CommonArgs {
    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", default_value_t, allow_hyphen_values = true)]
    pub timeout: Timeout,
    /// Load the theories of a file first; may be repeated
    #[arg(long, value_name = "FILE")]
    pub load: Vec<PathBuf>,
    /// The limits of the searches
    #[command(flatten)]
    pub search: TuningArgs,
    /// The output format
    #[command(flatten)]
    pub format: OutputFormat,
}

/// An error that ended a command before it had printed its answer.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The question is wrong, or has no answer.
    #[error("{}", .0.report())]
    Refused(#[from] Diagnostic),
    /// Reading or writing failed.
    #[error(transparent)]
    Stream(#[from] io::Error),
}
