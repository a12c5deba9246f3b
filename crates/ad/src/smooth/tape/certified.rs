//! Certified tapes: enclosures of values and gradients, by one run forward and one reverse sweep.
//!
//! A certified tape works for maps that are certainly smooth near the point: every operation is defined at its
//! arguments and around them, and every kink, jump and choice is decided. The chain rule then holds as it stands, and
//! the sweep encloses the gradient. Otherwise the tape has no answer ([`None`]). The
//! [adjoint](crate::smooth::graph::Graph::reverse) as a graph has one: at kinks, at domain boundaries, with solvers.
//!
//! Sums of products are computed with [balls](crate::number::balls), all else with intervals.

use super::carrier::Carrier;
use super::run::Run;
use super::{Code, Kink, Place, Products};
use crate::function::{Function, Planar};
use crate::number::balls::{Balls, Middles};
use crate::number::budget::Budget;
use crate::number::context::{Context, Sign};
use crate::number::interval::Interval;
use crate::smooth::graph::Exponent;
use crate::smooth::program::Constant;
use std::sync::Arc;

/// A tape on enclosures in one precision.
#[derive(Clone, Debug)]
pub struct Certified<T: Middles> {
    run: Run<Enclosing<T>>,
}

impl<T: Middles> Certified<T> {
    pub(super) fn new(tier: T, code: &Arc<Code>) -> Self {
        Self { run: Run::new(Enclosing(tier), code) }
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
    /// As [`Certified::vjp`].
    pub fn vjp_within(
        &mut self,
        x: &[Interval<T::End>],
        w: &[Interval<T::End>],
        budget: &Budget,
    ) -> Option<Vec<Interval<T::End>>> {
        self.check(x.len());
        let values = &mut self.run.values;
        // an input that is unbounded, or not certainly defined, has no ball
        let are_known = x.iter().enumerate().all(|(place, x)| values.put(place, x));
        are_known.then(|| self.sweep(w, || !budget.is_exhausted()))?
    }

    /// Like [`vjp`](Self::vjp), at finite doubles, which are exact.
    ///
    /// # Panics
    /// As [`Certified::vjp`].
    pub fn vjp_at(&mut self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<T::End>>> {
        let w: Vec<_> = w.iter().map(|w| Interval::point(self.run.carrier.0.exactly(*w))).collect();
        self.put_exactly(x)?;
        self.sweep(&w, || true)
    }

    /// Encloses the value at finite doubles. Returns `None` if the map is not certainly smooth nearby.
    ///
    /// # Panics
    /// If `x` has not n numbers.
    pub fn value_at(&mut self, x: &[f64]) -> Option<Vec<Interval<T::End>>> {
        self.put_exactly(x)?;
        self.forward(|| true)?;
        Some(self.run.code.outputs.iter().map(|place| self.run.values.get(*place as usize)).collect())
    }

    fn check(&self, inputs: usize) {
        assert_eq!(inputs, self.run.code.inputs, "the point has another number of components");
    }

    fn put_exactly(&mut self, x: &[f64]) -> Option<()> {
        self.check(x.len());
        x.iter().enumerate().all(|(place, x)| self.run.values.put_exactly(place, *x)).then_some(())
    }

    /// Computes the values. Returns `None` if the tape may have values outside the domain of the map.
    fn forward(&mut self, may_go_on: impl Fn() -> bool) -> Option<()> {
        self.run.code.exact.then(|| self.run.forward(may_go_on))?
    }

    /// Encloses `J(x)ᵗ·w`, with the inputs in place.
    fn sweep(&mut self, w: &[Interval<T::End>], may_go_on: impl Fn() -> bool) -> Option<Vec<Interval<T::End>>> {
        let code = self.run.code.clone();
        assert_eq!(w.len(), code.outputs.len(), "the cotangent has another number of components");
        self.forward(&may_go_on)?;
        self.run.sweep(code.outputs.iter().copied().zip(w.iter().cloned()), may_go_on)?;
        let (inputs, cotangents) = (0..code.inputs, &self.run.cotangents);
        // a sum checks its own cotangent only; those of the inputs are checked here
        let are_known = inputs.clone().all(|place| cotangents.is_known(place));
        are_known.then(|| inputs.map(|place| cotangents.get(place)).collect())
    }
}

/// Arithmetic of enclosures that succeeds only if everything is defined, bounded, smooth and decided.
#[derive(Clone, Debug)]
struct Enclosing<T>(T);

impl<T: Middles> Enclosing<T> {
    /// Returns `true` for a certainly positive number, `false` for a certainly negative one. Returns `None` if
    /// undecided.
    fn side(&self, number: &Interval<T::End>) -> Option<bool> {
        match self.0.sign(number) {
            Sign::Positive => Some(true),
            Sign::Negative => Some(false),
            Sign::Undecided => None,
        }
    }
}

impl<T: Middles> Carrier for Enclosing<T> {
    type Number = Interval<T::End>;
    type Memory = Balls<T>;

    fn memory(&self, count: usize) -> Balls<T> {
        Balls::new(self.0.clone(), count)
    }

    fn clear(&self, memory: &mut Balls<T>) {
        memory.clear();
    }

    #[inline]
    fn get(&self, memory: &Balls<T>, place: usize) -> Self::Number {
        memory.get(place)
    }

    #[inline]
    fn put(&self, memory: &mut Balls<T>, place: usize, x: &Self::Number) -> bool {
        memory.put(place, x)
    }

    fn add_to(&self, memory: &mut Balls<T>, place: usize, x: &Self::Number) -> bool {
        // the first summand is stored as it is: no rounding error is added
        if memory.is_zero(place) {
            return memory.put(place, x);
        }
        let sum = self.add(&memory.get(place), x);
        memory.put(place, &sum)
    }

    #[inline]
    fn is_zero(&self, memory: &Balls<T>, place: usize) -> bool {
        memory.is_zero(place)
    }

    fn put_sum(&self, memory: &mut Balls<T>, place: usize, terms: &[Place], products: &Products) -> bool {
        memory.put_sum(place, terms, products.factors());
        // a sum is rejected when it loses its bounds
        memory.is_known(place)
    }

    fn pull_sum(
        &self,
        cotangents: &mut Balls<T>,
        values: &Balls<T>,
        place: usize,
        terms: &[Place],
        products: &Products,
        is_fixed: impl Fn(Place) -> bool,
    ) -> bool {
        let w = cotangents.ball(place);
        terms.iter().filter(|term| !is_fixed(**term)).for_each(|term| cotangents.add(*term as usize, &w));
        match products {
            Products::Rows(x, y, count) => {
                for (to, from) in [(*x, *y), (*y, *x)].into_iter().filter(|(to, _)| !is_fixed(*to)) {
                    cotangents.add_multiple(to as usize, &w, values, from as usize, *count as usize);
                }
            }
            Products::Pairs(pairs) => {
                let both = pairs.iter().flat_map(|&(x, y)| [(x, y), (y, x)]);
                cotangents.add_multiples(&w, values, both.filter(|(to, _)| !is_fixed(*to)));
            }
        }
        cotangents.is_known(place)
    }

    fn constant(&self, constant: &Constant) -> Self::Number {
        constant.at(&self.0)
    }

    fn fraction(&self, p: i64, q: u32) -> Self::Number {
        self.0.divide(&self.0.integer(p), q.into())
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

    /// Requires a base without 0, where powers are not smooth, except for natural exponents.
    fn power(&self, a: &Self::Number, e: Exponent) -> Option<Self::Number> {
        let tier = &self.0;
        if (e.denominator > 1 || e.numerator < 0) && tier.contains_zero(a) {
            return None;
        }
        // away from 0 an odd root of a negative number is smooth as well
        let root = if e.denominator > 1 { tier.root(a, e.denominator) } else { a.clone() };
        let power = Context::power(tier, &root, u32::try_from(e.numerator.unsigned_abs()).ok()?);
        Some(if e.numerator < 0 { tier.div(&tier.integer(1), &power) } else { power })
    }

    /// Requires an argument inside the domain; for an odd root, one without 0.
    fn function(&self, f: Function, a: &Self::Number) -> Option<Self::Number> {
        // an argument at a domain boundary has no neighbourhood in the domain
        let is_smooth = !self.0.meets_edge(f, a) && (f.is_smooth() || !self.0.contains_zero(a));
        is_smooth.then(|| self.0.function(f, a))
    }

    fn planar(&self, f: Planar, a: &Self::Number, b: &Self::Number) -> Option<Self::Number> {
        self.0.is_smooth(f, a, b).then(|| Context::planar(&self.0, f, a, b))
    }

    fn signum(&self, a: &Self::Number) -> Option<Self::Number> {
        Some(self.0.integer(if self.side(a)? { 1 } else { -1 }))
    }

    fn is_positive(&self, a: &Self::Number) -> Option<bool> {
        self.side(a)
    }

    fn first_wins(&self, kink: Kink, a: &Self::Number, b: &Self::Number) -> Option<bool> {
        match kink {
            // strictly greater: at a tie the chain rule does not hold as it stands
            Kink::Maximum => self.side(&self.0.sub(a, b)),
            Kink::Minimum => self.side(&self.0.sub(b, a)),
            Kink::Abs | Kink::Signum => self.side(a),
        }
    }
}
