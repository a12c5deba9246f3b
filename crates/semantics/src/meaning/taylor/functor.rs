//! The Taylor macro 𝒟_(k,R) as a model (H §3.2, §5.1; Ex. 6.1).
//!
//! It is the structure-preserving functor from programs to programs that maps ℜ to tuples of ℜ, one for each multi-index, and an
//! operation to its Taylor representation.
//!
//! | | H §3.2, §5.1 | here |
//! |---|---|---|
//! | 𝒟(real) | `real^C(R+k, k)` | a tuple, [`types`](super::types) |
//! | 𝒟(x), 𝒟(λx.t), 𝒟(t s), 𝒟⟨…⟩, 𝒟(case …) | the same with 𝒟 of the parts | [`Model`]'s structure |
//! | 𝒟(c) | ⟨c, 0, …, 0⟩ (E28) | [`Model::real_number`] |
//! | 𝒟(op(t₁, …, tₙ)) | case 𝒟(t₁) of … ⟨D^0 op, …⟩ | the function `op'` of [`jet`](super::jet) at 𝒟(t₁), …, 𝒟(tₙ) |
//! | 𝒟(τ.ℓ t), 𝒟([]), 𝒟(t :: s), 𝒟(fold …) | the same with 𝒟 of the parts | [`Model`]'s structure |
//! | 𝒟(f), of a definition | – | a definition `f'`, once for all its uses |
//!
//! Natural numbers and truth values are discrete and stay as they are. Derivatives and integrals have representations too, though
//! H's language lacks them. Let f′ be the representation of f. That of the derivative is `∂_s f′(x₀ + s, x₁, …)_α` at s = 0,
//! since a shift of the argument changes only its value. An integral is linear. Operations with kinks, and the solvers of
//! equations, have no representation here.
//!
//! A [`KnownNumber`] exponent makes a power an operation of one argument. An unknown one makes it exp (y · log x), whose derivatives
//! need x > 0.
//!
//! All types become one object, which carries a known exponent or nothing: 𝒟 of a term needs no types. The types
//! of the result are inferred again (`syntax::infer::core`): that is Lemma 1 as a check, and gives the annotations
//! that a reader needs. An operation becomes a definition, so a derived program is as large as the program and a
//! table of operations.

mod constants;
mod second_order;

use super::basis::Basis;
use super::block::{term_without_source, variable_term};
use super::hooks::{DefaultTaylorHooks, TaylorHooks};
use super::jet::JetBuilder;
use super::partial::SmoothOperation;
use super::types::{TypeTranslation, jet_type};
use crate::model::reduce::fold_constant;
use crate::model::{
    AppliedOperator, BoundArrow, ConditionalInfo, Model, OperatorApplication, OperatorArgument, SourceLocation,
    Unsupported,
};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::substitution::{alpha_equal, weaken_from};
use crate::syntax::term::{Definition, MatchBranch, Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// The model of the Taylor macro, whose target is the language itself.
#[derive(Debug)]
pub struct Taylor {
    basis: Basis,
    hooks: &'static dyn TaylorHooks,
    types: TypeTranslation,
    /// The functions made for operations so far.
    lifted_definition: Mutex<FxHashMap<LiftedOperation, Arc<Definition>>>,
    /// The names of the definitions made so far.
    names: Mutex<FxHashSet<Name>>,
}

/// An operation that becomes a function of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LiftedOperation {
    Operation(SmoothOperation),
    Derivative,
    Integral,
}

/// A program in a context, with its value if that is a known number.
#[derive(Clone, Debug)]
pub struct TaylorTerm {
    /// The program.
    pub term: Term,
    constant: Option<Rational>,
}

/// The value of a number if it is known, as that of an exponent has to be.
pub type KnownNumber = Option<Rational>;

impl From<Term> for TaylorTerm {
    fn from(term: Term) -> Self {
        Self { term, constant: None }
    }
}

impl Taylor {
    /// Builds the macro over a basis.
    #[must_use]
    pub fn new(basis: Basis) -> Self {
        Self::with_hooks(&DefaultTaylorHooks, basis)
    }

    /// Builds the macro over a basis with other rules.
    #[must_use]
    pub fn with_hooks(hooks: &'static dyn TaylorHooks, basis: Basis) -> Self {
        let types = TypeTranslation::new(basis.len());
        Self { basis, hooks, types, lifted_definition: Mutex::default(), names: Mutex::default() }
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
    pub(super) fn source_program(&self, term: &Term) -> Term {
        self.hooks.source_program(term).unwrap_or_else(|| term.clone())
    }

    /// Returns 𝒟 of a type.
    #[must_use]
    pub fn derive_type(&self, ty: &Ty) -> Ty {
        self.types.translate_type(ty)
    }

    /// Returns the declared types made by the macro, each after those that it mentions.
    #[must_use]
    pub fn made_types(&self) -> Vec<DataType> {
        self.types.made_types()
    }

    /// Builds `λx. 𝒟(t)`, annotated with 𝒟 of the type of x, since inference may not find it.
    fn typed_lambda(&self, body: &BoundArrow<TaylorTerm>) -> Term {
        Term::lambda(body.name.clone(), self.derive_type(&body.ty), body.body.term.clone(), Span::default())
    }

    /// Returns a name, with primes, that no other definition made by the macro has.
    fn primed_name(&self, name: &str) -> Name {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut name = format!("{name}'");
        while !names.insert(name.as_str().into()) {
            name.push('\'');
        }
        name.into()
    }

    /// Returns the function for an operation, as a definition such as `sin'`; made once.
    fn lifted_definition(&self, what: LiftedOperation) -> Term {
        let mut lifted = self.lifted_definition.lock().unwrap_or_else(PoisonError::into_inner);
        let definition = lifted.entry(what).or_insert_with_key(|what| {
            let number = jet_type(self.basis.len());
            let curried = |arity| (0..arity).fold(number.clone(), |ty, _| Ty::function(number.clone(), ty));
            let (name, term, ty) = match what {
                LiftedOperation::Operation(operation) => {
                    let given = self.hooks.lifted_operation(operation);
                    let term = given.unwrap_or_else(|| JetBuilder::lift_operation(&self.basis, operation, self.hooks));
                    let ty = curried(operation.arity());
                    // the order n of a polygamma function is a natural number and stays as it is
                    let of_an_order = *operation == SmoothOperation::Polygamma;
                    let ty = if of_an_order { Ty::function(Ty::new(TyKind::Nat), ty) } else { ty };
                    (operation_name(operation), term, ty)
                }
                LiftedOperation::Derivative => {
                    ("deriv".into(), self.derivative_function(), Ty::function(curried(1), curried(1)))
                }
                LiftedOperation::Integral => {
                    ("integral01".into(), self.integral_function(), Ty::function(curried(1), number))
                }
            };
            Arc::new(Definition {
                module: "".into(),
                name: self.primed_name(&name),
                scheme: Scheme { parameters: Vec::new(), ty },
                term,
                doc: String::new(),
                span: Span::default(),
                constructor: None,
            })
        });
        term_without_source(TermKind::Global(definition.clone()))
    }

    /// Returns the jet ⟨c, 0, …, 0⟩.
    fn constant_jet(&self, value: Term) -> Term {
        self.hooks.constant_jet(value, self.basis.len())
    }
}

/// Returns the base name of an operation; its image adds a prime.
fn operation_name(operation: &SmoothOperation) -> Name {
    match operation {
        SmoothOperation::Constant(Constant::Multiply) => "times".into(),
        SmoothOperation::Constant(Constant::Divide) => "over".into(),
        SmoothOperation::Constant(Constant::RealPower) => "power".into(),
        SmoothOperation::Constant(constant) => constant.name().into(),
        SmoothOperation::Polygamma => Constant::Polygamma.name().into(),
        SmoothOperation::Power(q) => {
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
fn fold_known(constant: Constant, arguments: &[TaylorTerm]) -> KnownNumber {
    let numbers: Option<Vec<&Rational>> = arguments.iter().map(|argument| argument.constant.as_ref()).collect();
    fold_constant(constant, &numbers?)
}

impl Model for Taylor {
    type Object = KnownNumber;
    type Arrow = TaylorTerm;
    const NAME: &'static str = "taylor";

    // Objects carry only known values: 𝒟 of a term needs no types but those of its constructors.
    fn universal_object(&self) -> Option<KnownNumber> {
        Some(None)
    }
    // a variable bound to a known number is a known number as well
    fn object_of_value(&self, _: KnownNumber, value: &TaylorTerm) -> KnownNumber {
        value.constant.clone()
    }
    fn real_object(&self) -> KnownNumber {
        None
    }
    fn natural_object(&self) -> Result<KnownNumber, Unsupported> {
        Ok(None)
    }
    fn boolean_object(&self) -> Result<KnownNumber, Unsupported> {
        Ok(None)
    }
    fn product_object(&self, _: &[KnownNumber]) -> KnownNumber {
        None
    }
    fn exponential_object(&self, _: &KnownNumber, _: &KnownNumber) -> Result<KnownNumber, Unsupported> {
        Ok(None)
    }
    fn tangent_object(&self, _: &KnownNumber) -> Result<KnownNumber, Unsupported> {
        Err(self.unsupported_error("tangents"))
    }
    fn sum_object(&self, _: &DataType, _: &[KnownNumber]) -> Result<KnownNumber, Unsupported> {
        Ok(None)
    }
    fn list_object(&self, _: &KnownNumber) -> Result<KnownNumber, Unsupported> {
        Ok(None)
    }

    fn project_variable(&self, context: &[KnownNumber], index: usize) -> TaylorTerm {
        let term = variable_term(context.len() - 1 - index, &"x".into());
        TaylorTerm { term, constant: context[index].clone() }
    }
    fn compose(&self, _: &[KnownNumber], parts: &[TaylorTerm], outer: &TaylorTerm) -> TaylorTerm {
        // the variables of `outer` are the parts, the last one innermost
        let bound = parts.iter().enumerate().rev().fold(outer.term.clone(), |body, (before, part)| {
            term_without_source(TermKind::Let { name: "x".into(), value: weaken_from(&part.term, 0, before), body })
        });
        TaylorTerm { term: bound, constant: outer.constant.clone() }
    }
    fn bind(&self, _: &[KnownNumber], value: &TaylorTerm, body: &BoundArrow<TaylorTerm>) -> TaylorTerm {
        // annotated, since inference may not find the type of the value
        let value = Term::with_type(value.term.kind().clone(), self.derive_type(&body.ty), Span::default());
        term_without_source(TermKind::Let { name: body.name.clone(), value, body: body.body.term.clone() }).into()
    }
    fn tuple(&self, _: &[KnownNumber], parts: &[TaylorTerm]) -> TaylorTerm {
        match parts {
            [] => term_without_source(TermKind::Unit).into(),
            _ => {
                let parts = parts.iter().map(|part| part.term.clone());
                term_without_source(TermKind::Tuple(parts.collect())).into()
            }
        }
    }
    fn project_component(&self, _: &[KnownNumber], tuple: &TaylorTerm, index: usize) -> TaylorTerm {
        term_without_source(TermKind::Project { tuple: tuple.term.clone(), index }).into()
    }
    fn curry(
        &self,
        _: &[KnownNumber],
        _: &KnownNumber,
        _: &KnownNumber,
        body: &BoundArrow<TaylorTerm>,
    ) -> Result<TaylorTerm, Unsupported> {
        Ok(self.typed_lambda(body).into())
    }
    fn apply(
        &self,
        _: &[KnownNumber],
        function: &TaylorTerm,
        argument: &TaylorTerm,
    ) -> Result<TaylorTerm, Unsupported> {
        Ok(Term::apply(function.term.clone(), argument.term.clone(), Span::default()).into())
    }
    fn case_boolean(
        &self,
        condition: &TaylorTerm,
        then: &TaylorTerm,
        otherwise: &TaylorTerm,
        _: &ConditionalInfo,
    ) -> Result<TaylorTerm, Unsupported> {
        let [condition, then, otherwise] = [condition, then, otherwise].map(|code| code.term.clone());
        Ok(term_without_source(TermKind::If { condition, then, otherwise }).into())
    }
    fn inject(
        &self,
        _: &[KnownNumber],
        _: &[KnownNumber],
        (constructor, ty): (&Constructor, &Ty),
        argument: &TaylorTerm,
    ) -> Result<TaylorTerm, Unsupported> {
        let constructor = self.types.translate_constructor(constructor);
        Ok(Term::inject(constructor, argument.term.clone(), self.derive_type(ty), Span::default()).into())
    }
    fn case_sum(
        &self,
        _: &[KnownNumber],
        _: &[KnownNumber],
        data: &DataType,
        scrutinee: &TaylorTerm,
        branches: &[BoundArrow<TaylorTerm>],
    ) -> Result<TaylorTerm, Unsupported> {
        let branch =
            |branch: &BoundArrow<TaylorTerm>| MatchBranch { name: branch.name.clone(), body: branch.body.term.clone() };
        let branches = branches.iter().map(branch).collect();
        let (data, scrutinee) = (self.types.translate_data(data), scrutinee.term.clone());
        Ok(term_without_source(TermKind::Match { data, scrutinee, branches }).into())
    }
    fn roll_list(&self, _: &[KnownNumber], layer: &TaylorTerm) -> Result<TaylorTerm, Unsupported> {
        // lists are a declared type of the target language, so the isomorphism is the identity
        Ok(layer.clone())
    }
    fn unroll_list(&self, _: &[KnownNumber], list: &TaylorTerm) -> Result<TaylorTerm, Unsupported> {
        Ok(list.clone())
    }
    fn fixed_point(
        &self,
        _: &[KnownNumber],
        value: &BoundArrow<TaylorTerm>,
        _: &SourceLocation,
    ) -> Result<TaylorTerm, Unsupported> {
        let (name, value) = (value.name.clone(), value.body.term.clone());
        let body = variable_term(0, &name);
        Ok(term_without_source(TermKind::LetRec { name, value, body }).into())
    }
    fn isomorphism_side(&self, _: &TaylorTerm, _: bool) -> Result<TaylorTerm, Unsupported> {
        Err(self.unsupported_error("isomorphisms"))
    }

    fn real_number(&self, _: &[KnownNumber], value: &Rational) -> TaylorTerm {
        TaylorTerm {
            term: self.constant_jet(term_without_source(TermKind::Real(value.clone()))),
            constant: Some(value.clone()),
        }
    }
    fn natural_number(&self, _: &[KnownNumber], value: u64) -> Result<TaylorTerm, Unsupported> {
        Ok(term_without_source(TermKind::Nat(value)).into())
    }
    fn truth_value(&self, _: &[KnownNumber], value: bool) -> Result<TaylorTerm, Unsupported> {
        Ok(term_without_source(TermKind::Bool(value)).into())
    }
    fn interpret_constant(
        &self,
        _: &[KnownNumber],
        constant: Constant,
        _: Option<&Ty>,
        _: &SourceLocation,
    ) -> Result<TaylorTerm, Unsupported> {
        // a constant without a function of its own is η-expanded
        let names = ["x", "y", "z"].map(Name::from);
        let arity = constant.arity();
        let arguments: Vec<TaylorTerm> = (0..arity).map(|i| variable_term(arity - 1 - i, &names[i]).into()).collect();
        let body = self.derive_constant(constant, &arguments)?;
        let body = names[..arity]
            .iter()
            .rev()
            .fold(body, |body, name| term_without_source(TermKind::Lambda { name: name.clone(), body }));
        Ok(body.into())
    }
    fn expands_constant(&self, constant: Constant) -> bool {
        // vector operations become sums and products of jets
        constant.is_expandable()
    }
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<TaylorTerm, Unsupported> {
        let AppliedOperator::Constant(constant) = application.operator else {
            return Err(self.unsupported_error("isomorphisms"));
        };
        let arguments: Vec<TaylorTerm> = application
            .arguments
            .iter()
            .map(|argument| match argument {
                OperatorArgument::Value(code) => code.clone(),
                OperatorArgument::Function { body, .. } => self.typed_lambda(body).into(),
            })
            .collect();
        let term = self.derive_constant(constant, &arguments)?;
        Ok(TaylorTerm { term, constant: fold_known(constant, &arguments) })
    }
    fn share_definition(&self, definition: &Arc<Definition>, closed: &TaylorTerm) -> TaylorTerm {
        let ty = self.derive_type(&definition.scheme.ty);
        // a definition without numbers is its own image, also at its other types
        let definition = if ty == definition.scheme.ty && alpha_equal(&closed.term, &definition.term) {
            definition.clone()
        } else {
            Arc::new(Definition {
                module: "".into(),
                name: self.primed_name(&definition.name),
                scheme: Scheme { parameters: definition.scheme.parameters.clone(), ty },
                term: closed.term.clone(),
                doc: format!("The Taylor representation of `{}`.", definition.name),
                span: definition.span,
                constructor: None,
            })
        };
        TaylorTerm { term: term_without_source(TermKind::Global(definition)), constant: closed.constant.clone() }
    }
}
