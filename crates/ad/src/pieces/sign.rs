//! The sign of a number, decided as far as it can be.

use super::fraction::{Fraction, Normaliser};
use crate::number::budget::Budget;
use crate::number::effort::Effort;
use crate::number::real::{Approximation, Tier};
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::Graph;
use std::cmp::Ordering;

/// The precisions at which a number is asked after its normal form said nothing.
const PRECISIONS: [u32; 3] = [128, 512, 2048];

/// How a closed graph compares to 0: by an enclosure, then exactly by its [normal form](super::fraction), then by narrower
/// enclosures. It is never guessed.
///
/// # Errors
/// Where that does not decide it, or the number has no value: an exponent of 2 below whose power it lies, where one is known.
pub fn sign(g: &Graph, budget: &Budget) -> Result<Ordering, Option<i64>> {
    let of = |q: &Rational| q.cmp0();
    if let Some(q) = g.as_rational() {
        return Ok(of(q));
    }
    let Ok(evaluation) = g.evaluation() else { return Err(None) };
    let at = |tier: Tier| -> Result<Ordering, Option<i64>> {
        let effort = Effort::new(Magnitude::power_of_two(-i64::from(tier.bits())), budget);
        let found = evaluation.approximate(tier, &effort).ok().filter(|found| found.is_defined()).ok_or(None)?;
        match (*found.lo() > 0, *found.hi() < 0, found.is_point()) {
            (true, ..) => Ok(Ordering::Greater),
            (_, true, _) => Ok(Ordering::Less),
            (_, _, true) => Ok(Ordering::Equal),
            _ => Err(found.lo().clone().abs().max(&found.hi().clone().abs()).get_exp().map(i64::from)),
        }
    };
    let mut agreement = match at(Tier::Double) {
        Ok(sign) => return Ok(sign),
        Err(found) => found,
    };
    let fraction = Normaliser::default().fraction(g);
    if let Some(q) = fraction.as_ref().and_then(Fraction::as_rational) {
        return Ok(of(&q));
    }
    let is_zero = fraction.is_some_and(|fraction| fraction.is_zero());
    for bits in PRECISIONS {
        // what is 0 wherever it has a value, and has one
        if is_zero && agreement.is_some() {
            return Ok(Ordering::Equal);
        }
        if budget.is_exhausted() {
            break;
        }
        match at(Tier::Mpfr(bits)) {
            Ok(sign) => return Ok(sign),
            Err(found) => agreement = found.or(agreement),
        }
    }
    Err(agreement)
}
