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
use super::environment::{CoreEnvironment, FunctionClosure, FunctionEnvironment};
use super::error::{TraceError, UndefinedValue};
use super::hooks::{self, TraceHooks};
use super::number::NumberSystem;
use super::operation::PredicateSymbol;
use super::renaming::Renaming;
use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreVariable, SourceId};
use super::ty::CoreTy;
use super::value::CoreValue;
use crate::model::answer::UndefinedCause;
use crate::number::budget::Budget;
use crate::number::memory;
use observer::EvaluationObserver;
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
pub struct DecidedComparison {
    /// The predicate.
    pub predicate: PredicateSymbol,
    /// The truth value.
    pub holds: bool,
    /// The position of the comparison in the source.
    pub site: SourceId,
}

/// The default limit on steps. A choice: it ends programs that do not terminate.
pub const DEFAULT_STEP_LIMIT: u64 = 2_000_000;
/// The largest nesting of evaluations. A choice: each level takes a piece of stack, which is memory.
const LEVELS: u32 = 20_000;
/// The number of steps between two checks of the clock. A choice: fewer checks cost less, but notice the deadline later.
const STEPS_PER_CLOCK_CHECK: u64 = 256;

/// An evaluator: the numbers to compute with, the rules, a strategy and limits.
#[derive(Debug)]
pub struct TraceEvaluator<'e, N> {
    pub(super) numbers: &'e N,
    pub(super) hooks: &'e dyn TraceHooks,
    strategy: Strategy,
    budget: Option<&'e Budget>,
    observer: Option<&'e dyn EvaluationObserver>,
    step_limit: u64,
    /// `true` if traces are written; otherwise only their values are computed.
    writes_traces: Cell<bool>,
    step_count: Cell<u64>,
    nesting_depth: Cell<u32>,
    guards: RefCell<Vec<DecidedComparison>>,
}

impl<'e, N: NumberSystem> TraceEvaluator<'e, N> {
    /// Creates an evaluator with the rules of the paper, the strategy `accumulated_derivative`, and the default limit on steps.
    #[must_use]
    pub fn new(numbers: &'e N) -> Self {
        TraceEvaluator {
            numbers,
            hooks: &hooks::DefaultTraceHooks,
            strategy: Strategy::default(),
            budget: None,
            observer: None,
            step_limit: DEFAULT_STEP_LIMIT,
            writes_traces: Cell::new(true),
            step_count: Cell::new(0),
            nesting_depth: Cell::new(0),
            guards: RefCell::default(),
        }
    }

    /// Replaces the strategy.
    #[must_use]
    pub fn with_strategy(self, strategy: Strategy) -> Self {
        TraceEvaluator { strategy, ..self }
    }

    /// Replaces the rules.
    #[must_use]
    pub fn with_hooks(self, hooks: &'e dyn TraceHooks) -> Self {
        TraceEvaluator { hooks, ..self }
    }

    /// Replaces the limit on steps.
    #[must_use]
    pub fn with_step_limit(self, steps: u64) -> Self {
        TraceEvaluator { step_limit: steps, ..self }
    }

    /// Adds a budget: a limit on time, and a flag that interrupts.
    #[must_use]
    pub fn with_budget(self, budget: &'e Budget) -> Self {
        TraceEvaluator { budget: Some(budget), ..self }
    }

    /// Switches off the writing of traces. Values and guards stay correct; the returned trace is not that of the
    /// program.
    #[must_use]
    pub fn without_traces(self) -> Self {
        self.writes_traces.set(false);
        self
    }

    /// Adds an observer, or removes it.
    #[must_use]
    pub fn with_observer(self, observer: Option<&'e dyn EvaluationObserver>) -> Self {
        TraceEvaluator { observer, ..self }
    }

    /// Returns the number of rules that were applied so far.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.step_count.get()
    }

    /// Returns the comparisons that symbolic evaluation has decided so far, in their order.
    #[must_use]
    pub fn guards(&self) -> Vec<DecidedComparison> {
        self.guards.borrow().clone()
    }

    /// Evaluates M ordinarily: returns V with `φ | ρ ⊢ M ⇒ V`.
    ///
    /// # Errors
    /// [`TraceError`] if M has no value, or none was found within the limits.
    pub fn evaluate_ordinary(
        &self,
        functions: &FunctionEnvironment,
        environment: &CoreEnvironment<N::Number>,
        term: &CoreTerm,
    ) -> Result<CoreValue<N::Number>, TraceError> {
        self.evaluate_term(functions, &mut environment.clone(), term)
    }

    /// Evaluates M symbolically: returns C with `φ | ρ ⊢ M ⇝ C`, and the value of C.
    ///
    /// # Errors
    /// [`TraceError`] if M has no value, or none was found within the limits.
    pub fn evaluate_symbolic(
        &self,
        functions: &FunctionEnvironment,
        environment: &CoreEnvironment<N::Number>,
        term: &CoreTerm,
    ) -> Result<(CoreTerm, CoreValue<N::Number>), TraceError> {
        self.check_affordable(term.size())?;
        // From here on all bound variables are different, so none of the rules can capture a variable.
        self.trace_term(functions, &mut environment.clone(), &Renaming::rename_apart(term))
    }

    /// Returns `W.R_V(x : T. C)`, by the strategy.
    ///
    /// # Errors
    /// [`TraceError::LiteralTooLarge`] for the literal clauses; [`TraceError::Undefined`] if time or memory for the result is
    /// missing.
    pub fn differentiate(
        &self,
        w: &CoreTerm,
        point: &CoreTerm,
        x: &CoreVariable,
        ty: &CoreTy,
        trace: &CoreTerm,
    ) -> Result<CoreTerm, TraceError> {
        match self.strategy {
            Strategy::Literal => differentiate::literal_derivative(self.hooks, w, point, x, ty, trace),
            Strategy::Accumulated => {
                self.check_affordable(trace.size().saturating_mul(accumulate::SWEEP_NODES_PER_NODE))?;
                accumulate::accumulated_derivative(self.hooks, w, point, x, ty, trace)
            }
        }
    }

    /// Checks that there are time and memory for so many nodes before they are made.
    fn check_affordable(&self, parts: u64) -> Result<(), TraceError> {
        match self.budget {
            Some(budget) if !budget.check_parts(parts) => Err(self.spent_error()),
            _ => Ok(()),
        }
    }

    /// Returns the error for used up time or memory.
    fn spent_error(&self) -> TraceError {
        let what = memory::exhausted_resource();
        fuel_error(format!("its {what} was up after {} steps", self.step_count.get()))
    }

    /// Counts the application of a rule, and checks the limits.
    fn count_step(&self) -> Result<(), TraceError> {
        let steps = self.step_count.get() + 1;
        self.step_count.set(steps);
        if steps > self.step_limit {
            return Err(fuel_error(format!("it did not end within {} steps", self.step_limit)));
        }
        if steps.is_multiple_of(STEPS_PER_CLOCK_CHECK)
            && self.budget.is_some_and(|budget| !budget.spend(STEPS_PER_CLOCK_CHECK))
        {
            return Err(self.spent_error());
        }
        Ok(())
    }

    /// Calls the observer, if there is one.
    fn notify_observer(&self, what: impl FnOnce(&dyn EvaluationObserver)) {
        if let Some(observer) = self.observer {
            what(observer);
        }
    }

    /// Runs an evaluation within an evaluation, with its own room on the stack.
    fn run_nested<A>(&self, run: impl FnOnce() -> Result<A, TraceError>) -> Result<A, TraceError> {
        if self.nesting_depth.get() >= LEVELS {
            return Err(fuel_error(format!("evaluations lie more than {LEVELS} deep within each other")));
        }
        self.nesting_depth.set(self.nesting_depth.get() + 1);
        let found = crate::stack::with_stack(run);
        self.nesting_depth.set(self.nesting_depth.get() - 1);
        found
    }

    /// Extends φ by the closure of a definition.
    fn add_closure(&self, functions: &FunctionEnvironment, definition: &Arc<CoreDefinition>) -> FunctionEnvironment {
        let closure =
            FunctionClosure { functions: functions.clone(), definition: definition.clone(), limit: definition.limit };
        functions.with_closure(&definition.function, Arc::new(closure))
    }

    /// Unfolds a call of f: returns `φ'[φ(f)/f]`, where φ' is the environment of its closure, and the definition. A
    /// limited closure loses one unfolding (Fig. 8); if none is left, there is no rule.
    fn unfold_call(
        &self,
        functions: &FunctionEnvironment,
        f: &CoreVariable,
    ) -> Result<(FunctionEnvironment, Arc<CoreDefinition>), UnfoldingFailure> {
        let closure = functions.get(f)?;
        let definition = closure.definition.clone();
        // The body is copied with new variables, so it is paid for by its size.
        self.check_affordable(definition.body.size())?;
        let scope = self.hooks.body_scope(&closure.functions, functions);
        let closure = match closure.limit {
            None => closure.clone(),
            Some(0) => match self.hooks.exhausted_call(&definition.codomain) {
                Some(term) => return Err(UnfoldingFailure::Replaced(term)),
                None => {
                    let what = format!("`{}` was unfolded as often as its limit allows", f.name());
                    // Certain, since Fig. 8 has no rule here: the term has no value, at any precision.
                    return Err(TraceError::from(UndefinedValue {
                        certain: true,
                        ..UndefinedValue::of_operation(UndefinedCause::Fuel, what)
                    })
                    .into());
                }
            },
            Some(n) => Arc::new(FunctionClosure {
                functions: closure.functions.clone(),
                definition: definition.clone(),
                limit: Some(n - 1),
            }),
        };
        Ok((scope.with_closure(f, closure), definition))
    }

    /// Evaluates the redexes that need no further evaluation: `V + W`, `op(V)`, `fst(V)`, `snd(V)`.
    fn contract_redex(
        &self,
        environment: &CoreEnvironment<N::Number>,
        redex: &CoreTerm,
    ) -> Result<CoreValue<N::Number>, TraceError> {
        let close = |value: &CoreTerm| environment.close_value(self.numbers, value);
        match redex.kind() {
            CoreTermKind::Add(left, right) => match (close(left)?, close(right)?) {
                (CoreValue::Real(r), CoreValue::Real(s)) => Ok(CoreValue::Real(self.numbers.add(&r, &s))),
                _ => Err(TraceError::Stuck { construct: "+" }),
            },
            CoreTermKind::Operation(operation, argument) => {
                super::number::evaluate_operation(self.numbers, operation, &close(argument)?)
                    .map_err(|e| e.with_site(redex.site()))
            }
            CoreTermKind::First(_, _, pair) | CoreTermKind::Second(_, _, pair) => match close(pair)? {
                CoreValue::Pair(parts) if matches!(redex.kind(), CoreTermKind::First(..)) => Ok(parts.0.clone()),
                CoreValue::Pair(parts) => Ok(parts.1.clone()),
                _ => Err(TraceError::Stuck { construct: "a projection" }),
            },
            _ => Err(TraceError::Stuck { construct: "a redex" }),
        }
    }
}

/// The reason why a call is not unfolded.
enum UnfoldingFailure {
    Error(TraceError),
    /// The term replaces the call: a mutant's rule for an exhausted recursion.
    Replaced(CoreTerm),
}

impl From<TraceError> for UnfoldingFailure {
    fn from(obstacle: TraceError) -> Self {
        UnfoldingFailure::Error(obstacle)
    }
}

/// Returns the error for a used up limit.
fn fuel_error(what: String) -> TraceError {
    UndefinedValue::of_operation(UndefinedCause::Fuel, what).into()
}
