//! Pieces at whose ends the integrand is unbounded, 0/0, or steeper than any line.
//!
//! At an end of the interval, and at the zero of a switch, the integrand need not be defined: there it may [grow](growth) like a
//! power. What it is at a single place makes no difference to an integral; it has to be defined on the rest of the piece.

use super::{End, Frames, Piece};
use crate::number::Rational;
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::machine::growth::Approach;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

impl<N: Clone> Piece<N> {
    /// An end that is the zero of a switch.
    pub(super) fn root(&self) -> Option<&Jet<N>> {
        self.between.iter().zip(self.ends).find_map(|(place, end)| matches!(end, End::Root(_)).then_some(place))
    }

    /// Whether the integrand has no bounded slope on a piece that begins or ends where it may grow. Otherwise only the branches are
    /// looked at.
    pub(super) fn is_steep<C: Context<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        span: &N,
        branches: &mut Branches,
    ) -> Result<bool, SmoothError> {
        let base = f.with(&frames.base);
        let value = base.value(span, branches, Target::Outputs)?;
        let shortcuts = f.machine.effort.shortcuts;
        if self.ends == [End::Inner; 2] || !branches.undecided.is_empty() || !shortcuts.kinks || !shortcuts.expansions {
            return Ok(false);
        }
        let context = f.context();
        let is_tame = |y: &N| context.is_defined(y) && context.is_bounded(y);
        Ok(!is_tame(&value) || !is_tame(&base.line(span, branches, Target::Outputs)?.slope))
    }

    /// Narrows the integral over the piece by how the integrand grows beside its ends.
    pub(super) fn narrow<C: Context<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        estimate: &mut Jet<N>,
        least: &mut Jet<Magnitude>,
    ) -> Result<(), SmoothError> {
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let [left, right] = &self.between;
        let length = jets.subtract(right, left);
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                End::Inner => continue,
                End::Outer => None,
                End::Root(switch) => Some(switch),
            };
            let approach = Approach { end, length: &jets.subtract(other, end), root };
            let mut branches = Branches::forced(self.forced.clone());
            let Some(growth) = f.machine.growth(f.block, frames.outer, &approach, f.captures, &mut branches)? else {
                continue;
            };
            let weight: Rational = growth.power + 1;
            if weight <= 0 {
                continue;
            }
            let over = context.rational(&weight.recip());
            let integral = jets.scale(&jets.multiply(&length, &growth.factor), &over);
            let known = |c: &N| context.is_defined(c) && context.is_bounded(c);
            for monomial in 0..estimate.len() {
                let found = integral.get(monomial).cloned().unwrap_or_else(|| context.integer(0));
                let Some(all) = estimate.get(monomial).filter(|_| known(&found)) else { continue };
                let both = if known(all) {
                    let both = context.intersect(all, &found);
                    both.ok_or(SmoothError::Contradiction { construct: "an integral beside an end" })?
                } else {
                    least.set(monomial, Some(Magnitude::ZERO));
                    found
                };
                estimate.set(monomial, Some(both));
            }
        }
        Ok(())
    }
}
