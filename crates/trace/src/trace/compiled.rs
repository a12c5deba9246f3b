//! The strategy `tape`: a program as instructions of a register machine, differentiated by a reverse sweep over a tape
//! of what it did.
//!
//! Values and derivatives are those of the [relations](super::evaluation), definedness included
//! (`law::trace::tape_is_accumulated`). No trace is written as a term. Pairs are split into registers, and a tail call
//! is a jump, so a loop runs in constant memory. In reverse mode a loop of T iterations keeps about √T states, and the
//! iterations between two of them are run again from the first.
//!
//! | chapter | what it holds |
//! |---|---|
//! | `code`, `lower` | instructions, and the compilation of terms |
//! | `machine`, `block` | the interpreter of instructions |
//! | `derivative` | derivatives within programs |
//! | `tape`, `sweep` | the tape, and the reverse sweep |
//! | `repeat` | checkpointed loops on a tape |
//! | `undo` | an undo log for iterations without calls |

mod block;
mod code;
mod derivative;
mod lower;
mod machine;
mod repeat;
mod sweep;
mod tape;
mod undo;

use super::embed::Program;
use super::error::Obstacle;
use super::number::Numbers;
use super::operation::Operation;
use super::term::{Term, Variable};
use crate::number::budget::Budget;
use code::{Code, Function};
use lower::Lowering;
use machine::{Machine, Turns};
use std::sync::Arc;
use tape::Slot;

/// The number of nodes that a function may put on the tape before its remaining iterations become a checkpointed loop.
/// A choice: it trades the memory of the tape for iterations that run twice.
const LONGEST: u32 = 1 << 14;

/// A partial map ℝⁿ ⇀ ℝᵐ, as instructions.
#[derive(Clone, Debug)]
pub struct Compiled {
    code: Code,
    entry: u32,
    inputs: usize,
    outputs: usize,
    longest: u32,
}

impl Compiled {
    /// Compiles a program to the map from the numbers of its parameters to those of its value, both from left to right.
    ///
    /// # Errors
    /// [`Obstacle::Limited`] for a limited recursion; [`Obstacle::Stuck`] for an ill-typed term.
    pub fn of(program: &Program) -> Result<Self, Obstacle> {
        let mut code = Code::default();
        let entry = Lowering::new(&mut code).function(&program.parameters, &program.term)?;
        let inputs = program.parameters.iter().map(|(_, ty)| ty.dimension()).sum();
        Ok(Compiled { code, entry, inputs, outputs: program.ty.dimension(), longest: LONGEST })
    }

    /// Replaces the number of nodes that a function may put on the tape before its remaining iterations become a loop.
    /// The default is 2¹⁴.
    #[must_use]
    pub fn keeping(self, nodes: u32) -> Self {
        Compiled { longest: nodes, ..self }
    }

    /// Returns n, the number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Returns m, the number of outputs.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Returns the value at a point of n numbers.
    ///
    /// # Errors
    /// [`Obstacle::Undefined`] at the position of an operation without value, or if time or memory is used up.
    /// [`Obstacle::Stuck`] for a point of another dimension.
    pub fn value<N: Numbers>(
        &self,
        numbers: &N,
        budget: &Budget,
        point: &[N::Number],
    ) -> Result<Vec<N::Number>, Obstacle> {
        fits(self.inputs, point.len())?;
        let arguments = point.iter().cloned().map(Slot::constant).collect();
        let mut machine = Machine::new(numbers, budget, &self.code, self.longest);
        let found = machine.run::<false>(self.entry, arguments, Turns::All).map_err(|stop| *stop)?;
        Ok(found.slots().into_iter().map(|slot| slot.value).collect())
    }

    /// Returns the value at a point, and the pullback `Jᵗ·w` of the cotangent w there.
    ///
    /// # Errors
    /// As [`Compiled::value`]; the cotangent must have m numbers.
    pub fn reverse<N: Numbers>(
        &self,
        numbers: &N,
        budget: &Budget,
        point: &[N::Number],
        cotangent: &[N::Number],
    ) -> Result<[Vec<N::Number>; 2], Obstacle> {
        fits(self.inputs, point.len())?;
        fits(self.outputs, cotangent.len())?;
        let mut machine = Machine::new(numbers, budget, &self.code, self.longest);
        machine.differentiated(self.entry, point.to_vec(), cotangent.to_vec()).map_err(|stop| *stop)
    }
}

/// Checks a dimension.
fn fits(expected: usize, found: usize) -> Result<(), Obstacle> {
    if expected == found { Ok(()) } else { Err(Obstacle::Stuck { construct: "a point of another dimension" }) }
}

/// Compiles `op_r` as a function of the arguments, the value and the cotangent. Returns its number.
fn pullback(code: &mut Code, operation: &Operation) -> Result<u32, Obstacle> {
    // An operation has at most two arguments x and y; v is its value, w its cotangent.
    let names = ["x", "y", "v", "w"].map(|name| Variable::fresh(&name.into()));
    let [x, y, v, w] = &names;
    let arguments = &[x.clone(), y.clone()][..operation.arity()];
    let terms: Vec<Term> = arguments.iter().map(Term::variable).collect();
    let components = operation.pullback(&terms, &Term::variable(v), &Term::variable(w));
    let parameters: Vec<_> = arguments.iter().chain([v, w]).cloned().collect();
    let function: Function = Lowering::new(code).components(&parameters, &components)?;
    code.functions.push(Arc::new(function));
    Ok(code.functions.len() as u32 - 1)
}
