//! The functor from terms to arrows of a model, generic in the model.
//!
//! It has a clause for each form of terms, those of S Fig. 6 (see [`Model`]). A definition is interpreted once, out of the empty
//! context, and [shared](Model::share_definition) by its uses. A chain of definitions that each use the previous one twice therefore costs
//! time linear in its length.
//!
//! A [universal](Model::universal_object) model needs no types. For any other model the program is first [reduced](super::reduce) to
//! normal form, in which every part has one type.

mod cases;
mod instances;

use super::reduce::{self, ReduceError};
use super::{
    AppliedOperator, BoundArrow, ConditionalInfo, Model, OperatorApplication, OperatorArgument, SourceLocation,
    Unsupported,
};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use instances::TypeDependence;
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
    #[error("the program mentions a variable, `{name}`, that nothing binds")]
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
            Self::Reduction(ReduceError::Wrong(_) | ReduceError::BelowZero(_)) | Self::Unbound { .. } => {
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
/// use smoothish_semantics::model::environment::ValueEnvironment;
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
                self.visible_type(term.ty()),
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
        let (ty, place) = (self.visible_type(head.ty()), &self.location_of(head.span()));
        let application = OperatorApplication { context: &self.context, operator, ty, arguments: &interpreted, place };
        Ok(self.model.interpret_operation(&application)?)
    }
}
