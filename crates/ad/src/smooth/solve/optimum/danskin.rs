//! Danskin's rule: the derivative of a maximum lies in the hull of ∂f over its possible maximisers (Danskin
//! 1966, Clarke 1975; S75).
//!
//! For parameters nearby, the maximum is attained near these places. So the difference of two maxima is at most a
//! difference of f at a single place. That needs ∂f round every place, hence over intervals of positive radius. If the
//! maximum is attained on a continuum, the places are split until the hull narrows no more. If the other inputs are
//! intervals that will be split as well, one round is enough, since these set a floor.
//!
//! # Plateaus
//!
//! Maxima that are attained, nearly or exactly, on a continuum. No piece of it can be dropped or resolved.
//! Splitting only narrows the values there, by the square of the length if they are enclosed by slopes.
//!
//! Taylor's formula of order n narrows them by its n-th power. With m the middle of a piece, `c_k` the coefficients at m
//! and `C_n` that over the whole piece,
//!
//! `f(m + h)  ∈  c_0 + c_1 h + … + c_{n-1} h^{n-1} + C_n h^n`.
//!
//! It costs as much as several slopes, so it is used only if many pieces are left.

use super::peak::MaximiserCandidate;
use super::search::MaximumSearch;
use crate::number::Rational;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::BranchDecisions;
use crate::smooth::solve::SolverFunction;
use std::sync::Arc;

/// The number of places at which splitting ends. A choice.
const MOST_PLACES: usize = 1 << 12;

/// The greatest order of derivatives for which slopes are expanded to more than order 1. A choice: beyond it they are too
/// expensive.
const MOST_HEIGHT: u32 = 2;
/// The number of rounds without an eighth of gain before the hull is returned. Where a place is halved, one half may have
/// the least slopes and the other the greatest, until both are halved again.
const PATIENCE: u32 = 2;

/// A part of [0, 1] that may contain maximisers, with the jet of the function on it.
struct MaximiserBox<N> {
    at: N,
    jet: Jet<N>,
}

/// The hull of ∂f over the possible maximisers, while it is being narrowed.
struct SlopeHull<'h, 'f, 'm, C: HookedContext> {
    f: &'h SolverFunction<'f, 'm, C>,
    algebra: &'h Arc<Algebra>,
    /// A lower bound of the maximum.
    bound: Option<&'h C::Num>,
    /// `true` if the other inputs are intervals, and may be split.
    has_split_inputs: bool,
    places: Vec<MaximiserBox<C::Num>>,
}

/// Computes the maximum to order 1, as a jet, from its possible maximisers.
///
/// # Errors
/// Those of the function; [`SmoothError::DisjointEnclosures`] if no place is left.
pub fn danskin_maximum<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    value: C::Num,
    bound: Option<&C::Num>,
    peaks: Vec<MaximiserCandidate<C::Num>>,
) -> Result<Jet<C::Num>, SmoothError> {
    let is_hasty = f.machine.effort.is_splitting() && !f.has_fine_base();
    let mut hull = SlopeHull { f, algebra, bound, has_split_inputs: is_hasty, places: Vec::with_capacity(peaks.len()) };
    let order = hull.taylor_order(peaks.len());
    for peak in peaks {
        // A few places are mostly narrow enough as they are.
        hull.add_place(peak.at, if order > 1 { order } else { 0 })?;
    }
    let slopes = hull.narrow_hull()?;
    let mut result = f.not_differentiable(algebra, value);
    replace_slopes(f, algebra, &mut result, &slopes);
    Ok(result)
}

/// Replaces the coefficients of order 1 of a jet by those of a hull of slopes. Structural zeros stay.
pub(super) fn replace_slopes<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Algebra,
    jet: &mut Jet<C::Num>,
    slopes: &Jet<C::Num>,
) {
    for monomial in (1..jet.len()).filter(|&m| algebra.degree(m) == 1) {
        if jet.get(monomial).is_some() {
            let slope = slopes.get(monomial).cloned().unwrap_or_else(|| f.context().enclose_integer(0));
            jet.set(monomial, Some(slope));
        }
    }
}

impl<C: HookedContext> SlopeHull<'_, '_, '_, C> {
    /// Adds a place, unless the function is certainly below the maximum on all of it.
    ///
    /// Its slopes are computed by Taylor's formula of this order; by the jets alone for order 0.
    fn add_place(&mut self, at: C::Num, order: usize) -> Result<(), SmoothError> {
        let context = self.f.context();
        let span = widen_within_unit(context, &at);
        let all = self.taylor_columns(order, &span)?;
        let jet = Jet::new(all.iter().map(|column| column.first().cloned()));
        if self.is_below(&jet) {
            // No maximiser lies here, so its slopes do not count.
            return Ok(());
        }
        let jet = if order == 0 { jet } else { self.narrow_by_taylor(&span, jet, &all)? };
        if !self.is_below(&jet) {
            self.places.push(MaximiserBox { at, jet });
        }
        Ok(())
    }

    /// Returns `true` if the function is certainly defined and below the maximum, by its jet.
    fn is_below(&self, jet: &Jet<C::Num>) -> bool {
        let context = self.f.context();
        let value = self.f.jets(self.algebra).value_of(jet);
        context.is_defined(&value) && self.bound.is_some_and(|bound| context.is_strictly_below(&value, bound))
    }

    /// Narrows f and its slopes over an interval of places by [Taylor's formula](taylor_formula) in x. `all` are the
    /// coefficients over the interval, of which the first form the jet already.
    fn narrow_by_taylor(
        &self,
        span: &C::Num,
        mut jet: Jet<C::Num>,
        all: &[Vec<C::Num>],
    ) -> Result<Jet<C::Num>, SmoothError> {
        let context = self.f.context();
        // Bounded coefficients alone do not show that the function is defined.
        if !jet.get(0).is_some_and(|value| context.is_defined(value)) {
            return Ok(jet);
        }
        let orders: Vec<usize> = all.iter().map(|column| count_bounded(context, column)).collect();
        let first = |m: &usize| self.algebra.degree(*m) <= 1;
        let Some(highest) = (0..jet.len()).filter(first).map(|m| orders[m]).max().filter(|n| *n > 0) else {
            return Ok(jet);
        };
        let middle = context.midpoint(span);
        let centre = self.taylor_columns(highest - 1, &middle)?;
        let offset = context.sub(span, &middle);
        for monomial in (0..jet.len()).filter(first) {
            let n = orders[monomial];
            let form = taylor_formula(context, n, [&centre[monomial], &all[monomial]], &offset);
            let (Some(plain), Some(form)) = (jet.get(monomial), form.filter(|_| n > 0)) else { continue };
            let construct = if monomial == 0 { "a maximum" } else { "the slope of a maximum" };
            let both = context.intersect(plain, &form).ok_or(SmoothError::DisjointEnclosures { construct })?;
            jet.set(monomial, Some(both));
        }
        Ok(jet)
    }

    /// Returns the [coefficients](SolverFunction::taylor_columns) of f in the powers of x, up to an order.
    fn taylor_columns(&self, order: usize, x: &C::Num) -> Result<Vec<Vec<C::Num>>, SmoothError> {
        self.f.taylor_columns(self.algebra, order, x, &mut BranchDecisions::default())
    }

    /// Splits the places that decide the hull as long as this narrows it, and returns the hull.
    fn narrow_hull(&mut self) -> Result<Jet<C::Num>, SmoothError> {
        let effort = self.f.machine.effort;
        let (mut least, mut stalled) = (Magnitude::INFINITY, 0);
        let rounds = if self.has_split_inputs { 1 } else { usize::MAX };
        for _ in 0..rounds {
            let hull = self.hull_of_slopes()?;
            let ends = self.end_gaps();
            let excess = ends.iter().fold(Magnitude::ZERO, |most, ends| most.max(ends.excess));
            let gained = excess + excess.mul_exp2(-3) < least;
            stalled = if gained { 0 } else { stalled + 1 };
            if excess <= effort.tolerance()
                || stalled > PATIENCE
                || self.places.len() > MOST_PLACES
                || !effort.budget.spend(1)
            {
                return Ok(hull);
            }
            least = excess.min(least);
            let wanted = excess.mul_exp2(-2);
            let mut moved = false;
            let order = self.taylor_order(self.places.len());
            // A quarter of the excess is a choice: places that move an end by less are left alone.
            for place in std::mem::take(&mut self.places) {
                let decides = ends.iter().any(|ends| ends.are_moved_by(self.f.context(), &place.jet, wanted));
                moved |= self.split_place(place, decides, order)?;
            }
            if !moved {
                return Ok(hull);
            }
        }
        self.hull_of_slopes()
    }

    /// Returns for each slope the largest part of its hull that splitting might remove, if every place contained a maximiser.
    fn end_gaps(&self) -> Vec<HullEndGap<C::Num>> {
        let context = self.f.context();
        let zero = context.enclose_integer(0);
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
            HullEndGap { slope, inner: inner.map(|(_, inner)| inner), excess }
        };
        (1..len).filter(|m| self.algebra.degree(*m) == 1).map(of).collect()
    }

    /// Returns the order of Taylor's formula for this number of places.
    fn taylor_order(&self, places: usize) -> usize {
        if self.has_split_inputs || self.algebra.max_degree() > MOST_HEIGHT {
            return 1;
        }
        taylor_order(self.f.machine.effort.tolerance(), places)
    }

    /// Halves a place if it `decides` the hull, else keeps it. Returns `true` if it was halved.
    fn split_place(&mut self, place: MaximiserBox<C::Num>, decides: bool, order: usize) -> Result<bool, SmoothError> {
        let context = self.f.context();
        if decides
            && let Some(left) = context.lower(&place.at)
            && let Some(right) = context.upper(&place.at)
        {
            let middle = context.midpoint(&place.at);
            if context.is_strictly_below(&left, &middle) && context.is_strictly_below(&middle, &right) {
                self.add_place(context.hull(&left, &middle), order)?;
                self.add_place(context.hull(&middle, &right), order)?;
                return Ok(true);
            }
        }
        self.places.push(place);
        Ok(false)
    }

    /// Returns the hull of the slopes at all places.
    fn hull_of_slopes(&self) -> Result<Jet<C::Num>, SmoothError> {
        let mut places = self.places.iter();
        let first = places.next().ok_or(SmoothError::DisjointEnclosures { construct: "a maximum" })?;
        Ok(places.fold(first.jet.clone(), |hull, place| self.f.jets(self.algebra).hull(&hull, &place.jet)))
    }
}

/// The ends of the hull of a slope, and their possible errors.
struct HullEndGap<N> {
    /// The monomial of the slope.
    slope: usize,
    /// The least upper end of the slopes at one place, and the greatest lower end. `None` if some slopes are unbounded.
    inner: Option<[N; 2]>,
    /// The greater distance of these from the ends of the hull: all that can be narrowed, if every place contains a maximiser.
    excess: Magnitude,
}

impl<N: Clone> HullEndGap<N> {
    /// Returns `true` if a place has slopes wider than `wanted` and may have a part in the excess.
    fn are_moved_by<C: HookedContext<Num = N>>(&self, context: &C, jet: &Jet<N>, wanted: Magnitude) -> bool {
        let Some(slope) = jet.get(self.slope) else { return false };
        let (Some(low), Some(high)) = (context.lower(slope), context.upper(slope)) else { return true };
        let Some([below, above]) = &self.inner else { return context.width(slope) > wanted };
        context.width(slope) > wanted
            && (context.is_strictly_below(&low, below) || context.is_strictly_below(above, &high))
    }
}

/// Widens a place to an interval of positive radius, within [0, 1].
fn widen_within_unit<C: HookedContext>(context: &C, at: &C::Num) -> C::Num {
    // Three quarters of the digits: a choice between a narrow interval and one that rounding does not blur.
    let radius = context.enclose_rational(&(Rational::from(1) >> (context.precision() * 3 / 4)));
    let wide = context.hull(&context.sub(at, &radius), &context.add(at, &radius));
    context.min(&context.max(&wide, &context.enclose_integer(0)), &context.enclose_integer(1))
}

/// The number of pieces that count as a plateau. A choice.
const BROAD: usize = 8;
/// The bits of the tolerance for each order n. With coefficients about 1, pieces with half a length of 2 to the power of
/// minus this are then short enough. A choice.
const BITS_PER_ORDER: i64 = 5;
/// The least order and the greatest. A choice.
const ORDERS: [i64; 2] = [4, 24];

/// Returns the order of Taylor's formula for this number of pieces; 1 if they are few.
pub(super) fn taylor_order(tolerance: Magnitude, pieces: usize) -> usize {
    if pieces < BROAD || tolerance.is_zero() || !tolerance.is_finite() {
        return 1;
    }
    let [least, greatest] = ORDERS;
    usize::try_from((-tolerance.floor_log2() / BITS_PER_ORDER).clamp(least, greatest)).unwrap_or(1)
}

/// Counts the bounded coefficients over an interval, in a row from the first power on.
///
/// The function is differentiable so many times there, or its derivative of one order less is Lipschitz.
pub(super) fn count_bounded<C: HookedContext>(context: &C, all: &[C::Num]) -> usize {
    all.iter().skip(1).take_while(|c| context.is_bounded(c)).count()
}

/// Evaluates Taylor's formula of order n: `c_0 + … + c_{n-1} h^{n-1} + C_n h^n` for all h of an interval around 0.
///
/// `centre` are the coefficients at the middle, `all` those over the interval. Returns `None` if one at the middle is not
/// bounded. The function has to be defined on the interval: bounded coefficients alone do not show it.
pub(super) fn taylor_formula<C: HookedContext>(
    context: &C,
    n: usize,
    [centre, all]: [&[C::Num]; 2],
    h: &C::Num,
) -> Option<C::Num> {
    let lower = centre.get(..n).filter(|lower| lower.iter().all(|c| context.is_bounded(c)))?;
    let square = context.square(h);
    let mut power = context.enclose_integer(1);
    // Even and odd powers are summed apart: a square is never negative.
    let mut halves = [context.enclose_integer(0), context.enclose_integer(0)];
    for (k, c) in lower.iter().chain(all.get(n)).enumerate() {
        if k > 0 && k % 2 == 0 {
            power = context.mul(&power, &square);
        }
        context.mul_add(&mut halves[k % 2], c, &power);
    }
    let [mut even, odd] = halves;
    context.mul_add(&mut even, &odd, h);
    Some(even)
}

impl<C: HookedContext> MaximumSearch<'_, '_, '_, C> {
    /// Encloses the values on a piece by Taylor's formula round its middle, at which the value is known. Returns `None` if
    /// the order is below 2, or only the first coefficient, the slope, is bounded.
    pub(super) fn range_by_taylor(
        &self,
        [span, middle, height]: [&C::Num; 3],
        branches: &BranchDecisions,
    ) -> Result<Option<C::Num>, SmoothError> {
        if self.order < 2 {
            return Ok(None);
        }
        let (f, context) = (self.f, self.f.context());
        let at = |order: usize, x: &C::Num| {
            let mut columns = f.taylor_columns(&f.machine.real, order, x, &mut branches.clone())?;
            Ok::<_, SmoothError>(columns.swap_remove(0))
        };
        let all = at(self.order, span)?;
        let n = count_bounded(context, &all);
        // With n = 1 it is the mean value form, which the search has already.
        if n < 2 {
            return Ok(None);
        }
        let mut centre = at(n - 1, middle)?;
        centre[0] = height.clone();
        Ok(taylor_formula(context, n, [&centre, &all], &context.sub(span, middle)))
    }
}
