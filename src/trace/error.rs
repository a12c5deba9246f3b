//! Why a term has no value: it is undefined, or it was not found out whether it is.

use super::accumulate::LITERAL_NODES;
use super::term::Site;
use crate::failure::{ErrorKind, Failure};
pub use crate::value::Undefined;

/// What stands in the way of a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Obstacle {
    /// There is none, or none was found.
    #[error(transparent)]
    Undefined(#[from] Undefined),
    /// The numbers at hand have no such operation.
    #[error("{numbers} have no `{operation}`; certified real numbers and doubles do")]
    Lacks {
        /// What numbers they are.
        numbers: &'static str,
        /// The operation.
        operation: String,
    },
    /// The literal derivative of a trace, whose size is exponential, is too large.
    #[error(
        "the derivative by the literal clauses would have more than {LITERAL_NODES} nodes, since they copy the trace at every \
         `let`; the strategy `accumulated` gives the same function in a number of nodes that is proportional to the trace"
    )]
    TooLarge,
    /// The strategy `tape` has no limited recursion.
    #[error(
        "the strategy `tape` unfolds recursions without a limit; use the strategy `accumulated` or `literal` for one"
    )]
    Limited,
    /// No rule applies; this does not happen to well-typed terms.
    #[error("no rule of the semantics applies to {construct}; the term has no type")]
    Stuck {
        /// Where.
        construct: &'static str,
    },
}

impl Failure for Obstacle {
    fn kind(&self) -> ErrorKind {
        match self {
            Obstacle::Undefined(_) | Obstacle::TooLarge => ErrorKind::Limit,
            Obstacle::Lacks { .. } | Obstacle::Limited => ErrorKind::Unsupported,
            Obstacle::Stuck { .. } => ErrorKind::Wrong,
        }
    }
}

impl Obstacle {
    /// The same, at a place, unless it has one.
    #[must_use]
    pub fn at(self, site: Site) -> Obstacle {
        match self {
            Obstacle::Undefined(undefined) => undefined.at(site).into(),
            other => other,
        }
    }

    /// Why there is no value, where it is that.
    #[must_use]
    pub fn undefined(&self) -> Option<&Undefined> {
        match self {
            Obstacle::Undefined(undefined) => Some(undefined),
            _ => None,
        }
    }
}
