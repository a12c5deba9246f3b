//! Danskin's rule: the derivative of a maximum lies in the hull of ∂f over the places where it may be attained (Danskin
//! 1966, Clarke 1975; S75).
//!
//! For parameters nearby, the maximum is attained near these places, so the difference of two maxima is at most one of f
//! at a single place. That asks for ∂f round every place, hence over intervals of positive radius. Where the maximum is
//! attained on a continuum, the places are split until the hull narrows no more; only once where the other inputs are intervals
//! that will be split as well, since these set a floor.

use super::peak::Peak;
use crate::number::Rational;
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::Function;
use std::sync::Arc;

/// More places than this are not split.
const MOST_PLACES: usize = 1 << 12;

/// A part of [0, 1] that may hold maximisers, with the jet of the function at it.
struct Place<N> {
    at: N,
    jet: Jet<N>,
}

/// How slopes over an interval of places are enclosed.
#[derive(Clone, Copy)]
enum Form {
    /// As the jets give them.
    Plain,
    /// Narrower where f_x is smooth, at twice the price.
    MeanValue,
}

/// The hull of ∂f, as it is being narrowed.
struct Hull<'h, 'f, 'm, C: Context> {
    f: &'h Function<'f, 'm, C>,
    algebra: &'h Arc<Algebra>,
    /// A value that the maximum is not below.
    bound: Option<&'h C::Num>,
    places: Vec<Place<C::Num>>,
}

/// The jet of the maximum, of order 1, from the places where it may be attained.
///
/// # Errors
/// Those of the function; [`SmoothError::Contradiction`] when no place is left.
pub fn maximum<C: Context>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    value: C::Num,
    bound: Option<&C::Num>,
    peaks: Vec<Peak<C::Num>>,
) -> Result<Jet<C::Num>, SmoothError> {
    let mut hull = Hull { f, algebra, bound, places: Vec::with_capacity(peaks.len()) };
    for peak in peaks {
        hull.add(peak.at, Form::Plain)?;
    }
    let slopes = hull.narrow()?;
    let mut result = f.not_differentiable(algebra, value);
    of_first_order(f, algebra, &mut result, &slopes);
    Ok(result)
}

/// Takes the coefficients of order 1 that a jet has from a hull of slopes.
pub(super) fn of_first_order<C: Context>(
    f: &Function<C>,
    algebra: &Algebra,
    jet: &mut Jet<C::Num>,
    slopes: &Jet<C::Num>,
) {
    for monomial in (1..jet.len()).filter(|&m| algebra.degree(m) == 1) {
        if jet.get(monomial).is_some() {
            let slope = slopes.get(monomial).cloned().unwrap_or_else(|| f.context().integer(0));
            jet.set(monomial, Some(slope));
        }
    }
}

impl<C: Context> Hull<'_, '_, '_, C> {
    /// Adds a place, unless the function is certainly below the maximum all over it.
    fn add(&mut self, at: C::Num, form: Form) -> Result<(), SmoothError> {
        let context = self.f.context();
        let span = widened(context, &at);
        let x = Jet::constant(span.clone());
        let jet = self.f.at(self.algebra, x, &mut Branches::default(), Target::Outputs)?;
        let value = self.f.jets(self.algebra).value(&jet);
        let below = |bound| context.is_defined(&value) && context.strictly_below(&value, bound);
        if self.bound.is_some_and(below) {
            return Ok(());
        }
        let jet = match form {
            Form::Plain => jet,
            Form::MeanValue => self.mean_value(&span, jet)?,
        };
        self.places.push(Place { at, jet });
        Ok(())
    }

    /// The slopes ∂f over an interval of places by the mean value theorem: ∂f(m) + ∂f_x (x - m), where f_x is bounded.
    fn mean_value(&self, span: &C::Num, plain: Jet<C::Num>) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.f.context();
        let Some(extended) = self.algebra.adjoin(Generator::Direction(1)) else { return Ok(plain) };
        let x = |at: &C::Num| {
            let mut x = Jet::constant(at.clone());
            x.set(extended.generator(), Some(context.integer(1)));
            x
        };
        let all = self.f.at(&extended, x(span), &mut Branches::default(), Target::Outputs)?;
        let middle = context.midpoint(span);
        let at_middle =
            self.f.at(self.algebra, Jet::constant(middle.clone()), &mut Branches::default(), Target::Outputs)?;
        let offset = context.sub(span, &middle);
        let mut jet = plain;
        for &(monomial, here) in extended.slice(1) {
            let monomial = monomial as usize;
            if self.algebra.degree(monomial) != 1 {
                continue;
            }
            let (Some(slope), Some(start)) = (jet.get(monomial), at_middle.get(monomial)) else { continue };
            let mixed = all.get(here as usize).cloned().unwrap_or_else(|| context.integer(0));
            if !context.is_bounded(&mixed) || !context.is_bounded(start) {
                continue;
            }
            let form = context.add(start, &context.mul(&mixed, &offset));
            let both = context.intersect(slope, &form);
            jet.set(monomial, Some(both.ok_or(SmoothError::Contradiction { construct: "the slope of a maximum" })?));
        }
        Ok(jet)
    }

    /// Splits the places that decide the hull while that narrows it, and gives the hull.
    fn narrow(&mut self) -> Result<Jet<C::Num>, SmoothError> {
        let effort = self.f.machine.effort;
        let is_hasty = effort.is_splitting() && !self.f.has_fine_base();
        let mut least = Magnitude::INFINITY;
        let rounds = if is_hasty { 1 } else { usize::MAX };
        for _ in 0..rounds {
            let hull = self.hull()?;
            let width = self.width(&hull);
            let gained = width + width.shifted(-3) < least;
            if width <= effort.tolerance() || !gained || self.places.len() > MOST_PLACES || !effort.budget.spend(1) {
                return Ok(hull);
            }
            least = width;
            let wanted = width.shifted(-4);
            let mut moved = false;
            for place in std::mem::take(&mut self.places) {
                moved |= self.split(place, wanted)?;
            }
            if !moved {
                return Ok(hull);
            }
        }
        self.hull()
    }

    /// Halves a place whose slopes are wider than wanted; whether it did.
    fn split(&mut self, place: Place<C::Num>, wanted: Magnitude) -> Result<bool, SmoothError> {
        let context = self.f.context();
        if self.width(&place.jet) > wanted
            && let Some(left) = context.lower(&place.at)
            && let Some(right) = context.upper(&place.at)
        {
            let middle = context.midpoint(&place.at);
            if context.strictly_below(&left, &middle) && context.strictly_below(&middle, &right) {
                self.add(context.hull(&left, &middle), Form::MeanValue)?;
                self.add(context.hull(&middle, &right), Form::MeanValue)?;
                return Ok(true);
            }
        }
        self.places.push(place);
        Ok(false)
    }

    fn hull(&self) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.f.context();
        let zero = context.integer(0);
        let both = |a: Jet<C::Num>, b: &Jet<C::Num>| {
            Jet::new((0..a.len().max(b.len())).map(|m| match (a.get(m), b.get(m)) {
                (None, None) => None,
                (a, b) => Some(context.hull(a.unwrap_or(&zero), b.unwrap_or(&zero))),
            }))
        };
        let mut places = self.places.iter();
        let first = places.next().ok_or(SmoothError::Contradiction { construct: "a maximum" })?;
        Ok(places.fold(first.jet.clone(), |hull, place| both(hull, &place.jet)))
    }

    /// The greatest width of a slope.
    fn width(&self, jet: &Jet<C::Num>) -> Magnitude {
        let slopes = (1..jet.len()).filter(|&m| self.algebra.degree(m) == 1).filter_map(|m| jet.get(m));
        slopes.fold(Magnitude::ZERO, |width, slope| width.max(self.f.context().width(slope)))
    }
}

/// An interval of positive radius round a place, within [0, 1].
fn widened<C: Context>(context: &C, at: &C::Num) -> C::Num {
    let radius = context.rational(&(Rational::from(1) >> (context.precision() * 3 / 4)));
    let wide = context.hull(&context.sub(at, &radius), &context.add(at, &radius));
    context.min(&context.max(&wide, &context.integer(0)), &context.integer(1))
}
