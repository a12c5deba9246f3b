//! Enumeration of the paths of a program, with the image of its values under a map.

use super::{ProgramSupport, SupportChart};
use crate::meaning::pap::PiecewiseUniverse;
use crate::meaning::pap::oracle::{GuardQuery, Oracle};
use crate::measure::MeasureError;
use crate::measure::demand::{check_constraints, check_observation};
use crate::measure::distribution::{Demand, Distribution, Kind};
use crate::measure::draws::{Draw, ExecutionPath, SymbolicExecution, TraceCoordinate};
use crate::measure::integral::PathIntegral;
use crate::measure::sum::NO_VALUE_REASON;
use crate::measure::vocabulary::{TraceOutcome, TraceVocabulary, WeightFactor, observed_density};
use crate::model::answer::SemanticsError;
use crate::model::culprit::FaultyOperation;
use crate::model::universe::{EvaluatorModel, ValueSemantics};
use crate::model::{InterpretError, Unsupported};
use crate::number::budget::Budget;
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::{SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::value::{SourceId, UndefinedValue, Value, ValueError};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// The largest number of charts. A choice.
const MAX_CHARTS: usize = 256;
/// The number of natural numbers that are followed for one draw. A choice.
const MAX_NATURALS: u64 = 32;
/// The largest number of steps of one run. A choice.
const MAX_RUN_STEPS: u64 = 200_000;

/// The end of a run.
#[derive(Debug)]
pub enum WalkEnd {
    /// The run needs another draw, which the path lacks.
    NeedsDraw(Distribution),
    /// The run returned a value.
    Returned(Box<WalkedRun>),
    /// The run observes a number of a distribution with invalid parameters.
    InvalidObservation(MeasureError),
}

/// The result of a run.
#[derive(Debug)]
pub struct WalkedRun {
    shape: Value<Graph>,
    /// The weights of the scores.
    pub scores: Vec<Graph>,
    value: Vec<Graph>,
    /// The image of the value.
    pub image: Vec<Graph>,
    jacobian: Vec<Vec<Graph>>,
}

/// Follows the paths of a program, the shortest first.
pub struct SupportWalk<'a> {
    universe: EvaluatorModel<PiecewiseUniverse<SymbolicExecution>>,
    program: Value<Graph>,
    vocabulary: TraceVocabulary,
    map: Option<Value<Graph>>,
    /// The terms of the program and of the map, for error messages.
    written: [Option<Term>; 2],
    /// The indices of the positions in the program; other positions lie in the map.
    program_sites: Range<usize>,
    budget: &'a Arc<Budget>,
    waiting: VecDeque<ExecutionPath>,
    charts: Vec<SupportChart>,
    missing_charts_reason: Option<&'static str>,
    has_unproved_score: bool,
    /// `true` if values are tuples of numbers, and the slopes of the map in them are computed.
    differentiates: bool,
    /// A value, whose shape all values have.
    shape: Option<Value<Graph>>,
}

impl std::fmt::Debug for SupportWalk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("charts", &self.charts).finish_non_exhaustive()
    }
}

impl<'a> SupportWalk<'a> {
    /// Creates a walk at the start of all paths.
    ///
    /// # Errors
    /// [`MeasureError`] for a construct that the piecewise semantics lacks.
    pub fn new(program: &Term, map: Option<&Term>, budget: &'a Arc<Budget>) -> Result<Self, MeasureError> {
        let oracle = SymbolicExecution::new(None, budget.clone());
        let universe =
            EvaluatorModel::new(PiecewiseUniverse::new(oracle, budget.clone()).with_limits(None, MAX_RUN_STEPS));
        let vocabulary = TraceVocabulary::from_program(program)?;
        let written = [Some(program.clone()), map.cloned()];
        let before = universe.0.site_count();
        let program = universe.evaluate_closed(program)?;
        let places = before..universe.0.site_count();
        let map = map.map(|map| universe.evaluate_closed(map)).transpose()?;
        let waiting = VecDeque::from([ExecutionPath::default()]);
        let (charts, rest, shape) = (Vec::new(), None, None);
        Ok(Self {
            universe,
            program,
            vocabulary,
            map,
            written,
            program_sites: places,
            budget,
            waiting,
            charts,
            missing_charts_reason: rest,
            has_unproved_score: false,
            differentiates: true,
            shape,
        })
    }

    /// Names an undefined part by the term of the program or of the map.
    #[must_use]
    pub fn name_undefined(&self, found: &UndefinedValue) -> UndefinedValue {
        let is_in_program = found.site.index().is_some_and(|index| self.program_sites.contains(&index));
        let term = self.written[usize::from(!is_in_program)].as_ref().or(self.written[0].as_ref());
        let place = self.universe.0.location_of(found.site);
        match (term, &place) {
            (Some(term), Some(_)) => FaultyOperation::rename_for_user(found, place, term).0,
            _ => found.clone(),
        }
    }

    /// Keeps only the image of values under the map, without slopes. Then values may have any type, and constraints on
    /// observed distributions become guards.
    #[must_use]
    pub fn without_slopes(self) -> Self {
        Self { differentiates: false, ..self }
    }

    /// Follows all paths, up to `MAX_CHARTS` and while there is time.
    ///
    /// # Errors
    /// [`MeasureError`] if the program is certainly undefined somewhere, a score is negative, or a distribution is invalid.
    pub fn follow_all(&mut self) -> Result<(), MeasureError> {
        while let Some(path) = self.waiting.pop_front() {
            // Waiting paths count too, since each may become a chart.
            if self.charts.len() + self.waiting.len() >= MAX_CHARTS {
                self.missing_charts_reason = Some("the program has more paths than are followed");
                return Ok(());
            }
            if self.budget.is_exhausted() {
                self.missing_charts_reason = Some("the time was up");
                return Ok(());
            }
            self.follow_path(path)?;
        }
        Ok(())
    }

    /// Returns the charts that were found.
    #[must_use]
    pub fn into_support(self) -> ProgramSupport {
        let whole = self.global_map();
        ProgramSupport {
            charts: self.charts,
            global_map: whole,
            missing_charts_reason: self.missing_charts_reason,
            has_unproved_score: self.has_unproved_score,
        }
    }

    /// Returns the map at new variables. Returns `None` if there is no chart, or the map cannot be evaluated there without a
    /// guard.
    fn global_map(&self) -> Option<(Vec<Variable>, Vec<Graph>)> {
        let n = self.charts.first()?.value.len();
        let variables: Vec<Variable> = (0..n).map(|_| Variable::fresh()).collect();
        let Some(map) = &self.map else {
            let same = variables.iter().map(|v| Graph::variable(*v)).collect();
            return Some((variables, same));
        };
        let x = self.shape.as_ref()?.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v)));
        self.universe.0.oracle().begin_run(ExecutionPath::default());
        self.universe.0.begin_run();
        let image = map.as_function().ok()?.apply(&x).ok()?;
        let image = image.coordinates().ok()?.into_iter().cloned().collect();
        Some((variables, image))
    }

    /// Follows a path to its end, or to a discrete draw, at which it branches.
    fn follow_path(&mut self, mut path: ExecutionPath) -> Result<(), MeasureError> {
        loop {
            let (found, walked, others) = self.run_path(path);
            path = walked;
            self.waiting.extend(others);
            match found {
                Ok(WalkEnd::Returned(given)) => {
                    return self.add_chart(path, *given);
                }
                Ok(WalkEnd::InvalidObservation(fault)) => return Err(fault),
                // The program runs again from its start after each draw: values cannot be resumed.
                Ok(WalkEnd::NeedsDraw(distribution)) => {
                    check_constraints(self.universe.0.oracle(), &path, &distribution)?;
                    match distribution.kind() {
                        Kind::Real => {
                            let coordinate = self.draw_coordinate(&path, &distribution);
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
                            for n in first..first + MAX_NATURALS {
                                let mut path = path.clone();
                                path.draws.push(Draw::Natural(n, distribution.natural(n)));
                                self.waiting.push_back(path);
                            }
                            self.missing_charts_reason =
                                Some("a natural number is drawn, of which the first 32 are followed");
                            return Ok(());
                        }
                    }
                }
                // An error matters only if its path has positive probability.
                Err(ValueError::Undefined(found)) if found.certain => {
                    return match PathIntegral::of_guards(&path, None, self.budget) {
                        Ok(None) => Ok(()),
                        Ok(Some(leaf)) if leaf.has_cells() => {
                            let demand =
                                self.universe.0.location_of(found.site).and_then(|place| place.stated_requirement());
                            Err(MeasureError::Undefined(match demand.is_some() {
                                true => found.with_requirement(demand),
                                false => self.name_undefined(&found),
                            }))
                        }
                        found => {
                            self.missing_charts_reason =
                                Some(found.err().map_or(NO_VALUE_REASON, |obstacle| obstacle.reason_text()));
                            Ok(())
                        }
                    };
                }
                Err(ValueError::Undefined(_)) => {
                    self.missing_charts_reason = Some("a path was not followed to its end");
                    return Ok(());
                }
                Err(ValueError::Unsupported { model, construct }) => {
                    return Err(SemanticsError::from(InterpretError::from(Unsupported { model, construct })).into());
                }
                Err(error) => return Err(SemanticsError::from(error).into()),
            }
        }
    }

    /// Adds the chart of a path at its end, unless no draws satisfy its guards. The chart is also added if that is undecided.
    ///
    /// # Errors
    /// [`MeasureError::NegativeScore`] if a score is certainly negative somewhere.
    fn add_chart(&mut self, path: ExecutionPath, given: WalkedRun) -> Result<(), MeasureError> {
        let leaf = PathIntegral::of_guards(&path, None, self.budget);
        if matches!(leaf, Ok(None)) {
            return Ok(());
        }
        let WalkedRun { shape, scores, value, image, jacobian } = given;
        for score in &scores {
            match leaf
                .as_ref()
                .ok()
                .and_then(Option::as_ref)
                .map(|leaf| leaf.test_fails(score, SignTest::NonNegative, &path, None, self.budget))
            {
                Some(Some(true)) => return Err(MeasureError::NegativeScore),
                Some(Some(false)) => {}
                _ => self.has_unproved_score = true,
            }
        }
        self.shape.get_or_insert(shape);
        self.charts.push(SupportChart { path, scores, value, image, jacobian });
        Ok(())
    }

    /// Runs the program along a path. Returns the end of the run, the path as far as it was followed, and the paths that branch
    /// off.
    pub fn run_path(
        &mut self,
        path: ExecutionPath,
    ) -> (Result<WalkEnd, ValueError>, ExecutionPath, Vec<ExecutionPath>) {
        let trace = path.to_trace(self.vocabulary.draw_kinds());
        self.universe.0.oracle().begin_run(path);
        self.universe.0.begin_run();
        let found = self.interpret_run(&trace);
        let (path, others) = self.universe.0.oracle().end_run();
        (found, path, others)
    }

    /// Runs the program on a trace, and interprets its outcome and factors.
    fn interpret_run(&self, trace: &Value<Graph>) -> Result<WalkEnd, ValueError> {
        let (_, run) = self.program.as_variant()?;
        let ran = run.as_function()?.apply(trace)?;
        let [outcome, factors, _] = ran.as_tuple()? else {
            return Err(ran.kind_mismatch("an outcome, factors, and the rest of the trace"));
        };
        let given = match self.vocabulary.read_outcome(outcome)? {
            TraceOutcome::Wanted(distribution) => return Ok(WalkEnd::NeedsDraw(distribution)),
            TraceOutcome::Given(value) => value,
        };
        let mut scores = Vec::new();
        for factor in factors.as_list()?.iter() {
            match self.vocabulary.read_factor(factor)? {
                // The densities of draws are known from the distributions in the path.
                WeightFactor::Prior => {}
                WeightFactor::Seen(distribution, of_nothing) => {
                    if let Some(fault) = self.invalid_observation(&distribution)? {
                        return Ok(WalkEnd::InvalidObservation(fault));
                    }
                    scores.push(observed_density(of_nothing)?);
                }
                WeightFactor::Score(weight) => scores.push(weight.clone()),
            }
        }
        let graphs = |x: &Value<Graph>| Ok::<_, ValueError>(x.coordinates()?.into_iter().cloned().collect::<Vec<_>>());
        if let (false, Some(map)) = (self.differentiates, &self.map) {
            let image = graphs(&map.as_function()?.apply(given)?)?;
            let shape = given.clone();
            return Ok(WalkEnd::Returned(Box::new(WalkedRun {
                shape,
                scores,
                value: Vec::new(),
                image,
                jacobian: Vec::new(),
            })));
        }
        let value = graphs(given)?;
        let unit = |i: usize| (0..value.len()).map(move |j| Graph::integer(i64::from(i == j)));
        let Some(map) = &self.map else {
            let jacobian = (0..value.len()).map(|i| unit(i).collect()).collect();
            return Ok(WalkEnd::Returned(Box::new(WalkedRun {
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
            let column = graphs(&self.universe.0.apply_constant(Constant::Jvp, SourceId::NOWHERE, &arguments)?)?;
            columns.push(column.into_iter().map(normalise_constant).collect::<Vec<_>>());
        }
        let row = |i: usize| columns.iter().map(|column| column[i].clone()).collect();
        let jacobian = (0..image.len()).map(row).collect();
        Ok(WalkEnd::Returned(Box::new(WalkedRun { shape: given.clone(), scores, value, image, jacobian })))
    }

    /// Returns the error of an observed distribution with invalid parameters; `None` if they are valid. Without slopes the
    /// constraint becomes a guard of the path, which each sample satisfies or not.
    fn invalid_observation(&self, distribution: &Distribution) -> Result<Option<MeasureError>, ValueError> {
        let oracle = self.universe.0.oracle();
        if self.differentiates {
            return Ok(check_observation(oracle, distribution).err());
        }
        for Demand { what, has_to_be, graph, test } in distribution.demands() {
            let asked =
                GuardQuery { guard: SignGuard::new(&graph, test, SourceId::NOWHERE), is_condition: true, at: None };
            if !oracle.decide_guard(&asked)? {
                return Ok(Some(MeasureError::ParameterConstraint { what, has_to_be, certain: true, nearby: false }));
            }
            oracle.record_test(graph, test);
        }
        Ok(None)
    }

    /// Returns the coordinate of a real draw.
    #[must_use]
    pub fn draw_coordinate(&self, path: &ExecutionPath, distribution: &Distribution) -> TraceCoordinate {
        self.universe.0.oracle().new_coordinate(path, distribution)
    }
}

/// Replaces a slope by a number if its normal form is constant.
fn normalise_constant(slope: Graph) -> Graph {
    let fraction = RationalNormalForm::default().normal_form(&slope);
    fraction.and_then(|fraction| fraction.as_rational()).map_or(slope, Graph::rational)
}
