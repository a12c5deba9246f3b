//! Instructions of a register machine. A program is compiled to them once, and run any number of times.

use crate::number::Rational;
use crate::trace::number::Arithmetic;
use crate::trace::operation::{Operation, Predicate};
use crate::trace::term::Site;
use std::sync::Arc;

/// An index into the frame of a function; from [`CONSTANTS`] on, an index into the constants.
pub(super) type Register = u32;

/// The first index of a constant. A choice: half of the range each.
pub(super) const CONSTANTS: Register = 1 << 31;

/// The code of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// An arithmetic operation, with a fast path.
    Arithmetic(Arithmetic),
    /// An index into the list of operations of the [`Code`].
    Other(u32),
}

impl Step {
    pub(super) const ADD: Step = Step::Arithmetic(Arithmetic::Add);
    pub(super) const NEGATE: Step = Step::Arithmetic(Arithmetic::Negate);
    pub(super) const MULTIPLY: Step = Step::Arithmetic(Arithmetic::Multiply);
}

/// A list of registers, by its start in the lists of the function.
pub(super) type List = u32;

/// An instruction. Results go to consecutive registers, of which the first is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// Copies a register.
    Move { to: Register, from: Register },
    /// Computes an operation. One without two arguments repeats an argument, or names an arbitrary constant.
    Operate { step: Step, to: Register, arguments: [Register; 2], site: Site },
    /// Continues with the next instruction if the predicate holds, and at `otherwise` if it fails.
    Branch { predicate: Predicate, arguments: [Register; 2], otherwise: u32, site: Site },
    /// Continues at another instruction.
    Jump(u32),
    /// Calls a function; its results are stored from `to` on.
    Call { function: u32, arguments: List, to: Register },
    /// A tail call. The frame is reused; the arguments are in its first registers.
    Repeat(u32),
    /// Returns from a function, with the values of a list of registers.
    Return { from: List },
    /// The derivative `M.rd_L(x. N)`. N is a function of x and of its other free variables; `arguments` are L and
    /// these.
    Reverse { body: u32, arguments: List, cotangent: List, to: Register },
}

/// A function on real numbers. The number of its parameters counts real numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) parameters: u32,
    pub(super) results: u32,
    /// The size of its frame. The parameters are the first registers.
    pub(super) registers: u32,
    /// For the body of a derivative: the number of parameters in which it is differentiated. They are the first ones.
    pub(super) moving: u32,
    pub(super) instructions: Vec<Instruction>,
    pub(super) lists: Vec<Register>,
}

impl Function {
    /// Returns the registers of a list of `count`.
    #[inline]
    pub(super) fn list(&self, first: List, count: u32) -> &[Register] {
        &self.lists[first as usize..(first + count) as usize]
    }
}

/// Compiled functions, with the constants and operations that they use.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) functions: Vec<Arc<Function>>,
    pub(super) constants: Vec<Rational>,
    pub(super) operations: Vec<Operation>,
}
