//! From β-normal forms to βη-normal forms: what has a function type becomes a λ, what has a product type a tuple, and what
//! has the unit type `()`.
//!
//! Variables get levels, so that the same part under the same binders is the same part, and parts are shared wherever
//! they are equal.

use super::beta::{Beta, BetaNormal, Part};
use super::error::{Limits, NormalError};
use super::form::{Form, Key, Node, Shape as NodeShape, TypeShape};
use super::machine::{Id, is_componentwise};
use super::typing::Types;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::infer::store::{Id as Type, Node as Shape};
use crate::syntax::limit;
use crate::syntax::name::Name;
use rustc_hash::FxHashMap;

/// How many parts may be looked up, those that are known already included, for each step that evaluation may take.
const WORK_PER_STEP: u64 = 20;
/// How deep a normal form may be: an operator is two levels of it, and one of a program.
pub(super) const DEEPEST: u32 = 3 * limit::DEPTH;

/// The η-long form of a β-normal form, with its root.
pub(super) fn eta_long(normal: &BetaNormal, types: Types, limits: Limits) -> Result<(Form, Node), NormalError> {
    let mut reader = Reader {
        normal,
        levels: vec![0; normal.variables as usize],
        types,
        form: Form::default(),
        long: FxHashMap::default(),
        short: FxHashMap::default(),
        exported: FxHashMap::default(),
        limits,
        work: 0,
        depth: 0,
    };
    let root = reader.long(normal.root, 0)?;
    Ok((reader.form, root))
}

struct Reader<'n> {
    normal: &'n BetaNormal,
    levels: Vec<u32>,
    types: Types,
    form: Form,
    /// What is known of a part under so many binders: in full, and without expansion at its own type.
    long: FxHashMap<(Part, u32), Node>,
    short: FxHashMap<(Part, u32), Node>,
    exported: FxHashMap<Type, Key>,
    limits: Limits,
    work: u64,
    depth: u32,
}

/// What η expands.
#[derive(Clone, Copy)]
enum Head {
    Part(Part),
    /// The variable of a level.
    Variable(u32),
}

/// What η does to it.
#[derive(Clone, Copy)]
enum Elimination {
    /// Applied to the variable of a level, which has a type.
    Argument(u32, Type),
    Component(u32),
}

impl Reader<'_> {
    fn put(&mut self, term: NodeShape, name: Option<&Name>) -> Result<Node, NormalError> {
        self.work += 1;
        if self.work > self.limits.steps.saturating_mul(WORK_PER_STEP) {
            return Err(NormalError::Steps { limit: self.limits.steps });
        }
        let node = self.form.put(term, name);
        if self.form.len() > self.limits.nodes {
            return Err(NormalError::Size { limit: self.limits.nodes });
        }
        if self.form.depth(node) > DEEPEST {
            return Err(NormalError::too_deep());
        }
        Ok(node)
    }

    fn deeper<R>(&mut self, step: impl FnOnce(&mut Self) -> Result<R, NormalError>) -> Result<R, NormalError> {
        self.depth += 1;
        if self.depth > 6 * DEEPEST {
            return Err(NormalError::too_deep());
        }
        let result = deep(|| step(self));
        self.depth -= 1;
        result
    }

    fn type_of(&self, part: Part) -> Type {
        self.types.parts[part as usize]
    }

    /// Gives a variable a level. What was read while it had another is forgotten.
    fn bind(&mut self, id: Id, level: u32) {
        let known = &mut self.levels[id as usize];
        if *known != level {
            *known = level;
            self.long.clear();
            self.short.clear();
        }
    }

    /// The η-long form of a part under so many binders.
    fn long(&mut self, part: Part, level: u32) -> Result<Node, NormalError> {
        if let Some(&known) = self.long.get(&(part, level)) {
            return Ok(known);
        }
        let node = self.deeper(|reader| reader.long_of(part, level))?;
        self.long.insert((part, level), node);
        Ok(node)
    }

    fn long_of(&mut self, part: Part, level: u32) -> Result<Node, NormalError> {
        use NodeShape as To;
        let ty = self.type_of(part);
        let normal = self.normal;
        match (&normal.parts[part as usize], self.types.shape(ty)) {
            (_, Shape::Unit) => self.put(To::Unit, None),
            (Beta::Lambda(id, name, body), _) => {
                self.bind(*id, level);
                let body = self.long(*body, level + 1)?;
                let domain = self.types.variable(*id);
                let domain = self.export(domain);
                self.put(To::Lambda(domain, body), Some(name))
            }
            (Beta::Tuple(parts), _) => {
                let parts: Result<Box<[Node]>, _> = parts.iter().map(|&part| self.long(part, level)).collect();
                self.put(To::Tuple(parts?), None)
            }
            (Beta::Inject(constructor, argument), _) => {
                let argument = self.long(*argument, level)?;
                self.put(To::Inject(constructor.clone(), argument), None)
            }
            _ => self.expand(Head::Part(part), &mut Vec::new(), ty, level),
        }
    }

    /// A part that computes no further, not expanded at its own type.
    fn short(&mut self, part: Part, level: u32) -> Result<Node, NormalError> {
        if let Some(&known) = self.short.get(&(part, level)) {
            return Ok(known);
        }
        let node = self.deeper(|reader| reader.short_of(part, level))?;
        self.short.insert((part, level), node);
        Ok(node)
    }

    fn short_of(&mut self, part: Part, level: u32) -> Result<Node, NormalError> {
        use NodeShape as To;
        let normal = self.normal;
        match &normal.parts[part as usize] {
            Beta::Variable(id) => self.put(To::Variable(self.levels[*id as usize]), None),
            Beta::Constant(constant) => self.put(To::Constant(*constant), None),
            Beta::Real(value) => self.put(To::Real(value.clone()), None),
            Beta::Nat(value) => self.put(To::Nat(*value), None),
            Beta::Bool(value) => self.put(To::Bool(*value), None),
            Beta::Unit => self.put(To::Unit, None),
            Beta::Apply(function, argument) => {
                let (function, argument) = (self.short(*function, level)?, self.long(*argument, level)?);
                self.put(To::Apply(function, argument), None)
            }
            Beta::Project(tuple, index) => {
                let tuple = self.short(*tuple, level)?;
                self.put(To::Project(tuple, *index as u32), None)
            }
            Beta::If(condition, then, otherwise) => {
                let condition = self.long(*condition, level)?;
                let (then, otherwise) = (self.long(*then, level)?, self.long(*otherwise, level)?);
                self.put(To::If(condition, then, otherwise), None)
            }
            Beta::Match(data, scrutinee, branches) => {
                let scrutinee = self.long(*scrutinee, level)?;
                let mut bodies = Vec::with_capacity(branches.len());
                for (id, _, body) in branches {
                    self.bind(*id, level);
                    bodies.push(self.long(*body, level + 1)?);
                }
                self.put(To::Match(data.clone(), scrutinee, bodies.into()), branches.last().map(|(_, name, _)| name))
            }
            Beta::To(iso) => {
                let iso = self.short(*iso, level)?;
                self.put(To::To(iso), None)
            }
            Beta::From(iso) => {
                let iso = self.short(*iso, level)?;
                self.put(To::From(iso), None)
            }
            Beta::Recursion(id, name, value) => {
                self.bind(*id, level);
                let value = self.long(*value, level + 1)?;
                let ty = self.types.variable(*id);
                let ty = self.export(ty);
                self.put(To::LetRec(ty, value), Some(name))
            }
            // a value where something stuck is expected: the whole is read in full
            Beta::Lambda(..) | Beta::Tuple(_) | Beta::Inject(..) => self.long(part, level),
        }
    }

    /// η: what is stuck, at some type, as a λ or a tuple where the type says so. The head and the eliminations of it are
    /// put together under all the binders, so that each gets its level.
    fn expand(&mut self, head: Head, path: &mut Vec<Elimination>, ty: Type, level: u32) -> Result<Node, NormalError> {
        use NodeShape as To;
        match self.types.shape(ty) {
            Shape::Unit => self.put(To::Unit, None),
            Shape::Function(domain, codomain) => {
                path.push(Elimination::Argument(level, domain));
                let body = self.deeper(|reader| reader.expand(head, path, codomain, level + 1))?;
                path.pop();
                let (name, domain) = (self.name(domain), self.export(domain));
                self.put(To::Lambda(domain, body), Some(&name))
            }
            Shape::Tuple(types) => {
                let mut parts = Vec::new();
                for (index, &ty) in types.iter().enumerate() {
                    path.push(Elimination::Component(index as u32));
                    parts.push(self.deeper(|reader| reader.expand(head, path, ty, level))?);
                    path.pop();
                }
                self.put(To::Tuple(parts.into()), None)
            }
            _ => self.eliminated(head, path, level),
        }
    }

    fn eliminated(&mut self, head: Head, path: &[Elimination], level: u32) -> Result<Node, NormalError> {
        use NodeShape as To;
        let mut node = match head {
            Head::Part(part) => self.short(part, level)?,
            Head::Variable(level) => self.put(To::Variable(level), None)?,
        };
        for elimination in path {
            node = match *elimination {
                Elimination::Argument(variable, ty) => {
                    let argument = Head::Variable(variable);
                    let argument = self.deeper(|reader| reader.expand(argument, &mut Vec::new(), ty, level))?;
                    match self.form.shape(node) {
                        To::Constant(Constant::Fst) => self.component(argument, 0)?,
                        To::Constant(Constant::Snd) => self.component(argument, 1)?,
                        _ => self.put(To::Apply(node, argument), None)?,
                    }
                }
                Elimination::Component(index) => self.component(node, index)?,
            };
        }
        Ok(node)
    }

    /// A component of a part of a product type; that of a sum is the sum of the components.
    fn component(&mut self, node: Node, index: u32) -> Result<Node, NormalError> {
        use NodeShape as To;
        if let To::Tuple(parts) = self.form.shape(node) {
            return Ok(parts[index as usize]);
        }
        let Some((constant, arguments)) = self.call(node) else {
            return self.put(To::Project(node, index), None);
        };
        let mut call = self.put(To::Constant(constant), None)?;
        for argument in arguments {
            let argument = self.component(argument, index)?;
            call = self.put(To::Apply(call, argument), None)?;
        }
        Ok(call)
    }

    /// The arguments of an operation that works by components.
    fn call(&self, node: Node) -> Option<(Constant, Vec<Node>)> {
        use NodeShape as To;
        let mut arguments = Vec::new();
        let mut head = node;
        while let To::Apply(function, argument) = self.form.shape(head) {
            arguments.push(*argument);
            head = *function;
            if arguments.len() > 2 {
                return None;
            }
        }
        arguments.reverse();
        match self.form.shape(head) {
            To::Constant(constant) if is_componentwise(*constant, arguments.len()) => Some((*constant, arguments)),
            _ => None,
        }
    }

    /// What a new variable of a type is called.
    fn name(&mut self, ty: Type) -> Name {
        match self.types.shape(ty) {
            Shape::Nat => "n",
            Shape::Bool => "b",
            Shape::Unit => "_",
            Shape::Tuple(_) => "p",
            Shape::Function(..) => "f",
            Shape::Tangent(_) => "v",
            _ => "x",
        }
        .into()
    }

    /// The type as it is kept in the form. It is finite.
    fn export(&mut self, ty: Type) -> Key {
        use TypeShape as To;
        let ty = self.types.representative(ty);
        if let Some(&known) = self.exported.get(&ty) {
            return known;
        }
        let shape = deep(|| match self.types.shape(ty) {
            Shape::Parameter { .. } if let Some(index) = self.types.parameter(ty) => To::Parameter(index),
            Shape::Unknown { .. } | Shape::Link(_) | Shape::Parameter { .. } => To::Unknown(ty.0),
            Shape::Real => To::Real,
            Shape::Nat => To::Nat,
            Shape::Bool => To::Bool,
            Shape::Unit => To::Unit,
            Shape::Tuple(parts) => To::Tuple(parts.iter().map(|&part| self.export(part)).collect()),
            Shape::Function(a, b) => To::Function(self.export(a), self.export(b)),
            Shape::Tangent(of) => To::Tangent(self.export(of)),
            Shape::Data(data, parts) => To::Data(data, parts.iter().map(|&part| self.export(part)).collect()),
            Shape::Iso(a, b) => To::Iso(self.export(a), self.export(b)),
        });
        let key = self.form.put_type(shape);
        self.exported.insert(ty, key);
        key
    }
}
