//! Where a panel is split: at a kink, at the border of a guard, or where an angle jumps.
//!
//! At a border the integrand jumps, so the place where the panel is split is all that the derivatives of the integral see of
//! it (Leibniz' rule); on either side the branch is given up to the end. A switch that is 0 at the end of a panel needs no split.

use super::{End, Frames, Panel, Piece};
use crate::number::context::{Context, Sign};
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::rules::Kink;
use crate::smooth::solve::Function;
use crate::smooth::solve::root::Equation;

impl<N: Clone> Panel<N> {
    /// Splits at the zero of an undecided switch that is certainly monotone on the panel, with certain and opposite signs
    /// at its ends. The zero is a jet, by the implicit function theorem, so the derivatives of the integral see it move.
    pub(super) fn split_at_kink<C: Context<Num = N>>(
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
        let Piece { between, ends, forced } = &self.piece;
        let [left, right] = [0, 1].map(|end: usize| jets.value(&between[end]));
        let mut branches = Branches::forced(forced.clone());
        for &switch in &self.undecided {
            let target = Target::Switch(switch);
            let at_left = context.sign(&base.value(&left, &mut branches, target)?);
            let at_right = context.sign(&base.value(&right, &mut branches, target)?);
            let sides = match (at_left, at_right) {
                (Sign::Positive, Sign::Negative) => Some([Branch::Left, Branch::Right]),
                (Sign::Negative, Sign::Positive) => Some([Branch::Right, Branch::Left]),
                _ => None,
            };
            let bracket = context.hull(&left, &right);
            let line = base.line(&bracket, &mut branches, target)?;
            let slope = context.sign(&line.slope);
            if slope == Sign::Undecided || !context.is_bounded(&line.slope) {
                continue;
            }
            let piece = |between: [&Jet<N>; 2], ends, side: Branch| {
                let mut forced = forced.clone();
                forced.push((switch, side));
                Self::new(f, frames, Piece { between: between.map(Clone::clone), ends, forced })
            };
            let Some(sides) = sides else {
                let vanishes = |end: usize| f.vanishes(frames.outer, &between[end], forced, switch);
                // strictly monotone, and 0 at one end: inside, the sign is that of the other end
                let side = match (at_left, at_right) {
                    (Sign::Undecided, sign) if vanishes(0)? => Branch::of(sign),
                    (sign, Sign::Undecided) if vanishes(1)? => Branch::of(sign),
                    _ => continue,
                };
                if side == Branch::Undecided {
                    continue;
                }
                return Ok(Some(vec![piece([&between[0], &between[1]], *ends, side)?]));
            };
            let falling = slope == Sign::Negative;
            let mut equation = Equation { function: &base, target, branches: branches.clone(), falling };
            let zero = equation.newton(bracket)?;
            let kink = Kink { place: f.lift(frames.outer, zero, &mut branches, target)?, sides };
            let Kink { place, sides } = match f.machine.rules {
                None => kink,
                Some(rules) => rules.kink(kink),
            };
            let root = End::Root(switch);
            let before = piece([&between[0], &place], [ends[0], root], sides[0])?;
            let after = piece([&place, &between[1]], [root, ends[1]], sides[1])?;
            return Ok(Some(vec![before, after]));
        }
        Ok(None)
    }
}
