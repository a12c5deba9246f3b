//! The machine of call-by-need evaluation: thunks, here *cells*, and environments (βδ).
//!
//! Both lie in arenas, so nothing is dropped recursively and all is freed at once. A *cell* is a delayed term or its
//! value in weak head form. An *environment* is a list of cells with an instance of the type variables. So a cell has
//! one type; a polymorphic `let` gets one cell for each type at which it is used.

use super::error::{NormalError, NormaliseLimits};
use super::recursion::{Recursion, RecursionMarks};
use super::types::{TypeInstance, TypeKey, TypeTable};
use crate::stack::with_stack;
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
const MAX_FORCING_DEPTH: u32 = 10 * limit::DEPTH;

/// The number of binders within which a variable is looked up when it is delayed, and not when it is needed. A choice:
/// a longer walk through the environment may be wasted.
pub const NEAR_BINDERS: usize = 64;

/// A delayed term or its value, by its index. Earlier cells compare less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[doc(hidden)]
pub struct HeapCell(u32);

/// The cells of the variables in scope, and the instance of the type variables.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct HeapEnvironment {
    cells: u32,
    pub instance: TypeInstance,
}

impl HeapEnvironment {
    /// Makes the environment of a closed term.
    #[doc(hidden)]
    pub fn empty(instance: TypeInstance) -> HeapEnvironment {
        HeapEnvironment { cells: u32::MAX, instance }
    }
}

/// A call of a constant: its type, and its span in the source.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct CalledConstant {
    pub constant: Constant,
    pub ty: TypeKey,
    pub span: Span,
}

/// A value in weak head form: a constructor, or a stuck term that knows its type or has parts that do.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum WeakHead {
    Closure {
        name: Name,
        body: Term,
        environment: HeapEnvironment,
    },
    /// A recursive function with arguments at which it does not unfold.
    Recursive {
        recursion: u32,
        arguments: Rc<[HeapCell]>,
    },
    /// A constant, with no more arguments than its arity.
    Call(CalledConstant, Rc<[HeapCell]>),
    /// A term of kind `Real`; kept whole, so that its number is not copied.
    Real(Term),
    Nat(u64),
    Bool(bool),
    Unit,
    Tuple(Rc<[HeapCell]>),
    /// The variable of the binder at a level, counted from the outside, and its type.
    Variable(u32, TypeKey),
    Apply(HeapCell, HeapCell),
    Project(HeapCell, usize),
    /// An open condition, both branches, and their type.
    If([HeapCell; 3], TypeKey),
    To(HeapCell),
    From(HeapCell),
    Inject(Constructor, HeapCell),
    /// A `match` on an unknown constructor: the scrutinee, the whole term, and the environment of its branches.
    Match(HeapCell, Term, HeapEnvironment),
}

#[derive(Clone, Debug)]
#[doc(hidden)]
pub enum HeapCellState {
    Delayed(Term, HeapEnvironment),
    Applied(HeapCell, HeapCell),
    Part(HeapCell, usize),
    /// The value of a polymorphic `let`, or of a polymorphic `let rec` with its name.
    Polymorphic(Term, HeapEnvironment, Option<Name>),
    Busy,
    Done(WeakHead),
}

#[derive(Debug)]
#[doc(hidden)]
pub struct LazyMachine {
    cells: Vec<HeapCellState>,
    environments: Vec<(HeapCell, u32)>,
    pub types: TypeTable,
    pub(super) recursions: Vec<Recursion>,
    pub(super) mentions: FxHashMap<(usize, usize), bool>,
    globals: FxHashMap<(usize, TypeInstance), HeapCell>,
    /// The cell of a polymorphic variable in each instance.
    used: FxHashMap<(HeapCell, TypeInstance), HeapCell>,
    /// The cells of shared terms, by address, environment and instance.
    shared: FxHashMap<(usize, u32, TypeInstance), HeapCell>,
    /// The expansions of constants in coordinates, by type; `None` if the type is not known.
    pub(super) written_out: FxHashMap<(Constant, TypeKey), Option<Term>>,
    count_steps: u64,
    depth: u32,
    pub limits: NormaliseLimits,
}

impl LazyMachine {
    #[doc(hidden)]
    pub fn new(limits: NormaliseLimits) -> LazyMachine {
        LazyMachine {
            cells: Vec::new(),
            environments: Vec::new(),
            types: TypeTable::new(),
            recursions: Vec::new(),
            mentions: FxHashMap::default(),
            globals: FxHashMap::default(),
            used: FxHashMap::default(),
            shared: FxHashMap::default(),
            written_out: FxHashMap::default(),
            count_steps: 0,
            depth: 0,
            limits,
        }
    }

    #[doc(hidden)]
    pub fn count_step(&mut self) -> Result<(), NormalError> {
        self.count_steps(1)
    }

    pub fn count_steps(&mut self, count: usize) -> Result<(), NormalError> {
        self.count_steps = self.count_steps.saturating_add(count as u64);
        if self.count_steps > self.limits.steps {
            return Err(NormalError::Steps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// Runs `step` one level deeper, with enough stack, if the depth allows it.
    pub fn one_level_deeper<R>(
        &mut self,
        step: impl FnOnce(&mut LazyMachine) -> Result<R, NormalError>,
    ) -> Result<R, NormalError> {
        self.enter_level()?;
        let result = with_stack(|| step(self));
        self.leave_level();
        result
    }

    /// Counts one more level. An error leaves the depth as it was.
    #[doc(hidden)]
    pub fn enter_level(&mut self) -> Result<(), NormalError> {
        if self.depth >= MAX_FORCING_DEPTH {
            return Err(NormalError::too_deep());
        }
        self.depth += 1;
        Ok(())
    }

    #[doc(hidden)]
    pub fn leave_level(&mut self) {
        self.depth -= 1;
    }

    #[doc(hidden)]
    pub fn new_cell(&mut self, state: HeapCellState) -> HeapCell {
        self.cells.push(state);
        HeapCell((self.cells.len() - 1) as u32)
    }

    #[doc(hidden)]
    pub fn new_value_cell(&mut self, head: WeakHead) -> HeapCell {
        self.new_cell(HeapCellState::Done(head))
    }

    #[doc(hidden)]
    pub fn extend(&mut self, environment: HeapEnvironment, cell: HeapCell) -> HeapEnvironment {
        self.environments.push((cell, environment.cells));
        HeapEnvironment { cells: (self.environments.len() - 1) as u32, ..environment }
    }

    /// Returns the cell of a variable, which has type `ty` there. `None` if the variable is free.
    pub fn variable_cell(&mut self, index: usize, ty: &Ty, environment: HeapEnvironment) -> Option<HeapCell> {
        let mut place = environment.cells;
        for _ in 0..index {
            place = self.environments.get(place as usize)?.1;
        }
        let cell = self.environments.get(place as usize)?.0;
        let HeapCellState::Polymorphic(value, outside, name) = &self.cells[cell.0 as usize] else { return Some(cell) };
        // Polymorphic: the value is evaluated once for each instance of its type variables.
        let (value, outside, name) = (value.clone(), *outside, name.clone());
        let used = self.types.import_type(ty, environment.instance);
        let instance = self.types.matched_instance(value.ty(), used, outside.instance);
        if let Some(&known) = self.used.get(&(cell, instance)) {
            return Some(known);
        }
        let outside = HeapEnvironment { instance, ..outside };
        let found = match name {
            Some(name) => self.recursion_cell(&name, &value, outside),
            None => self.delay(&value, outside),
        };
        self.used.insert((cell, instance), found);
        Some(found)
    }

    /// Returns the cell of a definition used at type `ty`.
    pub fn definition_cell(&mut self, definition: &Arc<Definition>, ty: &Ty, instance: TypeInstance) -> HeapCell {
        // A monomorphic definition has one cell for all its uses.
        let own = if definition.scheme.parameters.is_empty() {
            TypeInstance::NONE
        } else {
            let used = self.types.import_type(ty, instance);
            self.types.matched_instance(&definition.scheme.ty, used, TypeInstance::NONE)
        };
        let key = (Arc::as_ptr(definition) as usize, own);
        if let Some(&known) = self.globals.get(&key) {
            return known;
        }
        let cell = self.new_cell(HeapCellState::Delayed(definition.term.clone(), HeapEnvironment::empty(own)));
        self.globals.insert(key, cell);
        cell
    }

    /// Delays a term. Variables and literals are resolved at once, so that uses of a variable share its cell.
    #[doc(hidden)]
    pub fn delay(&mut self, term: &Term, environment: HeapEnvironment) -> HeapCell {
        match term.kind() {
            TermKind::Variable { index, .. } if *index < NEAR_BINDERS => {
                if let Some(known) = self.variable_cell(*index, term.ty(), environment) {
                    return known;
                }
            }
            TermKind::Nat(value) => return self.new_value_cell(WeakHead::Nat(*value)),
            TermKind::Real(_) => return self.new_value_cell(WeakHead::Real(term.clone())),
            // Only a term with other handles can be delayed twice in one environment.
            _ if term.is_shared() => {
                let key = (term.address(), environment.cells, environment.instance);
                if let Some(&known) = self.shared.get(&key) {
                    return known;
                }
                let cell = self.new_cell(HeapCellState::Delayed(term.clone(), environment));
                self.shared.insert(key, cell);
                return cell;
            }
            _ => {}
        }
        self.new_cell(HeapCellState::Delayed(term.clone(), environment))
    }

    /// Makes the cell of the value of a `let`.
    pub fn let_cell(&mut self, value: &Term, environment: HeapEnvironment) -> HeapCell {
        if self.is_polymorphic(value.ty(), environment.instance) {
            return self.new_cell(HeapCellState::Polymorphic(value.clone(), environment, None));
        }
        self.delay(value, environment)
    }

    /// Makes the environment inside `let rec name = value in …`.
    pub fn recursive_environment(
        &mut self,
        name: &Name,
        value: &Term,
        environment: HeapEnvironment,
    ) -> HeapEnvironment {
        let cell = if self.is_polymorphic(value.ty(), environment.instance) {
            self.new_cell(HeapCellState::Polymorphic(value.clone(), environment, Some(name.clone())))
        } else {
            self.recursion_cell(name, value, environment)
        };
        self.extend(environment, cell)
    }

    /// Makes the cell of a recursive function.
    fn recursion_cell(&mut self, name: &Name, value: &Term, outside: HeapEnvironment) -> HeapCell {
        let recursion = self.recursions.len() as u32;
        let itself = self.new_value_cell(WeakHead::Recursive { recursion, arguments: Rc::new([]) });
        // The function is in its own environment, which the recursion stores: a cycle of indices, not of pointers.
        let inside = self.extend(outside, itself);
        let ty = self.types.import_type(value.ty(), outside.instance);
        let (name, value, marks) = (name.clone(), value.clone(), RecursionMarks::at_recursion(value));
        self.recursions.push(Recursion { name, value, ty, outside, inside, marks });
        itself
    }

    /// Applies the value of a recursive function to arguments, whether it would unfold there or not.
    #[doc(hidden)]
    pub fn apply_recursion(&mut self, recursion: u32, arguments: &[HeapCell]) -> HeapCell {
        let Recursion { value, inside, .. } = self.recursions[recursion as usize].clone();
        let function = self.delay(&value, inside);
        arguments.iter().fold(function, |function, &argument| self.new_cell(HeapCellState::Applied(function, argument)))
    }

    /// Returns `true` if a type in an instance has variables that no enclosing type determines.
    fn is_polymorphic(&mut self, ty: &Ty, instance: TypeInstance) -> bool {
        if ty.is_closed() {
            return false;
        }
        let ty = self.types.import_type(ty, instance);
        self.types.is_open(ty)
    }

    /// Returns the value of a cell, which is computed once.
    #[doc(hidden)]
    pub fn force(&mut self, cell: HeapCell) -> Result<WeakHead, NormalError> {
        let state = &mut self.cells[cell.0 as usize];
        if let HeapCellState::Done(head) = state {
            return Ok(head.clone());
        }
        // Busy while it is evaluated, so that a cell that needs itself is noticed.
        let head = match std::mem::replace(state, HeapCellState::Busy) {
            HeapCellState::Delayed(term, environment) => {
                self.one_level_deeper(|machine| machine.evaluate(term, environment))?
            }
            HeapCellState::Applied(function, argument) => {
                self.one_level_deeper(|machine| machine.apply_cell(function, argument))?
            }
            HeapCellState::Part(tuple, index) => self.one_level_deeper(|machine| machine.project_part(tuple, index))?,
            // A cell that needs itself has no value. No term of the language makes one.
            HeapCellState::Polymorphic(..) | HeapCellState::Done(_) | HeapCellState::Busy => {
                return Err(NormalError::Steps { limit: self.limits.steps });
            }
        };
        self.cells[cell.0 as usize] = HeapCellState::Done(head.clone());
        Ok(head)
    }
}
