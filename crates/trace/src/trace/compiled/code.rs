//! Instructions of a machine with registers: what a program is made into once, and run from any number of times.

use crate::number::Rational;
use crate::trace::number::Arithmetic;
use crate::trace::operation::{Operation, Predicate};
use crate::trace::term::Site;
use std::sync::Arc;

/// A number of the frame of a function, or from [`CONSTANTS`] on a constant.
pub(super) type Register = u32;

/// The first register that is a constant.
pub(super) const CONSTANTS: Register = 1 << 31;

/// An operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Arithmetic(Arithmetic),
    /// One of the list of operations of the [`Code`].
    Other(u32),
}

impl Step {
    pub(super) const ADD: Step = Step::Arithmetic(Arithmetic::Add);
    pub(super) const NEGATE: Step = Step::Arithmetic(Arithmetic::Negate);
    pub(super) const MULTIPLY: Step = Step::Arithmetic(Arithmetic::Multiply);
}

/// A list of registers: where it begins in the list of the function.
pub(super) type List = u32;

/// One instruction. Results go to registers that stand side by side, and are given by the first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Move {
        to: Register,
        from: Register,
    },
    /// What has fewer than two arguments repeats one.
    Operate {
        step: Step,
        to: Register,
        arguments: [Register; 2],
        site: Site,
    },
    /// Goes on where the predicate holds, and elsewhere if it fails.
    Branch {
        predicate: Predicate,
        arguments: [Register; 2],
        otherwise: u32,
        site: Site,
    },
    Jump(u32),
    Call {
        function: u32,
        arguments: List,
        to: Register,
    },
    /// A call whose result is that of the function: the frame is used again, and the arguments stand at its beginning.
    Repeat(u32),
    Return {
        from: List,
    },
    /// `M.rd_L(x. N)`: N is a function of x and of what it mentions besides, L and these are its arguments.
    Reverse {
        body: u32,
        arguments: List,
        cotangent: List,
        to: Register,
    },
}

/// A function of real numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) parameters: u32,
    pub(super) results: u32,
    /// How many numbers its frame has, the parameters first.
    pub(super) registers: u32,
    /// For the body of a derivative: how many of the parameters it is differentiated in, the first ones.
    pub(super) moving: u32,
    pub(super) instructions: Vec<Instruction>,
    pub(super) lists: Vec<Register>,
}

impl Function {
    /// The registers of a list of so many.
    #[inline]
    pub(super) fn list(&self, first: List, count: u32) -> &[Register] {
        &self.lists[first as usize..(first + count) as usize]
    }
}

/// Functions, and the constants and operations that they mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) functions: Vec<Arc<Function>>,
    pub(super) constants: Vec<Rational>,
    pub(super) operations: Vec<Operation>,
}
