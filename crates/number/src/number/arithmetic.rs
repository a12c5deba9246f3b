//! Interval arithmetic, written once for every precision.
//!
//! From [`EndpointArithmetic`] (arithmetic on ends, rounded in a given direction) this module makes a [`Context`] (arithmetic on intervals).
//! Sums, differences, products and quotients are those of Moore. The quotient by an interval that contains 0 is ⊥. The product of
//! an interval that contains 0 with an unbounded one is the whole line, because an enclosure approximates a number that a later
//! pass may know better: 0·⊥ is ⊥.
//!
//! Source: Moore, *Interval Analysis* (1966); IEEE 1788-2015, §10.5 for the functions of one variable.

use super::context::{Context, Function, Planar, Sign};
use super::elementary;
use super::enclosure::Enclosure;
use super::ends::Direction::{self, Down, Up};
use super::ends::{Endpoint, EndpointArithmetic};
use super::extension::Extension;
use super::interval::{Interval, max_end, min_end};
use super::magnitude::Magnitude;
use super::planar;
use rug::Rational;

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
        planar::eval_binary(self, f, a, b)
    }

    fn is_smooth_near(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> bool {
        planar::is_smooth::<T>(f, a, b)
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
