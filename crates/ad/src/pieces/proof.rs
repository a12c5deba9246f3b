//! Emptiness of analytic sets: a proof that a set has no points, a point of it, or neither.
//!
//! | method | proves |
//! |---|---|
//! | the signs of maps that are multiples of each other | empty: the conditions contradict each other |
//! | on the line, [roots](super::line) | either, if guards are quotients of polynomials, or the set is bounded |
//! | bisection into boxes, with enclosures of all maps | empty |
//! | sampling, with many points on the zero sets of guards | not empty |
//!
//! Maps are assumed to be defined and analytic wherever their signs are tested. That assumption is a question of the
//! same kind: is the set empty where one of their [conditions](super::analytic) fails?
//!
//! # Ranges and signs of maps over a box
//!
//! Ranges and signs of maps over a box, given the signs of the guards.

use super::facts::{DoubleInterval, FactContext, FactDomain, KnownSigns, MapFacts, SignSet};
use super::function::{GuardCondition, conditions_hold_at};
use super::line::{IntervalUnion, LineInterval};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Double, Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::reverse::without_derivatives;
use crate::smooth::solve::subdivide::{
    End, PieceBound, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use crate::smooth::univariate::IsolatedRoots;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::convert::Infallible;
use std::fmt;

/// The known points of an analytic set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetPoints {
    /// The set is empty.
    None,
    /// A point of the set.
    At(Vec<Rational>),
    /// The set is not empty, but no rational point of it was found: intervals that contain points.
    Near(IntervalUnion),
    /// Undecided.
    Unknown,
}

/// The budget of one search, in work units. A choice: a moment of time.
const WORK: u64 = 4_000_000;
/// The largest number of boxes in the bisection. A choice, as are the limits below: more boxes prove more and take
/// longer.
const MOST_BOXES: usize = 4_000;
/// The largest number of sampled points.
const MOST_POINTS: usize = 300;
/// Intervals are split down to 2^-44 of the width of the searched segment, but not below 2^-88.
const FINEST_BITS: u32 = 44;
/// Bisection stops at boxes beyond ±2^64 …
const FARTHEST_BITS: u32 = 64;
/// … and at boxes narrower than 2^-24.
const NARROWEST_BITS: u32 = 24;
/// Sampling uses roots of guards in [-16, 16]. A choice: random coordinates lie in [-4, 4].
const ROOT_SEARCH_BOUND: i64 = 16;

/// Searches for a point of the set that `answers` cut out, or proves that there is none. A returned point is certain.
#[must_use]
pub fn find_points(answers: &[GuardCondition], variables: &[Variable]) -> SetPoints {
    let budget = Budget::new(WORK, None, None);
    let graphs: Vec<Graph> = answers.iter().map(|decided| decided.guard.graph.clone()).collect();
    // cheapest first: contradictory signs need no search, and on a line the roots of the guards decide most sets
    let facts = SignFacts::from_conditions(answers, &without_derivatives(&graphs));
    if facts.is_contradictory {
        return SetPoints::None;
    }
    let sides: Vec<CoordinateBounds> = variables.iter().map(|v| affine_bounds(answers, *v)).collect();
    if let ([v], [side]) = (variables, &sides[..])
        && let Some(found) = decide_on_line(answers, *v, side, &budget)
    {
        return found;
    }
    if prove_empty(&facts, variables, sides) {
        return SetPoints::None;
    }
    // a fixed seed: the same set gets the same answer in every run
    let (mut random, bind) = (SplitMix64::new(1), |point: &[Rational]| -> Vec<(Variable, Graph)> {
        variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    });
    for _ in 0..MOST_POINTS {
        let point = random_candidate(&graphs, variables, &mut random);
        if conditions_hold_at(answers, &bind(&point), &budget) == Some(true) {
            return SetPoints::At(point);
        }
    }
    SetPoints::Unknown
}

/// Returns a random point. Each coordinate is, with probability about 70 %, moved to a rational root of a guard that
/// depends on it.
pub fn random_candidate(graphs: &[Graph], variables: &[Variable], random: &mut SplitMix64) -> Vec<Rational> {
    let mut point: Vec<_> = variables.iter().map(|_| random_rational(random)).collect();
    for (axis, v) in variables.iter().enumerate() {
        let along: Vec<_> = graphs.iter().filter(|graph| graph.depends_on(*v)).collect();
        if along.is_empty() || random.random_bool(30) {
            continue;
        }
        let graph = *random.pick(&along);
        let all = variables.iter().copied().zip(point.iter().cloned().map(Graph::rational));
        let others: Vec<_> = all.filter(|(w, _)| w != v).collect();
        if let Some([over, _]) = RationalNormalForm::default().as_quotient(&graph.substitute(&others), *v)
            && over.degree() > 0
        {
            // only exact roots help: next to a root the guard is not 0, and a random point serves as well
            let finest = Rational::from((1, 1000));
            let roots = IsolatedRoots::of_polynomial(&over).isolate_between(
                &Rational::from(-ROOT_SEARCH_BOUND),
                &Rational::from(ROOT_SEARCH_BOUND),
                &finest,
            );
            let exact: Vec<_> = roots.into_iter().filter(|[lo, hi]| lo == hi).map(|[x, _]| x).collect();
            if !exact.is_empty() {
                point[axis].clone_from(random.pick(&exact));
            }
        }
    }
    point
}

fn random_rational(random: &mut SplitMix64) -> Rational {
    let denominator = 1 + random.next_below(3) as i64;
    Rational::from((random.next_below(8 * denominator as usize + 1) as i64 - 4 * denominator, denominator))
}

/// Returns an interval that contains this coordinate of every point of the set, from the guards that are affine in it
/// alone.
fn affine_bounds(answers: &[GuardCondition], v: Variable) -> CoordinateBounds {
    let mut forms = RationalNormalForm::default();
    let [mut least, mut most]: CoordinateBounds = [None, None];
    for decided in answers {
        let Some([b, a]) =
            forms.as_polynomial(&decided.guard.graph, v).and_then(|all| <[Rational; 2]>::try_from(all).ok())
        else {
            continue;
        };
        // the guard is a·v + b, whose only root is -b/a; its sign changes there
        let root = -Rational::from(&b / &a);
        let (rising, signs) = (a > 0, allowed_signs(decided));
        let is_never = |sign: Ordering| signs.intersect_with(SignSet::of_sign(sign)).is_empty();
        let (left, above) = match rising {
            true => (Ordering::Less, Ordering::Greater),
            false => (Ordering::Greater, Ordering::Less),
        };
        if is_never(left) && least.as_ref().is_none_or(|least| *least < root) {
            least = Some(root.clone());
        }
        if is_never(above) && most.as_ref().is_none_or(|most| *most > root) {
            most = Some(root);
        }
    }
    [least, most]
}

/// Decides the set by the roots of its guards on a segment. Returns `None` if some signs are not decided.
fn decide_on_line(
    answers: &[GuardCondition],
    v: Variable,
    [from, to]: &CoordinateBounds,
    budget: &Budget,
) -> Option<SetPoints> {
    let mut forms = RationalNormalForm::default();
    let quotients: Option<Vec<_>> = answers.iter().map(|decided| forms.as_quotient(&decided.guard.graph, v)).collect();
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (from.clone(), to.clone()),
        // an unbounded segment is cut off beyond all roots and poles: no sign changes there
        (from, to) => {
            let polynomials = quotients?.into_iter().flatten();
            let reach = polynomials.map(|p| p.root_bound()).max().unwrap_or_default() + 1u32;
            let left =
                from.clone().unwrap_or_else(|| Rational::from(-&reach).min(to.clone().unwrap_or_default()) - 1u32);
            let right = to.clone().unwrap_or_else(|| reach.max(left.clone()) + 1u32);
            (left, right)
        }
    };
    if from > to {
        return Some(SetPoints::None);
    }
    let finest = (Rational::from(&to - &from) >> FINEST_BITS).max(Rational::from(1) >> (2 * FINEST_BITS));
    let mut region = IntervalUnion(vec![LineInterval::closed_between(&from, &to)]);
    let mut is_known = true;
    for decided in answers {
        let [holds, fails, open] = region.split_by_guard(v, &decided.guard, &mut forms, &finest, budget);
        is_known &= open.is_empty();
        region = if decided.holds { holds } else { fails };
        // undecided parts stay in the region: it may only be called empty if nothing was left out
        region.0.extend(open.0);
        region.0.sort_by_key(|stretch| (stretch.left.lo.clone(), stretch.right.hi.clone()));
    }
    match (region.is_empty(), is_known) {
        (true, _) => Some(SetPoints::None),
        (false, true) => Some(match region.0.iter().find_map(LineInterval::interior_rational) {
            Some(point) => SetPoints::At(vec![point]),
            None => SetPoints::Near(region),
        }),
        (false, false) => None,
    }
}

/// Returns `true` if bisection covers the space with boxes in each of which some answer is certainly wrong.
fn prove_empty(facts: &SignFacts, variables: &[Variable], whole: Vec<CoordinateBounds>) -> bool {
    let caps = SubdivisionCaps { bounded: MOST_BOXES, ..SubdivisionCaps::NONE };
    let Ok(left) = subdivide(&mut EmptinessProof { facts, variables }, vec![whole], caps, None);
    left.end == End::Reached
}

/// A proof that a set has no points, box by box.
struct EmptinessProof<'p> {
    facts: &'p SignFacts,
    variables: &'p [Variable],
}

impl SubdivisionProblem for EmptinessProof<'_> {
    type Piece = Vec<CoordinateBounds>;
    type Error = Infallible;

    fn split_order(&self) -> SplitOrder {
        SplitOrder::Newest
    }

    fn bound_piece(&mut self, sides: &mut Self::Piece) -> Result<PieceBound, Infallible> {
        let is_empty = self.facts.exclude_box(self.variables, sides);
        Ok(if is_empty { PieceBound::SETTLED } else { PieceBound::open(0, Magnitude::INFINITY) })
    }

    fn split_pieces(&mut self, boxes: Vec<Self::Piece>) -> Result<Vec<Split<Self::Piece>>, Infallible> {
        // a box that is too small or too far to halve stays undecided, and so does the whole set
        let split = |sides: Self::Piece| match halve_box(&sides) {
            Some(halves) => Split::Parts(halves.into()),
            None => Split::Stuck(sides),
        };
        Ok(boxes.into_iter().map(split).collect())
    }
}

/// Halves a box along its widest side. Returns `None` if the box is too narrow, or the cut would be too far from 0.
fn halve_box(sides: &[CoordinateBounds]) -> Option<[Vec<CoordinateBounds>; 2]> {
    let width = |[a, b]: &CoordinateBounds| Some(Rational::from(b.as_ref()? - a.as_ref()?));
    let (axis, widest) = sides.iter().enumerate().max_by(|(_, x), (_, y)| match (width(x), width(y)) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(x), Some(y)) => x.cmp(&y),
    })?;
    let (narrowest, farthest) = (Rational::from(1) >> NARROWEST_BITS, Rational::from(1) << FARTHEST_BITS);
    // unbounded sides are cut at 0 first, then at points whose distance doubles
    let cut = match widest {
        [None, None] => Rational::new(),
        [Some(a), None] if *a < 0 => Rational::new(),
        [None, Some(b)] if *b > 0 => Rational::new(),
        [Some(a), None] => Rational::from(a * 2u32) + 1u32,
        [None, Some(b)] => Rational::from(b * 2u32) - 1u32,
        [Some(a), Some(b)] => Rational::from(a + b) / 2u32,
    };
    if width(widest).is_some_and(|width| width < narrowest) || cut.clone().abs() > farthest {
        return None;
    }
    let half = |side: CoordinateBounds| {
        let mut half = sides.to_vec();
        half[axis] = side;
        half
    };
    let [a, b] = widest;
    Some([half([a.clone(), Some(cut.clone())]), half([Some(cut), b.clone()])])
}

impl fmt::Display for SetPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("nowhere"),
            Self::At(point) => {
                let shown: Vec<_> = point.iter().map(Rational::to_string).collect();
                write!(f, "({})", shown.join(", "))
            }
            Self::Near(region) => region.fmt(f),
            Self::Unknown => f.write_str("a place that is not known"),
        }
    }
}

/// A closed interval of values of a coordinate, from the first to the second number; `None` is no bound.
pub(super) type CoordinateBounds = [Option<Rational>; 2];

/// Returns the signs of the guard's map for which the condition holds.
pub(super) fn allowed_signs(decided: &GuardCondition) -> SignSet {
    SignSet::of_passing(|sign| decided.guard.test.is_satisfied_by(sign) == decided.holds)
}

/// The possible signs of maps, derived from the conditions; equal normal forms up to a factor share them.
#[derive(Default)]
pub(super) struct SignFacts {
    /// The signs of nodes, by their addresses.
    signs: FxHashMap<usize, SignSet>,
    guards: Vec<(Graph, SignSet)>,
    /// `true` if two conditions contradict each other.
    pub is_contradictory: bool,
}

impl SignFacts {
    pub fn from_conditions(answers: &[GuardCondition], graphs: &[Graph]) -> Self {
        let (mut forms, mut known) = (RationalNormalForm::default(), KnownSigns::default());
        let mut is_contradictory = false;
        for (decided, graph) in answers.iter().zip(graphs) {
            is_contradictory |= !known.restrict_signs(graph, allowed_signs(decided), &mut forms);
        }
        // subterms too: a product may contain the map of another guard
        let of = |node: &Graph| (node.address(), known.signs_of(node, &mut forms));
        let signs = Graph::all_nodes(graphs).into_iter().map(of).filter(|(_, signs)| *signs != SignSet::ANY).collect();
        let guards = graphs.iter().cloned().zip(answers.iter().map(allowed_signs)).collect();
        Self { signs, guards, is_contradictory }
    }

    /// Returns `true` if some condition certainly fails at all points of a box.
    pub fn exclude_box(&self, variables: &[Variable], sides: &[CoordinateBounds]) -> bool {
        let mut facts = FactDomain::over_graphs(ConditionedBox { facts: self, variables, sides });
        self.guards.iter().any(|(graph, signs)| facts.facts_of(graph).signs.intersect_with(*signs).is_empty())
    }
}

/// The points of a box that satisfy the conditions.
pub(super) struct ConditionedBox<'a> {
    /// The conditions.
    pub facts: &'a SignFacts,
    /// The coordinates.
    pub variables: &'a [Variable],
    /// The box.
    pub sides: &'a [CoordinateBounds],
}

impl FactContext for ConditionedBox<'_> {
    fn facts_of_variable(&self, v: Variable) -> MapFacts {
        let side = self.variables.iter().position(|own| *own == v).map(|index| bounds_interval(&self.sides[index]));
        side.map_or(MapFacts::with_no_claim(), |range| MapFacts {
            range,
            is_defined: true,
            ..MapFacts::with_no_claim()
        })
    }

    fn known_signs(&mut self, node: &Graph, _: &MapFacts) -> SignSet {
        self.facts.signs.get(&node.address()).copied().unwrap_or(SignSet::ANY)
    }
}

/// Returns ℝ.
fn real_interval() -> DoubleInterval {
    Double.mark_defined(Double.bottom())
}

fn bounds_interval(side: &CoordinateBounds) -> DoubleInterval {
    let upper = Double.abs(&real_interval());
    match side {
        [None, None] => real_interval(),
        [Some(a), None] => Double.add(&Double.enclose_rational(a), &upper),
        [None, Some(b)] => Double.sub(&Double.enclose_rational(b), &upper),
        [Some(a), Some(b)] => Double.hull(&Double.enclose_rational(a), &Double.enclose_rational(b)),
    }
}
