//! Operations on natural numbers: one table for reduction, normal forms and evaluators.

use super::Constant;

/// A natural number or a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscreteValue {
    /// A natural number.
    Natural(u64),
    /// A truth value.
    Truth(bool),
}

impl Constant {
    /// Returns the operation of the constant on two natural numbers, `None` if it has none. The operation itself
    /// returns `None` if the result is negative or does not fit into `u64`.
    #[must_use]
    pub fn natural_operation(self) -> Option<fn(u64, u64) -> Option<DiscreteValue>> {
        use DiscreteValue::{Natural, Truth};
        Some(match self {
            Constant::Add => |x, y| x.checked_add(y).map(Natural),
            // A difference with `Nat` written somewhere stops at 0; the other one, below, is refused there.
            Constant::Subtract => |x, y| Some(Natural(x.saturating_sub(y))),
            Constant::NaturalDifference => |x, y| x.checked_sub(y).map(Natural),
            Constant::NaturalProduct => |x, y| x.checked_mul(y).map(Natural),
            Constant::Equal => |x, y| Some(Truth(x == y)),
            Constant::NotEqual => |x, y| Some(Truth(x != y)),
            Constant::Less => |x, y| Some(Truth(x < y)),
            Constant::LessEqual => |x, y| Some(Truth(x <= y)),
            Constant::Greater => |x, y| Some(Truth(x > y)),
            Constant::GreaterEqual => |x, y| Some(Truth(x >= y)),
            _ => return None,
        })
    }
}
