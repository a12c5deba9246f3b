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
//! conjugation. That takes doubles, whatever the precision, and the nodes alone are evaluated at it. An interval on which no ellipse has a bound, or
//! only flat ones have, is halved once; what asks for more has panels.

use super::Function;
use crate::number::context::Context;
use crate::number::magnitude::Magnitude;
use crate::number::{Double, Rational, legendre, work};
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::jet::Jet;
use crate::smooth::machine::complex::{OnRectangles, Rectangle};
use crate::smooth::machine::{Branches, Target};
use crate::smooth::solve::panel::DOUBLE_BITS;
use std::sync::Arc;

/// The s that are tried: ρ is from √2 to 23.
const STEEPNESS: std::ops::RangeInclusive<u32> = 1..=9;
/// An ellipse is covered by so many columns of rectangles…
const COLUMNS: u32 = 8;
/// …of so many rows.
const ROWS: u32 = 2;
/// An interval is halved so often: rules of many sizes would take longer to make than panels do.
const DEEPEST: u32 = 1;
/// The most nodes of a rule.
const MOST_NODES: u32 = 256;
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

/// A part of the interval, with the number of nodes and the error of its integral.
struct Part {
    middle: Rational,
    half: Rational,
    nodes: u32,
    error: Magnitude,
}

/// The integral over [0, 1] of a function of numbers, enclosed, with the part of its width that more nodes do not narrow. Nothing where it is
/// not seen to be analytic near the interval, and in doubles, in which nodes round.
///
/// # Errors
/// Those of the integrand.
pub(super) fn integrate<C: Context>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
) -> Result<Option<(C::Num, Magnitude)>, SmoothError> {
    let context = f.context();
    let effort = f.machine.effort;
    // where many integrals are asked, each to few bits, rectangles would cost more than they spare
    let least = if f.captures.is_empty() { DOUBLE_BITS } else { WITH_CAPTURES_BITS };
    let is_allowed = effort.shortcuts.complex && effort.shortcuts.expansions;
    if context.precision() <= least || context.precision() > MOST_BITS || !is_allowed || !f.has_fine_captures() {
        return Ok(None);
    }
    let Some(complex) = f.machine.on_rectangles(f.block, f.captures) else { return Ok(None) };
    let half = Rational::from((1, 2));
    let search = Search { complex: &complex, tolerance: effort.tolerance().shifted(-3), bits: context.precision() };
    // of the interval and its halves, each ellipse with every rectangle
    let cost = complex.steps() * u64::from(COLUMNS * ROWS * STEEPNESS.end() * 3);
    if !effort.budget.spend(cost) {
        return Ok(None);
    }
    let Some(parts) = search.parts(&half, &half, 0) else { return Ok(None) };
    let mut sum = context.integer(0);
    let mut error = Magnitude::ZERO;
    for part in &parts {
        let Some(integral) = over(f, algebra, part)? else { return Ok(None) };
        sum = context.add(&sum, &integral);
        error = error + part.error;
    }
    let (Some(bound), floor) = (error.to_rational(), context.width(&sum)) else { return Ok(None) };
    let bound = context.rational(&bound);
    let around = context.hull(&context.neg(&bound), &bound);
    Ok(Some((context.add(&sum, &around), floor)))
}

/// The sum over the nodes, times half the length.
fn over<C: Context>(f: &Function<C>, algebra: &Arc<Algebra>, part: &Part) -> Result<Option<C::Num>, SmoothError> {
    let (context, bits) = (f.context(), f.context().precision());
    let products = if part.nodes <= FEW_NODES { 1 } else { PRODUCTS };
    let price = products * u64::from(part.nodes * part.nodes) * work::product(work::limbs(bits + 4 * part.nodes));
    if !f.machine.effort.budget.spend(price) {
        return Ok(None);
    }
    let Some(nodes) = legendre::nodes(part.nodes, bits) else { return Ok(None) };
    let [middle, half] = [&part.middle, &part.half].map(|q| context.rational(q));
    let mut sum = context.integer(0);
    let mut branches = Branches::default();
    for node in nodes.iter() {
        let place = context.add(&middle, &context.mul(&half, &context.enclosure(&node.place)));
        let value = f.at(algebra, Jet::constant(place), &mut branches, Target::Outputs)?;
        let Some(value) = value.number().filter(|value| context.is_bounded(value)) else { return Ok(None) };
        sum = context.add(&sum, &context.mul(value, &context.enclosure(&node.weight)));
    }
    Ok(branches.undecided.is_empty().then(|| context.mul(&half, &sum)))
}

/// How parts are chosen.
struct Search<'c, 'b> {
    complex: &'c OnRectangles<'b>,
    tolerance: Magnitude,
    bits: u32,
}

impl Search<'_, '_> {
    /// Parts of an interval with rules that are narrow enough together.
    fn parts(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Vec<Part>> {
        let whole = self.part(middle, half, depth);
        // what a rule of a usual ellipse needs
        let few = 16 + self.bits / 5;
        let is_enough = whole.as_ref().is_some_and(|part| part.nodes <= few);
        if depth == DEEPEST || is_enough {
            return whole.filter(|_| is_enough).map(|part| vec![part]);
        }
        let quarter = Rational::from(half / 2);
        let halves = [Rational::from(middle - &quarter), Rational::from(middle + &quarter)];
        let halves = halves.iter().map(|middle| self.parts(middle, &quarter, depth + 1)).collect::<Option<Vec<_>>>();
        let halves: Option<Vec<Part>> = halves.map(|halves| halves.into_iter().flatten().collect());
        let nodes = |parts: &[Part]| parts.iter().map(|part| part.nodes).sum::<u32>();
        match (whole, halves) {
            (Some(whole), Some(halves)) if whole.nodes <= nodes(&halves) => Some(vec![whole]),
            (_, halves) => halves,
        }
    }

    /// The rule of fewest nodes over an interval.
    fn part(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Part> {
        let mut best: Option<Part> = None;
        // how large the integral may be, by the flattest ellipse
        let mut size = None;
        for s in STEEPNESS {
            let Some(bound) = self.bound(middle, half, s) else { break };
            // 9·M·(half of the length)
            let scale = bound.shifted(3) + bound;
            let scale = scale.shifted(Magnitude::from_rational(half).log2() + 1);
            // no better than the precision, and as its share of the whole
            let rounding = size.get_or_insert(scale.log2()).saturating_sub(self.bits.into());
            let wanted = self.tolerance.log2().max(rounding).saturating_sub(depth.into());
            let exponent = scale.log2().saturating_add(1).saturating_sub(wanted).max(i64::from(2 * s));
            let Ok(exponent) = u32::try_from(exponent) else { continue };
            let nodes = rounded(exponent.div_ceil(s).clamp(2, MOST_NODES + 1));
            if nodes <= MOST_NODES && best.as_ref().is_none_or(|best| nodes < best.nodes) {
                let error = scale.shifted(-i64::from(s) * i64::from(nodes));
                best = Some(Part { middle: middle.clone(), half: half.clone(), nodes, error });
            }
        }
        best
    }

    /// The largest modulus on the filled ellipse with ρ² = 2ˢ around an interval; nothing where the function is not known to be analytic there.
    fn bound(&self, middle: &Rational, half: &Rational, s: u32) -> Option<Magnitude> {
        let rho = f64::from(1 << s).sqrt();
        let [wide, high] = [(rho + 1.0 / rho) / 2.0 * MARGIN, (rho - 1.0 / rho) / 2.0 * MARGIN];
        let double = |q: &Rational| Double.rational(q);
        let (centre, scale) = (double(middle), double(half));
        let at = |x: f64| Double.rational(&Rational::from_f64(x).unwrap_or_default());
        let between = |a: f64, b: f64| Double.hull(&at(a), &at(b));
        let mut largest = Magnitude::ZERO;
        for column in 0..COLUMNS {
            let [left, right] = [column, column + 1].map(|i| wide * (2.0 * f64::from(i) / f64::from(COLUMNS) - 1.0));
            let nearest = if left <= 0.0 && right >= 0.0 { 0.0 } else { left.abs().min(right.abs()) };
            let top = high * (1.0 - (nearest / wide).powi(2)).max(0.0).sqrt() * MARGIN;
            for row in 0..ROWS {
                let [from, to] = [row, row + 1].map(|i| top * f64::from(i) / f64::from(ROWS));
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

/// A number of nodes that is not much larger, so that rules are few.
fn rounded(nodes: u32) -> u32 {
    match nodes {
        ..=16 => nodes,
        17..=64 => nodes.next_multiple_of(4),
        _ => nodes.next_multiple_of(16),
    }
}
