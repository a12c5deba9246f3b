//! One-sided difference quotients at a single point, at smaller and smaller scales.

use super::super::{EnclosureVector, Tower, TowerError};
use super::numbers::{SampleEnclosures, is_number};
use super::{ConsistencySample, Discrepancy};
use crate::number::Rational;
use crate::number::context::Context;

/// Returns the exponents of the scales 2^-4, 2^-8, …, down to 2^-60 or a third of the digits. A choice: smaller scales
/// cancel too much.
fn scale_exponents(precision: u32) -> impl Iterator<Item = u32> {
    (1..=(precision / 3).clamp(16, 60) / 4).map(|i| 4 * i)
}

/// Returns a component whose one-sided quotients stay away from its derivative. Returns `None` if there is none.
pub(super) fn find_discrepancy<C: Context>(
    f: &Tower<C>,
    context: &C,
    sample: &ConsistencySample,
) -> Result<Option<Box<Discrepancy>>, TowerError> {
    if sample.step.iter().all(Rational::is_zero) {
        return Ok(None);
    }
    let at = SampleEnclosures::new(context, sample);
    let here = f.derivative(&at.x, &at.directions, context)?;
    let derivative = f.derivative(&at.x, &at.directions_and_step(), context)?;
    let mut distances = vec![Vec::new(); f.outputs()];
    let mut last = Vec::new();
    for scale in scale_exponents(context.precision()) {
        let t = context.enclose_rational(&(Rational::from(1) >> scale));
        let near: EnclosureVector<C> =
            at.x.iter().zip(&at.step).map(|(x, h)| context.add(x, &context.mul(&t, h))).collect();
        let there = f.derivative(&near, &at.directions, context)?;
        last = (0..f.outputs()).map(|i| context.mul_integer(&context.sub(&there[i], &here[i]), 1 << scale)).collect();
        for (i, quotient) in last.iter().enumerate() {
            let known = [&here[i], &there[i], quotient].iter().all(|x| is_number(context, x));
            let known = known && context.is_defined(&derivative[i]) && context.is_bounded(&derivative[i]);
            // An unknown quotient at any scale leaves the component untested.
            distances[i].push(known.then(|| approximate_distance(context, quotient, &derivative[i])));
        }
    }
    for (i, distances) in distances.iter().enumerate() {
        let Some(distances) = distances.iter().cloned().collect::<Option<Vec<f64>>>() else { continue };
        let [.., before, end] = distances[..] else { continue };
        // A quotient that converges comes nearer in proportion to the scale, or to a root of it. The bounds 1e-2 and 0.6
        // are choices.
        let size = context.magnitude(&derivative[i]).to_f64().max(1.0);
        if end > 1e-2 * size && end > before * 0.6 {
            return Ok(Some(Box::new(Discrepancy {
                sample: sample.clone(),
                component: i,
                scale: Rational::from(1) >> scale_exponents(context.precision()).last().unwrap_or(0),
                quotient: context.to_enclosure(&last[i]).to_string(),
                derivative: context.to_enclosure(&derivative[i]).to_string(),
            })));
        }
    }
    Ok(None)
}

/// Returns the approximate distance of two bounded enclosures; 0 if they meet.
fn approximate_distance<C: Context>(context: &C, a: &C::Num, b: &C::Num) -> f64 {
    let (a, b) = (context.to_enclosure(a), context.to_enclosure(b));
    let below = b.lo().to_f64() - a.hi().to_f64();
    let above = a.lo().to_f64() - b.hi().to_f64();
    below.max(above).max(0.0)
}
