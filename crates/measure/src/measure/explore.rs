//! Exploration of the paths of a probabilistic program, in order of decreasing probability.
//!
//! Every run follows one path to its end, to a draw with several values, or to a guard that cannot be decided. Each
//! alternative waits with an upper bound on its probability. So the ended, the undefined, the open and the waiting
//! paths together cover all traces.

mod tail;

use super::contribution::{Contribution, Factors};
use super::demand::{check, check_seen};
use super::distribution::{Distribution, Kind};
use super::draws::{Draw, Draws, Parameter, Path, Span};
use super::integral::Leaf;
use super::range::range;
use super::shear::sheared;
use super::trials::contributed;
use super::vocabulary::{Ending, Factor, Vocabulary, density};
use super::{Fault, Model};
use crate::meaning::pap::Pieces;
use crate::model::answer::MeaningError;
use crate::model::below;
use crate::model::culprit::Culprit;
use crate::model::universe::Evaluator;
use crate::model::{InterpretError, Place, Unsupported};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::graph::Graph;
use crate::value::{Site, Undefined, Value, ValueError};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::Duration;

/// The least and the greatest rate at which a Poisson distribution is explored from its mode. A choice: below 30 the
/// first numbers are close to the mode, and beyond 10¹² a sum has no hope.
const FAR: f64 = 30.0;
const FARTHEST: f64 = 1e12;
/// The greatest number of steps of one run. A choice.
const MOST_STEPS: u64 = 200_000;
/// The time and the work units to bound the probability of a path. A choice: a loose bound only changes the order of
/// paths.
const MOMENT: Duration = Duration::from_millis(50);
const MOMENT_OF_WORK: u64 = 1_000_000;
/// The least bound on the probability of a path if a derivative is wanted, as a power of two. A choice: a path of
/// probability 0 at the parameter may still have a derivative.
const LEAST: i64 = -200;
/// The greatest number of rare paths to follow to their ends, and the steps for each. A choice: loops take more steps.
const MOST_RARE: usize = 16;
const STEPS_OF_RARE: usize = 6;
/// The greatest number of waiting paths. A choice: it bounds memory.
const MOST_WAITING: usize = 100_000;

/// A path on which the program returns a value.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The path.
    pub path: Path,
    /// The weights of scores and observations.
    pub scores: Vec<Graph>,
    /// The function of the value whose mean is wanted. `None` for 1, if only the normalising constant is wanted.
    pub value: Option<Graph>,
    /// An upper bound on the probability of the path.
    pub chance: Magnitude,
}

impl Ended {
    /// Returns `true` if the path is a tail whose sum has a closed form.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let factors: Vec<Graph> = self.scores.iter().chain(&self.value).cloned().collect();
        contributed(&self.path, &factors).is_some()
    }

    /// Applies [`sheared`] to every guard that allows it, so that fewer draws depend on each other in the cells.
    #[must_use]
    pub fn sheared(self) -> Self {
        let factors: Vec<Graph> = self.scores.into_iter().chain(self.value.clone()).collect();
        let (path, mut factors) = sheared(&self.path, &factors);
        // the value was the last of the factors
        let value = self.value.and_then(|_| factors.pop());
        Self { path, scores: factors, value, chance: self.chance }
    }
}

/// The paths explored so far.
#[derive(Debug, Default)]
pub struct Explored {
    /// The paths that ended with a value.
    pub ended: Vec<Ended>,
    /// The paths on which the program is certainly undefined, with the reason.
    pub undefined: Vec<(Path, Undefined)>,
    /// The reasons why other paths could not be continued, each with an upper bound on its probability.
    pub open: Vec<(Undefined, Magnitude)>,
    /// The number of runs of the program.
    pub runs: usize,
}

/// A path that waits, perhaps with a range of natural numbers as its next draw.
#[derive(Clone)]
struct Waiting {
    /// An upper bound on the probability.
    chance: Magnitude,
    /// A sequence number, which breaks ties.
    order: usize,
    path: Path,
    /// The distribution and the range of the next draw, and a bound on the probability of `path` without it.
    naturals: Option<(Distribution, Span, Magnitude)>,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        // the greater probability first, and among equal ones the older path
        self.chance.cmp(&other.chance).then(other.order.cmp(&self.order))
    }
}

/// The end of a run.
enum Found {
    /// The run stops at a draw from the distribution.
    Wants(Distribution),
    /// The run returns weights, and the function of the value.
    Gives(Vec<Graph>, Option<Graph>),
    /// A parameter of an observed distribution violates its constraint.
    Refused(Fault),
}

/// An explorer of the paths of a model.
pub struct Explorer<'a> {
    model: &'a Model<'a>,
    parameter: Option<&'a Parameter>,
    universe: Evaluator<Pieces<Draws>>,
    program: Value<Graph>,
    vocabulary: Vocabulary,
    /// The number of sites in the program; greater indices are sites in the function of the values.
    places: usize,
    of: Option<Value<Graph>>,
    budget: Arc<Budget>,
    waiting: BinaryHeap<Waiting>,
    /// The number of paths that have waited.
    count: usize,
    /// The paths explored so far.
    pub explored: Explored,
}

impl std::fmt::Debug for Explorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("explored", &self.explored).finish_non_exhaustive()
    }
}

impl<'a> Explorer<'a> {
    /// Makes an explorer with the empty path waiting.
    ///
    /// # Errors
    /// [`Fault::Meaning`] if the semantics lacks a construct of the model, or the program is of another type.
    pub fn new(model: &'a Model<'a>, parameter: Option<&'a Parameter>, budget: &Arc<Budget>) -> Result<Self, Fault> {
        let oracle = Draws::new(parameter.cloned(), budget.clone());
        let universe = Evaluator::new(Pieces::new(oracle, budget.clone()).limited(None, MOST_STEPS));
        let program = universe.value(model.program)?;
        let vocabulary = Vocabulary::of(model.program)?;
        let places = universe.0.places();
        let of = model.of.map(|of| universe.value(of)).transpose()?;
        let (waiting, explored) = (BinaryHeap::new(), Explored::default());
        let mut explorer = Self {
            model,
            parameter,
            universe,
            program,
            vocabulary,
            places,
            of,
            budget: budget.clone(),
            waiting,
            count: 0,
            explored,
        };
        explorer.wait(Path::default(), Magnitude::power_of_two(0), None);
        Ok(explorer)
    }

    /// Adds a waiting path.
    fn wait(&mut self, path: Path, chance: Magnitude, naturals: Option<(Distribution, Span, Magnitude)>) {
        self.count += 1;
        self.waiting.push(Waiting { chance, order: self.count, path, naturals });
    }

    /// Returns the place of a site, and `true` if that is in the function of the values. Returns `None` if the place is
    /// unknown.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<(Place, bool)> {
        Some((self.universe.0.place(site)?, site.index()? >= self.places))
    }

    /// Returns the number of waiting paths.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Bounds the probability of all waiting paths.
    fn chance_of_waiting(&self) -> Magnitude {
        self.waiting.iter().fold(Magnitude::ZERO, |sum, waiting| sum + waiting.chance)
    }

    /// Explores until the waiting paths have probability at most `until`, and returns `true` then.
    ///
    /// Returns `false` if `most` paths have ended, too many wait, or `time` is exhausted before.
    ///
    /// # Errors
    /// The faults of a path: a constraint that fails, or an error of the semantics.
    pub fn go_on(&mut self, until: Magnitude, most: usize, time: &Budget) -> Result<bool, Fault> {
        // the sum is taken afresh: a running one would lose what is small
        while self.chance_of_waiting() > until {
            if self.explored.ended.len() >= most || self.waiting.len() >= MOST_WAITING || time.is_exhausted() {
                return Ok(false);
            }
            let Some(next) = self.waiting.pop() else { break };
            self.follow(next)?;
        }
        Ok(true)
    }

    /// Follows the waiting paths without natural numbers to their ends, if these are few and end soon. Otherwise the
    /// exploration is unchanged.
    ///
    /// If the function of the values has no bound, even the rarest path matters.
    ///
    /// # Errors
    /// The faults of a path that are not [`Fault::has_no_answer`].
    pub fn follow_rare(&mut self, time: &Budget) -> Result<(), Fault> {
        let is_rare = |next: &&Waiting| next.naturals.is_none();
        let most_steps = STEPS_OF_RARE * self.waiting.iter().filter(is_rare).count();
        if !(1..=STEPS_OF_RARE * MOST_RARE).contains(&most_steps) {
            return Ok(());
        }
        // the state to restore if the paths turn out to be long
        let (before, count) = (self.waiting.clone(), self.count);
        let Explored { ended, undefined, open, .. } = &self.explored;
        let [ended, undefined, open] = [ended.len(), undefined.len(), open.len()];
        let (rare, mut kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|next| next.naturals.is_none());
        self.waiting = rare.into();
        for _ in 0..most_steps {
            let Some(next) = self.waiting.pop().filter(|_| !time.is_exhausted()) else { break };
            if next.naturals.is_some() {
                kept.push(next);
                continue;
            }
            match self.follow(next.clone()) {
                // the path stays without a bound, as before
                Err(fault) if fault.has_no_answer() => kept.push(next),
                followed => followed?,
            }
        }
        // a partial result has no use here: one unfollowed path leaves the sum unbounded
        if self.waiting.iter().any(|next| next.naturals.is_none()) || time.is_exhausted() {
            (self.waiting, self.count) = (before, count);
            self.explored.ended.truncate(ended);
            self.explored.undefined.truncate(undefined);
            self.explored.open.truncate(open);
        } else {
            self.waiting.extend(kept);
        }
        Ok(())
    }

    /// Follows a waiting path until it ends or forks. The alternatives wait.
    fn follow(&mut self, next: Waiting) -> Result<(), Fault> {
        let Waiting { mut path, mut chance, naturals, .. } = next;
        if let Some((distribution, span, before)) = naturals {
            let (n, rest) = span.parted();
            if let Some(rest) = rest {
                self.wait_for(&path, &distribution, rest, before);
                // `before` and not `chance`: that one belongs to the whole range
            }
            let own = distribution.natural(n);
            chance = before * self.at_most(&path, &own);
            path.draws.push(Draw::Natural(n, own));
        }
        loop {
            let (found, walked, others) = self.run(path);
            path = walked;
            if !others.is_empty() {
                // the decisions of this run make the path rarer, so that its bound is computed anew
                let own = self.chance_of(&path, chance);
                for other in others {
                    let chance = self.chance_of(&other, chance);
                    if chance > Magnitude::ZERO {
                        self.wait(other, chance, None);
                    }
                }
                if own.is_zero() {
                    return Ok(());
                }
                chance = own;
            }
            match found {
                Ok(Found::Gives(scores, value)) => {
                    self.explored.ended.push(Ended { path, scores, value, chance });
                    return Ok(());
                }
                Ok(Found::Refused(fault)) => return Err(fault),
                Ok(Found::Wants(distribution)) => {
                    check(self.universe.0.oracle(), &path, &distribution)?;
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.universe.0.oracle().coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Truth => {
                            for holds in [true, false] {
                                let own = distribution.truth(holds);
                                let chance = chance * self.at_most(&path, &own);
                                // with a parameter, a path of probability 0 may have a derivative
                                if chance > Magnitude::ZERO || self.parameter.is_some() {
                                    let mut path = path.clone();
                                    path.draws.push(Draw::Truth(holds, own));
                                    self.wait(path, chance, None);
                                }
                            }
                            return Ok(());
                        }
                        Kind::Natural(first) => {
                            for span in self.spans(&path, &distribution, first) {
                                self.wait_for(&path, &distribution, span, chance);
                            }
                            return Ok(());
                        }
                    }
                }
                Err(ValueError::Undefined(found)) if found.certain => {
                    let demand = self.place(found.site).and_then(|(place, _)| place.demand());
                    // the definition's own requirement, if its comment states one, and every other reason in the
                    // program's words
                    let found = match demand.is_some() {
                        true => found.demanding(demand),
                        false => self.named(&found),
                    };
                    self.explored.undefined.push((path, found));
                    return Ok(());
                }
                Err(ValueError::Undefined(found)) => {
                    self.explored.open.push((self.named(&found), chance));
                    return Ok(());
                }
                Err(ValueError::Lacks { model, construct }) => {
                    return Err(MeaningError::from(InterpretError::from(Unsupported { model, construct })).into());
                }
                Err(error) => return Err(MeaningError::from(below::within(error, self.model.program)).into()),
            }
        }
    }

    /// Renames the reason in the words of the program, or of the function of the values.
    fn named(&self, found: &Undefined) -> Undefined {
        let Some((place, is_of_values)) = self.place(found.site) else { return found.clone() };
        let program = self.model.of.filter(|_| is_of_values).unwrap_or(self.model.program);
        Culprit::renamed(found, Some(place), program).0
    }

    /// Runs the program along a path. Returns the end, the path walked, and the paths for other answers.
    fn run(&mut self, path: Path) -> (Result<Found, ValueError>, Path, Vec<Path>) {
        self.explored.runs += 1;
        let oracle = self.universe.0.oracle();
        let trace = path.trace(self.vocabulary.draws());
        oracle.begin(path);
        self.universe.0.begin();
        let found = self.found(&trace);
        let (path, others) = self.universe.0.oracle().end();
        (found, path, others)
    }

    /// Applies the program to a trace, and reads its outcome and factors.
    fn found(&self, trace: &Value<Graph>) -> Result<Found, ValueError> {
        let program = match self.parameter.filter(|_| self.model.takes_parameter) {
            Some(p) => self.program.as_function()?.apply(&Value::Real(Graph::variable(p.variable)))?,
            None => self.program.clone(),
        };
        let (_, run) = program.as_variant()?;
        let ran = run.as_function()?.apply(trace)?;
        let parts = ran.as_tuple()?;
        let wrong = || ran.mismatch("an outcome, a factor for each draw, and no rest of the trace");
        let [outcome, factors, rest] = parts else { return Err(wrong()) };
        let given = match self.vocabulary.ending(outcome)? {
            Ending::Wanted(distribution) => return Ok(Found::Wants(distribution)),
            Ending::Given(value) => value,
        };
        let (mut scores, mut priors) = (Vec::new(), 0);
        for factor in factors.as_list()?.iter() {
            match self.vocabulary.factor(factor)? {
                // the coordinates' distributions have these densities already
                Factor::Prior => priors += 1,
                Factor::Seen(distribution, of_nothing) => {
                    if let Err(fault) = check_seen(self.universe.0.oracle(), &distribution) {
                        return Ok(Found::Refused(fault));
                    }
                    scores.push(density(of_nothing)?);
                }
                Factor::Score(weight) => scores.push(weight.clone()),
            }
        }
        // every draw of the trace must be read and weighted exactly once, or integrals would miss a density
        if priors != trace.as_list()?.iter().count() || rest.as_list()?.parts().is_some() {
            return Err(wrong());
        }
        let value = match &self.of {
            Some(of) => Some(of.as_function()?.apply(given)?.as_real()?.clone()),
            None => None,
        };
        Ok(Found::Gives(scores, value))
    }

    /// Bounds a probability on a path from above, by 1 at most.
    fn at_most(&self, path: &Path, chance: &Graph) -> Magnitude {
        let found: Enclosure = range(chance, &path.within(self.parameter), &self.budget);
        let one = Magnitude::power_of_two(0);
        // a negative or an undefined bound says nothing
        if found.is_defined() && *found.hi() >= 0 { Magnitude::from_float(found.hi()).min(one) } else { one }
    }

    /// Adds natural numbers as a waiting next draw, behind a path of probability at most `before`.
    fn wait_for(&mut self, path: &Path, distribution: &Distribution, span: Span, before: Magnitude) {
        let chance = before * self.at_most_of(path, distribution, span);
        self.wait(path.clone(), chance.min(before), Some((distribution.clone(), span, before)));
    }

    /// Bounds the probability of natural numbers from above, by 1 at most. A negative bound counts as none.
    fn at_most_of(&self, path: &Path, distribution: &Distribution, span: Span) -> Magnitude {
        let bound = distribution.tail(span);
        let found = range(&bound, &path.within(self.parameter), &self.budget);
        let is_bound = found.is_defined() && *found.lo() >= 0;
        if is_bound { self.at_most(path, &bound) } else { Magnitude::ONE }
    }

    /// Splits the natural numbers from `first` on into ranges, beginning at the mode if that is far out and the same
    /// for all draws of the path.
    fn spans(&self, path: &Path, distribution: &Distribution, first: u64) -> Vec<Span> {
        let all = Span { first, last: None };
        let Some(rate) = distribution.mode() else { return vec![all] };
        let found = range(&rate, &path.within(self.parameter), &self.budget);
        let [lo, hi] = [found.lo(), found.hi()].map(|end| end.to_f64());
        // the mode of a rate is its integer part: it must not move further than a deviation, √rate
        if !found.is_defined() || lo < FAR || hi - lo > lo.sqrt() || hi > FARTHEST {
            return vec![all];
        }
        let mode = lo as u64;
        vec![Span { first: mode, last: None }, Span { first, last: Some(mode - 1) }]
    }

    /// Bounds the probability of a path with guards, as far as its integrals are found in a moment. Returns 0 if no
    /// draws satisfy the guards.
    fn chance_of(&self, path: &Path, most: Magnitude) -> Magnitude {
        if matches!(Leaf::shape(path, self.parameter, &self.budget), Ok(None)) {
            return Magnitude::ZERO;
        }
        // order 0: the bound is on the probability itself, not on a derivative
        let parameter = self.parameter.map(|p| Parameter { order: 0, ..p.clone() });
        let time = self.budget.remaining().map_or(MOMENT, |left| left.min(MOMENT));
        let budget = self.budget.part(MOMENT_OF_WORK, Some(time));
        let chance = Contribution::new(path, Factors::default(), parameter.as_ref(), 0, &self.budget);
        // a choice: 1/1000, since the bound only orders the paths and stops the exploration
        let found = chance.enclose(&Rational::from((1, 1000)), &budget);
        let is_bound = found.is_defined() && *found.hi() >= 0;
        let found = if is_bound { most.min(Magnitude::from_float(found.hi())) } else { most };
        // a path of probability 0 at the parameter may have a derivative
        let least = self.parameter.filter(|p| p.order > 0).map(|_| most.min(Magnitude::power_of_two(LEAST)));
        least.map_or(found, |least| found.max(least))
    }
}
