//! Where a maximum may be attained, and what kind of place it is.
//!
//! A cluster of neighbouring pieces that may hold maximisers is *resolved* when its shape is certain: strictly concave,
//! or a kink between a rising and a falling branch.

use super::search::Search;
use crate::number::context::Sign;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::is_settled;
use crate::smooth::solve::root::Equation;

/// A possible place of the maximum.
#[derive(Clone, Debug)]
pub struct Peak<N> {
    /// Every maximiser of the cluster lies here.
    pub at: N,
    /// The values of the function at maximisers of the cluster.
    pub range: N,
    /// What kind of place it is.
    pub kind: Kind,
}

/// What kind of place a peak is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// 0 or 1, with a slope that is certainly not 0 there, or that is 0 for all inputs nearby, f being concave.
    End,
    /// The root of f_x in (0, 1), f_xx being certainly negative round it.
    Interior,
    /// The same, or the end 0 or 1 of [0, 1] that it reaches.
    InteriorOrEnd(i64),
    /// The root of this switch in (0, 1): f rises on one side of it and falls on the other.
    Kink(Switch),
    /// Not known.
    Open,
}

/// What resolving a cluster showed.
pub enum Resolved<N> {
    /// All its maximisers are at this peak.
    Peak(Peak<N>),
    /// It has none.
    Empty,
    /// Nothing.
    No,
}

/// The ends of [0, 1] that belong to a cluster and may be maximisers.
struct Ends<N> {
    left: Option<N>,
    right: Option<N>,
}

impl<C: Hooked> Search<'_, '_, '_, C> {
    /// Resolves the cluster [left, right].
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

    /// f_xx < 0 on the cluster: its maximisers are roots of f_x, or ends of [0, 1].
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
                // it falls from there on
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
            let Some(next) = candidates.into_iter().flatten().reduce(|a, b| context.hull(&a, &b)) else {
                return Ok(Resolved::Empty);
            };
            let narrower = context.width(&next) <= context.width(&at).half();
            stalled = if narrower { 0 } else { stalled + 1 };
            at = next;
        }
    }

    /// The peak of a concave cluster: f at its top is `f(m) - (f_xx/2)(x - m)²` for some f_xx on the cluster.
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

    /// The peak at an end of [0, 1] that is certainly better than what is beside it.
    fn end(&mut self, at: C::Num) -> Result<Resolved<C::Num>, SmoothError> {
        let range = self.value(&at)?;
        Ok(Resolved::Peak(Peak { at, range, kind: Kind::End }))
    }

    /// One switch is undecided on the cluster, and it is strictly monotone; f rises before its root and falls behind.
    fn kink(&mut self, span: &C::Num) -> Result<Resolved<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let span = self.padded(span);
        let (Some(left), Some(right)) = (context.lower(&span), context.upper(&span)) else { return Ok(Resolved::No) };
        let mut branches = Branches::default();
        // for its slope an optimum inside looks at the places too
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
        self.value(&context.midpoint(&at))?;
        Ok(Resolved::Peak(Peak { at, range, kind: Kind::Kink(switch) }))
    }

    /// A little more than a cluster, within [0, 1], so that a kink at its end lies inside.
    fn padded(&self, span: &C::Num) -> C::Num {
        let context = self.f.context();
        let middle = context.midpoint(span);
        let half = context.sub(span, &middle);
        let wide = context.add(&middle, &context.divide(&context.scale(&half, 5), 4));
        context.min(&context.max(&wide, &context.integer(0)), &context.integer(1))
    }

    fn slope(&self, x: &C::Num, branches: &mut Branches) -> Result<C::Num, SmoothError> {
        Ok(self.f.line(x, branches, Target::Outputs)?.slope)
    }
}
