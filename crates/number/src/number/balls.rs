//! Vectors of balls for long sums of products. A ball is a midpoint and a bound on the distance of the number from it.
//!
//! An interval has two ends, and a product of two intervals needs the right four of them. A ball needs one product and, for its
//! radius, a few operations on `f64` that are the same at every precision; in rows they are vectorised. The rounding error is
//! bounded for a whole sum at once. With η = 2⁻¹⁰⁷⁴, unit roundoff u, and n terms in any order,
//!
//! > |computed - exact| ≤ γₙ₊₁·Σ|xᵢ|·|yᵢ| + n·η,  γₙ = n·u/(1 - n·u)
//!
//! (Higham, *Accuracy and Stability of Numerical Algorithms* (2002), §3.1; η for underflow), and the numbers that the balls
//! enclose are further apart by at most Σ |xᵢ|·ρ(yᵢ) + ρ(xᵢ)·(|yᵢ| + ρ(yᵢ)). Both sums are computed in `f64` rounded to
//! nearest, and the radius makes up for that.
//!
//! Balls have no flag for definedness: a ball holds a number that is defined, and others are refused ([`BallVector::set_interval`]). A radius
//! that is not finite means that nothing is known ([`BallVector::is_known`]).
//!
//! # The arithmetic on midpoints of balls
//!
//! The arithmetic on midpoints of balls, rounded to nearest.

use super::arithmetic::Direction::Up;
use super::arithmetic::Interval;
use crate::number::arithmetic::Direction::Down;
use crate::number::arithmetic::EndpointArithmetic;
use crate::number::double::Double;
use crate::number::mpfr::Mpfr;
use rug::float::Round;
use rug::{Assign, Float};
use std::ops::Range;

/// The quantities that bound the error of a sum of products of balls.
#[derive(Clone, Copy, Default)]
struct SumErrorBound {
    /// The sum Σ |xᵢ|·|yᵢ|.
    size: f64,
    /// The sum Σ |xᵢ|·ρ(yᵢ) + ρ(xᵢ)·(|yᵢ| + ρ(yᵢ)).
    spread: f64,
    /// The number n of terms.
    terms: usize,
    /// The most additions that a product goes through.
    depth: usize,
}

/// A bound on the underflow of 2⁵⁰ operations; a normal number, since subnormal ones are slow.
const TINY: f64 = 4.0 * f64::MIN_POSITIVE;

impl SumErrorBound {
    /// Returns size and spread of the product of two balls, given size and radius of each.
    /// Adds a term, behind all terms so far.
    #[inline(always)]
    fn product_bounds(x: (f64, f64), y: (f64, f64)) -> (f64, f64) {
        (x.0 * y.0, x.0 * y.1 + x.1 * (y.0 + y.1))
    }

    #[inline(always)]
    fn add_term(&mut self, (size, spread): (f64, f64)) {
        self.size += size;
        self.spread += spread;
        self.terms += 1;
        self.depth += 1;
    }

    /// Returns the radius of the sum, where `unit` bounds the relative error of an operation.
    ///
    /// With d sums behind a product, (d + 1)·u·size is too small by a factor of at least 1 - (d + 1)·u, which γ has in its
    /// denominator. Both sums are too small by a factor of at least (1 - 2⁻⁵³)ⁿ⁺⁶, since they are rounded themselves. The slack
    /// makes up for both, as n < 2⁴⁰. By underflow the products of midpoints lose at most η/2 each, and those of sizes and radii
    /// 3·η/2.
    #[inline(always)]
    fn radius(self, unit: f64) -> f64 {
        let lost = (self.depth + 1) as f64 * unit * self.size;
        let slack = 1.0 + (self.terms + 16) as f64 * (2.0 * f64::EPSILON);
        (self.spread + lost) * slack + TINY
    }
}

/// The factors of a sum of products, by their indices.
#[derive(Clone, Copy, Debug)]
pub enum ProductTerms<'p> {
    /// Two runs of consecutive factors: the first indices of both, and the common length.
    Rows(usize, usize, usize),
    /// Pairs of indices.
    Pairs(&'p [(u32, u32)]),
}

/// A vector of balls; see the [module](self).
#[derive(Clone, Debug)]
pub struct BallVector<T: MidpointArithmetic> {
    tier: T,
    midpoints: Vec<T::End>,
    /// Bounds on the absolute values of the midpoints.
    sizes: Vec<f64>,
    radii: Vec<f64>,
}

impl<T: MidpointArithmetic> BallVector<T> {
    /// Creates a vector of `count` zeros.
    #[must_use]
    pub fn new(tier: T, count: usize) -> Self {
        let midpoints = vec![tier.exact_f64(0.0); count];
        Self { tier, midpoints, sizes: vec![0.0; count], radii: vec![0.0; count] }
    }

    /// Sets all balls to 0.
    pub fn clear(&mut self) {
        self.midpoints.iter_mut().for_each(T::set_zero);
        self.sizes.fill(0.0);
        self.radii.fill(0.0);
    }

    /// Returns `true` if size and radius of the ball at an index are finite.
    #[inline]
    #[must_use]
    pub fn is_known(&self, place: usize) -> bool {
        (self.sizes[place] + self.radii[place]).is_finite()
    }

    /// Returns `true` if the ball at an index is the point 0.
    #[inline]
    #[must_use]
    pub fn is_zero(&self, place: usize) -> bool {
        self.radii[place] == 0.0 && self.midpoints[place] == 0.0
    }

    /// Sets the ball at an index to enclose an interval. Returns `false` if the interval is not certainly defined, or not
    /// bounded.
    #[inline]
    pub fn set_interval(&mut self, place: usize, x: &Interval<T::End>) -> bool {
        if !x.is_defined() || !x.has_finite_ends() {
            return false;
        }
        if x.is_degenerate() {
            // `between` gives the number at least the precision of the arithmetic, since it may be added to in place.
            self.midpoints[place] = self.tier.middle_between(&x.lo, &x.hi);
            self.radii[place] = 0.0;
        } else {
            let middle = self.tier.middle_between(&x.lo, &x.hi);
            let left = T::magnitude_f64(&self.tier.sub_rounded(Up, &middle, &x.lo));
            self.radii[place] = left.max(T::magnitude_f64(&self.tier.sub_rounded(Up, &x.hi, &middle)));
            self.midpoints[place] = middle;
        }
        self.sizes[place] = T::magnitude_f64(&self.midpoints[place]);
        self.is_known(place)
    }

    /// Sets the ball at an index to a finite `f64`. Returns `false` for others.
    #[inline]
    pub fn set_f64(&mut self, place: usize, x: f64) -> bool {
        self.midpoints[place] = self.tier.exact_f64(x);
        (self.sizes[place], self.radii[place]) = (x.abs(), 0.0);
        x.is_finite()
    }

    /// Returns the ball at an index as an interval; ⊥ if nothing is known of it.
    #[inline]
    #[must_use]
    pub fn get(&self, place: usize) -> Interval<T::End> {
        let (middle, radius) = (&self.midpoints[place], self.radii[place]);
        if !self.is_known(place) {
            return Interval::whole_line(&self.tier, false);
        }
        if radius == 0.0 {
            return Interval::point(middle.clone());
        }
        let (lo, hi) = self.tier.enclose_ball(middle, radius);
        Interval::new(lo, hi, true)
    }

    /// Returns the largest relative error of an operation. Clamped at 2⁻¹⁰⁰⁰, so that it does not underflow.
    /// Returns size and radius of the ball at an index.
    #[inline]
    fn unit_roundoff(&self) -> f64 {
        (-f64::from(self.tier.bits().min(1000))).exp2()
    }

    #[inline]
    fn size_and_radius(&self, place: u32) -> (f64, f64) {
        (self.sizes[place as usize], self.radii[place as usize])
    }

    /// Sets the ball at an index to the sum of balls and of products of balls.
    pub fn set_sum_of_products(&mut self, place: usize, terms: &[u32], products: ProductTerms) {
        let mut bound = match products {
            ProductTerms::Rows(x, y, count) => self.row_bound(x..x + count, y..y + count),
            ProductTerms::Pairs(pairs) => {
                let mut bound = SumErrorBound::default();
                for (x, y) in pairs {
                    bound.add_term(SumErrorBound::product_bounds(self.size_and_radius(*x), self.size_and_radius(*y)));
                }
                bound
            }
        };
        let at = |place: &u32| &self.midpoints[*place as usize];
        let mut middle = match products {
            ProductTerms::Rows(x, y, count) => {
                self.tier.dot_rows(&self.midpoints[x..x + count], &self.midpoints[y..y + count])
            }
            ProductTerms::Pairs(pairs) => self.tier.dot_pairs(pairs.iter().map(|(x, y)| (at(x), at(y)))),
        };
        for term in terms {
            T::add(&mut middle, at(term));
            bound.add_term(self.size_and_radius(*term));
        }
        self.sizes[place] = T::magnitude_f64(&middle);
        self.midpoints[place] = middle;
        self.radii[place] = bound.radius(self.unit_roundoff());
    }

    /// Bounds a sum of products of two rows. The sums run in [`LANES`] accumulators, which a compiler vectorises.
    fn row_bound(&self, x: Range<usize>, y: Range<usize>) -> SumErrorBound {
        let terms = x.len();
        let [xs, xr] = [&self.sizes[x.clone()], &self.radii[x]].map(<[f64]>::as_chunks::<LANES>);
        let [ys, yr] = [&self.sizes[y.clone()], &self.radii[y]].map(<[f64]>::as_chunks::<LANES>);
        let (mut sizes, mut spreads) = ([0.0; LANES], [0.0; LANES]);
        for ((xs, xr), (ys, yr)) in xs.0.iter().zip(xr.0).zip(ys.0.iter().zip(yr.0)) {
            for i in 0..LANES {
                let (size, spread) = SumErrorBound::product_bounds((xs[i], xr[i]), (ys[i], yr[i]));
                sizes[i] += size;
                spreads[i] += spread;
            }
        }
        let mut bound =
            SumErrorBound { size: sizes.iter().sum(), spread: spreads.iter().sum(), ..SumErrorBound::default() };
        for ((xs, xr), (ys, yr)) in xs.1.iter().zip(xr.1).zip(ys.1.iter().zip(yr.1)) {
            bound.add_term(SumErrorBound::product_bounds((*xs, *xr), (*ys, *yr)));
        }
        SumErrorBound { terms, depth: self.tier.sum_depth(terms), ..bound }
    }

    /// Returns a copy of the ball at an index.
    #[must_use]
    pub fn clone_ball(&self, place: usize) -> Ball<T::End> {
        let middle = self.midpoints[place].clone();
        Ball { size: T::magnitude_f64(&middle), midpoint: middle, radius: self.radii[place] }
    }

    /// Adds a ball to the one at an index.
    pub fn add(&mut self, place: usize, w: &Ball<T::End>) {
        // 0 + w is w, without rounding error.
        if self.is_zero(place) {
            self.midpoints[place] = w.midpoint.clone();
            (self.sizes[place], self.radii[place]) = (w.size, w.radius);
        } else {
            T::add(&mut self.midpoints[place], &w.midpoint);
            let (size, radius) = (self.sizes[place], self.radii[place]);
            (self.sizes[place], self.radii[place]) =
                add_to_bounds(size, radius, (w.size, w.radius), self.unit_roundoff());
        }
    }

    /// Adds w times a row of `others`, `count` long, to a row of balls.
    pub fn add_multiple(&mut self, to: usize, w: &Ball<T::End>, others: &Self, from: usize, count: usize) {
        let (unit, mut room, w, bounds) =
            (self.unit_roundoff(), self.tier.exact_f64(0.0), &w.midpoint, (w.size, w.radius));
        let xs = &others.midpoints[from..from + count];
        for (to, x) in self.midpoints[to..to + count].iter_mut().zip(xs) {
            T::add_product(to, w, x, &mut room);
        }
        let (xs, spreads) = (&others.sizes[from..from + count], &others.radii[from..from + count]);
        let (sizes, radii) = (&mut self.sizes[to..to + count], &mut self.radii[to..to + count]);
        for i in 0..count {
            (sizes[i], radii[i]) =
                add_to_bounds(sizes[i], radii[i], SumErrorBound::product_bounds(bounds, (xs[i], spreads[i])), unit);
        }
    }

    /// Adds w times balls of `others`, given by pairs of an index here and an index there.
    pub fn add_multiples(&mut self, w: &Ball<T::End>, others: &Self, pairs: impl Iterator<Item = (u32, u32)>) {
        let (unit, mut room) = (self.unit_roundoff(), self.tier.exact_f64(0.0));
        for (to, from) in pairs {
            let to = to as usize;
            T::add_product(&mut self.midpoints[to], &w.midpoint, &others.midpoints[from as usize], &mut room);
            let product = SumErrorBound::product_bounds((w.size, w.radius), others.size_and_radius(from));
            (self.sizes[to], self.radii[to]) = add_to_bounds(self.sizes[to], self.radii[to], product, unit);
        }
    }
}

/// Returns size and radius of a ball to which a product was added.
#[inline(always)]
fn add_to_bounds(size: f64, radius: f64, product: (f64, f64), unit: f64) -> (f64, f64) {
    let bound = SumErrorBound { size: size + product.0, spread: radius + product.1, ..ONE_PRODUCT };
    (round_bound_up(bound.size), bound.radius(unit))
}

/// Returns a bound on a sum of two sizes or products, given the rounded sum.
#[inline(always)]
fn round_bound_up(size: f64) -> f64 {
    size * (1.0 + 4.0 * f64::EPSILON) + TINY
}

/// The bound of one product with one addition.
const ONE_PRODUCT: SumErrorBound = SumErrorBound { size: 0.0, spread: 0.0, terms: 1, depth: 1 };

/// A midpoint, and a bound on the distance of the number from it.
#[derive(Clone, Debug)]
pub struct Ball<M> {
    midpoint: M,
    size: f64,
    radius: f64,
}

/// The number of accumulators of a sum. A choice: eight doubles fill the widest vector registers.
const LANES: usize = 8;

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
