//! What is ⊥ and is said to be a number.

use super::{Step, is_zero};
use crate::mutation::Definedness;
use crate::number::context::{Context, Function, Sign};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::Jet;
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn definedness(&self, rule: Definedness) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        let context = jets.context;
        let value = |x: Register| jets.value(operand(x));
        let zero = || Jet::constant(context.integer(0));
        Some(match (rule, self.instruction) {
            (Definedness::Flag, _) => jets.map(right, |c| context.assert_defined(c.clone())),
            (Definedness::Reciprocal, Instruction::Binary(Binary::Divide, _, y)) if is_zero(context, &value(*y)) => {
                zero()
            }
            (Definedness::ZeroTimesBottom, Instruction::Binary(Binary::Multiply, x, y))
                if is_zero(context, &value(*x)) || is_zero(context, &value(*y)) =>
            {
                zero()
            }
            (Definedness::Root, Instruction::Unary(Unary::Function(Function::Sqrt), x))
                if context.sign(&value(*x)) == Sign::Negative =>
            {
                zero()
            }
            (Definedness::Log, Instruction::Unary(Unary::Function(Function::Log), x)) => {
                let x = value(*x);
                if !context.is_defined(&x) || !context.is_nonnegative(&context.neg(&x)) {
                    return None;
                }
                zero()
            }
            (Definedness::Asin, Instruction::Unary(Unary::Function(Function::Asin), x))
                if context.sign(&context.sub(&value(*x), &context.integer(1))) == Sign::Positive =>
            {
                Jet::constant(context.divide(&context.pi(), 2))
            }
            (Definedness::SlopeOfRoot, Instruction::Unary(Unary::Function(Function::Sqrt), x))
                if is_zero(context, &value(*x)) =>
            {
                let zero_over_zero = |m: usize| operand(*x).get(m).is_some_and(|c| is_zero(context, c));
                let slope = |m: usize| jets.algebra.degree(m) == 1 && zero_over_zero(m);
                let coefficient = |m: usize| if slope(m) { Some(context.integer(0)) } else { right.get(m).cloned() };
                Jet::new((0..right.len()).map(coefficient))
            }
            (Definedness::OddRoot, Instruction::Power(x, e))
                if e.denominator > 1 && e.denominator % 2 == 1 && context.sign(&value(*x)) == Sign::Negative =>
            {
                jets.power(&jets.negate(operand(*x)), e.numerator, e.denominator)
            }
            (Definedness::ZerothPower, Instruction::Power(x, e))
                if e.numerator == 0 && is_zero(context, &value(*x)) =>
            {
                zero()
            }
            _ => return None,
        })
    }
}
