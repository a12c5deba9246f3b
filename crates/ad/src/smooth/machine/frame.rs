//! The register file of one run of a block.

use super::choice::Choices;
use super::window::Window;
use super::{Branches, Machine, Target, gradient};
use crate::number::context::Sign;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::program::rivals::Rivals;
use crate::smooth::program::shared::Shared;
use crate::smooth::program::{Block, Register};
use std::cell::RefCell;

/// The registers of a run of a block, with what its steps know of the run: decided guards, window and target.
#[derive(Debug)]
pub(in crate::smooth) struct Frame<'f, N> {
    pub(super) parameters: &'f [Jet<N>],
    pub(super) captures: &'f [Jet<N>],
    pub(super) results: Vec<Jet<N>>,
    pub(super) choices: Choices<'f>,
    pub(super) shared: &'f [Shared],
    pub(super) rivals: &'f Rivals,
    pub(super) target: Target,
    /// The alpha-beta window of the output.
    pub(super) window: Window<N>,
    /// The gradients computed so far; `None` for those that could not be computed at once.
    pub(super) gradients: RefCell<Vec<gradient::Known<N>>>,
}

impl<'f, N: Clone> Frame<'f, N> {
    /// Returns the registers of a run that has computed `results`. The window is unbounded.
    pub(super) fn new(inputs: [&'f [Jet<N>]; 2], results: Vec<Jet<N>>, block: &'f Block, target: Target) -> Self {
        let [parameters, captures] = inputs;
        let choices = Choices::new(&block.regions);
        let (shared, rivals) = (&block.shared, &block.rivals);
        let (window, gradients) = (Window::open(), RefCell::default());
        Self { parameters, captures, results, choices, shared, rivals, target, window, gradients }
    }

    /// Returns the jet in a register. Registers are numbered parameters first, then captures, then results.
    pub(in crate::smooth) fn get(&self, r: Register) -> &Jet<N> {
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
    pub(super) fn known(&self, r: Register) -> Option<&Jet<N>> {
        let inputs = self.parameters.len() + self.captures.len();
        ((r.0 as usize) < inputs + self.results.len()).then(|| self.get(r))
    }

    /// Returns `true` if a forced branch may narrow the value of its kink: only if the run computes outputs.
    ///
    /// Newton's method follows a branch point beyond the piece for which the branch is forced. There the branch is meant,
    /// not the kink.
    pub(super) fn narrows(&self, branches: &Branches, instruction: usize) -> bool {
        self.target == Target::Outputs && branches.of(instruction).is_some()
    }

    /// Returns `true` if two optima are the same function of the inputs: both are attained at ends at which their functions
    /// agree.
    pub(super) fn are_one(&self, optima: [Register; 2], branches: &Branches) -> bool {
        // `end_of` knows instructions; an input has none.
        let index = |r: Register| (r.0 as usize).checked_sub(self.parameters.len() + self.captures.len());
        let end = |r| index(r).and_then(|index| branches.end_of(index));
        let mut shared = self.shared.iter().filter(|shared| shared.optima == optima);
        shared.any(|shared| shared.ends.iter().any(|ends| [end(optima[0]), end(optima[1])] == ends.map(Some)))
    }

    /// Returns the branch of the guard whose result is this register.
    pub(super) fn branch(&self, guard: Register) -> Branch {
        self.choices.of((guard.0 as usize).saturating_sub(self.parameters.len() + self.captures.len()))
    }

    /// Returns copies of the jets in some registers.
    pub(in crate::smooth) fn collect(&self, registers: &[Register]) -> Vec<Jet<N>> {
        registers.iter().map(|r| self.get(*r).clone()).collect()
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Returns `true` if two optima are [the same function](Frame::are_one), are defined, and their values do not decide
    /// the maximum.
    pub(super) fn are_one(
        &self,
        jets: &Jets<C>,
        frame: &Frame<C::Num>,
        optima: [Register; 2],
        branches: &Branches,
    ) -> bool {
        // A decided sign is enough for the ordinary rule; the theorem is needed only at a tie.
        frame.are_one(optima, branches) && {
            let [a, b] = optima.map(|r| jets.value(frame.get(r)));
            self.context.is_defined(&b) && self.context.sign(&self.context.sub(&a, &b)) == Sign::Undecided
        }
    }
}
