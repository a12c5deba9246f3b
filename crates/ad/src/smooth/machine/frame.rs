//! What a run of a block has computed so far.

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

/// What the steps of a run of a block have to compute with.
#[derive(Debug)]
pub(in crate::smooth) struct Frame<'f, N> {
    pub(super) parameters: &'f [Jet<N>],
    pub(super) captures: &'f [Jet<N>],
    pub(super) results: Vec<Jet<N>>,
    pub(super) choices: Choices<'f>,
    pub(super) shared: &'f [Shared],
    pub(super) rivals: &'f Rivals,
    pub(super) target: Target,
    /// Where the output has to be known.
    pub(super) window: Window<N>,
    /// The gradients that were computed at once, or could not be.
    pub(super) gradients: RefCell<Vec<gradient::Known<N>>>,
}

impl<'f, N: Clone> Frame<'f, N> {
    pub(super) fn new(inputs: [&'f [Jet<N>]; 2], results: Vec<Jet<N>>, block: &'f Block, target: Target) -> Self {
        let [parameters, captures] = inputs;
        let choices = Choices::new(&block.regions);
        let (shared, rivals) = (&block.shared, &block.rivals);
        let (window, gradients) = (Window::open(), RefCell::default());
        Self { parameters, captures, results, choices, shared, rivals, target, window, gradients }
    }

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

    /// What is known of a register, where its step has been run.
    pub(super) fn known(&self, r: Register) -> Option<&Jet<N>> {
        let inputs = self.parameters.len() + self.captures.len();
        ((r.0 as usize) < inputs + self.results.len()).then(|| self.get(r))
    }

    /// Whether the branch of an instruction is taken by decree, at places of the piece that the decree is for. A switch is also
    /// followed beyond it, by Newton's method, and there the branch is all that is meant.
    pub(super) fn narrows(&self, branches: &Branches, instruction: usize) -> bool {
        self.target == Target::Outputs && branches.of(instruction).is_some()
    }

    /// Whether two optima are one function of the inputs: both are attained at ends where their functions are the same.
    pub(super) fn are_one(&self, optima: [Register; 2], branches: &Branches) -> bool {
        let index = |r: Register| (r.0 as usize).checked_sub(self.parameters.len() + self.captures.len());
        let end = |r| index(r).and_then(|index| branches.end_of(index));
        let mut shared = self.shared.iter().filter(|shared| shared.optima == optima);
        shared.any(|shared| shared.ends.iter().any(|ends| [end(optima[0]), end(optima[1])] == ends.map(Some)))
    }

    /// How the guard with this result was decided.
    pub(super) fn branch(&self, guard: Register) -> Branch {
        self.choices.of((guard.0 as usize).saturating_sub(self.parameters.len() + self.captures.len()))
    }

    pub(in crate::smooth) fn collect(&self, registers: &[Register]) -> Vec<Jet<N>> {
        registers.iter().map(|r| self.get(*r).clone()).collect()
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Whether two optima [are one function](Frame::are_one), have values, and their values do not tell them apart.
    pub(super) fn are_one(
        &self,
        jets: &Jets<C>,
        frame: &Frame<C::Num>,
        optima: [Register; 2],
        branches: &Branches,
    ) -> bool {
        frame.are_one(optima, branches) && {
            let [a, b] = optima.map(|r| jets.value(frame.get(r)));
            self.context.is_defined(&b) && self.context.sign(&self.context.sub(&a, &b)) == Sign::Undecided
        }
    }
}
