//! All pieces of a program: it is run with its decisions replayed.
//!
//! A run begins with the decisions that led where it begins, and goes on with its own: where both answers to a guard are possible, it
//! follows one, and the other is kept for a later run. So the pieces cost runs as many as they are, and no continuation is ever
//! kept. What is longest is unfolded first, and what takes long waits for all others; but every fourth run goes on where it was waited for
//! longest. So no part keeps another from being found, whether a program never ends on it or forks on it without an end: where finitely many
//! decisions lead to a piece, be it a point, it is found by some run, and there is always a next one.
//!
//! A function of one variable is unfolded on an interval: there it is [known](crate::pieces::line) where guards hold, what is not
//! possible is not followed, and pieces have lengths. Of more variables only what the same guard was answered before excludes an
//! answer.

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

/// The most steps of one run.
pub const MOST_STEPS: u64 = 200_000;
/// After how many forks a run ends, to go on when what is left is the longest, while no piece is known…
const MOST_FORKS: usize = 1 << 8;
/// …and then after so many, or twice as many as a piece has had.
const FEWEST_FORKS: usize = 32;
/// After how many new decisions a run ends, to go on when nothing else waits; then after twice as many, and so on.
const PATIENCE: usize = 1 << 8;
/// After how much work a run ends in the same way.
const MOST_WORK: u64 = 1 << 18;
/// How many runs there may be for each piece that is wanted.
const RUNS: usize = 64;
/// How many paths may wait.
const MOST_WAITING: usize = 10_000;
/// What part of an interval is not told from a point: 2 to the negative of this.
const FINEST: u32 = 44;

/// Replays decisions, and makes new ones.
#[derive(Debug)]
pub struct Replay {
    variables: Vec<Variable>,
    finest: Rational,
    budget: Arc<Budget>,
    hooks: Arc<dyn Hooks>,
    /// One for all guards: in another one the same atoms have other numbers.
    normaliser: Mutex<Normaliser>,
    run: Mutex<Run>,
}

#[derive(Debug, Default)]
struct Run {
    path: Path,
    asked: usize,
    /// Where other runs begin.
    others: Vec<Path>,
    /// What cannot be told apart, and where that was asked.
    undecided: Vec<(Path, Site)>,
    /// After how many forks it ends.
    most_forks: usize,
    /// After how many decisions.
    most_decisions: usize,
    /// At how much work of all runs.
    most_work: u64,
    /// Whether the run was ended, to go on later.
    left: bool,
}

impl Replay {
    /// The answers that the signs that are left allow, and these signs for each.
    fn signs(&self, path: &Path, guard: &Guard) -> Option<(String, [Signs; 2])> {
        let (key, turned) = locked(&self.normaliser).fraction(&guard.graph)?.up_to_scale()?;
        let sides = path.signs(&key, turned, guard);
        Some((key, sides))
    }

    fn decided(&self, run: &mut Run, asked: &Asked) -> bool {
        let Run { path, others, undecided, .. } = run;
        let signs = self.signs(path, &asked.guard);
        let side = |holds: bool| signs.as_ref().map(|(key, sides)| (key.clone(), sides[usize::from(!holds)]));
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
        let possible = |region: &Option<Region>| region.as_ref().is_none_or(|region| !region.is_empty());
        let holds = match (possible(&inside), possible(&outside)) {
            (true, false) => true,
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
            return sign(&guard.graph, &self.budget).map(|sign| guard.test.holds(sign)).map_err(undecided);
        }
        let mut run = locked(&self.run);
        run.asked += 1;
        if let Some(holds) = run.path.decisions.get(run.asked - 1) {
            return Ok(*holds);
        }
        let is_long = run.path.decisions.len() >= run.most_decisions || self.budget.work_done() >= run.most_work;
        if is_long || run.others.len() >= run.most_forks {
            run.path.delays += u32::from(is_long);
            run.path.stands = Some(guard.site);
            run.left = true;
            return Err(ValueError::undefined(Undefined::of(Cause::Fuel, "it is to go on later")));
        }
        let holds = self.decided(&mut run, asked);
        match run.path.region.as_ref().is_some_and(Region::is_empty) {
            true => Err(ValueError::undefined(Undefined::of(Cause::Undecided, guard.test))),
            false => Ok(holds),
        }
    }
}

/// How a program is unfolded.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// By which clauses.
    pub hooks: Arc<dyn Hooks>,
    /// How often recursive functions are unfolded, where that is limited.
    pub unfoldings: Option<u64>,
    /// How many pieces are wanted.
    pub limit: usize,
    /// The most steps of one run.
    pub steps: u64,
    /// What it may cost.
    pub budget: Arc<Budget>,
}

/// The pieces of a program, with the places of what they mention.
#[derive(Debug)]
pub struct Unfolded {
    /// The function.
    pub pap: Pap,
    /// How often the program was run.
    pub runs: usize,
    model: Evaluator<Pieces<Replay>>,
}

impl Unfolded {
    /// Where a guard or an operation stands.
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

/// What is unfolded: a function, in the universe of a run.
pub type Program<'p> = dyn Fn(&Evaluator<Pieces<Replay>>) -> Result<Function<Graph>, MeaningError> + 'p;
/// How a function is applied to coordinates.
type Applied = dyn Fn(&Function<Graph>, &[Variable]) -> Result<Value<Graph>, ValueError>;

impl Unfolding {
    /// The pieces of a closed program of type `Real -> Real` on the numbers between two.
    ///
    /// # Errors
    /// What the model lacks; a number that is no value of the function.
    pub fn on(&self, term: &Term, from: &Rational, to: &Rational) -> Result<Unfolded, MeaningError> {
        self.of(&|model| Ok(model.value(term)?.as_function()?.clone()), from, to)
    }

    /// The pieces of a closed program of type `c₁ -> … -> Real -> Real` with primitives in the place of its first arguments.
    ///
    /// # Errors
    /// As for [`Unfolding::on`].
    pub fn with(
        &self,
        primitives: &[Primitive],
        term: &Term,
        from: &Rational,
        to: &Rational,
    ) -> Result<Unfolded, MeaningError> {
        self.of(&|model| Ok(given(model, primitives, term)?.as_function()?.clone()), from, to)
    }

    /// The pieces of a function on the numbers between two.
    ///
    /// # Errors
    /// As for [`Unfolding::on`].
    pub fn of(&self, program: &Program<'_>, from: &Rational, to: &Rational) -> Result<Unfolded, MeaningError> {
        let finest = Rational::from(to - from) >> FINEST;
        let region = Region(vec![Stretch::between(from, to)]);
        self.unfold(program, 1, finest, Some(region), &|f, x| f.apply(&Value::Real(Graph::variable(x[0]))))
    }

    /// The pieces of a closed program of type `Real^n -> Real`, n > 1, everywhere.
    ///
    /// # Errors
    /// As for [`Unfolding::on`].
    pub fn everywhere(&self, term: &Term, n: usize) -> Result<Unfolded, MeaningError> {
        let finest = Rational::from(1) >> FINEST;
        self.unfold(&|model| Ok(model.value(term)?.as_function()?.clone()), n, finest, None, &|f, x| {
            f.apply(&Value::tuple(x.iter().map(|v| Value::Real(Graph::variable(*v)))))
        })
    }

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
            let deepest = if pap.pieces.is_empty() { FEWEST_FORKS } else { most_forks };
            most_forks = deepest.max(2 * path.forks());
            pap.pieces.push(Piece { guards: path.guards(), region: path.region, outcome });
        }
        let why = if self.budget.is_exhausted() { Rest::Fuel } else { Rest::Limit };
        pap.frontier.extend(waiting.into_paths().map(|path| path.rest(why, None)));
        if !self.hooks.tells_the_rest() {
            pap.frontier.clear();
        }
        Ok(Unfolded { pap, runs, model })
    }
}
