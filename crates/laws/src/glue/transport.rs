//! Maps between the derived types of two macros, given maps between their numbers.
//!
//! Two macros that keep variables, functions and data as they are differ only in the type that a number becomes. Maps
//! in both directions between these two types extend to all types: componentwise, and at functions with the argument
//! mapped in the opposite direction.

use crate::presheaf::dynamic::Element;
use crate::stack::with_stack;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;

/// The direction of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportDirection {
    /// From the first macro to the second.
    Forward,
    /// From the second to the first.
    Backward,
}

/// Returns the opposite direction.
impl TransportDirection {
    fn opposite_direction(self) -> Self {
        match self {
            Self::Forward => Self::Backward,
            Self::Backward => Self::Forward,
        }
    }
}

/// The maps between the numbers of the two macros, in both directions.
pub type NumberMaps = Arc<dyn Fn(TransportDirection, &Element) -> Result<Element, ValueError> + Send + Sync>;

/// Maps an element of the derived type of one macro to that of the other.
///
/// # Errors
/// [`ValueError::Mismatch`] for an element of another type; the errors of `numbers`.
pub fn transport_element(
    ty: &Ty,
    x: &Element,
    way: TransportDirection,
    numbers: &NumberMaps,
) -> Result<Element, ValueError> {
    Ok(match ty.kind() {
        TyKind::Real => numbers(way, x)?,
        TyKind::Tuple(parts) => {
            let parts = parts.iter().zip(x.as_tuple()?.iter());
            let parts: Result<Vec<_>, _> = parts.map(|(ty, x)| transport_element(ty, x, way, numbers)).collect();
            Element::tuple_of(parts?)
        }
        TyKind::Function(domain, codomain) => {
            let (numbers, domain, codomain, f) =
                (numbers.clone(), domain.clone(), codomain.clone(), x.as_function()?.clone());
            Element::from_closure(move |argument: &Element| {
                // functions are contravariant in their argument
                let there = transport_element(&domain, argument, way.opposite_direction(), &numbers)?;
                transport_element(&codomain, &f.apply(&there)?, way, &numbers)
            })
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let elements = x.as_list()?.iter().map(|element| transport_element(&arguments[0], element, way, numbers));
            Element::List(elements.collect::<Result<_, _>>()?)
        }
        TyKind::Data(data, arguments) => {
            let (index, argument) = x.as_variant()?;
            let domain = data.argument_types(arguments).swap_remove(index);
            Element::variant_of(index, with_stack(|| transport_element(&domain, argument, way, numbers))?)
        }
        // truth values, natural numbers and the unit are the same for both macros
        _ => x.clone(),
    })
}
