//! The elementary functions of two variables on boxes, written once for every precision.
//!
//! **The angle.** θ(y, x) is the angle of the point (x, y), `atan2 y x`. It has the slopes x/(x² + y²) in y and
//! -y/(x² + y²) in x wherever it is smooth: off the ray y = 0, x ≤ 0. Let a ≤ y ≤ b and c ≤ x ≤ d be a box that does not
//! meet this ray. Then a > 0, or b < 0, or a ≤ 0 ≤ b with c > 0: were c ≤ 0 there, a point of the box
//! with y = 0 and x ≤ 0 would be one of the ray.
//!
//! | the box | the least angle | the greatest |
//! |---|---|---|
//! | a > 0: above | at x = d; there at y = a if d ≥ 0, else at y = b | at x = c; there at y = b if c ≥ 0, else at y = a |
//! | b < 0: below | at x = c; there at y = a if c ≥ 0, else at y = b | at x = d; there at y = b if d ≥ 0, else at y = a |
//! | a ≤ 0 ≤ b, c > 0: to the right | at y = a, x = c | at y = b, x = c |
//!
//! *Above*, y > 0, so θ falls in x along every row, and its extremes lie in the columns x = d and x = c. In a column it rises in
//! y where x ≥ 0, and falls where x ≤ 0 (where x = 0 it is constant). *Below* is the mirror image: θ(-y, x) = -θ(y, x). *To the
//! right*, x > 0, so θ rises in y along every column, and its extremes lie in the rows y = a and y = b; in a row it rises in x
//! where y ≤ 0, as for a, and falls where y ≥ 0, as for b.
//!
//! So a bound is the value at one corner, rounded once. *Unbounded boxes:* at each corner of the table at most one coordinate is
//! infinite. Above, a is finite, since it is a lower end that is not -∞. The corners (d, a) and (c, a) have at most d = ∞ or
//! c = -∞, where the limits of θ are 0 and π; (d, b) is taken only for d < 0, and (c, b) only for c ≥ 0, so that d and c are
//! finite there, and for b = ∞ the limit is π/2. To the right c is finite, and the limits are ∓π/2. As θ is monotone, these
//! limits are its infimum and its supremum.
//!
//! A box that meets the ray, and not the origin, has the whole interval [-π, π]: on the ray the function is a set, the convex
//! hull of its limits, like the sign at 0. A box that contains the origin has no value.
//!
//! The formulas of the slopes continue across the jump. So jets and towers test first whether the box meets the
//! ray, and have no derivatives there. An integral is split where its integrand crosses the ray, as at the border
//! of a guard.

use super::context::Context;
use super::ends::Direction::{Down, Up};
use super::ends::{Endpoint, EndpointArithmetic};
use super::interval::Interval;
use crate::function::{BinaryShape, Planar};

/// Returns `true` if a function is smooth on a box and on some neighbourhood of it.
pub(super) fn is_smooth<T: EndpointArithmetic>(f: Planar, a: &Interval<T::End>, b: &Interval<T::End>) -> bool {
    match f.row().shape {
        BinaryShape::Angle => !(a.has_zero() && b.lo.is_nonpositive()),
    }
}

/// Encloses the image of a box under a function.
pub(super) fn eval_binary<T: EndpointArithmetic>(
    tier: &T,
    f: Planar,
    a: &Interval<T::End>,
    b: &Interval<T::End>,
) -> Interval<T::End> {
    match f.row().shape {
        BinaryShape::Angle => eval_angle(tier, f, a, b),
    }
}

/// Encloses the angles of the points of a box, by the table of the module.
fn eval_angle<T: EndpointArithmetic>(
    tier: &T,
    f: Planar,
    y: &Interval<T::End>,
    x: &Interval<T::End>,
) -> Interval<T::End> {
    let defined = y.defined & x.defined;
    if y.has_zero() && x.has_zero() {
        return tier.bottom();
    }
    if !is_smooth::<T>(f, y, x) {
        // A jump inside: the set-valued extension, which is defined.
        let half_turn = tier.round_pi(Up);
        return Interval::new(half_turn.negated(), half_turn, defined);
    }
    let (above, below) = (y.lo.is_positive(), y.hi.is_negative());
    let (least, greatest) = if above {
        let least = if x.hi.is_nonnegative() { &y.lo } else { &y.hi };
        let greatest = if x.lo.is_nonnegative() { &y.hi } else { &y.lo };
        ([least, &x.hi], [greatest, &x.lo])
    } else if below {
        let least = if x.lo.is_nonnegative() { &y.lo } else { &y.hi };
        let greatest = if x.hi.is_nonnegative() { &y.hi } else { &y.lo };
        ([least, &x.lo], [greatest, &x.hi])
    } else {
        ([&y.lo, &x.lo], [&y.hi, &x.lo])
    };
    let bound = |direction, [y, x]: [&T::End; 2]| tier.eval_binary_rounded(direction, f, y, x);
    Interval::new(bound(Down, least), bound(Up, greatest), defined)
}
