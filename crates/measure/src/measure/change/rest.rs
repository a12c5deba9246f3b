//! Bounds of sums over infinitely many preimages.
//!
//! | infinitely many | bound of what is not listed |
//! |---|---|
//! | numbers of a natural draw, for each of which the map is strictly monotone in the only real draw | P(n ≥ m)·sup ρ/|f′| over the chart with n as a variable |
//! | periods of a map, under a density that falls on both sides | `Σ 1/|f′(x)| · ∫ ρ/P` over the preimages x of one period P, and the integral beyond the window |
//!
//! The second row is a sum over *branches*: `Σₖ ρ(x + kP) ≤ ∫ ρ/P` from x on, as ρ falls, and f′ is the same at x + kP. The first
//! bound, P(X > m)·sup ρ/|f′|, would be wrong there: the branches of a sine have no probabilities of their own.

use super::fibre::FibreObstacle;
use crate::function::Function;
use crate::measure::contribution::{PathContribution, PathFactors};
use crate::measure::draws::{Draw, ExecutionPath, TraceCoordinate};
use crate::measure::range::{PRECISION_BITS, enclose_range, enclose_rational, strict_sign_on_box};
use crate::measure::support::{Preimage, SupportChart, enclose_closed};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::graph::{Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::value::SourceId;
use std::cmp::Ordering;

/// The least and the greatest half width of a window, as powers of two. A choice: windows are doubled until the rest is small.
const WINDOWS: std::ops::Range<u32> = 3..9;

/// Returns [0, c] for the upper end c of an enclosure. Returns `None` if it has none.
fn up_to(found: &Enclosure) -> Option<Enclosure> {
    let most = found.hi().to_rational().filter(|_| found.is_defined())?;
    Some(enclose_rational(&Rational::new()).hull(&enclose_rational(&most)))
}

/// Bounds the contribution of a chart in which natural numbers are variables. The inner `None` says that it is 0; the outer
/// one that no bound is known.
pub(super) fn tail_bound(chart: &SupportChart, point: &[Graph], budget: &Budget) -> Option<Option<Enclosure>> {
    let mut hull = chart.path.coordinate_ranges(None);
    // the ranges of real draws are narrowed by guards
    for (v, range) in chart.draw_ranges() {
        hull.iter_mut().filter(|(own, _)| *own == v).for_each(|(_, own)| *own = range.clone());
    }
    let misses = |(map, y): (&Graph, &Graph)| {
        let found = enclose_range(&(map - y), &hull, budget);
        found.is_defined() && (*found.lo() > 0 || *found.hi() < 0)
    };
    if chart.image.iter().zip(point).any(misses) {
        return Some(None);
    }
    let draws: Vec<&TraceCoordinate> = chart.path.coordinates().collect();
    // without a real draw the chart is a set of atoms
    let factor = match (&draws[..], &chart.image[..]) {
        ([], _) => Graph::integer(1),
        ([x], [map]) => {
            let slope = map.slope(x.variable);
            // one preimage for each number, or none
            strict_sign_on_box(&slope, &hull, budget)?;
            x.distribution.density(&Graph::variable(x.variable)) / slope.abs()
        }
        _ => return None,
    };
    let chances = chart.path.draws.iter().filter_map(|draw| match draw {
        Draw::Natural(_, chance) | Draw::Truth(_, chance) => Some(chance.clone()),
        Draw::Tail(_, distribution, span) if span.first > 1 => Some(distribution.tail(*span)),
        Draw::Real(_) | Draw::Tail(..) => None,
    });
    let factors = chances.chain(chart.scores.iter().cloned()).chain([factor]);
    // each factor by itself: their suprema may be taken at different places
    let context = Mpfr::new(PRECISION_BITS);
    let mut most = context.enclose_integer(1);
    for factor in factors {
        most = context.mul(&most, &context.round_enclosure(&up_to(&enclose_range(&factor, &hull, budget))?));
    }
    up_to(&context.to_enclosure(&most)).map(Some)
}

/// Returns the preimages in a window, and a bound of the sum over all others, for a periodic map of the only draw. Returns
/// `None` if no bound is known.
pub(super) fn periodic_fibre(
    chart: &SupportChart,
    point: &[Graph],
    eps: &Rational,
    budget: &Budget,
) -> Result<Option<(Vec<Preimage>, Enclosure)>, FibreObstacle> {
    let draws: Vec<&TraceCoordinate> = chart.path.coordinates().collect();
    let ([x], [map], true) = (&draws[..], &chart.image[..], chart.path.decisions.is_empty()) else { return Ok(None) };
    let Some(period) = period_of(map, x.variable).map(|period| enclose_closed(&period, &tiny(), budget)) else {
        return Ok(None);
    };
    let Some(period) = period.lo().to_rational().filter(|period| *period > 0) else { return Ok(None) };
    // an eighth of the width, since other parts have errors too: a choice
    let small = Rational::from(eps / 8u32);
    for power in WINDOWS {
        let reach = Rational::from(1u32 << power);
        let window = enclose_rational(&Rational::from(-&reach)).hull(&enclose_rational(&reach));
        let Some(within) = x.range.intersection(&window) else { continue };
        let Some(rest) = mass_beyond(chart, x, &within, &period, &Rational::from(&small >> 10), budget) else {
            continue;
        };
        // the same chart, over the window alone
        let mut inside = chart.clone();
        for draw in &mut inside.path.draws {
            if let Draw::Real(own) = draw {
                own.range = within.clone();
            }
        }
        let parts = inside.fibre_over(point, 0, budget)?;
        let places: Vec<Preimage> = parts.into_iter().map(|part| Preimage::Exact(part.solved)).collect();
        let Some(bound) = rest_of_periods(&places, &(1 / map.slope(x.variable).abs()), &rest, &period, budget) else {
            return Ok(None);
        };
        if bound.has_width_at_most(&small) || power + 1 == WINDOWS.end {
            return Ok(Some((places, bound)));
        }
    }
    Ok(None)
}

/// Encloses the mass of the draws beyond a window that is shorter by one period on each unbounded side. Returns `None` unless
/// the density falls there, and the rest of the window is longer than a period.
fn mass_beyond(
    chart: &SupportChart,
    x: &TraceCoordinate,
    within: &Enclosure,
    period: &Rational,
    small: &Rational,
    budget: &Budget,
) -> Option<Enclosure> {
    if chart.scores.iter().any(|score| score.depends_on(x.variable)) {
        return None;
    }
    let variable = Graph::variable(x.variable);
    // the density falls where its logarithm does
    let slope: Graph = x.distribution.log_density(&variable).iter().map(|term| term.slope(x.variable)).sum();
    let [a, b] = [within.lo().to_rational()?, within.hi().to_rational()?];
    // one more than a period, for the rounding of its enclosure
    let step = Rational::from(period + 1u32);
    if Rational::from(&b - &a) <= step {
        return None;
    }
    let context = Mpfr::new(PRECISION_BITS);
    let mut sum = context.enclose_integer(0);
    let right = (*x.range.hi() > b).then(|| (Rational::from(&b - &step), Ordering::Less));
    let left = (*x.range.lo() < a).then(|| (Rational::from(&a + &step), Ordering::Greater));
    for (end, course) in right.into_iter().chain(left) {
        let is_right = course == Ordering::Less;
        let (side, beyond) = match is_right {
            true => (&variable - Graph::rational(end.clone()), (enclose_rational(&end), x.range.clone())),
            false => (Graph::rational(end.clone()) - &variable, (x.range.clone(), enclose_rational(&end))),
        };
        let outside = Enclosure::new(beyond.0.lo().clone(), beyond.1.hi().clone(), true).ok()?;
        if strict_sign_on_box(&slope, &[(x.variable, outside)], budget) != Some(course) {
            return None;
        }
        let guard = SignGuard::new(&side, SignTest::Positive, SourceId::NOWHERE);
        let mut path: ExecutionPath = chart.path.clone();
        path.decisions.push(GuardCondition { guard, holds: true, is_condition: true });
        let factors = PathFactors { weights: chart.scores.clone(), values: vec![Graph::integer(1)] };
        let mass = PathContribution::new(&path, factors, None, 0, budget).enclose(small, budget);
        sum = context.add(&sum, &context.round_enclosure(&up_to(&mass)?));
    }
    Some(context.to_enclosure(&sum))
}

/// An accuracy that is small beside any rest. A choice.
fn tiny() -> Rational {
    Rational::from(1) >> 100
}

/// Bounds the sum over all periods beyond a window: for each preimage in it `mass/(|f′|·P)`. Each class of preimages modulo the
/// period has a member in the window, and counting a class twice only enlarges the bound.
fn rest_of_periods(
    places: &[Preimage],
    inverse_slope: &Graph,
    mass: &Enclosure,
    period: &Rational,
    budget: &Budget,
) -> Option<Enclosure> {
    let context = Mpfr::new(PRECISION_BITS);
    let mut sum = context.enclose_integer(0);
    for place in places {
        let factor = up_to(&place.enclose_value(inverse_slope, &(Rational::from(1) >> 20), budget))?;
        sum = context.add(&sum, &context.round_enclosure(&factor));
    }
    let whole = context.mul(&sum, &context.round_enclosure(mass));
    up_to(&context.to_enclosure(&context.div(&whole, &context.enclose_rational(period))))
}

/// Returns a period of a map in which a variable occurs in angles of sines, cosines and tangents alone, all with one frequency.
fn period_of(map: &Graph, x: Variable) -> Option<Graph> {
    let mut frequency: Option<Graph> = None;
    collect_frequency(map, x, &mut frequency)?;
    Some(Graph::integer(2) * Graph::pi() / frequency?.abs())
}

/// Records the frequency of all angles in a map. Returns `None` if there are several, or the variable occurs elsewhere.
fn collect_frequency(g: &Graph, x: Variable, frequency: &mut Option<Graph>) -> Option<()> {
    if !g.depends_on(x) {
        return Some(());
    }
    if let NodeOperation::Unary(Unary::Function(Function::Sin | Function::Cos | Function::Tan), angle) = g.operation() {
        let own = angle.slope(x);
        let is_number = own.free_variables().is_empty();
        let mut forms = RationalNormalForm::default();
        let mut is_zero = |g: &Graph| forms.normal_form(g).is_some_and(|form| form.is_zero());
        return match frequency {
            _ if !is_number => None,
            None => {
                *frequency = Some(own);
                Some(())
            }
            Some(known) => (is_zero(&(&*known - &own)) || is_zero(&(&*known + &own))).then_some(()),
        };
    }
    match g.operation() {
        NodeOperation::Unary(..) | NodeOperation::Binary(..) | NodeOperation::Power(..) => {
            g.operation().operands().into_iter().try_for_each(|part| collect_frequency(part, x, frequency))
        }
        _ => None,
    }
}
