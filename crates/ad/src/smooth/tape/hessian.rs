//! Second derivatives on plain `f64`, by one of two methods.
//!
//! | method | for |
//! |---|---|
//! | **formulas** of the entries, from two reverse sweeps, run as one tape | small maps without branches |
//! | **lanes**: a sweep over numbers with derivatives along [`LANES`] directions | all others, and products with vectors |
//!
//! In formulas, common subterms are computed once, and structural zeros not at all. With lanes, the sweep for x + εv gives the
//! gradient at x, and the Hessian times v as the ε-part (Pearlmutter 1994; forward over reverse).

mod enclosed;

pub use enclosed::EnclosedHessians;

use super::carrier::Carrier;
use super::plain::Plain;
use super::run::Run;
use super::{Code, Formulas, Kink, Place, Products, Tape};
use crate::function::{Function, Planar};
use crate::smooth::graph::Exponent;
use crate::smooth::program::Constant;
use crate::smooth::reverse::second_derivatives;
use std::sync::Arc;

/// The number of directions in one run. A choice: a cache line of doubles.
const LANES: usize = 8;
/// The number of operations that take as long as one pair of forward and reverse operation on lanes. Measured, roughly.
const LANES_TAKE: usize = 16;
/// The largest number of operations times inputs for which formulas are tried. A choice.
const MOST: usize = 1 << 14;

/// Second derivatives of the first output of a map. At ties and at boundaries of choices they belong to the side that a
/// [`Tape`] takes.
#[derive(Clone, Debug)]
pub struct Hessians {
    run: Run<Directional>,
    entries: Option<Entries>,
}

impl Hessians {
    pub(super) fn new(code: &Arc<Code>, formulas: &Formulas) -> Self {
        let passes = code.inputs.div_ceil(LANES);
        let entries = Entries::of(code, formulas);
        // both methods are compared by their number of operations; the formulas win for sparse Hessians
        let entries = entries.filter(|entries| entries.tape.code().size() <= passes * code.size() * LANES_TAKE);
        Self { run: Run::new(Directional, code), entries }
    }

    /// Computes the Hessian at x, n rows of n numbers.
    ///
    /// # Panics
    /// If `x` has not n numbers, or the Hessian not n², or there is no output.
    pub fn at(&mut self, x: &[f64], hessian: &mut [f64]) {
        let n = self.run.code.inputs;
        assert_eq!(hessian.len(), n * n, "the Hessian has another number of entries");
        match &mut self.entries {
            Some(entries) => entries.at(x, hessian),
            None => self.by_directions(x, hessian),
        }
    }

    fn by_directions(&mut self, x: &[f64], hessian: &mut [f64]) {
        let n = self.run.code.inputs;
        for first in (0..n).step_by(LANES) {
            // one unit vector per lane; lanes beyond the last column stay 0
            let columns = first..n.min(first + LANES);
            self.run_along(x, |place| {
                let mut slopes = [0.0; LANES];
                if columns.contains(&place) {
                    slopes[place - first] = 1.0;
                }
                slopes
            });
            // the derivative of the i-th cotangent along the j-th direction is the entry (i, j)
            for (row, cotangent) in hessian.chunks_exact_mut(n).zip(&self.run.cotangents) {
                row[columns.clone()].copy_from_slice(&cotangent.slopes[..columns.len()]);
            }
        }
    }

    /// Computes the Hessian at x times a vector: the derivative of the gradient along it.
    ///
    /// # Panics
    /// If `x`, `v` or the product has not n numbers, or there is no output.
    pub fn times(&mut self, x: &[f64], v: &[f64], product: &mut [f64]) {
        let n = self.run.code.inputs;
        assert!(v.len() == n && product.len() == n, "the vector has another number of components");
        self.run_along(x, |place| {
            let mut slopes = [0.0; LANES];
            // a single product with a vector needs one lane only
            slopes[0] = v[place];
            slopes
        });
        product.iter_mut().zip(&self.run.cotangents).for_each(|(out, cotangent)| *out = cotangent.slopes[0]);
    }

    fn run_along(&mut self, x: &[f64], direction: impl Fn(usize) -> [f64; LANES]) {
        assert_eq!(x.len(), self.run.code.inputs, "the point has another number of components");
        for (place, x) in x.iter().enumerate() {
            self.run.values[place] = Lanes { value: *x, slopes: direction(place) };
        }
        let output = self.run.code.outputs[0];
        let done = self.run.forward(|| true).and_then(|()| self.run.sweep([(output, Lanes::constant(1.0))], || true));
        assert!(done.is_some(), "plain numbers decide everything");
    }
}

/// The entries of the upper triangle that are not structurally zero, as a map of its own.
#[derive(Clone, Debug)]
struct Entries {
    tape: Tape,
    /// Row and column of each entry.
    places: Arc<[[usize; 2]]>,
}

impl Entries {
    /// Compiles the entries. Returns `None` for a map that is large or has branches.
    fn of(code: &Code, formulas: &Formulas) -> Option<Self> {
        // a branch would make the formulas those of one side only
        if !code.is_straight() || code.inputs * code.size() > MOST {
            return None;
        }
        let (places, entries): (Vec<_>, Vec<_>) =
            second_derivatives(&formulas.inputs, formulas.outputs.first()?).into_iter().unzip();
        Some(Self { tape: Tape::of(&formulas.inputs, &entries).ok()?, places: places.into() })
    }

    fn at(&mut self, x: &[f64], hessian: &mut [f64]) {
        let n = x.len();
        self.tape.forward(x);
        // structural zeros have no entry
        hessian.fill(0.0);
        let Run { code, values, .. } = &self.tape.run;
        for ([i, j], place) in self.places.iter().zip(&code.outputs) {
            let entry = values[*place as usize];
            hessian[n * i + j] = entry;
            hessian[n * j + i] = entry;
        }
    }
}

/// A number with its derivatives along the directions.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    value: f64,
    slopes: [f64; LANES],
}

impl Lanes {
    fn constant(value: f64) -> Self {
        Self { value, slopes: [0.0; LANES] }
    }

    /// Returns a function value, with derivatives a·s + b·t for the partial derivatives s and t.
    #[inline(always)]
    fn of(value: f64, a: &Self, s: f64, b: &Self, t: f64) -> Self {
        Self { value, slopes: std::array::from_fn(|i| a.slopes[i] * s + b.slopes[i] * t) }
    }

    /// Returns a function value, with derivatives a·s for the derivative s.
    #[inline(always)]
    fn along(value: f64, a: &Self, s: f64) -> Self {
        Self { value, slopes: a.slopes.map(|slope| slope * s) }
    }
}

#[derive(Clone, Copy, Debug)]
struct Directional;

impl Directional {
    /// Adds a·b to `to`.
    #[inline(always)]
    fn accumulate(to: &mut Lanes, a: &Lanes, b: &Lanes) {
        to.value += a.value * b.value;
        for i in 0..LANES {
            to.slopes[i] += a.slopes[i] * b.value + a.value * b.slopes[i];
        }
    }
}

impl Carrier for Directional {
    type Number = Lanes;
    type Memory = Vec<Lanes>;

    fn memory(&self, count: usize) -> Vec<Lanes> {
        vec![Lanes::constant(0.0); count]
    }

    fn clear(&self, memory: &mut Vec<Lanes>) {
        memory.fill(Lanes::constant(0.0));
    }

    #[inline(always)]
    fn get(&self, memory: &Vec<Lanes>, place: usize) -> Lanes {
        memory[place]
    }

    #[inline(always)]
    fn put(&self, memory: &mut Vec<Lanes>, place: usize, x: &Lanes) -> bool {
        memory[place] = *x;
        true
    }

    #[inline(always)]
    fn add_to(&self, memory: &mut Vec<Lanes>, place: usize, x: &Lanes) -> bool {
        memory[place] = self.add(&memory[place], x);
        true
    }

    #[inline(always)]
    fn is_zero(&self, memory: &Vec<Lanes>, place: usize) -> bool {
        memory[place].value == 0.0 && memory[place].slopes.iter().all(|slope| *slope == 0.0)
    }

    fn put_sum(&self, v: &mut Vec<Lanes>, place: usize, terms: &[Place], products: &Products) -> bool {
        // linear in the lanes, so values and derivatives are added side by side
        let mut sum = Lanes::constant(0.0);
        terms.iter().for_each(|term| sum = self.add(&sum, &v[*term as usize]));
        products.each(|x, y| Self::accumulate(&mut sum, &v[x], &v[y]));
        v[place] = sum;
        true
    }

    fn pull_sum(
        &self,
        g: &mut Vec<Lanes>,
        v: &Vec<Lanes>,
        place: usize,
        terms: &[Place],
        products: &Products,
        is_fixed: impl Fn(Place) -> bool,
    ) -> bool {
        let w = g[place];
        terms.iter().for_each(|term| g[*term as usize] = self.add(&g[*term as usize], &w));
        products.each(|x, y| {
            for (to, from) in [(x, y), (y, x)].into_iter().filter(|(to, _)| !is_fixed(*to as Place)) {
                Self::accumulate(&mut g[to], &w, &v[from]);
            }
        });
        true
    }

    fn constant(&self, constant: &Constant) -> Lanes {
        Lanes::constant(Plain.constant(constant))
    }

    fn fraction(&self, p: i64, q: u32) -> Lanes {
        Lanes::constant(Plain.fraction(p, q))
    }

    fn pi(&self) -> Lanes {
        Lanes::constant(Plain.pi())
    }

    #[inline(always)]
    fn negate(&self, a: &Lanes) -> Lanes {
        Lanes::along(-a.value, a, -1.0)
    }

    #[inline(always)]
    fn add(&self, a: &Lanes, b: &Lanes) -> Lanes {
        Lanes { value: a.value + b.value, slopes: std::array::from_fn(|i| a.slopes[i] + b.slopes[i]) }
    }

    #[inline(always)]
    fn subtract(&self, a: &Lanes, b: &Lanes) -> Lanes {
        Lanes { value: a.value - b.value, slopes: std::array::from_fn(|i| a.slopes[i] - b.slopes[i]) }
    }

    #[inline(always)]
    fn multiply(&self, a: &Lanes, b: &Lanes) -> Lanes {
        Lanes::of(a.value * b.value, a, b.value, b, a.value)
    }

    fn divide(&self, a: &Lanes, b: &Lanes) -> Lanes {
        // (a/b)′ = a′/b - (a/b)·b′/b, with the quotient computed once
        let quotient = a.value / b.value;
        Lanes::of(quotient, a, 1.0 / b.value, b, -quotient / b.value)
    }

    fn power(&self, a: &Lanes, e: Exponent) -> Option<Lanes> {
        let value = Plain.power(&a.value, e)?;
        if e.numerator == 0 {
            return Some(Lanes::constant(value));
        }
        Some(Lanes::along(value, a, Plain.power_slope(&a.value, &value, e)?))
    }

    fn function(&self, f: Function, a: &Lanes) -> Option<Lanes> {
        let value = Plain.function(f, &a.value)?;
        Some(Lanes::along(value, a, Plain.formula(&f.slope(), &[a.value], &value)?))
    }

    fn planar(&self, f: Planar, a: &Lanes, b: &Lanes) -> Option<Lanes> {
        let value = Plain.planar(f, &a.value, &b.value)?;
        let slope = |formula| Plain.formula(formula, &[a.value, b.value], &value);
        let [first, second] = f.slopes();
        Some(Lanes::of(value, a, slope(first)?, b, slope(second)?))
    }

    fn signum(&self, a: &Lanes) -> Option<Lanes> {
        Plain.signum(&a.value).map(Lanes::constant)
    }

    fn is_positive(&self, a: &Lanes) -> Option<bool> {
        Plain.is_positive(&a.value)
    }

    fn first_wins(&self, kink: Kink, a: &Lanes, b: &Lanes) -> Option<bool> {
        Plain.first_wins(kink, &a.value, &b.value)
    }
}
