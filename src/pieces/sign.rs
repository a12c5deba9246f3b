//! The sign of a number, decided as far as it can be.

use super::fraction::Normaliser;
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
    let mut agreement = None;
    let mut at = |tier: Tier| -> Option<Ordering> {
        let effort = Effort::new(Magnitude::power_of_two(-i64::from(tier.bits())), budget);
        let found = evaluation.approximate(tier, &effort).ok().filter(|found| found.is_defined())?;
        let size = found.lo().clone().abs().max(&found.hi().clone().abs());
        agreement = size.get_exp().map(i64::from).or(agreement);
        match (*found.lo() > 0, *found.hi() < 0, found.is_point()) {
            (true, ..) => Some(Ordering::Greater),
            (_, true, _) => Some(Ordering::Less),
            (_, _, true) => Some(Ordering::Equal),
            _ => None,
        }
    };
    if let Some(found) = at(Tier::Double) {
        return Ok(found);
    }
    if let Some(q) = Normaliser::default().fraction(g).and_then(|fraction| fraction.as_rational()) {
        return Ok(of(&q));
    }
    match PRECISIONS.into_iter().take_while(|_| !budget.is_exhausted()).find_map(|bits| at(Tier::Mpfr(bits))) {
        Some(found) => Ok(found),
        None => Err(agreement),
    }
}
