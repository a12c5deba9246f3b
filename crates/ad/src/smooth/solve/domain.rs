//! Certain definedness and continuity of a function on a range.

use super::SolverFunction;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::{BranchDecisions, EvalTarget};

/// The number of pieces into which a range is cut, at most. A choice.
const MOST_PIECES: usize = 256;

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns `true` if the function is certainly defined at every point of `span`. The captures must be
    /// [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_defined_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        self.is_defined_with(span, |_| true)
    }

    /// Returns `true` if the function is certainly continuous at every point of `span`: defined there, without jumps of
    /// signs or angles. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_continuous_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        self.is_defined_with(span, |branches| !branches.undecided.iter().any(|switch| self.block.may_jump_at(*switch)))
    }

    /// Returns `true` if `span` falls into parts, on each of which the function is certainly defined and its undecided
    /// branches are `wanted`.
    fn is_defined_with(&self, span: &C::Num, wanted: impl Fn(&BranchDecisions) -> bool) -> Result<bool, SmoothError> {
        let context = self.context();
        let mut rest = vec![span.clone()];
        let mut pieces = 1;
        while let Some(piece) = rest.pop() {
            let mut branches = BranchDecisions::default();
            let value = self.value_over(&piece, &mut branches, EvalTarget::Outputs)?;
            if context.is_defined(&value) && wanted(&branches) {
                continue;
            }
            // Undecided on this part: it is halved, unless that has become too expensive or impossible.
            let (Some(left), Some(right)) = (context.lower(&piece), context.upper(&piece)) else { return Ok(false) };
            let middle = context.midpoint(&piece);
            let inside = context.is_strictly_below(&left, &middle) && context.is_strictly_below(&middle, &right);
            if !inside || pieces == MOST_PIECES || !self.machine.effort.budget.spend(1) {
                return Ok(false);
            }
            pieces += 1;
            rest.push(context.hull(&middle, &right));
            rest.push(context.hull(&left, &middle));
        }
        Ok(true)
    }
}
