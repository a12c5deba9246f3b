//! The register file of one run of a block.

use super::choice::GuardDecisions;
use super::window::AlphaBetaWindow;
use super::{BranchDecisions, EvalTarget, JetEvaluator, gradient};
use crate::number::context::Sign;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::program::rivals::MinMaxTree;
use crate::smooth::program::shared::TiedMaxima;
use crate::smooth::program::{Block, BlockRegister};
use std::cell::RefCell;

/// The registers of a run of a block, with what its steps know of the run: decided guards, window and target.
#[derive(Debug)]
pub(in crate::smooth) struct RegisterFile<'f, N> {
    pub(super) parameters: &'f [Jet<N>],
    pub(super) captures: &'f [Jet<N>],
    pub(super) results: Vec<Jet<N>>,
    pub(super) choices: GuardDecisions<'f>,
    pub(super) shared: &'f [TiedMaxima],
    pub(super) rivals: &'f MinMaxTree,
    pub(super) target: EvalTarget,
    /// The alpha-beta window of the output.
    pub(super) window: AlphaBetaWindow<N>,
    /// The gradients computed so far; `None` for those that could not be computed at once.
    pub(super) gradients: RefCell<Vec<gradient::GradientEntry<N>>>,
}

impl<'f, N: Clone> RegisterFile<'f, N> {
    /// Returns the registers of a run that has computed `results`. The window is unbounded.
    pub(super) fn new(inputs: [&'f [Jet<N>]; 2], results: Vec<Jet<N>>, block: &'f Block, target: EvalTarget) -> Self {
        let [parameters, captures] = inputs;
        let choices = GuardDecisions::new(&block.regions);
        let (shared, rivals) = (&block.shared, &block.rivals);
        let (window, gradients) = (AlphaBetaWindow::open(), RefCell::default());
        Self { parameters, captures, results, choices, shared, rivals, target, window, gradients }
    }

    /// Returns the jet in a register. Registers are numbered parameters first, then captures, then results.
    pub(in crate::smooth) fn get(&self, r: BlockRegister) -> &Jet<N> {
        let index = r.0 as usize;
        let inputs = self.parameters.len() + self.captures.len();
        if index < self.parameters.len() {
            &self.parameters[index]
        } else if index < inputs {
            &self.captures[index - self.parameters.len()]
        } else {
            &self.results[index - inputs]
        }
    }

    /// Returns the jet in a register; `None` if its step has not been run yet.
    pub(super) fn get_computed(&self, r: BlockRegister) -> Option<&Jet<N>> {
        let inputs = self.parameters.len() + self.captures.len();
        ((r.0 as usize) < inputs + self.results.len()).then(|| self.get(r))
    }

    /// Returns `true` if a forced branch may narrow the value of its kink: only if the run computes outputs.
    ///
    /// Newton's method follows a branch point beyond the piece for which the branch is forced. There the branch is meant,
    /// not the kink.
    pub(super) fn narrows_to_kink(&self, branches: &BranchDecisions, instruction: usize) -> bool {
        self.target == EvalTarget::Outputs && branches.forced_branch(instruction).is_some()
    }

    /// Returns `true` if two optima are the same function of the inputs: both are attained at ends at which their functions
    /// agree.
    pub(super) fn are_same_function(&self, optima: [BlockRegister; 2], branches: &BranchDecisions) -> bool {
        // `end_of_optimum` knows instructions; an input has none.
        let index = |r: BlockRegister| (r.0 as usize).checked_sub(self.parameters.len() + self.captures.len());
        let end = |r| index(r).and_then(|index| branches.end_of_optimum(index));
        let mut shared = self.shared.iter().filter(|shared| shared.optima == optima);
        shared.any(|shared| shared.common_ends.iter().any(|ends| [end(optima[0]), end(optima[1])] == ends.map(Some)))
    }

    /// Returns the branch of the guard whose result is this register.
    pub(super) fn guard_branch(&self, guard: BlockRegister) -> KinkBranch {
        self.choices.branch_of((guard.0 as usize).saturating_sub(self.parameters.len() + self.captures.len()))
    }

    /// Returns copies of the jets in some registers.
    pub(in crate::smooth) fn get_all(&self, registers: &[BlockRegister]) -> Vec<Jet<N>> {
        registers.iter().map(|r| self.get(*r).clone()).collect()
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns `true` if two optima are [the same function](RegisterFile::are_same_function), are defined, and their values do not decide
    /// the maximum.
    pub(super) fn are_tied_optima(
        &self,
        jets: &JetArithmetic<C>,
        frame: &RegisterFile<C::Num>,
        optima: [BlockRegister; 2],
        branches: &BranchDecisions,
    ) -> bool {
        // A decided sign is enough for the ordinary rule; the theorem is needed only at a tie.
        frame.are_same_function(optima, branches) && {
            let [a, b] = optima.map(|r| jets.value_of(frame.get(r)));
            self.context.is_defined(&b) && self.context.sign(&self.context.sub(&a, &b)) == Sign::Undecided
        }
    }
}
