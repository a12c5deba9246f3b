//! Functions of one variable at a point and on both sides of it.
//!
//! Beside a point a guard is decided by the first non-zero term of its [germ](crate::pieces::germ). For small t > 0 a program is
//! thus one analytic map at x + t and one at x - t: *germs by resolving branches*. At the point itself guards are decided by
//! signs. An undecided guard ends the run; nothing is guessed.
//!
//! A derivative within the program is that of the piece on which its point lies (an intensional derivative). If that point lies
//! on a border along the whole side, it need not be the derivative of anything, and the run ends as well.

use super::oracle::{Asked, Oracle};
use super::steps::Steps;
use super::{MOST_STEPS, Pieces, locked};
use crate::model::answer::{self, MeaningError};
use crate::model::universe::Evaluator;
use crate::model::{InterpretError, Place, Unsupported};
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::{Approximation, Tier};
use crate::number::{Magnitude, Rational};
use crate::pieces::germ::{Germs, Limit, Side};
use crate::pieces::sign::sign;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::term::Term;
use crate::value::{Cause, Function, Site, Undefined, Value, ValueError};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex};

/// The oracle that decides by signs at a point, or by germs beside it.
#[derive(Debug)]
pub struct Beside {
    budget: Arc<Budget>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The side on which the program is run; `None` at the point.
    side: Option<Side>,
    /// The variables of a program of several variables, on that side.
    along: Vec<(Variable, Graph)>,
    /// The sites of the guards on whose border the point lies.
    borders: Vec<Site>,
    /// `true` if the whole side lies on a border.
    is_border: bool,
}

impl State {
    /// Restricts a graph over the variables of a program of several variables to the side.
    fn on_side(&self, graph: &Graph) -> Graph {
        if self.along.is_empty() { graph.clone() } else { graph.substitute(&self.along) }
    }
}

impl Beside {
    /// Decides the sign of a guard's number, and records borders.
    fn sign(&self, asked: &Asked, state: &mut State) -> Result<Ordering, ValueError> {
        let Asked { guard, is_condition, at } = asked;
        let undecided =
            |why: String| ValueError::undefined(Undefined { site: guard.site, ..Undefined::of(Cause::Undecided, why) });
        let graph = state.on_side(&guard.graph);
        let side = state.side.as_ref().filter(|side| graph.depends_on(side.variable));
        let found = match side {
            None => sign(&graph, &self.budget).map_err(|agreement| {
                let near = agreement.map_or_else(String::new, |power| format!(", which lies within 2^{power} of it"));
                undecided(format!("whether a number is 0 was not decided{near}"))
            })?,
            Some(side) => {
                let leading = Germs::new(side.clone(), &self.budget).leading(&graph);
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

impl Oracle for Beside {
    fn decide(&self, asked: &Asked) -> Result<bool, ValueError> {
        Ok(asked.guard.test.holds(self.sign(asked, &mut locked(&self.state))?))
    }

    /// Returns the integer next to the value at the point, or to the limit there.
    fn whole_near(&self, x: &Graph) -> Option<Rational> {
        let x = &locked(&self.state).on_side(x);
        let side = locked(&self.state).side.clone().filter(|side| x.depends_on(side.variable));
        let there = match side {
            None => x.clone(),
            Some(side) => match Germs::new(side, &self.budget).limits(x).ok()?.into_iter().next()? {
                Limit::Finite(there) => there,
                Limit::Infinite(_) => return None,
            },
        };
        let evaluation = there.evaluation().ok()?;
        let near = |tier: Tier| {
            let effort = Effort::new(Magnitude::power_of_two(-8), &self.budget);
            let found = evaluation.approximate(tier, &effort).ok().filter(|found| found.is_defined())?;
            let (lo, hi) = (found.lo().to_rational()?, found.hi().to_rational()?);
            let is_narrow = Rational::from(&hi - &lo) <= Rational::from((1, 4));
            is_narrow.then(|| (Rational::from(&lo + &hi) / 2u32).round())
        };
        // doubles first, and 1024 bits, a choice, where these are too wide
        near(Tier::Double).or_else(|| near(Tier::Mpfr(1024)))
    }
}

/// The result of a program at a point or on a side.
#[derive(Clone, Debug)]
pub enum Found {
    /// A number: a map of the variable on a side, closed at the point.
    Value(Graph),
    /// Certainly no value there, with the reason.
    Undefined(String),
    /// Undecided, with the reason.
    Unknown(String),
}

/// A function of one variable around a point.
#[derive(Debug)]
pub struct Around {
    /// The variable.
    pub variable: Variable,
    /// The point.
    pub at: Rational,
    /// The result at the point.
    pub here: Found,
    /// The results on the left and on the right.
    pub sides: [Found; 2],
    /// The guards on whose border the point lies.
    pub borders: Borders,
}

/// Places of guards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Borders {
    /// Places in a program.
    pub places: Vec<Place>,
    /// Indices in a list of steps.
    pub steps: Vec<usize>,
}

impl Borders {
    /// Returns `true` if there are no guards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.steps.is_empty()
    }
}

/// The representation of a function.
#[derive(Clone, Copy)]
pub enum Given<'t> {
    /// A closed program of type `Real -> Real`; for a function of several variables, `Real * … * Real -> Real`.
    Program(&'t Term),
    /// A straight-line program.
    Steps(&'t Steps),
}

impl Around {
    /// Returns the germs on the left, or on the right.
    #[must_use]
    pub fn germs<'b>(&self, right: bool, budget: &'b Budget) -> Germs<'b> {
        Germs::new(side(self.variable, &self.at, right), budget)
    }
}

fn side(variable: Variable, at: &Rational, right: bool) -> Side {
    Side { variable, at: at.clone(), towards: if right { Ordering::Greater } else { Ordering::Less } }
}

/// Resolves a function at a point and on both sides of it.
///
/// # Errors
/// A construct that the model lacks; a program that is no function of numbers.
pub fn around(given: Given<'_>, at: &Rational, budget: &Arc<Budget>) -> Result<Around, MeaningError> {
    let oracle = Beside { budget: budget.clone(), state: Mutex::default() };
    let universe = Pieces::new(oracle, budget.clone()).limited(None, MOST_STEPS);
    let model = Evaluator::new(universe);
    let variable = Variable::fresh();
    let mut sites = Vec::new();
    let mut found = |side: Option<Side>, x: Graph| {
        *locked(&model.0.oracle().state) = State { side, ..State::default() };
        model.0.begin();
        let found = value(given, &model, x);
        sites.append(&mut locked(&model.0.oracle().state).borders);
        match found {
            Ok(value) => Ok(Found::Value(value)),
            // certainly outside a domain; any other failure leaves the result unknown
            Err(MeaningError::Run(ValueError::Undefined(found))) if found.certain && found.cause == Cause::Domain => {
                Ok(Found::Undefined(match given {
                    Given::Program(term) => {
                        answer::Undefined::of_value(&found, model.0.place(found.site), term, ToString::to_string)
                            .message
                    }
                    Given::Steps(_) => found.to_string(),
                }))
            }
            Err(MeaningError::Run(ValueError::Undefined(found))) => Ok(Found::Unknown(found.operation)),
            Err(MeaningError::Run(ValueError::Lacks { model, construct })) => {
                Err(InterpretError::from(Unsupported { model, construct }).into())
            }
            Err(error) => Err(error),
        }
    };
    let here = found(None, Graph::rational(at.clone()))?;
    let mut beside = |right| found(Some(side(variable, at, right)), Graph::variable(variable));
    let sides = [beside(false)?, beside(true)?];
    let mut borders = Borders::default();
    for site in sites {
        match (given, model.0.place(site), site.index()) {
            (Given::Program(_), Some(place), _) if !borders.places.contains(&place) => borders.places.push(place),
            (Given::Steps(_), _, Some(step)) if !borders.steps.contains(&step) => borders.steps.push(step),
            _ => {}
        }
    }
    Ok(Around { variable, at: at.clone(), here, sides, borders })
}

/// Resolves a function of several variables on a ray from a point.
///
/// Returns the one analytic map that the function is on an open set containing the ray near the point. Returns `None` if the ray
/// lies on a border, or if a guard is undecided.
///
/// # Errors
/// A construct that the model lacks.
pub fn on_ray(
    given: Given<'_>,
    at: &[Rational],
    along: &[Rational],
    budget: &Arc<Budget>,
) -> Result<Option<(Vec<Variable>, Graph)>, MeaningError> {
    let oracle = Beside { budget: budget.clone(), state: Mutex::default() };
    let model = Evaluator::new(Pieces::new(oracle, budget.clone()).limited(None, MOST_STEPS));
    let t = Variable::fresh();
    let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
    let moving = |(x, v): (&Rational, &Rational)| {
        let step = Graph::binary(Binary::Multiply, &Graph::rational(v.clone()), &Graph::variable(t));
        Graph::binary(Binary::Add, &Graph::rational(x.clone()), &step)
    };
    *locked(&model.0.oracle().state) = State {
        side: Some(side(t, &Rational::new(), true)),
        along: variables.iter().copied().zip(at.iter().zip(along).map(moving)).collect(),
        ..State::default()
    };
    let run = || -> Result<Graph, MeaningError> {
        let point = variables.iter().map(|v| Graph::variable(*v));
        match given {
            Given::Program(term) => {
                let function: Function<Graph> = model.value(term)?.as_function()?.clone();
                Ok(function.apply(&Value::tuple(point.map(Value::Real)))?.as_real()?.clone())
            }
            Given::Steps(steps) => Ok(steps.value_at(&model.0, &point.collect::<Vec<_>>())?),
        }
    };
    match run() {
        // on a border the map of the chosen piece need not be the function on any open set
        Ok(value) if !locked(&model.0.oracle().state).is_border => Ok(Some((variables, value))),
        Ok(_) | Err(MeaningError::Run(ValueError::Undefined(_))) => Ok(None),
        Err(error) => Err(error),
    }
}

fn value(given: Given<'_>, model: &Evaluator<Pieces<Beside>>, x: Graph) -> Result<Graph, MeaningError> {
    match given {
        Given::Program(term) => {
            let function: Function<Graph> = model.value(term)?.as_function()?.clone();
            Ok(function.apply(&Value::Real(x))?.as_real()?.clone())
        }
        Given::Steps(steps) => Ok(steps.value(&model.0, &x)?),
    }
}
