//! A block under construction.

use crate::smooth::graph::{Binary, Exponent, Graph, Mentions, Site, Unary, Variable};
use crate::smooth::program::shared::Shared;
use crate::smooth::program::{Instruction, Register};
use rustc_hash::FxHashMap;

/// What makes two instructions of one block the same.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum Key {
    Constant(u32),
    Unary(Unary, Register),
    Binary(Binary, Register, Register),
    Power(Register, Exponent),
    Guard(Register),
    Select(Register, Register, Register),
}

/// A block under construction. Captures are numbered apart until their number is known.
pub(super) struct Builder {
    pub(super) parameters: usize,
    pub(super) outermost: bool,
    /// Which graphs mention a parameter.
    pub(super) mentions: Mentions,
    pub(super) known: FxHashMap<usize, Register>,
    pub(super) values: FxHashMap<Key, Register>,
    pub(super) variables: FxHashMap<Variable, Register>,
    pub(super) captures: Vec<Graph>,
    pub(super) instructions: Vec<Instruction>,
    pub(super) sites: Vec<Site>,
    /// The maxima of two optima that may be attained at one place.
    pub(super) shared: Vec<Shared>,
    /// How many sides of choices are being compiled inside each other.
    pub(super) choices: usize,
}

pub(super) const CAPTURE: u32 = 1 << 31;

impl Builder {
    pub(super) fn push(&mut self, site: Site, instruction: Instruction) -> Register {
        self.instructions.push(instruction);
        self.sites.push(site);
        Register((self.parameters + self.instructions.len() - 1) as u32)
    }

    pub(super) fn value(&mut self, site: Site, key: Key, instruction: Instruction) -> Register {
        if let Some(&known) = self.values.get(&key) {
            return known;
        }
        let register = self.push(site, instruction);
        self.values.insert(key, register);
        register
    }

    /// Whether the parameters do not occur in a graph, so that it can be computed once, in the block outside.
    pub(super) fn is_outside(&mut self, g: &Graph) -> bool {
        !self.outermost && !self.mentions.occur_in(g)
    }

    /// A parameter, or what is captured.
    pub(super) fn variable(&mut self, v: Variable, g: &Graph) -> Register {
        if let Some(&known) = self.variables.get(&v) {
            return known;
        }
        let register = self.capture(g);
        self.variables.insert(v, register);
        register
    }

    pub(super) fn capture(&mut self, g: &Graph) -> Register {
        self.captures.push(g.clone());
        Register(CAPTURE + self.captures.len() as u32 - 1)
    }
}
