//! Results of a search, however far it has got.

use super::{Piece, Search};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::solve::optimum::peak::{Kind, Peak};

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// Returns the pieces that are left, of the last round and of the present one.
    pub(super) fn open(&self) -> impl Iterator<Item = &Piece<C::Num>> {
        self.pieces.iter().chain(&self.waiting)
    }

    /// Encloses the maximum, as far as the search has got.
    ///
    /// # Errors
    /// [`SmoothError::Contradiction`] if no place is left.
    pub fn maximum(&self) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let ranges = self.open().map(|p| &p.range).chain(self.peaks.iter().map(|p| &p.range));
        let highest = ranges.cloned().reduce(|a, b| context.max(&a, &b));
        let highest = highest.ok_or(SmoothError::Contradiction { construct: "a maximum" })?;
        // The maximum is at least every value that is attained.
        let value = match &self.bound {
            Some(bound) => context.max(&highest, bound),
            None => highest,
        };
        Ok(if self.defined { value } else { context.undefined(value) })
    }

    /// Returns the hull of the places where the maximum may be attained.
    ///
    /// # Errors
    /// [`SmoothError::Contradiction`] if no place is left.
    pub fn places(&self) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let open = self.open().map(|p| context.hull(&p.left, &p.right));
        let all = self.peaks.iter().map(|p| p.at.clone()).chain(open).reduce(|a, b| context.hull(&a, &b));
        let all = all.ok_or(SmoothError::Contradiction { construct: "a maximiser" })?;
        Ok(if self.is_defined() { all } else { context.undefined(all) })
    }

    /// Returns `true` if the function is certainly defined at every possible maximiser.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.defined && self.open().all(|p| self.f.context().is_defined(&p.range))
    }

    /// Returns the greatest value that is certainly attained: a lower bound of the maximum.
    #[must_use]
    pub fn bound(&self) -> Option<&C::Num> {
        self.bound.as_ref()
    }

    /// Returns all candidates: the resolved ones, and every piece that is left.
    #[must_use]
    pub fn into_peaks(self) -> Vec<Peak<C::Num>> {
        let context = self.f.context();
        let mut peaks = self.peaks;
        let open = self.pieces.into_iter().map(|piece| Peak {
            at: context.hull(&piece.left, &piece.right),
            range: piece.range,
            kind: Kind::Open,
        });
        peaks.extend(open);
        peaks
    }
}
