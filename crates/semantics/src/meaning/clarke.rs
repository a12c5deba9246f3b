//! Clarke's derivative together with recursion on real numbers ([Clarke 1990](crate::refs::CLARKE_1990); A §7 asks for both).
//!
//! Values are those of [`pap`](super::pap): a comparison has a truth value, and the border belongs to one side. A derivative is
//! Clarke's, a set at a kink, and it is claimed only where the function is continuous around the point.
//!
//! | construct | meaning |
//! |---|---|
//! | `deriv f x`, one variable | f is run at x and on both sides of it. If both limits equal f x and both slopes have finite limits, the hull of these |
//! | `jvp f x v`, `rd f x w`, several | f is run on each cell around x. If f is continuous across all walls, the hull over the cells |
//! | a derivative beside a point | that of the analytic map there |
//! | `µf. λx. M` | unfolded until the run ends |
//!
//! # One variable
//!
//! If no guard is 0 at x, then f is one analytic map around it, and its derivative is that of this map.
//!
//! Otherwise the run beside x ends with one analytic map on each side, a [germ](crate::pieces::germ). Let both maps tend to f x, and let
//! their slopes tend to a and b. Then f is Lipschitz around x. The slopes near x tend to a and b, and null sets do not count
//! (Clarke 1990, Thm 2.5.1). So the derivative is exactly the hull of a and b. A derivative of order k needs that of order k - 1
//! to be one number, which tends to the same number from both sides.
//!
//! # Several variables
//!
//! The guards that are 0 at x are *walls*. Each of their sign patterns is followed by a run of its own, and 0 is a sign of its
//! own. A pattern without a 0 is a *cell* if some direction points into it; the run of a cell is one analytic map with one
//! gradient. Across the wall of `max`, `min` or `abs` the function is continuous. Across that of a comparison all maps behind it
//! have to agree where the wall is solved for a variable. Then f is Lipschitz around x, and its derivative is the hull of the
//! gradients. If a pattern is not shown to be a cell, nothing is claimed.
//!
//! A run that does not end gives no value: there may be infinitely many pieces beside the point.

use super::pap::beside::GermOracle;
use super::pap::point::{enclose_outcome, show_number};
use super::pap::{GuardQuery, GuardRole, Oracle, PiecewiseUniverse};
use crate::model::answer::{ProgramAnswer, Semantics, SemanticsError};
use crate::model::universe::{EvaluatorModel, RunResult};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Accuracy, Magnitude, Rational};
use crate::pieces::function::decide_sign;
use crate::pieces::germ::{GermLimit, OneSidedGerms, OneSidedPoint};
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::smooth::normal_form::{RationalFunction, RationalNormalForm};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{UndefinedCause, UndefinedValue, ValueError};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the model.
pub const NAME: &str = "clarke";

/// The most walls on one path, and the most runs around one point. Choices: the runs are up to three to the power of the walls.
const MAX_WALLS: usize = 10;
const MAX_RUNS: usize = 243;
/// The most corrections of a direction that is sought in a cell. A choice: wide cells take a few.
const MAX_CORRECTIONS: usize = 2_000;

/// Clarke's derivative, with recursion.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClarkeSemantics {
    /// The number of levels to which recursive functions are unfolded; `None` for no limit.
    pub unfolding_limit: Option<u64>,
}

impl Semantics for ClarkeSemantics {
    fn name(&self) -> &'static str {
        NAME
    }
    fn summary(&self) -> &'static str {
        "Clarke's derivative of programs with recursion: borders belong to one side, and kinks have sets of slopes"
    }
    fn is_certified(&self) -> bool {
        true
    }
    fn with_unfolding_limit(&self, unfoldings: u64) -> Option<Box<dyn Semantics>> {
        Some(Box::new(Self { unfolding_limit: Some(unfoldings) }))
    }
    fn evaluate_to(
        &self,
        term: &Term,
        _: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        let oracle = ClarkeOracle { germs: GermOracle::new(budget), budget: budget.clone(), around: Mutex::default() };
        let universe = PiecewiseUniverse::new(oracle, budget.clone());
        let model = EvaluatorModel::new(universe.with_limits(self.unfolding_limit, super::pap::MAX_POINT_STEPS));
        let found = model.evaluate_closed(term);
        let (value, undefined) = enclose_outcome(&model, found, term, to, budget, format_undefined)?;
        Ok(ProgramAnswer { undefined, ..ProgramAnswer::from_value(value) })
    }
}

/// Formats why a value is undefined, as a claim only where it is certain.
fn format_undefined(found: &UndefinedValue) -> String {
    match (&found.requirement, found.cause) {
        (Some(reason), _) if found.certain => format!("undefined: {reason}"),
        (Some(reason), _) => format!("not shown to be defined: {reason}"),
        (None, UndefinedCause::Fuel) if !found.certain => {
            format!("no value was found: {}; the program may still have one", found.operation)
        }
        (None, _) => found.to_string(),
    }
}

/// The oracle that decides guards at a point, beside it, or on the cells around it.
#[derive(Debug)]
struct ClarkeOracle {
    germs: GermOracle,
    budget: Arc<Budget>,
    /// The point of several variables around which a function is run; `None` if none is.
    around: Mutex<Option<CellRun>>,
}

/// A run of a function on one cell around a point, or on a wall.
#[derive(Debug)]
struct CellRun {
    /// The variables with their values at the point.
    at: Vec<(Variable, Graph)>,
    /// The signs of the first walls; further walls are positive.
    script: Vec<Ordering>,
    walls: Vec<Wall>,
    forms: RationalNormalForm,
}

/// A guard that is 0 at the point, and the sign that is followed.
#[derive(Clone, Debug)]
struct Wall {
    graph: Graph,
    sign: Ordering,
    /// `true` if the function is known to be continuous across the wall.
    is_join: bool,
}

/// A finished run around a point.
#[derive(Debug)]
struct Cell {
    walls: Vec<Wall>,
    outputs: Vec<Graph>,
}

impl Cell {
    /// Returns `true` if no wall has the sign 0.
    fn is_open(&self) -> bool {
        self.walls.iter().all(|wall| wall.sign != Ordering::Equal)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the error of a derivative that is not shown to exist.
fn unknown(reason: impl Into<String>) -> ValueError {
    let found = UndefinedValue::of_operation(UndefinedCause::Undecided, "a derivative");
    ValueError::from_undefined(found.with_requirement(Some(reason.into())))
}

/// Returns the error of a derivative that certainly does not exist.
fn missing(reason: impl Into<String>) -> ValueError {
    let found = UndefinedValue::of_operation(UndefinedCause::Boundary, "a derivative");
    ValueError::from_undefined(found.with_requirement(Some(reason.into())))
}

impl CellRun {
    /// Returns the sign of a guard that is 0 at the point, in this cell.
    fn sign_of_wall(&mut self, graph: &Graph, role: GuardRole) -> Result<Ordering, ValueError> {
        for wall in &mut self.walls {
            // a rational multiple of an earlier wall has the sign of that wall
            let ratio = self.forms.normal_form(&(graph / &wall.graph));
            if let Some(ratio) = ratio.as_ref().and_then(RationalFunction::as_rational) {
                // the wall of a maximum may be that of a comparison as well, across which nothing is known yet
                wall.is_join &= role == GuardRole::Join;
                return Ok(if ratio < 0 { wall.sign.reverse() } else { wall.sign });
            }
        }
        if self.walls.len() >= MAX_WALLS {
            return Err(unknown(format!("more than {MAX_WALLS} guards are 0 at the point")));
        }
        let sign = self.script.get(self.walls.len()).copied().unwrap_or(Ordering::Greater);
        self.walls.push(Wall { graph: graph.clone(), sign, is_join: role == GuardRole::Join });
        Ok(sign)
    }
}

impl Oracle for ClarkeOracle {
    const MODEL: &'static str = NAME;

    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError> {
        let mut around = lock(&self.around);
        let Some(run) = around.as_mut() else { return self.germs.decide_guard(asked) };
        let GuardQuery { guard, role, at } = asked;
        // guards are decided at the point; only those that are 0 there divide its surroundings
        let there = guard.graph.substitute(&run.at);
        let sign = decide_sign(&there, &self.budget)
            .map_err(|_| unknown("whether a guard is 0 at the point was not decided"))?;
        if sign != Ordering::Equal {
            return Ok(guard.test.is_satisfied_by(sign));
        }
        // a guard that is 0 everywhere around the point is no wall
        let is_zero = run.forms.normal_form(&guard.graph).is_some_and(|fraction| fraction.is_zero());
        if is_zero || !run.at.iter().any(|(v, _)| guard.graph.depends_on(*v)) {
            return match at {
                Some(_) if *role != GuardRole::Condition => {
                    Err(unknown("a derivative within the function is taken on a border"))
                }
                _ => Ok(guard.test.is_satisfied_by(Ordering::Equal)),
            };
        }
        if *role == GuardRole::Condition {
            return Err(unknown("a condition of an operation is on its border at the point"));
        }
        // within another derivative even a maximum has different slopes on its sides
        let role = if at.is_some() { GuardRole::Choice } else { *role };
        Ok(guard.test.is_satisfied_by(run.sign_of_wall(&guard.graph, role)?))
    }

    fn nearby_integer(&self, x: &Graph) -> Option<Rational> {
        let at = lock(&self.around).as_ref().map(|run| run.at.clone());
        match at {
            Some(at) => self.germs.nearby_integer(&x.substitute(&at)),
            None => self.germs.nearby_integer(x),
        }
    }

    fn differentiate(
        universe: &PiecewiseUniverse<Self>,
        constant: Constant,
        arguments: &[Element],
    ) -> Option<RunResult<PiecewiseUniverse<Self>>> {
        let oracle = universe.oracle();
        // beside a point, and within another derivative, a function is one analytic map
        if oracle.germs.is_beside() || lock(&oracle.around).is_some() || universe.is_differentiating() {
            return None;
        }
        Some(DerivativeAtPoint { universe, constant }.apply(arguments))
    }
}

/// A derivative at a point, with its derivation from runs of the function.
struct DerivativeAtPoint<'u> {
    universe: &'u PiecewiseUniverse<ClarkeOracle>,
    constant: Constant,
}

impl DerivativeAtPoint<'_> {
    fn oracle(&self) -> &ClarkeOracle {
        self.universe.oracle()
    }

    fn apply(&self, arguments: &[Element]) -> RunResult<PiecewiseUniverse<ClarkeOracle>> {
        let (f, x, along) = match arguments {
            [f, x] => (f, x, None),
            [f, x, along] => (f, x, Some(along)),
            _ => return Err(ValueError::Unsupported { model: NAME, construct: self.constant.name().to_string() }),
        };
        let graphs = |x: &Element| Ok::<Vec<Graph>, ValueError>(x.coordinates()?.into_iter().cloned().collect());
        let (at, along) = (graphs(x)?, along.map(graphs).transpose()?);
        match &at[..] {
            [_] => self.apply_in_one_variable(f, x, along),
            _ => self.apply_in_several(f, x, &at, &along.unwrap_or_default()),
        }
    }

    /// Returns the outputs to differentiate: all, or their sum weighted by a cotangent.
    fn select_outputs(&self, value: &Element, cotangent: Option<&[Graph]>) -> Result<Vec<Graph>, ValueError> {
        let outputs: Vec<Graph> = value.coordinates()?.into_iter().cloned().collect();
        match cotangent {
            Some(weights) if weights.len() != outputs.len() => {
                Err(value.kind_mismatch("a value with as many numbers as the cotangent"))
            }
            Some(weights) => {
                let products = outputs.iter().zip(weights).map(|(output, weight)| output * weight);
                Ok(vec![products.fold(Graph::integer(0), |sum, product| &sum + &product)])
            }
            None => Ok(outputs),
        }
    }

    fn apply_in_one_variable(
        &self,
        f: &Element,
        x: &Element,
        along: Option<Vec<Graph>>,
    ) -> RunResult<PiecewiseUniverse<ClarkeOracle>> {
        let is_reverse = self.constant == Constant::Rd;
        let cotangent = along.as_deref().filter(|_| is_reverse);
        let at = x.coordinates()?.into_iter().next().cloned().unwrap_or_else(|| Graph::integer(0));
        let (t, one) = (Variable::fresh(), Graph::integer(1));
        let (slopes, shape) = match self.run_cell(f, x, std::slice::from_ref(&at), &[t], Vec::new()) {
            // no guard is 0 at the point: the function is one analytic map around it
            Ok((value, walls)) if walls.is_empty() => {
                let outputs = self.select_outputs(&value, cotangent)?;
                let slope = |output: Graph| match output.depends_on(t) {
                    true => Graph::derivative(vec![t], output, vec![at.clone()], vec![one.clone()]),
                    false => Graph::integer(0),
                };
                (outputs.into_iter().map(slope).collect(), value)
            }
            Err(ValueError::Undefined(found)) if found.cause == UndefinedCause::Fuel => {
                return Err(explain_place(ValueError::Undefined(found), "around the point"));
            }
            // a guard, or the condition of an operation, is on its border
            _ => self.slopes_by_germs(f, x, &at, cotangent)?,
        };
        if is_reverse {
            return Ok(x.with_coordinates(&mut slopes.into_iter()));
        }
        // along v the derivative of a function of one variable is v times its slope
        let speed = along.and_then(|along| along.into_iter().next()).unwrap_or(one);
        Ok(shape.with_coordinates(&mut slopes.into_iter().map(|slope| &slope * &speed)))
    }

    /// Returns the slopes of all outputs at a point on a border, and the value there.
    fn slopes_by_germs(
        &self,
        f: &Element,
        x: &Element,
        at: &Graph,
        cotangent: Option<&[Graph]>,
    ) -> Result<(Vec<Graph>, Element), ValueError> {
        let f = f.as_function()?;
        let here = f.apply(x)?;
        let outputs = self.select_outputs(&here, cotangent)?;
        let t = Variable::fresh();
        let moved = x.with_coordinates(&mut std::iter::once(at + &Graph::variable(t)));
        let beside = |direction: Ordering| {
            let name =
                if direction == Ordering::Less { "on the left of the point" } else { "on the right of the point" };
            let side = OneSidedPoint { variable: t, at: Rational::new(), direction };
            let value = self.oracle().germs.run_beside(side, || f.apply(&moved));
            self.select_outputs(&value.map_err(|error| explain_place(error, name))?, cotangent)
        };
        let (left, right) = (beside(Ordering::Less)?, beside(Ordering::Greater)?);
        if left.len() != outputs.len() || right.len() != outputs.len() {
            return Err(unknown("the values beside the point have other shapes"));
        }
        let maps = outputs.iter().zip(left.iter().zip(&right));
        let slopes = maps.map(|(here, (left, right))| self.slope_at_border(t, here, left, right));
        Ok((slopes.collect::<Result<_, _>>()?, here.clone()))
    }

    /// Returns Clarke's derivative from the germs on both sides.
    fn slope_at_border(&self, t: Variable, here: &Graph, left: &Graph, right: &Graph) -> Result<Graph, ValueError> {
        let budget = &*self.oracle().budget;
        let sides = [(Ordering::Less, left), (Ordering::Greater, right)];
        let mut germs = sides.map(|(direction, map)| {
            (OneSidedGerms::new(OneSidedPoint { variable: t, at: Rational::new(), direction }, budget), map)
        });
        // a jump has slopes on both sides and no derivative, so the limits come first
        let mut limits = Vec::new();
        for (germs, map) in &mut germs {
            let limit = match map.depends_on(t) {
                true => germs.limit_formulas(map).map_err(|error| unknown(error.to_string()))?.into_iter().next(),
                false => Some(GermLimit::Finite((*map).clone())),
            };
            match limit {
                Some(GermLimit::Finite(limit)) => limits.push(limit),
                Some(GermLimit::Infinite(_)) => return Err(missing("the function is unbounded beside the point")),
                None => return Err(unknown("a limit beside the point is not known")),
            }
        }
        for limit in &limits {
            match decide_sign(&(limit - here), budget) {
                Ok(Ordering::Equal) => {}
                Ok(_) => {
                    let show = |graph: &Graph| show_number(graph, budget);
                    let (at, [left, right]) = (show(here), [0, 1].map(|side| show(&limits[side])));
                    return Err(missing(match left == right {
                        true => {
                            format!("the function jumps: it is {at} at the point, and tends to {left} on both sides")
                        }
                        false => {
                            format!("the function jumps: its limits are {left} on the left and {right} on the right")
                        }
                    }));
                }
                Err(_) => return Err(unknown("the limits beside the point are not shown to be the value there")),
            }
        }
        // the limits of the slopes, not slopes at the point: where these differ, the set is that of the points beside it
        let mut slopes = Vec::new();
        for (germs, map) in &mut germs {
            let slope = match map.depends_on(t) {
                true => germs.limit_of_slope(map).map_err(|error| unknown(error.to_string()))?,
                false => GermLimit::Finite(Graph::integer(0)),
            };
            match slope {
                GermLimit::Finite(slope) => slopes.push(slope),
                GermLimit::Infinite(_) => return Err(missing("the slope is unbounded beside the point")),
            }
        }
        Ok(self.hull(slopes))
    }

    /// Returns the hull of numbers: Clarke's derivative at t = 0 of the greatest of the lines with these slopes.
    fn hull(&self, mut slopes: Vec<Graph>) -> Graph {
        let budget = &*self.oracle().budget;
        let mut distinct: Vec<Graph> = Vec::new();
        // numbers that are shown to be equal are one, so that the answer is a number and no set of width 0
        for slope in slopes.drain(..) {
            if !distinct.iter().any(|known| decide_sign(&(known - &slope), budget) == Ok(Ordering::Equal)) {
                distinct.push(slope);
            }
        }
        let t = Variable::fresh();
        // Clarke's rule for a maximum gives the hull of its parts, enclosed as any other derivative
        let lines: Vec<Graph> = distinct.iter().map(|slope| slope * &Graph::variable(t)).collect();
        match (&distinct[..], lines.split_first()) {
            ([slope], _) => slope.clone(),
            (_, Some((first, others))) => {
                let greatest =
                    others.iter().fold(first.clone(), |greatest, line| Graph::binary(Binary::Maximum, &greatest, line));
                Graph::derivative(vec![t], greatest, vec![Graph::integer(0)], vec![Graph::integer(1)])
            }
            (_, None) => Graph::integer(0),
        }
    }

    fn apply_in_several(
        &self,
        f: &Element,
        x: &Element,
        at: &[Graph],
        along: &[Graph],
    ) -> RunResult<PiecewiseUniverse<ClarkeOracle>> {
        let is_reverse = self.constant == Constant::Rd;
        if !is_reverse && along.len() != at.len() {
            return Err(x.kind_mismatch("a point with as many numbers as the direction"));
        }
        let variables: Vec<Variable> = at.iter().map(|_| Variable::fresh()).collect();
        let mut shape = None;
        // of a cotangent the outputs are weighted before any hull is taken: their slopes vary together
        let cells = self.run_cells(f, x, at, &variables, is_reverse.then_some(along), &mut shape)?;
        self.check_continuity(&cells)?;
        let open: Vec<&Cell> = cells.iter().filter(|cell| cell.is_open()).collect();
        for cell in &open {
            self.check_interior(cell, at, &variables)?;
        }
        // cells with a wall of sign 0 are null sets, which Clarke's derivative ignores
        let gradients: Vec<Vec<Graph>> = open
            .iter()
            .map(|cell| match is_reverse {
                true => Graph::reverse_mode(&variables, &cell.outputs, at, &[Graph::integer(1)]),
                false => {
                    let slope = |output: &Graph| match variables.iter().any(|v| output.depends_on(*v)) {
                        true => Graph::derivative(variables.clone(), output.clone(), at.to_vec(), along.to_vec()),
                        false => Graph::integer(0),
                    };
                    cell.outputs.iter().map(slope).collect()
                }
            })
            .collect();
        let places = gradients.first().map_or(0, Vec::len);
        let hulls = (0..places).map(|place| self.hull(gradients.iter().map(|g| g[place].clone()).collect()));
        let hulls: Vec<Graph> = hulls.collect();
        match (is_reverse, shape) {
            (false, Some(value)) => Ok(Element::with_coordinates(&value, &mut hulls.into_iter())),
            _ => Ok(x.with_coordinates(&mut hulls.into_iter())),
        }
    }

    /// Runs a function around the point, with the given signs of the first walls. Returns its value and all walls.
    fn run_cell(
        &self,
        f: &Element,
        x: &Element,
        at: &[Graph],
        variables: &[Variable],
        script: Vec<Ordering>,
    ) -> Result<(Element, Vec<Wall>), ValueError> {
        let point = variables.iter().copied().zip(at.iter().cloned()).collect();
        let moved = x.with_coordinates(&mut variables.iter().map(|v| Graph::variable(*v)));
        let run = CellRun { at: point, script, walls: Vec::new(), forms: RationalNormalForm::default() };
        *lock(&self.oracle().around) = Some(run);
        let value = f.as_function().and_then(|f| f.apply(&moved));
        // before any error is passed on: the point is bound only while f runs
        let run = lock(&self.oracle().around).take();
        Ok((value?, run.map(|run| run.walls).unwrap_or_default()))
    }

    /// Runs a function for all sign patterns of the guards that are 0 at the point.
    fn run_cells(
        &self,
        f: &Element,
        x: &Element,
        at: &[Graph],
        variables: &[Variable],
        cotangent: Option<&[Graph]>,
        shape: &mut Option<Element>,
    ) -> Result<Vec<Cell>, ValueError> {
        let (mut pending, mut cells) = (vec![Vec::new()], Vec::<Cell>::new());
        while let Some(script) = pending.pop() {
            if cells.len() >= MAX_RUNS {
                return Err(unknown(format!("more than {MAX_RUNS} pieces meet at the point")));
            }
            let given = script.len();
            let (value, walls) = self.run_cell(f, x, at, variables, script)?;
            let signs: Vec<Ordering> = walls.iter().map(|wall| wall.sign).collect();
            // depth-first over the signs of the walls that this run has met first
            for place in given..signs.len() {
                for sign in [Ordering::Less, Ordering::Equal] {
                    pending.push([&signs[..place], &[sign]].concat());
                }
            }
            let outputs = self.select_outputs(&value, cotangent)?;
            if cells.first().is_some_and(|first| first.outputs.len() != outputs.len()) {
                return Err(unknown("the values around the point have different shapes"));
            }
            *shape = shape.take().or(Some(value));
            cells.push(Cell { walls, outputs });
        }
        Ok(cells)
    }

    /// Checks that the function is continuous across the walls.
    fn check_continuity(&self, cells: &[Cell]) -> Result<(), ValueError> {
        for (index, one) in cells.iter().enumerate() {
            for other in &cells[..index] {
                let mut common = one.walls.iter().zip(&other.walls);
                // the first wall that separates the two; walls before it are the same
                let Some((wall, opposite)) = common.find(|(a, b)| a.sign != b.sign) else { continue };
                // one run may have compared what the other has only maximised
                let is_join = wall.is_join && opposite.is_join;
                for (a, b) in one.outputs.iter().zip(&other.outputs) {
                    if !is_join && !is_zero_on(&wall.graph, &(a - b)) {
                        return Err(unknown(
                            "the function is not shown to be continuous across a border on which the point lies",
                        ));
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks that some direction from the point leads into a cell.
    fn check_interior(&self, cell: &Cell, at: &[Graph], variables: &[Variable]) -> Result<(), ValueError> {
        let budget = &*self.oracle().budget;
        let normals: Vec<Vec<Graph>> = cell
            .walls
            .iter()
            .map(|wall| {
                let seed = Graph::integer(if wall.sign == Ordering::Less { -1 } else { 1 });
                Graph::reverse_mode(variables, std::slice::from_ref(&wall.graph), at, &[seed])
            })
            .collect();
        let numbers: Option<Vec<Vec<f64>>> =
            normals.iter().map(|normal| normal.iter().map(|c| approximate(c, budget)).collect()).collect();
        let failed = || unknown("a piece that meets the point is not shown to have an interior there");
        let direction = numbers.and_then(|normals| find_direction(&normals, at.len())).ok_or_else(failed)?;
        let direction: Option<Vec<Rational>> = direction.into_iter().map(Rational::from_f64).collect();
        let direction = direction.ok_or_else(failed)?;
        // the direction was found in doubles, and is checked exactly
        let leads_inside = |normal: &Vec<Graph>| {
            let products = normal.iter().zip(&direction).map(|(c, v)| c * &Graph::rational(v.clone()));
            let product = products.fold(Graph::integer(0), |sum, product| &sum + &product);
            decide_sign(&product, budget) == Ok(Ordering::Greater)
        };
        if normals.iter().all(leads_inside) { Ok(()) } else { Err(failed()) }
    }
}

/// Says where around the point a run failed. What the model lacks stays as it is.
fn explain_place(error: ValueError, side: &str) -> ValueError {
    let ValueError::Undefined(found) = error else { return error };
    let reason = match found.cause {
        UndefinedCause::Domain => format!("{side} `{}` has no value", found.operation),
        UndefinedCause::Undecided if found.requirement.is_none() => format!("{side} {}", found.operation),
        UndefinedCause::Fuel => format!("{side} {}; there may be infinitely many pieces", found.operation),
        _ => format!("{side} {found}"),
    };
    let certain = found.certain && found.cause == UndefinedCause::Domain;
    ValueError::from_undefined(UndefinedValue { certain, ..*found }.with_requirement(Some(reason)))
}

/// Returns a number near a closed map. `None` if none is known.
fn approximate(graph: &Graph, budget: &Budget) -> Option<f64> {
    let effort = PassOptions::new(Magnitude::power_of_two(-53), budget);
    let found = graph.compile_evaluation().ok()?.enclose_in_pass(Precision::Double, &effort).ok()?;
    let middle = found.is_defined().then(|| (found.lo().to_f64() + found.hi().to_f64()) / 2.0);
    middle.filter(|middle| middle.is_finite())
}

/// Returns a direction with a positive product with each normal, by the corrections of a perceptron. `None` if none is found.
fn find_direction(normals: &[Vec<f64>], variables: usize) -> Option<Vec<f64>> {
    let mut direction = vec![0.0; variables];
    for _ in 0..MAX_CORRECTIONS {
        let length = |v: &[f64]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
        let wrong = normals.iter().find(|normal| {
            let product: f64 = normal.iter().zip(&direction).map(|(a, b)| a * b).sum();
            // a margin, so that the exact check need not decide a sign near 0
            product <= 1e-6 * length(normal) * length(&direction)
        });
        let Some(wrong) = wrong else { return Some(direction) };
        let size = length(wrong);
        if size == 0.0 || !size.is_finite() {
            return None;
        }
        direction.iter_mut().zip(wrong).for_each(|(v, c)| *v += c / size);
    }
    None
}

/// Returns `true` if a map is shown to be 0 wherever another one is: that one is solved for a variable in which it is affine.
fn is_zero_on(wall: &Graph, difference: &Graph) -> bool {
    // two maps that are equal everywhere need no wall
    let mut forms = RationalNormalForm::default();
    if forms.normal_form(difference).is_some_and(|fraction| fraction.is_zero()) {
        return true;
    }
    wall.free_variables().into_iter().any(|v| {
        let slope = forms.normal_form(&wall.slope(v)).as_ref().and_then(RationalFunction::as_rational);
        let Some(slope) = slope.filter(|slope| *slope != 0) else { return false };
        let rest = wall.substitute(&[(v, Graph::integer(0))]);
        let solved = &rest * &Graph::rational(-slope.recip());
        forms.normal_form(&difference.substitute(&[(v, solved)])).is_some_and(|fraction| fraction.is_zero())
    })
}
