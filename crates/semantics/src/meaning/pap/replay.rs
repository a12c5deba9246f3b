//! Enumeration of all pieces of a program, by running it with its decisions replayed.
//!
//! A run replays the decisions of its path, and continues with new ones. Where both answers to a guard are possible, it follows
//! one and keeps the other for a later run. So each piece costs about one run, and no continuation is ever kept.
//!
//! The longest part is unfolded first, and a part that takes long is delayed, but every fourth run takes the oldest path. So no
//! part starves another, whether a program never ends on it or forks on it without end. A piece to which finitely many decisions
//! lead, be it a point, is found by some run, and there is always a next run.
//!
//! A function of one variable is unfolded on an interval. There it is [known](crate::pieces::line) where guards hold, impossible
//! answers are not followed, and pieces have lengths. A function of several variables is unfolded on a box. There a part is covered by
//! [boxes](crate::pieces::paving), and an answer that is impossible on all of them is not followed. On all of ℝⁿ an answer is excluded
//! by earlier answers to the same guard only.
//!
//! # Paths
//!
//! The decisions that lead to a part of the domain. Paths share their common beginning.
//!
//! # The queue of paths that wait for a run

use super::foreign::{ForeignPrimitive, apply_to_primitives};
use super::{GuardQuery, GuardRole, Oracle, PiecewiseHooks, PiecewiseUniverse, lock};
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::model::{InterpretError, SourceLocation};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::function::SplitLimits;
use crate::pieces::function::decide_sign;
use crate::pieces::{
    AnalyticPiece, CountableFamily, Frontier, GuardCondition, IntervalUnion, LineInterval, PartExtent, Paving,
    PieceValue, PiecewiseMap, RationalBox, SignGuard, StopReason,
};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::coordinate_variables;
use crate::smooth::normal_form::RationalNormalForm;
use crate::syntax::term::Term;
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError, ValueFunction};
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The most steps of one run; a choice.
pub const MAX_RUN_STEPS: u64 = 200_000;
/// The forks after which a run ends while no piece is known, to continue when its part is the longest; a choice.
const MAX_FIRST_FORKS: usize = 1 << 8;
/// The fewest forks after which a run ends once a piece is known; otherwise twice as many as a piece had. A choice.
const MIN_FORKS: usize = 32;
/// The new decisions after which a run ends, to continue when nothing else waits; doubled with each delay. A choice.
const MIN_NEW_DECISIONS: usize = 1 << 8;
/// The work units after which a run ends likewise; doubled with each delay. A choice.
const MIN_RUN_WORK: u64 = 1 << 18;
/// The most runs for each piece that is asked for; a choice.
const MAX_RUNS_PER_PIECE: usize = 64;
/// The most paths that may wait; a choice.
const MAX_WAITING_PATHS: usize = 10_000;
/// The number of pieces of a family that are searched for at once in the beginning; a choice.
const FIRST_MEMBERS: usize = 8;
/// The binary exponent of the finest part: a part of 2⁻⁴⁴ of the interval is not distinguished from a point. A choice.
const FINEST_PART_BITS: u32 = 44;

/// The oracle that replays decisions and makes new ones.
#[derive(Debug)]
pub struct ReplayOracle {
    variables: Vec<Variable>,
    /// The length below which a part of the line is not distinguished from a point.
    finest: Rational,
    budget: Arc<Budget>,
    hooks: Arc<dyn PiecewiseHooks>,
    /// The normaliser of all guards. It is shared because the numbering of atoms differs between normalisers.
    normaliser: Mutex<RationalNormalForm>,
    run: Mutex<ReplayRun>,
}

/// The state of a run.
#[derive(Debug, Default)]
struct ReplayRun {
    path: DecisionPath,
    /// The number of guards asked so far, those replayed included.
    asked: usize,
    /// The paths of the other answers, for later runs.
    other_paths: Vec<DecisionPath>,
    /// The parts on which guards are undecided, with the sites of these.
    undecided: Vec<(DecisionPath, SourceId)>,
    /// The number of forks after which the run ends.
    most_forks: usize,
    /// The number of decisions after which the run ends.
    most_decisions: usize,
    /// The total work of all runs at which the run ends.
    most_work: u64,
    /// `true` if the run was ended, to continue later.
    was_suspended: bool,
}

impl ReplayOracle {
    /// Returns the normal form of a guard's number, and the signs still possible for each answer; `None` without a normal form.
    fn possible_signs(&self, path: &DecisionPath, guard: &SignGuard) -> Option<(String, [SignSet; 2])> {
        let (key, turned) = lock(&self.normaliser).normal_form(&guard.graph)?.scale_free_key()?;
        let sides = path.signs_by_answer(&key, turned, guard);
        Some((key, sides))
    }

    /// Decides a guard that is not on the path yet, and adds the decision to it.
    fn decide_anew(&self, run: &mut ReplayRun, asked: &GuardQuery) -> bool {
        let ReplayRun { path, other_paths: others, undecided, .. } = run;
        let signs = self.possible_signs(path, &asked.guard);
        let side = |holds: bool| signs.as_ref().map(|(key, sides)| (key.clone(), sides[usize::from(!holds)]));
        // earlier answers about the same number leave one answer only: no fork
        if let Some((_, sides)) = &signs
            && let Some(other) = sides.iter().position(|signs| *signs == 0)
        {
            let holds = other == 1;
            path.decisions.push(holds);
            return holds;
        }
        let limits = SplitLimits { finest: &self.finest, budget: &self.budget };
        let mut forms = lock(&self.normaliser);
        let [inside, outside, open] = path.extent.split_by_guard(&self.variables, &asked.guard, &mut forms, limits);
        drop(forms);
        let holds = match (inside.is_empty(), outside.is_empty(), &inside) {
            (false, true, _) | (_, _, PartExtent::Anywhere) => true,
            (true, false, _) => false,
            // the larger part first: it is likelier to be what the user asks about
            _ => inside.size_bound() > outside.size_bound(),
        };
        let (here, there) = if holds { (inside, outside) } else { (outside, inside) };
        let is_all_told = open.is_empty();
        if there.is_empty() && is_all_told {
            // boxes stay divided, so that later guards need fewer divisions; a line is the same set as before
            if here.as_paving().is_some() {
                path.extent = here;
            }
            path.decisions.push(holds);
            return holds;
        }
        // where the guard is undecided the part is reported, and followed by neither answer
        if !is_all_told {
            undecided.push((DecisionPath { extent: open, ..path.clone() }, asked.guard.site));
        }
        if !there.is_empty() && self.hooks.follows_both_answers() {
            others.push(path.with_decision(asked, !holds, side(!holds), there));
        }
        *path = path.with_decision(asked, holds, side(holds), here);
        holds
    }
}

impl Oracle for ReplayOracle {
    fn hooks(&self) -> &dyn PiecewiseHooks {
        &*self.hooks
    }
    fn replayed_answer(&self, guard: &SignGuard) -> Option<bool> {
        // a guard without the variables is the same in all runs; it is not on the path
        if !self.variables.iter().any(|v| guard.graph.depends_on(*v)) {
            return None;
        }
        let mut run = lock(&self.run);
        let known = run.path.decisions.get(run.asked).copied();
        run.asked += usize::from(known.is_some());
        known
    }
    fn run_variables(&self) -> &[Variable] {
        &self.variables
    }
    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError> {
        let guard = &asked.guard;
        if !self.variables.iter().any(|v| guard.graph.depends_on(*v)) {
            let undecided = |agreement| {
                let found = UndefinedValue::of_operation(UndefinedCause::Undecided, guard.test);
                ValueError::from_undefined(UndefinedValue { agreement, site: guard.site, ..found })
            };
            // constant in the variables: decided by its sign, once and for all
            return decide_sign(&guard.graph, &self.budget)
                .map(|sign| guard.test.is_satisfied_by(sign))
                .map_err(undecided);
        }
        let mut run = lock(&self.run);
        run.asked += 1;
        if let Some(holds) = run.path.decisions.get(run.asked - 1) {
            return Ok(*holds);
        }
        let is_long = run.path.decisions.len() >= run.most_decisions || self.budget.work_done() >= run.most_work;
        // ended between two decisions, where the path alone suffices to continue
        if is_long || run.other_paths.len() >= run.most_forks {
            run.path.delays += u32::from(is_long);
            run.path.suspended_at = Some(guard.site);
            run.was_suspended = true;
            return Err(ValueError::from_undefined(UndefinedValue::of_operation(
                UndefinedCause::Fuel,
                "it is to go on later",
            )));
        }
        // a part that turns out empty is abandoned
        let holds = self.decide_anew(&mut run, asked);
        match run.path.extent.is_empty() {
            true => {
                Err(ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Undecided, guard.test)))
            }
            false => Ok(holds),
        }
    }
}

/// The options of an enumeration of pieces.
#[derive(Clone, Debug)]
pub struct ExplorationOptions {
    /// The clauses of the semantics.
    pub hooks: Arc<dyn PiecewiseHooks>,
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfolding_limit: Option<u64>,
    /// The number of pieces asked for.
    pub limit: usize,
    /// The most steps of one run.
    pub max_steps: u64,
    /// The budget of all runs.
    pub budget: Arc<Budget>,
}

/// The pieces of a program, with the places of their guards and operations.
#[derive(Debug)]
pub struct ExploredPieces {
    /// The piecewise function.
    pub pap: PiecewiseMap,
    /// The number of runs.
    pub runs: usize,
    model: EvaluatorModel<PiecewiseUniverse<ReplayOracle>>,
}

impl ExploredPieces {
    /// Returns the place of a guard or an operation; `None` for an unknown site.
    #[must_use]
    pub fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        self.model.0.location_of(site)
    }
}

impl std::fmt::Debug for EvaluatorModel<PiecewiseUniverse<ReplayOracle>> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A function to unfold, built in the universe of the runs.
pub type FunctionBuilder<'p> =
    dyn Fn(&EvaluatorModel<PiecewiseUniverse<ReplayOracle>>) -> Result<ValueFunction<Graph>, SemanticsError> + 'p;
/// The application of a function to coordinates.
type CoordinateApplication = dyn Fn(&ValueFunction<Graph>, &[Variable]) -> Result<Value<Graph>, ValueError>;

impl ExplorationOptions {
    /// Enumerates the pieces of a closed program of type `Real -> Real` between two numbers.
    ///
    /// # Errors
    /// A construct that the model lacks; a value that is no number.
    pub fn explore_interval(
        &self,
        term: &Term,
        from: &Rational,
        to: &Rational,
    ) -> Result<ExploredPieces, SemanticsError> {
        self.explore_function(&|model| Ok(model.evaluate_closed(term)?.as_function()?.clone()), from, to)
    }

    /// Returns the pieces of a closed program of type `Real -> Real` between two numbers as a family, in the order in which they are
    /// found, over [`coordinate_variables`]. Members are searched for when they are asked for, within the budget.
    ///
    /// The rest of the family is the length of the interval without the first pieces. These are disjoint, so nothing else is left.
    ///
    /// # Errors
    /// Those of [`ExplorationOptions::explore_interval`].
    pub fn explore_family(
        &self,
        term: &Term,
        from: &Rational,
        to: &Rational,
    ) -> Result<CountableFamily<AnalyticPiece>, SemanticsError> {
        let first = self.explore_in_coordinates(term, from, to, FIRST_MEMBERS)?;
        if first.frontier.is_empty() {
            return Ok(first.pieces.into());
        }
        let (options, term, ends) = (self.clone(), term.clone(), [from.clone(), to.clone()]);
        let found = Arc::new(Mutex::new(first.pieces));
        let search = Arc::new(move |n: usize| {
            let mut found = lock(&found);
            // twice as many each time, so that all searches together take a small multiple of the last one
            if n >= found.len() {
                let limit = (n + 1).max(2 * found.len());
                // an enumeration begins as a shorter one does: the pieces that are known come first again
                if let Ok(more) = options.explore_in_coordinates(&term, &ends[0], &ends[1], limit) {
                    let known = found.len();
                    found.extend(more.pieces.into_iter().skip(known));
                }
            }
            found.get(n).cloned()
        });
        let (lengths, whole) = (search.clone(), Rational::from(to - from));
        let rest = move |n: usize| {
            let length = |piece: AnalyticPiece| {
                piece.region.map_or_else(Rational::new, |region| region.length_bounds()[0].clone())
            };
            (0..n).filter_map(|k| lengths(k)).fold(whole.clone(), |left, piece| left - length(piece))
        };
        Ok(CountableFamily::new(move |n| search(n)).with_rest(rest))
    }

    /// Enumerates a number of pieces of a closed program on an interval, over [`coordinate_variables`].
    fn explore_in_coordinates(
        &self,
        term: &Term,
        from: &Rational,
        to: &Rational,
        limit: usize,
    ) -> Result<PiecewiseMap, SemanticsError> {
        let PiecewiseMap { variables, domain, pieces, frontier } =
            Self { limit, ..self.clone() }.explore_interval(term, from, to)?.pap;
        let coordinates = coordinate_variables(variables.len());
        let along: Vec<_> = variables.into_iter().zip(coordinates.iter().map(|v| Graph::variable(*v))).collect();
        let move_guard =
            |own: &GuardCondition| GuardCondition { guard: own.guard.preimage_under(&along), ..own.clone() };
        let move_piece = |piece: AnalyticPiece| AnalyticPiece {
            guards: piece.guards.iter().map(move_guard).collect(),
            outcome: piece.outcome.substitute(&along),
            ..piece
        };
        let pieces = pieces.into_iter().map(move_piece).collect();
        Ok(PiecewiseMap { variables: coordinates, domain, pieces, frontier })
    }

    /// Enumerates the pieces of a closed program of type `c₁ -> … -> Real -> Real` applied to primitives, between two numbers.
    ///
    /// # Errors
    /// Those of [`ExplorationOptions::explore_interval`].
    pub fn explore_with_primitives(
        &self,
        primitives: &[ForeignPrimitive],
        term: &Term,
        from: &Rational,
        to: &Rational,
    ) -> Result<ExploredPieces, SemanticsError> {
        self.explore_function(
            &|model| Ok(apply_to_primitives(model, primitives, term)?.as_function()?.clone()),
            from,
            to,
        )
    }

    /// Enumerates the pieces of a function between two numbers.
    ///
    /// # Errors
    /// Those of [`ExplorationOptions::explore_interval`].
    pub fn explore_function(
        &self,
        program: &FunctionBuilder<'_>,
        from: &Rational,
        to: &Rational,
    ) -> Result<ExploredPieces, SemanticsError> {
        let finest = Rational::from(to - from) >> FINEST_PART_BITS;
        let region = IntervalUnion(vec![LineInterval::closed_between(from, to)]);
        let whole = (Some(vec![[from.clone(), to.clone()]]), PartExtent::Line(region));
        self.explore(program, 1, finest, whole, &|f, x| f.apply(&Value::Real(Graph::variable(x[0]))))
    }

    /// Enumerates the pieces of a closed program on a box of ℝⁿ, n > 1. The program takes a tuple of n real numbers, or one after the
    /// other if `is_curried`, and returns a real number or a tuple of them.
    ///
    /// # Errors
    /// Those of [`ExplorationOptions::explore_interval`].
    pub fn explore_box(
        &self,
        term: &Term,
        domain: &[[Rational; 2]],
        is_curried: bool,
    ) -> Result<ExploredPieces, SemanticsError> {
        let finest = Rational::from(1) >> FINEST_PART_BITS;
        let whole = (Some(domain.to_vec()), PartExtent::Boxes(Paving::of_box(domain)));
        let program: &FunctionBuilder<'_> = &|model| Ok(model.evaluate_closed(term)?.as_function()?.clone());
        self.explore(program, domain.len(), finest, whole, &move |f, x| {
            let number = |v: &Variable| Value::Real(Graph::variable(*v));
            // application by application: a curried function may compare its first numbers before it has the others
            match (is_curried, x) {
                (true, [first, others @ ..]) => {
                    others.iter().try_fold(f.apply(&number(first))?, |f, v| f.as_function()?.apply(&number(v)))
                }
                _ => f.apply(&Value::tuple_of(x.iter().map(number))),
            }
        })
    }

    /// Enumerates the pieces of a closed program on all of ℝⁿ, n > 1. It takes a tuple of real numbers, and returns a number or a
    /// tuple of them.
    ///
    /// # Errors
    /// Those of [`ExplorationOptions::explore_interval`].
    pub fn explore_everywhere(&self, term: &Term, n: usize) -> Result<ExploredPieces, SemanticsError> {
        let finest = Rational::from(1) >> FINEST_PART_BITS;
        let whole = (None, PartExtent::Anywhere);
        self.explore(&|model| Ok(model.evaluate_closed(term)?.as_function()?.clone()), n, finest, whole, &|f, x| {
            f.apply(&Value::tuple_of(x.iter().map(|v| Value::Real(Graph::variable(*v)))))
        })
    }

    /// Runs until there are enough pieces, nothing waits, or the budget ends.
    fn explore(
        &self,
        program: &FunctionBuilder<'_>,
        n: usize,
        finest: Rational,
        (domain, whole): (Option<RationalBox>, PartExtent),
        apply: &CoordinateApplication,
    ) -> Result<ExploredPieces, SemanticsError> {
        let variables: Vec<_> = (0..n).map(|_| Variable::fresh()).collect();
        let (budget, run, normaliser) = (self.budget.clone(), Mutex::default(), Mutex::default());
        let oracle = ReplayOracle {
            variables: variables.clone(),
            finest,
            budget: budget.clone(),
            hooks: self.hooks.clone(),
            normaliser,
            run,
        };
        let universe = PiecewiseUniverse::new(oracle, budget).with_limits(self.unfolding_limit, self.max_steps);
        let model = EvaluatorModel::new(universe);
        let function = program(&model)?;
        let mut pap = PiecewiseMap { variables: variables.clone(), domain, pieces: Vec::new(), frontier: Vec::new() };
        let (mut waiting, mut runs) = (PathQueue::default(), 0);
        waiting.push(DecisionPath::of_extent(whole));
        let mut most_forks = MAX_FIRST_FORKS;
        let is_enough = |pieces: usize, runs: usize, waiting: usize| {
            pieces >= self.limit
                || runs >= self.limit.saturating_mul(MAX_RUNS_PER_PIECE)
                || waiting > MAX_WAITING_PATHS.max(self.limit)
        };
        while !is_enough(pap.pieces.len(), runs, waiting.len()) && !self.budget.is_exhausted() {
            let Some(path) = waiting.next() else { break };
            runs += 1;
            // at most 2²⁴ times the patience, so that the shifts stay in range
            let delays = path.delays.min(24);
            let most_decisions = path.decisions.len() + (MIN_NEW_DECISIONS << delays);
            let most_work = self.budget.work_done().saturating_add(MIN_RUN_WORK << delays);
            *lock(&model.0.oracle().run) =
                ReplayRun { path, most_forks, most_decisions, most_work, ..ReplayRun::default() };
            model.0.begin_run();
            let found = apply(&function, &variables)
                .and_then(|value| Ok(value.coordinates()?.into_iter().cloned().collect::<Vec<_>>()));
            let ReplayRun { path, other_paths: others, undecided, was_suspended: left, .. } =
                std::mem::take(&mut *lock(&model.0.oracle().run));
            others.into_iter().for_each(|path| waiting.push(path));
            pap.frontier
                .extend(undecided.into_iter().map(|(path, at)| path.into_frontier(StopReason::Undecided, Some(at))));
            if path.extent.is_empty() {
                continue;
            }
            // the order matters: a run that was ended has an error, but it is not one of the program
            let outcome = match found {
                _ if left => {
                    waiting.push(path);
                    continue;
                }
                Ok(values) => PieceValue::Values(values),
                Err(ValueError::Undefined(found)) if found.certain => PieceValue::Undefined(*found),
                Err(ValueError::Undefined(found)) if found.cause == UndefinedCause::Fuel => {
                    pap.frontier.push(path.into_frontier(StopReason::Fuel, found.site.index().map(|_| found.site)));
                    continue;
                }
                Err(ValueError::Undefined(found)) => {
                    pap.frontier.push(path.into_frontier(StopReason::Undecided, Some(found.site)));
                    continue;
                }
                Err(ValueError::Unsupported { model, construct }) => {
                    return Err(InterpretError::from(crate::model::Unsupported { model, construct }).into());
                }
                Err(error) => return Err(error.into()),
            };
            // later runs may fork twice as often as a piece has so far: a part that forks without end is then left early
            let deepest = if pap.pieces.is_empty() { MIN_FORKS } else { most_forks };
            most_forks = deepest.max(2 * path.fork_count());
            let guards = path.decided_guards();
            let found = pap.examine_piece(guards, path.extent, outcome, &self.budget);
            pap.pieces.extend(found);
        }
        let why = if self.budget.is_exhausted() { StopReason::Fuel } else { StopReason::Limit };
        pap.frontier.extend(waiting.into_paths().map(|path| path.into_frontier(why, None)));
        // a mutant: the rest is concealed
        if !self.hooks.reports_frontier() {
            pap.frontier.clear();
        }
        Ok(ExploredPieces { pap, runs, model })
    }
}

/// A set of signs that a number may have, one bit for each.
type SignSet = u8;

/// The set of all signs.
const ANY_SIGN: SignSet = 7;

fn sign_bit(sign: Ordering) -> SignSet {
    match sign {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 4,
    }
}

/// A decision that had an alternative, linked to the decisions before it.
#[derive(Debug)]
struct DecisionLink {
    above: Option<Arc<DecisionLink>>,
    decided: GuardCondition,
    /// The signs still possible for the number of the guard, by the key of its normal form up to a factor.
    signs: Option<(String, SignSet)>,
}

impl Drop for DecisionLink {
    /// Drops the chain in a loop: paths are long, and a recursive drop would need as much stack.
    fn drop(&mut self) {
        let mut next = self.above.take();
        // ends at the first link that another path shares
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.above.take();
        }
    }
}

/// The path to a part of the domain.
#[derive(Clone, Debug)]
struct DecisionPath {
    /// The answers to all guards that depend on the variables.
    pub decisions: Vec<bool>,
    /// The set in which the part lies.
    pub extent: PartExtent,
    /// The last decision that had an alternative.
    pub last: Option<Arc<DecisionLink>>,
    /// The number of times that a run on the path was ended because it took long. Paths with fewer delays go first.
    pub delays: u32,
    /// The site of the program at the last such end.
    pub suspended_at: Option<SourceId>,
}

impl Default for DecisionPath {
    fn default() -> Self {
        Self::of_extent(PartExtent::Anywhere)
    }
}

impl DecisionPath {
    /// Returns the path without decisions to a whole domain.
    pub fn of_extent(extent: PartExtent) -> Self {
        Self { decisions: Vec::new(), extent, last: None, delays: 0, suspended_at: None }
    }

    fn iter_links(&self) -> impl Iterator<Item = &DecisionLink> {
        std::iter::successors(self.last.as_deref(), |link| link.above.as_deref())
    }

    /// Returns the path with one more decision that had an alternative.
    pub fn with_decision(
        &self,
        asked: &GuardQuery,
        holds: bool,
        signs: Option<(String, SignSet)>,
        extent: PartExtent,
    ) -> Self {
        let mut next = Self { decisions: self.decisions.clone(), ..Self::of_extent(extent) };
        next.decisions.push(holds);
        let decided =
            GuardCondition { guard: asked.guard.clone(), holds, is_condition: asked.role == GuardRole::Condition };
        next.last = Some(Arc::new(DecisionLink { above: self.last.clone(), decided, signs }));
        next
    }

    /// Returns the signs of a number for which a guard holds, and those for which it fails, among the signs still possible.
    ///
    /// `key` is the normal form of the number up to a factor, which is negative if `turned`.
    pub fn signs_by_answer(&self, key: &str, turned: bool, guard: &SignGuard) -> [SignSet; 2] {
        // from the last link on: a later entry for the same number is the narrower one
        let known = self.iter_links().filter_map(|link| link.signs.as_ref()).find(|(other, _)| other == key);
        let left = known.map_or(ANY_SIGN, |(_, signs)| *signs);
        let mut sides = [0; 2];
        for sign in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            if left & sign_bit(sign) != 0 {
                let own = if turned { sign.reverse() } else { sign };
                sides[usize::from(!guard.test.is_satisfied_by(own))] |= sign_bit(sign);
            }
        }
        sides
    }

    /// Returns the decisions that had an alternative, from the first on.
    pub fn decided_guards(&self) -> Vec<GuardCondition> {
        let mut guards: Vec<_> = self.iter_links().map(|link| link.decided.clone()).collect();
        guards.reverse();
        guards
    }

    /// Returns the number of these decisions.
    pub fn fork_count(&self) -> usize {
        self.iter_links().count()
    }

    /// Converts to a part that is not unfolded. Without a better site it gets that of the last guard with an alternative.
    pub fn into_frontier(self, why: StopReason, site: Option<SourceId>) -> Frontier {
        let last = self.last.as_ref().map_or(SourceId::NOWHERE, |link| link.decided.guard.site);
        let site = site.or(self.suspended_at).unwrap_or(last);
        Frontier::new(self.decided_guards(), self.extent, why, site)
    }
}

/// One in this many runs takes the oldest path; a choice.
const OLDEST_EVERY: usize = 4;

/// The priority of a path, greatest first: fewer delays, then a longer part, then an earlier arrival.
type PathRank = (Reverse<u32>, Rational, Reverse<u64>);

/// A queue of paths in two orders at once: by priority, and by age.
///
/// Paths with fewer delays go first, and among these the longer parts. Every fourth is the oldest, so that each is taken some
/// time.
#[derive(Debug, Default)]
struct PathQueue {
    paths: BTreeMap<u64, (PathRank, DecisionPath)>,
    ranks: BTreeSet<PathRank>,
    next: u64,
    taken: usize,
}

impl PathQueue {
    /// Returns the number of waiting paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Adds a path.
    pub fn push(&mut self, path: DecisionPath) {
        let length = path.extent.size_bound();
        let rank = (Reverse(path.delays), length, Reverse(self.next));
        self.ranks.insert(rank.clone());
        self.paths.insert(self.next, (rank, path));
        self.next += 1;
    }

    /// Removes and returns the path for the next run.
    pub fn next(&mut self) -> Option<DecisionPath> {
        self.taken += 1;
        // fairness: by priority alone a part that forks without end would keep all others waiting
        if self.taken.is_multiple_of(OLDEST_EVERY) {
            let (_, (rank, path)) = self.paths.pop_first()?;
            self.ranks.remove(&rank);
            return Some(path);
        }
        let (_, _, Reverse(number)) = self.ranks.pop_last()?;
        self.paths.remove(&number).map(|(_, path)| path)
    }

    /// Returns all waiting paths, by priority.
    pub fn into_paths(mut self) -> impl Iterator<Item = DecisionPath> {
        let ranks = std::mem::take(&mut self.ranks);
        ranks.into_iter().rev().filter_map(move |(_, _, Reverse(number))| Some(self.paths.remove(&number)?.1))
    }
}
