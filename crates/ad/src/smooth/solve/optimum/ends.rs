//! Maxima that are attained at an end of [0, 1], whichever is better.
//!
//! Where f is convex, and where nothing but the two ends is left of a search, the maximum is `max (f 0) (f 1)`: for the inputs
//! given, and for all near them, since what shows it are strict inequalities over closed ranges, or holds by structure. So it has a
//! kink where f 0 = f 1, which is an [event](crate::smooth::machine::switch) for whoever looks at the maximum: a minimum over
//! m of maxima is attained where two ends are as good as each other, as in a game.

use crate::number::context::Sign;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::{Look, Switch};
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;
use std::sync::Arc;

impl<C: Hooked> Function<'_, '_, C> {
    /// Whether f is certainly smooth and convex on [0, 1], also for inputs nearby: the second derivative is positive on all of it,
    /// or 0 by structure. That it is 0 for the inputs given would say nothing of others. The captures must be
    /// [base captures](Self::base_captures).
    pub(super) fn is_convex(&self) -> Result<bool, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(Generator::Direction(2)) else { return Ok(false) };
        if C::ACTIVE {
            return Ok(false);
        }
        let context = self.context();
        let x = Jet::new([Some(super::unit(context)), Some(context.integer(1))]);
        let mut branches = Branches::default();
        let y = self.at(&algebra, x, &mut branches, Target::Outputs)?;
        let is_smooth = y.get(0).is_some_and(|value| context.is_defined(value) && context.is_bounded(value))
            && y.get(1).is_some_and(|slope| context.is_defined(slope) && context.is_bounded(slope))
            && branches.undecided.is_empty();
        let is_positive = |half: &C::Num| {
            context.is_defined(half) && context.is_bounded(half) && context.sign(half) == Sign::Positive
        };
        Ok(is_smooth && y.get(2).is_none_or(is_positive))
    }

    /// Tells a witness, if there is one, of places that are not told apart.
    pub(super) fn attest_tie(&self, places: &[C::Num]) {
        if let Some(witness) = self.machine.witness {
            let places = places.iter().map(|place| self.context().to_enclosure(place));
            witness.note_tie(self.site, places.collect());
        }
    }

    /// At which end f is greater: [`Branch::Left`] for 0. Where that is neither certain nor given, it is asked for.
    pub(super) fn better_end(&self) -> Result<Branch, SmoothError> {
        let captures = self.base_captures();
        let base = self.with(&captures);
        let at = |end| base.value(&self.context().integer(end), &mut Branches::default(), Target::Outputs);
        let gap = self.context().sub(&at(0)?, &at(1)?);
        Ok(match Branch::of(self.context().sign(&gap)) {
            Branch::Undecided => {
                let given = self.events.given(Look::Ends, Target::Outputs);
                if given == Branch::Undecided {
                    self.events.note(Look::Ends, Target::Outputs);
                    self.attest_tie(&[self.context().integer(0), self.context().integer(1)]);
                }
                given
            }
            certain => certain,
        })
    }

    /// The maximum of f, which is attained at an end, as a jet. At the ends these switches are known to be 0.
    pub(super) fn at_better_end(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<Switch>; 2],
    ) -> Result<Jet<C::Num>, SmoothError> {
        match self.better_end()? {
            Branch::Left => self.attained_at(algebra, ends, 0),
            Branch::Right => self.attained_at(algebra, ends, 1),
            Branch::Undecided => {
                let [a, b] = [self.at_end(algebra, ends, 0)?, self.at_end(algebra, ends, 1)?];
                Ok(self.jets(algebra).undecided_maximum(&a, &b))
            }
        }
    }

    /// f at an end, on the sides of the switches that are known to be 0 there.
    fn at_end(&self, algebra: &Arc<Algebra>, ends: &[Vec<Switch>; 2], end: usize) -> Result<Jet<C::Num>, SmoothError> {
        let captures = self.base_captures();
        let place = self.context().integer(end as i64);
        let mut branches = Branches::forced(self.with(&captures).sides_beside_ends(ends, &place)?);
        self.at(algebra, Jet::constant(place), &mut branches, Target::Outputs)
    }

    /// The same where the maximum is certainly attained there, for all inputs nearby. That is told where f has a value there: an end may
    /// also be counted by its limit.
    pub(super) fn attained_at(
        &self,
        algebra: &Arc<Algebra>,
        ends: &[Vec<Switch>; 2],
        end: usize,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let jet = self.at_end(algebra, ends, end)?;
        if self.context().is_defined(&self.jets(algebra).value(&jet)) {
            self.events.attain_at(end);
        }
        Ok(jet)
    }
}
