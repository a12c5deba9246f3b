//! Execution of a tape: forward for the values, and a reverse sweep for the gradient.

use super::carrier::Carrier;
use super::{Code, Kink, Operation, Place};
use crate::smooth::graph::{Binary, Unary};
use std::sync::Arc;

/// The number of operations between two checks of the budget. A choice: a check is cheap, but not free.
const STRIDE: usize = 16;

/// The memory of a tape in one arithmetic.
#[derive(Clone, Debug)]
pub(super) struct Run<C: Carrier> {
    pub(super) carrier: C,
    pub(super) code: Arc<Code>,
    pub(super) values: C::Memory,
    pub(super) cotangents: C::Memory,
    /// `true` if the memory could store the constants of the map.
    pub(super) has_constants: bool,
}

impl<C: Carrier> Run<C> {
    pub(super) fn new(carrier: C, code: &Arc<Code>) -> Self {
        let mut values = carrier.memory(code.places);
        let mut has_constants = true;
        for (place, constant) in (code.inputs..).zip(&code.constants) {
            has_constants &= carrier.put(&mut values, place, &carrier.constant(constant));
        }
        let cotangents = carrier.memory(code.places);
        Self { carrier, code: code.clone(), values, cotangents, has_constants }
    }

    fn at(&self, place: Place) -> C::Number {
        self.carrier.get(&self.values, place as usize)
    }

    /// Computes the values, with the inputs in place. Returns `None` if an operation fails, or the run is stopped.
    pub(super) fn forward(&mut self, may_go_on: impl Fn() -> bool) -> Option<()> {
        self.has_constants.then_some(())?;
        let code = self.code.clone();
        for (index, (operation, out)) in code.operations.iter().enumerate() {
            (index % STRIDE != 0 || may_go_on()).then_some(())?;
            let out = *out as usize;
            let known = match *operation {
                Operation::Sum(number) => {
                    let sum = &code.sums[number as usize];
                    self.carrier.put_sum(&mut self.values, out, &sum.terms, &sum.products)
                }
                // by value: the result is stored after the operands were read
                operation => {
                    let value = self.operation(operation)?;
                    self.carrier.put(&mut self.values, out, &value)
                }
            };
            known.then_some(())?;
        }
        Some(())
    }

    #[inline]
    fn operation(&self, operation: Operation) -> Option<C::Number> {
        let (carrier, at) = (&self.carrier, |place| self.at(place));
        Some(match operation {
            Operation::Unary(Unary::Negate, x) => carrier.negate(&at(x)),
            Operation::Unary(Unary::Abs, x) => {
                let x = at(x);
                if carrier.first_wins(Kink::Abs, &x, &x)? { x } else { carrier.negate(&x) }
            }
            Operation::Unary(Unary::Signum, x) => carrier.signum(&at(x))?,
            Operation::Unary(Unary::Function(f), x) => carrier.function(f, &at(x))?,
            Operation::Binary(f, x, y) => match f {
                Binary::Add => carrier.add(&at(x), &at(y)),
                Binary::Subtract => carrier.subtract(&at(x), &at(y)),
                Binary::Multiply if x == y => carrier.square(&at(x)),
                Binary::Multiply => carrier.multiply(&at(x), &at(y)),
                Binary::Divide => carrier.divide(&at(x), &at(y)),
                Binary::Maximum => at(self.winner(Kink::Maximum, x, y)?),
                Binary::Minimum => at(self.winner(Kink::Minimum, x, y)?),
                Binary::Planar(f) => carrier.planar(f, &at(x), &at(y))?,
            },
            Operation::Power(x, e) => carrier.power(&at(x), e)?,
            Operation::Slope(kink, x, along) => {
                let slopes = carrier.slopes(kink, &at(x[0]), &at(x[1]))?;
                let [a, b] = slopes.map(|slope| carrier.fraction(slope, 1));
                carrier.add(&carrier.multiply(&a, &at(along[0])), &carrier.multiply(&b, &at(along[1])))
            }
            Operation::Select(guard, then, otherwise) => {
                at(if carrier.is_positive(&at(guard))? { then } else { otherwise })
            }
            Operation::Sum(_) => return None,
        })
    }

    fn winner(&self, kink: Kink, x: Place, y: Place) -> Option<Place> {
        Some(if self.carrier.first_wins(kink, &self.at(x), &self.at(y))? { x } else { y })
    }

    /// Computes the cotangents of the inputs from those of some cells, after the values. Returns `None` if an operation
    /// fails, or the run is stopped.
    pub(super) fn sweep(
        &mut self,
        seeds: impl IntoIterator<Item = (Place, C::Number)>,
        may_go_on: impl Fn() -> bool,
    ) -> Option<()> {
        self.carrier.clear(&mut self.cotangents);
        for (place, seed) in seeds {
            self.hand(place, &seed)?;
        }
        let code = self.code.clone();
        // cotangents that are 0 are skipped, so a branch that is not taken contributes nothing, not even 0·∞
        for (index, (operation, out)) in code.operations.iter().enumerate().rev() {
            (index % STRIDE != 0 || may_go_on()).then_some(())?;
            if self.carrier.is_zero(&self.cotangents, *out as usize) {
                continue;
            }
            match *operation {
                Operation::Sum(number) => {
                    let (sum, out) = (&code.sums[number as usize], *out as usize);
                    let Self { carrier, values, cotangents, .. } = self;
                    let is_fixed = |place| code.is_constant(place);
                    carrier.pull_sum(cotangents, values, out, &sum.terms, &sum.products, is_fixed).then_some(())?;
                }
                operation => {
                    let w = self.carrier.get(&self.cotangents, *out as usize);
                    self.pull(operation, *out, &w)?;
                }
            }
        }
        Some(())
    }

    /// Adds to the cotangent of a cell. Does nothing if the cell is a constant.
    fn hand(&mut self, place: Place, cotangent: &C::Number) -> Option<()> {
        let is_fixed = self.code.is_constant(place);
        (is_fixed || self.carrier.add_to(&mut self.cotangents, place as usize, cotangent)).then_some(())
    }

    /// Adds the cotangent w of an operation, times the partial derivatives, to its operands.
    #[inline]
    fn pull(&mut self, operation: Operation, out: Place, w: &C::Number) -> Option<()> {
        match operation {
            Operation::Unary(Unary::Signum, _) | Operation::Sum(_) => Some(()),
            Operation::Unary(Unary::Negate, x) => self.hand(x, &self.carrier.negate(w)),
            Operation::Unary(Unary::Abs, x) => self.hand_slopes(Kink::Abs, [x, x], [x, x], w),
            Operation::Unary(Unary::Function(f), x) => {
                let slope = self.carrier.formula(&f.slope(), &[self.at(x)], &self.at(out))?;
                self.hand(x, &self.carrier.multiply(w, &slope))
            }
            Operation::Binary(f, x, y) => self.pull_binary(f, [x, y], out, w),
            Operation::Power(_, e) if e.numerator == 0 => Some(()),
            Operation::Power(x, e) => {
                let slope = self.carrier.power_slope(&self.at(x), &self.at(out), e)?;
                self.hand(x, &self.carrier.multiply(w, &slope))
            }
            Operation::Slope(kink, x, along) => self.hand_slopes(kink, x, along, w),
            Operation::Select(guard, then, otherwise) => {
                let side = self.carrier.is_positive(&self.at(guard))?;
                self.hand(if side { then } else { otherwise }, w)
            }
        }
    }

    /// Adds w times the partial derivatives of an operation with a kink.
    fn hand_slopes(&mut self, kink: Kink, x: [Place; 2], to: [Place; 2], w: &C::Number) -> Option<()> {
        let slopes = self.carrier.slopes(kink, &self.at(x[0]), &self.at(x[1]))?;
        for (place, slope) in to.into_iter().zip(slopes) {
            match slope {
                0 => {}
                1 => self.hand(place, w)?,
                _ => self.hand(place, &self.carrier.negate(w))?,
            }
        }
        Some(())
    }

    #[inline]
    fn pull_binary(&mut self, f: Binary, [x, y]: [Place; 2], out: Place, w: &C::Number) -> Option<()> {
        let carrier = &self.carrier;
        let [first, second] = match f {
            Binary::Add => [w.clone(), w.clone()],
            Binary::Subtract => [w.clone(), carrier.negate(w)],
            Binary::Multiply => [carrier.multiply(w, &self.at(y)), carrier.multiply(w, &self.at(x))],
            // the quotient is the value in `out`: ∂(a/b)/∂b = -(a/b)/b
            Binary::Divide => {
                let quotient = carrier.divide(w, &self.at(y));
                let second = carrier.negate(&carrier.multiply(&quotient, &self.at(out)));
                [quotient, second]
            }
            Binary::Maximum => return self.hand(self.winner(Kink::Maximum, x, y)?, w),
            Binary::Minimum => return self.hand(self.winner(Kink::Minimum, x, y)?, w),
            Binary::Planar(f) => {
                let (at, value, [first, second]) = ([self.at(x), self.at(y)], self.at(out), f.slopes());
                let slope = |slope| Some(carrier.multiply(w, &carrier.formula(slope, &at, &value)?));
                [slope(first)?, slope(second)?]
            }
        };
        self.hand(x, &first)?;
        self.hand(y, &second)
    }
}
