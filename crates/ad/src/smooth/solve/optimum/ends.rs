//! Maxima that are attained at the better end of [0, 1].
//!
//! If f is convex, or nothing but the two ends is left of a search, the maximum is `max (f 0) (f 1)`. This holds for the
//! inputs given and for all near them: it is shown by strict inequalities over closed ranges, or by structure. So the
//! maximum has a kink where f 0 = f 1. This is an [event](crate::smooth::machine::switch) for the block outside: a minimum
//! over m of maxima is attained where two ends are equally good, as in a game.

use crate::number::context::Sign;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::{BinderView, BranchPoint};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;
use std::sync::Arc;

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns `true` if f is certainly smooth and convex on [0, 1], also for inputs nearby.
    ///
    /// The second derivative has to be positive on all of [0, 1], or 0 by structure. A 0 for the inputs given would say
    /// nothing about others. The captures must be [base captures](Self::base_captures).
    pub(super) fn is_convex(&self) -> Result<bool, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(2)) else { return Ok(false) };
        // Hooks have to see the search.
        if C::ACTIVE {
            return Ok(false);
        }
        let context = self.context();
        let x = Jet::new([Some(super::unit_interval(context)), Some(context.enclose_integer(1))]);
        let mut branches = BranchDecisions::default();
        let y = self.eval_jet(&algebra, x, &mut branches, EvalTarget::Outputs)?;
        let is_smooth = y.get(0).is_some_and(|value| context.is_defined(value) && context.is_bounded(value))
            && y.get(1).is_some_and(|slope| context.is_defined(slope) && context.is_bounded(slope))
            && branches.undecided.is_empty();
        let is_positive = |half: &C::Num| {
            context.is_defined(half) && context.is_bounded(half) && context.sign(half) == Sign::Positive
        };
        Ok(is_smooth && y.get(2).is_none_or(is_positive))
    }

    /// Notes places that are not told apart in the diagnosis, if there is one.
    pub(super) fn attest_tie(&self, places: &[C::Num]) {
        if let Some(witness) = self.machine.witness {
            let places = places.iter().map(|place| self.context().to_enclosure(place));
            witness.record_nonunique_maximiser(self.site, places.collect());
        }
    }

    /// Returns the end at which f is greater: [`KinkBranch::Left`] for 0. Records the event if that is neither certain nor given.
    pub(super) fn better_end(&self) -> Result<KinkBranch, SmoothError> {
        let captures = self.base_captures();
        let base = self.with_captures(&captures);
        let at = |end| {
            base.value_over(&self.context().enclose_integer(end), &mut BranchDecisions::default(), EvalTarget::Outputs)
        };
        let gap = self.context().sub(&at(0)?, &at(1)?);
        Ok(match KinkBranch::from_sign(self.context().sign(&gap)) {
            KinkBranch::Undecided => {
                let given = self.events.given_sign(BinderView::EndDifference, EvalTarget::Outputs);
                if given == KinkBranch::Undecided {
                    self.events.record_undecided(BinderView::EndDifference, EvalTarget::Outputs);
                    self.attest_tie(&[self.context().enclose_integer(0), self.context().enclose_integer(1)]);
                }
                given
            }
            certain => certain,
        })
    }

    /// Computes the maximum of f, which is attained at an end, as a jet. `ends` are the branch points known to be 0 at each
    /// end.
    pub(super) fn at_better_end(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<BranchPoint>; 2],
    ) -> Result<Jet<C::Num>, SmoothError> {
        match self.better_end()? {
            KinkBranch::Left => self.attained_at(algebra, ends, 0),
            KinkBranch::Right => self.attained_at(algebra, ends, 1),
            // Neither end is known to be better: Clarke's hull of both at order 1.
            KinkBranch::Undecided => {
                let [a, b] = [self.at_end(algebra, ends, 0)?, self.at_end(algebra, ends, 1)?];
                Ok(self.jets(algebra).undecided_maximum(&a, &b))
            }
        }
    }

    /// Evaluates f at an end, on the sides of the branch points known to be 0 there.
    fn at_end(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<BranchPoint>; 2],
        end: usize,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let captures = self.base_captures();
        let place = self.context().enclose_integer(end as i64);
        let mut branches = BranchDecisions::with_forced(self.with_captures(&captures).sides_beside_ends(ends, &place)?);
        self.eval_jet(algebra, Jet::constant(place), &mut branches, EvalTarget::Outputs)
    }

    /// Evaluates f at an end at which the maximum is certainly attained, for all inputs nearby.
    ///
    /// This is recorded if f is defined there: an end may also count by its limit.
    pub(super) fn attained_at(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<BranchPoint>; 2],
        end: usize,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let jet = self.at_end(algebra, ends, end)?;
        if self.context().is_defined(&self.jets(algebra).value_of(&jet)) {
            self.events.attain_at(end);
        }
        Ok(jet)
    }
}
