//! Integrals over boxes in all coordinates jointly, of maps restricted to the set where all decisions hold.
//!
//! | box | contribution |
//! |---|---|
//! | all decisions hold on it | a Taylor polynomial, with increasing degree as long as that helps |
//! | a decision fails on all of it | 0 |
//! | one boundary crosses it | the volume of a half-space in the box, with an error from the band around the boundary |
//! | several boundaries cross it | between 0 and volume times range |
//!
//! The box with the widest contribution is divided next, along the axis with the greatest influence on the width. The
//! sum is recomputed at the end, since a running total would lose small contributions.
//!
//! If there are many boxes, a fixed part of them is divided in parallel. Which boxes these are does not depend on the
//! number of cores, and neither does the answer. The endpoints of boxes are short dyadic numbers, so that centres and
//! widths are exact.
//!
//! The design is branch and bound with linear relaxations. With boxes of side h there are h^(1-d) at a boundary, each
//! with an error of at most h^(d+1).

mod cell;
pub mod half_space;
mod line;

use super::hooks::MeasureHooks;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::PassOptions;
use crate::number::{Double, Enclosure, Interval, Magnitude, Rational};
use crate::parallel::par_map;
use crate::pieces::GuardCondition;
use crate::smooth::graph::{Graph, Variable};
use cell::{BoxContribution, BoxRegion, CompiledIntegrand, rough_width};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The greatest number of boxes. A choice: it bounds memory.
const MAX_BOXES: usize = 2_000_000;
/// The least width of a box to divide, which keeps endpoints exact. A choice.
const LEAST_BOX_WIDTH: f64 = 1.0 / (1u64 << 40) as f64;
/// The factor by which a higher degree must reduce the error. A choice: otherwise a division is cheaper.
const DEGREE_GAIN: f64 = 0.2;
/// The degree of the polynomial for the first box. A choice.
const FIRST_DEGREE: u32 = 2;
/// The accuracy of solvers in the maps, as a power of two. A choice.
const SOLVER_ACCURACY_LOG2: i64 = -20;
/// The number of boxes from which several are divided together, and the reciprocal of the part of them. A choice: large
/// batches divide boxes that need not be divided.
const PARALLEL_MIN_BOXES: usize = 512;
const PARALLEL_FRACTION: usize = 8;
/// The number of divisions between two sums. A choice: summing all boxes takes time, and running totals drift.
const BETWEEN_SUMS: usize = 4096;

/// A box with its contribution.
struct BoxBound {
    /// The box and the degree of its polynomial.
    region: BoxRegion,
    /// The contribution.
    contribution: BoxContribution,
    /// The width of the contribution.
    error: f64,
    /// A sequence number, which breaks ties.
    sequence: usize,
    /// `true` if a higher degree did not help.
    is_high: bool,
}

impl PartialEq for BoxBound {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for BoxBound {}
impl PartialOrd for BoxBound {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for BoxBound {
    fn cmp(&self, other: &Self) -> Ordering {
        self.error.total_cmp(&other.error).then(other.sequence.cmp(&self.sequence))
    }
}

/// A map of variables, restricted to the set where all decisions hold.
#[derive(Clone, Copy, Debug)]
pub struct RestrictedIntegrand<'a> {
    /// The replaceable rules, for mutation testing.
    pub hooks: &'static dyn MeasureHooks,
    /// The variables.
    pub variables: &'a [Variable],
    /// The map.
    pub map: &'a Graph,
    /// The decisions.
    pub decided: &'a [GuardCondition],
}

/// Encloses the integral over a box with integer endpoints, to a width or as far as the budget goes, on `threads`
/// threads. Returns `None` if the maps contain other variables.
#[must_use]
pub fn integrate_over_box(
    of: RestrictedIntegrand<'_>,
    ends: &[[i32; 2]],
    eps: &Rational,
    budget: &Budget,
    threads: usize,
) -> Option<Enclosure> {
    let effort = PassOptions::new(Magnitude::power_of_two(SOLVER_ACCURACY_LOG2), budget);
    let compiled = CompiledIntegrand::new(of, &effort)?;
    let ends = ends.iter().map(|[a, b]| [f64::from(*a), f64::from(*b)]).collect();
    let mut search = BoxQueue { of, compiled, budget, threads, heap: BinaryHeap::new(), done: Vec::new(), count: 0 };
    let mut whole = BoxRegion { ends, decided_bits: 0, degree: FIRST_DEGREE };
    if let Some(found) = search.compiled.bound_box(&mut whole) {
        search.insert_box(whole, found, false);
    }
    search.refine_until(eps.to_f64());
    let sum = search.sum_contributions();
    Some(if sum.is_defined() { Double.to_enclosure(&sum) } else { Enclosure::bottom() })
}

/// The result of refining a box.
enum Refinement {
    /// The box with a polynomial of higher degree.
    HigherDegree(BoxRegion, BoxContribution),
    /// The contribution of a box that is too small to divide.
    TooSmall(BoxContribution),
    /// The halves of the box. `None` for one without a contribution.
    Halves([Option<(BoxRegion, BoxContribution)>; 2]),
    /// The unchanged box, since the budget is exhausted.
    Unchanged(BoxBound),
}

impl BoxBound {
    /// Refines a box: by a higher degree if that helps, otherwise by division. A refinement that the exhausted budget
    /// cut short is discarded.
    fn refine_box(self, compiled: &CompiledIntegrand<'_>, budget: &Budget) -> Refinement {
        // only for smooth integrands without a boundary does a higher degree reduce the error
        if self.contribution.is_smooth && !self.is_high && self.region.degree < compiled.max_degree() {
            let mut place = self.region.clone();
            place.degree += 2;
            if let Some(higher) = compiled.bound_box(&mut place)
                && rough_width(&higher.value) <= DEGREE_GAIN * self.error
            {
                return Refinement::HigherDegree(place, higher);
            }
        }
        // the axis with the greatest influence on the width
        let axis = self.contribution.axis;
        let [a, b] = self.region.ends[axis];
        if b - a <= LEAST_BOX_WIDTH {
            return Refinement::TooSmall(self.contribution);
        }
        let middle = a + (b - a) / 2.0;
        let halves = [[a, middle], [middle, b]].map(|half| {
            let mut part = self.region.clone();
            part.ends[axis] = half;
            compiled.bound_box(&mut part).map(|found| (part, found))
        });
        if budget.is_exhausted() {
            Refinement::Unchanged(Self { is_high: true, ..self })
        } else {
            Refinement::Halves(halves)
        }
    }
}

/// The state of a branch-and-bound integration.
struct BoxQueue<'e> {
    of: RestrictedIntegrand<'e>,
    compiled: CompiledIntegrand<'e>,
    budget: &'e Budget,
    threads: usize,
    heap: BinaryHeap<BoxBound>,
    /// The contributions of boxes that are too small to divide.
    done: Vec<Interval<f64>>,
    count: usize,
}

impl BoxQueue<'_> {
    /// Adds a box, and returns the width of its contribution.
    fn insert_box(&mut self, place: BoxRegion, found: BoxContribution, is_high: bool) -> f64 {
        let missed = rough_width(&found.value);
        self.count += 1;
        self.heap.push(BoxBound { region: place, contribution: found, error: missed, sequence: self.count, is_high });
        missed
    }

    /// Returns the sum of the widths of all contributions.
    fn total_error(&self) -> f64 {
        self.heap.iter().map(|known| known.error).sum::<f64>() + self.done.iter().map(rough_width).sum::<f64>()
    }

    /// Refines boxes until the width is at most `eps`, or the budget is exhausted.
    fn refine_until(&mut self, eps: f64) {
        let is_over = |search: &Self| search.heap.len() >= MAX_BOXES || search.budget.is_exhausted();
        loop {
            let mut missed = self.total_error();
            if missed <= eps || is_over(self) {
                return;
            }
            // an infinite width makes the running total useless, so that the sum is taken again soon
            let rounds = if missed.is_finite() { BETWEEN_SUMS } else { 64 };
            let mut round = 0;
            while round < rounds {
                if self.heap.is_empty() {
                    return;
                }
                let together = if self.heap.len() < PARALLEL_MIN_BOXES {
                    1
                } else {
                    (self.heap.len() / PARALLEL_FRACTION).min(rounds)
                };
                missed += self.refine_worst(together);
                round += together;
                if missed <= eps || is_over(self) {
                    break;
                }
            }
        }
    }

    /// Refines the `together` boxes with the widest contributions. Returns the change of the total width.
    fn refine_worst(&mut self, together: usize) -> f64 {
        let worst: Vec<BoxBound> = (0..together).map_while(|_| self.heap.pop()).collect();
        let missed: Vec<f64> = worst.iter().map(|known| known.error).collect();
        let budget = self.budget;
        let found = match worst.len() {
            1 => worst.into_iter().map(|known| known.refine_box(&self.compiled, budget)).collect::<Vec<_>>(),
            _ => {
                let of = self.of;
                // each thread compiles its own maps: evaluation needs mutable state
                par_map(self.threads, worst, |part| {
                    let effort = PassOptions::new(Magnitude::power_of_two(SOLVER_ACCURACY_LOG2), budget);
                    let compiled = CompiledIntegrand::new(of, &effort);
                    let divided = |known: BoxBound| match &compiled {
                        Some(compiled) => known.refine_box(compiled, budget),
                        None => Refinement::Unchanged(known),
                    };
                    part.into_iter().map(divided).collect()
                })
            }
        };
        let mut sum = 0.0;
        for (found, missed) in found.into_iter().zip(missed) {
            sum += match found {
                Refinement::HigherDegree(place, found) => self.insert_box(place, found, false) - missed,
                Refinement::Halves(halves) => {
                    halves.into_iter().flatten().map(|(place, found)| self.insert_box(place, found, false)).sum::<f64>()
                        - missed
                }
                Refinement::TooSmall(found) => {
                    self.done.push(found.value);
                    0.0
                }
                Refinement::Unchanged(known) => {
                    self.heap.push(known);
                    0.0
                }
            };
        }
        sum
    }

    /// Adds all contributions, with outward rounding.
    fn sum_contributions(&self) -> Interval<f64> {
        let own = self.heap.iter().map(|known| known.contribution.value);
        let mut parts: Vec<Interval<f64>> = own.chain(self.done.iter().copied()).collect();
        // small contributions first, for less rounding
        parts.sort_by(|a, b| a.hi().abs().total_cmp(&b.hi().abs()));
        parts.iter().fold(Double.enclose_integer(0), |sum, part| Double.add(&sum, part))
    }
}
