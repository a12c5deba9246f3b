//! Compilation of terms to instructions. Pairs are split into their parts, so a value is a list of registers, and a
//! tail call is a jump.

mod frame;

use self::frame::Frame;
use super::code::{CONSTANTS, Code, Function, Instruction, Register, Step};
use crate::number::Rational;
use crate::stack::deep;
use crate::trace::error::Obstacle;
use crate::trace::number::Arithmetic;
use crate::trace::operation::Operation;
use crate::trace::term::{Boolean, Definition, Site, Term, TermKind, Variable};
use crate::trace::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The registers of the real numbers in a value, from left to right.
type Value = Vec<Register>;
/// Data of the variables in scope.
type Scope<T> = FxHashMap<Variable, T>;

/// The state of a compilation.
pub(super) struct Lowering<'c> {
    code: &'c mut Code,
    constants: FxHashMap<Rational, u32>,
    operations: FxHashMap<Operation, u32>,
    /// For each function its number, and the number of its results.
    functions: Scope<(u32, usize)>,
}

/// Returns the error for an ill-typed construct.
fn stuck<T>(construct: &'static str) -> Result<T, Obstacle> {
    Err(Obstacle::Stuck { construct })
}

impl<'c> Lowering<'c> {
    /// Starts on top of code that may be there already.
    pub(super) fn new(code: &'c mut Code) -> Self {
        let constants = code.constants.iter().cloned().zip(0..).collect();
        let operations = code.operations.iter().cloned().zip(0..).collect();
        Lowering { code, constants, operations, functions: Scope::default() }
    }

    /// Compiles the function `parameters ↦ term`, and returns its number.
    pub(super) fn function(&mut self, parameters: &[(Variable, Ty)], term: &Term) -> Result<u32, Obstacle> {
        let frame = Frame::new(parameters.iter().map(|(x, ty)| (x.clone(), ty.dimension())));
        self.finished(frame, term)
    }

    /// Compiles a list of terms as one function, which returns the numbers of all.
    pub(super) fn components(&mut self, parameters: &[Variable], terms: &[Term]) -> Result<Function, Obstacle> {
        let mut frame = Frame::new(parameters.iter().map(|x| (x.clone(), 1)));
        let mut all = Vec::new();
        for term in terms {
            all.extend(self.value(&mut frame, term)?);
        }
        self.result(&mut frame, &all);
        Ok(frame.function)
    }

    /// Compiles the body of a new function.
    fn finished(&mut self, frame: Frame, term: &Term) -> Result<u32, Obstacle> {
        let number = self.reserved();
        self.fill(number, frame, term)?;
        Ok(number)
    }

    /// Reserves a number. A recursive function needs it before its code is complete.
    fn reserved(&mut self) -> u32 {
        self.code.functions.push(Arc::default());
        self.code.functions.len() as u32 - 1
    }

    /// Compiles the body of a function with a reserved number.
    fn fill(&mut self, number: u32, mut frame: Frame, term: &Term) -> Result<(), Obstacle> {
        deep(|| self.last(&mut frame, term))?;
        self.code.functions[number as usize] = Arc::new(frame.function);
        Ok(())
    }

    /// Ends a function by returning a value.
    fn result(&mut self, frame: &mut Frame, value: &[Register]) {
        frame.function.results = value.len() as u32;
        let from = frame.list(value);
        frame.push(Instruction::Return { from });
    }

    /// Returns the register of a constant. Equal constants share one.
    fn constant(&mut self, q: &Rational) -> Register {
        let next = self.constants.len() as u32;
        let number = *self.constants.entry(q.clone()).or_insert(next);
        if number == next {
            self.code.constants.push(q.clone());
        }
        CONSTANTS + number
    }

    /// Returns the code of an operation. Equal operations of the list share one.
    fn step(&mut self, operation: &Operation) -> Step {
        let arithmetic = match operation {
            Operation::Negate => Some(Arithmetic::Negate),
            Operation::Subtract => Some(Arithmetic::Subtract),
            Operation::Multiply => Some(Arithmetic::Multiply),
            Operation::Divide => Some(Arithmetic::Divide),
            _ => None,
        };
        if let Some(arithmetic) = arithmetic {
            return Step::Arithmetic(arithmetic);
        }
        let next = self.operations.len() as u32;
        let number = *self.operations.entry(operation.clone()).or_insert(next);
        if number == next {
            self.code.operations.push(operation.clone());
        }
        Step::Other(number)
    }

    /// Compiles a term of type real.
    fn real(&mut self, frame: &mut Frame, term: &Term) -> Result<Register, Obstacle> {
        match self.value(frame, term)?[..] {
            [register] => Ok(register),
            _ => stuck("a real number"),
        }
    }

    /// Adds an instruction for an operation, and returns the register of its result.
    fn operate(&mut self, frame: &mut Frame, step: Step, arguments: [Register; 2], site: Site) -> Value {
        let to = frame.fresh(1);
        frame.push(Instruction::Operate { step, to: to[0], arguments, site });
        to
    }

    /// Compiles a definition, which is in scope from here on.
    fn define(&mut self, definition: &Definition) -> Result<(), Obstacle> {
        if definition.limit.is_some() {
            return Err(Obstacle::Limited);
        }
        let number = self.reserved();
        self.functions.insert(definition.function.clone(), (number, definition.codomain.dimension()));
        // Functions that the body defines are out of scope behind it.
        let scope = self.functions.clone();
        let frame = Frame::new([(definition.parameter.clone(), definition.domain.dimension())]);
        self.fill(number, frame, &definition.body)?;
        self.functions = scope;
        Ok(())
    }

    /// Returns the number of a function, and of its results.
    fn called(&self, f: &Variable) -> Result<(u32, usize), Obstacle> {
        self.functions.get(f).copied().map_or_else(|| stuck("a function variable"), Ok)
    }

    /// Compiles a condition, and returns the jump for its failure. Returns the truth value as an error if it is a
    /// constant.
    fn branch(&mut self, frame: &mut Frame, condition: &Boolean, site: Site) -> Result<Result<usize, bool>, Obstacle> {
        let (predicate, argument) = match condition {
            Boolean::Value(known) => return Ok(Err(*known)),
            Boolean::Predicate(predicate, argument) => (*predicate, argument),
        };
        let [a, b] = self.value(frame, argument)?[..] else { return stuck("a comparison") };
        Ok(Ok(frame.open(Instruction::Branch { predicate, arguments: [a, b], otherwise: 0, site })))
    }

    /// Compiles a term in tail position.
    fn last(&mut self, frame: &mut Frame, term: &Term) -> Result<(), Obstacle> {
        match term.kind() {
            TermKind::Let(..) | TermKind::LetRec(..) => self.under(frame, term, Self::last),
            TermKind::If(condition, then, otherwise) => match self.branch(frame, condition, term.site())? {
                Ok(jump) => {
                    deep(|| self.last(frame, then))?;
                    frame.close(jump);
                    deep(|| self.last(frame, otherwise))
                }
                Err(known) => deep(|| self.last(frame, if known { then } else { otherwise })),
            },
            // A tail call reuses the frame, so that a loop runs in constant memory.
            TermKind::Call(f, argument) => {
                let value = self.value(frame, argument)?;
                frame.pass(value);
                let (function, _) = self.called(f)?;
                frame.push(Instruction::Repeat(function));
                Ok(())
            }
            _ => {
                let value = self.value(frame, term)?;
                self.result(frame, &value);
                Ok(())
            }
        }
    }

    /// Compiles the bindings around a term, by iteration, and then the term by `then`. Their scope ends with it.
    fn under<T>(
        &mut self,
        frame: &mut Frame,
        mut term: &Term,
        then: impl FnOnce(&mut Self, &mut Frame, &Term) -> Result<T, Obstacle>,
    ) -> Result<T, Obstacle> {
        let mut functions = None;
        let mut hidden = Vec::new();
        loop {
            match term.kind() {
                TermKind::Let(x, _, value, rest) => {
                    let value = deep(|| self.value(frame, value))?;
                    hidden.push((x.clone(), frame.variables.insert(x.clone(), value)));
                    term = rest;
                }
                TermKind::LetRec(definition, rest) => {
                    functions.get_or_insert_with(|| self.functions.clone());
                    deep(|| self.define(definition))?;
                    term = rest;
                }
                _ => break,
            }
        }
        let found = deep(|| then(self, frame, term));
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
    fn value(&mut self, frame: &mut Frame, term: &Term) -> Result<Value, Obstacle> {
        let site = term.site();
        match term.kind() {
            TermKind::Variable(x) => frame.variables.get(x).cloned().map_or_else(|| stuck("a variable"), Ok),
            TermKind::Number(q) => Ok(vec![self.constant(q)]),
            TermKind::Unit => Ok(Vec::new()),
            TermKind::Let(..) | TermKind::LetRec(..) => self.under(frame, term, Self::value),
            TermKind::Add(left, right) => {
                let arguments = [left, right].map(|part| deep(|| self.real(frame, part)));
                let [left, right] = arguments;
                let arguments = [left?, right?];
                Ok(self.operate(frame, Step::ADD, arguments, site))
            }
            TermKind::Operation(operation, argument) => {
                let arguments = match (deep(|| self.value(frame, argument))?[..].as_ref(), operation.arity()) {
                    ([], 0) => [CONSTANTS; 2],
                    ([a], 1) => [*a, *a],
                    ([a, b], 2) => [*a, *b],
                    _ => return stuck("an operation"),
                };
                // π takes no arguments, but its instruction names two registers; the first constant must exist for
                // that.
                if operation.arity() == 0 {
                    self.constant(&Rational::new());
                }
                let step = self.step(operation);
                Ok(self.operate(frame, step, arguments, site))
            }
            TermKind::Pair(_, _, left, right) => deep(|| {
                let mut value = self.value(frame, left)?;
                value.extend(self.value(frame, right)?);
                Ok(value)
            }),
            TermKind::First(t, _, pair) => {
                // Pairs are lists of registers, so projections cost no instruction.
                let mut value = deep(|| self.value(frame, pair))?;
                value.truncate(t.dimension());
                Ok(value)
            }
            TermKind::Second(t, _, pair) => Ok(deep(|| self.value(frame, pair))?.split_off(t.dimension())),
            TermKind::If(condition, then, otherwise) => deep(|| {
                let jump = match self.branch(frame, condition, site)? {
                    Ok(jump) => jump,
                    Err(known) => return self.value(frame, if known { then } else { otherwise }),
                };
                // Both branches move their value to the same registers.
                let value = self.value(frame, then)?;
                let to = frame.fresh(value.len());
                frame.moved(&to, &value);
                let end = frame.open(Instruction::Jump(0));
                frame.close(jump);
                let value = self.value(frame, otherwise)?;
                frame.moved(&to, &value);
                frame.close(end);
                Ok(to)
            }),
            TermKind::Call(f, argument) => {
                let value = deep(|| self.value(frame, argument))?;
                let arguments = frame.list(&value);
                let (function, width) = self.called(f)?;
                let to = frame.fresh(width);
                frame.push(Instruction::Call { function, arguments, to: to.first().copied().unwrap_or(0) });
                Ok(to)
            }
            TermKind::Reverse { cotangent, point, variable, ty, body } => {
                let at = deep(|| self.value(frame, point))?;
                let cotangent = deep(|| self.value(frame, cotangent))?;
                self.reverse(frame, (at, cotangent), (variable, ty), body)
            }
        }
    }

    /// Compiles a derivative: the body becomes a function of x and of its other free variables.
    fn reverse(
        &mut self,
        frame: &mut Frame,
        (mut at, cotangent): (Value, Value),
        (x, ty): (&Variable, &Ty),
        body: &Term,
        // The body cannot see the registers around it, so their values become parameters, in which it is not
        // differentiated.
    ) -> Result<Value, Obstacle> {
        let outside: Vec<_> = body.free_variables().into_iter().filter(|y| y != x).collect();
        let mut parameters = vec![(x.clone(), ty.dimension())];
        for y in outside {
            let Some(value) = frame.variables.get(&y) else { return stuck("a variable") };
            at.extend(value);
            parameters.push((y, value.len()));
        }
        let mut inside = Frame::new(parameters);
        inside.function.moving = ty.dimension() as u32;
        inside.function.results = cotangent.len() as u32;
        let body = self.finished(inside, body)?;
        let (arguments, cotangent) = (frame.list(&at), frame.list(&cotangent));
        let value = frame.fresh(ty.dimension());
        frame.push(Instruction::Reverse { body, arguments, cotangent, to: value.first().copied().unwrap_or(0) });
        Ok(value)
    }
}
