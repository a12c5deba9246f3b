//! The two relations: `φ | ρ ⊢ M ⇒ V` and `φ | ρ ⊢ M ⇝ C` (A §3), as big steps that are counted.
//!
//! | chapter | what it holds |
//! |---|---|
//! | `ordinary` | Figs. 2 and 3 |
//! | `symbolic` | Figs. 4 and 5 |
//! | [`observer`] | who looks on |
//!
//! Symbolic evaluation answers the pair (C, V), V being the value of C: by Proposition 3.5 that is the value of M. As printed, Fig. 5
//! evaluates C anew at every level, which costs k² steps for k levels of a recursion.

pub mod observer;
mod ordinary;
mod symbolic;

use super::accumulate;
use super::differentiate;
use super::environment::{Closure, Environment, Functions};
use super::error::{Obstacle, Undefined};
use super::hooks::{self, Hooks};
use super::number::Numbers;
use super::operation::Predicate;
use super::renaming::Renaming;
use super::term::{Definition, Site, Term, TermKind, Variable};
use super::ty::Ty;
use super::value::Value;
use crate::model::answer::Cause;
use crate::number::budget::Budget;
use crate::number::memory;
use observer::Observer;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// How a trace is differentiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By the nine clauses of Fig. 6: of exponential size, and at most [`LITERAL_NODES`](accumulate::LITERAL_NODES).
    Literal,
    /// By one sweep back through the trace, in which what a variable is handed is added up: of linear size.
    #[default]
    Accumulated,
}

/// A comparison that was decided in symbolic evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Which.
    pub predicate: Predicate,
    /// Whether it holds.
    pub holds: bool,
    /// Where it stands.
    pub site: Site,
}

/// How many steps a program may take, where nothing else is said.
pub const STEPS: u64 = 2_000_000;
/// How deeply evaluations may lie within each other.
const LEVELS: u32 = 20_000;
/// How many steps lie between two looks at the clock.
const LOOK_EVERY: u64 = 256;

/// What evaluates: numbers, a strategy, and what it may cost.
#[derive(Debug)]
pub struct Evaluator<'e, N> {
    pub(super) numbers: &'e N,
    pub(super) hooks: &'e dyn Hooks,
    strategy: Strategy,
    budget: Option<&'e Budget>,
    observer: Option<&'e dyn Observer>,
    most: u64,
    /// Whether traces are written down, and not only followed.
    keeps: Cell<bool>,
    steps: Cell<u64>,
    levels: Cell<u32>,
    guards: RefCell<Vec<Guard>>,
}

impl<'e, N: Numbers> Evaluator<'e, N> {
    /// With the rules of the paper, the strategy `accumulated`, and a limit on steps.
    #[must_use]
    pub fn new(numbers: &'e N) -> Self {
        Evaluator {
            numbers,
            hooks: &hooks::Library,
            strategy: Strategy::default(),
            budget: None,
            observer: None,
            most: STEPS,
            keeps: Cell::new(true),
            steps: Cell::new(0),
            levels: Cell::new(0),
            guards: RefCell::default(),
        }
    }

    /// With another strategy.
    #[must_use]
    pub fn by(self, strategy: Strategy) -> Self {
        Evaluator { strategy, ..self }
    }

    /// With other rules.
    #[must_use]
    pub fn under(self, hooks: &'e dyn Hooks) -> Self {
        Evaluator { hooks, ..self }
    }

    /// With at most so many steps.
    #[must_use]
    pub fn within(self, steps: u64) -> Self {
        Evaluator { most: steps, ..self }
    }

    /// With a limit on time, and an end when it is interrupted.
    #[must_use]
    pub fn paid_by(self, budget: &'e Budget) -> Self {
        Evaluator { budget: Some(budget), ..self }
    }

    /// Without writing traces down: values and guards are what they are, and a trace is not that of the program.
    #[must_use]
    pub fn without_traces(self) -> Self {
        self.keeps.set(false);
        self
    }

    /// With somebody who looks on.
    #[must_use]
    pub fn watched_by(self, observer: Option<&'e dyn Observer>) -> Self {
        Evaluator { observer, ..self }
    }

    /// How many rules were applied so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// The comparisons that symbolic evaluation has decided so far.
    #[must_use]
    pub fn guards(&self) -> Vec<Guard> {
        self.guards.borrow().clone()
    }

    /// `φ | ρ ⊢ M ⇒ V`
    ///
    /// # Errors
    /// [`Obstacle`]
    pub fn ordinary(
        &self,
        functions: &Functions,
        environment: &Environment<N::Number>,
        term: &Term,
    ) -> Result<Value<N::Number>, Obstacle> {
        self.evaluate(functions, &mut environment.clone(), term)
    }

    /// `φ | ρ ⊢ M ⇝ C`, and the value of C.
    ///
    /// # Errors
    /// [`Obstacle`]
    pub fn symbolic(
        &self,
        functions: &Functions,
        environment: &Environment<N::Number>,
        term: &Term,
    ) -> Result<(Term, Value<N::Number>), Obstacle> {
        self.pay(term.size())?;
        // from here on every binder that is met has a variable of its own
        self.trace(functions, &mut environment.clone(), &Renaming::apart(term))
    }

    /// `W.R_V(x : T. C)`, by the strategy.
    ///
    /// # Errors
    /// [`Obstacle::TooLarge`]; where the time or the memory for it is not there, [`Obstacle::Undefined`].
    pub fn differentiate(&self, w: &Term, point: &Term, x: &Variable, ty: &Ty, trace: &Term) -> Result<Term, Obstacle> {
        match self.strategy {
            Strategy::Literal => differentiate::literal(self.hooks, w, point, x, ty, trace),
            Strategy::Accumulated => {
                self.pay(trace.size().saturating_mul(accumulate::PARTS))?;
                accumulate::accumulated(self.hooks, w, point, x, ty, trace)
            }
        }
    }

    /// Pays for parts that are about to be made.
    fn pay(&self, parts: u64) -> Result<(), Obstacle> {
        match self.budget {
            Some(budget) if !budget.affords_parts(parts) => Err(self.is_spent()),
            _ => Ok(()),
        }
    }

    /// That the time or the memory is used up.
    fn is_spent(&self) -> Obstacle {
        let what = memory::or_time();
        fuel(format!("its {what} was up after {} steps", self.steps.get()))
    }

    /// Counts a rule.
    fn step(&self) -> Result<(), Obstacle> {
        let steps = self.steps.get() + 1;
        self.steps.set(steps);
        if steps > self.most {
            return Err(fuel(format!("it did not end within {} steps", self.most)));
        }
        if steps.is_multiple_of(LOOK_EVERY) && self.budget.is_some_and(|budget| !budget.spend(LOOK_EVERY)) {
            return Err(self.is_spent());
        }
        Ok(())
    }

    /// Tells who looks on.
    fn tell(&self, what: impl FnOnce(&dyn Observer)) {
        if let Some(observer) = self.observer {
            what(observer);
        }
    }

    /// An evaluation within an evaluation.
    fn deeper<A>(&self, run: impl FnOnce() -> Result<A, Obstacle>) -> Result<A, Obstacle> {
        if self.levels.get() >= LEVELS {
            return Err(fuel(format!("evaluations lie more than {LEVELS} deep within each other")));
        }
        self.levels.set(self.levels.get() + 1);
        let found = crate::stack::deep(run);
        self.levels.set(self.levels.get() - 1);
        found
    }

    /// The closure of a definition in φ.
    fn closure(&self, functions: &Functions, definition: &Arc<Definition>) -> Functions {
        let closure = Closure { functions: functions.clone(), definition: definition.clone(), limit: definition.limit };
        functions.with(&definition.function, Arc::new(closure))
    }

    /// Unfolds a function: `φ'[φ(f)/f]`, and its definition. A limited closure comes with one unfolding less (Fig. 8), and
    /// where none is left there is no rule.
    fn unfold(&self, functions: &Functions, f: &Variable) -> Result<(Functions, Arc<Definition>), Unfolding> {
        let closure = functions.get(f)?;
        let definition = closure.definition.clone();
        self.pay(definition.body.size())?;
        let scope = self.hooks.scope(&closure.functions, functions);
        let closure = match closure.limit {
            None => closure.clone(),
            Some(0) => match self.hooks.exhausted(&definition.codomain) {
                Some(term) => return Err(Unfolding::Instead(term)),
                None => {
                    let what = format!("`{}` was unfolded as often as its limit allows", f.name());
                    return Err(Obstacle::from(Undefined { certain: true, ..Undefined::of(Cause::Fuel, what) }).into());
                }
            },
            Some(n) => Arc::new(Closure {
                functions: closure.functions.clone(),
                definition: definition.clone(),
                limit: Some(n - 1),
            }),
        };
        Ok((scope.with(f, closure), definition))
    }

    /// The value of the redexes that are computed at once: `V + W`, `op(V)`, `fst(V)`, `snd(V)`.
    fn contract(&self, environment: &Environment<N::Number>, redex: &Term) -> Result<Value<N::Number>, Obstacle> {
        let close = |value: &Term| environment.close(self.numbers, value);
        match redex.kind() {
            TermKind::Add(left, right) => match (close(left)?, close(right)?) {
                (Value::Real(r), Value::Real(s)) => Ok(Value::Real(self.numbers.add(&r, &s))),
                _ => Err(Obstacle::Stuck { construct: "+" }),
            },
            TermKind::Operation(operation, argument) => {
                super::number::evaluate(self.numbers, operation, &close(argument)?).map_err(|e| e.at(redex.site()))
            }
            TermKind::First(_, _, pair) | TermKind::Second(_, _, pair) => match close(pair)? {
                Value::Pair(parts) if matches!(redex.kind(), TermKind::First(..)) => Ok(parts.0.clone()),
                Value::Pair(parts) => Ok(parts.1.clone()),
                _ => Err(Obstacle::Stuck { construct: "a projection" }),
            },
            _ => Err(Obstacle::Stuck { construct: "a redex" }),
        }
    }
}

/// Why a function is not unfolded.
enum Unfolding {
    Obstacle(Obstacle),
    /// This stands for its result.
    Instead(Term),
}

impl From<Obstacle> for Unfolding {
    fn from(obstacle: Obstacle) -> Self {
        Unfolding::Obstacle(obstacle)
    }
}

fn fuel(what: String) -> Obstacle {
    Undefined::of(Cause::Fuel, what).into()
}
