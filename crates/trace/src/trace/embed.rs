//! Translation from programs of the library's language to terms of the core language.
//!
//! Functions that are not recursive, and higher-order functions, are inlined where they are applied; their arguments
//! are evaluated first, by `let`. A first-order definition without variables from outside becomes a `letrec` (A §2:
//! "when we define a function without recursion"). Tuples are nested to the left; several arguments become one tuple.
//! `abs`, `signum`, `max` and `min` become conditionals, so they are undefined where their branches meet.

mod conditional;
mod constant;
mod definition;

pub use super::program::CoreProgram;
use super::sugar;
use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreVariable, SourceId};
use super::ty::CoreTy;
use crate::function::Function;
use crate::model::SourceLocation;
use crate::model::fragment::{Construct, Fragment, FragmentError};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term as source;
use crate::syntax::term::TermKind as Source;
use crate::syntax::ty::{Ty as SourceTy, TyKind};
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
    let mut embedder = Embedder { positions: Vec::new(), pending: Vec::new(), nodes: 0 };
    // A polymorphic function, such as `dot` over any type of vectors, is taken at the real numbers.
    let types = std::iter::repeat_n(SourceTy::real(), MAX_TYPE_PARAMETERS).collect();
    let setting = EmbeddingScope { variables: None, enclosing_definition: None, types };
    let mut parameters = Vec::new();
    let (term, ty) = embedder.wrap_pending(|embedder| {
        let mut found = embedder.embed_term(program, &setting)?;
        let mut ty = program.ty();
        while let TyKind::Function(domain, codomain) = ty.kind() {
            let domain = embedder.embed_type(domain, &setting, program.span())?;
            let x = CoreVariable::fresh(&found.parameter_name());
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
    Ok(CoreProgram { parameters, term, ty, positions: embedder.positions })
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
struct Embedder {
    positions: Vec<SourceLocation>,
    pending: Vec<PendingBinding>,
    nodes: usize,
}

/// A term with its type.
type TypedCoreTerm = (CoreTerm, CoreTy);

impl Embedder {
    /// Returns the position of a part in the source.
    fn position_of(setting: &EmbeddingScope, span: Span) -> SourceLocation {
        SourceLocation { definition: setting.enclosing_definition.clone(), span }
    }

    /// Makes a new site for a position.
    fn new_site(&mut self, setting: &EmbeddingScope, span: Span) -> SourceId {
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
            Source::Apply { function, argument } if let Some(f) = literal_polygamma(function, argument) => {
                StaticValue::Constant(Constant::Elementary(f), Vec::new())
            }
            Source::Apply { function, argument } => {
                let function = self.embed_term(function, setting)?;
                let argument = self.embed_term(argument, setting)?;
                self.apply_value(function, argument, setting, span)?
            }
            // A first-order function stays a function; any other value is bound, or inlined if it contains functions.
            Source::Let { name, value, body } => {
                if let Some(definition) = self.embed_definition(name, value, setting, false)? {
                    let function = unapplied_definition(&definition.0, definition.1);
                    return self.under_binder(PendingBinding::LetRec(definition.0), |e| {
                        e.embed_term(body, &setting.with_innermost(function))
                    });
                }
                let value = self.embed_term(value, setting)?;
                self.bind_value(name, value, |e, value| e.embed_term(body, &setting.with_innermost(value)))?
            }
            Source::LetRec { name, value, body } => match self.embed_definition(name, value, setting, true)? {
                Some((definition, domains)) => {
                    let function = unapplied_definition(&definition, domains);
                    self.under_binder(PendingBinding::LetRec(definition), |e| {
                        e.embed_term(body, &setting.with_innermost(function))
                    })?
                }
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
                let x = CoreVariable::fresh(name);
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

/// Returns a definition as a function without arguments.
fn unapplied_definition(definition: &CoreDefinition, domains: Vec<CoreTy>) -> StaticValue {
    let (function, codomain) = (definition.function.clone(), definition.codomain.clone());
    StaticValue::Defined { function, domains, codomain, arguments: Vec::new() }
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
        _ => sugar::apply_componentwise(ty, term, sugar::zero_of_type(ty), &of_reals),
    }
}

/// Returns the polygamma function at an order that is a literal; `None` for any other application.
fn literal_polygamma(function: &source::Term, order: &source::Term) -> Option<Function> {
    match (function.kind(), order.kind()) {
        (Source::Constant(Constant::Polygamma), Source::Nat(order)) => Function::polygamma(*order),
        _ => None,
    }
}
