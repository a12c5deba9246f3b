//! Integrals over boxes in all coordinates at once, of maps that count only where guards are as they were decided.
//!
//! | a box | its part of the integral |
//! |---|---|
//! | on which all guards are as they were decided | by a Taylor polynomial, whose degree rises as long as that helps |
//! | on which one is certainly not | none |
//! | through which one border goes | by a half-space, and the volume of the band between two of them |
//! | through which several go | between 0 and volume times range |
//!
//! The box of which least is known is divided next, along the axis on which that depends most. The sum is taken afresh at the end:
//! a running total would lose what is small. The ends of boxes are short dyadic numbers, so that their centres and widths are exact.
//! The design is that of branch and bound with linear relaxations; the boxes at a border number h^(1-d), and each misses h^(d+1) at most.

mod cell;
pub mod half_space;

use super::rules::Rules;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::Effort;
use crate::number::{Double, Enclosure, Interval, Magnitude, Rational};
use crate::pieces::Decided;
use crate::smooth::graph::{Graph, Variable};
use cell::{Compiled, Found, Place, width};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The most boxes that are kept.
const MOST_BOXES: usize = 2_000_000;
/// The least width of a box.
const NARROWEST: f64 = 1.0 / (1u64 << 40) as f64;
/// By how much less must be missed by a polynomial of a higher degree.
const WORTH: f64 = 0.2;
/// The degree with which the first box begins.
const FIRST_DEGREE: u32 = 2;
/// How many boxes are divided between two sums.
const BETWEEN_SUMS: usize = 4096;

/// A box, and what is known of its part.
struct Known {
    place: Place,
    found: Found,
    missed: f64,
    order: usize,
    /// Whether a higher degree did not help.
    is_high: bool,
}

impl PartialEq for Known {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Known {}
impl PartialOrd for Known {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Known {
    fn cmp(&self, other: &Self) -> Ordering {
        self.missed.total_cmp(&other.missed).then(other.order.cmp(&self.order))
    }
}

/// The integral over a box of a map that counts only where all guards are as they were decided, to a width, or as far as the budget goes.
/// `None` where the maps mention other variables. The ends are integers.
#[must_use]
pub fn integral(
    rules: &'static dyn Rules,
    variables: &[Variable],
    ends: &[[i32; 2]],
    integrand: &Graph,
    decided: &[Decided],
    eps: &Rational,
    budget: &Budget,
) -> Option<Enclosure> {
    let effort = Effort::new(Magnitude::power_of_two(-20), budget);
    let compiled = Compiled::new(rules, variables, integrand, decided, &effort)?;
    let ends = ends.iter().map(|[a, b]| [f64::from(*a), f64::from(*b)]).collect();
    let mut search = Search { compiled, heap: BinaryHeap::new(), done: Vec::new(), count: 0 };
    let mut whole = Place { ends, held: 0, degree: FIRST_DEGREE };
    if let Some(found) = search.compiled.found(&mut whole) {
        search.keep(whole, found, false);
    }
    search.run(eps.to_f64(), budget);
    let sum = search.sum();
    Some(if sum.is_defined() { Double.to_enclosure(&sum) } else { Enclosure::bottom() })
}

struct Search<'e> {
    compiled: Compiled<'e>,
    heap: BinaryHeap<Known>,
    /// What is known of boxes that are too small to be divided.
    done: Vec<Interval<f64>>,
    count: usize,
}

impl Search<'_> {
    /// Keeps what is known of a box: what is missed of it.
    fn keep(&mut self, place: Place, found: Found, is_high: bool) -> f64 {
        let missed = width(&found.value);
        self.count += 1;
        self.heap.push(Known { place, found, missed, order: self.count, is_high });
        missed
    }

    fn missed(&self) -> f64 {
        self.heap.iter().map(|known| known.missed).sum::<f64>() + self.done.iter().map(width).sum::<f64>()
    }

    fn run(&mut self, eps: f64, budget: &Budget) {
        let is_over = |search: &Self| search.heap.len() >= MOST_BOXES || budget.is_exhausted();
        loop {
            let mut missed = self.missed();
            if missed <= eps || is_over(self) {
                return;
            }
            // an infinite sum is taken again soon
            let rounds = if missed.is_finite() { BETWEEN_SUMS } else { 64 };
            for _ in 0..rounds {
                let Some(worst) = self.heap.pop() else { return };
                missed += self.divide(worst, budget);
                if missed <= eps || is_over(self) {
                    break;
                }
            }
        }
    }

    /// Looks at a box more closely: how much more is missed, which is negative. What is looked at when the budget ends is not used.
    fn divide(&mut self, worst: Known, budget: &Budget) -> f64 {
        let Known { mut place, found, missed, is_high, .. } = worst;
        if found.is_smooth && !is_high && place.degree < self.compiled.highest() {
            place.degree += 2;
            if let Some(higher) = self.compiled.found(&mut place)
                && width(&higher.value) <= WORTH * missed
            {
                return self.keep(place, higher, false) - missed;
            }
            place.degree -= 2;
        }
        let [a, b] = place.ends[found.axis];
        if b - a <= NARROWEST {
            self.done.push(found.value);
            return 0.0;
        }
        let middle = a + (b - a) / 2.0;
        let parts = [[a, middle], [middle, b]].map(|half| {
            let mut part = place.clone();
            part.ends[found.axis] = half;
            let found = self.compiled.found(&mut part);
            (part, found)
        });
        if budget.is_exhausted() {
            self.keep(place, found, true);
            return 0.0;
        }
        let mut sum = -missed;
        for (part, found) in parts {
            if let Some(found) = found {
                sum += self.keep(part, found, false);
            }
        }
        sum
    }

    fn sum(&self) -> Interval<f64> {
        let own = self.heap.iter().map(|known| known.found.value);
        let mut parts: Vec<Interval<f64>> = own.chain(self.done.iter().copied()).collect();
        // what is small first
        parts.sort_by(|a, b| a.hi().abs().total_cmp(&b.hi().abs()));
        parts.iter().fold(Double.integer(0), |sum, part| Double.add(&sum, part))
    }
}
