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

use super::hooks::Hooks;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::Effort;
use crate::number::{Double, Enclosure, Interval, Magnitude, Rational};
use crate::parallel::in_order;
use crate::pieces::Decided;
use crate::smooth::graph::{Graph, Variable};
use cell::{Compiled, Found, Place, width};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The greatest number of boxes. A choice: it bounds memory.
const MOST_BOXES: usize = 2_000_000;
/// The least width of a box to divide, which keeps endpoints exact. A choice.
const NARROWEST: f64 = 1.0 / (1u64 << 40) as f64;
/// The factor by which a higher degree must reduce the error. A choice: otherwise a division is cheaper.
const WORTH: f64 = 0.2;
/// The degree of the polynomial for the first box. A choice.
const FIRST_DEGREE: u32 = 2;
/// The accuracy of solvers in the maps, as a power of two. A choice.
const EFFORT: i64 = -20;
/// The number of boxes from which several are divided together, and the reciprocal of the part of them. A choice: large
/// batches divide boxes that need not be divided.
const MANY: usize = 512;
const PART: usize = 8;
/// The number of divisions between two sums. A choice: summing all boxes takes time, and running totals drift.
const BETWEEN_SUMS: usize = 4096;

/// A box with its contribution.
struct Known {
    /// The box and the degree of its polynomial.
    place: Place,
    /// The contribution.
    found: Found,
    /// The width of the contribution.
    missed: f64,
    /// A sequence number, which breaks ties.
    order: usize,
    /// `true` if a higher degree did not help.
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

/// A map of variables, restricted to the set where all decisions hold.
#[derive(Clone, Copy, Debug)]
pub struct Integrand<'a> {
    /// The replaceable rules, for mutation testing.
    pub hooks: &'static dyn Hooks,
    /// The variables.
    pub variables: &'a [Variable],
    /// The map.
    pub map: &'a Graph,
    /// The decisions.
    pub decided: &'a [Decided],
}

/// Encloses the integral over a box with integer endpoints, to a width or as far as the budget goes, on `threads`
/// threads. Returns `None` if the maps contain other variables.
#[must_use]
pub fn integral(
    of: Integrand<'_>,
    ends: &[[i32; 2]],
    eps: &Rational,
    budget: &Budget,
    threads: usize,
) -> Option<Enclosure> {
    let effort = Effort::new(Magnitude::power_of_two(EFFORT), budget);
    let compiled = Compiled::new(of, &effort)?;
    let ends = ends.iter().map(|[a, b]| [f64::from(*a), f64::from(*b)]).collect();
    let mut search = Search { of, compiled, budget, threads, heap: BinaryHeap::new(), done: Vec::new(), count: 0 };
    let mut whole = Place { ends, held: 0, degree: FIRST_DEGREE };
    if let Some(found) = search.compiled.found(&mut whole) {
        search.keep(whole, found, false);
    }
    search.run(eps.to_f64());
    let sum = search.sum();
    Some(if sum.is_defined() { Double.to_enclosure(&sum) } else { Enclosure::bottom() })
}

/// The result of refining a box.
enum Divided {
    /// The box with a polynomial of higher degree.
    Higher(Place, Found),
    /// The contribution of a box that is too small to divide.
    Small(Found),
    /// The halves of the box. `None` for one without a contribution.
    Halves([Option<(Place, Found)>; 2]),
    /// The unchanged box, since the budget is exhausted.
    Cut(Known),
}

impl Known {
    /// Refines a box: by a higher degree if that helps, otherwise by division. A refinement that the exhausted budget
    /// cut short is discarded.
    fn divided(self, compiled: &Compiled<'_>, budget: &Budget) -> Divided {
        // only for smooth integrands without a boundary does a higher degree reduce the error
        if self.found.is_smooth && !self.is_high && self.place.degree < compiled.highest() {
            let mut place = self.place.clone();
            place.degree += 2;
            if let Some(higher) = compiled.found(&mut place)
                && width(&higher.value) <= WORTH * self.missed
            {
                return Divided::Higher(place, higher);
            }
        }
        // the axis with the greatest influence on the width
        let axis = self.found.axis;
        let [a, b] = self.place.ends[axis];
        if b - a <= NARROWEST {
            return Divided::Small(self.found);
        }
        let middle = a + (b - a) / 2.0;
        let halves = [[a, middle], [middle, b]].map(|half| {
            let mut part = self.place.clone();
            part.ends[axis] = half;
            compiled.found(&mut part).map(|found| (part, found))
        });
        if budget.is_exhausted() { Divided::Cut(Self { is_high: true, ..self }) } else { Divided::Halves(halves) }
    }
}

/// The state of a branch-and-bound integration.
struct Search<'e> {
    of: Integrand<'e>,
    compiled: Compiled<'e>,
    budget: &'e Budget,
    threads: usize,
    heap: BinaryHeap<Known>,
    /// The contributions of boxes that are too small to divide.
    done: Vec<Interval<f64>>,
    count: usize,
}

impl Search<'_> {
    /// Adds a box, and returns the width of its contribution.
    fn keep(&mut self, place: Place, found: Found, is_high: bool) -> f64 {
        let missed = width(&found.value);
        self.count += 1;
        self.heap.push(Known { place, found, missed, order: self.count, is_high });
        missed
    }

    /// Returns the sum of the widths of all contributions.
    fn missed(&self) -> f64 {
        self.heap.iter().map(|known| known.missed).sum::<f64>() + self.done.iter().map(width).sum::<f64>()
    }

    /// Refines boxes until the width is at most `eps`, or the budget is exhausted.
    fn run(&mut self, eps: f64) {
        let is_over = |search: &Self| search.heap.len() >= MOST_BOXES || search.budget.is_exhausted();
        loop {
            let mut missed = self.missed();
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
                let together = if self.heap.len() < MANY { 1 } else { (self.heap.len() / PART).min(rounds) };
                missed += self.divide(together);
                round += together;
                if missed <= eps || is_over(self) {
                    break;
                }
            }
        }
    }

    /// Refines the `together` boxes with the widest contributions. Returns the change of the total width.
    fn divide(&mut self, together: usize) -> f64 {
        let worst: Vec<Known> = (0..together).map_while(|_| self.heap.pop()).collect();
        let missed: Vec<f64> = worst.iter().map(|known| known.missed).collect();
        let budget = self.budget;
        let found = match worst.len() {
            1 => worst.into_iter().map(|known| known.divided(&self.compiled, budget)).collect::<Vec<_>>(),
            _ => {
                let of = self.of;
                // each thread compiles its own maps: evaluation needs mutable state
                in_order(self.threads, worst, |part| {
                    let effort = Effort::new(Magnitude::power_of_two(EFFORT), budget);
                    let compiled = Compiled::new(of, &effort);
                    let divided = |known: Known| match &compiled {
                        Some(compiled) => known.divided(compiled, budget),
                        None => Divided::Cut(known),
                    };
                    part.into_iter().map(divided).collect()
                })
            }
        };
        let mut sum = 0.0;
        for (found, missed) in found.into_iter().zip(missed) {
            sum += match found {
                Divided::Higher(place, found) => self.keep(place, found, false) - missed,
                Divided::Halves(halves) => {
                    halves.into_iter().flatten().map(|(place, found)| self.keep(place, found, false)).sum::<f64>()
                        - missed
                }
                Divided::Small(found) => {
                    self.done.push(found.value);
                    0.0
                }
                Divided::Cut(known) => {
                    self.heap.push(known);
                    0.0
                }
            };
        }
        sum
    }

    /// Adds all contributions, with outward rounding.
    fn sum(&self) -> Interval<f64> {
        let own = self.heap.iter().map(|known| known.found.value);
        let mut parts: Vec<Interval<f64>> = own.chain(self.done.iter().copied()).collect();
        // small contributions first, for less rounding
        parts.sort_by(|a, b| a.hi().abs().total_cmp(&b.hi().abs()));
        parts.iter().fold(Double.integer(0), |sum, part| Double.add(&sum, part))
    }
}
