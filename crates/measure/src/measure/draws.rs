//! A run of a program that samples, along a path: its draws are coordinates, its decisions are replayed.
//!
//! | what is met | what happens |
//! |---|---|
//! | a draw that the path has | the program reads it from its trace |
//! | a draw that it has not | the run ends, and says from what is to be drawn |
//! | a guard that holds, or fails, for all draws of the path | it is decided |
//! | any other guard | both answers are followed, one of them by a later run |

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

/// The most guards that may be open on one path.
const MOST_FORKS: usize = 128;

/// The parameter of a model, and where it is.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable that stands for it.
    pub variable: Variable,
    /// The place at which is asked.
    pub at: Rational,
    /// Which derivative is wanted.
    pub order: u32,
}

impl Parameter {
    /// Where it lies: near its place, where a derivative is wanted, so that what is decided for all of these is so nearby.
    #[must_use]
    pub fn near(&self) -> Enclosure {
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
    /// A real number, as a coordinate.
    Real(Coordinate),
    /// A natural number, and its chance.
    Natural(u64, Graph),
    /// A truth value, and its chance.
    Truth(bool, Graph),
    /// Natural numbers that are not fixed: a variable that stands for them, from what they are drawn, and which.
    Tail(Variable, Distribution, Span),
}

/// Natural numbers from one to another, or all from one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first.
    pub first: u64,
    /// The last; nothing where there is none.
    pub last: Option<u64>,
}

impl From<u64> for Span {
    fn from(first: u64) -> Self {
        Self { first, last: None }
    }
}

impl Span {
    /// Some of the numbers: near the first, and further out.
    #[must_use]
    pub fn some(self) -> Vec<u64> {
        let all = [0, 1, 100, 1_000_000].map(|more| self.first.saturating_add(more));
        all.into_iter().filter(|n| self.last.is_none_or(|last| *n <= last)).collect()
    }

    /// The likeliest number, and what is left: the last one, or the first where there is no last.
    #[must_use]
    pub fn parted(self) -> (u64, Option<Self>) {
        match self.last {
            None => (self.first, Some(Self { first: self.first + 1, last: None })),
            Some(last) => {
                let rest = last.checked_sub(1).filter(|before| *before >= self.first);
                (last, rest.map(|last| Self { last: Some(last), ..self }))
            }
        }
    }
}

/// A coordinate of the space of traces.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// The variable that stands for the draw.
    pub variable: Variable,
    /// From what it is drawn.
    pub distribution: Distribution,
    /// Where it lies at most.
    pub range: Enclosure,
}

impl Draw {
    /// The draw as the theory `Trace` has it.
    fn value(&self, kinds: DrawKinds) -> Value<Graph> {
        match self {
            Self::Real(x) => Value::variant(kinds.real, Value::Real(Graph::variable(x.variable))),
            Self::Natural(n, _) => Value::variant(kinds.natural, Value::Natural(*n)),
            Self::Truth(b, _) => Value::variant(kinds.truth, Value::truth(*b)),
            Self::Tail(n, _, _) => Value::variant(kinds.natural, count(Graph::variable(*n))),
        }
    }

    /// The variable that stands for the draw, and from what it is drawn, where it is not fixed.
    #[must_use]
    pub fn coordinate(&self) -> Option<(Variable, &Distribution)> {
        match self {
            Self::Real(x) => Some((x.variable, &x.distribution)),
            Self::Tail(n, distribution, _) => Some((*n, distribution)),
            Self::Natural(..) | Self::Truth(..) => None,
        }
    }

    /// Where it lies, where it is not fixed.
    fn range(&self) -> Option<(Variable, Enclosure)> {
        match self {
            Self::Real(x) => Some((x.variable, x.range.clone())),
            Self::Tail(n, _, Span { first, last }) => {
                let context = Mpfr::new(BITS);
                let first = Rational::from(*first);
                let from = context.add(&context.enclosure(&half_line()), &context.rational(&first));
                let span = last.map(|last| number(&first).hull(&number(&Rational::from(last))));
                Some((*n, span.unwrap_or_else(|| context.to_enclosure(&from))))
            }
            Self::Natural(..) | Self::Truth(..) => None,
        }
    }
}

/// A path: what was drawn, and what was decided.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The draws, in order.
    pub draws: Vec<Draw>,
    /// The answers that were not the only possible ones, in order.
    pub decided: Vec<Decided>,
}

impl Path {
    /// The coordinates.
    pub fn coordinates(&self) -> impl Iterator<Item = &Coordinate> {
        self.draws.iter().filter_map(|draw| match draw {
            Draw::Real(coordinate) => Some(coordinate),
            _ => None,
        })
    }

    /// Whether it stands for a tail of natural numbers, with those that are drawn after it.
    #[must_use]
    pub fn has_tail(&self) -> bool {
        self.draws.iter().any(|draw| matches!(draw, Draw::Tail(..)))
    }

    /// Whether a variable occurs in it: in what is drawn from, or in what was decided.
    #[must_use]
    pub fn depends_on(&self, v: Variable) -> bool {
        let draws = self.draws.iter().any(|draw| match draw {
            Draw::Real(x) => x.distribution.depends_on(v),
            Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.depends_on(v),
            Draw::Tail(_, distribution, _) => distribution.depends_on(v),
        });
        draws || self.decided.iter().any(|decided| decided.guard.graph.depends_on(v))
    }

    /// The trace as a value of the language.
    #[must_use]
    pub fn trace(&self, kinds: DrawKinds) -> Value<Graph> {
        let empty = crate::value::Sequence::default();
        Value::List(self.draws.iter().rev().fold(empty, |list, draw| list.with(draw.value(kinds))))
    }

    /// Where the coordinates and the parameter lie.
    #[must_use]
    pub fn within(&self, parameter: Option<&Parameter>) -> Vec<(Variable, Enclosure)> {
        let own = self.draws.iter().filter_map(Draw::range);
        own.chain(parameter.map(|p| (p.variable, p.near()))).collect()
    }
}

/// A run, and where others go on.
#[derive(Debug, Default)]
struct Run {
    path: Path,
    asked: usize,
    others: Vec<Path>,
    /// What was shown on the way, for all draws of the path but a set of chance 0.
    shown: Vec<(Graph, Test)>,
}

/// Decides guards along a path.
#[derive(Debug)]
pub struct Draws {
    parameter: Option<Parameter>,
    budget: Arc<Budget>,
    forms: Mutex<Normaliser>,
    run: Mutex<Run>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Draws {
    /// With nothing drawn yet.
    #[must_use]
    pub fn new(parameter: Option<Parameter>, budget: Arc<Budget>) -> Self {
        Self { parameter, budget, forms: Mutex::default(), run: Mutex::default() }
    }

    /// The parameter.
    #[must_use]
    pub fn parameter(&self) -> Option<&Parameter> {
        self.parameter.as_ref()
    }

    /// What it may cost.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Begins a run along a path.
    pub fn begin(&self, path: Path) {
        *locked(&self.run) = Run { path, ..Run::default() };
    }

    /// Takes note, for the rest of the run, that a test of a map was shown to hold.
    pub fn note(&self, graph: Graph, test: Test) {
        locked(&self.run).shown.push((graph, test));
    }

    /// The path of the run, as far as it has gone.
    pub fn so_far(&self) -> Path {
        let run = locked(&self.run);
        let decided = run.path.decided[..run.asked.min(run.path.decided.len())].to_vec();
        Path { draws: run.path.draws.clone(), decided }
    }

    /// Ends a run: its path, and where others go on.
    pub fn end(&self) -> (Path, Vec<Path>) {
        let Run { path, others, .. } = std::mem::take(&mut *locked(&self.run));
        (path, others)
    }

    /// The coordinate of a draw, and where it lies.
    #[must_use]
    pub fn coordinate(&self, path: &Path, distribution: &Distribution) -> Coordinate {
        let within = path.within(self.parameter.as_ref());
        let at = |end: &Graph| range(end, &within, &self.budget);
        let range = match distribution.ends() {
            [Some(a), Some(b)] => at(&a).hull(&at(&b)).with_defined(true),
            [Some(_), None] => half_line(),
            _ => line(),
        };
        Coordinate { variable: Variable::fresh(), distribution: distribution.clone(), range }
    }

    /// Whether a test certainly holds of a map on a path, but for a set of chance 0, or certainly does not: where the draws lie, and by
    /// what was decided.
    #[must_use]
    pub fn decided(&self, path: &Path, decided: &[Decided], graph: &Graph, test: Test) -> Option<bool> {
        if let Some(q) = graph.as_rational() {
            return Some(test.holds(q.cmp0()));
        }
        let mut forms = locked(&self.forms);
        let within = path.within(self.parameter.as_ref());
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
        .or_else(|| signs.with(decided).by_form(graph, test))
    }

    /// A guard in which nothing drawn occurs.
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
        if !run.path.draws.iter().filter_map(Draw::coordinate).any(|(x, _)| guard.graph.depends_on(x)) {
            return self.fixed(guard);
        }
        let run = &mut *run;
        // what is decided later on the path is not known yet, or a replay would ask other questions than the run before
        if let Some(decided) = self.decided(&run.path, &run.path.decided[..run.asked], &guard.graph, guard.test) {
            return Ok(decided);
        }
        if let Some(known) = self.answered(&run.path.decided[..run.asked], guard) {
            return Ok(known);
        }
        if self.follows(&run.shown, guard) {
            return Ok(true);
        }
        run.asked += 1;
        if let Some(decided) = run.path.decided.get(run.asked - 1) {
            // when the time is up a replay knows less, and may come to ask what was decided before: that is no answer to the next question
            let is_same = decided.guard.test == guard.test && decided.guard.site == guard.site;
            let lost = || ValueError::undefined(Undefined::of(Cause::Fuel, "a path was not found again"));
            return if is_same { Ok(decided.holds) } else { Err(lost()) };
        }
        if run.path.decided.len() >= MOST_FORKS {
            return Err(ValueError::undefined(Undefined::of(Cause::Fuel, "more guards than may be open were met")));
        }
        let mut other = run.path.clone();
        let answer = |holds| Decided { guard: guard.clone(), holds, is_condition: asked.is_condition };
        other.decided.push(answer(false));
        run.others.push(other);
        run.path.decided.push(answer(true));
        Ok(true)
    }
}

impl Draws {
    /// Whether a guard is one of those that were shown, or weaker.
    fn follows(&self, shown: &[(Graph, Test)], guard: &Guard) -> bool {
        let mut forms = locked(&self.forms);
        shown.iter().any(|(graph, test)| {
            let is_enough = *test == guard.test || *test == Test::Positive && guard.test == Test::NonNegative;
            is_enough && forms.fraction(&subtract(graph, &guard.graph)).is_some_and(|form| form.is_zero())
        })
    }

    /// What the same question was answered before.
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
