//! The evaluation relations `φ | ρ ⊢ M ⇒ V` and `φ | ρ ⊢ M ⇝ C` (A §3), in big steps, which are counted.
//!
//! | chapter | what it holds |
//! |---|---|
//! | `ordinary` | Figs. 2 and 3 |
//! | `symbolic` | Figs. 4 and 5 |
//! | this module | observation of symbolic evaluation |
//!
//! Symbolic evaluation returns the pair (C, V), where V is the value of C. By Proposition 3.5, V is also the value of
//! M. As printed, Fig. 5 evaluates C anew at every level, which costs k² steps for k levels of a recursion.
//!
//! # Ordinary evaluation
//!
//! Ordinary evaluation, `φ | ρ ⊢ M ⇒ V` (A Figs. 2 and 3).
//!
//! If the value of the last premise of a rule is that of its conclusion, the loop goes on with that premise. So a call
//! in tail position takes no stack. Every other premise is a nested evaluation.
//!
//! # Symbolic evaluation
//!
//! Symbolic evaluation, `φ | ρ ⊢ M ⇝ C` (A Figs. 4 and 5), with the value of C.
//!
//! A rule with the conclusion `let x = C in D` puts its first part on a list of bindings, and the loop goes on with D.
//! Each call gets a copy of the function body with new bound variables, so that all bound variables of a trace are
//! different.
//!
//! # Observation of symbolic evaluation
//!
//! The applied rules, with their redexes and contexts.
//!
//! # Evaluation contexts E
//!
//! Evaluation contexts E, redexes R, and the unique decomposition of terms into them (A §3, Lemma 3.1).
//!
//! A context is a term with a hole at the next redex. It is kept as the list of the terms around the hole, the
//! outermost first, each with the index of its part that holds the hole. The boolean contexts `pred(E)` of the paper
//! occur in conditionals alone, so `if pred([]) then M else N` is one frame.
//!
//! # Hooks that replace single rules of the semantics
//!
//! Hooks that replace single rules of the semantics, to test that a wrong rule is detected. The result of a comparison
//! of equal numbers belongs to the [numbers](super::number::NumberSystem).
//!
//! # Why a term has no value
//!
//! It is undefined, or its value was not found.

use super::accumulate::LITERAL_NODES;
use super::number::NumberSystem;
use super::operation::{OperationSymbol, PredicateSymbol};
use super::source::NODES;
use super::term::{
    BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable, Renaming, SourceId,
};
use super::typing::{CoreEnvironment, FunctionClosure, FunctionEnvironment};
use super::{accumulate, differentiate};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::model::answer::UndefinedCause;
use crate::number::budget;
use crate::number::budget::Budget;
use crate::syntax::constant::Constant;
use crate::syntax::constant::foreign::ForeignId;
use crate::syntax::name::Name;
use crate::trace::number::decide_predicate;
use crate::trace::typing::type_of_value;
pub use crate::value::UndefinedValue;
use crate::value::ValueError;
use crate::value::error::ForeignFailure;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::fmt::Debug;
use std::sync::Arc;

/// The method by which a trace is differentiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// By the nine clauses of Fig. 6. The result has exponential size; at most
    /// [`LITERAL_NODES`] are allowed.
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
    /// Creates an evaluator with the rules of the paper, the strategy `accumulated`, and the default limit on steps.
    #[must_use]
    pub fn new(numbers: &'e N) -> Self {
        TraceEvaluator {
            numbers,
            hooks: &DefaultTraceHooks,
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
    #[doc(alias = "ordinary evaluation")]
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
    #[doc(alias = "symbolic evaluation")]
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
        let what = budget::exhausted_resource();
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
            return Err(fuel_error(format!("evaluations are nested more than {LEVELS} levels deep")));
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
                let unlimited = Budget::unlimited();
                let budget = self.budget.unwrap_or(&unlimited);
                super::number::evaluate_operation(self.numbers, operation, &close(argument)?, budget)
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

impl<N: NumberSystem> TraceEvaluator<'_, N> {
    /// Evaluates a term; the environment is restored afterwards.
    fn evaluate_term(
        &self,
        functions: &FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        term: &CoreTerm,
    ) -> Result<CoreValue<N::Number>, TraceError> {
        let mark = outer.mark();
        let found = self.run_nested(|| self.evaluate_here(functions.clone(), outer, term.clone()));
        outer.restore_to(mark);
        found
    }

    /// Evaluates a term by repeated decomposition, and leaves its bindings in the environment.
    fn evaluate_here(
        &self,
        mut functions: FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        mut term: CoreTerm,
    ) -> Result<CoreValue<N::Number>, TraceError> {
        // The environment of a function body, once a function was called.
        let mut inner = None;
        let mut context = Vec::new();
        // The position of the call whose body is being evaluated; errors without a position of their own get it.
        let mut call = SourceId::NOWHERE;
        loop {
            self.count_step().map_err(|error| error.with_site(call))?;
            let environment = inner.as_mut().unwrap_or(&mut *outer);
            let redex = match focus_next(&mut context, term) {
                // V ⇒ ρ(V)
                Focus::Value(value) => return environment.close_value(self.numbers, &value),
                // E[R_bool]
                Focus::Boolean { predicate, argument, then, otherwise, site } => {
                    let argument = environment.close_value(self.numbers, &argument)?;
                    let holds = decide_predicate(self.numbers, predicate, &argument).map_err(|e| e.with_site(site))?;
                    term = CoreTerm::from(CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise)).with_site(site);
                    continue;
                }
                Focus::Redex(redex) => redex,
            };
            if !context.is_empty() {
                // E[R]: the redex is evaluated on its own, and a new variable takes its place in the context.
                let value = self
                    .evaluate_term(&functions, environment, &redex)
                    .map_err(|error| error.with_site(redex.site()).with_site(call))?;
                let x = CoreVariable::fresh(&"c".into());
                environment.bind_value(&x, value);
                term = CoreTerm::variable(&x);
                continue;
            }
            term = match redex.kind() {
                CoreTermKind::Let(x, _, value, body) => {
                    let value = environment.close_value(self.numbers, value)?;
                    environment.bind_value(x, value);
                    body.clone()
                }
                CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise) => {
                    let (taken, other) = if *holds { (then, otherwise) } else { (otherwise, then) };
                    if let Some(other) = self.hooks.also_evaluated(other) {
                        self.evaluate_term(&functions, environment, other)?;
                    }
                    taken.clone()
                }
                CoreTermKind::LetRec(definition, rest) => {
                    functions = self.add_closure(&functions, definition);
                    rest.clone()
                }
                CoreTermKind::Call(f, argument) => {
                    call = redex.site();
                    let argument = environment.close_value(self.numbers, argument)?;
                    match self.unfold_call(&functions, f) {
                        Ok((inside, definition)) => {
                            inner = Some(CoreEnvironment::of_variable(&definition.parameter, argument));
                            functions = inside;
                            definition.body.clone()
                        }
                        Err(UnfoldingFailure::Replaced(term)) => term,
                        Err(UnfoldingFailure::Error(obstacle)) => return Err(obstacle.with_site(redex.site())),
                    }
                }
                // Symbolic evaluation renames the redex apart, as it needs, and returns the value with the trace.
                CoreTermKind::Reverse { .. } => {
                    return self.evaluate_symbolic(&functions, environment, &redex).map(|(_, value)| value);
                }
                _ => return self.contract_redex(environment, &redex),
            };
        }
    }
}

/// A trace C and its value V.
type TraceAndValue<R> = (CoreTerm, CoreValue<R>);

impl<N: NumberSystem> TraceEvaluator<'_, N> {
    /// Evaluates a term symbolically; the environment is restored afterwards. All bound variables of the term must be
    /// different.
    fn trace_term(
        &self,
        functions: &FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        term: &CoreTerm,
    ) -> Result<TraceAndValue<N::Number>, TraceError> {
        let mark = outer.mark();
        let mut bindings = Vec::new();
        let found = self.run_nested(|| self.trace_here(functions.clone(), outer, term.clone(), &mut bindings));
        outer.restore_to(mark);
        let (last, value) = found?;
        let wrap =
            |body: CoreTerm, (x, ty, bound): (CoreVariable, CoreTy, CoreTerm)| CoreTerm::bind(&x, ty, bound, body);
        Ok((bindings.into_iter().rev().fold(last, wrap), value))
    }

    /// Evaluates a term symbolically. Collects the outer `let`s of the trace in `bindings`, and returns what stands
    /// within.
    fn trace_here(
        &self,
        mut functions: FunctionEnvironment,
        outer: &mut CoreEnvironment<N::Number>,
        mut term: CoreTerm,
        bindings: &mut Vec<(CoreVariable, CoreTy, CoreTerm)>,
    ) -> Result<TraceAndValue<N::Number>, TraceError> {
        let mut inner = None;
        let mut context = Vec::new();
        // The position of the call whose body is being evaluated.
        let mut call = SourceId::NOWHERE;
        loop {
            self.count_step().map_err(|error| error.with_site(call))?;
            let environment = inner.as_mut().unwrap_or(&mut *outer);
            let redex = match focus_next(&mut context, term) {
                // V ⇝ V
                Focus::Value(value) => {
                    self.notify_observer(|observer| observer.rule_applied(SymbolicRule::Value, &value, &context));
                    let closed = environment.close_value(self.numbers, &value)?;
                    return Ok((self.traced_value(value, &closed), closed));
                }
                // E[R_bool]
                Focus::Boolean { predicate, argument, then, otherwise, site } => {
                    let value = environment.close_value(self.numbers, &argument)?;
                    let holds = decide_predicate(self.numbers, predicate, &value).map_err(|e| e.with_site(site))?;
                    self.notify_observer(|observer| {
                        let condition = BooleanTerm::Predicate(predicate, argument);
                        let whole = CoreTermKind::If(condition, then.clone(), otherwise.clone());
                        observer.rule_applied(SymbolicRule::Predicate(holds), &whole.into(), &context);
                    });
                    // A guard is recorded once per decision, in the order of evaluation; the validity of the trace
                    // depends on all of them.
                    self.guards.borrow_mut().push(DecidedComparison { predicate, holds, site });
                    term = CoreTerm::from(CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise)).with_site(site);
                    continue;
                }
                Focus::Redex(redex) => redex,
            };
            if !context.is_empty() {
                // E[R] ⇝ let x : T_V = C in D
                self.notify_observer(|observer| observer.evaluation_entered(&context));
                let traced = self.trace_term(&functions, environment, &redex);
                let (trace, value) = traced.map_err(|error| error.with_site(redex.site()).with_site(call))?;
                let x = CoreVariable::fresh(&"c".into());
                self.notify_observer(|observer| {
                    observer.evaluation_left();
                    observer.binding_added(&x, &trace);
                });
                if self.writes_traces.get() {
                    bindings.push((x.clone(), type_of_value(&value), trace));
                }
                environment.bind_value(&x, value);
                term = CoreTerm::variable(&x);
                continue;
            }
            self.notify_observer(|observer| observer.rule_applied(SymbolicRule::of_redex(&redex), &redex, &context));
            term = match redex.kind() {
                CoreTermKind::Let(x, ty, value, body) => {
                    let closed = environment.close_value(self.numbers, value)?;
                    let kept = self.traced_value(value.clone(), &closed);
                    self.notify_observer(|observer| observer.binding_added(x, &kept));
                    if self.writes_traces.get() {
                        bindings.push((x.clone(), ty.clone(), kept));
                    }
                    environment.bind_value(x, closed);
                    body.clone()
                }
                CoreTermKind::If(BooleanTerm::Value(holds), then, otherwise) => {
                    let (taken, other) = if *holds { (then, otherwise) } else { (otherwise, then) };
                    self.hooks.traced_branch(taken, other).clone()
                }
                CoreTermKind::LetRec(definition, rest) => {
                    functions = self.add_closure(&functions, definition);
                    rest.clone()
                }
                // f(V) ⇝ let x : T = V in C
                CoreTermKind::Call(f, argument) => {
                    call = redex.site();
                    let closed = environment.close_value(self.numbers, argument)?;
                    match self.unfold_call(&functions, f) {
                        Ok((inside, definition)) => {
                            let x = definition.parameter.renamed();
                            // The definition is shared by all calls, so each call renames its parameter and, in
                            // substitution, all binders of the body.
                            let body =
                                Renaming::substitute(&definition.body, &definition.parameter, CoreTerm::variable(&x));
                            let kept = self.traced_value(argument.clone(), &closed);
                            self.notify_observer(|observer| observer.binding_added(&x, &kept));
                            if self.writes_traces.get() {
                                bindings.push((x.clone(), definition.domain.clone(), kept));
                            }
                            inner = Some(CoreEnvironment::of_variable(&x, closed));
                            functions = inside;
                            body
                        }
                        Err(UnfoldingFailure::Replaced(term)) => term,
                        Err(UnfoldingFailure::Error(obstacle)) => return Err(obstacle.with_site(redex.site())),
                    }
                }
                // W.rd_V(x : T. N) ⇝ W.R_V(x : T. C)
                CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
                    let closed = environment.close_value(self.numbers, point)?;
                    let mark = environment.mark();
                    environment.bind_value(variable, closed);
                    self.notify_observer(|observer| observer.evaluation_entered(&[]));
                    // The trace of the body is needed for its derivative, even if the trace of the program is not.
                    let keeps = self.writes_traces.replace(true);
                    let traced = self.trace_term(&functions, environment, body);
                    self.writes_traces.set(keeps);
                    self.notify_observer(|observer| observer.evaluation_left());
                    environment.restore_to(mark);
                    // Differentiated after the environment is restored: x is bound by the derivative, and V has its
                    // value outside.
                    let reverse = self.differentiate(cotangent, point, variable, ty, &traced?.0)?;
                    let value = self.evaluate_term(&FunctionEnvironment::default(), environment, &reverse)?;
                    return Ok((reverse, value));
                }
                _ => {
                    let value = self.contract_redex(environment, &redex)?;
                    return Ok((redex, value));
                }
            };
        }
    }

    /// Returns a value as the trace shows it: with its variables, unless a hook replaces it.
    fn traced_value(&self, value: CoreTerm, closed: &CoreValue<N::Number>) -> CoreTerm {
        self.hooks.traced_value(value, self.as_term(closed))
    }

    /// Returns a closed value as a term. `None` if its numbers are not rational.
    fn as_term(&self, value: &CoreValue<N::Number>) -> Option<CoreTerm> {
        Some(match value {
            CoreValue::Real(r) => CoreTerm::number(self.numbers.exact_rational(r)?),
            CoreValue::Unit => CoreTerm::unit(),
            CoreValue::Pair(parts) => {
                let (left, right) = (self.as_term(&parts.0)?, self.as_term(&parts.1)?);
                CoreTerm::pair(type_of_value(&parts.0), type_of_value(&parts.1), left, right)
            }
        })
    }
}

/// A rule of symbolic evaluation (A Figs. 4 and 5), named by its conclusion. `E[R] ⇝ let x = C in D` is not among them.
/// Its first premise is a nested evaluation that is [entered](EvaluationObserver::evaluation_entered); afterwards C is
/// [bound](EvaluationObserver::binding_added).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolicRule {
    /// `V ⇝ V`
    Value,
    /// `V + W ⇝ V + W`
    Add,
    /// `op(V) ⇝ op(V)`
    Operation,
    /// `if true then M else N ⇝ C`, and likewise for `false`
    If,
    /// `letrec f(x) = M in N ⇝ C`
    LetRec,
    /// `let x = V in N ⇝ let x = V in C`
    Let,
    /// `fst(V) ⇝ fst(V)`
    First,
    /// `snd(V) ⇝ snd(V)`
    Second,
    /// `f(V) ⇝ let x = V in C`
    Call,
    /// `W.rd_V(x. N) ⇝ W.R_V(x. C)`
    Reverse,
    /// `E[pred(V)] ⇝ C`, where `pred(V) ⇒` this truth value
    Predicate(bool),
}

impl SymbolicRule {
    /// Returns the rule for a redex.
    fn of_redex(redex: &CoreTerm) -> SymbolicRule {
        match redex.kind() {
            CoreTermKind::Add(..) => SymbolicRule::Add,
            CoreTermKind::Operation(..) => SymbolicRule::Operation,
            CoreTermKind::If(..) => SymbolicRule::If,
            CoreTermKind::LetRec(..) => SymbolicRule::LetRec,
            CoreTermKind::Let(..) => SymbolicRule::Let,
            CoreTermKind::First(..) => SymbolicRule::First,
            CoreTermKind::Second(..) => SymbolicRule::Second,
            CoreTermKind::Call(..) => SymbolicRule::Call,
            CoreTermKind::Reverse { .. } => SymbolicRule::Reverse,
            CoreTermKind::Variable(_) | CoreTermKind::Number(_) | CoreTermKind::Unit | CoreTermKind::Pair(..) => {
                SymbolicRule::Value
            }
        }
    }
}

impl fmt::Display for SymbolicRule {
    /// The conclusion, as the paper prints it but for types.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SymbolicRule::Value => "V ⇝ V",
            SymbolicRule::Add => "V + W ⇝ V + W",
            SymbolicRule::Operation => "op(V) ⇝ op(V)",
            SymbolicRule::If => "if b then M else N ⇝ C",
            SymbolicRule::LetRec => "letrec f(x) = M in N ⇝ C",
            SymbolicRule::Let => "let x = V in N ⇝ let x = V in C",
            SymbolicRule::First => "fst(V) ⇝ fst(V)",
            SymbolicRule::Second => "snd(V) ⇝ snd(V)",
            SymbolicRule::Call => "f(V) ⇝ let x = V in C",
            SymbolicRule::Reverse => "W.rd_V(x. N) ⇝ W.R_V(x. C)",
            SymbolicRule::Predicate(true) => "E[pred(V)] ⇝ C, pred(V) ⇒ true",
            SymbolicRule::Predicate(false) => "E[pred(V)] ⇝ C, pred(V) ⇒ false",
        })
    }
}

/// An observer of symbolic evaluation. Its methods are called in the order of evaluation.
pub trait EvaluationObserver: fmt::Debug {
    /// A rule was applied to a redex. The context reaches from the start of the innermost evaluation to the redex.
    fn rule_applied(&self, rule: SymbolicRule, redex: &CoreTerm, context: &[ContextFrame]);
    /// The evaluation of the term in the hole of a context begins, or that of the body of an `rd`, with an empty
    /// context.
    fn evaluation_entered(&self, context: &[ContextFrame]);
    /// The evaluation that was entered last is over; its bindings are part of its result.
    fn evaluation_left(&self);
    /// The trace of the innermost evaluation is extended by `let x = C in`.
    fn binding_added(&self, x: &CoreVariable, value: &CoreTerm);
}

/// One level of a context: a term, one of whose immediate parts is the hole.
#[derive(Clone, Debug)]
pub struct ContextFrame {
    whole: CoreTerm,
    part: usize,
}

impl ContextFrame {
    /// Returns the position of the hole among the parts that are evaluated, in the order of evaluation.
    #[must_use]
    pub fn position(&self) -> usize {
        self.part
    }

    /// Fills the hole with `part`.
    #[must_use]
    pub fn plug_hole(&self, part: CoreTerm) -> CoreTerm {
        let whole = self.whole.kind().clone();
        let first = self.part == 0;
        let kind = match whole {
            CoreTermKind::Add(_, right) if first => CoreTermKind::Add(part, right),
            CoreTermKind::Add(left, _) => CoreTermKind::Add(left, part),
            CoreTermKind::Operation(op, _) => CoreTermKind::Operation(op, part),
            CoreTermKind::Let(x, ty, _, body) => CoreTermKind::Let(x, ty, part, body),
            CoreTermKind::Pair(t, u, _, right) if first => CoreTermKind::Pair(t, u, part, right),
            CoreTermKind::Pair(t, u, left, _) => CoreTermKind::Pair(t, u, left, part),
            CoreTermKind::First(t, u, _) => CoreTermKind::First(t, u, part),
            CoreTermKind::Second(t, u, _) => CoreTermKind::Second(t, u, part),
            CoreTermKind::If(BooleanTerm::Predicate(pred, _), then, otherwise) => {
                CoreTermKind::If(BooleanTerm::Predicate(pred, part), then, otherwise)
            }
            CoreTermKind::Call(f, _) => CoreTermKind::Call(f, part),
            CoreTermKind::Reverse { cotangent, variable, ty, body, .. } if first => {
                CoreTermKind::Reverse { cotangent, point: part, variable, ty, body }
            }
            CoreTermKind::Reverse { point, variable, ty, body, .. } => {
                CoreTermKind::Reverse { cotangent: part, point, variable, ty, body }
            }
            // Frames are made of terms with active parts alone.
            kind => kind,
        };
        CoreTerm::from(kind).with_site(self.whole.site())
    }
}

/// Returns the parts of a term that are evaluated before it is a redex or a value, in the order of evaluation.
fn active_parts(kind: &CoreTermKind) -> [Option<&CoreTerm>; 2] {
    match kind {
        CoreTermKind::Add(left, right) | CoreTermKind::Pair(_, _, left, right) => [Some(left), Some(right)],
        CoreTermKind::Operation(_, part)
        | CoreTermKind::Let(_, _, part, _)
        | CoreTermKind::First(_, _, part)
        | CoreTermKind::Second(_, _, part)
        | CoreTermKind::Call(_, part)
        | CoreTermKind::If(BooleanTerm::Predicate(_, part), ..) => [Some(part), None],
        // The point is evaluated before the cotangent, though it is written behind it.
        CoreTermKind::Reverse { cotangent, point, .. } => [Some(point), Some(cotangent)],
        _ => [None; 2],
    }
}

/// The term in the hole of a decomposition.
#[derive(Clone, Debug)]
pub enum Focus {
    /// A value; the context is empty.
    Value(CoreTerm),
    /// A redex R.
    Redex(CoreTerm),
    /// `pred(V)`, the condition of the conditional `if pred(V) then M else N`, which is the innermost frame.
    Boolean {
        /// pred
        predicate: PredicateSymbol,
        /// V
        argument: CoreTerm,
        /// M
        then: CoreTerm,
        /// N
        otherwise: CoreTerm,
        /// The position of the conditional.
        site: SourceId,
    },
}

/// Decomposes `E[M]` further, for a context E that is decomposed already. The caller need not start again from the root
/// after each step.
pub fn focus_next(context: &mut Vec<ContextFrame>, mut term: CoreTerm) -> Focus {
    loop {
        let next = {
            let mut waiting = active_parts(term.kind()).into_iter().enumerate();
            waiting.find_map(|(part, of)| of.filter(|of| !of.is_value()).map(|of| (part, of.clone())))
        };
        if let Some((part, of)) = next {
            context.push(ContextFrame { whole: term, part });
            term = of;
            continue;
        }
        // A value in the hole: the frame around it goes on, with its next part or as a redex.
        if term.is_value() {
            match context.pop() {
                Some(frame) => term = frame.plug_hole(term),
                None => return Focus::Value(term),
            }
            continue;
        }
        if let CoreTermKind::If(BooleanTerm::Predicate(predicate, argument), then, otherwise) = term.kind() {
            let (argument, then, otherwise) = (argument.clone(), then.clone(), otherwise.clone());
            return Focus::Boolean { predicate: *predicate, argument, then, otherwise, site: term.site() };
        }
        return Focus::Redex(term);
    }
}

/// Decomposes M: `M = E[R]`, `M = E[R_bool]`, or M is a value. Exactly one of these holds (Lemma 3.1).
#[must_use]
#[doc(alias("redex", "evaluation context"))]
pub fn decompose(term: &CoreTerm) -> (Vec<ContextFrame>, Focus) {
    let mut context = Vec::new();
    let found = focus_next(&mut context, term.clone());
    (context, found)
}

/// Returns `E[M]`.
#[must_use]
pub fn plug_context(context: &[ContextFrame], hole: CoreTerm) -> CoreTerm {
    context.iter().rev().fold(hole, |part, frame| frame.plug_hole(part))
}

/// Rules of the semantics that may be replaced. The provided methods are the rules of the paper.
///
/// *Theorems to keep*: Propositions 3.4 to 3.6, and that reverse derivatives are transposed derivatives, definedness
/// included (Theorem 6.1). The laws in `law::trace` test them.
pub trait TraceHooks: Debug + Send + Sync {
    /// Returns the function environment in which the body of a function is evaluated: that of its closure (static
    /// scope), not that of the call.
    fn body_scope<'f>(
        &self,
        closure: &'f FunctionEnvironment,
        call: &'f FunctionEnvironment,
    ) -> &'f FunctionEnvironment {
        let _ = call;
        closure
    }
    /// Returns a branch to evaluate before the taken one; `None`, since only the taken branch is evaluated.
    fn also_evaluated<'t>(&self, other: &'t CoreTerm) -> Option<&'t CoreTerm> {
        let _ = other;
        None
    }
    /// Returns the branch that is traced: the taken one.
    fn traced_branch<'t>(&self, taken: &'t CoreTerm, other: &'t CoreTerm) -> &'t CoreTerm {
        let _ = other;
        taken
    }
    /// Returns a value as it stands in a trace: with its variables. `closed` is the value of ρ as a term, if its
    /// numbers are rational.
    fn traced_value(&self, value: CoreTerm, closed: Option<CoreTerm>) -> CoreTerm {
        let _ = closed;
        value
    }
    /// Returns a term in place of a call without unfoldings left; `None`, since such a call is undefined.
    fn exhausted_call(&self, codomain: &CoreTy) -> Option<CoreTerm> {
        let _ = codomain;
        None
    }

    // ---- W.R_V(x : T. C)

    /// Renames the bound variables of C, so that all are different, and none is free in V or W.
    fn rename_apart(&self, trace: &CoreTerm) -> CoreTerm {
        Renaming::rename_apart(trace)
    }
    /// Returns the components of `operation_pullback⟨⟨x₁, …, xₖ⟩, w⟩`, where y is the value of op.
    fn operation_pullback(
        &self,
        operation: &OperationSymbol,
        x: &[CoreTerm],
        y: &CoreTerm,
        w: &CoreTerm,
    ) -> Vec<CoreTerm> {
        operation.pullback(x, y, w)
    }
    /// Returns `true` if op_r evaluates op too, so that it has the domain of op.
    fn keeps_operation_domain(&self) -> bool {
        true
    }
    /// Adds the cotangents of a variable from two of its uses.
    fn add_cotangents(&self, so_far: CoreTerm, next: CoreTerm) -> CoreTerm {
        CoreTerm::sum(so_far, next)
    }
    /// Returns the cotangents of the two parts of a pair, which have the same type, from the parts y and z of its
    /// cotangent.
    fn pair_cotangents(&self, y: CoreTerm, z: CoreTerm) -> [CoreTerm; 2] {
        [y, z]
    }
    /// Returns the parts of the cotangent of M in `fst(M)`, for parts of the same type: `⟨W, 0⟩`.
    fn first_cotangents(&self, w: CoreTerm, zero: CoreTerm) -> [CoreTerm; 2] {
        [w, zero]
    }
    /// Returns `true` if the trace is run even where its derivative is 0 because no part depends on x, or W is 0.
    fn runs_constants(&self) -> bool {
        true
    }
    /// Returns the point at which the body of `let y = D in E` is differentiated in y: y itself, which has the value of
    /// D.
    fn let_point(&self, y: CoreTerm, x: &CoreTerm, same_type: bool) -> CoreTerm {
        let _ = (x, same_type);
        y
    }

    // ---- derivatives of programs

    /// Returns the branches of the derivative of a conditional, from the derivatives of its branches (A Prop. 4.3).
    fn derivative_branches(&self, then: CoreTerm, otherwise: CoreTerm) -> [CoreTerm; 2] {
        [then, otherwise]
    }
    /// Returns the cotangent of the argument, of type T, of a call, from the call of the derivative function (A Prop.
    /// 4.4).
    fn call_cotangent(&self, derivative: CoreTerm, domain: &CoreTy) -> CoreTerm {
        let _ = domain;
        derivative
    }
}

/// The hooks of the paper's rules.
#[derive(Clone, Copy, Debug)]
pub struct DefaultTraceHooks;

impl TraceHooks for DefaultTraceHooks {}

/// The reason why an evaluation, or a transformation, gives no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The term is undefined, or its value was not found within the limits.
    #[error(transparent)]
    Undefined(#[from] UndefinedValue),
    /// The operation does not exist for the kind of numbers.
    #[error("{numbers} have no `{operation}`; certified real numbers and doubles do")]
    MissingOperation {
        /// The kind of numbers.
        numbers: &'static str,
        /// The operation.
        operation: String,
    },
    /// A function from outside failed, or was dropped with its session.
    #[error(transparent)]
    Foreign(Box<ForeignFailure>),
    /// The derivative of a trace by the literal clauses, whose size is exponential, is too large.
    #[error(
        "the derivative by the literal clauses would have more than {LITERAL_NODES} nodes, since they copy the trace at every \
         `let`. The strategy `accumulated` writes the same function in proportion to the trace"
    )]
    LiteralTooLarge,
    /// The program contains a limited recursion, which neither compilation nor source transformation supports.
    #[error(
        "the strategy `tape` and the programs that `derive --reverse` writes unfold recursions without a limit; use the strategy `accumulated` or `literal` for a recursion with one"
    )]
    LimitedRecursion,
    /// The function is defined by its own derivative, so its derivative is no finite program.
    #[error(
        "`{function}` is defined by its own derivative, so its derivatives are no finite program. The strategies \
         `accumulated` and `tape` differentiate its trace at a point"
    )]
    DefinedByOwnDerivative {
        /// The name of the function.
        function: Name,
    },
    /// Nested derivatives make the transformed program too large.
    #[error(
        "written out, the program would have more than {NODES} nodes, since each nested derivative writes it out again. The \
         strategies `accumulated` and `tape` differentiate its trace at a point"
    )]
    ProgramTooLarge,
    /// No rule applies. Well-typed terms never get stuck.
    #[error("no rule of the semantics applies to {construct}; the term has no type")]
    Stuck {
        /// The construct without rule.
        construct: &'static str,
    },
}

impl ErrorWithKind for TraceError {
    fn kind(&self) -> ErrorKind {
        match self {
            TraceError::Undefined(_) | TraceError::LiteralTooLarge | TraceError::ProgramTooLarge => ErrorKind::Limit,
            TraceError::MissingOperation { .. }
            | TraceError::LimitedRecursion
            | TraceError::DefinedByOwnDerivative { .. } => ErrorKind::Unsupported,
            TraceError::Stuck { .. } | TraceError::Foreign(_) => ErrorKind::InvalidInput,
        }
    }
}

impl TraceError {
    /// Makes the error of a function from outside.
    pub(super) fn of_foreign(id: ForeignId, error: ValueError) -> TraceError {
        TraceError::Foreign(match error {
            ValueError::Foreign(failure) => failure,
            other => {
                let (name, reason) = (Constant::Foreign(id).name().to_owned(), other.to_string());
                Box::new(ForeignFailure { name, reason })
            }
        })
    }

    /// Sets the position of an undefined term, unless it has one. Other errors have none.
    #[must_use]
    pub fn with_site(self, site: SourceId) -> TraceError {
        match self {
            TraceError::Undefined(undefined) => undefined.at_site(site).into(),
            other => other,
        }
    }

    /// Returns the report of an undefined term; `None` for other errors.
    #[must_use]
    pub fn as_undefined(&self) -> Option<&UndefinedValue> {
        match self {
            TraceError::Undefined(undefined) => Some(undefined),
            _ => None,
        }
    }
}
