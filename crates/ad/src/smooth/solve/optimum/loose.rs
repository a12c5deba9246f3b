//! Value tolerances of a search whose function runs solvers of its own.
//!
//! The value of such a function on a piece need not be known much better than the excess of the pieces over the bound. So
//! values are first computed to any width, and then to a share of that excess. Each enclosure is valid, however wide it is,
//! and is compared as such; nothing is lost but width. Candidates that are left at the end are computed again, to the
//! tolerance of the search itself.

use super::peak::MaximiserKind;
use super::search::MaximumSearch;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::solve::SolverFunction;

/// Values are computed to 2^(−FINER) times the excess. A choice.
const FINER: i64 = 4;
/// A value wider than 2^LOOSE times its tolerance is not narrowed by a smaller tolerance. A choice.
const LOOSE: i64 = 2;

/// Returns the tolerance of values before anything is known: infinite, or 0 for a function without solvers.
pub(super) fn initial_value_tolerance<C: HookedContext>(f: &SolverFunction<C>) -> Magnitude {
    if f.block.depth > 1 { Magnitude::INFINITY } else { Magnitude::ZERO }
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Runs `work` with the present tolerance of values.
    pub(super) fn with_value_tolerance<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let (effort, looseness) = (self.f.machine.effort, self.value_tolerance);
        effort.with_looser_tolerance(looseness, || work(self))
    }

    /// Sets the tolerance of values from now on. Returns `false` if a value that seems to be as narrow as it can be has to
    /// be computed again.
    ///
    /// With point inputs, a value computed loosely may seem to set a floor that is none for a smaller tolerance.
    pub(super) fn tighten_value_tolerance(&mut self, excess: Magnitude, value_done: bool, undefined: bool) -> bool {
        if self.value_tolerance.is_zero() {
            return true;
        }
        let tolerance = self.f.machine.effort.tolerance();
        let is_floor = value_done && excess > tolerance && self.has_point_inputs && self.value_tolerance > tolerance;
        // Once the value is known, and as long as anything is undefined, only the full tolerance helps.
        let precisely = value_done || undefined || !excess.is_finite();
        self.value_tolerance = if precisely { Magnitude::ZERO } else { excess.mul_exp2(-FINER) };
        !is_floor
    }

    /// Returns `true` if a value may be this wide only because it was computed loosely.
    pub(super) fn may_be_narrower(&self, width: Magnitude) -> bool {
        let tolerance = self.f.machine.effort.tolerance();
        tolerance == self.value_tolerance && width <= tolerance.mul_exp2(LOOSE)
    }

    /// Computes the values at the ends of [0, 1] again that were computed loosely.
    ///
    /// # Errors
    /// Those of the function; [`SmoothError::DisjointEnclosures`].
    pub(super) fn refine_end_candidates(&mut self) -> Result<(), SmoothError> {
        let context = self.f.context().clone();
        let tolerance = self.f.machine.effort.tolerance();
        for index in 0..self.peaks.len() {
            let peak = &self.peaks[index];
            if peak.kind != MaximiserKind::End || context.width(&peak.range) <= tolerance {
                continue;
            }
            let at = peak.at.clone();
            let again = self.value_at(&at)?;
            let both = context.intersect(&self.peaks[index].range, &again);
            self.peaks[index].range = both.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum" })?;
        }
        Ok(())
    }
}
