//! Results of a search, however far it has got.

use super::{MaximumSearch, SearchPiece};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::solve::optimum::peak::{MaximiserCandidate, MaximiserKind};

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Returns the pieces that are left, of the last round and of the present one.
    pub(super) fn open_pieces(&self) -> impl Iterator<Item = &SearchPiece<C::Num>> {
        self.pieces.iter().chain(&self.waiting)
    }

    /// Encloses the maximum, as far as the search has got.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if no place is left.
    pub fn enclose_maximum(&self) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let ranges = self.open_pieces().map(|p| &p.range).chain(self.peaks.iter().map(|p| &p.range));
        let highest = ranges.cloned().reduce(|a, b| context.max(&a, &b));
        let highest = highest.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum" })?;
        // The maximum is at least every value that is attained.
        let value = match &self.bound {
            Some(bound) => context.max(&highest, bound),
            None => highest,
        };
        Ok(if self.defined { value } else { context.mark_undefined(value) })
    }

    /// Returns the hull of the places where the maximum may be attained.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if no place is left.
    pub fn enclose_maximisers(&self) -> Result<C::Num, SmoothError> {
        let context = self.f.context();
        let open = self.open_pieces().map(|p| context.hull(&p.left, &p.right));
        let all = self.peaks.iter().map(|p| p.at.clone()).chain(open).reduce(|a, b| context.hull(&a, &b));
        let all = all.ok_or(SmoothError::DisjointEnclosures { construct: "a maximiser" })?;
        Ok(if self.is_defined() { all } else { context.mark_undefined(all) })
    }

    /// Returns `true` if the function is certainly defined at every possible maximiser.
    #[must_use]
    pub fn is_defined(&self) -> bool {
        self.defined && self.open_pieces().all(|p| self.f.context().is_defined(&p.range))
    }

    /// Returns the greatest value that is certainly attained: a lower bound of the maximum.
    #[must_use]
    pub fn bound(&self) -> Option<&C::Num> {
        self.bound.as_ref()
    }

    /// Returns all candidates: the resolved ones, and every piece that is left.
    #[must_use]
    pub fn into_candidates(self) -> Vec<MaximiserCandidate<C::Num>> {
        let context = self.f.context();
        let mut peaks = self.peaks;
        let open = self.pieces.into_iter().map(|piece| MaximiserCandidate {
            at: context.hull(&piece.left, &piece.right),
            range: piece.range,
            kind: MaximiserKind::Open,
        });
        peaks.extend(open);
        peaks
    }
}
