//! Denotational semantics of Abadi and Plotkin (A §4, §5): partial functions, smooth on open sets, call by value.
//!
//! A type denotes ℝⁿ, and a program a partial function with an open domain and all derivatives there. Programs are evaluated by
//! the clauses of Fig. 7, on [jets](crate::smooth::jet) of [numbers of one precision](crate::number::context):
//!
//! | clause | A Fig. 7 | here |
//! |---|---|---|
//! | `x`, `r`, `op(M)` | ρ(x), r, ⟦op⟧(⟦M⟧ρ) | [`operation`]: undefined outside of an open domain |
//! | `let x = M in N` | ⟦N⟧ρ[⟦M⟧ρ / x] | [`ValueSemantics::bind_let`]: undefined where M is, used or not |
//! | `⟨M, N⟩`, `fst`, `snd` | tupling, projections | [`ValueSemantics::build_tuple`]: undefined where a part is |
//! | `if B then M else N` | Cond(⟦B⟧, ⟦M⟧, ⟦N⟧) | one of them is run; undefined on the border, where x < y is for x = y |
//! | `letrec f(x) = M in N` | the supremum of µⁿ, µ⁰ = ⊥, µⁿ⁺¹ = F(µⁿ) | unfolded as often as it takes, or [n times](PartialSemantics::with_unfolding_limit) |
//! | `M.rd_L(x. N)` | (d^r f)(L)·M, by (4) | [`derivative`]: the columns of the Jacobian, one run for each |
//!
//! Beyond A, functions are values, and programs have natural numbers, lists and variants. The *supremum* is computed by running
//! to the end. A run that ends unfolds a recursion some number n of times, and so gives the value of µⁿ and of all later
//! approximants.
//!
//! The operational semantics, to which this one must be adequate, shares with it the rows of functions and the interval
//! arithmetic. It has traces, closures of its own and a reverse sweep, which this one lacks. It has no jets.
//!
//! Closed programs of function type are [partial maps](map) with their dimensions as types. These form a [category], whose laws
//! are generic.
//!
//! Three results are certain: a value; that there is none at a *boundary* or outside a *domain*; and, where recursion is limited,
//! that the limit was reached. A comparison that is *undecided* at one precision is repeated at a higher one ([`question`]).
//!
//! The equations of [`Model`](crate::model::Model) are by name. By value they hold where all sides are defined;
//! the laws say that by value is below by name.
//!
//! There are no integrals, roots and optima, and no tangents of functions. A derivative adjoins one direction for
//! each level of nesting, so the largest algebra bounds the number of levels.

pub mod category;
pub mod derivative;
pub mod hooks;
pub mod map;
pub mod operation;
pub mod question;

use super::sites::{SiteTable, is_evaluated};
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError};
use crate::model::environment::ValueEnvironment;
use crate::model::universe::{ArrowCode, RealArithmetic, RecursionDepth, RunResult, ValueSemantics};
use crate::model::{ConditionalInfo, SourceLocation};
use crate::number::Accuracy;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::memory;
use crate::smooth::algebra::Algebra;
use crate::smooth::jet::Jet;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{self, Carrier, SourceId, TruthType, UndefinedCause, UndefinedValue, Value, ValueError};
use hooks::PartialHooks;
use std::fmt::Debug;
use std::sync::atomic::{self, AtomicU64};
use std::sync::{Arc, Mutex, PoisonError};

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
            hooks: Arc::new(hooks::DefaultPartialHooks),
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

    /// Returns a universe of approximants µⁿ, inside the derivatives that are being taken here.
    fn approximant_universe(&self, n: u64) -> Self
    where
        C: Clone,
    {
        let universe = Self::new(self.context.clone(), self.budget.clone())
            .with_unfolding_limit(Some(n))
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
            memory::exhausted_resource(),
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
        is_evaluated(constant)
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
        question::evaluate_program(term, self.unfolding_limit, to, budget)
    }
}

/// The values of programs over an arithmetic.
pub type PartialValue<C> = value::Value<JetElement<<C as Context>::Num>>;
