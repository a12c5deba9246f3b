//! integral01: the Riemann integral over [0, 1] with derivatives of every order (S §5.2.1).
//!
//! All panels whose excess is near the worst are split in each round: where a smooth integrand meets a kink that
//! cannot be split at, only the panel that holds it shrinks, geometrically, so the cost grows like a power of
//! log(1/ε). An analytic integrand has nodes in place of panels, where few are enough ([`analytic`]), and so has a piece
//! between kinks.
//! The rounds end when the total excess is within the tolerance or below the floor, which is the width that the inputs
//! and the rounding bring along whatever the panels.

mod fubini;

use super::analytic;
use super::panel::{End, Frames, Panel, Piece};
use super::{DOUBLE_BITS, Function, LEAST_ORDER_IN_DOUBLES};
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use std::sync::Arc;

/// A value stays unbounded on a panel for at most this many splits in a row…
const HOPELESS_AFTER: u32 = 40;
/// …a derivative for this many, fewer inside other integrals (a kink that can be split at is found long before)…
const HOPELESS_DERIVATIVE_AFTER: [u32; 3] = [12, 6, 4];
/// …and either on at most this many panels at once; then its integral is ⊥.
const HOPELESS_PANELS: usize = 32;
/// The same inside other expansions, of panels without kinks: there the integrand is at an edge, and not at a few places only.
const HOPELESS_DECIDED_PANELS: usize = 8;
/// With more panels than this a search ends: they take a few hundred megabytes, and each halving of the excess as many again.
const MOST_PANELS: usize = 1 << 16;
/// Rounds without a tenth of gain before the search ends, unless the integrand is smooth: halved often enough, it gains in the end.
const PATIENCE: u32 = 6;
/// A search of a smooth integrand that has gained nothing for so long ends with this many panels, the binary logarithm of their number…
const PATIENT_PANELS: u32 = 10;
/// …and with so many more each time that more is granted. Inside other expansions it ends as any other does.
const MORE_PANELS: u32 = 2;
/// So many panels are split before the sum is told.
const TOGETHER: usize = 8;
/// The least order where solvers lie within solvers: below, panels are many, and each asks the inner ones.
const LEAST_NESTED_ORDER: u32 = 16;
/// Where every piece has to be smooth, so many splits in a row are all that is tried.
const UNBOUNDED_AFTER: u32 = 8;

/// The integral over [0, 1] as a jet.
///
/// # Errors
/// Those of [`over`].
pub fn integrate<C: Hooked>(f: &Function<C>, algebra: &Arc<Algebra>) -> Result<Jet<C::Num>, SmoothError> {
    if let Some(integral) = analytic::integrate(f, algebra, None)? {
        return Ok(integral);
    }
    if let Some(integral) = fubini::integrate(f, algebra)? {
        return Ok(integral);
    }
    over(f, algebra, [0, 1].map(|end| Jet::constant(f.context().integer(end))))
}

/// The integral between two ends as a jet.
///
/// # Errors
/// Those of the integrand; [`SmoothError::Contradiction`].
pub fn over<C: Hooked>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    between: [Jet<C::Num>; 2],
) -> Result<Jet<C::Num>, SmoothError> {
    let frames = Frames::new(f, algebra, order(f, algebra));
    let offer = &mut |panels: Panels<'_, '_, C>| f.machine.offer(|| Ok(total(f, &frames, panels, 0)));
    let effort = f.machine.effort;
    // what an outer search asks on a part of its interval it may ask on smaller ones
    let is_alone = !effort.is_splitting();
    let panels = effort.splitting(|| search(f, &frames, Place::whole(between), offer, |_| true))?;
    let panels = panels.unwrap_or_default();
    if is_alone && !effort.budget.is_cut() && is_stuck(&panels, effort.tolerance()) {
        effort.leave_stuck(f.site.0);
    }
    for panel in &panels {
        panel.ask(f, &frames)?;
    }
    Ok(total(f, &frames, &mut panels.iter(), 0))
}

/// Whether panels with kinks that are not told apart are wider than the tolerance together.
fn is_stuck<N: Clone + Send + Sync>(panels: &[Panel<N>], tolerance: Magnitude) -> bool {
    let undecided = panels.iter().filter(|panel| panel.unbounded.is_empty() && !panel.is_decided());
    undecided.fold(Magnitude::ZERO, |sum, panel| sum + panel.excess + panel.floor) > tolerance
}

/// The integrals over [0, 1] of all outputs of a block; nothing where the interval does not fall into pieces on each of which all of
/// them are seen to be smooth.
///
/// # Errors
/// Those of [`over`].
pub fn smooth<C: Hooked>(f: &Function<C>, algebra: &Arc<Algebra>) -> Result<Option<Vec<Jet<C::Num>>>, SmoothError> {
    let frames = Frames::new(f, algebra, order(f, algebra));
    let unit = Place::whole([0, 1].map(|end| Jet::constant(f.context().integer(end))));
    let has_hope = |panel: &Panel<C::Num>| panel.unbounded_for < UNBOUNDED_AFTER;
    let panels = f.machine.effort.splitting(|| search(f, &frames, unit, &mut |_| Ok(()), has_hope))?;
    let panels = panels.filter(|panels| panels.iter().all(Panel::is_smooth));
    let outputs = f.block.outputs.len();
    Ok(panels.map(|panels| (0..outputs).map(|output| total(f, &frames, &mut panels.iter(), output)).collect()))
}

/// An interval, and what its ends are.
struct Place<N> {
    between: [Jet<N>; 2],
    ends: [End; 2],
}

impl<N> Place<N> {
    /// One that is all there is.
    fn whole(between: [Jet<N>; 2]) -> Self {
        Self { between, ends: [End::Outer; 2] }
    }
}

/// Panels that make up an interval, narrow enough together; nothing where there is no hope for one of them.
fn search<C: Hooked>(
    f: &Function<C>,
    frames: &Frames<C::Num>,
    Place { between, ends }: Place<C::Num>,
    offer: Offer<C>,
    has_hope: impl Fn(&Panel<C::Num>) -> bool,
) -> Result<Option<Vec<Panel<C::Num>>>, SmoothError> {
    let algebra = frames.outer;
    let known = [Vec::new(), Vec::new()];
    let whole = Piece { between, ends, forced: Vec::new(), known, was_tried: false };
    let mut panels = vec![Panel::new(f, frames, whole)?];
    let tolerance = f.machine.effort.tolerance();
    let derivative_after = HOPELESS_DERIVATIVE_AFTER[algebra.taylor_generator_count().min(2)];
    let (mut best, mut patience) = (Magnitude::INFINITY, PATIENCE);
    let is_patient = algebra.taylor_generator_count() == 0 && f.has_fine_captures();
    let most_patient = patient_panels(f.machine.effort.times_raised());
    offer(&mut panels.iter())?;
    loop {
        if !panels.iter().all(&has_hope) {
            return Ok(None);
        }
        let excess = panels.iter().fold(Magnitude::ZERO, |s, p| s + p.excess);
        let floor = panels.iter().fold(Magnitude::ZERO, |s, p| s + p.floor);
        let unbounded = || panels.iter().filter(|p| !p.unbounded.is_empty());
        let decided = unbounded().filter(|p| p.is_decided()).count();
        let is_nested = algebra.taylor_generator_count() > 0;
        let hopeless = is_nested && decided > HOPELESS_DECIDED_PANELS || unbounded().count() > HOPELESS_PANELS;
        let pending = |p: &Panel<C::Num>| match p.unbounded.first() {
            _ if hopeless => false,
            None => false,
            Some(0) => p.unbounded_for < HOPELESS_AFTER,
            Some(_) => p.unbounded_for < derivative_after,
        };
        let any_pending = panels.iter().any(pending);
        if !any_pending {
            if excess <= tolerance || excess <= floor.half() {
                if excess > floor.half() {
                    f.machine.effort.leave_open();
                }
                break;
            }
            if excess + excess.shifted(-3) < best {
                best = excess;
                patience = PATIENCE;
            } else if patience > 0 {
                patience -= 1;
            } else if !is_patient || panels.iter().any(|p| !p.is_smooth()) {
                break;
            } else if panels.len() > most_patient {
                f.machine.effort.leave_capped(panels.len() as u64);
                break;
            }
        }
        if panels.len() > MOST_PANELS {
            f.machine.effort.leave_capped(panels.len() as u64);
            break;
        }
        if !f.machine.effort.budget.spend(1) {
            f.machine.effort.leave_open();
            break;
        }
        let worst = panels.iter().map(|p| p.excess).max().unwrap_or(Magnitude::ZERO);
        let threshold = worst.shifted(-3);
        let enough = excess <= tolerance || excess <= floor.half();
        let mut next = Vec::with_capacity(panels.len() * 2);
        let mut moved = false;
        let is_wanted = |panel: &Panel<C::Num>| {
            pending(panel) || (!enough && panel.excess > Magnitude::ZERO && panel.excess >= threshold)
        };
        panels.reverse();
        while !panels.is_empty() {
            // some that are wanted, with those between them
            let mut found = 0;
            let count = panels.iter().rev().take_while(|panel| {
                found += usize::from(is_wanted(panel));
                found <= TOGETHER
            });
            let some = panels.split_off(panels.len() - count.count());
            let wanted: Vec<&Panel<C::Num>> = some.iter().rev().filter(|panel| is_wanted(panel)).collect();
            let work = wanted.iter().map(|panel| panel.work.saturating_mul(2)).max();
            let budget = f.machine.effort.budget;
            // halves that the budget cut short are worth less than the whole, and those behind them are not begun
            let split = |f: &Function<C>, panel: &Panel<C::Num>| match budget.is_cut() {
                true => Ok(None),
                false => Ok(panel.split(f, frames)?.filter(|_| !budget.is_exhausted())),
            };
            let mut halves = f.each(wanted, work, split)?.into_iter();
            let mut has_moved = false;
            for panel in some.into_iter().rev() {
                match if is_wanted(&panel) { halves.next().flatten() } else { None } {
                    Some(halves) => {
                        has_moved = true;
                        next.extend(halves);
                    }
                    None => next.push(panel),
                }
            }
            if has_moved {
                moved = true;
                offer(&mut next.iter().chain(&panels))?;
            }
        }
        panels = next;
        if !moved {
            break;
        }
    }
    Ok(Some(panels))
}

/// With how many panels the search of a smooth integrand ends that has gained nothing for long.
fn patient_panels(times_raised: u32) -> usize {
    let exponent = PATIENT_PANELS.saturating_add(MORE_PANELS.saturating_mul(times_raised));
    MOST_PANELS.min(1usize.checked_shl(exponent).unwrap_or(MOST_PANELS))
}

/// Who is told of the panels in the meantime.
type Offer<'o, C> = &'o mut dyn FnMut(Panels<'_, '_, C>) -> Result<(), SmoothError>;
/// Some panels.
type Panels<'i, 'p, C> = &'i mut dyn Iterator<Item = &'p Panel<<C as Context>::Num>>;

/// The sum over the panels, of an output. A coefficient that is unbounded on some panel is ⊥.
fn total<C: Hooked>(f: &Function<C>, frames: &Frames<C::Num>, panels: Panels<'_, '_, C>, output: usize) -> Jet<C::Num> {
    let jets = f.jets(frames.outer);
    let mut sum = panels.fold(Jet::zero(), |s, p| jets.add(&s, &p.estimates[output]));
    if sum.get(0).is_none() {
        sum.set(0, Some(f.context().integer(0)));
    }
    sum
}

/// The order of the Taylor expansions at a precision, lower inside other expansions.
fn order<C: Hooked>(f: &Function<C>, outer: &Algebra) -> u32 {
    let precision = f.context().precision();
    let full = 10 + precision / 8;
    let is_double = precision <= DOUBLE_BITS;
    // An expansion within another costs the fourth power of the order: for few digits that is more than the panels that it saves.
    let by_digits = || {
        let tolerance = f.machine.effort.tolerance();
        let bits = if tolerance.is_finite() && !tolerance.is_zero() { -tolerance.log2() } else { 0 };
        full.min(u32::try_from(bits * 2 / 5).unwrap_or(0).max(LEAST_ORDER_IN_DOUBLES))
    };
    match outer.taylor_generator_count() {
        0 if is_double && f.block.depth > 1 => by_digits(),
        1 if is_double => by_digits(),
        2 => full.min(10),
        3.. => full.min(5),
        // Beyond doubles, to reach a tolerance of b bits at order k takes some 2^(b/k) panels, and an expansion within another some k⁴
        // products, which is least together at k = b·(log 2)/4, b being about half the precision.
        0 if f.block.depth > 1 => LEAST_NESTED_ORDER.max(precision / 10).min(50),
        1 => LEAST_NESTED_ORDER.max(precision / 10).min(50),
        _ => full.min(400),
    }
}
