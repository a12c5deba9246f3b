//! integral01: the Riemann integral over [0, 1] with derivatives of every order (S §5.2.1).
//!
//! All panels whose excess is near the worst are split in each round. Where a smooth integrand meets a kink that cannot be
//! split at, only the panel that contains it shrinks, geometrically. So the cost grows like a power of log(1/ε). An
//! analytic integrand, or piece between kinks, is integrated by nodes instead of panels, if few are enough ([`analytic`]).
//! The rounds end when the total excess is within the tolerance or below the floor. The floor is the width that the inputs
//! and the rounding bring along, whatever the panels.
//!
//! The paper halves all panels until the sum is narrow enough (S §5.2.1). That costs work like 1/ε, since the
//! panel with the kink shrinks no faster than the others.
//!
//! The floor of a panel is the width at its midpoint. If the midpoint meets a kink, that width may be due to the
//! kink alone. So it is a floor only after several halvings in a row at which the midpoint met the same kink.
//!
//! # Ends of an interval
//!
//! Branch points that are 0 there, and functions that need not be defined there.
//!
//! `abs w` on [0, 1] is `w`, though its sign is undecided on every piece that contains 0. Let a branch point be exactly 0
//! at an end, also when the inputs move, and strictly monotone on a piece that begins there. Then it has the sign of its
//! slope inside. So the function is that of one branch on the whole closed piece, and so are those for inputs nearby.

mod divergence;
mod fubini;
mod oscillation;

use super::panel::{IntegralPanel, PanelPiece, PieceEnd, TaylorExpansions};
use super::subdivide::{End, OpenPieces, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide};
use super::{DOUBLE_BITS, LEAST_ORDER_IN_DOUBLES, SolverFunction, analytic};
use crate::number::arithmetic::Context;
use crate::number::magnitude::Magnitude;
use crate::number::tuning::Tuning;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use std::sync::Arc;

/// The number of splits in a row for which a derivative may stay unbounded on a panel, fewer inside other integrals: a kink that
/// can be split at is found long before. A choice.
const DERIVATIVE_STALL_LIMITS: [u32; 3] = [12, 6, 4];
/// Like [`Tuning::unbounded_panels`], inside other expansions, for panels without kinks: there the integrand is singular at more
/// than a few places. A choice.
const MAX_STALLED_DECIDED_PANELS: usize = 8;
/// The binary logarithm of the factor by which [`Tuning::patient_panels`] grows each time that more is granted. Inside other
/// expansions a smooth integrand has no privilege.
const MORE_PANELS: u32 = 2;
/// The least order for solvers inside of solvers. Lower orders need many panels, each of which runs the inner solvers.
const LEAST_NESTED_ORDER: u32 = 16;
/// The number of splits in a row that are tried where every piece has to be smooth. A choice.
const UNBOUNDED_AFTER: u32 = 8;

/// Computes the integral over [0, 1] as a jet.
///
/// If `conditional`, an integral that does not converge absolutely has a value too: the limit of integrals.
///
/// # Errors
/// Those of [`integrate_between`].
pub fn integrate<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    conditional: bool,
) -> Result<Jet<C::Num>, SmoothError> {
    // In this order: waves beside the ends, nodes for an analytic integrand, then either order of a double integral, then panels.
    if let Some(integral) = oscillation::integrate(f, algebra, conditional)? {
        return Ok(integral);
    }
    if let Some(integral) = analytic::integrate(f, algebra, None)? {
        return Ok(integral);
    }
    if let Some(integral) = fubini::integrate(f, algebra)? {
        return Ok(integral);
    }
    let unit = IntegrationInterval::whole_domain([0, 1].map(|end| Jet::constant(f.context().enclose_integer(end))));
    integrate_interval(f, algebra, IntegrationInterval { is_outermost: conditional, ..unit }, true)
}

/// Computes the integral between two ends as a jet.
///
/// # Errors
/// Those of the integrand; [`SmoothError::DisjointEnclosures`].
pub fn integrate_between<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    between: [Jet<C::Num>; 2],
) -> Result<Jet<C::Num>, SmoothError> {
    integrate_interval(f, algebra, IntegrationInterval::whole_domain(between), true)
}

/// Computes the integral over an interval as a jet. If it `is_all` of the integral, intermediate enclosures are published.
fn integrate_interval<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    interval: IntegrationInterval<C::Num>,
    is_all: bool,
) -> Result<Jet<C::Num>, SmoothError> {
    let frames = TaylorExpansions::new(f, algebra, taylor_order(f, algebra));
    let offer = &mut |panels: PanelIter<'_, '_, C>| match is_all {
        true => f.machine.publish(|| Ok(sum_estimates(f, &frames, panels, 0))),
        false => Ok(()),
    };
    let effort = f.machine.effort;
    // For inputs widened to a neighbourhood a branch may be evaluated that is not taken.
    let is_outermost = interval.is_outermost && !f.machine.is_widened;
    // An outer search that splits its interval will repeat this question on smaller parts: then nothing is reported as stuck.
    let is_alone = !effort.is_splitting();
    let panels = effort.while_splitting(|| refine_panels(f, &frames, interval, offer, |_| true))?;
    let panels = panels.unwrap_or_default();
    if is_alone && !effort.budget.was_exhausted() && is_stuck(&panels, effort.tolerance()) {
        effort.record_stuck(f.site.0);
    }
    if is_alone && !effort.budget.was_exhausted() && panels.iter().any(|panel| panel.is_set) {
        effort.record_set(f.site.0);
    }
    if is_outermost && panels.iter().any(|panel| panel.diverges) {
        effort.record_divergent(f.site.0);
    }
    if is_all
        && !f.machine.is_widened
        && let Some(diagnosis) = f.machine.witness.filter(|diagnosis| diagnosis.is_outermost_solver())
    {
        match divergence::find_divergence(f, &frames, &panels)? {
            Some(found) => diagnosis.record_divergence(f.site, found),
            None => divergence::find_unbounded(f, &frames, &panels, diagnosis)?
                .into_iter()
                .for_each(|found| diagnosis.record_method(found)),
        }
    }
    for panel in &panels {
        panel.record_events(f, &frames)?;
    }
    Ok(sum_estimates(f, &frames, &mut panels.iter(), 0))
}

/// Returns `true` if the panels whose kinks are not located are together wider than the tolerance.
fn is_stuck<N: Clone + Send + Sync>(panels: &[IntegralPanel<N>], tolerance: Magnitude) -> bool {
    let undecided = panels.iter().filter(|panel| panel.unbounded.is_empty() && !panel.is_decided());
    undecided.fold(Magnitude::ZERO, |sum, panel| sum + panel.excess + panel.floor) > tolerance
}

/// Computes the integrals over [0, 1] of all outputs of a block.
///
/// Returns `None` unless the interval falls into pieces, on each of which all outputs are certainly smooth.
///
/// # Errors
/// Those of [`integrate_between`].
pub fn integrate_smooth_outputs<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
    let frames = TaylorExpansions::new(f, algebra, taylor_order(f, algebra));
    let unit = IntegrationInterval::whole_domain([0, 1].map(|end| Jet::constant(f.context().enclose_integer(end))));
    let has_hope = |panel: &IntegralPanel<C::Num>| !panel.diverges && panel.unbounded_for < UNBOUNDED_AFTER;
    let panels = f.machine.effort.while_splitting(|| refine_panels(f, &frames, unit, &mut |_| Ok(()), has_hope))?;
    let panels = panels.filter(|panels| panels.iter().all(IntegralPanel::is_smooth));
    let outputs = f.block.outputs.len();
    Ok(panels.map(|panels| (0..outputs).map(|output| sum_estimates(f, &frames, &mut panels.iter(), output)).collect()))
}

/// An interval of integration, with the kinds of its ends.
struct IntegrationInterval<N> {
    between: [Jet<N>; 2],
    ends: [PieceEnd; 2],
    /// `true` if it is that of an integral on which the answer to a question for a value depends, not inside of another solver.
    is_outermost: bool,
}

impl<N> IntegrationInterval<N> {
    /// Returns an interval that is all of the domain of integration.
    fn whole_domain(between: [Jet<N>; 2]) -> Self {
        Self { between, ends: [PieceEnd::Outer; 2], is_outermost: false }
    }
}

/// Splits an interval into panels that are together narrow enough. Returns `None` if `has_hope` gives one of them up.
fn refine_panels<C: HookedContext>(
    f: &SolverFunction<C>,
    frames: &TaylorExpansions<C::Num>,
    IntegrationInterval { between, ends, .. }: IntegrationInterval<C::Num>,
    offer: PanelObserver<C>,
    has_hope: impl Fn(&IntegralPanel<C::Num>) -> bool,
) -> Result<Option<Vec<IntegralPanel<C::Num>>>, SmoothError> {
    let known = [Vec::new(), Vec::new()];
    let whole = PanelPiece { between, ends, forced: Vec::new(), known, was_tried: false };
    let panels = vec![IntegralPanel::new(f, frames, whole)?];
    offer(&mut panels.iter())?;
    let effort = f.machine.effort;
    let tuning = effort.budget.tuning();
    let nesting = frames.outer.taylor_generator_count();
    let mut rounds = PanelRounds {
        f,
        frames,
        offer,
        has_hope,
        derivative_after: DERIVATIVE_STALL_LIMITS[nesting.min(2)],
        is_nested: nesting > 0,
        is_patient: nesting == 0 && f.has_fine_captures(),
        best: Magnitude::INFINITY,
        patience: Tuning::to_count(tuning.panel_patience),
        tuning,
        gives_up: false,
        is_hopeless: false,
        is_enough: false,
        threshold: Magnitude::ZERO,
    };
    let caps = SubdivisionCaps { open: Tuning::to_size(tuning.panels), ..SubdivisionCaps::NONE };
    let left = subdivide(&mut rounds, panels, caps, Some(effort.budget))?;
    if rounds.gives_up {
        return Ok(None);
    }
    match left.end {
        End::Cap => effort.record_capped(left.open.len() as u64),
        End::Cut => effort.record_cut(left.open.len() as u64),
        End::Reached | End::Floor | End::Stuck => {}
    }
    Ok(Some(left.open))
}

/// The rounds of an integral: all panels whose excess is near the worst are split.
struct PanelRounds<'r, 'f, 'm, 'a, C: HookedContext, H> {
    f: &'r SolverFunction<'f, 'm, C>,
    frames: &'r TaylorExpansions<'a, C::Num>,
    offer: PanelObserver<'r, C>,
    has_hope: H,
    tuning: &'r Tuning,
    /// The number of splits in a row for which a derivative may stay unbounded.
    derivative_after: u32,
    /// `true` inside of another expansion.
    is_nested: bool,
    /// `true` if a smooth integrand is not stopped by a lack of gain before it has many panels: for point inputs.
    is_patient: bool,
    /// The least excess of all rounds so far that was a gain, …
    best: Magnitude,
    /// … and the number of rounds that may follow without another.
    patience: u32,
    /// `true` if there is no hope for some panel.
    gives_up: bool,
    /// `true` if so many panels are unbounded that splitting will not make the integral defined.
    is_hopeless: bool,
    /// `true` if only panels without a bound are split.
    is_enough: bool,
    /// The excess from which a panel is split.
    threshold: Magnitude,
}

impl<C: HookedContext, H> PanelRounds<'_, '_, '_, '_, C, H> {
    /// Returns `true` if a panel without a bound may still get one.
    fn is_pending(&self, panel: &IntegralPanel<C::Num>) -> bool {
        match panel.unbounded.first() {
            _ if self.is_hopeless => false,
            None => false,
            Some(0) => u64::from(panel.unbounded_for) < self.tuning.unbounded_splits,
            Some(_) => panel.unbounded_for < self.derivative_after,
        }
    }
}

impl<C: HookedContext, H: Fn(&IntegralPanel<C::Num>) -> bool> SubdivisionProblem for PanelRounds<'_, '_, '_, '_, C, H> {
    type Piece = IntegralPanel<C::Num>;
    type Error = SmoothError;

    fn split_order(&self) -> SplitOrder {
        SplitOrder::Rounds { batch: Tuning::to_size(self.tuning.panel_batch) }
    }

    fn judge_open(&mut self, open: &mut OpenPieces<Self::Piece>) -> Result<Option<End>, SmoothError> {
        let effort = self.f.machine.effort;
        if !open.iter().all(&self.has_hope) {
            self.gives_up = true;
            return Ok(Some(End::Stuck));
        }
        // An infinite integral stays infinite: no splitting is tried.
        if open.iter().any(|panel| panel.diverges) {
            return Ok(Some(End::Floor));
        }
        let excess = open.iter().fold(Magnitude::ZERO, |s, p| s + p.excess);
        let floor = open.iter().fold(Magnitude::ZERO, |s, p| s + p.floor);
        let unbounded = || open.iter().filter(|p| !p.unbounded.is_empty());
        let decided = unbounded().filter(|p| p.is_decided()).count();
        // Too many panels without a bound: splitting will not make the integral defined, so only the rest is refined.
        self.is_hopeless = self.is_nested && decided > MAX_STALLED_DECIDED_PANELS
            || unbounded().count() > Tuning::to_size(self.tuning.unbounded_panels);
        // Below half of the floor the excess is lost in what no splitting narrows.
        self.is_enough = excess <= effort.tolerance() || excess <= floor.half();
        if !open.iter().any(|panel| self.is_pending(panel)) {
            if self.is_enough {
                let is_floor = excess <= floor.half();
                if !is_floor {
                    effort.record_open();
                }
                return Ok(Some(if is_floor { End::Floor } else { End::Reached }));
            }
            // An eighth of the excess must have been gained since the best round.
            if excess + excess.mul_exp2(-3) < self.best {
                self.best = excess;
                self.patience = Tuning::to_count(self.tuning.panel_patience);
            } else if self.patience > 0 {
                self.patience -= 1;
            } else if !self.is_patient || open.iter().any(|p| !p.is_smooth()) {
                return Ok(Some(End::Stuck));
            } else if open.len() > patient_panels(self.tuning, effort.times_raised()) {
                return Ok(Some(End::Cap));
            }
        }
        // An eighth of the worst excess: panels of similar excess are split in one round. A choice.
        let worst = open.iter().map(|p| p.excess).max().unwrap_or(Magnitude::ZERO);
        self.threshold = worst.mul_exp2(-3);
        Ok(None)
    }

    fn is_wanted(&mut self, panel: &Self::Piece) -> bool {
        self.is_pending(panel) || (!self.is_enough && panel.excess > Magnitude::ZERO && panel.excess >= self.threshold)
    }

    fn split_pieces(&mut self, panels: Vec<Self::Piece>) -> Result<Vec<Split<Self::Piece>>, SmoothError> {
        let (budget, frames) = (self.f.machine.effort.budget, self.frames);
        let work = panels.iter().map(|panel| panel.work.saturating_mul(2)).max();
        // Halves that the budget cut short are worth less than the whole panel, and later ones are not begun.
        let split = |f: &SolverFunction<C>, panel: &Self::Piece| match budget.was_exhausted() {
            true => Ok(None),
            false => Ok(panel.split_panel(f, frames)?.filter(|_| !budget.is_exhausted())),
        };
        let parts = self.f.map_places(panels.iter().collect(), work, split)?;
        let splits = panels.into_iter().zip(parts).map(|(panel, parts)| parts.map_or(Split::Kept(panel), Split::Parts));
        Ok(splits.collect())
    }

    fn observe_open(&mut self, open: &mut dyn Iterator<Item = &Self::Piece>) -> Result<(), SmoothError> {
        (self.offer)(open)
    }
}

/// Returns the number of panels at which the search of a smooth integrand ends that has gained nothing for long.
fn patient_panels(tuning: &Tuning, times_raised: u32) -> usize {
    let factor = 1u64.checked_shl(MORE_PANELS.saturating_mul(times_raised)).unwrap_or(u64::MAX);
    Tuning::to_size(tuning.patient_panels.saturating_mul(factor).min(tuning.panels))
}

/// A listener for the panels between two batches.
type PanelObserver<'o, C> = &'o mut dyn FnMut(PanelIter<'_, '_, C>) -> Result<(), SmoothError>;
/// An iterator over some panels.
type PanelIter<'i, 'p, C> = &'i mut dyn Iterator<Item = &'p IntegralPanel<<C as Context>::Num>>;

/// Sums the panels' integrals of an output. A coefficient that is unbounded on some panel is ⊥.
fn sum_estimates<C: HookedContext>(
    f: &SolverFunction<C>,
    frames: &TaylorExpansions<C::Num>,
    panels: PanelIter<'_, '_, C>,
    output: usize,
) -> Jet<C::Num> {
    let jets = f.jets(frames.outer);
    let mut sum = panels.fold(Jet::zero(), |s, p| jets.add(&s, &p.estimates[output]));
    // A structural 0 becomes the number 0: the integral has a value.
    if sum.get(0).is_none() {
        sum.set(0, Some(f.context().enclose_integer(0)));
    }
    sum
}

/// Returns the order of the Taylor expansions at this precision; lower inside other expansions.
fn taylor_order<C: HookedContext>(f: &SolverFunction<C>, outer: &Algebra) -> u32 {
    let precision = f.context().precision();
    let full = 10 + precision / 8;
    let is_double = precision <= DOUBLE_BITS;
    // An expansion within another costs the fourth power of the order. For few digits that is more than the panels it saves.
    let by_digits = || {
        let tolerance = f.machine.effort.tolerance();
        let bits = if tolerance.is_finite() && !tolerance.is_zero() { -tolerance.floor_log2() } else { 0 };
        full.min(u32::try_from(bits * 2 / 5).unwrap_or(0).max(LEAST_ORDER_IN_DOUBLES))
    };
    match outer.taylor_generator_count() {
        0 if is_double && f.block.depth > 1 => by_digits(),
        1 if is_double => by_digits(),
        2 => full.min(10),
        3.. => full.min(5),
        // Beyond doubles, a tolerance of b bits at order k takes some 2^(b/k) panels, and an expansion within another some
        // k⁴ products. The product is least at k = b·(log 2)/4, with b about half the precision.
        0 if f.block.depth > 1 => LEAST_NESTED_ORDER.max(precision / 10).min(50),
        1 => LEAST_NESTED_ORDER.max(precision / 10).min(50),
        _ => full.min(400),
    }
}
