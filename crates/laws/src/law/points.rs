//! Random dyadic numbers, points and directions, half of them where kinks and edges lie.
//!
//! They shrink towards fewer bits by [`simpler_rationals`].

pub use crate::smooth::tower::consistency::simpler_rationals;

use crate::number::Rational;
use crate::random::SplitMix64;

/// Draws a dyadic number in [−2, 2]: −1, 0 or 1 in half of the cases, otherwise a multiple of 1/16.
pub fn random_dyadic(random: &mut SplitMix64) -> Rational {
    if random.random_bool(50) {
        Rational::from(random.next_below(3) as i64 - 1)
    } else {
        Rational::from((random.next_below(65) as i64 - 32, 16))
    }
}

/// Draws a dyadic number in (−2, 2) that is no integer: an odd multiple of 1/32, off every usual kink.
pub fn random_odd_dyadic(random: &mut SplitMix64) -> Rational {
    Rational::from((2 * random.next_below(64) as i64 - 63, 32))
}

/// Draws a point of ℝⁿ with dyadic coordinates. A third of them equal the first, so that max(x, y) is on its kink.
pub fn random_point(random: &mut SplitMix64, n: usize) -> Vec<Rational> {
    let first = random_dyadic(random);
    (0..n).map(|_| if random.next_below(3) == 0 { first.clone() } else { random_dyadic(random) }).collect()
}

/// Draws a direction in ℝⁿ with integer coordinates in [−3, 3].
pub fn random_direction(random: &mut SplitMix64, n: usize) -> Vec<Rational> {
    (0..n).map(|_| Rational::from(random.next_below(7) as i64 - 3)).collect()
}
