//! Reverse sweeps over iterations without calls, by an undo log instead of a tape. The forward run records each
//! overwritten value; the backward run visits the instructions in reverse order and restores them.

use super::block::{Block, Record, number};
use super::code::{Function, Instruction, List, Register};
use super::machine::{Machine, Stop};
use super::repeat::State;
use super::sweep::Way;
use super::tape::{NOWHERE, Place, Slot};
use crate::trace::number::Numbers;

/// The index of the result of the instruction that is being undone.
const RESULT: Register = Register::MAX;

/// The undo log: the indices of the instructions that stored a value, with the value overwritten.
struct Done<T>(Vec<(u32, T)>);

impl<T> Record<T> for &mut Done<T> {
    #[inline(always)]
    fn overwritten(&mut self, instruction: usize, old: T) {
        self.0.push((instruction as u32, old));
    }
}

/// The frame of a function in a backward run.
struct Registers<T> {
    values: Vec<T>,
    /// The result of the instruction that is being undone.
    result: T,
    /// The adjoints of the registers so far.
    handed: Vec<Option<Slot<T>>>,
}

impl<N: Numbers> Way<N> for Registers<N::Number> {
    #[inline]
    fn number<'n>(&'n self, machine: &'n Machine<'_, N>, at: Register) -> &'n N::Number {
        if at == RESULT { &self.result } else { number(&machine.constants, &self.values, at) }
    }

    // Loops exist only where no outer derivative tapes the sweep, so no number has a node.
    fn place(&self, _: Register) -> Place {
        NOWHERE
    }

    #[inline]
    fn handed(&mut self, at: Register) -> Option<&mut Option<Slot<N::Number>>> {
        // Constants lie beyond the last register, and take no cotangents.
        self.handed.get_mut(at as usize)
    }
}

impl Function {
    /// Returns `true` if the function calls only itself, by tail calls. `own` is its number.
    pub(super) fn is_straight(&self, own: u32) -> bool {
        self.instructions.iter().all(|instruction| match instruction {
            Instruction::Call { .. } | Instruction::Reverse { .. } => false,
            Instruction::Repeat(function) => *function == own,
            _ => true,
        })
    }
}

impl<N: Numbers> Machine<'_, N> {
    /// Pulls a cotangent back through `turns` iterations of a call-free function, or fewer if it returns. The cotangent
    /// is that of its parameters after the iterations, or of its results. Returns the cotangent of its parameters
    /// before them.
    pub(super) fn straight_back(
        &mut self,
        state: State<N::Number>,
        turns: u64,
        cotangent: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
        let function = self.code.functions[state.function as usize].clone();
        let parameters = state.arguments.len();
        let mut values = state.arguments;
        values.resize(function.registers as usize, self.zero.clone());
        let handed = vec![None; values.len()];
        let mut registers = Registers { values, result: self.zero.clone(), handed };
        let mut done = Done(Vec::new());
        let ends = self.forth(state.function, turns, &mut registers.values, &mut done)?;
        // After a return the cotangent belongs to the registers of the results, else to the parameters of the next
        // iteration.
        for (at, w) in (0..).zip(cotangent) {
            let to = ends.map_or(at, |from| function.list(from, function.results)[at as usize]);
            self.hand::<false>(&mut registers, to, w)?;
        }
        // The adjoint of a register is taken before it is propagated: earlier instructions see the register with its
        // old value.
        for (instruction, overwritten) in done.0.into_iter().rev() {
            match function.instructions[instruction as usize] {
                Instruction::Move { to, from } => {
                    registers.values[to as usize] = overwritten;
                    if let Some(w) = registers.handed[to as usize].take() {
                        self.hand::<false>(&mut registers, from, w)?;
                    }
                }
                Instruction::Operate { step, to, arguments, .. } => {
                    registers.result = std::mem::replace(&mut registers.values[to as usize], overwritten);
                    if let Some(w) = registers.handed[to as usize].take() {
                        self.pull::<false>(&mut registers, step, arguments, RESULT, w)?;
                    }
                }
                // Other instructions store nothing.
                _ => {}
            }
        }
        let zero = || Slot::constant(self.zero.clone());
        Ok(registers.handed.into_iter().take(parameters).map(|w| w.unwrap_or_else(zero)).collect())
    }

    /// Runs `turns` iterations, or fewer if the function returns. Returns the list of its results in that case, `None`
    /// otherwise.
    fn forth(
        &mut self,
        own: u32,
        mut turns: u64,
        values: &mut [N::Number],
        done: &mut Done<N::Number>,
    ) -> Result<Option<List>, Stop> {
        let function = self.code.functions[own as usize].clone();
        let mut block = Block {
            numbers: self.numbers,
            operations: &self.operations,
            constants: &self.constants,
            values,
            record: done,
        };
        loop {
            // One iteration is kept back: its tail call must return here, so that the end of the iterations is noticed.
            let (mut next, may_take) = (0, (turns - 1).min(function.turns_at_once()));
            let mut left = may_take;
            let instruction = block.run(&function.instructions, &mut next, (own, &mut left))?;
            turns -= may_take - left;
            if let Instruction::Return { from } = instruction {
                return Ok(Some(from));
            }
            turns -= 1;
            if turns == 0 {
                return Ok(None);
            }
            self.look()?;
            self.has_room(block.record.0.len())?;
        }
    }
}
