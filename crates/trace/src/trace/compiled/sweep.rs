//! The reverse sweep over a tape: the cotangents of a node are added up, and propagated once (A Fig. 6).
//!
//! The sweep itself consists of operations. If a derivative lies within another, they are added to the tape, behind the
//! nodes that are swept. So there is one tape, and numbers need no tags. Perturbation confusion is impossible, as each
//! sweep ends at its own inputs.
//!
//! # The tape
//!
//! One node for each operation whose result may depend on the inputs.
//!
//! # Reverse sweeps over iterations without calls
//!
//! Reverse sweeps over iterations without calls, by an undo log instead of a tape. The forward run records each
//! overwritten value; the backward run visits the instructions in reverse order and restores them.
//!
//! # Checkpointed loops
//!
//! The states at some iterations are kept, and the others are run again from these. By A Prop. 3.4
//! the second run is the same as the first.
//!
//! The stride between two states doubles if there are too many. So a loop of T iterations keeps about √T states, and
//! the longest part that is run again has about √T iterations.
//!
//! # Derivatives at run time
//!
//! Of the outermost function, of functions within, and of loops.

use super::machine::{
    BlockInterpreter, CompiledFunction, ListStart, MachineInstruction, OperationCode, RegisterIndex, RegisterMachine,
    RunError, RunRecord, TripCount, register_value, resource_error,
};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::trace::number::{FastOperation, NumberSystem};

/// The number of nodes between two checks of the clock. A choice.
const NODES_PER_CLOCK_CHECK: u32 = 1 << 12;

/// The storage of a backward run: the values of arguments, and their adjoints. An index is a node or a register.
pub(super) trait AdjointStorage<N: NumberSystem> {
    /// Returns the value at an index during the forward run.
    fn forward_value<'n>(&'n self, machine: &'n RegisterMachine<'_, N>, at: u32) -> &'n N::Number;
    /// Returns the node of an index on the tape.
    fn node_index(&self, at: u32) -> NodeIndex;
    /// Returns the place for the adjoint of an index. `None` for constants, and for nodes before the inputs of the
    /// sweep.
    fn adjoint_mut(&mut self, at: u32) -> Option<&mut Option<TapedNumber<N::Number>>>;
}

/// The adjoints of the nodes from an index on.
struct Adjoints<T> {
    from: NodeIndex,
    slots: Vec<Option<TapedNumber<T>>>,
}

impl<T> Adjoints<T> {
    /// Removes the adjoint of a node.
    fn take(&mut self, place: NodeIndex) -> Option<TapedNumber<T>> {
        self.slots[(place - self.from) as usize].take()
    }
}

impl<N: NumberSystem> AdjointStorage<N> for Adjoints<N::Number> {
    fn forward_value<'n>(&'n self, machine: &'n RegisterMachine<'_, N>, at: u32) -> &'n N::Number {
        &machine.tape.values[at as usize]
    }

    fn node_index(&self, at: u32) -> NodeIndex {
        at
    }

    #[inline]
    fn adjoint_mut(&mut self, at: u32) -> Option<&mut Option<TapedNumber<N::Number>>> {
        if at == NO_NODE { None } else { Some(&mut self.slots[at.checked_sub(self.from)? as usize]) }
    }
}

impl<N: NumberSystem> RegisterMachine<'_, N> {
    /// Pulls the cotangents of `results` back to the first `inputs` nodes after `from`, and returns their adjoints. If
    /// `TAPED`, the operations of the sweep are added to the tape.
    pub(super) fn sweep_back<const TAPED: bool>(
        &mut self,
        from: NodeIndex,
        inputs: u32,
        results: &[TapedNumber<N::Number>],
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        // Only nodes before this end are swept; the sweep may add others behind it.
        let end = self.tape.next_index();
        let mut handed = Adjoints { from, slots: vec![None; (end - from) as usize] };
        for (result, slot) in results.iter().zip(cotangent) {
            self.add_cotangent::<TAPED>(&mut handed, result.node, slot)?;
        }
        for place in (from + inputs..end).rev() {
            if place.is_multiple_of(NODES_PER_CLOCK_CHECK) {
                self.check_time()?;
            }
            match self.tape.nodes[place as usize] {
                // All results of a loop are propagated together, at the first of them, where all are complete.
                TapeNode::Result { number, .. } if number > 0 => {}
                TapeNode::Result { of, .. } => self.sweep_loop(&mut handed, place, of)?,
                TapeNode::Leaf => {}
                TapeNode::Copied(other) => {
                    if let Some(w) = handed.take(place) {
                        self.add_cotangent::<TAPED>(&mut handed, other, w)?;
                    }
                }
                TapeNode::Operation(step, arguments) => {
                    if let Some(w) = handed.take(place) {
                        self.pull_back_operation::<TAPED>(&mut handed, step, arguments, place, w)?;
                    }
                }
            }
        }
        let zero = || TapedNumber::constant(self.numbers.represent_rational(&Rational::new()));
        Ok((from..from + inputs).map(|place| handed.take(place).unwrap_or_else(zero)).collect())
    }

    /// Adds a cotangent to the adjoint of an index.
    #[inline(always)]
    pub(super) fn add_cotangent<const TAPED: bool>(
        &mut self,
        way: &mut impl AdjointStorage<N>,
        to: u32,
        w: TapedNumber<N::Number>,
    ) -> Result<(), RunError> {
        let Some(handed) = way.adjoint_mut(to) else { return Ok(()) };
        *handed = Some(match handed.take() {
            Some(so_far) => self.compute_taped::<TAPED>(OperationCode::ADD, &so_far, &w)?,
            None => w,
        });
        Ok(())
    }

    /// Computes an operation at a cotangent and a value of the forward run.
    #[inline(always)]
    fn operate_with<const TAPED: bool>(
        &mut self,
        way: &impl AdjointStorage<N>,
        step: OperationCode,
        w: &TapedNumber<N::Number>,
        at: u32,
    ) -> Result<TapedNumber<N::Number>, RunError> {
        if TAPED {
            let other = self.forward_number(way, at);
            return self.compute_taped::<TAPED>(step, w, &other);
        }
        Ok(TapedNumber::constant(self.compute_operation(step, &w.value, way.forward_value(self, at))?))
    }

    /// Returns a value of the forward run, with its node.
    fn forward_number(&self, way: &impl AdjointStorage<N>, at: u32) -> TapedNumber<N::Number> {
        TapedNumber { value: way.forward_value(self, at).clone(), node: way.node_index(at) }
    }

    /// Propagates the cotangent of an operation to its arguments, by `operation_pullback`.
    #[inline(always)]
    pub(super) fn pull_back_operation<const TAPED: bool>(
        &mut self,
        way: &mut impl AdjointStorage<N>,
        step: OperationCode,
        [a, b]: [u32; 2],
        result: u32,
        w: TapedNumber<N::Number>,
    ) -> Result<(), RunError> {
        match step {
            OperationCode::Fast(FastOperation::Add) => {
                self.add_cotangent::<TAPED>(way, a, w.clone())?;
                self.add_cotangent::<TAPED>(way, b, w)
            }
            OperationCode::Fast(FastOperation::Negate) => {
                let negative = self.compute_taped::<TAPED>(step, &w, &w)?;
                self.add_cotangent::<TAPED>(way, a, negative)
            }
            OperationCode::Fast(FastOperation::Subtract) => {
                // A product or quotient is not computed for an argument that takes no cotangent, as constants.
                if way.adjoint_mut(b).is_some() {
                    let negative = self.compute_taped::<TAPED>(OperationCode::NEGATE, &w, &w)?;
                    self.add_cotangent::<TAPED>(way, b, negative)?;
                }
                self.add_cotangent::<TAPED>(way, a, w)
            }
            OperationCode::Fast(FastOperation::Multiply) => {
                for (to, other) in [(a, b), (b, a)] {
                    if way.adjoint_mut(to).is_some() {
                        let product = self.operate_with::<TAPED>(way, step, &w, other)?;
                        self.add_cotangent::<TAPED>(way, to, product)?;
                    }
                }
                Ok(())
            }
            OperationCode::Fast(FastOperation::Divide) => {
                // w/b is shared by both components: -(w/b)·y is the other.
                let first = self.operate_with::<TAPED>(way, step, &w, b)?;
                if way.adjoint_mut(b).is_some() {
                    let second = self.operate_with::<TAPED>(way, OperationCode::MULTIPLY, &first, result)?;
                    let second = self.compute_taped::<TAPED>(OperationCode::NEGATE, &second, &second)?;
                    self.add_cotangent::<TAPED>(way, b, second)?;
                }
                self.add_cotangent::<TAPED>(way, a, first)
            }
            // Any other operation has its `operation_pullback` as compiled code, so the list of operations needs no rules here.
            OperationCode::Listed(number) => {
                let body = self.pullback_function(number)?;
                let two = if self.operation_arity(number) == 2 { &[a, b][..] } else { &[a][..] };
                let mut arguments: Vec<_> = two.iter().map(|at| self.forward_number(way, *at)).collect();
                arguments.extend([self.forward_number(way, result), w]);
                let found = self.run_function::<TAPED>(body, arguments, TripCount::All)?.into_numbers();
                for (at, slot) in two.iter().zip(found) {
                    self.add_cotangent::<TAPED>(way, *at, slot)?;
                }
                Ok(())
            }
        }
    }

    /// Propagates through a loop: from the last checkpoint to the first, the iterations behind each are run again.
    fn sweep_loop(&mut self, handed: &mut Adjoints<N::Number>, first: NodeIndex, of: u32) -> Result<(), RunError> {
        let CheckpointedLoop { checkpoints, inputs, results } = &mut self.tape.loops[of as usize];
        let cotangent: Vec<_> = (first..first + *results).map(|place| handed.take(place)).collect();
        if cotangent.iter().all(Option::is_none) {
            return Ok(());
        }
        let (stride, inputs) = (checkpoints.stride, std::mem::take(inputs));
        let states = std::mem::take(&mut checkpoints.states);
        let zero = || TapedNumber::constant(self.numbers.represent_rational(&Rational::new()));
        let mut cotangent: Vec<_> = cotangent.into_iter().map(|w| w.unwrap_or_else(zero)).collect();
        // The outer tape is set aside, as the iterations are run on a tape of their own.
        let outer = std::mem::take(&mut self.tape);
        let found: Result<(), RunError> = states.into_iter().rev().try_for_each(|state| {
            let handed = std::mem::take(&mut cotangent);
            // An undo log takes less memory and time than a tape, but it cannot record calls.
            cotangent = match self.code.functions[state.function as usize].is_call_free(state.function) {
                true => self.pull_back_by_undo(state, stride, handed)?,
                false => with_stack(|| self.pull_back_on_tape(state, stride, handed))?,
            };
            Ok(())
        });
        self.tape = outer;
        found?;
        for (place, slot) in inputs.into_iter().zip(cotangent) {
            self.add_cotangent::<false>(handed, place, slot)?;
        }
        Ok(())
    }

    /// Pulls a cotangent back through `turns` iterations from a state on, by a tape.
    fn pull_back_on_tape(
        &mut self,
        state: LoopState<N::Number>,
        turns: u64,
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        let place = |value: N::Number| TapedNumber { node: self.tape.push(TapeNode::Leaf, value.clone()), value };
        let arguments: Vec<_> = state.arguments.into_iter().map(place).collect();
        let count = arguments.len() as u32;
        let results = self.run_function::<true>(state.function, arguments, TripCount::AtMost(turns))?.into_numbers();
        let found = self.sweep_back::<false>(0, count, &results, cotangent);
        self.tape.clear();
        found
    }
}

/// The index of the node that made a number, or [`NO_NODE`].
pub(super) type NodeIndex = u32;

/// The index for numbers that depend on no input.
pub(super) const NO_NODE: NodeIndex = u32::MAX;

/// A number, with the index of its node.
#[derive(Clone, Debug)]
pub(super) struct TapedNumber<T> {
    pub(super) value: T,
    pub(super) node: NodeIndex,
}

impl<T> TapedNumber<T> {
    /// Makes a number that depends on no input.
    pub(super) fn constant(value: T) -> Self {
        TapedNumber { value, node: NO_NODE }
    }
}

/// The origin of a number on the tape.
#[derive(Clone, Copy, Debug)]
pub(super) enum TapeNode {
    /// An input, or a constant argument of an operation: the sweep ends here.
    Leaf,
    /// A copy of another node, as an input of an inner derivative.
    Copied(NodeIndex),
    /// An operation at the numbers of two nodes.
    Operation(OperationCode, [NodeIndex; 2]),
    /// A result of a loop, by its position among the results, and the index of the loop.
    Result { number: u32, of: u32 },
}

/// A list of nodes with their values, and the loops among them.
#[derive(Debug)]
pub(super) struct NodeTape<T> {
    pub(super) nodes: Vec<TapeNode>,
    pub(super) values: Vec<T>,
    pub(super) loops: Vec<CheckpointedLoop<T>>,
}

impl<T> Default for NodeTape<T> {
    fn default() -> Self {
        NodeTape { nodes: Vec::new(), values: Vec::new(), loops: Vec::new() }
    }
}

impl<T: Clone> NodeTape<T> {
    /// Returns the index of the next node.
    pub(super) fn next_index(&self) -> NodeIndex {
        self.nodes.len() as NodeIndex
    }

    /// Adds a node, and returns its index.
    #[inline]
    pub(super) fn push(&mut self, node: TapeNode, value: T) -> NodeIndex {
        self.nodes.push(node);
        self.values.push(value);
        self.next_index() - 1
    }

    /// Adds a node for an operation, unless it depends on no input. Returns its index, or [`NO_NODE`].
    #[inline]
    pub(super) fn push_operation(
        &mut self,
        step: OperationCode,
        arguments: [(&T, NodeIndex); 2],
        value: &T,
    ) -> NodeIndex {
        let [(a, at_a), (b, at_b)] = arguments;
        if at_a == NO_NODE && at_b == NO_NODE {
            return NO_NODE;
        }
        let places = match step {
            // These pull back a cotangent without the values of their arguments, so constants need no node.
            OperationCode::Fast(FastOperation::Add | FastOperation::Negate | FastOperation::Subtract) => [at_a, at_b],
            _ => [self.node_or_leaf(a, at_a), self.node_or_leaf(b, at_b)],
        };
        self.push(TapeNode::Operation(step, places), value.clone())
    }

    /// Returns the node of an argument of an operation. Adds one for a constant, whose value the sweep needs.
    #[inline]
    pub(super) fn node_or_leaf(&mut self, value: &T, place: NodeIndex) -> NodeIndex {
        if place == NO_NODE { self.push(TapeNode::Leaf, value.clone()) } else { place }
    }

    /// Removes all nodes.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.loops.clear();
    }
}

/// The index of the result of the instruction that is being undone.
const RESULT_INDEX: RegisterIndex = RegisterIndex::MAX;

/// The undo log: the indices of the instructions that stored a value, with the value overwritten.
struct UndoLog<T>(Vec<(u32, T)>);

impl<T> RunRecord<T> for &mut UndoLog<T> {
    #[inline(always)]
    fn record_overwritten(&mut self, instruction: usize, old: T) {
        self.0.push((instruction as u32, old));
    }
}

/// The frame of a function in a backward run.
struct BackwardFrame<T> {
    values: Vec<T>,
    /// The result of the instruction that is being undone.
    result: T,
    /// The adjoints of the registers so far.
    adjoints: Vec<Option<TapedNumber<T>>>,
}

impl<N: NumberSystem> AdjointStorage<N> for BackwardFrame<N::Number> {
    #[inline]
    fn forward_value<'n>(&'n self, machine: &'n RegisterMachine<'_, N>, at: RegisterIndex) -> &'n N::Number {
        if at == RESULT_INDEX { &self.result } else { register_value(&machine.constants, &self.values, at) }
    }

    // Loops exist only where no outer derivative tapes the sweep, so no number has a node.
    fn node_index(&self, _: RegisterIndex) -> NodeIndex {
        NO_NODE
    }

    #[inline]
    fn adjoint_mut(&mut self, at: RegisterIndex) -> Option<&mut Option<TapedNumber<N::Number>>> {
        // Constants lie beyond the last register, and take no cotangents.
        self.adjoints.get_mut(at as usize)
    }
}

impl CompiledFunction {
    /// Returns `true` if the function calls only itself, by tail calls. `own` is its number.
    pub(super) fn is_call_free(&self, own: u32) -> bool {
        self.instructions.iter().all(|instruction| match instruction {
            MachineInstruction::Call { .. } | MachineInstruction::Reverse { .. } => false,
            MachineInstruction::TailCall(function) => *function == own,
            _ => true,
        })
    }
}

impl<N: NumberSystem> RegisterMachine<'_, N> {
    /// Pulls a cotangent back through `turns` iterations of a call-free function, or fewer if it returns. The cotangent
    /// is that of its parameters after the iterations, or of its results. Returns the cotangent of its parameters
    /// before them.
    pub(super) fn pull_back_by_undo(
        &mut self,
        state: LoopState<N::Number>,
        turns: u64,
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        let function = self.code.functions[state.function as usize].clone();
        let parameters = state.arguments.len();
        let mut values = state.arguments;
        values.resize(function.registers as usize, self.zero.clone());
        let handed = vec![None; values.len()];
        let mut registers = BackwardFrame { values, result: self.zero.clone(), adjoints: handed };
        let mut done = UndoLog(Vec::new());
        let ends = self.run_forward(state.function, turns, &mut registers.values, &mut done)?;
        // After a return the cotangent belongs to the registers of the results, else to the parameters of the next
        // iteration.
        for (at, w) in (0..).zip(cotangent) {
            let to = ends.map_or(at, |from| function.registers_of(from, function.results)[at as usize]);
            self.add_cotangent::<false>(&mut registers, to, w)?;
        }
        // The adjoint of a register is taken before it is propagated: earlier instructions see the register with its
        // old value.
        for (instruction, overwritten) in done.0.into_iter().rev() {
            match function.instructions[instruction as usize] {
                MachineInstruction::Move { to, from } => {
                    registers.values[to as usize] = overwritten;
                    if let Some(w) = registers.adjoints[to as usize].take() {
                        self.add_cotangent::<false>(&mut registers, from, w)?;
                    }
                }
                MachineInstruction::Operate { step, to, arguments, .. } => {
                    registers.result = std::mem::replace(&mut registers.values[to as usize], overwritten);
                    if let Some(w) = registers.adjoints[to as usize].take() {
                        self.pull_back_operation::<false>(&mut registers, step, arguments, RESULT_INDEX, w)?;
                    }
                }
                // Other instructions store nothing.
                _ => {}
            }
        }
        let zero = || TapedNumber::constant(self.zero.clone());
        Ok(registers.adjoints.into_iter().take(parameters).map(|w| w.unwrap_or_else(zero)).collect())
    }

    /// Runs `turns` iterations, or fewer if the function returns. Returns the list of its results in that case, `None`
    /// otherwise.
    fn run_forward(
        &mut self,
        own: u32,
        mut turns: u64,
        values: &mut [N::Number],
        done: &mut UndoLog<N::Number>,
    ) -> Result<Option<ListStart>, RunError> {
        let function = self.code.functions[own as usize].clone();
        let mut block = BlockInterpreter {
            numbers: self.numbers,
            budget: self.budget,
            operations: &self.operations,
            constants: &self.constants,
            values,
            record: done,
        };
        loop {
            // One iteration is kept back: its tail call must return here, so that the end of the iterations is noticed.
            let (mut next, may_take) = (0, (turns - 1).min(function.turns_between_checks()));
            let mut left = may_take;
            let instruction = block.run_block(&function.instructions, &mut next, (own, &mut left))?;
            turns -= may_take - left;
            if let MachineInstruction::Return { from } = instruction {
                return Ok(Some(from));
            }
            turns -= 1;
            if turns == 0 {
                return Ok(None);
            }
            self.check_time()?;
            self.check_memory(block.record.0.len())?;
        }
    }
}

/// The state of a loop at the start of an iteration: a function and its arguments.
#[derive(Clone, Debug)]
pub(super) struct LoopState<T> {
    pub(super) function: u32,
    pub(super) arguments: Vec<T>,
}

/// The states of a loop, one for each `stride` iterations.
#[derive(Debug)]
pub(super) struct Checkpoints<T> {
    pub(super) states: Vec<LoopState<T>>,
    pub(super) stride: u64,
    turn_count: u64,
}

impl<T> Checkpoints<T> {
    /// Starts with the state before the first iteration.
    pub(super) fn new(start: LoopState<T>) -> Self {
        Checkpoints { states: vec![start], stride: 1, turn_count: 0 }
    }

    /// Returns the number of iterations that may begin before one whose state is kept.
    pub(super) fn turns_to_skip(&self) -> u64 {
        self.stride - 1 - self.turn_count % self.stride
    }

    /// Counts iterations whose states are not kept.
    pub(super) fn skip_turns(&mut self, turns: u64) {
        self.turn_count += turns;
    }

    /// Counts an iteration, and keeps its state if it is a multiple of the stride.
    pub(super) fn count_turn(&mut self, state: impl FnOnce() -> LoopState<T>) {
        self.turn_count += 1;
        if !self.turn_count.is_multiple_of(self.stride) {
            return;
        }
        self.states.push(state());
        // States and stride stay within a factor of 2 of each other, which balances memory and repetition at √T. Up to 16
        // states are always kept; a choice.
        if self.states.len() as u64 > 2 * self.stride.max(8) {
            let mut index = 0;
            // Every other state is dropped, beginning with the second; the first is the start of the loop.
            self.states.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.stride *= 2;
        }
    }
}

/// A loop that ran without a tape.
#[derive(Debug)]
pub(super) struct CheckpointedLoop<T> {
    pub(super) checkpoints: Checkpoints<T>,
    /// The nodes of the arguments of its first iteration.
    pub(super) inputs: Vec<NodeIndex>,
    pub(super) results: u32,
}

/// The largest nesting of derivatives. A choice: each level takes a piece of stack.
const LEVELS: u32 = 2_000;

impl<N: NumberSystem> RegisterMachine<'_, N> {
    /// Runs the remaining iterations of a function without tape, and adds them to the tape as one loop.
    pub(super) fn run_as_loop(
        &mut self,
        function: u32,
        arguments: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        // The inputs of the loop get nodes, so that the sweep has places for their cotangents.
        let inputs: Vec<_> = arguments.iter().map(|slot| self.tape.node_or_leaf(&slot.value, slot.node)).collect();
        let values: Vec<_> = arguments.into_iter().map(|slot| TapedNumber::constant(slot.value)).collect();
        let start = LoopState { function, arguments: values.iter().map(|slot| slot.value.clone()).collect() };
        let mut checkpoints = Checkpoints::new(start);
        // Within the loop there is no tape: it starts empty, and the outer one is put back even after an error.
        let tape = std::mem::take(&mut self.tape);
        let found =
            with_stack(|| self.run_function::<false>(function, values, TripCount::Checkpointed(&mut checkpoints)));
        self.tape = tape;
        let values = found?.into_numbers();
        let of = self.tape.loops.len() as u32;
        self.tape.loops.push(CheckpointedLoop { checkpoints, inputs, results: values.len() as u32 });
        let result = |(number, slot): (u32, TapedNumber<N::Number>)| {
            let place = self.tape.push(TapeNode::Result { number, of }, slot.value.clone());
            TapedNumber { node: place, ..slot }
        };
        Ok((0..).zip(values).map(result).collect())
    }

    /// Computes `W.R_V(x. N)`: on a tape of its own, or if there is one already, on that, together with the sweep.
    pub(super) fn differentiate_inner<const TAPED: bool>(
        &mut self,
        body: u32,
        inside: &CompiledFunction,
        mut arguments: Vec<TapedNumber<N::Number>>,
        cotangent: Vec<TapedNumber<N::Number>>,
    ) -> Result<Vec<TapedNumber<N::Number>>, RunError> {
        if self.derivative_depth >= LEVELS {
            return Err(resource_error(format!("derivatives are nested more than {LEVELS} levels deep")));
        }
        // The inputs are copied to new nodes. The sweep back to them stops there, and so cannot reach nodes of outer
        // derivatives.
        let from = self.tape.next_index();
        for slot in &mut arguments[..inside.differentiated as usize] {
            let node = if TAPED && slot.node != NO_NODE { TapeNode::Copied(slot.node) } else { TapeNode::Leaf };
            slot.node = self.tape.push(node, slot.value.clone());
        }
        self.derivative_depth += 1;
        // A loop runs without a tape, so it has no nodes that an outer derivative could differentiate again.
        let loops = self.allows_loops;
        self.allows_loops = loops && !TAPED;
        let found = with_stack(|| {
            let results = self.run_function::<true>(body, arguments, TripCount::All)?.into_numbers();
            self.sweep_back::<TAPED>(from, inside.differentiated, &results, cotangent)
        });
        self.allows_loops = loops;
        self.derivative_depth -= 1;
        if !TAPED {
            self.tape.clear();
        }
        found
    }

    /// Computes the value and the pullback of a cotangent, of the outermost function.
    pub(super) fn differentiate_outermost(
        &mut self,
        function: u32,
        point: Vec<N::Number>,
        cotangent: Vec<N::Number>,
    ) -> Result<[Vec<N::Number>; 2], RunError> {
        let place = |value: N::Number| TapedNumber { node: self.tape.push(TapeNode::Leaf, value.clone()), value };
        let arguments: Vec<_> = point.into_iter().map(place).collect();
        let moving = arguments.len() as u32;
        let results = self.run_function::<true>(function, arguments, TripCount::All)?.into_numbers();
        let cotangent = cotangent.into_iter().map(TapedNumber::constant).collect();
        let found = self.sweep_back::<false>(0, moving, &results, cotangent)?;
        Ok([results, found].map(|slots| slots.into_iter().map(|slot| slot.value).collect()))
    }

    /// Returns the number of arguments of an operation of the list.
    pub(super) fn operation_arity(&self, number: u32) -> usize {
        self.code.operations[number as usize].arity()
    }

    /// Returns the function `operation_pullback`, of the arguments, the value and the cotangent. Compiles it at its first use.
    pub(super) fn pullback_function(&mut self, number: u32) -> Result<u32, RunError> {
        let number = number as usize;
        if let Some(known) = self.pullbacks[number] {
            return Ok(known);
        }
        let operation = self.code.operations[number].clone();
        let made = super::compile_pullback(&mut self.code, &operation)?;
        self.convert_new_code();
        self.pullbacks[number] = Some(made);
        Ok(made)
    }
}
