//! The functor from terms to arrows of a model, generic in the model.
//!
//! It has a clause for each form of terms, those of S Fig. 6 (see [`Model`]). A definition is interpreted once, out of the empty
//! context, and [shared](Model::shared) by its uses. A chain of definitions that each use the previous one twice therefore costs
//! time linear in its length.
//!
//! A [universal](Model::universal) model needs no types. For any other model the program is first [reduced](super::reduce) to
//! normal form, in which every part has one type.

mod cases;
mod instances;

use super::reduce::{self, ReduceError};
use super::{Application, Argument, Bound, Choice, Model, Operator, Place, Unsupported};
use crate::failure::{ErrorKind, Failure};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use instances::Use;
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

impl Failure for InterpretError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unsupported(_) => ErrorKind::Unsupported,
            // an ill-formed program, or a difference below 0: more steps would not help
            Self::Reduction(ReduceError::Wrong(_) | ReduceError::BelowZero(_)) | Self::Unbound { .. } => {
                ErrorKind::Wrong
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
/// use smoothish_semantics::meaning::float::{Float, Value};
/// use smoothish_semantics::model::environment::Environment;
/// use smoothish_semantics::model::{interpret, universe::Evaluator};
/// use smoothish_semantics::number::budget::Budget;
/// use smoothish_semantics::syntax::library::Library;
/// use std::sync::Arc;
///
/// let (term, _) = Library::new().infer_expression("deriv (λ x ⇒ x * x) 3")?;
/// let model = Evaluator::new(Float::new(Arc::new(Budget::unlimited())));
/// let arrow = interpret(&model, &[], &term)?;
/// let value = arrow.run(&model.0, &Environment::default())?;
/// assert_eq!(value.as_real()?.value(), 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn interpret<M: Model>(model: &M, context: &[Ty], term: &Term) -> Result<M::Arrow, InterpretError> {
    let universal = model.universal();
    let term = match &universal {
        Some(_) => term.clone(),
        None => reduce::reduced(context, term).map_err(|error| match error {
            // what reduction cannot remove is a construct that this model lacks: say so in its name
            ReduceError::Recursive { .. } => model.lacks("recursive types").into(),
            ReduceError::Guard { comparison } => model.lacks(comparison).into(),
            error => InterpretError::from(error),
        })?,
    };
    let mut functor = Functor {
        model,
        universal,
        context: Vec::new(),
        definitions: FxHashMap::default(),
        choosing: FxHashMap::default(),
        leads: vec![None; context.len()],
        led: None,
        home: None,
        standing: None,
    };
    for ty in context {
        functor.context.push(functor.model.object(ty)?);
    }
    functor.arrow(&term)
}

/// The most types at which one definition is interpreted separately; a bound by taste.
const MOST_INSTANCES: usize = 64;
/// The largest size of such a type; see [`MOST_INSTANCES`].
const LARGEST_INSTANCE: usize = 1_000;

struct Functor<'m, M: Model> {
    model: &'m M,
    /// The object of every type; `None` if the model is not universal.
    universal: Option<M::Object>,
    context: Vec<M::Object>,
    /// The arrows of definitions, by address, each with the type for which it was made if it depends on that.
    definitions: FxHashMap<usize, Vec<Made<M>>>,
    /// The dependence of definitions on their type parameters, by address.
    choosing: FxHashMap<usize, Use>,
    /// For each variable in scope, the recursive function that it is or leads to.
    leads: Vec<Option<Name>>,
    /// The last variable in `leads` met since this was last taken.
    led: Option<Name>,
    /// The definition whose term is being interpreted.
    home: Option<Arc<Definition>>,
    /// The span of the constant whose definition is being interpreted: all parts of that definition stand there.
    standing: Option<Span>,
}

fn bound<A>(name: &Name, ty: Ty, body: A) -> Bound<A> {
    Bound { name: name.clone(), ty, body }
}

/// The domain A, the codomain B and the arrow `Γ, A → B` of a function.
type Function<M> = (<M as Model>::Object, <M as Model>::Object, Bound<<M as Model>::Arrow>);

/// The arrow of a definition, with the type for which it was made.
type Made<M> = (Option<Ty>, <M as Model>::Arrow);

impl<M: Model> Functor<'_, M> {
    /// Runs a function with one more variable in scope.
    fn under<R>(&mut self, object: M::Object, run: impl FnOnce(&mut Self) -> R) -> R {
        self.leading(None, object, run)
    }

    /// Like `under`, for a variable that may lead to the recursive function `leads`.
    fn leading<R>(&mut self, leads: Option<Name>, object: M::Object, run: impl FnOnce(&mut Self) -> R) -> R {
        self.context.push(object);
        self.leads.push(leads);
        let result = run(self);
        self.context.pop();
        self.leads.pop();
        result
    }

    /// Returns the type of a part; `None` for a universal model, which ignores it.
    fn seen<'t>(&self, ty: &'t Ty) -> Option<&'t Ty> {
        self.universal.is_none().then_some(ty)
    }

    /// Runs a function, and returns the recursive function that it met as well.
    fn followed<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> (R, Option<Name>) {
        let before = self.led.take();
        let result = run(self);
        let led = self.led.take();
        // what was met before stays met for the caller
        self.led = before.or_else(|| led.clone());
        (result, led)
    }

    fn arrow(&mut self, term: &Term) -> Result<M::Arrow, InterpretError> {
        deep(|| self.clause(term))
    }

    fn clause(&mut self, term: &Term) -> Result<M::Arrow, InterpretError> {
        let model = self.model;
        // before all clauses: a local definition that one arrow cannot represent is replaced by its instances
        if let Some(unbound) = self.unbound(term)? {
            return self.arrow(&unbound);
        }
        Ok(match term.kind() {
            TermKind::Variable { index, name } => {
                // de Bruijn indices count from the innermost variable, the model from the outermost
                let place = self.context.len().checked_sub(index.saturating_add(1));
                let place = place.ok_or_else(|| InterpretError::Unbound { name: name.to_string() })?;
                if let Some(Some(function)) = self.leads.get(place) {
                    self.led = Some(function.clone());
                }
                model.variable(&self.context, place)
            }
            TermKind::Global(definition) => self.definition(definition, term.ty())?,
            TermKind::Real(q) => model.number(&self.context, q),
            TermKind::Nat(n) => model.natural_number(&self.context, *n)?,
            TermKind::Bool(b) => model.truth(&self.context, *b)?,
            TermKind::Unit => model.tuple(&self.context, &[]),
            TermKind::Lambda { .. } => {
                let (domain, codomain, body) = self.function(term)?;
                model.curry(&self.context, &domain, &codomain, &body)?
            }
            TermKind::Apply { .. } => self.application(term)?,
            TermKind::Constant(constant) if model.writes_out(*constant) => {
                let written = self.written_out(*constant, term)?;
                // of nested expansions the outermost span counts: it is the one that the user wrote
                let outer = self.standing;
                self.standing = outer.or(Some(term.span()));
                let arrow = self.arrow(&written);
                self.standing = outer;
                arrow?
            }
            TermKind::Constant(constant) if constant.arity() == 0 => {
                self.operator(Operator::Constant(*constant), term, &[])?
            }
            TermKind::Constant(constant) => {
                model.constant(&self.context, *constant, self.seen(term.ty()), &self.place(term.span()))?
            }
            TermKind::Let { name, value: bound_value, body } => {
                let (value, leads) = self.followed(|f| f.arrow(bound_value));
                let value = value?;
                // the value comes first: its arrow may tell the model a better object for the variable
                let object = model.of_value(model.object(bound_value.ty())?, &value);
                let body = self.leading(leads, object, |f| f.arrow(body))?;
                model.bind(&self.context, &value, &bound(name, self.decided(bound_value.ty()), body))
            }
            TermKind::LetRec { name, value, body } => {
                let object = match &self.universal {
                    Some(universal) => universal.clone(),
                    // in other models reduction has unrolled every recursion that ends
                    None => return Err(model.lacks("recursion on natural numbers that are not known").into()),
                };
                let (place, value_ty) = (self.place(value.span()), value.ty());
                let value = self.leading(Some(name.clone()), object.clone(), |f| f.arrow(value))?;
                let ty = self.decided(value_ty);
                let function = model.recursion(&self.context, &bound(name, ty.clone(), value), &place)?;
                let body = self.under(object, |f| f.arrow(body))?;
                model.bind(&self.context, &function, &bound(name, ty, body))
            }
            TermKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.arrow(part)).collect::<Result<_, _>>()?;
                model.tuple(&self.context, &parts)
            }
            TermKind::Project { tuple, index } => {
                let arrow = self.arrow(tuple)?;
                let parts: Vec<_> = match self.seen(tuple.ty()).map(Ty::kind) {
                    Some(TyKind::Tuple(parts)) => {
                        parts.iter().map(|part| model.object(part)).collect::<Result<_, _>>()?
                    }
                    _ => Vec::new(),
                };
                model.component(&parts, &arrow, *index)
            }
            TermKind::If { condition: as_written, then, otherwise } => {
                let condition = self.arrow(as_written)?;
                let (branches, recursion) =
                    self.followed(|f| Ok::<_, InterpretError>((f.arrow(then)?, f.arrow(otherwise)?)));
                let (then, otherwise) = branches?;
                let choice = Choice { condition: as_written.clone(), ty: term.ty().clone(), recursion };
                model.case(&condition, &then, &otherwise, &choice)?
            }
            TermKind::Inject { constructor, argument } => self.injection(constructor, argument, term.ty())?,
            TermKind::Match { data, scrutinee, branches } => self.cases(data, scrutinee, branches)?,
            TermKind::To(iso) | TermKind::From(iso) => {
                let forward = matches!(term.kind(), TermKind::To(_));
                model.side(&self.arrow(iso)?, forward)?
            }
        })
    }

    /// Splits a `\\` into its domain, its codomain and the arrow of its body.
    fn function(&mut self, term: &Term) -> Result<Function<M>, InterpretError> {
        let model = self.model;
        let TermKind::Lambda { name, body } = term.kind() else {
            return Err(model.lacks("a function of another shape").into());
        };
        let (domain, codomain) = (model.object(&term.domain())?, model.object(body.ty())?);
        let body = self.under(domain.clone(), |f| f.arrow(body))?;
        Ok((domain, codomain, bound(name, self.decided(&term.domain()), body)))
    }

    fn place(&self, span: Span) -> Place {
        Place { definition: self.home.clone(), span: self.standing.unwrap_or(span) }
    }

    /// Interprets a definition: once, or once for each type of use if it depends on the type.
    fn definition(&mut self, definition: &Arc<Definition>, used: &Ty) -> Result<M::Arrow, InterpretError> {
        let key = Arc::as_ptr(definition) as usize;
        let used = (self.uses_parameters(definition) != Use::Nothing)
            .then(|| self.decided(used))
            .filter(|used| used.size() <= LARGEST_INSTANCE);
        let made = self.definitions.get(&key).map_or(&[][..], |made| made);
        // beyond the limit the definition is taken as it stands, without types for its parameters
        let used =
            used.filter(|used| made.len() < MOST_INSTANCES || made.iter().any(|(ty, _)| ty.as_ref() == Some(used)));
        if let Some((_, arrow)) = made.iter().find(|(ty, _)| *ty == used) {
            return Ok(self.model.compose(&self.context, &[], arrow));
        }
        let definition = used.as_ref().map_or_else(|| definition.clone(), |used| definition.at(used));
        // the definition is closed: its term is interpreted in the empty context
        let context = std::mem::take(&mut self.context);
        let leads = std::mem::take(&mut self.leads);
        let home = self.home.replace(definition.clone());
        let arrow = self.arrow(&definition.term);
        (self.context, self.leads, self.home) = (context, leads, home);
        let shared = self.model.shared(&definition, &arrow?);
        let arrow = self.model.compose(&self.context, &[], &shared);
        self.definitions.entry(key).or_default().push((used, shared));
        Ok(arrow)
    }

    /// Interprets `f e₁ … eₙ`: an operator at as many arguments as its arity, the remaining ones one by one.
    fn application(&mut self, term: &Term) -> Result<M::Arrow, InterpretError> {
        let (mut head, mut arguments) = (term, Vec::new());
        while let TermKind::Apply { function, argument } = head.kind() {
            arguments.push(argument);
            head = function;
        }
        arguments.reverse();
        let sided = |iso: &Term, side: fn(Constant) -> Operator| match iso.kind() {
            TermKind::Constant(constant) => Some((side(*constant), 1)),
            _ => None,
        };
        let operator = match head.kind() {
            TermKind::Constant(constant) if !self.model.writes_out(*constant) => {
                Some((Operator::Constant(*constant), constant.arity()))
            }
            TermKind::To(iso) => sided(iso, Operator::To),
            TermKind::From(iso) => sided(iso, Operator::From),
            _ => None,
        };
        // an operator with too few arguments is a function value, by the clause for constants
        let (mut function, applied) = match operator {
            Some((operator, arity)) if arity > 0 && arity <= arguments.len() => {
                (self.operator(operator, head, &arguments[..arity])?, arity)
            }
            _ => (self.arrow(head)?, 0),
        };
        for argument in &arguments[applied..] {
            let argument = self.arrow(argument)?;
            function = self.model.apply(&self.context, &function, &argument)?;
        }
        Ok(function)
    }

    /// Interprets an operator, at the place of `head`, at its arguments.
    fn operator(&mut self, operator: Operator, head: &Term, arguments: &[&Term]) -> Result<M::Arrow, InterpretError> {
        let mut interpreted = Vec::with_capacity(arguments.len());
        for argument in arguments {
            interpreted.push(match argument.kind() {
                // uncurried: the model may have no exponentials
                TermKind::Lambda { .. } if self.universal.is_none() => {
                    let (domain, codomain, body) = self.function(argument)?;
                    Argument::Function { domain, codomain, body }
                }
                _ => Argument::Value(self.arrow(argument)?),
            });
        }
        let (ty, place) = (self.seen(head.ty()), &self.place(head.span()));
        let application = Application { context: &self.context, operator, ty, arguments: &interpreted, place };
        Ok(self.model.operation(&application)?)
    }
}
