//! Why a term has no value: it is undefined, or it was not found out whether it is.

use super::accumulate::LITERAL_NODES;
use super::source::NODES;
use super::term::Site;
use crate::failure::{ErrorKind, Failure};
use crate::syntax::name::Name;
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
    /// Programs that are compiled or transformed have no limited recursion.
    #[error(
        "the strategy `tape` and the programs that `derive --reverse` writes unfold recursions without a limit; use the strategy `accumulated` or `literal` for one"
    )]
    Limited,
    /// A function has no derivative as a program.
    #[error(
        "`{function}` is defined by its own derivative, so that its derivatives are no finite program; the strategies \
         `accumulated` and `tape` differentiate what it does at a point"
    )]
    OwnDerivative {
        /// Its name.
        function: Name,
    },
    /// Derivatives within derivatives are too long to be written out.
    #[error(
        "written out, the program would have more than {NODES} nodes, since each derivative within another writes it out again; \
         the strategies `accumulated` and `tape` differentiate what it does at a point"
    )]
    ProgramTooLarge,
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
            Obstacle::Undefined(_) | Obstacle::TooLarge | Obstacle::ProgramTooLarge => ErrorKind::Limit,
            Obstacle::Lacks { .. } | Obstacle::Limited | Obstacle::OwnDerivative { .. } => ErrorKind::Unsupported,
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
