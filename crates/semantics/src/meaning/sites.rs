//! Where the constants of a program stand, and what they are, for meanings that carry out one operation after another.

use crate::model::Place;
use crate::model::universe::{Code, Universe};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::value::Site;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where a constant or a recursive function stands; of a power, the exponent as it is written.
#[derive(Debug)]
struct Stands {
    place: Place,
    exponent: Option<Rational>,
}

/// The places of a program, by the numbers of their sites.
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

    /// The site of a constant that is applied to arguments.
    pub(super) fn mark<U: Universe>(&self, constant: Constant, place: &Place, arguments: &[Code<U>]) -> Site {
        let exponent = match (constant, arguments) {
            (Constant::Power, [_, exponent]) => exponent.written(),
            _ => None,
        };
        self.push(place, exponent)
    }

    /// The site of a recursive function.
    pub(super) fn stands(&self, place: &Place) -> Site {
        self.push(place, None)
    }

    /// Where it is.
    pub(super) fn place(&self, site: Site) -> Option<Place> {
        Some(self.places().get(site.index()?)?.place.clone())
    }

    /// The exponent of a power, where it is written as a number.
    pub(super) fn exponent(&self, site: Site) -> Option<Rational> {
        self.places().get(site.index()?)?.exponent.clone()
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.places().len()
    }
}

/// Whether a constant is one of numbers and of functions that are evaluated: neither a tangent nor a primitive that looks at a whole
/// function.
pub(super) fn is_evaluated(constant: Constant) -> bool {
    use Constant::{Functional, Tangent, TangentProd, TangentR, TangentToR, TangentValue};
    !matches!(constant, Functional(_) | Tangent | TangentProd | TangentR | TangentToR | TangentValue)
}
