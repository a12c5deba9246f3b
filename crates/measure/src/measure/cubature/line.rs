//! Affine approximations of maps on a box, and the half-spaces in which these are positive.

use super::cell::rough_width;
use super::half_space::{CubePart, half_space_part};
use crate::number::context::Context;
use crate::number::{Double, Interval};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::algebra::Algebra;
use crate::smooth::jet::Jet;

type LineNumber = Interval<f64>;

/// The least slope of an axis, relative to the greatest, to keep. A choice: the closed form divides by slopes, so small
/// ones lose precision.
const LEAST_RELATIVE_SLOPE: f64 = 1e-4;

const DOUBLE: Double = Double;

/// A map on a box as an affine map of [-1, 1]ᵈ with a remainder.
#[derive(Clone, Debug)]
pub(super) struct AffineApproximation {
    /// The value at the centre.
    pub(super) middle: LineNumber,
    /// The slopes along the axes, for radius 1.
    pub(super) slopes: Vec<LineNumber>,
    /// An enclosure of the remainder on the box.
    pub(super) remainder: LineNumber,
    /// An enclosure of the values on the box.
    enclose_range: LineNumber,
    /// The part of the remainder's width that each axis causes.
    pub(super) axis_errors: Vec<f64>,
}

impl AffineApproximation {
    /// Makes the approximation from the jets of degree 2 on the box and of degree 1 at its centre.
    pub(super) fn new(
        second: &Algebra,
        first: &Algebra,
        on_box: &Jet<LineNumber>,
        at_centre: &Jet<LineNumber>,
        radii: &[f64],
    ) -> Self {
        let c = DOUBLE;
        let or_zero = |x: Option<&LineNumber>| x.copied().unwrap_or_else(|| c.enclose_integer(0));
        let slope =
            |axis: usize| c.mul(&or_zero(at_centre.get(linear_monomial(first, axis))), &Interval::point(radii[axis]));
        let slopes: Vec<LineNumber> = (0..radii.len()).map(slope).collect();
        let mut remainder = c.enclose_integer(0);
        let mut axis_errors = vec![0.0; radii.len()];
        for m in 0..second.len() {
            if second.degree(m) != 2 {
                continue;
            }
            let Some(coefficient) = on_box.get(m) else { continue };
            let exponents = second.exponents(m);
            let scale = exponents
                .iter()
                .zip(radii)
                .fold(c.enclose_integer(1), |product, (e, r)| c.mul(&product, &c.power(&Interval::point(*r), *e)));
            // a square lies in [0, 1], and a product of two coordinates in [-1, 1]
            let square = exponents.contains(&2);
            let power = c.hull(&c.enclose_integer(if square { 0 } else { -1 }), &c.enclose_integer(1));
            let part = c.mul(&c.mul(coefficient, &scale), &power);
            exponents.iter().zip(&mut axis_errors).for_each(|(e, bend)| *bend += rough_width(&part) * f64::from(*e));
            remainder = c.add(&remainder, &part);
        }
        Self {
            middle: or_zero(at_centre.get(0)),
            slopes,
            remainder,
            enclose_range: or_zero(on_box.get(0)),
            axis_errors,
        }
    }

    /// Returns the approximation of the negated map.
    pub(super) fn negated(&self) -> Self {
        let c = DOUBLE;
        let slopes = self.slopes.iter().map(|a| c.neg(a)).collect();
        let [middle, rest, range] = [&self.middle, &self.remainder, &self.enclose_range].map(|x| c.neg(x));
        Self { middle, slopes, remainder: rest, enclose_range: range, axis_errors: self.axis_errors.clone() }
    }

    /// Encloses the values on the box, by the affine part and by the range.
    fn enclose_range(&self) -> LineNumber {
        let c = DOUBLE;
        if !self.enclose_range.is_defined() {
            return c.bottom();
        }
        let slopes = self.slopes.iter().fold(c.enclose_integer(0), |sum, a| c.add(&sum, &c.hull(a, &c.neg(a))));
        let own = c.add(&c.add(&self.middle, &slopes), &self.remainder);
        if own.is_defined() {
            c.intersect(&own, &self.enclose_range).unwrap_or(self.enclose_range)
        } else {
            self.enclose_range
        }
    }

    /// Decides a guard on the box. Returns `AtMost(true)` if it is as decided on all of the box, `AtMost(false)` if
    /// nowhere, and `None` otherwise.
    pub(super) fn decide_guard(&self, decided: &GuardCondition) -> Option<bool> {
        let range = self.enclose_range();
        if !range.is_defined() {
            return None;
        }
        // a nonconstant affine map is 0 on a set without volume, so that the strict and the weak test agree
        let varies = self.slopes.iter().any(|a| *a.lo() > 0.0 || *a.hi() < 0.0);
        let is_thin =
            varies && self.remainder.is_defined() && *self.remainder.lo() == 0.0 && *self.remainder.hi() == 0.0;
        let is = match decided.guard.test {
            SignTest::Positive if *range.lo() > 0.0 || is_thin && *range.lo() >= 0.0 => true,
            SignTest::Positive if *range.hi() <= 0.0 => false,
            SignTest::NonNegative if *range.lo() >= 0.0 => true,
            SignTest::NonNegative if *range.hi() < 0.0 || is_thin && *range.hi() <= 0.0 => false,
            SignTest::Zero if *range.lo() > 0.0 || *range.hi() < 0.0 => false,
            _ => return None,
        };
        Some(is == decided.holds)
    }

    /// Returns the error that each axis causes, for an integrand of size `size` with errors `others` of its own.
    pub(super) fn axis_scores(&self, size: f64, others: &[f64]) -> Vec<f64> {
        let slope = self.slopes.iter().fold(0.0, |most: f64, a| most.max(max_abs(a)));
        let scale = size / slope.max(f64::MIN_POSITIVE);
        let bent: Vec<f64> = self.axis_errors.iter().zip(others).map(|(bend, other)| bend * scale + other).collect();
        let is_known = bent.iter().all(|b| b.is_finite()) && bent.iter().any(|b| *b > 0.0);
        // without a remainder, the slopes tell which axis moves the boundary
        if is_known { bent } else { self.slopes.iter().map(max_abs).collect() }
    }

    /// Returns the parts of the cube where the map is certainly positive, where its affine part is, and where it may
    /// be. Returns `None` if the remainder is unbounded.
    pub(super) fn half_space_parts(&self) -> Option<[CubePart; 3]> {
        let c = DOUBLE;
        let middles: Vec<f64> = self.slopes.iter().map(rough_middle).collect();
        let greatest = middles.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        let mut slack = c.enclose_integer(0);
        let mut kept = Vec::new();
        for (a, m) in self.slopes.iter().zip(middles) {
            // a flat axis goes into the slack, which widens the band
            let own = if m.abs() < LEAST_RELATIVE_SLOPE * greatest { 0.0 } else { m };
            kept.push(own);
            let off = c.sub(a, &Interval::point(own));
            slack = c.add(&slack, &c.hull(&off, &c.neg(&off)));
        }
        let offset = c.add(&self.middle, &self.remainder);
        let b = rough_middle(&offset);
        let all = c.add(&c.sub(&offset, &Interval::point(b)), &slack);
        let (down, up) = (*all.lo(), *all.hi());
        if !(all.is_defined() && down.is_finite() && up.is_finite() && b.is_finite()) {
            return None;
        }
        let ends =
            [c.add(&Interval::point(b), &Interval::point(down)), c.add(&Interval::point(b), &Interval::point(up))];
        Some([half_space_part(&kept, *ends[0].lo()), half_space_part(&kept, b), half_space_part(&kept, *ends[1].hi())])
    }
}

/// The monomial of the first power along an axis.
pub(super) fn linear_monomial(algebra: &Algebra, axis: usize) -> usize {
    (1..algebra.len()).find(|&m| algebra.degree(m) == 1 && algebra.exponents(m)[axis] == 1).unwrap_or(0)
}

/// About the middle.
pub(super) fn rough_middle(x: &LineNumber) -> f64 {
    0.5 * x.lo() + 0.5 * x.hi()
}

/// The greatest absolute value.
pub(super) fn max_abs(x: &LineNumber) -> f64 {
    x.lo().abs().max(x.hi().abs())
}
