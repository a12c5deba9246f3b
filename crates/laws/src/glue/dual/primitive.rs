//! Whether a primitive from Rust belongs to what it gives for its derivative: the condition of W §3.3, at its type.

use super::drawn::plots;
use super::{Plot, Plots, Relation};
use crate::meaning::pap::foreign::{ForeignError, Primitive};
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// c, or c_𝒟, at an argument that varies.
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

/// Tries a primitive at so many related arguments. What survives is not proved.
///
/// # Errors
/// [`ForeignError::NotDual`], where c(x) and c_𝒟(x′) are not related for some related x and x′, and [`ForeignError::Untried`], where none of
/// them says anything.
pub fn tried(c: &Primitive, samples: u64, seed: u64) -> Result<(), ForeignError> {
    let (relation, name) = (Relation::default(), || c.0.name().to_owned());
    let mut all = Verdict::Vacuous;
    for index in 0..samples {
        let mut random = Random::of(seed, index);
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
