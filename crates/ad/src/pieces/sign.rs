//! The sign of a number, decided as far as possible.

use super::fraction::{RationalFunction, RationalNormalForm};
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::Graph;
use std::cmp::Ordering;

/// The precisions, in bits, of the enclosures after normal forms did not decide. A choice: each takes four times as
/// many bits.
const PRECISIONS: [u32; 3] = [128, 512, 2048];

/// Returns the sign of a closed graph: by an enclosure, then exactly by its [normal form](super::fraction), then by
/// narrower enclosures. A returned sign is certain.
///
/// # Errors
/// `Err(AtMost(e))` if the number is certainly at most 2^e in absolute value, but undecided. `Err(None)` if no enclosure
/// is known, as outside a domain.
pub fn decide_sign(g: &Graph, budget: &Budget) -> Result<Ordering, Option<i64>> {
    let of = |q: &Rational| q.cmp0();
    if let Some(q) = g.as_rational() {
        return Ok(of(q));
    }
    let Ok(evaluation) = g.compile_evaluation() else { return Err(None) };
    let at = |tier: Precision| -> Result<Ordering, Option<i64>> {
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits())), budget);
        let found = evaluation.enclose_in_pass(tier, &effort).ok().filter(|found| found.is_defined()).ok_or(None)?;
        match (*found.lo() > 0, *found.hi() < 0, found.is_point()) {
            (true, ..) => Ok(Ordering::Greater),
            (_, true, _) => Ok(Ordering::Less),
            (_, _, true) => Ok(Ordering::Equal),
            // the enclosure contains 0: its larger end bounds the absolute value
            _ => Err(found.lo().clone().abs().max(&found.hi().clone().abs()).get_exp().map(i64::from)),
        }
    };
    let mut agreement = match at(Precision::Double) {
        Ok(sign) => return Ok(sign),
        Err(found) => found,
    };
    let fraction = RationalNormalForm::default().normal_form(g);
    if let Some(q) = fraction.as_ref().and_then(RationalFunction::as_rational) {
        return Ok(of(&q));
    }
    let is_zero = fraction.is_some_and(|fraction| fraction.is_zero());
    for bits in PRECISIONS {
        // equal to 0 wherever it has a value; `agreement` shows that it has one
        if is_zero && agreement.is_some() {
            return Ok(Ordering::Equal);
        }
        if budget.is_exhausted() {
            break;
        }
        match at(Precision::Mpfr(bits)) {
            Ok(sign) => return Ok(sign),
            Err(found) => agreement = found.or(agreement),
        }
    }
    Err(agreement)
}
