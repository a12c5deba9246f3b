//! Taylor series on plain `f64`: a run over polynomials in one more variable, truncated at an order.
//!
//! The coefficient of tᵏ of a run over x + t·v is the derivative of order k along v, divided by k!. An operation takes
//! a product of series, which is n² products of numbers for n derivatives; nested derivatives take 2ⁿ (Griewank and
//! Walther 2008, ch. 13). The reverse sweep over the same numbers gives the series of the gradient.

mod recurrence;

use super::carrier::TapeArithmetic;
use super::plain::FloatTape;
use super::run::TapeRun;
use super::{CellIndex, KinkOperation, ProductCells, TapeCode};
use crate::function::{Function, Planar};
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;
use recurrence::{SeriesRecurrence, convolution, power_coefficient, quotient_coefficient, without_zeros};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::cell::RefCell;
use std::sync::Arc;

/// Taylor series of a map along a line, and of its gradient: a run over polynomials that are truncated at an order. At
/// ties and at boundaries of choices they belong to the side that a [`Tape`](super::Tape) takes.
///
/// # Examples
/// ```
/// use smoothish_ad::smooth::map::{Map, coordinates};
/// use typenum::U1;
/// let [x]: [Map<U1, U1>; 1] = coordinates();
/// let mut series = (x.sin() * x.exp()).tape()?.taylor_series(4);
/// let mut coefficients = [0.0; 5];
/// series.expand_along(&[0.0], &[1.0], &mut coefficients);
/// // sin t · exp t = t + t² + t³/3 + 0·t⁴ + …
/// let expected = [0.0, 1.0, 1.0, 1.0 / 3.0, 0.0];
/// assert!(coefficients.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
/// # Ok::<(), smoothish_ad::smooth::tape::TapeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Series {
    run: TapeRun<TruncatedArithmetic>,
}

impl Series {
    pub(super) fn new(code: &Arc<TapeCode>, order: usize) -> Self {
        let carrier = TruncatedArithmetic { length: order + 1, ..TruncatedArithmetic::default() };
        Self { run: TapeRun::new(carrier, code) }
    }

    /// Returns the highest degree of the series.
    #[must_use]
    pub fn order(&self) -> usize {
        self.run.carrier.length - 1
    }

    /// Computes the coefficients of f(x + t·v), one output after the other, each from degree 0 on.
    ///
    /// # Panics
    /// If `x` or `v` has not n numbers, or there are not m·(order + 1) coefficients.
    pub fn expand_along(&mut self, x: &[f64], v: &[f64], coefficients: &mut [f64]) {
        let length = self.run.carrier.length;
        assert_eq!(coefficients.len(), self.run.code.outputs.len() * length, "another number of coefficients");
        self.run_forward(x, v);
        for (row, place) in coefficients.chunks_exact_mut(length).zip(&self.run.code.outputs) {
            row.copy_from_slice(&self.run.values[*place as usize * length..][..length]);
        }
    }

    /// Computes the coefficients of the gradient of the first output at x + t·v, one partial derivative after the
    /// other, each from degree 0 on.
    ///
    /// # Panics
    /// If `x` or `v` has not n numbers, there are not n·(order + 1) coefficients, or there is no output.
    pub fn gradient_along(&mut self, x: &[f64], v: &[f64], coefficients: &mut [f64]) {
        self.run_forward(x, v);
        let output = self.run.code.outputs[0];
        let done = self.run.sweep_back([(output, self.run.carrier.constant_series(1.0))], || true);
        assert!(done.is_some(), "plain numbers decide everything");
        coefficients.copy_from_slice(&self.run.cotangents[..x.len() * self.run.carrier.length]);
    }

    fn run_forward(&mut self, x: &[f64], v: &[f64]) {
        let (n, length) = (self.run.code.inputs, self.run.carrier.length);
        assert!(x.len() == n && v.len() == n, "the point or the direction has another number of components");
        for (row, (x, v)) in self.run.values.chunks_exact_mut(length).zip(x.iter().zip(v)) {
            row.fill(0.0);
            // x + t·v; a series of order 0 has no coefficient for v
            row[0] = *x;
            row.iter_mut().skip(1).take(1).for_each(|slope| *slope = *v);
        }
        let done = self.run.run_forward(|| true);
        assert!(done.is_some(), "plain numbers decide everything");
    }
}

/// The coefficients of a series, up to the order.
type SeriesCoefficients = SmallVec<[f64; 24]>;

/// Arithmetic of series that are truncated at an order. A memory holds them contiguously.
#[derive(Clone, Debug, Default)]
struct TruncatedArithmetic {
    /// The order plus one.
    length: usize,
    /// The recurrences of the functions that have occurred.
    functions: RefCell<FxHashMap<Function, Arc<SeriesRecurrence>>>,
    planars: RefCell<FxHashMap<Planar, Arc<SeriesRecurrence>>>,
    /// The memory of the last recurrence, and that recurrence.
    memory: RefCell<Vec<f64>>,
    last: RefCell<Option<Arc<SeriesRecurrence>>>,
}

impl TruncatedArithmetic {
    fn constant_series(&self, value: f64) -> SeriesCoefficients {
        let mut series = smallvec![0.0; self.length];
        series[0] = value;
        series
    }

    fn solve_recurrence(&self, system: Arc<SeriesRecurrence>, arguments: &[&[f64]]) -> SeriesCoefficients {
        let mut result = smallvec![0.0; self.length];
        system.solve_series(arguments, &mut self.memory.borrow_mut(), &mut result);
        self.last.replace(Some(system));
        result
    }

    fn zip_with(a: &SeriesCoefficients, b: &SeriesCoefficients, of: impl Fn(f64, f64) -> f64) -> SeriesCoefficients {
        a.iter().zip(b).map(|(x, y)| of(*x, *y)).collect()
    }

    /// Adds a·b to `to`.
    fn add_product(to: &mut [f64], a: &[f64], b: &[f64]) {
        // many series are short: constants have length 1, inputs length 2
        let (a, b) = (without_zeros(a), without_zeros(b));
        let degrees = to.iter_mut().enumerate().take((a.len() + b.len()).saturating_sub(1));
        degrees.for_each(|(k, to)| *to += convolution(a, b, k));
    }

    fn series_at<'m>(&self, memory: &'m [f64], place: usize) -> &'m [f64] {
        &memory[place * self.length..][..self.length]
    }

    fn series_at_mut<'m>(&self, memory: &'m mut [f64], place: usize) -> &'m mut [f64] {
        &mut memory[place * self.length..][..self.length]
    }

    /// Returns aⁿ for n > 0, by repeated squaring.
    fn natural_power(&self, a: &SeriesCoefficients, n: u64) -> SeriesCoefficients {
        if n == 1 {
            return a.clone();
        }
        let half = self.natural_power(a, n / 2);
        let square = self.multiply(&half, &half);
        if n.is_multiple_of(2) { square } else { self.multiply(&square, a) }
    }
}

impl TapeArithmetic for TruncatedArithmetic {
    type Number = SeriesCoefficients;
    type Memory = Vec<f64>;

    fn new_memory(&self, count: usize) -> Vec<f64> {
        vec![0.0; count * self.length]
    }

    fn clear(&self, memory: &mut Vec<f64>) {
        memory.fill(0.0);
    }

    fn get(&self, memory: &Vec<f64>, place: usize) -> SeriesCoefficients {
        SeriesCoefficients::from_slice(self.series_at(memory, place))
    }

    fn store_at(&self, memory: &mut Vec<f64>, place: usize, x: &SeriesCoefficients) -> bool {
        self.series_at_mut(memory, place).copy_from_slice(x);
        true
    }

    fn add_to(&self, memory: &mut Vec<f64>, place: usize, x: &SeriesCoefficients) -> bool {
        self.series_at_mut(memory, place).iter_mut().zip(x).for_each(|(to, x)| *to += x);
        true
    }

    fn is_zero(&self, memory: &Vec<f64>, place: usize) -> bool {
        self.series_at(memory, place).iter().all(|x| *x == 0.0)
    }

    fn store_sum(&self, v: &mut Vec<f64>, place: usize, terms: &[CellIndex], products: &ProductCells) -> bool {
        let mut sum = self.constant_series(0.0);
        for term in terms {
            sum.iter_mut().zip(self.series_at(v, *term as usize)).for_each(|(sum, x)| *sum += x);
        }
        products.for_each_product(|x, y| Self::add_product(&mut sum, self.series_at(v, x), self.series_at(v, y)));
        self.store_at(v, place, &sum)
    }

    fn pull_back_sum(
        &self,
        g: &mut Vec<f64>,
        v: &Vec<f64>,
        place: usize,
        terms: &[CellIndex],
        products: &ProductCells,
        is_fixed: impl Fn(CellIndex) -> bool,
    ) -> bool {
        let w = self.get(g, place);
        for term in terms {
            self.add_to(g, *term as usize, &w);
        }
        products.for_each_product(|x, y| {
            for (to, from) in [(x, y), (y, x)].into_iter().filter(|(to, _)| !is_fixed(*to as CellIndex)) {
                Self::add_product(self.series_at_mut(g, to), &w, self.series_at(v, from));
            }
        });
        true
    }

    fn convert_constant(&self, constant: &ExactConstant) -> SeriesCoefficients {
        self.constant_series(FloatTape.convert_constant(constant))
    }

    fn convert_fraction(&self, p: i64, q: u32) -> SeriesCoefficients {
        self.constant_series(FloatTape.convert_fraction(p, q))
    }

    fn pi(&self) -> SeriesCoefficients {
        self.constant_series(FloatTape.pi())
    }

    fn negate(&self, a: &SeriesCoefficients) -> SeriesCoefficients {
        a.iter().map(|x| -x).collect()
    }

    fn add(&self, a: &SeriesCoefficients, b: &SeriesCoefficients) -> SeriesCoefficients {
        Self::zip_with(a, b, |x, y| x + y)
    }

    fn subtract(&self, a: &SeriesCoefficients, b: &SeriesCoefficients) -> SeriesCoefficients {
        Self::zip_with(a, b, |x, y| x - y)
    }

    fn multiply(&self, a: &SeriesCoefficients, b: &SeriesCoefficients) -> SeriesCoefficients {
        let mut product = self.constant_series(0.0);
        Self::add_product(&mut product, a, b);
        product
    }

    fn divide(&self, a: &SeriesCoefficients, b: &SeriesCoefficients) -> SeriesCoefficients {
        let (mut result, [a, b]) = (self.constant_series(0.0), [a, b].map(|row| without_zeros(row)));
        (0..self.length).for_each(|k| result[k] = quotient_coefficient(a, b, &result, k));
        result
    }

    fn rational_power(&self, a: &SeriesCoefficients, e: RationalExponent) -> Option<SeriesCoefficients> {
        if e.numerator == 0 {
            return Some(self.constant_series(FloatTape.rational_power(&a[0], e)?));
        }
        // by products even if a₀ ≠ 0: the recurrence divides by a₀ in each degree, and the power has no pole there
        if e.denominator == 1 && e.numerator > 0 {
            // if a₀ = 0, the first n coefficients of the n-th power are 0
            return Some(if a[0] == 0.0 && e.numerator >= self.length as i64 {
                self.constant_series(0.0)
            } else {
                self.natural_power(a, e.numerator.unsigned_abs())
            });
        }
        let mut result = self.constant_series(FloatTape.rational_power(&a[0], e)?);
        let scaled: SeriesCoefficients = a.iter().enumerate().map(|(j, x)| j as f64 * x).collect();
        let (p, a, scaled) =
            (FloatTape.convert_fraction(e.numerator, e.denominator), without_zeros(a), without_zeros(&scaled));
        (1..self.length).for_each(|k| result[k] = power_coefficient(a, scaled, &result, p, k));
        Some(result)
    }

    fn apply_function(&self, f: Function, a: &SeriesCoefficients) -> Option<SeriesCoefficients> {
        // the cosine is computed together with the sine, and often needed next
        let mut result: SeriesCoefficients = smallvec![0.0; self.length];
        let beside = |last: &Arc<SeriesRecurrence>| last.copy_computed(f, a, &self.memory.borrow(), &mut result);
        if self.last.borrow().as_ref().is_some_and(beside) {
            return Some(result);
        }
        let mut systems = self.functions.borrow_mut();
        let system =
            systems.entry(f).or_insert_with(|| Arc::new(SeriesRecurrence::of_function(f, self.length))).clone();
        drop(systems);
        Some(self.solve_recurrence(system, &[a]))
    }

    fn apply_binary(&self, f: Planar, a: &SeriesCoefficients, b: &SeriesCoefficients) -> Option<SeriesCoefficients> {
        let mut systems = self.planars.borrow_mut();
        let system = systems.entry(f).or_insert_with(|| Arc::new(SeriesRecurrence::of_planar(f, self.length))).clone();
        drop(systems);
        Some(self.solve_recurrence(system, &[a, b]))
    }

    fn signum(&self, a: &SeriesCoefficients) -> Option<SeriesCoefficients> {
        FloatTape.signum(&a[0]).map(|sign| self.constant_series(sign))
    }

    fn is_positive(&self, a: &SeriesCoefficients) -> Option<bool> {
        FloatTape.is_positive(&a[0])
    }

    fn first_wins(&self, kink: KinkOperation, a: &SeriesCoefficients, b: &SeriesCoefficients) -> Option<bool> {
        FloatTape.first_wins(kink, &a[0], &b[0])
    }
}
