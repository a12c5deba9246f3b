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

use crate::model::answer::{Answer, Meaning, MeaningError, Number};
use crate::model::{Application, Bound, Choice, InterpretError, Model, Place, Unsupported, interpret};
use crate::number::budget::Budget;
use crate::number::context::{Context, Function};
use crate::number::effort::Effort;
use crate::number::real::{Approximation, Real, Tier};
use crate::number::{Accuracy, Double, Enclosure, Mpfr, Rational, work};
use crate::smooth::tower::primitive::constant;
use crate::smooth::tower::{Linear, Tower, TowerError, Vector};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use std::sync::Arc;

/// The highest order of derivatives that is evaluated; a choice: the work grows exponentially in the order.
pub const HIGHEST_ORDER: usize = 6;

/// The model of towers over an arithmetic, under a budget.
#[derive(Clone, Debug)]
pub struct Towers<C> {
    context: std::marker::PhantomData<C>,
    budget: Arc<Budget>,
}

/// A tower `ℝⁿ ⇝ ℝᵐ`, or the reason why there is none, with its value if the program gives it as a rational number.
#[derive(Clone)]
pub struct Arrow<C: Context> {
    /// The tower.
    pub tower: Result<Tower<C>, TowerError>,
    /// The rational value, for exponents and orders; `None` if the tower is not a literal.
    constant: Option<Rational>,
}

impl<C: Context> From<Result<Tower<C>, TowerError>> for Arrow<C> {
    fn from(tower: Result<Tower<C>, TowerError>) -> Self {
        Self { tower, constant: None }
    }
}

impl<C: Context> Arrow<C> {
    fn tower(&self) -> Result<Tower<C>, TowerError> {
        self.tower.clone()
    }
}

impl<C: Context> Towers<C> {
    /// Builds the model under a budget.
    #[must_use]
    pub fn new(budget: Arc<Budget>) -> Self {
        Self { context: std::marker::PhantomData, budget }
    }

    /// Limits the order and charges the budget for each evaluation of a tower.
    fn guarded(&self, tower: Tower<C>) -> Tower<C> {
        let budget = self.budget.clone();
        let inputs = tower.inputs() as u64;
        tower.guarded(move |order, bits| {
            // an estimate: 2^order terms for each input, each at 1/32 of the work of an exponential at this precision
            let each = (work::function(Function::Exp, work::limbs(bits), 0) / 32).max(1);
            order <= HIGHEST_ORDER && budget.spend(((inputs + 1) << order).saturating_mul(each))
        })
    }
}

/// Returns the identity of ℝⁿ. It takes no memory, however many variables are in scope.
fn identity<C: Context>(n: usize) -> Tower<C> {
    Tower::new(n, n, |context: &C, x: &[C::Num], directions: &[&[C::Num]]| -> Result<Vector<C>, TowerError> {
        // the first derivative of the identity is its direction, all higher ones are 0
        Ok(match directions {
            [] => x.to_vec(),
            [v] => v.to_vec(),
            _ => vec![context.integer(0); x.len()],
        })
    })
}

/// Returns 0 : ℝⁿ ⇝ ℝⁿ. It takes no memory either.
fn zero<C: Context>(n: usize) -> Tower<C> {
    Tower::new(n, n, |context: &C, x: &[C::Num], _: &[&[C::Num]]| -> Result<Vector<C>, TowerError> {
        Ok(vec![context.integer(0); x.len()])
    })
}

/// Returns ⟨f₁, …, fₙ⟩.
fn tuple<C: Context>(inputs: usize, parts: &[Arrow<C>]) -> Result<Tower<C>, TowerError> {
    parts.iter().try_fold(Tower::terminal(inputs), |tuple, part| tuple.pair(&part.tower()?))
}

impl<C: Context> Model for Towers<C> {
    type Object = usize;
    type Arrow = Arrow<C>;
    const NAME: &'static str = "tower";

    fn real(&self) -> usize {
        1
    }
    fn natural(&self) -> Result<usize, Unsupported> {
        Err(self.lacks("natural numbers"))
    }
    fn boolean(&self) -> Result<usize, Unsupported> {
        Err(self.lacks("truth values"))
    }
    fn product(&self, parts: &[usize]) -> usize {
        parts.iter().sum()
    }
    fn exponential(&self, _: &usize, _: &usize) -> Result<usize, Unsupported> {
        Err(self.lacks("functions as values"))
    }
    fn tangent(&self, of: &usize) -> Result<usize, Unsupported> {
        Ok(2 * of)
    }

    fn variable(&self, context: &[usize], index: usize) -> Arrow<C> {
        let before: usize = context[..index].iter().sum();
        Ok(Tower::linear(&Linear::select(context.iter().sum(), before..before + context[index]))).into()
    }
    fn compose(&self, context: &[usize], parts: &[Arrow<C>], outer: &Arrow<C>) -> Arrow<C> {
        let composed = || tuple(context.iter().sum(), parts)?.then(&outer.tower()?);
        composed().into()
    }
    fn bind(&self, context: &[usize], value: &Arrow<C>, body: &Bound<Arrow<C>>) -> Arrow<C> {
        let bound =
            // guarded like operations: a composition does work at every order
            || Ok(self.guarded(identity(context.iter().sum()).pair(&value.tower()?)?.then(&body.body.tower()?)?));
        bound().into()
    }
    fn tuple(&self, context: &[usize], parts: &[Arrow<C>]) -> Arrow<C> {
        tuple(context.iter().sum(), parts).into()
    }
    fn component(&self, parts: &[usize], tuple: &Arrow<C>, index: usize) -> Arrow<C> {
        let before: usize = parts[..index].iter().sum();
        let selection = Linear::select(parts.iter().sum(), before..before + parts[index]);
        tuple.tower().and_then(|tuple| tuple.then_linear(&selection)).into()
    }
    fn curry(&self, _: &[usize], _: &usize, _: &usize, _: &Bound<Arrow<C>>) -> Result<Arrow<C>, Unsupported> {
        Err(self.lacks("functions as values"))
    }
    fn apply(&self, _: &[usize], _: &Arrow<C>, _: &Arrow<C>) -> Result<Arrow<C>, Unsupported> {
        Err(self.lacks("functions as values"))
    }
    fn case(&self, _: &Arrow<C>, _: &Arrow<C>, _: &Arrow<C>, _: &Choice) -> Result<Arrow<C>, Unsupported> {
        Err(self.lacks("a condition that is not known before the program runs"))
    }
    fn recursion(&self, _: &[usize], _: &Bound<Arrow<C>>, _: &Place) -> Result<Arrow<C>, Unsupported> {
        Err(self.lacks("recursion"))
    }
    fn side(&self, _: &Arrow<C>, _: bool) -> Result<Arrow<C>, Unsupported> {
        Err(self.lacks("functions as values"))
    }

    fn number(&self, context: &[usize], value: &Rational) -> Arrow<C> {
        let q = value.clone();
        let tower = constant(context.iter().sum(), move |context: &C| context.rational(&q));
        Arrow { tower: Ok(tower), constant: Some(value.clone()) }
    }
    // needed for the order of a polygamma function and for natural exponents
    fn natural_number(&self, context: &[usize], value: u64) -> Result<Arrow<C>, Unsupported> {
        Ok(self.number(context, &value.into()))
    }
    fn truth(&self, _: &[usize], _: bool) -> Result<Arrow<C>, Unsupported> {
        Err(self.lacks("truth values"))
    }
    fn constant(
        &self,
        context: &[usize],
        constant: Constant,
        _: Option<&Ty>,
        _: &Place,
    ) -> Result<Arrow<C>, Unsupported> {
        operation::nullary(self, context.iter().sum(), constant)
    }
    fn operation(&self, application: &Application<'_, Self>) -> Result<Arrow<C>, Unsupported> {
        Ok(operation::operation(self, application)?.tower.map(|tower| self.guarded(tower)).into())
    }
}

/// A component of a closed tower, in both arithmetics.
struct Component {
    double: Tower<Double>,
    mpfr: Tower<Mpfr>,
    index: usize,
}

impl Approximation for Component {
    type Error = TowerError;

    fn approximate(&self, tier: Tier, effort: &Effort) -> Result<Enclosure, TowerError> {
        // nothing is lost: earlier passes have their enclosures, and ⊥ adds nothing to them
        if effort.budget.is_exhausted() {
            return Ok(Enclosure::bottom());
        }
        fn value<C: Context>(
            tower: &Tower<C>,
            index: usize,
            context: &C,
            effort: &Effort,
        ) -> Result<Enclosure, TowerError> {
            match tower.at(&[], context) {
                Ok(values) => Ok(context.to_enclosure(&values[index])),
                // out of budget within this pass: the enclosures of earlier passes remain
                Err(TowerError::Exhausted) if effort.budget.is_exhausted() => Ok(Enclosure::bottom()),
                Err(error) => Err(error),
            }
        }
        match tier {
            Tier::Double => value(&self.double, self.index, &Double, effort),
            Tier::Mpfr(bits) => value(&self.mpfr, self.index, &Mpfr::new(bits), effort),
        }
    }
}

impl From<TowerError> for MeaningError {
    fn from(error: TowerError) -> Self {
        Self::own(error)
    }
}

/// The semantics by reference towers (S §4).
#[derive(Clone, Copy, Debug)]
pub struct ReferenceTower;

impl ReferenceTower {
    /// Returns the tower `ℝ⁰ ⇝ ℝᵐ` of a closed program.
    ///
    /// # Errors
    /// [`MeaningError`]
    pub fn tower<C: Context>(term: &Term, ty: &Ty, budget: &Arc<Budget>) -> Result<Tower<C>, MeaningError> {
        let model = Towers::<C>::new(budget.clone());
        // report first what the type of the answer lacks, then what the program lacks
        model.object(ty).map_err(InterpretError::from)?;
        Ok(interpret(&model, &[], term)?.tower?)
    }
}

impl Meaning for ReferenceTower {
    fn name(&self) -> &'static str {
        Towers::<Double>::NAME
    }
    fn about(&self) -> &'static str {
        "the literal towers of derivatives of S §4: the slow reference, for programs of first order"
    }
    fn encloses(&self) -> bool {
        true
    }
    fn answer_to(&self, term: &Term, ty: &Ty, to: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        // built twice: a tower is fixed to one arithmetic, and the answer starts in doubles
        let double = Self::tower::<Double>(term, ty, budget)?;
        let mpfr = Self::tower::<Mpfr>(term, ty, budget)?;
        let mut next = 0;
        let mut ask = || {
            let component = Component { double: double.clone(), mpfr: mpfr.clone(), index: next };
            next += 1;
            Real::new(component).enclose_to(to, budget)
        };
        Ok(Answer::of(reply(ty, &mut ask)?))
    }
}

/// Evaluates the components of an answer, from left to right.
fn reply(
    ty: &Ty,
    ask: &mut impl FnMut() -> Result<crate::number::real::Refined, TowerError>,
) -> Result<Value<Number>, TowerError> {
    Ok(match ty.kind() {
        TyKind::Real => Value::Real(Number::Enclosure(Box::new(ask()?))),
        TyKind::Tuple(parts) => Value::Tuple(parts.iter().map(|part| reply(part, ask)).collect::<Result<_, _>>()?),
        TyKind::Tangent(_) => Value::Tangent(Arc::default()),
        _ => Value::Unit,
    })
}
