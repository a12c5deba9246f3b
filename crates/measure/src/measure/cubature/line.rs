//! Affine approximations of maps on a box, and the half-spaces in which these are positive.

use super::cell::width;
use super::half_space::{Part, part};
use crate::number::context::Context;
use crate::number::{Double, Interval};
use crate::pieces::{Decided, Test};
use crate::smooth::algebra::Algebra;
use crate::smooth::jet::Jet;

type Num = Interval<f64>;

/// The least slope of an axis, relative to the greatest, to keep. A choice: the closed form divides by slopes, so small
/// ones lose precision.
const FLAT: f64 = 1e-4;

const CONTEXT: Double = Double;

/// A map on a box as an affine map of [-1, 1]ᵈ with a remainder.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// The value at the centre.
    pub(super) middle: Num,
    /// The slopes along the axes, for radius 1.
    pub(super) slopes: Vec<Num>,
    /// An enclosure of the remainder on the box.
    pub(super) rest: Num,
    /// An enclosure of the values on the box.
    range: Num,
    /// The part of the remainder's width that each axis causes.
    pub(super) bends: Vec<f64>,
}

impl Line {
    /// Makes the approximation from the jets of degree 2 on the box and of degree 1 at its centre.
    pub(super) fn new(
        second: &Algebra,
        first: &Algebra,
        on_box: &Jet<Num>,
        at_centre: &Jet<Num>,
        radii: &[f64],
    ) -> Self {
        let c = CONTEXT;
        let or_zero = |x: Option<&Num>| x.copied().unwrap_or_else(|| c.integer(0));
        let slope = |axis: usize| c.mul(&or_zero(at_centre.get(unit(first, axis))), &Interval::point(radii[axis]));
        let slopes: Vec<Num> = (0..radii.len()).map(slope).collect();
        let mut rest = c.integer(0);
        let mut bends = vec![0.0; radii.len()];
        for m in 0..second.len() {
            if second.degree(m) != 2 {
                continue;
            }
            let Some(coefficient) = on_box.get(m) else { continue };
            let exponents = second.exponents(m);
            let scale = exponents
                .iter()
                .zip(radii)
                .fold(c.integer(1), |product, (e, r)| c.mul(&product, &c.power(&Interval::point(*r), *e)));
            // a square lies in [0, 1], and a product of two coordinates in [-1, 1]
            let square = exponents.contains(&2);
            let power = c.hull(&c.integer(if square { 0 } else { -1 }), &c.integer(1));
            let part = c.mul(&c.mul(coefficient, &scale), &power);
            exponents.iter().zip(&mut bends).for_each(|(e, bend)| *bend += width(&part) * f64::from(*e));
            rest = c.add(&rest, &part);
        }
        Self { middle: or_zero(at_centre.get(0)), slopes, rest, range: or_zero(on_box.get(0)), bends }
    }

    /// Returns the approximation of the negated map.
    pub(super) fn turned(&self) -> Self {
        let c = CONTEXT;
        let slopes = self.slopes.iter().map(|a| c.neg(a)).collect();
        let [middle, rest, range] = [&self.middle, &self.rest, &self.range].map(|x| c.neg(x));
        Self { middle, slopes, rest, range, bends: self.bends.clone() }
    }

    /// Encloses the values on the box, by the affine part and by the range.
    fn range(&self) -> Num {
        let c = CONTEXT;
        if !self.range.is_defined() {
            return c.bottom();
        }
        let slopes = self.slopes.iter().fold(c.integer(0), |sum, a| c.add(&sum, &c.hull(a, &c.neg(a))));
        let own = c.add(&c.add(&self.middle, &slopes), &self.rest);
        if own.is_defined() { c.intersect(&own, &self.range).unwrap_or(self.range) } else { self.range }
    }

    /// Decides a guard on the box. Returns `Some(true)` if it is as decided on all of the box, `Some(false)` if
    /// nowhere, and `None` otherwise.
    pub(super) fn holds(&self, decided: &Decided) -> Option<bool> {
        let range = self.range();
        if !range.is_defined() {
            return None;
        }
        // a nonconstant affine map is 0 on a set without volume, so that the strict and the weak test agree
        let varies = self.slopes.iter().any(|a| *a.lo() > 0.0 || *a.hi() < 0.0);
        let is_thin = varies && self.rest.is_defined() && *self.rest.lo() == 0.0 && *self.rest.hi() == 0.0;
        let is = match decided.guard.test {
            Test::Positive if *range.lo() > 0.0 || is_thin && *range.lo() >= 0.0 => true,
            Test::Positive if *range.hi() <= 0.0 => false,
            Test::NonNegative if *range.lo() >= 0.0 => true,
            Test::NonNegative if *range.hi() < 0.0 || is_thin && *range.hi() <= 0.0 => false,
            Test::Zero if *range.lo() > 0.0 || *range.hi() < 0.0 => false,
            _ => return None,
        };
        Some(is == decided.holds)
    }

    /// Returns the error that each axis causes, for an integrand of size `size` with errors `others` of its own.
    pub(super) fn scores(&self, size: f64, others: &[f64]) -> Vec<f64> {
        let slope = self.slopes.iter().fold(0.0, |most: f64, a| most.max(greatest_of(a)));
        let scale = size / slope.max(f64::MIN_POSITIVE);
        let bent: Vec<f64> = self.bends.iter().zip(others).map(|(bend, other)| bend * scale + other).collect();
        let is_known = bent.iter().all(|b| b.is_finite()) && bent.iter().any(|b| *b > 0.0);
        // without a remainder, the slopes tell which axis moves the boundary
        if is_known { bent } else { self.slopes.iter().map(greatest_of).collect() }
    }

    /// Returns the parts of the cube where the map is certainly positive, where its affine part is, and where it may
    /// be. Returns `None` if the remainder is unbounded.
    pub(super) fn parts(&self) -> Option<[Part; 3]> {
        let c = CONTEXT;
        let middles: Vec<f64> = self.slopes.iter().map(mid).collect();
        let greatest = middles.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        let mut slack = c.integer(0);
        let mut kept = Vec::new();
        for (a, m) in self.slopes.iter().zip(middles) {
            // a flat axis goes into the slack, which widens the band
            let own = if m.abs() < FLAT * greatest { 0.0 } else { m };
            kept.push(own);
            let off = c.sub(a, &Interval::point(own));
            slack = c.add(&slack, &c.hull(&off, &c.neg(&off)));
        }
        let offset = c.add(&self.middle, &self.rest);
        let b = mid(&offset);
        let all = c.add(&c.sub(&offset, &Interval::point(b)), &slack);
        let (down, up) = (*all.lo(), *all.hi());
        if !(all.is_defined() && down.is_finite() && up.is_finite() && b.is_finite()) {
            return None;
        }
        let ends =
            [c.add(&Interval::point(b), &Interval::point(down)), c.add(&Interval::point(b), &Interval::point(up))];
        Some([part(&kept, *ends[0].lo()), part(&kept, b), part(&kept, *ends[1].hi())])
    }
}

/// The monomial of the first power along an axis.
pub(super) fn unit(algebra: &Algebra, axis: usize) -> usize {
    (1..algebra.len()).find(|&m| algebra.degree(m) == 1 && algebra.exponents(m)[axis] == 1).unwrap_or(0)
}

/// About the middle.
pub(super) fn mid(x: &Num) -> f64 {
    0.5 * x.lo() + 0.5 * x.hi()
}

/// The greatest absolute value.
pub(super) fn greatest_of(x: &Num) -> f64 {
    x.lo().abs().max(x.hi().abs())
}
