//! The builder of a function's instructions.

use super::{RegisterList, ScopeMap};
use crate::trace::compiled::code::{CompiledFunction, ListStart, MachineInstruction, RegisterIndex};
use crate::trace::term::CoreVariable;

/// A function under construction.
pub(super) struct CodeBuilder {
    pub(super) function: CompiledFunction,
    pub(super) variables: ScopeMap<RegisterList>,
    /// The target of the last jump that has one.
    pub(super) last_jump_target: usize,
}

impl CodeBuilder {
    /// Starts a function. Each parameter takes as many registers as it has real numbers.
    pub(super) fn new(parameters: impl IntoIterator<Item = (CoreVariable, usize)>) -> Self {
        let mut frame =
            CodeBuilder { function: CompiledFunction::default(), variables: ScopeMap::default(), last_jump_target: 0 };
        for (x, width) in parameters {
            let value = frame.fresh_registers(width);
            frame.variables.insert(x, value);
        }
        frame.function.parameters = frame.function.registers;
        frame
    }

    /// Returns new registers.
    pub(super) fn fresh_registers(&mut self, width: usize) -> RegisterList {
        let first = self.function.registers;
        self.function.registers += width as u32;
        (first..self.function.registers).collect()
    }

    /// Adds an instruction.
    pub(super) fn push(&mut self, instruction: MachineInstruction) {
        self.function.instructions.push(instruction);
    }

    /// Adds instructions that move values to registers.
    pub(super) fn move_registers(&mut self, to: &[RegisterIndex], from: &[RegisterIndex]) {
        for (to, from) in to.iter().zip(from) {
            self.push(MachineInstruction::Move { to: *to, from: *from });
        }
    }

    /// Adds a list of registers to those of the function.
    pub(super) fn add_list(&mut self, value: &[RegisterIndex]) -> ListStart {
        let first = self.function.lists.len() as ListStart;
        self.function.lists.extend(value);
        first
    }

    /// Moves a value to the parameters, for a tail call. Registers that are read after they are overwritten are saved
    /// before.
    pub(super) fn pass_arguments(&mut self, mut value: RegisterList) {
        self.function.registers = self.function.registers.max(value.len() as u32);
        let moves = |value: &RegisterList, i: usize| value[i] != i as RegisterIndex;
        for j in 0..value.len() {
            let from = value[j] as usize;
            // The moves go from left to right, so parameter `from` is overwritten before it is moved to a later place
            // j.
            if from < j && moves(&value, from) {
                let saved = self.fresh_registers(1);
                self.move_registers(&saved, &[value[j]]);
                value[j] = saved[0];
            }
        }
        for (to, from) in value.iter().enumerate().filter(|(to, _)| moves(&value, *to)) {
            self.push(MachineInstruction::Move { to: to as RegisterIndex, from: *from });
        }
        self.compute_in_place();
    }

    /// Computes values where they will be moved to, if no instruction in between uses that register. This saves the
    /// moves of most loops. It changes only instructions behind the last jump and its target.
    pub(super) fn compute_in_place(&mut self) {
        let plain =
            |i: &MachineInstruction| matches!(i, MachineInstruction::Operate { .. } | MachineInstruction::Move { .. });
        let instructions = &mut self.function.instructions;
        // Behind these the instructions are executed in sequence, and are not entered from elsewhere.
        let first = instructions.iter().rposition(|i| !plain(i)).map_or(0, |jump| jump + 1).max(self.last_jump_target);
        let mut index = instructions.len();
        while index > first {
            index -= 1;
            let MachineInstruction::Move { to: goal, from } = instructions[index] else { break };
            let made = |i: &MachineInstruction| matches!(i, MachineInstruction::Operate { to, .. } if *to == from);
            // A value made before the last jump, or a parameter, keeps its move.
            let Some(at) = instructions[first..index].iter().rposition(made).map(|at| first + at) else { continue };
            let concerns = |i: &MachineInstruction| match *i {
                MachineInstruction::Operate { to, arguments: [a, b], .. } => {
                    [a, b].iter().any(|r| *r == from || *r == goal) || to == goal || to == from
                }
                MachineInstruction::Move { to, from: other } => [to, other].iter().any(|r| *r == from || *r == goal),
                _ => true,
            };
            let others = instructions[at + 1..].iter().enumerate().filter(|(i, _)| at + 1 + i != index);
            if others.into_iter().any(|(_, i)| concerns(i)) {
                continue;
            }
            if let MachineInstruction::Operate { to, .. } = &mut instructions[at] {
                *to = goal;
            }
            instructions.remove(index);
        }
    }

    /// Adds a jump whose target is not known yet, and returns its index.
    pub(super) fn open_jump(&mut self, instruction: MachineInstruction) -> usize {
        self.push(instruction);
        self.function.instructions.len() - 1
    }

    /// Sets the target of a jump to the next instruction.
    pub(super) fn close_jump(&mut self, jump: usize) {
        self.last_jump_target = self.function.instructions.len();
        let here = self.last_jump_target as u32;
        match &mut self.function.instructions[jump] {
            MachineInstruction::Jump(target) | MachineInstruction::Branch { otherwise: target, .. } => *target = here,
            _ => {}
        }
    }
}
