//! The test that a primitive from Rust is related to its declared derivative: the condition of W §3.3, at its type.

use super::drawn::plots;
use super::{Plot, Plots, Relation};
use crate::meaning::pap::foreign::{ForeignError, Primitive};
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// Returns c, or c_𝒟, after an argument.
fn at(c: &Primitive, argument: &Plot, is_dual: bool) -> Plot {
    let (c, argument) = (c.clone(), argument.clone());
    Arc::new(move |model| {
        let (c, argument, world) = (c.clone(), argument(model)?, model.0.clone());
        Ok(Function::new(move |t: &Element| {
            let x = argument.apply(t)?;
            if !is_dual {
                return world.foreign_value(&c, &x).map(Value::Real);
            }
            let [value, slope] = world.foreign_dual(&c, &x)?;
            Ok(Element::tuple([Value::Real(value), Value::Real(slope)]))
        }))
    })
}

/// Tests a primitive at `samples` related arguments. Survival is no proof.
///
/// # Errors
/// [`ForeignError::NotDual`] if c(x) and c_𝒟(x′) are not related for some related x and x′. [`ForeignError::Untried`]
/// if no sample has any content.
pub fn tried(c: &Primitive, samples: u64, seed: u64) -> Result<(), ForeignError> {
    let (relation, name) = (Relation::default(), || c.0.name().to_owned());
    let mut all = Verdict::Vacuous;
    for index in 0..samples {
        let mut random = Random::of(seed, index);
        // a type without random plots gives no samples, which ends as `Untried`
        let Some(argument) = plots(&c.0.domain(), true, &mut random) else { continue };
        let of = |plot, is_dual| at(c, plot, is_dual);
        let both = Plots { plot: of(&argument.plot, false), representation: of(&argument.representation, true) };
        let verdict = relation.relates(&Ty::real(), &both, &mut random).verdict;
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
