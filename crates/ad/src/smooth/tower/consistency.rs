//! Successive consistency as a refuter (S Def. 4.1, S15): is each order of a tower a derivative of the one before?
//!
//! S asks that `f⁽ᵏ⁺¹⁾(·; v, ·)` be a Clarke derivative of `f⁽ᵏ⁾(·; v)`, for every k and v. That cannot be decided, and can
//! be refuted. A [`ConsistencySample`] is a point x, a step h and directions v; with X the box spanned by x and x + h,
//!
//! | reason | what must hold | why |
//! |---|---|---|
//! | [`ViolatedCondition::MeanValue`] | `f⁽ᵏ⁾(x+h; v) − f⁽ᵏ⁾(x; v)` meets `f⁽ᵏ⁺¹⁾(X; v, h)`, where bounded | Lebourg's mean value theorem |
//! | [`ViolatedCondition::Isotone`] | `f⁽ᵏ⁾(x; v)` and `f⁽ᵏ⁾(x+h; v)` lie in `f⁽ᵏ⁾(X; v)` | the extension to boxes is a hull (S §4.4) |
//! | [`ViolatedCondition::Successive`] | if `f⁽ᵏ⁾(x; v)` is a set, `f⁽ᵏ⁺¹⁾(x; v, h)` is ⊥ | S §4.1: the derivative of a set |
//! | [`ViolatedCondition::Symmetric`] | `f⁽ᵏ⁾(x; v)` meets itself with the directions rotated | S §4.2 (S16) |
//! | [`ViolatedCondition::Linear`] | `f⁽ᵏ⁾(x; …, v+h, …)` meets `f⁽ᵏ⁾(x; …, v, …) + f⁽ᵏ⁾(x; …, h, …)` | S §4.2 (S16) |
//!
//! The first two and the last two are tested only where values are numbers, known to half of their digits, and derivatives
//! are bounded. A value counts as a set if it is as wide at four times the precision. The first three are tested only along
//! a step that is not 0. A sample in which no mean value could be tested is vacuous. A failed test is a disproof: no
//! function, or no honest extension of one to boxes, has this tower. A derivative that is not linear or not symmetric also
//! fails mean values; it is reported as not linear or not symmetric.
//!
//! **How small an error is found.** A slope that is off by δ is found along steps on which the true slope varies by less
//! than δ, about. Random steps are no shorter than 1/1024, or 1/4096 of the width of a box. Within a box there are also
//! steps from its ends and its middle that grow from 2⁻²⁰ of its width. They find an error larger than the variation of the
//! slope in a millionth of the width. An error at places between the samples is not found.
//!
//! **A single point.** A tower that is wrong at one point only, such as `relu′(0) := {0}`, has honest boxes around it, and
//! no difference of values contradicts it. There one-sided quotients `(f⁽ᵏ⁾(x+th; v) − f⁽ᵏ⁾(x; v))/t` are computed for ever
//! smaller t. If they stay away from `f⁽ᵏ⁺¹⁾(x; v, h)` and come no nearer, the tower is *refuted at scale t*
//! ([`CheckOutcome::Doubtful`]): evidence, and no proof, since a limit is never seen.

mod directions;
mod numbers;
mod quotient;
mod rise;
mod sample;

pub use sample::{ConsistencySample, simpler_rationals};

use super::error::TowerOperand;
use super::{Tower, TowerError};
use crate::number::Rational;
use crate::number::context::Context;
use std::fmt;

/// The range of a coordinate, by its ends.
pub type CoordinateRange = [Rational; 2];

/// The options of a consistency test: the effort to refute a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consistency {
    /// The highest order k whose derivative is tested.
    pub orders: usize,
    /// The number of random samples.
    pub samples: usize,
    /// The seed of the samples, which depend on nothing else.
    pub seed: u64,
}

impl Default for Consistency {
    /// Returns the options for 200 samples to order 2. A choice.
    fn default() -> Self {
        Self { orders: 2, samples: 200, seed: 0 }
    }
}

/// The condition that a tower violates; see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViolatedCondition {
    /// A difference of values misses the next derivative.
    MeanValue,
    /// A value at a point is not in the value on a box around it.
    Isotone,
    /// A set has a derivative.
    Successive,
    /// The order of directions matters.
    Symmetric,
    /// A derivative is not additive in a direction.
    Linear,
}

/// A refutation: a sample at which two sides that have to meet are disjoint.
#[derive(Clone, Debug, PartialEq)]
pub struct TowerRefutation {
    /// The violated condition.
    pub reason: ViolatedCondition,
    /// The smallest sample that was found.
    pub sample: ConsistencySample,
    /// The index of the component of the result.
    pub component: usize,
    /// The computed side.
    pub left: String,
    /// The side that it has to meet, or to be.
    pub right: String,
}

/// Evidence against a tower at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrepancy {
    /// The point and the step.
    pub sample: ConsistencySample,
    /// The index of the component of the result.
    pub component: usize,
    /// The smallest t that was tested.
    pub scale: Rational,
    /// The quotient at that scale.
    pub quotient: String,
    /// The derivative that the quotient should approach.
    pub derivative: String,
}

/// The outcome of a consistency test.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckOutcome {
    /// A disproof: this is the tower of no function.
    Refuted(Box<TowerRefutation>),
    /// Evidence at one point that this is the tower of no function.
    Doubtful(Box<Discrepancy>),
    /// No refutation was found.
    Survived {
        /// The number of samples that were not vacuous.
        asked: usize,
    },
}

/// The outcome for one sample.
enum SampleVerdict {
    /// The sample is vacuous.
    Nothing,
    /// Some mean value was tested, and no test failed.
    Holds,
    /// A test failed.
    Fails(Box<TowerRefutation>),
}

impl Consistency {
    /// Tries to refute a tower. A refuting sample is [shrunk](ConsistencySample::smaller_samples).
    ///
    /// # Errors
    /// Those of evaluating the tower.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Context, Mpfr};
    /// use smoothish_ad::smooth::tower::{Tower, TowerError, kink};
    /// use smoothish_ad::smooth::tower::consistency::{Consistency, CheckOutcome, ViolatedCondition};
    ///
    /// type Num = <Mpfr as Context>::Num;
    /// let context = Mpfr::new(128);
    /// let max = kink::maximum();
    /// assert!(matches!(Consistency::default().refute(&max, &context)?, CheckOutcome::Survived { .. }));
    /// // max⁽¹⁾ := dx
    /// let wrong = Tower::new(2, 1, move |c: &Mpfr, x: &[Num], v: &[&[Num]]| match v {
    ///     [v] => Ok(vec![v[0].clone()]),
    ///     _ => max.derivative(x, &v.iter().map(|v| v.to_vec()).collect::<Vec<_>>(), c),
    /// });
    /// let CheckOutcome::Refuted(refutation) = Consistency::default().refute(&wrong, &context)? else { panic!() };
    /// assert_eq!(refutation.reason, ViolatedCondition::MeanValue);
    /// # Ok::<(), TowerError>(())
    /// ```
    pub fn refute<C: Context>(&self, tower: &Tower<C>, context: &C) -> Result<CheckOutcome, TowerError> {
        self.run_samples(tower, context, None)
    }

    /// Like [`refute`](Self::refute), with samples inside of a box, given by its ranges. A box that is a point has no
    /// steps, so nothing is tested there.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when there are not as many ranges as inputs, [`TowerError::Reversed`] for ends in the wrong
    /// order, and those of evaluating the tower.
    pub fn refute_within<C: Context>(
        &self,
        tower: &Tower<C>,
        context: &C,
        ranges: &[CoordinateRange],
    ) -> Result<CheckOutcome, TowerError> {
        super::error::check_dimension(TowerOperand::Box, tower.inputs(), ranges.len())?;
        for (index, [lo, hi]) in ranges.iter().enumerate() {
            if lo > hi {
                return Err(TowerError::Reversed { index, lo: lo.clone(), hi: hi.clone() });
            }
        }
        self.run_samples(tower, context, Some(ranges))
    }

    /// Runs all samples, of a box if one is given.
    fn run_samples<C: Context>(
        &self,
        tower: &Tower<C>,
        context: &C,
        within: Option<&[CoordinateRange]>,
    ) -> Result<CheckOutcome, TowerError> {
        let admitted = |sample: &ConsistencySample| within.is_none_or(|ranges| sample.is_within(ranges));
        let drawn: Vec<ConsistencySample> =
            (0..self.samples).map(|i| self.draw_sample(i, tower.inputs(), i % (self.orders + 1), within)).collect();
        let graded = within.map_or_else(Vec::new, |ranges| ConsistencySample::graded_steps(ranges, self.orders));
        let mut asked = 0;
        for sample in drawn.iter().chain(&graded) {
            match rise::mean_value_test(tower, context, sample)? {
                SampleVerdict::Nothing => {}
                SampleVerdict::Holds => asked += 1,
                // A mean value that fails may have a simpler reason: a derivative that is not linear or symmetric.
                SampleVerdict::Fails(found) => {
                    let found = match found.reason {
                        ViolatedCondition::MeanValue => self.explain_by_directions(tower, context, found, within)?,
                        _ => found,
                    };
                    return Ok(CheckOutcome::Refuted(shrink_refutation(tower, context, found, admitted)?));
                }
            }
            if let Some(found) = directions::find_direction_fault(tower, context, sample)? {
                return Ok(CheckOutcome::Refuted(shrink_refutation(tower, context, found, admitted)?));
            }
        }
        // Quotients come last: they give evidence where no sample gave a disproof.
        for sample in &drawn {
            if let Some(found) = quotient::find_discrepancy(tower, context, sample)? {
                let smaller = |sample: &ConsistencySample| {
                    quotient::find_discrepancy(tower, context, sample).map(|d| d.filter(|d| admitted(&d.sample)))
                };
                return Ok(CheckOutcome::Doubtful(shrink_witness(found, |d| &d.sample, smaller)?));
            }
        }
        Ok(CheckOutcome::Survived { asked })
    }

    /// Returns the random sample with this index, moved into the box if one is given.
    fn draw_sample(
        &self,
        index: usize,
        inputs: usize,
        order: usize,
        within: Option<&[CoordinateRange]>,
    ) -> ConsistencySample {
        let sample = ConsistencySample::draw_random(self.seed, index as u64, inputs, order);
        match within {
            Some(ranges) => sample.moved_into(ranges),
            None => sample,
        }
    }

    /// Returns a refutation of linearity or symmetry if a few samples have one, else the failed mean value `rise`.
    fn explain_by_directions<C: Context>(
        &self,
        tower: &Tower<C>,
        context: &C,
        rise: Box<TowerRefutation>,
        within: Option<&[CoordinateRange]>,
    ) -> Result<Box<TowerRefutation>, TowerError> {
        /// The number of samples of each order. A choice.
        const LOOKS: usize = 20;
        for order in 1..=rise.sample.directions.len() + 1 {
            for index in 0..LOOKS {
                let sample = self.draw_sample(index, tower.inputs(), order, within);
                if let Some(fault) = directions::find_direction_fault(tower, context, &sample)? {
                    return Ok(fault);
                }
            }
        }
        Ok(rise)
    }
}

/// Shrinks a refutation, keeping the violated condition.
fn shrink_refutation<C: Context>(
    tower: &Tower<C>,
    context: &C,
    found: Box<TowerRefutation>,
    admitted: impl Fn(&ConsistencySample) -> bool,
) -> Result<Box<TowerRefutation>, TowerError> {
    let reason = found.reason;
    let smaller = |sample: &ConsistencySample| {
        let fault = match reason {
            ViolatedCondition::Symmetric | ViolatedCondition::Linear => {
                directions::find_direction_fault(tower, context, sample)?
            }
            ViolatedCondition::MeanValue | ViolatedCondition::Isotone | ViolatedCondition::Successive => {
                match rise::mean_value_test(tower, context, sample)? {
                    SampleVerdict::Fails(found) => Some(found),
                    SampleVerdict::Nothing | SampleVerdict::Holds => None,
                }
            }
        };
        Ok(fault.filter(|found| found.reason == reason && admitted(sample)))
    };
    shrink_witness(found, |f| &f.sample, smaller)
}

/// Shrinks a witness greedily: the first smaller sample that is still a witness takes its place.
fn shrink_witness<W>(
    mut witness: Box<W>,
    sample: impl Fn(&W) -> &ConsistencySample,
    mut still: impl FnMut(&ConsistencySample) -> Result<Option<Box<W>>, TowerError>,
) -> Result<Box<W>, TowerError> {
    /// The number of shrinking steps, at most. A choice.
    const MOST: usize = 200;
    'again: for _ in 0..MOST {
        for candidate in sample(&witness).smaller_samples() {
            if let Some(smaller) = still(&candidate)? {
                witness = smaller;
                continue 'again;
            }
        }
        break;
    }
    Ok(witness)
}

impl fmt::Display for TowerRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason, sample, component, left, right } = self;
        let k = sample.directions.len();
        let what = match reason {
            ViolatedCondition::MeanValue => {
                format!("the rise of the derivative of order {k} misses the derivative of order {}", k + 1)
            }
            ViolatedCondition::Isotone => {
                format!("the derivative of order {k} at a point is not in that on a box around it")
            }
            ViolatedCondition::Successive => format!("the derivative of order {k} is a set, and has a derivative"),
            ViolatedCondition::Symmetric => {
                format!("the derivative of order {k} depends on the order of its directions")
            }
            ViolatedCondition::Linear => format!(
                "the derivative f of order {k} is not linear: f(v + h) is not f(v) + f(h), for v the first direction, h the step"
            ),
        };
        write!(f, "{what}: {sample}, component {component}: {left} against {right}")
    }
}

impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sample, component, scale, quotient, derivative } = self;
        write!(
            f,
            "refuted at scale {scale}: {sample}, component {component}: a one-sided quotient {quotient} stays away from {derivative}"
        )
    }
}
