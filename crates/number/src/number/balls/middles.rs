//! The arithmetic on midpoints of balls, rounded to nearest.

use crate::number::double::Double;
use crate::number::ends::Direction::{Down, Up};
use crate::number::ends::EndpointArithmetic;
use crate::number::mpfr::Mpfr;
use rug::float::Round;
use rug::{Assign, Float};

/// The number of accumulators of a sum. A choice: eight doubles fill the widest vector registers.
pub(super) const LANES: usize = 8;

/// The arithmetic on midpoints that a number type must supply, rounded to nearest.
pub trait MidpointArithmetic: EndpointArithmetic {
    /// Converts a finite `f64`, exactly.
    fn exact_f64(&self, x: f64) -> Self::End;
    /// Returns |x|, rounded up.
    fn magnitude_f64(x: &Self::End) -> f64;
    /// Sets x := 0.
    fn set_zero(x: &mut Self::End);
    /// Returns a number that is at most x - r, and one that is at least x + r.
    fn enclose_ball(&self, x: &Self::End, r: f64) -> (Self::End, Self::End) {
        let r = self.exact_f64(r);
        (self.sub_rounded(Down, x, &r), self.add_rounded(Up, x, &r))
    }
    /// Sets to := to + x.
    fn add(to: &mut Self::End, x: &Self::End);
    /// Returns Σ xᵢ·yᵢ, the products and the sum rounded in any order.
    fn dot_pairs<'e>(&self, pairs: impl Iterator<Item = (&'e Self::End, &'e Self::End)>) -> Self::End;
    /// Returns Σ xᵢ·yᵢ of two rows of one length.
    fn dot_rows(&self, x: &[Self::End], y: &[Self::End]) -> Self::End {
        self.dot_pairs(x.iter().zip(y))
    }
    /// Returns the most additions that one product of [`MidpointArithmetic::dot_rows`] goes through, for `count` products.
    fn sum_depth(&self, count: usize) -> usize {
        count
    }
    /// Sets to := to + w·x; overwrites `room`.
    fn add_product(to: &mut Self::End, w: &Self::End, x: &Self::End, room: &mut Self::End);
}

impl MidpointArithmetic for Double {
    fn exact_f64(&self, x: f64) -> f64 {
        x
    }

    fn magnitude_f64(x: &f64) -> f64 {
        x.abs()
    }

    fn set_zero(x: &mut f64) {
        *x = 0.0;
    }

    fn enclose_ball(&self, x: &f64, r: f64) -> (f64, f64) {
        ((x - r).next_down(), (x + r).next_up())
    }

    fn add(to: &mut f64, x: &f64) {
        *to += x;
    }

    fn dot_pairs<'e>(&self, pairs: impl Iterator<Item = (&'e f64, &'e f64)>) -> f64 {
        pairs.map(|(x, y)| x * y).sum()
    }

    fn dot_rows(&self, x: &[f64], y: &[f64]) -> f64 {
        let (xs, x_rest) = x.as_chunks::<LANES>();
        let (ys, y_rest) = y.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for (x, y) in xs.iter().zip(ys) {
            (0..LANES).for_each(|i| lanes[i] += x[i] * y[i]);
        }
        lanes.iter().sum::<f64>() + self.dot_pairs(x_rest.iter().zip(y_rest))
    }

    fn sum_depth(&self, count: usize) -> usize {
        // The additions of one lane, of the lanes, and of the rest.
        count / LANES + LANES + count % LANES + 1
    }

    #[inline(always)]
    fn add_product(to: &mut f64, w: &f64, x: &f64, _: &mut f64) {
        *to += w * x;
    }
}

impl MidpointArithmetic for Mpfr {
    fn exact_f64(&self, x: f64) -> Float {
        Float::with_val(self.bits(), x)
    }

    fn magnitude_f64(x: &Float) -> f64 {
        x.to_f64_round(if x.is_sign_negative() { Round::Down } else { Round::Up }).abs()
    }

    fn set_zero(x: &mut Float) {
        x.assign(0);
    }

    fn add(to: &mut Float, x: &Float) {
        *to += x;
    }

    fn dot_pairs<'e>(&self, pairs: impl Iterator<Item = (&'e Float, &'e Float)>) -> Float {
        let [mut sum, mut product] = [Float::new(self.bits()), Float::new(self.bits())];
        for (x, y) in pairs {
            product.assign(x * y);
            sum += &product;
        }
        sum
    }

    fn add_product(to: &mut Float, w: &Float, x: &Float, room: &mut Float) {
        room.assign(w * x);
        *to += &*room;
    }
}
