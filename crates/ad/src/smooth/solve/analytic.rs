//! Gauss–Legendre quadrature of analytic functions: bounds at complex arguments show how many nodes are enough.
//!
//! Let g be analytic on the filled ellipse with the foci ±1 and the semi-axes (ρ ± 1/ρ)/2, and |g| ≤ M there. With N ≥ 2
//! nodes of Gauss and Legendre
//!
//! `|∫₋₁¹ g dt - Σ wᵢ g(tᵢ)|  ≤  64/15 · M·ρ⁻²ᴺ/(1 - ρ⁻²)`.
//!
//! *Proof* (Rabinowitz 1969; Trefethen, "Is Gauss quadrature better than Clenshaw–Curtis?", Theorem 4.5). The coefficients
//! of g in Chebyshev polynomials are at most 2Mρ⁻ᵏ. The rule is exact up to the degree 2N - 1, and for odd polynomials. For
//! even k ≥ 2N the absolute value of the integral of `T_k` is at most 2/(k² - 1). That of the sum over the nodes is at most
//! 2, since the weights are positive and have the sum 2. Both together are at most 32/15 for k ≥ 4. The sum over even k ≥ 2N
//! of 2Mρ⁻ᵏ·32/15 is the bound. ∎ With ρ² = 2ˢ it is at most `9·M·2⁻ˢᴺ` for s ≥ 1.
//!
//! M is computed with [rectangles](crate::smooth::machine::complex) in the complex plane. A few that cover the upper half
//! of the ellipse show that g is analytic there. Those around its rim show, by the maximum principle, how large it is. The
//! upper half suffices, since g commutes with conjugation. All this is done in doubles, whatever the precision; only g at
//! the nodes is evaluated at that precision. There are at most two rules for a precision, since nodes are more expensive to
//! find than to use. An interval for which no ellipse shows a rule to be enough is halved.
//!
//! If the function is singular at an end, as an integral of 1/(x + y) is, the intervals halve towards the end. The last of
//! them has a [power bound](crate::smooth::asymptotic) (`graded`).
//!
//! A [`SmoothInterval`] lies between two kinks, or between one and an end of [0, 1]. There the integrand is the analytic
//! function of the branches taken, which may continue beyond. With ends a and b the integral is (b - a)·∫₀¹ f (a + (b - a)·u)
//! du. The ends may be jets: the coefficients of the integral over u are bounded, and its product with the length follows.
//!
//! Derivatives have the same nodes. The captures, the inputs other than t, may be jets: polynomials in ε₁, …, εₘ. Then the
//! integrand is a function g(t, ε) of complex arguments too. Its coefficient g_α of ε^α is analytic in t. It is at most
//! M·r^(-|α|) on the ellipse if |g| ≤ M for all |εᵢ| ≤ r (Cauchy's estimate).
//!
//! # Bernstein ellipses
//!
//! Ellipses with the foci at the ends of an interval, covered by rectangles.
//!
//! Only the upper half is covered. The rim is cut at the angles πi/8 into arcs, each monotone, in the rectangle between its
//! ends. The outer edges of these rectangles form a curve around the ellipse, and the region between curve and ellipse lies
//! in the rectangles. Let a function be analytic on a cover and on them. Then its modulus on the ellipse is at most that on
//! them, by the maximum principle.
//!
//! # Graded meshes
//!
//! The parts halve towards an end at which the function is singular. The last of them, beside the end, is integrated by a
//! power bound.
//!
//! # Polynomial integrands
//!
//! Panels integrate a polynomial of low degree exactly, so it needs no ellipse.
//!
//! # Gauss–Legendre quadrature on a panel
//!
//! Let `g` be a coefficient of the integrand as a function of t ∈ [-1, 1], and `C_k` an interval that contains `g⁽ᵏ⁾(t)/k!`
//! for all t. With n nodes and 1 ≤ k ≤ 2n-1
//!
//! `|∫g dt - Σ wᵢ g(tᵢ)|  ≤  4·2⁻ᵏ·w(C_k)`,  w(C_k) being the width of `C_k`.
//!
//! *Proof.* Let c be the middle of `C_k`, and h = g - c·tᵏ, so that `|h⁽ᵏ⁾/k!| ≤ w(C_k)/2` on [-1, 1]. The polynomial p of
//! degree at most k-1 that agrees with h at the k zeros of Chebyshev's `T_k` has `|h - p| ≤ max|h⁽ᵏ⁾/k!|·max|T_k|/2ᵏ⁻¹ ≤
//! 2⁻ᵏ·w(C_k)`. Both p and c·tᵏ have a degree of at most 2n-1, for which the rule is exact. So the error is that of h - p
//! alone: at most 2 max|h - p| from the integral, and as much from the sum, whose weights are positive and have the sum 2.
//! ∎ If g⁽ᵏ⁾ does not exist, as at a kink, it is enough that the difference quotients of g⁽ᵏ⁻¹⁾/k! lie in `C_k`.
//!
//! A panel is integrated by this rule only if no branch is undecided on it. Each coefficient of the integrand must be
//! certainly defined on all of it, with its `C_0, …, C_k`, and `C_k` must be bounded. Each has a remainder of its own, the
//! least over k. Its integral also lies in `2·C_0`.
//!
//! In doubles there is no rule: each node rounds, so the expansion at the midpoint is narrower.

use super::panel::{IntegralPanel, PanelPiece, Sums, TaylorExpansion, TaylorExpansions, is_known};
use super::{DOUBLE_BITS, LEAST_ORDER_IN_DOUBLES, SolverFunction};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::magnitude::Magnitude;
use crate::number::{Double, Rational, budget, legendre};
use crate::smooth::algebra::Algebra;
use crate::smooth::asymptotic::OneSidedLimit;
use crate::smooth::asymptotic::series::EndIntegral;
use crate::smooth::error::SmoothError;
use crate::smooth::fold::{AbstractDomain, BlockRegisters, FirstOrder, FoldLeaf, MapFold};
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, KinkBranch};
use crate::smooth::machine::complex::{ComplexEvaluator, ComplexRectangle, has_integrals, has_kinks};
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::{Block, BlockRegister};
use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

/// The number of exponents s, with ρ² = 2ˢ, that are tried beyond the least that a rule needs. A choice.
const EXTRA_EXPONENTS: u32 = 4;
/// The greatest exponent s that is tried: there ρ is 256. A choice.
const MAX_EXPONENT: u32 = 16;
/// The columns and rows of rectangles that cover an ellipse. The first cover that is enough is used. A choice.
const ELLIPSE_COVERS: [[u32; 2]; 2] = [[2, 1], [8, 2]];
/// The binary logarithms of the radii r of the εᵢ that are tried. A choice.
const LOG2_RADII: [i64; 7] = [1, -1, -3, -5, -8, -11, -15];
/// The greatest number of times that an interval is halved. A choice.
const MAX_HALVINGS: u32 = 5;
/// The number of bits of precision that allow one more halving. A choice.
const BITS_PER_HALVING: u32 = 512;
/// Like [`DEEPEST`], in doubles, where panels are cheap. A choice.
const MAX_HALVINGS_IN_DOUBLES: u32 = 3;
/// The number of additional halvings each time that more pieces are granted to a search. A choice.
const HALVINGS_PER_RAISE: u32 = 5;
/// The binary logarithm of an error that nodes in doubles can reach. Unless they are expensive it is aimed at, even if the
/// tolerance is larger.
const LOG2_ERROR_IN_DOUBLES: i64 = -44;
/// The greatest precision in bits. Beyond it the nodes of a rule are expensive to find. A choice.
const MAX_PRECISION_BITS: u32 = 3500;
/// The greatest precision in bits at which the rule of twice the nodes is tried. A choice.
const MAX_BITS_OF_DOUBLED_RULE: u32 = 1200;
/// The factor by which the rule of twice the nodes has to reduce the number of parts to be taken. A choice.
const MIN_PART_REDUCTION: usize = 3;
/// The precision in bits up to which a nested integrand, whose captures are numbers, is left to panels. A choice.
const MIN_BITS_WITH_CAPTURES: u32 = 256;

/// A piece of the interval between two kinks, or between one and an end of the interval.
#[derive(Debug)]
pub struct SmoothInterval<'a, N> {
    /// The ends a and b. The integrand is a function of u ∈ [0, 1], at a + (b - a)·u.
    pub between: [&'a Jet<N>; 2],
    /// The branches that the integrand takes on the piece.
    pub forced: &'a [(BranchPoint, KinkBranch)],
}

impl<'a, N> SmoothInterval<'a, N> {
    /// Returns the branches that are known on a piece; none for `None`, which stands for all of [0, 1].
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
    /// The error bound for the value. Coefficients of derivatives have multiples of it.
    error: Magnitude,
}

/// Returns the number of nodes of the rule for a precision. A choice: a tenth of the bits, rounded up to a multiple of
/// 8, and at least 16.
fn node_count(bits: u32) -> u32 {
    (bits / 10).next_multiple_of(8).max(16)
}

/// Encloses the integral over [0, 1], or over the piece `stretch`. Records that the pass is open if more nodes would narrow
/// the result.
///
/// Returns `None`, which leaves the integral to panels, if
///
/// * the integrand is not shown to be analytic near the interval,
/// * the interval is all of [0, 1] and the integrand has kinks,
/// * the integrand is a polynomial that panels integrate exactly,
/// * some capture is a number, there are no integrals inside, and the precision is low, so that rectangles cost too much,
/// * the precision is above `MOST_BITS`, or captures or ends are too wide for more nodes to help,
/// * the options of the pass forbid it, the algebra has Taylor generators, or the budget is too small.
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
    // A capture that is a number hints at one of many integrals, each to few bits: there rectangles would cost more than they
    // spare. If integrals are nested inside, the expansions of a panel cost even more.
    let least = if has_integrals(f.block) || !f.captures.iter().any(Jet::is_constant) {
        0
    } else if algebra.len() > 1 {
        DOUBLE_BITS
    } else {
        MIN_BITS_WITH_CAPTURES
    };
    // Panels integrate a polynomial of low degree without an error of the method.
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
    if context.precision() <= least
        || context.precision() > MAX_PRECISION_BITS
        || !is_allowed
        || !has_narrow_inputs(f, stretch)
    {
        return Ok(None);
    }
    let Some(parts) = choose_parts(f, algebra, stretch)? else { return Ok(None) };
    let bits = context.precision();
    // By symmetry only half of the nodes are computed, each in about two Newton steps. The price is paid even if the rule is
    // cached, so that the work does not depend on earlier questions.
    let price = u64::from(parts.nodes).pow(2) * budget::product_units(budget::limb_count(bits));
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

/// Returns the sum over the nodes of a part, times half of its length. Returns `None` if at some node a branch is undecided,
/// or the value is unbounded or not certainly defined.
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
        if !is_decided || !value.coefficients().flatten().all(|c| is_known(context, c)) {
            return Ok(None);
        }
        sum = jets.add(&sum, &jets.scale(value, weight));
    }
    Ok(Some(jets.scale(&sum, &half)))
}

/// Returns `true` if the captures and the ends of the piece are narrow: relative to their size by half of the precision.
///
/// Captures may also be [fine](SolverFunction::has_fine_captures), which is relative to the tolerance.
fn has_narrow_inputs<C: HookedContext>(f: &SolverFunction<C>, stretch: Option<&SmoothInterval<C::Num>>) -> bool {
    let context = f.context();
    let half = -i64::from(context.precision() / 2);
    let is_point = |c: &C::Num| context.width(c) <= context.magnitude(c).mul_exp2(half);
    let are_points = |jet: &Jet<C::Num>| jet.coefficients().flatten().all(is_point);
    let are_ends = stretch.is_none_or(|stretch| stretch.between.into_iter().all(are_points));
    are_ends && (f.has_fine_captures() || f.captures.iter().all(are_points))
}

/// A quadrature rule, with the parts of [0, 1] on which it is narrow enough.
struct AnalyticParts<N> {
    /// The number of nodes on each part.
    nodes: u32,
    /// The parts, whose order does not matter.
    parts: Vec<AnalyticPart>,
    /// The integral over the pieces beside ends at which the function is singular; 0 if there are none.
    ends: Jet<N>,
    /// The binary logarithm of the radius r of the εᵢ.
    radius: i64,
}

/// Chooses the rule and the parts of [0, 1]. Returns `None` if no ellipses show a few parts to be enough.
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
    let deepest =
        if is_cheap { MAX_HALVINGS_IN_DOUBLES } else { MAX_HALVINGS + f.context().precision() / BITS_PER_HALVING };
    let deepest = deepest + HALVINGS_PER_RAISE * f.machine.effort.times_raised();
    let found = |search: Option<EllipseSearch>, radius: i64| {
        let Some(mut search) = search else { return Ok(None) };
        let all =
            |parts: Vec<AnalyticPart>, nodes: u32| Some(AnalyticParts { nodes, parts, ends: Jet::zero(), radius });
        let few = search.split_into_parts(&half, &half, 0, deepest);
        let nodes = search.nodes;
        // The rule of twice the nodes is tried if it could spare enough parts.
        let most = few.as_ref().map_or(usize::MAX, |few| few.len() / MIN_PART_REDUCTION);
        if most > 0 && search.bits > DOUBLE_BITS && search.bits <= MAX_BITS_OF_DOUBLED_RULE {
            search.nodes = 2 * nodes;
            if let Some(parts) = search.split_into_parts(&half, &half, 0, deepest).filter(|parts| parts.len() <= most) {
                return Ok(all(parts, search.nodes));
            }
            search.nodes = nodes;
        }
        // No few parts are enough if the function is singular at an end. All of [0, 1] is then graded towards its ends.
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
            tolerance = tolerance.min(Magnitude::power_of_two(LOG2_ERROR_IN_DOUBLES));
        }
        let bits = f.context().precision();
        Some(EllipseSearch {
            complex,
            affine_map: along,
            budget: effort.budget,
            tolerance,
            bits,
            nodes: node_count(bits),
            derivative_bits: lost,
            whole: None,
        })
    };
    if algebra.len() == 1 {
        return found(within(0), 0);
    }
    // Chooses the radius with the least bound of the highest coefficient. If no ellipse around the whole interval will do,
    // as for a function that is singular at an end, the middle half decides.
    let least_on = |length: &Rational| {
        let mut best: Option<(i64, i64, EllipseSearch)> = None;
        for radius in LOG2_RADII {
            let mut search = within(radius)?;
            let Some(bound) = search.modulus_on_ellipse(&BernsteinEllipse::around(&half, length, 1)) else { continue };
            search.whole = (*length == half).then_some(bound);
            let bound = bound.floor_log2().saturating_add(search.derivative_bits);
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
    /// The end a and the length b - a of the [`SmoothInterval`]; `None` for all of [0, 1].
    affine_map: Option<[ComplexRectangle; 2]>,
    /// The budget.
    budget: &'c Budget,
    /// The width that is wanted of the integral.
    tolerance: Magnitude,
    /// The precision in bits.
    bits: u32,
    /// The number of nodes of the rule.
    nodes: u32,
    /// The number of bits by which the bound of the highest coefficient exceeds that of the value.
    derivative_bits: i64,
    /// A bound of the modulus on the ellipse with s = 1 around all of [0, 1], if it has been computed.
    whole: Option<Magnitude>,
}

impl EllipseSearch<'_> {
    /// Splits an interval of length 2⁻ᵈ, where d is `depth`, into parts on which the rule is narrow enough.
    ///
    /// Returns `None` if a part of depth `deepest` would still be too long.
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

    /// Returns a bound of the error of the rule over an interval. Returns `None` if no ellipse shows that the error is as small
    /// as is wanted.
    fn quadrature_error(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Magnitude> {
        let nodes = self.nodes;
        // 9·M times the length, a power of two. Half of the length would do: the factor 2 is a margin.
        let scaled =
            |bound: Magnitude| (bound.mul_exp2(3) + bound).mul_exp2(Magnitude::from_rational(half).floor_log2() + 1);
        // The least ellipse tells the size of the integral: the error need not be smaller than the precision allows.
        let flat = BernsteinEllipse::around(middle, half, 1);
        let log2 = |bound: Magnitude| scaled(bound).floor_log2().saturating_add(self.derivative_bits);
        let covered = self.whole.filter(|_| depth == 0).or_else(|| self.modulus_on_ellipse(&flat));
        let mut size = log2(covered?);
        if self.exceeds_precision(size) {
            size = log2(self.modulus_on(flat.rim_rectangles())?);
        }
        let least =
            if self.exceeds_precision(size) { size - i64::from(self.bits) } else { self.tolerance.floor_log2() };
        let wanted = least.saturating_sub(depth.into());
        let needed =
            |size: i64| u32::try_from(size.saturating_add(1).saturating_sub(wanted).max(0) / i64::from(nodes) + 1).ok();
        let first = needed(size)?;
        let mut s = first;
        while s <= first.saturating_add(EXTRA_EXPONENTS).min(MAX_EXPONENT) {
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

    /// Returns `true` if the precision does not allow a number below 2^`size` to be as narrow as is wanted.
    fn exceeds_precision(&self, size: i64) -> bool {
        size.saturating_sub(self.bits.into()) > self.tolerance.floor_log2()
    }

    /// Returns a bound of the modulus on an ellipse. Returns `None` if the function is not known to be analytic there.
    fn modulus_on_ellipse(&self, ellipse: &BernsteinEllipse) -> Option<Magnitude> {
        ELLIPSE_COVERS.iter().find_map(|cover| self.modulus_on(ellipse.cover_rectangles(*cover)))
    }

    /// Returns a bound of the modulus on rectangles. Returns `None` if the function is not known to be analytic on one of them.
    fn modulus_on(&self, rectangles: impl Iterator<Item = ComplexRectangle>) -> Option<Magnitude> {
        let mut largest = Magnitude::ZERO;
        for z in rectangles {
            let cost = self.complex.steps();
            if !self.budget.can_afford(cost) || !self.budget.spend(cost) {
                return None;
            }
            let z = self.affine_map.as_ref().map_or_else(|| z.clone(), |[from, way]| from.plus_product(way, &z));
            largest = largest.max(self.complex.eval_on(&z)?.modulus()?);
        }
        Some(largest)
    }
}

/// The factor by which half-axes are enlarged, to make up for the rounding of roots and cosines.
const MARGIN: f64 = 1.0 + 1e-9;
/// The cosines of πi/8, from 0 to a right angle; in reverse order they are the sines.
const COSINES: [f64; 5] = [1.0, 0.923_879_532_511_286_7, FRAC_1_SQRT_2, 0.382_683_432_365_089_8, 0.0];

/// A filled ellipse around an interval.
struct BernsteinEllipse {
    /// The middle of the interval.
    middle: <Double as Context>::Num,
    /// Half of its length.
    half: <Double as Context>::Num,
    /// The half-axes, as multiples of half of the interval, slightly enlarged.
    half_axes: [f64; 2],
}

impl BernsteinEllipse {
    /// Returns the ellipse with ρ² = 2ˢ around an interval, given by its middle and half of its length.
    fn around(middle: &Rational, half: &Rational, s: u32) -> Self {
        let rho = f64::from(1 << s).sqrt();
        let half_axes = [(rho + 1.0 / rho) / 2.0 * MARGIN, (rho - 1.0 / rho) / 2.0 * MARGIN];
        Self { middle: Double.enclose_rational(middle), half: Double.enclose_rational(half), half_axes }
    }

    /// Returns the rectangle with these ends in each direction, from the middle, as multiples of half of the interval.
    fn scaled_rectangle(&self, re: [f64; 2], im: [f64; 2]) -> ComplexRectangle {
        let scaled = |[a, b]: [f64; 2]| Double.mul(&self.half, &Double::interval_between(a, b));
        ComplexRectangle { re: Double.add(&self.middle, &scaled(re)), im: scaled(im) }
    }

    /// Covers the upper half by columns and rows of rectangles.
    fn cover_rectangles(&self, [columns, rows]: [u32; 2]) -> impl Iterator<Item = ComplexRectangle> {
        let [wide, high] = self.half_axes;
        let at = move |i: u32| wide * (2.0 * f64::from(i) / f64::from(columns) - 1.0);
        (0..columns).flat_map(move |column| {
            let [left, right] = [at(column), at(column + 1)];
            // The highest point over a column is where it is nearest to the middle.
            let nearest = if left <= 0.0 && right >= 0.0 { 0.0 } else { left.abs().min(right.abs()) };
            let top = high * (1.0 - (nearest / wide).powi(2)).max(0.0).sqrt() * MARGIN;
            let at = move |i: u32| top * f64::from(i) / f64::from(rows);
            (0..rows).map(move |row| self.scaled_rectangle([left, right], [at(row), at(row + 1)]))
        })
    }

    /// Returns the rectangles around the upper half of the rim.
    fn rim_rectangles(&self) -> impl Iterator<Item = ComplexRectangle> {
        let [wide, high] = self.half_axes;
        COSINES.windows(2).zip(COSINES.windows(2).rev()).flat_map(move |(re, im)| {
            let im = [im[1] * high, im[0] * high];
            [wide, -wide].map(|wide| self.scaled_rectangle([re[0] * wide, re[1] * wide], im))
        })
    }
}

/// The first depth of a graded mesh: the piece beside the end has the length 2⁻ᵈ for the depth d. A choice.
const FIRST_MESH_DEPTH: u32 = 5;
/// The greatest increase of the depth at a time. A choice.
const MAX_DEPTH_STEP: u32 = 24;
/// The greatest depth at 0. A choice.
const MAX_MESH_DEPTH: u32 = 400;
/// The greatest depth at 1: in doubles, numbers that are much closer to 1 cannot be told from 1.
const MAX_MESH_DEPTH_AT_1: u32 = 50;

/// The parts of a graded mesh, and the integral over the pieces beside the ends.
type GradedParts<N> = (Vec<AnalyticPart>, Jet<N>);

/// The depth of the piece beside an end, and the integral over it.
type GradedEnd<N> = (u32, Jet<N>);

impl EllipseSearch<'_> {
    /// Splits [0, 1] into parts that halve towards its ends. Returns `None` if some part or end has no bound.
    ///
    /// In doubles an integrand without integrals inside has power expansions at its ends on panels, so it is left to panels.
    ///
    /// # Errors
    /// Those of the integrand.
    fn graded_mesh<C: HookedContext>(
        &self,
        f: &SolverFunction<C>,
        algebra: &Arc<Algebra>,
    ) -> Result<Option<GradedParts<C::Num>>, SmoothError> {
        let is_dear = has_integrals(f.block) || f.context().precision() > DOUBLE_BITS;
        if !is_dear || !f.machine.effort.solver_options.kinks {
            return Ok(None);
        }
        let (mut parts, mut ends) = (Vec::new(), Jet::zero());
        for is_right in [false, true] {
            let dyadic = |numerator: u32, exponent: u32| Rational::from(numerator) >> exponent;
            let place = |t: Rational| if is_right { 1 - t } else { t };
            // A half without a singular end needs no grading.
            if let Some(half) = self.split_into_parts(&place(dyadic(1, 2)), &dyadic(1, 2), 1, MAX_HALVINGS) {
                parts.extend(half);
                continue;
            }
            // The interval from 2⁻ᵏ⁻¹ to 2⁻ᵏ.
            let mut between = |k: u32| {
                let found =
                    self.split_into_parts(&place(dyadic(3, k + 2)), &dyadic(1, k + 2), k + 1, k + 1 + MAX_HALVINGS);
                found.map(|found| parts.extend(found)).is_some()
            };
            if !(1..FIRST_MESH_DEPTH).all(&mut between) {
                return Ok(None);
            }
            let Some((depth, end)) = self.integral_near_end(f, algebra, is_right)? else { return Ok(None) };
            if !(FIRST_MESH_DEPTH..depth).all(between) {
                return Ok(None);
            }
            ends = f.jets(algebra).add(&ends, &end);
        }
        Ok(Some((parts, ends)))
    }

    /// Returns the integral over the piece beside an end, and its depth. The depth grows until the integral is narrow enough.
    ///
    /// Returns `None` if the integrand has no integrable power bound at the end, or greater depths gain too little.
    ///
    /// # Errors
    /// Those of the integrand.
    fn integral_near_end<C: HookedContext>(
        &self,
        f: &SolverFunction<C>,
        algebra: &Arc<Algebra>,
        is_right: bool,
    ) -> Result<Option<GradedEnd<C::Num>>, SmoothError> {
        let (context, jets) = (f.context(), f.jets(algebra));
        let most = if is_right { MAX_MESH_DEPTH_AT_1 } else { MAX_MESH_DEPTH };
        let (mut depth, mut before) = (FIRST_MESH_DEPTH, None);
        loop {
            let length = Rational::from(1) >> depth;
            let [end, away] = if is_right { [1, -1] } else { [0, 1] };
            let approach = OneSidedLimit {
                end: &Jet::constant(context.enclose_integer(end)),
                length: &Jet::constant(context.enclose_rational(&Rational::from(&length * away))),
                root: None,
            };
            let mean =
                f.machine.integral_at_end(f.block, algebra, &approach, f.captures, &mut BranchDecisions::default())?;
            let mean = match mean {
                EndIntegral::Value(mean) => mean,
                // A peak in the piece may hide the decay beyond it.
                EndIntegral::Unknown if depth < FIRST_MESH_DEPTH + MAX_DEPTH_STEP && before.is_none() => {
                    depth = (depth + MAX_DEPTH_STEP / 2).min(most);
                    continue;
                }
                _ => return Ok(None),
            };
            let integral = jets.scale(&mean, &context.enclose_rational(&length));
            if !integral.coefficients().flatten().all(|c| is_known(context, c)) {
                return Ok(None);
            }
            let width = integral.coefficients().flatten().map(|c| context.width(c)).max();
            let Some(width) = width.filter(|width| *width > self.tolerance.mul_exp2(-1)) else {
                return Ok(Some((depth, integral)));
            };
            // Extrapolates the depth that is needed, by a line through the last two widths.
            let width = width.floor_log2();
            let gain =
                before.map_or(1.0, |(old, at): (i64, u32)| old.saturating_sub(width) as f64 / f64::from(depth - at));
            let missing = width.saturating_sub(self.tolerance.floor_log2()).saturating_add(1).max(1) as f64;
            // Stops below a tenth of a bit for each halving: a choice.
            if gain < 0.1 || depth == most {
                return Ok(None);
            }
            before = Some((width, depth));
            depth = (depth + ((missing / gain).ceil() as u32).clamp(1, MAX_DEPTH_STEP)).min(most);
        }
    }
}

/// Returns the degree of a block as a polynomial in its parameter, the highest of its outputs. Returns `None` unless all
/// outputs are seen to be polynomials on the given sides.
#[must_use]
pub fn polynomial_degree(block: &Block, captures: usize, given: &[(BranchPoint, KinkBranch)]) -> Option<u32> {
    let given = BranchDecisions::with_forced(given.to_vec());
    let source = BlockRegisters { block, constant: &|_| None };
    let mut fold = MapFold::new(source, PolynomialDegree { given, inputs: 1 + captures });
    block.outputs.iter().try_fold(0, |highest, output| Some(highest.max(fold.value_of(output)?)))
}

/// The domain of degrees in the parameter: a value `Some(n)` stands for the polynomials of degree at most n.
struct PolynomialDegree {
    given: BranchDecisions,
    /// The number of registers before those of the instructions.
    inputs: usize,
}

impl PolynomialDegree {
    fn forced_branch(&self, at: BlockRegister) -> Option<KinkBranch> {
        self.given.forced_branch((at.0 as usize).checked_sub(self.inputs)?)
    }
}

impl AbstractDomain<BlockRegister> for PolynomialDegree {
    type Value = Option<u32>;

    fn eval_leaf(&mut self, leaf: &FoldLeaf) -> Option<u32> {
        Some(u32::from(matches!(leaf, FoldLeaf::Input(0))))
    }

    fn apply_operation(&mut self, at: &BlockRegister, operation: &FirstOrder, operands: &[Option<u32>]) -> Option<u32> {
        let branch = self.forced_branch(*at);
        match (operation, operands) {
            (FirstOrder::Unary(Unary::Negate), [x]) => *x,
            (FirstOrder::Binary(Binary::Add | Binary::Subtract), [x, y]) => Some((*x)?.max((*y)?)),
            (FirstOrder::Binary(Binary::Multiply), [x, y]) => Some((*x)?.saturating_add((*y)?)),
            (FirstOrder::Binary(Binary::Divide), [x, Some(0)]) => *x,
            (FirstOrder::Power(e), [x]) if e.denominator == 1 && e.numerator > 0 => {
                Some((*x)?.saturating_mul(u32::try_from(e.numerator).unwrap_or(u32::MAX)))
            }
            // An absolute value is a polynomial on one side of its kink, and so is a maximum: the given side tells which one.
            (FirstOrder::Unary(Unary::Abs) | FirstOrder::Binary(Binary::Maximum | Binary::Minimum), [x, ..])
                if branch.is_some() =>
            {
                match branch? {
                    KinkBranch::Left => *x,
                    KinkBranch::Right => *operands.last()?,
                    KinkBranch::Undecided => None,
                }
            }
            _ => self.eval_binder(at, operands),
        }
    }

    fn choose_branch(&mut self, guard: &BlockRegister, _: &Option<u32>) -> KinkBranch {
        self.forced_branch(*guard).unwrap_or(KinkBranch::Undecided)
    }

    fn join_branches(&mut self, _: [Option<u32>; 2]) -> Option<u32> {
        None
    }

    /// Any other operation on constants is constant.
    fn eval_binder(&mut self, _: &BlockRegister, operands: &[Option<u32>]) -> Option<u32> {
        operands.iter().all(|degree| *degree == Some(0)).then_some(0)
    }
}

/// The Gauss–Legendre rule for panels with a given order of Taylor expansion, at one precision. There is none in doubles.
#[derive(Debug)]
pub(crate) struct GaussRule<N> {
    /// The nodes in (-1, 1), with their weights.
    nodes: Vec<(N, N)>,
}

impl<N: Clone + Send + Sync> GaussRule<N> {
    /// Returns the rule that is exact for degrees up to the order, and one more if the order is even. Returns `None` in
    /// doubles, for orders below 2, or without budget.
    pub(crate) fn new<C: HookedContext<Num = N>>(f: &SolverFunction<C>, order: u32) -> Option<Self> {
        let bits = f.context().precision();
        // Doubles round at each node: their expansions at the midpoint are narrower.
        if bits <= DOUBLE_BITS || order < 2 {
            return None;
        }
        let n = order / 2 + 1;
        // The price is paid whether the rule is cached or not, so that the work does not depend on earlier questions.
        if !f.machine.effort.budget.spend(u64::from(n * n) * budget::product_units(budget::limb_count(bits))) {
            return None;
        }
        let context = f.context();
        let number = |enclosure| context.round_enclosure(enclosure);
        let nodes = legendre::gauss_legendre_nodes(n, bits)?;
        Some(Self { nodes: nodes.iter().map(|node| (number(&node.abscissa), number(&node.weight))).collect() })
    }

    /// Encloses `∫_{-1}^{1}` of each output, and returns with it the sum over the nodes, whose width no splitting narrows.
    ///
    /// The panel has the given middle and half length. `ranges` are the Taylor expansions over all of it. Returns `None` if
    /// some coefficient has no bounded remainder, or at some node a branch is undecided or a value unbounded.
    ///
    /// # Errors
    /// Those of the integrand; [`SmoothError::DisjointEnclosures`].
    pub(crate) fn integrate_by_nodes<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        frame: &TaylorExpansion,
        [middle, half]: [&Jet<N>; 2],
        ranges: &[Jet<N>],
        branches: &mut BranchDecisions,
    ) -> Result<Option<Sums<N>>, SmoothError> {
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let degree = 2 * self.nodes.len() - 1;
        let mut remainders = Vec::with_capacity(ranges.len());
        for range in ranges {
            let columns = frame.columns.iter();
            let all: Option<Vec<_>> = columns.map(|column| least_remainder(context, degree, column, range)).collect();
            let Some(all) = all else { return Ok(None) };
            remainders.push(all);
        }
        let mut sums = vec![Jet::zero(); ranges.len()];
        let places = self.nodes.iter().map(|(place, _)| jets.add(middle, &jets.scale(half, place))).collect();
        let values = f.map_places(places, None, |f, place| {
            let mut branches = BranchDecisions::with_forced(branches.forced.clone());
            let values = f.eval_outputs(frames.outer, place, &mut branches, EvalTarget::Outputs)?;
            Ok((values, branches.undecided))
        })?;
        for ((values, undecided), (_, weight)) in values.into_iter().zip(&self.nodes) {
            if !undecided.is_empty() {
                branches.undecided = undecided;
                return Ok(None);
            }
            for (sum, value) in sums.iter_mut().zip(&values) {
                *sum = jets.add(sum, &jets.scale(value, weight));
            }
        }
        let mut found = Vec::with_capacity(ranges.len());
        for ((sum, range), remainders) in sums.into_iter().zip(ranges).zip(remainders) {
            let mut enclosure = Jet::zero();
            for ((monomial, remainder), column) in remainders.into_iter().enumerate().zip(&frame.columns) {
                let over = column.first().and_then(|&index| range.get(index));
                // A coefficient that is structurally zero everywhere stays so.
                let is_zero = sum.get(monomial).is_none() && column.iter().all(|&index| range.get(index).is_none());
                if is_zero {
                    continue;
                }
                let zero = context.enclose_integer(0);
                let by_nodes = context.add(sum.get(monomial).unwrap_or(&zero), &remainder);
                let by_range = context.mul_integer(over.unwrap_or(&zero), 2);
                let both = context.intersect(&by_nodes, &by_range);
                let both = both.ok_or(SmoothError::DisjointEnclosures { construct: "the nodes of an integral" })?;
                enclosure.set(monomial, Some(both));
            }
            // The enclosure of a node may reach beyond the panel, where the integrand is unbounded. Then all of the width would
            // count as one that no splitting narrows.
            if sum.coefficients().flatten().any(|c| !context.is_bounded(c)) {
                return Ok(None);
            }
            found.push((enclosure, sum));
        }
        Ok(Some(found))
    }
}

impl<N: Clone + Send + Sync> PanelPiece<N> {
    /// Integrates a piece between kinks, or between one and an end of the interval, by [`integrate`].
    ///
    /// Splitting gains nothing more on such a panel. Returns `None` if the method does not apply to the piece.
    ///
    /// # Errors
    /// Those of the integrand.
    pub(crate) fn integrate_analytically<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Option<IntegralPanel<N>>, SmoothError> {
        // An integrand without kinks has been tried on the whole interval before.
        if self.was_tried || f.block.outputs.len() != 1 || (self.forced.is_empty() && !has_kinks(f.block)) {
            return Ok(None);
        }
        let before = f.machine.effort.budget.work_done();
        let [left, right] = &self.between;
        let stretch = SmoothInterval { between: [left, right], forced: &self.forced };
        let Some(integral) = integrate(f, frames.outer, Some(&stretch))? else { return Ok(None) };
        let context = f.context();
        let mut panel = IntegralPanel {
            piece: self.clone(),
            excess: Magnitude::ZERO,
            floor: Magnitude::ZERO,
            unbounded: Vec::new(),
            unbounded_for: 0,
            undecided: Vec::new(),
            is_steep: false,
            midpoint_kinks: Vec::new(),
            unsplittable_widths: vec![Jet::new(integral.coefficients().map(|c| c.map(|c| context.width(c))))],
            set_ends: Jet::zero(),
            is_set: false,
            diverges: false,
            estimates: vec![integral],
            work: f.machine.effort.budget.work_done().saturating_sub(before),
        };
        panel.measure_excess(context);
        Ok(Some(panel))
    }
}

/// Returns `[-1, 1]·4·2⁻ᵏ·w(C_k)` for the k from 1 to a degree for which it is least. Returns `None` if no `C_k` will do.
///
/// `C_k` is entry `column[k]` of `range`. A `C_k` will do if it is bounded, and `C_0, …, C_k` are certainly defined.
fn least_remainder<C: HookedContext>(
    context: &C,
    degree: usize,
    column: &[usize],
    range: &Jet<C::Num>,
) -> Option<C::Num> {
    let mut best: Option<(Magnitude, C::Num)> = None;
    for (k, &index) in column.iter().enumerate().take(degree + 1) {
        let zero = context.enclose_integer(0);
        let over = range.get(index).unwrap_or(&zero);
        // All lower coefficients have to be defined, up to the one that is used.
        if !context.is_defined(over) {
            break;
        }
        if k == 0 || !context.is_bounded(over) {
            continue;
        }
        let shift = u32::try_from(k).ok()?;
        let bound = context.width(over).mul_exp2(2 - i64::from(shift));
        if best.as_ref().is_none_or(|(least, _)| bound < *least) {
            // C_k - C_k is [-1, 1]·w(C_k).
            let share = context.enclose_rational(&(Rational::from(4) >> shift));
            best = Some((bound, context.mul(&context.sub(over, over), &share)));
        }
    }
    best.map(|(_, remainder)| remainder)
}
