//! The work of single steps at high precision.

use super::Machine;
use crate::number::context::Function;
use crate::number::work;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::Hooked;
use crate::smooth::program::{Constant, Instruction, Register};

impl<C: Hooked> Machine<'_, C> {
    /// Spends the work units of an instruction at high precision, beyond those counted with its block.
    ///
    /// Returns `false` if the budget does not allow it. `value` returns the number in a register, if there is one.
    pub(super) fn can_afford<'n>(
        &self,
        instruction: &Instruction,
        value: impl Fn(Register) -> Option<&'n C::Num>,
    ) -> bool {
        let bits = self.context.precision();
        // Up to one limb no step costs more than the block has been charged for it.
        if bits <= 64 {
            return true;
        }
        let limbs = work::limbs(bits);
        let units = match instruction {
            Instruction::Unary(Unary::Function(f), x) => {
                // An unbounded argument is not reduced modulo π, so its size costs nothing.
                let size = value(*x).map(|x| self.context.magnitude(x)).filter(|size| size.is_finite());
                let exponent = size.map_or(0, |size| size.log2());
                work::function(*f, limbs, exponent)
            }
            Instruction::Binary(Binary::Multiply, ..) => 2 * work::product(limbs),
            Instruction::Binary(Binary::Divide, ..) => 2 * work::quotient(limbs),
            Instruction::Binary(Binary::Planar(_), ..) => work::planar(limbs),
            Instruction::Power(_, e) => {
                let power = work::power(limbs, e.numerator.unsigned_abs());
                2 * work::root(limbs, e.denominator).saturating_add(power)
            }
            _ => 0,
        };
        // Cheap steps have been counted with the block. 16 units for each of at least 32 limbs is a choice.
        units <= 16 * limbs.max(32) || self.effort.budget.spend(units)
    }
}

/// Returns the work units to round `constant` to `bits` bits; 0 if it is short.
pub(super) fn conversion(constant: &Constant, bits: u32) -> u64 {
    match constant {
        Constant::Rational(q) => {
            let size = q.numer().significant_bits().saturating_add(q.denom().significant_bits());
            // 4096 bits is a choice: shorter constants are converted free of charge.
            if size <= 1 << 12 { 0 } else { work::product(work::limbs(size.saturating_add(bits))) }
        }
        Constant::Pi | Constant::Euler if bits <= 1 << 11 => 0,
        Constant::Pi | Constant::Euler => work::function(Function::Exp, work::limbs(bits), 0),
    }
}
