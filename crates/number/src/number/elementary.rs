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

use super::branches::eval_on_branch;
use super::context::Context;
use super::ends::Direction::{Down, Up};
use super::ends::EndpointArithmetic;
use super::interval::{Interval, max_end, min_end};
use crate::function::{Domain, DomainEnd, Function, Monotonicity};
use std::f64::consts::{FRAC_PI_2, PI};

/// Returns `true` if an end of the interval is a closed end of the domain of `f`.
pub(super) fn meets_domain_end<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> bool {
    let Domain { left, right } = f.row().domain;
    let meets = |edge, end: &T::End| matches!(edge, DomainEnd::Closed(e) if *end == tier.small_integer(e));
    meets(left, &a.lo) || meets(right, &a.hi)
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

/// Encloses the image of an interval under an increasing function; ⊥ outside the domain.
fn eval_increasing<T: EndpointArithmetic>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    // A part outside the domain costs the definedness, not the range: the value lies in it wherever it exists.
    let Some(r) = restrict_to_domain(tier, a, f.row().domain) else {
        return tier.bottom();
    };
    let defined = a.defined & r.inside.into();
    // At a point one evaluation gives both bounds.
    if !r.lo_open && !r.hi_open && r.lo == r.hi {
        let (lo, hi) = tier.eval_bounds(f, &r.lo);
        return Interval::new(lo, hi, defined);
    }
    // At an open end of its domain every increasing function here is unbounded.
    let lo = if r.lo_open { tier.signed_infinity(Down) } else { tier.eval_rounded(Down, f, &r.lo) };
    let hi = if r.hi_open { tier.signed_infinity(Up) } else { tier.eval_rounded(Up, f, &r.hi) };
    Interval::new(lo, hi, defined)
}

/// Encloses the image of an interval under a root of even order.
pub(super) fn eval_even_root<T: EndpointArithmetic>(tier: &T, a: &Interval<T::End>, n: u32) -> Interval<T::End> {
    match restrict_to_domain(tier, a, Function::Sqrt.row().domain) {
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
        Monotonicity::Increasing => eval_increasing(tier, f, a),
        Monotonicity::Decreasing => match restrict_to_domain(tier, a, f.row().domain) {
            Some(r) => Interval::new(
                tier.eval_rounded(Down, f, &r.hi),
                tier.eval_rounded(Up, f, &r.lo),
                a.defined & r.inside.into(),
            ),
            None => tier.bottom(),
        },
        // Even and increasing for x ≥ 0.
        Monotonicity::Even => {
            let (lo, hi) = a.absolute_ends(tier.small_integer(0));
            Interval::new(tier.eval_rounded(Down, f, &lo), tier.eval_rounded(Up, f, &hi), a.defined)
        }
        Monotonicity::Sinusoidal { top } => eval_sinusoidal(tier, f, a, top),
        Monotonicity::Poles => eval_tangent(tier, f, a),
        Monotonicity::Root(n) => tier.root(a, n.into()),
        Monotonicity::IncreasingBranches | Monotonicity::ConvexBranches => eval_on_branch(tier, f, a),
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
    match half_pi_multiples(tier, a) {
        Some(inside) if !contains_residue(inside, 1) && !contains_residue(inside, 3) => {
            let lo = tier.eval_rounded(Down, f, &a.lo);
            Interval::new(lo, tier.eval_rounded(Up, f, &a.hi), a.defined)
        }
        _ => tier.bottom(),
    }
}
