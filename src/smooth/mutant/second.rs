//! Second-order primitives: what can be made wrong of their right results.

use super::{Step, moving, still, take};
use crate::mutation::{Integral, Optimum, Root};
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::smooth::graph::SecondOrder;
use crate::smooth::jet::Jet;
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    fn primitive(&self) -> Option<SecondOrder> {
        match self.instruction {
            Instruction::Second { primitive, .. } => Some(*primitive),
            _ => None,
        }
    }

    pub(super) fn integral(&self, rule: Integral) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        match (rule, self.primitive()?) {
            (Integral::Length, SecondOrder::Integral) => Some(jets.map(right, |c| jets.context.scale(c, 2))),
            (Integral::Parameters, SecondOrder::Integral) => Some(still(jets, right)),
            _ => None,
        }
    }

    pub(super) fn root(&self, rule: Root) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        let context = jets.context;
        Some(match (rule, self.primitive()?) {
            (Root::Sign, SecondOrder::CutRoot) | (Root::FirstSign, SecondOrder::FirstRoot) => self.backwards(),
            (Root::UpsideDown, SecondOrder::CutRoot) => {
                let first = |m: usize| jets.algebra.degree(m) == 1 && jets.algebra.order(m) == 1;
                let inverse = |c: &C::Num| context.div(&context.integer(1), c);
                let coefficient = |m: usize| right.get(m).map(|c| if first(m) { inverse(c) } else { c.clone() });
                Jet::new((0..right.len()).map(coefficient))
            }
            (Root::SecondOrder, SecondOrder::CutRoot) => take(jets, right, &Jet::zero(), |order| order > 1),
            (Root::FlatSlope, SecondOrder::CutRoot) => {
                let flat = |c: &C::Num| if context.is_bounded(c) { c.clone() } else { context.integer(0) };
                take(jets, right, &jets.map(right, flat), |order| order > 0)
            }
            (Root::Plateau, SecondOrder::CutRoot) | (Root::FirstTouched, SecondOrder::FirstRoot) => self.left_half()?,
            _ => return None,
        })
    }

    pub(super) fn optimum(&self, rule: Optimum) -> Option<Jet<C::Num>> {
        let Self { jets, right, .. } = self;
        match (rule, self.primitive()?) {
            (Optimum::Envelope, SecondOrder::Maximum) | (Optimum::ArgmaxSlope, SecondOrder::Maximiser) => {
                Some(still(jets, right))
            }
            (Optimum::ArgmaxSign, SecondOrder::Maximiser) => Some(self.backwards()),
            (Optimum::ArgmaxTie, SecondOrder::Maximiser) => self.left_half(),
            _ => None,
        }
    }

    /// The result with the sign of its derivatives changed.
    fn backwards(&self) -> Jet<C::Num> {
        let Self { jets, right, .. } = self;
        jets.subtract(&still(jets, right), &moving(jets, right))
    }

    /// The left half of a result that is an interval although the inputs are numbers.
    fn left_half(&self) -> Option<Jet<C::Num>> {
        let Self { jets, right, operand, .. } = self;
        let context = jets.context;
        let Instruction::Second { captures, .. } = self.instruction else { return None };
        let value = jets.value(right);
        let wide = context.is_defined(&value) && context.width(&value) > Magnitude::power_of_two(-10);
        if !wide || !captures.iter().all(|c| context.is_point(&jets.value(operand(*c)))) {
            return None;
        }
        let mut half = (*right).clone();
        half.set(0, Some(context.hull(&context.lower(&value)?, &context.midpoint(&value))));
        Some(half)
    }
}
