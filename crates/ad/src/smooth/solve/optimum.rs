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
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SecondOrder;
use crate::smooth::hooks::{EvalHooks, HookedContext};
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
    search.run_to_goal(|search| f.machine.publish_number(|| search.enclose_maximum()))?;
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
    search.run_to_goal(|search| f.machine.publish_number(|| search.enclose_maximisers()))?;
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
fn unit_interval<C: HookedContext>(context: &C) -> C::Num {
    context.hull(&context.enclose_integer(0), &context.enclose_integer(1))
}

impl<C: HookedContext> SolverFunction<'_, '_, C> {
    /// Notes several candidates, of which none is known to be the only maximiser, in the diagnosis.
    fn attest_peaks(&self, peaks: &[MaximiserCandidate<C::Num>]) {
        if self.machine.witness.is_some() && peaks.len() > 1 {
            self.attest_tie(&peaks.iter().map(|peak| peak.at.clone()).collect::<Vec<_>>());
        }
    }

    /// Returns `true` if any enclosure will do and a search would be expensive: the tolerance is infinite and the function runs
    /// solvers.
    fn needs_no_search(&self) -> bool {
        !self.machine.effort.tolerance().is_finite() && self.block.depth > 1
    }

    /// Encloses the maximum by the range of f over [0, 1] and its value in the middle. All of [0, 1] counts as possible
    /// maximiser.
    fn coarse_maximum(&self, algebra: &Arc<Algebra>, base: &Self) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.context();
        self.machine.effort.record_open();
        let all = self.eval_jet(
            algebra,
            Jet::constant(unit_interval(context)),
            &mut BranchDecisions::default(),
            EvalTarget::Outputs,
        )?;
        let mut value = self.jets(algebra).value_of(&all);
        if !context.is_defined(&value) {
            return Ok(self.not_differentiable(algebra, value));
        }
        let middle = context.midpoint(&unit_interval(context));
        let height = base.value_over(&middle, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        // The maximum is at least any value that is attained.
        if let Some(least) = context.lower(&height).filter(|_| context.is_defined(&height)) {
            value = context.max(&value, &least);
        }
        let mut jet = self.not_differentiable(algebra, value);
        danskin::replace_slopes(self, algebra, &mut jet, &all);
        Ok(jet)
    }

    /// Returns the candidates that a search has found, as the hooks leave them.
    fn candidates_of(&self, primitive: SecondOrder, search: MaximumSearch<C>) -> Vec<MaximiserCandidate<C::Num>> {
        let (context, peaks) = (self.context(), search.into_candidates());
        if C::ACTIVE { context.hooks().maximum_candidates(context, primitive, peaks) } else { peaks }
    }

    /// Returns value, slope and half of the second derivative over a range of the bound variable. Returns `None` if the
    /// algebra is too large. The captures must be [base captures](Self::base_captures).
    fn taylor_to_second_order(
        &self,
        x: &C::Num,
        branches: &mut BranchDecisions,
    ) -> Result<Option<[C::Num; 3]>, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(2)) else { return Ok(None) };
        let x = Jet::new([Some(x.clone()), Some(self.context().enclose_integer(1))]);
        let y = self.eval_jet(&algebra, x, branches, EvalTarget::Outputs)?;
        let coefficient = |k| y.get(k).cloned().unwrap_or_else(|| self.context().enclose_integer(0));
        Ok(Some([coefficient(0), coefficient(1), coefficient(2)]))
    }

    /// Returns `true` if the value certainly does not depend on the bound variable in [0, 1], by its structure: no branch
    /// that may be taken contains it. The captures must be [base captures](Self::base_captures).
    fn ignores_its_variable(&self) -> Result<bool, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(AlgebraGenerator::Direction(1)) else { return Ok(false) };
        let x = Jet::new([Some(unit_interval(self.context())), Some(self.context().enclose_integer(1))]);
        let y = self.eval_jet(&algebra, x, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
        Ok(y.get(1).is_none())
    }

    /// Returns the jet of f at the place x* where f_x = 0, given an enclosure of it (envelope theorem).
    ///
    /// A change δ of the place changes f by O(δ²). So the place up to order n decides the maximum up to order 2n + 1 (for
    /// n = 0 this is the envelope theorem). The higher orders of the place would only add width.
    fn maximum_at_critical_point(&self, algebra: &Arc<Algebra>, at: &C::Num) -> Result<Jet<C::Num>, SmoothError> {
        let none = &mut BranchDecisions::default();
        let still = self.eval_jet(algebra, Jet::constant(at.clone()), none, EvalTarget::Outputs)?;
        // An algebra of height 1 needs order 0 of the place: this is the envelope theorem.
        let enough = algebra.max_degree() / 2;
        if enough == 0 {
            return Ok(still);
        }
        let place = self.lift_critical(algebra, at.clone())?;
        let place = Jet::new((0..place.len()).map(|m| place.get(m).filter(|_| algebra.degree(m) <= enough).cloned()));
        let mut jet = self.eval_jet(algebra, place, none, EvalTarget::Outputs)?;
        // At order 1 both enclose the slope, so their intersection does.
        for monomial in (1..jet.len()).filter(|&m| algebra.degree(m) == 1) {
            let slope = match (jet.get(monomial), still.get(monomial)) {
                (Some(moving), Some(still)) => {
                    let both = self.context().intersect(moving, still);
                    Some(both.ok_or(SmoothError::DisjointEnclosures { construct: "the slope of a maximum" })?)
                }
                (_, still) => still.cloned(),
            };
            jet.set(monomial, slope);
        }
        Ok(jet)
    }

    /// Lifts the place where f_x = 0 to a jet, given an enclosure of its value, by the implicit function theorem.
    fn lift_critical(&self, algebra: &Arc<Algebra>, value: C::Num) -> Result<Jet<C::Num>, SmoothError> {
        let Some(extended) = algebra.adjoin(AlgebraGenerator::Direction(2)) else {
            return Ok(self.not_differentiable(algebra, value));
        };
        let jets = self.jets(algebra);
        self.lift_implicitly(algebra, value, |place| {
            let mut x = place.clone();
            x.set(extended.last_generator(), Some(self.context().enclose_integer(1)));
            let f = self.eval_jet(&extended, x, &mut BranchDecisions::default(), EvalTarget::Outputs)?;
            let part = |power: usize| {
                Jet::new(extended.power_slice(power).iter().map(|&(_, here)| f.get(here as usize).cloned()))
            };
            Ok((part(1), jets.map_coefficients(&part(2), |c| self.context().mul_integer(c, 2))))
        })
    }
}
