//! Ends of an interval: branch points that are 0 there, and functions that need not be defined there.
//!
//! `abs w` on [0, 1] is `w`, though its sign is undecided on every piece that contains 0. Let a branch point be exactly 0
//! at an end, also when the inputs move, and strictly monotone on a piece that begins there. Then it has the sign of its
//! slope inside. So the function is that of one branch on the whole closed piece, and so are those for inputs nearby.

use super::Function;
use crate::number::context::Sign;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::growth::Approach;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use std::cmp::Ordering;
use std::sync::Arc;

impl<C: Hooked> Function<'_, '_, C> {
    /// Returns `true` if a branch point is exactly 0 at a place, also when the inputs and the place with them move.
    ///
    /// For a place that moves this is seen only up to the order of the algebra. For other inputs the branch point may have
    /// its zero beside the place, and between the two its branch is the other one. The two are as near to each other as
    /// that order says. It makes no difference to these derivatives where the function is defined and bounded there on both
    /// branches.
    ///
    /// # Errors
    /// Those of the function.
    pub fn vanishes(
        &self,
        algebra: &Arc<Algebra>,
        place: &Jet<C::Num>,
        forced: &[(Switch, Branch)],
        switch: Switch,
    ) -> Result<bool, SmoothError> {
        let context = self.context();
        let mut branches = Branches::forced(forced.to_vec());
        let number = self.at(algebra, place.clone(), &mut branches, Target::Switch(switch))?;
        let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
        if !number.coefficients().flatten().all(is_zero) {
            return Ok(false);
        }
        let captures = self.machine.all_near(self.captures);
        let near = self.with(&captures);
        let value = |x: &Jet<C::Num>| x.get(0).cloned().unwrap_or_else(|| context.integer(0));
        // A moving place: the zero may be beside it, so both branches have to be harmless there.
        if !place.is_constant() {
            let beside = context.widened(&value(place));
            return near.has_both_sides(&beside, forced, switch);
        }
        // c² is 0 at c = 0 together with its slope, but not beside it: the inputs are widened.
        let mut branches = Branches::forced(forced.to_vec());
        Ok(is_zero(&near.value(&value(place), &mut branches, Target::Switch(switch))?))
    }

    /// Returns `true` if a branch point certainly does not depend on the bound variable over a range, for any inputs: by
    /// its structure.
    ///
    /// A slope that is 0 for the inputs given would say nothing about others. The captures must be [base
    /// captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of the function.
    pub fn is_level(&self, range: &C::Num, forced: &[(Switch, Branch)], switch: Switch) -> Result<bool, SmoothError> {
        if switch.is_own() && self.machine.is_level(self.block, switch.instruction()) {
            return Ok(true);
        }
        let Some(algebra) = self.machine.real.adjoin(Generator::Direction(1)) else { return Ok(false) };
        let x = Jet::new([Some(range.clone()), Some(self.context().integer(1))]);
        let number = self.at(&algebra, x, &mut Branches::forced(forced.to_vec()), Target::Switch(switch))?;
        Ok(number.get(0).is_some_and(|value| self.context().is_defined(value)) && number.get(1).is_none())
    }

    /// Returns `true` if the function is defined and bounded at a place on either side of a branch point.
    fn has_both_sides(&self, place: &C::Num, forced: &[(Switch, Branch)], switch: Switch) -> Result<bool, SmoothError> {
        let context = self.context();
        for side in [Branch::Left, Branch::Right] {
            let mut branches = Branches::forced(forced.iter().copied().chain([(switch, side)]).collect());
            let value = self.value(place, &mut branches, Target::Outputs)?;
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
        branches: &mut Branches,
    ) -> Result<Option<C::Num>, SmoothError> {
        let context = self.context();
        let is_end = |place: &C::Num, end: i64| context.contains_zero(&context.sub(place, &context.integer(end)));
        let (end, other) = match (is_end(left, 0), is_end(right, 1)) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return Ok(None),
        };
        let length = Jet::constant(context.sub(other, end));
        let approach = Approach { end: &Jet::constant(end.clone()), length: &length, root: None };
        let real = &self.machine.real;
        let Some(growth) = self.machine.growth(self.block, real, &approach, self.captures, branches)? else {
            return Ok(None);
        };
        if !growth.settles {
            return Ok(None);
        }
        // For other captures the function has to be looked at again.
        self.machine.edges.note_any();
        // The range contains the values wherever the function is defined, and it is defined on the rest of the piece.
        let all = context.assert_defined(self.value(&context.hull(left, right), branches, Target::Outputs)?);
        let factor = growth.factor.get(0).cloned().unwrap_or_else(|| context.integer(0));
        let range = match growth.power.cmp0() {
            // s^p·N with p < 0 and N ≤ 0 is at most N for 0 < s ≤ 1.
            Ordering::Less if context.is_nonnegative(&context.neg(&factor)) => context.min(&all, &factor),
            Ordering::Less => all,
            order => {
                let range = if order == Ordering::Equal { factor } else { context.hull(&factor, &context.integer(0)) };
                let both = context.intersect(&all, &range);
                both.ok_or(SmoothError::Contradiction { construct: "a maximum beside an end" })?
            }
        };
        // An upper end ∞ would be no maximum.
        Ok(context.upper(&range).is_some().then_some(range))
    }

    /// Returns the branch points that [vanish](Self::vanishes) at 0, and those that do at 1. Only kinks count.
    ///
    /// # Errors
    /// Those of the function.
    pub fn switches_at_ends(&self, algebra: &Arc<Algebra>) -> Result<[Vec<Switch>; 2], SmoothError> {
        let captures = self.base_captures();
        let base = self.with(&captures);
        let mut ends = [Vec::new(), Vec::new()];
        for (end, found) in (0..).zip(&mut ends) {
            let place = self.context().integer(end);
            let mut branches = Branches::default();
            base.value(&place, &mut branches, Target::Outputs)?;
            for switch in branches.undecided {
                let is_kink = !self.block.is_border(switch);
                if is_kink && self.vanishes(algebra, &Jet::constant(place.clone()), &[], switch)? {
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
        ends: &[Vec<Switch>; 2],
        piece: &C::Num,
    ) -> Result<Vec<(Switch, Branch)>, SmoothError> {
        let context = self.context();
        let mut sides = Vec::new();
        // From a zero at 0 an increasing number is positive; before a zero at 1 it is negative.
        let inside = [Branch::Left, Branch::Right];
        for ((end, switches), rising) in (0..).zip(ends).zip(inside) {
            if switches.is_empty() || !context.contains_zero(&context.sub(piece, &context.integer(end))) {
                continue;
            }
            for &switch in switches {
                let slope = self.line(piece, &mut Branches::default(), Target::Switch(switch))?.slope;
                let side = match context.sign(&slope) {
                    _ if !context.is_bounded(&slope) || sides.iter().any(|(s, _)| *s == switch) => continue,
                    Sign::Positive => rising,
                    Sign::Negative if rising == Branch::Left => Branch::Right,
                    Sign::Negative => Branch::Left,
                    Sign::Undecided => continue,
                };
                sides.push((switch, side));
            }
        }
        Ok(sides)
    }
}
