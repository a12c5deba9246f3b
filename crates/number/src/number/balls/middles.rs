//! The arithmetic on midpoints of balls, rounded to nearest.

use crate::number::double::Double;
use crate::number::ends::Direction::{Down, Up};
use crate::number::ends::Ends;
use crate::number::mpfr::Mpfr;
use rug::float::Round;
use rug::{Assign, Float};

/// The number of accumulators of a sum. A choice: eight doubles fill the widest vector registers.
pub(super) const LANES: usize = 8;

/// The arithmetic on midpoints that a number type must supply, rounded to nearest.
pub trait Middles: Ends {
    /// Converts a finite `f64`, exactly.
    fn exactly(&self, x: f64) -> Self::End;
    /// Returns |x|, rounded up.
    fn size(x: &Self::End) -> f64;
    /// Sets x := 0.
    fn clear(x: &mut Self::End);
    /// Returns a number that is at most x - r, and one that is at least x + r.
    fn around(&self, x: &Self::End, r: f64) -> (Self::End, Self::End) {
        let r = self.exactly(r);
        (self.difference(Down, x, &r), self.sum(Up, x, &r))
    }
    /// Sets to := to + x.
    fn add(to: &mut Self::End, x: &Self::End);
    /// Returns Σ xᵢ·yᵢ, the products and the sum rounded in any order.
    fn dot<'e>(&self, pairs: impl Iterator<Item = (&'e Self::End, &'e Self::End)>) -> Self::End;
    /// Returns Σ xᵢ·yᵢ of two rows of one length.
    fn dot_rows(&self, x: &[Self::End], y: &[Self::End]) -> Self::End {
        self.dot(x.iter().zip(y))
    }
    /// Returns the most additions that one product of [`Middles::dot_rows`] goes through, for `count` products.
    fn depth(&self, count: usize) -> usize {
        count
    }
    /// Sets to := to + w·x; overwrites `room`.
    fn add_product(to: &mut Self::End, w: &Self::End, x: &Self::End, room: &mut Self::End);
}

impl Middles for Double {
    fn exactly(&self, x: f64) -> f64 {
        x
    }

    fn size(x: &f64) -> f64 {
        x.abs()
    }

    fn clear(x: &mut f64) {
        *x = 0.0;
    }

    fn around(&self, x: &f64, r: f64) -> (f64, f64) {
        ((x - r).next_down(), (x + r).next_up())
    }

    fn add(to: &mut f64, x: &f64) {
        *to += x;
    }

    fn dot<'e>(&self, pairs: impl Iterator<Item = (&'e f64, &'e f64)>) -> f64 {
        pairs.map(|(x, y)| x * y).sum()
    }

    fn dot_rows(&self, x: &[f64], y: &[f64]) -> f64 {
        let (xs, x_rest) = x.as_chunks::<LANES>();
        let (ys, y_rest) = y.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for (x, y) in xs.iter().zip(ys) {
            (0..LANES).for_each(|i| lanes[i] += x[i] * y[i]);
        }
        lanes.iter().sum::<f64>() + self.dot(x_rest.iter().zip(y_rest))
    }

    fn depth(&self, count: usize) -> usize {
        // The additions of one lane, of the lanes, and of the rest.
        count / LANES + LANES + count % LANES + 1
    }

    #[inline(always)]
    fn add_product(to: &mut f64, w: &f64, x: &f64, _: &mut f64) {
        *to += w * x;
    }
}

impl Middles for Mpfr {
    fn exactly(&self, x: f64) -> Float {
        Float::with_val(self.bits(), x)
    }

    fn size(x: &Float) -> f64 {
        x.to_f64_round(if x.is_sign_negative() { Round::Down } else { Round::Up }).abs()
    }

    fn clear(x: &mut Float) {
        x.assign(0);
    }

    fn add(to: &mut Float, x: &Float) {
        *to += x;
    }

    fn dot<'e>(&self, pairs: impl Iterator<Item = (&'e Float, &'e Float)>) -> Float {
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
