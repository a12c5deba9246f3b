//! The min/max tree of a block: the path of max, min and negation from a number to the block's output, for alpha-beta pruning.

use super::{Instruction, Register};
use crate::smooth::graph::{Binary, Unary};

/// The only use of a number, if it is a node of the min/max tree or the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Above {
    /// The single output of the block.
    Output,
    /// The operand of a negation, the step given.
    Negation(usize),
    /// An argument of a maximum.
    Maximum {
        /// The step of the maximum.
        step: usize,
        /// The other argument.
        rival: Register,
    },
    /// An argument of a minimum.
    Minimum {
        /// The step of the minimum.
        step: usize,
        /// The other argument.
        rival: Register,
    },
}

/// The parent of each step in the min/max tree; `None` for a step with several uses, or with another one.
#[derive(Debug, Default)]
pub struct Rivals {
    above: Box<[Option<Above>]>,
}

impl Rivals {
    /// The number of tree levels that are climbed, at most. A choice: it bounds the recursion.
    pub const HIGHEST: u32 = 64;

    /// Builds the min/max tree of a block whose instructions follow `inputs` registers. It is empty if no instruction runs
    /// a solver.
    #[must_use]
    pub fn new(inputs: usize, instructions: &[Instruction], outputs: &[Register]) -> Self {
        if !instructions.iter().any(Instruction::has_solver) {
            return Self::default();
        }
        let mut uses = vec![0_u32; instructions.len()];
        let mut above = vec![None; instructions.len()];
        // A second use, of whatever kind, makes the first one useless: the number is needed for both.
        let mut note = |r: Register, used: Option<Above>| {
            if let Some(index) = (r.0 as usize).checked_sub(inputs) {
                uses[index] += 1;
                above[index] = used.filter(|_| uses[index] == 1);
            }
        };
        // With several outputs no window is known for any of them.
        outputs.iter().for_each(|r| note(*r, Some(Above::Output).filter(|_| outputs.len() == 1)));
        for (step, instruction) in instructions.iter().enumerate() {
            match instruction {
                Instruction::Unary(Unary::Negate, x) => note(*x, Some(Above::Negation(step))),
                Instruction::Binary(Binary::Maximum, x, y) => {
                    note(*x, Some(Above::Maximum { step, rival: *y }));
                    note(*y, Some(Above::Maximum { step, rival: *x }));
                }
                Instruction::Binary(Binary::Minimum, x, y) => {
                    note(*x, Some(Above::Minimum { step, rival: *y }));
                    note(*y, Some(Above::Minimum { step, rival: *x }));
                }
                other => other.reads(|r, _| note(r, None)),
            }
        }
        Self { above: above.into() }
    }

    /// Returns the only use of a step. Returns `None` if it has several, or one outside of the tree.
    #[must_use]
    pub fn above(&self, step: usize) -> Option<Above> {
        self.above.get(step).copied().flatten()
    }
}
