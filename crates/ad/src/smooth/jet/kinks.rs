//! max, min, abs and signum of jets: Clarke's rules (S §4.1, §4.3.2, E6).
//!
//! Away from a kink the jet of the branch that is taken. Where the branch is undecided: the value is the value; a
//! coefficient of total degree 1 is the hull of the branches' coefficients; one of higher degree is ⊥ (S10), unless it is
//! structurally zero.

use super::{Jet, Jets};
use crate::number::context::{Context, Sign};

/// Which branch of a kink, or which side of a choice, is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branch {
    /// The left argument of max or min; `a` itself for abs a; what a guard chooses where it holds.
    Left,
    /// The right argument of max or min; `-a` for abs a; what a guard chooses where it fails.
    Right,
    /// Not decided at this precision on this input.
    Undecided,
}

impl Branch {
    /// The branch by the sign of what decides it.
    #[must_use]
    pub fn of(sign: Sign) -> Self {
        match sign {
            Sign::Positive => Self::Left,
            Sign::Negative => Self::Right,
            Sign::Undecided => Self::Undecided,
        }
    }
}

impl Branch {
    /// The one that is not taken.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Undecided => Self::Undecided,
        }
    }
}

impl<C: Context> Jets<'_, C> {
    /// max(a, b) where the branch is undecided.
    #[must_use]
    pub fn undecided_maximum(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke(self.context.max(&self.value(a), &self.value(b)), a, b)
    }

    /// min(a, b) where the branch is undecided.
    #[must_use]
    pub fn undecided_minimum(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke(self.context.min(&self.value(a), &self.value(b)), a, b)
    }

    /// |a| where the sign of a is undecided.
    #[must_use]
    pub fn undecided_abs(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke(self.context.abs(&self.value(a)), a, &self.negate(a))
    }

    /// The sign of a.
    #[must_use]
    pub fn signum(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.signum(&self.value(a));
        match self.context.sign(&self.value(a)) {
            Sign::Positive | Sign::Negative => Jet::constant(value),
            Sign::Undecided => self.bottom_beyond(value, &[a]),
        }
    }

    /// a or b by the sign of a guard that is not decided: the hull of both, not defined, and no derivative. What the guard
    /// depends on, the choice depends on.
    #[must_use]
    pub fn undecided_choice(&self, guard: &Jet<C::Num>, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.undefined(self.context.hull(&self.value(a), &self.value(b)));
        self.bottom_beyond(value, &[guard, a, b])
    }

    /// The hull of two branches at order 1, ⊥ beyond.
    #[must_use]
    pub fn clarke(&self, value: C::Num, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.joined(value, a, b, 1)
    }

    /// The hull of two branches up to an order, ⊥ beyond: where the branches meet, their derivatives of lower order agree.
    #[must_use]
    pub fn joined(&self, value: C::Num, a: &Jet<C::Num>, b: &Jet<C::Num>, order: u32) -> Jet<C::Num> {
        let defined = self.context.is_defined(&value);
        let mut y = self.bottom_beyond(value, &[a, b]);
        for monomial in 1..y.len() {
            if self.algebra.degree(monomial) <= order && y.get(monomial).is_some() {
                let zero = self.context.integer(0);
                let hull = self.context.hull(a.get(monomial).unwrap_or(&zero), b.get(monomial).unwrap_or(&zero));
                y.set(monomial, Some(if defined { hull } else { self.context.undefined(hull) }));
            }
        }
        y
    }
}
