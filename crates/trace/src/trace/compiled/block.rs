//! The interpreter of instructions without calls. It uses the frame of one function, and the tape.

use super::code::{FIRST_CONSTANT, MachineInstruction, OperationCode, RegisterIndex};
use super::machine::RunError;
use super::tape::{NO_NODE, NodeIndex, NodeTape};
use crate::trace::error::TraceError;
use crate::trace::number::{FastOperation, NumberSystem, PreparedOperation, decide_comparison};
use crate::trace::operation::{OperationSymbol, PredicateSymbol};
use crate::trace::term::SourceId;

/// Computes an operation.
#[inline(always)]
pub(super) fn compute_operation<N: NumberSystem>(
    numbers: &N,
    operations: &[PreparedOperation<N::Number>],
    step: OperationCode,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, RunError> {
    match step {
        OperationCode::Fast(operation) => match numbers.apply_fast(operation, a, b) {
            Some(found) => Ok(found),
            None => compute_checked(numbers, operation, a, b),
        },
        OperationCode::Listed(number) => compute_listed(numbers, &operations[number as usize], a, b),
    }
}

/// Computes an operation of the list. Not inlined, so that the loop of the interpreter stays small.
#[inline(never)]
fn compute_listed<N: NumberSystem>(
    numbers: &N,
    operation: &PreparedOperation<N::Number>,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, RunError> {
    Ok(operation.evaluate_at(numbers, [a, b])?)
}

/// Adds its position to an error.
#[cold]
fn error_at_site(stop: TraceError, site: SourceId) -> RunError {
    Box::new(stop.with_site(site))
}

/// Computes an arithmetic operation without fast path: it may be undefined, and then the error says why.
#[cold]
fn compute_checked<N: NumberSystem>(
    numbers: &N,
    operation: FastOperation,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, RunError> {
    let of = |operation: &OperationSymbol| PreparedOperation::new(numbers, operation).evaluate_at(numbers, [a, b]);
    Ok(match operation {
        FastOperation::Add => numbers.add(a, b),
        FastOperation::Negate => of(&OperationSymbol::Negate)?,
        FastOperation::Subtract => of(&OperationSymbol::Subtract)?,
        FastOperation::Multiply => of(&OperationSymbol::Multiply)?,
        FastOperation::Divide => of(&OperationSymbol::Divide)?,
    })
}

/// Returns the value of a register, or a constant.
#[inline]
pub(super) fn register_value<'n, T>(constants: &'n [T], frame: &'n [T], r: RegisterIndex) -> &'n T {
    match r.checked_sub(FIRST_CONSTANT) {
        Some(constant) => &constants[constant as usize],
        None => &frame[r as usize],
    }
}

/// A record of a run, apart from the values of registers. The provided methods record nothing.
pub(super) trait RunRecord<T> {
    /// Records that a register is copied to another one.
    #[inline(always)]
    fn record_move(&mut self, to: RegisterIndex, from: RegisterIndex) {
        let _ = (to, from);
    }

    /// Records an operation on registers, before its result is stored. `at` returns the values of registers.
    #[inline(always)]
    fn record_operation<'n>(
        &mut self,
        step: OperationCode,
        to: RegisterIndex,
        [a, b]: [RegisterIndex; 2],
        at: impl Fn(RegisterIndex) -> &'n T,
        value: &T,
    ) where
        T: 'n,
    {
        let _ = (step, to, a, b, at, value);
    }

    /// Records the value that the instruction of this index has overwritten.
    #[inline(always)]
    fn record_overwritten(&mut self, instruction: usize, old: T) {
        let _ = (instruction, old);
    }
}

/// The record of runs without derivative.
pub(super) struct NoRecord;

impl<T> RunRecord<T> for NoRecord {}

/// The record of runs on a tape: for each register, the index of its node.
pub(super) struct TapeRecord<'f, T> {
    pub(super) nodes: &'f mut [NodeIndex],
    pub(super) tape: &'f mut NodeTape<T>,
}

impl<T> TapeRecord<'_, T> {
    /// Returns the index of a register's node; constants have none.
    #[inline]
    fn node_of(&self, r: RegisterIndex) -> NodeIndex {
        if r < FIRST_CONSTANT { self.nodes[r as usize] } else { NO_NODE }
    }
}

impl<T: Clone> RunRecord<T> for TapeRecord<'_, T> {
    #[inline(always)]
    fn record_move(&mut self, to: RegisterIndex, from: RegisterIndex) {
        self.nodes[to as usize] = self.node_of(from);
    }

    #[inline(always)]
    fn record_operation<'n>(
        &mut self,
        step: OperationCode,
        to: RegisterIndex,
        [a, b]: [RegisterIndex; 2],
        at: impl Fn(RegisterIndex) -> &'n T,
        value: &T,
    ) where
        T: 'n,
    {
        let arguments = [(at(a), self.node_of(a)), (at(b), self.node_of(b))];
        self.nodes[to as usize] = self.tape.push_operation(step, arguments, value);
    }
}

/// The state of an interpreter: the frame of one function.
pub(super) struct BlockInterpreter<'f, N: NumberSystem, R> {
    pub(super) numbers: &'f N,
    pub(super) operations: &'f [PreparedOperation<N::Number>],
    pub(super) constants: &'f [N::Number],
    pub(super) values: &'f mut [N::Number],
    pub(super) record: R,
}

impl<N: NumberSystem, R: RunRecord<N::Number>> BlockInterpreter<'_, N, R> {
    /// Returns the value of a register.
    #[inline]
    fn register_value(&self, r: RegisterIndex) -> &N::Number {
        register_value(self.constants, self.values, r)
    }

    /// Stores a value in a register, and records the one that it replaces.
    #[inline(always)]
    fn store_register(&mut self, instruction: usize, to: RegisterIndex, value: N::Number) {
        let old = std::mem::replace(&mut self.values[to as usize], value);
        self.record.record_overwritten(instruction, old);
    }

    /// Runs to the next call, derivative or return, and returns it; `from` is then behind it. Also takes up to `turns`
    /// iterations of a tail call of the function `own` to itself.
    pub(super) fn run_block(
        &mut self,
        instructions: &[MachineInstruction],
        from: &mut usize,
        (own, turns): (u32, &mut u64),
    ) -> Result<MachineInstruction, RunError> {
        let mut next = *from;
        loop {
            let at = next;
            let instruction = &instructions[at];
            next += 1;
            match *instruction {
                MachineInstruction::Move { to, from } => {
                    self.record.record_move(to, from);
                    let value = self.register_value(from).clone();
                    self.store_register(at, to, value);
                }
                MachineInstruction::Operate { step, to, arguments: [a, b], site } => {
                    let value = match compute_operation(
                        self.numbers,
                        self.operations,
                        step,
                        self.register_value(a),
                        self.register_value(b),
                    ) {
                        Ok(value) => value,
                        Err(stop) => return Err(error_at_site(*stop, site)),
                    };
                    let (constants, values) = (self.constants, &*self.values);
                    self.record.record_operation(step, to, [a, b], |r| register_value(constants, values, r), &value);
                    // The value is stored after the record is made, since `to` may be an argument, too.
                    self.store_register(at, to, value);
                }
                MachineInstruction::Branch { predicate, arguments: [a, b], otherwise, site } => {
                    let (a, b) = (self.register_value(a), self.register_value(b));
                    let holds = match self.numbers.is_less_fast(a, b) {
                        // On unequal numbers exactly one of `<` and `>` holds.
                        Some(is_less) => is_less == (predicate == PredicateSymbol::Less),
                        None => match decide_comparison(self.numbers, predicate, [a, b]) {
                            Ok(holds) => holds,
                            Err(stop) => return Err(error_at_site(stop, site)),
                        },
                    };
                    if !holds {
                        next = otherwise as usize;
                    }
                }
                MachineInstruction::Jump(target) => next = target as usize,
                // The parameters are in place already, so an iteration is a jump to the first instruction.
                MachineInstruction::TailCall(function) if function == own && *turns > 0 => {
                    *turns -= 1;
                    next = 0;
                }
                other => {
                    *from = next;
                    return Ok(other);
                }
            }
        }
    }
}
