//! Evaluation to weak head form. A tail call takes no stack; forcing a cell inside another does, and is counted.

use super::error::NormalError;
use super::machine::{Called, Cell, Environment, Head, Machine, NEAR, State};
use super::types::{Instance, Key};
use crate::syntax::constant::{Constant, Discrete};
use crate::syntax::limit;
use crate::syntax::term::{Term, TermKind};
use std::rc::Rc;

/// The rest of the work: a term to be evaluated, or a known head.
enum Next {
    Evaluate(Term, Environment),
    Known(Head),
}

impl Machine {
    pub(super) fn evaluate(&mut self, term: Term, environment: Environment) -> Result<Head, NormalError> {
        self.run(Next::Evaluate(term, environment), Vec::new())
    }

    pub(super) fn apply(&mut self, function: Cell, argument: Cell) -> Result<Head, NormalError> {
        let function = self.force(function)?;
        self.run(Next::Known(function), vec![argument])
    }

    /// Computes the head of `next` applied to the arguments `waiting`, a stack with the first argument on top.
    fn run(&mut self, mut next: Next, mut waiting: Vec<Cell>) -> Result<Head, NormalError> {
        loop {
            next = match next {
                Next::Evaluate(term, environment) => self.term(term, environment, &mut waiting)?,
                Next::Known(head) => match waiting.pop() {
                    Some(argument) => self.applied(head, argument, &mut waiting)?,
                    None => return Ok(head),
                },
            };
        }
    }

    fn term(&mut self, term: Term, environment: Environment, waiting: &mut Vec<Cell>) -> Result<Next, NormalError> {
        self.step()?;
        let go_on = |term: &Term, environment| Ok(Next::Evaluate(term.clone(), environment));
        Ok(Next::Known(match term.kind() {
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
                None => Head::Closure { name: name.clone(), body: body.clone(), environment },
            },
            TermKind::Let { value, body, .. } => {
                let value = self.bound(value, environment);
                let environment = self.extend(environment, value);
                return go_on(body, environment);
            }
            TermKind::LetRec { name, value, body } => {
                let environment = self.recursive(name, value, environment);
                return go_on(body, environment);
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.delay(condition, environment);
                match self.force(condition)? {
                    Head::Bool(decided) => return go_on(if decided { then } else { otherwise }, environment),
                    _ => {
                        // Open: both branches stay delayed, and the type is needed for readback.
                        let parts = [condition, self.delay(then, environment), self.delay(otherwise, environment)];
                        Head::If(parts, self.types.import(term.ty(), environment.instance))
                    }
                }
            }
            TermKind::Match { scrutinee, branches, .. } => {
                let scrutinee = self.delay(scrutinee, environment);
                match self.force(scrutinee)? {
                    Head::Inject(constructor, argument) => {
                        let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                        let environment = self.extend(environment, argument);
                        return go_on(&branch.body, environment);
                    }
                    _ => Head::Match(scrutinee, term.clone(), environment),
                }
            }
            TermKind::Inject { constructor, argument } => {
                Head::Inject(constructor.clone(), self.delay(argument, environment))
            }
            TermKind::Variable { index, .. } => {
                // A far variable takes time in proportion to its index.
                self.steps(index / NEAR)?;
                let cell = self.look_up(*index, term.ty(), environment).ok_or(NormalError::IllScoped)?;
                self.force(cell)?
            }
            TermKind::Global(definition) => {
                let cell = self.global(definition, term.ty(), environment.instance);
                self.force(cell)?
            }
            TermKind::Project { tuple, index } => {
                let tuple = self.delay(tuple, environment);
                self.part(tuple, *index)?
            }
            TermKind::Constant(constant) => {
                let scheme = constant.scheme();
                // Without type parameters the scheme is closed, and its type is imported once for all uses.
                let ty = if scheme.parameters.is_empty() { &scheme.ty } else { term.ty() };
                let ty = self.types.import(ty, environment.instance);
                if let Some(written) = self.written_out(*constant, ty) {
                    return Ok(Next::Evaluate(written, Environment::empty(Instance::NONE)));
                }
                Head::Call(Called { constant: *constant, ty, span: term.span() }, Rc::new([]))
            }
            TermKind::Real(_) => Head::Real(term),
            TermKind::Nat(value) => Head::Nat(*value),
            TermKind::Bool(value) => Head::Bool(*value),
            TermKind::Unit => Head::Unit,
            TermKind::Tuple(parts) => {
                self.steps(parts.len())?;
                Head::Tuple(parts.iter().map(|part| self.delay(part, environment)).collect())
            }
            TermKind::To(iso) => Head::To(self.delay(iso, environment)),
            TermKind::From(iso) => Head::From(self.delay(iso, environment)),
        }))
    }

    /// Expands a constant of linear algebra in coordinates, at a known type. `None` for other constants: derivatives
    /// stay.
    fn written_out(&mut self, constant: Constant, ty: Key) -> Option<Term> {
        if !constant.is_linear_algebra() {
            return None;
        }
        let types = &self.types;
        let written = self.written_out.entry((constant, ty));
        written.or_insert_with(|| constant.written_out(&types.closed(ty)?)).clone()
    }

    fn applied(&mut self, head: Head, argument: Cell, waiting: &mut Vec<Cell>) -> Result<Next, NormalError> {
        self.step()?;
        let with = |arguments: &[Cell]| -> Rc<[Cell]> { arguments.iter().copied().chain([argument]).collect() };
        Ok(Next::Known(match head {
            Head::Closure { body, environment, .. } => {
                let environment = self.extend(environment, argument);
                return Ok(Next::Evaluate(body, environment));
            }
            Head::Recursive { recursion, arguments } => {
                let arguments = with(&arguments);
                if let Some((body, inside, used)) = self.unfold(recursion, &arguments)? {
                    waiting.extend(arguments[used..].iter().rev());
                    return Ok(Next::Evaluate(body, inside));
                }
                Head::Recursive { recursion, arguments }
            }
            Head::Call(called @ Called { constant: Constant::Fold, .. }, arguments) if arguments.len() == 2 => {
                let Head::Inject(constructor, pair) = self.force(argument)? else {
                    return Ok(Next::Known(Head::Call(called, with(&arguments))));
                };
                // δ of `fold`: of `[]` the start, of `x :: rest` the step at x and the fold of the rest.
                let [step, start] = [arguments[0], arguments[1]];
                if constructor.is_cons() {
                    let fold = self.done(Head::Call(called, arguments));
                    let [first, rest] = [0, 1].map(|index| self.cell(State::Part(pair, index)));
                    waiting.extend([self.cell(State::Applied(fold, rest)), first]);
                    self.force(step)?
                } else {
                    self.force(start)?
                }
            }
            Head::Call(called, arguments) if arguments.len() < called.constant.arity() => {
                self.call(called, with(&arguments))?
            }
            other => Head::Apply(self.done(other), argument),
        }))
    }

    /// Projects a component. Sums, differences and negations of tuples are componentwise, by definition.
    pub(super) fn part(&mut self, tuple: Cell, index: usize) -> Result<Head, NormalError> {
        self.step()?;
        match self.force(tuple)? {
            Head::Tuple(parts) => match parts.get(index) {
                Some(&part) => self.force(part),
                None => Err(NormalError::IllScoped),
            },
            Head::Call(called, arguments) if is_componentwise(called.constant, arguments.len()) => {
                let ty = self.types.of_component(called.constant, called.ty, index).ok_or(NormalError::IllScoped)?;
                let parts = arguments.iter().map(|&argument| self.cell(State::Part(argument, index))).collect();
                self.call(Called { ty, ..called }, parts)
            }
            _ => Ok(Head::Project(tuple, index)),
        }
    }

    /// Applies a constant. Only natural numbers and truth values are computed, which decide conditions and recursions.
    fn call(&mut self, called: Called, arguments: Rc<[Cell]>) -> Result<Head, NormalError> {
        match (called.constant, &arguments[..]) {
            (Constant::Fst, [pair]) => return self.part(*pair, 0),
            (Constant::Snd, [pair]) => return self.part(*pair, 1),
            (Constant::Not, [x]) => {
                if let Head::Bool(x) = self.force(*x)? {
                    return Ok(Head::Bool(!x));
                }
            }
            // A power by a known natural number is one with a literal exponent, up to the largest literal.
            (Constant::NaturalPower, [x, n]) => {
                if let Head::Nat(n) = self.force(*n)?
                    && n <= u64::from(limit::POWER)
                {
                    let ty = self.types.import(&Constant::Power.scheme().ty, Instance::NONE);
                    let exponent = self.done(Head::Real(Term::new(TermKind::Real(n.into()), called.span)));
                    let called = Called { constant: Constant::Power, ty, span: called.span };
                    return Ok(Head::Call(called, Rc::new([*x, exponent])));
                }
            }
            (_, [x, y]) => {
                // The operation returns `None` on overflow: the call then stays symbolic.
                if let Some(operation) = called.constant.on_naturals()
                    && let Head::Nat(x) = self.force(*x)?
                    && let Head::Nat(y) = self.force(*y)?
                    && let Some(known) = operation(x, y)
                {
                    return Ok(match known {
                        Discrete::Natural(n) => Head::Nat(n),
                        Discrete::Truth(b) => Head::Bool(b),
                    });
                }
            }
            _ => {}
        }
        Ok(Head::Call(called, arguments))
    }
}

/// Returns `true` if a constant with all its arguments works on tuples by components.
#[doc(hidden)]
pub fn is_componentwise(constant: Constant, arguments: usize) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate) && arguments == constant.arity()
}
