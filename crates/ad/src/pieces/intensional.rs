//! Intensional derivatives (W §2.1, W6): the derivatives of the maps of a piecewise representation, on their pieces.
//!
//! A function has many: one for each way of cutting it into pieces. Two of them differ on a null set that is a
//! countable union of analytic sets, not on an arbitrary null set. So relu has an intensional derivative with -7 at 0,
//! from the piece {0} with the map -7·x there, and none that differs from its slope on the Cantor set.
//!
//! | set | condition on the slopes | test |
//! |---|---|---|
//! | a piece with interior | those of the function, off the boundary of its own pieces | refuted at points |
//! | a piece g = 0 in ℝ¹ | none: any number is a slope | |
//! | a piece g = 0 in ℝⁿ | along the piece, those of the function on it | refuted at points of affine pieces |
//! | where a predicate holds that no guards define | those of the function | rejected otherwise |
//!
//! In ℝⁿ only the slope normal to a piece of codimension 1 is free: the function has a derivative along the piece.

use super::function::{AnalyticPiece, GuardCondition, PiecewiseMap, PointLocation, conditions_hold_at, decide_sign};
use super::line::LineInterval;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::random::SplitMix64;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::verdict::Verdict;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A predicate on points.
pub type PointPredicate = Arc<dyn Fn(&[Rational]) -> bool + Send + Sync>;

/// A set of points.
#[derive(Clone)]
pub enum PointSet {
    /// The points at which all conditions hold: an analytic set, over the variables of the function.
    Guards(Vec<GuardCondition>),
    /// The points at which a predicate holds, of which nothing else is known, with some points of the set.
    Predicate(PointPredicate, Vec<Vec<Rational>>),
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guards(guards) => f.debug_tuple("Guards").field(guards).finish(),
            Self::Predicate(_, points) => f.debug_tuple("Predicate").field(points).finish(),
        }
    }
}

/// A candidate for an intensional derivative: sets, with the partial derivatives on each. At a point the first set that
/// contains it counts.
#[derive(Clone, Debug)]
pub struct IntensionalDerivative(pub Vec<(PointSet, Vec<Graph>)>);

impl IntensionalDerivative {
    /// Creates the derivative of automatic differentiation: on each piece, the derivatives of its map.
    #[must_use]
    pub fn automatic_derivative(f: &PiecewiseMap) -> Self {
        let part = |piece: &AnalyticPiece| {
            let value = piece.outcome.as_number()?;
            Some((PointSet::Guards(piece.guards.clone()), partial_derivatives(&f.variables, value)))
        };
        Self(f.pieces.iter().filter_map(part).collect())
    }

    /// Overrides the slopes on a set.
    #[must_use]
    pub fn override_on(self, on: PointSet, slopes: Vec<Graph>) -> Self {
        Self(std::iter::once((on, slopes)).chain(self.0).collect())
    }
}

/// Returns the partial derivatives of a map.
#[must_use]
pub fn partial_derivatives(variables: &[Variable], value: &Graph) -> Vec<Graph> {
    let at: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let along = |i: usize| (0..variables.len()).map(|j| Graph::integer(i64::from(i == j))).collect();
    (0..variables.len())
        .map(|i| {
            // fresh variables for the body: the old ones name the point of the derivative
            let own: Vec<_> = variables.iter().map(|_| Variable::fresh()).collect();
            let renaming: Vec<_> = variables.iter().copied().zip(own.iter().map(|v| Graph::variable(*v))).collect();
            Graph::derivative(own, value.substitute(&renaming), at.clone(), along(i))
        })
        .collect()
}

/// The number of sampled points per piece. A choice: more points refute more and take longer.
const POINTS: u32 = 24;

/// Tests if `claim` is an intensional derivative of `f`, at points up to `reach` from the origin. Refuted at a point
/// with the claimed and the true slope. Vacuous if nothing was decided, or if an undecided point might refute it.
#[doc(alias("intensional derivative", "intensional derivatives"))]
pub fn check_intensional(
    f: &PiecewiseMap,
    claim: &IntensionalDerivative,
    reach: u32,
    random: &mut SplitMix64,
    budget: &Budget,
) -> Verdict {
    let mut all = Verdict::Vacuous;
    let mut trial = DerivativeCheck { f, claim, budget, doubt: false };
    for _ in 0..POINTS {
        let point: Vec<_> = f.variables.iter().map(|_| random_rational(random, reach)).collect();
        all = all.and(trial.check_point(&point));
    }
    for (part, _) in &claim.0 {
        match part {
            PointSet::Predicate(_, points) => {
                // a predicate without sample points cannot be tested
                trial.doubt |= points.is_empty();
                for point in points {
                    all = all.and(trial.check_point(point));
                }
            }
            PointSet::Guards(guards) => all = all.and(trial.check_affine_set(guards, reach, random)),
        }
    }
    for piece in &f.pieces {
        all = all.and(trial.check_affine_set(&piece.guards, reach, random));
        for stretch in piece.region.iter().flat_map(|region| &region.0) {
            for point in sample_interval(stretch, random) {
                all = all.and(trial.check_point(&[point]));
            }
        }
    }
    if all == Verdict::Survived && trial.doubt { Verdict::Vacuous } else { all }
}

/// Samples numbers inside an interval, however short it is. Empty if no inner point is known.
fn sample_interval(stretch: &LineInterval, random: &mut SplitMix64) -> Vec<Rational> {
    let Some(middle) = stretch.interior_rational() else { return Vec::new() };
    let half = Rational::from(&stretch.right.lo - &stretch.left.hi) / 2u32;
    let step = |random: &mut SplitMix64| Rational::from((random.next_below(199) as i64 - 99, 100));
    (0..POINTS / 4).map(|_| step(random) * &half + &middle).collect()
}

fn random_rational(random: &mut SplitMix64, reach: u32) -> Rational {
    let denominator = 1 + random.next_below(12) as i64;
    let most = i64::from(reach) * denominator;
    Rational::from((random.next_below(2 * most as usize + 1) as i64 - most, denominator))
}

struct DerivativeCheck<'a> {
    f: &'a PiecewiseMap,
    claim: &'a IntensionalDerivative,
    budget: &'a Budget,
    /// `true` if something undecided might refute the claim.
    doubt: bool,
}

impl DerivativeCheck<'_> {
    /// Tests points of the set that is cut out by equations `g = 0`, if all of them are affine.
    fn check_affine_set(&mut self, guards: &[GuardCondition], reach: u32, random: &mut SplitMix64) -> Verdict {
        let equations: Vec<&GuardCondition> = guards.iter().filter(|decided| !decided.is_open_or_closed()).collect();
        let n = self.f.variables.len();
        let rows: Option<Vec<_>> =
            equations.iter().map(|decided| self.affine_coefficients(&decided.guard.graph)).collect();
        // points of other sets are not sampled
        let (false, Some(rows)) = (equations.is_empty(), rows) else { return Verdict::Vacuous };
        let Some((origin, directions)) = solve_linear_system(rows, n) else { return Verdict::Vacuous };
        let mut all = Verdict::Vacuous;
        for _ in 0..if directions.is_empty() { 1 } else { POINTS } {
            let mut point = origin.clone();
            for direction in &directions {
                let step = random_rational(random, reach);
                for (x, d) in point.iter_mut().zip(direction) {
                    *x += Rational::from(&step * d);
                }
            }
            all = all.and(self.check_point(&point));
        }
        all
    }

    /// Returns (a, b) if `g` is a·x + b by its normal form. Returns `None` otherwise.
    fn affine_coefficients(&self, g: &Graph) -> Option<(Vec<Rational>, Rational)> {
        let n = self.f.variables.len();
        let at = |point: &[Rational]| {
            let mut normaliser = RationalNormalForm::default();
            normaliser.normal_form(&g.substitute(&self.point_bindings(point)))?.as_rational()
        };
        let origin = at(&vec![Rational::new(); n])?;
        let mut slopes = Vec::with_capacity(n);
        for i in 0..n {
            let mut unit = vec![Rational::new(); n];
            unit[i] = Rational::from(1);
            slopes.push(at(&unit)? - &origin);
        }
        // values at the unit vectors determine a and b; compare normal forms to see that g is affine
        let sum = self.f.variables.iter().zip(&slopes).fold(Graph::rational(origin.clone()), |sum, (v, slope)| {
            let product = Graph::rational(slope.clone()) * Graph::variable(*v);
            &sum + &product
        });
        let difference = g - &sum;
        let is_zero = RationalNormalForm::default().normal_form(&difference)?.is_zero();
        is_zero.then_some((slopes, origin))
    }

    fn point_bindings(&self, point: &[Rational]) -> Vec<(Variable, Graph)> {
        self.f.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    }

    /// Tests the claim at a point: in all directions, or in those along the sets that equations cut out there.
    fn check_point(&mut self, point: &[Rational]) -> Verdict {
        let PointLocation::Piece(piece) = self.f.locate_point(point, self.budget) else { return Verdict::Vacuous };
        let Some(value) = piece.outcome.as_number() else { return Verdict::Vacuous };
        let Some((index, slopes)) = self.claimed_slopes(point) else { return Verdict::Vacuous };
        let of_claim = match &self.claim.0[index].0 {
            PointSet::Guards(guards) => &guards[..],
            PointSet::Predicate(..) => &[],
        };
        // an equation that holds everywhere cuts nothing out
        let mut rows = Vec::new();
        for decided in of_claim.iter().chain(&piece.guards).filter(|decided| !decided.is_open_or_closed()) {
            if is_zero(&decided.guard.graph) {
                continue;
            }
            let Some(row) = self
                .affine_coefficients(&decided.guard.graph)
                .or_else(|| self.point_equation(&decided.guard.graph, point))
            else {
                self.doubt = true;
                return Verdict::Vacuous;
            };
            rows.push(row);
        }
        let thin = rows.iter().any(|(slopes, _)| slopes.iter().any(|a| *a != 0));
        let Some((_, directions)) = solve_linear_system(rows, point.len()) else { return Verdict::Vacuous };
        // in ℝ¹ a piece g = 0 is a set of isolated points: any slope is right there
        if thin && directions.is_empty() {
            return if point.len() == 1 { Verdict::Survived } else { Verdict::Vacuous };
        }
        let (bindings, right) = (self.point_bindings(point), partial_derivatives(&self.f.variables, value));
        let mut all = Verdict::Vacuous;
        for direction in &directions {
            let along = |slopes: &[Graph]| {
                let product = |(g, d): (&Graph, &Rational)| g.substitute(&bindings) * Graph::rational(d.clone());
                let sum = slopes.iter().zip(direction).map(product);
                sum.sum::<Graph>()
            };
            let (claimed, found) = (along(&slopes), along(&right));
            all = all.and(match decide_sign(&(&claimed - &found), self.budget) {
                Ok(Ordering::Equal) => Verdict::Survived,
                // on the boundary of a piece its neighbour's slope may be claimed as well
                Ok(_) if self.is_on_boundary(point, &directions) => Verdict::Vacuous,
                Ok(_) => {
                    Verdict::refuted(format_point(point), self.format_number(&claimed), self.format_number(&found))
                }
                Err(_) => Verdict::Vacuous,
            });
        }
        all
    }

    /// Returns `true` if a guard of some piece, or of the claim, is 0 at a point without being 0 in all these
    /// directions: the point then lies in a null set that guards cut out. Undecided counts as `true`.
    fn is_on_boundary(&mut self, point: &[Rational], directions: &[Vec<Rational>]) -> bool {
        let steps: Vec<_> = directions.iter().map(|_| Graph::variable(Variable::fresh())).collect();
        let moved = |i: usize| {
            directions.iter().zip(&steps).fold(Graph::rational(point[i].clone()), |sum, (direction, step)| {
                let term = Graph::rational(direction[i].clone()) * step;
                &sum + &term
            })
        };
        let around: Vec<_> = self.f.variables.iter().enumerate().map(|(i, v)| (*v, moved(i))).collect();
        let bindings = self.point_bindings(point);
        let claimed = self.claim.0.iter().filter_map(|(part, _)| match part {
            PointSet::Guards(guards) => Some(guards),
            PointSet::Predicate(..) => None,
        });
        let (mut is_border, mut doubt) = (false, false);
        for decided in self.f.pieces.iter().map(|piece| &piece.guards).chain(claimed).flatten() {
            let graph = &decided.guard.graph;
            let varies = self.f.variables.iter().any(|v| graph.depends_on(*v));
            if !varies || is_zero(&graph.substitute(&around)) {
                continue;
            }
            match decide_sign(&graph.substitute(&bindings), self.budget) {
                Ok(Ordering::Equal) => is_border = true,
                Ok(_) => {}
                Err(_) => doubt = true,
            }
        }
        self.doubt |= doubt && !is_border;
        is_border || doubt
    }

    /// Returns the equation x = `point` for a guard on ℝ¹ that vanishes only at isolated points there: a nonzero slope
    /// or a polynomial.
    fn point_equation(&self, g: &Graph, point: &[Rational]) -> Option<(Vec<Rational>, Rational)> {
        let [x] = point else { return None };
        let moves = |slope: &Graph| {
            decide_sign(&slope.substitute(&self.point_bindings(point)), self.budget).is_ok_and(Ordering::is_ne)
        };
        let is_polynomial = |v: Variable| RationalNormalForm::default().as_polynomial(g, v).is_some();
        (is_polynomial(self.f.variables[0]) || moves(&partial_derivatives(&self.f.variables, g)[0]))
            .then(|| (vec![Rational::from(1)], Rational::from(-x)))
    }

    /// Returns the claimed slopes at a point, and the index of their set. Returns `None` if this is undecided.
    fn claimed_slopes(&mut self, point: &[Rational]) -> Option<(usize, Vec<Graph>)> {
        let bindings = self.point_bindings(point);
        for (index, (part, slopes)) in self.claim.0.iter().enumerate() {
            let holds = match part {
                PointSet::Predicate(holds, _) => Some(holds(point)),
                PointSet::Guards(guards) => conditions_hold_at(guards, &bindings, self.budget),
            };
            match holds {
                Some(false) => {}
                Some(true) => return Some((index, slopes.clone())),
                None => {
                    self.doubt = true;
                    return None;
                }
            }
        }
        None
    }

    fn format_number(&self, g: &Graph) -> String {
        let eps = Rational::from((1, 1_000_000));
        match g.to_real().map(|real| real.enclose(&eps, self.budget)) {
            Ok(Ok(found)) => found.enclosure.print_decimals(&eps).to_string(),
            _ => "what is not known".to_owned(),
        }
    }
}

/// Returns `true` if the normal form of a map is 0.
fn is_zero(g: &Graph) -> bool {
    RationalNormalForm::default().normal_form(g).is_some_and(|fraction| fraction.is_zero())
}

fn format_point(point: &[Rational]) -> String {
    let coordinates: Vec<_> = point.iter().map(Rational::to_string).collect();
    format!("({})", coordinates.join(", "))
}

/// Solves a·x + b = 0 for all rows (Gauss–Jordan): a solution, and a basis of the directions. Returns `None` if there
/// is no solution.
fn solve_linear_system(
    mut rows: Vec<(Vec<Rational>, Rational)>,
    n: usize,
) -> Option<(Vec<Rational>, Vec<Vec<Rational>>)> {
    let mut pivots: Vec<usize> = Vec::new();
    let mut done = 0;
    for column in 0..n {
        let Some(found) = (done..rows.len()).find(|&row| rows[row].0[column] != 0) else { continue };
        rows.swap(done, found);
        let scale = rows[done].0[column].clone();
        let (slopes, constant) = &mut rows[done];
        slopes.iter_mut().for_each(|a| *a /= &scale);
        *constant /= &scale;
        let pivot = rows[done].clone();
        for (row, (slopes, constant)) in rows.iter_mut().enumerate() {
            let factor = slopes[column].clone();
            if row != done && factor != 0 {
                slopes.iter_mut().zip(&pivot.0).for_each(|(a, p)| *a -= Rational::from(&factor * p));
                *constant -= Rational::from(&factor * &pivot.1);
            }
        }
        pivots.push(column);
        done += 1;
    }
    if rows[done..].iter().any(|(_, constant)| *constant != 0) {
        return None;
    }
    let mut origin = vec![Rational::new(); n];
    for (row, &column) in pivots.iter().enumerate() {
        origin[column] = -rows[row].1.clone();
    }
    let free = (0..n).filter(|column| !pivots.contains(column));
    let directions = free.map(|column| {
        let mut direction = vec![Rational::new(); n];
        direction[column] = Rational::from(1);
        for (row, &pivot) in pivots.iter().enumerate() {
            direction[pivot] = -rows[row].0[column].clone();
        }
        direction
    });
    Some((origin, directions.collect()))
}
