//! Reverse sweeps over iterations without calls, by an undo log instead of a tape. The forward run records each
//! overwritten value; the backward run visits the instructions in reverse order and restores them.

use super::block::{BlockInterpreter, RunRecord, register_value};
use super::code::{CompiledFunction, ListStart, MachineInstruction, RegisterIndex};
use super::machine::{RegisterMachine, RunError};
use super::repeat::LoopState;
use super::sweep::AdjointStorage;
use super::tape::{NO_NODE, NodeIndex, TapedNumber};
use crate::trace::number::NumberSystem;

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
