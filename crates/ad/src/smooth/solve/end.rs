//! Ends of an interval: branch points that are 0 there, and functions that need not be defined there.
//!
//! `abs w` on [0, 1] is `w`, though its sign is undecided on every piece that contains 0. Let a branch point be exactly 0
//! at an end, also when the inputs move, and strictly monotone on a piece that begins there. Then it has the sign of its
//! slope inside. So the function is that of one branch on the whole closed piece, and so are those for inputs nearby.

use super::SolverFunction;
use crate::number::context::Sign;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::growth::OneSidedLimit;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use std::cmp::Ordering;
use std::sync::Arc;

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Returns `true` if a branch point is exactly 0 at a place, also when the inputs and the place with them move.
    ///
    /// For a place that moves this is seen only up to the order of the algebra. For other inputs the branch point may have
    /// its zero beside the place, and between the two its branch is the other one. The two are as near to each other as
    /// that order says. It makes no difference to these derivatives where the function is defined and bounded there on both
    /// branches.
    ///
    /// # Errors
    /// Those of the function.
    pub fn vanishes_at(
        &self,
        algebra: &Arc<Algebra>,
        place: &Jet<C::Num>,
        forced: &[(BranchPoint, KinkBranch)],
        switch: BranchPoint,
    ) -> Result<bool, SmoothError> {
        let context = self.context();
        let mut branches = BranchDecisions::with_forced(forced.to_vec());
        let number = self.eval_jet(algebra, place.clone(), &mut branches, EvalTarget::BranchPoint(switch))?;
        let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
        if !number.coefficients().flatten().all(is_zero) {
            return Ok(false);
        }
        let captures = self.machine.widen_inputs(self.captures);
        let near = self.with_captures(&captures);
        let value = |x: &Jet<C::Num>| x.get(0).cloned().unwrap_or_else(|| context.enclose_integer(0));
        // A moving place: the zero may be beside it, so both branches have to be harmless there.
        if !place.is_constant() {
            let beside = context.inflate_slightly(&value(place));
            return near.has_both_sides(&beside, forced, switch);
        }
        // c² is 0 at c = 0 together with its slope, but not beside it: the inputs are widened.
        let mut branches = BranchDecisions::with_forced(forced.to_vec());
        Ok(is_zero(&near.value_over(&value(place), &mut branches, EvalTarget::BranchPoint(switch))?))
    }

    /// Returns `true` if a branch point certainly does not depend on the bound variable over a range, for any inputs: by
    /// its structure.
    ///
    /// A slope that is 0 for the inputs given would say nothing about others. The captures must be [base
    /// captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_constant_in_variable(
        &self,
        range: &C::Num,
        forced: &[(BranchPoint, KinkBranch)],
        switch: BranchPoint,
    ) -> Result<bool, SmoothError> {
        if switch.is_own() && self.machine.is_constant_in_parameters(self.block, switch.instruction()) {
            return Ok(true);
        }
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(1)) else { return Ok(false) };
        let x = Jet::new([Some(range.clone()), Some(self.context().enclose_integer(1))]);
        let number = self.eval_jet(
            &algebra,
            x,
            &mut BranchDecisions::with_forced(forced.to_vec()),
            EvalTarget::BranchPoint(switch),
        )?;
        Ok(number.get(0).is_some_and(|value| self.context().is_defined(value)) && number.get(1).is_none())
    }

    /// Returns `true` if the function is defined and bounded at a place on either side of a branch point.
    fn has_both_sides(
        &self,
        place: &C::Num,
        forced: &[(BranchPoint, KinkBranch)],
        switch: BranchPoint,
    ) -> Result<bool, SmoothError> {
        let context = self.context();
        for side in [KinkBranch::Left, KinkBranch::Right] {
            let mut branches = BranchDecisions::with_forced(forced.iter().copied().chain([(switch, side)]).collect());
            let value = self.value_over(place, &mut branches, EvalTarget::Outputs)?;
            if !context.is_defined(&value) || !context.is_bounded(&value) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Encloses the values on a piece of [0, 1] with these ends, where the function need not be defined at an end of [0, 1].
    ///
    /// Such an end counts by its limit, or not at all if the function falls to −∞ there. Returns `None` if the function is
    /// not shown to be defined on the rest of the piece, or has no limit. The captures must be [base
    /// captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn range_beside_ends(
        &self,
        [left, right]: [&C::Num; 2],
        branches: &mut BranchDecisions,
    ) -> Result<Option<C::Num>, SmoothError> {
        let context = self.context();
        let is_end =
            |place: &C::Num, end: i64| context.contains_zero(&context.sub(place, &context.enclose_integer(end)));
        let (end, other) = match (is_end(left, 0), is_end(right, 1)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return Ok(None),
        };
        let length = Jet::constant(context.sub(other, end));
        let approach = OneSidedLimit { end: &Jet::constant(end.clone()), length: &length, root: None };
        let real = &self.machine.real;
        let Some(growth) = self.machine.power_bound_at_end(self.block, real, &approach, self.captures, branches)?
        else {
            return Ok(None);
        };
        if !growth.has_limit {
            return Ok(None);
        }
        // For other captures the function has to be looked at again.
        self.machine.edges.record_unknown_boundary();
        // The range contains the values wherever the function is defined, and it is defined on the rest of the piece.
        let all = context.mark_defined(self.value_over(&context.hull(left, right), branches, EvalTarget::Outputs)?);
        let factor = growth.factor.get(0).cloned().unwrap_or_else(|| context.enclose_integer(0));
        let range = match growth.power.cmp0() {
            // s^p·N with p < 0 and N ≤ 0 is at most N for 0 < s ≤ 1.
            Ordering::Less if context.is_nonnegative(&context.neg(&factor)) => context.min(&all, &factor),
            Ordering::Less => all,
            order => {
                let range =
                    if order == Ordering::Equal { factor } else { context.hull(&factor, &context.enclose_integer(0)) };
                let both = context.intersect(&all, &range);
                both.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum beside an end" })?
            }
        };
        // An upper end ∞ would be no maximum.
        Ok(context.upper(&range).is_some().then_some(range))
    }

    /// Returns the branch points that [vanish](Self::vanishes_at) at 0, and those that do at 1. Only kinks count.
    ///
    /// # Errors
    /// Those of the function.
    pub fn switches_at_ends(&self, algebra: &Arc<Algebra>) -> Result<[Vec<BranchPoint>; 2], SmoothError> {
        let captures = self.base_captures();
        let base = self.with_captures(&captures);
        let mut ends = [Vec::new(), Vec::new()];
        for (end, found) in (0..).zip(&mut ends) {
            let place = self.context().enclose_integer(end);
            let mut branches = BranchDecisions::default();
            base.value_over(&place, &mut branches, EvalTarget::Outputs)?;
            for switch in branches.undecided {
                let is_kink = !self.block.is_border(switch);
                if is_kink && self.vanishes_at(algebra, &Jet::constant(place.clone()), &[], switch)? {
                    found.push(switch);
                }
            }
        }
        Ok(ends)
    }

    /// Returns the branches of branch points that vanish at an end of [0, 1], on a piece that contains this end and where
    /// they are strictly monotone. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn sides_beside_ends(
        &self,
        ends: &[Vec<BranchPoint>; 2],
        piece: &C::Num,
    ) -> Result<Vec<(BranchPoint, KinkBranch)>, SmoothError> {
        let context = self.context();
        let mut sides = Vec::new();
        // From a zero at 0 an increasing number is positive; before a zero at 1 it is negative.
        let inside = [KinkBranch::Left, KinkBranch::Right];
        for ((end, switches), rising) in (0..).zip(ends).zip(inside) {
            if switches.is_empty() || !context.contains_zero(&context.sub(piece, &context.enclose_integer(end))) {
                continue;
            }
            for &switch in switches {
                let slope = self
                    .value_and_slope(piece, &mut BranchDecisions::default(), EvalTarget::BranchPoint(switch))?
                    .slope;
                let side = match context.sign(&slope) {
                    _ if !context.is_bounded(&slope) || sides.iter().any(|(s, _)| *s == switch) => continue,
                    Sign::Positive => rising,
                    Sign::Negative if rising == KinkBranch::Left => KinkBranch::Right,
                    Sign::Negative => KinkBranch::Left,
                    Sign::Undecided => continue,
                };
                sides.push((switch, side));
            }
        }
        Ok(sides)
    }
}
