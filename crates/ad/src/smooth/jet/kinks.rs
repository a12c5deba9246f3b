//! max, min, abs and signum of jets: Clarke's rules (S §4.1, §4.3.2, E6).
//!
//! Away from a kink the result is the jet of the branch that is taken. If the branch is undecided, the value is still
//! enclosed; a coefficient of total degree 1 is the hull of those of the branches; one of higher degree is ⊥ (S10),
//! unless it is structurally zero.

use super::{Jet, JetArithmetic};
use crate::number::context::{Context, Sign};

/// A branch of a kink or of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KinkBranch {
    /// The left argument of max or min; `a` itself for abs a; the result of a choice where its guard holds.
    Left,
    /// The right argument of max or min; `-a` for abs a; the result of a choice where its guard fails.
    Right,
    /// Not decided at this precision on this input.
    Undecided,
}

impl KinkBranch {
    /// Returns the branch for the sign of the number that decides it.
    #[must_use]
    pub fn from_sign(sign: Sign) -> Self {
        match sign {
            Sign::Positive => Self::Left,
            Sign::Negative => Self::Right,
            Sign::Undecided => Self::Undecided,
        }
    }
}

impl KinkBranch {
    /// Returns the branch that is not taken.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Undecided => Self::Undecided,
        }
    }
}

impl<C: Context> JetArithmetic<'_, C> {
    /// Returns max(a, b) for an undecided branch.
    #[must_use]
    pub fn undecided_maximum(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke_hull(self.context.max(&self.value_of(a), &self.value_of(b)), a, b)
    }

    /// Returns min(a, b) for an undecided branch.
    #[must_use]
    pub fn undecided_minimum(&self, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke_hull(self.context.min(&self.value_of(a), &self.value_of(b)), a, b)
    }

    /// Returns |a| for an undecided sign of a.
    #[must_use]
    pub fn undecided_abs(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        self.clarke_hull(self.context.abs(&self.value_of(a)), a, &self.negate(a))
    }

    /// Returns the sign of a. If undecided, its derivatives are ⊥.
    #[must_use]
    pub fn signum(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.signum(&self.value_of(a));
        match self.context.sign(&self.value_of(a)) {
            Sign::Positive | Sign::Negative => Jet::constant(value),
            Sign::Undecided => self.bottom_beyond(value, &[a]),
        }
    }

    /// Returns a or b by an undecided guard: the hull of both, not certainly defined, and without derivatives. The
    /// result depends on all generators of the guard.
    #[must_use]
    pub fn undecided_choice(&self, guard: &Jet<C::Num>, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        let value = self.context.mark_undefined(self.context.hull(&self.value_of(a), &self.value_of(b)));
        self.bottom_beyond(value, &[guard, a, b])
    }

    /// Returns the hull of two branches at order 1, ⊥ beyond.
    #[must_use]
    pub fn clarke_hull(&self, value: C::Num, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        self.hull_to_order(value, a, b, 1)
    }

    /// Returns the hull of two branches up to an order, ⊥ beyond, for branches whose derivatives of lower order agree
    /// where they meet.
    #[must_use]
    pub fn hull_to_order(&self, value: C::Num, a: &Jet<C::Num>, b: &Jet<C::Num>, order: u32) -> Jet<C::Num> {
        let defined = self.context.is_defined(&value);
        // ⊥ first; the orders that the branches bound are filled in below
        let mut y = self.bottom_beyond(value, &[a, b]);
        for monomial in 1..y.len() {
            if self.algebra.degree(monomial) <= order && y.get(monomial).is_some() {
                // a structural zero on one branch is a number 0 in the hull
                let zero = self.context.enclose_integer(0);
                let hull = self.context.hull(a.get(monomial).unwrap_or(&zero), b.get(monomial).unwrap_or(&zero));
                y.set(monomial, Some(if defined { hull } else { self.context.mark_undefined(hull) }));
            }
        }
        y
    }
}
