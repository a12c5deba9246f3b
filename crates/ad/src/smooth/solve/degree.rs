//! Polynomial integrands, which some quadrature rules integrate exactly.

use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::Branches;
use crate::smooth::machine::switch::Switch;
use crate::smooth::program::{Block, Instruction, Register};

/// Returns the degree of a block as a polynomial in its parameter, the highest of its outputs. Returns `None` unless all
/// outputs are seen to be polynomials on the given sides.
#[must_use]
pub fn degree(block: &Block, captures: usize, given: &[(Switch, Branch)]) -> Option<u32> {
    let mut results: Vec<Option<u32>> = Vec::with_capacity(block.instructions.len());
    let of = |results: &[Option<u32>], register: Register| match register.0 as usize {
        0 => Some(1),
        index if index <= captures => Some(0),
        index => results[index - 1 - captures],
    };
    let given = Branches::forced(given.to_vec());
    for (index, instruction) in block.instructions.iter().enumerate() {
        let get = |register: &Register| of(&results, *register);
        let side = |index, left, right| match given.of(index)? {
            Branch::Left => get(left),
            Branch::Right => get(right),
            Branch::Undecided => None,
        };
        // Any other operation on constants is constant.
        let is_constant = || {
            let mut is_constant = true;
            instruction.reads(|register, _| is_constant &= get(&register) == Some(0));
            is_constant
        };
        let both = |x, y, degree: fn(u32, u32) -> u32| Some(degree(get(x)?, get(y)?));
        results.push(match instruction {
            Instruction::Unary(Unary::Negate, x) | Instruction::Guard(x) => get(x),
            Instruction::Unary(Unary::Abs, x) if given.of(index).is_some() => get(x),
            // Only a given side tells which argument it is.
            Instruction::Binary(Binary::Maximum | Binary::Minimum, x, y) if given.of(index).is_some() => {
                side(index, x, y)
            }
            Instruction::Select { guard, then, otherwise } => {
                (guard.0 as usize).checked_sub(1 + captures).and_then(|guard| side(guard, then, otherwise))
            }
            Instruction::Binary(Binary::Add | Binary::Subtract, x, y) => both(x, y, u32::max),
            Instruction::Binary(Binary::Multiply, x, y) => both(x, y, u32::saturating_add),
            Instruction::Binary(Binary::Divide, x, y) if get(y) == Some(0) => get(x),
            Instruction::Power(x, e) if e.denominator == 1 && e.numerator > 0 => {
                get(x).map(|degree| degree.saturating_mul(u32::try_from(e.numerator).unwrap_or(u32::MAX)))
            }
            _ => is_constant().then_some(0),
        });
    }
    block.outputs.iter().try_fold(0, |highest, output| Some(highest.max(of(&results, *output)?)))
}
