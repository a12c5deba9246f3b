//! Integrals over boxes in all coordinates jointly, of maps restricted to the set where all decisions hold.
//!
//! | box | contribution |
//! |---|---|
//! | all decisions hold on it | a Taylor polynomial, with increasing degree as long as that helps |
//! | a decision fails on all of it | 0 |
//! | one boundary crosses it | the volume of a half-space in the box, with an error from the band around the boundary |
//! | several boundaries cross it | between 0 and volume times range |
//!
//! The box with the widest contribution is divided next, along the axis with the greatest influence on the width. The
//! sum is recomputed at the end, since a running total would lose small contributions.
//!
//! If there are many boxes, a fixed part of them is divided in parallel. Which boxes these are does not depend on the
//! number of cores, and neither does the answer. The endpoints of boxes are short dyadic numbers, so that centres and
//! widths are exact.
//!
//! The design is branch and bound with linear relaxations. With boxes of side h there are h^(1-d) at a boundary, each
//! with an error of at most h^(d+1).
//!
//! # Bounds of the integral over one box
//!
//! Let a box have centre c and radii r. Take the Taylor coefficients of the integrand of degree below p at c, and those
//! of degree p on all of the box. Then the mean over the box lies in
//!
//! Σ_{|α| < p, α even} g_α(c) Π rᵢ^αᵢ/(αᵢ + 1) + Σ_{|α| = p} g_α(box) · mean of (x - c)^α,
//!
//! where an odd power has the mean 0, so that only the radius of its coefficient counts. A guard lies between two
//! half-spaces: it is affine up to its second coefficients on the box.
//!
//! # The part of a cube in a half-space
//!
//! Its volume and first moments, in closed form.
//!
//! With Gₙ(u) = max(0, u)ⁿ/n!, and sums over the corners s of [-1, 1]ᵈ,
//!
//! ∫ 1[a·t + b > 0] dt = Σ Π sᵢ · G_d(b + a·s) / Π aᵢ
//!
//! ∫ t_k 1[a·t + b > 0] dt = (Σ Π_{i≠k} sᵢ · G_d(b + a·s) - Σ Π sᵢ · G_{d+1}(b + a·s) / a_k) / Π aᵢ
//!
//! by integration along one axis after the other. The sums cost 2ᵈ terms.
//!
//! # Affine approximations of maps on a box
//!
//! Affine approximations of maps on a box, and the half-spaces in which these are positive.
//!
//! # Joint integrals over boxes
//!
//! Joint integrals over boxes, in standardised coordinates, and bounds of the rest outside of a box.
//!
//! A draw is written as a map of a draw whose distribution has no parameters, such as `m + s·z`, so that points far
//! from 0 are rare whatever the earlier draws are. Outside of a box, by the Cauchy-Schwarz inequality,
//!
//! `E |F| 1[outside] ≤ √(E F² · P(outside))`,
//!
//! with the bound of E F² by moments. If F is bounded, the bound is that of F times P(outside).
//!
//! The probability of large standard draws is a fact of their [family](super::distribution). If it is unknown,
//! P(|x| > R) ≤ E |x|ᵏ/Rᵏ (Markov's inequality).

use super::distribution::Distribution;
use super::draws::{ExecutionPath, Parameter, TraceCoordinate};
use super::hooks::MeasureHooks;
use super::majorant::max_abs_of;
use super::moment::bound_contribution;
use super::range::enclose_range;
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::tuning::Tuning;
use crate::number::{Double, Enclosure, Interval, Magnitude, Rational};
use crate::parallel::{available_threads, par_map};
use crate::pieces::{GuardCondition, SignGuard, SignTest};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;
use crate::smooth::solve::subdivide::{
    End, OpenPieces, PieceBound, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use crate::value::SourceId;
use std::convert::Infallible;
use std::sync::Arc;

/// The least width of a box to divide, which keeps endpoints exact. A choice.
const LEAST_BOX_WIDTH: f64 = 1.0 / (1u64 << 40) as f64;
/// The factor by which a higher degree must reduce the error. A choice: otherwise a division is cheaper.
const DEGREE_GAIN: f64 = 0.2;
/// The degree of the polynomial for the first box. A choice.
const FIRST_DEGREE: u32 = 2;
/// The accuracy of solvers in the maps, as a power of two. A choice.
const SOLVER_ACCURACY_LOG2: i64 = -20;
/// The reciprocal of the part of the boxes that are divided together. A choice: large batches divide boxes that need not be
/// divided.
const PARALLEL_FRACTION: usize = 8;
/// The number of divisions between two sums. A choice: summing all boxes takes time, and running totals drift.
const BETWEEN_SUMS: usize = 4096;
/// The number of divisions between two sums while the sum is infinite, which makes the running total useless. A choice.
const BETWEEN_INFINITE_SUMS: usize = 64;

/// A box with its contribution.
struct BoxBound {
    /// The box and the degree of its polynomial.
    region: BoxRegion,
    /// The contribution.
    contribution: BoxContribution,
    /// The width of the contribution.
    error: f64,
    /// `true` if a higher degree did not help.
    is_high: bool,
}

/// A map of variables, restricted to the set where all decisions hold.
#[derive(Clone, Copy, Debug)]
pub struct RestrictedIntegrand<'a> {
    /// The replaceable rules, for mutation testing.
    pub hooks: &'static dyn MeasureHooks,
    /// The variables.
    pub variables: &'a [Variable],
    /// The map.
    pub map: &'a Graph,
    /// The decisions.
    pub decided: &'a [GuardCondition],
}

/// Encloses the integral over a box with integer endpoints, to a width or as far as the budget goes, on `threads`
/// threads. Returns `None` if the maps contain other variables.
#[must_use]
pub fn integrate_over_box(
    of: RestrictedIntegrand<'_>,
    ends: &[[i32; 2]],
    eps: &Rational,
    budget: &Budget,
    threads: usize,
) -> Option<Enclosure> {
    let effort = PassOptions::new(Magnitude::power_of_two(SOLVER_ACCURACY_LOG2), budget);
    let compiled = CompiledIntegrand::new(of, &effort)?;
    let ends = ends.iter().map(|[a, b]| [f64::from(*a), f64::from(*b)]).collect();
    let mut search =
        BoxSearch { of, compiled, budget, threads, eps: eps.to_f64(), done: Vec::new(), error: 0.0, splits_to_sum: 0 };
    let mut whole = BoxRegion { ends, decided_bits: 0, degree: FIRST_DEGREE };
    let first = search.compiled.bound_box(&mut whole).map(|found| BoxBound::new(whole, found));
    let caps = SubdivisionCaps { open: Tuning::to_size(budget.tuning().cubature_boxes - 1), ..SubdivisionCaps::NONE };
    let Ok(left) = subdivide(&mut search, first.into_iter().collect(), caps, Some(budget));
    let sum = search.sum_contributions(&left.open);
    Some(if sum.is_defined() { Double.to_enclosure(&sum) } else { Enclosure::bottom() })
}

/// The result of refining a box.
enum Refinement {
    /// The box with a polynomial of higher degree.
    HigherDegree(BoxRegion, BoxContribution),
    /// The contribution of a box that is too small to divide.
    TooSmall(BoxContribution),
    /// The halves of the box. `None` for one without a contribution.
    Halves([Option<(BoxRegion, BoxContribution)>; 2]),
    /// The unchanged box, since the budget is exhausted.
    Unchanged(BoxBound),
}

impl BoxBound {
    fn new(region: BoxRegion, contribution: BoxContribution) -> Self {
        Self { error: rough_width(&contribution.value), region, contribution, is_high: false }
    }

    /// Refines a box: by a higher degree if that helps, otherwise by division. A refinement that the exhausted budget
    /// cut short is discarded.
    fn refine_box(self, compiled: &CompiledIntegrand<'_>, budget: &Budget) -> Refinement {
        // only for smooth integrands without a boundary does a higher degree reduce the error
        if self.contribution.is_smooth && !self.is_high && self.region.degree < compiled.max_degree() {
            let mut place = self.region.clone();
            place.degree += 2;
            if let Some(higher) = compiled.bound_box(&mut place)
                && rough_width(&higher.value) <= DEGREE_GAIN * self.error
            {
                return Refinement::HigherDegree(place, higher);
            }
        }
        // the axis with the greatest influence on the width
        let axis = self.contribution.axis;
        let [a, b] = self.region.ends[axis];
        if b - a <= LEAST_BOX_WIDTH {
            return Refinement::TooSmall(self.contribution);
        }
        let middle = a + (b - a) / 2.0;
        let halves = [[a, middle], [middle, b]].map(|half| {
            let mut part = self.region.clone();
            part.ends[axis] = half;
            compiled.bound_box(&mut part).map(|found| (part, found))
        });
        if budget.is_exhausted() {
            Refinement::Unchanged(Self { is_high: true, ..self })
        } else {
            Refinement::Halves(halves)
        }
    }
}

/// The state of a branch-and-bound integration.
struct BoxSearch<'e> {
    of: RestrictedIntegrand<'e>,
    compiled: CompiledIntegrand<'e>,
    budget: &'e Budget,
    threads: usize,
    /// The width asked for.
    eps: f64,
    /// The contributions of boxes that are too small to divide.
    done: Vec<Interval<f64>>,
    /// The sum of the widths of all contributions, up to rounding.
    error: f64,
    /// The number of divisions after which the widths are summed again.
    splits_to_sum: usize,
}

impl SubdivisionProblem for BoxSearch<'_> {
    type Piece = BoxBound;
    type Error = Infallible;

    fn split_order(&self) -> SplitOrder {
        // no more together than before the next sum
        let most = if self.error.is_finite() { BETWEEN_SUMS } else { BETWEEN_INFINITE_SUMS };
        let together_from = Tuning::to_size(self.budget.tuning().cubature_together);
        SplitOrder::Worst { together_from, share: PARALLEL_FRACTION, most }
    }

    fn bound_piece(&mut self, piece: &mut BoxBound) -> Result<PieceBound, Infallible> {
        Ok(PieceBound::open(0, Magnitude::from_f64(piece.error)))
    }

    fn judge_open(&mut self, open: &mut OpenPieces<BoxBound>) -> Result<Option<End>, Infallible> {
        // the running total drifts, so that it is no reason to end
        if self.splits_to_sum == 0 || self.error <= self.eps {
            self.error =
                open.iter().map(|known| known.error).sum::<f64>() + self.done.iter().map(rough_width).sum::<f64>();
            self.splits_to_sum = if self.error.is_finite() { BETWEEN_SUMS } else { BETWEEN_INFINITE_SUMS };
        }
        Ok((self.error <= self.eps).then_some(End::Reached))
    }

    fn split_pieces(&mut self, worst: Vec<BoxBound>) -> Result<Vec<Split<BoxBound>>, Infallible> {
        self.splits_to_sum = self.splits_to_sum.saturating_sub(worst.len());
        let missed: Vec<f64> = worst.iter().map(|known| known.error).collect();
        let budget = self.budget;
        let found = match worst.len() {
            1 => worst.into_iter().map(|known| known.refine_box(&self.compiled, budget)).collect::<Vec<_>>(),
            _ => {
                let of = self.of;
                // each thread compiles its own maps: evaluation needs mutable state
                par_map(self.threads, worst, |part| {
                    let effort = PassOptions::new(Magnitude::power_of_two(SOLVER_ACCURACY_LOG2), budget);
                    let compiled = CompiledIntegrand::new(of, &effort);
                    let divided = |known: BoxBound| match &compiled {
                        Some(compiled) => known.refine_box(compiled, budget),
                        None => Refinement::Unchanged(known),
                    };
                    part.into_iter().map(divided).collect()
                })
            }
        };
        let mut splits = Vec::with_capacity(found.len());
        for (found, missed) in found.into_iter().zip(missed) {
            splits.push(match found {
                Refinement::Unchanged(known) => Split::Kept(known),
                Refinement::TooSmall(found) => {
                    self.done.push(found.value);
                    Split::Parts(Vec::new())
                }
                Refinement::HigherDegree(place, found) => {
                    let part = BoxBound::new(place, found);
                    self.error += part.error - missed;
                    Split::Parts(vec![part])
                }
                Refinement::Halves(halves) => {
                    let parts: Vec<BoxBound> =
                        halves.into_iter().flatten().map(|(place, found)| BoxBound::new(place, found)).collect();
                    self.error += parts.iter().map(|part| part.error).sum::<f64>() - missed;
                    Split::Parts(parts)
                }
            });
        }
        Ok(splits)
    }
}

impl BoxSearch<'_> {
    /// Adds all contributions, with outward rounding.
    fn sum_contributions(&self, open: &[BoxBound]) -> Interval<f64> {
        let own = open.iter().map(|known| known.contribution.value);
        let mut parts: Vec<Interval<f64>> = own.chain(self.done.iter().copied()).collect();
        // small contributions first, for less rounding
        parts.sort_by(|a, b| a.hi().abs().total_cmp(&b.hi().abs()));
        parts.iter().fold(Double.enclose_integer(0), |sum, part| Double.add(&sum, part))
    }
}

type CellNumber = Interval<f64>;

/// The highest degree of a Taylor polynomial. A choice: the number of coefficients grows quickly with the axes.
const MAX_TAYLOR_DEGREE: u32 = 8;

/// A box, with the decisions that hold on all of it.
#[derive(Clone, Debug)]
struct BoxRegion {
    /// The endpoints along each axis.
    pub ends: Vec<[f64; 2]>,
    /// The decisions known to hold on the box, as a set of bits.
    pub decided_bits: u64,
    /// The degree of the Taylor polynomial of the integrand.
    pub degree: u32,
}

/// The contribution of a box.
#[derive(Clone, Debug)]
struct BoxContribution {
    /// The integral over the part of the box where all decisions hold.
    pub value: CellNumber,
    /// The axis to divide next.
    pub axis: usize,
    /// `true` if no boundary crosses the box.
    pub is_smooth: bool,
}

/// The compiled integrand and guards.
struct CompiledIntegrand<'e> {
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
fn rough_width(x: &CellNumber) -> f64 {
    if x.is_defined() { x.hi() - x.lo() } else { f64::INFINITY }
}

/// The greatest number of axes. A choice: the formula sums over 2ᵈ corners.
pub const MOST_AXES: usize = 6;

/// The part of the cube [-1, 1]ᵈ in a half-space.
#[derive(Clone, Debug)]
pub struct CubePart {
    /// The fraction of the volume.
    pub volume: Interval<f64>,
    /// The means over the whole cube of the coordinates on the part, with 0 elsewhere.
    pub moments: Vec<Interval<f64>>,
}

/// Computes the part of the cube where a·t + b > 0. An axis with coefficient 0 has no influence.
#[must_use]
pub fn half_space_part(a: &[f64], b: f64) -> CubePart {
    let c = Double;
    let axes: Vec<usize> = (0..a.len()).filter(|&i| a[i] != 0.0).collect();
    let d = axes.len();
    let zero = c.enclose_integer(0);
    if d == 0 || d > MOST_AXES {
        // a·t + b = 0 everywhere: either side may count
        let volume = match () {
            () if d > 0 || b == 0.0 => c.hull(&zero, &c.enclose_integer(1)),
            () if b > 0.0 => c.enclose_integer(1),
            () => zero,
        };
        let unknown = c.hull(&c.enclose_integer(-1), &c.enclose_integer(1));
        return CubePart { volume, moments: vec![if d > 0 { unknown } else { zero }; a.len()] };
    }
    let slopes: Vec<Interval<f64>> = axes.iter().map(|&i| Interval::point(a[i])).collect();
    let middle = Interval::point(b);
    let factorial = |n: usize| (1..=n as u64).product::<u64>();
    let mut volume = zero;
    let mut plain = vec![zero; d];
    let mut higher = zero;
    for corner in 0..1u32 << d {
        let sign = |i: usize| corner >> i & 1 == 1;
        let at = (0..d).fold(middle, |at, i| if sign(i) { c.add(&at, &slopes[i]) } else { c.sub(&at, &slopes[i]) });
        let above = c.max(&zero, &at);
        // a corner outside of the half-space contributes G(0) = 0
        if *above.hi() <= 0.0 {
            continue;
        }
        let own = c.div_integer(&c.power(&above, d as u32), factorial(d));
        let next = c.div_integer(&c.power(&above, d as u32 + 1), factorial(d + 1));
        // the sign of a corner is the product of its coordinates
        let negative = (0..d).filter(|&i| !sign(i)).count();
        let signed = |x: &Interval<f64>, negative: usize| if negative % 2 == 1 { c.neg(x) } else { *x };
        volume = c.add(&volume, &signed(&own, negative));
        higher = c.add(&higher, &signed(&next, negative));
        for (k, sum) in plain.iter_mut().enumerate() {
            let others = negative - usize::from(!sign(k));
            *sum = c.add(sum, &signed(&own, others));
        }
    }
    let scale = slopes.iter().fold(c.enclose_integer(1 << d), |product, a| c.mul(&product, a));
    // rounding may leave the possible values, as large terms cancel
    let unit = c.hull(&zero, &c.enclose_integer(1));
    let within = |found: &Interval<f64>, bound: &Interval<f64>| c.intersect(found, bound).unwrap_or(*bound);
    let volume = within(&c.div(&volume, &scale), &unit);
    // in the mean a coordinate is at most 1/2 on a half of the cube
    let half = c.hull(&c.div_integer(&c.enclose_integer(-1), 2), &c.div_integer(&c.enclose_integer(1), 2));
    let mut moments = vec![zero; a.len()];
    for (k, &axis) in axes.iter().enumerate() {
        let own = c.sub(&plain[k], &c.div(&higher, &slopes[k]));
        moments[axis] = within(&c.div(&own, &scale), &half);
    }
    CubePart { volume, moments }
}

type LineNumber = Interval<f64>;

/// The least slope of an axis, relative to the greatest, to keep. A choice: the closed form divides by slopes, so small
/// ones lose precision.
const LEAST_RELATIVE_SLOPE: f64 = 1e-4;

/// A map on a box as an affine map of [-1, 1]ᵈ with a remainder.
#[derive(Clone, Debug)]
struct AffineApproximation {
    /// The value at the centre.
    middle: LineNumber,
    /// The slopes along the axes, for radius 1.
    slopes: Vec<LineNumber>,
    /// An enclosure of the remainder on the box.
    remainder: LineNumber,
    /// An enclosure of the values on the box.
    enclose_range: LineNumber,
    /// The part of the remainder's width that each axis causes.
    axis_errors: Vec<f64>,
}

impl AffineApproximation {
    /// Makes the approximation from the jets of degree 2 on the box and of degree 1 at its centre.
    fn new(
        second: &Algebra,
        first: &Algebra,
        on_box: &Jet<LineNumber>,
        at_centre: &Jet<LineNumber>,
        radii: &[f64],
    ) -> Self {
        let c = DOUBLE;
        let or_zero = |x: Option<&LineNumber>| x.copied().unwrap_or_else(|| c.enclose_integer(0));
        let slope =
            |axis: usize| c.mul(&or_zero(at_centre.get(linear_monomial(first, axis))), &Interval::point(radii[axis]));
        let slopes: Vec<LineNumber> = (0..radii.len()).map(slope).collect();
        let mut remainder = c.enclose_integer(0);
        let mut axis_errors = vec![0.0; radii.len()];
        for m in 0..second.len() {
            if second.degree(m) != 2 {
                continue;
            }
            let Some(coefficient) = on_box.get(m) else { continue };
            let exponents = second.exponents(m);
            let scale = exponents
                .iter()
                .zip(radii)
                .fold(c.enclose_integer(1), |product, (e, r)| c.mul(&product, &c.power(&Interval::point(*r), *e)));
            // a square lies in [0, 1], and a product of two coordinates in [-1, 1]
            let square = exponents.contains(&2);
            let power = c.hull(&c.enclose_integer(if square { 0 } else { -1 }), &c.enclose_integer(1));
            let part = c.mul(&c.mul(coefficient, &scale), &power);
            exponents.iter().zip(&mut axis_errors).for_each(|(e, bend)| *bend += rough_width(&part) * f64::from(*e));
            remainder = c.add(&remainder, &part);
        }
        Self {
            middle: or_zero(at_centre.get(0)),
            slopes,
            remainder,
            enclose_range: or_zero(on_box.get(0)),
            axis_errors,
        }
    }

    /// Returns the approximation of the negated map.
    fn negated(&self) -> Self {
        let c = DOUBLE;
        let slopes = self.slopes.iter().map(|a| c.neg(a)).collect();
        let [middle, rest, range] = [&self.middle, &self.remainder, &self.enclose_range].map(|x| c.neg(x));
        Self { middle, slopes, remainder: rest, enclose_range: range, axis_errors: self.axis_errors.clone() }
    }

    /// Encloses the values on the box, by the affine part and by the range.
    fn enclose_range(&self) -> LineNumber {
        let c = DOUBLE;
        if !self.enclose_range.is_defined() {
            return c.bottom();
        }
        let slopes = self.slopes.iter().fold(c.enclose_integer(0), |sum, a| c.add(&sum, &c.hull(a, &c.neg(a))));
        let own = c.add(&c.add(&self.middle, &slopes), &self.remainder);
        if own.is_defined() {
            c.intersect(&own, &self.enclose_range).unwrap_or(self.enclose_range)
        } else {
            self.enclose_range
        }
    }

    /// Decides a guard on the box. Returns `Some(true)` if it is as decided on all of the box, `Some(false)` if
    /// nowhere, and `None` otherwise.
    fn decide_guard(&self, decided: &GuardCondition) -> Option<bool> {
        let range = self.enclose_range();
        if !range.is_defined() {
            return None;
        }
        // a nonconstant affine map is 0 on a set without volume, so that the strict and the weak test agree
        let varies = self.slopes.iter().any(|a| *a.lo() > 0.0 || *a.hi() < 0.0);
        let is_thin =
            varies && self.remainder.is_defined() && *self.remainder.lo() == 0.0 && *self.remainder.hi() == 0.0;
        let is = match decided.guard.test {
            SignTest::Positive if *range.lo() > 0.0 || is_thin && *range.lo() >= 0.0 => true,
            SignTest::Positive if *range.hi() <= 0.0 => false,
            SignTest::NonNegative if *range.lo() >= 0.0 => true,
            SignTest::NonNegative if *range.hi() < 0.0 || is_thin && *range.hi() <= 0.0 => false,
            SignTest::Zero if *range.lo() > 0.0 || *range.hi() < 0.0 => false,
            _ => return None,
        };
        Some(is == decided.holds)
    }

    /// Returns the error that each axis causes, for an integrand of size `size` with errors `others` of its own.
    fn axis_scores(&self, size: f64, others: &[f64]) -> Vec<f64> {
        let slope = self.slopes.iter().fold(0.0, |most: f64, a| most.max(max_abs(a)));
        let scale = size / slope.max(f64::MIN_POSITIVE);
        let bent: Vec<f64> = self.axis_errors.iter().zip(others).map(|(bend, other)| bend * scale + other).collect();
        let is_known = bent.iter().all(|b| b.is_finite()) && bent.iter().any(|b| *b > 0.0);
        // without a remainder, the slopes tell which axis moves the boundary
        if is_known { bent } else { self.slopes.iter().map(max_abs).collect() }
    }

    /// Returns the parts of the cube where the map is certainly positive, where its affine part is, and where it may
    /// be. Returns `None` if the remainder is unbounded.
    fn half_space_parts(&self) -> Option<[CubePart; 3]> {
        let c = DOUBLE;
        let middles: Vec<f64> = self.slopes.iter().map(rough_middle).collect();
        let greatest = middles.iter().fold(0.0, |m: f64, a| m.max(a.abs()));
        let mut slack = c.enclose_integer(0);
        let mut kept = Vec::new();
        for (a, m) in self.slopes.iter().zip(middles) {
            // a flat axis goes into the slack, which widens the band
            let own = if m.abs() < LEAST_RELATIVE_SLOPE * greatest { 0.0 } else { m };
            kept.push(own);
            let off = c.sub(a, &Interval::point(own));
            slack = c.add(&slack, &c.hull(&off, &c.neg(&off)));
        }
        let offset = c.add(&self.middle, &self.remainder);
        let b = rough_middle(&offset);
        let all = c.add(&c.sub(&offset, &Interval::point(b)), &slack);
        let (down, up) = (*all.lo(), *all.hi());
        if !(all.is_defined() && down.is_finite() && up.is_finite() && b.is_finite()) {
            return None;
        }
        let ends =
            [c.add(&Interval::point(b), &Interval::point(down)), c.add(&Interval::point(b), &Interval::point(up))];
        Some([half_space_part(&kept, *ends[0].lo()), half_space_part(&kept, b), half_space_part(&kept, *ends[1].hi())])
    }
}

/// The monomial of the first power along an axis.
fn linear_monomial(algebra: &Algebra, axis: usize) -> usize {
    (1..algebra.len()).find(|&m| algebra.degree(m) == 1 && algebra.exponents(m)[axis] == 1).unwrap_or(0)
}

/// About the middle.
fn rough_middle(x: &LineNumber) -> f64 {
    0.5 * x.lo() + 0.5 * x.hi()
}

/// The greatest absolute value.
fn max_abs(x: &LineNumber) -> f64 {
    x.lo().abs().max(x.hi().abs())
}

/// The greatest radius of a box. A choice: beyond it a box has too many parts.
const MAX_RADIUS: u32 = 4096;

/// The distribution of a coordinate.
#[derive(Clone, Debug)]
enum CoordinateDistribution {
    /// The standard distribution of the draw's family.
    Standard(Distribution),
    /// The draw itself, and `true` if it is positive.
    Own(Variable, bool),
}

/// An integral over dependent draws, in standardised coordinates.
#[derive(Debug)]
/// The coordinates.
pub struct BoxIntegral {
    /// The distributions of the coordinates.
    variables: Vec<Variable>,
    /// The map to integrate, densities included.
    spreads: Vec<CoordinateDistribution>,
    /// The decisions that bound the domain.
    integrand: Graph,
    decided: Vec<GuardCondition>,
}

/// Standardises a draw: returns the distribution and density of the coordinate `z`, and the draw as a map of it.
/// Returns `None` if no bound on the probability of large `z` is known.
fn standardise_draw(distribution: &Distribution, z: &Graph) -> Option<(CoordinateDistribution, Graph, Graph)> {
    let (standard, map) = distribution.standard(z);
    let is_bounded = standard.ends().iter().all(|end| end.as_ref().is_some_and(|end| end.as_rational().is_some()));
    let is_known = is_bounded || standard.chance_beyond(MAX_RADIUS).is_some();
    let density = standard.density(z);
    is_known.then_some((CoordinateDistribution::Standard(standard), density, map))
}

/// Makes the decision that a map is positive.
fn positive_decision(graph: &Graph) -> GuardCondition {
    let guard = SignGuard::new(graph, SignTest::Positive, SourceId::NOWHERE);
    GuardCondition { guard, holds: true, is_condition: false }
}

impl BoxIntegral {
    /// Makes the integral of a product of factors over draws. The factors contain the densities.
    ///
    /// A draw is standardised if its density is still one of the factors.
    pub fn new(
        coordinates: &[TraceCoordinate],
        densities: &[(Variable, Graph)],
        factors: &[Graph],
        decided: &[GuardCondition],
        path: &ExecutionPath,
        parameter: Option<&Parameter>,
    ) -> Self {
        let mut factors = factors.to_vec();
        let mut decided = decided.to_vec();
        let (mut variables, mut spreads) = (Vec::new(), Vec::new());
        let mut maps: Vec<(Variable, Graph)> = Vec::new();
        if let Some(p) = parameter {
            maps.push((p.variable, Graph::rational(p.value.clone())));
        }
        let mut own = Vec::new();
        for x in coordinates {
            let z = Variable::fresh();
            let place = Graph::variable(z);
            // a distribution can be standardised if its parameters are maps of earlier coordinates
            let is_known = !path.coordinates().any(|other| {
                maps.iter().all(|(v, _)| *v != other.variable) && x.distribution.depends_on(other.variable)
            });
            let density = densities.iter().find(|(v, _)| *v == x.variable).map(|(_, density)| density);
            let index = density.and_then(|own| factors.iter().position(|f| f.address() == own.address()));
            // a density that is a number is a factor of no group
            let is_number = |own: &Graph| path.coordinates().all(|other| !own.depends_on(other.variable));
            let scale = density.filter(|own| index.is_none() && is_number(own)).cloned();
            let fixed = x.distribution.map(&|graph| graph.substitute(&maps));
            let found =
                (is_known && (index.is_some() || scale.is_some())).then(|| standardise_draw(&fixed, &place)).flatten();
            variables.push(z);
            match found {
                Some((spread, density, map)) => {
                    match (index, scale) {
                        (Some(i), _) => drop(factors.swap_remove(i)),
                        // the constant density is multiplied elsewhere, so that it is divided out here
                        (None, Some(scale)) => own.push(1 / scale.substitute(&maps)),
                        (None, None) => {}
                    }
                    own.push(density);
                    spreads.push(spread);
                    maps.push((x.variable, map));
                }
                // the draw keeps its density as a factor, and its support becomes a pair of guards
                None => {
                    let at = Graph::variable(x.variable);
                    let [left, right] = x.distribution.ends();
                    let is_positive = left.as_ref().and_then(Graph::as_rational).is_some_and(|q| *q >= 0);
                    decided.extend(left.map(|a| positive_decision(&(&at - &a))));
                    decided.extend(right.map(|b| positive_decision(&(&b - &at))));
                    spreads.push(CoordinateDistribution::Own(x.variable, is_positive));
                    maps.push((x.variable, place));
                }
            }
        }
        for factor in &factors {
            own.push(factor.substitute(&maps));
        }
        for decided in &mut decided {
            decided.guard.graph = decided.guard.graph.substitute(&maps);
        }
        let integrand = own.iter().product::<Graph>();
        Self { variables, spreads, integrand, decided }
    }

    /// Returns the number of coordinates.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.variables.len()
    }

    /// Returns `true` if there are no coordinates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty()
    }

    /// Returns `true` if guards bound the domain.
    #[must_use]
    pub fn has_borders(&self) -> bool {
        !self.decided.is_empty()
    }

    /// Returns `true` if every coordinate lies in [0, 1].
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        self.spreads.iter().all(|spread| match spread {
            CoordinateDistribution::Standard(standard) => standard.ends().iter().all(Option::is_some),
            CoordinateDistribution::Own(..) => false,
        })
    }

    /// Returns a box outside of which the draws lie with probability at most `most`. Returns `None` if no box is found.
    #[must_use]
    pub fn find_box(
        &self,
        most: &Rational,
        path: &ExecutionPath,
        parameter: Option<&Parameter>,
        budget: &Budget,
    ) -> Option<Vec<[i32; 2]>> {
        // a union bound: each coordinate may leave with its part of the probability
        let own = Rational::from(most / self.spreads.len().max(1) as u32);
        let moments = |x: Variable, k: u32| {
            bound_contribution(path, &[Graph::variable(x).pow(&Rational::from(k))], parameter, 0, budget)
        };
        self.spreads.iter().map(|spread| spread.find_interval(&own, &moments, budget)).collect()
    }

    /// Encloses the integral over a box, to a width. Returns ⊥ if no enclosure is found.
    #[must_use]
    pub fn enclose_over(
        &self,
        hooks: &'static dyn MeasureHooks,
        ends: &[[i32; 2]],
        eps: &Rational,
        budget: &Budget,
    ) -> Enclosure {
        let of =
            RestrictedIntegrand { hooks, variables: &self.variables, map: &self.integrand, decided: &self.decided };
        integrate_over_box(of, ends, eps, budget, available_threads()).unwrap_or_else(Enclosure::bottom)
    }
}

/// Returns a probability p such that the product of factors contributes at most `eps` to the mean on any set of
/// probability p. Returns `None` if no bound is proved.
#[must_use]
pub fn negligible_probability(
    path: &ExecutionPath,
    factors: &[Graph],
    parameter: Option<&Parameter>,
    eps: &Rational,
    budget: &Budget,
) -> Option<Rational> {
    let within = path.coordinate_ranges(parameter);
    let product = factors.iter().product::<Graph>();
    let one = Rational::from(1);
    // |F| ≤ M: the contribution is at most M·p
    let by_range =
        max_abs_of(&enclose_range(&product, &within, budget)).to_rational().map(|most| eps / most.max(one.clone()));
    // Cauchy-Schwarz: the contribution is at most √(E F²·p)
    let squares: Vec<Graph> = factors.iter().map(|factor| factor.pow(&Rational::from(2))).collect();
    let by_moments = || {
        let most = bound_contribution(path, &squares, parameter, 0, budget)?.to_rational()?;
        Some(Rational::from(eps * eps) / most.max(one))
    };
    by_range.or_else(by_moments)
}

/// Returns an interval that the coordinate leaves with probability at most `most`. Returns `None` if there is none.
impl CoordinateDistribution {
    fn find_interval(
        &self,
        most: &Rational,
        moments: &dyn Fn(Variable, u32) -> Option<Magnitude>,
        budget: &Budget,
    ) -> Option<[i32; 2]> {
        Some(match self {
            Self::Standard(standard) => {
                let ends = standard.ends();
                let is_rare = |r: &u32| {
                    let chance =
                        standard.chance_beyond(*r).map(|chance| max_abs_of(&enclose_range(&chance, &[], budget)));
                    chance.and_then(|chance| chance.to_rational()).is_some_and(|chance| chance <= *most)
                };
                let far = || i32::try_from((1..=MAX_RADIUS).find(is_rare)?).ok();
                let at = |end: &Option<Graph>, outward: fn(Rational) -> Rational| match end {
                    Some(end) => outward(end.as_rational()?.clone()).numer().to_i32(),
                    None => far(),
                };
                [
                    at(&ends[0], Rational::floor).map(|a| if ends[0].is_none() { -a } else { a })?,
                    at(&ends[1], Rational::ceil)?,
                ]
            }
            Self::Own(x, is_positive) => {
                // Markov's inequality with even moments; the radius is a power of two, so that its powers are shifts
                let known: Vec<(u32, Rational)> =
                    [2, 8, 32, 64].into_iter().filter_map(|k| Some((k, moments(*x, k)?.to_rational()?))).collect();
                let is_enough =
                    |r: i32| known.iter().any(|(k, moment)| Rational::from(moment >> (k * r.ilog2())) <= *most);
                let r = (1..24).map(|k| 1 << k).find(|r| is_enough(*r))?;
                [if *is_positive { 0 } else { -r }, r]
            }
        })
    }
}
