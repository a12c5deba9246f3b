//! From values to β-normal forms, without types yet.
//!
//! Every binder that is read has a variable of its own. A part that the evaluation shares is read once, if its type can
//! only be one: `\x => x` in a `let` may be used at two types, and is read once for each use.

use super::error::NormalError;
use super::machine::{Cell, Environment, Id, Machine, Value};
use super::recursion::Recursion;
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::name::Name;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::TyKind;
use rustc_hash::FxHashMap;

/// The number of a part of a β-normal form. Parts come before what they are part of.
pub(super) type Part = u32;

/// A β-normal form.
#[derive(Clone, Debug)]
pub(super) enum Beta {
    Variable(Id),
    Constant(Constant),
    Real(Rational),
    Nat(u64),
    Bool(bool),
    Unit,
    Lambda(Id, Name, Part),
    /// `let rec f = value in f`
    Recursion(Id, Name, Part),
    Apply(Part, Part),
    Tuple(Vec<Part>),
    Project(Part, usize),
    If(Part, Part, Part),
    To(Part),
    From(Part),
    Inject(Constructor, Part),
    /// What is matched, and for each constructor a variable and the answer.
    Match(Data, Part, Vec<(Id, Name, Part)>),
}

/// The parts of a β-normal form, the root last.
#[derive(Debug)]
pub(super) struct BetaNormal {
    pub(super) parts: Vec<Beta>,
    pub(super) root: Part,
    pub(super) variables: Id,
}

/// Evaluates a closed term to its β-normal form.
pub(super) fn beta_normal(machine: &mut Machine, term: &Term) -> Result<BetaNormal, NormalError> {
    let cell = machine.delay(term, Environment::EMPTY);
    let mut reader =
        Reader { machine, parts: Vec::new(), rigid: Vec::new(), known: FxHashMap::default(), components: 0 };
    let root = reader.read(cell)?;
    let variables = reader.machine.variables();
    Ok(BetaNormal { parts: reader.parts, root, variables })
}

struct Reader<'m> {
    machine: &'m mut Machine,
    parts: Vec<Beta>,
    /// Whether the type of a part does not depend on where it stands.
    rigid: Vec<bool>,
    known: FxHashMap<Cell, Part>,
    components: usize,
}

impl Reader<'_> {
    fn put(&mut self, part: Beta, rigid: bool) -> Result<Part, NormalError> {
        if self.parts.len() + self.components >= self.machine.limits.nodes {
            return Err(NormalError::Size { limit: self.machine.limits.nodes });
        }
        self.parts.push(part);
        self.rigid.push(rigid);
        Ok((self.parts.len() - 1) as Part)
    }

    fn is_rigid(&self, part: Part) -> bool {
        self.rigid[part as usize]
    }

    fn read(&mut self, cell: Cell) -> Result<Part, NormalError> {
        if let Some(&known) = self.known.get(&cell) {
            return Ok(known);
        }
        let value = self.machine.force(cell)?;
        self.machine.enter()?;
        let part = deep(|| self.read_value(value))?;
        self.machine.leave();
        if self.is_rigid(part) {
            self.known.insert(cell, part);
        }
        Ok(part)
    }

    fn read_value(&mut self, value: Value) -> Result<Part, NormalError> {
        self.machine.step()?;
        match value {
            Value::Closure { name, body, environment } => {
                let (id, variable) = self.machine.fresh();
                let environment = self.machine.extend(environment, variable);
                let body = self.machine.delay(&body, environment);
                let body = self.read(body)?;
                self.put(Beta::Lambda(id, name, body), false)
            }
            Value::Recursive { recursion, arguments } => {
                let mut call = self.recursion(recursion)?;
                for &argument in arguments.iter() {
                    let argument = self.read(argument)?;
                    call = self.put(Beta::Apply(call, argument), false)?;
                }
                Ok(call)
            }
            Value::Call { constant, arguments } => {
                let general = !constant.scheme().parameters.is_empty();
                let mut call = self.put(Beta::Constant(constant), !general)?;
                for &argument in arguments.iter() {
                    let argument = self.read(argument)?;
                    // the type of the first argument decides that of the rest; in arithmetic any does
                    let decides = is_arithmetic(constant) || matches!(self.parts[call as usize], Beta::Constant(_));
                    let rigid = !general || self.is_rigid(call) || decides && self.is_rigid(argument);
                    call = self.put(Beta::Apply(call, argument), rigid)?;
                }
                Ok(call)
            }
            Value::Real(term) => {
                let TermKind::Real(value) = term.kind() else { return self.put(Beta::Unit, true) };
                self.put(Beta::Real(value.clone()), true)
            }
            Value::Nat(value) => self.put(Beta::Nat(value), true),
            Value::Bool(value) => self.put(Beta::Bool(value), true),
            Value::Unit => self.put(Beta::Unit, true),
            Value::Variable(id) => self.put(Beta::Variable(id), true),
            Value::Tuple(cells) => {
                let mut parts = Vec::with_capacity(cells.len());
                self.components += cells.len();
                for &cell in cells.iter() {
                    parts.push(self.read(cell)?);
                }
                let rigid = parts.iter().all(|&part| self.is_rigid(part));
                self.put(Beta::Tuple(parts), rigid)
            }
            Value::Apply(function, argument) => {
                let (function, argument) = (self.read(function)?, self.read(argument)?);
                let record = matches!(self.parts[function as usize], Beta::To(_) | Beta::From(_));
                let rigid = self.is_rigid(function) || record && self.is_rigid(argument);
                self.put(Beta::Apply(function, argument), rigid)
            }
            Value::Project(tuple, index) => {
                let tuple = self.read(tuple)?;
                let rigid = self.is_rigid(tuple);
                self.put(Beta::Project(tuple, index), rigid)
            }
            Value::If(condition, then, otherwise) => {
                let (condition, then) = (self.read(condition)?, self.read(then)?);
                let otherwise = self.read(otherwise)?;
                let rigid = self.is_rigid(then) || self.is_rigid(otherwise);
                self.put(Beta::If(condition, then, otherwise), rigid)
            }
            Value::Inject(constructor, argument) => {
                let argument = self.read(argument)?;
                let rigid = self.decides(&constructor, argument);
                self.put(Beta::Inject(constructor, argument), rigid)
            }
            Value::Match(scrutinee, term, environment) => {
                let TermKind::Match { data, branches, .. } = term.kind() else { return self.put(Beta::Unit, true) };
                let scrutinee = self.read(scrutinee)?;
                let mut read = Vec::with_capacity(branches.len());
                for branch in branches {
                    let (id, variable) = self.machine.fresh();
                    let environment = self.machine.extend(environment, variable);
                    let body = self.machine.delay(&branch.body, environment);
                    read.push((id, branch.name.clone(), self.read(body)?));
                }
                let rigid = read.iter().any(|&(_, _, body)| self.is_rigid(body));
                self.put(Beta::Match(data.clone(), scrutinee, read), rigid)
            }
            Value::To(iso) => {
                let iso = self.read(iso)?;
                let rigid = self.is_rigid(iso);
                self.put(Beta::To(iso), rigid)
            }
            Value::From(iso) => {
                let iso = self.read(iso)?;
                let rigid = self.is_rigid(iso);
                self.put(Beta::From(iso), rigid)
            }
        }
    }

    /// Whether what is known of the types in a constructor's argument decides that of the whole. Of a list one element is
    /// enough.
    fn decides(&self, constructor: &Constructor, argument: Part) -> bool {
        let is_tuple = constructor.layer().is_some_and(|layer| matches!(layer.kind(), TyKind::Tuple(_)));
        constructor.is_determined(|index| match &self.parts[argument as usize] {
            Beta::Tuple(parts) if is_tuple => parts.get(index).is_some_and(|&part| self.is_rigid(part)),
            _ => self.is_rigid(argument),
        })
    }

    /// `let rec f = value in f`, the value under a variable for f, of which nothing is known.
    fn recursion(&mut self, recursion: u32) -> Result<Part, NormalError> {
        let Recursion { name, value, outside, .. } = self.machine.recursions[recursion as usize].clone();
        let (id, variable) = self.machine.fresh();
        let environment = self.machine.extend(outside, variable);
        let value = self.machine.delay(&value, environment);
        let value = self.read(value)?;
        self.put(Beta::Recursion(id, name, value), false)
    }
}

/// Whether a constant has one type parameter, which is the type of each argument and of the result.
fn is_arithmetic(constant: Constant) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Multiply | Constant::Negate)
}
