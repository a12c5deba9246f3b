//! Tests of smoothness at a point along a line. A test refutes smoothness, shows it up to an order, or shows neither.
//!
//! H requires derivatives of all orders. Here they are tested up to the order of the [`MapTestConfig`], by default 4 (see
//! [`default_smoothness_test`]). A refutation compares the *one-sided* derivatives, which are found [exactly on each side](super::germ).
//! If the left and the right derivative of one order have disjoint enclosures, the derivative does not exist. So `abs`
//! is refuted at 0 by −1 and 1, `x·|x|` by its second derivatives, and `signum` by its values. A set as a derivative,
//! as Clarke's for `abs`, refutes nothing by itself, nor does ⊥. A set as a value shows nothing either: `signum(x²)` is
//! 1 on both sides of 0, and [−1, 1] at 0.

use super::DiffeologyVerdict;
use super::error::{DiffeologyError, format_rational_point};
use super::germ::{kink_points, resolve_kinks, taylor_coefficients};
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;

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
/// use smoothish_spaces::smooth::map::untyped::coordinate_graphs;
/// let x = &coordinate_graphs(1)[0];
/// let abs = Graph::unary(Unary::Abs, x);
/// let at = |g: &Graph| test_smoothness_at(&[g.clone()], &[0.into()], &[1.into()], &default_smoothness_test());
/// assert!(matches!(at(&abs)?, Smoothness::Refuted { left, right, .. } if (&*left, &*right) == ("[-1, -1]", "[1, 1]")));
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
