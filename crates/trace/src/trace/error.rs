//! Why a term has no value: it is undefined, or its value was not found.

use super::accumulate::LITERAL_NODES;
use super::source::NODES;
use super::term::SourceId;
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::syntax::name::Name;
pub use crate::value::UndefinedValue;

/// The reason why an evaluation, or a transformation, gives no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The term is undefined, or its value was not found within the limits.
    #[error(transparent)]
    Undefined(#[from] UndefinedValue),
    /// The operation does not exist for the kind of numbers.
    #[error("{numbers} have no `{operation}`; certified real numbers and doubles do")]
    MissingOperation {
        /// The kind of numbers.
        numbers: &'static str,
        /// The operation.
        operation: String,
    },
    /// The derivative of a trace by the literal clauses, whose size is exponential, is too large.
    #[error(
        "the derivative by the literal clauses would have more than {LITERAL_NODES} nodes, since they copy the trace at every \
         `let`; the strategy `accumulated` gives the same function in a number of nodes that is proportional to the trace"
    )]
    LiteralTooLarge,
    /// The program contains a limited recursion, which neither compilation nor source transformation supports.
    #[error(
        "the strategy `tape` and the programs that `derive --reverse` writes unfold recursions without a limit; use the strategy `accumulated` or `literal` for one"
    )]
    LimitedRecursion,
    /// The function is defined by its own derivative, so its derivative is no finite program.
    #[error(
        "`{function}` is defined by its own derivative, so that its derivatives are no finite program; the strategies \
         `accumulated` and `tape` differentiate what it does at a point"
    )]
    DefinedByOwnDerivative {
        /// The name of the function.
        function: Name,
    },
    /// Nested derivatives make the transformed program too large.
    #[error(
        "written out, the program would have more than {NODES} nodes, since each derivative within another writes it out again; \
         the strategies `accumulated` and `tape` differentiate what it does at a point"
    )]
    ProgramTooLarge,
    /// No rule applies. Well-typed terms never get stuck.
    #[error("no rule of the semantics applies to {construct}; the term has no type")]
    Stuck {
        /// The construct without rule.
        construct: &'static str,
    },
}

impl ErrorWithKind for TraceError {
    fn kind(&self) -> ErrorKind {
        match self {
            TraceError::Undefined(_) | TraceError::LiteralTooLarge | TraceError::ProgramTooLarge => ErrorKind::Limit,
            TraceError::MissingOperation { .. }
            | TraceError::LimitedRecursion
            | TraceError::DefinedByOwnDerivative { .. } => ErrorKind::Unsupported,
            TraceError::Stuck { .. } => ErrorKind::InvalidInput,
        }
    }
}

impl TraceError {
    /// Sets the position of an undefined term, unless it has one. Other errors have none.
    #[must_use]
    pub fn with_site(self, site: SourceId) -> TraceError {
        match self {
            TraceError::Undefined(undefined) => undefined.at_site(site).into(),
            other => other,
        }
    }

    /// Returns the report of an undefined term; `None` for other errors.
    #[must_use]
    pub fn as_undefined(&self) -> Option<&UndefinedValue> {
        match self {
            TraceError::Undefined(undefined) => Some(undefined),
            _ => None,
        }
    }
}
