//! Operations with another derivative.

use super::{Step, moving, still};
use crate::mutation::Derivative;
use crate::number::context::{Context, Function};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn derivative(&self, rule: Derivative) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        let backwards = |a: &Jet<C::Num>| jets.subtract(&still(jets, a), &moving(jets, a));
        Some(match *self.instruction {
            Instruction::Unary(Unary::Function(f), x) => {
                let slope = slope(jets, rule, f, operand(x), right)?;
                jets.antiderivative(operand(x), &slope, jets.value(right))
            }
            Instruction::Unary(f, x) => match (rule, f) {
                (Derivative::Negate, Unary::Negate) | (Derivative::Signum, Unary::Signum) => operand(x).clone(),
                (Derivative::Abs, Unary::Abs) if self.branch != Branch::Undecided => operand(x).clone(),
                _ => return None,
            },
            Instruction::Binary(f, x, y) => {
                let (a, b) = (operand(x), operand(y));
                match (rule, f) {
                    (Derivative::Add, Binary::Add) => jets.add(a, &still(jets, b)),
                    (Derivative::Subtract, Binary::Subtract) => jets.add(a, b),
                    (Derivative::Multiply, Binary::Multiply) => jets.multiply(a, &still(jets, b)),
                    (Derivative::Divide, Binary::Divide) => jets.multiply(right, &still(jets, b)),
                    (Derivative::DivideSign, Binary::Divide) => jets.divide(a, &backwards(b)),
                    (Derivative::Max, Binary::Maximum) | (Derivative::Min, Binary::Minimum) => match self.branch {
                        Branch::Left => b.clone(),
                        Branch::Right => a.clone(),
                        Branch::Undecided => return None,
                    },
                    _ => return None,
                }
            }
            Instruction::Power(x, e) => match (rule, e.denominator) {
                (Derivative::Power, 1) => jets.multiply(right, &still(jets, operand(x))),
                (Derivative::Root, q) if q != 1 => {
                    let inverse = |c: &C::Num| {
                        jets.context.divide(&jets.context.scale(c, i64::from(q)), e.numerator.unsigned_abs())
                    };
                    let scaled = jets.map(right, inverse);
                    if e.numerator < 0 { jets.negate(&scaled) } else { scaled }
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// The wrong slope of an elementary function at x, whose value is the constant part of y.
fn slope<C: Context>(
    jets: &Jets<C>,
    rule: Derivative,
    f: Function,
    x: &Jet<C::Num>,
    y: &Jet<C::Num>,
) -> Option<Jet<C::Num>> {
    let one = || Jet::constant(jets.context.integer(1));
    let other = |f| jets.function(f, x);
    let square = || jets.square(x);
    let inverse = |a: Jet<C::Num>| jets.reciprocal(&a);
    let root = |a: Jet<C::Num>| jets.function(Function::Sqrt, &a);
    Some(match (rule, f) {
        (Derivative::Sqrt, Function::Sqrt) => inverse(y.clone()),
        (Derivative::Cbrt, Function::Cbrt) => inverse(jets.square(y)),
        (Derivative::Exp, Function::Exp) => jets.multiply(x, &jets.function(Function::Exp, &jets.subtract(x, &one()))),
        (Derivative::Log, Function::Log) => inverse(square()),
        (Derivative::Sin, Function::Sin) => jets.negate(&other(Function::Cos)),
        (Derivative::Cos, Function::Cos) => other(Function::Sin),
        (Derivative::Tan, Function::Tan) => jets.subtract(&one(), &jets.square(y)),
        (Derivative::Asin, Function::Asin) => inverse(jets.subtract(&one(), &square())),
        (Derivative::Acos, Function::Acos) => inverse(root(jets.subtract(&one(), &square()))),
        (Derivative::Atan, Function::Atan) => inverse(root(jets.add(&one(), &square()))),
        (Derivative::Sinh, Function::Sinh) => y.clone(),
        (Derivative::Cosh, Function::Cosh) => jets.negate(&other(Function::Sinh)),
        (Derivative::Tanh, Function::Tanh) => jets.add(&one(), &jets.square(y)),
        (Derivative::Asinh, Function::Asinh) => inverse(jets.add(&one(), &square())),
        (Derivative::Acosh, Function::Acosh) => inverse(root(jets.add(&square(), &one()))),
        (Derivative::Atanh, Function::Atanh) => inverse(jets.add(&one(), &square())),
        _ => return None,
    })
}
