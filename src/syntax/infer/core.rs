//! The types of finished terms: of programs that were made, not read.
//!
//! A term carries no types. Here they are found again, by the same rules as for programs as they are written: whether a term
//! has a type, and what the types of the variables are that its functions bind. A `let` is polymorphic, unless its value
//! takes a component of something whose type is not known there; and arithmetic in it is that of its uses.

use super::store::{Clash, Id, Node, Store};
use crate::stack::deep;
use crate::syntax::data::Data;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Why a term was not given types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypingError {
    /// It does not have the type that was claimed.
    #[error("the program does not have the type that it should have")]
    IllTyped,
    /// It is too large.
    #[error("the program is too large to be given types; try a smaller one")]
    TooLarge,
}

impl From<Clash> for TypingError {
    fn from(clash: Clash) -> Self {
        if matches!(clash, Clash::TooLarge) { Self::TooLarge } else { Self::IllTyped }
    }
}

/// Checks that a closed term has a type, and finds the types of the variables that its functions bind: by the address of the
/// `\x => e`, where the type is known. Parameters of the type have their names.
///
/// # Errors
/// [`TypingError`]
pub fn binders(term: &Term, scheme: &Scheme) -> Result<FxHashMap<usize, Ty>, TypingError> {
    let mut core = Core { types: Store::new(), level: 1, scope: Vec::new(), pending: Vec::new(), binders: Vec::new() };
    let found = core.term(term)?;
    let names = scheme.parameters.iter().map(|(name, _)| name.clone());
    // the type of a program that is no definition has parameters without names, which nobody can write
    let nameless = (scheme.parameters.len()..parameters(&scheme.ty)).map(|index| format!("A{index}").into());
    let parameters: Vec<Id> =
        names.chain(nameless).map(|name| core.types.make(Node::Parameter { level: 0, name })).collect();
    let expected = core.types.import(&scheme.ty, &parameters)?;
    core.types.unify(expected, found)?;
    core.settle(0)?;
    if !core.pending.is_empty() {
        return Err(TypingError::IllTyped);
    }
    let unknown = || Ty::new(TyKind::Variable(UNKNOWN, "_".into()));
    let mut types = FxHashMap::default();
    for (address, id) in std::mem::take(&mut core.binders) {
        let ty = numbered(&core.types.show(id), scheme);
        // one node may stand at several places
        let same = types.get(&address).is_none_or(|other| *other == ty);
        types.insert(address, if same { ty } else { unknown() });
    }
    types.retain(|_, ty| is_known(ty));
    Ok(types)
}

/// One more than the greatest index of a parameter.
fn parameters(ty: &Ty) -> usize {
    fn greatest(ty: &Ty) -> Option<usize> {
        deep(|| match ty.kind() {
            TyKind::Variable(index, _) => Some(*index),
            TyKind::Tuple(parts) | TyKind::Data(_, parts) => parts.iter().filter_map(greatest).max(),
            TyKind::Function(a, b) | TyKind::Iso(a, b) => greatest(a).max(greatest(b)),
            TyKind::Tangent(of) => greatest(of),
            _ => None,
        })
    }
    greatest(ty).map_or(0, |index| index + 1)
}

/// A type that is [shown](Store::show), with the numbers that its parameters have in a scheme: they are shown by name.
fn numbered(ty: &Ty, scheme: &Scheme) -> Ty {
    let of = |ty: &Ty| deep(|| numbered(ty, scheme));
    Ty::new(match ty.kind() {
        TyKind::Variable(_, name) => {
            let place = scheme.parameters.iter().position(|(parameter, _)| parameter == name);
            TyKind::Variable(place.unwrap_or(UNKNOWN), name.clone())
        }
        TyKind::Tuple(parts) => TyKind::Tuple(parts.iter().map(of).collect()),
        TyKind::Data(data, parts) => TyKind::Data(data.clone(), parts.iter().map(of).collect()),
        TyKind::Function(a, b) => TyKind::Function(of(a), of(b)),
        TyKind::Iso(a, b) => TyKind::Iso(of(a), of(b)),
        TyKind::Tangent(a) => TyKind::Tangent(of(a)),
        _ => return ty.clone(),
    })
}

const UNKNOWN: usize = usize::MAX;

/// Whether a type has no part that is unknown.
fn is_known(ty: &Ty) -> bool {
    deep(|| match ty.kind() {
        TyKind::Variable(index, _) => *index != UNKNOWN,
        TyKind::Tuple(parts) | TyKind::Data(_, parts) => parts.iter().all(is_known),
        TyKind::Function(a, b) | TyKind::Iso(a, b) => is_known(a) && is_known(b),
        TyKind::Tangent(of) => is_known(of),
        _ => true,
    })
}

struct Core {
    types: Store,
    level: u32,
    /// The variables in scope, and which of them are polymorphic.
    scope: Vec<(Id, bool)>,
    /// Components of what is not known to be a tuple: the tuple, the index, the component.
    pending: Vec<(Id, usize, Id)>,
    binders: Vec<(usize, Id)>,
}

impl Core {
    fn unknown(&mut self) -> Id {
        self.types.unknown(self.level, Class::ANY)
    }

    fn function(&mut self, domain: Id, codomain: Id) -> Id {
        self.types.make(Node::Function(domain, codomain))
    }

    fn under(&mut self, ty: Id, polymorphic: bool, body: &Term) -> Result<Id, Clash> {
        self.scope.push((ty, polymorphic));
        let result = self.term(body);
        self.scope.pop();
        result
    }

    fn has(&mut self, term: &Term, expected: Id) -> Result<(), Clash> {
        let found = self.term(term)?;
        self.types.unify(expected, found)
    }

    /// A declared type at arguments that are not known yet.
    fn data(&mut self, data: &Data) -> (Id, Vec<Id>) {
        let arguments: Vec<Id> = data.parameters().iter().map(|_| self.unknown()).collect();
        (self.types.make(Node::Data(data.clone(), arguments.clone().into())), arguments)
    }

    fn term(&mut self, term: &Term) -> Result<Id, Clash> {
        deep(|| self.clause(term))
    }

    fn clause(&mut self, term: &Term) -> Result<Id, Clash> {
        self.types.step(1)?;
        Ok(match term.kind() {
            TermKind::Variable { index, .. } => {
                let place = self.scope.len().checked_sub(index + 1).ok_or(Clash::Different)?;
                let (ty, polymorphic) = self.scope[place];
                if polymorphic { self.types.instance(ty, self.level)? } else { ty }
            }
            TermKind::Global(definition) => self.types.import_scheme(&definition.scheme, self.level)?,
            TermKind::Constant(constant) => self.types.import_scheme(constant.scheme(), self.level)?,
            TermKind::Real(_) => Store::REAL,
            TermKind::Nat(_) => Store::NAT,
            TermKind::Bool(_) => Store::BOOL,
            TermKind::Unit => Store::UNIT,
            TermKind::Lambda { body, .. } => {
                let domain = self.unknown();
                self.binders.push((term.address(), domain));
                let codomain = self.under(domain, false, body)?;
                self.function(domain, codomain)
            }
            TermKind::Apply { function, argument } => {
                let function = self.term(function)?;
                let (argument, result) = (self.term(argument)?, self.unknown());
                let expected = self.function(argument, result);
                self.types.unify(function, expected)?;
                result
            }
            TermKind::Let { value, body, .. } => {
                let (ty, polymorphic) = self.bound(|core| core.term(value))?;
                self.under(ty, polymorphic, body)?
            }
            TermKind::LetRec { value, body, .. } => {
                let (ty, polymorphic) = self.bound(|core| {
                    let own = core.unknown();
                    let found = core.under(own, false, value)?;
                    core.types.unify(own, found)?;
                    Ok(own)
                })?;
                self.under(ty, polymorphic, body)?
            }
            TermKind::Tuple(parts) => {
                let parts: Rc<[Id]> = parts.iter().map(|part| self.term(part)).collect::<Result<_, _>>()?;
                self.types.make(Node::Tuple(parts))
            }
            TermKind::Project { tuple, index } => {
                let (tuple, component) = (self.term(tuple)?, self.unknown());
                if !self.component(tuple, *index, component)? {
                    self.pending.push((tuple, *index, component));
                }
                component
            }
            TermKind::If { condition, then, otherwise } => {
                self.has(condition, Store::BOOL)?;
                let result = self.term(then)?;
                self.has(otherwise, result)?;
                result
            }
            TermKind::To(iso) | TermKind::From(iso) => {
                let (left, right) = (self.unknown(), self.unknown());
                let expected = self.types.make(Node::Iso(left, right));
                self.has(iso, expected)?;
                if matches!(term.kind(), TermKind::To(_)) {
                    self.function(left, right)
                } else {
                    self.function(right, left)
                }
            }
            TermKind::Inject { constructor, argument } => {
                let (ty, arguments) = self.data(constructor.data());
                let domain = self.types.import(&constructor.domain(), &arguments)?;
                self.has(argument, domain)?;
                ty
            }
            TermKind::Match { data, scrutinee, branches } => {
                let (ty, arguments) = self.data(data);
                self.has(scrutinee, ty)?;
                let result = self.unknown();
                for (constructor, branch) in data.constructors().zip(branches) {
                    let domain = self.types.import(&constructor.domain(), &arguments)?;
                    let found = self.under(domain, false, &branch.body)?;
                    self.types.unify(result, found)?;
                }
                result
            }
        })
    }

    /// The type of what a `let` binds, and whether it is polymorphic.
    fn bound(&mut self, value: impl FnOnce(&mut Self) -> Result<Id, Clash>) -> Result<(Id, bool), Clash> {
        let waiting = self.pending.len();
        self.level += 1;
        let ty = value(self);
        self.level -= 1;
        let ty = ty?;
        self.settle(waiting)?;
        if self.pending.len() == waiting {
            self.keep_numbers(ty)?;
            return Ok((ty, self.types.generalise(ty, self.level)?));
        }
        // what is not known yet is shared by all uses
        let here = self.unknown();
        self.types.unify(here, ty)?;
        for place in waiting..self.pending.len() {
            let (tuple, _, component) = self.pending[place];
            for ty in [tuple, component] {
                let here = self.unknown();
                self.types.unify(here, ty)?;
            }
        }
        Ok((ty, false))
    }

    /// What must be a number of some kind is left to be found out by the uses, not decided by the definition.
    fn keep_numbers(&mut self, ty: Id) -> Result<(), Clash> {
        let (mut pending, mut numbers) = (vec![ty], Vec::new());
        self.types.begin();
        while let Some(id) = pending.pop() {
            let id = self.types.find(id);
            self.types.step(1)?;
            if !self.types.mark(id) {
                continue;
            }
            match self.types.shape(id) {
                Node::Unknown { level, class } if level > self.level && class != Class::ANY => {
                    numbers.push((id, class))
                }
                _ => self.types.parts_of(id, &mut pending),
            }
        }
        for (id, class) in numbers {
            let here = self.types.unknown(self.level, class);
            self.types.unify(here, id)?;
        }
        Ok(())
    }

    /// Whether the type of a tuple was known; then that of its component is.
    fn component(&mut self, tuple: Id, index: usize, component: Id) -> Result<bool, Clash> {
        match self.types.shape(tuple) {
            Node::Tuple(parts) => {
                self.types.unify(*parts.get(index).ok_or(Clash::Different)?, component)?;
                Ok(true)
            }
            Node::Unknown { class, .. } if class.has_tuples() => Ok(false),
            _ => Err(Clash::Different),
        }
    }

    /// Components of what was not known to be a tuple, until nothing changes.
    fn settle(&mut self, since: usize) -> Result<(), Clash> {
        loop {
            let waiting = self.pending.split_off(since);
            let count = waiting.len();
            for (tuple, index, component) in waiting {
                self.types.step(1)?;
                if !self.component(tuple, index, component)? {
                    self.pending.push((tuple, index, component));
                }
            }
            if self.pending.len() - since == count {
                return Ok(());
            }
        }
    }
}
