//! The functor: terms to arrows of a model, the same for every model.
//!
//! A clause for each form of terms, those of S Fig. 6 (see [`Model`]). A definition is interpreted once, out of the empty
//! context, and [shared](Model::shared) by its uses; so a chain of definitions that each use the one before twice costs as
//! much as it is long.
//!
//! A [universal](Model::universal) model needs no types. For any other the program is [reduced](super::reduce) to normal
//! form first: there, functions stand only where a constant wants one, so every type follows from those of the variables.

mod cases;
mod typed;

use super::reduce::{self, ReduceError};
use super::{Application, Argument, Bound, Choice, Model, Operator, Place, Unsupported};
use crate::failure::{ErrorKind, Failure};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use typed::Instance;

/// Why a program has no arrow in a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterpretError {
    /// The model lacks a construct.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The program could not be reduced to normal form.
    #[error(transparent)]
    Reduction(#[from] ReduceError),
    /// A variable that nothing binds.
    #[error("the program mentions a variable, `{name}`, that nothing binds")]
    Unbound {
        /// Its name.
        name: String,
    },
    /// The type of a part does not follow from the context.
    #[error("the type of a part of the program does not follow from what is around it")]
    Untyped {
        /// The part.
        span: Span,
    },
}

impl Failure for InterpretError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Unsupported(_) => ErrorKind::Unsupported,
            Self::Reduction(_) => ErrorKind::Limit,
            Self::Unbound { .. } | Self::Untyped { .. } => ErrorKind::Wrong,
        }
    }
}

/// The arrow `⟦Γ⟧ → ⟦B⟧` of a term `Γ ⊢ e : B` in a model.
///
/// | argument | meaning |
/// |---|---|
/// | `context` | the types of the variables of Γ, the innermost last |
/// | `term` | well-typed, as the inference leaves it |
/// | `ty` | B |
///
/// # Errors
/// [`InterpretError`]: a construct that the model lacks, above all.
///
/// # Examples
/// ```
/// use smoothish::meaning::float::{Float, Value};
/// use smoothish::model::environment::Environment;
/// use smoothish::model::{interpret, universe::Evaluator};
/// use smoothish::number::budget::Budget;
/// use smoothish::syntax::library::Library;
/// use std::sync::Arc;
///
/// let (term, ty) = Library::new().infer_expression("deriv (λ x ⇒ x * x) 3")?;
/// let model = Evaluator::new(Float::new(Arc::new(Budget::unlimited())));
/// let arrow = interpret(&model, &[], &term, &ty)?;
/// let value = arrow.run(&model.0, &Environment::default())?;
/// assert_eq!(value.as_real()?.value(), 6.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn interpret<M: Model>(model: &M, context: &[Ty], term: &Term, ty: &Ty) -> Result<M::Arrow, InterpretError> {
    let universal = model.universal();
    let term = match &universal {
        Some(_) => term.clone(),
        None => reduce::normal(context.len(), term).map_err(|error| match error {
            ReduceError::Recursive { .. } => model.lacks("recursive types").into(),
            ReduceError::Guard { comparison } => model.lacks(comparison).into(),
            error => InterpretError::from(error),
        })?,
    };
    let mut functor = Functor {
        model,
        universal,
        context: Vec::new(),
        types: Vec::new(),
        definitions: FxHashMap::default(),
        choosing: FxHashMap::default(),
        instance: Vec::new(),
        leads: vec![None; context.len()],
        led: None,
        home: None,
    };
    for ty in context {
        functor.context.push(functor.object(Some(ty))?);
        functor.types.push(Some(ty.clone()));
    }
    let expected = if functor.universal.is_some() { None } else { Some(ty) };
    Ok(functor.arrow(&term, expected)?.0)
}

/// For how many types a definition is interpreted, and how large these may be.
const MOST_INSTANCES: usize = 64;
/// See [`MOST_INSTANCES`].
const LARGEST_INSTANCE: usize = 1_000;

struct Functor<'m, M: Model> {
    model: &'m M,
    universal: Option<M::Object>,
    context: Vec<M::Object>,
    types: Vec<Option<Ty>>,
    /// The arrows of definitions, by address: the type for which each was made, if it has conditionals of open types.
    definitions: FxHashMap<usize, Vec<Made<M>>>,
    choosing: FxHashMap<usize, bool>,
    /// The types that stand for the parameters of the definition whose term is being interpreted.
    instance: Vec<Ty>,
    /// Which variables are recursive functions, or stand for something that leads to one: its name.
    leads: Vec<Option<Name>>,
    /// Such a variable that was met since this was last emptied.
    led: Option<Name>,
    /// The definition whose term is being interpreted.
    home: Option<Arc<Definition>>,
}

fn bound<A>(name: &Name, body: A) -> Bound<A> {
    Bound { name: name.clone(), body }
}

/// The arrow of a definition, and the type for which it was made.
type Made<M> = (Option<Ty>, <M as Model>::Arrow);

/// An arrow, and the type of its codomain in models that are not universal.
type Typed<M> = (<M as Model>::Arrow, Option<Ty>);

impl<M: Model> Functor<'_, M> {
    fn object(&self, ty: Option<&Ty>) -> Result<M::Object, Unsupported> {
        match (&self.universal, ty) {
            (Some(universal), _) => Ok(universal.clone()),
            (None, Some(ty)) => self.model.object(ty),
            (None, None) => Err(self.model.lacks("a part whose type is not known")),
        }
    }

    /// What `run` gives with one more variable in scope.
    fn under<R>(&mut self, object: M::Object, ty: Option<Ty>, run: impl FnOnce(&mut Self) -> R) -> R {
        self.leading(None, object, ty, run)
    }

    /// The same for a variable that leads to a recursive function.
    fn leading<R>(
        &mut self,
        leads: Option<Name>,
        object: M::Object,
        ty: Option<Ty>,
        run: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.context.push(object);
        self.types.push(ty);
        self.leads.push(leads);
        let result = run(self);
        self.context.pop();
        self.types.pop();
        self.leads.pop();
        result
    }

    /// What `run` gives, and the recursive function to which it leads.
    fn followed<R>(&mut self, run: impl FnOnce(&mut Self) -> R) -> (R, Option<Name>) {
        let before = self.led.take();
        let result = run(self);
        let led = self.led.take();
        self.led = before.or_else(|| led.clone());
        (result, led)
    }

    fn arrow(&mut self, term: &Term, expected: Option<&Ty>) -> Result<Typed<M>, InterpretError> {
        deep(|| self.clause(term, expected))
    }

    fn clause(&mut self, term: &Term, expected: Option<&Ty>) -> Result<Typed<M>, InterpretError> {
        let model = self.model;
        let untyped = || InterpretError::Untyped { span: term.span() };
        let of = |kind: TyKind| if self.universal.is_some() { None } else { Some(Ty::new(kind)) };
        Ok(match term.kind() {
            TermKind::Variable { index, name } => {
                let place = self.context.len().checked_sub(index.saturating_add(1));
                let place = place.ok_or_else(|| InterpretError::Unbound { name: name.to_string() })?;
                if let Some(Some(function)) = self.leads.get(place) {
                    self.led = Some(function.clone());
                }
                (model.variable(&self.context, place), self.types[place].clone())
            }
            TermKind::Global(definition) => (self.definition(definition, term.ty())?, expected.cloned()),
            TermKind::Real(q) => (model.number(&self.context, q), of(TyKind::Real)),
            TermKind::Nat(n) => (model.natural_number(&self.context, *n)?, of(TyKind::Nat)),
            TermKind::Bool(b) => (model.truth(&self.context, *b)?, of(TyKind::Bool)),
            TermKind::Unit => (model.tuple(&self.context, &[]), of(TyKind::Unit)),
            TermKind::Lambda { name, body } => {
                let (domain, codomain) = match expected.map(Ty::kind) {
                    Some(TyKind::Function(a, b)) => (Some(a), Some(b)),
                    _ if self.universal.is_some() => (None, None),
                    _ => {
                        // a model without functions says so
                        model.exponential(&model.real(), &model.real())?;
                        return Err(untyped());
                    }
                };
                let (object, result) = (self.object(domain)?, self.object(codomain)?);
                let (body, _) = self.under(object.clone(), domain.cloned(), |f| f.arrow(body, codomain))?;
                (model.curry(&self.context, &object, &result, &bound(name, body))?, expected.cloned())
            }
            TermKind::Apply { .. } => self.application(term, expected)?,
            TermKind::Constant(constant) if constant.arity() == 0 => {
                let place = self.place(term.span());
                self.operator(Operator::Constant(*constant), &[], &place, expected)?
            }
            TermKind::Constant(constant) => {
                let place = self.place(term.span());
                (model.constant(&self.context, *constant, expected, &place)?, expected.cloned())
            }
            TermKind::Let { name, value, body } => {
                let (value, leads) = self.followed(|f| f.arrow(value, None));
                let (value, ty) = value?;
                let object = model.of_value(self.object(ty.as_ref())?, &value);
                let (body, result) = self.leading(leads, object, ty, |f| f.arrow(body, expected))?;
                (model.bind(&self.context, &value, &bound(name, body)), result)
            }
            TermKind::LetRec { name, value, body } => {
                let object = match &self.universal {
                    Some(universal) => universal.clone(),
                    None => return Err(model.lacks("recursion on natural numbers that are not known").into()),
                };
                let itself = Some(name.clone());
                let (value, _) = self.leading(itself, object.clone(), None, |f| f.arrow(value, None))?;
                let function = model.recursion(&self.context, &bound(name, value))?;
                let (body, result) = self.under(object, None, |f| f.arrow(body, expected))?;
                (model.bind(&self.context, &function, &bound(name, body)), result)
            }
            TermKind::Tuple(parts) => {
                let expected = |i: usize| match expected.map(Ty::kind) {
                    Some(TyKind::Tuple(types)) => types.get(i),
                    _ => None,
                };
                let (mut arrows, mut types) = (Vec::with_capacity(parts.len()), Vec::new());
                for (i, part) in parts.iter().enumerate() {
                    let (arrow, ty) = self.arrow(part, expected(i))?;
                    arrows.push(arrow);
                    types.extend(ty);
                }
                let ty = (types.len() == parts.len()).then(|| Ty::new(TyKind::Tuple(types)));
                (model.tuple(&self.context, &arrows), ty)
            }
            TermKind::Project { tuple, index } => {
                let (tuple, ty) = self.arrow(tuple, None)?;
                match ty.as_ref().map(Ty::kind) {
                    _ if self.universal.is_some() => (model.component(&[], &tuple, *index), None),
                    Some(TyKind::Tuple(parts)) if *index < parts.len() => {
                        let objects: Vec<_> = parts.iter().map(|part| model.object(part)).collect::<Result<_, _>>()?;
                        (model.component(&objects, &tuple, *index), Some(parts[*index].clone()))
                    }
                    _ => return Err(untyped()),
                }
            }
            TermKind::If { condition: as_written, then, otherwise } => {
                let (condition, _) = self.arrow(as_written, None)?;
                let (branches, recursion) = self
                    .followed(|f| Ok::<_, InterpretError>((f.arrow(then, expected)?, f.arrow(otherwise, expected)?.0)));
                let ((then, ty), otherwise) = branches?;
                let choice = Choice { condition: as_written.clone(), ty: term.ty().with(&self.instance), recursion };
                (model.case(&condition, &then, &otherwise, &choice)?, ty)
            }
            TermKind::Inject { constructor, argument } => {
                self.injection(constructor, argument, term.span(), expected)?
            }
            TermKind::Match { data, scrutinee, branches } => {
                self.cases(data, scrutinee, branches, term.span(), expected)?
            }
            TermKind::To(iso) | TermKind::From(iso) => {
                let (iso, ty) = self.arrow(iso, None)?;
                let forward = matches!(term.kind(), TermKind::To(_));
                let side = match ty.as_ref().map(Ty::kind) {
                    Some(TyKind::Iso(a, b)) if forward => Some(Ty::function(a.clone(), b.clone())),
                    Some(TyKind::Iso(a, b)) => Some(Ty::function(b.clone(), a.clone())),
                    _ => expected.cloned(),
                };
                (model.side(&iso, forward)?, side)
            }
        })
    }

    fn place(&self, span: Span) -> Place {
        Place { definition: self.home.clone(), span }
    }

    /// The arrow of a definition, made once; or once for each type for which it is used, where it chooses by that type.
    fn definition(&mut self, definition: &Arc<Definition>, used: &Ty) -> Result<M::Arrow, InterpretError> {
        let key = Arc::as_ptr(definition) as usize;
        let used = (M::CHOOSES_BY_TYPE && self.chooses(definition))
            .then(|| used.with(&self.instance))
            .filter(|used| used.size() <= LARGEST_INSTANCE);
        let made = self.definitions.get(&key).map_or(&[][..], |made| made);
        // whatever comes after too many is taken as it stands, without types for its parameters
        let used =
            used.filter(|used| made.len() < MOST_INSTANCES || made.iter().any(|(ty, _)| ty.as_ref() == Some(used)));
        if let Some((_, arrow)) = made.iter().find(|(ty, _)| *ty == used) {
            return Ok(self.model.compose(&self.context, &[], arrow));
        }
        let instance = used.as_ref().map_or_else(Vec::new, |used| {
            let mut instance = Instance::new(definition.scheme.parameters.len());
            instance.learn(&definition.scheme.ty, used);
            instance.types()
        });
        let context = std::mem::take(&mut self.context);
        let types = std::mem::take(&mut self.types);
        let leads = std::mem::take(&mut self.leads);
        let instance = std::mem::replace(&mut self.instance, instance);
        let home = self.home.replace(definition.clone());
        let arrow = self.arrow(&definition.term, Some(&definition.scheme.ty));
        (self.context, self.types, self.leads, self.instance, self.home) = (context, types, leads, instance, home);
        let shared = self.model.shared(definition, &arrow?.0);
        let arrow = self.model.compose(&self.context, &[], &shared);
        self.definitions.entry(key).or_default().push((used, shared));
        Ok(arrow)
    }

    /// Whether a definition with parameters, or one that it uses, has a conditional of a type that depends on them.
    fn chooses(&mut self, definition: &Arc<Definition>) -> bool {
        if definition.scheme.parameters.is_empty() {
            return false;
        }
        let key = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.choosing.get(&key) {
            return *known;
        }
        let found = self.chooses_in(&definition.term);
        self.choosing.insert(key, found);
        found
    }

    fn chooses_in(&mut self, term: &Term) -> bool {
        match term.kind() {
            TermKind::If { .. } if !term.ty().is_closed() => return true,
            TermKind::Global(definition) if !term.ty().is_closed() => return deep(|| self.chooses(definition)),
            _ => {}
        }
        term.kind().children().any(|child| deep(|| self.chooses_in(child)))
    }

    /// `f e₁ … eₙ`: an operator at as many arguments as it waits for, and what is left is applied one by one.
    fn application(&mut self, term: &Term, expected: Option<&Ty>) -> Result<Typed<M>, InterpretError> {
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
            TermKind::Constant(constant) => Some((Operator::Constant(*constant), constant.arity())),
            TermKind::To(iso) => sided(iso, Operator::To),
            TermKind::From(iso) => sided(iso, Operator::From),
            _ => None,
        };
        let ((mut function, mut ty), applied) = match operator {
            Some((operator, arity)) if arity > 0 && arity <= arguments.len() => {
                let place = self.place(head.span());
                let expected = if arity == arguments.len() { expected } else { None };
                (self.operator(operator, &arguments[..arity], &place, expected)?, arity)
            }
            _ => (self.arrow(head, None)?, 0),
        };
        for argument in &arguments[applied..] {
            let (domain, codomain) = match ty.as_ref().map(Ty::kind) {
                Some(TyKind::Function(a, b)) => (Some(a.clone()), Some(b.clone())),
                _ => (None, None),
            };
            let (argument, _) = self.arrow(argument, domain.as_ref())?;
            function = self.model.apply(&self.context, &function, &argument)?;
            ty = codomain;
        }
        Ok((function, ty))
    }

    fn operator(
        &mut self,
        operator: Operator,
        arguments: &[&Term],
        place: &Place,
        expected: Option<&Ty>,
    ) -> Result<Typed<M>, InterpretError> {
        let (mut interpreted, mut ty, mut result) = (Vec::with_capacity(arguments.len()), None, None);
        if self.universal.is_some() {
            for argument in arguments {
                interpreted.push(Argument::Value(self.arrow(argument, None)?.0));
            }
        } else {
            let typed = self.typed_operator(operator, arguments, place, expected)?;
            interpreted = typed.0;
            result = Some(arguments.iter().fold(typed.1.clone(), |ty, _| match ty.kind() {
                TyKind::Function(_, codomain) => codomain.clone(),
                _ => ty,
            }));
            ty = Some(typed.1);
        }
        let application =
            Application { context: &self.context, operator, ty: ty.as_ref(), arguments: &interpreted, place };
        Ok((self.model.operation(&application)?, result))
    }
}
