//! Evaluation to weak head form. A tail call takes no stack; forcing a cell inside another does, and is counted.

use super::error::NormalError;
use super::machine::{CalledConstant, HeapCell, HeapCellState, HeapEnvironment, LazyMachine, NEAR_BINDERS, WeakHead};
use super::types::{TypeInstance, TypeKey};
use crate::syntax::constant::{Constant, DiscreteValue};
use crate::syntax::limit;
use crate::syntax::term::{Term, TermKind};
use std::rc::Rc;

/// The rest of the work: a term to be evaluated, or a known head.
enum HeadStep {
    Evaluate(Term, HeapEnvironment),
    Known(WeakHead),
}

impl LazyMachine {
    pub(super) fn evaluate(&mut self, term: Term, environment: HeapEnvironment) -> Result<WeakHead, NormalError> {
        self.run_to_head(HeadStep::Evaluate(term, environment), Vec::new())
    }

    pub(super) fn apply_cell(&mut self, function: HeapCell, argument: HeapCell) -> Result<WeakHead, NormalError> {
        let function = self.force(function)?;
        self.run_to_head(HeadStep::Known(function), vec![argument])
    }

    /// Computes the head of `next` applied to the arguments `waiting`, a stack with the first argument on top.
    fn run_to_head(&mut self, mut next: HeadStep, mut waiting: Vec<HeapCell>) -> Result<WeakHead, NormalError> {
        loop {
            next = match next {
                HeadStep::Evaluate(term, environment) => self.step_term(term, environment, &mut waiting)?,
                HeadStep::Known(head) => match waiting.pop() {
                    Some(argument) => self.step_applied(head, argument, &mut waiting)?,
                    None => return Ok(head),
                },
            };
        }
    }

    fn step_term(
        &mut self,
        term: Term,
        environment: HeapEnvironment,
        waiting: &mut Vec<HeapCell>,
    ) -> Result<HeadStep, NormalError> {
        self.count_step()?;
        let go_on = |term: &Term, environment| Ok(HeadStep::Evaluate(term.clone(), environment));
        Ok(HeadStep::Known(match term.kind() {
            TermKind::Apply { function, argument } => {
                waiting.push(self.delay(argument, environment));
                return go_on(function, environment);
            }
            // β without a closure, if an argument is waiting.
            TermKind::Lambda { name, body } => match waiting.pop() {
                Some(argument) => {
                    let environment = self.extend(environment, argument);
                    return go_on(body, environment);
                }
                None => WeakHead::Closure { name: name.clone(), body: body.clone(), environment },
            },
            TermKind::Let { value, body, .. } => {
                let value = self.let_cell(value, environment);
                let environment = self.extend(environment, value);
                return go_on(body, environment);
            }
            TermKind::LetRec { name, value, body } => {
                let environment = self.recursive_environment(name, value, environment);
                return go_on(body, environment);
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.delay(condition, environment);
                match self.force(condition)? {
                    WeakHead::Bool(decided) => return go_on(if decided { then } else { otherwise }, environment),
                    _ => {
                        // Open: both branches stay delayed, and the type is needed for readback.
                        let parts = [condition, self.delay(then, environment), self.delay(otherwise, environment)];
                        WeakHead::If(parts, self.types.import_type(term.ty(), environment.instance))
                    }
                }
            }
            TermKind::Match { scrutinee, branches, .. } => {
                let scrutinee = self.delay(scrutinee, environment);
                match self.force(scrutinee)? {
                    WeakHead::Inject(constructor, argument) => {
                        let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                        let environment = self.extend(environment, argument);
                        return go_on(&branch.body, environment);
                    }
                    _ => WeakHead::Match(scrutinee, term.clone(), environment),
                }
            }
            TermKind::Inject { constructor, argument } => {
                WeakHead::Inject(constructor.clone(), self.delay(argument, environment))
            }
            TermKind::Variable { index, .. } => {
                // A far variable takes time in proportion to its index.
                self.count_steps(index / NEAR_BINDERS)?;
                let cell = self.variable_cell(*index, term.ty(), environment).ok_or(NormalError::IllScoped)?;
                self.force(cell)?
            }
            TermKind::Global(definition) => {
                let cell = self.definition_cell(definition, term.ty(), environment.instance);
                self.force(cell)?
            }
            TermKind::Project { tuple, index } => {
                let tuple = self.delay(tuple, environment);
                self.project_part(tuple, *index)?
            }
            TermKind::Constant(constant) => {
                let scheme = constant.scheme();
                // Without type parameters the scheme is closed, and its type is imported once for all uses.
                let ty = if scheme.parameters.is_empty() { &scheme.ty } else { term.ty() };
                let ty = self.types.import_type(ty, environment.instance);
                if let Some(written) = self.expand_constant(*constant, ty) {
                    return Ok(HeadStep::Evaluate(written, HeapEnvironment::empty(TypeInstance::NONE)));
                }
                WeakHead::Call(CalledConstant { constant: *constant, ty, span: term.span() }, Rc::new([]))
            }
            TermKind::Real(_) => WeakHead::Real(term),
            TermKind::Nat(value) => WeakHead::Nat(*value),
            TermKind::Bool(value) => WeakHead::Bool(*value),
            TermKind::Unit => WeakHead::Unit,
            TermKind::Tuple(parts) => {
                self.count_steps(parts.len())?;
                WeakHead::Tuple(parts.iter().map(|part| self.delay(part, environment)).collect())
            }
            TermKind::To(iso) => WeakHead::To(self.delay(iso, environment)),
            TermKind::From(iso) => WeakHead::From(self.delay(iso, environment)),
        }))
    }

    /// Expands a constant of linear algebra in coordinates, at a known type. `None` for other constants: derivatives
    /// stay.
    fn expand_constant(&mut self, constant: Constant, ty: TypeKey) -> Option<Term> {
        if !constant.is_linear_algebra() {
            return None;
        }
        let types = &self.types;
        let written = self.written_out.entry((constant, ty));
        written.or_insert_with(|| constant.expand_in_coordinates(&types.to_closed_type(ty)?)).clone()
    }

    fn step_applied(
        &mut self,
        head: WeakHead,
        argument: HeapCell,
        waiting: &mut Vec<HeapCell>,
    ) -> Result<HeadStep, NormalError> {
        self.count_step()?;
        let with = |arguments: &[HeapCell]| -> Rc<[HeapCell]> { arguments.iter().copied().chain([argument]).collect() };
        Ok(HeadStep::Known(match head {
            WeakHead::Closure { body, environment, .. } => {
                let environment = self.extend(environment, argument);
                return Ok(HeadStep::Evaluate(body, environment));
            }
            WeakHead::Recursive { recursion, arguments } => {
                let arguments = with(&arguments);
                if let Some((body, inside, used)) = self.unfold_recursion(recursion, &arguments)? {
                    waiting.extend(arguments[used..].iter().rev());
                    return Ok(HeadStep::Evaluate(body, inside));
                }
                WeakHead::Recursive { recursion, arguments }
            }
            WeakHead::Call(called @ CalledConstant { constant: Constant::Fold, .. }, arguments)
                if arguments.len() == 2 =>
            {
                let WeakHead::Inject(constructor, pair) = self.force(argument)? else {
                    return Ok(HeadStep::Known(WeakHead::Call(called, with(&arguments))));
                };
                // δ of `fold`: of `[]` the start, of `x :: rest` the step at x and the fold of the rest.
                let [step, start] = [arguments[0], arguments[1]];
                if constructor.is_cons() {
                    let fold = self.new_value_cell(WeakHead::Call(called, arguments));
                    let [first, rest] = [0, 1].map(|index| self.new_cell(HeapCellState::Part(pair, index)));
                    waiting.extend([self.new_cell(HeapCellState::Applied(fold, rest)), first]);
                    self.force(step)?
                } else {
                    self.force(start)?
                }
            }
            WeakHead::Call(called, arguments) if arguments.len() < called.constant.arity() => {
                self.apply_constant(called, with(&arguments))?
            }
            other => WeakHead::Apply(self.new_value_cell(other), argument),
        }))
    }

    /// Projects a component. Sums, differences and negations of tuples are componentwise, by definition.
    pub(super) fn project_part(&mut self, tuple: HeapCell, index: usize) -> Result<WeakHead, NormalError> {
        self.count_step()?;
        match self.force(tuple)? {
            WeakHead::Tuple(parts) => match parts.get(index) {
                Some(&part) => self.force(part),
                None => Err(NormalError::IllScoped),
            },
            WeakHead::Call(called, arguments) if is_componentwise(called.constant, arguments.len()) => {
                let ty =
                    self.types.componentwise_type(called.constant, called.ty, index).ok_or(NormalError::IllScoped)?;
                let parts =
                    arguments.iter().map(|&argument| self.new_cell(HeapCellState::Part(argument, index))).collect();
                self.apply_constant(CalledConstant { ty, ..called }, parts)
            }
            _ => Ok(WeakHead::Project(tuple, index)),
        }
    }

    /// Applies a constant. Only natural numbers and truth values are computed, which decide conditions and recursions.
    fn apply_constant(&mut self, called: CalledConstant, arguments: Rc<[HeapCell]>) -> Result<WeakHead, NormalError> {
        match (called.constant, &arguments[..]) {
            (Constant::Fst, [pair]) => return self.project_part(*pair, 0),
            (Constant::Snd, [pair]) => return self.project_part(*pair, 1),
            (Constant::Not, [x]) => {
                if let WeakHead::Bool(x) = self.force(*x)? {
                    return Ok(WeakHead::Bool(!x));
                }
            }
            // A power by a known natural number is one with a literal exponent, up to the largest literal.
            (Constant::NaturalPower, [x, n]) => {
                if let WeakHead::Nat(n) = self.force(*n)?
                    && n <= u64::from(limit::POWER)
                {
                    let ty = self.types.import_type(&Constant::Power.scheme().ty, TypeInstance::NONE);
                    let exponent =
                        self.new_value_cell(WeakHead::Real(Term::new(TermKind::Real(n.into()), called.span)));
                    let called = CalledConstant { constant: Constant::Power, ty, span: called.span };
                    return Ok(WeakHead::Call(called, Rc::new([*x, exponent])));
                }
            }
            (_, [x, y]) => {
                // The operation returns `None` on overflow: the call then stays symbolic.
                if let Some(operation) = called.constant.natural_operation()
                    && let WeakHead::Nat(x) = self.force(*x)?
                    && let WeakHead::Nat(y) = self.force(*y)?
                    && let Some(known) = operation(x, y)
                {
                    return Ok(match known {
                        DiscreteValue::Natural(n) => WeakHead::Nat(n),
                        DiscreteValue::Truth(b) => WeakHead::Bool(b),
                    });
                }
            }
            _ => {}
        }
        Ok(WeakHead::Call(called, arguments))
    }
}

/// Returns `true` if a constant with all its arguments works on tuples by components.
#[doc(hidden)]
pub fn is_componentwise(constant: Constant, arguments: usize) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate) && arguments == constant.arity()
}
