//! Kinds of errors, for callers that only pass an error on: a kind says how to remedy the error.

use std::error::Error;

/// The kind of an error, by its remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input is invalid: no program, a value of another type, a wrong dimension, or a broken promise. Another input has an
    /// answer.
    InvalidInput,
    /// The input is valid, but the chosen semantics does not define it. Another semantics may have an answer.
    Unsupported,
    /// A limit of time, of steps or of depth was met. A larger limit, or a shorter program, may give an answer.
    Limit,
    /// Two enclosures of one number are disjoint. A primitive or a rule given from outside is wrong, or this library is.
    DisjointEnclosures,
}

/// An error with a kind.
pub trait ErrorWithKind: Error + Send + Sync {
    /// Returns the kind of the error, which determines its remedy.
    fn kind(&self) -> ErrorKind;
}
