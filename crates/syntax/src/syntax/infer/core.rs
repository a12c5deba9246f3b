//! Type checking of core terms that no text was parsed for.
//!
//! A term gets its types by the rules of written programs. The types that it carries are ignored, except those of
//! constants that only their type determines. So this also checks that a term has the type that was promised for it (H
//! Lemma 1).
//!
//! If the tuple of a component stays unknown, a second pass uses the carried types of functions, `let`s and
//! constructors where they fit. In `match Left x with Left y => y | RightSide p => p[0]` nothing else determines the type
//! of `p`.
//!
//! A `let` is polymorphic, unless its value takes a component of an unknown tuple. Arithmetic in it is resolved by its
//! uses.
//!
//! The text of a normal form is checked in the same way ([`is_read_back`]). Types that the text does not write are
//! unknown, and operators that are overloaded in the text are overloaded here.

mod binding;

use super::finish::{OverloadResolution, Zonk, type_hole};
use super::store::{ArenaNode, TypeArena, TypeRef, UnificationError};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::printer::{ascribed_type, compares_literals_as_reals};
use crate::syntax::term::{MatchBranch, Term, TermKind};
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

impl From<UnificationError> for TypingError {
    fn from(clash: UnificationError) -> Self {
        if matches!(clash, UnificationError::TooLarge) { Self::TooLarge } else { Self::IllTyped }
    }
}

/// Infers the types of a closed term that was made without them, and checks that it has the claimed type.
///
/// # Errors
/// [`TypingError`]
pub fn check_term(term: &Term, scheme: &Scheme) -> Result<Term, TypingError> {
    check_term_with_hints(term, scheme).map(|(term, _)| term)
}

/// Like [`check_term`], but also returns `true` if the carried types were needed. The text of the term must then write the
/// types of its constructors too.
///
/// # Errors
/// [`TypingError`]
pub fn check_term_with_hints(term: &Term, scheme: &Scheme) -> Result<(Term, bool), TypingError> {
    match check_with(TermTyping::new(None), term, scheme)? {
        Some(term) => Ok((term, false)),
        None => match check_with(TermTyping { uses_carried_types: true, ..TermTyping::new(None) }, term, scheme)? {
            Some(term) => Ok((term, true)),
            None => Err(TypingError::IllTyped),
        },
    }
}

/// Infers the types of a term. `None` if the tuple of a component stays unknown.
fn check_with(mut core: TermTyping<'_>, term: &Term, scheme: &Scheme) -> Result<Option<Term>, TypingError> {
    let (mut term, found) = core.infer_term(term)?;
    // The type of a program that is no definition has parameters without names. They get names that no user writes.
    let name = |index: usize| match scheme.parameters.get(index) {
        Some((name, _)) => Name::clone(name),
        None => format!("A{index}").into(),
    };
    let class = |index: usize| scheme.parameters.get(index).map_or(Class::ANY, |(_, class)| *class);
    let parameters: Vec<TypeRef> = (0..scheme.ty.parameter_names().len())
        .map(|index| core.types.add_node(ArenaNode::Parameter { level: 0, name: name(index), class: class(index) }))
        .collect();
    let expected = core.types.import_type(&scheme.ty, &parameters)?;
    core.types.unify(expected, found)?;
    core.types.unify_components(&mut core.pending, 0)?;
    // A parameter of the definition admits every type of its class: the value must not narrow the class.
    let promised = |(index, id): (usize, &TypeRef)| match core.types.node_of(*id) {
        ArenaNode::Parameter { class: found, .. } => index >= scheme.parameters.len() || found == class(index),
        _ => true,
    };
    if !parameters.iter().enumerate().all(promised) {
        return Err(TypingError::IllTyped);
    }
    if !core.pending.is_empty() {
        return Ok(None);
    }
    let mut finish = Zonk::new(&mut core.types, TypeArena::UNIT, &parameters, OverloadResolution::default());
    finish.zonk_term(&mut term).map_err(|_| TypingError::TooLarge)?;
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
    let mut core = TermTyping::new(Some(told));
    match core.reads_back(term, whole) {
        Ok(read) => Ok(read),
        Err(UnificationError::TooLarge) => Err(TypingError::TooLarge),
        // A failed unification is an answer here: with so few types written, the text means something else.
        Err(_) => Ok(false),
    }
}

/// Returns `true` if two terms of one shape have equal types where these do not follow from the types of the parts.
fn types_agree(left: &Term, right: &Term) -> bool {
    let own = match left.kind() {
        TermKind::Lambda { .. } => left.domain() == right.domain(),
        TermKind::Constant(_) | TermKind::Inject { .. } | TermKind::Real(_) | TermKind::Nat(_) => {
            left.ty() == right.ty()
        }
        _ => true,
    };
    own && left
        .kind()
        .children()
        .zip(right.kind().children())
        .all(|(left, right)| with_stack(|| types_agree(left, right)))
}

struct TermTyping<'t> {
    types: TypeArena,
    level: u32,
    /// The types of the variables in scope, and whether they are polymorphic.
    scope: Vec<(TypeRef, bool)>,
    /// The components of unknown tuples: the tuple, the index, the component.
    pending: Vec<(TypeRef, usize, TypeRef)>,
    /// `true` in the second pass, which uses the carried types where they fit.
    uses_carried_types: bool,
    /// The types of reals that are compared by `==` and `/=`. If they stayed open, a text would be read as comparing
    /// naturals.
    equated: Vec<TypeRef>,
    /// The types of binders that the text writes; `None` for a term that is not read from a text.
    is_written: Option<&'t dyn Fn(&Ty) -> bool>,
}

impl<'t> TermTyping<'t> {
    fn new(is_written: Option<&'t dyn Fn(&Ty) -> bool>) -> Self {
        let (scope, pending, equated) = Default::default();
        TermTyping { types: TypeArena::new(), level: 1, scope, pending, equated, uses_carried_types: false, is_written }
    }

    fn reads_back(&mut self, term: &Term, whole: bool) -> Result<bool, UnificationError> {
        let (mut read, found) = self.infer_term(term)?;
        if whole {
            let expected = self.types.import_type(term.ty(), &[])?;
            self.types.unify(expected, found)?;
        }
        self.types.unify_components(&mut self.pending, 0)?;
        self.resolve_equated(0)?;
        self.types.generalise(found, 0)?;
        let mut finish = Zonk::new(&mut self.types, found, &[], OverloadResolution::default());
        finish.zonk_term(&mut read).map_err(|_| UnificationError::TooLarge)?;
        Ok(self.pending.is_empty() && finish.final_scheme(found).ty == *term.ty() && types_agree(term, &read))
    }

    /// Returns the type of a binder: the given one if the text writes it, else an unknown.
    fn written_type(&mut self, ty: &Ty) -> Result<TypeRef, UnificationError> {
        if self.is_written.is_some_and(|told| told(ty)) {
            self.types.import_type(ty, &[])
        } else {
            Ok(self.fresh_unknown())
        }
    }

    /// Returns the type of a literal or a constant as the parser sees its text. `None` if it is not overloaded, or
    /// there is no text.
    fn overloaded_type(&mut self, kind: &TermKind) -> Option<TypeRef> {
        self.is_written?;
        let scheme = match kind {
            TermKind::Nat(_) => return Some(self.types.add_unknown(self.level, Class::NUMERIC)),
            TermKind::Real(value) if value.is_integer() && *value >= 0 => {
                return Some(self.types.add_unknown(self.level, Class::NUMERIC));
            }
            TermKind::Constant(Constant::NaturalProduct) => Constant::Multiply.scheme(),
            // The three powers are written alike: the type of the exponent selects among them.
            TermKind::Constant(Constant::RealPower | Constant::NaturalPower) => {
                let exponent = self.types.add_unknown(self.level, Class::NUMERIC);
                let inner = self.function_type(exponent, TypeArena::REAL);
                return Some(self.function_type(TypeArena::REAL, inner));
            }
            TermKind::Constant(constant) if constant.equates_naturals() => return None,
            TermKind::Constant(constant) if constant.compares_reals() || constant.real_comparison().is_some() => {
                let side = self.types.add_unknown(self.level, Class::ORDERED);
                if constant.equates_reals() {
                    self.equated.push(side);
                }
                let inner = self.function_type(side, TypeArena::BOOL);
                return Some(self.function_type(side, inner));
            }
            _ => return None,
        };
        self.types.import_scheme(scheme, self.level).ok()
    }

    /// Unifies a carried type with the inferred one in the second pass. A mismatch is ignored.
    fn use_carried_type(&mut self, ty: &Ty, here: TypeRef) -> Result<(), UnificationError> {
        if self.uses_carried_types && ty.is_closed() {
            let own = self.types.import_type(ty, &[])?;
            return match self.types.unify(own, here) {
                Err(UnificationError::TooLarge) => Err(UnificationError::TooLarge),
                _ => Ok(()),
            };
        }
        Ok(())
    }

    fn fresh_unknown(&mut self) -> TypeRef {
        self.types.add_unknown(self.level, Class::ANY)
    }

    fn function_type(&mut self, domain: TypeRef, codomain: TypeRef) -> TypeRef {
        self.types.add_node(ArenaNode::Function(domain, codomain))
    }

    fn infer_under(
        &mut self,
        ty: TypeRef,
        polymorphic: bool,
        body: &Term,
    ) -> Result<(Term, TypeRef), UnificationError> {
        self.scope.push((ty, polymorphic));
        let result = self.infer_term(body);
        self.scope.pop();
        result
    }

    fn check_type(&mut self, term: &Term, expected: TypeRef) -> Result<Term, UnificationError> {
        let (term, found) = self.infer_term(term)?;
        self.types.unify(expected, found)?;
        Ok(term)
    }

    fn infer_term(&mut self, term: &Term) -> Result<(Term, TypeRef), UnificationError> {
        with_stack(|| self.infer_node(term))
    }

    fn infer_node(&mut self, term: &Term) -> Result<(Term, TypeRef), UnificationError> {
        self.types.count_steps(1)?;
        let span = term.span();
        let leaf = |ty: TypeRef| (Term::with_type(term.kind().clone(), type_hole(ty), span), ty);
        if let Some(ty) = self.overloaded_type(term.kind()) {
            return Ok(leaf(ty));
        }
        let (kind, ty) = match term.kind() {
            TermKind::Variable { index, .. } => {
                let place = self.scope.len().checked_sub(index + 1).ok_or(UnificationError::Different)?;
                let (ty, polymorphic) = self.scope[place];
                return Ok(leaf(if polymorphic { self.types.instantiate(ty, self.level)? } else { ty }));
            }
            TermKind::Global(definition) => {
                return Ok(leaf(self.types.import_scheme(&definition.scheme, self.level)?));
            }
            TermKind::Constant(constant) => {
                let found = self.types.import_scheme(constant.scheme(), self.level)?;
                // A constant that only its type determines: the carried type decides, if it is an instance of the
                // scheme.
                if self.is_written.is_none() && constant.is_determined_by_type() && term.ty().is_closed() {
                    let own = self.types.import_type(term.ty(), &[])?;
                    self.types.unify(own, found)?;
                }
                return Ok(leaf(found));
            }
            TermKind::Real(_) => return Ok(leaf(TypeArena::REAL)),
            TermKind::Nat(_) => return Ok(leaf(TypeArena::NAT)),
            TermKind::Bool(_) => return Ok(leaf(TypeArena::BOOL)),
            TermKind::Unit => return Ok(leaf(TypeArena::UNIT)),
            TermKind::Lambda { name, body } => {
                let domain = self.written_type(&term.domain())?;
                self.use_carried_type(&term.domain(), domain)?;
                let (body, codomain) = self.infer_under(domain, false, body)?;
                return Ok((
                    Term::lambda(name.clone(), type_hole(domain), body, span),
                    self.function_type(domain, codomain),
                ));
            }
            TermKind::Inject { constructor, argument } => {
                let (ty, arguments) = self.types.fresh_data_type(constructor.data(), self.level);
                self.use_carried_type(term.ty(), ty)?;
                let domain = self.types.import_type(&constructor.argument_or_unit(), &arguments)?;
                let argument = self.check_type(argument, domain)?;
                return Ok((Term::inject(constructor.clone(), argument, type_hole(ty), span), ty));
            }
            TermKind::Apply { function, argument } => {
                let ((function, function_type), (argument, argument_type)) =
                    (self.infer_term(function)?, self.infer_term(argument)?);
                let result = match self.types.node_of(function_type) {
                    ArenaNode::Function(domain, result) => {
                        self.types.unify(domain, argument_type)?;
                        result
                    }
                    _ => {
                        let result = self.fresh_unknown();
                        let expected = self.function_type(argument_type, result);
                        self.types.unify(function_type, expected)?;
                        result
                    }
                };
                // The text ascribes a type to literals that are compared, and to differences of natural numbers.
                if self.is_written.is_some()
                    && let Some(of) = compares_literals_as_reals(term)
                {
                    let of = if of { TypeArena::REAL } else { TypeArena::NAT };
                    self.types.unify(argument_type, of)?;
                }
                if self.is_written.is_some()
                    && let Some(said) = ascribed_type(term)
                {
                    let said = self.types.import_type(said, &[])?;
                    self.types.unify(result, said)?;
                }
                (TermKind::Apply { function, argument }, result)
            }
            TermKind::Let { name, value, body } => {
                let (value, ty, polymorphic) = self.infer_binding(|core| {
                    let (typed, ty) = core.infer_term(value)?;
                    core.use_carried_type(value.ty(), ty)?;
                    Ok((typed, ty))
                })?;
                let (body, result) = self.infer_under(ty, polymorphic, body)?;
                (TermKind::Let { name: name.clone(), value, body }, result)
            }
            TermKind::LetRec { name, value, body } => {
                let (value, ty, polymorphic) = self.infer_binding(|core| {
                    let own = core.written_type(value.ty())?;
                    let (value, found) = core.infer_under(own, false, value)?;
                    core.types.unify(own, found)?;
                    Ok((value, own))
                })?;
                let (body, result) = self.infer_under(ty, polymorphic, body)?;
                (TermKind::LetRec { name: name.clone(), value, body }, result)
            }
            TermKind::Tuple(parts) => {
                let parts: Vec<(Term, TypeRef)> =
                    parts.iter().map(|part| self.infer_term(part)).collect::<Result<_, _>>()?;
                let (parts, types): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
                (TermKind::Tuple(parts), self.types.add_node(ArenaNode::Tuple(types.into())))
            }
            TermKind::Project { tuple, index } => {
                // Known at once in most terms; otherwise resolved when the enclosing definition ends.
                let ((tuple, ty), component) = (self.infer_term(tuple)?, self.fresh_unknown());
                if !self.types.unify_component(ty, *index, component)? {
                    self.pending.push((ty, *index, component));
                }
                (TermKind::Project { tuple, index: *index }, component)
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.check_type(condition, TypeArena::BOOL)?;
                let (then, result) = self.infer_term(then)?;
                let otherwise = self.check_type(otherwise, result)?;
                (TermKind::If { condition, then, otherwise }, result)
            }
            TermKind::To(iso) | TermKind::From(iso) => {
                let (left, right) = (self.fresh_unknown(), self.fresh_unknown());
                let expected = self.types.add_node(ArenaNode::Iso(left, right));
                let iso = self.check_type(iso, expected)?;
                if matches!(term.kind(), TermKind::To(_)) {
                    (TermKind::To(iso), self.function_type(left, right))
                } else {
                    (TermKind::From(iso), self.function_type(right, left))
                }
            }
            TermKind::Match { data, scrutinee, branches } => {
                let (ty, arguments) = self.types.fresh_data_type(data, self.level);
                let (scrutinee, result) = (self.check_type(scrutinee, ty)?, self.fresh_unknown());
                let mut typed = Vec::with_capacity(branches.len());
                for (constructor, branch) in data.constructors().zip(branches) {
                    let domain = self.types.import_type(&constructor.argument_or_unit(), &arguments)?;
                    let (body, found) = self.infer_under(domain, false, &branch.body)?;
                    self.types.unify(result, found)?;
                    typed.push(MatchBranch { name: branch.name.clone(), body });
                }
                (TermKind::Match { data: data.clone(), scrutinee, branches: typed }, result)
            }
        };
        Ok((Term::new(kind, span), ty))
    }
}
