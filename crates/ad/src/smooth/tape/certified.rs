//! Certified tapes: enclosures of values and gradients, by one run forward and one reverse sweep.
//!
//! A certified tape works for maps that are certainly smooth near the point: every operation is defined at its
//! arguments and around them, and every kink, jump and choice is decided. The chain rule then holds as it stands, and
//! the sweep encloses the gradient. Otherwise the tape has no answer ([`None`]). The
//! [adjoint](crate::smooth::graph::Graph::reverse_mode) as a graph has one: at kinks, at domain boundaries, with solvers.
//!
//! Sums of products are computed with [balls](crate::number::balls), all else with intervals.
//!
//! Derivatives within a map are [expanded](crate::smooth::reverse) beforehand, and then their points are lost. So
//! a map with derivatives has a certified tape only if that loses nothing (`expands_exactly`).

use super::{CellIndex, KinkOperation, ProductCells, TapeArithmetic, TapeCode, TapeRun};
use crate::function::{Function, Planar};
use crate::number::arithmetic::{Context, Interval, Sign};
use crate::number::balls::{BallVector, MidpointArithmetic};
use crate::number::budget::Budget;
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;
use std::sync::Arc;

/// A tape on enclosures in one precision.
#[derive(Clone, Debug)]
pub struct CertifiedTape<T: MidpointArithmetic> {
    run: TapeRun<EnclosureArithmetic<T>>,
}

impl<T: MidpointArithmetic> CertifiedTape<T> {
    pub(super) fn new(tier: T, code: &Arc<TapeCode>) -> Self {
        Self { run: TapeRun::new(EnclosureArithmetic(tier), code) }
    }

    /// Encloses `J(x)ᵗ·w` for x in a box in ℝⁿ and w in one in ℝᵐ. Returns `None` if the map is not certainly smooth
    /// nearby.
    ///
    /// # Panics
    /// If `x` has not n numbers, or `w` not m.
    pub fn vjp(&mut self, x: &[Interval<T::End>], w: &[Interval<T::End>]) -> Option<Vec<Interval<T::End>>> {
        self.vjp_within(x, w, &Budget::unlimited())
    }

    /// Like [`vjp`](Self::vjp). Returns `None` as well if the budget is exhausted before the end.
    ///
    /// # Panics
    /// As [`CertifiedTape::vjp`].
    pub fn vjp_within(
        &mut self,
        x: &[Interval<T::End>],
        w: &[Interval<T::End>],
        budget: &Budget,
    ) -> Option<Vec<Interval<T::End>>> {
        self.check_inputs(x.len());
        let values = &mut self.run.values;
        // an input that is unbounded, or not certainly defined, has no ball
        let are_known = x.iter().enumerate().all(|(place, x)| values.set_interval(place, x));
        are_known.then(|| self.sweep_back(w, || !budget.is_exhausted()))?
    }

    /// Like [`vjp`](Self::vjp), at finite doubles, which are exact.
    ///
    /// # Panics
    /// As [`CertifiedTape::vjp`].
    pub fn vjp_at(&mut self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<T::End>>> {
        let w: Vec<_> = w.iter().map(|w| Interval::point(self.run.carrier.0.exact_f64(*w))).collect();
        self.put_exactly(x)?;
        self.sweep_back(&w, || true)
    }

    /// Encloses the value at finite doubles. Returns `None` if the map is not certainly smooth nearby.
    ///
    /// # Panics
    /// If `x` has not n numbers.
    pub fn value_at(&mut self, x: &[f64]) -> Option<Vec<Interval<T::End>>> {
        self.put_exactly(x)?;
        self.run_forward(|| true)?;
        Some(self.run.code.outputs.iter().map(|place| self.run.values.get(*place as usize)).collect())
    }

    fn check_inputs(&self, inputs: usize) {
        assert_eq!(inputs, self.run.code.inputs, "the point has another number of components");
    }

    fn put_exactly(&mut self, x: &[f64]) -> Option<()> {
        self.check_inputs(x.len());
        x.iter().enumerate().all(|(place, x)| self.run.values.set_f64(place, *x)).then_some(())
    }

    /// Computes the values. Returns `None` if the tape may have values outside the domain of the map.
    fn run_forward(&mut self, may_go_on: impl Fn() -> bool) -> Option<()> {
        self.run.code.exact.then(|| self.run.run_forward(may_go_on))?
    }

    /// Encloses `J(x)ᵗ·w`, with the inputs in place.
    fn sweep_back(&mut self, w: &[Interval<T::End>], may_go_on: impl Fn() -> bool) -> Option<Vec<Interval<T::End>>> {
        let code = self.run.code.clone();
        assert_eq!(w.len(), code.outputs.len(), "the cotangent has another number of components");
        self.run_forward(&may_go_on)?;
        self.run.sweep_back(code.outputs.iter().copied().zip(w.iter().cloned()), may_go_on)?;
        let (inputs, cotangents) = (0..code.inputs, &self.run.cotangents);
        // a sum checks its own cotangent only; those of the inputs are checked here
        let are_known = inputs.clone().all(|place| cotangents.is_known(place));
        are_known.then(|| inputs.map(|place| cotangents.get(place)).collect())
    }
}

/// Arithmetic of enclosures that succeeds only if everything is defined, bounded, smooth and decided.
#[derive(Clone, Debug)]
struct EnclosureArithmetic<T>(T);

impl<T: MidpointArithmetic> EnclosureArithmetic<T> {
    /// Returns `true` for a certainly positive number, `false` for a certainly negative one. Returns `None` if
    /// undecided.
    fn certain_sign(&self, number: &Interval<T::End>) -> Option<bool> {
        match self.0.sign(number) {
            Sign::Positive => Some(true),
            Sign::Negative => Some(false),
            Sign::Undecided => None,
        }
    }
}

impl<T: MidpointArithmetic> TapeArithmetic for EnclosureArithmetic<T> {
    type Number = Interval<T::End>;
    type Memory = BallVector<T>;

    fn new_memory(&self, count: usize) -> BallVector<T> {
        BallVector::new(self.0.clone(), count)
    }

    fn clear(&self, memory: &mut BallVector<T>) {
        memory.clear();
    }

    #[inline]
    fn get(&self, memory: &BallVector<T>, place: usize) -> Self::Number {
        memory.get(place)
    }

    #[inline]
    fn store_at(&self, memory: &mut BallVector<T>, place: usize, x: &Self::Number) -> bool {
        memory.set_interval(place, x)
    }

    fn add_to(&self, memory: &mut BallVector<T>, place: usize, x: &Self::Number) -> bool {
        // the first summand is stored as it is: no rounding error is added
        if memory.is_zero(place) {
            return memory.set_interval(place, x);
        }
        let sum = self.add(&memory.get(place), x);
        memory.set_interval(place, &sum)
    }

    #[inline]
    fn is_zero(&self, memory: &BallVector<T>, place: usize) -> bool {
        memory.is_zero(place)
    }

    fn store_sum(
        &self,
        memory: &mut BallVector<T>,
        place: usize,
        terms: &[CellIndex],
        products: &ProductCells,
    ) -> bool {
        memory.set_sum_of_products(place, terms, products.as_ball_factors());
        // a sum is rejected when it loses its bounds
        memory.is_known(place)
    }

    fn pull_back_sum(
        &self,
        cotangents: &mut BallVector<T>,
        values: &BallVector<T>,
        place: usize,
        terms: &[CellIndex],
        products: &ProductCells,
        is_fixed: impl Fn(CellIndex) -> bool,
    ) -> bool {
        let w = cotangents.clone_ball(place);
        terms.iter().filter(|term| !is_fixed(**term)).for_each(|term| cotangents.add(*term as usize, &w));
        match products {
            ProductCells::Rows(x, y, count) => {
                for (to, from) in [(*x, *y), (*y, *x)].into_iter().filter(|(to, _)| !is_fixed(*to)) {
                    cotangents.add_multiple(to as usize, &w, values, from as usize, *count as usize);
                }
            }
            ProductCells::Pairs(pairs) => {
                let both = pairs.iter().flat_map(|&(x, y)| [(x, y), (y, x)]);
                cotangents.add_multiples(&w, values, both.filter(|(to, _)| !is_fixed(*to)));
            }
        }
        cotangents.is_known(place)
    }

    fn convert_constant(&self, constant: &ExactConstant) -> Self::Number {
        constant.enclose_in(&self.0)
    }

    fn convert_fraction(&self, p: i64, q: u32) -> Self::Number {
        self.0.div_integer(&self.0.enclose_integer(p), q.into())
    }

    fn pi(&self) -> Self::Number {
        self.0.pi()
    }

    fn negate(&self, a: &Self::Number) -> Self::Number {
        self.0.neg(a)
    }

    fn add(&self, a: &Self::Number, b: &Self::Number) -> Self::Number {
        self.0.add(a, b)
    }

    fn subtract(&self, a: &Self::Number, b: &Self::Number) -> Self::Number {
        self.0.sub(a, b)
    }

    fn multiply(&self, a: &Self::Number, b: &Self::Number) -> Self::Number {
        self.0.mul(a, b)
    }

    fn square(&self, a: &Self::Number) -> Self::Number {
        self.0.square(a)
    }

    fn divide(&self, a: &Self::Number, b: &Self::Number) -> Self::Number {
        self.0.div(a, b)
    }

    /// Requires a base at which the power is analytic.
    fn rational_power(&self, a: &Self::Number, e: RationalExponent) -> Option<Self::Number> {
        let tier = &self.0;
        if !tier.region_contains(e.real_operation().conditions().analytic, &[a]) {
            return None;
        }
        // away from 0 an odd root of a negative number is smooth as well
        let root = if e.denominator > 1 { tier.root(a, e.denominator) } else { a.clone() };
        let power = Context::power(tier, &root, u32::try_from(e.numerator.unsigned_abs()).ok()?);
        Some(if e.numerator < 0 { tier.div(&tier.enclose_integer(1), &power) } else { power })
    }

    /// Requires an argument at which the function is analytic.
    fn apply_function(&self, f: Function, a: &Self::Number) -> Option<Self::Number> {
        let is_smooth = self.0.region_contains(f.row().conditions.analytic, &[a]);
        is_smooth.then(|| self.0.apply_function(f, a))
    }

    fn apply_binary(&self, f: Planar, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        self.0.is_smooth_near(f, a, b).then(|| Context::apply_binary_function(&self.0, f, a, b))
    }

    fn signum(&self, a: &Self::Number) -> Option<Self::Number> {
        Some(self.0.enclose_integer(if self.certain_sign(a)? { 1 } else { -1 }))
    }

    fn is_positive(&self, a: &Self::Number) -> Option<bool> {
        self.certain_sign(a)
    }

    fn first_wins(&self, kink: KinkOperation, a: &Self::Number, b: &Self::Number) -> Option<bool> {
        match kink {
            // strictly greater: at a tie the chain rule does not hold as it stands
            KinkOperation::Maximum => self.certain_sign(&self.0.sub(a, b)),
            KinkOperation::Minimum => self.certain_sign(&self.0.sub(b, a)),
            KinkOperation::Abs | KinkOperation::Signum => self.certain_sign(a),
        }
    }
}
