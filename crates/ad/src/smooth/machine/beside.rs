//! Evaluators derived from another one: for another program, for widened inputs, and for single steps near an end.

use super::switch::Switch;
use super::window::Window;
use super::{Branches, Frame, Machine};
use crate::number::effort::Effort;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Site, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::nearby::Edges;
use crate::smooth::program::{Block, Instruction, Program, Register};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

impl<'m, C: Hooked> Machine<'m, C> {
    /// Returns an evaluator for a program with these constants, without spine or diagnosis.
    #[must_use]
    pub(in crate::smooth) fn with_constants(
        context: &'m C,
        effort: &'m Effort<'m>,
        real: &Arc<Algebra>,
        constants: Vec<C::Num>,
    ) -> Self {
        let (real, edges) = (real.clone(), Edges::default());
        Self {
            context,
            effort,
            real,
            spine: None,
            witness: None,
            beside: false,
            edges,
            constants,
            window: RefCell::new(Window::open()),
            counted: Cell::new(0),
        }
    }

    /// Counts the work units of a block that is run, here and in the spine.
    pub(in crate::smooth) fn count(&self, work: u64) {
        self.counted.set(self.counted.get().saturating_add(work));
        if let Some(spine) = self.spine {
            spine.count(work);
        }
    }

    /// Returns the work units of all blocks run so far.
    pub(in crate::smooth) fn counted(&self) -> u64 {
        self.counted.get()
    }

    /// Returns the constants of the program, rounded to this precision.
    pub(in crate::smooth) fn constants(&self) -> &[C::Num] {
        &self.constants
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Returns `true` if hooks or a diagnosis look at each step. Then no shortcut may skip a step.
    pub(super) fn is_watched(&self) -> bool {
        C::ACTIVE || self.witness.is_some()
    }

    /// Returns an evaluator for another program at the same inputs.
    #[must_use]
    pub fn running(&self, program: &Program) -> Self {
        let machine = Self::new(self.context, self.effort, &self.real, program);
        Self { beside: self.beside, ..machine }
    }

    /// Copies the evaluator with another tolerance and budget. Spine, diagnosis and domain boundaries are left behind.
    pub(super) fn at_a_glance<'e>(&'e self, effort: &'e Effort<'e>) -> Machine<'e, C> {
        let machine = Machine::with_constants(self.context, effort, &self.real, self.constants.clone());
        Machine { beside: self.beside, ..machine }
    }

    /// Copies the evaluator without recorded domain boundaries, spine and counted work. The diagnosis stays.
    pub(super) fn afresh(&self) -> Self {
        let (real, constants) = (self.real.clone(), self.constants.clone());
        Self {
            real,
            constants,
            spine: None,
            edges: Edges::default(),
            window: RefCell::new(Window::open()),
            counted: Cell::new(0),
            ..*self
        }
    }

    /// Copies the evaluator for inputs that enclose a neighbourhood of the given ones.
    #[must_use]
    pub fn moved_beside(&self) -> Self {
        Self { beside: true, ..self.afresh() }
    }

    /// Evaluates one step over an algebra that is not one of inputs. Returns ⊥ if the budget cannot pay for the step.
    pub(super) fn step_beside(
        &self,
        algebra: &Arc<Algebra>,
        frame: &Frame<C::Num>,
        at: (usize, Site),
        instruction: &Instruction,
        branches: &mut Branches,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let jets = self.jets(algebra);
        if !self.can_afford(instruction, |r| frame.get(r).get(0)) {
            return Ok(jets.bottom_everywhere());
        }
        match instruction.nested_inputs() {
            Some(inputs) => {
                // As in a run of a block: boundaries met inside count for all inputs of the step.
                let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                self.edges.around(&jets, inputs, || {
                    crate::stack::deep_and_wide(|| self.step(&jets, algebra, frame, at, instruction, branches))
                })
            }
            None => self.step(&jets, algebra, frame, at, instruction, branches),
        }
    }

    /// Returns the branch of a step on a piece beside an end, and decisions that force it for the end alone.
    pub(super) fn branch_beside(
        &self,
        jets: &Jets<C>,
        over: &Frame<C::Num>,
        (index, instruction): (usize, &Instruction),
        branches: &Branches,
    ) -> (Branch, Branches) {
        // At the end itself the number may be 0, though it has one sign on the piece: the branch of the piece is the limit.
        let branch = match instruction {
            Instruction::Unary(Unary::Abs, _) | Instruction::Binary(Binary::Maximum | Binary::Minimum, ..) => {
                self.branch_taken(jets, over, index, instruction, branches)
            }
            _ => branches.of(index).unwrap_or(Branch::Undecided),
        };
        let mut known = branches.forced.clone();
        known.push((Switch::at(index), branch));
        (branch, Branches::forced(known))
    }

    /// Returns the registers that are 0 where a branch point is: its result, and the argument of abs, of a guard, or of a
    /// comparison with a constant 0. The registers of the instructions of a block begin with `first`.
    pub(super) fn zeros_of(&self, block: &Block, root: usize, first: usize) -> Vec<Register> {
        // Only an exact 0 will do: a constant whose enclosure is merely around 0 proves nothing.
        let is_nought = |r: Register| match (r.0 as usize).checked_sub(first).map(|index| &block.instructions[index]) {
            Some(Instruction::Constant(c)) => {
                let constant = &self.constants[*c as usize];
                self.context.is_point(constant) && self.context.contains_zero(constant)
            }
            _ => false,
        };
        let own = Register((first + root) as u32);
        match block.instructions[root] {
            Instruction::Unary(Unary::Abs, x) | Instruction::Guard(x) => vec![x, own],
            Instruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if is_nought(y) => vec![x, own],
            Instruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if is_nought(x) => vec![y, own],
            // Of max(x, y) at x = y ≠ 0 no register is known to be 0.
            _ => Vec::new(),
        }
    }
}
