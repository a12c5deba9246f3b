//! Translation from programs of the library's language to terms of the core language.
//!
//! Functions that are not recursive, and higher-order functions, are inlined where they are applied; their arguments
//! are evaluated first, by `let`. A first-order definition without variables from outside becomes a `letrec` (A §2:
//! "when we define a function without recursion"). Tuples are nested to the left; several arguments become one tuple.
//! `abs`, `signum`, `max` and `min` become conditionals, so they are undefined where their branches meet.

mod conditional;
mod constant;
mod definition;

pub use super::program::Program;
use super::sugar;
use super::term::{Definition, Site, Term, TermKind, Variable};
use super::ty::Ty;
use crate::function::Function;
use crate::model::Place;
use crate::model::fragment::{Construct, Fragment, FragmentError};
use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term as source;
use crate::syntax::term::TermKind as Source;
use crate::syntax::ty::{Ty as SourceTy, TyKind};
use std::sync::Arc;

/// The largest number of nodes that are visited, inlined copies included. A choice: inlining may grow exponentially.
const NODES: usize = 1_000_000;

/// The largest number of parameters of a program's type that are set to ℝ. A choice: more would be no program to trace.
const PARAMETERS: usize = 64;

/// Translates a program to the core language. A function becomes a term whose free variables are its parameters. Type
/// parameters that are left open become the type of real numbers.
///
/// # Errors
/// [`FragmentError`]: a construct that the core language lacks, with its position, or more than 10⁶ nodes.
pub fn embed(program: &source::Term) -> Result<Program, FragmentError> {
    let mut embedder = Embedder { places: Vec::new(), pending: Vec::new(), nodes: 0 };
    // A polymorphic function, such as `dot` over any type of vectors, is taken at the real numbers.
    let types = std::iter::repeat_n(SourceTy::real(), PARAMETERS).collect();
    let setting = Setting { variables: None, home: None, types };
    let mut parameters = Vec::new();
    let (term, ty) = embedder.within(|embedder| {
        let mut found = embedder.of(program, &setting)?;
        let mut ty = program.ty();
        while let TyKind::Function(domain, codomain) = ty.kind() {
            let domain = embedder.first_order(domain, &setting, program.span())?;
            let x = Variable::fresh(&found.parameter_name());
            parameters.push((x.clone(), domain.clone()));
            found = embedder.apply(found, Static::Core(Term::variable(&x), domain), &setting, program.span())?;
            ty = codomain;
        }
        embedder.core(found, &setting, program.span())
    })?;
    Ok(Program { parameters, term, ty, places: embedder.places })
}

/// The value of a part of a program, as far as it is known before evaluation.
#[derive(Clone)]
enum Static {
    /// A term of a type of the core language.
    Core(Term, Ty),
    /// A function `\x => e`, with the scope of e.
    Function { name: Name, body: source::Term, setting: Setting },
    /// A constant with fewer arguments than its arity.
    Constant(Constant, Vec<Static>),
    /// A function of the core language with fewer arguments than its arity.
    Defined { function: Variable, domains: Vec<Ty>, codomain: Ty, arguments: Vec<Static> },
    /// A tuple with functions among its parts.
    Tuple(Vec<Static>),
}

impl Static {
    /// Returns the name for the parameter of a function.
    fn parameter_name(&self) -> Name {
        match self {
            Static::Function { name, .. } if &**name != "_" => name.clone(),
            _ => "x".into(),
        }
    }
}

/// The scope of a part: the values of its variables, the definition that contains it, and the types at which that is
/// used.
#[derive(Clone)]
struct Setting {
    variables: Option<Arc<(Static, Setting)>>,
    home: Option<Arc<source::Definition>>,
    types: Arc<[SourceTy]>,
}

impl Setting {
    /// Adds the value of a new innermost variable.
    fn with(&self, value: Static) -> Setting {
        Setting { variables: Some(Arc::new((value, self.clone()))), ..self.clone() }
    }

    /// Returns the value of the variable with a de Bruijn index.
    fn get(&self, index: usize) -> Option<&Static> {
        let mut setting = self;
        for _ in 0..index {
            setting = &setting.variables.as_ref()?.1;
        }
        Some(&setting.variables.as_ref()?.0)
    }
}

/// A binding that will be wrapped around the term being made.
enum Pending {
    Let(Variable, Ty, Term),
    LetRec(Arc<Definition>),
}

/// The state of a translation.
struct Embedder {
    places: Vec<Place>,
    pending: Vec<Pending>,
    nodes: usize,
}

/// A term with its type.
type Core = (Term, Ty);

impl Embedder {
    /// Returns the position of a part in the source.
    fn place(setting: &Setting, span: Span) -> Place {
        Place { definition: setting.home.clone(), span }
    }

    /// Makes a new site for a position.
    fn site(&mut self, setting: &Setting, span: Span) -> Site {
        self.places.push(Self::place(setting, span));
        Site::numbered(self.places.len() - 1)
    }

    /// Returns the error for a construct that the core language lacks.
    fn lacks<A>(&self, construct: Construct, setting: &Setting, span: Span) -> Result<A, FragmentError> {
        Err(FragmentError::Construct { fragment: Fragment::Abadi, construct, place: Self::place(setting, span) })
    }

    /// Translates a type. Fails if it is no first-order type of real numbers.
    fn first_order(&self, ty: &SourceTy, setting: &Setting, span: Span) -> Result<Ty, FragmentError> {
        let ty = ty.with(&setting.types);
        match ty.kind() {
            TyKind::Real => Ok(Ty::Real),
            TyKind::Unit => Ok(Ty::Unit),
            TyKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| deep(|| self.first_order(part, setting, span)));
                Ok(Ty::iterated(parts.collect::<Result<Vec<_>, _>>()?))
            }
            TyKind::Function(..) => self.lacks(Construct::Function, setting, span),
            TyKind::Nat => self.lacks(Construct::Natural, setting, span),
            TyKind::Bool => self.lacks(Construct::Truth, setting, span),
            TyKind::Variable(..) => self.lacks(Construct::UnknownType, setting, span),
            _ => self.lacks(Construct::Type(ty.clone()), setting, span),
        }
    }

    /// Runs `run`, and wraps the bindings that it has left pending around its result.
    fn within(&mut self, run: impl FnOnce(&mut Self) -> Result<Core, FragmentError>) -> Result<Core, FragmentError> {
        let outside = std::mem::take(&mut self.pending);
        let found = run(self);
        let inside = std::mem::replace(&mut self.pending, outside);
        let (term, ty) = found?;
        Ok((inside.into_iter().rev().fold(term, wrap), ty))
    }

    /// Runs `run` in the scope of a binder. The binder is wrapped around a term; around any other value, binder and
    /// bindings stay pending.
    fn under(
        &mut self,
        binder: Pending,
        run: impl FnOnce(&mut Self) -> Result<Static, FragmentError>,
    ) -> Result<Static, FragmentError> {
        let outside = std::mem::take(&mut self.pending);
        let found = run(self);
        let inside = std::mem::replace(&mut self.pending, outside);
        Ok(match found? {
            Static::Core(term, ty) => Static::Core(wrap(inside.into_iter().rev().fold(term, wrap), binder), ty),
            other => {
                self.pending.push(binder);
                self.pending.extend(inside);
                other
            }
        })
    }

    /// Returns the term of a value. Fails for functions.
    fn core(&mut self, found: Static, setting: &Setting, span: Span) -> Result<Core, FragmentError> {
        match found {
            Static::Core(term, ty) => Ok((term, ty)),
            _ => self.lacks(Construct::Function, setting, span),
        }
    }

    /// Translates a part whose value is first-order.
    fn term(&mut self, term: &source::Term, setting: &Setting) -> Result<Core, FragmentError> {
        let found = self.of(term, setting)?;
        self.core(found, setting, term.span())
    }

    /// Translates a part, and counts it.
    fn of(&mut self, term: &source::Term, setting: &Setting) -> Result<Static, FragmentError> {
        self.nodes += 1;
        if self.nodes > NODES {
            return Err(FragmentError::TooLarge { nodes: NODES, place: Self::place(setting, term.span()) });
        }
        deep(|| self.clause(term, setting))
    }

    /// Translates a part by its form.
    fn clause(&mut self, term: &source::Term, setting: &Setting) -> Result<Static, FragmentError> {
        let span = term.span();
        Ok(match term.kind() {
            Source::Variable { index, .. } => match setting.get(*index) {
                Some(found) => found.clone(),
                None => return self.lacks(Construct::IllTyped, setting, span),
            },
            // Definitions of modules are inlined at the types of their use.
            Source::Global(definition) => {
                let used = term.ty().with(&setting.types);
                let types = definition.scheme.instance(&used).into();
                let inside = Setting { variables: None, home: Some(definition.clone()), types };
                self.of(&definition.term, &inside)?
            }
            Source::Constant(constant) if !constant.is_linear_algebra() => self.constant(*constant, setting, span)?,
            Source::Constant(constant) => match constant.written_out(&term.ty().with(&setting.types)) {
                Some(written) => self.of(&written, setting)?,
                None => return self.lacks(Construct::UnknownType, setting, span),
            },
            Source::Real(q) => Static::Core(Term::number(q.clone()), Ty::Real),
            Source::Nat(_) => return self.lacks(Construct::Natural, setting, span),
            Source::Bool(_) => return self.lacks(Construct::Truth, setting, span),
            Source::Unit => Static::Core(Term::unit(), Ty::Unit),
            Source::Lambda { name, body } => {
                Static::Function { name: name.clone(), body: body.clone(), setting: setting.clone() }
            }
            Source::Apply { function, argument } if let Some(f) = polygamma(function, argument) => {
                Static::Constant(Constant::Elementary(f), Vec::new())
            }
            Source::Apply { function, argument } => {
                let function = self.of(function, setting)?;
                let argument = self.of(argument, setting)?;
                self.apply(function, argument, setting, span)?
            }
            // A first-order function stays a function; any other value is bound, or inlined if it contains functions.
            Source::Let { name, value, body } => {
                if let Some(definition) = self.definition(name, value, setting, false)? {
                    let function = defined(&definition.0, definition.1);
                    return self.under(Pending::LetRec(definition.0), |e| e.of(body, &setting.with(function)));
                }
                let value = self.of(value, setting)?;
                self.bound(name, value, |e, value| e.of(body, &setting.with(value)))?
            }
            Source::LetRec { name, value, body } => match self.definition(name, value, setting, true)? {
                Some((definition, domains)) => {
                    let function = defined(&definition, domains);
                    self.under(Pending::LetRec(definition), |e| e.of(body, &setting.with(function)))?
                }
                None => return self.lacks(Construct::IllTyped, setting, span),
            },
            Source::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.of(part, setting)).collect::<Result<_, _>>()?;
                tuple(parts)
            }
            Source::Project { tuple, index } => {
                let width = match tuple.ty().kind() {
                    TyKind::Tuple(parts) => parts.len(),
                    _ => return self.lacks(Construct::IllTyped, setting, span),
                };
                match self.of(tuple, setting)? {
                    // The other parts are evaluated too, since one of them may be undefined.
                    Static::Tuple(mut parts) if *index < parts.len() => {
                        let part = parts.swap_remove(*index);
                        self.evaluated(parts);
                        part
                    }
                    Static::Core(tuple, ty) => component(tuple, ty, *index, width),
                    _ => return self.lacks(Construct::IllTyped, setting, span),
                }
            }
            Source::If { condition, then, otherwise } => {
                let (term, ty) =
                    self.conditional(condition, setting, &mut |e| e.within(|e| e.term(then, setting)), &mut |e| {
                        e.within(|e| e.term(otherwise, setting))
                    })?;
                Static::Core(term, ty)
            }
            Source::To(_) | Source::From(_) => return self.lacks(Construct::Isomorphism, setting, span),
            Source::Inject { constructor, .. } => {
                return self.lacks(Construct::Constructor(constructor.name().clone()), setting, span);
            }
            Source::Match { .. } => return self.lacks(Construct::Match, setting, span),
        })
    }

    /// Binds a term to a variable by `let`. Variables and values with functions are used as they are.
    fn bound(
        &mut self,
        name: &Name,
        value: Static,
        run: impl FnOnce(&mut Self, Static) -> Result<Static, FragmentError>,
    ) -> Result<Static, FragmentError> {
        match value {
            Static::Core(term, ty) if !matches!(term.kind(), TermKind::Variable(_)) => {
                let x = Variable::fresh(name);
                let variable = Static::Core(Term::variable(&x), ty.clone());
                self.under(Pending::Let(x, ty, term), |e| run(e, variable))
            }
            known => run(self, known),
        }
    }

    /// Keeps values pending that are evaluated only for their definedness.
    fn evaluated(&mut self, values: Vec<Static>) {
        for value in values {
            match value {
                Static::Core(term, ty) if !term.is_value() => {
                    self.pending.push(Pending::Let(Variable::fresh(&"u".into()), ty, term));
                }
                Static::Tuple(parts) => self.evaluated(parts),
                _ => {}
            }
        }
    }

    /// Applies a value to an argument. Constants and functions of the core language wait until they have all of theirs.
    fn apply(
        &mut self,
        function: Static,
        argument: Static,
        setting: &Setting,
        span: Span,
    ) -> Result<Static, FragmentError> {
        match function {
            Static::Function { name, body, setting } => {
                self.bound(&name, argument, |e, value| e.of(&body, &setting.with(value)))
            }
            Static::Constant(constant, mut arguments) => {
                arguments.push(argument);
                if arguments.len() < constant.arity() {
                    return Ok(Static::Constant(constant, arguments));
                }
                self.saturated(constant, arguments, setting, span)
            }
            Static::Defined { function, domains, codomain, mut arguments } => {
                arguments.push(argument);
                if arguments.len() < domains.len() {
                    return Ok(Static::Defined { function, domains, codomain, arguments });
                }
                let Static::Core(argument, _) = tuple(arguments) else {
                    return self.lacks(Construct::Function, setting, span);
                };
                let site = self.site(setting, span);
                Ok(Static::Core(Term::from(TermKind::Call(function, argument)).at(site), codomain))
            }
            Static::Core(..) | Static::Tuple(_) => self.lacks(Construct::IllTyped, setting, span),
        }
    }
}

/// Wraps a binding around a term.
fn wrap(term: Term, around: Pending) -> Term {
    match around {
        Pending::Let(x, ty, value) => Term::bind(&x, ty, value, term),
        Pending::LetRec(definition) => TermKind::LetRec(definition, term).into(),
    }
}

/// Returns a definition as a function without arguments.
fn defined(definition: &Definition, domains: Vec<Ty>) -> Static {
    let (function, codomain) = (definition.function.clone(), definition.codomain.clone());
    Static::Defined { function, domains, codomain, arguments: Vec::new() }
}

/// Makes a tuple, nested to the left.
fn tuple(parts: Vec<Static>) -> Static {
    if !parts.iter().all(|part| matches!(part, Static::Core(..))) {
        return Static::Tuple(parts);
    }
    let parts = parts.into_iter().filter_map(|part| match part {
        Static::Core(term, ty) => Some((term, ty)),
        _ => None,
    });
    let pair = |(left, t): Core, (right, u): Core| (Term::pair(t.clone(), u.clone(), left, right), Ty::product(t, u));
    let (term, ty) = parts.reduce(pair).unwrap_or_else(|| (Term::unit(), Ty::Unit));
    Static::Core(term, ty)
}

/// Returns a component of a left-nested tuple with `width` parts.
fn component(tuple: Term, ty: Ty, index: usize, width: usize) -> Static {
    // `fst` drops the last part; after enough of them, `snd` is the part wanted.
    let (mut term, mut ty) = (tuple, ty);
    for place in (1..width).rev() {
        let Ty::Product(parts) = &ty else { break };
        let (t, u) = (**parts).clone();
        if place == index {
            return Static::Core(TermKind::Second(t, u.clone(), term).into(), u);
        }
        term = TermKind::First(t.clone(), u, term).into();
        ty = t;
    }
    Static::Core(term, ty)
}

/// Makes `-M`, componentwise.
fn negative(ty: &Ty, term: Term) -> Term {
    let of_reals = |a: Term, _: Term| Term::operation(super::operation::Operation::Negate, a);
    match ty {
        Ty::Real => of_reals(term, Term::unit()),
        // There is no unary analogue of `componentwise`; its second argument 0_T is a value, and is not used.
        _ => sugar::componentwise(ty, term, sugar::zero(ty), &of_reals),
    }
}

/// Returns the polygamma function at an order that is a literal; `None` for any other application.
fn polygamma(function: &source::Term, order: &source::Term) -> Option<Function> {
    match (function.kind(), order.kind()) {
        (Source::Constant(Constant::Polygamma), Source::Nat(order)) => Function::polygamma(*order),
        _ => None,
    }
}
