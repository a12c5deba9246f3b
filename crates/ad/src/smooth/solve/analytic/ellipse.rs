//! Bernstein ellipses, with the foci at the ends of an interval, covered by rectangles.
//!
//! Only the upper half counts. The rim is cut at the angles πi/8 into arcs, each monotone, in the rectangle between its
//! ends. The outer edges of these rectangles form a curve around the ellipse, and the region between curve and ellipse lies
//! in the rectangles. Let a function be analytic on a cover and on them. Then its modulus on the ellipse is at most that on
//! them, by the maximum principle.

use crate::number::context::Context;
use crate::number::{Double, Rational};
use crate::smooth::machine::complex::ComplexRectangle;
use std::f64::consts::FRAC_1_SQRT_2;

/// The factor by which half-axes are enlarged, to make up for the rounding of roots.
const MARGIN: f64 = 1.0 + 1e-9;
/// The cosines of πi/8, from 0 to a right angle; in reverse order they are the sines.
const COSINES: [f64; 5] = [1.0, 0.923_879_532_511_286_7, FRAC_1_SQRT_2, 0.382_683_432_365_089_8, 0.0];

/// A filled ellipse around an interval.
pub(super) struct BernsteinEllipse {
    /// The middle of the interval.
    middle: <Double as Context>::Num,
    /// Half of its length.
    half: <Double as Context>::Num,
    /// The half-axes, in halves of the interval, slightly enlarged.
    axes: [f64; 2],
}

impl BernsteinEllipse {
    /// Returns the ellipse with ρ² = 2ˢ around an interval, given by its middle and half of its length.
    pub(super) fn around(middle: &Rational, half: &Rational, s: u32) -> Self {
        let rho = f64::from(1 << s).sqrt();
        let axes = [(rho + 1.0 / rho) / 2.0 * MARGIN, (rho - 1.0 / rho) / 2.0 * MARGIN];
        Self { middle: Double.enclose_rational(middle), half: Double.enclose_rational(half), axes }
    }

    /// Returns the rectangle with these ends in each direction, measured in halves of the interval from its middle.
    fn scaled_rectangle(&self, re: [f64; 2], im: [f64; 2]) -> ComplexRectangle {
        let scaled = |[a, b]: [f64; 2]| Double.mul(&self.half, &Double::interval_between(a, b));
        ComplexRectangle { re: Double.add(&self.middle, &scaled(re)), im: scaled(im) }
    }

    /// Covers the upper half by columns and rows of rectangles.
    pub(super) fn cover_rectangles(&self, [columns, rows]: [u32; 2]) -> impl Iterator<Item = ComplexRectangle> {
        let [wide, high] = self.axes;
        let at = move |i: u32| wide * (2.0 * f64::from(i) / f64::from(columns) - 1.0);
        (0..columns).flat_map(move |column| {
            let [left, right] = [at(column), at(column + 1)];
            // The highest point over a column is where it is nearest to the middle.
            let nearest = if left <= 0.0 && right >= 0.0 { 0.0 } else { left.abs().min(right.abs()) };
            let top = high * (1.0 - (nearest / wide).powi(2)).max(0.0).sqrt() * MARGIN;
            let at = move |i: u32| top * f64::from(i) / f64::from(rows);
            (0..rows).map(move |row| self.scaled_rectangle([left, right], [at(row), at(row + 1)]))
        })
    }

    /// Returns the rectangles around the upper half of the rim.
    pub(super) fn rim_rectangles(&self) -> impl Iterator<Item = ComplexRectangle> {
        let [wide, high] = self.axes;
        COSINES.windows(2).zip(COSINES.windows(2).rev()).flat_map(move |(re, im)| {
            let im = [im[1] * high, im[0] * high];
            [wide, -wide].map(|wide| self.scaled_rectangle([re[0] * wide, re[1] * wide], im))
        })
    }
}
