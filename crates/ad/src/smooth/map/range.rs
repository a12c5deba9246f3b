//! Ranges of maps over boxes: enclosures of all values, and of all Clarke derivatives.
//!
//! A box is an interval for each coordinate, with exact endpoints. If the map is not certainly defined on the whole
//! box, the answer is ⊥. Narrower boxes give narrower answers, at best in proportion to the square of their width: the
//! values are enclosed a second time by the mean value theorem (Lebourg's, for Clarke derivatives), `f(x) ∈ f(m) +
//! ∂f(X)·(X - m)`, with m the middle of the box X.

use super::Map;
use super::derivatives::{COLUMNS, unit_vector};
use super::error::{MapError, check_length};
use super::probe::{EvalRequest, InputInterval};
use super::value::point_intervals;
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::Precision;
use crate::number::{Double, Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::question::all_defined_or_bottom;
use typenum::{Const, ToUInt};

/// Returns the box if it has `n` intervals, each with its endpoints in order.
pub(super) fn check_box(n: usize, ranges: &[InputInterval]) -> Result<Vec<InputInterval>, MapError> {
    check_length("the box", "interval", n, ranges.len())?;
    for (index, [lo, hi]) in ranges.iter().enumerate() {
        if lo > hi {
            return Err(MapError::ReversedInterval { index, lo: Box::new(lo.clone()), hi: Box::new(hi.clone()) });
        }
    }
    Ok(ranges.to_vec())
}

/// Returns the effort for a run on a box. The tolerance of solvers is 2^(-bits/2): the width of the box dominates
/// anyway.
fn box_effort<'b>(tier: Precision, budget: &'b Budget) -> PassOptions<'b> {
    PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits() / 2)), budget)
}

/// Replaces the results by ⊥ if the budget cut the run short: they would depend on where it was cut, so more work might
/// give less.
fn bottom_if_cut<C: HookedContext>(context: &C, found: Vec<C::Num>, effort: &PassOptions) -> Vec<C::Num> {
    if effort.budget.was_exhausted() { vec![context.bottom(); found.len()] } else { found }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Encloses all values on a box, a slice of intervals `[lo, hi]`, for each coordinate of M.
    ///
    /// # Errors
    /// [`MapError::Length`] and [`MapError::ReversedInterval`] for slices that are no box of N; [`MapError::Smooth`] for broken
    /// promises and contradictions.
    pub fn range_slice(
        &self,
        ranges: &[InputInterval],
        tier: Precision,
        budget: &Budget,
    ) -> Result<Vec<Enclosure>, MapError> {
        self.range_with(ranges, tier, &box_effort(tier, budget))
    }

    /// Like [`range_slice`](Map::range_slice), with a given effort: the accuracy of solvers, and the
    /// [promises](PassOptions::assumed_promises) that the values assume.
    ///
    /// # Errors
    /// As for [`Map::range_slice`].
    pub fn range_with(
        &self,
        ranges: &[InputInterval],
        tier: Precision,
        effort: &PassOptions,
    ) -> Result<Vec<Enclosure>, MapError> {
        let ranges = check_box(self.as_dyn.input_count(), ranges)?;
        Ok(match tier {
            Precision::Double => self.range_in(&Double, &ranges, effort)?,
            Precision::Mpfr(bits) => self.range_in(&Mpfr::new(bits), &ranges, effort)?,
        })
    }

    fn range_in<C: HookedContext>(
        &self,
        context: &C,
        ranges: &[InputInterval],
        effort: &PassOptions,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        let plain = bottom_if_cut(
            context,
            EvalRequest::for_value(&self.as_dyn, ranges.to_vec()).run_in(context, effort)?,
            effort,
        );
        let usable = |n: &C::Num| context.is_defined(n) && context.is_bounded(n);
        // a point gains nothing from the mean value theorem, nor does a result without bounds
        if ranges.iter().all(|[lo, hi]| lo == hi) || !plain.iter().any(usable) {
            return Ok(all_defined_or_bottom(context, &plain));
        }
        let middle: Vec<_> = ranges.iter().map(|[lo, hi]| Rational::from(lo + hi) / 2).collect();
        let mut mean = EvalRequest::for_value(&self.as_dyn, point_intervals(&middle)).run_in(context, effort)?;
        // coordinates that are points contribute no term
        let moving: Vec<_> = (0..ranges.len()).filter(|&i| ranges[i][0] != ranges[i][1]).collect();
        for columns in moving.chunks(COLUMNS) {
            let slopes = self.columns_in(context, ranges, columns, effort)?;
            for (&j, slopes) in columns.iter().zip(slopes.chunks(mean.len())) {
                let [lo, hi] = &ranges[j];
                let half = context.enclose_rational(&(Rational::from(hi - lo) / 2));
                let step = context.hull(&context.neg(&half), &half);
                for (value, slope) in mean.iter_mut().zip(slopes) {
                    // a slope that is unbounded or undefined makes the sum so
                    let change = context.mul(slope, &step);
                    *value = context.add(value, &change);
                }
            }
        }
        let mean = bottom_if_cut(context, mean, effort);
        let both = |(plain, mean): (&C::Num, &C::Num)| {
            if !usable(plain) || !usable(mean) {
                return Ok(plain.clone());
            }
            context.intersect(plain, mean).ok_or(SmoothError::DisjointEnclosures { construct: "the range of a map" })
        };
        let both: Vec<_> = plain.iter().zip(&mean).map(both).collect::<Result<_, SmoothError>>()?;
        Ok(all_defined_or_bottom(context, &both))
    }

    /// Encloses the partial derivatives on a box in some coordinates: all components in the first, then in the next.
    fn columns_in<C: HookedContext>(
        &self,
        context: &C,
        ranges: &[InputInterval],
        columns: &[usize],
        effort: &PassOptions,
    ) -> Result<Vec<C::Num>, SmoothError> {
        let directions = columns.iter().map(|&i| (AlgebraGenerator::Taylor(1), unit_vector(ranges.len(), i))).collect();
        let place = |i: usize| columns.iter().map(|&j| u32::from(i == j)).collect();
        let wanted = columns.iter().map(|&i| place(i)).collect();
        EvalRequest { directions, requested: wanted, ..EvalRequest::for_value(&self.as_dyn, ranges.to_vec()) }
            .run_in(context, effort)
    }

    /// Encloses all Clarke derivatives on a box: a row for each coordinate of M, in it for each coordinate of N the
    /// hull of the partial derivatives.
    ///
    /// Where the map is Lipschitz on the box, `f(y) - f(x)` lies in the product of this matrix with `y - x` for all its
    /// points x and y.
    ///
    /// # Errors
    /// As for [`Map::range_slice`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget, real::Precision};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let relu = Map::<U1, U1>::id().relu();
    /// let around = [[Rational::from(-1), Rational::from(1)]];
    /// let slope = relu.derivative_over(&around, Precision::Double, &Budget::unlimited())?;
    /// assert_eq!(slope[0][0].to_string(), "[0, 1]");
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn derivative_over(
        &self,
        ranges: &[InputInterval],
        tier: Precision,
        budget: &Budget,
    ) -> Result<Vec<Vec<Enclosure>>, MapError> {
        let ranges = check_box(self.as_dyn.input_count(), ranges)?;
        let effort = box_effort(tier, budget);
        let m = self.as_dyn.outputs().len();
        let mut rows = vec![Vec::with_capacity(ranges.len()); m];
        let all: Vec<_> = (0..ranges.len()).collect();
        for columns in all.chunks(COLUMNS) {
            let found = match tier {
                Precision::Double => self.enclose_columns(&Double, &ranges, columns, &effort)?,
                Precision::Mpfr(bits) => self.enclose_columns(&Mpfr::new(bits), &ranges, columns, &effort)?,
            };
            for (k, entry) in found.into_iter().enumerate() {
                rows[k % m].push(entry);
            }
        }
        Ok(rows)
    }

    fn enclose_columns<C: HookedContext>(
        &self,
        context: &C,
        ranges: &[InputInterval],
        columns: &[usize],
        effort: &PassOptions,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        let found = self.columns_in(context, ranges, columns, effort)?;
        Ok(all_defined_or_bottom(context, &bottom_if_cut(context, found, effort)))
    }
}

impl<N: Dim, M: MapEnd> Map<N, M> {
    /// Like [`Map::range_slice`], on a box that is given as an array.
    ///
    /// # Errors
    /// [`MapError::ReversedInterval`] and [`MapError::Smooth`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget, real::Precision};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let x = Map::<U1, U1>::id();
    /// let [lo, hi] = [Rational::from(0), Rational::from(1)];
    /// let f = &x - &x * &x;
    /// let values = f.range([[lo, hi]], Precision::Double, &Budget::unlimited())?;
    /// assert!(values[0].contains(&Rational::from(0)) && values[0].contains(&Rational::from((1, 4))));
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn range<const K: usize>(
        &self,
        ranges: [InputInterval; K],
        tier: Precision,
        budget: &Budget,
    ) -> Result<Vec<Enclosure>, MapError>
    where
        Const<K>: ToUInt<Output = N>,
    {
        self.range_slice(&ranges, tier, budget)
    }
}
