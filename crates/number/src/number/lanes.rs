//! Sums and products of intervals in `f64`, both ends at once.
//!
//! The same arithmetic as in [`rounding`](super::rounding), written for pairs, so that a compiler puts the two ends of
//! an interval side by side into one register: TwoSum for sums, Dekker's product for products, and then each end
//! moves to its outer neighbour where something was lost on its side. Every function answers `None` wherever its
//! error term might not be exact (overflow, underflow, infinities), or two products compete for an end; then the
//! general rule is to be used.
//!
//! [`accumulate`] is different: it does not compute what was lost, but a bound on it. With u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴, p the
//! rounded product and s the rounded sum of `acc` and p, the exact value lies within u·|s| + u·|p| + η of s, and the
//! end s ∓ (2.5·u·(|s| + |p|) + 2η), rounded once more, lies beyond that.
//!
//! Source: Dekker, "A floating-point technique for extending the available precision" (1971); Knuth, TAOCP 2, §4.2.2.

use super::interval::Interval;

/// Two numbers, one of each end.
type Pair = [f64; 2];

const SIGN: u64 = 1 << 63;

#[inline(always)]
fn each(f: impl Fn(f64, f64) -> f64, a: Pair, b: Pair) -> Pair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

#[inline(always)]
fn plus(a: Pair, b: Pair) -> Pair {
    each(|x, y| x + y, a, b)
}

#[inline(always)]
fn minus(a: Pair, b: Pair) -> Pair {
    each(|x, y| x - y, a, b)
}

#[inline(always)]
fn times(a: Pair, b: Pair) -> Pair {
    each(|x, y| x * y, a, b)
}

/// The outer neighbours of the ends where the errors point outward; an end that is 0 has no error.
#[inline(always)]
fn outward(ends: Pair, errors: Pair) -> Pair {
    let flip = [SIGN, 0];
    let end = |i: usize| {
        let bits = ends[i].to_bits();
        let step = ((bits ^ flip[i]) as i64 >> 63) | 1;
        let lost = f64::from_bits(errors[i].to_bits() ^ flip[i]) > 0.0;
        f64::from_bits(bits.wrapping_add((step & -i64::from(lost)) as u64))
    };
    [end(0), end(1)]
}

/// a + b
#[inline(always)]
pub(super) fn sum(a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    let (x, y) = ([a.lo, a.hi], [b.lo, b.hi]);
    let sum = plus(x, y);
    let part = minus(sum, x);
    let error = plus(minus(x, minus(sum, part)), minus(y, part));
    if !(error[0] + error[1]).is_finite() {
        return None;
    }
    let [lo, hi] = outward(sum, error);
    Some(Interval { lo, hi, defined: a.defined & b.defined })
}

/// The parts of two numbers with 26 bits each (Veltkamp).
#[inline(always)]
fn split(x: Pair) -> (Pair, Pair) {
    let c = times([134_217_729.0; 2], x);
    let high = minus(c, minus(c, x));
    (high, minus(x, high))
}

/// a·b
#[inline(always)]
pub(super) fn product(a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    let (x, y) = if a.lo >= 0.0 {
        if b.lo >= 0.0 {
            ([a.lo, a.hi], [b.lo, b.hi])
        } else if b.hi <= 0.0 {
            ([a.hi, a.lo], [b.lo, b.hi])
        } else {
            ([a.hi, a.hi], [b.lo, b.hi])
        }
    } else if a.hi <= 0.0 {
        if b.lo >= 0.0 {
            ([a.lo, a.hi], [b.hi, b.lo])
        } else if b.hi <= 0.0 {
            ([a.hi, a.lo], [b.hi, b.lo])
        } else {
            ([a.lo, a.lo], [b.hi, b.lo])
        }
    } else if b.lo >= 0.0 {
        ([a.lo, a.hi], [b.hi, b.hi])
    } else if b.hi <= 0.0 {
        ([a.hi, a.lo], [b.lo, b.lo])
    } else {
        return None;
    };
    let product = times(x, y);
    let ((xh, xl), (yh, yl)) = (split(x), split(y));
    let error = minus(times(xh, yh), product);
    let error = plus(plus(plus(error, times(xh, yl)), times(xl, yh)), times(xl, yl));
    // from there on no part of the error underflows; and with a factor 0 there is none
    const SMALLEST: f64 = 1e-270;
    let sizes = product.map(f64::abs);
    let fits = |i: usize| (sizes[i] >= SMALLEST) | (x[i] == 0.0) | (y[i] == 0.0);
    let exact = (error[0] + error[1]).is_finite();
    let usual = (sizes[0] >= SMALLEST) & (sizes[1] >= SMALLEST) & exact;
    let with_zero = exact && fits(0) && fits(1);
    if !(usual || with_zero) {
        return None;
    }
    let [lo, hi] = outward(product, error);
    Some(Interval { lo, hi, defined: a.defined & b.defined })
}

/// acc + a·b, where a is the point 0, 1 or -1 and b is bounded.
#[inline(always)]
fn accumulate_unit(acc: &Interval<f64>, a: f64, b: &Interval<f64>) -> Option<Interval<f64>> {
    let Interval { lo, hi, defined } = *b;
    if a == 0.0 && lo.is_finite() && hi.is_finite() {
        Some(Interval { defined: acc.defined & defined, ..*acc })
    } else if a == 1.0 {
        sum(acc, b)
    } else if a == -1.0 {
        sum(acc, &Interval { lo: -hi, hi: -lo, defined })
    } else {
        None
    }
}

/// acc + a·b, where a and b are bounded. The points 0, 1 and -1 are treated exactly, and other points left to the
/// general rule.
#[inline(always)]
pub(super) fn accumulate(acc: &Interval<f64>, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    /// 2.5·2⁻⁵³, rounded up.
    const RELATIVE: f64 = 2.776e-16;
    /// 2·2⁻¹⁰⁷⁴
    const ABSOLUTE: f64 = 1e-323;
    if a.lo == a.hi {
        let defined = acc.defined & a.defined;
        return accumulate_unit(&Interval { defined, ..*acc }, a.lo, b);
    }
    if b.lo == b.hi {
        let defined = acc.defined & b.defined;
        return accumulate_unit(&Interval { defined, ..*acc }, b.lo, a);
    }
    // an infinite end makes this infinite or NaN
    let reach = (a.hi - a.lo) + (b.hi - b.lo);
    if reach.is_nan() || reach == f64::INFINITY {
        return None;
    }
    let (p, q) = (times([a.lo; 2], [b.lo, b.hi]), times([a.hi; 2], [b.lo, b.hi]));
    let lesser = |x: f64, y: f64| if x < y { x } else { y };
    let greater = |x: f64, y: f64| if x > y { x } else { y };
    let (low, high) = (each(lesser, p, q), each(greater, p, q));
    let product = [lesser(low[0], low[1]), greater(high[0], high[1])];
    let sum = plus([acc.lo, acc.hi], product);
    let size = plus(sum.map(f64::abs), product.map(f64::abs));
    let margin = plus(times(size, [RELATIVE; 2]), [ABSOLUTE; 2]);
    let (lo, hi) = (sum[0] - margin[0], sum[1] + margin[1]);
    // overflow on the way leaves an infinity or NaN here
    let finite = lo > f64::NEG_INFINITY && hi < f64::INFINITY;
    finite.then(|| Interval { lo, hi, defined: acc.defined & a.defined & b.defined })
}
