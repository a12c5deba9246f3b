//! Errors as those see them who only pass them on: what can be done about one.

use std::error::Error;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The question is wrong: a program that is not one, a value of another type, a wrong dimension, a broken promise. Another
    /// question has an answer.
    Wrong,
    /// The question is right, and the model that was asked has no meaning for it. Another model may have an answer.
    Unsupported,
    /// A limit of time, of steps or of depth was met. More of it, or a shorter program, may have an answer.
    Limit,
    /// Two enclosures of one number are disjoint: what the answer rests on is wrong, be it a primitive or a rule from
    /// outside, or this library.
    Contradiction,
}

/// An error that knows its kind.
pub trait Failure: Error + Send + Sync {
    /// What can be done about it.
    fn kind(&self) -> ErrorKind;
}
