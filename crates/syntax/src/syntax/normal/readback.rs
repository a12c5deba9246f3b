//! From heads to βη-normal forms, by their types: what has a function type becomes a λ, what has a product type a tuple, and
//! what has the unit type `()`. What computes no further has a type of its own, which that of its parts follows from.
//!
//! Variables are levels, so that the same part under the same binders is the same part, and parts are shared wherever they
//! are equal.

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

/// How many parts may be looked up, those that are known already included, for each step that evaluation may take.
const WORK_PER_STEP: u64 = 20;
/// How deep a normal form may be: an operator is two levels of it, and one of a program.
pub(super) const DEEPEST: u32 = 3 * limit::DEPTH;

/// The normal form of a closed term, with the types of its binders, and its root.
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
    /// What is known of a cell under so many binders: in full, and, of what computes no further, without expansion at its
    /// type, which is here too.
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

    /// The η-long form of a cell of a type under so many binders.
    fn long(&mut self, cell: Cell, ty: Key, level: u32) -> Result<Node, NormalError> {
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
                    _ => (self.machine.cell(State::Applied(cell, variable)), self.name(domain)),
                };
                let body = self.long(body, codomain, level + 1)?;
                self.put(Shape::Lambda(domain, body), Some(&name))
            }
            (TypeShape::Tuple(types), head) => {
                let parts: Vec<Cell> = match head {
                    Head::Tuple(parts) if parts.len() == types.len() => parts.to_vec(),
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
                if found == ty || types.is_open(found) || types.is_open(ty) {
                    Ok(node)
                } else {
                    Err(NormalError::IllTyped)
                }
            }
        }
    }

    /// What computes no further, not expanded at its own type, and that type.
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

    /// What computes no further, at arguments.
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
        let name = branches.last().map(|branch| &branch.name);
        Ok((self.put(Shape::Match(data.clone(), scrutinee, bodies.into()), name)?, ty))
    }

    /// `let rec f = value in f`, the value under a variable for f, of which nothing is known.
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

    /// What a new variable of a type is called.
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
