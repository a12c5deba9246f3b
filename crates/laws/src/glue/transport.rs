//! Maps between the derived types of two macros, given maps between their numbers.
//!
//! Two macros that keep variables, functions and data as they are differ only in the type that a number becomes. Maps
//! in both directions between these two types extend to all types: componentwise, and at functions with the argument
//! mapped in the opposite direction.

use crate::presheaf::dynamic::Element;
use crate::stack::deep;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;

/// The direction of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the first macro to the second.
    There,
    /// From the second to the first.
    Back,
}

/// Returns the opposite direction.
impl Way {
    fn turned(self) -> Self {
        match self {
            Self::There => Self::Back,
            Self::Back => Self::There,
        }
    }
}

/// The maps between the numbers of the two macros, in both directions.
pub type Numbers = Arc<dyn Fn(Way, &Element) -> Result<Element, ValueError> + Send + Sync>;

/// Maps an element of the derived type of one macro to that of the other.
///
/// # Errors
/// [`ValueError::Mismatch`] for an element of another type; the errors of `numbers`.
pub fn carried(ty: &Ty, x: &Element, way: Way, numbers: &Numbers) -> Result<Element, ValueError> {
    Ok(match ty.kind() {
        TyKind::Real => numbers(way, x)?,
        TyKind::Tuple(parts) => {
            let parts = parts.iter().zip(x.as_tuple()?.iter());
            let parts: Result<Vec<_>, _> = parts.map(|(ty, x)| carried(ty, x, way, numbers)).collect();
            Element::tuple(parts?)
        }
        TyKind::Function(domain, codomain) => {
            let (numbers, domain, codomain, f) =
                (numbers.clone(), domain.clone(), codomain.clone(), x.as_function()?.clone());
            Element::function(move |argument: &Element| {
                // functions are contravariant in their argument
                let there = carried(&domain, argument, way.turned(), &numbers)?;
                carried(&codomain, &f.apply(&there)?, way, &numbers)
            })
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let elements = x.as_list()?.iter().map(|element| carried(&arguments[0], element, way, numbers));
            Element::List(elements.collect::<Result<_, _>>()?)
        }
        TyKind::Data(data, arguments) => {
            let (index, argument) = x.as_variant()?;
            let domain = data.domains(arguments).swap_remove(index);
            Element::variant(index, deep(|| carried(&domain, argument, way, numbers))?)
        }
        // truth values, natural numbers and the unit are the same for both macros
        _ => x.clone(),
    })
}
