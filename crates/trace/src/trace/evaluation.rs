//! The evaluation relations `φ | ρ ⊢ M ⇒ V` and `φ | ρ ⊢ M ⇝ C` (A §3), in big steps, which are counted.
//!
//! | chapter | what it holds |
//! |---|---|
//! | `ordinary` | Figs. 2 and 3 |
//! | `symbolic` | Figs. 4 and 5 |
//! | [`observer`] | observation of symbolic evaluation |
//!
//! Symbolic evaluation returns the pair (C, V), where V is the value of C. By Proposition 3.5, V is also the value of
//! M. As printed, Fig. 5 evaluates C anew at every level, which costs k² steps for k levels of a recursion.

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

/// The method by which a trace is differentiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By the nine clauses of Fig. 6. The result has exponential size; at most
    /// [`LITERAL_NODES`](accumulate::LITERAL_NODES) are allowed.
    Literal,
    /// By one reverse sweep that accumulates adjoints. The result has linear size.
    #[default]
    Accumulated,
}

/// A comparison that symbolic evaluation decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate.
    pub predicate: Predicate,
    /// The truth value.
    pub holds: bool,
    /// The position of the comparison in the source.
    pub site: Site,
}

/// The default limit on steps. A choice: it ends programs that do not terminate.
pub const STEPS: u64 = 2_000_000;
/// The largest nesting of evaluations. A choice: each level takes a piece of stack, which is memory.
const LEVELS: u32 = 20_000;
/// The number of steps between two checks of the clock. A choice: fewer checks cost less, but notice the deadline later.
const LOOK_EVERY: u64 = 256;

/// An evaluator: the numbers to compute with, the rules, a strategy and limits.
#[derive(Debug)]
pub struct Evaluator<'e, N> {
    pub(super) numbers: &'e N,
    pub(super) hooks: &'e dyn Hooks,
    strategy: Strategy,
    budget: Option<&'e Budget>,
    observer: Option<&'e dyn Observer>,
    most: u64,
    /// `true` if traces are written; otherwise only their values are computed.
    keeps: Cell<bool>,
    steps: Cell<u64>,
    levels: Cell<u32>,
    guards: RefCell<Vec<Guard>>,
}

impl<'e, N: Numbers> Evaluator<'e, N> {
    /// Creates an evaluator with the rules of the paper, the strategy `accumulated`, and the default limit on steps.
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

    /// Replaces the strategy.
    #[must_use]
    pub fn by(self, strategy: Strategy) -> Self {
        Evaluator { strategy, ..self }
    }

    /// Replaces the rules.
    #[must_use]
    pub fn under(self, hooks: &'e dyn Hooks) -> Self {
        Evaluator { hooks, ..self }
    }

    /// Replaces the limit on steps.
    #[must_use]
    pub fn within(self, steps: u64) -> Self {
        Evaluator { most: steps, ..self }
    }

    /// Adds a budget: a limit on time, and a flag that interrupts.
    #[must_use]
    pub fn paid_by(self, budget: &'e Budget) -> Self {
        Evaluator { budget: Some(budget), ..self }
    }

    /// Switches off the writing of traces. Values and guards stay correct; the returned trace is not that of the
    /// program.
    #[must_use]
    pub fn without_traces(self) -> Self {
        self.keeps.set(false);
        self
    }

    /// Adds an observer, or removes it.
    #[must_use]
    pub fn watched_by(self, observer: Option<&'e dyn Observer>) -> Self {
        Evaluator { observer, ..self }
    }

    /// Returns the number of rules that were applied so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Returns the comparisons that symbolic evaluation has decided so far, in their order.
    #[must_use]
    pub fn guards(&self) -> Vec<Guard> {
        self.guards.borrow().clone()
    }

    /// Evaluates M ordinarily: returns V with `φ | ρ ⊢ M ⇒ V`.
    ///
    /// # Errors
    /// [`Obstacle`] if M has no value, or none was found within the limits.
    pub fn ordinary(
        &self,
        functions: &Functions,
        environment: &Environment<N::Number>,
        term: &Term,
    ) -> Result<Value<N::Number>, Obstacle> {
        self.evaluate(functions, &mut environment.clone(), term)
    }

    /// Evaluates M symbolically: returns C with `φ | ρ ⊢ M ⇝ C`, and the value of C.
    ///
    /// # Errors
    /// [`Obstacle`] if M has no value, or none was found within the limits.
    pub fn symbolic(
        &self,
        functions: &Functions,
        environment: &Environment<N::Number>,
        term: &Term,
    ) -> Result<(Term, Value<N::Number>), Obstacle> {
        self.pay(term.size())?;
        // From here on all bound variables are different, so none of the rules can capture a variable.
        self.trace(functions, &mut environment.clone(), &Renaming::apart(term))
    }

    /// Returns `W.R_V(x : T. C)`, by the strategy.
    ///
    /// # Errors
    /// [`Obstacle::TooLarge`] for the literal clauses; [`Obstacle::Undefined`] if time or memory for the result is
    /// missing.
    pub fn differentiate(&self, w: &Term, point: &Term, x: &Variable, ty: &Ty, trace: &Term) -> Result<Term, Obstacle> {
        match self.strategy {
            Strategy::Literal => differentiate::literal(self.hooks, w, point, x, ty, trace),
            Strategy::Accumulated => {
                self.pay(trace.size().saturating_mul(accumulate::PARTS))?;
                accumulate::accumulated(self.hooks, w, point, x, ty, trace)
            }
        }
    }

    /// Checks that there are time and memory for so many nodes before they are made.
    fn pay(&self, parts: u64) -> Result<(), Obstacle> {
        match self.budget {
            Some(budget) if !budget.affords_parts(parts) => Err(self.is_spent()),
            _ => Ok(()),
        }
    }

    /// Returns the error for used up time or memory.
    fn is_spent(&self) -> Obstacle {
        let what = memory::or_time();
        fuel(format!("its {what} was up after {} steps", self.steps.get()))
    }

    /// Counts the application of a rule, and checks the limits.
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

    /// Calls the observer, if there is one.
    fn tell(&self, what: impl FnOnce(&dyn Observer)) {
        if let Some(observer) = self.observer {
            what(observer);
        }
    }

    /// Runs an evaluation within an evaluation, with its own room on the stack.
    fn deeper<A>(&self, run: impl FnOnce() -> Result<A, Obstacle>) -> Result<A, Obstacle> {
        if self.levels.get() >= LEVELS {
            return Err(fuel(format!("evaluations lie more than {LEVELS} deep within each other")));
        }
        self.levels.set(self.levels.get() + 1);
        let found = crate::stack::deep(run);
        self.levels.set(self.levels.get() - 1);
        found
    }

    /// Extends φ by the closure of a definition.
    fn closure(&self, functions: &Functions, definition: &Arc<Definition>) -> Functions {
        let closure = Closure { functions: functions.clone(), definition: definition.clone(), limit: definition.limit };
        functions.with(&definition.function, Arc::new(closure))
    }

    /// Unfolds a call of f: returns `φ'[φ(f)/f]`, where φ' is the environment of its closure, and the definition. A
    /// limited closure loses one unfolding (Fig. 8); if none is left, there is no rule.
    fn unfold(&self, functions: &Functions, f: &Variable) -> Result<(Functions, Arc<Definition>), Unfolding> {
        let closure = functions.get(f)?;
        let definition = closure.definition.clone();
        // The body is copied with new variables, so it is paid for by its size.
        self.pay(definition.body.size())?;
        let scope = self.hooks.scope(&closure.functions, functions);
        let closure = match closure.limit {
            None => closure.clone(),
            Some(0) => match self.hooks.exhausted(&definition.codomain) {
                Some(term) => return Err(Unfolding::Instead(term)),
                None => {
                    let what = format!("`{}` was unfolded as often as its limit allows", f.name());
                    // Certain, since Fig. 8 has no rule here: the term has no value, at any precision.
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

    /// Evaluates the redexes that need no further evaluation: `V + W`, `op(V)`, `fst(V)`, `snd(V)`.
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

/// The reason why a call is not unfolded.
enum Unfolding {
    Obstacle(Obstacle),
    /// The term replaces the call: a mutant's rule for an exhausted recursion.
    Instead(Term),
}

impl From<Obstacle> for Unfolding {
    fn from(obstacle: Obstacle) -> Self {
        Unfolding::Obstacle(obstacle)
    }
}

/// Returns the error for a used up limit.
fn fuel(what: String) -> Obstacle {
    Undefined::of(Cause::Fuel, what).into()
}
