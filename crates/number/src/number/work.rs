//! The costs of operations on long numbers, in the units of work that a [budget](super::budget) counts.
//!
//! A unit is an operation on two doubles with its overhead, some [`NANOSECONDS_PER_UNIT`]. Up to 32 limbs of 64 bits, an operation counts
//! as many units as the numbers have limbs, whatever the operation is: such operations are short, and the clock is read often
//! enough. Beyond that the estimates follow the running time of MPFR, so that an operation that would take long is known before
//! it begins. They depend on sizes alone, so that the same question does the same work on every machine.
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
use crate::function::Monotonicity;

/// The time of a unit of work in nanoseconds, roughly, and rather too much.
pub const NANOSECONDS_PER_UNIT: u64 = 40;

/// The number of limbs up to which every operation is cheap. A choice.
const CHEAP_LIMBS: u64 = 32;

/// Returns the number of 64-bit limbs of a number of `bits` bits.
#[must_use]
pub fn limb_count(bits: u32) -> u64 {
    u64::from(bits.div_ceil(64))
}

/// Returns the units of a product of two numbers, or of a conversion from or to a fraction.
#[must_use]
pub fn product_units(limbs: u64) -> u64 {
    if limbs <= CHEAP_LIMBS { limbs } else { limbs.saturating_mul(limbs.isqrt()) / 4 }
}

/// Returns the units of a quotient.
#[must_use]
pub fn quotient_units(limbs: u64) -> u64 {
    if limbs <= CHEAP_LIMBS { limbs } else { product_units(limbs).saturating_mul(4) }
}

/// Returns the units of an n-th power.
#[must_use]
pub fn power_units(limbs: u64, n: u64) -> u64 {
    // At most two products for each bit of the exponent.
    if limbs <= CHEAP_LIMBS { limbs } else { product_units(limbs).saturating_mul(2 * u64::from(n.max(2).ilog2())) }
}

/// Returns the units of an n-th root. For small n, MPFR takes the root of an integer with n times the digits; else it uses a
/// logarithm.
#[must_use]
pub fn root_units(limbs: u64, n: u32) -> u64 {
    match n {
        0 | 1 => 0,
        2..=100 => product_units(limbs.saturating_mul(u64::from(n))),
        _ if limbs <= CHEAP_LIMBS => limbs,
        _ => elementary_units(limbs).saturating_mul(2),
    }
}

/// Returns the units of an elementary function of an argument below 2ᵉ, e = `exponent`.
///
/// The reduction of an angle needs as many more digits as the angle has before the point.
#[must_use]
pub fn function_units(f: Function, limbs: u64, exponent: i64) -> u64 {
    match f {
        Function::Sqrt => product_units(limbs),
        Function::Cbrt => root_units(limbs, 3),
        Function::Sin | Function::Cos | Function::Tan => {
            // The limbs of the angle before the point; 0 for angles below 1.
            let angle = u64::try_from(exponent).unwrap_or(0) / 64;
            let reduction =
                if angle <= CHEAP_LIMBS { 0 } else { product_units(limbs.saturating_add(angle)).saturating_mul(16) };
            elementary_units(limbs).saturating_add(reduction)
        }
        Function::Erf | Function::Erfc => erf_units(limbs, exponent),
        // On an interval of a convex branch the minimum is searched for by Newton's method: a choice of four evaluations.
        _ if let Some(order) = gamma::derivative_order(f) => match f.row().monotonicity {
            Monotonicity::ConvexBranches => gamma_units(limbs, order).saturating_mul(4),
            _ => gamma_units(limbs, order),
        },
        _ => elementary_units(limbs),
    }
}

/// Returns the units of a function of two variables: a quotient and an elementary function of it.
#[must_use]
pub fn binary_function_units(limbs: u64) -> u64 {
    quotient_units(limbs).saturating_add(elementary_units(limbs))
}

/// Returns the units of a derivative of log Γ of an order.
///
/// The steps upward are those of [`gamma`], each a power and a quotient, and the series has half as many terms. Where terms
/// cancel everything is computed once more, and all of it at two ends.
fn gamma_units(limbs: u64, order: u32) -> u64 {
    // The precision is capped where `gamma` caps it.
    let bits =
        u32::try_from(limbs.saturating_mul(64)).map_or(gamma::MAX_GAMMA_BITS, |bits| bits.min(gamma::MAX_GAMMA_BITS));
    let (steps, limbs) = (gamma::series_start(bits, order) as u64, u64::from(bits / 64));
    let products = 3 + 2 * u64::from(order.max(1).ilog2());
    // The overhead of an operation, a choice of 8 units, counts if numbers are short.
    let step = quotient_units(limbs) + products * (product_units(limbs) + 8);
    8 * steps * step + 2 * elementary_units(limbs)
}

/// Returns the units of an elementary function on an interval, both ends.
fn elementary_units(limbs: u64) -> u64 {
    if limbs <= CHEAP_LIMBS { limbs } else { product_units(limbs).saturating_mul(4 * (limbs / 4).min(256)) }
}

/// Returns the units of the error function at an argument below 2ᵉ, e = `exponent`.
///
/// About x² bits cancel before the power series converges. If 1 - erf x, about exp(-x²), is negligible, or has a series in 1/x,
/// none do.
fn erf_units(limbs: u64, exponent: i64) -> u64 {
    let bits = limbs.saturating_mul(64);
    let square =
        |exponent: i64| 1_u64.checked_shl(u32::try_from(2 * exponent.clamp(0, 32)).unwrap_or(0)).unwrap_or(u64::MAX);
    // The argument is about 2^(e-1) or more, and x² exceeds the precision: erf is ±1 up to rounding, and erfc has its series in
    // 1/x.
    let far = square(exponent.saturating_sub(1)) > bits.saturating_add(64);
    let grow = if far { 0 } else { square(exponent) };
    let terms = (bits / 8).saturating_add(grow.saturating_mul(4));
    // x²/ln 2 bits are x²/44 limbs of 64 bits.
    product_units(limbs.saturating_add(grow / 44)).saturating_mul(4).saturating_mul(terms)
}
