//! The elementary functions on intervals, written once for every precision.
//!
//! On an interval where a function is monotone, its bounds are its values at the ends. Two questions remain: which part of the
//! input lies in the domain, and, for `sin`, `cos` and `tan`, which multiples of π/2 the input contains.
//!
//! **Multiples of π/2.** Let q(x) = ⌊x/(π/2)⌋. Only q mod 4 is computed: the signs of sin x and cos x determine it exactly,
//! however large x is. The interval `[a, b]` contains in `(a, b]` the multiples q(a)+1, …, q(b). Their number is n = q(b) - q(a),
//! of which the residue mod 4 is known, and (n - 1)·π/2 < b - a < (n + 1)·π/2. So the width decides:
//!
//! | b - a | n |
//! |---|---|
//! | < 4.7 < 3π/2 | n ≤ 3: the residue itself |
//! | between | 2 ≤ n ≤ 4: the residue, or 4 for 0 |
//! | > 6.25 | a whole period, nearly: the range is [-1, 1] |
//!
//! Since x/(π/2) is an integer for no dyadic x but 0, an end is a multiple only at 0, where the value at the end itself is exact.
//!
//! # Elementary functions on thin intervals of many digits
//!
//! One value in many digits, and the slope in doubles.
//!
//! For x in [a, b], f(x) lies in f(a) + [0, b - a]·f'([a, b]), by the mean value theorem. A second value in many digits takes ten
//! times as long as a slope in doubles, which is as right as the [`Double`] tier is. The image is wider than necessary by at most
//! `MAX_SLOPE_WIDTH` of its width and three units in the last place.
//!
//! # The elementary functions of two variables on boxes
//!
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

use super::arithmetic::Direction::{Down, Up};
use super::arithmetic::{Context, Endpoint, EndpointArithmetic, Interval, max_end, min_end};
use super::double::Double;
use super::mpfr::Mpfr;
use crate::function::{
    ArgumentCondition, BinaryShape, Domain, DomainEnd, Function, Monotonicity, NumberSet, Planar, Region,
    TestedQuantity,
};
use rug::Float;
use rug::float::Round;
use std::cmp::Ordering;
use std::f64::consts::{FRAC_PI_2, PI};

/// Returns `true` if an end of the interval is a closed end of the domain of `f`.
pub(super) fn meets_domain_end<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> bool {
    let Domain { left, right } = f.row().conditions.interval();
    let meets = |edge, end: &T::End| matches!(edge, DomainEnd::Closed(e) if *end == tier.small_integer(e));
    meets(left, &a.lo) || meets(right, &a.hi)
}

/// Returns `true` if a number that is an end belongs to a set.
pub(super) fn set_contains<E: Endpoint>(set: NumberSet, x: &E) -> bool {
    let compare = |e: i8| x.partial_cmp(&f64::from(e)).unwrap_or(Ordering::Equal);
    set.contains_rational(compare, || exceeds_minus_inverse_e(|bound| x.to_float() > *bound), || x.floor() == *x)
}

/// Returns `true` if a rational number, given by its comparison with others, is above -1/e.
pub(super) fn exceeds_minus_inverse_e(exceeds: impl Fn(&Float) -> bool) -> bool {
    // As -1/e is irrational, some precision separates the two.
    let mut bits = 64;
    loop {
        let one = Float::with_val(bits, -1);
        let [above, below] = [Round::Down, Round::Up].map(|round| -Float::with_val_round(bits, one.exp_ref(), round).0);
        if exceeds(&above) {
            return true;
        } else if !exceeds(&below) {
            return false;
        }
        bits *= 2;
    }
}

/// Returns `true` if a region certainly contains all arguments in the ranges (definedness aside).
pub(super) fn region_contains<T: EndpointArithmetic>(tier: &T, region: Region, ranges: &[&Interval<T::End>]) -> bool {
    region.is_satisfied(|ArgumentCondition { quantity, set }| match (quantity, ranges) {
        (TestedQuantity::First, [range, ..]) | (TestedQuantity::Second, [_, range, ..]) => {
            set_contains_range(tier, set, range)
        }
        (TestedQuantity::Difference, [a, b, ..]) => set_contains_range(tier, set, &tier.sub(a, b)),
        // A missing argument satisfies nothing.
        _ => false,
    })
}

/// Returns `true` if a set contains all numbers of an interval (definedness aside).
pub(super) fn set_contains_range<T: EndpointArithmetic>(tier: &T, set: NumberSet, a: &Interval<T::End>) -> bool {
    match set {
        NumberSet::Above(_) | NumberSet::AtLeast(_) | NumberSet::AboveMinusInverseE => set_contains(set, &a.lo),
        NumberSet::Below(_) | NumberSet::AtMost(_) => set_contains(set, &a.hi),
        NumberSet::Except(e) => set_contains(NumberSet::Above(e), &a.lo) || set_contains(NumberSet::Below(e), &a.hi),
        // Numbers are dyadic, and no dyadic number is a zero of the cosine.
        NumberSet::ExceptCosineZeros => {
            a.is_degenerate()
                || half_pi_multiples(tier, a)
                    .is_some_and(|inside| !contains_residue(inside, 1) && !contains_residue(inside, 3))
        }
        // Above 0, or between two neighbouring integers.
        NumberSet::ExceptNonPositiveIntegers => {
            a.lo.is_positive()
                || (a.lo.is_finite() && set_contains(set, &a.lo) && a.hi.is_negative() && a.lo.floor() == a.hi.floor())
        }
    }
}

/// The part of an interval inside a domain.
struct DomainPart<E> {
    lo: E,
    hi: E,
    /// `true` if the lower end is an open end of the domain.
    lo_open: bool,
    /// `true` if the upper end is an open end of the domain.
    hi_open: bool,
    /// `true` if the whole interval lay inside the domain.
    inside: bool,
}

/// Returns the part of an interval inside a domain; `None` if it is empty.
fn restrict_to_domain<T: EndpointArithmetic>(
    tier: &T,
    a: &Interval<T::End>,
    Domain { left, right }: Domain,
) -> Option<DomainPart<T::End>> {
    let mut r = DomainPart { lo: a.lo.clone(), hi: a.hi.clone(), lo_open: false, hi_open: false, inside: true };
    if let DomainEnd::Closed(e) | DomainEnd::Open(e) = left {
        let (e, open) = (tier.small_integer(e), left == DomainEnd::Open(e));
        // An interval that only touches an open end has no part inside.
        if a.hi < e || (open && a.hi == e) {
            return None;
        }
        if a.lo < e || (open && a.lo == e) {
            (r.lo, r.lo_open, r.inside) = (e, open, false);
        }
    }
    if let DomainEnd::Closed(e) | DomainEnd::Open(e) = right {
        let (e, open) = (tier.small_integer(e), right == DomainEnd::Open(e));
        if a.lo > e || (open && a.lo == e) {
            return None;
        }
        if a.hi > e || (open && a.hi == e) {
            (r.hi, r.hi_open, r.inside) = (e, open, false);
        }
    }
    Some(r)
}

/// Encloses the image of an interval under a monotone function; ⊥ outside the domain.
fn eval_monotone<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    // A part outside the domain costs the definedness, not the range: the value lies in it wherever it exists.
    let Some(r) = restrict_to_domain(tier, a, f.row().conditions.interval()) else {
        return tier.bottom();
    };
    let defined = a.defined & r.inside.into();
    // At a point one evaluation gives both bounds.
    if !r.lo_open && !r.hi_open && r.lo == r.hi {
        let (lo, hi) = tier.eval_bounds(f, &r.lo);
        return Interval::new(lo, hi, defined);
    }
    // At an open end of its domain every monotone function here is unbounded.
    let bound = |direction, end: &T::End, is_open: bool| {
        if is_open { tier.signed_infinity(direction) } else { tier.eval_rounded(direction, f, end) }
    };
    let ends = [(&r.lo, r.lo_open), (&r.hi, r.hi_open)];
    let [first, last] = if f.direction() == Some(Ordering::Less) { [ends[1], ends[0]] } else { ends };
    Interval::new(bound(Down, first.0, first.1), bound(Up, last.0, last.1), defined)
}

/// Encloses the image of an interval under a root of even order.
pub(super) fn eval_even_root<T: EndpointArithmetic>(tier: &T, a: &Interval<T::End>, n: u32) -> Interval<T::End> {
    match restrict_to_domain(tier, a, Function::Sqrt.row().conditions.interval()) {
        Some(r) => Interval::new(
            tier.root_rounded(Down, &r.lo, n),
            tier.root_rounded(Up, &r.hi, n),
            a.defined & r.inside.into(),
        ),
        None => tier.bottom(),
    }
}

/// Encloses the image of an interval under an elementary function. Certainly defined if the input is and lies inside the domain.
pub(super) fn eval_function<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    // The mean value form first, which is cheaper for thin intervals of many digits.
    if let Some(image) = tier.mean_value_image(f, a) {
        return image;
    }
    match f.row().monotonicity {
        Monotonicity::Increasing | Monotonicity::Decreasing => eval_monotone(tier, f, a),
        // Even and increasing for x ≥ 0.
        Monotonicity::Even => {
            let (lo, hi) = a.absolute_ends(tier.small_integer(0));
            Interval::new(tier.eval_rounded(Down, f, &lo), tier.eval_rounded(Up, f, &hi), a.defined)
        }
        Monotonicity::Sinusoidal { top } => eval_sinusoidal(tier, f, a, top),
        Monotonicity::Poles => eval_tangent(tier, f, a),
        Monotonicity::Root(n) => tier.root(a, n.into()),
        Monotonicity::Own => match f {
            Function::Special(id, order) => id.enclose(tier, order, a),
            // Only special functions have no rule of the table.
            _ => tier.bottom(),
        },
    }
}

/// Returns the quadrant of a finite angle, ⌊x/(π/2)⌋ mod 4; `None` if the angle is too large to reduce.
fn quadrant_of<T: EndpointArithmetic>(tier: &T, x: &T::End) -> Option<u8> {
    // The doubles PI and FRAC_PI_2 are below π and π/2, and their successors above, so that these comparisons are exact.
    if *x >= -PI && *x <= PI {
        if *x >= FRAC_PI_2.next_up() {
            return Some(1);
        } else if *x >= 0.0 && *x <= FRAC_PI_2 {
            return Some(0);
        } else if *x < 0.0 && *x >= -FRAC_PI_2 {
            return Some(3);
        } else if *x <= -FRAC_PI_2.next_up() {
            return Some(2);
        }
    }
    tier.quadrant_of_large(x)
}

/// Returns the multiples of π/2 in an interval: the residue mod 4 of the first one, and their number, ≤ 4. `None` if the interval
/// is wider than 6.25, unbounded or too far out.
fn half_pi_multiples<T: EndpointArithmetic>(tier: &T, a: &Interval<T::End>) -> Option<(u8, u8)> {
    if !a.has_finite_ends() {
        return None;
    }
    let width = tier.sub_rounded(Up, &a.hi, &a.lo);
    if width > 6.25 {
        return None;
    }
    let (first, last) = (quadrant_of(tier, &a.lo)?, quadrant_of(tier, &a.hi)?);
    // See the table of the module for 4.7 and 6.25: the width distinguishes n = 0 from n = 4.
    let residue = (last + 4 - first) % 4;
    let number = if width < 4.7 || residue != 0 { residue } else { 4 };
    Some(((first + 1) % 4, number))
}

/// Returns `true` if one of `number` consecutive integers from `first` on is `wanted` mod 4.
fn contains_residue((first, number): (u8, u8), wanted: u8) -> bool {
    (wanted + 4 - first) % 4 < number
}

/// Encloses sine or cosine on an interval. Between the maxima at `top` mod 4 and the minima at `top + 2` they are monotone.
fn eval_sinusoidal<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>, top: u8) -> Interval<T::End> {
    if a.is_degenerate() {
        let (lo, hi) = tier.eval_bounds(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    let Some(inside) = half_pi_multiples(tier, a) else {
        return Interval::new(tier.small_integer(-1), tier.small_integer(1), a.defined);
    };
    // The extremes are attained inside exactly if the interval contains their multiples of π/2.
    let [falls, rises] = [top + 2, top].map(|extremum| contains_residue(inside, extremum % 4));
    if falls && rises {
        return Interval::new(tier.small_integer(-1), tier.small_integer(1), a.defined);
    }
    let [first, last] = [tier.eval_bounds(f, &a.lo), tier.eval_bounds(f, &a.hi)];
    let lo = if falls { tier.small_integer(-1) } else { min_end(first.0, last.0) };
    let hi = if rises { tier.small_integer(1) } else { max_end(first.1, last.1) };
    Interval::new(lo, hi, a.defined)
}

/// Encloses the tangent on an interval: increasing between poles, the odd multiples of π/2. ⊥ if the interval may contain a pole.
///
/// No dyadic point is a pole.
fn eval_tangent<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    if a.is_degenerate() {
        let (lo, hi) = tier.eval_bounds(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    if !region_contains(tier, f.row().conditions.value, &[a]) {
        return tier.bottom();
    }
    let lo = tier.eval_rounded(Down, f, &a.lo);
    Interval::new(lo, tier.eval_rounded(Up, f, &a.hi), a.defined)
}

/// The number of leading bits in which the ends of a thin interval agree. A choice: fewer would make the slope vague.
const AGREEING_BITS: i32 = 40;

/// The largest relative width of a slope that is used. A choice: such a slope has one sign, and fits the 53 bits of a double.
const MAX_SLOPE_WIDTH: f64 = 1.0 / (1_u32 << 24) as f64;

/// The precision in bits from which a slope in doubles takes less time than a second value.
const MANY_BITS: u32 = 96;

/// Encloses the image of a thin interval inside the domain of a function.
///
/// Returns `None` if the general rule is to be used: at low precision, for roots and special functions, for an interval that is not
/// thin, and where the slope or the result is too rough.
pub(super) fn mean_value_image(tier: &Mpfr, f: Function, a: &Interval<Float>) -> Option<Interval<Float>> {
    // Roots cost little more than a product, and special functions have bounds of their own.
    if tier.bits() < MANY_BITS || f.root_degree().is_some() || matches!(f, Function::Special(..)) {
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
    let (least, greatest) = f.row().range;
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
    let conditions = f.row().conditions;
    if !region_contains(tier, conditions.value, &[y, x]) {
        return tier.bottom();
    }
    if !region_contains(tier, conditions.analytic, &[y, x]) {
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
