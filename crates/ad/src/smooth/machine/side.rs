//! The side of a possible discontinuity from which another branch point is evaluated.
//!
//! Nothing jumps at a kink. At the border of a guard or a signum, a number may jump that is computed from the choice made
//! there. It need not have the same sign on both sides. `p ∧ q` is q on one side of the zero of p and a negative constant
//! on the other. Only the side of q needs to be evaluated.

use super::JetEvaluator;
use super::switch::BranchPoint;
use crate::smooth::graph::Unary;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};

/// The signs of a register left and right of the border, where they are the same for all inputs.
type SidedSigns = [KinkBranch; 2];

/// No sign is known on either side.
const UNKNOWN: SidedSigns = [KinkBranch::Undecided; 2];

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Returns the side of the zero of `root` on which `switch` is to be evaluated. Both are instructions of the block itself.
    ///
    /// Returns `None` if the number of `switch` may jump there and no side has a known sign.
    #[must_use]
    pub(in crate::smooth) fn side_to_evaluate(
        &self,
        block: &Block,
        root: BranchPoint,
        switch: BranchPoint,
    ) -> Option<KinkBranch> {
        let [root_at, switch_at] = [root, switch].map(BranchPoint::instruction);
        let inputs = block.parameters + block.captures;
        let place = |r: BlockRegister| (r.0 as usize).checked_sub(inputs);
        // For each register: `true` if it depends on the choice made at the root, and its signs.
        let mut known: Vec<(bool, SidedSigns)> = Vec::with_capacity(switch_at + 1);
        // Forward constant propagation of signs, once for either side of the border.
        for (index, instruction) in block.instructions.iter().enumerate().take(switch_at + 1) {
            let signs = |r: &BlockRegister| place(*r).map_or(UNKNOWN, |part| known[part].1);
            let mut jumps = index == root_at;
            // Whatever reads a value that may jump may jump too.
            instruction.for_each_read(|r, _| jumps |= place(r).is_some_and(|part| known[part].0));
            let own = match instruction {
                BlockInstruction::Guard(_) | BlockInstruction::Unary(Unary::Signum, _) if index == root_at => {
                    [KinkBranch::Left, KinkBranch::Right]
                }
                BlockInstruction::Constant(c) => {
                    [KinkBranch::from_sign(self.context.sign(&self.constants[*c as usize])); 2]
                }
                BlockInstruction::Unary(Unary::Negate, x) => signs(x).map(KinkBranch::opposite),
                BlockInstruction::Guard(x) | BlockInstruction::Unary(Unary::Signum, x) => signs(x),
                BlockInstruction::Select { guard, then, otherwise } => {
                    let side = |side: usize| match signs(guard)[side] {
                        KinkBranch::Left => signs(then)[side],
                        KinkBranch::Right => signs(otherwise)[side],
                        KinkBranch::Undecided => KinkBranch::Undecided,
                    };
                    [side(0), side(1)]
                }
                _ => UNKNOWN,
            };
            known.push((jumps, own));
        }
        let &(jumps, signs) = known.last()?;
        // Without a jump both sides give the same number; only skipped regions matter.
        if !jumps || !block.is_border(root) {
            return Some(block.regions.side_of(root_at, switch_at).unwrap_or(KinkBranch::Left));
        }
        // A side with a constant sign has no zero of `switch`: the other one is evaluated.
        match signs {
            [KinkBranch::Undecided, KinkBranch::Undecided] => None,
            [_, KinkBranch::Undecided] => Some(KinkBranch::Right),
            _ => Some(KinkBranch::Left),
        }
    }
}
