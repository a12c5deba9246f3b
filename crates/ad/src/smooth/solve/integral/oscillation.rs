//! Integrals of functions that oscillate at an end of the interval.
//!
//! Beside such an end the integrand is a sum of [waves](crate::smooth::asymptotic::phase). On a piece there each wave is integrated by
//! parts, which leaves a remainder that falls with the number of radians up to the piece. A slow wave has a shorter piece than a fast
//! one. All else is cut at powers of 2: a part has about as many radians as all those before it, and a few nodes are enough.
//!
//! An integral that is not shown to converge absolutely is the limit of the integrals over [σ, 1 - τ]. It has a value only at the ends
//! of the outermost binder, and the pass records it.

use super::super::analytic::{self, SmoothInterval};
use super::{IntegrationInterval, integrate_interval};
use crate::number::Rational;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::asymptotic::OneSidedLimit;
use crate::smooth::asymptotic::phase::{PhaseSplit, WaveIntegral, has_unbounded_phase, may_oscillate};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::panel::PieceEnd;
use std::sync::Arc;

/// The least depth of the piece beside an end, whose length is 2⁻ᵈ for the depth d. A choice.
const FIRST_DEPTH: u32 = 2;
/// The greatest depth. A choice.
const MOST_DEPTH: u32 = 48;
/// The greatest depth at 1: in doubles, numbers that are much closer to 1 cannot be told from 1.
const MOST_DEPTH_AT_1: u32 = 45;
/// The number of depths that are tried for a wave, and for all of them together. A choice.
const MOST_TRIALS: u32 = 8;
/// The number of radians from which a remainder that is too large is kept: the parts before a deeper piece would be too many. A choice.
const MOST_RADIANS: u32 = 1 << 14;
/// The number of radians of a part that nodes integrate, and the number of parts between two powers of 2. Both are choices.
const RADIANS_OF_PART: u32 = 64;
const MOST_PARTS: u32 = 256;
/// The greatest number of integrations by parts. A choice.
const MOST_ORDER: u32 = 120;

/// A piece beside an end on which the integrand oscillates.
struct OscillatingEnd<N> {
    /// The length of the piece.
    length: Rational,
    /// About the number of radians up to the piece.
    radians: Magnitude,
    /// The integral over it, with its derivatives in the inputs.
    integral: Jet<N>,
}

/// The integral of a wave by parts.
struct WaveOnPiece<N> {
    /// The depth of the piece.
    depth: u32,
    /// About the number of radians up to the piece.
    radians: Magnitude,
    /// The mean over the piece.
    mean: Jet<N>,
    /// The part of the width of the integral that more steps or a shorter piece would narrow.
    remainder: Magnitude,
    /// `true` if the integral converges absolutely.
    is_absolute: bool,
}

/// The result beside an end.
enum EndOutcome<N> {
    /// No wave that is understood.
    Steady,
    Oscillating(OscillatingEnd<N>),
    /// The integral has no value, as far as is shown.
    Nothing,
}

/// Computes the integral over [0, 1] with all its derivatives. Returns `None` if the integrand does not oscillate at an end, or the
/// waves there cannot be integrated.
///
/// # Errors
/// Those of the integrand.
pub fn integrate<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    conditional: bool,
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let options = f.machine.effort.solver_options;
    let is_allowed = options.complex && options.kinks && algebra.taylor_generator_count() == 0;
    // Hooks would have to see every step.
    if C::ACTIVE || !is_allowed || !may_oscillate(f.block) {
        return Ok(None);
    }
    let jets = f.jets(algebra);
    let mut sum = Jet::constant(f.context().enclose_integer(0));
    let mut pieces = [None, None];
    for (end, piece) in pieces.iter_mut().enumerate() {
        let search = EndSearch::new(f, algebra, conditional, end);
        match search.integrate_end()? {
            EndOutcome::Steady => {}
            EndOutcome::Nothing => {
                f.machine.witness.iter().for_each(|witness| witness.record_oscillation(f.site));
                return Ok(Some(jets.bottom_everywhere()));
            }
            EndOutcome::Oscillating(found) => {
                sum = jets.add(&sum, &found.integral);
                *piece = Some((found.length, found.radians));
            }
        }
    }
    // without waves the other methods do better
    if pieces.iter().all(Option::is_none) {
        return Ok(None);
    }
    Ok(Some(jets.add(&sum, &integrate_between_cuts(f, algebra, &cut_between(&pieces))?)))
}

/// Integrates a function over the parts between cuts.
fn integrate_between_cuts<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    cuts: &[Rational],
) -> Result<Jet<C::Num>, SmoothError> {
    let mut sum = Jet::zero();
    // nodes first: the parts are so short that few are enough
    for between in cuts.windows(2) {
        let [a, b] = [&between[0], &between[1]].map(|q| Jet::constant(f.context().enclose_rational(q)));
        let kind = |q: &Rational| if q.is_integer() { PieceEnd::Outer } else { PieceEnd::Inner };
        let nodes = SmoothInterval { between: [&a, &b], forced: &[] };
        let part = match analytic::integrate(f, algebra, Some(&nodes))? {
            Some(part) => part,
            None => {
                let ends = [kind(&between[0]), kind(&between[1])];
                integrate_interval(
                    f,
                    algebra,
                    IntegrationInterval { between: [a, b], ends, is_outermost: false },
                    false,
                )?
            }
        };
        sum = f.jets(algebra).add(&sum, &part);
    }
    Ok(sum)
}

/// Returns the places at which the rest of [0, 1] is cut, its ends included: halves towards an end that has a piece.
fn cut_between([left, right]: &[Option<(Rational, Magnitude)>; 2]) -> Vec<Rational> {
    let half = Rational::from((1, 2));
    let towards = |piece: &Option<(Rational, Magnitude)>| match piece {
        None => vec![Rational::new()],
        Some((length, radians)) => dyadic_places(length, &half, *radians),
    };
    // from the left end to the middle, and from there to the right end
    let mut cuts = towards(left);
    cuts.push(half.clone());
    cuts.extend(towards(right).into_iter().rev().map(|place| 1 - place));
    cuts
}

/// Returns the doubles of a length that are below `most`, itself included, and places between them: a part of few radians needs few
/// nodes. There are about so many radians up to the first place, and fewer up to the others.
fn dyadic_places(length: &Rational, most: &Rational, radians: Magnitude) -> Vec<Rational> {
    let mut places = Vec::new();
    let (mut place, mut radians) = (length.clone(), radians);
    while place < *most {
        let fits = |parts: &u32| radians <= Magnitude::from_rational(&Rational::from(parts * RADIANS_OF_PART));
        let parts = (0..).map(|k| 1 << k).find(|parts| fits(parts) || *parts >= MOST_PARTS).unwrap_or(1);
        places.extend((0..parts).map(|part| &place * Rational::from((parts + part, parts))));
        place *= 2;
        radians = radians.half();
    }
    places
}

/// The integration beside an end, 0 or 1.
struct EndSearch<'s, 'f, 'm, C: HookedContext> {
    f: &'s SolverFunction<'f, 'm, C>,
    algebra: &'s Arc<Algebra>,
    /// `true` if an integral that converges conditionally has a value.
    conditional: bool,
    end: usize,
    /// The end as a number.
    place: Jet<C::Num>,
    /// The remainder that is wanted of a wave.
    wanted: Magnitude,
    /// The bits of that remainder.
    bits: u32,
}

impl<'s, 'f, 'm, C: HookedContext> EndSearch<'s, 'f, 'm, C> {
    fn new(f: &'s SolverFunction<'f, 'm, C>, algebra: &'s Arc<Algebra>, conditional: bool, end: usize) -> Self {
        let context = f.context();
        // The remainder should be well below the tolerance, since other parts have widths too.
        let wanted = f.machine.effort.tolerance().min(Magnitude::ONE).mul_exp2(-4);
        let bits = u32::try_from((-wanted.floor_log2()).clamp(8, i64::from(context.precision()))).unwrap_or(64);
        let place = Jet::constant(context.enclose_integer(end as i64));
        Self { f, algebra, conditional, end, place, wanted, bits }
    }

    fn most_depth(&self) -> u32 {
        if self.end == 1 { MOST_DEPTH_AT_1 } else { MOST_DEPTH }
    }

    /// Returns the signed length of a piece.
    fn signed_length(&self, depth: u32) -> Jet<C::Num> {
        let length = Rational::from(1) >> depth;
        let signed = if self.end == 1 { -length } else { length };
        Jet::constant(self.f.context().enclose_rational(&signed))
    }

    /// Returns `true` if there are about as many radians as bits: with fewer the remainder is too large.
    fn is_fast(&self, speed: Magnitude) -> bool {
        speed >= Magnitude::from_rational(&Rational::from(self.bits))
    }

    /// Integrates the piece beside the end, if the integrand oscillates there.
    fn integrate_end(&self) -> Result<EndOutcome<C::Num>, SmoothError> {
        let (f, jets) = (self.f, self.f.jets(self.algebra));
        let along = self.signed_length(FIRST_DEPTH);
        let approach = OneSidedLimit { end: &self.place, length: &along, root: None };
        // the usual case: one look is much cheaper than a split for each depth
        if !has_unbounded_phase(f.machine, f.block, &approach, f.captures) {
            return Ok(EndOutcome::Steady);
        }
        let mut trials = 0;
        for depth in FIRST_DEPTH..=self.most_depth() {
            let along = self.signed_length(depth);
            let approach = OneSidedLimit { end: &self.place, length: &along, root: None };
            let Some(split) = PhaseSplit::of_block(f.machine, f.block, f.site, &approach, f.captures) else { continue };
            // Some wave should be fast; the deepest piece is tried in any case.
            let speeds = split.phase_speeds(f.machine, &approach, f.captures)?;
            if depth < self.most_depth() && !speeds.iter().any(|speed| self.is_fast(*speed)) {
                continue;
            }
            trials += 1;
            let radians = speeds.into_iter().max().unwrap_or(Magnitude::ZERO);
            let mut sum = Some(Jet::constant(f.context().enclose_integer(0)));
            for wave in 0..split.wave_count() {
                match self.integrate_wave(&split, wave, depth)? {
                    EndOutcome::Nothing => return Ok(EndOutcome::Nothing),
                    EndOutcome::Steady => sum = None,
                    EndOutcome::Oscillating(found) => sum = sum.map(|sum| jets.add(&sum, &found.integral)),
                }
                if sum.is_none() {
                    break;
                }
            }
            if let Some(sum) = sum {
                // Without the other part there is no value, whatever the waves are.
                return Ok(match self.integrate_plain_part(&split, along)? {
                    Some(plain) => EndOutcome::Oscillating(OscillatingEnd {
                        length: Rational::from(1) >> depth,
                        radians,
                        integral: jets.add(&sum, &plain),
                    }),
                    None => EndOutcome::Nothing,
                });
            }
            if trials == MOST_TRIALS || f.machine.effort.budget.is_exhausted() {
                break;
            }
        }
        Ok(EndOutcome::Steady)
    }

    /// Integrates a wave over the piece of a depth: by parts over a piece that may be shorter, and by nodes over the rest.
    fn integrate_wave(
        &self,
        split: &PhaseSplit<C::Num>,
        wave: usize,
        first: u32,
    ) -> Result<EndOutcome<C::Num>, SmoothError> {
        let (f, effort) = (self.f, self.f.machine.effort);
        let order = (self.bits * 2 / 3 + 6).min(MOST_ORDER);
        let mut best: Option<WaveOnPiece<C::Num>> = None;
        let mut trials = 0;
        let most_radians = Magnitude::from_rational(&Rational::from(MOST_RADIANS));
        for depth in first..=self.most_depth() {
            let along = self.signed_length(depth);
            let approach = OneSidedLimit { end: &self.place, length: &along, root: None };
            let speeds = split.phase_speeds(f.machine, &approach, f.captures)?;
            let speed = speeds.get(wave).copied().unwrap_or(Magnitude::ZERO);
            if depth < self.most_depth() && !self.is_fast(speed) {
                continue;
            }
            if best.is_some() && speed > most_radians {
                break;
            }
            trials += 1;
            let wanted = self.wanted.mul_exp2(i64::from(depth));
            match split.integrate_wave((f.machine, wave), (self.algebra, order), &approach, f.captures, wanted)? {
                WaveIntegral::NoLimit => return Ok(EndOutcome::Nothing),
                WaveIntegral::Value { is_absolute: false, .. } if !self.conditional => {
                    // The value may converge absolutely though its derivatives do not.
                    let has_derivatives = self.algebra.len() > 1;
                    return Ok(if has_derivatives { EndOutcome::Steady } else { EndOutcome::Nothing });
                }
                WaveIntegral::Value { mean, is_absolute, remainder } => {
                    // A remainder of a mean is one of the integral over a short piece.
                    let remainder = remainder.mul_exp2(-i64::from(depth));
                    if best.as_ref().is_none_or(|best| remainder < best.remainder) {
                        best = Some(WaveOnPiece { remainder, depth, radians: speed, mean, is_absolute });
                    }
                    if remainder <= self.wanted {
                        break;
                    }
                }
                WaveIntegral::Unknown => {}
            }
            if trials == MOST_TRIALS || effort.budget.is_exhausted() {
                break;
            }
        }
        let Some(WaveOnPiece { remainder, depth, radians, mean, is_absolute }) = best else {
            return Ok(EndOutcome::Steady);
        };
        if remainder > self.wanted {
            effort.record_open();
        }
        if !is_absolute {
            effort.record_conditional(f.site.0);
        }
        let (jets, length) = (f.jets(self.algebra), Rational::from(1) >> depth);
        let integral = jets.scale(&mean, &f.context().enclose_rational(&length));
        let whole = Rational::from(1) >> first;
        let mut cuts = dyadic_places(&length, &whole, radians);
        cuts.push(whole);
        if self.end == 1 {
            cuts = cuts.into_iter().rev().map(|place| 1 - place).collect();
        }
        let (machine, block) = (split.evaluator(f.machine), split.wave_block(wave));
        let values = SolverFunction::new(&machine, &block, f.captures, f.site, f.events);
        let rest = integrate_between_cuts(&values, self.algebra, &cuts)?;
        f.machine.edges.merge_boundaries(&machine.edges);
        Ok(EndOutcome::Oscillating(OscillatingEnd { length, radians, integral: jets.add(&integral, &rest) }))
    }

    /// Integrates the part without oscillation over the piece. Returns `None` if its integral is not known.
    fn integrate_plain_part(
        &self,
        split: &PhaseSplit<C::Num>,
        along: Jet<C::Num>,
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let (f, context) = (self.f, self.f.context());
        let Some(block) = &split.plain else { return Ok(Some(Jet::zero())) };
        let machine = split.evaluator(f.machine);
        let plain = SolverFunction::new(&machine, block, f.captures, f.site, f.events);
        let inner = f.jets(self.algebra).add(&self.place, &along);
        let (between, ends) = match self.end {
            0 => ([self.place.clone(), inner], [PieceEnd::Outer, PieceEnd::Inner]),
            _ => ([inner, self.place.clone()], [PieceEnd::Inner, PieceEnd::Outer]),
        };
        let integral = integrate_interval(
            &plain,
            self.algebra,
            IntegrationInterval { between, ends, is_outermost: false },
            false,
        )?;
        f.machine.edges.merge_boundaries(&machine.edges);
        let is_known = |c: &C::Num| context.is_defined(c) && context.is_bounded(c);
        let is_found = integral.coefficients().flatten().all(is_known);
        Ok(is_found.then_some(integral))
    }
}
