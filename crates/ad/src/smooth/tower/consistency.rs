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
//!
//! # Samples as enclosures of a context
//!
//! # One-sided difference quotients at a single point
//!
//! One-sided difference quotients at a single point, at smaller and smaller scales.
//!
//! # Mean value tests
//!
//! Values against derivatives on boxes, and the derivative of a set.
//!
//! # Samples of the consistency test
//!
//! # Symmetry and linearity of a derivative in its directions
//!
//! Symmetry and linearity of a derivative in its directions (S §4.2, S16).

use super::graph::TowerOperand;
use super::{EnclosureVector, Tower, TowerError};
use crate::number::Rational;
use crate::number::arithmetic::Context;
use crate::random::SplitMix64;
use std::fmt;

/// The range of a coordinate, by its ends.
pub type CoordinateRange = [Rational; 2];

/// The options of a consistency test: the effort to refute a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("Cons", "Cons_k", "consistent"))]
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
    /// use smoothish_ad::smooth::tower::{Tower, TowerError, primitive};
    /// use smoothish_ad::smooth::tower::consistency::{Consistency, CheckOutcome, ViolatedCondition};
    ///
    /// type Num = <Mpfr as Context>::Num;
    /// let context = Mpfr::new(128);
    /// let max = primitive::maximum();
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
        super::graph::check_dimension(TowerOperand::Box, tower.inputs(), ranges.len())?;
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
            match mean_value_test(tower, context, sample)? {
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
            if let Some(found) = find_direction_fault(tower, context, sample)? {
                return Ok(CheckOutcome::Refuted(shrink_refutation(tower, context, found, admitted)?));
            }
        }
        // Quotients come last: they give evidence where no sample gave a disproof.
        for sample in &drawn {
            if let Some(found) = find_discrepancy(tower, context, sample)? {
                let smaller = |sample: &ConsistencySample| {
                    find_discrepancy(tower, context, sample).map(|d| d.filter(|d| admitted(&d.sample)))
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
                if let Some(fault) = find_direction_fault(tower, context, &sample)? {
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
            ViolatedCondition::Symmetric | ViolatedCondition::Linear => find_direction_fault(tower, context, sample)?,
            ViolatedCondition::MeanValue | ViolatedCondition::Isotone | ViolatedCondition::Successive => {
                match mean_value_test(tower, context, sample)? {
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

/// A sample as enclosures of a context.
struct SampleEnclosures<C: Context> {
    /// x
    x: EnclosureVector<C>,
    /// x + h
    moved: EnclosureVector<C>,
    /// The box spanned by x and x + h.
    span: EnclosureVector<C>,
    /// h
    step: EnclosureVector<C>,
    /// v₁, …, v_k
    directions: Vec<EnclosureVector<C>>,
}

impl<C: Context> SampleEnclosures<C> {
    /// Encloses the numbers of a sample.
    fn new(context: &C, sample: &ConsistencySample) -> Self {
        let vector = |v: &[Rational]| v.iter().map(|q| context.enclose_rational(q)).collect::<EnclosureVector<C>>();
        let moved: Vec<Rational> = sample.point.iter().zip(&sample.step).map(|(x, h)| Rational::from(x + h)).collect();
        let (x, moved) = (vector(&sample.point), vector(&moved));
        let span = x.iter().zip(&moved).map(|(a, b)| context.hull(a, b)).collect();
        let directions = sample.directions.iter().map(|v| vector(v)).collect();
        Self { x, moved, span, step: vector(&sample.step), directions }
    }

    /// Returns the directions v₁, …, v_k, h of the next derivative.
    fn directions_and_step(&self) -> Vec<EnclosureVector<C>> {
        [self.directions.as_slice(), std::slice::from_ref(&self.step)].concat()
    }
}

/// Returns `true` if an enclosure is defined and narrow enough to be taken for a number.
fn is_number<C: Context>(context: &C, x: &C::Num) -> bool {
    super::is_narrow(context, x)
}

/// Returns a refutation by two sides that should have met.
fn refutation_between<C: Context>(
    context: &C,
    reason: ViolatedCondition,
    sample: &ConsistencySample,
    component: usize,
    [left, right]: [&C::Num; 2],
) -> Box<TowerRefutation> {
    let print = |x: &C::Num| context.to_enclosure(x).to_string();
    Box::new(TowerRefutation { reason, sample: sample.clone(), component, left: print(left), right: print(right) })
}

/// Returns the exponents of the scales 2^-4, 2^-8, …, down to 2^-60 or a third of the digits. A choice: smaller scales
/// cancel too much.
fn scale_exponents(precision: u32) -> impl Iterator<Item = u32> {
    (1..=(precision / 3).clamp(16, 60) / 4).map(|i| 4 * i)
}

/// Returns a component whose one-sided quotients stay away from its derivative. Returns `None` if there is none.
fn find_discrepancy<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
) -> Result<Option<Box<Discrepancy>>, TowerError> {
    if sample.step.iter().all(Rational::is_zero) {
        return Ok(None);
    }
    let at = SampleEnclosures::new(context, sample);
    let here = f.derivative(&at.x, &at.directions, context)?;
    let derivative = f.derivative(&at.x, &at.directions_and_step(), context)?;
    let mut distances = vec![Vec::new(); f.outputs()];
    let mut last = Vec::new();
    for scale in scale_exponents(context.precision()) {
        let t = context.enclose_rational(&(Rational::from(1) >> scale));
        let near: EnclosureVector<C> =
            at.x.iter().zip(&at.step).map(|(x, h)| context.add(x, &context.mul(&t, h))).collect();
        let there = f.derivative(&near, &at.directions, context)?;
        last = (0..f.outputs()).map(|i| context.mul_integer(&context.sub(&there[i], &here[i]), 1 << scale)).collect();
        for (i, quotient) in last.iter().enumerate() {
            let known = [&here[i], &there[i], quotient].iter().all(|x| is_number(context, x));
            let known = known && context.is_defined(&derivative[i]) && context.is_bounded(&derivative[i]);
            // An unknown quotient at any scale leaves the component untested.
            distances[i].push(known.then(|| approximate_distance(context, quotient, &derivative[i])));
        }
    }
    for (i, distances) in distances.iter().enumerate() {
        let Some(distances) = distances.iter().cloned().collect::<Option<Vec<f64>>>() else { continue };
        let [.., before, end] = distances[..] else { continue };
        // A quotient that converges comes nearer in proportion to the scale, or to a root of it. The bounds 1e-2 and 0.6
        // are choices.
        let size = context.magnitude(&derivative[i]).to_f64().max(1.0);
        if end > 1e-2 * size && end > before * 0.6 {
            return Ok(Some(Box::new(Discrepancy {
                sample: sample.clone(),
                component: i,
                scale: Rational::from(1) >> scale_exponents(context.precision()).last().unwrap_or(0),
                quotient: context.to_enclosure(&last[i]).to_string(),
                derivative: context.to_enclosure(&derivative[i]).to_string(),
            })));
        }
    }
    Ok(None)
}

/// Returns the approximate distance of two bounded enclosures; 0 if they meet.
fn approximate_distance<C: Context>(context: &C, a: &C::Num, b: &C::Num) -> f64 {
    let (a, b) = (context.to_enclosure(a), context.to_enclosure(b));
    let below = b.lo().to_f64() - a.hi().to_f64();
    let above = a.lo().to_f64() - b.hi().to_f64();
    below.max(above).max(0.0)
}

/// Tests the values of a sample against their derivatives. A sample with step 0 is vacuous.
fn mean_value_test<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
) -> Result<SampleVerdict, TowerError> {
    if sample.step.iter().all(Rational::is_zero) {
        return Ok(SampleVerdict::Nothing);
    }
    let at = SampleEnclosures::new(context, sample);
    let here = f.derivative(&at.x, &at.directions, context)?;
    let there = f.derivative(&at.moved, &at.directions, context)?;
    let over = f.derivative(&at.span, &at.directions, context)?;
    let next = f.derivative(&at.x, &at.directions_and_step(), context)?;
    let next_over = f.derivative(&at.span, &at.directions_and_step(), context)?;
    let mut asked = false;
    let fails = |reason, component, sides| {
        Ok(SampleVerdict::Fails(refutation_between(context, reason, sample, component, sides)))
    };
    for i in 0..f.outputs() {
        let (a, b) = (&here[i], &there[i]);
        // A wide value may be a set, or a number with much rounding: only a set must have no derivative.
        if !is_number(context, a) {
            let may_be_set = context.is_defined(a) && context.is_bounded(a) && context.is_bounded(&next[i]);
            if may_be_set && is_set(f, context, sample, i)? {
                return fails(ViolatedCondition::Successive, i, [&next[i], &context.bottom()]);
            }
            continue;
        }
        // An end that is a number has to lie in the value over the box; otherwise the extension is no hull.
        for part in [a, b] {
            if is_number(context, part) && !contains_to_half_digits(context, &over[i], part) {
                return fails(ViolatedCondition::Isotone, i, [part, &over[i]]);
            }
        }
        // Lebourg: f(x + h) - f(x) ∈ ∂f(X)·h. An unbounded derivative encloses everything.
        if is_number(context, b) && context.is_bounded(&next_over[i]) {
            asked = true;
            let rise = context.sub(b, a);
            if context.intersect(&rise, &next_over[i]).is_none() {
                return fails(ViolatedCondition::MeanValue, i, [&rise, &next_over[i]]);
            }
        }
    }
    Ok(if asked { SampleVerdict::Holds } else { SampleVerdict::Nothing })
}

/// Returns `true` if a component is wide, and not by rounding: at twice and at four times the precision it is as wide.
///
/// Returns `false` for an arithmetic that has no finer precision: there it cannot be decided.
fn is_set<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
    component: usize,
) -> Result<bool, TowerError> {
    let width = |context: &C| -> Result<_, TowerError> {
        let at = SampleEnclosures::new(context, sample);
        Ok(context.width(&f.derivative(&at.x, &at.directions, context)?[component]))
    };
    let (Some(finer), first) = (context.finer_context(), width(context)?) else { return Ok(false) };
    let Some(finest) = finer.finer_context() else { return Ok(false) };
    // "As wide": more than half of the first width. Rounding errors would shrink by far more.
    Ok(width(&finer)? > first.mul_exp2(-1) && width(&finest)? > first.mul_exp2(-1))
}

/// Returns `true` if `a ⊇ b` up to half of the digits. An unbounded `a` only has to meet `b`.
fn contains_to_half_digits<C: Context>(context: &C, a: &C::Num, b: &C::Num) -> bool {
    if !context.is_bounded(a) {
        return context.intersect(a, b).is_some();
    }
    let size = context.magnitude(a).max(context.magnitude(b)).max(context.magnitude(&context.enclose_integer(1)));
    let Some(slack) = size.mul_exp2(-i64::from(context.precision() / 2)).to_rational() else { return true };
    let slack = context.hull(&context.enclose_rational(&Rational::from(-&slack)), &context.enclose_rational(&slack));
    context.contains(&context.add(a, &slack), b)
}

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

/// Returns a refutation of a derivative that depends on the order of its directions, or is not additive in the first.
///
/// The step of the sample is the second direction of the sum. Returns `None` if nothing is refuted, or if there are no
/// directions.
fn find_direction_fault<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
) -> Result<Option<Box<TowerRefutation>>, TowerError> {
    let at = SampleEnclosures::new(context, sample);
    let [first, rest @ ..] = at.directions.as_slice() else { return Ok(None) };
    let here = f.derivative(&at.x, &at.directions, context)?;
    // Rotated by one: the first direction becomes the last.
    let turned = [rest, std::slice::from_ref(first)].concat();
    let turned = f.derivative(&at.x, &turned, context)?;
    let replaced = |v: Vec<C::Num>| [std::slice::from_ref(&v), rest].concat();
    let sum = first.iter().zip(&at.step).map(|(v, h)| context.add(v, h)).collect();
    let of_sum = f.derivative(&at.x, &replaced(sum), context)?;
    let of_step = f.derivative(&at.x, &replaced(at.step.clone()), context)?;
    let fault = |reason, component, sides| Ok(Some(refutation_between(context, reason, sample, component, sides)));
    for i in 0..f.outputs() {
        // Symmetry first: it needs no sum, so it is the simpler witness.
        let sides = [&here[i], &turned[i], &of_sum[i], &of_step[i]];
        if sides[..2].iter().all(|x| is_number(context, x)) && context.intersect(sides[0], sides[1]).is_none() {
            return fault(ViolatedCondition::Symmetric, i, [sides[1], sides[0]]);
        }
        let both = context.add(sides[0], sides[3]);
        if sides.iter().all(|x| is_number(context, x)) && context.intersect(&both, sides[2]).is_none() {
            return fault(ViolatedCondition::Linear, i, [sides[2], &both]);
        }
    }
    Ok(None)
}
