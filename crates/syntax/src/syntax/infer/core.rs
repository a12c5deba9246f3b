//! Type checking of core terms that no text was parsed for.
//!
//! A term gets its types by the rules of written programs. The types that it carries are ignored, except those of
//! constants that only their type determines. So this also checks that a term has the type that was promised for it (H
//! Lemma 1).
//!
//! If the tuple of a component stays unknown, a second pass uses the carried types of functions, `let`s and
//! constructors where they fit. In `match Left x with Left y => y | Right p => p[0]` nothing else determines the type
//! of `p`.
//!
//! A `let` is polymorphic, unless its value takes a component of an unknown tuple. Arithmetic in it is resolved by its
//! uses.
//!
//! The text of a normal form is checked in the same way ([`is_read_back`]). Types that the text does not write are
//! unknown, and operators that are overloaded in the text are overloaded here.

mod binding;

use super::finish::{Finish, Overloaded, hole};
use super::store::{Clash, Id, Node, Store};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::printer::{compared_literals, said_of};
use crate::syntax::term::{Branch, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty};

/// The reason why a term cannot be given types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypingError {
    /// The term does not have the claimed type.
    #[error("the program does not have the type that it should have")]
    IllTyped,
    /// The term is too large.
    #[error("the program is too large to be given types; try a smaller one")]
    TooLarge,
}

impl From<Clash> for TypingError {
    fn from(clash: Clash) -> Self {
        if matches!(clash, Clash::TooLarge) { Self::TooLarge } else { Self::IllTyped }
    }
}

/// Infers the types of a closed term that was made without them, and checks that it has the claimed type.
///
/// # Errors
/// [`TypingError`]
pub fn typed(term: &Term, scheme: &Scheme) -> Result<Term, TypingError> {
    typed_or_told(term, scheme).map(|(term, _)| term)
}

/// Like [`typed`], but also returns `true` if the carried types were needed. The text of the term must then write the
/// types of its constructors too.
///
/// # Errors
/// [`TypingError`]
pub fn typed_or_told(term: &Term, scheme: &Scheme) -> Result<(Term, bool), TypingError> {
    match typed_by(Core::new(None), term, scheme)? {
        Some(term) => Ok((term, false)),
        None => match typed_by(Core { believes: true, ..Core::new(None) }, term, scheme)? {
            Some(term) => Ok((term, true)),
            None => Err(TypingError::IllTyped),
        },
    }
}

/// Infers the types of a term. `None` if the tuple of a component stays unknown.
fn typed_by(mut core: Core<'_>, term: &Term, scheme: &Scheme) -> Result<Option<Term>, TypingError> {
    let (mut term, found) = core.term(term)?;
    // The type of a program that is no definition has parameters without names. They get names that no user writes.
    let name = |index: usize| match scheme.parameters.get(index) {
        Some((name, _)) => Name::clone(name),
        None => format!("A{index}").into(),
    };
    let class = |index: usize| scheme.parameters.get(index).map_or(Class::ANY, |(_, class)| *class);
    let parameters: Vec<Id> = (0..scheme.ty.parameters().len())
        .map(|index| core.types.make(Node::Parameter { level: 0, name: name(index), class: class(index) }))
        .collect();
    let expected = core.types.import(&scheme.ty, &parameters)?;
    core.types.unify(expected, found)?;
    core.types.components(&mut core.pending, 0)?;
    // A parameter of the definition admits every type of its class: the value must not narrow the class.
    let promised = |(index, id): (usize, &Id)| match core.types.shape(*id) {
        Node::Parameter { class: found, .. } => index >= scheme.parameters.len() || found == class(index),
        _ => true,
    };
    if !parameters.iter().enumerate().all(promised) {
        return Err(TypingError::IllTyped);
    }
    if !core.pending.is_empty() {
        return Ok(None);
    }
    let mut finish = Finish::new(&mut core.types, Store::UNIT, &parameters, Overloaded::default());
    finish.term(&mut term).map_err(|_| TypingError::TooLarge)?;
    Ok(Some(term))
}

/// Returns `true` if the text of a normal form parses as that normal form. The text writes the types of the binders
/// that satisfy `told`, and with `whole` the type of the whole.
///
/// # Errors
/// [`TypingError::TooLarge`]
pub(in crate::syntax) fn is_read_back(
    term: &Term,
    told: &dyn Fn(&Ty) -> bool,
    whole: bool,
) -> Result<bool, TypingError> {
    let mut core = Core::new(Some(told));
    match core.read(term, whole) {
        Ok(read) => Ok(read),
        Err(Clash::TooLarge) => Err(TypingError::TooLarge),
        // A failed unification is an answer here: with so few types written, the text means something else.
        Err(_) => Ok(false),
    }
}

/// Returns `true` if two terms of one shape have equal types where these do not follow from the types of the parts.
fn agree(left: &Term, right: &Term) -> bool {
    let own = match left.kind() {
        TermKind::Lambda { .. } => left.domain() == right.domain(),
        TermKind::Constant(_) | TermKind::Inject { .. } | TermKind::Real(_) | TermKind::Nat(_) => {
            left.ty() == right.ty()
        }
        _ => true,
    };
    own && left.kind().children().zip(right.kind().children()).all(|(left, right)| deep(|| agree(left, right)))
}

struct Core<'t> {
    types: Store,
    level: u32,
    /// The types of the variables in scope, and whether they are polymorphic.
    scope: Vec<(Id, bool)>,
    /// The components of unknown tuples: the tuple, the index, the component.
    pending: Vec<(Id, usize, Id)>,
    /// `true` in the second pass, which uses the carried types where they fit.
    believes: bool,
    /// The types of reals that are compared by `==` and `/=`. If they stayed open, a text would be read as comparing
    /// naturals.
    equated: Vec<Id>,
    /// The types of binders that the text writes; `None` for a term that is not read from a text.
    told: Option<&'t dyn Fn(&Ty) -> bool>,
}

impl<'t> Core<'t> {
    fn new(told: Option<&'t dyn Fn(&Ty) -> bool>) -> Self {
        let (scope, pending, equated) = Default::default();
        Core { types: Store::new(), level: 1, scope, pending, equated, believes: false, told }
    }

    fn read(&mut self, term: &Term, whole: bool) -> Result<bool, Clash> {
        let (mut read, found) = self.term(term)?;
        if whole {
            let expected = self.types.import(term.ty(), &[])?;
            self.types.unify(expected, found)?;
        }
        self.types.components(&mut self.pending, 0)?;
        self.equates_reals(0)?;
        self.types.generalise(found, 0)?;
        let mut finish = Finish::new(&mut self.types, found, &[], Overloaded::default());
        finish.term(&mut read).map_err(|_| Clash::TooLarge)?;
        Ok(self.pending.is_empty() && finish.scheme(found).ty == *term.ty() && agree(term, &read))
    }

    /// Returns the type of a binder: the given one if the text writes it, else an unknown.
    fn written(&mut self, ty: &Ty) -> Result<Id, Clash> {
        if self.told.is_some_and(|told| told(ty)) { self.types.import(ty, &[]) } else { Ok(self.unknown()) }
    }

    /// Returns the type of a literal or a constant as the parser sees its text. `None` if it is not overloaded, or
    /// there is no text.
    fn overloaded(&mut self, kind: &TermKind) -> Option<Id> {
        self.told?;
        let scheme = match kind {
            TermKind::Nat(_) => return Some(self.types.unknown(self.level, Class::NUMERIC)),
            TermKind::Real(value) if value.is_integer() && *value >= 0 => {
                return Some(self.types.unknown(self.level, Class::NUMERIC));
            }
            TermKind::Constant(Constant::NaturalProduct) => Constant::Multiply.scheme(),
            // The three powers are written alike: the type of the exponent selects among them.
            TermKind::Constant(Constant::RealPower | Constant::NaturalPower) => {
                let exponent = self.types.unknown(self.level, Class::NUMERIC);
                let inner = self.function(exponent, Store::REAL);
                return Some(self.function(Store::REAL, inner));
            }
            TermKind::Constant(constant) if constant.equates_naturals() => return None,
            TermKind::Constant(constant) if constant.compares_reals() || constant.of_reals().is_some() => {
                let side = self.types.unknown(self.level, Class::ORDERED);
                if constant.equates_reals() {
                    self.equated.push(side);
                }
                let inner = self.function(side, Store::BOOL);
                return Some(self.function(side, inner));
            }
            _ => return None,
        };
        self.types.import_scheme(scheme, self.level).ok()
    }

    /// Unifies a carried type with the inferred one in the second pass. A mismatch is ignored.
    fn carries(&mut self, ty: &Ty, here: Id) -> Result<(), Clash> {
        if self.believes && ty.is_closed() {
            let own = self.types.import(ty, &[])?;
            return match self.types.unify(own, here) {
                Err(Clash::TooLarge) => Err(Clash::TooLarge),
                _ => Ok(()),
            };
        }
        Ok(())
    }

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
        if let Some(ty) = self.overloaded(term.kind()) {
            return Ok(leaf(ty));
        }
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
                let found = self.types.import_scheme(constant.scheme(), self.level)?;
                // A constant that only its type determines: the carried type decides, if it is an instance of the
                // scheme.
                if self.told.is_none() && constant.follows_from_type() && term.ty().is_closed() {
                    let own = self.types.import(term.ty(), &[])?;
                    self.types.unify(own, found)?;
                }
                return Ok(leaf(found));
            }
            TermKind::Real(_) => return Ok(leaf(Store::REAL)),
            TermKind::Nat(_) => return Ok(leaf(Store::NAT)),
            TermKind::Bool(_) => return Ok(leaf(Store::BOOL)),
            TermKind::Unit => return Ok(leaf(Store::UNIT)),
            TermKind::Lambda { name, body } => {
                let domain = self.written(&term.domain())?;
                self.carries(&term.domain(), domain)?;
                let (body, codomain) = self.under(domain, false, body)?;
                return Ok((Term::lambda(name.clone(), hole(domain), body, span), self.function(domain, codomain)));
            }
            TermKind::Inject { constructor, argument } => {
                let (ty, arguments) = self.types.data(constructor.data(), self.level);
                self.carries(term.ty(), ty)?;
                let domain = self.types.import(&constructor.domain(), &arguments)?;
                let argument = self.has(argument, domain)?;
                return Ok((Term::inject(constructor.clone(), argument, hole(ty), span), ty));
            }
            TermKind::Apply { function, argument } => {
                let ((function, function_type), (argument, argument_type)) =
                    (self.term(function)?, self.term(argument)?);
                let result = match self.types.shape(function_type) {
                    Node::Function(domain, result) => {
                        self.types.unify(domain, argument_type)?;
                        result
                    }
                    _ => {
                        let result = self.unknown();
                        let expected = self.function(argument_type, result);
                        self.types.unify(function_type, expected)?;
                        result
                    }
                };
                // The text ascribes a type to literals that are compared, and to differences of natural numbers.
                if self.told.is_some()
                    && let Some(of) = compared_literals(term)
                {
                    let of = if of { Store::REAL } else { Store::NAT };
                    self.types.unify(argument_type, of)?;
                }
                if self.told.is_some()
                    && let Some(said) = said_of(term)
                {
                    let said = self.types.import(said, &[])?;
                    self.types.unify(result, said)?;
                }
                (TermKind::Apply { function, argument }, result)
            }
            TermKind::Let { name, value, body } => {
                let (value, ty, polymorphic) = self.bound(|core| {
                    let (typed, ty) = core.term(value)?;
                    core.carries(value.ty(), ty)?;
                    Ok((typed, ty))
                })?;
                let (body, result) = self.under(ty, polymorphic, body)?;
                (TermKind::Let { name: name.clone(), value, body }, result)
            }
            TermKind::LetRec { name, value, body } => {
                let (value, ty, polymorphic) = self.bound(|core| {
                    let own = core.written(value.ty())?;
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
                // Known at once in most terms; otherwise resolved when the enclosing definition ends.
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
}
