//! Kinks that depend on the sign of one linear form.
//!
//! `max x 0 + min 0 x` is x, although each part has the slopes `[0, 1]` at 0: both depend on the sign of x, and a point
//! near 0 is on one side for both. Let several undecided kinks, or one that is used several times, depend on the sign of g,
//! up to constant factors. Where g > 0 the function is f₊, the run with all of them forced to that side. Where g < 0 it is
//! f₋. Where g = 0 it equals both. So it has almost everywhere the gradient of f₊ or of f₋: where two Lipschitz functions
//! agree, their gradients agree almost everywhere. Clarke's derivative ignores null sets, hence `∂f(x) ⊆ hull(∂f₊(x) ∪
//! ∂f₋(x))` (T1 to T3).
//!
//! Only coefficients of degree 1 gain by that. A higher derivative exists only if the slopes of both sides agree on all of
//! g = 0 nearby, and two enclosures cannot show that.

use super::switch::BranchPoint;
use super::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::number::Rational;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::linear::{LinearForm, LinearOperation};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Undecided kinks with one linear form. The flag is `true` for a kink that is on its left where the form is positive.
type KinkGroup = Vec<(usize, bool)>;

/// Returns how often the result of an instruction is read, outputs included.
fn count_reads(block: &Block, index: usize) -> usize {
    let own = BlockRegister((block.parameters + block.captures + index) as u32);
    let mut count = block.outputs.iter().filter(|r| **r == own).count();
    for instruction in &block.instructions[index..] {
        instruction.for_each_read(|r, _| count += usize::from(r == own));
    }
    count
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Narrows the first derivatives of a run with undecided kinks, where several kinks share a linear form.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub(in crate::smooth) fn sharpen_shared_kinks(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        branches: &BranchDecisions,
        mut outputs: Vec<Jet<C::Num>>,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut groups: BTreeMap<LinearForm<BlockRegister>, KinkGroup> = BTreeMap::new();
        // A guard that is undecided leaves no derivative to narrow.
        let is_kink = |switch: &&BranchPoint| !block.is_border(**switch);
        for switch in branches.undecided.iter().filter(is_kink) {
            if let Some((form, side)) = self.normalised_kink_form(block, switch.instruction()) {
                groups.entry(form).or_default().push((switch.instruction(), side));
            }
        }
        // A single kink that is read once already has the hull of its two slopes.
        let is_shared =
            |group: &KinkGroup| group.iter().map(|(index, _)| count_reads(block, *index)).sum::<usize>() > 1;
        for group in groups.into_values().filter(is_shared) {
            // The diagnosis has seen the run that is not forced.
            let machine = Self { witness: None, ..self.without_records() };
            let forced = |positive: bool| {
                let side = |left: bool| if left == positive { KinkBranch::Left } else { KinkBranch::Right };
                let forced = group.iter().map(|(index, left)| (BranchPoint::of_instruction(*index), side(*left)));
                let branches =
                    &mut BranchDecisions::with_forced(branches.forced.iter().copied().chain(forced).collect());
                machine.eval_block(block, algebra, parameters, captures, branches, EvalTarget::Outputs)
            };
            let [above, below] = [forced(true)?, forced(false)?];
            for (output, (above, below)) in outputs.iter_mut().zip(above.iter().zip(&below)) {
                self.narrow_slopes_to_hull(algebra, output, [above, below]);
            }
        }
        Ok(outputs)
    }

    /// Intersects the coefficients of degree 1 with the hull of those of the two sides. Undefined coefficients stay as they
    /// are.
    fn narrow_slopes_to_hull(&self, algebra: &Algebra, output: &mut Jet<C::Num>, [above, below]: [&Jet<C::Num>; 2]) {
        let zero = self.context.enclose_integer(0);
        for monomial in (1..output.len()).filter(|monomial| algebra.degree(*monomial) == 1) {
            let Some(known) = output.get(monomial) else { continue };
            let [a, b] = [above, below].map(|side| side.get(monomial).unwrap_or(&zero));
            if ![known, a, b].into_iter().all(|number| self.context.is_defined(number)) {
                continue;
            }
            // Disjoint enclosures here are left alone: the wider one is right by itself.
            let found = self.context.intersect(known, &self.context.hull(a, b));
            output.set(monomial, found.or_else(|| Some(known.clone())));
        }
    }

    /// Returns `true` if the number of a kink does not depend on the parameters of the block: in its linear form all of
    /// them cancel.
    #[must_use]
    pub(in crate::smooth) fn is_constant_in_parameters(&self, block: &Block, instruction: usize) -> bool {
        let is_outside = |r: BlockRegister| match (r.0 as usize).checked_sub(block.parameters + block.captures) {
            Some(index) => matches!(block.instructions[index], BlockInstruction::Constant(_)),
            None => r.0 as usize >= block.parameters,
        };
        let form = self.kink_form(block, instruction);
        form.is_some_and(|form| form.terms().all(|(register, _)| register.is_none_or(is_outside)))
    }

    /// Returns the linear form of a kink, normalised so that proportional forms are equal, and whether the kink is on its
    /// left where the form is positive. Returns `None` for an instruction that is no kink.
    fn normalised_kink_form(&self, block: &Block, instruction: usize) -> Option<(LinearForm<BlockRegister>, bool)> {
        let (form, factor) = self.kink_form(block, instruction)?.into_normal_form().ok()?;
        Some((form, factor > 0))
    }

    /// Returns the number of a kink as a linear form in registers. Returns `None` for an instruction that is no kink.
    fn kink_form(&self, block: &Block, instruction: usize) -> Option<LinearForm<BlockRegister>> {
        let shape = |r: BlockRegister| self.linear_shape(block, r);
        Some(match &block.instructions[instruction] {
            BlockInstruction::Unary(Unary::Abs, x) => LinearForm::from_multiples(shape, [(*x, 1)]),
            BlockInstruction::Binary(Binary::Maximum, x, y) => LinearForm::from_multiples(shape, [(*x, 1), (*y, -1)]),
            BlockInstruction::Binary(Binary::Minimum, x, y) => LinearForm::from_multiples(shape, [(*y, 1), (*x, -1)]),
            _ => return None,
        })
    }

    /// Returns the operation of a register as far as linear forms are concerned.
    fn linear_shape(&self, block: &Block, r: BlockRegister) -> LinearOperation<BlockRegister> {
        let Some(index) = (r.0 as usize).checked_sub(block.parameters + block.captures) else {
            return LinearOperation::Other;
        };
        match &block.instructions[index] {
            BlockInstruction::Constant(_) => {
                self.exact_constant(block, r).map_or(LinearOperation::Other, LinearOperation::Constant)
            }
            BlockInstruction::Unary(Unary::Negate, x) => LinearOperation::Negate(*x),
            BlockInstruction::Binary(Binary::Add, x, y) => LinearOperation::Add(*x, *y),
            BlockInstruction::Binary(Binary::Subtract, x, y) => LinearOperation::Subtract(*x, *y),
            BlockInstruction::Binary(Binary::Multiply, x, y) => LinearOperation::Multiply(*x, *y),
            BlockInstruction::Binary(Binary::Divide, x, y) => LinearOperation::Divide(*x, *y),
            _ => LinearOperation::Other,
        }
    }

    /// Returns the constant in a register as a rational. Returns `None` if it is no constant, or not exact at this precision.
    fn exact_constant(&self, block: &Block, r: BlockRegister) -> Option<Rational> {
        let index = (r.0 as usize).checked_sub(block.parameters + block.captures)?;
        let BlockInstruction::Constant(number) = &block.instructions[index] else { return None };
        let enclosure = self.context.to_enclosure(&self.constants[*number as usize]);
        (enclosure.lo() == enclosure.hi()).then(|| enclosure.lo().to_rational()).flatten()
    }
}
