//! Danskin's rule: the derivative of a maximum lies in the hull of ∂f over the places where it may be attained (Danskin
//! 1966, Clarke 1975; S75).
//!
//! For parameters nearby, the maximum is attained near these places, so the difference of two maxima is at most one of f
//! at a single place. That asks for ∂f round every place, hence over intervals of positive radius. Where the maximum is
//! attained on a continuum, the places are split until the hull narrows no more; only once where the other inputs are intervals
//! that will be split as well, since these set a floor.

use super::peak::Peak;
use super::plateau::{self, formula, smoothness};
use crate::number::Rational;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::machine::Branches;
use crate::smooth::solve::Function;
use std::sync::Arc;

/// More places than this are not split.
const MOST_PLACES: usize = 1 << 12;

/// Where derivatives of a higher order than this are asked for, slopes are expanded to order 1 only: they would get dear.
const MOST_HEIGHT: u32 = 2;
/// Rounds without an eighth of gain before the hull is taken as it is: where a place is halved, one half may have the least slopes and
/// the other the greatest, until both are halved again.
const PATIENCE: u32 = 2;

/// A part of [0, 1] that may hold maximisers, with the jet of the function at it.
struct Place<N> {
    at: N,
    jet: Jet<N>,
}

/// The hull of ∂f, as it is being narrowed.
struct Hull<'h, 'f, 'm, C: Hooked> {
    f: &'h Function<'f, 'm, C>,
    algebra: &'h Arc<Algebra>,
    /// A value that the maximum is not below.
    bound: Option<&'h C::Num>,
    /// Whether the other inputs are intervals, and may be split.
    is_hasty: bool,
    places: Vec<Place<C::Num>>,
}

/// The jet of the maximum, of order 1, from the places where it may be attained.
///
/// # Errors
/// Those of the function; [`SmoothError::Contradiction`] when no place is left.
pub fn maximum<C: Hooked>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    value: C::Num,
    bound: Option<&C::Num>,
    peaks: Vec<Peak<C::Num>>,
) -> Result<Jet<C::Num>, SmoothError> {
    let is_hasty = f.machine.effort.is_splitting() && !f.has_fine_base();
    let mut hull = Hull { f, algebra, bound, is_hasty, places: Vec::with_capacity(peaks.len()) };
    let order = hull.order(peaks.len());
    for peak in peaks {
        // few places are mostly narrow enough as they are
        hull.add(peak.at, if order > 1 { order } else { 0 })?;
    }
    let slopes = hull.narrow()?;
    let mut result = f.not_differentiable(algebra, value);
    of_first_order(f, algebra, &mut result, &slopes);
    Ok(result)
}

/// Takes the coefficients of order 1 that a jet has from a hull of slopes.
pub(super) fn of_first_order<C: Hooked>(
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

impl<C: Hooked> Hull<'_, '_, '_, C> {
    /// Adds a place, unless the function is certainly below the maximum all over it. Its slopes are looked at by Taylor's formula of
    /// an order; 0 is as the jets give them.
    fn add(&mut self, at: C::Num, order: usize) -> Result<(), SmoothError> {
        let context = self.f.context();
        let span = widened(context, &at);
        let all = self.coefficients(order, &span)?;
        let jet = Jet::new(all.iter().map(|column| column.first().cloned()));
        if self.is_below(&jet) {
            return Ok(());
        }
        let jet = if order == 0 { jet } else { self.expanded(&span, jet, &all)? };
        if !self.is_below(&jet) {
            self.places.push(Place { at, jet });
        }
        Ok(())
    }

    /// Whether the function is certainly below the maximum, given its jet.
    fn is_below(&self, jet: &Jet<C::Num>) -> bool {
        let context = self.f.context();
        let value = self.f.jets(self.algebra).value(jet);
        context.is_defined(&value) && self.bound.is_some_and(|bound| context.strictly_below(&value, bound))
    }

    /// f and its slopes ∂f over an interval of places by [Taylor's formula](plateau::formula) in x, given the coefficients for the whole
    /// interval, of which the first are a jet already.
    fn expanded(&self, span: &C::Num, mut jet: Jet<C::Num>, all: &[Vec<C::Num>]) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.f.context();
        if !jet.get(0).is_some_and(|value| context.is_defined(value)) {
            return Ok(jet);
        }
        let orders: Vec<usize> = all.iter().map(|column| smoothness(context, column)).collect();
        let first = |m: &usize| self.algebra.degree(*m) <= 1;
        let Some(highest) = (0..jet.len()).filter(first).map(|m| orders[m]).max().filter(|n| *n > 0) else {
            return Ok(jet);
        };
        let middle = context.midpoint(span);
        let centre = self.coefficients(highest - 1, &middle)?;
        let offset = context.sub(span, &middle);
        for monomial in (0..jet.len()).filter(first) {
            let n = orders[monomial];
            let form = formula(context, n, [&centre[monomial], &all[monomial]], &offset);
            let (Some(plain), Some(form)) = (jet.get(monomial), form.filter(|_| n > 0)) else { continue };
            let construct = if monomial == 0 { "a maximum" } else { "the slope of a maximum" };
            let both = context.intersect(plain, &form).ok_or(SmoothError::Contradiction { construct })?;
            jet.set(monomial, Some(both));
        }
        Ok(jet)
    }

    /// The [coefficients](Function::coefficients) of f.
    fn coefficients(&self, order: usize, x: &C::Num) -> Result<Vec<Vec<C::Num>>, SmoothError> {
        self.f.coefficients(self.algebra, order, x, &mut Branches::default())
    }

    /// Splits the places that decide the hull while that narrows it, and gives the hull.
    fn narrow(&mut self) -> Result<Jet<C::Num>, SmoothError> {
        let effort = self.f.machine.effort;
        let (mut least, mut stalled) = (Magnitude::INFINITY, 0);
        let rounds = if self.is_hasty { 1 } else { usize::MAX };
        for _ in 0..rounds {
            let hull = self.hull()?;
            let ends = self.ends();
            let excess = ends.iter().fold(Magnitude::ZERO, |most, ends| most.max(ends.excess));
            let gained = excess + excess.shifted(-3) < least;
            stalled = if gained { 0 } else { stalled + 1 };
            if excess <= effort.tolerance()
                || stalled > PATIENCE
                || self.places.len() > MOST_PLACES
                || !effort.budget.spend(1)
            {
                return Ok(hull);
            }
            least = excess.min(least);
            let wanted = excess.shifted(-2);
            let mut moved = false;
            let order = self.order(self.places.len());
            for place in std::mem::take(&mut self.places) {
                let decides = ends.iter().any(|ends| ends.are_moved_by(self.f.context(), &place.jet, wanted));
                moved |= self.split(place, decides, order)?;
            }
            if !moved {
                return Ok(hull);
            }
        }
        self.hull()
    }

    /// How far the hull of each slope may be from what it would be if every place held a maximiser.
    fn ends(&self) -> Vec<Ends<C::Num>> {
        let context = self.f.context();
        let zero = context.integer(0);
        let len = self.places.iter().map(|place| place.jet.len()).max().unwrap_or(0);
        let of = |slope: usize| {
            let slopes = || self.places.iter().map(|place| place.jet.get(slope).unwrap_or(&zero));
            let lows: Option<Vec<C::Num>> = slopes().map(|slope| context.lower(slope)).collect();
            let highs: Option<Vec<C::Num>> = slopes().map(|slope| context.upper(slope)).collect();
            let reached = |ends: Vec<C::Num>, more: fn(&C, &C::Num, &C::Num) -> C::Num| {
                ends.into_iter().reduce(|a, b| more(context, &a, &b))
            };
            let inner = lows.zip(highs).and_then(|(lows, highs)| {
                let bounds = [reached(lows.clone(), C::min)?, reached(highs.clone(), C::max)?];
                let inner = [reached(highs, C::min)?, reached(lows, C::max)?];
                Some((bounds, inner))
            });
            let excess = inner.as_ref().map_or(Magnitude::INFINITY, |(bounds, inner)| {
                let gap = |end: usize| context.width(&context.hull(&bounds[end], &inner[end]));
                gap(0).max(gap(1))
            });
            Ends { slope, inner: inner.map(|(_, inner)| inner), excess }
        };
        (1..len).filter(|m| self.algebra.degree(*m) == 1).map(of).collect()
    }

    /// The order of Taylor's formula by which to look at so many places.
    fn order(&self, places: usize) -> usize {
        if self.is_hasty || self.algebra.height() > MOST_HEIGHT {
            return 1;
        }
        plateau::order(self.f.machine.effort.tolerance(), places)
    }

    /// Halves a place that is to be; whether it did.
    fn split(&mut self, place: Place<C::Num>, decides: bool, order: usize) -> Result<bool, SmoothError> {
        let context = self.f.context();
        if decides
            && let Some(left) = context.lower(&place.at)
            && let Some(right) = context.upper(&place.at)
        {
            let middle = context.midpoint(&place.at);
            if context.strictly_below(&left, &middle) && context.strictly_below(&middle, &right) {
                self.add(context.hull(&left, &middle), order)?;
                self.add(context.hull(&middle, &right), order)?;
                return Ok(true);
            }
        }
        self.places.push(place);
        Ok(false)
    }

    fn hull(&self) -> Result<Jet<C::Num>, SmoothError> {
        let mut places = self.places.iter();
        let first = places.next().ok_or(SmoothError::Contradiction { construct: "a maximum" })?;
        Ok(places.fold(first.jet.clone(), |hull, place| self.f.jets(self.algebra).hull(&hull, &place.jet)))
    }
}

/// What is known of the ends of the hull of a slope.
struct Ends<N> {
    /// The slope, by its monomial.
    slope: usize,
    /// The least upper end of the slopes at one place, and the greatest lower one; nothing where some are unbounded.
    inner: Option<[N; 2]>,
    /// How far they are from the ends of the hull: all that is left to be narrowed, where every place holds a maximiser.
    excess: Magnitude,
}

impl<N: Clone> Ends<N> {
    /// Whether a place whose slopes are wider than wanted may have its part in the excess.
    fn are_moved_by<C: Hooked<Num = N>>(&self, context: &C, jet: &Jet<N>, wanted: Magnitude) -> bool {
        let Some(slope) = jet.get(self.slope) else { return false };
        let (Some(low), Some(high)) = (context.lower(slope), context.upper(slope)) else { return true };
        let Some([below, above]) = &self.inner else { return context.width(slope) > wanted };
        context.width(slope) > wanted && (context.strictly_below(&low, below) || context.strictly_below(above, &high))
    }
}

/// An interval of positive radius round a place, within [0, 1].
fn widened<C: Hooked>(context: &C, at: &C::Num) -> C::Num {
    let radius = context.rational(&(Rational::from(1) >> (context.precision() * 3 / 4)));
    let wide = context.hull(&context.sub(at, &radius), &context.add(at, &radius));
    context.min(&context.max(&wide, &context.integer(0)), &context.integer(1))
}
