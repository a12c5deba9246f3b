//! Kinks that change sides together.
//!
//! `max x 0 + min 0 x` is x, although each part has the slopes `[0, 1]` at 0: both look at the sign of x, and what is near 0 is on
//! one side for both. Let several undecided kinks, or one that is used several times, look at the sign of g, up to factors that
//! are constants. Where g > 0 the function is f₊, all of them being forced to that side, and where g < 0 it is f₋; where g = 0 both are what it is. So it has
//! almost everywhere the gradient of f₊ or of f₋: where two Lipschitz functions agree, their gradients agree almost everywhere.
//! Clarke's derivative ignores null sets, hence `∂f(x) ⊆ hull(∂f₊(x) ∪ ∂f₋(x))` (T1 to T3).
//!
//! Only coefficients of degree 1 gain by that. A higher derivative exists where the slopes of both sides agree on all of g = 0
//! nearby, which two enclosures do not show.

use super::switch::Switch;
use super::{Branches, Machine, Target};
use crate::number::Rational;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::linear::{Linear, Shape};
use crate::smooth::program::{Block, Instruction, Register};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Undecided kinks with one switch, and whether each is on its left where the switch is positive.
type Group = Vec<(usize, bool)>;

/// How often the result of an instruction is read.
fn uses(block: &Block, index: usize) -> usize {
    let own = Register((block.parameters + block.captures + index) as u32);
    let mut count = block.outputs.iter().filter(|r| **r == own).count();
    for instruction in &block.instructions[index..] {
        instruction.reads(|r, _| count += usize::from(r == own));
    }
    count
}

impl<C: Hooked> Machine<'_, C> {
    /// The results of a run with undecided kinks, their first derivatives as narrow as kinks that share a switch let them be.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub(in crate::smooth) fn sharpened(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        branches: &Branches,
        mut outputs: Vec<Jet<C::Num>>,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut groups: BTreeMap<Linear<Register>, Group> = BTreeMap::new();
        // at the border of a guard there is no derivative
        let is_kink = |switch: &&Switch| !block.is_border(**switch);
        for switch in branches.undecided.iter().filter(is_kink) {
            if let Some((form, side)) = self.switch_form(block, switch.instruction()) {
                groups.entry(form).or_default().push((switch.instruction(), side));
            }
        }
        // a kink that is used once, by itself, has the hull of its two slopes already
        let is_shared = |group: &Group| group.iter().map(|(index, _)| uses(block, *index)).sum::<usize>() > 1;
        for group in groups.into_values().filter(is_shared) {
            // who looks for what is undefined has seen the run that is not forced
            let machine = Self { witness: None, ..self.afresh() };
            let forced = |positive: bool| {
                let side = |left: bool| if left == positive { Branch::Left } else { Branch::Right };
                let forced = group.iter().map(|(index, left)| (Switch::at(*index), side(*left)));
                let branches = &mut Branches::forced(branches.forced.iter().copied().chain(forced).collect());
                machine.run(block, algebra, parameters, captures, branches, Target::Outputs)
            };
            let [above, below] = [forced(true)?, forced(false)?];
            for (output, (above, below)) in outputs.iter_mut().zip(above.iter().zip(&below)) {
                self.narrow(algebra, output, [above, below]);
            }
        }
        Ok(outputs)
    }

    /// Lets coefficients of degree 1 be no wider than the hull of those of two sides.
    fn narrow(&self, algebra: &Algebra, output: &mut Jet<C::Num>, [above, below]: [&Jet<C::Num>; 2]) {
        let zero = self.context.integer(0);
        for monomial in (1..output.len()).filter(|monomial| algebra.degree(*monomial) == 1) {
            let Some(known) = output.get(monomial) else { continue };
            let [a, b] = [above, below].map(|side| side.get(monomial).unwrap_or(&zero));
            if ![known, a, b].into_iter().all(|number| self.context.is_defined(number)) {
                continue;
            }
            let found = self.context.intersect(known, &self.context.hull(a, b));
            output.set(monomial, found.or_else(|| Some(known.clone())));
        }
    }

    /// Whether the number of a switch does not depend on the parameters of a block: what is added up in it cancels all of them.
    #[must_use]
    pub(in crate::smooth) fn is_level(&self, block: &Block, instruction: usize) -> bool {
        let is_outside = |r: Register| match (r.0 as usize).checked_sub(block.parameters + block.captures) {
            Some(index) => matches!(block.instructions[index], Instruction::Constant(_)),
            None => r.0 as usize >= block.parameters,
        };
        let form = self.difference(block, instruction);
        form.is_some_and(|form| form.terms().all(|(register, _)| register.is_none_or(is_outside)))
    }

    /// The switch of a kink, so that switches which differ by a constant factor are equal, and whether the kink is on its left
    /// where it is positive. Nothing for what is no kink.
    fn switch_form(&self, block: &Block, instruction: usize) -> Option<(Linear<Register>, bool)> {
        let (form, factor) = self.difference(block, instruction)?.normal().ok()?;
        Some((form, factor > 0))
    }

    /// The number of a switch. Nothing for what is no kink.
    fn difference(&self, block: &Block, instruction: usize) -> Option<Linear<Register>> {
        let shape = |r: Register| self.shape(block, r);
        Some(match &block.instructions[instruction] {
            Instruction::Unary(Unary::Abs, x) => Linear::of(shape, [(*x, 1)]),
            Instruction::Binary(Binary::Maximum, x, y) => Linear::of(shape, [(*x, 1), (*y, -1)]),
            Instruction::Binary(Binary::Minimum, x, y) => Linear::of(shape, [(*y, 1), (*x, -1)]),
            _ => return None,
        })
    }

    fn shape(&self, block: &Block, r: Register) -> Shape<Register> {
        let Some(index) = (r.0 as usize).checked_sub(block.parameters + block.captures) else { return Shape::Other };
        match &block.instructions[index] {
            Instruction::Constant(_) => self.exactly(block, r).map_or(Shape::Other, Shape::Constant),
            Instruction::Unary(Unary::Negate, x) => Shape::Negate(*x),
            Instruction::Binary(Binary::Add, x, y) => Shape::Add(*x, *y),
            Instruction::Binary(Binary::Subtract, x, y) => Shape::Subtract(*x, *y),
            Instruction::Binary(Binary::Multiply, x, y) => Shape::Multiply(*x, *y),
            Instruction::Binary(Binary::Divide, x, y) => Shape::Divide(*x, *y),
            _ => Shape::Other,
        }
    }

    /// The constant of a register, where it is one that this precision has exactly.
    fn exactly(&self, block: &Block, r: Register) -> Option<Rational> {
        let index = (r.0 as usize).checked_sub(block.parameters + block.captures)?;
        let Instruction::Constant(number) = &block.instructions[index] else { return None };
        let enclosure = self.context.to_enclosure(&self.constants[*number as usize]);
        (enclosure.lo() == enclosure.hi()).then(|| enclosure.lo().to_rational()).flatten()
    }
}
