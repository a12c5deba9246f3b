//! Splits of a panel: at a kink, at the border of a guard, or at the jump of an angle.
//!
//! At a border the integrand jumps, so the derivatives of the integral depend on the place of the split alone (Leibniz'
//! rule). On either side the branch is given up to the end. A branch point that is 0 at the end of a panel needs no split.
//!
//! On its side a branch *is* the max, the min or the absolute value. So its value lies in the enclosure of that as
//! well, and a root of it is defined up to the kink. Its derivatives are those of the branch. A branch point is
//! not narrowed in this way, because Newton's method follows it beyond the panel.

use super::{IntegralPanel, PanelPiece, PieceEnd, TaylorExpansions};
use crate::number::context::Sign;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::{EvalHooks, HookedContext, IntegrandKink};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::{BinderView, BranchPoint};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::root::RootEquation;

/// The signs of a branch point on a piece.
enum SignPattern {
    /// One sign on all of the piece, except for zeros at its ends.
    OneSign(KinkBranch),
    /// Strictly monotone, with these signs at the ends and a zero inside.
    Crosses {
        /// The signs at the left and the right end.
        signs: [KinkBranch; 2],
        /// `true` if both signs are computed. Otherwise one is given, and the zero may be at that end.
        certain: bool,
    },
    /// Unknown inside, with these signs at the ends.
    Unknown([KinkBranch; 2]),
}

impl<N: Clone + Send + Sync> IntegralPanel<N> {
    /// Splits the panel at the zero of an undecided branch point that is certainly monotone on it, with opposite signs at
    /// its ends.
    ///
    /// The zero is a jet, by the implicit function theorem, so the derivatives of the integral take its motion into
    /// account. Returns `None` if there is no such branch point.
    pub(super) fn split_at_kink<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Option<Vec<Self>>, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        if !f.machine.effort.solver_options.kinks {
            return Ok(None);
        }
        let base = f.with_captures(&frames.base);
        let PanelPiece { between, ends, forced, known, .. } = &self.piece;
        let bracket = context.hull(&jets.value_of(&between[0]), &jets.value_of(&between[1]));
        let mut branches = BranchDecisions::with_forced(forced.clone());
        for &switch in &self.undecided {
            let target = EvalTarget::BranchPoint(switch);
            let piece = |between: [&Jet<N>; 2], ends, side: KinkBranch, known| {
                let mut forced = forced.clone();
                forced.push((switch, side));
                PanelPiece { between: between.map(Clone::clone), ends, forced, known, was_tried: false }
            };
            let (signs, certain) = match self.sign_pattern(f, frames, switch)? {
                // No split is needed: the branch is forced on the whole piece.
                SignPattern::OneSign(side) => {
                    let whole = piece([&between[0], &between[1]], *ends, side, known.clone());
                    return Ok(Some(vec![Self::new(f, frames, whole)?]));
                }
                SignPattern::Crosses { signs, certain } => (signs, certain),
                SignPattern::Unknown(_) => continue,
            };
            // Orientation: from positive to negative.
            let falling = signs[0] == KinkBranch::Left;
            let mut equation =
                RootEquation { function: &base, target, branches: branches.clone(), is_decreasing: falling };
            let zero = match equation.iterate_newton(bracket.clone()) {
                // Between two ends that are not told apart, a given sign need not be right.
                Err(SmoothError::DisjointEnclosures { .. }) if !certain => continue,
                zero => zero?,
            };
            let kink =
                IntegrandKink { position: f.lift_root(frames.outer, zero, &mut branches, target)?, sides: signs };
            let IntegrandKink { position: place, sides } =
                if C::ACTIVE { f.context().hooks().integral_kink(kink) } else { kink };
            let root = PieceEnd::Root(switch);
            let [at_root, from_root] = self.signs_beyond_kink(f, frames, &place, (switch, sides))?;
            let [at_left, at_right] = known.clone();
            let sides = vec![
                piece([&between[0], &place], [ends[0], root], sides[0], [at_left, at_root]),
                piece([&place, &between[1]], [root, ends[1]], sides[1], [from_root, at_right]),
            ];
            return f.map_places(sides, Some(self.work), |f, side| Self::new(f, frames, side)).map(Some);
        }
        Ok(None)
    }

    /// Returns what is known of the signs of a branch point on the piece.
    fn sign_pattern<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        switch: BranchPoint,
    ) -> Result<SignPattern, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        let base = f.with_captures(&frames.base);
        let PanelPiece { between, forced, .. } = &self.piece;
        let bracket = context.hull(&jets.value_of(&between[0]), &jets.value_of(&between[1]));
        let (signs, certain) = self.signs_at_ends(f, frames, switch)?;
        let line = base.value_and_slope(
            &bracket,
            &mut BranchDecisions::with_forced(forced.clone()),
            EvalTarget::BranchPoint(switch),
        )?;
        let slope = KinkBranch::from_sign(context.sign(&line.slope));
        let is_monotone = slope != KinkBranch::Undecided && context.is_bounded(&line.slope);
        let vanishes = |end: usize| f.vanishes_at(frames.outer, &between[end], forced, switch);
        // A strictly monotone number that is 0 at one end has the sign of the other end inside. If both ends have one sign,
        // that is it.
        let unknown = SignPattern::Unknown(signs);
        Ok(match signs {
            [KinkBranch::Undecided, KinkBranch::Undecided] => unknown,
            [KinkBranch::Undecided, side] | [side, KinkBranch::Undecided] if !is_monotone => {
                if base.is_constant_in_variable(&bracket, forced, switch)? {
                    SignPattern::OneSign(side)
                } else {
                    unknown
                }
            }
            [KinkBranch::Undecided, side] if vanishes(0)? => SignPattern::OneSign(side),
            [side, KinkBranch::Undecided] if vanishes(1)? => SignPattern::OneSign(side),
            [KinkBranch::Undecided, _] | [_, KinkBranch::Undecided] => unknown,
            [a, b] if a == b => {
                let knows = is_monotone || base.is_constant_in_variable(&bracket, forced, switch)?;
                if knows { SignPattern::OneSign(a) } else { unknown }
            }
            // The slope has the sign of the right end: rising from negative, or falling from positive.
            [_, last] if is_monotone && last == slope => SignPattern::Crosses { signs, certain },
            _ => unknown,
        })
    }

    /// Returns the signs of other branch points at the zero of a kink, for the pieces before and behind it.
    ///
    /// If a branch point does not depend on the variable on one side of the kink, it has there the sign of the far end. At
    /// a kink nothing jumps, so that is also its sign at the kink for the piece on the other side.
    fn signs_beyond_kink<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        place: &Jet<N>,
        (kink, sides): (BranchPoint, [KinkBranch; 2]),
    ) -> Result<[Vec<(BranchPoint, KinkBranch)>; 2], SmoothError> {
        let mut known = [Vec::new(), Vec::new()];
        if f.block.is_border(kink) {
            return Ok(known);
        }
        let base = f.with_captures(&frames.base);
        let jets = f.jets(frames.outer);
        for &switch in self.undecided.iter().filter(|switch| **switch != kink) {
            let (signs, _) = self.signs_at_ends(f, frames, switch)?;
            for side in 0..2 {
                let mut forced = self.piece.forced.clone();
                forced.push((kink, sides[side]));
                let span = f.context().hull(&jets.value_of(&self.piece.between[side]), &jets.value_of(place));
                if signs[side] != KinkBranch::Undecided && base.is_constant_in_variable(&span, &forced, switch)? {
                    known[1 - side].push((switch, signs[side]));
                }
            }
        }
        Ok(known)
    }

    /// Returns the signs of a branch point at the ends of the piece, and `true` if both are computed.
    ///
    /// A sign that cannot be computed may be known. At an end of the interval, or at the zero of another kink, it may also
    /// be given.
    fn signs_at_ends<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        switch: BranchPoint,
    ) -> Result<([KinkBranch; 2], bool), SmoothError> {
        let base = f.with_captures(&frames.base);
        let jets = f.jets(frames.outer);
        let mut branches = BranchDecisions::with_forced(self.piece.forced.clone());
        let mut signs = [KinkBranch::Undecided; 2];
        let mut certain = true;
        for (end, sign) in signs.iter_mut().enumerate() {
            let value = base.value_over(
                &jets.value_of(&self.piece.between[end]),
                &mut branches,
                EvalTarget::BranchPoint(switch),
            )?;
            *sign = KinkBranch::from_sign(f.context().sign(&value));
            if *sign != KinkBranch::Undecided {
                continue;
            }
            certain = false;
            if let Some((_, known)) = self.piece.known[end].iter().find(|(other, _)| *other == switch) {
                *sign = *known;
            } else if let Some((look, target)) = self.event_at_end(f, end, switch) {
                *sign = f.events.given_sign(look, target);
            }
        }
        Ok((signs, certain))
    }

    /// Returns the event whose sign is that of a branch point at an end of the piece. Returns `None` for an inner end.
    fn event_at_end<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        end: usize,
        switch: BranchPoint,
    ) -> Option<(BinderView, EvalTarget)> {
        match self.piece.ends[end] {
            PieceEnd::Inner => None,
            PieceEnd::Outer => Some((BinderView::at_end(end), EvalTarget::BranchPoint(switch))),
            PieceEnd::Root(root) => {
                let pair = BranchPoint::at_zero_of(root, switch)?;
                // Without a side there is no single number at the root.
                f.machine.side_to_evaluate(f.block, root, switch)?;
                Some((BinderView::AtRoot, EvalTarget::BranchPoint(pair)))
            }
        }
    }

    /// Records the events whose signs would decide the branches on the piece.
    pub(in crate::smooth::solve) fn record_events<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<(), SmoothError> {
        // A piece with inner ends alone has no events: splitting has to decide it.
        if self.piece.ends != [PieceEnd::Inner; 2] && f.machine.effort.solver_options.kinks {
            for &switch in &self.undecided {
                let SignPattern::Unknown(signs) = self.sign_pattern(f, frames, switch)? else { continue };
                for end in (0..2).filter(|end| signs[*end] == KinkBranch::Undecided) {
                    if let Some((look, target)) = self.event_at_end(f, end, switch) {
                        f.events.record_undecided(look, target);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a point at which to split a piece without a kink to split at: near the middle, and where the branch points
    /// have signs.
    ///
    /// If there is no such point among a few, the first one is taken. A kink that moves with the inputs over the point of a
    /// split is on neither half for certain.
    pub(super) fn point_off_kinks<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        [left, right]: [&N; 2],
    ) -> Result<N, SmoothError> {
        let context = f.context();
        let base = f.with_captures(&frames.base);
        let length = context.sub(right, left);
        let place =
            |part| context.midpoint(&context.add(left, &context.div_integer(&context.mul_integer(&length, part), 128)));
        // Shares of 128, off the middle, where kinks often lie: a choice.
        let parts = [61, 79, 47, 93, 34];
        let mut branches = BranchDecisions::with_forced(self.piece.forced.clone());
        for part in parts {
            let mut is_beside = true;
            for &switch in &self.undecided {
                let value = base.value_over(&place(part), &mut branches, EvalTarget::BranchPoint(switch))?;
                is_beside &= context.sign(&value) != Sign::Undecided;
            }
            if is_beside {
                return Ok(place(part));
            }
        }
        Ok(place(parts[0]))
    }
}
