//! Exit statuses.
//!
//! | status | meaning |
//! |---|---|
//! | 0 | the tolerance is reached and the value is certainly defined |
//! | 1 | something was refuted |
//! | 2 | the question is wrong: syntax, types, usage, a broken promise |
//! | 3 | finite information was printed, the tolerance is not reached |
//! | 4 | no information: the whole line, undefined, or not shown to be defined within the budget |

use crate::failure::ErrorKind;
use crate::number::{Accuracy, Enclosure};
use crate::session::reach::Reach;
use std::process::ExitCode;

/// How a command went. The order is that of badness: `Reached < Wide < Nothing < Refuted < Wrong`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Status {
    /// 0: the tolerance is reached and the value is certainly defined.
    #[default]
    Reached,
    /// 3: finite information was printed, the tolerance is not reached.
    Wide,
    /// 4: no information.
    Nothing,
    /// 1: something was refuted.
    Refuted,
    /// 2: the question is wrong.
    Wrong,
}

impl Status {
    /// The number that the process ends with.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Status::Reached => 0,
            Status::Refuted => 1,
            Status::Wrong => 2,
            Status::Wide => 3,
            Status::Nothing => 4,
        }
    }

    /// The status of several questions: that of the worst, in the order 2, 1, 4, 3, 0; of none, 0.
    #[must_use]
    pub fn worst(several: impl IntoIterator<Item = Status>) -> Status {
        several.into_iter().max().unwrap_or_default()
    }

    /// The status of one number, judged by the ends that are printed.
    #[must_use]
    pub fn of(number: &Enclosure, to: &Accuracy) -> Status {
        Reach::of(number, to).into()
    }
}

/// The status of an error: what is wrong with the question, or that there is no answer.
impl From<ErrorKind> for Status {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Wrong | ErrorKind::Unsupported => Self::Wrong,
            ErrorKind::Limit | ErrorKind::Contradiction => Self::Nothing,
        }
    }
}

impl From<Reach> for Status {
    fn from(reach: Reach) -> Self {
        match reach {
            Reach::Reached => Self::Reached,
            Reach::Wide => Self::Wide,
            Reach::Nothing => Self::Nothing,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code())
    }
}
