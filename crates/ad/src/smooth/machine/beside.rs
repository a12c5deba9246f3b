//! Evaluators derived from another one: for another program, for widened inputs, and for single steps near an end.

use super::switch::BranchPoint;
use super::window::AlphaBetaWindow;
use super::{BranchDecisions, JetEvaluator, RegisterFile};
use crate::number::effort::PassOptions;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SourceId, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::nearby::DomainBoundary;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister, CompiledMap};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

impl<'m, C: HookedContext> JetEvaluator<'m, C> {
    /// Returns an evaluator for a program with these constants, without spine or diagnosis.
    #[must_use]
    pub(in crate::smooth) fn with_constants(
        context: &'m C,
        effort: &'m PassOptions<'m>,
        real: &Arc<Algebra>,
        constants: Vec<C::Num>,
    ) -> Self {
        let (real, edges) = (real.clone(), DomainBoundary::default());
        Self {
            context,
            effort,
            real,
            spine: None,
            witness: None,
            is_widened: false,
            edges,
            constants,
            window: RefCell::new(AlphaBetaWindow::open()),
            work_done: Cell::new(0),
        }
    }

    /// Counts the work units of a block that is run, here and in the spine.
    pub(in crate::smooth) fn count_work(&self, work: u64) {
        self.work_done.set(self.work_done.get().saturating_add(work));
        if let Some(spine) = self.spine {
            spine.count_work(work);
        }
    }

    /// Returns the work units of all blocks run so far.
    pub(in crate::smooth) fn work_done(&self) -> u64 {
        self.work_done.get()
    }

    /// Returns the constants of the program, rounded to this precision.
    pub(in crate::smooth) fn constants(&self) -> &[C::Num] {
        &self.constants
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns `true` if hooks or a diagnosis look at each step. Then no shortcut may skip a step.
    pub(super) fn is_watched(&self) -> bool {
        C::ACTIVE || self.witness.is_some()
    }

    /// Returns an evaluator for another program at the same inputs.
    #[must_use]
    pub fn for_program(&self, program: &CompiledMap) -> Self {
        let machine = Self::new(self.context, self.effort, &self.real, program);
        Self { is_widened: self.is_widened, ..machine }
    }

    /// Copies the evaluator with another tolerance and budget. Spine, diagnosis and domain boundaries are left behind.
    pub(super) fn with_effort<'e>(&'e self, effort: &'e PassOptions<'e>) -> JetEvaluator<'e, C> {
        let machine = JetEvaluator::with_constants(self.context, effort, &self.real, self.constants.clone());
        JetEvaluator { is_widened: self.is_widened, ..machine }
    }

    /// Copies the evaluator without recorded domain boundaries, spine and counted work. The diagnosis stays.
    pub(super) fn without_records(&self) -> Self {
        let (real, constants) = (self.real.clone(), self.constants.clone());
        Self {
            real,
            constants,
            spine: None,
            edges: DomainBoundary::default(),
            window: RefCell::new(AlphaBetaWindow::open()),
            work_done: Cell::new(0),
            ..*self
        }
    }

    /// Copies the evaluator for inputs that enclose a neighbourhood of the given ones.
    #[must_use]
    pub fn on_widened_inputs(&self) -> Self {
        Self { is_widened: true, ..self.without_records() }
    }

    /// Evaluates one step over an algebra that is not one of inputs. Returns ⊥ if the budget cannot pay for the step.
    pub(super) fn eval_beside_end(
        &self,
        algebra: &Arc<Algebra>,
        frame: &RegisterFile<C::Num>,
        at: (usize, SourceId),
        instruction: &BlockInstruction,
        branches: &mut BranchDecisions,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let jets = self.jets(algebra);
        if !self.can_afford(instruction, |r| frame.get(r).get(0)) {
            return Ok(jets.bottom_everywhere());
        }
        match instruction.nested_inputs() {
            Some(inputs) => {
                // As in a run of a block: boundaries met inside count for all inputs of the step.
                let inputs = inputs.iter().flat_map(|rs| rs.iter()).map(|r| frame.get(*r));
                self.edges.around_step(&jets, inputs, || {
                    crate::stack::with_large_stack(|| {
                        self.eval_instruction(&jets, algebra, frame, at, instruction, branches)
                    })
                })
            }
            None => self.eval_instruction(&jets, algebra, frame, at, instruction, branches),
        }
    }

    /// Returns the branch of a step on a piece beside an end, and decisions that force it for the end alone.
    pub(super) fn branch_beside(
        &self,
        jets: &JetArithmetic<C>,
        over: &RegisterFile<C::Num>,
        (index, instruction): (usize, &BlockInstruction),
        branches: &BranchDecisions,
    ) -> (KinkBranch, BranchDecisions) {
        // At the end itself the number may be 0, though it has one sign on the piece: the branch of the piece is the limit.
        let branch = match instruction {
            BlockInstruction::Unary(Unary::Abs, _)
            | BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, ..) => {
                self.branch_taken(jets, over, index, instruction, branches)
            }
            _ => branches.forced_branch(index).unwrap_or(KinkBranch::Undecided),
        };
        let mut known = branches.forced.clone();
        known.push((BranchPoint::of_instruction(index), branch));
        (branch, BranchDecisions::with_forced(known))
    }

    /// Returns the registers that are 0 where a branch point is: its result, and the argument of abs, of a guard, or of a
    /// comparison with a constant 0. The registers of the instructions of a block begin with `first`.
    pub(super) fn registers_zero_at(&self, block: &Block, root: usize, first: usize) -> Vec<BlockRegister> {
        // Only an exact 0 will do: a constant whose enclosure is merely around 0 proves nothing.
        let is_nought =
            |r: BlockRegister| match (r.0 as usize).checked_sub(first).map(|index| &block.instructions[index]) {
                Some(BlockInstruction::Constant(c)) => {
                    let constant = &self.constants[*c as usize];
                    self.context.is_point(constant) && self.context.contains_zero(constant)
                }
                _ => false,
            };
        let own = BlockRegister((first + root) as u32);
        match block.instructions[root] {
            BlockInstruction::Unary(Unary::Abs, x) | BlockInstruction::Guard(x) => vec![x, own],
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if is_nought(y) => vec![x, own],
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if is_nought(x) => vec![y, own],
            // Of max(x, y) at x = y ≠ 0 no register is known to be 0.
            _ => Vec::new(),
        }
    }
}
