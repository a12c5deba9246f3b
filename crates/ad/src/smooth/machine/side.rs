//! From which side of a border another switch is looked at where the border is.
//!
//! At a kink nothing jumps. At a border a number may jump that is computed from what is chosen there, so that it need not have one sign on
//! both sides. Of `p ∧ q` it is q on one side and a negative constant on the other: only the first needs to be asked for.

use super::Machine;
use super::switch::Switch;
use crate::smooth::graph::Unary;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::program::{Block, Instruction, Register};

/// The signs of a register, as far as they are the same for all inputs, on the left and on the right of a border.
type Signs = [Branch; 2];

const UNKNOWN: Signs = [Branch::Undecided; 2];

impl<C: Hooked> Machine<'_, C> {
    /// The side of the zero of a switch on which another one is looked at there; nothing where its number may be another one on either
    /// side. Both are instructions of the block itself.
    #[must_use]
    pub(in crate::smooth) fn side_seen(&self, block: &Block, root: Switch, switch: Switch) -> Option<Branch> {
        let [root_at, switch_at] = [root, switch].map(Switch::instruction);
        let inputs = block.parameters + block.captures;
        let place = |r: Register| (r.0 as usize).checked_sub(inputs);
        // whether each register is computed from what is chosen at the root, and its signs
        let mut known: Vec<(bool, Signs)> = Vec::with_capacity(switch_at + 1);
        for (index, instruction) in block.instructions.iter().enumerate().take(switch_at + 1) {
            let signs = |r: &Register| place(*r).map_or(UNKNOWN, |part| known[part].1);
            let mut jumps = index == root_at;
            instruction.reads(|r, _| jumps |= place(r).is_some_and(|part| known[part].0));
            let own = match instruction {
                Instruction::Guard(_) | Instruction::Unary(Unary::Signum, _) if index == root_at => {
                    [Branch::Left, Branch::Right]
                }
                Instruction::Constant(c) => [Branch::of(self.context.sign(&self.constants[*c as usize])); 2],
                Instruction::Unary(Unary::Negate, x) => signs(x).map(Branch::other),
                Instruction::Guard(x) | Instruction::Unary(Unary::Signum, x) => signs(x),
                Instruction::Select { guard, then, otherwise } => {
                    let side = |side: usize| match signs(guard)[side] {
                        Branch::Left => signs(then)[side],
                        Branch::Right => signs(otherwise)[side],
                        Branch::Undecided => Branch::Undecided,
                    };
                    [side(0), side(1)]
                }
                _ => UNKNOWN,
            };
            known.push((jumps, own));
        }
        let &(jumps, signs) = known.last()?;
        if !jumps || !block.is_border(root) {
            return Some(block.regions.side_of(root_at, switch_at).unwrap_or(Branch::Left));
        }
        match signs {
            [Branch::Undecided, Branch::Undecided] => None,
            [_, Branch::Undecided] => Some(Branch::Right),
            _ => Some(Branch::Left),
        }
    }
}
