//! Where a function is certainly defined.

use super::Function;
use crate::number::context::Context;
use crate::smooth::error::SmoothError;
use crate::smooth::machine::{Branches, Target};

/// A range is cut into at most this many pieces.
const MOST_PIECES: usize = 256;

impl<C: Context> Function<'_, '_, C> {
    /// Whether the function is certainly defined at every place of `span`. The captures must be
    /// [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_defined_on(&self, span: &C::Num) -> Result<bool, SmoothError> {
        let context = self.context();
        let mut rest = vec![span.clone()];
        let mut pieces = 1;
        while let Some(piece) = rest.pop() {
            let value = self.value(&piece, &mut Branches::default(), Target::Outputs)?;
            if context.is_defined(&value) {
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
