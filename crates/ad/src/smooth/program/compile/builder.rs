//! A block under construction.

use crate::smooth::graph::{Binary, Exponent, Graph, Mentions, Site, Unary, Variable};
use crate::smooth::program::shared::Shared;
use crate::smooth::program::{Instruction, Register};
use rustc_hash::FxHashMap;

/// The key of value numbering: two instructions of one block with equal keys are the same.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Key {
    Constant(u32),
    Unary(Unary, Register),
    Binary(Binary, Register, Register),
    Power(Register, Exponent),
    Guard(Register),
    Select(Register, Register, Register),
}

/// A block under construction. Captures have a numbering of their own until their count is known.
pub(super) struct Builder {
    /// The number of parameters.
    pub(super) parameters: usize,
    /// `true` for the block of the program itself, which captures nothing but unbound variables.
    pub(super) outermost: bool,
    /// The graphs that mention a parameter.
    pub(super) mentions: Mentions,
    /// The registers of shared nodes, by address.
    pub(super) known: FxHashMap<usize, Register>,
    /// The registers of instructions, by value number.
    pub(super) values: FxHashMap<Key, Register>,
    /// The registers of variables.
    pub(super) variables: FxHashMap<Variable, Register>,
    /// The captured graphs, in the order of their registers.
    pub(super) captures: Vec<Graph>,
    /// The instructions.
    pub(super) instructions: Vec<Instruction>,
    /// Their source positions.
    pub(super) sites: Vec<Site>,
    /// Pairs of maxima that may be attained at a common end.
    pub(super) shared: Vec<Shared>,
    /// The number of choices around the node that is being compiled.
    pub(super) choices: usize,
}

/// The first register of captures during construction: above any register of a result.
pub(super) const CAPTURE: u32 = 1 << 31;

impl Builder {
    /// Appends an instruction, and returns its register.
    pub(super) fn push(&mut self, site: Site, instruction: Instruction) -> Register {
        self.instructions.push(instruction);
        self.sites.push(site);
        Register((self.parameters + self.instructions.len() - 1) as u32)
    }

    /// Returns the register of an instruction. An instruction with the same key is not repeated.
    pub(super) fn value(&mut self, site: Site, key: Key, instruction: Instruction) -> Register {
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let register = self.push(site, instruction);
        self.values.insert(key, register);
        register
    }

    /// Returns `true` if no parameter occurs in a graph, so that it can be computed once, in the block outside.
    pub(super) fn is_outside(&mut self, g: &Graph) -> bool {
        !self.outermost && !self.mentions.occur_in(g)
    }

    /// Returns the register of a variable: a parameter, or a capture.
    pub(super) fn variable(&mut self, v: Variable, g: &Graph) -> Register {
        if let Some(&known) = self.variables.get(&v) {
            return known;
        }
        let register = self.capture(g);
        self.variables.insert(v, register);
        register
    }

    /// Adds a capture, and returns its register.
    pub(super) fn capture(&mut self, g: &Graph) -> Register {
        self.captures.push(g.clone());
        Register(CAPTURE + self.captures.len() as u32 - 1)
    }
}
