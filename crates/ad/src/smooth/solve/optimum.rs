//! max01 and argmax01: the maximum of a function on [0, 1], its maximiser, and their derivatives (S §5.2.3, E14).
//!
//! A [search] encloses the points where the maximum can be attained, as a list of candidates ([`MaximiserCandidate`]). With m the
//! maximum and x* the maximiser:
//!
//! | certain | m | x* |
//! |---|---|---|
//! | f does not depend on x | f, every order | [0, 1], ⊥ beyond |
//! | one peak, at 0 or 1, f_x ≠ 0 there, or f_xx < 0 and f_x = 0 for all inputs nearby | f at that end, every order | constant |
//! | one peak, in (0, 1), f_xx < 0 round it | f(x*), every order | the root of f_x, by the implicit function theorem (IFT) |
//! | one peak, f_xx < 0 round it, which may reach 0 or 1 | orders 1, 2: hull{f at the end, f(x*)} | order 1: hull{0, IFT} |
//! | one peak, at a kink in (0, 1) between a rising and a falling branch | f(x*), every order | the root of the switch |
//! | f is convex, or its peaks are 0 and 1, with f_x ≠ 0 there | max(f(0), f(1)) | 0 or 1 |
//! | anything else (ties, flat tops) | order 1: the hull of ∂f over the peaks (Danskin 1966, Clarke 1975; S75) | ⊥ |
//!
//! If the maximum is attained on a continuum, its value and these slopes are narrowed by [Taylor's formula](danskin).
//!
//! Danskin's rule needs a bounded ∂f round every possible maximiser, so ∂f is taken over intervals of positive radius.

pub mod danskin;
pub mod peak;
pub mod search;

use super::SolverFunction;
use crate::number::arithmetic::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, KinkBranch};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use peak::{MaximiserCandidate, MaximiserKind};
use search::{MaximumGoal, MaximumSearch};
use std::sync::Arc;

/// Computes the maximum as a jet.
///
/// # Errors
/// Those of the function; [`SmoothError::DisjointEnclosures`].
pub fn maximum<C: HookedContext>(f: &SolverFunction<C>, algebra: &Arc<Algebra>) -> Result<Jet<C::Num>, SmoothError> {
    let captures = f.base_captures();
    let base = SolverFunction { window: f.window.clone(), ..f.with_captures(&captures) };
    let varies = !f.captures.iter().all(Jet::is_constant);
    if f.needs_no_search() {
        return f.coarse_maximum(algebra, &base);
    }
    // The search splits the intervals on which these tests look at the function as a whole.
    let effort = f.machine.effort;
    // If the inputs are parts that will be split again, expensive tests are left to smaller parts.
    let is_hasty = f.block.depth > 1 && effort.is_splitting();
    let looseness = if is_hasty { Magnitude::INFINITY } else { Magnitude::ZERO };
    if effort.with_looser_tolerance(looseness, || effort.while_splitting(|| base.ignores_its_variable()))? {
        let jet = f.eval_jet(
            algebra,
            Jet::constant(f.context().enclose_integer(0)),
            &mut BranchDecisions::default(),
            EvalTarget::Outputs,
        )?;
        if base.is_defined_on(&unit_interval(f.context()))? {
            return Ok(jet);
        }
        let value = f.jets(algebra).value_of(&jet);
        return Ok(f.not_differentiable(algebra, f.context().mark_undefined(value)));
    }
    // A convex function has its maximum at an end, so no search is needed.
    if !is_hasty && effort.while_splitting(|| base.is_convex())? {
        return f.at_better_end(algebra, &[Vec::new(), Vec::new()]);
    }
    let ends = f.switches_at_ends(algebra)?;
    let near_captures = f.machine.widen_inputs(f.captures);
    let near = f.with_captures(&near_captures);
    let mut search = MaximumSearch::new(
        [&base, &near],
        if varies { MaximumGoal::Maximiser } else { MaximumGoal::Value },
        ends.clone(),
    )?;
    search.run_to_goal(|search, open| f.machine.publish_number(|| search.enclose_maximum_over(open)))?;
    let value = search.enclose_maximum()?;
    // Without derivatives the value is all; below, the shape of each peak matters.
    if !varies {
        return Ok(Jet::constant(value));
    }
    // Outside of the window derivatives are not needed.
    if !search.is_defined() || f.window.certainly_excludes(f.context(), &value) {
        return Ok(f.not_differentiable(algebra, value));
    }
    let bound = search.bound().cloned();
    let peaks = f.candidates_of(SecondOrder::Maximum, search);
    let jet = match &peaks[..] {
        [MaximiserCandidate { at, kind: MaximiserKind::End, .. }] => {
            f.attained_at(algebra, &ends, usize::from(f.context().sign(at) == Sign::Positive))?
        }
        [MaximiserCandidate { at, kind: MaximiserKind::Interior, .. }] => f.maximum_at_critical_point(algebra, at)?,
        // Where the place reaches the end, f_x = 0: value and slope of both agree, so the hull holds up to order 2.
        [MaximiserCandidate { at, kind: MaximiserKind::InteriorOrEnd(end), .. }] => {
            let inside = f.maximum_at_critical_point(algebra, at)?;
            let end = Jet::constant(f.context().enclose_integer(*end));
            let outside = f.eval_jet(algebra, end, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
            f.jets(algebra).hull_to_order(value.clone(), &inside, &outside, 2)
        }
        // At a kink the maximiser is the zero of the branch point, and either branch gives f there.
        [MaximiserCandidate { at, kind: MaximiserKind::Kink(switch), .. }] => {
            let place =
                f.lift_root(algebra, at.clone(), &mut BranchDecisions::default(), EvalTarget::BranchPoint(*switch))?;
            let mut branches = BranchDecisions::with_forced(vec![(*switch, KinkBranch::Left)]);
            f.eval_jet(algebra, place, &mut branches, EvalTarget::Outputs)?
        }
        [MaximiserCandidate { kind: MaximiserKind::End, .. }, MaximiserCandidate { kind: MaximiserKind::End, .. }]
            if f.better_end()? != KinkBranch::Undecided =>
        {
            f.at_better_end(algebra, &ends)?
        }
        _ => {
            f.attest_peaks(&peaks);
            return danskin::danskin_maximum(f, algebra, value, bound.as_ref(), peaks);
        }
    };
    // Two enclosures of one number: the search's, and that of the jet.
    let mut jet = jet;
    let both = f.context().intersect(&value, &f.jets(algebra).value_of(&jet));
    jet.set(0, Some(both.ok_or(SmoothError::DisjointEnclosures { construct: "a maximum" })?));
    Ok(jet)
}

/// Computes the maximiser as a jet.
///
/// # Errors
/// Those of the function; [`SmoothError::DisjointEnclosures`].
pub fn maximiser<C: HookedContext>(f: &SolverFunction<C>, algebra: &Arc<Algebra>) -> Result<Jet<C::Num>, SmoothError> {
    let captures = f.base_captures();
    let base = f.with_captures(&captures);
    if f.needs_no_search() {
        f.machine.effort.record_open();
        let place = unit_interval(f.context());
        let defined =
            f.context().is_defined(&base.value_over(&place, &mut BranchDecisions::default(), EvalTarget::Outputs)?);
        return Ok(f.not_differentiable(algebra, if defined { place } else { f.context().mark_undefined(place) }));
    }
    if f.machine.effort.while_splitting(|| base.is_convex())? {
        return Ok(match f.better_end()? {
            KinkBranch::Left => Jet::constant(f.context().enclose_integer(0)),
            KinkBranch::Right => Jet::constant(f.context().enclose_integer(1)),
            KinkBranch::Undecided => f.not_differentiable(algebra, unit_interval(f.context())),
        });
    }
    let near_captures = f.machine.widen_inputs(f.captures);
    let near = f.with_captures(&near_captures);
    let mut search = MaximumSearch::new([&base, &near], MaximumGoal::Maximiser, f.switches_at_ends(algebra)?)?;
    search.run_to_goal(|search, open| f.machine.publish_number(|| search.enclose_maximisers_over(open)))?;
    let value = search.enclose_maximisers()?;
    let defined = search.is_defined();
    let peaks = f.candidates_of(SecondOrder::Maximiser, search);
    if !defined {
        return Ok(f.not_differentiable(algebra, value));
    }
    match &peaks[..] {
        [MaximiserCandidate { kind: MaximiserKind::End, .. }] => Ok(Jet::constant(value)),
        [MaximiserCandidate { kind: MaximiserKind::End, .. }, MaximiserCandidate { kind: MaximiserKind::End, .. }] => {
            Ok(match f.better_end()? {
                KinkBranch::Left => Jet::constant(f.context().enclose_integer(0)),
                KinkBranch::Right => Jet::constant(f.context().enclose_integer(1)),
                KinkBranch::Undecided => f.not_differentiable(algebra, value),
            })
        }
        [MaximiserCandidate { kind: MaximiserKind::Interior, .. }] => f.lift_critical(algebra, value),
        [MaximiserCandidate { kind: MaximiserKind::InteriorOrEnd(_), .. }] => {
            let lifted = f.lift_critical(algebra, value.clone())?;
            Ok(f.jets(algebra).clarke_hull(value, &lifted, &Jet::zero()))
        }
        [MaximiserCandidate { kind: MaximiserKind::Kink(switch), .. }] => {
            f.lift_root(algebra, value, &mut BranchDecisions::default(), EvalTarget::BranchPoint(*switch))
        }
        _ => {
            f.attest_peaks(&peaks);
            Ok(f.not_differentiable(algebra, value))
        }
    }
}

/// Returns [0, 1].
pub(crate) fn unit_interval<C: HookedContext>(context: &C) -> C::Num {
    context.hull(&context.enclose_integer(0), &context.enclose_integer(1))
}
