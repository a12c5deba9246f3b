//! The machine of call-by-need evaluation: thunks, here *cells*, and environments (βδ).
//!
//! Both lie in arenas, so nothing is dropped recursively and all is freed at once. A *cell* is a delayed term or its
//! value in weak head form. An *environment* is a list of cells with an instance of the type variables. So a cell has
//! one type; a polymorphic `let` gets one cell for each type at which it is used.
//!
//! # Evaluation to weak head form
//!
//! Evaluation to weak head form. A tail call takes no stack; forcing a cell inside another does, and is counted.
//!
//! # The unfolding of recursive calls
//!
//! Only if every condition before the next call is decided.
//!
//! `let rec f n = if n == 0 then a else b (f (n - 1))` unfolds at 3. At a variable it is stuck, like a variable itself.
//! The body is traversed with the given arguments. An open condition prevents unfolding if one of its branches mentions
//! the function, directly or through a `let`. A recursion that passes this test and does not end, such as `let rec f n
//! = f (n + 1)`, uses up the steps.

use super::types::{TypeInstance, TypeKey, TypeTable};
use super::{NormalError, NormaliseLimits};
use crate::stack::with_stack;
use crate::syntax::constant::{Constant, DiscreteValue};
use crate::syntax::data::Constructor;
use crate::syntax::error;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, MatchBranch, Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The largest depth to which cells are forced inside each other. A choice: terms are as deep as [`error::DEPTH`] times
/// a small number.
const MAX_FORCING_DEPTH: u32 = 10 * error::DEPTH;

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
                    && n <= u64::from(error::POWER)
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

/// A recursive function `let rec name = value`, in the environment `outside`.
#[derive(Clone, Debug)]
pub(super) struct Recursion {
    pub(super) name: Name,
    pub(super) value: Term,
    pub(super) ty: TypeKey,
    pub(super) outside: HeapEnvironment,
    /// The environment in which `name` is this recursion.
    pub(super) inside: HeapEnvironment,
    pub(super) marks: RecursionMarks,
}

/// The variables bound from the recursion inwards that lead to the recursive function.
#[derive(Clone, Debug)]
pub(super) struct RecursionMarks {
    /// The address of the recursive value, which identifies the recursion.
    owner: usize,
    leading: Vec<bool>,
}

impl RecursionMarks {
    /// Makes the marks in the recursive value: its one variable is the function itself.
    pub(super) fn at_recursion(value: &Term) -> RecursionMarks {
        RecursionMarks { owner: value.address(), leading: vec![true] }
    }

    fn leads_to_function(&self, index: usize, binders: usize) -> bool {
        index
            .checked_sub(binders)
            .and_then(|index| self.leading.len().checked_sub(index + 1))
            .is_some_and(|place| self.leading[place])
    }
}

impl LazyMachine {
    /// Unfolds a recursive function at these arguments. Returns its body, the environment of it, and the number of
    /// arguments used. `None` if the recursion is stuck.
    pub(super) fn unfold_recursion(
        &mut self,
        recursion: u32,
        arguments: &[HeapCell],
    ) -> Result<Option<(Term, HeapEnvironment, usize)>, NormalError> {
        let Recursion { value: mut term, inside: mut environment, mut marks, .. } =
            self.recursions[recursion as usize].clone();
        let mut used = 0;
        loop {
            self.count_step()?;
            match term.kind() {
                TermKind::Lambda { body, .. } if used < arguments.len() => {
                    // An argument is a value from outside: it does not lead to this recursion.
                    environment = self.extend(environment, arguments[used]);
                    marks.leading.push(false);
                    used += 1;
                    term = body.clone();
                }
                TermKind::Let { value, body, .. } => {
                    // A variable for a value that mentions the function leads to it as the function itself does.
                    marks.leading.push(self.mentions_function(value, &marks)?);
                    let value = self.let_cell(value, environment);
                    environment = self.extend(environment, value);
                    term = body.clone();
                }
                TermKind::If { condition, then, otherwise } => {
                    let condition = self.delay(condition, environment);
                    match self.force(condition)? {
                        WeakHead::Bool(decided) => term = if decided { then.clone() } else { otherwise.clone() },
                        // Open, and a branch calls: unfolding here would go on for ever.
                        _ if self.mentions_function(then, &marks)? || self.mentions_function(otherwise, &marks)? => {
                            return Ok(None);
                        }
                        _ => break,
                    }
                }
                TermKind::Match { scrutinee, branches, .. } => {
                    let leads = self.mentions_function(scrutinee, &marks)?;
                    let scrutinee = self.delay(scrutinee, environment);
                    marks.leading.push(leads);
                    match self.force(scrutinee)? {
                        WeakHead::Inject(constructor, argument) => {
                            let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                            environment = self.extend(environment, argument);
                            term = branch.body.clone();
                        }
                        _ if self.any_branch_mentions(branches, &marks)? => return Ok(None),
                        _ => {
                            marks.leading.pop();
                            break;
                        }
                    }
                }
                _ => break,
            }
        }
        // What is left is no condition at the head, but there may be some inside.
        Ok(self.is_decided(&term, environment, &mut marks)?.then_some((term, environment, used)))
    }

    /// Returns `true` if every condition before a recursive call is decided.
    fn is_decided(
        &mut self,
        term: &Term,
        environment: HeapEnvironment,
        marks: &mut RecursionMarks,
    ) -> Result<bool, NormalError> {
        if !self.mentions_function(term, marks)? {
            return Ok(true);
        }
        self.count_step()?;
        let under = |machine: &mut LazyMachine, body: &Term, environment, leads, marks: &mut RecursionMarks| {
            marks.leading.push(leads);
            let result = machine.one_level_deeper(|machine| machine.is_decided(body, environment, marks));
            marks.leading.pop();
            result
        };
        match term.kind() {
            TermKind::Lambda { body, .. } => {
                // The argument of an inner function is unknown: conditions on it stay open.
                let variable = self.new_value_cell(WeakHead::Variable(0, TypeTable::UNKNOWN));
                let environment = self.extend(environment, variable);
                under(self, body, environment, false, marks)
            }
            TermKind::Let { value, body, .. } => {
                if !self.one_level_deeper(|machine| machine.is_decided(value, environment, marks))? {
                    return Ok(false);
                }
                let leads = self.mentions_function(value, marks)?;
                let value = self.let_cell(value, environment);
                let environment = self.extend(environment, value);
                under(self, body, environment, leads, marks)
            }
            TermKind::LetRec { name, value, body } => {
                // The inner recursion's own variable is not the outer function.
                marks.leading.push(false);
                let leads = self.mentions_function(value, marks);
                marks.leading.pop();
                let (environment, leads) = (self.recursive_environment(name, value, environment), leads?);
                under(self, body, environment, leads, marks)
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.delay(condition, environment);
                match self.force(condition)? {
                    WeakHead::Bool(decided) => {
                        let branch = if decided { then } else { otherwise };
                        self.one_level_deeper(|machine| machine.is_decided(branch, environment, marks))
                    }
                    _ => Ok(!self.mentions_function(then, marks)? && !self.mentions_function(otherwise, marks)?),
                }
            }
            TermKind::Match { scrutinee, branches, .. } => {
                let leads = self.mentions_function(scrutinee, marks)?;
                let scrutinee = self.delay(scrutinee, environment);
                match self.force(scrutinee)? {
                    WeakHead::Inject(constructor, argument) => {
                        let branch = branches.get(constructor.index()).ok_or(NormalError::IllScoped)?;
                        let environment = self.extend(environment, argument);
                        under(self, &branch.body, environment, leads, marks)
                    }
                    _ => {
                        marks.leading.push(leads);
                        let mentions = self.any_branch_mentions(branches, marks);
                        marks.leading.pop();
                        Ok(!mentions?)
                    }
                }
            }
            kind => {
                for child in kind.children() {
                    if !self.one_level_deeper(|machine| machine.is_decided(child, environment, marks))? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    /// Returns `true` if a term mentions the recursive function. In one recursion a subterm always has the same marks,
    /// so the answer is cached by address.
    fn mentions_function(&mut self, term: &Term, marks: &RecursionMarks) -> Result<bool, NormalError> {
        let key = (marks.owner, term.address());
        if let Some(&known) = self.mentions.get(&key) {
            return Ok(known);
        }
        let found = self.search_for_function(term, marks, 0)?;
        self.mentions.insert(key, found);
        Ok(found)
    }

    /// Returns `true` if a branch mentions the function; the marks are those inside the branch.
    fn any_branch_mentions(&mut self, branches: &[MatchBranch], marks: &RecursionMarks) -> Result<bool, NormalError> {
        for branch in branches {
            if self.mentions_function(&branch.body, marks)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn search_for_function(
        &mut self,
        term: &Term,
        marks: &RecursionMarks,
        binders: usize,
    ) -> Result<bool, NormalError> {
        self.count_step()?;
        let mut inside = |part: &Term, binders| with_stack(|| self.search_for_function(part, marks, binders));
        Ok(match term.kind() {
            TermKind::Variable { index, .. } => marks.leads_to_function(*index, binders),
            TermKind::Lambda { body, .. } => inside(body, binders + 1)?,
            TermKind::Let { value, body, .. } => inside(value, binders)? || inside(body, binders + 1)?,
            TermKind::LetRec { value, body, .. } => inside(value, binders + 1)? || inside(body, binders + 1)?,
            TermKind::Match { scrutinee, branches, .. } => {
                if inside(scrutinee, binders)? {
                    return Ok(true);
                }
                for branch in branches {
                    if inside(&branch.body, binders + 1)? {
                        return Ok(true);
                    }
                }
                false
            }
            kind => {
                for child in kind.children() {
                    if inside(child, binders)? {
                        return Ok(true);
                    }
                }
                false
            }
        })
    }
}
