//! Random dyadic numbers and vectors, half of them where kinks and edges lie.
//!
//! They shrink towards fewer bits: [`smaller`].

pub use crate::smooth::tower::consistency::smaller;

use crate::number::Rational;
use crate::random::Random;

/// A dyadic number between -2 and 2: an integer in one case of two.
pub fn dyadic(random: &mut Random) -> Rational {
    if random.chance(50) {
        Rational::from(random.below(3) as i64 - 1)
    } else {
        Rational::from((random.below(65) as i64 - 32, 16))
    }
}

/// A dyadic number between -2 and 2 that is no integer: off every usual kink.
pub fn odd_dyadic(random: &mut Random) -> Rational {
    Rational::from((2 * random.below(64) as i64 - 63, 32))
}

/// A point of ℝⁿ with dyadic coordinates, of which one in three is that of the first, so that max(x, y) is on its kink.
pub fn point(random: &mut Random, n: usize) -> Vec<Rational> {
    let first = dyadic(random);
    (0..n).map(|_| if random.below(3) == 0 { first.clone() } else { dyadic(random) }).collect()
}

/// A direction with whole coordinates between -3 and 3.
pub fn direction(random: &mut Random, n: usize) -> Vec<Rational> {
    (0..n).map(|_| Rational::from(random.below(7) as i64 - 3)).collect()
}
