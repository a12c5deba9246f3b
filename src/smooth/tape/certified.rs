//! Enclosures of values and gradients by a tape: one run forward, one sweep back.
//!
//! This is for maps that are smooth near the point, and where that is seen at once: every operation is certainly defined at
//! its arguments and beside them, every kink, jump and choice is decided. There the chain rule holds as it stands, and the
//! sweep encloses the gradient. Everywhere else the tape has no answer ([`None`]), and the
//! [adjoint](crate::smooth::graph::Graph::reverse) as a graph has one: at kinks, at edges of domains, with solvers.
//!
//! Sums of products run in [balls](crate::number::balls), all else in intervals.

use super::{Code, Kink, Operation, Place, Products};
use crate::function::{Formula, Function, Step};
use crate::number::balls::{Balls, Middles};
use crate::number::context::{Context, Sign};
use crate::number::interval::Interval;
use crate::smooth::graph::{Binary, Exponent, Unary};
use std::sync::Arc;

/// A tape over enclosures of one tier.
#[derive(Clone, Debug)]
pub struct Certified<T: Middles> {
    tier: T,
    code: Arc<Code>,
    /// Whether the constants of the map have a bound in the tier, and the code is defined only where the map is.
    usable: bool,
    values: Balls<T>,
    cotangents: Balls<T>,
}

impl<T: Middles> Certified<T> {
    pub(super) fn new(tier: T, code: &Arc<Code>) -> Self {
        let mut values = Balls::new(tier.clone(), code.places);
        let mut usable = code.exact;
        for (place, constant) in (code.inputs..).zip(&code.constants) {
            usable &= values.put(place, &constant.at(&tier));
        }
        let cotangents = Balls::new(tier.clone(), code.places);
        Self { tier, code: code.clone(), usable, values, cotangents }
    }

    /// Enclosures of `J(x)ᵗ·w` for x in a box in ℝⁿ and w in one in ℝᵐ, or `None` where the map is not seen to be smooth
    /// nearby.
    ///
    /// # Panics
    /// Where x has not n numbers, or w not m.
    pub fn vjp(&mut self, x: &[Interval<T::End>], w: &[Interval<T::End>]) -> Option<Vec<Interval<T::End>>> {
        assert_eq!(x.len(), self.code.inputs, "the point has another number of components");
        x.iter().enumerate().all(|(place, x)| self.values.put(place, x)).then(|| self.sweep(w))?
    }

    /// The same at finite doubles, for which there is nothing to be rounded.
    ///
    /// # Panics
    /// As [`Certified::vjp`].
    pub fn vjp_at(&mut self, x: &[f64], w: &[f64]) -> Option<Vec<Interval<T::End>>> {
        assert_eq!(x.len(), self.code.inputs, "the point has another number of components");
        let exactly = |x: &f64| Interval::point(self.tier.exactly(*x));
        let w: Vec<_> = w.iter().map(exactly).collect();
        x.iter().enumerate().for_each(|(place, x)| self.values.put_exactly(place, *x));
        self.sweep(&w)
    }

    /// Enclosures of the value at finite doubles, or `None` where the map is not seen to be smooth nearby.
    ///
    /// # Panics
    /// Where x has not n numbers.
    pub fn value_at(&mut self, x: &[f64]) -> Option<Vec<Interval<T::End>>> {
        assert_eq!(x.len(), self.code.inputs, "the point has another number of components");
        x.iter().enumerate().for_each(|(place, x)| self.values.put_exactly(place, *x));
        self.forward()?;
        Some(self.code.outputs.iter().map(|place| self.at(*place)).collect())
    }

    /// `J(x)ᵗ·w` where the inputs are in place.
    fn sweep(&mut self, w: &[Interval<T::End>]) -> Option<Vec<Interval<T::End>>> {
        let code = self.code.clone();
        assert_eq!(w.len(), code.outputs.len(), "the cotangent has another number of components");
        self.forward()?;
        self.cotangents.clear();
        for (w, place) in w.iter().zip(&code.outputs) {
            self.hand(*place, w)?;
        }
        self.backward()?;
        let inputs = 0..code.inputs;
        let are_known = inputs.clone().all(|place| self.cotangents.is_known(place));
        are_known.then(|| inputs.map(|place| self.cotangents.get(place)).collect())
    }

    fn at(&self, place: Place) -> Interval<T::End> {
        self.values.get(place as usize)
    }

    fn forward(&mut self) -> Option<()> {
        self.usable.then_some(())?;
        let code = self.code.clone();
        for (operation, out) in &code.operations {
            let out = *out as usize;
            let known = match *operation {
                Operation::Sum(number) => {
                    let sum = &code.sums[number as usize];
                    self.values.put_sum(out, &sum.terms, sum.products.factors());
                    self.values.is_known(out)
                }
                operation => {
                    let value = self.operation(operation)?;
                    self.values.put(out, &value)
                }
            };
            known.then_some(())?;
        }
        Some(())
    }

    /// Which side a number is on, if that is certain: whether it is positive.
    fn side(&self, number: &Interval<T::End>) -> Option<bool> {
        match self.tier.sign(number) {
            Sign::Positive => Some(true),
            Sign::Negative => Some(false),
            Sign::Undecided => None,
        }
    }

    /// Whether the first of two places wins a max, or the second a min.
    fn is_greater(&self, x: Place, y: Place) -> Option<bool> {
        self.side(&self.tier.sub(&self.at(x), &self.at(y)))
    }

    /// The value of an operation that is smooth near its arguments.
    fn operation(&self, operation: Operation) -> Option<Interval<T::End>> {
        let (tier, at) = (&self.tier, |place| self.at(place));
        Some(match operation {
            Operation::Unary(Unary::Negate, x) => tier.neg(&at(x)),
            Operation::Unary(Unary::Abs, x) => match self.side(&at(x))? {
                true => at(x),
                false => tier.neg(&at(x)),
            },
            Operation::Unary(Unary::Signum, x) => tier.integer(if self.side(&at(x))? { 1 } else { -1 }),
            Operation::Unary(Unary::Function(f), x) => {
                let x = at(x);
                (!tier.meets_edge(f, &x)).then(|| tier.function(f, &x))?
            }
            Operation::Binary(f, x, y) => match f {
                Binary::Add => tier.add(&at(x), &at(y)),
                Binary::Subtract => tier.sub(&at(x), &at(y)),
                Binary::Multiply if x == y => tier.square(&at(x)),
                Binary::Multiply => tier.mul(&at(x), &at(y)),
                Binary::Divide => tier.div(&at(x), &at(y)),
                Binary::Maximum => at(if self.is_greater(x, y)? { x } else { y }),
                Binary::Minimum => at(if self.is_greater(x, y)? { y } else { x }),
                Binary::Planar(f) => {
                    let (x, y) = (at(x), at(y));
                    tier.is_smooth(f, &x, &y).then(|| Context::planar(tier, f, &x, &y))?
                }
            },
            Operation::Power(x, e) => self.power(&at(x), e)?,
            Operation::Slope(kink, x, along) => {
                let [a, b] = self.slopes(kink, x)?;
                let [v, w] = along.map(at);
                tier.add(&tier.scale(&v, a), &tier.scale(&w, b))
            }
            Operation::Select(guard, then, otherwise) => at(if self.side(&at(guard))? { then } else { otherwise }),
            Operation::Sum(_) => return None,
        })
    }

    /// x^(p/q), where that is smooth nearby.
    fn power(&self, x: &Interval<T::End>, e: Exponent) -> Option<Interval<T::End>> {
        let tier = &self.tier;
        if (e.denominator > 1 || e.numerator < 0) && tier.contains_zero(x) {
            return None;
        }
        let root = if e.denominator > 1 { tier.root(x, e.denominator) } else { x.clone() };
        let power = tier.power(&root, u32::try_from(e.numerator.unsigned_abs()).ok()?);
        Some(if e.numerator < 0 { tier.div(&tier.integer(1), &power) } else { power })
    }

    /// The partial derivatives of an operation with a kink, where they are certain.
    fn slopes(&self, kink: Kink, [x, y]: [Place; 2]) -> Option<[i64; 2]> {
        let first = |wins: bool| if wins { [1, 0] } else { [0, 1] };
        Some(match kink {
            Kink::Maximum => first(self.is_greater(x, y)?),
            Kink::Minimum => first(!self.is_greater(x, y)?),
            Kink::Abs => [if self.side(&self.at(x))? { 1 } else { -1 }, 0],
            Kink::Signum => self.side(&self.at(x)).map(|_| [0, 0])?,
        })
    }

    /// Adds to a cotangent; nothing where the number is a constant of the tape.
    fn hand(&mut self, place: Place, cotangent: &Interval<T::End>) -> Option<()> {
        if self.code.is_constant(place) {
            return Some(());
        }
        let place = place as usize;
        if self.cotangents.is_zero(place) {
            return self.cotangents.put(place, cotangent).then_some(());
        }
        let sum = self.tier.add(&self.cotangents.get(place), cotangent);
        self.cotangents.put(place, &sum).then_some(())
    }

    fn backward(&mut self) -> Option<()> {
        let code = self.code.clone();
        for (operation, out) in code.operations.iter().rev() {
            let out = *out as usize;
            if self.cotangents.is_zero(out) {
                continue;
            }
            self.cotangents.is_known(out).then_some(())?;
            match *operation {
                Operation::Sum(number) => self.pull_sum(&code, number, out),
                operation => {
                    let w = self.cotangents.get(out);
                    self.pull(operation, out as Place, &w)?;
                }
            }
        }
        Some(())
    }

    fn pull_sum(&mut self, code: &Code, number: u32, out: usize) {
        let sum = &code.sums[number as usize];
        let w = self.cotangents.ball(out);
        for term in sum.terms.iter().filter(|term| !code.is_constant(**term)) {
            self.cotangents.add(*term as usize, &w);
        }
        match &sum.products {
            Products::Rows(x, y, count) => {
                for (to, from) in [(*x, *y), (*y, *x)].into_iter().filter(|(to, _)| !code.is_constant(*to)) {
                    self.cotangents.add_multiple(to as usize, &w, &self.values, from as usize, *count as usize);
                }
            }
            Products::Pairs(pairs) => {
                let both = pairs.iter().flat_map(|&(x, y)| [(x, y), (y, x)]);
                self.cotangents.add_multiples(&w, &self.values, both.filter(|(to, _)| !code.is_constant(*to)));
            }
        }
    }

    /// Hands the cotangent w of an operation on to what it is computed from.
    fn pull(&mut self, operation: Operation, out: Place, w: &Interval<T::End>) -> Option<()> {
        let tier = self.tier.clone();
        let minus = || tier.neg(w);
        match operation {
            Operation::Unary(Unary::Negate, x) => self.hand(x, &minus()),
            Operation::Unary(Unary::Abs, x) => {
                let [slope, _] = self.slopes(Kink::Abs, [x, x])?;
                self.hand(x, &tier.scale(w, slope))
            }
            Operation::Unary(Unary::Signum, _) | Operation::Sum(_) => Some(()),
            Operation::Unary(Unary::Function(f), x) => {
                let slope = self.formula(f.slope(), &[x], out);
                self.hand(x, &tier.mul(w, &slope))
            }
            Operation::Binary(f, x, y) => self.pull_binary(f, [x, y], out, w),
            Operation::Power(_, e) if e.numerator == 0 => Some(()),
            Operation::Power(x, e) => {
                let less = Exponent { numerator: e.numerator - i64::from(e.denominator), ..e };
                let slope = tier.scale(&self.power(&self.at(x), less)?, e.numerator);
                self.hand(x, &tier.mul(w, &tier.divide(&slope, u64::from(e.denominator))))
            }
            Operation::Slope(kink, x, along) => {
                let slopes = self.slopes(kink, x)?;
                for (place, slope) in along.into_iter().zip(slopes).filter(|(_, slope)| *slope != 0) {
                    self.hand(place, &tier.scale(w, slope))?;
                }
                Some(())
            }
            Operation::Select(guard, then, otherwise) => {
                let side = self.side(&self.at(guard))?;
                self.hand(if side { then } else { otherwise }, w)
            }
        }
    }

    fn pull_binary(&mut self, f: Binary, [x, y]: [Place; 2], out: Place, w: &Interval<T::End>) -> Option<()> {
        let tier = self.tier.clone();
        let [first, second] = match f {
            Binary::Add => [w.clone(), w.clone()],
            Binary::Subtract => [w.clone(), tier.neg(w)],
            Binary::Multiply => [tier.mul(w, &self.at(y)), tier.mul(w, &self.at(x))],
            Binary::Divide => {
                let quotient = tier.div(w, &self.at(y));
                let second = tier.neg(&tier.mul(&quotient, &self.at(out)));
                [quotient, second]
            }
            Binary::Maximum => return self.hand(if self.is_greater(x, y)? { x } else { y }, w),
            Binary::Minimum => return self.hand(if self.is_greater(x, y)? { y } else { x }, w),
            Binary::Planar(f) => f.slopes().map(|slope| tier.mul(w, &self.formula(&slope, &[x, y], out))),
        };
        self.hand(x, &first)?;
        self.hand(y, &second)
    }

    /// A slope at places, where the function whose slope it is has its value at another.
    fn formula(&self, formula: &Formula, x: &[Place], y: Place) -> Interval<T::End> {
        let tier = &self.tier;
        formula.evaluate(&mut |step: Step<Interval<T::End>>| match step {
            Step::Argument(index) => self.at(x[index]),
            Step::Y => self.at(y),
            Step::Number(p, q) => tier.divide(&tier.integer(p.into()), q.into()),
            Step::Pi => tier.pi(),
            Step::Negate(a) => tier.neg(&a),
            Step::Add(a, b) => tier.add(&a, &b),
            Step::Subtract(a, b) => tier.sub(&a, &b),
            Step::Multiply(a, b) => tier.mul(&a, &b),
            Step::Divide(a, b) => tier.div(&a, &b),
            Step::Square(a) => tier.square(&a),
            Step::Inverse(a) => tier.div(&tier.integer(1), &a),
            Step::InverseRoot(a) => tier.div(&tier.integer(1), &tier.function(Function::Sqrt, &a)),
            Step::Of(f, a) => tier.function(f, &a),
        })
    }
}
