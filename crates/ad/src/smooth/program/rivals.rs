//! The min/max tree of a block: the path of max, min and negation from a number to the block's output, for alpha-beta pruning.

use super::{BlockInstruction, BlockRegister};
use crate::smooth::graph::{Binary, Unary};

/// The only use of a number, if it is a node of the min/max tree or the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinMaxUse {
    /// The single output of the block.
    Output,
    /// The operand of a negation, the step given.
    Negation(usize),
    /// An argument of a maximum.
    Maximum {
        /// The step of the maximum.
        step: usize,
        /// The other argument.
        rival: BlockRegister,
    },
    /// An argument of a minimum.
    Minimum {
        /// The step of the minimum.
        step: usize,
        /// The other argument.
        rival: BlockRegister,
    },
}

/// The parent of each step in the min/max tree; `None` for a step with several uses, or with another one.
#[derive(Debug, Default)]
pub struct MinMaxTree {
    use_of: Box<[Option<MinMaxUse>]>,
}

impl MinMaxTree {
    /// The number of tree levels that are climbed, at most. A choice: it bounds the recursion.
    pub const HIGHEST: u32 = 64;

    /// Builds the min/max tree of a block whose instructions follow `inputs` registers. It is empty if no instruction runs
    /// a solver.
    #[must_use]
    pub fn new(inputs: usize, instructions: &[BlockInstruction], outputs: &[BlockRegister]) -> Self {
        if !instructions.iter().any(BlockInstruction::has_solver) {
            return Self::default();
        }
        let mut uses = vec![0_u32; instructions.len()];
        let mut above = vec![None; instructions.len()];
        // A second use, of whatever kind, makes the first one useless: the number is needed for both.
        let mut note = |r: BlockRegister, used: Option<MinMaxUse>| {
            if let Some(index) = (r.0 as usize).checked_sub(inputs) {
                uses[index] += 1;
                above[index] = used.filter(|_| uses[index] == 1);
            }
        };
        // With several outputs no window is known for any of them.
        outputs.iter().for_each(|r| note(*r, Some(MinMaxUse::Output).filter(|_| outputs.len() == 1)));
        for (step, instruction) in instructions.iter().enumerate() {
            match instruction {
                BlockInstruction::Unary(Unary::Negate, x) => note(*x, Some(MinMaxUse::Negation(step))),
                BlockInstruction::Binary(Binary::Maximum, x, y) => {
                    note(*x, Some(MinMaxUse::Maximum { step, rival: *y }));
                    note(*y, Some(MinMaxUse::Maximum { step, rival: *x }));
                }
                BlockInstruction::Binary(Binary::Minimum, x, y) => {
                    note(*x, Some(MinMaxUse::Minimum { step, rival: *y }));
                    note(*y, Some(MinMaxUse::Minimum { step, rival: *x }));
                }
                other => other.for_each_read(|r, _| note(r, None)),
            }
        }
        Self { use_of: above.into() }
    }

    /// Returns the only use of a step. Returns `None` if it has several, or one outside of the tree.
    #[must_use]
    pub fn use_of(&self, step: usize) -> Option<MinMaxUse> {
        self.use_of.get(step).copied().flatten()
    }
}
