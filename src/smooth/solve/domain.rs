//! Where a function is certainly defined, for all inputs near the ones given.
//!
//! A derivative at a point says something about a neighbourhood: `c ↦ max01 (x ↦ √(x - c))` has a value at c = 0 and for
//! no c > 0, so it has no derivative at 0. The searches look at the inputs as given; this looks at a little more.

use super::Function;
use crate::number::Rational;
use crate::number::context::Context;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Target};

/// A range is cut into at most this many pieces.
const MOST_PIECES: usize = 256;

impl<C: Context> Function<'_, '_, C> {
    /// Whether the function is certainly defined at every place of `span`, for all inputs in a neighbourhood of the ones
    /// given, as far as they vary.
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_defined_nearby(&self, span: &C::Num) -> Result<bool, SmoothError> {
        if self.captures.iter().all(Jet::is_constant) {
            return Ok(true);
        }
        let near: Vec<_> = self.captures.iter().map(|c| self.neighbourhood(c)).collect();
        self.with(&near).is_defined_on(span)
    }

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

    /// The value of an input and, if it varies, a little round it.
    fn neighbourhood(&self, input: &Jet<C::Num>) -> Jet<C::Num> {
        let context = self.context();
        let value = input.get(0).cloned().unwrap_or_else(|| context.integer(0));
        if input.is_constant() {
            return Jet::constant(value);
        }
        let radius = context.rational(&(Rational::from(1) >> (context.precision() * 3 / 4)));
        let scale = context.max(&context.abs(&value), &context.integer(1));
        let reach = context.mul(&radius, &scale);
        Jet::constant(context.hull(&context.sub(&value, &reach), &context.add(&value, &reach)))
    }
}
