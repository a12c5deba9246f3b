//! Analytic sets in a box of ℝⁿ: boxes that cover them, points of them, and their dimension.
//!
//! A paving is a list of boxes that together contain a set. A guard divides it in two, box by box: a box on which the guard
//! certainly holds goes to one side, one on which it certainly fails to the other, and an undecided one is halved, as long as
//! there are few, and then belongs to both. That is set inversion by interval analysis (Jaulin and Walter 1993).
//!
//! A set is empty if its paving is, and not empty if it has a rational point: one at which the sign of each guard is decided.
//! Otherwise neither is known, and the set is told to be open in this sense.
//!
//! # The dimension of a set
//!
//! Equations g = 0 among the conditions lower it. An equation that is affine in a variable, with a constant coefficient, is solved
//! for that variable. Of the others, one that is analytic everywhere and not 0 everywhere lowers the dimension by one at least,
//! since its zeros have no interior (its domain is connected). A point of the set gives the other bound: if the gradients of the
//! equations are independent there, and no other guard is 0, the set is a manifold around the point (implicit function theorem).

use super::analytic::analyticity_conditions;
use super::facts::{FactDomain, KnownSigns, SignSet};
use super::function::{GuardCondition, SignGuard, decide_sign};
use super::intensional::partial_derivatives;
use super::proof::{ConditionedBox, CoordinateBounds, SetPoints, SignFacts, allowed_signs};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::reverse::without_derivatives;
use crate::smooth::univariate::IsolatedRoots;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::fmt;

/// A closed box: the lower and the upper bound of each coordinate.
pub type RationalBox = Vec<[Rational; 2]>;

/// The most boxes of a paving. A choice: twice as many divide a set a little finer, and cost twice as much for each guard.
const MOST_PAVING_BOXES: usize = 128;
/// The most boxes that are searched for a point of a set. A choice.
const MOST_SEARCHED_BOXES: usize = 1_000;
/// The most boxes that are searched after a point on the border of the set is known, for one inside. A choice.
const MOST_BOXES_FOR_INSIDE: usize = 64;
/// The work units for each node of a guard on a box. A choice, by measurement about the time of one unit elsewhere.
const WORK_PER_NODE: u64 = 2;
/// The place of a candidate in a box along each axis, in sixteenths of the side. A choice: no two are equal, and none has a sum
/// with another that is the whole, so that the candidate lies on few borders.
const SIXTEENTHS: [i64; 6] = [6, 9, 5, 12, 8, 13];
/// The most axes of a domain whose corners are tried. A choice: 64 corners.
const MOST_CORNER_AXES: usize = 6;
/// The most points at which a map is tried to be other than 0. A choice.
const MOST_ZERO_TRIALS: u32 = 8;
/// The reciprocal of the width to which roots are isolated: exact ones alone are used.
const ROOT_WIDTH: i64 = 1_000;

/// Boxes that together contain a set. They meet at their borders only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paving(Vec<RationalBox>);

impl Paving {
    /// Creates the paving by one box.
    #[must_use]
    pub fn of_box(domain: &[[Rational; 2]]) -> Self {
        Self(vec![domain.to_vec()])
    }

    /// Returns `true` if there is no box: the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the boxes.
    #[must_use]
    pub fn boxes(&self) -> &[RationalBox] {
        &self.0
    }

    /// Returns the volume of the boxes: an upper bound of that of the set.
    #[must_use]
    pub fn volume(&self) -> Rational {
        self.0.iter().map(|sides| box_volume(sides)).sum()
    }

    /// Splits the paving in two: boxes that contain all points at which a guard holds, and all at which it fails. A box
    /// belongs to both if it is undecided.
    #[must_use]
    pub fn split_by_guard(&self, variables: &[Variable], guard: &SignGuard, budget: &Budget) -> [Self; 2] {
        let mut sides = [Vec::new(), Vec::new()];
        // Facts about maps know no node that differentiates, so derivatives are written out.
        let graphs = without_derivatives(std::slice::from_ref(&guard.graph));
        let work = WORK_PER_NODE * Graph::all_nodes(&graphs).len() as u64;
        let facts = SignFacts::default();
        let allowed = [true, false].map(|holds| SignSet::of_passing(|sign| guard.test.is_satisfied_by(sign) == holds));
        let mut pending: VecDeque<RationalBox> = self.0.iter().cloned().collect();
        // breadth first, so that all boxes stay of about one size
        while let Some(sides_of_box) = pending.pop_front() {
            let signs = signs_on_box(&graphs[0], variables, &sides_of_box, &facts);
            // Without budget a box goes to both sides as it is: the pavings get wider, and stay right.
            let is_cheap = budget.spend(work);
            let possible = allowed.map(|signs_allowed| !signs.intersect_with(signs_allowed).is_empty());
            let known = pending.len() + sides[0].len().max(sides[1].len());
            // both sides may get it: undecided boxes are halved, the largest first, while there is room
            if possible == [true, true] && is_cheap && known + 2 <= MOST_PAVING_BOXES {
                pending.extend(halve_longest(&sides_of_box, &self.0[0]));
                continue;
            }
            for (side, is_possible) in sides.iter_mut().zip(possible) {
                if is_possible {
                    side.push(sides_of_box.clone());
                }
            }
        }
        sides.map(Self)
    }
}

/// Returns the volume of a box.
#[must_use]
pub fn box_volume(sides: &[[Rational; 2]]) -> Rational {
    sides.iter().fold(Rational::from(1), |product, [a, b]| product * Rational::from(b - a))
}

/// Decides a condition on a box: `Some(true)` if it holds at all points, `Some(false)` if at none.
#[must_use]
pub fn decide_on_box(decided: &GuardCondition, variables: &[Variable], sides: &[[Rational; 2]]) -> Option<bool> {
    let graphs = without_derivatives(std::slice::from_ref(&decided.guard.graph));
    let (bounds, facts) = (as_bounds(sides), SignFacts::default());
    let found =
        FactDomain::over_graphs(ConditionedBox { facts: &facts, variables, sides: &bounds }).facts_of(&graphs[0]);
    let allowed = allowed_signs(decided);
    // A guard that may be undefined somewhere on the box holds on no whole box.
    match (found.signs.intersect_with(allowed).is_empty(), found.signs.is_within(allowed) && found.is_defined) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    }
}

/// Returns the signs that a map may have on a box.
fn signs_on_box(graph: &Graph, variables: &[Variable], sides: &[[Rational; 2]], facts: &SignFacts) -> SignSet {
    FactDomain::over_graphs(ConditionedBox { facts, variables, sides: &as_bounds(sides) }).facts_of(graph).signs
}

/// Halves a box along the side that is the longest in units of the sides of `unit`.
fn halve_longest(sides: &[[Rational; 2]], unit: &[[Rational; 2]]) -> [RationalBox; 2] {
    let part = |axis: usize| {
        let [width, whole] = [&sides[axis], &unit[axis]].map(|[a, b]| Rational::from(b - a));
        // a side without length is never the longest
        if whole == 0 { Rational::new() } else { width / whole }
    };
    // the first of several equal ones, so that the order of the boxes is fixed
    let axis = (0..sides.len()).rev().max_by_key(|axis| part(*axis)).unwrap_or_default();
    let [a, b] = &sides[axis];
    let middle = Rational::from(a + b) / 2u32;
    [[a.clone(), middle.clone()], [middle, b.clone()]].map(|half| {
        let mut own = sides.to_vec();
        own[axis] = half;
        own
    })
}

/// Bounds of the dimension of a set. A point has the dimension 0, an open set of ℝⁿ the dimension n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetDimension {
    /// The greatest dimension that the set is known to have. `None` if it is not known to have a point.
    pub at_least: Option<usize>,
    /// An upper bound.
    pub at_most: usize,
}

impl SetDimension {
    /// Returns the dimension, if it is known.
    #[must_use]
    pub fn as_exact(self) -> Option<usize> {
        self.at_least.filter(|least| *least == self.at_most)
    }
}

impl fmt::Display for SetDimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_exact(), self.at_least) {
            (Some(exact), _) => write!(f, "{exact}"),
            (None, Some(least)) => write!(f, "{least} to {}", self.at_most),
            (None, None) => write!(f, "at most {}", self.at_most),
        }
    }
}

/// An analytic set of ℝⁿ, or the part of it in a box, with the equations among its conditions.
#[derive(Debug)]
pub struct AnalyticRegion<'a> {
    conditions: &'a [GuardCondition],
    variables: &'a [Variable],
    domain: Option<&'a [[Rational; 2]]>,
    /// The conditions' maps, without derivatives.
    graphs: Vec<Graph>,
    /// For each condition, `true` if its map is 0 on the whole set.
    is_equation: Vec<bool>,
    /// For each end of the domain, `true` if the set lies in it.
    lies_in_end: Vec<[bool; 2]>,
    /// The equations, solved as far as they are affine with constant coefficients.
    solved: SolvedEquations,
    /// `true` if two conditions contradict each other.
    is_contradictory: bool,
}

/// The place of a point in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PointPlace {
    /// No map of the conditions is 0 there, equations excepted.
    Inside,
    /// Some map is.
    Border,
}

/// Equations, solved for variables as far as they are affine.
#[derive(Clone, Debug, Default)]
struct SolvedEquations {
    /// The variables that are solved for, as maps of the free ones.
    bindings: Vec<(Variable, Graph)>,
    /// The equations that are left, over the free variables.
    rest: Vec<Graph>,
    /// `true` if the equations have no solution.
    is_contradictory: bool,
}

impl SolvedEquations {
    fn is_bound(&self, v: Variable) -> bool {
        self.bindings.iter().any(|(bound, _)| *bound == v)
    }

    /// Solves one of the equations that are left for a variable. Returns `false` if none is affine. With `constant`, its
    /// coefficient must be a number.
    fn solve_one(&mut self, variables: &[Variable], constant: bool, forms: &mut RationalNormalForm) -> bool {
        let found = self.rest.iter().enumerate().find_map(|(place, equation)| {
            // from the last variable on: the first ones stay free, as a reader expects of y = x
            let own = variables.iter().rev().filter(|v| equation.depends_on(**v) && !self.is_bound(**v));
            own.copied().find_map(|v| Some((place, v, solve_affine(equation, v, constant, forms)?)))
        });
        let Some((place, v, value)) = found else { return false };
        self.rest.swap_remove(place);
        // What was solved before may mention v, which is no longer free.
        let along = [(v, value.clone())];
        for (_, bound) in &mut self.bindings {
            *bound = forms.simplify_graph(&bound.substitute(&along));
        }
        self.bindings.push((v, value));
        for equation in std::mem::take(&mut self.rest) {
            self.add_equation(&equation.substitute(&along), forms);
        }
        true
    }

    /// Adds an equation, over the free variables, unless it holds everywhere.
    fn add_equation(&mut self, graph: &Graph, forms: &mut RationalNormalForm) {
        let form = forms.normal_form(graph);
        // An equation that holds everywhere would be counted as one that lowers the dimension.
        if form.as_ref().is_some_and(|form| form.is_zero()) {
            return;
        }
        self.is_contradictory |= form.and_then(|form| form.as_rational()).is_some();
        self.rest.push(forms.simplify_graph(graph));
    }
}

/// Solves g = 0 for a variable in which g is affine. With `constant`, the coefficient must be a number other than 0.
fn solve_affine(g: &Graph, v: Variable, constant: bool, forms: &mut RationalNormalForm) -> Option<Graph> {
    // An affine map is that line through its values at 0 and 1; the normal form shows whether it is one.
    let at = |n: i64| g.substitute(&[(v, Graph::integer(n))]);
    let offset = at(0);
    let slope = forms.simplify_graph(&(at(1) - &offset));
    let line = &slope * Graph::variable(v) + &offset;
    forms.normal_form(&(g - &line)).filter(|form| form.is_zero())?;
    let number = forms.normal_form(&slope)?.as_rational();
    match number {
        Some(q) if q == 0 => None,
        Some(q) => Some(forms.simplify_graph(&(-(&offset / &Graph::rational(q))))),
        // where the coefficient is 0 this says nothing: good for points, which are tested, not for dimensions
        None => (!constant).then(|| -(&offset / &slope)),
    }
}

/// Returns the distances of a coordinate from both ends of its side.
pub(super) fn distances(v: Variable, [from, to]: &[Rational; 2]) -> [Graph; 2] {
    let x = Graph::variable(v);
    [&x - Graph::rational(from.clone()), Graph::rational(to.clone()) - &x]
}

impl<'a> AnalyticRegion<'a> {
    /// Reads the conditions of a set, in a box or in all of ℝⁿ.
    #[must_use]
    pub fn new(
        conditions: &'a [GuardCondition],
        variables: &'a [Variable],
        domain: Option<&'a [[Rational; 2]]>,
    ) -> Self {
        let own: Vec<Graph> = conditions.iter().map(|decided| decided.guard.graph.clone()).collect();
        let graphs = without_derivatives(&own);
        let (mut forms, mut known) = (RationalNormalForm::default(), KnownSigns::default());
        let mut is_contradictory = false;
        for (decided, graph) in conditions.iter().zip(&graphs) {
            is_contradictory |= !known.restrict_signs(graph, allowed_signs(decided), &mut forms);
        }
        let ends: Vec<[Graph; 2]> =
            variables.iter().zip(domain.unwrap_or_default()).map(|(v, ends)| distances(*v, ends)).collect();
        // The box is closed, so its distances are conditions too, and a set may lie in one of its faces.
        for end in ends.iter().flatten() {
            is_contradictory |= !known.restrict_signs(end, SignSet::NON_NEGATIVE, &mut forms);
        }
        // the signs are those that all conditions leave together: g >= 0 and -g >= 0 are an equation
        let mut is_zero = |graph: &Graph| known.signs_of(graph, &mut forms) == SignSet::ZERO;
        let is_equation: Vec<bool> = graphs.iter().map(&mut is_zero).collect();
        let lies_in_end: Vec<[bool; 2]> = ends.iter().map(|own| own.each_ref().map(&mut is_zero)).collect();
        let mut solved = SolvedEquations::default();
        let all = graphs.iter().zip(&is_equation).chain(ends.iter().flatten().zip(lies_in_end.iter().flatten()));
        for (graph, _) in all.filter(|(_, is_equation)| **is_equation) {
            solved.add_equation(graph, &mut forms);
        }
        // Each solution may make another equation affine.
        while !solved.is_contradictory && solved.solve_one(variables, true, &mut forms) {}
        is_contradictory |= solved.is_contradictory;
        Self { conditions, variables, domain, graphs, is_equation, lies_in_end, solved, is_contradictory }
    }

    fn free_variables(&self) -> Vec<Variable> {
        self.variables.iter().copied().filter(|v| !self.solved.is_bound(*v)).collect()
    }

    fn bind_point(&self, point: &[Rational]) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    }

    /// Searches the boxes of a paving of the set for a point of it. The answer is [`SetPoints::None`] if each box is
    /// excluded, and [`SetPoints::Unknown`] if neither is found.
    #[must_use]
    pub fn search_paving(&self, cover: &Paving, budget: &Budget) -> SetPoints {
        if self.is_contradictory || cover.is_empty() {
            return SetPoints::None;
        }
        let facts = SignFacts::from_conditions(self.conditions, &self.graphs);
        let work = WORK_PER_NODE * Graph::all_nodes(&self.graphs).len() as u64;
        let finder = CandidateFinder::new(self);
        let mut pending: VecDeque<RationalBox> = cover.boxes().iter().cloned().collect();
        let (mut searched, mut on_border) = (0, None);
        while let Some(sides) = pending.pop_front() {
            let most = if on_border.is_some() { MOST_BOXES_FOR_INSIDE } else { MOST_SEARCHED_BOXES };
            if searched >= most || !budget.spend(work) {
                // a thin set may have a corner of the domain, as the only point of which all coordinates are known
                let found = on_border.or_else(|| self.corner_of_domain(budget));
                return found.map_or(SetPoints::Unknown, SetPoints::At);
            }
            searched += 1;
            // all conditions together: on one box several may be undecided, and one fail
            if facts.exclude_box(self.variables, &as_bounds(&sides)) {
                continue;
            }
            if let Some(point) = finder.candidate_in(&sides) {
                match self.place_of(&point, budget) {
                    Some(PointPlace::Inside) => return SetPoints::At(point),
                    Some(PointPlace::Border) => on_border = on_border.or(Some(point)),
                    None => {}
                }
            }
            pending.extend(halve_longest(&sides, &cover.boxes()[0]));
        }
        on_border.map_or(SetPoints::None, SetPoints::At)
    }

    /// Returns a corner of the domain that lies in the set. Returns `None` if none is known to.
    fn corner_of_domain(&self, budget: &Budget) -> Option<Vec<Rational>> {
        let domain = self.domain.filter(|domain| domain.len() <= MOST_CORNER_AXES)?;
        let corner =
            |bits: usize| domain.iter().enumerate().map(|(axis, ends)| ends[bits >> axis & 1].clone()).collect();
        (0..1 << domain.len()).map(corner).find(|point: &Vec<Rational>| self.place_of(point, budget).is_some())
    }

    /// Returns the place of a point in the set. Returns `None` if it is not known to lie in the set.
    fn place_of(&self, point: &[Rational], budget: &Budget) -> Option<PointPlace> {
        let bindings = self.bind_point(point);
        let mut place = PointPlace::Inside;
        for (decided, is_equation) in self.conditions.iter().zip(&self.is_equation) {
            let sign = decide_sign(&decided.guard.graph.substitute(&bindings), budget).ok()?;
            if decided.guard.test.is_satisfied_by(sign) != decided.holds {
                return None;
            }
            if sign == Ordering::Equal && !is_equation {
                place = PointPlace::Border;
            }
        }
        for (x, (ends, lies_in)) in point.iter().zip(self.domain.unwrap_or_default().iter().zip(&self.lies_in_end)) {
            if !(ends[0] <= *x && *x <= ends[1]) {
                return None;
            }
            if ends.iter().zip(lies_in).any(|(end, lies_in)| x == end && !lies_in) {
                place = PointPlace::Border;
            }
        }
        Some(place)
    }

    /// Bounds the dimension of the set, which has these points.
    #[must_use]
    pub fn bound_dimension(&self, points: &SetPoints, budget: &Budget) -> SetDimension {
        let free = self.free_variables();
        // several equations may be one and the same, so that they lower the dimension by one for certain
        let lowers = |equation: &Graph| self.has_thin_zeros(equation, &free, budget);
        let at_most = free.len() - usize::from(!free.is_empty() && self.solved.rest.iter().any(lowers));
        let at_least = match points {
            SetPoints::At(point) => Some(self.dimension_at(point, &free, budget).min(at_most)),
            // the set has points, of which none is known
            SetPoints::Near(_) => Some(0),
            SetPoints::None | SetPoints::Unknown => None,
        };
        SetDimension { at_least, at_most }
    }

    /// Returns `true` if the zeros of a map have no interior: it is analytic everywhere, and not 0 at some point.
    fn has_thin_zeros(&self, g: &Graph, free: &[Variable], budget: &Budget) -> bool {
        let is_entire = analyticity_conditions(g, &FxHashSet::default()).is_ok_and(|conditions| conditions.is_empty());
        is_entire
            && (0..MOST_ZERO_TRIALS).any(|trial| {
                // any point serves: a map that is 0 at all of them is left alone
                let at = |(place, v): (usize, &Variable)| {
                    (*v, Graph::rational(Rational::from((i64::from(trial) * 7 + 1, 3 + place as i64))))
                };
                let bindings: Vec<_> = free.iter().enumerate().map(at).collect();
                decide_sign(&g.substitute(&bindings), budget).is_ok_and(Ordering::is_ne)
            })
    }

    /// Returns the dimension of the set around a point of it, as far as it is known; at least 0.
    fn dimension_at(&self, point: &[Rational], free: &[Variable], budget: &Budget) -> usize {
        // on a border the set may be as thin as the point
        if self.place_of(point, budget) != Some(PointPlace::Inside) {
            return 0;
        }
        let bindings = self.bind_point(point);
        let gradient = |equation: &Graph| -> Option<Vec<Rational>> {
            let slopes = without_derivatives(&partial_derivatives(free, equation));
            let at =
                |slope: &Graph| RationalNormalForm::default().normal_form(&slope.substitute(&bindings))?.as_rational();
            slopes.iter().map(at).collect()
        };
        let rest = &self.solved.rest;
        let is_regular = match &rest[..] {
            [] => true,
            // one gradient: a slope that is not 0, of which the sign suffices
            [equation] => partial_derivatives(free, equation)
                .iter()
                .any(|slope| decide_sign(&slope.substitute(&bindings), budget).is_ok_and(Ordering::is_ne)),
            several => {
                let rows: Option<Vec<_>> = several.iter().map(gradient).collect();
                rows.is_some_and(|rows| matrix_rank(rows) == several.len())
            }
        };
        if is_regular { free.len().saturating_sub(rest.len()) } else { 0 }
    }

    /// Returns `true` if the set has no volume, since one of its conditions is an equation whose zeros have no interior.
    #[must_use]
    pub fn is_null_set(&self, budget: &Budget) -> bool {
        self.is_contradictory || self.bound_dimension(&SetPoints::Unknown, budget).at_most < self.variables.len()
    }
}

/// Returns the sides of a box as bounds of coordinates.
fn as_bounds(sides: &[[Rational; 2]]) -> Vec<CoordinateBounds> {
    sides.iter().map(|[a, b]| [Some(a.clone()), Some(b.clone())]).collect()
}

/// Returns the rank of a matrix, by elimination.
fn matrix_rank(mut rows: Vec<Vec<Rational>>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut done = 0;
    for column in 0..columns {
        let Some(found) = (done..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(done, found);
        let pivot = rows[done].clone();
        for row in rows.iter_mut().skip(done + 1) {
            let factor = Rational::from(&row[column] / &pivot[column]);
            row.iter_mut().zip(&pivot).for_each(|(a, p)| *a -= Rational::from(&factor * p));
        }
        done += 1;
    }
    done
}

/// Makes rational points of boxes that satisfy the equations of a set, as far as these are solved.
struct CandidateFinder<'a> {
    region: &'a AnalyticRegion<'a>,
    /// The equations, solved for variables with coefficients that may vary.
    solved: SolvedEquations,
}

impl<'a> CandidateFinder<'a> {
    fn new(region: &'a AnalyticRegion<'a>) -> Self {
        let (mut solved, mut forms) = (region.solved.clone(), RationalNormalForm::default());
        while !solved.is_contradictory && solved.solve_one(region.variables, false, &mut forms) {}
        Self { region, solved }
    }

    /// Returns a point whose free coordinates lie in a box. Returns `None` if an equation has no known rational solution.
    fn candidate_in(&self, sides: &[[Rational; 2]]) -> Option<Vec<Rational>> {
        let variables = self.region.variables;
        // not the middle: there guards such as x > y are 0, and the point would lie on a border
        let part = |axis: usize, [a, b]: &[Rational; 2]| {
            let share = Rational::from((SIXTEENTHS[axis % SIXTEENTHS.len()], 16));
            Rational::from(b - a) * share + a
        };
        let mut known: Vec<(Variable, Graph)> = Vec::new();
        let mut equations = self.solved.rest.clone();
        for (axis, v) in variables.iter().enumerate().filter(|(_, v)| !self.solved.is_bound(**v)) {
            let others = |g: &Graph| variables.iter().any(|w| w != v && !self.solved.is_bound(*w) && g.depends_on(*w));
            // an equation in this variable alone is solved for it
            let own = equations.iter().position(|g| g.depends_on(*v) && !others(g));
            let value = match own {
                Some(place) => rational_root(&equations.swap_remove(place), *v, &sides[axis])?,
                None => part(axis, &sides[axis]),
            };
            let at = (*v, Graph::rational(value));
            equations = equations.iter().map(|g| g.substitute(std::slice::from_ref(&at))).collect();
            known.push(at);
        }
        let number = |v: &Variable| {
            let graph = known.iter().chain(&self.solved.bindings).find(|(own, _)| own == v)?.1.substitute(&known);
            RationalNormalForm::default().normal_form(&graph)?.as_rational()
        };
        variables.iter().map(number).collect()
    }
}

/// Returns a rational root of a polynomial in one variable between two numbers. Returns `None` if none is found.
fn rational_root(g: &Graph, v: Variable, [from, to]: &[Rational; 2]) -> Option<Rational> {
    let [over, _] = RationalNormalForm::default().as_quotient(g, v).filter(|[over, _]| over.degree() > 0)?;
    // the search is on an open interval, and an end may be a root
    let finest = Rational::from((1, ROOT_WIDTH));
    let [from, to] = [Rational::from(from - &finest), Rational::from(to + &finest)];
    let roots = IsolatedRoots::of_polynomial(&over).isolate_between(&from, &to, &finest);
    roots.into_iter().find(|[lo, hi]| lo == hi).map(|[x, _]| x)
}
