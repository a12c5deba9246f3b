//! Coordinates of vectors. A vector is a real number or a tuple of vectors; the unit value is the vector without
//! coordinates.

use super::{Carrier, Value, ValueError};
use crate::stack::with_stack;

impl<R: Carrier> Value<R> {
    /// Returns the coordinates of a vector, from left to right.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for values that are no vectors: functions, lists, variants, natural numbers, truth
    /// values, tangents.
    pub fn coordinates(&self) -> Result<Vec<&R>, ValueError> {
        let mut found = Vec::new();
        self.collect_coordinates(&mut found)?;
        Ok(found)
    }

    fn collect_coordinates<'v>(&'v self, found: &mut Vec<&'v R>) -> Result<(), ValueError> {
        match self {
            Self::Real(x) => found.push(x),
            Self::Unit => {}
            Self::Tuple(parts) => {
                return with_stack(|| parts.iter().try_for_each(|part| part.collect_coordinates(found)));
            }
            _ => return Err(self.kind_mismatch("a vector (a real number, or a tuple of vectors)")),
        }
        Ok(())
    }

    /// Replaces the coordinates of a vector, from left to right. If `coordinates` ends early, the remaining coordinates
    /// stay as they are.
    #[must_use]
    pub fn with_coordinates(&self, coordinates: &mut impl Iterator<Item = R>) -> Self {
        match self {
            Self::Real(x) => Self::Real(coordinates.next().unwrap_or_else(|| x.clone())),
            Self::Tuple(parts) => {
                with_stack(|| Self::tuple_of(parts.iter().map(|part| part.with_coordinates(coordinates))))
            }
            other => other.clone(),
        }
    }
}
