//! The arithmetic on the ends of intervals that a number type must supply, rounded in a given direction.
//!
//! The analysis of cases that makes interval arithmetic of it is written once, in [`arithmetic`](super::arithmetic) and
//! [`elementary`](super::elementary). A type that implements [`EndpointArithmetic`] is a [`Context`](super::context::Context).
//!
//! Laws: every function with a [`Direction`] returns a bound on that side of the exact result. If the exact result is
//! representable and an exact case (arithmetic, powers, roots; 0 and 1 for the elementary functions), it is returned itself. No
//! result is NaN; a lower bound is never +∞ and an upper bound never -∞, unless an argument was infinite.

use super::context::{Function, Planar};
use super::extension::Extension;
use super::gamma;
use super::interval::Interval;
use super::magnitude::Magnitude;
use rug::{Float, Rational};
use std::cmp::Ordering;
use std::fmt::Debug;

/// The side of the exact result on which a rounded one must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Towards -∞, for lower ends.
    Down,
    /// Towards +∞, for upper ends.
    Up,
}

impl Direction {
    /// Returns the opposite direction.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Direction::Down => Direction::Up,
            Direction::Up => Direction::Down,
        }
    }
}

/// An end of an interval: a dyadic number or an infinity, never NaN.
pub trait Endpoint: Clone + Debug + PartialOrd + PartialOrd<f64> + Send + Sync + 'static {
    /// Returns `true` if the end is a number, not an infinity.
    fn is_finite(&self) -> bool;
    /// Returns `true` if x ≥ 0.
    #[inline(always)]
    fn is_nonnegative(&self) -> bool {
        *self >= 0.0
    }
    /// Returns `true` if x ≤ 0.
    #[inline(always)]
    fn is_nonpositive(&self) -> bool {
        *self <= 0.0
    }
    /// Returns `true` if x > 0.
    #[inline(always)]
    fn is_positive(&self) -> bool {
        *self > 0.0
    }
    /// Returns `true` if x < 0.
    #[inline(always)]
    fn is_negative(&self) -> bool {
        *self < 0.0
    }
    /// Returns -x, exactly.
    fn negated(&self) -> Self;
    /// Converts the end to a `Float`, exactly.
    fn to_float(&self) -> Float;
    /// Returns |x|, rounded up.
    fn magnitude(&self) -> Magnitude;
    /// Returns the greatest integer ≤ x.
    fn floor(&self) -> Self;
}

/// Arithmetic on ends, rounded. See the [module](self) for the laws.
pub trait EndpointArithmetic: Clone + Debug + Send + Sync + 'static {
    /// The type of the ends.
    type End: Endpoint;

    /// Returns the precision in bits.
    fn bits(&self) -> u32;
    /// Returns the arithmetic of twice the precision; `None` if there is none.
    fn doubled_precision(&self) -> Option<Self>
    where
        Self: Sized;
    /// Evaluates a function given from outside.
    fn eval_extension(&self, f: &dyn Extension, inputs: &[Interval<Self::End>]) -> Interval<Self::End>;
    /// Returns a small integer, exactly.
    fn small_integer(&self, n: i8) -> Self::End;
    /// Returns +∞ for `Up` and -∞ for `Down`: valid bounds of every number.
    fn signed_infinity(&self, direction: Direction) -> Self::End;
    /// Returns an integer, rounded.
    fn round_integer(&self, direction: Direction, n: i64) -> Self::End;
    /// Rounds a number or an infinity of any precision, never NaN.
    fn round_float(&self, direction: Direction, x: &Float) -> Self::End;
    /// Returns a rational number, rounded.
    fn round_rational(&self, direction: Direction, q: &Rational) -> Self::End;
    /// Returns π, rounded.
    fn round_pi(&self, direction: Direction) -> Self::End;
    /// Returns a + b, rounded; not for two different infinities.
    fn add_rounded(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// Returns a - b, rounded; not for two equal infinities.
    fn sub_rounded(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// Returns a·b, rounded. For 0·∞ the result is not finite, perhaps NaN.
    fn mul_rounded(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// Returns a/b, rounded, for b ≠ 0; not for ∞/∞.
    fn div_rounded(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// Returns aⁿ, rounded, for a ≥ 0 and n ≥ 1.
    fn power_rounded(&self, direction: Direction, a: &Self::End, n: u32) -> Self::End;
    /// Returns the n-th root of a ≥ 0, rounded, for n ≥ 1.
    fn root_rounded(&self, direction: Direction, a: &Self::End, n: u32) -> Self::End;
    /// Returns a bound of f(x) for x in the closure of the domain of `f`, not an end of it where `f` is unbounded.
    ///
    /// Infinite arguments stand for the limit, and are not given to `Sin`, `Cos` and `Tan`. For a finite argument too large to
    /// reduce, these return a bound of their whole range. No argument is a pole.
    fn eval_rounded(&self, direction: Direction, f: Function, x: &Self::End) -> Self::End;
    /// Returns the lower and the upper bound of f(x).
    fn eval_bounds(&self, f: Function, x: &Self::End) -> (Self::End, Self::End) {
        (self.eval_rounded(Direction::Down, f, x), self.eval_rounded(Direction::Up, f, x))
    }
    /// Encloses the image of an interval under a function by a faster method; `None` if the general rule is to be used.
    fn mean_value_image(&self, f: Function, a: &Interval<Self::End>) -> Option<Interval<Self::End>> {
        let _ = (f, a);
        None
    }
    /// Returns a bound of f(a, b) at the corner of a box on which `f` is smooth. One infinite argument stands for the limit.
    fn eval_binary_rounded(&self, direction: Direction, f: Planar, a: &Self::End, b: &Self::End) -> Self::End;
    /// Returns the quadrant of a finite angle, ⌊x/(π/2)⌋ mod 4, for |x| > π/2; `None` if it would cost too much.
    fn quadrant_of_large(&self, x: &Self::End) -> Option<u8>;
    /// Encloses the Bernoulli number B₂ⱼ, j ≥ 1.
    fn bernoulli_number(&self, j: usize) -> Interval<Self::End> {
        let number = gamma::bernoulli_number(j);
        Interval::new(self.round_rational(Direction::Down, &number), self.round_rational(Direction::Up, &number), true)
    }
    /// Returns a finite number between two finite ends, near the middle.
    fn middle_between(&self, lo: &Self::End, hi: &Self::End) -> Self::End;
    /// Encloses a + b by a faster method; `None` if the general rule is to be used.
    #[inline(always)]
    fn add_fast(&self, a: &Interval<Self::End>, b: &Interval<Self::End>) -> Option<Interval<Self::End>> {
        let _ = (a, b);
        None
    }
    /// Encloses a·b by a faster method; `None` if the general rule is to be used.
    #[inline(always)]
    fn mul_fast(&self, a: &Interval<Self::End>, b: &Interval<Self::End>) -> Option<Interval<Self::End>> {
        let _ = (a, b);
        None
    }
    /// Encloses n·a by a faster method; `None` if the general rule is to be used.
    #[inline(always)]
    fn scale_fast(&self, a: &Interval<Self::End>, n: i64) -> Option<Interval<Self::End>> {
        let _ = (a, n);
        None
    }
    /// Encloses a/n by a faster method; `None` if the general rule is to be used.
    #[inline(always)]
    fn divide_fast(&self, a: &Interval<Self::End>, n: u64) -> Option<Interval<Self::End>> {
        let _ = (a, n);
        None
    }
    /// Sets acc := acc + a·b by a faster method. Returns `false`, and leaves `acc` alone, if the general rule is to be used.
    #[inline(always)]
    fn mul_add_fast(&self, acc: &mut Interval<Self::End>, a: &Interval<Self::End>, b: &Interval<Self::End>) -> bool {
        let _ = (acc, a, b);
        false
    }
}

/// Returns the quadrant of an angle, from the signs of its sine and its cosine; `None` if one of them is 0.
#[must_use]
pub fn quadrant_of_signs(sine: Ordering, cosine: Ordering) -> Option<u8> {
    use Ordering::{Greater, Less};
    match (sine, cosine) {
        (Greater, Greater) => Some(0),
        (Greater, Less) => Some(1),
        (Less, Less) => Some(2),
        (Less, Greater) => Some(3),
        _ => None,
    }
}
