//! Where evaluation takes place: cells, which wait until they are needed, and environments (βδ, by need).
//!
//! Both lie in arenas, so that nothing is dropped recursively and everything is let go at once. A *cell* is an argument, or
//! the value it was found to have, as far as its head; an *environment* is a list of cells, and says what the variables in
//! types stand for. So a cell has one type. What a polymorphic `let` binds has one for each type at which it is used.

use super::error::{Limits, NormalError};
use super::recursion::{Marks, Recursion};
use super::types::{Instance, Key, Types};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::data::Constructor;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// How deep cells may be forced inside each other: programs are as deep as [`limit::DEPTH`] times a small number.
const DEEPEST: u32 = 10 * limit::DEPTH;

/// Variables with fewer binders between are found at once, and others when they are needed.
pub const NEAR: usize = 64;

/// An argument, or its value. Earlier ones are less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(hidden)]
pub struct Cell(u32);

/// The cells of the variables in scope, and what the variables of types stand for.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Environment {
    cells: u32,
    pub instance: Instance,
}

impl Environment {
    /// Of what is closed.
    #[doc(hidden)]
    pub fn empty(instance: Instance) -> Environment {
        Environment { cells: u32::MAX, instance }
    }
}

/// A constant that is called: of which type, and where.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Called {
    pub constant: Constant,
    pub ty: Key,
    pub span: Span,
}

/// A value, as far as its head: a constructor, or something that computes no further, which knows its type or has parts
/// that do.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum Head {
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
    /// A constant, and at most as many arguments as its arity.
    Call(Called, Rc<[Cell]>),
    /// A term of kind `Real`.
    Real(Term),
    Nat(u64),
    Bool(bool),
    Unit,
    Tuple(Rc<[Cell]>),
    /// The variable of the binder of a level, from the outside in, and its type.
    Variable(u32, Key),
    Apply(Cell, Cell),
    Project(Cell, usize),
    /// A condition that stays open, both answers, and their type.
    If([Cell; 3], Key),
    To(Cell),
    From(Cell),
    Inject(Constructor, Cell),
    /// A `match` of which the constructor is not known: the term, with what is matched and the scope of its branches.
    Match(Cell, Term, Environment),
}

#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum State {
    Delayed(Term, Environment),
    Applied(Cell, Cell),
    Part(Cell, usize),
    /// What a polymorphic `let` binds, or `let rec`, by this name.
    Polymorphic(Term, Environment, Option<Name>),
    Busy,
    Done(Head),
}

#[derive(Debug)]
#[doc(hidden)]
pub struct Machine {
    cells: Vec<State>,
    environments: Vec<(Cell, u32)>,
    pub types: Types,
    pub(super) recursions: Vec<Recursion>,
    pub(super) mentions: FxHashMap<(usize, usize), bool>,
    globals: FxHashMap<(usize, Instance), Cell>,
    /// What stands for a polymorphic variable in an instance.
    used: FxHashMap<(Cell, Instance), Cell>,
    /// Cells of terms that stand in several places, by term and environment.
    shared: FxHashMap<(usize, u32, Instance), Cell>,
    /// Constants that are written out, by the type at which they are: nothing, where that is not known.
    pub(super) written_out: FxHashMap<(Constant, Key), Option<Term>>,
    steps: u64,
    depth: u32,
    pub limits: Limits,
}

impl Machine {
    #[doc(hidden)]
    pub fn new(limits: Limits) -> Machine {
        Machine {
            cells: Vec::new(),
            environments: Vec::new(),
            types: Types::new(),
            recursions: Vec::new(),
            mentions: FxHashMap::default(),
            globals: FxHashMap::default(),
            used: FxHashMap::default(),
            shared: FxHashMap::default(),
            written_out: FxHashMap::default(),
            steps: 0,
            depth: 0,
            limits,
        }
    }

    #[doc(hidden)]
    pub fn step(&mut self) -> Result<(), NormalError> {
        self.steps(1)
    }

    pub fn steps(&mut self, count: usize) -> Result<(), NormalError> {
        self.steps = self.steps.saturating_add(count as u64);
        if self.steps > self.limits.steps {
            return Err(NormalError::Steps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// One level deeper: `step`, with enough stack, if the depth allows.
    pub fn deeper<R>(&mut self, step: impl FnOnce(&mut Machine) -> Result<R, NormalError>) -> Result<R, NormalError> {
        self.enter()?;
        let result = deep(|| step(self));
        self.leave();
        result
    }

    /// Counts one level more. After an error nothing counts any more.
    #[doc(hidden)]
    pub fn enter(&mut self) -> Result<(), NormalError> {
        if self.depth >= DEEPEST {
            return Err(NormalError::too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    #[doc(hidden)]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    #[doc(hidden)]
    pub fn cell(&mut self, state: State) -> Cell {
        self.cells.push(state);
        Cell((self.cells.len() - 1) as u32)
    }

    #[doc(hidden)]
    pub fn done(&mut self, head: Head) -> Cell {
        self.cell(State::Done(head))
    }

    #[doc(hidden)]
    pub fn extend(&mut self, environment: Environment, cell: Cell) -> Environment {
        self.environments.push((cell, environment.cells));
        Environment { cells: (self.environments.len() - 1) as u32, ..environment }
    }

    /// The cell of a variable, which has this type there.
    pub fn look_up(&mut self, index: usize, ty: &Ty, environment: Environment) -> Option<Cell> {
        let mut place = environment.cells;
        for _ in 0..index {
            place = self.environments.get(place as usize)?.1;
        }
        let cell = self.environments.get(place as usize)?.0;
        let State::Polymorphic(value, outside, name) = &self.cells[cell.0 as usize] else { return Some(cell) };
        let (value, outside, name) = (value.clone(), *outside, name.clone());
        let used = self.types.import(ty, environment.instance);
        let instance = self.types.used(value.ty(), used, outside.instance);
        if let Some(&known) = self.used.get(&(cell, instance)) {
            return Some(known);
        }
        let outside = Environment { instance, ..outside };
        let found = match name {
            Some(name) => self.unrolling(&name, &value, outside),
            None => self.delay(&value, outside),
        };
        self.used.insert((cell, instance), found);
        Some(found)
    }

    /// The cell of a definition, which is used at this type.
    pub fn global(&mut self, definition: &Arc<Definition>, ty: &Ty, instance: Instance) -> Cell {
        let own = if definition.scheme.parameters.is_empty() {
            Instance::NONE
        } else {
            let used = self.types.import(ty, instance);
            self.types.used(&definition.scheme.ty, used, Instance::NONE)
        };
        let key = (Arc::as_ptr(definition) as usize, own);
        if let Some(&known) = self.globals.get(&key) {
            return known;
        }
        let cell = self.cell(State::Delayed(definition.term.clone(), Environment::empty(own)));
        self.globals.insert(key, cell);
        cell
    }

    /// A term to be evaluated when it is needed. What costs nothing is looked at once, so that variables share.
    #[doc(hidden)]
    pub fn delay(&mut self, term: &Term, environment: Environment) -> Cell {
        match term.kind() {
            TermKind::Variable { index, .. } if *index < NEAR => {
                if let Some(known) = self.look_up(*index, term.ty(), environment) {
                    return known;
                }
            }
            TermKind::Nat(value) => return self.done(Head::Nat(*value)),
            TermKind::Real(_) => return self.done(Head::Real(term.clone())),
            _ if term.is_shared() => {
                let key = (term.address(), environment.cells, environment.instance);
                if let Some(&known) = self.shared.get(&key) {
                    return known;
                }
                let cell = self.cell(State::Delayed(term.clone(), environment));
                self.shared.insert(key, cell);
                return cell;
            }
            _ => {}
        }
        self.cell(State::Delayed(term.clone(), environment))
    }

    /// What a `let` binds.
    pub fn bound(&mut self, value: &Term, environment: Environment) -> Cell {
        if self.is_polymorphic(value.ty(), environment.instance) {
            return self.cell(State::Polymorphic(value.clone(), environment, None));
        }
        self.delay(value, environment)
    }

    /// The environment inside `let rec name = value in …`.
    pub fn recursive(&mut self, name: &Name, value: &Term, environment: Environment) -> Environment {
        let cell = if self.is_polymorphic(value.ty(), environment.instance) {
            self.cell(State::Polymorphic(value.clone(), environment, Some(name.clone())))
        } else {
            self.unrolling(name, value, environment)
        };
        self.extend(environment, cell)
    }

    /// A recursive function.
    fn unrolling(&mut self, name: &Name, value: &Term, outside: Environment) -> Cell {
        let recursion = self.recursions.len() as u32;
        let itself = self.done(Head::Recursive { recursion, arguments: Rc::new([]) });
        let inside = self.extend(outside, itself);
        let ty = self.types.import(value.ty(), outside.instance);
        let (name, value, marks) = (name.clone(), value.clone(), Marks::of(value));
        self.recursions.push(Recursion { name, value, ty, outside, inside, marks });
        itself
    }

    /// What a recursive function is at arguments, whether it unfolds or not.
    #[doc(hidden)]
    pub fn unfolded(&mut self, recursion: u32, arguments: &[Cell]) -> Cell {
        let Recursion { value, inside, .. } = self.recursions[recursion as usize].clone();
        let function = self.delay(&value, inside);
        arguments.iter().fold(function, |function, &argument| self.cell(State::Applied(function, argument)))
    }

    /// Whether a type has variables that nothing outside knows of.
    fn is_polymorphic(&mut self, ty: &Ty, instance: Instance) -> bool {
        if ty.is_closed() {
            return false;
        }
        let ty = self.types.import(ty, instance);
        self.types.is_open(ty)
    }

    /// The value of a cell, computed once.
    #[doc(hidden)]
    pub fn force(&mut self, cell: Cell) -> Result<Head, NormalError> {
        let state = &mut self.cells[cell.0 as usize];
        if let State::Done(head) = state {
            return Ok(head.clone());
        }
        let head = match std::mem::replace(state, State::Busy) {
            State::Delayed(term, environment) => self.deeper(|machine| machine.evaluate(term, environment))?,
            State::Applied(function, argument) => self.deeper(|machine| machine.apply(function, argument))?,
            State::Part(tuple, index) => self.deeper(|machine| machine.part(tuple, index))?,
            // a cell that needs itself has no value; no term of the language makes one
            State::Polymorphic(..) | State::Done(_) | State::Busy => {
                return Err(NormalError::Steps { limit: self.limits.steps });
            }
        };
        self.cells[cell.0 as usize] = State::Done(head.clone());
        Ok(head)
    }
}
