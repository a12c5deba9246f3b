//! The register machine: it runs instructions on any kind of numbers, with or without a tape.
//!
//! Most steps are sums and products of numbers with which nothing is wrong. A number returns such a result at
//! once; only otherwise is the reason determined.
//!
//! # Instructions of a register machine
//!
//! Instructions of a register machine. A program is compiled to them once, and run any number of times.
//!
//! # The interpreter of instructions without calls
//!
//! The interpreter of instructions without calls. It uses the frame of one function, and the tape.

use super::sweep::{Checkpoints, LoopState, NO_NODE, NodeIndex, NodeTape, TapeNode, TapedNumber};
use crate::model::answer::UndefinedCause;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::trace::evaluation::{TraceError, UndefinedValue};
use crate::trace::number::{FastOperation, NumberSystem, PreparedOperation, decide_comparison};
use crate::trace::operation::{OperationSymbol, PredicateSymbol};
use crate::trace::term::SourceId;
use std::sync::Arc;

/// The memory that the numbers of a run may take, in bytes. A choice.
const MEMORY_LIMIT: usize = 256 << 20;
/// The number of calls between two checks of the clock. A choice.
const CALLS_PER_CLOCK_CHECK: u64 = 256;

/// The number of instructions after which memory is checked, or after one iteration if that is longer. A choice.
const INSTRUCTIONS_PER_CHECK: u64 = 1 << 16;

impl CompiledFunction {
    /// Returns the number of iterations between two checks of time and memory.
    pub(super) fn turns_between_checks(&self) -> u64 {
        (CALLS_PER_CLOCK_CHECK - 1).min(INSTRUCTIONS_PER_CHECK / self.instructions.len() as u64)
    }
}

/// The frame of a function that waits for the result of a call.
struct CallFrame {
    function: Arc<CompiledFunction>,
    /// The index of its next instruction.
    next: usize,
    /// The position of its first register.
    base: usize,
    /// The position of the first register for its result.
    to: usize,
    /// The end of the tape when the function was called.
    mark: NodeIndex,
}

/// The number of iterations for which the outermost function of a run is run.
pub(super) enum TripCount<'t, T> {
    /// All of them. On a tape, a long run becomes a loop.
    All,
    /// At most this many.
    AtMost(u64),
    /// All of them; states are kept at checkpoints.
    Checkpointed(&'t mut Checkpoints<T>),
}

/// The end of a run.
pub(super) enum MachineRunEnd<T> {
    /// The function returned these results.
    Returned(Vec<TapedNumber<T>>),
    /// The iterations were used up; these are the arguments of the next one.
    Repeating(Vec<TapedNumber<T>>),
}

impl<T> MachineRunEnd<T> {
    /// Returns the numbers at the end.
    pub(super) fn into_numbers(self) -> Vec<TapedNumber<T>> {
        match self {
            MachineRunEnd::Returned(slots) | MachineRunEnd::Repeating(slots) => slots,
        }
    }
}

/// A register machine in the course of a run.
pub(super) struct RegisterMachine<'m, N: NumberSystem> {
    pub(super) numbers: &'m N,
    pub(super) budget: &'m Budget,
    pub(super) code: CompiledCode,
    pub(super) constants: Vec<N::Number>,
    pub(super) operations: Vec<PreparedOperation<N::Number>>,
    pub(super) pullbacks: Vec<Option<u32>>,
    pub(super) zero: N::Number,
    values: Vec<N::Number>,
    value_nodes: Vec<NodeIndex>,
    frames: Vec<CallFrame>,
    pub(super) tape: NodeTape<N::Number>,
    /// `true` if long runs become loops. `false` on a tape that an outer derivative differentiates, where a loop has no
    /// nodes.
    pub(super) allows_loops: bool,
    /// The number of tape nodes from which a run is long.
    tape_limit: u32,
    call_count: u64,
    pub(super) derivative_depth: u32,
    /// The memory of a number, in bytes.
    number_bytes: usize,
}

/// An error that stops a run. Boxed, since results are many and errors rare.
pub(super) type RunError = Box<TraceError>;

/// Returns the error for a used up resource.
pub(super) fn resource_error(what: impl std::fmt::Display) -> RunError {
    Box::new(UndefinedValue::of_operation(UndefinedCause::Fuel, what).into())
}

impl<'m, N: NumberSystem> RegisterMachine<'m, N> {
    /// Creates a machine for some code, and converts its constants.
    pub(super) fn new(numbers: &'m N, budget: &'m Budget, code: &CompiledCode, longest: u32) -> Self {
        let zero = numbers.represent_rational(&Rational::new());
        let mut machine = RegisterMachine {
            numbers,
            budget,
            code: code.clone(),
            constants: Vec::new(),
            operations: Vec::new(),
            pullbacks: Vec::new(),
            number_bytes: numbers.memory_bytes(),
            zero,
            values: Vec::new(),
            value_nodes: Vec::new(),
            frames: Vec::new(),
            tape: NodeTape::default(),
            allows_loops: true,
            tape_limit: longest,
            call_count: 0,
            derivative_depth: 0,
        };
        machine.convert_new_code();
        machine
    }

    /// Converts the constants and operations that were added to the code since the last call.
    pub(super) fn convert_new_code(&mut self) {
        let known = self.constants.len();
        self.constants.extend(self.code.constants[known..].iter().map(|q| self.numbers.represent_rational(q)));
        let known = self.operations.len();
        self.operations.extend(self.code.operations[known..].iter().map(|op| PreparedOperation::new(self.numbers, op)));
        self.pullbacks.resize(self.operations.len(), None);
    }

    /// Counts a call, and checks time and memory.
    #[inline]
    fn count_call(&mut self) -> Result<(), RunError> {
        self.call_count += 1;
        if self.call_count.is_multiple_of(CALLS_PER_CLOCK_CHECK) {
            self.check_time()?;
        }
        self.check_memory(0)
    }

    /// Checks that there is memory for the registers, the tape, the frames and `overwritten` entries of an undo log.
    #[inline]
    pub(super) fn check_memory(&self, overwritten: usize) -> Result<(), RunError> {
        // Per node: its origin and value now, and the adjoint that the sweep adds, with memory of its own.
        let node =
            size_of::<TapeNode>() + self.number_bytes + size_of::<Option<TapedNumber<N::Number>>>() + self.number_bytes;
        let registers = (self.values.len() + overwritten) * (self.number_bytes + size_of::<u64>());
        if registers + self.tape.values.len() * node + self.frames.len() * size_of::<CallFrame>() > MEMORY_LIMIT {
            return Err(self.memory_error(overwritten));
        }
        Ok(())
    }

    /// Returns the number of iterations that the interpreter may take before the clock, the checkpoints or the tape
    /// need attention.
    #[inline]
    fn allowed_turns<const TAPED: bool>(
        &self,
        function: &CompiledFunction,
        outermost: bool,
        turns: &TripCount<N::Number>,
    ) -> u64 {
        let before_the_clock =
            (CALLS_PER_CLOCK_CHECK - 1 - self.call_count % CALLS_PER_CLOCK_CHECK).min(function.turns_between_checks());
        let before_the_end = match turns {
            _ if !outermost => u64::MAX,
            TripCount::All => u64::MAX,
            TripCount::AtMost(left) => left - 1,
            TripCount::Checkpointed(checkpoints) => checkpoints.turns_to_skip(),
        };
        // On a tape each iteration may be the one after which the tape is too long.
        let may_be_long = TAPED && self.allows_loops && !(outermost && matches!(turns, TripCount::AtMost(_)));
        if may_be_long { 0 } else { before_the_clock.min(before_the_end) }
    }

    /// Returns the error for used up memory.
    #[cold]
    fn memory_error(&self, overwritten: usize) -> RunError {
        let (calls, room) = (self.frames.len(), MEMORY_LIMIT >> 20);
        let operations = self.tape.values.len() + overwritten;
        resource_error(match calls {
            0 => format!("a tape of {operations} operations takes more than {room} megabytes"),
            _ => format!("{calls} nested calls take more than {room} megabytes"),
        })
    }

    /// Checks the time, and pays for the calls since the last check.
    pub(super) fn check_time(&self) -> Result<(), RunError> {
        if self.budget.spend(CALLS_PER_CLOCK_CHECK) {
            return Ok(());
        }
        Err(resource_error(format!("its time was up after {} calls", self.call_count)))
    }

    /// Computes an operation.
    #[inline]
    pub(super) fn compute_operation(
        &self,
        step: OperationCode,
        a: &N::Number,
        b: &N::Number,
    ) -> Result<N::Number, RunError> {
        compute_operation((self.numbers, self.budget), &self.operations, step, a, b)
    }

    /// Computes an operation, and adds its node to the tape.
    #[inline]
    pub(super) fn compute_taped<const TAPED: bool>(
        &mut self,
        step: OperationCode,
        a: &TapedNumber<N::Number>,
        b: &TapedNumber<N::Number>,
    ) -> Result<TapedNumber<N::Number>, RunError> {
        let value = self.compute_operation(step, &a.value, &b.value)?;
        let place = match TAPED {
            true => self.tape.push_operation(step, [(&a.value, a.node), (&b.value, b.node)], &value),
            false => NO_NODE,
        };
        Ok(TapedNumber { value, node: place })
    }

    /// Returns the value of a register of the frame at `base`.
    fn register_value(&self, base: usize, r: RegisterIndex) -> &N::Number {
        register_value(&self.constants, &self.values[base..], r)
    }

    /// Returns the value and the node of a register.
    fn read_register<const TAPED: bool>(&self, base: usize, r: RegisterIndex) -> TapedNumber<N::Number> {
        let place = if TAPED && r < FIRST_CONSTANT { self.value_nodes[base + r as usize] } else { NO_NODE };
        TapedNumber { value: self.register_value(base, r).clone(), node: place }
    }

    /// Returns the values and nodes of a list of registers.
    fn read_registers<const TAPED: bool>(&self, base: usize, list: &[RegisterIndex]) -> Vec<TapedNumber<N::Number>> {
        list.iter().map(|r| self.read_register::<TAPED>(base, *r)).collect()
    }

    /// Returns the parameters of a function, from its frame.
    fn read_parameters<const TAPED: bool>(
        &self,
        base: usize,
        function: &CompiledFunction,
    ) -> Vec<TapedNumber<N::Number>> {
        (0..function.parameters).map(|r| self.read_register::<TAPED>(base, r)).collect()
    }

    /// Stores a value with its node.
    fn store_register<const TAPED: bool>(&mut self, at: usize, slot: TapedNumber<N::Number>) {
        self.values[at] = slot.value;
        if TAPED {
            self.value_nodes[at] = slot.node;
        }
    }

    /// Makes room for the registers of a function at `base`.
    fn reserve_registers<const TAPED: bool>(&mut self, base: usize, function: &CompiledFunction) {
        let end = base + function.registers as usize;
        if self.values.len() < end {
            self.values.resize(end, self.zero.clone());
        }
        if TAPED && self.value_nodes.len() < end {
            self.value_nodes.resize(end, NO_NODE);
        }
    }

    /// Runs a function to its end, or for some iterations. Afterwards the frames are as before, even after an error.
    pub(super) fn run_function<const TAPED: bool>(
        &mut self,
        number: u32,
        arguments: Vec<TapedNumber<N::Number>>,
        turns: TripCount<N::Number>,
    ) -> Result<MachineRunEnd<N::Number>, RunError> {
        let (bottom, depth) = (self.values.len(), self.frames.len());
        let found = self.run_above::<TAPED>(number, arguments, turns, (bottom, depth));
        self.values.truncate(bottom);
        self.value_nodes.truncate(bottom);
        self.frames.truncate(depth);
        found
    }

    /// Runs a function above the frames that are there.
    fn run_above<const TAPED: bool>(
        &mut self,
        number: u32,
        arguments: Vec<TapedNumber<N::Number>>,
        mut turns: TripCount<N::Number>,
        (bottom, depth): (usize, usize),
    ) -> Result<MachineRunEnd<N::Number>, RunError> {
        let mut current = number;
        let mut function = self.code.functions[number as usize].clone();
        let (mut base, mut next, mut to) = (bottom, 0, bottom);
        let mut mark = self.tape.next_index();
        // A run without tape may have grown the values, but not the nodes.
        if TAPED {
            self.value_nodes.resize(bottom, NO_NODE);
        }
        self.reserve_registers::<TAPED>(base, &function);
        for (at, slot) in (base..).zip(arguments) {
            self.store_register::<TAPED>(at, slot);
        }
        loop {
            let outermost = self.frames.len() == depth;
            let may_take = self.allowed_turns::<TAPED>(&function, outermost, &turns);
            let mut left = may_take;
            // The parts of the machine are borrowed one by one, so that the interpreter can change the frame and the
            // tape.
            let end = base + function.registers as usize;
            let (instructions, credit) = (&function.instructions, (current, &mut left));
            let (numbers, operations, constants) = (self.numbers, &self.operations[..], &self.constants[..]);
            let budget = self.budget;
            let values = &mut self.values[base..end];
            let instruction = if TAPED {
                let record = TapeRecord { nodes: &mut self.value_nodes[base..end], tape: &mut self.tape };
                BlockInterpreter { numbers, budget, operations, constants, values, record }.run_block(
                    instructions,
                    &mut next,
                    credit,
                )?
            } else {
                BlockInterpreter { numbers, budget, operations, constants, values, record: NoRecord }.run_block(
                    instructions,
                    &mut next,
                    credit,
                )?
            };
            let taken = may_take - left;
            self.call_count += taken;
            match &mut turns {
                TripCount::AtMost(left) if outermost => *left -= taken,
                TripCount::Checkpointed(checkpoints) if outermost => checkpoints.skip_turns(taken),
                _ => {}
            }
            match instruction {
                // The interpreter ran these.
                MachineInstruction::Move { .. }
                | MachineInstruction::Operate { .. }
                | MachineInstruction::Branch { .. }
                | MachineInstruction::Jump(_) => {}
                MachineInstruction::Call { function: called, arguments, to: result } => {
                    // The arguments are copied to the frame above, which begins behind the caller's registers.
                    self.count_call()?;
                    let callee = self.code.functions[called as usize].clone();
                    let above = base + function.registers as usize;
                    self.reserve_registers::<TAPED>(above, &callee);
                    for (at, r) in (above..).zip(function.registers_of(arguments, callee.parameters)) {
                        let slot = self.read_register::<TAPED>(base, *r);
                        self.store_register::<TAPED>(at, slot);
                    }
                    let frame = CallFrame { function, next, base, to, mark };
                    self.frames.push(frame);
                    (function, base, next, to, mark) =
                        (callee, above, 0, base + result as usize, self.tape.next_index());
                    current = called;
                }
                MachineInstruction::TailCall(called) => {
                    self.count_call()?;
                    // For iterations of the same function the frame is large enough already.
                    if called != current {
                        function = self.code.functions[called as usize].clone();
                        self.reserve_registers::<TAPED>(base, &function);
                        current = called;
                    }
                    next = 0;
                    if outermost {
                        match &mut turns {
                            // The parameters are in the first registers again: this is the state at the start of the
                            // iteration.
                            TripCount::All => {}
                            TripCount::Checkpointed(checkpoints) => {
                                let arguments = &self.values[base..base + function.parameters as usize];
                                checkpoints
                                    .count_turn(|| LoopState { function: called, arguments: arguments.to_vec() });
                            }
                            TripCount::AtMost(left) => {
                                *left -= 1;
                                if *left == 0 {
                                    return Ok(MachineRunEnd::Repeating(
                                        self.read_parameters::<TAPED>(base, &function),
                                    ));
                                }
                            }
                        }
                    }
                    let is_long = TAPED && self.allows_loops && self.tape.next_index() - mark > self.tape_limit;
                    // A part of a loop that is being run again must stay on the tape, for its sweep.
                    if is_long && !(outermost && matches!(turns, TripCount::AtMost(_))) {
                        let arguments = self.read_parameters::<TAPED>(base, &function);
                        let results = self.run_as_loop(called, arguments)?;
                        match self.return_to_caller::<TAPED>(results, depth, to) {
                            Ok(frame) => CallFrame { function, next, base, to, mark } = frame,
                            Err(slots) => return Ok(MachineRunEnd::Returned(slots)),
                        }
                        // As after a return below.
                        current = u32::MAX;
                    }
                }
                MachineInstruction::Return { from } => {
                    let slots = self.read_registers::<TAPED>(base, function.registers_of(from, function.results));
                    match self.return_to_caller::<TAPED>(slots, depth, to) {
                        Ok(frame) => CallFrame { function, next, base, to, mark } = frame,
                        Err(slots) => return Ok(MachineRunEnd::Returned(slots)),
                    }
                    // The frame does not know the number of its function. With an invalid one, the next tail call looks
                    // it up.
                    current = u32::MAX;
                }
                MachineInstruction::Reverse { body, arguments, cotangent, to } => {
                    let inside = self.code.functions[body as usize].clone();
                    let arguments =
                        self.read_registers::<TAPED>(base, function.registers_of(arguments, inside.parameters));
                    let cotangent =
                        self.read_registers::<TAPED>(base, function.registers_of(cotangent, inside.results));
                    let found = self.differentiate_inner::<TAPED>(body, &inside, arguments, cotangent)?;
                    for (at, slot) in (base + to as usize..).zip(found) {
                        self.store_register::<TAPED>(at, slot);
                    }
                }
            }
        }
    }

    /// Stores a result in the frame of its caller, and returns that. Returns the result itself if the outermost
    /// function has ended.
    fn return_to_caller<const TAPED: bool>(
        &mut self,
        slots: Vec<TapedNumber<N::Number>>,
        depth: usize,
        to: usize,
    ) -> Result<CallFrame, Vec<TapedNumber<N::Number>>> {
        if self.frames.len() == depth {
            return Err(slots);
        }
        let Some(frame) = self.frames.pop() else { return Err(slots) };
        for (at, slot) in (to..).zip(slots) {
            self.store_register::<TAPED>(at, slot);
        }
        Ok(frame)
    }
}

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

/// Computes an operation.
#[inline(always)]
pub(super) fn compute_operation<N: NumberSystem>(
    (numbers, budget): (&N, &Budget),
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
        OperationCode::Listed(number) => compute_listed((numbers, budget), &operations[number as usize], a, b),
    }
}

/// Computes an operation of the list. Not inlined, so that the loop of the interpreter stays small.
#[inline(never)]
fn compute_listed<N: NumberSystem>(
    (numbers, budget): (&N, &Budget),
    operation: &PreparedOperation<N::Number>,
    a: &N::Number,
    b: &N::Number,
) -> Result<N::Number, RunError> {
    Ok(operation.evaluate_at(numbers, [a, b], budget)?)
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
    // arithmetic has an end without a budget
    let budget = Budget::unlimited();
    let of =
        |operation: &OperationSymbol| PreparedOperation::new(numbers, operation).evaluate_at(numbers, [a, b], &budget);
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
    pub(super) budget: &'f Budget,
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
                        (self.numbers, self.budget),
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
