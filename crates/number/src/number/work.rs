//! What an operation on long numbers costs, in the units that a [budget](super::budget) counts.
//!
//! A unit is an operation on two doubles with what goes around it, some [`NANOSECONDS`]. Up to 32 limbs of 64 bits an operation
//! counts as many units as the numbers have limbs, whatever it is: there the clock is looked at often enough. Beyond that
//! the estimates follow what MPFR takes, so that an operation that would take long is known to before it is begun. They
//! depend on sizes alone, so that the same question does the same work on every machine.
//!
//! | operation on n limbs | units | because |
//! |---|---|---|
//! | sum | n | one pass |
//! | product | n^{3/2}/4 | between Karatsuba's exponent and that of Schönhage and Strassen |
//! | quotient | four products | Newton's method |
//! | elementary function | from 32 to 1024 products, twice for the two ends of an interval, each way | binary splitting, or the arithmetic-geometric mean |
//! | log Γ and its derivatives | for each 4 bits and each 2 orders a power, a quotient and products, of no more bits than are computed | steps upward, then Stirling's series |
//! | the error function | four products for each term, of however few limbs | a power series in x², whose terms first grow |

use super::context::Function;
use super::gamma;
use crate::function::Course;

/// What a unit takes, roughly and rather too much.
pub const NANOSECONDS: u64 = 40;

/// Up to so many limbs every operation is cheap.
const FEW: u64 = 32;

/// The limbs of a number of so many bits.
#[must_use]
pub fn limbs(bits: u32) -> u64 {
    u64::from(bits.div_ceil(64))
}

/// A product of two numbers of so many limbs, or a conversion of one from or to a fraction.
#[must_use]
pub fn product(limbs: u64) -> u64 {
    if limbs <= FEW { limbs } else { limbs.saturating_mul(limbs.isqrt()) / 4 }
}

/// A quotient.
#[must_use]
pub fn quotient(limbs: u64) -> u64 {
    if limbs <= FEW { limbs } else { product(limbs).saturating_mul(4) }
}

/// The power of exponent n.
#[must_use]
pub fn power(limbs: u64, n: u64) -> u64 {
    if limbs <= FEW { limbs } else { product(limbs).saturating_mul(2 * u64::from(n.max(2).ilog2())) }
}

/// The n-th root. MPFR takes it of an integer of n times the digits where n is small, else by a logarithm.
#[must_use]
pub fn root(limbs: u64, n: u32) -> u64 {
    match n {
        0 | 1 => 0,
        2..=100 => product(limbs.saturating_mul(u64::from(n))),
        _ if limbs <= FEW => limbs,
        _ => elementary(limbs).saturating_mul(2),
    }
}

/// A function of an argument below 2ᵉ, e = `exponent`: what reduces an angle has as many digits as the angle before the
/// point besides its own.
#[must_use]
pub fn function(f: Function, limbs: u64, exponent: i64) -> u64 {
    match f {
        Function::Sqrt => product(limbs),
        Function::Cbrt => root(limbs, 3),
        Function::Sin | Function::Cos | Function::Tan => {
            let angle = u64::try_from(exponent).unwrap_or(0) / 64;
            let reduction = if angle <= FEW { 0 } else { product(limbs.saturating_add(angle)).saturating_mul(16) };
            elementary(limbs).saturating_add(reduction)
        }
        Function::Erf | Function::Erfc => error_function(limbs, exponent),
        // least values of what is convex are sought
        _ if let Some(order) = gamma::order(f) => match f.row().course {
            Course::ConvexBranches => gamma_function(limbs, order).saturating_mul(4),
            _ => gamma_function(limbs, order),
        },
        _ => elementary(limbs),
    }
}

/// A function of two variables: a quotient and a function of it.
#[must_use]
pub fn planar(limbs: u64) -> u64 {
    quotient(limbs).saturating_add(elementary(limbs))
}

/// As many steps upward as [`gamma`] takes, each a power and a quotient, and half as many terms of a series; once more where terms cancel,
/// at two ends.
fn gamma_function(limbs: u64, order: u32) -> u64 {
    let bits = u32::try_from(limbs.saturating_mul(64)).map_or(gamma::MOST_BITS, |bits| bits.min(gamma::MOST_BITS));
    let (steps, limbs) = (gamma::far_out(bits, order) as u64, u64::from(bits / 64));
    let products = 3 + 2 * u64::from(order.max(1).ilog2());
    // what goes around an operation counts where numbers are short
    let step = quotient(limbs) + products * (product(limbs) + 8);
    8 * steps * step + 2 * elementary(limbs)
}

fn elementary(limbs: u64) -> u64 {
    if limbs <= FEW { limbs } else { product(limbs).saturating_mul(4 * (limbs / 4).min(256)) }
}

/// x² bits cancel before the series converges, unless 1 - erf x, about exp(-x²), is too small to matter or has a series in 1/x.
fn error_function(limbs: u64, exponent: i64) -> u64 {
    let bits = limbs.saturating_mul(64);
    let square =
        |exponent: i64| 1_u64.checked_shl(u32::try_from(2 * exponent.clamp(0, 32)).unwrap_or(0)).unwrap_or(u64::MAX);
    let far = square(exponent.saturating_sub(1)) > bits.saturating_add(64);
    let grow = if far { 0 } else { square(exponent) };
    let terms = (bits / 8).saturating_add(grow.saturating_mul(4));
    product(limbs.saturating_add(grow / 44)).saturating_mul(4).saturating_mul(terms)
}
