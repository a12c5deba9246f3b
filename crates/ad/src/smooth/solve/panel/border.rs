//! Pieces that contain the border of a guard. The integrand has no value there, but an integral ignores a null set.
//!
//! If the border is a null set for every input, so do the derivatives in inputs that the border does not move with.
//!
//! Where a border lies cannot be decided if the inputs are wide, or if the border only touches 0. The value is
//! then the hull of both sides. It is defined if two conditions hold. Both sides are defined on all of the piece.
//! And some derivative of the branch point has no zero there, so that the branch point has finitely many zeros for
//! every input.

use super::{PanelPiece, TaylorExpansions};
use crate::number::context::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::AlgebraGenerator;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::BlockInstruction;
use crate::smooth::solve::SolverFunction;

/// The number of borders on one piece, at most. A choice: the sides double with each.
const MOST_BORDERS: usize = 4;
/// The highest derivative of a branch point that is computed. A choice.
const HIGHEST: u32 = 4;

impl<N: Clone> PanelPiece<N> {
    /// Replaces the integral over the piece, and the part of it that no splitting narrows, by those off the borders, as far
    /// as they are known. `places` are the piece as a range, and its middle.
    pub(super) fn cross_borders<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        places: [&Jet<N>; 2],
        (estimate, least): (&mut Jet<N>, &mut Jet<Magnitude>),
    ) -> Result<(), SmoothError> {
        let Some(ranges) = self.beside_borders(f, frames, places)? else { return Ok(()) };
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let length = jets.subtract(&self.between[1], &self.between[0]);
        let [integral, rest] = ranges.map(|range| jets.multiply(&length, &range));
        let is_known = |known: &&N| context.is_defined(known) && context.is_bounded(known);
        for monomial in 0..integral.len() {
            let known = integral.get(monomial).filter(is_known);
            if let (Some(_), Some(known)) = (estimate.get(monomial), known) {
                estimate.set(monomial, Some(known.clone()));
                least.set(monomial, rest.get(monomial).map(|rest| context.width(rest)));
            }
        }
        Ok(())
    }

    /// Encloses the integrand on the piece and at its middle, for all inputs, wherever it is off the borders.
    ///
    /// Returns `None` if the borders are not certainly null sets, or the integrand is not certainly defined off them.
    /// Derivatives that a border moves with are ⊥.
    ///
    /// # Errors
    /// Those of the integrand.
    fn beside_borders<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        places: [&Jet<N>; 2],
    ) -> Result<Option<[Jet<N>; 2]>, SmoothError> {
        let whole = places[0];
        let mut search =
            BorderSearch { piece: self, f, frames, whole, sides: Vec::new(), null: Vec::new(), moving: Vec::new() };
        let mut ranges = || {
            let Some(whole) = search.on_sides(places[0])? else { return Ok(None) };
            // In the middle other guards may be undecided, without a proof that their borders are null sets: then nothing
            // remains as a floor.
            Ok(Some([whole, search.on_sides(places[1])?.unwrap_or_else(Jet::zero)]))
        };
        let [whole, other] = match ranges() {
            Ok(Some(ranges)) => ranges,
            // A combination of sides that the piece does not have need not be consistent.
            Ok(None) | Err(SmoothError::DisjointEnclosures { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let stays = |m: usize| frames.outer.generators_of(m).all(|g| search.moving.get(g) != Some(&true));
        let context = f.context();
        let known = |range: Jet<N>| {
            // A structural 0 on all sides is known as well.
            let value = |m: usize| range.get(m).cloned().unwrap_or_else(|| context.enclose_integer(0));
            let known = |m: usize| Some(if stays(m) { value(m) } else { context.bottom() });
            Jet::new((0..frames.outer.len()).map(known))
        };
        Ok(Some([known(whole), known(other)]))
    }
}

/// A search over the sides of the borders on one piece.
struct BorderSearch<'s, 'f, 'm, 'a, C: HookedContext> {
    piece: &'s PanelPiece<C::Num>,
    f: &'s SolverFunction<'f, 'm, C>,
    frames: &'s TaylorExpansions<'a, C::Num>,
    whole: &'s Jet<C::Num>,
    /// The sides taken at present.
    sides: Vec<(BranchPoint, KinkBranch)>,
    /// The borders proved to be null sets, each with the sides for which it is proved.
    null: Vec<(BranchPoint, Vec<(BranchPoint, KinkBranch)>)>,
    /// The generators with which some border moves.
    moving: Vec<bool>,
}

impl<C: HookedContext> BorderSearch<'_, '_, '_, '_, C> {
    /// Returns the hull of the ranges on all sides of the undecided borders. Returns `None` if a border may have positive
    /// measure.
    fn on_sides(&mut self, place: &Jet<C::Num>) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Self { piece, f, frames, .. } = *self;
        let context = f.context();
        let mut branches = BranchDecisions::with_forced(piece.forced.iter().chain(&self.sides).copied().collect());
        let range = f.eval_jet(frames.outer, place.clone(), &mut branches, EvalTarget::Outputs)?;
        if range.get(0).is_none_or(|value| context.is_defined(value)) {
            return Ok(Some(range));
        }
        let Some(&border) = branches.undecided.iter().find(|switch| f.block.is_border(**switch)) else {
            return Ok(None);
        };
        if self.sides.len() == MOST_BORDERS || !self.is_null(border)? {
            return Ok(None);
        }
        // Both sides of the border, since either may be on the piece.
        let mut hull: Option<Jet<C::Num>> = None;
        for side in [KinkBranch::Left, KinkBranch::Right] {
            self.sides.push((border, side));
            let part = self.on_sides(place)?;
            self.sides.pop();
            let Some(part) = part else { return Ok(None) };
            hull = Some(hull.map_or_else(|| part.clone(), |hull| f.jets(frames.outer).hull(&hull, &part)));
        }
        Ok(hull)
    }

    /// Returns `true` if for each input a branch point is 0 at finitely many points of the piece. Notes the generators it
    /// moves with.
    ///
    /// A function whose n-th derivative is 0 nowhere has at most n zeros (Rolle), so one such derivative is enough. At an
    /// undecided kink the first derivative is the hull of both, which shows as much; there are no higher ones. On the
    /// present sides of guards the number is that of their branches, all over the piece. Events of solvers are different:
    /// their signs are not used. The zeros also move with the ends of the piece.
    fn is_null(&mut self, switch: BranchPoint) -> Result<bool, SmoothError> {
        let key = (switch, self.sides.clone());
        if self.null.contains(&key) {
            return Ok(true);
        }
        let Self { piece, f, frames, whole, .. } = *self;
        let is_guard = |(side, _): &&(BranchPoint, KinkBranch)| {
            side.is_own() && matches!(f.block.instructions[side.instruction()], BlockInstruction::Guard(_))
        };
        let forced: Vec<_> = piece.forced.iter().chain(self.sides.iter().filter(is_guard)).copied().collect();
        let (context, target) = (f.context(), EvalTarget::BranchPoint(switch));
        let Some(algebra) = f.machine.real.adjoin(AlgebraGenerator::Direction(HIGHEST)) else { return Ok(false) };
        let x = Jet::new([Some(f.jets(frames.outer).value_of(whole)), Some(context.enclose_integer(1))]);
        let base = f.with_captures(&frames.base);
        let number = base.eval_jet(&algebra, x, &mut BranchDecisions::with_forced(forced.clone()), target)?;
        let is_known = |c: &C::Num| context.is_defined(c) && context.is_bounded(c);
        let mut derivatives = (1..number.len()).filter_map(|n| number.get(n));
        let is_null = number.get(0).is_some_and(is_known)
            && derivatives.any(|c| is_known(c) && context.sign(c) != Sign::Undecided);
        if is_null {
            self.null.push(key);
            let number = f.eval_jet(frames.outer, whole.clone(), &mut BranchDecisions::with_forced(forced), target)?;
            let moving = f.jets(frames.outer).generator_support([&number]);
            self.moving.resize(moving.len(), false);
            self.moving.iter_mut().zip(moving).for_each(|(known, new)| *known |= new);
        }
        Ok(is_null)
    }
}
