//! Oracles: the decision of guards.

use super::hooks::{self, PiecewiseHooks};
use crate::number::Rational;
use crate::pieces::SignGuard;
use crate::smooth::graph::{Graph, Variable};
use crate::value::ValueError;
use std::fmt;

/// A question to an oracle: a guard and its role.
#[derive(Debug)]
pub struct GuardQuery {
    /// The guard, with the points of all enclosing derivatives substituted.
    pub guard: SignGuard,
    /// `true` if the guard is a condition under which an operation is defined.
    pub is_condition: bool,
    /// The point of the innermost derivative whose variable the guard depends on; `None` if there is none.
    pub at: Option<Graph>,
}

/// The decision of guards while a program is run.
pub trait Oracle: fmt::Debug + Send + Sync + 'static {
    /// Decides whether a guard holds.
    ///
    /// # Errors
    /// The guard is undecided.
    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError>;

    /// Returns the answer of an earlier run, without any work; `None` if there is none.
    fn replayed_answer(&self, _: &SignGuard) -> Option<bool> {
        None
    }

    /// Returns an integer less than 1 away from a number at or beside the point; `None` if the oracle knows none.
    fn nearby_integer(&self, _: &Graph) -> Option<Rational> {
        None
    }

    /// Returns the variables of the functions that are run, without those of derivatives within them.
    fn run_variables(&self) -> &[Variable] {
        &[]
    }

    /// Returns the clauses of the semantics.
    fn hooks(&self) -> &dyn PiecewiseHooks {
        &hooks::DefaultPiecewiseHooks
    }
}
