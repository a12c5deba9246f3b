//! Asking a curve for its values: precision that grows, and a record of the promises that were relied on.

use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::Tier;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::curve::{Chord, Curve};
use crate::smooth::error::SmoothError;
use std::cell::Cell;
use std::collections::BTreeSet;

/// How often the precision is raised for one value.
const RAISES: u32 = 2;
/// Raises in a row without any gain, after which no further one is tried.
const PATIENCE: u32 = 24;
/// Raises in a row that were needed, after which the precision stays up.
const HABIT: u32 = 3;
/// How often a column can be halved before its ends are too close for the arithmetic that tells columns apart.
const SPARE: u32 = 16;

/// What asks one derivative of a curve.
#[derive(Debug)]
pub struct Sampler<'a> {
    curve: &'a Curve,
    order: u32,
    budget: &'a Budget,
    tier: Tier,
    /// The width that a value at a point should have.
    pub tolerance: Magnitude,
    useless: u32,
    needed: u32,
    /// The numbered places whose promise some value rests on.
    pub assumed: BTreeSet<u32>,
}

/// An error, and the interval on which it happened.
#[derive(Debug)]
pub struct Failure {
    /// The error.
    pub error: SmoothError,
    /// The interval.
    pub on: [Rational; 2],
}

impl<'a> Sampler<'a> {
    /// What asks for the derivative of an order, starting at a precision.
    #[must_use]
    pub fn new(curve: &'a Curve, order: u32, tier: Tier, budget: &'a Budget) -> Self {
        let tolerance = Magnitude::power_of_two(-4);
        Self { curve, order, budget, tier, tolerance, useless: 0, needed: 0, assumed: BTreeSet::new() }
    }

    /// The order of the derivative.
    #[must_use]
    pub fn order(&self) -> u32 {
        self.order
    }

    /// Whether the budget is spent.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.budget.is_exhausted()
    }

    fn ask(
        &mut self,
        on: [&Rational; 2],
        question: impl Fn(&Effort) -> Result<Enclosure, SmoothError>,
    ) -> Result<Enclosure, Failure> {
        let effort = Effort::new(self.tolerance, self.budget);
        let found = question(&effort);
        self.assumed.extend(effort.assumed());
        // what was cut short says more or less by the moment of the cut
        let found = found.map(|found| if self.budget.is_cut() { Enclosure::bottom() } else { found });
        found.map_err(|error| Failure { error, on: on.map(Clone::clone) })
    }

    /// The value at a point, as narrow as the tolerance where that can be had.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn at(&mut self, x: &Rational) -> Result<Enclosure, Failure> {
        let (curve, order, first) = (self.curve, self.order, self.tier);
        let mut best = self.ask([x, x], |effort| curve.range([x, x], order, first, effort))?;
        let mut tier = first;
        for _ in 0..RAISES {
            if best.width() <= self.tolerance || self.useless > PATIENCE || self.is_exhausted() {
                break;
            }
            tier = Tier::Mpfr((tier.bits() * 2).max(128));
            let finer = self.ask([x, x], |effort| curve.range([x, x], order, tier, effort))?;
            let error = || SmoothError::Contradiction { construct: "a value of the plotted function" };
            let both =
                best.intersection(&finer).ok_or_else(|| Failure { error: error(), on: [x.clone(), x.clone()] })?;
            let gained = both.is_defined() != best.is_defined() || both.width().shifted(1) < best.width();
            best = both;
            if gained {
                self.useless = 0;
                self.needed += 1;
            } else {
                self.useless += 1;
            }
        }
        if tier == first {
            self.needed = 0;
        } else if self.needed > HABIT && best.width() <= self.tolerance {
            self.tier = tier;
            self.needed = 0;
        }
        Ok(best)
    }

    /// The range over an interval, at first sight.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn range(&mut self, on: [&Rational; 2]) -> Result<Enclosure, Failure> {
        let (curve, order, tier) = (self.curve, self.order, self.tier);
        self.ask(on, |effort| curve.range(on, order, tier, effort))
    }

    /// Whether every choice of the function is seen by [`Self::range_and_choices`].
    #[must_use]
    pub fn shows_choices(&self) -> bool {
        self.curve.shows_choices()
    }

    /// The range over an interval that is a column halved `level` times, in an arithmetic that tells its ends apart, and whether every
    /// choice that is seen is decided on it.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn range_and_choices(&mut self, on: [&Rational; 2], level: u32) -> Result<(Enclosure, bool), Failure> {
        let (curve, order) = (self.curve, self.order);
        let tier = match self.tier {
            Tier::Double if level <= SPARE => Tier::Double,
            tier => Tier::Mpfr(tier.bits() + level + 64),
        };
        let decided = Cell::new(true);
        let range = self.ask(on, |effort| {
            let (range, is_decided) = curve.range_and_choices(on, order, tier, effort)?;
            decided.set(is_decided);
            Ok(range)
        })?;
        Ok((range, decided.get()))
    }

    /// The range over an interval, from the values at its ends.
    ///
    /// # Errors
    /// [`Failure`]
    pub fn over(&mut self, chord: Chord) -> Result<Enclosure, Failure> {
        let (curve, order, tier) = (self.curve, self.order, self.tier);
        self.ask(chord.ends, |effort| curve.range_by_slope(chord, order, tier, effort))
    }
}
