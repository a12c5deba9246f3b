//! Exploration of the paths of a probabilistic program, in order of decreasing probability.
//!
//! Every run follows one path to its end, to a draw with several values, or to a guard that cannot be decided. Each
//! alternative waits with an upper bound on its probability. So the ended, the undefined, the open and the waiting
//! paths together cover all traces.
//!
//! # Tails of natural numbers
//!
//! Tails: waiting paths continued with natural numbers as variables; and the range of the function of the values.

use super::contribution::{PathContribution, PathFactors};
use super::demand::{check_constraints, check_observation};
use super::distribution::{Distribution, Kind};
use super::draws::{Draw, ExecutionPath, NaturalRange, Parameter, SymbolicExecution};
use super::eliminate::linear_substitution;
use super::integral::PathIntegral;
use super::loops::{LoopProbe, StateBound, is_call_mark, observe_loop};
use super::polytope::integrate_exactly;
use super::range::enclose_range;
use super::sum::sum_over_trials;
use super::vocabulary::{TraceOutcome, TraceVocabulary, WeightFactor, observed_density};
use super::{MeasureError, ProbabilisticModel};
use crate::meaning::pap::{PiecewiseUniverse, count_value};
use crate::measure::draws::TraceCoordinate;
use crate::measure::range::real_line;
use crate::model::answer::{FaultyOperation, SemanticsError};
use crate::model::universe::EvaluatorModel;
use crate::model::{InterpretError, SourceLocation, Unsupported, answer};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::pieces::SignTest;
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::Duration;

/// The least and the greatest rate at which a Poisson distribution is explored from its mode. A choice: below 30 the
/// first numbers are close to the mode, and beyond 10¹² a sum has no hope.
const MODE_START_RATE: f64 = 30.0;
const MODE_START_LIMIT: f64 = 1e12;
/// The greatest number of steps of one run. A choice.
const MAX_RUN_STEPS: u64 = 200_000;
/// The time and the work units to bound the probability of a path. A choice: a loose bound only changes the order of
/// paths.
const PROBABILITY_TIME: Duration = Duration::from_millis(50);
const PROBABILITY_WORK: u64 = 1_000_000;
/// The least bound on the probability of a path if a derivative is wanted, as a power of two. A choice: a path of
/// probability 0 at the parameter may still have a derivative.
const LEAST_PROBABILITY_LOG2: i64 = -200;
/// The greatest number of rare paths to follow to their ends, and the steps for each. A choice: loops take more steps.
const MAX_RARE_PATHS: usize = 16;
const RARE_PATH_STEPS: usize = 6;
/// The greatest number of waiting paths. A choice: it bounds memory.
const MAX_WAITING_PATHS: usize = 100_000;

/// A path on which the program returns a value.
#[derive(Clone, Debug)]
pub struct EndedPath {
    /// The path.
    pub path: ExecutionPath,
    /// The weights of scores and observations.
    pub scores: Vec<Graph>,
    /// The function of the value whose mean is wanted. `None` for 1, if only the normalising constant is wanted.
    pub value: Option<Graph>,
    /// An upper bound on the probability of the path.
    pub probability_bound: Magnitude,
}

impl EndedPath {
    /// Returns `true` if the path is a tail whose sum has a closed form.
    #[must_use]
    pub fn has_closed_sum(&self) -> bool {
        let factors: Vec<Graph> = self.scores.iter().chain(&self.value).cloned().collect();
        sum_over_trials(&self.path, &factors).is_some()
    }

    /// Applies [`linear_substitution`] to every guard that allows it, so that fewer draws depend on each other in the cells.
    #[must_use]
    pub fn substitute_guards(self) -> Self {
        let factors: Vec<Graph> = self.scores.into_iter().chain(self.value.clone()).collect();
        let (path, mut factors) = linear_substitution(&self.path, &factors);
        // the value was the last of the factors
        let value = self.value.and_then(|_| factors.pop());
        Self { path, scores: factors, value, probability_bound: self.probability_bound }
    }
}

/// The paths explored so far.
#[derive(Debug, Default)]
pub struct ExploredPaths {
    /// The paths that ended with a value.
    pub ended: Vec<EndedPath>,
    /// The paths on which the program is certainly undefined, with the reason.
    pub undefined: Vec<(ExecutionPath, UndefinedValue)>,
    /// The reasons why other paths could not be continued, each with an upper bound on its probability.
    pub open: Vec<(UndefinedValue, Magnitude)>,
    /// The number of runs of the program.
    pub runs: usize,
}

/// A path that waits, perhaps with a range of natural numbers as its next draw.
#[derive(Clone)]
struct WaitingPath {
    /// An upper bound on the probability.
    probability_bound: Magnitude,
    /// A sequence number, which breaks ties.
    sequence: usize,
    path: ExecutionPath,
    /// The distribution and the range of the next draw, and a bound on the probability of `path` without it.
    naturals: Option<(Distribution, NaturalRange, Magnitude)>,
}

impl PartialEq for WaitingPath {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for WaitingPath {}
impl PartialOrd for WaitingPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for WaitingPath {
    fn cmp(&self, other: &Self) -> Ordering {
        // the greater probability first, and among equal ones the older path
        self.probability_bound.cmp(&other.probability_bound).then(other.sequence.cmp(&self.sequence))
    }
}

/// The term that a run evaluates.
pub(super) enum RunSubject {
    /// The program.
    Program,
    /// The body of its loop, on these arguments.
    Body(Vec<Value<Graph>>),
}

/// The end of a run.
pub(super) enum RunEnd {
    /// The run stops at a draw from the distribution.
    NeedsDraw(Distribution),
    /// The run returns weights, and the function of the value.
    Returns(Vec<Graph>, Option<Graph>),
    /// The run comes to a call of the loop that is not entered. It has weights so far, and the call these arguments.
    Continues(Vec<Graph>, Vec<Value<Graph>>),
    /// A parameter of an observed distribution violates its constraint.
    Refused(MeasureError),
}

/// An explorer of the paths of a model.
pub struct PathExplorer<'a> {
    model: &'a ProbabilisticModel<'a>,
    pub(super) parameter: Option<&'a Parameter>,
    /// The loop of the program, if there is one whose calls can be observed.
    pub(super) probe: Option<Arc<LoopProbe>>,
    /// The term that runs evaluate.
    pub(super) subject: RunSubject,
    /// The number of calls of the loop after which runs stop. `None` for no limit.
    pub(super) stop_after: Option<usize>,
    pub(super) universe: EvaluatorModel<PiecewiseUniverse<SymbolicExecution>>,
    program: Value<Graph>,
    vocabulary: TraceVocabulary,
    /// The number of sites in the program; greater indices are sites in the function of the values.
    program_sites: usize,
    of: Option<Value<Graph>>,
    /// The bound of what is left of the loop that the model gives.
    pub(super) given_bound: Option<Value<Graph>>,
    pub(super) budget: Arc<Budget>,
    waiting_count: BinaryHeap<WaitingPath>,
    /// The number of paths that have waited.
    waited: usize,
    /// The paths explored so far.
    pub explored: ExploredPaths,
}

impl std::fmt::Debug for PathExplorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("explored", &self.explored).finish_non_exhaustive()
    }
}

impl<'a> PathExplorer<'a> {
    /// Makes an explorer with the empty path waiting.
    ///
    /// # Errors
    /// [`MeasureError::Meaning`] if the semantics lacks a construct of the model, or the program is of another type.
    pub fn new(
        model: &'a ProbabilisticModel<'a>,
        parameter: Option<&'a Parameter>,
        budget: &Arc<Budget>,
    ) -> Result<Self, MeasureError> {
        let oracle = SymbolicExecution::new(parameter.cloned(), budget.clone());
        let universe =
            EvaluatorModel::new(PiecewiseUniverse::new(oracle, budget.clone()).with_limits(None, MAX_RUN_STEPS));
        let vocabulary = TraceVocabulary::from_program(model.program)?;
        // a derivative has no bound of what is left, so that its loops are not observed
        let observed = observe_loop(model.program).filter(|_| parameter.is_none_or(|p| p.order == 0));
        let observed = observed.and_then(|(term, found)| Some((term, LoopProbe::new(found, vocabulary.given()?))));
        let (program, probe) = match observed {
            None => (universe.evaluate_closed(model.program)?, None),
            Some((term, probe)) => {
                let open = universe.evaluate_closed(&term)?;
                let explain = |error| SemanticsError::from(answer::explain_in_program(error, model.program));
                let program = open.as_function().and_then(|open| open.apply(&probe.knot())).map_err(explain)?;
                (program, Some(probe))
            }
        };
        let places = universe.0.site_count();
        let of = model.mean_of.map(|of| universe.evaluate_closed(of)).transpose()?;
        let given_bound = model.loop_bound.map(|bound| universe.evaluate_closed(bound)).transpose()?;
        let (waiting, explored) = (BinaryHeap::new(), ExploredPaths::default());
        let mut explorer = Self {
            model,
            parameter,
            probe,
            subject: RunSubject::Program,
            stop_after: None,
            universe,
            program,
            vocabulary,
            program_sites: places,
            of,
            given_bound,
            budget: budget.clone(),
            waiting_count: waiting,
            waited: 0,
            explored,
        };
        explorer.add_waiting(ExecutionPath::default(), Magnitude::power_of_two(0), None);
        Ok(explorer)
    }

    /// Adds a waiting path.
    fn add_waiting(
        &mut self,
        path: ExecutionPath,
        chance: Magnitude,
        naturals: Option<(Distribution, NaturalRange, Magnitude)>,
    ) {
        self.waited += 1;
        self.waiting_count.push(WaitingPath { probability_bound: chance, sequence: self.waited, path, naturals });
    }

    /// Returns the place of a site, and `true` if that is in the function of the values. Returns `None` if the place is
    /// unknown.
    #[must_use]
    pub fn place_of_site(&self, site: SourceId) -> Option<(SourceLocation, bool)> {
        Some((self.universe.0.location_of(site)?, site.index()? >= self.program_sites))
    }

    /// Returns the number of waiting paths.
    #[must_use]
    pub fn waiting_count(&self) -> usize {
        self.waiting_count.len()
    }

    /// Bounds the probability of all waiting paths.
    fn waiting_probability(&self) -> Magnitude {
        self.waiting_count.iter().fold(Magnitude::ZERO, |sum, waiting| sum + waiting.probability_bound)
    }

    /// Explores until the waiting paths have probability at most `until`, and returns `true` then.
    ///
    /// Returns `false` if `most` paths have ended, too many wait, or `time` is exhausted before.
    ///
    /// # Errors
    /// The faults of a path: a constraint that fails, or an error of the semantics.
    pub fn explore_until(&mut self, until: Magnitude, most: usize, time: &Budget) -> Result<bool, MeasureError> {
        // the sum is taken afresh: a running one would lose what is small
        while self.waiting_probability() > until {
            if self.explored.ended.len() >= most || self.waiting_count.len() >= MAX_WAITING_PATHS || time.is_exhausted()
            {
                return Ok(false);
            }
            let Some(next) = self.waiting_count.pop() else { break };
            self.follow_path(next)?;
        }
        Ok(true)
    }

    /// Follows the waiting paths without natural numbers to their ends, if these are few and end soon. Otherwise the
    /// exploration is unchanged.
    ///
    /// If the function of the values has no bound, even the rarest path matters.
    ///
    /// # Errors
    /// The faults of a path that are not [`MeasureError::has_no_answer`].
    pub fn follow_rare(&mut self, time: &Budget) -> Result<(), MeasureError> {
        let is_rare = |next: &&WaitingPath| next.naturals.is_none();
        let most_steps = RARE_PATH_STEPS * self.waiting_count.iter().filter(is_rare).count();
        if !(1..=RARE_PATH_STEPS * MAX_RARE_PATHS).contains(&most_steps) {
            return Ok(());
        }
        // the state to restore if the paths turn out to be long
        let (before, count) = (self.waiting_count.clone(), self.waited);
        let ExploredPaths { ended, undefined, open, .. } = &self.explored;
        let [ended, undefined, open] = [ended.len(), undefined.len(), open.len()];
        let (rare, mut kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting_count).into_iter().partition(|next| next.naturals.is_none());
        self.waiting_count = rare.into();
        for _ in 0..most_steps {
            let Some(next) = self.waiting_count.pop().filter(|_| !time.is_exhausted()) else { break };
            if next.naturals.is_some() {
                kept.push(next);
                continue;
            }
            match self.follow_path(next.clone()) {
                // the path stays without a bound, as before
                Err(fault) if fault.has_no_answer() => kept.push(next),
                followed => followed?,
            }
        }
        // a partial result has no use here: one unfollowed path leaves the sum unbounded
        if self.waiting_count.iter().any(|next| next.naturals.is_none()) || time.is_exhausted() {
            (self.waiting_count, self.waited) = (before, count);
            self.explored.ended.truncate(ended);
            self.explored.undefined.truncate(undefined);
            self.explored.open.truncate(open);
        } else {
            self.waiting_count.extend(kept);
        }
        Ok(())
    }

    /// Follows a waiting path until it ends or forks. The alternatives wait.
    fn follow_path(&mut self, next: WaitingPath) -> Result<(), MeasureError> {
        let WaitingPath { mut path, probability_bound: mut chance, naturals, .. } = next;
        if let Some((distribution, span, before)) = naturals {
            let (n, rest) = span.split_first();
            if let Some(rest) = rest {
                self.add_waiting_naturals(&path, &distribution, rest, before);
                // `before` and not `chance`: that one belongs to the whole range
            }
            let own = distribution.natural(n);
            chance = before * self.bound_probability(&path, &own);
            path.draws.push(Draw::Natural(n, own));
        }
        loop {
            let (found, walked, others) = self.run_path(path);
            path = walked;
            if !others.is_empty() {
                // the decisions of this run make the path rarer, so that its bound is computed anew
                let own = self.path_probability(&path, chance);
                for other in others {
                    let chance = self.path_probability(&other, chance);
                    if chance > Magnitude::ZERO {
                        self.add_waiting(other, chance, None);
                    }
                }
                if own.is_zero() {
                    return Ok(());
                }
                chance = own;
            }
            match found {
                Ok(RunEnd::Returns(scores, value)) => {
                    self.explored.ended.push(EndedPath { path, scores, value, probability_bound: chance });
                    return Ok(());
                }
                Ok(RunEnd::Refused(fault)) => return Err(fault),
                // runs of the exploration enter every call
                Ok(RunEnd::Continues(..)) => return Ok(()),
                Ok(RunEnd::NeedsDraw(distribution)) => {
                    check_constraints(self.universe.0.oracle(), &path, &distribution)?;
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.universe.0.oracle().new_coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Truth => {
                            for holds in [true, false] {
                                let own = distribution.truth(holds);
                                let chance = chance * self.bound_probability(&path, &own);
                                // with a parameter, a path of probability 0 may have a derivative
                                if chance > Magnitude::ZERO || self.parameter.is_some() {
                                    let mut path = path.clone();
                                    path.draws.push(Draw::Truth(holds, own));
                                    self.add_waiting(path, chance, None);
                                }
                            }
                            return Ok(());
                        }
                        Kind::Natural(first) => {
                            for span in self.split_at_mode(&path, &distribution, first) {
                                self.add_waiting_naturals(&path, &distribution, span, chance);
                            }
                            return Ok(());
                        }
                    }
                }
                Err(ValueError::Undefined(found)) if found.certain => {
                    let demand = self.place_of_site(found.site).and_then(|(place, _)| place.stated_requirement());
                    // the definition's own requirement, if its comment states one, and every other reason in the
                    // program's words
                    let found = match demand.is_some() {
                        true => found.with_requirement(demand),
                        false => self.rename_reason(&found),
                    };
                    self.explored.undefined.push((path, found));
                    return Ok(());
                }
                Err(ValueError::Undefined(found)) => {
                    self.explored.open.push((self.rename_reason(&found), chance));
                    return Ok(());
                }
                Err(ValueError::Unsupported { model, construct }) => {
                    return Err(SemanticsError::from(InterpretError::from(Unsupported { model, construct })).into());
                }
                Err(error) => {
                    return Err(SemanticsError::from(answer::explain_in_program(error, self.model.program)).into());
                }
            }
        }
    }

    /// Renames the reason in the words of the program, or of the function of the values.
    fn rename_reason(&self, found: &UndefinedValue) -> UndefinedValue {
        let Some((place, is_of_values)) = self.place_of_site(found.site) else { return found.clone() };
        let program = self.model.mean_of.filter(|_| is_of_values).unwrap_or(self.model.program);
        FaultyOperation::rename_for_user(found, Some(place), program).0
    }

    /// Runs the program along a path. Returns the end, the path walked, and the paths for other answers.
    pub(super) fn run_path(
        &mut self,
        path: ExecutionPath,
    ) -> (Result<RunEnd, ValueError>, ExecutionPath, Vec<ExecutionPath>) {
        self.explored.runs += 1;
        let oracle = self.universe.0.oracle();
        let trace = path.to_trace(self.vocabulary.draw_kinds());
        oracle.begin_run(path);
        self.universe.0.begin_run();
        if let Some(probe) = &self.probe {
            probe.begin_run(self.stop_after);
        }
        let found = self.run_on_trace(&trace);
        let (path, others) = self.universe.0.oracle().end_run();
        (found, path, others)
    }

    /// Applies the program to a trace, and reads its outcome and factors.
    fn run_on_trace(&self, trace: &Value<Graph>) -> Result<RunEnd, ValueError> {
        let program = match self.parameter.filter(|_| self.model.takes_parameter) {
            Some(p) => self.program.as_function()?.apply(&Value::Real(Graph::variable(p.variable)))?,
            None => self.program.clone(),
        };
        let (_, run) = program.as_variant()?;
        let set_running = |is_running| self.probe.iter().for_each(|probe| probe.set_running(is_running));
        set_running(true);
        let ran = match (&self.subject, &self.probe) {
            (RunSubject::Body(state), Some(probe)) => probe.run_body(state, trace).unwrap_or_else(|| {
                Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Fuel, "a loop of draws")))
            }),
            _ => run.as_function()?.apply(trace),
        };
        set_running(false);
        let ran = ran?;
        let parts = ran.as_tuple()?;
        let wrong = || ran.kind_mismatch("an outcome, a factor for each draw, and no rest of the trace");
        let [outcome, factors, rest] = parts else { return Err(wrong()) };
        let given = match self.vocabulary.read_outcome(outcome)? {
            TraceOutcome::Wanted(distribution) => return Ok(RunEnd::NeedsDraw(distribution)),
            TraceOutcome::Given(value) => value,
        };
        let (mut scores, mut priors) = (Vec::new(), 0);
        for factor in factors.as_list()?.iter() {
            match self.vocabulary.read_factor(factor)? {
                // the coordinates' distributions have these densities already
                WeightFactor::Prior => priors += 1,
                WeightFactor::Seen(distribution, of_nothing) => {
                    if let Err(fault) = check_observation(self.universe.0.oracle(), &distribution) {
                        return Ok(RunEnd::Refused(fault));
                    }
                    scores.push(observed_density(of_nothing)?);
                }
                WeightFactor::Score(weight) => scores.push(weight.clone()),
            }
        }
        // every draw of the trace must be read and weighted exactly once, or integrals would miss a density
        if priors != trace.as_list()?.iter().count() || rest.as_list()?.split_first().is_some() {
            return Err(wrong());
        }
        match self.probe.as_ref().map(|probe| probe.calls_left()).filter(|left| !left.is_empty()) {
            // the call has to be the last step: what it would return is returned, and nothing else
            Some(mut left) if left.len() == 1 && is_call_mark(given) => {
                return Ok(RunEnd::Continues(scores, left.remove(0)));
            }
            Some(_) => {
                let what = "a call of a loop that is not its last step";
                return Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Fuel, what)));
            }
            None => {}
        }
        let value = match &self.of {
            Some(of) => Some(of.as_function()?.apply(given)?.as_real()?.clone()),
            None => None,
        };
        Ok(RunEnd::Returns(scores, value))
    }

    /// Bounds a probability on a path from above, by 1 at most.
    fn bound_probability(&self, path: &ExecutionPath, chance: &Graph) -> Magnitude {
        let found: Enclosure = enclose_range(chance, &path.coordinate_ranges(self.parameter), &self.budget);
        let one = Magnitude::power_of_two(0);
        // a negative or an undefined bound says nothing
        if found.is_defined() && *found.hi() >= 0 { Magnitude::from_float(found.hi()).min(one) } else { one }
    }

    /// Adds natural numbers as a waiting next draw, behind a path of probability at most `before`.
    fn add_waiting_naturals(
        &mut self,
        path: &ExecutionPath,
        distribution: &Distribution,
        span: NaturalRange,
        before: Magnitude,
    ) {
        let chance = before * self.bound_naturals(path, distribution, span);
        self.add_waiting(path.clone(), chance.min(before), Some((distribution.clone(), span, before)));
    }

    /// Bounds the probability of natural numbers from above, by 1 at most. A negative bound counts as none.
    fn bound_naturals(&self, path: &ExecutionPath, distribution: &Distribution, span: NaturalRange) -> Magnitude {
        let bound = distribution.tail(span);
        let found = enclose_range(&bound, &path.coordinate_ranges(self.parameter), &self.budget);
        let is_bound = found.is_defined() && *found.lo() >= 0;
        if is_bound { self.bound_probability(path, &bound) } else { Magnitude::ONE }
    }

    /// Splits the natural numbers from `first` on into ranges, beginning at the mode if that is far out and the same
    /// for all draws of the path.
    fn split_at_mode(&self, path: &ExecutionPath, distribution: &Distribution, first: u64) -> Vec<NaturalRange> {
        let all = NaturalRange { first, last: None };
        let Some(rate) = distribution.mode() else { return vec![all] };
        let found = enclose_range(&rate, &path.coordinate_ranges(self.parameter), &self.budget);
        let [lo, hi] = [found.lo(), found.hi()].map(|end| end.to_f64());
        // the mode of a rate is its integer part: it must not move further than a deviation, √rate
        if !found.is_defined() || lo < MODE_START_RATE || hi - lo > lo.sqrt() || hi > MODE_START_LIMIT {
            return vec![all];
        }
        let mode = lo as u64;
        vec![NaturalRange { first: mode, last: None }, NaturalRange { first, last: Some(mode - 1) }]
    }

    /// Bounds the probability of a path with guards, as far as its integrals are found in a moment. Returns 0 if no
    /// draws satisfy the guards.
    fn path_probability(&self, path: &ExecutionPath, most: Magnitude) -> Magnitude {
        if let Some(exact) = integrate_exactly(path, &[]).filter(|_| self.parameter.is_none()) {
            return if exact == 0 { Magnitude::ZERO } else { most.min(Magnitude::from_rational(&exact)) };
        }
        if matches!(PathIntegral::of_guards(path, self.parameter, &self.budget), Ok(None)) {
            return Magnitude::ZERO;
        }
        // order 0: the bound is on the probability itself, not on a derivative
        let parameter = self.parameter.map(|p| Parameter { order: 0, ..p.clone() });
        let time = self.budget.remaining_time().map_or(PROBABILITY_TIME, |left| left.min(PROBABILITY_TIME));
        let budget = self.budget.for_part(PROBABILITY_WORK, Some(time));
        let chance = PathContribution::new(path, PathFactors::default(), parameter.as_ref(), 0, &self.budget);
        // a choice: 1/1000, since the bound only orders the paths and stops the exploration
        let found = chance.enclose(&Rational::from((1, 1000)), &budget);
        let is_bound = found.is_defined() && *found.hi() >= 0;
        let found = if is_bound { most.min(Magnitude::from_float(found.hi())) } else { most };
        // a path of probability 0 at the parameter may have a derivative
        let least =
            self.parameter.filter(|p| p.order > 0).map(|_| most.min(Magnitude::power_of_two(LEAST_PROBABILITY_LOG2)));
        least.map_or(found, |least| found.max(least))
    }
}

/// The greatest number of runs for one tail, and for the range of a function. A choice.
pub(super) const MAX_TAIL_RUNS: usize = 64;
/// The greatest number of values of a type to try one by one. A choice: each costs several runs.
const MAX_TYPE_VALUES: usize = 16;

impl PathExplorer<'_> {
    /// Returns the waiting tails of natural numbers as ended paths, and an upper bound on the probability of all other
    /// waiting paths. With a bound of what is left of a loop, the waiting paths end at its next call.
    ///
    /// # Errors
    /// [`MeasureError::ParameterConstraint`] if a constraint on such a path certainly fails.
    pub fn collect_tails(&mut self, bound: Option<&StateBound>) -> Result<(Vec<EndedPath>, Magnitude), MeasureError> {
        let waiting: Vec<WaitingPath> = std::mem::take(&mut self.waiting_count).into_vec();
        let (mut found, mut rest) = (Vec::new(), Magnitude::ZERO);
        for next in &waiting {
            let followed = match &next.naturals {
                Some((distribution, span, _)) => {
                    let mut path = next.path.clone();
                    path.draws.push(Draw::Tail(Variable::fresh(), distribution.clone(), *span));
                    self.follow_to_ends(path, next.probability_bound)?
                }
                None => {
                    bound.and_then(|bound| self.bound_continuations(next.path.clone(), next.probability_bound, bound))
                }
            };
            // a tail without ended paths counts by its probability alone
            match followed {
                Some(ended) => found.extend(ended),
                None => rest = rest + next.probability_bound,
            }
        }
        // the exploration itself is unchanged, and may go on
        self.waiting_count = waiting.into();
        Ok((found, rest))
    }

    /// Follows all continuations of a path. Returns `None` if they do not end within [`MAX_TAIL_RUNS`] runs, or if one is
    /// not decided.
    fn follow_to_ends(
        &mut self,
        path: ExecutionPath,
        chance: Magnitude,
    ) -> Result<Option<Vec<EndedPath>>, MeasureError> {
        let certainly = |fault: &MeasureError| matches!(fault, MeasureError::ParameterConstraint { certain: true, .. });
        let (mut waiting, mut ended) = (vec![path], Vec::new());
        for _ in 0..MAX_TAIL_RUNS {
            let Some(path) = waiting.pop() else { return Ok(Some(ended)) };
            let (found, path, others) = self.run_path(path);
            waiting.extend(others);
            let Ok(found) = found else { return Ok(None) };
            match found {
                // an unproved constraint leaves the tail to its probability; a violated one is an error of the program
                RunEnd::Refused(fault) if certainly(&fault) => return Err(fault),
                RunEnd::Refused(_) | RunEnd::Continues(..) => return Ok(None),
                RunEnd::Returns(scores, value) => {
                    ended.push(EndedPath { path, scores, value, probability_bound: chance })
                }
                RunEnd::NeedsDraw(distribution) => {
                    match check_constraints(self.universe.0.oracle(), &path, &distribution) {
                        Ok(()) => {}
                        Err(fault) if certainly(&fault) => return Err(fault),
                        Err(_) => return Ok(None),
                    }
                    waiting.extend(path.extend_by_draw(distribution, |path, distribution| {
                        self.universe.0.oracle().new_coordinate(path, distribution)
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Encloses the range of the function of the values over all values of its domain. Returns ℝ if nothing is known.
    pub fn enclose_mean_function(&mut self) -> Enclosure {
        // without a function there is no range to know
        let Some(of) = self.model.mean_of else { return real_line() };
        let domain = match of.ty().kind() {
            TyKind::Function(domain, _) => domain.clone(),
            _ => return real_line(),
        };
        let mut draws = Vec::new();
        let Some(values) = covering_values(&domain, &mut draws) else { return real_line() };
        let mut hull: Option<Enclosure> = None;
        for value in values {
            let mut waiting = vec![ExecutionPath { draws: draws.clone(), ..ExecutionPath::default() }];
            for run in 0.. {
                let Some(path) = waiting.pop() else { break };
                // every run must be covered: a hull of some of them would be no enclosure
                let Some(function) = self.of.as_ref().filter(|_| run < MAX_TAIL_RUNS) else { return real_line() };
                self.universe.0.oracle().begin_run(path);
                self.universe.0.begin_run();
                let found = function.as_function().and_then(|f| f.apply(&value)).and_then(|v| Ok(v.as_real()?.clone()));
                let (path, others) = self.universe.0.oracle().end_run();
                waiting.extend(others);
                let found = match found {
                    Ok(graph) => enclose_range(&graph, &path.coordinate_ranges(self.parameter), &self.budget),
                    Err(_) => return real_line(),
                };
                if !found.is_defined() {
                    return real_line();
                }
                hull = Some(hull.map_or_else(|| found.clone(), |hull| hull.hull(&found)));
            }
        }
        hull.unwrap_or_else(real_line)
    }

    /// Returns `true` if a map is shown to have no negative values on a path with tails.
    pub fn is_never_negative(&self, path: &ExecutionPath, graph: &Graph) -> bool {
        self.universe.0.oracle().decide_on_path(path, &path.decisions, graph, SignTest::NonNegative) == Some(true)
    }
}

/// Returns values that cover a type, with variables for numbers, and adds their draws. Returns `None` if there are more
/// than [`MAX_TYPE_VALUES`] values.
fn covering_values(ty: &Ty, draws: &mut Vec<Draw>) -> Option<Vec<Value<Graph>>> {
    Some(match ty.kind() {
        TyKind::Real => {
            // the distribution is a placeholder: only the range ℝ of the variable is used
            let one = Graph::integer(1);
            let distribution = Distribution::normal(Graph::integer(0), one);
            let x = TraceCoordinate { variable: Variable::fresh(), distribution, range: real_line() };
            let value = Value::Real(Graph::variable(x.variable));
            draws.push(Draw::Real(x));
            vec![value]
        }
        TyKind::Nat => {
            let n = Variable::fresh();
            // again a placeholder, for the range [0, ∞)
            draws.push(Draw::Tail(n, Distribution::poisson(Graph::integer(1)), NaturalRange::from(0)));
            vec![count_value(Graph::variable(n))]
        }
        TyKind::Bool => vec![Value::from_bool(true), Value::from_bool(false)],
        TyKind::Unit => vec![Value::Unit],
        TyKind::Tuple(parts) => {
            let mut found = vec![Vec::new()];
            // the product of the values of the parts
            for part in parts.iter() {
                let values = covering_values(part, draws)?;
                found = found
                    .iter()
                    .flat_map(|before| values.iter().map(|value| [&before[..], std::slice::from_ref(value)].concat()))
                    .collect();
                if found.len() > MAX_TYPE_VALUES {
                    return None;
                }
            }
            found.into_iter().map(Value::tuple_of).collect()
        }
        _ => return None,
    })
}
