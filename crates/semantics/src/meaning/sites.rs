//! Sites: numbers for the places of a program's constants, for semantics that carry out one operation after another.

use crate::model::SourceLocation;
use crate::model::universe::{ArrowCode, ValueSemantics};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::value::SourceId;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place of a constant or a recursive function; for a power, also the exponent if it is a literal.
#[derive(Debug)]
struct SiteEntry {
    place: SourceLocation,
    exponent: Option<Rational>,
}

/// The places of a program, indexed by site.
#[derive(Debug, Default)]
pub(super) struct SiteTable(Mutex<Vec<SiteEntry>>);

impl SiteTable {
    fn lock_entries(&self) -> MutexGuard<'_, Vec<SiteEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, place: &SourceLocation, exponent: Option<Rational>) -> SourceId {
        let mut places = self.lock_entries();
        places.push(SiteEntry { place: place.clone(), exponent });
        SourceId::from_index(places.len() - 1)
    }

    /// Adds the application of a constant to arguments.
    pub(super) fn add_application<U: ValueSemantics>(
        &self,
        constant: Constant,
        place: &SourceLocation,
        arguments: &[ArrowCode<U>],
    ) -> SourceId {
        let exponent = match (constant, arguments) {
            // x ^ 2 and x ^ y have different domains, so the literal is kept
            (Constant::Power, [_, exponent]) => exponent.literal_value(),
            _ => None,
        };
        self.push(place, exponent)
    }

    /// Adds a recursive function.
    pub(super) fn add_recursion(&self, place: &SourceLocation) -> SourceId {
        self.push(place, None)
    }

    /// Returns the place of a site.
    pub(super) fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        Some(self.lock_entries().get(site.index()?)?.place.clone())
    }

    /// Returns the exponent of a power, if it is written as a number.
    pub(super) fn literal_exponent(&self, site: SourceId) -> Option<Rational> {
        self.lock_entries().get(site.index()?)?.exponent.clone()
    }

    /// Returns the number of sites.
    pub(super) fn len(&self) -> usize {
        self.lock_entries().len()
    }
}

/// Returns `true` for constants of numbers and of functions that are evaluated pointwise: neither tangents nor the functionals,
/// which look at a whole function.
pub(super) fn is_evaluated(constant: Constant) -> bool {
    use Constant::{Functional, Tangent, TangentProd, TangentR, TangentToR, TangentValue};
    !matches!(constant, Functional(_) | Tangent | TangentProd | TangentR | TangentToR | TangentValue)
}
