//! Truth values of answers, which may be undecided.

use super::{Carrier, Truth};
use crate::number::real;
use std::sync::Arc;

/// A truth value of an answer: tt, ff, or undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A decided truth value.
    Known(bool),
    /// An undecided truth value, with the number whose sign would decide it. That number is 0 or is not separated from
    /// 0. The text is empty if a note of the answer names the number.
    Border(Arc<str>),
}

impl From<bool> for Decision {
    fn from(value: bool) -> Self {
        Self::Known(value)
    }
}

impl Truth for Decision {
    fn known(&self) -> Option<bool> {
        match self {
            Self::Known(value) => Some(*value),
            Self::Border(_) => None,
        }
    }
    fn negated(&self) -> Self {
        match self {
            // The same number decides the negation.
            Self::Known(value) => Self::Known(!value),
            Self::Border(_) => self.clone(),
        }
    }
}

/// Enclosures that record how each was found.
impl Carrier for Box<real::Refined> {
    type Truth = Decision;
    type Tangent = ();
}
