//! Candidates for maximisers, and their kinds.
//!
//! A cluster of neighbouring pieces that may contain maximisers is *resolved* if its shape is certain: strictly concave, or
//! a kink between a rising and a falling branch.

use super::search::MaximumSearch;
use crate::number::arithmetic::Sign;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::KinkBranch;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::is_converged;
use crate::smooth::solve::root::RootEquation;

/// A candidate for the maximiser: a place that may contain maximisers.
#[derive(Clone, Debug)]
pub struct MaximiserCandidate<N> {
    /// An interval that contains every maximiser of the cluster.
    pub at: N,
    /// An enclosure of the function at the maximisers of the cluster.
    pub range: N,
    /// The kind of the place.
    pub kind: MaximiserKind,
}

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaximiserKind {
    /// The end 0 or 1, with a slope that is certainly not 0 there, or one that is 0 for all inputs nearby, f being concave.
    End,
    /// The root of f_x in (0, 1), f_xx being certainly negative round it.
    Interior,
    /// The root of f_x as for [`BoxInterior`](Self::Interior), or the end 0 or 1 of [0, 1] that it reaches.
    InteriorOrEnd(i64),
    /// The root of this branch point in (0, 1): f increases on one side of it and decreases on the other.
    Kink(BranchPoint),
    /// An unknown kind.
    Open,
}

/// The result of resolving a cluster.
pub enum ResolvedCluster<N> {
    /// A candidate that contains all maximisers of the cluster.
    Peak(MaximiserCandidate<N>),
    /// A proof that the cluster has no maximisers.
    Empty,
    /// An undecided shape.
    Undecided,
}

/// The ends of [0, 1] that belong to a cluster and may be maximisers.
struct ReachedEnds<N> {
    left: Option<N>,
    right: Option<N>,
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Resolves the cluster [left, right]: first as a concave one, then as a kink.
    pub(super) fn resolve_cluster(
        &mut self,
        left: &C::Num,
        right: &C::Num,
    ) -> Result<ResolvedCluster<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let span = context.hull(left, right);
        let mut branches = self.branches_on(&span)?;
        if let Some([value, slope, half]) = self.f.taylor_to_second_order(&span, &mut branches)? {
            let smooth = context.is_defined(&value) && context.is_bounded(&slope) && context.is_bounded(&half);
            if smooth && context.sign(&half) == Sign::Negative {
                return self.resolve_concave(left, right, branches);
            }
        }
        self.resolve_kink(&span)
    }

    /// Resolves a cluster with f_xx < 0: its maximisers are roots of f_x, or ends of [0, 1].
    fn resolve_concave(
        &mut self,
        left: &C::Num,
        right: &C::Num,
        mut branches: BranchDecisions,
    ) -> Result<ResolvedCluster<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let mut ends = ReachedEnds { left: None, right: None };
        if context.contains_zero(left) {
            match context.sign(&self.slope_over(left, &mut branches)?) {
                Sign::Negative => return self.end_candidate(left.clone()),
                Sign::Positive => {}
                // With slope 0 for all inputs nearby, a concave function decreases from there on.
                Sign::Undecided if self.is_flat(left, &branches)? => return self.end_candidate(left.clone()),
                Sign::Undecided => ends.left = Some(left.clone()),
            }
        }
        if context.contains_zero(&context.sub(right, &context.enclose_integer(1))) {
            match context.sign(&self.slope_over(right, &mut branches)?) {
                Sign::Positive => return self.end_candidate(right.clone()),
                Sign::Negative => {}
                Sign::Undecided if self.is_flat(right, &branches)? => return self.end_candidate(right.clone()),
                Sign::Undecided => ends.right = Some(right.clone()),
            }
        }
        // Newton steps for f_x = 0, on which an end stays as long as it may be the maximiser.
        let mut at = context.hull(left, right);
        let mut stalled = 0;
        loop {
            let middle = context.midpoint(&at);
            let Some([_, _, half]) = self.f.taylor_to_second_order(&at, &mut branches)? else {
                return Ok(ResolvedCluster::Undecided);
            };
            let done = is_converged(&context, &at) || stalled >= 2 || !self.f.machine.effort.budget.spend(1);
            if done {
                return self.concave_candidate(at, &middle, &half, ends);
            }
            let line = self.f.value_and_slope(&middle, &mut branches, EvalTarget::Outputs)?;
            let step = context.div(&line.slope, &context.mul_integer(&half, 2));
            let critical = context.intersect(&at, &context.sub(&middle, &step));
            let candidates = [critical, ends.left.clone(), ends.right.clone()];
            // Neither a critical point nor an end: no maximiser.
            let Some(next) = candidates.into_iter().flatten().reduce(|a, b| context.hull(&a, &b)) else {
                return Ok(ResolvedCluster::Empty);
            };
            let narrower = context.width(&next) <= context.width(&at).half();
            stalled = if narrower { 0 } else { stalled + 1 };
            at = next;
        }
    }

    /// Returns the candidate of a concave cluster. At its top f is `f(m) - (f_xx/2)(x - m)²` for some f_xx on the cluster.
    fn concave_candidate(
        &mut self,
        at: C::Num,
        middle: &C::Num,
        half: &C::Num,
        ends: ReachedEnds<C::Num>,
    ) -> Result<ResolvedCluster<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let height = self.value_at(middle)?;
        let plain = self.f.value_over(&at, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        let reaches_end = ends.left.is_some() || ends.right.is_some();
        // At an end f_x need not be 0, so the formula holds at a critical point alone.
        let range = if reaches_end {
            plain
        } else {
            let drop = context.mul(half, &context.square(&context.sub(&at, middle)));
            let above = context.sub(&height, &drop);
            // Both contain the value at the middle, whether or not there is a critical point.
            context
                .intersect(&plain, &above)
                .ok_or(SmoothError::DisjointEnclosures { construct: "the value at a maximiser" })?
        };
        let kind = match (&ends.left, &ends.right) {
            (None, None) => MaximiserKind::Interior,
            (Some(_), None) => MaximiserKind::InteriorOrEnd(0),
            (None, Some(_)) => MaximiserKind::InteriorOrEnd(1),
            (Some(_), Some(_)) => MaximiserKind::Open,
        };
        Ok(ResolvedCluster::Peak(MaximiserCandidate { at, range, kind }))
    }

    /// Returns the candidate at an end of [0, 1] that is certainly better than all points beside it.
    fn end_candidate(&mut self, at: C::Num) -> Result<ResolvedCluster<C::Num>, SmoothError> {
        let range = self.value_at(&at)?;
        Ok(ResolvedCluster::Peak(MaximiserCandidate { at, range, kind: MaximiserKind::End }))
    }

    /// Resolves a cluster with one undecided branch point, strictly monotone, before whose root f increases, and behind
    /// which it decreases.
    fn resolve_kink(&mut self, span: &C::Num) -> Result<ResolvedCluster<C::Num>, SmoothError> {
        let context = self.f.context().clone();
        let span = self.pad_cluster(span);
        let (Some(left), Some(right)) = (context.lower(&span), context.upper(&span)) else {
            return Ok(ResolvedCluster::Undecided);
        };
        let mut branches = BranchDecisions::default();
        // For its slope an optimum inside evaluates its maximisers too, so more may be undecided than for values.
        self.f.value_and_slope(&span, &mut branches, EvalTarget::Outputs)?;
        let [switch] = branches.undecided[..] else { return Ok(ResolvedCluster::Undecided) };
        if self.f.block.is_border(switch) {
            return Ok(ResolvedCluster::Undecided); // where f jumps, the greater side need not be attained
        }
        let target = EvalTarget::BranchPoint(switch);
        let none = &mut BranchDecisions::default();
        let at_left = context.sign(&self.f.value_over(&left, none, target)?);
        let at_right = context.sign(&self.f.value_over(&right, none, target)?);
        let (falling, [before, after]) = match (at_left, at_right) {
            (Sign::Positive, Sign::Negative) => (true, [KinkBranch::Left, KinkBranch::Right]),
            (Sign::Negative, Sign::Positive) => (false, [KinkBranch::Right, KinkBranch::Left]),
            _ => return Ok(ResolvedCluster::Undecided),
        };
        // Each branch has to be monotone on the whole padded cluster, as the root may be anywhere on it.
        for (branch, wanted) in [(before, Sign::Positive), (after, Sign::Negative)] {
            let mut branches = BranchDecisions::with_forced(vec![(switch, branch)]);
            let line = self.f.value_and_slope(&span, &mut branches, EvalTarget::Outputs)?;
            if context.sign(&line.slope) != wanted || !context.is_bounded(&line.slope) || !branches.undecided.is_empty()
            {
                return Ok(ResolvedCluster::Undecided);
            }
        }
        let gap = self.f.value_and_slope(&span, none, target)?;
        if context.sign(&gap.slope) == Sign::Undecided || !context.is_bounded(&gap.slope) {
            return Ok(ResolvedCluster::Undecided);
        }
        let mut equation =
            RootEquation { function: self.f, target, branches: BranchDecisions::default(), is_decreasing: falling };
        let at = equation.iterate_newton(span)?;
        let range = self.f.value_over(&at, none, EvalTarget::Outputs)?;
        // The value at the root raises the bound of the search.
        self.value_at(&context.midpoint(&at))?;
        Ok(ResolvedCluster::Peak(MaximiserCandidate { at, range, kind: MaximiserKind::Kink(switch) }))
    }

    /// Returns a slightly larger interval, within [0, 1], so that a kink at an end of the cluster lies inside.
    fn pad_cluster(&self, span: &C::Num) -> C::Num {
        let context = self.f.context();
        let middle = context.midpoint(span);
        let half = context.sub(span, &middle);
        // An eighth of the length on either side: a choice.
        let wide = context.add(&middle, &context.div_integer(&context.mul_integer(&half, 5), 4));
        context.min(&context.max(&wide, &context.enclose_integer(0)), &context.enclose_integer(1))
    }

    /// Encloses the slope of f over a range.
    fn slope_over(&self, x: &C::Num, branches: &mut BranchDecisions) -> Result<C::Num, SmoothError> {
        Ok(self.f.value_and_slope(x, branches, EvalTarget::Outputs)?.slope)
    }
}
