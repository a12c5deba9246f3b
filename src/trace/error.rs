//! Why a term has no value: it is undefined, or it was not found out whether it is.

use super::accumulate::LITERAL_NODES;
use super::term::Site;
use crate::failure::{ErrorKind, Failure};
use crate::model::answer::Cause;
use std::fmt;

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
    /// No rule applies; this does not happen to well-typed terms.
    #[error("no rule of the semantics applies to {construct}; the term has no type")]
    Stuck {
        /// Where.
        construct: &'static str,
    },
}

/// There is no value, or none was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// Why.
    pub cause: Cause,
    /// The operation or predicate, as the language writes it; for [`Cause::Fuel`], what was used up.
    pub operation: String,
    /// Where it stands.
    pub site: Site,
    /// How nearly the two sides are known to agree, where it was not decided: to within 2 to this power.
    pub agreement: Option<i64>,
    /// With how many bits that was found.
    pub bits: Option<u32>,
    /// Whether it is certain that there is no value: at a boundary, outside of a domain, and where a limited recursion has
    /// reached its limit.
    pub certain: bool,
}

impl Undefined {
    /// Of an operation.
    #[must_use]
    pub fn of(cause: Cause, operation: impl fmt::Display) -> Undefined {
        let certain = matches!(cause, Cause::Boundary | Cause::Domain);
        let operation = operation.to_string();
        Undefined { cause, operation, site: Site::NOWHERE, agreement: None, bits: None, certain }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = &self.operation;
        match self.cause {
            Cause::Boundary => write!(f, "undefined: `{operation}` is at the edge of where it is defined")?,
            Cause::Domain => write!(f, "undefined: `{operation}` is outside of its domain")?,
            Cause::Undecided => {
                write!(f, "undefined, or not shown to be defined: `{operation}` was not decided")?;
                if let Some(bits) = self.bits {
                    write!(f, " with {bits} bits")?;
                }
                if let Some(power) = self.agreement {
                    write!(f, "; the two sides agree to within 2^{power}")?;
                }
            }
            Cause::Fuel if self.certain => write!(f, "undefined: {operation}")?,
            Cause::Fuel => write!(f, "undefined, or not found out in time: {operation}")?,
        }
        Ok(())
    }
}

impl std::error::Error for Undefined {}

impl Failure for Obstacle {
    fn kind(&self) -> ErrorKind {
        match self {
            Obstacle::Undefined(_) | Obstacle::TooLarge => ErrorKind::Limit,
            Obstacle::Lacks { .. } => ErrorKind::Unsupported,
            Obstacle::Stuck { .. } => ErrorKind::Wrong,
        }
    }
}

impl Obstacle {
    /// The same, at a place, unless it has one.
    #[must_use]
    pub fn at(mut self, site: Site) -> Obstacle {
        if let Obstacle::Undefined(undefined) = &mut self
            && undefined.site == Site::NOWHERE
        {
            undefined.site = site;
        }
        self
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
