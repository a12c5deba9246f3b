//! The elementary functions on intervals, written once for every tier.
//!
//! On an interval where it is monotone, a function takes its bounds at the ends. That leaves two questions: which part
//! of the input lies in the domain, and, for `sin`, `cos` and `tan`, which multiples of π/2 the input contains.
//!
//! **Multiples of π/2.** Let q(x) = ⌊x/(π/2)⌋. Only q mod 4 is computed: it is what the signs of sin x and cos x say,
//! exactly, however large x is. The interval `[a, b]` contains in `(a, b]` the multiples q(a)+1, …, q(b), in number
//! n = q(b) - q(a), of which the residue mod 4 is known, and (n - 1)·π/2 < b - a < (n + 1)·π/2. So the width decides:
//!
//! | b - a | n |
//! |---|---|
//! | < 4.7 < 3π/2 | n ≤ 3: the residue itself |
//! | between | 2 ≤ n ≤ 4: the residue, or 4 for 0 |
//! | > 6.25 | a whole period, nearly: the range is [-1, 1] |
//!
//! Since x/(π/2) is an integer for no dyadic x but 0, the case a = multiple does not occur but at 0, where the value
//! at the end itself is exact.

use super::branches::branches;
use super::context::Context;
use super::ends::Direction::{Down, Up};
use super::ends::Ends;
use super::interval::{Interval, larger, smaller};
use crate::function::{Course, Domain, Edge, Function};
use std::f64::consts::{FRAC_PI_2, PI};

/// Whether an interval ends at an edge of the domain that belongs to the domain.
pub(super) fn meets_edge<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> bool {
    let Domain { left, right } = f.row().domain;
    let meets = |edge, end: &T::End| matches!(edge, Edge::Closed(e) if *end == tier.small(e));
    meets(left, &a.lo) || meets(right, &a.hi)
}

/// An interval cut down to a domain.
struct Restricted<E> {
    lo: E,
    hi: E,
    /// The lower end is an open edge.
    lo_open: bool,
    /// The upper end is an open edge.
    hi_open: bool,
    /// The interval lay inside the domain as it was.
    inside: bool,
}

/// The part of an interval inside a domain; `None` where there is none.
fn restrict<T: Ends>(tier: &T, a: &Interval<T::End>, Domain { left, right }: Domain) -> Option<Restricted<T::End>> {
    let mut r = Restricted { lo: a.lo.clone(), hi: a.hi.clone(), lo_open: false, hi_open: false, inside: true };
    if let Edge::Closed(e) | Edge::Open(e) = left {
        let (e, open) = (tier.small(e), left == Edge::Open(e));
        if a.hi < e || (open && a.hi == e) {
            return None;
        }
        if a.lo < e || (open && a.lo == e) {
            (r.lo, r.lo_open, r.inside) = (e, open, false);
        }
    }
    if let Edge::Closed(e) | Edge::Open(e) = right {
        let (e, open) = (tier.small(e), right == Edge::Open(e));
        if a.lo > e || (open && a.lo == e) {
            return None;
        }
        if a.hi > e || (open && a.hi == e) {
            (r.hi, r.hi_open, r.inside) = (e, open, false);
        }
    }
    Some(r)
}

/// The image of an interval under an increasing function of the ends.
fn increasing<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    let Some(r) = restrict(tier, a, f.row().domain) else {
        return tier.bottom();
    };
    let defined = a.defined & r.inside.into();
    if !r.lo_open && !r.hi_open && r.lo == r.hi {
        let (lo, hi) = tier.values(f, &r.lo);
        return Interval::new(lo, hi, defined);
    }
    let lo = if r.lo_open { tier.infinite(Down) } else { tier.value(Down, f, &r.lo) };
    let hi = if r.hi_open { tier.infinite(Up) } else { tier.value(Up, f, &r.hi) };
    Interval::new(lo, hi, defined)
}

/// The image of an interval under a root of even order.
pub(super) fn even_root<T: Ends>(tier: &T, a: &Interval<T::End>, n: u32) -> Interval<T::End> {
    match restrict(tier, a, Function::Sqrt.row().domain) {
        Some(r) => {
            Interval::new(tier.nth_root(Down, &r.lo, n), tier.nth_root(Up, &r.hi, n), a.defined & r.inside.into())
        }
        None => tier.bottom(),
    }
}

/// The image of an interval under an elementary function.
pub(super) fn function<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    if let Some(image) = tier.thin_image(f, a) {
        return image;
    }
    match f.row().course {
        Course::Rising => increasing(tier, f, a),
        Course::Falling => match restrict(tier, a, f.row().domain) {
            Some(r) => Interval::new(tier.value(Down, f, &r.hi), tier.value(Up, f, &r.lo), a.defined & r.inside.into()),
            None => tier.bottom(),
        },
        Course::Even => {
            let (lo, hi) = a.absolute(tier.small(0));
            Interval::new(tier.value(Down, f, &lo), tier.value(Up, f, &hi), a.defined)
        }
        Course::Wave { top } => wave(tier, f, a, top),
        Course::Poles => poles(tier, f, a),
        Course::Root(n) => tier.root(a, n.into()),
        Course::RisingBranches | Course::ConvexBranches => branches(tier, f, a),
    }
}

/// The quadrant of a finite angle, ⌊x/(π/2)⌋ mod 4.
fn quadrant<T: Ends>(tier: &T, x: &T::End) -> Option<u8> {
    // π/2 and π lie strictly between these doubles and their successors
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
    tier.far_quadrant(x)
}

/// The multiples of π/2 in an interval: the residue mod 4 of the first one, and their number, ≤ 4. `None` where the
/// interval is wider, or too far out.
fn multiples<T: Ends>(tier: &T, a: &Interval<T::End>) -> Option<(u8, u8)> {
    if !a.has_finite_ends() {
        return None;
    }
    let width = tier.difference(Up, &a.hi, &a.lo);
    if width > 6.25 {
        return None;
    }
    let (first, last) = (quadrant(tier, &a.lo)?, quadrant(tier, &a.hi)?);
    let residue = (last + 4 - first) % 4;
    let number = if width < 4.7 || residue != 0 { residue } else { 4 };
    Some(((first + 1) % 4, number))
}

/// Whether, of `number` consecutive integers from `first` on, one is `wanted` mod 4.
fn hits((first, number): (u8, u8), wanted: u8) -> bool {
    (wanted + 4 - first) % 4 < number
}

/// Sine and cosine: between the maxima at `top` mod 4 and the minima at `top + 2` they are monotone.
fn wave<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>, top: u8) -> Interval<T::End> {
    if a.is_degenerate() {
        let (lo, hi) = tier.values(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    let Some(inside) = multiples(tier, a) else {
        return Interval::new(tier.small(-1), tier.small(1), a.defined);
    };
    let [falls, rises] = [top + 2, top].map(|extremum| hits(inside, extremum % 4));
    if falls && rises {
        return Interval::new(tier.small(-1), tier.small(1), a.defined);
    }
    let [first, last] = [tier.values(f, &a.lo), tier.values(f, &a.hi)];
    let lo = if falls { tier.small(-1) } else { smaller(first.0, last.0) };
    let hi = if rises { tier.small(1) } else { larger(first.1, last.1) };
    Interval::new(lo, hi, a.defined)
}

/// Increasing between poles, the odd multiples of π/2. No dyadic point is a pole.
fn poles<T: Ends>(tier: &T, f: Function, a: &Interval<T::End>) -> Interval<T::End> {
    if a.is_degenerate() {
        let (lo, hi) = tier.values(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    match multiples(tier, a) {
        Some(inside) if !hits(inside, 1) && !hits(inside, 3) => {
            let lo = tier.value(Down, f, &a.lo);
            Interval::new(lo, tier.value(Up, f, &a.hi), a.defined)
        }
        _ => tier.bottom(),
    }
}
