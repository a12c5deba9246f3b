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
//! | `integral01` and the other primitives of §5.2 | none | |
//!
//! This is the reference: slow, and not for orders beyond [`HIGHEST_ORDER`]. In a direction of zeros at a point without a
//! derivative the result is ⊥, as the [tower module](crate::smooth::tower) says.

mod operation;

use crate::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError};
use crate::model::{
    BoundArrow, ConditionalInfo, InterpretError, Model, OperatorApplication, SourceLocation, Unsupported, interpret,
};
use crate::number::budget::Budget;
use crate::number::context::{Context, Function};
use crate::number::effort::PassOptions;
use crate::number::real::{ComputableReal, Precision, RefinableReal};
use crate::number::{Accuracy, Double, Enclosure, Mpfr, Rational, work};
use crate::smooth::tower::primitive::constant;
use crate::smooth::tower::{EnclosureVector, LinearMap, Tower, TowerError};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use std::sync::Arc;

/// The highest order of derivatives that is evaluated; a choice: the work grows exponentially in the order.
pub const HIGHEST_ORDER: usize = 6;

/// The model of towers over an arithmetic, under a budget.
#[derive(Clone, Debug)]
pub struct TowerModel<C> {
    context: std::marker::PhantomData<C>,
    budget: Arc<Budget>,
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
        Self { context: std::marker::PhantomData, budget }
    }

    /// Limits the order and charges the budget for each evaluation of a tower.
    fn limit_order(&self, tower: Tower<C>) -> Tower<C> {
        let budget = self.budget.clone();
        let inputs = tower.inputs() as u64;
        tower.with_permission(move |order, bits| {
            // an estimate: 2^order terms for each input, each at 1/32 of the work of an exponential at this precision
            let each = (work::function_units(Function::Exp, work::limb_count(bits), 0) / 32).max(1);
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
    // needed for the order of a polygamma function and for natural exponents
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
        operation::nullary_constant(self, context.iter().sum(), constant)
    }
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<TowerArrow<C>, Unsupported> {
        Ok(operation::apply_constant(self, application)?.cloned_tower.map(|tower| self.limit_order(tower)).into())
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
        let model = TowerModel::<C>::new(budget.clone());
        // report first what the type of the answer lacks, then what the program lacks
        model.interpret_type(ty).map_err(InterpretError::from)?;
        Ok(interpret(&model, &[], term)?.cloned_tower?)
    }
}

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
        let mut next = 0;
        let mut ask = || {
            let component = TowerComponent { double: double.clone(), mpfr: mpfr.clone(), index: next };
            next += 1;
            RefinableReal::new(component).enclose_to(to, budget)
        };
        Ok(ProgramAnswer::from_value(enclose_components(ty, &mut ask)?))
    }
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
