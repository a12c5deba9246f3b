//! Enumeration of the paths of a program, with the image of its values under a map.

use super::{Chart, Support};
use crate::meaning::pap::Pieces;
use crate::meaning::pap::oracle::{Asked, Oracle};
use crate::measure::Fault;
use crate::measure::demand::{check, check_seen};
use crate::measure::distribution::{Demand, Distribution, Kind};
use crate::measure::draws::{Coordinate, Draw, Draws, Path};
use crate::measure::integral::Leaf;
use crate::measure::sum::NO_VALUE;
use crate::measure::vocabulary::{Ending, Factor, Vocabulary, density};
use crate::model::answer::MeaningError;
use crate::model::culprit::Culprit;
use crate::model::universe::{Evaluator, Universe};
use crate::model::{InterpretError, Unsupported};
use crate::number::budget::Budget;
use crate::pieces::fraction::Normaliser;
use crate::pieces::{Guard, Test};
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::value::{Site, Undefined, Value, ValueError};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The largest number of charts. A choice.
const MOST_CHARTS: usize = 256;
/// The number of natural numbers that are followed for one draw. A choice.
const MOST_NATURALS: u64 = 32;
/// The largest number of steps of one run. A choice.
const MOST_STEPS: u64 = 200_000;

/// The end of a run.
#[derive(Debug)]
pub enum Found {
    /// The run needs another draw, which the path lacks.
    Wants(Distribution),
    /// The run returned a value.
    Gives(Box<Given>),
    /// The run observes a number of a distribution with invalid parameters.
    Refused(Fault),
}

/// The result of a run.
#[derive(Debug)]
pub struct Given {
    shape: Value<Graph>,
    /// The weights of the scores.
    pub scores: Vec<Graph>,
    value: Vec<Graph>,
    /// The image of the value.
    pub image: Vec<Graph>,
    jacobian: Vec<Vec<Graph>>,
}

/// Follows the paths of a program, the shortest first.
pub struct Walk<'a> {
    universe: Evaluator<Pieces<Draws>>,
    program: Value<Graph>,
    vocabulary: Vocabulary,
    map: Option<Value<Graph>>,
    /// The terms of the program and of the map, for error messages.
    written: [Option<Term>; 2],
    /// The indices of the positions in the program; other positions lie in the map.
    places: Range<usize>,
    budget: &'a Arc<Budget>,
    waiting: VecDeque<Path>,
    charts: Vec<Chart>,
    rest: Option<&'static str>,
    unproved: bool,
    /// `true` if values are tuples of numbers, and the slopes of the map in them are computed.
    differentiates: bool,
    /// A value, whose shape all values have.
    shape: Option<Value<Graph>>,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("charts", &self.charts).finish_non_exhaustive()
    }
}

impl<'a> Walk<'a> {
    /// Creates a walk at the start of all paths.
    ///
    /// # Errors
    /// [`Fault`] for a construct that the piecewise semantics lacks.
    pub fn new(program: &Term, map: Option<&Term>, budget: &'a Arc<Budget>) -> Result<Self, Fault> {
        let oracle = Draws::new(None, budget.clone());
        let universe = Evaluator::new(Pieces::new(oracle, budget.clone()).limited(None, MOST_STEPS));
        let vocabulary = Vocabulary::of(program)?;
        let written = [Some(program.clone()), map.cloned()];
        let before = universe.0.places();
        let program = universe.value(program)?;
        let places = before..universe.0.places();
        let map = map.map(|map| universe.value(map)).transpose()?;
        let waiting = VecDeque::from([Path::default()]);
        let (charts, rest, shape) = (Vec::new(), None, None);
        Ok(Self {
            universe,
            program,
            vocabulary,
            map,
            written,
            places,
            budget,
            waiting,
            charts,
            rest,
            unproved: false,
            differentiates: true,
            shape,
        })
    }

    /// Names an undefined part by the term of the program or of the map.
    #[must_use]
    pub fn named(&self, found: &Undefined) -> Undefined {
        let is_in_program = found.site.index().is_some_and(|index| self.places.contains(&index));
        let term = self.written[usize::from(!is_in_program)].as_ref().or(self.written[0].as_ref());
        let place = self.universe.0.place(found.site);
        match (term, &place) {
            (Some(term), Some(_)) => Culprit::renamed(found, place, term).0,
            _ => found.clone(),
        }
    }

    /// Keeps only the image of values under the map, without slopes. Then values may have any type, and constraints on
    /// observed distributions become guards.
    #[must_use]
    pub fn plain(self) -> Self {
        Self { differentiates: false, ..self }
    }

    /// Follows all paths, up to `MOST_CHARTS` and while there is time.
    ///
    /// # Errors
    /// [`Fault`] if the program is certainly undefined somewhere, a score is negative, or a distribution is invalid.
    pub fn go_on(&mut self) -> Result<(), Fault> {
        while let Some(path) = self.waiting.pop_front() {
            // Waiting paths count too, since each may become a chart.
            if self.charts.len() + self.waiting.len() >= MOST_CHARTS {
                self.rest = Some("the program has more paths than are followed");
                return Ok(());
            }
            if self.budget.is_exhausted() {
                self.rest = Some("the time was up");
                return Ok(());
            }
            self.follow(path)?;
        }
        Ok(())
    }

    /// Returns the charts that were found.
    #[must_use]
    pub fn support(self) -> Support {
        let whole = self.whole();
        Support { charts: self.charts, whole, rest: self.rest, unproved: self.unproved }
    }

    /// Returns the map at new variables. Returns `None` if there is no chart, or the map cannot be evaluated there without a
    /// guard.
    fn whole(&self) -> Option<(Vec<Variable>, Vec<Graph>)> {
        let n = self.charts.first()?.value.len();
        let variables: Vec<Variable> = (0..n).map(|_| Variable::fresh()).collect();
        let Some(map) = &self.map else {
            let same = variables.iter().map(|v| Graph::variable(*v)).collect();
            return Some((variables, same));
        };
        let x = self.shape.as_ref()?.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v)));
        self.universe.0.oracle().begin(Path::default());
        self.universe.0.begin();
        let image = map.as_function().ok()?.apply(&x).ok()?;
        let image = image.coordinates().ok()?.into_iter().cloned().collect();
        Some((variables, image))
    }

    /// Follows a path to its end, or to a discrete draw, at which it branches.
    fn follow(&mut self, mut path: Path) -> Result<(), Fault> {
        loop {
            let (found, walked, others) = self.run(path);
            path = walked;
            self.waiting.extend(others);
            match found {
                Ok(Found::Gives(given)) => {
                    return self.end(path, *given);
                }
                Ok(Found::Refused(fault)) => return Err(fault),
                // The program runs again from its start after each draw: values cannot be resumed.
                Ok(Found::Wants(distribution)) => {
                    check(self.universe.0.oracle(), &path, &distribution)?;
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.coordinate(&path, &distribution);
                            path.draws.push(Draw::Real(coordinate));
                        }
                        Kind::Truth => {
                            for holds in [true, false] {
                                let mut path = path.clone();
                                let chance = distribution.truth(holds);
                                if chance.as_rational().is_none_or(|chance| *chance != 0) {
                                    path.draws.push(Draw::Truth(holds, chance));
                                    self.waiting.push_back(path);
                                }
                            }
                            return Ok(());
                        }
                        Kind::Natural(first) => {
                            for n in first..first + MOST_NATURALS {
                                let mut path = path.clone();
                                path.draws.push(Draw::Natural(n, distribution.natural(n)));
                                self.waiting.push_back(path);
                            }
                            self.rest = Some("a natural number is drawn, of which the first 32 are followed");
                            return Ok(());
                        }
                    }
                }
                // An error matters only if its path has positive probability.
                Err(ValueError::Undefined(found)) if found.certain => {
                    return match Leaf::shape(&path, None, self.budget) {
                        Ok(None) => Ok(()),
                        Ok(Some(leaf)) if leaf.is_somewhere() => {
                            let demand = self.universe.0.place(found.site).and_then(|place| place.demand());
                            Err(Fault::Undefined(match demand.is_some() {
                                true => found.demanding(demand),
                                false => self.named(&found),
                            }))
                        }
                        found => {
                            self.rest = Some(found.err().map_or(NO_VALUE, |obstacle| obstacle.text()));
                            Ok(())
                        }
                    };
                }
                Err(ValueError::Undefined(_)) => {
                    self.rest = Some("a path was not followed to its end");
                    return Ok(());
                }
                Err(ValueError::Lacks { model, construct }) => {
                    return Err(MeaningError::from(InterpretError::from(Unsupported { model, construct })).into());
                }
                Err(error) => return Err(MeaningError::from(error).into()),
            }
        }
    }

    /// Adds the chart of a path at its end, unless no draws satisfy its guards. The chart is also added if that is undecided.
    ///
    /// # Errors
    /// [`Fault::NegativeScore`] if a score is certainly negative somewhere.
    fn end(&mut self, path: Path, given: Given) -> Result<(), Fault> {
        let leaf = Leaf::shape(&path, None, self.budget);
        if matches!(leaf, Ok(None)) {
            return Ok(());
        }
        let Given { shape, scores, value, image, jacobian } = given;
        for score in &scores {
            match leaf
                .as_ref()
                .ok()
                .and_then(Option::as_ref)
                .map(|leaf| leaf.fails(score, Test::NonNegative, &path, None, self.budget))
            {
                Some(Some(true)) => return Err(Fault::NegativeScore),
                Some(Some(false)) => {}
                _ => self.unproved = true,
            }
        }
        self.shape.get_or_insert(shape);
        self.charts.push(Chart { path, scores, value, image, jacobian });
        Ok(())
    }

    /// Runs the program along a path. Returns the end of the run, the path as far as it was followed, and the paths that branch
    /// off.
    pub fn run(&mut self, path: Path) -> (Result<Found, ValueError>, Path, Vec<Path>) {
        let trace = path.trace(self.vocabulary.draws());
        self.universe.0.oracle().begin(path);
        self.universe.0.begin();
        let found = self.found(&trace);
        let (path, others) = self.universe.0.oracle().end();
        (found, path, others)
    }

    /// Runs the program on a trace, and interprets its outcome and factors.
    fn found(&self, trace: &Value<Graph>) -> Result<Found, ValueError> {
        let (_, run) = self.program.as_variant()?;
        let ran = run.as_function()?.apply(trace)?;
        let [outcome, factors, _] = ran.as_tuple()? else {
            return Err(ran.mismatch("an outcome, factors, and the rest of the trace"));
        };
        let given = match self.vocabulary.ending(outcome)? {
            Ending::Wanted(distribution) => return Ok(Found::Wants(distribution)),
            Ending::Given(value) => value,
        };
        let mut scores = Vec::new();
        for factor in factors.as_list()?.iter() {
            match self.vocabulary.factor(factor)? {
                // The densities of draws are known from the distributions in the path.
                Factor::Prior => {}
                Factor::Seen(distribution, of_nothing) => {
                    if let Some(fault) = self.refused(&distribution)? {
                        return Ok(Found::Refused(fault));
                    }
                    scores.push(density(of_nothing)?);
                }
                Factor::Score(weight) => scores.push(weight.clone()),
            }
        }
        let graphs = |x: &Value<Graph>| Ok::<_, ValueError>(x.coordinates()?.into_iter().cloned().collect::<Vec<_>>());
        if let (false, Some(map)) = (self.differentiates, &self.map) {
            let image = graphs(&map.as_function()?.apply(given)?)?;
            let shape = given.clone();
            return Ok(Found::Gives(Box::new(Given { shape, scores, value: Vec::new(), image, jacobian: Vec::new() })));
        }
        let value = graphs(given)?;
        let unit = |i: usize| (0..value.len()).map(move |j| Graph::integer(i64::from(i == j)));
        let Some(map) = &self.map else {
            let jacobian = (0..value.len()).map(|i| unit(i).collect()).collect();
            return Ok(Found::Gives(Box::new(Given {
                shape: given.clone(),
                scores,
                image: value.clone(),
                value,
                jacobian,
            })));
        };
        let image = graphs(&map.as_function()?.apply(given)?)?;
        // One column of the Jacobian for each unit vector, in forward mode.
        let mut columns = Vec::new();
        for i in 0..value.len() {
            let along = given.with_coordinates(&mut unit(i));
            let arguments = [map.clone(), given.clone(), along];
            let column = graphs(&self.universe.0.operation(Constant::Jvp, Site::NOWHERE, &arguments)?)?;
            columns.push(column.into_iter().map(short).collect::<Vec<_>>());
        }
        let row = |i: usize| columns.iter().map(|column| column[i].clone()).collect();
        let jacobian = (0..image.len()).map(row).collect();
        Ok(Found::Gives(Box::new(Given { shape: given.clone(), scores, value, image, jacobian })))
    }

    /// Returns the error of an observed distribution with invalid parameters; `None` if they are valid. Without slopes the
    /// constraint becomes a guard of the path, which each sample satisfies or not.
    fn refused(&self, distribution: &Distribution) -> Result<Option<Fault>, ValueError> {
        let oracle = self.universe.0.oracle();
        if self.differentiates {
            return Ok(check_seen(oracle, distribution).err());
        }
        for Demand { what, has_to_be, graph, test } in distribution.demands() {
            let asked = Asked { guard: Guard::new(&graph, test, Site::NOWHERE), is_condition: true, at: None };
            if !oracle.decide(&asked)? {
                return Ok(Some(Fault::Distribution { what, has_to_be, certain: true, nearby: false }));
            }
            oracle.note(graph, test);
        }
        Ok(None)
    }

    /// Returns the coordinate of a real draw.
    #[must_use]
    pub fn coordinate(&self, path: &Path, distribution: &Distribution) -> Coordinate {
        self.universe.0.oracle().coordinate(path, distribution)
    }
}

/// Replaces a slope by a number if its normal form is constant.
fn short(slope: Graph) -> Graph {
    let fraction = Normaliser::default().fraction(&slope);
    fraction.and_then(|fraction| fraction.as_rational()).map_or(slope, Graph::rational)
}
