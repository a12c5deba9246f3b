//! The Taylor macro 𝒟_(k,R) as a model (H §3.2, §5.1; Ex. 6.1).
//!
//! It is the structure-preserving functor from programs to programs that maps ℜ to tuples of ℜ, one for each multi-index, and an
//! operation to its Taylor representation.
//!
//! | | H §3.2, §5.1 | here |
//! |---|---|---|
//! | 𝒟(real) | `real^C(R+k, k)` | a tuple, [`types`](super::functor) |
//! | 𝒟(x), 𝒟(λx.t), 𝒟(t s), 𝒟⟨…⟩, 𝒟(case …) | the same with 𝒟 of the parts | [`Model`]'s structure |
//! | 𝒟(c) | ⟨c, 0, …, 0⟩ (E28) | [`Model::real_number`] |
//! | 𝒟(op(t₁, …, tₙ)) | case 𝒟(t₁) of … ⟨D^0 op, …⟩ | the function `op'` of [`jet`](super::jet) at 𝒟(t₁), …, 𝒟(tₙ) |
//! | 𝒟(τ.ℓ t), 𝒟([]), 𝒟(t :: s), 𝒟(fold …) | the same with 𝒟 of the parts | [`Model`]'s structure |
//! | 𝒟(f), of a definition | – | a definition `f'`, once for all its uses |
//!
//! Natural numbers and truth values are discrete and stay as they are. Derivatives and integrals have representations too, though
//! H's language lacks them. Let f′ be the representation of f. That of the derivative is `∂_s f′(x₀ + s, x₁, …)_α` at s = 0,
//! since a shift of the argument changes only its value. An integral is linear. Those of roots and optima are in
//! [`functional`](super::functional). Operations with kinks have no representation unless the [rules](TaylorHooks) say so:
//! [`PiecewiseTaylorHooks`] and [`ClarkeTaylorHooks`] do.
//!
//! A [`KnownNumber`] exponent makes a power an operation of one argument. An unknown one makes it exp (y · log x), whose derivatives
//! need x > 0.
//!
//! All types become one object, which carries a known exponent or nothing: 𝒟 of a term needs no types. The types
//! of the result are inferred again (`syntax::infer::core`): that is Lemma 1 as a check, and gives the annotations
//! that a reader needs. An operation becomes a definition, so a derived program is as large as the program and a
//! table of operations.
//!
//! # 𝒟 of a constant at all its arguments
//!
//! 𝒟 of a constant at all its arguments (H §3.2, §5.1).
//!
//! # Taylor representations of derivatives and integrals
//!
//! Taylor representations of derivatives and integrals, which H's language lacks.
//!
//! # 𝒟 on types
//!
//! 𝒟 on types (H §3.2, §5.1): ℜ becomes a tuple of ℜ, every other type constructor is kept.
//!
//! A declared type with ℜ in the arguments of its constructors becomes a new type. Its name and those of its constructors get a
//! prime. A parameter may be any type, so `Maybe Real` becomes `Maybe` of jets.
//!
//! # The replaceable rules of the macro
//!
//! The points of mutation for tests.
//!
//! # 𝒟 of piecewise programs
//!
//! 𝒟 of piecewise programs (W §3.3): the rules of the macro for operations analytic only on pieces.
//!
//! | term | 𝒟, with one direction and of order 1: dual numbers | W §3.3 |
//! |---|---|---|
//! | `x < y`, `x == y`, … | the comparison of the values: branches follow the primal point | 𝒟(if) |
//! | `abs x`, `max x y`, `min x y` | that of the piece, the border on the side of `>=`, or `<=` for `min` | `c_𝒟` |
//! | `signum x` | 1, 0 or -1, with the slope 0 | `c_𝒟` |
//! | `sqrt x`, `cbrt x`, `x ^ (p/q)` | at 0 the number 0 with the slope 0; else the operation | `c_𝒟`, total where c is (W18) |
//! | `asin x`, `acos x`, `acosh x` | at the edges their values with the slope 0; else the operation | the same |
//! | `atan2 y x` | for y = 0 > x the number π with the slope 0; else the operation | the same |
//!
//! Everything else is as in the [macro](super): functions of functions and recursions are kept. It shares only the language with
//! the model [`pap`](crate::meaning::pap), where a derivative is that of the map of a path.

use super::block::{BlockValue, JetBlock, apply_constant_term, term_without_source, variable_term};
use super::functional::lift_solver;
use super::jet::{Basis, JetBuilder};
use super::partial::SmoothOperation;
use crate::function::{BinaryShape, Functional};
use crate::model::fragment::{Fragment, FragmentError};
use crate::model::reduce::fold_constant;
use crate::model::{
    AppliedOperator, BoundArrow, ConditionalInfo, Model, OperatorApplication, OperatorArgument, SourceLocation,
    Unsupported,
};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::substitution::{alpha_equal, weaken_from};
use crate::syntax::term::{Definition, MatchBranch, Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The model of the Taylor macro, or of a macro with [rules](NumberRules) of its own. Its target is the language itself.
#[derive(Debug)]
#[doc(alias("𝒟", "macro", "AD macro"))]
pub struct Taylor {
    numbers: NumberImage,
    types: TypeTranslation,
    /// The functions made for operations so far.
    lifted_definition: Mutex<FxHashMap<LiftedOperation, Arc<Definition>>>,
    /// The names of the definitions made so far.
    names: Mutex<FxHashSet<Name>>,
    /// `true` if a program had a construct whose value or slopes may jump.
    has_jumps: AtomicBool,
}

/// The images of numbers and operations.
#[derive(Debug)]
enum NumberImage {
    /// Jets over a basis, with the rules of the Taylor macro.
    Jets(Basis, &'static dyn TaylorHooks),
    /// Elements of another type, by other rules.
    Rules(Arc<dyn NumberRules>),
}

/// The rules of a macro that keeps everything but numbers: 𝒟(real), 𝒟 of constants and of operations, as programs.
///
/// Such a macro is determined by these images (H Lemma 4). It keeps variables, functions, tuples, variants and lists.
pub trait NumberRules: Debug + Send + Sync {
    /// Returns 𝒟(real), a closed type.
    fn carrier(&self) -> Ty;
    /// Returns 𝒟 of a number: `value` is a literal, π, e, or `toReal n` in the scope of n.
    fn constant(&self, value: Term) -> Term;
    /// Returns 𝒟 of an operation: a closed function of as many elements of the carrier as the operation has numbers.
    ///
    /// A special function has a natural number, its order, as first argument. Returns `None` if there is no rule. A whole power
    /// without a rule becomes a product.
    fn operation(&self, operation: &SmoothOperation) -> Option<Term>;
}

/// An operation that becomes a function of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LiftedOperation {
    Operation(SmoothOperation),
    Derivative,
    Solver(Functional),
    /// The integral; `true` with the test that the integrand is defined everywhere.
    Integral(bool),
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
        let number = jet_type(basis.len());
        Self::with_image(NumberImage::Jets(basis, hooks), number)
    }

    /// Builds the macro of other rules, whose numbers need not be jets.
    #[must_use]
    pub fn with_rules(rules: Arc<dyn NumberRules>) -> Self {
        let number = rules.carrier();
        Self::with_image(NumberImage::Rules(rules), number)
    }

    fn with_image(numbers: NumberImage, number: Ty) -> Self {
        let types = TypeTranslation::of_numbers(number);
        let has_jumps = AtomicBool::new(false);
        Self { numbers, types, lifted_definition: Mutex::default(), names: Mutex::default(), has_jumps }
    }

    /// Returns `true` if the macro has [rules](NumberRules) of its own, and not those of jets.
    pub(super) fn has_own_rules(&self) -> bool {
        matches!(self.numbers, NumberImage::Rules(_))
    }

    /// Checks that there is a rule for every part of a program, and notes whether parts of it may jump. Whether there are
    /// [rules](NumberRules) of another macro is found when it is run.
    ///
    /// # Errors
    /// [`FragmentError::Construct`], at the first part without a rule.
    pub(super) fn check_rules(&self, source: &Term) -> Result<(), FragmentError> {
        let NumberImage::Jets(_, hooks) = &self.numbers else { return Ok(()) };
        // only set, never reset: integrals of later programs get a test that they may not need, and no wrong number
        if uses_constant(source, &may_jump, &mut FxHashSet::default()) {
            self.has_jumps.store(true, Ordering::Relaxed);
        }
        hooks.fragment().admits_term_with(source, &|constant| hooks.has_kink_rule(constant))
    }

    /// Returns the program that is derived for this one.
    pub(super) fn source_program(&self, term: &Term) -> Term {
        match &self.numbers {
            NumberImage::Jets(_, hooks) => hooks.source_program(term),
            NumberImage::Rules(_) => None,
        }
        .unwrap_or_else(|| term.clone())
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
    fn lifted_definition(&self, what: LiftedOperation) -> Result<Term, Unsupported> {
        if let Some(known) = self.lock_lifted().get(&what) {
            return Ok(term_without_source(TermKind::Global(known.clone())));
        }
        // built without the lock, since the function of an optimum uses that of `deriv`
        let (name, term, ty) = self.lifted_function(&what)?;
        let define = || {
            Arc::new(Definition {
                module: "".into(),
                name: self.primed_name(&name),
                scheme: Scheme { parameters: Vec::new(), ty },
                term,
                doc: String::new(),
                span: Span::default(),
                constructor: None,
                foreign: None,
            })
        };
        let definition = self.lock_lifted().entry(what).or_insert_with(define).clone();
        Ok(term_without_source(TermKind::Global(definition)))
    }

    fn lock_lifted(&self) -> MutexGuard<'_, FxHashMap<LiftedOperation, Arc<Definition>>> {
        self.lifted_definition.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the name of an operation, and its function on the images of numbers with the type.
    fn lifted_function(&self, what: &LiftedOperation) -> Result<(Name, Term, Ty), Unsupported> {
        let number = self.derive_type(&Ty::real());
        let curried = |arity| (0..arity).fold(number.clone(), |ty, _| Ty::function(number.clone(), ty));
        Ok(match what {
            LiftedOperation::Operation(operation) => {
                let term = self.lifted_operation(operation)?;
                let ty = curried(operation.arity());
                // the order n of a special function is a natural number and stays as it is
                let of_an_order = matches!(operation, SmoothOperation::Special(_));
                let ty = if of_an_order { Ty::function(Ty::new(TyKind::Nat), ty) } else { ty };
                (operation_name(operation), term, ty)
            }
            LiftedOperation::Derivative => {
                ("deriv".into(), self.derivative_function()?, Ty::function(curried(1), curried(1)))
            }
            LiftedOperation::Solver(solver) => {
                let (basis, hooks) = self.jet_rules(solver.name())?;
                // only jets come here, and these have the function
                let derivative = || {
                    let function = self.lifted_definition(LiftedOperation::Derivative);
                    function.unwrap_or_else(|_| Term::constant(Constant::Deriv))
                };
                let term = lift_solver(basis, hooks, *solver, &derivative);
                (solver.name().into(), term, Ty::function(curried(1), number))
            }
            LiftedOperation::Integral(is_tested) => (
                Functional::Integral.name().into(),
                self.integral_function(*is_tested)?,
                Ty::function(curried(1), number),
            ),
        })
    }

    /// Returns the image of an operation, by the rules of the macro.
    fn lifted_operation(&self, operation: &SmoothOperation) -> Result<Term, Unsupported> {
        match &self.numbers {
            NumberImage::Jets(basis, hooks) => {
                let given = hooks.lifted_operation(operation);
                Ok(given.unwrap_or_else(|| JetBuilder::lift_operation(basis, operation, *hooks)))
            }
            NumberImage::Rules(rules) => rules
                .operation(operation)
                .ok_or_else(|| self.unsupported_error(format!("`{}`", describe_operation(operation)))),
        }
    }

    /// Returns ⟨c, 0, …, 0⟩, or 𝒟(c) by other rules.
    fn constant_image(&self, value: Term) -> Term {
        match &self.numbers {
            NumberImage::Jets(basis, hooks) => hooks.constant_jet(value, basis.len()),
            NumberImage::Rules(rules) => rules.constant(value),
        }
    }

    /// Returns the basis and the rules of jets, for an image that only jets have.
    fn jet_rules(&self, what: &str) -> Result<(&Basis, &'static dyn TaylorHooks), Unsupported> {
        match &self.numbers {
            NumberImage::Jets(basis, hooks) => Ok((basis, *hooks)),
            NumberImage::Rules(_) => Err(self.unsupported_error(format!("`{what}`"))),
        }
    }

    /// Returns the image of `+`, `-` or negation at a type: componentwise on tuples, and by a rule on numbers.
    fn linear_function(&self, constant: Constant, ty: &Ty) -> Result<Term, Unsupported> {
        Ok(match ty.kind() {
            TyKind::Real => self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(constant)))?,
            TyKind::Tuple(parts) => {
                let names = ["x", "y"].map(Name::from);
                let names = &names[..constant.arity()];
                let component = |(index, part): (usize, &Ty)| {
                    let function = with_stack(|| self.linear_function(constant, part))?;
                    let parts = (0..names.len()).map(|place| {
                        let tuple = variable_term(names.len() - 1 - place, &names[place]);
                        term_without_source(TermKind::Project { tuple, index })
                    });
                    Ok(parts.fold(function, |f, x| Term::apply(f, x, Span::default())))
                };
                let body = parts.iter().enumerate().map(component).collect::<Result<_, Unsupported>>()?;
                let domain = self.derive_type(ty);
                names.iter().rev().fold(term_without_source(TermKind::Tuple(body)), |body, name| {
                    Term::lambda(name.clone(), domain.clone(), body, Span::default())
                })
            }
            _ if !ty.is_closed() => {
                let sign = constant.operator_sign().unwrap_or(constant.name());
                return Err(self.unsupported_error(format!("`{sign}` at a type that is not known")));
            }
            // natural numbers, and the unit
            _ => Term::constant(constant),
        })
    }
}

/// Returns an operation as it is written in a program.
fn describe_operation(operation: &SmoothOperation) -> String {
    match operation {
        SmoothOperation::Constant(constant) => constant.operator_sign().unwrap_or(constant.name()).to_owned(),
        SmoothOperation::Special(id) => Constant::Special(*id).name().to_owned(),
        SmoothOperation::Power(q) if *q.denom() == 1 && *q >= 0 => format!("x ^ {q}"),
        SmoothOperation::Power(q) => format!("x ^ ({q})"),
    }
}

/// Returns the base name of an operation; its image adds a prime.
fn operation_name(operation: &SmoothOperation) -> Name {
    match operation {
        SmoothOperation::Constant(Constant::Multiply) => "times".into(),
        SmoothOperation::Constant(Constant::Divide) => "over".into(),
        SmoothOperation::Constant(Constant::RealPower) => "power".into(),
        SmoothOperation::Constant(constant) => constant.name().into(),
        SmoothOperation::Special(id) => Constant::Special(*id).name().into(),
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
            term: self.constant_image(term_without_source(TermKind::Real(value.clone()))),
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
        ty: Option<&Ty>,
        _: &SourceLocation,
    ) -> Result<TaylorTerm, Unsupported> {
        // a constant without a function of its own is η-expanded
        let names = ["x", "y", "z"].map(Name::from);
        let arity = constant.arity();
        let arguments: Vec<TaylorTerm> = (0..arity).map(|i| variable_term(arity - 1 - i, &names[i]).into()).collect();
        if let Some(domain) = self.linear_domain(constant, ty) {
            return Ok(self.linear_function(constant, domain)?.into());
        }
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
    fn depends_on_type(&self, constant: Constant) -> bool {
        // on jets these act coordinate by coordinate, at every type
        self.has_own_rules() && is_linear(constant)
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
        let known = fold_known(constant, &arguments);
        let term = match (self.linear_domain(constant, application.ty), &known) {
            // arithmetic of literals is a literal, so that -1/2 needs no rule of division
            (_, Some(q)) if self.has_own_rules() => self.constant_image(term_without_source(TermKind::Real(q.clone()))),
            (Some(domain), _) => {
                let function = self.linear_function(constant, domain)?;
                arguments.iter().fold(function, |f, x| Term::apply(f, x.term.clone(), Span::default()))
            }
            (None, _) => self.derive_constant(constant, &arguments)?,
        };
        Ok(TaylorTerm { term, constant: known })
    }
    fn share_definition(&self, definition: &Arc<Definition>, closed: &TaylorTerm) -> TaylorTerm {
        // the name of a constant from outside has no program of its own
        if matches!(definition.term.kind(), TermKind::Constant(Constant::Foreign(_))) {
            return closed.clone();
        }
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
                foreign: None,
            })
        };
        TaylorTerm { term: term_without_source(TermKind::Global(definition)), constant: closed.constant.clone() }
    }
}

/// Returns `true` if the constant acts on tuples coordinate by coordinate.
fn is_linear(constant: Constant) -> bool {
    matches!(constant, Constant::Add | Constant::Subtract | Constant::Negate)
}

impl Taylor {
    /// Returns the type at which `+`, `-` or negation is applied; `None` for other constants, and for jets.
    fn linear_domain<'t>(&self, constant: Constant, ty: Option<&'t Ty>) -> Option<&'t Ty> {
        match ty.filter(|_| self.depends_on_type(constant))?.kind() {
            TyKind::Function(domain, _) => Some(domain),
            _ => None,
        }
    }

    /// Builds `λx. λn.` the product of n factors x, where each multiplication is one of jets.
    fn natural_power_function(&self) -> Result<Term, Unsupported> {
        let [power, x, n]: [Name; 3] = ["power", "x", "n"].map(Name::from);
        let (real, natural) = (self.derive_type(&Ty::real()), Ty::new(TyKind::Nat));
        let number = |n| term_without_source(TermKind::Nat(n));
        let apply = |function: Term, arguments: [Term; 2]| {
            arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
        };
        let less = apply_constant_term(Constant::Subtract, [variable_term(0, &n), number(1)]);
        let rest = apply(variable_term(2, &power), [variable_term(1, &x), less]);
        let times =
            self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(Constant::Multiply)))?;
        let body = term_without_source(TermKind::If {
            condition: apply_constant_term(Constant::Equal, [variable_term(0, &n), number(0)]),
            then: self.constant_image(term_without_source(TermKind::Real(1.into()))),
            otherwise: apply(times, [variable_term(1, &x), rest]),
        });
        let value = Term::lambda(n, natural, body, Span::default());
        let value = Term::lambda(x, real, value, Span::default());
        let body = variable_term(0, &power);
        Ok(term_without_source(TermKind::LetRec { name: power, value, body }))
    }

    /// Returns the image of a constant applied to all its arguments.
    fn derive_constant(&self, constant: Constant, arguments: &[TaylorTerm]) -> Result<Term, Unsupported> {
        let terms = || arguments.iter().map(|argument| argument.term.clone());
        let at = |function: Term| terms().fold(function, |f, x| Term::apply(f, x, Span::default()));
        let in_pieces = |arguments: &[Term], smooth: Option<&Term>| match &self.numbers {
            NumberImage::Jets(basis, hooks) => hooks.lift_piecewise(constant, arguments, basis, smooth),
            NumberImage::Rules(_) => None,
        };
        Ok(match constant {
            // Linear operations already act on tuples componentwise; operations on discrete data are kept.
            Constant::Add | Constant::Subtract | Constant::Negate => apply_constant_term(constant, terms()),
            Constant::NaturalProduct
            | Constant::NaturalDifference
            | Constant::Equal
            | Constant::NotEqual
            | Constant::Less
            | Constant::LessEqual
            | Constant::Greater
            | Constant::GreaterEqual
            | Constant::Not
            | Constant::Fold
            | Constant::Fst
            | Constant::Snd => apply_constant_term(constant, terms()),
            Constant::ToReal => self.constant_image(apply_constant_term(constant, terms())),
            Constant::Pi | Constant::E => self.constant_image(apply_constant_term(constant, [])),
            Constant::Power | Constant::NaturalPower => {
                match &arguments[1].constant {
                    Some(q) => {
                        let exponent = match &self.numbers {
                            NumberImage::Jets(_, hooks) => hooks.known_exponent(q.clone()),
                            NumberImage::Rules(_) => q.clone(),
                        };
                        let power = self.power_function(exponent)?;
                        let base = arguments[0].term.clone();
                        // whole powers are analytic, and negative ones are undefined at 0: neither needs a rule for pieces
                        let has_edge = *q.denom() != 1 && *q > 0;
                        let pieces = has_edge.then(|| in_pieces(std::slice::from_ref(&base), Some(&power))).flatten();
                        pieces.unwrap_or_else(|| Term::apply(power, base, Span::default()))
                    }
                    // an unknown natural exponent: repeated multiplication, which unlike exp (n · log x) is defined for x ≤ 0
                    None if constant == Constant::NaturalPower => at(self.natural_power_function()?),
                    None => at(self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(
                        Constant::RealPower,
                    )))?),
                }
            }
            Constant::RealPower => {
                at(self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(constant)))?)
            }
            Constant::Special(id) => {
                at(self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Special(id)))?)
            }
            Constant::Deriv => at(self.lifted_definition(LiftedOperation::Derivative)?),
            Constant::Functional(Functional::Integral) => {
                let (_, hooks) = self.jet_rules(Functional::Integral.name())?;
                let is_tested = self.has_jumps.load(Ordering::Relaxed) && hooks.tests_integrands();
                at(self.lifted_definition(LiftedOperation::Integral(is_tested))?)
            }
            Constant::Functional(solver) => at(self.lifted_definition(LiftedOperation::Solver(solver))?),
            _ => {
                // rules of one's own may be for any constant, also one that is not smooth
                let operation = SmoothOperation::of_constant(constant)
                    .or_else(|| self.has_own_rules().then_some(SmoothOperation::Constant(constant)));
                let smooth = operation
                    .map(|operation| self.lifted_definition(LiftedOperation::Operation(operation)))
                    .transpose()?;
                let arguments: Vec<Term> = terms().collect();
                match (in_pieces(&arguments, smooth.as_ref()), smooth) {
                    (Some(pieces), _) => pieces,
                    (None, Some(smooth)) => at(smooth),
                    (None, None) => return Err(self.unsupported_error(constant.describe_missing())),
                }
            }
        })
    }
}

impl Taylor {
    /// Returns the image of `x ↦ x^q`. A whole power without a rule of one's own becomes a product.
    fn power_function(&self, q: Rational) -> Result<Term, Unsupported> {
        let rule = |q: &Rational| self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Power(q.clone())));
        let whole = |q: &Rational| if *q.denom() == 1 { q.numer().to_u64() } else { None };
        match (rule(&q), whole(&q)) {
            (Err(_), Some(n)) if self.has_own_rules() => {
                let (x, n) = (Name::from("x"), term_without_source(TermKind::Nat(n)));
                let body = Term::apply(self.natural_power_function()?, variable_term(0, &x), Span::default());
                let body = Term::apply(body, n, Span::default());
                Ok(Term::lambda(x, self.derive_type(&Ty::real()), body, Span::default()))
            }
            (found, _) => found,
        }
    }

    /// Builds `f ↦ x ↦ ∂_s f (x₀ + s, x₁, …)_α` at s = 0, for each α.
    fn derivative_function(&self) -> Result<Term, Unsupported> {
        let (basis, _) = self.jet_rules("deriv")?;
        let [f, x, s] = ["f", "x", "s"].map(Name::from);
        let moved = (0..basis.len()).map(|index| {
            let coordinate = term_without_source(TermKind::Project { tuple: variable_term(1, &x), index });
            if index == 0 { apply_constant_term(Constant::Add, [coordinate, variable_term(0, &s)]) } else { coordinate }
        });
        let value =
            Term::apply(variable_term(2, &f), term_without_source(TermKind::Tuple(moved.collect())), Span::default());
        let parts = (0..basis.len()).map(|index| {
            let body = term_without_source(TermKind::Project { tuple: value.clone(), index });
            let function = term_without_source(TermKind::Lambda { name: s.clone(), body });
            apply_constant_term(Constant::Deriv, [function, term_without_source(TermKind::Real(Rational::new()))])
        });
        let body = term_without_source(TermKind::Tuple(parts.collect()));
        let body = term_without_source(TermKind::Lambda { name: x, body });
        Ok(term_without_source(TermKind::Lambda { name: f, body }))
    }

    /// Builds `f ↦ ∫ f (x, 0, …)_α dx`, for each α.
    ///
    /// An integral has a value also if its integrand has none on a null set. But the derivative of an integral is that of
    /// the integrand under it only if that derivative is defined, as a number or a bounded set, on all of [0, 1]: d/dc
    /// ∫ [x < c] dx is 1, and not the integral of 0. If `is_tested`, then `0 · (f 0 + f 1 + max01 f)_α` is added. It is
    /// undefined if f is undefined somewhere. The ends are named, since `max01` goes on to them from inside.
    fn integral_function(&self, is_tested: bool) -> Result<Term, Unsupported> {
        let (basis, _) = self.jet_rules(Functional::Integral.name())?;
        let [f, x] = ["f", "x"].map(Name::from);
        // the variable of integration does not depend on the outer variables: its derivatives are 0
        let value = |f: Term, x: Term| Term::apply(f, self.constant_image(x), Span::default());
        let parts = (0..basis.len()).map(|index| {
            let apply = |functional| {
                let tuple = value(variable_term(1, &f), variable_term(0, &x));
                let body = term_without_source(TermKind::Project { tuple, index });
                let integrand = term_without_source(TermKind::Lambda { name: x.clone(), body });
                apply_constant_term(Constant::Functional(functional), [integrand])
            };
            let integral = apply(Functional::Integral);
            if !is_tested || index == 0 {
                return integral;
            }
            let end = |q: i64| {
                let tuple = value(variable_term(0, &f), real_literal((q, 1)));
                term_without_source(TermKind::Project { tuple, index })
            };
            let add = |a, b| apply_constant_term(Constant::Add, [a, b]);
            let everywhere = add(add(end(0), end(1)), apply(Functional::Maximum));
            add(integral, apply_constant_term(Constant::Multiply, [real_literal((0, 1)), everywhere]))
        });
        let body = term_without_source(TermKind::Tuple(parts.collect()));
        Ok(term_without_source(TermKind::Lambda { name: f, body }))
    }
}

/// Returns `true` for constants whose value or slopes may jump where their arguments are smooth.
fn may_jump(constant: Constant) -> bool {
    match constant {
        Constant::Abs | Constant::Signum | Constant::Max | Constant::Min => true,
        // the root of a function that falls through 0 is smooth, or has no slope
        Constant::Functional(functional) => !matches!(functional, Functional::Integral | Functional::CutRoot),
        _ => false,
    }
}

/// Returns `true` if a term, with the definitions that it uses, has a constant of which `is_meant` is true.
fn uses_constant(term: &Term, is_meant: &dyn Fn(Constant) -> bool, seen: &mut FxHashSet<usize>) -> bool {
    match term.kind() {
        TermKind::Constant(constant) => is_meant(*constant),
        TermKind::Global(definition) => {
            seen.insert(Arc::as_ptr(definition) as usize)
                && with_stack(|| uses_constant(&definition.term, is_meant, seen))
        }
        kind => kind.children().any(|child| with_stack(|| uses_constant(child, is_meant, seen))),
    }
}

/// Returns the type of jets with `length` coordinates.
#[must_use]
pub fn jet_type(length: usize) -> Ty {
    Ty::new(TyKind::Tuple(vec![Ty::real(); length]))
}

/// 𝒟 on types, for one image of ℜ. A declared type is translated once.
#[derive(Debug)]
pub struct TypeTranslation {
    number: Ty,
    lock_declared: Mutex<DeclaredImages>,
}

/// The images of declared types.
#[derive(Debug, Default)]
struct DeclaredImages {
    images: FxHashMap<DataType, DataType>,
    /// The new types, each after those that it mentions.
    made: Vec<DataType>,
    /// The names of all images and of their constructors.
    names: FxHashSet<Name>,
}

impl TypeTranslation {
    /// Builds the translation for jets with `length` coordinates.
    #[must_use]
    pub fn new(length: usize) -> Self {
        Self::of_numbers(jet_type(length))
    }

    /// Builds the translation that sends ℜ to a closed type.
    #[must_use]
    pub fn of_numbers(number: Ty) -> Self {
        Self { number, lock_declared: Mutex::default() }
    }

    fn lock_declared(&self) -> MutexGuard<'_, DeclaredImages> {
        self.lock_declared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the new types, each after those that it mentions.
    #[must_use]
    pub fn made_types(&self) -> Vec<DataType> {
        self.lock_declared().made.clone()
    }

    /// Returns 𝒟(τ).
    #[must_use]
    pub fn translate_type(&self, ty: &Ty) -> Ty {
        self.translate_cached(ty, &mut FxHashMap::default())
    }

    fn translate_cached(&self, ty: &Ty, known: &mut FxHashMap<usize, Ty>) -> Ty {
        // types share their parts; the table keeps the translation linear in the shared size
        if let Some(known) = known.get(&ty.address()) {
            return known.clone();
        }
        let of = |ty: &Ty| with_stack(|| self.translate_cached(ty, known));
        let kind = match ty.kind() {
            TyKind::Real => return self.number.clone(),
            TyKind::Variable(..) | TyKind::Nat | TyKind::Bool | TyKind::Unit => return ty.clone(),
            TyKind::Data(data, arguments) => {
                let arguments = arguments.iter().map(of).collect();
                TyKind::Data(self.translate_data(data), arguments)
            }
            kind => kind.map_parts(of),
        };
        let result = Ty::new(kind);
        known.insert(ty.address(), result.clone());
        result
    }

    /// Returns the image of a declared type.
    ///
    /// It is the type itself if its constructors do not mention ℜ and no new type has one of its names.
    #[must_use]
    pub fn translate_data(&self, data: &DataType) -> DataType {
        if let Some(known) = self.lock_declared().images.get(data) {
            return known.clone();
        }
        // `layer` has a variable in place of each recursive occurrence
        let layers: Vec<Option<Ty>> =
            data.constructors().map(|constructor| constructor.layer_type().map(|ty| self.translate_type(ty))).collect();
        let is_same =
            data.constructors().zip(&layers).all(|(constructor, image)| constructor.layer_type() == image.as_ref());
        let mut declared = self.lock_declared();
        // The lock was released for the parts, so that another thread may have made the image: the first is kept.
        if let Some(known) = declared.images.get(data) {
            return known.clone();
        }
        let constructors: Vec<Name> = data.constructors().map(|constructor| constructor.name().clone()).collect();
        let own = || constructors.iter().chain([data.name()]);
        let primes = (usize::from(!is_same)..).map(|primes| "'".repeat(primes));
        let mut free = primes.filter(|primes| own().all(|name| !declared.names.contains(&*format!("{name}{primes}"))));
        // the sequence of primes is infinite and the names are finite, so one is free
        let primes = if data.is_list() { String::new() } else { free.next().unwrap_or_default() };
        let primed = |name: &Name| Name::from(format!("{name}{primes}"));
        let names: Vec<Name> = own().map(primed).collect();
        let image = if primes.is_empty() {
            data.clone()
        } else {
            let constructors = constructors.iter().map(primed).zip(layers).collect();
            let image =
                DataType::new(data.module().clone(), primed(data.name()), data.parameters().to_vec(), constructors);
            declared.made.push(image.clone());
            image
        };
        declared.names.extend(names);
        declared.images.insert(data.clone(), image.clone());
        image
    }

    /// Returns the image of a constructor.
    #[must_use]
    pub fn translate_constructor(&self, constructor: &Constructor) -> Constructor {
        // an image has the same constructors in the same order
        let image = self.translate_data(constructor.data());
        image.constructors().nth(constructor.index()).unwrap_or_else(|| constructor.clone())
    }
}

/// A term `c · a · b` of the product rule.
pub type ProductTerm = (u128, BlockValue, BlockValue);

/// The replaceable rules (H §3.2, §5.1). Everything else is as in the [macro](super); the defaults are the rules of the macro.
///
/// 𝒟 keeps the structure of everything but numbers. A wrong rule for a conditional, say, is therefore the right rule for another
/// program, so all such rules share one [hook](TaylorHooks::source_program).
///
/// *Invariant to keep* (H Thm 3): at the derivatives of functions, the derived program has those of the composite.
/// `glue::lemma` tests it.
pub trait TaylorHooks: Debug + Send + Sync {
    /// Returns a program to derive in place of another one; `None` keeps that one.
    fn source_program(&self, _: &Term) -> Option<Term> {
        None
    }

    /// Returns the jet ⟨c, 0, …, 0⟩ of a number c, with `length` coordinates (E28).
    fn constant_jet(&self, value: Term, length: usize) -> Term {
        let mut parts = vec![term_without_source(TermKind::Real(Rational::new())); length];
        parts[0] = value;
        term_without_source(TermKind::Tuple(parts))
    }
    /// Returns the function on jets for an operation; `None` builds it by [arithmetic on jets](super::jet).
    fn lifted_operation(&self, _: &SmoothOperation) -> Option<Term> {
        None
    }
    /// Returns the term `C(α, β) x_β y_{α−β}` of a product (H12, E30), given the positions of β and α − β; `None` drops it.
    fn product_term(
        &self,
        x: &[BlockValue],
        y: &[BlockValue],
        (part, rest, coefficient): (usize, usize, u128),
    ) -> Option<ProductTerm> {
        Some((coefficient, x[part], y[rest]))
    }
    /// Returns a coordinate of a quotient from its numerator and y₀.
    fn quotient_coordinate(&self, block: &mut JetBlock, numerator: BlockValue, below: BlockValue) -> BlockValue {
        block.divide(numerator, below)
    }
    /// Returns `1/β!`, the coefficient of the derivative of order β of an operation.
    fn taylor_coefficient(&self, beta: &[usize]) -> Rational {
        beta.iter().flat_map(|n| 1..=*n).fold(Rational::from(1), |f, n| f * n as u64).recip()
    }
    /// Returns the jet of an unknown exponent.
    fn unknown_exponent(&self, _: &mut JetBlock, jet: Vec<BlockValue>) -> Vec<BlockValue> {
        jet
    }
    /// Returns the exponent of the power operation for a known exponent.
    fn known_exponent(&self, exponent: Rational) -> Rational {
        exponent
    }
    /// Returns the derivative ∂_β of an operation, with an order for each argument.
    fn partial_derivative(
        &self,
        block: &mut JetBlock,
        operation: &SmoothOperation,
        beta: &[usize],
        x: &[BlockValue],
    ) -> BlockValue {
        operation.build_partial(block, beta, x)
    }
    /// Returns the coordinates of an operation's result, in lexicographic order (H4).
    fn result_coordinates(&self, _: &mut JetBlock, jet: Vec<BlockValue>) -> Vec<BlockValue> {
        jet
    }
    /// Returns F_y, by which the coordinates of a [root or an optimum](super::functional) are divided.
    fn solution_slope(&self, slope: Term) -> Term {
        slope
    }
    /// Returns a coordinate of a root or an optimum, as those of higher degree are computed from it.
    fn known_coordinate(&self, coordinate: Term) -> Term {
        coordinate
    }
    /// Returns `true` if coordinates may be sets. A difference of two of them is then no slope, because the sets vary independently.
    fn has_sets(&self) -> bool {
        false
    }
    /// Returns `true` if a solution on [0, 1] has a rule for the ends.
    fn solution_has_ends(&self) -> bool {
        true
    }
    /// Returns `true` if the derivatives of an integral are tested to be defined under it, where they may not be.
    fn tests_integrands(&self) -> bool {
        true
    }
    /// Returns the image of a constant that is not smooth, or not everywhere; `None` if there is no such rule, or none is
    /// needed.
    ///
    /// `arguments` are the images of its arguments, as jets over `basis`. `smooth` is the image of the constant where
    /// it is smooth.
    fn lift_piecewise(&self, _: Constant, _arguments: &[Term], _basis: &Basis, _smooth: Option<&Term>) -> Option<Term> {
        None
    }
    /// Returns the language of the programs that have a derived one.
    fn fragment(&self) -> Fragment {
        Fragment::Derivable
    }
    /// Returns `true` if there is a rule for a constant that the language lacks.
    fn has_kink_rule(&self, _: Constant) -> bool {
        false
    }
    /// Returns `true` if there are rules for constants that are analytic only on pieces.
    fn has_pieces(&self) -> bool {
        self.fragment() == Fragment::OmegaPap
    }
}

/// The rules of the macro.
#[derive(Clone, Copy, Debug)]
pub struct DefaultTaylorHooks;

impl TaylorHooks for DefaultTaylorHooks {}

/// The macro of W: the rules of the [macro](super), extended to pieces.
#[derive(Clone, Copy, Debug)]
pub struct PiecewiseTaylorHooks;

impl TaylorHooks for PiecewiseTaylorHooks {
    fn lift_piecewise(
        &self,
        constant: Constant,
        arguments: &[Term],
        basis: &Basis,
        smooth: Option<&Term>,
    ) -> Option<Term> {
        lift_piecewise_constant(constant, arguments, basis.len(), smooth)
    }
    fn fragment(&self) -> Fragment {
        Fragment::OmegaPap
    }
}

/// The macro of Clarke derivatives: the rules of the [macro](super), extended to kinks.
#[derive(Clone, Copy, Debug)]
pub struct ClarkeTaylorHooks;

impl TaylorHooks for ClarkeTaylorHooks {
    fn lift_piecewise(&self, constant: Constant, arguments: &[Term], basis: &Basis, _: Option<&Term>) -> Option<Term> {
        lift_kink(constant, arguments, basis, true)
    }
    fn has_sets(&self) -> bool {
        true
    }
    fn has_kink_rule(&self, constant: Constant) -> bool {
        matches!(constant, Constant::Abs | Constant::Max | Constant::Min)
    }
}

/// Returns the image of a constant with a kink; `None` for a constant without one.
///
/// The slope is a set at the kink, from `signum 0 = [-1, 1]`. Derivatives of order 2 or more get the term `0 / w`, which
/// is undefined at the kink w = 0, and 0 elsewhere. Without `is_undefined` the term is left out, which is wrong; a mutant is made so.
#[must_use]
pub fn lift_kink(constant: Constant, arguments: &[Term], basis: &Basis, is_undefined: bool) -> Option<Term> {
    let x = variable_term(arguments.len().checked_sub(1)?, &"x".into());
    let y = variable_term(0, &"x".into());
    let apply = |constant, parts: [Term; 2]| apply_constant_term(constant, parts);
    let signum = |w: Term| apply_constant_term(Constant::Signum, [w]);
    // the number whose sign decides the piece
    let decider = match (constant, arguments) {
        (Constant::Abs, [_]) => jet_coordinate(&x, 0),
        (Constant::Max, [_, _]) => apply(Constant::Subtract, [jet_coordinate(&x, 0), jet_coordinate(&y, 0)]),
        (Constant::Min, [_, _]) => apply(Constant::Subtract, [jet_coordinate(&y, 0), jet_coordinate(&x, 0)]),
        _ => return None,
    };
    let slope = |index: usize| match constant {
        Constant::Abs => apply(Constant::Multiply, [signum(decider.clone()), jet_coordinate(&x, index)]),
        // y + p (x − y), where p is 1 on the piece of x, 0 on that of y, and [0, 1] at the kink
        _ => {
            let sum = apply(Constant::Add, [real_literal((1, 1)), signum(decider.clone())]);
            let share = apply(Constant::Multiply, [real_literal((1, 2)), sum]);
            let difference = apply(Constant::Subtract, [jet_coordinate(&x, index), jet_coordinate(&y, index)]);
            apply(Constant::Add, [jet_coordinate(&y, index), apply(Constant::Multiply, [share, difference])])
        }
    };
    let value = |(argument, _)| jet_coordinate(if argument == 0 { &x } else { &y }, 0);
    let parts = basis.indices().iter().enumerate().map(|(index, degrees)| match degrees.iter().sum::<usize>() {
        0 => apply_constant_term(constant, arguments.iter().enumerate().map(value)),
        1 => slope(index),
        _ if !is_undefined => slope(index),
        _ => {
            let flat = apply(Constant::Divide, [real_literal((0, 1)), decider.clone()]);
            apply(Constant::Add, [slope(index), flat])
        }
    });
    Some(bind_arguments(arguments, term_without_source(TermKind::Tuple(parts.collect()))))
}

/// Builds a number.
fn real_literal(q: (i64, i64)) -> Term {
    term_without_source(TermKind::Real(Rational::from(q)))
}

/// Returns a coordinate of a jet; that of index 0 is the value.
#[must_use]
pub fn jet_coordinate(jet: &Term, index: usize) -> Term {
    term_without_source(TermKind::Project { tuple: jet.clone(), index })
}

/// Returns the jet ⟨q, 0, …, 0⟩.
fn constant_jet(q: i64, length: usize) -> Term {
    let number = |q: i64| term_without_source(TermKind::Real(Rational::from(q)));
    term_without_source(TermKind::Tuple((0..length).map(|place| number(if place == 0 { q } else { 0 })).collect()))
}

/// Builds a conditional.
pub(super) fn conditional_term(condition: Term, then: Term, otherwise: Term) -> Term {
    term_without_source(TermKind::If { condition, then, otherwise })
}

/// Builds a comparison of the value of a jet with a number.
fn compare_value(constant: Constant, x: &Term, q: i64) -> Term {
    apply_constant_term(constant, [jet_coordinate(x, 0), term_without_source(TermKind::Real(Rational::from(q)))])
}

/// Binds jets to variables by `let`s, the last one innermost.
fn bind_arguments(arguments: &[Term], body: Term) -> Term {
    arguments.iter().enumerate().rev().fold(body, |body, (before, value)| {
        term_without_source(TermKind::Let { name: "x".into(), value: weaken_from(value, 0, before), body })
    })
}

/// Returns the image of a constant analytic only on pieces; see [`TaylorHooks::lift_piecewise`].
#[must_use]
pub fn lift_piecewise_constant(
    constant: Constant,
    arguments: &[Term],
    length: usize,
    smooth: Option<&Term>,
) -> Option<Term> {
    // Arguments are bound first, so that a rule may use them twice; `x` is the first of them.
    let x = variable_term(arguments.len().checked_sub(1)?, &"x".into());
    let smooth_at =
        |jets: &[Term]| Some(jets.iter().fold(smooth?.clone(), |f, jet| Term::apply(f, jet.clone(), Span::default())));
    let smooth = || smooth_at(std::slice::from_ref(&x));
    let at = |q: i64, value: Term, otherwise: Term| {
        conditional_term(compare_value(Constant::RealEqual, &x, q), value, otherwise)
    };
    let body = match (constant, arguments) {
        // a truth value has no derivatives: compare the values alone
        (_, [a, b]) if constant.compares_reals() => {
            return Some(apply_constant_term(constant, [jet_coordinate(a, 0), jet_coordinate(b, 0)]));
        }
        (Constant::Abs, [_]) => conditional_term(
            compare_value(Constant::RealGreaterEqual, &x, 0),
            x.clone(),
            apply_constant_term(Constant::Negate, [x.clone()]),
        ),
        (Constant::Signum, [_]) => conditional_term(
            compare_value(Constant::RealGreater, &x, 0),
            constant_jet(1, length),
            at(0, constant_jet(0, length), constant_jet(-1, length)),
        ),
        (Constant::Max | Constant::Min, [_, _]) => {
            let test = if constant == Constant::Max { Constant::RealGreaterEqual } else { Constant::RealLessEqual };
            let y = variable_term(0, &"x".into());
            conditional_term(apply_constant_term(test, [jet_coordinate(&x, 0), jet_coordinate(&y, 0)]), x.clone(), y)
        }
        // at 0 the operation has no derivative; W's c_𝒟 is total there, with the slope 0
        (Constant::Power, [_]) => at(0, constant_jet(0, length), smooth()?),
        (Constant::Planar(f), [_, _]) => match f.row().shape {
            BinaryShape::Angle => {
                let (y, x) = (x.clone(), variable_term(0, &"x".into()));
                let whole = || smooth_at(&[y.clone(), x.clone()]);
                let mut half_turn = vec![term_without_source(TermKind::Real(Rational::new())); length];
                half_turn[0] = apply_constant_term(Constant::Pi, []);
                let cut = conditional_term(
                    compare_value(Constant::RealLess, &x, 0),
                    term_without_source(TermKind::Tuple(half_turn)),
                    whole()?,
                );
                conditional_term(compare_value(Constant::RealEqual, &y, 0), cut, whole()?)
            }
        },
        (Constant::Elementary(f), [_]) => {
            // the points with a value and without a slope
            let mut edges = f.row().conditions.border_points().map(i64::from).peekable();
            edges.peek()?;
            let value = |q: i64| {
                let mut jet = constant_jet(0, length);
                if let TermKind::Tuple(parts) = jet.kind() {
                    let mut parts = parts.clone();
                    parts[0] = apply_constant_term(constant, [term_without_source(TermKind::Real(Rational::from(q)))]);
                    jet = term_without_source(TermKind::Tuple(parts));
                }
                jet
            };
            // nested: one test for each edge, and the smooth rule inside
            edges.try_fold(smooth()?, |rest, q| Some(at(q, value(q), rest)))?
        }
        _ => return None,
    };
    Some(bind_arguments(arguments, body))
}
