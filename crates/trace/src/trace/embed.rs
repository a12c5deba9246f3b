//! Translation from programs of the library's language to terms of the core language.
//!
//! A first-order definition without variables from outside becomes a `letrec` (A §2: "when we define a function without
//! recursion"). Every other function that is not recursive is inlined where it is applied; its arguments are evaluated
//! first, by `let`. Tuples are nested to the left; several arguments become one tuple.
//!
//! Definitions of the core language are closed. A recursive function that mentions variables from outside is *lifted*: they become
//! further parameters, which every call passes on (A §2, globals).
//!
//! `abs`, `signum`, `max` and `min` become conditionals, so they are undefined where their branches meet.
//!
//! # Conditionals
//!
//! Comparisons, under `&&`, `||`, `not`, `let` and functions.
//!
//! # Constants of the library's language
//!
//! Constants of the library's language, with all of their arguments.
//!
//! # First-order functions as definitions of the core language
//!
//! # Programs of the core language
//!
//! Programs of the core language, with the positions of their parts in the source.
//!
//! # Checks whether a program lies in the calculus of a paper

use super::term;
use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreVariable, SourceId};
use crate::function::{Function, SIGMOID};
use crate::meaning::foreign;
use crate::model::SourceLocation;
use crate::model::fragment::{Construct, Fragment, FragmentError};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term as source;
use crate::syntax::term::{Term, Term as SourceTerm, TermKind as Source};
use crate::syntax::ty::{Ty as SourceTy, TyKind};
use crate::trace::operation::{OperationSymbol, PredicateSymbol, formula_term};
use crate::trace::term::{BooleanTerm, Renaming};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The largest number of nodes that are visited, inlined copies included. A choice: inlining may grow exponentially.
const MAX_EMBEDDED_NODES: usize = 1_000_000;

/// The largest number of parameters of a program's type that are set to ℝ. A choice: more would be no program to trace.
const MAX_TYPE_PARAMETERS: usize = 64;

/// Translates a program to the core language. A function becomes a term whose free variables are its parameters. Type
/// parameters that are left open become the type of real numbers.
///
/// # Errors
/// [`FragmentError`]: a construct that the core language lacks, with its position, or more than 10⁶ nodes.
pub fn embed_program(program: &source::Term) -> Result<CoreProgram, FragmentError> {
    embed_parameters(&mut Embedder::default(), program)
}

/// Translates the slope of a function from outside to a term with one free variable. Its parts have no positions, since these would
/// be positions in another text.
///
/// # Errors
/// The reason why traces have no such slope, as the end of a sentence.
pub fn slope_program(id: ForeignId) -> Result<(CoreVariable, CoreTerm), String> {
    Embedder { is_slope: true, ..Embedder::default() }.embed_slope(id)
}

/// Translates a program with a new embedder. See [`embed_program`].
fn embed_parameters(embedder: &mut Embedder, program: &source::Term) -> Result<CoreProgram, FragmentError> {
    // A polymorphic function, such as `dot` over any type of vectors, is taken at the real numbers.
    let types = std::iter::repeat_n(SourceTy::real(), MAX_TYPE_PARAMETERS).collect();
    let setting = EmbeddingScope { variables: None, enclosing_definition: None, types };
    let mut parameters = Vec::new();
    let (term, ty) = embedder.wrap_pending(|embedder| {
        let mut found = embedder.embed_term(program, &setting)?;
        let mut ty = program.ty();
        while let TyKind::Function(domain, codomain) = ty.kind() {
            let domain = embedder.embed_type(domain, &setting, program.span())?;
            let x = embedder.new_variable(&found.parameter_name(), &domain);
            parameters.push((x.clone(), domain.clone()));
            found = embedder.apply_value(
                found,
                StaticValue::FirstOrder(CoreTerm::variable(&x), domain),
                &setting,
                program.span(),
            )?;
            ty = codomain;
        }
        embedder.require_first_order(found, &setting, program.span())
    })?;
    let lifted = embedder.lifted.drain(..).fold(Vec::new(), |mut known, found| {
        // a definition of a theory is written out once for each use
        if !known.contains(&found) {
            known.push(found);
        }
        known
    });
    Ok(CoreProgram { parameters, term, ty, positions: std::mem::take(&mut embedder.positions), lifted })
}

/// The value of a part of a program, as far as it is known before evaluation.
#[derive(Clone)]
enum StaticValue {
    /// A term of a type of the core language.
    FirstOrder(CoreTerm, CoreTy),
    /// A function `\x => e`, with the scope of e.
    Function { name: Name, body: source::Term, setting: EmbeddingScope },
    /// A constant with fewer arguments than its arity.
    Constant(Constant, Vec<StaticValue>),
    /// A function of the core language with fewer arguments than its arity.
    Defined { function: CoreVariable, domains: Vec<CoreTy>, codomain: CoreTy, arguments: Vec<StaticValue> },
    /// A tuple with functions among its parts.
    Tuple(Vec<StaticValue>),
}

impl StaticValue {
    /// Returns the name for the parameter of a function.
    fn parameter_name(&self) -> Name {
        match self {
            StaticValue::Function { name, .. } if &**name != "_" => name.clone(),
            _ => "x".into(),
        }
    }
}

/// The scope of a part: the values of its variables, the definition that contains it, and the types at which that is
/// used.
#[derive(Clone)]
struct EmbeddingScope {
    variables: Option<Arc<(StaticValue, EmbeddingScope)>>,
    enclosing_definition: Option<Arc<source::Definition>>,
    types: Arc<[SourceTy]>,
}

impl EmbeddingScope {
    /// Adds the value of a new innermost variable.
    fn with_innermost(&self, value: StaticValue) -> EmbeddingScope {
        EmbeddingScope { variables: Some(Arc::new((value, self.clone()))), ..self.clone() }
    }

    /// Returns the value of the variable with a de Bruijn index.
    fn get(&self, index: usize) -> Option<&StaticValue> {
        let mut setting = self;
        for _ in 0..index {
            setting = &setting.variables.as_ref()?.1;
        }
        Some(&setting.variables.as_ref()?.0)
    }
}

/// A binding that will be wrapped around the term being made.
enum PendingBinding {
    Let(CoreVariable, CoreTy, CoreTerm),
    LetRec(Arc<CoreDefinition>),
}

/// The state of a translation.
#[derive(Default)]
struct Embedder {
    positions: Vec<SourceLocation>,
    /// The types of the variables that a recursive function may mention, each with its place in the order of their creation.
    types: FxHashMap<CoreVariable, (usize, CoreTy)>,
    lifted: Vec<LiftedFunction>,
    pending: Vec<PendingBinding>,
    nodes: usize,
    /// `true` for the slope of a function from outside, whose parts get no positions.
    is_slope: bool,
    /// The functions from outside whose slopes were translated, or are being translated.
    tried_slopes: FxHashSet<ForeignId>,
}

/// A term with its type.
type TypedCoreTerm = (CoreTerm, CoreTy);

impl Embedder {
    /// Returns the position of a part in the source.
    fn position_of(setting: &EmbeddingScope, span: Span) -> SourceLocation {
        SourceLocation { definition: setting.enclosing_definition.clone(), span }
    }

    /// Translates the slope of a function from outside, and checks those of the functions from outside in it.
    fn embed_slope(&mut self, id: ForeignId) -> Result<(CoreVariable, CoreTerm), String> {
        self.tried_slopes.insert(id);
        let slope = foreign::slope_of(id).map_err(|error| error.to_string())?;
        let found =
            embed_parameters(self, &slope).map_err(|error| format!("its slope is no program of traces: {error}"))?;
        // The reverse derivative of an operation is a trace term (A §2), which a printed derivative has in it.
        if !found.term.is_trace() {
            let told = "its slope has a conditional (as `abs` and `max` are), a function defined in it, or a derivative; \
                        write it as one formula";
            return Err(told.to_owned());
        }
        match <[_; 1]>::try_from(found.parameters) {
            Ok([(x, CoreTy::Real)]) if found.ty == CoreTy::Real => Ok((x, found.term)),
            _ => Err("its slope is no function of one number".to_owned()),
        }
    }

    /// Checks that a constant from outside is a function whose slope can be translated, so that its derivatives never fail later.
    fn check_foreign(&mut self, id: ForeignId, setting: &EmbeddingScope, span: Span) -> Result<(), FragmentError> {
        if self.tried_slopes.contains(&id) {
            return Ok(());
        }
        let reason = match foreign::missing_part(id, "trace") {
            Some(lacks) => lacks.to_owned(),
            None => {
                let tried_slopes = std::mem::take(&mut self.tried_slopes);
                let mut inner = Embedder { is_slope: true, tried_slopes, ..Embedder::default() };
                let found = with_stack(|| inner.embed_slope(id));
                self.tried_slopes = inner.tried_slopes;
                match found {
                    Ok(_) => return Ok(()),
                    Err(reason) => reason,
                }
            }
        };
        let (name, place) = (Constant::Foreign(id).name().to_owned(), Self::position_of(setting, span));
        Err(FragmentError::Foreign { name, reason, place })
    }

    /// Makes a new variable of a type.
    fn new_variable(&mut self, name: &Name, ty: &CoreTy) -> CoreVariable {
        let x = CoreVariable::fresh(name);
        self.types.insert(x.clone(), (self.types.len(), ty.clone()));
        x
    }

    /// Makes a new site for a position.
    fn new_site(&mut self, setting: &EmbeddingScope, span: Span) -> SourceId {
        if self.is_slope {
            return SourceId::NOWHERE;
        }
        self.positions.push(Self::position_of(setting, span));
        SourceId::from_index(self.positions.len() - 1)
    }

    /// Returns the error for a construct that the core language lacks.
    fn fail_unsupported<A>(
        &self,
        construct: Construct,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<A, FragmentError> {
        Err(FragmentError::Construct { fragment: Fragment::Abadi, construct, place: Self::position_of(setting, span) })
    }

    /// Translates a type. Fails if it is no first-order type of real numbers.
    fn embed_type(&self, ty: &SourceTy, setting: &EmbeddingScope, span: Span) -> Result<CoreTy, FragmentError> {
        let ty = ty.with_arguments(&setting.types);
        match ty.kind() {
            TyKind::Real => Ok(CoreTy::Real),
            TyKind::Unit => Ok(CoreTy::Unit),
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| with_stack(|| self.embed_type(part, setting, span)));
                Ok(CoreTy::nested_product(parts.collect::<Result<Vec<_>, _>>()?))
            }
            TyKind::Function(..) => self.fail_unsupported(Construct::Function, setting, span),
            TyKind::Nat => self.fail_unsupported(Construct::NaturalNumber, setting, span),
            TyKind::Bool => self.fail_unsupported(Construct::TruthValue, setting, span),
            TyKind::Variable(..) => self.fail_unsupported(Construct::UnknownType, setting, span),
            _ => self.fail_unsupported(Construct::Type(ty.clone()), setting, span),
        }
    }

    /// Runs `run`, and wraps the bindings that it has left pending around its result.
    fn wrap_pending(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<TypedCoreTerm, FragmentError>,
    ) -> Result<TypedCoreTerm, FragmentError> {
        let outside = std::mem::take(&mut self.pending);
        let found = run(self);
        let inside = std::mem::replace(&mut self.pending, outside);
        let (term, ty) = found?;
        Ok((inside.into_iter().rev().fold(term, wrap_binding), ty))
    }

    /// Runs `run` in the scope of a binder. The binder is wrapped around a term; around any other value, binder and
    /// bindings stay pending.
    fn under_binder(
        &mut self,
        binder: PendingBinding,
        run: impl FnOnce(&mut Self) -> Result<StaticValue, FragmentError>,
    ) -> Result<StaticValue, FragmentError> {
        let outside = std::mem::take(&mut self.pending);
        let found = run(self);
        let inside = std::mem::replace(&mut self.pending, outside);
        Ok(match found? {
            StaticValue::FirstOrder(term, ty) => {
                StaticValue::FirstOrder(wrap_binding(inside.into_iter().rev().fold(term, wrap_binding), binder), ty)
            }
            other => {
                self.pending.push(binder);
                self.pending.extend(inside);
                other
            }
        })
    }

    /// Returns the term of a value. Fails for functions.
    fn require_first_order(
        &mut self,
        found: StaticValue,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<TypedCoreTerm, FragmentError> {
        match found {
            StaticValue::FirstOrder(term, ty) => Ok((term, ty)),
            _ => self.fail_unsupported(Construct::Function, setting, span),
        }
    }

    /// Translates a part whose value is first-order.
    fn embed_first_order(
        &mut self,
        term: &source::Term,
        setting: &EmbeddingScope,
    ) -> Result<TypedCoreTerm, FragmentError> {
        let found = self.embed_term(term, setting)?;
        self.require_first_order(found, setting, term.span())
    }

    /// Translates a part, and counts it.
    fn embed_term(&mut self, term: &source::Term, setting: &EmbeddingScope) -> Result<StaticValue, FragmentError> {
        self.nodes += 1;
        if self.nodes > MAX_EMBEDDED_NODES {
            return Err(FragmentError::TooLarge {
                nodes: MAX_EMBEDDED_NODES,
                place: Self::position_of(setting, term.span()),
            });
        }
        with_stack(|| self.embed_form(term, setting))
    }

    /// Translates a part by its form.
    fn embed_form(&mut self, term: &source::Term, setting: &EmbeddingScope) -> Result<StaticValue, FragmentError> {
        let span = term.span();
        Ok(match term.kind() {
            Source::Variable { index, .. } => match setting.get(*index) {
                Some(found) => found.clone(),
                None => return self.fail_unsupported(Construct::IllTyped, setting, span),
            },
            // Definitions of modules are inlined at the types of their use.
            Source::Global(definition) => {
                let used = term.ty().with_arguments(&setting.types);
                let types = definition.scheme.arguments_of_instance(&used).into();
                let inside = EmbeddingScope { variables: None, enclosing_definition: Some(definition.clone()), types };
                self.embed_term(&definition.term, &inside)?
            }
            Source::Constant(constant) if !constant.is_linear_algebra() => {
                self.embed_constant(*constant, setting, span)?
            }
            Source::Constant(constant) => {
                match constant.expand_in_coordinates(&term.ty().with_arguments(&setting.types)) {
                    Some(written) => self.embed_term(&written, setting)?,
                    None => return self.fail_unsupported(Construct::UnknownType, setting, span),
                }
            }
            Source::Real(q) => StaticValue::FirstOrder(CoreTerm::number(q.clone()), CoreTy::Real),
            Source::Nat(_) => return self.fail_unsupported(Construct::NaturalNumber, setting, span),
            Source::Bool(_) => return self.fail_unsupported(Construct::TruthValue, setting, span),
            Source::Unit => StaticValue::FirstOrder(CoreTerm::unit(), CoreTy::Unit),
            Source::Lambda { name, body } => {
                StaticValue::Function { name: name.clone(), body: body.clone(), setting: setting.clone() }
            }
            Source::Apply { function, argument } if let Some(f) = literal_special(function, argument) => {
                StaticValue::Constant(Constant::Elementary(f), Vec::new())
            }
            Source::Apply { function, argument } => {
                let function = self.embed_term(function, setting)?;
                let argument = self.embed_term(argument, setting)?;
                self.apply_value(function, argument, setting, span)?
            }
            // A first-order function stays a function; any other value is bound, or inlined if it contains functions.
            Source::Let { name, value, body } => {
                if let Some((definition, function)) = self.embed_definition(name, value, setting, false)? {
                    return self.under_binder(PendingBinding::LetRec(definition), |e| {
                        e.embed_term(body, &setting.with_innermost(function))
                    });
                }
                let value = self.embed_term(value, setting)?;
                self.bind_value(name, value, |e, value| e.embed_term(body, &setting.with_innermost(value)))?
            }
            Source::LetRec { name, value, body } => match self.embed_definition(name, value, setting, true)? {
                Some((definition, function)) => self.under_binder(PendingBinding::LetRec(definition), |e| {
                    e.embed_term(body, &setting.with_innermost(function))
                })?,
                None => return self.fail_unsupported(Construct::IllTyped, setting, span),
            },
            Source::Tuple(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|part| self.embed_term(part, setting)).collect::<Result<_, _>>()?;
                make_tuple(parts)
            }
            Source::Project { tuple, index } => {
                let width = match tuple.ty().kind() {
                    TyKind::Tuple(parts) => parts.len(),
                    _ => return self.fail_unsupported(Construct::IllTyped, setting, span),
                };
                match self.embed_term(tuple, setting)? {
                    // The other parts are evaluated too, since one of them may be undefined.
                    StaticValue::Tuple(mut parts) if *index < parts.len() => {
                        let part = parts.swap_remove(*index);
                        self.keep_evaluated(parts);
                        part
                    }
                    StaticValue::FirstOrder(tuple, ty) => tuple_component(tuple, ty, *index, width),
                    _ => return self.fail_unsupported(Construct::IllTyped, setting, span),
                }
            }
            Source::If { condition, then, otherwise } => {
                let (term, ty) = self.embed_conditional(
                    condition,
                    setting,
                    &mut |e| e.wrap_pending(|e| e.embed_first_order(then, setting)),
                    &mut |e| e.wrap_pending(|e| e.embed_first_order(otherwise, setting)),
                )?;
                StaticValue::FirstOrder(term, ty)
            }
            Source::To(_) | Source::From(_) => return self.fail_unsupported(Construct::Isomorphism, setting, span),
            Source::Inject { constructor, .. } => {
                return self.fail_unsupported(Construct::Constructor(constructor.name().clone()), setting, span);
            }
            Source::Match { .. } => return self.fail_unsupported(Construct::Match, setting, span),
        })
    }

    /// Binds a term to a variable by `let`. Variables and values with functions are used as they are.
    fn bind_value(
        &mut self,
        name: &Name,
        value: StaticValue,
        run: impl FnOnce(&mut Self, StaticValue) -> Result<StaticValue, FragmentError>,
    ) -> Result<StaticValue, FragmentError> {
        match value {
            StaticValue::FirstOrder(term, ty) if !matches!(term.kind(), CoreTermKind::Variable(_)) => {
                let x = self.new_variable(name, &ty);
                let variable = StaticValue::FirstOrder(CoreTerm::variable(&x), ty.clone());
                self.under_binder(PendingBinding::Let(x, ty, term), |e| run(e, variable))
            }
            known => run(self, known),
        }
    }

    /// Keeps values pending that are evaluated only for their definedness.
    fn keep_evaluated(&mut self, values: Vec<StaticValue>) {
        for value in values {
            match value {
                StaticValue::FirstOrder(term, ty) if !term.is_value() => {
                    self.pending.push(PendingBinding::Let(CoreVariable::fresh(&"u".into()), ty, term));
                }
                StaticValue::Tuple(parts) => self.keep_evaluated(parts),
                _ => {}
            }
        }
    }

    /// Applies a value to an argument. Constants and functions of the core language wait until they have all of theirs.
    fn apply_value(
        &mut self,
        function: StaticValue,
        argument: StaticValue,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<StaticValue, FragmentError> {
        match function {
            StaticValue::Function { name, body, setting } => {
                self.bind_value(&name, argument, |e, value| e.embed_term(&body, &setting.with_innermost(value)))
            }
            StaticValue::Constant(constant, mut arguments) => {
                arguments.push(argument);
                if arguments.len() < constant.arity() {
                    return Ok(StaticValue::Constant(constant, arguments));
                }
                self.apply_saturated(constant, arguments, setting, span)
            }
            StaticValue::Defined { function, domains, codomain, mut arguments } => {
                arguments.push(argument);
                if arguments.len() < domains.len() {
                    return Ok(StaticValue::Defined { function, domains, codomain, arguments });
                }
                let StaticValue::FirstOrder(argument, _) = make_tuple(arguments) else {
                    return self.fail_unsupported(Construct::Function, setting, span);
                };
                let site = self.new_site(setting, span);
                Ok(StaticValue::FirstOrder(
                    CoreTerm::from(CoreTermKind::Call(function, argument)).with_site(site),
                    codomain,
                ))
            }
            StaticValue::FirstOrder(..) | StaticValue::Tuple(_) => {
                self.fail_unsupported(Construct::IllTyped, setting, span)
            }
        }
    }
}

/// Wraps a binding around a term.
fn wrap_binding(term: CoreTerm, around: PendingBinding) -> CoreTerm {
    match around {
        PendingBinding::Let(x, ty, value) => CoreTerm::bind(&x, ty, value, term),
        PendingBinding::LetRec(definition) => CoreTermKind::LetRec(definition, term).into(),
    }
}

/// Makes a tuple, nested to the left.
fn make_tuple(parts: Vec<StaticValue>) -> StaticValue {
    if !parts.iter().all(|part| matches!(part, StaticValue::FirstOrder(..))) {
        return StaticValue::Tuple(parts);
    }
    let parts = parts.into_iter().filter_map(|part| match part {
        StaticValue::FirstOrder(term, ty) => Some((term, ty)),
        _ => None,
    });
    let pair = |(left, t): TypedCoreTerm, (right, u): TypedCoreTerm| {
        (CoreTerm::pair(t.clone(), u.clone(), left, right), CoreTy::product(t, u))
    };
    let (term, ty) = parts.reduce(pair).unwrap_or_else(|| (CoreTerm::unit(), CoreTy::Unit));
    StaticValue::FirstOrder(term, ty)
}

/// Returns a component of a left-nested tuple with `width` parts.
fn tuple_component(tuple: CoreTerm, ty: CoreTy, index: usize, width: usize) -> StaticValue {
    // `fst` drops the last part; after enough of them, `snd` is the part wanted.
    let (mut term, mut ty) = (tuple, ty);
    for place in (1..width).rev() {
        let CoreTy::Product(parts) = &ty else { break };
        let (t, u) = (**parts).clone();
        if place == index {
            return StaticValue::FirstOrder(CoreTermKind::Second(t, u.clone(), term).into(), u);
        }
        term = CoreTermKind::First(t.clone(), u, term).into();
        ty = t;
    }
    StaticValue::FirstOrder(term, ty)
}

/// Makes `-M`, componentwise.
fn negate_componentwise(ty: &CoreTy, term: CoreTerm) -> CoreTerm {
    let of_reals = |a: CoreTerm, _: CoreTerm| CoreTerm::operation(super::operation::OperationSymbol::Negate, a);
    match ty {
        CoreTy::Real => of_reals(term, CoreTerm::unit()),
        // There is no unary analogue of `apply_componentwise`; its second argument 0_T is a value, and is not used.
        _ => term::apply_componentwise(ty, term, term::zero_of_type(ty), &of_reals),
    }
}

/// Returns the derivative of a special function at an order that is a literal; `None` for any other application.
fn literal_special(function: &source::Term, order: &source::Term) -> Option<Function> {
    match (function.kind(), order.kind()) {
        (Source::Constant(Constant::Special(id)), Source::Nat(order)) => id.member(*order),
        _ => None,
    }
}

/// A branch of a conditional, as a function that makes it. It may be called several times.
type BranchMaker<'b> = &'b mut dyn FnMut(&mut Embedder) -> Result<TypedCoreTerm, FragmentError>;

impl Embedder {
    /// Makes `if B then M else N`. The connectives of B become nested conditionals.
    fn embed_conditional(
        &mut self,
        condition: &SourceTerm,
        setting: &EmbeddingScope,
        then: BranchMaker,
        otherwise: BranchMaker,
    ) -> Result<TypedCoreTerm, FragmentError> {
        self.nodes += 1;
        let span = condition.span();
        match condition.kind() {
            // Both branches are made, so that an error in either is found; A has `true` and `false` as conditions.
            Source::Bool(b) => {
                let (then, ty) = then(self)?;
                let (otherwise, _) = otherwise(self)?;
                Ok((CoreTermKind::If(BooleanTerm::Value(*b), then, otherwise).into(), ty))
            }
            Source::If { condition, then: yes, otherwise: no } => with_stack(|| {
                // Both branches are made twice, under `yes` and under `no`. The calls do not overlap, so the cell is
                // never borrowed twice.
                let branches = std::cell::RefCell::new((then, otherwise));
                let inner = |e: &mut Embedder, of: &SourceTerm| {
                    let mut branches = branches.borrow_mut();
                    let (then, otherwise) = &mut *branches;
                    e.embed_conditional(of, setting, &mut **then, &mut **otherwise)
                };
                self.embed_conditional(condition, setting, &mut |e| inner(e, yes), &mut |e| inner(e, no))
            }),
            Source::Let { name, value, body } => {
                let value = self.embed_term(value, setting)?;
                self.condition_under(name, value, body, setting, then, otherwise)
            }
            Source::Global(definition) => {
                let types = definition.scheme.arguments_of_instance(condition.ty()).into();
                let inside = EmbeddingScope { variables: None, enclosing_definition: Some(definition.clone()), types };
                with_stack(|| self.embed_conditional(&definition.term, &inside, then, otherwise))
            }
            Source::Apply { function, argument } => {
                let (head, last) = (self.embed_term(function, setting)?, argument);
                match head {
                    // `not B` exchanges the branches.
                    StaticValue::Constant(Constant::Not, _) => {
                        with_stack(|| self.embed_conditional(last, setting, otherwise, then))
                    }
                    StaticValue::Constant(comparison, mut left)
                        if comparison.compares_reals() && !comparison.equates_reals() =>
                    {
                        let (left, _) = match left.pop() {
                            Some(left) => self.require_first_order(left, setting, span)?,
                            None => return self.fail_unsupported(Construct::IllTyped, setting, span),
                        };
                        let (right, _) = self.embed_first_order(last, setting)?;
                        // A has no `≤`: on equal numbers every comparison is undefined, so `<` does for both.
                        let predicate = match comparison {
                            Constant::RealLess | Constant::RealLessEqual => PredicateSymbol::Less,
                            _ => PredicateSymbol::Greater,
                        };
                        let pair = CoreTerm::pair(CoreTy::Real, CoreTy::Real, left, right);
                        let (then, ty) = then(self)?;
                        let (otherwise, _) = otherwise(self)?;
                        let kind = CoreTermKind::If(BooleanTerm::Predicate(predicate, pair), then, otherwise);
                        let site = self.new_site(setting, span);
                        Ok((CoreTerm::from(kind).with_site(site), ty))
                    }
                    StaticValue::Function { name, body, setting: inside } => {
                        let value = self.embed_term(last, setting)?;
                        self.condition_under(&name, value, &body, &inside, then, otherwise)
                    }
                    StaticValue::Constant(other, _) => self.fail_unsupported(Construct::Constant(other), setting, span),
                    _ => self.fail_unsupported(Construct::TruthValue, setting, span),
                }
            }
            _ => self.fail_unsupported(Construct::TruthValue, setting, span),
        }
    }

    /// Translates a conditional whose condition is in the scope of a value.
    fn condition_under(
        &mut self,
        name: &Name,
        value: StaticValue,
        condition: &SourceTerm,
        setting: &EmbeddingScope,
        then: BranchMaker,
        otherwise: BranchMaker,
    ) -> Result<TypedCoreTerm, FragmentError> {
        let found = self.bind_value(name, value, |e, value| {
            let (term, ty) = e.wrap_pending(|e| {
                with_stack(|| e.embed_conditional(condition, &setting.with_innermost(value), then, otherwise))
            })?;
            Ok(StaticValue::FirstOrder(term, ty))
        })?;
        self.require_first_order(found, setting, condition.span())
    }
}

impl Embedder {
    /// Translates a constant without arguments.
    fn embed_constant(
        &mut self,
        constant: Constant,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<StaticValue, FragmentError> {
        match constant {
            Constant::Pi => {
                Ok(StaticValue::FirstOrder(CoreTerm::operation(OperationSymbol::Pi, CoreTerm::unit()), CoreTy::Real))
            }
            // e is no symbol of the core language, so it is exp 1.
            Constant::E => {
                let exp = OperationSymbol::Function(Function::Exp);
                Ok(StaticValue::FirstOrder(CoreTerm::operation(exp, CoreTerm::number(1)), CoreTy::Real))
            }
            Constant::Foreign(id) => {
                self.check_foreign(id, setting, span)?;
                Ok(StaticValue::Constant(constant, Vec::new()))
            }
            constant if Fragment::Abadi.has_constant(constant) => Ok(StaticValue::Constant(constant, Vec::new())),
            constant => self.fail_unsupported(Construct::Constant(constant), setting, span),
        }
    }

    /// Applies a function to a new variable, as in the body of an `rd`. Returns the variable, and the body with its
    /// type.
    fn apply_to_variable(
        &mut self,
        function: &StaticValue,
        ty: &CoreTy,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<(CoreVariable, TypedCoreTerm), FragmentError> {
        let x = self.new_variable(&function.parameter_name(), ty);
        let body = self.wrap_pending(|e| {
            let found = e.apply_value(
                function.clone(),
                StaticValue::FirstOrder(CoreTerm::variable(&x), ty.clone()),
                setting,
                span,
            )?;
            e.require_first_order(found, setting, span)
        })?;
        Ok((x, body))
    }

    /// Binds a term that is used several times to a variable, unless it is a variable or a number.
    fn bind_composite(term: CoreTerm, ty: &CoreTy, body: impl FnOnce(CoreTerm) -> CoreTerm) -> CoreTerm {
        if let CoreTermKind::Variable(_) | CoreTermKind::Number(_) = term.kind() {
            return body(term);
        }
        let x = CoreVariable::fresh(&"v".into());
        let body = body(CoreTerm::variable(&x));
        CoreTerm::bind(&x, ty.clone(), term, body)
    }

    /// Translates a constant at all of its arguments.
    fn apply_saturated(
        &mut self,
        constant: Constant,
        arguments: Vec<StaticValue>,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<StaticValue, FragmentError> {
        let site = self.new_site(setting, span);
        let mut arguments = arguments.into_iter();
        // The arity of each constant says how many arguments there are, so none is missing.
        let mut next = || arguments.next().unwrap_or(StaticValue::Tuple(Vec::new()));
        if let Constant::Rd | Constant::Jvp | Constant::Deriv = constant {
            let (function, point) = (next(), next());
            let (point, t) = self.require_first_order(point, setting, span)?;
            let (x, (body, u)) = self.apply_to_variable(&function, &t, setting, span)?;
            let along = match constant {
                Constant::Deriv => CoreTerm::number(1),
                _ => {
                    let along = next();
                    self.require_first_order(along, setting, span)?.0
                }
            };
            // By reverse mode of reverse mode, since A has no forward derivative.
            return Ok(match constant {
                Constant::Jvp => StaticValue::FirstOrder(
                    term::forward_derivative(along, point, &x, [&t, &u], body).with_site(site),
                    u,
                ),
                _ => StaticValue::FirstOrder(term::reverse_derivative(along, point, &x, &t, body).with_site(site), t),
            });
        }
        if let Constant::Fst | Constant::Snd = constant {
            let index = usize::from(constant == Constant::Snd);
            return match next() {
                StaticValue::Tuple(mut parts) if parts.len() == 2 => {
                    let part = parts.swap_remove(index);
                    self.keep_evaluated(parts);
                    Ok(part)
                }
                pair => {
                    let (pair, ty) = self.require_first_order(pair, setting, span)?;
                    Ok(tuple_component(pair, ty, index, 2))
                }
            };
        }
        let unary = |operation: OperationSymbol, a: CoreTerm| CoreTerm::operation(operation, a).with_site(site);
        let binary = |operation: OperationSymbol, a: CoreTerm, b: CoreTerm| {
            CoreTerm::binary_operation(operation, a, b).with_site(site)
        };
        let (a, ty) = {
            let a = next();
            self.require_first_order(a, setting, span)?
        };
        let mut second = |e: &mut Self| {
            let b = next();
            e.require_first_order(b, setting, span).map(|(b, _)| b)
        };
        let term = match constant {
            Constant::Add => term::sum_of_type(&ty, a, second(self)?),
            Constant::Subtract => {
                let of_reals = |a: CoreTerm, b: CoreTerm| binary(OperationSymbol::Subtract, a, b);
                term::apply_componentwise(&ty, a, second(self)?, &of_reals)
            }
            Constant::Negate => negate_componentwise(&ty, a),
            Constant::Multiply => binary(OperationSymbol::Multiply, a, second(self)?),
            Constant::Divide => binary(OperationSymbol::Divide, a, second(self)?),
            Constant::Power | Constant::RealPower => {
                // Only an exponent that is a literal has the rule of x^q, which holds for x < 0 too; any other is a
                // function of reals.
                let exponent = second(self)?;
                match literal_rational(&exponent).filter(|_| constant == Constant::Power) {
                    Some(q) => unary(OperationSymbol::Power(q), a),
                    // x^y = exp (y log x), for x > 0
                    None => {
                        let log = unary(OperationSymbol::Function(Function::Log), a);
                        let product = binary(OperationSymbol::Multiply, exponent, log);
                        unary(OperationSymbol::Function(Function::Exp), product)
                    }
                }
            }
            Constant::Elementary(f) => unary(OperationSymbol::Function(f), a),
            Constant::Planar(f) => binary(OperationSymbol::BinaryFunction(f), a, second(self)?),
            Constant::Foreign(id) => unary(OperationSymbol::Foreign(id), a),
            Constant::Sigmoid => Self::bind_composite(a, &ty, |a| formula_term(&SIGMOID, &[a], &CoreTerm::unit())),
            Constant::Abs => Self::bind_composite(a, &ty, |a| {
                CoreTerm::if_less(a.clone(), CoreTerm::number(0), unary(OperationSymbol::Negate, a.clone()), a)
                    .with_site(site)
            }),
            Constant::Signum => Self::bind_composite(a, &ty, |a| {
                CoreTerm::if_less(a, CoreTerm::number(0), CoreTerm::number(-1), CoreTerm::number(1)).with_site(site)
            }),
            Constant::Max | Constant::Min => {
                let b = second(self)?;
                Self::bind_composite(a, &CoreTy::Real, |a| {
                    Self::bind_composite(b, &CoreTy::Real, |b| {
                        let (less, greater) = (a.clone(), b.clone());
                        let branches = if constant == Constant::Max { [greater, less] } else { [less, greater] };
                        let [then, otherwise] = branches;
                        CoreTerm::if_less(a, b, then, otherwise).with_site(site)
                    })
                })
            }
            constant if constant == Constant::Not || constant.compares_reals() && !constant.equates_reals() => {
                return self.fail_unsupported(Construct::TruthValue, setting, span);
            }
            constant => return self.fail_unsupported(Construct::Constant(constant), setting, span),
        };
        Ok(StaticValue::FirstOrder(term, ty))
    }
}

/// Returns the rational number of a literal, of its negation, or of a quotient of such. `None` for other terms.
fn literal_rational(term: &CoreTerm) -> Option<Rational> {
    match term.kind() {
        CoreTermKind::Number(q) => Some(q.clone()),
        CoreTermKind::Operation(OperationSymbol::Negate, a) => Some(-literal_rational(a)?),
        CoreTermKind::Operation(OperationSymbol::Divide, pair) => match pair.kind() {
            CoreTermKind::Pair(_, _, a, b) => {
                let b = literal_rational(b)?;
                if b == 0 { None } else { Some(literal_rational(a)? / b) }
            }
            _ => None,
        },
        _ => None,
    }
}

/// A function of the program: the parts of its definition that are known before its body.
struct FunctionHead<'s> {
    function: CoreVariable,
    /// The name and the type of each parameter.
    parameters: Vec<(Name, CoreTy)>,
    codomain: CoreTy,
    body: &'s SourceTerm,
    is_recursive: bool,
}

impl FunctionHead<'_> {
    /// Returns the function, applied to the variables that become its first parameters.
    fn applied_to(&self, captured: &[(CoreVariable, CoreTy)]) -> StaticValue {
        let own = self.parameters.iter().map(|(_, ty)| ty);
        let argument = |(x, ty): &(CoreVariable, CoreTy)| StaticValue::FirstOrder(CoreTerm::variable(x), ty.clone());
        StaticValue::Defined {
            function: self.function.clone(),
            domains: captured.iter().map(|(_, ty)| ty).chain(own).cloned().collect(),
            codomain: self.codomain.clone(),
            arguments: captured.iter().map(argument).collect(),
        }
    }
}

impl Embedder {
    /// Translates a function to a definition, and to the value of its name. Returns `None` if the value is no
    /// function. Also returns `None` if it is not recursive, and mentions a variable from outside or is not
    /// first-order; such a function is inlined.
    fn embed_definition(
        &mut self,
        name: &Name,
        value: &SourceTerm,
        setting: &EmbeddingScope,
        is_recursive: bool,
    ) -> Result<Option<(Arc<CoreDefinition>, StaticValue)>, FragmentError> {
        let (mut parameters, mut body) = (Vec::new(), value);
        while let Source::Lambda { name, body: inner } = body.kind() {
            match self.embed_type(&body.domain(), setting, value.span()) {
                Ok(domain) => parameters.push((name.clone(), domain)),
                Err(error) if is_recursive => return Err(error),
                Err(_) => return Ok(None),
            }
            body = inner;
        }
        if parameters.is_empty() {
            return Ok(None);
        }
        let codomain = match self.embed_type(body.ty(), setting, value.span()) {
            Ok(codomain) => codomain,
            Err(error) if is_recursive => return Err(error),
            Err(_) => return Ok(None),
        };
        let head = FunctionHead { function: CoreVariable::fresh(name), parameters, codomain, body, is_recursive };
        // First as if it mentioned nothing from outside, which shows what it mentions.
        let (positions, lifted) = (self.positions.len(), self.lifted.len());
        let definition = self.embed_function(&head, &[], setting)?;
        let Some(captured) = self.captured_variables(&definition) else {
            return self.fail_unsupported(Construct::IllTyped, setting, value.span());
        };
        if captured.is_empty() {
            return Ok(Some((definition, head.applied_to(&[]))));
        }
        if !is_recursive {
            return Ok(None);
        }
        self.positions.truncate(positions);
        self.lifted.truncate(lifted);
        // What the first translation left behind, positions and lifted functions of its body, belongs to no term.
        let names = captured.iter().map(|(x, _)| x.name().clone()).collect();
        self.lifted.push(LiftedFunction { function: name.clone(), variables: names });
        let definition = self.embed_function(&head, &captured, setting)?;
        Ok(Some((definition, head.applied_to(&captured))))
    }

    /// Returns the variables from outside that the body of a definition mentions, with their types, in the order of their binders.
    /// Returns `None` if the type of one is not known.
    fn captured_variables(&self, definition: &CoreDefinition) -> Option<Vec<(CoreVariable, CoreTy)>> {
        let free = definition.body.free_variables().into_iter().filter(|x| *x != definition.parameter);
        let typed = free.map(|x| self.types.get(&x).map(|(place, ty)| (*place, x, ty.clone())));
        let mut found = typed.collect::<Option<Vec<_>>>()?;
        found.sort_by_key(|(place, ..)| *place);
        Some(found.into_iter().map(|(_, x, ty)| (x, ty)).collect())
    }

    /// Translates a function to a definition whose first parameters stand for captured variables.
    fn embed_function(
        &mut self,
        head: &FunctionHead,
        captured: &[(CoreVariable, CoreTy)],
        setting: &EmbeddingScope,
    ) -> Result<Arc<CoreDefinition>, FragmentError> {
        let taken = captured.iter().map(|(x, ty)| (x.name().clone(), ty.clone()));
        let parameters: Vec<(Name, CoreTy)> = taken.chain(head.parameters.iter().cloned()).collect();
        // Several parameters become one tuple, whose components are bound in front of the body.
        let several = parameters.len() > 1;
        let domain = CoreTy::nested_product(parameters.iter().map(|(_, ty)| ty.clone()));
        let parameter = self.new_variable(&if several { "p".into() } else { parameters[0].0.clone() }, &domain);
        let mut inside = setting.clone();
        if head.is_recursive {
            inside = inside.with_innermost(head.applied_to(captured));
        }
        let (term, _) = self.wrap_pending(|e| {
            let mut renamed = Renaming::default();
            for (index, (name, ty)) in parameters.iter().enumerate() {
                let whole = CoreTerm::variable(&parameter);
                let argument = match tuple_component(whole, domain.clone(), index, parameters.len()) {
                    StaticValue::FirstOrder(term, _) if several => {
                        let x = e.new_variable(name, ty);
                        e.pending.push(PendingBinding::Let(x.clone(), ty.clone(), term));
                        StaticValue::FirstOrder(CoreTerm::variable(&x), ty.clone())
                    }
                    other => other,
                };
                // The body mentions the variables from outside by their own names, which are replaced at last.
                match (captured.get(index), &argument) {
                    (Some((outer, _)), StaticValue::FirstOrder(inner, _)) => renamed.insert(outer, inner.clone()),
                    _ => inside = inside.with_innermost(argument),
                }
            }
            let (term, ty) = e.wrap_pending(|e| e.embed_first_order(head.body, &inside))?;
            Ok((if renamed.is_identity() { term } else { renamed.apply_to(&term) }, ty))
        })?;
        let (function, codomain) = (head.function.clone(), head.codomain.clone());
        Ok(Arc::new(CoreDefinition { function, parameter, domain, codomain, body: term, limit: None }))
    }
}

/// A recursive function that takes variables from outside as further parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftedFunction {
    /// The name of the function.
    pub function: Name,
    /// The names of the variables that it mentions.
    pub variables: Vec<Name>,
}

impl std::fmt::Display for LiftedFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let variables: Vec<String> = self.variables.iter().map(|x| format!("`{x}`")).collect();
        let taken = if variables.len() == 1 { "it as one more argument" } else { "them as further arguments" };
        let listed = variables.join(", ");
        write!(
            f,
            "the recursive function `{}` mentions {listed}, bound outside of it, and takes {taken}",
            self.function
        )
    }
}

/// A program of the core language. A function is a term whose free variables are the parameters.
#[derive(Clone, Debug)]
pub struct CoreProgram {
    /// The parameters with their types; empty for a closed program.
    pub parameters: Vec<(CoreVariable, CoreTy)>,
    /// The term.
    pub term: CoreTerm,
    /// The type of the term.
    pub ty: CoreTy,
    /// The positions to which the [sites](SourceId) of the term are indices.
    pub positions: Vec<SourceLocation>,
    /// The functions that were lifted.
    pub lifted: Vec<LiftedFunction>,
}

impl CoreProgram {
    /// Makes a program of a term that was in no source text.
    #[must_use]
    pub fn new(parameters: Vec<(CoreVariable, CoreTy)>, term: CoreTerm, ty: CoreTy) -> CoreProgram {
        CoreProgram { parameters, term, ty, positions: Vec::new(), lifted: Vec::new() }
    }

    /// Returns the position of a site; `None` if it has none.
    #[must_use]
    pub fn position_of(&self, site: SourceId) -> Option<&SourceLocation> {
        self.positions.get(site.index()?)
    }

    /// Returns the parts of the reverse derivative of a function of one vector: its parameter, a new variable for the
    /// point, and a cotangent. The cotangent is 1 if the function is real-valued, and a variable otherwise. `None` for
    /// other programs.
    #[must_use]
    pub fn transposed_parts(&self) -> Option<TransposedParts<'_>> {
        let [(x, ty)] = &self.parameters[..] else { return None };
        let point = x.renamed();
        let mut parameters = vec![(point.clone(), ty.clone())];
        let cotangent = match self.ty {
            CoreTy::Real => CoreTerm::number(1),
            _ => {
                let w = CoreVariable::fresh(&"w".into());
                parameters.push((w.clone(), self.ty.clone()));
                CoreTerm::variable(&w)
            }
        };
        Some(TransposedParts { x, ty, point: CoreTerm::variable(&point), cotangent, parameters })
    }
}

/// The parts of `W.rd_V(x : T. M)` other than M.
#[derive(Clone, Debug)]
pub struct TransposedParts<'p> {
    /// x
    pub x: &'p CoreVariable,
    /// T
    pub ty: &'p CoreTy,
    /// V
    pub point: CoreTerm,
    /// W
    pub cotangent: CoreTerm,
    /// The parameters of the derivative: V, and W unless it is 1.
    pub parameters: Vec<(CoreVariable, CoreTy)>,
}

/// Checks whether the theorems of a paper apply to a closed program: by [`Fragment::admits_term`], and for the language
/// of A by [embedding](embed_program) the program.
///
/// # Errors
/// [`FragmentError`]: the construct that lies outside of the calculus, its position, and what to write instead.
///
/// # Examples
/// ```
/// use smoothish_trace::model::fragment::Fragment;
/// use smoothish_trace::syntax::library::Library;
/// use smoothish_trace::trace::embed::check_fragment;
/// let (term, _) = Library::new().infer_expression(r"\x => if x < 0 then 0 else sin x")?;
/// assert!(check_fragment(Fragment::Abadi, &term).is_ok());
/// let error = check_fragment(Fragment::Derivable, &term).expect_err("a comparison");
/// assert!(error.to_string().starts_with("the Taylor macro has no rule for `<` of real numbers;"));
/// assert_eq!(error.location().span.start, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_fragment(fragment: Fragment, term: &Term) -> Result<(), FragmentError> {
    match fragment {
        Fragment::Abadi => embed_program(term).map(drop),
        Fragment::LambdaS | Fragment::Derivable | Fragment::OmegaPap => fragment.admits_term(term),
    }
}
