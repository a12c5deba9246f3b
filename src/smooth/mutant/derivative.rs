//! Operations with another derivative.

use super::{Step, moving, still};
use crate::mutation::{Derivative, FunctionDerivative, Wrong};
use crate::number::context::Context;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn derivative(&self, rule: Derivative) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        let backwards = |a: &Jet<C::Num>| jets.subtract(&still(jets, a), &moving(jets, a));
        Some(match *self.instruction {
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

    pub(super) fn function_derivative(&self, rule: FunctionDerivative) -> Option<Jet<C::Num>> {
        let Instruction::Unary(Unary::Function(f), x) = *self.instruction else { return None };
        let Self { jets, right, .. } = self;
        (f == rule.0).then(|| match rule.wrong() {
            Wrong::Formula(formula) => {
                let x = (self.operand)(x);
                jets.antiderivative(x, &jets.formula(formula, x, right), jets.value(right))
            }
            Wrong::Twice => jets.map(right, |c| jets.context.scale(c, 2)),
        })
    }
}
