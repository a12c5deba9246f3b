//! Compilation of terms to instructions. Pairs are split into their parts, so a value is a list of registers, and a
//! tail call is a jump.
//!
//! # The builder of a function's instructions

use super::machine::{
    CompiledCode, CompiledFunction, FIRST_CONSTANT, MachineInstruction, OperationCode, RegisterIndex,
};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::trace::compiled::machine::ListStart;
use crate::trace::evaluation::TraceError;
use crate::trace::number::FastOperation;
use crate::trace::operation::OperationSymbol;
use crate::trace::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreVariable, SourceId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The registers of the real numbers in a value, from left to right.
type RegisterList = Vec<RegisterIndex>;
/// Data of the variables in scope.
type ScopeMap<T> = FxHashMap<CoreVariable, T>;

/// The state of a compilation.
pub(super) struct TermCompiler<'c> {
    code: &'c mut CompiledCode,
    constants: FxHashMap<Rational, u32>,
    operations: FxHashMap<OperationSymbol, u32>,
    /// For each function its number, and the number of its results.
    functions: ScopeMap<(u32, usize)>,
}

/// Returns the error for an ill-typed construct.
fn stuck_error<T>(construct: &'static str) -> Result<T, TraceError> {
    Err(TraceError::Stuck { construct })
}

impl<'c> TermCompiler<'c> {
    /// Starts on top of code that may be there already.
    pub(super) fn new(code: &'c mut CompiledCode) -> Self {
        let constants = code.constants.iter().cloned().zip(0..).collect();
        let operations = code.operations.iter().cloned().zip(0..).collect();
        TermCompiler { code, constants, operations, functions: ScopeMap::default() }
    }

    /// Compiles the function `parameters ↦ term`, and returns its number.
    pub(super) fn compile_function(
        &mut self,
        parameters: &[(CoreVariable, CoreTy)],
        term: &CoreTerm,
    ) -> Result<u32, TraceError> {
        let frame = CodeBuilder::new(parameters.iter().map(|(x, ty)| (x.clone(), ty.dimension())));
        self.compile_body(frame, term)
    }

    /// Compiles a list of terms as one function, which returns the numbers of all.
    pub(super) fn compile_components(
        &mut self,
        parameters: &[CoreVariable],
        terms: &[CoreTerm],
    ) -> Result<CompiledFunction, TraceError> {
        let mut frame = CodeBuilder::new(parameters.iter().map(|x| (x.clone(), 1)));
        let mut all = Vec::new();
        for term in terms {
            all.extend(self.compile_value(&mut frame, term)?);
        }
        self.emit_return(&mut frame, &all);
        Ok(frame.function)
    }

    /// Compiles the body of a new function.
    fn compile_body(&mut self, frame: CodeBuilder, term: &CoreTerm) -> Result<u32, TraceError> {
        let number = self.reserve_number();
        self.fill_reserved(number, frame, term)?;
        Ok(number)
    }

    /// Reserves a number. A recursive function needs it before its code is complete.
    fn reserve_number(&mut self) -> u32 {
        self.code.functions.push(Arc::default());
        self.code.functions.len() as u32 - 1
    }

    /// Compiles the body of a function with a reserved number.
    fn fill_reserved(&mut self, number: u32, mut frame: CodeBuilder, term: &CoreTerm) -> Result<(), TraceError> {
        with_stack(|| self.compile_tail(&mut frame, term))?;
        self.code.functions[number as usize] = Arc::new(frame.function);
        Ok(())
    }

    /// Ends a function by returning a value.
    fn emit_return(&mut self, frame: &mut CodeBuilder, value: &[RegisterIndex]) {
        frame.function.results = value.len() as u32;
        let from = frame.add_list(value);
        frame.push(MachineInstruction::Return { from });
    }

    /// Returns the register of a constant. Equal constants share one.
    fn constant_register(&mut self, q: &Rational) -> RegisterIndex {
        let next = self.constants.len() as u32;
        let number = *self.constants.entry(q.clone()).or_insert(next);
        if number == next {
            self.code.constants.push(q.clone());
        }
        FIRST_CONSTANT + number
    }

    /// Returns the code of an operation. Equal operations of the list share one.
    fn operation_code(&mut self, operation: &OperationSymbol) -> OperationCode {
        let arithmetic = match operation {
            OperationSymbol::Negate => Some(FastOperation::Negate),
            OperationSymbol::Subtract => Some(FastOperation::Subtract),
            OperationSymbol::Multiply => Some(FastOperation::Multiply),
            OperationSymbol::Divide => Some(FastOperation::Divide),
            _ => None,
        };
        if let Some(arithmetic) = arithmetic {
            return OperationCode::Fast(arithmetic);
        }
        let next = self.operations.len() as u32;
        let number = *self.operations.entry(operation.clone()).or_insert(next);
        if number == next {
            self.code.operations.push(operation.clone());
        }
        OperationCode::Listed(number)
    }

    /// Compiles a term of type real.
    fn compile_real(&mut self, frame: &mut CodeBuilder, term: &CoreTerm) -> Result<RegisterIndex, TraceError> {
        match self.compile_value(frame, term)?[..] {
            [register] => Ok(register),
            _ => stuck_error("a real number"),
        }
    }

    /// Adds an instruction for an operation, and returns the register of its result.
    fn emit_operation(
        &mut self,
        frame: &mut CodeBuilder,
        step: OperationCode,
        arguments: [RegisterIndex; 2],
        site: SourceId,
    ) -> RegisterList {
        let to = frame.fresh_registers(1);
        frame.push(MachineInstruction::Operate { step, to: to[0], arguments, site });
        to
    }

    /// Compiles a definition, which is in scope from here on.
    fn compile_definition(&mut self, definition: &CoreDefinition) -> Result<(), TraceError> {
        if definition.limit.is_some() {
            return Err(TraceError::LimitedRecursion);
        }
        let number = self.reserve_number();
        self.functions.insert(definition.function.clone(), (number, definition.codomain.dimension()));
        // Functions that the body defines are out of scope behind it.
        let scope = self.functions.clone();
        let frame = CodeBuilder::new([(definition.parameter.clone(), definition.domain.dimension())]);
        self.fill_reserved(number, frame, &definition.body)?;
        self.functions = scope;
        Ok(())
    }

    /// Returns the number of a function, and of its results.
    fn callee_of(&self, f: &CoreVariable) -> Result<(u32, usize), TraceError> {
        self.functions.get(f).copied().map_or_else(|| stuck_error("a function variable"), Ok)
    }

    /// Compiles a condition, and returns the jump for its failure. Returns the truth value as an error if it is a
    /// constant.
    fn compile_condition(
        &mut self,
        frame: &mut CodeBuilder,
        condition: &BooleanTerm,
        site: SourceId,
    ) -> Result<Result<usize, bool>, TraceError> {
        let (predicate, argument) = match condition {
            BooleanTerm::Value(known) => return Ok(Err(*known)),
            BooleanTerm::Predicate(predicate, argument) => (*predicate, argument),
        };
        let [a, b] = self.compile_value(frame, argument)?[..] else { return stuck_error("a comparison") };
        Ok(Ok(frame.open_jump(MachineInstruction::Branch { predicate, arguments: [a, b], otherwise: 0, site })))
    }

    /// Compiles a term in tail position.
    fn compile_tail(&mut self, frame: &mut CodeBuilder, term: &CoreTerm) -> Result<(), TraceError> {
        match term.kind() {
            CoreTermKind::Let(..) | CoreTermKind::LetRec(..) => {
                self.compile_under_bindings(frame, term, Self::compile_tail)
            }
            CoreTermKind::If(condition, then, otherwise) => {
                match self.compile_condition(frame, condition, term.site())? {
                    Ok(jump) => {
                        with_stack(|| self.compile_tail(frame, then))?;
                        frame.close_jump(jump);
                        with_stack(|| self.compile_tail(frame, otherwise))
                    }
                    Err(known) => with_stack(|| self.compile_tail(frame, if known { then } else { otherwise })),
                }
            }
            // A tail call reuses the frame, so that a loop runs in constant memory.
            CoreTermKind::Call(f, argument) => {
                let value = self.compile_value(frame, argument)?;
                frame.pass_arguments(value);
                let (function, _) = self.callee_of(f)?;
                frame.push(MachineInstruction::TailCall(function));
                Ok(())
            }
            _ => {
                let value = self.compile_value(frame, term)?;
                self.emit_return(frame, &value);
                Ok(())
            }
        }
    }

    /// Compiles the bindings around a term, by iteration, and then the term by `then`. Their scope ends with it.
    fn compile_under_bindings<T>(
        &mut self,
        frame: &mut CodeBuilder,
        mut term: &CoreTerm,
        then: impl FnOnce(&mut Self, &mut CodeBuilder, &CoreTerm) -> Result<T, TraceError>,
    ) -> Result<T, TraceError> {
        let mut functions = None;
        let mut hidden = Vec::new();
        loop {
            match term.kind() {
                CoreTermKind::Let(x, _, value, rest) => {
                    let value = with_stack(|| self.compile_value(frame, value))?;
                    hidden.push((x.clone(), frame.variables.insert(x.clone(), value)));
                    term = rest;
                }
                CoreTermKind::LetRec(definition, rest) => {
                    functions.get_or_insert_with(|| self.functions.clone());
                    with_stack(|| self.compile_definition(definition))?;
                    term = rest;
                }
                _ => break,
            }
        }
        let found = with_stack(|| then(self, frame, term));
        // In reverse, so that of several bindings of one variable the outer one is restored.
        for (x, value) in hidden.into_iter().rev() {
            match value {
                Some(value) => frame.variables.insert(x, value),
                None => frame.variables.remove(&x),
            };
        }
        if let Some(functions) = functions {
            self.functions = functions;
        }
        found
    }

    /// Compiles a term that is not in tail position, and returns the registers of its value.
    fn compile_value(&mut self, frame: &mut CodeBuilder, term: &CoreTerm) -> Result<RegisterList, TraceError> {
        let site = term.site();
        match term.kind() {
            CoreTermKind::Variable(x) => frame.variables.get(x).cloned().map_or_else(|| stuck_error("a variable"), Ok),
            CoreTermKind::Number(q) => Ok(vec![self.constant_register(q)]),
            CoreTermKind::Unit => Ok(Vec::new()),
            CoreTermKind::Let(..) | CoreTermKind::LetRec(..) => {
                self.compile_under_bindings(frame, term, Self::compile_value)
            }
            CoreTermKind::Add(left, right) => {
                let arguments = [left, right].map(|part| with_stack(|| self.compile_real(frame, part)));
                let [left, right] = arguments;
                let arguments = [left?, right?];
                Ok(self.emit_operation(frame, OperationCode::ADD, arguments, site))
            }
            CoreTermKind::Operation(operation, argument) => {
                let arguments =
                    match (with_stack(|| self.compile_value(frame, argument))?[..].as_ref(), operation.arity()) {
                        ([], 0) => [FIRST_CONSTANT; 2],
                        ([a], 1) => [*a, *a],
                        ([a, b], 2) => [*a, *b],
                        _ => return stuck_error("an operation"),
                    };
                // π takes no arguments, but its instruction names two registers; the first constant must exist for
                // that.
                if operation.arity() == 0 {
                    self.constant_register(&Rational::new());
                }
                let step = self.operation_code(operation);
                Ok(self.emit_operation(frame, step, arguments, site))
            }
            CoreTermKind::Pair(_, _, left, right) => with_stack(|| {
                let mut value = self.compile_value(frame, left)?;
                value.extend(self.compile_value(frame, right)?);
                Ok(value)
            }),
            CoreTermKind::First(t, _, pair) => {
                // Pairs are lists of registers, so projections cost no instruction.
                let mut value = with_stack(|| self.compile_value(frame, pair))?;
                value.truncate(t.dimension());
                Ok(value)
            }
            CoreTermKind::Second(t, _, pair) => {
                Ok(with_stack(|| self.compile_value(frame, pair))?.split_off(t.dimension()))
            }
            CoreTermKind::If(condition, then, otherwise) => with_stack(|| {
                let jump = match self.compile_condition(frame, condition, site)? {
                    Ok(jump) => jump,
                    Err(known) => return self.compile_value(frame, if known { then } else { otherwise }),
                };
                // Both branches move their value to the same registers.
                let value = self.compile_value(frame, then)?;
                let to = frame.fresh_registers(value.len());
                frame.move_registers(&to, &value);
                let end = frame.open_jump(MachineInstruction::Jump(0));
                frame.close_jump(jump);
                let value = self.compile_value(frame, otherwise)?;
                frame.move_registers(&to, &value);
                frame.close_jump(end);
                Ok(to)
            }),
            CoreTermKind::Call(f, argument) => {
                let value = with_stack(|| self.compile_value(frame, argument))?;
                let arguments = frame.add_list(&value);
                let (function, width) = self.callee_of(f)?;
                let to = frame.fresh_registers(width);
                frame.push(MachineInstruction::Call { function, arguments, to: to.first().copied().unwrap_or(0) });
                Ok(to)
            }
            CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
                let at = with_stack(|| self.compile_value(frame, point))?;
                let cotangent = with_stack(|| self.compile_value(frame, cotangent))?;
                self.compile_reverse(frame, (at, cotangent), (variable, ty), body)
            }
        }
    }

    /// Compiles a derivative: the body becomes a function of x and of its other free variables.
    fn compile_reverse(
        &mut self,
        frame: &mut CodeBuilder,
        (mut at, cotangent): (RegisterList, RegisterList),
        (x, ty): (&CoreVariable, &CoreTy),
        body: &CoreTerm,
        // The body cannot see the registers around it, so their values become parameters, in which it is not
        // differentiated.
    ) -> Result<RegisterList, TraceError> {
        let outside: Vec<_> = body.free_variables().into_iter().filter(|y| y != x).collect();
        let mut parameters = vec![(x.clone(), ty.dimension())];
        for y in outside {
            let Some(value) = frame.variables.get(&y) else { return stuck_error("a variable") };
            at.extend(value);
            parameters.push((y, value.len()));
        }
        let mut inside = CodeBuilder::new(parameters);
        inside.function.differentiated = ty.dimension() as u32;
        inside.function.results = cotangent.len() as u32;
        let body = self.compile_body(inside, body)?;
        let (arguments, cotangent) = (frame.add_list(&at), frame.add_list(&cotangent));
        let value = frame.fresh_registers(ty.dimension());
        frame.push(MachineInstruction::Reverse { body, arguments, cotangent, to: value.first().copied().unwrap_or(0) });
        Ok(value)
    }
}

/// A function under construction.
struct CodeBuilder {
    function: CompiledFunction,
    variables: ScopeMap<RegisterList>,
    /// The target of the last jump that has one.
    last_jump_target: usize,
}

impl CodeBuilder {
    /// Starts a function. Each parameter takes as many registers as it has real numbers.
    fn new(parameters: impl IntoIterator<Item = (CoreVariable, usize)>) -> Self {
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
    fn fresh_registers(&mut self, width: usize) -> RegisterList {
        let first = self.function.registers;
        self.function.registers += width as u32;
        (first..self.function.registers).collect()
    }

    /// Adds an instruction.
    fn push(&mut self, instruction: MachineInstruction) {
        self.function.instructions.push(instruction);
    }

    /// Adds instructions that move values to registers.
    fn move_registers(&mut self, to: &[RegisterIndex], from: &[RegisterIndex]) {
        for (to, from) in to.iter().zip(from) {
            self.push(MachineInstruction::Move { to: *to, from: *from });
        }
    }

    /// Adds a list of registers to those of the function.
    fn add_list(&mut self, value: &[RegisterIndex]) -> ListStart {
        let first = self.function.lists.len() as ListStart;
        self.function.lists.extend(value);
        first
    }

    /// Moves a value to the parameters, for a tail call. Registers that are read after they are overwritten are saved
    /// before.
    fn pass_arguments(&mut self, mut value: RegisterList) {
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
    fn compute_in_place(&mut self) {
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
    fn open_jump(&mut self, instruction: MachineInstruction) -> usize {
        self.push(instruction);
        self.function.instructions.len() - 1
    }

    /// Sets the target of a jump to the next instruction.
    fn close_jump(&mut self, jump: usize) {
        self.last_jump_target = self.function.instructions.len();
        let here = self.last_jump_target as u32;
        match &mut self.function.instructions[jump] {
            MachineInstruction::Jump(target) | MachineInstruction::Branch { otherwise: target, .. } => *target = here,
            _ => {}
        }
    }
}
