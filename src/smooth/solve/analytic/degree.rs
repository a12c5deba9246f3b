//! Integrands that are polynomials.

use crate::smooth::graph::{Binary, Unary};
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::Branches;
use crate::smooth::machine::switch::Switch;
use crate::smooth::program::{Block, Instruction, Register};

/// The degree of a block as a polynomial in its parameter, where it is seen to be one on the sides that are given.
pub(super) fn degree(block: &Block, captures: usize, given: &[(Switch, Branch)]) -> Option<u32> {
    let mut results: Vec<u32> = Vec::with_capacity(block.instructions.len());
    let of = |results: &[u32], register: Register| match register.0 as usize {
        0 => 1,
        index if index <= captures => 0,
        index => results[index - 1 - captures],
    };
    let given = Branches::forced(given.to_vec());
    for (index, instruction) in block.instructions.iter().enumerate() {
        let get = |register: &Register| of(&results, *register);
        let side = |index, left, right| match given.of(index)? {
            Branch::Left => Some(get(left)),
            Branch::Right => Some(get(right)),
            Branch::Undecided => None,
        };
        let degree = match instruction {
            Instruction::Constant(_) => 0,
            Instruction::Unary(Unary::Negate, x) | Instruction::Guard(x) => get(x),
            Instruction::Unary(Unary::Abs, x) if given.of(index).is_some() => get(x),
            Instruction::Binary(Binary::Maximum | Binary::Minimum, x, y) => side(index, x, y)?,
            Instruction::Select { guard, then, otherwise } => {
                side((guard.0 as usize).checked_sub(1 + captures)?, then, otherwise)?
            }
            Instruction::Binary(Binary::Add | Binary::Subtract, x, y) => get(x).max(get(y)),
            Instruction::Binary(Binary::Multiply, x, y) => get(x).saturating_add(get(y)),
            Instruction::Binary(Binary::Divide, x, y) if get(y) == 0 => get(x),
            Instruction::Power(x, e) if e.denominator == 1 => get(x).saturating_mul(u32::try_from(e.numerator).ok()?),
            _ => return None,
        };
        results.push(degree);
    }
    Some(of(&results, *block.outputs.first()?))
}
