//! The test that a primitive from Rust is related to its declared derivative: the condition of W §3.3, at its type.

use super::drawn::draw_plots;
use super::{DualPlots, DualRelation, LinePlot};
use crate::meaning::pap::foreign::{ForeignError, ForeignPrimitive};
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// Returns c, or c_𝒟, after an argument.
fn apply_primitive(c: &ForeignPrimitive, argument: &LinePlot, is_dual: bool) -> LinePlot {
    let (c, argument) = (c.clone(), argument.clone());
    Arc::new(move |model| {
        let (c, argument, world) = (c.clone(), argument(model)?, model.0.clone());
        Ok(StageFunction::new(move |t: &Element| {
            let x = argument.apply(t)?;
            if !is_dual {
                return world.checked_value(&c, &x).map(Value::Real);
            }
            let [value, slope] = world.checked_dual(&c, &x)?;
            Ok(Element::tuple_of([Value::Real(value), Value::Real(slope)]))
        }))
    })
}

/// Tests a primitive at `samples` related arguments. Survival is no proof.
///
/// # Errors
/// [`ForeignError::NotDual`] if c(x) and c_𝒟(x′) are not related for some related x and x′. [`ForeignError::Untried`]
/// if no sample has any content.
pub fn test_primitive(c: &ForeignPrimitive, samples: u64, seed: u64) -> Result<(), ForeignError> {
    let (relation, name) = (DualRelation::default(), || c.0.name().to_owned());
    let mut all = Verdict::Vacuous;
    for index in 0..samples {
        let mut random = SplitMix64::for_sample(seed, index);
        // a type without random plots gives no samples, which ends as `Untried`
        let Some(argument) = draw_plots(&c.0.domain_type(), true, &mut random) else { continue };
        let of = |plot, is_dual| apply_primitive(c, plot, is_dual);
        let both = DualPlots { plot: of(&argument.plot, false), representation: of(&argument.representation, true) };
        let verdict = relation.test_related(&Ty::real(), &both, &mut random).verdict;
        if let Verdict::Refuted { witness, left, right } = verdict {
            return Err(ForeignError::NotDual { name: name(), witness, left, right });
        }
        all = all.and(verdict);
    }
    match all {
        Verdict::Survived => Ok(()),
        _ => Err(ForeignError::Untried { name: name() }),
    }
}
