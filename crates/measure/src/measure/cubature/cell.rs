//! Bounds of the integral over one box.
//!
//! Let a box have centre c and radii r. Take the Taylor coefficients of the integrand of degree below p at c, and those
//! of degree p on all of the box. Then the mean over the box lies in
//!
//! Σ_{|α| < p, α even} g_α(c) Π rᵢ^αᵢ/(αᵢ + 1) + Σ_{|α| = p} g_α(box) · mean of (x - c)^α,
//!
//! where an odd power has the mean 0, so that only the radius of its coefficient counts. A guard lies between two
//! half-spaces: it is affine up to its second coefficients on the box.

use super::RestrictedIntegrand;
use super::half_space::MOST_AXES;
use super::line::{AffineApproximation, linear_monomial, max_abs, rough_middle};
use crate::measure::hooks::MeasureHooks;
use crate::number::context::Context;
use crate::number::effort::PassOptions;
use crate::number::{Double, Interval};
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::graph::Graph;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;
use std::sync::Arc;

type CellNumber = Interval<f64>;

/// The highest degree of a Taylor polynomial. A choice: the number of coefficients grows quickly with the axes.
pub const MAX_TAYLOR_DEGREE: u32 = 8;

/// A box, with the decisions that hold on all of it.
#[derive(Clone, Debug)]
pub struct BoxRegion {
    /// The endpoints along each axis.
    pub ends: Vec<[f64; 2]>,
    /// The decisions known to hold on the box, as a set of bits.
    pub decided_bits: u64,
    /// The degree of the Taylor polynomial of the integrand.
    pub degree: u32,
}

/// The contribution of a box.
#[derive(Clone, Debug)]
pub struct BoxContribution {
    /// The integral over the part of the box where all decisions hold.
    pub value: CellNumber,
    /// The axis to divide next.
    pub axis: usize,
    /// `true` if no boundary crosses the box.
    pub is_smooth: bool,
}

/// The compiled integrand and guards.
pub struct CompiledIntegrand<'e> {
    /// The replaceable rules.
    hooks: &'static dyn MeasureHooks,
    /// The evaluator of the integrand.
    integrand: JetEvaluator<'e, Double>,
    /// The program of the integrand.
    own: CompiledMap,
    /// The evaluator of the guards.
    guards: JetEvaluator<'e, Double>,
    /// The program of the guards.
    all: CompiledMap,
    /// The decisions, in the order of the guards.
    decided: &'e [GuardCondition],
    /// The algebras of Taylor polynomials of degrees 0, 2, ….
    algebras: Vec<Arc<Algebra>>,
    /// The algebra of degree 1.
    first: Arc<Algebra>,
    /// The algebra of degree 0.
    real: Arc<Algebra>,
}

const DOUBLE: Double = Double;

/// Returns the algebra of Taylor polynomials in several variables, or `None` if it is too large.
fn taylor_algebra(axes: usize, degree: u32) -> Option<Arc<Algebra>> {
    (0..axes).try_fold(Algebra::real(), |algebra, _| algebra.adjoin(AlgebraGenerator::Taylor(degree)))
}

impl<'e> CompiledIntegrand<'e> {
    /// Compiles an integrand and guards. Returns `None` if they contain other variables, or if there are too many.
    pub fn new(of: RestrictedIntegrand<'e>, effort: &'e PassOptions<'e>) -> Option<Self> {
        let RestrictedIntegrand { hooks, variables, map, decided } = of;
        let real = Algebra::real();
        let (own, unbound) = CompiledMap::compile_open(variables, std::slice::from_ref(map));
        let graphs: Vec<Graph> = decided.iter().map(|decided| decided.guard.graph.clone()).collect();
        let (all, others) = CompiledMap::compile_open(variables, &graphs);
        // the decisions of a box are the bits of a `u64`
        if !unbound.is_empty() || !others.is_empty() || decided.len() > 64 || variables.len() > MOST_AXES {
            return None;
        }
        let axes = variables.len();
        let mut algebras = vec![real.clone()];
        for degree in (2..=MAX_TAYLOR_DEGREE).step_by(2) {
            // a choice: beyond 200 coefficients divisions are cheaper than higher degrees
            match taylor_algebra(axes, degree).filter(|algebra| algebra.len() <= 200) {
                Some(algebra) => algebras.push(algebra),
                None => break,
            }
        }
        let [integrand, guards] = [&own, &all].map(|program| JetEvaluator::new(&DOUBLE, effort, &real, program));
        (algebras.len() > 1).then_some(Self {
            hooks,
            integrand,
            own,
            guards,
            all,
            decided,
            algebras,
            first: taylor_algebra(axes, 1)?,
            real,
        })
    }

    /// Returns the highest degree of a polynomial.
    pub fn max_degree(&self) -> u32 {
        2 * (self.algebras.len() as u32 - 1)
    }

    /// Evaluates the guards, or the integrand, with the coordinates as variables of the algebra. Returns `None` on
    /// errors.
    fn evaluate_jets(&self, guards: bool, algebra: &Arc<Algebra>, at: &[CellNumber]) -> Option<Vec<Jet<CellNumber>>> {
        let (machine, program) = if guards { (&self.guards, &self.all) } else { (&self.integrand, &self.own) };
        let one = DOUBLE.enclose_integer(1);
        let input = |(axis, x): (usize, &CellNumber)| {
            let mut jet = Jet::constant(*x);
            if algebra.len() > 1 {
                jet.set(linear_monomial(algebra, axis), Some(one));
            }
            jet
        };
        let inputs: Vec<Jet<CellNumber>> = at.iter().enumerate().map(input).collect();
        machine
            .eval_block(&program.root, algebra, &inputs, &[], &mut BranchDecisions::default(), EvalTarget::Outputs)
            .ok()
    }

    /// Bounds the contribution of a box, and records the decisions found to hold on all of it. Returns `None` if a
    /// decision fails on all of it.
    pub fn bound_box(&self, place: &mut BoxRegion) -> Option<BoxContribution> {
        let c = DOUBLE;
        let whole: Vec<CellNumber> =
            place.ends.iter().map(|[a, b]| c.hull(&Interval::point(*a), &Interval::point(*b))).collect();
        let centre: Vec<CellNumber> = place.ends.iter().map(|[a, b]| Interval::point(a + (b - a) / 2.0)).collect();
        let radii: Vec<f64> = place.ends.iter().map(|[a, b]| (b - a) / 2.0).collect();
        let volume = place
            .ends
            .iter()
            .fold(c.enclose_integer(1), |v, [a, b]| c.mul(&v, &c.sub(&Interval::point(*b), &Interval::point(*a))));
        let unknown = |axis| BoxContribution { value: c.bottom(), axis, is_smooth: false };
        // without a better criterion the longest axis
        let widest = best_axis(&radii, &radii);
        let mut open = Vec::new();
        // decisions that hold on the parent hold on the box: only the others are evaluated
        if (0..self.decided.len()).any(|i| place.decided_bits >> i & 1 == 0) {
            let runs =
                (self.evaluate_jets(true, &self.algebras[1], &whole), self.evaluate_jets(true, &self.first, &centre));
            let (Some(on_box), Some(at_centre)) = runs else { return Some(unknown(widest)) };
            let before = place.decided_bits;
            for (i, decided) in self.decided.iter().enumerate().filter(|(i, _)| before >> i & 1 == 0) {
                let line = AffineApproximation::new(&self.algebras[1], &self.first, &on_box[i], &at_centre[i], &radii);
                match line.decide_guard(decided) {
                    Some(true) => place.decided_bits |= 1 << i,
                    Some(false) => return None,
                    // only the wrong rule of a mutant ignores a boundary
                    None if self.hooks.counts_whole_boxes() => {}
                    None => open.push((i, line)),
                }
            }
        }
        match &open[..] {
            [] => {
                let Some(mean) = self.mean_without_boundary(place, &whole, &centre, &radii) else {
                    return Some(unknown(widest));
                };
                Some(BoxContribution { value: c.mul(&mean.0, &volume), axis: mean.1, is_smooth: true })
            }
            // g = 0 is no half-space
            [(i, line)] if self.decided[*i].guard.test != SignTest::Zero => {
                let Some(mean) = self.mean_with_boundary(&self.decided[*i], line, &whole, &centre, &radii) else {
                    return Some(unknown(widest));
                };
                Some(BoxContribution { value: c.mul(&mean.0, &volume), axis: mean.1, is_smooth: false })
            }
            // several boundaries: the integrand counts on an unknown part of the box
            [..] => {
                let found = self.evaluate_jets(false, &self.real, &whole).and_then(|found| found[0].get(0).copied());
                let value = found.map_or_else(
                    || c.enclose_integer(0),
                    |value| c.mul(&c.hull(&c.enclose_integer(0), &value), &volume),
                );
                Some(BoxContribution {
                    value: if value.is_defined() { value } else { c.bottom() },
                    axis: widest,
                    is_smooth: false,
                })
            }
        }
    }

    /// Encloses the mean over a box without boundaries. Returns it with the axis to divide. Returns `None` if the
    /// integrand is not shown to be defined.
    fn mean_without_boundary(
        &self,
        place: &BoxRegion,
        whole: &[CellNumber],
        centre: &[CellNumber],
        radii: &[f64],
    ) -> Option<(CellNumber, usize)> {
        let c = DOUBLE;
        let degree = place.degree.min(self.max_degree());
        let [high, low] = [degree / 2, degree / 2 - 1].map(|i| &self.algebras[i as usize]);
        let on_box = self.evaluate_jets(false, high, whole)?.swap_remove(0);
        let at_centre = self.evaluate_jets(false, low, centre)?.swap_remove(0);
        let range = on_box.get(0).copied().unwrap_or_else(|| c.enclose_integer(0));
        if !range.is_defined() {
            return None;
        }
        let mut mean = c.enclose_integer(0);
        for m in 0..low.len() {
            let Some(coefficient) = at_centre.get(m) else { continue };
            let exponents = low.exponents(m);
            // an odd power of a coordinate has the mean 0
            if exponents.iter().all(|e| e % 2 == 0) {
                mean = c.add(&mean, &c.mul(coefficient, &absolute_moment(exponents, radii)));
            }
        }
        let mut gains = vec![0.0; radii.len()];
        for m in 0..high.len() {
            if high.degree(m) != degree {
                continue;
            }
            let Some(coefficient) = on_box.get(m) else { continue };
            let exponents = high.exponents(m);
            let moment = absolute_moment(exponents, radii);
            // odd: the mean of the power is 0, so that the middle of the coefficient does not count
            let part = match exponents.iter().all(|e| e % 2 == 0) {
                true => c.mul(coefficient, &moment),
                false => c.mul(&around_zero(upper_radius(coefficient)), &moment),
            };
            // the blame for the width is shared by the axes of the power
            mean = c.add(&mean, &part);
            let own = rough_width(&part);
            exponents.iter().zip(&mut gains).for_each(|(e, gain)| *gain += own * f64::from(*e));
        }
        // the mean also lies in the range
        let found =
            if mean.is_defined() && !mean.lo().is_nan() { c.intersect(&mean, &range).unwrap_or(range) } else { range };
        let found = c.mark_defined(found);
        // infinite or zero widths rank no axis
        let is_known = gains.iter().all(|gain| gain.is_finite()) && gains.iter().any(|gain| *gain > 0.0);
        let scores = if is_known { &gains[..] } else { radii };
        Some((found, best_axis(scores, radii)))
    }

    /// Encloses the mean over a box crossed by one boundary: of the integrand on its side, 0 on the other. Returns it
    /// with the axis to divide.
    fn mean_with_boundary(
        &self,
        decided: &GuardCondition,
        line: &AffineApproximation,
        whole: &[CellNumber],
        centre: &[CellNumber],
        radii: &[f64],
    ) -> Option<(CellNumber, usize)> {
        let c = DOUBLE;
        let on_box = self.evaluate_jets(false, &self.algebras[1], whole)?.swap_remove(0);
        let at_centre = self.evaluate_jets(false, &self.first, centre)?.swap_remove(0);
        let range = on_box.get(0).copied().unwrap_or_else(|| c.enclose_integer(0));
        if !range.is_defined() {
            return None;
        }
        // the mean of a part of the values and zeros
        let plain = c.hull(&c.enclose_integer(0), &range);
        let own = AffineApproximation::new(&self.algebras[1], &self.first, &on_box, &at_centre, radii);
        let turned = if decided.holds { line.clone() } else { line.negated() };
        let axis = best_axis(&turned.axis_scores(max_abs(&range), &own.axis_errors), radii);
        let Some([inner, middle, outer]) = turned.half_space_parts() else { return Some((plain, axis)) };
        // the affine part on the middle half-space, its remainder there, and the whole integrand on the band
        let mut mean = c.mul(&own.middle, &middle.volume);
        for (slope, moment) in own.slopes.iter().zip(&middle.moments) {
            mean = c.add(&mean, &c.mul(slope, moment));
        }
        let rest = c.mul(&own.remainder, &middle.volume);
        let band = c.sub(&outer.volume, &inner.volume);
        // the band's volume cannot be negative: a lower end below 0 is rounding
        let band = c.hull(&c.enclose_integer(0), &Interval::point(band.hi().max(0.0)));
        let error = c.mul(&c.hull(&c.neg(&range), &range), &band);
        mean = c.add(&c.add(&mean, &rest), &error);
        let is_number = mean.is_defined() && !mean.lo().is_nan();
        let found = if is_number { c.intersect(&mean, &plain).unwrap_or(plain) } else { plain };
        Some((c.mark_defined(found), axis))
    }
}

/// Returns the axis with the greatest score, with a bonus for long axes. In a product of two coordinates both have the
/// same score.
fn best_axis(scores: &[f64], radii: &[f64]) -> usize {
    let longest = radii.iter().fold(f64::MIN_POSITIVE, |most: f64, r| most.max(*r));
    let score = |i: usize| scores[i] * (1.0 + radii[i] / longest);
    (0..scores.len()).fold(0, |best, i| if score(i) > score(best) { i } else { best })
}

/// Encloses the mean of |(x - c)^α| over a box: Π rᵢ^αᵢ/(αᵢ + 1).
fn absolute_moment(exponents: &[u32], radii: &[f64]) -> CellNumber {
    let c = DOUBLE;
    exponents.iter().zip(radii).fold(c.enclose_integer(1), |product, (e, r)| {
        c.mul(&product, &c.div_integer(&c.power(&Interval::point(*r), *e), u64::from(*e) + 1))
    })
}

/// Returns an upper bound on half of the width.
fn upper_radius(x: &CellNumber) -> f64 {
    let m = rough_middle(x);
    let [above, below] =
        [(*x.hi(), m), (m, *x.lo())].map(|(a, b)| *DOUBLE.sub(&Interval::point(a), &Interval::point(b)).hi());
    if m.is_finite() { above.max(below) } else { f64::INFINITY }
}

/// Returns the interval [-r, r], or ⊥ if r is infinite.
fn around_zero(r: f64) -> CellNumber {
    match r.is_finite() {
        true => DOUBLE.hull(&Interval::point(-r), &Interval::point(r)),
        false => DOUBLE.bottom(),
    }
}

/// Returns the width, up to rounding; infinite for ⊥.
pub fn rough_width(x: &CellNumber) -> f64 {
    if x.is_defined() { x.hi() - x.lo() } else { f64::INFINITY }
}
