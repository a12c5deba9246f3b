//! Readback of weak head forms as βη-normal forms, by their types (normalisation by evaluation).
//!
//! A value of a function type becomes a λ, one of a product type a tuple, and one of the unit type `()`. A stuck term
//! has a type of its own, from which those of its parts follow. Variables are de Bruijn levels: equal parts under the
//! same binders are one node, and shared wherever they occur.

use super::error::{Limits, NormalError};
use super::form::{Form, Node, Shape};
use super::machine::{Called, Cell, Environment, Head, Machine, State};
use super::recursion::Recursion;
use super::types::{Key, TypeShape, Types};
use crate::stack::deep;
use crate::syntax::limit;
use crate::syntax::name::Name;
use crate::syntax::term::{Term, TermKind};
use rustc_hash::FxHashMap;

/// The number of look-ups of parts, known ones included, for each step that evaluation may take. A choice.
const WORK_PER_STEP: u64 = 20;
/// The largest depth of a normal form. A choice: an operator is two levels of it, and one of a program.
pub(super) const DEEPEST: u32 = 3 * limit::DEPTH;

/// Normalises a closed term. Returns the form with the types of its binders, and its root.
pub(super) fn normal_form(term: &Term, limits: Limits) -> Result<(Form, Types, Node), NormalError> {
    let mut machine = Machine::new(limits);
    let instance = machine.types.parameters(term.ty().parameters());
    let ty = machine.types.import(term.ty(), instance);
    let cell = machine.delay(term, Environment::empty(instance));
    let mut reader = Reader {
        machine,
        form: Form::default(),
        long: FxHashMap::default(),
        stuck: FxHashMap::default(),
        recursions: FxHashMap::default(),
        work: 0,
    };
    let root = reader.long(cell, ty, 0)?;
    Ok((reader.form, reader.machine.types, root))
}

struct Reader {
    machine: Machine,
    form: Form,
    /// The nodes of cells under a number of binders: η-long, and below for stuck terms without expansion at their type,
    /// which is stored too. A cell has one type, so the type is no part of the key.
    long: FxHashMap<(Cell, u32), Node>,
    stuck: FxHashMap<(Cell, u32), (Node, Key)>,
    recursions: FxHashMap<(u32, u32), Node>,
    work: u64,
}

impl Reader {
    fn put(&mut self, shape: Shape, name: Option<&Name>) -> Result<Node, NormalError> {
        let limits = self.machine.limits;
        self.work += 1;
        if self.work > limits.steps.saturating_mul(WORK_PER_STEP) {
            return Err(NormalError::Steps { limit: limits.steps });
        }
        let node = self.form.put(shape, name);
        if self.form.len() + self.machine.types.size() > limits.nodes {
            return Err(NormalError::Size { limit: limits.nodes });
        }
        if self.form.depth(node) > DEEPEST {
            return Err(NormalError::too_deep());
        }
        Ok(node)
    }

    fn deeper<R>(&mut self, step: impl FnOnce(&mut Self) -> Result<R, NormalError>) -> Result<R, NormalError> {
        self.machine.enter()?;
        let result = deep(|| step(self));
        self.machine.leave();
        result
    }

    /// Returns the η-long form of a cell of type `ty` under `level` binders.
    fn long(&mut self, cell: Cell, ty: Key, level: u32) -> Result<Node, NormalError> {
        // η of the unit type: the cell is not even evaluated.
        if ty == Types::UNIT {
            return self.put(Shape::Unit, None);
        }
        if let Some(&known) = self.long.get(&(cell, level)) {
            return Ok(known);
        }
        let node = self.deeper(|reader| reader.long_of(cell, ty, level))?;
        self.long.insert((cell, level), node);
        Ok(node)
    }

    fn long_of(&mut self, cell: Cell, ty: Key, level: u32) -> Result<Node, NormalError> {
        self.machine.step()?;
        let head = self.machine.force(cell)?;
        match (self.machine.types.shape(ty).clone(), head) {
            (TypeShape::Function(domain, codomain), head) => {
                let variable = self.machine.done(Head::Variable(level, domain));
                let (body, name) = match head {
                    Head::Closure { name, body, environment } => {
                        let environment = self.machine.extend(environment, variable);
                        (self.machine.delay(&body, environment), name)
                    }
                    // η of a function: applied to the new variable.
                    _ => (self.machine.cell(State::Applied(cell, variable)), self.name(domain)),
                };
                let body = self.long(body, codomain, level + 1)?;
                self.put(Shape::Lambda(domain, body), Some(&name))
            }
            (TypeShape::Tuple(types), head) => {
                let parts: Vec<Cell> = match head {
                    Head::Tuple(parts) if parts.len() == types.len() => parts.to_vec(),
                    // η of a tuple: all of its components.
                    _ => (0..types.len()).map(|index| self.machine.cell(State::Part(cell, index))).collect(),
                };
                let parts = parts.into_iter().zip(types.iter()).map(|(part, &ty)| self.long(part, ty, level));
                let parts = parts.collect::<Result<_, _>>()?;
                self.put(Shape::Tuple(parts), None)
            }
            (TypeShape::Data(..), Head::Inject(constructor, argument)) => {
                let domain = self.machine.types.domains(ty).get(constructor.index()).copied();
                let argument = self.long(argument, domain.ok_or(NormalError::IllTyped)?, level)?;
                self.put(Shape::Inject(constructor, ty, argument), None)
            }
            _ => {
                let (node, found) = self.stuck(cell, level)?;
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
    fn stuck(&mut self, cell: Cell, level: u32) -> Result<(Node, Key), NormalError> {
        if let Some(&known) = self.stuck.get(&(cell, level)) {
            return Ok(known);
        }
        let read = self.deeper(|reader| reader.stuck_of(cell, level))?;
        self.stuck.insert((cell, level), read);
        Ok(read)
    }

    fn stuck_of(&mut self, cell: Cell, level: u32) -> Result<(Node, Key), NormalError> {
        let (shape, ty) = match self.machine.force(cell)? {
            Head::Variable(level, ty) => (Shape::Variable(level), ty),
            Head::Call(Called { constant, ty, .. }, arguments) => {
                // The type of a polymorphic constant is part of the normal form: nothing else may determine it.
                let told = (!constant.scheme().parameters.is_empty()).then_some(ty);
                let head = self.put(Shape::Constant(constant, told), None)?;
                return self.applied((head, ty), &arguments, level);
            }
            Head::Recursive { recursion, arguments } => {
                let head = self.recursion(recursion, level)?;
                return self.applied(head, &arguments, level);
            }
            Head::Apply(function, argument) => {
                let function = self.stuck(function, level)?;
                return self.applied(function, &[argument], level);
            }
            Head::Real(term) => match term.kind() {
                TermKind::Real(value) => (Shape::Real(value.clone()), Types::REAL),
                _ => return Err(NormalError::IllTyped),
            },
            Head::Nat(value) => (Shape::Nat(value), Types::NAT),
            Head::Bool(value) => (Shape::Bool(value), Types::BOOL),
            Head::Unit => (Shape::Unit, Types::UNIT),
            Head::Project(tuple, index) => {
                let (tuple, ty) = self.stuck(tuple, level)?;
                let ty = self.machine.types.component(ty, index).ok_or(NormalError::IllTyped)?;
                (Shape::Project(tuple, index as u32), ty)
            }
            Head::If([condition, then, otherwise], ty) => {
                let condition = self.long(condition, Types::BOOL, level)?;
                (Shape::If(condition, self.long(then, ty, level)?, self.long(otherwise, ty, level)?), ty)
            }
            Head::To(iso) => {
                let (iso, ty) = self.stuck(iso, level)?;
                (Shape::To(iso), self.machine.types.side(ty, true).ok_or(NormalError::IllTyped)?)
            }
            Head::From(iso) => {
                let (iso, ty) = self.stuck(iso, level)?;
                (Shape::From(iso), self.machine.types.side(ty, false).ok_or(NormalError::IllTyped)?)
            }
            Head::Match(scrutinee, term, environment) => return self.cases(scrutinee, &term, environment, level),
            Head::Closure { .. } | Head::Tuple(_) | Head::Inject(..) => return Err(NormalError::IllTyped),
        };
        Ok((self.put(shape, None)?, ty))
    }

    /// Applies a stuck head to arguments.
    fn applied(&mut self, head: (Node, Key), arguments: &[Cell], level: u32) -> Result<(Node, Key), NormalError> {
        arguments.iter().try_fold(head, |(function, ty), &argument| {
            let TypeShape::Function(domain, codomain) = *self.machine.types.shape(ty) else {
                return Err(NormalError::IllTyped);
            };
            let argument = self.long(argument, domain, level)?;
            Ok((self.put(Shape::Apply(function, argument), None)?, codomain))
        })
    }

    fn cases(
        &mut self,
        scrutinee: Cell,
        term: &Term,
        environment: Environment,
        level: u32,
    ) -> Result<(Node, Key), NormalError> {
        let TermKind::Match { data, branches, .. } = term.kind() else { return Err(NormalError::IllTyped) };
        let ty = self.machine.types.import(term.ty(), environment.instance);
        let (scrutinee, matched) = self.stuck(scrutinee, level)?;
        let domains = self.machine.types.domains(matched);
        if domains.len() != branches.len() {
            return Err(NormalError::IllTyped);
        }
        let mut bodies = Vec::with_capacity(branches.len());
        for (branch, &domain) in branches.iter().zip(domains.iter()) {
            let variable = self.machine.done(Head::Variable(level, domain));
            let environment = self.machine.extend(environment, variable);
            let body = self.machine.delay(&branch.body, environment);
            bodies.push(self.long(body, ty, level + 1)?);
        }
        // A node has one name for all branches: that of the last, which for lists is `::`.
        let name = branches.last().map(|branch| &branch.name);
        Ok((self.put(Shape::Match(data.clone(), scrutinee, bodies.into()), name)?, ty))
    }

    /// Reads `let rec f = value in f` back, with a variable of unknown value for f in its value.
    fn recursion(&mut self, recursion: u32, level: u32) -> Result<(Node, Key), NormalError> {
        let Recursion { name, value, ty, outside, .. } = self.machine.recursions[recursion as usize].clone();
        if let Some(&known) = self.recursions.get(&(recursion, level)) {
            return Ok((known, ty));
        }
        let variable = self.machine.done(Head::Variable(level, ty));
        let environment = self.machine.extend(outside, variable);
        let value = self.machine.delay(&value, environment);
        let value = self.long(value, ty, level + 1)?;
        let node = self.put(Shape::LetRec(ty, value), Some(&name))?;
        self.recursions.insert((recursion, level), node);
        Ok((node, ty))
    }

    /// Returns the name of a new variable, by its type.
    fn name(&self, ty: Key) -> Name {
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
