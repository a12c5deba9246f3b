//! Ranges of maps over boxes: enclosures of all values, and of all Clarke derivatives.
//!
//! A box is an interval for each coordinate, with exact endpoints. If the map is not certainly defined on the whole
//! box, the answer is ⊥. Narrower boxes give narrower answers, at best in proportion to the square of their width: the
//! values are enclosed a second time by the mean value theorem (Lebourg's, for Clarke derivatives), `f(x) ∈ f(m) +
//! ∂f(X)·(X - m)`, with m the middle of the box X.
//!
//! # Maps at exact points
//!
//! Maps at exact points, as computable real numbers.
//!
//! [`Map::at`] gives the components of a value, [`Map::derivative_at`] those of a derivative of any order. Each is a
//! [`RefinableReal`]: it can be enclosed to a given width, or streamed ([`RefinableReal::nested_enclosures`]). The components share their runs:
//! enclosures that one has computed are not computed again for the next.
//!
//! An answer names the primitives from outside that it depends on ([`Evaluations::trusted`]).
//!
//! # Evaluation requests
//!
//! One run of a map, at a point or on a box, for values and derivatives together.
//!
//! A request has inputs, intervals with exact endpoints, and directions with a generator for each. The map is run once
//! over the Weil algebra of these generators, and the requested coefficients are read off. If the algebra has too many
//! monomials, the answer is ⊥.
//!
//! # Maps on `f64` arrays
//!
//! Maps on `f64` arrays, by interval arithmetic in `f64` alone: one run at a fixed precision.
//!
//! A `f64` means exactly that double. The answers are intervals with `f64` endpoints that certainly contain the true
//! value; one that is not certainly defined is marked so ([`Interval::is_defined`]). Solvers stop at a tolerance of
//! 2⁻⁴⁰, or after a fixed amount of work.
//!
//! # Jacobians
//!
//! Jacobians, Hessians and Taylor coefficients at exact points, each by one run over one algebra.
//!
//! # Gradients and vector-Jacobian products
//!
//! Gradients and vector-Jacobian products, by one reverse sweep for any number of coordinates.
//!
//! | method | result |
//! |---|---|
//! | [`Map::vjp`] | `(x, w) ↦ D f(x)ᵗ·w` as a map |
//! | [`Map::tape`] | value and gradient on plain `f64`, not certified |
//! | [`Map::gradient_enclosures`], [`Map::vjp_doubles_slice`] | enclosures with `f64` endpoints, at their speed |
//! | [`Map::gradient_at`], [`Map::vjp_at`] | enclosures of any width, at exact points |
//!
//! If the map is certainly smooth near the point, the enclosures come from a [tape](CertifiedTape) that runs on intervals.
//! Otherwise the adjoint is run as a graph, like any other map, with the rules for kinks and domain boundaries.

use super::primitive::{MapError, check_length};
use super::{DynMap, Map, substitute_in_all};
use crate::number::accuracy::PassOptions;
use crate::number::balls::MidpointArithmetic;
use crate::number::budget::Budget;
use crate::number::real::{Precision, RefinableReal, RefinedEnclosure};
use crate::number::{Accuracy, Context, Double, Enclosure, Interval, Magnitude, Mpfr, Rational};
use crate::smooth::algebra::{Algebra, AlgebraGenerator, MOST_MONOMIALS};
use crate::smooth::dimension::{Dim, MapEnd};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, JetEvaluator};
use crate::smooth::question::{JointProgram, RunObserver, all_defined_or_bottom};
use crate::smooth::reverse::expands_exactly;
use crate::smooth::spine::AnytimeSolvers;
use crate::smooth::tape::{CertifiedTape, Tape, TapeError};
use crate::smooth::{map, question};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use typenum::{Const, ToUInt, U1};

/// Returns the box if it has `n` intervals, each with its endpoints in order.
pub(super) fn check_box(n: usize, ranges: &[InputInterval]) -> Result<Vec<InputInterval>, MapError> {
    check_length("the box", "interval", n, ranges.len())?;
    for (index, [lo, hi]) in ranges.iter().enumerate() {
        if lo > hi {
            return Err(MapError::ReversedInterval { index, lo: Box::new(lo.clone()), hi: Box::new(hi.clone()) });
        }
    }
    Ok(ranges.to_vec())
}

/// Returns the effort for a run on a box. The tolerance of solvers is 2^(-bits/2): the width of the box dominates
/// anyway.
fn box_effort<'b>(tier: Precision, budget: &'b Budget) -> PassOptions<'b> {
    PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits() / 2)), budget)
}

/// Replaces the results by ⊥ if the budget cut the run short: they would depend on where it was cut, so more work might
/// give less.
fn bottom_if_cut<C: HookedContext>(context: &C, found: Vec<C::Num>, effort: &PassOptions) -> Vec<C::Num> {
    if effort.budget.was_exhausted() { vec![context.bottom(); found.len()] } else { found }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Encloses all values on a box, a slice of intervals `[lo, hi]`, for each coordinate of M.
    ///
    /// # Errors
    /// [`MapError::Length`] and [`MapError::ReversedInterval`] for slices that are no box of N; [`MapError::Smooth`] for broken
    /// promises and contradictions.
    pub fn range_slice(
        &self,
        ranges: &[InputInterval],
        tier: Precision,
        budget: &Budget,
    ) -> Result<Vec<Enclosure>, MapError> {
        self.range_with(ranges, tier, &box_effort(tier, budget))
    }

    /// Like [`range_slice`](Map::range_slice), with a given effort: the accuracy of solvers, and the
    /// [promises](PassOptions::assumed_promises) that the values assume.
    ///
    /// # Errors
    /// As for [`Map::range_slice`].
    pub fn range_with(
        &self,
        ranges: &[InputInterval],
        tier: Precision,
        effort: &PassOptions,
    ) -> Result<Vec<Enclosure>, MapError> {
        let ranges = check_box(self.as_dyn.input_count(), ranges)?;
        Ok(match tier {
            Precision::Double => self.range_in(&Double, &ranges, effort)?,
            Precision::Mpfr(bits) => self.range_in(&Mpfr::new(bits), &ranges, effort)?,
        })
    }

    fn range_in<C: HookedContext>(
        &self,
        context: &C,
        ranges: &[InputInterval],
        effort: &PassOptions,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        let plain = bottom_if_cut(
            context,
            EvalRequest::for_value(&self.as_dyn, ranges.to_vec()).run_in(context, effort)?,
            effort,
        );
        let usable = |n: &C::Num| context.is_defined(n) && context.is_bounded(n);
        // a point gains nothing from the mean value theorem, nor does a result without bounds
        if ranges.iter().all(|[lo, hi]| lo == hi) || !plain.iter().any(usable) {
            return Ok(all_defined_or_bottom(context, &plain));
        }
        let middle: Vec<_> = ranges.iter().map(|[lo, hi]| Rational::from(lo + hi) / 2).collect();
        let mut mean = EvalRequest::for_value(&self.as_dyn, point_intervals(&middle)).run_in(context, effort)?;
        // coordinates that are points contribute no term
        let moving: Vec<_> = (0..ranges.len()).filter(|&i| ranges[i][0] != ranges[i][1]).collect();
        for columns in moving.chunks(COLUMNS) {
            let slopes = self.columns_in(context, ranges, columns, effort)?;
            for (&j, slopes) in columns.iter().zip(slopes.chunks(mean.len())) {
                let [lo, hi] = &ranges[j];
                let half = context.enclose_rational(&(Rational::from(hi - lo) / 2));
                let step = context.hull(&context.neg(&half), &half);
                for (value, slope) in mean.iter_mut().zip(slopes) {
                    // a slope that is unbounded or undefined makes the sum so
                    let change = context.mul(slope, &step);
                    *value = context.add(value, &change);
                }
            }
        }
        let mean = bottom_if_cut(context, mean, effort);
        let both = |(plain, mean): (&C::Num, &C::Num)| {
            if !usable(plain) || !usable(mean) {
                return Ok(plain.clone());
            }
            context.intersect(plain, mean).ok_or(SmoothError::DisjointEnclosures { construct: "the range of a map" })
        };
        let both: Vec<_> = plain.iter().zip(&mean).map(both).collect::<Result<_, SmoothError>>()?;
        Ok(all_defined_or_bottom(context, &both))
    }

    /// Encloses the partial derivatives on a box in some coordinates: all components in the first, then in the next.
    fn columns_in<C: HookedContext>(
        &self,
        context: &C,
        ranges: &[InputInterval],
        columns: &[usize],
        effort: &PassOptions,
    ) -> Result<Vec<C::Num>, SmoothError> {
        let directions = columns.iter().map(|&i| (AlgebraGenerator::Taylor(1), unit_vector(ranges.len(), i))).collect();
        let place = |i: usize| columns.iter().map(|&j| u32::from(i == j)).collect();
        let wanted = columns.iter().map(|&i| place(i)).collect();
        EvalRequest { directions, requested: wanted, ..EvalRequest::for_value(&self.as_dyn, ranges.to_vec()) }
            .run_in(context, effort)
    }

    /// Encloses all Clarke derivatives on a box: a row for each coordinate of M, in it for each coordinate of N the
    /// hull of the partial derivatives.
    ///
    /// Where the map is Lipschitz on the box, `f(y) - f(x)` lies in the product of this matrix with `y - x` for all its
    /// points x and y.
    ///
    /// # Errors
    /// As for [`Map::range_slice`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget, real::Precision};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let relu = Map::<U1, U1>::id().relu();
    /// let around = [[Rational::from(-1), Rational::from(1)]];
    /// let slope = relu.derivative_over(&around, Precision::Double, &Budget::unlimited())?;
    /// assert_eq!(slope[0][0].to_string(), "[0, 1]");
    /// # Ok::<(), MapError>(())
    /// ```
    #[doc(alias("Clarke derivative", "generalized gradient", "generalised Jacobian"))]
    pub fn derivative_over(
        &self,
        ranges: &[InputInterval],
        tier: Precision,
        budget: &Budget,
    ) -> Result<Vec<Vec<Enclosure>>, MapError> {
        let ranges = check_box(self.as_dyn.input_count(), ranges)?;
        let effort = box_effort(tier, budget);
        let m = self.as_dyn.outputs().len();
        let mut rows = vec![Vec::with_capacity(ranges.len()); m];
        let all: Vec<_> = (0..ranges.len()).collect();
        for columns in all.chunks(COLUMNS) {
            let found = match tier {
                Precision::Double => self.enclose_columns(&Double, &ranges, columns, &effort)?,
                Precision::Mpfr(bits) => self.enclose_columns(&Mpfr::new(bits), &ranges, columns, &effort)?,
            };
            for (k, entry) in found.into_iter().enumerate() {
                rows[k % m].push(entry);
            }
        }
        Ok(rows)
    }

    fn enclose_columns<C: HookedContext>(
        &self,
        context: &C,
        ranges: &[InputInterval],
        columns: &[usize],
        effort: &PassOptions,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        let found = self.columns_in(context, ranges, columns, effort)?;
        Ok(all_defined_or_bottom(context, &bottom_if_cut(context, found, effort)))
    }
}

impl<N: Dim, M: MapEnd> Map<N, M> {
    /// Like [`Map::range_slice`], on a box that is given as an array.
    ///
    /// # Errors
    /// [`MapError::ReversedInterval`] and [`MapError::Smooth`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget, real::Precision};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let x = Map::<U1, U1>::id();
    /// let [lo, hi] = [Rational::from(0), Rational::from(1)];
    /// let f = &x - &x * &x;
    /// let values = f.range([[lo, hi]], Precision::Double, &Budget::unlimited())?;
    /// assert!(values[0].contains(&Rational::from(0)) && values[0].contains(&Rational::from((1, 4))));
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn range<const K: usize>(
        &self,
        ranges: [InputInterval; K],
        tier: Precision,
        budget: &Budget,
    ) -> Result<Vec<Enclosure>, MapError>
    where
        Const<K>: ToUInt<Output = N>,
    {
        self.range_slice(&ranges, tier, budget)
    }
}

/// A component of a value, computed together with the others.
pub type MapComponent = question::JointNumber<EvalRequest>;

/// The components of a value or a derivative at an exact point; see the [module](self).
#[derive(Debug)]
pub struct MapValue {
    map: Arc<DynMap>,
    components: Vec<RefinableReal<MapComponent>>,
}

/// Enclosures of all components of a [`MapValue`].
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// One answer per component.
    pub components: Vec<RefinedEnclosure>,
    /// The primitives from outside that the answers depend on. Their enclosures and derivatives are assumed, not
    /// proved.
    pub trusted: Vec<String>,
}

impl Evaluations {
    /// Returns `true` if every component reached the requested width.
    #[must_use]
    pub fn all_reached(&self) -> bool {
        self.components.iter().all(|a| a.reached)
    }

    /// Returns the enclosures alone.
    #[must_use]
    pub fn enclosures(&self) -> Vec<Enclosure> {
        self.components.iter().map(|a| a.enclosure.clone()).collect()
    }
}

impl MapValue {
    pub(super) fn new(probe: EvalRequest) -> Self {
        let map = probe.map.clone();
        Self { map, components: MapComponent::all_of(probe).into_iter().map(RefinableReal::new).collect() }
    }

    /// Returns the components, each a real number that can be enclosed or streamed.
    #[must_use]
    pub fn components(&self) -> &[RefinableReal<MapComponent>] {
        &self.components
    }

    /// Encloses every component to a width of at most `eps > 0`, or as well as the budget and the numbers themselves
    /// allow.
    ///
    /// # Errors
    /// [`MapError::Tolerance`] for an eps that is not positive; [`MapError::Smooth`] for a broken promise or a contradiction.
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Result<Evaluations, MapError> {
        self.enclose_to(&eps.into(), budget)
    }

    /// Encloses every component to the given accuracy, or as well as the budget and the numbers themselves allow.
    ///
    /// # Errors
    /// As for [`MapValue::enclose`].
    pub fn enclose_to(&self, accuracy: &Accuracy, budget: &Budget) -> Result<Evaluations, MapError> {
        if !accuracy.is_positive() {
            return Err(MapError::Tolerance { eps: Box::new(accuracy.smallest_tolerance()) });
        }
        let components: Result<Vec<_>, _> = self.components.iter().map(|c| c.enclose_to(accuracy, budget)).collect();
        Ok(Evaluations { components: components?, trusted: self.map.trusted_primitives() })
    }
}

/// Returns the intervals [x, x].
pub(super) fn point_intervals(x: &[Rational]) -> Vec<InputInterval> {
    x.iter().map(|q| [q.clone(), q.clone()]).collect()
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns the value at an exact point, given as a slice.
    ///
    /// # Errors
    /// [`MapError::Length`] if the point has not one component per coordinate of N.
    pub fn at_slice(&self, x: &[Rational]) -> Result<MapValue, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        Ok(MapValue::new(EvalRequest::for_value(&self.as_dyn, point_intervals(x))))
    }

    /// Returns `f⁽ᵏ⁾(x; v₁, …, v_k)`, the derivative along k directions (S §4.2).
    ///
    /// | argument | shape | meaning |
    /// |---|---|---|
    /// | `x`, each of `directions` | coordinates of N | point and directions, in the units of the domain |
    /// | result | coordinates of M | units of the codomain |
    ///
    /// At a kink the first derivative is the hull of those of the branches, and higher ones are ⊥.
    ///
    /// # Errors
    /// [`MapError::Length`] if a vector does not fit; [`MapError::Directions`] for more than 11 directions, which would
    /// make the jets too large. Along one direction, [`Map::taylor_at`] reaches higher orders.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let product: Map<U2, U1> = x * y;
    /// let vector = |a: i64, b: i64| vec![Rational::from(a), Rational::from(b)];
    /// // (xy)⁽²⁾((a, b), (c, d)) = ad + bc
    /// let second = product.derivative_at(&vector(7, 8), &[vector(1, 2), vector(3, 4)])?;
    /// let answer = second.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
    /// assert!(answer.components[0].enclosure.contains(&Rational::from(10)));
    /// assert!(product.derivative_at(&vector(7, 8), &[vec![]]).is_err());
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn derivative_at(&self, x: &[Rational], directions: &[Vec<Rational>]) -> Result<MapValue, MapError> {
        let n = self.as_dyn.input_count();
        check_length("the point", "component", n, x.len())?;
        directions.iter().try_for_each(|v| check_length("a direction", "component", n, v.len()))?;
        // each direction doubles the monomials
        let most = MOST_MONOMIALS.ilog2();
        if directions.len() > most as usize {
            return Err(MapError::Directions { found: directions.len(), most });
        }
        let directions: Vec<_> = directions.iter().map(|v| (AlgebraGenerator::Direction(1), v.clone())).collect();
        let wanted = vec![vec![1; directions.len()]];
        Ok(MapValue::new(EvalRequest {
            directions,
            requested: wanted,
            ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
        }))
    }
}

impl<N: Dim, M: MapEnd> Map<N, M> {
    /// Returns the value at an exact point, given as an array.
    ///
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let root = Map::<U1, U1>::id().sqrt();
    /// let two = root.at([Rational::from(2)]);
    /// let budget = Budget::unlimited();
    /// let nested: Vec<_> = two.components()[0].nested_enclosures(20, &budget).take(3).collect::<Result<_, _>>()?;
    /// assert!(nested[0].specializes(&nested[1]) && nested[1].specializes(&nested[2]));
    /// // outside its domain a map has no value, and at its edge no derivative
    /// let answer = root.at([Rational::from(-1)]).enclose(&Rational::from(1), &budget)?;
    /// assert!(answer.components[0].enclosure.is_bottom() && !answer.all_reached());
    /// # Ok::<(), MapError>(())
    /// ```
    /// ```compile_fail,E0271
    /// use smoothish_ad::smooth::map::Map;
    /// use typenum::U1;
    /// let root = Map::<U1, U1>::id().sqrt();
    /// root.at([2.into(), 3.into()]);
    /// ```
    #[must_use]
    pub fn at<const K: usize>(&self, x: [Rational; K]) -> MapValue
    where
        Const<K>: ToUInt<Output = N>,
    {
        MapValue::new(EvalRequest::for_value(&self.as_dyn, point_intervals(&x)))
    }
}

/// The interval of one input, from the first to the second number.
pub type InputInterval = [Rational; 2];

/// A map with the inputs and the derivatives of one run.
#[derive(Clone, Debug)]
pub struct EvalRequest {
    /// The map.
    pub map: Arc<DynMap>,
    /// The inputs, one interval per coordinate; a point has equal endpoints.
    pub inputs: Vec<InputInterval>,
    /// The directions, each with its generator.
    pub directions: Vec<(AlgebraGenerator, Vec<Rational>)>,
    /// The requested derivatives: the order in each direction.
    pub requested: Vec<Vec<u32>>,
    /// `true` if derivatives are divided by the factorials: Taylor coefficients.
    pub as_coefficient: bool,
}

impl EvalRequest {
    /// Requests the value.
    #[doc(hidden)]
    pub fn for_value(map: &Arc<DynMap>, inputs: Vec<InputInterval>) -> Self {
        let map = map.clone();
        Self { map, inputs, directions: Vec::new(), requested: vec![Vec::new()], as_coefficient: false }
    }

    /// Returns the number of results: all components of the first requested derivative, then of the next.
    pub(super) fn len(&self) -> usize {
        self.requested.len() * self.map.outputs().len()
    }

    /// Computes the results in one arithmetic.
    pub(super) fn run_in<C: HookedContext>(
        &self,
        context: &C,
        effort: &PassOptions,
    ) -> Result<Vec<C::Num>, SmoothError> {
        self.run_observed(context, effort, None)
    }

    /// Like [`run_in`](Self::run_in). With `followed`, solvers start from the results of other runs, and intermediate
    /// enclosures are reported.
    fn run_observed<C: HookedContext>(
        &self,
        context: &C,
        effort: &PassOptions,
        followed: Option<RunObserver>,
    ) -> Result<Vec<C::Num>, SmoothError> {
        let real = Algebra::real();
        let nothing = || vec![context.bottom(); self.len()];
        let mut algebra = real.clone();
        let mut generators = Vec::with_capacity(self.directions.len());
        for (generator, _) in &self.directions {
            let Some(extended) = algebra.adjoin(*generator) else { return Ok(nothing()) };
            algebra = extended;
            generators.push(algebra.last_generator());
        }
        let program = self.map.program();
        let machine = JetEvaluator::new(context, effort, &real, program);
        let inputs: Vec<_> =
            self.inputs.iter().enumerate().map(|(i, x)| self.input_jet(context, &generators, i, x)).collect();
        let run = |machine: &JetEvaluator<C>| {
            let y = machine.eval_derivatives(
                &program.root,
                &algebra,
                [&inputs, &[]],
                0,
                &mut BranchDecisions::default(),
            )?;
            Ok(self.read_coefficients(machine, &algebra, &y))
        };
        // a derivative also needs a neighbourhood of the inputs, for which no solver has recorded results
        let Some(RunObserver { results: ledger, observe: hear }) = followed.filter(|_| self.directions.is_empty())
        else {
            return run(&machine);
        };
        let replay =
            |machine: &JetEvaluator<C>| run(machine).map(|found| hear(&all_defined_or_bottom(context, &found)));
        run(&machine.with_anytime(&AnytimeSolvers::new(ledger, &replay)))
    }

    /// Reads the requested coefficients from the output jets.
    fn read_coefficients<C: HookedContext>(
        &self,
        machine: &JetEvaluator<C>,
        algebra: &Algebra,
        y: &[Jet<C::Num>],
    ) -> Vec<C::Num> {
        let (context, jets) = (machine.context, machine.jets(algebra));
        let mut found = Vec::with_capacity(self.len());
        for exponents in &self.requested {
            let monomial = if exponents.is_empty() { Some(0) } else { algebra.index(exponents) };
            let factors = if self.as_coefficient { Vec::new() } else { factorial_factors(exponents) };
            for jet in y {
                let value = jets.value_of(jet);
                let coefficient = match monomial {
                    None => context.bottom(),
                    Some(m) => jet.get(m).cloned().unwrap_or_else(|| context.enclose_integer(0)),
                };
                // a derivative is the coefficient times the factorials; it is defined only where the value is
                let derivative = factors.iter().fold(coefficient, |c, n| context.mul_integer(&c, *n));
                found.push(if context.is_defined(&value) { derivative } else { context.mark_undefined(derivative) });
            }
        }
        found
    }

    fn input_jet<C: HookedContext>(
        &self,
        context: &C,
        generators: &[usize],
        i: usize,
        [lo, hi]: &InputInterval,
    ) -> Jet<C::Num> {
        let x = if lo == hi {
            context.enclose_rational(lo)
        } else {
            context.hull(&context.enclose_rational(lo), &context.enclose_rational(hi))
        };
        let mut jet = Jet::constant(x);
        for (generator, (_, v)) in generators.iter().zip(&self.directions) {
            if !v[i].is_zero() {
                jet.set(*generator, Some(context.enclose_rational(&v[i])));
            }
        }
        jet
    }

    /// Computes the results at a precision; ⊥ for a number that is not certainly defined.
    #[doc(hidden)]
    pub fn enclose_results(&self, tier: Precision, effort: &PassOptions) -> Result<Vec<Enclosure>, SmoothError> {
        self.run_at(tier, effort, None)
    }

    fn run_at(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: Option<RunObserver>,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        fn run<C: HookedContext>(
            probe: &EvalRequest,
            context: &C,
            effort: &PassOptions,
            followed: Option<RunObserver>,
        ) -> Result<Vec<Enclosure>, SmoothError> {
            Ok(all_defined_or_bottom(context, &probe.run_observed(context, effort, followed)?))
        }
        match tier {
            Precision::Double => run(self, &Double, effort, followed),
            Precision::Mpfr(bits) => run(self, &Mpfr::new(bits), effort, followed),
        }
    }
}

impl JointProgram for EvalRequest {
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: RunObserver,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        self.run_at(tier, effort, Some(followed))
    }

    fn output_count(&self) -> usize {
        self.len()
    }

    fn least_precision(&self) -> u32 {
        // a long numerator needs as many bits as a long constant
        let inputs = self.inputs.iter().map(|[low, _]| low.numer().significant_bits());
        inputs.fold(self.map.program().least_precision(), u32::max)
    }

    fn has_solver(&self) -> bool {
        self.map.program().root.has_solver
    }
}

/// Returns the factors of Π αᵢ!, without 1.
fn factorial_factors(exponents: &[u32]) -> Vec<i64> {
    exponents.iter().flat_map(|&k| 2..=i64::from(k)).collect()
}

/// The default budget of a run, in work units: about a second.
pub const DEFAULT_WORK: u64 = 20_000_000;
/// The tolerance of solvers is 2^-40. A choice: some bits above the rounding errors of a double.
const TOLERANCE_EXPONENT: i64 = -40;

/// Converts doubles to exact numbers. Fails for infinities and NaN.
pub(super) fn exact_rationals(what: &'static str, x: &[f64]) -> Result<Vec<Rational>, MapError> {
    let exact = |(index, value): (usize, &f64)| {
        Rational::from_f64(*value).ok_or(MapError::NotFinite { what, index, value: *value })
    };
    x.iter().enumerate().map(exact).collect()
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    pub(super) fn run_doubles(probe: &EvalRequest, budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        // one pass in `f64`: a smaller tolerance would be lost in rounding
        let effort = PassOptions::new(Magnitude::power_of_two(TOLERANCE_EXPONENT), budget);
        Ok(probe.run_in(&Double, &effort)?)
    }

    /// Encloses the value at a slice of doubles.
    ///
    /// # Errors
    /// [`MapError::Length`], and errors of [`Map::doubles`].
    pub fn doubles_slice(&self, x: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.doubles_within(x, &Budget::new(DEFAULT_WORK, None, None))
    }

    /// Encloses the value at a slice of doubles, with a given budget. With a work limit, solvers give the same answer
    /// on every machine.
    ///
    /// # Errors
    /// As for [`Map::doubles_slice`].
    pub fn doubles_within(&self, x: &[f64], budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        Self::run_doubles(
            &EvalRequest::for_value(&self.as_dyn, point_intervals(&exact_rationals("the point", x)?)),
            budget,
        )
    }

    /// Encloses the derivative at a slice of doubles, along another.
    ///
    /// # Errors
    /// [`MapError::Length`], and errors of [`Map::doubles`].
    pub fn derivative_doubles_slice(&self, x: &[f64], v: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        check_length("the direction", "component", self.as_dyn.input_count(), v.len())?;
        let directions = vec![(AlgebraGenerator::Direction(1), exact_rationals("the direction", v)?)];
        let value = EvalRequest::for_value(&self.as_dyn, point_intervals(&exact_rationals("the point", x)?));
        Self::run_doubles(
            &EvalRequest { directions, requested: vec![vec![1]], ..value },
            &Budget::new(DEFAULT_WORK, None, None),
        )
    }
}

/// Converts the components to an array, whose length is known by type.
fn to_array<T, const L: usize>(components: Vec<T>) -> Result<[T; L], MapError> {
    let found = components.len();
    components.try_into().map_err(|_| MapError::Length { what: "the result", unit: "component", expected: L, found })
}

impl<N: Dim, M: Dim> Map<N, M> {
    /// Encloses the value at an array of doubles.
    ///
    /// # Errors
    /// [`MapError::NotFinite`] for an infinity or a NaN; [`MapError::Smooth`] for broken promises and contradictions.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, MapError, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let norm: Map<U2, U1> = (x.powi(2) + y.powi(2)).sqrt();
    /// let [r] = norm.doubles([3.0, 4.0])?;
    /// assert!(r.is_defined() && *r.lo() <= 5.0 && 5.0 <= *r.hi() && r.hi() - r.lo() < 1e-14);
    /// let [slope] = norm.derivative_doubles([3.0, 4.0], [1.0, 0.0])?;
    /// assert!(*slope.lo() <= 0.6 && 0.6 <= *slope.hi());
    /// assert!(matches!(norm.doubles_slice(&[f64::NAN, 0.0]), Err(MapError::NotFinite { index: 0, .. })));
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn doubles<const K: usize, const L: usize>(&self, x: [f64; K]) -> Result<[Interval<f64>; L], MapError>
    where
        Const<K>: ToUInt<Output = N>,
        Const<L>: ToUInt<Output = M>,
    {
        to_array(self.doubles_slice(&x)?)
    }

    /// Encloses the derivative at an array of doubles along another: `f′(x; v)`.
    ///
    /// # Errors
    /// As for [`Map::doubles`].
    pub fn derivative_doubles<const K: usize, const L: usize>(
        &self,
        x: [f64; K],
        v: [f64; K],
    ) -> Result<[Interval<f64>; L], MapError>
    where
        Const<K>: ToUInt<Output = N>,
        Const<L>: ToUInt<Output = M>,
    {
        to_array(self.derivative_doubles_slice(&x, &v)?)
    }
}

/// The largest number of columns of a matrix in one run. A choice: larger algebras share more, and take more memory.
pub(super) const COLUMNS: usize = 64;
/// The size of a block of a Hessian; each block is one run. A choice, as above: products take up to the square of its
/// monomials.
const BLOCK: usize = 16;

/// Returns the i-th unit vector.
pub(super) fn unit_vector(n: usize, i: usize) -> Vec<Rational> {
    (0..n).map(|j| Rational::from(i64::from(i == j))).collect()
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Encloses the Jacobian at an exact point: a row per coordinate of M, in it a partial derivative per coordinate of
    /// N.
    ///
    /// At a kink each entry encloses the partial Clarke derivative. The relation between entries is lost: for `max(x,
    /// y)` on the diagonal the answer is `[0, 1]` twice, not the segment from (1, 0) to (0, 1).
    ///
    /// # Errors
    /// [`MapError::Length`] if the point does not fit; errors of the evaluation.
    pub fn jacobian_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Vec<Evaluations>, MapError> {
        let n = self.as_dyn.input_count();
        let m = self.as_dyn.outputs().len();
        check_length("the point", "component", n, x.len())?;
        let trusted = self.as_dyn.trusted_primitives();
        let mut rows = vec![Evaluations { components: Vec::new(), trusted }; m];
        for first in (0..n).step_by(COLUMNS) {
            let columns: Vec<_> = (first..n.min(first + COLUMNS)).collect();
            let directions = columns.iter().map(|&i| (AlgebraGenerator::Taylor(1), unit_vector(n, i))).collect();
            let place = |i: usize| columns.iter().map(|&j| u32::from(i == j)).collect();
            let wanted = columns.iter().map(|&i| place(i)).collect();
            let value = MapValue::new(EvalRequest {
                directions,
                requested: wanted,
                ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
            });
            for (k, answer) in value.enclose(eps, budget)?.components.into_iter().enumerate() {
                rows[k % m].components.push(answer);
            }
        }
        Ok(rows)
    }

    /// Encloses the Taylor coefficients at an exact point along a line: for each j = 0, …, order the components of
    /// `f⁽ʲ⁾(x; v, …, v)/j!`.
    ///
    /// # Errors
    /// [`MapError::Length`] if point or direction do not fit; [`MapError::Order`] beyond order 2047, which would make
    /// the jets too large; errors of the evaluation.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, MapError};
    /// use typenum::U1;
    /// let exp = Map::<U1, U1>::id().exp();
    /// let eps = Rational::from((1, 1_000_000_000));
    /// let found = exp.taylor_at(&[0.into()], &[1.into()], 6, &eps, &Budget::unlimited())?;
    /// assert!(found[6].components[0].enclosure.contains(&Rational::from((1, 720))));
    /// # Ok::<(), MapError>(())
    /// ```
    pub fn taylor_at(
        &self,
        x: &[Rational],
        v: &[Rational],
        order: u16,
        eps: &Rational,
        budget: &Budget,
    ) -> Result<Vec<Evaluations>, MapError> {
        let n = self.as_dyn.input_count();
        let order = u32::from(order);
        check_length("the point", "component", n, x.len())?;
        check_length("the direction", "component", n, v.len())?;
        let most = MOST_MONOMIALS as u32 - 1;
        if order > most {
            return Err(MapError::Order { found: order, most });
        }
        let directions = if order == 0 { Vec::new() } else { vec![(AlgebraGenerator::Direction(order), v.to_vec())] };
        let wanted = if order == 0 { vec![Vec::new()] } else { (0..=order).map(|k| vec![k]).collect() };
        let probe = EvalRequest {
            directions,
            requested: wanted,
            as_coefficient: true,
            ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
        };
        let found = MapValue::new(probe).enclose(eps, budget)?;
        let m = self.as_dyn.outputs().len();
        let mut rest = found.components.into_iter();
        let mut next = || Evaluations { components: rest.by_ref().take(m).collect(), trusted: found.trusted.clone() };
        Ok((0..=order).map(|_| next()).collect())
    }
}

impl<N: MapEnd> Map<N, U1> {
    /// Encloses the Hessian at an exact point, a row per coordinate. It is symmetric; each entry is computed once. At a
    /// kink it is ⊥.
    ///
    /// # Errors
    /// [`MapError::Length`] if the point does not fit; errors of the evaluation.
    pub fn hessian_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Vec<Evaluations>, MapError> {
        let n = self.as_dyn.input_count();
        check_length("the point", "component", n, x.len())?;
        let nothing = || RefinedEnclosure {
            enclosure: Enclosure::bottom(),
            reached: false,
            bits: 0,
            exhausted: false,
            assumed: vec![],
            reason: None,
            exact: None,
            conditional: None,
        };
        // filled below: every entry belongs to a block
        let row = || Evaluations { components: vec![nothing(); n], trusted: self.as_dyn.trusted_primitives() };
        let mut rows: Vec<_> = (0..n).map(|_| row()).collect();
        let blocks: Vec<_> = (0..n).step_by(BLOCK).map(|first| first..n.min(first + BLOCK)).collect();
        for (k, left) in blocks.iter().enumerate() {
            for right in &blocks[k..] {
                // a block off the diagonal moves the coordinates of both its rows and its columns
                let moving: Vec<_> =
                    if left == right { left.clone().collect() } else { left.clone().chain(right.clone()).collect() };
                let directions = moving.iter().map(|&i| (AlgebraGenerator::Taylor(2), unit_vector(n, i))).collect();
                let pairs: Vec<_> =
                    left.clone().flat_map(|i| right.clone().filter(move |j| i <= *j).map(move |j| (i, j))).collect();
                // ∂²/∂xᵢ∂xⱼ is read from the monomial tᵢ·tⱼ, or from tᵢ² on the diagonal
                let exponents =
                    |(i, j): &(usize, usize)| moving.iter().map(|k| u32::from(k == i) + u32::from(k == j)).collect();
                let wanted = pairs.iter().map(exponents).collect();
                let value = MapValue::new(EvalRequest {
                    directions,
                    requested: wanted,
                    ..EvalRequest::for_value(&self.as_dyn, point_intervals(x))
                });
                for ((i, j), answer) in pairs.into_iter().zip(value.enclose(eps, budget)?.components) {
                    rows[j].components[i] = answer.clone();
                    rows[i].components[j] = answer;
                }
            }
        }
        Ok(rows)
    }
}

/// Results of reverse mode for one map, computed at most once.
#[derive(Debug, Default)]
pub(super) struct Pullback {
    adjoint: OnceLock<Arc<DynMap>>,
    tape: OnceLock<Result<Tape, TapeError>>,
    /// `true` if the tape has no value outside the domain of the map.
    is_exact: OnceLock<bool>,
    /// Tapes that are not in use.
    idle: Mutex<Vec<CertifiedTape<Double>>>,
}

/// The largest number of idle tapes that are kept. A choice: one per thread of a usual machine.
const MAX_IDLE_TAPES: usize = 8;
/// The first precision after doubles, in bits. A choice; each further one is twice as large …
const FIRST_BITS: u32 = 128;
/// … and the last one: beyond, a radius in `f64` is too coarse.
const LAST_BITS: u32 = 1024;

impl DynMap {
    /// Returns `(x, w) ↦ D f(x)ᵗ·w`, computed once.
    fn adjoint_map(&self) -> &Arc<Self> {
        self.pullback_cache().adjoint.get_or_init(|| {
            let n = self.input_count();
            let all = map::coordinate_graphs(n + self.outputs().len());
            let (x, w) = all.split_at(n);
            // the sweep runs on fresh variables: the inputs are the point at which the adjoint is taken
            let fresh: Vec<_> = x.iter().map(|_| Variable::fresh()).collect();
            let bindings: Vec<_> =
                x.iter().filter_map(map::as_variable).zip(fresh.iter().map(|v| Graph::variable(*v))).collect();
            let bodies = substitute_in_all(self.outputs(), &bindings);
            Arc::new(Self::new(all.len(), Graph::reverse_mode(&fresh, &bodies, x, w)))
        })
    }

    fn tape(&self) -> Result<&Tape, &TapeError> {
        let tape = || Tape::compile_map(&map::coordinate_variables(self.input_count()), self.outputs());
        self.pullback_cache().tape.get_or_init(tape).as_ref()
    }

    /// Returns the tape, if enclosures can run on it. It is checked first: with nested derivatives, which cannot, the
    /// tape may be long.
    fn certifiable_tape(&self) -> Option<&Tape> {
        let is_exact = || expands_exactly(self.outputs());
        self.pullback_cache().is_exact.get_or_init(is_exact).then(|| self.tape().ok())?
    }

    /// Encloses `D f(x)ᵗ·w` by a tape that runs on double intervals. Returns `None` if the tape has no answer.
    fn vjp_on_doubles(&self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<f64>>> {
        let tape = self.certifiable_tape()?;
        let idle = || self.pullback_cache().idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        // running outside the lock: other threads take or make tapes of their own
        let mut running = waiting.unwrap_or_else(|| tape.to_certified(Double));
        let found = running.vjp_at(x, w);
        let mut idle = idle();
        if idle.len() < MAX_IDLE_TAPES {
            idle.push(running);
        }
        found
    }

    /// Like [`vjp_on_doubles`](Self::vjp_on_doubles), in an arithmetic of any precision, at exact points.
    fn vjp_at_precision<T: MidpointArithmetic>(
        &self,
        tier: T,
        x: &[Rational],
        w: &[Rational],
        budget: &Budget,
    ) -> Option<Vec<Interval<T::End>>> {
        let point = |x: &[Rational]| x.iter().map(|x| tier.enclose_rational(x)).collect::<Vec<_>>();
        let (x, w) = (point(x), point(w));
        self.certifiable_tape()?.to_certified(tier).vjp_within(&x, &w, budget)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Returns `(x, w) ↦ D f(x)ᵗ·w`, the vector-Jacobian product, by one sweep for any number of coordinates
    /// ([`reverse`](crate::smooth::reverse); A §4.1, fᴿ). At a kink each component is enclosed separately.
    ///
    /// ```
    /// use smoothish_ad::number::{Rational, budget::Budget};
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U3};
    /// let [x, y, z] = coordinates::<U3, 3>();
    /// let f: Map<U3, U1> = x * y.sin() + z;
    /// let at = f.vjp().at_slice(&[3.into(), 0.into(), 1.into(), 10.into()])?;
    /// let found = at.enclose(&Rational::from((1, 9)), &Budget::unlimited())?;
    /// for (component, true_value) in found.components.iter().zip([0, 30, 10]) {
    ///     assert!(component.enclosure.contains(&Rational::from(true_value)));
    /// }
    /// # Ok::<(), smoothish_ad::smooth::map::MapError>(())
    /// ```
    #[must_use]
    pub fn vjp(&self) -> Map<(N, M), N> {
        Map::new(DynMap::clone(self.as_dyn.adjoint_map()))
    }

    /// Compiles the map to plain `f64`, with its gradient by one sweep: at the speed of an ordinary program, not
    /// certified. A tape has no types, so shapes are those of slices.
    ///
    /// # Errors
    /// [`TapeError`] for integrals, roots, optima and primitives from outside.
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let f: Map<U2, U1> = x.powi(2) * y.exp();
    /// let mut tape = f.tape()?;
    /// let mut gradient = [0.0; 2];
    /// assert_eq!(tape.gradient(&[3.0, 0.0], &mut gradient), 9.0);
    /// assert_eq!(gradient, [6.0, 9.0]);
    /// # Ok::<(), smoothish_ad::smooth::tape::TapeError>(())
    /// ```
    pub fn tape(&self) -> Result<Tape, TapeError> {
        self.as_dyn.tape().cloned().map_err(Clone::clone)
    }

    /// Encloses `D f(x)ᵗ·w` at slices of doubles, with `f64` endpoints, one interval per coordinate of N. A component
    /// that is not certainly defined is marked so ([`Interval::is_defined`]).
    ///
    /// [`MapError::Length`], and errors of [`Map::doubles`].
    /// [`MapError::Length`], and those of [`Map::doubles`].
    pub fn vjp_doubles_slice(&self, x: &[f64], w: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.vjp_doubles_within(x, w, &Budget::new(DEFAULT_WORK, None, None))
    }

    /// Like [`vjp_doubles_slice`](Map::vjp_doubles_slice), with a given budget. The budget does not limit a tape, whose
    /// cost is fixed and small.
    ///
    /// # Errors
    /// As for [`Map::vjp_doubles_slice`].
    pub fn vjp_doubles_within(&self, x: &[f64], w: &[f64], budget: &Budget) -> Result<Vec<Interval<f64>>, MapError> {
        let [point, cotangent] = ["the point", "the cotangent"];
        check_length(point, "component", self.as_dyn.input_count(), x.len())?;
        check_length(cotangent, "component", self.as_dyn.outputs().len(), w.len())?;
        let exact = [exact_rationals(point, x)?, exact_rationals(cotangent, w)?].concat();
        match self.as_dyn.vjp_on_doubles(x, w) {
            Some(found) => Ok(found),
            None => {
                Self::run_doubles(&EvalRequest::for_value(self.as_dyn.adjoint_map(), point_intervals(&exact)), budget)
            }
        }
    }

    /// Encloses `D f(x)ᵗ·w` at exact points, each component to a width of at most eps if the budget allows.
    ///
    /// # Errors
    /// [`MapError::Length`] if point or cotangent do not fit; [`MapError::Tolerance`] for an eps that is not positive;
    /// errors of the evaluation.
    pub fn vjp_at(
        &self,
        x: &[Rational],
        w: &[Rational],
        eps: &Rational,
        budget: &Budget,
    ) -> Result<Evaluations, MapError> {
        check_length("the point", "component", self.as_dyn.input_count(), x.len())?;
        check_length("the cotangent", "component", self.as_dyn.outputs().len(), w.len())?;
        if *eps <= 0 {
            return Err(MapError::Tolerance { eps: Box::new(eps.clone()) });
        }
        let mut best = None;
        if let Some(tape) = self.as_dyn.certifiable_tape() {
            // the precision grows until the enclosures are narrow enough, or too coarse radii end it
            let mut bits = Double.precision();
            while bits <= LAST_BITS && budget.spend(tape.estimate_work(bits)) && !budget.is_exhausted() {
                let found = match bits {
                    53 => to_enclosures(&Double, self.as_dyn.vjp_at_precision(Double, x, w, budget)),
                    bits => {
                        to_enclosures(&Mpfr::new(bits), self.as_dyn.vjp_at_precision(Mpfr::new(bits), x, w, budget))
                    }
                };
                let Some(found) = found else { break };
                let is_reached = found.iter().all(|e| e.has_width_at_most(eps));
                best = Some(to_evaluations(found, eps, bits));
                if is_reached {
                    break;
                }
                bits = if bits < FIRST_BITS { FIRST_BITS } else { 2 * bits };
            }
        }
        match best {
            Some(best) if best.all_reached() || budget.is_exhausted() => return Ok(best),
            _ => {}
        }
        MapValue::new(EvalRequest::for_value(self.as_dyn.adjoint_map(), point_intervals(&[x, w].concat())))
            .enclose(eps, budget)
    }
}

/// Converts the results of a tape to exact endpoints.
fn to_enclosures<C: Context>(context: &C, found: Option<Vec<C::Num>>) -> Option<Vec<Enclosure>> {
    found.map(|found| found.iter().map(|e| context.to_enclosure(e)).collect())
}

/// Converts the results of a tape at a precision to answers. Those that are too wide are marked as exhausted.
fn to_evaluations(found: Vec<Enclosure>, eps: &Rational, bits: u32) -> Evaluations {
    let answer = |enclosure: Enclosure| {
        let reached = enclosure.has_width_at_most(eps);
        RefinedEnclosure {
            enclosure,
            reached,
            bits,
            exhausted: !reached,
            assumed: Vec::new(),
            reason: None,
            exact: None,
            conditional: None,
        }
    };
    Evaluations { components: found.into_iter().map(answer).collect(), trusted: Vec::new() }
}

impl<N: MapEnd> Map<N, U1> {
    /// Encloses the gradient at a slice of doubles, with `f64` endpoints, one interval per coordinate.
    ///
    /// # Errors
    /// As for [`Map::vjp_doubles_slice`].
    ///
    /// # Examples
    /// ```
    /// use smoothish_ad::smooth::map::{Map, coordinates};
    /// use typenum::{U1, U2};
    /// let [x, y] = coordinates();
    /// let f: Map<U2, U1> = x.sin() * y.exp();
    /// for (slope, nearest) in f.gradient_enclosures(&[0.5, 0.25])?.iter().zip([1.1268383147091814, 0.6155945769770066]) {
    ///     assert!(slope.is_defined() && *slope.lo() <= nearest && nearest <= *slope.hi());
    ///     assert!(slope.hi() - slope.lo() < 1e-14);
    /// }
    /// // at a kink, what Clarke's rules say
    /// let [x, y] = coordinates();
    /// let greater: Map<U2, U1> = x.max(&y);
    /// let [slope, _] = &greater.gradient_enclosures(&[1.0, 1.0])?[..] else { unreachable!() };
    /// assert_eq!((*slope.lo(), *slope.hi()), (0.0, 1.0));
    /// # Ok::<(), smoothish_ad::smooth::map::MapError>(())
    /// ```
    pub fn gradient_enclosures(&self, x: &[f64]) -> Result<Vec<Interval<f64>>, MapError> {
        self.vjp_doubles_slice(x, &[1.0])
    }

    /// Encloses the gradient at an exact point, each component to a width of at most eps if the budget allows.
    ///
    /// # Errors
    /// As for [`Map::vjp_at`].
    pub fn gradient_at(&self, x: &[Rational], eps: &Rational, budget: &Budget) -> Result<Evaluations, MapError> {
        self.vjp_at(x, &[Rational::from(1)], eps, budget)
    }
}
