//! Composites and products of higher order.

use super::{Step, moving, still, take};
use crate::mutation::Chain;
use crate::number::context::{Context, Function};
use crate::smooth::algebra::Generator;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::program::{Instruction, Register};

impl<'j, C: Context + 'j, F: Fn(Register) -> &'j Jet<C::Num>> Step<'_, C, F> {
    pub(super) fn chain(&self, rule: Chain) -> Option<Jet<C::Num>> {
        let Self { jets, operand, right, .. } = self;
        let without = |dropped: &dyn Fn(usize) -> bool| {
            Jet::new((0..right.len()).map(|m| right.get(m).filter(|_| !dropped(m)).cloned()))
        };
        Some(match *self.instruction {
            Instruction::Unary(Unary::Function(f), x) => {
                let x = operand(x);
                match rule {
                    Chain::Inner => jets.function(f, &with_unit_slopes(jets, x)),
                    Chain::SecondOuter => {
                        let slope = slope(jets, f, &still(jets, x))?;
                        jets.add(&still(jets, right), &jets.multiply(&slope, &moving(jets, x)))
                    }
                    Chain::SecondInner => jets.function(f, &take(jets, x, &Jet::zero(), |order| order > 1)),
                    Chain::Third => without(&|m| jets.algebra.order(m) > 2),
                    _ => return None,
                }
            }
            Instruction::Binary(Binary::Multiply, x, y) => {
                let both = || jets.multiply(&moving(jets, operand(x)), &moving(jets, operand(y)));
                match rule {
                    Chain::CrossTerm => jets.subtract(right, &both()),
                    Chain::CrossTermOnce => jets.subtract(right, &jets.map(&both(), |c| jets.context.divide(c, 2))),
                    Chain::Mixed => without(&|m| jets.algebra.directions(m).filter(|e| *e > 0).count() > 1),
                    Chain::Third => without(&|m| jets.algebra.order(m) > 2),
                    _ => return None,
                }
            }
            Instruction::Binary(..) | Instruction::Power(..) if rule == Chain::Third => {
                without(&|m| jets.algebra.order(m) > 2)
            }
            _ => return None,
        })
    }
}

/// The argument of a function with 1 for its slope in every direction in which it moves.
fn with_unit_slopes<C: Context>(jets: &Jets<C>, x: &Jet<C::Num>) -> Jet<C::Num> {
    let mut moved = still(jets, x);
    for m in (1..x.len()).filter(|&m| jets.algebra.degree(m) == 1 && jets.algebra.order(m) == 1) {
        moved.set(m, x.get(m).map(|_| jets.context.integer(1)));
    }
    moved
}

/// f′ at a jet.
fn slope<C: Context>(jets: &Jets<C>, f: Function, at: &Jet<C::Num>) -> Option<Jet<C::Num>> {
    let extended = jets.algebra.adjoin(Generator::Direction(1))?;
    let mut moved = at.clone();
    moved.set(extended.generator(), Some(jets.context.integer(1)));
    let y = Jets { context: jets.context, algebra: &extended, budget: jets.budget }.function(f, &moved);
    Some(Jet::new(extended.slice(1).iter().map(|&(_, here)| y.get(here as usize).cloned())))
}
