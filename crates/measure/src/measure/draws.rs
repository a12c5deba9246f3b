//! Symbolic execution of a probabilistic program along a path: draws are coordinates, decisions are replayed.
//!
//! | the run meets | action |
//! |---|---|
//! | a draw of the path | the program reads it from its trace |
//! | a draw beyond the path | the run ends, and returns the distribution |
//! | a guard that holds, or fails, for all draws of the path | the guard is decided |
//! | any other guard | both answers are explored, one of them by a later run |

use super::distribution::{Distribution, subtract};
use super::range::{BITS, half_line, line, number, range};
use super::sign::Signs;
use super::vocabulary::DrawKinds;
use crate::meaning::pap::count::count;
use crate::meaning::pap::oracle::{Asked, Oracle};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::pieces::fraction::Normaliser;
use crate::pieces::sign::sign;
use crate::pieces::{Decided, Guard, Test};
use crate::smooth::graph::{Graph, Variable};
use crate::value::{Cause, Undefined, Value, ValueError};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The greatest number of open guards on one path. A choice: each may double the paths, so more are hopeless.
const MOST_FORKS: usize = 128;

/// The parameter of a model and its value.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable of the parameter.
    pub variable: Variable,
    /// The value of the parameter.
    pub at: Rational,
    /// The order of the derivative in the parameter; 0 for none.
    pub order: u32,
}

impl Parameter {
    /// Encloses the value, or a neighbourhood of it if a derivative is wanted.
    ///
    /// Whatever is decided for the whole enclosure then holds for all parameters nearby.
    #[must_use]
    pub fn near(&self) -> Enclosure {
        // a choice: 2⁻⁴⁰ is small enough to decide most guards, and wide enough to be no point
        let radius = Rational::from(1) >> if self.order > 0 { 40 } else { 400 };
        match self.order {
            0 => number(&self.at),
            _ => number(&Rational::from(&self.at - &radius)).hull(&number(&Rational::from(&self.at + &radius))),
        }
    }
}

/// A draw of a path.
#[derive(Clone, Debug)]
pub enum Draw {
    /// A real number, a coordinate.
    Real(Coordinate),
    /// A natural number, with its probability.
    Natural(u64, Graph),
    /// A truth value, with its probability.
    Truth(bool, Graph),
    /// A tail of natural numbers: the variable for the number, the distribution, and the numbers in the tail.
    Tail(Variable, Distribution, Span),
}

/// A range of natural numbers, finite or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least number.
    pub first: u64,
    /// The greatest number. `None` if the range is infinite.
    pub last: Option<u64>,
}

impl From<u64> for Span {
    fn from(first: u64) -> Self {
        Self { first, last: None }
    }
}

impl Span {
    /// Returns samples of the range: numbers near the least, and larger ones.
    #[must_use]
    pub fn some(self) -> Vec<u64> {
        let all = [0, 1, 100, 1_000_000].map(|more| self.first.saturating_add(more));
        all.into_iter().filter(|n| self.last.is_none_or(|last| *n <= last)).collect()
    }

    /// Splits off the number that is explored first, and returns it with the rest.
    ///
    /// That is the greatest number, or the least of an infinite range. The rest is `None` if it is empty.
    #[must_use]
    pub fn parted(self) -> (u64, Option<Self>) {
        match self.last {
            None => (self.first, Some(Self { first: self.first + 1, last: None })),
            Some(last) => {
                // a finite range lies below the mode, where the greatest number is the most likely
                let rest = last.checked_sub(1).filter(|before| *before >= self.first);
                (last, rest.map(|last| Self { last: Some(last), ..self }))
            }
        }
    }
}

/// A coordinate of the space of traces.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The variable of the draw.
    pub variable: Variable,
    /// The distribution of the draw.
    pub distribution: Distribution,
    /// An enclosure of the values of the draw.
    pub range: Enclosure,
}

impl Draw {
    /// Returns the draw as a value of the theory `Trace`.
    fn value(&self, kinds: DrawKinds) -> Value<Graph> {
        match self {
            Self::Real(x) => Value::variant(kinds.real, Value::Real(Graph::variable(x.variable))),
            Self::Natural(n, _) => Value::variant(kinds.natural, Value::Natural(*n)),
            Self::Truth(b, _) => Value::variant(kinds.truth, Value::truth(*b)),
            Self::Tail(n, _, _) => Value::variant(kinds.natural, count(Graph::variable(*n))),
        }
    }

    /// Returns the variable and the distribution of the draw. Returns `None` if the draw has a fixed value.
    #[must_use]
    pub fn coordinate(&self) -> Option<(Variable, &Distribution)> {
        match self {
            Self::Real(x) => Some((x.variable, &x.distribution)),
            Self::Tail(n, distribution, _) => Some((*n, distribution)),
            Self::Natural(..) | Self::Truth(..) => None,
        }
    }

    /// Encloses the values of the draw. Returns `None` if the draw has a fixed value.
    fn range(&self) -> Option<(Variable, Enclosure)> {
        match self {
            Self::Real(x) => Some((x.variable, x.range.clone())),
            Self::Tail(n, _, Span { first, last }) => {
                let context = Mpfr::new(BITS);
                let first = Rational::from(*first);
                // [first, ∞), by translation of the half-line
                let from = context.add(&context.enclosure(&half_line()), &context.rational(&first));
                let span = last.map(|last| number(&first).hull(&number(&Rational::from(last))));
                Some((*n, span.unwrap_or_else(|| context.to_enclosure(&from))))
            }
            Self::Natural(..) | Self::Truth(..) => None,
        }
    }
}

/// An execution path: draws and decisions.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The draws, in order.
    pub draws: Vec<Draw>,
    /// The decisions on open guards, in order: both answers were possible.
    pub decided: Vec<Decided>,
}

impl Path {
    /// Returns the real draws.
    pub fn coordinates(&self) -> impl Iterator<Item = &Coordinate> {
        self.draws.iter().filter_map(|draw| match draw {
            Draw::Real(coordinate) => Some(coordinate),
            _ => None,
        })
    }

    /// Returns `true` if a draw is a tail of natural numbers.
    #[must_use]
    pub fn has_tail(&self) -> bool {
        self.draws.iter().any(|draw| matches!(draw, Draw::Tail(..)))
    }

    /// Returns `true` if a variable occurs in a distribution, a probability or a guard of the path.
    #[must_use]
    pub fn depends_on(&self, v: Variable) -> bool {
        let draws = self.draws.iter().any(|draw| match draw {
            Draw::Real(x) => x.distribution.depends_on(v),
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.depends_on(v),
            Draw::Tail(_, distribution, _) => distribution.depends_on(v),
        });
        draws || self.decided.iter().any(|decided| decided.guard.graph.depends_on(v))
    }

    /// Returns the trace of the draws as a value of the language.
    #[must_use]
    pub fn trace(&self, kinds: DrawKinds) -> Value<Graph> {
        let empty = crate::value::Sequence::default();
        // lists grow at the front
        Value::List(self.draws.iter().rev().fold(empty, |list, draw| list.with(draw.value(kinds))))
    }

    /// Returns enclosures of all coordinates and of the parameter.
    #[must_use]
    pub fn within(&self, parameter: Option<&Parameter>) -> Vec<(Variable, Enclosure)> {
        let own = self.draws.iter().filter_map(Draw::range);
        own.chain(parameter.map(|p| (p.variable, p.near()))).collect()
    }
}

/// A run along a path, with the alternatives met on the way.
#[derive(Debug, Default)]
struct Run {
    /// The path so far, or a longer one that is replayed.
    path: Path,
    /// The number of open guards met.
    asked: usize,
    /// The paths for the other answers of open guards.
    others: Vec<Path>,
    /// The tests known to hold for all draws of the path, up to a set of probability 0.
    shown: Vec<(Graph, Test)>,
}

/// An oracle that decides guards along a path.
#[derive(Debug)]
pub struct Draws {
    parameter: Option<Parameter>,
    /// Rational normal forms, shared by all runs.
    budget: Arc<Budget>,
    forms: Mutex<Normaliser>,
    run: Mutex<Run>,
}

/// Locks a mutex. A panic of another thread leaves the data usable: every update is complete.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Draws {
    /// Makes an oracle with an empty path.
    #[must_use]
    pub fn new(parameter: Option<Parameter>, budget: Arc<Budget>) -> Self {
        Self { parameter, budget, forms: Mutex::default(), run: Mutex::default() }
    }

    /// Returns the parameter.
    #[must_use]
    pub fn parameter(&self) -> Option<&Parameter> {
        self.parameter.as_ref()
    }

    /// Returns the budget for decisions.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Begins a run along a path.
    pub fn begin(&self, path: Path) {
        *locked(&self.run) = Run { path, ..Run::default() };
    }

    /// Records, for the rest of the run, that a test of a map holds.
    pub fn note(&self, graph: Graph, test: Test) {
        locked(&self.run).shown.push((graph, test));
    }

    /// Returns the path of the run with the decisions met so far.
    pub fn so_far(&self) -> Path {
        let run = locked(&self.run);
        let decided = run.path.decided[..run.asked.min(run.path.decided.len())].to_vec();
        Path { draws: run.path.draws.clone(), decided }
    }

    /// Ends the run. Returns its path, and the paths for the other answers.
    pub fn end(&self) -> (Path, Vec<Path>) {
        let Run { path, others, .. } = std::mem::take(&mut *locked(&self.run));
        (path, others)
    }

    /// Makes the coordinate of a new draw, with an enclosure of its values.
    #[must_use]
    pub fn coordinate(&self, path: &Path, distribution: &Distribution) -> Coordinate {
        let within = path.within(self.parameter.as_ref());
        let at = |end: &Graph| range(end, &within, &self.budget);
        let range = match distribution.ends() {
            // the ends are functions of earlier draws: their hull covers all of these
            [Some(a), Some(b)] => at(&a).hull(&at(&b)).with_defined(true),
            [Some(_), None] => half_line(),
            _ => line(),
        };
        Coordinate { variable: Variable::fresh(), distribution: distribution.clone(), range }
    }

    /// Decides a test of a map on a path, up to a set of probability 0.
    ///
    /// Uses the ranges of the draws, and the decisions `decided`. Returns `None` if the test may both hold and fail.
    #[must_use]
    pub fn decided(&self, path: &Path, decided: &[Decided], graph: &Graph, test: Test) -> Option<bool> {
        if let Some(q) = graph.as_rational() {
            return Some(test.holds(q.cmp0()));
        }
        let mut forms = locked(&self.forms);
        let within = path.within(self.parameter.as_ref());
        // a sign that the distributions imply is cheaper than a range, and often exact
        let mut signs = Signs::new(path, &within, &mut forms, &self.budget);
        if let Some(holds) = signs.by_what_is_known(graph, test) {
            return Some(holds);
        }
        let found = range(graph, &within, &self.budget);
        match test {
            _ if !found.is_defined() => None,
            Test::Positive if *found.lo() > 0 => Some(true),
            Test::Positive if *found.hi() <= 0 => Some(false),
            Test::NonNegative if *found.lo() >= 0 => Some(true),
            Test::NonNegative if *found.hi() < 0 => Some(false),
            Test::Zero if *found.lo() > 0 || *found.hi() < 0 => Some(false),
            _ => None,
        }
        // decisions on the path may imply the sign although the range does not
        .or_else(|| signs.with(decided).by_form(graph, test))
    }

    /// Decides a guard without draws, at the value of the parameter.
    ///
    /// The error is [`ValueError::Undefined`] if the sign is not found, or if it changes at the parameter of a
    /// derivative.
    fn fixed(&self, guard: &Guard) -> Result<bool, ValueError> {
        let undecided = |agreement| {
            let found = Undefined::of(Cause::Undecided, guard.test);
            ValueError::undefined(Undefined { agreement, site: guard.site, ..found })
        };
        let Some(parameter) = &self.parameter else {
            return sign(&guard.graph, &self.budget).map(|sign| guard.test.holds(sign)).map_err(undecided);
        };
        let at = guard.graph.substitute(&[(parameter.variable, Graph::rational(parameter.at.clone()))]);
        let found = sign(&at, &self.budget).map_err(undecided)?;
        // a derivative needs the same answer on both sides: a zero decides it only if the map is 0 everywhere
        let varies = || !locked(&self.forms).fraction(&guard.graph).is_some_and(|fraction| fraction.is_zero());
        if parameter.order > 0 && found == Ordering::Equal && guard.graph.depends_on(parameter.variable) && varies() {
            return Err(undecided(None));
        }
        Ok(guard.test.holds(found))
    }
}

impl Oracle for Draws {
    fn decide(&self, asked: &Asked) -> Result<bool, ValueError> {
        let guard = &asked.guard;
        let mut run = locked(&self.run);
        // without draws the sign is one number, which can be computed to any accuracy
        if !run.path.draws.iter().filter_map(Draw::coordinate).any(|(x, _)| guard.graph.depends_on(x)) {
            return self.fixed(guard);
        }
        let run = &mut *run;
        // only the decisions before this guard count, or a replay would meet other open guards than the first run
        if let Some(decided) = self.decided(&run.path, &run.path.decided[..run.asked], &guard.graph, guard.test) {
            return Ok(decided);
        }
        // the same guard up to a positive factor has the same answer
        if let Some(known) = self.answered(&run.path.decided[..run.asked], guard) {
            return Ok(known);
        }
        if self.follows(&run.shown, guard) {
            return Ok(true);
        }
        run.asked += 1;
        if let Some(decided) = run.path.decided.get(run.asked - 1) {
            // the replayed decision must be of this guard: an exhausted budget proves less, so a replay may meet guards
            // that were decided before
            let is_same = decided.guard.test == guard.test && decided.guard.site == guard.site;
            let lost = || ValueError::undefined(Undefined::of(Cause::Fuel, "a path was not found again"));
            return if is_same { Ok(decided.holds) } else { Err(lost()) };
        }
        if run.path.decided.len() >= MOST_FORKS {
            return Err(ValueError::undefined(Undefined::of(Cause::Fuel, "more guards than may be open were met")));
        }
        // the answer `false` is explored by a later run, which replays the decisions before it
        let mut other = run.path.clone();
        let answer = |holds| Decided { guard: guard.clone(), holds, is_condition: asked.is_condition };
        other.decided.push(answer(false));
        run.others.push(other);
        run.path.decided.push(answer(true));
        Ok(true)
    }
}

impl Draws {
    /// Returns `true` if a guard follows from one of the tests in `shown`.
    fn follows(&self, shown: &[(Graph, Test)], guard: &Guard) -> bool {
        let mut forms = locked(&self.forms);
        shown.iter().any(|(graph, test)| {
            let is_enough = *test == guard.test || *test == Test::Positive && guard.test == Test::NonNegative;
            is_enough && forms.fraction(&subtract(graph, &guard.graph)).is_some_and(|form| form.is_zero())
            // equal maps: their difference is the rational function 0
        })
    }

    /// Returns the earlier answer to the same guard. Returns `None` if there is none, or if the guard has no normal
    /// form.
    fn answered(&self, before: &[Decided], guard: &Guard) -> Option<bool> {
        let mut forms = locked(&self.forms);
        let (wanted, turned) = forms.fraction(&guard.graph)?.up_to_scale()?;
        before.iter().find_map(|decided| {
            let (own, own_turned) = forms.fraction(&decided.guard.graph)?.up_to_scale()?;
            let same = own == wanted && own_turned == turned && decided.guard.test == guard.test;
            same.then_some(decided.holds)
        })
    }
}
