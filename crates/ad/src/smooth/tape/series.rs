//! Taylor series on plain `f64`: a run over polynomials in one more variable, truncated at an order.
//!
//! The coefficient of tᵏ of a run over x + t·v is the derivative of order k along v, divided by k!. An operation takes
//! a product of series, which is n² products of numbers for n derivatives; nested derivatives take 2ⁿ (Griewank and
//! Walther 2008, ch. 13). The reverse sweep over the same numbers gives the series of the gradient.
//!
//! # Elementary functions of series
//!
//! Elementary functions of series, by the differential equation in the row of each function, degree by degree.
//!
//! From y′ = s(a, y)·a′ follows k·yₖ = Σ j·aⱼ·s₍ₖ₋ⱼ₎, where s needs y below degree k only. The formula of a derivative
//! is expanded once into a list of rules, in an order in which each degree can be computed. Functions that are each
//! other's derivatives, as sine and cosine, refer to each other, so every function costs a few products of series.

use super::{CellIndex, FloatTape, KinkOperation, ProductCells, TapeArithmetic, TapeCode, TapeRun};
use crate::function::{Formula, Function, Planar};
use crate::number::double::{eval_binary_nearest, eval_nearest};
use crate::smooth::graph::RationalExponent;
use crate::smooth::program::ExactConstant;
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

/// The index of a row of coefficients.
type SeriesRow = usize;

/// The rule that computes the coefficients of a row.
#[derive(Clone, Copy, Debug)]
enum SeriesRule {
    /// A given argument.
    Argument,
    Constant(f64),
    /// Each coefficient of a row times its degree.
    Scaled(SeriesRow),
    Negate(SeriesRow),
    Add(SeriesRow, SeriesRow),
    Subtract(SeriesRow, SeriesRow),
    Multiply(SeriesRow, SeriesRow),
    Divide(SeriesRow, SeriesRow),
    /// a^p: the row a, the scaled row, p.
    Power(SeriesRow, SeriesRow, f64),
    /// A function of a row: the row, the scaled row, the row of the derivative.
    Function(Function, SeriesRow, SeriesRow, SeriesRow),
    /// A function of two rows: both rows, both scaled, both partial derivatives.
    Planar(Planar, [SeriesRow; 2], [SeriesRow; 2], [SeriesRow; 2]),
}

/// The rules for one function. The arguments are the first rows.
#[derive(Debug)]
struct SeriesRecurrence {
    rules: Vec<SeriesRule>,
    result: SeriesRow,
    /// The rows that are functions of the first argument, if each is computed up to the last degree.
    functions: Vec<(Function, SeriesRow)>,
}

impl SeriesRecurrence {
    /// Creates the rules for a function, for coefficients up to `order`.
    fn of_function(f: Function, order: usize) -> Self {
        let mut building =
            SeriesRuleBuilder { order, rules: vec![SeriesRule::Argument], ..SeriesRuleBuilder::default() };
        let result = building.function_row(f, 0, 0);
        let functions = building.functions.iter().filter(|((_, of), _)| *of == 0).map(|((f, _), row)| (*f, *row));
        let functions = if building.is_cut { Vec::new() } else { functions.collect() };
        Self { rules: building.rules, result, functions }
    }

    /// Creates the rules for a function of two variables.
    fn of_planar(f: Planar, order: usize) -> Self {
        let mut building =
            SeriesRuleBuilder { order, rules: vec![SeriesRule::Argument; 2], ..SeriesRuleBuilder::default() };
        let scaled = [building.scaled_row(0), building.scaled_row(1)];
        let result = building.push_rule(SeriesRule::Constant(0.0));
        let [first, second] = f.slope_formulas();
        let slopes = [first, second].map(|slope| building.formula_row(slope, &[0, 1], result, 0));
        building.rules[result] = SeriesRule::Planar(f, [0, 1], scaled, slopes);
        Self { rules: building.rules, result, functions: Vec::new() }
    }

    /// Computes the series of the function at the arguments, which are as long as the result.
    fn solve_series(&self, arguments: &[&[f64]], memory: &mut Vec<f64>, result: &mut [f64]) {
        let length = result.len();
        // old contents need not be cleared: each coefficient is written before it is read
        memory.resize(self.rules.len() * length, 0.0);
        let is_given = |rule: &SeriesRule| match rule {
            SeriesRule::Argument => true,
            SeriesRule::Scaled(a) => matches!(self.rules[*a], SeriesRule::Argument),
            _ => false,
        };
        // arguments, and these scaled, are complete before the rest, and often short
        let mut lengths: SmallVec<[usize; 16]> = smallvec![length; self.rules.len()];
        let mut found: SmallVec<[(SeriesRow, SeriesRule); 16]> = SmallVec::new();
        for (row, rule) in self.rules.iter().enumerate() {
            match rule {
                SeriesRule::Argument => memory[row * length..][..length].copy_from_slice(arguments[row]),
                SeriesRule::Scaled(a) if is_given(rule) => {
                    (0..length).for_each(|k| memory[row * length + k] = k as f64 * memory[a * length + k]);
                }
                _ => {
                    found.push((row, *rule));
                    continue;
                }
            }
            lengths[row] = without_zeros(&memory[row * length..][..length]).len();
        }
        // by degrees, then by rows: a coefficient uses rows before it at this degree, and all rows below it
        for degree in 0..length {
            for (row, rule) in &found {
                let at = |row: SeriesRow| &memory[row * length..][..lengths[row]];
                memory[row * length + degree] = rule_coefficient(*rule, degree, *row, &at);
            }
        }
        result.copy_from_slice(&memory[self.result * length..][..length]);
    }

    /// Copies the series of another function of the same argument, if the last run has computed it. Returns `false`
    /// otherwise.
    fn copy_computed(&self, f: Function, argument: &[f64], memory: &[f64], result: &mut [f64]) -> bool {
        let length = result.len();
        let row = self.functions.iter().find(|(other, _)| *other == f);
        // equal as bits: 0 and -0 differ for some functions, and NaN equals nothing
        let is_same = |row: &[f64]| row.iter().zip(argument).all(|(a, b)| a.to_bits() == b.to_bits());
        let Some((_, row)) = row.filter(|_| is_same(&memory[..length])) else { return false };
        result.copy_from_slice(&memory[row * length..][..length]);
        true
    }
}

/// Drops trailing zeros of a row, but not the first coefficient: 0 times NaN is NaN.
fn without_zeros(row: &[f64]) -> &[f64] {
    &row[..row.iter().rposition(|x| *x != 0.0).map_or(1, |last| last + 1)]
}

fn coefficient_or_zero(row: &[f64], degree: usize) -> f64 {
    row.get(degree).copied().unwrap_or(0.0)
}

/// Returns the coefficient of a degree, where row `own` is known below it. Argument rows may lack trailing zeros,
/// computed rows may not.
fn rule_coefficient<'m>(rule: SeriesRule, degree: usize, own: SeriesRow, at: &impl Fn(SeriesRow) -> &'m [f64]) -> f64 {
    // Σ j·aⱼ·s₍ₖ₋ⱼ₎; the term j = 0 is 0
    let integrated =
        |scaled: SeriesRow, slope: SeriesRow| convolution_without_first(at(scaled), at(slope), degree) / degree as f64;
    match rule {
        SeriesRule::Argument => coefficient_or_zero(at(own), degree),
        SeriesRule::Scaled(a) => degree as f64 * coefficient_or_zero(at(a), degree),
        SeriesRule::Constant(c) if degree == 0 => c,
        SeriesRule::Constant(_) => 0.0,
        SeriesRule::Negate(a) => -coefficient_or_zero(at(a), degree),
        SeriesRule::Add(a, b) => coefficient_or_zero(at(a), degree) + coefficient_or_zero(at(b), degree),
        SeriesRule::Subtract(a, b) => coefficient_or_zero(at(a), degree) - coefficient_or_zero(at(b), degree),
        SeriesRule::Multiply(a, b) => convolution(at(a), at(b), degree),
        SeriesRule::Divide(a, b) => quotient_coefficient(at(a), at(b), at(own), degree),
        SeriesRule::Power(a, _, p) if degree == 0 => coefficient_or_zero(at(a), 0).powf(p),
        SeriesRule::Power(a, scaled, p) => power_coefficient(at(a), at(scaled), at(own), p, degree),
        SeriesRule::Function(f, a, ..) if degree == 0 => eval_nearest(f, coefficient_or_zero(at(a), 0)),
        SeriesRule::Function(_, _, scaled, slope) => integrated(scaled, slope),
        SeriesRule::Planar(f, [a, b], ..) if degree == 0 => {
            eval_binary_nearest(f, coefficient_or_zero(at(a), 0), coefficient_or_zero(at(b), 0))
        }
        SeriesRule::Planar(_, _, [a, b], [first, second]) => integrated(a, first) + integrated(b, second),
    }
}

/// Returns Σ aᵢ·bₖ₋ᵢ. Rows may lack trailing zeros.
#[inline]
fn convolution(a: &[f64], b: &[f64], degree: usize) -> f64 {
    let from = (degree + 1).saturating_sub(b.len());
    let to = (degree + 1).min(a.len());
    if from < to { reversed_dot(&a[from..to], &b[degree + 1 - to..degree + 1 - from]) } else { 0.0 }
}

/// Returns Σ aⱼ·yₖ₋ⱼ without the first term, a₀·yₖ.
#[inline]
fn convolution_without_first(a: &[f64], y: &[f64], degree: usize) -> f64 {
    match a.get(1..) {
        Some(rest) if degree > 0 => convolution(rest, y, degree - 1),
        _ => 0.0,
    }
}

/// Returns Σ aᵢ·b₍ₙ₋₁₋ᵢ₎ of two rows of n numbers, in four independent sums, which compilers vectorise.
#[inline]
fn reversed_dot(a: &[f64], b: &[f64]) -> f64 {
    let (front, back) = (a.chunks_exact(4), b.rchunks_exact(4));
    let rest: f64 = front.remainder().iter().zip(back.remainder().iter().rev()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 4];
    for (x, y) in front.zip(back) {
        for i in 0..4 {
            sums[i] += x[i] * y[3 - i];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Returns a coefficient of a/b from those below it.
fn quotient_coefficient(a: &[f64], b: &[f64], below: &[f64], degree: usize) -> f64 {
    (coefficient_or_zero(a, degree) - convolution_without_first(b, below, degree)) / coefficient_or_zero(b, 0)
}

/// Returns a coefficient of a^p from those below it: from a·y′ = p·a′·y follows k·a₀·yₖ = Σ ((p + 1)·j - k)·aⱼ·y₍ₖ₋ⱼ₎.
fn power_coefficient(a: &[f64], scaled: &[f64], below: &[f64], p: f64, degree: usize) -> f64 {
    let sum = (p + 1.0) * convolution_without_first(scaled, below, degree)
        - degree as f64 * convolution_without_first(a, below, degree);
    sum / (degree as f64 * coefficient_or_zero(a, 0))
}

/// Builder of the rules for one function.
#[derive(Default)]
struct SeriesRuleBuilder {
    order: usize,
    rules: Vec<SeriesRule>,
    /// `true` if a derivative was left out because of the order.
    is_cut: bool,
    /// The rows of functions, by function and argument.
    functions: FxHashMap<(Function, SeriesRow), SeriesRow>,
    scaled_row: FxHashMap<SeriesRow, SeriesRow>,
}

impl SeriesRuleBuilder {
    fn push_rule(&mut self, rule: SeriesRule) -> SeriesRow {
        self.rules.push(rule);
        self.rules.len() - 1
    }

    fn scaled_row(&mut self, a: SeriesRow) -> SeriesRow {
        match self.scaled_row.get(&a) {
            Some(row) => *row,
            None => {
                let row = self.push_rule(SeriesRule::Scaled(a));
                self.scaled_row.insert(a, row);
                row
            }
        }
    }

    /// Adds a function of a row, `depth` derivatives away from the result: each one needs one degree less.
    fn function_row(&mut self, f: Function, a: SeriesRow, depth: usize) -> SeriesRow {
        if let Some(row) = self.functions.get(&(f, a)) {
            return *row;
        }
        let scaled = self.scaled_row(a);
        // registered before its derivative is expanded: that may lead back to this function
        let own = self.push_rule(SeriesRule::Constant(0.0));
        self.functions.insert((f, a), own);
        if depth <= self.order {
            let slope = self.formula_row(&f.slope_formula(), &[a], own, depth + 1);
            self.rules[own] = SeriesRule::Function(f, a, scaled, slope);
        } else {
            self.is_cut = true;
        }
        own
    }

    /// Adds a formula of rows; `y` is the row of the function whose derivative it is.
    fn formula_row(&mut self, formula: &Formula, x: &[SeriesRow], y: SeriesRow, depth: usize) -> SeriesRow {
        let mut of = |formula: &Formula| self.formula_row(formula, x, y, depth);
        let rule = match *formula {
            Formula::X => return x[0],
            Formula::Second => return x[1],
            Formula::Y => return y,
            Formula::Number(p, q) => SeriesRule::Constant(f64::from(p) / f64::from(q)),
            Formula::Pi => SeriesRule::Constant(std::f64::consts::PI),
            Formula::Negate(a) => SeriesRule::Negate(of(a)),
            Formula::Add(a, b) => SeriesRule::Add(of(a), of(b)),
            Formula::Subtract(a, b) => SeriesRule::Subtract(of(a), of(b)),
            Formula::Multiply(a, b) => SeriesRule::Multiply(of(a), of(b)),
            Formula::Divide(a, b) => SeriesRule::Divide(of(a), of(b)),
            Formula::Square(a) => {
                let a = of(a);
                SeriesRule::Multiply(a, a)
            }
            Formula::Inverse(a) => {
                let a = of(a);
                SeriesRule::Divide(self.push_rule(SeriesRule::Constant(1.0)), a)
            }
            Formula::InverseRoot(a) => {
                let a = of(a);
                SeriesRule::Power(a, self.scaled_row(a), -0.5)
            }
            Formula::Apply(f, a) => {
                let a = of(a);
                return self.function_row(f, a, depth);
            }
        };
        self.push_rule(rule)
    }
}
