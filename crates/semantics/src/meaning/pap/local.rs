//! Pieces of a function around a point, of several variables or of one.
//!
//! Around the point x most guards have the sign that they have there. The others vanish at x: they are its *borders*. A run in which
//! each border has a sign is one analytic map, on the set where the borders have these signs. So the runs for all signs are the
//! pieces of the function around x, and up to the zeros of the borders, a null set, each point nearby lies in one of them
//! (Scholtes 2012, Introduction to Piecewise Differentiable Equations, ch. 4).
//!
//! # Norms
//!
//! The root of a sum Σ wⱼFⱼ², wⱼ(x) > 0, that vanishes at x is no analytic map there: it is the norm of a vector of maps. It becomes a
//! [variable](LocalNorm) of its own, whose value at x is 0. As a border it has one sign, up to a null set.
//!
//! # Continuity
//!
//! `max`, `min` and `abs` are continuous, and so is what is composed of them. A choice of the program need not be. So on its border
//! there are other runs, for the points on it, where the comparison is decided by 0. *Claim*: let any two runs agree where the border
//! k vanishes, if k is the first that tells them apart and all other decisions that they share are the same. Then the function is
//! continuous near x. For, consider a point y and the runs that are possible there: a border that does not vanish at y has its sign,
//! the others have any. By induction on the tree of runs all of them have one value at y: below both branches of a node there
//! are runs with the same decisions. The function at y, and all of its limits there, are among these values.

use super::beside::{BorderPlaces, FunctionSource, integer_near};
use super::{GuardQuery, GuardRole, MAX_POINT_STEPS, Oracle, PiecewiseUniverse, lock};
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::pieces::function::decide_sign;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::value::{SourceId, UndefinedCause, UndefinedValue, Value, ValueError, ValueFunction};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::{Arc, Mutex};

/// The most borders on the way to one piece. A choice: there may be as many pieces as signs of them.
pub const MOST_BORDERS: usize = 10;
/// The most runs. A choice, as above.
const MOST_RUNS: usize = 1 << MOST_BORDERS;
/// The most runs of which each two are compared, where there are choices. A choice.
const MOST_COMPARED: usize = 128;

/// The norm of a vector of maps that vanishes at the point: √(Σ wⱼFⱼ²).
#[derive(Clone, Debug)]
pub struct LocalNorm {
    /// The variable that stands for it in the maps of pieces. Its value at the point is 0.
    pub variable: Variable,
    /// The weights wⱼ, positive at the point, and the maps Fⱼ.
    pub squares: Vec<(Graph, Graph)>,
}

/// A number whose sign decides guards, and which vanishes at the point.
#[derive(Clone, Debug)]
pub enum LocalBorder {
    /// An analytic map.
    Map(Graph),
    /// The norm of this index, which is positive up to a null set.
    Norm(usize),
}

/// A question of a run about a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BorderQuestion {
    /// The border is positive.
    Sign,
    /// Choices are decided as on the border itself.
    IsOnBorder,
}

/// A decision of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BorderDecision {
    /// The index of the border.
    pub border: usize,
    /// The question that is decided.
    pub question: BorderQuestion,
    /// The answer.
    pub holds: bool,
}

/// A run of the function around the point.
#[derive(Clone, Debug)]
pub struct LocalPiece {
    /// The decisions, in their order.
    pub decisions: Vec<BorderDecision>,
    /// The map, over the variables and those of norms; or why there is none.
    pub map: Result<Graph, String>,
}

impl LocalPiece {
    /// Returns `true` if it is a run for points beside all borders, `false` for one of points on the border of a choice.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.decisions.iter().any(|decision| decision.question == BorderQuestion::IsOnBorder && decision.holds)
    }

    /// Returns the borders that are analytic maps, each with `true` if it is positive on the piece.
    pub fn signs(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        let signs = self.decisions.iter().filter(|decision| decision.question == BorderQuestion::Sign);
        signs.map(|decision| (decision.border, decision.holds))
    }
}

/// The pieces of a function around a point.
#[derive(Debug)]
pub struct LocalPieces {
    /// The variables of the function.
    pub variables: Vec<Variable>,
    /// The borders.
    pub borders: Vec<LocalBorder>,
    /// The norms that vanish at the point.
    pub norms: Vec<LocalNorm>,
    /// The runs.
    pub pieces: Vec<LocalPiece>,
    /// The positions of the guards and norms.
    pub places: BorderPlaces,
    forms: RationalNormalForm,
}

/// The oracle that decides by signs at the point, and borders by the signs of a run.
#[derive(Debug)]
struct PatternOracle {
    budget: Arc<Budget>,
    state: Mutex<PatternState>,
}

#[derive(Debug, Default)]
struct PatternState {
    /// The variables with their values at the point; those of norms are added with 0.
    point: Vec<(Variable, Graph)>,
    forms: RationalNormalForm,
    borders: Vec<LocalBorder>,
    /// The borders by the keys of their normal forms, and `true` if it is the negative that has the key.
    keys: FxHashMap<String, (usize, bool)>,
    norms: Vec<LocalNorm>,
    sites: Vec<SourceId>,
    /// The decisions of this run.
    decisions: Vec<BorderDecision>,
    /// The beginnings of the other runs.
    waiting: Vec<Vec<BorderDecision>>,
}

fn undecided_error(why: &str, site: SourceId) -> ValueError {
    let found = UndefinedValue::of_operation(UndefinedCause::Undecided, why);
    ValueError::from_undefined(UndefinedValue { site, ..found })
}

impl PatternState {
    fn sign_at_point(&self, graph: &Graph, budget: &Budget) -> Option<Ordering> {
        decide_sign(&graph.substitute(&self.point), budget).ok()
    }

    fn is_zero_map(&mut self, graph: &Graph) -> bool {
        self.forms.normal_form(graph).is_some_and(|form| form.is_zero())
    }

    fn depends_on_norms(&self, graph: &Graph) -> bool {
        self.norms.iter().any(|norm| graph.depends_on(norm.variable))
    }

    /// Writes a map that vanishes at the point as a sum of squares with positive weights. Returns `None` if it is not seen to be one.
    fn squares_of(&mut self, graph: &Graph, budget: &Budget) -> Option<Vec<(Graph, Graph)>> {
        let (mut pending, mut found) = (vec![(Graph::integer(1), graph.clone())], Vec::new());
        let two = Rational::from((1, 2));
        while let Some((weight, part)) = pending.pop() {
            let is_positive = |state: &Self, g: &Graph| state.sign_at_point(g, budget) == Some(Ordering::Greater);
            match part.operation() {
                NodeOperation::Binary(Binary::Add, a, b) => {
                    pending.extend([(weight.clone(), a.clone()), (weight, b.clone())]);
                }
                NodeOperation::Binary(Binary::Multiply, a, b)
                    if a.address() == b.address() || self.is_zero_map(&(a - b)) =>
                {
                    found.push((weight, a.clone()));
                }
                NodeOperation::Binary(Binary::Multiply, a, b) if is_positive(self, a) => {
                    pending.push((&weight * a, b.clone()));
                }
                NodeOperation::Binary(Binary::Multiply, a, b) if is_positive(self, b) => {
                    pending.push((&weight * b, a.clone()));
                }
                NodeOperation::Binary(Binary::Divide, a, b) if is_positive(self, b) => {
                    pending.push((&weight / b, a.clone()));
                }
                NodeOperation::Power(a, e) if e.denominator == 1 && e.numerator > 0 && e.numerator % 2 == 0 => {
                    found.push((weight, Graph::power(a, &(&two * Rational::from(e.numerator)))?));
                }
                NodeOperation::Rational(q) if **q == 0 => {}
                _ => return None,
            }
        }
        Some(found)
    }

    /// Returns the index of the norm whose square a map is. Returns `None` if it is not seen to be a sum of squares.
    fn norm_of_square(&mut self, square: &Graph, budget: &Budget) -> Option<usize> {
        if self.depends_on_norms(square) {
            return None;
        }
        let (key, turned) = self.forms.normal_form(square)?.quotient_key()?;
        // a multiple of a known square is another norm
        let known = |norm: &LocalNorm, forms: &mut RationalNormalForm| {
            let sum = norm.squares.iter().map(|(weight, form)| weight * form * form).sum::<Graph>();
            forms.normal_form(&(sum - square)).is_some_and(|form| form.is_zero())
        };
        let Self { norms, forms, .. } = self;
        if let Some(place) = norms.iter().position(|norm| known(norm, forms)) {
            return Some(place);
        }
        let squares = self.squares_of(square, budget)?;
        let variable = Variable::fresh();
        let (place, border) = (self.norms.len(), self.borders.len());
        self.norms.push(LocalNorm { variable, squares });
        self.borders.push(LocalBorder::Norm(place));
        self.point.push((variable, Graph::integer(0)));
        let of_variable = self.forms.normal_form(&Graph::variable(variable))?.quotient_key()?.0;
        self.keys.insert(of_variable, (border, false));
        self.keys.entry(key).or_insert((border, turned));
        Some(place)
    }

    /// Returns the border that a map is, and `true` if it is its negative.
    ///
    /// # Errors
    /// The reason why the map cannot be a border.
    fn border_of(&mut self, graph: &Graph, budget: &Budget) -> Result<(usize, bool), &'static str> {
        let form = self.forms.normal_form(graph);
        let (key, turned) = form.and_then(|form| form.quotient_key()).ok_or("a guard is too large")?;
        let known = |state: &Self| {
            let (border, is_negative) = *state.keys.get(&key)?;
            Some((border, is_negative != turned))
        };
        if let Some(found) = known(self) {
            return Ok(found);
        }
        if self.depends_on_norms(graph) {
            return Err("a guard compares a norm that is 0 at the point");
        }
        for (square, is_negative) in [(graph.clone(), false), (-graph, true)] {
            if let Some(place) = self.norm_of_square(&square, budget) {
                let border =
                    self.borders.iter().position(|border| matches!(border, LocalBorder::Norm(n) if *n == place));
                let border = border.ok_or("a norm is no border")?;
                self.keys.insert(key, (border, is_negative != turned));
                return Ok((border, is_negative));
            }
        }
        // the key is that of the positive multiple
        let border = self.borders.len();
        self.borders.push(LocalBorder::Map(if turned { -graph } else { graph.clone() }));
        self.keys.insert(key, (border, false));
        Ok((border, turned))
    }

    /// Returns the answer of the run to a question about a border. A new question is answered by `first`, and the other answer waits.
    fn answer_question(&mut self, border: usize, question: BorderQuestion, first: bool) -> bool {
        let is_asked = |known: &&BorderDecision| known.border == border && known.question == question;
        if let Some(known) = self.decisions.iter().find(is_asked) {
            return known.holds;
        }
        let decision = |holds: bool| BorderDecision { border, question, holds };
        self.waiting.push(self.decisions.iter().copied().chain([decision(!first)]).collect());
        self.decisions.push(decision(first));
        first
    }

    /// Returns the sign by which a guard on a border is decided. Returns `None` if there are too many borders.
    fn sign_of_border(&mut self, border: usize, turned: bool, role: GuardRole) -> Option<Ordering> {
        let is_positive = match self.borders[border] {
            LocalBorder::Norm(_) => true,
            LocalBorder::Map(_) => self.answer_question(border, BorderQuestion::Sign, true),
        };
        if self.decisions.iter().filter(|decision| decision.question == BorderQuestion::Sign).count() > MOST_BORDERS {
            return None;
        }
        // both sides of `max`, `min` and `abs` agree on a border
        if role == GuardRole::Choice && self.answer_question(border, BorderQuestion::IsOnBorder, false) {
            return Some(Ordering::Equal);
        }
        Some(if is_positive == turned { Ordering::Less } else { Ordering::Greater })
    }
}

impl Oracle for PatternOracle {
    fn decide_guard(&self, asked: &GuardQuery) -> Result<bool, ValueError> {
        let GuardQuery { guard, role, at } = asked;
        let undecided = |why: &str| undecided_error(why, guard.site);
        let state = &mut *lock(&self.state);
        let sign = state.sign_at_point(&guard.graph, &self.budget);
        let sign = sign.ok_or_else(|| undecided("whether a number is 0 was not decided"))?;
        let varies = state.point.iter().any(|(v, _)| guard.graph.depends_on(*v));
        if sign != Ordering::Equal || !varies || state.is_zero_map(&guard.graph) {
            return Ok(guard.test.is_satisfied_by(sign));
        }
        if at.is_some() {
            return Err(undecided("a derivative within the program is taken on a border"));
        }
        if *role == GuardRole::Condition {
            return Err(undecided("the point lies on the edge of the domain of an operation"));
        }
        let (border, turned) = state.border_of(&guard.graph, &self.budget).map_err(undecided)?;
        if !state.sites.contains(&guard.site) {
            state.sites.push(guard.site);
        }
        let most = || undecided("there are too many borders");
        let sign = state.sign_of_border(border, turned, *role).ok_or_else(most)?;
        Ok(guard.test.is_satisfied_by(sign))
    }

    fn root_of_squares(&self, square: &Graph, site: SourceId) -> Option<Graph> {
        let state = &mut *lock(&self.state);
        let varies = state.point.iter().any(|(v, _)| square.depends_on(*v));
        if !varies || state.sign_at_point(square, &self.budget) != Some(Ordering::Equal) || state.is_zero_map(square) {
            return None;
        }
        let place = state.norm_of_square(square, &self.budget)?;
        if !state.sites.contains(&site) {
            state.sites.push(site);
        }
        Some(Graph::variable(state.norms[place].variable))
    }

    /// Returns the integer next to the value at the point.
    fn nearby_integer(&self, x: &Graph) -> Option<Rational> {
        integer_near(&x.substitute(&lock(&self.state).point), &self.budget)
    }
}

/// Resolves a function of several variables into its pieces around a point.
///
/// # Errors
/// The reason why they are not found: too many of them, an operation that is not analytic at the point, or a construct that the
/// model lacks.
pub fn resolve_pieces(given: FunctionSource<'_>, at: &[Rational], budget: &Arc<Budget>) -> Result<LocalPieces, String> {
    explore_pieces(given, at, budget, MOST_RUNS)
}

/// Runs a function once around a point. Returns its borders there, all of them that one run asks for. `None` if there are none, and if
/// they are not found.
#[must_use]
pub fn find_borders(given: FunctionSource<'_>, at: &[Rational], budget: &Arc<Budget>) -> Option<LocalPieces> {
    // all runs ask for the first border
    explore_pieces(given, at, budget, 1).ok().filter(|local| !local.borders.is_empty())
}

/// Runs a function around a point for the signs of its borders: all of them, or one run if only that is asked for.
fn explore_pieces(
    given: FunctionSource<'_>,
    at: &[Rational],
    budget: &Arc<Budget>,
    most_runs: usize,
) -> Result<LocalPieces, String> {
    let variables: Vec<_> = at.iter().map(|_| Variable::fresh()).collect();
    let point = variables.iter().copied().zip(at.iter().map(|q| Graph::rational(q.clone()))).collect();
    let state = PatternState { point, waiting: vec![Vec::new()], ..PatternState::default() };
    let oracle = PatternOracle { budget: budget.clone(), state: Mutex::new(state) };
    let universe = PiecewiseUniverse::new(oracle, budget.clone()).with_limits(None, MAX_POINT_STEPS);
    let model = EvaluatorModel::new(universe);
    let coordinates: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let run = || -> Result<Graph, SemanticsError> {
        match given {
            FunctionSource::Program(term) => {
                let function: ValueFunction<Graph> = model.evaluate_closed(term)?.as_function()?.clone();
                let point = match &coordinates[..] {
                    [only] => Value::Real(only.clone()),
                    several => Value::tuple_of(several.iter().cloned().map(Value::Real)),
                };
                Ok(function.apply(&point)?.as_real()?.clone())
            }
            FunctionSource::Steps(steps) => Ok(steps.value_at(&model.0, &coordinates)?),
        }
    };
    let mut pieces = Vec::new();
    loop {
        {
            let state = &mut *lock(&model.0.oracle().state);
            let Some(decisions) = state.waiting.pop() else { break };
            state.decisions = decisions;
        }
        if pieces.len() == most_runs && most_runs == 1 {
            break;
        }
        if pieces.len() == most_runs || budget.is_exhausted() {
            return Err("there are too many pieces around the point".to_owned());
        }
        model.0.begin_run();
        let map = match run() {
            Ok(map) => Ok(map),
            Err(SemanticsError::Run(ValueError::Undefined(found))) => Err(found.operation),
            Err(error) => return Err(error.to_string()),
        };
        pieces.push(LocalPiece { decisions: lock(&model.0.oracle().state).decisions.clone(), map });
    }
    let mut places = BorderPlaces::default();
    let state = std::mem::take(&mut *lock(&model.0.oracle().state));
    for site in state.sites {
        match (given, model.0.location_of(site), site.index()) {
            (FunctionSource::Program(_), Some(place), _) if !places.places.contains(&place) => {
                places.places.push(place)
            }
            (FunctionSource::Steps(_), _, Some(step)) if !places.steps.contains(&step) => places.steps.push(step),
            _ => {}
        }
    }
    let PatternState { forms, borders, norms, .. } = state;
    Ok(LocalPieces { variables, borders, norms, pieces, places, forms })
}

impl LocalPieces {
    /// Returns the one map that the function is near the point. `None` if the point lies on a border.
    #[must_use]
    pub fn smooth_map(&self) -> Option<&Graph> {
        match &self.pieces[..] {
            [only] if only.decisions.is_empty() && self.norms.is_empty() => only.map.as_ref().ok(),
            _ => None,
        }
    }

    /// Returns `true` if some border depends on a coordinate.
    #[must_use]
    pub fn has_border_in(&self, coordinate: usize) -> bool {
        let Some(variable) = self.variables.get(coordinate) else { return false };
        self.borders.iter().any(|border| match border {
            LocalBorder::Map(map) => map.depends_on(*variable),
            LocalBorder::Norm(place) => self.norms[*place].squares.iter().any(|(_, form)| form.depends_on(*variable)),
        })
    }

    /// Returns `true` if the function is shown to be continuous near the point.
    #[must_use]
    pub fn is_continuous(&mut self) -> bool {
        // what is composed of continuous operations is continuous
        let is_of_choice = |decision: &BorderDecision| decision.question == BorderQuestion::IsOnBorder;
        if !self.pieces.iter().any(|piece| piece.decisions.iter().any(is_of_choice)) {
            return true;
        }
        let maps: Option<Vec<_>> = self.pieces.iter().map(|piece| piece.map.clone().ok()).collect();
        let Some(maps) = maps.filter(|maps| maps.len() <= MOST_COMPARED) else { return false };
        let pairs = (0..maps.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let apart: Vec<_> = pairs
            .filter_map(|(i, j)| Some((i, j, first_difference(&self.pieces[i].decisions, &self.pieces[j].decisions)?)))
            .collect();
        apart.into_iter().all(|(i, j, border)| self.agree_on_border(&maps[i], &maps[j], border))
    }

    /// Returns `true` if two maps are shown to agree where a border vanishes.
    fn agree_on_border(&mut self, a: &Graph, b: &Graph, border: usize) -> bool {
        let difference = a - b;
        if self.is_zero_map(&difference) {
            return true;
        }
        let number = match &self.borders[border] {
            LocalBorder::Norm(place) => {
                let variable = self.norms[*place].variable;
                return self.is_zero_map(&difference.substitute(&[(variable, Graph::integer(0))]));
            }
            LocalBorder::Map(number) => number.clone(),
        };
        let keys = [&difference, &number].map(|g| Some(self.forms.normal_form(g)?.quotient_key()?.0));
        if keys[0].is_some() && keys[0] == keys[1] {
            return true;
        }
        // a border that is affine in a variable v is solved for it
        let point: Vec<_> = self.variables.iter().map(|v| Graph::variable(*v)).collect();
        let slopes = Graph::reverse_mode(&self.variables, std::slice::from_ref(&number), &point, &[Graph::integer(1)]);
        let solved = self.variables.clone().into_iter().zip(slopes).find_map(|(v, slope)| {
            let slope = self.forms.normal_form(&slope)?.as_rational().filter(|slope| *slope != 0)?;
            Some((v, Graph::variable(v) - &number / slope))
        });
        solved.is_some_and(|solved| self.is_zero_map(&difference.substitute(&[solved])))
    }

    /// Returns `true` if the normal form of a map is 0.
    pub fn is_zero_map(&mut self, graph: &Graph) -> bool {
        self.forms.normal_form(graph).is_some_and(|form| form.is_zero())
    }

    /// Returns the rational number that a closed map is, if its normal form is one.
    pub fn as_rational(&mut self, graph: &Graph) -> Option<Rational> {
        self.forms.normal_form(graph)?.as_rational()
    }
}

/// Returns the border at which two runs divide, if all other decisions that they share are the same. `None` if they are not.
fn first_difference(a: &[BorderDecision], b: &[BorderDecision]) -> Option<usize> {
    let first = a.iter().zip(b).position(|(a, b)| a != b)?;
    let is_same = |one: &BorderDecision| {
        let is_shared = |other: &&BorderDecision| other.border == one.border && other.question == one.question;
        b.iter().find(is_shared).is_none_or(|other| other.holds == one.holds)
    };
    a[first + 1..].iter().all(is_same).then_some(a[first].border)
}
