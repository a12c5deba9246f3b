//! What a tier has to supply: arithmetic on the ends of intervals, rounded in a given direction.
//!
//! The analysis of cases that makes interval arithmetic out of this is written once, in
//! [`arithmetic`](super::arithmetic) and [`elementary`](super::elementary). A tier that implements [`Ends`] is a
//! [`Context`](super::context::Context).
//!
//! Laws: every function with a [`Direction`] answers a bound on that side of the exact result, and the exact result
//! itself where that is representable and an exact case (arithmetic, powers, roots; 0 and 1 for the elementary
//! functions). No answer is NaN; a lower bound is never +∞, an upper bound never -∞, unless an argument was infinite.

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
    /// The other one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Direction::Down => Direction::Up,
            Direction::Up => Direction::Down,
        }
    }
}

/// An end of an interval: a dyadic number or an infinity, never NaN.
pub trait End: Clone + Debug + PartialOrd + PartialOrd<f64> + Send + Sync + 'static {
    /// Whether it is a number.
    fn is_finite(&self) -> bool;
    /// x ≥ 0
    #[inline(always)]
    fn is_nonnegative(&self) -> bool {
        *self >= 0.0
    }
    /// x ≤ 0
    #[inline(always)]
    fn is_nonpositive(&self) -> bool {
        *self <= 0.0
    }
    /// x > 0
    #[inline(always)]
    fn is_positive(&self) -> bool {
        *self > 0.0
    }
    /// x < 0
    #[inline(always)]
    fn is_negative(&self) -> bool {
        *self < 0.0
    }
    /// -x, exactly.
    fn negated(&self) -> Self;
    /// The same number, exactly.
    fn to_float(&self) -> Float;
    /// |x|, rounded up.
    fn magnitude(&self) -> Magnitude;
    /// The greatest integer ≤ x.
    fn floor(&self) -> Self;
}

/// Arithmetic on ends, rounded. See the [module](self) for the laws.
pub trait Ends: Clone + Debug + Send + Sync + 'static {
    /// The ends.
    type End: End;

    /// The precision in bits.
    fn bits(&self) -> u32;
    /// The same at twice the precision, where there is one.
    fn doubled(&self) -> Option<Self>
    where
        Self: Sized;
    /// A function given from outside.
    fn extend(&self, f: &dyn Extension, inputs: &[Interval<Self::End>]) -> Interval<Self::End>;
    /// A small integer, exactly.
    fn small(&self, n: i8) -> Self::End;
    /// +∞ for `Up`, -∞ for `Down`: the bound that is always right.
    fn infinite(&self, direction: Direction) -> Self::End;
    /// An integer.
    fn whole(&self, direction: Direction, n: i64) -> Self::End;
    /// A number or an infinity of any precision, never NaN.
    fn round(&self, direction: Direction, x: &Float) -> Self::End;
    /// A rational number.
    fn fraction(&self, direction: Direction, q: &Rational) -> Self::End;
    /// π
    fn circle(&self, direction: Direction) -> Self::End;
    /// a + b, not the sum of two different infinities.
    fn sum(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// a - b, not the difference of two equal infinities.
    fn difference(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// a·b, not 0·∞.
    fn product(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// a/b for b ≠ 0, not ∞/∞.
    fn quotient(&self, direction: Direction, a: &Self::End, b: &Self::End) -> Self::End;
    /// aⁿ for a ≥ 0 and n ≥ 1.
    fn nth_power(&self, direction: Direction, a: &Self::End, n: u32) -> Self::End;
    /// The n-th root of a ≥ 0, for n ≥ 1.
    fn nth_root(&self, direction: Direction, a: &Self::End, n: u32) -> Self::End;
    /// f(x) for x in the closure of the domain of `f`, not an end of it where `f` is unbounded. Infinite arguments
    /// stand for the limit, and are not given to `Sin`, `Cos`, `Tan`; of a finite argument too far out to reduce, these
    /// answer their whole range. No argument is a pole.
    fn value(&self, direction: Direction, f: Function, x: &Self::End) -> Self::End;
    /// The values in both directions at once.
    fn values(&self, f: Function, x: &Self::End) -> (Self::End, Self::End) {
        (self.value(Direction::Down, f, x), self.value(Direction::Up, f, x))
    }
    /// The image of an interval under a function; `None` where the general rule is to be used.
    fn thin_image(&self, f: Function, a: &Interval<Self::End>) -> Option<Interval<Self::End>> {
        let _ = (f, a);
        None
    }
    /// f(a, b) at the corner of a box on which `f` is smooth. One infinite argument stands for the limit.
    fn planar(&self, direction: Direction, f: Planar, a: &Self::End, b: &Self::End) -> Self::End;
    /// The quadrant of a finite angle, ⌊x/(π/2)⌋ mod 4, for |x| > π/2; `None` where it would cost too much.
    fn far_quadrant(&self, x: &Self::End) -> Option<u8>;
    /// The Bernoulli number B₂ⱼ, j ≥ 1.
    fn bernoulli(&self, j: usize) -> Interval<Self::End> {
        let number = gamma::bernoulli(j);
        Interval::new(self.fraction(Direction::Down, &number), self.fraction(Direction::Up, &number), true)
    }
    /// A finite number between two finite ends, near the middle.
    fn between(&self, lo: &Self::End, hi: &Self::End) -> Self::End;
    /// a + b as intervals; `None` where the general rule is to be used.
    #[inline(always)]
    fn swift_sum(&self, a: &Interval<Self::End>, b: &Interval<Self::End>) -> Option<Interval<Self::End>> {
        let _ = (a, b);
        None
    }
    /// a·b as intervals; `None` where the general rule is to be used.
    #[inline(always)]
    fn swift_product(&self, a: &Interval<Self::End>, b: &Interval<Self::End>) -> Option<Interval<Self::End>> {
        let _ = (a, b);
        None
    }
    /// n·a as intervals; `None` where the general rule is to be used.
    #[inline(always)]
    fn swift_multiple(&self, a: &Interval<Self::End>, n: i64) -> Option<Interval<Self::End>> {
        let _ = (a, n);
        None
    }
    /// a/n as intervals; `None` where the general rule is to be used.
    #[inline(always)]
    fn swift_part(&self, a: &Interval<Self::End>, n: u64) -> Option<Interval<Self::End>> {
        let _ = (a, n);
        None
    }
    /// acc := acc + a·b as intervals; answers `false`, and leaves `acc` alone, where the general rule is to be used.
    #[inline(always)]
    fn accumulate(&self, acc: &mut Interval<Self::End>, a: &Interval<Self::End>, b: &Interval<Self::End>) -> bool {
        let _ = (acc, a, b);
        false
    }
}

/// The quadrant of an angle, from the signs of its sine and its cosine; `None` when one of them is 0.
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
