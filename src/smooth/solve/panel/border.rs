//! Pieces on which the border of a guard lies somewhere: there the integrand has no value, and an integral does not see it where the
//! border is a null set for every input.

use super::{Frames, Piece};
use crate::number::context::{Context, Sign};
use crate::smooth::algebra::Generator;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;

/// With more borders on one piece than this nothing is claimed of it.
const MOST_BORDERS: usize = 4;
/// The highest derivative of a switch that is looked at.
const HIGHEST: u32 = 4;

impl<N: Clone> Piece<N> {
    /// An enclosure of what the integrand is on the piece, for all inputs, wherever it is not on a border; nothing where the borders
    /// are not seen to be null sets, or the integrand not to be defined beside them. The captures must be
    /// [base captures](Function::base_captures).
    ///
    /// # Errors
    /// Those of the integrand.
    pub(super) fn beside_borders<C: Context<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
    ) -> Result<Option<N>, SmoothError> {
        let jets = f.jets(frames.outer);
        let span = f.context().hull(&jets.value(&self.between[0]), &jets.value(&self.between[1]));
        match self.on_sides(&f.with(&frames.base), &span, &mut Vec::new()) {
            // a side that a piece does not have need not be consistent
            Err(SmoothError::Contradiction { .. }) => Ok(None),
            range => range,
        }
    }

    /// The same, on certain sides of some of the borders.
    fn on_sides<C: Context<Num = N>>(
        &self,
        f: &Function<C>,
        span: &N,
        sides: &mut Vec<(Switch, Branch)>,
    ) -> Result<Option<N>, SmoothError> {
        let context = f.context();
        let mut branches = Branches::forced(self.forced.iter().chain(&*sides).copied().collect());
        let value = f.value(span, &mut branches, Target::Outputs)?;
        if context.is_defined(&value) {
            return Ok(Some(value));
        }
        let Some(&border) = branches.undecided.iter().find(|switch| f.block.is_border(**switch)) else {
            return Ok(None);
        };
        if sides.len() == MOST_BORDERS || !self.is_null(f, span, border)? {
            return Ok(None);
        }
        let mut range: Option<N> = None;
        for side in [Branch::Left, Branch::Right] {
            sides.push((border, side));
            let part = self.on_sides(f, span, sides)?;
            sides.pop();
            let Some(part) = part else { return Ok(None) };
            range = Some(range.map_or_else(|| part.clone(), |range| context.hull(&range, &part)));
        }
        Ok(range)
    }

    /// Whether a switch, for each input, is 0 at finitely many places of the piece: some derivative in the variable is 0 nowhere, and
    /// a function of which the n-th derivative is 0 nowhere has at most n zeros (Rolle).
    fn is_null<C: Context<Num = N>>(&self, f: &Function<C>, span: &N, switch: Switch) -> Result<bool, SmoothError> {
        let context = f.context();
        let Some(algebra) = f.machine.real.adjoin(Generator::Direction(HIGHEST)) else { return Ok(false) };
        let x = Jet::new([Some(span.clone()), Some(context.integer(1))]);
        let number = f.at(&algebra, x, &mut Branches::forced(self.forced.clone()), Target::Switch(switch))?;
        let is_known = |c: &N| context.is_defined(c) && context.is_bounded(c);
        let mut derivatives = (1..number.len()).filter_map(|n| number.get(n));
        Ok(number.get(0).is_some_and(is_known)
            && derivatives.any(|c| is_known(c) && context.sign(c) != Sign::Undecided))
    }
}
