//! The types of terms that were made, not read.
//!
//! Here a term gets its types by the same rules as a program that is written, and nothing that it may carry already is
//! believed: so this is also the check that what was made has the type that was promised (H Lemma 1). A `let` is polymorphic, unless its value
//! takes a component of something whose type is not known there; and arithmetic in it is that of its uses.

use super::finish::{Finish, Overloaded, hole};
use super::store::{Clash, Id, Node, Store};
use crate::stack::deep;
use crate::syntax::name::Name;
use crate::syntax::term::{Branch, Term, TermKind};
use crate::syntax::ty::{Class, Scheme};

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

/// A closed term that was made without types, with them, if it has the type that is claimed.
///
/// # Errors
/// [`TypingError`]
pub fn typed(term: &Term, scheme: &Scheme) -> Result<Term, TypingError> {
    let mut core = Core { types: Store::new(), level: 1, scope: Vec::new(), pending: Vec::new() };
    let (mut term, found) = core.term(term)?;
    // the type of a program that is no definition has parameters without names, which nobody can write
    let name = |index: usize| match scheme.parameters.get(index) {
        Some((name, _)) => Name::clone(name),
        None => format!("A{index}").into(),
    };
    let parameters: Vec<Id> = (0..scheme.ty.variables())
        .map(|index| core.types.make(Node::Parameter { level: 0, name: name(index) }))
        .collect();
    let expected = core.types.import(&scheme.ty, &parameters)?;
    core.types.unify(expected, found)?;
    core.types.components(&mut core.pending, 0)?;
    if !core.pending.is_empty() {
        return Err(TypingError::IllTyped);
    }
    let mut finish = Finish::new(&mut core.types, Store::UNIT, &parameters, Overloaded::default());
    finish.term(&mut term).map_err(|_| TypingError::TooLarge)?;
    Ok(term)
}

struct Core {
    types: Store,
    level: u32,
    /// The variables in scope, and which of them are polymorphic.
    scope: Vec<(Id, bool)>,
    /// Components of what is not known to be a tuple: the tuple, the index, the component.
    pending: Vec<(Id, usize, Id)>,
}

impl Core {
    fn unknown(&mut self) -> Id {
        self.types.unknown(self.level, Class::ANY)
    }

    fn function(&mut self, domain: Id, codomain: Id) -> Id {
        self.types.make(Node::Function(domain, codomain))
    }

    fn under(&mut self, ty: Id, polymorphic: bool, body: &Term) -> Result<(Term, Id), Clash> {
        self.scope.push((ty, polymorphic));
        let result = self.term(body);
        self.scope.pop();
        result
    }

    fn has(&mut self, term: &Term, expected: Id) -> Result<Term, Clash> {
        let (term, found) = self.term(term)?;
        self.types.unify(expected, found)?;
        Ok(term)
    }

    fn term(&mut self, term: &Term) -> Result<(Term, Id), Clash> {
        deep(|| self.clause(term))
    }

    fn clause(&mut self, term: &Term) -> Result<(Term, Id), Clash> {
        self.types.step(1)?;
        let span = term.span();
        let leaf = |ty: Id| (Term::typed(term.kind().clone(), hole(ty), span), ty);
        let (kind, ty) = match term.kind() {
            TermKind::Variable { index, .. } => {
                let place = self.scope.len().checked_sub(index + 1).ok_or(Clash::Different)?;
                let (ty, polymorphic) = self.scope[place];
                return Ok(leaf(if polymorphic { self.types.instance(ty, self.level)? } else { ty }));
            }
            TermKind::Global(definition) => {
                return Ok(leaf(self.types.import_scheme(&definition.scheme, self.level)?));
            }
            TermKind::Constant(constant) => {
                return Ok(leaf(self.types.import_scheme(constant.scheme(), self.level)?));
            }
            TermKind::Real(_) => return Ok(leaf(Store::REAL)),
            TermKind::Nat(_) => return Ok(leaf(Store::NAT)),
            TermKind::Bool(_) => return Ok(leaf(Store::BOOL)),
            TermKind::Unit => return Ok(leaf(Store::UNIT)),
            TermKind::Lambda { name, body } => {
                let domain = self.unknown();
                let (body, codomain) = self.under(domain, false, body)?;
                return Ok((Term::lambda(name.clone(), hole(domain), body, span), self.function(domain, codomain)));
            }
            TermKind::Inject { constructor, argument } => {
                let (ty, arguments) = self.types.data(constructor.data(), self.level);
                let domain = self.types.import(&constructor.domain(), &arguments)?;
                let argument = self.has(argument, domain)?;
                return Ok((Term::inject(constructor.clone(), argument, hole(ty), span), ty));
            }
            TermKind::Apply { function, argument } => {
                let (function, function_type) = self.term(function)?;
                let ((argument, argument_type), result) = (self.term(argument)?, self.unknown());
                let expected = self.function(argument_type, result);
                self.types.unify(function_type, expected)?;
                (TermKind::Apply { function, argument }, result)
            }
            TermKind::Let { name, value, body } => {
                let (value, ty, polymorphic) = self.bound(|core| core.term(value))?;
                let (body, result) = self.under(ty, polymorphic, body)?;
                (TermKind::Let { name: name.clone(), value, body }, result)
            }
            TermKind::LetRec { name, value, body } => {
                let (value, ty, polymorphic) = self.bound(|core| {
                    let own = core.unknown();
                    let (value, found) = core.under(own, false, value)?;
                    core.types.unify(own, found)?;
                    Ok((value, own))
                })?;
                let (body, result) = self.under(ty, polymorphic, body)?;
                (TermKind::LetRec { name: name.clone(), value, body }, result)
            }
            TermKind::Tuple(parts) => {
                let parts: Vec<(Term, Id)> = parts.iter().map(|part| self.term(part)).collect::<Result<_, _>>()?;
                let (parts, types): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
                (TermKind::Tuple(parts), self.types.make(Node::Tuple(types.into())))
            }
            TermKind::Project { tuple, index } => {
                let ((tuple, ty), component) = (self.term(tuple)?, self.unknown());
                if !self.types.component(ty, *index, component)? {
                    self.pending.push((ty, *index, component));
                }
                (TermKind::Project { tuple, index: *index }, component)
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.has(condition, Store::BOOL)?;
                let (then, result) = self.term(then)?;
                let otherwise = self.has(otherwise, result)?;
                (TermKind::If { condition, then, otherwise }, result)
            }
            TermKind::To(iso) | TermKind::From(iso) => {
                let (left, right) = (self.unknown(), self.unknown());
                let expected = self.types.make(Node::Iso(left, right));
                let iso = self.has(iso, expected)?;
                if matches!(term.kind(), TermKind::To(_)) {
                    (TermKind::To(iso), self.function(left, right))
                } else {
                    (TermKind::From(iso), self.function(right, left))
                }
            }
            TermKind::Match { data, scrutinee, branches } => {
                let (ty, arguments) = self.types.data(data, self.level);
                let (scrutinee, result) = (self.has(scrutinee, ty)?, self.unknown());
                let mut typed = Vec::with_capacity(branches.len());
                for (constructor, branch) in data.constructors().zip(branches) {
                    let domain = self.types.import(&constructor.domain(), &arguments)?;
                    let (body, found) = self.under(domain, false, &branch.body)?;
                    self.types.unify(result, found)?;
                    typed.push(Branch { name: branch.name.clone(), body });
                }
                (TermKind::Match { data: data.clone(), scrutinee, branches: typed }, result)
            }
        };
        Ok((Term::new(kind, span), ty))
    }

    /// What a `let` binds, its type, and whether it is polymorphic.
    fn bound(&mut self, value: impl FnOnce(&mut Self) -> Result<(Term, Id), Clash>) -> Result<(Term, Id, bool), Clash> {
        let waiting = self.pending.len();
        self.level += 1;
        let value = value(self);
        self.level -= 1;
        let (value, ty) = value?;
        self.types.components(&mut self.pending, waiting)?;
        if self.pending.len() == waiting {
            self.keep_numbers(ty)?;
            return Ok((value, ty, self.types.generalise(ty, self.level)?));
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
        Ok((value, ty, false))
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
}
