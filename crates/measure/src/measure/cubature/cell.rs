//! What is known of an integral over one box.
//!
//! With a box of centre c and radii r, and the Taylor coefficients of the integrand, those below the degree p at c and those of the degree
//! p on all of the box, the mean over the box is
//!
//! Σ_{|α| < p, α even} g_α(c) Π rᵢ^αᵢ/(αᵢ + 1) + Σ_{|α| = p} g_α(box) · mean of (x - c)^α,
//!
//! where an odd power has the mean 0, so that only the radius of its coefficient counts. A guard is between two half-spaces: h is affine up
//! to its second coefficients on the box.

use super::Integrand;
use super::half_space::MOST_AXES;
use super::line::{Line, greatest_of, mid, unit};
use crate::measure::hooks::Hooks;
use crate::number::context::Context;
use crate::number::effort::Effort;
use crate::number::{Double, Interval};
use crate::pieces::{Decided, Test};
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::graph::Graph;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Program;
use std::sync::Arc;

type Num = Interval<f64>;

/// The highest degree of a Taylor polynomial.
pub const HIGHEST: u32 = 8;

/// A box, and the guards that hold on all of it.
#[derive(Clone, Debug)]
pub struct Place {
    /// The ends along each axis.
    pub ends: Vec<[f64; 2]>,
    /// The guards that are known to be as they were decided: a set of bits.
    pub held: u64,
    /// Up to which degree the integrand is expanded.
    pub degree: u32,
}

/// What was found of a box.
#[derive(Clone, Debug)]
pub struct Found {
    /// The integral over what of the box counts.
    pub value: Num,
    /// The axis along which a division promises most.
    pub axis: usize,
    /// Whether no border crosses the box.
    pub is_smooth: bool,
}

/// The integrand and the guards, compiled.
pub struct Compiled<'e> {
    hooks: &'static dyn Hooks,
    integrand: Machine<'e, Double>,
    own: Program,
    guards: Machine<'e, Double>,
    all: Program,
    decided: &'e [Decided],
    /// The algebras of the degrees 0, 2, … , and that of the degree 1.
    algebras: Vec<Arc<Algebra>>,
    first: Arc<Algebra>,
    real: Arc<Algebra>,
}

const CONTEXT: Double = Double;

fn polynomials(axes: usize, degree: u32) -> Option<Arc<Algebra>> {
    (0..axes).try_fold(Algebra::real(), |algebra, _| algebra.adjoin(Generator::Taylor(degree)))
}

impl<'e> Compiled<'e> {
    /// Compiles an integrand and guards in these variables; nothing where they mention others.
    pub fn new(of: Integrand<'e>, effort: &'e Effort<'e>) -> Option<Self> {
        let Integrand { hooks, variables, map, decided } = of;
        let real = Algebra::real();
        let (own, unbound) = Program::of(variables, std::slice::from_ref(map));
        let graphs: Vec<Graph> = decided.iter().map(|decided| decided.guard.graph.clone()).collect();
        let (all, others) = Program::of(variables, &graphs);
        if !unbound.is_empty() || !others.is_empty() || decided.len() > 64 || variables.len() > MOST_AXES {
            return None;
        }
        let axes = variables.len();
        let mut algebras = vec![real.clone()];
        for degree in (2..=HIGHEST).step_by(2) {
            match polynomials(axes, degree).filter(|algebra| algebra.len() <= 200) {
                Some(algebra) => algebras.push(algebra),
                None => break,
            }
        }
        let [integrand, guards] = [&own, &all].map(|program| Machine::new(&CONTEXT, effort, &real, program));
        (algebras.len() > 1).then_some(Self {
            hooks,
            integrand,
            own,
            guards,
            all,
            decided,
            algebras,
            first: polynomials(axes, 1)?,
            real,
        })
    }

    /// The highest degree that is tried.
    pub fn highest(&self) -> u32 {
        2 * (self.algebras.len() as u32 - 1)
    }

    fn run(&self, guards: bool, algebra: &Arc<Algebra>, at: &[Num]) -> Option<Vec<Jet<Num>>> {
        let (machine, program) = if guards { (&self.guards, &self.all) } else { (&self.integrand, &self.own) };
        let one = CONTEXT.integer(1);
        let input = |(axis, x): (usize, &Num)| {
            let mut jet = Jet::constant(*x);
            if algebra.len() > 1 {
                jet.set(unit(algebra, axis), Some(one));
            }
            jet
        };
        let inputs: Vec<Jet<Num>> = at.iter().enumerate().map(input).collect();
        machine.run(&program.root, algebra, &inputs, &[], &mut Branches::default(), Target::Outputs).ok()
    }

    /// What is known of a box; nothing where none of it counts. The guards that are found to hold on all of it are noted.
    pub fn found(&self, place: &mut Place) -> Option<Found> {
        let c = CONTEXT;
        let whole: Vec<Num> =
            place.ends.iter().map(|[a, b]| c.hull(&Interval::point(*a), &Interval::point(*b))).collect();
        let centre: Vec<Num> = place.ends.iter().map(|[a, b]| Interval::point(a + (b - a) / 2.0)).collect();
        let radii: Vec<f64> = place.ends.iter().map(|[a, b]| (b - a) / 2.0).collect();
        let volume = place
            .ends
            .iter()
            .fold(c.integer(1), |v, [a, b]| c.mul(&v, &c.sub(&Interval::point(*b), &Interval::point(*a))));
        let unknown = |axis| Found { value: c.bottom(), axis, is_smooth: false };
        let widest = greatest(&radii, &radii);
        let mut open = Vec::new();
        if (0..self.decided.len()).any(|i| place.held >> i & 1 == 0) {
            let runs = (self.run(true, &self.algebras[1], &whole), self.run(true, &self.first, &centre));
            let (Some(on_box), Some(at_centre)) = runs else { return Some(unknown(widest)) };
            let before = place.held;
            for (i, decided) in self.decided.iter().enumerate().filter(|(i, _)| before >> i & 1 == 0) {
                let line = Line::new(&self.algebras[1], &self.first, &on_box[i], &at_centre[i], &radii);
                match line.holds(decided) {
                    Some(true) => place.held |= 1 << i,
                    Some(false) => return None,
                    None if self.hooks.counts_whole_boxes() => {}
                    None => open.push((i, line)),
                }
            }
        }
        match &open[..] {
            [] => {
                let Some(mean) = self.smooth(place, &whole, &centre, &radii) else { return Some(unknown(widest)) };
                Some(Found { value: c.mul(&mean.0, &volume), axis: mean.1, is_smooth: true })
            }
            [(i, line)] if self.decided[*i].guard.test != Test::Zero => {
                let Some(mean) = self.bordered(&self.decided[*i], line, &whole, &centre, &radii) else {
                    return Some(unknown(widest));
                };
                Some(Found { value: c.mul(&mean.0, &volume), axis: mean.1, is_smooth: false })
            }
            [..] => {
                let found = self.run(false, &self.real, &whole).and_then(|found| found[0].get(0).copied());
                let value = found.map_or_else(|| c.integer(0), |value| c.mul(&c.hull(&c.integer(0), &value), &volume));
                Some(Found {
                    value: if value.is_defined() { value } else { c.bottom() },
                    axis: widest,
                    is_smooth: false,
                })
            }
        }
    }

    /// The mean over a box, and the axis on which what is not known of it depends most.
    fn smooth(&self, place: &Place, whole: &[Num], centre: &[Num], radii: &[f64]) -> Option<(Num, usize)> {
        let c = CONTEXT;
        let degree = place.degree.min(self.highest());
        let [high, low] = [degree / 2, degree / 2 - 1].map(|i| &self.algebras[i as usize]);
        let on_box = self.run(false, high, whole)?.swap_remove(0);
        let at_centre = self.run(false, low, centre)?.swap_remove(0);
        let range = on_box.get(0).copied().unwrap_or_else(|| c.integer(0));
        if !range.is_defined() {
            return None;
        }
        let mut mean = c.integer(0);
        for m in 0..low.len() {
            let Some(coefficient) = at_centre.get(m) else { continue };
            let exponents = low.exponents(m);
            if exponents.iter().all(|e| e % 2 == 0) {
                mean = c.add(&mean, &c.mul(coefficient, &moment(exponents, radii)));
            }
        }
        let mut gains = vec![0.0; radii.len()];
        for m in 0..high.len() {
            if high.degree(m) != degree {
                continue;
            }
            let Some(coefficient) = on_box.get(m) else { continue };
            let exponents = high.exponents(m);
            let moment = moment(exponents, radii);
            let part = match exponents.iter().all(|e| e % 2 == 0) {
                true => c.mul(coefficient, &moment),
                false => c.mul(&around_zero(radius(coefficient)), &moment),
            };
            mean = c.add(&mean, &part);
            let own = width(&part);
            exponents.iter().zip(&mut gains).for_each(|(e, gain)| *gain += own * f64::from(*e));
        }
        let found =
            if mean.is_defined() && !mean.lo().is_nan() { c.intersect(&mean, &range).unwrap_or(range) } else { range };
        let found = c.assert_defined(found);
        let is_known = gains.iter().all(|gain| gain.is_finite()) && gains.iter().any(|gain| *gain > 0.0);
        let scores = if is_known { &gains[..] } else { radii };
        Some((found, greatest(scores, radii)))
    }

    /// The mean over a box through which a border goes, of the integrand on its side and 0 on the other.
    /// The axis is that on which what is not known of it depends most.
    fn bordered(
        &self,
        decided: &Decided,
        line: &Line,
        whole: &[Num],
        centre: &[Num],
        radii: &[f64],
    ) -> Option<(Num, usize)> {
        let c = CONTEXT;
        let on_box = self.run(false, &self.algebras[1], whole)?.swap_remove(0);
        let at_centre = self.run(false, &self.first, centre)?.swap_remove(0);
        let range = on_box.get(0).copied().unwrap_or_else(|| c.integer(0));
        if !range.is_defined() {
            return None;
        }
        let plain = c.hull(&c.integer(0), &range);
        let own = Line::new(&self.algebras[1], &self.first, &on_box, &at_centre, radii);
        let turned = if decided.holds { line.clone() } else { line.turned() };
        let axis = greatest(&turned.scores(greatest_of(&range), &own.bends), radii);
        let Some([inner, middle, outer]) = turned.parts() else { return Some((plain, axis)) };
        // affine on the middle half-space, what is left of it there, and all of it on the band
        let mut mean = c.mul(&own.middle, &middle.volume);
        for (slope, moment) in own.slopes.iter().zip(&middle.moments) {
            mean = c.add(&mean, &c.mul(slope, moment));
        }
        let rest = c.mul(&own.rest, &middle.volume);
        let band = c.sub(&outer.volume, &inner.volume);
        let band = c.hull(&c.integer(0), &Interval::point(band.hi().max(0.0)));
        let error = c.mul(&c.hull(&c.neg(&range), &range), &band);
        mean = c.add(&c.add(&mean, &rest), &error);
        let is_number = mean.is_defined() && !mean.lo().is_nan();
        let found = if is_number { c.intersect(&mean, &plain).unwrap_or(plain) } else { plain };
        Some((c.assert_defined(found), axis))
    }
}

/// The axis with the greatest score, of two that are much alike the longer one: a product of two coordinates counts for both.
fn greatest(scores: &[f64], radii: &[f64]) -> usize {
    let longest = radii.iter().fold(f64::MIN_POSITIVE, |most: f64, r| most.max(*r));
    let score = |i: usize| scores[i] * (1.0 + radii[i] / longest);
    (0..scores.len()).fold(0, |best, i| if score(i) > score(best) { i } else { best })
}

/// The mean of |(x - c)^α| over a box.
fn moment(exponents: &[u32], radii: &[f64]) -> Num {
    let c = CONTEXT;
    exponents.iter().zip(radii).fold(c.integer(1), |product, (e, r)| {
        c.mul(&product, &c.divide(&c.power(&Interval::point(*r), *e), u64::from(*e) + 1))
    })
}

/// At least half of the width.
fn radius(x: &Num) -> f64 {
    let m = mid(x);
    let [above, below] =
        [(*x.hi(), m), (m, *x.lo())].map(|(a, b)| *CONTEXT.sub(&Interval::point(a), &Interval::point(b)).hi());
    if m.is_finite() { above.max(below) } else { f64::INFINITY }
}

fn around_zero(r: f64) -> Num {
    match r.is_finite() {
        true => CONTEXT.hull(&Interval::point(-r), &Interval::point(r)),
        false => CONTEXT.bottom(),
    }
}

/// About the width.
pub fn width(x: &Num) -> f64 {
    if x.is_defined() { x.hi() - x.lo() } else { f64::INFINITY }
}
