//! Kinks: what happens exactly where branches meet.

use super::{Step, is_zero};
use crate::mutation::Kink;
use crate::number::context::Context;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn kink(&self, rule: Kink) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        let context = jets.context;
        if let Instruction::Unary(Unary::Signum, x) = *self.instruction {
            let at_zero = is_zero(context, &jets.value(operand(x)));
            return match rule {
                Kink::SignumValue if at_zero => {
                    let mut wrong = (*right).clone();
                    wrong.set(0, Some(context.integer(0)));
                    Some(wrong)
                }
                Kink::SignumSlope if at_zero => Some(right.truncated(1)),
                _ => None,
            };
        }
        let negative;
        let (a, b) = match *self.instruction {
            Instruction::Unary(Unary::Abs, x) => {
                negative = jets.negate(operand(x));
                (operand(x), &negative)
            }
            Instruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if x != y => (operand(x), operand(y)),
            _ => return None,
        };
        if self.branch != Branch::Undecided || !is_zero(context, &context.sub(&jets.value(a), &jets.value(b))) {
            return None;
        }
        let with_slope = |slope: &Jet<C::Num>| {
            let first = |m: usize| jets.algebra.degree(m) == 1;
            Jet::new((0..right.len()).map(|m| if first(m) { slope.get(m) } else { right.get(m) }.cloned()))
        };
        let mean = || jets.map(&jets.add(a, b), |c| context.divide(c, 2));
        Some(match (rule, self.instruction) {
            (Kink::MaxLeft, Instruction::Binary(Binary::Maximum, ..))
            | (Kink::MinLeft, Instruction::Binary(Binary::Minimum, ..))
            | (Kink::AbsRight, Instruction::Unary(..)) => with_slope(a),
            (Kink::MaxRight, Instruction::Binary(Binary::Maximum, ..))
            | (Kink::MinRight, Instruction::Binary(Binary::Minimum, ..)) => with_slope(b),
            (Kink::MaxMean, Instruction::Binary(Binary::Maximum, ..))
            | (Kink::MinMean, Instruction::Binary(Binary::Minimum, ..)) => with_slope(&mean()),
            (Kink::AbsZero, Instruction::Unary(..)) => with_slope(&Jet::zero()),
            (Kink::AbsHalf, Instruction::Unary(..)) => {
                with_slope(&jets.map(a, |c| context.hull(c, &context.integer(0))))
            }
            (Kink::SecondZero, _) => {
                let zero = || Some(context.integer(0));
                let second = |m: usize| jets.algebra.degree(m) > 1;
                let coefficient =
                    |m: usize| right.get(m).cloned().and_then(|c| if second(m) { zero() } else { Some(c) });
                Jet::new((0..right.len()).map(coefficient))
            }
            (Kink::SecondHull, _) => jets.joined(jets.value(right), a, b, u32::MAX),
            _ => return None,
        })
    }
}
