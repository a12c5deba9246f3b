//! The part of a cube in a half-space: its volume and first moments, in closed form.
//!
//! With Gₙ(u) = max(0, u)ⁿ/n!, and sums over the corners s of [-1, 1]ᵈ,
//!
//! ∫ 1[a·t + b > 0] dt = Σ Π sᵢ · G_d(b + a·s) / Π aᵢ
//!
//! ∫ t_k 1[a·t + b > 0] dt = (Σ Π_{i≠k} sᵢ · G_d(b + a·s) - Σ Π sᵢ · G_{d+1}(b + a·s) / a_k) / Π aᵢ
//!
//! by integration along one axis after the other. The sums cost 2ᵈ terms.

use crate::number::context::Context;
use crate::number::{Double, Interval};

/// The greatest number of axes. A choice: the formula sums over 2ᵈ corners.
pub const MOST_AXES: usize = 6;

/// The part of the cube [-1, 1]ᵈ in a half-space.
#[derive(Clone, Debug)]
pub struct CubePart {
    /// The fraction of the volume.
    pub volume: Interval<f64>,
    /// The means over the whole cube of the coordinates on the part, with 0 elsewhere.
    pub moments: Vec<Interval<f64>>,
}

/// Computes the part of the cube where a·t + b > 0. An axis with coefficient 0 has no influence.
#[must_use]
pub fn half_space_part(a: &[f64], b: f64) -> CubePart {
    let c = Double;
    let axes: Vec<usize> = (0..a.len()).filter(|&i| a[i] != 0.0).collect();
    let d = axes.len();
    let zero = c.enclose_integer(0);
    if d == 0 || d > MOST_AXES {
        // a·t + b = 0 everywhere: either side may count
        let volume = match () {
            () if d > 0 || b == 0.0 => c.hull(&zero, &c.enclose_integer(1)),
            () if b > 0.0 => c.enclose_integer(1),
            () => zero,
        };
        let unknown = c.hull(&c.enclose_integer(-1), &c.enclose_integer(1));
        return CubePart { volume, moments: vec![if d > 0 { unknown } else { zero }; a.len()] };
    }
    let slopes: Vec<Interval<f64>> = axes.iter().map(|&i| Interval::point(a[i])).collect();
    let middle = Interval::point(b);
    let factorial = |n: usize| (1..=n as u64).product::<u64>();
    let mut volume = zero;
    let mut plain = vec![zero; d];
    let mut higher = zero;
    for corner in 0..1u32 << d {
        let sign = |i: usize| corner >> i & 1 == 1;
        let at = (0..d).fold(middle, |at, i| if sign(i) { c.add(&at, &slopes[i]) } else { c.sub(&at, &slopes[i]) });
        let above = c.max(&zero, &at);
        // a corner outside of the half-space contributes G(0) = 0
        if *above.hi() <= 0.0 {
            continue;
        }
        let own = c.div_integer(&c.power(&above, d as u32), factorial(d));
        let next = c.div_integer(&c.power(&above, d as u32 + 1), factorial(d + 1));
        // the sign of a corner is the product of its coordinates
        let negative = (0..d).filter(|&i| !sign(i)).count();
        let signed = |x: &Interval<f64>, negative: usize| if negative % 2 == 1 { c.neg(x) } else { *x };
        volume = c.add(&volume, &signed(&own, negative));
        higher = c.add(&higher, &signed(&next, negative));
        for (k, sum) in plain.iter_mut().enumerate() {
            let others = negative - usize::from(!sign(k));
            *sum = c.add(sum, &signed(&own, others));
        }
    }
    let scale = slopes.iter().fold(c.enclose_integer(1 << d), |product, a| c.mul(&product, a));
    // rounding may leave the possible values, as large terms cancel
    let unit = c.hull(&zero, &c.enclose_integer(1));
    let within = |found: &Interval<f64>, bound: &Interval<f64>| c.intersect(found, bound).unwrap_or(*bound);
    let volume = within(&c.div(&volume, &scale), &unit);
    // in the mean a coordinate is at most 1/2 on a half of the cube
    let half = c.hull(&c.div_integer(&c.enclose_integer(-1), 2), &c.div_integer(&c.enclose_integer(1), 2));
    let mut moments = vec![zero; a.len()];
    for (k, &axis) in axes.iter().enumerate() {
        let own = c.sub(&plain[k], &c.div(&higher, &slopes[k]));
        moments[axis] = within(&c.div(&own, &scale), &half);
    }
    CubePart { volume, moments }
}
