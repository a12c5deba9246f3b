//! Evaluation of a curve: precision that grows with the need, and a record of the promises that values rest on.

use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::curve::{Chord, UnivariateMap};
use crate::smooth::error::SmoothError;
use std::cell::Cell;
use std::collections::BTreeSet;

/// The largest number of times that the precision is raised for one value. A choice.
const MAX_RAISES: u32 = 2;
/// Number of raises in a row without any gain after which no further one is tried. A choice.
const MAX_USELESS_RAISES: u32 = 24;
/// Number of raises in a row that helped after which the precision stays up. A choice.
const RAISES_TO_KEEP: u32 = 3;
/// Number of halvings of a column that doubles still resolve. A choice: half of the 32 bits that the precision of the
/// borders has to spare.
const SPARE_HALVINGS: u32 = 16;

/// An evaluator of one derivative of a curve.
#[derive(Debug)]
pub struct CurveSampler<'a> {
    curve: &'a UnivariateMap,
    order: u32,
    budget: &'a Budget,
    tier: Precision,
    /// The desired width of a value at a point.
    pub tolerance: Magnitude,
    /// The number of raises in a row without any gain.
    useless_raises: u32,
    /// The number of raises that helped since the first precision last sufficed.
    useful_raises: u32,
    /// The numbers of the sites whose promise some value rests on.
    pub assumed: BTreeSet<u32>,
}

/// An error, and the interval on which it happened.
#[derive(Debug)]
pub struct CurveFailure {
    /// The error.
    pub error: SmoothError,
    /// The interval.
    pub on: [Rational; 2],
}

impl<'a> CurveSampler<'a> {
    /// Creates an evaluator of the derivative of order `order`, with the initial precision `tier`.
    #[must_use]
    pub fn new(curve: &'a UnivariateMap, order: u32, tier: Precision, budget: &'a Budget) -> Self {
        let tolerance = Magnitude::power_of_two(-4);
        Self { curve, order, budget, tier, tolerance, useless_raises: 0, useful_raises: 0, assumed: BTreeSet::new() }
    }

    /// Returns the order of the derivative.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.order
    }

    /// Returns `true` if the budget is spent.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_exhausted()
    }

    /// Evaluates with the present tolerance, and records the promises. Returns ⊥ if the budget cut the evaluation
    /// short.
    fn evaluate_with(
        &mut self,
        on: [&Rational; 2],
        question: impl Fn(&PassOptions) -> Result<Enclosure, SmoothError>,
    ) -> Result<Enclosure, CurveFailure> {
        let effort = PassOptions::new(self.tolerance, self.budget);
        let found = question(&effort);
        self.assumed.extend(effort.assumed_promises());
        // The time of a cut is not deterministic, so neither is a result that was cut short: it is dropped.
        let found = found.map(|found| if self.budget.was_exhausted() { Enclosure::bottom() } else { found });
        found.map_err(|error| CurveFailure { error, on: on.map(Clone::clone) })
    }

    /// Encloses the value at a point, as narrow as the tolerance if that can be reached.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails, or if two precisions give disjoint enclosures.
    pub fn value_at(&mut self, x: &Rational) -> Result<Enclosure, CurveFailure> {
        let (curve, order, first) = (self.curve, self.order, self.tier);
        let mut best = self.evaluate_with([x, x], |effort| curve.range_over([x, x], order, first, effort))?;
        let mut tier = first;
        for _ in 0..MAX_RAISES {
            if best.width() <= self.tolerance || self.useless_raises > MAX_USELESS_RAISES || self.is_exhausted() {
                break;
            }
            // Doubling reaches any precision in a few steps; 128 bits are the least of MPFR that is worth a second
            // evaluation.
            tier = Precision::Mpfr((tier.bits() * 2).max(128));
            let finer = self.evaluate_with([x, x], |effort| curve.range_over([x, x], order, tier, effort))?;
            let error = || SmoothError::DisjointEnclosures { construct: "a value of the plotted function" };
            let both =
                best.intersection(&finer).ok_or_else(|| CurveFailure { error: error(), on: [x.clone(), x.clone()] })?;
            // A gain is a width that was at least halved, or a value that is now defined.
            let gained = both.is_defined() != best.is_defined() || both.width().mul_exp2(1) < best.width();
            best = both;
            if gained {
                self.useless_raises = 0;
                self.useful_raises += 1;
            } else {
                self.useless_raises += 1;
            }
        }
        // A change of precision for good needs several successes in a row, so that one hard point does not slow down
        // all others.
        if tier == first {
            self.useful_raises = 0;
        } else if self.useful_raises > RAISES_TO_KEEP && best.width() <= self.tolerance {
            self.tier = tier;
            self.useful_raises = 0;
        }
        Ok(best)
    }

    /// Encloses the range over an interval by interval arithmetic alone.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn enclose_range(&mut self, on: [&Rational; 2]) -> Result<Enclosure, CurveFailure> {
        let (curve, order, tier) = (self.curve, self.order, self.tier);
        self.evaluate_with(on, |effort| curve.range_over(on, order, tier, effort))
    }

    /// Returns `true` if [`Self::range_and_choices`] sees every branch of the function.
    #[must_use]
    pub fn shows_choices(&self) -> bool {
        self.curve.records_all_branches()
    }

    /// Encloses the range over an interval, which is a column halved `level` times, at a precision that distinguishes
    /// its ends. Also returns `true` if every recorded branch is decided on it.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn range_and_choices(&mut self, on: [&Rational; 2], level: u32) -> Result<(Enclosure, bool), CurveFailure> {
        let (curve, order) = (self.curve, self.order);
        let tier = match self.tier {
            Precision::Double if level <= SPARE_HALVINGS => Precision::Double,
            // Every halving needs one more bit to distinguish the ends.
            tier => Precision::Mpfr(tier.bits() + level + 64),
        };
        let decided = Cell::new(true);
        let range = self.evaluate_with(on, |effort| {
            let (range, is_decided) = curve.range_and_branches(on, order, tier, effort)?;
            decided.set(is_decided);
            Ok(range)
        })?;
        Ok((range, decided.get()))
    }

    /// Encloses the range over an interval, from the values at its ends and the slope.
    ///
    /// # Errors
    /// [`CurveFailure`] if the evaluation fails.
    pub fn enclose_by_slope(&mut self, chord: Chord) -> Result<Enclosure, CurveFailure> {
        let (curve, order, tier) = (self.curve, self.order, self.tier);
        self.evaluate_with(chord.ends, |effort| curve.range_by_mean_value(chord, order, tier, effort))
    }
}
