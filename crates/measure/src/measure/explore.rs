//! Paths of a program that samples, the likeliest first.
//!
//! Every run follows one path to its end, to a draw that forks, or to what cannot be told. What is left for later is kept with a bound of
//! its chance, so that at any time the paths that ended and those that wait are everything that can happen.

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

/// From which rate on Poisson's numbers are begun at the likeliest, and up to which.
const FAR: f64 = 30.0;
const FARTHEST: f64 = 1e12;
/// The most steps of one run.
const MOST_STEPS: u64 = 200_000;
/// What it may cost to find the chance of a path.
const MOMENT: Duration = Duration::from_millis(50);
const MOMENT_OF_WORK: u64 = 1_000_000;
/// The chance, as a power of two, that a path counts with at least where a derivative is wanted.
const LEAST: i64 = -200;
/// The most rare paths that are followed to their ends, and in how many steps each: a loop takes more.
const MOST_RARE: usize = 16;
const STEPS_OF_RARE: usize = 6;
/// The most paths that may wait.
const MOST_WAITING: usize = 100_000;

/// A path that came to an end.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The path.
    pub path: Path,
    /// The weights of its scores.
    pub scores: Vec<Graph>,
    /// What is asked of the value; 1 where only the mass is.
    pub value: Option<Graph>,
    /// At most the chance of its discrete draws.
    pub chance: Magnitude,
}

impl Ended {
    /// Whether it is a tail of which the sum has a closed form.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let factors: Vec<Graph> = self.scores.iter().chain(&self.value).cloned().collect();
        contributed(&self.path, &factors).is_some()
    }

    /// The same with guards as draws, where they can be: see [`sheared`]. So fewer draws have to do with each other when cells are looked for.
    #[must_use]
    pub fn sheared(self) -> Self {
        let factors: Vec<Graph> = self.scores.into_iter().chain(self.value.clone()).collect();
        let (path, mut factors) = sheared(&self.path, &factors);
        let value = self.value.and_then(|_| factors.pop());
        Self { path, scores: factors, value, chance: self.chance }
    }
}

/// What became of the paths so far.
#[derive(Debug, Default)]
pub struct Explored {
    /// Those that ended with a value.
    pub ended: Vec<Ended>,
    /// Those on which the program has no value, and why.
    pub undefined: Vec<(Path, Undefined)>,
    /// Those of which it was not found out how they go on, with a bound of their chance.
    pub open: Vec<(Undefined, Magnitude)>,
    /// How often the program was run.
    pub runs: usize,
}

/// A path that waits, or natural numbers at its end, the likeliest of which is the first or the last.
#[derive(Clone)]
struct Waiting {
    chance: Magnitude,
    order: usize,
    path: Path,
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
        self.chance.cmp(&other.chance).then(other.order.cmp(&self.order))
    }
}

/// How a run ended.
enum Found {
    Wants(Distribution),
    Gives(Vec<Graph>, Option<Graph>),
    /// By what is no distribution, though something is drawn from it or seen of it.
    Refused(Fault),
}

/// Explores the paths of a model.
pub struct Explorer<'a> {
    model: &'a Model<'a>,
    parameter: Option<&'a Parameter>,
    universe: Evaluator<Pieces<Draws>>,
    program: Value<Graph>,
    vocabulary: Vocabulary,
    /// How many places stand in the program; those behind are in what is asked of the values.
    places: usize,
    of: Option<Value<Graph>>,
    budget: Arc<Budget>,
    waiting: BinaryHeap<Waiting>,
    count: usize,
    /// What became of the paths so far.
    pub explored: Explored,
}

impl std::fmt::Debug for Explorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("explored", &self.explored).finish_non_exhaustive()
    }
}

impl<'a> Explorer<'a> {
    /// An explorer at the beginning of all paths.
    ///
    /// # Errors
    /// What the model of programs in pieces lacks.
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

    fn wait(&mut self, path: Path, chance: Magnitude, naturals: Option<(Distribution, Span, Magnitude)>) {
        self.count += 1;
        self.waiting.push(Waiting { chance, order: self.count, path, naturals });
    }

    /// Where something stands, and whether that is in what is asked of the values.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<(Place, bool)> {
        Some((self.universe.0.place(site)?, site.index()? >= self.places))
    }

    /// How many paths wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// At most the chance of all that wait.
    fn chance_of_waiting(&self) -> Magnitude {
        self.waiting.iter().fold(Magnitude::ZERO, |sum, waiting| sum + waiting.chance)
    }

    /// Goes on until what is left has at most this chance, no path waits, so many have ended, or the time is up: whether what is left
    /// has that chance.
    ///
    /// # Errors
    /// [`Fault`]
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

    /// Follows the paths that wait, but for natural numbers, to their ends, if there are few of them and all of them end soon; else nothing is
    /// changed. Where nothing bounds what is asked of it, the rarest path matters.
    ///
    /// # Errors
    /// [`Fault`]
    pub fn follow_rare(&mut self, time: &Budget) -> Result<(), Fault> {
        let is_rare = |next: &&Waiting| next.naturals.is_none();
        let most_steps = STEPS_OF_RARE * self.waiting.iter().filter(is_rare).count();
        if !(1..=STEPS_OF_RARE * MOST_RARE).contains(&most_steps) {
            return Ok(());
        }
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
                // nothing is known of it, as before
                Err(fault) if fault.has_no_answer() => kept.push(next),
                followed => followed?,
            }
        }
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

    fn follow(&mut self, next: Waiting) -> Result<(), Fault> {
        let Waiting { mut path, mut chance, naturals, .. } = next;
        if let Some((distribution, span, before)) = naturals {
            let (n, rest) = span.parted();
            if let Some(rest) = rest {
                self.wait_for(&path, &distribution, rest, before);
            }
            let own = distribution.natural(n);
            chance = before * self.at_most(&path, &own);
            path.draws.push(Draw::Natural(n, own));
        }
        loop {
            let (found, walked, others) = self.run(path);
            path = walked;
            if !others.is_empty() {
                // what was decided may leave less
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

    /// What is undefined, in the words of the program, or of what is asked of its values.
    fn named(&self, found: &Undefined) -> Undefined {
        let Some((place, is_of_values)) = self.place(found.site) else { return found.clone() };
        let program = self.model.of.filter(|_| is_of_values).unwrap_or(self.model.program);
        Culprit::renamed(found, Some(place), program).0
    }

    /// A run along a path.
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
                // the densities of draws are those of the distributions
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
        if priors != trace.as_list()?.iter().count() || rest.as_list()?.parts().is_some() {
            return Err(wrong());
        }
        let value = match &self.of {
            Some(of) => Some(of.as_function()?.apply(given)?.as_real()?.clone()),
            None => None,
        };
        Ok(Found::Gives(scores, value))
    }

    /// At most a chance, where the draws of a path lie.
    fn at_most(&self, path: &Path, chance: &Graph) -> Magnitude {
        let found: Enclosure = range(chance, &path.within(self.parameter), &self.budget);
        let one = Magnitude::power_of_two(0);
        if found.is_defined() && *found.hi() >= 0 { Magnitude::from_float(found.hi()).min(one) } else { one }
    }

    /// Natural numbers wait, behind draws of a chance.
    fn wait_for(&mut self, path: &Path, distribution: &Distribution, span: Span, before: Magnitude) {
        let chance = before * self.at_most_of(path, distribution, span);
        self.wait(path.clone(), chance.min(before), Some((distribution.clone(), span, before)));
    }

    /// At most the chance of natural numbers: a bound that is negative is none.
    fn at_most_of(&self, path: &Path, distribution: &Distribution, span: Span) -> Magnitude {
        let bound = distribution.over(span);
        let found = range(&bound, &path.within(self.parameter), &self.budget);
        let is_bound = found.is_defined() && *found.lo() >= 0;
        if is_bound { self.at_most(path, &bound) } else { Magnitude::ONE }
    }

    /// All natural numbers from one on, begun at the likeliest, where that is far from it and the same for all draws of the path.
    fn spans(&self, path: &Path, distribution: &Distribution, first: u64) -> Vec<Span> {
        let all = Span { first, last: None };
        let Distribution::Poisson(rate) = distribution else { return vec![all] };
        let found = range(rate, &path.within(self.parameter), &self.budget);
        let [lo, hi] = [found.lo(), found.hi()].map(|end| end.to_f64());
        if !found.is_defined() || lo < FAR || hi - lo > lo.sqrt() || hi > FARTHEST {
            return vec![all];
        }
        let mode = lo as u64;
        vec![Span { first: mode, last: None }, Span { first, last: Some(mode - 1) }]
    }

    /// At most the chance of a path with guards, as far as its integrals are found in a moment; 0 where it leads nowhere.
    fn chance_of(&self, path: &Path, most: Magnitude) -> Magnitude {
        if matches!(Leaf::shape(path, self.parameter, &self.budget), Ok(None)) {
            return Magnitude::ZERO;
        }
        let parameter = self.parameter.map(|p| Parameter { order: 0, ..p.clone() });
        let time = self.budget.remaining().map_or(MOMENT, |left| left.min(MOMENT));
        let budget = self.budget.part(MOMENT_OF_WORK, Some(time));
        let chance = Contribution::new(path, Factors::default(), parameter.as_ref(), 0, &self.budget);
        let found = chance.enclose(&Rational::from((1, 1000)), &budget);
        let is_bound = found.is_defined() && *found.hi() >= 0;
        let found = if is_bound { most.min(Magnitude::from_float(found.hi())) } else { most };
        // what has no chance may come to have one
        let least = self.parameter.filter(|p| p.order > 0).map(|_| most.min(Magnitude::power_of_two(LEAST)));
        least.map_or(found, |least| found.max(least))
    }
}
