//! Operations with another value.

use super::Step;
use crate::mutation::{FunctionValue, Value, Wrong};
use crate::number::context::Context;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn value(&self, rule: Value) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        Some(match *self.instruction {
            Instruction::Unary(f, x) => match (rule, f) {
                (Value::Negate, Unary::Negate) | (Value::Abs, Unary::Abs) => operand(x).clone(),
                (Value::Signum, Unary::Signum) => jets.map(right, |c| jets.context.abs(c)),
                _ => return None,
            },
            Instruction::Binary(f, x, y) => {
                let (a, b) = (operand(x), operand(y));
                match (rule, f) {
                    (Value::Add, Binary::Add) => jets.subtract(a, b),
                    (Value::Subtract, Binary::Subtract) => jets.subtract(b, a),
                    (Value::Multiply, Binary::Multiply) => jets.add(a, b),
                    (Value::Divide, Binary::Divide) => jets.divide(b, a),
                    (Value::Max, Binary::Maximum) | (Value::Min, Binary::Minimum) => match (self.branch, f) {
                        (Branch::Left, _) => b.clone(),
                        (Branch::Right, _) => a.clone(),
                        (Branch::Undecided, Binary::Maximum) => jets.undecided_minimum(a, b),
                        (Branch::Undecided, _) => jets.undecided_maximum(a, b),
                    },
                    _ => return None,
                }
            }
            Instruction::Power(x, e) => match (rule, e.denominator) {
                (Value::Power, 1) => jets.multiply(right, operand(x)),
                (Value::Root, q) if q != 1 => {
                    let denominator = u32::try_from(e.numerator.unsigned_abs()).ok()?;
                    jets.power(operand(x), i64::from(q) * e.numerator.signum(), denominator)
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    pub(super) fn function_value(&self, rule: FunctionValue) -> Option<Jet<C::Num>> {
        let Instruction::Unary(Unary::Function(f), x) = *self.instruction else { return None };
        (f == rule.0).then(|| match rule.wrong() {
            Wrong::Formula(formula) => self.jets.formula(formula, (self.operand)(x), self.right),
            Wrong::Twice => self.jets.map(self.right, |c| self.jets.context.scale(c, 2)),
        })
    }
}
