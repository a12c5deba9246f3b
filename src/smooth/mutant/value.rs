//! Operations with another value.

use super::Step;
use crate::mutation::Value;
use crate::number::context::{Context, Function};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn value(&self, rule: Value) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        Some(match *self.instruction {
            Instruction::Unary(Unary::Function(f), x) => return function(jets, rule, f, operand(x)),
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
}

fn function<C: Context>(jets: &Jets<C>, rule: Value, f: Function, x: &Jet<C::Num>) -> Option<Jet<C::Num>> {
    let one = || Jet::constant(jets.context.integer(1));
    let other = |f| jets.function(f, x);
    Some(match (rule, f) {
        (Value::Sqrt, Function::Sqrt) => other(Function::Cbrt),
        (Value::Cbrt, Function::Cbrt) => other(Function::Sqrt),
        (Value::Exp, Function::Exp) => {
            let half_square = jets.map(&jets.square(x), |c| jets.context.divide(c, 2));
            jets.add(&jets.add(&one(), x), &half_square)
        }
        (Value::Log, Function::Log) => jets.function(Function::Log, &jets.add(&one(), x)),
        (Value::Sin, Function::Sin) => other(Function::Cos),
        (Value::Cos, Function::Cos) => other(Function::Sin),
        (Value::Tan, Function::Tan) => jets.reciprocal(&other(Function::Tan)),
        (Value::Asin, Function::Asin) => other(Function::Acos),
        (Value::Acos, Function::Acos) | (Value::Atan, Function::Atan) => other(Function::Asin),
        (Value::Sinh, Function::Sinh) => other(Function::Cosh),
        (Value::Cosh, Function::Cosh) | (Value::Tanh, Function::Tanh) => other(Function::Sinh),
        (Value::Asinh, Function::Asinh) => other(Function::Acosh),
        (Value::Acosh, Function::Acosh) => other(Function::Asinh),
        (Value::Atanh, Function::Atanh) => jets.map(&other(Function::Atanh), |c| jets.context.scale(c, 2)),
        _ => return None,
    })
}
