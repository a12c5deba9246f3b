//! Gauss–Legendre quadrature of analytic functions: complex arguments tell how many nodes are enough.
//!
//! Let g be analytic on the filled ellipse with the foci ±1 and the semi-axes (ρ ± 1/ρ)/2, and |g| ≤ M there. With N ≥ 2
//! nodes of Gauss and Legendre
//!
//! `|∫₋₁¹ g dt - Σ wᵢ g(tᵢ)|  ≤  64/15 · M·ρ⁻²ᴺ/(1 - ρ⁻²)`.
//!
//! *Proof* (Rabinowitz 1969; Trefethen, "Is Gauss quadrature better than Clenshaw–Curtis?", Theorem 4.5). The coefficients
//! of g in Chebyshev polynomials are at most 2Mρ⁻ᵏ. The rule is exact up to the degree 2N - 1, and for odd polynomials. For
//! even k ≥ 2N the integral of `T_k` is at most 2/(k² - 1), and its sum at most 2, since the weights are positive and have
//! the sum 2; both together are at most 32/15 for k ≥ 4. The sum over even k ≥ 2N of 2Mρ⁻ᵏ·32/15 is the bound. ∎ With ρ² =
//! 2ˢ it is at most `9·M·2⁻ˢᴺ` for s ≥ 1.
//!
//! M is computed with [rectangles](crate::smooth::machine::complex). A few that cover the upper half of the ellipse show
//! that g is analytic there. Those around its rim show, by the maximum principle, how large it is. The function commutes
//! with conjugation. All this is done in doubles, whatever the precision; only the nodes are evaluated at it. There are two
//! rules for a precision, since nodes are more expensive to find than to use. An interval for which no ellipse shows one to be
//! enough is halved.
//!
//! If the function is singular at an end, as an integral of 1/(x + y) is, the intervals halve towards the end. The last of
//! them has a [power bound](crate::smooth::machine::growth) (`graded`).
//!
//! Between two kinks, or one and an end of the interval, the integrand is the analytic function of the sides taken there,
//! which may well continue beyond. With ends a and b the integral is (b - a)·∫₀¹ f (a + (b - a)·u) du. The ends may be
//! jets: the coefficients of the integral over u are bounded, and its product with the length follows.
//!
//! Derivatives have the same nodes. If the captures are jets, polynomials in ε₁, …, εₘ, the integrand is a function g(t, ε)
//! of complex arguments too. Its coefficient g_α of ε^α is analytic in t, and at most M·r^(-|α|) on the ellipse where |g| ≤
//! M for all |εᵢ| ≤ r (Cauchy's estimate).

mod ellipse;
mod graded;

use self::ellipse::BernsteinEllipse;
use super::degree::polynomial_degree;
use super::{DOUBLE_BITS, LEAST_ORDER_IN_DOUBLES, SolverFunction};
use crate::number::budget::Budget;
use crate::number::magnitude::Magnitude;
use crate::number::{Rational, legendre, work};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::complex::{ComplexEvaluator, ComplexRectangle, has_integrals, has_kinks};
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use std::sync::Arc;

/// The number of exponents s tried beyond the least that a rule needs…
const MORE_STEEP: u32 = 4;
/// …up to this one, where ρ is 256. Both are choices.
const STEEPEST: u32 = 16;
/// The columns and rows of rectangles that cover an ellipse. The first cover that is enough is used. A choice.
const COVERS: [[u32; 2]; 2] = [[2, 1], [8, 2]];
/// The binary logarithms of the radii that are tried. A choice.
const RADII: [i64; 7] = [1, -1, -3, -5, -8, -11, -15];
/// The number of times that an interval is halved, at most. A choice.
const DEEPEST: u32 = 5;
/// The number of bits of precision that allow one more halving. A choice.
const DEEPER_BITS: u32 = 512;
/// Like [`DEEPEST`], in doubles, where panels are cheap. A choice.
const DEEPEST_IN_DOUBLES: u32 = 3;
/// The number of additional halvings each time that more pieces are granted to a search. A choice.
const DEEPER_WHEN_RAISED: u32 = 5;
/// The binary logarithm of the best error that nodes in doubles can reach. It is aimed at unless nodes are expensive.
const DOUBLES_GIVE: i64 = -44;
/// The greatest precision in bits. Beyond it the nodes of a rule are expensive to find. A choice.
const MOST_BITS: u32 = 3500;
/// The greatest precision at which there is a rule of twice the nodes…
const MOST_BITS_OF_LARGE: u32 = 1200;
/// …which is taken if it needs at most one part where the smaller rule needs this many. Both are choices.
const SPARED: usize = 3;
/// The precision up to which an integrand with captures, as one inside of another, is left to panels. A choice.
const WITH_CAPTURES_BITS: u32 = 256;

/// A piece of the interval between two kinks, or between one and an end of the interval.
#[derive(Debug)]
pub struct SmoothInterval<'a, N> {
    /// The ends a and b. The integrand is a function of u ∈ [0, 1], at a + (b - a)·u.
    pub between: [&'a Jet<N>; 2],
    /// The branches that are known.
    pub forced: &'a [(BranchPoint, KinkBranch)],
}

impl<'a, N> SmoothInterval<'a, N> {
    /// Returns the branches that are known; none on all of [0, 1].
    fn known_branches(stretch: Option<&Self>) -> &'a [(BranchPoint, KinkBranch)] {
        stretch.map_or(&[], |stretch| stretch.forced)
    }
}

/// A part of [0, 1], with the error of its quadrature.
struct AnalyticPart {
    /// The middle of the part.
    middle: Rational,
    /// Half of its length.
    half: Rational,
    /// The error bound, for the value.
    error: Magnitude,
}

/// Returns the number of nodes of the rule for a precision. A choice: a tenth of the bits, rounded up to a multiple of
/// 8, and at least 16.
fn node_count(bits: u32) -> u32 {
    (bits / 10).next_multiple_of(8).max(16)
}

/// Encloses the integral over [0, 1], or over a stretch. The pass is left open if a higher precision would narrow the result.
///
/// Returns `None` if
///
/// * the integrand is not certainly analytic near the interval,
/// * the interval is all of [0, 1] and the integrand has kinks, or panels have no error,
/// * the integrand has captures that do not move, and no integrals inside, and the precision is low: then rectangles cost
///   more than they spare.
///
/// # Errors
/// Those of the integrand.
pub fn integrate<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    stretch: Option<&SmoothInterval<C::Num>>,
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let context = f.context();
    let effort = f.machine.effort;
    // Of many integrals, each to few bits, rectangles would cost more than they spare; an expansion of an integral costs more.
    let least = if has_integrals(f.block) || !f.captures.iter().any(Jet::is_constant) {
        0
    } else if algebra.len() > 1 {
        DOUBLE_BITS
    } else {
        WITH_CAPTURES_BITS
    };
    // Panels integrate a polynomial of low degree without an error.
    let given = SmoothInterval::known_branches(stretch);
    let is_exact =
        || polynomial_degree(f.block, f.captures.len(), given).is_some_and(|degree| degree <= LEAST_ORDER_IN_DOUBLES);
    let is_left_to_panels = match stretch {
        None => has_kinks(f.block) || (context.precision() <= DOUBLE_BITS && is_exact()),
        Some(_) => is_exact(),
    };
    if is_left_to_panels {
        return Ok(None);
    }
    let is_allowed =
        effort.solver_options.complex && effort.solver_options.expansions && algebra.taylor_generator_count() == 0;
    if context.precision() <= least || context.precision() > MOST_BITS || !is_allowed || !has_points(f, stretch) {
        return Ok(None);
    }
    let Some(parts) = choose_parts(f, algebra, stretch)? else { return Ok(None) };
    let bits = context.precision();
    // Half of the nodes are found, each in about two Newton steps. The price is paid whether the rule is cached or not.
    let price = u64::from(parts.nodes).pow(2) * work::product_units(work::limb_count(bits));
    if !effort.budget.can_afford(price) || !effort.budget.spend(price) {
        return Ok(None);
    }
    let Some(nodes) = legendre::gauss_legendre_nodes(parts.nodes, bits) else { return Ok(None) };
    let number = |enclosure| context.round_enclosure(enclosure);
    let nodes: Vec<_> = nodes.iter().map(|node| [number(&node.abscissa), number(&node.weight)]).collect();
    let mut sum = parts.ends.clone();
    for part in &parts.parts {
        let Some(integral) = sum_nodes(f, algebra, stretch, part, &nodes)? else { return Ok(None) };
        sum = f.jets(algebra).add(&sum, &integral);
    }
    // The error of a coefficient of degree d is that of the value times r^(-d) (Cauchy).
    let error = parts.parts.iter().fold(Magnitude::ZERO, |sum, part| sum + part.error);
    for monomial in 0..sum.len() {
        let Some(inner) = sum.get(monomial) else { continue };
        let Some(error) = error.mul_exp2(-parts.radius * i64::from(algebra.degree(monomial))).to_rational() else {
            return Ok(None);
        };
        let error = context.enclose_rational(&error);
        let whole = context.add(inner, &context.hull(&context.neg(&error), &error));
        // The error is more than the rounding, so more nodes would narrow the result.
        if context.width(&whole) > context.width(inner).mul_exp2(1) {
            effort.record_open();
        }
        sum.set(monomial, Some(whole));
    }
    Ok(Some(match stretch {
        None => sum,
        Some(SmoothInterval { between: [a, b], .. }) => {
            let jets = f.jets(algebra);
            jets.multiply(&jets.subtract(b, a), &sum)
        }
    }))
}

/// Returns the sum over the nodes of a part, times half of its length. Returns `None` if a node is undecided or unknown.
fn sum_nodes<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    stretch: Option<&SmoothInterval<C::Num>>,
    part: &AnalyticPart,
    nodes: &[[C::Num; 2]],
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let context = f.context();
    let jets = f.jets(algebra);
    let [middle, half] = [&part.middle, &part.half].map(|q| context.enclose_rational(q));
    let mut sum = Jet::constant(context.enclose_integer(0));
    let places = nodes.iter().map(|[place, _]| context.add(&middle, &context.mul(&half, place))).collect();
    let length = stretch.map(|SmoothInterval { between: [a, b], .. }| jets.subtract(b, a));
    let values = f.map_places(places, None, |f, place| {
        let mut branches = BranchDecisions::with_forced(SmoothInterval::known_branches(stretch).to_vec());
        let place = match (stretch, &length) {
            (Some(SmoothInterval { between: [a, _], .. }), Some(length)) => jets.add(a, &jets.scale(length, &place)),
            _ => Jet::constant(place),
        };
        let value = f.eval_jet(algebra, place, &mut branches, EvalTarget::Outputs)?;
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

/// Returns `true` if the captures, and the ends of the stretch, are points to half of their digits, or are fine.
fn has_points<C: HookedContext>(f: &SolverFunction<C>, stretch: Option<&SmoothInterval<C::Num>>) -> bool {
    let context = f.context();
    let half = -i64::from(context.precision() / 2);
    let is_point = |c: &C::Num| context.width(c) <= context.magnitude(c).mul_exp2(half);
    let are_points = |jet: &Jet<C::Num>| jet.coefficients().flatten().all(is_point);
    let are_ends = stretch.is_none_or(|stretch| stretch.between.into_iter().all(are_points));
    are_ends && (f.has_fine_captures() || f.captures.iter().all(are_points))
}

/// The parts of [0, 1] for a rule.
struct AnalyticParts<N> {
    /// The number of nodes on each part.
    nodes: u32,
    /// The parts, from left to right.
    parts: Vec<AnalyticPart>,
    /// The integral near the ends at which the function is singular.
    ends: Jet<N>,
    /// The binary logarithm of the radius of the directions.
    radius: i64,
}

/// Chooses the parts of [0, 1]. Returns `None` if no ellipses show a few parts to be enough.
///
/// # Errors
/// Those of the integrand.
fn choose_parts<C: HookedContext>(
    f: &SolverFunction<C>,
    algebra: &Arc<Algebra>,
    stretch: Option<&SmoothInterval<C::Num>>,
) -> Result<Option<AnalyticParts<C::Num>>, SmoothError> {
    let half = Rational::from((1, 2));
    let is_cheap = f.context().precision() <= DOUBLE_BITS && !has_integrals(f.block);
    let deepest = if is_cheap { DEEPEST_IN_DOUBLES } else { DEEPEST + f.context().precision() / DEEPER_BITS };
    let deepest = deepest + DEEPER_WHEN_RAISED * f.machine.effort.times_raised();
    let found = |search: Option<EllipseSearch>, radius: i64| {
        let Some(mut search) = search else { return Ok(None) };
        let all =
            |parts: Vec<AnalyticPart>, nodes: u32| Some(AnalyticParts { nodes, parts, ends: Jet::zero(), radius });
        let few = search.split_into_parts(&half, &half, 0, deepest);
        let nodes = search.nodes;
        // The rule of twice the nodes is tried if it could spare enough parts.
        let most = few.as_ref().map_or(usize::MAX, |few| few.len() / SPARED);
        if most > 0 && search.bits > DOUBLE_BITS && search.bits <= MOST_BITS_OF_LARGE {
            search.nodes = 2 * nodes;
            if let Some(parts) = search.split_into_parts(&half, &half, 0, deepest).filter(|parts| parts.len() <= most) {
                return Ok(all(parts, search.nodes));
            }
            search.nodes = nodes;
        }
        // A function that is singular at an end: all of [0, 1] is graded towards its ends, a stretch is not.
        match few {
            Some(parts) => Ok(all(parts, nodes)),
            None if stretch.is_some() => Ok(None),
            None => {
                Ok(search.graded_mesh(f, algebra)?.map(|(parts, ends)| AnalyticParts { nodes, parts, ends, radius }))
            }
        }
    };
    let within = |radius: i64| {
        let given = SmoothInterval::known_branches(stretch);
        let complex = f.machine.on_rectangles(f.block, f.captures, algebra, radius, given)?;
        let along = stretch.map(|SmoothInterval { between: [a, b], .. }| {
            [*a, &f.jets(algebra).subtract(b, a)].map(|jet| f.machine.rectangle_around(jet, algebra, radius))
        });
        let effort = f.machine.effort;
        // Coefficients of degree d gain the factor r^(-d), which costs so many bits for r < 1.
        let lost = (-radius * i64::from(algebra.max_degree())).max(0);
        let mut tolerance = effort.tolerance().mul_exp2(-3);
        if is_cheap {
            tolerance = tolerance.min(Magnitude::power_of_two(DOUBLES_GIVE));
        }
        let bits = f.context().precision();
        Some(EllipseSearch {
            complex,
            along,
            budget: effort.budget,
            tolerance,
            bits,
            nodes: node_count(bits),
            lost,
            whole: None,
        })
    };
    if algebra.len() == 1 {
        return found(within(0), 0);
    }
    // The radius with the least bound of the highest coefficient. If the whole interval is singular at an end, the middle
    // half is used.
    let least_on = |length: &Rational| {
        let mut best: Option<(i64, i64, EllipseSearch)> = None;
        for radius in RADII {
            let mut search = within(radius)?;
            let Some(bound) = search.modulus_on_ellipse(&BernsteinEllipse::around(&half, length, 1)) else { continue };
            search.whole = (*length == half).then_some(bound);
            let bound = bound.floor_log2().saturating_add(search.lost);
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

/// The search for parts on which the rule is narrow enough.
struct EllipseSearch<'c> {
    /// The integrand on complex rectangles.
    complex: ComplexEvaluator<'c>,
    /// For a stretch: one end, and the difference to the other.
    along: Option<[ComplexRectangle; 2]>,
    /// The budget.
    budget: &'c Budget,
    /// The width that is wanted of the integral.
    tolerance: Magnitude,
    /// The precision in bits.
    bits: u32,
    /// The number of nodes of the rule.
    nodes: u32,
    /// The number of bits by which the bound of the highest coefficient exceeds that of the value.
    lost: i64,
    /// A bound of the modulus on the flattest ellipse around all of [0, 1], if it has been computed.
    whole: Option<Magnitude>,
}

impl EllipseSearch<'_> {
    /// Splits an interval into parts on which the rule is narrow enough. The interval has the length 2⁻ᵈ, with d its depth.
    fn split_into_parts(
        &self,
        middle: &Rational,
        half: &Rational,
        depth: u32,
        deepest: u32,
    ) -> Option<Vec<AnalyticPart>> {
        if let Some(error) = self.quadrature_error(middle, half, depth) {
            return Some(vec![AnalyticPart { middle: middle.clone(), half: half.clone(), error }]);
        }
        if depth >= deepest {
            return None;
        }
        let quarter = Rational::from(half / 2);
        let mut parts = self.split_into_parts(&Rational::from(middle - &quarter), &quarter, depth + 1, deepest)?;
        parts.extend(self.split_into_parts(&Rational::from(middle + &quarter), &quarter, depth + 1, deepest)?);
        Some(parts)
    }

    /// Returns the error of the rule over an interval. Returns `None` if no ellipse shows it to be as small as is wanted.
    fn quadrature_error(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Magnitude> {
        let nodes = self.nodes;
        // 9·M·(half of the length), which is a power of two.
        let scaled =
            |bound: Magnitude| (bound.mul_exp2(3) + bound).mul_exp2(Magnitude::from_rational(half).floor_log2() + 1);
        // The size of the integral by the flattest ellipse: the error need not be smaller than the precision allows.
        let flat = BernsteinEllipse::around(middle, half, 1);
        let log2 = |bound: Magnitude| scaled(bound).floor_log2().saturating_add(self.lost);
        let covered = self.whole.filter(|_| depth == 0).or_else(|| self.modulus_on_ellipse(&flat));
        let mut size = log2(covered?);
        if self.is_beyond(size) {
            size = log2(self.modulus_on(flat.rim_rectangles())?);
        }
        let least = if self.is_beyond(size) { size - i64::from(self.bits) } else { self.tolerance.floor_log2() };
        let wanted = least.saturating_sub(depth.into());
        let needed =
            |size: i64| u32::try_from(size.saturating_add(1).saturating_sub(wanted).max(0) / i64::from(nodes) + 1).ok();
        let first = needed(size)?;
        let mut s = first;
        while s <= first.saturating_add(MORE_STEEP).min(STEEPEST) {
            let ellipse = BernsteinEllipse::around(middle, half, s);
            self.modulus_on_ellipse(&ellipse)?;
            let bound = self.modulus_on(ellipse.rim_rectangles())?;
            // On a larger ellipse the function is no smaller, so s need not be tried below the value that this bound needs.
            let least = needed(log2(bound))?;
            if least <= s {
                return Some(scaled(bound).mul_exp2(-i64::from(s) * i64::from(nodes)));
            }
            s = least;
        }
        None
    }

    /// Returns `true` if the precision does not allow a number of this size to be as narrow as is wanted.
    fn is_beyond(&self, size: i64) -> bool {
        size.saturating_sub(self.bits.into()) > self.tolerance.floor_log2()
    }

    /// Returns a bound of the modulus on an ellipse. Returns `None` if the function is not known to be analytic there.
    fn modulus_on_ellipse(&self, ellipse: &BernsteinEllipse) -> Option<Magnitude> {
        COVERS.iter().find_map(|cover| self.modulus_on(ellipse.cover_rectangles(*cover)))
    }

    /// Returns a bound of the modulus on rectangles. Returns `None` if the function is not known to be analytic on one of them.
    fn modulus_on(&self, rectangles: impl Iterator<Item = ComplexRectangle>) -> Option<Magnitude> {
        let mut largest = Magnitude::ZERO;
        for z in rectangles {
            let cost = self.complex.steps();
            if !self.budget.can_afford(cost) || !self.budget.spend(cost) {
                return None;
            }
            let z = self.along.as_ref().map_or_else(|| z.clone(), |[from, way]| from.plus_product(way, &z));
            largest = largest.max(self.complex.eval_on(&z)?.modulus()?);
        }
        Some(largest)
    }
}
