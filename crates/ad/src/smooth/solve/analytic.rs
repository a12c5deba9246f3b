//! Integrals of analytic functions: few nodes, of which complex arguments say how many are enough.
//!
//! Let g be analytic on the filled ellipse with the foci ±1 and the semi-axes (ρ ± 1/ρ)/2, and |g| ≤ M there. With N ≥ 2 nodes of Gauss and
//! Legendre
//!
//! `|∫₋₁¹ g dt - Σ wᵢ g(tᵢ)|  ≤  64/15 · M·ρ⁻²ᴺ/(1 - ρ⁻²)`.
//!
//! *Proof* (Rabinowitz 1969; Trefethen, "Is Gauss quadrature better than Clenshaw–Curtis?", Theorem 4.5). The coefficients of g in Chebyshev
//! polynomials are at most 2Mρ⁻ᵏ. The rule is exact up to the degree 2N - 1, and for odd polynomials. For even k ≥ 2N the integral of
//! `T_k` is at most 2/(k² - 1), and its sum at most 2, since the weights are positive and have the sum 2; both together are at most 32/15 for
//! k ≥ 4. The sum over even k ≥ 2N of 2Mρ⁻ᵏ·32/15 is the bound. ∎ With ρ² = 2ˢ it is at most `9·M·2⁻ˢᴺ` for s ≥ 1.
//!
//! M is found with [rectangles](crate::smooth::machine::complex): a few that cover the upper half of the ellipse show that g is analytic there,
//! and those around its rim, by the maximum principle, how large it is. The function commutes with conjugation. That takes doubles, whatever
//! the precision, and the nodes alone are evaluated at it. There are two rules for a precision, since nodes are dearer to find than to use; an
//! interval on which no ellipse shows one to be enough is halved.
//!
//! Where the function is singular at an end, as an integral of 1/(x + y) is, the intervals halve towards it, and the last of them has the bound of
//! how the function [goes](crate::smooth::machine::growth) beside the end (`graded`).
//!
//! Between two kinks, or one and an end of the interval, the integrand is the analytic function of the sides that are taken there, which may well go
//! on beyond. With ends a and b the integral is (b - a)·∫₀¹ f (a + (b - a)·u) du. The ends may be jets: what is bounded below are the
//! coefficients of the integral over u, and its product with the length follows.
//!
//! Derivatives have the same nodes. Where the captures are jets, polynomials in ε₁, …, εₘ, the integrand is a function g(t, ε) of complex
//! arguments too, and its coefficient g_α of ε^α, analytic in t, is at most M·r^(-|α|) on the ellipse where |g| ≤ M for all |εᵢ| ≤ r (Cauchy).

mod ellipse;
mod graded;

use self::ellipse::Ellipse;
use super::degree::degree;
use super::{DOUBLE_BITS, Function, LEAST_ORDER_IN_DOUBLES};
use crate::number::budget::Budget;
use crate::number::magnitude::Magnitude;
use crate::number::{Rational, legendre, work};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::complex::{OnRectangles, Rectangle, has_integrals, has_kinks};
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use std::sync::Arc;

/// Of the s that a rule needs at least, so many more are tried…
const MORE_STEEP: u32 = 4;
/// …up to this one, where ρ is 256.
const STEEPEST: u32 = 16;
/// An ellipse is covered by so many columns of so many rectangles: by the first of these that is enough.
const COVERS: [[u32; 2]; 2] = [[2, 1], [8, 2]];
/// The binary logarithms of the radii that are tried.
const RADII: [i64; 7] = [1, -1, -3, -5, -8, -11, -15];
/// An interval is halved so often.
const DEEPEST: u32 = 5;
/// So many bits are worth one time more.
const DEEPER_BITS: u32 = 512;
/// The same in doubles, where panels are not dear.
const DEEPEST_IN_DOUBLES: u32 = 3;
/// Where more pieces are granted to a search than one has, it is halved so many times more.
const DEEPER_WHEN_RAISED: u32 = 5;
/// What the nodes of doubles can give at best is asked of them, unless they are dear: 2 to this power.
const DOUBLES_GIVE: i64 = -44;
/// Beyond this precision the nodes of a rule are dear to find.
const MOST_BITS: u32 = 3500;
/// Up to this precision there is a rule of twice the nodes…
const MOST_BITS_OF_LARGE: u32 = 1200;
/// …which is taken where it spares one of so many nodes.
const SPARED: usize = 3;
/// An integrand that depends on more than its variable, as one inside of another, has panels up to this precision.
const WITH_CAPTURES_BITS: u32 = 256;

/// Between two kinks, or one and an end of the interval.
#[derive(Debug)]
pub struct Stretch<'a, N> {
    /// The ends a and b. The integrand is looked at as a function of u ∈ [0, 1], at a + (b - a)·u.
    pub between: [&'a Jet<N>; 2],
    /// The branches that are known.
    pub forced: &'a [(Switch, Branch)],
}

impl<'a, N> Stretch<'a, N> {
    /// The branches that are known, none on all of [0, 1].
    fn given(stretch: Option<&Self>) -> &'a [(Switch, Branch)] {
        stretch.map_or(&[], |stretch| stretch.forced)
    }
}

/// A part of the interval, with the error of its integral.
struct Part {
    middle: Rational,
    half: Rational,
    error: Magnitude,
}

/// The number of nodes of the rule for a precision.
fn rule(bits: u32) -> u32 {
    (bits / 10).next_multiple_of(8).max(16)
}

/// The integral over [0, 1], or over a stretch, enclosed; the pass is left open where the precision, and more nodes with it, would
/// narrow it. Nothing where
///
/// * the integrand is not seen to be analytic near it,
/// * it is all of [0, 1] and the integrand has kinks, or panels have no error,
/// * the integrand has captures that do not move, and no integrals inside, and the precision is low: then the rectangles cost more than they
///   spare.
///
/// # Errors
/// Those of the integrand.
pub fn integrate<C: Hooked>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    stretch: Option<&Stretch<C::Num>>,
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let context = f.context();
    let effort = f.machine.effort;
    // where many integrals are asked, each to few bits, rectangles would cost more than they spare; an expansion of an integral costs more
    let least = if has_integrals(f.block) || !f.captures.iter().any(Jet::is_constant) {
        0
    } else if algebra.len() > 1 {
        DOUBLE_BITS
    } else {
        WITH_CAPTURES_BITS
    };
    // which panels integrate without an error
    let given = Stretch::given(stretch);
    let is_exact = || degree(f.block, f.captures.len(), given).is_some_and(|degree| degree <= LEAST_ORDER_IN_DOUBLES);
    let is_left_to_panels = match stretch {
        None => has_kinks(f.block) || (context.precision() <= DOUBLE_BITS && is_exact()),
        Some(_) => is_exact(),
    };
    if is_left_to_panels {
        return Ok(None);
    }
    let is_allowed = effort.shortcuts.complex && effort.shortcuts.expansions && algebra.taylor_generator_count() == 0;
    if context.precision() <= least || context.precision() > MOST_BITS || !is_allowed || !has_points(f, stretch) {
        return Ok(None);
    }
    let Some(parts) = parts(f, algebra, stretch)? else { return Ok(None) };
    let bits = context.precision();
    // half of the nodes are found, each in about two steps of Newton's method; the same whether the rule is known already or not
    let price = u64::from(parts.nodes).pow(2) * work::product(work::limbs(bits));
    if !effort.budget.affords(price) || !effort.budget.spend(price) {
        return Ok(None);
    }
    let Some(nodes) = legendre::nodes(parts.nodes, bits) else { return Ok(None) };
    let number = |enclosure| context.enclosure(enclosure);
    let nodes: Vec<_> = nodes.iter().map(|node| [number(&node.place), number(&node.weight)]).collect();
    let mut sum = parts.ends.clone();
    for part in &parts.parts {
        let Some(integral) = over(f, algebra, stretch, part, &nodes)? else { return Ok(None) };
        sum = f.jets(algebra).add(&sum, &integral);
    }
    let error = parts.parts.iter().fold(Magnitude::ZERO, |sum, part| sum + part.error);
    for monomial in 0..sum.len() {
        let Some(inner) = sum.get(monomial) else { continue };
        let Some(error) = error.shifted(-parts.radius * i64::from(algebra.degree(monomial))).to_rational() else {
            return Ok(None);
        };
        let error = context.rational(&error);
        let whole = context.add(inner, &context.hull(&context.neg(&error), &error));
        if context.width(&whole) > context.width(inner).shifted(1) {
            effort.leave_open();
        }
        sum.set(monomial, Some(whole));
    }
    Ok(Some(match stretch {
        None => sum,
        Some(Stretch { between: [a, b], .. }) => {
            let jets = f.jets(algebra);
            jets.multiply(&jets.subtract(b, a), &sum)
        }
    }))
}

/// The sum over the nodes, times half the length.
fn over<C: Hooked>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    stretch: Option<&Stretch<C::Num>>,
    part: &Part,
    nodes: &[[C::Num; 2]],
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let context = f.context();
    let jets = f.jets(algebra);
    let [middle, half] = [&part.middle, &part.half].map(|q| context.rational(q));
    let mut sum = Jet::constant(context.integer(0));
    let places = nodes.iter().map(|[place, _]| context.add(&middle, &context.mul(&half, place))).collect();
    let length = stretch.map(|Stretch { between: [a, b], .. }| jets.subtract(b, a));
    let values = f.each(places, None, |f, place| {
        let mut branches = Branches::forced(Stretch::given(stretch).to_vec());
        let place = match (stretch, &length) {
            (Some(Stretch { between: [a, _], .. }), Some(length)) => jets.add(a, &jets.scale(length, &place)),
            _ => Jet::constant(place),
        };
        let value = f.at(algebra, place, &mut branches, Target::Outputs)?;
        Ok((value, branches.undecided.is_empty()))
    })?;
    for ((value, is_decided), [_, weight]) in values.iter().zip(nodes) {
        let is_known = |c: &C::Num| context.is_bounded(c) && context.is_defined(c);
        if !is_decided || !value.coefficients().flatten().all(is_known) {
            return Ok(None);
        }
        sum = jets.add(&sum, &jets.scale(value, weight));
    }
    Ok(Some(jets.scale(&sum, &half)))
}

/// Whether captures are points, as far as half of the digits say.
fn has_points<C: Hooked>(f: &Function<C>, stretch: Option<&Stretch<C::Num>>) -> bool {
    let context = f.context();
    let half = -i64::from(context.precision() / 2);
    let is_point = |c: &C::Num| context.width(c) <= context.magnitude(c).shifted(half);
    let are_points = |jet: &Jet<C::Num>| jet.coefficients().flatten().all(is_point);
    let are_ends = stretch.is_none_or(|stretch| stretch.between.into_iter().all(are_points));
    are_ends && (f.has_fine_captures() || f.captures.iter().all(are_points))
}

/// Parts of [0, 1] on which the rule is narrow enough, and the binary logarithm of the radius to which directions go.
struct Parts<N> {
    /// The number of nodes on each.
    nodes: u32,
    parts: Vec<Part>,
    /// The integral over what is beside the ends, where the function is singular.
    ends: Jet<N>,
    radius: i64,
}

/// The parts; nothing where no ellipses show a few to be enough.
///
/// # Errors
/// Those of the integrand.
fn parts<C: Hooked>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    stretch: Option<&Stretch<C::Num>>,
) -> Result<Option<Parts<C::Num>>, SmoothError> {
    let half = Rational::from((1, 2));
    let is_cheap = f.context().precision() <= DOUBLE_BITS && !has_integrals(f.block);
    let deepest = if is_cheap { DEEPEST_IN_DOUBLES } else { DEEPEST + f.context().precision() / DEEPER_BITS };
    let deepest = deepest + DEEPER_WHEN_RAISED * f.machine.effort.times_raised();
    let found = |search: Option<Search>, radius: i64| {
        let Some(mut search) = search else { return Ok(None) };
        let all = |parts: Vec<Part>, nodes: u32| Some(Parts { nodes, parts, ends: Jet::zero(), radius });
        let few = search.parts(&half, &half, 0, deepest);
        let nodes = search.nodes;
        // where the larger rule is to be looked at, and with how many parts it would be taken
        let most = few.as_ref().map_or(usize::MAX, |few| few.len() / SPARED);
        if most > 0 && search.bits > DOUBLE_BITS && search.bits <= MOST_BITS_OF_LARGE {
            search.nodes = 2 * nodes;
            if let Some(parts) = search.parts(&half, &half, 0, deepest).filter(|parts| parts.len() <= most) {
                return Ok(all(parts, search.nodes));
            }
            search.nodes = nodes;
        }
        match few {
            Some(parts) => Ok(all(parts, nodes)),
            None if stretch.is_some() => Ok(None),
            None => Ok(search.graded(f, algebra)?.map(|(parts, ends)| Parts { nodes, parts, ends, radius })),
        }
    };
    let within = |radius: i64| {
        let given = Stretch::given(stretch);
        let complex = f.machine.on_rectangles(f.block, f.captures, algebra, radius, given)?;
        let along = stretch.map(|Stretch { between: [a, b], .. }| {
            [*a, &f.jets(algebra).subtract(b, a)].map(|jet| f.machine.rectangle_around(jet, algebra, radius))
        });
        let effort = f.machine.effort;
        let lost = (-radius * i64::from(algebra.height())).max(0);
        let mut tolerance = effort.tolerance().shifted(-3);
        if is_cheap {
            tolerance = tolerance.min(Magnitude::power_of_two(DOUBLES_GIVE));
        }
        let bits = f.context().precision();
        Some(Search { complex, along, budget: effort.budget, tolerance, bits, nodes: rule(bits), lost, whole: None })
    };
    if algebra.len() == 1 {
        return found(within(0), 0);
    }
    // the radius at which the bound of the highest coefficient is least, on all or, where it is singular at an end, on the middle
    let least_on = |length: &Rational| {
        let mut best: Option<(i64, i64, Search)> = None;
        for radius in RADII {
            let mut search = within(radius)?;
            let Some(bound) = search.covered(&Ellipse::around(&half, length, 1)) else { continue };
            search.whole = (*length == half).then_some(bound);
            let bound = bound.log2().saturating_add(search.lost);
            if best.as_ref().is_some_and(|(_, least, _)| bound >= *least) {
                break;
            }
            best = Some((radius, bound, search));
        }
        best
    };
    let best = least_on(&half).or_else(|| least_on(&Rational::from((1, 4))));
    let Some((radius, _, search)) = best else { return Ok(None) };
    found(Some(search), radius)
}

/// How parts are chosen.
struct Search<'c> {
    complex: OnRectangles<'c>,
    /// One end of the stretch, and the way to the other.
    along: Option<[Rectangle; 2]>,
    budget: &'c Budget,
    tolerance: Magnitude,
    bits: u32,
    /// The number of nodes of the rule.
    nodes: u32,
    /// By how many bits the bound of the highest coefficient is above that of the value.
    lost: i64,
    /// A bound of the modulus on the flattest ellipse around all of [0, 1], where it has been looked at.
    whole: Option<Magnitude>,
}

impl Search<'_> {
    /// Parts of an interval on which the rule is narrow enough. The interval is a 2⁻ᵈ-th of all, with d its depth.
    fn parts(&self, middle: &Rational, half: &Rational, depth: u32, deepest: u32) -> Option<Vec<Part>> {
        if let Some(error) = self.error(middle, half, depth) {
            return Some(vec![Part { middle: middle.clone(), half: half.clone(), error }]);
        }
        if depth >= deepest {
            return None;
        }
        let quarter = Rational::from(half / 2);
        let mut parts = self.parts(&Rational::from(middle - &quarter), &quarter, depth + 1, deepest)?;
        parts.extend(self.parts(&Rational::from(middle + &quarter), &quarter, depth + 1, deepest)?);
        Some(parts)
    }

    /// The error of the rule over an interval, where an ellipse shows it to be as small as is wanted.
    fn error(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Magnitude> {
        let nodes = self.nodes;
        // 9·M·(half of the length), which is a power of two
        let scaled = |bound: Magnitude| (bound.shifted(3) + bound).shifted(Magnitude::from_rational(half).log2() + 1);
        // how large the integral may be, by the flattest ellipse: it need not be known better than the precision allows
        let flat = Ellipse::around(middle, half, 1);
        let log2 = |bound: Magnitude| scaled(bound).log2().saturating_add(self.lost);
        let covered = self.whole.filter(|_| depth == 0).or_else(|| self.covered(&flat));
        let mut size = log2(covered?);
        if self.is_beyond(size) {
            size = log2(self.largest(flat.rim())?);
        }
        let least = if self.is_beyond(size) { size - i64::from(self.bits) } else { self.tolerance.log2() };
        let wanted = least.saturating_sub(depth.into());
        let needed =
            |size: i64| u32::try_from(size.saturating_add(1).saturating_sub(wanted).max(0) / i64::from(nodes) + 1).ok();
        let first = needed(size)?;
        let mut s = first;
        while s <= first.saturating_add(MORE_STEEP).min(STEEPEST) {
            let ellipse = Ellipse::around(middle, half, s);
            self.covered(&ellipse)?;
            let bound = self.largest(ellipse.rim())?;
            // on a larger ellipse the function is no smaller
            let least = needed(log2(bound))?;
            if least <= s {
                return Some(scaled(bound).shifted(-i64::from(s) * i64::from(nodes)));
            }
            s = least;
        }
        None
    }

    /// Whether the precision does not allow a number of this size to be as narrow as is wanted.
    fn is_beyond(&self, size: i64) -> bool {
        size.saturating_sub(self.bits.into()) > self.tolerance.log2()
    }

    /// A bound of the modulus on an ellipse; nothing where the function is not known to be analytic there.
    fn covered(&self, ellipse: &Ellipse) -> Option<Magnitude> {
        COVERS.iter().find_map(|cover| self.largest(ellipse.cover(*cover)))
    }

    /// A bound of the modulus on rectangles; nothing where the function is not known to be analytic on one of them.
    fn largest(&self, rectangles: impl Iterator<Item = Rectangle>) -> Option<Magnitude> {
        let mut largest = Magnitude::ZERO;
        for z in rectangles {
            let cost = self.complex.steps();
            if !self.budget.affords(cost) || !self.budget.spend(cost) {
                return None;
            }
            let z = self.along.as_ref().map_or_else(|| z.clone(), |[from, way]| from.towards(way, &z));
            largest = largest.max(self.complex.at(&z)?.modulus()?);
        }
        Some(largest)
    }
}
