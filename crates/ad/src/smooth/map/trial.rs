//! Comparison of maps on samples: values and derivatives of two maps must overlap at every tested precision.
//!
//! Points are dyadic numbers between -2 and 2, half of them integers and many with equal coordinates, where kinks lie.
//! A sample counts as survived only if both sides are certainly defined and narrow enough. If one is a set, as at a
//! kink, or ⊥, the sample is vacuous.

use super::error::MapError;
use super::probe::EvalRequest;
use super::untyped::DynMap;
use super::value::point_intervals;
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::algebra::AlgebraGenerator;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The configuration of a comparison of two maps.
#[derive(Clone, Debug)]
pub struct MapTestConfig {
    /// The seed: equal seeds give equal samples.
    pub seed: u64,
    /// The number of points.
    pub sample_points: u32,
    /// The highest order of derivatives.
    pub order: u32,
    /// The precisions, in bits.
    pub precisions: Vec<u32>,
    /// The largest width of both sides for a sample to count.
    pub eps: Rational,
    /// The budget of each run, in work units.
    pub work: u64,
}

impl Default for MapTestConfig {
    /// 12 points, derivatives to order 2, 53 to 192 bits, a width of 10⁻⁶.
    fn default() -> Self {
        let eps = Rational::from((1, 1_000_000));
        Self { seed: 1, sample_points: 12, order: 2, precisions: vec![53, 96, 192], eps, work: 2_000_000 }
    }
}

/// A sample of a comparison: the derivative at a point along directions.
#[derive(Clone, Debug)]
pub struct TestPoint {
    /// The point.
    pub point: Vec<Rational>,
    /// The directions.
    pub directions: Vec<Vec<Rational>>,
}

impl MapTestConfig {
    /// Returns the samples in a space of dimension n: each point with no direction, with one, and so on.
    #[must_use]
    pub fn sample_points(&self, n: usize) -> Vec<TestPoint> {
        let mut random = SplitMix64::new(self.seed);
        let mut samples = Vec::new();
        for _ in 0..self.sample_points {
            let mut point: Vec<_> = (0..n).map(|_| random_dyadic(&mut random)).collect();
            // a third of the points lies on diagonals, where `max x y` has its kink
            if let (Some(first), 0) = (point.first().cloned(), random.next_below(3)) {
                point.iter_mut().skip(1).step_by(2).for_each(|x| x.clone_from(&first));
            }
            let mut component = || Rational::from(random.next_below(7) as i64 - 3);
            let directions: Vec<Vec<_>> = (0..self.order).map(|_| (0..n).map(|_| component()).collect()).collect();
            let sample = |k: usize| TestPoint { point: point.clone(), directions: directions[..k].to_vec() };
            samples.extend((0..=directions.len()).map(sample));
        }
        samples
    }

    /// Compares two lists of enclosures of the same numbers.
    pub(super) fn compare_enclosures(
        &self,
        sample: &TestPoint,
        bits: u32,
        left: &[Enclosure],
        right: &[Enclosure],
    ) -> Verdict {
        let mut all = Verdict::Vacuous;
        for (i, (a, b)) in left.iter().zip(right).enumerate() {
            all = all.and(if !a.overlaps(b) {
                Verdict::refuted(format!("{sample}, component {i}, at {bits} bits"), a, b)
            } else if [a, b].iter().all(|e| e.is_defined() && e.has_width_at_most(&self.eps)) {
                Verdict::Survived
            } else {
                Verdict::Vacuous
            });
        }
        all
    }
}

/// Returns an integer, or a multiple of 1/16, between -2 and 2.
fn random_dyadic(random: &mut SplitMix64) -> Rational {
    match random.next_below(2) {
        0 => Rational::from(random.next_below(5) as i64 - 2),
        _ => Rational::from((random.next_below(65) as i64 - 32, 16)),
    }
}

impl std::fmt::Display for TestPoint {
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
pub fn jets_agree(left: &Arc<DynMap>, right: &Arc<DynMap>, trial: &MapTestConfig) -> Result<Verdict, MapError> {
    let run = |map: &Arc<DynMap>, sample: &TestPoint, bits: u32| {
        let directions: Vec<_> =
            sample.directions.iter().map(|v| (AlgebraGenerator::Direction(1), v.clone())).collect();
        let wanted = vec![vec![1; directions.len()]];
        let probe = EvalRequest {
            directions,
            requested: wanted,
            ..EvalRequest::for_value(map, point_intervals(&sample.point))
        };
        let budget = Budget::new(trial.work, None, None);
        // solvers are asked for some bits more than the comparison needs
        let effort = PassOptions::new(Magnitude::from_rational(&trial.eps).mul_exp2(-6), &budget);
        probe.enclose_results(if bits <= 53 { Precision::Double } else { Precision::Mpfr(bits) }, &effort)
    };
    let samples = trial.sample_points(left.input_count());
    let tried = samples.iter().flat_map(|sample| trial.precisions.iter().map(move |bits| (sample, *bits)));
    Verdict::all_samples(tried.map(|(sample, bits)| {
        let (a, b) = (run(left, sample, bits)?, run(right, sample, bits)?);
        Ok(trial.compare_enclosures(sample, bits, &a, &b))
    }))
}
