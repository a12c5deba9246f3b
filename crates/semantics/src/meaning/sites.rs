//! Sites: numbers for the places of a program's constants, for semantics that carry out one operation after another.

use crate::model::Place;
use crate::model::universe::{Code, Universe};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::value::Site;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place of a constant or a recursive function; for a power, also the exponent if it is a literal.
#[derive(Debug)]
struct Stands {
    place: Place,
    exponent: Option<Rational>,
}

/// The places of a program, indexed by site.
#[derive(Debug, Default)]
pub(super) struct Sites(Mutex<Vec<Stands>>);

impl Sites {
    fn places(&self) -> MutexGuard<'_, Vec<Stands>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, place: &Place, exponent: Option<Rational>) -> Site {
        let mut places = self.places();
        places.push(Stands { place: place.clone(), exponent });
        Site::numbered(places.len() - 1)
    }

    /// Adds the application of a constant to arguments.
    pub(super) fn mark<U: Universe>(&self, constant: Constant, place: &Place, arguments: &[Code<U>]) -> Site {
        let exponent = match (constant, arguments) {
            // x ^ 2 and x ^ y have different domains, so the literal is kept
            (Constant::Power, [_, exponent]) => exponent.written(),
            _ => None,
        };
        self.push(place, exponent)
    }

    /// Adds a recursive function.
    pub(super) fn stands(&self, place: &Place) -> Site {
        self.push(place, None)
    }

    /// Returns the place of a site.
    pub(super) fn place(&self, site: Site) -> Option<Place> {
        Some(self.places().get(site.index()?)?.place.clone())
    }

    /// Returns the exponent of a power, if it is written as a number.
    pub(super) fn exponent(&self, site: Site) -> Option<Rational> {
        self.places().get(site.index()?)?.exponent.clone()
    }

    /// Returns the number of sites.
    pub(super) fn count(&self) -> usize {
        self.places().len()
    }
}

/// Returns `true` for constants of numbers and of functions that are evaluated pointwise: neither tangents nor the functionals,
/// which look at a whole function.
pub(super) fn is_evaluated(constant: Constant) -> bool {
    use Constant::{Functional, Tangent, TangentProd, TangentR, TangentToR, TangentValue};
    !matches!(constant, Functional(_) | Tangent | TangentProd | TangentR | TangentToR | TangentValue)
}
