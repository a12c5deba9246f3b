//! Candidates for maximisers, and their kinds.
//!
//! A cluster of neighbouring pieces that may contain maximisers is *resolved* if its shape is certain: strictly concave, or
//! a kink between a rising and a falling branch.

use super::search::Search;
use crate::number::context::Sign;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::is_settled;
use crate::smooth::solve::root::Equation;

/// A candidate for the maximiser: a place that may contain maximisers.
#[derive(Clone, Debug)]
pub struct Peak<N> {
    /// An interval that contains every maximiser of the cluster.
    pub at: N,
    /// An enclosure of the function at the maximisers of the cluster.
    pub range: N,
    /// The kind of the place.
    pub kind: Kind,
}

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The end 0 or 1, with a slope that is certainly not 0 there, or one that is 0 for all inputs nearby, f being concave.
    End,
    /// The root of f_x in (0, 1), f_xx being certainly negative round it.
    Interior,
    /// The root of f_x as for [`Interior`](Self::Interior), or the end 0 or 1 of [0, 1] that it reaches.
    InteriorOrEnd(i64),
    /// The root of this branch point in (0, 1): f increases on one side of it and decreases on the other.
    Kink(Switch),
    /// An unknown kind.
    Open,
}

/// The result of resolving a cluster.
pub enum Resolved<N> {
    /// A candidate that contains all maximisers of the cluster.
    Peak(Peak<N>),
    /// A proof that the cluster has no maximisers.
    Empty,
    /// An undecided shape.
    No,
}

/// The ends of [0, 1] that belong to a cluster and may be maximisers.
struct Ends<N> {
    left: Option<N>,
    right: Option<N>,
}

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// Resolves the cluster [left, right]: first as a concave one, then as a kink.
    pub(super) fn resolve(&mut self, left: &C::Num, right: &C::Num) -> Result<Resolved<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let span = context.hull(left, right);
        let mut branches = self.branches_on(&span)?;
        if let Some([value, slope, half]) = self.f.parabola(&span, &mut branches)? {
            let smooth = context.is_defined(&value) && context.is_bounded(&slope) && context.is_bounded(&half);
            if smooth && context.sign(&half) == Sign::Negative {
                return self.concave(left, right, branches);
            }
        }
        self.kink(&span)
    }

    /// Resolves a cluster with f_xx < 0: its maximisers are roots of f_x, or ends of [0, 1].
    fn concave(
        &mut self,
        left: &C::Num,
        right: &C::Num,
        mut branches: Branches,
    ) -> Result<Resolved<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let mut ends = Ends { left: None, right: None };
        if context.contains_zero(left) {
            match context.sign(&self.slope(left, &mut branches)?) {
                Sign::Negative => return self.end(left.clone()),
                Sign::Positive => {}
                // With slope 0 for all inputs nearby, a concave function decreases from there on.
                Sign::Undecided if self.is_flat(left, &branches)? => return self.end(left.clone()),
                Sign::Undecided => ends.left = Some(left.clone()),
            }
        }
        if context.contains_zero(&context.sub(right, &context.integer(1))) {
            match context.sign(&self.slope(right, &mut branches)?) {
                Sign::Positive => return self.end(right.clone()),
                Sign::Negative => {}
                Sign::Undecided if self.is_flat(right, &branches)? => return self.end(right.clone()),
                Sign::Undecided => ends.right = Some(right.clone()),
            }
        }
        // Newton steps for f_x = 0, on which an end stays as long as it may be the maximiser.
        let mut at = context.hull(left, right);
        let mut stalled = 0;
        loop {
            let middle = context.midpoint(&at);
            let Some([_, _, half]) = self.f.parabola(&at, &mut branches)? else { return Ok(Resolved::No) };
            let done = is_settled(&context, &at) || stalled >= 2 || !self.f.machine.effort.budget.spend(1);
            if done {
                return self.top(at, &middle, &half, ends);
            }
            let line = self.f.line(&middle, &mut branches, Target::Outputs)?;
            let step = context.div(&line.slope, &context.scale(&half, 2));
            let critical = context.intersect(&at, &context.sub(&middle, &step));
            let candidates = [critical, ends.left.clone(), ends.right.clone()];
            // Neither a critical point nor an end: no maximiser.
            let Some(next) = candidates.into_iter().flatten().reduce(|a, b| context.hull(&a, &b)) else {
                return Ok(Resolved::Empty);
            };
            let narrower = context.width(&next) <= context.width(&at).half();
            stalled = if narrower { 0 } else { stalled + 1 };
            at = next;
        }
    }

    /// Returns the candidate of a concave cluster. At its top f is `f(m) - (f_xx/2)(x - m)²` for some f_xx on the cluster.
    fn top(
        &mut self,
        at: C::Num,
        middle: &C::Num,
        half: &C::Num,
        ends: Ends<C::Num>,
    ) -> Result<Resolved<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let height = self.value(middle)?;
        let plain = self.f.value(&at, &mut Branches::default(), Target::Outputs)?;
        let reaches_end = ends.left.is_some() || ends.right.is_some();
        // At an end f_x need not be 0, so the formula holds at a critical point alone.
        let range = if reaches_end {
            plain
        } else {
            let drop = context.mul(half, &context.square(&context.sub(&at, middle)));
            let above = context.sub(&height, &drop);
            context.intersect(&plain, &above).unwrap_or(above)
        };
        let kind = match (&ends.left, &ends.right) {
            (None, None) => Kind::Interior,
            (Some(_), None) => Kind::InteriorOrEnd(0),
            (None, Some(_)) => Kind::InteriorOrEnd(1),
            (Some(_), Some(_)) => Kind::Open,
        };
        Ok(Resolved::Peak(Peak { at, range, kind }))
    }

    /// Returns the candidate at an end of [0, 1] that is certainly better than all points beside it.
    fn end(&mut self, at: C::Num) -> Result<Resolved<C::Num>, SmoothError> {
        let range = self.value(&at)?;
        Ok(Resolved::Peak(Peak { at, range, kind: Kind::End }))
    }

    /// Resolves a cluster with one undecided branch point, strictly monotone, before whose root f increases, and behind
    /// which it decreases.
    fn kink(&mut self, span: &C::Num) -> Result<Resolved<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let span = self.padded(span);
        let (Some(left), Some(right)) = (context.lower(&span), context.upper(&span)) else { return Ok(Resolved::No) };
        let mut branches = Branches::default();
        // For its slope an optimum inside evaluates its maximisers too, so more may be undecided than for values.
        self.f.line(&span, &mut branches, Target::Outputs)?;
        let [switch] = branches.undecided[..] else { return Ok(Resolved::No) };
        if self.f.block.is_border(switch) {
            return Ok(Resolved::No); // where f jumps, the greater side need not be attained
        }
        let target = Target::Switch(switch);
        let none = &mut Branches::default();
        let at_left = context.sign(&self.f.value(&left, none, target)?);
        let at_right = context.sign(&self.f.value(&right, none, target)?);
        let (falling, [before, after]) = match (at_left, at_right) {
            (Sign::Positive, Sign::Negative) => (true, [Branch::Left, Branch::Right]),
            (Sign::Negative, Sign::Positive) => (false, [Branch::Right, Branch::Left]),
            _ => return Ok(Resolved::No),
        };
        // Each branch has to be monotone on the whole padded cluster, as the root may be anywhere on it.
        for (branch, wanted) in [(before, Sign::Positive), (after, Sign::Negative)] {
            let mut branches = Branches::forced(vec![(switch, branch)]);
            let line = self.f.line(&span, &mut branches, Target::Outputs)?;
            if context.sign(&line.slope) != wanted || !context.is_bounded(&line.slope) || !branches.undecided.is_empty()
            {
                return Ok(Resolved::No);
            }
        }
        let gap = self.f.line(&span, none, target)?;
        if context.sign(&gap.slope) == Sign::Undecided || !context.is_bounded(&gap.slope) {
            return Ok(Resolved::No);
        }
        let mut equation = Equation { function: self.f, target, branches: Branches::default(), falling };
        let at = equation.newton(span)?;
        let range = self.f.value(&at, none, Target::Outputs)?;
        // The value at the root raises the bound of the search.
        self.value(&context.midpoint(&at))?;
        Ok(Resolved::Peak(Peak { at, range, kind: Kind::Kink(switch) }))
    }

    /// Returns a slightly larger interval, within [0, 1], so that a kink at an end of the cluster lies inside.
    fn padded(&self, span: &C::Num) -> C::Num {
        let context = self.f.context();
        let middle = context.midpoint(span);
        let half = context.sub(span, &middle);
        // An eighth of the length on either side: a choice.
        let wide = context.add(&middle, &context.divide(&context.scale(&half, 5), 4));
        context.min(&context.max(&wide, &context.integer(0)), &context.integer(1))
    }

    /// Encloses the slope of f over a range.
    fn slope(&self, x: &C::Num, branches: &mut Branches) -> Result<C::Num, SmoothError> {
        Ok(self.f.line(x, branches, Target::Outputs)?.slope)
    }
}
