//! Tests of smoothness at a point along a line. A test refutes smoothness, shows it up to an order, or shows neither.
//!
//! H requires derivatives of all orders. Here they are tested up to the order of the [`MapTestConfig`], by default 4 (see
//! [`default_smoothness_test`]). A refutation compares the *one-sided* derivatives, which are found [exactly on each side](super::smoothness).
//! If the left and the right derivative of one order have disjoint enclosures, the derivative does not exist. So `abs`
//! is refuted at 0 by −1 and 1, `x·|x|` by its second derivatives, and `signum` by its values. A set as a derivative,
//! as Clarke's for `abs`, refutes nothing by itself, nor does ⊥. A set as a value shows nothing either: `signum(x²)` is
//! 1 on both sides of 0, and [−1, 1] at 0.
//!
//! # Germs on one side of a point
//!
//! A graph with kinks, with its kinks resolved for that side.
//!
//! Along a line `u + h·v`, for small h > 0, each `abs`, `max` and `min` takes one branch, `signum` one value, and an
//! angle one side of the ray where it jumps. The first nonzero Taylor coefficient of the argument decides the branch.
//! The graph with these branches substituted has no kinks, and agrees with the original for small h > 0. So both have
//! the same one-sided derivatives, and a smooth function has the same ones from both sides. Only coefficients that are
//! exactly 0 are skipped, so decisions are certain. If all computed coefficients are 0, both branches have the same
//! derivatives up to that order, and either may be substituted.
//!
//! # Real numbers as closed graphs
//!
//! Membership in open sets, and comparison.
//!
//! A rational constant is decided exactly. Any other number is enclosed: an enclosure excludes with certainty, and
//! decides nothing else.

use super::DiffeologyVerdict;
use super::ball::OpenPiece;
use super::open::{OpenInterval, OpenSet, compose_graphs};
use super::space::{DiffeologyError, format_rational_point};
use crate::function::{BinaryShape, Function, Planar};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Enclosure, Magnitude, Rational};
use crate::random::SplitMix64;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary};
use crate::smooth::map::range::EvalRequest;
use crate::smooth::map::{DynMap, MapTestConfig, coordinate_variables};
use crate::stack::with_stack;
use crate::verdict::Verdict;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::sync::Arc;

/// Returns the default test: 6 points, and derivatives up to order 4.
#[must_use]
pub fn default_smoothness_test() -> MapTestConfig {
    MapTestConfig { sample_points: 6, order: 4, precisions: vec![96], ..MapTestConfig::default() }
}

/// The result of a test of smoothness of a map at a point, along a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Smoothness {
    /// A derivative certainly does not exist.
    Refuted {
        /// The point, the direction and the order.
        witness: String,
        /// The left Taylor coefficient of that order; or the value at the point, if the limit differs from it.
        left: String,
        /// The right Taylor coefficient of that order; or the limit.
        right: String,
    },
    /// All derivatives up to the order of the test have narrow enclosures.
    Shown,
    /// Neither a refutation nor narrow enclosures were found.
    NotShown {
        /// The point and the direction.
        at: String,
        /// The first order that is not shown.
        order: usize,
    },
}

impl From<Smoothness> for Verdict {
    fn from(smoothness: Smoothness) -> Self {
        match smoothness {
            Smoothness::Refuted { witness, left, right } => Self::Refuted { witness, left, right },
            Smoothness::Shown => Self::Survived,
            Smoothness::NotShown { .. } => Self::Vacuous,
        }
    }
}

/// Returns the first order with a coefficient that is undefined or wide. Returns `None` if there is none.
fn first_order_not_shown(coefficients: &[Vec<Enclosure>], trial: &MapTestConfig) -> Option<usize> {
    let narrow = |e: &Enclosure| e.is_defined() && e.has_width_at_most(&trial.eps);
    coefficients.iter().position(|order| !order.iter().all(narrow))
}

/// Tests the smoothness of graphs over the coordinates at a point, along `at + h·along`. The direction 0 can show
/// continuity at most, so its result is never [`Smoothness::Shown`], except in ℝ⁰.
///
/// # Errors
/// - The errors of evaluation.
/// - [`DiffeologyError::Dimension`] if `along` has another dimension than `at`.
/// - [`DiffeologyError::Map`] if a graph mentions another variable.
/// # Examples
/// ```
/// use smoothish_spaces::diffeology::smoothness::{Smoothness, test_smoothness_at, default_smoothness_test};
/// use smoothish_spaces::smooth::graph::{Binary, Graph, Unary};
/// use smoothish_spaces::smooth::map::coordinate_graphs;
/// let x = &coordinate_graphs(1)[0];
/// let abs = Graph::unary(Unary::Abs, x);
/// let at = |g: &Graph| test_smoothness_at(&[g.clone()], &[0.into()], &[1.into()], &default_smoothness_test());
/// assert!(matches!(at(&abs)?, Smoothness::Refuted { left, right, .. } if (&*left, &*right) == ("-1", "1")));
/// // |x|·|x| is smooth, in spite of its kinks, and x·|x| has one derivative only
/// assert_eq!(at(&Graph::binary(Binary::Multiply, &abs, &abs))?, Smoothness::Shown);
/// assert!(matches!(at(&Graph::binary(Binary::Multiply, x, &abs))?, Smoothness::Refuted { witness, .. }
///     if witness.ends_with("order 2")));
/// # Ok::<(), smoothish_spaces::diffeology::DiffeologyError>(())
/// ```
pub fn test_smoothness_at(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &MapTestConfig,
) -> Result<Smoothness, DiffeologyError> {
    DiffeologyError::check_dimension("the direction", at.len(), along.len())?;
    let plain = taylor_coefficients(graphs, at, along, trial)?;
    let rests = !along.is_empty() && along.iter().all(Rational::is_zero);
    let order = match first_order_not_shown(&plain, trial) {
        Some(order) => order,
        // Narrow values along the zero vector say nothing about derivatives.
        None if rests => 1,
        None => return Ok(Smoothness::Shown),
    };
    let place = || format!("x = {}, along {}", format_rational_point(at), format_rational_point(along));
    let unknown = Smoothness::NotShown { at: place(), order };
    let back: Vec<_> = along.iter().map(|v| Rational::from(-v)).collect();
    let (Some(right), Some(left)) =
        (resolve_kinks(graphs, at, along, trial)?, resolve_kinks(graphs, at, &back, trial)?)
    else {
        return Ok(unknown);
    };
    // Both sides are expanded in the same h; the left branch is valid for small h < 0.
    let (left, right) = (taylor_coefficients(&left, at, along, trial)?, taylor_coefficients(&right, at, along, trial)?);
    for (order, (left, right)) in left.iter().zip(&right).enumerate() {
        for (a, b) in left.iter().zip(right) {
            if a.is_defined() && b.is_defined() && !a.overlaps(b) {
                let witness = format!("{}, order {order}", place());
                return Ok(Smoothness::Refuted { witness, left: a.to_string(), right: b.to_string() });
            }
        }
    }
    // The value at the point itself may differ from both limits: a branch of either side ignores it.
    for (value, side) in plain.iter().take(1).flatten().zip(left.iter().take(1).flatten()) {
        if value.is_defined() && side.is_defined() && !value.overlaps(side) {
            let witness = format!("{}, order 0, the value and the limit", place());
            return Ok(Smoothness::Refuted { witness, left: value.to_string(), right: side.to_string() });
        }
    }
    // Equal one-sided derivatives show smoothness only if the value is narrow too: order > 0 says that.
    let agree = !rests
        && order > 0
        && first_order_not_shown(&left, trial).is_none()
        && first_order_not_shown(&right, trial).is_none();
    Ok(if agree { Smoothness::Shown } else { unknown })
}

/// Tests smoothness at a point along a line, and at the kinks that are found on this line. `is_tried` selects the kinks
/// to test.
///
/// # Errors
/// The errors of [`test_smoothness_at`] and of `is_tried`.
pub fn test_smoothness_on_line(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &MapTestConfig,
    is_tried: impl Fn(&[Rational]) -> Result<bool, DiffeologyError>,
) -> DiffeologyVerdict {
    let mut all = Verdict::from(test_smoothness_at(graphs, at, along, trial)?);
    for kink in kink_points(graphs, at, along) {
        if is_tried(&kink)? {
            all = all.and_part(test_smoothness_at(graphs, &kink, along, trial)?.into());
        }
    }
    Ok(all)
}

/// Draws a nonzero direction. Half of the draws are coordinate axes. In ℝ⁰ the direction is empty.
#[must_use]
pub fn draw_direction(random: &mut SplitMix64, dimension: usize) -> Vec<Rational> {
    if dimension > 0 && random.random_bool(50) {
        let axis = random.next_below(dimension);
        return (0..dimension).map(|i| Rational::from(i64::from(i == axis))).collect();
    }
    // A nonzero first component makes the direction nonzero.
    let first = [1, -1, 2, -2][random.next_below(4)];
    (0..dimension).map(|i| Rational::from(if i == 0 { first } else { random.next_below(7) as i64 - 3 })).collect()
}

/// Returns the Taylor coefficients of graphs over the coordinates at a point, along a direction. The outer index is the
/// order, the inner one the graph.
///
/// # Errors
/// - The errors of evaluation.
/// - [`DiffeologyError::Map`] if a graph mentions another variable.
/// - [`DiffeologyError::Dimension`] if `along` has another dimension than `at`.
pub fn taylor_coefficients(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &MapTestConfig,
) -> Result<Vec<Vec<Enclosure>>, DiffeologyError> {
    DiffeologyError::check_dimension("the direction", at.len(), along.len())?;
    let map = Arc::new(DynMap::of_graphs(&coordinate_variables(at.len()), graphs)?);
    let inputs = at.iter().map(|x| [x.clone(), x.clone()]).collect();
    // Along 0 all derivatives vanish, and the value alone is computed.
    let moves = along.iter().any(|v| !v.is_zero());
    let order = if moves { trial.order } else { 0 };
    let directions = if order == 0 { Vec::new() } else { vec![(AlgebraGenerator::Direction(order), along.to_vec())] };
    let wanted = if order == 0 { vec![Vec::new()] } else { (0..=order).map(|k| vec![k]).collect() };
    let probe =
        EvalRequest { directions, requested: wanted, as_coefficient: true, ..EvalRequest::for_value(&map, inputs) };
    let budget = Budget::new(trial.work, None, None);
    // Six bits more than the trial asks: the coefficients are compared with its tolerance afterwards. A choice.
    let effort = PassOptions::new(Magnitude::from_rational(&trial.eps).mul_exp2(-6), &budget);
    let bits = trial.precisions.iter().copied().max().unwrap_or(96).max(64);
    let found = probe.enclose_results(Precision::Mpfr(bits), &effort)?;
    Ok(found.chunks(graphs.len().max(1)).map(<[Enclosure]>::to_vec).collect())
}

/// Resolves the kinks of graphs for small h > 0 along the line. Returns `None` if a branch is undecided.
///
/// # Errors
/// The errors of [`taylor_coefficients`].
pub fn resolve_kinks(
    graphs: &[Graph],
    at: &[Rational],
    along: &[Rational],
    trial: &MapTestConfig,
) -> Result<Option<Vec<Graph>>, DiffeologyError> {
    let mut side = KinkResolver { at, along, trial, done: FxHashMap::default() };
    graphs.iter().map(|g| side.resolve_graph(g)).collect()
}

/// The number of kinks that are searched for on a line. A choice: each costs a test of smoothness.
const MAX_KINKS: usize = 8;

/// Returns points of the line `at + t·along` where a kink may lie. A kink is a zero of the argument of `abs` or
/// `signum`, of the difference of the arguments of `max` or `min`, or of the height of an angle. Found are the zeros of
/// arguments that are affine on the line, and only if arithmetic shows their values at t = 0 and t = 1 to be rational.
/// Other arguments may give points that are no kinks.
#[must_use]
pub fn kink_points(graphs: &[Graph], at: &[Rational], along: &[Rational]) -> Vec<Vec<Rational>> {
    let (mut waiting, mut seen) = (graphs.to_vec(), FxHashSet::default());
    let mut arguments = Vec::new();
    while let Some(g) = waiting.pop() {
        if arguments.len() == MAX_KINKS {
            break;
        }
        // Shared subgraphs are visited once.
        if !seen.insert(g.address()) {
            continue;
        }
        match g.operation() {
            NodeOperation::Unary(operation, a) => {
                if matches!(operation, Unary::Abs | Unary::Signum) {
                    arguments.push(a.clone());
                }
                waiting.push(a.clone());
            }
            NodeOperation::Binary(operation, a, b) => {
                match operation {
                    Binary::Maximum | Binary::Minimum => arguments.push(a - b),
                    Binary::Planar(f) => match f.row().shape {
                        BinaryShape::Angle => arguments.push(a.clone()),
                    },
                    _ => {}
                }
                waiting.extend([a.clone(), b.clone()]);
            }
            NodeOperation::Power(a, _) => waiting.push(a.clone()),
            _ => {}
        }
    }
    // The secant through t = 0 and t = 1 is exact for affine arguments; for others its zero is just one more point to
    // test.
    let step =
        |t: &Rational| -> Vec<Rational> { at.iter().zip(along).map(|(x, v)| Rational::from(v * t) + x).collect() };
    let values = |t: i64| compose_graphs(&arguments, &rational_point(&step(&Rational::from(t))));
    let ends = values(0).into_iter().zip(values(1));
    let root = |(first, second): (Graph, Graph)| {
        let (p, q) = (first.as_rational()?.clone(), second.as_rational()?);
        let fall = Rational::from(&p - q);
        (!fall.is_zero()).then(|| step(&(p / fall)))
    };
    ends.filter_map(root).collect()
}

/// The recursion of [`resolve_kinks`] over graphs that share subgraphs.
struct KinkResolver<'a> {
    at: &'a [Rational],
    along: &'a [Rational],
    trial: &'a MapTestConfig,
    /// The results by address of the graph. The graphs are kept, so that no address is reused.
    done: FxHashMap<usize, (Graph, Option<Graph>)>,
}

impl KinkResolver<'_> {
    /// Resolves the kinks of a graph, with a memo.
    fn resolve_graph(&mut self, g: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        if let Some((_, done)) = self.done.get(&g.address()) {
            return Ok(done.clone());
        }
        let result = with_stack(|| self.resolve_operation(g))?;
        self.done.insert(g.address(), (g.clone(), result.clone()));
        Ok(result)
    }

    /// Resolves the kinks of a graph whose root is any operation. Returns `None` if a branch is undecided.
    fn resolve_operation(&mut self, g: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        Ok(match g.operation() {
            NodeOperation::Unary(operation, a) => {
                let Some(a) = self.resolve_graph(a)? else { return Ok(None) };
                match operation {
                    Unary::Abs => match self.one_sided_sign(&a)? {
                        Some(Ordering::Less) => Some(-&a),
                        // Zero to the order of the trial: both branches have the same derivatives, and `a` is one of
                        // them.
                        Some(_) => Some(a),
                        None => None,
                    },
                    Unary::Signum => match self.one_sided_sign(&a)? {
                        Some(Ordering::Less) => Some(Graph::integer(-1)),
                        Some(Ordering::Greater) => Some(Graph::integer(1)),
                        // At exactly 0 to the order of the trial, the value of `signum` is undecided.
                        _ => None,
                    },
                    _ => Some(Graph::unary(*operation, &a)),
                }
            }
            NodeOperation::Binary(operation, a, b) => {
                let (Some(a), Some(b)) = (self.resolve_graph(a)?, self.resolve_graph(b)?) else { return Ok(None) };
                match operation {
                    Binary::Maximum | Binary::Minimum => {
                        let difference = &a - &b;
                        let first = if *operation == Binary::Maximum { Ordering::Greater } else { Ordering::Less };
                        self.one_sided_sign(&difference)?.map(|sign| if sign == first { a } else { b })
                    }
                    Binary::Planar(f) => match f.row().shape {
                        BinaryShape::Angle => self.resolve_angle(*f, &a, &b)?,
                    },
                    _ => Some(Graph::binary(*operation, &a, &b)),
                }
            }
            NodeOperation::Power(a, exponent) => {
                let Some(a) = self.resolve_graph(a)? else { return Ok(None) };
                Graph::power(&a, &Rational::from((exponent.numerator, exponent.denominator)))
            }
            // Binders are left as they are: their own jets then decide.
            _ => Some(g.clone()),
        })
    }

    /// Resolves the angle of the point (x, y). Left of the origin it is arctan (y/x) ± π, with the sign of y.
    fn resolve_angle(&self, f: Planar, y: &Graph, x: &Graph) -> Result<Option<Graph>, DiffeologyError> {
        // Only the ray x < 0, y = 0 is a jump, so elsewhere the angle is smooth as it stands.
        if self.one_sided_sign(x)? != Some(Ordering::Less) {
            return Ok(Some(Graph::binary(Binary::Planar(f), y, x)));
        }
        let turned = |operation: Binary| {
            let beside = Graph::function(Function::Atan, &(y / x));
            Graph::binary(operation, &beside, &Graph::pi())
        };
        Ok(self.one_sided_sign(y)?.and_then(|side| match side {
            Ordering::Greater => Some(turned(Binary::Add)),
            Ordering::Less => Some(turned(Binary::Subtract)),
            Ordering::Equal => None,
        }))
    }

    /// Returns the sign of a graph for small h > 0 if it is certain. `Equal` means that all coefficients up to the
    /// order of the trial are 0. Returns `None` if undecided.
    fn one_sided_sign(&self, g: &Graph) -> Result<Option<Ordering>, DiffeologyError> {
        let value = compose_graphs(std::slice::from_ref(g), &rational_point(self.at));
        let exact = value.first().and_then(Graph::as_rational);
        for (order, coefficients) in
            taylor_coefficients(std::slice::from_ref(g), self.at, self.along, self.trial)?.iter().enumerate()
        {
            let [c] = &coefficients[..] else { return Ok(None) };
            if !c.is_defined() {
                return Ok(None);
            }
            // The enclosure of x − 1/3 at 1/3 is no point, but exact arithmetic gives 0.
            if let (0, Some(exact)) = (order, exact) {
                match exact.cmp0() {
                    Ordering::Equal => continue,
                    sign => return Ok(Some(sign)),
                }
            }
            if *c.lo() > 0 {
                return Ok(Some(Ordering::Greater));
            }
            if *c.hi() < 0 {
                return Ok(Some(Ordering::Less));
            }
            // Not certainly zero: a later coefficient cannot decide.
            if !c.is_point() {
                return Ok(None);
            }
        }
        Ok(Some(Ordering::Equal))
    }
}

/// The answer to the question whether a point lies in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Membership {
    /// The point certainly lies in the set.
    Inside,
    /// The point certainly lies outside.
    Outside,
    /// The question is undecided.
    Unknown,
}

impl Membership {
    /// Returns the membership in an intersection of two sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Outside, _) | (_, Self::Outside) => Self::Outside,
            (Self::Inside, other) => other,
            (Self::Unknown, _) => Self::Unknown,
        }
    }

    /// Returns the membership in a union of two sets.
    #[must_use]
    // De Morgan's law holds for three truth values as well.
    pub fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    /// Returns the membership in the complement.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "of three answers, not of two")]
    pub fn not(self) -> Self {
        match self {
            Self::Inside => Self::Outside,
            Self::Outside => Self::Inside,
            Self::Unknown => Self::Unknown,
        }
    }
}

/// Returns a point with rational coordinates as closed graphs.
#[must_use]
pub fn rational_point(x: &[Rational]) -> Vec<Graph> {
    x.iter().map(|q| Graph::rational(q.clone())).collect()
}

/// Encloses a closed graph to the width `trial.eps`, or as narrowly as the work of the trial allows.
///
/// # Errors
/// The errors of evaluating a closed graph.
pub fn enclose_number(x: &Graph, trial: &MapTestConfig) -> Result<Enclosure, DiffeologyError> {
    let budget = Budget::new(trial.work, None, None);
    Ok(x.to_real()?.enclose(&trial.eps, &budget)?.enclosure)
}

/// Decides whether an enclosed number lies in an open interval.
fn interval_membership(x: &Enclosure, interval: &OpenInterval) -> Membership {
    let (above, below) =
        (interval.lo.as_ref().is_none_or(|lo| *x.lo() > *lo), interval.hi.as_ref().is_none_or(|hi| *x.hi() < *hi));
    // The endpoints are outside, so equality excludes.
    let apart =
        interval.lo.as_ref().is_some_and(|lo| *x.hi() <= *lo) || interval.hi.as_ref().is_some_and(|hi| *x.lo() >= *hi);
    match () {
        // The number may be undefined, so its enclosure decides nothing.
        () if !x.is_defined() => Membership::Unknown,
        () if above && below => Membership::Inside,
        () if apart => Membership::Outside,
        () => Membership::Unknown,
    }
}

/// Decides whether an enclosed point lies in an open set. The answer is [`Membership::Inside`] only if a single piece contains
/// the whole enclosure. On the rim of a ball it is [`Membership::Unknown`].
#[must_use]
pub fn enclosure_membership(x: &[Enclosure], open: &OpenSet) -> Membership {
    let in_piece = |piece: &OpenPiece| {
        let sides = x.iter().zip(&piece.sides).map(|(x, side)| interval_membership(x, side));
        sides.chain(piece.balls.iter().map(|ball| ball.membership_of(x))).fold(Membership::Inside, Membership::and)
    };
    // Pieces that cover the enclosure only together give `Unknown`: no cover is computed here.
    open.pieces().iter().fold(Membership::Outside, |any, piece| any.or(in_piece(piece)))
}

/// Decides whether a point lies in an open set.
///
/// # Errors
/// The errors of evaluating closed graphs. [`DiffeologyError::Dimension`] if the dimensions differ.
pub fn point_membership(x: &[Graph], open: &OpenSet, trial: &MapTestConfig) -> Result<Membership, DiffeologyError> {
    DiffeologyError::check_dimension("a point", open.dimension(), x.len())?;
    // Exact coordinates also decide at endpoints, where no enclosure can.
    let exact: Option<Vec<Rational>> = x.iter().map(|x| x.as_rational().cloned()).collect();
    if let Some(exact) = exact {
        return Ok(if open.contains(&exact) { Membership::Inside } else { Membership::Outside });
    }
    // Without evaluation, so that also numbers without enclosure belong to ℝⁿ.
    if *open == OpenSet::whole_space(open.dimension()) {
        return Ok(Membership::Inside);
    }
    let x: Vec<_> = x.iter().map(|x| enclose_number(x, trial)).collect::<Result<_, _>>()?;
    Ok(enclosure_membership(&x, open))
}

/// Compares two lists of numbers. The verdict is `Survived` if all enclosures are as narrow as the trial asks and
/// overlap.
///
/// # Errors
/// The errors of evaluating closed graphs. [`DiffeologyError::Dimension`] if the lengths differ.
pub fn compare_points(left: &[Graph], right: &[Graph], trial: &MapTestConfig) -> DiffeologyVerdict {
    DiffeologyError::check_dimension("a point", left.len(), right.len())?;
    let mut all = Verdict::Survived;
    for (x, y) in left.iter().zip(right) {
        all = all.and_part(compare_numbers(x, y, trial)?);
    }
    Ok(all)
}

/// Compares two numbers: exactly if both are rational, otherwise by enclosures.
fn compare_numbers(x: &Graph, y: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
    if let (Some(p), Some(q)) = (x.as_rational(), y.as_rational()) {
        return Ok(if p == q { Verdict::Survived } else { Verdict::refuted("two numbers", p, q) });
    }
    let (a, b) = (enclose_number(x, trial)?, enclose_number(y, trial)?);
    let narrow = |e: &Enclosure| e.is_defined() && e.has_width_at_most(&trial.eps);
    Ok(match (a.is_defined() && b.is_defined(), a.overlaps(&b)) {
        (true, false) => Verdict::refuted("two numbers", a, b),
        (true, true) if narrow(&a) && narrow(&b) => Verdict::Survived,
        _ => Verdict::Vacuous,
    })
}

/// Formats a number for people. An error of evaluation is formatted in its place.
#[must_use]
pub fn format_number(x: &Graph, trial: &MapTestConfig) -> String {
    match x.as_rational() {
        Some(q) => q.to_string(),
        None => enclose_number(x, trial)
            .map_or_else(|error| error.to_string(), |e| e.print_decimals(&trial.eps).to_string()),
    }
}

/// Formats a point for people.
#[must_use]
pub fn format_point(x: &[Graph], trial: &MapTestConfig) -> String {
    format!("({})", x.iter().map(|x| format_number(x, trial)).collect::<Vec<_>>().join(", "))
}
