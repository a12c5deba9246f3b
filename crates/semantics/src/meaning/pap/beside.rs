//! Functions of one variable at a point and on both sides of it.
//!
//! Beside a point a guard is decided by the first non-zero term of its [germ](crate::pieces::germ). For small t > 0 a program is
//! thus one analytic map at x + t and one at x - t: *germs by resolving branches*. At the point itself guards are decided by
//! signs. An undecided guard ends the run; nothing is guessed.
//!
//! A derivative within the program is that of the piece on which its point lies (an intensional derivative). If that point lies
//! on a border along the whole side, it need not be the derivative of anything, and the run ends as well.

use super::steps::StraightLineProgram;
use super::{GuardQuery, GuardRole, MAX_POINT_STEPS, Oracle, PiecewiseUniverse, lock};
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::model::{InterpretError, SourceLocation, Unsupported, answer};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Magnitude, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::germ::{GermLimit, OneSidedGerms, OneSidedPoint};
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::term::Term;
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError, ValueFunction};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex};

/// The oracle that decides by signs at a point, or by germs beside it.
#[derive(Debug)]
pub struct GermOracle {
    budget: Arc<Budget>,
    state: Mutex<SideState>,
}

#[derive(Debug, Default)]
struct SideState {
    /// The side on which the program is run; `None` at the point.
    side: Option<OneSidedPoint>,
    /// The variables of a program of several variables, on that side.
    along: Vec<(Variable, Graph)>,
    /// The sites of the guards on whose border the point lies.
    borders: Vec<SourceId>,
    /// `true` if the whole side lies on a border.
    is_border: bool,
}

impl SideState {
    /// Restricts a graph over the variables of a program of several variables to the side.
    fn restrict_to_side(&self, graph: &Graph) -> Graph {
        if self.along.is_empty() { graph.clone() } else { graph.substitute(&self.along) }
    }
}

impl GermOracle {
    /// Creates the oracle, which decides at the point.
    #[must_use]
    pub fn new(budget: &Arc<Budget>) -> Self {
        Self { budget: budget.clone(), state: Mutex::default() }
    }

    /// Returns `true` while a program is run on a side of a point.
    #[must_use]
    pub fn is_beside(&self) -> bool {
        lock(&self.state).side.is_some()
    }

    /// Runs something on a side of a point.
    pub fn run_beside<T>(&self, side: OneSidedPoint, run: impl FnOnce() -> T) -> T {
        *lock(&self.state) = SideState { side: Some(side), ..SideState::default() };
        let found = run();
        *lock(&self.state) = SideState::default();
        found
    }

    /// Decides the sign of a guard's number, and records borders.
    fn decide_sign(&self, asked: &GuardQuery, state: &mut SideState) -> Result<Ordering, ValueError> {
        let GuardQuery { guard, role, at } = asked;
        let is_condition = *role == GuardRole::Condition;
        let undecided = |why: String| {
            ValueError::from_undefined(UndefinedValue {
                site: guard.site,
                ..UndefinedValue::of_operation(UndefinedCause::Undecided, why)
            })
        };
        let graph = state.restrict_to_side(&guard.graph);
        let side = state.side.as_ref().filter(|side| graph.depends_on(side.variable));
        let found = match side {
            None => decide_sign(&graph, &self.budget).map_err(|agreement| {
                let near = agreement.map_or_else(String::new, |power| format!(", which lies within 2^{power} of it"));
                undecided(format!("whether a number is 0 was not decided{near}"))
            })?,
            Some(side) => {
                let leading = OneSidedGerms::new(side.clone(), &self.budget).leading_term(&graph);
                let leading = leading.map_err(|obstacle| undecided(obstacle.to_string()))?;
                // a leading term of positive order: the number is 0 at the point itself, which lies on the border
                if leading.as_ref().is_some_and(|leading| leading.exponent == Ordering::Greater) && !is_condition {
                    state.borders.push(guard.site);
                }
                leading.map_or(Ordering::Equal, |leading| leading.sign)
            }
        };
        state.is_border |= found == Ordering::Equal && state.along.iter().any(|(v, _)| guard.graph.depends_on(*v));
        // on a border along the whole side the intensional derivative may belong to neither piece
        if found == Ordering::Equal && at.is_some() && !is_condition {
            return Err(undecided("a derivative within the program is taken on a border".to_owned()));
        }
        Ok(found)
    }
}

impl Oracle for GermOracle {
    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError> {
        Ok(asked.guard.test.is_satisfied_by(self.decide_sign(asked, &mut lock(&self.state))?))
    }

    /// Returns the integer next to the value at the point, or to the limit there.
    fn nearby_integer(&self, x: &Graph) -> Option<Rational> {
        let x = &lock(&self.state).restrict_to_side(x);
        let side = lock(&self.state).side.clone().filter(|side| x.depends_on(side.variable));
        let there = match side {
            None => x.clone(),
            Some(side) => match OneSidedGerms::new(side, &self.budget).limit_formulas(x).ok()?.into_iter().next()? {
                GermLimit::Finite(there) => there,
                GermLimit::Infinite(_) => return None,
            },
        };
        integer_near(&there, &self.budget)
    }
}

/// Returns the integer next to a closed number. `None` if no narrow enclosure of it is found.
pub(super) fn integer_near(x: &Graph, budget: &Budget) -> Option<Rational> {
    let evaluation = x.compile_evaluation().ok()?;
    let near = |tier: Precision| {
        let effort = PassOptions::new(Magnitude::power_of_two(-8), budget);
        let found = evaluation.enclose_in_pass(tier, &effort).ok().filter(|found| found.is_defined())?;
        let (lo, hi) = (found.lo().to_rational()?, found.hi().to_rational()?);
        let is_narrow = Rational::from(&hi - &lo) <= Rational::from((1, 4));
        is_narrow.then(|| (Rational::from(&lo + &hi) / 2u32).round())
    };
    // doubles first, and 1024 bits, a choice, where these are too wide
    near(Precision::Double).or_else(|| near(Precision::Mpfr(1024)))
}

/// The result of a program at a point or on a side.
#[derive(Clone, Debug)]
pub enum SideResult {
    /// A number: a map of the variable on a side, closed at the point.
    Value(Graph),
    /// Certainly no value there, with the reason.
    Undefined(String),
    /// Undecided, with the reason.
    Unknown(String),
}

/// A function of one variable around a point.
#[derive(Debug)]
pub struct LocalMaps {
    /// The variable.
    pub variable: Variable,
    /// The point.
    pub at: Rational,
    /// The result at the point.
    pub here: SideResult,
    /// The results on the left and on the right.
    pub sides: [SideResult; 2],
    /// The guards on whose border the point lies.
    pub borders: BorderPlaces,
}

/// Places of guards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BorderPlaces {
    /// Places in a program.
    pub places: Vec<SourceLocation>,
    /// Indices in a list of steps.
    pub steps: Vec<usize>,
}

impl BorderPlaces {
    /// Returns `true` if there are no guards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.steps.is_empty()
    }
}

/// The representation of a function.
#[derive(Clone, Copy)]
pub enum FunctionSource<'t> {
    /// A closed program of type `Real -> Real`; for a function of several variables, `Real * … * Real -> Real`.
    Program(&'t Term),
    /// A straight-line program.
    Steps(&'t StraightLineProgram),
}

impl LocalMaps {
    /// Returns the germs on the left, or on the right.
    #[must_use]
    pub fn germs_on_side<'b>(&self, right: bool, budget: &'b Budget) -> OneSidedGerms<'b> {
        OneSidedGerms::new(side_of_point(self.variable, &self.at, right), budget)
    }
}

fn side_of_point(variable: Variable, at: &Rational, right: bool) -> OneSidedPoint {
    OneSidedPoint { variable, at: at.clone(), direction: if right { Ordering::Greater } else { Ordering::Less } }
}

/// Resolves a function at a point and on both sides of it.
///
/// # Errors
/// A construct that the model lacks; a program that is no function of numbers.
pub fn resolve_around(
    given: FunctionSource<'_>,
    at: &Rational,
    budget: &Arc<Budget>,
) -> Result<LocalMaps, SemanticsError> {
    let universe = PiecewiseUniverse::new(GermOracle::new(budget), budget.clone()).with_limits(None, MAX_POINT_STEPS);
    let model = EvaluatorModel::new(universe);
    let variable = Variable::fresh();
    let mut sites = Vec::new();
    let mut found = |side: Option<OneSidedPoint>, x: Graph| {
        *lock(&model.0.oracle().state) = SideState { side, ..SideState::default() };
        model.0.begin_run();
        let found = value_of_source(given, &model, x);
        sites.append(&mut lock(&model.0.oracle().state).borders);
        match found {
            Ok(value) => Ok(SideResult::Value(value)),
            // certainly outside a domain; any other failure leaves the result unknown
            Err(SemanticsError::Run(ValueError::Undefined(found)))
                if found.certain && found.cause == UndefinedCause::Domain =>
            {
                Ok(SideResult::Undefined(match given {
                    FunctionSource::Program(term) => {
                        answer::UndefinedReason::of_value(
                            &found,
                            model.0.location_of(found.site),
                            term,
                            ToString::to_string,
                        )
                        .message
                    }
                    FunctionSource::Steps(_) => found.to_string(),
                }))
            }
            Err(SemanticsError::Run(ValueError::Undefined(found))) => Ok(SideResult::Unknown(found.operation)),
            Err(SemanticsError::Run(ValueError::Unsupported { model, construct })) => {
                Err(InterpretError::from(Unsupported { model, construct }).into())
            }
            Err(error) => Err(error),
        }
    };
    let here = found(None, Graph::rational(at.clone()))?;
    let mut beside = |right| found(Some(side_of_point(variable, at, right)), Graph::variable(variable));
    let sides = [beside(false)?, beside(true)?];
    let mut borders = BorderPlaces::default();
    for site in sites {
        match (given, model.0.location_of(site), site.index()) {
            (FunctionSource::Program(_), Some(place), _) if !borders.places.contains(&place) => {
                borders.places.push(place)
            }
            (FunctionSource::Steps(_), _, Some(step)) if !borders.steps.contains(&step) => borders.steps.push(step),
            _ => {}
        }
    }
    Ok(LocalMaps { variable, at: at.clone(), here, sides, borders })
}

/// Resolves a function of several variables on a ray from a point.
///
/// Returns the one analytic map that the function is on an open set containing the ray near the point. Returns `None` if the ray
/// lies on a border, or if a guard is undecided.
///
/// # Errors
/// A construct that the model lacks.
pub fn resolve_on_ray(
    given: FunctionSource<'_>,
    at: &[Rational],
    along: &[Rational],
    budget: &Arc<Budget>,
) -> Result<Option<(Vec<Variable>, Graph)>, SemanticsError> {
    let universe = PiecewiseUniverse::new(GermOracle::new(budget), budget.clone());
    let model = EvaluatorModel::new(universe.with_limits(None, MAX_POINT_STEPS));
    let t = Variable::fresh();
    let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
    let moving = |(x, v): (&Rational, &Rational)| {
        let step = Graph::binary(Binary::Multiply, &Graph::rational(v.clone()), &Graph::variable(t));
        Graph::binary(Binary::Add, &Graph::rational(x.clone()), &step)
    };
    *lock(&model.0.oracle().state) = SideState {
        side: Some(side_of_point(t, &Rational::new(), true)),
        along: variables.iter().copied().zip(at.iter().zip(along).map(moving)).collect(),
        ..SideState::default()
    };
    let run = || -> Result<Graph, SemanticsError> {
        let point = variables.iter().map(|v| Graph::variable(*v));
        match given {
            FunctionSource::Program(term) => {
                let function: ValueFunction<Graph> = model.evaluate_closed(term)?.as_function()?.clone();
                Ok(function.apply(&Value::tuple_of(point.map(Value::Real)))?.as_real()?.clone())
            }
            FunctionSource::Steps(steps) => Ok(steps.value_at(&model.0, &point.collect::<Vec<_>>())?),
        }
    };
    match run() {
        // on a border the map of the chosen piece need not be the function on any open set
        Ok(value) if !lock(&model.0.oracle().state).is_border => Ok(Some((variables, value))),
        Ok(_) | Err(SemanticsError::Run(ValueError::Undefined(_))) => Ok(None),
        Err(error) => Err(error),
    }
}

fn value_of_source(
    given: FunctionSource<'_>,
    model: &EvaluatorModel<PiecewiseUniverse<GermOracle>>,
    x: Graph,
) -> Result<Graph, SemanticsError> {
    match given {
        FunctionSource::Program(term) => {
            let function: ValueFunction<Graph> = model.evaluate_closed(term)?.as_function()?.clone();
            Ok(function.apply(&Value::Real(x))?.as_real()?.clone())
        }
        FunctionSource::Steps(steps) => Ok(steps.value_on_line(&model.0, &x)?),
    }
}
