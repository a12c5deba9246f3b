//! Truth values of answers, which need not be decided.

use super::{Carrier, Truth};
use crate::number::real;
use std::sync::Arc;

/// A truth value of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// One that is decided.
    Known(bool),
    /// One that is not, and the number that is 0 there, or not told from 0: that at whose sign the border lies. It is empty where a remark
    /// tells it.
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
            Self::Known(value) => Self::Known(!value),
            Self::Border(_) => self.clone(),
        }
    }
}

/// An enclosure of which it is known how it was found.
impl Carrier for Box<real::Refined> {
    type Truth = Decision;
    type Tangent = ();
}
