//! The machine for another program, for inputs near by, and for single steps beside an end.

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
    /// A machine for the program that has these constants.
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

    /// Notes that a block is run.
    pub(in crate::smooth) fn count(&self, work: u64) {
        self.counted.set(self.counted.get().saturating_add(work));
        if let Some(spine) = self.spine {
            spine.count(work);
        }
    }

    /// The work of the blocks that were run.
    pub(in crate::smooth) fn counted(&self) -> u64 {
        self.counted.get()
    }

    /// The constants of its program.
    pub(in crate::smooth) fn constants(&self) -> &[C::Num] {
        &self.constants
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Whether each step is looked at, by hooks or by who looks for what is undefined: then no shortcut passes by any.
    pub(super) fn is_watched(&self) -> bool {
        C::ACTIVE || self.witness.is_some()
    }

    /// The machine for another program, at the same inputs.
    #[must_use]
    pub fn running(&self, program: &Program) -> Self {
        let machine = Self::new(self.context, self.effort, &self.real, program);
        Self { beside: self.beside, ..machine }
    }

    /// The same machine, with an effort of its own.
    pub(super) fn at_a_glance<'e>(&'e self, effort: &'e Effort<'e>) -> Machine<'e, C> {
        let machine = Machine::with_constants(self.context, effort, &self.real, self.constants.clone());
        Machine { beside: self.beside, ..machine }
    }

    /// The same machine, which nothing was met by yet, and of which nothing is told in the meantime.
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

    /// The same machine, for inputs near by.
    #[must_use]
    pub fn moved_beside(&self) -> Self {
        Self { beside: true, ..self.afresh() }
    }

    /// A step of a run that is not one over an algebra of inputs: ⊥ where it cannot be paid for.
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
                let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                self.edges.around(&jets, inputs, || {
                    crate::stack::deep_and_wide(|| self.step(&jets, algebra, frame, at, instruction, branches))
                })
            }
            None => self.step(&jets, algebra, frame, at, instruction, branches),
        }
    }

    /// The branch of a step on a piece beside an end, and that taken by decree too, for the end alone.
    pub(super) fn branch_beside(
        &self,
        jets: &Jets<C>,
        over: &Frame<C::Num>,
        (index, instruction): (usize, &Instruction),
        branches: &Branches,
    ) -> (Branch, Branches) {
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

    /// What is 0 where a switch is: the argument of abs, the number of a guard, what a constant 0 is compared with, and the
    /// result. The registers of the instructions of a block begin with `first`.
    pub(super) fn zeros_of(&self, block: &Block, root: usize, first: usize) -> Vec<Register> {
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
            _ => Vec::new(),
        }
    }
}
