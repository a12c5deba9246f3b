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
//!
//! # Bindings of `let` in core terms
//!
//! Polymorphism, and number types that are left to the uses.
//!
//! # The end of an inference
//!
//! The types are put into the term (zonking).
//!
//! While a term is made its types are not known. A [`type_hole`] stands for each, which names a type under construction. At
//! the end the holes are replaced by finished types, and overloaded constants are replaced by those of their types.

use super::store::{ArenaNode, ExportState, TypeArena, TypeRef, UnificationError};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::printer::{ascribed_type, compares_literals_as_reals};
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use crate::syntax::type_error::TypeError;
use rustc_hash::FxHashSet;

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

impl TermTyping<'_> {
    /// Infers the value of a `let`. Returns it with its type, and `true` if the type is polymorphic.
    fn infer_binding(
        &mut self,
        value: impl FnOnce(&mut Self) -> Result<(Term, TypeRef), UnificationError>,
    ) -> Result<(Term, TypeRef, bool), UnificationError> {
        let waiting = self.pending.len();
        self.level += 1;
        let value = value(self);
        self.level -= 1;
        let (value, ty) = value?;
        self.types.unify_components(&mut self.pending, waiting)?;
        // The `let`s of normal forms are recursions with one use, so their types need no quantification.
        if self.is_written.is_some() {
            self.resolve_equated(self.level)?;
            return self.end_text_definition(waiting, ty).map(|()| (value, ty, false));
        }
        if self.pending.len() == waiting {
            self.defer_numbers(ty)?;
            return Ok((value, ty, self.types.generalise(ty, self.level)?));
        }
        // Components of unknown tuples are left: their types are lowered to this level, where all uses share them.
        let here = self.fresh_unknown();
        self.types.unify(here, ty)?;
        for place in waiting..self.pending.len() {
            let (tuple, _, component) = self.pending[place];
            for ty in [tuple, component] {
                let here = self.fresh_unknown();
                self.types.unify(here, ty)?;
            }
        }
        Ok((value, ty, false))
    }

    /// Defaults the operands of `==` above `level` to `Nat`, as reading a text does. Fails if an operand must be real.
    fn resolve_equated(&mut self, level: u32) -> Result<(), UnificationError> {
        let types = &mut self.types;
        self.equated.retain(|equated| {
            !types.default_to_nat(*equated, level) || !matches!(types.node_of(*equated), ArenaNode::Real)
        });
        match self.equated.iter().any(|equated| matches!(types.node_of(*equated), ArenaNode::Nat)) {
            true => Err(UnificationError::Different),
            false => Ok(()),
        }
    }

    /// Ends a definition in a text: the tuples that arose in it must be known, and its numbers are resolved.
    fn end_text_definition(&mut self, waiting: usize, ty: TypeRef) -> Result<(), UnificationError> {
        for place in waiting..self.pending.len() {
            let (tuple, ..) = self.pending[place];
            if matches!(self.types.node_of(tuple), ArenaNode::Unknown { level, .. } if level > self.level) {
                return Err(UnificationError::Different);
            }
        }
        self.defer_numbers(ty)
    }

    /// Lowers the open number types of a definition to the level outside, where its uses resolve them. In a text they
    /// become `Real`.
    fn defer_numbers(&mut self, ty: TypeRef) -> Result<(), UnificationError> {
        let (mut pending, mut numbers) = (vec![ty], Vec::new());
        self.types.begin_traversal();
        while let Some(id) = pending.pop() {
            let id = self.types.find(id);
            self.types.count_steps(1)?;
            if !self.types.mark_visited(id) {
                continue;
            }
            match self.types.node_of(id) {
                ArenaNode::Unknown { level, class } if level > self.level && !class.is_open() => {
                    numbers.push((id, class))
                }
                _ => self.types.parts_of(id, &mut pending),
            }
        }
        for (id, class) in numbers {
            let here =
                if self.is_written.is_some() { TypeArena::REAL } else { self.types.add_unknown(self.level, class) };
            self.types.unify(here, id)?;
        }
        Ok(())
    }
}

/// The first index of holes. Parameters of schemes have small indices, unknown types indices near `usize::MAX`.
const HOLES: usize = usize::MAX / 2;

/// Makes the hole of a type under construction.
pub(super) fn type_hole(id: TypeRef) -> Ty {
    Ty::new(TyKind::Variable(HOLES + id.0 as usize, "_".into()))
}

/// Returns the type under construction of a hole, by the index of its variable. `None` if the variable is no hole.
pub(super) fn hole_id(variable: usize) -> Option<TypeRef> {
    variable.checked_sub(HOLES).filter(|_| variable != usize::MAX).map(|id| TypeRef(id as u32))
}

/// The resolved overloading, by spans: literals, products, powers and differences of natural numbers, and comparisons
/// of reals.
#[derive(Default)]
pub(super) struct OverloadResolution {
    pub(super) literals: FxHashSet<u32>,
    pub(super) products: FxHashSet<(u32, u32)>,
    pub(super) comparisons: FxHashSet<(u32, u32)>,
    /// The differences of natural numbers that are refused below 0.
    pub(super) differences: FxHashSet<(u32, u32)>,
    pub(super) powers: FxHashSet<(u32, u32)>,
}

/// The replacement of holes by types.
pub(super) struct Zonk<'t> {
    types: &'t mut TypeArena,
    export: ExportState,
    overloaded: OverloadResolution,
}

impl<'t> Zonk<'t> {
    /// Prepares the replacement for a generalised type, its parameters ordered as by [`TypeArena::export_scheme`]. Other open
    /// types get variables of their own.
    pub(super) fn new(
        types: &'t mut TypeArena,
        ty: TypeRef,
        order: &[TypeRef],
        overloaded: OverloadResolution,
    ) -> Self {
        let export = types.collect_parameters(ty, order);
        Zonk { types, export, overloaded }
    }

    /// Returns the type of the whole, with its parameters.
    pub(super) fn final_scheme(&mut self, ty: TypeRef) -> Scheme {
        self.types.export_with(ty, &mut self.export)
    }

    /// Puts the types into every part of a term.
    pub(super) fn zonk_term(&mut self, term: &mut Term) -> Result<(), TypeError> {
        let span = term.span();
        let (kind, ty) = term.parts_mut();
        // Children first: the type of a part follows from theirs.
        kind.children_mut().try_for_each(|child| with_stack(|| self.zonk_term(child)))?;
        match kind {
            TermKind::Real(value) if self.overloaded.literals.contains(&span.start) => {
                // The value was parsed as a rational; a natural literal must fit into `u64`.
                *kind = TermKind::Nat(value.numer().to_u64().ok_or(TypeError::NaturalTooLarge { span })?);
            }
            TermKind::Constant(Constant::Multiply) if self.overloaded.products.contains(&(span.start, span.end)) => {
                *kind = TermKind::Constant(Constant::NaturalProduct);
            }
            TermKind::Constant(Constant::RealPower) if self.overloaded.powers.contains(&(span.start, span.end)) => {
                *kind = TermKind::Constant(Constant::NaturalPower);
            }
            TermKind::Constant(Constant::Subtract) if self.overloaded.differences.contains(&(span.start, span.end)) => {
                *term = natural_difference_term(&self.fill_holes(ty), span);
                return Ok(());
            }
            TermKind::Constant(constant) if self.overloaded.comparisons.contains(&(span.start, span.end)) => {
                *constant = constant.real_comparison().unwrap_or(*constant);
            }
            _ => {}
        }
        *ty = match kind {
            TermKind::Variable { .. } | TermKind::Global(_) | TermKind::Constant(_) | TermKind::Inject { .. } => {
                self.fill_holes(ty)
            }
            TermKind::Lambda { body, .. } => match ty.kind() {
                TyKind::Function(domain, _) => Ty::function(self.fill_holes(domain), body.ty().clone()),
                _ => kind.infer_type(),
            },
            // The types of all other terms follow from those of their parts.
            _ => kind.infer_type(),
        };
        Ok(())
    }

    /// Replaces the holes in a type. Holes occur at the top and in function types only.
    fn fill_holes(&mut self, ty: &Ty) -> Ty {
        match ty.kind() {
            TyKind::Variable(index, _) => match hole_id(*index) {
                Some(id) => self.types.export_shared(id, &mut self.export),
                None => ty.clone(),
            },
            TyKind::Function(a, b) => Ty::function(self.fill_holes(a), self.fill_holes(b)),
            _ => ty.clone(),
        }
    }
}

/// Makes the difference of a type with natural numbers, as a function of this type. Natural numbers are refused below
/// 0; tuples are subtracted by components.
fn natural_difference_term(ty: &Ty, span: Span) -> Term {
    let constant = |constant| Term::with_type(TermKind::Constant(constant), ty.clone(), span);
    let TyKind::Function(of, _) = ty.kind() else { return constant(Constant::Subtract) };
    match of.kind() {
        TyKind::Nat => constant(Constant::NaturalDifference),
        TyKind::Tuple(parts) => {
            let variable = |index, name: &str| Term::variable(index, name.into(), of.clone(), span);
            let component = |(index, part): (usize, &Ty)| {
                let of = |tuple| Term::new(TermKind::Project { tuple, index }, span);
                let function = Ty::function(part.clone(), Ty::function(part.clone(), part.clone()));
                let difference = with_stack(|| natural_difference_term(&function, span));
                Term::apply(Term::apply(difference, of(variable(1, "a")), span), of(variable(0, "b")), span)
            };
            let parts = Term::new(TermKind::Tuple(parts.iter().enumerate().map(component).collect()), span);
            let function = Term::lambda("b".into(), of.clone(), parts, span);
            Term::lambda("a".into(), of.clone(), function, span)
        }
        _ => constant(Constant::Subtract),
    }
}
