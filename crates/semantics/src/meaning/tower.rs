//! Tower semantics: programs as literal towers of derivatives (S §4), composed as in the paper.
//!
//! Objects are dimensions and arrows are [`Tower`]s: ⟦Γ⟧ is ℝⁿ for the n numbers in Γ, and no graph is made on the way. There are
//! no exponentials, so programs come in normal form ([`reduce`](crate::model::reduce)). A remaining function is the argument of a
//! derivative.
//!
//! | construct | here | S |
//! |---|---|---|
//! | `Tan A` | A × A | Props. 5.1 and 5.2 |
//! | `deriv f x` | `f′ ∘ ⟨⟨id, x⟩, ⟨0, 1⟩⟩` | Fig. 4 |
//! | `tangent f v` | `⟨f, f′⟩ ∘ ⟨⟨id, fst v⟩, ⟨0, snd v⟩⟩` | §5.3 |
//! | `tangent_R`, `tangentProd` | the identity, and a permutation of components | Props. 5.2 and 5.1 |
//! | `integral01` and the other primitives of §5.2 | their [printed clauses](crate::smooth::tower::functional), by plain subdivision | §5.2 |
//!
//! This is the reference: slow, and not for orders beyond [`HIGHEST_ORDER`]. In a direction of zeros at a point without a
//! derivative the result is ⊥, as the [tower module](crate::smooth::tower) says.
//!
//! # The constants of the language as towers

use super::foreign;
use crate::function::{Function, Functional, SIGMOID};
use crate::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use crate::model::{
    AppliedOperator, BoundArrow, ConditionalInfo, InterpretError, Model, OperatorApplication, OperatorArgument,
    SourceLocation, Unsupported, interpret,
};
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision, RefinableReal};
use crate::number::{Accuracy, Double, Enclosure, Mpfr, Rational, budget};
use crate::smooth::graph::{LARGEST_EXPONENT, SecondOrder};
use crate::smooth::tower::functional::{Subdivision, tower_of_functional};
use crate::smooth::tower::primitive::{constant, power, product, quotient};
use crate::smooth::tower::{EnclosureVector, FunctionalClauses, LinearMap, Tower, TowerError, primitive};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use std::fmt;
use std::sync::Arc;

/// The highest order of derivatives that is evaluated; a choice: the work grows exponentially in the order.
pub const HIGHEST_ORDER: usize = 6;

/// The model of towers over an arithmetic, under a budget.
#[derive(Clone)]
pub struct TowerModel<C: Context> {
    budget: Arc<Budget>,
    /// The clauses of the second-order primitives; `None` if there are none.
    clauses: Option<Arc<FunctionalClauses<C>>>,
}

impl<C: Context> fmt::Debug for TowerModel<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TowerModel").field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// A tower `ℝⁿ ⇝ ℝᵐ`, or the reason why there is none, with its value if the program gives it as a rational number.
#[derive(Clone)]
pub struct TowerArrow<C: Context> {
    /// The tower.
    pub cloned_tower: Result<Tower<C>, TowerError>,
    /// The rational value, for exponents and orders; `None` if the tower is not a literal.
    constant: Option<Rational>,
}

impl<C: Context> From<Result<Tower<C>, TowerError>> for TowerArrow<C> {
    fn from(tower: Result<Tower<C>, TowerError>) -> Self {
        Self { cloned_tower: tower, constant: None }
    }
}

impl<C: Context> TowerArrow<C> {
    fn cloned_tower(&self) -> Result<Tower<C>, TowerError> {
        self.cloned_tower.clone()
    }
}

impl<C: Context> TowerModel<C> {
    /// Builds the model under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        let printed = |functional, f: &Tower<C>| tower_of_functional(functional, f, Subdivision::default());
        Self::with_clauses(budget, Arc::new(printed))
    }

    /// Builds the model under a budget, with clauses of the second-order primitives in place of those that S §5.2 prints.
    #[must_use]
    pub fn with_clauses(budget: Arc<Budget>, clauses: Arc<FunctionalClauses<C>>) -> Self {
        Self { budget, clauses: Some(clauses) }
    }

    /// Builds the model without the second-order primitives.
    #[must_use]
    pub fn without_functionals(budget: Arc<Budget>) -> Self {
        Self { budget, clauses: None }
    }

    /// Limits the order and charges the budget for each evaluation of a tower.
    fn limit_order(&self, tower: Tower<C>) -> Tower<C> {
        let budget = self.budget.clone();
        let inputs = tower.inputs() as u64;
        tower.with_permission(move |order, bits| {
            // an estimate: 2^order terms for each input, each at 1/32 of the work of an exponential at this precision
            let each = (budget::function_units(Function::Exp, budget::limb_count(bits), 0) / 32).max(1);
            order <= HIGHEST_ORDER && budget.spend(((inputs + 1) << order).saturating_mul(each))
        })
    }
}

/// Returns the identity of ℝⁿ. It takes no memory, however many variables are in scope.
fn identity_tower<C: Context>(n: usize) -> Tower<C> {
    Tower::new(n, n, |context: &C, x: &[C::Num], directions: &[&[C::Num]]| -> Result<EnclosureVector<C>, TowerError> {
        // the first derivative of the identity is its direction, all higher ones are 0
        Ok(match directions {
            [] => x.to_vec(),
            [v] => v.to_vec(),
            _ => vec![context.enclose_integer(0); x.len()],
        })
    })
}

/// Returns 0 : ℝⁿ ⇝ ℝⁿ. It takes no memory either.
fn zero_tower<C: Context>(n: usize) -> Tower<C> {
    Tower::new(n, n, |context: &C, x: &[C::Num], _: &[&[C::Num]]| -> Result<EnclosureVector<C>, TowerError> {
        Ok(vec![context.enclose_integer(0); x.len()])
    })
}

/// Returns ⟨f₁, …, fₙ⟩.
fn tuple_of_towers<C: Context>(inputs: usize, parts: &[TowerArrow<C>]) -> Result<Tower<C>, TowerError> {
    parts.iter().try_fold(Tower::terminal(inputs), |tuple, part| tuple.pair(&part.cloned_tower()?))
}

impl<C: Context> Model for TowerModel<C> {
    type Object = usize;
    type Arrow = TowerArrow<C>;
    const NAME: &'static str = "tower";

    fn real_object(&self) -> usize {
        1
    }
    fn natural_object(&self) -> Result<usize, Unsupported> {
        Err(self.unsupported_error("natural numbers"))
    }
    fn boolean_object(&self) -> Result<usize, Unsupported> {
        Err(self.unsupported_error("truth values"))
    }
    fn product_object(&self, parts: &[usize]) -> usize {
        parts.iter().sum()
    }
    fn exponential_object(&self, _: &usize, _: &usize) -> Result<usize, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }
    fn tangent_object(&self, of: &usize) -> Result<usize, Unsupported> {
        Ok(2 * of)
    }

    fn project_variable(&self, context: &[usize], index: usize) -> TowerArrow<C> {
        let before: usize = context[..index].iter().sum();
        Ok(Tower::linear(&LinearMap::select(context.iter().sum(), before..before + context[index]))).into()
    }
    fn compose(&self, context: &[usize], parts: &[TowerArrow<C>], outer: &TowerArrow<C>) -> TowerArrow<C> {
        let composed = || tuple_of_towers(context.iter().sum(), parts)?.then(&outer.cloned_tower()?);
        composed().into()
    }
    fn bind(&self, context: &[usize], value: &TowerArrow<C>, body: &BoundArrow<TowerArrow<C>>) -> TowerArrow<C> {
        let bound =
            // guarded like operations: a composition does work at every order
            || Ok(self.limit_order(identity_tower(context.iter().sum()).pair(&value.cloned_tower()?)?.then(&body.body.cloned_tower()?)?));
        bound().into()
    }
    fn tuple(&self, context: &[usize], parts: &[TowerArrow<C>]) -> TowerArrow<C> {
        tuple_of_towers(context.iter().sum(), parts).into()
    }
    fn project_component(&self, parts: &[usize], tuple: &TowerArrow<C>, index: usize) -> TowerArrow<C> {
        let before: usize = parts[..index].iter().sum();
        let selection = LinearMap::select(parts.iter().sum(), before..before + parts[index]);
        tuple.cloned_tower().and_then(|tuple| tuple.then_linear(&selection)).into()
    }
    fn curry(
        &self,
        _: &[usize],
        _: &usize,
        _: &usize,
        _: &BoundArrow<TowerArrow<C>>,
    ) -> Result<TowerArrow<C>, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }
    fn apply(&self, _: &[usize], _: &TowerArrow<C>, _: &TowerArrow<C>) -> Result<TowerArrow<C>, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }
    fn case_boolean(
        &self,
        _: &TowerArrow<C>,
        _: &TowerArrow<C>,
        _: &TowerArrow<C>,
        _: &ConditionalInfo,
    ) -> Result<TowerArrow<C>, Unsupported> {
        Err(self.unsupported_error("a condition that is not known before the program runs"))
    }
    fn fixed_point(
        &self,
        _: &[usize],
        _: &BoundArrow<TowerArrow<C>>,
        _: &SourceLocation,
    ) -> Result<TowerArrow<C>, Unsupported> {
        Err(self.unsupported_error("recursion"))
    }
    fn isomorphism_side(&self, _: &TowerArrow<C>, _: bool) -> Result<TowerArrow<C>, Unsupported> {
        Err(self.unsupported_error("functions as values"))
    }

    fn real_number(&self, context: &[usize], value: &Rational) -> TowerArrow<C> {
        let q = value.clone();
        let tower = constant(context.iter().sum(), move |context: &C| context.enclose_rational(&q));
        TowerArrow { cloned_tower: Ok(tower), constant: Some(value.clone()) }
    }
    // needed for the order of a special function and for natural exponents
    fn natural_number(&self, context: &[usize], value: u64) -> Result<TowerArrow<C>, Unsupported> {
        Ok(self.real_number(context, &value.into()))
    }
    fn truth_value(&self, _: &[usize], _: bool) -> Result<TowerArrow<C>, Unsupported> {
        Err(self.unsupported_error("truth values"))
    }
    fn interpret_constant(
        &self,
        context: &[usize],
        constant: Constant,
        _: Option<&Ty>,
        _: &SourceLocation,
    ) -> Result<TowerArrow<C>, Unsupported> {
        nullary_constant(self, context.iter().sum(), constant)
    }
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<TowerArrow<C>, Unsupported> {
        Ok(apply_constant(self, application)?.cloned_tower.map(|tower| self.limit_order(tower)).into())
    }
}

/// A component of a closed tower, in both arithmetics.
struct TowerComponent {
    double: Tower<Double>,
    mpfr: Tower<Mpfr>,
    index: usize,
}

impl ComputableReal for TowerComponent {
    type Error = TowerError;

    fn enclose_in_pass(&self, tier: Precision, effort: &PassOptions) -> Result<Enclosure, TowerError> {
        // nothing is lost: earlier passes have their enclosures, and ⊥ adds nothing to them
        if effort.budget.is_exhausted() {
            return Ok(Enclosure::bottom());
        }
        fn value<C: Context>(
            tower: &Tower<C>,
            index: usize,
            context: &C,
            effort: &PassOptions,
        ) -> Result<Enclosure, TowerError> {
            match tower.value_at(&[], context) {
                Ok(values) => Ok(context.to_enclosure(&values[index])),
                // out of budget within this pass: the enclosures of earlier passes remain
                Err(TowerError::Exhausted) if effort.budget.is_exhausted() => Ok(Enclosure::bottom()),
                Err(error) => Err(error),
            }
        }
        match tier {
            Precision::Double => value(&self.double, self.index, &Double, effort),
            Precision::Mpfr(bits) => value(&self.mpfr, self.index, &Mpfr::new(bits), effort),
        }
    }
}

impl From<TowerError> for SemanticsError {
    fn from(error: TowerError) -> Self {
        Self::from_failure(error)
    }
}

/// The semantics by reference towers (S §4).
#[derive(Clone, Copy, Debug)]
pub struct TowerSemantics;

impl TowerSemantics {
    /// Returns the tower `ℝ⁰ ⇝ ℝᵐ` of a closed program.
    ///
    /// # Errors
    /// [`SemanticsError`]
    pub fn tower_of_program<C: Context>(
        term: &Term,
        ty: &Ty,
        budget: &Arc<Budget>,
    ) -> Result<Tower<C>, SemanticsError> {
        tower_in_model(&TowerModel::<C>::new(budget.clone()), term, ty)
    }
}

/// Returns the tower of a closed program in a model of towers.
fn tower_in_model<C: Context>(model: &TowerModel<C>, term: &Term, ty: &Ty) -> Result<Tower<C>, SemanticsError> {
    // report first what the type of the answer lacks, then what the program lacks
    model.interpret_type(ty).map_err(InterpretError::from)?;
    Ok(interpret(model, &[], term)?.cloned_tower?)
}

/// The semantics by reference towers, without the second-order primitives.
///
/// Laws are tested on it: a random program nests the primitives, and each level multiplies the cost of plain subdivision.
#[derive(Clone, Copy, Debug)]
pub struct PlainTowerSemantics;

impl Semantics for TowerSemantics {
    fn name(&self) -> &'static str {
        TowerModel::<Double>::NAME
    }
    fn summary(&self) -> &'static str {
        "the literal towers of derivatives of S §4: the slow reference, for programs of first order"
    }
    fn is_certified(&self) -> bool {
        true
    }
    fn evaluate_to(
        &self,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        // built twice: a tower is fixed to one arithmetic, and the answer starts in doubles
        let double = Self::tower_of_program::<Double>(term, ty, budget)?;
        let mpfr = Self::tower_of_program::<Mpfr>(term, ty, budget)?;
        enclose_towers(&double, &mpfr, ty, to, budget)
    }
}

impl Semantics for PlainTowerSemantics {
    fn name(&self) -> &'static str {
        TowerSemantics.name()
    }
    fn summary(&self) -> &'static str {
        TowerSemantics.summary()
    }
    fn is_certified(&self) -> bool {
        TowerSemantics.is_certified()
    }
    fn evaluate_to(
        &self,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        let double = tower_in_model(&TowerModel::<Double>::without_functionals(budget.clone()), term, ty)?;
        let mpfr = tower_in_model(&TowerModel::<Mpfr>::without_functionals(budget.clone()), term, ty)?;
        enclose_towers(&double, &mpfr, ty, to, budget)
    }
}

/// Encloses the components of an answer by its towers in both arithmetics.
fn enclose_towers(
    double: &Tower<Double>,
    mpfr: &Tower<Mpfr>,
    ty: &Ty,
    to: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<ProgramAnswer, SemanticsError> {
    let mut next = 0;
    let mut ask = || {
        let component = TowerComponent { double: double.clone(), mpfr: mpfr.clone(), index: next };
        next += 1;
        RefinableReal::new(component).enclose_to(to, budget)
    };
    Ok(ProgramAnswer::from_value(enclose_components(ty, &mut ask)?))
}

/// Evaluates the components of an answer, from left to right.
fn enclose_components(
    ty: &Ty,
    ask: &mut impl FnMut() -> Result<crate::number::real::RefinedEnclosure, TowerError>,
) -> Result<Value<AnswerNumber>, TowerError> {
    Ok(match ty.kind() {
        TyKind::Real => Value::Real(AnswerNumber::Enclosure(Box::new(ask()?))),
        TyKind::Tuple(parts) => {
            Value::Tuple(parts.iter().map(|part| enclose_components(part, ask)).collect::<Result<_, _>>()?)
        }
        TyKind::Tangent(_) => Value::Tangent(Arc::default()),
        _ => Value::Unit,
    })
}

type Result<T, E = TowerError> = std::result::Result<T, E>;
type TowerArrowResult<C> = std::result::Result<TowerArrow<C>, Unsupported>;

/// Interprets a constant without arguments.
fn nullary_constant<C: Context>(model: &TowerModel<C>, inputs: usize, name: Constant) -> TowerArrowResult<C> {
    match name {
        Constant::Pi => Ok(Ok(constant(inputs, C::pi)).into()),
        Constant::E => Ok(Ok(constant(inputs, C::enclose_euler)).into()),
        other => Err(missing_constant(model, other)),
    }
}

fn missing_constant<C: Context>(model: &TowerModel<C>, constant: Constant) -> Unsupported {
    model.unsupported_error(constant.describe_missing())
}

/// Interprets a constant at all its arguments.
fn apply_constant<C: Context>(
    model: &TowerModel<C>,
    application: &OperatorApplication<'_, TowerModel<C>>,
) -> TowerArrowResult<C> {
    let OperatorApplication { context, operator, ty, arguments, .. } = *application;
    let inputs: usize = context.iter().sum();
    let domain = ty.and_then(|ty| match ty.kind() {
        TyKind::Function(domain, _) => Some(domain.clone()),
        _ => None,
    });
    match (operator, arguments) {
        (AppliedOperator::Constant(constant), []) => nullary_constant(model, inputs, constant),
        // numerical operations first; those that only select components need the type of the argument
        (AppliedOperator::Constant(constant), [OperatorArgument::Value(x)]) => match unary_constant(constant, x) {
            Some(arrow) => Ok(arrow),
            None => rearrange_components(model, operator, x, domain.as_ref()),
        },
        (AppliedOperator::Constant(constant), [OperatorArgument::Value(x), OperatorArgument::Value(y)]) => {
            binary_constant(constant, x, y).ok_or_else(|| missing_constant(model, constant))
        }
        (
            AppliedOperator::Constant(Constant::Deriv),
            [OperatorArgument::Function { body, .. }, OperatorArgument::Value(x)],
        ) => Ok(derivative_at(inputs, &body.body, x).into()),
        (
            AppliedOperator::Constant(Constant::Tangent),
            [OperatorArgument::Function { domain, body, .. }, OperatorArgument::Value(v)],
        ) => Ok(push_tangent(inputs, *domain, &body.body, v).into()),
        (
            AppliedOperator::Constant(Constant::Jvp),
            [OperatorArgument::Function { body, .. }, OperatorArgument::Value(x), OperatorArgument::Value(v)],
        ) => Ok(derivative_along(inputs, &body.body, x, v.cloned_tower()).into()),
        (
            AppliedOperator::Constant(Constant::Rd),
            [OperatorArgument::Function { domain, body, .. }, OperatorArgument::Value(x), OperatorArgument::Value(w)],
        ) => Ok(transposed_derivative(inputs, *domain, &body.body, x, w).into()),
        (AppliedOperator::Constant(Constant::Functional(functional)), [OperatorArgument::Function { body, .. }]) => {
            let clauses =
                model.clauses.as_ref().ok_or_else(|| missing_constant(model, Constant::Functional(functional)))?;
            Ok(apply_functional(&**clauses, functional, &body.body).into())
        }
        (_, [OperatorArgument::Value(x)]) => rearrange_components(model, operator, x, domain.as_ref()),
        (AppliedOperator::Constant(c) | AppliedOperator::To(c) | AppliedOperator::From(c), _) => {
            Err(missing_constant(model, c))
        }
    }
}

/// Interprets an operation that only selects or permutes components. It needs the types of the components.
fn rearrange_components<C: Context>(
    model: &TowerModel<C>,
    operator: AppliedOperator,
    x: &TowerArrow<C>,
    domain: Option<&Ty>,
) -> TowerArrowResult<C> {
    let sizes = |ty: Option<&Ty>| match ty.map(Ty::kind) {
        Some(TyKind::Tuple(parts)) => parts.iter().map(|part| model.interpret_type(part)).collect(),
        _ => Ok(Vec::new()),
    };
    let selected = |size: usize, indices: Vec<usize>| {
        x.cloned_tower().and_then(|x| x.then_linear(&LinearMap::select(size, indices)))
    };
    Ok(match operator {
        AppliedOperator::Constant(Constant::Fst | Constant::Snd) => {
            let sizes = sizes(domain)?;
            let index = usize::from(operator == AppliedOperator::Constant(Constant::Snd));
            if sizes.len() != 2 {
                return Err(model.unsupported_error("a pair of an unknown type"));
            }
            model.project_component(&sizes, x, index)
        }
        AppliedOperator::Constant(Constant::TangentValue) => {
            x.cloned_tower().and_then(|x| x.then_linear(&LinearMap::select(x.outputs(), 0..x.outputs() / 2))).into()
        }
        // Tan ℝ is ℝ × ℝ (S Prop. 5.2): the isomorphism is the identity
        AppliedOperator::To(Constant::TangentR) | AppliedOperator::From(Constant::TangentR) => x.clone(),
        AppliedOperator::To(Constant::TangentProd) => {
            let sizes = match domain.map(Ty::kind) {
                Some(TyKind::Tangent(of)) => sizes(Some(of))?,
                _ => return Err(model.unsupported_error("a tangent of an unknown type")),
            };
            selected(2 * sizes.iter().sum::<usize>(), interleaved_indices(&sizes)).into()
        }
        AppliedOperator::From(Constant::TangentProd) => {
            // the domain is a tuple of tangents, each twice as long as its base
            let sizes: Vec<usize> = sizes(domain)?.into_iter().map(|size| size / 2).collect();
            let indices = interleaved_indices(&sizes);
            // the inverse permutation
            let mut back = vec![0; indices.len()];
            for (to, from) in indices.into_iter().enumerate() {
                back[from] = to;
            }
            selected(back.len(), back).into()
        }
        AppliedOperator::Constant(c) | AppliedOperator::To(c) | AppliedOperator::From(c) => {
            return Err(missing_constant(model, c));
        }
    })
}

/// Returns the positions in `(A₁ × … × Aₙ)²` of the components of `(A₁ × A₁) × … × (Aₙ × Aₙ)`.
fn interleaved_indices(sizes: &[usize]) -> Vec<usize> {
    let total: usize = sizes.iter().sum();
    let mut before = 0;
    let mut indices = Vec::with_capacity(2 * total);
    for size in sizes {
        indices.extend(before..before + size);
        indices.extend(total + before..total + before + size);
        before += size;
    }
    indices
}

/// Returns `body′ ∘ ⟨⟨id, x⟩, ⟨0, v⟩⟩`: the context is held fixed by a direction of zeros.
fn derivative_along<C: Context>(
    inputs: usize,
    body: &TowerArrow<C>,
    x: &TowerArrow<C>,
    v: Result<Tower<C>>,
) -> Result<Tower<C>> {
    let point = identity_tower(inputs).pair(&x.cloned_tower()?)?;
    let direction = zero_tower(inputs).pair(&v?)?;
    point.pair(&direction)?.then(&body.cloned_tower()?.prime())
}

fn integer_constant<C: Context>(inputs: usize, n: i64) -> Tower<C> {
    constant(inputs, move |context: &C| context.enclose_integer(n))
}

/// Interprets a second-order primitive by its clause. Minima are those of the opposite function.
fn apply_functional<C: Context>(
    clauses: &FunctionalClauses<C>,
    functional: Functional,
    body: &TowerArrow<C>,
) -> Result<Tower<C>> {
    let body = body.cloned_tower()?;
    let negation = LinearMap::scalar_multiple(1, &Rational::from(-1));
    let clause = |functional: SecondOrder, f: &Tower<C>| clauses(functional, f);
    match functional {
        Functional::Integral => clause(SecondOrder::Integral, &body),
        Functional::CutRoot => clause(SecondOrder::CutRoot, &body),
        Functional::FirstRoot => clause(SecondOrder::FirstRoot, &body),
        Functional::Maximum => clause(SecondOrder::Maximum, &body),
        Functional::Maximiser => clause(SecondOrder::Maximiser, &body),
        Functional::Minimum => clause(SecondOrder::Maximum, &body.then_linear(&negation)?)?.then_linear(&negation),
        Functional::Minimiser => clause(SecondOrder::Maximiser, &body.then_linear(&negation)?),
    }
}

/// Returns the derivative of a function of one number.
fn derivative_at<C: Context>(inputs: usize, body: &TowerArrow<C>, x: &TowerArrow<C>) -> Result<Tower<C>> {
    derivative_along(inputs, body, x, Ok(integer_constant(inputs, 1)))
}

/// Returns `Σⱼ wⱼ·(∂ᵢ bodyⱼ ∘ ⟨id, x⟩)` for each of the coordinates i of x: the transpose, by its definition.
fn transposed_derivative<C: Context>(
    inputs: usize,
    size: usize,
    body: &TowerArrow<C>,
    x: &TowerArrow<C>,
    w: &TowerArrow<C>,
) -> Result<Tower<C>> {
    let w = w.cloned_tower()?;
    let mut result = Tower::terminal(inputs);
    for place in 0..size {
        let units = (0..size).map(|i| integer_constant(inputs, i64::from(i == place)));
        let unit = units.into_iter().try_fold(Tower::terminal(inputs), |unit, part| unit.pair(&part));
        let column = derivative_along(inputs, body, x, unit)?;
        let mut sum = integer_constant(inputs, 0);
        for j in 0..w.outputs() {
            let part = |tower: &Tower<C>| tower.then_linear(&LinearMap::select(tower.outputs(), j..j + 1));
            let term = part(&w)?.pair(&part(&column)?)?.then(&product())?;
            sum = if j == 0 { term } else { sum.pair(&term)?.then_linear(&LinearMap::sum(1))? };
        }
        result = result.pair(&sum)?;
    }
    Ok(result)
}

/// Returns `⟨body, body′⟩ ∘ ⟨⟨id, fst v⟩, ⟨0, snd v⟩⟩`.
fn push_tangent<C: Context>(inputs: usize, size: usize, body: &TowerArrow<C>, v: &TowerArrow<C>) -> Result<Tower<C>> {
    let v = v.cloned_tower()?;
    let point = identity_tower(inputs).pair(&v.then_linear(&LinearMap::select(2 * size, 0..size))?)?;
    let direction = zero_tower(inputs).pair(&v.then_linear(&LinearMap::select(2 * size, size..2 * size))?)?;
    point.pair(&direction)?.then(&body.cloned_tower()?.with_derivative())
}

fn unary_constant<C: Context>(name: Constant, x: &TowerArrow<C>) -> Option<TowerArrow<C>> {
    let then = |f: Tower<C>| Some(x.cloned_tower().and_then(|x| x.then(&f)).into());
    match name {
        Constant::Negate => Some(
            x.cloned_tower()
                .and_then(|x| x.then_linear(&LinearMap::scalar_multiple(x.outputs(), &Rational::from(-1))))
                .into(),
        ),
        Constant::Abs => then(primitive::absolute()),
        Constant::Signum => then(primitive::signum()),
        Constant::Elementary(f) => then(primitive::elementary_tower(f)),
        Constant::Foreign(id) => then(foreign::tower_of(id)?),
        Constant::Sigmoid => Some(
            x.cloned_tower().and_then(|x| x.then(&primitive::formula_tower(&SIGMOID, &Tower::identity(1))?)).into(),
        ),
        _ => None,
    }
}

fn binary_constant<C: Context>(name: Constant, x: &TowerArrow<C>, y: &TowerArrow<C>) -> Option<TowerArrow<C>> {
    let pair = || x.cloned_tower()?.pair(&y.cloned_tower()?);
    let linear = |map: fn(usize) -> LinearMap| pair().and_then(|pair| pair.then_linear(&map(pair.outputs() / 2)));
    let then = |f: Tower<C>| pair().and_then(|pair| pair.then(&f));
    let tower = match name {
        Constant::Add => linear(LinearMap::sum),
        Constant::Subtract => linear(LinearMap::difference),
        Constant::Multiply => then(product()),
        Constant::Divide => then(quotient()),
        Constant::Max => then(primitive::maximum()),
        Constant::Min => then(primitive::minimum()),
        Constant::Power => constant_power(x, y),
        Constant::RealPower => real_power(x, y),
        Constant::NaturalPower => natural_power(x, y)?,
        Constant::Planar(f) => then(primitive::planar_tower(f)),
        Constant::Special(id) => {
            let f = id.member(x.constant.as_ref()?.numer().to_u64()?)?;
            // the order is a literal after reduction; otherwise the constant is not supported
            y.cloned_tower().and_then(|y| y.then(&primitive::elementary_tower(f)))
        }
        _ => return None,
    };
    Some(tower.into())
}

/// Returns x^q (S74): a rational power for an exponent of moderate size, otherwise exp(q·log x).
fn constant_power<C: Context>(x: &TowerArrow<C>, y: &TowerArrow<C>) -> Result<Tower<C>> {
    let exponent = y.constant.as_ref().and_then(|q| {
        let p = q.numer().to_i64().filter(|p| p.unsigned_abs() <= LARGEST_EXPONENT)?;
        Some((p, q.denom().to_u32().filter(|&q| u64::from(q) <= LARGEST_EXPONENT)?))
    });
    match exponent {
        Some((p, q)) => x.cloned_tower()?.then(&power(p, q)),
        None => real_power(x, y),
    }
}

/// Returns exp(y·log x).
fn real_power<C: Context>(x: &TowerArrow<C>, y: &TowerArrow<C>) -> Result<Tower<C>> {
    let log = x.cloned_tower()?.then(&primitive::elementary_tower(Function::Log))?;
    y.cloned_tower()?.pair(&log)?.then(&product())?.then(&primitive::elementary_tower(Function::Exp))
}

/// Returns the product of n factors x. [Reduction](crate::model::reduce) must have made n a literal; otherwise the result is
/// `None`.
fn natural_power<C: Context>(x: &TowerArrow<C>, n: &TowerArrow<C>) -> Option<Result<Tower<C>>> {
    let n = n.constant.as_ref()?.numer().to_u64()?;
    let of = |p: u64| x.cloned_tower()?.then(&power(p as i64, 1));
    let (whole, rest) = (n / LARGEST_EXPONENT, n % LARGEST_EXPONENT);
    Some(match whole {
        0 => of(rest),
        // in base LARGEST_EXPONENT, by Horner's rule, as in `RealArithmetic::natural_power`
        _ => of(LARGEST_EXPONENT).and_then(|large| {
            let large = TowerArrow::from(Ok(large));
            let whole = TowerArrow { constant: Some(whole.into()), ..large.clone() };
            natural_power(&large, &whole).unwrap_or_else(|| large.cloned_tower())?.pair(&of(rest)?)?.then(&product())
        }),
    })
}
