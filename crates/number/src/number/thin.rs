//! Elementary functions on thin intervals of many digits: one value in many digits, and the slope in doubles.
//!
//! For x in [a, b], f(x) lies in f(a) + [0, b - a]·f'([a, b]), by the mean value theorem. A second value in many digits takes ten
//! times as long as a slope in doubles, which is as right as the [`Double`] tier is. The image is wider than necessary by at most
//! [`MAX_SLOPE_WIDTH`] of its width and three units in the last place.

use super::context::{Context, Function};
use super::double::Double;
use super::ends::Direction::{Down, Up};
use super::ends::{Endpoint, EndpointArithmetic};
use super::gamma;
use super::interval::Interval;
use super::mpfr::Mpfr;
use crate::function::Monotonicity;
use rug::Float;

/// The number of leading bits in which the ends of a thin interval agree. A choice: fewer would make the slope vague.
const AGREEING_BITS: i32 = 40;

/// The largest relative width of a slope that is used. A choice: such a slope has one sign, and fits the 53 bits of a double.
const MAX_SLOPE_WIDTH: f64 = 1.0 / (1_u32 << 24) as f64;

/// The precision in bits from which a slope in doubles takes less time than a second value.
const MANY_BITS: u32 = 96;

/// Encloses the image of a thin interval inside the domain of a function.
///
/// Returns `None` if the general rule is to be used: at low precision, for roots and gamma functions, for an interval that is not
/// thin, and where the slope or the result is too rough.
pub(super) fn mean_value_image(tier: &Mpfr, f: Function, a: &Interval<Float>) -> Option<Interval<Float>> {
    let row = f.row();
    // Roots cost little more than a product, and gamma functions have bounds of their own.
    if tier.bits() < MANY_BITS
        || matches!(row.monotonicity, Monotonicity::Root(_))
        || gamma::derivative_order(f).is_some()
    {
        return None;
    }
    let width = tier.sub_rounded(Up, &a.hi, &a.lo);
    // `get_exp` is `None` for zero and for infinities: a point, an unbounded interval or one that begins at 0 is not thin.
    if width.get_exp()?.saturating_add(AGREEING_BITS) > a.lo.get_exp()? {
        return None;
    }
    let slope = enclose_slope(f, &Interval::new(Double.round_float(Down, &a.lo), Double.round_float(Up, &a.hi), true))?;
    if slope.hi - slope.lo > MAX_SLOPE_WIDTH * slope.lo.abs().max(slope.hi.abs()) {
        return None;
    }
    let (mut lo, mut hi) = tier.eval_bounds(f, &a.lo);
    // The slope has one sign, so that only one of the two ends moves.
    if slope.lo < 0.0 {
        lo = tier.add_rounded(Down, &lo, &tier.mul_rounded(Down, &width, &slope.lo.to_float()));
    }
    if slope.hi > 0.0 {
        hi = tier.add_rounded(Up, &hi, &tier.mul_rounded(Up, &width, &slope.hi.to_float()));
    }
    // At the end of the range, or around 0, values at both ends give the sign or the exact limit, which this sum would lose.
    let (least, greatest) = row.range;
    let is_rough = lo < least || hi > greatest || (lo.is_nonpositive() && hi.is_nonnegative());
    (!is_rough).then(|| Interval::new(lo, hi, a.defined))
}

/// Encloses the slopes of a function on an interval. Returns `None` unless the function and its slope are certainly defined there
/// and the slope is bounded.
fn enclose_slope(f: Function, a: &Interval<f64>) -> Option<Interval<f64>> {
    let value = Double.apply_function(f, a);
    let slope = Double.eval_formula(&f.slope_formula(), &[a], &value);
    (Double.is_defined(&value) && Double.is_defined(&slope) && slope.has_finite_ends()).then_some(slope)
}
