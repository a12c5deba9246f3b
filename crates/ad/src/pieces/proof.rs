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

use super::function::{GuardCondition, conditions_hold_at};
use super::line::{IntervalUnion, LineInterval};
use crate::function::{Function, Monotonicity, NumberSet, RealOperation, TestedQuantity};
use crate::number::arithmetic::{Context, Sign};
use crate::number::budget::Budget;
use crate::number::{Double, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::reverse::without_derivatives;
use crate::smooth::univariate::IsolatedRoots;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
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
        let is_never = |sign: Ordering| signs & sign_bit(sign) == 0;
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
    let mut pending = vec![whole];
    for _ in 0..MOST_BOXES {
        let Some(sides) = pending.pop() else { return true };
        if facts.exclude_box(variables, &sides) {
            continue;
        }
        // a box that is too small or too far to halve stays undecided, and so does the whole set
        let Some(halves) = halve_box(&sides) else { return false };
        pending.extend(halves);
    }
    pending.is_empty()
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
type CoordinateBounds = [Option<Rational>; 2];

/// A set of possible signs: one bit each.
type PossibleSigns = u8;
const NEGATIVE: PossibleSigns = 1;
const ZERO: PossibleSigns = 2;
const POSITIVE: PossibleSigns = 4;
// all three bits
const ANY: PossibleSigns = 7;

fn sign_bit(sign: Ordering) -> PossibleSigns {
    match sign {
        Ordering::Less => NEGATIVE,
        Ordering::Equal => ZERO,
        Ordering::Greater => POSITIVE,
    }
}

/// Returns the signs of the guard's map for which the condition holds.
fn allowed_signs(decided: &GuardCondition) -> PossibleSigns {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    all.into_iter().filter(|sign| decided.guard.test.is_satisfied_by(*sign) == decided.holds).map(sign_bit).sum()
}

fn reverse_signs(signs: PossibleSigns) -> PossibleSigns {
    (signs & ZERO) | if signs & NEGATIVE != 0 { POSITIVE } else { 0 } | if signs & POSITIVE != 0 { NEGATIVE } else { 0 }
}

/// Returns the possible signs of `of` on numbers with signs in `a` and `b`.
fn combine_signs(
    a: PossibleSigns,
    b: PossibleSigns,
    of: impl Fn(Ordering, Ordering) -> PossibleSigns,
) -> PossibleSigns {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    let pairs = all.into_iter().flat_map(|x| all.map(|y| (x, y)));
    pairs.filter(|(x, y)| a & sign_bit(*x) != 0 && b & sign_bit(*y) != 0).fold(0, |signs, (x, y)| signs | of(x, y))
}

fn signs_of_sum(x: Ordering, y: Ordering) -> PossibleSigns {
    match (x, y) {
        (Ordering::Equal, y) => sign_bit(y),
        (x, Ordering::Equal) => sign_bit(x),
        (x, y) if x == y => sign_bit(x),
        _ => ANY,
    }
}

fn signs_of_product(x: Ordering, y: Ordering) -> PossibleSigns {
    match (x, y) {
        (Ordering::Equal, _) | (_, Ordering::Equal) => ZERO,
        (x, y) if x == y => POSITIVE,
        _ => NEGATIVE,
    }
}

/// An interval in `f64`.
type DoubleInterval = <Double as Context>::Num;

/// The enclosure and the possible signs of a number, wherever it has a value.
#[derive(Clone, Debug)]
struct RangeInfo {
    range: DoubleInterval,
    signs: PossibleSigns,
}

/// The possible signs of maps, derived from the conditions; equal normal forms up to a factor share them.
struct SignFacts {
    /// The signs of nodes, by their addresses.
    signs: FxHashMap<usize, PossibleSigns>,
    guards: Vec<(Graph, PossibleSigns)>,
    /// `true` if two conditions contradict each other.
    pub is_contradictory: bool,
}

impl SignFacts {
    pub fn from_conditions(answers: &[GuardCondition], graphs: &[Graph]) -> Self {
        let mut forms = RationalNormalForm::default();
        let mut keys: FxHashMap<String, PossibleSigns> = FxHashMap::default();
        let mut is_contradictory = false;
        for (decided, graph) in answers.iter().zip(graphs) {
            let signs = allowed_signs(decided);
            let Some(fraction) = forms.normal_form(graph) else { continue };
            if fraction.is_zero() {
                is_contradictory |= signs & ZERO == 0;
            } else if let Some((key, is_turned)) = fraction.scale_free_key() {
                // one condition restricts all maps with the same normal form up to a factor, negative ones reversed
                let known = keys.entry(key).or_insert(ANY);
                *known &= if is_turned { reverse_signs(signs) } else { signs };
                is_contradictory |= *known == 0;
            }
        }
        let mut signs = FxHashMap::default();
        // subterms too: a product may contain the map of another guard
        for node in Graph::all_nodes(graphs) {
            let known = forms.normal_form(node).and_then(|fraction| match fraction.as_rational() {
                Some(q) => Some(sign_bit(q.cmp0())),
                None => {
                    let (key, is_turned) = fraction.scale_free_key()?;
                    let known = *keys.get(&key)?;
                    Some(if is_turned { reverse_signs(known) } else { known })
                }
            });
            signs.extend(known.map(|known| (node.address(), known)));
        }
        let guards = graphs.iter().cloned().zip(answers.iter().map(allowed_signs)).collect();
        Self { signs, guards, is_contradictory }
    }

    /// Returns `true` if some condition certainly fails at all points of a box.
    pub fn exclude_box(&self, variables: &[Variable], sides: &[CoordinateBounds]) -> bool {
        let mut ranges = BoxRanges { facts: self, variables, sides, done: FxHashMap::default() };
        self.guards.iter().any(|(graph, signs)| ranges.range_of(graph).signs & signs == 0)
    }
}

/// The ranges of maps over a box, computed once per node.
struct BoxRanges<'a> {
    facts: &'a SignFacts,
    variables: &'a [Variable],
    sides: &'a [CoordinateBounds],
    done: FxHashMap<usize, RangeInfo>,
}

impl BoxRanges<'_> {
    fn range_of(&mut self, g: &Graph) -> RangeInfo {
        if let Some(known) = self.done.get(&g.address()) {
            return known.clone();
        }
        let RangeInfo { range, signs } = with_stack(|| self.compute_range(g));
        let mut signs = signs & self.facts.signs.get(&g.address()).copied().unwrap_or(ANY);
        // an enclosure and a sign restrict each other: `x² + 1` is positive, and a positive number has no negative
        // range
        let range = Double.mark_defined(range);
        signs &= match Double.sign(&range) {
            Sign::Positive => POSITIVE,
            Sign::Negative => NEGATIVE,
            Sign::Undecided if Double.is_nonnegative(&range) => ZERO | POSITIVE,
            Sign::Undecided if Double.is_nonnegative(&Double.neg(&range)) => ZERO | NEGATIVE,
            Sign::Undecided => ANY,
        };
        let upper = Double.abs(&real_interval());
        let half = match signs {
            _ if signs & NEGATIVE == 0 => Some(upper),
            _ if signs & POSITIVE == 0 => Some(Double.neg(&upper)),
            _ => None,
        };
        // disjoint: no point of the box satisfies all conditions
        let (range, signs) = match half.map(|half| Double.intersect(&range, &half)) {
            None => (range, signs),
            Some(None) => (range, 0),
            Some(Some(range)) => (range, signs),
        };
        let known = RangeInfo { range, signs };
        self.done.insert(g.address(), known.clone());
        known
    }

    fn compute_range(&mut self, g: &Graph) -> RangeInfo {
        let unknown = || RangeInfo { range: real_interval(), signs: ANY };
        match g.operation() {
            NodeOperation::Variable(v) => match self.variables.iter().position(|own| own == v) {
                Some(index) => RangeInfo { range: bounds_interval(&self.sides[index]), signs: ANY },
                None => unknown(),
            },
            NodeOperation::Rational(q) => RangeInfo { range: Double.enclose_rational(q), signs: sign_bit(q.cmp0()) },
            NodeOperation::Pi => RangeInfo { range: Double.pi(), signs: POSITIVE },
            NodeOperation::Euler => RangeInfo { range: Double.enclose_euler(), signs: POSITIVE },
            NodeOperation::Unary(operation, a) => self.unary_range(*operation, a),
            // both factors are one number, so they have equal signs
            NodeOperation::Binary(Binary::Multiply, a, b) if a.address() == b.address() => {
                let a = self.range_of(a);
                let signs = combine_signs(a.signs, a.signs, |x, y| if x == y { signs_of_product(x, y) } else { 0 });
                RangeInfo { range: Double.square(&a.range), signs }
            }
            NodeOperation::Binary(operation, a, b) => {
                let (a, b) = (self.range_of(a), self.range_of(b));
                let (x, y) = (&a.range, &b.range);
                let (range, signs) = match operation {
                    Binary::Add => (Double.add(x, y), combine_signs(a.signs, b.signs, signs_of_sum)),
                    Binary::Subtract => {
                        (Double.sub(x, y), combine_signs(a.signs, reverse_signs(b.signs), signs_of_sum))
                    }
                    Binary::Multiply => (Double.mul(x, y), combine_signs(a.signs, b.signs, signs_of_product)),
                    // a quotient has a value only where the divisor is not 0
                    Binary::Divide => (
                        Double.div(x, y),
                        combine_signs(
                            a.signs,
                            b.signs & signs_of_domain(operation.real_operation(), TestedQuantity::Second),
                            signs_of_product,
                        ),
                    ),
                    Binary::Maximum => (Double.max(x, y), combine_signs(a.signs, b.signs, |x, y| sign_bit(x.max(y)))),
                    Binary::Minimum => (Double.min(x, y), combine_signs(a.signs, b.signs, |x, y| sign_bit(x.min(y)))),
                    Binary::Planar(f) => (Double.apply_binary_function(*f, x, y), ANY),
                };
                RangeInfo { range, signs }
            }
            NodeOperation::Power(a, exponent) => {
                let a = self.range_of(a);
                // an even root has a value only for numbers that are not negative
                let Ok(n) = u32::try_from(exponent.numerator.unsigned_abs()) else { return unknown() };
                let root =
                    if exponent.denominator == 1 { a.range } else { Double.root(&a.range, exponent.denominator) };
                let power = Double.power(&Double.mark_defined(root), n);
                // the sign of the base is that of its root, where this has a value
                let base = a.signs & signs_of_domain(exponent.real_operation(), TestedQuantity::First);
                let signs = match n {
                    0 => POSITIVE,
                    n if n % 2 == 0 => {
                        combine_signs(base, base, |x, y| if x == y { signs_of_product(x, y) } else { 0 })
                    }
                    _ => base,
                };
                match exponent.numerator < 0 {
                    true => RangeInfo { range: Double.div(&Double.enclose_integer(1), &power), signs },
                    false => RangeInfo { range: power, signs },
                }
            }
            NodeOperation::Primitive(..)
            | NodeOperation::Derivative(_)
            | NodeOperation::Second(..)
            | NodeOperation::Select(..) => unknown(),
        }
    }

    fn unary_range(&mut self, operation: Unary, a: &Graph) -> RangeInfo {
        let a = self.range_of(a);
        let (range, signs) = match operation {
            Unary::Negate => (Double.neg(&a.range), reverse_signs(a.signs)),
            Unary::Abs => (Double.abs(&a.range), (a.signs & ZERO) | if a.signs & !ZERO == 0 { 0 } else { POSITIVE }),
            Unary::Signum => (Double.signum(&a.range), a.signs),
            Unary::Function(f) => {
                // increasing with f(0) = 0: the sign is that of the argument
                let rises = matches!(f.row().monotonicity, Monotonicity::Increasing) && f.exact_value(0.0) == Some(0.0);
                let signs = match (f, f.row().monotonicity) {
                    (Function::Exp, _) => POSITIVE,
                    (_, Monotonicity::Root(_)) => {
                        a.signs & signs_of_domain(operation.real_operation(), TestedQuantity::First)
                    }
                    _ if rises => a.signs,
                    _ => ANY,
                };
                (Double.apply_function(f, &a.range), signs)
            }
        };
        RangeInfo { range, signs }
    }
}

/// Returns the signs of an argument for which an operation may have a value.
fn signs_of_domain(operation: RealOperation, quantity: TestedQuantity) -> PossibleSigns {
    let conditions = operation.conditions().value.single_conditions();
    conditions.filter(|condition| condition.quantity == quantity).fold(ANY, |signs, condition| match condition.set {
        NumberSet::Above(0..) | NumberSet::AtLeast(1..) => signs & POSITIVE,
        NumberSet::AtLeast(0) => signs & !NEGATIVE,
        NumberSet::Below(..=0) | NumberSet::AtMost(..=-1) => signs & NEGATIVE,
        NumberSet::AtMost(0) => signs & !POSITIVE,
        NumberSet::Except(0) | NumberSet::ExceptNonPositiveIntegers => signs & !ZERO,
        NumberSet::Above(_)
        | NumberSet::AtLeast(_)
        | NumberSet::Below(_)
        | NumberSet::AtMost(_)
        | NumberSet::Except(_)
        | NumberSet::ExceptCosineZeros => signs,
    })
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
