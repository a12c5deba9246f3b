//! Denotational semantics of Abadi and Plotkin (A §4, §5): partial functions, smooth on open sets, call by value.
//!
//! A type denotes ℝⁿ, and a program a partial function with an open domain and all derivatives there. Programs are evaluated by
//! the clauses of Fig. 7, on [jets](crate::smooth::jet) of [numbers of one precision](crate::number::arithmetic):
//!
//! | clause | A Fig. 7 | here |
//! |---|---|---|
//! | `x`, `r`, `op(M)` | ρ(x), r, ⟦op⟧(⟦M⟧ρ) | this module: undefined outside of an open domain |
//! | `let x = M in N` | ⟦N⟧ρ[⟦M⟧ρ / x] | [`ValueSemantics::bind_let`]: undefined where M is, used or not |
//! | `⟨M, N⟩`, `fst`, `snd` | tupling, projections | [`ValueSemantics::build_tuple`]: undefined where a part is |
//! | `if B then M else N` | Cond(⟦B⟧, ⟦M⟧, ⟦N⟧) | one of them is run; undefined on the border, where x < y is for x = y |
//! | `letrec f(x) = M in N` | the supremum of µⁿ, µ⁰ = ⊥, µⁿ⁺¹ = F(µⁿ) | unfolded as often as it takes, or [n times](PartialSemantics::with_unfolding_limit) |
//! | `M.rd_L(x. N)` | (d^r f)(L)·M, by (4) | this module: the columns of the Jacobian, one run for each |
//!
//! Beyond A, functions are values, and programs have natural numbers, lists and variants. The *supremum* is computed by running
//! to the end. A run that ends unfolds a recursion some number n of times, and so gives the value of µⁿ and of all later
//! approximants.
//!
//! The operational semantics, to which this one must be adequate, shares with it the rows of functions and the interval
//! arithmetic. It has traces, closures of its own and a reverse sweep, which this one lacks. It has no jets.
//!
//! Closed programs of function type are [partial maps](map) with their dimensions as types. These form a [category](map), whose laws
//! are generic.
//!
//! Three results are certain: a value; that there is none at a *boundary* or outside a *domain*; and, where recursion is limited,
//! that the limit was reached. A comparison that is *undecided* at one precision is repeated at a higher one (`question`).
//!
//! The equations of [`Model`](crate::model::Model) are by name. By value they hold where all sides are defined;
//! the laws say that by value is below by name.
//!
//! There are no integrals, roots and optima, and no tangents of functions. A derivative adjoins one direction for
//! each level of nesting, so the largest algebra bounds the number of levels.
//!
//! # Evaluation of programs at increasing precision
//!
//! A run has one precision, and its result is certain. While a comparison is undecided, or the value is not as narrow as asked,
//! the program is run again with twice the bits. This ends with the budget, or when the next run would exceed it. A comparison
//! still undecided at 1024 bits is evaluated in [rational numbers](Exact), which decide boundaries for certain. If they do not
//! decide it either, the error says how nearly both sides agree.
//!
//! # Operations on jets
//!
//! Operations on jets (A §4): smooth on an open set and undefined everywhere else, including the edges.
//!
//! | operation | defined for | although |
//! |---|---|---|
//! | `x / y` | y ≠ 0 | |
//! | `x ^ q`, q a natural number as it is written | all x | |
//! | `x ^ q`, q another fraction as it is written | x > 0, or x ≠ 0 where the denominator is odd | q > 0 has a value at 0 |
//! | `x ^ y` | x > 0 | |
//! | `abs x`, `signum x` | x ≠ 0 | they have values at 0 |
//! | `max x y`, `min x y` | x ≠ y | they have values there |
//! | `sqrt`, `cbrt`, `asin`, … | the interior of the domain, without 0 for roots | they have values at the edge |
//! | `atan2 y x` | off the ray y = 0, x ≤ 0 | it has values on the ray |
//!
//! Only exact numbers tell a point on an edge from one beside it. If an enclosure meets an edge, the operation is undecided, and
//! is repeated at a higher precision.
//!
//! # Derivatives
//!
//! Derivatives (A §4.1): the transposed Jacobian of a partial map, by its definition (4).
//!
//! A smooth map of open sets extends to every Weil algebra, so running a function on jets gives its value with its derivatives. A
//! derivative along one direction adjoins a generator ε with ε² = 0 to the algebra of the enclosing program. The function is run
//! once at x + v ε, and the derivative is the coefficient of ε. `rd f x w` does that for each coordinate of x. Its component is
//! the sum of the derivatives of the coordinates of the value, weighted by those of w. Nothing is recorded, and nothing is run
//! backward.
//!
//! The run needs the value of f at x as well. So `rd f x w` is defined exactly where f is: also for w = 0, and if x has no
//! coordinates.
//!
//! # The clauses of the semantics for which a plausible wrong one
//!
//! The clauses of the semantics for which a plausible wrong one exists: the points of mutation for tests.

pub mod map;

use super::foreign;
use crate::function::{OperationConditions, PowerKind, RealOperation, TestedQuantity};
use crate::model::answer::{
    AnswerNumber, AnswerTruth, ProgramAnswer, Semantics, SemanticsError, SiteTable, is_evaluated,
};
use crate::model::universe::{
    ArrowCode, EvaluatorModel, RealArithmetic, RecursionDepth, RunResult, ValueEnvironment, ValueSemantics,
};
use crate::model::{ConditionalInfo, SourceLocation, Unsupported, answer};
use crate::number::arithmetic::{Context, Function, Planar, Sign};
use crate::number::budget::Budget;
use crate::number::real::DisjointEnclosures;
use crate::number::{Accuracy, Double, Enclosure, Exact, Mpfr, Rational, budget, real};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::LARGEST_EXPONENT;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value;
use crate::value::{Carrier, SourceId, TruthType, TryMapReals, UndefinedCause, UndefinedValue, Value, ValueError};
use std::cmp::Ordering;
use std::fmt;
use std::fmt::Debug;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, atomic};
use std::time::Instant;

/// The name of the model.
pub const NAME: &str = "partial";

/// A number with derivatives, represented by a shared jet.
#[derive(Clone, Debug)]
pub struct JetElement<N>(Arc<Jet<N>>);

impl<N: Clone> JetElement<N> {
    /// Wraps a jet.
    #[must_use]
    pub fn new(jet: Jet<N>) -> Self {
        Self(Arc::new(jet))
    }

    /// Returns the jet: the value, and the derivatives along the directions that are being taken.
    #[must_use]
    pub fn as_jet(&self) -> &Jet<N> {
        &self.0
    }

    /// Returns the value; 0 if the jet has no coefficient for it.
    pub fn value_in<C: Context<Num = N>>(&self, context: &C) -> N {
        self.0.get(0).cloned().unwrap_or_else(|| context.enclose_integer(0))
    }
}

impl<N: Clone + Debug + Send + Sync + 'static> Carrier for JetElement<N> {
    type Truth = bool;
    /// The placeholder for a value that was given up, under [hooks](PartialHooks) by which an unused value is not needed.
    type Tangent = ();
}

/// The universe of partial maps at one precision.
#[derive(Debug)]
pub struct PartialUniverse<C: Context> {
    context: C,
    hooks: Arc<dyn PartialHooks>,
    budget: Arc<Budget>,
    unfoldings: Option<u64>,
    steps: AtomicU64,
    depth: RecursionDepth,
    /// ℝ extended by the directions of the enclosing derivatives.
    current_algebra: Mutex<Arc<Algebra>>,
    sites: SiteTable,
}

impl<C: Context> PartialUniverse<C> {
    /// Builds the universe over an arithmetic, under a budget.
    #[must_use]
    pub fn new(context: C, budget: Arc<Budget>) -> Self {
        Self {
            context,
            hooks: Arc::new(DefaultPartialHooks),
            budget,
            unfoldings: None,
            steps: AtomicU64::new(0),
            depth: RecursionDepth::default(),
            current_algebra: Mutex::new(Algebra::real()),
            sites: SiteTable::default(),
        }
    }

    /// Limits recursion: a recursive function is then the approximant µⁿ. `None` removes the limit.
    #[must_use]
    pub fn with_unfolding_limit(self, n: Option<u64>) -> Self {
        Self { unfoldings: n, ..self }
    }

    /// Replaces the clauses by those of `hooks`.
    #[must_use]
    pub fn with_hooks(self, hooks: Arc<dyn PartialHooks>) -> Self {
        Self { hooks, ..self }
    }

    /// Returns a universe with places of its own, inside the derivatives that are being taken here.
    fn nested_universe(&self) -> Self {
        let universe = Self::new(self.context.clone(), self.budget.clone())
            .with_unfolding_limit(self.unfoldings)
            .with_hooks(self.hooks.clone());
        universe.replace_algebra(self.current_algebra());
        universe
    }

    /// Returns the clauses.
    fn hooks(&self) -> &dyn PartialHooks {
        &*self.hooks
    }

    /// Returns the arithmetic.
    #[must_use]
    pub fn context(&self) -> &C {
        &self.context
    }

    /// Returns the place of a site; `None` for an unknown one.
    #[must_use]
    pub fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        self.sites.location_of(site)
    }

    fn current_algebra(&self) -> Arc<Algebra> {
        self.current_algebra.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the algebra and returns the previous one.
    fn replace_algebra(&self, algebra: Arc<Algebra>) -> Arc<Algebra> {
        std::mem::replace(&mut *self.current_algebra.lock().unwrap_or_else(PoisonError::into_inner), algebra)
    }

    /// Returns the error of an exhausted budget; `what` describes it.
    fn fuel_error(what: String) -> ValueError {
        ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Fuel, what))
    }

    fn out_of_budget_error(&self) -> ValueError {
        Self::fuel_error(format!(
            "its {} was up after {} steps",
            budget::exhausted_resource(),
            self.steps.load(atomic::Ordering::Relaxed)
        ))
    }
}

impl<C: Context> ValueSemantics for PartialUniverse<C> {
    type Mark = SourceId;
    const NAME: &'static str = NAME;

    fn charge_step(&self) -> Result<(), ValueError> {
        self.steps.fetch_add(1, atomic::Ordering::Relaxed);
        if self.budget.spend(1) { Ok(()) } else { Err(self.out_of_budget_error()) }
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        Some(&self.depth)
    }
    fn too_deep_error(&self) -> ValueError {
        // reported as fuel: a deep recursion is not known to be undefined
        Self::fuel_error(format!(
            "functions were applied within each other too deep, more than {} levels",
            RecursionDepth::MAX_LEVELS
        ))
    }
    fn mark_application(&self, constant: Constant, place: &SourceLocation, arguments: &[ArrowCode<Self>]) -> SourceId {
        self.sites.add_application(constant, place, arguments)
    }
    fn mark_recursion(&self, place: &SourceLocation) -> SourceId {
        self.sites.add_recursion(place)
    }
    fn has_operation(&self, constant: Constant) -> bool {
        match constant.as_foreign() {
            Some(id) => foreign::missing_part(id, NAME).is_none(),
            None => is_evaluated(constant),
        }
    }
    fn missing_operation(&self, constant: Constant) -> Unsupported {
        match constant.as_foreign() {
            Some(id) => foreign::unsupported_foreign(id, NAME),
            None => Unsupported { model: NAME, construct: constant.describe_missing() },
        }
    }

    fn bind_let(
        &self,
        environment: &ValueEnvironment<Value<Self::Real>>,
        value: RunResult<Self>,
    ) -> Result<ValueEnvironment<Value<Self::Real>>, ValueError> {
        // by value (A Fig. 7): an undefined `let` makes the program undefined, used or not
        Ok(environment.with_value(self.defer_undefined(value, self.hooks.binds_lazily())?))
    }
    fn build_tuple(&self, parts: &mut dyn Iterator<Item = RunResult<Self>>) -> RunResult<Self> {
        let parts = parts.map(|part| self.defer_undefined(part, self.hooks.pairs_lazily()));
        Ok(Value::tuple_of(parts.collect::<Result<Vec<_>, _>>()?))
    }
    fn decide_condition(&self, condition: &bool) -> Option<bool> {
        // a mutant that runs both branches must not see a decided condition
        condition.decided_value().filter(|_| !self.hooks.runs_both_branches())
    }
    fn branch_undecided(
        self: &Arc<Self>,
        condition: &bool,
        _: &ConditionalInfo,
        then: &dyn Fn() -> RunResult<Self>,
        otherwise: &dyn Fn() -> RunResult<Self>,
    ) -> RunResult<Self> {
        let (then, otherwise) = (then()?, otherwise()?);
        Ok(if *condition { then } else { otherwise })
    }
    fn unfolding_limit(&self) -> Option<u64> {
        self.unfoldings.map(|n| self.hooks.approximant_levels(n))
    }
    fn value_at_limit(&self) -> RunResult<Self> {
        let none = || {
            let what = "a recursive function was unfolded as often as its limit allows";
            ValueError::from_undefined(UndefinedValue {
                certain: true,
                ..UndefinedValue::of_operation(UndefinedCause::Fuel, what)
            })
        };
        self.hooks.bottom_value().map(|n| Value::Real(self.rational_constant(&n.into()))).ok_or_else(none)
    }
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        site: SourceId,
        arguments: &[Value<Self::Real>],
    ) -> RunResult<Self> {
        let run = |x: &Value<Self::Real>| match arguments {
            [f, ..] => f.as_function()?.apply(x),
            [] => Err(x.kind_mismatch("a function")),
        };
        let result = match (constant, arguments) {
            // before first order: these run the function again, inside a larger algebra
            (Constant::Deriv, [_, x]) => self.derivative_at(&run, x),
            (Constant::Jvp, [_, x, v]) => self.derivative_along(&run, x, v),
            (Constant::Rd, [_, x, w]) => self.transposed_derivative(&run, x, w),
            // a literal exponent has a larger domain than exp(y·log x)
            (Constant::Power, [x, _]) if let Some(q) = self.sites.literal_exponent(site) => {
                x.as_real().and_then(|x| self.literal_power_of(x, &q)).map(Value::Real)
            }
            (Constant::Foreign(id), [x]) => x.as_real().and_then(|x| self.apply_foreign(id, x)).map(Value::Real),
            _ => self.apply_first_order(constant, arguments).unwrap_or_else(|| self.missing_rule(constant)),
        };
        result.map_err(|error| error.with_source(site))
    }
}

impl<C: Context> PartialUniverse<C> {
    /// Returns the value, or a placeholder if it is undefined and the clause `waits` for a use of it.
    fn defer_undefined(&self, value: RunResult<Self>, waits: bool) -> RunResult<Self> {
        match value {
            Err(ValueError::Undefined(_)) if waits => Ok(Value::Tangent(Arc::default())),
            value => value,
        }
    }
}

/// The semantics of partial maps, by Abadi and Plotkin.
#[derive(Clone, Copy, Debug, Default)]
pub struct PartialSemantics {
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfolding_limit: Option<u64>,
}

impl Semantics for PartialSemantics {
    fn name(&self) -> &'static str {
        NAME
    }
    fn summary(&self) -> &'static str {
        "partial functions, smooth on open sets, by value (Abadi and Plotkin): undefined on every border, recursion on reals"
    }
    fn is_certified(&self) -> bool {
        true
    }
    fn with_unfolding_limit(&self, unfoldings: u64) -> Option<Box<dyn Semantics>> {
        Some(Box::new(Self { unfolding_limit: Some(unfoldings) }))
    }
    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        evaluate_program(term, self.unfolding_limit, to, budget)
    }
}

/// The values of programs over an arithmetic.
pub type PartialValue<C> = value::Value<JetElement<<C as Context>::Num>>;

/// The most bits to which a comparison is evaluated; a choice.
pub const MAX_COMPARISON_BITS: u32 = 1024;
/// The highest precision, in bits; a choice.
const MAX_PRECISION_BITS: u32 = 1 << 20;

/// Conversion of the numbers of a run to those of an answer, each intersected with its enclosure of earlier runs.
struct RefineEnclosures<'a, C> {
    context: &'a C,
    to: &'a Accuracy,
    /// The intersections of all runs so far, one for each number.
    known: &'a mut Vec<Enclosure>,
    /// The number of numbers converted.
    converted: usize,
    /// `true` while every number is as accurate as asked, or will never be.
    reached: bool,
}

impl<C: Context> TryMapReals<JetElement<C::Num>, AnswerNumber> for RefineEnclosures<'_, C> {
    type Error = DisjointEnclosures;

    fn map_real(&mut self, x: &JetElement<C::Num>) -> Result<AnswerNumber, DisjointEnclosures> {
        let found = self.context.to_enclosure(&x.value_in(self.context));
        // a disjoint enclosure contradicts an earlier one: one of the runs was wrong
        let best = match self.known.get(self.converted) {
            None => found,
            Some(known) => known
                .intersection(&found)
                .ok_or_else(|| DisjointEnclosures { first: Box::new(known.clone()), second: Box::new(found) })?,
        };
        match self.known.get_mut(self.converted) {
            Some(known) => *known = best.clone(),
            None => self.known.push(best.clone()),
        }
        self.converted += 1;
        let bits = self.context.precision();
        let reached = self.to.is_reached_by(&best);
        self.reached &= reached || self.to.should_give_up(&best, bits);
        let answer = real::RefinedEnclosure {
            enclosure: best,
            reached,
            bits,
            exhausted: false,
            assumed: Vec::new(),
            reason: None,
            exact: None,
            conditional: None,
        };
        Ok(AnswerNumber::Enclosure(Box::new(answer)))
    }

    fn map_truth(&mut self, b: &bool) -> Result<AnswerTruth, DisjointEnclosures> {
        Ok(AnswerTruth::Decided(*b))
    }
}

/// A question, with the enclosures that its runs have found so far.
struct PrecisionRuns<'q> {
    term: &'q Term,
    unfoldings: Option<u64>,
    to: &'q Accuracy,
    budget: &'q Arc<Budget>,
    known: Vec<Enclosure>,
}

impl PrecisionRuns<'_> {
    /// Runs once. Returns the value, and `true` if every number in it is as accurate as asked, or will never be.
    fn run_in_context<C: Context>(&mut self, context: C) -> Result<(Value<AnswerNumber>, bool), FailedRun> {
        let model = EvaluatorModel::new(
            PartialUniverse::new(context, self.budget.clone()).with_unfolding_limit(self.unfoldings),
        );
        let found = model.evaluate_closed(self.term).and_then(|value: PartialValue<C>| {
            value.check_size()?;
            let context = model.0.context();
            let mut telling =
                RefineEnclosures { context, to: self.to, known: &mut self.known, converted: 0, reached: true };
            let value = value.try_map_reals(&mut telling).map_err(|contradiction| SemanticsError::Evaluation {
                error: SmoothError::from(contradiction),
                place: None,
            })?;
            Ok((value, telling.reached))
        });
        found.map_err(|error| match error {
            SemanticsError::Run(ValueError::Undefined(undefined)) => {
                let place = model.0.location_of(undefined.site);
                let told = answer::UndefinedReason::of_value(&undefined, place, self.term, ToString::to_string);
                FailedRun { undefined: Some(*undefined), error: SemanticsError::Undefined(Box::new(told)) }
            }
            error => FailedRun { undefined: None, error },
        })
    }

    /// Runs at a precision; doubles serve for up to 53 bits.
    fn run_at_precision(&mut self, bits: u32) -> Result<(Value<AnswerNumber>, bool), FailedRun> {
        if bits <= 53 { self.run_in_context(Double) } else { self.run_in_context(Mpfr::new(bits)) }
    }
}

/// The error of a run without a value.
struct FailedRun {
    undefined: Option<UndefinedValue>,
    error: SemanticsError,
}

impl FailedRun {
    fn is_undecided(&self) -> bool {
        self.undefined.as_ref().is_some_and(|undefined| undefined.cause == UndefinedCause::Undecided)
    }
    fn is_certain(&self) -> bool {
        self.undefined.as_ref().is_some_and(|undefined| undefined.certain)
    }
}

/// Evaluates a closed, well-typed program, every number in it as accurate as asked or as the budget allows.
///
/// Recursive functions are unfolded `unfoldings` levels deep; `None` for no limit.
///
/// # Errors
/// [`SemanticsError::Undefined`] if there is no value or none was found; [`SemanticsError::Interpretation`] for what the model lacks.
pub fn evaluate_program(
    term: &Term,
    unfoldings: Option<u64>,
    to: &Accuracy,
    budget: &Arc<Budget>,
) -> Result<ProgramAnswer, SemanticsError> {
    let mut asking = PrecisionRuns { term, unfoldings, to, budget, known: Vec::new() };
    let wanted = to.bits_needed();
    let mut bits = 53;
    let mut best: Option<Value<AnswerNumber>> = None;
    loop {
        let started = Instant::now();
        let found = asking.run_at_precision(bits);
        // Checked after the run, whose result counts in any case. The next run is assumed to take three times as long: a choice.
        let ends = budget.is_exhausted()
            || bits >= MAX_PRECISION_BITS
            || budget.remaining_time().is_some_and(|left| left < started.elapsed() * 3);
        match (found, best.take()) {
            (Ok((value, reached)), _) if reached => return Ok(ProgramAnswer::from_value(value)),
            (Ok((value, _)), _) if ends => return Ok(ProgramAnswer::from_value(mark_exhausted(&value))),
            (Ok((value, _)), _) => best = Some(value),
            // a later run that fails without certainty does not refute the value of an earlier one
            (Err(failed), Some(value)) if !failed.is_certain() && ends => {
                return Ok(ProgramAnswer::from_value(mark_exhausted(&value)));
            }
            (Err(failed), Some(value)) if failed.is_undecided() => best = Some(value),
            (Err(failed), None) if failed.is_undecided() && !ends && bits < MAX_COMPARISON_BITS => {}
            // undecided at the highest precision: only exact numbers can decide it
            (Err(failed), None) if failed.is_undecided() => return evaluate_exactly(&mut asking, failed.error),
            (Err(failed), _) => return Err(failed.error),
        }
        bits = if bits == 53 {
            // enough for the accuracy asked, and at least 32 guard bits: rounded up to a multiple of 64
            128.max(wanted.saturating_add(95) / 64 * 64)
        } else {
            bits.saturating_mul(2).min(MAX_PRECISION_BITS)
        };
    }
}

/// Evaluates in rational numbers what real numbers leave undecided. Only a value or a certain error replaces `undecided`.
fn evaluate_exactly(
    asking: &mut PrecisionRuns<'_>,
    undecided: SemanticsError,
) -> Result<ProgramAnswer, SemanticsError> {
    match asking.run_in_context(Exact::default()) {
        Ok((value, _)) => Ok(ProgramAnswer::from_value(value)),
        Err(failed) if failed.is_certain() => Err(failed.error),
        Err(_) => Err(undecided),
    }
}

/// Marks the numbers of a value as exhausted that are not as accurate as asked.
fn mark_exhausted(value: &Value<AnswerNumber>) -> Value<AnswerNumber> {
    value.map_reals(&mut |number| match number {
        AnswerNumber::Enclosure(answer) => AnswerNumber::Enclosure(Box::new(real::RefinedEnclosure {
            exhausted: !answer.reached,
            ..(**answer).clone()
        })),
        other => other.clone(),
    })
}

impl<C: Context> PartialUniverse<C> {
    /// Compares two numbers.
    ///
    /// # Errors
    /// If undecided: the exponent of a power of 2 that bounds their difference, if it is finite.
    fn compare_numbers(&self, a: &C::Num, b: &C::Num) -> Result<Ordering, Option<i64>> {
        let c = &self.context;
        let difference = c.sub(a, b);
        match c.sign(&difference) {
            Sign::Positive => Ok(Ordering::Greater),
            Sign::Negative => Ok(Ordering::Less),
            // equality is certain only between points whose difference is exact
            Sign::Undecided if [a, b, &difference].iter().all(|x| c.is_point(x)) => Ok(Ordering::Equal),
            Sign::Undecided => {
                let magnitude = c.magnitude(&difference);
                Err(magnitude.is_finite().then(|| magnitude.floor_log2()))
            }
        }
    }

    /// Returns the error of an undecided operation, with the precision and the agreement of both sides.
    fn undecided_error(&self, operation: &str, agreement: Option<i64>) -> ValueError {
        // cut short numbers may be undecided only because time ran out: report that instead
        if self.budget.was_exhausted() {
            return self.out_of_budget_error();
        }
        let bits = Some(self.context.precision());
        ValueError::from_undefined(UndefinedValue {
            agreement,
            bits,
            ..UndefinedValue::of_operation(UndefinedCause::Undecided, operation)
        })
    }

    /// Fails unless an operation is certainly analytic at its arguments, by the conditions on single arguments.
    ///
    /// The zeros of the cosine are no numbers of this model: a range that may contain one gives an undefined result.
    fn require_analytic(
        &self,
        name: &str,
        conditions: &OperationConditions,
        arguments: &[&C::Num],
    ) -> Result<(), ValueError> {
        let c = &self.context;
        let fail = |cause: UndefinedCause| Err(ValueError::from_undefined(UndefinedValue::of_operation(cause, name)));
        for condition in conditions.analytic.single_conditions() {
            let ((TestedQuantity::First, [x, ..]) | (TestedQuantity::Second, [_, x])) = (condition.quantity, arguments)
            else {
                continue;
            };
            let Some(border) = condition.set.border() else {
                if c.region_excludes(conditions.value, arguments) {
                    return fail(UndefinedCause::Domain);
                }
                continue;
            };
            let side = condition.set.side_of_border();
            // a border with a value is one of other semantics: here operations are smooth on open sets
            match self.compare_numbers(x, &c.enclose_integer(border.into())) {
                Ok(Ordering::Equal) if !conditions.has_value_at(border) => return fail(UndefinedCause::Domain),
                Ok(Ordering::Equal) if self.hooks.closes_domains() => {}
                Ok(Ordering::Equal) => return fail(UndefinedCause::Boundary),
                Ok(found) if side == Ordering::Equal || found == side => {}
                Ok(_) => return fail(UndefinedCause::Domain),
                Err(agreement) => return Err(self.undecided_error(name, agreement)),
            }
        }
        Ok(())
    }

    /// Fails unless (y, x) is certainly a point where a function of two variables is smooth.
    fn require_smooth_planar(&self, f: Planar, y: &C::Num, x: &C::Num) -> Result<(), ValueError> {
        let (c, conditions) = (&self.context, f.row().conditions);
        // the test by enclosures; the others only explain its failure
        if c.region_contains(conditions.analytic, &[y, x]) {
            return Ok(());
        }
        let cause = if c.region_excludes(conditions.value, &[y, x]) {
            UndefinedCause::Domain
        } else if c.region_excludes(conditions.analytic, &[y, x]) {
            UndefinedCause::Boundary
        } else {
            return Err(self.undecided_error(f.name(), None));
        };
        Err(ValueError::from_undefined(UndefinedValue::of_operation(cause, f.name())))
    }

    /// Orders two numbers. Fails if they are equal, or not certainly different.
    fn order_of_distinct(&self, operation: &str, a: &C::Num, b: &C::Num) -> Result<Ordering, ValueError> {
        match self.compare_numbers(a, b) {
            Ok(Ordering::Equal) if !self.hooks.closes_domains() => {
                Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Boundary, operation)))
            }
            Ok(order) => Ok(order),
            Err(agreement) => Err(self.undecided_error(operation, agreement)),
        }
    }

    /// Returns `x ^ q` for a literal exponent.
    ///
    /// # Errors
    /// [`ValueError::Undefined`]
    fn literal_power_of(&self, x: &JetElement<C::Num>, q: &Rational) -> Result<JetElement<C::Num>, ValueError> {
        let small = |n: u64| n <= LARGEST_EXPONENT;
        let p = q.numer().to_i64().filter(|p| small(p.unsigned_abs()));
        let root = q.denom().to_u32().filter(|n| small(u64::from(*n)));
        let (Some(p), Some(root)) = (p, root) else {
            // beyond the rational powers of the jets only exp(q·log x) is left, for certainly positive x
            if self.compare_numbers(&x.value_in(&self.context), &self.context.enclose_integer(0))
                == Ok(Ordering::Greater)
            {
                return self.apply_real_constant(Constant::Power, &[x, &self.rational_constant(q)]);
            }
            let construct = format!("powers beyond {LARGEST_EXPONENT} of what is not certainly positive");
            return Err(ValueError::Unsupported { model: NAME, construct });
        };
        let operation = RealOperation::Power(PowerKind::of_fraction(p, root));
        self.require_analytic("^", operation.conditions(), &[&x.value_in(&self.context)])?;
        let limbs = budget::limb_count(self.context.precision());
        let units = budget::power_units(limbs, p.unsigned_abs()).saturating_add(budget::root_units(limbs, root));
        self.compute_jet("^", units, &[x], |jets| jets.power(x.as_jet(), p, root))
    }

    /// Computes an operation that is defined at its arguments, at the cost of `units` work units.
    fn compute_jet(
        &self,
        operation: &str,
        units: u64,
        arguments: &[&JetElement<C::Num>],
        compute: impl FnOnce(&JetArithmetic<'_, C>) -> Jet<C::Num>,
    ) -> Result<JetElement<C::Num>, ValueError> {
        if !self.budget.spend(units) {
            return Err(self.out_of_budget_error());
        }
        // constants have no derivatives: the algebra ℝ saves the work of all directions
        let are_numbers = arguments.iter().all(|x| x.as_jet().as_number().is_some());
        let algebra = if are_numbers { Algebra::real() } else { self.current_algebra() };
        let jets = JetArithmetic { context: &self.context, algebra: &algebra, budget: Some(&self.budget) };
        let jet = compute(&jets);
        // an undefined coefficient means that the precision does not suffice near an edge
        if jet.coefficients().flatten().all(|c| self.context.is_defined(c)) {
            return Ok(JetElement::new(jet));
        }
        Err(self.undecided_error(operation, None))
    }
}

impl<C: Context> RealArithmetic for PartialUniverse<C> {
    type Real = JetElement<C::Num>;

    fn rational_constant(&self, value: &Rational) -> JetElement<C::Num> {
        JetElement::new(Jet::constant(self.context.enclose_rational(value)))
    }

    fn literal_power(&self, x: &Self::Real, exponent: &Rational) -> Result<Self::Real, ValueError> {
        self.literal_power_of(x, exponent)
    }

    fn compare_reals(&self, constant: Constant, x: &Self::Real, y: &Self::Real) -> Result<bool, ValueError> {
        let [less, greater] = match constant {
            // strict and non-strict comparisons agree off the diagonal, and on it neither is defined
            Constant::RealLess | Constant::RealLessEqual => [true, false],
            Constant::RealEqual => [false; 2],
            Constant::RealNotEqual => [true; 2],
            _ => [false, true],
        };
        let sign = constant.operator_sign().unwrap_or(constant.name());
        match self.compare_numbers(&x.value_in(&self.context), &y.value_in(&self.context)) {
            Ok(Ordering::Less) => Ok(less),
            Ok(Ordering::Greater) => Ok(greater),
            Ok(Ordering::Equal) => {
                let none = || ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Boundary, sign));
                self.hooks.comparison_on_diagonal().ok_or_else(none)
            }
            Err(agreement) => Err(self.undecided_error(sign, agreement)),
        }
    }

    fn apply_real_constant(&self, constant: Constant, arguments: &[&Self::Real]) -> Result<Self::Real, ValueError> {
        let c = &self.context;
        let value = |x: &Self::Real| x.value_in(c);
        let limbs = budget::limb_count(c.precision());
        let name = constant.operator_sign().unwrap_or(constant.name());
        let computed = |units: u64, compute: &dyn Fn(&JetArithmetic<'_, C>) -> Jet<C::Num>| {
            self.compute_jet(name, units, arguments, compute)
        };
        match (constant, arguments) {
            (Constant::Pi, []) => computed(limbs, &|_| Jet::constant(c.pi())),
            (Constant::E, []) => computed(limbs, &|_| Jet::constant(c.enclose_euler())),
            (Constant::Negate, [x]) => computed(limbs, &|jets| jets.negate(x.as_jet())),
            (Constant::Add, [x, y]) => computed(limbs, &|jets| jets.add(x.as_jet(), y.as_jet())),
            (Constant::Subtract, [x, y]) => computed(limbs, &|jets| jets.subtract(x.as_jet(), y.as_jet())),
            (Constant::Multiply, [x, y]) => {
                computed(2 * budget::product_units(limbs), &|jets| jets.multiply(x.as_jet(), y.as_jet()))
            }
            (Constant::Divide, [x, y]) => {
                self.require_analytic(name, RealOperation::Divide.conditions(), &[&value(x), &value(y)])?;
                computed(2 * budget::quotient_units(limbs), &|jets| jets.divide(x.as_jet(), y.as_jet()))
            }
            (Constant::Power | Constant::RealPower, [x, y]) => {
                self.require_analytic(name, RealOperation::RealPower.conditions(), &[&value(x), &value(y)])?;
                let logarithm = self.apply_real_constant(Function::Log.into(), &[x])?;
                self.apply_real_constant(
                    Function::Exp.into(),
                    &[&self.apply_real_constant(Constant::Multiply, &[y, &logarithm])?],
                )
            }
            (Constant::Abs, [x]) => match self.order_of_distinct(name, &value(x), &c.enclose_integer(0))? {
                Ordering::Less => computed(limbs, &|jets| jets.negate(x.as_jet())),
                _ => Ok((*x).clone()),
            },
            (Constant::Signum, [x]) => {
                let order = self.order_of_distinct(name, &value(x), &c.enclose_integer(0))?;
                Ok(self.rational_constant(&Rational::from(order as i8)))
            }
            (Constant::Max | Constant::Min, [x, y]) => {
                let order = self.order_of_distinct(name, &value(x), &value(y))?;
                Ok(if (order == Ordering::Greater) == (constant == Constant::Max) { *x } else { *y }.clone())
            }
            (Constant::Elementary(f), [x]) => {
                let at = value(x);
                self.require_analytic(f.name(), f.row().conditions, &[&at])?;
                let size = c.magnitude(&at);
                let units = budget::function_units(f, limbs, if size.is_finite() { size.floor_log2() } else { 0 });
                computed(units, &|jets| jets.apply_function(f, x.as_jet()))
            }
            (Constant::Planar(f), [y, x]) => {
                self.require_smooth_planar(f, &value(y), &value(x))?;
                computed(budget::binary_function_units(limbs), &|jets| jets.apply_binary(f, y.as_jet(), x.as_jet()))
            }
            _ => self.missing_rule(constant),
        }
    }
}

impl<C: Context> PartialUniverse<C> {
    /// Applies a function f from outside. By its slope, f(a + d) = f(a) + f′(a)·d for the part d of the argument in one direction,
    /// as d² = 0.
    fn apply_foreign(self: &Arc<Self>, id: ForeignId, x: &PartialReal<C>) -> Result<PartialReal<C>, ValueError> {
        let (name, algebra) = (Constant::Foreign(id).name(), self.current_algebra());
        let moves_along = |monomial: usize, direction: usize| algebra.exponents(monomial)[direction] > 0;
        let parts = || x.as_jet().coefficients().enumerate().filter_map(|(monomial, c)| Some((monomial, c?)));
        let direction = (0..algebra.generator_count()).rev().find(|&i| parts().any(|(part, _)| moves_along(part, i)));
        let Some(direction) = direction else {
            if !self.budget.spend(budget::limb_count(self.context.precision())) {
                return Err(self.out_of_budget_error());
            }
            let value = foreign::enclose_foreign(id, &self.context, &x.value_in(&self.context), &self.budget)?;
            // its domain is not known, so that a point outside of it is never certain
            let is_defined = self.context.is_defined(&value);
            return if is_defined {
                Ok(JetElement::new(Jet::constant(value)))
            } else {
                Err(self.undecided_error(name, None))
            };
        };
        let [mut at, mut along] = [Jet::zero(), Jet::zero()];
        for (monomial, c) in parts() {
            let part = if moves_along(monomial, direction) { &mut along } else { &mut at };
            part.set(monomial, Some(c.clone()));
        }
        let at = JetElement::new(at);
        let slope = with_stack(|| self.slope_of_foreign(id, &at))?;
        let lower = with_stack(|| self.apply_foreign(id, &at))?;
        let along = JetElement::new(along);
        let rise = self.apply_real_constant(Constant::Multiply, &[&slope, &along])?;
        self.apply_real_constant(Constant::Add, &[&lower, &rise])
    }

    /// Returns the slope of a function from outside at a point. It runs in a universe whose places are those of the slope's text.
    fn slope_of_foreign(&self, id: ForeignId, at: &PartialReal<C>) -> Result<PartialReal<C>, ValueError> {
        let run = || {
            let model = EvaluatorModel(Arc::new(self.nested_universe()));
            let slope = model.evaluate_closed(&foreign::slope_of(id)?).map_err(|error| match error {
                SemanticsError::Run(error) => error,
                other => ValueError::of_foreign(Constant::Foreign(id).name(), other.to_string()),
            })?;
            slope.as_function()?.apply(&Value::Real(at.clone()))?.as_real().cloned()
        };
        run().map_err(|error| match error {
            // An undefined operation of the slope is reported at the constant.
            ValueError::Undefined(found) => {
                ValueError::from_undefined(UndefinedValue { site: SourceId::NOWHERE, ..*found })
            }
            other => other,
        })
    }
}

/// A real number of the universe.
type PartialReal<C> = JetElement<<C as Context>::Num>;
/// A function on vectors, as a run.
type VectorFunction<'f, C> = dyn Fn(&Value<PartialReal<C>>) -> Result<Value<PartialReal<C>>, ValueError> + 'f;

impl<C: Context> PartialUniverse<C> {
    /// Returns the algebra of the enclosing derivatives with one more direction.
    fn adjoin_direction(&self) -> Result<Arc<Algebra>, ValueError> {
        let algebra = self.current_algebra();
        // a mutant: nested derivatives share a direction, and confuse their perturbations
        if algebra.generator_count() > 0 && !self.hooks.separates_directions() {
            return Ok(algebra);
        }
        let construct = "more than 11 derivatives within each other".to_owned();
        algebra.adjoin(AlgebraGenerator::Direction(1)).ok_or(ValueError::Unsupported { model: NAME, construct })
    }

    /// Returns f at x and its derivative there along v, with one slope for each coordinate of the value.
    fn run_along(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
        v: &[PartialReal<C>],
    ) -> Result<ValueAndSlopes<C>, ValueError> {
        let algebra = self.adjoin_direction()?;
        let slice = algebra.power_slice(1);
        let along = |(x, v): (&PartialReal<C>, &PartialReal<C>)| {
            let mut jet = x.as_jet().clone();
            for (before, here) in slice {
                if let Some(c) = v.as_jet().get(*before as usize) {
                    jet.set(*here as usize, Some(c.clone()));
                }
            }
            JetElement::new(jet)
        };
        let mut inputs = x.coordinates()?.into_iter().zip(v).map(along).collect::<Vec<_>>().into_iter();
        // the function runs inside the larger algebra, which is left again before any error is passed on
        let outside = self.replace_algebra(algebra.clone());
        let value = f(&x.with_coordinates(&mut inputs));
        self.replace_algebra(outside);
        let value = value?;
        let slope = |y: &&PartialReal<C>| {
            let mut jet = Jet::zero();
            for (before, here) in slice {
                jet.set(*before as usize, y.as_jet().get(*here as usize).cloned());
            }
            // a coordinate that does not move has the slope 0, which is a number and not a missing one
            if jet.get(0).is_none() {
                jet.set(0, Some(self.context.enclose_integer(0)));
            }
            JetElement::new(jet)
        };
        let slopes = value.coordinates()?.iter().map(slope).collect();
        Ok(ValueAndSlopes { value, slopes })
    }

    /// Returns the unit vectors of ℝⁿ.
    fn unit_vectors(&self, n: usize) -> impl Iterator<Item = Vec<PartialReal<C>>> + '_ {
        let unit = move |i: usize| {
            (0..n).map(|j| JetElement::new(Jet::constant(self.context.enclose_integer((i == j).into())))).collect()
        };
        (0..n).map(unit)
    }

    /// Evaluates `jvp f x v`.
    ///
    /// # Errors
    /// Those of f at x; [`ValueError::Mismatch`] if an argument is no vector.
    fn derivative_along(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
        v: &Value<PartialReal<C>>,
    ) -> Result<Value<PartialReal<C>>, ValueError> {
        let v: Vec<_> = v.coordinates()?.into_iter().cloned().collect();
        let ValueAndSlopes { value, slopes } = self.run_along(f, x, &v)?;
        Ok(value.with_coordinates(&mut slopes.into_iter()))
    }

    /// Evaluates `deriv f x`.
    ///
    /// # Errors
    /// Those of f at x.
    fn derivative_at(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
    ) -> Result<Value<PartialReal<C>>, ValueError> {
        self.derivative_along(f, x, &Value::Real(self.rational_constant(&1.into())))
    }

    /// Evaluates `rd f x w`.
    ///
    /// # Errors
    /// Those of f at x; [`ValueError::Mismatch`] if an argument is no vector, or w has another dimension than the value.
    fn transposed_derivative(
        &self,
        f: &VectorFunction<C>,
        x: &Value<PartialReal<C>>,
        w: &Value<PartialReal<C>>,
    ) -> Result<Value<PartialReal<C>>, ValueError> {
        let (n, weights) = (x.coordinates()?.len(), w.coordinates()?);
        let is_zero = |w: &&PartialReal<C>| self.is_zero(w);
        if !self.hooks.transposes_reverse() && weights.len() == n {
            return self.derivative_along(f, x, w);
        }
        if !self.hooks.runs_for_zero_cotangent() && weights.iter().all(is_zero) {
            return Ok(x.with_coordinates(&mut (0..n).map(|_| self.rational_constant(&0.into()))));
        }
        let fits = |columns: &ValueAndSlopes<C>| match columns.slopes.len() == weights.len() {
            true => Ok(()),
            false => Err(w.kind_mismatch("a cotangent with as many numbers as the value of the function")),
        };
        // x has no coordinates, and f is run once all the same: the result is defined only where f is
        if n == 0 {
            fits(&self.run_along(f, x, &[])?)?;
            return Ok(x.clone());
        }
        let mut gradient = Vec::with_capacity(n);
        for unit in self.unit_vectors(n) {
            let columns = self.run_along(f, x, &unit)?;
            fits(&columns)?;
            let mut sum = self.rational_constant(&0.into());
            for (slope, w) in columns.slopes.iter().zip(&weights) {
                sum = self.apply_real_constant(
                    Constant::Add,
                    &[&sum, &self.apply_real_constant(Constant::Multiply, &[slope, w])?],
                )?;
            }
            gradient.push(sum);
        }
        Ok(x.with_coordinates(&mut gradient.into_iter()))
    }

    fn is_zero(&self, x: &PartialReal<C>) -> bool {
        x.as_jet().is_constant() && {
            let value = x.value_in(&self.context);
            self.context.is_point(&value) && self.context.contains_zero(&value)
        }
    }
}

/// The value of a function, and the derivatives of its coordinates along a direction.
struct ValueAndSlopes<C: Context> {
    value: Value<PartialReal<C>>,
    slopes: Vec<PartialReal<C>>,
}

/// The replaceable clauses. Everything else is as in A §4 and §5; the defaults are the clauses of A.
///
/// *Invariant to keep*: a defined result is the derivative of a smooth function on an open set, and equals that of the
/// operational semantics (A Thms 6.2 and 6.7). Nothing here checks it; the laws do.
pub trait PartialHooks: fmt::Debug + Send + Sync {
    /// Returns the truth of `x < y` and `x > y` for x = y; `None` leaves it undefined.
    fn comparison_on_diagonal(&self) -> Option<bool> {
        None
    }
    /// Returns `true` if an operation is defined at the edge of its domain where other semantics have a value.
    fn closes_domains(&self) -> bool {
        false
    }
    /// Returns `true` if `let` is lazy: an undefined value matters only when it is used.
    fn binds_lazily(&self) -> bool {
        false
    }
    /// Returns `true` if tuples are lazy in their parts.
    fn pairs_lazily(&self) -> bool {
        false
    }
    /// Returns `true` if a conditional runs both branches.
    fn runs_both_branches(&self) -> bool {
        false
    }
    /// Returns the number of levels of µⁿ.
    fn approximant_levels(&self, n: u64) -> u64 {
        n
    }
    /// Returns the value of µ⁰; `None` leaves it undefined.
    fn bottom_value(&self) -> Option<i64> {
        None
    }
    /// Returns `true` if each derivative has a direction of its own.
    fn separates_directions(&self) -> bool {
        true
    }
    /// Returns `true` if `rd` is Jᵗ w, `false` if it is J w.
    fn transposes_reverse(&self) -> bool {
        true
    }
    /// Returns `true` if f̄ is undefined where f is.
    fn restricts_domain(&self) -> bool {
        true
    }
    /// Returns `true` if f ∨ g is g where f is undefined, and undefined where both are defined and differ.
    fn joins_both_sides(&self) -> bool {
        true
    }
    /// Returns `true` if `rd f x 0` needs the value of f at x.
    fn runs_for_zero_cotangent(&self) -> bool {
        true
    }
}

/// The clauses of A.
#[derive(Clone, Copy, Debug)]
pub struct DefaultPartialHooks;

impl PartialHooks for DefaultPartialHooks {}
