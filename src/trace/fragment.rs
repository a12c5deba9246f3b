//! Which programs of the library's language are programs of the core language.

use crate::failure::{ErrorKind, Failure};
use crate::model::Place;

/// Why a program is none of the core language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// It has a construct that the core language lacks.
    #[error(
        "traces have no {construct}: their language has real numbers and tuples of them, comparisons, conditionals, functions \
         and recursions of these, and `rd`"
    )]
    Construct {
        /// What it has, as a noun phrase.
        construct: String,
        /// Where.
        place: Place,
    },
    /// A recursive function has a variable from outside (A Fig. 1).
    #[error(
        "the recursive function `{function}` mentions `{variable}`, which is bound outside of it; give it to the function as \
         one more argument"
    )]
    FreeVariable {
        /// The function.
        function: String,
        /// The variable.
        variable: String,
        /// Where the function is defined.
        place: Place,
    },
    /// With the definitions that it uses written out it is too large.
    #[error("the program has more than {nodes} parts, with the definitions that it uses written out")]
    TooLarge {
        /// The most.
        nodes: usize,
        /// Where the last part stands.
        place: Place,
    },
}

impl FragmentError {
    /// Where.
    #[must_use]
    pub fn place(&self) -> &Place {
        match self {
            FragmentError::Construct { place, .. }
            | FragmentError::FreeVariable { place, .. }
            | FragmentError::TooLarge { place, .. } => place,
        }
    }
}

impl Failure for FragmentError {
    fn kind(&self) -> ErrorKind {
        match self {
            FragmentError::Construct { .. } => ErrorKind::Unsupported,
            FragmentError::FreeVariable { .. } => ErrorKind::Wrong,
            FragmentError::TooLarge { .. } => ErrorKind::Limit,
        }
    }
}
