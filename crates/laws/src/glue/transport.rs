//! From the derived programs of one macro to those of another, where both say what a number becomes.
//!
//! Two macros that keep variables, functions and data as they are differ in what they make of a number. Where a number of one can be
//! made one of the other and back, so can what they make of any type: part by part, and at functions by the argument the other way
//! round.

use crate::presheaf::dynamic::Element;
use crate::stack::deep;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use std::sync::Arc;

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From the first macro to the second.
    There,
    /// From the second to the first.
    Back,
}

impl Way {
    fn turned(self) -> Self {
        match self {
            Self::There => Self::Back,
            Self::Back => Self::There,
        }
    }
}

/// What becomes of a number.
pub type Numbers = Arc<dyn Fn(Way, &Element) -> Result<Element, ValueError> + Send + Sync>;

/// What becomes of an element of what one macro makes of a type.
///
/// # Errors
/// [`ValueError::Mismatch`] for an element of another type; those of what becomes of numbers.
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
        _ => x.clone(),
    })
}
