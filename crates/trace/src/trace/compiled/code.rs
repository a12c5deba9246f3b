//! Instructions of a register machine. A program is compiled to them once, and run any number of times.

use crate::number::Rational;
use crate::trace::number::FastOperation;
use crate::trace::operation::{OperationSymbol, PredicateSymbol};
use crate::trace::term::SourceId;
use std::sync::Arc;

/// An index into the frame of a function; from [`FIRST_CONSTANT`] on, an index into the constants.
pub(super) type RegisterIndex = u32;

/// The first index of a constant. A choice: half of the range each.
pub(super) const FIRST_CONSTANT: RegisterIndex = 1 << 31;

/// The code of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OperationCode {
    /// An arithmetic operation, with a fast path.
    Fast(FastOperation),
    /// An index into the list of operations of the [`CompiledCode`].
    Listed(u32),
}

impl OperationCode {
    pub(super) const ADD: OperationCode = OperationCode::Fast(FastOperation::Add);
    pub(super) const NEGATE: OperationCode = OperationCode::Fast(FastOperation::Negate);
    pub(super) const MULTIPLY: OperationCode = OperationCode::Fast(FastOperation::Multiply);
}

/// A list of registers, by its start in the lists of the function.
pub(super) type ListStart = u32;

/// An instruction. Results go to consecutive registers, of which the first is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum MachineInstruction {
    /// Copies a register.
    Move { to: RegisterIndex, from: RegisterIndex },
    /// Computes an operation. One without two arguments repeats an argument, or names an arbitrary constant.
    Operate { step: OperationCode, to: RegisterIndex, arguments: [RegisterIndex; 2], site: SourceId },
    /// Continues with the next instruction if the predicate holds, and at `otherwise` if it fails.
    Branch { predicate: PredicateSymbol, arguments: [RegisterIndex; 2], otherwise: u32, site: SourceId },
    /// Continues at another instruction.
    Jump(u32),
    /// Calls a function; its results are stored from `to` on.
    Call { function: u32, arguments: ListStart, to: RegisterIndex },
    /// A tail call. The frame is reused; the arguments are in its first registers.
    TailCall(u32),
    /// Returns from a function, with the values of a list of registers.
    Return { from: ListStart },
    /// The derivative `M.rd_L(x. N)`. N is a function of x and of its other free variables; `arguments` are L and
    /// these.
    Reverse { body: u32, arguments: ListStart, cotangent: ListStart, to: RegisterIndex },
}

/// A function on real numbers. The number of its parameters counts real numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct CompiledFunction {
    pub(super) parameters: u32,
    pub(super) results: u32,
    /// The size of its frame. The parameters are the first registers.
    pub(super) registers: u32,
    /// For the body of a derivative: the number of parameters in which it is differentiated. They are the first ones.
    pub(super) differentiated: u32,
    pub(super) instructions: Vec<MachineInstruction>,
    pub(super) lists: Vec<RegisterIndex>,
}

impl CompiledFunction {
    /// Returns the registers of a list of `count`.
    #[inline]
    pub(super) fn registers_of(&self, first: ListStart, count: u32) -> &[RegisterIndex] {
        &self.lists[first as usize..(first + count) as usize]
    }
}

/// Compiled functions, with the constants and operations that they use.
#[derive(Clone, Debug, Default)]
pub(super) struct CompiledCode {
    pub(super) functions: Vec<Arc<CompiledFunction>>,
    pub(super) constants: Vec<Rational>,
    pub(super) operations: Vec<OperationSymbol>,
}
