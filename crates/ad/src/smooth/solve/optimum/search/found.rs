//! What a search has found, however far it got.

use super::{Piece, Search};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::solve::optimum::peak::{Kind, Peak};

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// The pieces that are left.
    pub(super) fn open(&self) -> impl Iterator<Item = &Piece<C::Num>> {
        self.pieces.iter().chain(&self.waiting)
    }

    /// The enclosure of the maximum, as far as the search got.
    ///
    /// # Errors
    /// [`SmoothError::Contradiction`] when no place is left.
    pub fn maximum(&self) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let ranges = self.open().map(|p| &p.range).chain(self.peaks.iter().map(|p| &p.range));
        let highest = ranges.cloned().reduce(|a, b| context.max(&a, &b));
        let highest = highest.ok_or(SmoothError::Contradiction { construct: "a maximum" })?;
        let value = match &self.bound {
            Some(bound) => context.max(&highest, bound),
            None => highest,
        };
        Ok(if self.defined { value } else { context.undefined(value) })
    }

    /// The hull of the places where the maximum may be attained.
    ///
    /// # Errors
    /// [`SmoothError::Contradiction`] when no place is left.
    pub fn places(&self) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let open = self.open().map(|p| context.hull(&p.left, &p.right));
        let all = self.peaks.iter().map(|p| p.at.clone()).chain(open).reduce(|a, b| context.hull(&a, &b));
        let all = all.ok_or(SmoothError::Contradiction { construct: "a maximiser" })?;
        Ok(if self.is_defined() { all } else { context.undefined(all) })
    }

    /// Whether the function is certainly defined wherever it may be largest.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.defined && self.open().all(|p| self.f.context().is_defined(&p.range))
    }

    /// The greatest value that is certainly attained.
    #[must_use]
    pub fn bound(&self) -> Option<&C::Num> {
        self.bound.as_ref()
    }

    /// The places where the maximum may be attained: the resolved ones, and every piece that is left.
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
