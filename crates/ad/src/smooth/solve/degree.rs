//! Polynomial integrands, which some quadrature rules integrate exactly.

use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::BranchDecisions;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};

/// Returns the degree of a block as a polynomial in its parameter, the highest of its outputs. Returns `None` unless all
/// outputs are seen to be polynomials on the given sides.
#[must_use]
pub fn polynomial_degree(block: &Block, captures: usize, given: &[(BranchPoint, KinkBranch)]) -> Option<u32> {
    let mut results: Vec<Option<u32>> = Vec::with_capacity(block.instructions.len());
    let of = |results: &[Option<u32>], register: BlockRegister| match register.0 as usize {
        0 => Some(1),
        index if index <= captures => Some(0),
        index => results[index - 1 - captures],
    };
    let given = BranchDecisions::with_forced(given.to_vec());
    for (index, instruction) in block.instructions.iter().enumerate() {
        let get = |register: &BlockRegister| of(&results, *register);
        let side = |index, left, right| match given.forced_branch(index)? {
            KinkBranch::Left => get(left),
            KinkBranch::Right => get(right),
            KinkBranch::Undecided => None,
        };
        // Any other operation on constants is constant.
        let is_constant = || {
            let mut is_constant = true;
            instruction.for_each_read(|register, _| is_constant &= get(&register) == Some(0));
            is_constant
        };
        let both = |x, y, degree: fn(u32, u32) -> u32| Some(degree(get(x)?, get(y)?));
        results.push(match instruction {
            BlockInstruction::Unary(Unary::Negate, x) | BlockInstruction::Guard(x) => get(x),
            BlockInstruction::Unary(Unary::Abs, x) if given.forced_branch(index).is_some() => get(x),
            // Only a given side tells which argument it is.
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y)
                if given.forced_branch(index).is_some() =>
            {
                side(index, x, y)
            }
            BlockInstruction::Select { guard, then, otherwise } => {
                (guard.0 as usize).checked_sub(1 + captures).and_then(|guard| side(guard, then, otherwise))
            }
            BlockInstruction::Binary(Binary::Add | Binary::Subtract, x, y) => both(x, y, u32::max),
            BlockInstruction::Binary(Binary::Multiply, x, y) => both(x, y, u32::saturating_add),
            BlockInstruction::Binary(Binary::Divide, x, y) if get(y) == Some(0) => get(x),
            BlockInstruction::Power(x, e) if e.denominator == 1 && e.numerator > 0 => {
                get(x).map(|degree| degree.saturating_mul(u32::try_from(e.numerator).unwrap_or(u32::MAX)))
            }
            _ => is_constant().then_some(0),
        });
    }
    block.outputs.iter().try_fold(0, |highest, output| Some(highest.max(of(&results, *output)?)))
}
