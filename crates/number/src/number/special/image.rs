//! Images of intervals under functions with known slopes and curvatures, written once for every precision.
//!
//! Let f be a function with three derivatives, b₂ and b₃ bounds of |f″| and |f‴| between u and v, and w = v - u. For u ≤ x ≤ v
//!
//! - `|f″(x)| ≤ b = min(b₂, (|f″(u)| + |f″(v)| + b₃w)/2)`, the mean of the bounds from either end.
//! - `f′(x) ≥ (f′(u) + f′(v) - bw)/2`, likewise; with this bound ≥ 0, f increases. The mirror image holds for ≤.
//! - `f(x) ≤ max(f(u), f(v)) + bw²/8`, the error of linear interpolation.
//!
//! An interval is bisected until one of them is good enough.

use super::super::arithmetic::Direction::{Down, Up};
use super::super::arithmetic::{Endpoint, EndpointArithmetic, Function, Interval, max_end, min_end};
use rug::float::Round;

/// The width of an interval from which the image is the range. A choice: functions that oscillate have an extremum every π or so.
const MAX_WIDTH: i8 = 8;

/// A part of an interval, with bounds of the function and of its slope at its ends.
struct Piece<E> {
    ends: [E; 2],
    values: [(E, E); 2],
    slopes: [(E, E); 2],
    /// Upper bounds of the moduli of the second derivative.
    curvatures: [E; 2],
}

/// Encloses the image of an interval under a function `f` that is analytic there. `bound` returns an upper bound of the modulus of a
/// derivative of `f` between two numbers.
pub(super) fn enclose_by_curvature<T: EndpointArithmetic>(
    tier: &T,
    f: Function,
    a: &Interval<T::End>,
    bound: impl Fn(u32, [f64; 2]) -> f64,
) -> Interval<T::End> {
    if a.is_degenerate() {
        let (lo, hi) = tier.eval_bounds(f, &a.lo);
        return Interval::new(lo, hi, a.defined);
    }
    let between = |k: u32, u: &T::End, v: &T::End| {
        let ends = [u.to_float().to_f64_round(Round::Down), v.to_float().to_f64_round(Round::Up)];
        tier.round_float(Up, &bound(k, ends).to_float())
    };
    let (least, greatest) = f.row().range;
    let (least, greatest) = (tier.round_float(Down, &least.to_float()), tier.round_float(Up, &greatest.to_float()));
    let most = between(0, &a.lo, &a.hi);
    let (least, greatest) = (max_end(least, most.negated()), min_end(greatest, most));
    let range = Interval::new(least.clone(), greatest.clone(), a.defined);
    let Some((slope, curvature)) = f.derivative_function().and_then(|f| Some((f, f.derivative_function()?))) else {
        return range;
    };
    if !a.has_finite_ends() || tier.sub_rounded(Up, &a.hi, &a.lo) > tier.small_integer(MAX_WIDTH) {
        return range;
    }
    let at = |x: &T::End| {
        let (lo, hi) = tier.eval_bounds(curvature, x);
        (tier.eval_bounds(f, x), tier.eval_bounds(slope, x), max_end(lo.negated(), hi))
    };
    let [(v0, s0, c0), (v1, s1, c1)] = [at(&a.lo), at(&a.hi)];
    let ends = [a.lo.clone(), a.hi.clone()];
    let mut pieces = vec![Piece { ends, values: [v0, v1], slopes: [s0, s1], curvatures: [c0, c1] }];
    let mut found: Option<(T::End, T::End)> = None;
    // A piece this wide has w²/8 below the rounding of 1.
    let narrow = 0.5f64.powi((tier.bits() / 2).min(1000) as i32);
    // A choice: an interval of width 8 has at most four extrema, each found by as many bisections as half the bits.
    let mut splits = 256 + 8 * tier.bits();
    while let Some(Piece { ends: [u, v], values: [fu, fv], slopes: [su, sv], curvatures: [cu, cv] }) = pieces.pop() {
        let width = tier.sub_rounded(Up, &v, &u);
        let spread = tier.mul_rounded(Up, &between(3, &u, &v), &width);
        let twice = tier.add_rounded(Up, &tier.add_rounded(Up, &cu, &cv), &spread);
        let curved = min_end(between(2, &u, &v), tier.div_rounded(Up, &twice, &tier.small_integer(2)));
        let turn = tier.mul_rounded(Up, &curved, &width);
        let rises = tier.sub_rounded(Down, &tier.add_rounded(Down, &su.0, &sv.0), &turn).is_nonnegative();
        let falls = tier.add_rounded(Up, &tier.add_rounded(Up, &su.1, &sv.1), &turn).is_nonpositive();
        let middle = tier.middle_between(&u, &v);
        let mut bounds = (min_end(fu.0.clone(), fv.0.clone()), max_end(fu.1.clone(), fv.1.clone()));
        if !(rises || falls) {
            if splits > 0 && width > narrow && u < middle && middle < v {
                splits -= 1;
                let (value, slope, curvature) = at(&middle);
                pieces.push(Piece {
                    ends: [u, middle.clone()],
                    values: [fu, value.clone()],
                    slopes: [su, slope.clone()],
                    curvatures: [cu, curvature.clone()],
                });
                pieces.push(Piece {
                    ends: [middle, v],
                    values: [value, fv],
                    slopes: [slope, sv],
                    curvatures: [curvature, cv],
                });
                continue;
            }
            let eighth = tier.div_rounded(Up, &tier.mul_rounded(Up, &turn, &width), &tier.small_integer(8));
            bounds = (tier.sub_rounded(Down, &bounds.0, &eighth), tier.add_rounded(Up, &bounds.1, &eighth));
        }
        found = Some(match found {
            Some((lo, hi)) => (min_end(lo, bounds.0), max_end(hi, bounds.1)),
            None => bounds,
        });
    }
    match found {
        Some((lo, hi)) => Interval::new(max_end(lo, least), min_end(hi, greatest), a.defined),
        None => range,
    }
}
