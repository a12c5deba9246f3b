//! Elementary functions on thin intervals of many digits: one value, and the slope in doubles.
//!
//! For x in [a, b], f(x) lies in f(a) + [0, b - a]·f'([a, b]), by the mean value theorem. A second value in many digits takes ten
//! times as long as a slope in doubles, which is as right as the [`Double`] tier is. The image is wider than it need be by at most [`VAGUE`] of its width and three places.

use super::context::{Context, Function};
use super::double::Double;
use super::ends::Direction::{Down, Up};
use super::ends::{End, Ends};
use super::gamma;
use super::interval::Interval;
use super::mpfr::Mpfr;
use crate::function::Course;
use rug::Float;

/// The leading bits in which the ends of a thin interval agree.
const AGREE: i32 = 40;

/// Of a slope that is used, the width is at most this part: it does not change its sign, nor does it leave the doubles.
const VAGUE: f64 = 1.0 / (1_u32 << 24) as f64;

/// From this precision on a slope in doubles takes less time than a value.
const MANY_BITS: u32 = 96;

/// The image of a thin interval inside the domain of a function; `None` where the general rule is to be used.
pub(super) fn image(tier: &Mpfr, f: Function, a: &Interval<Float>) -> Option<Interval<Float>> {
    let row = f.row();
    if tier.bits() < MANY_BITS || matches!(row.course, Course::Root(_)) || gamma::order(f).is_some() {
        return None;
    }
    let width = tier.difference(Up, &a.hi, &a.lo);
    // zero and what is infinite have no exponent
    if width.get_exp()?.saturating_add(AGREE) > a.lo.get_exp()? {
        return None;
    }
    let slope = slope(f, &Interval::new(Double.round(Down, &a.lo), Double.round(Up, &a.hi), true))?;
    if slope.hi - slope.lo > VAGUE * slope.lo.abs().max(slope.hi.abs()) {
        return None;
    }
    let (mut lo, mut hi) = tier.values(f, &a.lo);
    if slope.lo < 0.0 {
        lo = tier.sum(Down, &lo, &tier.product(Down, &width, &slope.lo.to_float()));
    }
    if slope.hi > 0.0 {
        hi = tier.sum(Up, &hi, &tier.product(Up, &width, &slope.hi.to_float()));
    }
    // there the ends say more: a sign, or the end of the range
    let (least, greatest) = row.range;
    let is_rough = lo < least || hi > greatest || (lo.is_nonpositive() && hi.is_nonnegative());
    (!is_rough).then(|| Interval::new(lo, hi, a.defined))
}

/// The slopes of a function on an interval, where it and its slope are defined and bounded there.
fn slope(f: Function, a: &Interval<f64>) -> Option<Interval<f64>> {
    let value = Double.function(f, a);
    let slope = Double.formula(&f.slope(), &[a], &value);
    (Double.is_defined(&value) && Double.is_defined(&slope) && slope.has_finite_ends()).then_some(slope)
}
