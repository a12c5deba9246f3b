//! The Taylor macro 𝒟_(k,R) as a model (H §3.2, §5.1; Ex. 6.1).
//!
//! It is the structure-preserving functor from programs to programs that maps ℜ to tuples of ℜ, one for each multi-index, and an
//! operation to its Taylor representation.
//!
//! | | H §3.2, §5.1 | here |
//! |---|---|---|
//! | 𝒟(real) | `real^C(R+k, k)` | a tuple, [`types`](super::types) |
//! | 𝒟(x), 𝒟(λx.t), 𝒟(t s), 𝒟⟨…⟩, 𝒟(case …) | the same with 𝒟 of the parts | [`Model`]'s structure |
//! | 𝒟(c) | ⟨c, 0, …, 0⟩ (E28) | [`Model::number`] |
//! | 𝒟(op(t₁, …, tₙ)) | case 𝒟(t₁) of … ⟨D^0 op, …⟩ | the function `op'` of [`jet`](super::jet) at 𝒟(t₁), …, 𝒟(tₙ) |
//! | 𝒟(τ.ℓ t), 𝒟([]), 𝒟(t :: s), 𝒟(fold …) | the same with 𝒟 of the parts | [`Model`]'s structure |
//! | 𝒟(f), of a definition | – | a definition `f'`, once for all its uses |
//!
//! Natural numbers and truth values are discrete and stay as they are. Derivatives and integrals have representations too, though
//! H's language lacks them. Let f′ be the representation of f. That of the derivative is `∂_s f′(x₀ + s, x₁, …)_α` at s = 0,
//! since a shift of the argument changes only its value. An integral is linear. Operations with kinks, and the solvers of
//! equations, have no representation here.
//!
//! A [`Known`] exponent makes a power an operation of one argument. An unknown one makes it exp (y · log x), whose derivatives
//! need x > 0.

mod constants;
mod second_order;

use super::basis::Basis;
use super::block::{term, variable};
use super::hooks::{Hooks, Library};
use super::jet::Jets;
use super::partial::Operation;
use super::types::{Types, jet};
use crate::model::reduce::arithmetic;
use crate::model::{Application, Argument, Bound, Choice, Model, Operator, Place, Unsupported};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::substitution::{same, weakened};
use crate::syntax::term::{Branch, Definition, Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The model of the Taylor macro, whose target is the language itself.
#[derive(Debug)]
pub struct Taylor {
    basis: Basis,
    hooks: &'static dyn Hooks,
    types: Types,
    /// The functions made for operations so far.
    lifted: Mutex<FxHashMap<Lifted, Arc<Definition>>>,
    /// The names of the definitions made so far.
    names: Mutex<FxHashSet<Name>>,
}

/// An operation that becomes a function of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Lifted {
    Operation(Operation),
    Derivative,
    Integral,
}

/// A program in a context, with its value if that is a known number.
#[derive(Clone, Debug)]
pub struct Code {
    /// The program.
    pub term: Term,
    constant: Option<Rational>,
}

/// The value of a number if it is known, as that of an exponent has to be.
pub type Known = Option<Rational>;

impl From<Term> for Code {
    fn from(term: Term) -> Self {
        Self { term, constant: None }
    }
}

impl Taylor {
    /// Builds the macro over a basis.
    #[must_use]
    pub fn new(basis: Basis) -> Self {
        Self::under(&Library, basis)
    }

    /// Builds the macro over a basis with other rules.
    #[must_use]
    pub fn under(hooks: &'static dyn Hooks, basis: Basis) -> Self {
        let types = Types::new(basis.len());
        Self { basis, hooks, types, lifted: Mutex::default(), names: Mutex::default() }
    }

    /// Returns the multi-indices.
    #[must_use]
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// Returns `true` if there are rules for operations analytic only on pieces.
    #[must_use]
    pub fn has_pieces(&self) -> bool {
        self.hooks.has_pieces()
    }

    /// Returns the program that is derived for this one.
    pub(super) fn source(&self, term: &Term) -> Term {
        self.hooks.source(term).unwrap_or_else(|| term.clone())
    }

    /// Returns 𝒟 of a type.
    #[must_use]
    pub fn ty(&self, ty: &Ty) -> Ty {
        self.types.ty(ty)
    }

    /// Returns the declared types made by the macro, each after those that it mentions.
    #[must_use]
    pub fn declared(&self) -> Vec<Data> {
        self.types.made()
    }

    /// Builds `λx. 𝒟(t)`, annotated with 𝒟 of the type of x, since inference may not find it.
    fn lambda(&self, body: &Bound<Code>) -> Term {
        Term::lambda(body.name.clone(), self.ty(&body.ty), body.body.term.clone(), Span::default())
    }

    /// Returns a name, with primes, that no other definition made by the macro has.
    fn named(&self, name: &str) -> Name {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut name = format!("{name}'");
        while !names.insert(name.as_str().into()) {
            name.push('\'');
        }
        name.into()
    }

    /// Returns the function for an operation, as a definition such as `sin'`; made once.
    fn lifted(&self, what: Lifted) -> Term {
        let mut lifted = self.lifted.lock().unwrap_or_else(PoisonError::into_inner);
        let definition = lifted.entry(what).or_insert_with_key(|what| {
            let number = jet(self.basis.len());
            let curried = |arity| (0..arity).fold(number.clone(), |ty, _| Ty::function(number.clone(), ty));
            let (name, term, ty) = match what {
                Lifted::Operation(operation) => {
                    let given = self.hooks.operation(operation);
                    let term = given.unwrap_or_else(|| Jets::lifted(&self.basis, operation, self.hooks));
                    let ty = curried(operation.arity());
                    // the order n of a polygamma function is a natural number and stays as it is
                    let of_an_order = *operation == Operation::Polygamma;
                    let ty = if of_an_order { Ty::function(Ty::new(TyKind::Nat), ty) } else { ty };
                    (name(operation), term, ty)
                }
                Lifted::Derivative => ("deriv".into(), self.derivative(), Ty::function(curried(1), curried(1))),
                Lifted::Integral => ("integral01".into(), self.integral(), Ty::function(curried(1), number)),
            };
            Arc::new(Definition {
                module: "".into(),
                name: self.named(&name),
                scheme: Scheme { parameters: Vec::new(), ty },
                term,
                doc: String::new(),
                span: Span::default(),
                constructor: None,
            })
        });
        term(TermKind::Global(definition.clone()))
    }

    /// Returns the jet ⟨c, 0, …, 0⟩.
    fn still(&self, value: Term) -> Term {
        self.hooks.number(value, self.basis.len())
    }
}

/// Returns the base name of an operation; its image adds a prime.
fn name(operation: &Operation) -> Name {
    match operation {
        Operation::Constant(Constant::Multiply) => "times".into(),
        Operation::Constant(Constant::Divide) => "over".into(),
        Operation::Constant(Constant::RealPower) => "power".into(),
        Operation::Constant(constant) => constant.name().into(),
        Operation::Polygamma => Constant::Polygamma.name().into(),
        Operation::Power(q) => {
            let sign = if *q < 0 { "minus" } else { "" };
            let (p, denominator) = (q.numer().clone().abs(), q.denom());
            if *denominator == 1 {
                format!("power{sign}{p}").into()
            } else {
                format!("power{sign}{p}over{denominator}").into()
            }
        }
    }
}

/// Folds an operation on known numbers, so that an exponent may be written `-1/2`.
fn folded(constant: Constant, arguments: &[Code]) -> Known {
    let numbers: Option<Vec<&Rational>> = arguments.iter().map(|argument| argument.constant.as_ref()).collect();
    arithmetic(constant, &numbers?)
}

impl Model for Taylor {
    type Object = Known;
    type Arrow = Code;
    const NAME: &'static str = "taylor";

    // Objects carry only known values: 𝒟 of a term needs no types but those of its constructors.
    fn universal(&self) -> Option<Known> {
        Some(None)
    }
    // a variable bound to a known number is a known number as well
    fn of_value(&self, _: Known, value: &Code) -> Known {
        value.constant.clone()
    }
    fn real(&self) -> Known {
        None
    }
    fn natural(&self) -> Result<Known, Unsupported> {
        Ok(None)
    }
    fn boolean(&self) -> Result<Known, Unsupported> {
        Ok(None)
    }
    fn product(&self, _: &[Known]) -> Known {
        None
    }
    fn exponential(&self, _: &Known, _: &Known) -> Result<Known, Unsupported> {
        Ok(None)
    }
    fn tangent(&self, _: &Known) -> Result<Known, Unsupported> {
        Err(self.lacks("tangents"))
    }
    fn sum(&self, _: &Data, _: &[Known]) -> Result<Known, Unsupported> {
        Ok(None)
    }
    fn list(&self, _: &Known) -> Result<Known, Unsupported> {
        Ok(None)
    }

    fn variable(&self, context: &[Known], index: usize) -> Code {
        let term = variable(context.len() - 1 - index, &"x".into());
        Code { term, constant: context[index].clone() }
    }
    fn compose(&self, _: &[Known], parts: &[Code], outer: &Code) -> Code {
        // the variables of `outer` are the parts, the last one innermost
        let bound = parts.iter().enumerate().rev().fold(outer.term.clone(), |body, (before, part)| {
            term(TermKind::Let { name: "x".into(), value: weakened(&part.term, 0, before), body })
        });
        Code { term: bound, constant: outer.constant.clone() }
    }
    fn bind(&self, _: &[Known], value: &Code, body: &Bound<Code>) -> Code {
        // annotated, since inference may not find the type of the value
        let value = Term::typed(value.term.kind().clone(), self.ty(&body.ty), Span::default());
        term(TermKind::Let { name: body.name.clone(), value, body: body.body.term.clone() }).into()
    }
    fn tuple(&self, _: &[Known], parts: &[Code]) -> Code {
        match parts {
            [] => term(TermKind::Unit).into(),
            _ => {
                let parts = parts.iter().map(|part| part.term.clone());
                term(TermKind::Tuple(parts.collect())).into()
            }
        }
    }
    fn component(&self, _: &[Known], tuple: &Code, index: usize) -> Code {
        term(TermKind::Project { tuple: tuple.term.clone(), index }).into()
    }
    fn curry(&self, _: &[Known], _: &Known, _: &Known, body: &Bound<Code>) -> Result<Code, Unsupported> {
        Ok(self.lambda(body).into())
    }
    fn apply(&self, _: &[Known], function: &Code, argument: &Code) -> Result<Code, Unsupported> {
        Ok(Term::apply(function.term.clone(), argument.term.clone(), Span::default()).into())
    }
    fn case(&self, condition: &Code, then: &Code, otherwise: &Code, _: &Choice) -> Result<Code, Unsupported> {
        let [condition, then, otherwise] = [condition, then, otherwise].map(|code| code.term.clone());
        Ok(term(TermKind::If { condition, then, otherwise }).into())
    }
    fn inject(
        &self,
        _: &[Known],
        _: &[Known],
        (constructor, ty): (&Constructor, &Ty),
        argument: &Code,
    ) -> Result<Code, Unsupported> {
        let constructor = self.types.constructor(constructor);
        Ok(Term::inject(constructor, argument.term.clone(), self.ty(ty), Span::default()).into())
    }
    fn cases(
        &self,
        _: &[Known],
        _: &[Known],
        data: &Data,
        scrutinee: &Code,
        branches: &[Bound<Code>],
    ) -> Result<Code, Unsupported> {
        let branch = |branch: &Bound<Code>| Branch { name: branch.name.clone(), body: branch.body.term.clone() };
        let branches = branches.iter().map(branch).collect();
        let (data, scrutinee) = (self.types.data(data), scrutinee.term.clone());
        Ok(term(TermKind::Match { data, scrutinee, branches }).into())
    }
    fn roll(&self, _: &[Known], layer: &Code) -> Result<Code, Unsupported> {
        // lists are a declared type of the target language, so the isomorphism is the identity
        Ok(layer.clone())
    }
    fn unroll(&self, _: &[Known], list: &Code) -> Result<Code, Unsupported> {
        Ok(list.clone())
    }
    fn recursion(&self, _: &[Known], value: &Bound<Code>, _: &Place) -> Result<Code, Unsupported> {
        let (name, value) = (value.name.clone(), value.body.term.clone());
        let body = variable(0, &name);
        Ok(term(TermKind::LetRec { name, value, body }).into())
    }
    fn side(&self, _: &Code, _: bool) -> Result<Code, Unsupported> {
        Err(self.lacks("isomorphisms"))
    }

    fn number(&self, _: &[Known], value: &Rational) -> Code {
        Code { term: self.still(term(TermKind::Real(value.clone()))), constant: Some(value.clone()) }
    }
    fn natural_number(&self, _: &[Known], value: u64) -> Result<Code, Unsupported> {
        Ok(term(TermKind::Nat(value)).into())
    }
    fn truth(&self, _: &[Known], value: bool) -> Result<Code, Unsupported> {
        Ok(term(TermKind::Bool(value)).into())
    }
    fn constant(&self, _: &[Known], constant: Constant, _: Option<&Ty>, _: &Place) -> Result<Code, Unsupported> {
        // a constant without a function of its own is η-expanded
        let names = ["x", "y", "z"].map(Name::from);
        let arity = constant.arity();
        let arguments: Vec<Code> = (0..arity).map(|i| variable(arity - 1 - i, &names[i]).into()).collect();
        let body = self.constant_at(constant, &arguments)?;
        let body =
            names[..arity].iter().rev().fold(body, |body, name| term(TermKind::Lambda { name: name.clone(), body }));
        Ok(body.into())
    }
    fn writes_out(&self, constant: Constant) -> bool {
        // vector operations become sums and products of jets
        constant.is_of_vectors()
    }
    fn operation(&self, application: &Application<'_, Self>) -> Result<Code, Unsupported> {
        let Operator::Constant(constant) = application.operator else {
            return Err(self.lacks("isomorphisms"));
        };
        let arguments: Vec<Code> = application
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Value(code) => code.clone(),
                Argument::Function { body, .. } => self.lambda(body).into(),
            })
            .collect();
        let term = self.constant_at(constant, &arguments)?;
        Ok(Code { term, constant: folded(constant, &arguments) })
    }
    fn shared(&self, definition: &Arc<Definition>, closed: &Code) -> Code {
        let ty = self.ty(&definition.scheme.ty);
        // a definition without numbers is its own image, also at its other types
        let definition = if ty == definition.scheme.ty && same(&closed.term, &definition.term) {
            definition.clone()
        } else {
            Arc::new(Definition {
                module: "".into(),
                name: self.named(&definition.name),
                scheme: Scheme { parameters: definition.scheme.parameters.clone(), ty },
                term: closed.term.clone(),
                doc: format!("The Taylor representation of `{}`.", definition.name),
                span: definition.span,
                constructor: None,
            })
        };
        Code { term: term(TermKind::Global(definition)), constant: closed.constant.clone() }
    }
}
