//! Intervals whose endpoints are numbers of one precision.
//!
//! The number type of every [`Context`](super::context::Context) of this library: two ends and one bit. This module has the
//! operations on an interval that round nothing. Those that compute are in [`arithmetic`](super::arithmetic) and
//! [`elementary`](super::elementary).

use super::ends::Direction::{Down, Up};
use super::ends::{Endpoint, EndpointArithmetic};
use std::fmt::{self, Debug};
use std::ops::{BitAnd, BitOr};

/// A flag for certain definedness, as wide as a double, so that an interval of doubles is copied in whole words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct DefinedFlag(u64);

impl From<bool> for DefinedFlag {
    #[inline(always)]
    fn from(defined: bool) -> Self {
        Self(u64::from(defined))
    }
}

impl From<DefinedFlag> for bool {
    #[inline(always)]
    fn from(defined: DefinedFlag) -> Self {
        defined.0 != 0
    }
}

impl BitAnd for DefinedFlag {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for DefinedFlag {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A closed interval with ends of type `E`, and a flag that the expression it encloses is certainly defined.
///
/// `-∞ ≤ lo ≤ hi ≤ +∞`, not both ends the same infinity, never NaN.
#[derive(Clone, Copy)]
pub struct Interval<E> {
    pub(super) lo: E,
    pub(super) hi: E,
    pub(super) defined: DefinedFlag,
}

impl<E: Debug> Debug for Interval<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defined = if self.defined.into() { "" } else { ", not known to be defined" };
        write!(f, "[{:?}, {:?}]{defined}", self.lo, self.hi)
    }
}

impl<E: Endpoint> Interval<E> {
    /// Returns the lower end.
    pub fn lo(&self) -> &E {
        &self.lo
    }

    /// Returns the upper end.
    pub fn hi(&self) -> &E {
        &self.hi
    }

    /// Returns `true` if the expression is certainly defined.
    pub fn is_defined(&self) -> bool {
        self.defined.into()
    }

    #[inline]
    /// Builds an interval from ends in order, `lo ≤ hi`.
    pub(super) fn new(lo: E, hi: E, defined: impl Into<DefinedFlag>) -> Self {
        debug_assert!(lo <= hi, "an interval with ends in the wrong order: {lo:?}, {hi:?}");
        Self { lo, hi, defined: defined.into() }
    }

    /// Builds the interval of one finite number, defined.
    #[inline]
    pub fn point(x: E) -> Self {
        Self { hi: x.clone(), lo: x, defined: true.into() }
    }

    /// Builds the whole line.
    /// Returns `true` if 0 lies in the interval.
    /// Returns `true` if both ends are finite.
    /// Returns `true` if the interval is one number.
    #[inline]
    pub(super) fn whole_line<T: EndpointArithmetic<End = E>>(tier: &T, defined: impl Into<DefinedFlag>) -> Self {
        Self { lo: tier.signed_infinity(Down), hi: tier.signed_infinity(Up), defined: defined.into() }
    }

    #[inline]
    pub(super) fn has_zero(&self) -> bool {
        self.lo.is_nonpositive() && self.hi.is_nonnegative()
    }

    #[inline]
    pub(super) fn has_finite_ends(&self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    #[inline]
    pub(super) fn is_degenerate(&self) -> bool {
        self.lo == self.hi
    }

    /// Returns the ends of the absolute value: 0 is one of them if the signs of the ends differ.
    pub(super) fn absolute_ends(&self, zero: E) -> (E, E) {
        if self.lo.is_nonnegative() {
            (self.lo.clone(), self.hi.clone())
        } else if self.hi.is_nonpositive() {
            (self.hi.negated(), self.lo.negated())
        } else {
            (zero, max_end(self.lo.negated(), self.hi.clone()))
        }
    }
}

/// Returns the smaller of two ends.
/// Returns the larger of two ends.
#[inline]
pub(super) fn min_end<E: Endpoint>(a: E, b: E) -> E {
    if b < a { b } else { a }
}

#[inline]
pub(super) fn max_end<E: Endpoint>(a: E, b: E) -> E {
    if b > a { b } else { a }
}
