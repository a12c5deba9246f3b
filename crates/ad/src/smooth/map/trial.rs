//! Comparison of maps on samples: values and derivatives of two maps must overlap at every tested precision.
//!
//! Points are dyadic numbers between -2 and 2, half of them integers and many with equal coordinates, where kinks lie.
//! A sample counts as survived only if both sides are certainly defined and narrow enough. If one is a set, as at a
//! kink, or ⊥, the sample is vacuous.

use super::error::MapError;
use super::probe::Probe;
use super::untyped::Untyped;
use super::value::points;
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::Tier;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::random::Random;
use crate::smooth::algebra::Generator;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The configuration of a comparison of two maps.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The seed: equal seeds give equal samples.
    pub seed: u64,
    /// The number of points.
    pub samples: u32,
    /// The highest order of derivatives.
    pub order: u32,
    /// The precisions, in bits.
    pub precisions: Vec<u32>,
    /// The largest width of both sides for a sample to count.
    pub eps: Rational,
    /// The budget of each run, in work units.
    pub work: u64,
}

impl Default for Trial {
    /// 12 points, derivatives to order 2, 53 to 192 bits, a width of 10⁻⁶.
    fn default() -> Self {
        let eps = Rational::from((1, 1_000_000));
        Self { seed: 1, samples: 12, order: 2, precisions: vec![53, 96, 192], eps, work: 2_000_000 }
    }
}

/// A sample of a comparison: the derivative at a point along directions.
#[derive(Clone, Debug)]
pub struct Place {
    /// The point.
    pub point: Vec<Rational>,
    /// The directions.
    pub directions: Vec<Vec<Rational>>,
}

impl Trial {
    /// Returns the samples in a space of dimension n: each point with no direction, with one, and so on.
    #[must_use]
    pub fn samples(&self, n: usize) -> Vec<Place> {
        let mut random = Random::new(self.seed);
        let mut samples = Vec::new();
        for _ in 0..self.samples {
            let mut point: Vec<_> = (0..n).map(|_| dyadic(&mut random)).collect();
            // a third of the points lies on diagonals, where `max x y` has its kink
            if let (Some(first), 0) = (point.first().cloned(), random.below(3)) {
                point.iter_mut().skip(1).step_by(2).for_each(|x| x.clone_from(&first));
            }
            let mut component = || Rational::from(random.below(7) as i64 - 3);
            let directions: Vec<Vec<_>> = (0..self.order).map(|_| (0..n).map(|_| component()).collect()).collect();
            let sample = |k: usize| Place { point: point.clone(), directions: directions[..k].to_vec() };
            samples.extend((0..=directions.len()).map(sample));
        }
        samples
    }

    /// Compares two lists of enclosures of the same numbers.
    pub(super) fn compare(&self, sample: &Place, bits: u32, left: &[Enclosure], right: &[Enclosure]) -> Verdict {
        let mut all = Verdict::Vacuous;
        for (i, (a, b)) in left.iter().zip(right).enumerate() {
            all = all.and(if !a.overlaps(b) {
                Verdict::refuted(format!("{sample}, component {i}, at {bits} bits"), a, b)
            } else if [a, b].iter().all(|e| e.is_defined() && e.is_within(&self.eps)) {
                Verdict::Survived
            } else {
                Verdict::Vacuous
            });
        }
        all
    }
}

/// Returns an integer, or a multiple of 1/16, between -2 and 2.
fn dyadic(random: &mut Random) -> Rational {
    match random.below(2) {
        0 => Rational::from(random.below(5) as i64 - 2),
        _ => Rational::from((random.below(65) as i64 - 32, 16)),
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let vector = |v: &[Rational]| format!("({})", v.iter().map(Rational::to_string).collect::<Vec<_>>().join(", "));
        write!(f, "x = {}", vector(&self.point))?;
        for (i, v) in self.directions.iter().enumerate() {
            write!(f, ", v{} = {}", i + 1, vector(v))?;
        }
        Ok(())
    }
}

/// Compares two maps with equal dimensions by their jets, up to the order of the trial.
///
/// # Errors
/// Errors of evaluating the maps.
pub fn jets_agree(left: &Arc<Untyped>, right: &Arc<Untyped>, trial: &Trial) -> Result<Verdict, MapError> {
    let run = |map: &Arc<Untyped>, sample: &Place, bits: u32| {
        let directions: Vec<_> = sample.directions.iter().map(|v| (Generator::Direction(1), v.clone())).collect();
        let wanted = vec![vec![1; directions.len()]];
        let probe = Probe { directions, wanted, ..Probe::value(map, points(&sample.point)) };
        let budget = Budget::new(trial.work, None, None);
        // solvers are asked for some bits more than the comparison needs
        let effort = Effort::new(Magnitude::from_rational(&trial.eps).shifted(-6), &budget);
        probe.run(if bits <= 53 { Tier::Double } else { Tier::Mpfr(bits) }, &effort)
    };
    let samples = trial.samples(left.inputs());
    let tried = samples.iter().flat_map(|sample| trial.precisions.iter().map(move |bits| (sample, *bits)));
    Verdict::all(tried.map(|(sample, bits)| {
        let (a, b) = (run(left, sample, bits)?, run(right, sample, bits)?);
        Ok(trial.compare(sample, bits, &a, &b))
    }))
}
