//! The strategy `tape`: a program as instructions for a machine with registers, and its derivatives by one sweep back through
//! what it has done.
//!
//! The values and derivatives are those of the [relations](super::evaluation), definedness included
//! (`law::trace::tape_is_accumulated`); no trace is written down. Pairs are taken
//! apart, a last call is a jump, and so a loop takes constant memory. In reverse it takes that of √T of its T turns: the states
//! of some of them are kept, and what lies between is run again from there.
//!
//! | chapter | what it holds |
//! |---|---|
//! | `code`, `lower` | instructions, and how terms become these |
//! | `machine`, `block` | how they are run |
//! | `derivative` | derivatives while they are run |
//! | `tape`, `sweep` | what a run has done, and the way back |
//! | `repeat` | loops on a tape |
//! | `undo` | the way back through turns that call nothing |

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

/// How many nodes a function may put on the tape before the rest of its turns become a loop.
const LONGEST: u32 = 1 << 14;

/// A map ℝⁿ ⇀ ℝᵐ, as instructions.
#[derive(Clone, Debug)]
pub struct Compiled {
    code: Code,
    entry: u32,
    inputs: usize,
    outputs: usize,
    longest: u32,
}

impl Compiled {
    /// The map of a program: from the numbers of its parameters to those of its value, both from left to right.
    ///
    /// # Errors
    /// [`Obstacle::Limited`] for a limited recursion; [`Obstacle::Stuck`] for a term that has no type.
    pub fn of(program: &Program) -> Result<Self, Obstacle> {
        let mut code = Code::default();
        let entry = Lowering::new(&mut code).function(&program.parameters, &program.term)?;
        let inputs = program.parameters.iter().map(|(_, ty)| ty.dimension()).sum();
        Ok(Compiled { code, entry, inputs, outputs: program.ty.dimension(), longest: LONGEST })
    }

    /// With another bound on what a function may put on the tape before the rest of its turns become a loop: so many nodes,
    /// 2¹⁴ where nothing is said.
    #[must_use]
    pub fn keeping(self, nodes: u32) -> Self {
        Compiled { longest: nodes, ..self }
    }

    /// n
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// m
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The value at a point of n numbers.
    ///
    /// # Errors
    /// [`Obstacle::Undefined`], at the place of what has no value, or where the time or the memory is used up;
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

    /// The value at a point, and `Jᵗ·w` there.
    ///
    /// # Errors
    /// Those of [`Compiled::value`], for the cotangent too.
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

fn fits(expected: usize, found: usize) -> Result<(), Obstacle> {
    if expected == found { Ok(()) } else { Err(Obstacle::Stuck { construct: "a point of another dimension" }) }
}

/// `op_r`, as a function of the arguments, the value and the cotangent: its number.
fn pullback(code: &mut Code, operation: &Operation) -> Result<u32, Obstacle> {
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
