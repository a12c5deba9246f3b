//! Second derivatives on plain `f64`, by one of two methods.
//!
//! | method | for |
//! |---|---|
//! | **formulas** of the entries, from two reverse sweeps, run as one tape | small maps without branches |
//! | **lanes**: a sweep over numbers with derivatives along [`LANES`] directions | all others, and products with vectors |
//!
//! In formulas, common subterms are computed once, and structural zeros not at all. With lanes, the sweep for x + εv gives the
//! gradient at x, and the Hessian times v as the ε-part (Pearlmutter 1994; forward over reverse).
//!
//! # Enclosures of second derivatives
//!
//! Enclosures of second derivatives, by the formulas of the entries.

use super::certified::CertifiedTape;
use super::{CellIndex, FloatTape, KinkOperation, ProductCells, Tape, TapeArithmetic, TapeCode, TapeFormulas, TapeRun};
use crate::function::{Function, Planar};
use crate::number::arithmetic::Interval;
use crate::number::balls::MidpointArithmetic;
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;
use crate::smooth::reverse::second_derivatives;
use std::sync::Arc;

/// The number of directions in one run. A choice: a cache line of doubles.
const LANES: usize = 8;
/// The number of operations that take as long as one pair of forward and reverse operation on lanes. Measured, roughly.
const LANE_COST: usize = 16;
/// The largest number of operations times inputs for which formulas are tried. A choice.
const MAX_FORMULA_SIZE: usize = 1 << 14;

/// Second derivatives of the first output of a map. At ties and at boundaries of choices they belong to the side that a
/// [`Tape`] takes.
#[derive(Clone, Debug)]
pub struct Hessians {
    run: TapeRun<LaneArithmetic>,
    entries: Option<HessianEntries>,
}

impl Hessians {
    pub(super) fn new(code: &Arc<TapeCode>, formulas: &TapeFormulas) -> Self {
        let passes = code.inputs.div_ceil(LANES);
        let entries = HessianEntries::compile_entries(code, formulas);
        // both methods are compared by their number of operations; the formulas win for sparse Hessians
        let entries = entries
            .filter(|entries| entries.tape.code().operation_bound() <= passes * code.operation_bound() * LANE_COST);
        Self { run: TapeRun::new(LaneArithmetic, code), entries }
    }

    /// Computes the Hessian at x, n rows of n numbers.
    ///
    /// # Panics
    /// If `x` has not n numbers, or the Hessian not n², or there is no output.
    pub fn hessian_at(&mut self, x: &[f64], hessian: &mut [f64]) {
        let n = self.run.code.inputs;
        assert_eq!(hessian.len(), n * n, "the Hessian has another number of entries");
        match &mut self.entries {
            Some(entries) => entries.fill_hessian(x, hessian),
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
    pub fn hessian_times(&mut self, x: &[f64], v: &[f64], product: &mut [f64]) {
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
        let done =
            self.run.run_forward(|| true).and_then(|()| self.run.sweep_back([(output, Lanes::constant(1.0))], || true));
        assert!(done.is_some(), "plain numbers decide everything");
    }
}

/// The entries of the upper triangle that are not structurally zero, as a map of its own.
#[derive(Clone, Debug)]
struct HessianEntries {
    tape: Tape,
    /// Row and column of each entry.
    places: Arc<[[usize; 2]]>,
}

impl HessianEntries {
    /// Compiles the entries. Returns `None` for a map that is large or has branches.
    fn compile_entries(code: &TapeCode, formulas: &TapeFormulas) -> Option<Self> {
        // a branch would make the formulas those of one side only
        if !code.is_straight_line() || code.inputs * code.operation_bound() > MAX_FORMULA_SIZE {
            return None;
        }
        let (places, entries): (Vec<_>, Vec<_>) =
            second_derivatives(&formulas.inputs, formulas.outputs.first()?).into_iter().unzip();
        Some(Self { tape: Tape::compile_map(&formulas.inputs, &entries).ok()?, places: places.into() })
    }

    fn fill_hessian(&mut self, x: &[f64], hessian: &mut [f64]) {
        let n = x.len();
        self.tape.run_forward(x);
        // structural zeros have no entry
        hessian.fill(0.0);
        let TapeRun { code, values, .. } = &self.tape.run;
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
    fn chain_two(value: f64, a: &Self, s: f64, b: &Self, t: f64) -> Self {
        Self { value, slopes: std::array::from_fn(|i| a.slopes[i] * s + b.slopes[i] * t) }
    }

    /// Returns a function value, with derivatives a·s for the derivative s.
    #[inline(always)]
    fn chain_one(value: f64, a: &Self, s: f64) -> Self {
        Self { value, slopes: a.slopes.map(|slope| slope * s) }
    }
}

#[derive(Clone, Copy, Debug)]
struct LaneArithmetic;

impl LaneArithmetic {
    /// Adds a·b to `to`.
    #[inline(always)]
    fn add_product(to: &mut Lanes, a: &Lanes, b: &Lanes) {
        to.value += a.value * b.value;
        for i in 0..LANES {
            to.slopes[i] += a.slopes[i] * b.value + a.value * b.slopes[i];
        }
    }
}

impl TapeArithmetic for LaneArithmetic {
    type Number = Lanes;
    type Memory = Vec<Lanes>;

    fn new_memory(&self, count: usize) -> Vec<Lanes> {
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
    fn store_at(&self, memory: &mut Vec<Lanes>, place: usize, x: &Lanes) -> bool {
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

    fn store_sum(&self, v: &mut Vec<Lanes>, place: usize, terms: &[CellIndex], products: &ProductCells) -> bool {
        // linear in the lanes, so values and derivatives are added side by side
        let mut sum = Lanes::constant(0.0);
        terms.iter().for_each(|term| sum = self.add(&sum, &v[*term as usize]));
        products.for_each_product(|x, y| Self::add_product(&mut sum, &v[x], &v[y]));
        v[place] = sum;
        true
    }

    fn pull_back_sum(
        &self,
        g: &mut Vec<Lanes>,
        v: &Vec<Lanes>,
        place: usize,
        terms: &[CellIndex],
        products: &ProductCells,
        is_fixed: impl Fn(CellIndex) -> bool,
    ) -> bool {
        let w = g[place];
        terms.iter().for_each(|term| g[*term as usize] = self.add(&g[*term as usize], &w));
        products.for_each_product(|x, y| {
            for (to, from) in [(x, y), (y, x)].into_iter().filter(|(to, _)| !is_fixed(*to as CellIndex)) {
                Self::add_product(&mut g[to], &w, &v[from]);
            }
        });
        true
    }

    fn convert_constant(&self, constant: &ExactConstant) -> Lanes {
        Lanes::constant(FloatTape.convert_constant(constant))
    }

    fn convert_fraction(&self, p: i64, q: u32) -> Lanes {
        Lanes::constant(FloatTape.convert_fraction(p, q))
    }

    fn pi(&self) -> Lanes {
        Lanes::constant(FloatTape.pi())
    }

    #[inline(always)]
    fn negate(&self, a: &Lanes) -> Lanes {
        Lanes::chain_one(-a.value, a, -1.0)
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
        Lanes::chain_two(a.value * b.value, a, b.value, b, a.value)
    }

    fn divide(&self, a: &Lanes, b: &Lanes) -> Lanes {
        // (a/b)′ = a′/b - (a/b)·b′/b, with the quotient computed once
        let quotient = a.value / b.value;
        Lanes::chain_two(quotient, a, 1.0 / b.value, b, -quotient / b.value)
    }

    fn rational_power(&self, a: &Lanes, e: RationalExponent) -> Option<Lanes> {
        let value = FloatTape.rational_power(&a.value, e)?;
        if e.numerator == 0 {
            return Some(Lanes::constant(value));
        }
        Some(Lanes::chain_one(value, a, FloatTape.power_slope(&a.value, &value, e)?))
    }

    fn apply_function(&self, f: Function, a: &Lanes) -> Option<Lanes> {
        let value = FloatTape.apply_function(f, &a.value)?;
        Some(Lanes::chain_one(value, a, FloatTape.evaluate_formula(&f.slope_formula(), &[a.value], &value)?))
    }

    fn apply_binary(&self, f: Planar, a: &Lanes, b: &Lanes) -> Option<Lanes> {
        let value = FloatTape.apply_binary(f, &a.value, &b.value)?;
        let slope = |formula| FloatTape.evaluate_formula(formula, &[a.value, b.value], &value);
        let [first, second] = f.slope_formulas();
        Some(Lanes::chain_two(value, a, slope(first)?, b, slope(second)?))
    }

    fn signum(&self, a: &Lanes) -> Option<Lanes> {
        FloatTape.signum(&a.value).map(Lanes::constant)
    }

    fn is_positive(&self, a: &Lanes) -> Option<bool> {
        FloatTape.is_positive(&a.value)
    }

    fn first_wins(&self, kink: KinkOperation, a: &Lanes, b: &Lanes) -> Option<bool> {
        FloatTape.first_wins(kink, &a.value, &b.value)
    }
}

/// Enclosures of the second derivatives of the first output, in one precision, for a small map without branches.
/// Expanded derivatives lose the domain of the map, so the map itself is run too, to see that it is smooth nearby.
#[derive(Clone, Debug)]
pub struct EnclosedHessians<T: MidpointArithmetic> {
    map: CertifiedTape<T>,
    entries: CertifiedTape<T>,
    places: Arc<[[usize; 2]]>,
    zero: Interval<T::End>,
}

impl<T: MidpointArithmetic> EnclosedHessians<T> {
    pub(in crate::smooth::tape) fn new(tier: T, code: &Arc<TapeCode>, formulas: &TapeFormulas) -> Option<Self> {
        let HessianEntries { tape, places } = HessianEntries::compile_entries(code, formulas)?;
        let zero = Interval::point(tier.exact_f64(0.0));
        Some(Self {
            entries: CertifiedTape::new(tier.clone(), &tape.run.code),
            map: CertifiedTape::new(tier, code),
            places,
            zero,
        })
    }

    /// Encloses the Hessian at finite doubles, row by row. Returns `None` if the map is not certainly smooth nearby.
    ///
    /// # Panics
    /// If `x` has not n numbers.
    pub fn enclose_at(&mut self, x: &[f64]) -> Option<Vec<Interval<T::End>>> {
        self.map.value_at(x)?;
        let (n, entries) = (x.len(), self.entries.value_at(x)?);
        let mut hessian = vec![self.zero.clone(); n * n];
        for ([i, j], entry) in self.places.iter().zip(entries) {
            hessian[n * j + i] = entry.clone();
            hessian[n * i + j] = entry;
        }
        Some(hessian)
    }
}
