//! Enclosures of values and gradients by a tape: one run forward, one sweep back.
//!
//! This is for maps that are smooth near the point, and where that is seen at once: every operation is certainly defined at
//! its arguments and beside them, every kink, jump and choice is decided. There the chain rule holds as it stands, and the
//! sweep encloses the gradient. Everywhere else the tape has no answer ([`None`]), and the
//! [adjoint](crate::smooth::graph::Graph::reverse) as a graph has one: at kinks, at edges of domains, with solvers.
//!
//! Sums of products run in [balls](crate::number::balls), all else in intervals.

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

/// A tape over enclosures of one tier.
#[derive(Clone, Debug)]
pub struct Certified<T: Middles> {
    run: Run<Enclosing<T>>,
}

impl<T: Middles> Certified<T> {
    pub(super) fn new(tier: T, code: &Arc<Code>) -> Self {
        Self { run: Run::new(Enclosing(tier), code) }
    }

    /// Enclosures of `J(x)ᵗ·w` for x in a box in ℝⁿ and w in one in ℝᵐ, or `None` where the map is not seen to be smooth
    /// nearby.
    ///
    /// # Panics
    /// Where x has not n numbers, or w not m.
    pub fn vjp(&mut self, x: &[Interval<T::End>], w: &[Interval<T::End>]) -> Option<Vec<Interval<T::End>>> {
        self.vjp_within(x, w, &Budget::unlimited())
    }

    /// The same, or `None` where the budget is exhausted before it is done.
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
        let are_known = x.iter().enumerate().all(|(place, x)| values.put(place, x));
        are_known.then(|| self.sweep(w, || !budget.is_exhausted()))?
    }

    /// The same at finite doubles, for which there is nothing to be rounded.
    ///
    /// # Panics
    /// As [`Certified::vjp`].
    pub fn vjp_at(&mut self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<T::End>>> {
        let w: Vec<_> = w.iter().map(|w| Interval::point(self.run.carrier.0.exactly(*w))).collect();
        self.put_exactly(x)?;
        self.sweep(&w, || true)
    }

    /// Enclosures of the value at finite doubles, or `None` where the map is not seen to be smooth nearby.
    ///
    /// # Panics
    /// Where x has not n numbers.
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

    /// The values, where the code is defined only where the map is.
    fn forward(&mut self, may_go_on: impl Fn() -> bool) -> Option<()> {
        self.run.code.exact.then(|| self.run.forward(may_go_on))?
    }

    /// `J(x)ᵗ·w` where the inputs are in place.
    fn sweep(&mut self, w: &[Interval<T::End>], may_go_on: impl Fn() -> bool) -> Option<Vec<Interval<T::End>>> {
        let code = self.run.code.clone();
        assert_eq!(w.len(), code.outputs.len(), "the cotangent has another number of components");
        self.forward(&may_go_on)?;
        self.run.sweep(code.outputs.iter().copied().zip(w.iter().cloned()), may_go_on)?;
        let (inputs, cotangents) = (0..code.inputs, &self.run.cotangents);
        let are_known = inputs.clone().all(|place| cotangents.is_known(place));
        are_known.then(|| inputs.map(|place| cotangents.get(place)).collect())
    }
}

/// Enclosures, where everything is defined, bounded, smooth and decided.
#[derive(Clone, Debug)]
struct Enclosing<T>(T);

impl<T: Middles> Enclosing<T> {
    /// On which side of 0 a number is, if that is certain.
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

    /// Beside 0, where it is not smooth but for natural exponents.
    fn power(&self, a: &Self::Number, e: Exponent) -> Option<Self::Number> {
        let tier = &self.0;
        if (e.denominator > 1 || e.numerator < 0) && tier.contains_zero(a) {
            return None;
        }
        let root = if e.denominator > 1 { tier.root(a, e.denominator) } else { a.clone() };
        let power = Context::power(tier, &root, u32::try_from(e.numerator.unsigned_abs()).ok()?);
        Some(if e.numerator < 0 { tier.div(&tier.integer(1), &power) } else { power })
    }

    /// Inside of its domain, and for an odd root beside 0.
    fn function(&self, f: Function, a: &Self::Number) -> Option<Self::Number> {
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
            Kink::Maximum => self.side(&self.0.sub(a, b)),
            Kink::Minimum => self.side(&self.0.sub(b, a)),
            Kink::Abs | Kink::Signum => self.side(a),
        }
    }
}
