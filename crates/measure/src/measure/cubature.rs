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
//! a running total would lose what is small. Where there are many boxes, a part of them are divided together on all cores: which these are does not
//! depend on how many cores there are, nor does the answer. The ends of boxes are short dyadic numbers, so that their centres and widths are exact.
//! The design is that of branch and bound with linear relaxations; the boxes at a border number h^(1-d), and each misses h^(d+1) at most.

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

/// The most boxes that are kept.
const MOST_BOXES: usize = 2_000_000;
/// The least width of a box.
const NARROWEST: f64 = 1.0 / (1u64 << 40) as f64;
/// By how much less must be missed by a polynomial of a higher degree.
const WORTH: f64 = 0.2;
/// The degree with which the first box begins.
const FIRST_DEGREE: u32 = 2;
/// The width at which solvers in the maps aim, as a power of two.
const EFFORT: i64 = -20;
/// From how many boxes on several are divided together, and what part of them.
const MANY: usize = 512;
const PART: usize = 8;
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

/// A map of variables that counts only where all guards are as they were decided.
#[derive(Clone, Copy, Debug)]
pub struct Integrand<'a> {
    /// How guards count, for mutants.
    pub hooks: &'static dyn Hooks,
    /// The variables.
    pub variables: &'a [Variable],
    /// The map.
    pub map: &'a Graph,
    /// The guards.
    pub decided: &'a [Decided],
}

/// The integral over a box, to a width, or as far as the budget goes, on so many threads. `None` where the maps mention other variables. The ends
/// are integers.
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

/// What became of a box that was looked at more closely.
enum Divided {
    /// A higher degree helped.
    Higher(Place, Found),
    /// It is too small.
    Small(Found),
    /// Its halves, as far as they count.
    Halves([Option<(Place, Found)>; 2]),
    /// The budget ended: what is known is what was known before.
    Cut(Known),
}

impl Known {
    /// Looks at it more closely. What is looked at when the budget ends is not used.
    fn divided(self, compiled: &Compiled<'_>, budget: &Budget) -> Divided {
        if self.found.is_smooth && !self.is_high && self.place.degree < compiled.highest() {
            let mut place = self.place.clone();
            place.degree += 2;
            if let Some(higher) = compiled.found(&mut place)
                && width(&higher.value) <= WORTH * self.missed
            {
                return Divided::Higher(place, higher);
            }
        }
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

struct Search<'e> {
    of: Integrand<'e>,
    compiled: Compiled<'e>,
    budget: &'e Budget,
    threads: usize,
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

    fn run(&mut self, eps: f64) {
        let is_over = |search: &Self| search.heap.len() >= MOST_BOXES || search.budget.is_exhausted();
        loop {
            let mut missed = self.missed();
            if missed <= eps || is_over(self) {
                return;
            }
            // an infinite sum is taken again soon
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

    /// Looks at the boxes more closely of which most is missed: how much more is missed, which is negative.
    fn divide(&mut self, together: usize) -> f64 {
        let worst: Vec<Known> = (0..together).map_while(|_| self.heap.pop()).collect();
        let missed: Vec<f64> = worst.iter().map(|known| known.missed).collect();
        let budget = self.budget;
        let found = match worst.len() {
            1 => worst.into_iter().map(|known| known.divided(&self.compiled, budget)).collect::<Vec<_>>(),
            _ => {
                let of = self.of;
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

    fn sum(&self) -> Interval<f64> {
        let own = self.heap.iter().map(|known| known.found.value);
        let mut parts: Vec<Interval<f64>> = own.chain(self.done.iter().copied()).collect();
        // what is small first
        parts.sort_by(|a, b| a.hi().abs().total_cmp(&b.hi().abs()));
        parts.iter().fold(Double.integer(0), |sum, part| Double.add(&sum, part))
    }
}
