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
//! M is found by covering the upper half of the ellipse with [rectangles](crate::smooth::machine::complex): the function commutes with
//! conjugation. That takes doubles, whatever the precision, and the nodes alone are evaluated at it. There is one rule for a precision, since
//! nodes are dearer to find than to use; an interval on which no ellipse shows it to be enough is halved.
//!
//! Where the function is singular at an end, as an integral of 1/(x + y) is, the intervals halve towards it, and the last of them has the bound of
//! how the function [goes](crate::smooth::machine::growth) beside the end (`graded`).
//!
//! Derivatives have the same nodes. Where the captures are jets, polynomials in ε₁, …, εₘ, the integrand is a function g(t, ε) of complex
//! arguments too, and its coefficient g_α of ε^α, analytic in t, is at most M·r^(-|α|) on the ellipse where |g| ≤ M for all |εᵢ| ≤ r (Cauchy).

mod graded;

use super::Function;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::number::{Double, Rational, legendre, work};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::machine::complex::{OnRectangles, Rectangle, has_integrals};
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::panel::DOUBLE_BITS;
use std::sync::Arc;

/// Of the s that a rule needs at least, so many more are tried…
const MORE_STEEP: u32 = 4;
/// …up to this one, where ρ is 256.
const STEEPEST: u32 = 16;
/// An ellipse is covered by so many columns of so many rectangles.
const FINE: [u32; 2] = [8, 2];
/// The same, where a radius is looked for.
const COARSE: [u32; 2] = [2, 1];
/// The binary logarithms of the radii that are tried.
const RADII: [i64; 7] = [1, -1, -3, -5, -8, -11, -15];
/// An interval is halved so often.
const DEEPEST: u32 = 5;
/// Beyond this precision the nodes of a rule are dear to find.
const MOST_BITS: u32 = 1200;
/// A rule of no more nodes is found in a few thousandths of a second.
const FEW_NODES: u32 = 48;
/// To prove a node of a larger one takes so many products for each node of the rule, at a precision that grows with them.
const PRODUCTS: u64 = 18;
/// An integrand that depends on more than its variable, as one inside of another, has panels up to this precision.
const WITH_CAPTURES_BITS: u32 = 256;
/// What is more than the half-axes of an ellipse, in which roots are rounded.
const MARGIN: f64 = 1.0 + 1e-9;

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

/// The integral over [0, 1], enclosed; the pass is left open where the precision, and more nodes with it, would narrow it. Nothing where the
/// integrand is not seen to be analytic near the interval, and in doubles, in which nodes round, unless it has integrals inside.
///
/// # Errors
/// Those of the integrand.
pub(super) fn integrate<C: Context>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let context = f.context();
    let effort = f.machine.effort;
    // where many integrals are asked, each to few bits, rectangles would cost more than they spare; an expansion of an integral costs more
    let least = if has_integrals(f.block) {
        0
    } else if f.captures.is_empty() || algebra.len() > 1 {
        DOUBLE_BITS
    } else {
        WITH_CAPTURES_BITS
    };
    let is_allowed = effort.shortcuts.complex && effort.shortcuts.expansions && algebra.taylor_generator_count() == 0;
    if context.precision() <= least || context.precision() > MOST_BITS || !is_allowed || !has_points(f) {
        return Ok(None);
    }
    let Some(parts) = parts(f, algebra)? else { return Ok(None) };
    let bits = context.precision();
    // the same whether the rule is known already or not
    let nodes = u64::from(rule(bits));
    let products = if rule(bits) <= FEW_NODES { 1 } else { PRODUCTS };
    let price = products * nodes * nodes * work::product(work::limbs(bits + 4 * rule(bits)));
    if !effort.budget.affords(price) || !effort.budget.spend(price) {
        return Ok(None);
    }
    let Some(nodes) = legendre::nodes(rule(bits), bits) else { return Ok(None) };
    let number = |enclosure| context.enclosure(enclosure);
    let nodes: Vec<_> = nodes.iter().map(|node| [number(&node.place), number(&node.weight)]).collect();
    let mut sum = parts.ends.clone();
    for part in &parts.parts {
        let Some(integral) = over(f, algebra, part, &nodes)? else { return Ok(None) };
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
    Ok(Some(sum))
}

/// The sum over the nodes, times half the length.
fn over<C: Context>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    part: &Part,
    nodes: &[[C::Num; 2]],
) -> Result<Option<Jet<C::Num>>, SmoothError> {
    let context = f.context();
    let jets = f.jets(algebra);
    let [middle, half] = [&part.middle, &part.half].map(|q| context.rational(q));
    let mut sum = Jet::constant(context.integer(0));
    let places = nodes.iter().map(|[place, _]| context.add(&middle, &context.mul(&half, place))).collect();
    let values = f.each(places, None, |f, place| {
        let mut branches = Branches::default();
        let value = f.at(algebra, Jet::constant(place), &mut branches, Target::Outputs)?;
        Ok((value, branches.undecided.is_empty()))
    })?;
    for ((value, is_decided), [_, weight]) in values.iter().zip(nodes) {
        if !is_decided || !value.coefficients().flatten().all(|c| context.is_bounded(c)) {
            return Ok(None);
        }
        sum = jets.add(&sum, &jets.scale(value, weight));
    }
    Ok(Some(jets.scale(&sum, &half)))
}

/// Whether captures are points, as far as half of the digits say.
fn has_points<C: Context>(f: &Function<C>) -> bool {
    let context = f.context();
    let half = -i64::from(context.precision() / 2);
    let is_point = |c: &C::Num| context.width(c) <= context.magnitude(c).shifted(half);
    f.has_fine_captures() || f.captures.iter().flat_map(Jet::coefficients).flatten().all(is_point)
}

/// Parts of [0, 1] on which the rule is narrow enough, and the binary logarithm of the radius to which directions go.
struct Parts<N> {
    parts: Vec<Part>,
    /// The integral over what is beside the ends, where the function is singular.
    ends: Jet<N>,
    radius: i64,
}

/// The parts; nothing where no ellipses show a few to be enough.
///
/// # Errors
/// Those of the integrand.
fn parts<C: Context>(f: &Function<C>, algebra: &Arc<Algebra>) -> Result<Option<Parts<C::Num>>, SmoothError> {
    let half = Rational::from((1, 2));
    let found = |search: Option<Search>, radius: i64| match search {
        Some(search) => match search.parts(&half, &half, 0, DEEPEST) {
            Some(parts) => Ok(Some(Parts { parts, ends: Jet::zero(), radius })),
            None => Ok(search.graded(f, algebra)?.map(|(parts, ends)| Parts { parts, ends, radius })),
        },
        None => Ok(None),
    };
    let within = |radius: i64| {
        let complex = f.machine.on_rectangles(f.block, f.captures, algebra, radius)?;
        let effort = f.machine.effort;
        let lost = (-radius * i64::from(algebra.height())).max(0);
        let tolerance = effort.tolerance().shifted(-3);
        Some(Search { complex, budget: effort.budget, tolerance, bits: f.context().precision(), lost })
    };
    if algebra.len() == 1 {
        return found(within(0), 0);
    }
    // the radius at which the bound of the highest coefficient is least, on all or, where it is singular at an end, on the middle
    let least_on = |length: &Rational| {
        let mut best: Option<(i64, i64)> = None;
        for radius in RADII {
            let search = within(radius)?;
            let Some(bound) = search.bound(&half, length, 1, COARSE) else { continue };
            let bound = bound.log2().saturating_add(search.lost);
            if best.is_some_and(|(_, least)| bound >= least) {
                break;
            }
            best = Some((radius, bound));
        }
        best
    };
    let best = least_on(&half).or_else(|| least_on(&Rational::from((1, 4))));
    let Some((radius, _)) = best else { return Ok(None) };
    found(within(radius), radius)
}

/// How parts are chosen.
struct Search<'c> {
    complex: OnRectangles<'c>,
    budget: &'c Budget,
    tolerance: Magnitude,
    bits: u32,
    /// By how many bits the bound of the highest coefficient is above that of the value.
    lost: i64,
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
        let nodes = rule(self.bits);
        // 9·M·(half of the length), which is a power of two
        let scale = |s: u32| {
            let bound = self.bound(middle, half, s, FINE)?;
            Some((bound.shifted(3) + bound).shifted(Magnitude::from_rational(half).log2() + 1))
        };
        // how large the integral may be, by the flattest ellipse: it need not be known better than the precision allows
        let size = scale(1)?.log2().saturating_add(self.lost);
        let wanted = self.tolerance.log2().max(size.saturating_sub(self.bits.into())).saturating_sub(depth.into());
        let needed = |size: i64| size.saturating_add(1).saturating_sub(wanted).max(0) / i64::from(nodes) + 1;
        let first = u32::try_from(needed(size)).ok()?;
        for s in first..=first.saturating_add(MORE_STEEP).min(STEEPEST) {
            let scale = scale(s)?;
            if needed(scale.log2().saturating_add(self.lost)) <= i64::from(s) {
                return Some(scale.shifted(-i64::from(s) * i64::from(nodes)));
            }
        }
        None
    }

    /// The largest modulus on the filled ellipse with ρ² = 2ˢ around an interval; nothing where the function is not known to be analytic there.
    fn bound(&self, middle: &Rational, half: &Rational, s: u32, [columns, rows]: [u32; 2]) -> Option<Magnitude> {
        let cost = self.complex.steps() * u64::from(columns * rows);
        if !self.budget.affords(cost) || !self.budget.spend(cost) {
            return None;
        }
        let rho = f64::from(1 << s).sqrt();
        let [wide, high] = [(rho + 1.0 / rho) / 2.0 * MARGIN, (rho - 1.0 / rho) / 2.0 * MARGIN];
        let double = |q: &Rational| Double.rational(q);
        let (centre, scale) = (double(middle), double(half));
        let at = |x: f64| Double.rational(&Rational::from_f64(x).unwrap_or_default());
        let between = |a: f64, b: f64| Double.hull(&at(a), &at(b));
        let mut largest = Magnitude::ZERO;
        for column in 0..columns {
            let [left, right] = [column, column + 1].map(|i| wide * (2.0 * f64::from(i) / f64::from(columns) - 1.0));
            let nearest = if left <= 0.0 && right >= 0.0 { 0.0 } else { left.abs().min(right.abs()) };
            let top = high * (1.0 - (nearest / wide).powi(2)).max(0.0).sqrt() * MARGIN;
            for row in 0..rows {
                let [from, to] = [row, row + 1].map(|i| top * f64::from(i) / f64::from(rows));
                let z = Rectangle {
                    re: Double.add(&centre, &Double.mul(&scale, &between(left, right))),
                    im: Double.mul(&scale, &between(from, to)),
                };
                largest = largest.max(self.complex.at(&z)?.modulus()?);
            }
        }
        Some(largest)
    }
}
