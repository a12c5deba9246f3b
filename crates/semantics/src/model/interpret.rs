//! The functor from terms to arrows of a model, generic in the model.
//!
//! It has a clause for each form of terms, those of S Fig. 6 (see [`Model`]). A definition is interpreted once, out of the empty
//! context, and [shared](Model::share_definition) by its uses. A chain of definitions that each use the previous one twice therefore costs
//! time linear in its length.
//!
//! A [universal](Model::universal_object) model needs no types. For any other model the program is first [reduced](super::reduce) to
//! normal form, in which every part has one type.
//!
//! # Interpretation of variants and lists
//!
//! Interpretation of variants and lists (H §5.1): injections and case distinctions.
//!
//! # Polymorphic definitions whose arrow depends on the type
//!
//! One arrow for each type at which they are used.
//!
//! # Arguments of the methods
//!
//! Arguments of the methods of [`Model`] that bind, choose or apply.

use super::reduce::ReduceError;
use super::{Model, SourceLocation, Unsupported, reduce};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::stack::with_stack;
use crate::syntax::constant::{Constant, vector};
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::substitution::{instantiate_types, map_subterms, weaken_from};
use crate::syntax::term::{Definition, MatchBranch, Term, TermKind};
use crate::syntax::ty::{Class, Scheme, Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The reason why a program has no arrow in a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterpretError {
    /// The model lacks a construct.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The program could not be reduced to normal form.
    #[error(transparent)]
    Reduction(#[from] ReduceError),
    /// A variable is free in the program.
    #[error("the variable `{name}` is not bound in the program")]
    Unbound {
        /// The name of the variable.
        name: String,
    },
}

impl ErrorWithKind for InterpretError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unsupported(_) => ErrorKind::Unsupported,
            // an ill-formed program, or a difference below 0: more steps would not help
            Self::Reduction(ReduceError::IllFormed(_) | ReduceError::BelowZero(_)) | Self::Unbound { .. } => {
                ErrorKind::InvalidInput
            }
            Self::Reduction(_) => ErrorKind::Limit,
        }
    }
}

/// Interprets a term `Γ ⊢ e : B` as an arrow `⟦Γ⟧ → ⟦B⟧` of a model.
///
/// | argument | meaning |
/// |---|---|
/// | `context` | the types of the variables of Γ, the innermost last |
/// | `term` | well-typed, as type inference produces it |
///
/// # Errors
/// [`InterpretError`]: above all, a construct that the model lacks.
///
/// # Examples
/// ```
/// use smoothish_semantics::meaning::float::{Float, FloatValue};
/// use smoothish_semantics::model::universe::ValueEnvironment;
/// use smoothish_semantics::model::{interpret, universe::EvaluatorModel};
/// use smoothish_semantics::number::budget::Budget;
/// use smoothish_semantics::syntax::library::Library;
/// use std::sync::Arc;
///
/// let (term, _) = Library::new().infer_expression("deriv (λ x ⇒ x * x) 3")?;
/// let model = EvaluatorModel::new(Float::new(Arc::new(Budget::unlimited())));
/// let arrow = interpret(&model, &[], &term)?;
/// let value = arrow.evaluate_in(&model.0, &ValueEnvironment::default())?;
/// assert_eq!(value.as_real()?.plain_value(), 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn interpret<M: Model>(model: &M, context: &[Ty], term: &Term) -> Result<M::Arrow, InterpretError> {
    let universal = model.universal_object();
    let term = match &universal {
        Some(_) => term.clone(),
        None => reduce::beta_reduce(context, term).map_err(|error| match error {
            // what reduction cannot remove is a construct that this model lacks: say so in its name
            ReduceError::Recursive { .. } => model.unsupported_error("recursive types").into(),
            ReduceError::Guard { comparison } => model.unsupported_error(comparison).into(),
            error => InterpretError::from(error),
        })?,
    };
    let mut functor = TermInterpreter {
        model,
        universal,
        context: Vec::new(),
        definitions: FxHashMap::default(),
        type_dependences: FxHashMap::default(),
        recursive_leads: vec![None; context.len()],
        met_recursion: None,
        current_definition: None,
        expansion_span: None,
    };
    for ty in context {
        functor.context.push(functor.model.interpret_type(ty)?);
    }
    functor.interpret_term(&term)
}

/// The most types at which one definition is interpreted separately; a bound by taste.
const MAX_INSTANCES: usize = 64;
/// The largest size of such a type; see [`MAX_INSTANCES`].
const MAX_INSTANCE_SIZE: usize = 1_000;

struct TermInterpreter<'m, M: Model> {
    model: &'m M,
    /// The object of every type; `None` if the model is not universal.
    universal: Option<M::Object>,
    context: Vec<M::Object>,
    /// The arrows of definitions, by address, each with the type for which it was made if it depends on that.
    definitions: FxHashMap<usize, Vec<DefinitionArrow<M>>>,
    /// The dependence of definitions on their type parameters, by address.
    type_dependences: FxHashMap<usize, TypeDependence>,
    /// For each variable in scope, the recursive function that it is or leads to.
    recursive_leads: Vec<Option<Name>>,
    /// The last variable in `recursive_leads` met since this was last taken.
    met_recursion: Option<Name>,
    /// The definition whose term is being interpreted.
    current_definition: Option<Arc<Definition>>,
    /// The span of the constant whose definition is being interpreted: all parts of that definition stand there.
    expansion_span: Option<Span>,
}

fn bind_arrow<A>(name: &Name, ty: Ty, body: A) -> BoundArrow<A> {
    BoundArrow { name: name.clone(), ty, body }
}

/// The domain A, the codomain B and the arrow `Γ, A → B` of a function.
type FunctionParts<M> = (<M as Model>::Object, <M as Model>::Object, BoundArrow<<M as Model>::Arrow>);

/// The arrow of a definition, with the type for which it was made.
type DefinitionArrow<M> = (Option<Ty>, <M as Model>::Arrow);

impl<M: Model> TermInterpreter<'_, M> {
    /// Runs a function with one more variable in scope.
    fn with_variable<R>(&mut self, object: M::Object, run: impl FnOnce(&mut Self) -> R) -> R {
        self.with_recursive_variable(None, object, run)
    }

    /// Like `under`, for a variable that may lead to the recursive function `recursive_leads`.
    fn with_recursive_variable<R>(
        &mut self,
        leads: Option<Name>,
        object: M::Object,
        run: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.context.push(object);
        self.recursive_leads.push(leads);
        let result = run(self);
        self.context.pop();
        self.recursive_leads.pop();
        result
    }

    /// Returns the type of a part; `None` for a universal model, which ignores it.
    fn visible_type<'t>(&self, ty: &'t Ty) -> Option<&'t Ty> {
        self.universal.is_none().then_some(ty)
    }

    /// Returns the type of a constant, for a model that depends on it; type variables left open are ℝ.
    fn visible_constant_type(&self, constant: Constant, ty: &Ty) -> Option<Ty> {
        let wanted = self.universal.is_none() || self.model.depends_on_type(constant);
        wanted.then(|| if self.universal.is_none() { ty.clone() } else { self.default_to_real(ty) })
    }

    /// Runs a function, and returns the recursive function that it met as well.
    fn track_recursion<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> (R, Option<Name>) {
        let before = self.met_recursion.take();
        let result = run(self);
        let led = self.met_recursion.take();
        // what was met before stays met for the caller
        self.met_recursion = before.or_else(|| led.clone());
        (result, led)
    }

    fn interpret_term(&mut self, term: &Term) -> Result<M::Arrow, InterpretError> {
        with_stack(|| self.interpret_clause(term))
    }

    fn interpret_clause(&mut self, term: &Term) -> Result<M::Arrow, InterpretError> {
        let model = self.model;
        // before all clauses: a local definition that one arrow cannot represent is replaced by its instances
        if let Some(unbound) = self.inline_polymorphic_let(term)? {
            return self.interpret_term(&unbound);
        }
        Ok(match term.kind() {
            TermKind::Variable { index, name } => {
                // de Bruijn indices count from the innermost variable, the model from the outermost
                let place = self.context.len().checked_sub(index.saturating_add(1));
                let place = place.ok_or_else(|| InterpretError::Unbound { name: name.to_string() })?;
                if let Some(Some(function)) = self.recursive_leads.get(place) {
                    self.met_recursion = Some(function.clone());
                }
                model.project_variable(&self.context, place)
            }
            TermKind::Global(definition) => self.interpret_definition(definition, term.ty())?,
            TermKind::Real(q) => model.real_number(&self.context, q),
            TermKind::Nat(n) => model.natural_number(&self.context, *n)?,
            TermKind::Bool(b) => model.truth_value(&self.context, *b)?,
            TermKind::Unit => model.tuple(&self.context, &[]),
            TermKind::Lambda { .. } => {
                let (domain, codomain, body) = self.interpret_function(term)?;
                model.curry(&self.context, &domain, &codomain, &body)?
            }
            TermKind::Apply { .. } => self.interpret_application(term)?,
            TermKind::Constant(constant) if model.expands_constant(*constant) => {
                let written = self.expand_constant(*constant, term)?;
                // of nested expansions the outermost span counts: it is the one that the user wrote
                let outer = self.expansion_span;
                self.expansion_span = outer.or(Some(term.span()));
                let arrow = self.interpret_term(&written);
                self.expansion_span = outer;
                arrow?
            }
            TermKind::Constant(constant) if constant.arity() == 0 => {
                self.interpret_operator(AppliedOperator::Constant(*constant), term, &[])?
            }
            TermKind::Constant(constant) => model.interpret_constant(
                &self.context,
                *constant,
                self.visible_constant_type(*constant, term.ty()).as_ref(),
                &self.location_of(term.span()),
            )?,
            TermKind::Let { name, value: bound_value, body } => {
                let (value, leads) = self.track_recursion(|f| f.interpret_term(bound_value));
                let value = value?;
                // the value comes first: its arrow may tell the model a better object for the variable
                let object = model.object_of_value(model.interpret_type(bound_value.ty())?, &value);
                let body = self.with_recursive_variable(leads, object, |f| f.interpret_term(body))?;
                model.bind(&self.context, &value, &bind_arrow(name, self.default_to_real(bound_value.ty()), body))
            }
            TermKind::LetRec { name, value, body } => {
                let object = match &self.universal {
                    Some(universal) => universal.clone(),
                    // in other models reduction has unrolled every recursion that ends
                    None => {
                        return Err(model.unsupported_error("recursion on natural numbers that are not known").into());
                    }
                };
                let (place, value_ty) = (self.location_of(value.span()), value.ty());
                let value =
                    self.with_recursive_variable(Some(name.clone()), object.clone(), |f| f.interpret_term(value))?;
                let ty = self.default_to_real(value_ty);
                let function = model.fixed_point(&self.context, &bind_arrow(name, ty.clone(), value), &place)?;
                let body = self.with_variable(object, |f| f.interpret_term(body))?;
                model.bind(&self.context, &function, &bind_arrow(name, ty, body))
            }
            TermKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.interpret_term(part)).collect::<Result<_, _>>()?;
                model.tuple(&self.context, &parts)
            }
            TermKind::Project { tuple, index } => {
                let arrow = self.interpret_term(tuple)?;
                let parts: Vec<_> = match self.visible_type(tuple.ty()).map(Ty::kind) {
                    Some(TyKind::Tuple(parts)) => {
                        parts.iter().map(|part| model.interpret_type(part)).collect::<Result<_, _>>()?
                    }
                    _ => Vec::new(),
                };
                model.project_component(&parts, &arrow, *index)
            }
            TermKind::If { condition: as_written, then, otherwise } => {
                let condition = self.interpret_term(as_written)?;
                let (branches, recursion) = self.track_recursion(|f| {
                    Ok::<_, InterpretError>((f.interpret_term(then)?, f.interpret_term(otherwise)?))
                });
                let (then, otherwise) = branches?;
                let choice = ConditionalInfo { condition: as_written.clone(), ty: term.ty().clone(), recursion };
                model.case_boolean(&condition, &then, &otherwise, &choice)?
            }
            TermKind::Inject { constructor, argument } => self.interpret_injection(constructor, argument, term.ty())?,
            TermKind::Match { data, scrutinee, branches } => self.interpret_match(data, scrutinee, branches)?,
            TermKind::To(iso) | TermKind::From(iso) => {
                let forward = matches!(term.kind(), TermKind::To(_));
                model.isomorphism_side(&self.interpret_term(iso)?, forward)?
            }
        })
    }

    /// Splits a `\\` into its domain, its codomain and the arrow of its body.
    fn interpret_function(&mut self, term: &Term) -> Result<FunctionParts<M>, InterpretError> {
        let model = self.model;
        let TermKind::Lambda { name, body } = term.kind() else {
            return Err(model.unsupported_error("a function of another shape").into());
        };
        let (domain, codomain) = (model.interpret_type(&term.domain())?, model.interpret_type(body.ty())?);
        let body = self.with_variable(domain.clone(), |f| f.interpret_term(body))?;
        Ok((domain, codomain, bind_arrow(name, self.default_to_real(&term.domain()), body)))
    }

    fn location_of(&self, span: Span) -> SourceLocation {
        SourceLocation { definition: self.current_definition.clone(), span: self.expansion_span.unwrap_or(span) }
    }

    /// Interprets a definition: once, or once for each type of use if it depends on the type.
    fn interpret_definition(&mut self, definition: &Arc<Definition>, used: &Ty) -> Result<M::Arrow, InterpretError> {
        let key = Arc::as_ptr(definition) as usize;
        let used = (self.definition_dependence(definition) != TypeDependence::Independent)
            .then(|| self.default_to_real(used))
            .filter(|used| used.size() <= MAX_INSTANCE_SIZE);
        let made = self.definitions.get(&key).map_or(&[][..], |made| made);
        // beyond the limit the definition is taken as it stands, without types for its parameters
        let used =
            used.filter(|used| made.len() < MAX_INSTANCES || made.iter().any(|(ty, _)| ty.as_ref() == Some(used)));
        if let Some((_, arrow)) = made.iter().find(|(ty, _)| *ty == used) {
            return Ok(self.model.compose(&self.context, &[], arrow));
        }
        let definition = used.as_ref().map_or_else(|| definition.clone(), |used| definition.instantiate_at(used));
        // the definition is closed: its term is interpreted in the empty context
        let context = std::mem::take(&mut self.context);
        let leads = std::mem::take(&mut self.recursive_leads);
        let home = self.current_definition.replace(definition.clone());
        let arrow = self.interpret_term(&definition.term);
        (self.context, self.recursive_leads, self.current_definition) = (context, leads, home);
        let shared = self.model.share_definition(&definition, &arrow?);
        let arrow = self.model.compose(&self.context, &[], &shared);
        self.definitions.entry(key).or_default().push((used, shared));
        Ok(arrow)
    }

    /// Interprets `f e₁ … eₙ`: an operator at as many arguments as its arity, the remaining ones one by one.
    fn interpret_application(&mut self, term: &Term) -> Result<M::Arrow, InterpretError> {
        let (mut head, mut arguments) = (term, Vec::new());
        while let TermKind::Apply { function, argument } = head.kind() {
            arguments.push(argument);
            head = function;
        }
        arguments.reverse();
        let sided = |iso: &Term, side: fn(Constant) -> AppliedOperator| match iso.kind() {
            TermKind::Constant(constant) => Some((side(*constant), 1)),
            _ => None,
        };
        let operator = match head.kind() {
            TermKind::Constant(constant) if !self.model.expands_constant(*constant) => {
                Some((AppliedOperator::Constant(*constant), constant.arity()))
            }
            TermKind::To(iso) => sided(iso, AppliedOperator::To),
            TermKind::From(iso) => sided(iso, AppliedOperator::From),
            _ => None,
        };
        // an operator with too few arguments is a function value, by the clause for constants
        let (mut function, applied) = match operator {
            Some((operator, arity)) if arity > 0 && arity <= arguments.len() => {
                (self.interpret_operator(operator, head, &arguments[..arity])?, arity)
            }
            _ => (self.interpret_term(head)?, 0),
        };
        for argument in &arguments[applied..] {
            let argument = self.interpret_term(argument)?;
            function = self.model.apply(&self.context, &function, &argument)?;
        }
        Ok(function)
    }

    /// Interprets an operator, at the place of `head`, at its arguments.
    fn interpret_operator(
        &mut self,
        operator: AppliedOperator,
        head: &Term,
        arguments: &[&Term],
    ) -> Result<M::Arrow, InterpretError> {
        let mut interpreted = Vec::with_capacity(arguments.len());
        for argument in arguments {
            interpreted.push(match argument.kind() {
                // uncurried: the model may have no exponentials
                TermKind::Lambda { .. } if self.universal.is_none() => {
                    let (domain, codomain, body) = self.interpret_function(argument)?;
                    OperatorArgument::Function { domain, codomain, body }
                }
                _ => OperatorArgument::Value(self.interpret_term(argument)?),
            });
        }
        let (AppliedOperator::Constant(constant) | AppliedOperator::To(constant) | AppliedOperator::From(constant)) =
            operator;
        let (ty, place) = (self.visible_constant_type(constant, head.ty()), &self.location_of(head.span()));
        let ty = ty.as_ref();
        let application = OperatorApplication { context: &self.context, operator, ty, arguments: &interpreted, place };
        Ok(self.model.interpret_operation(&application)?)
    }
}

impl<M: Model> TermInterpreter<'_, M> {
    /// Returns the objects of the constructors' arguments of a type; empty for a universal model.
    fn summand_objects(&self, ty: &Ty) -> Result<Vec<M::Object>, InterpretError> {
        match self.visible_type(ty).map(Ty::kind) {
            Some(TyKind::Data(data, arguments)) => Ok(self.model.summand_objects(data, arguments)?),
            _ => Ok(Vec::new()),
        }
    }

    /// Interprets a constructor applied to an argument, at the type of the whole.
    fn interpret_injection(
        &mut self,
        constructor: &Constructor,
        argument: &Term,
        ty: &Ty,
    ) -> Result<M::Arrow, InterpretError> {
        let argument = self.interpret_term(argument)?;
        // A model without variants, or without lists, must report that before `inject` is called.
        self.model.interpret_type(ty)?;
        let injected = self.model.inject(
            &self.context,
            &self.summand_objects(ty)?,
            (constructor, &self.default_to_real(ty)),
            &argument,
        )?;
        Ok(if constructor.data().is_list() { self.model.roll_list(&self.context, &injected)? } else { injected })
    }

    /// Interprets `match scrutinee with branches`.
    fn interpret_match(
        &mut self,
        data: &DataType,
        scrutinee: &Term,
        branches: &[MatchBranch],
    ) -> Result<M::Arrow, InterpretError> {
        let parts = self.summand_objects(scrutinee.ty())?;
        let domains = match self.default_to_real(scrutinee.ty()).kind() {
            TyKind::Data(data, arguments) => data.argument_types(arguments),
            // only names for the variables of a universal model, which ignores types
            _ => vec![Ty::unknown(); branches.len()],
        };
        let mut scrutinee = self.interpret_term(scrutinee)?;
        // a list is no sum itself: branch on one layer of it, 1 + A × List A
        if data.is_list() {
            scrutinee = self.model.unroll_list(&self.context, &scrutinee)?;
        }
        let mut arrows = Vec::with_capacity(branches.len());
        for (index, (branch, domain)) in branches.iter().zip(domains).enumerate() {
            let object = self.universal.as_ref().or(parts.get(index)).cloned();
            let object = object.ok_or_else(|| self.model.unsupported_error("a type that is not known"))?;
            let arrow = self.with_variable(object, |f| f.interpret_term(&branch.body))?;
            arrows.push(bind_arrow(&branch.name, domain, arrow));
        }
        Ok(self.model.case_sum(&self.context, &parts, data, &scrutinee, &arrows)?)
    }
}

/// The way in which a polymorphic term depends on the types at which it is used. The order is that of the work it causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TypeDependence {
    /// Independent of them: one arrow serves all types.
    Independent,
    /// A conditional has a type that depends on them, and the model looks at the types of conditionals.
    ConditionalType,
    /// A constant that has to be written out, or interpreted by its type, has a type that depends on them.
    ExpandedConstant,
}

/// The most nodes that the inlined copies of one local definition may have in all; a bound by taste on the growth of terms.
const MAX_INLINED_NODES: usize = 100_000;

impl<M: Model> TermInterpreter<'_, M> {
    /// Returns the definition of a constant at the type of a term.
    fn expand_constant(&self, constant: Constant, term: &Term) -> Result<Term, Unsupported> {
        let ty = self.default_to_real(term.ty());
        constant.expand_in_coordinates(&ty).ok_or_else(|| {
            let name = constant.name();
            self.model.unsupported_error(match ty.is_closed() {
                true => format!("`{name}` of more than {} numbers", vector::MAX_ROWS),
                false => format!("`{name}` at a type that is not known"),
            })
        })
    }

    /// Returns a type of use; in the program itself, type variables left open become ℝ. Definitions keep their parameters.
    fn default_to_real(&self, ty: &Ty) -> Ty {
        if self.current_definition.is_some() || ty.is_closed() { ty.clone() } else { ty.with_reals() }
    }

    /// Returns how a definition, or one that it uses, depends on its type parameters. Computed once for each definition.
    fn definition_dependence(&mut self, definition: &Arc<Definition>) -> TypeDependence {
        if definition.scheme.parameters.is_empty() {
            return TypeDependence::Independent;
        }
        let key = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.type_dependences.get(&key) {
            return *known;
        }
        let found = self.term_dependence(&definition.term);
        self.type_dependences.insert(key, found);
        found
    }

    /// Returns how a term depends on the type variables in its types.
    fn term_dependence(&mut self, term: &Term) -> TypeDependence {
        let own = match term.kind() {
            _ if term.ty().is_closed() => TypeDependence::Independent,
            TermKind::If { .. } if M::SPECIALISES_CONDITIONALS => TypeDependence::ConditionalType,
            TermKind::Constant(constant)
                if self.model.expands_constant(*constant) || self.model.depends_on_type(*constant) =>
            {
                TypeDependence::ExpandedConstant
            }
            TermKind::Global(definition) => with_stack(|| self.definition_dependence(definition)),
            _ => TypeDependence::Independent,
        };
        term.kind().children().fold(own, |used, child| used.max(with_stack(|| self.term_dependence(child))))
    }

    /// Inlines a polymorphic `let` or `let rec`: returns its body with an instance of the bound value at each use.
    ///
    /// Returns `None` unless the bound value has constants to be written out at an open type.
    fn inline_polymorphic_let(&mut self, term: &Term) -> Result<Option<Term>, InterpretError> {
        let (TermKind::Let { value, .. } | TermKind::LetRec { value, .. }) = term.kind() else {
            return Ok(None);
        };
        // An open type alone is no reason: inlining duplicates the value, so it is done only where one arrow cannot serve.
        if value.ty().is_closed() || self.term_dependence(value) != TypeDependence::ExpandedConstant {
            return Ok(None);
        }
        let body = inline_polymorphic_let(term);
        let body =
            body.ok_or_else(|| self.model.unsupported_error("a local definition that is used at so many types"))?;
        Ok(Some(body))
    }
}

/// Returns a type scheme with all variables of a type as its parameters.
fn generalised_scheme(ty: &Ty) -> Scheme {
    Scheme { parameters: ty.parameter_names().into_iter().map(|name| (name, Class::ANY)).collect(), ty: ty.clone() }
}

/// Returns the body of a `let` or `let rec` with an instance of the bound value at each use.
///
/// Returns `None` for other terms, and if the instances have too many nodes.
pub(crate) fn inline_polymorphic_let(term: &Term) -> Option<Term> {
    let (TermKind::Let { value, body, .. } | TermKind::LetRec { value, body, .. }) = term.kind() else {
        return None;
    };
    let mut replacement =
        LetInlining { scheme: generalised_scheme(value.ty()), bound: term, value, remaining_nodes: MAX_INLINED_NODES };
    replacement.substitute_in(body, 0)
}

/// Substitution of instances of a bound value for the variable of its `let`.
struct LetInlining<'t> {
    scheme: Scheme,
    bound: &'t Term,
    value: &'t Term,
    remaining_nodes: usize,
}

impl LetInlining<'_> {
    /// Substitutes in a term with `depth` more binders than the variable, whose binder is removed.
    ///
    /// Returns `None` if the copies of the value exceed the room for them.
    fn substitute_in(&mut self, term: &Term, depth: usize) -> Option<Term> {
        match term.kind() {
            TermKind::Variable { index, .. } if *index == depth => {
                self.remaining_nodes = self.remaining_nodes.checked_sub(term_size(self.value))?;
                Some(weaken_from(&self.instance_at(term.ty()), 0, depth))
            }
            // a variable from outside of the removed binder
            TermKind::Variable { index, name } if *index > depth => {
                Some(Term::variable(index - 1, Name::clone(name), term.ty().clone(), term.span()))
            }
            _ => {
                let mut fits = true;
                let rebuilt = map_subterms(term, &mut |part, binders| {
                    let replaced = self.substitute_in(part, depth + binders);
                    fits &= replaced.is_some();
                    replaced.unwrap_or_else(|| part.clone())
                });
                fits.then_some(rebuilt)
            }
        }
    }

    /// Returns an instance of the bound value at a type of use; a recursive function becomes a `let rec` of its own.
    fn instance_at(&self, used: &Ty) -> Term {
        // a parameter that the use leaves open may be a variable of an enclosing definition: keep it
        let itself = |index| Ty::new(TyKind::Variable(index, "_".into()));
        let told = self.scheme.arguments_of_instance(used).into_iter().enumerate();
        let types: Vec<Ty> = told.map(|(index, ty)| if ty == Ty::unknown() { itself(index) } else { ty }).collect();
        let value = instantiate_types(self.value, &types);
        match self.bound.kind() {
            TermKind::LetRec { name, .. } => {
                let body = Term::variable(0, name.clone(), used.clone(), self.bound.span());
                Term::new(TermKind::LetRec { name: name.clone(), value, body }, self.bound.span())
            }
            _ => value,
        }
    }
}

fn term_size(term: &Term) -> usize {
    term.kind().children().fold(1, |sum, child| sum.saturating_add(with_stack(|| term_size(child))))
}

/// An arrow `Γ, x : A → B` with its last variable, as bound by `\x => e`, a `let` or a case.
///
/// Only models whose arrows are programs use the name and the type as written.
#[derive(Clone, Debug)]
pub struct BoundArrow<A> {
    /// x
    pub name: Name,
    /// A
    pub ty: Ty,
    /// The arrow.
    pub body: A,
}

/// An `if` without the arrows of its parts.
#[derive(Clone, Debug)]
pub struct ConditionalInfo {
    /// The condition as written.
    pub condition: Term,
    /// The type of both branches. Inside a definition, its parameters are replaced by the types of use.
    pub ty: Ty,
    /// The recursive function that a branch leads to; `None` if neither does.
    pub recursion: Option<Name>,
}

/// The operator of an application: a constant, or one of the two maps of an isomorphism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliedOperator {
    /// `c`
    Constant(Constant),
    /// `i.to`
    To(Constant),
    /// `i.from`
    From(Constant),
}

/// An argument of an operator: `e` in a context Γ, or `\x => e` by its body.
pub enum OperatorArgument<M: Model + ?Sized> {
    /// Γ → A
    Value(M::Arrow),
    /// `Γ, A → B`, for a function of type A → B. Models with exponentials may [curry](Model::curry) it.
    Function {
        /// A
        domain: M::Object,
        /// B
        codomain: M::Object,
        /// The function, uncurried.
        body: BoundArrow<M::Arrow>,
    },
}

/// An application of an operator, with all that is known about the place.
pub struct OperatorApplication<'a, M: Model + ?Sized> {
    /// The context Γ.
    pub context: &'a [M::Object],
    /// The operator.
    pub operator: AppliedOperator,
    /// Its type, `A₁ -> … -> Aₙ -> B`; `None` in [universal](Model::universal_object) models.
    pub ty: Option<&'a Ty>,
    /// A₁, …, Aₙ
    pub arguments: &'a [OperatorArgument<M>],
    /// The place of the operator.
    pub place: &'a SourceLocation,
}
