//! Readback of weak head forms as βη-normal forms, by their types (normalisation by evaluation).
//!
//! A value of a function type becomes a λ, one of a product type a tuple, and one of the unit type `()`. A stuck term
//! has a type of its own, from which those of its parts follow. Variables are de Bruijn levels: equal parts under the
//! same binders are one node, and shared wherever they occur.

use super::form::{FormNode, FormShape, NormalGraph};
use super::machine::{CalledConstant, HeapCell, HeapCellState, HeapEnvironment, LazyMachine, Recursion, WeakHead};
use super::types::{TypeKey, TypeShape, TypeTable};
use super::{NormalError, NormaliseLimits};
use crate::stack::with_stack;
use crate::syntax::error;
use crate::syntax::name::Name;
use crate::syntax::term::{Term, TermKind};
use rustc_hash::FxHashMap;

/// The number of look-ups of parts, known ones included, for each step that evaluation may take. A choice.
const WORK_PER_STEP: u64 = 20;
/// The largest depth of a normal form. A choice: an operator is two levels of it, and one of a program.
pub(super) const MAX_FORM_DEPTH: u32 = 3 * error::DEPTH;

/// Normalises a closed term. Returns the form with the types of its binders, and its root.
pub(super) fn normal_form(
    term: &Term,
    limits: NormaliseLimits,
) -> Result<(NormalGraph, TypeTable, FormNode), NormalError> {
    let mut machine = LazyMachine::new(limits);
    let instance = machine.types.parameter_instance(term.ty().parameter_names());
    let ty = machine.types.import_type(term.ty(), instance);
    let cell = machine.delay(term, HeapEnvironment::empty(instance));
    let mut reader = Readback {
        machine,
        form: NormalGraph::default(),
        eta_long: FxHashMap::default(),
        read_stuck: FxHashMap::default(),
        recursions: FxHashMap::default(),
        work: 0,
    };
    let root = reader.eta_long(cell, ty, 0)?;
    Ok((reader.form, reader.machine.types, root))
}

struct Readback {
    machine: LazyMachine,
    form: NormalGraph,
    /// The nodes of cells under a number of binders: η-long, and below for stuck terms without expansion at their type,
    /// which is stored too. A cell has one type, so the type is no part of the key.
    eta_long: FxHashMap<(HeapCell, u32), FormNode>,
    read_stuck: FxHashMap<(HeapCell, u32), (FormNode, TypeKey)>,
    recursions: FxHashMap<(u32, u32), FormNode>,
    work: u64,
}

impl Readback {
    fn add_node(&mut self, shape: FormShape, name: Option<&Name>) -> Result<FormNode, NormalError> {
        let limits = self.machine.limits;
        self.work += 1;
        if self.work > limits.steps.saturating_mul(WORK_PER_STEP) {
            return Err(NormalError::Steps { limit: limits.steps });
        }
        let node = self.form.intern_shape(shape, name);
        if self.form.len() + self.machine.types.stored_size() > limits.nodes {
            return Err(NormalError::Size { limit: limits.nodes });
        }
        if self.form.depth_of(node) > MAX_FORM_DEPTH {
            return Err(NormalError::too_deep());
        }
        Ok(node)
    }

    fn one_level_deeper<R>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<R, NormalError>,
    ) -> Result<R, NormalError> {
        self.machine.enter_level()?;
        let result = with_stack(|| step(self));
        self.machine.leave_level();
        result
    }

    /// Returns the η-long form of a cell of type `ty` under `level` binders.
    fn eta_long(&mut self, cell: HeapCell, ty: TypeKey, level: u32) -> Result<FormNode, NormalError> {
        // η of the unit type: the cell is not even evaluated.
        if ty == TypeTable::UNIT {
            return self.add_node(FormShape::Unit, None);
        }
        if let Some(&known) = self.eta_long.get(&(cell, level)) {
            return Ok(known);
        }
        let node = self.one_level_deeper(|reader| reader.eta_long_uncached(cell, ty, level))?;
        self.eta_long.insert((cell, level), node);
        Ok(node)
    }

    fn eta_long_uncached(&mut self, cell: HeapCell, ty: TypeKey, level: u32) -> Result<FormNode, NormalError> {
        self.machine.count_step()?;
        let head = self.machine.force(cell)?;
        match (self.machine.types.shape(ty).clone(), head) {
            (TypeShape::Function(domain, codomain), head) => {
                let variable = self.machine.new_value_cell(WeakHead::Variable(level, domain));
                let (body, name) = match head {
                    WeakHead::Closure { name, body, environment } => {
                        let environment = self.machine.extend(environment, variable);
                        (self.machine.delay(&body, environment), name)
                    }
                    // η of a function: applied to the new variable.
                    _ => (self.machine.new_cell(HeapCellState::Applied(cell, variable)), self.fresh_name(domain)),
                };
                let body = self.eta_long(body, codomain, level + 1)?;
                self.add_node(FormShape::Lambda(domain, body), Some(&name))
            }
            (TypeShape::Tuple(types), head) => {
                let parts: Vec<HeapCell> = match head {
                    WeakHead::Tuple(parts) if parts.len() == types.len() => parts.to_vec(),
                    // η of a tuple: all of its components.
                    _ => {
                        (0..types.len()).map(|index| self.machine.new_cell(HeapCellState::Part(cell, index))).collect()
                    }
                };
                let parts = parts.into_iter().zip(types.iter()).map(|(part, &ty)| self.eta_long(part, ty, level));
                let parts = parts.collect::<Result<_, _>>()?;
                self.add_node(FormShape::Tuple(parts), None)
            }
            (TypeShape::Data(..), WeakHead::Inject(constructor, argument)) => {
                let domain = self.machine.types.argument_types(ty).get(constructor.index()).copied();
                let argument = self.eta_long(argument, domain.ok_or(NormalError::IllTyped)?, level)?;
                self.add_node(FormShape::Inject(constructor, ty, argument), None)
            }
            _ => {
                let (node, found) = self.read_stuck(cell, level)?;
                let types = &self.machine.types;
                // A type with unknown parts cannot be compared: it counts as equal.
                if found == ty || types.is_open(found) || types.is_open(ty) {
                    Ok(node)
                } else {
                    Err(NormalError::IllTyped)
                }
            }
        }
    }

    /// Returns a stuck cell without expansion at its own type, and that type.
    fn read_stuck(&mut self, cell: HeapCell, level: u32) -> Result<(FormNode, TypeKey), NormalError> {
        if let Some(&known) = self.read_stuck.get(&(cell, level)) {
            return Ok(known);
        }
        let read = self.one_level_deeper(|reader| reader.read_stuck_uncached(cell, level))?;
        self.read_stuck.insert((cell, level), read);
        Ok(read)
    }

    fn read_stuck_uncached(&mut self, cell: HeapCell, level: u32) -> Result<(FormNode, TypeKey), NormalError> {
        let (shape, ty) = match self.machine.force(cell)? {
            WeakHead::Variable(level, ty) => (FormShape::Variable(level), ty),
            WeakHead::Call(CalledConstant { constant, ty, .. }, arguments) => {
                // The type of a polymorphic constant is part of the normal form: nothing else may determine it.
                let told = (!constant.scheme().parameters.is_empty()).then_some(ty);
                let head = self.add_node(FormShape::Constant(constant, told), None)?;
                return self.apply_stuck((head, ty), &arguments, level);
            }
            WeakHead::Recursive { recursion, arguments } => {
                let head = self.read_recursion(recursion, level)?;
                return self.apply_stuck(head, &arguments, level);
            }
            WeakHead::Apply(function, argument) => {
                let function = self.read_stuck(function, level)?;
                return self.apply_stuck(function, &[argument], level);
            }
            WeakHead::Real(term) => match term.kind() {
                TermKind::Real(value) => (FormShape::Real(value.clone()), TypeTable::REAL),
                _ => return Err(NormalError::IllTyped),
            },
            WeakHead::Nat(value) => (FormShape::Nat(value), TypeTable::NAT),
            WeakHead::Bool(value) => (FormShape::Bool(value), TypeTable::BOOL),
            WeakHead::Unit => (FormShape::Unit, TypeTable::UNIT),
            WeakHead::Project(tuple, index) => {
                let (tuple, ty) = self.read_stuck(tuple, level)?;
                let ty = self.machine.types.component_type(ty, index).ok_or(NormalError::IllTyped)?;
                (FormShape::Project(tuple, index as u32), ty)
            }
            WeakHead::If([condition, then, otherwise], ty) => {
                let condition = self.eta_long(condition, TypeTable::BOOL, level)?;
                (FormShape::If(condition, self.eta_long(then, ty, level)?, self.eta_long(otherwise, ty, level)?), ty)
            }
            WeakHead::To(iso) => {
                let (iso, ty) = self.read_stuck(iso, level)?;
                (FormShape::To(iso), self.machine.types.iso_direction(ty, true).ok_or(NormalError::IllTyped)?)
            }
            WeakHead::From(iso) => {
                let (iso, ty) = self.read_stuck(iso, level)?;
                (FormShape::From(iso), self.machine.types.iso_direction(ty, false).ok_or(NormalError::IllTyped)?)
            }
            WeakHead::Match(scrutinee, term, environment) => {
                return self.read_match(scrutinee, &term, environment, level);
            }
            WeakHead::Closure { .. } | WeakHead::Tuple(_) | WeakHead::Inject(..) => return Err(NormalError::IllTyped),
        };
        Ok((self.add_node(shape, None)?, ty))
    }

    /// Applies a stuck head to arguments.
    fn apply_stuck(
        &mut self,
        head: (FormNode, TypeKey),
        arguments: &[HeapCell],
        level: u32,
    ) -> Result<(FormNode, TypeKey), NormalError> {
        arguments.iter().try_fold(head, |(function, ty), &argument| {
            let TypeShape::Function(domain, codomain) = *self.machine.types.shape(ty) else {
                return Err(NormalError::IllTyped);
            };
            let argument = self.eta_long(argument, domain, level)?;
            Ok((self.add_node(FormShape::Apply(function, argument), None)?, codomain))
        })
    }

    fn read_match(
        &mut self,
        scrutinee: HeapCell,
        term: &Term,
        environment: HeapEnvironment,
        level: u32,
    ) -> Result<(FormNode, TypeKey), NormalError> {
        let TermKind::Match { data, branches, .. } = term.kind() else { return Err(NormalError::IllTyped) };
        let ty = self.machine.types.import_type(term.ty(), environment.instance);
        let (scrutinee, matched) = self.read_stuck(scrutinee, level)?;
        let domains = self.machine.types.argument_types(matched);
        if domains.len() != branches.len() {
            return Err(NormalError::IllTyped);
        }
        let mut bodies = Vec::with_capacity(branches.len());
        for (branch, &domain) in branches.iter().zip(domains.iter()) {
            let variable = self.machine.new_value_cell(WeakHead::Variable(level, domain));
            let environment = self.machine.extend(environment, variable);
            let body = self.machine.delay(&branch.body, environment);
            bodies.push(self.eta_long(body, ty, level + 1)?);
        }
        // A node has one name for all branches: that of the last branch with an argument, which for lists is `::`.
        let name = branches.iter().rev().map(|branch| &branch.name).find(|name| ***name != *"_");
        Ok((self.add_node(FormShape::Match(data.clone(), scrutinee, bodies.into()), name)?, ty))
    }

    /// Reads `let rec f = value in f` back, with a variable of unknown value for f in its value.
    fn read_recursion(&mut self, recursion: u32, level: u32) -> Result<(FormNode, TypeKey), NormalError> {
        let Recursion { name, value, ty, outside, .. } = self.machine.recursions[recursion as usize].clone();
        if let Some(&known) = self.recursions.get(&(recursion, level)) {
            return Ok((known, ty));
        }
        let variable = self.machine.new_value_cell(WeakHead::Variable(level, ty));
        let environment = self.machine.extend(outside, variable);
        let value = self.machine.delay(&value, environment);
        let value = self.eta_long(value, ty, level + 1)?;
        let node = self.add_node(FormShape::LetRec(ty, value), Some(&name))?;
        self.recursions.insert((recursion, level), node);
        Ok((node, ty))
    }

    /// Returns the name of a new variable, by its type.
    fn fresh_name(&self, ty: TypeKey) -> Name {
        match self.machine.types.shape(ty) {
            TypeShape::Nat => "n",
            TypeShape::Bool => "b",
            TypeShape::Unit => "_",
            TypeShape::Tuple(_) => "p",
            TypeShape::Function(..) => "f",
            TypeShape::Tangent(_) => "v",
            _ => "x",
        }
        .into()
    }
}
