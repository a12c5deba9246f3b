//! Elementary functions of series, by the differential equation in the row of each function, degree by degree.
//!
//! From y′ = s(a, y)·a′ follows k·yₖ = Σ j·aⱼ·s₍ₖ₋ⱼ₎, where s needs y below degree k only. The formula of a derivative
//! is expanded once into a list of rules, in an order in which each degree can be computed. Functions that are each
//! other's derivatives, as sine and cosine, refer to each other, so every function costs a few products of series.

use crate::function::{Formula, Function, Planar};
use crate::number::double::{eval_binary_nearest, eval_nearest};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

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
pub(super) struct SeriesRecurrence {
    rules: Vec<SeriesRule>,
    result: SeriesRow,
    /// The rows that are functions of the first argument, if each is computed up to the last degree.
    functions: Vec<(Function, SeriesRow)>,
}

impl SeriesRecurrence {
    /// Creates the rules for a function, for coefficients up to `order`.
    pub(super) fn of_function(f: Function, order: usize) -> Self {
        let mut building =
            SeriesRuleBuilder { order, rules: vec![SeriesRule::Argument], ..SeriesRuleBuilder::default() };
        let result = building.function_row(f, 0, 0);
        let functions = building.functions.iter().filter(|((_, of), _)| *of == 0).map(|((f, _), row)| (*f, *row));
        let functions = if building.is_cut { Vec::new() } else { functions.collect() };
        Self { rules: building.rules, result, functions }
    }

    /// Creates the rules for a function of two variables.
    pub(super) fn of_planar(f: Planar, order: usize) -> Self {
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
    pub(super) fn solve_series(&self, arguments: &[&[f64]], memory: &mut Vec<f64>, result: &mut [f64]) {
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
    pub(super) fn copy_computed(&self, f: Function, argument: &[f64], memory: &[f64], result: &mut [f64]) -> bool {
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
pub(super) fn without_zeros(row: &[f64]) -> &[f64] {
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
pub(super) fn convolution(a: &[f64], b: &[f64], degree: usize) -> f64 {
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
pub(super) fn quotient_coefficient(a: &[f64], b: &[f64], below: &[f64], degree: usize) -> f64 {
    (coefficient_or_zero(a, degree) - convolution_without_first(b, below, degree)) / coefficient_or_zero(b, 0)
}

/// Returns a coefficient of a^p from those below it: from a·y′ = p·a′·y follows k·a₀·yₖ = Σ ((p + 1)·j - k)·aⱼ·y₍ₖ₋ⱼ₎.
pub(super) fn power_coefficient(a: &[f64], scaled: &[f64], below: &[f64], p: f64, degree: usize) -> f64 {
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
