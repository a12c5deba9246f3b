//! Sums and products of intervals in `f64`, both ends at once, for vector registers.
//!
//! The arithmetic is that of [`rounding`](super::rounding), written for pairs, so that a compiler puts the two ends of an
//! interval side by side into one register: TwoSum for sums, Dekker's product for products, and then each end moves to its outer
//! neighbour if the rounding error points outward. Every function returns `None` if its error term might not be exact (overflow,
//! underflow, infinities), or if two products compete for an end. Then the general rule is to be used.
//!
//! [`accumulate`] is different: it computes a bound of the rounding error instead of the error. With u = 2⁻⁵³, η = 2⁻¹⁰⁷⁴, p the
//! rounded product and s the rounded sum of `acc` and p, the exact value lies within u·|s| + u·|p| + η of s, and the end s ∓
//! (2.5·u·(|s| + |p|) + 2η), rounded once more, lies beyond that.
//!
//! Source: Dekker, "A floating-point technique for extending the available precision" (1971); Knuth, TAOCP 2, §4.2.2.

use super::interval::Interval;

/// A pair of numbers, one for each end.
type EndPair = [f64; 2];

/// The sign bit of a double.
const SIGN: u64 = 1 << 63;

/// Applies an operation to both components.
#[inline(always)]
fn map_pairs(f: impl Fn(f64, f64) -> f64, a: EndPair, b: EndPair) -> EndPair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

#[inline(always)]
fn add_pairs(a: EndPair, b: EndPair) -> EndPair {
    map_pairs(|x, y| x + y, a, b)
}

#[inline(always)]
fn sub_pairs(a: EndPair, b: EndPair) -> EndPair {
    map_pairs(|x, y| x - y, a, b)
}

#[inline(always)]
fn mul_pairs(a: EndPair, b: EndPair) -> EndPair {
    map_pairs(|x, y| x * y, a, b)
}

/// Returns the ends, moved to the outer neighbour if the error points outward. An end that is 0 must have no error.
#[inline(always)]
fn step_outward(ends: EndPair, errors: EndPair) -> EndPair {
    // The lower end is mirrored, so that both ends are handled as upper ones.
    let flip = [SIGN, 0];
    let end = |i: usize| {
        let bits = ends[i].to_bits();
        let step = ((bits ^ flip[i]) as i64 >> 63) | 1;
        let lost = f64::from_bits(errors[i].to_bits() ^ flip[i]) > 0.0;
        f64::from_bits(bits.wrapping_add((step & -i64::from(lost)) as u64))
    };
    [end(0), end(1)]
}

/// Encloses a + b; `None` if a step of TwoSum is not finite.
#[inline(always)]
pub(super) fn add_intervals(a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    let (x, y) = ([a.lo, a.hi], [b.lo, b.hi]);
    let sum = add_pairs(x, y);
    let part = sub_pairs(sum, x);
    let error = add_pairs(sub_pairs(x, sub_pairs(sum, part)), sub_pairs(y, part));
    // One test for both ends: an infinity or NaN in either shows in the sum.
    if !(error[0] + error[1]).is_finite() {
        return None;
    }
    let [lo, hi] = step_outward(sum, error);
    Some(Interval { lo, hi, defined: a.defined & b.defined })
}

/// Splits two numbers into parts of 26 bits each (Veltkamp). The constant is 2²⁷ + 1.
#[inline(always)]
fn veltkamp_split(x: EndPair) -> (EndPair, EndPair) {
    let c = mul_pairs([134_217_729.0; 2], x);
    let high = sub_pairs(c, sub_pairs(c, x));
    (high, sub_pairs(x, high))
}

/// Encloses a·b; `None` if 0 lies strictly inside both, or if the error term may not be exact.
#[inline(always)]
pub(super) fn mul_intervals(a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
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
    let product = mul_pairs(x, y);
    let ((xh, xl), (yh, yl)) = (veltkamp_split(x), veltkamp_split(y));
    // Dekker's error term: exact if nothing overflows or underflows.
    let error = sub_pairs(mul_pairs(xh, yh), product);
    let error = add_pairs(add_pairs(add_pairs(error, mul_pairs(xh, yl)), mul_pairs(xl, yh)), mul_pairs(xl, yl));
    // From this size on no part of the error underflows; a product with a factor 0 has no error.
    const SMALLEST: f64 = 1e-270;
    let sizes = product.map(f64::abs);
    let fits = |i: usize| (sizes[i] >= SMALLEST) | (x[i] == 0.0) | (y[i] == 0.0);
    let exact = (error[0] + error[1]).is_finite();
    let usual = (sizes[0] >= SMALLEST) & (sizes[1] >= SMALLEST) & exact;
    let with_zero = exact && fits(0) && fits(1);
    if !(usual || with_zero) {
        return None;
    }
    let [lo, hi] = step_outward(product, error);
    Some(Interval { lo, hi, defined: a.defined & b.defined })
}

/// Encloses acc + a·b, where a is the point 0, 1 or -1 and b is bounded; `None` for other points.
#[inline(always)]
fn add_unit_multiple(acc: &Interval<f64>, a: f64, b: &Interval<f64>) -> Option<Interval<f64>> {
    let Interval { lo, hi, defined } = *b;
    if a == 0.0 && lo.is_finite() && hi.is_finite() {
        Some(Interval { defined: acc.defined & defined, ..*acc })
    } else if a == 1.0 {
        add_intervals(acc, b)
    } else if a == -1.0 {
        add_intervals(acc, &Interval { lo: -hi, hi: -lo, defined })
    } else {
        None
    }
}

/// Encloses acc + a·b, where a and b are bounded. The points 0, 1 and -1 are treated exactly; other points give `None`.
#[inline(always)]
pub(super) fn mul_add_intervals(acc: &Interval<f64>, a: &Interval<f64>, b: &Interval<f64>) -> Option<Interval<f64>> {
    /// The relative margin: 2.5·2⁻⁵³, rounded up.
    const RELATIVE: f64 = 2.776e-16;
    /// The absolute margin: 2·2⁻¹⁰⁷⁴.
    const ABSOLUTE: f64 = 1e-323;
    if a.lo == a.hi {
        let defined = acc.defined & a.defined;
        return add_unit_multiple(&Interval { defined, ..*acc }, a.lo, b);
    }
    if b.lo == b.hi {
        let defined = acc.defined & b.defined;
        return add_unit_multiple(&Interval { defined, ..*acc }, b.lo, a);
    }
    // an infinite end makes this infinite or NaN
    let reach = (a.hi - a.lo) + (b.hi - b.lo);
    if reach.is_nan() || reach == f64::INFINITY {
        return None;
    }
    // All four products, with minimum and maximum instead of branches on signs.
    let (p, q) = (mul_pairs([a.lo; 2], [b.lo, b.hi]), mul_pairs([a.hi; 2], [b.lo, b.hi]));
    let lesser = |x: f64, y: f64| if x < y { x } else { y };
    let greater = |x: f64, y: f64| if x > y { x } else { y };
    let (low, high) = (map_pairs(lesser, p, q), map_pairs(greater, p, q));
    let product = [lesser(low[0], low[1]), greater(high[0], high[1])];
    let sum = add_pairs([acc.lo, acc.hi], product);
    let size = add_pairs(sum.map(f64::abs), product.map(f64::abs));
    let margin = add_pairs(mul_pairs(size, [RELATIVE; 2]), [ABSOLUTE; 2]);
    let (lo, hi) = (sum[0] - margin[0], sum[1] + margin[1]);
    // Overflow in a step leaves an infinity or NaN here.
    let finite = lo > f64::NEG_INFINITY && hi < f64::INFINITY;
    finite.then(|| Interval { lo, hi, defined: acc.defined & a.defined & b.defined })
}
