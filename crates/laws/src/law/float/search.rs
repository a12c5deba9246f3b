//! Estimates of integrals, roots and optima of a function given by its values.

use super::FloatEstimate;

/// Half the number of panels of an integral in each part. A choice, as the number of samples is.
const HALF_PANELS: usize = 16;
/// The number of intervals between the samples of an optimum or a first root.
const SAMPLE_INTERVALS: usize = 48;
/// The point that divides the unit interval: 2 − φ is irrational, so that no usual kink lies on a node of either part.
const SPLIT_POINT: f64 = 0.381_966_011_250_105_1;

/// A function of one number, `None` where it has no estimate.
type EstimateFn<'f> = &'f mut dyn FnMut(f64) -> Option<FloatEstimate>;

/// Collects all values. Returns `None` if one is missing. Every value is computed first, since each may record that it
/// is outside a domain.
fn collect_all(values: impl Iterator<Item = Option<FloatEstimate>>) -> Option<Vec<FloatEstimate>> {
    values.collect::<Vec<_>>().into_iter().collect()
}

/// Estimates the integral over [0, 1] by Simpson's rule on two parts. The difference to the doubled step is its error.
pub(super) fn estimate_integral(f: EstimateFn) -> Option<FloatEstimate> {
    let (mut value, mut error) = (0.0, 0.0);
    for (a, b) in [(0.0, SPLIT_POINT), (SPLIT_POINT, 1.0)] {
        let count = 2 * HALF_PANELS;
        let node = |i: usize| a + (b - a) * i as f64 / count as f64;
        let values = collect_all((0..=count).map(|i| f(node(i))))?;
        let rule = |stride: usize| {
            let weight = |i: usize| match i / stride {
                0 => 1.0,
                j if j == count / stride => 1.0,
                j if j % 2 == 1 => 4.0,
                _ => 2.0,
            };
            let sum: f64 = (0..=count).step_by(stride).map(|i| weight(i) * values[i].value).sum();
            sum * (b - a) * stride as f64 / (3.0 * count as f64)
        };
        let (fine, rough) = (rule(1), rule(2));
        let noise = values.iter().map(|v| v.error).fold(0.0, f64::max);
        value += fine;
        // a kink between two nodes changes the sum by its bend times the distance of the nodes
        let bend = values.windows(3).map(|w| (w[0].value - 2.0 * w[1].value + w[2].value).abs()).fold(0.0, f64::max);
        error += (fine - rough).abs() + noise + bend * (b - a) / count as f64;
    }
    FloatEstimate::new(value, error)
}

/// Returns the least tried distance at which a test is certain. Returns `None` if it is not certain within 1/64.
fn find_resolution(mut certain: impl FnMut(f64) -> Option<bool>) -> Option<f64> {
    // a choice: from the rounding error in steps of 8, which is accurate enough for a believed error
    let mut distance = 1e-13;
    while distance < 1.0 / 64.0 {
        if certain(distance)? {
            return Some(distance);
        }
        distance *= 8.0;
    }
    None
}

/// Estimates the sign change of `f` between `a`, where it is positive, and `b`, where it is negative.
fn bisect_sign_change(f: EstimateFn, mut a: f64, mut b: f64) -> Option<FloatEstimate> {
    // 60 halvings exhaust the 53 bits of a double
    for _ in 0..60 {
        let middle = a + (b - a) / 2.0;
        if middle <= a || middle >= b {
            break;
        }
        if f(middle)?.value > 0.0 {
            a = middle;
        } else {
            b = middle;
        }
    }
    let root = a + (b - a) / 2.0;
    // the error is the distance at which the signs are certain despite the errors of the values
    let error = find_resolution(|d| {
        let (before, after) = (f(root - d * (1.0 + root.abs()))?, f(root + d * (1.0 + root.abs()))?);
        Some(before.value > 2.0 * before.error && after.value < -2.0 * after.error)
    })?;
    FloatEstimate::new(root, error * (1.0 + root.abs()))
}

/// Estimates the root of a decreasing function on the line. Returns `None` if there is no sign change within about
/// ±10⁹.
pub(super) fn estimate_cut_root(f: EstimateFn) -> Option<FloatEstimate> {
    let mut scale = 1.0;
    while scale < 1e9 {
        if f(-scale)?.value > 0.0 && f(scale)?.value < 0.0 {
            return bisect_sign_change(f, -scale, scale);
        }
        // powers of 4 reach 10⁹ in 15 steps
        scale *= 4.0;
    }
    None
}

/// Values so near to 0 that they may cross it between two samples. A choice.
const NEAR_ZERO: f64 = 1e-2;

/// Estimates the first sign change from positive to negative on [0, 1]: 0 if `f(0)` is negative, 1 if there is none.
/// Returns `None` if a root may be hidden between samples.
pub(super) fn estimate_first_root(f: EstimateFn) -> Option<FloatEstimate> {
    let node = |i: usize| i as f64 / SAMPLE_INTERVALS as f64;
    let mut positive: Option<f64> = None;
    let mut near = false;
    for i in 0..=SAMPLE_INTERVALS {
        let y = f(node(i))?;
        match positive {
            None if y.value < -NEAR_ZERO => return FloatEstimate::new(0.0, 0.0),
            Some(last) if y.value < -2.0 * y.error => {
                let root = bisect_sign_change(f, last, node(i))?;
                // near the ends of the interval the root may be clamped to them, so no estimate is given
                return (root.value > 1e-3 && root.value < 0.999).then_some(root);
            }
            // values near 0 that rise again may have crossed it between two samples
            _ if y.value >= NEAR_ZERO && near => return None,
            _ if y.value >= NEAR_ZERO => positive = Some(node(i)),
            None => return None,
            _ => near = true,
        }
    }
    if near { None } else { FloatEstimate::new(1.0, 0.0) }
}

/// Estimates the greatest value on the unit interval, and a point where it is attained.
pub(super) fn estimate_maximum(f: EstimateFn) -> Option<(f64, FloatEstimate)> {
    let node = |i: usize| i as f64 / SAMPLE_INTERVALS as f64;
    let values = collect_all((0..=SAMPLE_INTERVALS).map(|i| f(node(i))))?;
    let best = (0..=SAMPLE_INTERVALS).max_by(|&i, &j| values[i].value.total_cmp(&values[j].value))?;
    let (mut place, mut height) = (node(best), values[best]);
    let (mut a, mut b) = (node(best.saturating_sub(1)), node((best + 1).min(SAMPLE_INTERVALS)));
    let golden = 0.618_033_988_749_895;
    // 40 golden sections shrink the interval by 0.618⁴⁰ ≈ 4·10⁻⁹
    for _ in 0..40 {
        let (x, y) = (b - golden * (b - a), a + golden * (b - a));
        let (at_x, at_y) = (f(x)?, f(y)?);
        for (at, value) in [(x, at_x), (y, at_y)] {
            if value.value > height.value {
                (place, height) = (at, value);
            }
        }
        if at_x.value > at_y.value {
            b = y;
        } else {
            a = x;
        }
    }
    // a hidden peak between samples is taken to exceed them by no more than the greatest second difference
    let bends = values.windows(3).map(|w| (w[0].value - 2.0 * w[1].value + w[2].value).abs());
    let elsewhere = values.iter().enumerate().filter(|(i, _)| i.abs_diff(best) > 1);
    let rival = elsewhere.map(|(_, v)| v.value).fold(f64::NEG_INFINITY, f64::max);
    let hidden = (rival + bends.fold(0.0, f64::max) - height.value).max(0.0);
    Some((place, FloatEstimate::new(height.value, height.error + hidden)?))
}

/// Estimates the maximiser on the unit interval. Returns `None` if another sample comes close to the maximum.
pub(super) fn estimate_maximiser(f: EstimateFn) -> Option<FloatEstimate> {
    let (place, height) = estimate_maximum(f)?;
    for i in 0..=SAMPLE_INTERVALS {
        let x = i as f64 / SAMPLE_INTERVALS as f64;
        let y = f(x)?;
        // a choice: within 10⁻³ of the maximum, away from the maximiser, the two may tie
        if (x - place).abs() > 1.5 / SAMPLE_INTERVALS as f64 && y.value + 1e-3 + y.error + height.error > height.value {
            return None;
        }
    }
    let error = find_resolution(|d| {
        let lower = |x: f64, f: EstimateFn| -> Option<bool> {
            // beyond the ends of the interval there is no rival
            if !(0.0..=1.0).contains(&x) {
                return Some(true);
            }
            let y = f(x)?;
            Some(y.value + 4.0 * (y.error + height.error + f64::EPSILON * height.value.abs()) < height.value)
        };
        Some(lower(place - d, f)? && lower(place + d, f)?)
    })?;
    FloatEstimate::new(place, error)
}
