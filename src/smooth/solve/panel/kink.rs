//! Where a panel is split: at a kink, at the border of a guard, or where an angle jumps.
//!
//! At a border the integrand jumps, so the place where the panel is split is all that the derivatives of the integral see of
//! it (Leibniz' rule); on either side the branch is given up to the end. A border at the end of a panel needs no split.

use super::{Frames, Panel};
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
        let (left, right) = (jets.value(&self.left), jets.value(&self.right));
        let mut branches = Branches { forced: self.forced.clone(), undecided: Vec::new() };
        for &switch in &self.undecided {
            let target = Target::Switch(switch);
            let at_left = context.sign(&base.value(&left, &mut branches, target)?);
            let at_right = context.sign(&base.value(&right, &mut branches, target)?);
            let sides = match (at_left, at_right) {
                (Sign::Positive, Sign::Negative) => Some([Branch::Left, Branch::Right]),
                (Sign::Negative, Sign::Positive) => Some([Branch::Right, Branch::Left]),
                _ => None,
            };
            if sides.is_none() && !f.block.is_border(switch) {
                continue;
            }
            let bracket = context.hull(&left, &right);
            let line = base.line(&bracket, &mut branches, target)?;
            let slope = context.sign(&line.slope);
            if slope == Sign::Undecided || !context.is_bounded(&line.slope) {
                continue;
            }
            let piece = |side: Branch| {
                let mut forced = self.forced.clone();
                forced.push((switch, side));
                forced
            };
            let Some(sides) = sides else {
                // strictly monotone, and 0 at one end: inside, the sign is that of the other end
                let side = match (at_left, at_right) {
                    (Sign::Undecided, sign) if self.vanishes(f, frames, switch, &self.left)? => Branch::of(sign),
                    (sign, Sign::Undecided) if self.vanishes(f, frames, switch, &self.right)? => Branch::of(sign),
                    _ => continue,
                };
                if side == Branch::Undecided {
                    continue;
                }
                let (left, right) = (self.left.clone(), self.right.clone());
                return Ok(Some(vec![Self::new(f, frames, left, right, piece(side))?]));
            };
            let falling = slope == Sign::Negative;
            let mut equation = Equation { function: &base, target, branches: branches.clone(), falling };
            let zero = equation.newton(bracket)?;
            let kink = Kink { place: f.lift(frames.outer, zero, &mut branches, target)?, sides };
            let Kink { place, sides } = match f.machine.rules {
                None => kink,
                Some(rules) => rules.kink(kink),
            };
            let before = Self::new(f, frames, self.left.clone(), place.clone(), piece(sides[0]))?;
            let after = Self::new(f, frames, place, self.right.clone(), piece(sides[1]))?;
            return Ok(Some(vec![before, after]));
        }
        Ok(None)
    }

    /// Whether a switch is exactly 0 at an end of the panel, and stays it when the inputs move: the end moves along.
    fn vanishes<C: Context<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        switch: usize,
        end: &Jet<N>,
    ) -> Result<bool, SmoothError> {
        let context = f.context();
        let mut branches = Branches { forced: self.forced.clone(), undecided: Vec::new() };
        let number = f.at(frames.outer, end.clone(), &mut branches, Target::Switch(switch))?;
        let is_zero = |c: &N| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
        Ok(number.coefficients().flatten().all(is_zero))
    }
}
