//! Interval arithmetic, written once for every precision.
//!
//! From [`EndpointArithmetic`] (arithmetic on ends, rounded in a given direction) this module makes a [`Context`] (arithmetic on intervals).
//! Sums, differences, products and quotients are those of Moore. The quotient by an interval that contains 0 is ⊥. The product of
//! an interval that contains 0 with an unbounded one is the whole line, because an enclosure approximates a number that a later
//! pass may know better: 0·⊥ is ⊥.
//!
//! Source: Moore, *Interval Analysis* (1966); IEEE 1788-2015, §10.5 for the functions of one variable.
//!
//! # Arithmetic on the ends of intervals
//!
//! The arithmetic on the ends of intervals that a number type must supply, rounded in a given direction.
//!
//! The analysis of cases that makes interval arithmetic of it is written once, in [`arithmetic`](super::arithmetic) and
//! [`elementary`]. A type that implements [`EndpointArithmetic`] is a [`Context`].
//!
//! Laws: every function with a [`Direction`] returns a bound on that side of the exact result. If the exact result is
//! representable and an exact case (arithmetic, powers, roots; 0 and 1 for the elementary functions), it is returned itself. No
//! result is NaN; a lower bound is never +∞ and an upper bound never -∞, unless an argument was infinite.
//!
//! # Intervals whose endpoints are numbers of one precision
//!
//! The number type of every [`Context`] of this library: two ends and one bit. This module has the
//! operations on an interval that round nothing. Those that compute are in [`arithmetic`](super::arithmetic) and
//! [`elementary`].
//!
//! # Interval extensions that are given from outside the library
//!
//! # The interface of interval arithmetic
//!
//! One trait, two precisions.
//!
//! A *context* computes with enclosures of real numbers at some precision. The context has the precision, the values have none.
//! Everything above this layer is written once, over `C: Context`. It runs in [`Double`] first, and in
//! [`Mpfr`] if that is not enough.
//!
//! A `Num` is an interval `[lo, hi]`, `-∞ ≤ lo ≤ hi ≤ +∞`, never empty, never NaN, together with one bit: *defined* says that the
//! expression it encloses is certainly defined, at every point of the inputs from which it was computed. A `Num` that is not
//! known to be defined may still carry a range: wherever the expression is defined, its value lies in the range.
//!
//! Laws (each is a test): every operation is outward (the true image of the inputs lies in the output) and isotone
//! (narrower inputs give an output inside the output of wider ones, up to rounding, and for elementary functions on
//! [thin](super::mpfr) intervals of many digits up to 2⁻²⁴ of its width); an operation applied to
//! anything not known to be defined is not known to be defined; operations whose exact result on points is
//! representable return that point (exactness on dyadics).

use super::budget::Budget;
use super::double::Double;
use super::elementary;
use super::enclosure::Enclosure;
use super::foreign::ExtensionFault;
use super::magnitude::Magnitude;
use super::mpfr::Mpfr;
use super::special::gamma;
use crate::function::{ArgumentCondition, Formula, FormulaStep, NumberSet, Region, TestedQuantity};
pub use crate::function::{Function, Planar};
use Direction::{Down, Up};
use rug::{Float, Rational};
use std::cmp::Ordering;
use std::fmt;
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr};

/// Returns a bound of an odd function at `x`, from its bounds at |x|.
fn eval_odd<E: Endpoint>(direction: Direction, x: &E, g: impl Fn(Direction, &E) -> E) -> E {
    if x.is_negative() { g(direction.opposite(), &x.negated()).negated() } else { g(direction, x) }
}

/// Returns `true` if one factor contains 0 and the other is unbounded.
#[inline]
pub(super) fn meets_zero_times_infinity<E: Endpoint>(a: &Interval<E>, b: &Interval<E>) -> bool {
    (a.has_zero() && !b.has_finite_ends()) || (b.has_zero() && !a.has_finite_ends())
}

/// Returns the ends whose products are the ends of a·b: the lower one of the first two, the upper one of the last two. `None` if
/// 0 lies strictly inside both, so that each end is the better of two products.
#[inline]
pub(super) fn select_factors<'a, E: Endpoint>(a: &'a Interval<E>, b: &'a Interval<E>) -> Option<[&'a E; 4]> {
    Some(if a.lo.is_nonnegative() {
        if b.lo.is_nonnegative() {
            [&a.lo, &b.lo, &a.hi, &b.hi]
        } else if b.hi.is_nonpositive() {
            [&a.hi, &b.lo, &a.lo, &b.hi]
        } else {
            [&a.hi, &b.lo, &a.hi, &b.hi]
        }
    } else if a.hi.is_nonpositive() {
        if b.lo.is_nonnegative() {
            [&a.lo, &b.hi, &a.hi, &b.lo]
        } else if b.hi.is_nonpositive() {
            [&a.hi, &b.hi, &a.lo, &b.lo]
        } else {
            [&a.lo, &b.hi, &a.lo, &b.lo]
        }
    } else if b.lo.is_nonnegative() {
        [&a.lo, &b.hi, &a.hi, &b.hi]
    } else if b.hi.is_nonpositive() {
        [&a.hi, &b.lo, &a.lo, &b.lo]
    } else {
        return None;
    })
}

impl<T: EndpointArithmetic> Context for T {
    type Num = Interval<T::End>;

    fn precision(&self) -> u32 {
        self.bits()
    }

    fn finer_context(&self) -> Option<Self> {
        self.doubled_precision()
    }

    fn apply_extension(&self, f: &dyn Extension, inputs: &[Self::Num]) -> Self::Num {
        self.eval_extension(f, inputs)
    }

    fn try_extension(
        &self,
        f: &dyn Extension,
        inputs: &[Self::Num],
        budget: &Budget,
    ) -> Result<Self::Num, ExtensionFault> {
        self.eval_fallible_extension(f, inputs, budget)
    }

    fn enclose_integer(&self, n: i64) -> Self::Num {
        Interval::new(self.round_integer(Down, n), self.round_integer(Up, n), true)
    }

    fn enclose_rational(&self, q: &Rational) -> Self::Num {
        Interval::new(self.round_rational(Down, q), self.round_rational(Up, q), true)
    }

    fn pi(&self) -> Self::Num {
        Interval::new(self.round_pi(Down), self.round_pi(Up), true)
    }

    fn enclose_euler(&self) -> Self::Num {
        let (lo, hi) = self.eval_bounds(Function::Exp, &self.small_integer(1));
        Interval::new(lo, hi, true)
    }

    fn bottom(&self) -> Self::Num {
        Interval::whole_line(self, false)
    }

    fn round_enclosure(&self, e: &Enclosure) -> Self::Num {
        Interval::new(self.round_float(Down, e.lo()), self.round_float(Up, e.hi()), e.is_defined())
    }

    fn to_enclosure(&self, x: &Self::Num) -> Enclosure {
        // The ends of an interval are in order, so that the fallback is never used.
        let whole = Enclosure::bottom().with_defined(x.is_defined());
        Enclosure::new(x.lo.to_float(), x.hi.to_float(), x.is_defined()).unwrap_or(whole)
    }

    fn is_defined(&self, x: &Self::Num) -> bool {
        x.is_defined()
    }

    fn mark_undefined(&self, x: Self::Num) -> Self::Num {
        Interval { defined: false.into(), ..x }
    }

    fn mark_defined(&self, x: Self::Num) -> Self::Num {
        Interval { defined: true.into(), ..x }
    }

    fn sign(&self, x: &Self::Num) -> Sign {
        if x.is_defined() && x.lo.is_positive() {
            Sign::Positive
        } else if x.is_defined() && x.hi.is_negative() {
            Sign::Negative
        } else {
            Sign::Undecided
        }
    }

    fn contains_zero(&self, x: &Self::Num) -> bool {
        x.has_zero()
    }

    fn is_nonnegative(&self, x: &Self::Num) -> bool {
        x.lo.is_nonnegative()
    }

    fn is_bounded(&self, x: &Self::Num) -> bool {
        x.has_finite_ends()
    }

    fn is_point(&self, x: &Self::Num) -> bool {
        x.is_degenerate()
    }

    fn width(&self, x: &Self::Num) -> Magnitude {
        if x.has_finite_ends() { self.sub_rounded(Up, &x.hi, &x.lo).magnitude() } else { Magnitude::INFINITY }
    }

    fn magnitude(&self, x: &Self::Num) -> Magnitude {
        x.lo.magnitude().max(x.hi.magnitude())
    }

    fn lower(&self, x: &Self::Num) -> Option<Self::Num> {
        x.lo.is_finite().then(|| Interval::point(x.lo.clone()))
    }

    fn upper(&self, x: &Self::Num) -> Option<Self::Num> {
        x.hi.is_finite().then(|| Interval::point(x.hi.clone()))
    }

    fn midpoint(&self, x: &Self::Num) -> Self::Num {
        Interval::point(match (x.lo.is_finite(), x.hi.is_finite()) {
            (true, true) => self.middle_between(&x.lo, &x.hi),
            // Half-lines: 0 if it lies inside, else twice the finite end, which lies inside.
            _ if x.has_zero() => self.small_integer(0),
            (true, false) => self.add_rounded(Down, &x.lo, &x.lo),
            (false, true) => self.add_rounded(Up, &x.hi, &x.hi),
            (false, false) => self.small_integer(0),
        })
    }

    fn contains(&self, a: &Self::Num, b: &Self::Num) -> bool {
        a.lo <= b.lo && b.hi <= a.hi
    }

    fn is_strictly_below(&self, a: &Self::Num, b: &Self::Num) -> bool {
        a.hi < b.lo
    }

    fn hull(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let lo = if a.lo <= b.lo { &a.lo } else { &b.lo };
        let hi = if a.hi >= b.hi { &a.hi } else { &b.hi };
        Interval::new(lo.clone(), hi.clone(), a.defined & b.defined)
    }

    fn intersect(&self, a: &Self::Num, b: &Self::Num) -> Option<Self::Num> {
        let lo = if a.lo >= b.lo { &a.lo } else { &b.lo };
        let hi = if a.hi <= b.hi { &a.hi } else { &b.hi };
        (lo <= hi).then(|| Interval::new(lo.clone(), hi.clone(), a.defined | b.defined))
    }

    #[inline]
    fn add(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        if let Some(sum) = self.add_fast(a, b) {
            return sum;
        }
        Interval::new(self.add_rounded(Down, &a.lo, &b.lo), self.add_rounded(Up, &a.hi, &b.hi), a.defined & b.defined)
    }

    #[inline]
    fn sub(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        Interval::new(self.sub_rounded(Down, &a.lo, &b.hi), self.sub_rounded(Up, &a.hi, &b.lo), a.defined & b.defined)
    }

    #[inline]
    fn mul(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        if let Some(product) = self.mul_fast(a, b) {
            return product;
        }
        let defined = a.defined & b.defined;
        let (lo, hi) = match select_factors(a, b) {
            Some([x, y, z, w]) => (self.mul_rounded(Down, x, y), self.mul_rounded(Up, z, w)),
            None => {
                // 0 strictly inside both factors: either product may be the lower, and either the upper end.
                let (p, q) = (self.mul_rounded(Down, &a.lo, &b.hi), self.mul_rounded(Down, &a.hi, &b.lo));
                let (r, s) = (self.mul_rounded(Up, &a.lo, &b.lo), self.mul_rounded(Up, &a.hi, &b.hi));
                (min_end(p, q), max_end(r, s))
            }
        };
        // 0·∞ leaves an end that is not finite, so that bounded products skip the second test.
        if !(lo.is_finite() && hi.is_finite()) && meets_zero_times_infinity(a, b) {
            return Interval::whole_line(self, defined);
        }
        Interval::new(lo, hi, defined)
    }

    #[inline]
    fn mul_add(&self, acc: &mut Self::Num, a: &Self::Num, b: &Self::Num) {
        if !self.mul_add_fast(acc, a, b) {
            *acc = self.add(acc, &self.mul(a, b));
        }
    }

    fn div(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let quotients = |x: &T::End, y: &T::End, z: &T::End, w: &T::End| {
            Interval::new(self.div_rounded(Down, x, y), self.div_rounded(Up, z, w), a.defined & b.defined)
        };
        let (above, below) = (a.lo.is_nonnegative(), a.hi.is_nonpositive());
        if b.lo.is_positive() {
            // The divisor of each end depends on the sign of that end of a.
            quotients(&a.lo, if above { &b.hi } else { &b.lo }, &a.hi, if below { &b.hi } else { &b.lo })
        } else if b.hi.is_negative() {
            quotients(&a.hi, if below { &b.lo } else { &b.hi }, &a.lo, if above { &b.lo } else { &b.hi })
        } else {
            // A divisor that may be 0: not defined.
            self.bottom()
        }
    }

    #[inline]
    fn neg(&self, a: &Self::Num) -> Self::Num {
        Interval::new(a.hi.negated(), a.lo.negated(), a.defined)
    }

    fn mul_integer(&self, a: &Self::Num, n: i64) -> Self::Num {
        self.scale_fast(a, n).unwrap_or_else(|| self.mul(a, &self.enclose_integer(n)))
    }

    fn div_integer(&self, a: &Self::Num, n: u64) -> Self::Num {
        if let Some(part) = self.divide_fast(a, n) {
            return part;
        }
        match i64::try_from(n) {
            Ok(n) => self.div(a, &self.enclose_integer(n)),
            Err(_) => self.div(a, &self.enclose_rational(&Rational::from(n))),
        }
    }

    fn square(&self, a: &Self::Num) -> Self::Num {
        // By the absolute value: the product of two intervals would include products of different points.
        let (lo, hi) = a.absolute_ends(self.small_integer(0));
        Interval::new(self.mul_rounded(Down, &lo, &lo), self.mul_rounded(Up, &hi, &hi), a.defined)
    }

    fn power(&self, a: &Self::Num, n: u32) -> Self::Num {
        match n {
            0 => Interval { defined: a.defined, ..Interval::point(self.small_integer(1)) },
            1 => a.clone(),
            _ if n.is_multiple_of(2) => {
                let (lo, hi) = a.absolute_ends(self.small_integer(0));
                Interval::new(self.power_rounded(Down, &lo, n), self.power_rounded(Up, &hi, n), a.defined)
            }
            _ => {
                let power = |direction, x: &T::End| eval_odd(direction, x, |d, x| self.power_rounded(d, x, n));
                Interval::new(power(Down, &a.lo), power(Up, &a.hi), a.defined)
            }
        }
    }

    fn root(&self, a: &Self::Num, n: u32) -> Self::Num {
        match n {
            0 => self.bottom(),
            1 => a.clone(),
            _ if n.is_multiple_of(2) => elementary::eval_even_root(self, a, n),
            _ => {
                let root = |direction, x: &T::End| eval_odd(direction, x, |d, x| self.root_rounded(d, x, n));
                Interval::new(root(Down, &a.lo), root(Up, &a.hi), a.defined)
            }
        }
    }

    fn apply_function(&self, f: Function, a: &Self::Num) -> Self::Num {
        elementary::eval_function(self, f, a)
    }

    fn meets_domain_end(&self, f: Function, a: &Self::Num) -> bool {
        elementary::meets_domain_end(self, f, a)
    }

    fn apply_binary_function(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> Self::Num {
        elementary::eval_binary(self, f, a, b)
    }

    fn region_contains(&self, region: Region, arguments: &[&Self::Num]) -> bool {
        elementary::region_contains(self, region, arguments)
    }

    fn abs(&self, a: &Self::Num) -> Self::Num {
        let (lo, hi) = a.absolute_ends(self.small_integer(0));
        Interval::new(lo, hi, a.defined)
    }

    fn max(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let lo = max_end(a.lo.clone(), b.lo.clone());
        Interval::new(lo, max_end(a.hi.clone(), b.hi.clone()), a.defined & b.defined)
    }

    fn min(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let lo = min_end(a.lo.clone(), b.lo.clone());
        Interval::new(lo, min_end(a.hi.clone(), b.hi.clone()), a.defined & b.defined)
    }

    fn signum(&self, a: &Self::Num) -> Self::Num {
        // An end at 0 includes the limit of the other side.
        let lo = self.small_integer(if a.lo.is_positive() { 1 } else { -1 });
        let hi = self.small_integer(if a.hi.is_negative() { -1 } else { 1 });
        Interval::new(lo, hi, a.defined)
    }
}

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
    /// Evaluates a function given from outside that may fail.
    ///
    /// # Errors
    /// The fault of the function.
    fn eval_fallible_extension(
        &self,
        f: &dyn Extension,
        inputs: &[Interval<Self::End>],
        budget: &Budget,
    ) -> Result<Interval<Self::End>, ExtensionFault>;
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

/// A function `ℝⁿ → ℝ` with interval extensions at every precision: the value of a primitive.
///
/// An implementation must satisfy the [laws of a context](super::arithmetic) for an operation. The true image of the inputs lies in
/// the output, and the output is marked as defined only if the function is defined and continuous on all of them.
///
/// The number of inputs is the number of arguments of the primitive: a primitive that is registered as a `Map<U1, U1>` gives its
/// extension one.
///
/// # Panics
/// A panic of an implementation is not caught, other than in a [`GuardedExtension`](super::foreign::GuardedExtension): one that reads `inputs[1]` of a primitive of one argument panics where the
/// primitive is registered, as it is tried there.
pub trait Extension: Send + Sync {
    /// Evaluates the function in `f64`.
    fn eval_double(&self, context: &Double, inputs: &[Interval<f64>]) -> Interval<f64>;
    /// Evaluates the function in MPFR.
    fn eval_mpfr(&self, context: &Mpfr, inputs: &[Interval<Float>]) -> Interval<Float>;

    /// Evaluates a function that may fail in `f64`, within a budget. The default never fails.
    ///
    /// # Errors
    /// The fault of the function.
    fn try_double(
        &self,
        context: &Double,
        inputs: &[Interval<f64>],
        _budget: &Budget,
    ) -> Result<Interval<f64>, ExtensionFault> {
        Ok(self.eval_double(context, inputs))
    }
    /// Evaluates a function that may fail in MPFR, within a budget. The default never fails.
    ///
    /// # Errors
    /// The fault of the function.
    fn try_mpfr(
        &self,
        context: &Mpfr,
        inputs: &[Interval<Float>],
        _budget: &Budget,
    ) -> Result<Interval<Float>, ExtensionFault> {
        Ok(self.eval_mpfr(context, inputs))
    }
    /// Says that no result is wanted any more: a call that waits for one should fail. The default does nothing.
    fn abandon_calls(&self) {}
}

/// The certain knowledge about the sign of an enclosed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Certainly defined and > 0.
    Positive,
    /// Certainly defined and < 0.
    Negative,
    /// All other cases, an exact 0 included.
    Undecided,
}

/// Interval arithmetic at one precision. See the [module](self) for the laws.
pub trait Context: Clone + Debug + Send + Sync + 'static {
    /// The type of enclosures with their definedness.
    type Num: Clone + Debug + Send + Sync + 'static;

    /// Returns the precision in bits: 53 for `f64`.
    fn precision(&self) -> u32;

    /// Returns the arithmetic of twice the precision; `None` if there is none.
    fn finer_context(&self) -> Option<Self>
    where
        Self: Sized;

    // ---- constants

    /// Returns the integer `n`: a point if it is representable, else the tightest enclosure.
    fn enclose_integer(&self, n: i64) -> Self::Num;
    /// Returns the rational `q`: a point if it is representable, else the tightest enclosure.
    fn enclose_rational(&self, q: &Rational) -> Self::Num;
    /// Encloses π.
    fn pi(&self) -> Self::Num;
    /// Encloses e, Euler's number.
    fn enclose_euler(&self) -> Self::Num;
    /// Returns ⊥: the whole line, not known to be defined.
    fn bottom(&self) -> Self::Num;
    /// Rounds `e` outward to this precision.
    fn round_enclosure(&self, e: &Enclosure) -> Self::Num;

    // ---- queries

    /// Converts `x` to an enclosure with exact dyadic (or infinite) ends.
    fn to_enclosure(&self, x: &Self::Num) -> Enclosure;
    /// Returns `true` if the value is certainly defined.
    fn is_defined(&self, x: &Self::Num) -> bool;
    /// Marks `x` as not known to be defined.
    fn mark_undefined(&self, x: Self::Num) -> Self::Num;
    /// Marks `x` as certainly defined. The caller must have proved it.
    fn mark_defined(&self, x: Self::Num) -> Self::Num;
    /// Returns the certain knowledge about the sign.
    fn sign(&self, x: &Self::Num) -> Sign;
    /// Returns `true` if 0 lies in the range.
    fn contains_zero(&self, x: &Self::Num) -> bool;
    /// Returns `true` if every point of the range is ≥ 0 (definedness aside).
    fn is_nonnegative(&self, x: &Self::Num) -> bool;
    /// Returns `true` if both ends are finite (definedness aside).
    fn is_bounded(&self, x: &Self::Num) -> bool;
    /// Returns `true` if the range is a single number (definedness aside).
    fn is_point(&self, x: &Self::Num) -> bool;
    /// Returns hi - lo, rounded up; +∞ if the range is unbounded.
    fn width(&self, x: &Self::Num) -> Magnitude;
    /// Returns the largest absolute value in the range, rounded up.
    fn magnitude(&self, x: &Self::Num) -> Magnitude;
    /// Returns the lower end as a point (defined); `None` if it is -∞.
    fn lower(&self, x: &Self::Num) -> Option<Self::Num>;
    /// Returns the upper end as a point (defined); `None` if it is +∞.
    fn upper(&self, x: &Self::Num) -> Option<Self::Num>;
    /// Returns a finite point (defined) inside the range, near the middle if the range is bounded.
    fn midpoint(&self, x: &Self::Num) -> Self::Num;
    /// Widens the range by a positive distance on both sides, about the least that the precision allows.
    fn inflate_slightly(&self, x: &Self::Num) -> Self::Num {
        // Far below a unit in the last place of a usual number: outward rounding then adds about one unit.
        let radius = self.enclose_rational(&(Rational::from(1) >> (16 * self.precision())));
        self.hull(&self.sub(x, &radius), &self.add(x, &radius))
    }
    /// Returns `true` if `a ⊇ b` as sets (definedness aside).
    fn contains(&self, a: &Self::Num, b: &Self::Num) -> bool;
    /// Returns `true` if every point of `a` is < every point of `b` (definedness aside).
    fn is_strictly_below(&self, a: &Self::Num, b: &Self::Num) -> bool;

    // ---- lattice

    /// Returns the smallest interval that contains both; defined if both are.
    fn hull(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Returns the intersection of two enclosures of the same number; defined if either is. `None` if they are disjoint: a
    /// contradiction, never a result.
    fn intersect(&self, a: &Self::Num, b: &Self::Num) -> Option<Self::Num>;

    // ---- arithmetic

    /// Encloses a + b.
    fn add(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Encloses a - b.
    fn sub(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Encloses a · b. An interval that contains 0 times one with an infinite end is the whole line, defined if both are (E42):
    /// 0·⊥ is ⊥. Structural zeros are left to the layers above.
    fn mul(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Sets acc := acc + a·b, the hot operation of jets; may round a little less tightly than `add` of `mul`.
    fn mul_add(&self, acc: &mut Self::Num, a: &Self::Num, b: &Self::Num) {
        *acc = self.add(acc, &self.mul(a, b));
    }
    /// Encloses a / b; the whole line, not defined, if b may be 0.
    fn div(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Returns -a, exactly.
    fn neg(&self, a: &Self::Num) -> Self::Num;
    /// Encloses n·a.
    fn mul_integer(&self, a: &Self::Num, n: i64) -> Self::Num;
    /// Encloses a/n, n > 0.
    fn div_integer(&self, a: &Self::Num, n: u64) -> Self::Num;
    /// Encloses a², as a function of one variable: never below 0.
    fn square(&self, a: &Self::Num) -> Self::Num;
    /// Encloses aⁿ for n ≥ 0, as a function of one variable (tight); a⁰ = 1.
    fn power(&self, a: &Self::Num, n: u32) -> Self::Num;
    /// Encloses the n-th root, n ≥ 1: for odd n on all of ℝ, for even n like [`Function::Sqrt`].
    fn root(&self, a: &Self::Num, n: u32) -> Self::Num;
    /// Encloses an elementary function of `a`. Certainly defined if `a` is and lies inside the domain.
    fn apply_function(&self, f: Function, a: &Self::Num) -> Self::Num;
    /// Returns `true` if the range, inside the domain of a function, has a closed end of the domain: then the function is defined
    /// on the range, and on no neighbourhood of it.
    fn meets_domain_end(&self, f: Function, a: &Self::Num) -> bool;
    /// Encloses an elementary function of two variables.
    fn apply_binary_function(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Returns `true` if a region certainly contains all arguments in the ranges (definedness aside).
    fn region_contains(&self, region: Region, arguments: &[&Self::Num]) -> bool;
    /// Returns `true` if a region certainly contains none of the arguments in the ranges.
    fn region_excludes(&self, region: Region, arguments: &[&Self::Num]) -> bool {
        let is_excluded = |set: NumberSet, x: &Self::Num| {
            let side = |e: i8| self.sign(&self.sub(x, &self.enclose_integer(e.into())));
            let point = || Some(self.to_enclosure(x)).filter(Enclosure::is_point);
            // Of an exact number the set itself tells, and of a range only its sides.
            point().and_then(|x| x.lo().to_rational()).map_or_else(
                || match set {
                    NumberSet::Above(e) | NumberSet::AtLeast(e) => side(e) == Sign::Negative,
                    NumberSet::Below(e) | NumberSet::AtMost(e) => side(e) == Sign::Positive,
                    NumberSet::AboveMinusInverseE => {
                        side(0) == Sign::Negative && self.to_enclosure(x).hi().to_f64() < -0.5
                    }
                    NumberSet::Except(_) | NumberSet::ExceptCosineZeros | NumberSet::ExceptNonPositiveIntegers => false,
                },
                |q| {
                    !set.contains_rational(
                        |e| q.cmp(&Rational::from(e)),
                        || elementary::exceeds_minus_inverse_e(|bound| q > *bound),
                        || q.is_integer(),
                    )
                },
            )
        };
        region.is_violated(|ArgumentCondition { quantity, set }| match (quantity, arguments) {
            (TestedQuantity::First, [x, ..]) | (TestedQuantity::Second, [_, x, ..]) => is_excluded(set, x),
            (TestedQuantity::Difference, [x, y, ..]) => is_excluded(set, &self.sub(x, y)),
            _ => false,
        })
    }
    /// Returns `true` if a function of two variables is smooth near every point of the ranges (definedness aside).
    fn is_smooth_near(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> bool {
        self.region_contains(f.row().conditions.analytic, &[a, b])
    }
    /// Evaluates a formula at the arguments x, where the function whose slope it is has the value y. A missing argument is ⊥.
    fn eval_formula(&self, formula: &Formula, x: &[&Self::Num], y: &Self::Num) -> Self::Num {
        formula.eval_with(&mut |step| match step {
            FormulaStep::Argument(index) => x.get(index).map_or_else(|| self.bottom(), |x| (*x).clone()),
            FormulaStep::Y => y.clone(),
            FormulaStep::Number(p, 1) => self.enclose_integer(p.into()),
            FormulaStep::Number(p, q) => self.div_integer(&self.enclose_integer(p.into()), q.into()),
            FormulaStep::Pi => self.pi(),
            FormulaStep::Negate(a) => self.neg(&a),
            FormulaStep::Add(a, b) => self.add(&a, &b),
            FormulaStep::Subtract(a, b) => self.sub(&a, &b),
            FormulaStep::Multiply(a, b) => self.mul(&a, &b),
            FormulaStep::Divide(a, b) => self.div(&a, &b),
            FormulaStep::Square(a) => self.square(&a),
            FormulaStep::Inverse(a) => self.div(&self.enclose_integer(1), &a),
            FormulaStep::InverseRoot(a) => self.div(&self.enclose_integer(1), &self.apply_function(Function::Sqrt, &a)),
            FormulaStep::Apply(f, a) => self.apply_function(f, &a),
        })
    }
    /// Encloses |a|.
    fn abs(&self, a: &Self::Num) -> Self::Num;
    /// Encloses max(a, b).
    fn max(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Encloses min(a, b).
    fn min(&self, a: &Self::Num, b: &Self::Num) -> Self::Num;
    /// Evaluates a function given from outside.
    fn apply_extension(&self, f: &dyn Extension, inputs: &[Self::Num]) -> Self::Num;
    /// Evaluates a function given from outside that may fail, within a budget.
    ///
    /// # Errors
    /// The fault of the function.
    fn try_extension(
        &self,
        f: &dyn Extension,
        inputs: &[Self::Num],
        budget: &Budget,
    ) -> Result<Self::Num, ExtensionFault>;
    /// Encloses the sign: 1, -1, and [-1, 1] at 0 (the set-valued extension, defined).
    fn signum(&self, a: &Self::Num) -> Self::Num;
}
