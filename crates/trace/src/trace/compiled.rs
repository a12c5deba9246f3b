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

mod lower;
mod machine;
mod sweep;

use super::embed::CoreProgram;
use super::evaluation::TraceError;
use super::number::NumberSystem;
use super::operation::OperationSymbol;
use super::term::{CoreTerm, CoreVariable};
use crate::number::budget::Budget;
use lower::TermCompiler;
use machine::{CompiledCode, CompiledFunction, RegisterMachine, TripCount};
use std::sync::Arc;
use sweep::TapedNumber;

/// The number of nodes that a function may put on the tape before its remaining iterations become a checkpointed loop.
/// A choice: it trades the memory of the tape for iterations that run twice.
const DEFAULT_TAPE_LIMIT: u32 = 1 << 14;

/// A partial map ℝⁿ ⇀ ℝᵐ, as instructions.
#[derive(Clone, Debug)]
pub struct CompiledProgram {
    code: CompiledCode,
    entry: u32,
    input_count: usize,
    output_count: usize,
    tape_limit: u32,
}

impl CompiledProgram {
    /// Compiles a program to the map from the numbers of its parameters to those of its value, both from left to right.
    ///
    /// # Errors
    /// [`TraceError::LimitedRecursion`] for a limited recursion; [`TraceError::Stuck`] for an ill-typed term.
    pub fn from_program(program: &CoreProgram) -> Result<Self, TraceError> {
        let mut code = CompiledCode::default();
        let entry = TermCompiler::new(&mut code).compile_function(&program.parameters, &program.term)?;
        let inputs = program.parameters.iter().map(|(_, ty)| ty.dimension()).sum();
        Ok(CompiledProgram {
            code,
            entry,
            input_count: inputs,
            output_count: program.ty.dimension(),
            tape_limit: DEFAULT_TAPE_LIMIT,
        })
    }

    /// Replaces the number of nodes that a function may put on the tape before its remaining iterations become a loop.
    /// The default is 2¹⁴.
    #[must_use]
    pub fn with_tape_limit(self, nodes: u32) -> Self {
        CompiledProgram { tape_limit: nodes, ..self }
    }

    /// Returns n, the number of inputs.
    #[must_use]
    pub fn input_count(&self) -> usize {
        self.input_count
    }

    /// Returns m, the number of outputs.
    #[must_use]
    pub fn output_count(&self) -> usize {
        self.output_count
    }

    /// Returns the value at a point of n numbers.
    ///
    /// # Errors
    /// [`TraceError::Undefined`] at the position of an operation without value, or if time or memory is used up.
    /// [`TraceError::Stuck`] for a point of another dimension.
    pub fn value_at<N: NumberSystem>(
        &self,
        numbers: &N,
        budget: &Budget,
        point: &[N::Number],
    ) -> Result<Vec<N::Number>, TraceError> {
        check_dimension(self.input_count, point.len())?;
        let arguments = point.iter().cloned().map(TapedNumber::constant).collect();
        let mut machine = RegisterMachine::new(numbers, budget, &self.code, self.tape_limit);
        let found = machine.run_function::<false>(self.entry, arguments, TripCount::All).map_err(|stop| *stop)?;
        Ok(found.into_numbers().into_iter().map(|slot| slot.value).collect())
    }

    /// Returns the value at a point, and the pullback `Jᵗ·w` of the cotangent w there.
    ///
    /// # Errors
    /// As [`CompiledProgram::value_at`]; the cotangent must have m numbers.
    pub fn pull_back_at<N: NumberSystem>(
        &self,
        numbers: &N,
        budget: &Budget,
        point: &[N::Number],
        cotangent: &[N::Number],
    ) -> Result<[Vec<N::Number>; 2], TraceError> {
        check_dimension(self.input_count, point.len())?;
        check_dimension(self.output_count, cotangent.len())?;
        let mut machine = RegisterMachine::new(numbers, budget, &self.code, self.tape_limit);
        machine.differentiate_outermost(self.entry, point.to_vec(), cotangent.to_vec()).map_err(|stop| *stop)
    }
}

/// Checks a dimension.
fn check_dimension(expected: usize, found: usize) -> Result<(), TraceError> {
    if expected == found { Ok(()) } else { Err(TraceError::Stuck { construct: "a point of another dimension" }) }
}

/// Compiles `operation_pullback` as a function of the arguments, the value and the cotangent. Returns its number.
fn compile_pullback(code: &mut CompiledCode, operation: &OperationSymbol) -> Result<u32, TraceError> {
    // An operation has at most two arguments x and y; v is its value, w its cotangent.
    let names = ["x", "y", "v", "w"].map(|name| CoreVariable::fresh(&name.into()));
    let [x, y, v, w] = &names;
    let arguments = &[x.clone(), y.clone()][..operation.arity()];
    let terms: Vec<CoreTerm> = arguments.iter().map(CoreTerm::variable).collect();
    let components = operation.pullback(&terms, &CoreTerm::variable(v), &CoreTerm::variable(w));
    let parameters: Vec<_> = arguments.iter().chain([v, w]).cloned().collect();
    let function: CompiledFunction = TermCompiler::new(code).compile_components(&parameters, &components)?;
    code.functions.push(Arc::new(function));
    Ok(code.functions.len() as u32 - 1)
}
