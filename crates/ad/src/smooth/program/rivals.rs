//! What a number competes with: the tree of max, min and negation that leads from it to the output of its block.

use super::{Instruction, Register};
use crate::smooth::graph::{Binary, Unary};

/// The one thing that a number is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Above {
    /// It is the one output.
    Output,
    /// It is negated, by this step.
    Negation(usize),
    /// It is compared with another number, and the greater one taken.
    Maximum {
        /// By this step.
        step: usize,
        /// The other number.
        rival: Register,
    },
    /// It is compared with another number, and the less one taken.
    Minimum {
        /// By this step.
        step: usize,
        /// The other number.
        rival: Register,
    },
}

/// The one use of each step that has only one, of this kind.
#[derive(Debug, Default)]
pub struct Rivals {
    above: Box<[Option<Above>]>,
}

impl Rivals {
    /// More steps up than this are not looked at.
    pub const HIGHEST: u32 = 64;

    /// What the steps of a block are used for, with so many inputs before them; nothing where nothing is searched for.
    #[must_use]
    pub fn new(inputs: usize, instructions: &[Instruction], outputs: &[Register]) -> Self {
        if !instructions.iter().any(Instruction::has_solver) {
            return Self::default();
        }
        let mut uses = vec![0_u32; instructions.len()];
        let mut above = vec![None; instructions.len()];
        let mut note = |r: Register, used: Option<Above>| {
            if let Some(index) = (r.0 as usize).checked_sub(inputs) {
                uses[index] += 1;
                above[index] = used.filter(|_| uses[index] == 1);
            }
        };
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

    /// What a step is used for, where it is one such thing.
    #[must_use]
    pub fn above(&self, step: usize) -> Option<Above> {
        self.above.get(step).copied().flatten()
    }
}
