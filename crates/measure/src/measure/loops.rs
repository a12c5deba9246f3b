//! Loops that sample: where their states lie, what they return, and how much of a mean is left after any number of steps.
//!
//! A loop is a recursive function `go` into `P A` whose calls are the last steps of its body. The state of a call is the list of
//! its arguments. A program without one may return what a recursive function of numbers computes: then that function is
//! read as a loop, since `return` commutes with conditionals and calls in last position. A step runs the body on an unknown state up to the next call, which is not entered: so it returns a
//! value or a state. The paths of a step are found as all others.
//!
//! | what is left | bound |
//! |---|---|
//! | of a function with values in J on what the loop returns | r·J, with J enlarged by 0, and r the weighted mass of the paths that are left, since a loop need not end |
//! | of an unbounded function f | E V(s) over the states s in which the paths are left |
//! | of the number of calls | the same, with the cost 1 for each call in the place of what is returned |
//!
//! J is found with an inductive invariant, a box I of states: intervals with widening ([Cousot and Cousot 1977], POPL). The
//! map V is affine, at least 0 on I, and `V(s) ≥ E[|f| + V(s′)]`, where |f| counts if the step returns and V(s′) if it goes on
//! to s′. Then V is at least the least fixed point of that equation, which is the mean of |f| from s on (Park induction;
//! [Chakarov and Sankaranarayanan 2013], CAV). If f is signed, its mean is left between -V and V. A linear program
//! proposes V at sampled states. Its answer is not trusted: [`LoopSummary::check_bound`] proves the two inequalities for all
//! states, by [exact integrals](super::polytope) and intervals. A user may give V instead, any polynomial in the numbers of the
//! state: it is refused at a state where it is wrong, and used only if it is proved.
//!
//! [Cousot and Cousot 1977]: https://doi.org/10.1145/512950.512973
//! [Chakarov and Sankaranarayanan 2013]: https://doi.org/10.1007/978-3-642-39799-8_34

use super::contribution::{PathContribution, PathFactors};
use super::demand::check_constraints;
use super::distribution::Kind;
use super::draws::{Draw, ExecutionPath, NaturalRange};
use super::explore::{EndedPath, MAX_TAIL_RUNS, PathExplorer, RunEnd, RunSubject};
use super::polytope::{NumberRange, Polynomial, integrate_exactly, integrate_path};
use super::range::{PRECISION_BITS, enclose_range, enclose_rational, half_line};
use super::sum::has_scores;
use super::{MeasureAnswer, MeasureError, ProbabilisticModel};
use crate::meaning::pap::{as_map, count_value};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::stack::with_stack;
use crate::syntax::library::TRACE;
use crate::syntax::substitution::substitute_innermost;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedList, Value, ValueError};
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The constructor that marks a call that was not entered: no declared type has so many.
const CALL_CONSTRUCTOR: usize = usize::MAX - 1;
/// The number of rounds before an end of the invariant that still moves becomes infinite, and of all rounds. A choice.
const WIDENING_DELAY: usize = 3;
const MAX_INVARIANT_ROUNDS: usize = 12;
/// The greatest number of numbers in a state. A choice: samples for the linear program grow exponentially.
const MAX_STATE_NUMBERS: usize = 6;
/// The samples of a bounded state number for the linear program, as parts of its range. A choice: none is at an end, where
/// two paths may meet.
const SAMPLE_PARTS: [(i32, u32); 5] = [(1, 1024), (1, 4), (1, 2), (3, 4), (1023, 1024)];
/// The amounts by which V shall exceed what it bounds, in turn. A choice: the proof by intervals needs some room, and
/// V only has to be finite.
const SLACKS: [f64; 4] = [1.0, 0.125, 1.0 / 64.0, 0.0];
/// The greatest absolute value of a coefficient of V. A choice: it keeps the linear program bounded.
const MAX_COEFFICIENT: f64 = 1e9;
/// The coefficients of V are rounded to multiples of the reciprocal of this number.
const COEFFICIENT_DENOMINATOR: i64 = 1 << 12;
/// The greatest number of bisections in a row, and of boxes for one proof. A choice.
const MAX_BISECTIONS: u32 = 24;
const MAX_CHECKED_BOXES: usize = 4_000;
/// The greatest number of constraints that are tried with both answers on one box. A choice: each doubles the work.
const MAX_ASSUMED: usize = 4;
/// The width of the means of a step that have no exact form. A choice: below the room that V leaves.
const STEP_MEAN_WIDTH: (i32, u32) = (1, 1 << 20);

/// A recursive function of a program whose calls are observed while the program runs.
#[derive(Debug)]
pub(super) struct LoopProbe {
    /// The types of the arguments.
    arguments: Vec<Ty>,
    /// `true` if the function cannot depend on draws, wherever it is made.
    is_closed: bool,
    /// The index of the constructor `Given` of outcomes.
    given: usize,
    state: Mutex<ProbeState>,
}

#[derive(Debug, Default)]
struct ProbeState {
    /// The function from the recursive function to its value.
    step: Option<Value<Graph>>,
    /// `true` while a program reads its trace.
    is_running: bool,
    /// `true` if the recursive function was made from draws.
    depends_on_draws: bool,
    /// The number of calls entered in this run.
    calls: usize,
    /// The number of calls after which none is entered. `None` for no limit.
    stop_after: Option<usize>,
    /// The arguments of the calls that were not entered.
    left: Vec<Vec<Value<Graph>>>,
}

/// A loop of a program.
pub(super) struct FoundLoop {
    /// The types of the arguments.
    arguments: Vec<Ty>,
    /// `true` if the function mentions no variable from outside, so that it cannot depend on draws.
    is_closed: bool,
}

/// Returns a program with one observed loop, as a function of the operator that ties the knot. Returns `None` if the program
/// has no loop, or several.
pub(super) fn observe_loop(program: &Term) -> Option<(Term, FoundLoop)> {
    // a loop that samples comes first: beside it a recursive function of numbers is no loop of the program
    [false, true].into_iter().find_map(|lifts| {
        let mut finder = LoopFinder { lifts, ..LoopFinder::default() };
        let observed = finder.rewrite(program, 0);
        match finder.found.len() {
            1 => Some((Term::lambda("tie".into(), Ty::unknown(), observed, program.span()), finder.found.pop()?)),
            _ => None,
        }
    })
}

/// A search for the recursive functions into `P A`.
#[derive(Default)]
struct LoopFinder {
    found: Vec<FoundLoop>,
    without_loops: FxHashSet<usize>,
    /// `true` if recursive functions of numbers whose values are returned count as loops.
    lifts: bool,
}

/// The reading of a recursive function of numbers as a loop: `return e` becomes `e` with `return` at the ends of its branches,
/// and each recursive function into A in it becomes one into `P A`. Calls have to stand in last position.
struct LoopLifting<'t> {
    /// `return`, at its type.
    unit: &'t Term,
    /// The type `P A`.
    program: &'t Ty,
    /// For each binder inside of `e`, from the outside in, whether it binds a function that is lifted.
    binders: Vec<bool>,
    /// The number of functions that are lifted.
    lifted: usize,
}

impl<'t> LoopLifting<'t> {
    /// Lifts the argument of a `return`. Returns `None` if it has no recursive function that can be read as a loop.
    fn lift_returned(returned: &'t Term) -> Option<Term> {
        let TermKind::Apply { function, argument } = returned.kind() else { return None };
        let TermKind::Global(definition) = function.kind() else { return None };
        if &*definition.module != TRACE || &*definition.name != "return" {
            return None;
        }
        let mut lifting = Self { unit: function, program: returned.ty(), binders: Vec::new(), lifted: 0 };
        lifting.lift(argument).filter(|_| lifting.lifted > 0)
    }

    /// Returns the type of a function into `P A` for that of one into A.
    fn lift_type(&self, ty: &Ty) -> Ty {
        match ty.kind() {
            TyKind::Function(from, to) => Ty::function(from.clone(), self.lift_type(to)),
            _ => self.program.clone(),
        }
    }

    /// Lifts a term of type A, or a function into A. Returns `None` if a lifted function is used in another position than the
    /// last.
    fn lift(&mut self, term: &Term) -> Option<Term> {
        with_stack(|| self.lift_here(term))
    }

    fn lift_here(&mut self, term: &Term) -> Option<Term> {
        let span = term.span();
        let kind = match term.kind() {
            TermKind::Variable { index, .. } if self.is_lifted(*index) => term.kind().clone(),
            TermKind::Lambda { name, body } => {
                TermKind::Lambda { name: name.clone(), body: self.under_binder(false, body)? }
            }
            TermKind::Let { name, value, body } => {
                TermKind::Let { name: name.clone(), value: self.keep(value)?, body: self.under_binder(false, body)? }
            }
            TermKind::LetRec { name, value, body } => {
                // the function is lifted wherever it is bound, also in its own body
                self.lifted += 1;
                let value = self.under_binder(true, value)?;
                TermKind::LetRec { name: name.clone(), value, body: self.under_binder(true, body)? }
            }
            TermKind::If { condition, then, otherwise } => TermKind::If {
                condition: self.keep(condition)?,
                then: self.lift(then)?,
                otherwise: self.lift(otherwise)?,
            },
            TermKind::Match { data, scrutinee, branches } => {
                let scrutinee = self.keep(scrutinee)?;
                let lift = |branch: &MatchBranch| {
                    Some(MatchBranch { name: branch.name.clone(), body: self.under_binder(false, &branch.body)? })
                };
                let branches = branches.iter().map(lift).collect::<Option<_>>()?;
                TermKind::Match { data: data.clone(), scrutinee, branches }
            }
            TermKind::Apply { function, argument } if self.has_lifted_head(function) => {
                TermKind::Apply { function: self.lift(function)?, argument: self.keep(argument)? }
            }
            TermKind::Global(definition) if is_recursive(&definition.term) => {
                let own = match definition.scheme.parameters.is_empty() {
                    true => definition.clone(),
                    false => definition.instantiate_at(term.ty()),
                };
                // the term is closed: its binders do not see those around it
                let outer = std::mem::take(&mut self.binders);
                let inside = self.lift(&own.term);
                self.binders = outer;
                return inside;
            }
            // what computes a number without a loop is returned
            _ if !matches!(term.ty().kind(), TyKind::Function(..)) => {
                return Some(Term::with_type(
                    TermKind::Apply { function: self.unit.clone(), argument: self.keep(term)? },
                    self.program.clone(),
                    span,
                ));
            }
            _ => return None,
        };
        Some(Term::with_type(kind, self.lift_type(term.ty()), span))
    }

    fn under_binder(&mut self, is_lifted: bool, body: &Term) -> Option<Term> {
        self.binders.push(is_lifted);
        let lifted = self.lift(body);
        self.binders.pop();
        lifted
    }

    /// Returns `true` if the function of an application is one that is lifted.
    fn has_lifted_head(&self, function: &Term) -> bool {
        match function.kind() {
            TermKind::Variable { index, .. } => self.is_lifted(*index),
            TermKind::Apply { function, .. } => self.has_lifted_head(function),
            TermKind::LetRec { .. } | TermKind::Lambda { .. } => true,
            TermKind::Let { body, .. } => matches!(body.kind(), TermKind::LetRec { .. } | TermKind::Lambda { .. }),
            TermKind::Global(definition) => is_recursive(&definition.term),
            _ => false,
        }
    }

    fn is_lifted(&self, index: usize) -> bool {
        self.binders.iter().rev().nth(index).copied().unwrap_or(false)
    }

    /// Returns a term as it is. Returns `None` if it mentions a lifted function.
    fn keep(&self, term: &Term) -> Option<Term> {
        let mentions = mentions_variable(term, 0, &|index| self.is_lifted(index));
        (!mentions).then(|| term.clone())
    }
}

/// Puts a recursive function of numbers into its places: `b` with `let rec f = v in f` for f, of `let rec f = v in b`. Returns
/// `None` for other terms.
fn inline_recursion(term: &Term) -> Option<Term> {
    let TermKind::LetRec { name, value, body } = term.kind() else { return None };
    if arguments_of_sampler(value.ty()).is_some() || matches!(body.kind(), TermKind::Variable { index: 0, .. }) {
        return None;
    }
    let own = Term::variable(0, name.clone(), value.ty().clone(), value.span());
    let kind = TermKind::LetRec { name: name.clone(), value: value.clone(), body: own };
    Some(substitute_innermost(body, &Term::with_type(kind, value.ty().clone(), term.span())))
}

/// Returns `true` if a definition is a recursive function, perhaps behind the values that it uses.
fn is_recursive(term: &Term) -> bool {
    match term.kind() {
        TermKind::LetRec { .. } => true,
        TermKind::Lambda { body, .. } | TermKind::Let { body, .. } => with_stack(|| is_recursive(body)),
        TermKind::Apply { function, .. } => with_stack(|| is_recursive(function)),
        _ => false,
    }
}

/// Returns `true` if a term mentions a variable from outside for which `is_it` holds, as numbered outside of `depth` binders.
fn mentions_variable(term: &Term, depth: usize, is_it: &dyn Fn(usize) -> bool) -> bool {
    let go = |part: &Term, more: usize| with_stack(|| mentions_variable(part, depth + more, is_it));
    match term.kind() {
        TermKind::Variable { index, .. } => index.checked_sub(depth).is_some_and(is_it),
        TermKind::Lambda { body, .. } => go(body, 1),
        TermKind::Let { value, body, .. } => go(value, 0) || go(body, 1),
        TermKind::LetRec { value, body, .. } => go(value, 1) || go(body, 1),
        TermKind::Match { scrutinee, branches, .. } => {
            go(scrutinee, 0) || branches.iter().any(|branch| go(&branch.body, 1))
        }
        kind => kind.children().any(|part| go(part, 0)),
    }
}

impl LoopFinder {
    /// Replaces each `let rec f = v in b` by `let f = tie (\f => v) in b`, where `tie` is the variable outside of all
    /// `depth` binders.
    fn rewrite(&mut self, term: &Term, depth: usize) -> Term {
        if let TermKind::Global(definition) = term.kind() {
            if self.without_loops.contains(&(Arc::as_ptr(definition) as usize)) {
                return term.clone();
            }
            let before = self.found.len();
            let own = match definition.scheme.parameters.is_empty() {
                true => definition.clone(),
                false => definition.instantiate_at(term.ty()),
            };
            let inside = with_stack(|| self.rewrite(&own.term, depth));
            // a definition is expanded only if it holds a loop, so that others stay shared
            if self.found.len() > before {
                return inside;
            }
            self.without_loops.insert(Arc::as_ptr(definition) as usize);
            return term.clone();
        }
        if self.lifts
            && let Some(inlined) = inline_recursion(term)
        {
            return with_stack(|| self.rewrite(&inlined, depth));
        }
        let lifted = if self.lifts { LoopLifting::lift_returned(term) } else { None };
        let mut copy = lifted.unwrap_or_else(|| term.clone());
        let (kind, _) = copy.parts_mut();
        let mut go = |part: &mut Term, more: usize| *part = with_stack(|| self.rewrite(part, depth + more));
        match kind {
            TermKind::Lambda { body, .. } => go(body, 1),
            TermKind::Let { value, body, .. } => {
                go(value, 0);
                go(body, 1);
            }
            TermKind::LetRec { value, body, .. } => {
                go(value, 1);
                go(body, 1);
            }
            TermKind::Match { scrutinee, branches, .. } => {
                go(scrutinee, 0);
                branches.iter_mut().for_each(|branch| go(&mut branch.body, 1));
            }
            TermKind::Apply { function, argument } => {
                go(function, 0);
                go(argument, 0);
            }
            TermKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|t| go(t, 0))
            }
            TermKind::Tuple(parts) => parts.iter_mut().for_each(|part| go(part, 0)),
            TermKind::Project { tuple: part, .. }
            | TermKind::To(part)
            | TermKind::From(part)
            | TermKind::Inject { argument: part, .. } => go(part, 0),
            _ => {}
        }
        if let TermKind::LetRec { name, value, body } = kind
            && let Some(arguments) = arguments_of_sampler(value.ty())
        {
            // index 0 is the function itself
            let is_closed = !mentions_variable(value, 0, &|index| index > 0 && index <= depth);
            self.found.push(FoundLoop { arguments, is_closed });
            let ty = value.ty().clone();
            let span = value.span();
            let step = Term::lambda(name.clone(), ty.clone(), value.clone(), span);
            let knot = Ty::function(Ty::function(ty.clone(), ty.clone()), ty);
            let value = Term::apply(Term::variable(depth, "tie".into(), knot, span), step, span);
            *kind = TermKind::Let { name: name.clone(), value, body: body.clone() };
        }
        copy
    }
}

/// Returns the types of the arguments of a function into `P A`. Returns `None` for other types.
fn arguments_of_sampler(ty: &Ty) -> Option<Vec<Ty>> {
    let (mut arguments, mut ty) = (Vec::new(), ty.clone());
    loop {
        ty = match ty.kind() {
            TyKind::Function(from, to) => {
                arguments.push(from.clone());
                to.clone()
            }
            TyKind::Data(data, _) if &**data.module() == TRACE && &**data.name() == "P" => {
                return (!arguments.is_empty()).then_some(arguments);
            }
            _ => return None,
        };
    }
}

impl LoopProbe {
    /// Makes a probe for a loop.
    pub fn new(FoundLoop { arguments, is_closed }: FoundLoop, given: usize) -> Arc<Self> {
        Arc::new(Self { arguments, is_closed, given, state: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, ProbeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a run. No call is entered after `stop_after` calls.
    pub fn begin_run(&self, stop_after: Option<usize>) {
        let mut state = self.lock();
        (state.calls, state.stop_after) = (0, stop_after);
        state.left.clear();
    }

    /// Notes whether a program reads its trace: a loop made then may depend on draws.
    pub fn set_running(&self, is_running: bool) {
        self.lock().is_running = is_running;
    }

    /// Returns the number of calls entered in this run.
    pub fn call_count(&self) -> usize {
        self.lock().calls
    }

    /// Returns the arguments of the calls that were not entered in this run.
    pub fn calls_left(&self) -> Vec<Vec<Value<Graph>>> {
        self.lock().left.clone()
    }

    /// Returns the operator that ties the knot of the loop.
    pub fn knot(self: &Arc<Self>) -> Value<Graph> {
        let probe = self.clone();
        Value::from_closure(move |step| {
            let mut state = probe.lock();
            // a function made while a trace is read may hold draws, which are no part of its state
            state.depends_on_draws |= state.is_running && !probe.is_closed;
            state.step = Some(step.clone());
            drop(state);
            Ok(probe.collect_arguments(step, &[]))
        })
    }

    /// Returns the recursive function after some of its arguments.
    fn collect_arguments(self: &Arc<Self>, step: &Value<Graph>, given: &[Value<Graph>]) -> Value<Graph> {
        let (probe, step, given) = (self.clone(), step.clone(), given.to_vec());
        Value::from_closure(move |argument| {
            let given = [&given[..], std::slice::from_ref(argument)].concat();
            if given.len() < probe.arguments.len() {
                return Ok(probe.collect_arguments(&step, &given));
            }
            let (probe, step) = (probe.clone(), step.clone());
            // the only constructor of `P A`
            Ok(Value::variant_of(0, Value::from_closure(move |trace| probe.enter_call(&step, &given, trace))))
        })
    }

    /// Runs a call on a trace, or marks it as left.
    fn enter_call(
        self: &Arc<Self>,
        step: &Value<Graph>,
        given: &[Value<Graph>],
        trace: &Value<Graph>,
    ) -> Result<Value<Graph>, ValueError> {
        let mut state = self.lock();
        if state.stop_after.is_some_and(|most| state.calls >= most) {
            state.left.push(given.to_vec());
            // the mark is a value like any other: a continuation that does more than return it fails on it
            let mark = Value::variant_of(self.given, Value::variant_of(CALL_CONSTRUCTOR, Value::Unit));
            return Ok(Value::tuple_of([mark, Value::List(SharedList::default()), trace.clone()]));
        }
        state.calls += 1;
        drop(state);
        with_stack(|| self.run_step(step, given, trace))
    }

    /// Runs the body of the loop on arguments and a trace.
    fn run_step(
        self: &Arc<Self>,
        step: &Value<Graph>,
        given: &[Value<Graph>],
        trace: &Value<Graph>,
    ) -> Result<Value<Graph>, ValueError> {
        let mut program = step.as_function()?.apply(&self.collect_arguments(step, &[]))?;
        for argument in given {
            program = program.as_function()?.apply(argument)?;
        }
        let (_, run) = program.as_variant()?;
        run.as_function()?.apply(trace)
    }

    /// Runs the body on an unknown state up to its first call, which is not entered. Returns `None` if the loop was never made,
    /// or from draws.
    pub fn run_body(
        self: &Arc<Self>,
        state: &[Value<Graph>],
        trace: &Value<Graph>,
    ) -> Option<Result<Value<Graph>, ValueError>> {
        let own = self.lock();
        let step = own.step.clone().filter(|_| !own.depends_on_draws)?;
        drop(own);
        Some(self.run_step(&step, state, trace))
    }
}

/// Returns `true` for the mark of a call that was not entered.
pub(super) fn is_call_mark(value: &Value<Graph>) -> bool {
    matches!(value, Value::Variant(CALL_CONSTRUCTOR, _))
}

/// A path that stops before a call of the loop.
#[derive(Clone, Debug)]
pub(super) struct ContinuingPath {
    path: ExecutionPath,
    scores: Vec<Graph>,
    /// The numbers of the state with which the loop goes on.
    state: Vec<Graph>,
}

/// An affine bound of what is left of a mean, as a function of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AffineBound {
    /// The value at the state 0.
    pub constant: Rational,
    /// The slopes in the numbers of the state.
    pub slopes: Vec<Rational>,
}

/// A bound of what is left of a mean, as a map of the numbers of the state.
#[derive(Clone, Debug)]
pub struct StateBound {
    variables: Vec<Variable>,
    map: Graph,
}

impl StateBound {
    /// Returns the bound at a state.
    fn at_state(&self, state: &[Graph]) -> Graph {
        let at: Vec<_> = self.variables.iter().copied().zip(state.iter().cloned()).collect();
        self.map.substitute(&at)
    }
}

/// The cost of a loop from a state on, for a bound of its mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopCost {
    /// The absolute value of the function of what it returns.
    Returned,
    /// The number of its calls.
    Calls,
}

/// A state at which a bound is refuted, with the value of the bound and a greater number that it would have to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundViolation {
    /// The numbers of the state.
    pub state: Vec<Rational>,
    /// The value of the bound there.
    pub bound: Rational,
    /// The mean of the function and of the bound after one step, or 0 if the bound is negative.
    pub needed: Rational,
}

impl std::fmt::Display for BoundViolation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { state, bound, needed } = self;
        let numbers = state.iter().map(Rational::to_string).collect::<Vec<_>>().join(", ");
        let place = if state.len() == 1 { numbers } else { format!("({numbers})") };
        match *bound < 0 {
            true => write!(f, "at the state {place} it is {bound}, and less than 0"),
            false => write!(
                f,
                "at the state {place} it is {bound}, and the cost of a step and the bound after it have the mean {needed}"
            ),
        }
    }
}

/// The reason why a bound is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoundError {
    /// The bound is wrong at a state.
    #[error(
        "this is no bound of what is left of the loop: {0}\n  = help: V(s) has to be at least 0, and at least the mean of what a step from s \
         costs, plus V after it"
    )]
    Violated(BoundViolation),
    /// The bound is neither proved nor refuted.
    #[error(
        "the bound of what is left of the loop is neither proved nor refuted: the means of a step have no known form, or intervals do not \
         decide the inequality for all states"
    )]
    Unproved,
    /// The function of the values has both signs, so that its mean is no least fixed point.
    #[error(
        "a bound of what is left of the loop is for a function of one sign, and this one has both on what the loop returns"
    )]
    Signed,
    /// The bound is no polynomial.
    #[error(
        "a bound of what is left of the loop is a polynomial in the numbers of its state, with rational coefficients"
    )]
    NoPolynomial,
}

/// A summary of the loop of a program: its states, what it returns, and its steps.
#[derive(Debug)]
pub struct LoopSummary {
    /// The variables of the numbers of a state.
    variables: Vec<Variable>,
    /// The unknown state: the arguments of a call.
    arguments: Vec<Value<Graph>>,
    /// An inductive invariant: a box that contains all states.
    pub invariant: Vec<NumberRange>,
    /// The states of the first calls.
    entry: Vec<NumberRange>,
    /// The values of the function on what is returned. `None` if nothing is returned.
    pub returned: Option<NumberRange>,
    /// An upper bound on every product of weights. `None` if there is none.
    pub(super) weight_bound: Option<Magnitude>,
    /// The quantities of a step, by path.
    returning: Vec<EndedPath>,
    continuing: Vec<ContinuingPath>,
}

/// A polynomial of the state, with an error, on a set of states.
#[derive(Clone, Debug)]
struct StateCell {
    constraints: Vec<Polynomial>,
    center: Polynomial,
    /// A polynomial with coefficients of at least 0: the error is at most its value at the absolute values of the state.
    radius: Polynomial,
}

/// The means of one step of a loop, as functions of the state.
struct StepMeans {
    /// The mean of a bound of |f| over the paths that return.
    cost: Vec<StateCell>,
    /// For each path that goes on: its mass, and the means of the numbers of the next state.
    next: Vec<(Vec<StateCell>, Vec<Vec<StateCell>>)>,
}

/// An inequality between a bound and the mean cost of a step, plus the bound after it, as functions of the state.
struct StepInequality<'m> {
    /// The bound.
    own: Polynomial,
    /// Multiples of cells, whose sum the bound has to reach.
    terms: Vec<(Rational, &'m StateCell)>,
}

/// Returns the types of the arguments of the loop of a program. Returns `None` if it has none, or several.
#[must_use]
pub fn loop_argument_types(program: &Term) -> Option<Vec<Ty>> {
    observe_loop(program).map(|(_, found)| found.arguments)
}

/// Summarises the loop of a program. Returns `None` if it has none of a known form, or several.
///
/// # Errors
/// [`MeasureError::Meaning`] if the semantics lacks a construct of the model.
pub fn summarise_program(
    model: &ProbabilisticModel<'_>,
    budget: &Arc<Budget>,
) -> Result<Option<LoopSummary>, MeasureError> {
    Ok(PathExplorer::new(model, None, budget)?.summarise_loop())
}

/// The greatest number of calls that are followed for their mean number. A choice.
const MAX_FOLLOWED_CALLS: usize = 48;
/// The greatest number of paths that go on, for their mean number. A choice.
const MAX_CONTINUING_PATHS: usize = 128;
/// The reason for a mean number of calls without an upper end.
const NO_CALL_BOUND_REASON: &str =
    "no bound of what is left was found: the loop goes on after the calls that were followed";

/// Encloses the mean number of calls of the loop of a program without scores, to a width or as far as the budget goes.
///
/// It is `Σ P(there is a k-th call)`. What is left after some of them is at most the mean of V at the states with which the loop goes
/// on, where `V(s) ≥ 1 + E V(s′)`.
///
/// # Errors
/// [`MeasureError::WeightsRuns`] for a program with scores, [`MeasureError::NoLoop`] for one without a loop of a known form, and
/// [`MeasureError::Meaning`] if the semantics lacks a construct of the model.
pub fn enclose_calls(
    model: &ProbabilisticModel<'_>,
    eps: &Rational,
    budget: &Arc<Budget>,
) -> Result<MeasureAnswer, MeasureError> {
    // with scores a call would count with its weight, and no longer with its probability
    if has_scores(model.program) {
        return Err(MeasureError::WeightsRuns);
    }
    let mut explorer = PathExplorer::new(model, None, budget)?;
    let summary = explorer.summarise_loop().ok_or(MeasureError::NoLoop)?;
    let bound = explorer.loop_bound(&summary, LoopCost::Calls)?;
    let Some((_, mut left)) = explorer.enumerate_paths(ExecutionPath::default(), Some(0)) else {
        return Err(MeasureError::NoLoop);
    };
    let context = Mpfr::new(PRECISION_BITS);
    let add = |sum: &Enclosure, more: &Enclosure| {
        context.to_enclosure(&context.add(&context.round_enclosure(sum), &context.round_enclosure(more)))
    };
    let zero = enclose_rational(&Rational::new());
    // a part of the width for each of the sums
    let share = Rational::from(eps / 256u32);
    let (mut sum, mut paths, mut followed) = (zero.clone(), 0, 0);
    loop {
        let integrals = |value: &dyn Fn(&ContinuingPath) -> Option<Graph>| {
            left.iter()
                .fold(zero.clone(), |sum, own| add(&sum, &enclose_on_path(&own.path, value(own), &share, budget)))
        };
        // the probability of one more call, and at most the mean number of calls from there on
        let mass = integrals(&|_| None);
        let rest = match &bound {
            _ if left.is_empty() => zero.clone(),
            Some(bound) => mass.hull(&integrals(&|own| Some(bound.at_state(&own.state)))),
            None => add(&mass, &half_line()),
        };
        let whole = add(&sum, &rest);
        let is_last =
            left.is_empty() || followed == MAX_FOLLOWED_CALLS || whole.has_width_at_most(eps) || budget.is_exhausted();
        let next = if is_last { None } else { explorer.enumerate_next(&left, followed + 1) };
        let Some(next) = next else {
            let reason = (bound.is_none() && !left.is_empty()).then(|| NO_CALL_BOUND_REASON.to_owned());
            return Ok(MeasureAnswer {
                enclosure: whole,
                paths,
                open_paths: left.len(),
                unexplored_probability: mass,
                assumptions: Vec::new(),
                has_unproved_assumption: false,
                width_reason: reason,
            });
        };
        // the sum is of the calls that certainly were followed: P(N ≥ 1) + … + P(N ≥ followed)
        paths += left.len();
        sum = add(&sum, &mass);
        left = next;
        followed += 1;
    }
}

/// Encloses the integral of a map over a path, or its probability. Returns what is known of any such number if the budget ends.
fn enclose_on_path(path: &ExecutionPath, value: Option<Graph>, eps: &Rational, budget: &Budget) -> Enclosure {
    let factors: Vec<Graph> = value.into_iter().collect();
    if let Some(exact) = integrate_exactly(path, &factors) {
        return enclose_rational(&exact);
    }
    let factors = PathFactors { weights: Vec::new(), values: factors };
    PathContribution::new(path, factors, None, 0, budget).enclose(eps, budget)
}

impl PathExplorer<'_> {
    /// Follows all paths that come to a call up to the next one: `entered` calls are entered. Returns `None` if there are too many, or if
    /// one is undecided.
    fn enumerate_next(&mut self, left: &[ContinuingPath], entered: usize) -> Option<Vec<ContinuingPath>> {
        let mut next = Vec::new();
        for own in left {
            let (_, more) = self.enumerate_paths(own.path.clone(), Some(entered))?;
            next.extend(more);
        }
        (next.len() <= MAX_CONTINUING_PATHS).then_some(next)
    }

    /// Summarises the loop of the program. Returns `None` if the program has no such loop, or if its paths have other
    /// forms than those known here.
    pub fn summarise_loop(&mut self) -> Option<LoopSummary> {
        let probe = self.probe.clone()?;
        let (entry_ended, entry_left) = self.enumerate_paths(ExecutionPath::default(), Some(0))?;
        let mut variables = Vec::new();
        let unknown: Option<Vec<_>> = probe.arguments.iter().map(|ty| unknown_value(ty, &mut variables)).collect();
        let unknown = unknown.filter(|_| variables.len() <= MAX_STATE_NUMBERS)?;
        // without a first call there is no state, and no loop to bound
        let entry = self.hull_of_states(&entry_left, None)?;
        let mut invariant = entry.clone();
        for round in 0..MAX_INVARIANT_ROUNDS {
            let unknowns = variables.iter().zip(&invariant).map(|(v, range)| (*v, to_enclosure(range))).collect();
            // a number that does not change is no unknown
            let known: Vec<_> = variables.iter().copied().zip(invariant.iter().map(NumberRange::as_point)).collect();
            self.subject = RunSubject::Body(unknown.iter().map(|value| replace_known(value, &known)).collect());
            let found = self.enumerate_paths(ExecutionPath { unknowns, ..ExecutionPath::default() }, Some(0));
            self.subject = RunSubject::Program;
            let (returning, continuing) = found?;
            let next = self.hull_of_states(&continuing, Some(&invariant))?;
            // inductive: a step from any state of the box leads into the box
            if invariant.iter().zip(&next).all(|(own, next)| own.contains_range(next)) {
                let ended = || entry_ended.iter().chain(&returning);
                let mut returned: Option<NumberRange> = None;
                for path in ended() {
                    let own = path
                        .value
                        .as_ref()
                        .map(|value| self.range_on_path(&path.path, value))
                        .unwrap_or_else(|| Some(NumberRange::point(Rational::from(1))))?;
                    returned = Some(returned.map_or_else(|| own.clone(), |hull| hull.hull(&own)));
                }
                let weight_bound = self.bound_weights(&entry_ended, &entry_left, &returning, &continuing);
                return Some(LoopSummary {
                    variables,
                    arguments: unknown,
                    invariant,
                    entry,
                    returned,
                    weight_bound,
                    returning,
                    continuing,
                });
            }
            invariant = invariant
                .iter()
                .zip(&next)
                .map(|(own, next)| widen_range(own, next, round >= WIDENING_DELAY))
                .collect();
        }
        None
    }

    /// Bounds all products of weights: those before the loop, times 1 if no step has a weight above 1.
    fn bound_weights(
        &self,
        entry_ended: &[EndedPath],
        entry_left: &[ContinuingPath],
        returning: &[EndedPath],
        continuing: &[ContinuingPath],
    ) -> Option<Magnitude> {
        let largest = |path: &ExecutionPath, scores: &[Graph]| {
            scores.iter().try_fold(Rational::from(1), |product, score| {
                let range = self.range_on_path(path, score)?;
                Some(product * range.hi?.max(range.lo?.abs()))
            })
        };
        let before = entry_ended.iter().map(|p| largest(&p.path, &p.scores));
        let before =
            before.chain(entry_left.iter().map(|p| largest(&p.path, &p.scores))).collect::<Option<Vec<_>>>()?;
        let steps = returning.iter().map(|p| largest(&p.path, &p.scores));
        let mut steps = steps.chain(continuing.iter().map(|p| largest(&p.path, &p.scores)));
        let most = before.into_iter().fold(Rational::from(1), Rational::max);
        steps.all(|own| own.is_some_and(|own| own <= 1)).then(|| Magnitude::from_rational(&most))
    }

    /// Encloses the states of paths. With `known`, a path without states counts as one inside of it.
    fn hull_of_states(&self, paths: &[ContinuingPath], known: Option<&[NumberRange]>) -> Option<Vec<NumberRange>> {
        let mut hull: Option<Vec<NumberRange>> = None;
        for path in paths {
            let own = path.state.iter().map(|x| self.range_on_path(&path.path, x)).collect::<Option<Vec<_>>>()?;
            hull = Some(match hull {
                None => own,
                Some(hull) => hull.iter().zip(&own).map(|(a, b)| a.hull(b)).collect(),
            });
        }
        hull.or_else(|| known.map(<[_]>::to_vec))
    }

    /// Encloses a map on a path, with the help of affine guards. Returns `None` if the map is not shown to be defined.
    fn range_on_path(&self, path: &ExecutionPath, graph: &Graph) -> Option<NumberRange> {
        let within = path.coordinate_ranges(self.parameter);
        if let Some(exact) = Polynomial::of_graph(graph).and_then(|map| map.as_constant()) {
            return Some(NumberRange::point(exact));
        }
        let found = enclose_range(graph, &within, &self.budget);
        // a state at which the map has no value may be reached, so that nothing is claimed
        if !found.is_defined() {
            return None;
        }
        let mut range = NumberRange::of_enclosure(&found);
        let Some(map) = Polynomial::of_graph(graph).filter(Polynomial::is_affine) else { return Some(range) };
        let ranges: Vec<_> = within.iter().map(|(v, range)| (*v, NumberRange::of_enclosure(range))).collect();
        for GuardCondition { guard, holds, .. } in &path.decisions {
            let Some(own) = Polynomial::of_graph(&guard.graph).filter(Polynomial::is_affine) else { continue };
            let sign = match (guard.test, holds) {
                (SignTest::Zero, _) => continue,
                (_, true) => Rational::from(1),
                (_, false) => Rational::from(-1),
            };
            let own = own.scale_by(&sign);
            for (v, _) in &ranges {
                let slope_in = |p: &Polynomial| p.coefficients_in(*v).get(1).and_then(Polynomial::as_constant);
                let (Some(a), Some(b)) = (slope_in(&map), slope_in(&own)) else { continue };
                if b == 0 {
                    continue;
                }
                // map + λ·own is free of v, and own ≥ 0 gives a bound on one side (Farkas)
                let factor = -a / b;
                let sum = map.add_multiple(&own, &factor).enclose_on(&ranges);
                let side = match factor > 0 {
                    true => NumberRange { lo: None, hi: sum.hi },
                    false => NumberRange { lo: sum.lo, hi: None },
                };
                range = range.intersect(&side);
            }
        }
        Some(range)
    }

    /// Follows all continuations of a path, up to the call after `stop` calls. Without `stop`, up to the first call after
    /// the next draw.
    ///
    /// Returns `None` if there are too many, if one is undefined or undecided, or if one draws a natural number.
    fn enumerate_paths(
        &mut self,
        path: ExecutionPath,
        stop: Option<usize>,
    ) -> Option<(Vec<EndedPath>, Vec<ContinuingPath>)> {
        let (mut waiting, mut ended, mut left) = (vec![(path, stop)], Vec::new(), Vec::new());
        for _ in 0..MAX_TAIL_RUNS {
            let Some((path, stop)) = waiting.pop() else { return Some((ended, left)) };
            self.stop_after = stop;
            let (found, mut path, others) = self.run_path(path);
            self.stop_after = None;
            waiting.extend(others.into_iter().map(|other| (other, stop)));
            let calls = self.probe.as_ref().map_or(0, |probe| probe.call_count());
            // the calls before the next draw belong to the path itself: the one after it is the next
            let stop = stop.or(Some(calls));
            match found.ok()? {
                RunEnd::Refused(_) => return None,
                RunEnd::Returns(scores, value) => {
                    ended.push(EndedPath { path, scores, value, probability_bound: Magnitude::ONE })
                }
                RunEnd::Continues(scores, state) => {
                    let mut numbers = Vec::new();
                    state.iter().try_for_each(|value| collect_numbers(value, &mut numbers))?;
                    left.push(ContinuingPath { path, scores, state: numbers });
                }
                RunEnd::NeedsDraw(distribution) => {
                    check_constraints(self.universe.0.oracle(), &path, &distribution).ok()?;
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.universe.0.oracle().new_coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Truth => {
                            let mut other = path.clone();
                            other.draws.push(Draw::Truth(false, distribution.truth(false)));
                            waiting.push((other, stop));
                            path.draws.push(Draw::Truth(true, distribution.truth(true)));
                        }
                        Kind::Natural(first) => {
                            path.draws.push(Draw::Tail(Variable::fresh(), distribution, NaturalRange::from(first)))
                        }
                    }
                    waiting.push((path, stop));
                }
            }
        }
        None
    }

    /// Returns the bound of what is left that the model gives, or else one that is found, if there is one.
    ///
    /// # Errors
    /// [`MeasureError::LoopBound`] if the model gives a bound that is not accepted.
    pub(super) fn loop_bound(&self, summary: &LoopSummary, cost: LoopCost) -> Result<Option<StateBound>, MeasureError> {
        let Some(given) = &self.given_bound else {
            return Ok(summary.find_bound(cost, &self.budget).map(|bound| summary.bound_of_affine(&bound)));
        };
        // no guard of the bound is open: the run has no draws, and none of its variables is known
        self.universe.0.oracle().begin_run(ExecutionPath::default());
        self.universe.0.begin_run();
        let apply = |map: Result<Value<Graph>, ValueError>, argument| map?.as_function()?.apply(argument);
        let map = summary.arguments.iter().fold(Ok(given.clone()), apply);
        let map = map.and_then(|map| map.as_real().cloned()).map_err(|_| BoundError::NoPolynomial)?;
        let bound = StateBound { variables: summary.variables.clone(), map };
        summary.check_bound(cost, &bound, &self.budget)?;
        Ok(Some(bound))
    }

    /// Follows a waiting path to its ends and to the next calls of the loop, and returns all of these as ended paths, with the
    /// bound in the place of the value where the loop goes on. Returns `None` if that fails.
    pub(super) fn bound_continuations(
        &mut self,
        path: ExecutionPath,
        chance: Magnitude,
        bound: &StateBound,
    ) -> Option<Vec<EndedPath>> {
        let (mut ended, left) = self.enumerate_paths(path, None)?;
        // a tail may have a closed sum, which is no bound of its terms but their sum
        if ended.iter().map(|ended| &ended.path).chain(left.iter().map(|left| &left.path)).any(ExecutionPath::has_tail)
        {
            return None;
        }
        ended.iter_mut().for_each(|path| path.probability_bound = chance);
        ended.extend(left.into_iter().map(|ContinuingPath { path, scores, state }| EndedPath {
            path,
            scores,
            value: Some(bound.at_state(&state)),
            probability_bound: chance,
        }));
        Some(ended)
    }
}

/// Makes an unknown value of a type, and adds its variables. Returns `None` for types without numbers.
fn unknown_value(ty: &Ty, variables: &mut Vec<Variable>) -> Option<Value<Graph>> {
    let mut number = || {
        let v = Variable::fresh();
        variables.push(v);
        Graph::variable(v)
    };
    Some(match ty.kind() {
        TyKind::Real => Value::Real(number()),
        TyKind::Nat => count_value(number()),
        TyKind::Unit => Value::Unit,
        TyKind::Tuple(parts) => {
            let parts = parts.iter().map(|part| unknown_value(part, variables));
            Value::tuple_of(parts.collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}

/// Replaces the variables with a known value in a state.
fn replace_known(value: &Value<Graph>, known: &[(Variable, Option<Rational>)]) -> Value<Graph> {
    let number = |x: &Graph| match x.operation() {
        NodeOperation::Variable(v) => known.iter().find(|(own, _)| own == v).and_then(|(_, q)| q.clone()),
        _ => None,
    };
    match value {
        Value::Real(x) => Value::Real(number(x).map_or_else(|| x.clone(), Graph::rational)),
        Value::Tuple(parts) => Value::tuple_of(parts.iter().map(|part| replace_known(part, known))),
        other => match as_map(other).and_then(|x| number(&x)).and_then(|q| q.numer().to_u64().filter(|n| q == *n)) {
            Some(n) => Value::Natural(n),
            None => other.clone(),
        },
    }
}

/// Adds the numbers of a state. Returns `None` if a part is no number.
fn collect_numbers(value: &Value<Graph>, numbers: &mut Vec<Graph>) -> Option<()> {
    match value {
        Value::Real(x) => numbers.push(x.clone()),
        Value::Unit => {}
        Value::Tuple(parts) => parts.iter().try_for_each(|part| collect_numbers(part, numbers))?,
        other => numbers.push(as_map(other)?),
    }
    Some(())
}

/// Returns the enclosure of an interval.
fn to_enclosure(range: &NumberRange) -> Enclosure {
    let all = Enclosure::bottom();
    let lo = range.lo.as_ref().map_or_else(|| all.lo().clone(), |lo| enclose_rational(lo).lo().clone());
    let hi = range.hi.as_ref().map_or_else(|| all.hi().clone(), |hi| enclose_rational(hi).hi().clone());
    Enclosure::new(lo, hi, true).unwrap_or_else(|_| all.with_defined(true))
}

/// Enlarges an interval to contain the next one. An end that moves becomes infinite if `far`; a lower end stops at 0 before.
fn widen_range(own: &NumberRange, next: &NumberRange, far: bool) -> NumberRange {
    let hull = own.hull(next);
    if !far {
        return hull;
    }
    let lo = match hull.lo == own.lo {
        true => hull.lo.clone(),
        false => hull.lo.as_ref().filter(|lo| **lo >= 0).map(|_| Rational::new()),
    };
    NumberRange { lo, hi: if hull.hi == own.hi { hull.hi } else { None } }
}

/// Returns a map that is at least the absolute value of a map on a path: no other if the range shows the sign.
fn bound_absolute_value(graph: &Graph, path: &ExecutionPath, budget: &Budget) -> Graph {
    let range = NumberRange::of_enclosure(&enclose_range(graph, &path.coordinate_ranges(None), budget));
    match (range.lo, range.hi) {
        (Some(lo), _) if lo >= 0 => graph.clone(),
        (_, Some(hi)) if hi <= 0 => -graph,
        // |f| ≤ f - 2 lo, as f ≥ lo and lo < 0; unlike |f| that is a polynomial if f is one
        (Some(lo), _) => graph - Graph::rational(lo * 2),
        (_, Some(hi)) => Graph::rational(hi * 2) - graph,
        _ => graph.abs(),
    }
}

impl LoopSummary {
    /// Returns the mean of a product of maps over a path of a step, as a function of the state.
    fn mean_of_step(&self, path: &ExecutionPath, factors: &[Graph], budget: &Budget) -> Option<Vec<StateCell>> {
        if let Some(cells) = integrate_path(path, factors) {
            let exact = |cell: super::polytope::PolytopeCell| StateCell {
                constraints: cell.constraints,
                center: cell.polynomial,
                radius: Polynomial::default(),
            };
            return Some(cells.into_iter().map(exact).collect());
        }
        // otherwise the path must not depend on the state, and the product must be affine in it
        if path.has_tail() || self.variables.iter().any(|v| path.depends_on(*v)) {
            return None;
        }
        let own = ExecutionPath { unknowns: Vec::new(), ..path.clone() };
        let product = factors.iter().product::<Graph>();
        let at = |one: Option<Variable>| {
            let values = self.variables.iter().map(|v| (*v, Graph::integer(i64::from(one == Some(*v)))));
            product.substitute(&values.collect::<Vec<_>>())
        };
        let constant = at(None);
        let used: Vec<Variable> = self.variables.iter().copied().filter(|v| product.depends_on(*v)).collect();
        let slopes: Vec<(Variable, Graph)> = used.iter().map(|v| (*v, at(Some(*v)) - &constant)).collect();
        if !slopes.is_empty() {
            let affine = slopes.iter().fold(constant.clone(), |sum, (v, c)| sum + c * Graph::variable(*v));
            RationalNormalForm::default().normal_form(&(&product - affine)).filter(|form| form.is_zero())?;
        }
        let (mut center, mut radius) = (Polynomial::default(), Polynomial::default());
        let one = Polynomial::constant(Rational::from(1));
        let terms = slopes.iter().map(|(v, c)| (Polynomial::variable(*v), c)).chain([(one, &constant)]);
        for (power, coefficient) in terms {
            let factors = PathFactors { values: vec![coefficient.clone()], ..PathFactors::default() };
            let mean =
                PathContribution::new(&own, factors, None, 0, budget).enclose(&Rational::from(STEP_MEAN_WIDTH), budget);
            let (lo, hi) = (mean.lo().to_rational()?, mean.hi().to_rational().filter(|_| mean.is_defined())?);
            center = center.add_multiple(&power, &(Rational::from(&lo + &hi) / 2));
            radius = radius.add_multiple(&power, &((hi - lo) / 2));
        }
        Some(vec![StateCell { constraints: Vec::new(), center, radius }])
    }

    /// Returns the mean cost of a step. Returns `None` if it has no form known here.
    fn step_costs(&self, of: LoopCost, budget: &Budget) -> Option<Vec<StateCell>> {
        let mut cost = Vec::new();
        if of == LoopCost::Calls {
            let one = Polynomial::constant(Rational::from(1));
            cost.push(StateCell { constraints: Vec::new(), center: one, radius: Polynomial::default() });
        }
        let returning = self.returning.iter().filter(|_| of == LoopCost::Returned);
        for EndedPath { path, scores, value, .. } in returning {
            let value = bound_absolute_value(value.as_ref()?, path, budget);
            cost.extend(self.mean_of_step(path, &[&scores[..], &[value]].concat(), budget)?);
        }
        Some(cost)
    }

    /// Returns the means of a step. Returns `None` if one has no form known here.
    fn step_means(&self, of: LoopCost, budget: &Budget) -> Option<StepMeans> {
        let cost = self.step_costs(of, budget)?;
        let mut next = Vec::new();
        for ContinuingPath { path, scores, state } in &self.continuing {
            let mass = self.mean_of_step(path, scores, budget)?;
            let means =
                state.iter().map(|x| self.mean_of_step(path, &[&scores[..], std::slice::from_ref(x)].concat(), budget));
            next.push((mass, means.collect::<Option<Vec<_>>>()?));
        }
        Some(StepMeans { cost, next })
    }

    /// Encloses the values of the function on all that is returned. Returns `None` if nothing is.
    #[must_use]
    pub fn enclose_returned(&self) -> Option<Enclosure> {
        self.returned.as_ref().map(to_enclosure)
    }

    /// Returns `true` if the function of the values is shown not to be negative on what is returned.
    #[must_use]
    pub fn is_nonnegative(&self) -> bool {
        self.returned.as_ref().is_none_or(NumberRange::is_nonnegative)
    }

    /// Returns `true` if the function of the values is shown to have one sign on what is returned.
    #[must_use]
    pub fn has_one_sign(&self) -> bool {
        self.returned
            .as_ref()
            .is_none_or(|range| range.is_nonnegative() || range.hi.as_ref().is_some_and(|hi| *hi <= 0))
    }

    /// Finds an affine bound of the mean cost from a state on, and proves it. Returns `None` if none is found.
    #[must_use]
    pub fn find_bound(&self, cost: LoopCost, budget: &Budget) -> Option<AffineBound> {
        let means = self.step_means(cost, budget)?;
        SLACKS.iter().find_map(|slack| {
            let bound = self.propose_bound(&means, *slack)?;
            self.is_proved(self.inequality_of_affine(&means, &bound)).then_some(bound)
        })
    }

    /// Returns an affine bound as one of any form.
    #[must_use]
    pub fn bound_of_affine(&self, bound: &AffineBound) -> StateBound {
        StateBound { variables: self.variables.clone(), map: self.affine_polynomial(bound).to_graph() }
    }

    /// Returns an affine bound as a polynomial in the numbers of the state.
    fn affine_polynomial(&self, bound: &AffineBound) -> Polynomial {
        let constant = Polynomial::constant(bound.constant.clone());
        let slopes = self.variables.iter().zip(&bound.slopes);
        slopes.fold(constant, |sum, (v, slope)| sum.add_multiple(&Polynomial::variable(*v), slope))
    }

    /// Returns the inequality of an affine bound, by the means of the numbers of the next state.
    fn inequality_of_affine<'m>(&self, means: &'m StepMeans, bound: &AffineBound) -> StepInequality<'m> {
        let mut terms: Vec<(Rational, &StateCell)> = means.cost.iter().map(|cell| (Rational::from(1), cell)).collect();
        for (mass, next) in &means.next {
            terms.extend(mass.iter().map(|cell| (bound.constant.clone(), cell)));
            for (slope, mean) in bound.slopes.iter().zip(next) {
                terms.extend(mean.iter().map(|cell| (slope.clone(), cell)));
            }
        }
        // a number without a slope in V may have any mean
        terms.retain(|(factor, _)| *factor != 0);
        StepInequality { own: self.affine_polynomial(bound), terms }
    }

    /// Checks a bound of the mean cost from a state on.
    ///
    /// # Errors
    /// [`BoundError::Violated`] with a state, [`BoundError::Unproved`] if neither is shown, and [`BoundError::Signed`] for a
    /// function of both signs: V ≥ E[f + V] bounds nothing if f may be negative.
    pub fn check_bound(&self, cost: LoopCost, bound: &StateBound, budget: &Budget) -> Result<(), BoundError> {
        if cost == LoopCost::Returned && !self.has_one_sign() {
            return Err(BoundError::Signed);
        }
        let own = Polynomial::of_graph(&bound.map).ok_or(BoundError::NoPolynomial)?;
        let mut cells = self.step_costs(cost, budget).ok_or(BoundError::Unproved)?;
        for ContinuingPath { path, scores, state } in &self.continuing {
            let factors = [&scores[..], &[bound.at_state(state)]].concat();
            cells.extend(self.mean_of_step(path, &factors, budget).ok_or(BoundError::Unproved)?);
        }
        let terms = || cells.iter().map(|cell| (Rational::from(1), cell)).collect();
        let inequality = StepInequality { own, terms: terms() };
        if let Some(violation) = self.find_violation(&inequality) {
            return Err(BoundError::Violated(violation));
        }
        if self.is_proved(inequality) { Ok(()) } else { Err(BoundError::Unproved) }
    }

    /// Returns sampled states, with numbers at these distances from the finite end where there is no other.
    fn sample_states(&self, parts: &[(i32, u32)], distances: &[i32]) -> Vec<Vec<(Variable, Rational)>> {
        let mut states = vec![Vec::new()];
        for (index, (v, range)) in self.variables.iter().zip(&self.invariant).enumerate() {
            let own: Vec<Rational> = match (&range.lo, &range.hi) {
                (Some(lo), Some(hi)) if lo == hi => vec![lo.clone()],
                (Some(lo), Some(hi)) => {
                    let width = Rational::from(hi - lo);
                    parts.iter().map(|part| Rational::from(*part) * &width + lo).collect()
                }
                _ => {
                    let (sign, end) = self.end_of(index);
                    distances.iter().map(|far| Rational::from(&end + far * sign)).collect()
                }
            };
            states = states
                .iter()
                .flat_map(|state: &Vec<_>| own.iter().map(move |x| [&state[..], &[(*v, x.clone())]].concat()))
                .collect();
        }
        states
    }

    /// Evaluates cells at a state: the sum of the polynomials whose constraints hold. Returns `None` on the border of a cell,
    /// which may belong to two of them.
    fn sum_at(
        cells: &[StateCell],
        state: &[(Variable, Rational)],
        of: impl Fn(&Polynomial) -> Polynomial,
    ) -> Option<Rational> {
        cells.iter().try_fold(Rational::new(), |sum, cell| {
            let mut holds = true;
            for constraint in &cell.constraints {
                let value = constraint.value_at(state).filter(|value| *value != 0)?;
                holds &= value > 0;
            }
            // the radius is left out: samples propose and refute, and prove nothing
            Some(if holds { sum + of(&cell.center).value_at(state)? } else { sum })
        })
    }

    /// Returns a state at which a bound is wrong. Returns `None` if no sample refutes it.
    fn find_violation(&self, inequality: &StepInequality<'_>) -> Option<BoundViolation> {
        // an inexact mean proves, and does not refute
        if inequality.terms.iter().any(|(_, cell)| cell.radius != Polynomial::default()) {
            return None;
        }
        let ends = [(0, 1), (1, 2), (1, 1)];
        let far = [0, 1000];
        let samples = [&ends[..], &SAMPLE_PARTS].map(|parts| self.sample_states(parts, &far));
        samples.into_iter().flatten().find_map(|state| {
            let bound = inequality.own.value_at(&state)?;
            let mut needed = Rational::new();
            for (factor, cell) in &inequality.terms {
                needed += Self::sum_at(std::slice::from_ref(*cell), &state, Polynomial::clone)? * factor;
            }
            let needed = if bound < 0 { Rational::new() } else { needed };
            let state = state.into_iter().map(|(_, x)| x).collect();
            (bound < needed).then_some(BoundViolation { state, bound, needed })
        })
    }

    /// Proposes a bound by a linear program over sampled states. Nothing is proved of it.
    fn propose_bound(&self, means: &StepMeans, slack: f64) -> Option<AffineBound> {
        let mut program = Problem::new(OptimizationDirection::Minimize);
        let any = (-MAX_COEFFICIENT, MAX_COEFFICIENT);
        // the least bound at the states of the first calls, or at their finite ends
        let start = self.entry.iter().map(|range| match (&range.lo, &range.hi) {
            (Some(lo), Some(hi)) => midpoint(lo, hi).to_f64(),
            (lo, hi) => lo.as_ref().or(hi.as_ref()).map_or(0.0, Rational::to_f64),
        });
        // the coefficients of V are the variables of the program
        let constant = program.add_var(1.0, any);
        let slopes: Vec<_> = start.map(|x| program.add_var(x, any)).collect();
        let unbounded: Vec<Variable> = self.unbounded_variables().collect();
        for v in &unbounded {
            let index = self.variables.iter().position(|own| own == v)?;
            let (sign, _) = self.end_of(index);
            // V ≥ 0 where the number is large
            let (direction, sign) = if sign == 0 { (ComparisonOp::Eq, 1) } else { (ComparisonOp::Ge, sign) };
            program.add_constraint([(slopes[index], f64::from(sign))], direction, 0.0);
        }
        for state in self.sample_states(&SAMPLE_PARTS, &[0]) {
            let numbers: Vec<f64> = state.iter().map(|(_, x)| x.to_f64()).collect();
            let value: Vec<_> =
                [(constant, 1.0)].into_iter().chain(slopes.iter().copied().zip(numbers.iter().copied())).collect();
            program.add_constraint(&value[..], ComparisonOp::Ge, 0.0);
            // V(s) - E[|f| + V(s′)] at the state, and its slopes in the numbers without a bound
            let rows = [None].into_iter().chain(unbounded.iter().copied().map(Some));
            for row in rows {
                let part = |p: &Polynomial| match row {
                    None => p.clone(),
                    Some(v) => p.coefficients_in(v).get(1).cloned().unwrap_or_default(),
                };
                let own = |v: Variable, x: f64| match row {
                    None => x,
                    Some(row) => f64::from(u8::from(row == v)),
                };
                let mut factors = vec![f64::from(u8::from(row.is_none()))];
                factors.extend(self.variables.iter().zip(&numbers).map(|(v, x)| own(*v, *x)));
                for (mass, next) in &means.next {
                    factors[0] -= Self::sum_at(mass, &state, part)?.to_f64();
                    for (i, mean) in next.iter().enumerate() {
                        factors[i + 1] -= Self::sum_at(mean, &state, part)?.to_f64();
                    }
                }
                let cost = Self::sum_at(&means.cost, &state, part)?.to_f64();
                let all = [constant].into_iter().chain(slopes.iter().copied()).zip(factors);
                let sign =
                    row.map_or(1, |v| self.variables.iter().position(|own| *own == v).map_or(1, |i| self.end_of(i).0));
                let all: Vec<_> = all.map(|(v, factor)| (v, factor * f64::from(sign))).collect();
                let room = if row.is_none() { slack } else { slack / 16.0 };
                if sign != 0 {
                    program.add_constraint(&all[..], ComparisonOp::Ge, cost * f64::from(sign) + room);
                }
            }
        }
        let found = program.solve().ok()?.into_solution().ok()?;
        let round = |x: f64| {
            let scaled = (x * COEFFICIENT_DENOMINATOR as f64).round();
            (scaled.abs() < 1e15).then(|| Rational::from((scaled as i64, COEFFICIENT_DENOMINATOR)))
        };
        let slopes = slopes.iter().map(|v| round(found.var_value(*v))).collect::<Option<Vec<_>>>()?;
        Some(AffineBound { constant: round(found.var_value(constant))?, slopes })
    }

    /// Returns the variables of numbers without a bound on one side at least.
    fn unbounded_variables(&self) -> impl Iterator<Item = Variable> {
        self.variables.iter().zip(&self.invariant).filter(|(_, range)| !range.is_bounded()).map(|(v, _)| *v)
    }

    /// Returns 1 for a number without an upper bound, -1 for one without a lower one, and 0 for one without both, with the
    /// finite end, or 0.
    fn end_of(&self, index: usize) -> (i32, Rational) {
        match &self.invariant[index] {
            NumberRange { lo: Some(lo), .. } => (1, lo.clone()),
            NumberRange { hi: Some(hi), .. } => (-1, hi.clone()),
            NumberRange { .. } => (0, Rational::new()),
        }
    }

    /// Proves for all states of the invariant that a bound is at least 0, and at least the mean of the function and of the
    /// bound after one step.
    fn is_proved(&self, StepInequality { own, terms }: StepInequality<'_>) -> bool {
        let ranges: Vec<_> = self.variables.iter().copied().zip(self.invariant.iter().cloned()).collect();
        // an affine map on a box is least at a corner, which intervals find; others are tried on parts of it
        let is_nonnegative = own.enclose_on(&ranges).is_nonnegative()
            || BoundProof { summary: self, own: own.clone(), terms: Vec::new(), boxes: 0 }.holds_on(
                &ranges,
                &mut Vec::new(),
                0,
            );
        if !is_nonnegative {
            return false;
        }
        let mut proof = BoundProof { summary: self, own, terms, boxes: 0 };
        proof.holds_on(&ranges, &mut Vec::new(), 0)
    }
}

/// A proof that a polynomial is at least a sum of multiples of cells, on a box of states.
struct BoundProof<'b> {
    summary: &'b LoopSummary,
    own: Polynomial,
    terms: Vec<(Rational, &'b StateCell)>,
    boxes: usize,
}

impl BoundProof<'_> {
    /// Proves the inequality on a box, where constraints of cells may be assumed to hold or to fail.
    fn holds_on(
        &mut self,
        ranges: &[(Variable, NumberRange)],
        assumed: &mut Vec<(Polynomial, bool)>,
        depth: u32,
    ) -> bool {
        self.boxes += 1;
        if self.boxes > MAX_CHECKED_BOXES {
            return false;
        }
        let (mut rest, mut error) = (self.own.clone(), Polynomial::default());
        let mut open: Option<Polynomial> = None;
        for (factor, cell) in &self.terms {
            let mut holds = Some(true);
            for constraint in &cell.constraints {
                match decide_constraint(constraint, ranges, assumed) {
                    Some(false) => holds = Some(false),
                    Some(true) => continue,
                    None if holds == Some(true) => {
                        holds = None;
                        open = Some(constraint.clone());
                    }
                    None => {}
                }
                if holds == Some(false) {
                    break;
                }
            }
            if holds == Some(true) {
                rest = rest.add_multiple(&cell.center, &-factor.clone());
                error = error.add_multiple(&cell.radius, &factor.clone().abs());
            }
        }
        let holds = match &open {
            None => self.is_nonnegative(&rest, &error, ranges),
            // the border of a constraint is met by boxes of every size, so both answers are tried before bisection
            Some(constraint) => {
                assumed.len() < MAX_ASSUMED
                    && [true, false].into_iter().all(|holds| {
                        assumed.push((constraint.clone(), holds));
                        let found = self.holds_on(ranges, assumed, MAX_BISECTIONS);
                        assumed.pop();
                        found
                    })
            }
        };
        holds
            || depth < MAX_BISECTIONS
                && bisect_longest(ranges)
                    .is_some_and(|halves| halves.iter().all(|half| self.holds_on(half, assumed, depth + 1)))
    }

    /// Returns `true` if a map that is affine in the numbers without a bound is at least the error, on a box.
    fn is_nonnegative(&self, rest: &Polynomial, error: &Polynomial, ranges: &[(Variable, NumberRange)]) -> bool {
        let (mut rest, mut error) = (rest.clone(), error.clone());
        let is_at_least = |rest: &Polynomial, error: &Polynomial| {
            let absolute: Vec<_> = ranges.iter().map(|(v, range)| (*v, range.magnitudes())).collect();
            let (least, most) = (rest.least_on(ranges), error.enclose_on(&absolute).hi);
            least.zip(most).is_some_and(|(least, most)| least >= most)
        };
        for v in self.summary.unbounded_variables() {
            let Some(index) = self.summary.variables.iter().position(|own| *own == v) else { return false };
            let (sign, end) = self.summary.end_of(index);
            let [slopes, errors] = [&rest, &error].map(|p| p.coefficients_in(v));
            if slopes.len() > 2 || errors.len() > 2 {
                return false;
            }
            let slope = slopes.get(1).cloned().unwrap_or_default();
            let slope_error = errors.get(1).cloned().unwrap_or_default();
            let holds = match sign {
                // in both directions only a constant is bounded below
                0 => slope == Polynomial::default() && slope_error == Polynomial::default(),
                _ => is_at_least(&slope.scale_by(&Rational::from(sign)), &slope_error),
            };
            // the map rises away from the finite end, where it is least
            if !holds {
                return false;
            }
            rest = slopes[0].add_multiple(&slope, &end);
            error = errors[0].add_multiple(&slope_error, &end.abs());
        }
        is_at_least(&rest, &error)
    }
}

/// Decides a constraint on a box, from its range or from what is assumed of it or of its opposite.
fn decide_constraint(
    constraint: &Polynomial,
    ranges: &[(Variable, NumberRange)],
    assumed: &[(Polynomial, bool)],
) -> Option<bool> {
    let range = constraint.enclose_on(ranges);
    if range.lo.is_some_and(|lo| lo > 0) {
        return Some(true);
    }
    if range.hi.is_some_and(|hi| hi < 0) {
        return Some(false);
    }
    let opposite = constraint.scale_by(&Rational::from(-1));
    assumed.iter().find_map(|(known, holds)| match () {
        () if known == constraint => Some(*holds),
        () if *known == opposite => Some(!holds),
        () => None,
    })
}

/// Bisects the longest side of a box. Returns `None` if all bounded sides are points.
fn bisect_longest(ranges: &[(Variable, NumberRange)]) -> Option<[Vec<(Variable, NumberRange)>; 2]> {
    let width = |range: &NumberRange| Some(Rational::from(range.hi.as_ref()? - range.lo.as_ref()?)).filter(|w| *w > 0);
    let sides = ranges.iter().enumerate().filter_map(|(i, (_, range))| Some((i, width(range)?)));
    // the first of equal sides, for equal results on every machine
    let (index, _) = sides.reduce(|a, b| if b.1 > a.1 { b } else { a })?;
    let NumberRange { lo: Some(lo), hi: Some(hi) } = &ranges[index].1 else { return None };
    let middle = midpoint(lo, hi);
    let mut halves = [ranges.to_vec(), ranges.to_vec()];
    halves[0][index].1.hi = Some(middle.clone());
    halves[1][index].1.lo = Some(middle);
    Some(halves)
}

/// Returns the number halfway between two.
fn midpoint(lo: &Rational, hi: &Rational) -> Rational {
    Rational::from(lo + hi) / 2
}
