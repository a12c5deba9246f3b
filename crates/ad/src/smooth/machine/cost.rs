//! The work of single steps at high precision.

use super::JetEvaluator;
use crate::number::context::Function;
use crate::number::work;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::program::{BlockInstruction, BlockRegister, ExactConstant};

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Spends the work units of an instruction at high precision, beyond those counted with its block.
    ///
    /// Returns `false` if the budget does not allow it. `value` returns the number in a register, if there is one.
    pub(super) fn can_afford<'n>(
        &self,
        instruction: &BlockInstruction,
        value: impl Fn(BlockRegister) -> Option<&'n C::Num>,
    ) -> bool {
        let bits = self.context.precision();
        // Up to one limb no step costs more than the block has been charged for it.
        if bits <= 64 {
            return true;
        }
        let limbs = work::limb_count(bits);
        let units = match instruction {
            BlockInstruction::Unary(Unary::Function(f), x) => {
                // An unbounded argument is not reduced modulo π, so its size costs nothing.
                let size = value(*x).map(|x| self.context.magnitude(x)).filter(|size| size.is_finite());
                let exponent = size.map_or(0, |size| size.floor_log2());
                work::function_units(*f, limbs, exponent)
            }
            BlockInstruction::Binary(Binary::Multiply, ..) => 2 * work::product_units(limbs),
            BlockInstruction::Binary(Binary::Divide, ..) => 2 * work::quotient_units(limbs),
            BlockInstruction::Binary(Binary::Planar(_), ..) => work::binary_function_units(limbs),
            BlockInstruction::Power(_, e) => {
                let power = work::power_units(limbs, e.numerator.unsigned_abs());
                2 * work::root_units(limbs, e.denominator).saturating_add(power)
            }
            _ => 0,
        };
        // Cheap steps have been counted with the block. 16 units for each of at least 32 limbs is a choice.
        units <= 16 * limbs.max(32) || self.effort.budget.spend(units)
    }
}

/// Returns the work units to round `constant` to `bits` bits; 0 if it is short.
pub(super) fn rounding_work(constant: &ExactConstant, bits: u32) -> u64 {
    match constant {
        ExactConstant::Rational(q) => {
            let size = q.numer().significant_bits().saturating_add(q.denom().significant_bits());
            // 4096 bits is a choice: shorter constants are converted free of charge.
            if size <= 1 << 12 { 0 } else { work::product_units(work::limb_count(size.saturating_add(bits))) }
        }
        ExactConstant::Pi | ExactConstant::Euler if bits <= 1 << 11 => 0,
        ExactConstant::Pi | ExactConstant::Euler => work::function_units(Function::Exp, work::limb_count(bits), 0),
    }
}
