//! The machine that evaluates: closures, and arguments that wait until they are needed (βδ, by need).
//!
//! What it makes lies in two arenas, so that nothing is dropped recursively and everything is let go at once. A *cell* is
//! an argument, or the value it was found to have, and an *environment* is a list of cells. A call in tail position takes
//! no stack; forcing a cell inside another does, and is counted.

use super::error::{Limits, NormalError};
use super::fold;
use super::recursion::{Marks, Recursion};
use crate::stack::deep;
use crate::syntax::constant::{Constant, Discrete};
use crate::syntax::data::Constructor;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::term::{Term, TermKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How deep cells may be forced inside each other: programs are as deep as [`limit::DEPTH`] times a small number.
const DEEPEST: u32 = 10 * limit::DEPTH;

/// Variables with fewer binders between are found at once, and others when they are needed.
const NEAR: usize = 64;

/// An argument, or its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cell(u32);

/// The cells of the variables in scope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Environment(u32);

impl Environment {
    pub(super) const EMPTY: Environment = Environment(u32::MAX);
}

/// The number of a variable, other than those of all other variables.
pub(super) type Id = u32;

/// A value, as far as its head: a constructor, or something that computes no further.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Closure {
        name: Name,
        body: Term,
        environment: Environment,
    },
    /// A recursive function and arguments for which it does not unfold.
    Recursive {
        recursion: u32,
        arguments: Rc<[Cell]>,
    },
    /// A constant and at most as many arguments as its arity.
    Call {
        constant: Constant,
        arguments: Rc<[Cell]>,
    },
    /// A term of kind `Real`.
    Real(Term),
    Nat(u64),
    Bool(bool),
    Unit,
    Tuple(Rc<[Cell]>),
    Variable(Id),
    Apply(Cell, Cell),
    Project(Cell, usize),
    If(Cell, Cell, Cell),
    To(Cell),
    From(Cell),
    Inject(Constructor, Cell),
    /// A `match` of which the constructor is not known: the term, with what is matched and the scope of its branches.
    Match(Cell, Term, Environment),
}

#[derive(Debug)]
enum State {
    Delayed(Term, Environment),
    Part(Cell, usize),
    Busy,
    Done(Value),
}

#[derive(Debug)]
pub(super) struct Machine {
    cells: Vec<State>,
    environments: Vec<(Cell, Environment)>,
    pub(super) recursions: Vec<Recursion>,
    pub(super) mentions: FxHashMap<(usize, usize), bool>,
    globals: FxHashMap<usize, Cell>,
    /// Cells of terms that stand in several places, by term and environment.
    shared: FxHashMap<(usize, u32), Cell>,
    variables: Id,
    steps: u64,
    depth: u32,
    pub(super) limits: Limits,
}

impl Machine {
    pub(super) fn new(limits: Limits) -> Machine {
        Machine {
            cells: Vec::new(),
            environments: Vec::new(),
            recursions: Vec::new(),
            mentions: FxHashMap::default(),
            globals: FxHashMap::default(),
            shared: FxHashMap::default(),
            variables: 0,
            steps: 0,
            depth: 0,
            limits,
        }
    }

    pub(super) fn step(&mut self) -> Result<(), NormalError> {
        self.steps(1)
    }

    pub(super) fn steps(&mut self, count: usize) -> Result<(), NormalError> {
        self.steps = self.steps.saturating_add(count as u64);
        if self.steps > self.limits.steps {
            return Err(NormalError::Steps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// One level deeper: `step`, with enough stack, if the depth allows.
    pub(super) fn deeper<R>(
        &mut self,
        step: impl FnOnce(&mut Machine) -> Result<R, NormalError>,
    ) -> Result<R, NormalError> {
        self.enter()?;
        let result = deep(|| step(self));
        self.leave();
        result
    }

    /// Counts one level more. After an error nothing counts any more.
    pub(super) fn enter(&mut self) -> Result<(), NormalError> {
        if self.depth >= DEEPEST {
            return Err(NormalError::too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// How many variables there are.
    pub(super) fn variables(&self) -> Id {
        self.variables
    }

    fn cell(&mut self, state: State) -> Cell {
        self.cells.push(state);
        Cell((self.cells.len() - 1) as u32)
    }

    pub(super) fn done(&mut self, value: Value) -> Cell {
        self.cell(State::Done(value))
    }

    /// A variable that differs from all others.
    pub(super) fn fresh(&mut self) -> (Id, Cell) {
        let id = self.variables;
        self.variables += 1;
        (id, self.done(Value::Variable(id)))
    }

    pub(super) fn extend(&mut self, environment: Environment, cell: Cell) -> Environment {
        self.environments.push((cell, environment));
        Environment((self.environments.len() - 1) as u32)
    }

    fn look_up(&self, mut environment: Environment, index: usize) -> Option<Cell> {
        for _ in 0..index {
            environment = self.environments.get(environment.0 as usize)?.1;
        }
        Some(self.environments.get(environment.0 as usize)?.0)
    }

    /// A term to be evaluated when it is needed. What costs nothing is looked at once, so that variables share.
    pub(super) fn delay(&mut self, term: &Term, environment: Environment) -> Cell {
        match term.kind() {
            TermKind::Variable { index, .. } if *index < NEAR => match self.look_up(environment, *index) {
                Some(cell) => cell,
                None => self.cell(State::Delayed(term.clone(), environment)),
            },
            TermKind::Nat(value) => self.done(Value::Nat(*value)),
            TermKind::Real(_) => self.done(Value::Real(term.clone())),
            _ if term.is_shared() => {
                let key = (term.address(), environment.0);
                if let Some(&known) = self.shared.get(&key) {
                    return known;
                }
                let cell = self.cell(State::Delayed(term.clone(), environment));
                self.shared.insert(key, cell);
                cell
            }
            _ => self.cell(State::Delayed(term.clone(), environment)),
        }
    }

    /// The value of a cell, computed once.
    pub(super) fn force(&mut self, cell: Cell) -> Result<Value, NormalError> {
        let state = &mut self.cells[cell.0 as usize];
        if let State::Done(value) = state {
            return Ok(value.clone());
        }
        let value = match std::mem::replace(state, State::Busy) {
            State::Delayed(term, environment) => self.deeper(|machine| machine.evaluate(term, environment))?,
            State::Part(tuple, index) => self.deeper(|machine| machine.part(tuple, index))?,
            // a cell that needs itself has no value; no term of the language makes one
            State::Done(_) | State::Busy => return Err(NormalError::Steps { limit: self.limits.steps }),
        };
        self.cells[cell.0 as usize] = State::Done(value.clone());
        Ok(value)
    }

    fn evaluate(&mut self, mut term: Term, mut environment: Environment) -> Result<Value, NormalError> {
        // the arguments of the head, the first on top
        let mut waiting: Vec<Cell> = Vec::new();
        'head: loop {
            self.step()?;
            let mut value = match term.kind() {
                TermKind::Apply { function, argument } => {
                    waiting.push(self.delay(argument, environment));
                    term = function.clone();
                    continue;
                }
                TermKind::Lambda { name, body } => match waiting.pop() {
                    Some(argument) => {
                        environment = self.extend(environment, argument);
                        term = body.clone();
                        continue;
                    }
                    None => Value::Closure { name: name.clone(), body: body.clone(), environment },
                },
                TermKind::Let { value, body, .. } => {
                    let value = self.delay(value, environment);
                    environment = self.extend(environment, value);
                    term = body.clone();
                    continue;
                }
                TermKind::LetRec { name, value, body } => {
                    environment = self.recursive(name, value, environment);
                    term = body.clone();
                    continue;
                }
                TermKind::If { condition, then, otherwise } => {
                    let condition = self.delay(condition, environment);
                    match self.force(condition)? {
                        Value::Bool(decided) => {
                            term = if decided { then.clone() } else { otherwise.clone() };
                            continue;
                        }
                        _ => Value::If(condition, self.delay(then, environment), self.delay(otherwise, environment)),
                    }
                }
                TermKind::Match { scrutinee, branches, .. } => {
                    let scrutinee = self.delay(scrutinee, environment);
                    match self.force(scrutinee)? {
                        Value::Inject(constructor, argument) => {
                            let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                            environment = self.extend(environment, argument);
                            term = branch.body.clone();
                            continue;
                        }
                        _ => Value::Match(scrutinee, term.clone(), environment),
                    }
                }
                TermKind::Inject { constructor, argument } => {
                    Value::Inject(constructor.clone(), self.delay(argument, environment))
                }
                TermKind::Variable { index, .. } => {
                    // far variables take longer to find
                    self.steps(index / NEAR)?;
                    match self.look_up(environment, *index) {
                        Some(cell) => self.force(cell)?,
                        None => return Err(NormalError::IllScoped),
                    }
                }
                TermKind::Global(definition) => {
                    let key = std::sync::Arc::as_ptr(definition) as usize;
                    let cell = match self.globals.get(&key) {
                        Some(&cell) => cell,
                        None => {
                            let cell = self.cell(State::Delayed(definition.term.clone(), Environment::EMPTY));
                            self.globals.insert(key, cell);
                            cell
                        }
                    };
                    self.force(cell)?
                }
                TermKind::Project { tuple, index } => {
                    let tuple = self.delay(tuple, environment);
                    self.part(tuple, *index)?
                }
                TermKind::Constant(constant) => Value::Call { constant: *constant, arguments: Rc::new([]) },
                TermKind::Real(_) => Value::Real(term.clone()),
                TermKind::Nat(value) => Value::Nat(*value),
                TermKind::Bool(value) => Value::Bool(*value),
                TermKind::Unit => Value::Unit,
                TermKind::Tuple(parts) => {
                    self.steps(parts.len())?;
                    Value::Tuple(parts.iter().map(|part| self.delay(part, environment)).collect())
                }
                TermKind::To(iso) => Value::To(self.delay(iso, environment)),
                TermKind::From(iso) => Value::From(self.delay(iso, environment)),
            };
            while let Some(argument) = waiting.pop() {
                self.step()?;
                value = match value {
                    Value::Closure { body, environment: captured, .. } => {
                        environment = self.extend(captured, argument);
                        term = body;
                        continue 'head;
                    }
                    Value::Recursive { recursion, arguments } => {
                        let arguments: Rc<[Cell]> = arguments.iter().copied().chain([argument]).collect();
                        if let Some((body, inside, used)) = self.unfold(recursion, &arguments)? {
                            waiting.extend(arguments[used..].iter().rev());
                            (term, environment) = (body, inside);
                            continue 'head;
                        }
                        Value::Recursive { recursion, arguments }
                    }
                    Value::Call { constant: Constant::Fold, arguments } if arguments.len() == 2 => {
                        let (step, start) = (arguments[0], arguments[1]);
                        if let Value::Inject(constructor, parts) = self.force(argument)? {
                            environment = self.extend(Environment::EMPTY, step);
                            environment = self.extend(environment, start);
                            environment = self.extend(environment, parts);
                            term = fold::rule(&constructor);
                            continue 'head;
                        }
                        Value::Call { constant: Constant::Fold, arguments: [step, start, argument].into() }
                    }
                    Value::Call { constant, arguments } if arguments.len() < constant.arity() => {
                        self.call(constant, arguments.iter().copied().chain([argument]).collect())?
                    }
                    other => Value::Apply(self.done(other), argument),
                };
            }
            return Ok(value);
        }
    }

    /// The environment inside `let rec name = value in …`.
    pub(super) fn recursive(&mut self, name: &Name, value: &Term, environment: Environment) -> Environment {
        let recursion = self.recursions.len() as u32;
        let itself = self.done(Value::Recursive { recursion, arguments: Rc::new([]) });
        let inside = self.extend(environment, itself);
        self.recursions.push(Recursion {
            name: name.clone(),
            value: value.clone(),
            outside: environment,
            inside,
            marks: Marks::of(value),
        });
        inside
    }

    /// The component of a tuple. Sums and differences of tuples are those of their components, by definition.
    fn part(&mut self, tuple: Cell, index: usize) -> Result<Value, NormalError> {
        self.step()?;
        match self.force(tuple)? {
            Value::Tuple(parts) => match parts.get(index) {
                Some(&part) => self.force(part),
                None => Err(NormalError::IllScoped),
            },
            Value::Call { constant, arguments } if is_componentwise(constant, arguments.len()) => {
                let parts: Vec<Cell> = arguments.iter().map(|&a| self.cell(State::Part(a, index))).collect();
                self.call(constant, parts.into())
            }
            _ => Ok(Value::Project(tuple, index)),
        }
    }

    /// A constant applied. Only what decides conditions and recursions is computed: natural numbers and truth values.
    fn call(&mut self, constant: Constant, arguments: Rc<[Cell]>) -> Result<Value, NormalError> {
        let stuck = Value::Call { constant, arguments: arguments.clone() };
        match (constant, &arguments[..]) {
            (Constant::Fst, [pair]) => self.part(*pair, 0),
            (Constant::Snd, [pair]) => self.part(*pair, 1),
            (Constant::Not, [x]) => Ok(match self.force(*x)? {
                Value::Bool(x) => Value::Bool(!x),
                _ => stuck,
            }),
            (_, [x, y]) => {
                let Some(operation) = constant.on_naturals() else { return Ok(stuck) };
                let Value::Nat(x) = self.force(*x)? else { return Ok(stuck) };
                let Value::Nat(y) = self.force(*y)? else { return Ok(stuck) };
                Ok(match operation(x, y) {
                    Some(Discrete::Natural(n)) => Value::Nat(n),
                    Some(Discrete::Truth(b)) => Value::Bool(b),
                    None => stuck,
                })
            }
            _ => Ok(stuck),
        }
    }
}

/// Whether a constant with all its arguments works on tuples by components.
pub(super) fn is_componentwise(constant: Constant, arguments: usize) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate) && arguments == constant.arity()
}
