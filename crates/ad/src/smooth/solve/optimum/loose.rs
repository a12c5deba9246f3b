//! How narrowly a search asks for the values of a function that runs solvers of its own.
//!
//! What such a function is on a piece need not be known much better than how far the pieces reach above the bound: so it is first
//! asked for any enclosure at all, and then for one that is a part of that excess. Each enclosure holds what it should, however loosely
//! it was asked for, and is compared as such; nothing is lost but width. Peaks that are left at the end are asked for again, as narrowly
//! as the search itself was.

use super::peak::Kind;
use super::search::Search;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::solve::Function;

/// Values are asked for to 2 to the power of minus this times the excess.
const FINER: i64 = 4;
/// A value that is wider than 2 to this power times what was asked is not narrowed by asking for less.
const LOOSE: i64 = 2;

/// The width to which values are asked for before anything is known; 0 for what has no solvers.
pub(super) fn at_first<C: Hooked>(f: &Function<C>) -> Magnitude {
    if f.block.depth > 1 { Magnitude::INFINITY } else { Magnitude::ZERO }
}

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// Does something for which values need not be known better than they matter.
    pub(super) fn loosely<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (effort, looseness) = (self.f.machine.effort, self.looseness);
        effort.loosened(looseness, || work(self))
    }

    /// Says to what width values are asked for from now on; false where a value that seems to be known as well as it can be has to
    /// be asked for again: what sets a floor when it is asked loosely, the inputs being points, may set none when it is not.
    pub(super) fn tighten(&mut self, excess: Magnitude, value_done: bool, undefined: bool) -> bool {
        if self.looseness.is_zero() {
            return true;
        }
        let tolerance = self.f.machine.effort.tolerance();
        let is_floor = value_done && excess > tolerance && self.exact && self.looseness > tolerance;
        let precisely = value_done || undefined || !excess.is_finite();
        self.looseness = if precisely { Magnitude::ZERO } else { excess.shifted(-FINER) };
        !is_floor
    }

    /// Whether a value may be as wide as it is only because it was asked for loosely.
    pub(super) fn may_be_narrower(&self, width: Magnitude) -> bool {
        let tolerance = self.f.machine.effort.tolerance();
        tolerance == self.looseness && width <= tolerance.shifted(LOOSE)
    }

    /// Asks again for the heights at the ends of [0, 1] that were found loosely.
    ///
    /// # Errors
    /// Those of the function; [`SmoothError::Contradiction`].
    pub(super) fn settle(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let tolerance = self.f.machine.effort.tolerance();
        for index in 0..self.peaks.len() {
            let peak = &self.peaks[index];
            if peak.kind != Kind::End || context.width(&peak.range) <= tolerance {
                continue;
            }
            let at = peak.at.clone();
            let again = self.value(&at)?;
            let both = context.intersect(&self.peaks[index].range, &again);
            self.peaks[index].range = both.ok_or(SmoothError::Contradiction { construct: "a maximum" })?;
        }
        Ok(())
    }
}
