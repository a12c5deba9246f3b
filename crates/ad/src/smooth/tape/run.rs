//! Execution of a tape: forward for the values, and a reverse sweep for the gradient.

use super::carrier::TapeArithmetic;
use super::{CellIndex, KinkOperation, TapeCode, TapeOperation};
use crate::smooth::graph::{Binary, Unary};
use std::sync::Arc;

/// The number of operations between two checks of the budget. A choice: a check is cheap, but not free.
const CHECK_STRIDE: usize = 16;

/// The memory of a tape in one arithmetic.
#[derive(Clone, Debug)]
pub(super) struct TapeRun<C: TapeArithmetic> {
    pub(super) carrier: C,
    pub(super) code: Arc<TapeCode>,
    pub(super) values: C::Memory,
    pub(super) cotangents: C::Memory,
    /// `true` if the memory could store the constants of the map.
    pub(super) has_constants: bool,
}

impl<C: TapeArithmetic> TapeRun<C> {
    pub(super) fn new(carrier: C, code: &Arc<TapeCode>) -> Self {
        let mut values = carrier.new_memory(code.places);
        let mut has_constants = true;
        for (place, constant) in (code.inputs..).zip(&code.constants) {
            has_constants &= carrier.store_at(&mut values, place, &carrier.convert_constant(constant));
        }
        let cotangents = carrier.new_memory(code.places);
        Self { carrier, code: code.clone(), values, cotangents, has_constants }
    }

    fn value_at(&self, place: CellIndex) -> C::Number {
        self.carrier.get(&self.values, place as usize)
    }

    /// Computes the values, with the inputs in place. Returns `None` if an operation fails, or the run is stopped.
    pub(super) fn run_forward(&mut self, may_go_on: impl Fn() -> bool) -> Option<()> {
        self.has_constants.then_some(())?;
        let code = self.code.clone();
        for (index, (operation, out)) in code.operations.iter().enumerate() {
            (index % CHECK_STRIDE != 0 || may_go_on()).then_some(())?;
            let out = *out as usize;
            let known = match *operation {
                TapeOperation::Sum(number) => {
                    let sum = &code.sums[number as usize];
                    self.carrier.store_sum(&mut self.values, out, &sum.terms, &sum.products)
                }
                // by value: the result is stored after the operands were read
                operation => {
                    let value = self.apply_operation(operation)?;
                    self.carrier.store_at(&mut self.values, out, &value)
                }
            };
            known.then_some(())?;
        }
        Some(())
    }

    #[inline]
    fn apply_operation(&self, operation: TapeOperation) -> Option<C::Number> {
        let (carrier, at) = (&self.carrier, |place| self.value_at(place));
        Some(match operation {
            TapeOperation::Unary(Unary::Negate, x) => carrier.negate(&at(x)),
            TapeOperation::Unary(Unary::Abs, x) => {
                let x = at(x);
                if carrier.first_wins(KinkOperation::Abs, &x, &x)? { x } else { carrier.negate(&x) }
            }
            TapeOperation::Unary(Unary::Signum, x) => carrier.signum(&at(x))?,
            TapeOperation::Unary(Unary::Function(f), x) => carrier.apply_function(f, &at(x))?,
            TapeOperation::Binary(f, x, y) => match f {
                Binary::Add => carrier.add(&at(x), &at(y)),
                Binary::Subtract => carrier.subtract(&at(x), &at(y)),
                Binary::Multiply if x == y => carrier.square(&at(x)),
                Binary::Multiply => carrier.multiply(&at(x), &at(y)),
                Binary::Divide => carrier.divide(&at(x), &at(y)),
                Binary::Maximum => at(self.winning_cell(KinkOperation::Maximum, x, y)?),
                Binary::Minimum => at(self.winning_cell(KinkOperation::Minimum, x, y)?),
                Binary::Planar(f) => carrier.apply_binary(f, &at(x), &at(y))?,
            },
            TapeOperation::Power(x, e) => carrier.rational_power(&at(x), e)?,
            TapeOperation::Slope(kink, x, along) => {
                let slopes = carrier.kink_slopes(kink, &at(x[0]), &at(x[1]))?;
                let [a, b] = slopes.map(|slope| carrier.convert_fraction(slope, 1));
                carrier.add(&carrier.multiply(&a, &at(along[0])), &carrier.multiply(&b, &at(along[1])))
            }
            TapeOperation::Select(guard, then, otherwise) => {
                at(if carrier.is_positive(&at(guard))? { then } else { otherwise })
            }
            TapeOperation::Sum(_) => return None,
        })
    }

    fn winning_cell(&self, kink: KinkOperation, x: CellIndex, y: CellIndex) -> Option<CellIndex> {
        Some(if self.carrier.first_wins(kink, &self.value_at(x), &self.value_at(y))? { x } else { y })
    }

    /// Computes the cotangents of the inputs from those of some cells, after the values. Returns `None` if an operation
    /// fails, or the run is stopped.
    pub(super) fn sweep_back(
        &mut self,
        seeds: impl IntoIterator<Item = (CellIndex, C::Number)>,
        may_go_on: impl Fn() -> bool,
    ) -> Option<()> {
        self.carrier.clear(&mut self.cotangents);
        for (place, seed) in seeds {
            self.add_cotangent(place, &seed)?;
        }
        let code = self.code.clone();
        // cotangents that are 0 are skipped, so a branch that is not taken contributes nothing, not even 0·∞
        for (index, (operation, out)) in code.operations.iter().enumerate().rev() {
            (index % CHECK_STRIDE != 0 || may_go_on()).then_some(())?;
            if self.carrier.is_zero(&self.cotangents, *out as usize) {
                continue;
            }
            match *operation {
                TapeOperation::Sum(number) => {
                    let (sum, out) = (&code.sums[number as usize], *out as usize);
                    let Self { carrier, values, cotangents, .. } = self;
                    let is_fixed = |place| code.is_constant(place);
                    carrier.pull_back_sum(cotangents, values, out, &sum.terms, &sum.products, is_fixed).then_some(())?;
                }
                operation => {
                    let w = self.carrier.get(&self.cotangents, *out as usize);
                    self.pull_back(operation, *out, &w)?;
                }
            }
        }
        Some(())
    }

    /// Adds to the cotangent of a cell. Does nothing if the cell is a constant.
    fn add_cotangent(&mut self, place: CellIndex, cotangent: &C::Number) -> Option<()> {
        let is_fixed = self.code.is_constant(place);
        (is_fixed || self.carrier.add_to(&mut self.cotangents, place as usize, cotangent)).then_some(())
    }

    /// Adds the cotangent w of an operation, times the partial derivatives, to its operands.
    #[inline]
    fn pull_back(&mut self, operation: TapeOperation, out: CellIndex, w: &C::Number) -> Option<()> {
        match operation {
            TapeOperation::Unary(Unary::Signum, _) | TapeOperation::Sum(_) => Some(()),
            TapeOperation::Unary(Unary::Negate, x) => self.add_cotangent(x, &self.carrier.negate(w)),
            TapeOperation::Unary(Unary::Abs, x) => self.add_kink_cotangents(KinkOperation::Abs, [x, x], [x, x], w),
            TapeOperation::Unary(Unary::Function(f), x) => {
                let slope =
                    self.carrier.evaluate_formula(&f.slope_formula(), &[self.value_at(x)], &self.value_at(out))?;
                self.add_cotangent(x, &self.carrier.multiply(w, &slope))
            }
            TapeOperation::Binary(f, x, y) => self.pull_back_binary(f, [x, y], out, w),
            TapeOperation::Power(_, e) if e.numerator == 0 => Some(()),
            TapeOperation::Power(x, e) => {
                let slope = self.carrier.power_slope(&self.value_at(x), &self.value_at(out), e)?;
                self.add_cotangent(x, &self.carrier.multiply(w, &slope))
            }
            TapeOperation::Slope(kink, x, along) => self.add_kink_cotangents(kink, x, along, w),
            TapeOperation::Select(guard, then, otherwise) => {
                let side = self.carrier.is_positive(&self.value_at(guard))?;
                self.add_cotangent(if side { then } else { otherwise }, w)
            }
        }
    }

    /// Adds w times the partial derivatives of an operation with a kink.
    fn add_kink_cotangents(
        &mut self,
        kink: KinkOperation,
        x: [CellIndex; 2],
        to: [CellIndex; 2],
        w: &C::Number,
    ) -> Option<()> {
        let slopes = self.carrier.kink_slopes(kink, &self.value_at(x[0]), &self.value_at(x[1]))?;
        for (place, slope) in to.into_iter().zip(slopes) {
            match slope {
                0 => {}
                1 => self.add_cotangent(place, w)?,
                _ => self.add_cotangent(place, &self.carrier.negate(w))?,
            }
        }
        Some(())
    }

    #[inline]
    fn pull_back_binary(&mut self, f: Binary, [x, y]: [CellIndex; 2], out: CellIndex, w: &C::Number) -> Option<()> {
        let carrier = &self.carrier;
        let [first, second] = match f {
            Binary::Add => [w.clone(), w.clone()],
            Binary::Subtract => [w.clone(), carrier.negate(w)],
            Binary::Multiply => [carrier.multiply(w, &self.value_at(y)), carrier.multiply(w, &self.value_at(x))],
            // the quotient is the value in `out`: ∂(a/b)/∂b = -(a/b)/b
            Binary::Divide => {
                let quotient = carrier.divide(w, &self.value_at(y));
                let second = carrier.negate(&carrier.multiply(&quotient, &self.value_at(out)));
                [quotient, second]
            }
            Binary::Maximum => return self.add_cotangent(self.winning_cell(KinkOperation::Maximum, x, y)?, w),
            Binary::Minimum => return self.add_cotangent(self.winning_cell(KinkOperation::Minimum, x, y)?, w),
            Binary::Planar(f) => {
                let (at, value, [first, second]) =
                    ([self.value_at(x), self.value_at(y)], self.value_at(out), f.slope_formulas());
                let slope = |slope| Some(carrier.multiply(w, &carrier.evaluate_formula(slope, &at, &value)?));
                [slope(first)?, slope(second)?]
            }
        };
        self.add_cotangent(x, &first)?;
        self.add_cotangent(y, &second)
    }
}
