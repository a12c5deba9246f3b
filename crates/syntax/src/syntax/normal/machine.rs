//! The machine of call-by-need evaluation: thunks, here *cells*, and environments (βδ).
//!
//! Both lie in arenas, so nothing is dropped recursively and all is freed at once. A *cell* is a delayed term or its
//! value in weak head form. An *environment* is a list of cells with an instance of the type variables. So a cell has
//! one type; a polymorphic `let` gets one cell for each type at which it is used.

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

/// The largest depth to which cells are forced inside each other. A choice: terms are as deep as [`limit::DEPTH`] times
/// a small number.
const DEEPEST: u32 = 10 * limit::DEPTH;

/// The number of binders within which a variable is looked up when it is delayed, and not when it is needed. A choice:
/// a longer walk through the environment may be wasted.
pub const NEAR: usize = 64;

/// A delayed term or its value, by its index. Earlier cells compare less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(hidden)]
pub struct Cell(u32);

/// The cells of the variables in scope, and the instance of the type variables.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Environment {
    cells: u32,
    pub instance: Instance,
}

impl Environment {
    /// Makes the environment of a closed term.
    #[doc(hidden)]
    pub fn empty(instance: Instance) -> Environment {
        Environment { cells: u32::MAX, instance }
    }
}

/// A call of a constant: its type, and its span in the source.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Called {
    pub constant: Constant,
    pub ty: Key,
    pub span: Span,
}

/// A value in weak head form: a constructor, or a stuck term that knows its type or has parts that do.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum Head {
    Closure {
        name: Name,
        body: Term,
        environment: Environment,
    },
    /// A recursive function with arguments at which it does not unfold.
    Recursive {
        recursion: u32,
        arguments: Rc<[Cell]>,
    },
    /// A constant, with no more arguments than its arity.
    Call(Called, Rc<[Cell]>),
    /// A term of kind `Real`; kept whole, so that its number is not copied.
    Real(Term),
    Nat(u64),
    Bool(bool),
    Unit,
    Tuple(Rc<[Cell]>),
    /// The variable of the binder at a level, counted from the outside, and its type.
    Variable(u32, Key),
    Apply(Cell, Cell),
    Project(Cell, usize),
    /// An open condition, both branches, and their type.
    If([Cell; 3], Key),
    To(Cell),
    From(Cell),
    Inject(Constructor, Cell),
    /// A `match` on an unknown constructor: the scrutinee, the whole term, and the environment of its branches.
    Match(Cell, Term, Environment),
}

#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum State {
    Delayed(Term, Environment),
    Applied(Cell, Cell),
    Part(Cell, usize),
    /// The value of a polymorphic `let`, or of a polymorphic `let rec` with its name.
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
    /// The cell of a polymorphic variable in each instance.
    used: FxHashMap<(Cell, Instance), Cell>,
    /// The cells of shared terms, by address, environment and instance.
    shared: FxHashMap<(usize, u32, Instance), Cell>,
    /// The expansions of constants in coordinates, by type; `None` if the type is not known.
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

    /// Runs `step` one level deeper, with enough stack, if the depth allows it.
    pub fn deeper<R>(&mut self, step: impl FnOnce(&mut Machine) -> Result<R, NormalError>) -> Result<R, NormalError> {
        self.enter()?;
        let result = deep(|| step(self));
        self.leave();
        result
    }

    /// Counts one more level. An error leaves the depth as it was.
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

    /// Returns the cell of a variable, which has type `ty` there. `None` if the variable is free.
    pub fn look_up(&mut self, index: usize, ty: &Ty, environment: Environment) -> Option<Cell> {
        let mut place = environment.cells;
        for _ in 0..index {
            place = self.environments.get(place as usize)?.1;
        }
        let cell = self.environments.get(place as usize)?.0;
        let State::Polymorphic(value, outside, name) = &self.cells[cell.0 as usize] else { return Some(cell) };
        // Polymorphic: the value is evaluated once for each instance of its type variables.
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

    /// Returns the cell of a definition used at type `ty`.
    pub fn global(&mut self, definition: &Arc<Definition>, ty: &Ty, instance: Instance) -> Cell {
        // A monomorphic definition has one cell for all its uses.
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

    /// Delays a term. Variables and literals are resolved at once, so that uses of a variable share its cell.
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
            // Only a term with other handles can be delayed twice in one environment.
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

    /// Makes the cell of the value of a `let`.
    pub fn bound(&mut self, value: &Term, environment: Environment) -> Cell {
        if self.is_polymorphic(value.ty(), environment.instance) {
            return self.cell(State::Polymorphic(value.clone(), environment, None));
        }
        self.delay(value, environment)
    }

    /// Makes the environment inside `let rec name = value in …`.
    pub fn recursive(&mut self, name: &Name, value: &Term, environment: Environment) -> Environment {
        let cell = if self.is_polymorphic(value.ty(), environment.instance) {
            self.cell(State::Polymorphic(value.clone(), environment, Some(name.clone())))
        } else {
            self.unrolling(name, value, environment)
        };
        self.extend(environment, cell)
    }

    /// Makes the cell of a recursive function.
    fn unrolling(&mut self, name: &Name, value: &Term, outside: Environment) -> Cell {
        let recursion = self.recursions.len() as u32;
        let itself = self.done(Head::Recursive { recursion, arguments: Rc::new([]) });
        // The function is in its own environment, which the recursion stores: a cycle of indices, not of pointers.
        let inside = self.extend(outside, itself);
        let ty = self.types.import(value.ty(), outside.instance);
        let (name, value, marks) = (name.clone(), value.clone(), Marks::of(value));
        self.recursions.push(Recursion { name, value, ty, outside, inside, marks });
        itself
    }

    /// Applies the value of a recursive function to arguments, whether it would unfold there or not.
    #[doc(hidden)]
    pub fn unfolded(&mut self, recursion: u32, arguments: &[Cell]) -> Cell {
        let Recursion { value, inside, .. } = self.recursions[recursion as usize].clone();
        let function = self.delay(&value, inside);
        arguments.iter().fold(function, |function, &argument| self.cell(State::Applied(function, argument)))
    }

    /// Returns `true` if a type in an instance has variables that no enclosing type determines.
    fn is_polymorphic(&mut self, ty: &Ty, instance: Instance) -> bool {
        if ty.is_closed() {
            return false;
        }
        let ty = self.types.import(ty, instance);
        self.types.is_open(ty)
    }

    /// Returns the value of a cell, which is computed once.
    #[doc(hidden)]
    pub fn force(&mut self, cell: Cell) -> Result<Head, NormalError> {
        let state = &mut self.cells[cell.0 as usize];
        if let State::Done(head) = state {
            return Ok(head.clone());
        }
        // Busy while it is evaluated, so that a cell that needs itself is noticed.
        let head = match std::mem::replace(state, State::Busy) {
            State::Delayed(term, environment) => self.deeper(|machine| machine.evaluate(term, environment))?,
            State::Applied(function, argument) => self.deeper(|machine| machine.apply(function, argument))?,
            State::Part(tuple, index) => self.deeper(|machine| machine.part(tuple, index))?,
            // A cell that needs itself has no value. No term of the language makes one.
            State::Polymorphic(..) | State::Done(_) | State::Busy => {
                return Err(NormalError::Steps { limit: self.limits.steps });
            }
        };
        self.cells[cell.0 as usize] = State::Done(head.clone());
        Ok(head)
    }
}
