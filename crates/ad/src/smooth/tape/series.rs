//! Taylor series on plain `f64`: a run over polynomials in one more variable, truncated at an order.
//!
//! The coefficient of tᵏ of a run over x + t·v is the derivative of order k along v, divided by k!. An operation takes
//! a product of series, which is n² products of numbers for n derivatives; nested derivatives take 2ⁿ (Griewank and
//! Walther 2008, ch. 13). The reverse sweep over the same numbers gives the series of the gradient.

mod recurrence;

use super::carrier::Carrier;
use super::plain::Plain;
use super::run::Run;
use super::{Code, Kink, Place, Products};
use crate::function::{Function, Planar};
use crate::smooth::graph::Exponent;
use crate::smooth::program::Constant;
use recurrence::{System, convolution, power, quotient, without_zeros};
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
/// let mut series = (x.sin() * x.exp()).tape()?.series(4);
/// let mut coefficients = [0.0; 5];
/// series.along(&[0.0], &[1.0], &mut coefficients);
/// // sin t · exp t = t + t² + t³/3 + 0·t⁴ + …
/// let expected = [0.0, 1.0, 1.0, 1.0 / 3.0, 0.0];
/// assert!(coefficients.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
/// # Ok::<(), smoothish_ad::smooth::tape::TapeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Series {
    run: Run<Truncated>,
}

impl Series {
    pub(super) fn new(code: &Arc<Code>, order: usize) -> Self {
        let carrier = Truncated { length: order + 1, ..Truncated::default() };
        Self { run: Run::new(carrier, code) }
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
    pub fn along(&mut self, x: &[f64], v: &[f64], coefficients: &mut [f64]) {
        let length = self.run.carrier.length;
        assert_eq!(coefficients.len(), self.run.code.outputs.len() * length, "another number of coefficients");
        self.forward(x, v);
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
        self.forward(x, v);
        let output = self.run.code.outputs[0];
        let done = self.run.sweep([(output, self.run.carrier.constant_series(1.0))], || true);
        assert!(done.is_some(), "plain numbers decide everything");
        coefficients.copy_from_slice(&self.run.cotangents[..x.len() * self.run.carrier.length]);
    }

    fn forward(&mut self, x: &[f64], v: &[f64]) {
        let (n, length) = (self.run.code.inputs, self.run.carrier.length);
        assert!(x.len() == n && v.len() == n, "the point or the direction has another number of components");
        for (row, (x, v)) in self.run.values.chunks_exact_mut(length).zip(x.iter().zip(v)) {
            row.fill(0.0);
            // x + t·v; a series of order 0 has no coefficient for v
            row[0] = *x;
            row.iter_mut().skip(1).take(1).for_each(|slope| *slope = *v);
        }
        let done = self.run.forward(|| true);
        assert!(done.is_some(), "plain numbers decide everything");
    }
}

/// The coefficients of a series, up to the order.
type Coefficients = SmallVec<[f64; 24]>;

/// Arithmetic of series that are truncated at an order. A memory holds them contiguously.
#[derive(Clone, Debug, Default)]
struct Truncated {
    /// The order plus one.
    length: usize,
    /// The recurrences of the functions that have occurred.
    functions: RefCell<FxHashMap<Function, Arc<System>>>,
    planars: RefCell<FxHashMap<Planar, Arc<System>>>,
    /// The memory of the last recurrence, and that recurrence.
    memory: RefCell<Vec<f64>>,
    last: RefCell<Option<Arc<System>>>,
}

impl Truncated {
    fn constant_series(&self, value: f64) -> Coefficients {
        let mut series = smallvec![0.0; self.length];
        series[0] = value;
        series
    }

    fn solved(&self, system: Arc<System>, arguments: &[&[f64]]) -> Coefficients {
        let mut result = smallvec![0.0; self.length];
        system.run(arguments, &mut self.memory.borrow_mut(), &mut result);
        self.last.replace(Some(system));
        result
    }

    fn zipped(a: &Coefficients, b: &Coefficients, of: impl Fn(f64, f64) -> f64) -> Coefficients {
        a.iter().zip(b).map(|(x, y)| of(*x, *y)).collect()
    }

    /// Adds a·b to `to`.
    fn accumulate(to: &mut [f64], a: &[f64], b: &[f64]) {
        // many series are short: constants have length 1, inputs length 2
        let (a, b) = (without_zeros(a), without_zeros(b));
        let degrees = to.iter_mut().enumerate().take((a.len() + b.len()).saturating_sub(1));
        degrees.for_each(|(k, to)| *to += convolution(a, b, k));
    }

    fn row<'m>(&self, memory: &'m [f64], place: usize) -> &'m [f64] {
        &memory[place * self.length..][..self.length]
    }

    fn row_mut<'m>(&self, memory: &'m mut [f64], place: usize) -> &'m mut [f64] {
        &mut memory[place * self.length..][..self.length]
    }

    /// Returns aⁿ for n > 0, by repeated squaring.
    fn natural_power(&self, a: &Coefficients, n: u64) -> Coefficients {
        if n == 1 {
            return a.clone();
        }
        let half = self.natural_power(a, n / 2);
        let square = self.multiply(&half, &half);
        if n.is_multiple_of(2) { square } else { self.multiply(&square, a) }
    }
}

impl Carrier for Truncated {
    type Number = Coefficients;
    type Memory = Vec<f64>;

    fn memory(&self, count: usize) -> Vec<f64> {
        vec![0.0; count * self.length]
    }

    fn clear(&self, memory: &mut Vec<f64>) {
        memory.fill(0.0);
    }

    fn get(&self, memory: &Vec<f64>, place: usize) -> Coefficients {
        Coefficients::from_slice(self.row(memory, place))
    }

    fn put(&self, memory: &mut Vec<f64>, place: usize, x: &Coefficients) -> bool {
        self.row_mut(memory, place).copy_from_slice(x);
        true
    }

    fn add_to(&self, memory: &mut Vec<f64>, place: usize, x: &Coefficients) -> bool {
        self.row_mut(memory, place).iter_mut().zip(x).for_each(|(to, x)| *to += x);
        true
    }

    fn is_zero(&self, memory: &Vec<f64>, place: usize) -> bool {
        self.row(memory, place).iter().all(|x| *x == 0.0)
    }

    fn put_sum(&self, v: &mut Vec<f64>, place: usize, terms: &[Place], products: &Products) -> bool {
        let mut sum = self.constant_series(0.0);
        for term in terms {
            sum.iter_mut().zip(self.row(v, *term as usize)).for_each(|(sum, x)| *sum += x);
        }
        products.each(|x, y| Self::accumulate(&mut sum, self.row(v, x), self.row(v, y)));
        self.put(v, place, &sum)
    }

    fn pull_sum(
        &self,
        g: &mut Vec<f64>,
        v: &Vec<f64>,
        place: usize,
        terms: &[Place],
        products: &Products,
        is_fixed: impl Fn(Place) -> bool,
    ) -> bool {
        let w = self.get(g, place);
        for term in terms {
            self.add_to(g, *term as usize, &w);
        }
        products.each(|x, y| {
            for (to, from) in [(x, y), (y, x)].into_iter().filter(|(to, _)| !is_fixed(*to as Place)) {
                Self::accumulate(self.row_mut(g, to), &w, self.row(v, from));
            }
        });
        true
    }

    fn constant(&self, constant: &Constant) -> Coefficients {
        self.constant_series(Plain.constant(constant))
    }

    fn fraction(&self, p: i64, q: u32) -> Coefficients {
        self.constant_series(Plain.fraction(p, q))
    }

    fn pi(&self) -> Coefficients {
        self.constant_series(Plain.pi())
    }

    fn negate(&self, a: &Coefficients) -> Coefficients {
        a.iter().map(|x| -x).collect()
    }

    fn add(&self, a: &Coefficients, b: &Coefficients) -> Coefficients {
        Self::zipped(a, b, |x, y| x + y)
    }

    fn subtract(&self, a: &Coefficients, b: &Coefficients) -> Coefficients {
        Self::zipped(a, b, |x, y| x - y)
    }

    fn multiply(&self, a: &Coefficients, b: &Coefficients) -> Coefficients {
        let mut product = self.constant_series(0.0);
        Self::accumulate(&mut product, a, b);
        product
    }

    fn divide(&self, a: &Coefficients, b: &Coefficients) -> Coefficients {
        let (mut result, [a, b]) = (self.constant_series(0.0), [a, b].map(|row| without_zeros(row)));
        (0..self.length).for_each(|k| result[k] = quotient(a, b, &result, k));
        result
    }

    fn power(&self, a: &Coefficients, e: Exponent) -> Option<Coefficients> {
        if e.numerator == 0 {
            return Some(self.constant_series(Plain.power(&a[0], e)?));
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
        let mut result = self.constant_series(Plain.power(&a[0], e)?);
        let scaled: Coefficients = a.iter().enumerate().map(|(j, x)| j as f64 * x).collect();
        let (p, a, scaled) = (Plain.fraction(e.numerator, e.denominator), without_zeros(a), without_zeros(&scaled));
        (1..self.length).for_each(|k| result[k] = power(a, scaled, &result, p, k));
        Some(result)
    }

    fn function(&self, f: Function, a: &Coefficients) -> Option<Coefficients> {
        // the cosine is computed together with the sine, and often needed next
        let mut result: Coefficients = smallvec![0.0; self.length];
        let beside = |last: &Arc<System>| last.beside(f, a, &self.memory.borrow(), &mut result);
        if self.last.borrow().as_ref().is_some_and(beside) {
            return Some(result);
        }
        let mut systems = self.functions.borrow_mut();
        let system = systems.entry(f).or_insert_with(|| Arc::new(System::of(f, self.length))).clone();
        drop(systems);
        Some(self.solved(system, &[a]))
    }

    fn planar(&self, f: Planar, a: &Coefficients, b: &Coefficients) -> Option<Coefficients> {
        let mut systems = self.planars.borrow_mut();
        let system = systems.entry(f).or_insert_with(|| Arc::new(System::of_planar(f, self.length))).clone();
        drop(systems);
        Some(self.solved(system, &[a, b]))
    }

    fn signum(&self, a: &Coefficients) -> Option<Coefficients> {
        Plain.signum(&a[0]).map(|sign| self.constant_series(sign))
    }

    fn is_positive(&self, a: &Coefficients) -> Option<bool> {
        Plain.is_positive(&a[0])
    }

    fn first_wins(&self, kink: Kink, a: &Coefficients, b: &Coefficients) -> Option<bool> {
        Plain.first_wins(kink, &a[0], &b[0])
    }
}
