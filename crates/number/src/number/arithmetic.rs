//! Interval arithmetic, written once for every precision.
//!
//! From [`Ends`] (arithmetic on ends, rounded in a given direction) this module makes a [`Context`] (arithmetic on intervals).
//! Sums, differences, products and quotients are those of Moore. The quotient by an interval that contains 0 is ⊥. The product of
//! an interval that contains 0 with an unbounded one is the whole line, because an enclosure approximates a number that a later
//! pass may know better: 0·⊥ is ⊥.
//!
//! Source: Moore, *Interval Analysis* (1966); IEEE 1788-2015, §10.5 for the functions of one variable.

use super::context::{Context, Function, Planar, Sign};
use super::elementary;
use super::enclosure::Enclosure;
use super::ends::Direction::{self, Down, Up};
use super::ends::{End, Ends};
use super::extension::Extension;
use super::interval::{Interval, larger, smaller};
use super::magnitude::Magnitude;
use super::planar;
use rug::Rational;

/// Returns a bound of an odd function at `x`, from its bounds at |x|.
fn oddly<E: End>(direction: Direction, x: &E, g: impl Fn(Direction, &E) -> E) -> E {
    if x.is_negative() { g(direction.opposite(), &x.negated()).negated() } else { g(direction, x) }
}

/// Returns `true` if one factor contains 0 and the other is unbounded.
#[inline]
pub(super) fn meets_zero_times_infinity<E: End>(a: &Interval<E>, b: &Interval<E>) -> bool {
    (a.has_zero() && !b.has_finite_ends()) || (b.has_zero() && !a.has_finite_ends())
}

/// Returns the ends whose products are the ends of a·b: the lower one of the first two, the upper one of the last two. `None` if
/// 0 lies strictly inside both, so that each end is the better of two products.
#[inline]
pub(super) fn factors<'a, E: End>(a: &'a Interval<E>, b: &'a Interval<E>) -> Option<[&'a E; 4]> {
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

impl<T: Ends> Context for T {
    type Num = Interval<T::End>;

    fn precision(&self) -> u32 {
        self.bits()
    }

    fn finer(&self) -> Option<Self> {
        self.doubled()
    }

    fn extension(&self, f: &dyn Extension, inputs: &[Self::Num]) -> Self::Num {
        self.extend(f, inputs)
    }

    fn integer(&self, n: i64) -> Self::Num {
        Interval::new(self.whole(Down, n), self.whole(Up, n), true)
    }

    fn rational(&self, q: &Rational) -> Self::Num {
        Interval::new(self.fraction(Down, q), self.fraction(Up, q), true)
    }

    fn pi(&self) -> Self::Num {
        Interval::new(self.circle(Down), self.circle(Up), true)
    }

    fn euler(&self) -> Self::Num {
        let (lo, hi) = self.values(Function::Exp, &self.small(1));
        Interval::new(lo, hi, true)
    }

    fn bottom(&self) -> Self::Num {
        Interval::line(self, false)
    }

    fn enclosure(&self, e: &Enclosure) -> Self::Num {
        Interval::new(self.round(Down, e.lo()), self.round(Up, e.hi()), e.is_defined())
    }

    fn to_enclosure(&self, x: &Self::Num) -> Enclosure {
        // The ends of an interval are in order, so that the fallback is never used.
        let whole = Enclosure::bottom().with_defined(x.is_defined());
        Enclosure::new(x.lo.to_float(), x.hi.to_float(), x.is_defined()).unwrap_or(whole)
    }

    fn is_defined(&self, x: &Self::Num) -> bool {
        x.is_defined()
    }

    fn undefined(&self, x: Self::Num) -> Self::Num {
        Interval { defined: false.into(), ..x }
    }

    fn assert_defined(&self, x: Self::Num) -> Self::Num {
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
        if x.has_finite_ends() { self.difference(Up, &x.hi, &x.lo).magnitude() } else { Magnitude::INFINITY }
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
            (true, true) => self.between(&x.lo, &x.hi),
            // Half-lines: 0 if it lies inside, else twice the finite end, which lies inside.
            _ if x.has_zero() => self.small(0),
            (true, false) => self.sum(Down, &x.lo, &x.lo),
            (false, true) => self.sum(Up, &x.hi, &x.hi),
            (false, false) => self.small(0),
        })
    }

    fn contains(&self, a: &Self::Num, b: &Self::Num) -> bool {
        a.lo <= b.lo && b.hi <= a.hi
    }

    fn strictly_below(&self, a: &Self::Num, b: &Self::Num) -> bool {
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
        if let Some(sum) = self.swift_sum(a, b) {
            return sum;
        }
        Interval::new(self.sum(Down, &a.lo, &b.lo), self.sum(Up, &a.hi, &b.hi), a.defined & b.defined)
    }

    #[inline]
    fn sub(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        Interval::new(self.difference(Down, &a.lo, &b.hi), self.difference(Up, &a.hi, &b.lo), a.defined & b.defined)
    }

    #[inline]
    fn mul(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        if let Some(product) = self.swift_product(a, b) {
            return product;
        }
        let defined = a.defined & b.defined;
        let (lo, hi) = match factors(a, b) {
            Some([x, y, z, w]) => (self.product(Down, x, y), self.product(Up, z, w)),
            None => {
                // 0 strictly inside both factors: either product may be the lower, and either the upper end.
                let (p, q) = (self.product(Down, &a.lo, &b.hi), self.product(Down, &a.hi, &b.lo));
                let (r, s) = (self.product(Up, &a.lo, &b.lo), self.product(Up, &a.hi, &b.hi));
                (smaller(p, q), larger(r, s))
            }
        };
        // 0·∞ leaves an end that is not finite, so that bounded products skip the second test.
        if !(lo.is_finite() && hi.is_finite()) && meets_zero_times_infinity(a, b) {
            return Interval::line(self, defined);
        }
        Interval::new(lo, hi, defined)
    }

    #[inline]
    fn mul_add(&self, acc: &mut Self::Num, a: &Self::Num, b: &Self::Num) {
        if !self.accumulate(acc, a, b) {
            *acc = self.add(acc, &self.mul(a, b));
        }
    }

    fn div(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let quotients = |x: &T::End, y: &T::End, z: &T::End, w: &T::End| {
            Interval::new(self.quotient(Down, x, y), self.quotient(Up, z, w), a.defined & b.defined)
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

    fn scale(&self, a: &Self::Num, n: i64) -> Self::Num {
        self.swift_multiple(a, n).unwrap_or_else(|| self.mul(a, &self.integer(n)))
    }

    fn divide(&self, a: &Self::Num, n: u64) -> Self::Num {
        if let Some(part) = self.swift_part(a, n) {
            return part;
        }
        match i64::try_from(n) {
            Ok(n) => self.div(a, &self.integer(n)),
            Err(_) => self.div(a, &self.rational(&Rational::from(n))),
        }
    }

    fn square(&self, a: &Self::Num) -> Self::Num {
        // By the absolute value: the product of two intervals would include products of different points.
        let (lo, hi) = a.absolute(self.small(0));
        Interval::new(self.product(Down, &lo, &lo), self.product(Up, &hi, &hi), a.defined)
    }

    fn power(&self, a: &Self::Num, n: u32) -> Self::Num {
        match n {
            0 => Interval { defined: a.defined, ..Interval::point(self.small(1)) },
            1 => a.clone(),
            _ if n.is_multiple_of(2) => {
                let (lo, hi) = a.absolute(self.small(0));
                Interval::new(self.nth_power(Down, &lo, n), self.nth_power(Up, &hi, n), a.defined)
            }
            _ => {
                let power = |direction, x: &T::End| oddly(direction, x, |d, x| self.nth_power(d, x, n));
                Interval::new(power(Down, &a.lo), power(Up, &a.hi), a.defined)
            }
        }
    }

    fn root(&self, a: &Self::Num, n: u32) -> Self::Num {
        match n {
            0 => self.bottom(),
            1 => a.clone(),
            _ if n.is_multiple_of(2) => elementary::even_root(self, a, n),
            _ => {
                let root = |direction, x: &T::End| oddly(direction, x, |d, x| self.nth_root(d, x, n));
                Interval::new(root(Down, &a.lo), root(Up, &a.hi), a.defined)
            }
        }
    }

    fn function(&self, f: Function, a: &Self::Num) -> Self::Num {
        elementary::function(self, f, a)
    }

    fn meets_edge(&self, f: Function, a: &Self::Num) -> bool {
        elementary::meets_edge(self, f, a)
    }

    fn planar(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> Self::Num {
        planar::function(self, f, a, b)
    }

    fn is_smooth(&self, f: Planar, a: &Self::Num, b: &Self::Num) -> bool {
        planar::is_smooth::<T>(f, a, b)
    }

    fn abs(&self, a: &Self::Num) -> Self::Num {
        let (lo, hi) = a.absolute(self.small(0));
        Interval::new(lo, hi, a.defined)
    }

    fn max(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let lo = larger(a.lo.clone(), b.lo.clone());
        Interval::new(lo, larger(a.hi.clone(), b.hi.clone()), a.defined & b.defined)
    }

    fn min(&self, a: &Self::Num, b: &Self::Num) -> Self::Num {
        let lo = smaller(a.lo.clone(), b.lo.clone());
        Interval::new(lo, smaller(a.hi.clone(), b.hi.clone()), a.defined & b.defined)
    }

    fn signum(&self, a: &Self::Num) -> Self::Num {
        // An end at 0 includes the limit of the other side.
        let lo = self.small(if a.lo.is_positive() { 1 } else { -1 });
        let hi = self.small(if a.hi.is_negative() { -1 } else { 1 });
        Interval::new(lo, hi, a.defined)
    }
}
