//! Splits of a panel: at a kink, at the border of a guard, or at the jump of an angle.
//!
//! At a border the integrand jumps, so the derivatives of the integral depend on the place of the split alone (Leibniz'
//! rule). On either side the branch is given up to the end. A branch point that is 0 at the end of a panel needs no split.

use super::{End, Frames, Panel, Piece};
use crate::number::context::Sign;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::{Hooked, Hooks, Kink};
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::{Look, Switch};
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;
use crate::smooth::solve::root::Equation;

/// The signs of a branch point on a piece.
enum Course {
    /// One sign on all of the piece, except for zeros at its ends.
    OneSign(Branch),
    /// Strictly monotone, with these signs at the ends and a zero inside.
    Crosses {
        /// The signs at the left and the right end.
        signs: [Branch; 2],
        /// `true` if both signs are computed. Otherwise one is given, and the zero may be at that end.
        certain: bool,
    },
    /// Unknown inside, with these signs at the ends.
    Unknown([Branch; 2]),
}

impl<N: Clone + Send + Sync> Panel<N> {
    /// Splits the panel at the zero of an undecided branch point that is certainly monotone on it, with opposite signs at
    /// its ends.
    ///
    /// The zero is a jet, by the implicit function theorem, so the derivatives of the integral take its motion into
    /// account. Returns `None` if there is no such branch point.
    pub(super) fn split_at_kink<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
    ) -> Result<Option<Vec<Self>>, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        if !f.machine.effort.shortcuts.kinks {
            return Ok(None);
        }
        let base = f.with(&frames.base);
        let Piece { between, ends, forced, known, .. } = &self.piece;
        let bracket = context.hull(&jets.value(&between[0]), &jets.value(&between[1]));
        let mut branches = Branches::forced(forced.clone());
        for &switch in &self.undecided {
            let target = Target::Switch(switch);
            let piece = |between: [&Jet<N>; 2], ends, side: Branch, known| {
                let mut forced = forced.clone();
                forced.push((switch, side));
                Piece { between: between.map(Clone::clone), ends, forced, known, was_tried: false }
            };
            let (signs, certain) = match self.course(f, frames, switch)? {
                // No split is needed: the branch is forced on the whole piece.
                Course::OneSign(side) => {
                    let whole = piece([&between[0], &between[1]], *ends, side, known.clone());
                    return Ok(Some(vec![Self::new(f, frames, whole)?]));
                }
                Course::Crosses { signs, certain } => (signs, certain),
                Course::Unknown(_) => continue,
            };
            // Orientation: from positive to negative.
            let falling = signs[0] == Branch::Left;
            let mut equation = Equation { function: &base, target, branches: branches.clone(), falling };
            let zero = match equation.newton(bracket.clone()) {
                // Between two ends that are not told apart, a given sign need not be right.
                Err(SmoothError::Contradiction { .. }) if !certain => continue,
                zero => zero?,
            };
            let kink = Kink { place: f.lift(frames.outer, zero, &mut branches, target)?, sides: signs };
            let Kink { place, sides } = if C::ACTIVE { f.context().hooks().kink(kink) } else { kink };
            let root = End::Root(switch);
            let [at_root, from_root] = self.known_beyond(f, frames, &place, (switch, sides))?;
            let [at_left, at_right] = known.clone();
            let sides = vec![
                piece([&between[0], &place], [ends[0], root], sides[0], [at_left, at_root]),
                piece([&place, &between[1]], [root, ends[1]], sides[1], [from_root, at_right]),
            ];
            return f.each(sides, Some(self.work), |f, side| Self::new(f, frames, side)).map(Some);
        }
        Ok(None)
    }

    /// Returns what is known of the signs of a branch point on the piece.
    fn course<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        switch: Switch,
    ) -> Result<Course, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        let base = f.with(&frames.base);
        let Piece { between, forced, .. } = &self.piece;
        let bracket = context.hull(&jets.value(&between[0]), &jets.value(&between[1]));
        let (signs, certain) = self.signs(f, frames, switch)?;
        let line = base.line(&bracket, &mut Branches::forced(forced.clone()), Target::Switch(switch))?;
        let slope = Branch::of(context.sign(&line.slope));
        let is_monotone = slope != Branch::Undecided && context.is_bounded(&line.slope);
        let vanishes = |end: usize| f.vanishes(frames.outer, &between[end], forced, switch);
        // A strictly monotone number that is 0 at one end has the sign of the other end inside. If both ends have one sign,
        // that is it.
        let unknown = Course::Unknown(signs);
        Ok(match signs {
            [Branch::Undecided, Branch::Undecided] => unknown,
            [Branch::Undecided, side] | [side, Branch::Undecided] if !is_monotone => {
                if base.is_level(&bracket, forced, switch)? { Course::OneSign(side) } else { unknown }
            }
            [Branch::Undecided, side] if vanishes(0)? => Course::OneSign(side),
            [side, Branch::Undecided] if vanishes(1)? => Course::OneSign(side),
            [Branch::Undecided, _] | [_, Branch::Undecided] => unknown,
            [a, b] if a == b => {
                let knows = is_monotone || base.is_level(&bracket, forced, switch)?;
                if knows { Course::OneSign(a) } else { unknown }
            }
            // The slope has the sign of the right end: rising from negative, or falling from positive.
            [_, last] if is_monotone && last == slope => Course::Crosses { signs, certain },
            _ => unknown,
        })
    }

    /// Returns the signs of other branch points at the zero of a kink, for the pieces before and behind it.
    ///
    /// If a branch point does not depend on the variable on one side of the kink, it has there the sign of the far end. At
    /// a kink nothing jumps, so that is also its sign at the kink for the piece on the other side.
    fn known_beyond<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        place: &Jet<N>,
        (kink, sides): (Switch, [Branch; 2]),
    ) -> Result<[Vec<(Switch, Branch)>; 2], SmoothError> {
        let mut known = [Vec::new(), Vec::new()];
        if f.block.is_border(kink) {
            return Ok(known);
        }
        let base = f.with(&frames.base);
        let jets = f.jets(frames.outer);
        for &switch in self.undecided.iter().filter(|switch| **switch != kink) {
            let (signs, _) = self.signs(f, frames, switch)?;
            for side in 0..2 {
                let mut forced = self.piece.forced.clone();
                forced.push((kink, sides[side]));
                let span = f.context().hull(&jets.value(&self.piece.between[side]), &jets.value(place));
                if signs[side] != Branch::Undecided && base.is_level(&span, &forced, switch)? {
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
    fn signs<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        switch: Switch,
    ) -> Result<([Branch; 2], bool), SmoothError> {
        let base = f.with(&frames.base);
        let jets = f.jets(frames.outer);
        let mut branches = Branches::forced(self.piece.forced.clone());
        let mut signs = [Branch::Undecided; 2];
        let mut certain = true;
        for (end, sign) in signs.iter_mut().enumerate() {
            let value = base.value(&jets.value(&self.piece.between[end]), &mut branches, Target::Switch(switch))?;
            *sign = Branch::of(f.context().sign(&value));
            if *sign != Branch::Undecided {
                continue;
            }
            certain = false;
            if let Some((_, known)) = self.piece.known[end].iter().find(|(other, _)| *other == switch) {
                *sign = *known;
            } else if let Some((look, target)) = self.event(f, end, switch) {
                *sign = f.events.given(look, target);
            }
        }
        Ok((signs, certain))
    }

    /// Returns the event whose sign is that of a branch point at an end of the piece. Returns `None` for an inner end.
    fn event<C: Hooked<Num = N>>(&self, f: &Function<C>, end: usize, switch: Switch) -> Option<(Look, Target)> {
        match self.piece.ends[end] {
            End::Inner => None,
            End::Outer => Some((Look::at(end), Target::Switch(switch))),
            End::Root(root) => {
                let pair = Switch::pair(root, switch)?;
                // Without a side there is no single number at the root.
                f.machine.side_seen(f.block, root, switch)?;
                Some((Look::Root, Target::Switch(pair)))
            }
        }
    }

    /// Records the events whose signs would decide the branches on the piece.
    pub(in crate::smooth::solve) fn ask<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
    ) -> Result<(), SmoothError> {
        // A piece with inner ends alone has no events: splitting has to decide it.
        if self.piece.ends != [End::Inner; 2] && f.machine.effort.shortcuts.kinks {
            for &switch in &self.undecided {
                let Course::Unknown(signs) = self.course(f, frames, switch)? else { continue };
                for end in (0..2).filter(|end| signs[*end] == Branch::Undecided) {
                    if let Some((look, target)) = self.event(f, end, switch) {
                        f.events.note(look, target);
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
    pub(super) fn beside_kinks<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        [left, right]: [&N; 2],
    ) -> Result<N, SmoothError> {
        let context = f.context();
        let base = f.with(&frames.base);
        let length = context.sub(right, left);
        let place = |part| context.midpoint(&context.add(left, &context.divide(&context.scale(&length, part), 128)));
        // Shares of 128, off the middle, where kinks often lie: a choice.
        let parts = [61, 79, 47, 93, 34];
        let mut branches = Branches::forced(self.piece.forced.clone());
        for part in parts {
            let mut is_beside = true;
            for &switch in &self.undecided {
                let value = base.value(&place(part), &mut branches, Target::Switch(switch))?;
                is_beside &= context.sign(&value) != Sign::Undecided;
            }
            if is_beside {
                return Ok(place(part));
            }
        }
        Ok(place(parts[0]))
    }
}
