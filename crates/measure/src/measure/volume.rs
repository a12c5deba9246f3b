//! Volumes of analytic sets in a box: the cells of piecewise analytic functions.
//!
//! The volume of a set is that of the box times the probability that a uniform draw from the box lies in the set. So it is the
//! contribution of a path whose draws are the coordinates and whose decisions are the conditions of the set
//! ([`contribution`](super::contribution)). A condition g ≠ 0 is left out if the zeros of g have no volume, and a set with such a
//! condition g = 0 has the volume 0.
//!
//! The pieces and the unexplored parts of a function are a partition of its domain. So the volume of what is unexplored is that of the
//! domain without the pieces, and each volume is at most what the others leave.

use super::contribution::{PathContribution, PathFactors};
use super::distribution::{Distribution, UniformOn};
use super::draws::{Draw, ExecutionPath, TraceCoordinate};
use super::range::{PRECISION_BITS, enclose_rational};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::pieces::paving::{AnalyticRegion, box_volume};
use crate::pieces::{GuardCondition, PiecewiseMap, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::RationalNormalForm;

/// The volumes of the pieces of a function on a box.
#[derive(Clone, Debug)]
pub struct PieceVolumes {
    /// The volumes of the pieces, in their order.
    pub pieces: Vec<Enclosure>,
    /// The volume of all unexplored parts together.
    pub unexplored: Enclosure,
}

/// Encloses the volumes of the pieces of a function on a box, each to the width `eps`, or as far as the budget goes. Returns
/// `None` if the function has no box as its domain.
#[must_use]
pub fn enclose_volumes(map: &PiecewiseMap, eps: &Rational, budget: &Budget) -> Option<PieceVolumes> {
    let domain = map.domain.as_deref()?;
    let whole = enclose_rational(&box_volume(domain));
    let context = Mpfr::new(PRECISION_BITS);
    let mut pieces: Vec<Enclosure> = Vec::with_capacity(map.pieces.len());
    for (index, piece) in map.pieces.iter().enumerate() {
        // equal shares of the time that is left, so that one hard piece does not take that of the others
        let share = budget.remaining_time().map(|left| left / (map.pieces.len() - index) as u32);
        let own = budget.for_part(u64::MAX, share);
        pieces.push(enclose_volume(&piece.guards, &map.variables, domain, eps, &own));
    }
    let subtract = |rest: &Enclosure, part: &Enclosure| {
        let difference = context.sub(&context.round_enclosure(rest), &context.round_enclosure(part));
        clamp_volume(&context.to_enclosure(&difference), &whole)
    };
    // without an unexplored part the pieces fill the box, so that the widest one is what the others leave
    if map.frontier.is_empty()
        && let Some(widest) = (0..pieces.len()).max_by(|i, j| width_of(&pieces[*i]).cmp(&width_of(&pieces[*j])))
    {
        let others = pieces.iter().enumerate().filter(|(place, _)| *place != widest);
        let left = others.fold(whole.clone(), |rest, (_, part)| subtract(&rest, part));
        // disjoint enclosures would mean that the pieces are no partition: then each stays what it is by itself
        if let Some(both) = pieces[widest].intersection(&left) {
            pieces[widest] = both;
        }
    }
    let unexplored = match map.frontier.is_empty() {
        true => enclose_rational(&Rational::new()),
        false => {
            let left = pieces.iter().fold(whole.clone(), |rest, part| subtract(&rest, part));
            // the boxes that cover the unexplored parts are a bound as well
            let most: Rational = map.frontier.iter().map(|part| part.size_bound.clone()).sum();
            let bound = enclose_rational(&Rational::new()).hull(&enclose_rational(&most));
            left.intersection(&bound).unwrap_or(left)
        }
    };
    Some(PieceVolumes { pieces, unexplored })
}

/// Returns the width of an enclosure. Returns `None` if it is unbounded, which is less than any width: nothing is gained there.
fn width_of(found: &Enclosure) -> Option<Rational> {
    Some(found.hi().to_rational()? - found.lo().to_rational()?)
}

/// Restricts a number to what a volume may be, from 0 to that of the whole.
fn clamp_volume(found: &Enclosure, whole: &Enclosure) -> Enclosure {
    let range = enclose_rational(&Rational::new()).hull(whole);
    match found.is_defined() {
        true => found.intersection(&range).unwrap_or(range),
        false => range,
    }
}

/// Encloses the volume of the part of a box in which some conditions hold, to a width or as far as the budget goes. It is at most
/// the volume of the box.
#[must_use]
pub fn enclose_volume(
    conditions: &[GuardCondition],
    variables: &[Variable],
    domain: &[[Rational; 2]],
    eps: &Rational,
    budget: &Budget,
) -> Enclosure {
    let whole = box_volume(domain);
    // a cubature would only shrink the enclosure of such a set with its boxes
    if AnalyticRegion::new(conditions, variables, Some(domain)).is_null_set(budget) {
        return enclose_rational(&Rational::new());
    }
    let (mut draws, mut along) = (Vec::new(), Vec::new());
    for (v, [from, to]) in variables.iter().zip(domain) {
        // each side as the unit interval: the cubature has boxes with integer ends
        let unit = Variable::fresh();
        let width = Graph::rational(Rational::from(to - from));
        along.push((*v, Graph::rational(from.clone()) + &width * Graph::variable(unit)));
        let Some(distribution) = Distribution::new(&UniformOn, [0, 1].map(Graph::integer)) else { continue };
        let range = enclose_rational(&Rational::new()).hull(&enclose_rational(&Rational::from(1)));
        draws.push(Draw::Real(TraceCoordinate { variable: unit, distribution, range }));
    }
    let mut forms = RationalNormalForm::default();
    let is_thin = |decided: &&GuardCondition| {
        let zeros = [GuardCondition { holds: true, ..(*decided).clone() }];
        decided.guard.test == SignTest::Zero
            && !decided.holds
            && AnalyticRegion::new(&zeros, variables, Some(domain)).is_null_set(budget)
    };
    let kept = conditions.iter().filter(|decided| !is_thin(decided));
    let decisions = kept.map(|decided| {
        let mut guard = decided.guard.preimage_under(&along);
        guard.graph = forms.simplify_graph(&guard.graph);
        GuardCondition { guard, ..decided.clone() }
    });
    let path = ExecutionPath { draws, decisions: decisions.collect(), ..ExecutionPath::default() };
    // the probability is the volume in units of the box
    let share = Rational::from(eps / &whole);
    let found = PathContribution::new(&path, PathFactors::default(), None, 0, budget).enclose(&share, budget);
    let context = Mpfr::new(PRECISION_BITS);
    let scaled = context.mul(&context.round_enclosure(&found), &context.enclose_rational(&whole));
    clamp_volume(&context.to_enclosure(&scaled), &enclose_rational(&whole))
}
