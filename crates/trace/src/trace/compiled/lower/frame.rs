//! The builder of a function's instructions.

use super::{Scope, Value};
use crate::trace::compiled::code::{Function, Instruction, List, Register};
use crate::trace::term::Variable;

/// A function under construction.
pub(super) struct Frame {
    pub(super) function: Function,
    pub(super) variables: Scope<Value>,
    /// The target of the last jump that has one.
    pub(super) target: usize,
}

impl Frame {
    /// Starts a function. Each parameter takes as many registers as it has real numbers.
    pub(super) fn new(parameters: impl IntoIterator<Item = (Variable, usize)>) -> Self {
        let mut frame = Frame { function: Function::default(), variables: Scope::default(), target: 0 };
        for (x, width) in parameters {
            let value = frame.fresh(width);
            frame.variables.insert(x, value);
        }
        frame.function.parameters = frame.function.registers;
        frame
    }

    /// Returns new registers.
    pub(super) fn fresh(&mut self, width: usize) -> Value {
        let first = self.function.registers;
        self.function.registers += width as u32;
        (first..self.function.registers).collect()
    }

    /// Adds an instruction.
    pub(super) fn push(&mut self, instruction: Instruction) {
        self.function.instructions.push(instruction);
    }

    /// Adds instructions that move values to registers.
    pub(super) fn moved(&mut self, to: &[Register], from: &[Register]) {
        for (to, from) in to.iter().zip(from) {
            self.push(Instruction::Move { to: *to, from: *from });
        }
    }

    /// Adds a list of registers to those of the function.
    pub(super) fn list(&mut self, value: &[Register]) -> List {
        let first = self.function.lists.len() as List;
        self.function.lists.extend(value);
        first
    }

    /// Moves a value to the parameters, for a tail call. Registers that are read after they are overwritten are saved
    /// before.
    pub(super) fn pass(&mut self, mut value: Value) {
        self.function.registers = self.function.registers.max(value.len() as u32);
        let moves = |value: &Value, i: usize| value[i] != i as Register;
        for j in 0..value.len() {
            let from = value[j] as usize;
            // The moves go from left to right, so parameter `from` is overwritten before it is moved to a later place
            // j.
            if from < j && moves(&value, from) {
                let saved = self.fresh(1);
                self.moved(&saved, &[value[j]]);
                value[j] = saved[0];
            }
        }
        for (to, from) in value.iter().enumerate().filter(|(to, _)| moves(&value, *to)) {
            self.push(Instruction::Move { to: to as Register, from: *from });
        }
        self.compute_in_place();
    }

    /// Computes values where they will be moved to, if no instruction in between uses that register. This saves the
    /// moves of most loops. It changes only instructions behind the last jump and its target.
    pub(super) fn compute_in_place(&mut self) {
        let plain = |i: &Instruction| matches!(i, Instruction::Operate { .. } | Instruction::Move { .. });
        let instructions = &mut self.function.instructions;
        // Behind these the instructions are executed in sequence, and are not entered from elsewhere.
        let first = instructions.iter().rposition(|i| !plain(i)).map_or(0, |jump| jump + 1).max(self.target);
        let mut index = instructions.len();
        while index > first {
            index -= 1;
            let Instruction::Move { to: goal, from } = instructions[index] else { break };
            let made = |i: &Instruction| matches!(i, Instruction::Operate { to, .. } if *to == from);
            // A value made before the last jump, or a parameter, keeps its move.
            let Some(at) = instructions[first..index].iter().rposition(made).map(|at| first + at) else { continue };
            let concerns = |i: &Instruction| match *i {
                Instruction::Operate { to, arguments: [a, b], .. } => {
                    [a, b].iter().any(|r| *r == from || *r == goal) || to == goal || to == from
                }
                Instruction::Move { to, from: other } => [to, other].iter().any(|r| *r == from || *r == goal),
                _ => true,
            };
            let others = instructions[at + 1..].iter().enumerate().filter(|(i, _)| at + 1 + i != index);
            if others.into_iter().any(|(_, i)| concerns(i)) {
                continue;
            }
            if let Instruction::Operate { to, .. } = &mut instructions[at] {
                *to = goal;
            }
            instructions.remove(index);
        }
    }

    /// Adds a jump whose target is not known yet, and returns its index.
    pub(super) fn open(&mut self, instruction: Instruction) -> usize {
        self.push(instruction);
        self.function.instructions.len() - 1
    }

    /// Sets the target of a jump to the next instruction.
    pub(super) fn close(&mut self, jump: usize) {
        self.target = self.function.instructions.len();
        let here = self.target as u32;
        match &mut self.function.instructions[jump] {
            Instruction::Jump(target) | Instruction::Branch { otherwise: target, .. } => *target = here,
            _ => {}
        }
    }
}
