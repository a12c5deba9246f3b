//! Denotational semantics of Abadi and Plotkin (A §4, §5): partial functions, smooth on open sets, call by value.
//!
//! A type denotes ℝⁿ, and a program a partial function with an open domain and all derivatives there. Programs are evaluated by
//! the clauses of Fig. 7, on [jets](crate::smooth::jet) of [numbers of one precision](crate::number::context):
//!
//! | clause | A Fig. 7 | here |
//! |---|---|---|
//! | `x`, `r`, `op(M)` | ρ(x), r, ⟦op⟧(⟦M⟧ρ) | [`operation`]: undefined outside of an open domain |
//! | `let x = M in N` | ⟦N⟧ρ[⟦M⟧ρ / x] | [`Universe::bind`]: undefined where M is, used or not |
//! | `⟨M, N⟩`, `fst`, `snd` | tupling, projections | [`Universe::tuple`]: undefined where a part is |
//! | `if B then M else N` | Cond(⟦B⟧, ⟦M⟧, ⟦N⟧) | one of them is run; undefined on the border, where x < y is for x = y |
//! | `letrec f(x) = M in N` | the supremum of µⁿ, µ⁰ = ⊥, µⁿ⁺¹ = F(µⁿ) | unfolded as often as it takes, or [n times](Partially::limited) |
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

pub mod category;
pub mod derivative;
pub mod hooks;
pub mod map;
pub mod operation;
pub mod question;

use super::sites::{Sites, is_evaluated};
use crate::model::answer::{Answer, Meaning, MeaningError};
use crate::model::environment::Environment;
use crate::model::universe::{Arithmetic, Code, Depth, Ran, Universe};
use crate::model::{Choice, Place};
use crate::number::Accuracy;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::memory;
use crate::smooth::algebra::Algebra;
use crate::smooth::jet::Jet;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{self, Carrier, Cause, Site, Truth, Undefined, Value, ValueError};
use hooks::Hooks;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the model.
pub const NAME: &str = "partial";

/// A number with derivatives, represented by a shared jet.
#[derive(Clone, Debug)]
pub struct Element<N>(Arc<Jet<N>>);

impl<N: Clone> Element<N> {
    /// Wraps a jet.
    #[must_use]
    pub fn new(jet: Jet<N>) -> Self {
        Self(Arc::new(jet))
    }

    /// Returns the jet: the value, and the derivatives along the directions that are being taken.
    #[must_use]
    pub fn jet(&self) -> &Jet<N> {
        &self.0
    }

    /// Returns the value; 0 if the jet has no coefficient for it.
    pub fn value<C: Context<Num = N>>(&self, context: &C) -> N {
        self.0.get(0).cloned().unwrap_or_else(|| context.integer(0))
    }
}

impl<N: Clone + Debug + Send + Sync + 'static> Carrier for Element<N> {
    type Truth = bool;
    /// The placeholder for a value that was given up, under [hooks](Hooks) by which an unused value is not needed.
    type Tangent = ();
}

/// The universe of partial maps at one precision.
#[derive(Debug)]
pub struct Partial<C: Context> {
    context: C,
    hooks: Arc<dyn Hooks>,
    budget: Arc<Budget>,
    unfoldings: Option<u64>,
    steps: AtomicU64,
    depth: Depth,
    /// ℝ extended by the directions of the enclosing derivatives.
    algebra: Mutex<Arc<Algebra>>,
    sites: Sites,
}

impl<C: Context> Partial<C> {
    /// Builds the universe over an arithmetic, under a budget.
    #[must_use]
    pub fn new(context: C, budget: Arc<Budget>) -> Self {
        Self {
            context,
            hooks: Arc::new(hooks::Library),
            budget,
            unfoldings: None,
            steps: AtomicU64::new(0),
            depth: Depth::default(),
            algebra: Mutex::new(Algebra::real()),
            sites: Sites::default(),
        }
    }

    /// Limits recursion: a recursive function is then the approximant µⁿ. `None` removes the limit.
    #[must_use]
    pub fn limited(self, n: Option<u64>) -> Self {
        Self { unfoldings: n, ..self }
    }

    /// Replaces the clauses by those of `hooks`.
    #[must_use]
    pub fn under(self, hooks: Arc<dyn Hooks>) -> Self {
        Self { hooks, ..self }
    }

    /// Returns a universe of approximants µⁿ, inside the derivatives that are being taken here.
    fn within(&self, n: u64) -> Self
    where
        C: Clone,
    {
        let universe = Self::new(self.context.clone(), self.budget.clone()).limited(Some(n)).under(self.hooks.clone());
        universe.set_algebra(self.algebra());
        universe
    }

    /// Returns the clauses.
    fn hooks(&self) -> &dyn Hooks {
        &*self.hooks
    }

    /// Returns the arithmetic.
    #[must_use]
    pub fn context(&self) -> &C {
        &self.context
    }

    /// Returns the place of a site; `None` for an unknown one.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        self.sites.place(site)
    }

    fn algebra(&self) -> Arc<Algebra> {
        self.algebra.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the algebra and returns the previous one.
    fn set_algebra(&self, algebra: Arc<Algebra>) -> Arc<Algebra> {
        std::mem::replace(&mut *self.algebra.lock().unwrap_or_else(PoisonError::into_inner), algebra)
    }

    /// Returns the error of an exhausted budget; `what` describes it.
    fn fuel(what: String) -> ValueError {
        ValueError::undefined(Undefined::of(Cause::Fuel, what))
    }

    fn out_of_time(&self) -> ValueError {
        Self::fuel(format!("its {} was up after {} steps", memory::or_time(), self.steps.load(Ordering::Relaxed)))
    }
}

impl<C: Context> Universe for Partial<C> {
    type Mark = Site;
    const NAME: &'static str = NAME;

    fn step(&self) -> Result<(), ValueError> {
        self.steps.fetch_add(1, Ordering::Relaxed);
        if self.budget.spend(1) { Ok(()) } else { Err(self.out_of_time()) }
    }
    fn depth(&self) -> Option<&Depth> {
        Some(&self.depth)
    }
    fn too_deep(&self) -> ValueError {
        // reported as fuel: a deep recursion is not known to be undefined
        Self::fuel(format!("functions were applied within each other too deep, more than {} levels", Depth::MOST))
    }
    fn mark(&self, constant: Constant, place: &Place, arguments: &[Code<Self>]) -> Site {
        self.sites.mark(constant, place, arguments)
    }
    fn stands(&self, place: &Place) -> Site {
        self.sites.stands(place)
    }
    fn has(&self, constant: Constant) -> bool {
        is_evaluated(constant)
    }

    fn bind(
        &self,
        environment: &Environment<Value<Self::Real>>,
        value: Ran<Self>,
    ) -> Result<Environment<Value<Self::Real>>, ValueError> {
        // by value (A Fig. 7): an undefined `let` makes the program undefined, used or not
        Ok(environment.with(self.waiting(value, self.hooks.binds_lazily())?))
    }
    fn tuple(&self, parts: &mut dyn Iterator<Item = Ran<Self>>) -> Ran<Self> {
        let parts = parts.map(|part| self.waiting(part, self.hooks.pairs_lazily()));
        Ok(Value::tuple(parts.collect::<Result<Vec<_>, _>>()?))
    }
    fn decide(&self, condition: &bool) -> Option<bool> {
        // a mutant that runs both branches must not see a decided condition
        condition.known().filter(|_| !self.hooks.runs_both_branches())
    }
    fn branch(
        self: &Arc<Self>,
        condition: &bool,
        _: &Choice,
        then: &dyn Fn() -> Ran<Self>,
        otherwise: &dyn Fn() -> Ran<Self>,
    ) -> Ran<Self> {
        let (then, otherwise) = (then()?, otherwise()?);
        Ok(if *condition { then } else { otherwise })
    }
    fn unfoldings(&self) -> Option<u64> {
        self.unfoldings.map(|n| self.hooks.levels(n))
    }
    fn folded(&self) -> Ran<Self> {
        let none = || {
            let what = "a recursive function was unfolded as often as its limit allows";
            ValueError::undefined(Undefined { certain: true, ..Undefined::of(Cause::Fuel, what) })
        };
        self.hooks.bottom().map(|n| Value::Real(self.rational(&n.into()))).ok_or_else(none)
    }
    fn operation(self: &Arc<Self>, constant: Constant, site: Site, arguments: &[Value<Self::Real>]) -> Ran<Self> {
        let run = |x: &Value<Self::Real>| match arguments {
            [f, ..] => f.as_function()?.apply(x),
            [] => Err(x.mismatch("a function")),
        };
        let result = match (constant, arguments) {
            // before first order: these run the function again, inside a larger algebra
            (Constant::Deriv, [_, x]) => self.slope(&run, x),
            (Constant::Jvp, [_, x, v]) => self.along(&run, x, v),
            (Constant::Rd, [_, x, w]) => self.transposed(&run, x, w),
            // a literal exponent has a larger domain than exp(y·log x)
            (Constant::Power, [x, _]) if let Some(q) = self.sites.exponent(site) => {
                x.as_real().and_then(|x| self.power(x, &q)).map(Value::Real)
            }
            _ => self.first_order(constant, arguments).unwrap_or_else(|| self.missing(constant)),
        };
        result.map_err(|error| error.at(site))
    }
}

impl<C: Context> Partial<C> {
    /// Returns the value, or a placeholder if it is undefined and the clause `waits` for a use of it.
    fn waiting(&self, value: Ran<Self>, waits: bool) -> Ran<Self> {
        match value {
            Err(ValueError::Undefined(_)) if waits => Ok(Value::Tangent(Arc::default())),
            value => value,
        }
    }
}

/// The semantics of partial maps, by Abadi and Plotkin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Partially {
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfoldings: Option<u64>,
}

impl Meaning for Partially {
    fn name(&self) -> &'static str {
        NAME
    }
    fn about(&self) -> &'static str {
        "partial functions, smooth on open sets, by value (Abadi and Plotkin): undefined on every border, recursion on reals"
    }
    fn encloses(&self) -> bool {
        true
    }
    fn limited(&self, unfoldings: u64) -> Option<Box<dyn Meaning>> {
        Some(Box::new(Self { unfoldings: Some(unfoldings) }))
    }
    fn answer_to(&self, term: &Term, _: &Ty, to: &Accuracy, budget: &Arc<Budget>) -> Result<Answer, MeaningError> {
        question::answer(term, self.unfoldings, to, budget)
    }
}

/// The values of programs over an arithmetic.
pub type Values<C> = value::Value<Element<<C as Context>::Num>>;
