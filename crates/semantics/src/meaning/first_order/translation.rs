//! First-order terms as terms of λ_S, and first-order programs of λ_S as first-order terms.
//!
//! | first-order | λ_S |
//! |---|---|
//! | ∗, ⌊ℝ⁰⌋ | `unit` |
//! | ⌊ℝ⌋, ⌊ℝⁿ⌋ | `Real`, `Real^n` |
//! | τ₁ × τ₂ | `A * B` |
//! | Γ, x : τ ⊢ e : σ | `\x => e` of type `A -> B`, one argument for each variable of Γ |
//! | ∂e_y/∂x\|x=e_x·e_dx | for each coordinate of the result, `deriv (\t => let x = e_x + t e_dx in e_y) 0` |
//!
//! The last line says that a directional derivative is the derivative along a line. At a kink it may be a smaller set than
//! the paper's, which moves the whole context along a direction of zeros; the two overlap.
//!
//! The way back is [`FirstOrderTerm::of_program`]: a [`Model`] whose arrows are first-order terms. A program with a construct
//! that the first-order language lacks is refused by the name of that construct.

use super::{
    AdArrow, AdArrowKind, FirstOrderContext, FirstOrderTerm, FirstOrderTermKind, FirstOrderType, FirstOrderTypingError,
};
use crate::meaning::first_order::typing::FirstOrderTypeKind;
use crate::model::{
    AppliedOperator, BoundArrow, ConditionalInfo, InterpretError, Model, OperatorApplication, OperatorArgument,
    SourceLocation, Unsupported, interpret,
};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{self, TermKind as CoreKind};
use crate::syntax::ty::{Ty, TyKind};
use thiserror::Error;

/// Returns the type of λ_S for a first-order type.
#[must_use]
pub fn core_type_of(ty: &FirstOrderType) -> Ty {
    with_stack(|| match ty.kind() {
        FirstOrderTypeKind::Unit | FirstOrderTypeKind::Space(0) => Ty::new(TyKind::Unit),
        FirstOrderTypeKind::Space(1) => Ty::real(),
        FirstOrderTypeKind::Space(n) => Ty::new(TyKind::Tuple(vec![Ty::real(); *n])),
        FirstOrderTypeKind::Product(a, b) => Ty::new(TyKind::Tuple(vec![core_type_of(a), core_type_of(b)])),
    })
}

/// Returns the closed term of λ_S for Γ ⊢ e : τ, a function of the variables of Γ one after another, and its type.
///
/// # Errors
/// [`FirstOrderTypingError`] when Γ gives e no type.
pub fn core_term_of(
    term: &FirstOrderTerm,
    context: &FirstOrderContext,
) -> Result<(term::Term, Ty), FirstOrderTypingError> {
    let ty = term.type_in(context)?;
    let mut embedding = CoreEmbedding::default();
    for (name, ty) in context.variables() {
        embedding.scope.push((Some(name.clone()), ty.clone()));
    }
    let (body, _) = embedding.embed_term(term);
    let variables = context.variables().iter().rev();
    let function = variables.fold((body, core_type_of(&ty)), |(body, result), (name, ty)| {
        let lambda = core_term(CoreKind::Lambda { name: name.clone(), body });
        (lambda, Ty::function(core_type_of(ty), result))
    });
    Ok(function)
}

/// Returns a term of λ_S without a place.
fn core_term(kind: CoreKind) -> term::Term {
    term::Term::new(kind, Span::default())
}

/// Returns a literal of λ_S.
fn core_number(value: Rational) -> term::Term {
    core_term(CoreKind::Real(value))
}

/// Applies a constant of λ_S to arguments.
fn call_constant(constant: Constant, arguments: Vec<term::Term>) -> term::Term {
    let head = core_term(CoreKind::Constant(constant));
    arguments.into_iter().fold(head, |function, argument| term::Term::apply(function, argument, Span::default()))
}

/// Returns a component of a tuple.
fn project_core(tuple: term::Term, index: usize) -> term::Term {
    core_term(CoreKind::Project { tuple, index })
}

/// Collects every coordinate of a value of a type, from left to right.
fn collect_core_coordinates(whole: &term::Term, ty: &FirstOrderType, into: &mut Vec<term::Term>) {
    with_stack(|| match ty.kind() {
        FirstOrderTypeKind::Unit | FirstOrderTypeKind::Space(0) => {}
        FirstOrderTypeKind::Space(1) => into.push(whole.clone()),
        FirstOrderTypeKind::Space(n) => into.extend((0..*n).map(|index| project_core(whole.clone(), index))),
        FirstOrderTypeKind::Product(a, b) => {
            collect_core_coordinates(&project_core(whole.clone(), 0), a, into);
            collect_core_coordinates(&project_core(whole.clone(), 1), b, into);
        }
    });
}

/// Returns a value of a type, from its coordinates.
fn assemble_value(ty: &FirstOrderType, from: &mut dyn Iterator<Item = term::Term>) -> term::Term {
    let next = |from: &mut dyn Iterator<Item = term::Term>| from.next().unwrap_or_else(|| core_number(Rational::new()));
    with_stack(|| match ty.kind() {
        FirstOrderTypeKind::Unit | FirstOrderTypeKind::Space(0) => core_term(CoreKind::Unit),
        FirstOrderTypeKind::Space(1) => next(from),
        FirstOrderTypeKind::Space(n) => core_term(CoreKind::Tuple((0..*n).map(|_| next(from)).collect())),
        FirstOrderTypeKind::Product(a, b) => {
            core_term(CoreKind::Tuple(vec![assemble_value(a, from), assemble_value(b, from)]))
        }
    })
}

/// Turns names into indices. The variables that the embedding adds have no name to be found by.
#[derive(Default)]
struct CoreEmbedding {
    scope: Vec<(Option<Name>, FirstOrderType)>,
}

impl CoreEmbedding {
    /// Returns the variable at a place of the scope.
    fn variable_at(&self, position: usize, shown: &str) -> term::Term {
        core_term(CoreKind::Variable { index: self.scope.len() - 1 - position, name: shown.into() })
    }

    /// Runs `make` under one binder more.
    fn with_binder<R>(
        &mut self,
        name: Option<&Name>,
        ty: &FirstOrderType,
        make: impl FnOnce(&mut Self, usize) -> R,
    ) -> R {
        self.scope.push((name.cloned(), ty.clone()));
        let made = make(self, self.scope.len() - 1);
        self.scope.pop();
        made
    }

    /// Returns `let shown = value in …`.
    fn bind_core(
        &mut self,
        shown: &str,
        ty: &FirstOrderType,
        value: term::Term,
        make: impl FnOnce(&mut Self, usize) -> term::Term,
    ) -> term::Term {
        let body = self.with_binder(None, ty, make);
        core_term(CoreKind::Let { name: shown.into(), value, body })
    }

    /// Returns the term of a well-typed expression, and its type.
    fn embed_term(&mut self, term: &FirstOrderTerm) -> (term::Term, FirstOrderType) {
        with_stack(|| match term.kind() {
            FirstOrderTermKind::Variable(name) => {
                let found = self.scope.iter().rposition(|(known, _)| known.as_ref() == Some(name));
                match found {
                    Some(position) => (self.variable_at(position, name), self.scope[position].1.clone()),
                    None => (core_term(CoreKind::Unit), FirstOrderType::unit()),
                }
            }
            FirstOrderTermKind::Unit => (core_term(CoreKind::Unit), FirstOrderType::unit()),
            FirstOrderTermKind::Pair(first, second) => {
                let ((first, a), (second, b)) = (self.embed_term(first), self.embed_term(second));
                (core_term(CoreKind::Tuple(vec![first, second])), FirstOrderType::product(&a, &b))
            }
            FirstOrderTermKind::Let { variable, value, body } => {
                let (value, ty) = self.embed_term(value);
                let (body, result) = self.with_binder(Some(variable), &ty, |embedding, _| embedding.embed_term(body));
                (core_term(CoreKind::Let { name: variable.clone(), value, body }), result)
            }
            FirstOrderTermKind::Apply(arrow, argument) => {
                let (argument, ty) = self.embed_term(argument);
                (self.embed_arrow(arrow, argument, &ty), arrow.codomain().clone())
            }
            FirstOrderTermKind::Derivative { body, variable, at, along } => {
                self.embed_derivative(body, variable, at, along)
            }
        })
    }

    /// Returns ⌊f⌋ of a term, of a type that denotes the domain.
    fn embed_arrow(&mut self, arrow: &AdArrow, argument: term::Term, ty: &FirstOrderType) -> term::Term {
        // coordinates that are at hand need no name, where each is used once
        let at_hand = match (argument.kind(), ty.kind()) {
            (_, FirstOrderTypeKind::Space(1)) => Some(vec![argument.clone()]),
            (CoreKind::Tuple(parts), FirstOrderTypeKind::Product(a, b))
                if [a, b].iter().all(|ty| **ty == FirstOrderType::real()) =>
            {
                Some(parts.clone())
            }
            _ => None,
        };
        match (arrow.kind(), at_hand) {
            (AdArrowKind::Operation(constant), Some(parts)) => return call_constant(*constant, parts),
            (AdArrowKind::Power(exponent), Some(parts)) => {
                return call_constant(
                    Constant::Power,
                    parts.into_iter().chain([core_number(exponent.clone())]).collect(),
                );
            }
            _ => {}
        }
        match arrow.kind() {
            AdArrowKind::Number(value) => core_number(value.clone()),
            AdArrowKind::First => project_core(argument, 0),
            AdArrowKind::Second => project_core(argument, 1),
            _ => self.bind_core("p", ty, argument, |embedding, place| {
                let mut parts = Vec::new();
                collect_core_coordinates(&embedding.variable_at(place, "p"), ty, &mut parts);
                match arrow.kind() {
                    AdArrowKind::Operation(constant) => call_constant(*constant, parts),
                    AdArrowKind::Power(exponent) => {
                        parts.push(core_number(exponent.clone()));
                        call_constant(Constant::Power, parts)
                    }
                    AdArrowKind::Linear(rows) => {
                        let mut values = rows.iter().map(|row| linear_combination(row, &parts));
                        assemble_value(arrow.codomain(), &mut values)
                    }
                    _ => assemble_value(arrow.codomain(), &mut parts.into_iter()),
                }
            }),
        }
    }

    /// Returns a directional derivative, coordinate by coordinate, and its type.
    fn embed_derivative(
        &mut self,
        body: &FirstOrderTerm,
        variable: &Name,
        at: &FirstOrderTerm,
        along: &FirstOrderTerm,
    ) -> (term::Term, FirstOrderType) {
        let (at, ty) = self.embed_term(at);
        let mut result = FirstOrderType::unit();
        let along = self.with_binder(None, &ty, |embedding, _| embedding.embed_term(along).0);
        let real = FirstOrderType::real();
        let whole = self.bind_core("at", &ty, at, |embedding, point| {
            embedding.bind_core("along", &ty, along, |embedding, direction| {
                // f t = e_y at e_x + t e_dx
                let line = embedding.with_binder(None, &real, |embedding, time| {
                    let (mut from, mut by) = (Vec::new(), Vec::new());
                    collect_core_coordinates(&embedding.variable_at(point, "at"), &ty, &mut from);
                    collect_core_coordinates(&embedding.variable_at(direction, "along"), &ty, &mut by);
                    let time = embedding.variable_at(time, "t");
                    let mut moved = from.into_iter().zip(by).map(|(x, dx)| {
                        let step = call_constant(Constant::Multiply, vec![time.clone(), dx]);
                        call_constant(Constant::Add, vec![x, step])
                    });
                    let moved = assemble_value(&ty, &mut moved);
                    let (body, found) =
                        embedding.with_binder(Some(variable), &ty, |embedding, _| embedding.embed_term(body));
                    result = found;
                    core_term(CoreKind::Let { name: variable.clone(), value: moved, body })
                });
                let line = core_term(CoreKind::Lambda { name: "t".into(), body: line });
                embedding.bind_core("f", &real, line, |embedding, f| {
                    // under \t, the value of f at t
                    let value = embedding.with_binder(None, &real, |embedding, t| {
                        term::Term::apply(embedding.variable_at(f, "f"), embedding.variable_at(t, "t"), Span::default())
                    });
                    let mut parts = Vec::new();
                    collect_core_coordinates(&value, &result, &mut parts);
                    let mut slopes = parts.into_iter().map(|part| {
                        let function = core_term(CoreKind::Lambda { name: "t".into(), body: part });
                        call_constant(Constant::Deriv, vec![function, core_number(Rational::new())])
                    });
                    assemble_value(&result, &mut slopes)
                })
            })
        });
        (whole, result)
    }
}

/// Returns Σ c_j x_j.
fn linear_combination(row: &[Rational], parts: &[term::Term]) -> term::Term {
    let terms = row.iter().zip(parts).filter(|(c, _)| !c.is_zero()).map(|(c, part)| match *c == 1 {
        true => part.clone(),
        false => call_constant(Constant::Multiply, vec![core_number(c.clone()), part.clone()]),
    });
    terms
        .reduce(|sum, term| call_constant(Constant::Add, vec![sum, term]))
        .unwrap_or_else(|| core_number(Rational::new()))
}

/// The reason why a program of λ_S has no first-order term.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum NotFirstOrder {
    /// The program, or its type, contains a construct that the first-order language lacks.
    #[error("the program is not first-order: the language of S Fig. 3 has no {construct}")]
    Construct {
        /// The construct, as a noun phrase.
        construct: String,
    },
    /// The program could not be reduced, or mentions an unknown variable.
    #[error(transparent)]
    Interpretation(InterpretError),
}

impl From<InterpretError> for NotFirstOrder {
    fn from(error: InterpretError) -> Self {
        match error {
            InterpretError::Unsupported(unsupported) => Self::Construct { construct: unsupported.construct },
            error => Self::Interpretation(error),
        }
    }
}

impl FirstOrderTerm {
    /// Returns the first-order term of a closed program of λ_S, with its context: one variable x₁, x₂, … for each argument.
    ///
    /// The program is [reduced](crate::model::reduce) first, so it may be written with functions, conditions and recursions that
    /// are known before it runs. `deriv f x` becomes ∂(f y)/∂y|y=x·1, and `jvp f x v` the same along v. Tuples of more than two
    /// parts are nested to the right.
    ///
    /// # Errors
    /// [`NotFirstOrder`], with the construct that the first-order language lacks.
    ///
    /// # Examples
    /// ```
    /// use smoothish_semantics::meaning::first_order::FirstOrderTerm;
    /// use smoothish_semantics::syntax::library::Library;
    ///
    /// let of = |text: &str| {
    ///     let (term, ty) = Library::new().infer_expression(text).expect("a program");
    ///     FirstOrderTerm::of_program(&term, &ty)
    /// };
    /// let (term, context) = of(r"\y => deriv (\x => x * sin y) 3")?;
    /// assert_eq!(term.to_string(), "∂(x2 × ⌊sin⌋(x1))/∂x2|x2=3·1");
    /// assert_eq!(context.to_string(), "·, x1 : ⌊ℝ⌋");
    /// let refused = of(r"integral01 (\x => x)").expect_err("a function of a function");
    /// assert!(refused.to_string().ends_with("has no `integral01`"));
    /// # Ok::<(), smoothish_semantics::meaning::first_order::translation::NotFirstOrder>(())
    /// ```
    pub fn of_program(program: &term::Term, ty: &Ty) -> Result<(Self, FirstOrderContext), NotFirstOrder> {
        let (mut types, mut rest) = (Vec::new(), ty);
        while let TyKind::Function(domain, codomain) = rest.kind() {
            types.push(domain.clone());
            rest = codomain;
        }
        let unsupported = |error| NotFirstOrder::from(InterpretError::Unsupported(error));
        let mut context = FirstOrderContext::new();
        for ty in &types {
            let object = FirstOrderModel.interpret_type(ty).map_err(unsupported)?;
            context = context.with(&variable_name(context.variables().len()), &object);
        }
        FirstOrderModel.interpret_type(rest).map_err(unsupported)?;
        // the program at its arguments: reduction removes the functions
        let applied = (0..types.len()).fold(program.clone(), |function, position| {
            let index = types.len() - 1 - position;
            let variable = core_term(CoreKind::Variable { index, name: variable_name(position).into() });
            term::Term::apply(function, variable, Span::default())
        });
        Ok((interpret(&FirstOrderModel, &types, &applied)?, context))
    }
}

/// Returns the name of the variable at a place of the context, counted from 0.
fn variable_name(position: usize) -> String {
    format!("x{}", position + 1)
}

/// The model whose objects are first-order types and whose arrows are first-order terms over the variables x₁, x₂, …
struct FirstOrderModel;

impl FirstOrderModel {
    /// Returns the product of some types, nested to the right; ∗ for none.
    fn nest_types(parts: &[FirstOrderType]) -> FirstOrderType {
        let mut parts = parts.iter().rev();
        let Some(last) = parts.next() else { return FirstOrderType::unit() };
        parts.fold(last.clone(), |rest, part| FirstOrderType::product(part, &rest))
    }

    /// Applies an operation on real numbers. Natural exponents and orders are literals after reduction.
    fn apply_operation(&self, constant: Constant, arguments: &[FirstOrderTerm]) -> Result<FirstOrderTerm, Unsupported> {
        let lacks = || self.unsupported_error(format!("`{}`", constant.name()));
        if let (Constant::Power | Constant::NaturalPower, [base, exponent]) = (constant, arguments)
            && let Some(exponent) = exponent.as_number()
        {
            let power = AdArrow::power(exponent.clone()).map_err(|_| lacks())?;
            return Ok(FirstOrderTerm::apply(power, base));
        }
        FirstOrderTerm::operation(constant, arguments).map_err(|_| lacks())
    }
}

impl Model for FirstOrderModel {
    type Object = FirstOrderType;
    type Arrow = FirstOrderTerm;
    const NAME: &'static str = "first-order";

    fn real_object(&self) -> FirstOrderType {
        FirstOrderType::real()
    }
    fn natural_object(&self) -> Result<FirstOrderType, Unsupported> {
        Err(self.unsupported_error("natural numbers"))
    }
    fn boolean_object(&self) -> Result<FirstOrderType, Unsupported> {
        Err(self.unsupported_error("truth values"))
    }
    fn product_object(&self, parts: &[FirstOrderType]) -> FirstOrderType {
        Self::nest_types(parts)
    }
    fn exponential_object(&self, _: &FirstOrderType, _: &FirstOrderType) -> Result<FirstOrderType, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }
    fn tangent_object(&self, _: &FirstOrderType) -> Result<FirstOrderType, Unsupported> {
        Err(self.unsupported_error("tangents as values"))
    }

    fn project_variable(&self, _: &[FirstOrderType], index: usize) -> FirstOrderTerm {
        FirstOrderTerm::variable(&variable_name(index))
    }
    // the arguments get names that no context has, so that none of them hides a variable that another mentions
    fn compose(&self, _: &[FirstOrderType], parts: &[FirstOrderTerm], outer: &FirstOrderTerm) -> FirstOrderTerm {
        let fresh = |index: usize| format!("y{}", index + 1);
        let renamed = (0..parts.len()).rev().fold(outer.clone(), |body, index| {
            FirstOrderTerm::bind(&variable_name(index), &FirstOrderTerm::variable(&fresh(index)), &body)
        });
        (0..parts.len()).rev().fold(renamed, |body, index| FirstOrderTerm::bind(&fresh(index), &parts[index], &body))
    }
    fn bind(
        &self,
        context: &[FirstOrderType],
        value: &FirstOrderTerm,
        body: &BoundArrow<FirstOrderTerm>,
    ) -> FirstOrderTerm {
        FirstOrderTerm::bind(&variable_name(context.len()), value, &body.body)
    }
    fn tuple(&self, _: &[FirstOrderType], parts: &[FirstOrderTerm]) -> FirstOrderTerm {
        let mut parts = parts.iter().rev();
        let Some(last) = parts.next() else { return FirstOrderTerm::unit() };
        parts.fold(last.clone(), |rest, part| part.pair(&rest))
    }
    fn project_component(&self, parts: &[FirstOrderType], tuple: &FirstOrderTerm, index: usize) -> FirstOrderTerm {
        // snd as often as there are parts before, then fst, unless it is the last
        let rest = (0..index.min(parts.len().saturating_sub(1))).fold(tuple.clone(), |rest, before| {
            let second = AdArrow::second(&parts[before], &Self::nest_types(&parts[before + 1..]));
            FirstOrderTerm::apply(second, &rest)
        });
        match parts.get(index + 1..) {
            Some(after) if !after.is_empty() => {
                FirstOrderTerm::apply(AdArrow::first(&parts[index], &Self::nest_types(after)), &rest)
            }
            _ => rest,
        }
    }
    fn curry(
        &self,
        _: &[FirstOrderType],
        _: &FirstOrderType,
        _: &FirstOrderType,
        _: &BoundArrow<FirstOrderTerm>,
    ) -> Result<FirstOrderTerm, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }
    fn apply(
        &self,
        _: &[FirstOrderType],
        _: &FirstOrderTerm,
        _: &FirstOrderTerm,
    ) -> Result<FirstOrderTerm, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }
    fn case_boolean(
        &self,
        _: &FirstOrderTerm,
        _: &FirstOrderTerm,
        _: &FirstOrderTerm,
        _: &ConditionalInfo,
    ) -> Result<FirstOrderTerm, Unsupported> {
        Err(self.unsupported_error("condition that is not known before the program runs"))
    }
    fn fixed_point(
        &self,
        _: &[FirstOrderType],
        _: &BoundArrow<FirstOrderTerm>,
        _: &SourceLocation,
    ) -> Result<FirstOrderTerm, Unsupported> {
        Err(self.unsupported_error("recursion"))
    }
    fn isomorphism_side(&self, _: &FirstOrderTerm, _: bool) -> Result<FirstOrderTerm, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }

    fn real_number(&self, _: &[FirstOrderType], value: &Rational) -> FirstOrderTerm {
        FirstOrderTerm::number(value.clone())
    }
    // needed for natural exponents
    fn natural_number(&self, _: &[FirstOrderType], value: u64) -> Result<FirstOrderTerm, Unsupported> {
        Ok(FirstOrderTerm::number(value))
    }
    fn truth_value(&self, _: &[FirstOrderType], _: bool) -> Result<FirstOrderTerm, Unsupported> {
        Err(self.unsupported_error("truth values"))
    }
    fn interpret_constant(
        &self,
        _: &[FirstOrderType],
        constant: Constant,
        _: Option<&Ty>,
        _: &SourceLocation,
    ) -> Result<FirstOrderTerm, Unsupported> {
        self.apply_operation(constant, &[])
    }
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<FirstOrderTerm, Unsupported> {
        let OperatorApplication { context, operator, ty, arguments, .. } = *application;
        let (AppliedOperator::Constant(constant) | AppliedOperator::To(constant) | AppliedOperator::From(constant)) =
            operator;
        let lacks = || self.unsupported_error(format!("`{}`", constant.name()));
        let bound = variable_name(context.len());
        match (operator, arguments) {
            (
                AppliedOperator::Constant(Constant::Deriv),
                [OperatorArgument::Function { body, .. }, OperatorArgument::Value(at)],
            ) => Ok(FirstOrderTerm::derivative(&body.body, &bound, at, &FirstOrderTerm::number(1))),
            (
                AppliedOperator::Constant(Constant::Jvp),
                [OperatorArgument::Function { body, .. }, OperatorArgument::Value(at), OperatorArgument::Value(along)],
            ) => Ok(FirstOrderTerm::derivative(&body.body, &bound, at, along)),
            (AppliedOperator::Constant(Constant::Fst | Constant::Snd), [OperatorArgument::Value(pair)]) => {
                let parts = match ty.map(Ty::kind) {
                    Some(TyKind::Function(domain, _)) => match domain.kind() {
                        TyKind::Tuple(parts) => {
                            parts.iter().map(|part| self.interpret_type(part)).collect::<Result<Vec<_>, _>>()?
                        }
                        _ => Vec::new(),
                    },
                    _ => Vec::new(),
                };
                if parts.len() != 2 {
                    return Err(self.unsupported_error("pair of an unknown type"));
                }
                Ok(self.project_component(&parts, pair, usize::from(constant == Constant::Snd)))
            }
            (AppliedOperator::Constant(_), arguments) => {
                let values = arguments.iter().map(|argument| match argument {
                    OperatorArgument::Value(value) => Ok(value.clone()),
                    OperatorArgument::Function { .. } => Err(lacks()),
                });
                self.apply_operation(constant, &values.collect::<Result<Vec<_>, _>>()?)
            }
            _ => Err(lacks()),
        }
    }
}
