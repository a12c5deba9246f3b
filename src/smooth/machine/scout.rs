//! Before a dear side of a max or min is computed, both are looked at loosely.
//!
//! Of the side that loses no more need be known than that, if the other is known first; and nobody knows beforehand which one that is.
//! So what only solvers that run solvers can tell is asked for twice: loosely, until the sides lie apart, and then as it would be
//! anyway, within the [windows](super::window) that the first look has given. Of a side that is not dear, and is computed after one
//! that is, the first look says all.

use super::{Branches, Frame, Machine, Target, switch};
use crate::number::context::{Context, Sign};
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::program::Block;

/// The widths to which the sides are asked for in turn, as powers of 2 beside how far apart they may be: at first any.
const WIDTHS: [i64; 2] = [-2, -4];

impl<C: Context> Machine<'_, C> {
    /// The numbers of the steps of a block, known loosely; none where nothing is to be gained.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub(super) fn scout(
        &self,
        block: &Block,
        frame: &Frame<C::Num>,
        branches: &Branches,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let contests = block.rivals.dear();
        let Some(last) = contests.last().map(|contest| contest.step) else { return Ok(Vec::new()) };
        let is_done = !self.effort.tolerance().is_finite() || self.effort.is_splitting();
        if !self.has_windows() || is_done || frame.target != Target::Outputs {
            return Ok(Vec::new());
        }
        let machine = Self { spine: None, ..self.afresh() };
        let base = |inputs: &[Jet<C::Num>]| inputs.iter().map(|x| x.truncated(1)).collect::<Vec<_>>();
        let (parameters, captures) = (base(frame.parameters), base(frame.captures));
        let jets = self.jets(&self.real);
        let (mut width, mut narrower) = (Magnitude::INFINITY, WIDTHS.into_iter());
        let mut found: Vec<Jet<C::Num>> = Vec::new();
        loop {
            let mut loose = Frame::new([&parameters, &captures], Vec::with_capacity(last), block, Target::Outputs);
            loose.scouted = std::mem::take(&mut found);
            let mut scouts = branches.clone();
            let steps = || machine.steps(block, last, &self.real, &mut loose, &mut scouts);
            if self.effort.loosened(width, steps)?.is_some() {
                return Ok(Vec::new());
            }
            let dear = contests.iter().filter(|contest| contest.both);
            let differences = dear.map(|contest| switch(&jets, &loose, &block.instructions[contest.step]));
            let open = differences.map(|d| jets.value(&d)).filter(|d| self.context.sign(d) == Sign::Undecided);
            let apart = open.map(|d| self.context.width(&d)).fold(Magnitude::ZERO, Magnitude::max);
            found = loose.results;
            let Some(next) = narrower.next() else { break };
            width = apart.shifted(next);
            if apart.is_zero() || !width.is_finite() || width <= self.effort.tolerance() {
                break;
            }
        }
        self.count(machine.counted());
        Ok(found)
    }
}
