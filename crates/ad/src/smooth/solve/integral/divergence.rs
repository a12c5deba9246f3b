//! Integrals that have no value, or none that is found: where the integrand is too large, and how large it is there.
//!
//! Beside an end of a piece the integrand is one term `sᵖ·Lᵠ·N` with an N that excludes 0 for all `0 < s ≤ 1`, and `∫₀¹ sᵖ·Lᵠ ds` is
//! infinite. So the integral of the absolute value over the piece is infinite, and no other piece makes up for it. With the length l of
//! the piece and `d = |l|·s` the absolute value is `|N|·|l|⁻ᵖ·dᵖ·Lᵠ`, where L goes like `log (1/d)`. A shorter piece has a narrower N.

use crate::number::Rational;
use crate::smooth::asymptotic::OneSidedLimit;
use crate::smooth::asymptotic::scale::{ScaleMonomial, raise_to};
use crate::smooth::asymptotic::series::EndIntegral;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::SourceId;
use crate::smooth::hooks::HookedContext;
use crate::smooth::machine::BranchDecisions;
use crate::smooth::nearby::{Diagnosis, DivergenceBound, DivergentIntegral};
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::panel::{IntegralPanel, PieceEnd, TaylorExpansions};

/// The halvings of a piece beside its end for which a bound is looked for, the best first. A choice.
const HALVINGS: [u32; 4] = [24, 12, 6, 0];
/// The number of panels whose ends are looked at for an operation without bounds, at most. A choice.
const MOST_WATCHED: usize = 4;

/// Returns the first place at which an integral over these panels is infinite. Returns `None` if there is none.
///
/// # Errors
/// Those of the integrand.
pub(super) fn find_divergence<C: HookedContext>(
    f: &SolverFunction<C>,
    frames: &TaylorExpansions<C::Num>,
    panels: &[IntegralPanel<C::Num>],
) -> Result<Option<DivergentIntegral>, SmoothError> {
    let Some(index) = panels.iter().position(|panel| panel.diverges) else { return Ok(None) };
    for end in 0..2 {
        let Some(own) = bound_beside(f, frames, &panels[index], end)? else { continue };
        let place = f.context().to_enclosure(&f.jets(frames.outer).value_of(&panels[index].piece.between[end]));
        let (Some(low), Some(high)) = (place.lo().to_rational(), place.hi().to_rational()) else { return Ok(None) };
        // Beyond a pole inside there is another piece, whose other end it is.
        let other = match (end, panels[index].piece.ends[end]) {
            (0, PieceEnd::Root(_)) => index.checked_sub(1),
            (1, PieceEnd::Root(_)) => Some(index + 1),
            _ => None,
        };
        // A shorter piece of it may have a bound where the whole of it has none.
        let other = other.and_then(|other| panels.get(other));
        let other = other.map(|other| bound_beside(f, frames, other, 1 - end)).transpose()?.flatten();
        // The piece of a left end lies on the right of the place.
        let sides = if end == 0 { [other, Some(own)] } else { [Some(own), other] };
        return Ok(Some(DivergentIntegral { place: [low, high], sides }));
    }
    Ok(None)
}

/// Returns the first operation, with its position, that no method bounds beside the ends of panels without a bound. Returns `None` if
/// there is none.
///
/// # Errors
/// Those of the integrand.
pub(super) fn find_unbounded<C: HookedContext>(
    f: &SolverFunction<C>,
    frames: &TaylorExpansions<C::Num>,
    panels: &[IntegralPanel<C::Num>],
    diagnosis: &Diagnosis,
) -> Result<Option<(String, SourceId)>, SmoothError> {
    // The binders of a body would be searched again.
    let unbounded = panels.iter().filter(|panel| !panel.unbounded.is_empty() && f.block.depth <= 1);
    for panel in unbounded.take(MOST_WATCHED) {
        for end in 0..2 {
            let (bound, first) = diagnosis.watch_end(|| bound_beside(f, frames, panel, end));
            bound?;
            if first.is_some() {
                return Ok(first);
            }
        }
    }
    Ok(None)
}

/// Returns a bound of the integrand beside an end of a panel that has no integral. Returns `None` if none is found.
fn bound_beside<C: HookedContext>(
    f: &SolverFunction<C>,
    frames: &TaylorExpansions<C::Num>,
    panel: &IntegralPanel<C::Num>,
    end: usize,
) -> Result<Option<DivergenceBound>, SmoothError> {
    let (jets, piece) = (f.jets(frames.outer), &panel.piece);
    let root = match piece.ends[end] {
        PieceEnd::Inner => return Ok(None),
        PieceEnd::Outer => None,
        PieceEnd::Root(switch) => Some(switch),
    };
    let length = jets.subtract(&piece.between[1 - end], &piece.between[end]);
    for halvings in HALVINGS {
        let share = f.context().enclose_rational(&(Rational::from(1) >> halvings));
        let length = jets.scale(&length, &share);
        let approach = OneSidedLimit { end: &piece.between[end], length: &length, root };
        let mut branches = BranchDecisions::with_forced(piece.forced.clone());
        let mean = f.machine.integral_at_end(f.block, frames.outer, &approach, f.captures, &mut branches)?;
        if let EndIntegral::Diverges(term) = mean {
            return Ok(bound_by_distance(
                f.context(),
                &jets.value_of(&length),
                &term.monomial,
                &jets.value_of(&term.factor),
            ));
        }
    }
    Ok(None)
}

/// Writes `sᵖ·Lᵠ·N` by the distance from the end. Returns `None` if the factor is not a finite number.
fn bound_by_distance<C: HookedContext>(
    context: &C,
    length: &C::Num,
    monomial: &ScaleMonomial,
    factor: &C::Num,
) -> Option<DivergenceBound> {
    let (power, log_power) = (monomial.power.clone(), monomial.log_power.clone());
    let scale = raise_to(context, &context.abs(length), &Rational::from(-&power));
    let bound = context.to_enclosure(&context.mul(factor, &scale));
    let is_positive = *bound.lo() > 0;
    let coefficient = if is_positive { bound.lo().to_rational()? } else { -bound.hi().to_rational()? };
    (coefficient > 0).then_some(DivergenceBound { is_positive, coefficient, power, log_power })
}
