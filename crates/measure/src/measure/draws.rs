//! Symbolic execution of a probabilistic program along a path: draws are coordinates, decisions are replayed.
//!
//! | the run meets | action |
//! |---|---|
//! | a draw of the path | the program reads it from its trace |
//! | a draw beyond the path | the run ends, and returns the distribution |
//! | a guard that holds, or fails, for all draws of the path | the guard is decided |
//! | any other guard | both answers are explored, one of them by a later run |
//!
//! The factors of a path are kept apart: densities of draws, and weights of scores. They are not multiplied, since
//! a product of two negative weights is positive. A factor of a distribution holds its density as a function that
//! is not applied. So the constraints on the parameters are shown for all draws before the density is computed.

use super::distribution::{Distribution, Kind};
use super::range::{PRECISION_BITS, PathSigns, enclose_range, enclose_rational, half_line, real_line};
use super::vocabulary::DrawKinds;
use crate::meaning::pap::{GuardQuery, GuardRole, Oracle, count_value};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Double, Enclosure, Mpfr, Rational};
use crate::pieces::facts::SignSet;
use crate::pieces::function::decide_sign;
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::value::{UndefinedCause, UndefinedValue, Value, ValueError};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The greatest number of open guards on one path. A choice: each may double the paths, so more are hopeless.
const MAX_OPEN_GUARDS: usize = 128;

/// The parameter of a model and its value.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// The variable of the parameter.
    pub variable: Variable,
    /// The value of the parameter.
    pub value: Rational,
    /// The order of the derivative in the parameter; 0 for none.
    pub order: u32,
}

impl Parameter {
    /// Encloses the value, or a neighbourhood of it if a derivative is wanted.
    ///
    /// Whatever is decided for the whole enclosure then holds for all parameters nearby.
    #[must_use]
    pub fn enclose_nearby(&self) -> Enclosure {
        // a choice: 2⁻⁴⁰ is small enough to decide most guards, and wide enough to be no point
        let radius = Rational::from(1) >> if self.order > 0 { 40 } else { 400 };
        match self.order {
            0 => enclose_rational(&self.value),
            _ => enclose_rational(&Rational::from(&self.value - &radius))
                .hull(&enclose_rational(&Rational::from(&self.value + &radius))),
        }
    }
}

/// A draw of a path.
#[derive(Clone, Debug)]
pub enum Draw {
    /// A real number, a coordinate.
    Real(TraceCoordinate),
    /// A natural number, with its probability.
    Natural(u64, Graph),
    /// A truth value, with its probability.
    Truth(bool, Graph),
    /// A tail of natural numbers: the variable for the number, the distribution, and the numbers in the tail.
    Tail(Variable, Distribution, NaturalRange),
}

/// A range of natural numbers, finite or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaturalRange {
    /// The least number.
    pub first: u64,
    /// The greatest number. `None` if the range is infinite.
    pub last: Option<u64>,
}

impl From<u64> for NaturalRange {
    fn from(first: u64) -> Self {
        Self { first, last: None }
    }
}

impl NaturalRange {
    /// Returns samples of the range: numbers near the least, and larger ones.
    #[must_use]
    pub fn sample_numbers(self) -> Vec<u64> {
        let all = [0, 1, 100, 1_000_000].map(|more| self.first.saturating_add(more));
        all.into_iter().filter(|n| self.last.is_none_or(|last| *n <= last)).collect()
    }

    /// Splits off the number that is explored first, and returns it with the rest.
    ///
    /// That is the greatest number, or the least of an infinite range. The rest is `None` if it is empty.
    #[must_use]
    pub fn split_first(self) -> (u64, Option<Self>) {
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
pub struct TraceCoordinate {
    /// The variable of the draw.
    pub variable: Variable,
    /// The distribution of the draw.
    pub distribution: Distribution,
    /// An enclosure of the values of the draw.
    pub range: Enclosure,
}

impl Draw {
    /// Returns the draw as a value of the theory `Trace`.
    fn to_trace_value(&self, kinds: DrawKinds) -> Value<Graph> {
        match self {
            Self::Real(x) => Value::variant_of(kinds.real, Value::Real(Graph::variable(x.variable))),
            Self::Natural(n, _) => Value::variant_of(kinds.natural, Value::Natural(*n)),
            Self::Truth(b, _) => Value::variant_of(kinds.truth, Value::from_bool(*b)),
            Self::Tail(n, _, _) => Value::variant_of(kinds.natural, count_value(Graph::variable(*n))),
        }
    }

    /// Replaces the maps of the draw: its probability, or the parameters of its distribution.
    pub(super) fn replace_maps(&mut self, of: &dyn Fn(&Graph) -> Graph) {
        match self {
            Self::Natural(_, chance) | Self::Truth(_, chance) => *chance = of(chance),
            Self::Tail(_, distribution, _) => *distribution = distribution.map(of),
            Self::Real(x) => x.distribution = x.distribution.map(of),
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
    fn enclose_range(&self) -> Option<(Variable, Enclosure)> {
        match self {
            Self::Real(x) => Some((x.variable, x.range.clone())),
            Self::Tail(n, _, NaturalRange { first, last }) => {
                let context = Mpfr::new(PRECISION_BITS);
                let first = Rational::from(*first);
                // [first, ∞), by translation of the half-line
                let from = context.add(&context.round_enclosure(&half_line()), &context.enclose_rational(&first));
                let span = last.map(|last| enclose_rational(&first).hull(&enclose_rational(&Rational::from(last))));
                Some((*n, span.unwrap_or_else(|| context.to_enclosure(&from))))
            }
            Self::Natural(..) | Self::Truth(..) => None,
        }
    }
}

/// An execution path: draws and decisions.
#[derive(Clone, Debug, Default)]
pub struct ExecutionPath {
    /// The draws, in order.
    pub draws: Vec<Draw>,
    /// The decisions on open guards, in order: both answers were possible.
    pub decisions: Vec<GuardCondition>,
    /// Numbers of which only a range is known, such as the states of a loop. They are not drawn: no value of them has
    /// probability 0.
    pub unknowns: Vec<(Variable, Enclosure)>,
}

impl ExecutionPath {
    /// Returns the paths with one more draw: two for a truth value, one for a number. All natural numbers are one tail.
    pub(super) fn extend_by_draw(
        mut self,
        distribution: Distribution,
        coordinate: impl FnOnce(&Self, &Distribution) -> TraceCoordinate,
    ) -> Vec<Self> {
        let draw = match distribution.kind() {
            Kind::Real => Draw::Real(coordinate(&self, &distribution)),
            Kind::Natural(first) => Draw::Tail(Variable::fresh(), distribution, NaturalRange::from(first)),
            Kind::Truth => {
                let mut other = self.clone();
                other.draws.push(Draw::Truth(false, distribution.truth(false)));
                self.draws.push(Draw::Truth(true, distribution.truth(true)));
                return vec![other, self];
            }
        };
        self.draws.push(draw);
        vec![self]
    }

    /// Returns the real draws.
    pub fn coordinates(&self) -> impl Iterator<Item = &TraceCoordinate> {
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
        draws || self.decisions.iter().any(|decided| decided.guard.graph.depends_on(v))
    }

    /// Returns the trace of the draws as a value of the language.
    #[must_use]
    pub fn to_trace(&self, kinds: DrawKinds) -> Value<Graph> {
        let empty = crate::value::SharedList::default();
        // lists grow at the front
        Value::List(self.draws.iter().rev().fold(empty, |list, draw| list.with_head(draw.to_trace_value(kinds))))
    }

    /// Returns enclosures of all coordinates, of the unknowns and of the parameter.
    #[must_use]
    pub fn coordinate_ranges(&self, parameter: Option<&Parameter>) -> Vec<(Variable, Enclosure)> {
        let own = self.draws.iter().filter_map(Draw::enclose_range).chain(self.unknowns.iter().cloned());
        own.chain(parameter.map(|p| (p.variable, p.enclose_nearby()))).collect()
    }
}

/// A run along a path, with the alternatives met on the way.
#[derive(Debug, Default)]
struct PathRun {
    /// The path so far, or a longer one that is replayed.
    path: ExecutionPath,
    /// The number of open guards met.
    open_guards: usize,
    /// The paths for the other answers of open guards.
    alternatives: Vec<ExecutionPath>,
    /// The tests known to hold for all draws of the path, up to a set of probability 0.
    known_tests: Vec<(Graph, SignTest)>,
}

/// An oracle that decides guards along a path.
#[derive(Debug)]
pub struct SymbolicExecution {
    parameter: Option<Parameter>,
    /// Rational normal forms, shared by all runs.
    budget: Arc<Budget>,
    forms: Mutex<RationalNormalForm>,
    run: Mutex<PathRun>,
}

/// Locks a mutex. A panic of another thread leaves the data usable: every update is complete.
fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SymbolicExecution {
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
    pub fn begin_run(&self, path: ExecutionPath) {
        *lock_mutex(&self.run) = PathRun { path, ..PathRun::default() };
    }

    /// Records, for the rest of the run, that a test of a map holds.
    pub fn record_test(&self, graph: Graph, test: SignTest) {
        lock_mutex(&self.run).known_tests.push((graph, test));
    }

    /// Returns the path of the run with the decisions met so far.
    pub fn path_so_far(&self) -> ExecutionPath {
        let run = lock_mutex(&self.run);
        let decided = run.path.decisions[..run.open_guards.min(run.path.decisions.len())].to_vec();
        ExecutionPath { draws: run.path.draws.clone(), decisions: decided, unknowns: run.path.unknowns.clone() }
    }

    /// Ends the run. Returns its path, and the paths for the other answers.
    pub fn end_run(&self) -> (ExecutionPath, Vec<ExecutionPath>) {
        let PathRun { path, alternatives: others, .. } = std::mem::take(&mut *lock_mutex(&self.run));
        (path, others)
    }

    /// Makes the coordinate of a new draw, with an enclosure of its values.
    #[must_use]
    pub fn new_coordinate(&self, path: &ExecutionPath, distribution: &Distribution) -> TraceCoordinate {
        let within = path.coordinate_ranges(self.parameter.as_ref());
        let at = |end: &Graph| enclose_range(end, &within, &self.budget);
        let range = match distribution.ends() {
            // the ends are functions of earlier draws: their hull covers all of these
            [Some(a), Some(b)] => at(&a).hull(&at(&b)).with_defined(true),
            [Some(_), None] => half_line(),
            _ => real_line(),
        };
        TraceCoordinate { variable: Variable::fresh(), distribution: distribution.clone(), range }
    }

    /// Decides a test of a map on a path, up to a set of probability 0.
    ///
    /// Uses the ranges of the draws, and the decisions `decided`. Returns `None` if the test may both hold and fail.
    #[must_use]
    pub fn decide_on_path(
        &self,
        path: &ExecutionPath,
        decided: &[GuardCondition],
        graph: &Graph,
        test: SignTest,
    ) -> Option<bool> {
        if let Some(q) = graph.as_rational() {
            return Some(test.is_satisfied_by(q.cmp0()));
        }
        let mut forms = lock_mutex(&self.forms);
        let within = path.coordinate_ranges(self.parameter.as_ref());
        // a sign that the distributions imply is cheaper than a range, and often exact
        let mut known = PathSigns::new(path, &within, &mut forms, &self.budget);
        if let Some(holds) = known.by_what_is_known(graph, test) {
            return Some(holds);
        }
        let found = enclose_range(graph, &within, &self.budget);
        let signs = SignSet::of_range(&Double.round_enclosure(&found));
        let by_range = signs.decide_test(test).filter(|_| found.is_defined());
        // decisions on the path may imply the sign although the range does not
        by_range.or_else(|| known.with_decisions(decided).by_form(graph, test))
    }

    /// Decides a guard without draws, at the value of the parameter.
    ///
    /// The error is [`ValueError::Undefined`] if the sign is not found, or if it changes at the parameter of a
    /// derivative.
    fn decide_without_draws(&self, guard: &SignGuard) -> Result<bool, ValueError> {
        let undecided = |agreement| {
            let found = UndefinedValue::of_operation(UndefinedCause::Undecided, guard.test);
            ValueError::from_undefined(UndefinedValue { agreement, site: guard.site, ..found })
        };
        let Some(parameter) = &self.parameter else {
            return decide_sign(&guard.graph, &self.budget)
                .map(|sign| guard.test.is_satisfied_by(sign))
                .map_err(undecided);
        };
        let at = guard.graph.substitute(&[(parameter.variable, Graph::rational(parameter.value.clone()))]);
        let found = decide_sign(&at, &self.budget).map_err(undecided)?;
        // a derivative needs the same answer on both sides: a zero decides it only if the map is 0 everywhere
        let varies = || !lock_mutex(&self.forms).normal_form(&guard.graph).is_some_and(|fraction| fraction.is_zero());
        if parameter.order > 0 && found == Ordering::Equal && guard.graph.depends_on(parameter.variable) && varies() {
            return Err(undecided(None));
        }
        Ok(guard.test.is_satisfied_by(found))
    }
}

impl Oracle for SymbolicExecution {
    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError> {
        let guard = &asked.guard;
        let mut run = lock_mutex(&self.run);
        // without draws the sign is one number, which can be computed to any accuracy
        let path = &run.path;
        let drawn = path.draws.iter().filter_map(Draw::coordinate).map(|(x, _)| x);
        if !drawn.chain(path.unknowns.iter().map(|(x, _)| *x)).any(|x| guard.graph.depends_on(x)) {
            return self.decide_without_draws(guard);
        }
        let run = &mut *run;
        // only the decisions before this guard count, or a replay would meet other open guards than the first run
        if let Some(decided) =
            self.decide_on_path(&run.path, &run.path.decisions[..run.open_guards], &guard.graph, guard.test)
        {
            return Ok(decided);
        }
        // the same guard up to a positive factor has the same answer
        if let Some(known) = self.earlier_answer(&run.path.decisions[..run.open_guards], guard) {
            return Ok(known);
        }
        if self.follows_from(&run.known_tests, guard) {
            return Ok(true);
        }
        run.open_guards += 1;
        if let Some(decided) = run.path.decisions.get(run.open_guards - 1) {
            // the replayed decision must be of this guard: an exhausted budget proves less, so a replay may meet guards
            // that were decided before
            let is_same = decided.guard.test == guard.test && decided.guard.site == guard.site;
            let lost = || {
                ValueError::from_undefined(UndefinedValue::of_operation(
                    UndefinedCause::Fuel,
                    "a path was not found again",
                ))
            };
            return if is_same { Ok(decided.holds) } else { Err(lost()) };
        }
        if run.path.decisions.len() >= MAX_OPEN_GUARDS {
            return Err(ValueError::from_undefined(UndefinedValue::of_operation(
                UndefinedCause::Fuel,
                "more guards than may be open were met",
            )));
        }
        // the answer `false` is explored by a later run, which replays the decisions before it
        let mut other = run.path.clone();
        let answer =
            |holds| GuardCondition { guard: guard.clone(), holds, is_condition: asked.role == GuardRole::Condition };
        other.decisions.push(answer(false));
        run.alternatives.push(other);
        run.path.decisions.push(answer(true));
        Ok(true)
    }
}

impl SymbolicExecution {
    /// Returns `true` if a guard follows from one of the tests in `shown`.
    fn follows_from(&self, shown: &[(Graph, SignTest)], guard: &SignGuard) -> bool {
        let mut forms = lock_mutex(&self.forms);
        shown.iter().any(|(graph, test)| {
            let is_enough = *test == guard.test || *test == SignTest::Positive && guard.test == SignTest::NonNegative;
            is_enough && forms.normal_form(&(graph - &guard.graph)).is_some_and(|form| form.is_zero())
            // equal maps: their difference is the rational function 0
        })
    }

    /// Returns the earlier answer to the same guard. Returns `None` if there is none, or if the guard has no normal
    /// form.
    fn earlier_answer(&self, before: &[GuardCondition], guard: &SignGuard) -> Option<bool> {
        let mut forms = lock_mutex(&self.forms);
        let (wanted, turned) = forms.normal_form(&guard.graph)?.scale_free_key()?;
        before.iter().find_map(|decided| {
            let (own, own_turned) = forms.normal_form(&decided.guard.graph)?.scale_free_key()?;
            let same = own == wanted && own_turned == turned && decided.guard.test == guard.test;
            same.then_some(decided.holds)
        })
    }
}
