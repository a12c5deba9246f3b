//! Truth values of answers, which may be undecided.

use super::{Carrier, TruthType};
use crate::number::real;
use std::sync::Arc;

/// A truth value of an answer: tt, ff, or undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerTruth {
    /// A decided truth value.
    Decided(bool),
    /// An undecided truth value, with the number whose sign would decide it. That number is 0 or is not separated from
    /// 0. The text is empty if a note of the answer names the number.
    Undecided(Arc<str>),
}

impl From<bool> for AnswerTruth {
    fn from(value: bool) -> Self {
        Self::Decided(value)
    }
}

impl TruthType for AnswerTruth {
    fn decided_value(&self) -> Option<bool> {
        match self {
            Self::Decided(value) => Some(*value),
            Self::Undecided(_) => None,
        }
    }
    fn negate(&self) -> Self {
        match self {
            // The same number decides the negation.
            Self::Decided(value) => Self::Decided(!value),
            Self::Undecided(_) => self.clone(),
        }
    }
}

/// Enclosures that record how each was found.
impl Carrier for Box<real::RefinedEnclosure> {
    type Truth = AnswerTruth;
    type Tangent = ();
}
