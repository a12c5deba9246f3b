//! Types of β-normal forms, by unification.
//!
//! There is no polymorphism left: definitions and `let`s are unfolded, so each part has one type. What is undecided after
//! the expected type is known, and is the type of arithmetic, is `Real`, as in the inference; anything else undecided is a
//! type of its own, of which nothing is known.

use super::beta::{Beta, BetaNormal};
use super::error::NormalError;
use crate::stack::deep;
use crate::syntax::data::Data;
use crate::syntax::limit;
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A type under construction.
pub(super) type Id = u32;

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Unknown,
    Same(Id),
    /// A parameter of the type of the whole.
    Parameter(usize),
    Real,
    Nat,
    Bool,
    Unit,
    Tuple(Rc<[Id]>),
    Function(Id, Id),
    Tangent(Id),
    Iso(Id, Id),
    Data(Data, Rc<[Id]>),
}

/// Types do not match, or are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clash {
    Different,
    TooLarge,
}

/// The types of the parts of a β-normal form.
#[derive(Debug, Default)]
pub(super) struct Types {
    shapes: Vec<Shape>,
    /// The type of each part.
    pub(super) parts: Vec<Id>,
    variables: Vec<Id>,
}

/// Finds the type of every part of a normal form that has a given type.
///
/// # Errors
/// [`NormalError::IllTyped`] when it does not have that type; [`NormalError::Size`].
pub(super) fn types(normal: &BetaNormal, ty: &Ty, nodes: usize) -> Result<Types, NormalError> {
    let mut types = Types::default();
    types.infer(normal, ty).map_err(|clash| match clash {
        Clash::Different => NormalError::IllTyped { ty: ty.clone() },
        Clash::TooLarge => NormalError::Size { limit: nodes },
    })?;
    Ok(types)
}

impl Types {
    fn make(&mut self, shape: Shape) -> Id {
        self.shapes.push(shape);
        (self.shapes.len() - 1) as Id
    }

    fn find(&mut self, mut id: Id) -> Id {
        while let Shape::Same(next) = self.shapes[id as usize] {
            if let Shape::Same(after) = self.shapes[next as usize] {
                self.shapes[id as usize] = Shape::Same(after);
            }
            id = next;
        }
        id
    }

    /// The shape of a type.
    pub(super) fn shape(&mut self, id: Id) -> Shape {
        let id = self.find(id);
        self.shapes[id as usize].clone()
    }

    /// The type that another is the same as, one for each class of such.
    pub(super) fn representative(&mut self, id: Id) -> Id {
        self.find(id)
    }

    /// The type of a variable.
    pub(super) fn variable(&self, id: super::machine::Id) -> Id {
        self.variables[id as usize]
    }

    fn function(&mut self, domain: Id, codomain: Id) -> Id {
        self.make(Shape::Function(domain, codomain))
    }

    fn infer(&mut self, normal: &BetaNormal, ty: &Ty) -> Result<(), Clash> {
        for _ in 0..normal.variables {
            let unknown = self.make(Shape::Unknown);
            self.variables.push(unknown);
        }
        let mut pending = Vec::new();
        let mut numeric = Vec::new();
        for part in &normal.parts {
            if self.shapes.len() > 8 * limit::TYPE_NODES {
                return Err(Clash::TooLarge);
            }
            let of = |part: &u32, types: &Types| types.parts[*part as usize];
            let ty = match part {
                Beta::Variable(id) => self.variables[*id as usize],
                Beta::Constant(constant) => self.instance(constant.scheme(), &mut numeric),
                Beta::Real(_) => self.make(Shape::Real),
                Beta::Nat(_) => self.make(Shape::Nat),
                Beta::Bool(_) => self.make(Shape::Bool),
                Beta::Unit => self.make(Shape::Unit),
                Beta::Lambda(id, _, body) => {
                    let (domain, codomain) = (self.variables[*id as usize], of(body, self));
                    self.function(domain, codomain)
                }
                Beta::Recursion(id, _, value) => {
                    self.unify(self.variables[*id as usize], of(value, self))?;
                    of(value, self)
                }
                Beta::Apply(function, argument) => {
                    let result = self.make(Shape::Unknown);
                    let expected = self.function(of(argument, self), result);
                    self.unify(of(function, self), expected)?;
                    result
                }
                Beta::Tuple(parts) => {
                    let parts = parts.iter().map(|part| of(part, self)).collect();
                    self.make(Shape::Tuple(parts))
                }
                Beta::Project(tuple, index) => {
                    let component = self.make(Shape::Unknown);
                    if !self.component(of(tuple, self), *index, component)? {
                        pending.push((of(tuple, self), *index, component));
                    }
                    component
                }
                Beta::If(condition, then, otherwise) => {
                    let bool = self.make(Shape::Bool);
                    self.unify(bool, of(condition, self))?;
                    self.unify(of(then, self), of(otherwise, self))?;
                    of(then, self)
                }
                Beta::Inject(constructor, argument) => {
                    let (ty, arguments) = self.instance_of(constructor.data());
                    let domain = self.instantiated(&constructor.domain(), &arguments);
                    self.unify(domain, of(argument, self))?;
                    ty
                }
                Beta::Match(data, scrutinee, branches) => {
                    let (ty, arguments) = self.instance_of(data);
                    self.unify(ty, of(scrutinee, self))?;
                    let result = self.make(Shape::Unknown);
                    for (constructor, (id, _, body)) in data.constructors().zip(branches) {
                        let domain = self.instantiated(&constructor.domain(), &arguments);
                        self.unify(domain, self.variables[*id as usize])?;
                        self.unify(result, of(body, self))?;
                    }
                    result
                }
                Beta::To(iso) | Beta::From(iso) => {
                    let (left, right) = (self.make(Shape::Unknown), self.make(Shape::Unknown));
                    let expected = self.make(Shape::Iso(left, right));
                    self.unify(of(iso, self), expected)?;
                    if matches!(part, Beta::To(_)) { self.function(left, right) } else { self.function(right, left) }
                }
            };
            self.parts.push(ty);
        }
        let expected =
            self.import(ty, &mut |types, index| types.make(Shape::Parameter(index)), &mut FxHashMap::default());
        self.unify(self.parts[normal.root as usize], expected)?;
        self.settle(&mut pending)?;
        for id in numeric {
            if matches!(self.shape(id), Shape::Unknown) {
                let real = self.make(Shape::Real);
                self.unify(id, real)?;
            }
        }
        self.settle(&mut pending)?;
        self.check_finite()
    }

    /// Components of what was not known to be a tuple, until nothing changes.
    fn settle(&mut self, pending: &mut Vec<(Id, usize, Id)>) -> Result<(), Clash> {
        let mut work = 0;
        loop {
            let before = pending.len();
            work += before;
            if work > 40 * limit::TYPE_NODES {
                return Err(Clash::TooLarge);
            }
            for (tuple, index, component) in std::mem::take(pending) {
                if !self.component(tuple, index, component)? {
                    pending.push((tuple, index, component));
                }
            }
            if pending.len() == before {
                return Ok(());
            }
        }
    }

    /// Whether the type of a tuple was known; then that of its component is.
    fn component(&mut self, tuple: Id, index: usize, component: Id) -> Result<bool, Clash> {
        match self.shape(tuple) {
            Shape::Tuple(parts) => {
                let part = *parts.get(index).ok_or(Clash::Different)?;
                self.unify(part, component)?;
                Ok(true)
            }
            Shape::Unknown => Ok(false),
            _ => Err(Clash::Different),
        }
    }

    /// Makes two types the same. Types are linked before their parts are compared, so this ends on infinite types too.
    fn unify(&mut self, left: Id, right: Id) -> Result<(), Clash> {
        let mut pending = vec![(left, right)];
        while let Some((left, right)) = pending.pop() {
            let (left, right) = (self.find(left), self.find(right));
            if left == right {
                continue;
            }
            match (self.shapes[left as usize].clone(), self.shapes[right as usize].clone()) {
                (_, Shape::Unknown) => {
                    self.shapes[right as usize] = Shape::Same(left);
                    continue;
                }
                (Shape::Unknown, _) => {}
                (Shape::Parameter(a), Shape::Parameter(b)) if a == b => {}
                (Shape::Real, Shape::Real)
                | (Shape::Nat, Shape::Nat)
                | (Shape::Bool, Shape::Bool)
                | (Shape::Unit, Shape::Unit) => {}
                (Shape::Data(one, a), Shape::Data(other, b)) if one == other => {
                    pending.extend(a.iter().copied().zip(b.iter().copied()));
                }
                (Shape::Tuple(a), Shape::Tuple(b)) if a.len() == b.len() => {
                    pending.extend(a.iter().copied().zip(b.iter().copied()));
                }
                (Shape::Function(a, b), Shape::Function(c, d)) | (Shape::Iso(a, b), Shape::Iso(c, d)) => {
                    pending.extend([(a, c), (b, d)]);
                }
                (Shape::Tangent(a), Shape::Tangent(b)) => pending.push((a, b)),
                _ => return Err(Clash::Different),
            }
            self.shapes[left as usize] = Shape::Same(right);
        }
        Ok(())
    }

    /// A type given by its constructors, at parameters that are not known yet.
    fn instance_of(&mut self, data: &Data) -> (Id, Rc<[Id]>) {
        let arguments: Rc<[Id]> = data.parameters().iter().map(|_| self.make(Shape::Unknown)).collect();
        (self.make(Shape::Data(data.clone(), arguments.clone())), arguments)
    }

    /// A finished type with these types for its parameters.
    fn instantiated(&mut self, ty: &Ty, arguments: &[Id]) -> Id {
        self.import(ty, &mut |_, index| arguments[index], &mut FxHashMap::default())
    }

    /// The type of one use of a constant. Parameters that are numbers are noted.
    fn instance(&mut self, scheme: &Scheme, numeric: &mut Vec<Id>) -> Id {
        let parameters: Vec<Id> = scheme
            .parameters
            .iter()
            .map(|(_, class)| {
                let id = self.make(Shape::Unknown);
                if *class != Class::ANY {
                    numeric.push(id);
                }
                id
            })
            .collect();
        self.instantiated(&scheme.ty, &parameters)
    }

    /// A finished type, its parameters replaced.
    fn import(
        &mut self,
        ty: &Ty,
        parameter: &mut dyn FnMut(&mut Types, usize) -> Id,
        known: &mut FxHashMap<usize, Id>,
    ) -> Id {
        if let Some(&known) = known.get(&ty.address()) {
            return known;
        }
        let id = deep(|| match ty.kind() {
            TyKind::Variable(index, _) => parameter(self, *index),
            TyKind::Real => self.make(Shape::Real),
            TyKind::Nat => self.make(Shape::Nat),
            TyKind::Bool => self.make(Shape::Bool),
            TyKind::Unit => self.make(Shape::Unit),
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.import(part, parameter, known)).collect();
                self.make(Shape::Tuple(parts))
            }
            TyKind::Data(data, parts) => {
                let parts = parts.iter().map(|part| self.import(part, parameter, known)).collect();
                self.make(Shape::Data(data.clone(), parts))
            }
            TyKind::Function(a, b) => {
                let (a, b) = (self.import(a, parameter, known), self.import(b, parameter, known));
                self.make(Shape::Function(a, b))
            }
            TyKind::Iso(a, b) => {
                let (a, b) = (self.import(a, parameter, known), self.import(b, parameter, known));
                self.make(Shape::Iso(a, b))
            }
            TyKind::Tangent(of) => {
                let of = self.import(of, parameter, known);
                self.make(Shape::Tangent(of))
            }
        });
        known.insert(ty.address(), id);
        id
    }

    /// Fails when a type is a part of itself.
    fn check_finite(&mut self) -> Result<(), Clash> {
        // 1: being looked at, 2: finite
        let mut state = vec![0u8; self.shapes.len()];
        for start in 0..self.shapes.len() as Id {
            let mut pending = vec![(start, false)];
            while let Some((id, left)) = pending.pop() {
                let id = self.find(id);
                if left {
                    state[id as usize] = 2;
                    continue;
                }
                match state[id as usize] {
                    2 => continue,
                    1 => return Err(Clash::Different),
                    _ => {}
                }
                state[id as usize] = 1;
                pending.push((id, true));
                match &self.shapes[id as usize] {
                    Shape::Tuple(parts) | Shape::Data(_, parts) => {
                        let mut unique: Vec<Id> = parts.to_vec();
                        unique.dedup();
                        pending.extend(unique.into_iter().map(|part| (part, false)));
                    }
                    Shape::Function(a, b) | Shape::Iso(a, b) => pending.extend([(*a, false), (*b, false)]),
                    Shape::Tangent(a) => pending.push((*a, false)),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}
