//! Pieces on which the border of a guard lies somewhere: there the integrand has no value, and an integral does not see it where the
//! border is a null set for every input. Nor do the derivatives in what the border does not move with.

use super::{Frames, Piece};
use crate::number::context::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Generator;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::program::Instruction;
use crate::smooth::solve::Function;

/// With more borders on one piece than this nothing is claimed of it.
const MOST_BORDERS: usize = 4;
/// The highest derivative of a switch that is looked at.
const HIGHEST: u32 = 4;

impl<N: Clone> Piece<N> {
    /// Lets the integral over the piece, and the part of it that no splitting narrows, be what they are beside the borders, as far as
    /// that is known. The piece as a range, and its middle, are given.
    pub(super) fn cross_borders<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
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

    /// Enclosures of what the integrand is in ranges of places on the piece, for all inputs, wherever it is not on a border; nothing
    /// where the borders are not seen to be null sets, or the integrand not to be defined beside them. Of derivatives there are those
    /// that no border moves with; the others are ⊥. The first range is that of the whole piece.
    ///
    /// # Errors
    /// Those of the integrand.
    fn beside_borders<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
        places: [&Jet<N>; 2],
    ) -> Result<Option<[Jet<N>; 2]>, SmoothError> {
        let whole = places[0];
        let mut search =
            Search { piece: self, f, frames, whole, sides: Vec::new(), null: Vec::new(), moving: Vec::new() };
        let mut ranges = || {
            let Some(whole) = search.on_sides(places[0])? else { return Ok(None) };
            // in the middle fewer guards may be undecided, and theirs not be seen to be null sets: nothing is known of what remains
            Ok(Some([whole, search.on_sides(places[1])?.unwrap_or_else(Jet::zero)]))
        };
        let [whole, other] = match ranges() {
            Ok(Some(ranges)) => ranges,
            // a side that a piece does not have need not be consistent
            Ok(None) | Err(SmoothError::Contradiction { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let stays = |m: usize| frames.outer.generators(m).all(|g| search.moving.get(g) != Some(&true));
        let context = f.context();
        let known = |range: Jet<N>| {
            // what is 0 by its structure on all sides is known as well
            let value = |m: usize| range.get(m).cloned().unwrap_or_else(|| context.integer(0));
            let known = |m: usize| Some(if stays(m) { value(m) } else { context.bottom() });
            Jet::new((0..frames.outer.len()).map(known))
        };
        Ok(Some([known(whole), known(other)]))
    }
}

/// The sides of borders on one piece, one after another.
struct Search<'s, 'f, 'm, 'a, C: Hooked> {
    piece: &'s Piece<C::Num>,
    f: &'s Function<'f, 'm, C>,
    frames: &'s Frames<'a, C::Num>,
    whole: &'s Jet<C::Num>,
    /// Those that are looked at.
    sides: Vec<(Switch, Branch)>,
    /// The borders that are null sets, each on some sides of others.
    null: Vec<(Switch, Vec<(Switch, Branch)>)>,
    /// The generators with which some border moves.
    moving: Vec<bool>,
}

impl<C: Hooked> Search<'_, '_, '_, '_, C> {
    /// The range on these sides.
    fn on_sides(&mut self, place: &Jet<C::Num>) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Self { piece, f, frames, .. } = *self;
        let context = f.context();
        let mut branches = Branches::forced(piece.forced.iter().chain(&self.sides).copied().collect());
        let range = f.at(frames.outer, place.clone(), &mut branches, Target::Outputs)?;
        if range.get(0).is_none_or(|value| context.is_defined(value)) {
            return Ok(Some(range));
        }
        let Some(&border) = branches.undecided.iter().find(|switch| f.block.is_border(**switch)) else {
            return Ok(None);
        };
        if self.sides.len() == MOST_BORDERS || !self.is_null(border)? {
            return Ok(None);
        }
        let mut hull: Option<Jet<C::Num>> = None;
        for side in [Branch::Left, Branch::Right] {
            self.sides.push((border, side));
            let part = self.on_sides(place)?;
            self.sides.pop();
            let Some(part) = part else { return Ok(None) };
            hull = Some(hull.map_or_else(|| part.clone(), |hull| f.jets(frames.outer).hull(&hull, &part)));
        }
        Ok(hull)
    }

    /// Whether a switch, for each input, is 0 at finitely many places of the piece: some derivative in the variable is 0 nowhere, and
    /// a function of which the n-th derivative is 0 nowhere has at most n zeros (Rolle). At a kink that is not decided the first
    /// derivative is the hull of both, which shows as much, and there are no higher ones. On the sides of guards that are looked at the
    /// number is that of their branches, all over the piece; so it is not with the events of solvers, whose signs are not taken. What
    /// the zeros move with, the ends of the piece included, is noted.
    fn is_null(&mut self, switch: Switch) -> Result<bool, SmoothError> {
        let key = (switch, self.sides.clone());
        if self.null.contains(&key) {
            return Ok(true);
        }
        let Self { piece, f, frames, whole, .. } = *self;
        let is_guard = |(side, _): &&(Switch, Branch)| {
            side.is_own() && matches!(f.block.instructions[side.instruction()], Instruction::Guard(_))
        };
        let forced: Vec<_> = piece.forced.iter().chain(self.sides.iter().filter(is_guard)).copied().collect();
        let (context, target) = (f.context(), Target::Switch(switch));
        let Some(algebra) = f.machine.real.adjoin(Generator::Direction(HIGHEST)) else { return Ok(false) };
        let x = Jet::new([Some(f.jets(frames.outer).value(whole)), Some(context.integer(1))]);
        let base = f.with(&frames.base);
        let number = base.at(&algebra, x, &mut Branches::forced(forced.clone()), target)?;
        let is_known = |c: &C::Num| context.is_defined(c) && context.is_bounded(c);
        let mut derivatives = (1..number.len()).filter_map(|n| number.get(n));
        let is_null = number.get(0).is_some_and(is_known)
            && derivatives.any(|c| is_known(c) && context.sign(c) != Sign::Undecided);
        if is_null {
            self.null.push(key);
            let number = f.at(frames.outer, whole.clone(), &mut Branches::forced(forced), target)?;
            let moving = f.jets(frames.outer).support([&number]);
            self.moving.resize(moving.len(), false);
            self.moving.iter_mut().zip(moving).for_each(|(known, new)| *known |= new);
        }
        Ok(is_null)
    }
}
