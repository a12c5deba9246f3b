//! A block under construction.

use crate::smooth::graph::{Binary, FreeOccurrences, Graph, RationalExponent, SourceId, Unary, Variable};
use crate::smooth::program::shared::TiedMaxima;
use crate::smooth::program::{BlockInstruction, BlockRegister};
use rustc_hash::FxHashMap;

/// The key of value numbering: two instructions of one block with equal keys are the same.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum InstructionKey {
    Constant(u32),
    Unary(Unary, BlockRegister),
    Binary(Binary, BlockRegister, BlockRegister),
    Power(BlockRegister, RationalExponent),
    Guard(BlockRegister),
    Select(BlockRegister, BlockRegister, BlockRegister),
}

/// A block under construction. Captures have a numbering of their own until their count is known.
pub(super) struct BlockBuilder {
    /// The number of parameters.
    pub(super) parameters: usize,
    /// `true` for the block of the program itself, which captures nothing but unbound variables.
    pub(super) outermost: bool,
    /// The graphs that mention a parameter.
    pub(super) mentions: FreeOccurrences,
    /// The registers of shared nodes, by address.
    pub(super) known: FxHashMap<usize, BlockRegister>,
    /// The registers of instructions, by value number.
    pub(super) values: FxHashMap<InstructionKey, BlockRegister>,
    /// The registers of variables.
    pub(super) variables: FxHashMap<Variable, BlockRegister>,
    /// The captured graphs, in the order of their registers.
    pub(super) captures: Vec<Graph>,
    /// The instructions.
    pub(super) instructions: Vec<BlockInstruction>,
    /// Their source positions.
    pub(super) sites: Vec<SourceId>,
    /// Pairs of maxima that may be attained at a common end.
    pub(super) shared: Vec<TiedMaxima>,
    /// The number of choices around the node that is being compiled.
    pub(super) choices: usize,
}

/// The first register of captures during construction: above any register of a result.
pub(super) const CAPTURE: u32 = 1 << 31;

impl BlockBuilder {
    /// Appends an instruction, and returns its register.
    pub(super) fn push(&mut self, site: SourceId, instruction: BlockInstruction) -> BlockRegister {
        self.instructions.push(instruction);
        self.sites.push(site);
        BlockRegister((self.parameters + self.instructions.len() - 1) as u32)
    }

    /// Returns the register of an instruction. An instruction with the same key is not repeated.
    pub(super) fn number_value(
        &mut self,
        site: SourceId,
        key: InstructionKey,
        instruction: BlockInstruction,
    ) -> BlockRegister {
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
    pub(super) fn register_variable(&mut self, v: Variable, g: &Graph) -> BlockRegister {
        if let Some(&known) = self.variables.get(&v) {
            return known;
        }
        let register = self.add_capture(g);
        self.variables.insert(v, register);
        register
    }

    /// Adds a capture, and returns its register.
    pub(super) fn add_capture(&mut self, g: &Graph) -> BlockRegister {
        self.captures.push(g.clone());
        BlockRegister(CAPTURE + self.captures.len() as u32 - 1)
    }
}
