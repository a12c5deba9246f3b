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
//! answers are not followed, and pieces have lengths. For several variables, an answer is excluded only by earlier answers to the
//! same guard.

mod path;
mod queue;

use super::foreign::{Primitive, given};
use super::hooks::Hooks;
use super::oracle::{Asked, Oracle};
use super::{Pieces, locked};
use crate::model::answer::MeaningError;
use crate::model::universe::Evaluator;
use crate::model::{InterpretError, Place};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::fraction::Normaliser;
use crate::pieces::sign::sign;
use crate::pieces::{Guard, Outcome, Pap, Piece, Region, Rest, Stretch};
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::term::Term;
use crate::value::{Cause, Function, Site, Undefined, Value, ValueError};
use path::{Path, Signs};
use queue::Queue;
use std::sync::{Arc, Mutex};

/// The most steps of one run; a choice.
pub const MOST_STEPS: u64 = 200_000;
/// The forks after which a run ends while no piece is known, to continue when its part is the longest; a choice.
const MOST_FORKS: usize = 1 << 8;
/// The fewest forks after which a run ends once a piece is known; otherwise twice as many as a piece had. A choice.
const FEWEST_FORKS: usize = 32;
/// The new decisions after which a run ends, to continue when nothing else waits; doubled with each delay. A choice.
const PATIENCE: usize = 1 << 8;
/// The work units after which a run ends likewise; doubled with each delay. A choice.
const MOST_WORK: u64 = 1 << 18;
/// The most runs for each piece that is asked for; a choice.
const RUNS: usize = 64;
/// The most paths that may wait; a choice.
const MOST_WAITING: usize = 10_000;
/// The binary exponent of the finest part: a part of 2⁻⁴⁴ of the interval is not distinguished from a point. A choice.
const FINEST: u32 = 44;

/// The oracle that replays decisions and makes new ones.
#[derive(Debug)]
pub struct Replay {
    variables: Vec<Variable>,
    /// The length below which a part of the line is not distinguished from a point.
    finest: Rational,
    budget: Arc<Budget>,
    hooks: Arc<dyn Hooks>,
    /// The normaliser of all guards. It is shared because the numbering of atoms differs between normalisers.
    normaliser: Mutex<Normaliser>,
    run: Mutex<Run>,
}

/// The state of a run.
#[derive(Debug, Default)]
struct Run {
    path: Path,
    /// The number of guards asked so far, those replayed included.
    asked: usize,
    /// The paths of the other answers, for later runs.
    others: Vec<Path>,
    /// The parts on which guards are undecided, with the sites of these.
    undecided: Vec<(Path, Site)>,
    /// The number of forks after which the run ends.
    most_forks: usize,
    /// The number of decisions after which the run ends.
    most_decisions: usize,
    /// The total work of all runs at which the run ends.
    most_work: u64,
    /// `true` if the run was ended, to continue later.
    left: bool,
}

impl Replay {
    /// Returns the normal form of a guard's number, and the signs still possible for each answer; `None` without a normal form.
    fn signs(&self, path: &Path, guard: &Guard) -> Option<(String, [Signs; 2])> {
        let (key, turned) = locked(&self.normaliser).fraction(&guard.graph)?.up_to_scale()?;
        let sides = path.signs(&key, turned, guard);
        Some((key, sides))
    }

    /// Decides a guard that is not on the path yet, and adds the decision to it.
    fn decided(&self, run: &mut Run, asked: &Asked) -> bool {
        let Run { path, others, undecided, .. } = run;
        let signs = self.signs(path, &asked.guard);
        let side = |holds: bool| signs.as_ref().map(|(key, sides)| (key.clone(), sides[usize::from(!holds)]));
        // earlier answers about the same number leave one answer only: no fork
        if let Some((_, sides)) = &signs
            && let Some(other) = sides.iter().position(|signs| *signs == 0)
        {
            let holds = other == 1;
            path.decisions.push(holds);
            return holds;
        }
        let [inside, outside, open] = match (&path.region, &self.variables[..]) {
            (Some(region), [v]) => {
                let mut forms = locked(&self.normaliser);
                region.split(*v, &asked.guard, &mut forms, &self.finest, &self.budget).map(Some)
            }
            _ => [None, None, None],
        };
        // without a region nothing is known to be impossible
        let possible = |region: &Option<Region>| region.as_ref().is_none_or(|region| !region.is_empty());
        let holds = match (possible(&inside), possible(&outside)) {
            (true, false) => true,
            // the longer part first: it is likelier to be what the user asks about
            (false, true) => false,
            _ => match (&inside, &outside) {
                (Some(inside), Some(outside)) => inside.length()[1] > outside.length()[1],
                _ => true,
            },
        };
        let (here, there) = if holds { (inside, outside) } else { (outside, inside) };
        let is_all_told = open.as_ref().is_none_or(Region::is_empty);
        if !possible(&there) && is_all_told {
            path.decisions.push(holds);
            return holds;
        }
        // where the guard is undecided the part is reported, and followed by neither answer
        if !is_all_told {
            undecided.push((Path { region: open, ..path.clone() }, asked.guard.site));
        }
        if possible(&there) && self.hooks.follows_both() {
            others.push(path.with(asked, !holds, side(!holds), there));
        }
        *path = path.with(asked, holds, side(holds), here);
        holds
    }
}

impl Oracle for Replay {
    fn hooks(&self) -> &dyn Hooks {
        &*self.hooks
    }
    fn known(&self, guard: &Guard) -> Option<bool> {
        // a guard without the variables is the same in all runs; it is not on the path
        if !self.variables.iter().any(|v| guard.graph.depends_on(*v)) {
            return None;
        }
        let mut run = locked(&self.run);
        let known = run.path.decisions.get(run.asked).copied();
        run.asked += usize::from(known.is_some());
        known
    }
    fn variables(&self) -> &[Variable] {
        &self.variables
    }
    fn decide(&self, asked: &Asked) -> Result<bool, ValueError> {
        let guard = &asked.guard;
        if !self.variables.iter().any(|v| guard.graph.depends_on(*v)) {
            let undecided = |agreement| {
                let found = Undefined::of(Cause::Undecided, guard.test);
                ValueError::undefined(Undefined { agreement, site: guard.site, ..found })
            };
            // constant in the variables: decided by its sign, once and for all
            return sign(&guard.graph, &self.budget).map(|sign| guard.test.holds(sign)).map_err(undecided);
        }
        let mut run = locked(&self.run);
        run.asked += 1;
        if let Some(holds) = run.path.decisions.get(run.asked - 1) {
            return Ok(*holds);
        }
        let is_long = run.path.decisions.len() >= run.most_decisions || self.budget.work_done() >= run.most_work;
        // ended between two decisions, where the path alone suffices to continue
        if is_long || run.others.len() >= run.most_forks {
            run.path.delays += u32::from(is_long);
            run.path.stands = Some(guard.site);
            run.left = true;
            return Err(ValueError::undefined(Undefined::of(Cause::Fuel, "it is to go on later")));
        }
        // a part that turns out empty is abandoned
        let holds = self.decided(&mut run, asked);
        match run.path.region.as_ref().is_some_and(Region::is_empty) {
            true => Err(ValueError::undefined(Undefined::of(Cause::Undecided, guard.test))),
            false => Ok(holds),
        }
    }
}

/// The options of an enumeration of pieces.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// The clauses of the semantics.
    pub hooks: Arc<dyn Hooks>,
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfoldings: Option<u64>,
    /// The number of pieces asked for.
    pub limit: usize,
    /// The most steps of one run.
    pub steps: u64,
    /// The budget of all runs.
    pub budget: Arc<Budget>,
}

/// The pieces of a program, with the places of their guards and operations.
#[derive(Debug)]
pub struct Unfolded {
    /// The piecewise function.
    pub pap: Pap,
    /// The number of runs.
    pub runs: usize,
    model: Evaluator<Pieces<Replay>>,
}

impl Unfolded {
    /// Returns the place of a guard or an operation; `None` for an unknown site.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<Place> {
        self.model.0.place(site)
    }
}

impl std::fmt::Debug for Evaluator<Pieces<Replay>> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A function to unfold, built in the universe of the runs.
pub type Program<'p> = dyn Fn(&Evaluator<Pieces<Replay>>) -> Result<Function<Graph>, MeaningError> + 'p;
/// The application of a function to coordinates.
type Applied = dyn Fn(&Function<Graph>, &[Variable]) -> Result<Value<Graph>, ValueError>;

impl Unfolding {
    /// Enumerates the pieces of a closed program of type `Real -> Real` between two numbers.
    ///
    /// # Errors
    /// A construct that the model lacks; a value that is no number.
    pub fn on(&self, term: &Term, from: &Rational, to: &Rational) -> Result<Unfolded, MeaningError> {
        self.of(&|model| Ok(model.value(term)?.as_function()?.clone()), from, to)
    }

    /// Enumerates the pieces of a closed program of type `c₁ -> … -> Real -> Real` applied to primitives, between two numbers.
    ///
    /// # Errors
    /// Those of [`Unfolding::on`].
    pub fn with(
        &self,
        primitives: &[Primitive],
        term: &Term,
        from: &Rational,
        to: &Rational,
    ) -> Result<Unfolded, MeaningError> {
        self.of(&|model| Ok(given(model, primitives, term)?.as_function()?.clone()), from, to)
    }

    /// Enumerates the pieces of a function between two numbers.
    ///
    /// # Errors
    /// Those of [`Unfolding::on`].
    pub fn of(&self, program: &Program<'_>, from: &Rational, to: &Rational) -> Result<Unfolded, MeaningError> {
        let finest = Rational::from(to - from) >> FINEST;
        let region = Region(vec![Stretch::between(from, to)]);
        self.unfold(program, 1, finest, Some(region), &|f, x| f.apply(&Value::Real(Graph::variable(x[0]))))
    }

    /// Enumerates the pieces of a closed program of type `Real^n -> Real`, n > 1, on all of ℝⁿ.
    ///
    /// # Errors
    /// Those of [`Unfolding::on`].
    pub fn everywhere(&self, term: &Term, n: usize) -> Result<Unfolded, MeaningError> {
        let finest = Rational::from(1) >> FINEST;
        self.unfold(&|model| Ok(model.value(term)?.as_function()?.clone()), n, finest, None, &|f, x| {
            f.apply(&Value::tuple(x.iter().map(|v| Value::Real(Graph::variable(*v)))))
        })
    }

    /// Runs until there are enough pieces, nothing waits, or the budget ends.
    fn unfold(
        &self,
        program: &Program<'_>,
        n: usize,
        finest: Rational,
        region: Option<Region>,
        apply: &Applied,
    ) -> Result<Unfolded, MeaningError> {
        let variables: Vec<_> = (0..n).map(|_| Variable::fresh()).collect();
        let (budget, run, normaliser) = (self.budget.clone(), Mutex::default(), Mutex::default());
        let oracle = Replay {
            variables: variables.clone(),
            finest,
            budget: budget.clone(),
            hooks: self.hooks.clone(),
            normaliser,
            run,
        };
        let universe = Pieces::new(oracle, budget).limited(self.unfoldings, self.steps);
        let model = Evaluator::new(universe);
        let function = program(&model)?;
        let mut pap = Pap { variables: variables.clone(), pieces: Vec::new(), frontier: Vec::new() };
        let (mut waiting, mut runs) = (Queue::default(), 0);
        waiting.push(Path::to(region));
        let mut most_forks = MOST_FORKS;
        let is_enough = |pieces: usize, runs: usize, waiting: usize| {
            pieces >= self.limit || runs >= self.limit.saturating_mul(RUNS) || waiting > MOST_WAITING.max(self.limit)
        };
        while !is_enough(pap.pieces.len(), runs, waiting.len()) && !self.budget.is_exhausted() {
            let Some(path) = waiting.next() else { break };
            runs += 1;
            // at most 2²⁴ times the patience, so that the shifts stay in range
            let delays = path.delays.min(24);
            let most_decisions = path.decisions.len() + (PATIENCE << delays);
            let most_work = self.budget.work_done().saturating_add(MOST_WORK << delays);
            *locked(&model.0.oracle().run) = Run { path, most_forks, most_decisions, most_work, ..Run::default() };
            model.0.begin();
            let found = apply(&function, &variables).and_then(|value| Ok(value.as_real()?.clone()));
            let Run { path, others, undecided, left, .. } = std::mem::take(&mut *locked(&model.0.oracle().run));
            others.into_iter().for_each(|path| waiting.push(path));
            pap.frontier.extend(undecided.into_iter().map(|(path, at)| path.rest(Rest::Undecided, Some(at))));
            if path.region.as_ref().is_some_and(Region::is_empty) {
                continue;
            }
            // the order matters: a run that was ended has an error, but it is not one of the program
            let outcome = match found {
                _ if left => {
                    waiting.push(path);
                    continue;
                }
                Ok(value) => Outcome::Value(value),
                Err(ValueError::Undefined(found)) if found.certain => Outcome::Undefined(*found),
                Err(ValueError::Undefined(found)) if found.cause == Cause::Fuel => {
                    pap.frontier.push(path.rest(Rest::Fuel, found.site.index().map(|_| found.site)));
                    continue;
                }
                Err(ValueError::Undefined(found)) => {
                    pap.frontier.push(path.rest(Rest::Undecided, Some(found.site)));
                    continue;
                }
                Err(ValueError::Lacks { model, construct }) => {
                    return Err(InterpretError::from(crate::model::Unsupported { model, construct }).into());
                }
                Err(error) => return Err(error.into()),
            };
            // later runs may fork twice as often as a piece has so far: a part that forks without end is then left early
            let deepest = if pap.pieces.is_empty() { FEWEST_FORKS } else { most_forks };
            most_forks = deepest.max(2 * path.forks());
            pap.pieces.push(Piece { guards: path.guards(), region: path.region, outcome });
        }
        let why = if self.budget.is_exhausted() { Rest::Fuel } else { Rest::Limit };
        pap.frontier.extend(waiting.into_paths().map(|path| path.rest(why, None)));
        // a mutant: the rest is concealed
        if !self.hooks.tells_the_rest() {
            pap.frontier.clear();
        }
        Ok(Unfolded { pap, runs, model })
    }
}
