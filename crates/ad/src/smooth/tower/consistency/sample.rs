//! Samples of the consistency test.

use super::CoordinateRange;
use crate::number::Rational;
use crate::random::SplitMix64;
use std::fmt;

/// A sample: a point, a step from it, and directions, all of one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsistencySample {
    /// x
    pub point: Vec<Rational>,
    /// h; the box of the sample is spanned by x and x + h.
    pub step: Vec<Rational>,
    /// v₁, …, v_k
    pub directions: Vec<Vec<Rational>>,
}

impl ConsistencySample {
    /// Returns the sample with this index of a seed. Half of the coordinates are small integers, and points may have equal
    /// ones: kinks are often there.
    #[must_use]
    pub fn draw_random(seed: u64, index: u64, inputs: usize, order: usize) -> Self {
        let mut random = SplitMix64::for_sample(seed, index);
        let mut point: Vec<Rational> = (0..inputs).map(|_| draw_coordinate(&mut random)).collect();
        if inputs > 1 && random.random_bool(25) {
            let (i, j) = (random.next_below(inputs), random.next_below(inputs));
            point[i] = point[j].clone();
        }
        let unit = *random.pick(&[1, 8, 8, 64, 1024]);
        let step = (0..inputs).map(|_| Rational::from((random.next_below(9) as i64 - 4, unit))).collect();
        let direction = |random: &mut SplitMix64| Rational::from((random.next_below(17) as i64 - 8, 4));
        let directions = (0..order).map(|_| (0..inputs).map(|_| direction(&mut random)).collect()).collect();
        Self { point, step, directions }
    }

    /// Maps the point and the end of the step into a box.
    #[must_use]
    pub fn moved_into(mut self, ranges: &[CoordinateRange]) -> Self {
        // Both coordinates lie between -8 and 8. Those beyond ±2 go to the ends of the box.
        let place = |u: &Rational, [lo, hi]: &CoordinateRange| {
            let share = (Rational::from(u + 2) / 4u32).max(Rational::new()).min(Rational::from(1));
            lo + Rational::from(hi - lo) * share
        };
        for ((x, h), range) in self.point.iter_mut().zip(&mut self.step).zip(ranges) {
            let (from, to) = (place(x, range), place(&Rational::from(&*x + &*h), range));
            (*x, *h) = (from.clone(), to - from);
        }
        self
    }

    /// Returns steps into a box from its ends and its middle that grow geometrically. Derivatives are taken up to some
    /// order along (1, …, 1); the steps go in all coordinates at once, and in each by itself.
    #[must_use]
    pub fn graded_steps(ranges: &[CoordinateRange], orders: usize) -> Vec<Self> {
        /// The exponents of the steps: widths times 2^-20, …, 2^-1. A choice.
        const HALVINGS: [u32; 5] = [20, 15, 10, 5, 1];
        let n = ranges.len();
        let at = |place: usize, halvings: u32, order: usize, moves: &dyn Fn(usize) -> bool| {
            let (mut point, mut step) = (Vec::with_capacity(n), Vec::with_capacity(n));
            for (i, [lo, hi]) in ranges.iter().enumerate() {
                let width = Rational::from(hi - lo);
                let h = if moves(i) { Rational::from(&width >> halvings) } else { Rational::new() };
                point.push(lo + Rational::from(&width * place as u32) / 2u32);
                // At the upper end the step goes back into the box.
                step.push(if place == 2 { -h } else { h });
            }
            Self { point, step, directions: vec![vec![Rational::from(1); n]; order] }
        };
        let mut samples = Vec::new();
        for order in 0..=orders {
            for (i, halvings) in HALVINGS.into_iter().enumerate() {
                samples.extend((0..3).map(|place| at(place, halvings, order, &|_| true)));
                if n > 1 {
                    samples.extend((0..n).map(|j| at((i + j) % 3, halvings, order, &|k| k == j)));
                }
            }
        }
        samples
    }

    /// Returns `true` if the point and the end of the step lie in a box.
    #[must_use]
    pub fn is_within(&self, ranges: &[CoordinateRange]) -> bool {
        let inside = |x: &Rational, [lo, hi]: &CoordinateRange| lo <= x && x <= hi;
        let mut all = self.point.iter().zip(&self.step).zip(ranges);
        all.all(|((x, h), range)| inside(x, range) && inside(&Rational::from(x + h), range))
    }

    /// Returns smaller samples, the boldest first: without one of the directions, or with one number that is nearer to 0 or has
    /// fewer bits.
    pub fn smaller_samples(&self) -> impl Iterator<Item = ConsistencySample> + use<> {
        let without = |i: usize| {
            let mut directions = self.directions.clone();
            directions.remove(i);
            ConsistencySample { directions, ..self.clone() }
        };
        let fewer: Vec<ConsistencySample> = (0..self.directions.len()).rev().map(without).collect();
        let numbers: Vec<&Rational> = [&self.point, &self.step].into_iter().chain(&self.directions).flatten().collect();
        let changes: Vec<(usize, Rational)> = numbers
            .iter()
            .enumerate()
            .flat_map(|(i, q)| simpler_rationals(q).into_iter().map(move |s| (i, s)))
            .collect();
        let whole = self.clone();
        let simpler = changes.into_iter().map(move |(index, q)| {
            let mut sample = whole.clone();
            let all = [&mut sample.point, &mut sample.step].into_iter().chain(&mut sample.directions);
            if let Some(place) = all.flatten().nth(index) {
                *place = q;
            }
            sample
        });
        fewer.into_iter().chain(simpler)
    }
}

/// Returns a coordinate: a small integer, where kinks are often found, or a multiple of 1/64.
fn draw_coordinate(random: &mut SplitMix64) -> Rational {
    if random.random_bool(50) {
        Rational::from(random.next_below(5) as i64 - 2)
    } else {
        Rational::from((random.next_below(513) as i64 - 256, 64))
    }
}

/// Returns simpler numbers: with fewer bits, or nearer to 0.
#[must_use]
pub fn simpler_rationals(q: &Rational) -> Vec<Rational> {
    if *q == 0 {
        return Vec::new();
    }
    let half = Rational::from(q / 2u32);
    let coarser = Rational::from(&half * q.denom()).trunc() * 2u32 / q.denom();
    let found =
        [Rational::new(), Rational::from(if *q > 0 { 1 } else { -1 }), q.clone().trunc(), half.trunc(), coarser];
    // Fewer bits count first, so that shrinking ends.
    let is_smaller = |s: &Rational| {
        let [new, old] = [s, q].map(|q| q.denom().significant_bits());
        new < old || (new == old && s.clone().abs() < q.clone().abs())
    };
    found.into_iter().filter(is_smaller).collect()
}

impl fmt::Display for ConsistencySample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vector = |v: &[Rational]| format!("({})", v.iter().map(Rational::to_string).collect::<Vec<_>>().join(", "));
        write!(f, "at {} with step {}", vector(&self.point), vector(&self.step))?;
        let directions: Vec<String> = self.directions.iter().map(|v| vector(v)).collect();
        if directions.is_empty() { Ok(()) } else { write!(f, " along {}", directions.join(", ")) }
    }
}
