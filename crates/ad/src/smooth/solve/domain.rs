//! Where a function is certainly defined, and continuous.

use super::Function;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::machine::{Branches, Target};

/// A range is cut into at most this many pieces.
const MOST_PIECES: usize = 256;

impl<C: Hooked> Function<'_, '_, C> {
    /// Whether the function is certainly defined at every place of `span`. The captures must be
    /// [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_defined_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        self.holds_on(span, |_| true)
    }

    /// Whether the function is certainly continuous at every place of `span`: defined there, and no sign and no angle in it jumps. The
    /// captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_continuous_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        self.holds_on(span, |branches| !branches.undecided.iter().any(|switch| self.block.may_jump_at(*switch)))
    }

    /// Whether the function is certainly defined on parts of `span` that make it up, and its undecided branches on each are as wanted.
    fn holds_on(&self, span: &C::Num, wanted: impl Fn(&Branches) -> bool) -> Result<bool, SmoothError> {
        let context = self.context();
        let mut rest = vec![span.clone()];
        let mut pieces = 1;
        while let Some(piece) = rest.pop() {
            let mut branches = Branches::default();
            let value = self.value(&piece, &mut branches, Target::Outputs)?;
            if context.is_defined(&value) && wanted(&branches) {
                continue;
            }
            let (Some(left), Some(right)) = (context.lower(&piece), context.upper(&piece)) else { return Ok(false) };
            let middle = context.midpoint(&piece);
            let inside = context.strictly_below(&left, &middle) && context.strictly_below(&middle, &right);
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
