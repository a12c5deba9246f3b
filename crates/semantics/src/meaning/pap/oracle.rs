//! Who decides.

use super::hooks::{self, Hooks};
use crate::number::Rational;
use crate::pieces::Guard;
use crate::smooth::graph::{Graph, Variable};
use crate::value::ValueError;
use std::fmt;

/// A question to an oracle.
#[derive(Debug)]
pub struct Asked {
    /// The guard, at the points of all derivatives that are being taken.
    pub guard: Guard,
    /// Whether it is a condition of an operation, without which that has no value.
    pub is_condition: bool,
    /// The point of the derivative with whose variable the guard varies, where it does.
    pub at: Option<Graph>,
}

/// What decides guards while a program is run.
pub trait Oracle: fmt::Debug + Send + Sync + 'static {
    /// Whether a guard holds.
    ///
    /// # Errors
    /// That it was not decided.
    fn decide(&self, asked: &Asked) -> Result<bool, ValueError>;

    /// The answer, where it was given in an earlier run: what is found at once.
    fn known(&self, _: &Guard) -> Option<bool> {
        None
    }

    /// A whole number that is less than 1 away from a number, beside the point or at it; where the oracle knows one.
    fn whole_near(&self, _: &Graph) -> Option<Rational> {
        None
    }

    /// The variables of the functions that are run, but for those of derivatives within them.
    fn variables(&self) -> &[Variable] {
        &[]
    }

    /// What is asked where a clause may be replaced.
    fn hooks(&self) -> &dyn Hooks {
        &hooks::Library
    }
}
