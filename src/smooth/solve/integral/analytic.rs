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
/// An ellipse is covered by so many columns of rectangles…
const COLUMNS: u32 = 8;
/// …of so many rows.
const ROWS: u32 = 2;
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

/// The integral over [0, 1] of a function of numbers, enclosed, with the part of its width that more nodes do not narrow. Nothing where it is
/// not seen to be analytic near the interval, and in doubles, in which nodes round, unless it has integrals inside.
///
/// # Errors
/// Those of the integrand.
pub(super) fn integrate<C: Context>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
) -> Result<Option<(C::Num, Magnitude)>, SmoothError> {
    let context = f.context();
    let effort = f.machine.effort;
    // where many integrals are asked, each to few bits, rectangles would cost more than they spare; an expansion of an integral costs more
    let least = match f.captures.is_empty() {
        _ if has_integrals(f.block) => 0,
        true => DOUBLE_BITS,
        false => WITH_CAPTURES_BITS,
    };
    let is_allowed = effort.shortcuts.complex && effort.shortcuts.expansions;
    if context.precision() <= least || context.precision() > MOST_BITS || !is_allowed || !f.has_fine_captures() {
        return Ok(None);
    }
    let Some(complex) = f.machine.on_rectangles(f.block, f.captures) else { return Ok(None) };
    let (bits, half) = (context.precision(), Rational::from((1, 2)));
    let search = Search { complex: &complex, budget: effort.budget, tolerance: effort.tolerance().shifted(-3), bits };
    let Some(parts) = search.parts(&half, &half, 0) else { return Ok(None) };
    let Some(bound) = parts.iter().fold(Magnitude::ZERO, |sum, part| sum + part.error).to_rational() else {
        return Ok(None);
    };
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
    let mut sum = context.integer(0);
    for part in &parts {
        let Some(integral) = over(f, algebra, part, &nodes)? else { return Ok(None) };
        sum = context.add(&sum, &integral);
    }
    let (bound, floor) = (context.rational(&bound), context.width(&sum));
    let around = context.hull(&context.neg(&bound), &bound);
    Ok(Some((context.add(&sum, &around), floor)))
}

/// The sum over the nodes, times half the length.
fn over<C: Context>(
    f: &Function<C>,
    algebra: &Arc<Algebra>,
    part: &Part,
    nodes: &[[C::Num; 2]],
) -> Result<Option<C::Num>, SmoothError> {
    let context = f.context();
    let [middle, half] = [&part.middle, &part.half].map(|q| context.rational(q));
    let mut sum = context.integer(0);
    let mut branches = Branches::default();
    for [place, weight] in nodes {
        let place = context.add(&middle, &context.mul(&half, place));
        let value = f.at(algebra, Jet::constant(place), &mut branches, Target::Outputs)?;
        let Some(value) = value.number().filter(|value| context.is_bounded(value)) else { return Ok(None) };
        sum = context.add(&sum, &context.mul(value, weight));
    }
    Ok(branches.undecided.is_empty().then(|| context.mul(&half, &sum)))
}

/// How parts are chosen.
struct Search<'c, 'b> {
    complex: &'c OnRectangles<'b>,
    budget: &'c Budget,
    tolerance: Magnitude,
    bits: u32,
}

impl Search<'_, '_> {
    /// Parts of an interval on which the rule is narrow enough.
    fn parts(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Vec<Part>> {
        if let Some(error) = self.error(middle, half, depth) {
            return Some(vec![Part { middle: middle.clone(), half: half.clone(), error }]);
        }
        if depth == DEEPEST {
            return None;
        }
        let quarter = Rational::from(half / 2);
        let mut parts = self.parts(&Rational::from(middle - &quarter), &quarter, depth + 1)?;
        parts.extend(self.parts(&Rational::from(middle + &quarter), &quarter, depth + 1)?);
        Some(parts)
    }

    /// The error of the rule over an interval, where an ellipse shows it to be as small as is wanted.
    fn error(&self, middle: &Rational, half: &Rational, depth: u32) -> Option<Magnitude> {
        let nodes = rule(self.bits);
        // 9·M·(half of the length), which is a power of two
        let scale = |s: u32| {
            let bound = self.bound(middle, half, s)?;
            Some((bound.shifted(3) + bound).shifted(Magnitude::from_rational(half).log2() + 1))
        };
        // how large the integral may be, by the flattest ellipse: it need not be known better than the precision allows
        let size = scale(1)?.log2();
        let wanted = self.tolerance.log2().max(size.saturating_sub(self.bits.into())).saturating_sub(depth.into());
        let needed = |size: i64| size.saturating_add(1).saturating_sub(wanted).max(0) / i64::from(nodes) + 1;
        let first = u32::try_from(needed(size)).ok()?;
        for s in first..=first.saturating_add(MORE_STEEP).min(STEEPEST) {
            let scale = scale(s)?;
            if needed(scale.log2()) <= i64::from(s) {
                return Some(scale.shifted(-i64::from(s) * i64::from(nodes)));
            }
        }
        None
    }

    /// The largest modulus on the filled ellipse with ρ² = 2ˢ around an interval; nothing where the function is not known to be analytic there.
    fn bound(&self, middle: &Rational, half: &Rational, s: u32) -> Option<Magnitude> {
        let cost = self.complex.steps() * u64::from(COLUMNS * ROWS);
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
